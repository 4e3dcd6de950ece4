"""Slices of one or two other columns on which the system is worse: search and confirmation."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.analyses.classes.classes import ClassTable
from evalcore.analyses.data import RowSelection, Source, literal, script
from evalcore.inference import LEAST_SLICE, MOST_PAIRED, SliceSearch, WorseSlice, worse_slices
from evalcore.numeric import rows_counted
from evalcore.readers import Filter, SliceColumn, slice_columns, weighting
from evalcore.registry import MetricDef
from evalcore.wording import as_noun, count_text, level_text, measure_word, p_text, plain, share_text

__all__ = ["SLICE_MEASURES", "Slices", "search_slices", "searched_columns"]

SLICE_MEASURES = ("error_rate", "recall", "precision", "fall_out")
"""Measures by which slices are worse: shares of rows."""

_LISTED = 6


@dataclass(frozen=True, eq=False)
class Slices:
    """Slices on which the system is worse, as `search_slices` found them."""

    of_table: ClassTable
    name: str  # the class that is set against the rest, which the error rate of all classes does not need
    measure: MetricDef
    search: SliceSearch
    level: float = 0.95

    @property
    def _word(self) -> str:
        of = "" if self.measure.key == "error_rate" else f" of {as_noun(self.name, 40)}"
        return measure_word(self.measure) + of

    @property
    def verdict(self) -> str:
        """Verdict on whether some slice is worse, in Markdown; or the reason that it cannot be tested."""
        if self.of_table.current.dataset.is_counted:
            return "This needs the rows themselves, and they were counted and not loaded."
        if not searched_columns(self.of_table.current)[0]:
            return "This needs other columns that describe the rows, such as age, sex or site."
        bad, counted = _bad_rows(self.of_table, self.name, self.measure)
        if not counted.any():
            return f"The {self._word} is undefined: {self.measure.undefined_when}."
        if not (bad & counted).any() or bad[counted].all():
            value = share_text(self._value(float(bad[counted].any())))
            return f"**No, the {self._word} is {value} in every slice.**"
        if not self.search.searched:
            return (
                f"There are too few rows to compare: a slice needs at least {LEAST_SLICE} and at most three quarters "
                f"of the {self.measure.share_of} in the half that is searched, and each half needs some errors."
            )
        higher = "higher" if self.measure.best == 0 else "lower"
        if number := len(self.search.slices):
            many = "1 slice" if number == 1 else f"{count_text(number)} slices"
            return f"**Yes, the {self._word} is {higher} in {many}**, as the held-out half confirms."
        unconfirmed = {
            0: "None stood out in the half that was searched.",
            1: "One stood out in the half that was searched; the other half did not confirm it.",
        }
        several = (
            f"The {count_text(self.search.tested)} that stood out most in one half were not confirmed by the other."
        )
        reason = unconfirmed.get(self.search.tested, several)
        return f"**By {self._word}, no slice stands out beyond chance.** {reason}"

    @property
    def lines(self) -> list[str]:
        """Each slice and how much worse it is, in Markdown."""
        lines = []
        for one in self.search.slices:
            low, high = sorted(map(self._value, (one.rate.low, one.rate.high)))
            rate, rest = (share_text(self._value(value)) for value in (one.rate.estimate, one.rest))
            lines.append(
                f"**{plain(self.condition(one), 160)}** · {measure_word(self.measure)} **{rate}** "
                f":small[({100 * low:.1f}–{share_text(high)})], all others {rest} "
                f":small[:gray[· {count_text(one.total)} {self.measure.share_of} · {p_text(one.p_value)}]]"
            )
        return lines

    def condition(self, one: WorseSlice) -> str:
        """Condition on the rows of a slice. Contains names from the file: escape them."""
        return _condition(self.steps(one))

    def steps(self, one: WorseSlice) -> tuple[Filter, ...]:
        """The filters that keep the rows of a slice."""
        columns, _ = searched_columns(self.of_table.current)
        return tuple(columns[column].filters[place] for column, place in one.parts)

    def selection(self, *texts: str) -> RowSelection | None:
        """The rows that filters of searched columns keep, given as their texts; None where there is no such filter."""
        source = self.of_table.current
        known = {step.to_text(): step for column in searched_columns(source)[0] for step in column.filters}
        if not texts or not known.keys() >= {*texts}:
            return None
        steps = tuple(map(known.__getitem__, texts))
        rows = np.flatnonzero(np.logical_and.reduce([step.mask(source.frame) for step in steps]))
        name, columns = plain(_condition(steps), 160), [step.column for step in steps]
        return RowSelection.called(name, source, rows, *columns, known=steps)

    @property
    def note(self) -> str:
        """Note on the slices searched and on the test, in Markdown."""
        source = self.of_table.current
        columns, others = searched_columns(source)
        if not self.search.searched:
            return _left_out(others)
        searched, several = count_text(self.search.searched), count_text(len(columns))
        of = "one column" if len(columns) == 1 else f"one or two of {several} columns"
        if len(columns) > MOST_PAIRED:
            of += f" (two of the {MOST_PAIRED} whose own slices are worst)"
        half = f"one half of the {source.units}; the split depends on the file alone."
        sentences = [f"{searched} slices of {of} were searched in {half}"]
        if self.search.slices:
            test = "Fisher's one-sided test"
            test = f"a one-sided t test of whole {source.cluster_words}" if source.clusters else test
            sentences.append(
                "Rates and p come from the other half. Rates are shrunk towards the rate of all rows, with "
                f"{level_text(self.level)} intervals; p is from {test} against all other rows (for slices of two "
                f"columns, also against the rest of each), corrected by Holm (tests: {self.search.tested})."
            )
        if weighting(source.dataset) is not None:
            sentences.append("Weights count by the effective number of rows (Kish).")
        return " ".join(filter(None, [*sentences, _left_out(others)]))

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per slice, unrounded."""
        found, label = self.search.slices, self.measure.label
        ends = [sorted(map(self._value, (one.rate.low, one.rate.high))) for one in found]
        return {
            "slice": [self.condition(one) for one in found],
            self.measure.share_of: [one.total for one in found],
            "held out": [one.rows for one in found],
            f"{label} held out": [self._value(one.bad / one.rows) for one in found],
            label: [self._value(one.rate.estimate) for one in found],
            f"{label} low": [low for low, _ in ends],
            f"{label} high": [high for _, high in ends],
            f"{label} of all others": [self._value(one.rest) for one in found],
            "p (Holm)": [one.p_value for one in found],
        }

    @property
    def code(self) -> str:
        """Python that finds the same slices."""
        table, measure = self.of_table, f"METRICS[{self.measure.key!r}]"
        source = table.current
        pairs = f"LabelPairs.of(source, {table.prediction!r})"
        if table.at is not None:
            pairs = f"LabelPairs.at(Scores.of(source, {table.at[0].system!r}), {literal(float(table.at[1]))})"
        return script(
            source.code,
            f"source = Source.of(data, {source.system!r})",
            f"table = ClassTable.of(source, {table.prediction!r}, {pairs}, {table.merged_lists!r})",
            f"seed = {_seed(table)}  # draws the two halves",
            f"search = search_slices(table, {self.name!r}, {measure}, {self.level!r}, seed)",
            f"slices = Slices(table, {self.name!r}, {measure}, search, {self.level!r})",
            f"assert slices.table['slice'] == {self.table['slice']!r}",
            "print(slices.verdict, slices.table)",
        )

    def _value(self, bad: float) -> float:
        """Value of the measure for a given share of bad rows."""
        return bad if self.measure.best == 0 else 1 - bad


