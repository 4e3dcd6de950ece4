"""How often 95 % intervals hold the true value where rows belong together: as independent rows, and by cluster.

Each cluster has five to fifteen rows, whose scores share a normal effect with the stated intra-class correlation;
labels are the same for all rows of a cluster ("between") or drawn for each row ("within"). Clusters of unequal sizes
are mostly of one row: of 20, "few heavy" has one of 60 and one of 100 rows on average, and "some heavy" five of 15 to
60; their labels may also have a prevalence that differs by cluster ("mixed"). Each such line says in how many samples
the interval carries the warning that few heavy clusters hold most rows; it is judged where less than half do. Systems
A and B share the effect and the true AUC; the differences "of AUC" by 0.02 and 0.07 are those of a B that separates the
classes less.
``python -m benchmarks.clustered_coverage 2000`` draws so many samples a line, and for measures
that are resampled two fifths as many; further words keep the lines that hold them ("between 30 clusters").

The difference of recall is 0 in the population. Where the systems find different positives in fewer than five clusters
no exchange of clusters contradicts that at 95 %: with four, all of them in favour of one system, the mid-p is 1/16. No
test by exchanges then excludes 0, nor does an interval that agrees with it, and the level cannot be attained from
above. The line of all samples says how many of them are such; only the line "five clusters differ" is judged, from 500
such samples on.

benchmarks/README.md has the results.
"""

import sys
from collections.abc import Sequence
from itertools import product

import numpy as np

from benchmarks.clock import line
from benchmarks.coverage import NORMAL
from evalcore import METRICS
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    Interval,
    IntervalChoice,
    PairedCounts,
    bootstrap,
    compare_auc,
    delong,
    paired_differences,
)

EVEN = tuple(range(5, 16))
FEW_HEAVY, SOME_HEAVY = (*[1] * 18, 60, 100), (*[1] * 15, 15, 20, 30, 40, 60)
"""Numbers of rows of clusters."""
SAMPLES, RESAMPLED, RESAMPLES, SEED = 1000, 0.4, 1000, 11
PREVALENCE, CUT = 0.3, 0.8
WORSE = {"difference of AUC by 0.02": 0.02, "difference of AUC by 0.07": 0.07}
SHARES = ("recall", "specificity", "precision", "accuracy")
CLOSED = (*SHARES, "negative_likelihood_ratio", "positive_likelihood_ratio")
BY_RESAMPLES = ("f_beta", "matthews_correlation")
HEAVY_CUT, HEAVY_AREA = 1.0, NORMAL.cdf(2**0.5)  # the means of both classes are two standard deviations apart
LOWEST, HIGHEST = 0.93, 0.97
MOST_WARNED = 0.5
UNATTAINABLE, FEWEST_DIFFERING, FEWEST_SAMPLES = "difference of recall", 5, 500
DIFFERING = f"{UNATTAINABLE}, five clusters differ"


