"""Limits on the threshold page: added to any goal, removed, relaxed where they conflict, and kept in the address."""

import html
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import METRICS
from evalcore.analyses import Scores, Source
from evalcore.classification import Limit, ScoredLabels, flag_goal, youden_goal
from evalcore.readers.samples import read_sample
from pages.widgets.controls.goals import Decision, allowed_ranges
from pages.widgets.controls.limits import bound_of
from tests.pages.controls.test_goals import COST, LIMITS, OUT, ROWS, SHARE, answer, opened, stored


def conflict(test: AppTest) -> list[str]:
    """The lines of the box that say what is in the way."""
    return [html.unescape(m.value).replace("\u202f", "") for m in test.main.markdown if ": the nearest" in m.value]


def test_a_limit_nothing_meets_is_named_with_the_nearest_value_and_where() -> None:
    test = opened(data="roc_20", goal=LIMITS, limit1="PPV ≥", value1="1.5")
    assert answer(test) == "**No threshold meets this limit.**"
    assert conflict(test) == ["precision ≥ 1.50: the nearest it gets is 100.0%, at 0.9."]


def test_limits_that_exclude_each_other_are_both_named() -> None:
    test = opened(data="roc_20", goal=LIMITS, limit1="precision", value1="0.9", limit2="recall", value2="0.9")
    assert answer(test) == "**No threshold meets all limits.**"
    # At recall 0.9 and more precision is at most 10/19; with precision 1 recall is at most 2/10.
    assert conflict(test) == [
        "precision ≥ 0.90: the nearest it gets while the others hold is 52.9%, at 0.34.",
        "recall ≥ 0.90: the nearest it gets while the others hold is 20.0%, at 0.8.",
    ]


def test_relaxing_a_limit_moves_it_to_the_very_value_that_can_be_met() -> None:
    test = opened(data="roc_20", goal=LIMITS, limit1="precision", value1="0.9", limit2="recall", value2="0.9")
    assert test.button(key="relax 0").label.replace("\u202f", "") == "Relax to 52.9%"
    test.button(key="relax 0").click().run()
    assert float(test.query_params["value1"]) == 9 / 17
    assert answer(test).startswith(
        "**0.34** serves it best inside the limits: recall 90.0%; 1 missed and 8 false alarms."
    )


def test_one_may_go_where_the_nearest_value_is_and_the_limit_stays() -> None:
    test = opened(data="roc_20", goal=LIMITS, limit1="PPV ≥", value1="1.5")
    test.button(key="go near 0").click().run()
    assert test.query_params["t"] == "0.9"
    assert answer(test) == "**No threshold meets this limit.**"


@pytest.mark.parametrize(
    ("goal", "asked", "key", "value", "threshold"),
    [
        (ROWS, {"rows": "3"}, "rows", 17, "0.34"),
        (SHARE, {"percent": "15"}, "percent", 85, "0.34"),
        (OUT, {"by out": "NPV", "least out": "0.99", "limit1": "specificity"}, "least out", 9 / 14, "0.54"),
    ],
)
def test_a_goal_with_a_limit_of_its_own_is_relaxed_too(goal, asked, key, value, threshold) -> None:
    """Recall 0.9 takes 17 of the 20 rows; specificity 0.9 with the highest NPV is at 0.54."""
    test = opened(data="roc_20", goal=goal, **({"limit1": "recall"} | asked))
    test.button(key="relax 0").click().run()
    assert "serves it best" in answer(test)
    assert float(test.query_params[key]) == value
    assert answer(test).startswith(f"**{threshold}** serves it best inside the limit:")


def test_a_limit_on_what_is_undefined_everywhere_says_so() -> None:
    data = stored("actual,score\n1,0.9\n1,0.4\n1,0.3\n")
    test = opened(data=data, goal=LIMITS, limit1="specificity")
    assert answer(test) == "**No threshold meets this limit.**"
    assert any(m.value == "specificity ≥ 0.90: it is undefined everywhere." for m in test.main.markdown)


def test_any_goal_takes_limits_and_says_what_they_cost() -> None:
    test = opened(data="roc_20", goal=COST, miss="5", limit1="precision", value1="0.6")
    said = answer(test)
    # Precision is 8/13 at 0.38, with 2 misses at 5 and 5 false alarms, and less than 0.6 at every lower threshold.
    assert "**0.38** serves it best inside the limit: cost 15.0 in all" in said
    assert "Without the limit it would be 0.3: cost 9.00 in all, 0.450 a row; 0 missed and 9 false alarms." in said


