"""Variance components against expected mean squares by brute force, and power against simulation-free integration."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from evalcore.inference import paired_power, queries_needed, variance_components


def test_components_are_those_of_brennans_synthetic_data() -> None:
    # R. L. Brennan, Generalizability Theory, p × i design: the definition, by sums of squares in loops.
    table = np.random.default_rng(4).normal(size=(4, 9)) + np.arange(9) + 2 * np.arange(4)[:, None]
    mean = sum(map(sum, table.tolist())) / 36
    rows = [sum(row) / 9 for row in table.tolist()]
    columns = [sum(column) / 4 for column in table.T.tolist()]
    ms_rows = sum(9 * (row - mean) ** 2 for row in rows) / 3
    ms_columns = sum(4 * (column - mean) ** 2 for column in columns) / 8
    total = sum((value - mean) ** 2 for value in table.ravel().tolist())
    ms_rest = (total - 3 * ms_rows - 8 * ms_columns) / 24
    parts = variance_components(table)
    assert (parts.system, parts.query, parts.residual) == pytest.approx(
        ((ms_rows - ms_rest) / 9, (ms_columns - ms_rest) / 4, ms_rest), rel=1e-10
    )
    assert parts.reliability(9) == pytest.approx(1 - ms_rest / ms_rows)
    assert sum(parts.shares) == pytest.approx(1)


def test_two_systems_leave_half_the_variance_of_their_differences() -> None:
    a, b = np.random.default_rng(1).random((2, 40))
    assert variance_components([a, b]).residual == pytest.approx((b - a).var(ddof=1) / 2)


def test_odd_tables() -> None:
    with pytest.raises(ValueError, match="two queries"):
        variance_components([[1.0, 2.0]])
    with pytest.raises(ValueError, match="finite"):
        variance_components([[1.0, np.nan], [1.0, 2.0]])
    equal = variance_components(np.ones((2, 3)))
    assert all(map(math.isnan, (*equal.shares, equal.reliability(3))))
    assert variance_components([[0.0, 1.0], [1.0, 0.0]]).system == 0  # a negative estimate


def power_by_integration(effect: float, n: int, level: float) -> float:
    """The t statistic given the standard deviation of the sample is normal: integrate over that."""
    limit = stats.t.ppf((1 + level) / 2, n - 1)

    def given(square: float) -> float:
        half = limit * math.sqrt(square / (n - 1))
        shift = effect * math.sqrt(n)
        return stats.chi2.pdf(square, n - 1) * (stats.norm.cdf(-half - shift) + stats.norm.sf(half - shift))

    return integrate.quad(given, 0, stats.chi2.ppf(1 - 1e-13, n - 1), limit=200)[0]


@pytest.mark.parametrize(("effect", "n", "level"), [(0.5, 34, 0.95), (0.1, 300, 0.95), (1.2, 8, 0.99), (0.0, 12, 0.9)])
def test_power_is_that_of_the_definition(effect: float, n: int, level: float) -> None:
    assert paired_power(-effect, 1, n, level) == pytest.approx(power_by_integration(effect, n, level), rel=1e-7)


@pytest.mark.parametrize(("effect", "power", "n"), [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.5, 0.95, 54)])
def test_queries_needed_are_those_of_g_power(effect: float, power: float, n: int) -> None:
    assert queries_needed(effect, 1, power) == n
    assert paired_power(effect, 1, n) >= power > paired_power(effect, 1, n - 1)


def test_power_rises_with_the_queries_and_is_never_missing() -> None:
    for effect in (0.05, 0.4, 0.75, 3.0):
        power = [paired_power(effect, 1, n) for n in range(2, 400)]
        assert all(0 < one <= 1 for one in power)  # nan is neither
        assert (np.diff(power) >= -1e-12).all()


def test_power_at_its_ends() -> None:
    assert queries_needed(0.0, 1.0) is queries_needed(1e-9, 1.0) is queries_needed(math.nan, 1.0) is None
    assert queries_needed(0.1, 0.0) == 2
    assert math.isnan(paired_power(0.1, 1, 1))
    assert paired_power(1, 1e-3, 10**6) == 1
