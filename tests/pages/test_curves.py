"""The page of curves: what it says of every sample, of scores that point the wrong way, and of names nobody trusts."""

import contextlib
import io
import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import read_table
from evalcore.readers.samples import samples
from pages.widgets import downloads, operating_point
from pages.widgets.escape import plain
from pages.widgets.workspace import workspace
from tests.pages.nasty_names import NASTY

ROOT = Path(__file__).parents[2]
SCORED = [sample.id for sample in samples().values() if sample.kind in ("scores", "probabilities")]


def curves(data: str | None = None, **parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(({"data": data} if data else {}) | parameters)
    test.session_state["formulas"] = True  # unfolded
    test.run().switch_page("pages/classify/curves.py").run()
    assert not test.exception
    assert not test.error
    return test


def stored(csv: str) -> str:
    return workspace().save(read_table(csv.encode(), "table.csv"))


def text(test: AppTest) -> str:
    return "\n".join(element.value for element in (*test.main.markdown, *test.main.caption)).replace("\u202f", " ")


def charts(test: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


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
    assert "system" in test.dataframe[0].value or "class" in test.dataframe[0].value
    assert "of a positive and a negative are in the right order" in text(test)


def test_the_twenty_instances_of_the_textbook() -> None:
    said = text(curves("roc_20"))
    assert "**ROC · AUC 0.680**" in said
    assert "68 of 100 pairs of a positive and a negative are in the right order." in said
    assert "6 found, 4 missed, 4 false alarms, 6 dismissed" in said


def test_a_tied_pair_counts_half() -> None:
    assert "14 of 25 pairs of a positive and a negative are in the right order, a tie counting half." in text(
        curves("roc_ties_10")
    )


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
    first, second = curves("breast_cancer", t="0.5"), curves("breast_cancer", t="0.9")
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
    assert f"There is no curve here: the ROC curve is undefined. {reason}" in text(test)
    assert not test.error
    assert "undefined" in text(test)


def test_rows_that_were_left_out_are_counted() -> None:
    test = curves(stored("actual,score\nyes,0.9\nno,0.1\nyes,\n,0.4\nno,0.3\n"))
    assert "2 rows without a label or a score are left out." in text(test)


def test_scores_that_point_the_wrong_way_can_be_turned() -> None:
    data = stored("actual,risk,other\nill,0.1,1\nill,0.3,2\nill,0.6,3\nwell,0.5,4\nwell,0.8,5\nwell,0.9,6\n")
    test = curves(data, t="0.5", roles="actual~actual~~score~risk~other~~positive~ill")
    assert "An AUC of 0.111 is below ½" in text(test)
    assert "If a lower score meant ill, it would be 0.889." in text(test)
    test.button(key="turn the direction").click().run()
    assert "higher_is_positive~False" in test.query_params["roles"]
    assert "t" not in test.query_params
    assert "**ROC · AUC 0.889**" in text(test)
    assert "points the other way" not in text(test)
    assert test.dataframe[0].value["AUC"].tolist() == pytest.approx([8 / 9, 1])


def test_the_table_of_systems_has_the_measures_of_each() -> None:
    table = curves("breast_cancer").dataframe[0].value
    assert table["system"].tolist() == ["logistic_regression", "nearest_neighbours"]
    assert table["rows"].tolist() == [569, 569]
    assert table["Gini"].tolist() == pytest.approx((2 * table["AUC"] - 1).tolist())
    assert all(table["line"].str.startswith("data:image/svg+xml;base64,"))


def test_the_roc_table_has_one_row_a_threshold_with_the_best_and_the_present_one_marked() -> None:
    test = curves("roc_20", t="0.395")
    assert len(test.dataframe) == 2
    table = unfolded(test).dataframe(key="steps").value
    assert len(table) == 21
    assert table.loc[table["cut"] == "best", "threshold"].tolist() == [0.54]
    assert table.loc[table["cut"] == "now", "threshold"].tolist() == [0.4]
    test.selectbox(key="best_by").select("matthews_correlation").run()
    assert (test.dataframe(key="steps").value["cut"] == "best").sum() == 1


def test_a_long_roc_table_is_thinned_and_says_so() -> None:
    rows = "".join(f"{'yes' if place % 3 else 'no'},{place}\n" for place in range(5_000))
    test = unfolded(curves(stored("actual,score\n" + rows), t="4321"))
    table = test.dataframe(key="steps").value
    assert len(table) < 2_010
    assert table.loc[table["cut"].str.contains("now"), "threshold"].tolist() == [4321]
    assert f"{len(table):,} of 5 001 thresholds".replace(",", " ") in text(test)


def test_the_eleven_points() -> None:
    table = curves("roc_20").dataframe[-1].value
    points = [1, 1, 1, 5 / 6, 5 / 6, 5 / 6, 6 / 9, 7 / 11, 8 / 13, 9 / 17, 10 / 19]
    assert table.iloc[0, 1:12].tolist() == pytest.approx(points)
    assert table["mean"][0] == pytest.approx(np.mean(points))


@pytest.mark.parametrize("data", ["breast_cancer", "digits_probabilities"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_python_to_take_away_finds_the_same_numbers(data: str, turned: bool, tmp_path: Path) -> None:
    roles = {}
    if turned and data == "breast_cancer":
        roles["roles"] = "actual~actual~~score~nearest_neighbours~~positive~benign~~higher_is_positive~False"
    test = curves(data, t="0.5", **roles)
    script, printed = tmp_path / "curves.py", io.StringIO()
    script.write_text(test.code[0].value)
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(script))
    area, average, counts = printed.getvalue().splitlines()
    table = test.dataframe[0].value
    assert float(area.split()[1]) == table["AUC"][0]
    assert float(average.split()[1]) == table["AP"][0]
    found = int(float(counts.split("array(")[1].split(")")[0]))
    assert f"{found} found" in text(test)


@pytest.mark.parametrize("first", range(0, len(NASTY), 12))
def test_names_from_a_file_do_nothing(first: int) -> None:
    names = NASTY[first : first + 12]
    header = ",".join(["actual", *(f'"{name}"' for name in names)])
    rows = [(names[0], 3), ("other", 2), (names[0], 1), ("other", 0)]
    csv = "".join(f'"{label}",' + ",".join([str(score)] * len(names)) + "\n" for label, score in rows)
    test = unfolded(curves(stored(f"{header}\n{csv}"), system=names[-1]))
    active = [name for name in names if plain(name) != name]
    for element in (*test.main.markdown, *test.main.caption):
        assert not [name for name in active if len(name) > 2 and name in element.value]
    drawn = json.dumps([trace.get("name") for chart in charts(test) for trace in chart["data"]])
    assert "<script" not in drawn
    assert "<b>x" not in drawn


def test_what_a_browser_sends_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    picked = []
    for sent in (None, {}, {"threshold": "x", "system": 0}, {"threshold": None, "system": 0}, {"threshold": 0.5},
                 {"threshold": float("nan"), "system": 0}, {"threshold": 0.5, "system": [1]}, "text"):  # fmt: skip
        monkeypatch.setattr(operating_point.st, "session_state", {operating_point.KEY: {"pick": sent}})
        operating_point._pick(lambda threshold, place: picked.append((threshold, place)))
    assert picked == []
    sent = {"threshold": 0.25, "system": 1}
    monkeypatch.setattr(operating_point.st, "session_state", {operating_point.KEY: {"pick": sent}})
    operating_point._pick(lambda threshold, place: picked.append((threshold, place)))
    assert picked == [(0.25, 1)]


def test_a_csv_to_take_away_holds_no_formula() -> None:
    import pandas as pd

    csv = downloads.csv_of(pd.DataFrame({"=cmd": ["=1+2", "@x", "plain"], "n": [-1.5, 2, 3]}))
    assert csv.decode("utf-8-sig").splitlines() == ["'=cmd,n", "'=1+2,-1.5", "'@x,2.0", "plain,3.0"]


@pytest.mark.parametrize("page", ["confusion", "threshold", "curves"])
def test_how_to_read_a_page(page: str) -> None:
    test = AppTest.from_function(show_page, args=(page,)).run()
    assert test.expander[0].label == "How to read this"
    assert len(test.markdown[0].value) > 300


def show_page(page: str) -> None:
    from pages.widgets.reading import show_reading

    show_reading(page)
