"""Two systems cell by cell, against counting the rows by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.inference import compare_cells, holm, mcnemar
from tests.classification.small_inputs import thorough

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
