"""The axis of the scores: the place of each score between 0 and 1, and the densities of both classes along it."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.counts import ConfusionCounts, Measure
from evalcore.classification.binary.scores import ScoredLabels
from evalcore.numeric import Array, ratio

__all__ = ["MeasureField", "ScoreAxis", "ScoreBars", "ScoreBins", "measure_over_pr", "measure_over_roc"]
__all__ += ["region_over_pr", "region_over_roc", "score_axis", "score_bars", "score_dots"]

BEYOND = 0.03  # share of the axis beyond the last score, for the threshold at which nothing is positive
CENTRAL = 0.98  # share of each class that an axis of extent "central" shows
EXTENTS = ("all", "central", "log")
_LARGEST = np.finfo(float).max


@dataclass(frozen=True)
class ScoreAxis:
    """Places of scores along a line from 0 to 1."""

    # The scores at its two ends, low < high.
    low: float
    high: float
    log: bool = False  # whether the axis is logarithmic
    higher: bool = True  # whether higher scores are positive; the room beyond the last score is on that side
    left_out: float = 0.0  # rows, or the sum of their weights, whose scores lie outside the ends

    def x(self, scores: npt.ArrayLike) -> Array:
        """Places of scores in 0 … 1; those before the ends are at the nearer one, those beyond at the end of the room.

        As a threshold, what lies beyond calls no row on the axis positive, like the infinite one.
        """
        values = np.asarray(scores, dtype=np.float64)
        along = np.clip(self.along(values), 0.0, 1.0) * (1 - BEYOND)
        if self.higher:
            return np.where(values > self.high, 1.0, along)
        return np.where(values < self.low, 0.0, BEYOND + along)

    def along(self, scores: npt.ArrayLike) -> Array:
        """Scores as shares of the way from the low to the high end; below 0 and above 1 outside."""
        values = np.asarray(scores, dtype=np.float64)
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.where(values > 0, np.log(values), -np.inf)
            return (logs - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        # In halves, because the range of the largest scores would overflow.
        with np.errstate(over="ignore"):
            return (values / 2 - self.low / 2) / (self.high / 2 - self.low / 2)

    def scores_at(self, shares: npt.ArrayLike) -> Array:
        """The scores at some shares of the way between the ends, never outside them."""
        share = np.asarray(shares, dtype=np.float64)
        if self.log:
            scores = np.exp(math.log(self.low) * (1 - share) + math.log(self.high) * share)
        else:
            scores = self.low * (1 - share) + self.high * share
        return np.where(share <= 0, self.low, np.where(share >= 1, self.high, np.clip(scores, self.low, self.high)))

    def ticks(self, about: int = 6) -> Array:
        """Round scores for the ticks of the axis, at least two, ascending."""
        ticks = self._decades(about) if self.log else self._steps(about)
        ticks = np.unique(ticks[(ticks >= self.low) & (ticks <= self.high)])
        return ticks if len(ticks) > 1 else np.array([self.low, self.high])

    def _steps(self, about: int) -> Array:
        half = (self.high / 2 - self.low / 2) / about
        if not half > 1e-300:
            return np.empty(0)
        size = 10.0 ** math.floor(math.log10(half))
        half_step = next(size * factor for factor in (1, 2.5, 5, 10, 25) if size * factor >= half * 0.9)
        first, last = math.ceil(self.low / 2 / half_step - 1e-9), math.floor(self.high / 2 / half_step + 1e-9)
        if not 0 < last - first < 4 * about:
            return np.empty(0)
        # Formatted and parsed again, so that a tick at three steps of 0.1 is 0.3.
        with np.errstate(over="ignore"):
            return np.array([float(f"{2.0 * (half_step * k):.12g}") for k in range(first, last + 1)])

    def _decades(self, about: int) -> Array:
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        if last - first >= 2:
            return np.array([float(f"1e{k}") for k in range(first, last + 1, -(-(last - first) // about))])
        return np.array([float(f"{m}e{k}") for k in range(first - 1, last + 1) for m in (1, 2, 5)])


def score_axis(scored: ScoredLabels, extent: str = "all") -> ScoreAxis:
    """An axis for the scores of a state.

    From the lowest to the highest score ("all"; 0 to 1 where they are spread over that range), over the central 98 % of
    each class ("central"), or by equal ratios over the positive scores ("log"; all scores if none is positive).
    """
    sides = [(scored.positive_scores, scored.positive_weights), (scored.negative_scores, scored.negative_weights)]
    sides, higher = [side for side in sides if len(side[0])], scored.higher_is_positive
    if not sides:
        return ScoreAxis(0.0, 1.0, higher=higher)
    ends = [_ends(*side, CENTRAL if extent == "central" else 1.0) for side in sides]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    log = extent == "log" and high > 0
    if log and low <= 0:
        low = min(float(s[s.searchsorted(0.0, side="right")]) for s, _ in sides if s[-1] > 0)
    elif extent == "all" and low >= 0 and high <= 1 and high - low > 0.2:
        low, high = 0.0, 1.0
    at = scored.counts_at([low, math.nextafter(high, math.inf)] if higher else [math.nextafter(low, -math.inf), high])
    left_out = float(at.total[0]) - abs(float(np.diff(at.predicted_positives)[0]))
    return ScoreAxis(*_apart(low, high, log), log, higher, left_out)


def _ends(scores: Array, weights: Array | None, share: float) -> tuple[float, float]:
    tail = (1 - share) / 2
    if weights is None:
        first = int(tail * (len(scores) - 1))
        return float(scores[first]), float(scores[len(scores) - 1 - first])
    # Cumulated from the strictest score on: from the highest down, or from the lowest up.
    higher = weights[0] > 0
    cumulated = weights[::-1] if higher else weights
    many = cumulated.searchsorted(np.array([tail, 1 - tail]) * cumulated[-1], side="right")
    indices = len(scores) - many if higher else many - 1
    low, high = np.sort(scores[np.clip(indices, 0, len(scores) - 1)]).tolist()
    return low, high


def _apart(low: float, high: float, log: bool) -> tuple[float, float]:
    """The two ends with room between them."""
    if log:
        return (low, high) if math.log(high) - math.log(low) > 1e-9 else (max(low / 2, 5e-324), min(high, 1e308) * 1.7)
    if high / 2 - low / 2 > 0:
        return low, high
    room = max(abs(low), abs(high), 1e-300) * 0.1
    if max(abs(low), abs(high)) < 1e-290:
        room = 1.0 if low == high == 0 else 1e-290
    return max(low - room, -_LARGEST), min(high + room, _LARGEST)


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Rows of each class in bins."""

    # Shape (b + 1,): ascending; a bin holds the scores with lower edge <= score < upper edge, the last one its upper
    # edge too. Where lower scores are positive, lower edge < score <= upper edge, the first one its lower edge too.
    edges: Array
    # Shape (b,): rows, or sums of weights.
    positives: Array
    negatives: Array


