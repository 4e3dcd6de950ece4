"""How the cost of rows that are never loaded grows: DuckDB beside Spark on a cluster of one master and two workers.

``make spark && PYTHONPATH=.venv/spark python -m benchmarks.growth 1000000 10000000 100000000``. Both read the same
Parquet file and have two cores. Processor seconds of all processes stand beside the time, as these mean something on a
busy machine too, and a line through the two largest numbers of rows is drawn on from there.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil

from benchmarks.clock import duration, line
from benchmarks.engines import write
from evalcore.engines import LabelCounts, ScoreCounts, open_stored
from tests.engines.spark_cluster import spark_cluster, spark_session

ROWS = (1_000_000, 10_000_000)
LARGER = (1_000_000_000, 10_000_000_000)

QUERIES: dict[str, Callable[[Any], Any]] = {
    "confusion matrix": lambda log: LabelCounts.of(log, "actual", "predicted"),
    "scores in bins": lambda log: ScoreCounts.of(log, "actual", "score", 1),
}


def processes() -> list[psutil.Process]:
    """This one and all that it has started: the driver, the master, the workers and their executors."""
    return [psutil.Process(), *psutil.Process().children(recursive=True)]


def processor_seconds() -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes())


def measured(engine: str, query: str, log: Any) -> tuple[Any, float]:
    """The state and its processor seconds, after its line."""
    before, start = processor_seconds(), perf_counter()
    state = QUERIES[query](log)
    seconds, cpu = perf_counter() - start, processor_seconds() - before
    size = sum(values.nbytes for values in (state.summary.keys | state.summary.sums).values())
    what = (
        f"{duration(cpu)} of a processor, {duration(seconds)}; {len(state.summary):,} rows back, {size / 1e3:,.0f} kB"
    )
    line(f"{engine}, {query}", what)
    return state, cpu


def draw_on(engine: str, query: str, costs: dict[int, float]) -> None:
    """The cost of more rows than were measured, by the line through the two largest numbers of rows."""
    (fewer, small), (more, large) = sorted(costs.items())[-2:]
    slope = (large - small) / (more - fewer)
    text = ", ".join(f"{rows:,} rows: {duration(large + slope * (rows - more))}" for rows in LARGER)
    line(f"{engine}, {query}", f"{slope * 1e6:.3f} s of a processor per million rows; {text}")


def main(sizes: list[int], folder: Path) -> None:
    costs: dict[tuple[str, str], dict[int, float]] = {}
    with spark_cluster(options="-XX:+UseSerialGC") as cluster, spark_session(cluster) as spark:
        for rows in sizes:
            path = folder / f"{rows}.parquet"
            write(rows, path)
            print(f"{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB")
            if rows == sizes[0]:
                for query in QUERIES.values():
                    query(spark.read.parquet(str(path)))  # the first of a session is slow
            for query in QUERIES:
                states = []
                for engine, log in (("DuckDB", open_stored(path).frame), ("Spark", spark.read.parquet(str(path)))):
                    state, cpu = measured(engine, query, log)
                    costs.setdefault((engine, query), {})[rows] = cpu
                    states.append(state)
                one, two = ([v.tolist() for v in (s.summary.keys | s.summary.sums).values()] for s in states)
                same = one == two
                line(f"the same from both, {query}", str(same), "True", same)
        for process in processes():
            # The shells that wait are small.
            if (memory := process.memory_info().rss) > 10e6:
                program = next((word for word in process.cmdline() if word.startswith("org.apache")), process.name())
                line(f"memory at the end, {program.rpartition('.')[2]}", f"{memory / 1e6:.0f} MB")
    if len(sizes) > 1:
        for (engine, query), by_rows in costs.items():
            draw_on(engine, query, by_rows)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(sorted(map(int, sys.argv[1:])) or list(ROWS), Path(folder))
