"""Costs of several classes: the cheapest decision row by row, and two classes as a threshold."""

import numpy as np
import pytest

from evalcore.classification import ConfusionMatrix, ProbabilityTable, cheapest_decisions, mean_cost

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
