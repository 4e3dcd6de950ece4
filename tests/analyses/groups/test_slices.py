"""What is said of slices: each sentence fits its data, names stay names, and the exported Python finds the same."""

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, find
from evalcore.analyses import SLICE_MEASURES, ClassTable, LabelPairs, Scores, Slices, Source, search_slices
from evalcore.readers import DataSet, read_sample, roles_of
from tests.analyses.small_scores import plain_text, scores_of, small_scores
from tests.pages.nasty_names import NASTY
from tests.words import sentence_with

ROWS = 4000


def sliced(scores: Scores, threshold: float = 0.5, by: str = "error_rate") -> Slices:
    """The slices of the positive class at a threshold."""
    table, measure = ClassTable.of_scores(scores, threshold), METRICS[by]
    return Slices(table, scores.positive, measure, search_slices(table, scores.positive, measure))


def worse_at(site: str = "west", name: str = "site", seed: int = 0, **columns: object) -> pd.DataFrame:
    """Scores with more errors, misses and false alarms at one site."""
    random = np.random.default_rng(seed)
    sites = random.choice([site, "north", "east", "south", "centre"], ROWS)
    ill = random.random(ROWS) < 0.4
    wrong = random.random(ROWS) < np.where(sites == site, 0.35, 0.1)
    score = np.where(ill ^ wrong, 0.9, 0.1) + random.uniform(-0.05, 0.05, ROWS)
    frame = {"actual": np.where(ill, "ill", "well"), "score": score, name: sites} | columns
    return pd.DataFrame(frame).astype({"actual": "str", name: "str"})


def data_of(frame: pd.DataFrame, **roles: object) -> DataSet:
    return DataSet.of(frame, "x.csv", roles=roles_of(actual="actual", score=("score",), positive="ill", **roles))


@pytest.mark.parametrize("by", SLICE_MEASURES)
def test_the_site_that_is_worse_is_listed_by_each_measure(by: str) -> None:
    frame = worse_at()
    slices = sliced(scores_of(data_of(frame)), by=by)
    one = slices.search.slices[0]
    assert [slices.condition(each) for each in slices.search.slices] == ["site west"]
    ill, flagged, west = frame["actual"] == "ill", frame["score"] >= 0.5, frame["site"] == "west"
    counted = {"recall": ill, "precision": flagged, "fall_out": ~ill, "error_rate": ill | ~ill}[by]
    bad = {"recall": ~flagged, "precision": ~ill, "fall_out": flagged, "error_rate": ill != flagged}[by]
    assert one.total == (counted & west).sum()
    # Numbers are of half of the rows, so they are near those of all.
    assert one.bad / one.rows == pytest.approx((bad & counted & west).sum() / one.total, abs=0.08)
    row = {name: column[0] for name, column in slices.table.items()}
    label, is_error = METRICS[by].label, METRICS[by].best == 0
    assert row[f"{label} held out"] == pytest.approx(one.bad / one.rows if is_error else 1 - one.bad / one.rows)
    assert row[f"{label} low"] < row[label] < row[f"{label} high"]
    assert (row[label] > row[f"{label} of all others"]) == is_error
    word = "higher" if is_error else "lower"
    assert by == "error_rate" or " of ill is " in slices.verdict
    assert f"is {word} in 1 slice" in slices.verdict


def test_a_click_keeps_the_rows_of_the_slice() -> None:
    random = np.random.default_rng(5)
    frame = worse_at(sex=random.choice(["f", "m"], ROWS)).astype({"sex": "str"})
    west = (frame["site"] == "west").to_numpy() & (frame["sex"] == "m").to_numpy()
    frame["score"] = np.where(west, frame["score"], np.where(frame["actual"] == "ill", 0.9, 0.1))
    data = data_of(frame)
    slices = sliced(scores_of(data))
    text = "~~".join(step.to_text() for step in slices.steps(slices.search.slices[0]))
    shaped = data.shaped(text)
    assert shaped.shape.filters == ("site west", "sex m")
    assert len(shaped) == west.sum() == slices.search.slices[0].total


def test_missing_values_are_a_slice() -> None:
    frame = worse_at(site="gone")
    frame["site"] = frame["site"].mask(frame["site"] == "gone")
    slices = sliced(scores_of(data_of(frame)))
    assert [slices.condition(one) for one in slices.search.slices] == ["site missing"]


def test_the_same_file_gives_the_same_slices_at_every_threshold_and_rows_in_another_order_do_too() -> None:
    frame = worse_at()
    one, two = (sliced(scores_of(data_of(frame))).search.slices[0] for _ in range(2))
    assert (one.parts, one.rows, one.p_value) == (two.parts, two.rows, two.p_value)
    assert sliced(scores_of(data_of(frame)), 0.3).search.slices[0].rows == one.rows
    other = sliced(scores_of(data_of(frame.sample(frac=1, random_state=3).reset_index(drop=True))))
    assert [other.condition(each) for each in other.search.slices] == ["site west"]


