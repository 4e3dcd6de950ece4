"""One test in other populations: at another prevalence, among a thousand people, and in each group of rows."""

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import ClusterCounts, cluster_codes
from evalcore.classification.binary.counts import ConfusionCounts, fall_out, recall
from evalcore.classification.binary.labels import equals, label_array, number_array, positive_label, weight_array
from evalcore.classification.binary.scores import ScoredLabels

__all__ = ["among", "at_prevalence", "counts_by_group", "rest_of", "scored_by_group", "with_margin"]

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


def scored_by_group(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    groups: npt.ArrayLike,
    names: Iterable[str] | None = None,
    *,
    positive: object = True,
    weights: npt.ArrayLike | None = None,
    higher_is_positive: bool = True,
    clusters: npt.ArrayLike | None = None,
) -> dict[str, ScoredLabels]:
    """The scores of each group with rows, the largest (by rows or weight) first, ties in the order of the names.

    `groups` are names, or indices into `names`; the rest is as `ScoredLabels.from_arrays` takes it. One stable sort of
    small integers orders the rows by group.
    """
    truth = label_array(labels, "labels")
    is_positive = equals(truth, positive_label(positive, truth))
    values = number_array(scores, "scores", len(is_positive))
    weight = None if weights is None else weight_array(weights, len(is_positive))
    units = None if clusters is None else cluster_codes(clusters, len(is_positive))
    codes, known = _coded(groups, names)
    if codes.shape != is_positive.shape:
        raise ValueError(f"groups has the shape {codes.shape} beside {len(is_positive)} rows; give one group per row.")
    sizes = np.bincount(codes, weight, len(known))
    # Integers of 16 bits are sorted by counting, ten times as fast as those of 64.
    order = np.argsort(codes.astype(np.uint16) if len(known) <= 1 << 16 else codes, kind="stable")
    largest_first = [code for code in np.argsort(-sizes, kind="stable").tolist() if sizes[code]]
    rows_of = np.split(order, np.cumsum(np.bincount(codes, minlength=len(known)))[:-1])
    states = {}
    for code in largest_first:
        rows = rows_of[code]
        own, theirs = (column if column is None else column[rows] for column in (weight, units))
        state = ScoredLabels.from_arrays(is_positive[rows], values[rows], True, own, higher_is_positive, theirs)
        states[known[code]] = state
    return states


def counts_by_group(states: Iterable[ScoredLabels], thresholds: float | Iterable[float]) -> ConfusionCounts:
    """The four outcomes of each of g groups, shape (g,), at one threshold for all or one per group."""
    states = list(states)
    at = np.broadcast_to(np.asarray(thresholds, dtype=np.float64), len(states))
    each = [state.counts_at(threshold) for state, threshold in zip(states, at, strict=True)]
    cells = ([float(getattr(counts, cell)) for counts in each] for cell in ("tp", "fp", "fn", "tn"))
    if not any(state.clusters for state in states):
        return ConfusionCounts(*cells)
    return ConfusionCounts(*cells, clusters=lambda index: _clusters_of(each[int(index)]))


def rest_of(whole: ConfusionCounts, groups: ConfusionCounts) -> ConfusionCounts:
    """The counts of all rows outside each group, of the shape of the groups."""
    pairs = [(getattr(whole, cell), getattr(groups, cell)) for cell in ("tp", "fp", "fn", "tn")]
    # Differences of sums of weights may be off by rounding, also below 0.
    cells = (np.where(of_all - own > 1e-9 * of_all, of_all - own, 0.0) for of_all, own in pairs)
    if whole.clusters is None:
        return ConfusionCounts(*cells)
    return ConfusionCounts(*cells, clusters=lambda index: _clusters_of(whole).without(_clusters_of(groups[index])))


def _clusters_of(counts: ConfusionCounts) -> ClusterCounts:
    """The clusters of counts of shape () that have them."""
    if (clusters := counts.clusters) is None:
        raise ValueError("Some of these counts say what their rows belong to and others do not.")
    return clusters


def _coded(groups: npt.ArrayLike, names: Iterable[str] | None) -> tuple[np.ndarray, list[str]]:
    if names is not None:
        return np.asarray(groups, dtype=np.intp), list(names)
    known, codes = np.unique(np.asarray(groups).astype(str), return_inverse=True)
    return codes, known.tolist()
