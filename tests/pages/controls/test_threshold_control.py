"""The slider and the field of the threshold, as the page of the curves shows them."""

import html
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.classification import ScoredLabels
from evalcore.readers import read_sample
from evalcore.wording.numbers import threshold_text
from tests.pages.classify.threshold.threshold_page import of_scores

ROOT = Path(__file__).parents[3]
INF = float("inf")


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/curves.py").run()
    assert not test.exception
    return test


def captions(test: AppTest) -> str:
    return html.unescape(" ".join(c.value for c in test.main.caption)).replace("\u2060", "").replace("\u202f", "")


def slider(test: AppTest):
    return test.select_slider(key="threshold slider")


def distinct_scores() -> list[float]:
    rows = read_sample("roc_20").scored_arrays(None)
    scored = ScoredLabels.from_arrays(rows.labels, rows.scores)
    return sorted({*scored.positive_scores, *scored.negative_scores})


def test_every_step_of_the_slider_is_a_distinct_score_and_infinity() -> None:
    assert slider(opened(data="roc_20")).options == [*map(threshold_text, distinct_scores()), "∞"]


def test_where_lower_is_positive_the_infinity_is_at_the_other_end() -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=False)
    options = slider(opened(data="roc_20", roles=roles.to_text())).options
    assert options[0] == "−∞"
    assert options[1:] == slider(opened(data="roc_20")).options[:-1]


@pytest.mark.parametrize("distinct", [999, 1000])
def test_up_to_a_thousand_distinct_scores_each_is_a_step(distinct) -> None:
    test = opened(data=of_scores([k / 4 for k in range(distinct)], [1 / 4]))
    assert slider(test).options == [*(threshold_text(k / 4) for k in range(distinct)), "∞"]
    assert slider(test).help.replace("\u202f", "").startswith(f"{distinct} distinct scores")


@pytest.mark.parametrize("threshold", ["0.25", "777.25", "1500.75", "inf"])
def test_of_more_the_slider_has_a_thousand_with_the_present_one_among_them(threshold) -> None:
    test = opened(data=of_scores([k / 4 for k in range(8001)], [1 / 4]), t=threshold)
    assert len(slider(test).options) in (1000, 1001)
    assert slider(test).value == float(threshold)
    assert threshold_text(float(threshold)) in slider(test).options
    assert "steps over 8001 distinct scores" in slider(test).help.replace("\u202f", "")


@pytest.mark.parametrize(
    ("threshold", "score"), [("0.54", 0.54), ("0.535", 0.54), ("0.95", INF), ("-2", 0.1), ("inf", INF), ("-inf", 0.1)]
)
def test_the_slider_shows_the_threshold_in_place_of_the_score_with_the_same_counts(threshold, score) -> None:
    shown = slider(opened(data="roc_20", t=threshold))
    assert shown.value == float(threshold)
    assert threshold_text(float(threshold)) in shown.options
    assert (threshold_text(score) in shown.options) == (score == float(threshold))


def test_the_slider_writes_the_score_into_the_address() -> None:
    test = opened(data="roc_20")
    slider(test).set_value(0.54).run()
    assert test.query_params["t"] == "0.54"


def test_the_field_takes_any_value_exactly() -> None:
    test = opened(data="roc_20")
    test.number_input(key="threshold field").set_value(0.123456789012345).run()
    assert test.query_params["t"] == "0.123456789012345"
    assert test.number_input(key="threshold field").value == 0.123456789012345
    assert slider(test).value == 0.123456789012345


def test_at_infinity_the_field_is_empty_and_stays_harmless() -> None:
    test = opened(data="roc_20", t="inf")
    assert test.number_input(key="threshold field").value is None
    test.run()
    assert not test.exception
    assert slider(test).value == INF


def test_scores_that_differ_in_the_tenth_digit_are_steps_of_their_own() -> None:
    test = opened(data=of_scores([0.12345678901, 0.5], [0.12345678902, 0.1]), t="0.12345678902")
    assert slider(test).options == ["0.1", "0.12345678901", "0.12345678902", "0.5", "∞"]
    slider(test).set_value(0.12345678901).run()
    assert test.query_params["t"] == "0.12345678901"
