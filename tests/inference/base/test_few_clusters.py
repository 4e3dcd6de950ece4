"""Bootstraps of few clusters: how surely they know the spread of a measure."""

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from evalcore import find
from evalcore.classification import ClusterCounts, ConfusionCounts
from evalcore.inference import bootstrap, compare_cells, effective_shares, percentile_interval
from evalcore.inference.base.clustered import (
    degrees_by_sizes,
    degrees_of,
    expanded_level,
    jackknife_degrees,
    linear_variance,
)
from evalcore.inference.base.intervals import log_slopes
from evalcore.inference.base.resampling import resampled_counts


def test_a_bootstrap_has_no_more_degrees_than_the_clusters_that_decide() -> None:
    """Of 20 patients two have nearly all errors, whose variance is known no better than two of them tell."""
    cells = np.tile([6.0, 0, 0, 6], (20, 1))
    cells[:2] = [[0, 6, 6, 0], [2, 4, 5, 1]]
    measure, total = find("F1"), cells.sum(axis=0)
    left_out = np.array([float(measure(ConfusionCounts(*(total - one)))) for one in cells])
    squares = np.square(left_out - left_out.mean())
    expected = 2 / ((squares**2).sum() / squares.sum() ** 2 - 1 / 20)
    assert jackknife_degrees(measure, ClusterCounts(cells)) == pytest.approx(expected)
    assert expected < 6
    labels, calls, patients = rows_of_cells(cells)
    counts = ConfusionCounts.from_labels(labels, calls, True, clusters=patients)
    interval, usual = bootstrap(measure, counts), percentile_interval(
        float(measure(counts)), np.asarray(measure(resampled_counts(counts))), expanded_level(0.95, 20)
    )  # fmt: skip
    assert interval.low < usual.low
    # Rows that are each on their own keep the degrees that they had.
    assert jackknife_degrees(measure, ClusterCounts(np.repeat(np.eye(4), [9, 3, 2, 8], axis=0))) == 21


# Pups alive at four days and those that survived lactation, by litter: control diet, then treated.
WEIL = (
    ([13, 12, 9, 9, 8, 8, 13, 12, 10, 10, 9, 13, 5, 7, 10, 10], [13, 12, 9, 9, 8, 8, 12, 11, 9, 9, 8, 11, 4, 5, 7, 7]),
    ([12, 11, 10, 9, 11, 10, 10, 9, 9, 5, 9, 7, 10, 6, 10, 7], [12, 11, 10, 9, 10, 9, 9, 8, 8, 4, 7, 4, 5, 3, 3, 0]),
)


@pytest.mark.parametrize(("litters", "effect"), [(WEIL[0], 1.232495), (WEIL[1], 3.952861)], ids=["control", "diet"])
def test_effective_rows_are_those_of_rao_and_scott(litters, effect: float) -> None:
    """Rao and Scott (1992), Biometrics 48, 577–585, table 1: design effects as the R package PF prints them for it.

    The effective number is lowered further by what the t distribution is wider than the normal one.
    """
    rows, alive = (np.array(column, dtype=float) for column in litters)
    cells = ClusterCounts(np.column_stack([alive, np.zeros(16), rows - alive, np.zeros(16)]))
    n = np.asarray(rows.sum())
    _, effective, clusters = effective_shares(cells.moments, [1, 0, 0, 0], [1, 0, 1, 0], np.asarray(alive.sum()), n)
    degrees = degrees_by_sizes(rows, degrees_of(alive - alive.sum() / n * rows, 16))
    wider = student.ppf(0.975, degrees) / norm.ppf(0.975)
    assert (float(effective) * wider**2, clusters) == (pytest.approx(n / effect, rel=1e-6), 16)


@pytest.mark.parametrize("clusters", [4, 5, 6])
def test_cells_of_a_table_are_no_surer_than_the_exchanges_of_their_clusters(clusters: int) -> None:
    """In each of a few patients three rows leave one confusion: half of the two signs that all alike may have."""
    units, actual = np.repeat(np.arange(clusters), 3), np.zeros(3 * clusters, dtype=int)
    cells = compare_cells(actual, actual + 1, actual, ("cat", "dog"), clusters=units)
    assert cells.p_values[0] == pytest.approx([2.0**-clusters] * 2)
    single = np.arange(clusters)
    alone = compare_cells(actual[:clusters], actual[:clusters] + 1, actual[:clusters], ("cat", "dog"), clusters=single)
    rows = compare_cells(actual[:clusters], actual[:clusters] + 1, actual[:clusters], ("cat", "dog"))
    np.testing.assert_equal(alone.p_values, rows.p_values)


def rows_of_cells(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, calls and clusters of the rows that TP, FP, FN and TN of each cluster count."""
    places = np.repeat(np.arange(cells.size), cells.reshape(-1).astype(int))
    return np.isin(places % 4, (0, 2)), places % 4 < 2, places // 4


def test_a_likelihood_ratio_has_the_degrees_of_the_class_that_few_clusters_hold() -> None:
    """Welch's, from the variances that patients with and without the disease bring."""
    random = np.random.default_rng(4)
    patients, labels = np.repeat(np.arange(24), 6), np.repeat(np.arange(24) < 5, 6)
    calls = random.random(144) < np.where(labels, 0.6, 0.3)
    counts = ConfusionCounts.from_labels(labels, calls, True, clusters=patients)
    slopes = log_slopes(find("LR-"), counts)
    _, degrees, clusters = linear_variance(counts.moments, np.array([float(one) for one in slopes.values()]))
    added = counts.clusters.sums([float(one) for one in slopes.values()])
    parts = [np.square(added[:5]).sum() * 5 / 4, np.square(added[5:]).sum() * 19 / 18]
    expected = sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 18)
    assert float(degrees) == pytest.approx(min(expected, degrees_of(added, 24)))
    assert (float(degrees), clusters) == (pytest.approx(expected), 24)
