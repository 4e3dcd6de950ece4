"""Runs and judgments in two tables of an engine are ranked some systems at a time, and Python does the same again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from evalcore.analyses import Rankings, Source, compare_rankings
from evalcore.engines import PostgresTables, RunTables, judgments_of, open_stored, ranked_dataset
from evalcore.engines import rankings as ranked_tables
from evalcore.engines.frames import ASKING
from evalcore.readers import ReadProblem, Unloaded, Workspace, counted_note
from evalcore.retrieval import Run, evaluate, evaluate_hits
from tests.engines.postgres_server import Server

PARTS = {"query": "qid", "document": "docno", "score": "sim", "system": "run", "grade": "rel"}
MEASURES = ["AP", "RR", "P@5", "nDCG@10"]
PARTS |= {"judged_query": "topic", "judged_document": "doc"}


@pytest.fixture(scope="module")
def tables() -> dict[str, pa.Table]:
    random = np.random.default_rng(4)
    systems, queries, ranks = ("bm25", "dense", "ø'\""), 12, 30
    rows: dict[str, list] = {"run": [], "qid": [], "docno": [], "sim": []}
    for system in systems:
        for query in range(queries):
            rows["run"] += [system] * ranks
            rows["qid"] += [f"q{query}"] * ranks
            rows["docno"] += [f"d{one:02}" for one in random.choice(60, ranks, replace=False)]
            rows["sim"] += np.round(random.random(ranks), 1).tolist()
    rows["run"][5], rows["docno"][40] = None, None
    judged = [(f"q{query}", f"d{one:02}", float(one % 3)) for query in range(queries) for one in range(0, 60, 2)]
    topics, docs, grades = map(list, zip(*judged, strict=True))
    grades[7] = None
    return {"runs": pa.table(rows), "qrels": pa.table({"topic": topics, "doc": docs, "rel": grades})}


def opened(tables: dict[str, pa.Table], folder: Path) -> RunTables:
    for name, table in tables.items():
        parquet.write_table(table, folder / f"{name}.parquet")
    return RunTables(*(open_stored(folder / f"{name}.parquet") for name in tables))


def by_postgres(tables: dict[str, pa.Table], server: Server) -> RunTables:
    lab = PostgresTables(server.engine(), "lab")
    return RunTables(*(lab.open(server.table(table)) for table in tables.values()))


@pytest.mark.parametrize("engine", ["duckdb", "postgresql"])
@pytest.mark.parametrize("at_once", [10**7, 400])
def test_lists_are_those_of_memory_whatever_is_ranked_at_once(
    tables: dict[str, pa.Table], engine: str, at_once: int, tmp_path: Path, request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(ranked_tables, "_AT_ONCE", at_once)
    asked: list[str] = []
    token = ASKING.set(asked.append)
    place: Any = tmp_path if engine == "duckdb" else request.getfixturevalue("server")
    make: Callable[..., RunTables] = opened if engine == "duckdb" else by_postgres
    both = make(tables, place)
    data = ranked_dataset(both.run, both.judged, **PARTS)
    ASKING.reset(token)
    assert any("hits (part 3 of 3)" in one for one in asked) == (at_once == 400)
    judgments = judgments_of(tables["qrels"], query="topic", document="doc", grade="rel")
    frame = tables["runs"].to_pandas().dropna()
    for system in data.systems:
        own = frame[frame["run"] == system]
        run = Run.from_arrays(own["qid"].tolist(), own["docno"].tolist(), own["sim"].to_numpy())
        hits = evaluate_hits(data.state("placed_hits", system)[0], data.judgments().queries, MEASURES)
        assert hits.means() == pytest.approx(evaluate(judgments, run, MEASURES).means(), rel=1e-12)
    assert (data.unloaded.rows, data.unloaded.is_counted, data.is_whole) == (1080, True, True)


def test_python_ranks_again(tables: dict[str, pa.Table], tmp_path: Path) -> None:
    both = opened(tables, tmp_path)
    place = Unloaded("path", str(tmp_path / "runs.parquet"))
    place = replace(place, judged={"address": str(tmp_path / "qrels.parquet"), **PARTS})
    data = ranked_dataset(both.run, both.judged, **PARTS, name="three", unloaded=place)
    workspace = Workspace(tmp_path / "stored", 10**9)
    again = workspace.load(workspace.save(data))
    assert again.unloaded == data.unloaded
    assert counted_note(again).startswith("Of the judged documents")
    comparison = compare_rankings(Rankings(source := Source.of(again), "dense"))
    assert comparison.verdict
    names: dict = {}
    exec(source.code, names)  # noqa: S102
    assert names["data"].digest == data.digest


def test_what_does_not_fit_is_a_sentence(tables: dict[str, pa.Table], tmp_path: Path) -> None:
    both = opened(tables, tmp_path)
    wrong = {
        'There is no column "rank"': {"score": "rank"},
        '"qid" holds texts; numbers': {"score": "qid"},
        'Document "d': {"system": None},
    }
    for sentence, change in wrong.items():
        with pytest.raises(ReadProblem, match=sentence):
            ranked_dataset(both.run, both.judged, **PARTS | change)
    others = tables["qrels"].set_column(
        0, "topic", pa.array([f"x{one}" for one in tables["qrels"]["topic"].to_pylist()])
    )
    apart = opened(tables | {"qrels": others}, tmp_path)
    with pytest.raises(ReadProblem, match=r'"q0".*"q1".*"xq0".*"xq1"'):
        ranked_dataset(apart.run, apart.judged, **PARTS)
    none = opened(tables | {"qrels": tables["qrels"].slice(0, 0)}, tmp_path)
    with pytest.raises(ReadProblem, match="no document with a grade"):
        ranked_dataset(none.run, none.judged, **PARTS)
    many = pa.table({"run": [*range(1001)], "qid": ["q"] * 1001, "docno": ["d"] * 1001, "sim": [0.5] * 1001})
    both = opened({"runs": many, "qrels": tables["qrels"]}, tmp_path)
    with pytest.raises(ReadProblem, match=r"systems.* 1\u202f000 rows"):
        ranked_dataset(both.run, both.judged, **PARTS)
