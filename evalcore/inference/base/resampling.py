"""Resamples: intervals of measures of counts and square tables, and the rows behind a threshold table drawn again."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, ThresholdTable
from evalcore.classification.binary.counts import Measure
from evalcore.inference.base import clustered, intervals
from evalcore.numeric import WORTH_A_THREAD, Array, Flags, Indices, over_parts, ratio, whole_rows
from evalcore.registry import MetricDef

__all__ = ["AREA_METHODS", "INTERVAL_METHODS", "IntervalChoice", "Resampling", "bootstrap", "bootstrap_matrix"]
__all__ += ["clusters_of", "clusters_of_rows", "drawing_order", "effective_share_counts", "percentile_interval"]
__all__ += ["resampling_of", "share_counts"]

MatrixMeasures = Sequence[Callable[[ConfusionMatrix], float]]

_CELLS = 1 << 17
"""Cells of the tables that are measured at once: a thousand tables of a thousand classes would fill the memory."""


def values_of_tables(measures: MatrixMeasures, classes: tuple, tables: Iterable[Array]) -> Array:
    """Measures of square tables, each of k² counts in any shape: shape (tables, measures)."""
    k, rest = len(classes), iter(tables)
    values: list[Array] = [np.empty((0, len(measures)))]
    while some := list(islice(rest, max(_CELLS // max(k * k, 1), 1))):
        counts = np.reshape(some, (-1, k, k))
        values.append(np.transpose([_values(measure, classes, counts) for measure in measures]))
    return np.concatenate(values)


def _values(measure: Callable[[ConfusionMatrix], float], classes: tuple, counts: Array) -> Array:
    """One measure of tables of shape (b, k, k), in one call for a measure of the registry."""
    if isinstance(measure, MetricDef) and measure.stacked:
        return np.asarray(measure(ConfusionMatrix(classes, counts)))
    return np.array([measure(ConfusionMatrix(classes, table)) for table in counts])


RESAMPLES = 2000
SEED = 20
FEW_DEGREES = 15  # below so many degrees of freedom a note says that few rows decide

INTERVAL_METHODS = {"wilson": "Wilson", "clopper": "Clopper–Pearson", "agresti": "Agresti–Coull"}
INTERVAL_METHODS |= {"jeffreys": "Jeffreys", "bootstrap": "bootstrap"}

AREA_METHODS = {"logit": "DeLong, logit scale", "plain": "DeLong"}
"""Intervals of the area under the ROC curve with their names."""

_OF_SHARES = intervals.wilson, intervals.clopper_pearson, intervals.agresti_coull, intervals.jeffreys
_CLOSED = dict(zip(INTERVAL_METHODS, _OF_SHARES, strict=False))  # all but the bootstrap


def percentile_bounds(values: Array, level: float) -> tuple[Array, Array]:
    """Percentile bounds of resampled values, shape (..., b): equal tails are cut off below and above.

    The bounds are values of resamples, never means of two, so that infinite ones stay infinite. Undefined values are
    left out; nan where half of them or more are undefined.
    """
    ordered = np.sort(values, axis=-1)  # undefined values go to the end
    defined = (~np.isnan(ordered)).sum(axis=-1)
    # Rounded first: 0.025 of 2,000 are 50, which floating point misses by a hair.
    outside = np.floor(np.round(defined * ((1 - level) / 2), 6)).astype(np.intp)
    known = 2 * defined > ordered.shape[-1]
    low, high = (
        np.where(known, np.take_along_axis(ordered, np.where(known, index, 0)[..., None], axis=-1)[..., 0], np.nan)
        for index in (outside, defined - 1 - outside)
    )
    return low, high


def percentile_interval(estimate: Array | float, values: Array, level: float) -> intervals.Interval:
    """Percentile interval of one estimate from its resampled values, shape (b,).

    The bounds are nan where the estimate is undefined, where half of the resamples or more are, and where the resamples
    agree: that shows an empty cell, not certainty.
    """
    low, high = (float(bound) for bound in percentile_bounds(values, level))
    # Resamples that agree may differ by rounding.
    if math.isnan(estimate) or not low < high or math.isclose(low, high, rel_tol=1e-12):
        low = high = math.nan
    return intervals.Interval(estimate, low, high)


def resampled_cells(cells: Array, resamples: int, seed: int) -> Array:
    """Counts of m cells in resamples of the rows, by a multinomial law, shape (resamples, m); 0 without rows."""
    intervals.check_draws(resamples)
    n = whole_rows(cells.sum())
    if not n:
        return np.zeros((resamples, len(cells)))
    return np.random.default_rng(seed).multinomial(n, cells / cells.sum(), size=resamples).astype(np.float64)


def drawing_order(keys: Array | Indices, turned: Array | Indices, counts: Array) -> Indices:
    """An order of cells that stays the same where two systems change places, from their keys before and after that.

    So the same rows are drawn whichever system is called A, and the interval of B − A is that of A − B mirrored.
    """
    one, two = (np.argsort(each, kind="stable") for each in (keys, turned))
    is_two = (turned[two].tolist(), counts[two].tolist()) < (keys[one].tolist(), counts[one].tolist())
    return two if is_two else one


def resampled_counts(counts: ConfusionCounts, resamples: int = RESAMPLES, seed: int = SEED) -> ConfusionCounts:
    """Counts of shape (resamples,) in resamples of the rows, or of their clusters, from counts of shape ()."""
    if (clusters := counts.clusters) is not None:
        intervals.check_draws(resamples)
        return ConfusionCounts(*clustered.resampled_sums(clusters, resamples, seed).T)
    cells = np.array([counts.tp, counts.fp, counts.fn, counts.tn], dtype=np.float64)
    return ConfusionCounts(*resampled_cells(cells, resamples, seed).T)


def bootstrap(
    measure: Measure, counts: ConfusionCounts, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> intervals.Interval:
    """Percentile interval, as `percentile_interval`, of any measure of counts of shape () over resamples of the rows.

    Rows that belong together are drawn together, and the interval is widened for few clusters (`expanded_level`), the
    more the fewer of them decide on the measure (`jackknife_degrees`). See B. Efron, R. Tibshirani (1993), An
    Introduction to the Bootstrap. Chapman & Hall, chapter 13.
    """
    intervals.check_level(level)
    values = np.asarray(measure(resampled_counts(counts, resamples, seed)))
    if (moments := counts.moments) is None:
        return percentile_interval(measure(counts), values, level)
    clusters = float(moments.clusters_in(np.ones(4)))
    if moments.weighted:
        clusters = max(float(counts.total) ** 2 / float(moments.squares(np.ones(4))), min(clusters, 2.0))
    degrees = math.inf if counts.clusters is None else clustered.jackknife_degrees(measure, counts.clusters)
    wider = clustered.expanded_level(level, clusters, degrees)
    heavy = clustered.few_heavy_of(moments, (*clustered.CLASSES, [1, 1, 1, 1]))
    return replace(percentile_interval(measure(counts), values, wider), clusters=clusters, few_heavy=heavy)


def bootstrap_matrix(
    measures: MatrixMeasures, matrix: ConfusionMatrix, level: float = 0.95, resamples: int = 1000
) -> list[intervals.Interval]:
    """An interval, as `percentile_interval`, for each measure of a square table over the same resamples of its rows.

    It is widened where few rows decide on the measure, such as the only confusions of distant classes (`cell_degrees`),
    or for few clusters.
    """
    intervals.check_level(level)
    values = resampled_matrix_values(measures, matrix, resamples, SEED)
    estimates = [measure(matrix) for measure in measures]
    if matrix.rows is not None:
        of_rows = matrix.rows.clusters, matrix.rows.weights
        return clustered_percentiles(estimates, values, *of_rows, clustered.count_clusters(*of_rows), level)
    n = max(float(matrix.counts.sum()), 2.0)
    return [
        replace(
            percentile_interval(estimate, column, clustered.expanded_level(level, n, degrees)),
            note=few_rows_note(degrees),
        )
        for estimate, column, degrees in zip(estimates, values.T, cell_degrees(measures, matrix), strict=True)
    ]


def clustered_percentiles(
    estimates: Sequence[float], values: Array, codes: Indices, weights: Array | None, clusters: float, level: float
) -> list[intervals.Interval]:
    """Percentile intervals of m measures from resamples of clusters, shape (b, m), widened for few or unequal ones."""
    wider = clustered.expanded_level(level, clusters, clustered.degrees_of_codes(codes, weights))
    beside = {"clusters": clusters, "few_heavy": clustered.few_heavy_codes(codes, weights)}
    each = zip(estimates, values.T, strict=True)
    return [replace(percentile_interval(*one, wider), **beside) for one in each]


def cell_degrees(measures: MatrixMeasures, matrix: ConfusionMatrix) -> list[float]:
    """`empirical_degrees` of each measure of a square table, from leaving out a row of each cell."""
    cells = matrix.counts.reshape(-1)
    occupied = np.flatnonzero(cells >= 1)
    values = values_of_tables(measures, matrix.classes, (cells - (np.arange(len(cells)) == cell) for cell in occupied))
    return degrees_without_a_row(values, [float(measure(matrix)) for measure in measures], cells[occupied])


def degrees_without_a_row(values: Array, estimates: Sequence[float], rows: Array) -> list[float]:
    """`empirical_degrees` of m measures from their values without one row of each cell, (c, m); ∞ without cells."""
    if not len(rows):
        return [math.inf] * len(estimates)
    moved = values - np.asarray(estimates)
    known = np.where(np.isfinite(moved), moved, 0.0)
    known = known / np.maximum(np.abs(known).max(axis=0, initial=0.0), 1e-300)
    return clustered.empirical_degrees(rows @ known**2, rows @ known**4, rows.sum()).tolist()


def few_rows_note(degrees: float) -> str:
    """Warn in a sentence that an interval may be too narrow because few rows decide; empty with enough degrees."""
    if not degrees < FEW_DEGREES:
        return ""
    return f"Few rows decide on this value ({degrees:.0f} degrees of freedom): the interval may be too narrow."


def resampled_matrix_values(measures: MatrixMeasures, matrix: ConfusionMatrix, resamples: int, seed: int) -> Array:
    """Measures of a square table in resamples of its rows, or of their clusters, shape (resamples, m)."""
    intervals.check_draws(resamples)
    random, k, clusters = np.random.default_rng(seed), len(matrix.classes), None
    if (rows := matrix.rows) is not None:
        clusters = clustered.cells_of_bags(rows.actual * k + rows.predicted, k * k, rows.clusters, rows.weights)
    draws = clustered.drawn_counts(random, matrix.counts.reshape(-1), clusters, resamples)
    return values_of_tables(measures, matrix.classes, draws)


@dataclass(frozen=True)
class IntervalChoice:
    """Settings of intervals: the method for shares, the one for areas under the ROC curve, and the level."""

    method: str = "wilson"  # a key of `INTERVAL_METHODS`
    level: float = 0.95  # confidence, between 0 and 1
    area: str = "logit"  # a key of `AREA_METHODS`

    @property
    def method_name(self) -> str:
        """The name of the method in words."""
        return INTERVAL_METHODS[self.method]

    def of(self, measure: MetricDef, counts: ConfusionCounts) -> tuple[intervals.Interval, float] | None:
        """The interval of a measure and its n; None where the measure is undefined.

        Shares use the chosen method, likelihood ratios, odds ratio and lift the logarithm, and all others the
        bootstrap; so do these ratios where a cell is empty.
        """
        if math.isnan(float(measure(counts))):
            return None
        n = float(share_counts(measure, counts)[1]) if measure.denominator else float(counts.total)
        if measure.interval == "share" and self.method in _CLOSED:
            return self.of_shares(measure, counts)[0], n
        if measure.interval == "logarithm":
            interval = intervals.log_ratio_interval(measure, counts, self.level)
            if not math.isnan(float(interval.low)):
                return interval, n
        interval = bootstrap(measure, counts, self.level)
        return None if math.isnan(float(interval.low)) else (interval, n)

    def of_area(self, scored: ScoredLabels) -> intervals.Interval:
        """The interval of the area under the ROC curve; see `delong`."""
        return intervals.delong(scored, self.level, logit=self.area == "logit")

    def of_linear_area(self, measure: MetricDef, scored: ScoredLabels) -> intervals.Interval:
        """Interval of the area, or of a linear function of it such as Gini, whose limits are those of the area."""
        area, width = self.of_area(scored), measure.highest - measure.lowest
        ends = {name: measure.lowest + width * float(getattr(area, name)) for name in ("estimate", "low", "high")}
        return replace(area, **ends)

    @property
    def area_name(self) -> str:
        """The method for areas in words."""
        return AREA_METHODS[self.area]

    def of_shares(self, measure: MetricDef, counts: ConfusionCounts) -> tuple[intervals.Interval, Array]:
        """The interval of a share at counts of shape (m,), and the n of each; nan where undefined."""
        hits, n = share_counts(measure, counts)
        if self.method in _CLOSED and (moments := counts.moments) is not None:
            effective_hits, effective = effective_share_counts(measure, counts, self.level)
            interval = _CLOSED[self.method](effective_hits, effective, self.level)
            below = cells_in(measure.denominator)
            beside = {"clusters": moments.clusters_in(below), "few_heavy": moments.few_heavy(below)}
            return replace(interval, estimate=ratio(hits, n), effective=effective, **beside), n
        if self.method in _CLOSED:
            return _CLOSED[self.method](np.minimum(hits, n), n, self.level), n
        each = [self.of(measure, counts[index]) for index in range(len(n))]
        bounds = [(math.nan, math.nan) if one is None else (float(one[0].low), float(one[0].high)) for one in each]
        return intervals.Interval(np.asarray(measure(counts)), *np.reshape(bounds, (-1, 2)).T), n


def share_counts(measure: MetricDef, counts: ConfusionCounts) -> tuple[Array, Array]:
    """Numerator and denominator of a share, in the shape of the counts."""
    above, below = (
        np.sum([getattr(counts, cell) for cell in cells], axis=0) for cells in (measure.numerator, measure.denominator)
    )
    return above, below


def effective_share_counts(measure: MetricDef, counts: ConfusionCounts, level: float = 0.95) -> tuple[Array, Array]:
    """Numerator and denominator of a share in effective numbers of rows; 0 of 0 with fewer than two clusters."""
    hits, n = share_counts(measure, counts)
    if (moments := counts.moments) is None:
        return hits, n
    above, below = cells_in(measure.numerator), cells_in(measure.denominator)
    hits, n, _ = clustered.effective_shares(moments, above, below, hits, n, level)
    return np.nan_to_num(hits), np.nan_to_num(n)


def cells_in(cells: Iterable[str]) -> Array:
    """Flags of some of the cells TP, FP, FN and TN, as 0 and 1."""
    return np.array([float(cell in cells) for cell in ("tp", "fp", "fn", "tn")])


Result = TypeVar("Result")

FEW_ROWS = 12_000  # up to this many rows, drawing each is faster than drawing the counts of cells
WORK = 400_000_000  # groups and their cells, times resamples: one or two seconds
LEAST = 200  # least number of resamples of groups, however many groups there are
_BLOCK = 1 << 15  # rows of all tables of a block; another number would draw other resamples
_WIDE = 4_000_000  # numbers per block of draws of groups and thread: 32 MB


def clusters_of(
    table: ThresholdTable, labels: Flags, scores: npt.ArrayLike, groups: Indices, weights: npt.ArrayLike | None = None
) -> Any:
    """Count the rows of each group, or add up their weights, between the thresholds of a table: sparse, (2 t, groups).

    The positives of the t thresholds come first, then the negatives.
    """
    # Imported here because few resample groups.
    from scipy.sparse import coo_array

    t = len(table)
    at = table.first_rows(scores)
    counted = np.ones(len(at)) if weights is None else np.asarray(weights, dtype=np.float64)
    shape = (2 * t, int(groups.max(initial=-1)) + 1)
    # The score of a row of weight 0 may be no threshold.
    some = counted > 0
    cells = coo_array((counted[some], (np.where(labels, at, t + at)[some], groups[some])), shape=shape).tocsr()
    cells.sum_duplicates()
    return cells


def clusters_of_rows(table: ThresholdTable, scored: ScoredLabels) -> Any:
    """`clusters_of` the rows of scores; None if rows are independent."""
    rows = scored.all_rows
    if rows["clusters"] is None:
        return None
    return clusters_of(table, rows["labels"], rows["scores"], clustered.bags_of_rows(rows["clusters"]), rows["weights"])


@dataclass(frozen=True, eq=False)
class Resampling:
    """Method of drawing resamples of a table."""

    table: ThresholdTable
    resamples: int  # fewer than asked for with very many groups
    seed: int
    stratified: bool = False  # whether every resample has as many positives and negatives as the sample
    clusters: Any = None  # groups drawn as a whole, as `clusters_of`; None for single rows

    @property
    def rows(self) -> int:
        """Rows, or clusters, of a resample; sums of weights are rounded to rows."""
        if self.clusters is not None:
            return self.clusters.shape[1]
        return whole_rows(self.table.counts[-1].total) if len(self.table) else 0

    @property
    def block(self) -> int:
        """Resamples per block, so few that their intermediate results stay in the cache."""
        fit = max(_BLOCK // max(len(self.table), 1), 1)
        return fit if self.clusters is None else max(min(fit, _WIDE // max(self.rows, 1)), 1)

    def over_blocks(self, function: Callable[[slice, ConfusionCounts], Result], threaded: bool = True) -> list[Result]:
        """Call a function on each block: its slice of the resamples, and their counts, shape (block, t)."""
        block = self.block
        parts = [slice(i, min(i + block, self.resamples)) for i in range(0, self.resamples, block)]
        seeds = np.random.SeedSequence(self.seed).spawn(len(parts))
        draw = self._drawer()

        def one(job: tuple[slice, np.random.SeedSequence]) -> Result:
            part, seed = job
            drawn = draw(np.random.default_rng(seed), part.stop - part.start)
            hits = (rows.cumsum(axis=1, dtype=np.float64) for rows in np.split(drawn, 2, axis=1))
            return function(part, _from_hits(*hits))

        return over_parts(one, list(zip(parts, seeds, strict=True)), WORTH_A_THREAD if threaded else 0)

    def bands(self, measure: Measure, level: float = 0.95) -> tuple[Array, Array]:
        """Pointwise percentile bounds of a measure of counts at each threshold: low and high, shape (t,)."""
        intervals.check_level(level)
        values = np.empty((len(self.table), self.resamples))
        for part, tp, fp in self._hits:
            values[:, part] = np.asarray(measure(_from_hits(tp, fp))).T
        return percentile_bounds(values, level)

    @cached_property
    def _hits(self) -> list[tuple[slice, np.ndarray, np.ndarray]]:
        """True and false positives of all resamples, cached."""
        kind = np.int32 if self.clusters is None and self.rows < 2**31 else np.float64
        return self.over_blocks(lambda part, counts: (part, counts.tp.astype(kind), counts.fp.astype(kind)))

    def _drawer(self) -> Callable[[np.random.Generator, int], np.ndarray]:
        """Draws of the rows between the thresholds, positives and then negatives, shape (draws, 2 t)."""
        if (groups := self.clusters) is not None:
            # Resamples side by side, so that each number of the table is read once for all of them.
            size = groups.shape[1]
            return lambda random, many: (groups @ np.ascontiguousarray(clustered.draw_times(random, size, many).T)).T
        cells = [np.diff(hits, prepend=0.0) for hits in (self.table.counts.tp, self.table.counts.fp)]
        if self.stratified:
            positives, negatives = map(_of_cells, cells)
            return lambda random, many: np.hstack([positives(random, many), negatives(random, many)])
        return _of_cells(np.concatenate(cells))


def resampling_of(
    table: ThresholdTable, resamples: int, seed: int, stratified: bool = False, grouped: Any = None
) -> Resampling:
    """Choose how to draw resamples; with very many clusters fewer of them, but at least `LEAST`, to bound the time."""
    intervals.check_draws(resamples)
    if grouped is None:
        return Resampling(table, resamples, seed, stratified)
    if stratified:
        raise ValueError("Whole groups are drawn as they are; their classes cannot be held fixed.")
    fit = max(WORK // max(grouped.shape[1] + grouped.nnz, 1), LEAST)
    return Resampling(table, min(resamples, fit), seed, False, grouped)


def _from_hits(tp: Array, fp: Array) -> ConfusionCounts:
    # At the last threshold everything is called positive.
    return ConfusionCounts(tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)


def _of_cells(cells: Array) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Draws of as many rows as the cells hold, as counts of the cells."""
    n = whole_rows(cells.sum())
    # Empty cells are left out: a multinomial with them may draw from them by rounding.
    occupied = np.flatnonzero(cells > 0)
    if not n or not len(occupied):
        return lambda random, many: np.zeros((many, len(cells)))
    if np.array_equal(cells, np.rint(cells)) and n <= FEW_ROWS:
        cell_of_row = np.repeat(np.arange(len(cells)), cells.astype(np.intp))

        def by_rows(random: np.random.Generator, many: int) -> np.ndarray:
            rows = random.integers(0, n, size=(many, n), dtype=np.uint16)
            indices = cell_of_row[rows] + len(cells) * np.arange(many)[:, None]
            return np.bincount(indices.reshape(-1), minlength=many * len(cells)).reshape(many, len(cells))

        return by_rows
    shares = cells[occupied] / cells[occupied].sum()

    def by_cells(random: np.random.Generator, many: int) -> np.ndarray:
        counts = np.zeros((many, len(cells)))
        counts[:, occupied] = random.multinomial(n, shares, size=many)
        return counts

    return by_cells
