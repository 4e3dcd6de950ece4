"""The confusion page: the numbers in its frame are those of the data, of the threshold, or the typed ones."""

import html
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts
from evalcore.figures.numbers import share_text
from evalcore.inference import clopper_pearson, wilson
from evalcore.readers import DataSet, Workspace, read_table
from evalcore.readers.samples import read_sample, samples
from tests.pages.nasty_names import NASTY

ROOT = Path(__file__).parents[2]
CELLS = ("tp", "fp", "fn", "tn")
RATIOS = (
    *("precision", "false_discovery_rate", "false_omission_rate", "negative_predictive_value", "recall", "miss_rate"),
    *("fall_out", "specificity", "accuracy", "error_rate"),
)
COUNTED = {  # by hand, in the order TP, FP, FN, TN
    "cancer_test": (20, 180, 10, 1820),
    "virus_test": (595, 4965, 105, 94335),
    "always_negative": (0, 0, 10, 9990),
    "four_methods": (95, 30, 5, 70),
    "two_classifiers": (70, 140, 30, 860),
    "woman_man_child": (13, 6, 7, 74),
    "cat_fish_hen": (4, 9, 2, 10),
    "eight_labels": (1, 1, 2, 4),
    "oracle_false": (1, 1, 0, 4),
    "roc_20": (6, 4, 4, 6),
    "roc_ties_10": (4, 4, 1, 1),
    "glucose_10": (4, 1, 1, 4),
}


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/confusion.py").run()
    assert not test.exception
    return test


def saved(dataset: DataSet) -> str:
    """Put a data set where uploads are kept; its id."""
    return Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).save(dataset)


def stored(csv: str) -> str:
    return saved(read_table(csv.encode(), "table.csv"))


def frame(test: AppTest) -> dict:
    """What the component is given."""
    return json.loads(test.get("bidi_component")[0].proto.json)


def cells(test: AppTest) -> tuple[float, ...]:
    return tuple(cell["value"] for cell in frame(test)["cells"])


def shown(text: str) -> str:
    """What a reader sees of a label: its character references read, its invisible joiners gone."""
    return html.unescape(text).replace("\u2060", "").replace("\u202f", "")


def measures(test: AppTest) -> dict[str, tuple[str, str, str]]:
    """The table of measures: value, interval and n by name."""
    body = next(e.proto.body for e in test.get("html") if 'class="measures"' in e.proto.body)
    rows = re.findall(r"<tr><td>(.+?) <span.*?</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td><td>.*?</td></tr>", body)
    return {shown(name): tuple(shown(re.sub("<.*?>", "", cell)) for cell in rest) for name, *rest in rows}


def captions(test: AppTest) -> str:
    return shown(" ".join(caption.value for caption in test.main.caption))


def formulas(test: AppTest) -> str:
    return next(m.value for m in test.markdown if r"$\displaystyle" in m.value).replace("\\,", "")


# The counts of the data


@pytest.mark.parametrize(("sample", "counts"), COUNTED.items())
def test_the_frame_holds_the_counts_of_the_sample(sample, counts) -> None:
    data = frame(opened(data=sample))
    assert tuple(cell["value"] for cell in data["cells"]) == counts
    assert tuple(cell["key"] for cell in data["cells"]) == CELLS


@pytest.mark.parametrize("actual", ["columns", "rows"])
@pytest.mark.parametrize("sample", [s.id for s in samples().values() if s.kind != "estimates"])
def test_every_ratio_is_the_registrys_and_stands_at_its_row_or_column(sample, actual) -> None:
    data = frame(opened(data=sample, actual=actual))
    values = {cell["key"]: cell["value"] for cell in data["cells"]}
    counts = ConfusionCounts(**values)
    assert {r["key"]: r["value"] for r in data["ratios"]} == {
        key: share_text(float(METRICS[key](counts))) for key in RATIOS
    }
    sums = {"P": counts.actual_positives, "N": counts.actual_negatives}
    sums |= {"T": counts.predicted_positives, "F": counts.predicted_negatives}
    for line in (*data["rows"], *data["columns"]):
        margin = line["sum"]
        assert margin["value"] == float(sums[margin["key"]]) == sum(values[cell] for cell in line["cells"])
        assert shown(margin["text"]) == f"{margin['value']:.0f}"
        for key in line["ratios"]:
            assert set(METRICS[key].denominator) == set(line["cells"])
    by_truth, by_answer = (data["rows"], data["columns"]) if actual == "rows" else (data["columns"], data["rows"])
    assert [line["cells"] for line in by_truth] == [["tp", "fn"], ["fp", "tn"]]
    assert [line["cells"] for line in by_answer] == [["tp", "fp"], ["fn", "tn"]]
    assert data["over"] == ("the prediction" if actual == "rows" else "actually")


