"""Several systems on the same queries: means, and paired tests of their differences."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, product
from typing import Any

import numpy as np

from evalcore import inference
from evalcore.analyses.compare import paired_comparison as paired
from evalcore.analyses.compare.paired_comparison import Compared, Difference, Margin
from evalcore.analyses.data import Rankings, check, system_name
from evalcore.analyses.data.label_pairs import pair_names
from evalcore.inference.base.clustered import error_of_mean
from evalcore.numeric import Array, Flags, Indices, at_rows, ratio
from evalcore.registry import MetricDef
from evalcore.wording import count_text, latex_count, latex_term, number_text, share_text

__all__ = ["POWER", "RANKING_TESTS", "QueryVariance", "RankingPairs"]

_Test = Callable[..., inference.PairedComparison]

_TESTS: dict[str, tuple[str, _Test]] = {
    "t": ("paired t-test", inference.cautious_t),
    "randomisation": ("randomisation test", inference.randomization),
    "wilcoxon": ("Wilcoxon", inference.wilcoxon),
    "sign": ("sign test", inference.sign_test),
}

RANKING_TESTS = {key: name for key, (name, _) in _TESTS.items()}

MOST = 8
"""Systems that are compared at once: 28 pairs."""

_RESULT = 20_000  # rows that a stored test counts as, so that some thousands of them are kept


@dataclass(frozen=True, eq=False)
class RankingPairs(Compared):
    """Systems on the same queries by several measures, and the tests of their differences."""

    rankings: Rankings  # its chosen system is A
    b: str  # names come from a file: escape them
    names: tuple[str, ...]  # measures as `Rankings.measure` reads them
    measure: str  # the one of them that the verdict goes by
    test: str = "t"  # a key of `RANKING_TESTS`
    correction: str = "holm"  # a key of `evalcore.inference.METHODS`
    level: float = 0.95  # confidence of the intervals
    all_pairs: bool = False  # whether all pairs are compared, and not all against A
    margin: Margin = Margin()  # noqa: RUF009 (frozen)

    @property
    def a(self) -> str:
        """System that the others are compared with."""
        return self.rankings.system

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """A, B and the first of the others, in the order of the data."""
        others = [system for system in self.rankings.systems if system not in (self.a, self.b)]
        chosen = {self.a, self.b, *others[: MOST - 2]}
        return tuple(system for system in self.rankings.systems if system in chosen)

    @property
    def positions(self) -> list[int]:
        """Indices of the systems among all, which determine their colours."""
        return [self.rankings.systems.index(system) for system in self.systems]

    @property
    def definition(self) -> MetricDef:
        """The measure of the verdict."""
        return self.rankings.measure(self.measure)

    @property
    def heading(self) -> str:
        """Heading of the measure of the verdict in a table."""
        return self.rankings.heading(self.measure)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """Queries evaluated for every system, in the order of the judgments."""
        return tuple(compress(self.rankings.judgments.queries, self.taking_part.tolist()))

    @cached_property
    def taking_part(self) -> Flags:
        """Mask of the judged queries evaluated for every system, shape (judged queries,)."""
        return np.logical_and.reduce([self.rankings.taking_part(system) for system in self.systems])

    @cached_property
    def clusters(self) -> Indices | None:
        """Cluster codes of `queries`, shape (q,); None without clusters."""
        return self.rankings.clusters(self.queries)

    def values(self, system: str, name: str) -> Array:
        """A measure of a system for each of `queries`, shape (q,)."""
        values = self.rankings.per_query([name], system).values[name]
        return values[self.taking_part[self.rankings.taking_part(system)]]

    @property
    def pair_values(self) -> tuple[Array, Array]:
        """The measure of the verdict of A and of B for each of `queries`, shape (q,)."""
        return self.values(self.a, self.measure), self.values(self.b, self.measure)

    @cached_property
    def means(self) -> dict[tuple[str, str], inference.PairedComparison]:
        """The mean of each system and measure with its interval by Student's t, within the range of the measure."""
        return {(system, name): self._mean(system, name) for system in self.systems for name in self.names}

    @cached_property
    def differences(self) -> list[Difference]:
        """Differences of every pair in every measure, with corrected p-values."""
        pairs = paired.pairs_of(self.systems, self.a, self.all_pairs)
        uncorrected = [self._difference(*pair, name) for pair in pairs for name in self.names]
        return paired.with_correction(uncorrected, self.correction)

    def difference_to(self, system: str, name: str) -> Difference:
        """Difference of a system to A."""
        heading, pair = self.rankings.heading(name), {self.a, system}
        one = next(one for one in self.differences if one.heading == heading and {one.a, one.b} == pair)
        return one if one.b == system else replace(self._difference(self.a, system, name), corrected=one.corrected)

    @property
    def pair_differences(self) -> list[Difference]:
        """Every pair by the measure of the verdict."""
        return [one for one in self.differences if one.heading == self.heading]

    @cached_property
    def system_differences(self) -> list[Difference]:
        """Every pair by the measure of the verdict, A and B first."""
        others = [one for one in self.pair_differences if {one.a, one.b} != {self.a, self.b}]
        return [self.difference_to(self.b, self.measure), *others]

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per comparison, unrounded."""
        return paired.differences_table(self.differences, self.level, self.correction)

    @property
    def means_table(self) -> dict[str, list[Any]]:
        """A row per system and measure, unrounded."""
        return {
            "system": [system for system, _ in self.means],
            "measure": [self.rankings.heading(name) for _, name in self.means],
            "mean": [mean.estimate for mean in self.means.values()],
            "low": [float(mean.interval.low) for mean in self.means.values()],
            "high": [float(mean.interval.high) for mean in self.means.values()],
            "queries": [mean.n for mean in self.means.values()],
        }

    @property
    def queries_table(self) -> dict[str, Any]:
        """A row per query with every measure of every system, unrounded."""
        each, heading = product(self.names, self.systems), self.rankings.heading
        values = {f"{heading(name)} of {system}": self.values(system, name) for name, system in each}
        return {"query": list(self.queries), **values}

    @property
    def key(self) -> str:
        """Cache key of what depends on the systems and queries alone."""
        return f"{self.systems!r}\n{self.rankings.only_common}"

    def _mean(self, system: str, name: str) -> inference.PairedComparison:
        values = self.values(system, name)
        known = np.isfinite(values)
        mean = self._test(inference.paired_t, np.zeros(np.count_nonzero(known)), values[known], known)
        return replace(mean, interval=mean.interval.within(self.rankings.measure(name)))

    def _test(self, test: _Test, a: Array, b: Array, known: Flags) -> inference.PairedComparison:
        """Test of the values of some `queries`, by whole clusters if there are any."""
        return inference.clustered_test(test, a, b, at_rows(self.clusters, known), self.level)

    def _difference(self, a: str, b: str, name: str) -> Difference:
        measure = self.rankings.measure(name)

        def build() -> inference.PairedComparison:
            values_a, values_b = self.values(a, name), self.values(b, name)
            both = np.isfinite(values_a) & np.isfinite(values_b)
            return self._test(_TESTS[self.test][1], values_a[both], values_b[both], both)

        settings = (a, b, measure.key, sorted(measure.arguments.items()), self.test, self.level)
        test = self.rankings.current.dataset.once(f"paired test\n{settings}\n{self.key}", None, build, rows=_RESULT)
        mean_a, mean_b = (self.means[system, name].estimate for system in (a, b))
        return Difference(a, b, measure, self.rankings.heading(name), mean_a, mean_b, test)


def mean_or_nan(values: Array) -> float:
    """Mean of some values; nan of none."""
    return float(values.mean()) if len(values) else math.nan


POWER = 0.8
"""The usual chance of finding a difference that is there."""

_POINTS = 60
_PARTS = "queries", "systems", "system × query, and chance"


@dataclass(frozen=True, eq=False)
class QueryVariance:
    """Variance of the measure of the verdict between queries and systems, and power to detect a difference."""

    pairs: RankingPairs
    target: float | None = None  # the difference to detect, above 0; None for the observed one

    @cached_property
    def values(self) -> Array:
        """Values of each system for the queries defined for all, shape (systems, queries)."""
        values = np.array([self.pairs.values(system, self.pairs.measure) for system in self.pairs.systems])
        return values[:, np.isfinite(values).all(axis=0)]

    @cached_property
    def parts(self) -> inference.VarianceComponents | None:
        """Variance components of the values; None with fewer than two queries."""
        return inference.variance_components(self.values) if self.values.shape[1] > 1 else None

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of B − A between the queries."""
        return float(self._differences.std(ddof=1))

    @property
    def observed(self) -> float:
        """Absolute mean difference between A and B in these queries."""
        return abs(float(self._differences.mean()))

    @property
    def difference(self) -> float:
        """Difference to detect: the target if given, else the observed difference."""
        return self.observed if self.target is None else self.target

    @property
    def queries(self) -> int:
        """Number of queries."""
        return self.values.shape[1]

    @cached_property
    def needed(self) -> int | None:
        """Number of queries that detects the difference with a power of 80 %; None if none does."""
        if self._needed_alone is None or math.isinf(self.design_effect):
            return None
        return math.ceil(self._needed_alone * self.design_effect - 1e-9)

    def power(self, queries: float) -> float:
        """Power to detect the difference with a number of queries."""
        return inference.paired_power(self.difference, self.deviation, queries / self.design_effect, self.pairs.level)

    @cached_property
    def design_effect(self) -> float:
        """Factor by which clustering raises the number of queries needed, at least 1; ∞ for a single cluster.

        Queries of a topic, or whatever they belong to, tell less than as many of different ones.
        """
        differences, clusters = self._differences, self._clusters
        count = 0 if clusters is None else len(np.unique(clusters))
        if clusters is None or count == len(differences):
            return 1.0
        error, _ = error_of_mean(np.bincount(clusters, differences - differences.mean()), np.bincount(clusters))
        effect = float(ratio(error, self.deviation)) ** 2 * len(differences)
        return math.inf if count < 2 else max(effect, 1.0) if effect == effect else 1.0

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """Power by number of queries, from 2 to beyond the present and the needed number."""
        last = max(self.queries, min(self.needed or 0, 20 * self.queries)) * 1.25
        numbers = np.unique(np.geomspace(2, max(last, 10), _POINTS).round())
        return numbers, np.array([self.power(number) for number in numbers.tolist()])

    @property
    def verdict(self) -> str:
        """Number of queries needed and power of those at hand, in Markdown."""
        (a, b), heading = pair_names(self.pairs.a, self.pairs.b), system_name(self.pairs.heading)
        what = f"a difference of {number_text(self.difference)} in {heading} between {a} and {b}"
        have = f"With the {count_text(self.queries)} queries here the chance is {share_text(self.power(self.queries))}."
        if math.isinf(self.design_effect):
            return f"**Not known: all queries belong to {self._cluster_text}.**"
        if self.needed is None:
            return f"**No number of queries shows {what}.**"
        found = f"**{count_text(self.needed)} queries** show {what} with a chance of at least {share_text(POWER)}"
        clusters = f" Queries come in clusters like those of {self._cluster_text}: design effect "
        together = "" if self.pairs.clusters is None else f"{clusters}{number_text(self.design_effect)}."
        return f"{found} (p ≤ {number_text(1 - self.pairs.level, 2)}). {have}{together}"

    @property
    def variance_verdict(self) -> str:
        """Comparison of the variance between queries and between systems, in Markdown."""
        if self.parts is None:
            return ""
        heading = system_name(self.pairs.heading)
        if np.isnan(self.parts.shares[0]):
            return f"All values of {heading} are equal: nothing varies."
        of_system, of_query, rest = map(share_text, self.parts.shares)
        alone = "" if self.pairs.clusters is None else "; queries taken as independent"
        return (
            f"**{of_query}** of the variance of {heading} lies between queries and **{of_system}** between systems; "
            f"**{rest}** is how differences between systems vary from query to query. A paired test removes the "
            "first part; only the last makes it uncertain. Reliability of the order of the systems "
            f"(1 is perfect{alone}): {number_text(self.parts.reliability(self.queries))}."
        )

    @property
    def table(self) -> dict[str, list]:
        """A row per component, unrounded."""
        names, variances, shares = [], [], []
        if (parts := self.parts) is not None:
            names, variances = [*_PARTS], [parts.query, parts.system, parts.residual]
            shares = [parts.shares[place] for place in (1, 0, 2)]
        deviations = np.sqrt(variances).tolist()
        return {"part": names, "variance": variances, "standard deviation": deviations, "share": shares}

    @property
    def formulas(self) -> str:
        """Components, reliability and power with their numbers, in Markdown."""
        parts, n = self.parts, latex_count(self.queries)
        if parts is None:
            return ""
        system, query, rest = (latex_term(part) for part in (parts.system, parts.query, parts.residual))
        difference = latex_term(self.difference)
        ratio = latex_term(self.difference / self.deviation) if self.deviation else r"\infty"
        needed = r"\infty" if self.needed is None else latex_count(self.needed)
        if self._needed_alone is not None and 1 < self.design_effect < math.inf:
            needed = rf"{latex_count(self._needed_alone)} \cdot {latex_term(self.design_effect)} \le {needed}"
        return "\n\n".join(
            [
                r"$\displaystyle x_{sq} = \mu + s + q + e, \qquad "
                rf"\sigma_q^2 = \frac{{MS_q - MS_e}}{{n_s}} = {query}, \quad "
                rf"\sigma_s^2 = \frac{{MS_s - MS_e}}{{n_q}} = {system}, \quad \sigma_e^2 = MS_e = {rest}$",
                r"$\displaystyle E\rho^2 = \frac{\sigma_s^2}{\sigma_s^2 + \sigma_e^2 / n_q} = "
                rf"{latex_term(parts.reliability(self.queries))}, \qquad n_q = {n}$",
                rf"$\displaystyle 1 - \beta = P\left(|t'_{{n-1,\ \delta\sqrt n / \sigma_d}}| > t_{{n-1}}\right), "
                rf"\qquad \frac{{\delta}}{{\sigma_d}} = \frac{{{difference}}}{{{latex_term(self.deviation)}}} "
                rf"= {ratio} \quad\Rightarrow\quad n = {needed}$",
                ":small[Variance components of a two-way table ([Brennan 2001](https://doi.org/10.1007/978-1-4757-3456-0"
                "); for test collections [Bodoff and Li 2007](https://doi.org/10.1145/1277741.1277805)). Power of the "
                "paired t-test by the noncentral t distribution "
                "([Sakai 2016](https://doi.org/10.1007/s10791-015-9273-z)).]",
            ]
        )

    @property
    def code(self) -> str:
        """Python that recomputes the numbers, to follow the Python of the comparison."""
        if self.parts is None:
            return ""
        numbers = [self.parts.system, self.parts.query, self.parts.residual]
        parts = check("[variance.parts.system, variance.parts.query, variance.parts.residual]", numbers)
        made, needed = f"QueryVariance(comparison, {self.target!r})", f"assert variance.needed == {self.needed!r}"
        return f"variance = {made}\n{parts}\n{needed}"

    @cached_property
    def _needed_alone(self) -> int | None:
        """Number of queries needed if queries were independent; None if no number suffices."""
        return inference.queries_needed(self.difference, self.deviation, POWER, self.pairs.level)

    @cached_property
    def _differences(self) -> Array:
        values_a, values_b = self.pairs.pair_values
        return (values_b - values_a)[self._known]

    @property
    def _known(self) -> Flags:
        """Mask of the queries for which the measure is defined for A and B."""
        return np.isfinite(np.subtract(*self.pairs.pair_values))

    @property
    def _clusters(self) -> Indices | None:
        """Cluster codes of the queries for which the measure is defined; None without clusters."""
        return at_rows(self.pairs.clusters, self._known)

    @property
    def _cluster_text(self) -> str:
        """Number and noun of the clusters of the queries, in Markdown."""
        count = 0 if self._clusters is None else len(np.unique(self._clusters))
        return self.pairs.rankings.current.clusters_of(count).removeprefix(" of ")
