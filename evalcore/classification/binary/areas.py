"""Measures of scores that need no threshold: areas under the curves and the largest gap between them."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from evalcore.classification.binary.curves import height_at
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable
from evalcore.numeric import Array, inner, over_blocks, ratio
from evalcore.registry import PARTIAL, Param, metric

__all__ = ["PrecisionRecallGainCurve", "average_precision", "davis_goadrich_area", "gini", "ks_statistic"]
__all__ += ["partial_auc", "partial_auc_over_recall", "precision_recall_gain_area", "precision_recall_gain_curve"]
__all__ += ["roc_auc"]

_ONE_CLASS = "there are no actual positives or no actual negatives"
_area = partial(metric, family="scores", best=1, undefined_when=_ONE_CLASS)
_LOWEST_FPR = Param("lowest_fpr", 0.0, 0.0, 1.0, "False positive rate at which the area starts.")
_HIGHEST_FPR = Param("highest_fpr", 1.0, 0.0, 1.0, "False positive rate at which the area ends.")
_LOWEST_TPR = Param("lowest_tpr", 0.0, 0.0, 1.0, "Recall at which the area starts.")
_HIGHEST_TPR = Param("highest_tpr", 1.0, 0.0, 1.0, "Recall at which the area ends.")


@_area(name="Area under the ROC curve", symbol="AUC", formula=r"P(s_+ > s_-) + \tfrac{1}{2} P(s_+ = s_-)",
       aliases=("ROC AUC", "AUROC", "c statistic", "concordance", "area under the curve"), reference="bamber1975",
       interval="delong")  # fmt: skip
def roc_auc(scored: ScoredLabels) -> float:
    """Probability that a random positive scores above a random negative; a tie counts half.

    How to read it: ½ is guessing, 1 a perfect order; below ½ the scores point the wrong way. It does not depend on the
    prevalence, and it includes parts of the curve where nobody would set the threshold.

    >>> roc_auc(ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    tp, fp = scored.steps.tp, scored.steps.fp
    doubled = over_blocks(lambda b: inner(tp[1:][b] + tp[b], fp[1:][b] - fp[b]), len(tp) - 1)
    return float(ratio(sum(doubled), 2 * scored.positives * scored.negatives))


@_area(name="Average precision", symbol="AP", formula=r"\sum_k (r_k - r_{k-1})\, p_k",
       undefined_when="there are no actual positives", aliases=("area under the precision–recall curve", "PR AUC"),
       reference="su2015", help="Average precision: compare it with the prevalence")  # fmt: skip
def average_precision(scored: ScoredLabels) -> float:
    """Mean of the precision at each threshold, weighted by the recall gained there, without interpolation.

    How to read it: guessing gives the prevalence, so compare it with the prevalence and not with ½. It holds for one
    prevalence only, and it weights the top of the list more than the ROC curve does.

    >>> average_precision(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1))
    0.8333333333333333
    """
    before = scored.steps.tp
    tp, fp = scored.steps.tp[1:], scored.steps.fp[1:]
    parts = over_blocks(lambda b: inner(tp[b] - before[b], tp[b] / (tp[b] + fp[b])), len(tp))
    return float(ratio(math.fsum(parts), scored.positives))


@metric(name="Partial area under the ROC curve", symbol="pAUC", family="scores", formula=r"\int_a^b TPR \, dFPR",
        undefined_when=_ONE_CLASS, better="higher", params=(_LOWEST_FPR, _HIGHEST_FPR), reference="mcclish1989",
        group=PARTIAL,
        help="Area under the ROC curve over the range of false positive rates; at best its width")  # fmt: skip
def partial_auc(scored: ScoredLabels, lowest_fpr: float = 0, highest_fpr: float = 1, corrected: bool = False) -> float:
    """Area under the ROC curve between two false positive rates.

    How to read it: use it when only part of the curve matters in practice. Uncorrected, its best value is the width of
    the range; corrected (McClish), ½ is guessing and 1 is perfect for any range.

    ValueError when the range is empty or not inside 0 … 1.

    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> partial_auc(scored, 0, 0.5), partial_auc(scored, 0, 0.5, corrected=True)
    (0.25, 0.6666666666666666)
    """
    _check_range(lowest_fpr, highest_fpr, "fpr")
    return _area_between(*_roc(scored), lowest_fpr, highest_fpr, corrected)


@metric(name="Partial area over a range of recall", symbol="pAUC(TPR)", family="scores",
        formula=r"\int_a^b (1 - FPR) \, dTPR", undefined_when=_ONE_CLASS, better="higher",
        params=(_LOWEST_TPR, _HIGHEST_TPR), reference="walter2005", group=PARTIAL,
        help="Area to the right of the ROC curve over the range of recall; at best its width")  # fmt: skip
def partial_auc_over_recall(
    scored: ScoredLabels, lowest_tpr: float = 0, highest_tpr: float = 1, corrected: bool = False
) -> float:
    """Area to the right of the ROC curve between two values of recall.

    How to read it: like the partial area over the false positive rate, for those who must reach a given recall and ask
    what it costs in false alarms.

    ValueError when the range is empty or not inside 0 … 1.

    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> partial_auc_over_recall(scored, 0.5, 1)
    0.25
    """
    _check_range(lowest_tpr, highest_tpr, "tpr")
    fpr, tpr = _roc(scored)
    # The curve is turned so that recall is the axis that is walked: from (1, 1) down to (0, 0).
    return _area_between(1 - tpr[::-1], (1 - fpr)[::-1], 1 - highest_tpr, 1 - lowest_tpr, corrected)


@_area(name="Area under the precision–recall curve, interpolated", symbol="AUPRC", formula=r"\int_0^1 PPV \, dTPR",
       undefined_when="there are no actual positives", aliases=("Davis–Goadrich area",),
       reference="davis2006")  # fmt: skip
def davis_goadrich_area(scored: ScoredLabels) -> float:
    """Area under the precision–recall curve, interpolated between thresholds as the counts allow.

    How to read it: like average precision, for scores with many ties: between two thresholds the rows are taken in
    random order, so TP and FP grow together and precision follows a curve. Guessing gives the prevalence.

    >>> scored = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1], positive=1)
    >>> round(davis_goadrich_area(scored), 12)
    0.887326536084
    """
    tp, fp = scored.steps.tp, scored.steps.fp

    def pieces(rows: slice) -> float:
        tp_added = tp[1:][rows] - tp[rows]
        begun = np.flatnonzero(tp_added)  # only steps that find a positive have a width
        tp_added, hits, called = tp_added[begun], tp[rows][begun], tp[rows][begun] + fp[rows][begun]
        more = tp[1:][rows][begun] + fp[1:][rows][begun] - called
        # Over a step from s called rows to s(1 + u) the mean precision is a sum of two means, both positive.
        with np.errstate(divide="ignore", invalid="ignore"):
            constant, rising = _means_over(more / called)
            mean = np.where(called > 0, hits / called * constant + tp_added / called * rising, tp_added / more)
        return inner(tp_added, mean)

    return float(ratio(math.fsum(over_blocks(pieces, len(tp) - 1)), scored.positives))


@_area(name="Gini coefficient", symbol="Gini", formula=r"2\,AUC - 1", lowest=-1,
       aliases=("Somers' D", "accuracy ratio"), reference="fawcett2006", interval="delong",
       help="2 · AUC − 1")  # fmt: skip
def gini(scored: ScoredLabels) -> float:
    """Area under the ROC curve, rescaled so that guessing is 0.

    How to read it: it carries the same information as the AUC.

    >>> gini(ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.5
    """
    return 2 * roc_auc(scored) - 1


@_area(name="Kolmogorov–Smirnov statistic", symbol="KS", formula=r"\max_t |TPR(t) - FPR(t)|",
       aliases=("Kolmogorov-Smirnov",), reference="smirnov1948",
       help="Largest vertical gap between the ROC curve and the diagonal")  # fmt: skip
def ks_statistic(scored: ScoredLabels) -> float:
    """Largest gap between the shares of positives and of negatives above a threshold.

    How to read it: the largest vertical distance of the ROC curve from the diagonal; equal to the highest |J|.

    >>> ks_statistic(ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.5
    """
    tp, fp, positives, negatives = scored.steps.tp, scored.steps.fp, scored.positives, scored.negatives

    def largest(rows: slice) -> float:
        gap = tp[rows] * negatives - fp[rows] * positives
        return max(gap.max(), -gap.min())

    return float(ratio(max(over_blocks(largest, len(tp))), positives * negatives))


_SERIES = 1 / np.arange(1, 8) * (-1.0) ** np.arange(7)


def _means_over(growth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means of 1/(1 + uλ) and λ/(1 + uλ) over λ in 0 … 1; by their series where u is small and differences cancel."""
    large = np.flatnonzero(growth > 1e-3)
    small = np.minimum(growth, 1e-3)
    constant, rising = np.polyval(_SERIES[5::-1], small), np.polyval(-_SERIES[6:0:-1], small)
    u = growth[large]
    constant[large] = np.log1p(u) / u
    rising[large] = (1 - constant[large]) / u
    return constant, rising


def _roc(scored: ScoredLabels) -> tuple[np.ndarray, np.ndarray]:
    return ratio(scored.steps.fp, scored.negatives), ratio(scored.steps.tp, scored.positives)


def _check_range(lowest: float, highest: float, axis: str) -> None:
    if not 0 <= lowest < highest <= 1:
        raise ValueError(f"The range of {axis} must be a part of 0 … 1 with its start below its end.")


def _area_between(x: Array, y: Array, lowest: float, highest: float, corrected: bool) -> float:
    """Trapezoids under the points (x ascending) from x = lowest to x = highest; corrected, ½ is the diagonal, 1 all."""
    if np.isnan(x[-1]) or np.isnan(y[-1]):
        return float("nan")
    inside = (x > lowest) & (x < highest)
    # Where the curve jumps at an end of the range, the area touches the inner height.
    first, last = height_at(x, y, lowest, "right"), height_at(x, y, highest, "left")
    xs, ys = np.concatenate([[lowest], x[inside], [highest]]), np.concatenate([[first], y[inside], [last]])
    area, chance = inner(xs[1:] - xs[:-1], (ys[1:] + ys[:-1]) / 2), (highest**2 - lowest**2) / 2
    if not corrected:
        return area
    # A range too narrow for its width to be told from that under the diagonal has no correction.
    more = highest - lowest - chance
    return (1 + (area - chance) / more) / 2 if more > 0 else float("nan")


@dataclass(frozen=True, eq=False)
class PrecisionRecallGainCurve:
    """Precision gain against recall gain."""

    # Shape (t,): 0 is calling everything positive, 1 is perfect; the curve is straight between thresholds. The recall
    # gain increases from 0: thresholds with a recall below the prevalence, where it is negative, are left out, and the
    # first point is where the curve enters.
    recall_gain: Array
    precision_gain: Array
    thresholds: Array  # shape (t,): the strictest first; nan at the first point when it lies between two thresholds


def precision_recall_gain_curve(table: ThresholdTable) -> PrecisionRecallGainCurve:
    """Precision gain against recall gain at thresholds with a recall from the prevalence on; no point for one class."""
    tp, fp = table.counts.tp, table.counts.fp
    used = _used_for_gains(tp, fp)
    if used is None:
        return PrecisionRecallGainCurve(*np.empty((3, 0)))
    start, entered, hits, alarms = used
    gains, thresholds = _gains(hits, alarms, float(fp[-1])), table.thresholds[start:]
    return PrecisionRecallGainCurve(*gains, np.append(np.nan, thresholds) if entered else thresholds)


@_area(name="Area under the precision–recall-gain curve", symbol="AUPRG",
       formula=r"\int_0^1 \frac{PPV - PREV}{(1 - PREV)\,PPV} \; d\,\frac{TPR - PREV}{(1 - PREV)\,TPR}",
       help="Area under the PR-gain curve: calling everything positive is 0, perfect 1, whatever the prevalence",
       lowest=float("-inf"), undefined_when="there are no actual positives or no actual negatives",
       aliases=("PR gain area",), reference="flach2015")  # fmt: skip
def precision_recall_gain_area(scored: ScoredLabels) -> float:
    """Area under the curve of precision gain against recall gain.

    How to read it: calling everything positive is 0 and perfect is 1, whatever the prevalence. The area under the
    precision–recall curve can reward thresholds that no F1 would choose; this one averages precision gain over
    recall gain, and its curve may be read between points.

    >>> precision_recall_gain_area(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1))
    0.25
    """
    used = _used_for_gains(scored.steps.tp, scored.steps.fp)
    if used is None:
        return float("nan")
    _, _, hits, alarms = used

    def pieces(rows: slice) -> float:
        both = slice(rows.start, rows.stop + 1)
        recall_gain, precision_gain = _gains(hits[both], alarms[both], float(scored.steps.fp[-1]), hits)
        return inner(np.diff(recall_gain), (precision_gain[1:] + precision_gain[:-1]) / 2)

    return math.fsum(over_blocks(pieces, len(hits) - 1))


def _used_for_gains(tp: Array, fp: Array) -> tuple[int, bool, Array, Array] | None:
    """First row used, whether a point is inserted before it, and the counts from there; None without both classes."""
    positives, negatives = float(tp[-1]), float(fp[-1])
    if not positives or not negatives:
        return None
    # True positives at a recall equal to the prevalence. A row with exactly as many is the entry itself.
    entry = positives * positives / (positives + negatives)
    start = int(tp.searchsorted(entry))
    entered = bool(tp[start] != entry)
    hits, alarms = tp[start:], fp[start:]
    if entered:
        share = (entry - tp[start - 1]) / (tp[start] - tp[start - 1])
        hits = np.append(entry, hits)
        alarms = np.append(fp[start - 1] + share * (fp[start] - fp[start - 1]), alarms)
    return start, entered, hits, alarms


def _gains(hits: Array, alarms: Array, negatives: float, every: Array | None = None) -> tuple[Array, Array]:
    """Recall gain and precision gain of some rows; `every` row that is used has the first and the last of the hits."""
    every = hits if every is None else every
    odds = float(every[-1]) / negatives
    recall_gain = 1 - odds * ratio(every[-1] - hits, hits)
    recall_gain[hits == every[0]] = 0.0
    return recall_gain, 1 - odds * ratio(alarms, hits)
