"""The square table: counting, merging, ordering, and both ways in which a file can hold it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.classification import (
    ConfusionMatrix,
    multiclass_matthews,
    order_by_error,
    order_by_name,
    order_by_size,
    precision,
    recall,
    shares,
    top_confusions,
)
from evalcore.readers import read_sample, read_table
from tests.classification.small_inputs import thorough
from tests.published.rows import ANIMALS, PEOPLE

CLASSES = tuple("abcd")
labels = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES), st.integers(0, 4)), max_size=25)


@thorough
@given(rows=labels)
def test_each_cell_is_the_rows_counted_one_by_one(rows) -> None:
    actual, predicted, weights = ([row[k] for row in rows] for k in range(3))
    matrix = ConfusionMatrix.from_labels(actual, predicted, classes=CLASSES, weights=weights)
    for i, a in enumerate(CLASSES):
        for j, p in enumerate(CLASSES):
            assert matrix.counts[i, j] == sum(weight for x, y, weight in rows if (x, y) == (a, p))


@thorough
@given(rows=labels, groups=st.dictionaries(st.sampled_from(CLASSES), st.sampled_from(("new", "other", "a"))))
def test_merging_is_the_same_as_relabelling_every_row(rows, groups) -> None:
    # A group may only take the name of a class that belongs to it.
    groups = groups | ({"a": "a"} if "a" in groups.values() else {})
    actual, predicted = [row[0] for row in rows], [row[1] for row in rows]
    merged = ConfusionMatrix.from_labels(actual, predicted, classes=CLASSES).merged(groups)
    new = [groups.get(name, name) for name in CLASSES]
    assert merged.classes == tuple(dict.fromkeys(new))
    again = ConfusionMatrix.from_labels(
        [groups.get(x, x) for x in actual], [groups.get(x, x) for x in predicted], classes=merged.classes
    )
    assert merged.counts.tolist() == again.counts.tolist()


def test_merging_nothing_changes_nothing_and_merging_all_leaves_one_cell() -> None:
    assert ANIMALS.merged({}).counts.tolist() == ANIMALS.counts.tolist()
    assert ANIMALS.merged(dict.fromkeys(ANIMALS.classes, "animal")).counts.tolist() == [[25]]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (2, 1, 0)])
def test_another_order_moves_rows_and_columns_alike_and_changes_no_measure(order) -> None:
    moved = PEOPLE.ordered(order)
    assert moved.classes == tuple(PEOPLE.classes[place] for place in order)
    for i, a in enumerate(moved.classes):
        for j, p in enumerate(moved.classes):
            assert moved.counts[i, j] == PEOPLE.counts[PEOPLE.classes.index(a), PEOPLE.classes.index(p)]
    for measure in METRICS.values():
        if measure.family == "matrix" and not measure.params:
            assert measure(moved) == pytest.approx(measure(PEOPLE), abs=1e-15)


def test_animals_come_out_of_the_file_as_they_are_printed() -> None:
    found = read_sample("cat_fish_hen").matrix()
    assert found.classes == ANIMALS.classes
    assert found.counts.tolist() == ANIMALS.counts.tolist()


def test_people_are_printed_with_the_prediction_in_the_rows_and_come_out_turned() -> None:
    found = read_sample("woman_man_child").matrix()
    assert found.classes == PEOPLE.classes
    assert found.counts.tolist() == PEOPLE.counts.tolist()
    woman = found.one_vs_rest()[0]
    assert (float(precision(woman)), float(recall(woman))) == (13 / 19, 13 / 20)


@pytest.mark.parametrize("corner", ["actual", "predicted"])
def test_a_matrix_says_in_its_corner_which_way_it_lies(corner: str) -> None:
    counts = np.array([[4, 1, 1], [6, 2, 2], [3, 0, 6]])
    frame = pd.DataFrame(counts if corner == "actual" else counts.T, columns=["Cat", "Fish", "Hen"])
    frame.insert(0, corner, ["Cat", "Fish", "Hen"])
    found = read_table(frame.to_csv(index=False).encode(), "matrix.csv").matrix()
    assert found.counts.tolist() == ANIMALS.counts.tolist()


def test_columns_of_pandas_in_every_type_give_the_same_table() -> None:
    actual, predicted = ["b", "a", "c", "a"], ["a", "a", "c", "b"]
    expected = ConfusionMatrix.from_labels(actual, predicted)
    for kind in ("str", "object", "category", "string[pyarrow]"):
        found = ConfusionMatrix.from_labels(pd.Series(actual, dtype=kind), pd.Series(predicted, dtype=kind))
        assert found.classes == expected.classes
        assert found.counts.tolist() == expected.counts.tolist()


def test_labels_of_actual_and_predicted_that_never_meet_make_one_square_table() -> None:
    matrix = ConfusionMatrix.from_labels(["a", "b"], ["c", "d"])
    assert matrix.classes == ("a", "b", "c", "d")
    assert matrix.counts.sum() == 2
    assert np.trace(matrix.counts) == 0


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_a_missing_label_is_named_with_its_row(missing) -> None:
    with pytest.raises(ValueError, match=r"predicted.*row 1"):
        ConfusionMatrix.from_labels(["a", "b"], ["a", missing])
    with pytest.raises(ValueError, match=r"actual.*row 0"):
        ConfusionMatrix.from_labels(pd.Series([missing, "b"], dtype=object), ["a", "b"])


def test_a_margin_of_one_class_in_fractions_leaves_the_correlation_undefined() -> None:
    # n² − Σ² of such a margin is not 0 in floating point, and its root not always a number.
    column = np.zeros((4, 4))
    column[:, 2] = [0.1, 0.2, 0.3, 0.7]
    for counts in (column, column.T, np.full((1, 1), 0.3)):
        assert np.isnan(multiclass_matthews(ConfusionMatrix(range(len(counts)), counts)))
        assert np.isnan(METRICS["multiclass_kappa"](ConfusionMatrix(range(len(counts)), counts))) == (len(counts) == 1)


def test_weights_leave_nothing_where_no_row_is() -> None:
    # 0.1 + 0.7 + 0.9 less each of them is not 0 in floating point.
    counts = ConfusionMatrix("ab", [[0.1, 0.7], [0.9, 0]]).one_vs_rest()
    assert counts.tn.tolist() == [0, pytest.approx(0.1)]
    assert METRICS["negative_likelihood_ratio"](counts[0]) == np.inf


def test_a_class_that_is_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="The class 'a' is named twice"):
        ConfusionMatrix.from_labels(["a", "b"], ["a", "a"], classes=("a", "b", "a"))


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
