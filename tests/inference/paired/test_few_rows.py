"""Tiny tables: no test claims what exchanging the answers of the rows, or of the queries, could contradict."""

import numpy as np
import pytest

from evalcore.classification import LabelScores, LabelSets
from evalcore.inference import cautious_t, label_ranking_differences, label_set_differences, paired_t, randomization


def test_three_equal_differences_are_no_proof() -> None:
    a, b = np.array([0.2, 0.4, 0.5]), np.array([0.3, 0.5, 0.6])
    assert paired_t(a, b).p_value < 1e-9
    compared = cautious_t(a, b)
    assert compared.p_value == randomization(a, b).p_value == 0.25
    assert compared.interval.low <= 0 < compared.interval.high


def test_six_queries_that_differ_keep_students_t() -> None:
    random = np.random.default_rng(2)
    a = random.random(6)
    b = a + 0.1 + random.random(6) / 10
    assert cautious_t(a, b).p_value == paired_t(a, b).p_value
    assert cautious_t(a, a).p_value == 1


@pytest.mark.parametrize("better", [3, 6])
def test_label_sets_of_six_rows(better) -> None:
    truth = np.eye(3, dtype=bool)[np.arange(6) % 3]
    worse = truth.copy()
    worse[:better] = False
    tests = label_set_differences(*(LabelSets.from_indicators(truth, one) for one in (worse, truth)))
    for key in ("micro F1", "samples_f1", "hamming_loss", "subset_accuracy"):
        assert tests[key].p_value == pytest.approx(2 / 2**better), key
        assert (float(tests[key].interval.low) <= 0 <= float(tests[key].interval.high)) == (better == 3), key


def test_label_rankings_of_six_rows() -> None:
    truth = np.eye(3)[np.arange(6) % 3]
    a, b = (LabelScores.from_arrays(truth, by * truth + np.arange(3) / 4) for by in (0.4, 0.6))
    for test in label_ranking_differences(a, b).values():
        assert not test.p_value <= 0.05
