"""Thresholds at which limits hold on new rows with some confidence: Learn then Test.

The confidence is one for all promised thresholds together, so that any of them may be chosen afterwards.
"""

import math
from bisect import bisect
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, bdtrik, betainc, ndtri

from evalcore.classification import Choice, ConfusionCounts, Goal, Limit, NoThreshold, ScoredLabels, ThresholdTable
from evalcore.classification.binary.choice import flagged_limit
from evalcore.inference.base.clustered import effective_shares
from evalcore.inference.base.intervals import check_level
from evalcore.numeric import Array, Flags, Indices, in_blocks, ratio, runs_of
from evalcore.registry import MetricDef

__all__ = ["Promise", "binomial_p_value", "choose_promised", "fallback", "hoeffding_bentkus", "losses_of"]
__all__ += ["promised_thresholds", "rank_grid", "rows_for_promise"]

_CELLS = ("tp", "fp", "fn", "tn")

_MARGIN = 0.9
"""Of clusters, one of many neighbouring thresholds may pass by chance, because their effective numbers of rows vary.
With this share of them, promises are broken in no more than 5 % of simulated samples (`benchmarks.promises`)."""

_SLACK = 1e-9  # what sums of weights lose by rounding, as a share of a row


@dataclass(frozen=True)
class CellLosses:
    """A limit on a mean loss: the loss of a row of each cell, and the upper limit of the mean.

    >>> from evalcore import METRICS
    >>> losses_of(Limit(METRICS["precision"], at_least=0.75))
    (CellLosses(losses=(0.0, 1.0, nan, nan), most=0.25),)
    """

    losses: tuple[float, float, float, float]  # of TP, FP, FN and TN; nan for rows that the limit is not about
    most: float

    @property
    def safe_end(self) -> str:
        """End at which the mean is lowest in any population: "lax" or "strict"; "" if that is not certain."""
        tp, fp, fn, tn = self.losses
        steps = [step for step in (tp - fn, fp - tn) if not math.isnan(step)]
        # Rows that change their cell enter or leave what the mean is of.
        if any(math.isnan(a) != math.isnan(b) for a, b in ((tp, fn), (fp, tn))):
            return ""
        return "lax" if max(steps) <= 0 else "strict" if min(steps) >= 0 else ""

    @property
    def called(self) -> str:
        """Rows that the limit is about: called "positive" or "negative" alone, or "" for others too."""
        is_about = "".join("01"[not math.isnan(loss)] for loss in self.losses)
        return {"1100": "positive", "0011": "negative"}.get(is_about, "")

    @property
    def is_binary(self) -> bool:
        """Whether there are only two different losses."""
        return len({loss for loss in self.losses if not math.isnan(loss)}) <= 2

    def scaled(self, counts: ConfusionCounts) -> tuple[Array, Array, float]:
        """Sum of the losses and number of rows, in the shape of the counts, and the limit, on a scale from 0 to 1."""
        losses = np.array(self.losses)
        low, high = np.nanmin(losses), np.nanmax(losses)
        unit = (high - low) or 1.0
        known = [(cell, loss) for cell, loss in zip(_CELLS, losses.tolist(), strict=True) if not math.isnan(loss)]
        total = sum((loss - low) / unit * getattr(counts, cell) for cell, loss in known)
        rows = sum(getattr(counts, cell) for cell, _ in known)
        return np.asarray(total), np.asarray(rows), float((self.most - low) / unit)

    def effective(self, counts: ConfusionCounts, level: float = 0.95) -> tuple[Array, Array, float]:
        """Sum of losses, rows and limit as in `scaled`; of clustered rows with two losses in effective numbers."""
        total, n, most = self.scaled(counts)
        if (moments := counts.moments) is None or not self.is_binary:
            return total, n, most
        below = ~np.isnan(self.losses)
        above = below & (np.array(self.losses) > np.nanmin(self.losses))
        failing = moments.clusters_in(above)
        degrees = np.where(failing > 0, failing, np.inf)
        lost, rows, _ = effective_shares(moments, above, below, total, n, 2 * level - 1, degrees)
        squares, part = moments.squares(self._coefficients(n)), np.asarray(_MARGIN)
        if moments.weighted:
            # Never more than Kish's number, which weights alone decide.
            part = _MARGIN * np.minimum(ratio(ratio(n**2, squares), rows), 1.0)
        alone = (squares <= n) & (not moments.weighted)  # one row in each cluster
        share = np.where(self.few_heavy(counts), 0.0, part)
        return np.where(alone, total, share * lost), np.where(alone, n, share * rows), most

    def few_heavy(self, counts: ConfusionCounts) -> Flags:
        """Thresholds at which few clusters hold most of the rows in question, so that the limit is not tested."""
        if (moments := counts.moments) is None or not self.is_binary:
            return np.zeros(np.shape(counts.tp), dtype=bool)
        return moments.few_heavy(~np.isnan(self.losses))

    def p_values(self, counts: ConfusionCounts, level: float = 0.95) -> Array:
        """p-values of the hypothesis that the mean on new rows exceeds the limit, in the shape of the counts.

        At a threshold fixed beforehand, the rows that count are binomial given the number of rows that the limit is
        about, so p is the exact tail; of losses with more than two values it is that of Hoeffding and Bentkus. Of
        clusters it is the tail at their effective number of rows, with a t distribution of as many degrees of freedom
        as clusters have a row that breaks the limit: few of them say little about how alike their rows are. The level
        is that of this t distribution. See `promised_thresholds`.
        """
        total, n, most = self.effective(counts, level)
        if self.is_binary or (moments := counts.moments) is None:
            return self.tail(total, n, most)
        # As if the rows of each cluster were alike.
        rows = ratio(n**2, moments.squares(self._coefficients(n)))
        return _limited(np.exp(-2 * rows * np.maximum(most - ratio(total, n), 0.0) ** 2), n, most)

    def tail(self, total: npt.ArrayLike, n: npt.ArrayLike, most: float) -> Array:
        """p-value of independent rows with this sum of losses, on a scale from 0 to 1."""
        return binomial_p_value(total, n, most) if self.is_binary else hoeffding_bentkus(total, n, most)

    def _coefficients(self, n: Array) -> Array:
        """Coefficients of the cells that the limit is about, for `ClusterMoments.squares`."""
        return np.broadcast_to(~np.isnan(self.losses), (*np.shape(n), 4)).astype(np.float64)


