"""How often 95 % intervals of weighted rows hold the true value, with weights as counts and as importance.

Weights are lognormal and independent of the scores, or they depend on the class: the positives were sampled three times
as often as the negatives, whose weights make up for it. ``python -m benchmarks.weighted_coverage 2000`` draws so many
samples a line.
"""

import sys

import numpy as np

from benchmarks.clock import line
from benchmarks.coverage import AREAS, CUT, NORMAL, SHIFTS, drawn
from evalcore import METRICS
from evalcore.classification import ScoredLabels
from evalcore.inference import IntervalChoice, delong

SAMPLES, ROWS, PREVALENCE = 1000, 500, 0.3


def weights_of(kind: str, random: np.random.Generator, labels: np.ndarray) -> np.ndarray:
    if kind == "sampled by class":
        return np.where(labels, 1.0, 3.0)
    spread = float(kind.split()[-1])
    return random.lognormal(0, spread, len(labels))


def coverages(kind: str, importance: bool, samples: int) -> dict[str, float]:
    """The share of intervals of each method that hold the true value."""
    random = np.random.default_rng(7)
    tpr, fpr = NORMAL.cdf(SHIFTS[0] - CUT), NORMAL.cdf(-CUT)
    share = PREVALENCE
    if kind == "sampled by class":
        share = PREVALENCE / (PREVALENCE + 3 * (1 - PREVALENCE))
    true = {"recall": tpr, "accuracy": share * tpr + (1 - share) * (1 - fpr)}
    true["precision"] = share * tpr / (share * tpr + (1 - share) * fpr)
    held: dict[str, list[bool]] = {}
    for _ in range(samples):
        labels, scores, _ = drawn(random, ROWS, PREVALENCE)
        weights = weights_of(kind, random, labels)
        alone = np.arange(ROWS) if importance else None
        state = ScoredLabels.from_arrays(labels, scores, weights=weights, clusters=alone)
        area = delong(state, logit=True)
        held.setdefault("AUC (DeLong)", []).append(bool(area.low <= AREAS[0] <= area.high))
        counts = state.counts_at(CUT)
        for key, value in true.items():
            interval, _ = IntervalChoice().of(METRICS[key], counts) or (area, 0)
            held.setdefault(f"{key} (Wilson)", []).append(bool(interval.low <= value <= interval.high))
    return {method: float(np.mean(values)) for method, values in held.items()}


def main(arguments: list[str]) -> None:
    samples = int(arguments[0]) if arguments else SAMPLES
    for kind in ("lognormal 0.5", "lognormal 1.0", "lognormal 1.5", "sampled by class"):
        before, after = (coverages(kind, importance, samples) for importance in (False, True))
        for method, share in before.items():
            line(f"{kind}: {method}, n = {ROWS}", f"{share:.3f} as counts", f"{after[method]:.3f} importance", None)


if __name__ == "__main__":
    main(sys.argv[1:])
