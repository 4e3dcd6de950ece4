"""Incomplete judgments and ties: measures that leave out what nobody judged, and what a measure could be worth."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array
from evalcore.registry import MetricDef, metric
from evalcore.retrieval.evaluation import definitions_of
from evalcore.retrieval.gains import CUT, LEVEL, gains
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.judgments import Pool

__all__ = ["Range", "bpref", "inferred_average_precision", "judged_at", "tie_ranges", "unjudged_ranges"]


EPSILON = 1e-5
"""What keeps the inferred precision defined where nothing was judged yet."""


@metric(
    name="Binary preference", symbol="bpref", family="retrieval",
    formula=r"\frac{1}{R} \sum_{rel} \left(1 - \frac{\min(N_{before}, R)}{\min(N, R)}\right)", lowest=0, highest=1,
    best=1, params=(LEVEL,), reference="buckley2004",
)  # fmt: skip
def bpref(hits: Hits, rel: float = 1) -> Array:
    """How rarely a document judged irrelevant ranks above a relevant one.

    How to read it: it uses judged documents only, so unjudged ones neither help nor hurt. N is the number of documents
    judged irrelevant. With complete judgments it behaves much like average precision.

    >>> bpref(Hits.of_grades([1, None, 0, 1], unretrieved=[0])).tolist()
    [0.75]
    """
    relevant, before = hits.relevant(rel), hits.irrelevant_above(rel)
    query, total = relevant.query, relevant.total
    # Where nothing was judged irrelevant, nothing stands above either.
    most = np.maximum(np.minimum(hits.pool.judged - total, total), 1)
    terms = 1.0 - np.minimum(before, total[query]) / most[query]
    return share(np.bincount(query, terms, minlength=len(hits)), total)


@metric(
    name="Inferred average precision", symbol="infAP", family="retrieval",
    formula=r"\frac{1}{R} \sum_{rel} \left(\frac{1}{i} + \frac{i-1}{i} \cdot \frac{r+s+u}{i-1} \cdot "
    r"\frac{r + \epsilon}{r + s + 2\epsilon}\right)", lowest=0, highest=1, best=1, params=(LEVEL,),
    aliases=("inferred AP",), reference="yilmaz2006",
)  # fmt: skip
def inferred_average_precision(hits: Hits, rel: float = 1) -> Array:
    """Average precision, estimated when only a random part of the pool was judged.

    How to read it: above rank i, r documents are relevant, s are irrelevant and u were pooled but not judged (their
    grade is negative); the u are assumed to be relevant as often as the judged ones. With everything judged it is
    average precision but for a trace of ε = 0.00001.

    >>> inferred_average_precision(Hits.of_grades([1, -1, 1])).round(4).tolist()
    [1.0]
    """
    known = hits.relevant(rel)
    rank, r, above = known.rank.astype(np.float64), known.ordinal - 1, hits.pooled_above(rel)
    judged_above = r + hits.irrelevant_above(rel)
    j = rank - 1
    # At rank 1, where j is 0, nothing is added.
    parts = 1.0 / rank + (j / rank) * (above / np.maximum(j, 1.0)) * ((r + EPSILON) / (judged_above + 2 * EPSILON))
    return share(known.summed(parts), known.total)


@metric(
    name="Judged at k", symbol="judged", family="retrieval", formula=r"\frac{|judged_{i \le k}|}{\min(k, n)}", lowest=0,
    highest=1, best=1, params=(CUT,), reference="lu2016",
)  # fmt: skip
def judged_at(hits: Hits, k: float = 10) -> Array:
    """Share of the first k documents that were judged.

    How to read it: how far the other measures at this depth can be trusted. A system whose documents were not pooled
    has a low share, and is underrated by every measure that counts unjudged documents as irrelevant.

    >>> judged_at(Hits.of_grades([1, None, 0, None]), k=4).tolist()
    [0.5]
    """
    judged = np.bincount(hits.query[(hits.rank <= k) & (hits.grade >= 0)], minlength=len(hits))
    return share(judged, np.minimum(hits.retrieved, k))


@dataclass(frozen=True, eq=False)
class Range:
    """A measure of each query between two values that it could take, all of shape (q,)."""

    value: Array  # by the rule: ties by document, unjudged irrelevant
    low: Array
    high: Array


def tie_ranges(hits: Hits, measures: Iterable[str | MetricDef]) -> dict[str, Range]:
    """The lowest and the highest value of each measure over all orders of documents with equal scores.

    In the best order the higher grades come first within each tie, in the worst they come last. That is the extreme of
    every measure which gains when two neighbours are put into the order of their grades: P, R, AP, RR, nDCG, ERR, RBP,
    bpref and their kin. What only asks whether a document was judged (judged@k, the residual of RBP) has its extremes
    with all judged documents first or last; these orders are looked at too. Where a table says what grades are worth,
    the gains take the place of the grades. The inferred AP may leave the range a little where documents are pooled but
    not judged, so its own value is always taken in.

    >>> from evalcore.retrieval import Judgments, Run
    >>> judged = Judgments.from_arrays(["q", "q"], ["a", "b"], [1, 0])
    >>> run = Run.from_arrays(["q", "q", "q"], ["a", "b", "c"], [1, 1, 1])
    >>> result = tie_ranges(Hits.of(judged, run), ["RR"])["RR"]
    >>> result.low.round(2).tolist(), result.value.round(2).tolist(), result.high.tolist()
    ([0.33], [0.33], [1.0])
    """
    ends = (True, False)
    orders = [_reordered(hits, hits.grade, b, gaining) for b in ends for gaining in (hits.grade > 0, hits.grade >= 0)]
    ranges = {}
    for name, definition in definitions_of(measures).items():
        value, gain = definition(hits), str(definition.arguments.get("gain", "linear"))
        own = orders
        if gain not in ("linear", "exp"):
            worth = gains(hits.grade, gain)
            own = [_reordered(hits, worth, best, worth > 0) for best in ends]
        values = np.stack([value, *(definition(order) for order in own)])
        ranges[name] = Range(value, values.min(axis=0), values.max(axis=0))
    return ranges


def unjudged_ranges(hits: Hits, measures: Iterable[str | MetricDef]) -> dict[str, Range]:
    """Each measure with all unjudged documents of the lists irrelevant, and with all of them relevant.

    Relevant ones get the highest grade of the judgments. A measure over all relevant documents, such as AP, may be
    lower then, because they count among R; `low` and `high` are in order.

    >>> ranges = unjudged_ranges(Hits.of_grades([None, 1, -1]), ["P@3"])["P@3"]
    >>> ranges.low.round(2).tolist(), ranges.high.tolist()
    ([0.33], [1.0])
    """
    filled = _filled(hits, hits.pool.highest or 1.0)
    ranges = {}
    for name, definition in definitions_of(measures).items():
        one, two = definition(hits), definition(filled)
        ranges[name] = Range(one, np.minimum(one, two), np.maximum(one, two))
    return ranges


def _reordered(hits: Hits, worth: Array, best: bool, gaining: npt.NDArray[np.bool_]) -> Hits:
    """The hits with each tie in its best or worst order: what gains at one end, what nobody judged in the middle."""
    upward = worth if best else -worth
    ahead = gaining == best
    order = np.lexsort((-upward, hits.first, hits.query))
    query, first, last, ahead = hits.query[order], hits.first[order], hits.last[order], ahead[order]
    heads = np.ones(len(order), dtype=bool)
    heads[1:] = (query[1:] != query[:-1]) | (first[1:] != first[:-1])
    tie = np.cumsum(heads) - 1
    start = np.flatnonzero(heads)
    size = np.diff(np.append(start, len(order)))
    offset = np.arange(len(order)) - start[tie]
    rank = np.where(ahead, first + offset, last - (size[tie] - 1 - offset))
    sorted_by = np.lexsort((rank, query))
    return hits.of_rows(order[sorted_by], rank=rank[sorted_by])


def _filled(hits: Hits, grade: float) -> Hits:
    """The hits with every rank of every list, where those that nobody judged have a grade."""
    query = np.repeat(np.arange(len(hits)), hits.retrieved)
    starts: Places = np.cumsum(hits.retrieved) - hits.retrieved
    rank = np.arange(1, len(query) + 1) - np.repeat(starts, hits.retrieved)
    grades = np.full(len(query), grade, dtype=np.float64)
    grades[(starts[hits.query] + hits.rank - 1)] = np.where(hits.grade < 0, grade, hits.grade)
    new = np.ones(len(query), dtype=bool)
    new[starts[hits.query[hits.grade >= 0]] + hits.rank[hits.grade >= 0] - 1] = False
    mask = hits.pool.grade >= 0
    pool = Pool.of(
        np.concatenate([hits.pool.query[mask], query[new]]),
        np.concatenate([hits.pool.grade[mask], grades[new]]),
        len(hits),
    )
    return replace(hits, query=query, rank=rank, grade=grades, pool=pool, first=rank, last=rank)
