"""A file that cannot be read is refused in a sentence that says what is wrong, where, and what to do."""

import gzip
import io
import pickle
import zipfile

import pandas as pd
import pyarrow as pa
import pytest

from evalcore.readers import Finding, ReadProblem, read_table
from evalcore.readers.base.problems import Lines, listed, named

CSV = b"actual,score\nill,0.9\nwell,0.25\n"


def packed(*members: tuple[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return content.getvalue()


def zstd(data: bytes) -> bytes:
    return pa.compress(data, "zstd", asbytes=True)


def parquet(frame: pd.DataFrame) -> bytes:
    content = io.BytesIO()
    frame.to_parquet(content)
    return content.getvalue()


def xlsx(frame: pd.DataFrame, **options: object) -> bytes:
    content = io.BytesIO()
    frame.to_excel(content, index=False, **options)
    return content.getvalue()


TWO = pd.DataFrame({"actual": [1, 0], "score": [0.9, 0.25]})

REFUSED = {
    "nothing": (b"", "is empty"),
    "blanks": (b" \n\t\n\r\n", "is empty"),
    "byte order mark": (b"\xef\xbb\xbf", "is empty"),
    "header only": (b"actual,score\n", "header but no rows"),
    "header and blank lines": (b"actual,score\n\n  \n", "header but no rows|only 1 field"),
    "one column": (b"score\n0.9\n0.25\n", "only one column"),
    "blanks in all lines but one": (b"actual score\n1 0.9\n0 0.25 x\n", "only one column"),
    "too few fields": (b"actual,score\nill,0.9\nwell\nill,0.5\n", r"Line 3 .* has only 1 field where .* 2"),
    "a letter": (b"Dear Sir,\n\nplease find, as said,\nthe results.\nYours, truly, me\n", "look like a table"),
    "rows wider than the header": (b"actual,score\nill,0.9,1\nwell,0.2,3\n", "Line 2 .* has 3 fields where"),
    "too many fields": (b"actual,score\nill,0.9\nwell,0.25,7\n", r"Line 3 .* has 3 fields where .* 2"),
    "ragged after a quoted line end": (b'a,b\nx,"1\n2"\ny\n', "Line 4 "),
    "ragged after a blank line": (b"actual,score\nill,0.9\n\nwell\n", "Line 4 "),
    "open quote": (b'actual,score\nill,0.9\n"well,0.25\nill,0.5\n', "begins in line 3"),
    "open quote in the header": (b'"actual,score\nill,0.9\n', "line 1 .*never closed|one column"),
    "random bytes": (bytes(range(256)) * 8, "not a table"),
    "PDF": (b"%PDF-1.7\n1 0 obj", "a PDF document"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
    "JSON cut off": (b'[{"actual": 1,\n "score": 0.9}', "Line 2 .* is not valid JSON"),
    "JSON Lines with a wrong line": (b'{"actual": 1, "score": 0.9}\n\n{"actual": 0\n', "Line 3 .* is not valid JSON"),
    "JSON that is no table": (b"[0.5, 0.25]", "no table in JSON"),
    "JSON nested deeply": (b"[" * 100_000, "nested too deeply"),
    "JSON with one column": (b'[{"score": 1}, {"score": 2}]', "only one column"),
    "JSON without rows": (b"[]", "only one column"),
    "web page": (b"<!DOCTYPE html><html></html>", "a web page"),
    "cut Arrow file": (b"ARROW1\0\0", "Arrow file"),
    "cut Arrow stream": (b"\xff\xff\xff\xff\0\1", "Arrow file"),
    "cut Feather file of the first version": (b"FEA1\0\0", "Arrow file that is damaged"),
    "pickle": (pickle.dumps(TWO), "not a table"),
    "cut gzip": (gzip.compress(CSV * 50)[:-9], "gzip file"),
    "damaged gzip": (gzip.compress(CSV)[:12] + b"????????", "gzip file"),
    "gzip of nothing": (gzip.compress(b""), "is empty"),
    "cut zstd": (zstd(CSV * 50)[:-9], "zstd file"),
    "damaged zstd": (zstd(CSV)[:9] + b"????????", "zstd file"),
    "zstd of nothing": (zstd(b""), "is empty"),
    "rubbish after zstd": (zstd(CSV) + b"rubbish", "zstd file"),
    "rubbish after gzip": (gzip.compress(CSV) + b"rubbish", "gzip file"),
    "cut zip": (packed(("x.csv", CSV * 50))[:-30], "zip file"),
    "zip of two": (packed(("a.csv", CSV), ("b.csv", CSV)), r'holds 2 files: "a.csv", "b.csv"'),
    "zip of none": (packed(), "without any file"),
    "zip of folders": (packed(("folder/", b"")), "without any file"),
    "zip of an empty file": (packed(("x.csv", b"")), "is empty"),
    "zip in zip in zip": (packed(("c", packed(("b", packed(("a.csv", CSV)))))), "compressed several times"),
    "cut Parquet": (parquet(TWO)[:-20], "Parquet file"),
    "Parquet start": (b"PAR1PAR1", "Parquet file"),
    "Parquet without rows": (parquet(TWO.iloc[:0]), "no rows"),
    "Parquet with one column": (parquet(TWO[["score"]]), "only one column"),
    "Parquet of lists": (parquet(TWO[["score"]].assign(x=[[1], [2]])), "Only one column"),
    "empty workbook": (xlsx(pd.DataFrame()), "is empty"),
    "workbook with a header only": (xlsx(TWO.iloc[:0]), "header but no rows"),
    "workbook with one column": (xlsx(TWO[["score"]]), "only one column"),
    "cut workbook": (xlsx(TWO)[:-300], "damaged or truncated"),
    "hollow workbook": (packed(("xl/workbook.xml", b"<x/>"), ("[Content_Types].xml", b"<x/>")), "workbook that is"),
    "Word document": (packed(("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>")), "holds 2 files"),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "workbook that is damaged"),
    "cut UTF-16": ("actual,score\nill,0.9".encode("utf-16")[:-1], "UTF-16 text"),
    "too many columns": (
        b",".join(b"c%d" % n for n in range(2001)) + b"\n" + b",".join([b"1"] * 2001),
        "many columns: at most",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_and_why(case: str) -> None:
    data, why = REFUSED[case]
    with pytest.raises(ReadProblem, match=why) as problem:
        read_table(data, "my file.csv")
    sentence = str(problem.value)
    assert '"my file.csv"' in sentence or ".csv" in sentence
    assert sentence[0] in '"ALOT'
    assert sentence.endswith(".")
    assert 5 < len(sentence.split()) < 60


def test_a_zip_with_a_password_is_refused() -> None:
    data = bytearray(packed(("x.csv", CSV)))
    data[6] |= 1  # the flag in the header of the member and in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ReadProblem, match="password"):
        read_table(bytes(data), "x.zip")


@pytest.mark.parametrize("data", [CSV, parquet(TWO), xlsx(TWO)])
def test_the_limit_of_rows(data: bytes) -> None:
    assert len(read_table(data, "x", max_rows=2)) == 2
    with pytest.raises(ReadProblem, match="rows: at most 1 "):
        read_table(data, "x", max_rows=1)


def test_the_limit_of_bytes(tmp_path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(CSV)
    for source in (CSV, path):
        assert len(read_table(source, max_bytes=len(CSV))) == 2
        with pytest.raises(ReadProblem, match="at most 30 bytes"):
            read_table(source, max_bytes=len(CSV) - 1)


@pytest.mark.parametrize("pack", [gzip.compress, zstd, lambda data: packed(("x.csv", data))])
def test_a_bomb_is_unpacked_no_further_than_the_limit(pack) -> None:
    bomb = pack(b"actual,score\n" + b"1,1\n" * 2_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(ReadProblem, match="at most 1 MB"):
        read_table(bomb, "x", max_bytes=1_000_000)


def test_a_zip_that_lies_about_its_size_is_refused() -> None:
    data = bytearray(packed(("x.csv", b"actual,score\n" + b"1,1\n" * 500_000)))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.index(mark) + place
        data[start : start + 4] = (100).to_bytes(4, "little")
    with pytest.raises(ReadProblem):
        read_table(bytes(data), "x.zip", max_bytes=1_000_000)


def test_a_workbook_bomb_is_refused() -> None:
    content = io.BytesIO(xlsx(TWO))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/media/nothing.bin", bytes(5_000_000))
    with pytest.raises(ReadProblem, match="at most 1 MB"):
        read_table(content.getvalue(), "x.xlsx", max_bytes=1_000_000)


def test_a_parquet_bomb_is_refused() -> None:
    many = pd.DataFrame({"actual": [1] * 500_000, "score": [0.5] * 500_000})
    assert len(parquet(many)) < 100_000
    with pytest.raises(ReadProblem, match="at most 1 MB"):
        read_table(parquet(many), "x", max_bytes=1_000_000)


def test_paths_that_cannot_be_opened(tmp_path) -> None:
    for path in (tmp_path / "none.csv", tmp_path, "a\0b.csv"):
        with pytest.raises(ReadProblem, match="cannot be opened"):
            read_table(path)


def test_a_problem_is_a_value_error() -> None:
    assert issubclass(ReadProblem, ValueError)


def test_a_finding_has_one_of_three_levels() -> None:
    with pytest.raises(ValueError, match="level"):
        Finding("fatal", "Nothing works.", 1)


def test_words_for_sentences() -> None:
    assert named("a\nb") == '"a b"'
    assert len(named("x" * 500)) < 70
    assert listed(["a"]) == '"a"'
    assert Lines(5, "row").at(0) == "row 5"


def test_a_workbook_that_was_cut_off_is_called_a_workbook() -> None:
    with pytest.raises(ReadProblem, match="damaged or truncated"):
        read_table(xlsx(TWO)[:-30], "my file.xlsx")
