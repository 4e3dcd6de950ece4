"""Shares of different rows: the printed intervals, and the exact test where rows are few."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact

from evalcore.inference.independent import compare_shares


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        # Newcombe 1998, Statistics in Medicine 17, 873–890, the examples by method 10
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
        ((10, 10, 0, 20), (0.6791, 1.0000)),
    ],
)
def test_the_printed_intervals(counts, printed) -> None:
    interval = compare_shares(*counts).interval
    assert (float(interval.low), float(interval.high)) == pytest.approx(printed, abs=5.1e-5)
    turned = compare_shares(*counts[2:], *counts[:2]).interval
    assert (-float(turned.high), -float(turned.low)) == pytest.approx(printed, abs=5.1e-5)


def test_few_rows_have_the_exact_test() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        n, m = rng.integers(1, 9, 2)
        x, y = rng.integers(0, n + 1), rng.integers(0, m + 1)
        exact = fisher_exact([[x, n - x], [y, m - y]])[1]
        assert float(compare_shares(x, n, y, m).p_values) == pytest.approx(exact, abs=1e-12)


def test_many_rows_have_the_chi_square_test() -> None:
    expected = chi2_contingency([[56, 14], [48, 32]], correction=False)[1]
    assert float(compare_shares(56, 70, 48, 80).p_values) == pytest.approx(expected)


def test_an_array_is_a_loop() -> None:
    x, n, y, m = np.array([[56, 3, 0], [70, 5, 0], [48, 1, 3], [80, 30, 9]])
    found = compare_shares(x, n, y, m)
    for place in range(3):
        alone = compare_shares(x[place], n[place], y[place], m[place])
        ends = [found.interval.low[place], found.interval.high[place], found.p_values[place]]
        expected = [float(end) for end in (alone.interval.low, alone.interval.high, alone.p_values)]
        assert ends == pytest.approx(expected, nan_ok=True)
    assert np.isnan(found.p_values[2])


def test_a_share_beyond_one_is_refused() -> None:
    with pytest.raises(ValueError, match="successes <= n"):
        compare_shares(3, 2, 1, 2)
