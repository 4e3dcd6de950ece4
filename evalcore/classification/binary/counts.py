"""The 2×2 table: true and false positives and negatives, for one cut or for many at once."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import ClusterCounts, ClusterMoments, cluster_codes
from evalcore.classification.binary.labels import equals, label_array, positive_label, weight_array
from evalcore.numeric import Array, Flags, Indices, ratio
from evalcore.registry import METRICS, MetricDef, metric

__all__ = ["ConfusionCounts", "accuracy", "among", "at_prevalence", "error_rate", "fall_out", "false_discovery_rate"]
__all__ += ["false_omission_rate", "filled_formula", "miss_rate", "negative_predictive_value", "precision"]
__all__ += ["predicted_prevalence", "prevalence", "recall", "specificity", "with_margin"]


def outcome_cells(actual: Flags, predicted: Flags) -> Indices:
    """Outcome of each row as an index into TP, FP, FN and TN."""
    return 3 - 2 * predicted.astype(np.intp) - actual


class _ClustersOfCounts:
    """Cluster data of counts, apart from the four cells, so that `vars` of counts gives only those."""

    __slots__ = ("_clusters", "_moments")
    _clusters: Callable[[Any], ClusterCounts] | None
    _moments: Callable[[], ClusterMoments] | None


@dataclass(frozen=True, eq=False)
class ConfusionCounts(_ClustersOfCounts):
    """The four outcomes of yes/no predictions.

    The shape of the arrays is the axis: ``()`` one table, ``(t,)`` thresholds, ``(k,)`` classes, ``(b,)`` resamples.
    Every measure of this family takes such counts and returns an array of the same shape.

    The cells, of one shape, are rows or sums of weights. Where rows belong together, `clusters` is a function of an
    index of the axis that gives the `ClusterCounts` of TP, FP, FN and TN there, and `moments` gives the
    `ClusterMoments` along the axis, where that is faster than one index after another.

    >>> counts = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
    >>> float(counts.total), float(counts.actual_positives), float(counts.predicted_positives)
    (2030.0, 30.0, 200.0)
    """

    tp: Array
    fp: Array
    fn: Array
    tn: Array

    def __init__(
        self, tp: npt.ArrayLike, fp: npt.ArrayLike, fn: npt.ArrayLike, tn: npt.ArrayLike, *,
        clusters: Callable[[Any], ClusterCounts] | None = None, moments: Callable[[], ClusterMoments] | None = None,
    ) -> None:  # fmt: skip
        object.__setattr__(self, "_clusters", clusters and cache(clusters))
        object.__setattr__(self, "_moments", moments and cache(moments))
        for cell, values in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn)):
            object.__setattr__(self, cell, np.asarray(values, dtype=np.float64))

    @classmethod
    def from_labels(
        cls, actual: npt.ArrayLike, predicted: npt.ArrayLike, positive: object, weights: npt.ArrayLike | None = None,
        clusters: npt.ArrayLike | None = None,
    ) -> "ConfusionCounts":  # fmt: skip
        """Count the four outcomes of rows of labels; every label other than `positive` is negative.

        All arrays have shape (n,). The positive label is as `ScoredLabels.from_arrays` takes it; weights, at least 0,
        are what each row counts (2 is the row twice); clusters are what each row belongs to, such as a patient:
        intervals then take whole clusters. ValueError when the lengths differ, a label is missing, no label is the
        positive one, or a weight is negative or not a number.

        >>> counts = ConfusionCounts.from_labels([1, 0, 0, 1], [1, 1, 0, 0], positive=1)
        >>> [int(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]
        [1, 1, 1, 1]
        """
        truth, predictions = label_array(actual, "actual"), label_array(predicted, "predicted")
        if (n := len(truth)) != (m := len(predictions)):
            raise ValueError(f"actual has {n} rows and predicted {m}; give one prediction for each row.")
        weight = None if weights is None else weight_array(weights, n)
        positive = positive_label(positive, truth, predictions)
        cell = outcome_cells(equals(truth, positive), equals(predictions, positive))
        tp, fp, fn, tn = np.bincount(cell, weights=weight, minlength=4)
        if clusters is None:
            return cls(tp, fp, fn, tn)
        codes = cluster_codes(clusters, len(truth))
        return cls(tp, fp, fn, tn, clusters=lambda _: ClusterCounts.of(cell, codes, 4, weight))

    @property
    def clusters(self) -> ClusterCounts | None:
        """Counts of each cluster in TP, FP, FN and TN, of counts of shape (); None if rows are independent."""
        return None if self._clusters is None or self.tp.shape else self._clusters(())

    @property
    def moments(self) -> ClusterMoments | None:
        """Moments over clusters in the shape of the counts, for variances; None if rows are independent."""
        if self._moments is None and (of := self._clusters) is not None and self.tp.ndim < 2:
            each = [of(index).moments for index in (range(len(self.tp)) if self.tp.shape else [()])]
            moments = ClusterMoments.stacked(each, self.tp.shape)
            object.__setattr__(self, "_moments", lambda: moments)
        return None if self._moments is None else self._moments()

    @property
    def actual_positives(self) -> Array:
        """P, the rows that are truly positive."""
        return self.tp + self.fn

    @property
    def actual_negatives(self) -> Array:
        """N, the rows that are truly negative."""
        return self.fp + self.tn

    @property
    def predicted_positives(self) -> Array:
        """T, the rows called positive."""
        return self.tp + self.fp

    @property
    def predicted_negatives(self) -> Array:
        """F, the rows called negative."""
        return self.fn + self.tn

    @property
    def total(self) -> Array:
        """n, all rows."""
        return self.tp + self.fp + self.fn + self.tn

    def __add__(self, other: "ConfusionCounts") -> "ConfusionCounts":
        return ConfusionCounts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    def __getitem__(self, index: Any) -> "ConfusionCounts":
        """The counts at some places of the axis."""
        cells = self.tp[index], self.fp[index], self.fn[index], self.tn[index]
        clusters = self._clusters
        if clusters is None or np.ndim(cells[0]) > 1:
            return ConfusionCounts(*cells)
        if not np.shape(cells[0]):
            return ConfusionCounts(*cells, clusters=lambda _: clusters(index))
        places, moments = np.arange(len(self.tp))[index].tolist(), self._moments
        some = None if moments is None else lambda: moments().at(places)
        return ConfusionCounts(*cells, clusters=lambda at: clusters(places[at]), moments=some)


Measure = Callable[[ConfusionCounts], Array]


class CountsOfRows(ConfusionCounts):
    """Counts at many thresholds of the same rows, of which FN and TN are computed for the thresholds asked for."""

    def __init__(self, tp: Array, fp: Array, positives: float, negatives: float) -> None:
        vars(self).update(tp=tp, fp=fp, _all=(positives, negatives), _clusters=None, _moments=None)

    def __getattr__(self, name: str) -> Array:
        if name not in ("fn", "tn"):
            raise AttributeError(name)
        vars(self)[name] = self._all[0] - self.tp if name == "fn" else self._all[1] - self.fp
        return vars(self)[name]

    def __getitem__(self, index: Any) -> ConfusionCounts:
        tp, fp = self.tp[index], self.fp[index]
        return ConfusionCounts(tp, fp, self._all[0] - tp, self._all[1] - fp)


_TOKEN = re.compile(r"\\beta|\\,|\\[A-Za-z]+|c_\{[A-Z]{2}\}|p_t|F_\\beta|[A-Za-z]+(?:_[a-z])?")
_SUMS = {"P": "actual_positives", "N": "actual_negatives", "T": "predicted_positives", "F": "predicted_negatives"}

_PARAMETERS = {r"\beta": "beta", "p_t": "probability"} | {
    f"c_{{{cell}}}": f"{cell.lower()}_cost" for cell in ("TP", "FP", "FN", "TN")
}


def filled_formula(
    measure: MetricDef, counts: ConfusionCounts, number: Callable[[float], str] = "{:g}".format,
    value: Callable[[MetricDef, float], str] = lambda _, x: f"{x:.4g}",
) -> str:  # fmt: skip
    """The LaTeX formula of a measure of counts, of shape (), with every letter replaced by its number.

    `number` writes a count or a parameter, `value` the value of a measure that stands in the formula of another.
    """
    cells = {"TP": counts.tp, "FP": counts.fp, "FN": counts.fn, "TN": counts.tn, "n": counts.total}
    cells |= {letter: getattr(counts, name) for letter, name in _SUMS.items()}
    others = {m.symbol: m for m in METRICS.values() if m.family == "counts"}
    arguments = {p.name: float(measure.arguments.get(p.name, p.default)) for p in measure.params}
    numbers = cells | {sign: arguments[name] for sign, name in _PARAMETERS.items() if name in arguments}
    if "beta" in arguments:
        others[r"F_\beta"] = METRICS["f_beta"].with_params(**arguments)

    def replaced(match: re.Match[str]) -> str:
        token = match[0]
        if token in numbers:
            return number(float(numbers[token]))
        if token in others:
            return value(others[token], float(others[token](counts)))
        return r"\cdot " if token == r"\," else token

    return _TOKEN.sub(replaced, measure.formula)


_share = partial(metric, reference="powers2011")


@_share(name="Recall", symbol="TPR", reads=("tp", "tp fn"), best=1,
        aliases=("sensitivity", "true positive rate", "hit rate", "detection rate"))  # fmt: skip
def recall(counts: ConfusionCounts) -> Array:
    """Share of actual positives correctly called positive.

    How to read it: the chance that a positive case is detected. It does not depend on the prevalence. Calling
    everything positive makes it 1, so always read it with precision or specificity.

    >>> float(recall(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.8
    """
    return ratio(counts.tp, counts.actual_positives)


@_share(name="Specificity", symbol="TNR", reads=("tn", "tn fp"), best=1, aliases=("true negative rate", "selectivity"))
def specificity(counts: ConfusionCounts) -> Array:
    """Share of actual negatives correctly called negative.

    How to read it: the chance that a negative case is cleared. It does not depend on the prevalence. With many
    negatives, even 99 % can mean more false alarms than true positives.

    >>> float(specificity(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.6
    """
    return ratio(counts.tn, counts.actual_negatives)


@_share(name="Precision", symbol="PPV", reads=("tp", "tp fp"), best=1,
        aliases=("positive predictive value", "confidence"))  # fmt: skip
def precision(counts: ConfusionCounts) -> Array:
    """Share of predicted positives that are truly positive.

    How to read it: how far a positive prediction can be trusted. It falls with the prevalence, so it does not carry
    over to another population.

    >>> float(precision(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)))
    0.1
    """
    return ratio(counts.tp, counts.predicted_positives)


@_share(name="Negative predictive value", symbol="NPV", reads=("tn", "tn fn"), best=1, aliases=("inverse precision",))
def negative_predictive_value(counts: ConfusionCounts) -> Array:
    """Share of predicted negatives that are truly negative.

    How to read it: how far a negative prediction can be trusted. Where positives are rare it is high for any test, even
    a useless one: compare it with 1 − prevalence.

    >>> float(negative_predictive_value(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.75
    """
    return ratio(counts.tn, counts.predicted_negatives)


@_share(name="Miss rate", symbol="FNR", reads=("fn", "tp fn"), best=0, aliases=("false negative rate",))
def miss_rate(counts: ConfusionCounts) -> Array:
    """Share of actual positives that are missed.

    How to read it: the complement of recall: it counts the positive cases that nobody acts on.

    >>> float(miss_rate(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.2
    """
    return ratio(counts.fn, counts.actual_positives)


@_share(name="False positive rate", symbol="FPR", reads=("fp", "fp tn"), best=0,
        aliases=("fall-out", "fallout", "false alarm rate"))  # fmt: skip
def fall_out(counts: ConfusionCounts) -> Array:
    """Share of actual negatives that raise a false alarm.

    How to read it: the horizontal axis of the ROC curve. Even a small share of very many negatives means many false
    alarms.

    >>> float(fall_out(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.4
    """
    return ratio(counts.fp, counts.actual_negatives)


@_share(name="False discovery rate", symbol="FDR", reads=("fp", "tp fp"), best=0)
def false_discovery_rate(counts: ConfusionCounts) -> Array:
    """Share of positive predictions that are false.

    How to read it: the complement of precision: at 0.9, nine alarms in ten are false.

    >>> float(false_discovery_rate(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)))
    0.9
    """
    return ratio(counts.fp, counts.predicted_positives)


@_share(name="False omission rate", symbol="FOR", reads=("fn", "tn fn"), best=0)
def false_omission_rate(counts: ConfusionCounts) -> Array:
    """Share of negative predictions that are wrong.

    How to read it: the risk that remains after a negative result. Compare it with the prevalence, the risk before the
    test.

    >>> float(false_omission_rate(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.25
    """
    return ratio(counts.fn, counts.predicted_negatives)


@_share(name="Accuracy", symbol="ACC", reads=("tp tn", "tp fp fn tn"), best=1, aliases=("fraction correct",))
def accuracy(counts: ConfusionCounts) -> Array:
    """Share of all rows predicted correctly.

    How to read it: compare it with the share of the larger class: with 1 % positives, always saying no is 99 %
    accurate.

    >>> float(accuracy(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.7
    """
    return ratio(counts.tp + counts.tn, counts.total)


@_share(name="Error rate", symbol="ERR", reads=("fp fn", "tp fp fn tn"), best=0,
        aliases=("misclassification rate", "zero-one loss"))  # fmt: skip
def error_rate(counts: ConfusionCounts) -> Array:
    """Share of all rows predicted wrongly.

    How to read it: the complement of accuracy. It counts a miss and a false alarm alike, although they rarely cost the
    same.

    >>> float(error_rate(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.3
    """
    return ratio(counts.fp + counts.fn, counts.total)


@_share(name="Prevalence", symbol="PREV", reads=("tp fn", "tp fp fn tn"),
        aliases=("generality", "total recall", "base rate"))  # fmt: skip
def prevalence(counts: ConfusionCounts) -> Array:
    """Share of all rows that are actually positive.

    How to read it: a property of the population, not of the test; precision, NPV and accuracy change with it.

    >>> float(prevalence(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.5
    """
    return ratio(counts.actual_positives, counts.total)


@_share(name="Predicted prevalence", symbol="PPREV", reads=("tp fp", "tp fp fn tn"),
        aliases=("alarm rate", "predicted positive rate", "share flagged"))  # fmt: skip
def predicted_prevalence(counts: ConfusionCounts) -> Array:
    """Share of all rows predicted positive.

    How to read it: the workload if every alarm must be checked. It equals the prevalence when misses and false alarms
    balance.

    >>> float(predicted_prevalence(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.6
    """
    return ratio(counts.predicted_positives, counts.total)


_MARGINS = {"P": ("tp", "fn"), "N": ("fp", "tn"), "T": ("tp", "fp"), "F": ("fn", "tn")}


def at_prevalence(counts: ConfusionCounts, prevalence: float) -> ConfusionCounts:
    """Expected counts at another prevalence (a share, else a ValueError), with the error rates of each class unchanged.

    Recall and specificity stay; every other measure of the result says what it would be there. nan where a class whose
    rate is needed is absent.
    """
    if not 0 <= prevalence <= 1:
        raise ValueError(f"The prevalence is {prevalence:g}; it is a share of the people, between 0 and 1.")
    positives, negatives = counts.total * prevalence, counts.total * (1 - prevalence)
    tp, fp = recall(counts) * positives, fall_out(counts) * negatives
    return ConfusionCounts(tp, fp, positives - tp, negatives - fp)


def with_margin(counts: ConfusionCounts, margin: str, size: float) -> ConfusionCounts:
    """Counts, of shape (), if one margin had another size and its two cells kept their proportion.

    A new number of actual positives or negatives ("P", "N") keeps recall and specificity; a new number of predicted
    ones ("T", "F") keeps what a prediction is worth. A margin of 0 is filled in equal halves. Whole rows stay whole.
    """
    if margin not in _MARGINS:
        raise ValueError(f"{margin!r} is no margin; use one of {', '.join(_MARGINS)}.")
    if not 0 <= size < math.inf:
        raise ValueError(f"A margin is a number of rows, 0 or more, not {size:g}.")
    cells = {cell: float(getattr(counts, cell)) for cell in ("tp", "fp", "fn", "tn")}
    first, second = _MARGINS[margin]
    present = cells[first] + cells[second]
    part = size * (cells[first] / present if present else 0.5)
    whole = all(float(value).is_integer() for value in (size, cells[first], cells[second]))
    cells[first] = float(math.floor(part + 0.5)) if whole else part
    cells[second] = size - cells[first]
    return ConfusionCounts(cells["tp"], cells["fp"], cells["fn"], cells["tn"])


def among(counts: ConfusionCounts, people: int = 1000) -> ConfusionCounts:
    """Natural frequencies: the four outcomes, of shape (), among a number of people, in whole people.

    Rounded from the top of the tree down, positives first, so that each branch adds up to its stem.
    """
    positives = _nearest(people * float(counts.actual_positives), float(counts.total))
    tp = _nearest(positives * float(counts.tp), float(counts.actual_positives))
    fp = _nearest((people - positives) * float(counts.fp), float(counts.actual_negatives))
    return ConfusionCounts(tp, fp, positives - tp, people - positives - fp)


def _nearest(numerator: float, denominator: float) -> int:
    return math.floor(numerator / denominator + 0.5) if denominator else 0
