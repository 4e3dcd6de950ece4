"""Two thresholds on a page: typed, taken from the narrowest band, taken away, and kept in the address."""

import json

import numpy as np
import pytest

from tests.pages.classify.threshold.cost_panels import cells, panels, table, words

LABELS, SCORES = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
ERRORS, TRUST = "low error rate", "high PPV and NPV"


def two(**parameters: str):
    parameters.setdefault("data", table(LABELS, SCORES))
    return panels(panel="two", **parameters)


def zones(test) -> list[list[str]]:
    return [row[1:4] for row in cells(test, 0)]


def test_the_second_threshold_is_typed_and_taken_away() -> None:
    test = two(t="0.8")
    assert test.button(key="no band").disabled
    test.number_input(key="second threshold").set_value(0.4).run()
    assert test.query_params["t2"] == "0.4"
    assert zones(test)[1] == ["1", "3", "4"]
    names = {trace.get("name") for trace in json.loads(test.get("plotly_chart")[1].proto.spec)["data"]}
    assert {"one threshold", "this band"} <= names
    test.button(key="no band").click().run()
    assert "t2" not in test.query_params
    assert zones(test)[1] == ["0", "0", "0"]


def test_the_narrowest_band_is_offered_and_taken() -> None:
    test = two(t="0.6", narrowest=ERRORS)
    test.number_input(key="band error").set_value(0.0).run()
    assert "Refer the 5 rows from 0.3 to 0.8" in words(test)
    test.button(key="take band").click().run()
    assert (test.query_params["t"], test.query_params["t2"]) == ("0.3", "0.8")
    assert test.button(key="take band").disabled
    assert zones(test) == [["2", "0", "2"], ["2", "3", "5"], ["0", "1", "1"]]


def test_one_threshold_that_is_enough_takes_the_second_away() -> None:
    test = two(t="0.6", t2="0.9", narrowest=ERRORS)
    test.number_input(key="band error").set_value(25.0).run()
    test.button(key="take band").click().run()
    assert "t2" not in test.query_params


def test_trust_on_both_sides_is_asked_for() -> None:
    test = two(t="0.6", narrowest=TRUST)
    test.number_input(key="band ppv").set_value(100.0).run()
    test.number_input(key="band npv").set_value(70.0).run()
    assert "Refer the 2 rows from 0.6 to 0.8" in words(test)


@pytest.mark.parametrize(
    ("labels", "scores"),
    [([1, 1], [0.2, 0.7]), ([0, 0, 1], [0.2, 0.7, np.nan]), ([1, 0], [5, 5]), ([1, 0, 0], [1e308, -1e308, 0])],
)
def test_hard_data_and_hard_addresses(labels, scores) -> None:
    for t2, narrowest in (("nan", TRUST), ("-inf", ERRORS)):
        test = two(data=table(labels, scores), t="0.5", t2=t2, narrowest=narrowest)
        assert sum(int(row[2]) for row in zones(test)) == np.isfinite(scores).sum()
