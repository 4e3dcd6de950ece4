"""Areas under ROC curves of clustered rows: variances and covariances by Obuchowski."""

from collections.abc import Sequence

import numpy as np

from evalcore.classification import ScoredLabels
from evalcore.classification.binary.clusters import LEAST_OF_OTHERS, degrees_of_sizes, few_heavy_sizes, inequality
from evalcore.inference.base.clustered import (
    cautious_degrees,
    count_clusters,
    degrees_by_sizes,
    degrees_of,
    effective_clusters,
)
from evalcore.numeric import Array, Indices, ratio

__all__ = []


def placement_values(scored: ScoredLabels) -> tuple[Array, Array]:
    """Shares of negatives below each positive, and of positives above each negative, ties half, by sorted scores."""
    sides = []
    for own, other, weights, size in (
        (scored.positive_scores, scored.negative_scores, scored.negative_weights, scored.negatives),
        (scored.negative_scores, scored.positive_scores, scored.positive_weights, scored.positives),
    ):
        below, through = other.searchsorted(own, "left"), other.searchsorted(own, "right")
        if weights is None:
            sides.append((below + through) / (2 * size) if size else np.full(len(own), np.nan))
        else:
            # Cumulated from the end that is called positive first.
            sums = weights[0] - weights if scored.higher_is_positive else weights
            sides.append(ratio(sums[below] + sums[through], 2 * size))
    of_positives, of_negatives = sides
    if scored.higher_is_positive:
        return of_positives, 1 - of_negatives
    return 1 - of_positives, of_negatives


def clustered_area_variance(scored: ScoredLabels, area: float) -> tuple[float, float]:
    """Variance of the area under the ROC curve of clustered rows, by Obuchowski, and its degrees of freedom.

    The shares of the other class that the rows of a cluster outrank, beyond the mean, are added up. With one row per
    cluster the variance is DeLong's. nan where fewer than two clusters have rows of a class. See N. Obuchowski (1997),
    doi:10.2307/2533958.
    """
    positives, negatives = placement_sums(scored, area)
    counts = clusters_of_classes(scored)
    variance = float(clustered_covariance([positives], [negatives], counts)[0, 0])
    plain = counts[2] == scored.positives + scored.negatives or scored.is_weighted
    return variance, area_degrees(positives, negatives, counts, class_sizes(scored), plain)


def cautious_area_variance(scored: ScoredLabels, area: float) -> tuple[float, float]:
    """Clustered variance of the area and its degrees of freedom, more cautious the more unequal the clusters are.

    Where they are of one size it is the same. Where they are very unequal, the variance is that of
    `placement_jackknife` if this is larger, and the degrees those that the sizes leave in the class that leaves fewer.
    """
    variance, degrees = clustered_area_variance(scored, area)
    sizes = class_sizes(scored)
    weight = max(float(inequality(np.count_nonzero(one), one.sum(), one @ one)) for one in sizes)
    if scored.is_weighted or not weight or not 0 < area < 1 or not variance > 0:
        return variance, degrees
    jackknifed = np.fmax(placement_jackknife(scored, area), variance)
    left = min(degrees_of_sizes(one) for one in sizes)
    return float((1 - weight) * variance + weight * jackknifed), float(cautious_degrees(degrees, left, weight))


