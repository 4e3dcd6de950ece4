"""The promise in words: what holds on new rows, what is missing to the best of the sample, and what is not promised."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from evalcore import find
from evalcore.analyses import DecisionRecord, best_threshold, promise_limits, subgroups_of
from evalcore.analyses.data.script import script
from evalcore.classification import ConfusionCounts, Goal, Limit, flag_goal, measure_goal
from evalcore.figures.threshold_view import Drawing, make_threshold_view, overlay
from evalcore.inference import IntervalChoice, promised_thresholds, rows_for_promise
from evalcore.readers import read_sample
from tests.analyses.small_scores import plain_text, scores_of, small_scores
from tests.words import facts, sentence_with

CANCER = scores_of("breast_cancer")
KEEPS_RECALL = measure_goal(find("precision")).within(Limit(find("recall"), at_least=0.9))


def verdict(goal: Goal, scores=CANCER, level: float = 0.95) -> list[str]:
    sample = best_threshold(scores, goal).choice
    return [line.strip() for line in plain_text(promise_limits(scores, goal, level).verdict(sample)).splitlines()]


def test_the_verdict_says_where_the_limits_hold_and_for_which_rows() -> None:
    assert facts(verdict(KEEPS_RECALL)[0]) == "95% 0.90 0.427"
    assert sentence_with(verdict(KEEPS_RECALL)[-1], "not after drift")
    both = verdict(
        measure_goal(find("recall")).within(Limit(find("FPR"), at_most=0.05), Limit(find("PPV"), at_least=0.8))
    )
    assert sentence_with(both[0], "95%", "0.05", "0.80")
    assert sentence_with(both[-1], "at another prevalence")
    share = verdict(flag_goal(rows=228))
    assert sentence_with(share[0], "95%", "228")
    assert sentence_with(share[-1], "A limit in rows")


def test_a_promise_is_of_all_groups_together_and_of_the_prevalence_of_the_sample() -> None:
    of_recall = promise_limits(CANCER, KEEPS_RECALL)
    at, share = 0.4, CANCER.prevalence
    groups = subgroups_of(CANCER, at)
    small = float(groups.counts[groups.names.index("small")].tp / 6)
    words = plain_text(of_recall.groups_text(at, groups.names, groups.counts))
    assert sentence_with(words, "all groups together")
    assert sentence_with(words, "0.90", f"{small:.3f}", "0.872")
    hostile = of_recall.groups_text(at, ("a*b", *groups.names[1:]), groups.counts)
    assert "a&#42;b" in hostile
    assert sentence_with(plain_text(of_recall.groups_text(0.9, groups.names, groups.counts)), "on new rows")
    assert "is not promised" in of_recall.coming_text(0.9, 0.05)
    assert of_recall.coming_text(at, share) == of_recall.holds_text(at)
    assert sentence_with(of_recall.coming_text(at, 0.05), "does not depend")
    of_precision = promise_limits(CANCER, measure_goal(find("recall")).within(Limit(find("PPV"), at_least=0.85)))
    counts = CANCER.counts_at(at)
    recall, alarms = counts.tp / counts.actual_positives, counts.fp / counts.actual_negatives
    expected = float(0.05 * recall / (0.05 * recall + 0.95 * alarms))
    moved = plain_text(of_precision.coming_text(at, 0.05))
    assert sentence_with(moved, f"{expected:.3f}", "0.85")


def test_where_nothing_is_promised_it_says_so_and_how_many_more_rows_it_would_take() -> None:
    few = small_scores([1] * 12 + [0] * 12, list(range(24, 0, -1)))
    goal = measure_goal(find("precision")).within(Limit(find("recall"), at_least=0.8))
    # 14 positives of which none is missed have p = 0.8 ** 14 = 0.044; so 28 rows, 4 more.
    assert facts(verdict(goal, few)) == "95% 0.80 13 4 80%"
    exactly = small_scores([1] * 10 + [0] * 10, [9.0] * 9 + [0.0] + [1.0] * 10)
    assert sentence_with(verdict(KEEPS_RECALL, exactly)[1], "no margin")
    assert facts(verdict(measure_goal(find("recall")).within(Limit(find("MCC"), at_least=0.3)))) == "0.30"


def test_lower_scores_that_are_positive_are_promised_from_a_threshold_on() -> None:
    scores = small_scores([1] * 60 + [0] * 60, list(range(120)), higher_is_positive=False)
    promise = promise_limits(scores, KEEPS_RECALL)
    assert promise.ranges is not None
    low = promise.ranges[0, 0]
    assert verdict(KEEPS_RECALL, scores)[0].endswith(f"for thresholds from {low:g}.")
    assert promise.holds_at(low)
    assert not promise.holds_at(low - 0.001)


def test_rows_that_a_promise_takes_by_trying_each_number() -> None:
    scored = read_sample("breast_cancer").scored("logistic_regression")
    promise = promised_thresholds(scored, [Limit(find("recall"), at_least=0.9)])
    counts = ConfusionCounts(tp=190, fp=20, fn=10, tn=360)  # recall 0.95
    rows = rows_for_promise(promise, counts)

    def power(all_rows: float) -> float:
        n = int(all_rows * 200 / 580 + 1e-9)
        missed = np.arange(n + 1)
        passing = binom.cdf(missed, n, 0.1) <= 0.05
        return float(binom.pmf(missed[passing], n, 0.05).sum())

    assert power(rows) >= 0.8 > power(rows - 3)
    assert rows_for_promise(promise, counts, power=0.95) > rows
    assert rows_for_promise(promise, ConfusionCounts(tp=180, fp=0, fn=20, tn=380)) == np.inf
    both = promised_thresholds(scored, [Limit(find("recall"), at_least=0.9), Limit(find("F2"), at_least=0.7)])
    assert rows < rows_for_promise(both, counts) < np.inf


@pytest.mark.parametrize("goal", [KEEPS_RECALL, flag_goal(share=0.4).within(Limit(find("PPV"), at_least=0.8))])
def test_the_record_holds_the_promise_and_its_python_finds_it_again(goal: Goal, monkeypatch, tmp_path) -> None:
    promise = promise_limits(CANCER, goal)
    chosen = best_threshold(CANCER, goal, promise=promise, on_new_rows=True)
    assert chosen.choice is not None
    decision = DecisionRecord(CANCER, chosen.choice.threshold, IntervalChoice(), chosen)
    held = json.loads(decision.json)["promise"]
    assert held["level"] == 0.95
    assert held["holds"]
    assert held["chosen_from"]
    assert [[float(end) for end in ends] for ends in held["ranges"]] == promise.ranges.tolist()
    assert sentence_with(decision.text, "is promised")
    assert "choose_promised(scored, " in decision.code
    code = script(CANCER.code, "table = scored.table()", f"choice = {chosen.code}", promise.check)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "taken away.py", "exec"), space := {})  # noqa: S102
    assert space["choice"].threshold == chosen.choice.threshold


def test_the_goal_of_a_promise_chooses_in_it_and_says_what_it_costs() -> None:
    goal = measure_goal(find("precision"))
    limit = Limit(find("recall"), at_least=0.9)
    promise = promise_limits(CANCER, goal.within(limit))
    chosen = best_threshold(CANCER, goal, (limit,), promise, on_new_rows=True)
    assert promise.holds_at(chosen.choice.threshold)
    assert sentence_with(plain_text(chosen.verdict()), "0.427", "threshold")
    assert "Without the promise: 0.4" in plain_text(chosen.verdict())
    strict = promise_limits(CANCER, goal.within(limit), 0.99999999)
    assert best_threshold(CANCER, goal, (limit,), strict, on_new_rows=True).choice.threshold < chosen.choice.threshold


def test_the_promised_band_is_drawn_with_its_words() -> None:
    view = make_threshold_view(CANCER, Drawing(), IntervalChoice())
    for goal, words in (
        (KEEPS_RECALL, "new rows (95% confidence)"),
        (measure_goal(find("recall")).within(Limit(find("PPV"), at_least=0.9999)), "no threshold is promised"),
    ):
        promise = promise_limits(CANCER, goal)
        over = overlay(view, best_threshold(CANCER, goal, promise=promise))["promise"]
        assert sentence_with(plain_text(over["words"]), words)
        assert over["ranges"] == np.round(view.axis.x(promise.ranges), 5).tolist()
    assert overlay(view, best_threshold(CANCER, measure_goal(find("F1"))))["promise"] is None
