"""The same test among other people: prevalence, margins, natural frequencies."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.classification import (
    ConfusionCounts,
    among,
    at_prevalence,
    fall_out,
    negative_predictive_value,
    precision,
    prevalence,
    recall,
    specificity,
    with_margin,
)

CANCER = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
CELL = st.integers(0, 10_000)
COUNTS = st.builds(ConfusionCounts, CELL, CELL, CELL, CELL)
WITH_BOTH_CLASSES = COUNTS.filter(lambda c: c.actual_positives > 0 and c.actual_negatives > 0)


@given(WITH_BOTH_CLASSES, st.floats(0.001, 0.999))
def test_another_prevalence_keeps_the_rates_of_the_classes(counts: ConfusionCounts, share: float) -> None:
    there = at_prevalence(counts, share)
    assert prevalence(there) == pytest.approx(share)
    assert there.total == pytest.approx(counts.total)
    for rate in (recall, specificity, fall_out):
        assert rate(there) == pytest.approx(float(rate(counts)), abs=1e-12)


@given(WITH_BOTH_CLASSES, st.floats(0.001, 0.999))
def test_predictive_values_follow_the_law_of_bayes(counts: ConfusionCounts, share: float) -> None:
    there = at_prevalence(counts, share)
    tpr, fpr, tnr = float(recall(counts)), float(fall_out(counts)), float(specificity(counts))
    if tpr + fpr > 0:
        expected = tpr * share / (tpr * share + fpr * (1 - share))
        assert precision(there) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    if tnr + 1 - tpr > 1e-9:
        expected = tnr * (1 - share) / (tnr * (1 - share) + (1 - tpr) * share)
        assert negative_predictive_value(there) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_own_prevalence_changes_nothing() -> None:
    same = at_prevalence(CANCER, float(prevalence(CANCER)))
    assert [same.tp, same.fp, same.fn, same.tn] == pytest.approx([20, 180, 10, 1820])


def test_a_rate_nobody_measured_is_undefined_elsewhere_too() -> None:
    assert math.isnan(at_prevalence(ConfusionCounts(0, 5, 0, 5), 0.3).tp)


def test_prevalence_works_along_an_axis() -> None:
    many = ConfusionCounts([20, 4], [180, 2], [10, 1], [1820, 3])
    there = at_prevalence(many, 0.5)
    assert np.allclose(precision(there), [float(precision(at_prevalence(many[i], 0.5))) for i in (0, 1)])


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan])
def test_a_prevalence_that_is_no_share_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="prevalence"):
        at_prevalence(CANCER, share)


def test_of_a_thousand_people_with_the_cancer_test() -> None:
    people = among(CANCER, 1000)
    assert (people.tp, people.fn, people.fp, people.tn) == (10, 5, 89, 896)


@given(COUNTS.filter(lambda c: c.total > 0), st.integers(1, 5000))
def test_natural_frequencies_are_whole_people_and_add_up(counts: ConfusionCounts, size: int) -> None:
    people = among(counts, size)
    cells = [float(people.tp), float(people.fp), float(people.fn), float(people.tn)]
    assert sum(cells) == size
    assert all(cell >= 0 and cell.is_integer() for cell in cells)
    assert abs(float(people.actual_positives) - size * float(prevalence(counts))) <= 0.5 + 1e-9


@given(WITH_BOTH_CLASSES, st.integers(0, 10_000))
def test_a_typed_margin_is_reached_and_its_proportion_kept_in_whole_rows(counts: ConfusionCounts, size: int) -> None:
    for margin, total, first, rest in (
        ("P", "actual_positives", "tp", ("fp", "tn")),
        ("N", "actual_negatives", "fp", ("tp", "fn")),
    ):
        typed = with_margin(counts, margin, size)
        assert getattr(typed, total) == pytest.approx(size)
        share = getattr(counts, first) / getattr(counts, total)
        part, own = float(getattr(typed, first)), float(share) * size
        is_whole = all(float(getattr(counts, cell)).is_integer() for cell in {"tp", "fp", "fn", "tn"} - {*rest})
        assert part == pytest.approx(own) or (is_whole and part.is_integer() and abs(part - own) <= 0.5 + 1e-9)
        assert [getattr(typed, cell) for cell in rest] == [getattr(counts, cell) for cell in rest]


def test_the_margins_of_the_prediction_keep_what_it_is_worth() -> None:
    typed = with_margin(CANCER, "T", 400)
    assert (typed.tp, typed.fp, typed.fn, typed.tn) == (40, 360, 10, 1820)
    typed = with_margin(CANCER, "F", 183)
    assert (typed.fn, typed.tn) == (1, 182)


def test_an_empty_margin_is_filled_in_halves() -> None:
    typed = with_margin(ConfusionCounts(0, 0, 0, 0), "P", 10)
    assert (typed.tp, typed.fn) == (5, 5)


@pytest.mark.parametrize(("margin", "size"), [("X", 1), ("P", -1), ("P", math.inf), ("P", math.nan)])
def test_what_is_no_margin_is_refused(margin: str, size: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        with_margin(CANCER, margin, size)
