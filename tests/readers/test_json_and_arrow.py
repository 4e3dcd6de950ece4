"""JSON in each shape, and Arrow files and streams, open as the same table as text."""

import io
import json

import pandas as pd
import pyarrow as pa
import pytest

from evalcore.readers import DataSet, read_table
from tests.readers.mutants import stream, written

TABLE = pd.DataFrame({"actual": ["ill", "well", "ill", "well"], "score": [0.9, 0.25, 0.5, 0.125]})
RECORDS = TABLE.to_dict("records")


def same(dataset: DataSet) -> bool:
    pd.testing.assert_frame_equal(dataset.frame, TABLE)
    assert (dataset.kind, dataset.roles.score, dataset.roles.positive) == ("scores", ("score",), "ill")
    return True


JSON = {
    "records": json.dumps(RECORDS),
    "records, indented": json.dumps(RECORDS, indent=2),
    "lines": TABLE.to_json(orient="records", lines=True),
    "lines with blank ones": TABLE.to_json(orient="records", lines=True).replace("\n", "\r\n\r\n"),
    "columns": json.dumps(TABLE.to_dict("list")),
    "columns of labelled cells": TABLE.to_json(),
    "index": TABLE.to_json(orient="index"),
    "split": TABLE.to_json(orient="split"),
    "table": TABLE.to_json(orient="table", index=False),
    "rows": json.dumps([list(TABLE.columns), *TABLE.to_numpy().tolist()]),
    "data": json.dumps({"model": "m", "created": "today", "data": RECORDS}),
    "columns in data": json.dumps({"data": TABLE.to_dict("list")}),
}


@pytest.mark.parametrize("shape", JSON)
def test_shapes_of_json(shape: str) -> None:
    assert same(read_table(JSON[shape].encode(), "x.json"))
    assert same(read_table(b"\xef\xbb\xbf" + JSON[shape].encode(), "x.json"))


def test_json_in_utf_16() -> None:
    assert same(read_table(JSON["records"].encode("utf-16"), "x.json"))


@pytest.mark.parametrize("lines", [True, False])
def test_objects_in_records_are_flattened_and_what_lies_deeper_is_left_out(lines: bool) -> None:
    records = [
        {**row, "model": {"name": "a", "size": number, "more": {"x": [1]}}, "odd": [number], "tags": ["b", "c"]}
        for number, row in enumerate(RECORDS)
    ]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    dataset = read_table(text.encode(), "x.json")
    assert list(dataset.frame.columns) == ["actual", "score", "model.name", "model.size", "tags"]
    assert dataset.frame["model.size"].tolist() == [0, 1, 2, 3]
    assert dataset.frame["tags"].tolist() == ["b|c"] * 4
    assert [finding.column for finding in dataset.read_findings] == ["model.more", "odd"]


@pytest.mark.parametrize("lines", [True, False])
def test_missing_keys_dates_mixed_cells_and_odd_texts(lines: bool) -> None:
    records = [
        {"actual": 1, "score": 0.5, "day": "2024-01-02", "code": "007", "mixed": "a", "odd \ud800": "\ud800é"},
        {"actual": 0, "score": None, "day": "2024-01-03", "code": "x", "mixed": 2, "big": 10**30},
        {"actual": 1, "score": float("nan"), "mixed": True, "late": 1},
    ]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    frame = read_table(text.encode(), "x.json").frame
    assert frame["score"].isna().tolist() == [False, True, True]
    assert frame["day"].fillna("-").tolist() == ["2024-01-02", "2024-01-03", "-"]
    assert frame["code"].fillna("-").tolist() == ["007", "x", "-"]
    assert frame["mixed"].tolist() == ["a", "2", "true"]
    assert frame["odd ?"].fillna("-").tolist() == ["?é", "-", "-"]
    assert frame["big"].fillna("-").tolist() == ["-", str(10**30), "-"]
    assert frame["late"].iloc[2] == 1


def test_an_object_of_systems_and_one_of_counts() -> None:
    dataset = read_table(b'{"tp": 5, "fp": 1, "fn": 2, "tn": 9}', "x.json")
    assert (dataset.kind, dataset.counts().tp) == ("counts", 5)
    dataset = read_table(b'{"a": {"tp": 5, "fp": 1, "fn": 2, "tn": 9}, "b": {"tp": 4, "fp": 2, "fn": 3, "tn": 8}}', "x")
    assert (dataset.kind, dataset.systems, dataset.counts("b").fn) == ("counts", ("a", "b"), 3)


def test_rows_are_called_records() -> None:
    dataset = read_table(json.dumps([*RECORDS, {"actual": "ill", "score": "x"}]).encode(), "x.json")
    assert any("record 5" in finding.sentence for finding in dataset.findings)


def feather(frame: pd.DataFrame, **options: object) -> bytes:
    return written(frame.to_feather, **options)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather(compression: str) -> None:
    assert same(read_table(feather(TABLE, compression=compression), "x.feather"))


def test_arrow_streams_dictionaries_and_nested_columns() -> None:
    assert same(read_table(stream(TABLE), "x.arrow"))
    frame = TABLE.astype({"actual": "category"})
    assert same(read_table(stream(frame), "x.arrow"))
    assert same(read_table(feather(frame), "x.arrow"))
    dataset = read_table(stream(frame.assign(part=[{"a": 1}] * 4)), "x.arrow")
    assert same(DataSet.of(dataset.frame))
    assert [finding.column for finding in dataset.read_findings] == ["part"]


def test_an_arrow_stream_in_pieces() -> None:
    content, table = io.BytesIO(), pa.Table.from_pandas(TABLE)
    with pa.ipc.new_stream(content, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=1):
            writer.write_batch(batch)
    assert same(read_table(content.getvalue(), "x.arrow"))


def test_a_text_that_begins_after_many_records_is_read() -> None:
    records = [{"actual": "ab"[row % 2], "score": row / 7} for row in range(300)]
    records[250]["note"] = "late"
    data = "\n".join(map(json.dumps, records)).encode()
    assert read_table(data, "x.jsonl").frame["note"].dropna().tolist() == ["late"]
