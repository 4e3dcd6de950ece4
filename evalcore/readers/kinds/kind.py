"""A row of the table of kinds, and which columns can play a part when the kind is changed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from evalcore.readers.base import Column, Columns, Finding, listed, named, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.shapes import recognition
from evalcore.readers.shapes.label_columns import RULES, SYSTEMS, TRUTHS, parts_by_name
from evalcore.readers.table.findings import codes_among_numbers
from evalcore.readers.table.table import Part, Roles, RowRoles, Table, part
from evalcore.registry.pages import PAGES
from evalcore.wording.numbers import count_text, number_text, rows_text

__all__ = ["UNKNOWN", "Kind", "UnknownRoles"]

MOST_SYSTEMS = 500  # how many systems can be chosen where each row may name another; pages list them in every run


def unlisted_systems(count: int) -> Iterator[Finding]:
    """A finding about systems that cannot be chosen, from how many the table names."""
    if count > MOST_SYSTEMS:
        sentence = f"The table names {count_text(count)} systems; only the first {MOST_SYSTEMS} can be chosen. Open "
        sentence += "the rows of the others as a file of their own."
        yield Finding("warning", sentence, count - MOST_SYSTEMS, code="many systems")


def states(*functions: Callable[..., Any], **others: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Functions of a table by the names of the methods of `DataSet`, which are theirs or given."""
    return {function.__name__: function for function in functions} | others


