"""The kernel density is the direct sum over all rows, and the one of scipy, whatever the number of rows."""

import numpy as np
import pytest
from scipy.stats import gaussian_kde

from evalcore.inference.models import kernel_density, silverman

RNG = np.random.default_rng(5)
ROWS = RNG.normal(0.4, 0.2, 400)
WEIGHTS = RNG.integers(1, 5, 400).astype(float)


def direct(values, weights, at, bandwidth) -> np.ndarray:
    each = np.exp(-0.5 * ((at[:, None] - values[None, :]) / bandwidth) ** 2) / (bandwidth * np.sqrt(2 * np.pi))
    return each @ weights / weights.sum()


@pytest.mark.parametrize("bandwidth", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_it_is_the_direct_sum(bandwidth, weights) -> None:
    found = kernel_density(ROWS, weights, low=0, high=1, bandwidth=bandwidth)
    expected = direct(ROWS, np.ones(400) if weights is None else weights, found.at, bandwidth)
    assert found.bandwidth == bandwidth
    np.testing.assert_allclose(found.values, expected, atol=1e-3 * expected.max())


def test_it_is_the_one_of_scipy_with_the_same_width() -> None:
    found = kernel_density(ROWS, low=-0.5, high=1.5)
    peer = gaussian_kde(ROWS, bw_method=found.bandwidth / ROWS.std(ddof=1))
    np.testing.assert_allclose(found.values, peer(found.at), atol=1e-3 * found.values.max())


def test_silvermans_width_takes_the_smaller_of_both_spreads() -> None:
    heavy = np.concatenate([ROWS, [50.0, -50.0]])
    quartiles = np.quantile(heavy, 0.75) - np.quantile(heavy, 0.25)
    assert silverman(heavy) == pytest.approx(0.9 * quartiles / 1.34 * len(heavy) ** -0.2)
    assert silverman([0, 0, 0, 0, 1]) == pytest.approx(0.9 * np.std([0, 0, 0, 0, 1], ddof=1) * 5**-0.2)


def test_a_weight_of_two_is_the_row_twice() -> None:
    once = kernel_density(np.repeat(ROWS, 2), low=0, high=1, bandwidth=0.1)
    twice = kernel_density(ROWS, np.full(400, 2.0), low=0, high=1, bandwidth=0.1)
    np.testing.assert_allclose(once.values, twice.values, rtol=1e-9)


def test_its_integral_is_one_where_it_is_all_seen() -> None:
    found = kernel_density(ROWS, low=-2, high=3, points=2001)
    assert np.trapezoid(found.values, found.at) == pytest.approx(1, abs=1e-4)


def test_rows_outside_reach_in_and_count_in_the_total() -> None:
    found = kernel_density([-0.05, 0.5, 9.0], low=0, high=1, bandwidth=0.1)
    expected = direct(np.array([-0.05, 0.5, 9.0]), np.ones(3), found.at, 0.1)
    np.testing.assert_allclose(found.values, expected, atol=5e-3 * expected.max())


def test_equal_rows_are_a_narrow_peak_and_no_rows_are_nothing() -> None:
    peak = kernel_density([0.5] * 7, low=0, high=1)
    assert np.isfinite(peak.values).all()
    assert peak.values.argmax() == 128
    empty = kernel_density([], low=0, high=1)
    assert not empty.values.any()
    assert np.isnan(empty.bandwidth)
    assert np.isnan(silverman([]))
