"""The confusion page: its measures with intervals and formulas, and what data can do to it."""

import re

import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.inference import clopper_pearson, wilson
from evalcore.readers import DataSet
from evalcore.wording import range_text, share_text, shortened
from tests.pages.classify.confusion.confusion_page import (
    COUNTED,
    captions,
    cells,
    formulas,
    frame,
    measures,
    opened,
    shown,
)
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved, stored
from tests.words import sentence_with

# Measures, intervals, formulas


@pytest.mark.parametrize(
    ("method", "name", "interval"), [("wilson", "Wilson", wilson), ("clopper", "Clopper–Pearson", clopper_pearson)]
)
@pytest.mark.parametrize("level", ["80 %", "95 %", "99 %"])
def test_method_and_level_of_the_intervals(method, name, interval, level) -> None:
    test = opened(data="cancer_test", interval=name, level=level)
    share = float(level.removesuffix(" %")) / 100
    found = interval(20, 30, share)
    ends = share_text(float(found.low)), share_text(float(found.high))
    assert measures(test)["Recall"] == ("66.7%", shown(range_text(*ends, unit=False)), "30")
    sentence = next(r["sentence"] for r in frame(test)["ratios"] if r["key"] == "recall")
    assert f"{level.replace(' ', '')} interval: {shown(range_text(*ends))} ({name}, n = 30)." in shown(sentence)
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
    assert sentence_with(captions(test), "No measure")


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
    assert sentence_with(written, "0", "undefined")


@pytest.mark.parametrize("typed", ["1234567.5,0.25,3,4", "1e-06,1,1,1", "1e15,1,1,1"])
def test_formulas_write_no_number_with_an_e_that_would_read_as_a_letter(typed) -> None:
    written = re.sub(r"\(measures\?[^)]*\)", "", formulas(opened(data="cancer_test", cells=typed)))
    assert re.search(r"\d[eE][+-]?\d", written) is None


# What is left out, what cannot be told, and names from a file


@pytest.mark.parametrize(
    ("csv", "said", "counts"),
    [
        ("actual,score\n1,0.9\n1,\n,0.3\n0,0.2\n0,0.95\n", "2 rows without a", (1, 1, 0, 1)),
        ("actual,score\nP,0.9\nP,\nN,0.2\nN,0.95\n", "1 row without a", (1, 1, 0, 1)),
        ("actual,predicted\na,a\nb,\n,b\nb,b\nb,a\n", "2 rows without a", None),
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
    assert "no other class to tell it from" in test.markdown[0].value
    assert sum(cells(test)) == 3


NAMES = (*NASTY, "=1+2", '"quoted"')


@pytest.mark.parametrize("names", [*zip(NAMES[::2], NAMES[1::2], strict=True)])
def test_names_from_a_file_are_shown_as_they_are(names) -> None:
    one, two = names
    rows = [(one, one), (two, two), (one, two), (two, one), (two, two)]
    dataset = DataSet.of(pd.DataFrame(rows, columns=["truth", f"said by {one} {two}"]), f"{one} {two}.csv")
    test = opened(data=saved(dataset))
    assert not test.error
    assert {name for name in names if len(name) <= 30} <= {line["name"] for line in frame(test)["columns"]}
    assert max(len(line["name"]) for line in (*frame(test)["columns"], *frame(test)["rows"])) <= 40
    said = test.markdown[0].value
    assert not set(re.sub(r"\[(\w+)\]\(measures\?[^)]*\)", "", said)) & set("<>[]*`~$|^")
    assert all(shortened(name, 80) in shown(said) for name in names)


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
    assert frame(test)["rows"][1]["name"] == "actual not <i>x</i>"


@pytest.mark.parametrize("names", ["Yes No", "No Yes"])
def test_of_a_matrix_of_two_classes_the_usual_word_is_positive(names: str) -> None:
    counted = {("Yes", "Yes"): 6, ("Yes", "No"): 4, ("No", "Yes"): 2, ("No", "No"): 28}
    rows = "".join(f"{said} {' '.join(str(counted[said, real]) for real in names.split())}\n" for said in names.split())
    test = opened(data=stored(f"          Reference\nPrediction {names}\n{rows}"))
    assert cells(test) == (6, 4, 2, 28)
    assert frame(test)["rows"][1]["name"].endswith("No")


def test_nothing_open_offers_what_fits() -> None:
    test = opened()
    assert not any("cells" in one.proto.json for one in test.get("bidi_component"))
    test.button(key="offer cancer_test").click().run()
    assert cells(test) == COUNTED["cancer_test"]
