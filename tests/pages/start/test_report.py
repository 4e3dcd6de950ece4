"""The page of reports: pages and settings are chosen, and what is saved has them."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.reports import CHAPTERS

ROOT = Path(__file__).parents[3]


def test_a_report_of_the_open_data_has_the_chosen_pages_and_the_goal() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update({"data": "breast_cancer", "t": "0.3", "goal": "corner"})
    test.switch_page("pages/start/report.py").run()
    assert not test.exception
    included = test.multiselect(key="included")
    assert included.value == [page for page in CHAPTERS if page in included.value]
    assert "classify/threshold" in included.value
    assert any("At the current threshold, 0.3" in one.value for one in test.markdown)
    assert any("the threshold can still be dragged" in one.value for one in test.caption)
    included.set_value(["classify/curves"]).run()
    assert not any("dragged" in one.value for one in test.caption)


def test_data_without_scores_ask_for_no_threshold() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params["data"] = "digit_masks"
    test.switch_page("pages/start/report.py").run()
    assert not test.exception
    assert test.multiselect(key="included").value == ["estimate/overlap"]
    assert not [one for one in test.selectbox if one.label == "Goal"]
