"""The arrays for the measures: rows that cannot take part are left out and counted, and labels keep their identity."""

import numpy as np
import pandas as pd
import pytest

from evalcore.classification import ScoredLabels, roc_auc
from evalcore.readers import DataSet, ReadProblem, read_table, roles_of
from evalcore.readers.table.table import codes_of, ordered
from tests.words import sentence_with


def read(text: str) -> DataSet:
    return read_table(text.encode(), "x.csv")


def test_scored_rows_without_label_score_or_weight_are_left_out() -> None:
    text = "actual,score,weight\nill,0.9,1\nwell,0.25,2\n,0.5,1\nill,,1\nwell,inf,1\nill,0.4,\nwell,0.1,0\n"
    found = read(text).scored_arrays("score")
    assert found.labels.tolist() == [True, False, False]
    assert found.scores.tolist() == [0.9, 0.25, 0.1]
    assert found.weights.tolist() == [1, 2, 0]
    assert found.complete.tolist() == [True, True, False, False, False, False, True]
    assert found.left_out == 4


@pytest.mark.parametrize(
    "labels", ["1 0 1", "1.0 0.0 1.0", "True False True", "true false true", "yes no yes", "+ - +"]
)
def test_labels_of_every_type(labels: str) -> None:
    rows = "".join(f"{label},{score}\n" for label, score in zip(labels.split(), (0.9, 0.5, 0.3), strict=True))
    found = read("actual,score\n" + rows).scored_arrays()
    assert found.labels.tolist() == [True, False, True]
    assert found.weights is None
    assert found.left_out == 0


def test_the_arrays_are_what_the_core_takes() -> None:
    found = read("actual,score\nP,0.9\nN,0.5\nP,0.3\nN,0.2\n").scored_arrays()
    assert roc_auc(ScoredLabels.from_arrays(found.labels, found.scores, weights=found.weights)) == 3 / 4


def test_one_class_against_the_rest() -> None:
    text = "actual,p_a,p_b,p_c\na,.5,.3,.2\nb,.2,.3,.5\nc,.1,.1,.8\n"
    dataset = read(text)
    assert dataset.scored_arrays("p_b").labels.tolist() == [False, True, False]
    assert dataset.scored_arrays("p_c").scores.tolist() == [0.2, 0.5, 0.8]
    three = read("actual,score\na,.5\nb,.2\nc,.1\n").with_roles(
        roles_of(actual="actual", score=("score",), positive="b")
    )
    assert three.scored_arrays().labels.tolist() == [False, True, False]


def test_only_negatives_are_all_negative() -> None:
    found = read("actual,score\nno,0.9\nno,0.5\n").scored_arrays()
    assert found.labels.tolist() == [False, False]


def test_label_rows_are_places_in_the_classes() -> None:
    found = read("actual,predicted,weight\nb,a,1\na,,2\nc,c,3\n,a,1\nd,a,\n").label_arrays("predicted")
    assert found.classes == ("a", "b", "c", "d")
    assert [found.classes[place] for place in found.actual] == ["b", "c"]
    assert [found.classes[place] for place in found.predicted] == ["a", "c"]
    assert found.weights.tolist() == [1, 3]
    assert found.left_out == 3


def test_equal_labels_of_different_types_are_equal() -> None:
    for actual, predicted in (("1 0", "1.0 0.0"), ("1 0", "True False"), ("true false", "1 0"), ("1 0", "1 x")):
        rows = "".join(f"{a},{b}\n" for a, b in zip(actual.split(), predicted.split(), strict=True))
        found = (
            read("actual,predicted\n" + rows)
            .with_roles(roles_of(actual="actual", predicted=("predicted",)))
            .label_arrays()
        )
        assert found.actual[0] == found.predicted[0], (actual, predicted)


def test_classes_are_in_the_order_people_expect() -> None:
    assert read("actual,predicted\n10,9\n9,10\n2,2\n").label_arrays().classes == ("2", "9", "10")
    assert ordered(("b", "a")) == ("a", "b")


def test_a_hand_made_column_of_mixed_types_has_one_label_for_one_text() -> None:
    codes, texts = codes_of(pd.Series([1, "1", True, None, "x"], dtype=object))
    assert texts == ("1", "x") or texts == ("1", "True", "x")
    assert codes[0] == codes[1]
    assert codes[3] == -1


def test_probabilities() -> None:
    dataset = read("actual,p_a,p_b,p_c\na,.5,.3,.2\nb,,.3,.5\nc,.1,.1,.8\n,.1,.1,.8\n")
    found = dataset.probability_arrays()
    assert found.classes == ("a", "b", "c")
    assert found.probabilities.tolist() == [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]
    assert found.actual.tolist() == [0, 2]
    assert found.left_out == 2


def test_estimates() -> None:
    dataset = read("truth,estimate\n1.5,2\n2.5,\n3.5,inf\n,1\n4.5,5\n")
    found = dataset.estimates()
    assert (found.truth.tolist(), found.estimate.tolist(), dataset.left_out()) == ([1.5, 4.5], [2, 5], 3)
    assert dataset.estimate_rows().complete.tolist() == [True, False, False, False, True]


def test_systems_that_are_not_there() -> None:
    dataset = read("actual,score\nill,0.9\nwell,0.5\n")
    with pytest.raises(ReadProblem, match='"x" is not a score column'):
        dataset.scored_arrays("x")
    for arrays in (dataset.label_arrays, dataset.probability_arrays, dataset.estimate_rows, dataset.counts):
        with pytest.raises(ReadProblem, match=r"[Cc]hoose"):
            arrays()
    nothing = dataset.with_roles(roles_of(score=("score",)))
    with pytest.raises(ReadProblem, match=r"needs other columns"):
        nothing.scored_arrays()
    open_question = dataset.with_roles(roles_of(actual="actual", score=("score",)))
    with pytest.raises(ReadProblem, match="is positive"):
        open_question.scored_arrays()


def test_negative_weights_never_reach_a_measure() -> None:
    dataset = read("actual,score,weight\nill,0.9,1\nwell,0.5,-1\n")
    with pytest.raises(ReadProblem, match="weight -1 in line 3"):
        dataset.scored_arrays()


def test_many_rows_code_as_few() -> None:
    rng = np.random.default_rng(2)
    labels = np.array(list("abcde"))[rng.integers(0, 5, 50_000)]
    frame = pd.DataFrame({"actual": labels, "predicted": labels[::-1]})
    found = DataSet.of(frame).label_arrays()
    assert np.array_equal(np.array(found.classes)[found.actual], labels)
    assert np.array_equal(np.array(found.classes)[found.predicted], labels[::-1])


@pytest.mark.parametrize("unit", ["1e-200", "1e200", "1e308"])
def test_weights_that_cannot_be_multiplied_never_reach_a_measure(unit: str) -> None:
    dataset = read(f"actual,score,weight\nill,0.9,{unit}\nwell,0.5,{unit}\n")
    (finding,) = (found for found in dataset.findings if found.column == "weight")
    assert finding.level == "error"
    with pytest.raises(ReadProblem) as caught:
        dataset.scored_arrays("score")
    for said in (finding.sentence, str(caught.value)):
        assert sentence_with(said, "weight", "weights")
        assert sentence_with(said, "no weight column")
