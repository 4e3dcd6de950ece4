"""How the errors are distributed: histogram, quantiles against the normal distribution, and words for the shape."""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.numeric import Array, rows_behind, rows_counted
from evalcore.wording import number_text, share_text

__all__ = ["ErrorDistribution"]

_MOST_BINS = 60
_QUANTILES = 400
_HEAVY, _SKEWED = 1.0, 0.5


@dataclass(frozen=True, eq=False)
class ErrorDistribution:
    """The errors of one system.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> errors = ErrorDistribution(EstimateRows.of(Source.of(read_sample("diabetes"))))
    >>> float(errors.histogram[0].sum()), errors.quantiles[0].shape
    (442.0, (400,))
    """

    estimates: EstimateRows

    @cached_property
    def mean(self) -> float:
        """Mean error."""
        return self.estimates.state.mean(self.estimates.state.error)

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of the errors, divided by n."""
        state = self.estimates.state
        return math.sqrt(state.mean(np.square(state.error - self.mean)))

    @cached_property
    def histogram(self) -> tuple[Array, Array]:
        """Rows (or weight) in each bin of equal width, and the edges; the width by Freedman and Diaconis."""
        state = self.estimates.state.counted
        low, high = float(state.error.min()), float(state.error.max())
        if not high > low:
            low, high = low - 0.5, high + 0.5
        width = 2 * (state.quantile(state.error, 0.75) - state.quantile(state.error, 0.25))
        width /= rows_behind(state.weights, len(state)) ** (1 / 3)
        bins = min(max(math.ceil((high - low) / width), 5), _MOST_BINS) if width > 0 else 20
        counts, edges = np.histogram(state.error, bins=bins, range=(low, high), weights=state.weights)
        return counts.astype(np.float64), edges

    @cached_property
    def quantiles(self) -> tuple[Array, Array]:
        """Quantiles of the normal distribution and those of the errors, at most 400 evenly spread ones."""
        state = self.estimates.state.counted
        order = np.argsort(state.error, kind="stable")
        ordered, weight = state.error[order], state.weight[order]
        if (rows := rows_counted(weight)) is not None:  # each row has a quantile of its own
            ordered, weight = ordered[rows], np.ones(len(rows))
        sums = np.cumsum(weight)
        shares = (sums - weight / 2) / sums[-1]
        places = np.unique(np.linspace(0, len(ordered) - 1, min(_QUANTILES, len(ordered))).round().astype(np.intp))
        normal = np.array([NormalDist().inv_cdf(share) for share in shares[places].tolist()])
        return normal, ordered[places]

    @cached_property
    def shape(self) -> tuple[float, float]:
        """Skewness and excess kurtosis; nan where all errors are equal."""
        state = self.estimates.state
        if not self.deviation > 0:
            return math.nan, math.nan
        z = (state.error - self.mean) / self.deviation
        return state.mean(z**3), state.mean(z**4) - 3

    @property
    def verdict(self) -> str:
        """How far the errors are from normal, in Markdown."""
        skewness, kurtosis = self.shape
        if math.isnan(skewness):
            return "**All errors are equal.**"
        words = []
        if abs(skewness) > _SKEWED:
            side = "high" if skewness > 0 else "low"
            words.append(f"skewed: large errors are mostly too {side}")
        if kurtosis > _HEAVY:
            words.append("heavy-tailed: more very large errors than a normal distribution has")
        elif kurtosis < -_HEAVY:
            words.append("light-tailed: fewer large errors than a normal distribution has")
        what = f"The errors are {', and '.join(words)}." if words else "The errors look close to normal."
        state = self.estimates.state
        inside = [state.mean((np.abs(state.error - self.mean) <= k * self.deviation) * 1.0) for k in (1, 2)]
        return (
            f"**{what}** Skewness {number_text(skewness)}, excess kurtosis {number_text(kurtosis)}; "
            f"{share_text(inside[0])} lie within one standard deviation ({number_text(self.deviation)}) of the mean "
            f"(normal: 68.3\u202f%), {share_text(inside[1])} within two (95.4\u202f%)."
        )
