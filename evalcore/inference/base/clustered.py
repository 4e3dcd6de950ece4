"""Clustered rows: variances, effective numbers of rows, areas under ROC curves, and resamples of whole clusters."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from evalcore.classification import ClusterCounts, ClusterMoments, ConfusionCounts, ScoredLabels
from evalcore.classification.binary.clusters import (
    LEAST_OF_OTHERS,
    degrees_of_sizes,
    few_heavy_sizes,
    inequality,
    is_weighted,
)
from evalcore.classification.binary.counts import Measure
from evalcore.numeric import Array, Flags, Indices, distinct, effective_rows, ratio, whole_rows

__all__ = ["effective_shares", "student_quantile"]


def student_quantile(level: float, degrees: npt.ArrayLike) -> Array:
    """Half width, in standard errors, of the middle share `level` of a t distribution; nan below one degree.

    >>> student_quantile(0.95, [9, 1e9]).round(3).tolist()
    [2.262, 1.96]
    """
    df = np.asarray(degrees, dtype=np.float64)
    return np.where(df >= 1, stdtrit(np.where(df >= 1, df, 1.0), (1 + level) / 2), np.nan)


def empirical_degrees(squares: npt.ArrayLike, fourths: npt.ArrayLike, clusters: npt.ArrayLike) -> Array:
    """Degrees of freedom of a variance that is a sum of squares over clusters, from how these squares vary.

    Satterthwaite's degrees with the empirical variance of the squares, from 1 to one fewer than the clusters. Squares
    and fourths are the sums over the clusters of these powers of what each contributes. See W. Pan, M. Wall (2002),
    doi:10.1002/sim.1142.
    """
    squares, clusters = np.asarray(squares, dtype=np.float64), np.asarray(clusters, dtype=np.float64)
    spread = ratio(fourths, squares**2) - ratio(1, clusters)
    degrees = np.where(spread > 0, 2 / np.where(spread > 0, spread, 1.0), np.inf)
    return np.clip(degrees, 1.0, np.maximum(clusters - 1, 0.0))


def degrees_of(contributions: Array, clusters: float, weights: Array | None = None) -> float:
    """Degrees of freedom of a variance from the contribution of each cluster, or of as many rows as a weight counts."""
    squares = np.square(contributions / (float(np.abs(contributions).max(initial=0.0)) or 1.0))
    if weights is None:
        return float(empirical_degrees(squares.sum(), squares @ squares, clusters))
    return float(empirical_degrees(weights @ squares, weights @ squares**2, clusters))


def error_of_mean(sums: npt.ArrayLike, sizes: npt.ArrayLike) -> tuple[float, float]:
    """Standard error of a mean of rows from the contributions of the clusters (mean 0), and its `cautious_degrees`.

    Sizes are the rows of each cluster, or their weight. See A. C. Cameron, D. Miller (2015), doi:10.3368/jhr.50.2.317.
    """
    added, rows = np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    clusters = np.count_nonzero(rows)
    if clusters < 2:
        return float("nan"), float("nan")
    error = float(np.sqrt(added @ added * clusters / (clusters - 1))) / float(rows.sum())
    return error, degrees_by_sizes(rows)


def cautious_degrees(own: Array | float, of_sizes: Array | float, weight: Array | float) -> Array:
    """Average, as variances 2 / degrees, a variance's own degrees of freedom with those of the sizes, if fewer."""
    return np.asarray(1 / ((1 - weight) / own + weight / np.fmin(own, of_sizes)))


def degrees_by_sizes(sizes: Array, own: float = np.inf) -> float:
    """`cautious_degrees` from the sizes of c clusters, whose own are at most c − 1; nan with fewer than two."""
    count = np.count_nonzero(sizes)
    if count < 2:
        return float("nan")
    weight = inequality(count, sizes.sum(), sizes @ sizes)
    return float(cautious_degrees(max(min(own, count - 1.0), 1.0), degrees_of_sizes(sizes), weight))


