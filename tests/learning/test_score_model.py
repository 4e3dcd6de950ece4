"""Distributions of scores: areas and curves against SciPy, closed forms, and what samples do."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from evalcore.classification import ScoredLabels, average_precision, roc_auc
from evalcore.inference import delong
from evalcore.learning import DrawnBars, ScoreModel, SkewNormal, uniform_numbers

HILLS = [(50, 8, 0.0), (60, 2, 0.9), (40, 10, -0.9), (55, 5, 0.3), (45, 3, -0.7)]


def azzalini(mean: float, sd: float, skewness: float):
    hill = SkewNormal(mean, sd, skewness)
    return stats.skewnorm(hill.slope, hill.location, hill.scale)


def above(hill: tuple, scores: np.ndarray) -> np.ndarray:
    """What SciPy's own distribution gives too, a thousand times more slowly."""
    shape = SkewNormal(*hill)
    z = (scores - shape.location) / shape.scale
    return special.ndtr(-z) + 2 * special.owens_t(z, shape.slope)


@pytest.mark.parametrize("hill", HILLS)
def test_hills_are_those_of_scipy_and_have_the_moments_they_are_named_by(hill: tuple) -> None:
    ours, theirs, scores = SkewNormal(*hill), azzalini(*hill), np.linspace(-20, 120, 141)
    assert theirs.stats("mvs") == pytest.approx((hill[0], hill[1] ** 2, hill[2]), rel=1e-12, abs=1e-12)
    assert ours.density(scores) == pytest.approx(theirs.pdf(scores), rel=1e-9, abs=1e-15)
    assert ours.above(scores) == pytest.approx(above(hill, scores), abs=1e-12)
    assert ours.above(scores[::20]) == pytest.approx(theirs.sf(scores[::20]), abs=1e-9)


def test_two_normals_have_the_auc_of_the_closed_form() -> None:
    model = ScoreModel(SkewNormal(60, 8), SkewNormal(45, 5))
    assert model.roc_auc == pytest.approx(stats.norm.cdf(15 / math.sqrt(64 + 25)), abs=1e-13)
    assert model.binormal_auc == pytest.approx(model.roc_auc, abs=1e-13)
    assert math.isnan(ScoreModel(SkewNormal(60, 8, 0.1), SkewNormal(45, 5)).binormal_auc)


@pytest.mark.parametrize(("one", "other", "prevalence"), [(HILLS[1], HILLS[2], 0.02), (HILLS[0], HILLS[4], 0.5)])
def test_areas_are_integrals_of_the_curves(one: tuple, other: tuple, prevalence: float) -> None:
    model, a = ScoreModel(SkewNormal(*one), SkewNormal(*other), prevalence), azzalini(*one)
    scores = np.linspace(-60, 160, 40_001)
    area = integrate.simpson((1 - above(other, scores)) * a.pdf(scores), x=scores)
    assert model.roc_auc == pytest.approx(area, abs=1e-9)
    hits, alarms = prevalence * above(one, scores), (1 - prevalence) * above(other, scores)
    precision = np.divide(hits, hits + alarms, out=np.zeros_like(hits), where=hits + alarms > 0)
    expected = integrate.simpson(precision * a.pdf(scores), x=scores)
    assert model.average_precision == pytest.approx(expected, abs=1e-9)
    seen = precision[hits + alarms > 1e-9]
    assert model.precision_at(scores[hits + alarms > 1e-9]) == pytest.approx(seen, abs=1e-6)


def test_bars_have_the_areas_that_can_be_counted() -> None:
    model = ScoreModel(DrawnBars((1, 3), 0, 10), DrawnBars((3, 1), 0, 10), 0.25)
    assert model.roc_auc == pytest.approx(9 / 16 + (3 + 3) / 16 / 2, abs=1e-15)
    ten = np.linspace(0, 10, 400_001)[:-1] + 0.5 * 10 / 400_000
    expected = np.mean(model.positives.density(ten) * 10 * model.precision_at(ten))
    assert model.average_precision == pytest.approx(expected, abs=1e-9)
    apart = ScoreModel(DrawnBars((0, 1)), DrawnBars((1, 0)), 0.01)
    assert (apart.roc_auc, apart.average_precision) == (1, 1)
    backwards = ScoreModel(DrawnBars((1, 0)), DrawnBars((0, 1)), 0.5)
    assert backwards.average_precision == pytest.approx(1 - math.log(2), abs=1e-15)
    # Little flagged before a bar: the closed form; much: the series in its place.
    slight = ScoreModel(DrawnBars((1, 1000)), DrawnBars((1, 999)), 0.5)
    assert slight.average_precision == pytest.approx(np.mean(slight.precision_at([75.0])), abs=1e-3)


