"""Areas and the largest gap against all pairs, all thresholds and exact straight pieces."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.classification import ScoredLabels, average_precision, partial_auc, partial_auc_over_recall, roc_auc
from tests.classification import definitions
from tests.classification.definitions import OF_SCORES, value_or_nan
from tests.classification.small_inputs import halves, rows, state, thorough, two_classes
from tests.registry.families import of_all

shares = st.sampled_from([0, 0.05, 0.1, 0.2, 0.25, 1 / 3, 0.5, 0.7, 0.75, 0.9, 1])
ranges = st.tuples(shares, shares).filter(lambda pair: pair[0] < pair[1])


@thorough
@given(found=rows())
@of_all(OF_SCORES)
def test_a_measure_of_scores_is_its_definition(key: str, found) -> None:
    value, expected = METRICS[key](state(found, weighted=False)), value_or_nan(OF_SCORES[key], found)
    assert value == pytest.approx(expected, rel=1e-13, abs=1e-15, nan_ok=True)


@thorough
@given(found=rows(halves))
@of_all(OF_SCORES)
def test_a_measure_of_weighted_scores_is_its_definition(key: str, found) -> None:
    value, expected = METRICS[key](state(found)), value_or_nan(OF_SCORES[key], found)
    assert value == pytest.approx(expected, rel=1e-13, abs=1e-15, nan_ok=True)


@thorough
@given(found=rows(halves), between=ranges)
def test_partial_areas_are_exact_between_any_two_points(found, between) -> None:
    for function, definition in (
        (partial_auc, definitions.partial_auc),
        (partial_auc_over_recall, definitions.partial_auc_over_recall),
    ):
        expected = value_or_nan(definition, found, *between)
        assert function(state(found), *between) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


@thorough
@given(found=two_classes(), cut=st.sampled_from([0.05, 0.1, 0.3, 0.5, 0.7, 0.99]))
def test_partial_areas_add_up_to_the_whole(found, cut: float) -> None:
    scored = state(found, weighted=False)
    for function in (partial_auc, partial_auc_over_recall):
        assert function(scored, 0, cut) + function(scored, cut, 1) == pytest.approx(roc_auc(scored), abs=1e-14)


def test_the_corrected_partial_area_is_half_for_guessing_and_one_for_perfect_scores() -> None:
    guessing = ScoredLabels.from_arrays([True, False] * 2, [1, 1, 1, 1])
    perfect = ScoredLabels.from_arrays([True, True, False, False], [4, 3, 2, 1])
    for between in ((0, 0.2), (0.2, 0.6), (0.9, 1)):
        for function in (partial_auc, partial_auc_over_recall):
            assert function(guessing, *between, corrected=True) == pytest.approx(0.5, abs=1e-13)
            assert function(perfect, *between, corrected=True) == pytest.approx(1, abs=1e-13)


@pytest.mark.parametrize("between", [(0.2, 0.2), (0.5, 0.2), (-0.1, 0.5), (0, 1.1), (math.nan, 1), (0, math.nan)])
def test_an_impossible_range_is_refused(between) -> None:
    scored = ScoredLabels.from_arrays([True, False], [1, 0])
    for function in (partial_auc, partial_auc_over_recall):
        with pytest.raises(ValueError, match="must be a part of 0 … 1"):
            function(scored, *between)


@pytest.mark.parametrize("between", [(0, 1e-320), (0, 1e-17), (1 - 2**-53, 1)])
def test_a_range_that_rounding_takes_away_has_no_area_and_no_correction(between) -> None:
    scored = ScoredLabels.from_arrays([1, 0, 1, 0], [4, 3, 2, 1], positive=1)
    for function in (partial_auc, partial_auc_over_recall):
        assert 0 <= function(scored, *between) <= 2**-53
        corrected = function(scored, *between, corrected=True)
        assert math.isnan(corrected) or 0 <= corrected <= 1


def test_a_weight_that_vanishes_beside_the_others_leaves_the_precision_defined() -> None:
    scored = ScoredLabels.from_arrays([True, True, False], [3, 2, 1], weights=[1e-20, 1, 1])
    assert scored.table().counts.tp.tolist() == [0, 1e-20, 1, 1]
    assert average_precision(scored) == 1


def test_two_threads_add_up_what_one_adds_up() -> None:
    """A long table is walked in blocks by two threads; a tenth of each class, ten times, has the same areas."""
    random = np.random.default_rng(3)
    labels, values = random.random(40_000) < 0.4, random.integers(0, 30_000, 40_000).astype(float)
    once = ScoredLabels.from_arrays(labels, values)
    distinct = values[:, None] + np.arange(10) / 100  # ten copies of the order, one above the other within a tie
    far_apart = ScoredLabels.from_arrays(np.repeat(labels, 10), distinct.ravel())
    tied = ScoredLabels.from_arrays(np.repeat(labels, 10), np.repeat(values, 10))
    assert len(far_apart.thresholds()) > 200_000
    assert roc_auc(tied) == roc_auc(once)
    assert average_precision(tied) == pytest.approx(average_precision(once), rel=1e-14)
    assert roc_auc(far_apart) == pytest.approx(roc_auc(once), abs=1e-15)


def test_a_constant_score_is_guessing() -> None:
    scored = ScoredLabels.from_arrays([True, False, False, True, False], [7] * 5)
    assert roc_auc(scored) == 0.5
    assert average_precision(scored) == float(Fraction(2, 5))
    assert METRICS["ks_statistic"](scored) == 0
