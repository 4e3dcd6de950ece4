"""What cannot be used is refused at the door: the sentence names the argument, the first bad row and what to do."""

import math
import re

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    LabelScores,
    LabelSets,
    ProbabilityTable,
    ScoredLabels,
    roc_auc,
    scored_by_group,
)
from evalcore.inference import PairedCounts, bootstrap_score_differences, compare_auc, correlated_areas


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ([0.1, math.nan, math.nan], "nan in row 1"),
        ([0.1, None, 0.3], "nan in row 1"),
        ([0.1, 0.2, math.inf], "inf in row 2"),
        ([math.inf, -math.inf, 0], "inf in row 0"),
        (["high", "low", "low"], "scores must be numbers"),
        ([0.1, 0.2], "shape (2,) beside 3"),
        ([[0.1], [0.2], [0.3]], "(3, 1) beside 3"),
    ],
)
def test_scores(scores, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ScoredLabels.from_arrays([True, False, True], scores)


def test_finite_scores_whose_sum_is_not() -> None:
    assert ScoredLabels.from_arrays([True, False], [1.7e308, 1.7e308]).positives == 1


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1, -1, -2], "-1 in row 1"),
        ([1, math.nan, 2], "nan in row 1"),
        ([1, 2, math.inf], "inf in row 2"),
        ([1, 2], "shape (2,) beside 3"),
        (["a", "b", "c"], "weights must be numbers"),
    ],
)
def test_weights(weights, sentence: str) -> None:
    for count in (
        lambda: ScoredLabels.from_arrays([True, False, True], [1, 2, 3], weights=weights),
        lambda: ConfusionCounts.from_labels(["a", "b", "a"], ["a", "a", "b"], positive="a", weights=weights),
        lambda: ConfusionMatrix.from_labels(["a", "b", "a"], ["a", "a", "b"], weights=weights),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            count()


@pytest.mark.parametrize(("name", "place"), [("positives", 1), ("negatives", 2)])
def test_grouped_counts_are_named_as_the_caller_named_them(name: str, place: int) -> None:
    arguments = [[0.1, 0.2], [1, 1], [1, 1]]
    arguments[place] = [1, -4]
    with pytest.raises(ValueError, match=f"{name} is -4 in row 1"):
        ScoredLabels.from_counts(*arguments)
    arguments[place] = [1]
    with pytest.raises(ValueError, match=rf"{name} has the shape \(1,\) beside 2 rows"):
        ScoredLabels.from_counts(*arguments)


MISSING = {
    "None": ["a", None, "b"],
    "nan in texts": ["a", math.nan, "b"],
    "nan in numbers": [1.0, math.nan, 0.0],
    "None in truths": [True, None, False],
    "pandas.NA": ["a", pd.NA, "b"],
    "a column of texts": pd.Series(["a", None, "b"]),
    "column of whole numbers": pd.Series([1, None, 0], dtype="Int64"),
    "a categorical column": pd.Series(["a", None, "b"], dtype="category"),
    "no date": np.array(["2020-01-01", "NaT", "2020-01-02"], dtype="M8[D]"),
}


@pytest.mark.parametrize("labels", MISSING.values(), ids=MISSING)
def test_a_missing_label_is_no_class(labels) -> None:
    advice = "no label in row 1"
    with pytest.raises(ValueError, match=f"labels .*{advice}"):
        ScoredLabels.from_arrays(labels, [1, 2, 3], positive="a")
    whole = np.asarray(labels)[[0, 2, 0]]
    for actual, predicted, name in ((labels, whole, "actual"), (whole, labels, "predicted")):
        with pytest.raises(ValueError, match=f"{name} .*{advice}"):
            ConfusionCounts.from_labels(actual, predicted, positive="a")
        with pytest.raises(ValueError, match=f"{name} .*{advice}"):
            ConfusionMatrix.from_labels(actual, predicted)


def test_a_label_that_reads_nan_is_a_label() -> None:
    assert ConfusionMatrix.from_labels(["nan", "None"], ["nan", "nan"]).classes == ("None", "nan")


def test_labels_of_another_shape_or_length() -> None:
    with pytest.raises(ValueError, match=r"labels.*\(1, 2\)"):
        ScoredLabels.from_arrays([[True, False]], [1, 2])
    for cls, more in ((ConfusionCounts, {"positive": 1}), (ConfusionMatrix, {})):
        with pytest.raises(ValueError, match=r"actual.* 2 .*predicted.* 3"):
            cls.from_labels([1, 0], [1, 0, 1], **more)


def test_a_positive_label_that_is_a_list_is_no_label() -> None:
    for labels in ([1, 2], [1, 2, 3]):
        for count in (ScoredLabels.from_arrays, ConfusionCounts.from_labels):
            with pytest.raises(ValueError, match=r"\[1, 2, 3\]"):
                count(labels, labels, positive=[1, 2, 3])


SCORES = [0.9, 0.2, 0.7, 0.4]
DOORS = {
    "scores": lambda labels, **given: ScoredLabels.from_arrays(labels, SCORES, **given).positives,
    "counts": lambda labels, positive=True: ConfusionCounts.from_labels(labels, labels, positive).tp,
    "pairs": lambda labels, **given: PairedCounts.from_labels(labels, labels, labels, **given).a.tp,
    "probabilities": lambda labels, **given: ProbabilityTable.from_event(labels, SCORES, **given).sizes[1],
    "groups": lambda labels, **given: scored_by_group(labels, SCORES, ["g"] * 4, **given)["g"].positives,
    "areas": lambda labels, **given: round(2 * float(correlated_areas(labels, [SCORES], **given).estimates[0])),
    "two areas": lambda labels, **given: 2 - round(compare_auc(labels, SCORES, SCORES, **given).estimate),
    "resampled areas": lambda labels, **given: (
        2 - round(bootstrap_score_differences([roc_auc], labels, SCORES, SCORES, resamples=10, **given)[0].estimate)
    ),
}
"""Every way in for labels; of four rows, the first and the third positive, each gives a 2."""

ANSWERS = [
    [True, False, True, False],
    [1, 0, 1, 0],
    [1.0, -1.0, 1.0, -1.0],
    ["1", "0", "1", "0"],
    ["yes", "no", "yes", "no"],
    ["Positive", "negative ", "Positive", "negative "],
    ["sick", "healthy", "sick", "healthy"],
    ["flu", "well", "flu", "well"],
    [100, 0, 100, 0],
    pd.Series(["ja", "nein", "ja", "nein"], dtype="category"),
    pd.Series([True, False, True, False], dtype="boolean"),
]


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("labels", ANSWERS, ids=str)
def test_the_usual_words_for_positive_need_not_be_named(labels, door) -> None:
    assert float(door(labels)) == 2


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["cat", "dog", "cat", "cat"], "There are 'cat', 'dog'"),
        ([1, 2, 2, 1], "There are 1, 2"),
        (list("abca"), "'a', 'b', 'c': pass"),
        ([2.5, 0.5, 2.5, 0.5], "There are 0.5, 2.5"),
    ],
)
def test_labels_that_do_not_tell_which_is_positive_are_named(labels, sentence: str, door) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        door(labels)
    assert float(door([labels[0], labels[1]] * 2, positive=labels[0])) == 2


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_positive_label_that_no_row_has_is_refused_with_the_labels(door) -> None:
    with pytest.raises(ValueError, match=r"positive='ill'.*'sick', 'well'"):
        door(["sick", "well", "sick", "well"], positive="ill")
    with pytest.raises(ValueError, match=r"positive='1'.* 0, 1"):
        door([1, 0, 1, 0], positive="1")


