"""How often 95 % intervals hold the true value: every interval of the registry, over data of many forms.

``python -m benchmarks.coverage`` draws samples of 50, 200 and 1,000 rows (or queries, or images) from the laws of
`benchmarks.coverage_laws`, which are skewed, heavy-tailed, discrete or heteroscedastic, and prints a line per measure
and law. ``python -m benchmarks.coverage 1000 "estimates, skewed"`` draws so many samples of the laws that have these
words in their name; "worst" prints a line per measure instead, with the lowest coverage of its laws. True values are
those of very large samples, or of the distributions in closed form. Beside the coverage stands, where there is a note
beside some of the intervals that they may be too narrow, in how many samples it is.

``python -m benchmarks.coverage 2000 facts`` prints the table of evalcore/inference/intervals/bands.py, over the
number of rows and the share of positives, from two normal laws whose true areas and rates are known: system A has an
area of 0.85, system B one of 0.8, and their scores are correlated by 0.6 within each class. Both are cut half-way
between the means of A. ``python -m benchmarks.coverage 200 bands`` counts how often bands hold the curves of these
laws.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from benchmarks.clock import line
from benchmarks.coverage_laws import FAMILIES
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
from evalcore.inference.intervals.bands import PREVALENCES, ROWS, WORDS

SAMPLES, SIZES, LEAST = 500, (50, 200, 1000), 0.92

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


@dataclass(frozen=True)
class Cell:
    """Of the intervals of a measure in samples of one size: shares that hold the true value, exist and have a note."""

    held: float
    known: float
    noted: float

    def __str__(self) -> str:
        marks = (f" n{self.noted:.0%}" if self.noted else "") + (
            f" -{1 - self.known:.0%}" if self.known < 0.995 else ""
        )
        return f"{100 * self.held:5.1f}{marks}"

    @property
    def is_low(self) -> bool:
        """Whether intervals hold the true value in less than `LEAST`, and most of them have no note."""
        return self.held < LEAST and self.noted < 0.5


def of_law(place: tuple[str, str, int, int]) -> dict[str, Cell]:
    """The cells of all measures of a family for one law and size of samples."""
    name, law, n, samples = place
    family, random = FAMILIES[name], np.random.default_rng((n, len(law)))
    true = true_values(name, law)
    found: dict[str, list[tuple[bool, bool, bool]]] = {}
    with np.errstate(all="ignore"):
        for _ in range(samples):
            for key, one in family.intervals(family.laws[law](random, n)).items():
                interval, value = one if isinstance(one, tuple) else (one, true.get(key, np.nan))
                low, high = float(interval.low), float(interval.high)
                if not np.isnan(value):
                    known = not np.isnan(low) and not np.isnan(high)
                    found.setdefault(key, []).append((known, low <= value <= high, bool(interval.note)))
    cells = {}
    for key, each in found.items():
        known, held, noted = np.array(each).T
        cells[key] = Cell(share(held, known), known.sum() / samples, share(noted, known))
    return cells


def share(values: np.ndarray, among: np.ndarray) -> float:
    return float(values[among].mean()) if among.any() else np.nan


@cache
def true_values(name: str, law: str) -> dict[str, float]:
    family = FAMILIES[name]
    return family.true(family.laws[law](np.random.default_rng(99), family.rows))


def print_registry(samples: int, words: list[str]) -> None:
    """A line per measure and law, or the worst law of each measure; then the lines that are low at 200 rows."""
    worst, words = "worst" in words, [word for word in words if word != "worst"]
    low, lowest = [], {}
    for name, family in FAMILIES.items():
        for law in family.laws:
            if not all(word in f"{name}, {law}" for word in words):
                continue
            cells = {n: of_law((name, law, n, samples)) for n in SIZES}
            for key in cells[SIZES[1]]:
                each = [cells[n].get(key) for n in SIZES]
                text = "  ".join(f"{one!s:<14}" for one in each)
                if not worst:
                    print(f"  {f'{name}, {law}: {key}':<76}{text}".rstrip(), flush=True)
                middle = cells[SIZES[1]][key]
                lowest[name, key] = min(lowest.get((name, key), (9.0, "", "")), (middle.held, law, text))
                if middle.is_low:
                    low.append((f"{name}, {law}: {key}", text))
    if worst:
        for (name, key), (_, law, text) in lowest.items():
            print(f"  {f'{name}: {key} ({law})':<76}{text}".rstrip())
    print(f"below {LEAST:.0%} at {SIZES[1]} rows, without a note beside the interval: {len(low)} lines")
    for what, text in low:
        print(f"  {what:<76}{text}".rstrip())


def main(arguments: list[str]) -> None:
    samples = int(arguments[0]) if arguments else SAMPLES
    if not set(arguments) & {"facts", "bands"}:
        print_registry(samples, arguments[1:])
        return
    if "bands" in arguments:
        for n, prevalence in ((100, 0.5), (500, 0.1), (2000, 0.1)):
            for kind, held in of_bands(n, prevalence, samples).items():
                line(f"{kind}: n = {n}, {prevalence:.0%} positive", f"{held:.3f}", "0.93 … 0.97", None)
        return
    places = [(n, prevalence, samples) for prevalence in PREVALENCES for n in ROWS]
    with ProcessPoolExecutor(2) as workers:
        print_facts(dict(zip(places, workers.map(coverages, places), strict=True)), samples)


def print_facts(found: dict, samples: int) -> None:
    """The table of evalcore/inference/intervals/bands.py: coverages in thousandths."""
    for method in WORDS:
        rows = [tuple(round(1000 * found[n, p, samples][method]) for n in ROWS) for p in PREVALENCES]
        print(f'    "{method}": {tuple(rows)},')


if __name__ == "__main__":
    main(sys.argv[1:])
