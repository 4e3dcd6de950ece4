"""A goal that is taken away: its words tell its numbers, and its Python makes the same choice."""

import pytest

from evalcore import METRICS, classification, find
from evalcore.analyses import best_threshold, goal_code, goal_text
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
from evalcore.readers import read_sample
from tests.analyses.small_scores import scores_of
from tests.words import facts, sentence_with

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


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("name", GOALS)
def test_the_python_makes_the_same_choice(name: str, limited: bool) -> None:
    rows = read_sample("breast_cancer").scored_arrays()
    table = ScoredLabels.from_arrays(rows.labels, rows.scores).table()
    goal = GOALS[name]
    if limited:
        goal = goal.within(Limit(find("PPV"), at_least=0.6), Limit(find("FPR"), at_most=0.4))
    choice = goal.choose(table)
    names = {name: getattr(classification, name) for name in dir(classification)}
    again = eval(f"{goal_code(goal)}.choose(table)", names | {"METRICS": METRICS, "table": table})  # noqa: S307
    assert (again.threshold, again.low, again.value) == (choice.threshold, choice.low, choice.value)


def test_the_words_tell_the_numbers() -> None:
    assert sentence_with(goal_text(GOALS["cost"]), "1", "5", "-0.5")
    assert "at most 10\u202f% of the rows" in goal_text(GOALS["share"])
    assert facts(goal_text(GOALS["rule out"])) == "0.95 0.9"
    assert goal_text(GOALS["F2"]) == "the highest F2"
    limited = GOALS["false alarms"].within(Limit(find("PPV"), at_least=0.5))
    assert facts(goal_text(limited)) == "0.5"


def test_without_a_choice_or_for_a_goal_of_no_known_kind_there_is_no_python() -> None:
    assert best_threshold(scores_of("roc_20"), GOALS["F2"], (Limit(find("PPV"), at_least=float("inf")),)).code == ""
    assert goal_code(measure_goal(precision, highest=True).within(Limit(find("PPV"), at_least=0.5))) == ""
