"""A worker that is killed in the middle of a query changes no state, neither on Spark nor on Dask."""

import os
import re
import runpy
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import dataset

from evalcore import find
from evalcore.classification import roc_auc
from evalcore.engines import EstimateSums, JudgedHits, LabelCounts, ScoreCounts, judgments_of
from tests.engines.spark_cluster import SparkCluster

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"

TASKS = 12
"""Of a query: one for each file."""

SIZES = 8_000, 32_000, 128_000
"""Rows of a file: more where a query of fewer was over before a worker could be killed."""


class Cluster(NamedTuple):
    """Two workers: reads a folder, is in the middle of a query, kills a worker, counts those that live."""

    read: Callable[[str], Any]
    is_halfway: Callable[[], bool]
    kill: Callable[[], None]
    workers: Callable[[], int]


@pytest.fixture(params=["pyspark", "dask"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    if request.param == "dask":
        client = request.getfixturevalue("dask_workers")
        from dask import dataframe

        yield Cluster(
            dataframe.read_parquet,
            lambda: all(client.processing().values()) and all(client.has_what().values()),
            lambda: os.kill(next(iter(client.cluster.workers.values())).pid, signal.SIGKILL),
            lambda: len(client.ncores()),
        )
        client.wait_for_workers(2)  # Dask itself replaces the one that was killed
        return
    workers: SparkCluster = request.getfixturevalue("spark_workers")
    session = request.getfixturevalue("spark")
    session.conf.set("spark.sql.files.maxPartitionBytes", "1m")  # a task for each file
    context = session.sparkContext
    tracker = context.statusTracker()

    def is_halfway() -> bool:
        stages = filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))
        return any(stage.numActiveTasks == 2 and stage.numCompletedTasks >= 4 for stage in stages)

    yield Cluster(
        session.read.parquet,
        is_halfway,
        lambda: workers.kill(workers.workers[0]),
        lambda: len(context._jsc.sc().statusTracker().getExecutorInfos()) - 1,  # the driver is one
    )
    workers.start_worker()
    workers.wait_for_workers()


def parts(table: pa.Table, folder: Path) -> str:
    """The folder, with the rows in as many files as a query has tasks."""
    rows = -(-table.num_rows // TASKS)
    dataset.write_dataset(table, folder, format="parquet", max_rows_per_file=rows, max_rows_per_group=rows)
    return str(folder)


def tables(n: int) -> tuple[pa.Table, pa.Table]:
    """Rows of every kind, and judgments of them."""
    random = np.random.default_rng(6)
    score = np.round(random.beta(2, 3, n), 4)
    rows = {
        "actual": random.random(n) < score,
        "predicted": score > 0.5,
        "score": score,
        "estimate": score + random.normal(0, 0.1, n),
        "query": [f"q{i % 400}" for i in range(n)],
        "document": [f"dø{i // 400}" for i in range(n)],
    }
    judged = np.unique(random.integers(0, n, 600))
    names = {name: np.array(rows[name])[judged] for name in ("query", "document")}
    return pa.table(rows), pa.table(names | {"grade": judged % 3})


def states(rows: Any, judged: Any) -> dict[str, Any]:
    """A number or more of each state, which only the same state gives."""
    hits = JudgedHits.of(rows, judged)
    return {
        "labels": LabelCounts.of(rows, "actual", "predicted").matrix().counts.ravel().tolist(),
        "scores": roc_auc(ScoreCounts.of(rows, "actual", "score", True).scored()),
        "estimates": find("RMSE")(EstimateSums.of(rows, "score", "estimate")),
        "hits": hits.evaluate(judgments_of(judged), ["AP"]).means()["AP"],
    }


def states_despite_a_kill(cluster: Cluster, folders: list[str]) -> dict[str, Any] | None:
    """The states of a query in the middle of which a worker is killed; None where it was over before."""
    with ThreadPoolExecutor(1) as other:
        asked = other.submit(states, *map(cluster.read, folders))
        while not cluster.is_halfway():
            wait([asked], timeout=0.002)
            if asked.done():
                return None
        cluster.kill()
        return asked.result()


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_in_the_middle_of_a_query_changes_no_state(cluster: Cluster, tmp_path: Path) -> None:
    assert cluster.workers() == 2
    for rows_of_a_file in SIZES:
        rows, judged = tables(TASKS * rows_of_a_file)
        folder = tmp_path / str(rows_of_a_file)
        answered = states_despite_a_kill(cluster, [parts(rows, folder / "rows"), parts(judged, folder / "judged")])
        if answered is not None:
            break
    assert answered is not None, "every query was over before a worker could be killed"
    for name, value in states(rows, judged).items():
        assert answered[name] == pytest.approx(value, rel=1e-12), name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ["pyspark"])
def test_the_example_of_the_page_on_engines_runs(spark: Any, engine: str, tmp_path: Path) -> None:
    example = re.search(r"^```py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[1]
    log = pa.table({"actual": [1, 0, 1], "score": [0.5, 0.25, 0.75]})
    script = tmp_path / "example.py"
    script.write_text(example.replace("hdfs:///logs/predictions", parts(log, tmp_path / "log")))
    names = runpy.run_path(str(script))
    assert names["spark"] is spark
    assert roc_auc(names["counts"].scored()) == 1
