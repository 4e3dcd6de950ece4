"""Measures of a ranking with several grades of relevance, and the table behind nDCG."""

from dataclasses import dataclass
from math import inf

import numpy as np

from evalcore.numeric import Array
from evalcore.registry import metric
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.judgments import Pool
from evalcore.retrieval.ranked import BASE, DISCOUNT, GAIN, UNCUT, divisors, gains, shift_of

__all__ = ["GradedTable", "cumulated_gain", "discounted_cumulated_gain", "graded_table", "ideal_gain", "ndcg"]
__all__ += ["normalised_cumulated_gain", "preference_agreement"]


@metric(
    name="Cumulated gain", symbol="CG", family="retrieval", formula=r"\sum_{i \le k} v_i", lowest=0, highest=inf,
    best=None, better="higher", params=(UNCUT, GAIN), reference="jarvelin2002",
)  # fmt: skip
def cumulated_gain(hits: Hits, k: float = inf, gain: str = "linear") -> Array:
    """Sum of the gains of the first k documents.

    How to read it: what has been collected down to rank k, regardless of order. It has no upper limit, so compare lists
    of the same query only.

    >>> cumulated_gain(Hits.of_grades([3, 0, 2]), k=2).tolist()
    [3.0]
    """
    return _summed(hits, k, gain, "none", 2)


@metric(
    name="Normalised cumulated gain", symbol="nCG", family="retrieval",
    formula=r"\frac{1}{k\, v_{max}} \sum_{i \le k} v_i", lowest=0, highest=1, best=1, params=(UNCUT, GAIN),
    aliases=("normalised CG", "normalized cumulated gain"), reference="weber2018",
)  # fmt: skip
def normalised_cumulated_gain(hits: Hits, k: float = inf, gain: str = "linear") -> Array:
    """Cumulated gain as a share of k documents with the highest gain.

    How to read it: 1 if each of the first k documents gains as much as the best judged document. A query with fewer
    such documents cannot reach 1. Järvelin and Kekäläinen divide by the cumulated gain of the ideal list instead.

    >>> normalised_cumulated_gain(Hits.of_grades([3, 0, 2]), k=3).round(4).tolist()
    [0.5556]
    """
    shift = shift_of(hits.pool.highest, gain)
    highest = highest_gain(hits.pool, gain, shift)
    cumulated = _summed(hits, k, gain, "none", 2, shift)
    return share(cumulated, np.minimum(k, hits.retrieved) * highest if k == inf else k * highest)


@metric(
    name="Discounted cumulated gain", symbol="DCG", family="retrieval",
    formula=r"\sum_{i \le k} \frac{g(v_i)}{\log_2(i + 1)}", lowest=0, highest=inf, best=None, better="higher",
    params=(UNCUT, GAIN, DISCOUNT, BASE), aliases=("dcg_cut_{k}",), reference="jarvelin2002",
)  # fmt: skip
def discounted_cumulated_gain(
    hits: Hits, k: float = inf, gain: str = "linear", discount: str = "log", base: float = 2
) -> Array:
    """Sum of the gains of the first k documents, discounted by rank.

    How to read it: it rewards good documents near the top. It has no upper limit; use nDCG to compare across queries.

    >>> discounted_cumulated_gain(Hits.of_grades([3, 0, 2])).tolist()
    [4.0]
    """
    return _summed(hits, k, gain, discount, base)


@metric(
    name="Normalised discounted cumulated gain", symbol="nDCG", family="retrieval", formula=r"\frac{DCG_k}{IDCG_k}",
    lowest=0, highest=1, best=1, params=(UNCUT, GAIN, DISCOUNT, BASE),
    aliases=("ndcg_cut_{k}", "nDCG{k}", "normalized discounted cumulative gain"), reference="jarvelin2002",
    own_names={"ndcg_cut_{k}": {"gain": GAIN.default, "discount": DISCOUNT.default, "base": BASE.default}},
)  # fmt: skip
def ndcg(hits: Hits, k: float = inf, gain: str = "linear", discount: str = "log", base: float = 2) -> Array:
    """Discounted cumulated gain as a share of that of the ideal list at the same rank.

    How to read it: 1 if no other order or choice of documents would be better. The ideal list holds all judged
    documents of the query, retrieved or not, highest grade first. With exponential gains (2ᵛ − 1) the highest grades
    count far more.

    >>> ndcg(Hits.of_grades([3, 2, 0], unretrieved=[3])).round(4).tolist()
    [0.7232]
    """
    # Each query has a shift of its own, so that a query with small grades keeps them beside one with huge ones.
    shift = shift_of(hits.pool.tops, gain) if shift_of(hits.pool.highest, gain) else 0.0
    own = _summed(hits, k, gain, discount, base, shift)
    return share(own, ideal_gain(hits.pool, k, gain, discount, base, shift))


