"""Workbooks as people have them: titles, totals, several sheets and merged cells; another sheet or header if wanted."""

from datetime import datetime

import pandas as pd
import pytest

from evalcore.readers import ReadProblem, read_table
from tests.readers import made_files as files
from tests.words import facts, sentence_with


def said(dataset) -> str:
    return " ".join(finding.sentence for finding in dataset.read_findings)


def test_titles_above_the_header_and_a_total_below() -> None:
    dataset = read_table(files.below_titles(), "x.xlsx")
    pd.testing.assert_frame_equal(dataset.frame, files.patients())
    assert (dataset.kind, dataset.roles.score) == ("scores", ("score",))
    assert sentence_with(said(dataset), "4", "3")
    assert sentence_with(said(dataset), "Total: 200 patients", "because")
    assert dataset.lines.at(0) == "row 5"
    assert dataset.lines.origin is not None
    assert (dataset.lines.origin.header, dataset.lines.origin.arguments()) == (4, {})


def test_the_second_sheet_has_the_predictions() -> None:
    dataset = read_table(files.second_sheet(), "x.xlsx")
    pd.testing.assert_frame_equal(dataset.frame, files.patients())
    assert dataset.lines.origin.sheets == ("Notes", "Predictions", "Repeat")
    assert dataset.lines.origin.sheet == "Predictions"
    assert '"Predictions" is open, "Notes", "Repeat" are not' in said(dataset)


def test_another_sheet_is_another_content() -> None:
    dataset = read_table(files.second_sheet(), "x.xlsx", sheet="Repeat")
    pd.testing.assert_frame_equal(dataset.frame, files.patients(seed=4))
    assert dataset.lines.origin.arguments() == {"sheet": "Repeat"}
    assert dataset.digest != read_table(files.second_sheet(), "x.xlsx").digest
    assert read_table(files.second_sheet(), "x.xlsx", sheet="Notes").lines.origin.sheet == "Notes"


def test_another_header() -> None:
    dataset = read_table(files.below_titles(), "x.xlsx", header=2)
    assert list(dataset.frame.columns)[:2] == ["Ward", "all"]
    assert dataset.lines.origin.arguments() == {"header": 2}
    assert read_table(files.excel_with_dates(), "x.xlsx", header=0).frame.columns[0] == "column 1"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"sheet": "Missing"}, 'no sheet "Missing" with a table, but "Notes"'),
        ({"header": 999}, "Row 999 .* is empty"),
        ({"header": -1}, "Row -1 .* is empty"),
    ],
)
def test_a_choice_that_cannot_be_made(options: dict, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        read_table(files.second_sheet(), "x.xlsx", **options)


def test_parquet_has_no_sheets() -> None:
    with pytest.raises(ReadProblem, match="no sheet"):
        read_table(files.patients().to_parquet(), "x.parquet", sheet="a")


def test_a_clean_workbook_leaves_no_choice() -> None:
    dataset = read_table(files.excel_with_dates(), "x.xlsx")
    assert (dataset.kind, dataset.lines.origin.is_usual) == ("scores", True)


def test_merged_cells_are_filled() -> None:
    dataset = read_table(files.merged_cells(), "x.xlsx")
    pd.testing.assert_frame_equal(dataset.frame, files.patients().sort_values("ward").reset_index(drop=True))
    assert sentence_with(said(dataset), "2", "header")


@pytest.mark.parametrize(
    "last", [["Total", None, None, 5], ["Total: 5"], ["n = 5"], ["Source: ward A"], [None, "Sum", None, 9]]
)
def test_footers(last: list) -> None:
    frame = files.patients(20)
    dataset = read_table(files.workbook(a=[*files.rows_of(frame), last]), "x.xlsx")
    pd.testing.assert_frame_equal(dataset.frame, frame)


@pytest.mark.parametrize("last", [["ill", None, None, None], ["total", 0.5, "Nord", 40], ["note", None, "Nord", 40]])
def test_a_last_case_with_missing_values_is_no_footer(last: list) -> None:
    assert len(read_table(files.workbook(a=[*files.rows_of(files.patients(20)), last]), "x.xlsx")) == 21


def test_a_date_among_numbers_is_named_with_its_column_and_row() -> None:
    numbers = [[0.11 + i / 100, i + 0.25] for i in range(20)]
    rows = [["actual", "predicted"], *numbers, [datetime(2024, 5, 1), 3.5], [4.5, 6.5]]
    data = read_table(files.workbook(a=rows), "x.xlsx")
    (finding,) = [one for one in data.read_findings if one.code == "mixed column"]
    assert facts(finding.sentence) == "actual 2024-05-01 1 22 1.5 1"
    shaped = data.shaped(finding.action)
    assert shaped.frame["actual"].isna().tolist() == [False] * 20 + [True, False]
    assert shaped.kind == "estimates"


def test_namibia_in_a_sheet() -> None:
    rows = (
        [["country", "actual", "score"]]
        + [[code, "ill", 0.5] for code in ("DE", "NA", "ZA", "BW")]
        + [["FR", "well", 0.2]]
    )
    (finding,) = [one for one in read_table(files.workbook(a=rows), "x.xlsx").findings if one.code == "country codes"]
    assert "(first: row 3)" in finding.sentence
