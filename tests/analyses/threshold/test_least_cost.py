"""Costs of thresholds: the least one, what is nearly as cheap, and misses at the amounts of their own rows."""

import json
import math
import runpy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.analyses import (
    AmountsInUse,
    DecisionRecord,
    ResamplingPlan,
    Scores,
    Source,
    amount_columns,
    best_threshold,
    choice_certainty,
    goal_text,
    prices_of,
    refused_amounts,
)
from evalcore.classification import Limit, amount_goal, cost_goal
from evalcore.figures.threshold_view import Drawing, make_threshold_view
from evalcore.inference import IntervalChoice
from evalcore.readers import DataSet, ReadProblem, read_sample
from evalcore.registry import METRICS
from evalcore.reports.of_scores import decision_parts
from evalcore.reports.parts import Words
from evalcore.wording import THIN, number_text

INF = math.inf


def table(n: int = 120, seed: int = 5, **columns: object) -> pd.DataFrame:
    """Rows with tied scores, and amounts in quarters, some of them 0."""
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.3
    score = np.round(rng.normal(0.4 + 0.3 * ill, 0.25), 1)
    amount = rng.integers(0, 40, n) / 4
    return pd.DataFrame({"actual": np.where(ill, "ill", "well"), "score": score, "amount": amount} | columns)


def scores_of(frame: pd.DataFrame, **roles: object) -> Scores:
    data = DataSet.of(frame)
    data = data.with_roles(type(data.roles)(**({"actual": "actual", "score": ("score",), "positive": "ill"} | roles)))
    return Scores.of(Source.of(data), "score")


def slow_cost(frame: pd.DataFrame, threshold: float, alarm: Fraction, share: bool, higher: bool) -> Fraction:
    """Row by row in fractions: the cost of all rows with an amount, per row."""
    total = weight = Fraction(0)
    for row in frame.to_dict("records"):
        if math.isnan(row["amount"]):
            continue
        times, amount = Fraction(row.get("weight", 1)), Fraction(row["amount"])
        weight += times
        called = row["score"] >= threshold if higher else row["score"] <= threshold
        if row["actual"] == "ill" and not called:
            total += times * amount
        if row["actual"] == "well" and called:
            total += times * alarm * (amount if share else 1)
    return total / weight


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_cost_of_amounts_is_that_of_the_rows_one_by_one(higher, share, weighted) -> None:
    frame = table(weight=np.random.default_rng(1).integers(0, 9, 120) / 8) if weighted else table()
    frame.loc[[3, 40, 41], "amount"] = np.nan
    scores = scores_of(frame, higher_is_positive=higher, **({"weight": "weight"} if weighted else {}))
    alarm = Fraction(3, 8)
    goal = amount_goal(prices_of(scores.current.dataset, "score", "amount", share), fp_cost=float(alarm))
    thresholds = scores.table.thresholds
    costs = [slow_cost(frame, t, alarm, share, higher) for t in thresholds.tolist()]
    counts = goal.priced.table(thresholds).counts
    np.testing.assert_allclose(goal.measure(counts), [float(cost) for cost in costs], rtol=1e-12)
    chosen = best_threshold(scores, goal)
    assert chosen.choice.value == pytest.approx(float(min(costs)), rel=1e-12)
    assert costs[scores.table.index(chosen.choice.threshold)] == min(costs)
    # Its errors are counted in rows, whatever they cost.
    assert float(chosen.choice.counts.fn) == float(scores.counts_at(chosen.choice.threshold).fn)
    assert goal.priced.left_out == 3
    # The band: the thresholds of the table within one per cent of the least cost, and no other.
    near = chosen.least_cost.near
    inside = [((near[:, 0] < t) & (t <= near[:, 1]) if higher else (near[:, 0] <= t) & (t < near[:, 1])).any()
              for t in thresholds.tolist()]  # fmt: skip
    assert inside == [cost <= min(costs) * Fraction(101, 100) for cost in costs]


def test_costs_alike_are_a_goal_of_the_same_kind() -> None:
    chosen = best_threshold(twenty := Scores.of(Source.of(read_sample("roc_20")), "score"), cost_goal(fn_cost=5))
    cost = chosen.least_cost
    assert (cost.price, cost.each, cost.verdict) == (5, [5, 1, 0, 0], "")
    assert cost.words == f"0.3 costs least: 450 per 1{THIN}000 cases"
    assert cost.risk_text == f"same as acting when the risk is above 16.7{THIN}%"
    table = chosen.scores.table
    assert cost.near.tolist() == table.ranges(*[np.array([table.index(0.3)])] * 2).tolist()
    assert best_threshold(twenty, cost_goal(fn_cost=0)).least_cost is None