@metric(
    name="Preference agreement", symbol="pref", family="retrieval",
    formula=r"\frac{|\{(a, b) : v_a > v_b,\ a \text{ before } b\}|}{|\{(a, b) : v_a > v_b\}|}", lowest=0, highest=1,
    best=1, aliases=("preferences",), reference="joachims2002",
)  # fmt: skip
def preference_agreement(hits: Hits) -> Array:
    """Share of pairs of judged documents with different grades in which the higher grade ranks first.

    How to read it: the probability that the list orders two such documents correctly. Documents that were not retrieved
    rank last, and a pair of them counts ½. With two grades it is the area under the ROC curve of the query.

    >>> preference_agreement(Hits.of_grades([2, 0, 1])).round(4).tolist()
    [0.6667]
    """
    queries, judged = len(hits), hits.grade >= 0
    query, grade = hits.query[judged], hits.grade[judged]
    pooled = hits.pool.grade >= 0
    pool_query, pool_grade = hits.pool.query[pooled], hits.pool.grade[pooled]
    right, pairs = np.zeros(queries), np.zeros(queries)
    for level in np.unique(pool_grade)[1:]:
        higher, lower = grade == level, grade < level
        all_higher = np.bincount(pool_query[pool_grade == level], minlength=queries)
        all_lower = np.bincount(pool_query[pool_grade < level], minlength=queries)
        got_higher = np.bincount(query[higher], minlength=queries)
        got_lower = np.bincount(query[lower], minlength=queries)
        above = np.cumsum(lower) - lower
        above -= above[np.searchsorted(query, query)] if len(query) else 0
        wrong = np.bincount(query[higher], above[higher], minlength=queries)
        right += got_higher * all_lower - wrong + 0.5 * (all_higher - got_higher) * (all_lower - got_lower)
        pairs += all_higher * all_lower
    return share(right, pairs)


@dataclass(frozen=True, eq=False)
class GradedTable:
    """The gains of a list after each rank down to k; every array has the shape (k,)."""

    rank: Places
    grade: Array  # nan where nobody judged the document
    gain: Array  # what the grade is worth; 0 for the unjudged
    # Cumulated gain, and its share of rank × the highest gain there is.
    cg: Array
    normalised_cg: Array
    discount: Array  # what the gain at this rank is multiplied by
    discounted_gain: Array
    dcg: Array  # sum of gain times discount so far
    # The gain of the ideal list at this rank, its discounted sum so far, and the share of it that was reached.
    ideal_gain: Array
    idcg: Array
    ndcg: Array

    def columns(self) -> dict[str, Array]:
        """The columns by name, in the order of the arithmetic."""
        return dict(vars(self))


def graded_table(
    hits: Hits, query: int = 0, depth: int | None = None, gain: str = "linear", discount: str = "log", base: float = 2
) -> GradedTable:
    """The table of the query at a place down to a depth (that of the list), with the gain and discount of `ndcg`."""
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
        normalised, reached = share(cg, rank * highest), share(dcg, idcg)
    else:  # gains that no float holds still have a share of the ideal ones
        normalised = np.array([normalised_cumulated_gain(hits, k, gain)[query] for k in rank.tolist()])
        reached = np.array([ndcg(hits, k, gain, discount, base)[query] for k in rank.tolist()])
    return GradedTable(rank, grade, gained, cg, normalised, 1 / below, gained / below, dcg, ideal, idcg, reached)


def highest_gain(pool: Pool, gain: str = "linear", shift: Array | float = 0.0) -> float:
    """Highest gain of a judged document of any query; a gain table may give it to another than the highest grade."""
    return pool.once(("highest", gain, shift), lambda: float(gains(pool.grade, gain, shift).max(initial=0.0)))


def ideal_gain(
    pool: Pool, k: float = inf, gain: str = "linear", discount: str = "log", base: float = 2, shift: Array | float = 0.0
) -> Array:
    """Discounted cumulated gain of the ideal list of each query, shape (q,); with a shift of each query for `gains`."""

    def made() -> Array:
        table = gain not in ("linear", "exp")
        some = pool if table else pool.positive
        query, rank = some.query, some.rank
        worth = gains(some.grade, gain, _of(shift, query))
        if table:  # it may turn the order of the grades
            order = np.lexsort((-worth, query))
            worth = worth[order]
        rows = (rank <= k) & (worth > 0)
        gained = worth[rows] / divisors(rank[rows], discount, base)
        return np.bincount(query[rows], gained, minlength=pool.count).astype(np.float64)

    return pool.once(("ideal", k, gain, discount, base, np.any(shift)), made)


def _of(shift: Array | float, query: Places) -> Array | float:
    return shift[query] if isinstance(shift, np.ndarray) and shift.ndim else shift


def _summed(hits: Hits, k: float, gain: str, discount: str, base: float, shift: Array | float = 0.0) -> Array:
    def made() -> Array:
        return gains(hits.grade, gain, _of(shift, hits.query)) / divisors(hits.rank, discount, base)

    # A shift is one for all queries or one for each, and follows from the grades.
    parts = hits.once(("gained", gain, discount, base, np.ndim(shift), np.any(shift)), made)
    rows = (hits.rank <= k) & (parts > 0)
    return np.bincount(hits.query[rows], parts[rows], minlength=len(hits)).astype(np.float64)
