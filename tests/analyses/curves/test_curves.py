"""Curves without a page: the table of systems, the ROC table, the operating point, formulas, requirements and code."""

import contextlib
import io
import math
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from evalcore.analyses import (
    Corner,
    CurveOverlays,
    CurveRanges,
    OperatingPoint,
    Requirement,
    RocPoints,
    RocTable,
    ScoreLine,
    Scores,
    ScoreTable,
    Source,
    analyse_confusion,
    area_note,
    class_averages,
    curve_notes,
    no_curve_because,
    resampled_values,
    score_formulas,
    score_values,
)
from evalcore.classification import corner_goal, measure_goal, partial_auc, partial_auc_over_recall
from evalcore.inference import delong
from evalcore.readers import read_sample, read_table
from evalcore.registry import METRICS, measures_of
from tests.words import facts, sentence_with

LOWER = "actual~actual~~score~nearest_neighbours~~positive~benign~~higher_is_positive~False"
SAMPLES = Path(__file__).parents[3] / "sample_data"


def scores_of(csv: str, roles: str | None = None) -> Scores:
    dataset = read_table(csv.encode(), "table.csv")
    source = Source.of(dataset if roles is None else dataset.with_roles(roles))
    return Scores.of(source, source.dataset.systems[0])


def sample(name: str, system: str | None = None, roles: str | None = None) -> Scores:
    dataset = read_sample(name)
    source = Source.of(dataset if roles is None else dataset.with_roles(roles), system)
    source = replace(source, detected_roles=dataset.roles)
    return Scores.of(source, system or source.dataset.systems[0])


def score_table(source: Source, ranges: CurveRanges | None = None) -> ScoreTable:
    ranges, lines = ranges or CurveRanges(), []
    for system in source.dataset.systems:
        state = source.dataset.scored(system)
        values = score_values(state) | (score_values(state, ranges.measures) if ranges.chosen else {})
        lines.append(ScoreLine(system, values, state.positives + state.negatives, state.positives))
    return ScoreTable(source, ranges, lines)


def words_of(scores: Scores, ranges: CurveRanges | None = None) -> str:
    return "\n".join(" ".join(line) for line in score_formulas(scores, ranges or CurveRanges()))


