"""Every state from every engine beside numpy, on rows that engines treat in different ways."""

import numpy as np
import pyarrow as pa
import pytest

from evalcore import find
from evalcore.classification import ConfusionMatrix, ScoredLabels, average_precision, roc_auc
from evalcore.engines import (
    EstimateSums,
    JudgedHits,
    LabelCounts,
    ScoreCounts,
    auc_bounds,
    average_precision_bounds,
    brier_bounds,
    judgments_of,
    score_keys,
)
from evalcore.estimation import Estimates
from evalcore.inference import PairedClasses, estimate_interval
from evalcore.readers import ReadProblem
from evalcore.retrieval import Hits, Judgments, Run, evaluate

pytestmark = pytest.mark.filterwarnings("ignore")  # of the engines, which speak of their own future

N = 400
LABELS, GROUPS = np.array(["krank", "heil", "日本", "ø'\"x"]), np.array(["Süd", "north", "東"])


def missing(values: np.ndarray, rows: np.ndarray) -> pa.Array:
    """A column whose values are missing in some rows."""
    return pa.array(values, mask=rows)


@pytest.fixture(scope="module")
def rows() -> dict[str, np.ndarray]:
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


def test_counts_of_labels_by_group_and_unit(make, rows) -> None:
    none = rows["none"]
    names = ("actual", "a", "b", "group")
    frame = make(
        pa.table({name: missing(rows[name], none[:, i]) for i, name in enumerate(names)} | {"u": rows["unit"]})
    )
    complete = ~none[:, :3].any(axis=1)
    actual, a, b = (rows[name][complete] for name in ("actual", "a", "b"))
    counts = LabelCounts.of(frame, "actual", ("a", "b"), group="group")
    assert counts.left_out == np.count_nonzero(~complete)
    expected = ConfusionMatrix.from_labels(actual, b, classes=counts.classes)
    assert counts.matrix("b").counts.tolist() == expected.counts.tolist()
    north = complete & (rows["group"] == "north") & ~none[:, 3]
    of_group = counts.of_group("north").matrix("a")
    assert of_group.counts.sum() == np.count_nonzero(north)
    assert of_group.counts.trace() == np.count_nonzero(north & (rows["actual"] == rows["a"]))
    assert counts.of_group("(no group)").matrix().counts.sum() == np.count_nonzero(complete & none[:, 3])
    codes = [np.array([counts.classes.index(label) for label in column]) for column in (actual, a, b)]
    assert counts.paired("a", "b").right().right() == PairedClasses.from_codes(*codes, counts.classes).right().right()

    clusters = rows["unit"][complete]
    by_unit = LabelCounts.of(frame, "actual", ("a", "b"), unit="u")
    ours = by_unit.matrix("a").right()
    theirs = ConfusionMatrix.from_labels(actual, a, clusters=clusters).right()
    assert sorted(ours.clusters.cells.tolist()) == sorted(theirs.clusters.cells.tolist())
    assert not ours.clusters.weighted
    pairs = PairedClasses.from_codes(*codes, counts.classes, clusters=clusters).right()
    assert sorted(by_unit.paired("a", "b").right().clusters.cells.tolist()) == sorted(pairs.clusters.cells.tolist())


def scored_rows(rows: dict[str, np.ndarray]) -> tuple[pa.Table, np.ndarray, np.ndarray]:
    """A table with every kind of unusable row; which rows can be used, and their scores."""
    bad = np.array([0, np.nan, np.inf, -np.inf])[rows["wrong"]]
    scores = np.where(rows["wrong"] == 0, rows["score"], bad)
    none = rows["none"]
    table = pa.table(
        {
            "ill": missing(rows["ill"], none[:, 0]),
            "score": missing(scores, none[:, 1]),
            "group": rows["group"],
            "unit": missing(rows["unit"], none[:, 2]),
        }
    )
    return table, ~none[:, 0] & ~none[:, 1] & (rows["wrong"] == 0), scores


