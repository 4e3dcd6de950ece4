"""The measured coverages: the table is whole, words are said where they must be, and one number is measured anew."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.inference import PairedCounts, correlated_areas, paired_differences, poor_coverage
from evalcore.inference.intervals.bands import HIGHEST, LOWEST, PREVALENCES, ROWS, THOUSANDTHS, WORDS, measured_coverage
from evalcore.wording import share_text


def test_every_method_was_measured_everywhere() -> None:
    assert WORDS.keys() == THOUSANDTHS.keys()
    for table in THOUSANDTHS.values():
        assert len(table) == len(PREVALENCES)
        assert all(len(row) == len(ROWS) for row in table)


@pytest.mark.parametrize("method", THOUSANDTHS)
def test_a_sentence_is_said_just_where_the_coverage_is_poor(method: str) -> None:
    for prevalence in PREVALENCES:
        for n in ROWS:
            coverage, rows, share = measured_coverage(method, n, prevalence)
            assert (rows, share) == (n, prevalence)
            sentence = poor_coverage(method, n, prevalence)
            assert bool(sentence) == (not LOWEST <= coverage <= HIGHEST)
            if sentence:
                assert share_text(coverage) in sentence
                assert ("too narrow" in sentence) == (coverage < 0.95)


def test_the_nearest_place_counts_and_an_area_looks_the_same_from_both_classes() -> None:
    assert measured_coverage("delong", 90, 0.98) == measured_coverage("delong", 100, 0.02)
    method = "score_difference recall"
    assert measured_coverage(method, 90, 0.98) == measured_coverage(method, 100, 0.5)
    assert measured_coverage("delong", 3, 0)[1:] == (50, 0.02)
    assert poor_coverage("delong", 1e6, 0.02) == ""
    with pytest.raises(KeyError):
        poor_coverage("wald", 100, 0.5)


def test_differences_of_accuracies_hold_what_they_say() -> None:
    """600 samples by the laws of the table, with 100 rows and 10 % positives, where nothing has to be said."""
    for prevalence in PREVALENCES:
        for n in ROWS:
            assert not poor_coverage("score_difference accuracy", n, prevalence)
    random, held = np.random.default_rng(3), []
    first, second = (2**0.5 * NormalDist().inv_cdf(area) for area in (0.85, 0.8))
    right = [0.9 * NormalDist().cdf(first / 2) + 0.1 * NormalDist().cdf(shift - first / 2) for shift in (first, second)]
    for _ in range(600):
        labels = random.random(100) < 0.1
        shared, own = random.normal(size=(2, 100))
        a, b = shared + first * labels, 0.6 * shared + 0.8 * own + second * labels
        paired = PairedCounts.from_labels(labels, a >= first / 2, b >= first / 2)
        interval = paired_differences([METRICS["accuracy"]], paired)[0].interval
        held.append(interval.low <= right[1] - right[0] <= interval.high)
    assert 0.92 < np.mean(held) < 0.98


def test_one_number_of_the_table_measured_anew() -> None:
    """DeLong with 100 rows and 10 % positives; 600 samples tell it from 0.95 and not from what the table says."""
    random, held = np.random.default_rng(1), ([], [])
    shift = 2**0.5 * NormalDist().inv_cdf(0.85)
    for _ in range(600):
        labels = random.random(100) < 0.1
        areas = correlated_areas(labels, [random.normal(size=100) + shift * labels])
        for logit in (False, True):
            interval = areas.intervals(logit=logit)
            if not math.isnan(interval.low[0]):
                held[logit].append(interval.low[0] <= 0.85 <= interval.high[0])
    plain, on_logits = map(np.mean, held)
    assert abs(plain - measured_coverage("delong", 100, 0.1)[0]) < 0.04
    assert abs(on_logits - measured_coverage("delong_logit", 100, 0.1)[0]) < 0.04
    assert plain < on_logits < 0.945
