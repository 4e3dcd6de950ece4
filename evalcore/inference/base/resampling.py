"""Resamples of the rows behind a threshold table, as counts at every one of its thresholds.

The numbers of rows between neighbouring thresholds, in either class, have a multinomial law, so they are drawn by
themselves. Resamples come in blocks, each with a generator that the seed spawned: neither the order of the blocks nor
the number of threads matters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from evalcore.classification import ConfusionCounts, ScoredLabels, ThresholdTable
from evalcore.inference.base.bootstrap import percentile_bounds
from evalcore.inference.base.clustered import bags_of_rows
from evalcore.inference.base.intervals import check_draws, check_level
from evalcore.numeric import BLOCK, WORTH_A_THREAD, Array, Flags, over_parts, whole_rows

__all__ = ["Resampling", "clusters_of", "clusters_of_rows", "resampling_of"]

Result = TypeVar("Result")
FEW_ROWS = 12_000  # up to this many rows, drawing each is faster than drawing the counts of cells
WORK = 400_000_000  # groups and their cells, times resamples: one or two seconds
LEAST = 200  # least number of resamples of groups, however many groups there are
_WIDE = 4_000_000  # numbers per block of draws of groups and thread: 32 MB


def clusters_of(
    table: ThresholdTable,
    labels: Flags,
    scores: npt.ArrayLike,
    groups: npt.NDArray[np.integer],
    weights: npt.ArrayLike | None = None,
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
    rows = np.where(labels, at, t + at)[some]
    cells = coo_array((counted[some], (rows, groups[some])), shape=shape).tocsr()
    cells.sum_duplicates()
    return cells


def clusters_of_rows(table: ThresholdTable, scored: ScoredLabels) -> Any:
    """`clusters_of` the rows of scores; None if rows are independent."""
    if scored.positive_clusters is None or scored.negative_clusters is None:
        return None
    scores, weights = zip(scored.rows_of(True), scored.rows_of(False), strict=True)
    labels = np.arange(sum(map(len, scores))) < len(scores[0])
    bags = bags_of_rows(np.concatenate([scored.positive_clusters, scored.negative_clusters]))
    return clusters_of(table, labels, np.concatenate(scores), bags, np.concatenate(weights))


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
        fit = max(BLOCK // max(len(self.table), 1), 1)
        return fit if self.clusters is None else max(min(fit, _WIDE // max(self.rows, 1)), 1)

    def over_blocks(self, function: Callable[[slice, ConfusionCounts], Result], threaded: bool = True) -> list[Result]:
        """Call a function on each block: its slice of the resamples, and their counts, shape (block, t)."""
        block = self.block
        parts = [slice(i, min(i + block, self.resamples)) for i in range(0, self.resamples, block)]
        seeds = np.random.SeedSequence(self.seed).spawn(len(parts))
        draw = self._drawer()

        def one(job: tuple[slice, np.random.SeedSequence]) -> Result:
            part, seed = job
            positives, negatives = draw(np.random.default_rng(seed), part.stop - part.start)
            return function(part, _counts(positives, negatives))

        return over_parts(one, list(zip(parts, seeds, strict=True)), WORTH_A_THREAD if threaded else 0)

    def bands(self, measure: Callable[[ConfusionCounts], Array], level: float = 0.95) -> tuple[Array, Array]:
        """Pointwise percentile bounds of a measure of counts at each threshold: low and high, shape (t,)."""
        check_level(level)
        values = np.empty((len(self.table), self.resamples))
        for part, tp, fp in self._hits:
            values[:, part] = np.asarray(measure(_from_hits(tp, fp))).T
        return percentile_bounds(values, level)

    @cached_property
    def _hits(self) -> list[tuple[slice, np.ndarray, np.ndarray]]:
        """True and false positives of all resamples, cached."""
        kind = np.int32 if self.clusters is None and self.rows < 2**31 else np.float64
        return self.over_blocks(lambda part, counts: (part, counts.tp.astype(kind), counts.fp.astype(kind)))

    def _drawer(self) -> Callable[[np.random.Generator, int], tuple[Array, Array]]:
        if self.clusters is not None:
            return _of_groups(self.clusters)
        t = len(self.table)
        cells = [np.diff(hits, prepend=0.0) for hits in (self.table.counts.tp, self.table.counts.fp)]
        if self.stratified:
            positives, negatives = (_of_cells(part) for part in cells)
            return lambda random, many: (positives(random, many), negatives(random, many))
        both = _of_cells(np.concatenate(cells))

        def draws(random: np.random.Generator, many: int) -> tuple[Array, Array]:
            counts = both(random, many)
            return counts[:, :t], counts[:, t:]

        return draws


def resampling_of(
    table: ThresholdTable, resamples: int, seed: int, stratified: bool = False, grouped: Any = None
) -> Resampling:
    """Choose how to draw resamples; with very many clusters fewer of them, but at least `LEAST`, to bound the time."""
    check_draws(resamples)
    if grouped is None:
        return Resampling(table, resamples, seed, stratified)
    if stratified:
        raise ValueError("Whole groups are drawn as they are; their classes cannot be held fixed.")
    fit = max(WORK // max(grouped.shape[1] + grouped.nnz, 1), LEAST)
    return Resampling(table, min(resamples, fit), seed, False, grouped)


def _counts(positives: Array, negatives: Array) -> ConfusionCounts:
    tp, fp = positives.cumsum(axis=1, dtype=np.float64), negatives.cumsum(axis=1, dtype=np.float64)
    return _from_hits(tp, fp)


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
    whole = np.array_equal(cells, np.rint(cells))
    if whole and n <= FEW_ROWS:
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


def _of_groups(cells: Any) -> Callable[[np.random.Generator, int], tuple[Array, Array]]:
    """Draws of as many groups as there are, as the sums of their counts."""
    size, groups = cells.shape

    def draws(random: np.random.Generator, many: int) -> tuple[Array, Array]:
        if not groups:
            return np.zeros((many, size // 2)), np.zeros((many, size // 2))
        picks = random.integers(0, groups, size=(many, groups)) + groups * np.arange(many)[:, None]
        times = np.bincount(picks.reshape(-1), minlength=many * groups).reshape(many, groups)
        # Resamples side by side, so that each number of the table is read once for all of them.
        sums = cells @ np.ascontiguousarray(times.T, dtype=np.float64)
        return sums[: size // 2].T, sums[size // 2 :].T

    return draws
