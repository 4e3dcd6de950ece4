"""Packed and binary files open as the same table as text: gzip, zstd, zip and Parquet."""

import gzip
import io
import tracemalloc
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore.readers import DataSet, Files, read_files, read_table
from evalcore.readers.dataset import datasets

TABLE = pd.DataFrame({"actual": ["ill", "well", "ill", "well"], "score": [0.9, 0.25, 0.5, 0.125]})
CSV = TABLE.to_csv(index=False)


def same(dataset: DataSet) -> bool:
    pd.testing.assert_frame_equal(dataset.frame, TABLE)
    assert dataset.kind == "scores"
    assert dataset.roles.actual == "actual"
    assert dataset.roles.score == ("score",)
    assert dataset.roles.positive == "ill"
    return True


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_csv", ".csv"), content)
    return packed.getvalue()


def zstd(data: bytes) -> bytes:
    return pa.compress(data, "zstd", asbytes=True)


def parquet(frame: pd.DataFrame, **options: object) -> bytes:
    packed = io.BytesIO()
    frame.to_parquet(packed, **options)
    return packed.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
@pytest.mark.parametrize("name", ["x.csv.gz", "x.gz", "x.csv", "x.tsv.zst", "nonsense.parquet"])
def test_gzip_and_zstd_are_known_by_their_content(name: str, pack) -> None:
    assert same(read_table(pack(CSV.encode()), name))
    assert same(read_table(pack(TABLE.to_json(orient="records", lines=True).encode()), name))


def test_gzip_and_zstd_of_several_members() -> None:
    half = len(CSV) // 2
    assert same(read_table(zstd(CSV[:half].encode()) + zstd(CSV[half:].encode()), "x.zst"))
    assert same(read_table(gzip.compress(CSV[:half].encode()) + gzip.compress(CSV[half:].encode()) + bytes(9), "x.gz"))


def test_zip_with_one_table() -> None:
    assert same(read_table(zipped(folder__x_csv=CSV.encode()), "x.zip"))


def test_what_a_mac_adds_to_a_zip_is_no_table() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("data/", b"")
        archive.writestr("data/x.csv", CSV)
        archive.writestr("__MACOSX/data/._x.csv", b"\0\5\6\7")
        archive.writestr("data/.DS_Store", b"\0\0")
    assert same(read_table(packed.getvalue(), "x.zip"))


def test_zip_in_gzip() -> None:
    assert same(read_table(gzip.compress(zipped(x_csv=CSV.encode())), "x"))


def test_zstd_in_zip_and_runs_in_zstd() -> None:
    assert same(read_table(zipped(**{"x_csv.zst": zstd(CSV.encode())}), "x.zip"))
    run, qrels = b"q Q0 b 1 0.5 x\nq Q0 c 2 0.25 x\n", b"q 0 b 1\n"
    data = read_files({"mine.run.zst": zstd(run), "qrels.zst": zstd(qrels)})
    assert (data.systems, data.run("mine").ranked("q")) == (("mine",), ["b", "c"])


@pytest.mark.parametrize("compression", [None, "snappy", "gzip", "zstd"])
def test_parquet(compression: str | None) -> None:
    dataset = read_table(parquet(TABLE, compression=compression), "x.parquet")
    assert same(dataset)
    assert dataset.lines.at(3) == "row 5"


def test_parquet_of_every_type_becomes_plain() -> None:
    frame = pd.DataFrame(
        {
            "actual": pd.Categorical(["a", "b", None]),
            "score": np.array([0.1, 0.2, 0.3], dtype=np.float32),
            "small": np.array([1, 2, 3], dtype=np.uint8),
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "long": pd.array([2**62 + 1, None, 3], dtype="Int64"),
            "unsigned": np.array([2**63, 1, 2], dtype=np.uint64),
            "truth value": [True, False, True],
            "perhaps": pd.array([True, None, False], dtype="boolean"),
            "day": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]),
            "bytes": [b"x", b"y", b"z"],
        },
        index=[5, 6, 7],
    )
    read = read_table(parquet(frame), "x.parquet").frame
    assert read["actual"].tolist()[:2] == ["a", "b"]
    assert read["actual"].isna().tolist() == [False, False, True]
    assert read["score"].tolist() == [float(np.float32(x)) for x in (0.1, 0.2, 0.3)]
    assert read["small"].tolist() == [1, 2, 3]
    assert read["whole"].dtype == np.float64
    assert read["long"].tolist()[0] == str(2**62 + 1)
    assert read["unsigned"].tolist()[0] == str(2**63)
    assert read["truth value"].dtype == bool
    assert read["perhaps"].tolist()[0] == "True"
    assert read["day"][0].startswith("2024-01-01")
    assert read["bytes"].tolist() == ["x", "y", "z"]
    assert {column.dtype.kind for _, column in read.items()} <= set("bifO")
    assert "__index_level_0__" not in read


def test_lists_in_parquet_are_left_out_and_said() -> None:
    frame = TABLE.assign(vector=[[1, 2]] * 4, raw=[b"\xff\xfe"] * 4)
    dataset = read_table(parquet(frame), "x.parquet")
    assert same(dataset)
    assert {finding.column for finding in dataset.findings if "left out" in finding.sentence} == {"vector", "raw"}


def test_the_bytes_of_files_are_let_go_before_what_they_hold_is_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def recognise(columns: object) -> object:
        held.append(tracemalloc.get_traced_memory()[0])
        return of_columns(columns)

    of_columns, held = datasets.recognise, []
    monkeypatch.setattr(datasets, "recognise", recognise)
    size = len(CSV) + 1_000_000 * len("well,0.5\n")
    tracemalloc.start()
    same_again = read_files(Files.put_down({"large.csv": CSV.encode() + b"well,0.5\n" * 1_000_000}))
    tracemalloc.stop()
    assert held[0] < size / 2
    assert len(same_again) == len(TABLE) + 1_000_000