def test_amounts_equal_to_a_fixed_cost_choose_as_that_cost_does() -> None:
    scores = scores_of(table(amount=np.where(np.arange(120) % 2, 7.0, 7.0)))
    by_rows = best_threshold(scores, amount_goal(prices_of(scores.current.dataset, "score", "amount"), fp_cost=2))
    alike = best_threshold(scores, cost_goal(fn_cost=7, fp_cost=2))
    assert by_rows.choice.threshold == alike.choice.threshold
    assert by_rows.choice.value == pytest.approx(alike.choice.value, rel=1e-12)


def payments(fp_cost: float = 14, **limits: float):
    scores = Scores.of(Source.of(read_sample("payments"), sample="payments"), "score")
    goal = amount_goal(prices_of(scores.current.dataset, "score", "amount"), fp_cost=fp_cost)
    return best_threshold(scores, goal, tuple(Limit(METRICS[key], at_least=value) for key, value in limits.items()))


def test_the_cost_and_the_saving_come_with_the_intervals_of_the_same_rows() -> None:
    chosen = payments()
    cost = chosen.least_cost
    interval, saving = cost.interval(), cost.saving()
    assert float(interval.estimate) == pytest.approx(chosen.choice.value)
    assert interval.low < interval.estimate < interval.high
    frame = chosen.scores.current.frame
    fraud = frame["actual"] == "fraud"
    none, every = frame["amount"][fraud].sum() / len(frame), 14 * (~fraud).sum() / len(frame)
    assert float(saving.estimate) == pytest.approx(min(none, every) - chosen.choice.value)
    assert saving.low < saving.estimate < saving.high
    said = chosen.verdict(0.5)
    assert f"Costs 4{THIN}968 (" in said
    assert f"flagging none would cost {1000 * none:,.0f}".replace(",", THIN) in said
    assert "left out" not in said


def test_clusters_are_drawn_whole() -> None:
    frame = table()
    alone = scores_of(frame)
    twice = scores_of(pd.concat([frame.assign(case=range(120))] * 2, ignore_index=True), cluster="case")
    widths = []
    for scores in (alone, twice):
        goal = amount_goal(prices_of(scores.current.dataset, "score", "amount"), fp_cost=2)
        interval = best_threshold(scores, goal).least_cost.interval()
        widths.append(float(interval.high - interval.low))
    # Each row twice tells nothing new; as single rows the interval would shrink by a factor of 1.4.
    assert widths[1] == pytest.approx(widths[0], rel=0.1)


def test_resamples_choose_by_the_amounts_too_and_with_limits_say_why_not() -> None:
    sure = choice_certainty(payments())
    assert sure.is_defined
    assert sure.ends[0] <= payments().choice.threshold <= sure.ends[1]
    limited = choice_certainty(payments(recall=0.99))
    assert not limited.is_defined
    assert "amounts ignore limits" in limited.bootstrap.reason
    assert float(METRICS["recall"](payments(recall=0.99).choice.counts)) >= 0.99