def effective_shares(
    moments: ClusterMoments, above: npt.ArrayLike, below: npt.ArrayLike, hits: npt.ArrayLike, n: npt.ArrayLike,
    level: float = 0.95, degrees: Array | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Effective numbers of independent rows that give the same precision of a share as these clustered rows.

    The variance of the share, a ratio of two sums over the clusters, comes from linearisation; the t distribution with
    `cautious_degrees` lowers the number, which is never more than the rows. Where every row, or none, counts, the rows
    of a cluster are taken to be alike. Where a few heavy clusters may agree by chance, the clusters vary around a
    centre that their mean share moves (`_rows_around`). `above` and `below` flag the cells of TP, FP, FN and TN
    in numerator and denominator, which add up to `hits` and `n`; `degrees` are the most to take. Returns effective hits
    and rows, nan with fewer than two clusters, and the number of clusters below. See E. Korn, B. Graubard (1998),
    Survey Methodology 24, 193–201; J. Rao, A. Scott (1992), Biometrics 48, 577–585.
    """
    above, below, hits, n = (np.asarray(values, dtype=np.float64) for values in (above, below, hits, n))
    share, clusters = ratio(hits, n), moments.clusters_in(below > 0)
    coefficients = above - share[..., None] * below
    spread = moments.squares(coefficients)
    one = np.asarray(clusters) < 2
    sizes = moments.powers(below > 0, 2)
    alike, known = ratio(n**2, sizes), spread > 1e-12 * sizes
    # Weights that differ are as unsure as so many equal ones.
    worth = np.maximum(alike, 1.001) if moments.weighted else clusters
    variance = ratio(spread, n**2) * np.where(one, 1.0, ratio(worth, np.where(one, 2, worth) - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = np.where(known, share * (1 - share) / variance, alike)
        if moments.weighted:
            own, weight = worth - 1, np.asarray(1.0)
        else:
            own = empirical_degrees(spread, moments.fourth_powers(coefficients), clusters)
            own = np.where(known, own, clusters - 1)
            weight = inequality(clusters, n, sizes)
            rows = np.where(known, np.fmin(rows, _rows_around(moments, above, below, share, n, weight)), rows)
        own = own if degrees is None else np.minimum(own, degrees)
        taken = cautious_degrees(np.maximum(own, 1.0), moments.size_degrees(below > 0), weight)
    wider = student_quantile(level, np.maximum(taken, 1.0)) / ndtri((1 + level) / 2)
    rows = np.where(~one, rows / wider**2, np.nan)
    if not moments.weighted:
        rows = np.minimum(rows, n)
    return np.minimum(share * rows, rows), rows, clusters


def _rows_around(moments: ClusterMoments, above: Array, below: Array, share: Array, n: Array, weight: Array) -> Array:
    """Effective number of rows for clusters that vary around a centre between the share and the mean of their shares.

    The centre moves by a part `weight` of the difference of both, which is first lowered by the variance that the mean
    has where each cluster is one row. Infinite where it does not move.
    """
    mean = moments.mean_share(above > 0, below > 0)
    chance = ratio(mean * (1 - mean), moments.clusters_in(below > 0))
    moved = weight * np.sign(mean - share) * np.sqrt(np.maximum((mean - share) ** 2 - chance, 0.0))
    centre = share + moved
    around = moments.squares(above - centre[..., None] * below)
    return np.where(moved != 0, centre * (1 - centre) / ratio(around, n**2), np.inf)


def paired_factor(clusters: ClusterCounts, only_a: Array, only_b: Array, below: Array, level: float) -> float:
    """Number of independent rows per clustered row, for a difference of two shares of the same rows.

    The variance of the difference, a ratio of two sums over the clusters, with a t distribution, is set against that of
    independent rows. nan with fewer than two clusters. The cells are flags of shape (m,): those that one share alone
    counts, and those below both. See N. Obuchowski (1998), Statistics in Medicine 17, 1495–1507.
    """
    rows = clusters.sums(below)
    n, count = rows.sum(), int(np.count_nonzero(rows))
    if count < 2:
        return float("nan")
    apart = clusters.sums(only_b - only_a)
    difference = apart.sum() / n
    spread = float(np.square(apart - difference * rows).sum())
    independent = float(clusters.sums(only_a + only_b).sum() - n * difference**2)
    sizes = float(np.square(rows).sum())
    alike = float(n / sizes)
    worth = max(n * alike, 1.001) if clusters.weighted else count
    spread *= worth / (worth - 1)
    factor = independent / spread if spread > 1e-12 * sizes and independent > 0 else alike
    degrees = degrees_by_sizes(rows, max(worth - 1, 1.0))
    return factor * float(ndtri((1 + level) / 2) / student_quantile(level, degrees)) ** 2


def linear_variance(moments: ClusterMoments, coefficients: Array) -> tuple[Array, Array, Array]:
    """Variance of a sum of the four cells with such coefficients, which add up to 0 over the rows.

    With its degrees of freedom, `empirical_degrees` or those of Welch's test of the two classes if these are fewer (nan
    where a class is in one cluster only), and the number of clusters.
    """
    clusters, squares = moments.clusters_in(np.ones(4)), moments.squares(coefficients)
    sides = np.array(CLASSES, dtype=np.float64)
    counts = [moments.clusters_in(side) for side in sides]
    fewest = np.minimum(*counts)
    degrees = empirical_degrees(squares, moments.fourth_powers(coefficients), clusters)
    if not moments.weighted:
        parts = [moments.squares(coefficients * side) * ratio(n, n - 1) for side, n in zip(sides, counts, strict=True)]
        of_sides = [_degrees_by_sizes(moments, side) for side in sides]
        welch = ratio(sum(parts) ** 2, sum(ratio(part**2, k) for part, k in zip(parts, of_sides, strict=True)))
        single = moments.squares(np.ones_like(coefficients)) == clusters  # each row is a cluster of its own
        degrees = np.where(single | np.isnan(welch), degrees, np.maximum(np.minimum(degrees, welch), 1.0))
    return squares * ratio(clusters, clusters - 1), np.where(fewest > 1, degrees, np.nan), clusters


def _degrees_by_sizes(moments: ClusterMoments, below: Array) -> Array:
    """`degrees_by_sizes` of the clusters that hold rows in some cells."""
    clusters, n = moments.clusters_in(below), moments.powers(below, 1)
    weight = inequality(clusters, n, moments.powers(below, 2))
    return cautious_degrees(np.maximum(clusters - 1, 1.0), moments.size_degrees(below), weight)


def degrees_of_codes(codes: Indices, weights: Array | None = None) -> float:
    """`degrees_by_sizes` of the clusters of these codes; nan with fewer than two."""
    sizes = np.bincount(codes, weights).astype(np.float64)
    return degrees_by_sizes(sizes, max(count_clusters(codes, weights) - 1.0, 1.0))


def few_heavy_codes(codes: Indices, weights: Array | None = None) -> bool:
    """`few_heavy_sizes` of the clusters of these codes, for a resampled measure; False for sums of weights."""
    return not is_weighted(weights) and few_heavy_sizes(np.bincount(codes, weights).astype(np.float64))


CLASSES = ([1, 0, 1, 0], [0, 1, 0, 1])
"""Cells of the actual positives and of the actual negatives, in the order of TP, FP, FN and TN."""


def few_heavy_of(moments: ClusterMoments, parts: Sequence[npt.ArrayLike] = CLASSES) -> Flags:
    """Whether few clusters hold most rows of one of some parts of the cells, by default of a class."""
    return np.logical_or.reduce([moments.few_heavy(cells, LEAST_OF_OTHERS) for cells in parts])


def count_clusters(codes: Indices, weights: Array | None = None) -> float:
    """Number of clusters with a row; of sums of weights, their effective number."""
    sums = np.bincount(codes, weights).astype(np.float64)
    return effective_clusters(sums) if is_weighted(weights) else int(np.count_nonzero(sums))


def effective_clusters(sums: Array) -> float:
    """Effective number of clusters of such sums of weights, at least 2 of several."""
    count = int(np.count_nonzero(sums))
    return count if count < 2 else max(effective_rows(sums), 2.0)


MOST_BAGS = 2_000
"""Clusters that are resampled one by one; more are put into so many bags of equal size first, at random."""


def bag_of_clusters(count: int, most: int = MOST_BAGS, seed: int = 0) -> Indices:
    """Bag of each cluster: itself, or with more than `most` clusters, one of `most` random sets of clusters.

    The sums of the bags vary as those of the clusters do, whatever these hold, and resampling takes far less time. See
    K. Wolter (2007), Introduction to Variance Estimation. Springer, chapter 2 (random groups).
    """
    return np.arange(count) if count <= most else np.random.default_rng(seed).permutation(count) % most


def bags_of_rows(codes: Indices, weights: Array | None = None, most: int = MOST_BAGS) -> Indices:
    """The bag of the cluster of each row, shape (n,); clusters without a row here, or with weights of 0, have none.

    A row of weight 0 adds nothing to the bag that it is given.

    >>> bags_of_rows(np.array([7, 3, 7]), np.array([1.0, 0.0, 2.0])).tolist()
    [0, 0, 0]
    """
    present = distinct(codes if weights is None else codes[weights > 0])
    places = np.minimum(present.searchsorted(codes), max(len(present) - 1, 0))
    return bag_of_clusters(max(len(present), 1), most)[places]


def cells_of_bags(cells: Indices, size: int, codes: Indices, weights: Array | None) -> Any:
    """Counts of each cluster, or bag of clusters, in cells 0 … size − 1, from the cell and code of each row: sparse."""
    # Imported here because few resample clusters.
    from scipy.sparse import coo_array

    bags = bags_of_rows(codes, weights)
    weight = np.ones(len(bags)) if weights is None else weights
    return coo_array((weight, (bags, cells)), shape=(int(bags.max(initial=-1)) + 1, size)).tocsr()


def drawn_counts(random: np.random.Generator, counts: Array, clusters: Any, resamples: int) -> Iterator[Array]:
    """Counts of cells, shape (m,), in resamples of the rows, or of as many clusters; of shape (c, m), also sparse."""
    n, shares = whole_rows(counts.sum()), counts / (counts.sum() or 1.0)
    size = 0 if clusters is None else clusters.shape[0]
    for _ in range(resamples):
        if clusters is None:
            yield random.multinomial(n, shares).astype(float)
        else:
            yield np.bincount(random.integers(0, size, size), minlength=size) @ clusters


def few_clusters_factor(level: float, clusters: float, degrees: float = np.inf) -> float:
    """Factor by which the spread of resamples of few clusters is widened; see `expanded_level`."""
    if clusters < 2:
        return float("nan")
    wider = np.sqrt(clusters / (clusters - 1)) * student_quantile(level, max(min(clusters - 1, degrees), 1.0))
    return float(wider / ndtri((1 + level) / 2))


def jackknife_degrees(measure: Measure, clusters: ClusterCounts) -> float:
    """Degrees of freedom of the variance of a measure of counts, from how leaving out each cluster moves it.

    The `cautious_degrees` of those of `empirical_degrees`, which are few where few clusters decide on the measure. No
    fewer than one less than the clusters where each has one row, or sums of weights.
    """
    cells = clusters.cells[clusters.cells.any(axis=1)]
    if clusters.weighted or len(cells) > MOST_BAGS or cells.sum(axis=1).max(initial=0) <= 1:
        return max(len(cells) - 1.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(measure(ConfusionCounts(*(cells.sum(axis=0) - cells).T)), dtype=np.float64)
    known = values[np.isfinite(values)]
    own = degrees_of(known - known.mean(), len(known)) if len(known) > 1 else 1.0
    return float(np.nan_to_num(degrees_by_sizes(cells.sum(axis=1), own), nan=1.0))


def resampled_sums(clusters: ClusterCounts, resamples: int, seed: int) -> Array:
    """Sums of the cells over clusters drawn with replacement, shape (resamples, m)."""
    cells = clusters.cells[clusters.cells.any(axis=1)]
    bags = bag_of_clusters(len(cells), seed=seed)
    count = int(bags.max(initial=-1)) + 1
    if count < len(cells):
        cells = np.column_stack([np.bincount(bags, weights=column, minlength=count) for column in cells.T])
    return times_drawn(count, resamples, seed) @ cells


@lru_cache(maxsize=1)
def times_drawn(count: int, resamples: int, seed: int) -> Array:
    """Draw clusters with replacement and count how often each is drawn, shape (resamples, count); for one measure."""
    return draw_times(np.random.default_rng(seed), count, resamples)


def draw_times(random: np.random.Generator, count: int, draws: int) -> Array:
    """Number of times that each of `count` clusters is drawn in each resample, shape (draws, count)."""
    picks = random.integers(0, max(count, 1), size=(draws, count)) + count * np.arange(draws)[:, None]
    return np.bincount(picks.reshape(-1), minlength=draws * count).reshape(draws, count).astype(np.float64)


def expanded_level(level: float, clusters: float, degrees: float = np.inf) -> float:
    """Level of a percentile interval that compensates for few clusters.

    Percentiles of resamples are too narrow by √(c/(c−1)) and by what the t distribution is wider than the normal one;
    it has c − 1 degrees of freedom, or fewer. See T. Hesterberg (2015), doi:10.1080/00031305.2015.1089789.
    """
    if clusters < 2:
        return level
    return float(1 - 2 * ndtr(-few_clusters_factor(level, clusters, degrees) * ndtri((1 + level) / 2)))


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
    return (of_positives, 1 - of_negatives) if scored.higher_is_positive else (1 - of_positives, of_negatives)


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
    p, n, clusters, codes = scored.positives, scored.negatives, len(positives), np.concatenate(scored.codes)
    weights = np.concatenate([scored.rows_of(side)[1] for side in (True, False)])
    pairs = np.bincount(codes, weights * np.concatenate([n * of_p, p * of_n]), clusters)
    pairs -= _pairs_within(scored, weights, clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (area * p * n - pairs) / ((p - positives) * (n - negatives))
        logits = np.log(without / (1 - without))
    known = logits[np.isfinite(logits) & (positives + negatives > 0)]
    if len(known) < 2:
        return float("nan")
    spread = float(np.square(known - known.mean()).sum()) * (len(known) - 1) / len(known)
    return spread * (area * (1 - area)) ** 2


def _pairs_within(scored: ScoredLabels, weights: Array, clusters: int) -> Array:
    """Correctly ordered pairs of a positive and a negative of the same cluster, ties half, shape (c,)."""
    rows = scored.all_rows
    scores = rows["scores"] * (1 if scored.higher_is_positive else -1)
    order = np.lexsort((scores, rows["clusters"]))
    code, score, weight = rows["clusters"][order], scores[order], weights[order]
    negative = np.where(rows["labels"][order], 0.0, weight)
    before = np.append(0.0, np.cumsum(negative))
    # Rows of one cluster with one score.
    starts = np.flatnonzero(np.append(True, (np.diff(code) != 0) | (np.diff(score) != 0)))
    sizes = np.diff(np.append(starts, len(code)))
    middle = np.repeat((before[starts] + before[starts + sizes]) / 2, sizes)
    of_cluster = before[np.searchsorted(code, code)]
    return np.bincount(code, (weight - negative) * (middle - of_cluster), clusters).astype(np.float64)


def area_degrees(
    positives: Array, negatives: Array, counts: tuple[float, float, float], sizes: Sequence[Array], plain: bool = False
) -> float:
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
    weights = [scored.rows_of(side)[1] for side in (True, False)] if scored.is_weighted else None
    return numbers_of_clusters(scored.codes, weights)


def class_sizes(scored: ScoredLabels) -> tuple[Array, Array]:
    """Positives and negatives of each cluster, or their weight, each of shape (c,)."""
    of_p, of_n = (
        np.bincount(own, scored.rows_of(side)[1], scored.clusters).astype(np.float64)
        for side, own in zip((True, False), scored.codes, strict=True)
    )
    return of_p, of_n


def few_heavy_classes(scored: ScoredLabels, least: float = LEAST_OF_OTHERS) -> bool:
    """`few_heavy_sizes` of the clusters of either class; False for independent rows and sums of weights."""
    return bool(scored.clusters) and not scored.is_weighted and few_heavy_sizes(*class_sizes(scored), least=least)


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
        own, other, every = (effective_clusters(np.bincount(*part).astype(np.float64)) for part in weighted)
    return own, other, every


def placement_sums(scored: ScoredLabels, area: float) -> tuple[Array, Array]:
    """Sums over each cluster of its placements beyond the area, as shares of their class: positives, negatives."""
    sizes = scored.positives, scored.negatives
    of_p, of_n = (
        ratio(np.bincount(codes, scored.rows_of(side)[1] * (placed - area), scored.clusters), size)
        for side, placed, codes, size in zip((True, False), placement_values(scored), scored.codes, sizes, strict=True)
    )
    return of_p, of_n


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
