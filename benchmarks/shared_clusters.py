"""How often 95 % intervals of the difference of two groups hold 0 where the same clusters have rows in both.

Clusters of six rows share a normal effect with the stated intra-class correlation; half of the rows of each are in
either group. "apart" takes the groups as independent samples. ``python -m benchmarks.shared_clusters 500`` draws so
many samples a line.
"""

import sys
from itertools import product

import numpy as np

from benchmarks.clock import line
from evalcore import METRICS
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    correlation_of_counts,
    correlation_of_scores,
    independent_differences,
    independent_score_differences,
)

SAMPLES, SEED, ROWS = 500, 13, 6
COUNTS = [METRICS[key] for key in ("recall", "accuracy", "positive_likelihood_ratio", "f_beta")]
SCORES = [METRICS[key] for key in ("roc_auc", "average_precision")]


def main(arguments: list[str]) -> None:
    samples = int(arguments[0]) if arguments else SAMPLES
    for clusters, correlation in product((40, 200), (0.1, 0.5, 0.9)):
        random = np.random.default_rng(SEED)
        held: dict[str, list[list[bool]]] = {}
        for _ in range(samples):
            codes, group = np.repeat(np.arange(clusters), ROWS), np.tile(np.arange(ROWS) % 2, clusters)
            labels = random.random(len(codes)) < 0.4
            shared = correlation**0.5 * random.normal(size=clusters)[codes]
            scores = labels + shared + (1 - correlation) ** 0.5 * random.normal(size=len(codes))
            states = [
                ScoredLabels.from_arrays(labels[group == k], scores[group == k], clusters=codes[group == k])
                for k in (0, 1)
            ]
            counts = [state.counts_at(0.5) for state in states]
            ways = []
            for shares in (False, True):
                of_counts, of_scores = lambda _: 0.0, lambda _: 0.0
                if shares:
                    of_counts, of_scores = (
                        lambda one, counts=counts: correlation_of_counts(one, *counts),
                        lambda one, states=states: correlation_of_scores(one, *states),
                    )
                ways.append(
                    independent_differences(COUNTS, *counts, alike=of_counts, resamples=500)
                    + independent_score_differences(SCORES, *states, alike=of_scores, resamples=200)
                )
            for measure, apart, together in zip(COUNTS + SCORES, *ways, strict=True):
                holds = [bool(one.interval.low <= one.null <= one.interval.high) for one in (apart, together)]
                held.setdefault(measure.key, []).append(holds)
        for key, values in held.items():
            apart, together = np.mean(values, axis=0)
            what = f"{clusters} clusters, correlation {correlation}: {key}"
            line(what, f"{apart:.3f} apart", f"{together:.3f}", 0.93 <= together <= 0.97)


if __name__ == "__main__":
    main(sys.argv[1:])
