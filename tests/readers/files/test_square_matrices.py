"""Square matrices open without their totals, with the names of their classes, and shares are told from counts."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, read_table
from tests.readers import made_files as files
from tests.words import sentence_with


def read(data: str | bytes) -> DataSet:
    return read_table(data.encode() if isinstance(data, str) else data, "x.csv")


def sentences(dataset: DataSet) -> str:
    return "\n".join(finding.sentence for finding in dataset.findings)


COUNTS = pd.crosstab(*files.labels()).to_numpy()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (files.matrix(margins=True), 'column "All" hold totals'),
        (files.matrix(margins=True, margins_name="Sum"), 'column "Sum" hold totals'),
        (files.matrix(margins=True, margins_name="n"), 'column "n" hold totals'),
    ],
)
def test_totals_are_left_out_whatever_they_are_called(data: bytes, sentence: str) -> None:
    dataset = read(data)
    assert dataset.kind == "counts"
    assert dataset.matrix().classes == tuple(files.ANIMALS)
    assert np.array_equal(dataset.matrix().counts, COUNTS)
    assert sentence in sentences(dataset)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x,cat,dog,Total\ncat,1,2,3\ndog,3,4,7\n", 'column "Total" holds totals'),
        ("x,cat,dog\ncat,1,2\ndog,3,4\nTotal,4,6\n", 'row "Total" holds totals'),
        ("x,cat,dog\ncat,1,2\ndog,3,4\n,4,6\n", "last row holds totals"),
        ("x,cat,dog,Total\ncat,1,2,3\ndog,3,4,7\nSum,4,6,\n", 'column "Total" holds totals'),
        ("1,2,3\n3,4,7\n4,6,10\n", 'column "column 3" hold'),
        ("x,0,1,All\n0,1,2,3\n1,3,4,7\nAll,4,6,10\n", 'column "All" hold totals'),
    ],
)
def test_only_a_row_or_only_a_column_of_totals(text: str, sentence: str) -> None:
    dataset = read(text)
    assert np.array_equal(dataset.matrix().counts, [[1, 2], [3, 4]])
    assert sentence in sentences(dataset)


@pytest.mark.parametrize(
    "text",
    [
        "x,cat,dog,All\ncat,1,2,3\ndog,3,4,7\nAll,4,6,11\n",
        "x,a,b,c\na,1,2,3\nb,3,4,7\nc,4,6,9\n",
        "a,b,All\n1,2,3\n3,4,7\n4,6,9\n",
    ],
)
def test_numbers_that_are_no_sums_stay_classes(text: str) -> None:
    assert len(read(text).matrix().classes) == 3


@pytest.mark.parametrize("text", ["id,a,b\n1,1,2\n2,3,4\n3,4,6\n", "label,tp,fp\nx,1,2\ny,3,4\nz,4,6\n"])
def test_sums_in_another_table_stay(text: str) -> None:
    assert len(read(text).frame) == 3
    assert "totals" not in sentences(read(text))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"normalize": "index"}, "recall is right"),
        ({"normalize": "columns"}, "precision is right"),
        ({"normalize": "all"}, "adds up to 1"),
    ],
)
@pytest.mark.parametrize("margins", [False, True])
@pytest.mark.parametrize("decimals", [2, 15])
def test_shares_are_told_from_counts(options: dict, words: str, margins: bool, decimals: int) -> None:
    frame = pd.crosstab(*files.labels(), margins=margins, **options).round(decimals)
    dataset = read(frame.to_csv())
    assert dataset.matrix().classes == tuple(files.ANIMALS)
    assert words in sentences(dataset)
    assert "weighted counts" not in sentences(dataset)


CARET = """Confusion Matrix and Statistics

            Reference
Prediction   very ill well
  very ill         40    8
  well             10  142

               Accuracy : 0.91
                 95% CI : (0.8614, 0.9458)
"""
TABLE = "\n    {}\n{}  0  1\n  0 40  8\n  1 10 142\n"


@pytest.mark.parametrize(
    ("text", "is_told", "rows"),
    [
        (CARET, True, "predicted"), (TABLE.format("truth", "said"), True, "predicted"),
        (TABLE.format("predicted", "    "), True, "actual"), (TABLE.format("", "    "), False, "actual"),
        (TABLE.format("test", "gold"), True, "actual"), ("  a b\na 40 8\nb 10 142\n", False, "actual"),
    ],
)  # fmt: skip
def test_a_matrix_printed_by_r_is_read_the_way_its_headings_say(text: str, is_told: bool, rows: str) -> None:
    dataset = read(text)
    cells = np.array([[40, 8], [10, 142]])
    assert dataset.matrix().counts.tolist() == (cells if rows == "actual" else cells.T).tolist()
    finding = next(one for one in dataset.findings if one.code == "matrix rows")
    other = {"actual": "predicted", "predicted": "actual"}[rows]
    assert (finding.level, finding.role, finding.column) == ("info" if is_told else "warning", "rows_are", other)


def test_percent_are_shares() -> None:
    assert sentence_with(sentences(read("x,a,b\na,62.5,37.5\nb,1.2,98.8\n")), "100", "Each")
    assert "adds up" not in sentences(read("x,a,b\na,62,38\nb,1,99\n"))


def test_prefixes_of_class_names_are_dropped_and_say_what_the_rows_are() -> None:
    dataset = read(files.matrix_of_prefixed_classes())
    assert dataset.matrix().classes == tuple(files.ANIMALS)
    assert np.array_equal(dataset.matrix().counts, COUNTS)
    turned = read("x,true_a,true_b\npred_a,1,2\npred_b,3,4\n")
    assert turned.roles.get("rows_are") == "predicted"
    assert np.array_equal(turned.matrix().counts, [[1, 3], [2, 4]])


@pytest.mark.parametrize(
    "text",
    [
        ",Disease +,Disease −\nTest +,40,8\nTest −,10,142\n", "Test,Disease yes,Disease no\nyes,40,8\nno,10,142\n",
        ",Disease absent,Disease present\nTest negative,142,10\nTest positive,8,40\n",
        ",Test +,Test -,Total\nDisease -,8,142,150\nDisease +,40,10,50\nTotal,48,152,200\n",
    ],
)  # fmt: skip
def test_a_test_against_a_disease(text: str) -> None:
    dataset = read_table(text.encode(), "x.csv")
    assert dataset.kind == "counts"
    matrix = dataset.matrix()
    positive = [name in ("+", "yes", "present") for name in matrix.classes]
    order = [positive.index(True), positive.index(False)]
    assert matrix.counts[order][:, order].tolist() == [[40, 10], [8, 142]]


@pytest.mark.parametrize("text", [",Disease +,Age\nTest +,40,8\nTest -,10,142\n", ",A +,B -\nC +,40,8\nC -,10,142\n"])
def test_signs_of_different_things_are_no_classes(text: str) -> None:
    assert read_table(text.encode(), "x.csv").kind == "unknown"