def test_distinct_scores_are_exact(make, rows) -> None:
    table, used, scores = scored_rows(rows)
    counts = ScoreCounts.of(make(table), "ill", "score", 1, group="group")
    expected = ScoredLabels.from_arrays(rows["ill"][used], scores[used], 1)
    assert counts.is_exact
    assert sum(counts.left_out.values()) == np.count_nonzero(~used)
    assert counts.left_out["infinite"] == np.count_nonzero(np.isinf(scores) & ~rows["none"][:, 0] & ~rows["none"][:, 1])
    for name in ("thresholds", "tp", "fp"):
        assert getattr(counts.scored().steps, name).tolist() == getattr(expected.steps, name).tolist()
    assert roc_auc(counts.scored()) == roc_auc(expected)
    south = used & (rows["group"] == "Süd")
    of_group = counts.by_group()["Süd"]
    assert (
        of_group.table().counts.tp.tolist()
        == ScoredLabels.from_arrays(rows["ill"][south], scores[south], 1).table().counts.tp.tolist()
    )


@pytest.mark.parametrize("higher", [True, False])
def test_bins_bound_what_they_leave_open(make, rows, higher: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    table, used, scores = scored_rows(rows)
    frame = make(table)
    counts = ScoreCounts.of(frame, "ill", "score", "1", bits=4, higher_is_positive=higher)
    expected = ScoredLabels.from_arrays(rows["ill"][used], scores[used], 1, higher_is_positive=higher)
    assert not counts.is_exact
    assert len(counts.summary) < 100
    at = counts.scored().table()
    assert at.counts.tp.tolist() == expected.counts_at(at.thresholds).tp.tolist()
    assert at.counts.fp.tolist() == expected.counts_at(at.thresholds).fp.tolist()
    for bounds, value in (
        (auc_bounds(counts), roc_auc(expected)),
        (average_precision_bounds(counts), average_precision(expected)),
        (brier_bounds(counts), float(np.square(rows["ill"] - scores)[used].mean())),
    ):
        assert bounds.low - 1e-12 <= value <= bounds.high + 1e-12
        assert bounds.width < 0.1
    threshold = 0.3333
    assert counts.bin_around(threshold)
    refined = counts.refined(frame, "ill", "score", 1, threshold)
    assert refined.scored().counts_at(threshold).tp == expected.counts_at(threshold).tp
    assert refined.scored().counts_at(threshold).fp == expected.counts_at(threshold).fp
    assert refined.bin_around(threshold) is None


def test_scores_by_unit(make, rows) -> None:
    table, used, scores = scored_rows(rows)
    counts = ScoreCounts.of(make(table), "ill", "score", 1, unit="unit")
    units = np.where(rows["none"][:, 2], 1000 + np.arange(N), rows["unit"])[used]
    ours, theirs = counts.scored(), ScoredLabels.from_arrays(rows["ill"][used], scores[used], 1, clusters=units)
    cells = [sorted(state.counts_at(0.4).clusters.cells.tolist()) for state in (ours, theirs)]
    assert cells[0] == [row for row in cells[1] if any(row)]


def test_ranks_of_judged_documents(make, rows) -> None:
    query, document = np.array([f"q{unit}" for unit in rows["unit"]]), np.array([f"dø{i % 97}" for i in range(N)])
    first = np.unique(np.char.add(query, document), return_index=True)[1]
    query, document = query[first], document[first]
    scores = np.round(rows["score"][first], 1)
    scores[:4] = [np.inf, -np.inf, -0.0, 0.0]
    bad = np.where(rows["wrong"][first] == 1, np.nan, scores)
    none = rows["none"][first]
    used = ~none[:, 0] & ~none[:, 1] & ~np.isnan(bad)
    judged = rows["none"][first, 2] | (rows["wrong"][first] > 1) | (rows["ill"][first] == 1)
    theirs = [*query[judged], "q0", "nobody"], [*document[judged], "absent", "absent"]
    grades = np.append(rows["unit"][first][judged] % 4 - 1, [1, 2])
    truth = make(pa.table({"query": theirs[0], "document": theirs[1], "grade": grades}))
    run = make(pa.table({"query": missing(query, none[:, 0]), "document": document, "score": missing(bad, none[:, 1])}))
    hits, judgments = JudgedHits.of(run, truth), judgments_of(truth)
    expected_judgments = Judgments.from_arrays(*theirs, grades)
    expected_run = Run.from_arrays(query[used].tolist(), document[used].tolist(), bad[used])
    expected = Hits.of(expected_judgments, expected_run)
    ours = hits.hits(judgments)
    assert hits.left_out == np.count_nonzero(~used)
    for name in ("query", "rank", "grade", "retrieved", "first", "last"):
        assert getattr(ours, name).tolist() == getattr(expected, name).tolist(), name
    measured = hits.evaluate(judgments, ["AP", "nDCG@10"])
    wanted = evaluate(expected_judgments, expected_run, ["AP", "nDCG@10"])
    assert measured.values["AP"].tolist() == wanted.values["AP"].tolist()
    assert sorted(measured.unjudged) == sorted(wanted.unjudged)


def test_sums_of_estimates(make, rows) -> None:
    random = np.random.default_rng(4)
    truth = 1e6 + random.normal(0, 3, N)
    estimate = truth + random.standard_t(4, N)
    used = ~rows["none"][:, 0] & (rows["wrong"] == 0)
    column = np.where(rows["wrong"] == 0, estimate, np.array([0, np.nan, np.inf, -np.inf])[rows["wrong"]])
    frame = make(
        pa.table(
            {
                "truth": missing(truth, rows["none"][:, 0]),
                "estimate": column,
                "group": rows["group"],
                "unit": missing(rows["unit"], rows["none"][:, 2]),
            }
        )
    )
    units = np.where(rows["none"][:, 2], 1000 + np.arange(N), rows["unit"])[used]
    sums = EstimateSums.of(frame, "truth", "estimate", group="group", unit="unit")
    expected = Estimates.from_arrays(truth[used], estimate[used], clusters=units)
    assert sums.left_out == np.count_nonzero(~used)
    for name in ("RMSE", "MSE", "MAE", "ME", "SSE", "max", "R²", "explained variance", "r", "CCC"):
        assert find(name)(sums) == pytest.approx(find(name)(expected), rel=1e-9), name
    for name in ("RMSE", "MSE", "MAE", "ME"):
        ours, theirs = sums.interval(find(name)), estimate_interval(find(name), expected)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9)
    east = used & (rows["group"] == "東")
    assert sums.of_group("東").mean_loss("absolute") == pytest.approx(np.abs(estimate - truth)[east].mean())


