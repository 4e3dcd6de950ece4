"""The page of curves: what it says of every sample, of scores that point the wrong way, and of names nobody trusts."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses import dragged_range, picked_point
from evalcore.readers import samples
from evalcore.wording.escaping import plain
from pages.widgets.classify.curves.curves import FIRST, KINDS
from pages.widgets.export import downloads
from tests.pages.application import tables, unfold
from tests.pages.classify.curves.curves_page import charts, curves, stored, text
from tests.pages.nasty_names import NASTY

SCORED = [sample.id for sample in samples().values() if sample.offered and sample.kind in ("scores", "probabilities")]


def in_tab(test: AppTest, name: str) -> AppTest:
    test.query_params["curve"] = test.session_state["curve"] = name
    test.run()
    assert not test.exception
    assert not test.error
    return test


def unfolded(test: AppTest) -> AppTest:
    test.session_state["steps-open"] = True
    return test.run()


@pytest.mark.parametrize("data", SCORED)
def test_every_sample_with_scores_has_both_curves(data: str) -> None:
    test = curves(data)
    roc, precision_recall = charts(test)
    assert all(any(trace.get("meta") for trace in chart["data"]) for chart in (roc, precision_recall))
    assert "ROC · AUC" in text(test)
    assert "Precision–recall · AP" in text(test)
    assert "system" in tables(test)[0] or "class" in tables(test)[0]
    assert "of a positive and a negative are in the right order" in text(test)


def test_the_lines_of_precision_are_told_apart_beside_their_title() -> None:
    titles = [text(curves("roc_20", **at)) for at in ({}, {"precision": "interpolated"}, {"precision": "sawtooth"})]
    named = [re.search(r"Precision–recall · AP .*gray\[(.*?)\]", title)[1] for title in titles]
    both = "thick line: interpolated, thin line: as measured"
    assert named == [both, "line: interpolated", "line: as measured"]


def test_nothing_open_offers_what_fits() -> None:
    test = curves()
    assert not test.get("plotly_chart")
    assert {f"offer {data}" for data in SCORED} <= {button.key for button in test.main.button}


def test_labels_alone_have_no_curves_and_are_told_so() -> None:
    test = curves("eight_labels")
    assert "This page needs" in text(test)
    assert not test.get("plotly_chart")


def test_a_threshold_moves_the_numbers_and_not_the_pictures() -> None:
    # A picture that changes is mounted anew by the browser and loses its zoom.
    first, second = curves("breast_cancer", t="0.5"), curves("breast_cancer", t="0.4")
    protos = [[chart.proto.SerializeToString() for chart in test.get("plotly_chart")] for test in (first, second)]
    assert protos[0] == protos[1]
    assert text(first) != text(second)


@pytest.mark.parametrize(("labels", "reason"), [("yes", "All 3 rows are yes"), ("no", "None of the 3 rows is yes")])
def test_one_class_only_is_said_calmly(labels: str, reason: str) -> None:
    rows = "".join(f"{labels},{score}\n" for score in (0.2, 0.4, 0.9))
    data = stored("actual,score\n" + rows)
    test = curves(data, roles="actual~actual~~score~score~~positive~yes" if labels == "yes" else "")
    if labels == "no":
        test = curves(stored("actual,score\nyes,\n" + rows), roles="actual~actual~~score~score~~positive~yes")
    assert f"There is no curve: the ROC curve is undefined. {reason}" in text(test)
    assert not test.error
    assert "undefined" in text(test)


def test_scores_that_point_the_wrong_way_can_be_turned() -> None:
    data = stored("actual,risk,other\nill,0.1,1\nill,0.3,2\nill,0.6,3\nwell,0.5,4\nwell,0.8,5\nwell,0.9,6\n")
    test = curves(data, t="0.5", roles="actual~actual~~score~risk~other~~positive~ill")
    assert "0.111 is below ½" in text(test)
    assert "If lower scores meant ill, it would be 0.889 (dotted line)." in text(test)
    assert [t for t in charts(test)[0]["data"] if (t.get("meta") or {}).get("overlay") == "inverted"]
    test.button(key="turn the direction").click().run()
    assert "higher_is_positive~False" in test.query_params["roles"]
    assert "t" not in test.query_params
    assert re.search(r"ROC · .*AUC.* 0\.889\*\*", text(test))
    assert "is below ½" not in text(test).split("- **ROC**")[0]
    assert not [t for t in charts(test)[0]["data"] if (t.get("meta") or {}).get("overlay") == "inverted"]
    assert tables(test)[0]["AUC"].tolist() == pytest.approx([8 / 9, 1], abs=5.1e-4)


def test_the_table_of_systems_has_the_measures_of_each() -> None:
    table = tables(curves("breast_cancer"))[0]
    assert table["system"].tolist() == ["logistic_regression", "nearest_neighbours"]
    assert table["rows"].tolist() == [569, 569]
    assert table["Gini"].tolist() == pytest.approx((2 * table["AUC"] - 1).tolist(), abs=2e-3)
    assert all(table["line"].str.startswith("data:image/svg+xml;base64,"))


def test_the_roc_table_has_one_row_a_threshold_with_the_best_and_the_present_one_marked() -> None:
    test = curves("roc_20", t="0.395")
    assert len(tables(test)) == 1
    table = tables(unfolded(test), "steps")[0]
    assert len(table) == 21
    assert table.loc[table["mark"] == "best", "threshold"].tolist() == [0.54]
    assert table.loc[table["mark"] == "current", "threshold"].tolist() == [0.4]
    test.selectbox(key="goal").select("corner").run()
    table = tables(test, "steps")[0]
    # Two thresholds are equally near to the corner; the one with fewer errors is the best of them, 0.4 is in use.
    assert table.loc[table["mark"].str.contains("best|as good"), "threshold"].tolist() == [0.51, 0.4]
    assert "tied with 1 other." in text(test)


def test_the_eleven_points() -> None:
    test = curves("roc_20")
    assert len(tables(test)) == 1  # worked out when unfolded
    test.session_state["levels"] = True
    table = tables(test.run())[-1]
    points = [1, 1, 1, 5 / 6, 5 / 6, 5 / 6, 6 / 9, 7 / 11, 8 / 13, 9 / 17, 10 / 19]
    assert table.iloc[0, 1:12].tolist() == pytest.approx(points, abs=5.1e-4)
    assert table["mean"][0] == pytest.approx(np.mean(points), abs=5.1e-4)


@pytest.mark.parametrize("data", ["breast_cancer", "roc_ties_10", "digits_probabilities"])
def test_every_other_curve_opens_in_its_tab_and_nothing_else_is_drawn(data: str) -> None:
    test = curves(data)
    for name in KINDS:
        (chart,) = charts(in_tab(test, name))
        assert any((trace.get("meta") or {}).get("system") is not None for trace in chart["data"])
        assert "threshold" in text(test).casefold()


def test_another_threshold_leaves_the_picture_of_a_tab_alone() -> None:
    first, second = curves("roc_20", t="0.5"), curves("roc_20", t="0.37")
    for name in KINDS:
        pages = [in_tab(test, name) for test in (first, second)]
        protos = [test.get("plotly_chart")[0].proto.SerializeToString() for test in pages]
        assert protos[0] == protos[1]


@pytest.mark.parametrize("rows", [[("yes", 1), ("no", 1)], [("yes", 2), ("yes", 1)], [("yes", 1e308), ("no", -1e308)]])
def test_scores_that_tell_nothing_are_drawn_or_said(rows: list) -> None:
    data = stored("actual,score\n" + "".join(f"{label},{score}\n" for label, score in rows))
    test = curves(data, roles="actual~actual~~score~score~~positive~yes", band="simultaneous", hull="true")
    one_class = len({label for label, _ in rows}) == 1
    for name in (FIRST, *KINDS):
        assert ("There is no curve" in text(in_tab(test, name))) == one_class


def test_two_hundred_systems_open_and_twelve_are_drawn() -> None:
    rng = np.random.default_rng(3)
    labels = rng.random(60) < 0.4
    columns = {f"s{place}": rng.normal(labels, 1 + place / 50).round(3) for place in range(200)}
    frame = pd.DataFrame({"actual": np.where(labels, "yes", "no"), **columns})
    roles = "actual~actual~~score~" + "~".join(columns) + "~~positive~yes"
    test = curves(stored(frame.to_csv(index=False)), system="s150", roles=roles)
    drawn = {trace["meta"]["system"] for trace in charts(test)[0]["data"] if trace.get("meta")}
    assert len(drawn) == 12
    assert 150 in drawn
    assert "12 of 200 systems are drawn; the table has them all." in text(test)
    table = tables(test)[0]
    assert len(table) == 200
    assert set(np.flatnonzero(table["line"] != "")) == drawn


@pytest.mark.parametrize("sign", ["", "-"])
def test_the_gap_between_classes_is_of_one_system_whichever_way_its_scores_go(sign: str) -> None:
    rows = "".join(f"{'yn'[k % 2]},{sign}0.{k + 1},{sign}0.{9 - k}\n" for k in range(8))
    test = curves(stored("actual,a,b\n" + rows), curve="KS")
    assert "with a lower score (or a higher one, where low scores are positive)" in text(test)
    (chart,) = test.get("plotly_chart")
    assert chart.proto.alt.startswith("KS curve of 1 system: a. ")


def test_systems_on_different_rows_are_not_ranked() -> None:
    rows = "y,0.6,0.25\nn,0.5,\ny,0.45,0.1\nn,0.3,0.4\ny,0.2,\nn,0.1,0.3\n"
    apart, same = (curves(stored("actual,a,b\n" + csv)) for csv in (rows, rows.replace(",\n", ",0.5\n")))
    assert "The systems have different rows, so none is marked as the best" in text(apart)
    assert "different rows" not in text(same)
    marked = [["best" in column for column in tables(page, "systems")[0].attrs["columns"]] for page in (apart, same)]
    assert not any(marked[0])
    assert any(marked[1])


@pytest.mark.parametrize("first", range(0, len(NASTY), 12))
def test_names_from_a_file_do_nothing(first: int) -> None:
    names = NASTY[first : first + 12]
    header = ",".join(["actual", *(f'"{name}"' for name in names)])
    rows = [(names[0], 0.85), ("other", 0.6), (names[0], 0.35), ("other", 0.15)]
    csv = "".join(f'"{label}",' + ",".join([str(score)] * len(names)) + "\n" for label, score in rows)
    test = unfolded(curves(stored(f"{header}\n{csv}"), system=names[-1]))
    active = [name for name in names if plain(name) != name]
    for element in (*test.main.markdown, *test.main.caption):
        assert not [name for name in active if len(name) > 2 and name in element.value]
    drawn = json.dumps([trace.get("name") for chart in charts(test) for trace in chart["data"]])
    assert len(charts(test)) == 2
    assert "<script" not in drawn
    assert "<b>x" not in drawn


def test_what_a_browser_sends_is_checked() -> None:
    for sent in (None, {}, {"threshold": "x", "system": 0}, {"threshold": None, "system": 0}, {"threshold": 0.5},
                 {"threshold": float("nan"), "system": 0}, {"threshold": 0.5, "system": [1]}, "text"):  # fmt: skip
        assert picked_point(sent) is None
    assert picked_point({"threshold": 0.25, "system": 1}) == (0.25, 1)


def test_a_range_that_a_browser_sends_is_checked() -> None:
    for sent in ({"low": 0.5, "high": 0.2}, {"low": -1, "high": 1}, {"low": 0, "high": "x"}, {"along": ["x"]},
                 {"low": float("nan"), "high": 1}, {"low": 0.2, "high": 0.2}, {"along": "z"}, {"along": None},
                 {"low": None}, {"high": []}, None, "text"):  # fmt: skip
        if isinstance(sent, dict):
            sent = {"low": 0.1, "high": 0.3, "along": "x"} | sent
        assert dragged_range(sent) is None
    assert dragged_range({"low": 0.1, "high": 0.3, "along": "y"}) == ("tpr", 0.1, 0.3)


def test_a_csv_to_take_away_holds_no_formula() -> None:
    csv = downloads.csv_of(pd.DataFrame({"=cmd": ["=1+2", "@x", "plain"], "n": [-1.5, 2, 3]}))
    assert csv.decode("utf-8-sig").splitlines() == ["'=cmd,n", "'=1+2,-1.5", "'@x,2.0", "plain,3.0"]


def test_a_picture_is_saved_under_the_name_of_the_data_set_in_the_format_of_choice() -> None:
    test = unfold(curves(data="breast_cancer"))

    def camera() -> dict:
        return json.loads(test.get("plotly_chart")[0].proto.config)["toImageButtonOptions"]

    assert camera() == {"format": "svg", "filename": "Breast cancer two models roc", "scale": 2}
    test.segmented_control(key="picture format").set_value("PNG").run()
    assert camera()["format"] == "png"


def test_a_click_beside_an_axis_opens_no_field_for_a_number() -> None:
    config = json.loads(curves(data="breast_cancer").get("plotly_chart")[0].proto.config)
    assert config["showAxisRangeEntryBoxes"] is False


def test_heading_table_and_script_have_one_interval_of_the_area() -> None:
    for address, interval in (({}, "0.984"), ({"area_interval": "plain"}, "0.987")):
        test = curves("breast_cancer", **address)
        assert f"({interval}–" in text(test)
        assert interval in tables(test)[0]["AUC interval"].iloc[0]