def losses_of(limit: Limit, rows: float = math.nan) -> tuple[CellLosses, ...]:
    """Express a limit as limits on mean losses that must all hold; empty if that is impossible.

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


def binomial_p_value(failures: npt.ArrayLike, n: npt.ArrayLike, most: float) -> Array:
    """Probability of at most so many failures among n rows that fail with probability `most`; 1 without rows."""
    k, size = np.broadcast_arrays(np.asarray(failures, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if not 0 < most < 1:
        return _limited(np.ones(k.shape), size, most)
    some = (size > 0) & (size - k > _SLACK)
    return np.where(some, betainc(np.where(some, size - k, 1.0), np.where(some, k, 0.0) + 1, 1 - most), 1.0)


def hoeffding_bentkus(total: npt.ArrayLike, n: npt.ArrayLike, most: float) -> Array:
    """The p-value of the hypothesis that the mean of losses between 0 and 1 exceeds `most`.

    The smaller of Hoeffding's bound, in its form with the relative entropy, and Bentkus' bound. See S. Bates, A.
    Angelopoulos, L. Lei, J. Malik, M. Jordan (2021), doi:10.1145/3478535.
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
    """Cap p-values at 1: also 1 without rows or for a limit of 0, and 0 for a limit of 1 or more."""
    if most >= 1:
        return np.where(n > 0, 0.0, 1.0)
    return np.where((n > 0) & (most > 0), np.minimum(np.nan_to_num(values, nan=1.0), 1.0), 1.0)


def _losses(measure: MetricDef, sign: float, value: float) -> CellLosses | None:
    """Losses of a measure that must be at most a value (sign 1) or at least it (−1); None if it is no mean."""
    get = {param.name: measure.arguments.get(param.name, param.default) for param in measure.params}
    if measure.reads:
        counted = 1.0 if sign > 0 else 0.0
        tp, fp, fn, tn = (
            (counted if cell in measure.numerator else 1 - counted) if cell in measure.denominator else math.nan
            for cell in _CELLS
        )
        return CellLosses((tp, fp, fn, tn), value if sign > 0 else 1 - value)
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


GRID = 1000  # thresholds that are tested; tables of up to this many distinct scores have all of theirs tested
STARTS = 10  # starts along the axis for a limit that is safe at neither end

STEPS = 12
"""Most starts of a limit on the rows that are called positive, or negative; each has half as many rows as the next."""


