"""Do queries or systems vary more, and how many queries show a difference between A and B?"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.label_pairs import pair_names, system_name
from evalcore.analyses.ranking_pairs import RankingPairs
from evalcore.analyses.script import check
from evalcore.inference import VarianceComponents, paired_power, queries_needed, variance_components
from evalcore.inference.clustered import error_of_mean
from evalcore.numeric import Array, ratio
from evalcore.wording import count_text, latex_count, latex_term, number_text, share_text

__all__ = ["POWER", "QueryVariance"]

POWER = 0.8
"""The usual chance of finding a difference that is there."""
_POINTS = 60


@dataclass(frozen=True, eq=False)
class QueryVariance:
    """The variance of the measure of the verdict between queries and systems, and the power to tell A from B.

    >>> from evalcore.analyses import Rankings, Source, compare_rankings
    >>> from evalcore.readers import read_sample
    >>> pairs = compare_rankings(Rankings(Source.of(read_sample("image_retrieval")), "pixels"), "projection", ["AP"])
    >>> variance = QueryVariance(pairs, 0.02)
    >>> variance.needed, len(pairs.queries)
    (527, 300)
    """

    pairs: RankingPairs
    asked: float | None = None  # the difference to be found, above 0; None for that between A and B

    @cached_property
    def values(self) -> Array:
        """The measure of each system for the queries in which it is defined for all, shape (systems, queries)."""
        values = np.array([self.pairs.values(system, self.pairs.measure) for system in self.pairs.systems])
        return values[:, np.isfinite(values).all(axis=0)]

    @cached_property
    def parts(self) -> VarianceComponents | None:
        """The components of their variance; None with fewer than two queries."""
        return variance_components(self.values) if self.values.shape[1] > 1 else None

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of B − A between the queries."""
        return float(self._differences.std(ddof=1))

    @property
    def found(self) -> float:
        """The mean of |B − A| in these queries."""
        return abs(float(self._differences.mean()))

    @property
    def difference(self) -> float:
        """The difference to be found."""
        return self.found if self.asked is None else self.asked

    @property
    def queries(self) -> int:
        """How many queries there are."""
        return self.values.shape[1]

    @cached_property
    def needed(self) -> int | None:
        """Queries that find it with a power of 80 %; None where no number does."""
        if self._needed_alone is None or math.isinf(self.design_effect):
            return None
        return math.ceil(self._needed_alone * self.design_effect - 1e-9)

    def power(self, queries: float) -> float:
        """The chance to find it with so many queries."""
        return paired_power(self.difference, self.deviation, queries / self.design_effect, self.pairs.level)

    @cached_property
    def design_effect(self) -> float:
        """How many times as many queries are needed as if each were on its own, at least 1; ∞ for a single cluster.

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
        """Numbers of queries, from 2 to beyond what is there and what is needed, and the power of each."""
        last = max(self.queries, min(self.needed or 0, 20 * self.queries)) * 1.25
        numbers = np.unique(np.geomspace(2, max(last, 10), _POINTS).round())
        return numbers, np.array([self.power(number) for number in numbers.tolist()])

    @property
    def verdict(self) -> str:
        """How many queries are needed and what chance there is with those here, in Markdown."""
        (a, b), heading = pair_names(self.pairs.a, self.pairs.b), system_name(self.pairs.heading)
        what = f"a difference of {number_text(self.difference)} in {heading} between {a} and {b}"
        have = f"With the {count_text(self.queries)} queries here the chance is {share_text(self.power(self.queries))}."
        if math.isinf(self.design_effect):
            return f"**Not known: all queries belong to {self._together}.**"
        if self.needed is None:
            return f"**No number of queries shows {what}.**"
        found = f"**{count_text(self.needed)} queries** show {what} with a chance of at least {share_text(POWER)}"
        together = ""
        if self.pairs.clusters is not None:
            together = f" Queries come in clusters like those of {self._together}: design effect"
            together += f" {number_text(self.design_effect)}."
        return f"{found} (p ≤ {number_text(1 - self.pairs.level, 2)}). {have}{together}"

    @property
    def variance_verdict(self) -> str:
        """Whether queries or systems vary more, in Markdown."""
        if self.parts is None:
            return ""
        heading = system_name(self.pairs.heading)
        if np.isnan(self.parts.shares[0]):
            return f"All values of {heading} are equal: nothing varies."
        of_system, of_query, rest = map(share_text, self.parts.shares)
        alone = "" if self.pairs.clusters is None else "; queries taken as independent"
        return (
            f"**{of_query}** of the variance of {heading} lies between queries and **{of_system}** between systems; "
            f"**{rest}** is how the difference of two systems changes from query to query. A paired test removes the "
            "first part; only the last makes it uncertain. Reliability of the order of the systems "
            f"(1 is perfect{alone}): {number_text(self.parts.reliability(self.queries))}."
        )

    @property
    def table(self) -> dict[str, list]:
        """A row per component, unrounded."""
        parts = self.parts
        if parts is None:
            return {"part": [], "variance": [], "standard deviation": [], "share": []}
        variances = [parts.query, parts.system, parts.residual]
        of_system, of_query, rest = parts.shares
        return {
            "part": ["queries", "systems", "system × query, and chance"],
            "variance": variances,
            "standard deviation": np.sqrt(variances).tolist(),
            "share": [of_query, of_system, rest],
        }

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
        """Lines of Python after those of the comparison, which compute the numbers again."""
        if self.parts is None:
            return ""
        numbers = [self.parts.system, self.parts.query, self.parts.residual]
        return "\n".join(
            [
                f"variance = QueryVariance(comparison, {self.asked!r})",
                check("[variance.parts.system, variance.parts.query, variance.parts.residual]", numbers),
                f"assert variance.needed == {self.needed!r}",
            ]
        )

    @cached_property
    def _needed_alone(self) -> int | None:
        """The same if each query were on its own."""
        return queries_needed(self.difference, self.deviation, POWER, self.pairs.level)

    @cached_property
    def _differences(self) -> Array:
        values_a, values_b = (self.pairs.values(system, self.pairs.measure) for system in (self.pairs.a, self.pairs.b))
        differences = values_b - values_a
        return differences[np.isfinite(differences)]

    @property
    def _clusters(self) -> npt.NDArray[np.intp] | None:
        """What the queries of the differences belong to."""
        values_a, values_b = (self.pairs.values(system, self.pairs.measure) for system in (self.pairs.a, self.pairs.b))
        clusters = self.pairs.clusters
        return None if clusters is None else clusters[np.isfinite(values_b - values_a)]

    @property
    def _together(self) -> str:
        """What the queries belong to, with their number, in Markdown."""
        clusters = self._clusters
        count = 0 if clusters is None else len(np.unique(clusters))
        return self.pairs.rankings.current.clusters_of(count).removeprefix(" of ")
