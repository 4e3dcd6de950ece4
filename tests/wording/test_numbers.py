"""How numbers are written: nothing that is not 0 reads as 0, nothing that is not all reads as all."""

import math
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS, find
from evalcore.wording.numbers import (
    age_text,
    alarms_text,
    apart_text,
    bounds_text,
    cost_text,
    count_text,
    difference_text,
    latex_term,
    level_text,
    loss_text,
    number_text,
    p_cell,
    p_text,
    share_text,
    signed_number,
    threshold_text,
    value_text,
)
from tests.classification.small_inputs import thorough

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (30, "30"), (NAN, "undefined"), (1820, "1\u202f820"), (1234567, "1\u202f234\u202f567"), (12.5, "12.50"),
     (0.0023, "0.0023"), (0.25, "0.25"), (1e15, "1\u202f000\u202f000\u202f000\u202f000\u202f000"), (-0.0, "0"),
     (INF, "∞")],
)  # fmt: skip
def test_counts(value, text) -> None:
    assert count_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.0"), (1, "100.0"), (2 / 3, "66.7"), (0.9995, "99.95"), (0.99949, "99.9"), (0.9999, "99.99"),
     (0.0005, "0.1"), (0.0004, "0.04"), (0.00004, "0.004"), (0.985, "98.5"), (1 - 1e-7, "99.99999"),
     (1e-7, "0.00001")],
)  # fmt: skip
def test_shares(value, text) -> None:
    assert share_text(value) == text + "\u202f%"


def test_an_undefined_share_says_so() -> None:
    assert share_text(NAN) == "undefined"


@thorough
@given(st.floats(0, 1))
def test_only_nothing_reads_as_nothing_and_only_all_as_all(value) -> None:
    shown = float(share_text(value).removesuffix("\u202f%"))
    if 1e-8 < value < 1 - 1e-8:
        assert 0 < shown < 100
    assert shown == pytest.approx(100 * value, abs=0.0501)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.000"), (-0.0, "0.000"), (0.2334, "0.233"), (-0.079, "−0.079"), (7.4074, "7.41"), (20.22, "20.2"),
     (1234.5, "1\u202f234"), (1e9, "1e+09"), (-1e9, "−1e+09"), (0.0004, "0.0004"), (-0.0004, "−0.0004"),
     (0.00001, "1e−05"), (INF, "∞"), (-INF, "−∞"), (NAN, "undefined")],
)  # fmt: skip
def test_numbers(value, text) -> None:
    assert number_text(value) == text


@thorough
@given(st.floats(-1e300, 1e300))
def test_a_number_reads_as_what_it_is_to_three_digits(value) -> None:
    shown = float(number_text(value).replace("−", "-").replace("\u202f", ""))
    assert (shown == 0) == (value == 0)
    assert shown == pytest.approx(value, rel=0.006, abs=0.00051)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5"), (0.123456789, "0.123457"), (-2, "−2"), (1e300, "1e+300"), (INF, "∞"), (-INF, "−∞"), (0.0, "0")],
)
def test_thresholds(value, text) -> None:
    assert threshold_text(value) == text


@thorough
@given(st.floats())
def test_no_text_holds_a_hyphen_for_a_minus_or_a_raw_nan(value) -> None:
    for text in (number_text(value), count_text(value), threshold_text(value) if value == value else ""):
        assert re.search("-|nan|inf", text) is None


def test_shares_of_rows_are_read_in_percent_and_other_measures_as_numbers() -> None:
    assert value_text(find("recall"), 0.5) == "50.0\u202f%"
    assert value_text(find("balanced accuracy"), 0.5) == "50.0\u202f%"
    assert value_text(find("F1"), 0.5) == "0.500"
    assert value_text(find("LR+"), math.inf) == "∞"
    assert {(m.lowest, m.highest) for m in METRICS.values() if m.percent and m.family != "estimates"} == {(0, 1)}


@pytest.mark.parametrize(
    ("measure", "value", "width", "written"),
    [
        ("recall", 0.03, 0.05, "+3.0 pt"),
        ("recall", 0.0, 0.05, "0.0 pt"),
        ("recall", -0.0001, 0.05, "0.0 pt"),
        ("recall", -0.000123, 0.0002, "−0.012 pt"),
        ("MCC", 0.0004, 0.0005, "+0.00040"),
        ("LR+", -151.2, 10, "−151"),
        ("LR+", INF, NAN, "+∞"),
        ("MCC", NAN, NAN, "undefined"),
    ],
)
def test_a_difference_is_written_with_as_many_decimals_as_its_interval_is_worth(measure, value, width, written) -> None:
    assert difference_text(find(measure), value, width).replace("\u202f", " ") == written


def test_bounds_and_p_values_in_words() -> None:
    assert bounds_text(find("recall"), -0.01, 0.06) == "−1.0 to +6.0"
    assert bounds_text(find("recall"), NAN, 0.06) == "no interval"
    assert [p_text(p) for p in (0.0009, 0.0421, 1.0, 0.9999)] == ["p < 0.001", "p = 0.042", "p = 1", "p = 1"]
    assert [p_cell(p) for p in (0.0009, 0.0421, 1.0, NAN)] == ["< 0.001", "0.042", "1", "not tested"]


@pytest.mark.parametrize(
    ("written", "value", "text"),
    [(level_text, 0.95, "95\u202f%"), (level_text, 0.005, "0.5\u202f%"), (loss_text, 9.99e-16, "0.000"),
     (loss_text, 0.25, "0.250"), (loss_text, INF, "∞"), (cost_text, 1 / 3, "0.333"), (cost_text, 1.0, "1"),
     (cost_text, 29.449, "29.4"), (alarms_text, 1.0, "1 false alarm"), (alarms_text, 3.2, "3.2 false alarms"),
     (signed_number, 0.0625, "+0.062"), (signed_number, -0.00001, "0.000"), (age_text, 30, "just now"),
     (age_text, 60, "1 minute ago"), (age_text, 7_300, "2 hours ago"), (latex_term, 2 / 3, "0.666667"),
     (latex_term, 0.68, "0.68")],
)  # fmt: skip
def test_a_number_is_written_for_its_reader(written, value, text) -> None:
    assert written(value) == text


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_difference_beside_its_terms_adds_up_as_they_are_written(value: float, before: float) -> None:
    number = lambda text: Decimal(re.sub("[^0-9.e−-]", "", text).replace("−", "-"))  # noqa: E731
    for write in (share_text, number_text):
        apart = apart_text(write, value, before)
        assert number(apart) == number(write(value)) - number(write(before))
        assert apart.endswith("\u202fpt") == (write is share_text)
        assert apart.startswith({0: apart[0], 1: "+", -1: "−"}[(number(apart) > 0) - (number(apart) < 0)])
    assert apart_text(number_text, math.nan, before) == "undefined"
