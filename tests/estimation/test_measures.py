"""Measures of estimates: printed values, scikit-learn and scipy, slow definitions, weights, edges and the door."""

import math

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics as peer
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import METRICS, MetricDef, find
from evalcore.estimation import Estimates, weighted_quantile
from tests.estimation.definitions import OF_ESTIMATES
from tests.registry.families import each_of

each = each_of("estimates")
MANUAL = ([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
PRINTED = [  # the reference of scikit-learn 1.9, and Bland and Altman (1986)
    ("MSE", *MANUAL, 0.375),
    ("MAE", *MANUAL, 0.5),
    ("median absolute error", *MANUAL, 0.5),
    ("RMSE", *MANUAL, 0.612),
    ("R2", *MANUAL, 0.948),
    ("explained variance", *MANUAL, 0.957),
    ("MAPE", *MANUAL, 0.3273),
    ("D² absolute error", *MANUAL, 0.764),
    ("max_error", [3, 2, 7, 1], [9, 2, 7, 1], 6),
    ("Poisson deviance", [2, 0, 1, 4], [0.5, 0.5, 2, 2], 1.4260),
    ("gamma deviance", [2, 0.5, 1, 4], [0.5, 0.5, 2, 2], 1.0568),
    ("Tweedie deviance(power=1)", [2, 0, 1, 4], [0.5, 0.5, 2, 2], 1.4260),
    ("D² Tweedie(power=1)", [0.5, 1, 2.5, 7], [1, 1, 5, 3.5], 0.487),
    ("pinball loss(tau=0.1)", [1, 2, 3], [0, 2, 3], 0.033),
    ("pinball loss(tau=0.9)", [1, 2, 3], [0, 2, 3], 0.3),
    ("D² pinball", [1, 2, 3], [1, 3, 3], 0.5),
]
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]


@pytest.mark.parametrize(("name", "truth", "estimate", "printed"), PRINTED)
def test_printed_values(name: str, truth: list[float], estimate: list[float], printed: float) -> None:
    # The manual cuts some numbers where it prints dots.
    assert find(name)(Estimates.from_arrays(truth, estimate)) == pytest.approx(printed, abs=1.01e-3)


def test_the_peak_flow_meters_of_bland_and_altman() -> None:
    state = Estimates.from_arrays(MINI, WRIGHT)
    assert round(find("bias")(state), 1) == -2.1
    assert round(find("r")(state), 2) == 0.94


def drawn(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = np.round(random.gamma(2, 5, n), 1) + 0.1
    return truth, np.round(truth * random.lognormal(0.1, 0.4, n), 1) + 0.1, random.integers(1, 4, n).astype(float)


PEERS = {
    "mean_squared_error": peer.mean_squared_error,
    "root_mean_squared_error": peer.root_mean_squared_error,
    "mean_absolute_error": peer.mean_absolute_error,
    "r_squared": peer.r2_score,
    "explained_variance": peer.explained_variance_score,
    "mean_absolute_percentage_error": peer.mean_absolute_percentage_error,
    "mean_pinball_loss": peer.mean_pinball_loss,
    "mean_poisson_deviance": peer.mean_poisson_deviance,
    "mean_gamma_deviance": peer.mean_gamma_deviance,
    "mean_tweedie_deviance": lambda y, p, **more: peer.mean_tweedie_deviance(y, p, power=1.5, **more),
    "d2_tweedie": lambda y, p, **more: peer.d2_tweedie_score(y, p, power=1.5, **more),
}


@pytest.mark.parametrize("key", sorted(PEERS))
@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_says_the_same(key: str, seed: int) -> None:
    truth, estimate, weights = drawn(seed)
    measure = METRICS[key]
    expected = pytest.approx(PEERS[key](truth, estimate), rel=1e-12)
    assert measure(Estimates.from_arrays(truth, estimate)) == expected
    weighted = pytest.approx(PEERS[key](truth, estimate, sample_weight=weights), rel=1e-12)
    assert measure(Estimates.from_arrays(truth, estimate, weights=weights)) == weighted


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_and_scipy_say_the_same_without_weights(seed: int) -> None:
    truth, estimate, _ = drawn(seed)
    state = Estimates.from_arrays(truth, estimate)
    expected = {
        "median_absolute_error": peer.median_absolute_error(truth, estimate),
        "max_error": peer.max_error(truth, estimate),
        "d2_absolute_error": peer.d2_absolute_error_score(truth, estimate),
        "pearson_correlation": scipy.stats.pearsonr(truth, estimate).statistic,
        "spearman_correlation": scipy.stats.spearmanr(truth, estimate).statistic,
    }
    for key, value in expected.items():
        assert METRICS[key](state) == pytest.approx(value, rel=1e-12), key


numbers = st.integers(-3, 6).map(lambda k: k / 2)
tables = st.lists(st.tuples(numbers, numbers, st.integers(0, 3)), max_size=9)


@each
@settings(max_examples=40, deadline=None)
@given(rows=tables)
def test_the_definition_row_by_row(definition: MetricDef, rows: list[tuple[float, float, int]]) -> None:
    """With weights that are counts: a row of weight 2 is the row twice."""
    in_order = definition.key == "mean_absolute_scaled_error"
    repeated = [(y, p) for y, p, weight in rows for _ in range(1 if in_order else weight)]
    truth, estimate, weights = (
        np.array(column, dtype=float) for column in (zip(*rows, strict=True) if rows else [()] * 3)
    )
    state = Estimates.from_arrays(truth, estimate, weights=None if in_order else weights)
    assert definition(state) == pytest.approx(OF_ESTIMATES[definition.key](repeated), rel=1e-12, abs=1e-12, nan_ok=True)


@each
def test_perfect_estimates_have_the_best_value_and_none_has_one(definition: MetricDef) -> None:
    truth = np.array([1.0, 2.0, 5.0, 0.5])
    assert definition(Estimates.from_arrays(truth, truth)) == pytest.approx(definition.best, abs=1e-15)
    empty = definition(Estimates.from_arrays([], []))
    assert math.isnan(empty) == bool(definition.undefined_when)


@each
def test_values_stay_in_their_range(definition: MetricDef) -> None:
    for seed in range(20):
        truth, estimate, weights = drawn(seed, n=8)
        value = definition(Estimates.from_arrays(truth, estimate, weights=weights))
        assert definition.lowest <= value <= definition.highest


@each
def test_the_order_of_rows_and_rows_of_weight_0_change_nothing(definition: MetricDef) -> None:
    truth, estimate, weights = drawn(3, n=30)
    if definition.group != "For rows in time order":
        expected = definition(Estimates.from_arrays(truth, estimate, weights=weights))
        turned = Estimates.from_arrays(truth[::-1], estimate[::-1], weights=weights[::-1])
        assert definition(turned) == pytest.approx(expected, rel=1e-12)
        more = [np.append(column, value) for column, value in ((truth, 0), (estimate, -900), (weights, 0))]
        assert definition(Estimates.from_arrays(*more[:2], weights=more[2])) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("key", ["r_squared", "explained_variance", "pearson_correlation", "d2_absolute_error"])
def test_a_constant_truth_has_nothing_to_explain(key: str) -> None:
    for constant in (0.1, 1e9 + 0.1, 0.0):
        assert math.isnan(METRICS[key](Estimates.from_arrays([constant] * 3, [1.0, 2.0, 3.0])))


def test_large_numbers_cost_no_digits() -> None:
    truth, estimate, _ = drawn(0)
    near, far = Estimates.from_arrays(truth, estimate), Estimates.from_arrays(truth + 2.0**30, estimate + 2.0**30)
    for key in ("r_squared", "pearson_correlation", "concordance_correlation"):
        assert METRICS[key](far) == pytest.approx(METRICS[key](near), rel=1e-7)


@pytest.mark.parametrize("share", [0.001, 0.1, 0.25, 0.5, 0.9, 0.999])
def test_a_quantile_minimises_the_pinball_loss(share: float) -> None:
    values = np.random.default_rng(5).integers(0, 30, 40).astype(float)
    loss = METRICS["mean_pinball_loss"].with_params(tau=share)
    best = min(loss(Estimates.from_arrays(values, np.full(40, constant))) for constant in values)
    own = np.full(40, weighted_quantile(values, share))
    assert loss(Estimates.from_arrays(values, own)) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([1, 2], [1]), r"shape \(1,\) beside 2"),
        (([1, math.nan], [1, 2]), "nan in row 1"),
        (([1, 2], [1, math.inf]), "inf in row 1"),
        ((["a"], [1]), "truth must be numbers"),
        (([1], [1], [-1]), "weights is -1 in row 0"),
        (([1, 2], [1, 2], None, ["a", None]), "cluster of row 1 is missing"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_the_door(arguments: tuple, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Estimates.from_arrays(*arguments)


def test_scaled_errors_weigh_a_naive_forecast_as_the_row_it_is_for() -> None:
    state = Estimates.from_arrays([1, 5, 2], [2, 5, 4], weights=[0.5, 2, 1])
    mae, naive = (0.5 * 1 + 1 * 2) / 3.5, (2 * 4 + 1 * 3) / 3
    assert METRICS["mean_absolute_scaled_error"](state) == pytest.approx(mae / naive, rel=1e-12)
