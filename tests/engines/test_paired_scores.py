"""Scores of several systems counted together: the rows' own numbers on every engine, and how near the covariance is."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from evalcore import find
from evalcore.analyses import Source, compare_systems
from evalcore.classification import ScoredLabels, roc_auc
from evalcore.engines import PairedScoreCounts, ScoreCounts, order_key, summary_dataset, threshold_calls
from evalcore.engines import scores as engine
from evalcore.inference import correlated_areas
from evalcore.readers import DataSet, ReadProblem, roles_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of the engines, which speak of their own future

BAD = np.array([0, np.nan, np.inf, -np.inf, 1e300])


def paired_rows(rows: dict[str, np.ndarray]) -> tuple[pa.Table, np.ndarray]:
    """A table with ties, -0.0 and every kind of unusable row, and which rows can be used."""
    random, none, n = np.random.default_rng(12), rows["none"], len(rows["score"])
    wrong = random.choice(5, n, p=[0.92, 0.02, 0.02, 0.02, 0.02])
    a = rows["score"]
    b = np.round(np.clip(a + random.normal(0, 0.1, n), -0.0, 1.0), 5)
    table = {
        "ill": pa.array(rows["ill"], mask=none[:, 0]),
        "a": pa.array(a, mask=none[:, 1]),
        "b": pa.array(np.where(wrong == 0, b, BAD[wrong]), mask=none[:, 2]),
        "group": rows["group"],
        "unit": rows["unit"],
        "weight": random.integers(0, 4, n),
    }
    return pa.table(table), ~none[:, :3].any(axis=1) & (wrong == 0)


def numpy_of(table: pa.Table, used: np.ndarray, *names: str) -> list[np.ndarray]:
    frame = table.to_pandas()[used]
    return [frame[name].to_numpy() for name in names]


def test_each_combination_of_scores_is_counted(make, rows) -> None:
    table, used = paired_rows(rows)
    counts = PairedScoreCounts.of(make(table), "ill", ["a", "b"], 1, group="group")
    ill, a, b, group = numpy_of(table, used, "ill", "a", "b", "group")
    assert all(one.is_exact for one in counts.scores)
    assert (counts.scores[0].rows, counts.left_out) == (np.count_nonzero(used), np.count_nonzero(~used))
    ours = counts.table()
    columns = [ours[name].tolist() for name in ("group", "positive", "near 0", "near 1")]
    whole = list(zip(group, ill == 1, a + 0.0, b + 0.0, strict=True))
    expected = {row: whole.count(row) for row in whole}
    assert dict(zip(zip(*columns, strict=True), ours["count"].tolist(), strict=True)) == expected


def test_larger_bins_lose_no_count(make, rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_FEW_SCORES", 0)
    table, used = paired_rows(rows)
    options = {"group": "group", "higher_is_positive": False}
    counts = PairedScoreCounts.of(make(table), "ill", ["a", "b"], 1, bits=4, **options)
    a, b, group = numpy_of(table, used, "a", "b", "group")
    own = table.filter(pa.array(used))
    for system, one in zip("ab", counts.scores, strict=True):
        alone = ScoreCounts.of(own, "ill", system, 1, **options)
        assert one.scored().steps.tp.tolist() == alone.scored().steps.tp.tolist()
        assert roc_auc(one.of_group("Süd").scored()) == roc_auc(alone.of_group("Süd").scored())
    keys = zip(order_key(a, 4), order_key(b, 4), group, strict=True)
    names = ("key 0", "key 1", "group")
    cells = zip(*(counts.summary.keys[name].tolist() for name in names), strict=True)
    together = list(keys)
    expected = {cell: together.count(cell) for cell in together}
    assert dict(zip(cells, counts.summary.sums["count"].tolist(), strict=True)) == expected
    ours = counts.table()
    for place, one in enumerate(counts.scores):
        values = {"weights": ours["count"], "higher_is_positive": False}
        state = ScoredLabels.from_arrays(ours["positive"], ours[f"near {place}"], **values)
        assert state.steps.tp.tolist() == one.scored().steps.tp.tolist()
        assert state.steps.fp.tolist() == one.scored().steps.fp.tolist()


def test_calls_at_thresholds_are_counted(make, rows) -> None:
    table, used = paired_rows(rows)
    thresholds = {"a": 0.25, "b": 0.5}
    calls = threshold_calls(make(table), "ill", thresholds, 1, group="group", weight="weight").merged()
    ill, a, b, group, weight = numpy_of(table, used, "ill", "a", "b", "group", "weight")
    for call in product((0, 1), (0, 1), np.unique(group)):
        ours = [calls.keys[name] == value for name, value in zip(("call 0", "call 1", "group"), call, strict=True)]
        theirs = ((a >= 0.25) == call[0]) & ((b >= 0.5) == call[1]) & (group == call[2])
        entry = np.logical_and.reduce(ours)
        assert calls.sums["count"][entry].sum() == weight[theirs].sum()
        assert calls.sums["positives"][entry].sum() == weight[theirs & (ill == 1)].sum()
    assert calls.sums["highest 0"][calls.keys["call 0"] == 0].max() == a[a < 0.25].max()


def test_weights_and_units_are_those_of_the_rows(rows) -> None:
    table, used = paired_rows(rows)
    ill, a, b, unit, weight = numpy_of(table, used, "ill", "a", "b", "unit", "weight")
    for part, beside in (("unit", {"clusters": unit}), ("weight", {"weights": weight})):
        roles = roles_of(actual="ill", score=("a", "b"), positive=1)
        roles = replace(roles, **{"cluster" if part == "unit" else part: part})
        data = summary_dataset(table, roles)
        expected = correlated_areas(ill, [a, b], 1, **beside)
        comparison = compare_systems(Source.of(data), "a", "b").difference.test
        assert comparison.estimate == pytest.approx(expected.compared(0, 1).estimate, rel=1e-9)
        assert comparison.p_value == pytest.approx(expected.compared(0, 1).p_value, rel=1e-9)
        areas = PairedScoreCounts.of(table, "ill", ["a", "b"], 1, **{part: part}).areas()
        assert areas.compared(0, 1).p_value == pytest.approx(expected.compared(0, 1).p_value, rel=1e-9)


NUMBERS = st.sampled_from([-0.0, 0.0, 0.1, 0.25, 0.5, 0.50001, 0.9, 1.0, 1e-300, -3.5, 7.25, None, float("nan")])
ROWS = st.lists(st.tuples(st.sampled_from(["y", "n", None]), NUMBERS, NUMBERS), max_size=20)
SCHEMA = {"actual": pl.String, "a": pl.Float64, "b": pl.Float64}


@given(ROWS, ROWS, st.sampled_from([3, 12, 53]))
@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_shards_add_up_to_the_whole(first: list[tuple], second: list[tuple], bits: int) -> None:
    first, second = [("y", 0.3, 0.2), *first], [("y", 0.3, 0.2), *second]
    one, two, both = (
        PairedScoreCounts.of(pl.LazyFrame(each, SCHEMA, orient="row"), "actual", ["a", "b"], "y", bits=bits)
        for each in (first, second, first + second)
    )
    added = one + two
    assert (added.scores[0].rows, added.left_out) == (both.scores[0].rows, both.left_out)
    for name, values in added.table().items():
        assert values.tolist() == both.table()[name].tolist()


def test_shards_in_different_bins_are_refused() -> None:
    frame = pl.LazyFrame([("y", 0.3, 0.2)], SCHEMA, orient="row")
    one, two = (PairedScoreCounts.of(frame, "actual", ["a", "b"], "y", bits=bits) for bits in (5, 6))
    with pytest.raises(ValueError, match="same bits"):
        one + two
    with pytest.raises(ValueError, match="same systems"):
        one + PairedScoreCounts.of(frame, "actual", ["b", "a"], "y", bits=5)


def scored_table(n: int, correlation: float, seed: int = 4) -> pa.Table:
    random = np.random.default_rng(seed)
    ill = random.random(n) < 0.2
    common, own = random.normal(size=n), random.normal(size=n)
    latent = common, correlation * common + np.sqrt(1 - correlation**2) * own
    a, b = (1 / (1 + np.exp(2 - each - shift * ill)) for each, shift in zip(latent, (1.0, 1.03), strict=True))
    return pa.table({"ill": np.where(ill, "yes", "no"), "a": a, "b": b, "site": random.choice(["x", "y"], n)})


ROLES = roles_of(actual="ill", score=("a", "b"), positive="yes")


@pytest.mark.parametrize(("correlation", "error"), [(0.3, 2e-3), (0.9, 2e-3), (0.995, 2e-2)])
def test_an_interval_of_bins_is_that_of_delong(correlation: float, error: float, monkeypatch) -> None:
    monkeypatch.setattr(engine, "_FEW_SCORES", 0)
    monkeypatch.setattr(engine, "_CELLS", 30_000)
    table = scored_table(40_000, correlation)
    data = summary_dataset(table, ROLES)
    assert data.unloaded.bits < 9
    frame = table.to_pandas()
    exact = correlated_areas(frame["ill"], [frame["a"], frame["b"]], "yes").compared(0, 1)
    ours = compare_systems(Source.of(data), "a", "b").difference.test
    width, expected = (float(one.interval.high - one.interval.low) for one in (ours, exact))
    assert width == pytest.approx(expected, rel=error)
    assert abs(ours.estimate - exact.estimate) < 2e-3 * expected
    assert ours.p_value == pytest.approx(exact.p_value, rel=10 * error)


def test_a_data_set_of_small_tables_compares_as_the_rows_do() -> None:
    table = scored_table(2000, 0.8)
    data, whole = (
        each(table) for each in (lambda t: summary_dataset(t, ROLES), lambda t: DataSet.of(t.to_pandas(), roles=ROLES))
    )
    for measure in map(find, ("roc_auc", "recall", "accuracy", "f_beta")):
        ours, theirs = (
            compare_systems(Source.of(each), "a", "b", measure=measure).difference for each in (data, whole)
        )
        assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-9)
        assert ours.p == pytest.approx(theirs.p, rel=1e-6)
    assert data.unloaded.bits == 53
    assert data.tally() == whole.tally()


def test_combinations_of_other_rows_are_refused() -> None:
    table = scored_table(500, 0.8)
    scores = {name: ScoreCounts.of(table, "ill", name, "yes", group="site") for name in "ab"}
    frame = table.to_pandas()
    joint = {"a": frame["a"], "b": frame["b"], "site": frame["site"], "count": np.ones(500)}
    joint["positives"] = np.where(frame["ill"] == "yes", 1, 0)
    counts = PairedScoreCounts.of_table(joint, scores, group="site")
    ours, theirs = counts.table(), PairedScoreCounts.of(table, "ill", "ab", "yes", group="site").table()
    assert sorted(zip(*(ours[name] for name in theirs), strict=True)) == sorted(zip(*theirs.values(), strict=True))
    joint["site"] = joint["site"].replace("y", "x")
    with pytest.raises(ReadProblem, match="other rows"):
        PairedScoreCounts.of_table(joint, scores, group="site")


def test_a_table_without_rows_has_no_combinations() -> None:
    counts = PairedScoreCounts.of(pl.LazyFrame([], SCHEMA, orient="row"), "actual", ["a", "b"], "y")
    assert [len(values) for values in counts.table().values()] == [0] * 6


def test_three_systems_are_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_FEW_SCORES", 0)
    monkeypatch.setattr(engine, "_CELLS", 20_000)
    table = scored_table(20_000, 0.8)
    third = np.random.default_rng(2).random(20_000) * 0.1
    table = table.append_column("c", pa.array(np.clip(table["a"].to_numpy() + third, 0, 1)))
    data = summary_dataset(table, replace(ROLES, score=("a", "b", "c")))
    frame = table.to_pandas()
    exact = correlated_areas(frame["ill"], [frame[name] for name in "abc"], "yes")
    comparison = compare_systems(Source.of(data), "a", "b")
    assert comparison.overall.statistic == pytest.approx(exact.overall().statistic, rel=0.02)
    for difference, other in zip(comparison.system_differences, (1, 2), strict=True):
        width = exact.compared(0, other).interval
        assert difference.high - difference.low == pytest.approx(float(width.high - width.low), rel=0.01)
