"""The page of probabilities: its numbers on every sample, what it refuses and offers, and its code."""

import contextlib
import io
import json
import math
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as peer
from streamlit.testing.v1 import AppTest

from evalcore.readers import DataSet, Roles, read_table
from evalcore.readers.samples import samples
from evalcore.wording.escaping import plain
from pages.widgets.export import downloads
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved, stored

ROOT = Path(__file__).parents[4]
PARTS = ("Worst rows", "Brier score in parts", "Each class", "Recalibrate")
USABLE = ("breast_cancer", "digits_probabilities", "roc_20", "roc_ties_10")
THREE = "actual,p_a,p_b,p_c\na,0.5,0.3,0.2\nb,0.2,0.7,0.1\nc,0.1,0.1,0.8\na,0.9,0.05,0.05\nb,0.6,0.3,0.1\nc,0,0.9,0.1\n"


def probabilities(data: str | None = None, unfolded: bool = False, **parameters: str) -> AppTest:
    # The first run is of another page, which has no use for the settings of this one.
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    test.query_params.update(({"data": data} if data else {}) | parameters)
    if unfolded:
        test.session_state["formulas"] = True
    test.switch_page("pages/classify/probabilities.py").run()
    assert not test.exception
    return test


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.markdown, *test.main.caption))
    return (said + "".join(table.proto.body for table in test.get("html"))).replace("\u202f", " ").replace("\xa0", " ")


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


def test_the_losses_are_those_of_scikit_learn(monkeypatch) -> None:
    frame = pd.read_csv(ROOT / "sample_data" / "digits_probabilities.csv")
    columns = [f"p_{digit}" for digit in range(10)]
    log = peer.log_loss(frame["actual"], np.clip(frame[columns].to_numpy(), 1e-15, 1))
    assert f"<b>{log:.3f}</b>" in text(probabilities("digits_probabilities"))
    frame = pd.read_csv(ROOT / "sample_data" / "breast_cancer.csv")
    brier = peer.brier_score_loss(frame["actual"] == "malignant", frame["logistic_regression"])
    assert f"<b>{brier:.3f}</b>" in text(probabilities("breast_cancer", system="logistic_regression"))


def test_a_yes_no_loss_by_hand() -> None:
    # −(ln ½ + ln ¾ + ln ½ + ln ¾) / 4 and ((½)² + (¼)² + (½)² + (¼)²) / 4
    said = text(probabilities(stored("actual,score\nyes,0.5\nno,0.25\nno,0.5\nyes,0.75\n"), unfolded=True))
    assert "<b>0.490</b>" in said
    assert "<b>0.981</b>" in said
    assert "<b>0.156</b>" in said
    assert r"\ln 0.500 + \ln 0.750 + \ln 0.500 + \ln 0.750" in said
    assert "2.00 bits" not in said


def test_bits_are_nats_by_the_logarithm_of_two() -> None:
    assert "<b>0.708</b>" in text(
        probabilities(stored("actual,score\nyes,0.5\nno,0.25\nno,0.5\nyes,0.75\n"), unit="bits")
    )


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
    assert "were made of them by Platt’s curve" in text(test)
    test.query_params["probabilities_part"] = test.session_state["probabilities_part"] = "Recalibrate"
    test.run()
    assert charts(test)[1]["layout"]["xaxis"]["title"]["text"] == "score, glucose"
    test.button(key="as they are").click().run()
    assert "made" not in test.query_params
    assert test.error


def test_rows_that_do_not_add_up_are_refused_with_the_first_and_can_be_divided() -> None:
    data = stored(THREE.replace("b,0.2,0.7,0.1", "b,0.2,0.7,0.3"))
    test = probabilities(data)
    assert "line 3&#44; where they add up to 1&#46;2" in test.error[0].value
    test.main.button[0].click().run()
    assert test.query_params["normalise"] == "1"
    assert "1 row was divided by its sum." in text(test)
    assert charts(test)
    test.button(key="as they are").click().run()
    assert test.error


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("b,-0.2,0.7,0.5", "Column &#34;p&#95;a&#34; holds &#45;0&#46;2 in line 3"),
        ("b,0,0,0", "All probabilities are 0 in line 3"),
    ],
)
def test_rows_that_are_no_probabilities_name_the_column_and_the_line(row: str, sentence: str) -> None:
    test = probabilities(stored(THREE.replace("b,0.2,0.7,0.1", row)), normalise="1")
    assert sentence in test.error[0].value
    assert not charts(test)


def test_a_class_without_a_column_is_left_out_and_counted() -> None:
    frame = pd.DataFrame({"actual": list("abcab"), "a": [0.9, 0.2, 0.5, 0.6, 0.1], "b": [0.1, 0.8, 0.5, 0.4, 0.9]})
    dataset = DataSet.of(frame, "two.csv")
    assert dataset.kind == "probabilities"
    said = text(probabilities(saved(dataset)))
    assert "1 row has a class without a column of probabilities and is left out" in said
    assert "of 4 rows" in said