def test_rows_of_one_label_may_be_a_part_of_others() -> None:
    """Such as those of a group or of one day; and of more than eight labels, eight are named."""
    for labels, positive, expected in ((["well"] * 4, "ill", 0), (["no"] * 4, True, 0), ([0] * 4, True, 0)):
        assert ScoredLabels.from_arrays(labels, SCORES, positive).positives == expected
    assert ScoredLabels.from_arrays([], []).positives == 0
    with pytest.raises(ValueError, match="'h' and 2 more: pass one"):
        ScoredLabels.from_arrays(list("abcdefghij"), range(10))


def test_indicators_of_several_labels_are_yes_or_no() -> None:
    for yes, no in ((True, False), (1, 0), ("1", "0"), ("yes", "no")):
        rows = [[yes, no], [no, no]]
        assert LabelSets.from_indicators(rows, rows).one_vs_rest().tp.tolist() == [1, 0]
        assert LabelScores.from_arrays(rows, np.zeros((2, 2))).actual[0].tolist() == [True, False]
    for wrong, sentence in (
        ([["a", "b"]], "Which label is positive?"),
        ([[0, 2], [1, 0]], "Which label is positive?"),
        ([[1, math.nan]], "actual has no label"),
    ):
        for door in (LabelSets.from_indicators, LabelScores.from_arrays):
            with pytest.raises(ValueError, match=re.escape(sentence)):
                door(wrong, np.zeros((len(wrong), 2)))


def test_a_class_that_was_not_listed() -> None:
    with pytest.raises(ValueError, match="label 'c'"):
        ConfusionMatrix.from_labels(["a", "c"], ["a", "a"], classes=("a", "b"))


def test_numbers_and_texts_are_not_one_kind_of_label() -> None:
    for actual, predicted in (([1, 2], ["1", "2"]), ([1, "a"], [1, "a"])):
        with pytest.raises(ValueError, match="mix numbers and texts"):
            ConfusionMatrix.from_labels(actual, predicted)


def test_a_matrix_that_is_not_square() -> None:
    with pytest.raises(ValueError, match=r"\(2, 2\), not \(2, 3\)"):
        ConfusionMatrix(("a", "b"), [[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1e-160, 1e160, 1.7e308])
def test_weights_in_a_unit_that_cannot_be_multiplied_are_refused(unit: float) -> None:
    labels, weights = [1, 0, 1], [unit, unit, 0]
    for count in (
        lambda: ConfusionCounts.from_labels(labels, labels, positive=1, weights=weights),
        lambda: ConfusionMatrix.from_labels(labels, labels, weights=weights),
        lambda: ScoredLabels.from_arrays(labels, [0.1, 0.2, 0.3], positive=1, weights=weights),
        lambda: ScoredLabels.from_counts([0.1, 0.2, 0.3], weights, [1, 1, 1]),
    ):
        with pytest.raises(ValueError, match="another unit"):
            count()


@pytest.mark.parametrize("unit", [1e-149, 1e-100, 1e100, 1e149])
def test_the_unit_of_the_weights_changes_no_measure(unit: float) -> None:
    labels, scores, weights = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.4, 0.3, 0.1], np.array([1, 2, 1, 1, 1, 0.5])
    state, same = (ScoredLabels.from_arrays(labels, scores, 1, w) for w in (weights, weights * unit))
    for definition in METRICS.values():
        if definition.family == "scores":
            assert definition(same) == pytest.approx(definition(state), rel=1e-12), definition.name
        if definition.family == "counts":
            values = (definition(each.table().counts) for each in (same, state))
            np.testing.assert_allclose(next(values), next(values), rtol=1e-12, err_msg=definition.name)
