"""Does a limit hold on new rows? A valid p-value of the opposite, from the counts at a threshold.

Most limits are on the mean of a loss: each row of the cells that a measure looks at costs what its cell costs, and the
mean must not exceed a value. Of such a row nothing is assumed but that it is drawn like the others.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betainc

from evalcore.classification import ConfusionCounts, Limit
from evalcore.classification.binary.choice import flagged_limit
from evalcore.inference.base.clustered import effective_shares
from evalcore.numeric import Array, ratio
from evalcore.registry import MetricDef

__all__ = ["binomial_p_value", "hoeffding_bentkus", "limit_p_values", "losses_of"]

_CELLS = ("tp", "fp", "fn", "tn")
_MARGIN = 0.9
"""Of clusters, one of many neighbouring thresholds may pass by chance, because their effective numbers of rows vary.
With this share of them, promises are broken in no more than 5 % of simulated samples (`benchmarks.promises`)."""

_SLACK = 1e-9
"""What sums of weights lose by rounding, as a share of a row."""


@dataclass(frozen=True)
class CellLosses:
    """A limit on a mean: the loss of a row of each cell, and what the mean must not exceed.

    >>> from evalcore import METRICS
    >>> losses_of(Limit(METRICS["precision"], at_least=0.75))
    (CellLosses(losses=(0.0, 1.0, nan, nan), most=0.25),)
    """

    losses: tuple[float, float, float, float]  # of TP, FP, FN and TN; nan for rows that the limit is not about
    most: float

    @property
    def safe_end(self) -> str:
        """Where the mean is lowest in any population: at the "lax" or the "strict" end; "" where that is not sure."""
        tp, fp, fn, tn = self.losses
        steps = [step for step in (tp - fn, fp - tn) if not math.isnan(step)]
        # Rows that change their cell enter or leave what the mean is of.
        if any(math.isnan(tp + fn + fp + tn) and math.isnan(a) != math.isnan(b) for a, b in ((tp, fn), (fp, tn))):
            return ""
        return "lax" if max(steps) <= 0 else "strict" if min(steps) >= 0 else ""

    @property
    def called(self) -> str:
        """Which rows it is about: those called "positive" or "negative" alone, or also others ("")."""
        is_about = "".join("01"[not math.isnan(loss)] for loss in self.losses)
        return {"1100": "positive", "0011": "negative"}.get(is_about, "")

    @property
    def is_binary(self) -> bool:
        """Whether a row has one of two losses."""
        return len({loss for loss in self.losses if not math.isnan(loss)}) <= 2

    def scaled(self, counts: ConfusionCounts) -> tuple[Array, Array, float]:
        """Sum of the losses and number of rows, in the shape of the counts, and the limit, on a scale from 0 to 1."""
        losses = np.array(self.losses)
        low, high = np.nanmin(losses), np.nanmax(losses)
        unit = (high - low) or 1.0
        parts = [
            (getattr(counts, cell), (loss - low) / unit)
            for cell, loss in zip(_CELLS, losses.tolist(), strict=True)
            if not math.isnan(loss)
        ]
        total = sum(loss * np.asarray(count, dtype=np.float64) for count, loss in parts)
        return np.asarray(total), np.asarray(sum(count for count, _ in parts)), float((self.most - low) / unit)

    def effective(self, counts: ConfusionCounts, level: float = 0.95) -> tuple[Array, Array, float]:
        """The same as numbers of independent rows, where rows belong together and have one of two losses."""
        total, n, most = self.scaled(counts)
        if (moments := counts.moments) is None or not self.is_binary:
            return total, n, most
        below = np.array([not math.isnan(loss) for loss in self.losses])
        above = below & (np.array(self.losses) > np.nanmin(self.losses))
        failing = moments.clusters_in(above)
        degrees = np.where(failing > 0, failing, np.inf)
        lost, rows, _ = effective_shares(moments, above, below, total, n, 2 * level - 1, degrees)
        squares, part = moments.squares(self._looked_at(n)), np.asarray(_MARGIN)
        if moments.weighted:
            # Never more than Kish's number, which weights alone decide.
            part = _MARGIN * np.minimum(ratio(ratio(n**2, squares), rows), 1.0)
        alone = (squares <= n) & (not moments.weighted)  # one row in each cluster
        told = np.where(self.few_heavy(counts), 0.0, part)
        return np.where(alone, total, told * lost), np.where(alone, n, told * rows), most

    def few_heavy(self, counts: ConfusionCounts) -> npt.NDArray[np.bool_]:
        """Where few clusters hold most rows that it is about, and it therefore is not tested."""
        if (moments := counts.moments) is None or not self.is_binary:
            return np.zeros(np.shape(counts.tp), dtype=bool)
        return moments.few_heavy(~np.isnan(self.losses))

    def p_values(self, counts: ConfusionCounts, level: float = 0.95) -> Array:
        """Of the hypothesis that the mean on new rows exceeds the limit, in the shape of the counts."""
        total, n, most = self.effective(counts, level)
        if self.is_binary or (moments := counts.moments) is None:
            return self.tail(total, n, most)
        # As if the rows of each cluster were alike.
        rows = ratio(n**2, moments.squares(self._looked_at(n)))
        return _limited(np.exp(-2 * rows * np.maximum(most - ratio(total, n), 0.0) ** 2), n, most)

    def tail(self, total: npt.ArrayLike, n: npt.ArrayLike, most: float) -> Array:
        """The p-value of independent rows whose losses, on a scale from 0 to 1, add up to so much."""
        return binomial_p_value(total, n, most) if self.is_binary else hoeffding_bentkus(total, n, most)

    def _looked_at(self, n: Array) -> Array:
        """1 for the cells that the limit is about, for `ClusterMoments.squares`."""
        return np.broadcast_to(~np.isnan(self.losses), (*np.shape(n), 4)).astype(np.float64)


def losses_of(limit: Limit, rows: float = math.nan) -> tuple[CellLosses, ...]:
    """A limit as limits on mean losses, of which all must hold; empty where it is none.

    Shares of rows, F, the E-measure, cost, net benefit and numbers of rows flagged, which are taken as a share of so
    many rows, are limits on a mean; MCC, kappa and likelihood ratios are not.
    """
    flagged = flagged_limit(limit, rows)
    if flagged is not None:
        return (CellLosses((1.0, 1.0, 0.0, 0.0), flagged),)
    measure = limit.measure
    if not isinstance(measure, MetricDef):
        return ()
    sides = ((1.0, limit.at_most), (-1.0, limit.at_least))
    made = [_losses(measure, sign, value) for sign, value in sides if value is not None]
    return tuple(one for one in made if one is not None) if all(made) else ()


def limit_p_values(limit: Limit, counts: ConfusionCounts, level: float = 0.95) -> Array:
    """The p-value of the hypothesis that a limit does not hold on new rows drawn like these.

    At a threshold that was fixed beforehand, the rows that a share is of are independent, and those that count among
    them are binomial given their number: rows called positive for precision, actual positives for recall, all rows for
    accuracy. The p-value is the exact tail; of losses with more than two values it is that of Hoeffding and Bentkus.
    Of rows that belong together it is the tail at their effective number, `effective_shares`, with a t distribution of
    as many degrees of freedom as clusters have a row that breaks the limit: a few such clusters say little about how
    alike their rows are. Weighted rows count by no more than Kish's number. Where few clusters hold most of the rows,
    the p-value is 1.

    Parameters
    ----------
    counts : ConfusionCounts, any shape
    level : float
        Confidence that the p-value is made for; it matters for clusters alone, through their t distribution.

    Returns
    -------
    Array
        In the shape of the counts; 1 where the limit says nothing about any row.

    Raises
    ------
    ValueError
        When the limit is not on the mean of a loss.

    References
    ----------
    A. Angelopoulos, S. Bates, E. Candès, M. Jordan, L. Lei (2025). Learn then Test: calibrating predictive algorithms
    to achieve risk control. Annals of Applied Statistics 19, 1641–1662. doi:10.1214/24-AOAS1998

    Examples
    --------
    >>> from evalcore import METRICS
    >>> limit = Limit(METRICS["recall"], at_least=0.9)
    >>> float(limit_p_values(limit, ConfusionCounts(tp=29, fp=0, fn=0, tn=0)))  # 0.9 ** 29
    0.0471012...
    """
    made = losses_of(limit, float(np.max(counts.total, initial=0)))
    if not made:
        raise ValueError("This limit is not on a share of rows or on a mean, so it has no exact p-value.")
    return np.maximum.reduce([np.asarray(one.p_values(counts, level)) for one in made])


def binomial_p_value(failures: npt.ArrayLike, n: npt.ArrayLike, most: float) -> Array:
    """Probability of so few failures, or fewer, among n rows that each fail with the probability `most`.

    Sums of weights may stand for rows. 1 without rows.

    >>> float(binomial_p_value(1, 2, 0.5)), float(binomial_p_value(0, 0, 0.5))
    (0.75, 1.0)
    """
    k, size = np.broadcast_arrays(np.asarray(failures, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if not 0 < most < 1:
        return _limited(np.ones(k.shape), size, most)
    some = (size > 0) & (size - k > _SLACK)
    values = betainc(np.where(some, size - k, 1.0), np.where(some, k, 0.0) + 1, 1 - most)
    return np.where(some, values, 1.0)


def hoeffding_bentkus(total: npt.ArrayLike, n: npt.ArrayLike, most: float) -> Array:
    """The p-value of the hypothesis that the mean of losses between 0 and 1 exceeds `most`.

    The smaller of Hoeffding's bound, in its form with the relative entropy, and Bentkus' bound.

    Parameters
    ----------
    total, n : array_like
        Sum of the losses, and number of rows.

    References
    ----------
    S. Bates, A. Angelopoulos, L. Lei, J. Malik, M. Jordan (2021). Distribution-free, risk-controlling prediction sets.
    Journal of the ACM 68, 43. doi:10.1145/3478535

    Examples
    --------
    >>> round(float(hoeffding_bentkus(5, 100, 0.1)), 4)
    0.1565
    """
    losses, size = np.broadcast_arrays(np.asarray(total, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if not 0 < most < 1:
        return _limited(np.ones(losses.shape), size, most)
    mean = np.minimum(ratio(losses, size), most)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.where(mean > 0, mean * np.log(mean / most), 0.0) + (1 - mean) * np.log((1 - mean) / (1 - most))
    bentkus = np.e * binomial_p_value(np.minimum(np.ceil(losses - _SLACK), size), size, most)
    return _limited(np.minimum(np.exp(-size * entropy), bentkus), size, most)


def _limited(values: Array, n: Array, most: float) -> Array:
    """1 without rows or where nothing could be below the limit, 0 where nothing could be above it."""
    if most >= 1:
        return np.where(n > 0, 0.0, 1.0)
    return np.where((n > 0) & (most > 0), np.minimum(np.nan_to_num(values, nan=1.0), 1.0), 1.0)


def _losses(measure: MetricDef, sign: float, value: float) -> CellLosses | None:
    """The losses of a measure that must be at most a value (sign 1) or at least it (−1); None where it is no mean."""
    get = {param.name: measure.arguments.get(param.name, param.default) for param in measure.params}
    if measure.reads:
        counted = 1.0 if sign > 0 else 0.0
        losses = [
            (counted if cell in measure.numerator else 1 - counted) if cell in measure.denominator else math.nan
            for cell in _CELLS
        ]
        return CellLosses((losses[0], losses[1], losses[2], losses[3]), value if sign > 0 else 1 - value)
    if measure.key == "cost":
        tp, fp, fn, tn = (sign * float(get[f"{cell}_cost"]) for cell in _CELLS)
        return CellLosses((tp, fp, fn, tn), sign * value)
    if measure.key == "net_benefit":
        odds = float(get["probability"]) / (1 - float(get["probability"]))
        return CellLosses((sign, -sign * odds, 0.0, 0.0), sign * value)
    if measure.key in ("f_beta", "e_measure"):
        # F ≥ c where (1 + β²) TP (1 − c) ≥ c (FP + β² FN).
        least, sign = (1 - value, -sign) if measure.key == "e_measure" else (value, sign)
        weight = float(get["beta"]) ** 2
        return CellLosses((sign * (1 + weight) * (1 - least), -sign * least, -sign * least * weight, math.nan), 0.0)
    return None
