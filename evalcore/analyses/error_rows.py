"""Some rows of estimates with their errors: the worst, or those of a brush."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analyses.error_clouds import Brush, Cloud
from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.analyses.regression import largest_errors
from evalcore.estimation import absolute_errors
from evalcore.numeric import ratio
from evalcore.wording import count_text, number_text, rows_text, share_text, signed

__all__ = ["RowsOfErrors"]


@dataclass(frozen=True, eq=False)
class RowsOfErrors:
    """Some rows with their errors: those of a brush, or the worst."""

    estimates: EstimateRows
    places: npt.NDArray[np.intp]  # among the rows of the estimates
    brushed: bool = False

    @classmethod
    def worst(cls, estimates: EstimateRows, most: int) -> "RowsOfErrors":
        """The rows with the largest absolute errors, the largest first.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> worst = RowsOfErrors.worst(EstimateRows.of(Source.of(read_sample("diabetes"))), 2)
        >>> worst.table["row"], worst.table["error"]
        (['line 58', 'line 104'], [154.2, -153.5])
        """
        return cls(estimates, largest_errors(estimates, most))

    @classmethod
    def within(cls, estimates: EstimateRows, cloud: Cloud, brush: Brush) -> "RowsOfErrors":
        """The rows in a brush, the largest absolute error first."""
        places = cloud.rows_in(brush)
        order = np.argsort(-np.abs(estimates.state.error[places]), kind="stable")
        return cls(estimates, places[order], True)

    def first(self, most: int) -> "RowsOfErrors":
        """The first of them."""
        return RowsOfErrors(self.estimates, self.places[:most], self.brushed)

    @property
    def positions(self) -> npt.NDArray[np.intp]:
        """Their places in the open table."""
        return self.estimates.rows[self.places]

    @property
    def verdict(self) -> str:
        """How many rows they are and what they make of the errors, in Markdown."""
        state, source = self.estimates.state, self.estimates.source
        count = round(source.dataset.rows_behind(self.positions))
        if not count:
            return "No row lies in the rectangle."
        some = state[self.places]
        squares = float((some.weight * np.square(some.error)).sum())
        whole = float((state.weight * np.square(state.error)).sum())
        share = f", **{share_text(squares / whole)}** of the sum of squared errors" if whole else ""
        if not self.brushed:
            which = "worst row makes" if count == 1 else f"{count_text(count)} worst rows make"
            return f"The {which} {share.removeprefix(', ')}." if share else "No row has an error."
        mean, absolute = some.mean(some.error), some.mean(absolute_errors(some))
        return (
            f"**{rows_text(count)}** in the rectangle{share}: mean error {signed(number_text)(mean)}, mean absolute "
            f"error {number_text(absolute)}.{source.lines_note}"
        )

    @property
    def table(self) -> dict[str, list]:
        """The rows as columns, unrounded."""
        state, places = self.estimates.state, self.places
        whole = float((state.weight * np.square(state.error)).sum())
        error = state.error[places]
        return {
            "row": [self.estimates.line(place) for place in places.tolist()],
            "truth": state.truth[places].tolist(),
            "estimate": state.estimate[places].tolist(),
            "error": error.tolist(),
            "share of SSE": ratio(state.weight[places] * np.square(error), whole).tolist(),
        }
