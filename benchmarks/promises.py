"""How often a promise is broken: some threshold is promised at which a limit does not hold in the population.

Scores are normal in both classes (AUC 0.92 or as stated), rounded to tenths in the lines with ties. Rows of a
cluster share a normal effect. ``python -m benchmarks.promises 10000 1000`` draws so many data sets a line, and so many
of clusters; further words keep the lines that hold them ("precision clusters"). The interval is Clopper–Pearson's, and
the last column the share in which anything is promised.

With 10,000 data sets a line, promises are broken in at most 4.1 % of those of independent rows and 4.5 % of those of
clusters.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.clock import line
from benchmarks.clustered_coverage import FEW_HEAVY, HEAVY_AREA, SOME_HEAVY, clustered_labels
from evalcore import METRICS
from evalcore.classification import ConfusionCounts, Limit, ScoredLabels, flag_goal
from evalcore.inference import clopper_pearson, promised_thresholds

SAMPLES, CLUSTERED = 10_000, 1_000
STEP = 0.1


def limit(key: str, at_least: float | None = None, at_most: float | None = None, **params: float) -> Limit:
    return Limit(METRICS[key].with_params(**params), at_least=at_least, at_most=at_most)


RECALL, FALSE_ALARMS = limit("recall", 0.9), limit("fall_out", at_most=0.1)
PRECISION, SHARE = limit("precision", 0.8), flag_goal(share=0.3).limits[0]
COST = limit("cost", at_most=0.4, fn_cost=5.0)


@dataclass(frozen=True)
class Population:
    """Where data sets are drawn from, and the limits to keep."""

    words: str
    rows: int
    limits: tuple[Limit, ...]
    prevalence: float = 0.3
    area: float = 0.92
    tied: bool = False
    clusters: str = ""  # whether labels are drawn "between" or "within" them, or "mixed"; "" without clusters
    correlation: float = 0.0  # between two scores of a cluster
    sizes: tuple[int, ...] = tuple(range(5, 16))  # of clusters
    spread: float = 0.0  # of the logarithms of weights, which are independent of all else

    @property
    def shift(self) -> float:
        """Between the means of the two classes."""
        return float(ndtri(self.area) * 2**0.5)

    def drawn(self, random: np.random.Generator) -> ScoredLabels:
        """A data set; of clusters there is one per ten rows."""
        codes, rows, shared = None, self.rows, 0.0
        labels = random.random(rows) < self.prevalence
        if self.clusters:
            codes, labels = clustered_labels(random, self.clusters, rows // 10, self.sizes, self.prevalence)
            rows = len(codes)
            shared = self.correlation**0.5 * random.normal(size=codes.max() + 1)[codes]
        scores = self.shift * labels + shared + (1 - self.correlation) ** 0.5 * random.normal(size=rows)
        weights = random.lognormal(0, self.spread, rows) if self.spread else None
        codes = np.arange(rows) if self.spread else codes
        return ScoredLabels.from_arrays(
            labels, np.round(scores / STEP) if self.tied else scores, weights=weights, clusters=codes
        )

    def truth(self, thresholds: np.ndarray) -> ConfusionCounts:
        """Shares of the population in the four cells."""
        cut = (thresholds - 0.5) * STEP if self.tied else thresholds
        recall, fall_out, share = ndtr(self.shift - cut), ndtr(-cut), self.prevalence
        return ConfusionCounts(share * recall, (1 - share) * fall_out, share * (1 - recall), (1 - share) * ndtr(cut))

    def broken(self, seed: int, level: float = 0.95) -> tuple[bool, bool]:
        """Whether a promise is broken, and whether any is made."""
        promise = promised_thresholds(self.drawn(np.random.default_rng([7, seed])), self.limits, level)
        thresholds = promise.table.thresholds[promise.rows]
        counts = self.truth(thresholds[np.isfinite(thresholds)])
        met = [one.met(np.asarray(one.measure(counts))) for one in self.limits]
        return not all(map(np.all, met)), len(thresholds) > 0


POPULATIONS = (
    Population("recall", 500, (RECALL,)),
    Population("recall, tied scores", 500, (RECALL,), tied=True),
    Population("recall, rare positives", 3000, (RECALL,), prevalence=0.02),
    Population("recall, 60 rows", 60, (limit("recall", 0.8),)),
    Population("false positive rate", 500, (FALSE_ALARMS,)),
    Population("share of rows flagged", 500, (SHARE,)),
    Population("precision", 500, (PRECISION,)),
    Population("precision, tied scores", 500, (PRECISION,), tied=True),
    Population("precision, rare positives", 3000, (limit("precision", 0.3),), prevalence=0.02),
    Population("precision, reached nowhere", 500, (limit("precision", 0.8),), area=0.5),
    Population("NPV", 300, (limit("negative_predictive_value", 0.95),)),
    Population("accuracy, 200 rows", 200, (limit("accuracy", 0.8),)),
    Population("F1", 500, (limit("f_beta", 0.7),)),
    Population("cost, a miss costs 5 false alarms", 500, (COST,)),
    Population("recall, weights from 0.14 to 7", 500, (RECALL,), spread=1.0),
    Population("precision, weights from 0.37 to 2.7", 500, (PRECISION,), spread=0.5),
    Population("recall and false positive rate", 1000, (limit("recall", 0.8), limit("fall_out", at_most=0.25))),
    Population("recall, precision and share flagged", 1000, (limit("recall", 0.7), limit("precision", 0.65), SHARE)),
)
KEPT_BY_HEAVY = (
    ("recall", limit("recall", 0.8)), ("false positive rate", limit("fall_out", at_most=0.2)),
    ("precision", limit("precision", 0.7)),
)  # fmt: skip
KEPT_BY_CLUSTERS = (("recall", RECALL), ("false positive rate", FALSE_ALARMS), ("precision", PRECISION))


def clustered() -> list[Population]:
    return [
        Population(
            f"{name}, {rows // 10} clusters, correlation {correlation}, labels {labels_are}", rows, (kept,),
            clusters=labels_are, correlation=correlation,
        )
        for name, kept in KEPT_BY_CLUSTERS
        for labels_are in ("between", "within")
        for rows in (300, 2000)
        for correlation in (0.1, 0.5, 0.9)
    ] + [
        Population(
            f"{name}, {clusters} clusters, {some} heavy, correlation {correlation}, labels {labels_are}",
            10 * clusters, (kept,), area=HEAVY_AREA, clusters=labels_are, correlation=correlation, sizes=sizes,
        )
        for name, kept in KEPT_BY_HEAVY
        for labels_are in ("mixed", "within")
        for clusters in (60, 200)
        for some, sizes in (("few", FEW_HEAVY), ("some", SOME_HEAVY))
        for correlation in (0.0, 0.5, 0.8)
    ]  # fmt: skip


def main(arguments: list[str]) -> None:
    samples, of_clusters = (int(given) for given in (*arguments[:2], *(SAMPLES, CLUSTERED)[len(arguments) :]))
    with ProcessPoolExecutor() as pool:
        for population in (*POPULATIONS, *clustered()):
            if not all(word in population.words for word in arguments[2:]):
                continue
            draws = of_clusters if population.clusters else samples
            results = np.array(list(pool.map(population.broken, range(draws), chunksize=50)))
            broken, promised = results.sum(axis=0).tolist()
            interval = clopper_pearson(broken, draws)
            bounds = f"{float(interval.low):.4f} to {float(interval.high):.4f}"
            line(population.words, f"{broken / draws:.4f} broken", f"{bounds}, promised {promised / draws:.3f}", None)


if __name__ == "__main__":
    main(sys.argv[1:])