@pytest.mark.parametrize(
    ("threshold", "by", "said"),
    [
        (0.5, "error_rate", "error rate is 0.0"),
        (0.5, "recall", "of ill is 100.0"),
        (2.0, "recall", "of ill is 0.0"),
        (2.0, "precision", "precision of ill"),
    ],
)
def test_where_nothing_can_be_worse_a_sentence_says_why(threshold: float, by: str, said: str) -> None:
    scores = small_scores([1, 0] * 100, [0.9, 0.1] * 100, groups=["a", "b", "c", "d"] * 50)
    slices = sliced(scores, threshold, by)
    assert sentence_with(slices.verdict, said)
    assert slices.lines == []
    assert slices.table["slice"] == []


def test_without_other_columns_or_rows_it_says_what_it_needs() -> None:
    slices = sliced(scores_of("roc_20"))
    assert sentence_with(slices.verdict, "needs other columns")
    assert slices.note == ""
    few = sliced(small_scores([1, 0, 0, 1] * 5, [0.9, 0.1, 0.8, 0.2] * 5, groups=["a", "b"] * 10))
    assert few.verdict.startswith("This needs other columns")  # no value has enough rows
    assert sentence_with(few.note, "hardly vary: group")
    some = sliced(small_scores([1, 0, 0, 1] * 20, [0.9, 0.1, 0.8, 0.2] * 20, groups=["a", "b"] * 40), by="recall")
    assert sentence_with(some.verdict, "20", "compare")


def test_random_columns_have_no_slice_and_the_note_says_what_was_searched() -> None:
    random = np.random.default_rng(1)
    frame = worse_at(seed=2).assign(site=random.choice(["a", "b"], ROWS), id=random.permutation(ROWS))
    slices = sliced(scores_of(data_of(frame.astype({"site": "str"}))))
    assert sentence_with(slices.verdict, "no slice")
    assert sentence_with(plain_text(slices.note), "2", "searched")
    assert sentence_with(plain_text(slices.note), "hardly vary: id")


def test_weights_that_are_no_counts_make_rows_worth_less() -> None:
    weights = np.random.default_rng(3).lognormal(0, 1, ROWS)
    frame = worse_at(w=weights)
    slices = sliced(scores_of(data_of(frame, weight="w")))
    one = slices.search.slices[0]
    assert slices.condition(one) == "site west"
    assert one.total < 0.7 * (frame["site"] == "west").sum()
    assert sentence_with(slices.note, "Weights count")


def test_several_classes_and_merged_ones_have_slices() -> None:
    random = np.random.default_rng(6)
    actual, site = random.integers(0, 3, ROWS), random.choice(["a", "b", "c"], ROWS)
    predicted = np.where(random.random(ROWS) < np.where(site == "b", 0.4, 0.1), (actual + 1) % 3, actual)
    names = np.array(["cat", "dog", "hen"], dtype=object)
    frame = pd.DataFrame({"actual": names[actual], "predicted": names[predicted], "site": site}).astype("str")
    source = Source.of(DataSet.of(frame))
    for groups in ([], [("pet", "cat", "dog")]):
        table = ClassTable.of(source, "predicted", LabelPairs.of(source, "predicted"), groups)
        for name, by in ((table.classes[-1], "recall"), (table.classes[0], "error_rate")):
            slices = Slices(table, name, METRICS[by], search_slices(table, name, METRICS[by]))
            assert [slices.condition(one) for one in slices.search.slices] == ["site b"]
            exec(slices.code.replace("data = read_table('table.parquet')", ""), {"data": source.dataset})  # noqa: S102
    assert slices.search.slices[0].total == (site == "b").sum()


def test_the_python_finds_the_same_slices() -> None:
    source = Source.of(read_sample("digits_labels"), "even", "digits_labels")
    slices = sliced(Scores.of(source, "even"))
    assert slices.table["slice"] == ["digit 1"]
    assert "read_sample('digits_labels')" in slices.code
    exec(slices.code, {})  # noqa: S102


@pytest.mark.parametrize("name", NASTY)
def test_names_of_columns_and_values_stay_names(name: str) -> None:
    frame = worse_at(site=name, name=f"c {name}")
    slices = sliced(scores_of(data_of(frame)))
    assert len(slices.lines) == 1
    for text in (*slices.lines, slices.note):
        assert not any(mark in text for mark in ("<script", "](http", "http://", "$x^2$", ":smile:", ":red[x]"))
    step = slices.steps(slices.search.slices[0])[0]
    assert len(data_of(frame).shaped(step.to_text())) == slices.search.slices[0].total


def test_measures_are_shares_whose_best_value_is_known() -> None:
    assert all(find(key).best in (0, 1) and find(key).denominator for key in SLICE_MEASURES)
