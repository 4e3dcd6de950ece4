"""Slices that are worse: how often random columns show one, how often a planted one is found, and how long it takes.

Beside labels of which 10 % are predicted wrong stand ten columns of numbers and ten of texts. In a planted slice of 5 %
of the rows 20 % are wrong; of numbers it is the highest tenth, which no range holds exactly. It counts as found where a
slice that is listed shares half of all rows of both. ``python -m benchmarks.slices 2000`` draws so many random tables.
"""

import sys
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks.clock import line, seconds_of, time_line
from evalcore import METRICS
from evalcore.analyses import ClassTable, LabelPairs, Slices, Source, search_slices
from evalcore.inference import wilson
from evalcore.readers import STATES, DataSet, roles_of

TABLES, PLANTED = 1000, 200
WRONG, WORSE, SHARE = 0.1, 0.2, 0.05
ROWS, MANY = 20_000, 1_000_000

Columns = dict[str, np.ndarray]


def random_columns(random: np.random.Generator, rows: int) -> Columns:
    """Ten columns of numbers, half of them whole, and ten of 2 to 20 texts."""
    texts = np.array([f"value {k}" for k in range(20)], dtype=object)
    numbers = {f"number {k}": np.round(random.normal(50, 15, rows), k % 2 * 3) for k in range(10)}
    return numbers | {f"text {k}": texts[random.integers(0, 2 + 2 * k, rows)] for k in range(10)}


def text(random: np.random.Generator, columns: Columns, rows: int) -> np.ndarray:
    worse = random.random(rows) < SHARE
    columns["text 0"] = np.where(worse, "worse", "other").astype(object)
    return worse


def two_texts(random: np.random.Generator, columns: Columns, rows: int) -> np.ndarray:
    both = random.random((2, rows)) < SHARE**0.5
    for name, worse in zip(("text 0", "text 1"), both, strict=True):
        columns[name] = np.where(worse, "worse", "other").astype(object)
    return both.all(axis=0)


def highest_tenth(random: np.random.Generator, columns: Columns, rows: int) -> np.ndarray:
    return columns["number 1"] > np.quantile(columns["number 1"], 0.9)


def table_of(random: np.random.Generator, columns: Columns, worse: np.ndarray) -> ClassTable:
    """Predictions that are wrong more often in some rows."""
    actual = random.random(worse.size) < 0.5
    predicted = actual ^ (random.random(worse.size) < np.where(worse, WORSE, WRONG))
    frame = pd.DataFrame({"actual": actual, "predicted": predicted, **columns})
    roles = roles_of(actual="actual", predicted=("predicted",), positive=True)
    source = Source.of(DataSet.of(frame, roles=roles))
    return ClassTable.of(source, "predicted", LabelPairs.of(source, "predicted"))


def slices_of(table: ClassTable) -> Slices:
    STATES.clear()  # so that the columns are cut anew
    measure = METRICS["error_rate"]
    return Slices(table, "True", measure, search_slices(table, "True", measure))


def estimates(slices: Slices, worse: np.ndarray) -> list[float]:
    """The error rates of the slices that are the planted one."""
    frame, rates = slices.of_table.current.frame, []
    for one in slices.search.slices:
        mask = np.logical_and.reduce([step.mask(frame) for step in slices.steps(one)])
        if 2 * np.count_nonzero(mask & worse) >= np.count_nonzero(mask | worse):
            rates.append(one.rate.estimate)
    return rates


def share_line(what: str, hits: int, of: int, bar: str, met: Callable[[float], bool]) -> None:
    share = wilson(hits, of)
    percents = [f"{100 * float(end):.1f}" for end in (share.estimate, share.low, share.high)]
    line(what, f"{percents[0]} % ({percents[1]}–{percents[2]})", bar, met(hits / of))


def main(arguments: list[str]) -> None:
    tables = int(arguments[0]) if arguments else TABLES
    for rows in (2_000, ROWS):
        false = 0
        for seed in range(tables):
            random = np.random.default_rng((rows, seed))
            false += bool(slices_of(table_of(random, random_columns(random, rows), np.zeros(rows, bool))).search.slices)
        share_line(f"{rows:,} random rows: some slice is listed", false, tables, "< 5 %", lambda share: share < 0.05)
    for plant in (text, two_texts, highest_tenth):
        found, rates = 0, []
        for seed in range(PLANTED):
            random = np.random.default_rng(seed)
            columns = random_columns(random, ROWS)
            worse = plant(random, columns, ROWS)
            rates += (own := estimates(slices_of(table_of(random, columns, worse)), worse))
            found += bool(own)
        what = plant.__name__.replace("_", " ")
        share_line(f"{ROWS:,} rows, planted: {what}", found, PLANTED, "≥ 90 %", lambda share: share >= 0.9)
        line("  its mean error rate, shrunk", f"{100 * np.mean(rates):.1f} %")
    random = np.random.default_rng(1)
    columns = random_columns(random, MANY)
    table = table_of(random, columns, highest_tenth(random, columns, MANY))
    time_line(f"{MANY:,} rows x {len(columns)} columns", seconds_of(lambda: slices_of(table), 3), 3)


if __name__ == "__main__":
    main(sys.argv[1:])
