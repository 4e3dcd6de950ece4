"""Are the best documents at the top? Graded measures of all systems, over the queries and over the ranks."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analyses.graded_list import MOST_RANKS, GainSettings, table_of_query
from evalcore.analyses.rankings import Rankings
from evalcore.numeric import Array
from evalcore.retrieval import ideal_gain
from evalcore.wording import count_text, number_text, one_line, plain

__all__ = ["GradedSystems", "MeasureOverRanks"]

MOST_SYSTEMS = 12
"""Systems with a curve and a column; more cannot be told apart."""

_DENSE, _SPARSE = 20, 24
"""Ranks one by one, and how many more down to the last."""


@dataclass(frozen=True, eq=False)
class MeasureOverRanks:
    """A measure, "nDCG" or "DCG", cut off at each of some ranks, for several systems."""

    measure: str
    ranks: npt.NDArray[np.int64]  # shape (k,)
    # Shape (k,): by system. Names come from a file: escape them.
    values: dict[str, Array]
    rankings: Rankings
    verdict: str  # what the values are, in Markdown

    @property
    def description(self) -> str:
        """The values at the last rank, for those who cannot see the curves."""
        last = (f"{one_line(name, 30)} {number_text(float(values[-1]))}" for name, values in self.values.items())
        return f"{self.measure} at each rank: {', '.join(last)} at rank {int(self.ranks[-1])}"


@dataclass(frozen=True, eq=False)
class GradedSystems:
    """The graded measures of the systems of a data set.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> systems = GradedSystems(Rankings(Source.of(read_sample("graded_10")), "rank"), GainSettings())
    >>> systems.headline[0][:2], systems.table["DCG@10"].round(3).tolist()
    (('nDCG@10', '0.489'), [5.881])
    """

    rankings: Rankings
    settings: GainSettings

    @property
    def headline(self) -> list[tuple[str, str, str]]:
        """Name, mean in words and explanation of each measure at k."""
        names = {f"{symbol}@{self.rankings.k}": self._name(symbol) for symbol in ("nDCG", "DCG", "nCG", "CG")}
        values = self.rankings.per_query(names.values())
        return [
            (title, number_text(values.mean(name)), f"Mean over the queries. {values.measures[name].summary}")
            for title, name in names.items()
        ]

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """A row per query, unrounded: its documents, DCG, ideal DCG and nDCG, and nDCG of the other systems."""
        hits, k, settings = self.rankings.hits(), self.rankings.k, self.settings
        dcg, ndcg = self._name("DCG"), self._name("nDCG")
        values = self.rankings.per_query([dcg, ndcg])
        others = [system for system in self.listed if system != self.rankings.system]
        return {
            "query": list(values.queries),
            "retrieved": hits.retrieved,
            "judged": hits.pool.judged,
            f"DCG@{k}": values.values[dcg],
            f"IDCG@{k}": ideal_gain(hits.pool, k, settings.gain, settings.discount, settings.base),
            f"nDCG@{k}": values.values[ndcg],
            **{f"nDCG@{k} {one_line(system, 40)}": self.rankings.matched(ndcg, system) for system in others},
        }

    @property
    def listed(self) -> list[str]:
        """The systems with a curve and a column, the chosen one among them."""
        systems = self.rankings.systems[:MOST_SYSTEMS]
        return list(systems if self.rankings.system in systems else (*systems[:-1], self.rankings.system))

    def over_ranks(self, measure: str, query: str | None = None) -> MeasureOverRanks:
        """The nDCG or DCG of each system at growing ranks, of one query or by default the mean over all."""
        rankings = self.rankings
        systems = [one for one in self.listed if rankings.queries(one) and query in (None, *rankings.queries(one))]
        longest = [int(self._retrieved(system, query).max(initial=0)) for system in systems]
        ranks = _ranks(min(max(longest, default=0), MOST_RANKS))
        values = {one: self._values(measure, query, one, ranks) for one in systems} if len(ranks) else {}
        if query is None:
            queries, hidden = len(rankings.queries()), len(rankings.systems) - len(values)
            shown = f"Mean {measure} over {count_text(queries)} {'query' if queries == 1 else 'queries'}"
            more = f" {count_text(hidden)} more systems are not drawn." if hidden else ""
        else:
            shown, more = f"{measure} of query {plain(query, 60)}", ""
        return MeasureOverRanks(measure, ranks, values, rankings, f"{shown}, cut off at each rank k.{more}")

    def _name(self, symbol: str) -> str:
        return self.settings.name_of(symbol, "k")

    def _retrieved(self, system: str, query: str | None) -> npt.NDArray[np.integer]:
        retrieved = self.rankings.hits(system).retrieved
        return retrieved if query is None else retrieved[[self.rankings.queries(system).index(query)]]

    def _values(self, measure: str, query: str | None, system: str, ranks: npt.NDArray[np.int64]) -> Array:
        if query is not None:
            table = table_of_query(self.rankings, query, self.settings, int(ranks[-1]), system)
            return (table.ndcg if measure == "nDCG" else table.dcg)[ranks - 1]
        hits, name_of = self.rankings.hits(system), self.settings.name_of
        measures = [self.rankings.measure(name_of(measure, rank)) for rank in ranks.tolist()]
        key = ("over ranks", measure, self.settings, int(ranks[-1]))
        return hits.once(key, lambda: np.array([float(one(hits).mean()) for one in measures]))


def _ranks(last: int) -> npt.NDArray[np.int64]:
    """Every rank while they are few, then ever fewer of them down to the last."""
    if last <= _DENSE + _SPARSE:
        return np.arange(1, last + 1)
    further = np.unique(np.geomspace(_DENSE, last, _SPARSE).round().astype(int))
    return np.union1d(np.arange(1, _DENSE + 1), further)
