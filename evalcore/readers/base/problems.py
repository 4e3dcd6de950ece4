"""Messages of readers: the problem that refuses a file, and the findings about one that opens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import SupportsInt

import numpy as np

from evalcore.wording.numbers import count_text, rows_text

__all__ = ["CONCERNS", "Finding", "HalfMissing", "KeysNeeded", "ReadProblem", "named"]


LEVELS = ("error", "warning", "info")

_LONGEST_NAME = 60


class ReadProblem(ValueError):
    """A file, a choice of roles or a stored data set is refused, in a sentence that says why and what to do."""


class HalfMissing(ReadProblem):
    """Runs without judgments, or judgments without a run; the files can wait for the others."""


class KeysNeeded(ReadProblem):
    """Two tables whose columns of ids must be chosen by hand; `columns` has the names of those of each table."""

    def __init__(self, sentence: str, columns: Mapping[str, Sequence[str]]) -> None:
        super().__init__(sentence, columns)
        self.columns = columns

    def __str__(self) -> str:
        return self.args[0]


class TooLarge(ReadProblem):
    """A file exceeds the limit of bytes."""


@dataclass(frozen=True)
class Finding:
    """A fact to know about a data set before trusting its numbers.

    An error makes numbers wrong or impossible, a warning makes them doubtful, an info explains a decision. The sentence
    names the column and the first line, and says what to do; it may contain names from the file: escape them. The count
    is the number of rows (or columns) that it is about. The action is the text of the steps (see `Shape`) that would
    settle it, the role the part that its column would play to settle it, where there are such. A finding that asks
    which of two readings is right has the steps of the other one too. The code stays the same when the sentence
    changes, and tells which pages show numbers that the finding changes (`evalcore.readers.base.problems`).

    Raises
    ------
    ValueError
        If the level is not one of the three.

    Examples
    --------
    >>> Finding("info", "3 rows occur twice.", 3).level
    'info'
    """

    level: str
    sentence: str
    count: int
    column: str | None = None
    action: str | None = None
    code: str = ""
    role: str | None = None
    other: str | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """Texts of the steps that would settle the finding, one for each answer."""
        return tuple(steps for steps in (self.action, self.other) if steps is not None)

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f'a finding has level "error", "warning" or "info", not "{self.level}"')


@dataclass(frozen=True)
class Origin:
    """Position of a table in its file, if there is a choice: the sheet, and the lines above the header.

    Parameters
    ----------
    sheets : tuple of str
        The titles of the sheets that hold a table; empty where a file has no sheets.
    sheet : str, optional
        The one that was read.
    header : int
        The line or row that names the columns, 0 without one.
    chosen : tuple of str
        Arguments "sheet" and "header" that the caller set.
    is_usual : bool
        Whether the file is one table below its names, so that hardly anybody would choose otherwise.
    """

    sheets: tuple[str, ...] = ()
    sheet: str | None = None
    header: int = 1
    chosen: tuple[str, ...] = ()
    is_usual: bool = False

    def arguments(self) -> dict[str, str | int | None]:
        """Arguments of `read_table` that read this table again, without those it chooses itself."""
        return {name: value for name, value in vars(self).items() if name in self.chosen}


@dataclass(frozen=True)
class Lines:
    """Row numbers as users see them: as in the file, where the header is line 1.

    A table that was filtered has some rows of the file (counted from 0), shape (rows,). The origin is None where the
    file leaves no choice of sheet or header.
    """

    first: int = 2
    word: str = "line"
    origin: Origin | None = None
    rows: np.ndarray | None = field(default=None, compare=False, repr=False)

    def at(self, index: SupportsInt) -> str:
        """The name of a row, from its index (from 0)."""
        return f"{self.word} {count_text(int(self.numbers(np.array([int(index)]))[0]))}"

    def numbers(self, rows: np.ndarray) -> np.ndarray:
        """The numbers of rows, from their indices (from 0).

        >>> Lines().of(np.array([0, 5, 9])).numbers(np.array([1, 2]))
        array([ 7, 11])
        """
        return self.first + (rows if self.rows is None else self.rows[rows])

    def of(self, rows: np.ndarray) -> Lines:
        """Return the line numbers of a table that keeps only these rows."""
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    def among(self, rows: np.ndarray) -> str:
        """Return the number of some rows (at least one), and the first of them."""
        return f"{rows_text(int(rows.sum()))} (first: {self.at(rows.argmax())})"


def named(name: object) -> str:
    """The name of a column, value or file in quotes, shortened if it is long.

    >>> named("score")
    '"score"'
    >>> len(named("x" * 500))
    62
    """
    text = " ".join(str(name).split())
    if len(text) > _LONGEST_NAME:
        text = text[: _LONGEST_NAME - 1] + "…"
    return f'"{text}"'


def listed(names: Iterable[object], most: int = 5) -> str:
    """Several names in quotes, the rest as a count."""
    names = list(names)
    shown = ", ".join(named(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {count_text(len(names) - most)} more"


def few(findings: list[Finding], most: int, rest: str) -> list[Finding]:
    """The findings, or only the first, with a sentence on the rest, if there are too many to read."""
    if len(findings) <= most:
        return findings
    first = findings[0]
    return [replace(first, sentence=f"{first.sentence} {rest}", count=len(findings))]


_SCORES = ("classify/threshold", "classify/curves")

_ANSWERS = ("classify/confusion", "classify/classes", "classify/compare")

_PROBABILITIES = ("classify/probabilities",)

_LABELS = ("classify/multilabel",)

_CLASSIFY = (*_SCORES, *_ANSWERS, *_PROBABILITIES, *_LABELS)

_RETRIEVE = ("retrieve/sets", "retrieve/ranking", "retrieve/graded", "retrieve/compare")

_ROWS = (*_CLASSIFY, "estimate/regression")

CONCERNS: dict[str, tuple[str, ...]] = {
    "anomalies": (*_SCORES, *_ANSWERS),
    "answers": _ANSWERS,
    "another unit": ("estimate/regression",),
    "bad counts": _ANSWERS,
    "bad labels": _LABELS,
    "bad weights": _ROWS,
    "censored": (),
    "class without probability": _PROBABILITIES,
    "class without rows": (),
    "codes": _ROWS,
    "confidence": _SCORES,
    "country codes": (),
    "copied truth": ("estimate/regression",),
    "copies": _ROWS,
    "counted rows": (),
    "decimal commas": (),
    "different rows": ("classify/compare",),
    "differing values": _ROWS,
    "direction": (),
    "encoding": (),
    "equal numbers": ("estimate/regression",),
    "equal scores": (*_SCORES, "classify/compare", *_LABELS, *_RETRIEVE),
    "faces": (),
    "few heavy clusters": _ROWS,
    "first rows": _ROWS,
    "footer": (),
    "fractions": _ANSWERS,
    "guessed truth": (),
    "header rows": (),
    "infinite": _RETRIEVE,
    "joined": (),
    "label without rows": (*_SCORES, *_LABELS),
    "left-out column": (),
    "logits": _SCORES,
    "long": (*_SCORES, *_ANSWERS),
    "many classes": _SCORES,
    "many systems": (),
    "margins": (),
    "marked numbers": (),
    "marks": _ROWS,
    "masks of different sizes": ("estimate/overlap",),
    "masks without partner": ("estimate/overlap",),
    "matrix rows": (),
    "missing counts": _ANSWERS,
    "missing": _RETRIEVE,
    "mixed column": (),
    "mixed scales": (*_SCORES, *_PROBABILITIES),
    "negative numbers": (),
    "no common label": _ANSWERS,
    "no counts": _ANSWERS,
    "no faces": (),
    "no grades": _RETRIEVE,
    "no group": (*_SCORES, "classify/classes", "classify/compare"),
    "no header": _ROWS,
    "no label": _CLASSIFY,
    "no match": _RETRIEVE,
    "no predicted label": (),
    "no probability": _PROBABILITIES,
    "no roles": (),
    "no true label": (),
    "no weight": (),
    "not in 0 … 1": (),
    "nothing relevant": _RETRIEVE,
    "numbers as text": (),
    "one-hot": (*_ANSWERS, *_LABELS),
    "one class": _CLASSIFY,
    "one number": ("estimate/regression",),
    "perfect": (*_SCORES, "classify/confusion", "classify/compare"),
    "positive class": (),
    "probability maps": (),
    "queries together": ("retrieve/compare",),
    "queries without judgments": _RETRIEVE,
    "queries without list": _RETRIEVE,
    "rare class": ("classify/compare",),
    "renamed column": (),
    "rounded probabilities": (),
    "archive": (),
    "class ranking": (*_ANSWERS, *_LABELS),
    "class lists": (*_PROBABILITIES,),
    "rounded scores": (*_SCORES, "classify/compare"),
    "row order": _ROWS,
    "no cluster": (),
    "rows alone": (),
    "one cluster": (*_CLASSIFY, "estimate/regression", "retrieve/compare"),
    "one class per cluster": (),
    "rows together": (*_SCORES, *_ANSWERS, *_PROBABILITIES, "estimate/regression"),
    "scale": (),
    "several truths": (*_SCORES, *_ANSWERS),
    "shares": _ANSWERS,
    "sheets": (),
    "spellings": (*_SCORES, "classify/confusion", "classify/compare", *_PROBABILITIES, *_LABELS),
    "stated prediction": (),
    "sums": _PROBABILITIES,
    "swapped labels": _ANSWERS,
    "swapped truth": ("estimate/regression",),
    "tied scores": (),
    "titles": (),
    "transposed": (),
    "two clusters": _RETRIEVE,
    "typed pairs": _RETRIEVE,
    "unexplained prediction": ("classify/confusion",),
    "unknown labels": _LABELS,
    "unnamed column": (),
    "unnamed masks": (),
    "unpaired columns": _LABELS,
    "unscored labels": _LABELS,
    "unusable": _RETRIEVE,
    "unused group": (),
    "unused scores": (),
    "value labels": (),
    "words": (),
    "worse than chance": ("classify/confusion", "classify/compare"),
    "zeros": (),
}
"""The pages that each code concerns, by section and name; none where no number follows from it."""
