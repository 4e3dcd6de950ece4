"""How often 95 % intervals hold the true value where rows belong together: as independent rows, and by cluster.

Each cluster has five to fifteen rows, whose scores share a normal effect with the stated intra-class correlation;
labels are the same for all rows of a cluster ("between") or drawn for each row ("within"). Systems A and B share the
effect and the true AUC. ``python -m benchmarks.clustered_coverage 2000`` draws so many samples a line.
"""

import sys
from itertools import product

import numpy as np

from benchmarks.clock import line
from benchmarks.coverage import NORMAL
from evalcore import METRICS
from evalcore.classification import ScoredLabels
from evalcore.inference import IntervalChoice, PairedCounts, compare_auc, delong, paired_differences

SAMPLES, PREVALENCE, CUT = 1000, 0.3, 0.8
SHARES = ("recall", "specificity", "precision", "accuracy")
KEYS = (*SHARES, "f_beta", "matthews_correlation", "negative_likelihood_ratio")


def true_values(area: float) -> dict[str, float]:
    """Of the population: a shift between the classes that gives the area, cut at `CUT`."""
    shift = NORMAL.inv_cdf(area) * 2**0.5
    tp, fp = PREVALENCE * NORMAL.cdf(shift - CUT), (1 - PREVALENCE) * NORMAL.cdf(-CUT)
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
        "difference of AUC": 0.0,
        "difference of recall": 0.0,
        "difference of precision": 0.0,
    }


def coverages(labels_are: str, clusters: int, correlation: float, area: float, samples: int) -> dict[str, list[float]]:
    """By measure the shares that hold the true value: of rows taken as independent, and of clusters."""
    random, true = np.random.default_rng(11), true_values(area)
    shift = NORMAL.inv_cdf(area) * 2**0.5
    held: dict[str, list[list[bool]]] = {}
    for _ in range(samples):
        codes = np.repeat(np.arange(clusters), random.integers(5, 16, clusters))
        labels = (random.random(clusters) < PREVALENCE)[codes] if labels_are == "between" else None
        labels = random.random(len(codes)) < PREVALENCE if labels is None else labels
        if labels.all() or not labels.any():
            continue
        shared = correlation**0.5 * random.normal(size=clusters)[codes]
        a, b = (shift * labels + shared + (1 - correlation) ** 0.5 * random.normal(size=len(codes)) for _ in "ab")
        for key, ends in _intervals(labels, a, b, None, codes).items():
            kept = [low <= true[key] <= high for low, high in ends if not np.isnan(low)]
            if len(kept) == 2:
                held.setdefault(key, []).append(kept)
    return {key: np.mean(values, axis=0).tolist() for key, values in held.items()}


def _intervals(labels: np.ndarray, a: np.ndarray, b: np.ndarray, *ways: np.ndarray | None) -> dict[str, list]:
    ends: dict[str, list] = {}
    for clusters in ways:
        scored = ScoredLabels.from_arrays(labels, a, clusters=clusters)
        counts = scored.counts_at(CUT)
        paired = PairedCounts.from_labels(labels, a >= CUT, b >= CUT, clusters=clusters)
        intervals = {"AUC": delong(scored), "difference of AUC": compare_auc(labels, a, b, clusters=clusters).interval}
        for key in KEYS:
            result = IntervalChoice().of(METRICS[key], counts)
            intervals[key] = delong(scored).scaled(np.nan) if result is None else result[0]
        compared = paired_differences([METRICS["recall"], METRICS["precision"]], paired, resamples=500)
        intervals |= {
            f"difference of {key}": one.interval for key, one in zip(("recall", "precision"), compared, strict=True)
        }
        for key, interval in intervals.items():
            ends.setdefault(key, []).append((float(interval.low), float(interval.high)))
    return ends


def main(arguments: list[str]) -> None:
    samples = int(arguments[0]) if arguments else SAMPLES
    for setting in product(("between", "within"), (30, 200), (0.1, 0.5, 0.9), (0.75, 0.92)):
        labels_are, clusters, correlation, area = setting
        for key, (rows, whole) in coverages(*setting, samples).items():
            what = f"labels {labels_are} {clusters} clusters, correlation {correlation}, AUC {area}: {key}"
            line(what, f"{rows:.3f} as rows", f"{whole:.3f} by cluster", None)


if __name__ == "__main__":
    main(sys.argv[1:])
