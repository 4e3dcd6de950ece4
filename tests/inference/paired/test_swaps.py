"""The exact test on pairs: what it agrees with, and that no measure is sure where a handful of rows decide."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts, ScoredLabels
from evalcore.inference import (
    PairedClasses,
    PairedCounts,
    bootstrap_score_differences,
    mcnemar_differences,
    paired_differences,
    swap_test,
    swap_test_of_scores,
)
from evalcore.inference.base.comparison import agreeing_interval, exact_mcnemar, swap_test_of_clusters
from evalcore.inference.base.intervals import Interval
from evalcore.inference.paired.classes import paired_matrix_differences
from evalcore.numeric import average_ranks
from evalcore.registry import measures_of
from tests.classification.small_inputs import thorough
from tests.words import sentence_with

CELLS = st.lists(st.integers(0, 4), min_size=8, max_size=8).map(lambda cells: np.reshape(cells, (2, 2, 2)))


@given(st.lists(st.sampled_from([-np.inf, -1.5, 0.0, -0.0, 2.0, 1e300]), min_size=1))
def test_ranks_are_those_of_scipy(values: list[float]) -> None:
    assert average_ranks(values).tolist() == rankdata(values).tolist()


def slow_test(measure, cells: np.ndarray) -> float:
    """Every way to exchange the two answers of every row, one after another."""
    rows = [key for key in product((0, 1), repeat=3) for _ in range(cells[key])]
    discordant = [index for index, (_, a, b) in enumerate(rows) if a != b]

    def difference(exchanged: tuple[int, ...]) -> float:
        values = []
        for side in (1, 2):
            counts = dict.fromkeys(("tp", "fp", "fn", "tn"), 0)
            for index, row in enumerate(rows):
                answer = row[3 - side] if index in exchanged else row[side]
                counts[("tn", "fp", "fn", "tp")[2 * row[0] + answer]] += 1
            values.append(float(measure(ConfusionCounts(**counts))))
        with np.errstate(invalid="ignore"):
            return float(np.subtract(values[1], values[0]))

    observed = difference(())
    if np.isnan(observed):
        return np.nan
    every = [
        difference(tuple(index for index, swapped in zip(discordant, bits, strict=True) if swapped))
        for bits in product((False, True), repeat=len(discordant))
    ]
    near = 1e-9 * abs(observed) if np.isfinite(observed) else 0
    return float(np.mean([np.isnan(one) or abs(one) >= abs(observed) - near for one in every]))


@pytest.mark.parametrize("name", ["recall", "precision", "F1", "MCC", "LR+", "balanced accuracy"])
def test_it_is_what_exchanging_row_by_row_gives(name: str) -> None:
    random = np.random.default_rng(4)
    for _ in range(6):
        cells = random.multinomial(9, np.full(8, 1 / 8)).reshape(2, 2, 2)
        assert swap_test(find(name), cells) == pytest.approx(slow_test(find(name), cells), nan_ok=True)


@thorough
@given(CELLS)
def test_of_a_share_of_the_same_rows_it_is_mcnemars_exact_test(cells: np.ndarray) -> None:
    for key in ("accuracy", "recall", "specificity"):
        both, only_a, only_b, neither = PairedCounts(cells.astype(float)).share(METRICS[key])
        expected = float(exact_mcnemar(only_a, only_b)) if both + only_a + only_b + neither else np.nan
        assert swap_test(METRICS[key], cells) == pytest.approx(expected, nan_ok=True)


@thorough
@given(CELLS)
def test_where_few_pairs_differ_nothing_is_surer_than_the_fewest_exchanges_allow(cells: np.ndarray) -> None:
    paired = PairedCounts(cells.astype(float))
    discordant = paired.n - paired.ties
    measures = [measure for measure in measures_of("counts") if measure.paired_test]
    for compared in mcnemar_differences(measures, paired):
        if discordant < 25 and not np.isnan(compared.p_value):
            assert compared.p_value >= min(1.0, 2.0 ** (1 - discordant)) - 1e-9
            low, high = float(compared.interval.low), float(compared.interval.high)
            assert compared.p_value <= 0.05 or not (low > compared.null or high < compared.null)


def test_six_rows_with_one_positive_are_not_significant_by_any_measure() -> None:
    actual, a, b = [1, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0], [0, 1, 1, 1, 0, 1]
    paired = PairedCounts.from_labels(actual, a, b, positive=1)
    measures = [measure for measure in measures_of("counts") if measure.paired_test]
    assert min(one.p_value for one in mcnemar_differences(measures, paired)) >= 0.125
    scores = [0.9, 0.2, 0.1, 0.4, 0.3, 0.2], [0.3, 0.5, 0.6, 0.4, 0.2, 0.8]
    resampled = [measure for measure in measures_of("scores") if measure.paired_test]
    by_scores = bootstrap_score_differences(resampled, actual, *scores, positive=1, resamples=200)
    assert min(one.p_value for one in by_scores) >= 2 / 64


def test_a_measure_that_no_resample_contradicts_takes_the_larger_p() -> None:
    """30 rows differ, but the recall of B is better on three positives only."""
    cells = np.array([[[50.0, 15], [15, 50]], [[0, 3], [0, 0]]])
    (compared,) = mcnemar_differences([find("J")], PairedCounts(cells))
    assert sentence_with(compared.method, "paired bootstrap, exact test")
    assert compared.p_value == swap_test(find("J"), cells) > 0.1


def test_several_classes_take_it_too() -> None:
    # Six rows; A is right on all, B on one.
    paired = PairedClasses.from_codes([0, 1, 2, 2, 1, 0], [0, 1, 2, 2, 1, 0], [1, 2, 1, 1, 0, 0], ("x", "y", "z"))
    measures = [measure for measure in measures_of("matrix") if measure.paired_test]
    found = {m.key: one for m, one in zip(measures, mcnemar_differences(measures, paired), strict=True)}
    assert found["overall_accuracy"].p_value == 0.0625
    assert all(one.p_value > 0.04 for one in found.values())
    assert all(float(one.interval.high) >= 0 for one in found.values())


def test_rankings_are_exchanged_row_by_row() -> None:
    labels, random = np.array([1, 0, 1, 0, 0], dtype=bool), np.random.default_rng(2)
    a, b = random.permutation(5), random.permutation(5)
    measure = find("AP")

    def difference(exchanged: np.ndarray) -> float:
        first, second = np.where(exchanged, b, a), np.where(exchanged, a, b)
        return measure(ScoredLabels.from_arrays(labels, second)) - measure(ScoredLabels.from_arrays(labels, first))

    every = [abs(difference(np.array(bits))) for bits in product((False, True), repeat=5)]
    expected = np.mean(np.array(every) >= abs(difference(np.zeros(5, dtype=bool))) - 1e-12)
    assert swap_test_of_scores([measure], labels, a, b) == [pytest.approx(expected)]


def test_whole_clusters_are_exchanged_as_a_loop_over_all_ways_has_it() -> None:
    random = np.random.default_rng(3)
    clusters, actual = random.integers(0, 7, 60), random.random(60) < 0.5
    a, b = actual ^ (random.random(60) < 0.4), actual ^ (random.random(60) < 0.2)
    paired = PairedCounts.from_labels(actual, a, b, clusters=clusters)
    for key in ("recall", "f_beta", "matthews_correlation"):
        measure, differences = find(key), []
        for number in range(1 << 7):
            swapped = np.array([number >> code & 1 for code in clusters], dtype=bool)
            answers = np.where(swapped, b, a), np.where(swapped, a, b)
            one, two = (ConfusionCounts.from_labels(actual, answer, True) for answer in answers)
            differences.append(float(measure(two)) - float(measure(one)))
        sizes, size = np.abs(differences), abs(differences[0])
        expected = np.mean(sizes > size + 1e-12) + np.mean(np.abs(sizes - size) <= 1e-12) / 2
        assert swap_test_of_clusters(measure, paired.clusters.cells) == pytest.approx(expected)
        compared = paired_differences([measure], paired)[0]
        assert (compared.p_value, compared.method.split(", ")[1]) == (
            pytest.approx(expected),
            "mid-p exchange of whole clusters",
        )
        assert (compared.interval.low <= 0 <= compared.interval.high) == (compared.p_value > 0.05)


def test_an_interval_of_clusters_excludes_what_their_exchange_excludes() -> None:
    for cell in (Interval(0.2, -0.1, 0.5), Interval(-0.2, -0.5, 0.1), Interval(0.2, 0.1, 0.5)):
        surer, less = (agreeing_interval(cell, p_value, 0.95) for p_value in (0.04, 0.06))
        assert not surer.low <= 0 <= surer.high
        assert less.low <= 0 <= less.high
        assert surer.low <= cell.estimate <= surer.high
    ratio = agreeing_interval(Interval(1.5, 0.9, 2.4), 0.04, 0.95, null=1.0)
    assert 1 < ratio.low < 1.001
    assert agreeing_interval(Interval(np.inf, 0.9, np.inf), 0.04, 0.95, null=1.0).low == 0.9
    # In six of twelve patients B finds more, ten rows of one and one of each other.
    codes, place = np.repeat(np.arange(12), 14), np.tile(np.arange(14), 12)
    finds = (codes < 6) & (place < np.where(codes == 0, 10, 1))
    paired = PairedCounts.from_labels(np.ones(168), np.zeros(168), finds, positive=1, clusters=codes)
    compared = paired_differences([find("recall")], paired)[0]
    assert compared.p_value < 0.05
    assert compared.interval.low > 0


def test_clusters_of_one_row_are_exchanged_as_rows_are() -> None:
    paired = PairedCounts(np.array([[[5.0, 1], [2, 9]], [[1, 6], [0, 9]]]))
    cells = np.repeat(np.eye(8), paired.cells.reshape(8).astype(int), axis=0)
    assert swap_test_of_clusters(find("recall"), cells) == pytest.approx(swap_test(find("recall"), paired.cells))


def test_few_clusters_are_exchanged_in_rankings_and_in_square_tables() -> None:
    """Copies of six rows, in all of which B is better, tell what six rows do."""
    labels, a = np.array([1, 1, 1, 0, 0, 0], dtype=bool), np.array([0.4, 0.5, 0.6, 0.55, 0.45, 0.65])
    b = a + np.where(labels, 0.3, -0.3)
    rows = np.repeat(np.arange(6), 4)
    measure = [find("AP")]
    alone, copied = swap_test_of_scores(measure, labels, a, b), swap_test_of_scores(
        measure, labels[rows], a[rows], b[rows], clusters=rows
    )  # fmt: skip
    assert copied == pytest.approx([p / 2 for p in alone], abs=0.1)
    (test,) = bootstrap_score_differences(measure, labels[rows], a[rows], b[rows], clusters=rows, resamples=50)
    assert test.method.endswith("exchange of whole clusters")
    assert test.p_value == pytest.approx(copied[0])
    truth = np.arange(30) % 3
    wrong = np.where(np.arange(30) < 5, (truth + 1) % 3, truth)
    units = np.repeat(np.arange(30), 5)
    paired = PairedClasses.from_codes(truth[units], wrong[units], truth[units], tuple("abc"), clusters=units)
    (macro,) = paired_matrix_differences([lambda matrix: float(np.mean(find("F1")(matrix.one_vs_rest())))], paired)
    assert macro.method.endswith("exchange of whole clusters")
    assert macro.p_value == pytest.approx(1 / 2**5, abs=0.02)  # half of all five clusters as they are, or all exchanged