@dataclass(frozen=True, eq=False)
class ScoreBars:
    """Bars on an axis of scores, from left to right."""

    # Shape (b,): places on the axis, 0 … 1.
    left: Array
    right: Array
    # Shape (b,): range of scores of a bar, both ends included; equal for a single score.
    low: Array
    high: Array
    # Shape (b,): rows, or sums of weights.
    positives: Array
    negatives: Array


def score_bins(scored: ScoredLabels, edges: Array) -> ScoreBins:
    """Count the scores of both classes between ascending edges; scores outside are not counted."""
    edges = np.asarray(edges, dtype=np.float64)
    end, beyond = (-1, math.inf) if scored.higher_is_positive else (0, -math.inf)
    widened = edges.copy()
    widened[end] = math.nextafter(edges[end], beyond)
    at = scored.counts_at(widened)
    return ScoreBins(edges, np.abs(np.diff(at.tp)), np.abs(np.diff(at.fp)))


def score_bars(scored: ScoredLabels, axis: ScoreAxis, bins: int = 40) -> ScoreBars:
    """The histogram of both classes on an axis; it does not depend on the threshold.

    With no more distinct scores than bins, each score has its own bar, which starts at the score and extends to the
    positive side, so that a threshold at a score never splits its rows.
    """
    thresholds = scored.thresholds()
    if len(thresholds) - 1 <= bins:
        return _bars_of_scores(scored, axis, thresholds, bins)
    shares = np.linspace(0, 1, bins + 1)
    edges = _snapped(axis.scores_at(shares), thresholds[:0:-1] if axis.higher else thresholds[1:])
    counted = score_bins(scored, edges)
    x = (0.0 if axis.higher else BEYOND) + shares * (1 - BEYOND)
    return ScoreBars(x[:-1], x[1:], edges[:-1], edges[1:], counted.positives, counted.negatives)