def test_the_frame_says_the_words_of_the_sample() -> None:
    assert [line["name"] for line in frame(opened(data="cancer_test"))["columns"]] == ["ill", "healthy"]
    turned = frame(opened(data="cancer_test", actual="rows"))
    assert [line["name"] for line in turned["rows"]] == ["actual ill", "actual healthy"]
    assert [line["name"] for line in turned["columns"]] == ["says ill", "says healthy"]


def test_a_ratio_explains_itself_with_the_numbers_and_its_interval() -> None:
    precision = next(r for r in frame(opened(data="cancer_test"))["ratios"] if r["key"] == "precision")
    assert shown(precision["formula"]) == "precision = TP / (TP + FP) = 20 / (20 + 180) = 10.0%"
    assert "95% interval 6.6% – 14.9% (Wilson, n = 200)." in shown(precision["sentence"])
    assert (precision["numerator"], precision["denominator"]) == (["tp"], ["tp", "fp"])


def test_an_undefined_ratio_says_why_and_shows_no_number() -> None:
    ratios = {r["key"]: r for r in frame(opened(data="always_negative"))["ratios"]}
    assert ratios["precision"]["formula"] == "precision is undefined: nothing was predicted positive"
    assert ratios["precision"]["value"] == "undefined"
    assert not ratios["precision"]["defined"]
    assert ratios["recall"]["defined"]


@pytest.mark.parametrize(
    ("system", "counts"), [("A", (95, 30, 5, 70)), ("B", (40, 80, 60, 20)), ("D", (60, 5, 40, 95))]
)
def test_the_system_of_the_address_is_counted(system, counts) -> None:
    assert cells(opened(data="four_methods", system=system)) == counts


@pytest.mark.parametrize(
    ("label", "counts", "printed"),
    [
        ("Woman", (13, 6, 7, 74), {"precision": 0.68, "npv": 0.91, "recall": 0.65, "accuracy": 0.87}),
        ("Man", (15, 3, 5, 77), {}),
        ("Child", (57, 6, 3, 34), {"precision": 0.90, "npv": 0.92, "recall": 0.95, "specificity": 0.85}),
    ],
)
def test_a_class_against_the_rest_is_the_count_by_hand_and_the_printed_values(label, counts, printed) -> None:
    test = opened(data="woman_man_child", **{"class": label})
    assert cells(test) == counts
    assert f"{label} against the other 2 classes." in captions(test)
    assert [line["name"] for line in frame(test)["columns"]] == [label, f"not {label}"]
    table = measures(test)
    for name, value in printed.items():
        assert float(table[find(name).name][0].removesuffix("%")) == pytest.approx(100 * value, abs=0.51)


def test_a_class_is_chosen_and_stays_in_the_address() -> None:
    test = opened(data="woman_man_child")
    test.selectbox(key="class of the collapse").select("Child").run()
    assert test.query_params["class"] == "Child"
    assert cells(test) == (57, 6, 3, 34)


def test_a_class_that_is_none_counts_as_missing() -> None:
    assert cells(opened(data="woman_man_child", **{"class": "Dog"})) == COUNTED["woman_man_child"]


# Thresholds


@pytest.mark.parametrize(
    ("threshold", "counts"),
    [("0.9", (1, 0, 9, 10)), ("0.54", (5, 1, 5, 9)), ("0.1", (10, 10, 0, 0)), ("inf", (0, 0, 10, 10)),
     ("-inf", (10, 10, 0, 0)), ("nan", (6, 4, 4, 6)), ("x", (6, 4, 4, 6))],
)  # fmt: skip
def test_the_threshold_of_the_address_is_the_one_that_is_counted_at(threshold, counts) -> None:
    assert cells(opened(data="roc_20", t=threshold)) == counts


