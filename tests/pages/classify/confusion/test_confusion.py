"""The confusion page: the numbers in its frame are those of the data, of the threshold, or the typed ones."""

import re
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts
from evalcore.readers import read_sample, samples
from evalcore.wording.numbers import share_text
from tests.pages.classify.confusion.confusion_page import (
    CELLS,
    COUNTED,
    RATIOS,
    captions,
    cells,
    frame,
    measures,
    opened,
    shown,
)
from tests.pages.linked_names import headline
from tests.words import sentence_with

ROOT = Path(__file__).parents[4]
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")

# The counts of the data


OTHERS = ("estimates", "masks", "run + judgments", "unknown")
SAMPLES = [sample.id for sample in samples().values() if sample.offered and sample.kind not in OTHERS]


@pytest.mark.parametrize(("sample", "actual"), [*zip(SAMPLES, cycle(("columns", "rows")))])
def test_the_frame_holds_the_counts_of_the_sample_and_every_ratio_at_its_row_or_column(sample, actual) -> None:
    data = frame(opened(data=sample, actual=actual))
    values = {cell["key"]: cell["value"] for cell in data["cells"]}
    assert tuple(values) == CELLS
    assert tuple(values.values()) == COUNTED.get(sample, tuple(values.values()))
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


def test_only_in_a_frame_that_cannot_be_typed_into_the_line_under_a_number_goes() -> None:
    style = (ROOT / "pages/widgets/classify/confusion/frame.css").read_text(encoding="utf-8")
    rules = [(selector, rule) for selectors, rule in RULE.findall(style) for selector in selectors.split(",")]
    bare = {selector.strip() for selector, rule in rules if "border-bottom-color: transparent" in rule}
    assert bare == {".fixed .plate input:hover", ".fixed .sum input:hover"}
    assert {".plate input:hover", ".sum input:hover"} == {
        selector.strip() for selector, rule in rules if "border-bottom-color: currentColor" in rule
    }


def test_a_ratio_explains_itself_with_the_numbers_and_its_interval() -> None:
    precision = next(r for r in frame(opened(data="cancer_test"))["ratios"] if r["key"] == "precision")
    assert shown(precision["formula"]) == "precision = TP / (TP + FP) = 20 / (20 + 180) = 10.0%"
    assert "95% interval: 6.6–14.9% (Wilson, n = 200)." in shown(precision["sentence"])
    assert (precision["numerator"], precision["denominator"]) == (["tp"], ["tp", "fp"])


def test_an_undefined_ratio_says_why_and_shows_no_number() -> None:
    ratios = {r["key"]: r for r in frame(opened(data="always_negative"))["ratios"]}
    assert sentence_with(ratios["precision"]["formula"], "precision is undefined")
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
    test.selectbox(key="class against the rest").select("Child").run()
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
    told = "What if] 50 people of “ill” (data: 30), 2\u202f000 of “healthy” (as in the data)."
    assert any(told in m.value for m in test.markdown)
    assert re.match("What if: [a-z]", test.header[0].value)


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

        from evalcore.analyses import cells_after_typing
        from evalcore.classification import ConfusionCounts
        from pages.widgets.controls.threshold import put_cells

        put_cells(cells_after_typing(ConfusionCounts(20, 180, 10, 1820), st.session_state["typed"]))

    test = AppTest.from_function(page)
    test.session_state["typed"] = typed
    test.run()
    assert not test.exception
    assert test.query_params.get("cells") == expected


# Another population


def test_another_prevalence_changes_what_an_answer_is_worth_and_not_the_counts() -> None:
    test = opened(data="cancer_test", prevalence="0.5")
    shown_there = {name: shown(value) for name, value in headline(test).items()}
    # Recall 2/3, fall-out 9 %, half of the people ill.
    assert shown_there["precision"] == f"{100 * (2 / 3) / (2 / 3 + 0.09):.1f}%"
    assert shown_there["NPV"] == f"{100 * 0.91 / (0.91 + 1 / 3):.1f}%"
    assert cells(test) == COUNTED["cancer_test"]


@pytest.mark.parametrize("bad", ["nan", "-1", "2", "inf", "x", "<b>"])
def test_a_prevalence_that_is_no_share_counts_as_missing(bad) -> None:
    test = opened(data="cancer_test", prevalence=bad)
    assert shown(headline(test)["precision"]) == "10.0%"


def test_where_the_prevalence_is_moved_the_verdict_follows_and_the_page_says_what_does_not() -> None:
    test = opened(data="cancer_test", prevalence="0.25")
    said = shown("\n".join(markdown.value for markdown in test.markdown))
    assert "NPV is 89.1%" in shown(" ".join(markdown.value for markdown in test.markdown)).replace("[NPV]", "NPV")
    assert "Prevalence 25.0% instead of 1.5%" in said
    test.button(key="unmove").click().run()
    assert "prevalence" not in test.query_params
    assert not any("instead of" in markdown.value for markdown in test.markdown)


@pytest.mark.parametrize(("data", "heading"), [("cancer_test", "people"), ("breast_cancer", "tumours"),
                                               ("two_classifiers", "images"), ("roc_20", "instances"),
                                               ("four_methods", "cases")])  # fmt: skip
def test_only_where_rows_are_people_people_are_counted(data, heading) -> None:
    said = [shown(markdown.value) for markdown in opened(data=data).markdown]
    assert any(f"Of 1000 {heading}" in text for text in said)


def test_a_rare_class_is_shown_among_as_many_as_hold_one() -> None:
    test = opened(data="cancer_test", prevalence="0.0001")
    assert any("Of 10000 people**  \n:gray[1 is ill;" in shown(markdown.value) for markdown in test.markdown)
    assert sentence_with(shown(captions(test)), "10", "stands")


def test_what_rules_in_is_asked_for_on_both_pages_under_one_name() -> None:
    test = opened(data="cancer_test", in_ppv="0.05")
    said = shown("\n".join(m.value for m in test.markdown))
    assert "rules in: " in said
    assert "10.0% (6.6–14.9%), and 5%" in said
