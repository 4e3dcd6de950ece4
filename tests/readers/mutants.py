"""Real files of every format and what may become of them: damaged, cut, repeated, or written to do harm."""

import gzip
import io
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
from pyarrow import parquet

from evalcore.readers import DataSet, ReadProblem, profile_of, read_files, roles_of
from evalcore.readers.dataset.assignment import read_roles
from tests.readers.binary_workbook import xls

SAMPLES = Path(__file__).parents[2] / "sample_data"
FRAME = pd.DataFrame(
    {
        "actual": ["a", "b", "a", "b"] * 3,
        "score": np.arange(12) / 7,
        "note": [None, "1", "x y", '"q"'] * 3,
        "predicted": ["a", "b", "b", "b"] * 3,
    }
)
ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="data">{}</table:table></office:spreadsheet></office:body></office:document-content>'
)
ODS_CELL = (
    '<table:table-cell office:value-type="string" table:number-columns-repeated="1">'
    "<text:p>{}</text:p></table:table-cell>"
)
ODS_ROW = '<table:table-row table:number-rows-repeated="1">{}</table:table-row>'
# What stands for a number, an address or a size in a file of text or of parts.
HOSTILE = (
    b"0",
    b"-1",
    b"1048576",
    b"16384",
    b"2147483647",
    b"99999999999",
    b"XFD1048576",
    b"1e308",
    b"nan",
    b"",
    b"\0",
)