def test_a_sure_error_is_clipped_and_said_and_infinite_without_clipping() -> None:
    data = stored("actual,score\nyes,1\nno,0\nyes,0\nno,0.3\nyes,0.8\nno,0.2\n")
    said = text(probabilities(data))
    assert "1 row clipped below δ = 1e-15; 1 row gave 0 to its own class" in said
    assert "without clipping the log-loss would be infinite" in said
    open_ended = text(probabilities(data, clip="none"))
    assert "<b>∞</b>" in open_ended
    assert "Nothing is clipped: 1 row gave 0 to its own class, so the log-loss is infinite." in open_ended


def test_one_class_only_has_no_skill_and_no_recalibration() -> None:
    data = stored("actual,score\nyes,0.9\nyes,0.8\nyes,0.3\n")
    test = probabilities(data, probabilities_part="Recalibrate")
    assert "All rows have one class" in text(test)
    assert "recalibration needs" in test.info[0].value
    assert not test.error


def test_rows_that_all_say_the_same_are_told_so() -> None:
    said = text(probabilities(stored("actual,score\nyes,0.5\nno,0.5\nyes,0.5\nno,0.5\n")))
    assert "Every row says the same" in said
    assert "It is worth what the base rate is" in said


def test_weights_count_rows_and_a_weight_of_two_is_the_row_twice() -> None:
    one = probabilities(stored("actual,score,weight\nyes,0.9,2\nno,0.8,1\nyes,0.3,1\nno,0.1,3\n"))
    rows = "yes,0.9\nyes,0.9\nno,0.8\nyes,0.3\n" + 3 * "no,0.1\n"
    two = probabilities(stored("actual,score\n" + rows))
    assert "Rows are weighted by weight" in text(one)
    values = [text(test).split("<table")[1].split("<b>")[1:7] for test in (one, two)]
    assert [value[:5] for value in values[0]] == [value[:5] for value in values[1]]


def test_rows_of_weight_0_are_neither_clipped_nor_among_the_worst() -> None:
    test = probabilities(stored("actual,score,weight\nyes,0,0\nno,0.8,1\nyes,0.3,1\nno,0.1,3\n"))
    assert "No row had to be clipped" in text(test)
    assert test.dataframe[0].value["row"].tolist() == ["line 3", "line 4", "line 5"]


def test_where_lower_scores_are_positive_the_rest_to_one_is_taken() -> None:
    data = stored("actual,score\nyes,0.1\nno,0.9\nyes,0.2\nno,0.7\n")
    test = probabilities(data, roles="actual~actual~~score~score~~positive~yes~~higher_is_positive~False")
    assert "1 − score is taken as the probability" in text(test)
    assert "<b>0.198</b>" in text(test)


@pytest.mark.parametrize("typed", ["0.5, 0.2", "x", "", "2", "0.5,,0.5", "nan", "x" * 3000])
def test_edges_that_cannot_be_used_are_told_and_ten_bins_are_shown(typed: str) -> None:
    test = probabilities("breast_cancer", binning="own edges", edges=typed)
    assert "10 bins of equal width" in text(test)
    if typed:
        assert "Edges are rising numbers" in text(test)


def test_edges_of_ones_own_and_equal_counts_bin_the_picture() -> None:
    own = probabilities("breast_cancer", binning="own edges", edges="0.2, 0.6")
    assert "3 bins with edges of your own" in text(own)
    dots = next(trace for trace in charts(own)[0]["data"] if trace.get("name") == "as stated")
    assert len(dots["customdata"]) == 3
    assert "10 bins of equal count" in text(probabilities("breast_cancer", binning="equal count"))


def test_a_class_is_asked_for_and_the_side_bar_knows() -> None:
    test = probabilities("digits_probabilities", system="p_3", probabilities_part="Each class")
    assert "(3)" in text(test)
    assert len(test.dataframe[0].value) == 10
    assert test.sidebar.selectbox[1].value == "p_3"
    box = next(box for box in test.main.selectbox if box.key == "class that is asked for")
    box.set_value(0).run()
    assert "system" not in test.query_params
    assert test.sidebar.selectbox[1].value is None  # all classes, and not the first
    assert "the most probable class is right" in text(test)


def test_an_infinite_loss_is_not_called_a_difference_by_chance() -> None:
    data = stored("actual,score\nyes,1\nno,0\nyes,0\nno,0.3\nyes,0.8\nno,0.2\n")
    said = text(probabilities(data, clip="none", probabilities_part="Recalibrate"))
    assert "An infinite log-loss cannot be compared" in said
    assert "could not be chance" not in said


