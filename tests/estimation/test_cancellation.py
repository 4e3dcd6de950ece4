"""Differences of almost equal numbers: each measure keeps the digits that the data have, by exact arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from evalcore import METRICS, find
from evalcore.classification import EventProbabilities, ProbabilityTable, brier_parts, divergences
from evalcore.estimation import DistributionPair, Estimates, tweedie_deviances

RANDOM = np.random.default_rng(25)
POWERS = (1.0, 1 + 2**-30, 1.1, 1.5, 1.9, 2 - 2**-30, 2.0, 2.5, 3.0)
LARGE = 1e9 + RANDOM.integers(-40, 40, 200)
BESIDE = LARGE + RANDOM.integers(-3, 4, 200)


def deviance(truth: float, estimate: float, power: float) -> Decimal:
    """The unit deviance as its formula has it, in 80 digits."""
    with localcontext(prec=80):
        y, p, q = (Decimal(float(x)) for x in (truth, estimate, power))
        if q == 1:
            return 2 * ((y * (y / p).ln() if y else 0) - y + p)
        if q == 2:
            return 2 * ((p / y).ln() + y / p - 1)
        first = (y ** (2 - q) if y else 0) / ((1 - q) * (2 - q))
        return 2 * (first - y * p ** (1 - q) / (1 - q) + p ** (2 - q) / (2 - q))


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("apart", [1e-14, 1e-9, 1e-4, 0.2, 0.3, 0.9])
def test_deviances_have_all_digits_however_near_the_estimate_is(power: float, apart: float) -> None:
    for scale in (1e-6, 1.0, 1e9):
        truth = scale * RANDOM.uniform(0.5, 2, 30)
        estimate = truth * (1 + apart * np.where(RANDOM.random(30) < 0.5, -1, 1))
        values = tweedie_deviances(Estimates(truth, estimate), power)
        expected = [float(deviance(y, p, power)) for y, p in zip(truth, estimate, strict=True)]
        np.testing.assert_allclose(values, expected, rtol=1e-13)


@pytest.mark.parametrize("power", POWERS)
def test_deviances_of_numbers_far_apart(power: float) -> None:
    truth, estimate = 10 ** RANDOM.uniform(-8, 8, (2, 60))
    expected = [float(deviance(y, p, power)) for y, p in zip(truth, estimate, strict=True)]
    # Near a power of 1 or 2 the formula is a quotient of small numbers.
    np.testing.assert_allclose(tweedie_deviances(Estimates(truth, estimate), power), expected, rtol=1e-12)
    if power < 2:
        nothing = tweedie_deviances(Estimates(np.zeros(60), estimate), power)
        np.testing.assert_allclose(nothing, [float(deviance(0.0, p, power)) for p in estimate], rtol=1e-13)


@pytest.mark.parametrize("name", ["Poisson deviance", "gamma deviance", "Tweedie deviance(power=1.5)"])
def test_mean_deviances_of_large_counts(name: str) -> None:
    state, power = Estimates.from_arrays(LARGE, BESIDE), {"P": 1.0, "g": 2.0, "T": 1.5}[name[0]]
    expected = sum(deviance(y, p, power) for y, p in zip(LARGE, BESIDE, strict=True)) / len(LARGE)
    assert find(name)(state) == pytest.approx(float(expected), rel=1e-13, abs=0)
    assert find(name)(Estimates.from_arrays([1e9], [1e9 + 1])) > 0


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_shares_of_a_deviance_of_large_counts(power: float) -> None:
    state = Estimates.from_arrays(LARGE, BESIDE)
    mean = float(sum(map(Fraction, LARGE.tolist())) / len(LARGE))
    loss, constant = (
        sum(deviance(y, p, power) for y, p in zip(LARGE, by, strict=True)) for by in (BESIDE, [mean] * len(LARGE))
    )
    value = find(f"D² Tweedie(power={power})")(state)
    assert value == pytest.approx(float(1 - loss / constant), rel=1e-10)
    assert value <= 1


def test_what_depends_on_the_spread_alone_does_not_see_the_offset() -> None:
    y, p = ([Fraction(x) for x in side.tolist()] for side in (LARGE, BESIDE))
    n = len(y)

    def product(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((c - sum(a) / n) * (d - sum(b) / n) for c, d in zip(a, b, strict=True)) / n

    error = [b - a for a, b in zip(y, p, strict=True)]
    squared = sum(e * e for e in error) / n
    expected = {
        "r_squared": 1 - squared / product(y, y),
        "explained_variance": 1 - product(error, error) / product(y, y),
        "concordance_correlation": 2 * product(y, p) / (product(y, y) + product(p, p) + (sum(error) / n) ** 2),
        "mean_squared_error": squared,
        "mean_error": sum(error) / n,
    }
    for key, value in expected.items():
        assert METRICS[key](Estimates.from_arrays(LARGE, BESIDE)) == pytest.approx(float(value), rel=1e-12, abs=0), key
    root = float(product(y, p)) / float(product(y, y) * product(p, p)) ** 0.5
    assert METRICS["pearson_correlation"](Estimates.from_arrays(LARGE, BESIDE)) == pytest.approx(root, rel=1e-12, abs=0)


def test_agreement_of_estimates_that_are_off_by_little_beside_their_size() -> None:
    """A mean error of a third of a unit among numbers of 10¹²."""
    truth = 1e12 + np.arange(6.0) / 4
    estimate = truth + np.array([0.25, 0.5, 0.25, 0.25, 0.5, 0.25])
    y, p = ([Fraction(x) for x in side.tolist()] for side in (truth, estimate))
    of_y, of_p = (sum(side) / 6 for side in (y, p))
    variances = [sum((a - m) ** 2 for a in side) / 6 for side, m in ((y, of_y), (p, of_p))]
    covariance = sum((a - of_y) * (b - of_p) for a, b in zip(y, p, strict=True)) / 6
    expected = 2 * covariance / (sum(variances) + (of_y - of_p) ** 2)
    value = METRICS["concordance_correlation"](Estimates.from_arrays(truth, estimate))
    assert value == pytest.approx(float(expected), rel=1e-8)


def exact_distances(p: list[int], q: list[int]) -> dict[str, float]:
    """Distances of two tables of counts: what is rational in fractions, logarithms and roots in 60 digits."""
    one, two = ([Fraction(x, sum(side)) for x in side] for side in (p, q))
    pairs = list(zip(one, two, strict=True))
    with localcontext(prec=60):
        a, b = ([Decimal(x.numerator) / Decimal(x.denominator) for x in side] for side in (one, two))
        both = list(zip(a, b, strict=True))
        middles = [(x + y) / 2 for x, y in both]
        surprises = {
            "kl_divergence": sum(x * (x / y).ln() for x, y in both),
            "reverse_kl_divergence": sum(y * (y / x).ln() for x, y in both),
            "population_stability_index": sum((x - y) * (x / y).ln() for x, y in both),
            "jensen_shannon_divergence": sum(
                x * (x / m).ln() + y * (y / m).ln() for (x, y), m in zip(both, middles, strict=True)
            )
            / 2,
            "hellinger_distance": (sum((x.sqrt() - y.sqrt()) ** 2 for x, y in both) / 2).sqrt(),
        }
    sizes = Fraction(sum(p) * sum(q), 1)
    gaps = [x - y for x, y in pairs]
    ratios = {
        "total_variation": sum(abs(gap) for gap in gaps) / 2,
        "chi_square_divergence": sum(gap**2 / y for gap, (_, y) in zip(gaps, pairs, strict=True)),
        "chi_square_statistic": sum(sizes * gap**2 / (i + j) for gap, i, j in zip(gaps, p, q, strict=True)),
        "ks_distance": max(abs(sum(gaps[: k + 1])) for k in range(len(gaps))),
    }
    return {key: float(value) for key, value in (surprises | ratios).items()}


@pytest.mark.parametrize("more", [(1, 0, 0, 0), (3, -1, -2, 0), (5, -900, 4, 77), (10_000, 0, -10_000, 3)])
def test_distances_of_large_counts_that_are_almost_equal(more: tuple[int, ...]) -> None:
    q = [10**9, 3 * 10**9, 700_000_001, 41]
    p = [i + k for i, k in zip(q, more, strict=True)]
    pair = DistributionPair.from_counts(p, q, at=range(4))
    for key, value in exact_distances(p, q).items():
        assert METRICS[key](pair) == pytest.approx(value, rel=1e-9, abs=0), key


def test_the_divergences_of_two_lists_of_shares_that_are_almost_equal() -> None:
    p, q = [0.25, 0.75], [0.25 + 2**-40, 0.75 - 2**-40]
    with localcontext(prec=60):
        both = list(zip(map(Decimal, p), map(Decimal, q), strict=True))
        expected = float(sum(x * (x / y).ln() for x, y in both))
    assert divergences(p, q).kl_pq == pytest.approx(expected, rel=1e-12, abs=0)


def test_skill_where_almost_all_rows_have_one_class() -> None:
    """Weights count the rows: 10¹² negatives beside 3 positives."""
    sizes = [Fraction(10**12), Fraction(3)]
    weights, probability = [float(size) for size in sizes], [1e-9, 0.5]
    table = ProbabilityTable.from_event([0, 1], probability, positive=1, weights=weights)
    total = sum(sizes)
    uncertainty = 2 * sizes[0] * sizes[1] / total**2
    loss = 2 * (sizes[0] * Fraction(1e-9) ** 2 + sizes[1] / 4) / total
    assert METRICS["brier_skill"](table) == pytest.approx(float(1 - loss / uncertainty), rel=1e-12, abs=0)
    parts = brier_parts(EventProbabilities(np.array(probability), np.array([False, True]), np.array(weights)))
    assert parts.uncertainty == pytest.approx(float(uncertainty / 2), rel=1e-14, abs=0)
