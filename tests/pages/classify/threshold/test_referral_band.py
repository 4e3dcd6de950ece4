"""Two thresholds: zones, the narrowest band for a wish, and what it costs, on either direction of scores."""

import json

import numpy as np
import pytest

from tests.pages.classify.threshold.cost_panels import cells, panels, table, words

LABELS, SCORES = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
WRONG, TRUST = "few wrong decisions", "trust on both sides"


def two(**parameters: str):
    parameters.setdefault("data", table(LABELS, SCORES))
    return panels(panel="two", **parameters)


def zones(test) -> list[list[str]]:
    return [row[1:4] for row in cells(test, 0)]


@pytest.mark.parametrize(("t", "t2"), [("0.8", "0.4"), ("0.4", "0.8")])
def test_the_zones_are_the_same_whichever_threshold_comes_first(t, t2) -> None:
    # At 0.8 two hits; from 0.4 to below 0.8 one positive and three negatives; below one of each.
    test = two(t=t, t2=t2)
    assert zones(test) == [["2", "0", "2"], ["1", "3", "4"], ["1", "1", "2"]]
    measures = {row[0]: row[1] for row in cells(test, 1)}
    assert measures["decided"] == "50.0%"
    assert measures["error rate"] == "25.0%"
    assert measures["recall"] == "66.7%"


def test_where_lower_is_positive_the_zones_are_mirrored() -> None:
    turned = table(LABELS, [-score for score in SCORES], higher_is_positive=False)
    here, there = two(t="0.8", t2="0.4", narrowest=WRONG), two(data=turned, t="-0.8", t2="-0.4", narrowest=WRONG)
    assert zones(there) == zones(here)
    assert cells(there, 1) == cells(here, 1)
    assert "≤ −0.8" in cells(there, 0)[0][0]
    assert "> −0.4" in cells(there, 0)[2][0]
    there.number_input(key="band error").set_value(0.0).run()
    assert "From −0.8 to −0.3 5 rows are referred" in words(there)


def test_without_a_second_threshold_nobody_is_referred() -> None:
    test = two(t="0.6")
    assert "1000 cases cost 250; nobody is referred." in words(test)
    assert zones(test)[1] == ["0", "0", "0"]
    assert test.button(key="no band").disabled


def test_the_second_threshold_is_typed_and_taken_away() -> None:
    test = two(t="0.8")
    test.number_input(key="second threshold").set_value(0.4).run()
    assert test.query_params["t2"] == "0.4"
    assert zones(test)[1] == ["1", "3", "4"]
    test.button(key="no band").click().run()
    assert "t2" not in test.query_params
    assert zones(test)[1] == ["0", "0", "0"]


def test_the_narrowest_band_of_few_wrong_is_offered_and_taken() -> None:
    test = two(t="0.6", narrowest=WRONG)
    test.number_input(key="band error").set_value(0.0).run()
    # Sure are 0.9 and 0.8 above and 0.1 below: five rows lie between.
    assert "From 0.3 to 0.8 5 rows are referred, the fewest that keep this; 37.5% are decided" in words(test)
    test.button(key="take band").click().run()
    assert (test.query_params["t"], test.query_params["t2"]) == ("0.3", "0.8")
    assert test.button(key="take band").disabled
    assert zones(test) == [["2", "0", "2"], ["2", "3", "5"], ["0", "1", "1"]]


def test_a_wish_that_one_threshold_keeps_needs_no_person() -> None:
    test = two(t="0.6", t2="0.9", narrowest=WRONG)
    test.number_input(key="band error").set_value(25.0).run()
    assert "One threshold keeps this without a person: 0.6" in words(test)
    test.button(key="take band").click().run()
    assert "t2" not in test.query_params


def test_trust_on_both_sides() -> None:
    test = two(t="0.6", narrowest=TRUST)
    test.number_input(key="band ppv").set_value(100.0).run()
    test.number_input(key="band npv").set_value(70.0).run()
    # Below 0.6 three of four are negative; from 0.8 on all are positive. One of the six decided is missed.
    assert (
        "From 0.6 to 0.8 2 rows are referred, the fewest that keep this; 75.0% are decided, of these 16.7% wrong"
        in (words(test))
    )


def test_what_no_band_keeps_is_said_with_the_nearest() -> None:
    test = two(data=table([0, 1, 1, 0], [0.9, 0.8, 0.3, 0.1]), t="0.5", narrowest=TRUST)
    assert "No band keeps this. The PPV reaches 66.7% at most." in words(test)


def test_even_the_surest_may_be_too_wrong() -> None:
    test = two(data=table([0, 1, 0, 1], [0.9, 0.9, 0.1, 0.1]), t="0.5", narrowest=WRONG)
    assert "Even the surest rows are wrong in 50.0%: the lowest share any band reaches." in words(test)


def test_up_to_which_price_the_band_pays() -> None:
    test = two(t="0.8", t2="0.4", miss_cost="3")
    # At 0.8 alone two are missed: 6. With the band one is, and four are referred at 0.1.
    assert "1000 cases cost 425 with the band and 750 at 0.8 alone." in words(test)
    assert "The band pays while a referral costs less than 0.750." in words(test)


def test_the_curve_has_this_band_on_it() -> None:
    test = two(t="0.8", t2="0.4")
    charts = [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]
    names = {trace.get("name") for trace in charts[1]["data"]}
    assert {"one threshold", "this band"} <= names


@pytest.mark.parametrize(
    ("labels", "scores"),
    [([1, 1], [0.2, 0.7]), ([0, 0, 1], [0.2, 0.7, np.nan]), ([1, 0], [5, 5]), ([1, 0, 0], [1e308, -1e308, 0])],
)
@pytest.mark.parametrize("t2", ["0.4", "-inf", "nan"])
def test_hard_data_and_hard_addresses(labels, scores, t2) -> None:
    test = two(data=table(labels, scores), t="0.5", t2=t2, narrowest=TRUST if t2 == "nan" else WRONG)
    assert sum(int(row[2]) for row in zones(test)) == np.isfinite(scores).sum()


def test_an_infinite_band_refers_everybody() -> None:
    test = two(t="inf", t2="-inf")
    assert zones(test)[1] == ["4", "4", "8"]
    assert "undefined" in {row[1] for row in cells(test, 1)}
