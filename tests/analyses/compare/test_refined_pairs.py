"""Two systems with scores in bins: how far a comparison may be off, and that the table itself makes it exact."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from evalcore.analyses import Scores, Source, bins_of, compare_systems, pair_note, paired_at, refined_at, threshold_note
from evalcore.engines import open_stored, summary_dataset
from evalcore.engines import scores as engine
from evalcore.engines import scores as score_keys
from evalcore.readers import DataSet, ReadProblem, Shape, roles_of
from tests.words import sentence_with

N, CLOSE = 6000, 0.123


@pytest.fixture(params=[(True, None), (False, "site")], ids=["higher", "lower, by group"])
def log(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A data set in coarse bins, that of all rows, and the table."""
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    monkeypatch.setattr(engine, "_CELLS", 200)
    higher, group = request.param
    random = np.random.default_rng(8)
    ill = random.random(N) < 0.4
    a = random.beta(2 + ill, 3)
    b = np.clip(a + random.normal(0, 0.1, N), 0, 1)
    sides = (a, b) if higher else (1 - a, 1 - b)
    table = {"ill": np.where(ill, "yes", "no"), "a": sides[0], "b": sides[1], "site": random.choice(["x", "y"], N)}
    parquet.write_table(pa.table(table), tmp_path / "log.parquet")
    stored = open_stored(tmp_path / "log.parquet")
    roles = roles_of(actual="ill", score=("a", "b"), positive="yes", group=group, higher_is_positive=higher)
    whole = DataSet.of(pa.table(table).to_pandas(), roles=roles)
    return summary_dataset(stored.frame, roles), whole, stored


def compared(data: DataSet, **settings):
    return compare_systems(Source.of(data), "a", "b", **settings)


SETTINGS = [{"threshold": 0.4321}, {"cut": "flagged", "threshold": 0.6}, {"threshold": 7.0}]


@pytest.mark.parametrize("settings", SETTINGS, ids=["one threshold", "two thresholds", "beyond all scores"])
def test_the_counts_of_a_pair_become_exact_and_the_link_keeps_them(log, settings: dict) -> None:
    data, whole, stored = log
    binned = compared(data, **settings)
    note, can_ask = pair_note(binned.source, binned.rows)
    assert sentence_with(note, "B minus A")
    if settings["threshold"] < 1:
        assert can_ask
        assert "may be off by" in note
    step = paired_at(binned, stored)
    shaped = data.shaped(Shape((step,)).to_text())
    assert Shape.from_text(shaped.shape.to_text()).steps == (step,)
    exact = compared(shaped, **settings)
    a, b = exact.rows.thresholds
    frame, higher = whole.frame, whole.roles.get("higher_is_positive", True)
    calls = [frame[name] >= cut if higher else frame[name] <= cut for name, cut in (("a", a), ("b", b))]
    for among, rows in (("positive", frame["ill"] == "yes"), ("negative", frame["ill"] == "no")):
        right = [called[rows] == (among == "positive") for called in calls]
        cells = [(right[0] == one) & (right[1] == two) for one, two in ((True, True), (True, False), (False, True))]
        assert exact.right(among)[:3] == tuple(float(cell.sum()) for cell in cells)
    if (exact.rows.thresholds, can_ask) == (binned.rows.thresholds, True):
        text = note.rpartition("off by up to ")[2].rstrip(".").replace("\u202f", "")
        off = [abs(one - two) for one, two in zip(binned.right(), exact.right(), strict=True)]
        assert max(off) <= float(text)
    assert pair_note(exact.source, exact.rows)[0].endswith("are exact.")
    for system in "ab":
        assert shaped.scored(system).positives == whole.scored(system).positives
        at = data.scored(system).thresholds()
        assert shaped.scored(system).counts_at(at).tp.tolist() == whole.scored(system).counts_at(at).tp.tolist()
    assert compared(shaped).difference.test.estimate == pytest.approx(
        compared(whole).difference.test.estimate, abs=1e-3
    )


def test_a_table_that_changed_is_not_used(log) -> None:
    data, _, stored = log
    binned = compared(data)
    half = type(stored)(stored.frame.limit(N // 2), stored.connection, "log")
    with pytest.raises(ReadProblem, match="has changed"):
        paired_at(binned, half)


def test_counts_of_a_link_that_was_edited_are_refused(log) -> None:
    data, _, stored = log
    binned = compared(data)
    step = paired_at(binned, stored)
    first, second, *rest = step.counts
    edited = (
        {"counts": (str(int(first) + 1), *step.counts[1:])},
        {"counts": (str(int(first) + int(second)), "0", *rest)},
        {"counts": step.counts[1:]},
        {"counts": ("-1", *step.counts[1:])},
        {"columns": ("a", "ill")},
        {"columns": ("a",)},
        {"by": ("nothing",)},
        {"last_a": 0.9, "first_a": 0.9},
        {"last_b": float("nan")},
    )
    for change in edited:
        with pytest.raises(ReadProblem):
            data.shaped(Shape((replace(step, **change),)))


def test_a_pair_of_exact_scores_needs_no_note(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    table = {"ill": random.integers(0, 2, 500), "a": random.random(500), "b": random.random(500)}
    data = summary_dataset(pa.table(table), roles_of(actual="ill", score=("a", "b"), positive=1))
    assert pair_note(Source.of(data), compared(data).rows) == ("", False)


@pytest.mark.parametrize(
    ("beside", "are"), [({"weight": "times"}, "counts"), ({"weight": "worth"}, "importance"), ({"cluster": "who"}, "")]
)
def test_weighted_rows_and_rows_that_belong_together_become_exact_too(
    beside: dict[str, str], are: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    monkeypatch.setattr(engine, "_CELLS", 200)
    random = np.random.default_rng(6)
    ill, a = random.random(N) < 0.4, random.random(N)
    b = np.clip(a + random.normal(0, 0.1, N), 0, 1)
    table = {
        "ill": ill.astype(int),
        "a": a,
        "b": b,
        "times": random.integers(0, 4, N),
        "who": random.integers(0, 90, N),
    }
    table["worth"] = random.gamma(2, 1, N)
    parquet.write_table(pa.table(table), tmp_path / "log.parquet")
    stored = open_stored(tmp_path / "log.parquet")
    roles = replace(roles_of(actual="ill", score=("a", "b"), positive=1), **beside)
    data = summary_dataset(stored.frame, roles)
    binned = compared(data, threshold=CLOSE)
    assert pair_note(binned.source, binned.rows)[1]
    exact = compared(data.shaped(Shape((paired_at(binned, stored),)).to_text()), threshold=CLOSE)
    weights = table[beside["weight"]] if are else np.ones(N)
    right = (a >= CLOSE) == ill, (b >= CLOSE) == ill
    only_a, only_b = (float(weights[one & ~two].sum()) for one, two in (right, right[::-1]))
    assert exact.right()[1:3] == pytest.approx((only_a, only_b), rel=1e-9)
    one = Scores.of(binned.source, "a")
    bins = bins_of(one).bins
    low, high = bins.sums["lowest"], bins.sums["highest"]
    inside = float((low + high)[np.argmax(high - low)] / 2)
    assert threshold_note(one, inside)[1]
    alone = data.shaped(Shape((refined_at(one, inside, stored),)).to_text()).scored("a").counts_at(inside)
    assert float(alone.tp) == pytest.approx(float(weights[(a >= inside) & ill].sum()), rel=1e-9)
