"""Measures of two independent samples: closed forms against their definitions, and what few rows can show."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels
from evalcore.inference import (
    independent_differences,
    independent_matrix_differences,
    independent_score_differences,
    log_ratio_interval,
)
from evalcore.registry import measures_of

COUNTS = [measure for measure in measures_of("counts") if measure.paired_test]


def test_ratios_have_the_sum_of_both_variances() -> None:
    a, b = ConfusionCounts(48, 20, 32, 180), ConfusionCounts(56, 10, 14, 190)
    (compared,) = independent_differences([find("LR+")], a, b)
    variance = sum(1 / t - 1 / p + 1 / f - 1 / n for t, p, f, n in ((48, 80, 20, 200), (56, 70, 10, 200)))
    assert np.log(compared.interval.high / compared.estimate) == pytest.approx(1.959964 * np.sqrt(variance), rel=1e-6)
    assert compared.estimate == pytest.approx((56 / 70 / (10 / 200)) / (48 / 80 / (20 / 200)))
    of_one = log_ratio_interval(find("LR+"), b)
    assert compared.interval_at is not None
    assert float(of_one.high / of_one.estimate) < float(compared.interval.high / compared.estimate)


cells = st.builds(ConfusionCounts, *[st.integers(0, 6).map(float)] * 4)


@settings(max_examples=6, deadline=None)
@given(cells, cells)
def test_an_interval_and_its_p_agree_and_swapping_the_samples_turns_them(a, b) -> None:
    for measure, one in zip(COUNTS, independent_differences(COUNTS, a, b, resamples=100), strict=True):
        low, high = float(one.interval.low), float(one.interval.high)
        if one.p_value <= 0.05 and not np.isnan(low):
            assert not low <= one.null <= high, measure.key
        elif not np.isnan(low) and not np.isnan(one.p_value) and measure.interval == "share":
            assert low <= one.null <= high, measure.key
    shares = [measure for measure in COUNTS if measure.interval != "bootstrap"]
    for one, other in zip(independent_differences(shares, a, b), independent_differences(shares, b, a), strict=True):
        assert one.p_value == pytest.approx(other.p_value, nan_ok=True, abs=1e-9)


def test_few_rows_show_nothing_that_no_exchange_can_contradict() -> None:
    a, b = ConfusionCounts(1, 0, 0, 5), ConfusionCounts(0, 1, 1, 4)
    for measure, one in zip(COUNTS, independent_differences(COUNTS, a, b), strict=True):
        assert not one.p_value <= 0.05, measure.key
    (recall,) = independent_differences([METRICS["recall"]], a, b)
    assert recall.p_value == pytest.approx(fisher_exact([[1, 0], [0, 1]]).pvalue)
    tables = (
        ConfusionMatrix("xyz", [[2, 0, 0], [0, 2, 0], [0, 0, 1]]),
        ConfusionMatrix("xyz", [[1, 1, 0], [1, 1, 0], [1, 0, 0]]),
    )
    matrix = [measure for measure in measures_of("matrix") if measure.paired_test]
    assert all(not one.p_value <= 0.05 for one in independent_matrix_differences(matrix, *tables, resamples=200))
    perfect = ScoredLabels.from_arrays([1, 0, 0, 0, 0, 0], [9, 1, 2, 3, 4, 5], positive=1)
    wrong = ScoredLabels.from_arrays([1, 0, 0, 0, 0, 0], [0, 1, 2, 3, 4, 5], positive=1)
    of_scores = [find("AUC"), find("AP")]
    assert all(
        not one.p_value <= 0.05 for one in independent_score_differences(of_scores, perfect, wrong, resamples=100)
    )


def test_scores_on_other_scales_and_in_other_directions_are_compared() -> None:
    random = np.random.default_rng(3)
    labels = random.random(400) < 0.4
    scores = labels + random.normal(size=400)
    a = ScoredLabels.from_arrays(labels, scores)
    b = ScoredLabels.from_arrays(labels, -1000 * scores, higher_is_positive=False)
    auc, ap = independent_score_differences([find("AUC"), find("AP")], a, b, resamples=200)
    assert auc.estimate == ap.estimate == pytest.approx(0, abs=1e-12)
    assert auc.p_value == 1
    assert ap.p_value > 0.5
