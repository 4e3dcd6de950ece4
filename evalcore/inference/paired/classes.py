"""Two systems that predict one of several classes, or several labels, for the same rows, compared by every measure."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, ndtr, stdtr, stdtrit

from evalcore.classification import ConfusionMatrix, LabelScores, LabelSets, f_beta
from evalcore.classification.binary.clusters import ClusterCounts, cluster_codes
from evalcore.classification.binary.counts import ConfusionCounts, error_rate
from evalcore.classification.binary.labels import weight_array
from evalcore.inference.base import clustered, comparison, resampling
from evalcore.inference.base.comparison import Comparison, comparison_of_rows, holm, undrawn_comparison
from evalcore.inference.base.intervals import Interval, check_draws, check_level, unless_rejected
from evalcore.inference.base.paired import FEW_DIFFERENCES, cautious_t
from evalcore.inference.intervals.losses import RANKING_MEASURES
from evalcore.inference.paired.areas import ChiSquare, standardised
from evalcore.inference.paired.measures import PairedCounts, paired_differences
from evalcore.numeric import Array, Flags, Indices, ratio
from evalcore.registry import METRICS, MetricDef

__all__ = ["MICRO_F1", "PAIRED_INTERVALS", "CellDifferences", "PairedChoice", "PairedClasses", "bowker"]
__all__ += ["clustered_symmetry", "compare_cells", "label_ranking_differences", "label_set_differences"]
__all__ += ["mcnemar_differences", "stuart_maxwell"]

_WIDE, _LEAST_BAGS = 8_000_000, 200
"""Numbers in the table of combinations by bags of clusters, and the least number of bags."""

RESAMPLES = 1000  # fewer than of four counts: each resample is two square tables


@dataclass(frozen=True, eq=False)
class PairedClasses:
    """Counts of each combination of actual class and the predictions of two systems."""

    classes: tuple
    # Shape (m,): places in `classes`, one entry per combination that occurs.
    actual: Indices
    a: Indices
    b: Indices
    counts: Array  # shape (m,): rows of each combination, or their weight
    # Where rows belong together: combination, cluster and weight of each row, shape (n,).
    rows: tuple[Indices, Indices, Array | None] | None = None

    @classmethod
    def from_codes(
        cls, actual: npt.ArrayLike, a: npt.ArrayLike, b: npt.ArrayLike, classes: tuple,
        weights: npt.ArrayLike | None = None, clusters: npt.ArrayLike | None = None,
    ) -> "PairedClasses":  # fmt: skip
        """Count the rows: truth and two predictions as places in `classes`, weights and clusters, each (n,)."""
        k = len(classes)
        truth, first, second = (np.asarray(values, dtype=np.intp) for values in (actual, a, b))
        weight = None if weights is None else weight_array(weights, len(truth))
        code = (truth * k + first) * k + second
        if k <= 100:
            counts = np.bincount(code, weights=weight, minlength=k**3).astype(np.float64)
            cells = np.flatnonzero(counts)
            counts = counts[cells]
        else:
            cells, which = np.unique(code, return_inverse=True)
            counts = np.bincount(which, weights=weight, minlength=len(cells)).astype(np.float64)
        actual, first, second, rows = cells // (k * k), cells // k % k, cells % k, None
        order = resampling.drawing_order(cells, (actual * k + second) * k + first, counts)
        if clusters is not None:
            rows = order.argsort()[cells.searchsorted(code)], cluster_codes(clusters, len(truth)), weight
        return cls(tuple(classes), actual[order], first[order], second[order], counts[order], rows)

    @property
    def n(self) -> float:
        """All rows."""
        return float(self.counts.sum())

    @property
    def ties(self) -> float:
        """Rows for which both systems predict the same class."""
        return float(self.counts[self.a == self.b].sum())

    def right(self) -> PairedCounts:
        """Count the rows as right or wrong; the accuracy of the result is the overall accuracy."""
        outcome = 2 * (self.a == self.actual) + (self.b == self.actual)
        cells = np.zeros((2, 2, 2))
        cells[1] = np.bincount(outcome, weights=self.counts, minlength=4).reshape(2, 2)
        if self.rows is None:
            return PairedCounts(cells)
        which, codes, weight = self.rows
        return PairedCounts(cells, ClusterCounts.of(4 + outcome[which], codes, 8, weight))

    def clustered(self) -> ClusterCounts | None:
        """Counts of each combination by cluster, or bag of clusters; None if rows are independent."""
        if self.rows is None:
            return None
        which, codes, weight = self.rows
        most = int(np.clip(_WIDE // max(len(self.counts), 1), _LEAST_BAGS, clustered.MOST_BAGS))
        return ClusterCounts.of(which, clustered.bags_of_rows(codes, weight, most), len(self.counts), weight)

    def right_by_class(self) -> Array:
        """Rows of each actual class that both, only A, only B and neither name rightly, shape (k, 4)."""
        k = len(self.classes)
        outcome = 4 * self.actual + 3 - 2 * (self.a == self.actual) - (self.b == self.actual)
        return np.bincount(outcome, weights=self.counts, minlength=4 * k).reshape(k, 4).astype(np.float64)

    def answers(self) -> Array:
        """Rows by the classes that both systems predict, shape (k, k): ``[predicted by A, predicted by B]``."""
        k = len(self.classes)
        return np.bincount(self.a * k + self.b, weights=self.counts, minlength=k * k).reshape(k, k).astype(np.float64)

    def matrices(self, counts: Array | None = None) -> tuple[ConfusionMatrix, ConfusionMatrix]:
        """The confusion matrices of A and of B, by default of `counts`."""
        k, rows = len(self.classes), self.counts if counts is None else counts
        pairs = (np.bincount(self.actual * k + predicted, rows, k * k) for predicted in (self.a, self.b))
        a, b = (ConfusionMatrix(self.classes, counts.reshape(k, k)) for counts in pairs)
        return a, b


def paired_matrix_differences(
    measures: resampling.MatrixMeasures, paired: PairedClasses, level: float = 0.95, resamples: int = RESAMPLES
) -> list[Comparison]:
    """Compare B with A by measures of the confusion matrix, over the same resamples of the rows."""
    check_level(level)
    check_draws(resamples)
    n = round(paired.n)
    of_a, of_b = paired.matrices()
    estimates = [float(measure(of_b)) - float(measure(of_a)) for measure in measures]
    if paired.ties == paired.n:
        return [undrawn_comparison(estimate if n else math.nan, n) for estimate in estimates]
    random, clusters = np.random.default_rng(resampling.SEED), paired.clustered()
    cells, test = (None, comparison.SWAPS) if clusters is None else (clusters.cells, comparison.SWAPS_OF_CLUSTERS)
    draws = clustered.drawn_counts(random, paired.counts, cells, resamples)
    differences = _differences(measures, paired.classes, map(paired.matrices, draws))
    _, codes, weight = paired.rows or (None, None, None)
    each = zip(estimates, differences.T, strict=True)
    comparisons = [comparison_of_rows(*one, level, n, codes, weight) for one in each]
    if codes is None or cells is None:
        moved = _differences(measures, paired.classes, map(paired.matrices, _left_out(paired.counts)))
        notes = map(resampling.few_rows_note, resampling.degrees_without_a_row(moved, estimates, paired.counts))
        noted = zip(comparisons, notes, strict=True)
        comparisons = [replace(one, interval=replace(one.interval, note=note)) for one, note in noted]
        few = comparison.few_pairs(paired.n - paired.ties)
    else:
        differing = int(np.count_nonzero(cells[:, paired.a != paired.b].any(axis=1)))
        few = clustered.count_clusters(codes) < len(codes) and comparison.few_pairs(differing)
    p_values = _exchanged(measures, paired, resamples, random, cells) if few else []
    tested = [comparison.exact_comparison(*one, level, test) for one in zip(comparisons, p_values, strict=False)]
    return tested or comparisons


def _exchanged(
    measures: Sequence[Callable], paired: PairedClasses, draws: int, random: np.random.Generator, clusters: Array | None
) -> list[float]:
    """p of measures by random exchanges of the answers of rows, or (mid-p) of clusters of shape (c, m)."""
    counts, differing = np.rint(paired.counts) if clusters is None else paired.counts, paired.a != paired.b
    actual, a, b = (np.append(*codes) for codes in ((paired.actual,) * 2, (paired.a, paired.b), (paired.b, paired.a)))

    def tables(row: int) -> tuple[ConfusionMatrix, ConfusionMatrix]:
        moved = np.zeros(len(counts))
        if row and clusters is not None:  # the first one is the sample
            moved = (random.random(len(clusters)) < 0.5) @ clusters
        elif row:
            moved[differing] = random.binomial(counts[differing].astype(np.int64), 0.5)
        return PairedClasses(paired.classes, actual, a, b, np.append(counts - moved, moved)).matrices()

    differences = _differences(measures, paired.classes, map(tables, range(draws + 1)))
    return [
        comparison.share_as_large(of_one, float(of_one[0]), halved=clusters is not None) for of_one in differences.T
    ]


def _left_out(counts: Array) -> Iterable[Array]:
    """The counts without one row of each combination."""
    return (counts - np.minimum(counts, 1) * (np.arange(len(counts)) == place) for place in range(len(counts)))


def _differences(
    measures: resampling.MatrixMeasures, classes: tuple, pairs: Iterable[tuple[ConfusionMatrix, ConfusionMatrix]]
) -> Array:
    """Second table minus first in each measure, shape (pairs, measures)."""
    values = resampling.values_of_tables(measures, classes, (table.counts for pair in pairs for table in pair))
    return values[1::2] - values[::2]


PAIRED_INTERVALS = {"tango": "Tango", "newcombe": "Newcombe"}
"""Intervals of the difference of two shares of the same rows, with their names."""


@dataclass(frozen=True)
class PairedChoice:
    """Settings of the tests of two systems on the same rows: the level of all intervals, and the methods for shares."""

    level: float = 0.95  # confidence, between 0 and 1
    # Keys of `MCNEMAR_TESTS` and `PAIRED_INTERVALS`.
    test: str = "auto"
    interval: str = "tango"


def mcnemar_differences(
    measures: Iterable[MetricDef], paired: PairedCounts | PairedClasses, choice: PairedChoice | None = None
) -> list[Comparison]:
    """Differences in which shares of the same rows have the p-value of `mcnemar`: exact below 25 discordant rows.

    So a table of measures and the 2×2 table of disagreements give the same p. The intervals have no continuity
    correction; where one excludes 0 and that p is above 1 − level, it is widened to hold 0.
    """
    measures, choice = list(measures), choice or PairedChoice()
    if isinstance(paired, PairedClasses):
        resampled = [measure for measure in measures if measure.paired_test != "share"]
        comparisons = iter(paired_matrix_differences(resampled, paired, choice.level) if resampled else ())
        right = mcnemar_differences([METRICS["accuracy"]], paired.right(), choice)[0]
        return [right if measure.paired_test == "share" else next(comparisons) for measure in measures]
    differences = paired_differences(measures, paired, choice.level)
    for index, measure in enumerate(measures):
        if measure.paired_test == "share" and paired.clusters is None:
            test = comparison.mcnemar_of_counts(*paired.share(measure), level=choice.level, test=choice.test)
            method = f"interval of {PAIRED_INTERVALS[choice.interval]}, {test.method}"
            tested = test if choice.interval == "newcombe" else differences[index]
            interval = unless_rejected(tested.interval, test.p_value, choice.level)
            values = {"method": method, "statistic": test.statistic, "p_value": test.p_value, "interval": interval}
            differences[index] = replace(tested, **values)
    return differences


@dataclass(frozen=True, eq=False)
class CellDifferences:
    """Confusion matrices of two systems on the same rows, compared cell by cell."""

    # Of the two systems, over the same rows.
    a: ConfusionMatrix
    b: ConfusionMatrix
    # Shape (k, k): rows of the actual class that only this system predicted as the predicted class.
    only_a: Array
    only_b: Array
    # Shape (k, k): McNemar's exact test of the two counts; nan where the systems predict that class for the same rows.
    p_values: Array
    corrected: Array  # shape (k, k): corrected by Holm, over the tested cells

    @property
    def counts(self) -> Array:
        """Rows of B minus rows of A in each cell, shape (k, k)."""
        return self.b.counts - self.a.counts


def compare_cells(
    actual: npt.NDArray[np.integer], predicted_a: npt.NDArray[np.integer], predicted_b: npt.NDArray[np.integer],
    classes: tuple, weights: npt.ArrayLike | None = None, clusters: npt.NDArray[np.integer] | None = None,
) -> CellDifferences:  # fmt: skip
    """Compare the confusions of two systems on the same rows.

    Cells in which the systems never differ are not tested, which leaves the correction valid. Truth and predictions are
    places in `classes`; sums of weights are rounded. Of clusters the sum of their differences is set against its
    spread, or, with fewer than 25 that differ, against all signs they might have had. See V. Durkalski, Y. Palesch, S.
    Lipsitz, P. Rust (2003), doi:10.1002/sim.1438.
    """
    k = len(classes)

    def counted(predicted: npt.NDArray[np.integer], rows: slice | Flags = slice(None)) -> Array:
        cells = actual[rows].astype(np.intp) * k + predicted[rows]
        weight = None if weights is None else np.asarray(weights, dtype=np.float64)[rows]
        return np.bincount(cells, weights=weight, minlength=k * k).reshape(k, k).astype(np.float64)

    alike = predicted_a == predicted_b
    # The rows on which they differ are counted separately: a difference of sums would be off by rounding.
    only_a, only_b = counted(predicted_a, ~alike), counted(predicted_b, ~alike)
    p_values = np.full((k, k), np.nan)
    tested = only_a + only_b > 0
    if clusters is None:
        p_values[tested] = comparison.exact_mcnemar(only_a[tested], only_b[tested])
    else:
        # One difference for each cluster and cell, with the sign of the system that has the row there.
        rows = np.flatnonzero(~alike)
        cell = np.concatenate([actual[rows].astype(np.intp) * k + of[rows] for of in (predicted_a, predicted_b)])
        weight = np.ones(len(rows)) if weights is None else np.asarray(weights, dtype=np.float64)[rows]
        keys = np.tile(clusters[rows], 2) * (k * k) + cell
        pairs, which, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        apart = np.bincount(which, np.concatenate([-weight, weight]), len(pairs)).astype(np.float64)
        spread = np.bincount(pairs % (k * k), weights=apart**2, minlength=k * k).reshape(k, k)
        p_values[tested] = 2 * ndtr(-np.abs(ratio((only_b - only_a)[tested], np.sqrt(spread[tested]))))
        p_values[tested & (spread == 0)] = 1.0
        order = np.argsort(pairs % (k * k), kind="stable")
        cells, starts = np.unique(pairs[order] % (k * k), return_index=True)
        for place, of_cell in zip(cells.tolist(), np.split(order, starts[1:]), strict=True):
            if comparison.few_pairs(differing := int(np.count_nonzero(apart[of_cell]))) and differing:
                p_values.flat[place] = _exchanged_cell(apart[of_cell], bool((sizes[of_cell] == 1).all()))
    a, b = (ConfusionMatrix(classes, counted(predicted)) for predicted in (predicted_a, predicted_b))
    return CellDifferences(a, b, only_a, only_b, p_values, holm(p_values))


def _exchanged_cell(apart: Array, alone: bool) -> float:
    """p of a sum of differences of few clusters by exchanging the systems in each; exact where each has one row."""
    apart = apart[apart != 0]
    if alone and (np.abs(apart) == 1).all():
        only_a = float((apart < 0).sum())
        return float(comparison.exact_mcnemar(only_a, len(apart) - only_a))
    sums = _signs(len(apart)) @ apart
    return comparison.share_as_large(sums, float(sums[0]), halved=not alone)


@lru_cache(maxsize=32)
def _signs(clusters: int) -> Array:
    """All signs of some clusters, or a random sample of them; the first row is that of the data."""
    return 1.0 - 2.0 * comparison.exchanges(clusters, comparison.DRAWS, resampling.SEED)


def bowker(answers: npt.ArrayLike) -> ChiSquare:
    """Bowker's test of symmetry: does A predict x where B predicts y as often as the other way round?

    It generalises McNemar's test to several classes, without correction. It shows that the systems predict differently,
    not which of them is right. ``answers[predicted by A, predicted by B]`` has one degree of freedom per pair of
    classes with any disagreement; p = 1 without one. See A. Bowker (1948), doi:10.1080/01621459.1948.10483284.
    """
    table = np.asarray(answers, dtype=np.float64)
    above = np.triu_indices(len(table), 1)
    there, back = table[above], table.T[above]
    traded = there + back > 0
    statistic = float(((there - back)[traded] ** 2 / (there + back)[traded]).sum())
    return ChiSquare.of(statistic, int(np.count_nonzero(traded)), 1.0 if table.sum() else math.nan)


def stuart_maxwell(answers: npt.ArrayLike) -> ChiSquare:
    """Stuart–Maxwell test of marginal homogeneity: is each class named as often by A as by B?

    It generalises McNemar's test to several classes by the totals of the table, where Bowker's goes by its cells. One
    degree of freedom fewer than classes with any disagreement, within each group of classes that are exchanged with
    each other; p = 1 without disagreement. See A. Stuart (1955), doi:10.1093/biomet/42.3-4.412; A. Maxwell (1970),
    doi:10.1192/bjp.116.535.651.
    """
    table = np.asarray(answers, dtype=np.float64)
    statistic, degrees, _ = standardised(table.sum(axis=1) - table.sum(axis=0), _covariance_of_margins(table))
    return ChiSquare.of(statistic, degrees, 1.0 if table.sum() else math.nan)


def _covariance_of_margins(table: Array) -> Array:
    """Covariance of the differences of the margins where these are equal; its rows add up to 0."""
    exchanged = table + table.T
    np.fill_diagonal(exchanged, 0.0)
    return np.diag(exchanged.sum(axis=1)) - exchanged


def clustered_symmetry(paired: PairedClasses) -> tuple[ChiSquare, ChiSquare]:
    """Bowker's and the Stuart–Maxwell test of two systems on clustered rows.

    Each statistic is divided by its mean design effect: by how much more the differences of whole clusters scatter than
    those of independent rows would. Its p is that of an F distribution, which takes few clusters into account. See J.
    Rao, A. Scott (1981), doi:10.1080/01621459.1981.10477633; D. Thomas, J. Rao (1987), Journal of the American
    Statistical Association 82, 630–636.
    """
    answers, clusters = paired.answers(), paired.clustered()
    cells, margins = bowker(answers), stuart_maxwell(answers)
    if clusters is None or paired.rows is None or not cells.degrees:
        return cells, margins
    k = len(paired.classes)
    differing = np.flatnonzero(paired.a != paired.b)
    a, b = paired.a[differing], paired.b[differing]
    pairs, place = np.unique(np.minimum(a, b) * k + np.maximum(a, b), return_inverse=True)
    traded, totals = np.zeros((len(clusters.cells), len(pairs))), np.zeros((len(clusters.cells), k))
    for column, pair, x, y in zip(differing.tolist(), place.tolist(), a.tolist(), b.tolist(), strict=True):
        rows = clusters.cells[:, column]
        traded[:, pair] += rows if x < y else -rows
        totals[:, x] += rows
        totals[:, y] -= rows
    i, j = pairs // k, pairs % k
    of_cells = float((np.square(traded).sum(axis=0) / (answers[i, j] + answers[j, i])).mean())
    inverse = np.linalg.pinv(_covariance_of_margins(answers), hermitian=True)
    of_margins = float(np.trace(inverse @ (totals.T @ totals))) / margins.degrees
    count = 1 + np.nan_to_num(clustered.degrees_of_codes(paired.rows[1], paired.rows[2]))
    return _corrected(cells, of_cells, count), _corrected(margins, of_margins, count)


def _corrected(test: ChiSquare, effect: float, clusters: float) -> ChiSquare:
    if clusters < 2 or not effect > 0:
        return ChiSquare(float("nan"), test.degrees, float("nan"))
    statistic, degrees = test.statistic / effect, test.degrees
    return ChiSquare(statistic, degrees, float(fdtrc(degrees, degrees * (clusters - 1), statistic / degrees)))


MICRO_F1 = "micro F1"  # the key of the F1 of all labels together, which is no measure of the registry
MOST_CELLS = 4_000  # different outcomes of a row up to which all resamples are drawn; of more, fewer are


def label_set_differences(
    a: LabelSets, b: LabelSets, level: float = 0.95, seed: int = resampling.SEED
) -> dict[str, Comparison]:
    """Compare B with A by the measures of label sets, by their keys, and by micro F1.

    Subset accuracy has McNemar's test; the others the paired bootstrap. Rows with the same numbers of true, predicted
    and correct labels of both systems are drawn together. Clusters are resampled and tested whole.
    """
    check_level(level)
    sizes = np.concatenate([a.sizes, b.sizes[1:]])  # true labels, then predicted and correct ones of each
    k, base = float(len(a.classes)), int(sizes.max(initial=0)) + 1
    places = base ** np.arange(len(sizes))[:, None]  # as the digits of one number, which sorts far faster
    codes, index = np.unique((sizes * places).sum(axis=0), return_inverse=True)
    rows = np.bincount(index, a.weights, minlength=len(codes)).astype(np.float64)
    order = resampling.drawing_order(codes, (codes // places % base * places[[0, 3, 4, 1, 2]]).sum(axis=0), rows)
    codes, rows, index = codes[order], rows[order], order.argsort()[index]
    actual, predicted_a, both_a, predicted_b, both_b = (codes // places % base).astype(np.float64)
    counts = [
        ConfusionCounts(both, predicted - both, actual - both, k - actual - predicted + both)
        for both, predicted in ((both_a, predicted_a), (both_b, predicted_b))
    ]
    resamples = RESAMPLES if len(rows) <= MOST_CELLS else max(RESAMPLES * MOST_CELLS // len(rows), 200)
    if a.clusters is None:
        resampled = resampling.resampled_cells(rows, resamples, seed)
    else:
        cells, random = clustered.cells_of_bags(index, len(rows), a.clusters, a.weights), np.random.default_rng(seed)
        resampled = np.reshape([*clustered.drawn_counts(random, rows, cells, resamples)], (resamples, len(rows)))
    drawn = np.concatenate([rows[None], resampled])

    def compared(values: list[Array]) -> Comparison:
        difference = values[1] - values[0]
        return comparison_of_rows(float(difference[0]), difference[1:], level, round(rows.sum()), a.clusters, a.weights)

    def mean(values: Array) -> Array:
        """Mean over the rows where the values are defined, in the sample and in each resample."""
        defined = ~np.isnan(values)
        return ratio(drawn[:, defined] @ values[defined], drawn[:, defined].sum(axis=1))

    right_a, right_b = (one.fp + one.fn == 0 for one in counts)
    if a.clusters is not None:
        answers = right_a[index], right_b[index]
        paired = PairedCounts.from_labels(np.ones(len(index), bool), *answers, True, a.weights, a.clusters)
        (of_sets,) = paired_differences([METRICS["accuracy"]], paired, level)
    else:
        of_sets = _of_exact_sets(right_a, right_b, rows, level)
    tests = {
        MICRO_F1: compared([_micro_f1(one, drawn) for one in counts]),
        "samples_f1": compared([mean(np.asarray(f_beta(one))) for one in counts]),
        "subset_accuracy": of_sets,
        "hamming_loss": compared([mean(np.asarray(error_rate(one))) for one in counts]),
    }
    differ = (sizes[1:3] != sizes[3:5]).any(axis=0)
    plain, differing = a.clusters is None and a.weights is None, float(np.count_nonzero(differ))
    if plain and differing and comparison.few_pairs(differing):
        for key, p_value in _exchanged_labels(sizes.astype(np.float64), differ, k, resamples, seed).items():
            tests[key] = comparison.exact_comparison(tests[key], p_value, level)
    return tests


def _of_exact_sets(right_a: np.ndarray, right_b: np.ndarray, rows: Array, level: float) -> Comparison:
    """McNemar's test of the rows that exactly one system gets right, from outcomes and their number of rows."""
    four = (float(rows[mask].sum()) for mask in (right_a & right_b, right_a & ~right_b, right_b & ~right_a))
    both, only_a, only_b = four
    neither = max(float(rows.sum()) - both - only_a - only_b, 0.0)
    compared = comparison.mcnemar_of_counts(both, only_a, only_b, neither, level)
    return replace(compared, interval=unless_rejected(compared.interval, compared.p_value, level))


