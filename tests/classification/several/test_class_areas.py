"""Areas of several classes and top-k accuracy: equal to scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, top_k_accuracy_score

from evalcore import METRICS, find
from evalcore.classification import ProbabilityTable

CASES = {
    "macro_auc": {"multi_class": "ovr", "average": "macro"},
    "weighted_auc": {"multi_class": "ovr", "average": "weighted"},
    "one_vs_one_auc": {"multi_class": "ovo", "average": "macro"},
    "weighted_one_vs_one_auc": {"multi_class": "ovo", "average": "weighted"},
}


def drawn(seed: int, k: int, n: int, ties: bool) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels = np.append(np.arange(k), random.choice(k, n - k, p=random.dirichlet(np.ones(k))))
    probabilities = random.dirichlet(np.ones(k), n) + 0.4 * np.eye(k)[labels]
    if ties:
        probabilities = np.ceil(4 * probabilities)
    return labels, probabilities / probabilities.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("key", CASES)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("k", "n"), [(3, 40), (5, 300), (10, 2000)])
def test_areas_are_those_of_scikit_learn(key: str, k: int, n: int, ties: bool) -> None:
    labels, probabilities = drawn(k, k, n, ties)
    table = ProbabilityTable.from_arrays(labels, probabilities, tuple(range(k)))
    assert METRICS[key](table) == pytest.approx(roc_auc_score(labels, probabilities, **CASES[key]), abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_top_k_accuracy_is_that_of_scikit_learn(k: int) -> None:
    labels, probabilities = drawn(7, 6, 500, ties=False)
    table = ProbabilityTable.from_arrays(labels, probabilities, tuple(range(6)))
    expected = top_k_accuracy_score(labels, probabilities, k=k)
    assert find(f"top_k_accuracy(k={k})")(table) == pytest.approx(expected, abs=1e-15)


def test_a_class_without_rows_is_left_out() -> None:
    labels, probabilities = drawn(3, 4, 200, ties=False)
    kept = labels != 2
    table = ProbabilityTable.from_arrays(labels[kept], probabilities[kept], tuple(range(4)))
    three = [0, 1, 3]
    expected = np.mean([roc_auc_score(labels[kept] == c, probabilities[kept, c]) for c in three])
    assert METRICS["macro_auc"](table) == pytest.approx(expected, abs=1e-12)
    assert 0.5 < METRICS["one_vs_one_auc"](table) < 1
    alone = ProbabilityTable.from_arrays([0, 0], [[0.5, 0.5]] * 2, (0, 1))
    assert all(np.isnan(METRICS[key](alone)) for key in CASES)
