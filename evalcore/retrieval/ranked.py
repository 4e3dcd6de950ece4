"""Measures of a ranking with two grades: how many relevant documents stand how high.

A query without a relevant document, or without a list, counts 0, as trec_eval -c has it.
"""

from math import inf

import numpy as np

from evalcore.numeric import Array, ratio
from evalcore.registry import metric
from evalcore.retrieval.gains import CUT, LEVEL, SIZE, UNCUT, Param
from evalcore.retrieval.hits import Hits, irrelevant, share

__all__ = ["average_precision_at", "fall_out_at", "geometric_average_precision", "precision_at", "r_precision"]
__all__ += ["recall_at", "reciprocal_rank", "success_at"]

SMALLEST = 1e-5
"""What an average precision counts at least in the geometric mean."""


@metric(
    name="Precision at k", symbol="P", family="retrieval", formula=r"\frac{1}{k} \sum_{i \le k} rel_i", lowest=0,
    highest=1, best=1, params=(CUT, LEVEL), aliases=("precision", "P_{k}", "P{k}", "prec@k", "prec"),
    reference="harman1993",
)  # fmt: skip
def precision_at(hits: Hits, k: float = 10, rel: float = 1) -> Array:
    """Share of relevant documents among the first k ranks.

    How to read it: what a reader of k results gets. A list shorter than k counts as if filled with irrelevant
    documents, and a query with fewer than k relevant documents cannot reach 1.

    >>> precision_at(Hits.of_grades([1, 0, 1, 1]), k=2).tolist()
    [0.5]
    """
    return hits.relevant(rel).within(k) / k


@metric(
    name="Recall at k", symbol="R", family="retrieval", formula=r"\frac{1}{R} \sum_{i \le k} rel_i", lowest=0,
    highest=1, best=1, params=(UNCUT, LEVEL), aliases=("recall", "recall_{k}", "R{k}"), reference="harman1993",
)  # fmt: skip
def recall_at(hits: Hits, k: float = inf, rel: float = 1) -> Array:
    """Share of the relevant documents found within the first k ranks.

    How to read it: how complete the list is down to rank k. Only judged documents count: relevant documents that nobody
    judged are missing from numerator and denominator.

    >>> recall_at(Hits.of_grades([1, 0, 1], unretrieved=[1, 1]), k=2).tolist()
    [0.25]
    """
    relevant = hits.relevant(rel)
    return share(relevant.within(k), relevant.total)


@metric(
    name="Success at k", symbol="success", family="retrieval", formula=r"\left[\sum_{i \le k} rel_i > 0\right]",
    lowest=0, highest=1, best=1, params=(CUT, LEVEL), aliases=("hit", "success_{k}", "hit rate at k"),
    reference="harman1993",
)  # fmt: skip
def success_at(hits: Hits, k: float = 10, rel: float = 1) -> Array:
    """Whether a relevant document is within the first k ranks: 1 or 0.

    How to read it: its mean is the share of queries answered within the first k results.

    >>> success_at(Hits.of_grades([0, 0, 1]), k=2).tolist(), success_at(Hits.of_grades([0, 0, 1]), k=3).tolist()
    ([0.0], [1.0])
    """
    return (hits.relevant(rel).within(k) > 0).astype(np.float64)


@metric(
    name="R-precision", symbol="Rprec", family="retrieval", formula=r"\frac{1}{c} \sum_{i \le c} rel_i,\; c = mR",
    lowest=0, highest=1, best=1,
    params=(Param("multiple", 1, 0.01, 1000, "Depth of the list, as a multiple of R."), LEVEL),
    aliases=("R-prec", "Rprec_mult_{multiple}", "precision at R"), reference="buckley2000",
)  # fmt: skip
def r_precision(hits: Hits, multiple: float = 1, rel: float = 1) -> Array:
    """Precision at rank R, where R is the number of relevant documents of the query.

    How to read it: at this rank precision equals recall, so each query is measured at a depth that suits it; 1 means
    that all relevant documents rank before all others.

    >>> r_precision(Hits.of_grades([1, 0, 1], unretrieved=[1])).round(4).tolist()
    [0.6667]
    """
    relevant = hits.relevant(rel)
    cut = relevant.total if multiple == 1 else (multiple * relevant.total + 0.9).astype(np.int64)
    within = relevant.rank <= cut[relevant.query]
    return share(np.bincount(relevant.query[within], minlength=len(hits)), cut)


