"""Few heavy clusters among many light ones: intervals and promises hold in samples, or warn, or are withheld."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from evalcore import METRICS, find
from evalcore.analyses import ErrorGroups, EstimateRows, Source, Tolerance
from evalcore.analyses.compare.system_comparison import compare_systems
from evalcore.analyses.data.measure_table import interval_text
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.documents.numbers import numbers_of
from evalcore.analyses.threshold.promise import promise_limits
from evalcore.classification import ClusterCounts, ConfusionCounts, ScoredLabels, measure_goal, roc_auc
from evalcore.classification.binary.clusters import cluster_codes, degrees_of_sizes, few_heavy_sizes
from evalcore.estimation import Estimates
from evalcore.inference import (
    Comparison,
    IntervalChoice,
    PairedCounts,
    bootstrap_score_differences,
    bootstrap_scores,
    clustered_test,
    compare_auc,
    compare_estimates,
    compare_independent_auc,
    delong,
    effective_shares,
    estimate_interval,
    independent_differences,
    independent_score_differences,
    limits_of_agreement,
    losses_of,
    mean_of_rows,
    paired_differences,
    paired_t,
    promised_thresholds,
    share_of_rows,
)
from evalcore.inference.base import comparison as comparison_module
from evalcore.inference.base.clustered import (
    cautious_area_variance,
    clustered_area_variance,
    error_of_mean,
    linear_variance,
    placement_jackknife,
)
from evalcore.inference.base.intervals import FEW_HEAVY as FEW_HEAVY_NOTE
from evalcore.inference.base.intervals import log_slopes
from evalcore.inference.paired.areas import area_exchange
from evalcore.readers import DataSet, reassigned, roles_of
from tests.inference.paired.test_clustered import bell_mccaffrey
from tests.inference.test_limit_tests import limit
from tests.words import sentence_with

FEW_HEAVY = [1] * 18 + [60, 100]
CUT, APART, CORRELATION = 1.0, 2.0, 0.8


def drawn(seed: int, clusters: int = 60) -> ScoredLabels:
    """Rows of clusters of such sizes: prevalences vary by cluster, and scores share a normal effect."""
    random = np.random.default_rng([3, seed])
    codes = np.repeat(np.arange(clusters), random.choice(FEW_HEAVY, clusters))
    labels = random.random(len(codes)) < random.beta(0.6, 1.4, clusters)[codes]
    noise = math.sqrt(1 - CORRELATION) * random.normal(size=len(codes))
    scores = APART * labels + math.sqrt(CORRELATION) * random.normal(size=clusters)[codes] + noise
    return ScoredLabels.from_arrays(labels, scores, clusters=codes)


def test_resampled_measures_warn_where_the_area_still_holds() -> None:
    """Sizes of which average precision holds in 87 to 90 % of samples, and the area in 95 %."""
    codes = np.repeat(np.arange(200), [*[1] * 150, *[15, 20, 30, 40, 60] * 10])
    labels, scores = np.arange(len(codes)) % 3 == 0, np.sin(np.arange(len(codes)))
    scored = ScoredLabels.from_arrays(labels, scores + labels, clusters=codes)
    (interval,) = bootstrap_scores([find("AP")], scored, resamples=20)
    assert (interval.few_heavy, delong(scored).few_heavy) == (True, False)


def rows_of(scored: ScoredLabels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores and clusters."""
    labels = np.arange(len(scored.positive_scores) + len(scored.negative_scores)) < len(scored.positive_scores)
    codes = np.r_[np.asarray(scored.positive_clusters), np.asarray(scored.negative_clusters)]
    return labels, np.r_[scored.positive_scores, scored.negative_scores], codes


@pytest.fixture(scope="module")
def samples() -> list[ScoredLabels]:
    return [drawn(seed) for seed in range(200)]


@pytest.mark.parametrize("key", ["recall", "specificity", "accuracy"])
def test_intervals_of_few_heavy_clusters_hold_the_true_share(samples: list[ScoredLabels], key: str) -> None:
    """78 to 84 % of samples before sizes were looked at; 200 samples tell that from 95 %."""
    true, held, warned = float(ndtr(APART - CUT)), [], []
    for scored in samples:
        interval, _ = IntervalChoice().of(METRICS[key], scored.counts_at(CUT)) or pytest.fail(key)
        held.append(float(interval.low) <= true <= float(interval.high))
        warned.append(bool(interval.few_heavy))
    assert np.mean(held) >= 0.9
    assert np.mean(warned) > 0.9


