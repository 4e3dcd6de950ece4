"""JSON in each shape, and Arrow files and streams, open as the same table as text."""

import io
import json
from itertools import product

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyarrow.feather import write_feather

from evalcore.readers import DataSet, read_table
from evalcore.readers.files import columnar
from tests.readers.mutants import stream, written
from tests.words import facts

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
def test_shapes_of_json(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert same(read_table(JSON[shape].encode(), "x.json"))
    monkeypatch.setattr(columnar, "is_child", True)  # whose start takes longer than to read it once more
    assert same(read_table(b"\xef\xbb\xbf" + JSON[shape].encode(), "x.json"))


def test_json_in_utf_16() -> None:
    assert same(read_table(JSON["records"].encode("utf-16"), "x.json"))


@pytest.mark.parametrize("lines", [True, False])
def test_objects_in_records_are_flattened_and_other_lists_left_out(lines: bool) -> None:
    records = [
        {**row, "model": {"name": "a", "size": number, "more": {"x": [1], "y": 2}}, "odd": [number], "tags": ["b", "c"]}
        for number, row in enumerate(RECORDS)
    ]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    dataset = read_table(text.encode(), "x.json")
    assert list(dataset.frame.columns) == ["actual", "score", "model.name", "model.size", "model.more.y", "tags"]
    said = {facts(one.sentence) for one in dataset.findings if one.code == "left-out column"}
    assert said == {"model.more.x", "odd"}
    assert dataset.frame["model.size"].tolist() == [0, 1, 2, 3]
    assert dataset.frame["tags"].tolist() == ["b|c"] * 4
    assert [finding.column for finding in dataset.read_findings] == ["model.more.x", "odd"]


def test_fractions_written_as_text_are_numbers_and_codes_are_not() -> None:
    frame = pd.DataFrame({"label": ["a", "b", "a"], "score": ["0.734", None, "12"], "code": ["007", "0.5", "1"]})
    parquet_file = io.BytesIO()
    frame.to_parquet(parquet_file)
    for data in (frame.to_json(orient="records").encode(), parquet_file.getvalue()):
        dataset = read_table(data, "x")
        pd.testing.assert_series_equal(dataset.frame["score"], pd.Series([0.734, None, 12], name="score"))
        assert (dataset.kind, dataset.frame["code"].tolist()) == ("scores", ["007", "0.5", "1"])
        assert [one.column for one in dataset.findings if one.code == "numbers as text"] == ["score"]


def test_a_key_of_very_many_dots_takes_no_memory_for_each() -> None:
    rows = [{"." * 200_000: 1, "label": "a", "pred": "a", "o": None}, {"label": "b", "pred": "a", "o": {"p": 1}}]
    dataset = read_table(json.dumps(rows).encode(), "x.json")
    assert (dataset.kind, list(dataset.frame.columns)[1:]) == ("labels", ["label", "pred", "o.p"])


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
    dataset = read_table(stream(frame.assign(part=[[[1]]] * 4)), "x.arrow")
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


NESTED = [
    {"id": "a", "truth": {"label": "ill", "by": {"rater": "x"}}, "p": {"ill": 0.75, "well": 0.25}, "tags": ["b", "c"]},
    {"id": "b", "truth": None, "p": {"ill": 0.5, "well": 0.5}, "tags": None},
    {"id": "c", "truth": {"label": "well", "by": {"rater": None}}, "p": {"ill": 0.125, "well": 0.875}, "tags": ["d"]},
    {"id": "d", "truth": {"label": "ill", "by": {"rater": "y"}}, "p": {"ill": 1.0, "well": 0.0}, "tags": ["b"]},
]


def in_arrow(table: pa.Table) -> bytes:
    content = io.BytesIO()
    with pa.ipc.new_file(content, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    return content.getvalue()


def in_arrow_stream(table: pa.Table) -> bytes:
    content = io.BytesIO()
    with pa.ipc.new_stream(content, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    return content.getvalue()


def in_parquet(table: pa.Table) -> bytes:
    content = io.BytesIO()
    parquet.write_table(table, content)
    return content.getvalue()


@pytest.mark.parametrize("write", [in_arrow, in_arrow_stream, in_parquet])
@pytest.mark.parametrize("maps", [False, True], ids=["structures", "maps"])
def test_objects_in_columns_are_flattened_as_in_json(write, maps: bool) -> None:
    table = pa.Table.from_pylist(NESTED)
    if maps:
        keyed = [list(row["p"].items()) for row in NESTED]
        table = table.set_column(2, "p", pa.array(keyed, pa.map_(pa.string(), pa.float64())))
    read = read_table(write(table), "x")
    pd.testing.assert_frame_equal(read.frame, read_table(json.dumps(NESTED).encode(), "x.json").frame)
    assert list(read.frame.columns) == ["id", "truth.label", "truth.by.rater", "p.ill", "p.well", "tags"]


@pytest.mark.parametrize("write", [in_arrow, in_arrow_stream, in_parquet])
def test_a_key_that_only_a_late_map_has_is_a_column(write) -> None:
    maps = pa.array([[("a", 1)], None, [], [("b", 2), ("a", 3)]], pa.map_(pa.string(), pa.int64()))
    objects = pa.StructArray.from_arrays([maps], names=["of"])
    frame = read_table(write(pa.table({"actual": ["x", "y", "x", "y"], "n": objects})), "x").frame
    assert frame["n.of.a"].fillna(-1).tolist() == [1, -1, -1, 3]
    assert frame["n.of.b"].fillna(-1).tolist() == [-1, -1, -1, 2]


def test_a_map_with_a_key_per_row_is_left_out_and_said() -> None:
    keys = pa.array([[(str(row), row)] for row in range(2_500)], pa.map_(pa.string(), pa.int64()))
    table = pa.table({"actual": ["x", "y"] * 1_250, "score": [0.5] * 2_500, "of": keys})
    read = read_table(in_parquet(table), "x.parquet")
    assert [finding.column for finding in read.read_findings] == ["of"]


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["ill", "well"]), pl.String], ids=str)
@pytest.mark.parametrize("write", ["write_ipc", "write_ipc_stream"])
def test_categories_of_polars(kind, write: str) -> None:
    content = io.BytesIO()
    getattr(pl.DataFrame(TABLE.to_dict("list"), schema_overrides={"actual": kind}), write)(content)
    assert same(read_table(content.getvalue(), "x.arrow"))