def _condition(steps: Iterable[Filter]) -> str:
    return " and ".join(step.condition for step in steps)


def searched_columns(source: Source) -> tuple[tuple[SliceColumn, ...], tuple[str, ...]]:
    """Columns to search for slices, and names of the columns left out; none if rows are counted.

    Halves of lines that stand for many rows are no halves of the rows.
    """
    return ((), ()) if source.dataset.is_counted else slice_columns(source.dataset)


def search_slices(
    table: ClassTable, name: str, measure: MetricDef, level: float = 0.95, seed: int | None = None
) -> SliceSearch:
    """Search the slices of all other columns on which a measure is worse; see `worse_slices`.

    The measure is one of `SLICE_MEASURES`: that of a class against the rest, or the error rate of all classes. By
    default the content of the data set draws the halves, so that the same file always gives the same slices.
    """
    pairs, (columns, _) = table.rows, searched_columns(table.current)
    kind = weighting(table.current.dataset)
    whole = kind is None or kind.are == "counts"
    # The halves are halves of the rows, also of those that one row counts.
    rows = rows_counted(pairs.weights) if whole else None
    bad, counted = _bad_rows(table, name, measure)
    every = slice(None) if rows is None else rows
    clusters = pairs.clusters[every] if table.current.clusters and pairs.clusters is not None else None
    return worse_slices(
        [column.codes[every] for column in columns],
        [column.members for column in columns],
        bad[every],
        counted[every],
        pairs.weights if rows is None else None,
        whole=whole,
        seed=_seed(table) if seed is None else seed,
        level=level,
        clusters=clusters,
    )


def _bad_rows(table: ClassTable, name: str, measure: MetricDef) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the rows that worsen the measure and of the rows that it is computed on."""
    actual, predicted = table.coded
    used = actual >= 0
    if measure.key == "error_rate":
        return actual != predicted, used
    place = table.classes.index(name)
    actual, predicted = actual == place, predicted == place
    cells = {"tp": actual & predicted, "fn": actual & ~predicted, "fp": ~actual & predicted, "tn": ~actual & ~predicted}
    below, above = measure.denominator, measure.numerator
    counted, good = (np.logical_or.reduce([cells[cell] for cell in side]) for side in (below, above))
    return good if measure.best == 0 else ~good, counted & used


def _seed(table: ClassTable) -> int:
    return int.from_bytes(hashlib.blake2b(table.current.dataset.digest.encode(), digest_size=6).digest())


def _left_out(names: tuple[str, ...]) -> str:
    """The columns that were not searched, in Markdown."""
    if not names:
        return ""
    more = f" and {count_text(len(names) - _LISTED)} more" if len(names) > _LISTED else ""
    listed = ", ".join(plain(name, 30) for name in names[:_LISTED])
    return f"Not searched, because they name rows or hardly vary: {listed}{more}."
