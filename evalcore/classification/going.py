"""From a wanted value of a measure to the threshold that has it."""

import numpy as np

from evalcore.classification.limits import NoThreshold
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import in_blocks
from evalcore.registry import MetricDef

__all__ = ["threshold_with"]


def threshold_with(
    table: ThresholdTable, measure: MetricDef, value: float, side: str = "nearest"
) -> tuple[float, float]:
    """The threshold at which a measure comes nearest to a value.

    Of thresholds that come equally near the one with the fewest errors, misses and false alarms together, is taken; of
    equal ones the strictest.

    Parameters
    ----------
    table : ThresholdTable
    measure : MetricDef
    value : float
    side : {"nearest", "at least", "at most"}
        Whether the measure may lie on either side of the value, or only on one.

    Returns
    -------
    (float, float)
        The threshold, a distinct score or an infinity, and the value of the measure there.

    Raises
    ------
    NoThreshold
        When the measure is undefined everywhere, or lies nowhere on the side that is asked for.

    Examples
    --------
    >>> from evalcore import METRICS
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> threshold_with(table, METRICS["recall"], 0.6)
    (0.9, 0.5)
    >>> threshold_with(table, METRICS["recall"], 0.6, "at least")
    (0.4, 1.0)
    """
    values = in_blocks(lambda rows: measure(table.counts[rows]), len(table))
    name = measure.name.lower()
    if np.isnan(values).all():
        raise NoThreshold(f"{name} is undefined at every threshold")
    # A hair of slack: 0.9 asked for and 9 of 10 found is met.
    slack = 1e-12 * max(abs(value), 1.0)
    allowed = {
        "nearest": values == values,
        "at least": values >= value - slack,
        "at most": values <= value + slack,
    }[side]
    if not allowed.any():
        raise NoThreshold(f"{name} is nowhere {side} that")
    with np.errstate(invalid="ignore"):
        apart = np.where(allowed, np.abs(values - value), np.inf)
    apart = np.nan_to_num(apart, nan=np.inf)
    rows = np.flatnonzero(apart <= apart.min() + slack)
    errors = table.counts.fn[rows] + table.counts.fp[rows]
    row = int(rows[errors.argmin()])
    return float(table.thresholds[row]), float(values[row])