@pytest.mark.parametrize(
    "model",
    [
        ScoreModel(SkewNormal(58, 8, -0.9), SkewNormal(50, 5, 0.5), 0.3),
        ScoreModel(DrawnBars((0, 1, 5, 2)), DrawnBars((2, 5, 1, 0)), 0.3),
    ],
    ids=["hills", "bars"],
)
def test_samples_scatter_about_the_theory_as_the_theory_says(model: ScoreModel) -> None:
    states = [ScoredLabels.from_arrays(*model.sample(200, seed)) for seed in range(1, 301)]
    areas = np.array([roc_auc(state) for state in states])
    error = model.auc_error(60, 140)
    assert areas.mean() == pytest.approx(model.roc_auc, abs=4 * error / math.sqrt(300))
    assert areas.std() == pytest.approx(error, rel=0.15)
    precise = np.mean([average_precision(state) for state in states])
    assert precise == pytest.approx(model.average_precision, abs=0.02)
    covered = np.mean([interval.low <= model.roc_auc <= interval.high for interval in map(delong, states)])
    assert covered > 0.9
    scores = model.sample(20_000, 7)[1][:6000]
    assert stats.kstest(scores, lambda x: 1 - model.positives.above(x)).pvalue > 0.001


def test_uniform_numbers_are_those_of_the_generator_and_streams_are_apart() -> None:
    def mulberry(state: int, count: int) -> list[float]:  # as it is published, one number after the other
        numbers = []
        for _ in range(count):
            state = (state + 0x6D2B79F5) % 2**32
            mixed = (state ^ (state >> 15)) * (state | 1) % 2**32
            mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) % 2**32
            numbers.append(((mixed ^ (mixed >> 14)) + 0.5) / 2**32)
        return numbers

    assert uniform_numbers(0, 0, 5).tolist() == mulberry(0, 5)
    assert uniform_numbers(3, 2, 5).tolist() == mulberry((3 * 0x9E3779B1 + 2 * 0x85EBCA77) % 2**32, 5)
    step = pow(0x6D2B79F5, -1, 2**32)
    seeds, streams = np.arange(1, 1000, dtype=np.uint64)[:, None], np.arange(6, dtype=np.uint64)
    starts = (seeds * np.uint64(0x9E3779B1) + streams * np.uint64(0x85EBCA77)) * np.uint64(step) % 2**32
    assert np.diff(np.sort(starts.ravel())).min() > 0
    assert stats.kstest(uniform_numbers(5, 1, 10_000), "uniform").pvalue > 0.001


def test_a_sample_has_both_classes_and_the_same_scores_for_the_same_seed() -> None:
    rare = ScoreModel(SkewNormal(60, 8), SkewNormal(45, 8), 0.001)
    assert rare.class_sizes(50) == (1, 49)
    labels, scores = rare.sample(50, 3)
    assert labels.sum() == 1
    assert scores.tolist() == rare.sample(50, 3)[1].tolist()
    assert ScoreModel(SkewNormal(60, 8), SkewNormal(45, 8), 0.999).class_sizes(50) == (49, 1)
    last = DrawnBars((1, 1, 0, 0)).draw(np.array([1 - 1e-17]), np.array([0.5]))
    assert last.tolist() == [37.5]  # never in a bar without a height


@pytest.mark.parametrize("wrong", [{"sd": 0}, {"sd": -1}, {"mean": math.nan}, {"skewness": 1}, {"skewness": math.nan}])
def test_a_hill_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="must"):
        SkewNormal(**{"mean": 50, "sd": 8, "skewness": 0, **wrong})


@pytest.mark.parametrize("heights", [(0, 0), (-1, 2), (math.nan, 1)])
def test_bars_that_cannot_be_are_refused(heights: tuple) -> None:
    with pytest.raises(ValueError, match="heights"):
        DrawnBars(heights)
