"""The named goals against brute force over all thresholds."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.classification import (
    NoThreshold,
    ScoredLabels,
    corner_goal,
    cost_goal,
    flag_goal,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from tests.classification import definitions
from tests.classification.definitions import Undefined, cost, tnr, tpr
from tests.classification.small_inputs import halves, rows, state, thorough, two_classes

prices = st.sampled_from([-2, -0.5, 0, 0.25, 1, 3])


def falling(found, goal) -> list[tuple[float, Fraction]]:
    return [(t, goal(*definitions.counts_at(found, t))) for t in definitions.thresholds(found)]


def check(chosen, pairs, best) -> None:
    top = best(value for _, value in pairs)
    assert chosen.value == pytest.approx(float(top), rel=1e-13, abs=1e-15)
    assert chosen.ties[:, 1].tolist() == [threshold for threshold, value in pairs if value == top]


@thorough
@given(found=two_classes(halves), weight=st.sampled_from([0, 0.25, 0.5, 0.75, 1]))
def test_youden_and_weighted_sums(found, weight: float) -> None:
    table = state(found).table()
    check(youden_goal().choose(table), falling(found, lambda *c: tpr(*c) + tnr(*c) - 1), max)
    w = Fraction(weight)
    check(weighted_goal(weight).choose(table), falling(found, lambda *c: w * tpr(*c) + (1 - w) * tnr(*c)), max)


@thorough
@given(found=two_classes(halves))
def test_closest_to_the_corner(found) -> None:
    chosen = corner_goal().choose(state(found).table())
    squares = falling(found, lambda *c: (1 - tpr(*c)) ** 2 + (1 - tnr(*c)) ** 2)
    least = min(value for _, value in squares)
    assert chosen.value == pytest.approx(math.sqrt(least), rel=1e-14)
    assert chosen.ties[:, 1].tolist() == [threshold for threshold, value in squares if value == least]


@thorough
@given(found=rows(halves), fp=prices, fn=prices, tp=prices, tn=prices)
def test_the_lowest_cost_is_the_least_of_all_thresholds(found, fp, fn, tp, tn) -> None:
    """Also with gains, and where a hit costs more than a miss."""
    paid = {"fp_cost": fp, "fn_cost": fn, "tp_cost": tp, "tn_cost": tn}
    table = state(found).table()
    try:
        pairs = falling(found, lambda *c: cost(*c, **paid))
    except Undefined:
        with pytest.raises(NoThreshold):
            cost_goal(**paid).choose(table)
        return
    check(cost_goal(**paid).choose(table), pairs, min)


@thorough
@given(found=rows(halves), limit=st.sampled_from([0, 0.5, 1, 2, 2.5, 7, 100]))
def test_a_number_of_rows_to_flag_is_never_exceeded_and_ties_never_split(found, limit: float) -> None:
    flagged = falling(found, lambda tp, fp, fn, tn: tp + fp)
    chosen = flag_goal(rows=limit).choose(state(found).table())
    check(chosen, [(t, n) for t, n in flagged if n <= limit], max)


@pytest.mark.parametrize("n", [7, 10, 29, 100, 1000])
def test_a_share_to_flag_is_the_decimal_it_is_written_as(n: int) -> None:
    """0.29 of 100 rows are 29; floating point says 28.999…"""
    table = ScoredLabels.from_arrays(np.arange(n) % 2 == 0, np.arange(float(n))).table()
    for hundredths in range(101):
        wanted = Fraction(hundredths, 100) * n // 1
        for share in (hundredths / 100, np.float64(hundredths / 100)):
            assert flag_goal(share=share).choose(table).value == wanted


def test_ruling_out_and_ruling_in() -> None:
    labels = [True, True, False, True, False, False, True, False]
    table = ScoredLabels.from_arrays(labels, [8, 7, 6, 5, 4, 3, 2, 1]).table()
    chosen = rule_out_goal(sensitivity=0.75).choose(table)
    assert (chosen.threshold, chosen.value) == (5, 0.75)
    assert rule_out_goal(npv=1).choose(table).threshold == 2
    assert rule_out_goal(sensitivity=0.5, npv=0.75).choose(table).threshold == 5
    chosen = rule_in_goal(specificity_of=1).choose(table)
    assert (chosen.threshold, chosen.value) == (7, 0.5)
    assert rule_in_goal(ppv=0.75).choose(table).threshold == 5
    with pytest.raises(NoThreshold):
        rule_in_goal(ppv=0.99, specificity_of=1.01).choose(table)


def test_questions_that_make_no_sense_are_refused() -> None:
    for question, sentence in (
        (lambda: weighted_goal(1.5), "sensitivity is 1.5"),
        (lambda: weighted_goal(math.nan), "must lie between 0 and 1"),
        (lambda: flag_goal(), "number of rows"),
        (lambda: flag_goal(rows=1, share=0.5), "number of rows"),
        (lambda: flag_goal(rows=-1), "cannot be negative"),
        (lambda: rule_out_goal(), "at least one value"),
    ):
        with pytest.raises(ValueError, match=sentence):
            question()
