"""Distances of two distributions: definitions in fractions, scipy, what they must keep, and prints."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import linprog
from scipy.spatial.distance import jensenshannon

from evalcore import METRICS, MetricDef
from evalcore.estimation import DistributionPair, TwoSamples, terms_of, transport_plan
from tests.estimation.distance_definitions import OF_DISTRIBUTIONS
from tests.registry.families import each_of, of_family

RANDOM = np.random.default_rng(5)
each_distance = each_of("distributions")


def values_of(pair: DistributionPair) -> dict[str, float]:
    return {measure.key: float(measure(pair)) for measure in of_family("distributions")}


@st.composite
def counts(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    k = draw(st.integers(1, 6))
    cells = st.lists(st.integers(0, 5), min_size=k, max_size=k).filter(any)
    places = st.lists(st.integers(-9, 9), min_size=k, max_size=k, unique=True)
    return draw(cells), draw(cells), sorted(draw(places))


@settings(max_examples=60, deadline=None)
@given(counts())
def test_each_is_what_its_definition_says(drawn) -> None:
    p, q, at = drawn
    values = values_of(DistributionPair.from_counts(p, q, at))
    fractions = [[Fraction(x) for x in side] for side in drawn]
    for key, definition in OF_DISTRIBUTIONS.items():
        # Roots of what is nearly 0 lose half of their digits, in the definition too.
        near = 1e-7 if key == "hellinger_distance" else 1e-12
        assert values[key] == pytest.approx(definition(*fractions), rel=1e-12, abs=near), key


def test_they_are_those_of_scipy() -> None:
    for k in (2, 7, 40):
        p, q = RANDOM.integers(1, 50, size=(2, k)).astype(float)
        at = np.sort(RANDOM.normal(size=k))
        values = values_of(DistributionPair(p, q, at))
        one, two = p / p.sum(), q / q.sum()
        expected = {
            "entropy": stats.entropy(p),
            "kl_divergence": stats.entropy(p, q),
            "reverse_kl_divergence": stats.entropy(q, p),
            "jensen_shannon_divergence": jensenshannon(p, q) ** 2,
            "chi_square_statistic": stats.chi2_contingency(np.stack([p, q]), correction=False).statistic,
            "chi_square_divergence": stats.chisquare(one, two).statistic,
            "wasserstein_distance": stats.wasserstein_distance(at, at, p, q),
        }
        for key, value in expected.items():
            assert values[key] == pytest.approx(value, rel=1e-12), key


def test_rows_are_counted_as_scipy_counts_them_ties_too() -> None:
    for decimals in (0, 3):
        p, q = RANDOM.normal(size=70).round(decimals), RANDOM.normal(0.4, 2, size=55).round(decimals)
        samples = TwoSamples(p, q)
        assert METRICS["ks_distance"](samples.exact) == pytest.approx(stats.ks_2samp(p, q).statistic, abs=1e-14)
        expected = stats.wasserstein_distance(p, q)
        assert METRICS["wasserstein_distance"](samples.exact) == pytest.approx(expected, rel=1e-12)
        weighted = TwoSamples(p, q, weights_p=np.arange(70.0), weights_q=np.ones(55))
        expected = stats.wasserstein_distance(p, q, np.arange(70.0))
        assert METRICS["wasserstein_distance"](weighted.exact) == pytest.approx(expected, rel=1e-12)


def test_a_printed_example() -> None:
    """Wikipedia, Kullback–Leibler divergence, basic example: 9/25, 12/25, 4/25 against the uniform distribution."""
    pair = DistributionPair.from_counts([9, 12, 4], [1, 1, 1])
    assert float(METRICS["kl_divergence"](pair)) == pytest.approx(0.0852996, abs=5e-8)
    assert float(METRICS["reverse_kl_divergence"](pair)) == pytest.approx(0.097455, abs=5e-7)


@each_distance
def test_the_terms_add_up_to_the_measure(definition: MetricDef) -> None:
    pair = DistributionPair.from_counts([1, 4, 0, 2], [2, 2, 1, 2], at=[0, 1, 5, 6])
    terms = terms_of(definition.key, pair)
    whole = {"hellinger_distance": math.sqrt(terms.sum()), "ks_distance": terms.max()}.get(definition.key, terms.sum())
    assert float(definition(pair)) == pytest.approx(whole, rel=1e-14)


@each_distance
def test_a_distribution_is_at_no_distance_from_itself_and_resamples_are_an_axis(definition: MetricDef) -> None:
    p = RANDOM.integers(0, 4, size=(20, 5)).astype(float) + np.eye(5)[0]
    same = definition(DistributionPair(p, p, np.arange(5.0)))
    if definition.best == 0:
        assert same == pytest.approx(np.zeros(20), abs=1e-12)
    many = definition(DistributionPair(p, p[::-1], np.arange(5.0)))
    each = [definition(DistributionPair(one, other, np.arange(5.0))) for one, other in zip(p, p[::-1], strict=True)]
    assert many.tolist() == pytest.approx(each)
    finite = many[np.isfinite(many)]
    assert ((finite >= definition.lowest) & (finite <= definition.highest + 1e-12)).all()


@each_distance
def test_what_is_empty_or_has_no_order_is_undefined(definition: MetricDef) -> None:
    empty = DistributionPair(np.zeros(2), np.zeros(2), np.arange(2.0))
    with np.errstate(invalid="ignore"):
        assert np.isnan(definition(empty))
    unordered = definition(DistributionPair.from_counts([1, 2], [2, 1]))
    assert np.isnan(unordered) == (definition.key in ("ks_distance", "wasserstein_distance"))


def test_distances_that_bound_each_other() -> None:
    for p, q in RANDOM.dirichlet(np.ones(6) / 2, size=(50, 2)):
        pair = DistributionPair(p, q, np.arange(6.0))
        values = values_of(pair)
        assert values["hellinger_distance"] ** 2 <= values["total_variation"] + 1e-12
        assert values["total_variation"] <= math.sqrt(2) * values["hellinger_distance"] + 1e-12
        assert values["total_variation"] <= math.sqrt(values["kl_divergence"] / 2) + 1e-12  # Pinsker
        assert values["ks_distance"] <= values["total_variation"] + 1e-12


def test_no_plan_carries_the_mass_for_less() -> None:
    """Against the linear programme of Kantorovich; all stays that total variation lets stay."""
    for k in (2, 5, 9):
        p, q = RANDOM.dirichlet(np.ones(k) / 2, size=2)
        at = np.sort(RANDOM.normal(size=k))
        plan = transport_plan(DistributionPair(p, q, at))
        assert np.bincount(plan.origin, plan.mass, k) == pytest.approx(p, abs=1e-11)
        assert np.bincount(plan.target, plan.mass, k) == pytest.approx(q, abs=1e-11)
        cost = np.abs(at[:, None] - at)
        rows, columns = np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))
        best = linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([p, q])).fun
        assert plan.mass @ np.abs(at[plan.origin] - at[plan.target]) == pytest.approx(best, abs=1e-9)
        assert plan.staying == pytest.approx(np.minimum(p, q).sum())


@pytest.mark.parametrize(
    ("p", "q", "at", "sentence"),
    [
        ([1, 2], [1, 2, 3], None, "P has 2 bins and Q 3"),
        ([1, -2], [1, 2], None, "P has -2 in bin 2"),
        ([1, 2], [float("nan"), 2], None, "nan in bin 1"),
        ([0, 0], [1, 2], None, "All counts of P are 0"),
        ([], [], None, "each bin"),
        ([1, 2], [1, 2], [1, 1], "must ascend"),
    ],
)
def test_what_is_no_pair_of_distributions(p, q, at, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        DistributionPair.from_counts(p, q, at)
