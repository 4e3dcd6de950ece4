"""One-sided tests against a limit: they are the tests of each method, and never disagree with its interval."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalcore import find
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    PairedCounts,
    compare_auc,
    compare_independent_auc,
    mcnemar_of_counts,
    one_sided_p,
    paired_differences,
    paired_t,
)
from tests.classification.small_inputs import thorough

RANDOM = np.random.default_rng(5)
A, B = RANDOM.normal(size=30), RANDOM.normal(size=30) + 0.3


@pytest.mark.parametrize("limit", [-1.0, -0.1, 0.0, 0.2, 0.9])
@pytest.mark.parametrize(("above", "alternative"), [(True, "greater"), (False, "less")])
def test_students_test_against_a_limit_is_that_of_scipy(limit: float, above: bool, alternative: str) -> None:
    expected = stats.ttest_1samp(B - A, limit, alternative=alternative).pvalue
    assert one_sided_p(paired_t(A, B), limit, above) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("limit", [-0.2, -0.05, 0.0, 0.1])
def test_of_areas_it_is_the_normal_law(limit: float) -> None:
    labels = RANDOM.random(200) < 0.4
    scores = [RANDOM.normal(size=200) + shift * labels for shift in (1.0, 1.2)]
    compared = compare_auc(labels, *scores)
    error = compared.estimate / compared.statistic
    expected = stats.norm.sf((compared.estimate - limit) / error)
    assert one_sided_p(compared, limit) == pytest.approx(expected, abs=1e-10)
    assert one_sided_p(compared, limit, above=False) == pytest.approx(1 - expected, abs=1e-10)
    doubled = compared.scaled(2)
    assert one_sided_p(doubled, 2 * limit) == pytest.approx(expected, abs=1e-9)


def test_independent_areas_have_their_degrees_of_freedom() -> None:
    states = [ScoredLabels.from_arrays(RANDOM.random(60) < 0.5, RANDOM.normal(size=60)) for _ in range(2)]
    compared = compare_independent_auc(*states)
    assert 2 * one_sided_p(compared, 0.0, above=compared.estimate > 0) == pytest.approx(compared.p_value, abs=1e-9)


@thorough
@given(only_a=st.integers(0, 30), only_b=st.integers(0, 30), both=st.integers(1, 40), limit=st.floats(-0.5, 0.5))
def test_the_95_interval_stays_on_a_side_exactly_where_p_is_below_half_of_the_rest(only_a, only_b, both, limit) -> None:
    cells = np.zeros((2, 2, 2))
    cells[1] = [[3, only_b], [only_a, both]]
    for compared in (
        paired_differences([find("recall")], PairedCounts(cells))[0],
        mcnemar_of_counts(both, only_a, only_b, 3),
    ):
        low, high = float(compared.interval.low), float(compared.interval.high)
        if min(abs(low - limit), abs(high - limit)) > 1e-9:
            assert (one_sided_p(compared, limit) < 0.025) == (low > limit)
            assert (one_sided_p(compared, limit, above=False) < 0.025) == (high < limit)


def test_what_was_not_tested_has_no_p() -> None:
    cells = np.zeros((2, 2, 2))
    cells[1, 1, 1] = 5
    assert math.isnan(one_sided_p(paired_differences([find("F1")], PairedCounts(cells))[0], -0.1))
    assert math.isnan(one_sided_p(paired_t([1.0], [2.0]), 0.0))
