"""How often intervals that say 95 % hold the true value, over the number of rows and the share of positives.

Samples are drawn from two normal laws, whose true areas and rates are known: system A has an area of 0.85, system B one
of 0.8, and their scores are correlated by 0.6 within each class. Both are cut half-way between the means of A.
``python -m benchmarks.coverage 2000 facts`` draws so many samples and prints the table that stands in
evalcore/inference/coverage.py.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from statistics import NormalDist

import numpy as np

from benchmarks.clock import line
from evalcore import METRICS
from evalcore.classification import ConfusionCounts, ScoredLabels
from evalcore.inference import (
    PairedCounts,
    bootstrap,
    clopper_pearson,
    correlated_areas,
    paired_differences,
    precision_recall_band,
    roc_band,
    wilson,
)
from evalcore.inference.coverage import PREVALENCES, ROWS, WORDS

SAMPLES, SAMPLES_OF_BANDS = 500, 200

NORMAL = NormalDist()
AREAS = (0.85, 0.8)
SHIFTS = tuple(2**0.5 * NORMAL.inv_cdf(area) for area in AREAS)
ALIKE = 0.6
CUT = SHIFTS[0] / 2
COUNTED = ("f_beta", "matthews_correlation", "precision")


def true_counts(prevalence: float, system: int) -> ConfusionCounts:
    tpr, fpr = NORMAL.cdf(SHIFTS[system] - CUT), NORMAL.cdf(-CUT)
    return ConfusionCounts(
        prevalence * tpr, (1 - prevalence) * fpr, prevalence * (1 - tpr), (1 - prevalence) * (1 - fpr)
    )


def drawn(random: np.random.Generator, n: int, prevalence: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels and the scores of both systems."""
    labels = random.random(n) < prevalence
    shared, own = random.normal(size=n), random.normal(size=n)
    return labels, shared + SHIFTS[0] * labels, ALIKE * shared + (1 - ALIKE**2) ** 0.5 * own + SHIFTS[1] * labels


def coverages(place: tuple[int, float, int]) -> dict[str, float]:
    """For each method the share of its intervals that hold the true value; none where no sample has an interval."""
    n, prevalence, samples = place
    random = np.random.default_rng((n, round(1000 * prevalence)))
    truth = [true_counts(prevalence, system) for system in (0, 1)]
    held: dict[str, list[float]] = {}

    def note(method: str, low: float, high: float, true: float) -> None:
        held.setdefault(method, []).append(np.nan if np.isnan(low) or np.isnan(high) else float(low <= true <= high))

    recall, accuracy, f1 = METRICS["recall"], METRICS["accuracy"], METRICS["f_beta"]
    for _ in range(samples):
        labels, a, b = drawn(random, n, prevalence)
        paired = PairedCounts.from_labels(labels, a >= CUT, b >= CUT)
        counts, positives = paired.a, paired.a.actual_positives
        for method in (wilson, clopper_pearson):
            interval = method(counts.tp, positives)
            note(f"{method.__name__} recall", interval.low, interval.high, float(recall(truth[0])))
        areas = correlated_areas(labels, [a, b])
        for logit in (False, True):
            interval = areas.intervals(logit=logit)
            note("delong_logit" if logit else "delong", interval.low[0], interval.high[0], AREAS[0])
        compared = areas.compared(0, 1).interval
        note("delong_difference", compared.low, compared.high, AREAS[1] - AREAS[0])
        for key in COUNTED:
            interval = bootstrap(METRICS[key], counts)
            note(f"bootstrap {key}", interval.low, interval.high, float(METRICS[key](truth[0])))
        for measure, method in (
            (recall, "score_difference recall"),
            (accuracy, "score_difference accuracy"),
            (f1, "bootstrap_difference f_beta"),
        ):
            interval = paired_differences([measure], paired)[0].interval
            note(method, interval.low, interval.high, float(measure(truth[1]) - measure(truth[0])))
    return {method: float(np.nanmean(values)) for method, values in held.items() if not np.isnan(values).all()}


def of_bands(n: int, prevalence: float, samples: int) -> dict[str, float]:
    """Share of samples whose band holds the true curve at every place, or at one place for a pointwise band."""
    at = np.linspace(0, 1, 101)[1:-1]
    roc = np.array([NORMAL.cdf(SHIFTS[0] + NORMAL.inv_cdf(x)) for x in at])
    alarms = np.array([NORMAL.cdf(NORMAL.inv_cdf(y) - SHIFTS[0]) for y in at])
    pure = prevalence * at / (prevalence * at + (1 - prevalence) * alarms)
    kinds: dict[str, tuple[Callable, np.ndarray]] = {
        "ROC, pointwise": (roc_band, roc),
        "ROC, simultaneous": (lambda t: roc_band(t, simultaneous=True), roc),
        "PR, pointwise": (precision_recall_band, pure),
        "PR, simultaneous": (lambda t: precision_recall_band(t, simultaneous=True), pure),
    }
    inside: dict[str, list] = {kind: [] for kind in kinds}
    random = np.random.default_rng((n, round(1000 * prevalence)))
    for _ in range(samples):
        labels, a, _ = drawn(random, n, prevalence)
        table = ScoredLabels.from_arrays(labels, a).table()
        for kind, (band_of, true) in kinds.items():
            band = band_of(table)
            held = (band.low[1:-1] <= true) & (true <= band.high[1:-1])
            inside[kind].append(held.all() if band.simultaneous else held.mean())
    return {kind: float(np.mean(values)) for kind, values in inside.items()}


def main(arguments: list[str]) -> None:
    samples = int(arguments[0]) if arguments else SAMPLES
    places = [(n, prevalence, samples) for prevalence in PREVALENCES for n in ROWS]
    with ProcessPoolExecutor(2) as workers:
        found = dict(zip(places, workers.map(coverages, places), strict=True))
    if "facts" in arguments:
        print_facts(found, samples)
        return
    for method in found[ROWS[-1], PREVALENCES[-1], samples]:
        print(f"  {method}: coverage of 95 % intervals, {samples} samples a number")
        for prevalence in PREVALENCES:
            of_rows = [f"{found[n, prevalence, samples].get(method, np.nan):.3f}" for n in ROWS]
            line(f"    {prevalence:.0%} positive, n = {', '.join(map(str, ROWS))}", "  ".join(of_rows))
    for n, prevalence in ((100, 0.5), (500, 0.1), (2000, 0.1)):
        for kind, share in of_bands(n, prevalence, SAMPLES_OF_BANDS).items():
            line(f"{kind}: n = {n}, {prevalence:.0%} positive", f"{share:.3f}", "0.93 … 0.97", None)


def print_facts(found: dict, samples: int) -> None:
    """The table of evalcore/inference/coverage.py: coverages in thousandths."""
    for method in WORDS:
        rows = [tuple(round(1000 * found[n, p, samples][method]) for n in ROWS) for p in PREVALENCES]
        print(f'    "{method}": {tuple(rows)},')


if __name__ == "__main__":
    main(sys.argv[1:])