def test_the_line_under_the_table_says_the_rule() -> None:
    assert "positive when score ≥ 0.54." in captions(opened(data="roc_20", t="0.54"))


def test_where_lower_scores_are_positive_the_counts_are_mirrored() -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=False)
    test = opened(data="roc_20", roles=roles.to_text(), t="0.54")
    # By hand: five positives and nine negatives lie at or below 0.54, and 0.54 itself is a positive.
    assert cells(test) == (6, 9, 4, 1)
    assert "positive when score ≤ 0.54." in captions(test)


def test_the_other_class_can_be_the_positive_one() -> None:
    roles = replace(read_sample("roc_20").roles, positive="N")
    test = opened(data="roc_20", roles=roles.to_text(), t="0.54")
    assert cells(test) == (1, 5, 9, 5)
    assert [line["name"] for line in frame(test)["columns"]] == ["N", "P"]


# What if


def test_typed_cells_take_the_place_of_the_data() -> None:
    test = opened(data="cancer_test", cells="20,180,30,1820")
    assert cells(test) == (20, 180, 30, 1820)
    assert measures(test)["Recall"][0] == "40.0%"
    assert any("What if" in m.value for m in test.markdown)


def test_back_to_the_data_takes_them_out_of_the_address() -> None:
    test = opened(data="cancer_test", cells="20,180,30,1820")
    test.button(key="untype").click().run()
    assert cells(test) == COUNTED["cancer_test"]
    assert "cells" not in test.query_params


def test_another_data_set_forgets_the_typed_cells() -> None:
    test = opened(data="cancer_test", cells="1,2,3,4")
    test.sidebar.selectbox[0].select("virus_test").run()
    assert cells(test) == COUNTED["virus_test"]


@pytest.mark.parametrize(
    "bad",
    ["", ",", "1,2,3", "1,2,3,4,5", "1,2,3,-4", "a,b,c,d", "1,2,3,nan", "1,2,3,inf", "1e16,1,1,1", "1,2,3,1e-300",
     "1;2;3;4", "<b>1</b>,2,3,4", "1,2,3,4\u0000", "9" * 500 + ",1,1,1", "__import__('os'),1,1,1", "1,,3,4"],
)  # fmt: skip
def test_cells_that_are_not_four_counts_are_ignored(bad) -> None:
    test = opened(data="cancer_test", cells=bad)
    assert cells(test) == COUNTED["cancer_test"]
    assert not any("What if" in m.value for m in test.markdown)


@pytest.mark.parametrize(
    "typed", ["0,0,0,0", "0,0,0,5", "7,0,0,0", "0.5,0.25,1,2", "1e15,1e15,1e15,1e15", "1,0,0,1e15"]
)
def test_any_counts_can_be_typed(typed) -> None:
    test = opened(data="cancer_test", cells=typed)
    assert cells(test) == tuple(map(float, typed.split(",")))
    assert len(measures(test)) == sum(m.family == "counts" for m in METRICS.values())


@pytest.mark.parametrize(
    ("typed", "expected"),
    [({"cell": "fn", "value": 30}, "20,180,30,1820"), ({"cell": "tn", "value": 0.5}, "20,180,10,0.5"),
     ({"cell": "tp", "value": "7"}, "7,180,10,1820"), ({"cell": "total", "value": 3}, None),
     ({"cell": "fn", "value": "many"}, None), ({"cell": "fn", "value": None}, None),
     ({"cell": "fn", "value": -1}, None),
     ({"cell": "fn", "value": float("inf")}, None), ({"cell": "fn"}, None), ({"cell": ["fn"], "value": 1}, None),
     ({"cell": "tp", "value": 1e16}, None), ({"cell": "P", "value": 60}, "40,180,20,1820"),
     ({"cell": "F", "value": 915}, "20,180,5,910"), ({"cell": "P", "value": -1}, None),
     ({"cell": "n", "value": 1}, None), ("fn", None), (None, None)],
)  # fmt: skip
def test_what_a_browser_sends_is_checked_again(typed, expected) -> None:
    def page() -> None:
        import streamlit as st

        from evalcore.classification import ConfusionCounts
        from pages.widgets import frame

        frame._type(ConfusionCounts(20, 180, 10, 1820), st.session_state["typed"])

    test = AppTest.from_function(page)
    test.session_state["typed"] = typed
    test.run()
    assert not test.exception
    assert test.query_params.get("cells") == expected