def test_dictionaries_of_every_type() -> None:
    """All are columns of one file."""
    columns, ends = {}, pa.array([0, 2, 2, 3, 4], pa.int32())
    indices = [pa.uint8(), pa.int8(), pa.uint32(), pa.int64(), pa.uint64()]
    for index, value in product(indices, [pa.string(), pa.large_string(), pa.string_view()]):
        codes = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1, None], index), pa.array(["well", "ill"], value))
        lists = pa.ListArray.from_arrays(ends, codes, mask=pa.array([False, True, False, False]))
        objects = pa.StructArray.from_arrays([codes], names=["label"])
        columns |= {f"{index} {value}": codes, f"lists of {index} {value}": lists, f"of {index} {value}": objects}
    frame = read_table(in_arrow(pa.table(columns)), "x.arrow").frame
    assert len(frame.columns) == 45
    for name, cells in frame.items():
        expected = ["ill|well", "-", "ill", "-"] if name.startswith("lists") else ["ill", "well", "ill", "-"]
        assert cells.fillna("-").tolist() == expected, name


@pytest.mark.parametrize("deltas", [True, False])
def test_dictionaries_that_grow_from_batch_to_batch(deltas: bool) -> None:
    content, schema = io.BytesIO(), pa.schema([("actual", pa.dictionary(pa.int32(), pa.string())), ("n", pa.int64())])
    words = (["ill", "well"], ["ill", "well", "dead"] if deltas else ["dead", "ill"])
    with pa.ipc.new_stream(content, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)) as writer:
        for own in words:
            codes = pa.DictionaryArray.from_arrays(pa.array([0, len(own) - 1], pa.int32()), pa.array(own))
            writer.write_batch(pa.record_batch([codes, pa.array([1, 2])], schema=schema))
    assert read_table(content.getvalue(), "x.arrow").frame["actual"].tolist() == [
        *("ill", "well"), words[1][0], words[1][-1],
    ]  # fmt: skip


def test_feather_of_the_first_version() -> None:
    content = io.BytesIO()
    with pytest.warns(DeprecationWarning, match="Feather V1"):
        write_feather(pa.Table.from_pandas(TABLE), content, version=1)
    assert same(read_table(content.getvalue(), "x.feather"))
