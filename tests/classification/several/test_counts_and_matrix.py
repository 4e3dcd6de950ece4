"""Counting labels: two classes and several, with weights, against a loop."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalcore.classification import ConfusionCounts, ConfusionMatrix
from tests.classification.small_inputs import halves, thorough

pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd"), halves), max_size=12)


def columns(found) -> tuple[list, list, list[float]]:
    actual, predicted, weights = ([row[k] for row in found] for k in range(3))
    return actual, predicted, [float(w) for w in weights]


def cells(counts: ConfusionCounts) -> list:
    return [np.asarray(cell).tolist() for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]


def counted(found, positive: str) -> list[float]:
    places = {(True, True): 0, (False, True): 1, (True, False): 2, (False, False): 3}
    sums = [Fraction(0)] * 4
    for actual, predicted, weight in found:
        sums[places[actual == positive, predicted == positive]] += weight
    return [float(s) for s in sums]


@thorough
@given(found=pairs, positive=st.sampled_from("abd"))
def test_outcomes_are_those_of_a_loop(found, positive: str) -> None:
    actual, predicted, weights = columns(found)
    assume(positive in {*actual, *predicted})
    assert cells(ConfusionCounts.from_labels(actual, predicted, positive, weights)) == counted(found, positive)
    unweighted = [(a, p, Fraction(1)) for a, p, _ in found]
    assert cells(ConfusionCounts.from_labels(actual, predicted, positive)) == counted(unweighted, positive)


@thorough
@given(found=pairs)
def test_each_class_against_the_rest_is_the_count_of_that_class(found) -> None:
    actual, predicted, weights = columns(found)
    matrix = ConfusionMatrix.from_labels(actual, predicted, classes=tuple("dcba"), weights=weights)
    for k, label in enumerate(matrix.classes):
        assert cells(matrix.one_vs_rest()[k]) == counted(found, label)


@thorough
@given(found=pairs)
def test_the_matrix_counts_actual_by_predicted(found) -> None:
    actual, predicted, weights = columns(found)
    matrix = ConfusionMatrix.from_labels(actual, predicted, weights=weights)
    assert list(matrix.classes) == sorted({*actual, *predicted})
    for i, row in enumerate(matrix.classes):
        for j, column in enumerate(matrix.classes):
            assert matrix.counts[i, j] == float(sum(w for a, p, w in found if (a, p) == (row, column)))


@thorough
@given(a=pairs, b=pairs)
def test_the_sum_of_two_counts_is_the_count_of_all_rows(a, b) -> None:
    a, b = ([*part, ("a", "a", Fraction(0))] for part in (a, b))  # a positive label that no row has is refused
    both = ConfusionCounts.from_labels(*columns(a)[:2], "a", columns(a)[2]) + ConfusionCounts.from_labels(
        *columns(b)[:2], "a", columns(b)[2]
    )
    assert cells(both) == counted(a + b, "a")


@pytest.mark.parametrize(
    "make",
    [list, tuple, np.array, lambda x: np.array(x, dtype=object), pd.Series, lambda x: pd.Series(x, dtype="category")],
)
def test_labels_come_in_any_container(make) -> None:
    actual, predicted = ["cat", "hen", "cat", "fish"], ["cat", "cat", "hen", "fish"]
    matrix = ConfusionMatrix.from_labels(make(actual), make(predicted))
    assert matrix.classes == ("cat", "fish", "hen")
    assert matrix.counts.tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert cells(ConfusionCounts.from_labels(make(actual), make(predicted), "cat")) == [1, 1, 1, 1]


def test_whole_numbers_stay_in_the_order_of_numbers() -> None:
    matrix = ConfusionMatrix.from_labels([10, 9, 2], [9, 10, 2])
    assert matrix.classes == (2, 9, 10)


def test_a_class_that_never_occurs_keeps_its_empty_row_and_column() -> None:
    matrix = ConfusionMatrix.from_labels(["a", "b"], ["b", "b"], classes=("b", "never", "a"))
    assert matrix.classes == ("b", "never", "a")
    assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_no_rows() -> None:
    assert cells(ConfusionCounts.from_labels([], [], positive=1)) == [0, 0, 0, 0]
    assert ConfusionMatrix.from_labels([], []).classes == ()


def test_margins() -> None:
    counts = ConfusionCounts(tp=[1, 10], fp=[2, 20], fn=[3, 30], tn=[4, 40])
    margins = (counts.actual_positives, counts.actual_negatives, counts.predicted_positives, counts.predicted_negatives)
    assert [m.tolist() for m in margins] == [[4, 40], [6, 60], [3, 30], [7, 70]]
    assert counts.total.tolist() == [10, 100]
