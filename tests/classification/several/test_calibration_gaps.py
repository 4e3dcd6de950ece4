"""What the gaps of a reliability diagram say together: the largest, which side they lie on, and parts that add up."""

import math

import numpy as np
import pytest

from evalcore.classification import EventProbabilities, ProbabilityTable, brier_parts, brier_score, reliability_bins
from evalcore.classification.several.probabilities import overconfidence


def bins_of(said: list[float], came_true: list[float], rows: int = 10):
    happened = np.concatenate([np.arange(rows) < round(rows * share) for share in came_true])
    return reliability_bins(EventProbabilities(np.repeat(said, rows), happened))


@pytest.mark.parametrize(
    ("said", "came_true", "expected"),
    [([0.1, 0.9], [0.3, 0.7], 1), ([0.3, 0.7], [0.1, 0.9], 0), ([0.2, 0.8], [0.1, 0.7], 0.5)],
)
def test_saying_too_much_is_told_from_saying_too_little(said, came_true, expected) -> None:
    assert overconfidence(bins_of(said, came_true)) == pytest.approx(expected)


def test_only_the_bins_that_count_are_looked_at() -> None:
    bins = bins_of([0.1, 0.9], [0.3, 1.0])
    assert overconfidence(bins, np.array([True, False])) == 1
    assert overconfidence(bins, np.array([False, True])) == 0
    assert math.isnan(overconfidence(bins, np.array([False, False])))


def test_the_named_class_is_only_ever_said_too_high_or_too_low() -> None:
    assert overconfidence(bins_of([0.5, 0.9], [0.7, 1.0]), centre=0.0) == 0
    assert overconfidence(bins_of([0.5, 0.9], [0.3, 0.8]), centre=0.0) == 1


def test_the_largest_gap_is_that_of_one_bin() -> None:
    assert bins_of([0.1, 0.9], [0.3, 0.4]).largest_gap == pytest.approx(0.5)
    assert math.isnan(reliability_bins(EventProbabilities(np.zeros(0), np.zeros(0, dtype=bool))).largest_gap)


def test_parts_of_the_classes_add_up_to_the_score_of_the_table() -> None:
    rows = np.random.default_rng(2).dirichlet(np.ones(3), 50)
    table = ProbabilityTable.from_arrays([0, 1, 2, 1, 0] * 10, rows, (0, 1, 2))
    first, second, third = (brier_parts(table.event(place), [0, 0.3, 1]) for place in range(3))
    whole = first + second + third
    assert whole.score == pytest.approx(brier_score(table))
    assert whole.score == pytest.approx(
        whole.reliability - whole.resolution + whole.uncertainty + whole.within_variance - whole.within_covariance
    )
