"""Numbers written with marks: percent signs, separators of thousands and long minus signs; what stays text."""

import pandas as pd
import pytest

from evalcore.readers import DataSet, Workspace, read_table
from tests.readers.made_files import workbook


def read(text: str):
    return read_table(text.encode(), "x.csv")


@pytest.mark.parametrize(
    ("text", "numbers", "says"),
    [
        ("actual;score\n1;50%\n0;25 %\n1;7,5%\n", [0.5, 0.25, 0.075], '"50%", which is read as 0.5'),
        ("actual;score\n1;999,5\n0;1.234,5\n1;1.234.567\n", [999.5, 1234.5, 1234567], '"1.234,5", which is read'),
        ("actual;score\n1;1 234,5\n0;2\u202f345\n", [1234.5, 2345], '"1 234,5", which is read as 1234.5'),
        ('actual,score\n1,"1,234.5"\n0,"1,000,000"\n', [1234.5, 1000000], '"1,234.5", which is read as 1234.5'),
        ("actual,score\n1,1'234'567.5\n0,12\n", [1234567.5, 12], "which is read as 1234567.5"),
        ("actual,score\n1,\u22120.5\n0,0.25\n", [-0.5, 0.25], "which is read as \u22120.5"),
        ('actual,score\n1,"€ 386,025.50"\n0,€ 12\n', [386025.5, 12], '"€ 386,025.50", which is read as 386025.5'),
        ("actual,score\n1,$200.50\n0,-$3.25\n", [200.5, -3.25], '"$200.50", which is read as 200.5'),
        ("actual;score\n1;1.386.025 EUR\n0;25 EUR\n", [1386025, 25], "is read as 1386025"),
        ("actual,score\n1,CHF 1'200.50\n0,CHF 12\n", [1200.5, 12], "is read as 1200.5"),
        ('actual,score\n1,"1,234"\n0,12.5\n', [1234, 12.5], '"1,234", which is read as 1234'),
        ('actual,score\n1,"1,234,567,890,123"\n0,"-1,234"\n', [1234567890123, -1234], "read as 1234567890123"),
    ],
)  # fmt: skip
def test_numbers_with_marks_are_numbers_where_all_cells_fit(text: str, numbers: list[float], says: str) -> None:
    data = read(text)
    assert data.frame["score"].tolist() == pytest.approx(numbers)
    (finding,) = [one for one in data.findings if one.code == "marked numbers"]
    assert says in finding.sentence
    assert finding.level == "info"


@pytest.mark.parametrize(
    "cells", [("1,234", "1.234"), ("0,234", "1,5%x"), ("1,23,45", "2"), ("1.2.3", "1.2.4"), ("5 %", "x")]
)
def test_what_is_ambiguous_or_does_not_fit_stays_text(cells: tuple[str, str]) -> None:
    frame = read('actual,price,n\nill,"{}",1\nwell,"{}",2\n'.format(*cells)).frame
    assert frame["price"].tolist() == list(cells)


def test_missing_cells_stay_missing_among_marked_numbers() -> None:
    frame = read("actual,p\n1,50%\n0,\n1,NA\n0,10%\n").frame
    assert frame["p"].isna().tolist() == [False, True, True, False]


def test_marked_numbers_of_a_workbook_are_numbers() -> None:
    data = read_table(workbook(a=[["actual", "p"], ["ill", "67.4 %"], ["ill", ""], ["well", "3 %"]]), "x.xlsx")
    assert data.frame["p"].dropna().tolist() == pytest.approx([0.674, 0.03])
    assert [one.level for one in data.read_findings] == ["info"]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("system,TP,FP,FN,TN\na,1.499,12,3.000,5\nb,1.200,3,4,5\n", {"TP": [1499, 1200], "FN": [3000, 4]}),
        ('system,TP,FP,FN,TN\na,"1,499",12,300,5\nb,13,3,4,5\n', {"TP": [1499, 13]}),
        ("t;a;b\na;1,499;3\nb;2;1,000\n", {"a": [1499, 2], "b": [3, 1000]}),
        ("t,true_a,true_b\npred_a,1.499,3\npred_b,2,10\n", {"a": [1499, 2]}),
    ],
)
def test_marks_in_counts_separate_thousands_where_every_cell_fits(text: str, counts: dict[str, list[int]]) -> None:
    data = read(text)
    assert data.kind == "counts"
    for name, values in counts.items():
        column = next(each for each in data.frame.columns if each.endswith(name))
        assert data.frame[column].tolist() == values
    assert any("separates thousands" in finding.sentence for finding in data.findings)


