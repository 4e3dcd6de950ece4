"""Shaping the open data set: selected rows with the filters that keep them, and the steps of a user's choices."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import unescape
from typing import Any

import numpy as np

from evalcore import readers
from evalcore.analyses.data.label_pairs import NamedCounts
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.source import Source
from evalcore.numeric import Array, Indices
from evalcore.readers import Filter, Numbered, Only, Range, ReadProblem, named, numbered_rows, sorted_order, text_of
from evalcore.readers.base.pictures import uri_of_cell
from evalcore.readers.base.values import Column
from evalcore.readers.table.findings import is_log_odds, is_mixed, is_percent
from evalcore.wording import count_text, many_text, one_line, outcome_word, plain, range_text, rows_text, threshold_text

__all__ = ["SHOWN_GROUPS", "ColumnValues", "RowGroups", "RowSelection", "Shaping", "has_long_texts", "offer_word"]
__all__ += ["outcome_rows", "rows_between_scores", "two_numbers", "with_images"]

_MOST_VALUES, _MOST_LETTERS = 20, 2_000
_LONG = 40  # letters
_MOST_IMAGES = 4_000_000  # letters of all images that go to the browser at once
SHOWN_GROUPS = 30  # groups that are drawn


@dataclass(frozen=True, eq=False)
class RowSelection:
    """Rows that something on a page stands for: a cell, a bar, a range of scores, a group."""

    source: Source
    words: str  # in Markdown, safe to show: "**26 missed** (FN)"
    rows: Indices  # numbers in the open table, counted from 0, in the order in which they are shown
    about: tuple[object, ...] = ()  # columns of the table that come first: what the rows share
    beside: Mapping[str, Array] = field(default_factory=dict)  # further columns, of shape (rows,)
    known: tuple[Filter, ...] = ()  # the filters that keep them, where something else found them

    @classmethod
    def called(cls, name: str, source: Source, rows: Indices, *about: object, **others: Any) -> "RowSelection":
        """Rows with their name, in Markdown, and number; score and label come after the columns they are about."""
        words = f"**{name}:** {rows_text(source.dataset.rows_behind(rows))}"
        return cls(source, words, rows, (*about, source.system, source.roles.get("actual")), **others)

    @property
    def title(self) -> str:
        """The words with a note on lines that are counts, in Markdown."""
        return self.words + self.source.lines_note

    def frame(self, by: str = "", falling: bool = False, most: int | None = None) -> Any:
        """The rows with their numbers, all sorted by a column of this frame, then the first `most` of them."""
        table, lines = self.source.frame, self.source.dataset.lines
        ordered = table[[*self._first, *(name for name in table.columns if name not in self._first)]]
        none = {name: cells[:0] for name, cells in self.beside.items()}
        heads = [*numbered_rows(ordered, self.rows[:0], lines, **none).columns]
        order = np.arange(len(self.rows))
        if by in heads:  # the numbers and what is beside come first, perhaps under names that the table left free
            ahead, place = [self.rows, *self.beside.values()], heads.index(by)
            cells = ahead[place] if place < len(ahead) else table[by].iloc[self.rows]
            order = sorted_order(cells, falling)
        order = order[:most]
        beside = {name: cells[order] for name, cells in self.beside.items()}
        return numbered_rows(ordered, self.rows[order], lines, **beside)

    def filters(self) -> tuple[Filter, ...]:
        """Filters that keep just these rows, by common values, else by number; ReadProblem for too many numbers."""
        table = self.source.frame
        steps = self.known or tuple(step for name in self._first if (step := self._values_of(name)))
        if self._is_kept_by(steps):
            for step in steps:  # one that takes nothing away is left out
                others = tuple(other for other in steps if other is not step)
                steps = others if self._is_kept_by(others) else steps
            return steps
        rows = np.sort(self.rows)
        pieces = np.count_nonzero(np.diff(rows) > 1)  # of at least two letters, and perhaps millions
        what = unescape(self.words.replace("*", ""))
        step = Numbered.of_rows(what, rows, len(table)) if pieces < _MOST_LETTERS // 2 else None
        if step is None or len(step.to_text()) > _MOST_LETTERS:
            sentence = f"No filter on the columns keeps exactly these {rows_text(len(self.rows))}, and they are too "
            raise ReadProblem(f"{sentence}many to filter by row number. Save them as a file and open that.")
        return (step,)

    @property
    def no_filter_because(self) -> str | None:
        """Why these rows alone cannot be worked with, as plain text: none is of the positive class."""
        roles, positive = self.source.roles, self.source.roles.get("positive")
        frame, columns = self.source.frame, (roles.get("actual"), *roles.get("predicted", ()))
        names = [name for name in columns if name in frame.columns]
        if positive is None or not names or not len(self.rows):
            return None
        labels = [set(map(text_of, frame[name].iloc[self.rows].dropna().unique())) for name in names]
        is_left = len(labels[0]) > 1 or any(text_of(positive) in texts for texts in labels)
        return None if is_left else f"No row of the positive class {named(text_of(positive))} would be left."

    def _is_kept_by(self, steps: tuple[Filter, ...]) -> bool:
        masks = [step.mask(self.source.frame) for step in steps]
        return bool(steps) and np.array_equal(np.flatnonzero(np.logical_and.reduce(masks)), np.sort(self.rows))

    @property
    def _first(self) -> list[str]:
        columns = self.source.frame.columns
        return [name for name in dict.fromkeys(self.about) if isinstance(name, str) and name in columns]

    def _values_of(self, name: str) -> Filter | None:
        """The filter of the values that the rows have in a column: a range of numbers, or a few labels."""
        cells = self.source.frame[name].iloc[self.rows]
        texts = tuple(map(text_of, cells.dropna().unique()[: _MOST_VALUES + 1]))
        labels = self.source.roles.get("actual"), *self.source.roles.get("predicted", ())
        if cells.dtype.kind in "iuf" and name not in labels and len(texts):
            return Range(name, float(cells.min()), float(cells.max()))
        return Only(name, texts) if 0 < len(texts) <= _MOST_VALUES else None


def with_images(frame: Any) -> tuple[Any, list[str]]:
    """The frame with images as data URIs that are safe to show, behind its first column, and the names of theirs."""
    images = {}
    for name, cells in frame.items():
        first = cells.dropna().head(1)
        if len(first) and isinstance(first.iloc[0], str) and uri_of_cell(first.iloc[0]):
            uris, left = [], _MOST_IMAGES
            for cell in cells:
                uri = uri_of_cell(cell) if isinstance(cell, str) else ""
                left -= len(uri)
                uris.append(uri if left >= 0 else "")
            images[name] = uris
    others = [name for name in frame.columns[1:] if name not in images]
    return frame.assign(**images)[[frame.columns[0], *images, *others]], [*images]


def has_long_texts(frame: Any) -> bool:
    """Whether a column holds texts that take several lines beside others."""
    texts = (cells.dropna().head(50).astype(str) for _, cells in frame.items() if cells.dtype.kind not in "iufb")
    return any(bool((cells.str.len() > _LONG).any()) for cells in texts)


def two_numbers(texts: tuple[str, ...] | None) -> tuple[float, float] | None:
    """Two numbers of a link, the lower first; None if they are none."""
    try:
        low, high = map(float, texts or ())
    except ValueError:
        return None
    return (low, high) if low <= high else None


def outcome_rows(source: Source, counted: NamedCounts, cell: str) -> RowSelection:
    """The rows of one of the four outcomes, "tp", "fp", "fn" or "tn"; for counts that have rows behind them."""
    rows = counted.rows_by_outcome()[cell]
    count = source.dataset.rows_behind(rows)
    words = f"**{count_text(count)} {outcome_word(cell, count)}** ({cell.upper()})"
    return RowSelection(source, words, rows, (source.system, source.roles.get("actual")))


def rows_between_scores(scores: Scores, low: float, high: float) -> RowSelection:
    """The rows with a label whose score lies between two, both included."""
    source, arrays = scores.current, scores.current.dataset.scored_arrays(scores.system)
    rows = np.flatnonzero(arrays.complete)[(arrays.scores >= low) & (arrays.scores <= high)]
    span = threshold_text(low) if low == high else range_text(threshold_text(low), threshold_text(high))
    return RowSelection.called(f"Score{'' if low == high else 's'} {plain(span)}", source, rows)


class RowGroups:
    """Largest groups of given rows, by the group column of a data set. Raises ReadProblem without several groups."""

    def __init__(self, source: Source, rows: np.ndarray) -> None:
        if (column := source.roles.get("group")) is None:
            raise ReadProblem("No column says which group a row belongs to.")
        self._codes, texts = readers.group_codes(source.frame[column].iloc[rows])
        counted = source.dataset.is_counted or readers.each_counts_alike(source.dataset)
        weight = source.roles.get("weight") if counted else None
        weights = None if weight is None else source.frame[weight].to_numpy()[rows]
        counts = np.bincount(self._codes, weights, minlength=len(texts))
        check_groups(column, int(np.count_nonzero(counts)))
        self._source, self._rows = source, rows
        largest = np.argsort(-counts, kind="stable")[:SHOWN_GROUPS]
        self._places = {texts[place]: place for place in largest.tolist() if counts[place]}
        self.names = group_order(tuple(self._places))
        self.left_out = int(np.count_nonzero(counts)) - len(self.names)
        self.column = readers.named(column)

    def mask(self, name: str) -> np.ndarray:
        """Mask of the rows in a group."""
        return self._codes == self._places[name]

    @property
    def left_out_note(self) -> str:
        """Note on the groups that are not shown, after a blank; else empty."""
        many = f"{many_text(self.left_out, 'smaller group')} {'is' if self.left_out == 1 else 'are'}"
        return f" {many} not shown." if self.left_out else ""

    def selection(self, place: int) -> RowSelection:
        """The rows of a group, by its place among the names."""
        source, rows = self._source, self._rows[self.mask(self.names[place])]
        return RowSelection.called(plain(self.names[place], 60), source, rows, source.roles.get("group"))


def check_groups(column: str, groups: int) -> None:
    """Raise ReadProblem for a single group."""
    if groups == 1:
        raise ReadProblem(f"All rows have the same {one_line(column, 40)}; there is nothing to compare.")


def group_order(names: Sequence[str]) -> list[str]:
    """Groups in order of their numbers if they are all bands of a number, else unchanged.

    >>> group_order(["60+", "40-59", "(no group)", "<40"])
    ['<40', '40-59', '60+', '(no group)']
    """
    bands = readers.in_bands(name for name in names if name != readers.NO_GROUP) if len(names) <= SHOWN_GROUPS else None
    return [*bands, *(name for name in names if name == readers.NO_GROUP)] if bands else list(names)


_MOST_LISTED = 500
_MOST_TO_TICK = 12

_ACTIONS = {
    "merge": "Merge them", "exclude": "Count as missing", "leave": "Leave them out", "wide": "One row per case",
    "toward": "Convert to probability", "onehot": "Read as classes", "softmax": "Convert logits",
    "ranked": "Read as rankings", "answers": "Read as correct or wrong",
}  # fmt: skip

_ROLE_OFFERS = {
    "cluster": "Rows belong to", "queries together": "Queries belong to", "weight": "Weight rows by",
    "group": "Count by", "actual": "The label is", "rows_are": "Rows are",
}  # fmt: skip

_WAYS = {
    "percent": "Divide by 100", "logistic": "Convert log-odds", "mixed": "Divide those above 1 by 100",
    "opposite": "Reverse the scores",
}  # fmt: skip


@dataclass(frozen=True)
class ColumnValues:
    """Most frequent values of a column as texts (bands of a number in order), and the range of its numbers or dates."""

    texts: tuple[str, ...]
    counts: tuple[int, ...]
    lowest: float | date | None
    highest: float | date | None
    missing: int

    @property
    def is_range(self) -> bool:
        """Whether a filter takes limits, because the column has too many numbers to tick."""
        return self.lowest is not None and len(self.texts) > _MOST_TO_TICK


@dataclass(frozen=True, eq=False)
class Shaping:
    """The open data set with the changes that can be made to its table."""

    source: Source

    @property
    def label_columns(self) -> tuple[str, ...]:
        """The columns that share their labels: the truth and all predictions."""
        roles = self.source.roles
        actual = roles.get("actual")
        return () if actual is None else (actual, *roles.get("predicted", ()))

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that can be renamed, merged or dropped, as texts; of labels the most frequent 500."""
        data, roles = self.source.dataset, self.source.roles
        if isinstance(roles, readers.CountRoles):
            return roles.counts if data.is_matrix else ()

        def classes() -> tuple[str, ...]:
            counts: Counter[str] = Counter()
            for name in self.label_columns:
                for value, count in data.value_counts(name).iloc[:_MOST_LISTED].items():
                    counts[readers.text_of(value)] += int(count)
            return tuple(group_order(sorted(counts, key=lambda text: (-counts[text], text))[:_MOST_LISTED]))

        return data.once("classes in use", None, classes) if self.label_columns else ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems that can be renamed: score columns, and names in a system column."""
        return tuple(system for system in self.source.systems if self.rename_system(system, "x"))

    @property
    def score_columns(self) -> tuple[str, ...]:
        """The columns that can be scaled."""
        roles = self.source.roles
        return roles.get("score", ()) or tuple(column for column, _ in roles.get("probability", ()))

    def scalings(self) -> dict[str, tuple[readers.Step, ...]]:
        """Steps that turn the open scores into probabilities, by key of `SCALES`; each for all columns that fit."""
        columns = [Column(name, self.source.frame[name]) for name in self.score_columns]
        fitting = {
            "percent": [column.name for column in columns if is_percent(column) and not is_mixed(column)],
            "logistic": [column.name for column in columns if is_log_odds(column.numbers)],
        }
        fitting = {way: tuple(names) for way, names in fitting.items() if self.source.system in names}
        return {way: (readers.Scale(names, way),) for way, names in fitting.items()}

    def rename_system(self, system: str, to: str) -> tuple[readers.Step, ...]:
        """Step that renames a system; none if it has no name in the table."""
        frame, roles = self.source.frame, self.source.roles
        if system in frame.columns:
            return (readers.Rename(system, to),)
        naming = roles.get("system") or roles.get("group")
        if naming is None or not readers.holds(frame[naming], [system]).any():
            return ()
        return (readers.Merge((naming,), (system,), to),)

    def merge(self, classes: list[str], into: str) -> tuple[readers.Step, ...]:
        """Step that merges classes, or renames one. Probabilities of merged classes are added."""
        roles = self.source.roles
        if isinstance(roles, readers.CountRoles):
            return (readers.Cells(roles.group or "", roles.rows_are, tuple(classes), into),)
        others = tuple(text for text in classes if text != into)
        steps: list[readers.Step] = [readers.Merge(self.label_columns, others, into)] if others else []
        columns = [(column, text) for column, text in roles.get("probability", ()) if text in {*classes, into}]
        if len(columns) > 1:
            first, text = columns[0]
            name = first.replace(text, into) if text in first else into
            steps.append(readers.Add(tuple(column for column, _ in columns), name))
        return tuple(steps)

    def drop(self, classes: list[str]) -> tuple[readers.Step, ...]:
        """Step that drops the rows of some classes. Rows of other classes predicted as one of them remain errors."""
        roles = self.source.roles
        if isinstance(roles, readers.CountRoles):
            return (readers.Cells(roles.group or "", roles.rows_are, tuple(classes), ""),)
        return (readers.Leave(self.label_columns[0], tuple(classes)),)

    def values(self, column: str) -> ColumnValues:
        """Values of a column, as a filter offers them."""
        values = self.source.frame[column]
        counts = self.source.dataset.value_counts(column).iloc[:_MOST_LISTED]
        texts = [readers.text_of(value) for value in counts.index]
        place = {text: index for index, text in enumerate(group_order(texts))}
        shown = sorted(zip(texts, map(int, counts), strict=True), key=lambda pair: place[pair[0]])
        lowest = highest = None
        if values.dtype.kind in "iuf" and len(counts):
            numbers = values.to_numpy(np.float64, na_value=np.nan)
            lowest, highest = float(np.nanmin(numbers)), float(np.nanmax(numbers))
        elif (days := readers.days_in(values)) is not None:
            lowest, highest = np.nanmin(days).item(), np.nanmax(days).item()
        texts, rows = zip(*shown, strict=True) if shown else ((), ())
        return ColumnValues(texts, rows, lowest, highest, int(values.isna().sum()))

    def within(
        self, column: str, lowest: float | date | None, highest: float | date | None
    ) -> tuple[readers.Step, ...]:
        """Step that keeps the rows with a number or a date within limits, both included; None leaves one open."""
        if isinstance(lowest, date) or isinstance(highest, date):
            return (readers.Days(column, *("" if limit is None else str(limit) for limit in (lowest, highest))),)
        return (readers.Range(column, *(np.nan if limit is None else limit for limit in (lowest, highest))),)

    def exclude(self, column: str, texts: list[str]) -> tuple[readers.Step, ...]:
        """Step that counts these values as missing; labels in the truth and all predictions."""
        return (readers.Exclude(self.label_columns if column in self.label_columns else (column,), tuple(texts)),)

    def roles_after(self, steps: tuple[readers.Step, ...], shaped: readers.DataSet) -> str | None:
        """Chosen roles as text after further steps; None if the detected roles suffice."""
        if self.source.detected_roles is None or self.source.roles == self.source.detected_roles:
            return None
        roles = self.source.roles
        for step in steps:
            roles = readers.renamed_roles(roles, step.names, step.labels)
        try:
            chosen = shaped.with_roles(roles.to_text())
        except readers.ReadProblem:  # a column or label is gone
            return None
        return None if chosen.roles == shaped.roles else roles.to_text()

    def system_after(self, steps: tuple[readers.Step, ...]) -> str | None:
        """Name of the open system after further steps."""
        system = self.source.system
        for step in steps:
            system = step.names.get(system or "", step.labels.get(system or "", system or "")) or None
        return system


def offer_word(finding: readers.Finding, answer: str | None = None) -> str:
    """Label of the button that settles a finding (with one of its answers), in Markdown; empty if no click does.

    >>> offer_word(readers.Finding("info", "Yes and yes.", 2, action="merge~truth~Yes~yes"))
    'Merge them'
    >>> offer_word(readers.Finding("info", "10 rows each.", 60, "patient", role="cluster"))
    'Rows belong to patient'
    """
    if finding.columns:
        return "Read it as a system" if finding.count == 1 else "Read them as systems"
    if finding.role is not None and finding.column is not None:
        return f"{_ROLE_OFFERS.get(finding.code) or _ROLE_OFFERS[finding.role]} {plain(finding.column, 30)}"
    if finding.action is None:
        return ""
    step, *others = readers.Shape.from_text(answer or finding.action).steps
    if finding.code == "anomalies":
        merged = [each.into for each in (step, *others) if isinstance(each, readers.Merge) and each.values == ("-1",)]
        return "−1 is the anomaly" if isinstance(step, readers.Scale) else f"−1 is {plain(merged[0], 30)}"
    if isinstance(step, readers.Marks):
        return step.way.split()[-1].capitalize()
    return _WAYS[step.way] if isinstance(step, readers.Scale) else _ACTIONS.get(step.word, "Apply")
