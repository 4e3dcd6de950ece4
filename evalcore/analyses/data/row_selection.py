"""Selected rows of the open table: in words, in an order, and as the filters that keep them on every page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import numpy as np

from evalcore.analyses.data.label_pairs import NamedCounts
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.source import Source
from evalcore.numeric import Array, Indices
from evalcore.readers import Filter, Numbered, Only, Range, ReadProblem, numbered_rows, sorted_order, text_of
from evalcore.readers.base import named
from evalcore.readers.base.pictures import uri_of_cell
from evalcore.wording import count_text, outcome_word, plain, range_text, rows_text, threshold_text

__all__ = ["RowSelection", "has_long_texts", "outcome_rows", "rows_between_scores", "two_numbers", "with_images"]

_MOST_VALUES, _MOST_LETTERS = 20, 2_000
_LONG = 40  # letters
_MOST_IMAGES = 4_000_000  # letters of all images that go to the browser at once


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
        """Filters that keep these rows and no others: by the values they have in common, else by their numbers.

        Raises ReadProblem where they are too many to be kept by number.
        """
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
            raise ReadProblem(
                f"No filter on the columns keeps exactly these {rows_text(len(self.rows))}, and they are too many to "
                "filter by row number. Save them as a file and open that."
            )
        return (step,)

    @property
    def no_filter_because(self) -> str | None:
        """Why these rows alone cannot be worked with, as plain text: none is of the positive class."""
        roles, positive = self.source.roles, self.source.roles.get("positive")
        names = [
            name for name in (roles.get("actual"), *roles.get("predicted", ())) if name in self.source.frame.columns
        ]
        if positive is None or not names or not len(self.rows):
            return None
        labels = [set(map(text_of, self.source.frame[name].iloc[self.rows].dropna().unique())) for name in names]
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
