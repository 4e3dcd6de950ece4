"""Stuart–Maxwell by its definition, and by what it becomes with two classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from evalcore.classification import ConfusionMatrix
from evalcore.inference import PairedClasses, accuracy_above_no_information, bowker, clustered_symmetry, stuart_maxwell
from tests.classification.small_inputs import thorough

tables = st.integers(2, 5).flatmap(lambda k: st.lists(st.integers(1, 9), min_size=k * k, max_size=k * k))


@thorough
@given(found=tables)
def test_stuart_maxwell_is_the_quadratic_form_without_the_last_class(found) -> None:
    k = int(len(found) ** 0.5)
    table = np.array(found, dtype=float).reshape(k, k)
    differences = (table.sum(axis=1) - table.sum(axis=0))[:-1]
    spread = -(table + table.T)
    np.fill_diagonal(spread, table.sum(axis=1) + table.sum(axis=0) - 2 * np.diagonal(table))
    statistic = differences @ np.linalg.solve(spread[:-1, :-1], differences)
    result = stuart_maxwell(table)
    assert result.degrees == k - 1
    assert result.statistic == pytest.approx(statistic, rel=1e-8, abs=1e-10)
    assert result.p_value == pytest.approx(chi2.sf(statistic, k - 1), rel=1e-7)


def test_three_classes_have_a_closed_form() -> None:
    """Fleiss and Everitt (1971), British Journal of Mathematical and Statistical Psychology 24, 117–123."""
    table = np.array([[35, 5, 0], [15, 20, 5], [10, 5, 5]])
    d1, d2, d3 = table.sum(axis=1) - table.sum(axis=0)
    n12, n13, n23 = (table[i, j] + table[j, i] for i, j in ((0, 1), (0, 2), (1, 2)))
    n12, n13, n23 = n12 / 2, n13 / 2, n23 / 2
    closed = (n23 * d1**2 + n13 * d2**2 + n12 * d3**2) / (2 * (n12 * n23 + n12 * n13 + n13 * n23))
    assert stuart_maxwell(table).statistic == pytest.approx(closed)


def test_of_two_classes_it_is_mcnemar_without_correction() -> None:
    assert stuart_maxwell([[20, 4], [9, 30]]).statistic == pytest.approx((4 - 9) ** 2 / 13)
    assert stuart_maxwell([[20, 4], [9, 30]]).statistic == pytest.approx(bowker([[20, 4], [9, 30]]).statistic)


def test_classes_that_nobody_exchanges_add_nothing() -> None:
    small = stuart_maxwell([[20, 4], [9, 30]])
    padded = stuart_maxwell([[20, 4, 0], [9, 30, 0], [0, 0, 7]])
    assert (padded.statistic, padded.degrees) == (pytest.approx(small.statistic), 1)
    assert (stuart_maxwell(np.diag([3, 4, 5])).degrees, stuart_maxwell(np.diag([3, 4, 5])).p_value) == (0, 1)
    assert np.isnan(stuart_maxwell(np.zeros((3, 3))).p_value)


def test_copies_of_rows_do_not_sharpen_the_tests_of_whole_clusters() -> None:
    random = np.random.default_rng(5)
    actual, a = random.integers(0, 4, (2, 120))
    b = np.where(random.random(120) < 0.4, random.integers(0, 3, 120), a)
    rows = np.repeat(np.arange(120), 5)
    single = PairedClasses.from_codes(actual, a, b, tuple("abcd"))
    copies = PairedClasses.from_codes(actual[rows], a[rows], b[rows], tuple("abcd"), clusters=rows)
    for test, alone, naive in zip(
        clustered_symmetry(copies),
        (bowker(single.answers()), stuart_maxwell(single.answers())),
        (bowker(copies.answers()), stuart_maxwell(copies.answers())),
        strict=True,
    ):
        assert (test.statistic, test.degrees) == (pytest.approx(alone.statistic), alone.degrees)
        assert alone.p_value < test.p_value < alone.p_value + 0.02
        assert naive.p_value < test.p_value
    plain, whole = (ConfusionMatrix.from_labels(actual, b, range(4), clusters=of) for of in (None, np.arange(120)))
    many = ConfusionMatrix.from_labels(actual[rows], b[rows], range(4), clusters=rows)
    assert accuracy_above_no_information(many) == accuracy_above_no_information(whole)
    assert accuracy_above_no_information(whole) == pytest.approx(accuracy_above_no_information(plain), abs=0.1)
    assert np.isnan(accuracy_above_no_information(ConfusionMatrix.from_labels([0, 1], [0, 1], clusters=[3, 3])))
