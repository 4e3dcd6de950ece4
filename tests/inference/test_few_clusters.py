"""Bootstraps of few clusters: how surely they know the spread of a measure."""

import numpy as np
import pytest

from evalcore import find
from evalcore.classification import ClusterCounts, ConfusionCounts
from evalcore.inference import bootstrap, percentile_interval
from evalcore.inference.bootstrap import resampled_counts
from evalcore.inference.cluster_resamples import expanded_level, jackknife_degrees


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


def rows_of_cells(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, calls and clusters of the rows that TP, FP, FN and TN of each cluster count."""
    places = np.repeat(np.arange(cells.size), cells.reshape(-1).astype(int))
    return np.isin(places % 4, (0, 2)), places % 4 < 2, places // 4