# Another population


def test_another_prevalence_changes_what_an_answer_is_worth_and_not_the_counts() -> None:
    test = opened(data="cancer_test", prevalence="0.5")
    shown_there = {metric.label: shown(metric.value) for metric in test.metric}
    # Recall 2/3, fall-out 9 %, half of the people ill.
    assert shown_there["precision"] == f"{100 * (2 / 3) / (2 / 3 + 0.09):.1f}%"
    assert shown_there["NPV"] == f"{100 * 0.91 / (0.91 + 1 / 3):.1f}%"
    assert cells(test) == COUNTED["cancer_test"]


@pytest.mark.parametrize("bad", ["nan", "-1", "2", "inf", "x", "<b>"])
def test_a_prevalence_that_is_no_share_counts_as_missing(bad) -> None:
    test = opened(data="cancer_test", prevalence=bad)
    assert {metric.label: shown(metric.value) for metric in test.metric}["precision"] == "10.0%"


# Measures, intervals, formulas


@pytest.mark.parametrize(
    ("method", "name", "interval"), [("wilson", "Wilson", wilson), ("clopper", "Clopper–Pearson", clopper_pearson)]
)
@pytest.mark.parametrize("level", ["80 %", "95 %", "99 %"])
def test_method_and_level_of_the_intervals(method, name, interval, level) -> None:
    test = opened(data="cancer_test", interval=name, level=level)
    share = float(level.removesuffix(" %")) / 100
    found = interval(20, 30, share)
    bounds = f"{share_text(float(found.low))} – {share_text(float(found.high))}"
    assert measures(test)["Recall"] == ("66.7%", shown(bounds), "30")
    sentence = next(r["sentence"] for r in frame(test)["ratios"] if r["key"] == "recall")
    assert f"{level.replace(' ', '')} interval {shown(bounds)} ({name}, n = 30)." in shown(sentence)
    assert test.selectbox(key="interval").value == method


def test_beta_changes_f_and_e_alone() -> None:
    test = opened(data="cancer_test", beta="2")
    table, usual = measures(test), measures(opened(data="cancer_test"))
    assert table["F-measure"][0] == f"{5 * 20 / (5 * 20 + 4 * 10 + 180):.3f}"
    assert {name for name in table if table[name] != usual[name]} == {"F-measure", "E-measure"}
    assert "(F2)" in formulas(test)


def test_prices_change_the_cost_a_row() -> None:
    table = measures(opened(data="cancer_test", miss="5", alarm="2"))
    assert table["Cost per row"][0] == f"{(5 * 10 + 2 * 180) / 2030:.3f}"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("PPV", {"Precision"}), ("sensitivity", {"Recall"}), ("hit rate", {"Recall"}), ("  DICE ", {"F-measure"}),
     ("f1", {"F-measure"}), ("kappa", {"Cohen's kappa"}), ("negative predictive", {"Negative predictive value"})],
)  # fmt: skip
def test_a_measure_is_found_by_any_of_its_names(wanted, found) -> None:
    test = opened(data="cancer_test")
    test.text_input(key="search").input(wanted).run()
    assert set(measures(test)) == found


@pytest.mark.parametrize("wanted", ["no such measure", "<script>", "(", "\\"])
def test_a_name_nobody_uses_says_so(wanted) -> None:
    test = opened(data="cancer_test")
    test.text_input(key="search").input(wanted).run()
    assert not test.exception
    assert "No measure goes by that name." in captions(test)


def test_undefined_measures_say_so_with_their_reason() -> None:
    table = measures(opened(data="always_negative"))
    assert table["Precision"] == ("undefined", "nothing was predicted positive", "")
    assert table["Matthews correlation"] == ("undefined", "a row or a column of the table is empty", "")
    assert table["Recall"][0] == "0.0%"


