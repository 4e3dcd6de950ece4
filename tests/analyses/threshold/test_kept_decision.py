"""A kept decision comes back from its text, and says whether its numbers hold on other data."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import DecisionCheck, DecisionRecord, KeptDecision, Scores
from evalcore.inference import compare_shares
from evalcore.readers import DataSet, ReadProblem
from tests.analyses.small_scores import scores_of
from tests.words import sentence_with

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
