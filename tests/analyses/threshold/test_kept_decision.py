"""A kept decision comes back from its text, and says whether its numbers hold on other data."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.analyses import DecisionCheck, DecisionRecord, KeptDecision, Scores, best_threshold, promise_limits
from evalcore.classification import Limit, measure_goal
from evalcore.inference import Interval, compare_shares, wilson
from evalcore.readers import DataSet, ReadProblem
from tests.analyses.small_scores import scores_of
from tests.words import facts, sentence_with

ROOT = Path(__file__).parents[3]
SAVED = "2026-11-23T10:20Z"


def sample(found: int, missed: int, alarms: int = 10, dismissed: int = 90, name: str = "x.csv", **columns) -> Scores:
    """Scores of which so many rows lie on either side of ½."""
    actual = np.repeat([1, 1, 0, 0], [found, missed, alarms, dismissed])
    score = np.repeat([0.9, 0.1, 0.9, 0.1], [found, missed, alarms, dismissed])
    return scores_of(DataSet.of(pd.DataFrame({"actual": actual, "score": score} | columns), name))


def kept(scores: Scores, name: str = "Audit", who: str = "Ada", reason: str = "") -> KeptDecision:
    return KeptDecision.of(DecisionRecord(scores, 0.5), name, who, reason, SAVED)


def test_a_record_comes_back_from_its_text() -> None:
    record = kept(sample(81, 19), "na\\me <b>", "*Ada*", "Größe\n雪")
    again = KeptDecision.from_text(record.text)
    assert again == record
    assert (again.threshold, again.counts.tp, again.title) == (0.5, 81, "x.csv")
    assert "<b>" not in again.summary
    assert "**Ada" not in again.summary.replace("&#42;", "*").replace("*Ada*", "")


def test_a_record_needs_a_name_and_its_texts_are_cut() -> None:
    with pytest.raises(ReadProblem, match="name"):
        kept(sample(1, 1), " ")
    assert len(kept(sample(1, 1), "x" * 200).name) == 80


@pytest.mark.parametrize("change", [{}, {"schema": "x"}, {"decision": {}}, {"decision": None}, {"name": None}])
def test_a_damaged_record_is_refused_in_a_sentence(change: dict) -> None:
    record = json.loads(kept(sample(3, 1)).text) | change
    text = json.dumps(record) if change else "[]"
    if change == {"name": None}:
        record.pop("name")
        text = json.dumps(record)
    with pytest.raises(ReadProblem, match="damaged"):
        KeptDecision.from_text(text)


def test_differences_are_those_of_independent_shares() -> None:
    check = DecisionCheck(kept(sample(81, 19)), sample(77, 23))
    difference = check.differences["recall"]
    expected = compare_shares([77], [100], [81], [100])
    assert difference.estimate == pytest.approx(-0.04)
    assert float(difference.interval.low) == pytest.approx(float(np.ravel(expected.interval.low)[0]))
    assert sentence_with(check.verdict, "81.0%", "record")
    assert "these data say 77.0" in check.verdict


def limited(scores: Scores, *limits: Limit, level: float | None = None) -> KeptDecision:
    """A kept decision with limits, promised for new rows where a level is given."""
    goal = measure_goal(METRICS["precision"]).within(*limits)
    chosen = best_threshold(scores, goal, promise=None if level is None else promise_limits(scores, goal, level))
    return KeptDecision.of(DecisionRecord(scores, 0.5, chosen=chosen), "Audit", "", "", SAVED)


RECALL, ALARMS = Limit(METRICS["recall"], at_least=0.8), Limit(METRICS["fall_out"], at_most=0.2)


@pytest.mark.parametrize(
    ("found", "alarms", "recall", "fall_out", "status"),
    [
        (90, 10, "holds", "holds", "holds"),
        (60, 10, "fails", "holds", "fails"),
        (82, 10, "unclear", "holds", "unclear"),
        (82, 40, "unclear", "fails", "fails"),
    ],
)
def test_a_limit_holds_where_the_whole_interval_meets_it(
    found: int, alarms: int, recall: str, fall_out: str, status: str
) -> None:
    record = KeptDecision.from_text(limited(sample(90, 10), RECALL, ALARMS).text)
    check = DecisionCheck(record, sample(found, 100 - found, alarms, 100 - alarms))
    assert [one.status for one in check.limits] == [recall, fall_out]
    assert check.status == status
    low, high = (float(end) for end in (wilson(found, 100).low, wilson(found, 100).high))
    assert (low >= 0.8, high < 0.8) == (recall == "holds", recall == "fails")
    assert facts(check.limit_lines[0]).startswith(f"0.80 {found}.0%")


def test_a_limit_without_rows_is_unclear_and_says_why() -> None:
    check = DecisionCheck(limited(sample(90, 10), RECALL), sample(90, 10))
    nobody = replace(check.limits[0], value=np.nan, interval=Interval(np.nan, np.nan, np.nan))
    assert nobody.status == "unclear"
    assert sentence_with(nobody.sentence, "undefined")


def test_what_was_promised_is_said_and_a_limit_keeps_its_parameters() -> None:
    cost = Limit(METRICS["cost"].with_params(fn_cost=7.0), at_most=0.9)
    record = KeptDecision.from_text(limited(sample(90, 10), cost, level=0.9).text)
    assert record.limits[0].measure.arguments["fn_cost"] == 7
    assert record.limits[0].measure(record.counts) == (7 * 10 + 10) / 200
    assert "90" in DecisionCheck(record, sample(90, 10)).limit_lines[-1]
    assert len(DecisionCheck(limited(sample(90, 10), RECALL), sample(90, 10)).limit_lines) == 1


def test_intervals_of_clusters_take_them_whole() -> None:
    people = sample(90, 10, patient=np.arange(200) // 20)
    together = DecisionCheck(limited(sample(90, 10), RECALL), scores_of(people.current.dataset, cluster="patient"))
    alone = DecisionCheck(limited(sample(90, 10), RECALL), people)
    assert float(together.limits[0].interval.low) < float(alone.limits[0].interval.low)


def test_the_shares_of_positives_tell_drift() -> None:
    check = DecisionCheck(kept(sample(81, 19)), sample(40, 10, 5, 145))
    assert check.drift["prevalence"].estimate == pytest.approx(50 / 200 - 1 / 2)
    assert facts(check.drift_text).split()[:2] == ["50.0%", "25.0%"]
    assert check.record["drift"]["predicted_prevalence"]["value"] == 45 / 200


def test_a_record_without_a_name_goes_by_its_data_and_rule() -> None:
    assert KeptDecision.from_text(DecisionRecord(sample(9, 1), 0.5).json).label == "x.csv: score ≥ 0.5"


def test_a_change_beyond_chance_is_named() -> None:
    check = DecisionCheck(kept(sample(81, 19)), sample(41, 59))
    assert sentence_with(check.verdict, "95%", "81.0%")
    assert check.p_values["recall"] >= check.differences["recall"].p_value
    heads, rows = check.table
    assert heads[-1] == "p (Holm)"
    assert all(len(row) == len(heads) for row in rows)


def test_the_code_to_take_away_finds_the_same_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    first, second = (scores_of("breast_cancer", one) for one in ("logistic_regression", "nearest_neighbours"))
    exec(DecisionCheck(kept(first), second).code, {})  # noqa: S102  its assertion is the test


def test_the_same_rows_are_told() -> None:
    scores = sample(81, 19)
    assert sentence_with(DecisionCheck(kept(scores), scores).verdict, "of the record")


def test_what_cannot_be_compared_is_told() -> None:
    scores = sample(8, 2)
    turned = scores_of(scores.current.dataset, higher_is_positive=False)
    assert "other way round" in DecisionCheck(kept(scores), turned).verdict
    other = scores_of(scores.current.dataset, positive=0)
    assert sentence_with(DecisionCheck(kept(scores), other).verdict, "0", "positive")


def test_chance_is_not_judged_of_rows_that_belong_together_or_are_weighted() -> None:
    people = sample(8, 2, patient=np.arange(110) // 2)
    together = scores_of(people.current.dataset, cluster="patient")
    check = DecisionCheck(kept(sample(5, 5)), together)
    assert "belong together" in check.verdict
    assert check.table[0][-1] == "difference"
