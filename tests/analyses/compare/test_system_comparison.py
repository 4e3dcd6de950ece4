"""Two systems on the same rows: the verdict, the tests behind it, the rows, and files that are awkward."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, find
from evalcore.analyses import (
    Disagreement,
    Source,
    SystemComparison,
    compare_systems,
    difference_rows,
    have_one_scale,
    system_name,
)
from evalcore.analyses.data.label_pairs import order_alike
from evalcore.inference import PairedCounts, compare_auc, holm, mcnemar
from evalcore.readers import DataSet, ReadProblem, read_sample
from evalcore.wording import html_table
from tests.analyses.systems import sample, scored, source_of
from tests.words import facts, sentence_with


def verdict(comparison: SystemComparison) -> str:
    return comparison.verdict.replace("\u202f", " ")


def copied(labels: np.ndarray, random: Any, frame: pd.DataFrame) -> pd.Series:
    return frame["new"]


def with_holes(labels: np.ndarray, random: Any, frame: pd.DataFrame) -> pd.Series:
    return frame["new"].where(random.random(len(frame)) > 0.25)


def test_the_verdict_says_what_b_finds_what_it_costs_and_whether_that_is_chance() -> None:
    data = read_sample("breast_cancer")
    a, b = data.scored_arrays("logistic_regression"), data.scored_arrays("nearest_neighbours")
    paired = PairedCounts.from_labels(a.labels, a.scores >= 0.5, b.scores >= 0.5)
    test = mcnemar((a.scores >= 0.5)[a.labels], (b.scores >= 0.5)[a.labels])
    more, alarms = paired.b.tp - paired.a.tp, paired.b.fp - paired.a.fp
    comparison = compare_systems(sample("breast_cancer"), measure=find("recall"))
    words = verdict(comparison)
    assert words.startswith("**nearest&#95;neighbours is better by recall: +3.3 pt.**")
    assert f"finds {more:.0f} more of the 212 malignant and raises {alarms:.0f} more false alarm." in words
    assert f"**p = {test.p_value:.3f}**" in words
    assert "+3.3 pt** (95 % interval +1.5 to +6.7)" in words
    assert comparison.rows_note.startswith("On 569 tumours with a label and both predictions.")
    assert "Predicted malignant at scores ≥ 0.5." in comparison.rows_note


def test_swapped_the_difference_is_turned() -> None:
    words = verdict(
        compare_systems(sample("breast_cancer"), "nearest_neighbours", "logistic_regression", measure=METRICS["recall"])
    )
    assert "fewer of the 212 malignant" in words
    assert "−3.3 pt" in words


def test_each_cut_calls_what_it_says() -> None:
    source = scored()
    assert "scores ≥ 0.4." in compare_systems(source, threshold=0.4).rows_note
    flagged = compare_systems(source, threshold=0.4, cut="flagged", measure=find("predicted prevalence"))
    assert -0.01 < flagged.difference.estimate <= 0
    note = compare_systems(source, threshold=0.9, cut="flagged").rows_note
    assert "ill at scores ≥ 0.9 (A) and ≥" in note
    assert sentence_with(compare_systems(source, cut="youden").rows_note, "flatters both")


def test_scores_on_other_scales_are_not_cut_at_one_threshold() -> None:
    source = scored(wide=lambda labels, random, frame: 100 * frame["new"] - 20)
    assert not have_one_scale(source, ("old", "wide"))
    assert compare_systems(source, "old", "wide").cut == "flagged"
    assert compare_systems(source, "old", "new").cut == "page"


def test_the_areas_are_compared_by_delong() -> None:
    data = read_sample("breast_cancer")
    a, b = data.scored_arrays("logistic_regression"), data.scored_arrays("nearest_neighbours")
    expected = compare_auc(a.labels, a.scores, b.scores)
    comparison = compare_systems(sample("breast_cancer"), measure=find("AUC"))
    assert f"**p = {expected.p_value:.3f}**" in verdict(comparison)
    table = pd.DataFrame(comparison.table).set_index("measure")
    assert table.loc["Area under the ROC curve", "difference"] == expected.estimate
    assert table.loc["Area under the ROC curve", "p"] == expected.p_value
    assert 0 < table.loc["Average precision", "p"] <= 1


def test_the_two_by_two_table_and_the_rows_behind_it_are_the_same_rows() -> None:
    data = read_sample("breast_cancer")
    a, b = data.scored_arrays("logistic_regression"), data.scored_arrays("nearest_neighbours")
    right_a, right_b = (a.scores >= 0.5) == a.labels, (b.scores >= 0.5) == a.labels
    disagreement = Disagreement(compare_systems(sample("breast_cancer")))
    assert disagreement.rows("b").tolist() == np.flatnonzero(right_b & ~right_a).tolist()
    assert disagreement.counts[2] == (right_b & ~right_a).sum()
    assert disagreement.cells[1][1].text == f"{(right_b & ~right_a).sum()}"
    assert disagreement.rows("a").tolist() == np.flatnonzero(right_a & ~right_b).tolist()
    among = Disagreement(disagreement.comparison, "positive")
    assert set(data.frame["actual"].iloc[among.rows("b")]) == {"malignant"}
    assert facts(among.selection("b").title) == "7 569"


@pytest.mark.parametrize("by", ["recall", "AUC", "average precision", "MCC"])
def test_a_copy_is_said_to_be_identical(by: str) -> None:
    words = verdict(compare_systems(scored(copy=copied), "new", "copy", measure=find(by)))
    assert sentence_with(words, "new and copy")
    assert "exactly 0, p = 1" in words


def test_scores_may_be_farther_apart_than_a_number_can_say() -> None:
    source = scored(far=lambda labels, random, frame: 1e308 * np.cos(np.arange(len(frame))))
    assert not order_alike(source, "old", "far")


def test_equal_areas_of_other_rankings_are_not_called_identical() -> None:
    # Both have three of four pairs right, but not the same three.
    source = source_of("actual,first,second\np,1.0,0.5\nn,0.75,0.25\np,0.5,1.0\nn,0.25,0.75\n")
    words = verdict(compare_systems(source, measure=find("AUC")))
    assert "identical" not in words
    assert "No difference: both have the same AUC." in words


def test_a_constant_system_is_compared_too() -> None:
    source = scored(constant=lambda labels, random, frame: 0.2)
    words = verdict(compare_systems(source, "old", "constant", measure=find("precision")))
    assert "cannot tell them apart" in words
    assert "nothing was predicted positive" in words
    by_recall = compare_systems(source, "old", "constant", measure=find("recall"))
    assert "No clear winner: old is better by recall, but worse by specificity" in verdict(by_recall)


def test_two_infinite_values_are_not_called_undefined() -> None:
    """Without a true negative both negative likelihood ratios are infinite: they are there, their difference is not."""
    source = source_of("actual,a,b\n" + "yes,0.9,0.9\nyes,0.8,0.2\nyes,0.3,0.7\nno,0.6,0.7\n" * 5)
    (ratio,) = compare_systems(source).differences([METRICS["negative_likelihood_ratio"]])
    assert ratio.values == ("∞", "∞")
    assert ratio.undefined == "infinite for both"


def test_systems_are_compared_on_the_rows_that_both_have() -> None:
    source = scored(holes=with_holes)
    frame = source.frame
    both, ill = int(frame["holes"].notna().sum()), frame["actual"] == "ill"
    comparison = compare_systems(source, "old", "holes", measure=find("recall"))
    assert comparison.rows_note.startswith(f"On {both} rows with a label and both predictions, {400 - both} left out.")
    assert f"of {both} rows" in Disagreement(comparison).verdict
    # Another two that lack nothing are not made to lack them; the verdict and the table of all say the same.
    comparison = compare_systems(source, "old", "new", measure=find("recall"))
    assert "On 400 rows" in comparison.rows_note
    assert comparison.systems_table["n"] == [ill.sum(), (ill & frame["holes"].notna()).sum()]
    assert sentence_with(comparison.systems_note, f"{both}", "common")
    assert comparison.systems_table["corrected p"][0] == comparison.difference.p


def test_systems_that_share_no_row_have_nothing_to_compare() -> None:
    rows = [("yes", 0.9, ""), ("no", 0.2, ""), ("yes", "", 0.8), ("no", "", 0.3)]
    source = source_of("actual,old,new\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    comparison = compare_systems(source)
    assert "Nothing to compare." in verdict(comparison)
    assert "On 0 rows" in comparison.rows_note
    assert len(comparison.table["measure"]) > 20
    assert sentence_with(Disagreement(comparison).verdict, "no such rows")
    assert all(len(Disagreement(comparison).rows(kind)) == 0 for kind in ("a", "b", "neither", "both"))


def test_many_systems_are_corrected_for_how_many_they_are() -> None:
    source = scored(third=lambda labels, random, frame: np.clip(frame["new"] + random.normal(0, 0.05, 400), 0, 1))
    every = compare_systems(source, measure=find("accuracy"), all_pairs=True)
    assert every.systems_table["corrected p"] == pytest.approx(holm(every.systems_table["p"]).tolist())
    assert len(every.systems_table["p"]) == 3
    assert "Holm-corrected for 3 comparisons" in verdict(every)
    assert ", each pair on the 400 rows" in every.systems_note
    against = compare_systems(source, measure=find("accuracy"), correction="none")
    assert len(against.systems_table["p"]) == 2
    assert "uncorrected for 2 comparisons" in verdict(against)
    assert ", each against old on the 400 rows" in against.systems_note


def test_of_two_hundred_systems_twelve_are_compared_and_the_chosen_ones_first() -> None:
    random = np.random.default_rng(0)
    labels = random.random(120) < 0.4
    columns = {f"s{i}": (random.random(120) + 0.2 * labels) / 1.2 for i in range(200)}
    source = source_of(pd.DataFrame({"actual": labels.astype(int), **columns}))
    comparison = compare_systems(source, "s150", "s199")
    assert sentence_with(comparison.systems_note, "12", "200")
    assert comparison.systems_table["B"][:2] == ["s199", "s0"]
    slow = compare_systems(source, "s150", "s199", measure=find("average precision"))
    assert sentence_with(slow.systems_note, "6", "200")


def test_few_rows_have_the_known_coverage_of_their_intervals_said() -> None:
    comparison = compare_systems(scored(n=60), measure=find("recall"))
    assert sentence_with(comparison.coverage_note(comparison.measure), "wider")
    assert compare_systems(sample("breast_cancer")).coverage_note(METRICS["recall"]) == ""


def test_several_classes_all_at_once_or_one_against_the_rest() -> None:
    data = read_sample("digits")
    a, b = data.label_arrays("logistic_regression"), data.label_arrays("naive_bayes")
    only_a = int(((a.predicted == a.actual) & (b.predicted != a.actual)).sum())
    comparison = compare_systems(sample("digits"))
    assert f"only logistic&#95;regression on {only_a}" in verdict(comparison)
    disagreement = Disagreement(comparison)
    assert sentence_with(disagreement.symmetry, "262", "9")
    assert len(disagreement.classes["class"]) == 10
    assert "of the 183 rows that are “3”" in verdict(compare_systems(sample("digits"), target="3"))


def test_labels_of_two_classes_and_rows_with_weights_or_without_a_label() -> None:
    rows = [("yes", "yes", "no", 2), ("no", "no", "no", 1), ("yes", "yes", "yes", 3), ("", "no", "no", 1)]
    csv = "actual,predicted_a,predicted_b,weight\n" + "".join(",".join(map(str, row)) + "\n" for row in rows * 5)
    comparison = compare_systems(source_of(csv))
    assert "finds 10 fewer of the 25 rows that are “yes”" in verdict(comparison)
    assert "5 left out" in comparison.rows_note
    assert sentence_with(comparison.rows_note, "weighted by weight")


@pytest.mark.parametrize("label", ["1", "0"])
def test_rows_of_one_class_only(label: str) -> None:
    csv = "actual,predicted_a,predicted_b\n" + "".join(f"{label},{i % 2},{i % 3 % 2}\n" for i in range(30))
    assert sentence_with(verdict(compare_systems(source_of(csv))), f"{label}", "label")


@pytest.mark.parametrize(
    ("data", "settings"),
    [
        ("breast_cancer", {"measure": "recall"}),
        ("breast_cancer", {"measure": "f_beta", "cut": "youden", "level": 0.9}),
        ("breast_cancer", {"measure": "roc_auc"}),
        ("breast_cancer", {"measure": "average_precision", "cut": "flagged"}),
        ("digits", {}),
        ("digits", {"measure": "macro_f1"}),
        ("digits", {"measure": "multiclass_kappa", "a": "naive_bayes", "b": "logistic_regression"}),
        ("digits", {"target": "8", "measure": "precision"}),
        ("oracle_false", {"measure": "accuracy"}),
    ],
)
def test_the_python_gives_the_same_numbers(data: str, settings: dict, tmp_path: Path) -> None:
    measure = METRICS[settings["measure"]] if "measure" in settings else None
    comparison = compare_systems(sample(data), **{**settings, "measure": measure})
    script = tmp_path / "compare.py"
    script.write_text(comparison.code, encoding="utf-8")
    assert runpy.run_path(str(script))["comparison"].a == comparison.a


def test_probabilities_beside_a_stated_prediction() -> None:
    random = np.random.default_rng(2)
    actual = random.choice(["cat", "dog", "hen"], 90)
    p = random.dirichlet([1, 1, 1], 90)
    p[np.arange(90), [["cat", "dog", "hen"].index(x) for x in actual]] += 0.5
    p /= p.sum(axis=1, keepdims=True)
    stated = np.where(random.random(90) < 0.5, actual, "cat")
    frame = pd.DataFrame({"actual": actual, "p_cat": p[:, 0], "p_dog": p[:, 1], "p_hen": p[:, 2], "predicted": stated})
    right = (np.array(["cat", "dog", "hen"])[p.argmax(axis=1)] == actual) & (stated != actual)
    assert f"only most probable on {right.sum()}" in verdict(compare_systems(source_of(frame)))


def test_who_is_better_stands_beside_the_p_that_says_so() -> None:
    comparison = compare_systems(sample("breast_cancer"))
    heads, rows = difference_rows(comparison.area_differences, 0.95, corrected=False)
    assert '<td class="a">0.050 · A</td><td>569</td>' in html_table(heads, rows)
    assert [row.kind for row in rows] == [""] * len(rows)  # and no heading without words
    table = difference_rows(compare_systems(sample("digits")).all_differences, 0.95, corrected=True)
    assert '<td class="a">&lt; 0.001 · A</td>' in html_table(*table)


def test_the_formulas_hold_the_numbers_of_both_systems() -> None:
    formulas = compare_systems(sample("breast_cancer"), measure=find("recall")).formulas
    assert r"\frac{8 - 2}{569}" in formulas
    assert f"[**Recall**](measures?measure=recall) of {system_name('nearest_neighbours')}" in formulas
    assert r"\frac{193}{193 + 19}" in formulas


def test_the_main_differences_hold_the_chosen_measure() -> None:
    names = [one.measure.key for one in compare_systems(sample("breast_cancer"), measure=find("KS")).main_differences]
    assert names[0] == "ks_statistic"
    assert "roc_auc" in names


def test_a_data_set_of_one_system_cannot_be_compared() -> None:
    data = DataSet.of(pd.DataFrame({"actual": ["a", "b"], "score": [0.1, 0.9]}))
    with pytest.raises(ReadProblem, match="needs two systems"):
        compare_systems(Source.of(data))