def score_dots(scored: ScoredLabels, axis: ScoreAxis, width: float) -> list[tuple[bool, float, float, int, float]]:
    """A dot for each row that the axis shows, stacked where they would touch.

    The width of a dot is a share of the axis. Each dot is (is positive, score, position, level, weight); level 0 is on
    the base line.
    """
    dots = []
    for is_positive in (True, False):
        scores, weights = scored.rows_of(is_positive)
        shown = (scores >= axis.low) & (scores <= axis.high)
        x = axis.x(scores)
        ends: list[float] = []  # place of the last dot of each level
        for k in sorted(np.flatnonzero(shown).tolist(), key=lambda k: x[k]):
            position = float(x[k])
            level = next((n for n, end in enumerate(ends) if position - end >= width), len(ends))
            ends[level : level + 1] = [position]
            dots.append((is_positive, float(scores[k]), position, level, float(weights[k])))
    return dots


def _bars_of_scores(scored: ScoredLabels, axis: ScoreAxis, thresholds: Array, bins: int) -> ScoreBars:
    """Bars, one per distinct score."""
    at = scored.counts_at(thresholds)
    order = np.argsort(thresholds[1:], kind="stable")
    scores, positives, negatives = thresholds[1:][order], np.diff(at.tp)[order], np.diff(at.fp)[order]
    shown = (scores >= axis.low) & (scores <= axis.high)
    scores, positives, negatives = scores[shown], positives[shown], negatives[shown]
    x = axis.x(scores)
    gaps = np.diff(x)
    widest = min((1 - BEYOND) / bins, 0.9 * BEYOND)
    width = max(min(widest, float(gaps[gaps > 0].min()) if (gaps > 0).any() else widest), 0.004)
    left, right = (x, x + width) if axis.higher else (x - width, x)
    return ScoreBars(left, right, scores, scores, positives, negatives)


def _snapped(edges: Array, ascending: Array) -> Array:
    """Edges moved onto the score that they miss by rounding, so that 0.3 lies in the bin that starts at 0.3."""
    k = ascending.searchsorted(edges).clip(1, len(ascending) - 1)
    near = np.where(edges - ascending[k - 1] < ascending[k] - edges, ascending[k - 1], ascending[k])
    return np.where(np.abs(near / 2 - edges / 2) <= 1e-9 * np.abs(np.diff(edges / 2)).max(), near, edges)


# Ruling out needs sensitivity or NPV, ruling in specificity or PPV.
MEASURES = ("recall", "specificity", "precision", "negative_predictive_value")
_PLACES = 101


@dataclass(frozen=True, eq=False)
class MeasureField:
    """A measure over a plane."""

    # Shape (size,): grid along the axes, 0 … 1.
    x: Array
    y: Array
    # Shape (size, size): ``values[row of y, column of x]``; nan where the measure is undefined or no table has those
    # rates.
    values: Array

    def levels(self, about: int = 9) -> Array:
        """Round values for contour lines, ascending, over the middle 90 % of the field."""
        finite = self.values[np.isfinite(self.values)]
        if not len(finite):
            return np.empty(0)
        low, high = (float(end) for end in np.quantile(finite, [0.05, 0.95]))
        if not high > low:
            return np.empty(0)
        size = 10.0 ** math.floor(math.log10((high - low) / about))
        step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * about >= (high - low) * 0.999)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        return np.array([float(f"{step * k:.12g}") for k in range(first, last + 1)])


