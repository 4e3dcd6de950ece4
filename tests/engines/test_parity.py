"""Every state from every engine beside numpy, on rows that engines treat in different ways."""

import numpy as np
import pyarrow as pa
import pyarrow.compute
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
    estimate_dataset,
    judgments_of,
    ranking_dataset,
    threshold_calls,
)
from evalcore.engines import scores as score_keys
from evalcore.estimation import Estimates
from evalcore.inference import PairedClasses, estimate_interval
from evalcore.readers import ReadProblem, roles_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of the engines, which speak of their own future

N = 400


def missing(values: np.ndarray, rows: np.ndarray) -> pa.Array:
    """A column whose values are missing in some rows."""
    return pa.array(values, mask=rows)


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
    of_group = counts.of_group("Süd").scored()
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
    calls = threshold_calls(frame, "ill", {"score": threshold}, 1, higher_is_positive=higher)
    called = {name: sums[calls.keys["call 0"] == 1].sum() for name, sums in calls.sums.items()}
    assert called["positives"] == expected.counts_at(threshold).tp
    assert called["count"] - called["positives"] == expected.counts_at(threshold).fp


def test_scores_by_unit(make, rows) -> None:
    table, used, scores = scored_rows(rows)
    counts = ScoreCounts.of(make(table), "ill", "score", 1, unit="unit")
    units = np.where(rows["none"][:, 2], 1000 + np.arange(N), rows["unit"])[used]
    ours, theirs = counts.scored(), ScoredLabels.from_arrays(rows["ill"][used], scores[used], 1, clusters=units)
    cells = [sorted(state.counts_at(0.4).clusters.cells.tolist()) for state in (ours, theirs)]
    assert cells[0] == [row for row in cells[1] if any(row)]


def test_weights_are_added_up_by_group_and_unit(make, rows) -> None:
    table, used, scores = scored_rows(rows)
    weights = np.random.default_rng(5).gamma(2, 1, N)
    weights[:9], weights[9:12] = 0.0, np.nan
    predicted = rows["a"] == rows["b"]
    table = table.append_column("weight", missing(weights, rows["none"][:, 3]))
    frame = make(table.append_column("predicted", pa.array(predicted.astype(int))))
    weighted = ~np.isnan(weights) & ~rows["none"][:, 3]
    counts = ScoreCounts.of(frame, "ill", "score", 1, group="group", weight="weight")
    assert counts.left_out["no weight"] == np.count_nonzero(~weighted)
    used &= weighted
    for group in counts.groups:
        part = used & (rows["group"] == group)
        ours, theirs = (
            counts.of_group(group).scored(),
            ScoredLabels.from_arrays(rows["ill"][part], scores[part], 1, weights=weights[part]),
        )
        assert roc_auc(ours) == pytest.approx(roc_auc(theirs), rel=1e-12)
        assert ours.positives == pytest.approx(theirs.positives, rel=1e-12)
    with_unit = table.filter(pa.compute.is_valid(table["unit"]))
    part = used & ~rows["none"][:, 2]
    ours = ScoreCounts.of(make(with_unit), "ill", "score", 1, unit="unit", weight="weight").scored()
    beside = {"weights": weights[part], "clusters": rows["unit"][part]}
    theirs = ScoredLabels.from_arrays(rows["ill"][part], scores[part], 1, **beside)
    cells = [np.sort(state.counts_at(0.4).clusters.cells, axis=0) for state in (ours, theirs)]
    np.testing.assert_allclose(cells[0], cells[1][-len(cells[0]) :], rtol=1e-12, atol=1e-12)

    complete = ~rows["none"][:, 0] & weighted
    labels = LabelCounts.of(frame, "ill", "predicted", group="group", weight="weight")
    assert labels.left_out == np.count_nonzero(~complete)
    pairs = rows["ill"][complete], predicted[complete].astype(int)
    expected = ConfusionMatrix.from_labels(*pairs, weights=weights[complete])
    np.testing.assert_allclose(labels.matrix().counts, expected.counts, rtol=1e-12)
    assert labels.effective == pytest.approx(weights[complete].sum() ** 2 / np.square(weights[complete]).sum())


def test_bins_by_group_and_unit_stand_at_one_score(make, rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    table, used, scores = scored_rows(rows)
    frame = make(table)
    counts = ScoreCounts.of(frame, "ill", "score", 1, bits=4, group="group")
    for group in counts.groups:
        part = used & (rows["group"] == group)
        whole = ScoredLabels.from_arrays(rows["ill"][part], scores[part], 1)
        at = counts.of_group(group).scored().table()
        assert at.counts.tp.tolist() == whole.counts_at(at.thresholds).tp.tolist()
    units = np.where(rows["none"][:, 2], 1000 + np.arange(N), rows["unit"])[used]
    state = ScoreCounts.of(frame, "ill", "score", 1, bits=4, unit="unit").scored()
    whole = ScoredLabels.from_arrays(rows["ill"][used], scores[used], 1, clusters=units)
    threshold = float(state.thresholds()[len(state.thresholds()) // 2])
    cells = [sorted(one.counts_at(threshold).clusters.cells.tolist()) for one in (state, whole)]
    assert cells[0] == [row for row in cells[1] if any(row)]


def test_cells_of_estimates(make, rows) -> None:
    truth = np.where(rows["none"][:, 1], 0.0, 100 + np.round(rows["score"] * 20, 1))
    estimate = truth + rows["score"] ** 2 - 0.2
    columns = {"truth": missing(truth, rows["none"][:, 0]), "estimate": estimate, "group": rows["group"]}
    roles = roles_of(truth="truth", estimate=("estimate",), group="group")
    data, whole = (estimate_dataset(one, roles) for one in (make(pa.table(columns)), pa.table(columns)))
    cells = [data.frame.sort_values(["truth", "estimate", "group"]).reset_index(drop=True) for data in (data, whole)]
    assert cells[0]["rows"].tolist() == cells[1]["rows"].tolist()
    np.testing.assert_allclose(cells[0][["truth", "estimate"]], cells[1][["truth", "estimate"]], rtol=1e-12)
    used = ~rows["none"][:, 0]
    assert find("ME")(data.estimates()) == pytest.approx((estimate - truth)[used].mean(), rel=1e-9)


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
    weighted = ScoreCounts.of(frame, "query", "score", "x", weight="grade")
    assert (weighted.rows, weighted.left_out) == (0.0, {})
    assert len(estimate_dataset(frame, roles_of(truth="score", estimate=("grade",)))) == 0
    with pytest.raises(ReadProblem, match="no rows"):
        ranking_dataset(hits, judgments_of(frame))
