"""The test of two samples by exchanges: were both of one population, any of their rows might be in the other sample."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels
from evalcore.inference.comparison import Comparison
from evalcore.inference.equivalence import one_sided_p
from evalcore.inference.swaps import share_as_large, with_null
from evalcore.inference.table_values import values_of_tables
from evalcore.numeric import Array, average_ranks
from evalcore.registry import MetricDef

__all__: list[str] = []

EXCHANGE = "exchange of rows between the samples"
DRAWS, DRAWS_OF_SCORES = 2000, 500
"""Random exchanges; fewer where each draws two curves."""


def exchanged_counts(measures: Sequence[MetricDef], a: ConfusionCounts, b: ConfusionCounts, seed: int) -> list[float]:
    """p of a difference in each measure of counts of shape (); ratios by logarithms.

    >>> from evalcore import find
    >>> exchanged_counts([find("F1")], ConfusionCounts(1, 0, 0, 5), ConfusionCounts(0, 1, 1, 4), seed=20)[0] > 0.3
    True
    """
    cells = np.rint([[float(getattr(one, cell)) for cell in ("tp", "fp", "fn", "tn")] for one in (a, b)])
    drawn = _redistributed(cells, DRAWS, seed)
    of_a, of_b = (ConfusionCounts(*part.T) for part in (drawn, cells.sum(axis=0) - drawn))
    p_values = []
    for measure in measures:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = [np.asarray(measure(one), dtype=np.float64) for one in (of_b, of_a)]
            logs = measure.interval == "logarithm"
            differences = np.log(values[0]) - np.log(values[1]) if logs else values[0] - values[1]
        p_values.append(share_as_large(differences, float(differences[0])))
    return p_values


def exchanged_matrices(
    measures: Sequence[MetricDef], a: ConfusionMatrix, b: ConfusionMatrix, draws: int, seed: int
) -> list[float]:
    """The same of measures of square tables of the same classes."""
    cells = np.rint([one.counts.reshape(-1) for one in (a, b)])
    of_a, total = _redistributed(cells, draws, seed), cells.sum(axis=0)
    values = [values_of_tables(measures, a.classes, tables) for tables in (of_a, total - of_a)]
    return [share_as_large(of_one, float(of_one[0])) for of_one in (values[1] - values[0]).T]


def _redistributed(cells: Array, draws: int, seed: int) -> Array:
    """The cells of A, shape (1 + draws, m): in the sample, then with all rows exchanged at random."""
    total = cells.sum(axis=0).astype(np.int64)
    random = np.random.default_rng(seed)
    drawn = random.multivariate_hypergeometric(total, int(cells[0].sum()), size=draws, method="marginals")
    return np.vstack([cells[:1], drawn]).astype(np.float64)


def exchanged_scores(
    measures: Sequence[Callable[[ScoredLabels], float]], a: ScoredLabels, b: ScoredLabels, seed: int
) -> list[float]:
    """The same of measures of scores; a row takes its relative rank in its own sample with it, and keeps its class."""
    ranks, labels = [], []
    for one in (a, b):
        scores = np.concatenate([one.positive_scores, one.negative_scores])
        ranks.append(average_ranks(scores if one.higher_is_positive else -scores) / len(scores))
        labels.append(np.arange(len(scores)) < len(one.positive_scores))
    rank, label, size = np.concatenate(ranks), np.concatenate(labels), len(ranks[0])
    random, order = np.random.default_rng(seed), np.arange(len(label))
    values = []
    for draw in range(DRAWS_OF_SCORES + 1):
        if draw:  # the first one is the sample; every exchange keeps how many of each class a sample has
            order[label], order[~label] = (random.permutation(np.flatnonzero(one)) for one in (label, ~label))
        parts = (order[:size], order[size:])
        of_a, of_b = (ScoredLabels.from_arrays(label[part], rank[part]) for part in parts)
        values.append([float(measure(of_b)) - float(measure(of_a)) for measure in measures])
    return [share_as_large(of_one, float(of_one[0])) for of_one in np.transpose(values)]


def agreeing(compared: Comparison, level: float) -> Comparison:
    """A comparison whose p excludes what its interval excludes: the one that is surer gives way."""
    interval, null = compared.interval, compared.null
    holds = float(interval.low) <= null <= float(interval.high)
    if compared.p_value > 1 - level + 1e-12:
        return replace(compared, interval=with_null(interval, null))
    if holds and compared.interval_at is not None:
        return replace(compared, p_value=min(2 * one_sided_p(compared, null, above=compared.estimate > null), 1.0))
    return compared


def with_exchange(compared: Comparison, p_value: float, level: float) -> Comparison:
    """The comparison with the larger of its p and that of the exchanges."""
    if math.isnan(p_value) or math.isnan(compared.estimate) or p_value <= compared.p_value:
        return compared
    tested = replace(compared, p_value=p_value, method=f"{compared.method}, {EXCHANGE}")
    return agreeing(replace(tested, interval_at=compared.interval_at), level)