@dataclass(frozen=True, eq=False)
class Promise:
    """Thresholds at which all limits hold on new rows from the same population, with a stated confidence."""

    table: ThresholdTable
    limits: tuple[Limit, ...]
    level: float  # the confidence, for all promised thresholds and all limits together
    tested: Indices  # shape (g,): rows of the table, the strictest first; they depend on the scores alone
    holds: Flags  # shape (g,): which of them are promised
    error: float  # the share of 1 − level that one limit, or all limits that are safe at the same end, may spend
    withheld: Flags  # shape (g,): where few clusters hold most rows that a limit is about

    @property
    def rows(self) -> Indices:
        """Rows of the table whose thresholds are promised."""
        return self.tested[self.holds]

    @cached_property
    def ranges(self) -> Array:
        """Promised ranges of thresholds, ascending, shape (m, 2); neighbours among the tested make one."""
        ranges = self.table.ranges(*(self.tested[ends] for ends in runs_of(self.holds)))
        return ranges[::-1] if self.table.higher_is_positive else ranges

    def choose(self, goal: Goal) -> Choice:
        """Choose the best promised threshold for a goal; raises NoThreshold if there is none, or it is undefined."""
        if not self.holds.any():
            raise NoThreshold("No threshold is promised to keep the limits.")
        rows, table = self.rows, self.table
        choice = goal.choose(ThresholdTable(table.thresholds[rows], table.counts[rows]))
        tied = table.rows(choice.tied_thresholds)
        low, high = table.ranges(*(table.rows([choice.threshold]),) * 2)[0].tolist()
        return replace(choice, low=low, high=high, ties=table.ranges(tied, tied))


def promised_thresholds(scored: ScoredLabels, limits: Sequence[Limit], level: float = 0.95) -> Promise:
    """Find the thresholds at which all limits hold on new rows, with a joint confidence.

    The thresholds tested depend on the scores alone (`rank_grid`). A limit on recall, the miss rate, specificity, the
    false positive rate or the share of rows flagged only gets safer towards one end: from there, thresholds are tested
    at the whole error until the first that fails (a fixed sequence); without clusters the last that passes is found
    among all scores. Other limits start at several places, each with its part of the error, which goes on to the next
    threshold as long as none fails (`fallback`). Limits that are safe at the same end share one error; else it is
    divided evenly. Nothing is promised where few clusters hold most of the rows that a limit is about, nor for rows
    that are not drawn like these: after drift, at another prevalence, or those a system was trained on. ValueError
    without limits, or for one on no mean, such as MCC. See A. Angelopoulos and others (2025), doi:10.1214/24-AOAS1998;
    S. Bates and others (2021), doi:10.1145/3478535.
    """
    check_level(level)
    table, limits = scored.table(), tuple(limits)
    made = [losses_of(limit, float(table.counts[0].total)) for limit in limits]
    if not limits or not all(made):
        raise ValueError("A promise needs limits, each on a share of rows or on a mean; see `losses_of`.")
    losses = [one for of_limit in made for one in of_limit]
    ends = [one.safe_end for one in losses]
    error = (1 - level) / (len(set(ends) - {""}) + ends.count(""))
    tested = rank_grid(table)
    if not scored.clusters and "" not in ends:
        # The last thresholds that pass are known exactly.
        ranges = [_safe_to(one, table, error, end) for one, end in zip(losses, ends, strict=True)]
        first, last = max(first for first, _ in ranges), min(last for _, last in ranges)
        if first <= last:
            tested = np.union1d(tested, [first, last])
        holds = (tested >= first) & (tested <= last)
        return Promise(table, limits, level, tested, holds, error, np.zeros(len(tested), dtype=bool))
    counts = scored.counts_at(table.thresholds[tested])  # with their clusters
    each = (_promised(one, counts, error, end) for one, end in zip(losses, ends, strict=True))
    withheld = np.logical_or.reduce([one.few_heavy(counts) for one in losses])
    return Promise(table, limits, level, tested, np.logical_and.reduce([*each]) & ~withheld, error, withheld)


def choose_promised(scored: ScoredLabels, goal: Goal, level: float = 0.95) -> Choice:
    """Choose the best of the `promised_thresholds` of a goal's limits; raises NoThreshold without any."""
    return promised_thresholds(scored, goal.limits, level).choose(goal)


def rank_grid(table: ThresholdTable, most: int = GRID) -> Indices:
    """Tested rows of a threshold table: all, or those at `most` equal steps of the rows called positive."""
    if len(table) <= most + 1:
        return np.arange(len(table))
    counts = table.counts
    flagged = in_blocks(lambda rows: counts.tp[rows] + counts.fp[rows], len(table))
    return np.unique(np.minimum(flagged.searchsorted(np.linspace(0, flagged[-1], most + 1)), len(table) - 1))


def fallback(p_values: npt.ArrayLike, starts: Collection[int], error: float) -> Flags:
    """Reject hypotheses in order, from several starting points that share the error evenly.

    Each start brings its part; what was spent on a hypothesis that is rejected goes on to the next, and is lost at the
    first one that is not. With one start, at the first, it is the fixed sequence. See B. Wiens, A. Dmitrienko (2005),
    doi:10.1080/10543400500265660.

    >>> fallback([0.01, 0.03, 0.2, 0.02], [0], 0.05).tolist(), fallback([0.01, 0.03, 0.2, 0.02], [0, 3], 0.05).tolist()
    ([True, True, False, False], [True, False, False, True])
    """
    part, places, left, rejected = error / max(len(starts), 1), set(map(int, starts)), 0.0, []
    for place, p_value in enumerate(np.asarray(p_values, dtype=np.float64).tolist()):
        left += part if place in places else 0.0
        rejected.append(p_value <= left * (1 + 1e-12))
        left = left if rejected[-1] else 0.0
    return np.array(rejected, dtype=bool)


