"""The ROC table: one row per distinct threshold with its counts and rates, the best by a goal marked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.analyses.goal_text import goal_value_text
from evalcore.analyses.scores import Scores
from evalcore.classification import Choice, Goal, NoThreshold
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.wording import count_text, threshold_text

__all__ = ["ROC_RATES", "RocTable"]

ROC_RATES = {
    "TPR": "recall", "FPR": "fall_out", "precision": "precision", "accuracy": "accuracy", "F1": "f_beta",
    "J": "youden_j",
}  # fmt: skip
"""Measures in the table, by their columns."""

_SHOWN, _TAKEN, _MOST_TIES = 2_000, 100_000, 20
"""Rows on the page and in a file, and rows that are marked as good as the best."""


@dataclass(frozen=True, eq=False)
class RocTable:
    """Some rows of the threshold table, equally far apart by rank, with the marked ones among them.

    Rows are places in the table of thresholds, and `marks` says of some of them: best, as good, current. `choice` is
    the threshold that serves the goal best; None where none does.
    """

    scores: Scores
    rows: Sequence[int]
    goal: Goal | None = None
    choice: Choice | None = None
    marks: dict[int, str] | None = None

    @classmethod
    def whole(cls, scores: Scores) -> "RocTable":
        """All rows, as far as they go into a file."""
        return cls(scores, _thinned(len(scores.table), _TAKEN))

    @classmethod
    def of(cls, scores: Scores, goal: Goal, threshold: float) -> "RocTable":
        """The rows of the page, with the best by the goal and the one of the current threshold.

        >>> from evalcore.analyses import Source
        >>> from evalcore.classification import youden_goal
        >>> from evalcore.readers.samples import read_sample
        >>> table = RocTable.of(Scores.of(Source.of(read_sample("roc_20")), "score"), youden_goal(), 0.4)
        >>> table.verdict
        "Best: Youden's J 0.400 at 0.54."
        """
        table, marks = scores.table, {}
        try:
            choice = goal.choose(table)
            marks |= {table.index(tied): "as good" for tied in choice.tied_thresholds[:_MOST_TIES].tolist()}
            marks[table.index(choice.threshold)] = "best"
        except NoThreshold:
            choice = None
        now = table.index(threshold)
        marks[now] = ", ".join(filter(None, ("current", marks.get(now))))
        return cls(scores, _thinned(len(table), _SHOWN, marks), goal, choice, marks)

    @property
    def table(self) -> dict[str, Array | list[str]]:
        """Marks, threshold, counts and rates as columns, unrounded."""
        table = self.scores.table
        counts = table.counts[list(self.rows)]
        marks = {} if self.marks is None else {"mark": [self.marks.get(row, "") for row in self.rows]}
        cells = {name.upper(): getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
        rates = {name: METRICS[key](counts) for name, key in ROC_RATES.items()}
        return {**marks, "threshold": table.thresholds[list(self.rows)], **cells, **rates}

    @property
    def verdict(self) -> str:
        """The best threshold by the goal."""
        if self.goal is None or self.choice is None:
            return "No threshold meets this goal."
        at = f"Best: {goal_value_text(self.goal, self.choice.counts)} at {threshold_text(self.choice.threshold)}"
        others = len(self.choice.ties) - 1
        ties = f", tied with {count_text(others)} other{'' if others == 1 else 's'}" if others else ""
        return f"{at}{ties}."

    @property
    def notes(self) -> str:
        """How many of the thresholds are shown."""
        distinct, shown = len(self.scores.table), len(self.rows)
        if shown == distinct:
            return f"All {count_text(distinct)} thresholds that make a difference."
        file = "all" if distinct <= _TAKEN else count_text(_TAKEN)
        shown_text = f"{count_text(shown)} of {count_text(distinct)} thresholds"
        return f"{shown_text}, evenly spaced by rank; the CSV below has {file}."


def _thinned(length: int, most: int, marks: dict[int, str] | None = None) -> list[int]:
    step = math.ceil(length / most)
    return sorted({*range(0, length, step), length - 1, *(marks or ())})
