"""If costs are not known: what is said of the threshold is what its ROC curve says, on either direction of scores."""

import base64
import json

import numpy as np
import pytest

from tests.pages.classify.threshold.price_panels import one_class, panels, table, words
from tests.pages.nasty_names import NASTY

LABELS, SCORES = [1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]


def costs(**parameters: str):
    parameters.setdefault("data", table(LABELS, SCORES))
    return panels(panel="costs", **parameters)


def spec(test) -> dict:
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def test_a_corner_is_right_for_a_range_of_ratios() -> None:
    assert "Here, ≥ 0.6 is right for any miss that costs more than 0.5 false alarms." in words(costs(t="0.6"))
    assert "Here, ≥ 0.9 is right for any miss that costs less than 0.5 false alarms." in words(costs(t="0.9"))
    assert "only if a miss costs nothing; else ≥ 0.9 is cheaper" in words(costs(t="inf"))
    assert "only if a false alarm costs nothing; else ≥ 0.6 is cheaper" in words(costs(t="-3"))


def test_where_positives_are_rarer_a_miss_has_to_cost_more() -> None:
    # 0.5 at odds of 3 : 2 is 0.5 × 1.5 × 9 at odds of 1 : 9.
    assert "At a prevalence of 10.0%, ≥ 0.6 is right for any miss that costs more than 6.75" in words(
        costs(t="0.6", prevalence="0.1")
    )


def test_below_the_hull_it_says_what_is_better_and_goes_there() -> None:
    test = costs(t="0.7")
    assert "Here, ≥ 0.7 is right for no prices. ≥ 0.6 has no more false alarms and misses fewer" in words(test)
    # No fewer alarms at 0.9 make up for what it misses more, so only the better one is offered; no prevalence helps.
    assert [button.key for button in test.button if button.key.startswith("hull")] == ["hull 2"]
    assert "At a prevalence of" not in words(costs(t="0.7", prevalence="0.1"))
    test.button(key="hull 2").click().run()
    assert test.query_params["t"] == "0.6"
    assert "≥ 0.6 is right for any miss" in words(test)


def test_between_two_corners_one_of_them_is_always_cheaper() -> None:
    # Counted from the right: (0, 2), (1, 2 hits), (2, 3), (3, 3), (3, 6) of 6 and 6.
    data = table([1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0], [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    said = words(costs(data=data, t="9"))
    # From (0, 2) to (3, 6): (1, 3) lies below. Against the first 1 more alarm for 1 hit, to the second 2 for 3.
    assert "≥ 11 is cheaper when a miss costs less than 1 false alarm, ≥ 4 when it costs more than 0.667" in said


def test_a_perfect_cut_is_right_whatever_a_miss_costs() -> None:
    data = table([1, 1, 0, 0], [4, 3, 2, 1])
    assert "right for whatever a miss costs" in words(costs(data=data, t="3"))


def test_on_a_straight_piece_the_tie_is_said() -> None:
    data = table([1, 0, 1, 0], [0.9, 0.9, 0.1, 0.1])
    said = words(costs(data=data, t="0.9"))
    assert (
        "only when a miss costs exactly 1 false alarm, and even then it ties with calling nobody positive and" in said
    )


def test_the_typed_ratio_has_its_winner_and_its_ring() -> None:
    test = costs(t="0.9", miss_cost="4")
    # One of three is missed nowhere at 0.6, where one of two is a false alarm: 1000 cases cost 400 × ½.
    assert "At 4 : 1 and 60.0%, ≥ 0.6 is the cheapest: 1000 cases cost as much as 200 false alarms" in words(test)
    # At 0.9 two of three are missed: 600 × ⅔ × 4.
    assert "The threshold in use costs 1600." in words(test)
    ring = next(trace for trace in spec(test)["data"] if trace["type"] == "scatter")
    assert np.allclose(np.frombuffer(base64.b64decode(ring["x"]["bdata"])), np.log10(4))
    test.button(key="cheapest").click().run()
    assert test.query_params["t"] == "0.6"
    test.number_input(key="unknown ratio").set_value(0.25).run()
    assert test.query_params["miss_cost"] == "0.25"
    assert "At 1 : 4 and 60.0%, ≥ 0.9 is the cheapest" in words(test)


def test_two_that_cost_the_same_are_both_named() -> None:
    assert "≥ 0.9 is the cheapest: 1000 cases cost as much as 200 false alarms; ≥ 0.6 costs the same" in words(
        costs(t="0.9", miss_cost="0.5")
    )


@pytest.mark.parametrize("t", ["0.9", "0.7", "0.6", "0.1"])
def test_where_lower_is_positive_the_same_is_said_the_other_way_round(t) -> None:
    turned = table(LABELS, [-score for score in SCORES], higher_is_positive=False)
    here = words(costs(t=t, miss_cost="3"))
    there = words(costs(data=turned, t=f"-{t}", miss_cost="3"))
    assert there == here.replace("≥ ", "≤ −")


def test_weights_count_as_so_many_rows() -> None:
    weighted = table([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], weights=[1, 3, 2, 1])
    # Three false alarms for two hits.
    assert "less than 1.5 false alarms" in words(costs(data=weighted, t="0.9"))


@pytest.mark.parametrize(("labels", "missing"), [([1], "negative"), ([0], "positive")])
def test_one_class_alone_is_undefined_with_its_reason(labels, missing) -> None:
    test = costs(data=one_class(labels[0]))
    assert f"Undefined: There are no {missing} rows" in words(test)


def test_equal_scores_leave_nobody_or_everybody() -> None:
    assert "calling everybody positive is the cheapest" in words(costs(data=table([1, 0], [5, 5]), miss_cost="2"))


@pytest.mark.parametrize("value", ["x", "nan", "inf", "-1", "0", "1e99"])
def test_nonsense_in_the_address_counts_as_nothing(value) -> None:
    assert "At 1 : 1 and 60.0%" in words(costs(t="0.6", miss_cost=value, alarm_cost=value, prevalence=value))


@pytest.mark.parametrize("name", [NASTY[0], "<b>x</b>", "$x^2$", ":red[x]"])
def test_names_are_shown_and_do_nothing(name) -> None:
    test = panels(data=table(LABELS, SCORES, names=(name, "well")), t="0.6")
    assert name in words(test)
    assert not any(name in part.value for part in (*test.main.markdown, *test.main.caption))
