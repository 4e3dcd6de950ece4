"""Measures for judgments that are known to be incomplete: they leave out what nobody judged, or count it."""

import numpy as np

from evalcore.numeric import Array
from evalcore.registry import metric
from evalcore.retrieval.hits import Hits, firsts, ordinals, share
from evalcore.retrieval.params import CUT, LEVEL

EPSILON = 1e-5
"""What keeps the inferred precision defined where nothing was judged yet."""


@metric(
    name="Binary preference", symbol="bpref", family="retrieval",
    formula=r"\frac{1}{R} \sum_{rel} \left(1 - \frac{\min(N_{before}, R)}{\min(N, R)}\right)", lowest=0, highest=1,
    best=1, params=(LEVEL,), reference="buckley2004",
)  # fmt: skip
def bpref(hits: Hits, rel: float = 1) -> Array:
    """How seldom a document that was judged irrelevant stands above a relevant one.

    How to read it: it looks at judged documents only, so unjudged ones neither help nor hurt. N counts the documents
    judged irrelevant. With complete judgments it says much the same as average precision.

    Examples
    --------
    >>> bpref(Hits.of_grades([1, None, 0, 1], unretrieved=[0])).tolist()
    [0.75]
    """
    judged = hits.grade >= 0
    query, is_relevant = hits.query[judged], hits.grade[judged] >= rel
    total = hits.pool.relevant(rel)
    before = ordinals(query)[is_relevant] - hits.relevant(rel).ordinal
    query = query[is_relevant]
    most = np.minimum(hits.pool.judged - total, total)
    kept = np.where(before > 0, 1.0 - share(np.minimum(before, total[query]), most[query]), 1.0)
    return share(np.bincount(query, kept, minlength=len(hits)), total)


@metric(
    name="Inferred average precision", symbol="infAP", family="retrieval",
    formula=r"\frac{1}{R} \sum_{rel} \left(\frac{1}{i} + \frac{i-1}{i} \cdot \frac{r+s+u}{i-1} \cdot "
    r"\frac{r + \epsilon}{r + s + 2\epsilon}\right)", lowest=0, highest=1, best=1, params=(LEVEL,),
    aliases=("inferred AP",), reference="yilmaz2006",
)  # fmt: skip
def inferred_average_precision(hits: Hits, rel: float = 1) -> Array:
    """Average precision, estimated where only a random part of the pool was judged.

    How to read it: of the documents above rank i, r are relevant, s are not and u were pooled but not judged (their
    grade is negative); the u are taken to be relevant as often as the judged ones. With everything judged it is average
    precision but for a trace of ε = 0.00001.

    Examples
    --------
    >>> inferred_average_precision(Hits.of_grades([1, -1, 1])).round(4).tolist()
    [1.0]
    """
    pooled = hits.query
    known = hits.relevant(rel)
    above = ordinals(pooled) - 1
    judged_above = _before(hits.grade >= 0, pooled)
    rows = hits.grade >= rel
    rank = hits.rank[rows].astype(np.float64)
    r, above, judged_above = known.ordinal - 1, above[rows], judged_above[rows]
    j = rank - 1
    safe = np.where(j > 0, j, 1.0)
    parts = 1.0 / (j + 1.0) + (j / (j + 1.0)) * (above / safe) * ((r + EPSILON) / (judged_above + 2 * EPSILON))
    return share(known.summed(np.where(j > 0, parts, 1.0)), known.total)


@metric(
    name="Judged at k", symbol="judged", family="retrieval", formula=r"\frac{|judged_{i \le k}|}{\min(k, n)}", lowest=0,
    highest=1, best=1, params=(CUT,), reference="lu2016",
)  # fmt: skip
def judged_at(hits: Hits, k: float = 10) -> Array:
    """Share of the first k documents of the list that anybody judged.

    How to read it: how far the other numbers at this depth can be believed. A system whose documents were not pooled
    has a low share, and is underrated by every measure that counts unjudged as irrelevant.

    Examples
    --------
    >>> judged_at(Hits.of_grades([1, None, 0, None]), k=4).tolist()
    [0.5]
    """
    return share(hits.within(k, hits.grade >= 0), np.minimum(hits.retrieved, k))


def _before(which: np.ndarray, query: np.ndarray) -> np.ndarray:
    """How many of some rows stand before each row within its query."""
    counted = np.cumsum(which) - which
    return counted - counted[firsts(query)]