def test_areas_of_few_heavy_clusters_hold_and_warn(samples: list[ScoredLabels]) -> None:
    """84 % by the sum of squares around the area, which a heavy cluster pulls towards itself."""
    true = float(ndtr(APART / math.sqrt(2)))
    intervals = [delong(scored) for scored in samples]
    assert np.mean([float(one.low) <= true <= float(one.high) for one in intervals]) >= 0.93
    assert np.mean([one.few_heavy for one in intervals]) >= 0.97
    gini = IntervalChoice().of_linear_area(find("Gini"), samples[0])
    assert gini.few_heavy
    assert gini.low == pytest.approx(2 * intervals[0].low - 1)


@pytest.mark.parametrize("higher", [True, False])
def test_the_jackknife_of_an_area_leaves_out_each_cluster_once(samples: list[ScoredLabels], higher: bool) -> None:
    labels, values, codes = rows_of(samples[2])
    values = values.round(1)  # with ties
    scored = ScoredLabels.from_arrays(labels, values, clusters=codes, higher_is_positive=higher)
    area = roc_auc(scored)
    without = [
        roc_auc(ScoredLabels.from_arrays(labels[codes != one], values[codes != one], higher_is_positive=higher))
        for one in np.unique(codes)
    ]
    logits = np.log(np.array(without) / (1 - np.array(without)))
    expected = np.square(logits - logits.mean()).sum() * (len(logits) - 1) / len(logits) * (area * (1 - area)) ** 2
    assert placement_jackknife(scored, area) == pytest.approx(float(expected), rel=1e-9)


def test_clusters_of_one_size_keep_the_variance_of_their_placements() -> None:
    """Both classes alike in every cluster: equal to the last digit that is certain, whatever the scores are."""
    for seed in range(20):
        random = np.random.default_rng([8, seed])
        clusters, own, others = random.integers(5, 40), random.integers(1, 6), random.integers(1, 6)
        labels = np.tile(np.arange(own + others) < own, clusters)
        codes = np.repeat(np.arange(clusters), own + others)
        scores = labels + random.normal(size=clusters)[codes] + random.normal(size=len(codes))
        scored = ScoredLabels.from_arrays(labels, scores, clusters=codes)
        area = roc_auc(scored)
        assert cautious_area_variance(scored, area) == clustered_area_variance(scored, area)
        assert not delong(scored).few_heavy