def label_ranking_differences(a: LabelScores, b: LabelScores, level: float = 0.95) -> dict[str, Comparison]:
    """Compare B with A by the measures of label rankings, by their keys: paired t-test over the rows."""
    check_level(level)
    return {
        key: _paired_t(getattr(b.ranks, name) - getattr(a.ranks, name), a.weights, level, a.clusters)
        for key, name in RANKING_MEASURES.items()
    }


def _exchanged_labels(sizes: Array, differ: Flags, k: float, draws: int, seed: int) -> dict[str, float]:
    """p of micro F1, samples F1 and Hamming loss by exchanging the labels of A and B in the rows where they differ."""
    actual, predicted_a, both_a, predicted_b, both_b = sizes
    masks = comparison.exchanges(int(np.count_nonzero(differ)), draws, seed).astype(np.float64)

    def sums(of_a: Array, of_b: Array) -> tuple[Array, Array]:
        moved = masks @ (of_b - of_a)[differ]
        return of_a.sum() + moved, of_b.sum() - moved

    true, called = sums(both_a, both_b), sums(predicted_a, predicted_b)
    micro = [ratio(2 * hits, flagged + actual.sum()) for hits, flagged in zip(true, called, strict=True)]
    f1 = [ratio(2 * both, predicted + actual) for both, predicted in ((both_a, predicted_a), (both_b, predicted_b))]
    defined = sums(*(1.0 - np.isnan(one) for one in f1))
    samples = [ratio(*pair) for pair in zip(sums(*map(np.nan_to_num, f1)), defined, strict=True)]
    wrong = sums(actual + predicted_a - 2 * both_a, actual + predicted_b - 2 * both_b)
    pairs = {MICRO_F1: micro, "samples_f1": samples, "hamming_loss": [one / (k * len(actual)) for one in wrong]}
    differences = {key: of_b - of_a for key, (of_a, of_b) in pairs.items()}
    return {key: comparison.share_as_large(values, float(values[0])) for key, values in differences.items()}


