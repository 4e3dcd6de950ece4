"""The same table on each engine that is installed."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from evalcore.engines import PostgresTables
from tests.engines.postgres_server import Server, running


def _dask(table: pa.Table) -> Any:
    from dask import dataframe

    return dataframe.from_pandas(table.to_pandas(), npartitions=2)


@cache
def _spark() -> Any:
    from pyspark.sql import SparkSession

    settings = {"spark.sql.shuffle.partitions": 2, "spark.ui.enabled": False, "spark.driver.host": "127.0.0.1"}
    session = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        session = session.config(name, value)
    return session.getOrCreate()


ENGINES: dict[str, Callable[[pa.Table], Any]] = {
    "polars": lambda table: pl.LazyFrame(table),
    "pandas": lambda table: table.to_pandas(),
    "pyarrow": lambda table: table,
    "dask": _dask,
    "pyspark": lambda table: _spark().createDataFrame(table),
}


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(params=["duckdb", "postgresql", *ENGINES])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[pa.Table], Any]]:
    """Makes tables of one engine, which can be joined."""
    if request.param == "duckdb":
        with duckdb.connect() as connection:
            yield connection.from_arrow
    elif request.param == "postgresql":
        server = request.getfixturevalue("server")
        tables = PostgresTables(server.engine(), "lab")
        yield lambda table: tables.open(server.table(table)).frame
    elif find_spec(request.param):
        yield ENGINES[request.param]
    else:
        pytest.skip(f"no {request.param} here: see requirements-spark.txt")
