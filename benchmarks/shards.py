"""Runs too large for memory, shard by shard: judged hits, their data set, the per-query table and the comparison.

``python -m benchmarks.shards 100`` takes so many systems of 1,000 queries × 1,000 ranks, each a Parquet file that is
written before it is read and deleted after; ``full`` reads one shard of 10,000 queries × 1,000 ranks.
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import duckdb

from benchmarks.clock import line, memory_of, time_line
from benchmarks.engines import timed
from evalcore.analyses import QueryDifferences, Rankings, RankingSummary, Source, compare_rankings
from evalcore.engines import JudgedHits, judgments_of, open_stored, ranking_dataset
from evalcore.readers import Workspace

SYSTEMS, QUERIES, RANKS = 10, 1_000, 1_000
DOCUMENTS, EVERY = 10_007, 50
"""Documents of the collection, and of how many one is judged for a query: 20 of the 1,000 in a list."""


def write_run(path: Path, system: int, queries: int) -> None:
    """The lists of one system: other documents in each, with scores of 17 digits; better systems raise judged ones."""
    rows = f"select q.range as q, (r.range * 7919 + q.range * 31 + {system} * 17) % {DOCUMENTS} as d"
    rows += f" from range({queries}) q, range({RANKS}) r"
    score = f"random() + case when d % {EVERY} = q % {EVERY} then {system} / 1000.0 else 0 end"
    columns = f"'s{system:03}' as system, 'q' || q as query, 'd' || d as document, {score} as score"
    duckdb.connect().execute(f"copy (select {columns} from ({rows})) to '{path}'")


def judged(queries: int):
    """The judgments, a third of them relevant."""
    rows = f"select q.range as q, d.range as d from range({queries}) q, range({DOCUMENTS}) d"
    rows = f"select 'q' || q as query, 'd' || d as document, greatest(d % 7 - 4, 0) as grade from ({rows})"
    connection = duckdb.connect()
    return connection.sql(f"{rows} where d % {EVERY} = q % {EVERY}").to_arrow_table()


def shard(path: Path, table) -> JudgedHits:
    """The judged hits of one file."""
    stored = open_stored(path)
    return JudgedHits.of(stored.frame, stored.connection.from_arrow(table), system="system")


def main(systems: int, queries: int, folder: Path) -> None:
    table, path, seconds, parts = judged(queries), folder / "shard.parquet", [0.0, 0.0], []
    for system in range(systems):
        write_run(path, system, queries)
        start = perf_counter(), process_time()
        parts.append(shard(path, table))
        seconds = [seconds[0] + perf_counter() - start[0], seconds[1] + process_time() - start[1]]
        path.unlink()
    rows = systems * queries * RANKS
    time_line(f"{rows:,} rows in {systems} shards ranked and joined", seconds[0])
    line("seconds of a core, each million rows", f"{seconds[1] / rows * 1e6:.2f} s")
    line("memory of the process so far", f"{memory_of('VmHWM') / 2**20:.0f} MB")
    hits = timed("shards joined", lambda: JudgedHits.joined(parts))
    parts.clear()
    line("judged hits", f"{len(hits.rows['rank']):,} in {len(hits.lists):,} lists")
    data = timed("data set", lambda: ranking_dataset(hits, judgments_of(table)))
    workspace = Workspace(folder / "workspace", 10**10)
    id = timed("saved", lambda: workspace.save(data))
    line("stored", f"{workspace.path(id).stat().st_size / 2**20:.0f} MB")
    data = timed("loaded", lambda: workspace.load(id))
    rankings = Rankings(Source.of(data), data.systems[0])
    names = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")
    timed("per-query table of one system", lambda: RankingSummary(rankings, names).table)
    if systems > 1:
        comparison = timed("eight systems compared", lambda: (one := compare_rankings(rankings), one.verdict)[0])
        timed("query by query", lambda: QueryDifferences.of(comparison).table)
    size = memory_of("VmHWM")
    line("memory of the process at most", f"{size / 2**20:.0f} MB", "≤ 1024 MB", size <= 2**30)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        if sys.argv[1:] == ["full"]:
            main(1, 10_000, Path(place))
        else:
            main(int(sys.argv[1]) if len(sys.argv) > 1 else SYSTEMS, QUERIES, Path(place))