def printed_by(code: str, folder: Path) -> str:
    script = folder / "curves.py"
    for csv in SAMPLES.glob("*.csv"):
        if not (folder / csv.name).exists():
            (folder / csv.name).symlink_to(csv)
    script.write_text(code.replace("read_table('", f"read_table('{folder}/"), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(str(script))
    return printed.getvalue()


def test_the_twenty_instances_of_the_textbook() -> None:
    scores = sample("roc_20")
    assert score_values(scores.scored)["AUC"].estimate == 0.68
    words = words_of(scores)
    assert sentence_with(words, "68", "100")
    for area in ("Area under the precision–recall curve, interpolated**](", ") (AUPRC)", "recall-gain curve**]("):
        assert area in words
    point = OperatingPoint(scores, scores.starting_threshold)
    assert facts(point.verdict) == "60.0% 4 0.5 6 4 6 60.0% 40.0%"


def test_a_tied_pair_counts_half() -> None:
    tied = "14 of 25 pairs"
    assert tied in words_of(sample("roc_ties_10"))


@pytest.mark.parametrize(("label", "reason"), [("yes", "All 3 rows are yes"), ("no", "None of the 3")])
def test_one_class_only_has_no_curve_and_undefined_measures(label: str, reason: str) -> None:
    rows = "".join(f"{label},{score}\n" for score in (0.2, 0.4, 0.9))
    scores = scores_of(f"actual,score\nyes,\n{rows}", "actual~actual~~score~score~~positive~yes")
    assert no_curve_because(scores).startswith(reason)
    assert math.isnan(score_values(scores.scored)["AUC"].estimate)
    assert sentence_with(words_of(scores), "no actual")


def test_rows_left_out_and_narrow_intervals_are_said() -> None:
    scores = scores_of("actual,score\nyes,0.9\nno,0.1\nyes,\n,0.4\nno,0.3\n")
    assert sentence_with(curve_notes(scores), "2", "without")
    few = "".join(f"{int(row % 25 == 0)},{row % 17 / 17 + row / 1000!r}\n" for row in range(100))
    doubt = "intervals of the AUC"
    assert doubt in area_note(scores_of("actual,score\n" + few))
    assert area_note(sample("breast_cancer")) == ""


@pytest.mark.parametrize(("high", "low", "words"), [(9, 0, "correctly"), (0, 9, "the wrong way round")])
def test_a_perfect_order_has_an_exact_bound_in_place_of_an_interval(high: int, low: int, words: str) -> None:
    scores = scores_of("actual,score\n" + "".join(f"yes,{high}.{i}\nno,{low}.{i}\nno,{low}.{i}\n" for i in range(30)))
    bound = "at least 0.905" if high else "at most 0.095"
    assert f"ordered {words}" in area_note(scores)
    assert sentence_with(area_note(scores), "30", f"{bound}", "95%")
    assert math.isnan(score_values(scores.scored)["AUC"].low)


def test_the_plain_interval_of_the_area_stays_a_choice() -> None:
    scores = sample("breast_cancer")
    plain = score_values(scores.scored, area_method="plain")
    interval = delong(scores.scored, logit=False)
    assert (plain["AUC"].low, plain["AUC"].high) == (float(interval.low), float(interval.high))
    assert plain["AUC"].low != score_values(scores.scored)["AUC"].low
    assert "IntervalChoice(area='plain')" in OperatingPoint(scores, 0.5).code(plain, area_method="plain")


def test_the_table_of_systems_has_the_measures_of_each() -> None:
    table = score_table(sample("breast_cancer").current).table
    assert table["system"] == ["logistic_regression", "nearest_neighbours"]
    assert table["rows"] == [569, 569]
    assert table["Gini"] == pytest.approx([2 * auc - 1 for auc in table["AUC"]])
    assert "AP interval" not in table
    low, high = map(float, table["AUC interval"][0].split("–"))
    assert low < table["AUC"][0] < high


def test_the_partial_areas_are_those_of_the_ranges() -> None:
    ranges, scored = CurveRanges((0.1, 0.3), (0.8, 1.0)), sample("breast_cancer").scored
    scores = score_table(sample("breast_cancer").current, ranges)
    expected = {
        "pAUC": partial_auc(scored, 0.1, 0.3),
        "pAUC corrected": partial_auc(scored, 0.1, 0.3, corrected=True),
        "pAUC(TPR)": partial_auc_over_recall(scored, 0.8, 1),
    }
    assert {label: scores.table[label][0] for label in expected} == expected
    rows = read_sample("breast_cancer").scored_arrays("logistic_regression")
    truth, values = (~np.asarray(rows.labels, dtype=bool)).astype(int), -np.asarray(rows.scores)
    # Classes and direction turned round, recall is the specificity: scikit-learn has a partial area over that.
    corrected = roc_auc_score(truth, values, max_fpr=1 - 0.8)
    assert scores.table["pAUC(TPR) corrected"][0] == pytest.approx(corrected, rel=1e-9)
    assert facts(scores.notes) == "0.100 0.300 0.800 1.000"
    assert r"\int_{0.800}^{1.000} (1 - FPR) \, dTPR" in words_of(sample("breast_cancer"), ranges)


def test_measures_without_a_closed_form_are_resampled() -> None:
    values = resampled_values(sample("breast_cancer").scored, CurveRanges(fpr=(0.0, 0.2)))
    closed = {measure.label for measure in measures_of("scores") if measure.interval == "delong"}
    assert {measure.label for measure in measures_of("scores")} - closed <= set(values)
    assert {"AP", "pAUC", "pAUC corrected"} <= set(values)
    for value in values.values():
        assert value.low <= value.estimate <= value.high
        assert value.high - value.low < 0.1


def test_classes_have_a_micro_and_a_macro_average() -> None:
    source = sample("digits_probabilities").current
    lines = score_table(source).lines
    micro, macro = class_averages([source.dataset.scored(name) for name in source.dataset.systems], lines)
    assert macro.values["AUC"].estimate == pytest.approx(np.mean([line.values["AUC"].estimate for line in lines]))
    found = source.dataset.probability_arrays()
    truth = np.asarray(found.actual)[:, None] == np.arange(10)
    expected = roc_auc_score(truth.ravel(), np.asarray(found.probabilities).ravel())
    assert micro.values["AUC"].estimate == pytest.approx(expected)


def test_systems_on_different_rows_are_not_ranked() -> None:
    rows = "actual,a,b\ny,0.6,0.25\nn,0.5,\ny,0.45,0.1\nn,0.3,0.4\ny,0.2,\nn,0.1,0.3\n"
    apart, same = (score_table(scores_of(csv).current) for csv in (rows, rows.replace(",\n", ",0.5\n")))
    assert sentence_with(apart.notes, "different rows")
    assert (apart.different_rows, same.different_rows, same.notes) == (True, False, "")
    weighted = score_table(scores_of("actual,score,weight\nyes,0.9,2\nno,0.1,1\nyes,0.3,1\nno,0.4,3\n").current)
    assert sentence_with(weighted.notes, "weighted by weight")


def test_the_roc_table_marks_the_best_the_tied_and_the_current_threshold() -> None:
    found = RocTable.of(sample("roc_20"), corner_goal(), 0.395)
    table = {name: np.array(column) for name, column in found.table.items()}
    assert len(table["mark"]) == 21
    assert table["threshold"][np.char.find(table["mark"], "current") >= 0].tolist() == [0.4]
    # Two thresholds are equally near to the corner; the one with fewer errors is the best of them, 0.4 is current.
    assert table["threshold"][np.isin(table["mark"], ["best", "current, as good"])].tolist() == [0.51, 0.4]
    assert found.verdict.endswith("tied with 1 other.")
    assert found.notes == "All 21 thresholds that make a difference."


def test_the_roc_table_of_the_twenty_instances_is_that_of_the_textbook() -> None:
    table = RocTable.of(sample("roc_20"), measure_goal(METRICS["accuracy"]), 0.54).table
    tp = [1, 2, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10]
    fp = [0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10]
    accuracy = [55, 60, 55, 60, 65, 70, 65, 60, 65, 60, 65, 60, 65, 60, 55, 50, 55, 50, 55, 50]
    assert table["TP"][1:].tolist() == tp
    assert table["FP"][1:].tolist() == fp
    assert table["FN"][1:].tolist() == [10 - hits for hits in tp]
    assert table["TN"][1:].tolist() == [10 - alarms for alarms in fp]
    assert (100 * table["TPR"][1:]).round(9).tolist() == [10 * hits for hits in tp]
    assert (100 * table["FPR"][1:]).round(9).tolist() == [10 * alarms for alarms in fp]
    assert (100 * table["accuracy"][1:]).round(9).tolist() == accuracy
    assert table["threshold"][table["mark"].index("current, best")] == 0.54
    assert "".join(table["class"]) == "PPNPPPNNPNPNPNNNPNPN"


@pytest.mark.parametrize("higher", [True, False])
def test_each_row_of_the_roc_table_names_the_actual_class_of_its_rows(higher: bool) -> None:
    roles = f"actual~actual~~score~score~~positive~yes~~higher_is_positive~{higher}"
    table = RocTable.whole(scores_of("actual,score\nyes,3\nno,2\nyes,2\nno,2\nno,1\n", roles)).table
    classes = dict(zip(table["threshold"].tolist(), table["class"], strict=True))
    assert classes == {math.inf if higher else -math.inf: "", 3: "yes", 2: "yes, no (×2)", 1: "no"}


def test_a_thinned_roc_table_names_the_class_of_its_own_rows() -> None:
    rows = "".join(f"{'yes' if place % 3 else 'no'},{place}\n" for place in range(5_000))
    table = RocTable.of(scores_of("actual,score\n" + rows), corner_goal(), 4321).table
    shown = zip(table["threshold"].tolist(), table["class"], strict=True)
    assert all(name == ("yes" if threshold % 3 else "no") for threshold, name in shown if math.isfinite(threshold))


def test_a_long_roc_table_is_thinned_and_says_so() -> None:
    rows = "".join(f"{'yes' if place % 3 else 'no'},{place}\n" for place in range(5_000))
    scores = scores_of("actual,score\n" + rows)
    found = RocTable.of(scores, corner_goal(), 4321)
    assert len(found.rows) < 2_010
    assert found.table["threshold"][[mark.startswith("current") for mark in found.table["mark"]].index(True)] == 4321
    assert sentence_with(found.notes, "5001", "thresholds")
    assert len(RocTable.whole(scores).rows) == 5_001


def test_a_requirement_is_met_by_a_threshold_or_said_to_be_out_of_reach() -> None:
    threshold, sentence = Requirement("out", "sensitivity", 0.95).best_threshold(sample("breast_cancer"))
    assert threshold < 0.5
    assert sentence_with(sentence, "0.95", "sensitivity")
    assert sentence_with(sentence, "too few rows", "95.3%", "91.5", "97.4%", "95%")
    none = scores_of("actual,score\nyes,1\nno,1\nno,2\nyes,0\n", "actual~actual~~score~score~~positive~yes")
    assert Requirement("in", "PPV", 0.9).best_threshold(none) == (
        None,
        "**Rule in: PPV ≥ 0.9**: no threshold reaches it.",
    )


@pytest.mark.parametrize("share", [None, 0.25])
def test_both_pages_say_the_same_of_ruling_in_and_out(share: float | None) -> None:
    source = Source.of(read_sample("cancer_test"))
    points = RocPoints.of(source)
    out, into = analyse_confusion(source.dataset.counts(source.system), share=share).rulings
    assert f"{out.clause}; {into.clause}." in points.verdict(share=share)
    assert "rules in" not in points.verdict([Requirement("in", "specificity", 0.9)], share)


def test_what_is_drawn_over_the_curves_is_named() -> None:
    costs = tuple({"fn_cost": 5, "fp_cost": 1, "tp_cost": 0, "tn_cost": 0}.items())
    notes = CurveOverlays(band="pointwise", contours="cost", arguments=costs, share=0.02).notes
    assert sentence_with(notes[0], "5", "1", "0", "2.0%")
    assert facts(notes[1]) == "95 100"


def test_the_corner_holds_the_bends_of_near_perfect_curves() -> None:
    first, second = sample("breast_cancer"), sample("breast_cancer", "nearest_neighbours")
    # Recall 0.95 costs 8 of 357 false alarms, and three times as many are 6.7 %; the second system pays 17.
    corner = Corner.of([first])
    assert corner.parts == {"roc": ((0.0, 0.1), (0.8, 1.0)), "pr": ((0.8, 1.0), (0.8, 1.0))}
    both = Corner.of([first, second])
    assert both.parts == {"roc": ((0.0, 0.2), (0.8, 1.0)), "pr": ((0.8, 1.0), (0.7, 1.0))}
    assert both.text("roc") == "zoomed: false positive rate ≤ 20\u202f%"
    assert both.holds(first.counts_at(0.5))
    for threshold in (math.inf, 1.0, 0.0):  # nothing, few and all are positive
        assert not both.holds(first.counts_at(threshold))
    # Where positives are rare, precision falls over the whole axis, which stays as it is.
    assert set(Corner.of([sample("shot_detection")]).parts) == {"roc"}


def test_no_corner_hides_a_weak_system_or_shows_a_line_along_the_axes() -> None:
    assert Corner.of([sample("rare_digit")]) is not None
    assert Corner.of([sample("rare_digit"), sample("rare_digit", "oversampled")]) is None  # AUC 0.968
    assert Corner.of([sample("leak")]) is None  # AUC 1
    assert Corner.of([scores_of("actual,score\nill,1\nill,2\n", "actual~actual~~score~score~~positive~ill")]) is None
    assert Corner.of([]) is None


def test_counts_are_points_and_the_one_below_the_diagonal_is_inverted(tmp_path: Path) -> None:
    points = RocPoints.of(Source.of(read_sample("four_methods")))
    verdict = points.verdict().replace("\u202f", " ")
    assert sentence_with(verdict, "better", "diagonal")
    assert sentence_with(verdict, "93.3%", "85.3", "97.1%")
    assert sentence_with(verdict, "75.0%", "can't rule out")
    least = [Requirement("out", "NPV", 0.85), Requirement("in", "PPV", 0.8)]
    verdict = points.verdict(least).replace("\u202f", " ")
    assert sentence_with(verdict, "**A** rules out", "93.3 %", "85.3", "97.1 %", "85 %")
    assert sentence_with(verdict, "**D**", "rules in", "92.3 %", "83.2", "96.7 %", "80 %")
    assert [one.words for one in points.regions(least)] == ["rule out: NPV ≥ 0.85", "rule in: PPV ≥ 0.8"]
    assert points.table["system"] == ["A", "B", "not B", "C", "D"]
    assert points.table["Recall"] == [0.95, 0.4, 0.6, 0.9, 0.6]
    assert "B is better inverted: 0.2 0.6" in printed_by(points.code, tmp_path)
    classes = RocPoints.of(Source.of(read_sample("woman_man_child")))
    printed_by(classes.code, tmp_path)


@pytest.mark.parametrize(
    "scores",
    [
        sample("breast_cancer"),
        sample("breast_cancer", roles=LOWER),
        sample("digits_probabilities"),
        sample("roc_ties_10"),
    ],
)
def test_the_code_asserts_the_numbers_of_the_page(scores: Scores, tmp_path: Path) -> None:
    ranges = CurveRanges((0.1, 0.25), (0.4, 1.0))
    values = score_values(scores.scored) | score_values(scores.scored, ranges.measures)
    code = OperatingPoint(scores, 0.5).code(values, ranges)
    assert float(printed_by(code, tmp_path).split()[1]) == values["AUC"].estimate
    for value in values.values():
        assert repr(float(value.estimate)) in code
    with pytest.raises(AssertionError):
        printed_by(code.replace("'ks_statistic': ", "'ks_statistic': 1e-3 + "), tmp_path)
