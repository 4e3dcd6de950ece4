"""Divergences against their sums, and the costs of decisions among several classes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import entr, rel_entr

from evalcore.classification import ConfusionMatrix, ProbabilityTable, cheapest_decisions, divergences, mean_cost
from evalcore.classification.several.losses import cross_entropy, kl_divergence
from tests.classification.small_inputs import thorough

counts = st.lists(st.integers(0, 5), min_size=2, max_size=6).filter(any)


@thorough
@given(one=counts, other=counts)
def test_as_scipy_and_bound_to_each_other(one, other) -> None:
    size = min(len(one), len(other))
    one, other = one[:size], other[:size]
    if not any(one) or not any(other):
        return
    p, q = (np.array(x) / sum(x) for x in (one, other))
    assert cross_entropy(p, p) == pytest.approx(entr(p).sum(), abs=1e-14)
    assert kl_divergence(p, q) == pytest.approx(max(rel_entr(p, q).sum(), 0), abs=1e-14)
    if (q[p > 0] > 0).all():
        assert kl_divergence(p, q) == pytest.approx(cross_entropy(p, q) - cross_entropy(p, p), abs=1e-14)
    else:
        assert kl_divergence(p, q) == cross_entropy(p, q) == math.inf
    both = divergences(one, other, base=2, normalised=True)
    assert both.kl_pq == pytest.approx(kl_divergence(p, q, base=2))
    assert both.kl_qp == pytest.approx(kl_divergence(q, p, base=2))
    assert both.cross_pq == pytest.approx(cross_entropy(p, q) / math.log(2))
    assert both.entropy_p == pytest.approx(cross_entropy(p, p, 2))


def test_many_distributions_at_once_and_a_distribution_of_itself() -> None:
    p = np.random.default_rng(1).dirichlet(np.ones(5), size=(3, 4))
    assert kl_divergence(p, p).tolist() == np.zeros((3, 4)).tolist()
    assert kl_divergence(p, p[0, 0]).shape == (3, 4)


@pytest.mark.parametrize(
    ("p", "q", "sentence"),
    [
        ([0.5, 0.5], [1.0], "p has 2 values and q 1"),
        ([0.5, 0.4], [0.5, 0.5], "adds up to 0.9"),
        ([0.5, 0.5], [1.5, -0.5], "q is -0.5 at place 1"),
        ([0.5, math.nan], [0.5, 0.5], "nan at place 1"),
        ([], [], "p has the shape"),
        ([0, 0], [1, 0], "p adds up to 0"),
    ],
)
def test_what_is_no_distribution_is_refused(p, q, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        divergences(p, q)


RANDOM = np.random.default_rng(8)
COSTS = np.array([[0, 1, 3, 2], [5, 0, 1, 1], [2, 2, -1, 4], [1, 1, 9, 0]], dtype=float)


def table_of(k: int, n: int = 400) -> ProbabilityTable:
    probabilities = RANDOM.dirichlet(np.ones(k), n)
    labels = [RANDOM.choice(k, p=row) for row in probabilities]
    return ProbabilityTable.from_arrays(labels, probabilities, tuple(range(k)))


def test_each_row_takes_the_lowest_expected_cost() -> None:
    table = table_of(4)
    for row, decided in zip(table.probabilities, cheapest_decisions(table, COSTS).tolist(), strict=True):
        expected = [sum(row[actual] * COSTS[actual, decision] for actual in range(4)) for decision in range(4)]
        assert expected[decided] == pytest.approx(min(expected))


def test_calibrated_probabilities_make_no_other_decisions_cheaper() -> None:
    table = table_of(4, 20_000)
    decided = {
        "cheapest": cheapest_decisions(table, COSTS),
        "most probable": table.probabilities.argmax(axis=1),
        **{f"always {c}": np.full(len(table.actual), c) for c in range(4)},
    }
    costs = {
        way: mean_cost(ConfusionMatrix.from_labels(table.actual, codes, range(4)), COSTS)
        for way, codes in decided.items()
    }
    assert min(costs, key=costs.__getitem__) == "cheapest"


def test_two_classes_have_the_threshold_of_elkan() -> None:
    """Act from a probability of c_FP / (c_FP + c_FN)."""
    table = table_of(2)
    acted = cheapest_decisions(table, [[0, 1], [4, 0]]) == 1
    assert (acted == (table.probabilities[:, 1] > 0.2)).all()


def test_equal_costs_are_the_most_probable_class() -> None:
    table = table_of(5)
    assert (cheapest_decisions(table, 1 - np.eye(5)) == table.probabilities.argmax(axis=1)).all()


@pytest.mark.parametrize("costs", [np.ones((3, 4)), [[0, 1], [np.nan, 0]], [[0, np.inf], [1, 0]]])
def test_what_is_no_matrix_of_costs_is_refused(costs) -> None:
    with pytest.raises(ValueError, match="2 × 2 finite"):
        cheapest_decisions(table_of(2), costs)


def test_no_rows_cost_nothing_that_is_known() -> None:
    assert np.isnan(mean_cost(ConfusionMatrix("ab", np.zeros((2, 2))), [[0, 1], [1, 0]]))
