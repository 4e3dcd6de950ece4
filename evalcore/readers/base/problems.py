"""Messages of readers: the problem that refuses a file, and the findings about one that opens."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import SupportsInt

import numpy as np

from evalcore.wording.numbers import count_text, rows_text

__all__ = ["CONCERNS", "Finding", "HalfMissing", "KeysNeeded", "ReadProblem", "named"]

LEVELS = ("error", "warning", "info")


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
    settle it, the role the part that its column, or all its columns, would play to settle it, where there are such. A
    finding that asks which of two readings is right has the steps of the other one too. The code stays the same when
    the sentence changes, and tells which pages show numbers that the finding changes (`CONCERNS`).
    """

    level: str
    sentence: str
    count: int
    column: str | None = None
    action: str | None = None
    code: str = ""
    role: str | None = None
    other: str | None = None
    columns: tuple[str, ...] = ()
    by_filter: bool = False  # whether all rows together would not give it

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

    `sheets` are the titles of the sheets that hold a table. `header` is the line that names the columns, 0 without one.
    `chosen` are the arguments that the caller set. `is_usual`: the file is one table below its names.
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

    Filtered tables have some rows of the file (from 0), shape (rows,); without a choice the origin is None.
    """

    first: int = 2
    word: str = "line"
    origin: Origin | None = None
    rows: np.ndarray | None = field(default=None, compare=False, repr=False)

    def at(self, index: SupportsInt) -> str:
        """The name of a row, from its index (from 0)."""
        return f"{self.word} {count_text(int(self.numbers(np.array([int(index)]))[0]))}"

    def numbers(self, rows: np.ndarray) -> np.ndarray:
        """The numbers of rows, from their indices (from 0)."""
        return self.first + (rows if self.rows is None else self.rows[rows])

    def of(self, rows: np.ndarray) -> "Lines":
        """Return the line numbers of a table that keeps only these rows."""
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    def among(self, rows: np.ndarray) -> str:
        """Return the number of some rows (at least one), and the first of them."""
        return f"{rows_text(int(rows.sum()))} (first: {self.at(rows.argmax())})"


def named(name: object) -> str:
    """The name of a column, value or file in quotes, shortened to 60 characters."""
    text = " ".join(str(name).split())
    text = text if len(text) <= 60 else f"{text[:59]}…"
    return f'"{text}"'


def listed(names: Iterable[object], most: int = 5) -> str:
    """Several names in quotes, the rest as a count."""
    names = list(names)
    shown = ", ".join(named(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {count_text(len(names) - most)} more"


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their levels."""
    return tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))


def few(findings: list[Finding], most: int, rest: str) -> list[Finding]:
    """The findings, or only the first, with a sentence on the rest, if there are too many to read."""
    if len(findings) <= most:
        return findings
    return [replace(findings[0], sentence=f"{findings[0].sentence} {rest}", count=len(findings))]


_SCORES = ("classify/threshold", "classify/curves")
_ANSWERS = ("classify/confusion", "classify/classes", "classify/compare")
_PROBABILITIES = ("classify/probabilities",)
_LABELS = ("classify/classes",)
_CLASSIFY = (*_SCORES, *_ANSWERS, *_PROBABILITIES)
_RETRIEVE = ("retrieve/sets", "retrieve/ranking", "retrieve/graded", "retrieve/compare")
_REGRESSION = ("estimate/regression",)
_ROWS = (*_CLASSIFY, *_REGRESSION)

CONCERNS: dict[str, tuple[str, ...]] = {
    code: pages
    for codes, pages in (
        (
            "archive, censored, class without rows, counted rows, country codes, decimal commas, direction, "
            "encoding, faces, footer, guessed truth, header rows, joined, left-out column, many systems, margins, "
            "marked numbers, mixed column, negative numbers, no cluster, no faces, no predicted label, "
            "no roles, no true label, no weight, not in 0 … 1, numbers as text, one class per cluster, "
            "positive class, probability maps, renamed column, rounded probabilities, rows alone, scale, sheets, "
            "stated prediction, tied scores, titles, transposed, unnamed column, unnamed masks, unused group, "
            "unused scores, value labels, words, zeros",
            (),
        ),
        ("different rows, rare class", ("classify/compare",)),
        ("worse than chance", ("classify/confusion", "classify/compare")),
        ("unexplained prediction", ("classify/confusion",)),
        ("masks of different sizes, masks without partner", ("estimate/overlap",)),
        ("another unit, copied truth, equal numbers, one number, swapped truth", _REGRESSION),
        ("queries together", ("retrieve/compare",)),
        ("one cluster", (*_CLASSIFY, *_REGRESSION, "retrieve/compare")),
        ("no group", (*_SCORES, "classify/classes", "classify/compare")),
        ("rounded scores", (*_SCORES, "classify/compare")),
        ("equal scores", (*_SCORES, "classify/compare", *_LABELS, *_RETRIEVE)),
        ("perfect", (*_SCORES, "classify/confusion", "classify/compare")),
        ("spellings", (*_SCORES, "classify/confusion", "classify/compare", *_PROBABILITIES, *_LABELS)),
        ("anomalies, long, several truths", (*_SCORES, *_ANSWERS)),
        ("rows together", (*_SCORES, *_ANSWERS, *_PROBABILITIES, *_REGRESSION)),
        ("label without rows", (*_SCORES, *_LABELS)),
        ("mixed scales", (*_SCORES, *_PROBABILITIES)),
        ("answers, bad counts, fractions, matrix rows, missing counts, no common label", _ANSWERS),
        ("class ranking, no counts, one-hot, shares, swapped labels", _ANSWERS),
        ("no label, one class", _CLASSIFY),
        ("bad labels, unknown labels, unpaired columns, unscored labels", _LABELS),
        ("class lists, class without probability, no probability, sums", _PROBABILITIES),
        ("infinite, missing, no grades, no match, nothing relevant, queries without judgments", _RETRIEVE),
        ("queries without list, two clusters, typed pairs, unusable", _RETRIEVE),
        ("bad weights, codes, copies, differing values, few heavy clusters, first rows", _ROWS),
        ("marks, no header, row order", _ROWS),
        ("confidence, logits, many classes", _SCORES),
    )
    for code in codes.split(", ")
}
"""The pages that each code concerns, by section and name; none where no number follows from it."""
