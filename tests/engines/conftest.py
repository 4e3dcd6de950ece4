"""The same table on each engine that is installed; Spark and Dask on clusters of two processes."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from evalcore.engines import PostgresTables
from tests.engines import java
from tests.engines.postgres_server import Server, running
from tests.engines.spark_cluster import SparkCluster, spark_cluster, spark_session


@pytest.fixture(scope="session")
def spark_workers() -> Iterator[SparkCluster]:
    """One master and two workers."""
    if not find_spec("pyspark"):
        pytest.skip("no pyspark here: make spark-test")
    if not java.find():
        pytest.skip("no Java here: make spark-test")
    with spark_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def spark(spark_workers: SparkCluster) -> Iterator[Any]:
    """A session of Spark on the two workers."""
    with spark_session(spark_workers) as session:
        yield session


@pytest.fixture(scope="session")
def dask_workers() -> Iterator[Any]:
    """Dask's client of two processes."""
    if not find_spec("distributed"):
        pytest.skip("no dask here: make spark-test")
    from distributed import Client, LocalCluster

    two = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "memory_limit": 0}
    with LocalCluster(**two, host="127.0.0.1", dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


def _dask(table: pa.Table) -> Any:
    from dask import dataframe

    return dataframe.from_pandas(table.to_pandas(), npartitions=2)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(params=["duckdb", "postgresql", "polars", "pandas", "pyarrow", "dask", "pyspark"])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[pa.Table], Any]]:
    """Makes tables of one engine, which can be joined."""
    match request.param:
        case "duckdb":
            with duckdb.connect() as connection:
                yield connection.from_arrow
        case "postgresql":
            server = request.getfixturevalue("server")
            tables = PostgresTables(server.engine(), "lab")
            yield lambda table: tables.open(server.table(table)).frame
        case "polars":
            yield lambda table: pl.LazyFrame(table)
        case "pandas":
            yield lambda table: table.to_pandas()
        case "pyarrow":
            yield lambda table: table
        case "dask":
            request.getfixturevalue("dask_workers")
            yield _dask
        case "pyspark":
            yield request.getfixturevalue("spark").createDataFrame


N = 400
LABELS, GROUPS = np.array(["krank", "heil", "日本", "ø'\"x"]), np.array(["Süd", "north", "東"])


@pytest.fixture(scope="module")
def rows() -> dict[str, np.ndarray]:
    """Columns with ties, −0.0 and ids of any letters; "none" and "wrong" say where a column lacks a value."""
    random = np.random.default_rng(3)
    scores = np.round(random.beta(2, 3, N), 5)
    scores[:60] = random.choice([0.0, -0.0, 0.5, 0.25, 1.0], 60)
    return {
        "actual": LABELS[random.integers(0, 4, N)],
        "a": LABELS[random.integers(0, 4, N)],
        "b": LABELS[random.integers(0, 3, N)],
        "group": GROUPS[random.integers(0, 3, N)],
        "unit": random.integers(0, 40, N),
        "score": scores,
        "ill": random.integers(0, 2, N),
        "none": random.random((N, 5)) < 0.05,
        "wrong": random.choice([0, 1, 2, 3], N, p=[0.94, 0.02, 0.02, 0.02]),
    }
