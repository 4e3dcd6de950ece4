"""Rows that belong together: what each cluster counts, against counting row by row."""

import numpy as np
import pandas as pd
import pytest

from evalcore.classification import ClusterCounts, ConfusionCounts, ScoredLabels
from evalcore.classification.binary.clusters import cluster_codes

CELLS = ("tp", "fp", "fn", "tn")


def rows(seed: int, n: int = 120, clusters: int = 15):
    random = np.random.default_rng(seed)
    scores, weights = random.integers(0, 9, n) / 8, random.integers(0, 4, n) / 2
    return random.random(n) < 0.4, scores, random.integers(0, clusters, n), weights


def by_hand(labels, scores, clusters, weights, threshold, higher) -> np.ndarray:
    cells = np.zeros((int(clusters.max()) + 1, 4))
    for label, score, cluster, weight in zip(labels, scores, clusters, weights, strict=True):
        flagged = score >= threshold if higher else score <= threshold
        cells[cluster, (0 if label else 1) if flagged else (2 if label else 3)] += weight
    return cells


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_clusters_of_a_threshold_are_those_counted_row_by_row(seed: int, weighted: bool, higher: bool) -> None:
    labels, scores, clusters, weights = rows(seed)
    if not weighted:
        weights = np.ones(len(labels))
    scored = ScoredLabels.from_arrays(
        labels, scores, weights=weights if weighted else None, higher_is_positive=higher, clusters=clusters
    )
    thresholds = np.array([0.5, 0.0, 2.0, -1.0, 0.3, 0.5])
    several = scored.counts_at(thresholds)
    moments, few = several.moments, scored.counts_at(thresholds[:3]).moments
    assert moments is not None
    assert few is not None
    for index, threshold in enumerate(thresholds.tolist()):
        expected = by_hand(labels, scores, clusters, weights, threshold, higher)
        counts = scored.counts_at(threshold)
        np.testing.assert_allclose(counts.clusters.cells, expected, atol=1e-12)
        np.testing.assert_allclose(several[index].clusters.cells, expected, atol=1e-12)
        np.testing.assert_allclose(expected.sum(axis=0), [float(getattr(counts, cell)) for cell in CELLS])
        for one in (counts.moments, ClusterCounts(expected).moments):
            np.testing.assert_allclose(moments.products[index], one.products, atol=1e-9)
            np.testing.assert_array_equal(moments.occupancy[index][1:], one.occupancy[1:])
            factors = ((1, 2), (12, 1), (2, 1))
            assert float(moments.others(factors)[index]) == pytest.approx(float(one.others(factors)))
            if index < 3:
                np.testing.assert_allclose(few.products[index], one.products, atol=1e-9)
                np.testing.assert_array_equal(few.occupancy[index][1:], one.occupancy[1:])
                assert float(few.others(factors)[index]) == pytest.approx(float(one.others(factors)))
        coefficients = np.random.default_rng(seed).normal(size=4)
        for some in (coefficients, coefficients[[0, 1, 0, 1]], coefficients * [1, 0, 1, 0]):
            fourth = sum(float(cluster @ some) ** 4 for cluster in expected)
            assert float(moments.fourth_powers(np.tile(some, (6, 1)))[index]) == pytest.approx(fourth)


def test_clusters_of_labels_and_of_classes_are_those_counted_row_by_row() -> None:
    labels, scores, clusters, _ = rows(7)
    predicted = scores > 0.5
    counts = ConfusionCounts.from_labels(labels, predicted, True, clusters=clusters)
    expected = by_hand(labels, scores, clusters, np.ones(len(labels)), 0.51, True)
    np.testing.assert_array_equal(counts.clusters.cells, expected)


def test_rows_on_their_own_have_no_clusters() -> None:
    labels, scores, *_ = rows(1)
    counts = ScoredLabels.from_arrays(labels, scores).counts_at(0.5)
    assert counts.clusters is None
    assert counts.moments is None
    assert ScoredLabels.from_arrays(labels, scores).counts_at([0.1, 0.5]).moments is None


def test_codes_of_clusters_are_small_numbers_and_each_row_needs_one() -> None:
    assert cluster_codes(np.array([7, 3, 7]), 3).tolist() == [7, 3, 7]
    assert cluster_codes(np.array([7, -3, 7]), 3).tolist() == [1, 0, 1]
    assert cluster_codes(np.array([2.5, 1.5]), 2).tolist() == [1, 0]
    with pytest.raises(ValueError, match="2 entries for 3 rows"):
        cluster_codes(["a", "b"], 3)
    for missing in (None, pd.NA):
        with pytest.raises(ValueError, match="row 1 is missing"):
            cluster_codes(np.array(["a", missing], dtype=object), 2)
    with pytest.raises(ValueError, match="mix numbers and texts"):
        cluster_codes(np.array(["a", 1], dtype=object), 2)


def test_pooled_rows_keep_their_clusters() -> None:
    labels, scores, clusters, weights = rows(9)
    for weight in (None, weights):
        parts = []
        for side in (clusters < 8, clusters >= 5):
            own = None if weight is None else weight[side]
            parts.append(ScoredLabels.from_arrays(labels[side], scores[side], weights=own, clusters=clusters[side]))
        pooled = parts[0] + parts[1]
        for threshold in (0.2, 0.6):
            cells = np.zeros((15, 4))
            for part in parts:
                of_part = part.counts_at(threshold).clusters.cells
                cells[: len(of_part)] += of_part
            np.testing.assert_allclose(pooled.counts_at(threshold).clusters.cells, cells, atol=1e-12)
