"""Summaries of shards add up to that of the whole, and what cannot be counted or added is refused in a sentence."""

from datetime import date
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from evalcore import find
from evalcore.classification import roc_auc
from evalcore.engines import (
    EstimateSums,
    JudgedHits,
    LabelCounts,
    ScoreCounts,
    auc_bounds,
    frames,
    judgments_of,
    order_key,
)
from evalcore.engines import scores as score_keys
from evalcore.readers import ReadProblem

# A failure is small already, and every try asks an engine.
PHASES = (Phase.explicit, Phase.generate)
NUMBERS = st.sampled_from([-0.0, 0.0, 0.1, 0.25, 0.5, 0.50001, 0.9, 1.0, 1e-300, -3.5, 7.25, None, float("nan")])
TEXTS = st.sampled_from(["a", "ß", "東", None])
ROWS = st.lists(st.tuples(TEXTS, TEXTS, NUMBERS, NUMBERS, TEXTS), max_size=20)
SCHEMA = {"actual": pl.String, "predicted": pl.String, "score": pl.Float64, "other": pl.Float64, "group": pl.String}


def frame(rows: list[tuple]) -> pl.LazyFrame:
    return pl.LazyFrame(rows, schema=SCHEMA, orient="row")


def content(table: Any) -> list:
    """A summary without its form: its rows, sorted."""
    columns = [values.tolist() for part in (table.keys, table.sums) for values in part.values()]
    return sorted(zip(*columns, strict=True), key=repr)


@given(ROWS, ROWS)
@settings(max_examples=15, deadline=None, phases=PHASES)
def test_shards_add_up_to_the_whole(first: list[tuple], second: list[tuple]) -> None:
    shards, whole = (frame(first), frame(second)), frame(first + second)
    one, two, both = (LabelCounts.of(each, "actual", "predicted", group="group") for each in (*shards, whole))
    assert content((one + two).summary) == content(both.summary)
    assert one.left_out + two.left_out == both.left_out
    known = {row[0] for row in first} & {row[0] for row in second} - {None}
    if known:
        chosen = "actual", "score", min(known)
        one, two, both = (ScoreCounts.of(each, *chosen, group="group") for each in (*shards, whole))
        assert content((one + two).summary) == content(both.summary)
        assert (one + two).left_out == both.left_out
    one, two, both = (EstimateSums.of(each, "score", "other", group="group", shift=0.5) for each in (*shards, whole))
    assert (one + two).left_out == both.left_out
    for name in ("MAE", "RMSE", "max"):
        assert find(name)(one + two) == pytest.approx(find(name)(both), nan_ok=True)