def test_resamples_of_groups_draw_the_amounts_of_whole_groups() -> None:
    frame = table(case=np.arange(120) // 12)
    frame.loc[[3, 40], "amount"] = np.nan
    scores = scores_of(frame, group="case")
    chosen = best_threshold(scores, amount_goal(prices_of(scores.current.dataset, "score", "amount"), fp_cost=2))
    sure = choice_certainty(chosen, ResamplingPlan("groups"))
    assert sure.bootstrap.resampling.rows == 10
    assert "resamples of 10 groups by case" in sure.note
    assert "resamples of 118 rows" in choice_certainty(chosen).note


def test_the_record_holds_the_amounts_and_its_script_finds_them_again(tmp_path: Path) -> None:
    chosen = payments()
    record = DecisionRecord(chosen.scores, chosen.choice.threshold, chosen=chosen)
    words = "the lowest cost per row (a miss costs its amount and a false alarm costs 14)"
    assert goal_text(chosen.goal) == words
    assert json.loads(record.json)["goal"]["words"] == words
    assert "prices_of(data, 'score', 'amount')" in record.code
    assert "'cost':" not in record.code
    script = tmp_path / "decision.py"
    script.write_text(record.code, encoding="utf-8")
    runpy.run_path(str(script))


def test_the_record_gives_the_cost_by_amounts_and_the_rows_that_have_none() -> None:
    frame = table()
    frame.loc[[3, 40], "amount"] = np.nan
    scores = scores_of(frame)
    chosen = best_threshold(scores, amount_goal(prices_of(scores.current.dataset, "score", "amount"), fp_cost=2))
    record = DecisionRecord(scores, 0.6, chosen=chosen)
    goal, cost = record.record["goal"], record.record["measures"]["cost"]
    assert goal["value"] == pytest.approx(float(slow_cost(frame, 0.6, Fraction(2), False, True)))
    assert (goal["without_amount"], cost["n"], cost["value"]) == (2, 118, pytest.approx(goal["value"]))
    assert cost["low"] < cost["value"] < cost["high"]
    assert f"here {number_text(1000 * cost['value'])} (" in record.text
    assert "2 rows that have no amount" in record.text


@pytest.mark.parametrize("by_share", [False, True])
def test_in_use_the_amounts_count_at_the_prevalence_of_use(by_share) -> None:
    scores = scores_of(frame := table())
    ill, share = (frame["actual"] == "ill").to_numpy(), 0.1
    goal = amount_goal(prices_of(scores.current.dataset, "score", "amount", by_share), fp_cost=0.5)
    each = np.where(ill, frame["amount"], 0.5 * (frame["amount"] if by_share else 1))
    costs = {}
    for t in scores.table.thresholds.tolist():
        wrong = np.where((frame["score"] >= t) != ill, each, 0)
        costs[t] = share * wrong[ill].mean() + (1 - share) * wrong[~ill].mean()
    used = AmountsInUse(scores, goal, share)
    assert [used.cost(t) for t in costs] == pytest.approx(list(costs.values()))
    assert costs[used.chosen.choice.threshold] == pytest.approx(min(costs.values()))
    assert used.saving_verdict(used.chosen.choice.threshold) == "No other threshold costs less."
    best = scores.text(used.chosen.choice.threshold)
    assert f"By these amounts the cheapest threshold is **{best}**" in used.saving_verdict(-INF)
    one = scores_of(frame[ill], positive="ill")
    alone = amount_goal(prices_of(one.current.dataset, "score", "amount", by_share))
    assert AmountsInUse(one, alone, share).saving_verdict(0.5) == ""


def test_a_report_counts_with_the_amounts_or_says_that_it_cannot() -> None:
    answer = ec.threshold(table(), amounts="amount", alarm_share=0.05, positive="ill")
    parts = decision_parts(answer.chosen.scores, 0.5, replace(answer.settings, second_threshold=0.7), lambda: None)
    for name in ("Costs", "Net benefit"):
        assert "needs one cost for all rows" in parts[name]()[0].text
    said = " ".join(part.text for part in parts["What to expect in use"]() if isinstance(part, Words))
    used = AmountsInUse(answer.chosen.scores, answer.chosen.goal, answer.chosen.scores.prevalence)
    assert f"a miss costs its amount and a false alarm costs 5{THIN}% of its amount." in said
    assert f"cost **{number_text(10_000 * used.cost(0.5))}** per" in said
    assert "needs one cost for all rows" in parts["Two thresholds"]()[-1].text


def test_a_column_is_offered_only_if_it_can_hold_amounts() -> None:
    n = 120
    frame = table(
        n, loss=np.full(n, 3.0), change=np.linspace(-1, 1, n), row_id=np.arange(n), other=np.arange(n) % 7,
        name=["x"] * n, ok=np.arange(n) % 2 == 0,
    )  # fmt: skip
    scores = scores_of(frame)
    assert amount_columns(scores) == ["amount", "other"]
    assert refused_amounts(scores) == {}
    frame["total"] = np.where(np.arange(n) < 11, np.nan, -1.0)
    view = json.loads(make_threshold_view(scores := scores_of(frame), Drawing(), IntervalChoice()).text)
    assert amount_columns(scores) == ["amount", "other"] == list(view["amounts"])
    assert refused_amounts(scores) == {"total": "line 13 is negative"}
    assert view["refused"] == ["its total: line 13 is negative"]
    for name in ("name", "change", "none"):
        with pytest.raises(ReadProblem, match=name):
            prices_of(scores.current.dataset, "score", name)


@pytest.mark.parametrize("labels", [["ill"] * 4, ["well"] * 4])
def test_one_class_alone_has_a_cost_too(labels) -> None:
    frame = pd.DataFrame({"actual": labels, "score": [0.1, 0.4, 0.4, 0.8], "amount": [1.0, 2, 3, 4]})
    scores = scores_of(frame, positive=labels[0] if labels[0] == "ill" else None)
    chosen = best_threshold(scores, amount_goal(prices_of(scores.current.dataset, "score", "amount"), fp_cost=2))
    assert chosen.choice.value == 0
    assert "per 1" in chosen.verdict()
    assert "Saves" not in chosen.verdict()  # no more than flagging none or all


def test_the_library_takes_amounts_as_a_column_or_by_name() -> None:
    frame = table()
    truth, s = (frame["actual"] == "ill").to_numpy(), frame["score"].to_numpy()
    by_array = ec.threshold(truth, s, amounts=frame["amount"].to_numpy(), alarm_cost=2)
    by_name = ec.threshold(frame, goal="lowest cost", amounts="amount", alarm_cost=2, positive="ill")
    assert by_array.threshold == by_name.threshold
    assert "Costs " in by_array.verdict
    assert "flagging none" in by_array.verdict
    assert ec.threshold(frame, amounts="amount", alarm_share=0.1, positive="ill").threshold <= by_name.threshold
    with pytest.raises(ValueError, match="two goals"):
        ec.threshold(truth, s, miss_cost=5, amounts=frame["amount"])
