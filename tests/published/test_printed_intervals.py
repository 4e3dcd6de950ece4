"""Intervals of proportions as R. Newcombe prints them: Statistics in Medicine 17 (1998), 857–872, table I."""

import pytest

from evalcore.inference import clopper_pearson, wilson


@pytest.mark.parametrize(
    ("successes", "n", "method", "low", "high"),
    [
        (81, 263, wilson, 0.2553, 0.3662),
        (15, 148, wilson, 0.0624, 0.1605),
        (0, 20, wilson, 0.0000, 0.1611),
        (1, 29, wilson, 0.0061, 0.1718),
        (81, 263, clopper_pearson, 0.2527, 0.3676),
        (15, 148, clopper_pearson, 0.0578, 0.1617),
        (0, 20, clopper_pearson, 0.0000, 0.1684),
        (1, 29, clopper_pearson, 0.0009, 0.1776),
    ],
)
def test_interval_of_a_proportion(successes: int, n: int, method, low: float, high: float) -> None:
    interval = method(successes, n)
    assert interval.estimate == successes / n
    assert abs(interval.low - low) <= 0.00005
    assert abs(interval.high - high) <= 0.00005