def test_tables_without_rows(make) -> None:
    texts, numbers = pa.array([], pa.string()), pa.array([], pa.float64())
    frame = make(pa.table({"query": texts, "document": texts, "score": numbers, "grade": numbers}))
    assert LabelCounts.of(frame, "query", "document").matrix().counts.shape == (0, 0)
    assert np.isnan(roc_auc(ScoreCounts.of(frame, "query", "score", "x").scored()))
    assert np.isnan(find("RMSE")(EstimateSums.of(frame, "score", "grade")))
    hits = JudgedHits.of(frame, frame)
    assert (len(hits.lists), hits.left_out, hits.systems) == (0, 0, ())


def test_a_document_that_stands_twice_is_refused(make) -> None:
    run = make(pa.table({"query": ["q", "q"], "document": ["ä", "ä"], "score": [1.0, 0.5]}))
    truth = make(pa.table({"query": ["q"], "document": ["b"], "grade": [1]}))
    with pytest.raises(ReadProblem, match='Document "ä" is retrieved twice for query "q"'):
        JudgedHits.of(run, truth)
    twice = make(pa.table({"query": ["q", "q"], "document": ["b", "b"], "grade": [1, 2]}))
    with pytest.raises(ReadProblem, match='Document "b" is judged twice'):
        judgments_of(twice)
