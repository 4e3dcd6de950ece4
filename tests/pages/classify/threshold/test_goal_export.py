"""A goal that is taken away: its words tell its numbers, and its Python makes the same choice."""

import math

import pytest

from evalcore import METRICS, classification, find
from evalcore.classification import (
    Limit,
    ScoredLabels,
    corner_goal,
    cost_goal,
    flag_goal,
    measure_goal,
    precision,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from evalcore.readers.samples import read_sample
from pages.widgets.classify.threshold.goal_export import choice_code, goal_words, purpose_of

GOALS = {
    "Youden": youden_goal(),
    "corner": corner_goal(),
    "F2": measure_goal(find("F2")),
    "false alarms": measure_goal(find("FPR"), highest=False),
    "weighted": weighted_goal(0.3),
    "cost": cost_goal(fn_cost=5, tp_cost=-0.5),
    "cost as a measure": measure_goal(METRICS["cost"].with_params(fn_cost=4.0)),
    "rows": flag_goal(rows=40),
    "share": flag_goal(share=0.1),
    "rule out": rule_out_goal(sensitivity=0.95, npv=0.9),
    "rule in": rule_in_goal(specificity_of=0.95),
}


@pytest.fixture(scope="module")
def table():
    rows = read_sample("breast_cancer").scored_arrays()
    return ScoredLabels.from_arrays(rows.labels, rows.scores).table()


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("name", GOALS)
def test_the_python_makes_the_same_choice(table, name: str, limited: bool) -> None:
    goal = GOALS[name]
    if limited:
        goal = goal.within(Limit(find("PPV"), at_least=0.6), Limit(find("FPR"), at_most=0.4))
    purpose = purpose_of(goal, goal.choose(table))
    names = {name: getattr(classification, name) for name in dir(classification)}
    again = eval(purpose.choice_code, names | {"METRICS": METRICS, "table": table})  # noqa: S307
    assert (again.threshold, again.low) == (purpose.choice.threshold, purpose.choice.low)
    assert again.value == purpose.choice.value
    assert len(purpose.limits) == sum(limit.measure in METRICS.values() for limit in goal.limits)


def test_the_words_tell_the_numbers() -> None:
    assert goal_words(GOALS["cost"]).endswith("(a false alarm costs 1, a miss costs 5, a hit costs −0.5)")
    assert "at most 10\u202f% of the rows" in goal_words(GOALS["share"])
    assert goal_words(GOALS["rule out"]).endswith("with TPR at least 0.95 and NPV at least 0.9")
    assert goal_words(GOALS["F2"]) == "the highest F2"


def test_without_a_choice_there_is_no_python() -> None:
    purpose = purpose_of(GOALS["F2"].within(Limit(find("PPV"), at_least=math.inf)), None)
    assert purpose.choice_code == ""
    assert purpose.limits[0].at_least == math.inf


def test_a_goal_of_no_known_kind_has_no_python() -> None:
    assert choice_code(measure_goal(precision, highest=True)) == ""
