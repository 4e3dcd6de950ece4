"""Of labels and scores, what a user should know is said once, with its level, count, column and first line."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, Finding, read_table, roles_of
from tests.words import facts, sentence_with


def read(text: str, **roles: object) -> DataSet:
    dataset = read_table(text.encode(), "x.csv")
    return dataset.with_roles(roles_of(**roles)) if roles else dataset


def said(dataset: DataSet, words: str) -> Finding:
    (finding,) = [finding for finding in dataset.findings if words in finding.sentence]
    return finding


def silent(dataset: DataSet, words: str) -> bool:
    return not any(words in finding.sentence for finding in dataset.findings)


GOOD = "actual,score\nill,0.9\nwell,0.25\nill,0.5\nwell,0.7\nwell,0.125\n"


def test_a_good_table_only_says_what_is_positive() -> None:
    (finding,) = read(GOOD).findings
    assert finding == Finding("info", finding.sentence, 2, "actual", code="positive class")
    assert facts(finding.sentence) == "ill actual 2 5"


def test_another_positive_class_is_said_as_chosen() -> None:
    finding = said(read(GOOD, actual="actual", score=("score",), positive="well"), "is the positive class")
    assert "(as chosen): 3 of 5 rows" in finding.sentence


def test_the_worst_comes_first() -> None:
    dataset = read("actual,score,weight\nill,0.5,1\nwell,0.5,-1\nwell,,1\n")
    assert [finding.level for finding in dataset.findings] == ["error", "warning", "info"]
    assert "error" in {finding.level for finding in dataset.findings}


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("actual,score\nill,0.9\nwell,0.25\n,0.5\nwell,0.4\n,0.3\n", "actual", "label"),
        ("actual,score\nill,0.9\nwell,0.25\nill,\nwell,0.4\nwell,NaN\n", "score", "score"),
        ("actual,predicted\nill,ill\nwell,ill\nill,\nwell,well\nwell,\n", "predicted", "label"),
        ("actual,score,weight\nill,0.9,1\nwell,0.25,1\nill,0.5,\nwell,0.4,1\nwell,0.3,\n", "weight", "weight"),
        ("truth,estimate\n1.5,2\n2.5,3\n3.5,\n4.5,5\n5.5,\n", "estimate", "number"),
        ("truth,estimate\n1.5,2\n2.5,3\n,4\n4.5,5\n,7\n", "truth", "number"),
        ("actual,p_a,p_b\na,.5,.5\nb,.2,.8\na,,.5\nb,.4,.6\nb,,.1\n", "p_a", "probability"),
    ],
)
def test_missing_cells(text: str, column: str, what: str) -> None:
    dataset = read(text)
    finding = said(dataset, f"has no {what}")
    assert (finding.level, finding.count, finding.column) == ("warning", 2, column)
    assert sentence_with(finding.sentence, "2", "4")


@pytest.mark.parametrize("cell", ["", "inf"])
@pytest.mark.parametrize(
    ("start", "row"),
    [("truth,v1,v2", "{0}.5,{0}.2,1{0}.4"), ("actual,v1,v2", "w{1},0.{0},0.{0}1")],
    ids=["numbers", "scores"],
)
def test_rows_that_one_of_several_systems_lacks_are_left_out_for_it(start: str, row: str, cell: str) -> None:
    rows = [row.format(place, place % 2) for place in range(1, 9)]
    rows[3] = f"{rows[3].rpartition(',')[0]},{cell}"
    assert said(read("\n".join([start, *rows])), "left out").sentence.endswith('left out for "v2".')


def test_rows_without_a_group_are_counted() -> None:
    finding = said(read("actual,score,group\nill,0.9,a\nwell,0.25,\nill,0.5,b\n"), "no group")
    assert (finding.level, finding.count, finding.column) == ("warning", 1, "group")
    assert "line 3" in finding.sentence
    assert "(no group)" in finding.sentence


def test_a_column_without_anything_is_an_error() -> None:
    finding = said(read("actual,score\nill,\nwell,\n", actual="actual", score=("score",)), "any row")
    assert (finding.level, finding.count) == ("error", 2)
    dataset = read("actual,score\n,0.5\n,0.25\n", actual="actual", score=("score",))
    assert said(dataset, "no label").level == "error"


def test_infinite_scores() -> None:
    dataset = read("actual,score\nill,inf\nwell,0.25\nill,0.5\nwell,-inf\n")
    finding = said(dataset, "infinite number")
    assert (finding.level, finding.count, finding.column) == ("warning", 2, "score")
    assert "first: line 2" in finding.sentence
    assert dataset.scored_arrays().left_out == 2


def test_one_class_only() -> None:
    finding = said(read("actual,score\nwell,0.9\nwell,0.25\n"), "only one class")
    assert (finding.level, finding.count, finding.column) == ("warning", 2, "actual")


def test_more_than_two_labels_for_scores() -> None:
    finding = said(read("actual,score\na,0.9\nb,0.25\nc,0.5\nc,0.4\n"), "labels, but scores separate two classes")
    assert (finding.level, finding.count) == ("warning", 3)
    assert '"b" is positive' in finding.sentence
    open_question = read("actual,score\na,0.9\nb,0.25\nc,0.5\n", actual="actual", score=("score",))
    assert "Choose the positive one" in said(open_question, "labels, but").sentence


def test_equal_scores() -> None:
    finding = said(read("actual,score\nill,0.5\nwell,0.5\nwell,0.5\n"), "are equal")
    assert (finding.level, finding.count, finding.column) == ("warning", 3, "score")
    assert "0.5" in finding.sentence


def test_an_area_below_one_half() -> None:
    dataset = read("actual,score\nill,0.1\nwell,0.25\nill,0.5\nwell,0.7\n")
    finding = said(dataset, "below ½")
    assert (finding.level, finding.count, finding.column) == ("warning", 4, "score")
    assert "AUC 0.250" in finding.sentence
    assert sentence_with(finding.sentence, "the direction")
    turned = dataset.with_roles(roles_of(actual="actual", score=("score",), positive="ill", higher_is_positive=False))
    assert silent(turned, "AUC")


def test_a_perfect_area() -> None:
    finding = said(read("actual,score\nill,0.8\nwell,0.25\nill,0.5\n"), "AUC 1")
    assert (finding.level, finding.count) == ("warning", 3)
    assert sentence_with(finding.sentence, "leak")


def test_weights_count_in_the_area() -> None:
    text = "actual,score,weight\nill,0.9,0\nill,0.1,1\nwell,0.5,1\n"
    assert "AUC 0.000" in said(read(text), "below ½").sentence
    assert silent(read("actual,score,weight\nill,0.9,0\nill,0.1,0\nwell,0.5,1\n"), "AUC")


def test_whole_numbers_that_floats_cannot_tell_apart() -> None:
    start = 2**53
    rows = "".join(f"{label},{start + place}\n" for place, label in enumerate(["well", "ill", "well", "ill"]))
    found = said(read("actual,score\n" + rows), "have become equal")
    assert (found.level, found.count, found.column) == ("warning", 1, "score")
    assert "above 9\u202f007\u202f199\u202f254\u202f740\u202f992" in found.sentence
    even = rows.replace("993", "996").replace("995", "998")
    assert silent(read("actual,score\n" + even), "become equal")


def test_ties() -> None:
    finding = said(read("actual,score\nill,0.5\nwell,0.5\nill,0.7\nwell,0.1\nwell,0.1\nill,0.1\n"), "tied scores")
    assert (finding.level, finding.count) == ("info", 5)
    assert finding.sentence.startswith("83.3\u202f% of the rows")
    few = "".join(f"{'ill' if k % 2 else 'well'},{k}\n" for k in range(9000))
    # A share that would read 0.0% is said as a number.
    assert said(read(f"actual,score\n{few}ill,7\n"), "tied scores").sentence.startswith("2 of the rows have tied")
    assert silent(read(GOOD), "share")


@pytest.mark.parametrize("other", ["Ill", " ill", "ill ", "ILL"])
def test_labels_that_differ_in_case_or_blanks_only(other: str) -> None:
    dataset = read(f"score,actual,x\n0.9,ill,1\n0.25,{other},1\n0.5,well,1\n0.4,ill,1\n")
    finding = said(dataset, "differ only in case")
    assert (finding.level, finding.count, finding.column) == ("warning", 1, "actual")
    dataset = read(f"actual,predicted,x\nill,ill,1\nwell,{other},1\nwell,well,1\n")
    assert said(dataset, "differ only in case").count == 1


def test_of_four_labels_in_two_spellings_three_are_named() -> None:
    rows = "".join(f"{row / 9},{label}\n" for row, label in enumerate("aAbBcCdD"))
    assert " and 1 more group differ only" in said(read(f"score,actual\n{rows}"), "differ only in case").sentence


def test_rows_that_occur_twice() -> None:
    finding = said(read(GOOD + "ill,0.9\nwell,0.125\nwell,0.125\n"), "duplicate rows")
    assert (finding.level, finding.count) == ("info", 3)
    doubled = read(GOOD + GOOD.split("\n", 1)[1])
    assert said(doubled, "duplicate rows").count == 5
    assert silent(read("actual,predicted\na,b\na,b\nb,b\nb,b\n"), "cop")


def test_a_prediction_that_no_threshold_explains() -> None:
    rows = "ill,0.9,ill\nwell,0.7,well\nill,0.5,ill\nwell,0.25,well\n"
    finding = said(read("actual,score,predicted\n" + rows), "No threshold of column")
    assert (finding.level, finding.count, finding.column) == ("warning", 1, "predicted")
    fitting = "ill,0.9,ill\nwell,0.7,ill\nill,0.5,well\nwell,0.25,well\n"
    assert silent(read("actual,score,predicted\n" + fitting), "No threshold")
    tied = "ill,0.9,ill\nwell,0.9,well\nill,0.5,well\nwell,0.25,well\n"
    assert said(read("actual,score,predicted\n" + tied), "No threshold").count == 1
    turned = {"actual": "actual", "score": ("score",), "predicted": ("predicted",), "positive": "ill"}
    low = "well,0.9,well\nwell,0.7,ill\nill,0.5,ill\nill,0.25,ill\n"
    assert silent(read("actual,score,predicted\n" + low, **turned, higher_is_positive=False), "No threshold")


def test_one_of_several_scores_may_explain_the_prediction() -> None:
    text = "actual,score_a,score_b,predicted\n1,0.1,0.9,1\n0,0.2,0.8,1\n1,0.3,0.1,0\n0,0.4,0.2,0\n"
    assert silent(read(text.replace("1,0.3,0.1,0", "1,0.9,0.1,0")), "No threshold")


@pytest.mark.parametrize("number", range(30))
def test_the_fewest_rows_against_the_prediction(number: int) -> None:
    from evalcore.readers.kinds.labels import _against

    rng = np.random.default_rng(number)
    scores = rng.integers(0, 5, 12) / 4
    predicted = rng.random(12) < 0.5
    by_hand = min(((scores >= cut) != predicted).sum() for cut in [*np.unique(scores), np.inf])
    assert _against(predicted, scores) == by_hand


def test_an_actual_column_like_an_identifier_or_a_number() -> None:
    lines = "".join(f"row{n},{n % 7 / 7},x\n" for n in range(120))
    finding = said(read("actual,score,predicted\n" + lines, actual="actual", predicted=("predicted",)), "identifier")
    assert (finding.level, finding.count, finding.column) == ("warning", 120, "actual")
    lines = "".join(f"{n / 7},{n % 2}\n" for n in range(120))
    finding = said(read("actual,predicted\n" + lines, actual="actual", predicted=("predicted",)), "looks like")
    assert "a number to estimate" in finding.sentence


def test_labels_without_anything_in_common() -> None:
    finding = said(read("actual,predicted\na,1\nb,2\na,2\n"), "no label in common")
    assert (finding.level, finding.column) == ("warning", "predicted")
    assert silent(read("actual,predicted\nTrue,1\nFalse,0\n"), "in common")


def test_lines_are_those_of_the_file() -> None:
    data = b'"actual\nlabel","score"\nill,0.9\nwell,\nill,0.5\nwell,0.1\n'
    dataset = read_table(data).with_roles(roles_of(actual="actual\nlabel", score=("score",)))
    assert "line 4" in said(dataset, "has no score").sentence


def test_findings_are_sentences() -> None:
    frame = pd.DataFrame(
        {"actual": ["a", "A ", None, "b"] * 30, "score": [0.5, np.inf, np.nan, 2.0] * 30, "weight": -1.0}
    )
    for finding in DataSet.of(frame).findings:
        assert finding.sentence.endswith((".", "?"))
        assert len(finding.sentence) < 300
        assert finding.count > 0


def test_what_holds_for_many_systems_is_said_once() -> None:
    frame = pd.DataFrame({"actual": [1, 0] * 20, **{f"model_{n}": (np.arange(40) // 2 + n) / 7 for n in range(8)}})
    frame = frame.assign(**{f"model_{n}": np.where(np.arange(40) % 2, 0.9, np.arange(40) / 50) for n in range(8, 15)})
    found = DataSet.of(frame).findings
    assert len([finding for finding in found if "below ½" in finding.sentence]) == 1
    tied = said(DataSet.of(frame), "tied scores")
    assert (tied.level, tied.count) == ("info", 15)
    assert sentence_with(tied.sentence, "14", "columns")
    few = DataSet.of(frame[["actual", *(f"model_{n}" for n in range(5))]])
    assert len([finding for finding in few.findings if "tied scores" in finding.sentence]) == 5


def test_a_true_label_that_no_column_scores_is_named() -> None:
    (finding,) = read("labels,score a,score b\na|c,.5,.2\nb,.1,.9\na|b,.2,.3\na|b|c,.2,.4\n").findings
    assert (finding.code, finding.level, finding.count) == ("unscored labels", "warning", 1)
    assert '"c"' in finding.sentence