@pytest.mark.parametrize("which", range(3))
def test_differences_of_few_heavy_clusters_warn(
    samples: list[ScoredLabels], which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison_module, "DRAWS", 100)
    labels, values, codes = rows_of(samples[which])
    other = values + np.sin(7 * values)
    measures = [find(name) for name in ("recall", "precision", "LR+", "F1")]

    def compared(units: np.ndarray) -> list[Comparison]:
        paired = PairedCounts.from_labels(labels, values >= CUT, other >= CUT, clusters=units)
        a, b = (ScoredLabels.from_arrays(labels, one, clusters=units) for one in (values, other))
        return [
            compare_auc(labels, values, other, clusters=units),
            *paired_differences(measures, paired, resamples=50),
            *bootstrap_score_differences([find("AP")], labels, values, other, clusters=units, resamples=20),
            compare_independent_auc(a, b),
            *independent_score_differences([find("AP")], a, b, resamples=20),
            *independent_differences([find("recall")], a.counts_at(CUT), b.counts_at(CUT)),
        ]

    assert all("Few clusters hold most" in one.interval.caution for one in compared(codes))
    even = np.arange(len(codes)) % (len(codes) // 5)
    assert not any(one.interval.caution for one in compared(even))


def test_promises_of_few_heavy_clusters_are_withheld_and_not_broken(samples: list[ScoredLabels]) -> None:
    """One in seven was broken before: promised where the recall of the population is below the limit."""
    kept = APART - 0.8416212335729143  # the threshold at which the recall of the population is 0.8
    promises = [promised_thresholds(scored, [limit("recall", 0.8)]) for scored in samples[:100]]
    broken = [(one.table.thresholds[one.rows] > kept).any() for one in promises]
    assert np.mean(broken) <= 0.05
    assert np.mean([one.withheld.all() for one in promises]) > 0.9
    assert not any((one.holds & one.withheld).any() for one in promises)


def test_degrees_that_sizes_leave_are_those_of_the_whole_covariance(samples: list[ScoredLabels]) -> None:
    counts = samples[0].counts_at([-1.0, 0.5, 1.0, 1.5, 3.0, 4.0])
    moments = counts.moments
    assert moments is not None
    for below in ([1, 0, 1, 0], [1, 1, 0, 0], [1, 1, 1, 1]):
        degrees, shares = moments.size_degrees(below), moments.mean_share([1, 0, 0, 0], below)
        for index in range(6):
            cells = counts[index].clusters.cells
            sizes = cells @ np.array(below)
            held = sizes > 0
            expected = max(bell_mccaffrey(sizes[held].tolist()), 1.0)
            assert float(degrees[index]) == pytest.approx(expected, rel=1e-9)
            assert degrees_of_sizes(sizes) == pytest.approx(expected, rel=1e-9)
            assert float(shares[index]) == pytest.approx(float((cells[held, 0] / sizes[held]).mean()), rel=1e-9)
    assert few_heavy_sizes(np.array([1.0] * 54 + [60] * 3 + [100] * 3))
    for sizes in ([30.0] * 4, [5.0, 9, 14, 7, 6, 12], [1.0] * 60):
        assert not few_heavy_sizes(np.array(sizes))


def test_light_clusters_show_that_heavy_ones_agree_by_chance() -> None:
    """Six heavy clusters find all, 16 of 54 light ones nothing: the variance is taken around a centre between both."""
    cells = np.zeros((60, 4))
    cells[:6, 0], cells[6:44, 0], cells[44:, 2] = [60, 60, 60, 100, 100, 100], 1, 1
    moments, hits, n = ClusterCounts(cells).moments, np.asarray(518.0), np.asarray(534.0)
    _, effective, _ = effective_shares(moments, [1, 0, 0, 0], [1, 0, 1, 0], hits, n)
    share, mean = 518 / 534, 44 / 60
    centre = share - math.sqrt((share - mean) ** 2 - mean * (1 - mean) / 60)
    sizes = cells[:, 0] + cells[:, 2]
    around = float(np.square(cells[:, 0] - centre * sizes).sum())
    # The sizes differ so much that the degrees are those that they leave.
    wider = float(np.square(2.776 / 1.96))
    assert 4 < bell_mccaffrey(sizes.tolist()) < 4.6
    assert float(effective) == pytest.approx(centre * (1 - centre) * 534**2 / around / wider, rel=0.05)
    # Clusters of one size are taken as they are.
    cells[:6, 0] = 1
    _, alike, _ = effective_shares(
        ClusterCounts(cells).moments, [1, 0, 0, 0], [1, 0, 1, 0], np.asarray(44.0), n * 0 + 60
    )
    assert 54 < float(alike) <= 60


def test_all_that_takes_clusters_has_the_degrees_that_their_sizes_leave(samples: list[ScoredLabels]) -> None:
    scored = samples[1]
    positives = np.bincount(np.asarray(scored.positive_clusters), minlength=60)
    left = bell_mccaffrey([float(size) for size in positives if size])
    assert left < 5
    _, degrees = clustered_area_variance(scored, 0.9)
    counts = scored.counts_at(CUT)
    slopes = np.array([float(one) for one in log_slopes(find("LR+"), counts).values()])
    assert degrees < 10
    assert float(linear_variance(counts.moments, slopes)[1]) < 10
    sums = np.r_[np.linspace(-1, 1, 54), 3, -3, 4, -4, 2, -2]
    sizes = np.r_[np.ones(54), 60, 60, 60, 100, 100, 100]
    error, degrees = error_of_mean(sums, sizes)
    assert error == pytest.approx(math.sqrt(float(sums @ sums) * 60 / 59) / 534)
    assert degrees == pytest.approx(bell_mccaffrey(sizes.tolist()))
    assert error_of_mean(sums, np.full(60, 9.0))[1] == 59
    assert delong(scored).few_heavy
    # The bootstrap widens as a t distribution of so few degrees.
    labels, scores, codes = rows_of(scored)
    (own,) = bootstrap_scores([find("AP")], scored, resamples=300)
    assert own.high - own.low > 0.1
    # Two areas are then compared by exchanging whole clusters.
    assert area_exchange(labels, scores, scores + 0.1 * labels, cluster_codes(codes, len(codes))) is not None
    assert compare_auc(labels, scores, scores + np.sin(7 * scores), clusters=codes).p_value > 0


def table(sizes: list[int], systems: int = 1) -> DataSet:
    random = np.random.default_rng(2)
    patient = np.repeat(np.arange(len(sizes)), sizes)
    y = random.random(len(patient)) < 0.4
    frame = pd.DataFrame(
        {"patient": patient, "y": y.astype(int), "score": (2.0 * y + random.normal(size=len(y))).round(2)}
    )
    for system in range(1, systems):
        frame[f"score_{system}"] = (frame["score"] + random.normal(size=len(y))).round(2)
    data = DataSet.of(frame)
    return data.with_roles(reassigned(data.roles, "cluster", "patient", data.frame))


def test_pages_warn_and_withhold_the_promise_with_its_reason() -> None:
    heavy, even = table([1] * 54 + [60] * 3 + [100] * 3), table([9] * 60)
    (finding,) = [one for one in heavy.findings if one.code == "few heavy clusters"]
    assert finding.level == "warning"
    assert sentence_with(finding.sentence, "60", "6")
    assert not [one for one in even.findings if one.code == "few heavy clusters"]
    goal = measure_goal(find("precision")).within(limit("recall", 0.5))
    for data, withheld in ((heavy, True), (even, False)):
        source = Source.of(data)
        assert bool([line for line in source.warning_lines("classify/threshold") if "hold most" in line]) == withheld
        scores = Scores.of(source, "score")
        promise = promise_limits(scores, goal)
        verdict = promise.verdict(goal.choose(scores.table))
        assert (promise.choice is None) == withheld
        assert ("Few patients hold most" in verdict) == withheld
        assert "no margin" not in verdict
        counts = scores.counts_at(1.0)
        assert ("few heavy clusters" in interval_text(METRICS["recall"], counts, IntervalChoice())[1]) == withheld
        entries = numbers_of(data)["systems"][0]["measures"]
        assert ["Few clusters" in entries[key].get("note", "") for key in ("recall", "gini")] == [withheld] * 2
        assert (float(losses_of(limit("recall", 0.2))[0].p_values(counts)) == 1) == withheld


def test_a_single_row_in_each_cluster_is_not_heavy() -> None:
    random = np.random.default_rng(4)
    labels, scores = random.random(90) < 0.4, random.normal(size=90)
    alone = ScoredLabels.from_arrays(labels, scores + labels, clusters=np.arange(90)).counts_at(0.5)
    interval, n = IntervalChoice().of(METRICS["recall"], alone) or pytest.fail("no interval")
    assert not interval.few_heavy
    assert 0.85 * n < float(interval.effective) <= n
    assert IntervalChoice().of_shares(METRICS["recall"], ConfusionCounts([3.0], [1], [2], [4]))[0].few_heavy is None


def test_a_comparison_on_pages_and_in_the_report_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_module, "DRAWS", 100)
    for sizes, warned in (([1] * 54 + [60] * 3 + [100] * 3, True), ([9] * 60, False)):
        comparison = compare_systems(Source.of(table(sizes, systems=2)))
        notes = comparison.coverage_note(comparison.measure), comparison.measures_note, comparison.areas_note
        assert [FEW_HEAVY_NOTE in note for note in notes] == [warned] * 3
        assert (FEW_HEAVY_NOTE in str(comparison.table.get("note"))) == warned
        assert comparison.areas_note.count(FEW_HEAVY_NOTE) == warned


