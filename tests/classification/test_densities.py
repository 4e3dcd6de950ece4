"""The bins under the densities: their areas are the four counts, whatever the scores and the threshold."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.classification import ScoredLabels, score_bins
from tests.classification.small_inputs import thorough

LARGEST = np.finfo(float).max
TINY = 5e-324

FINITE = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.integers(0, 12).map(lambda step: 0.1 * step)
SCORES = st.one_of(NEAR, FINITE, st.sampled_from([0.0, 1e300, -1e300, 1e-300, TINY, LARGEST, -LARGEST]))
ROWS = st.lists(st.tuples(st.booleans(), SCORES), max_size=30)
THRESHOLDS = st.one_of(NEAR, FINITE, st.sampled_from([math.inf, -math.inf, 1e-12, 1.2 - 1e-12, LARGEST, -LARGEST]))


def areas(bins) -> dict[str, float]:
    """The four counts as a reader of the picture would add them up."""
    said, left = bins.predicted, ~bins.predicted
    return {
        "tp": float(bins.positives[said].sum()),
        "fp": float(bins.negatives[said].sum()),
        "fn": float(bins.positives[left].sum()),
        "tn": float(bins.negatives[left].sum()),
    }


def four(counts) -> dict[str, float]:
    return {cell: float(getattr(counts, cell)) for cell in ("tp", "fp", "fn", "tn")}


def state(rows: list[tuple[bool, float]], weights: list[float] | None = None) -> ScoredLabels:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    return ScoredLabels.from_arrays(np.array(labels, dtype=bool), np.array(scores, dtype=float), weights=weights)


@thorough
@given(ROWS, THRESHOLDS, st.integers(2, 60))
@example([(True, 0.0), (False, 1.0)], 1e-12, 40)  # the threshold a hair above the lowest score
@example([(True, 0.0), (False, 1.0)], 1 - 1e-16, 40)
@example([(True, -LARGEST), (False, LARGEST)], 0.0, 40)
@example([(True, -LARGEST), (False, LARGEST)], LARGEST, 40)
@example([(True, 1.0), (False, 1.0 + 2**-52)], 1.0 + 2**-52, 40)
@example([(True, 1.0), (False, 1.0 + 24 * 2**-52)], 1.0 + 2**-51, 40)
@example([(True, TINY), (False, 1e-320)], 1e-322, 40)
@example([(True, 1e300), (False, 1e-300)], 0.5, 40)
def test_areas_are_the_four_counts_and_edges_ascend(rows, threshold, bins) -> None:
    scored = state(rows)
    found = score_bins(scored, threshold, bins)
    assert areas(found) == four(scored.counts_at(threshold))
    assert np.isfinite(found.edges).all()
    assert (found.edges[1:] >= found.edges[:-1]).all()
    assert len(found.positives) == len(found.negatives) == len(found.predicted) == len(found.edges) - 1
    assert len(found.predicted) <= bins + 4


@thorough
@given(ROWS, THRESHOLDS)
def test_turned_bins_have_the_same_areas_on_the_scale_of_the_file(rows, threshold) -> None:
    found = score_bins(state(rows), threshold)
    turned = found.turned()
    assert areas(turned) == areas(found)
    assert turned.edges.tolist() == (0.0 - found.edges[::-1]).tolist()


@thorough
@given(st.lists(st.tuples(st.booleans(), NEAR, st.integers(0, 5)), max_size=20), THRESHOLDS)
def test_weighted_areas_are_the_weighted_counts(rows, threshold) -> None:
    scored = state([row[:2] for row in rows], weights=[row[2] for row in rows])
    assert areas(score_bins(scored, threshold)) == four(scored.counts_at(threshold))


@pytest.mark.parametrize("threshold", [0.31, 0.5, 0.9])
def test_the_threshold_is_an_edge_so_no_bin_is_cut(threshold) -> None:
    scored = state([(True, 0.9), (False, 0.3), (True, 0.55), (False, 0.5)])
    found = score_bins(scored, threshold)
    assert threshold in found.edges.tolist()
    assert found.predicted.tolist() == (found.edges[:-1] >= threshold).tolist()


def test_bins_have_one_width() -> None:
    found = score_bins(state([(True, 0.0), (False, 4.0)]), 1.0, bins=4)
    assert found.edges.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.positives.tolist() == [1, 0, 0, 0, 0]
    assert found.negatives.tolist() == [0, 0, 0, 0, 1]


def test_without_rows_there_is_one_empty_bin() -> None:
    found = score_bins(state([]), 0.5)
    assert (found.positives.tolist(), found.negatives.tolist()) == ([0.0], [0.0])


def test_equal_scores_fall_into_one_bin() -> None:
    found = score_bins(state([(True, 7.0)] * 3 + [(False, 7.0)] * 2), 7.0)
    assert (found.positives.max(), found.negatives.max()) == (3, 2)
    assert found.predicted[found.positives.argmax()]
