"""Reading a square table: shares, the largest confusions, and the orders of the classes."""

import numpy as np
import pytest

from evalcore.classification import (
    ConfusionMatrix,
    order_by_error,
    order_by_name,
    order_by_size,
    shares,
    top_confusions,
)
from tests.published.rows import ANIMALS

NEVER = ConfusionMatrix(("a", "unseen", "b"), [[3, 1, 0], [0, 0, 0], [2, 0, 2]])
"""A class without an actual row; the class b is called a as often as b."""


def test_shares_of_rows_columns_and_the_whole_each_add_up_to_one() -> None:
    assert shares(ANIMALS, "actual").sum(axis=1).tolist() == pytest.approx([1, 1, 1])
    assert shares(ANIMALS, "predicted").sum(axis=0).tolist() == pytest.approx([1, 1, 1])
    assert shares(ANIMALS, "all").sum() == pytest.approx(1)
    assert shares(ANIMALS, "actual")[0].tolist() == [4 / 6, 1 / 6, 1 / 6]
    assert shares(ANIMALS, "predicted")[:, 0].tolist() == [4 / 13, 6 / 13, 3 / 13]


def test_shares_of_an_empty_row_or_column_are_undefined_and_not_zero() -> None:
    assert np.isnan(shares(NEVER, "actual")[1]).all()
    assert not np.isnan(shares(NEVER, "predicted")).any()
    assert np.isnan(shares(ConfusionMatrix("ab", np.zeros((2, 2))), "all")).all()


def test_shares_of_anything_else_are_refused() -> None:
    with pytest.raises(ValueError, match="'actual', 'predicted' or 'all', not of 'row'"):
        shares(ANIMALS, "row")


def test_top_confusions_are_the_errors_alone_and_equal_ones_stand_in_the_order_of_the_table() -> None:
    found = [(c.actual, c.predicted, c.count, c.share) for c in top_confusions(ANIMALS)]
    assert found == [
        ("Fish", "Cat", 6, 6 / 10),
        ("Hen", "Cat", 3, 3 / 9),
        ("Fish", "Hen", 2, 2 / 10),
        ("Cat", "Fish", 1, 1 / 6),
        ("Cat", "Hen", 1, 1 / 6),
    ]
    assert [c.count for c in top_confusions(ANIMALS, most=2)] == [6, 3]


def test_without_errors_there_are_no_confusions() -> None:
    assert top_confusions(ConfusionMatrix("abc", np.diag([3, 0, 9]))) == []
    assert top_confusions(ConfusionMatrix((), np.zeros((0, 0)))) == []


def test_by_size_the_largest_come_first_and_equal_ones_stay() -> None:
    assert [ANIMALS.classes[i] for i in order_by_size(ANIMALS)] == ["Fish", "Hen", "Cat"]
    assert order_by_size(ConfusionMatrix("abc", np.eye(3))).tolist() == [0, 1, 2]


def test_by_error_those_found_least_come_first_and_those_without_rows_last() -> None:
    assert [NEVER.classes[i] for i in order_by_error(NEVER)] == ["b", "a", "unseen"]


def test_by_name_numbers_stand_by_size_and_words_by_letter() -> None:
    def by_name(*names):
        matrix = ConfusionMatrix(names, np.zeros((len(names), len(names))))
        return [names[i] for i in order_by_name(matrix)]

    assert by_name("10", "9", "1.5") == ["1.5", "9", "10"]
    assert by_name("b", "a", "10") == ["10", "a", "b"]
    assert by_name(3, 1, 2) == [1, 2, 3]
    assert by_name("1", "1.0", "01") == ["01", "1", "1.0"]