@pytest.mark.parametrize(
    "text",
    [
        "system,TP,FP,FN,TN\na,1.499,12,3.5,5\n",
        "system,TP,FP,FN,TN\na,0.499,12,3,5\n",
        "t,a,b\na,0.499,0.501\nb,0.200,0.800\n",
        "actual,score,other\n1,1.499,2.500\n0,1.200,3.100\n",
    ],
)
def test_fractions_stay_fractions(text: str) -> None:
    frame = read(text).frame
    assert frame.select_dtypes("number").to_numpy().min() < 2
    assert (frame.select_dtypes(float).to_numpy() < 2000).all()
    assert isinstance(frame, pd.DataFrame)


@pytest.mark.parametrize("cell", ["1.499", "1,499", 1.499])
def test_thousands_in_a_sheet_of_counts(cell: object) -> None:
    rows = [["model", "TP", "FP", "FN", "TN"], ["A", 40, 8, 10, cell], ["B", 35, 4, 15, 150]]
    dataset = read_table(workbook(a=rows), "x.xlsx")
    assert dataset.frame["TN"].tolist() == [1499, 150]
    assert [one.code for one in dataset.read_findings] == ["marked numbers"]
    rows[2][1] = 35.25
    assert read_table(workbook(a=rows), "x.xlsx").frame["TP"].tolist() == [40, 35.25]


def test_a_percentage_is_the_nearest_number() -> None:
    dataset = read_table(b"actual,score\na,59.2%\nb,19.4%\n", "x.csv")
    assert dataset.frame["score"].tolist() == [0.592, 0.194]


PAIRS = [("1.013", "992"), ("1.250", "1.100"), ("875", "1.020"), ("2.000", "1.980"), ("640", "700"), ("1.111", "1.001")]


def asked(data: DataSet, column: str = "actual"):
    (finding,) = [one for one in data.findings if one.code == "marks"]
    assert (finding.column, len(finding.answers)) == (column, 2)
    return finding


@pytest.mark.parametrize(
    ("form", "mark"),
    [("{};{}\n", "."), ("{};{}\n", ","), ("{}\t{}\n", "."), ('"{}","{}"\n', "."), ('"{}","{}"\n', ",")],
)
def test_marks_that_may_separate_thousands_are_asked_about_and_both_answers_are_one_click(form: str, mark: str) -> None:
    rows = [("actual", "predicted"), *PAIRS]
    data = read("".join(form.format(*row) for row in rows).replace(".", mark))
    finding = asked(data)
    assert f'"{"1.013".replace(".", mark)}" (first: line 2)' in finding.sentence
    thousands, decimals = (data.shaped(data.shape.and_then(steps)) for steps in finding.answers)
    assert data.frame["actual"].tolist() == thousands.frame["actual"].tolist() == [1013, 1250, 875, 2000, 640, 1111]
    assert decimals.frame["actual"].tolist() == [1.013, 1.25, 875, 2, 640, 1.111]
    assert decimals.frame["predicted"].tolist() == [992, 1.1, 1.02, 1.98, 700, 1.001]
    assert not [one for shaped in (thousands, decimals) for one in shaped.findings if one.code == "marks"]
    assert DataSet.of(decimals.frame).kind == data.kind == "estimates"


def test_every_number_with_a_mark_is_asked_about_and_read_as_decimals_where_they_have_it() -> None:
    rows = "1.013{0}2.250\n3.400{0}4.125\n"
    semicolons, commas = (read(f"actual{mark}predicted\n" + rows.format(mark)) for mark in ";,")
    assert semicolons.frame["actual"].tolist() == [1013, 3400]
    assert commas.frame["actual"].tolist() == [1.013, 3.4]
    thousands, decimals = (commas.shaped(steps).frame["actual"].tolist() for steps in asked(commas).answers)
    assert (thousands, decimals) == ([1013, 3400], [1.013, 3.4])
    # rounding explains three decimals between commas, but not between tabs, and not beside a whole number
    tabs, mixed = (read(f"actual{mark}predicted\n" + rows.format(mark) + f"5{mark}7\n") for mark in "\t,")
    every = read("actual\tpredicted\n" + rows.format("\t"))
    assert [asked(one).level for one in (commas, semicolons, every, tabs, mixed)] == ["info", *["warning"] * 4]
    assert semicolons.shaped(asked(semicolons).other).frame["actual"].tolist() == [1.013, 3.4]


@pytest.mark.parametrize("cell", ["0.123", "-0.123", "1.5", "1.0134", "1013"])
def test_other_decimals_rule_thousands_out(cell: str) -> None:
    data = read("actual;predicted\n" + "".join(f"{a};{b}\n" for a, b in [*PAIRS, (cell, "1"), ("1.5", cell)]))
    assert data.frame["actual"].tolist()[:2] == [1.013, 1.25]
    assert not [one for one in data.findings if one.code == "marks"]


