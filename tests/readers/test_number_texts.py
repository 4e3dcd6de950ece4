"""Numbers written with marks: percent signs, separators of thousands and long minus signs; what stays text."""

import pandas as pd
import pytest

from evalcore.readers import read_table
from evalcore.readers.frames import column_of
from tests.readers.files import workbook


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
        ("actual,score\n1,\u22120.5\n0,0.25\n", [-0.5, 0.25], "which is read as -0.5"),
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
    "cells", [("1,234", "2,500"), ("0,234", "1,5%x"), ("1,23,45", "2"), ("1.2.3", "1.2.4"), ("5 %", "x")]
)
def test_what_is_ambiguous_or_does_not_fit_stays_text(cells: tuple[str, str]) -> None:
    frame = read('actual,price,n\nill,"{}",1\nwell,"{}",2\n'.format(*cells)).frame
    assert frame["price"].tolist() == list(cells)


def test_missing_cells_stay_missing_among_marked_numbers() -> None:
    frame = read("actual,p\n1,50%\n0,\n1,NA\n0,10%\n").frame
    assert frame["p"].isna().tolist() == [False, True, True, False]


def test_marked_numbers_of_a_workbook_are_numbers() -> None:
    column, (finding,) = column_of(["67.4 %", None, "3 %"], "p")
    assert column.dropna().tolist() == pytest.approx([0.674, 0.03])
    assert finding.level == "info"


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
