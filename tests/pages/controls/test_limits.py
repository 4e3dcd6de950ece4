"""Limits on the threshold page: added to any goal, removed, relaxed where they conflict, and kept in the address."""

import pytest

from tests.pages.controls.test_goals import LIMITS, OUT, ROWS, SHARE, answer, opened


def test_relaxing_a_limit_moves_it_to_the_very_value_that_can_be_met() -> None:
    test = opened(goal=LIMITS, limit1="precision", value1="0.9", limit2="recall", value2="0.9")
    assert answer(test) == "**No threshold meets all limits.**"
    assert test.button(key="relax 0").label.replace("\u202f", "") == "Relax to 52.9%"
    test.button(key="relax 0").click().run()
    assert float(test.query_params["value1"]) == 9 / 17
    assert answer(test).startswith("**Best within the limits: 0.34** (1 missed, 8 false alarms).")


def test_one_may_go_where_the_closest_value_is_and_the_limit_stays() -> None:
    test = opened(goal=LIMITS, limit1="PPV ≥", value1="1.5")
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
    test = opened(goal=goal, **({"limit1": "recall"} | asked))
    test.button(key="relax 0").click().run()
    assert float(test.query_params[key]) == value
    assert answer(test).startswith(f"**Best within the limit: {threshold}**")


def test_limits_are_added_and_removed_and_stay_in_the_address() -> None:
    test = opened()
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
    assert answer(test).startswith("**Best: 0.54**")
    assert not test.exception


def test_the_limit_a_goal_starts_with_can_be_removed() -> None:
    test = opened(goal=LIMITS)
    assert "within the limit" in answer(test)
    test.button(key="remove limit 0").click().run()
    assert answer(test).startswith("**Best: 0.3**")