def test_what_is_not_open_is_not_worked_out(monkeypatch) -> None:
    def never(*_, **__):
        raise AssertionError

    monkeypatch.setattr("pages.widgets.classify.probabilities.recalibration.recalibrated_table", never)
    monkeypatch.setattr("pages.widgets.classify.probabilities.class_losses.class_losses", never)
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
    data = saved(DataSet.of(frame, "names.csv", roles=Roles(actual="actual", probability=pairs)))
    active = [name for name in names if plain(name) != name and len(name) > 2]
    for place in (None, *range(0, len(names), 9)):
        test = probabilities(data, probabilities_part=part, **({} if place is None else {"system": f"p{place}"}))
        assert not test.error
        said = [
            element.value
            for element in (*test.main.markdown, *test.main.caption)
            if "A probability" not in element.value
        ]
        assert not [name for name in active for one in said if name in one]
        assert "<script" not in json.dumps([trace.get("name") for chart in charts(test) for trace in chart["data"]])


@pytest.mark.parametrize(
    ("data", "address"),
    [
        ("breast_cancer", {"binning": "equal count", "unit": "bits"}),
        ("digits_probabilities", {"binning": "own edges", "edges": "0.5, 0.9"}),
        ("digits_probabilities", {"system": "p_3"}),
        ("roc_20", {"clip": "none"}),
        ("glucose_10", {"made": "isotonic"}),
    ],
)
def test_the_code_finds_the_same_numbers(data: str, address: dict[str, str], tmp_path, monkeypatch) -> None:
    test = probabilities(data, **address)
    script = tmp_path / "again.py"
    script.write_text(test.code[0].value, encoding="utf-8")
    monkeypatch.chdir(ROOT)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(str(script))
    assert printed.getvalue()
    assert test.code[0].value.count("same(") >= 9


def test_the_code_of_an_upload_divides_and_orders_as_the_page_does(tmp_path, monkeypatch) -> None:
    for csv in (
        THREE.replace("0.2,0.7,0.1", "0.2,0.7,0.3"),
        "actual,p_yes,p_no\nyes,0.9,0.1\nno,0.4,0.6\nyes,0.3,0.7\n",
    ):
        (tmp_path / "table.csv").write_text(csv, encoding="utf-8")
        test = probabilities(stored(csv), normalise="1")
        script = tmp_path / "again.py"
        script.write_text(test.code[0].value, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            runpy.run_path(str(script))
        assert printed.getvalue()


def test_base_rates_and_mean_probabilities_are_set_against_each_other_both_ways() -> None:
    """Entropy, cross-entropy and divergence by hand: 3 of 4 rows are a, and b is given 0.4 on average."""
    data = stored("actual,p_a,p_b,p_c\na,0.5,0.5,0\na,0.5,0.5,0\na,1,0,0\nb,0.4,0.6,0\n")
    said = text(probabilities(data, probabilities_part="Each class", unit="bits"))
    p, q = (0.75, 0.25), (0.6, 0.4)
    entropy = -sum(a * math.log2(a) for a in p)
    crossed = -sum(a * math.log2(b) for a, b in zip(p, q, strict=True))
    back = sum(b * math.log2(b / a) for a, b in zip(p, q, strict=True))
    assert f"Entropy H(p) {entropy:.3f}" in said
    assert f"Cross-entropy H(p, q) {crossed:.3f}" in said
    assert f"KL(p‖q) {crossed - entropy:.3f}" in said
    assert f"KL(q‖p) is {back:.3f}." in said
    never = stored("actual,p_a,p_b,p_c\na,0.5,0.5,0\nc,0.5,0.5,0\nb,0.4,0.6,0\n")
    said = text(probabilities(never, probabilities_part="Each class"))
    assert "KL(p‖q) ∞" in said
    assert "a class that occurs is never given any probability" in said


def test_what_is_sure_and_right_costs_nothing_and_says_so() -> None:
    data = stored("actual,score\n" + "ill,1\nwell,0\n" * 10)
    for clip, clipping in (("none", "Nothing is clipped."), ("1e-15", "No row had to be clipped below δ = 1e-15.")):
        said = text(probabilities(data, clip=clip))
        assert f"No row costs anything. {clipping}" in said
        assert "infinite loss" not in said
        assert said.count("<b>0.000</b></td><td></td>") == 3, "log-losses and Brier score are nothing, without a doubt"


def test_tables_to_take_away_hold_every_number(monkeypatch) -> None:
    taken = {}

    def take(name, table, code, others=None, **_):
        taken.update({"numbers": table()} | {title: other() for title, other in (others or {}).items()})

    monkeypatch.setattr(downloads, "show_downloads", take)
    probabilities("breast_cancer")
    assert {"Log-loss", "Brier score, two classes", "Expected calibration error"} <= set(taken["numbers"]["measure"])
    assert "Rows clipped" in set(taken["numbers"]["measure"])
    assert taken["Bins"]["rows"].sum() == 569
    assert taken["Worst rows"]["share"].sum() == pytest.approx(1)
    assert list(taken["Each class"]["class"]) == ["benign", "malignant"]


def test_every_sample_of_these_kinds_is_tried_here() -> None:
    kinds = {sample.id for sample in samples().values() if sample.kind in ("scores", "probabilities")}
    assert kinds == {*USABLE, "glucose_10"}
    assert read_table(THREE.encode(), "table.csv").kind == "probabilities"
