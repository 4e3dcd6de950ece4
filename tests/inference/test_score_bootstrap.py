"""Intervals of measures of scores: they agree with DeLong where it applies, and with the bootstrap of the rows."""

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, average_precision, ks_statistic, partial_auc, roc_auc
from evalcore.inference import bootstrap_scores, delong


def drawn(rows: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.random(rows) < 0.35
    return labels, rng.normal(labels, 1)


@pytest.mark.parametrize("rows", [300, 5_000])
def test_the_interval_of_the_area_is_near_that_of_delong(rows: int) -> None:
    scored = ScoredLabels.from_arrays(*drawn(rows))
    (found,), known = bootstrap_scores([roc_auc], scored), delong(scored)
    width = known.high - known.low
    assert found.estimate == known.estimate
    assert abs(found.low - known.low) < 0.12 * width
    assert abs(found.high - known.high) < 0.12 * width


def test_it_is_the_bootstrap_of_the_rows() -> None:
    labels, scores = drawn(150)
    measures = [average_precision, ks_statistic, lambda s: partial_auc(s, 0, 0.3)]
    found = bootstrap_scores(measures, ScoredLabels.from_arrays(labels, scores))
    rng, values = np.random.default_rng(8), []
    for _ in range(800):
        rows = rng.integers(0, 150, 150)
        one = ScoredLabels.from_arrays(labels[rows], scores[rows])
        values.append([measure(one) for measure in measures])
    for interval, column in zip(found, np.array(values).T, strict=True):
        low, high = np.quantile(column, [0.025, 0.975])
        assert abs(interval.low - low) < 0.15 * (high - low)
        assert abs(interval.high - high) < 0.15 * (high - low)


def test_the_same_seed_gives_the_same_bounds() -> None:
    scored = ScoredLabels.from_arrays(*drawn(200))
    (one,), (two,) = (bootstrap_scores([average_precision], scored, resamples=200) for _ in range(2))
    assert (one.low, one.high) == (two.low, two.high)


@pytest.mark.parametrize("labels", [[True, True], [False, False]])
def test_one_class_has_no_interval(labels: list[bool]) -> None:
    (found,) = bootstrap_scores([average_precision], ScoredLabels.from_arrays(labels, [1, 2]))
    assert np.isnan([found.low, found.high]).all()


def test_equal_scores_have_an_area_that_never_varies_and_no_interval() -> None:
    (found,) = bootstrap_scores([roc_auc], ScoredLabels.from_arrays([True, False] * 5, [1.0] * 10))
    assert found.estimate == 0.5
    assert np.isnan(found.low)
