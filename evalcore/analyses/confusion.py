"""Confusion matrix of two classes: is this a good test?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.measure_table import has_name, measure_lines, written_formula
from evalcore.analyses.named_counts import CELLS, NamedCounts
from evalcore.analyses.rulings import Requirement, Ruling, rulings
from evalcore.analyses.script import script
from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    at_prevalence,
    negative_predictive_value,
    positive_likelihood_ratio,
    precision,
    prevalence,
    with_margin,
)
from evalcore.inference import IntervalChoice
from evalcore.numeric import ratio
from evalcore.registry import MetricDef, measures_of
from evalcore.wording import Row, as_noun, plain, share_text

__all__ = ["Confusion", "analyse_confusion", "cells_after_typing", "is_count"]

_HEADLINES = {
    ("holds", "holds"): "Good for ruling in and for ruling out.",
    ("holds", "value"): "Good for ruling out, not for ruling in.",
    ("value", "holds"): "Good for ruling in, not for ruling out.",
    ("holds", "rows"): "Good for ruling out; too few rows to tell whether it rules in.",
    ("rows", "holds"): "Good for ruling in; too few rows to tell whether it rules out.",
    ("rows", "rows"): "Too few rows to tell whether it rules in or out.",
    ("rows", "value"): "Not for ruling in; too few rows to tell whether it rules out.",
    ("value", "rows"): "Not for ruling out; too few rows to tell whether it rules in.",
    ("value", "value"): "It shifts the odds, but settles nothing by itself.",
}
"""The verdict by the status of ruling out and of ruling in."""


@dataclass(frozen=True, eq=False)
class Confusion:
    """What four counts say; `params` are those of the measures that take any: beta, costs, the risk to act from."""

    named: NamedCounts
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    params: dict[str, float] = field(default_factory=dict)
    # Prevalence, 0 … 1, that the verdict is made for; None for that of the counts.
    share: float | None = None
    requirements: Sequence[Requirement] = ()

    @property
    def counts(self) -> ConfusionCounts:
        """The four counts."""
        return self.named.counts

    @cached_property
    def measures(self) -> list[MetricDef]:
        """Every measure of counts with its parameters set, in the order of their groups."""
        return measures_of("counts", **self.params)

    def rows(self, search: str = "") -> list[Row]:
        """The measures that go by a name, as lines of a table."""
        return measure_lines([m for m in self.measures if has_name(m, search)], self.counts, self.intervals)

    @property
    def table(self) -> dict[str, list]:
        """The measures with their intervals as columns, unrounded."""
        results = [self.intervals.of(measure, self.counts) for measure in self.measures]
        return {
            "measure": [measure.name for measure in self.measures],
            "symbol": [measure.label for measure in self.measures],
            "value": [float(measure(self.counts)) for measure in self.measures],
            "low": [math.nan if one is None else float(one[0].low) for one in results],
            "high": [math.nan if one is None else float(one[0].high) for one in results],
            "n": [math.nan if one is None else one[1] for one in results],
        }

    @property
    def formulas(self) -> str:
        """Every formula with the numbers in it, in Markdown."""
        return "\n\n".join(written_formula(measure, self.counts) for measure in self.measures)

    @property
    def code(self) -> str:
        """Python that prints every measure of the counts with the same parameters."""
        cells = ", ".join(f"{key}={_number(float(getattr(self.counts, key)))}" for key in CELLS)
        return script(
            f"counts = ConfusionCounts({cells})",
            f'for measure in measures_of("counts", **{self.params!r}):',
            "    print(measure.label, float(measure(counts)))",
        )

    @property
    def verdict(self) -> str:
        """A headline and its reasons, in Markdown."""
        return f"**{self.headline}**  \n{self.reasons}"

    @cached_property
    def there(self) -> ConfusionCounts:
        """The counts to expect at the prevalence that the verdict is made for."""
        one_class = not self.counts.actual_positives or not self.counts.actual_negatives
        return self.counts if self.share is None or one_class else at_prevalence(self.counts, self.share)

    @cached_property
    def rulings(self) -> tuple[Ruling, Ruling]:
        """Whether a negative result rules out, and a positive one in."""
        return rulings(self.counts, self.requirements, self.share, self.intervals)

    @property
    def note(self) -> str:
        """Where the verdict is made for another prevalence: which parts of a page are not; else empty."""
        if self.there is self.counts:
            return ""
        own, share = (share_text(float(prevalence(counts))) for counts in (self.counts, self.there))
        return (
            f"The prevalence is moved from {own} to {share}: the verdict and the picture of {self.named.unit} follow. "
            f"The matrix, the measures and the formulas below are those of the data, at {own}."
        )

    @property
    def headline(self) -> str:
        """Whether a result rules out or rules in."""
        counts = self.counts
        if not counts.total:
            return "Nothing to judge yet."
        if not counts.actual_positives or not counts.actual_negatives:
            return "This data cannot tell."
        if not counts.predicted_positives or not counts.predicted_negatives:
            return "It always gives the same answer, so it tells nothing."
        up = float(positive_likelihood_ratio(counts))
        if up <= 1:
            return "Worse than guessing: the opposite answer would be better." if up < 1 else "No better than guessing."
        out, into = self.rulings
        if not out.beats_guessing and not into.beats_guessing:
            return "No better than guessing, as far as so few rows can tell."
        return _HEADLINES[out.status, into.status]

    @property
    def reasons(self) -> str:
        """What each of the two answers is worth, and accuracy beside always naming the larger class; in Markdown."""
        counts, named = self.counts, self.named
        if not counts.total:
            return "All four counts are 0."
        if not counts.actual_positives or not counts.actual_negatives:
            only = named.positive if counts.actual_positives else named.negative
            return f"Every row is {as_noun(only)}: there is no other class to tell it from."
        moved = "" if self.share is None else f" ({share_text(float(prevalence(counts)))} in the data)"
        before = f"Before the test, {share_text(float(prevalence(self.there)))}{moved} are {as_noun(named.positive)}."
        both = all(ruling.status != "never" for ruling in self.rulings)
        rules = [ruling.sentence for ruling in self.rulings if both]
        return " ".join([self._answers, *rules, before, self._accuracy])

    @property
    def _answers(self) -> str:
        ppv, npv = float(precision(self.there)), float(negative_predictive_value(self.there))
        positive, negative = plain(self.named.positive), plain(self.named.negative)
        yes, no = f"{'only ' if ppv < 0.5 else ''}{share_text(ppv)}", share_text(npv)
        if math.isnan(ppv):
            return f"The answer “{negative}” is right in {no} of cases; the other never occurs."
        if math.isnan(npv):
            return f"The answer “{positive}” is right in {yes} of cases; the other never occurs."
        return f"The answer “{negative}” is right in {no} of cases; “{positive}” in {yes}."

    @property
    def _accuracy(self) -> str:
        counts = self.there
        larger = np.maximum(counts.actual_positives, counts.actual_negatives)
        # One division each, so that equal shares are equal numbers.
        right, majority = float(accuracy(counts)), float(ratio(larger, counts.total))
        name = self.named.positive if counts.actual_positives > counts.actual_negatives else self.named.negative
        always = f"always answering “{plain(name)}” would reach {share_text(majority)}"
        if right < majority:
            return f"Accuracy ({share_text(right)}) misleads: {always}."
        if right == majority:
            return f"Accuracy ({share_text(right)}) tells nothing: {always} too."
        return f"Accuracy is {share_text(right)}; {always}."


def analyse_confusion(
    counts: ConfusionCounts | NamedCounts,
    intervals: IntervalChoice | None = None,
    share: float | None = None,
    requirements: Sequence[Requirement] = (),
    **params: float,
) -> Confusion:
    """What four counts say: measures with intervals, formulas and a verdict.

    Counts are of shape (); intervals are Wilson's at 95 % by default; `params` are such as ``beta=2``. The verdict is
    made for a prevalence (`share`, 0 … 1), by default that of the counts; all else is of the counts as they are.

    >>> cancer = analyse_confusion(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820))
    >>> cancer.headline
    'Good for ruling out, not for ruling in.'
    """
    named = counts if isinstance(counts, NamedCounts) else NamedCounts(counts)
    return Confusion(named, intervals or IntervalChoice(), params, share, requirements)


def cells_after_typing(counts: ConfusionCounts, typed: object) -> tuple[float, ...]:
    """The four counts when one cell or margin is typed over; empty where what was typed is no such change.

    What was typed comes from a browser, so it may be anything; it should be a dict with "cell" (a key of `CELLS` or a
    margin of `with_margin`) and "value".

    >>> cells_after_typing(ConfusionCounts(1, 2, 3, 4), {"cell": "fp", "value": "7"})
    (1.0, 7.0, 3.0, 4.0)
    """
    try:
        value, cell = float(typed["value"]), typed["cell"]  # type: ignore[index]
        changed = replace(counts, **{cell: value}) if cell in CELLS else with_margin(counts, cell, value)
    except (KeyError, TypeError, ValueError):
        return ()
    return tuple(float(getattr(changed, key)) for key in CELLS)


def is_count(value: float) -> bool:
    """Whether a number can stand in a cell: 0, or of a size whose products neither overflow nor vanish."""
    return value == 0 or 1e-9 <= value <= 1e15


def _number(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else repr(value)
