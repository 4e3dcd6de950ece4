"""Headers of several rows: levels of names are joined, and rows of units or types are no cases."""

import io

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, read_table
from tests.readers import made_files as files
from tests.words import sentence_with

NAMES = pd.MultiIndex.from_tuples([("label", ""), ("score", "model a"), ("score", "model b")])


def two_levels(rows: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    score = rng.random(rows)
    label = np.where(score + rng.normal(0, 0.3, rows) > 0.5, "yes", "no")
    return pd.DataFrame({0: label, 1: score.round(3), 2: (score**2).round(3)}).set_axis(NAMES, axis=1)


def excel(frame: pd.DataFrame, **options: object) -> bytes:
    content = io.BytesIO()
    frame.to_excel(content, **options)
    return content.getvalue()


def codes(dataset: DataSet) -> list[str]:
    return [finding.code for finding in dataset.read_findings]


@pytest.mark.parametrize("rows", [3, 60])
@pytest.mark.parametrize(
    "data",
    [
        lambda frame: frame.to_csv().encode(), lambda frame: frame.to_csv(index=False).encode(),
        lambda frame: frame.to_csv(index_label="case").encode(), excel, lambda frame: excel(frame, startrow=3),
    ],
)  # fmt: skip
def test_two_levels_of_names_as_pandas_writes_them(data, rows: int) -> None:
    dataset = read_table(data(two_levels(rows)), "x")
    assert dataset.frame["label"].tolist() == two_levels(rows)["label"].tolist()
    assert dataset.frame["score model b"].tolist() == two_levels(rows)[("score", "model b")].tolist()
    assert "header rows" in codes(dataset)
    if rows == 60:
        assert (dataset.kind, dataset.systems) == ("scores", ("score model a", "score model b"))


def test_names_merged_over_their_columns_and_rows() -> None:
    rows = [
        ["Case", "Outcome", "Risk", None],
        ["Case", "Outcome", "old", "new"],
        [1, "ill", 0.9, 0.7],
        [2, "well", 0.2, 0.1],
    ]
    dataset = read_table(files.workbook(a=rows), "x.xlsx")
    assert list(dataset.frame.columns) == ["Case", "Outcome", "Risk old", "Risk new"]
    assert dataset.lines.at(0) == "row 3"


def test_names_of_two_merged_cells_stand_above_names_that_repeat() -> None:
    text = b",north,,south,\nill,a,b,a,b\n1,.9,.8,.7,.6\n0,.1,.2,.3,.4\n1,.6,.5,.4,.3\n"
    dataset = read_table(text, "x.csv")
    assert list(dataset.frame.columns) == ["ill", "north a", "north b", "south a", "south b"]
    assert dataset.lines.at(0) == "line 3"


def test_units_below_the_names_are_no_case() -> None:
    frame = files.patients(40)
    text = frame.to_csv(index=False).replace("\n", "\nclass,0-1,name,years\n", 1)
    for data in (text.encode(), files.workbook(a=[line.split(",") for line in text.splitlines()])):
        dataset = read_table(data, "x")
        pd.testing.assert_frame_equal(dataset.frame, frame)
        assert sentence_with(dataset.read_findings[0].sentence, "class 0-1 name years", "units")
        assert dataset.lines.at(0).endswith(" 3")


@pytest.mark.parametrize("first", ["ill,n/a", "ill,missing", "ill,n.d.", "ill,#DIV/0!", '"a, b",-', "sane,"])
def test_a_first_case_without_a_number_stays(first: str) -> None:
    rest = "".join(f"{'ill' if i % 2 else 'well'},0.{i}\n" for i in range(10, 60))
    assert len(read_table(f"actual,score\n{first}\n{rest}".encode(), "x.csv")) == 51


@pytest.mark.parametrize("text", ["ill,0.9\nwell,0.2\n", "cat,dog\ncat,cat\ndog,dog\n", "a;ill;0,5\nb;well;0,25\n"])
def test_a_first_line_that_is_a_case_names_no_columns(text: str) -> None:
    dataset = read_table((text * 9).encode(), "x.csv")
    assert list(dataset.frame.columns)[:2] == ["column 1", "column 2"]
    assert len(dataset) == 9 * text.count("\n")
    assert (codes(dataset)[0], dataset.lines.origin.header) == ("no header", 0)
    assert len(read_table((text * 9).encode(), "x.csv", header=1)) == 9 * text.count("\n") - 1


@pytest.mark.parametrize("text", ["actual,0,1\n0,5,1\n1,2,7\n", ",yes,no\nyes,5,1\nno,2,7\n", "0.5,x\n1,0.5\n0,0.25\n"])
def test_numbers_and_words_in_a_header_still_name_columns(text: str) -> None:
    assert "no header" not in codes(read_table(text.encode(), "x.csv"))


def test_equal_names_are_told_apart_by_the_row_above_them() -> None:
    rows = [[None, "Model A", None, "Model B", None], ["y", "score", "pred", "score", "pred"]]
    rows += [[row % 2, row / 40, row // 20, (row * 7 % 40) / 40, row % 2] for row in range(40)]
    dataset = read_table(files.workbook(a=rows), "x.xlsx")
    assert list(dataset.frame.columns) == ["y", "Model A score", "Model A pred", "Model B score", "Model B pred"]
    assert dataset.roles.get("score") == ("Model A score", "Model B score")
    assert dataset.roles.get("predicted") == ("Model A pred", "Model B pred")