def real_files() -> dict[str, bytes]:
    """Files by name: every format, in the ways in which programs write it."""
    csv = FRAME.to_csv(index=False)
    run = "".join(f"q{n // 5} Q0 d{n} {n % 5} {1 / (n + 1)} mine\n" for n in range(20)).encode()
    qrels = "".join(f"q{n // 5} 0 d{n} {n % 3}\n" for n in range(20)).encode()
    rows = [FRAME.columns, *FRAME.astype(str).itertuples(index=False)]
    ods = ODS.format("".join(ODS_ROW.format("".join(map(ODS_CELL.format, row))) for row in rows))
    nested = FRAME.assign(list=[[1, 2]] * 12, part=[{"x": 1}] * 12, day=pd.Timestamp("2024-01-01"), raw=b"x")
    maps = pa.table({"y": ["a", "b"] * 3, "m": pa.array([[("p", "a")], None] * 3, pa.map_(pa.string(), pa.string()))})
    samples = {path.name: path.read_bytes() for path in sorted(SAMPLES.glob("*.csv*")) if path.stat().st_size < 60_000}
    return samples | {
        "x.csv": csv.encode(),
        "utf16.csv": FRAME.to_csv(index=False, sep=";", decimal=",").encode("utf-16"),
        "x.csv.gz": gzip.compress(csv.encode()),
        "x.csv.zst": pa.compress(csv.encode(), "zstd", asbytes=True),
        "counts.csv": b"tp,fp,fn,tn\n1,2,3,4\n",
        "matrix.csv": b"actual,a,b\na,1,2\nb,3,4\n",
        "probabilities.csv": b"actual,p_a,p_b,p_c\na,.1,.2,.7\nb,.1,.8,.1\nc,0,0,1\n",
        "estimates.csv": b"truth,estimate,weight\n1.5,2,1\n2.5,3,2\n3,4.25,0\n",
        "x.run": run,
        "x.qrels": qrels,
        "x.run.gz": gzip.compress(run),
        "x.zip": zipped({"x.csv": csv.encode()}),
        "tables.zip": zipped(
            {"a/truth.csv": b"id,y\n7,0\n8,1\n9,1\n", "a/model.csv": b"id,p\n9,.5\n8,.2\n7,.1\n", "README.md": b"x"}
        ),
        "lists.csv": b"label,p\n0,\"[0.1, 0.9]\"\n1,[0.2 0.8]\n1,\"[{'label': '1', 'score': 0.7}]\"\n"
        b'0,"(2,[1],[1.0])"\n',
        "vectors.jsonl": b'{"label": 1.0, "p": {"type": 1, "values": [0.2, 0.8]}}\n'
        b'{"label": 0.0, "p": {"type": 0, "size": 2, "indices": [0], "values": [1.0]}}\n',
        "top.json": b'[{"y": "a", "p": [{"label": "a", "score": 0.9}, {"label": "b", "score": 0.1}]}, {"y": "b", "p": '
        b'[{"label": "b", "score": 0.6}]}, {"y": "b", "p": null}]',
        "vectors.parquet": written(FRAME.assign(p=[{"values": [0.2, 0.8]}] * 12).to_parquet),
        "hits.json": b'{"responses": [{"hits": {"hits": [{"_id": "a", "_score": 1.5, "_source": {"rating": 1}}]}}, '
        b'{"hits": {"hits": [{"_id": "b", "_score": 2, "_source": {"rating": 0}}]}}]}',
        "tasks.json": b'[{"data": {"text": "x"}, "annotations": [{"result": [{"value": {"choices": ["a"]}}]}], '
        b'"predictions": [{"score": 0.5, "result": [{"value": {"choices": ["b"]}}]}]}]',
        "answers.jsonl": b'{"text": "x", "label": "a", "answer": "accept", "_task_hash": 1, "score": 0.5}\n'
        b'{"text": "y", "label": "a", "answer": "reject", "_task_hash": 2, "score": 0.25}\n',
        "maps.parquet": written(lambda file: parquet.write_table(maps, file)),
        "run.json": b'{"q1": {"d1": 0.5, "d2": 0.25}, "q0": {"d3": 1.5}}',
        "x.xlsx": written(FRAME.to_excel, index=False),
        "dates.xlsx": written(FRAME.assign(day=pd.Timestamp("2024-01-01"), yes=True).to_excel, startrow=2),
        "x.xls": xls(FRAME),
        "x.ods": zipped(
            {
                "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
                "content.xml": ods.encode(),
                "META-INF/manifest.xml": b'<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            }
        ),
        "x.parquet": written(FRAME.to_parquet),
        "nested.parquet": written(nested.to_parquet, compression="zstd"),
        "categories.parquet": written(FRAME.astype({"actual": "category"}).to_parquet, compression=None),
        "delta.parquet": delta(),
        "records.json": FRAME.to_json(orient="records").encode(),
        "columns.json": FRAME.to_json().encode(),
        "split.json": FRAME.to_json(orient="split").encode(),
        "x.jsonl": FRAME.assign(part=[{"x": 1, "y": None}] * 12).to_json(orient="records", lines=True).encode(),
        "mixed.jsonl": b'{"actual": "a", "score": 0.5}\n{"actual": 1, "score": NaN, "list": ["a", "b"]}\n',
        "x.feather": written(nested.to_feather),
        "x.sav": statistics("sav"),
        "x.zsav": statistics("sav", compress=True),
        "x.por": statistics("por"),
        "x.dta": statistics("dta"),
        "old.dta": statistics("dta", version=10),
        "x.xpt": statistics("xport"),
        "x.arrow": stream(FRAME.astype({"actual": "category"})),
    }


TOGETHER = {"x.run": "x.qrels", "x.run.gz": "x.qrels", "x.qrels": "x.run", "run.json": "x.qrels"}
"""Files that need another."""


def written(write: Callable, **options: object) -> bytes:
    content = io.BytesIO()
    write(content, **options)
    return content.getvalue()


def delta() -> bytes:
    columns = {"actual": FRAME["actual"].tolist(), "n": np.arange(12), "score": FRAME["score"].to_numpy()}
    encodings = {"actual": "DELTA_BYTE_ARRAY", "n": "DELTA_BINARY_PACKED", "score": "BYTE_STREAM_SPLIT"}
    content = io.BytesIO()
    parquet.write_table(
        pa.table(columns), content, use_dictionary=False, column_encoding=encodings, data_page_version="2.0"
    )
    return content.getvalue()


def stream(frame: pd.DataFrame) -> bytes:
    content = io.BytesIO()
    table = pa.Table.from_pandas(frame)
    with pa.ipc.new_stream(content, table.schema) as writer:
        writer.write_table(table)
    return content.getvalue()


def statistics(program: str, **options: object) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        short = FRAME.rename(columns={"predicted": "pred"})  # some take 8 letters
        getattr(pyreadstat, f"write_{program}")(short, path, **options)
        return path.read_bytes()


def zipped(parts: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in parts.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as file:
                file.write(data)
    return content.getvalue()


def mutant(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """A file that some of the changes below were made to, in its parts where it is packed."""
    if data.startswith(b"PK") and chance.random() < 0.7:
        return _parts_changed(data, chance)
    if data.startswith(b"\x1f\x8b") and chance.random() < 0.5:
        return gzip.compress(mutant(gzip.decompress(data), chance, others), 1)
    changes = [_flipped, _cut, _repeated, _replaced, _numbers_changed]
    if data.startswith(b"PAR1"):
        changes += [_footer_changed] * 3
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        data = chance.choice(changes)(data, chance)
    if chance.random() < 0.05:  # the start of one file with the end of another
        data = data[: _place(data, chance)] + (other := chance.choice(others))[_place(other, chance) :]
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _flipped(data: bytes, chance: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.choice((1, 2, 8, 32)) if content else 0):
        content[chance.randrange(len(content))] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    return bytes(content)


def _cut(data: bytes, chance: random.Random) -> bytes:
    start, end = sorted((_place(data, chance), _place(data, chance)))
    return chance.choice((data[:start], data[:start] + data[end:], data[start:]))


def _repeated(data: bytes, chance: random.Random) -> bytes:
    start = _place(data, chance)
    end = min(len(data), start + chance.choice((1, 10, 100, 1_000)))
    return data[:end] + data[start:end] * chance.choice((1, 10, 1_000)) + data[end:]


def _replaced(data: bytes, chance: random.Random) -> bytes:
    start = _place(data, chance)
    return data[:start] + chance.choice(HOSTILE) * chance.choice((1, 1, 100)) + data[start + chance.choice((0, 1, 8)) :]


def _numbers_changed(data: bytes, chance: random.Random) -> bytes:
    """Some numbers (or addresses), or one attribute of a tag, replaced."""
    pattern = chance.choice((rb"[A-Z]{0,3}\d+", rb'\b[\w:]+ ?="[^"]*"', rb"<[^>]*>", rb'"[^"]*"', rb"[,;\n]"))
    spans = [match.span() for match in re.finditer(pattern, data[:200_000])]
    for start, end in sorted(chance.sample(spans, min(len(spans), chance.choice((1, 1, 3)))), reverse=True):
        data = data[:start] + chance.choice((*HOSTILE, data[start:end] * 2)) + data[end:]
    return data


def _footer_changed(data: bytes, chance: random.Random) -> bytes:
    """The description at the end of a Parquet file, where every byte counts."""
    size = min(int.from_bytes(data[-8:-4], "little"), max(len(data) - 8, 0))
    start = len(data) - 8 - size
    return data[:start] + _flipped(data[start:-8], chance) + data[-8:]


def _parts_changed(data: bytes, chance: random.Random) -> bytes:
    """Some parts of an archive changed, exchanged, renamed or left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(chance.choice((1, 1, 2, 4))):
        name = max(parts, key=lambda name: chance.random() * len(parts[name])) if parts else ""
        change = chance.random()
        if change < 0.8 and parts:
            parts[name] = mutant(parts[name], chance, list(parts.values()))
        elif change < 0.87 and parts:
            other = chance.choice(list(parts))
            parts[name], parts[other] = parts[other], parts[name]
        elif change < 0.94 and parts:
            parts[chance.choice((name.upper(), name.rpartition("/")[2], "", name + "/x"))] = parts.pop(name)
        else:
            parts.pop(name, None)
    return zipped(parts)


def opens_or_says_why(data: bytes, name: str = "x.csv", **others: bytes) -> str:
    """Read a file, perhaps with others, and use what is read; the kind of the data set, or "refused"."""
    dataset, sentence = None, ""
    try:
        dataset = read_files({name: data, **others})
    except ReadProblem as problem:
        sentence = str(problem)
    if dataset is not None:
        use(dataset)
        return dataset.kind
    assert sentence.endswith((".", "?")), sentence
    assert len(sentence) < 3_000, sentence
    return "refused"


def use(dataset: DataSet) -> None:
    """What the pages ask of a data set: it answers, or says why not."""
    assert len(dataset) > 0
    assert dataset.frame.columns.is_unique
    assert {column.dtype.kind for _, column in dataset.frame.items()} <= set("bifO")
    profile_of(dataset)
    if dataset.roles != roles_of():
        assert read_roles(dataset.roles.to_text(), dataset.frame) == dataset.roles
    for arrays in (dataset.scored_arrays, dataset.label_arrays, dataset.probability_arrays, dataset.estimate_rows):
        try:
            rows = arrays()
        except ReadProblem:
            continue
        assert rows.complete.shape == (len(dataset),)
        assert rows.left_out == (~rows.complete).sum()
        of_rows = (value for name, value in vars(rows).items() if name not in ("complete", "classes", "group_column"))
        assert all(len(array) == rows.complete.sum() for array in of_rows if array is not None)
    for state in (dataset.scored, dataset.matrix, dataset.counts, dataset.probabilities):
        try:
            state()
        except ReadProblem:
            continue
