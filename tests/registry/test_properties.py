"""Properties over the whole registry: a measure is tested by being registered.

Those of probabilities, of label sets and of rankings stand in test_probabilities.py and test_label_sets.py of
tests/classification and in tests/retrieval/test_measures.py, beside the tables and lists that they draw.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS, MetricDef
from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels
from tests.classification.small_inputs import halves, rows, state, thorough, whole
from tests.registry.families import each_of, of_all, of_family

each_of_counts, each_of_scores, each_of_classes = each_of("counts"), each_of("scores"), each_of("matrix")

SMALL = np.stack(np.meshgrid(*[np.arange(6.0)] * 4, indexing="ij"))
"""All tables with cells of 0 … 5, shape (4, 6, 6, 6, 6)."""

RANDOM = ConfusionCounts(*np.floor(10 ** np.random.default_rng(1).uniform(-1, 7, size=(4, 5000))))
"""Tables of all sizes, zeros among them."""

SQUARES = [
    ConfusionMatrix("abc", counts) for counts in np.random.default_rng(4).integers(0, 4, size=(300, 3, 3)).astype(float)
]
"""Tables of three classes, with empty rows and columns among them."""

SWAPPED = {
    "recall": "specificity",
    "precision": "negative_predictive_value",
    "miss_rate": "fall_out",
    "false_discovery_rate": "false_omission_rate",
    "accuracy": "accuracy",
    "error_rate": "error_rate",
    "balanced_accuracy": "balanced_accuracy",
    "youden_j": "youden_j",
    "markedness": "markedness",
    "matthews_correlation": "matthews_correlation",
    "cohen_kappa": "cohen_kappa",
    "g_mean": "g_mean",
    "diagnostic_odds_ratio": "diagnostic_odds_ratio",
}
"""What a measure becomes when the other class is called positive."""


def value(key: str, counts: ConfusionCounts) -> np.ndarray:
    return METRICS[key](counts)


@each_of_counts
def test_perfect_predictions_give_the_best_value(definition: MetricDef) -> None:
    perfect = ConfusionCounts(tp=[3, 1, 1000], fp=[0, 0, 0], fn=[0, 0, 0], tn=[7, 1, 5])
    if definition.best is not None:
        assert definition(perfect).tolist() == [definition.best] * 3


@each_of_scores
def test_a_perfect_order_gives_the_best_value(definition: MetricDef) -> None:
    perfect = ScoredLabels.from_arrays([True, True, False, False, False], [5, 4, 3, 2, 2])
    if definition.best is not None:
        assert definition(perfect) == definition.best


@each_of_classes
def test_naming_every_class_rightly_gives_the_best_value(definition: MetricDef) -> None:
    if definition.best is not None:
        assert definition(ConfusionMatrix("abc", np.diag([3.0, 1, 1000]))) == definition.best


@each_of_classes
def test_values_of_classes_stay_in_their_range_or_are_undefined(definition: MetricDef) -> None:
    values = np.array([definition(square) for square in SQUARES])
    inside = (values >= definition.lowest - 1e-15) & (values <= definition.highest + 1e-15)
    assert (inside | np.isnan(values)).all()
    assert math.isnan(definition(ConfusionMatrix("abc", np.zeros((3, 3))))) == bool(definition.undefined_when)


@each_of_classes
def test_neither_the_order_of_the_classes_nor_the_unit_of_the_counts_matters(definition: MetricDef) -> None:
    for square in SQUARES[:60]:
        expected = pytest.approx(definition(square), rel=1e-12, abs=1e-14, nan_ok=True)
        assert definition(ConfusionMatrix("abc", 1e-6 * square.counts)) == expected
        assert definition(ConfusionMatrix("cba", square.counts[::-1, ::-1])) == expected
        if not definition.params:  # weighted kappa is for classes in an order
            assert definition(square.ordered([1, 2, 0])) == expected


@each_of_counts
def test_values_stay_in_their_range_or_are_undefined(definition: MetricDef) -> None:
    for counts in (ConfusionCounts(*SMALL), RANDOM):
        values = definition(counts)
        inside = (values >= definition.lowest) & (values <= definition.highest)
        assert (inside | np.isnan(values)).all(), values[~(inside | np.isnan(values))]


@each_of_scores
@thorough
@given(found=rows(halves))
def test_values_of_scores_stay_in_their_range_or_are_undefined(definition: MetricDef, found) -> None:
    result = definition(state(found))
    assert isinstance(result, float)
    assert math.isnan(result) or definition.lowest <= result <= definition.highest


@each_of_counts
def test_undefined_says_when_and_never_is_undefined_otherwise(definition: MetricDef) -> None:
    values = definition(ConfusionCounts(*SMALL))
    assert np.isnan(values).any() == bool(definition.undefined_when)
    assert np.isfinite(values[1:, 1:, 1:, 1:]).all(), "with all four cells filled, everything is defined"
    assert np.isnan(values[0, 0, 0, 0])


@each_of_counts
def test_the_shape_is_the_axis(definition: MetricDef) -> None:
    """One call for a whole array gives what a loop over its tables gives; one table gives one number."""
    cells = np.random.default_rng(2).integers(0, 4, size=(4, 2, 3)).astype(float)
    together = definition(ConfusionCounts(*cells))
    assert together.shape == (2, 3)
    for place in np.ndindex(2, 3):
        alone = definition(ConfusionCounts(*cells[(slice(None), *place)]))
        assert np.shape(alone) == ()
        assert np.array_equal(alone, together[place], equal_nan=True)
    assert definition(ConfusionCounts(*np.empty((4, 0)))).shape == (0,)


@pytest.mark.parametrize(("key", "other"), SWAPPED.items())
def test_calling_the_other_class_positive(key: str, other: str) -> None:
    for counts in (ConfusionCounts(*SMALL), RANDOM):
        swapped = ConfusionCounts(tp=counts.tn, fp=counts.fn, fn=counts.fp, tn=counts.tp)
        for one, two in ((key, other), (other, key)):
            np.testing.assert_allclose(value(one, swapped), value(two, counts), rtol=1e-12)


@pytest.mark.parametrize(
    ("share", "complement"),
    [
        ("precision", "false_discovery_rate"),
        ("negative_predictive_value", "false_omission_rate"),
        ("recall", "miss_rate"),
        ("specificity", "fall_out"),
        ("accuracy", "error_rate"),
        ("f_beta", "e_measure"),
    ],
)
def test_complements_add_up_to_one(share: str, complement: str) -> None:
    for counts in (ConfusionCounts(*SMALL), RANDOM):
        both = value(share, counts) + value(complement, counts)
        assert (np.isnan(both) | (abs(both - 1) < 1e-15)).all()
        assert (np.isnan(value(share, counts)) == np.isnan(value(complement, counts))).all()


def test_rates_are_bound_to_the_prevalence() -> None:
    """f·p·(1 − g) = r·g·(1 − p), with g prevalence, f fall-out, p precision, r recall."""
    g, f, p, r = (value(key, RANDOM) for key in ("prevalence", "fall_out", "precision", "recall"))
    defined = np.isfinite(f * p * r)
    np.testing.assert_allclose((f * p * (1 - g))[defined], (r * g * (1 - p))[defined], rtol=1e-6, atol=1e-12)


def test_predictive_values_follow_from_the_rates_and_the_prevalence() -> None:
    g, tpr, tnr = (value(key, RANDOM) for key in ("prevalence", "recall", "specificity"))
    with np.errstate(invalid="ignore"):
        ppv = tpr * g / (tpr * g + (1 - tnr) * (1 - g))
        npv = tnr * (1 - g) / (tnr * (1 - g) + (1 - tpr) * g)
    for expected, key in ((ppv, "precision"), (npv, "negative_predictive_value")):
        defined = np.isfinite(expected)
        np.testing.assert_allclose(value(key, RANDOM)[defined], expected[defined], rtol=1e-6, atol=1e-9)


def test_likelihood_ratios_turn_odds_before_into_odds_after() -> None:
    g, ppv, npv = (value(key, RANDOM) for key in ("prevalence", "precision", "negative_predictive_value"))
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after, missed = g / (1 - g), ppv / (1 - ppv), (1 - npv) / npv
    for key, odds in (("positive_likelihood_ratio", after), ("negative_likelihood_ratio", missed)):
        ratio = value(key, RANDOM)
        both = np.isfinite(odds) & np.isfinite(ratio) & np.isfinite(before)
        np.testing.assert_allclose(odds[both], (before * ratio)[both], rtol=1e-6)


@each_of_counts
def test_more_hits_and_fewer_false_alarms_are_never_worse(definition: MetricDef) -> None:
    """The search for the best threshold passes over stretches of rows because this holds."""
    if definition.better is None:
        return
    sign = 1 if definition.better == "higher" else -1
    for positives, negatives in ((1, 1), (5, 5), (9, 2), (2, 9), (1, 30), (30, 1), (13, 17)):
        tp, fp = np.meshgrid(np.arange(positives + 1.0), np.arange(negatives + 1.0), indexing="ij")
        goal = sign * definition(ConfusionCounts(tp, fp, positives - tp, negatives - fp))
        slack = 1e-14 * np.abs(np.where(np.isfinite(goal), goal, 0))
        for better, worse in ((goal[1:], goal[:-1]), (goal[:, :-1], goal[:, 1:])):
            room = np.maximum(slack.max(), 1e-15)
            assert ((better >= worse - room) | np.isnan(better) | np.isnan(worse)).all()


@thorough
@given(found=rows(whole), order=st.randoms(use_true_random=False))
@of_all(of_family("scores"))
def test_neither_order_nor_repetition_nor_the_scale_of_scores_matters(definition: MetricDef, found, order) -> None:
    expected = definition(state(found))
    shuffled = found.copy()
    order.shuffle(shuffled)
    repeated = [row for row in found for _ in range(int(row[2]))]
    rank = {score: place for place, score in enumerate(sorted({score for _, score, _ in found}))}
    ranked = [(positive, float(rank[score]) ** 3, weight) for positive, score, weight in found]
    for other in (state(shuffled), state(repeated, weighted=False), state(ranked), state(found[:4]) + state(found[4:])):
        assert definition(other) == pytest.approx(expected, rel=1e-13, abs=1e-15, nan_ok=True)


@thorough
@given(found=rows(halves))
def test_turned_scores_mirror_the_area(found) -> None:
    turned = [(positive, -score, weight) for positive, score, weight in found]
    for key, mirrored in (("roc_auc", lambda v: 1 - v), ("gini", lambda v: -v), ("ks_statistic", lambda v: v)):
        there, back = METRICS[key](state(found)), METRICS[key](state(turned))
        assert back == pytest.approx(mirrored(there), abs=1e-14, nan_ok=True)


@each_of_counts
def test_weights_may_be_of_any_size(definition: MetricDef) -> None:
    """Shares and indices do not change when all counts are ten times as many, down to weights of a millionth."""
    counts = ConfusionCounts(*np.random.default_rng(3).integers(0, 5, size=(4, 200)))
    for factor in (1e-6, 10, 1e6):
        scaled = ConfusionCounts(*(factor * cell for cell in (counts.tp, counts.fp, counts.fn, counts.tn)))
        np.testing.assert_allclose(definition(scaled), definition(counts), rtol=1e-9, atol=1e-12)
