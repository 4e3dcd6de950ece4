"""The page of reports: pages and settings are chosen, and what is saved has them."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.reports import CHAPTERS
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[3]


def document(test: AppTest) -> str:
    """The report in its frame."""
    (frame,) = (one for one in test.get("bidi_component") if "report" in one.proto.component_name)
    return json.loads(frame.proto.json)


def test_a_report_of_the_open_data_has_the_chosen_pages_and_the_goal() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update({"data": "breast_cancer", "t": "0.3", "goal": "corner"})
    test.switch_page("pages/start/report.py").run()
    assert not test.exception
    included = test.button_group(key="included")
    assert included.value == [page for page in CHAPTERS if page in included.value]
    assert "classify/threshold" in included.value
    assert "0.3" in document(test).split("</article>")[0]
    assert not any("one file" in link.proto.label for link in test.main.get("page_link"))  # it is open
    assert "<h2>Appendix: Threshold</h2>" in document(test)
    included.set_value(["classify/curves"]).run()
    assert not test.exception
    assert "<h2>Appendix: Threshold</h2>" not in document(test)
    assert "<h2>Appendix: Curves</h2>" in document(test)


def test_what_the_pages_ask_goes_into_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr("pages.widgets.start.report.report.show_report", lambda *parts: told.append(parts))
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(
        {"data": "breast_cancer", "miss_cost": "5", "t2": "0.7", "hull": "true", "bins": "5", "unbinned": "true"}
    )
    test.switch_page("pages/start/report.py").run()
    assert not test.exception
    _, _, settings, _ = told[-1]
    assert (settings.miss_cost, settings.alarm_cost, settings.second_threshold) == (5, 1, 0.7)
    assert (settings.overlays.hull, settings.binning.bins, settings.unbinned) == (True, 5, True)
    test.query_params.update({"data": "two_methods", "k": "3", "picked": "2"})
    test.run()
    _, _, settings, _ = told[-1]
    assert (settings.rankings.k, settings.query) == (3, "2")


def test_data_without_scores_ask_for_no_threshold() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params["data"] = "digit_masks"
    test.switch_page("pages/start/report.py").run()
    assert not test.exception
    assert test.button_group(key="included").value == ["estimate/overlap"]
    assert not [one for one in test.selectbox if one.label == "Goal"]


def test_predictions_that_are_stated_beside_probabilities_are_compared_in_the_report() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    table = "actual,predicted,p_a,p_b,p_c\na,a,0.5,0.3,0.2\nb,a,0.2,0.6,0.2\nc,c,0.1,0.3,0.6\na,b,0.7,0.2,0.1\n"
    test.query_params["data"] = stored(table)
    assert not test.switch_page("pages/start/report.py").run().error
    assert "<h2>Appendix: Compare systems</h2>" in document(test)


def test_other_data_bring_all_their_chapters_but_those_that_were_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.widgets.start.report.report.show_report", lambda *_: None)
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)

    def included(data: str) -> list[str]:
        test.query_params["data"] = data
        assert not test.run().exception
        return test.button_group(key="included").value

    test.switch_page("pages/start/report.py")
    first = included("breast_cancer")
    assert "estimate/regression" in included("diabetes")
    assert included("breast_cancer") == first
    test.button_group(key="included").set_value(first[1:]).run()
    assert "estimate/regression" in included("diabetes")
    assert included("breast_cancer") == first[1:]
