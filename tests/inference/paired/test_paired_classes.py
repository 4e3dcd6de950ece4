"""Two systems over several classes: their square tables, differences by resampling, symmetry of their answers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.classification import ConfusionMatrix, macro_recall, multiclass_kappa, overall_accuracy
from evalcore.inference import (
    PairedClasses,
    PairedCounts,
    bowker,
    compare_cells,
    holm,
    mcnemar,
    mcnemar_differences,
    paired_differences,
)
from evalcore.inference.paired.classes import paired_matrix_differences
from tests.classification.small_inputs import thorough


def three_classes(n: int = 300, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    actual = random.integers(0, 3, n)
    a = np.where(random.random(n) < 0.7, actual, random.integers(0, 3, n))
    b = np.where(random.random(n) < 0.85, actual, a)
    return actual, a, b


def test_the_matrices_are_those_of_each_system() -> None:
    actual, a, b = three_classes()
    paired = PairedClasses.from_codes(actual, a, b, (0, 1, 2))
    for found, said in zip(paired.matrices(), (a, b), strict=True):
        assert (found.counts == ConfusionMatrix.from_labels(actual, said, classes=(0, 1, 2)).counts).all()
    assert paired.n == 300
    assert paired.ties == (a == b).sum()
    right = paired.right().right()
    assert right == tuple(
        float(((a == actual) == x).astype(int) @ ((b == actual) == y).astype(int))
        for x, y in ((True, True), (True, False), (False, True), (False, False))
    )


def test_a_weight_of_two_is_the_row_twice_and_many_classes_are_counted_alike() -> None:
    actual, a, b = three_classes()
    twice = PairedClasses.from_codes(*(np.repeat(x, 2) for x in (actual, a, b)), tuple(range(150)))
    weighted = PairedClasses.from_codes(actual, a, b, tuple(range(150)), np.full(300, 2.0))
    assert (twice.counts == weighted.counts).all()
    assert (twice.answers() == weighted.answers()).all()
    few = PairedClasses.from_codes(actual, a, b, (0, 1, 2), np.full(300, 2.0))
    assert (weighted.answers()[:3, :3] == few.answers()).all()


def test_differences_are_those_of_resampled_rows() -> None:
    """Beside a bootstrap that draws the rows one by one."""
    actual, a, b = three_classes()
    paired = PairedClasses.from_codes(actual, a, b, (0, 1, 2))
    measures = [overall_accuracy, macro_recall, multiclass_kappa]
    found = paired_matrix_differences(measures, paired)
    random, drawn = np.random.default_rng(5), []
    for _ in range(1000):
        rows = random.integers(0, 300, 300)
        one = PairedClasses.from_codes(actual[rows], a[rows], b[rows], (0, 1, 2)).matrices()
        drawn.append([measure(one[1]) - measure(one[0]) for measure in measures])
    for compared, values, measure in zip(found, np.array(drawn).T, measures, strict=True):
        of_a, of_b = paired.matrices()
        assert compared.estimate == measure(of_b) - measure(of_a)
        low, high = np.quantile(values, [0.025, 0.975])
        assert compared.interval.low == pytest.approx(low, abs=0.012)
        assert compared.interval.high == pytest.approx(high, abs=0.012)
        assert compared.p_value < 0.01
        assert compared.n == 300


def test_systems_that_say_the_same_differ_by_exactly_nothing() -> None:
    actual, a, _ = three_classes()
    found = paired_matrix_differences([multiclass_kappa], PairedClasses.from_codes(actual, a, a, (0, 1, 2)))[0]
    assert (found.estimate, found.p_value) == (0, 1)
    assert math.isnan(found.interval.low)


def test_without_rows_nothing_is_known() -> None:
    empty = PairedClasses.from_codes([], [], [], ("a", "b"))
    assert math.isnan(paired_matrix_differences([overall_accuracy], empty)[0].p_value)
    assert math.isnan(bowker(empty.answers()).p_value)


def test_bowker_of_two_classes_is_mcnemar_without_correction() -> None:
    found = bowker([[50, 12], [30, 8]])
    assert found.statistic == 18**2 / 42
    assert found.degrees == 1
    assert found.p_value == pytest.approx(math.erfc(math.sqrt(18**2 / 84)), rel=1e-12)


def test_classes_that_are_never_traded_add_no_degree_of_freedom() -> None:
    assert bowker(np.diag([3, 4, 5])).p_value == 1
    found = bowker([[5, 4, 0], [1, 6, 0], [0, 0, 9]])
    assert (found.statistic, found.degrees) == (9 / 5, 1)


@pytest.mark.parametrize("n", [40, 400])
def test_shares_have_the_p_of_mcnemar_and_the_interval_of_tango(n: int) -> None:
    random = np.random.default_rng(n)
    actual, a, b = random.random((3, n)) < np.array([[0.4], [0.5], [0.6]])
    paired = PairedCounts.from_labels(actual, a, b)
    for key, rows in (("recall", actual), ("specificity", ~actual), ("accuracy", np.ones(n, dtype=bool))):
        found = mcnemar_differences([METRICS[key]], paired)[0]
        test = mcnemar((a == actual)[rows], (b == actual)[rows])
        assert (found.p_value, found.statistic) == (test.p_value, test.statistic)
        assert test.method in found.method
        tango = paired_differences([METRICS[key]], paired)[0].interval
        assert (found.interval.low, found.interval.high) == (tango.low, tango.high)
    misses = mcnemar_differences([METRICS["miss_rate"]], paired)[0]
    assert misses.p_value == mcnemar_differences([METRICS["recall"]], paired)[0].p_value
    flagged = mcnemar_differences([METRICS["predicted_prevalence"]], paired)[0]
    assert flagged.p_value == mcnemar(a, b).p_value
    f1, drawn = (f([METRICS["f_beta"]], paired)[0] for f in (mcnemar_differences, paired_differences))
    assert (f1.method, f1.p_value, f1.interval.low) == (drawn.method, drawn.p_value, drawn.interval.low)


K = 3
rows = st.lists(st.tuples(*[st.integers(0, K - 1)] * 3), max_size=30)


@thorough
@given(rows=rows)
def test_each_cell_is_mcnemar_among_the_rows_of_its_actual_class(rows) -> None:
    actual, a, b = np.array(rows or np.zeros((0, 3)), dtype=int).reshape(-1, 3).T
    found = compare_cells(actual, a, b, tuple(range(K)))
    for i in range(K):
        for j in range(K):
            said_a, said_b = a[actual == i] == j, b[actual == i] == j
            assert found.counts[i, j] == said_b.sum() - said_a.sum()
            assert found.only_a[i, j] == (said_a & ~said_b).sum()
            assert found.only_b[i, j] == (said_b & ~said_a).sum()
            if (said_a == said_b).all():
                assert np.isnan(found.p_values[i, j])
            elif (said_a != said_b).sum() < 25:
                assert found.p_values[i, j] == pytest.approx(mcnemar(said_a, said_b).p_value, rel=1e-12)
    np.testing.assert_array_equal(found.corrected, holm(found.p_values))


def test_identical_systems_have_nothing_to_test() -> None:
    said = np.array([0, 1, 2, 1])
    found = compare_cells(np.array([0, 1, 1, 2]), said, said, tuple("abc"))
    assert np.isnan(found.corrected).all()
    assert not found.counts.any()


def test_a_weight_of_two_is_the_row_twice_and_thirds_leave_no_rounding_behind() -> None:
    actual, a, b = np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([1, 1, 0])
    twice = compare_cells(actual, a, b, (0, 1), weights=[2, 1, 3])
    rows = [0, 0, 1, 2, 2, 2]
    again = compare_cells(actual[rows], a[rows], b[rows], (0, 1))
    np.testing.assert_array_equal(twice.p_values, again.p_values)
    thirds = compare_cells(np.zeros(3, int), np.array([0, 1, 1]), np.array([0, 1, 1]), (0, 1), weights=[1 / 3] * 3)
    assert np.isnan(thirds.p_values).all()
