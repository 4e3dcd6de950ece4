"""How often 95 % intervals of distances between two samples hold the distance of the two distributions.

P is a standard normal distribution. Q is moved by a shift, or twice as wide. Bins come from the sample, as on the page,
and the true distance is that of the distributions in the same bins; where a bin is empty on one side, divergences are ∞
and have no interval. ``python -m benchmarks.distance_coverage 1000`` draws so many samples a line; further words keep
the lines that hold them ("n = 100/150").
"""

import sys
from itertools import product
from statistics import NormalDist

import numpy as np

from benchmarks.clock import line
from evalcore import METRICS
from evalcore.estimation import DistributionPair, TwoSamples, edges_by
from evalcore.inference import distance_draws
from evalcore.registry import measures_of

SAMPLES, RESAMPLES, SEED = 500, 500, 12
MEASURES = tuple(measure.key for measure in measures_of("distributions") if measure.key != "reverse_kl_divergence")
SIZES = ((100, 150), (500, 500))
BINS = (("quantiles", 10), ("width", 10), ("freedman", 0))
LAWS = {
    "equal": (0.0, 1.0),
    "shift 0.2": (0.2, 1.0),
    "shift 0.5": (0.5, 1.0),
    "shift 1": (1.0, 1.0),
    "twice as wide": (0.0, 2.0),
}
LOWEST = 0.93


def coverages(
    law: tuple[float, float], sizes: tuple[int, int], bins: tuple[str, int], samples: int
) -> dict[str, tuple[float, int]]:
    """By measure the share of intervals that hold the true distance, and how many intervals there were."""
    random = np.random.default_rng(SEED)
    p_law, q_law = NormalDist(), NormalDist(*law)
    held: dict[str, list[bool]] = {key: [] for key in MEASURES}
    for sample in range(samples):
        drawn = TwoSamples(random.normal(size=sizes[0]), random.normal(*law, size=sizes[1]))
        edges = edges_by(bins[0], drawn.pooled, bins[1])
        draws = distance_draws(drawn, edges, RESAMPLES, seed=sample)
        inner = edges[1:-1].tolist()
        p, q = (np.diff([0.0, *map(one.cdf, inner), 1.0]) for one in (p_law, q_law))
        true = DistributionPair(p * sizes[0], q * sizes[1], draws.observed.at)
        for key in MEASURES:
            interval = draws.estimate(METRICS[key]).interval
            if not np.isnan(interval.low):
                held[key].append(bool(interval.low <= METRICS[key](true) <= interval.high))
    return {key: (float(np.mean(values)), len(values)) for key, values in held.items() if values}


def main(arguments: list[str]) -> None:
    samples, words = int(arguments[0]) if arguments else SAMPLES, arguments[1:]
    for sizes, (rule, count), (law, numbers) in product(SIZES, BINS, LAWS.items()):
        what = f"n = {sizes[0]}/{sizes[1]}, {rule} {count or ''}, {law}"
        if not all(word in what for word in words):
            continue
        for key, (share, n) in coverages(numbers, sizes, (rule, count), samples).items():
            line(f"{what}: {METRICS[key].symbol}", f"{share:.3f}", f"of {n:>5}", share >= LOWEST)


if __name__ == "__main__":
    main(sys.argv[1:])
