"""A data set made of a summary gives the numbers of the rows, with their intervals."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from evalcore import METRICS, find
from evalcore.analyses import ErrorSettings, EstimateRows, Regression, Source, cloud_of, compare_systems
from evalcore.classification import ConfusionCounts, accuracy, roc_auc
from evalcore.engines import EstimateSums, auc_bounds, datasets, summary_dataset
from evalcore.engines import scores as score_keys
from evalcore.engines.scores import ScoreCounts
from evalcore.inference import Interval, delong, wilson
from evalcore.inference.base.resampling import effective_share_counts
from evalcore.numeric import effective_rows
from evalcore.readers import DataSet, ReadProblem, roles_of
from evalcore.wording import number_text
from tests.words import sentence_with

N = 3000


@pytest.fixture(scope="module")
def table() -> pa.Table:
    random = np.random.default_rng(5)
    ill = random.random(N) < 0.3
    return pa.table(
        {
            "ill": pa.array(np.where(ill, "ja", "nein"), mask=random.random(N) < 0.01),
            "score": np.round(random.beta(2 + ill, 3), 5),
            "predicted": np.where(ill ^ (random.random(N) < 0.2), "ja", "nein"),
            "rows": random.choice(["north", "süd"], N),
            "other": np.where(ill ^ (random.random(N) < 0.25), "ja", "nein"),
            "patient": pa.array(random.integers(0, 300, N), mask=random.random(N) < 0.02),
            "times": random.integers(0, 4, N),
            "importance": pa.array(random.gamma(2, 1, N), mask=random.random(N) < 0.02),
        }
    )


SCORES = roles_of(actual="ill", score=("score",), positive="ja", group="rows")
LABELS = roles_of(actual="ill", predicted=("predicted",), positive="ja", group="rows")


def ends(interval: Interval) -> list[float]:
    return [float(one) for one in interval.ends]


def complete_weights(table: pa.Table) -> np.ndarray:
    """The weights of the rows that have a label."""
    frame = table.to_pandas()
    return frame["importance"][frame["ill"].notna() & frame["importance"].notna()].to_numpy()


def accuracy_interval(counts: ConfusionCounts) -> list[float]:
    return ends(wilson(*effective_share_counts(METRICS["accuracy"], counts)))


def test_scores_have_the_areas_and_intervals_of_the_rows(table: pa.Table) -> None:
    data, whole = summary_dataset(table, SCORES), DataSet.of(table.to_pandas(), roles=SCORES)
    ours, theirs = data.scored(), whole.scored()
    assert ours.steps.tp.tolist() == theirs.steps.tp.tolist()
    assert roc_auc(ours) == roc_auc(theirs)
    intervals = [delong(state) for state in (ours, theirs)]
    assert intervals[0].low == pytest.approx(intervals[1].low, rel=1e-12)
    assert data.tally() == (theirs.positives + theirs.negatives, theirs.positives)
    assert data.roles.weight == "rows (2)"
    assert f"and {whole.left_out()} without a label" in data.findings[0].sentence


def test_bins_stand_where_their_counts_are_exact(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    data, whole = summary_dataset(table, SCORES), DataSet.of(table.to_pandas(), roles=SCORES).scored()
    thresholds = data.scored().thresholds()
    assert len(thresholds) < len(whole.thresholds())
    assert data.scored().counts_at(thresholds).tp.tolist() == whole.counts_at(thresholds).tp.tolist()
    bounds = auc_bounds(ScoreCounts.of(table, "ill", "score", "ja"))
    assert bounds.low <= roc_auc(whole) <= bounds.high
    assert f"between {bounds.low:.6f} and {bounds.high:.6f}" in data.findings[0].sentence


def test_labels_have_the_matrix_and_intervals_of_the_rows(table: pa.Table) -> None:
    data, whole = summary_dataset(table, LABELS), DataSet.of(table.to_pandas(), roles=LABELS)
    assert data.matrix().counts.tolist() == whole.matrix().counts.tolist()
    shares = [one.matrix().right() for one in (data, whole)]
    assert accuracy(shares[0]) == accuracy(shares[1])
    assert len(data) == 8


@pytest.mark.parametrize(
    "beside", [{"cluster": "patient"}, {"cluster": "patient", "weight": "times"}, {"weight": "times"}]
)
def test_rows_that_belong_together_or_count_several_times(table: pa.Table, beside: dict[str, str]) -> None:
    if len(beside) == 2:
        table = table.filter(pc.is_valid(table["patient"]))
    roles = replace(SCORES, **beside)
    ours, theirs = (one.scored() for one in (summary_dataset(table, roles), DataSet.of(table.to_pandas(), roles=roles)))
    assert accuracy_interval(ours.counts_at(0.4)) == pytest.approx(accuracy_interval(theirs.counts_at(0.4)), rel=1e-12)
    assert ends(delong(ours)) == pytest.approx(ends(delong(theirs)), rel=1e-9)
    roles = replace(LABELS, **beside)
    data, whole = summary_dataset(table, roles), DataSet.of(table.to_pandas(), roles=roles)
    ours, theirs = (accuracy_interval(one.matrix().right()) for one in (data, whole))
    assert ours == pytest.approx(theirs, rel=1e-12)
    assert data.tally()[0] == whole.matrix().counts.sum()


def test_many_rows_that_belong_together_stay_counted(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    roles = replace(LABELS, cluster="patient", group=None)
    exact = accuracy_interval(summary_dataset(table, roles).matrix().right())
    monkeypatch.setattr(datasets, "MOST_ROWS", 2500)
    data = summary_dataset(table, roles)
    assert len(data) < 2500
    ours = accuracy_interval(data.matrix().right())
    assert ours[0] == pytest.approx(exact[0], rel=1e-12)
    assert ours == pytest.approx(exact, abs=2e-4)
    monkeypatch.setattr(datasets, "MOST_ROWS", 10)
    with pytest.raises(ReadProblem, match='have nothing in column "patient"'):
        summary_dataset(table, roles)


def test_two_systems_are_compared_on_the_same_rows(table: pa.Table) -> None:
    for beside in ({}, {"cluster": "patient"}):
        roles = replace(LABELS, predicted=("predicted", "other"), **beside)
        tables = summary_dataset(table, roles), DataSet.of(table.to_pandas(), roles=roles)
        ours, theirs = (compare_systems(Source.of(data), "predicted", "other").difference.test for data in tables)
        assert ends(ours.interval) == pytest.approx(ends(theirs.interval), rel=1e-9)
        assert ours.p_value == pytest.approx(theirs.p_value, rel=1e-9)


def test_importance_weights_stay_sums_of_weights_with_the_intervals_of_the_rows(table: pa.Table) -> None:
    roles = replace(LABELS, predicted=("predicted", "other"), weight="importance")
    data, whole = summary_dataset(table, roles), DataSet.of(table.to_pandas(), roles=roles)
    for system in ("predicted", "other"):
        matrices = [one.matrix(system) for one in (data, whole)]
        np.testing.assert_allclose(*(one.counts for one in matrices), rtol=1e-12)
        # Degrees of freedom also depend on how unequal the single weights are.
        assert accuracy_interval(matrices[0].right()) == pytest.approx(accuracy_interval(matrices[1].right()), rel=1e-4)
    assert data.findings[0].sentence.endswith('column "importance" adds up their weights.')
    ours, theirs = (compare_systems(Source.of(one), "predicted", "other").difference.test for one in (data, whole))
    assert [ours.estimate, *ends(ours.interval)] == pytest.approx([theirs.estimate, *ends(theirs.interval)], abs=2e-4)
    counts = [effective_rows(one.frame["importance"].dropna().to_numpy()) for one in (data, whole)]
    assert counts[0] == pytest.approx(effective_rows(complete_weights(table)), rel=1e-9)


@pytest.mark.parametrize("systems", [("score",), ("score", "rival")])
@pytest.mark.parametrize("few", [10**6, 0])
@pytest.mark.parametrize("unit", [None, "whole"])
def test_importance_weights_of_scores_stay_sums(
    table: pa.Table, monkeypatch: pytest.MonkeyPatch, systems: tuple[str, ...], few: int, unit: str | None
) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", few)
    random = np.random.default_rng(7)
    more = {"rival": random.random(N).round(4), "whole": random.integers(0, 200, N)}
    for name, values in more.items():
        table = table.append_column(name, pa.array(values))
    roles = replace(SCORES, score=systems, weight="importance", cluster=unit, group=None)
    data, whole = summary_dataset(table, roles), DataSet.of(table.to_pandas(), roles=roles)
    for system in systems:
        states = [one.scored(system) for one in (data, whole)]
        # Where scores stand in bins, counts are exact at the edges of these.
        cut = float(np.quantile(states[0].positive_scores, 0.4))
        counts = [state.counts_at(cut) for state in states]
        for cell in ("tp", "fp", "fn", "tn"):
            assert getattr(counts[0], cell) == pytest.approx(float(getattr(counts[1], cell)), rel=1e-9), cell
        assert accuracy_interval(counts[0]) == pytest.approx(accuracy_interval(counts[1]), rel=1e-4)
        areas = [delong(state) for state in states]
        assert ends(areas[0]) == pytest.approx(ends(areas[1]), abs=1e-4 if few else 2e-3)


def test_more_weighted_rows_than_are_written_out_are_said_to_tell_less(
    table: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles = replace(LABELS, weight="importance")
    exact = summary_dataset(table, roles)
    monkeypatch.setattr(datasets, "MOST_ROWS", 500)
    fewer = summary_dataset(table, roles)
    assert len(fewer) < 520
    np.testing.assert_allclose(fewer.matrix().counts, exact.matrix().counts, rtol=1e-12)
    wide, narrow = (np.diff(accuracy_interval(one.matrix().right()))[-1] for one in (fewer, exact))
    assert narrow < wide < 3 * narrow
    assert sentence_with(fewer.findings[0].sentence, "wider")


def test_weights_that_are_none_are_refused(table: pa.Table) -> None:
    roles = replace(LABELS, weight="importance")
    wrong = table.append_column("negative", pc.negate(table["importance"]))
    with pytest.raises(ReadProblem, match='"negative"'):
        summary_dataset(wrong, replace(LABELS, weight="negative"))
    with pytest.raises(ReadProblem, match="belong to"):
        summary_dataset(table, replace(roles, cluster="patient"))


def test_estimates_are_counted_in_cells() -> None:
    random = np.random.default_rng(6)
    truth = np.where(random.random(N) < 0.1, 0.0, 20 + random.normal(0, 8, N))
    rows = {"truth": truth, "estimate": truth + random.standard_t(4, N), "site": random.choice(["a", "b"], N)}
    rows["estimate"][:3] = np.nan, np.inf, 1e9
    table, roles = pa.table(rows), roles_of(truth="truth", estimate=("estimate",), group="site")
    data, whole = summary_dataset(table, roles), DataSet.of(table.to_pandas(), roles=roles).estimates()
    ours, width = data.estimates(), float(data.findings[0].sentence.split("more than ")[1].split(",")[0])
    assert 0.01 < width < 0.03
    assert len(data) < N
    assert ours.total == whole.total == data.tally()[0]
    cloud = cloud_of(EstimateRows.of(Source.of(data)), "error")
    assert cloud is not None
    assert cloud.density.sum() == whole.total
    for name in ("MAE", "RMSE", "max", "Median absolute error"):
        assert find(name)(ours) == pytest.approx(find(name)(whole), rel=1e-3), name
    assert find("ME")(ours) == pytest.approx(find("ME")(whole), rel=1e-12)
    assert np.isnan(find("MAPE")(ours)) == np.isnan(find("MAPE")(whole))
    sums = EstimateSums.of(table, "truth", "estimate")
    assert f"RMSE {number_text(find('RMSE')(sums), 6)}" in data.findings[0].sentence
    assert Regression(EstimateRows.of(Source.of(data)), ErrorSettings()).verdict.startswith("**Off by")
    ratings = pa.table({"truth": [1, 2, 3, 4] * 50, "estimate": [1.1, 2.3, 3.0, 4.7] * 50})
    exact = summary_dataset(ratings, roles_of(truth="truth", estimate=("estimate",))).estimates()
    assert (exact.truth.tolist(), exact.estimate.tolist()) == ([1, 2, 3, 4], [1.1, 2.3, 3.0, 4.7])


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        (roles_of(actual="ill", score=("score",)), "Choose which label"),
        (roles_of(query="ill", document="rows", grade="score", rank="times"), r"run \+ judgments cannot"),
        (roles_of(truth="score", estimate=("score",), weight="times"), "need the rows themselves"),
    ],
)
def test_other_roles_are_refused(table: pa.Table, roles, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        summary_dataset(table, roles)
