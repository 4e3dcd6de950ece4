"""Measures of several classes against their definitions, and the three averages of a measure of counts."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peer

from evalcore import METRICS
from evalcore.classification import ConfusionCounts, ConfusionMatrix, averages, multiclass_matthews, precision, recall
from tests.classification.definitions import OF_COUNTS, value_or_nan
from tests.classification.matrix_definitions import OF_MATRIX
from tests.classification.small_inputs import thorough
from tests.published.rows import ANIMALS
from tests.registry.families import of_all

SHARES = ("precision", "recall", "f_beta", "specificity", "jaccard")


@st.composite
def tables(draw):
    k = draw(st.integers(1, 4))
    return [[Fraction(draw(st.sampled_from([0, 0, 1, 2, 7]))) for _ in range(k)] for _ in range(k)]


def matrix_of(table) -> ConfusionMatrix:
    return ConfusionMatrix(tuple(range(len(table))), [[float(cell) for cell in row] for row in table])


@thorough
@given(table=tables(), power=st.sampled_from([0, 1, 2]))
@of_all(OF_MATRIX)
def test_a_measure_of_a_matrix_is_its_definition(key: str, table, power: int) -> None:
    parameters = {"power": power} if METRICS[key].params else {}
    value = METRICS[key].with_params(**parameters)(matrix_of(table))
    expected = value_or_nan(OF_MATRIX[key], table, **parameters)
    assert isinstance(value, float)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)
    assert math.isnan(value) or METRICS[key].lowest - 1e-15 <= value <= METRICS[key].highest


@thorough
@given(cells=st.tuples(*[st.integers(0, 4)] * 4))
def test_with_two_classes_they_are_the_measures_of_the_two_by_two_table(cells) -> None:
    tp, fp, fn, tn = cells
    counts, matrix = ConfusionCounts(*cells), ConfusionMatrix((True, False), [[tp, fn], [fp, tn]])
    for several, two in (
        ("overall_accuracy", "accuracy"),
        ("multiclass_kappa", "cohen_kappa"),
        ("multiclass_matthews", "matthews_correlation"),
    ):
        assert METRICS[several](matrix) == pytest.approx(float(METRICS[two](counts)), abs=1e-15, nan_ok=True)


@thorough
@given(table=tables())
@of_all(SHARES)
def test_averages_are_sums_over_the_classes_where_the_measure_is_defined(key: str, table) -> None:
    n, k = sum(map(sum, table)), range(len(table))
    each, sums = [], [Fraction(0)] * 4
    for c in k:
        tp, actual, predicted = table[c][c], sum(table[c]), sum(table[r][c] for r in k)
        cells = (tp, predicted - tp, actual - tp, n - actual - predicted + tp)
        sums = [a + b for a, b in zip(sums, cells, strict=True)]
        each.append((value_or_nan(OF_COUNTS[key], *cells), actual))
    found = averages(matrix_of(table), METRICS[key])
    defined = [(value, actual) for value, actual in each if not math.isnan(value)]
    support = float(sum(actual for _, actual in defined))
    assert found.undefined == len(each) - len(defined)
    assert found.micro == pytest.approx(value_or_nan(OF_COUNTS[key], *sums), rel=1e-13, nan_ok=True)
    macro = sum(value for value, _ in defined) / len(defined) if defined else math.nan
    assert found.macro == pytest.approx(macro, rel=1e-13, nan_ok=True)
    weighted = sum(value * float(actual) for value, actual in defined) / support if support else math.nan
    assert found.weighted == pytest.approx(weighted, rel=1e-13, nan_ok=True)


@thorough
@given(table=tables())
def test_micro_precision_recall_and_f1_are_the_accuracy(table) -> None:
    accuracy = METRICS["overall_accuracy"](matrix_of(table))
    for key in ("precision", "recall", "f_beta"):
        assert averages(matrix_of(table), METRICS[key]).micro == pytest.approx(accuracy, nan_ok=True)


@thorough
@given(seed=st.integers(0, 2**32 - 1))
def test_scikit_learn_finds_the_same(seed: int) -> None:
    random = np.random.default_rng(seed)
    actual, predicted = random.choice(5, size=(2, 80), p=[0.4, 0.3, 0.15, 0.1, 0.05])
    matrix = ConfusionMatrix.from_labels(actual, predicted, classes=range(5))
    expected = {
        "multiclass_matthews": peer.matthews_corrcoef(actual, predicted),
        "multiclass_kappa": peer.cohen_kappa_score(actual, predicted, labels=range(5)),
        "weighted_kappa": peer.cohen_kappa_score(actual, predicted, labels=range(5), weights="quadratic"),
    }
    for key, value in expected.items():
        assert METRICS[key](matrix) == pytest.approx(value, rel=1e-12)
    linear = peer.cohen_kappa_score(actual, predicted, labels=range(5), weights="linear")
    assert METRICS["weighted_kappa"].with_params(power=1)(matrix) == pytest.approx(linear, rel=1e-12)


def test_the_averages_that_the_slides_print() -> None:
    for measure, micro, macro, weighted in (
        (precision, 0.48, 0.547, 0.581),
        (recall, 0.48, 0.511, 0.480),
        (METRICS["f_beta"], 0.48, 0.465, 0.464),
    ):
        found = averages(ANIMALS, measure)
        assert abs(found.micro - micro) <= 0.005
        assert abs(found.macro - macro) <= 0.0005
        assert abs(found.weighted - weighted) <= 0.0005
        assert found.undefined == 0


@pytest.mark.parametrize("kind", [str, int])
@pytest.mark.parametrize("way", ["micro", "macro", "weighted"])
def test_averages_are_those_of_scikit_learn(way: str, kind: type) -> None:
    actual, predicted = (x.astype(kind) for x in np.random.default_rng(8).choice(7, size=(2, 3000)))
    matrix = ConfusionMatrix.from_labels(actual, predicted)
    expected = peer.precision_recall_fscore_support(actual, predicted, average=way)
    for measure, value in zip((precision, recall, METRICS["f_beta"]), expected[:3], strict=True):
        assert getattr(averages(matrix, measure), way) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("unit", [1e-110, 1e-80, 1e76, 1e100, 1e150])
def test_the_unit_of_the_weights_does_not_change_the_correlation_of_classes(unit: float) -> None:
    for cells in ([[4, 1, 1], [6, 2, 2], [3, 0, 6]], [[4, 0, 0], [0, 2, 0], [0, 0, 6]]):
        found = multiclass_matthews(ConfusionMatrix("abc", np.array(cells) * unit))
        assert found == pytest.approx(multiclass_matthews(ConfusionMatrix("abc", cells)), rel=1e-13)
