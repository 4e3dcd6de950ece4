"""The page of probabilities: every part on every sample, what it offers instead, its address, and untrusted names."""

import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import DataSet, roles_of, samples
from evalcore.wording.escaping import plain
from pages.widgets.export import downloads
from tests.pages.application import application, tables
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved, stored

PARTS = ("Worst rows", "Brier score in parts", "Each class", "Costs", "Recalibrate")
USABLE = ("breast_cancer", "digits_probabilities", "payments", "rare_digit", "roc_20", "roc_ties_10")
THREE = "actual,p_a,p_b,p_c\na,0.5,0.3,0.2\nb,0.2,0.7,0.3\nc,0.1,0.1,0.8\na,0.9,0.05,0.05\nb,0.6,0.3,0.1\nc,0,0.9,0.1\n"


def probabilities(data: str | None = None, unfolded: bool = False, **parameters: str) -> AppTest:
    test = application()
    test.query_params.update(({"data": data} if data else {}) | parameters)
    if unfolded:
        test.session_state["formulas"] = True
    test.switch_page("pages/classify/probabilities.py").run()
    assert not test.exception
    return test


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.markdown, *test.main.caption))
    return (said + "".join(table.proto.body for table in test.get("html"))).replace("\u202f", " ").replace("\xa0", " ")


def picture(test: AppTest) -> str:
    return test.get("plotly_chart")[0].proto.alt


