"""Thresholds promised to keep limits: by hand, by a slow oracle, and what must hold of any promise."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts, Limit, NoThreshold, ScoredLabels, measure_goal
from evalcore.inference import Promise, choose_promised, fallback, promised_thresholds, rank_grid
from tests.inference.test_limit_tests import limit

RECALL, PRECISION, FALSE_ALARMS = limit("recall", 0.8), limit("precision", 0.7), limit("FPR", 0.3)


def drawn(rows: int, seed: int = 5, **options: object) -> ScoredLabels:
    random = np.random.default_rng(seed)
    labels = random.random(rows) < 0.4
    return ScoredLabels.from_arrays(labels, np.round(2 * labels + random.normal(size=rows), 2), **options)


def test_a_monotone_limit_ends_at_the_last_score_that_passes() -> None:
    scored = drawn(300)
    table = scored.table()
    p_values = binom.cdf(table.counts.fn, scored.positives, 1 - 0.8)
    passing = table.thresholds[p_values <= 0.05]
    promise = promised_thresholds(scored, [RECALL])
    assert promise.ranges.tolist() == [[-math.inf, passing.max()]]
    # Of two limits that are safe at opposite ends each has half of the error.
    both = promised_thresholds(scored, [RECALL, FALSE_ALARMS])
    assert both.error == pytest.approx(0.025)
    expected = (p_values <= 0.025) & (binom.cdf(table.counts.fp, scored.negatives, 0.3) <= 0.025)
    assert both.rows.tolist() == np.flatnonzero(expected).tolist()
    # At the same end they share it.
    assert promised_thresholds(scored, [RECALL, limit("miss rate", 0.3)]).error == pytest.approx(0.05)


def test_precision_starts_where_few_rows_are_enough_and_hands_the_error_on() -> None:
    scored = drawn(500)
    table = scored.table()
    flagged = table.counts.predicted_positives
    p_values = np.where(flagged > 0, binom.cdf(table.counts.fp, flagged, 1 - 0.7), 1.0)
    fewest = math.log(0.05 / 12) / math.log(0.7)
    starts = {int(np.flatnonzero(flagged >= fewest * 2**k)[0]) for k in range(13) if (flagged >= fewest * 2**k).any()}
    left, held = 0.0, []
    for row, p_value in enumerate(p_values):
        left += 0.05 / len(starts) if row in starts else 0.0
        held.append(p_value <= left)
        left = left if held[-1] else 0.0
    promise = promised_thresholds(scored, [PRECISION])
    assert promise.holds.tolist() == held
    assert 0 < sum(held) < len(held)


def test_the_fixed_sequence_and_its_starts_by_hand() -> None:
    assert fallback([0.01, 0.04, 0.06, 0.01], [0], 0.05).tolist() == [True, True, False, False]
    # Starts at the first and the third with 0.025 each: the error of the first comes along, or is lost.
    assert fallback([0.02, 0.02, 0.045, 0.05, 0.06], [0, 2], 0.05).tolist() == [True, True, True, True, False]
    assert fallback([0.02, 0.03, 0.045, 0.02], [0, 2], 0.05).tolist() == [True, False, False, False]
    assert fallback([0.02, 0.03, 0.02, 0.025], [0, 2], 0.05).tolist() == [True, False, True, True]
    assert fallback([], [], 0.05).tolist() == []


@pytest.mark.parametrize("limits", [[RECALL], [PRECISION], [RECALL, FALSE_ALARMS], [limit("NPV", 0.8), RECALL]])
def test_a_promise_lies_in_the_band_of_the_sample_and_narrows_with_the_level(limits: list[Limit]) -> None:
    scored = drawn(800)
    goal = measure_goal(find("F1")).within(*limits)
    met = np.flatnonzero(goal.allowed(scored.table().counts))
    sets = [set(promised_thresholds(scored, limits, level).rows.tolist()) for level in (0.8, 0.95, 0.99)]
    assert sets[2] <= sets[1] <= sets[0] <= set(met.tolist())
    assert len(sets[0]) > len(sets[2])
    # Each row twice: the same rates of twice as many.
    labels = np.repeat([True, False], [len(scored.positive_scores), len(scored.negative_scores)])
    scores = np.concatenate([scored.positive_scores, scored.negative_scores])
    twice = ScoredLabels.from_arrays(np.tile(labels, 2), np.tile(scores, 2))
    assert sets[1] <= set(promised_thresholds(twice, limits).rows.tolist())


def test_lower_scores_that_are_positive_mirror_the_promise() -> None:
    scored = drawn(600)
    labels = np.repeat([True, False], [len(scored.positive_scores), len(scored.negative_scores)])
    scores = np.concatenate([scored.positive_scores, scored.negative_scores])
    mirrored = ScoredLabels.from_arrays(labels, -scores, higher_is_positive=False)
    for limits in ([RECALL], [PRECISION], [RECALL, FALSE_ALARMS]):
        there, here = promised_thresholds(scored, limits), promised_thresholds(mirrored, limits)
        np.testing.assert_array_equal(here.ranges, -there.ranges[::-1, ::-1])
        goal = measure_goal(find("F1")).within(*limits)
        first, second = choose_promised(scored, goal), choose_promised(mirrored, goal)
        assert (first.threshold, first.low, first.high) == (-second.threshold, -second.high, -second.low)


def test_the_choice_is_the_best_of_what_is_promised_and_says_which_thresholds_are_the_same() -> None:
    scored = drawn(600)
    goal = measure_goal(find("precision")).within(RECALL)
    promise = promised_thresholds(scored, goal.limits)
    choice, table = promise.choose(goal), scored.table()
    values = np.asarray(METRICS["precision"](table.counts[promise.rows]))
    assert choice.value == values.max()
    row = table.index(choice.threshold)
    assert [choice.low, choice.high] == table.ranges(np.array([row]), np.array([row]))[0].tolist()
    assert choice.value <= goal.choose(table).value


@pytest.mark.parametrize(
    ("labels", "scores"),
    [([1] * 5 + [0] * 5, range(10, 0, -1)), ([0] * 40, range(40)), ([1, 0] * 30, [0.5] * 60), ([], [])],
    ids=["few rows", "one class", "equal scores", "no rows"],
)
def test_nothing_is_promised(labels: list[int], scores: list[float]) -> None:
    promise = promised_thresholds(
        ScoredLabels.from_arrays(labels, scores, positive=1), [RECALL, limit("precision", 0.9)]
    )
    assert not promise.holds.any()
    assert promise.ranges.shape == (0, 2)
    with pytest.raises(NoThreshold):
        promise.choose(measure_goal(find("F1")))


def test_limits_without_a_p_value_and_levels_that_are_none_are_refused() -> None:
    for limits in ([], [limit("MCC", 0.3)], [RECALL, limit("kappa", 0.3)]):
        with pytest.raises(ValueError, match="A promise needs limits"):
            promised_thresholds(drawn(50), limits)
    with pytest.raises(ValueError, match="confidence level"):
        promised_thresholds(drawn(50), [RECALL], 1.0)


def test_the_grid_looks_at_the_scores_alone_and_the_end_is_exact_between_its_rows() -> None:
    random = np.random.default_rng(2)
    labels, scores = random.random(20_000) < 0.3, random.normal(size=20_000)
    tables = [ScoredLabels.from_arrays(side, scores + labels).table() for side in (labels, ~labels)]
    grids = [table.thresholds[rank_grid(table)] for table in tables]
    np.testing.assert_array_equal(grids[0], grids[1])
    assert len(grids[0]) == 1001
    scored = ScoredLabels.from_arrays(labels, scores + labels)
    counts = scored.table().counts
    last = np.flatnonzero(binom.cdf(counts.fn, scored.positives, 1 - 0.8) <= 0.05)[0]
    promise = promised_thresholds(scored, [RECALL])
    assert promise.rows[0] == last
    assert len(promise.tested) <= 1003


@pytest.mark.parametrize("limits", [[RECALL], [PRECISION], [RECALL, FALSE_ALARMS]])
def test_one_row_in_each_cluster_is_no_cluster(limits: list[Limit]) -> None:
    rows = 500
    alone, plain = drawn(rows, clusters=np.arange(rows)), drawn(rows)
    first, second = (promised_thresholds(scored, limits) for scored in (alone, plain))
    np.testing.assert_array_equal(first.ranges, second.ranges)
    copies = np.repeat(np.arange(100), 5)
    random = np.random.default_rng(4)
    labels, scores = random.random(100) < 0.4, random.normal(size=100)
    of_copies = [
        ScoredLabels.from_arrays(labels[copies], (scores + 2 * labels)[copies], clusters=codes)
        for codes in (None, copies)
    ]
    first, second = (promised_thresholds(scored, limits).holds.sum() for scored in of_copies)
    assert second < first


def test_weights_have_no_unit_and_count_by_no_more_than_kish() -> None:
    random = np.random.default_rng(6)
    labels, weights = random.random(600) < 0.5, random.lognormal(0, 0.7, 600)
    scores = 2.5 * labels + random.normal(size=600)
    plain, heavy, light = (
        ScoredLabels.from_arrays(labels, scores, weights=unit * weights, clusters=np.arange(600))
        for unit in (1.0, 100.0, 0.01)
    )
    for limits in ([RECALL], [PRECISION]):
        ranges = promised_thresholds(plain, limits).ranges
        assert len(ranges)
        for other in (heavy, light):
            np.testing.assert_array_equal(promised_thresholds(other, limits).ranges, ranges)
    last = promised_thresholds(plain, [RECALL]).ranges[0, 1]
    counts, of_positives = plain.counts_at(last), weights[labels]
    kish = of_positives.sum() ** 2 / np.square(of_positives).sum()
    missed = float(counts.fn) / of_positives.sum()
    assert binom.cdf(math.floor(missed * kish), math.ceil(kish), 0.2) < 0.05


def test_a_promise_is_seldom_broken() -> None:
    """1 of 20 in the long run; `benchmarks.promises` draws 10,000."""
    random, broken, kept = np.random.default_rng(1), 0, 0
    for _ in range(200):
        labels = random.random(200) < 0.5
        scores = np.round(2 * labels + random.normal(size=200), 1)
        promise = promised_thresholds(ScoredLabels.from_arrays(labels, scores), [limit("recall", 0.8)])
        kept += promise.holds.any()
        # 80 % of all positives lie above 1.158, so that from 1.2 on recall is less.
        broken += promise.holds.any() and promise.table.thresholds[promise.rows].max() > 1.15
    assert kept == 200
    assert broken <= 20


def test_neighbours_that_are_promised_make_one_range() -> None:
    table = ScoredLabels.from_arrays([1, 0] * 3, [6, 5, 4, 3, 2, 1], positive=1).table()
    promise = Promise(
        table, (RECALL,), 0.95, np.arange(7), np.array([0, 1, 1, 0, 0, 1, 1], dtype=bool), 0.05, np.zeros(7, dtype=bool)
    )
    assert promise.ranges.tolist() == [[-math.inf, 2.0], [4.0, 6.0]]
    assert replace(promise, holds=np.zeros(7, dtype=bool)).ranges.shape == (0, 2)
    assert isinstance(promise.choose(measure_goal(find("F1"))).counts, ConfusionCounts)
