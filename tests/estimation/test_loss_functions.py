"""Losses and the constants that are best by them, against a search, and what they do not apply to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.estimation import LOSS_FAMILIES, LOSS_FUNCTIONS, huber_centre
from tests.words import facts, sentence_with

RANDOM = np.random.default_rng(8)
VALUES = {"numbers": RANDOM.normal(3, 2, size=41).round(1), "counts": RANDOM.poisson(2, size=41).astype(float)}
VALUES["classes"] = np.repeat([-1.0, 1.0], [14, 27])
WEIGHTS = RANDOM.integers(1, 4, size=41).astype(float)


@pytest.mark.parametrize("key", sorted(LOSS_FUNCTIONS))
def test_no_other_constant_costs_less(key: str) -> None:
    loss, parameter = LOSS_FUNCTIONS[key], {"quantile": 0.3, "huber": 1.5}.get(key, np.nan)
    values = VALUES[loss.needs]
    best = loss.best(values, WEIGHTS, parameter)
    grid = np.append(np.linspace(-6, 10, 4001), best)
    total = sum(weight * loss.loss(grid, float(y), parameter) for y, weight in zip(values, WEIGHTS, strict=True))
    assert total[-1] <= np.nanmin(total) + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.sampled_from([0.5, 2.0, 100.0]))
def test_hubers_centre_lies_where_the_slope_is_nought(drawn, delta) -> None:
    values = np.array(drawn, dtype=float)
    centre = huber_centre(values, np.ones(len(values)), delta)
    assert np.clip(centre - values, -delta, delta).sum() == pytest.approx(0, abs=1e-8)
    if delta == 100:
        assert centre == pytest.approx(values.mean())


def test_what_a_loss_does_not_apply_to_is_said() -> None:
    assert sentence_with(LOSS_FUNCTIONS["hinge"].problem(VALUES["numbers"]), "1", "classes")
    assert facts(LOSS_FUNCTIONS["poisson"].problem(np.array([-1.0, 2]))) == "0 -1"
    assert sum(LOSS_FAMILIES.values(), ()).__len__() == len(LOSS_FUNCTIONS)
