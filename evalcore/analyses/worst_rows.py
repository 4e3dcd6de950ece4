"""The worst rows: which predictions cost most, and what share of the whole log-loss they are."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalcore.analyses.losses import USUAL, LossSettings
from evalcore.analyses.probability_source import ProbabilitySource
from evalcore.classification import WorstRows, worst_rows
from evalcore.numeric import Array
from evalcore.readers import text_of
from evalcore.wording import LOSS_DECIMALS, count_text, number_text, share_text

__all__ = ["MOST_WORST_ROWS", "WorstPredictions"]

MOST_WORST_ROWS = 1000
"""Rows in the file to take away."""


@dataclass(frozen=True, eq=False)
class WorstPredictions:
    """The rows with the highest log-loss, the worst first."""

    probabilities: ProbabilitySource
    settings: LossSettings
    worst: WorstRows

    @classmethod
    def of(cls, probabilities: ProbabilitySource, settings: LossSettings = USUAL) -> "WorstPredictions":
        """Find one row in a hundred, and at least as many as go into a file.

        Examples
        --------
        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> worst = WorstPredictions.of(ProbabilitySource.of(Source.of(read_sample("roc_20"))))
        >>> worst.first(1).table["row"], worst.verdict
        (['line 20'], 'The worst row makes **9.5\\u202f%** of the whole loss.')
        """
        most = max(MOST_WORST_ROWS, _percent(probabilities))
        return cls(probabilities, settings, worst_rows(probabilities.table, most, settings.base, settings.clip))

    def first(self, most: int) -> "WorstPredictions":
        """The first of them."""
        worst = self.worst
        return replace(self, worst=WorstRows(worst.rows[:most], worst.losses[:most], worst.shares[:most]))

    @property
    def own(self) -> Array:
        """The probability that each gave to its own class, shape (m,)."""
        return self.probabilities.table.of_actual[self.worst.rows]

    @property
    def names(self) -> list[str]:
        """What each row is called in the file: "line 12"."""
        return [self.probabilities.line(row) for row in self.worst.rows]

    @property
    def places(self) -> npt.NDArray[np.intp]:
        """Their places in the open table, shape (m,)."""
        return self.probabilities.rows[self.worst.rows]

    @property
    def verdict(self) -> str:
        """How much of the loss the worst 1 in 100 rows are, in Markdown."""
        rows = _percent(self.probabilities)
        share = float(self.worst.shares[:rows].sum())
        what = "worst row makes" if rows == 1 else f"{count_text(rows)} worst rows (1 in 100) make"
        # The worst row costs at least the mean, so nothing costs anything where it costs nothing.
        if not len(self.worst.losses) or not round(float(self.worst.losses[0]), LOSS_DECIMALS):
            return "No row costs anything."
        if math.isnan(share):
            return f"The {what} the whole infinite loss."
        return f"The {what} **{share_text(share)}** of the whole loss."

    @property
    def scale(self) -> str:
        """What some probabilities cost, for comparison."""
        half, hundredth = (number_text(-math.log(q) / math.log(self.settings.base)) for q in (0.5, 0.01))
        return f"A row that gave ½ costs {half}, and one that gave 0.01 costs {hundredth}."

    @property
    def table(self) -> dict[str, list]:
        """The rows as columns, unrounded."""
        table, rows = self.probabilities.table, self.worst.rows
        classes = [text_of(name) for name in table.classes]
        return {
            "row": self.names,
            "actual": [classes[index] for index in table.actual[rows]],
            "most probable": [classes[index] for index in table.probabilities[rows].argmax(axis=1)],
            "probability": self.own.tolist(),
            "loss": self.worst.losses.tolist(),
            "share": self.worst.shares.tolist(),
            "cumulative": np.cumsum(self.worst.shares).tolist(),
        }


def _percent(probabilities: ProbabilitySource) -> int:
    return max(len(probabilities.table.actual) // 100, 1)