def _promised(one: CellLosses, counts: ConfusionCounts, error: float, end: str) -> Flags:
    """Mark the tested thresholds at which a limit is promised, from the strictest on."""
    if end:
        # Whatever is safer than one that passes is safe too. Of clusters, the safest may have too few with a row that
        # breaks the limit to tell how alike rows are.
        passes = np.flatnonzero(one.p_values(counts, 1 - error) <= error)
        places = np.arange(len(counts.tp))
        return places >= passes.min(initial=len(places)) if end == "lax" else places <= passes.max(initial=-1)
    _, n, most = one.scaled(counts)
    if (moments := counts.moments) is not None:
        # Of as many rows as tell as much if those of a cluster are alike, by their number or weight alone.
        n = n * ratio(counts.total, moments.squares(np.ones((*np.shape(n), 4))))
    step = -1 if one.called == "negative" else 1  # from the laxest on where few rows are called negative
    starts = _starts(one.called, n[::step], most, error)
    return fallback(one.p_values(counts, 1 - error / len(starts))[::step], starts, error)[::step]


def _starts(called: str, n: Array, most: float, error: float) -> Indices:
    """First rows of the tests, in order: where enough rows are called so, and at each doubling of them."""
    if not called:
        return np.unique(np.linspace(0, len(n) - 1, STARTS + 2)[1:-1].astype(np.intp))
    fewest = math.log(error / STEPS) / math.log(1 - most) if 0 < most < 1 else 1.0
    places = n.searchsorted(fewest * 2.0 ** np.arange(STEPS + 1))
    places = np.unique(places[places < len(n)])
    return places if len(places) else np.array([len(n) - 1])


def _safe_to(one: CellLosses, table: ThresholdTable, error: float, end: str) -> tuple[int, int]:
    """First and last row that pass, found by bisection; one of them is the safe end."""
    length = len(table)
    rows = range(length - 1, -1, -1) if end == "lax" else range(length)
    count = bisect(rows, False, key=lambda row: not one.p_values(table.counts[row]) <= error * (1 + 1e-12))
    return (length - count, length - 1) if end == "lax" else (0, count - 1)


_MOST = 1e12  # rows that nobody will have


def rows_for_promise(promise: Promise, counts: ConfusionCounts, power: float = 0.8) -> float:
    """Number of rows with which a threshold passes the tests of all limits with some probability.

    Assumes that the limits are tested at this threshold with the error of one start, and that rates and clusters stay
    as in these counts. Infinite where a limit does not hold in them, or only just.
    """
    total = float(counts.total)
    losses = [one for limit in promise.limits for one in losses_of(limit, total)]
    return max(_rows(one, counts, promise.error, 1 - (1 - power) / len(losses)) for one in losses)


def _rows(one: CellLosses, counts: ConfusionCounts, error: float, power: float) -> float:
    """Number of rows with which the test of one limit passes with some probability."""
    error = error if one.safe_end else error / (STEPS if one.called else STARTS)
    losses, n, most = one.effective(counts, 1 - error)
    lost, rows, of_rows = float(losses), float(n), float(counts.total)
    if not rows > 0 or not lost / rows < most:
        return math.inf
    mean = lost / rows
    # Of one row; of losses with two values it is exact, else no more than this.
    spread = math.sqrt(mean * (1 - mean))

    def passes(all_rows: float) -> bool:
        size = all_rows * rows / of_rows
        if one.is_binary:
            size = math.floor(size + 1e-9)
            highest = _binomial_quantile(power, size, mean)
        else:
            highest = size * mean + float(ndtri(power)) * spread * math.sqrt(size)
        return size > 0 and highest < size and float(one.tail(highest, size, most)) <= error

    high = max(math.ceil(of_rows), 1.0)
    while not passes(high):
        high *= 2
        if high > _MOST:
            return math.inf
    low = 0.0
    while high - low > max(1.0, 1e-3 * high):
        middle = math.floor((low + high) / 2)
        low, high = (low, middle) if passes(middle) else (middle, high)
    return float(high)


def _binomial_quantile(share: float, n: int, mean: float) -> float:
    """Quantile of the binomial distribution: the smallest k with P(X ≤ k) ≥ `share`."""
    if not n or not mean > 0:
        return 0.0
    rows = math.ceil(float(bdtrik(share, n, mean)))
    return float(rows - 1 if rows and float(bdtr(rows - 1, n, mean)) >= share else rows)