def test_a_limit_that_costs_nothing_is_not_said_to() -> None:
    assert "Without" not in answer(opened(data="roc_20", limit1="precision", value1="0.5"))


def test_limits_are_added_and_removed_and_stay_in_the_address() -> None:
    test = opened(data="roc_20")
    for _ in range(5):
        test.button(key="add limit").click().run()
    assert [test.query_params[f"limit{n}"] for n in range(1, 6)] == [
        "precision", "recall", "specificity", "negative_predictive_value", "accuracy",
    ]  # fmt: skip
    assert "add limit" not in [button.key for button in test.button], "five are enough"
    test.selectbox(key="limit measure 1").select("fall_out").run()
    test.number_input(key="limit value 1").set_value(0.25).run()
    test.button(key="remove limit 0").click().run()
    assert [test.query_params.get(f"limit{n}") for n in range(1, 6)] == [
        "fall_out", "specificity", "negative_predictive_value", "accuracy", None,
    ]  # fmt: skip
    assert test.query_params["value1"] == "0.25"
    for _ in range(4):
        test.button(key="remove limit 0").click().run()
    assert answer(test).startswith("**0.54** serves it best: Youden's J 0.400")
    assert not test.exception


def test_the_limit_a_goal_starts_with_can_be_removed() -> None:
    test = opened(data="roc_20", goal=LIMITS)
    assert "inside the limit" in answer(test)
    test.button(key="remove limit 0").click().run()
    assert answer(test).startswith("**0.3** serves it best: recall 100.0%")


def shaded(data: str, measure: str, bound: float, **roles: object) -> list[list[float]] | None:
    """Ranges of the axis of the file in which precision, or another measure, reaches a bound."""
    return allowed(data, [Limit(METRICS[measure], at_least=bound)], **roles)


def allowed(data: str, limits: list[Limit], **roles: object) -> list[list[float]]:
    """Ranges of the axis of the file in which limits hold."""
    dataset = read_sample(data)
    dataset = dataset.with_roles(replace(dataset.roles, **roles)) if roles else dataset
    current = Source(data, data, dataset, dataset.systems[0], len(dataset), None)
    arrays = dataset.scored_arrays()
    higher = dataset.roles.higher_is_positive
    state = ScoredLabels.from_arrays(arrays.labels, arrays.scores, higher_is_positive=higher)
    scores = Scores(current, dataset.systems[0], state, "P", "N", 0)
    goal = youden_goal().within(*limits)
    found = allowed_ranges(scores, goal)
    # Counted once: what stands still while the threshold moves is not counted again at every threshold.
    assert allowed_ranges(scores, goal) is found
    return np.round(found, 9).tolist()


def test_the_ranges_in_which_limits_hold_are_those_between_two_scores() -> None:
    # Precision of at least 0.8: thresholds in (0.7, 0.9] and, after 0.7 brings 2/3 and 0.6 3/4, in (0.53, 0.55].
    assert shaded("roc_20", "precision", 0.8) == [[0.53, 0.55], [0.7, 0.9]]


def test_they_are_on_the_scale_of_the_file_where_lower_is_positive() -> None:
    # N from below: 1/1, 1/2 …; only the lowest score is called right, up to the next, 0.3.
    assert shaded("roc_20", "precision", 0.8, positive="N", higher_is_positive=False) == [[0.1, 0.3]]


def test_a_budget_of_rows_allows_the_thresholds_that_keep_it() -> None:
    # Of 20 different scores the third highest is 0.7, the fourth 0.6: three rows are flagged above 0.6.
    assert allowed("roc_20", list(flag_goal(rows=3).limits)) == [[0.6, np.inf]]


def test_where_nothing_is_allowed_there_is_no_range() -> None:
    assert shaded("roc_20", "precision", 1.5) == []


def test_a_decision_says_what_is_not_allowed() -> None:
    bounds = tuple(bound_of(key, value, print) for key, value in (("precision", 0.9), ("fall_out", 0.125)))
    goal = youden_goal().within(*(bound.limit for bound in bounds))
    assert Decision(goal, str, bounds).limits_words == "not allowed: precision < 0.90 or fall-out > 0.125"
    assert Decision(goal, str, bounds).limits == list(goal.limits)
    assert Decision(flag_goal(rows=3), str).limits == list(flag_goal(rows=3).limits), "a budget rules out too"
    assert Decision(youden_goal(), str).limits_words == ""