def charts(test: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


@pytest.mark.parametrize("data", USABLE)
def test_every_part_of_every_sample_is_drawn(data: str) -> None:
    test = probabilities(data)
    for part in PARTS:
        test.query_params["probabilities_part"] = test.session_state["probabilities_part"] = part
        test.run()
        assert not test.exception
        assert not test.error
        assert charts(test)


def test_the_page_shows_verdict_measures_formulas_and_what_was_clipped() -> None:
    said = text(probabilities(stored("actual,score\nyes,0.5\nno,0.25\nno,0.5\nyes,0.75\n"), unfolded=True))
    for shown in ("Mean predicted probability of yes", "<b>0.490</b>", "<b>0.981</b>", "<b>0.156</b>",
                  r"\ln 0.5 + \ln 0.75"):  # fmt: skip
        assert shown in said
    assert "<b>0.708</b>" in text(
        probabilities(stored("actual,score\nyes,0.5\nno,0.25\nno,0.5\nyes,0.75\n"), unit="bits")
    )
    infinite = text(probabilities(stored("actual,score\nyes,1\nno,0\nyes,0\nno,0.3\nyes,0.8\nno,0.2\n"), clip="none"))
    assert "<b>∞</b>" in infinite


def test_nothing_open_offers_what_fits() -> None:
    offered = {button.key for button in probabilities().main.button}
    assert {f"offer {data}" for data in USABLE} <= offered
    assert "This page needs" in text(probabilities("cancer_test"))


def test_scores_are_no_probabilities_and_become_some_in_one_click() -> None:
    test = probabilities("glucose_10")
    assert "holds 28&#46;9 in line 2" in test.error[0].value
    assert not charts(test)
    test.button(key="make platt").click().run()
    assert test.query_params["made"] == "platt"
    assert not test.error
    assert "They were converted by Platt scaling" in text(test)
    test.query_params["probabilities_part"] = test.session_state["probabilities_part"] = "Recalibrate"
    test.run()
    assert charts(test)[1]["layout"]["xaxis"]["title"]["text"] == "score, glucose"
    test.button(key="as they are").click().run()
    assert "made" not in test.query_params
    assert test.error


def test_rows_that_do_not_add_up_are_refused_and_can_be_divided() -> None:
    test = probabilities(stored(THREE))
    assert "line 3&#44; where they add up to 1&#46;2" in test.error[0].value
    test.main.button[0].click().run()
    assert test.query_params["normalise"] == "1"
    assert "1 row was divided by its sum." in text(test)
    assert charts(test)
    test.button(key="as they are").click().run()
    assert test.error
    nothing = probabilities(stored(THREE.replace("b,0.2,0.7,0.3", "b,0,0,0")), normalise="1")
    assert "All probabilities are 0 in line 3" in nothing.error[0].value
    assert not charts(nothing)


def test_weights_that_are_all_zero_leave_no_row_that_counts() -> None:
    test = probabilities(stored("actual,p_yes,p_no,weight\nyes,0.75,0.25,0\nno,0.5,0.5,0\nno,0.25,0.75,0\n"))
    assert not test.exception
    assert "every weight is 0" in test.header[0].value


def test_one_class_only_cannot_be_recalibrated() -> None:
    test = probabilities(stored("actual,score\nyes,0.9\nyes,0.8\nyes,0.3\n"), probabilities_part="Recalibrate")
    assert "recalibration needs" in test.info[0].value
    assert not test.error


def test_edges_that_cannot_be_used_are_told_and_ten_bins_are_shown() -> None:
    for typed in ("0.5, 0.2", ""):
        test = probabilities("breast_cancer", binning="own edges", edges=typed)
        assert "10 bins of equal width" in picture(test)
        assert "Type increasing numbers" in text(test)


def test_edges_of_ones_own_and_equal_counts_bin_the_picture() -> None:
    own = probabilities("breast_cancer", binning="own edges", edges="0.2, 0.6")
    assert "3 bins with edges of your own" in picture(own)
    dots = next(trace for trace in charts(own)[0]["data"] if trace.get("name") == "as predicted")
    assert len(dots["customdata"]) == 3
    assert "10 bins of equal count" in picture(probabilities("breast_cancer", binning="equal count"))


def test_a_class_is_asked_for_and_the_side_bar_knows() -> None:
    test = probabilities("digits_probabilities", system="p_3", probabilities_part="Each class")
    assert "probability of 3: 10.1 %" in text(test)
    assert len(tables(test)[0]) == 10
    assert test.sidebar.selectbox[1].value == "p_3"
    box = next(box for box in test.main.selectbox if box.key == "class that is asked for")
    box.set_value(0).run()
    assert "system" not in test.query_params
    assert test.sidebar.selectbox[1].value is None  # all classes, and not the first
    assert "Mean probability of the most probable class" in text(test)


def test_the_worst_rows_say_where_their_file_is_and_how_many_it_has() -> None:
    said = text(probabilities("breast_cancer", probabilities_part="Worst rows"))
    assert "Under *Share*: the 569 worst rows with all columns, as a file." in said


def test_what_is_not_open_is_not_worked_out(monkeypatch) -> None:
    def never(*_, **__):
        raise AssertionError

    monkeypatch.setattr("pages.widgets.classify.probabilities.probabilities._fitted", never)
    monkeypatch.setattr("pages.widgets.classify.probabilities.probabilities._class_table", never)
    assert charts(probabilities("roc_20", probabilities_part="Worst rows"))


@pytest.mark.parametrize(
    "address",
    [
        {"bins": "nan", "binning": "x", "clip": "-1", "unit": "?", "level": "2", "draw": "inf"},
        {"bins": "1e300", "draw": "-5", "folds": "nan", "recalibrate": "x", "probabilities_part": "x", "worst": "nan"},
        {"made": "x", "normalise": "x", "system": "nobody", "unbinned": "maybe", "worst": "1e300"},
        {"probabilities_part": "Recalibrate", "folds": "1e9", "recalibrate": "isotonic", "bins": "0"},
    ],
)
@pytest.mark.parametrize("data", ["roc_ties_10", "digits_probabilities"])
def test_an_address_nobody_checked_shows_the_page(data: str, address: dict[str, str]) -> None:
    test = probabilities(data, **address)
    assert not test.error
    assert charts(test)


@pytest.mark.parametrize("part", PARTS)
def test_names_from_a_file_do_nothing(part: str) -> None:
    names = sorted(set(NASTY), key=NASTY.index)
    rows = np.random.default_rng(1).dirichlet(np.ones(len(names)), 3 * len(names))
    frame = pd.DataFrame(rows, columns=[f"p{place}" for place in range(len(names))])
    frame.insert(0, "actual", names * 3)
    pairs = tuple((f"p{place}", name) for place, name in enumerate(names))
    data = saved(DataSet.of(frame, "names.csv", roles=roles_of(actual="actual", probability=pairs)))
    active = [name for name in names if plain(name) != name and len(name) > 2]
    for place in (None, 7 * PARTS.index(part)):
        test = probabilities(data, probabilities_part=part, **({} if place is None else {"system": f"p{place}"}))
        assert not test.error
        said = [
            element.value
            for element in (*test.main.markdown, *test.main.caption)
            if "A probability" not in element.value
        ]
        assert not [name for name in active for one in said if name in one]
        assert "<script" not in json.dumps([trace.get("name") for chart in charts(test) for trace in chart["data"]])


def test_the_numbers_can_be_taken_away(monkeypatch) -> None:
    taken = {}

    def take(name, table, code, others=None, **_):
        taken.update({"numbers": table()} | {title: other() for title, other in (others or {}).items()})

    monkeypatch.setattr(downloads, "show_downloads", take)
    probabilities("breast_cancer")
    assert {"Log-loss", "Rows clipped"} <= set(taken["numbers"]["measure"])
    assert taken["Bins"]["rows"].sum() == 569
    assert "file: logistic_regression" in taken["Worst rows"]
    assert list(taken["Each class"]["class"]) == ["benign", "malignant"]


def test_every_sample_of_these_kinds_is_tried_here() -> None:
    kinds = {
        sample.id for sample in samples().values() if sample.offered and sample.kind in ("scores", "probabilities")
    }
    assert kinds == {*USABLE, "glucose_10", "shot_detection"}  # whose scores are no probabilities


def test_costs_stand_in_the_address_and_a_spoilt_one_counts_as_none() -> None:
    test = probabilities("digits_probabilities", probabilities_part="Costs", class_costs="8-1-20")
    assert "are cheaper: 0.052 per row**, against 0.082 by the most probable class; 28 of" in text(test)
    test.selectbox("cost actual").set_value(2)
    test.run()
    next(one for one in test.number_input if one.label == "Costs").set_value(7.0).run()
    assert test.query_params["class_costs"] == "8-1-20,2-1-7"
    spoilt = probabilities("digits_probabilities", probabilities_part="Costs", class_costs="8-99-x")
    assert "The most probable class is the cheapest decision for every row" in text(spoilt)
    assert "class_costs" not in spoilt.query_params


@pytest.mark.parametrize("kind", ["probability", "bar"])
def test_a_link_opens_the_rows_of_a_bin_or_of_a_bar(kind: str) -> None:
    shown = probabilities("breast_cancer", selected=f"{kind}~0.1~0.2")
    assert any("Probability 0.1–0.2" in one.value.replace("\u2060", "") for one in shown.markdown)
