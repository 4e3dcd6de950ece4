"""Stated probabilities: the door, and every measure against its definition in fractions and against scikit-learn."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peer

from evalcore import MetricDef
from evalcore.classification import (
    ProbabilityTable,
    ScoredLabels,
    brier_score,
    class_losses,
    clipped_rows,
    half_brier_score,
    log_loss,
    log_loss_over_classes,
    reliability_bins,
    roc_auc,
    worst_rows,
)
from tests.classification.definitions import value_or_nan
from tests.classification.probability_definitions import OF_PROBABILITIES
from tests.classification.small_inputs import halves, thorough
from tests.registry.families import each_of, of_all, of_family

each_measure = each_of("probabilities")


@st.composite
def stated(draw, weights=halves):
    """Rows of probabilities in eighths of two to four classes; some are 0 and 1."""
    k = draw(st.integers(2, 4))
    rows = []
    for _ in range(draw(st.integers(0, 10))):
        cuts = sorted(draw(st.lists(st.integers(0, 8), min_size=k - 1, max_size=k - 1)))
        shares = [Fraction(b - a, 8) for a, b in zip([0, *cuts], [*cuts, 8], strict=True)]
        rows.append((shares, draw(st.integers(0, k - 1)), draw(weights)))
    return k, rows


def table_of(k: int, rows: list, weighted: bool = True) -> ProbabilityTable:
    probabilities = np.array([[float(q) for q in shares] for shares, _, _ in rows]).reshape(len(rows), k)
    weights = [float(w) for _, _, w in rows] if weighted else None
    return ProbabilityTable.from_arrays([y for _, y, _ in rows], probabilities, tuple(range(k)), weights)


@thorough
@given(found=stated())
@of_all(of_family("probabilities"))
def test_a_measure_of_probabilities_is_its_definition(definition: MetricDef, found) -> None:
    k, rows = found
    expected = value_or_nan(OF_PROBABILITIES[definition.key], rows)
    assert definition(table_of(k, rows)) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


@thorough
@given(found=stated(st.integers(0, 3).map(Fraction)), order=st.randoms(use_true_random=False))
@of_all(of_family("probabilities"))
def test_neither_order_nor_repetition_matters(definition: MetricDef, found, order) -> None:
    k, rows = found
    expected = definition(table_of(k, rows))
    assert math.isnan(expected) or definition.lowest <= expected <= definition.highest
    shuffled = rows.copy()
    order.shuffle(shuffled)
    repeated = [row for row in rows for _ in range(int(row[2]))]
    assert definition(table_of(k, shuffled)) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)
    assert definition(table_of(k, repeated, weighted=False)) == pytest.approx(
        expected, rel=1e-12, abs=1e-14, nan_ok=True
    )


@each_measure
def test_sure_and_right_gives_the_best_value(definition: MetricDef) -> None:
    for k in (2, 3):
        perfect = ProbabilityTable.from_arrays([0, 1, k - 1, 1], np.eye(k)[[0, 1, k - 1, 1]], tuple(range(k)))
        assert definition(perfect) == pytest.approx(definition.best, abs=1e-14), "what is clipped may cost δ a class"
    nothing = ProbabilityTable.from_arrays([], np.empty((0, 2)), (0, 1))
    assert math.isnan(definition(nothing)), definition.undefined_when


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_as_scikit_learn(k: int, weighted: bool) -> None:
    random = np.random.default_rng(k)
    probabilities = random.dirichlet(np.ones(k), size=500)
    actual = np.concatenate([np.arange(k), random.integers(0, k, size=500 - k)])
    weights = random.random(500) if weighted else None
    table = ProbabilityTable.from_arrays(actual, probabilities, tuple(range(k)), weights)
    assert log_loss(table) == pytest.approx(peer.log_loss(actual, probabilities, sample_weight=weights), rel=1e-12)
    expected = peer.brier_score_loss(actual, probabilities, sample_weight=weights, scale_by_half=False, labels=range(k))
    assert brier_score(table) == pytest.approx(expected, rel=1e-12)
    columns = enumerate(table.probabilities.T)
    areas = [roc_auc(ScoredLabels.from_arrays(actual == c, one, weights=weights)) for c, one in columns]
    if k > 2:
        expected = peer.roc_auc_score(actual, probabilities, multi_class="ovr", average="macro", sample_weight=weights)
        assert np.mean(areas) == pytest.approx(expected, rel=1e-12)


@thorough
@given(found=stated(st.just(Fraction(1))))
def test_both_forms_agree_for_two_classes_and_classes_add_up(found) -> None:
    k, rows = found
    table = table_of(k, rows)
    if not rows:
        return
    parts = class_losses(table)
    assert parts.brier.sum() == pytest.approx(brier_score(table), rel=1e-12, abs=1e-14)
    assert parts.binary_log_loss.sum() == pytest.approx(log_loss_over_classes(table), rel=1e-12, abs=1e-14)
    seen = parts.rows > 0
    assert (parts.log_loss * parts.base_rate)[seen].sum() == pytest.approx(log_loss(table), rel=1e-12, abs=1e-14)
    assert np.isnan(parts.log_loss[~seen]).all()
    if k == 2:
        assert log_loss_over_classes(table) == pytest.approx(2 * log_loss(table), rel=1e-12)
        squares = (table.probabilities[:, 1] - table.actual) ** 2
        assert half_brier_score(table) == pytest.approx(squares.mean(), rel=1e-12, abs=1e-15)


def test_what_is_clipped_is_counted_and_may_cost_without_end() -> None:
    table = ProbabilityTable.from_event([1, 1, 0], [0, 0.5, 0], positive=1)
    assert clipped_rows(table) == 1
    assert log_loss(table) == pytest.approx((-math.log(1e-15) + math.log(2)) / 3)
    assert log_loss(table, clip=0) == math.inf
    assert log_loss(table, base=2, clip=0.25) == pytest.approx((2 + 1 - math.log2(0.75)) / 3)


@pytest.mark.parametrize("clip", [1e-15, 0.01])
@pytest.mark.parametrize("k", [2, 3])
def test_clipped_rows_cost_what_scikit_learn_says_of_clipped_probabilities(k: int, clip: float) -> None:
    random = np.random.default_rng(k)
    rows = np.vstack([np.eye(k)[random.integers(0, k, 40)], random.dirichlet(np.ones(k), 40)])
    actual = random.integers(0, k, 80)
    table = ProbabilityTable.from_arrays(actual, rows, tuple(range(k)))
    own = np.clip(rows[np.arange(80), actual], clip, 1 - clip)
    expected = peer.log_loss(np.ones(80), np.column_stack([1 - own, own]), labels=[0, 1])
    assert log_loss(table, clip=clip) == pytest.approx(expected, rel=1e-9)


def test_to_say_1_is_no_better_than_to_say_1_less_what_is_clipped() -> None:
    """Of 200 rows 199 come true; the lower end alone would have made the exaggeration the cheaper forecast."""
    labels = [1] * 199 + [0]
    sure, honest = (ProbabilityTable.from_event(labels, [said] * 200, positive=1) for said in (1.0, 0.995))
    assert log_loss(sure, clip=0.01) == pytest.approx(log_loss(honest, clip=0.01), rel=1e-12)
    assert log_loss(sure) > log_loss(honest)


def test_a_row_of_weight_0_costs_nothing_though_its_loss_were_infinite() -> None:
    rows = [[0, 1], [0.5, 0.5], [0.75, 0.25]]
    table = ProbabilityTable.from_arrays([0, 1, 0], rows, (0, 1), weights=[0, 1, 3])
    counted = ProbabilityTable.from_arrays([1, 0], rows[1:], (0, 1), weights=[1, 3])
    assert log_loss(table, clip=0) == log_loss(counted, clip=0)
    assert log_loss_over_classes(table, clip=0) == log_loss_over_classes(counted, clip=0)
    assert class_losses(table, clip=0).log_loss.tolist() == class_losses(counted, clip=0).log_loss.tolist()
    assert clipped_rows(table) == 0
    assert worst_rows(table, clip=0).rows.tolist() == [1, 2]


def test_the_worst_rows_are_those_of_a_full_sort() -> None:
    random = np.random.default_rng(4)
    stated_probability = random.integers(0, 9, size=300) / 8
    weights = random.integers(0, 3, size=300)
    table = ProbabilityTable.from_event(random.random(300) < 0.5, stated_probability, weights=weights)
    losses = -np.log(np.maximum(table.of_actual, 1e-15))
    worst = worst_rows(table, most=40)
    order = sorted(np.flatnonzero(weights).tolist(), key=lambda row: (-losses[row], row))
    assert worst.rows.tolist() == order[:40]
    np.testing.assert_allclose(worst.shares, (losses * weights)[order[:40]] / (losses * weights).sum(), rtol=1e-12)
    assert worst_rows(table, most=1000).shares.sum() == pytest.approx(1)
    assert len(worst_rows(table, most=0).rows) == 0


@pytest.mark.parametrize(
    ("labels", "probabilities", "classes", "sentence"),
    [
        (["a", "b"], [[0.5, 0.5], [0.5, 0.4]], "ab", "0.9 in row 1"),
        (["a", "b"], [[0.5, 0.4], [0.5, 0.4]], "ab", "1 other row"),
        (["a", "b"], [[1.5, -0.5], [0.5, 0.5]], "ab", "probability of 'b' is -0.5 in row 0"),
        (["a", "b"], [[1, 0], [math.nan, 1]], "ab", "nan in row 1"),
        (["a", "b"], [[1, 0], [math.inf, 1]], "ab", "inf in row 1"),
        (["a", "c"], [[1, 0], [0, 1]], "ab", "label 'c' is not"),
        (["a", None], [[1, 0], [0, 1]], "ab", "label in row 1"),
        (["a", "b"], [[1, 0, 0], [0, 1, 0]], "ab", r"has the shape \(2, 3\)"),
        (["a", "b"], [["x", 0], [0, 1]], "ab", "must be numbers"),
        (["a"], [[1]], "a", "two or more"),
        (["a"], [[1, 0]], "aa", "all different"),
    ],
)
def test_what_is_no_table_of_probabilities_is_refused_with_a_sentence(labels, probabilities, classes, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        ProbabilityTable.from_arrays(labels, probabilities, tuple(classes))


def test_rows_may_be_divided_by_their_sum_but_not_when_it_is_0() -> None:
    table = ProbabilityTable.from_arrays(["a", "b"], [[2, 2], [0.1, 0.3]], ("a", "b"), normalised=True)
    np.testing.assert_allclose(table.probabilities, [[0.5, 0.5], [0.25, 0.75]], rtol=1e-15)
    with pytest.raises(ValueError, match="All probabilities are 0 in row 1"):
        ProbabilityTable.from_arrays(["a", "b"], [[2, 2], [0, 0]], ("a", "b"), normalised=True)
    with pytest.raises(ValueError, match="normalised=True"):
        ProbabilityTable.from_arrays(["a"], [[0.5, 0.5 + 2e-6]], ("a", "b"))
    assert ProbabilityTable.from_arrays(["a"], [[0.5, 0.5 + 5e-7]], ("a", "b")).total == 1


def test_the_probability_of_an_event_lies_between_0_and_1() -> None:
    with pytest.raises(ValueError, match=r"probability is 1\.5 in row 1"):
        ProbabilityTable.from_event([1, 0], [0.5, 1.5], positive=1)
    with pytest.raises(ValueError, match=r"labels.*row 1"):
        ProbabilityTable.from_event(["a", None], [0.5, 0.5], positive="a")
    with pytest.raises(ValueError, match="weights is -1 in row 0"):
        ProbabilityTable.from_event([1], [0.5], positive=1, weights=[-1])


def test_the_named_class_is_the_first_of_those_that_tie() -> None:
    table = ProbabilityTable.from_arrays([0, 1], [[0.4, 0.4, 0.2], [0.4, 0.4, 0.2]], (0, 1, 2))
    assert table.confidence().happened.tolist() == [True, False]
    assert table.event(2).happened.tolist() == [False, False]


def test_what_rounding_has_put_above_one_is_certain() -> None:
    """As 32 bits of a softmax leave it: allowed by the tolerance of the sum."""
    table = ProbabilityTable.from_arrays(["a", "b"], [[1 + 5e-7, 0], [0.25, 0.75]], ("a", "b"))
    assert table.probabilities.tolist() == [[1, 0], [0.25, 0.75]]
    assert log_loss(table[:1], clip=0) == 0
    bins = reliability_bins(table.event(0))
    assert bins.high.tolist() == pytest.approx([0.3, 1])


def test_rows_whose_sum_is_too_large_for_a_number_can_be_normalised() -> None:
    found = ProbabilityTable.from_arrays(["a"] * 2, [[1e308, 1.5e308], [1, 3]], ("a", "b"), normalised=True)
    assert found.probabilities.ravel().tolist() == pytest.approx([0.4, 0.6, 0.25, 0.75])
