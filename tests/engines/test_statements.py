"""The SQL of the documentation, run on DuckDB, gives the states that the engines give."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import evalcore.engines
from evalcore import find
from evalcore.classification import roc_auc
from evalcore.engines import (
    LARGEST_NUMBER,
    LARGEST_SCORE,
    EstimateSums,
    JudgedHits,
    LabelCounts,
    PairedScoreCounts,
    ScoreCounts,
    auc_bounds,
    judgments_of,
    ranking_dataset,
    summary_dataset,
)
from evalcore.readers import DataSet, roles_of

TEXT = Path(evalcore.engines.__file__).with_name("summaries.md").read_text(encoding="utf-8")
STATEMENTS = dict(re.findall(r"^## (.+?)\n.*?```sql\n(.*?)```", TEXT, re.DOTALL | re.MULTILINE))
N = 5000


@pytest.fixture(scope="module")
def predictions() -> pa.Table:
    random = np.random.default_rng(8)
    labels = np.array(["ill", "well"])
    none = random.random(N) < 0.02
    truth = 100 + random.normal(0, 5, N)
    return pa.table(
        {
            "actual": pa.array(labels[random.integers(0, 2, N)], mask=none),
            "predicted": labels[random.integers(0, 2, N)],
            "a": labels[random.integers(0, 2, N)],
            "b": labels[random.integers(0, 2, N)],
            "patient": random.integers(0, 500, N),
            "weight": random.integers(0, 4, N),
            "score": np.where(random.random(N) < 0.01, np.nan, random.beta(1, 2, N)),
            "rival": random.beta(1, 2, N),
            "truth": truth,
            "estimate": truth + random.normal(0, 1, N),
        }
    )


@pytest.fixture(scope="module")
def rankings() -> tuple[pa.Table, pa.Table]:
    random = np.random.default_rng(9)
    pairs = np.unique(random.integers(0, 40, (600, 2)), axis=0).astype(str)
    run = pa.table({"query": pairs[:, 0], "document": pairs[:, 1], "score": random.integers(0, 9, len(pairs)) / 8})
    run = run.append_column("system", pa.array(np.array(["a", "b"])[random.integers(0, 2, len(pairs))]))
    judged = random.random(len(pairs)) < 0.3
    grades = random.integers(0, 3, np.count_nonzero(judged))
    return run, pa.table({"query": pairs[judged, 0], "document": pairs[judged, 1], "grade": grades})


@pytest.fixture
def asked(predictions: pa.Table, rankings: tuple[pa.Table, pa.Table]) -> Iterator[Any]:
    """The result of a statement by its heading."""
    with duckdb.connect() as connection:
        for name, table in (
            ("predictions", predictions),
            ("run", rankings[0]),
            ("runs", rankings[0]),
            ("judgments", rankings[1]),
        ):
            connection.register(name, table)
        yield lambda heading: connection.sql(STATEMENTS[heading])


def test_counts_of_labels(asked, predictions) -> None:
    counts = LabelCounts.of(predictions, "actual", "predicted", unit="patient")
    assert LabelCounts.of_table(asked("Confusion counts")).matrix().counts.tolist() == counts.matrix().counts.tolist()
    by_unit = LabelCounts.of_table(asked("The same by unit"), unit="patient")
    cells = [sorted(one.matrix().right().clusters.cells.tolist()) for one in (by_unit, counts)]
    assert cells[0] == cells[1]
    weighted = LabelCounts.of(predictions, "actual", "predicted", weight="weight").matrix().counts
    assert (
        LabelCounts.of_table(asked("Rows with weights"), count="weight").matrix().counts.tolist() == weighted.tolist()
    )
    pairs = LabelCounts.of(predictions, "actual", ("a", "b")).paired("a", "b")
    of_table = LabelCounts.of_table(asked("Two systems on the same rows"), ("a", "b"))
    assert of_table.paired("a", "b").right().right() == pairs.right().right()


def test_scores(asked, predictions) -> None:
    exact = ScoreCounts.of(predictions, "actual", "score", "ill")
    each = ScoreCounts.of_table(asked("Scores, each distinct one"), lowest="score", highest="score")
    assert each.is_exact
    assert roc_auc(each.scored()) == roc_auc(exact.scored())
    by_unit = ScoreCounts.of(predictions, "actual", "score", "ill", unit="patient").scored()
    ends = {"lowest": "score", "highest": "score"}
    of_table = ScoreCounts.of_table(asked("Scores by unit"), unit="patient", **ends).scored()
    cells = [sorted(one.counts_at(0.3).clusters.cells.tolist()) for one in (by_unit, of_table)]
    assert cells[0] == cells[1]
    bins = ScoreCounts.of_table(asked("Scores, too many to group each"))
    assert len(bins.summary) < N
    assert not bins.is_exact
    bounds = auc_bounds(bins)
    assert bounds.low <= roc_auc(exact.scored()) <= bounds.high
    assert bounds.width < 1e-3
    assert (bins + exact).rows == 2 * exact.rows


def test_scores_too_large_are_left_out_by_the_statements_and_by_the_engines() -> None:
    limits = re.findall(r"(?:score|rival) between -(\S+) and (\S+?)\b", TEXT)
    assert {float(limit) for both in limits for limit in both} == {LARGEST_SCORE}
    numbers = re.findall(r"(?:truth|estimate) between -(\S+) and (\S+?)\b", TEXT)
    assert {float(limit) for both in numbers for limit in both} == {LARGEST_NUMBER}
    assert f"±{LARGEST_SCORE:g}".replace("+", "") in TEXT
    scores = np.array([0.25, LARGEST_SCORE, -LARGEST_SCORE, np.nextafter(LARGEST_SCORE, np.inf), 1e300, -1e299])
    table = pa.table({"actual": ["ill", "well"] * 3, "score": scores, "patient": range(6)})
    roles = roles_of(actual="actual", score=("score",), positive="ill")
    (finding,) = summary_dataset(table, roles).findings
    assert "3 with a score beyond ±1e+280:" in finding.sentence
    with duckdb.connect() as connection:
        connection.register("predictions", table)
        for heading, ends in (("Scores, each distinct one", "score"), ("Scores, too many to group each", "")):
            counts = ScoreCounts.of(table, "actual", "score", "ill", bits=53 if ends else 12)
            of_table = ScoreCounts.of_table(
                connection.sql(STATEMENTS[heading]), **({"lowest": ends, "highest": ends} if ends else {})
            )
            assert of_table.rows == counts.rows == 3
            assert counts.left_out == {"beyond ±1e+280": 3.0}
        numbers = pa.table({"truth": [1.0, 2.0, 1e36], "estimate": [1.0, -1e35, 1.0]})
        connection.register("predictions", numbers)
        sums = EstimateSums.of(numbers, "truth", "estimate", shift=100)
        of_table = EstimateSums.of_table(connection.sql(STATEMENTS["Regression sums"]), shift=100)
        assert (sums.total, sums.left_out, of_table.total) == (2, 1, 2)
        assert np.isfinite(of_table.interval(find("MSE")).high)


def test_two_systems_with_scores(asked, predictions) -> None:
    systems = "score", "rival"
    counts = PairedScoreCounts.of(predictions, "actual", systems, "ill", bits=7)
    of_table = PairedScoreCounts.of_table(
        asked("Two systems with scores"), dict(zip(systems, counts.scores, strict=True))
    )
    for name, values in counts.table().items():
        assert of_table.table()[name].tolist() == values.tolist(), name
    assert (of_table + counts).scores[0].rows == 2 * counts.scores[0].rows


def test_rankings(asked, rankings) -> None:
    hits, judgments = JudgedHits.of(*rankings), judgments_of(rankings[1])
    of_tables = JudgedHits.of_table(asked("Judged hits"), asked("Lengths of the lists"))
    for name in ("query", "rank", "grade", "retrieved", "first", "last"):
        states = (getattr(one.hits(judgments), name).tolist() for one in (hits, of_tables))
        assert next(states) == next(states)
    by_system = JudgedHits.of(*rankings, system="system")
    of_tables = JudgedHits.of_table(
        asked("Judged hits by system"), asked("Lengths of the lists by system"), system="system"
    )
    opened = DataSet.of(asked("Rankings as one table").df())
    assert opened.roles == ranking_dataset(by_system, judgments).roles
    for system in "ab":
        states = of_tables.hits(judgments, system), opened.state("placed_hits", system)[0]
        for name in ("query", "rank", "grade", "retrieved", "first", "last"):
            expected = getattr(by_system.hits(judgments, system), name).tolist()
            assert [getattr(state, name).tolist() for state in states] == [expected] * 2, name


def test_sums(asked, predictions) -> None:
    sums = EstimateSums.of(predictions, "truth", "estimate", shift=100)
    of_table = EstimateSums.of_table(asked("Regression sums"), shift=100)
    for name in ("RMSE", "MAE", "R²", "max"):
        assert find(name)(of_table) == pytest.approx(find(name)(sums), rel=1e-12)
    sums = EstimateSums.of(predictions, "truth", "estimate", unit="patient", shift=100)
    of_table = EstimateSums.of_table(asked("Regression sums by unit"), shift=100, unit="patient")
    ours, theirs = (one.interval(find("MAE")).ends for one in (of_table, sums))
    assert [*ours] == pytest.approx([*theirs], rel=1e-9)


def test_each_statement_is_run() -> None:
    asked = re.findall(r'asked\("(.+?)"\)', Path(__file__).read_text(encoding="utf-8"))
    assert sorted(set(asked)) == sorted(STATEMENTS)
