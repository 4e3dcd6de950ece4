"""What the verdict on two systems may say: equal rankings, and no Yes at the price of another rate."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, find
from evalcore.analyses import (
    SampleComparison,
    Source,
    SystemComparison,
    answer,
    compare_samples,
    compare_systems,
    difference_sides,
)
from evalcore.inference import holm
from evalcore.readers import DataSet
from tests.analyses.systems import sample, scored
from tests.words import sentence_with


def verdict(comparison: SystemComparison | SampleComparison) -> str:
    return comparison.verdict.replace("\u202f", " ")


@pytest.mark.parametrize(
    ("side", "words", "told"),
    [
        (1, {"lead": "+2.0"}, "B is better by recall: +2.0."),
        (-1, {"lead": "+2.0"}, "A is better by recall: +2.0."),
        (0, {}, "No clear winner by recall: the difference could be chance."),
        (-1, {"falls": "precision"}, "No clear winner: A is better by recall, but worse by precision."),
    ],
)
def test_the_answer_names_the_better_system(side: int, words: dict, told: str) -> None:
    assert answer(side, ("A", "B"), "recall", **words) == told


@pytest.mark.parametrize(
    ("measure", "ab", "ba", "by"),
    [("recall", 0.033, -0.033, "+3.3 pt"), ("miss rate", -0.033, 0.033, "−3.3 pt"), ("LR-", 0.7328, 1.3646, "×0.733")],
)
def test_the_headline_says_by_how_much_the_better_one_leads_whichever_is_b(
    measure: str, ab: float, ba: float, by: str
) -> None:
    one = compare_systems(sample("breast_cancer"), measure=find(measure))
    turned = compare_systems(sample("breast_cancer"), one.b, one.a, measure=find(measure))
    assert (one.difference.estimate, turned.difference.estimate) == pytest.approx((ab, ba), abs=5e-4)
    for comparison in (one, turned):
        headline, reasons = verdict(comparison).split("**  \n")
        assert headline.startswith("**nearest&#95;neighbours is better by ")
        assert headline.endswith(f": {by}.")
        assert f"**{comparison.difference.text}**".replace("\u202f", " ") in reasons


@pytest.mark.parametrize("correction", ["holm", "none"])
def test_dots_are_filled_where_the_verdict_and_the_table_find_more_than_chance(correction: str) -> None:
    """Recall, NPV, balanced accuracy and F1 differ by intervals that exclude 0; none of them after the correction."""
    comparison = compare_systems(sample("breast_cancer"), correction=correction)
    corrected = {one.measure.key: one.p for one in comparison.all_differences}
    filled = {one.measure.key for one in comparison.main_differences if one.beyond_chance(0.95)}
    assert filled == {
        one.measure.key for one in comparison.main_differences if corrected.get(one.measure.key, 1) <= 0.05
    }
    assert (len(filled) == 4) == (correction == "none")
    assert {one.measure.key for one in comparison.main_differences if one.low > 0} == {
        "recall", "negative_predictive_value", "balanced_accuracy", "f_beta"
    }  # fmt: skip
    by_recall = compare_systems(sample("breast_cancer"), measure=find("recall"))
    drawn = {one.measure.key: one for one in by_recall.main_differences}
    assert drawn["recall"].p == by_recall.difference.p <= 0.05 < corrected["recall"] or correction == "none"
    assert drawn["roc_auc"].p >= drawn["roc_auc"].test.p_value


def test_the_answer_is_written_in_one_place() -> None:
    """So all pages that compare say it alike, and a word of it changes once."""
    files = sorted((Path(__file__).parents[3] / "evalcore" / "analyses").rglob("*.py"))
    for words in ("]} is better by", ": the difference could be chance.", "No clear winner: "):
        assert [file.name for file in files if words in file.read_text("utf-8")] == ["paired_comparison.py"]


def test_the_same_ranking_on_another_scale_is_no_better_system() -> None:
    """Cut at ½, the square root of a score finds many more; it ranks no row better."""
    source = scored(root=lambda labels, random, frame: np.sqrt(frame["new"]))
    assert sentence_with(verdict(compare_systems(source, "new", "root")), "new and root")
    by_recall = compare_systems(source, "new", "root", measure=find("recall"))
    assert by_recall.difference.better(0.95) == 1
    assert sentence_with(verdict(by_recall), "new and root")
    assert sentence_with(verdict(by_recall), "scales")
    assert sentence_with(verdict(by_recall), "as many as A")
    flagged = compare_systems(source, "new", "root", measure=find("recall"), cut="flagged")
    assert "exactly 0" in verdict(flagged)


def test_the_verdict_on_scores_goes_by_their_area_unless_chosen_otherwise() -> None:
    assert compare_systems(scored()).measure.key == "roc_auc"
    assert compare_systems(sample("digits")).measure.key == "overall_accuracy"
    assert "by AUC" in verdict(compare_systems(scored()))


@pytest.mark.parametrize(("a", "b"), [("new", "lax"), ("lax", "new")])
def test_no_yes_where_another_rate_falls_significantly(a: str, b: str) -> None:
    """Flagging more finds more, at the price of specificity: which is better depends on the costs."""
    source = scored(lax=lambda labels, random, frame: np.clip(frame["new"] + random.random(400) / 2, 0, 1))
    words = verdict(compare_systems(source, a, b, measure=find("recall"), cut="page"))
    assert words.startswith(
        "**No clear winner: lax is better by recall, but worse by specificity, precision and accuracy.**"
    )
    assert "Specificity: B minus A" in words


def test_a_rate_opposes_by_the_p_of_the_table() -> None:
    """Specificity falls with p = 0.03, which the correction for all measures of the table does not bear out."""
    frame = pd.DataFrame({"system": ["a", "b"], "TP": [40, 80], "FP": [10, 22], "FN": [60, 20], "TN": [190, 178]})
    data = DataSet.of(frame)
    of_counts = {
        correction: compare_samples(Source.of(data, "a"), Source.of(data, "b"), correction=correction)
        for correction in ("holm", "none")
    }
    assert verdict(of_counts["none"]).startswith("**No clear winner: b is better by recall, but worse by specif")
    assert verdict(of_counts["holm"]).startswith("**b is better by recall: +40.0 pt.**")
    (specificity,) = (one for one in of_counts["holm"].all_differences if one.measure.key == "specificity")
    assert specificity.test.p_value < 0.05 < specificity.corrected
    random = np.random.default_rng(3)
    actual = np.repeat([1, 0], [100, 200])
    answers = {"one": np.repeat([1, 0, 1, 0], [40, 60, 10, 190]), "two": np.repeat([1, 0, 1, 0], [80, 20, 16, 184])}
    order = random.permutation(300)
    source = Source.of(DataSet.of(pd.DataFrame({"actual": actual, **answers}).iloc[order]))
    paired = compare_systems(source, "one", "two", measure=find("recall"))
    assert "but worse by specificity" not in verdict(paired)
    assert "but worse by specificity" in verdict(replace(paired, correction="none"))


@pytest.mark.parametrize(("a", "b"), [("common", "rare"), ("rare", "common")])
def test_no_yes_where_the_recall_of_a_class_falls_significantly(a: str, b: str) -> None:
    """More rows are right overall, and fewer of the rows of two small classes."""
    random, n = np.random.default_rng(3), 3000
    actual = random.choice(list("abcde"), n, p=[0.35, 0.3, 0.25, 0.05, 0.05])
    chances = {"rare": dict.fromkeys("abcde", 0.7), "common": dict.fromkeys("abc", 0.9) | dict.fromkeys("de", 0.2)}
    frame = pd.DataFrame({"actual": actual})
    for system, of_class in chances.items():
        is_right = random.random(n) < np.array([of_class[name] for name in actual])
        frame[system] = np.where(is_right, actual, random.choice(list("abcde"), n))
    comparison = compare_systems(Source.of(DataSet.of(frame)), a, b)
    words = verdict(comparison)
    headline = "common is better by overall accuracy, but worse by the recall of d and e."
    assert words.startswith(f"**No clear winner: {headline}**")
    falls = {one.heading: one for one in comparison.opposing}
    text = falls["d"].text.replace("\u202f", " ")
    assert sentence_with(words, f"{text}", "0.001")
    for name, one in zip(comparison.rows.classes, comparison.class_differences, strict=True):
        rows = frame[frame["actual"] == name]
        assert one.value_a == pytest.approx((rows[a] == name).mean())
        assert one.estimate == pytest.approx(one.value_b - one.value_a)
    corrected = holm([one.test.p_value for one in comparison.class_differences])
    assert [one.p for one in comparison.class_differences] == corrected.tolist()


def test_the_sides_of_a_picture_say_better_or_worse_by_the_direction_of_the_measure() -> None:
    assert difference_sides([METRICS["recall"], METRICS["roc_auc"]]) == ("B worse", "B better")
    assert difference_sides([METRICS["miss_rate"]]) == ("B better", "B worse")
    assert difference_sides([METRICS["recall"], METRICS["miss_rate"]]) == ("B lower", "B higher")
    assert difference_sides([METRICS["predicted_prevalence"]]) == ("B lower", "B higher")
    assert difference_sides([METRICS["recall"]], "", " than A") == ("worse than A", "better than A")