def clustered_labels(
    random: np.random.Generator, labels_are: str, clusters: int, sizes: Sequence[int], prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """The cluster and the label of each row, of clusters whose sizes are drawn from a list.

    Labels are the same for all rows of a cluster ("between"), drawn for each row ("within"), or drawn for each row
    with a prevalence that differs by cluster as a beta distribution of 0.6 and 1.4, if the mean is 0.3 ("mixed").
    """
    codes = np.repeat(np.arange(clusters), random.choice(sizes, clusters))
    share = np.full(clusters, prevalence)
    if labels_are == "between":
        share = (random.random(clusters) < prevalence).astype(float)
    elif labels_are == "mixed":
        share = random.beta(2 * prevalence, 2 - 2 * prevalence, clusters)
    return codes, random.random(len(codes)) < share[codes]


def true_values(area: float, cut: float = CUT) -> dict[str, float]:
    """Of the population: a shift between the classes that gives the area, cut at a threshold."""
    shift = NORMAL.inv_cdf(area) * 2**0.5
    tp, fp = PREVALENCE * NORMAL.cdf(shift - cut), (1 - PREVALENCE) * NORMAL.cdf(-cut)
    fn, tn = PREVALENCE - tp, 1 - PREVALENCE - fp
    phi = (tp * tn - fp * fn) / ((tp + fp) * PREVALENCE * (1 - PREVALENCE) * (tn + fn)) ** 0.5
    return {
        "AUC": area,
        "recall": tp / PREVALENCE,
        "specificity": tn / (1 - PREVALENCE),
        "precision": tp / (tp + fp),
        "accuracy": tp + tn,
        "f_beta": 2 * tp / (2 * tp + fp + fn),
        "matthews_correlation": phi,
        "negative_likelihood_ratio": (fn / PREVALENCE) / (tn / (1 - PREVALENCE)),
        "positive_likelihood_ratio": (tp / PREVALENCE) / (fp / (1 - PREVALENCE)),
        "difference of AUC": 0.0,
        **{key: -by for key, by in WORSE.items()},
        UNATTAINABLE: 0.0,
        "difference of precision": 0.0,
    }


def coverages(
    labels_are: str, clusters: int, correlation: float, area: float, samples: int, sizes: Sequence[int] = EVEN,
    cut: float = CUT,
) -> dict[str, tuple[float, float, float, int]]:  # fmt: skip
    """By measure the shares of samples that hold the true value, of rows taken as independent and of clusters.

    Beside them the share of samples with a warning, and the number of samples.
    """
    random, true = np.random.default_rng(SEED), true_values(area, cut)
    shift = NORMAL.inv_cdf(area) * 2**0.5
    held: dict[str, list[list[float]]] = {}
    for sample in range(samples):
        codes, labels = clustered_labels(random, labels_are, clusters, sizes, PREVALENCE)
        shared = correlation**0.5 * random.normal(size=clusters)[codes]
        a, b = (shift * labels + shared + (1 - correlation) ** 0.5 * random.normal(size=len(codes)) for _ in "ab")
        if labels.all() or not labels.any():
            continue
        ways = [
            _closed(labels, a, b, units, cut) | _true_differences(area, labels, a, b, units) for units in (None, codes)
        ]
        if sample < RESAMPLED * samples:
            ways[1] |= _resampled(labels, a, codes, cut)
        for key, interval in ways[1].items():
            if key == UNATTAINABLE and _differing(labels, a, b, codes, cut) >= FEWEST_DIFFERING:
                held.setdefault(DIFFERING, []).append([np.nan, _holds(interval, 0.0), 0.0])
            if not np.isnan(float(interval.low)):
                as_rows = _holds(ways[0][key], true[key]) if key in ways[0] else np.nan
                warned = float(interval.few_heavy or 0)
                held.setdefault(key, []).append([as_rows, _holds(interval, true[key]), warned])
    return {key: (*np.mean(values, axis=0).tolist(), len(values)) for key, values in held.items()}


def _differing(labels: np.ndarray, a: np.ndarray, b: np.ndarray, clusters: np.ndarray, cut: float) -> int:
    """Clusters in which one system finds more positives than the other."""
    return int(np.count_nonzero(np.bincount(clusters, labels * ((b >= cut) * 1.0 - (a >= cut)))))


def _holds(interval: Interval, value: float) -> float:
    return float(interval.low <= value <= interval.high)


def _closed(
    labels: np.ndarray, a: np.ndarray, b: np.ndarray, clusters: np.ndarray | None, cut: float
) -> dict[str, Interval]:
    """Intervals in closed form, and those of paired differences, of which precision is resampled by cluster only."""
    scored = ScoredLabels.from_arrays(labels, a, clusters=clusters)
    counts = scored.counts_at(cut)
    paired = PairedCounts.from_labels(labels, a >= cut, b >= cut, clusters=clusters)
    intervals = {"AUC": delong(scored), "difference of AUC": compare_auc(labels, a, b, clusters=clusters).interval}
    for key in CLOSED:
        if (result := IntervalChoice().of(METRICS[key], counts)) is not None:
            intervals[key] = result[0]
    keys = ("recall",) if clusters is None else ("recall", "precision")
    compared = paired_differences([METRICS[key] for key in keys], paired, resamples=RESAMPLES)
    intervals |= {f"difference of {key}": one.interval for key, one in zip(keys, compared, strict=True)}
    return intervals


def _true_differences(
    area: float, labels: np.ndarray, a: np.ndarray, b: np.ndarray, clusters: np.ndarray | None
) -> dict[str, Interval]:
    """Of the areas of A and of a B whose area is truly smaller."""
    intervals = {}
    for key, by in WORSE.items():
        less = 2**0.5 * (NORMAL.inv_cdf(area) - NORMAL.inv_cdf(area - by))
        intervals[key] = compare_auc(labels, a, b - less * labels, clusters=clusters).interval
    return intervals


def _resampled(labels: np.ndarray, a: np.ndarray, clusters: np.ndarray, cut: float) -> dict[str, Interval]:
    counts = ScoredLabels.from_arrays(labels, a, clusters=clusters).counts_at(cut)
    return {key: bootstrap(METRICS[key], counts, resamples=RESAMPLES) for key in BY_RESAMPLES}


def main(arguments: list[str]) -> None:
    samples, words = int(arguments[0]) if arguments else SAMPLES, arguments[1:]
    even = product(("between", "within"), (30, 200), (0.1, 0.5, 0.9), (0.75, 0.92), [("", EVEN, CUT)])
    unequal = [("few heavy ", FEW_HEAVY, HEAVY_CUT), ("some heavy ", SOME_HEAVY, HEAVY_CUT)]
    heavy = product(("mixed", "within"), (60, 200), (0.0, 0.1, 0.5, 0.8), (HEAVY_AREA,), unequal)
    for labels_are, clusters, correlation, area, (some, sizes, cut) in (*even, *heavy):
        what = f"labels {labels_are} {some}{clusters} clusters, correlation {correlation}, AUC {area:.2f}"
        if not all(word in what for word in words):
            continue
        results = coverages(labels_are, clusters, correlation, area, samples, sizes, cut)
        for key, (rows, whole, warned, n) in results.items():
            as_rows = "" if np.isnan(rows) else f"{rows:.3f} as rows"
            bar, met = f"{whole:.3f} of {n:>5}", LOWEST <= whole <= HIGHEST
            if key == UNATTAINABLE:
                few = 1 - results.get(DIFFERING, (0, 0, 0, 0))[3] / n
                bar += f"   not judged: in {few:.1%} of the samples fewer than five clusters differ"
            elif key == DIFFERING and n < FEWEST_SAMPLES:
                bar += "   not judged: too few such samples"
            elif some:
                bar += f"   warned in {warned:.1%} "
            judged = key != UNATTAINABLE and (key != DIFFERING or n >= FEWEST_SAMPLES) and warned < MOST_WARNED
            line(f"{what}: {key}", as_rows, bar, met if judged else None)


if __name__ == "__main__":
    main(sys.argv[1:])