def test_intervals_of_numbers_of_few_heavy_clusters_warn() -> None:
    """Correlations hold in 84 % of such samples, RMSE in 88 %, means of skewed values in 85 %."""
    random = np.random.default_rng(5)
    codes = np.repeat(np.arange(60), random.choice(FEW_HEAVY, 60))
    truth, noise = random.normal(size=(2, len(codes)))
    error = 0.9 * random.normal(size=60)[codes] + 0.4 * noise

    def cautions(units: np.ndarray) -> set[str]:
        a, b = (Estimates.from_arrays(truth, truth + one, clusters=units) for one in (error, error[::-1]))
        limits = limits_of_agreement(a)
        each = [estimate_interval(find(name), a) for name in ("MAE", "RMSE", "R²", "Pearson correlation")]
        each += [limits.bias, limits.lower, limits.upper, mean_of_rows(np.exp(error), a), share_of_rows(error > 0, a)]
        each += [compare_estimates(find(name), a, b).interval for name in ("MAE", "RMSE")]
        each += [clustered_test(paired_t, 0 * error, np.exp(error), units).interval]
        return {one.caution for one in each}

    assert cautions(codes) == {FEW_HEAVY_NOTE}
    assert cautions(np.arange(len(codes)) // 6) == {""}


def test_groups_of_errors_and_tolerances_warn() -> None:
    random = np.random.default_rng(5)
    codes = np.repeat(np.arange(60), random.choice(FEW_HEAVY, 60))
    truth, noise = random.normal(10, 1, len(codes)), random.normal(size=60)[codes]
    for units, warned in ((codes, True), (np.arange(len(codes)) // 6, False)):
        frame = pd.DataFrame({"y": truth, "p": truth + noise, "case": units, "site": np.where(codes < 2, "a", "b")})
        roles = roles_of(truth="y", estimate=("p",), cluster="case", group="site")
        rows = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles)))
        assert (FEW_HEAVY_NOTE in ErrorGroups(rows, 0.95).note) == warned
        assert (FEW_HEAVY_NOTE in Tolerance(rows, 1.0).verdict) == warned


def test_groups_of_errors_say_where_few_rows_decide() -> None:
    random = np.random.default_rng(6)
    site = np.repeat(["a", "b"], 200)
    truth = np.where(site == "a", random.lognormal(size=400), random.normal(size=400))
    error = np.where(site == "a", 0.3 * truth, 0.3) * random.normal(size=400)
    frame = pd.DataFrame({"y": truth, "p": truth + error, "site": site})
    roles = roles_of(truth="y", estimate=("p",), group="site")
    note = ErrorGroups(EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles))), 0.95).note
    assert sentence_with(note, "may be too narrow")