@metric(
    name="Average precision", symbol="AP", family="retrieval",
    formula=r"\frac{1}{R} \sum_{i \le k,\, rel_i = 1} \frac{1}{i} \sum_{j \le i} rel_j", lowest=0, highest=1, best=1,
    params=(UNCUT, LEVEL), aliases=("MAP", "map_cut_{k}", "mean average precision"), reference="buckley2000",
)  # fmt: skip
def average_precision_at(hits: Hits, k: float = inf, rel: float = 1) -> Array:
    """Mean of the precision at the rank of each relevant document; one not retrieved counts 0.

    How to read it: the area under the precision–recall curve of the query; its mean over queries is MAP. The top ranks
    count most. Cut at k it is still divided by all R relevant documents.

    >>> average_precision_at(Hits.of_grades([1, 0, 1], unretrieved=[1])).round(4).tolist()
    [0.5556]
    """
    relevant = hits.relevant(rel)
    return share(relevant.summed(relevant.precisions, k), relevant.total)


@metric(
    name="Geometric mean average precision", symbol="GMAP", family="retrieval",
    formula=r"\exp \frac{1}{|Q|} \sum_q \ln \max(AP_q, 10^{-5})", lowest=SMALLEST, highest=1, best=1, params=(LEVEL,),
    aliases=("gm_map",), reference="robertson2006", mean="geometric",
)  # fmt: skip
def geometric_average_precision(hits: Hits, rel: float = 1) -> Array:
    """Average precision with a floor of 0.00001, averaged over queries by the geometric mean.

    How to read it: only its geometric mean over queries is GMAP. It shows whether the hard queries improved: doubling
    AP from 0.01 to 0.02 counts as much as from 0.4 to 0.8.

    >>> geometric_average_precision(Hits.of_grades([0, 0], unretrieved=[1])).tolist()
    [1e-05]
    """
    return np.maximum(average_precision_at(hits, rel=rel), SMALLEST)


@metric(
    name="Reciprocal rank", symbol="RR", family="retrieval", formula=r"\frac{1}{\min \{i : rel_i = 1\}}", lowest=0,
    highest=1, best=1, params=(UNCUT, LEVEL), aliases=("MRR", "recip_rank", "mean reciprocal rank"),
    reference="voorhees1999",
)  # fmt: skip
def reciprocal_rank(hits: Hits, k: float = inf, rel: float = 1) -> Array:
    """One over the rank of the first relevant document; 0 if there is none within the first k ranks.

    How to read it: for questions with a single answer. From rank 1 to 2 it loses half, from rank 10 to 20 next to
    nothing.

    >>> reciprocal_rank(Hits.of_grades([0, 0, 0, 1, 1])).tolist()
    [0.25]
    """
    relevant = hits.relevant(rel)
    first = (relevant.ordinal == 1) & (relevant.rank <= k)
    values = np.zeros(len(hits))
    values[relevant.query[first]] = 1 / relevant.rank[first]
    return values


@metric(
    name="Fall-out at k", symbol="fallout", family="retrieval",
    formula=r"\frac{\min(k, n) - \sum_{i \le k} rel_i}{N - R}", lowest=0, highest=1, best=0,
    undefined_when="the size of the collection is not given, too small, or all of it is relevant",
    params=(UNCUT, LEVEL, SIZE), aliases=("fall-out@k",), reference="vanrijsbergen1979",
)  # fmt: skip
def fall_out_at(hits: Hits, k: float = inf, rel: float = 1, size: float = 0) -> Array:
    """Share of the collection's irrelevant documents within the first k ranks.

    How to read it: how many irrelevant documents get through. It needs the size N of the collection; in a large
    collection it is tiny for any list.

    >>> fall_out_at(Hits.of_grades([1, 0, 0]), size=101).tolist()
    [0.02]
    """
    if not size:
        return np.full(len(hits), np.nan)
    relevant = hits.relevant(rel).within(k)
    return ratio(np.minimum(hits.retrieved, k) - relevant, irrelevant(hits, rel, size))
