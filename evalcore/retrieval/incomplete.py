"""Measures for judgments that are known to be incomplete: they leave out what nobody judged, or count it."""

import numpy as np

from evalcore.numeric import Array
from evalcore.registry import metric
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.params import CUT, LEVEL

__all__ = ["bpref", "inferred_average_precision", "judged_at"]

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
    kept = 1.0 - np.minimum(before, total[query]) / most[query]
    return share(np.bincount(query, kept, minlength=len(hits)), total)


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