def test_formulas_hold_the_numbers_and_the_result() -> None:
    written = formulas(opened(data="cancer_test"))
    assert r"\frac{TP}{TP + FP} \;=\; \frac{20}{20 + 180} \;=\; 10.0\%" in written
    assert r"\frac{20 \cdot 1820 - 180 \cdot 10}{\sqrt{200 \cdot 1830 \cdot 30 \cdot 2000}} \;=\; 0.233" in written
    assert written.count(r"$\displaystyle") == sum(m.family == "counts" for m in METRICS.values())


def test_formulas_of_undefined_measures_give_the_reason() -> None:
    written = formulas(opened(data="always_negative"))
    assert r"\frac{0}{0 + 0} \;=\; \text{undefined: nothing was predicted positive}" in written


@pytest.mark.parametrize("typed", ["1234567.5,0.25,3,4", "1e-06,1,1,1", "1e15,1,1,1"])
def test_formulas_write_no_number_with_an_e_that_would_read_as_a_letter(typed) -> None:
    assert re.search(r"\d[eE][+-]?\d", formulas(opened(data="cancer_test", cells=typed))) is None


# What is left out, what cannot be told, and names from a file


@pytest.mark.parametrize(
    ("csv", "said", "counts"),
    [
        (
            "actual,score\n1,0.9\n1,\n,0.3\n0,0.2\n0,0.95\n",
            "2 rows without a label or a score are left out.",
            (1, 1, 0, 1),
        ),
        ("actual,score\nP,0.9\nP,\nN,0.2\nN,0.95\n", "1 row without a label or a score is left out.", (1, 1, 0, 1)),
        ("actual,predicted\na,a\nb,\n,b\nb,b\nb,a\n", "2 rows without a label or a score are left out.", None),
    ],
)
def test_rows_that_are_left_out_are_counted_on_the_screen(csv, said, counts) -> None:
    test = opened(data=stored(csv))
    assert said in captions(test)
    assert sum(cells(test)) == 3
    assert counts is None or cells(test) == counts


@pytest.mark.parametrize("csv", ["actual,predicted\na,a\na,a\na,a\n", "actual,score\nyes,0.9\nyes,0.2\nyes,0.4\n"])
def test_one_class_only_is_said(csv) -> None:
    test = opened(data=stored(csv))
    assert "This data cannot tell." in test.markdown[0].value
    assert sum(cells(test)) == 3


@pytest.mark.parametrize("name", [*NASTY, "=1+2", '"quoted"'])
def test_names_from_a_file_are_shown_as_they_are(name) -> None:
    rows = [(name, name), ("zz", "zz"), (name, "zz"), ("zz", name), ("zz", "zz")]
    dataset = DataSet.of(pd.DataFrame(rows, columns=["truth", f"said by {name}"]), f"{name}.csv")
    test = opened(data=saved(dataset))
    assert not test.error
    if len(name) <= 30:
        assert name in {line["name"] for line in frame(test)["columns"]}
    assert max(len(line["name"]) for line in (*frame(test)["columns"], *frame(test)["rows"])) <= 40
    said = test.markdown[0].value
    assert not set(said.split("**")[2]) & set("<>[]*`~$|^")
    assert name[:60].rstrip() in shown(said)


@pytest.mark.parametrize(
    "csv",
    [
        ",p\na,a\nb,b\nb,a\n",
        "actual,\na,a\nb,b\nb,a\n",
        '"actual"," "\n"a","a"\n"b","b"\n" ","a"\n',
        ",\na,a\nb,b\na,b\n",
    ],
)
def test_empty_names_break_nothing(csv) -> None:
    test = opened(data=stored(csv))
    assert not test.error


def test_three_classes_with_nasty_names_collapse_to_the_one_that_is_asked_for() -> None:
    names = ("**b**", "<i>x</i>", "$x^2$")
    csv = "actual,predicted\n" + "".join(f"{a},{b}\n" for a in names for b in names)
    test = opened(data=stored(csv), **{"class": "<i>x</i>"})
    assert cells(test) == (1, 2, 2, 4)
    assert "<i>x</i> against the other 2 classes." in captions(test)
    assert frame(test)["columns"][1]["name"] == "not <i>x</i>"


def test_nothing_open_offers_what_fits() -> None:
    test = opened()
    assert not test.get("bidi_component")
    test.button(key="offer cancer_test").click().run()
    assert cells(test) == COUNTED["cancer_test"]