def test_decimals_of_other_columns_show_what_a_mark_separates() -> None:
    data = read("actual;predicted;share\n" + "".join(f"{a};{b};0,{i}5\n" for i, (a, b) in enumerate(PAIRS)))
    assert data.frame["actual"].tolist() == [1013, 1250, 875, 2000, 640, 1111]
    assert data.frame["share"].tolist() == pytest.approx([0.05, 0.15, 0.25, 0.35, 0.45, 0.55])
    assert (asked(data).level, "write decimals with a comma" in asked(data).sentence) == ("info", True)
    silent = read("actual,predicted,share\n1.013,2.250,0.5\n3.400,4.125,0.25\n")
    assert silent.frame["actual"].tolist() == [1.013, 3.4]
    assert not [one for one in silent.findings if one.code == "marks"]


def test_a_mark_that_separates_decimals_elsewhere_is_asked_about_where_some_numbers_lack_it() -> None:
    rows = [(0.5, "1.013", 992), (0.25, 2, "4.127")] * 4
    data = read("share,actual,predicted\n" + "".join("{},{},{}\n".format(*row) for row in rows))
    assert data.frame["actual"].tolist() == [1.013, 2] * 4
    thousands, decimals = (data.shaped(steps).frame for steps in asked(data).answers)
    assert (thousands["actual"].tolist(), thousands["predicted"].tolist()) == ([1013, 2] * 4, [992, 4127] * 4)
    assert decimals["actual"].tolist() == [1.013, 2] * 4
    # a program that writes 2 without decimals writes no 1.250
    zeros = read("share,actual,predicted\n" + "".join("{},{},{}\n".format(*row) for row in [*rows, (0.5, "1.250", 1)]))
    assert zeros.frame["actual"].tolist() == [1013, 2] * 4 + [1250]


def test_an_answer_says_the_same_of_some_of_the_rows() -> None:
    data = read("actual;predicted\n" + "".join(f"{a};{b}\n" for a, b in PAIRS))
    for steps, numbers in zip(asked(data).answers, ([875, 640], [875, 640]), strict=True):
        assert data.shaped(f"range~actual~*~900~~{steps}").frame["actual"].tolist() == numbers


def test_a_mark_far_below_the_first_rows_is_asked_about() -> None:
    data = read("actual;predicted\n" + "640;700\n" * 400 + "1.013;992\n")
    assert (asked(data).column, data.frame["actual"].max()) == ("actual", 1013)
    assert "(first: line 402)" in asked(data).sentence


@pytest.mark.parametrize("number", [992, 12.5, 5000])
def test_texts_among_the_numbers_of_a_sheet_are_asked_about(number: float) -> None:
    rows = [["actual", "predicted"], ["1,603", 1500], [number, 990], ["2,000", 2100]]
    data = read_table(workbook(a=rows), "x.xlsx")
    thousands, decimals = (data.shaped(steps).frame["actual"].tolist() for steps in asked(data).answers)
    assert (thousands, decimals) == ([1603, number, 2000], [1.603, number, 2])
    assert "(first: row 2)" in asked(data).sentence


def test_a_currency_sign_does_not_hide_a_mark_that_may_separate_thousands() -> None:
    data = read('actual,predicted\n"€ 386,025","€ 412,500"\n"€ 150,000","€ 99,900"\n')
    assert data.frame["actual"].tolist() == [386025, 150000]
    assert data.shaped(asked(data).other).frame["predicted"].tolist() == [412.5, 99.9]
    assert read("actual,score\n1,$5\n0,€5\n").frame["score"].tolist() == ["$5", "€5"]


@pytest.mark.parametrize(("delimiter", "mark"), [(";", ","), (";", "."), (",", ".")])
def test_amounts_of_money_have_thousands_not_three_decimals(delimiter: str, mark: str) -> None:
    rows = [("€ 386.025", "€ 412.500"), ("€ 150.000", "€ 199.900")]
    data = read("".join(f"{a}{delimiter}{b}\n" for a, b in [("actual", "predicted"), *rows]).replace(".", mark))
    assert data.frame["predicted"].tolist() == [412500, 199900]
    assert asked(data).level == "warning"
    assert data.shaped(asked(data).other).frame["predicted"].tolist() == [412.5, 199.9]


def test_decimals_of_other_columns_make_even_amounts_of_money_decimals_that_are_asked_about() -> None:
    data = read("actual,predicted,share\n$3.459,$3.519,0.5\n$3.210,$3.100,0.25\n")
    assert data.frame["actual"].tolist() == [3.459, 3.21]
    assert data.shaped(asked(data).action).frame["actual"].tolist() == [3459, 3210]


def test_an_answer_is_kept_with_a_stored_data_set(tmp_path) -> None:
    data = read("actual;predicted\n" + "".join(f"{a};{b}\n" for a, b in PAIRS))
    store = Workspace(tmp_path, 10_000_000)
    id = store.save(data)
    store.keep_shape(id, asked(data).other)
    again = Workspace(tmp_path, 10_000_000)
    assert asked(again.load(id)) == asked(data)
    assert again.load(id).shaped(again.shape(id)).frame["actual"].tolist() == [1.013, 1.25, 875, 2, 640, 1.111]
