"""No file takes long, much memory or the process: each of these once did, and is refused or read within the limits."""

import io
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from evalcore.readers import DataSet, ReadProblem, read_qrels, read_run, read_table
from evalcore.readers.child import exports as child_sheets
from evalcore.readers.child import tasks as child_tasks
from evalcore.readers.files import columnar, headers
from evalcore.readers.trec import trec
from tests.readers.mutants import stream

TABLE = pd.DataFrame({"actual": ["ill", "well", "ill", "well"], "score": [0.9, 0.25, 0.5, 0.125]})
NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table")
)
NAMESPACES += ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
CELL = '<table:table-cell {}office:value-type="float" office:value="1"/>'


def packed(**members: str | bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as file:
                file.write(data if isinstance(data, bytes) else data.encode())
    return content.getvalue()


def xlsx(edit: Callable[[bytes], bytes], folder: str = "worksheets") -> bytes:
    """A workbook whose sheet is edited, and lies in some folder."""
    content = io.BytesIO()
    TABLE.to_excel(content, index=False)
    with zipfile.ZipFile(content) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = edit(parts.pop("xl/worksheets/sheet1.xml"))
    others = {name: part.replace(b"worksheets/sheet1", f"{folder}/sheet1".encode()) for name, part in parts.items()}
    return packed(**others, **{f"xl/{folder}/sheet1.xml": sheet})


def ods(body: str) -> bytes:
    return packed(
        **{
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"<office:document-content {NAMESPACES}><office:body><office:spreadsheet>{body}",
            "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        }
    )


def sheet(rows: str, repeated: int = 1) -> str:
    row = f'<table:table-row table:number-rows-repeated="{repeated}">{rows}</table:table-row>'
    return f'<table:table table:name="x">{row}</table:table>'


def many(times: int) -> str:
    return CELL.format(f'table:number-columns-repeated="{times}" ')


END = "</office:spreadsheet></office:body></office:document-content>"
WORKBOOKS = {
    "a far cell, its address after a blank": xlsx(lambda part: part.replace(b'r="B5"', b'r ="XFD1048576"')),
    "a far cell in another folder": xlsx(lambda part: part.replace(b'r="B5"', b'r="XFD1048576"'), "elsewhere"),
    # Just above the limit of cells, and far below the limit of memory.
    "9 million cells": xlsx(lambda part: part.replace(b'r="B5"', b'r="I1048576"')),
    "9 million cells of OpenDocument": ods(sheet(many(9), 1_048_575) + END),
    "17 billion cells of OpenDocument": ods(sheet(many(16_384), 1_048_575) + END),
}


@pytest.mark.parametrize("case", WORKBOOKS)
def test_a_workbook_that_asks_for_all_the_memory_is_refused(case: str) -> None:
    assert len(WORKBOOKS[case]) < 6_000
    with pytest.raises(ReadProblem, match="too far out"):
        read_table(WORKBOOKS[case], "x.xlsx")


def test_cells_without_an_address_follow_each_other() -> None:
    dataset = read_table(xlsx(lambda part: re.sub(rb' r="[A-Z]+\d+"', b"", part)), "x.xlsx")
    pd.testing.assert_frame_equal(dataset.frame, TABLE)


def test_a_workbook_that_never_ends_is_stopped(monkeypatch) -> None:
    monkeypatch.setattr(columnar, "TASK_SECONDS", 1)
    cell = '<table:table-cell office:value-type="string"><text:p>a</text:p><office:annotation><text:p>'
    cut = ods(f'<table:table table:name="x"><table:table-row>{cell}')
    with pytest.raises(ReadProblem, match="takes longer than 1 seconds"):
        read_table(cut, "x.ods")


def test_the_limit_of_sheets() -> None:
    assert len(read_table(ods((sheet(CELL.format("")) * 199) + sheet(many(2), 5) + END), "x.ods")) == 5
    with pytest.raises(ReadProblem, match="sheets: at most 200"):
        read_table(ods(sheet(many(2), 5) * 201 + END), "x.ods")


def parquet_of(table: pa.Table, **options: object) -> bytes:
    content = io.BytesIO()
    parquet.write_table(table, content, **options)
    return content.getvalue()


REPEATED = pa.DictionaryArray.from_arrays(np.zeros(20_000, dtype=np.int32), ["x" * 1_000_000])
EXPANDING = {
    "a long value in a dictionary": parquet_of(pa.table({"actual": REPEATED, "score": np.zeros(20_000)})),
    "a long value repeated": parquet_of(pa.table({"actual": REPEATED, "score": np.zeros(20_000)}), store_schema=False),
    "rows of nothing": parquet_of(pa.table({"actual": pa.nulls(30_000_000), "score": pa.nulls(30_000_000)})),
}


@pytest.mark.parametrize("case", EXPANDING)
def test_parquet_that_expands_is_refused_before_it_takes_the_memory(case: str) -> None:
    assert len(EXPANDING[case]) < 1_000_000
    with pytest.raises(ReadProblem, match=r"too large|memory|rows"):
        read_table(EXPANDING[case], "x.parquet")


def test_a_table_of_very_many_columns_is_refused_before_its_cells_are_read() -> None:
    table = pa.table([pa.array([1])] * 2_001, [f"c{number}" for number in range(2_001)])
    for form, data in (("parquet", parquet_of(table)), ("arrow", stream(table.to_pandas()))):
        with pytest.raises(ReadProblem, match="columns: at most 2"):
            read_table(data, f"x.{form}")
        answer = io.BytesIO()
        assert child_tasks.perform(form, io.BytesIO(data), answer, 10, 10**6) == child_tasks.EXIT_CODES["columns"]
        assert not answer.getvalue()


def test_dictionaries_and_lists_in_parquet() -> None:
    table = pa.table(
        {
            "actual": TABLE["actual"].to_numpy(),
            "list": [[{"a": 1}]] * 4,
            "score": pa.array([0.9, 0.25, 0.5, 0.125]).dictionary_encode(),
            "points.x": pa.array(["a", None, "", "b"]).dictionary_encode(),
        }
    )
    dataset = read_table(parquet_of(table), "x.parquet")
    pd.testing.assert_frame_equal(dataset.frame[["actual", "score"]], TABLE)
    assert dataset.frame["points.x"].fillna("-").tolist() == ["a", "-", "-", "b"]
    assert "list" not in dataset.frame


def test_a_script_needs_no_guard_and_runs_once(tmp_path) -> None:
    (tmp_path / "x.xlsx").write_bytes(xlsx(bytes))
    script = tmp_path / "script.py"
    script.write_text("print('once')\nfrom evalcore.readers import read_table\nprint(len(read_table('x.xlsx')))\n")
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    output = subprocess.run([sys.executable, script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert output.stdout.split() == ["once", "4"]


def test_without_limits_of_the_system_a_file_is_read_all_the_same(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    monkeypatch.setattr(os, "environ", {})
    child_tasks._limit(1, 1)
    answer = io.BytesIO()
    child_sheets.workbook_cells(io.BytesIO(xlsx(bytes)), answer, 10, 10)
    assert answer.getvalue()


def test_a_child_that_cannot_start_is_a_problem(monkeypatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ReadProblem, match="no process"):
        read_table(xlsx(bytes), "x.xlsx")


def test_a_zip_entry_without_a_name_is_a_table() -> None:
    assert len(read_table(packed(**{"": TABLE.to_csv(index=False)}), "x.zip")) == 4


def test_a_zip_of_very_many_files_is_refused_before_they_are_listed() -> None:
    with pytest.raises(ReadProblem, match=r"more than 10.000 files"):
        read_table(packed(**{f"{number}.csv": "a,b" for number in range(10_001)}), "x.zip")


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(ReadProblem, match=r"Line 2 .* is longer than 4 MB"):
        read_table(b"actual,score\n" + b"1," * 2_100_000, "x.csv")


def test_more_cells_than_memory_is_made_for_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(headers, "MAX_CELLS", 20)
    with pytest.raises(ReadProblem, match="cells: at most 20 "):
        read_table(b"actual,score\n" + b"1,1\n" * 10, "x.csv")


@pytest.mark.parametrize("error", [MemoryError, OverflowError, pa.ArrowMemoryError, pa.ArrowInvalid])
def test_a_lack_of_memory_is_a_problem(error: type[Exception], monkeypatch) -> None:
    def fails(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(DataSet, "of", fails)
    with pytest.raises(ReadProblem, match="more memory"):
        read_table(b"actual,score\n1,0.5\n0,0.25\n", "x.csv")
    monkeypatch.setattr(trec, "_columns", fails)
    for read in (read_run, read_qrels):
        with pytest.raises(ReadProblem, match="more memory"):
            read(b"q 0 a 1")


@pytest.mark.parametrize("name", ["same", "system {}"])
def test_very_many_rows_of_counts_are_systems_up_to_a_limit(name: str) -> None:
    rows = "".join(f"{name.format(number)},1,2,3,{number}\n" for number in range(20_000))
    dataset = read_table(f"system,tp,fp,fn,tn\n{rows}".encode(), "x.csv")
    assert len(dataset.systems) == 500
    assert any("only the first 500" in finding.sentence for finding in dataset.findings)
    assert dataset.counts(dataset.systems[-1]).tn == 499


def test_very_many_systems_of_rankings_are_chosen_up_to_a_limit() -> None:
    rows = "".join(f"s{number},q1,d1,0.5,1\ns{number},q1,d2,0.25,0\n" for number in range(501))
    dataset = read_table(f"system,query,document,score,grade\n{rows}".encode(), "x.csv")
    assert len(dataset.systems) == 500
    assert any("only the first 500" in finding.sentence for finding in dataset.findings)
