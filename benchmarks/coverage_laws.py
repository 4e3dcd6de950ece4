"""Laws of the data that `benchmarks.coverage` draws from: per family samples, their intervals and the true values."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.stats
from scipy.special import expit, softmax

from evalcore import METRICS, MetricDef
from evalcore.classification import ConfusionMatrix, LabelScores, LabelSets, ProbabilityTable, ScoredLabels
from evalcore.estimation import DistributionPair, Estimates, PredictionIntervals, TwoSamples, interval_scores
from evalcore.inference import (
    Interval,
    IntervalChoice,
    PairedClasses,
    PairedCounts,
    bootstrap_label_measures,
    bootstrap_losses,
    bootstrap_matrix,
    bootstrap_score_differences,
    bootstrap_scores,
    cautious_t,
    compare_auc,
    compare_estimates,
    compare_losses,
    delong,
    distance_draws,
    estimate_interval,
    label_set_differences,
    limits_of_agreement,
    mean_interval,
    mean_of_rows,
    paired_differences,
    share_of_rows,
)
from evalcore.inference.paired.classes import paired_matrix_differences
from evalcore.numeric import Array
from evalcore.registry import measures_of
from evalcore.retrieval import Judgments, Run, evaluate

Random = np.random.Generator
Law = Callable[[Random, int], Any]
Held = dict[str, Interval | tuple[Interval, float]]
"""Intervals by measure; with the true value where it depends on the sample."""

RESAMPLES = 300
"""Fewer than the pages draw, which makes the bounds of one sample vary more and the coverage hardly."""

FEW = 25
"""Below so many rows of a class all or many exchanges of two systems are tried, which takes too long here."""


@dataclass(frozen=True)
class Family:
    """Data of one kind."""

    laws: dict[str, Law]
    intervals: Callable[[Any], Held]
    true: Callable[[Any], dict[str, float]]  # of a very large sample
    rows: int = 1_000_000  # of that sample


def with_interval(family: str, *ways: str) -> list[MetricDef]:
    measures = [one for one in measures_of(family) if one.interval not in ("", "none", "chance")]
    return [one for one in measures if not ways or one.interval in ways]


def differences(tests: Iterable[tuple[str, Any]]) -> Held:
    return {f"difference of {key}": getattr(test, "interval", test) for key, test in tests}


def both(measures: Iterable[MetricDef], a: Any, b: Any) -> dict[str, float]:
    """True values of A, and differences, B minus A; of ratios of ratios, how many times as high."""
    true = {}
    for one in measures:
        of_a, of_b = float(one(a)), float(one(b))
        true |= {one.key: of_a, f"difference of {one.key}": of_b / of_a if one.factors else of_b - of_a}
    return true


# Counts, scores and probabilities: labels and the scores of two systems.


def scored(prevalence: float, noise: Callable[[Random, int], Array], grid: float = 0.0) -> Law:
    def draw(random: Random, n: int) -> tuple[Any, ...]:
        labels = random.random(n) < prevalence
        shared = noise(random, n)
        a = 1.5 * labels + shared
        b = 1.2 * labels + 0.6 * shared + 0.8 * noise(random, n)
        return labels, *(np.round(one / grid) * grid if grid else one for one in (a, b))

    return draw


CUT_AT = 1.6

SCORES: dict[str, Law] = {
    "normal": scored(0.4, lambda random, n: random.normal(size=n)),
    "skewed": scored(0.4, lambda random, n: random.exponential(size=n)),
    "heavy-tailed": scored(0.4, lambda random, n: random.standard_t(2, size=n)),
    "tied": scored(0.4, lambda random, n: random.normal(size=n), grid=1.0),
    "rare": scored(0.1, lambda random, n: random.normal(size=n)),
}


def counted(drawn: Any) -> PairedCounts:
    labels, a, b = drawn
    return PairedCounts.from_labels(labels, a >= CUT_AT, b >= CUT_AT)


def of_counts(drawn: Any) -> Held:
    paired, choice = counted(drawn), IntervalChoice()
    found = {one.key: choice.of(one, paired.a) for one in with_interval("counts")}
    measures = [one for one in measures_of("counts") if one.paired_test]
    tests = zip([one.key for one in measures], paired_differences(measures, paired), strict=True)
    return {key: one[0] for key, one in found.items() if one} | differences(tests)


def of_scores(drawn: Any) -> Held:
    labels, a, b = drawn
    state, measures = ScoredLabels.from_arrays(labels, a), with_interval("scores", "bootstrap")
    keys, one_area = [one.key for one in measures], delong(state)
    found = dict(zip(keys, bootstrap_scores(measures, state, resamples=RESAMPLES), strict=True))
    resampled = [METRICS[key] for key in ("average_precision", "ks_statistic")]  # the slowest of all
    tests = []
    if min(state.positives, state.negatives) >= FEW:
        tests = bootstrap_score_differences(resampled, labels, a, b, resamples=RESAMPLES)
    area = compare_auc(labels, a, b)
    gini = Interval(*(2 * np.array(one_area.ends) - 1))
    return (
        found
        | {"roc_auc": one_area, "gini": gini}
        | differences([("roc_auc", area), *zip([one.key for one in resampled], tests, strict=False)])
    )


def true_scores(drawn: Any) -> dict[str, float]:
    labels, a, b = drawn
    return both(with_interval("scores"), *(ScoredLabels.from_arrays(labels, one) for one in (a, b)))


def stated(spread: float, sharpness: float = 1.0, grid: float = 0.0, classes: int = 2) -> Law:
    """Outcomes of true probabilities, and what two systems state: sharper or duller, or in steps."""

    def draw(random: Random, n: int) -> tuple[Any, ...]:
        logits = spread * random.normal(size=(n, classes))
        actual = (softmax(logits, axis=1).cumsum(axis=1) < random.random((n, 1))).sum(axis=1)
        actual = np.minimum(actual, classes - 1)
        said = [softmax(factor * logits + random.normal(size=logits.shape) / 2, axis=1) for factor in (sharpness, 0.8)]
        if grid:
            said = [np.clip(np.round(one / grid) * grid, grid / 2, 1) for one in said]
            said = [one / one.sum(axis=1, keepdims=True) for one in said]
        return actual, *said

    return draw


PROBABILITIES: dict[str, Law] = {
    "calibrated": stated(1),
    "overconfident": stated(1.5, 3),
    "in steps of 0.1": stated(1, grid=0.1),
    "rarely wrong": stated(5),
    "four classes": stated(1.5, classes=4),
}
LOSSES = [one for one in measures_of("probabilities") if one.interval == "bootstrap"]


def tables(drawn: Any) -> list[ProbabilityTable]:
    actual, *said = drawn
    return [ProbabilityTable.from_arrays(actual, one, range(said[0].shape[1])) for one in said]


def of_probabilities(drawn: Any) -> Held:
    a, b = tables(drawn)
    return bootstrap_losses(a) | differences(
        (key, one) for key, one in compare_losses(a, b).items() if key != "brier_skill"
    )


def true_losses(drawn: Any) -> dict[str, float]:
    return both(LOSSES, *tables(drawn))


# Tables of classes and sets of labels.


def classified(shares: list[float], right: float) -> Law:
    def draw(random: Random, n: int) -> tuple[Any, ...]:
        actual, guesses = (random.choice(len(shares), n, p=shares) for _ in range(2))
        both_right = random.random(n)
        a, b = (np.where(both_right < share, actual, guesses) for share in (right, right - 0.1))
        return actual, a, b

    return draw


CLASSES: dict[str, Law] = {
    "even": classified([0.25] * 4, 0.7),
    "one class 80 %": classified([0.8, 0.1, 0.06, 0.04], 0.7),
    "97 % right": classified([0.4, 0.3, 0.2, 0.1], 0.97),
}


def of_classes(drawn: Any) -> Held:
    actual, a, b = drawn
    names = tuple(range(int(max(one.max() for one in drawn)) + 1))
    matrix, measures = ConfusionMatrix.from_labels(actual, a, names), with_interval("matrix", "bootstrap")
    keys = [one.key for one in measures]
    found = dict(zip(keys, bootstrap_matrix(measures, matrix), strict=True))
    tests = paired_matrix_differences(measures, PairedClasses.from_codes(actual, a, b, names), resamples=RESAMPLES)
    share = IntervalChoice().of(METRICS["recall"], matrix.right())
    return found | ({"overall_accuracy": share[0]} if share else {}) | differences(zip(keys, tests, strict=True))


def true_classes(drawn: Any) -> dict[str, float]:
    actual, a, b = drawn
    return both(with_interval("matrix"), *(ConfusionMatrix.from_labels(actual, one) for one in (a, b)))


def labelled(share: float, wrong: float, per_row: bool = False) -> Law:
    def draw(random: Random, n: int) -> tuple[Any, ...]:
        hard = random.exponential(size=(n, 1)) if per_row else np.ones((n, 1))
        truth = random.random((n, 6)) < share
        a, b = (truth ^ (random.random((n, 6)) < np.minimum(part * hard, 0.9)) for part in (wrong, 1.5 * wrong))
        return truth, a, b, truth + hard * random.normal(size=(n, 6))

    return draw


LABELS: dict[str, Law] = {
    "even": labelled(0.4, 0.15),
    "hard rows": labelled(0.4, 0.15, per_row=True),
    "few labels, rarely wrong": labelled(0.15, 0.03),
}


def of_labels(drawn: Any) -> Held:
    truth, a, b, scores = drawn
    sets = [LabelSets.from_indicators(truth, one) for one in (a, b)]
    tests = [(key, one) for key, one in label_set_differences(sets[0], sets[1]).items() if key in METRICS]
    ranked = LabelScores.from_arrays(truth, scores)
    return bootstrap_label_measures(sets[0]) | bootstrap_label_measures(ranked) | differences(tests)


def true_labels(drawn: Any) -> dict[str, float]:
    truth, a, b, scores = drawn
    ranked = LabelScores.from_arrays(truth, scores)
    return both(with_interval("label sets"), *(LabelSets.from_indicators(truth, one) for one in (a, b))) | {
        one.key: float(one(ranked)) for one in with_interval("label scores")
    }


# Estimates and their prediction intervals.


def estimated(truth: Law, errors: Callable[[Random, Array], Array]) -> Law:
    def draw(random: Random, n: int) -> tuple[Any, ...]:
        y = truth(random, n)
        return y, y + errors(random, y), y + 0.7 * errors(random, y) + 0.1

    return draw


ESTIMATES: dict[str, Law] = {
    "normal": estimated(lambda random, n: random.normal(20, 3, n), lambda random, y: random.normal(0.2, 1.5, len(y))),
    "skewed": estimated(
        lambda random, n: 5 + 4 * random.exponential(size=n), lambda random, y: random.laplace(size=len(y))
    ),
    "heavy-tailed": estimated(
        lambda random, n: random.normal(50, 8, n), lambda random, y: 2 * random.standard_t(5, len(y))
    ),
    "discrete": estimated(
        lambda random, n: 2.0 + random.poisson(2, n),
        lambda random, y: random.choice([-1.0, 0, 0, 1, 2], len(y)) * (y > 2),
    ),
    "heteroscedastic": estimated(
        lambda random, n: 1 + random.gamma(2, 2, n), lambda random, y: y * (random.lognormal(-0.045, 0.3, len(y)) - 1)
    ),
}


def both_estimates(drawn: Any) -> list[Estimates]:
    truth, a, b = drawn
    return [Estimates.from_arrays(truth, one) for one in (a, b)]


def prediction_intervals(drawn: Any) -> PredictionIntervals:
    a = both_estimates(drawn)[0]
    return PredictionIntervals(a, a.estimate - 1.5, a.estimate + 1.5, 0.8)


def of_estimates(drawn: Any) -> Held:
    a, b = both_estimates(drawn)
    found: Held = {one.key: estimate_interval(one, a) for one in with_interval("estimates")}
    total = estimate_interval(METRICS["sum_of_squared_errors"], a)
    found["sum_of_squared_errors"] = total.scaled(1 / len(a))  # its true value grows with the rows
    limits, ends = limits_of_agreement(a), prediction_intervals(drawn)
    found |= {f"limits of agreement: {name}": getattr(limits, name) for name in ("lower", "upper", "slope")}
    found |= {
        "interval_coverage": share_of_rows(ends.covered, a),
        "interval_score": mean_of_rows(interval_scores(ends), a),
    }
    smooth = [one for one in with_interval("estimates") if one.paired_test and one.key != "sum_of_squared_errors"]
    return found | differences((one.key, compare_estimates(one, a, b)) for one in smooth)


def true_estimates(drawn: Any) -> dict[str, float]:
    a, b = both_estimates(drawn)
    true, limits = both(with_interval("estimates"), a, b), limits_of_agreement(a)
    true["sum_of_squared_errors"] = true["mean_squared_error"]
    true |= {f"limits of agreement: {name}": getattr(limits, name).estimate for name in ("lower", "upper", "slope")}
    ends = prediction_intervals(drawn)
    return true | {one.key: float(one(ends)) for one in measures_of("prediction intervals")}


# Means over queries and over images: samples of a large pool whose values are known.


def ranked_pool(systems: tuple[float, float], queries: int = 8_000) -> list[dict[str, Array]]:
    """Values of each measure for each query, of two systems: 30 documents, few relevant, easy and hard queries."""
    random, depth = np.random.default_rng(5), 30
    of_query = np.repeat(np.arange(queries), depth)
    share = np.repeat(random.beta(0.5, 4, queries), depth)
    ease = np.repeat(random.gamma(2, 0.5, queries), depth)
    grades = (random.random(queries * depth) < share) * random.integers(1, 4, queries * depth)
    documents = np.char.add("d", np.tile(np.arange(depth), queries).astype(str)).tolist()
    names = np.char.add("q", of_query.astype(str)).tolist()
    judgments = Judgments.from_arrays(names, documents, grades)
    measures = [one for one in measures_of("retrieval") if one.mean == "arithmetic" and "size" not in one.takes]
    pools = []
    for gain in systems:
        run = Run.from_arrays(names, documents, gain * ease * grades + random.normal(size=len(names)))
        values = evaluate(judgments, run, measures).values
        pools.append({one.label: np.asarray(values[one.label]) for one in measures})
    return pools


def from_pool(make: Callable[[], list[dict[str, Array]]]) -> Law:
    pool: list[list[dict[str, Array]]] = []

    def draw(random: Random, n: int) -> list[dict[str, Array]]:
        if not pool:
            pool.append(make())
        size = len(next(iter(pool[0][0].values())))
        places = np.arange(size) if n >= size else random.integers(0, size, n)
        return [{key: values[places] for key, values in one.items()} for one in pool[0]]

    return draw


def image_pool() -> list[dict[str, Array]]:
    """Values of 200,000 images: Dice near 1, distances with a long tail."""
    random = np.random.default_rng(6)
    hard = random.normal(size=(2, 200_000))
    a = {
        "Dice": expit(2.5 - hard[0]),
        "Hausdorff": np.round(np.exp(1 + hard[0])),
        "mean surface distance": np.exp(hard[0]),
    }
    b = {
        "Dice": expit(2 - hard[1]),
        "Hausdorff": np.round(np.exp(1.2 + hard[1])),
        "mean surface distance": np.exp(hard[1]),
    }
    return [a | {"volume difference": hard[0] ** 3 / 10}, b | {"volume difference": hard[1] ** 3 / 10}]


RANKINGS: dict[str, Law] = {
    "usual": from_pool(lambda: ranked_pool((0.5, 0.6))),
    "nearly perfect": from_pool(lambda: ranked_pool((4, 3))),
}
IMAGES: dict[str, Law] = {"skewed": from_pool(image_pool)}


def of_pool(drawn: Any) -> Held:
    a, b = drawn
    distances = ("Hausdorff", "mean surface distance")
    found: Held = {key: mean_interval(values, skewed=key in distances) for key, values in a.items()}
    return found | differences((key, cautious_t(values, b[key])) for key, values in a.items())


def true_pool(drawn: Any) -> dict[str, float]:
    a, b = drawn
    means = {key: float(values.mean()) for key, values in a.items()}
    return means | {f"difference of {key}": float(b[key].mean()) - mean for key, mean in means.items()}


# Two distributions.


def laid_out(p: Any, q: Any) -> Law:
    return lambda random, n: (p, q, TwoSamples(p.rvs(n, random_state=random), q.rvs(n, random_state=random)))


DISTRIBUTIONS: dict[str, Law] = {
    "normal, shift 0.5": laid_out(scipy.stats.norm(), scipy.stats.norm(0.5)),
    "normal, equal": laid_out(scipy.stats.norm(), scipy.stats.norm()),
    "skewed, 1.5 times": laid_out(scipy.stats.expon(), scipy.stats.expon(scale=1.5)),
    "heavy-tailed, shift 0.5": laid_out(scipy.stats.t(2), scipy.stats.t(2, 0.5)),
    "discrete, 3 and 4": laid_out(scipy.stats.poisson(3), scipy.stats.poisson(4)),
}


def of_distributions(drawn: Any) -> Held:
    """The true distance is that of the distributions in the bins of the sample."""
    p, q, samples = drawn
    edges = samples.edges("quantiles", 10)
    draws = distance_draws(samples, edges, 1000, seed=0)
    # A bin holds its left edge.
    inner = np.nextafter(edges[1:-1], -np.inf)
    shares = [np.diff([0.0, *law.cdf(inner), 1.0]) for law in (p, q)]
    size = len(samples.p)
    true = DistributionPair(shares[0] * size, shares[1] * size, draws.observed.at)
    measures = [one for one in measures_of("distributions") if one.key != "reverse_kl_divergence"]
    return {one.key: (draws.estimate(one).interval, float(one(true))) for one in measures}


# Importance weights: independent of the rows, or larger where the errors are.


def weighted(of: Callable[[Random, Array], Array]) -> Law:
    def draw(random: Random, n: int) -> tuple[Any, ...]:
        labels = random.random(n) < 0.3
        noise = random.normal(size=n)
        scores, truth = noise + 1.5 * labels, random.normal(20, 3, n)
        return labels, scores, truth, truth + 1.5 * noise, of(random, noise)

    return draw


WEIGHTS: dict[str, Law] = {
    "weights alone": weighted(lambda random, noise: random.lognormal(0, 0.8, len(noise))),
    "weights with errors": weighted(lambda random, noise: random.lognormal(0, 0.3, len(noise)) * (0.2 + np.abs(noise))),
    "weights against errors": weighted(
        lambda random, noise: random.lognormal(0, 0.3, len(noise)) / (0.3 + np.abs(noise))
    ),
}


def weighted_states(drawn: Any) -> tuple[Estimates, ScoredLabels, ProbabilityTable]:
    labels, scores, truth, estimate, weights = drawn
    alone = np.arange(len(labels))
    table = ProbabilityTable.from_event(labels, expit(1.5 * scores - 2), weights=weights)
    return (
        replace(Estimates.from_arrays(truth, estimate, weights), importance=True),
        ScoredLabels.from_arrays(labels, scores, weights=weights, clusters=alone),
        replace(table, clusters=alone),
    )


def of_weights(drawn: Any) -> Held:
    estimates, state, table = weighted_states(drawn)
    counts, choice = state.counts_at(1.0), IntervalChoice()
    found: Held = {
        one.key: estimate_interval(one, estimates)
        for one in with_interval("estimates")
        if one.key != "sum_of_squared_errors"
    }
    for one in with_interval("counts"):
        if (interval := choice.of(one, counts)) is not None:
            found[one.key] = interval[0]
    inside = np.abs(estimates.error) < 1.5
    return (
        found
        | bootstrap_losses(table)
        | {
            "roc_auc": delong(state),
            "average_precision": bootstrap_scores([METRICS["average_precision"]], state, resamples=RESAMPLES)[0],
            "share within 1.5": share_of_rows(inside, estimates),
        }
    )


def true_weights(drawn: Any) -> dict[str, float]:
    estimates, state, table = weighted_states(drawn)
    counts = state.counts_at(1.0)
    true = {one.key: float(one(estimates)) for one in with_interval("estimates")}
    true |= {one.key: float(one(counts)) for one in with_interval("counts")}
    true |= {one.key: float(one(state)) for one in with_interval("scores")}
    true |= {one.key: float(one(table)) for one in LOSSES}
    return true | {"share within 1.5": estimates.mean((np.abs(estimates.error) < 1.5) * 1.0)}


def true_counts(drawn: Any) -> dict[str, float]:
    paired = counted(drawn)
    return both(with_interval("counts"), paired.a, paired.b)


FAMILIES = {
    "counts": Family(SCORES, of_counts, true_counts),
    "scores": Family(SCORES, of_scores, true_scores),
    "probabilities": Family(PROBABILITIES, of_probabilities, true_losses),
    "classes": Family(CLASSES, of_classes, true_classes),
    "labels": Family(LABELS, of_labels, true_labels, 300_000),
    "rankings": Family(RANKINGS, of_pool, true_pool),
    "images": Family(IMAGES, of_pool, true_pool),
    "estimates": Family(ESTIMATES, of_estimates, true_estimates),
    "distributions": Family(DISTRIBUTIONS, of_distributions, lambda _: {}, 1000),
    "weights": Family(WEIGHTS, of_weights, true_weights),
}
