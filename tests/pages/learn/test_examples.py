"""Stories on their page: the picture of each state, its link, and the link of a step."""

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import METRICS
from evalcore.learning import Number, Step
from evalcore.learning.stories import STORIES
from evalcore.lessons import counts_of
from evalcore.readers import samples
from tests.words import sentence_with

ROOT = Path(__file__).parents[3]
STEPS = [(story.id, at, step) for story in STORIES.values() for at, step in enumerate(story.steps, 1)]
STATES = sorted({(step.page, *sorted(step.settings.items())) for *_, step in STEPS})


def opened(page: str, **address: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(address)
    return test.switch_page(f"pages/{page}.py").run()


def solve(test: AppTest) -> AppTest:
    return next(button for button in test.button if button.label == "Show the solution").click().run()


def test_each_state_has_its_picture() -> None:
    test, seen = opened("learn/examples", story="cancer-test"), set()
    for story, at, step in STEPS:
        if step.page in seen:
            continue
        seen.add(step.page)
        test.query_params.update(story=story, step=str(at))
        solve(test.run())
        assert not test.exception
        assert not test.error
        components = [one for one in test.get("bidi_component") if one.key not in ("tab memory", "palette")]
        drawn = [*test.get("plotly_chart"), *components]
        assert bool(drawn) == step.page.startswith(("classify", "retrieve")), step.page
        assert any("What it teaches" in text.value for text in test.main.markdown)


@pytest.mark.parametrize(
    ("story", "step", "lines"),
    [
        ("roc-20", "1", {"score": 5}),  # the four rows that were asked about, of twenty
        ("roc-20", "2", {"score": 21}),
        ("roc-ties-10", "1", {"score": 4}),  # the next point is asked for
        ("pr-table-14", "1", {"each rank": 5}),
        ("pr-table-14", "2", {"each rank": 14}),
        ("ndcg-table-10", "1", {"this list": 10}),
        ("ndcg-table-10", "2", {"this list": 10, "discount": 10}),
        ("ndcg-table-10", "3", {"ideal list": 10, "this list": 10, "discount": 10}),
    ],
)
def test_a_picture_holds_what_was_explained_up_to_its_step(story: str, step: str, lines: dict[str, int]) -> None:
    (chart,) = solve(opened("learn/examples", story=story, step=step)).get("plotly_chart")
    traces = [one for one in json.loads(chart.proto.spec)["data"] if one.get("name") and one.get("visible", True)]
    assert {re.sub("<.*?>", "", one["name"]): _count(one["y"]) for one in traces} == lines


def _count(values: list | dict[str, str]) -> int:
    """How many values a list holds, or an array as plotly packs it."""
    packed = isinstance(values, dict)
    return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).size if packed else len(values)


@pytest.mark.parametrize("page", sorted({step.page for *_, step in STEPS}))
def test_a_page_shows_each_state_that_leads_to_it_and_reads_all_its_settings(page: str) -> None:
    test = None
    for settings in (dict(state[1:]) for state in STATES if state[0] == page):
        if test is None or "data" not in settings:
            test = opened(page, **settings)
        else:
            test.query_params.clear()
            test.query_params.update(settings)
            test.run()
        assert not test.exception
        assert not test.error
        assert not any("This page needs" in text.value for text in test.main.markdown)
        address = {key: value[0] if isinstance(value, list) else value for key, value in test.query_params.items()}
        assert settings.items() <= address.items()


@pytest.mark.parametrize(("id", "at", "step"), STEPS, ids=[f"{id}-{at}" for id, at, _ in STEPS])
def test_the_table_under_an_answer_holds_the_answer(id: str, at: int, step: Step) -> None:
    if step.page != "classify/confusion" or step.question is None or not isinstance(step.question.answer, Number):
        return
    sample = samples().get(step.settings.get("data", ""))
    counts = counts_of({**(sample.settings if sample else {}), **step.settings}).counts
    measures = [measure for measure in METRICS.values() if measure.family == "counts"]
    assert any(step.question.answer.right(float(measure(counts))) for measure in measures)


def test_the_table_of_sets_has_the_beta_of_its_step() -> None:
    test = opened("learn/examples", story="boolean-methods-a-b", step="4")
    (table,) = (one.proto.body for one in solve(test).get("html") if "<table" in one.proto.body)
    assert ("F2" in table, "F1" in table) == (True, False)


def test_the_index_counts_what_was_answered_and_a_link_opens_a_step() -> None:
    test = opened("learn/examples", story="cancer-test", step="2")
    assert "No alarm" in [heading.value for heading in test.header]
    test.text_input[0].set_value("91 %")
    next(button for button in test.button if button.label == "Check").click().run()
    assert sentence_with(test.warning[0].value, "share of the healthy")
    solve(test)
    assert "You answered 91.0" in test.info[0].value
    (frame,) = (json.loads(one.proto.json) for one in test.main.get("bidi_component") if "chosen" in one.proto.json)
    assert frame["chosen"] == "negative_predictive_value"
    next(button for button in test.button if button.label == "All examples").click().run()
    assert any("1 of 4 answered" in link.proto.label for link in test.main.get("page_link"))
    assert not {"story", "step"} & set(test.query_params)


def test_a_refused_answer_has_no_ruling_under_it_and_what_was_answered_stays_for_who_comes_back() -> None:
    test = opened("learn/examples", story="pr-table-14", step="1")

    def check(typed: str) -> None:
        test.text_input[0].set_value(typed)
        next(button for button in test.button if button.label == "Check").click().run()

    check("2/3")
    assert "Right: 0.667" in test.success[0].value
    check("abc")
    assert "not a number" in test.warning[0].value
    assert not test.success
    kept = [test.query_params.update(step=step) or test.run().text_input[0].value for step in ("2", "1", "2", "1")]
    assert kept == ["", "0.6666666667", "", "0.6666666667"]
    test.query_params.update(story="eight-labels", step="1")
    test.run().radio[0].set_value(1)
    solve(test)
    values = [test.query_params.update(step=step) or test.run().radio for step in ("2", "1")]
    assert ([*values[0]], values[1][0].value) == ([], 1)


def test_a_new_session_takes_over_what_its_tab_remembers_and_nothing_that_is_unusable() -> None:
    def built(order: object, typed: object) -> tuple[str, str]:
        test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
        memory = {"orders": {"rr_ignores_the_rest 0": order}, "typed": {"st-key-answer-accuracy_paradox-0-TP": typed}}
        test.session_state["remembered by the tab"] = memory
        test.query_params["challenge"] = "rr_ignores_the_rest"
        ranked = test.switch_page("pages/learn/challenges.py").run().metric[0].value
        test.query_params["challenge"] = "accuracy_paradox"
        return ranked, test.run().text_input(key="answer accuracy_paradox 0 TP").value

    moved = [1, 0, *range(2, 10)]
    assert built(moved, "17") == ("1.000", "17")
    assert built([1, *moved[1:], 10], 17) == built("1023456789", None) == ("0.500", "")