def test_distinct_scores_join_bins(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    scores, ill = random.beta(2, 2, 500), random.integers(0, 2, 500)
    exact = ScoreCounts.of(pl.LazyFrame({"ill": ill, "score": scores}), "ill", "score", 1)
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    bins = ScoreCounts.of(pl.LazyFrame({"ill": ill, "score": scores}), "ill", "score", 1, bits=5)
    for both in (exact + bins, bins + exact):
        assert (both.bits, both.rows) == (5, 1000.0)
        assert roc_auc(both.scored()) == roc_auc(bins.scored())
        bounds = auc_bounds(both)
        assert bounds.low <= roc_auc(exact.scored()) <= bounds.high


@given(st.lists(st.floats(-1e280, 1e280), min_size=2), st.integers(2, 53))
@settings(max_examples=50, deadline=None)
def test_a_key_keeps_the_order_of_scores(scores: list[float], bits: int) -> None:
    ascending = np.sort(scores)
    assert (np.diff(order_key(ascending, bits)) >= 0).all()


def test_lists_add_up_by_query_and_are_never_divided() -> None:
    run = pl.LazyFrame({"query": ["a", "a", "b"], "document": ["x", "y", "x"], "score": [2.0, 1.0, 1.0]})
    judged = pl.LazyFrame({"query": ["a", "b"], "document": ["y", "x"], "grade": [1, 2]})
    whole = JudgedHits.of(run, judged)
    parts = [JudgedHits.of(run.filter(pl.col("query") == name), judged) for name in ("b", "a")]
    measures, judgments = ["AP", "nDCG@10"], judgments_of(judged)
    joined = parts[0] + parts[1]
    assert joined.evaluate(judgments, measures).means() == whole.evaluate(judgments, measures).means()
    with pytest.raises(ValueError, match="in both parts"):
        joined + parts[0]


@pytest.mark.parametrize("dtype", ["string[pyarrow]", "string[python]", "object", "category"])
def test_texts_of_any_form_become_objects(dtype: str) -> None:
    column = nw.from_native(pd.Series(["a", None, "東", "a"], dtype=dtype), series_only=True)
    assert frames._array(column).tolist() == ["a", None, "東", "a"]


LIST_ROWS = st.tuples(*map(st.sampled_from, ("abc", "wxyz", [0.0, -0.0, 0.5, 1.0])))


@given(st.lists(LIST_ROWS, max_size=9, unique_by=lambda row: row[:2]))
@settings(max_examples=4, deadline=None, phases=PHASES)
def test_shards_of_lists_join_to_the_whole(rows: list[tuple]) -> None:
    run = pl.LazyFrame(rows, schema={"query": pl.String, "document": pl.String, "score": pl.Float64}, orient="row")
    judged = pl.LazyFrame({"query": ["a", "a", "b"], "document": ["w", "y", "x"], "grade": [1, 0, 2]})
    parts = JudgedHits.joined(JudgedHits.of(run.filter(pl.col("query") == name), judged) for name in "abc")
    whole = JudgedHits.of(run, judged)
    assert sorted(zip(*parts.rows.values(), strict=True)) == sorted(zip(*whole.rows.values(), strict=True))
    assert content(parts.lists) == content(whole.lists)


WRONG = pl.LazyFrame(
    {
        "text": ["a", "b"],
        "number": [0.5, 2.0],
        "day": [date(2024, 1, 1)] * 2,
        "list": [[1], [2]],
        "none": pl.Series([None, None], dtype=pl.Float64),
    }
)
MANY = pl.LazyFrame({"id": [f"c{i}" for i in range(10_000)], "score": np.linspace(0, 1, 10_000)})


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: LabelCounts.of(WRONG, "absent", "text"), 'column "absent" in this'),
        (lambda: LabelCounts.of(WRONG, "day", "text"), 'Column "day" holds dates'),
        (lambda: LabelCounts.of(WRONG, "text", "list"), 'Column "list" holds values of type'),
        (lambda: LabelCounts.of(WRONG, "text", ()), "Choose at least one"),
        (lambda: ScoreCounts.of(WRONG, "text", "text", "a"), '"text" holds texts; numbers'),
        (lambda: ScoreCounts.of(WRONG, "text", "number", "c"), '"c". Choose "a", "b"'),
        (lambda: ScoreCounts.of(MANY, "id", "score", "c1"), "more than 1"),
        (lambda: LabelCounts.of(MANY, "id", "id"), "10\u202f000 different values"),
        (lambda: EstimateSums.of(WRONG, "number", "text"), "numbers are needed"),
        (lambda: JudgedHits.of(WRONG, WRONG, query="number", document="text"), "or a whole number"),
        (lambda: JudgedHits.of(WRONG, WRONG.collect().to_arrow()), "Polars and Duckdb. Give"),
        (lambda: LabelCounts.of({"a": [1]}, "a", "a"), '"dict" is not a table'),
        (lambda: LabelCounts.of(WRONG, "text", "text").of_group("x"), 'There is no group "x"'),
        (lambda: LabelCounts.of_table({"actual": [1], "predicted": [1], "count": [-1]}), "holds a negative count"),
        (
            lambda: ScoreCounts.of_table({"count": [1], "positives": [2], "lowest": [0], "highest": [0]}),
            "more positives",
        ),
        (
            lambda: ScoreCounts.of_table(
                {"count": [2, 2], "positives": [1, 1], "lowest": [0.1, 0.4], "highest": [0.5, 0.9]}
            ),
            "overlap",
        ),
    ],
)
def test_a_sentence_says_what_is_wrong(ask, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        ask()


def test_a_large_summary_stays_on_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.engines.frames.MOST_ROWS", 100)
    with pytest.raises(ReadProblem, match="more than 100 rows, so it stays on the engine"):
        LabelCounts.of(MANY, "id", "id")


def test_rows_without_a_number_are_counted() -> None:
    counts = ScoreCounts.of(WRONG, "text", "none", "a")
    assert (counts.rows, counts.left_out) == (0.0, {"no score": 2.0})
    assert EstimateSums.of(WRONG, "number", "none").left_out == 2.0
