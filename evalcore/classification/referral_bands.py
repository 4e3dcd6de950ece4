"""The narrowest band between two thresholds that meets a requirement on the decided rows."""

import math

import numpy as np
import numpy.typing as npt

from evalcore.classification.rates import false_discovery_rate, false_omission_rate
from evalcore.classification.referral import Referral, band_of_rows
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["NoBand", "band_of_error", "band_of_values"]

_SLACK = 1e-12
"""Share of all rows by which a requirement may be missed: 0.29 of 100 rows are 29, not 28.999…"""


class NoBand(ValueError):
    """No band meets the requirement.

    Attributes
    ----------
    nearest : tuple of (str, float)
        What cannot be reached ("error", "PPV", "NPV"; "order" when each can, but not both together) and the nearest
        value that any band reaches, nan where it is undefined everywhere.
    """

    def __init__(self, message: str, nearest: tuple[tuple[str, float], ...]) -> None:
        super().__init__(message)
        self.nearest = nearest


def band_of_error(table: ThresholdTable, most: float) -> Referral:
    """The band that refers the fewest rows with at most this share of the decided rows wrong.

    Every pair of distinct scores is considered, not only bands around a centre.

    Parameters
    ----------
    most : float
        Highest share of wrong decisions among the decided rows, 0 … 1.

    Returns
    -------
    Referral
        Where a single threshold suffices, the one with the fewest errors, and no row is referred.

    Raises
    ------
    NoBand
        When any decision has a larger share of errors.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.4, 0.3, 0.1], positive=1).table()
    >>> band = band_of_error(table, 0)
    >>> float(band.low), float(band.high), float(band.referred)
    (0.4, 0.8, 2.0)
    """
    if not 0 <= most <= 1:
        raise ValueError(f"The share of wrong decisions is {most:g}; it must lie between 0 and 1.")
    counts, n = table.counts, float(table.counts[-1].total)
    slack = _SLACK * n
    errors = counts.fn + counts.fp
    if n and float(errors.min()) <= most * n + slack:
        return band_of_rows(table, *[int(errors.argmin())] * 2)
    # A band meets the requirement when the excess errors of its two sides add up to at most 0.
    upper = counts.fp - most * counts.predicted_positives
    lower = counts.fn - most * counts.predicted_negatives
    # For each lower end the laxest upper end that compensates it. The least excess from a row on only grows, so the
    # last row where it suffices is such an end itself; and it lies above the lower end: if the two crossed, a
    # threshold between them would suffice alone, and there is none.
    least = np.minimum.accumulate(upper[::-1])[::-1]
    tops = least.searchsorted(slack - lower, side="right") - 1
    bottoms = np.flatnonzero(tops >= 0)
    tops = np.minimum(tops[bottoms], bottoms)
    decided = counts.predicted_positives[tops] + counts.predicted_negatives[bottoms]
    meets = upper[tops] + lower[bottoms] <= slack
    best = _most_decided(decided, meets)
    if best is None:
        sides = np.append(false_discovery_rate(counts), false_omission_rate(counts))
        raise NoBand("No band decides any row with so few errors.", (("error", _least(sides)),))
    return band_of_rows(table, bottoms[best], tops[best])


def band_of_values(table: ThresholdTable, npv: float, ppv: float) -> Referral:
    """The band that refers the fewest rows with at least these predictive values on both sides.

    Parameters
    ----------
    npv : float
        Least negative predictive value, 0 … 1.
    ppv : float
        Least positive predictive value, 0 … 1.

    Raises
    ------
    NoBand
        When one of them, or both together, cannot be reached; a side that decides no row reaches nothing.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.4, 0.3, 0.1], positive=1).table()
    >>> band = band_of_values(table, npv=1, ppv=0.75)
    >>> float(band.low), float(band.high), float(band.referred)
    (0.4, 0.4, 0.0)
    """
    counts, slack = table.counts, _SLACK * float(table.counts[-1].total)
    trusted, missing = [], []
    for name, right, called, least in (
        ("NPV", counts.tn, counts.predicted_negatives, npv),
        ("PPV", counts.tp, counts.predicted_positives, ppv),
    ):
        if not 0 <= least <= 1:
            raise ValueError(f"The {name} is {least:g}; it must lie between 0 and 1.")
        trusted.append(np.flatnonzero((called > 0) & (right >= least * called - slack)))
        if not len(trusted[-1]):
            missing.append((name, -_least(-ratio(right, called))))
    if missing:
        raise NoBand("No threshold can be trusted so far.", tuple(missing))
    bottoms, above = trusted
    indices = above.searchsorted(bottoms, side="right") - 1
    bottoms, tops = bottoms[indices >= 0], above[indices[indices >= 0]]
    best = _most_decided(counts.predicted_positives[tops] + counts.predicted_negatives[bottoms], tops >= 0)
    if best is None:
        raise NoBand("Each side can be trusted alone, but the two overlap.", (("order", math.nan),))
    return band_of_rows(table, bottoms[best], tops[best])


def _most_decided(decided: Array, meets: npt.NDArray[np.bool_]) -> int | None:
    decided = np.where(meets, decided, 0.0)
    return int(decided.argmax()) if len(decided) and decided.max() > 0 else None


def _least(values: Array) -> float:
    return float(np.fmin.reduce(values, initial=np.nan))
