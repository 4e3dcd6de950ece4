"""Every measure of counts against its definition in fractions, on every small table there is."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.classification import ConfusionCounts, matthews_correlation
from tests.classification.definitions import OF_COUNTS, value_or_nan

TABLES = list(product(range(4), repeat=4)) + [
    (5, 7, 11, 13),
    (100, 1, 1, 100),
    (1, 999_999, 2, 999_998),
    (0, 0, 10, 9990),
]
ALL_AT_ONCE = ConfusionCounts(*np.array(TABLES, dtype=float).T)
SETTINGS = {
    "f_beta": ({}, {"beta": 0}, {"beta": 0.5}, {"beta": 2}, {"beta": 1000}),
    "e_measure": ({}, {"beta": 0}, {"beta": 0.5}, {"beta": 2}),
    "cost": ({}, {"fp_cost": 1, "fn_cost": 5}, {"tp_cost": -3, "fp_cost": 0.5, "fn_cost": 0, "tn_cost": -0.25}),
    "net_benefit": ({}, {"probability": 0}, {"probability": 0.2}, {"probability": 0.9}),
}


@pytest.mark.parametrize("key", OF_COUNTS)
def test_a_measure_is_its_definition_and_nan_exactly_where_that_is_undefined(key: str) -> None:
    for parameters in SETTINGS.get(key, ({},)):
        values = METRICS[key].with_params(**parameters)(ALL_AT_ONCE)
        expected = [value_or_nan(OF_COUNTS[key], *map(Fraction, cells), **parameters) for cells in TABLES]
        np.testing.assert_allclose(values, expected, rtol=1e-13, atol=1e-15, err_msg=str(parameters))


@pytest.mark.parametrize("key", ["accuracy", "precision", "f_beta", "youden_j", "jaccard", "cohen_kappa", "markedness"])
def test_equal_fractions_are_equal_numbers(key: str) -> None:
    """Ties between thresholds can only be found when equal values are equal to the last bit."""
    values = METRICS[key](ALL_AT_ONCE).tolist()
    exact = [value_or_nan(OF_COUNTS[key], *map(Fraction, cells)) for cells in TABLES]
    assert all(a == b or math.isnan(a) for a, b in zip(values, exact, strict=True))


def test_f_is_the_weighted_harmonic_mean_of_precision_and_recall() -> None:
    precision, recall = (METRICS[key](ALL_AT_ONCE) for key in ("precision", "recall"))
    for beta in (0.5, 1, 2):
        with np.errstate(invalid="ignore"):
            harmonic = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        both = np.isfinite(harmonic)
        np.testing.assert_allclose(
            METRICS["f_beta"].with_params(beta=beta)(ALL_AT_ONCE)[both], harmonic[both], rtol=1e-13
        )


def test_dice_orders_as_jaccard() -> None:
    dice, jaccard = METRICS["f_beta"](ALL_AT_ONCE), METRICS["jaccard"](ALL_AT_ONCE)
    np.testing.assert_allclose(dice, 2 * jaccard / (1 + jaccard), rtol=1e-14)


def test_van_rijsbergen_writes_the_loss_with_a_weight_of_precision() -> None:
    precision, recall = (METRICS[key](ALL_AT_ONCE) for key in ("precision", "recall"))
    for beta in (0.5, 1, 2):
        u = 1 / (beta**2 + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = 1 - 1 / (u / precision + (1 - u) / recall)
        both = np.isfinite(precision) & np.isfinite(recall) & (precision > 0)
        np.testing.assert_allclose(
            METRICS["e_measure"].with_params(beta=beta)(ALL_AT_ONCE)[both], loss[both], rtol=1e-12, atol=1e-14
        )


@pytest.mark.parametrize("unit", [1e-110, 1e-80, 1e76, 1e100, 1e150])
def test_the_unit_of_the_weights_does_not_change_a_correlation(unit: float) -> None:
    """Its denominator is a product of four sums, which leaves the range of numbers long before they do."""
    for cells in ((20, 180, 10, 1820), (3, 1, 1, 3), (0, 5, 5, 0), (3, 0, 0, 4)):
        value = matthews_correlation(ConfusionCounts(*(cell * unit for cell in cells)))
        assert value == pytest.approx(float(matthews_correlation(ConfusionCounts(*cells))), rel=1e-13)
        assert -1 <= value <= 1
    assert math.isnan(matthews_correlation(ConfusionCounts(unit, 0, unit, 0)))
