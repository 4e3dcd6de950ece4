"""Records of decisions on the threshold page: kept by the owner, compared with new data, deleted."""

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import kept_decisions, read_sample
from pages.widgets.classify.threshold import records
from pages.widgets.session.visitor import workspace
from tests.pages.classify.threshold.threshold_page import of_scores, opened
from tests.words import sentence_with


def words(test: AppTest) -> str:
    return "\n".join(each.value for each in (*test.main.markdown, *test.main.caption, *test.error))


def test_a_decision_is_kept_compared_with_new_data_and_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_owner", lambda: None)
    data = of_scores([0.9] * 80 + [0.1] * 20, [0.2] * 100)
    test = opened(data=data, part="Records", t="0.5", goal="Best of a measure", limit1="recall", value1="0.7")
    test.button(key="FormSubmitter:record form-Keep this decision").click().run()
    assert "Give the record a name" in words(test)
    test.text_input(key="record name").input("Spring *audit*")
    test.text_area(key="record reason").input("few <b>misses</b>")
    test.button(key="FormSubmitter:record form-Keep this decision").click().run()
    assert sentence_with(words(test), "of the record")
    assert "<b>" not in words(test)
    assert len(kept_decisions(workspace(), data)) == 1
    assert sentence_with(words(test), "recall", "holds")
    monkeypatch.setattr(records, "visible_uploads", lambda kinds: workspace().list())
    new = of_scores([0.9] * 40 + [0.1] * 60, [0.2] * 100)
    test = opened(data=new, part="Records", t="0.7")
    assert sentence_with(words(test), "95%", "80.0%")
    assert "these data say 40.0" in words(test)
    assert "says prevalence 50.0" in words(test)
    assert "recall ≥ 0.70 does not hold: 40.0" in words(test)
    test.button(key="go to the record").click().run()
    assert test.query_params["t"] == "0.5"
    test.button(key="delete record").click().run()
    assert not kept_decisions(workspace(), data)
    assert "audit" not in words(test)


def test_who_does_not_own_the_data_cannot_change_its_records() -> None:
    data = of_scores([0.9, 0.8], [0.2, 0.1])
    test = opened(data=data, part="Records", record="x.y")
    assert "owner can save records" in words(test)
    assert "record name" not in [each.key for each in test.text_input]
    assert "record" not in test.query_params


def test_a_copy_of_a_sample_keeps_its_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_owner", lambda: None)
    test = opened(data="breast_cancer", part="Records", t="0.25", system="nearest_neighbours")
    test.button(key="copy data").click().run()
    assert not test.exception
    data = test.query_params["data"]
    assert workspace().holds(data)
    assert workspace().load(data).digest == read_sample("breast_cancer").digest
    assert (test.query_params["t"], test.query_params["system"]) == ("0.25", "nearest_neighbours")
    test.text_input(key="record name").input("Spring audit")
    test.button(key="FormSubmitter:record form-Keep this decision").click().run()
    assert len(kept_decisions(workspace(), data)) == 1
    assert sentence_with(words(test), "of the record")
