"""Differences, their bounds and p-values as they are written."""

import math

import pytest

from evalcore import find
from evalcore.wording import bounds_text, difference_text, p_text


@pytest.mark.parametrize(
    ("measure", "value", "width", "written"),
    [
        ("recall", 0.03, 0.05, "+3.0 pt"),
        ("recall", 0.0, 0.05, "0.0 pt"),
        ("recall", -0.0001, 0.05, "0.0 pt"),
        ("recall", -0.000123, 0.0002, "−0.012 pt"),
        ("MCC", 0.0004, 0.0005, "+0.00040"),
        ("LR+", -151.2, 10, "−151"),
        ("LR+", math.inf, math.nan, "+∞"),
        ("MCC", math.nan, math.nan, "undefined"),
    ],
)
def test_a_difference_is_written_with_as_many_decimals_as_its_interval_is_worth(measure, value, width, written) -> None:
    assert difference_text(find(measure), value, width).replace("\u202f", " ") == written


def test_bounds_and_p_values_in_words() -> None:
    assert bounds_text(find("recall"), -0.01, 0.06) == "−1.0 to +6.0"
    assert bounds_text(find("recall"), math.nan, 0.06) == "no interval"
    assert [p_text(p) for p in (0.0009, 0.0421, 1.0, 0.9999)] == ["p < 0.001", "p = 0.042", "p = 1", "p = 1"]
