"""The Brier score taken apart: what is calibration, what tells the rows apart, and what was uncertain anyway."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.calibration import ascending, bin_edges, bin_places, bin_sums, filled_bins
from evalcore.classification.probabilities import EventProbabilities
from evalcore.numeric import over_blocks

__all__ = ["BrierParts", "brier_parts"]


@dataclass(frozen=True)
class BrierParts:
    """The mean squared error of a probability, taken apart.

    score = reliability − resolution + uncertainty + within_variance − within_covariance

    Attributes
    ----------
    score : float
        The mean squared error itself.
    reliability : float
        Squared distance of predicted probabilities from observed rates, bin by bin; 0 is calibrated.
    resolution : float
        How far what came true differs from bin to bin; more is better.
    uncertainty : float
        What stating the base rate costs.
    within_variance, within_covariance : float
        What lies within the bins: 0 when all rows of a bin were given one probability.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float

    def __add__(self, other: "BrierParts") -> "BrierParts":
        """The parts of two events together, such as those of two of several classes."""
        return BrierParts(*(one + two for one, two in zip(vars(self).values(), vars(other).values(), strict=True)))


def brier_parts(event: EventProbabilities, edges: npt.ArrayLike | None = None) -> BrierParts:
    """Take the mean squared error of a probability apart so that the parts add up to it exactly.

    Parameters
    ----------
    event : EventProbabilities
        For several classes the parts of the events of all classes, added up, are those of the Brier score.
    edges : array_like of float, optional
        Of bins, as `reliability_bins`; by default each distinct probability is a bin, and nothing lies within.

    Raises
    ------
    ValueError
        When the edges do not ascend from 0 to 1.

    References
    ----------
    A. Murphy (1973). A new vector partition of the probability score. Journal of Applied Meteorology 12, 595–600.

    D. Stephenson, C. Coelho, I. Jolliffe (2008). Two extra components in the Brier score decomposition. Weather and
    Forecasting 23, 752–757. doi:10.1175/2007WAF2006116.1

    Examples
    --------
    >>> event = EventProbabilities(np.array([0.25, 0.25, 0.75, 0.75]), np.array([False, False, True, False]))
    >>> parts = brier_parts(event)
    >>> parts.score, parts.reliability, parts.resolution, parts.uncertainty
    (0.1875, 0.0625, 0.0625, 0.1875)
    """
    borders = bin_edges(event, way="distinct values") if edges is None else ascending(edges)
    place = bin_places(event, borders)
    n, said, happened = bin_sums(event, place, len(borders) - 1)
    bins, total = filled_bins(n, said, happened, borders), event.total
    if not total:
        return BrierParts(*[float("nan")] * 6)
    # Rows of weight 0 may have a bin to themselves, whose means are 0/0: they count nothing, whatever stands there.
    mean, share = (np.divide(sums, n, out=np.zeros(len(n)), where=n > 0) for sums in (said, happened))

    def squares(rows: slice) -> tuple[float, float, float]:
        stated, came, at = event.probability[rows], event.happened[rows], place[rows]
        weight = 1.0 if event.weights is None else event.weights[rows]
        said, off = stated - mean[at], stated - came
        counted = weight * said
        return (
            float((weight * off**2).sum()),
            float((counted * said).sum()),
            float((counted * (came - share[at])).sum()),
        )

    score, variance, covariance = (sum(parts) / total for parts in zip(*over_blocks(squares, len(place)), strict=True))
    base = float(happened.sum() / total)
    return BrierParts(
        score,
        float((bins.n * bins.gap**2).sum() / total),
        float((bins.n * (bins.observed - base) ** 2).sum() / total),
        base * (1 - base),
        variance,
        2 * covariance,
    )
