"""Rows that are never loaded: confusion, first threshold table and its bounds from Parquet, beside numpy.

``python -m benchmarks.engines 100000000 log.parquet`` takes so many rows, and keeps the file for the next time.
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import duckdb

from benchmarks.clock import line, memory_of, time_line
from evalcore.classification import ScoredLabels, roc_auc
from evalcore.engines import (
    LabelCounts,
    ScoreCounts,
    auc_bounds,
    average_precision_bounds,
    open_stored,
    threshold_calls,
)

ROWS = 10_000_000


def write(rows: int, path: Path) -> None:
    """Calibrated probabilities of 17 random digits, their labels, predictions and a group."""
    scores = f"select range as i, pow(random(), 1.7) as score from range({rows})"
    columns = "(random() < score)::utinyint as actual, score, (score > 0.5)::utinyint as predicted"
    columns += ", 'g' || i % 3 as country"
    duckdb.connect().execute(f"copy (select {columns} from ({scores})) to '{path}'")


def timed(what: str, job, limit: float | None = None):
    start = perf_counter()
    result = job()
    time_line(what, perf_counter() - start, limit)
    return result


def main(rows: int, path: Path) -> None:
    if not path.exists():
        timed(f"written: {rows:,} rows", lambda: write(rows, path))
    log = open_stored(path).frame
    timed("confusion matrix", lambda: LabelCounts.of(log, "actual", "predicted").matrix(), 2)
    start = perf_counter()
    counts = timed("scores in bins", lambda: ScoreCounts.of(log, "actual", "score", 1))
    scored = timed("their thresholds", lambda: (state := counts.scored(), state.table())[0])
    time_line("first threshold table", perf_counter() - start, 5)
    bounds = auc_bounds(counts)
    line("AUC, width of its bounds", f"{bounds.width:.2g}", "≤ 0.0001", bounds.width <= 1e-4)
    line("average precision, width of its bounds", f"{average_precision_bounds(counts).width:.2g}")
    timed("counts at a threshold", lambda: threshold_calls(log, "actual", {"score": 0.37123}, 1))
    timed("confusion by group", lambda: LabelCounts.of(log, "actual", "predicted", group="country"))
    timed("scores by group", lambda: ScoreCounts.of(log, "actual", "score", 1, group="country"))
    size = memory_of("VmHWM")
    line("memory of the process at most", f"{size / 2**20:.0f} MB", "≤ 1024 MB", size <= 2**30)
    if rows <= ROWS:
        columns = timed("columns loaded into numpy", lambda: log.project("actual, score").fetchnumpy())
        whole = timed("state of all rows", lambda: ScoredLabels.from_arrays(columns["actual"], columns["score"], 1))
        line("AUC of all rows lies within the bounds", str(bounds.low <= roc_auc(whole) <= bounds.high))
        line("memory of the process then", f"{memory_of('VmHWM') / 2**20:.0f} MB")
    line("AUC", f"{roc_auc(scored):.6f}")


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder:
        main(rows, Path(sys.argv[2]) if len(sys.argv) > 2 else Path(folder) / "log.parquet")