def _micro_f1(counts: ConfusionCounts, drawn: Array) -> Array:
    tp, fp, fn = (drawn @ cells for cells in (counts.tp, counts.fp, counts.fn))
    return ratio(2 * tp, 2 * tp + fp + fn)


def _paired_t(differences: Array, weights: Array | None, level: float, clusters: np.ndarray | None) -> Comparison:
    """Paired t-test of the mean difference, with sums of weights as rows; of clusters by linearisation."""
    if weights is None and clusters is None and np.count_nonzero(differences) < FEW_DIFFERENCES:
        return cautious_t(np.zeros(len(differences)), differences, level)
    weight = np.ones(len(differences)) if weights is None else weights
    n, method = float(weight.sum()), "paired t"
    mean = float(ratio((weight * differences).sum(), n))
    error, degrees, count = math.nan, n - 1, None
    if clusters is not None:
        sums = np.bincount(clusters, weight * (differences - mean)).astype(np.float64)
        count = clustered.count_clusters(clusters, weights)
        method = method if clustered.count_clusters(clusters) == len(clusters) else "paired t of clusters"
        own = min(clustered.degrees_of(sums, clustered.count_clusters(clusters)), max(count - 1, 1.0))
        sizes = np.bincount(clusters, weight).astype(np.float64)
        degrees = clustered.degrees_by_sizes(sizes, own) if count > 1 else 0.0
        error = math.sqrt(float(sums @ sums) * count / (count - 1)) / n if count > 1 else math.nan
    elif n > 1:
        error = math.sqrt(max(float((weight * (differences - mean) ** 2).sum()), 0.0) / (n - 1) / n)
    if error > 0:
        statistic = mean / error
        p_value = 2 * float(stdtr(degrees, -abs(statistic)))
    else:
        statistic, p_value = (0.0, 1.0) if error == mean == 0 else (math.nan, math.nan)
    half = float(stdtrit(degrees, (1 + level) / 2)) * error if degrees > 0 else math.nan
    return Comparison(method, mean, Interval(mean, mean - half, mean + half, count), statistic, p_value, round(n))
