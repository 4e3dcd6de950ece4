"""The panels about costs on a page: one set of costs in the address, and buttons that go where it is best."""

import base64
import json

import numpy as np
import pytest

from tests.analyses.small_scores import plain_text
from tests.pages.classify.threshold.cost_panels import one_class, panels, table, words
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import stored
from tests.words import sentence_with

LABELS, SCORES = [1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]


def test_by_amounts_the_parts_count_with_them_or_say_that_they_need_one_cost_for_all() -> None:
    rows = "".join(f"{'ill' if n % 3 else 'well'},{n / 40},{n if n % 5 else ''}\n" for n in range(1, 31))
    at = {"data": stored(f"actual,score,amount\n{rows}"), "t": "0.6", "amounts": "amount"}
    in_use = panels(panel="month", volume="10000", prevalence="0.2", **at)
    # Of the rows with an amount 16 are ill, of which those below the threshold cost 157, and 2 of 8 are alarms at 4.
    assert sentence_with(words(in_use), "Misses and false alarms", f"{10000 * (0.2 * 157 / 16 + 0.8 * 2 * 4 / 8):.0f}")
    assert "month miss" not in {field.key for field in in_use.number_input}
    in_use.button(key="cheapest there").click().run()
    assert sentence_with(words(in_use), "No other threshold")
    for part in ("costs", "decisions", "two"):
        said = panels(panel=part, **at)
        assert "needs one cost for all rows" in words(said)
        assert not [button for button in said.button if button.key.startswith(("cheapest", "hull"))]
        assert "cases cost" not in words(said)


@pytest.mark.parametrize(
    ("panel", "named"),
    [
        ("costs", "cost per 1000 cases +200"),
        ("month", "precision −50.0pt"),
        ("decisions", "net benefit"),
        ("two", "cost per 1000 cases +200"),
    ],
)
def test_a_pin_is_compared_with_in_every_panel_until_it_is_taken_out(panel: str, named: str) -> None:
    at = {"data": table(LABELS, SCORES), "t": "0.8", "panel": panel}
    without, pinned = panels(**at), panels(**at, pins="0.9~score~~")
    assert "Compared with" not in words(without)
    (said,) = (part.value for part in pinned.caption if part.value.startswith("Compared with the pin"))
    assert named in plain_text(said), said
    markup = [[part.proto.body for part in test.get("html")] for test in (without, pinned)]
    assert (markup[0] != markup[1]) == (panel in ("month", "two"))


def test_below_the_hull_a_button_goes_to_what_is_better() -> None:
    test = panels(panel="costs", data=table(LABELS, SCORES), t="0.7")
    assert [button.key for button in test.button if button.key.startswith("hull")] == ["hull 2"]
    test.button(key="hull 2").click().run()
    assert test.query_params["t"] == "0.6"
    assert sentence_with(words(test), "0.6", "choice")


def test_the_typed_ratio_has_its_ring_and_its_button() -> None:
    test = panels(panel="costs", data=table(LABELS, SCORES), t="0.9", miss_cost="4")
    figure = json.loads(test.get("plotly_chart")[0].proto.spec)
    ring = next(trace for trace in figure["data"] if trace["type"] == "scatter")
    assert np.allclose(np.frombuffer(base64.b64decode(ring["x"]["bdata"])), np.log10(4))
    test.button(key="cheapest").click().run()
    assert test.query_params["t"] == "0.6"
    test.number_input(key="unknown ratio").set_value(0.25).run()
    assert test.query_params["miss_cost"] == "0.25"
    assert sentence_with(words(test), "1", "4", "60.0%", "0.9")


def test_costs_and_prevalence_are_those_of_the_other_panels() -> None:
    test = panels(data=table(LABELS, SCORES), t="0.5")
    test.number_input(key="month prevalence").set_value(25.0).run()
    test.number_input(key="month miss").set_value(6.0).run()
    test.number_input(key="month alarm").set_value(2.0).run()
    assert [test.query_params[key] for key in ("prevalence", "miss_cost", "alarm_cost")] == ["0.25", "6.0", "2.0"]
    assert test.number_input(key="unknown ratio").value == 3
    assert test.number_input(key="decision prevalence").value == 25
    test.number_input(key="decision ratio").set_value(5.0).run()
    assert test.query_params["miss_cost"] == "10.0"
    assert test.number_input(key="band miss").value == 10


def test_the_forecast_goes_to_what_is_cheaper() -> None:
    data = table([1] * 10 + [0] * 90, [0.9] * 8 + [0.2] * 2 + [0.7] * 9 + [0.1] * 81)
    test = panels(panel="month", data=data, t="0.5", volume="1000", prevalence="0.2", miss_cost="10")
    # 40 misses at 10 and 80 alarms; with everybody alarmed 800; at 0.2 nobody is missed and 80 alarm.
    assert sentence_with(words(test), "0.2", "83.3%")
    test.button(key="cheapest there").click().run()
    assert test.query_params["t"] == "0.2"
    assert sentence_with(words(test), "No other threshold")


def test_the_decision_curve_draws_each_way_to_decide() -> None:
    test = panels(panel="decisions", data=table(LABELS, [10 * score for score in SCORES]), t="5")
    names = [trace["name"] for trace in json.loads(test.get("plotly_chart")[0].proto.spec)["data"]]
    assert names == ["treat all", "treat none", "fixed threshold ≥ 5"]


@pytest.mark.parametrize("label", [1, 0])
def test_one_class_alone_is_said_and_breaks_nothing(label) -> None:
    said = words(panels(data=one_class(label)))
    assert "Undefined: There are no" in said
    assert "undefined" in said


@pytest.mark.parametrize("value", ["x", "nan", "inf", "-1", "0", "1e99"])
def test_nonsense_in_the_address_counts_as_nothing(value) -> None:
    keys = ("miss_cost", "alarm_cost", "prevalence", "volume", "minutes", "per", "t2")
    test = panels(data=table(LABELS, SCORES), t="0.6", **dict.fromkeys(keys, value))
    assert "At 1 : 1 and a prevalence of 60.0%" in words(test)
    assert test.metric[0].label == "Alarms per day"


@pytest.mark.parametrize("name", [NASTY[0], "<b>x</b>", "$x^2$", ":red[x]"])
def test_names_are_shown_and_do_nothing(name) -> None:
    test = panels(panel="weights", data=table(LABELS, SCORES, names=(name, "well")), t="0.6")
    assert name in words(test)
    assert not any(name in part.value for part in (*test.main.markdown, *test.main.caption))


def test_a_positive_that_counts_more_often_moves_the_threshold_and_a_button_goes_there() -> None:
    test = panels(panel="weights", data=table(LABELS, SCORES), t="0.5")
    assert "Threshold ½ now means 0.59988 on" in words(test)  # both classes weigh the same at ×0.667
    test.select_slider(key="times control").set_value(5.0).run()
    assert test.query_params["times"] == "5.0"
    test.button(key="resampled").click().run()
    assert float(test.query_params["t"]) == pytest.approx(1 / 6)
    outside = panels(panel="weights", data=table(LABELS, [10 * score for score in SCORES]), t="0.5")
    assert "lie outside 0 … 1" in words(outside)
