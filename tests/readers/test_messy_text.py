"""Text as people have it: comments and titles above the header, totals below, row numbers; another header if wanted."""

import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, read_table
from tests.readers import files

FRAME = files.patients(30)
CSV = FRAME.to_csv(index=False)
SEMICOLONS = FRAME.to_csv(index=False, sep=";", decimal=",")


def same(dataset: DataSet) -> str:
    pd.testing.assert_frame_equal(dataset.frame, FRAME)
    return " ".join(finding.sentence for finding in dataset.read_findings)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_comments_above_and_a_total_below(ends: str) -> None:
    text = f'# made by "model 3", all wards\n#\n\n# threshold: 0.5\n{CSV}\nTotal: 30 rows\n'
    dataset = read_table(text.replace("\n", ends).encode(), "x.csv")
    sentences = same(dataset)
    assert "The header is in line 5; the 3 above it are left out" in sentences
    assert 'The last line is left out, because it is below the table: "Total: 30 rows"' in sentences
    assert dataset.lines.at(0) == "line 6"
    assert dataset.lines.origin.header == 5


@pytest.mark.parametrize(
    "titles",
    [
        "Results of the validation\n\n",
        "Results, all wards, and more, to be, checked by, all\n",
        "Study;A 1\nDate;2024-05-01\n",
        '"Results; quoted"\nAs of 2024-05-01\nWard: all\n',
    ],
)
@pytest.mark.parametrize("text", [CSV, SEMICOLONS])
def test_titles_above_the_header(titles: str, text: str) -> None:
    dataset = read_table((titles + text).encode(), "x.csv")
    assert f"The header is in line {titles.count(chr(10)) + 1};" in same(dataset)


def test_two_columns_below_titles_of_two_cells() -> None:
    frame = FRAME[["actual", "score"]]
    dataset = read_table(("Study,A\nWard,all\n" + frame.to_csv(index=False)).encode(), "x.csv")
    pd.testing.assert_frame_equal(dataset.frame, frame)


def test_a_header_that_is_a_comment() -> None:
    assert "#" not in same(read_table(("# " + CSV).encode(), "x.csv"))
    text = "# simulated\n# actual,predicted\n" + "ill,ill\nwell,ill\n" * 9
    dataset = read_table(text.encode(), "x.csv")
    assert (dataset.kind, dataset.roles.actual, len(dataset)) == ("labels", "actual", 18)
    assert dataset.lines.at(0) == "line 3"


@pytest.mark.parametrize(
    "footer", ["Total;;;\n", "Summe: 30\n", "Source: ward A, 2024\n", "\n(30 rows affected)\n", "\nJ. Doe\n", "# end\n"]
)
def test_footers(footer: str) -> None:
    assert "left out" in same(read_table((SEMICOLONS + footer).encode(), "x.csv"))


def test_two_footers_of_a_large_file() -> None:
    frame = files.patients(20_000)
    text = frame.to_csv(index=False) + "\nTotal: 20000\nSource: ward A\n"
    dataset = read_table(text.encode(), "x.csv")
    pd.testing.assert_frame_equal(dataset.frame, frame)
    assert 'The last 2 lines are left out, because they are below the table: "Total: 20000", "Source: ward A".' in [
        finding.sentence for finding in dataset.read_findings
    ]


def test_a_last_row_that_is_cut_off_is_still_a_problem() -> None:
    with pytest.raises(ReadProblem, match=r"Line 32 .* has only 2 fields"):
        read_table((CSV + "ill,0.5\n").encode(), "x.csv")


def test_row_numbers_without_a_name() -> None:
    text = "\t".join(FRAME.columns) + "\n" + FRAME.to_csv(sep="\t", header=False)
    dataset = read_table(text.encode(), "x.tsv")
    pd.testing.assert_frame_equal(dataset.frame.iloc[:, 1:], FRAME)
    assert (dataset.kind, dataset.roles.score) == ("scores", ("score",))
    dataset = read_table(FRAME.to_csv().encode(), "x.csv")
    assert dataset.roles.score == ("score",)


def test_another_header() -> None:
    text = "site,north,2024,x\n" + CSV
    dataset = read_table(text.encode(), "x.csv", header=2)
    assert same(dataset) == ""
    assert dataset.lines.at(0) == "line 3"
    assert dataset.lines.origin.arguments() == {"header": 2}
    assert list(read_table(CSV.encode(), "x.csv", header=0).frame.columns)[:2] == ["column 1", "column 2"]
    assert list(read_table(b"x\n#actual,score\nill,0.5\nwell,0.1\n", "x.csv", header=2).frame) == ["actual", "score"]


@pytest.mark.parametrize("header", [32, 99, -1])
def test_a_header_that_cannot_be(header: int) -> None:
    with pytest.raises(ReadProblem, match=r"Choose another header line|header but no rows"):
        read_table(CSV.encode(), "x.csv", header=header)


def test_a_plain_file_leaves_no_choice() -> None:
    assert read_table(CSV.encode(), "x.csv").lines.origin.is_usual


def test_errors_of_a_spreadsheet_are_missing_values() -> None:
    rows = "".join(f"{'ab'[row % 2]},{row / 100}\n" for row in range(30))
    dataset = read_table(f"actual,score\na,#DIV/0!\nb,#VALUE!\n{rows}".encode(), "x.csv")
    assert (dataset.kind, dataset.left_out()) == ("scores", 2)


def test_values_below_a_limit_of_detection_keep_a_column_from_being_numbers() -> None:
    rows = "".join(f"{row},{'yes' if row % 2 else 'no'},{row / 100 if row % 6 else '<0.01'}\n" for row in range(90))
    dataset = read_table(f"patient,outcome,troponin\n{rows}".encode(), "x.csv")
    (finding,) = [one for one in dataset.findings if one.code == "words"]
    assert 'because 15 rows hold no number: "<0.01"' in finding.sentence
    assert dataset.shaped(finding.action).roles.get("score") == ("troponin",)