def measure_over_roc(measure: Measure, positives: float, negatives: float, size: int = 101) -> MeasureField:
    """A measure of counts over the false positive rate (x) and recall (y); for another prevalence give its shares."""
    axis = np.linspace(0, 1, size)
    fall_out, recall = axis[None, :], axis[:, None]
    tp, fp = np.broadcast_arrays(recall * positives, fall_out * negatives)
    return MeasureField(axis, axis, _values(measure, tp, fp, positives, negatives))


def measure_over_pr(measure: Measure, positives: float, negatives: float, size: int = 101) -> MeasureField:
    """A measure of counts over recall (x) and precision (y), as `measure_over_roc`.

    The counts follow: TP = recall · P, FP = TP · (1 − precision) / precision. At high recall and low precision no table
    exists: it would need more false alarms than there are negatives.
    """
    axis = np.linspace(0, 1, size)
    recall, precision = axis[None, :], axis[:, None]
    tp = np.broadcast_to(recall * positives, (size, size))
    fp = ratio(tp * (1 - precision), precision)
    fp = np.where(fp <= negatives * (1 + 1e-12), np.minimum(fp, negatives), np.nan)
    return MeasureField(axis, axis, _values(measure, tp, fp, positives, negatives))


def region_over_roc(measure: str, least: float, share: float) -> tuple[Array, Array]:
    """Outline (x, y) of the part of the ROC plane where one of `MEASURES` is at least a value; empty if nowhere.

    Closed, with straight sides. PPV and NPV depend on `share`, the prevalence.
    """
    if measure == "recall":
        return _closed(np.array([0.0, 1.0]), np.full(2, least))
    if measure == "specificity":
        return _closed(np.array([0.0, 1 - least]), np.zeros(2))
    odds = float(ratio(1 - share, share))
    if measure == "precision":
        # Precision is constant along rays from (0, 0).
        slope = float(ratio(least * odds, 1 - least))
        end = min(float(ratio(1.0, slope)), 1.0)
        return _closed(np.array([0.0, end]), np.array([0.0, min(slope, 1.0) if end == 1 else 1.0]))
    if measure == "negative_predictive_value":
        # NPV is constant along rays from (1, 1).
        slope = float(ratio(odds * (1 - least), least))
        start = max(1 - float(ratio(1.0, slope)), 0.0) if slope else 0.0
        return _closed(np.array([0.0, start, 1.0]), np.array([max(1 - slope, 0.0)] * 2 + [1.0]))
    raise ValueError(f"{measure!r} has no region; choose one of {', '.join(MEASURES)}.")


def region_over_pr(measure: str, least: float, own: float, share: float) -> tuple[Array, Array]:
    """The region of `region_over_roc` over recall (x) and precision (y); `own` is the prevalence of the sample."""
    if measure not in MEASURES:
        raise ValueError(f"{measure!r} has no region; choose one of {', '.join(MEASURES)}.")
    if measure == "recall":
        return _closed(np.array([least, 1.0]), np.zeros(2))
    x = np.linspace(0.0, 1.0, _PLACES)
    odds = float(ratio(1 - share, share))
    with np.errstate(divide="ignore", invalid="ignore"):
        # The highest false positive rate at each recall.
        highest = {
            "specificity": np.full(_PLACES, 1 - least),
            "precision": x * ratio(1 - least, least * odds),
            "negative_predictive_value": 1 - np.where(x < 1, ratio(least, 1 - least) * (1 - x) / odds, 0.0),
        }[measure]
    possible = highest >= 0
    x, alarms = x[possible], np.minimum(highest[possible], 1.0) * (1 - own)
    y = ratio(x * own, x * own + alarms)
    if measure == "precision" and len(y) > 1:
        y[0] = y[1]  # constant from there down to recall 0
    return _closed(x, np.where(x > 0, y, 0.0) if measure != "precision" else y)


def _values(measure: Measure, tp: Array, fp: Array, positives: float, negatives: float) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(measure(ConfusionCounts(tp, fp, positives - tp, negatives - fp)))


def _closed(x: Array, y: Array) -> tuple[Array, Array]:
    """The lower edge, closed along the top of the plane."""
    if not len(x) or np.isnan(x).any() or np.isnan(y).any():
        return np.empty(0), np.empty(0)
    return np.append(x, [x[-1], x[0]]), np.append(y, [1.0, 1.0])