def placement_jackknife(scored: ScoredLabels, area: float) -> float:
    """Variance of the area under the ROC curve from leaving out one cluster at a time, on the scale of its logit.

    What is left without a cluster comes from the placements and the pairs within the cluster; the variance of the logit
    is brought back to the area by its slope. Unlike in a sum of squares around the area, a heavy cluster that pulls the
    area towards itself seems no less variable. nan where fewer than two areas are left. See B. Efron, C. Stein (1981),
    Annals of Statistics 9, 586–596.
    """
    (of_p, of_n), (positives, negatives) = placement_values(scored), class_sizes(scored)
    own, other = (codes for codes in (scored.positive_clusters, scored.negative_clusters) if codes is not None)
    p, n, clusters = scored.positives, scored.negatives, len(positives)
    weights = np.concatenate([scored.rows_of(side)[1] for side in (True, False)])
    placed = weights * np.concatenate([n * of_p, p * of_n])
    pairs = np.bincount(np.concatenate([own, other]), placed, clusters)
    pairs -= _pairs_within(scored, own, other, weights, clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (area * p * n - pairs) / ((p - positives) * (n - negatives))
        logits = np.log(without / (1 - without))
    known = logits[np.isfinite(logits) & (positives + negatives > 0)]
    if len(known) < 2:
        return float("nan")
    spread = float(np.square(known - known.mean()).sum()) * (len(known) - 1) / len(known)
    return spread * (area * (1 - area)) ** 2


def _pairs_within(scored: ScoredLabels, own: np.ndarray, other: np.ndarray, weights: Array, clusters: int) -> Array:
    """Correctly ordered pairs of a positive and a negative of the same cluster, ties half, shape (c,)."""
    codes = np.concatenate([own, other])
    scores = np.concatenate([scored.positive_scores, scored.negative_scores]) * (1 if scored.higher_is_positive else -1)
    is_negative = np.arange(len(codes)) >= len(own)
    order = np.lexsort((scores, codes))
    code, score, weight = codes[order], scores[order], weights[order]
    negative = np.where(is_negative[order], weight, 0.0)
    before = np.append(0.0, np.cumsum(negative))
    # Rows of one cluster with one score.
    starts = np.flatnonzero(np.append(True, (np.diff(code) != 0) | (np.diff(score) != 0)))
    sizes = np.diff(np.append(starts, len(code)))
    middle = np.repeat((before[starts] + before[starts + sizes]) / 2, sizes)
    of_cluster = before[np.searchsorted(code, code)]
    return np.bincount(code, (weight - negative) * (middle - of_cluster), clusters).astype(np.float64)


def area_degrees(
    positives: Array, negatives: Array, counts: tuple[float, float, float], sizes: tuple[Array, Array],
    plain: bool = False,
) -> float:  # fmt: skip
    """Degrees of freedom of the variance of an area from the placement sums of each cluster.

    The smaller of Welch's degrees, from the variances that the two classes bring, each with the `cautious_degrees` of
    its clusters, and `empirical_degrees` of the contributions of the clusters. Sums and sizes have shape (c,); `counts`
    are those of `clusters_of_classes`. `plain` takes the degrees of the sizes in the class that leaves fewer: where
    each row is a cluster of its own, and with weights, whose numbers of clusters are effective ones.
    """
    own, other, every = counts
    if min(counts) < 2:
        return float("nan")
    left = [degrees_by_sizes(one, max(count - 1, 1.0)) for one, count in zip(sizes, (own, other), strict=True)]
    if plain:
        return min(left)
    of_p, of_n = (float(sums @ sums) * k / (k - 1) for sums, k in ((positives, own), (negatives, other)))
    welch = float(ratio((of_p + of_n) ** 2, of_p**2 / left[0] + of_n**2 / left[1]))
    return float(np.fmin(degrees_of(positives + negatives, every), welch))


def clusters_of_classes(scored: ScoredLabels) -> tuple[float, float, float]:
    """Number of clusters with positives, with negatives, and in all; see `count_clusters`."""
    codes = [codes for codes in (scored.positive_clusters, scored.negative_clusters) if codes is not None]
    weights = [scored.rows_of(side)[1] for side in (True, False)] if scored.is_weighted else None
    return numbers_of_clusters(codes, weights)


def class_sizes(scored: ScoredLabels) -> tuple[Array, Array]:
    """Positives and negatives of each cluster, or their weight, each of shape (c,)."""
    codes = scored.positive_clusters, scored.negative_clusters
    of_p, of_n = (
        np.bincount(own, scored.rows_of(side)[1], scored.clusters).astype(np.float64)
        for side, own in zip((True, False), codes, strict=True)
        if own is not None
    )
    return of_p, of_n


def few_heavy_classes(scored: ScoredLabels, least: float = LEAST_OF_OTHERS) -> bool:
    """`few_heavy_sizes` of the clusters of either class; False for independent rows and sums of weights."""
    if not scored.clusters or scored.is_weighted:
        return False
    return few_heavy_sizes(*class_sizes(scored), least=least)


def degrees_of_rows(scored: ScoredLabels) -> float:
    """`degrees_by_sizes` of the clusters of all rows."""
    sizes, worth = np.sum(class_sizes(scored), axis=0), clusters_of_classes(scored)[2]
    return degrees_by_sizes(sizes, max(worth - 1, 1.0))


def independent_pairs(scored: ScoredLabels) -> float:
    """Largest number of pairs of a positive and a negative without a common row or cluster."""
    if not scored.clusters:
        return min(scored.positives, scored.negatives)
    own, other, every = clusters_of_classes(scored)
    return min(own, other, every // 2)


def numbers_of_clusters(codes: Sequence[Indices], weights: Sequence[Array] | None) -> tuple[float, float, float]:
    """Number of clusters of each of two parts of the rows and in all; of sums of weights, the effective number."""
    each = [*codes, np.concatenate(codes)]
    if weights is None:
        own, other, every = map(count_clusters, each)
    else:
        weighted = zip(each, [*weights, np.concatenate(weights)], strict=True)
        own, other, every = (
            effective_clusters(np.bincount(part, weight).astype(np.float64)) for part, weight in weighted
        )
    return own, other, every


def placement_sums(scored: ScoredLabels, area: float) -> tuple[Array, Array]:
    """Sums over each cluster of its placements beyond the area, as shares of their class: positives, negatives."""
    of_positives, of_negatives = placement_values(scored)
    sums = []
    for positive, placed, codes, size in (
        (True, of_positives, scored.positive_clusters, scored.positives),
        (False, of_negatives, scored.negative_clusters, scored.negatives),
    ):
        if codes is None:
            raise ValueError("These scores do not say what their rows belong to.")
        weight = scored.rows_of(positive)[1]
        sums.append(ratio(np.bincount(codes, weight * (placed - area), scored.clusters), size))
    return sums[0], sums[1]


def clustered_covariance(positives: list[Array], negatives: list[Array], counts: tuple[float, float, float]) -> Array:
    """Covariance of areas, (s, s), from placement sums by system; nan with fewer than two clusters of a class."""
    if min(counts) < 2:
        return np.full((len(positives), len(positives)), np.nan)
    p, n = np.array(positives), np.array(negatives)
    own, other, every = (count / (count - 1) for count in counts)
    of_p, of_n, mixed = own * (p @ p.T), other * (n @ n.T), every * (p @ n.T)
    return of_p + of_n + mixed + mixed.T


_ANGLES, _ROUNDS, _NARROWER = np.linspace(-1.0, 1.0, 129), 6, 1 / 32


def area_difference_bounds(areas: Array, covariance: Array, quantile: float, least: float) -> tuple[float, float]:
    """Least and greatest difference of two areas, second minus first, within the range of their logits.

    The profile interval of jointly normal logits: the range of the difference over all pairs of areas whose logits lie
    within so many standard errors of the estimates. It reaches farther where areas may be farther from 0 and 1 than
    they look, as with few clusters. Areas closer to 0 or 1 than `least` are taken as this far from it. See D. Venzon,
    S. Moolgavkar (1988), doi:10.2307/2347496.
    """
    estimates = np.clip(areas, least, 1 - least)
    logits = np.log(estimates / (1 - estimates))
    slopes = 1 / (estimates * (1 - estimates))
    values, vectors = np.linalg.eigh(covariance * np.outer(slopes, slopes))
    axes = quantile * vectors * np.sqrt(np.maximum(values, 0.0))

    def differences(angles: Array) -> Array:
        first, second = logits[:, None] + axes @ np.array([np.cos(angles), np.sin(angles)])
        return 1 / (1 + np.exp(-second)) - 1 / (1 + np.exp(-first))

    def greatest(sign: float) -> float:
        angle, reach = 0.0, np.pi
        for _ in range(_ROUNDS):
            angles = angle + reach * _ANGLES
            angle, reach = float(angles[np.argmax(sign * differences(angles))]), reach * _NARROWER
        return float(differences(np.array([angle]))[0])

    return greatest(-1.0), greatest(1.0)
