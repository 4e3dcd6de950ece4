"""Recalibration of several classes and of scores: rows stay distributions, unseen rows gain, few rows are refused."""

import numpy as np
import pytest

from evalcore.classification import EventProbabilities, ProbabilityTable, log_loss, roc_auc
from evalcore.classification.binary.scores import ScoredLabels
from evalcore.inference import recalibrated
from evalcore.inference.models import recalibrated_table
from evalcore.numeric import WORTH_A_THREAD


def overconfident(n: int, k: int) -> ProbabilityTable:
    random = np.random.default_rng(n + k)
    true = random.dirichlet(np.ones(k), n)
    actual = (true.cumsum(axis=1) > random.random(n)[:, None]).argmax(axis=1)
    return ProbabilityTable.from_arrays(actual, true**3, tuple(range(k)), normalised=True)


@pytest.mark.parametrize("method", ["platt", "isotonic"])
@pytest.mark.parametrize("k", [2, 4])
def test_rows_stay_distributions_and_unseen_ones_gain(method: str, k: int) -> None:
    table = overconfident(3000, k)
    found = recalibrated_table(table, method)
    assert np.allclose(found.after.probabilities.sum(axis=1), 1)
    assert (found.after.probabilities >= 0).all()
    assert log_loss(found.after, clip=1e-3) < log_loss(table, clip=1e-3) - 0.05
    assert set(found.curves) == (set(range(k)) if k > 2 else {1})


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_classes_that_share_two_threads_are_each_put_right_by_itself(method: str) -> None:
    table = overconfident(3000, 70)
    assert table.probabilities.size >= WORTH_A_THREAD
    found = recalibrated_table(table, method, folds=2)
    alone = np.column_stack([recalibrated(table.event(c), method, 2).after.probability for c in range(70)])
    total = alone.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(found.after.probabilities, np.where(total > 0, alone / total, table.probabilities))
    assert list(found.curves) == list(range(70))


def test_two_classes_are_the_event_of_the_last() -> None:
    table = overconfident(200, 2)
    found = recalibrated_table(table, "isotonic", folds=4, seed=3)
    alone = recalibrated(table.event(1), "isotonic", folds=4, seed=3)
    assert np.array_equal(found.after.probabilities[:, 1], alone.after.probability)
    assert found.folds == 4


def test_a_class_without_rows_stays_as_it_was_before_the_rows_are_divided() -> None:
    table = overconfident(300, 3)
    wide = ProbabilityTable((0, 1, 2, 3), np.column_stack([table.probabilities, np.zeros(300)]), table.actual)
    found = recalibrated_table(wide)
    assert 3 not in found.curves
    assert (found.after.probabilities[:, 3] == 0).all()


def test_a_row_in_which_every_class_comes_to_nothing_keeps_what_was_stated() -> None:
    rows = [[0.34, 0.33, 0.33]] + [[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 20
    table = ProbabilityTable.from_arrays([0] + [0, 1, 2] * 20, np.array(rows), (0, 1, 2))
    found = recalibrated_table(table, "isotonic")
    assert np.isfinite(found.after.probabilities).all()
    assert np.allclose(found.after.probabilities.sum(axis=1), 1)


def test_one_class_alone_is_refused_with_the_reason() -> None:
    table = ProbabilityTable.from_event([1, 1, 1], [0.2, 0.5, 0.9], positive=1)
    with pytest.raises(ValueError, match="two or more"):
        recalibrated_table(table)


@pytest.mark.parametrize("unit", [1, 1e-150, 1e300])
def test_scores_of_any_size_become_probabilities_in_their_order(unit: float) -> None:
    random = np.random.default_rng(4)
    happened = random.random(500) < 0.4
    scores = unit * (random.normal(size=500) + 2 * happened)
    found = recalibrated(EventProbabilities(scores, happened), of="score")
    assert ((found.after.probability > 0) & (found.after.probability < 1)).all()
    assert found.after.probability.mean() == pytest.approx(0.4, abs=0.05)
    order = found.curve(np.sort(scores))
    assert (np.diff(order) >= 0).all()
    area = roc_auc(ScoredLabels.from_arrays(happened, found.curve(scores)))
    assert area == pytest.approx(roc_auc(ScoredLabels.from_arrays(happened, scores)))