@dataclass(frozen=True)
class Kind:
    """A kind of table."""

    title: str  # what such a table holds, within a sentence
    needs: str  # its columns in words
    roles: type[Roles]  # which parts there are and which are needed
    # Which methods `DataSet` has for it, each as a function of the table.
    states: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    findings: tuple[Callable[[Table[Any], Columns], Iterator[Finding]], ...] = ()
    systems: Callable[[Table[Any]], tuple[str, ...]] = lambda table: ()
    # Number of cases, and of actual positives (or None), for a system.
    tally: Callable[[Table[Any], str | None], tuple[int, int | None]] = lambda table, system: (len(table), None)
    # The likely parts for a table that had another kind.
    assign: "Callable[[Candidates], dict[str, Any]]" = lambda candidates: {}
    # What plays each part, found in the columns of a file; empty where it is no such table.
    recognise: Callable[[Columns], dict[str, Any]] = lambda columns: {}
    unit: tuple[str, str] = ("row", "rows")  # the word for one case and for several
    system: str = "system"  # the word for a system, "class" or "label"

    @property
    def name(self) -> str:
        """The name of the kind in catalogues and stored data sets."""
        return self.roles.kind

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages that can show it, by section and name, in the order in which they are offered."""
        places = {page.name: page.kinds[self.name] for page in PAGES.values() if self.name in page.kinds}
        return tuple(sorted(places, key=lambda page: places[page]))

    @property
    def parts(self) -> dict[str, Part]:
        """The parts by name, those of every table of rows last."""
        own = {field.name: field.metadata["part"] for field in fields(self.roles) if "part" in field.metadata}
        return dict(sorted(own.items(), key=lambda item: item[0] in ("weight", "group", "cluster")))


class Candidates:
    """The columns of a table and the parts they play now, to guess those of another kind by values and names."""

    def __init__(self, parts: Mapping[str, Any], frame: pd.DataFrame) -> None:
        self.parts, self.columns = parts, Columns(frame)
        self.beside = {name: parts.get(name) for name in ("weight", "weights_are", "group", "cluster")}
        values = {name: value for name, value in parts.items() if name in TRUTHS | SYSTEMS}
        lists = {name: value if isinstance(value, (tuple, list)) else (value,) for name, value in values.items()}
        # of a class with its column, the column comes first
        self._playing = {
            one if isinstance(one, str) else one[0]: name for name, several in lists.items() for one in several if one
        }

    def fitting(
        self, part: str, *used: str | None, alike: Callable[[Column], bool] = lambda column: True
    ) -> tuple[str, ...]:
        """Columns of a similar part now or by name; else the only one that looks so, and is alike what is known."""
        fits = {column: self._fit(column, part) for column in self.columns if column.name not in used}
        fits = {one.name: fit for one, fit in fits.items() if fit > _LOOKS or (fit and alike(one))}
        fits = {name: fit for name, fit in fits.items() if name not in self.beside.values()} or fits
        best = tuple(name for name, fit in fits.items() if fit == max(fits.values()))
        return () if len(best) > 1 and fits[best[0]] == _LOOKS else best

    def one(self, part: str, *used: str | None) -> str | None:
        """First column that can play a part (of truths the one most surely named so); None if none can."""
        orders = {name: names.actual_order(name) for name in self.fitting(part, *used)}
        return min(orders, key=lambda name: orders[name] or 0, default=None)

    def _fit(self, column: Column, part: str) -> int:
        """Rate how well a column can play a part; 0 if it cannot."""
        rule, playing = RULES[part], self._playing.get(column.name)
        if not rule.can(column):
            return 0
        if playing == part or (part in TRUTHS and playing in TRUTHS):
            return _LOOKS + 3
        if part in SYSTEMS and playing in SYSTEMS:
            return _LOOKS + 2 if rule.looks(column) else _LOOKS - 1
        if (possible := parts_by_name(column)) is not None:
            return _LOOKS + 1 if part in possible else 0
        return _LOOKS if rule.looks(column) and playing is None else 0


_LOOKS = 2  # how well a column fits that only its values recommend


_MOST_COLUMNS, _MOST_VALUES = 10, 4


@dataclass(frozen=True, kw_only=True)
class UnknownRoles(RowRoles):
    """Parts that make no kind of table yet, nor the one that was asked for; `chosen` has the parts of other kinds."""

    kind = "unknown"
    asked: str | None = part("choice", default=None)
    chosen: tuple[tuple[str, Any], ...] = ()

    @property
    def parts(self) -> dict[str, Any]:
        """Return the given columns and values by the name of their part."""
        own = super().parts
        own.pop("chosen", None)
        return own | dict(self.chosen)

    def get(self, part: str, default: Any = None) -> Any:
        """Return the column or value of a part."""
        return self.parts.get(part, default)


def unknown_findings(table: Table[UnknownRoles], columns: Columns) -> Iterator[Finding]:
    """Say what was looked for, what each column holds, and what to change; codes of missing values may be why."""
    yield from codes_among_numbers(table, [column for column in columns if column.is_number])
    # of others, `open_findings` and `recognition_findings` tell
    if table.roles.asked is None and not any(map(recognition.is_answer, columns)):
        yield _no_roles(table, columns)
    contents = [f"{named(column.name)} ({_content_of(column)})" for column in islice(columns, _MOST_COLUMNS)]
    more = f" and {count_text(columns.count - len(contents))} more" if columns.count > len(contents) else ""
    yield Finding("info", f"The columns: {', '.join(contents)}{more}.", columns.count, code="no roles")


def _no_roles(table: Table[UnknownRoles], columns: Columns) -> Finding:
    """Say why no kind of table was recognized, from what the columns seem to hold."""
    level, count, about = "warning", len(table), None
    actual = table.roles.get("actual")
    if measures := recognition.measure_columns(columns):
        count, about = len(measures), measures[0]
        sentence = f"This table holds measures ({listed(measures)}) of {rows_text(len(table))}, not what they were "
        sentence += "computed from: labels with predictions or scores, or counts. If you have TP, FP, FN and TN of "
        sentence += "each system, open them as a table, or type them into the matrix on the Confusion page."
    elif duel := recognition.duel_columns(columns):
        sentence, about = _duel_sentence(table, duel), duel[0]
    elif recognition.is_annotated_only(columns):
        sentence = "This is an export of Label Studio that holds what people annotated, and no prediction of a model. "
        sentence += 'Add a column "prediction", or export the project as JSON with its predictions and open that.'
    elif results := recognition.results_of_systems(columns):
        about = results[0]
        sentence = f"Column {named(results[0])} names systems, so {listed(results[1:], 3)} probably "
        sentence += f"{'holds' if len(results) == 2 else 'hold'} measures that were already computed. Open the file "
        sentence += "that they were computed from, with one row per case: its true label, and the predicted label or "
        sentence += "score of each system. TP, FP, FN and TN of each system will do, too."
    elif actual is None and columns.count == 2 and all(column.is_number for column in columns):
        level = "info"
        sentence = "The table holds two columns of numbers, neither of them called the truth: the Distributions page "
        sentence += "compares them. If one is the truth of the other, choose what the rows hold and which one it is."
    elif actual is None:
        sentence = "The columns of this table were not recognized: none holds true labels. Such a column is called "
        sentence += '"actual", "label", "y_true" or "target", or it has two values beside columns of numbers, or the '
        sentence += "same values as another column. Choose what the rows hold and the true label, or rename the column."
    else:
        about = actual
        sentence = f"The columns of this table were not recognized: {named(actual)} is the truth, but "
        if texts := [c.name for c in columns if names.is_score(c.name) and not c.is_number]:
            one = len(texts) == 1
            sentence += f"{'column' if one else 'columns'} {listed(texts, 3)} {'holds' if one else 'hold'} text, and "
            sentence += "scores are numbers. Correct the cells that are not numbers, or count them as missing."
        else:
            sentence += 'no column holds scores or predictions of it. Such a column is called "score", "p", '
            sentence += f'"y_score", "predicted" or "y_pred", or holds only labels of {named(actual)}, or numbers '
            sentence += "beside two labels. Choose it, or rename it."
    return Finding(level, sentence, count, about, code="no roles")


def _duel_sentence(table: Table[UnknownRoles], duel: list[str]) -> str:
    """Say how many rows each system wins, and what the measures of rankings need instead."""
    frame = table.frame
    if len(duel) == 2:
        first, second = (frame[name].to_numpy(float) for name in duel)
        wins = zip(duel, (first > second, second > first), strict=True)
        counts = [f"{named(name)} is higher in {rows_text(int(won.sum()))}" for name, won in wins]
        counts.append(f"both are equal in {rows_text(int((first == second).sum()))}")
    else:
        wins = frame[duel[0]].value_counts().items()
        counts = [f"{named(text_of(value))} in {rows_text(count)}" for value, count in wins]
    sentence = "This table says which of two sides won each row, as an interleaving test or a vote does "
    sentence += f"({listed(duel)}): {', '.join(counts)}. A sign test of the wins compares the sides. To measure "
    sentence += "rankings, open the run of each side together with judgments (qrels); to measure models, open their "
    return f"{sentence}predictions with the true labels."


def _content_of(column: Column) -> str:
    """Describe the values of a column in a few words."""
    if column.missing_count == len(column):
        return "empty"
    if names.is_identifier(column.name) or column.numbers_rows:
        return "names or numbers the rows"
    if column.is_number and (column.is_quantity or not column.is_few):
        finite = column.numbers[np.isfinite(column.numbers)]
        return f"numbers from {number_text(finite.min())} to {number_text(finite.max())}" if finite.size else "∞"
    if column.is_few and column.distinct <= _MOST_VALUES:
        return f"only {listed(column.texts)}" if column.distinct == 1 else listed(column.texts)
    return f"{count_text(column.distinct)} different {'numbers' if column.is_number else 'texts'}"


UNKNOWN = Kind(
    "a table without roles yet", "any", UnknownRoles, findings=(unknown_findings,), recognise=recognition.recognise_rows
)
