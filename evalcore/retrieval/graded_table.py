"""The table behind nDCG: what every rank of one list adds, and what the ideal list would have."""

from dataclasses import dataclass

import numpy as np

from evalcore.numeric import Array
from evalcore.retrieval.gains import divisors, gains
from evalcore.retrieval.graded import highest_gain, ndcg, normalised_cumulated_gain
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.id_table import Places

__all__ = ["GradedTable", "graded_table"]


@dataclass(frozen=True, eq=False)
class GradedTable:
    """One list rank by rank; every array has the shape (k,).

    Attributes
    ----------
    rank : array of int
        1 … k.
    grade : Array
        nan where nobody judged the document.
    gain : Array
        What the grade is worth; 0 for the unjudged.
    cg, normalised_cg : Array
        Cumulated gain, and its share of rank × the highest gain there is.
    discount : Array
        What the gain at this rank is multiplied by.
    discounted_gain, dcg : Array
        Gain times discount, and its sum so far.
    ideal_gain, idcg, ndcg : Array
        The gain of the ideal list at this rank, its discounted sum so far, and the share of it that was reached.
    """

    rank: Places
    grade: Array
    gain: Array
    cg: Array
    normalised_cg: Array
    discount: Array
    discounted_gain: Array
    dcg: Array
    ideal_gain: Array
    idcg: Array
    ndcg: Array

    def columns(self) -> dict[str, Array]:
        """The columns by name, in the order of the arithmetic."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def graded_table(
    hits: Hits,
    query: int = 0,
    depth: int | None = None,
    gain: str = "linear",
    discount: str = "log",
    base: float = 2,
) -> GradedTable:
    """The table of one query.

    Parameters
    ----------
    query : int
        Place of the query.
    depth : int, optional
        Ranks to show, by default the length of the list; ranks behind its end gain nothing.
    gain, discount, base
        As for `ndcg`.

    Examples
    --------
    >>> table = graded_table(Hits.of_grades([0, 2], unretrieved=[3]))
    >>> table.dcg.round(2).tolist(), table.idcg.round(2).tolist(), table.ndcg.round(2).tolist()
    ([0.0, 1.26], [3.0, 4.26], [0.0, 0.3])
    """
    depth = int(hits.retrieved[query]) if depth is None else depth
    rank = np.arange(1, depth + 1)
    rows = (hits.query == query) & (hits.rank <= depth)
    grade = np.full(depth, np.nan)
    grade[hits.rank[rows] - 1] = hits.grade[rows]
    gained = np.where(np.isnan(grade), 0.0, gains(np.nan_to_num(grade), gain))
    ideal = np.zeros(depth)
    pooled = np.sort(gains(hits.pool.grade[hits.pool.query == query], gain))[::-1][:depth]
    ideal[: len(pooled)] = pooled
    below = divisors(rank, discount, base)
    highest = highest_gain(hits.pool, gain)
    cg, dcg, idcg = np.cumsum(gained), np.cumsum(gained / below), np.cumsum(ideal / below)
    if np.isfinite(highest):
        shares = share(cg, rank * highest), share(dcg, idcg)
    else:  # gains that no float holds still have a share of the ideal ones
        cuts = rank.tolist()
        shares = (
            np.array([normalised_cumulated_gain(hits, k, gain)[query] for k in cuts]),
            np.array([ndcg(hits, k, gain, discount, base)[query] for k in cuts]),
        )
    return GradedTable(
        *(rank, grade, gained, cg, shares[0], 1 / below, gained / below, dcg),
        *(ideal, idcg, shares[1]),
    )
