"""Measures and curves of a ranking with two grades: how many relevant documents stand how high.

A query without a relevant document, or without a list, counts 0, as trec_eval -c has it.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from evalcore.numeric import Array, ratio, share_of
from evalcore.registry import Param, metric
from evalcore.retrieval.hits import Hits, irrelevant, share
from evalcore.retrieval.id_table import Places, ordinals

__all__ = ["BASE", "CUTS", "DISCOUNT", "GAIN", "LEVELS", "RankedCurve", "RankedRoc", "average_precision_at"]
__all__ += ["eleven_point_average", "expected_reciprocal_rank", "fall_out_at", "geometric_average_precision"]
__all__ += ["interpolated_precision_at", "mean_curve", "precision_at", "r_precision", "rank_biased_precision"]
__all__ += ["rank_biased_residual", "ranked_curve", "ranked_roc", "recall_at", "reciprocal_rank", "success_at"]
__all__ += ["system_efficiency"]

CUT = Param("k", 10, 1, 1e9, "Number of top ranks that count.", whole=True)
UNCUT = Param("k", inf, 1, inf, "Number of top ranks that count; all if not given.", whole=True)
LEVEL = Param("rel", 1, 1e-9, 1e9, "Lowest grade that counts as relevant.")
BETA = Param("beta", 1, 0, 1000, "How many times as important recall is as precision.")
SIZE = Param("size", 0, 0, 1e15, "Documents in the collection; 0 if unknown.")
PATIENCE = Param("p", 0.8, 0, 0.999999, "Probability that a reader moves on to the next rank.")

_RULES = "How many relevant documents a recall needs if rR is not a whole number."
RULE = Param.choice("rule", ("exact", "trec9", "trec10"), _RULES)

_ENTRY = r"\s*-?\d+(?:\.\d+)?:\d+(?:\.\d+)?"
_GAINS = rf"{_ENTRY}(?:\s*;{_ENTRY})*\s*"

_WORTH = "Gain of a grade v: v, 2ᵛ − 1, or a table such as 1:3;2:7."
GAIN = Param.choice("gain", ("linear", "exp"), _WORTH, pattern=_GAINS)

_DISCOUNTS = "Discount of rank i: 1/log_b(i + 1), the original 1/max(1, log_b i), or none."
DISCOUNT = Param.choice("discount", ("log", "original", "none"), _DISCOUNTS)
BASE = Param("base", 2, 1.000001, 1000, "Base b of the logarithm.")

# A grade above this has an exponential gain that no float holds, alone or in a sum of many.
HIGHEST_EXPONENT = 960.0


def gains(grades: Array, gain: str = "linear", shift: Array | float = 0.0) -> Array:
    """Gain of each grade; a document without a positive grade gains nothing, unless a table says so.

    In the table "1:3;2:7" grade 1 gains 3 and grade 2 gains 7; other grades keep themselves. Exponential gains are
    divided by 2 to the power of the shift, see `shift_of`; without it one too large for a float is infinite.
    """
    positive = np.maximum(grades, 0.0)
    if gain == "linear":
        return positive
    if gain == "exp":
        with np.errstate(over="ignore", under="ignore"):
            return np.exp2(positive - shift) - np.exp2(-np.asarray(shift))
    for entry in gain.split(";"):
        grade, worth = map(float, entry.split(":"))
        positive = np.where(grades == grade, worth, positive)
    return positive


def shift_of(highest: Array | float, gain: str) -> Array | float:
    """Power of two that exponential gains are divided by so that their sums stay finite: 0 for usual grades."""
    return np.maximum(highest - HIGHEST_EXPONENT, 0.0) if gain == "exp" else 0.0


def divisors(ranks: Places, discount: str = "log", base: float = 2) -> Array:
    """Discount of each rank, by which its gain is divided."""
    if discount == "none":
        return np.ones(ranks.shape)
    # A table of powers of two in length, so that a few of them serve every run.
    return _table(1 << int(ranks.max(initial=1)).bit_length(), discount, float(base))[ranks]


@lru_cache(maxsize=32)
def _table(length: int, discount: str, base: float) -> Array:
    # The C library's logarithm, as trec_eval uses it: the vector form of numpy may differ in the last bit.
    log = {2.0: math.log2, 10.0: math.log10}.get(base, lambda value: math.log(value, base))
    divisors = [1.0, *(log(rank + (discount == "log")) for rank in range(1, length))]
    return np.maximum(divisors, 1.0) if discount == "original" else np.array(divisors)


VMAX = Param("vmax", 0, 0, 1000, "Highest grade there can be; 0: the highest of all judgments.")


@metric(
    name="Rank-biased precision", symbol="RBP", family="retrieval", formula=r"(1 - p) \sum_i rel_i\, p^{i-1}",
    better="higher", params=(PATIENCE, UNCUT, LEVEL), reference="moffat2008", own_names={"rbp": {"p": 0.9}},
)  # fmt: skip
def rank_biased_precision(hits: Hits, p: float = 0.8, k: float = inf, rel: float = 1) -> Array:
    """Relevant documents per document read, expected of a reader who goes on to the next rank with probability p.

    How to read it: with p = 0.5 the reader is impatient, with p = 0.95 they read whole pages. The value does not depend
    on the number of relevant documents, so it needs no complete judgments; the residual says how much the unjudged
    documents could add. trec_eval's own spelling, rbp, has its p of 0.9.

    >>> rank_biased_precision(Hits.of_grades([1, 0, 1]), p=0.5).tolist()
    [0.625]
    """
    relevant = hits.relevant(rel)
    return (1 - p) * relevant.summed(np.power(float(p), relevant.rank - 1.0), k)


@metric(
    name="Residual of rank-biased precision", symbol="RBPres", family="retrieval",
    formula=r"p^n + (1 - p) \sum_{unjudged\ i} p^{i-1}", lowest=0, highest=1, best=0, params=(PATIENCE,),
    aliases=("RBP residual", "rbp_resid"), reference="moffat2008", own_names={"rbp_resid": {"p": 0.9}},
)  # fmt: skip
def rank_biased_residual(hits: Hits, p: float = 0.8) -> Array:
    """How much rank-biased precision would rise if everything unjudged were relevant.

    How to read it: the true value lies between RBP and RBP plus this residual. Unjudged documents of the list and
    everything beyond its end count as unknown.

    >>> rank_biased_residual(Hits.of_grades([1, None]), p=0.5).tolist()
    [0.5]
    """
    judged = hits.grade >= 0
    weight = np.power(float(p), hits.rank[judged] - 1.0)
    known = (1 - p) * np.bincount(hits.query[judged], weight, minlength=len(hits))
    return np.clip(1 - known, 0, 1)


@metric(
    name="Expected reciprocal rank", symbol="ERR", family="retrieval",
    formula=r"\sum_{i \le k} \frac{R_i}{i} \prod_{j < i} (1 - R_j),\; R_i = \frac{2^{v_i} - 1}{2^{v_{max}}}", lowest=0,
    highest=1, best=None, better="higher", params=(UNCUT, VMAX), reference="chapelle2009",
)  # fmt: skip
def expected_reciprocal_rank(hits: Hits, k: float = inf, vmax: float = 0) -> Array:
    """Expected 1/rank at which a reader stops, satisfied by a grade v with a probability in proportion to 2ᵛ − 1.

    How to read it: a good document at the top devalues everything below it, because the reader has stopped. v_max is
    the highest grade of all judgments, unless it is given: 4 compares with other data whose scale ends at 4. Grades
    above it count as it. Even a perfect list stays below 1.

    >>> expected_reciprocal_rank(Hits.of_grades([1, 0, 1])).round(4).tolist()
    [0.5833]
    >>> expected_reciprocal_rank(Hits.of_grades([1, 0, 1]), vmax=4).round(4).tolist()
    [0.082]
    """
    highest = vmax or hits.pool.highest
    rows = (hits.grade > 0) & (hits.rank <= k)
    query, rank = hits.query[rows], hits.rank[rows]
    shift = shift_of(highest, "exp")
    stops = gains(np.minimum(hits.grade[rows], highest), "exp", shift) / np.exp2(highest - shift)
    ordinal = ordinals(query)
    going_on, values = np.ones(len(hits)), np.zeros(len(hits))
    order = np.argsort(ordinal, kind="stable")
    # The n-th hit of every query at once; each depends on those before it.
    for at in np.split(order, np.searchsorted(ordinal[order], np.arange(2, ordinal.max(initial=1) + 1))):
        values[query[at]] += going_on[query[at]] * stops[at] / rank[at]
        going_on[query[at]] *= 1 - stops[at]
    return values


SMALLEST = 1e-5  # least average precision in the geometric mean


@metric(
    name="Precision at k", symbol="P", family="retrieval", formula=r"\frac{1}{k} \sum_{i \le k} rel_i", best=1,
    params=(CUT, LEVEL), aliases=("precision", "P_{k}", "P{k}", "prec@k", "prec"), reference="harman1993",
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
    name="Success at k", symbol="success", family="retrieval", formula=r"\left[\sum_{i \le k} rel_i > 0\right]", best=1,
    params=(CUT, LEVEL), aliases=("hit", "success_{k}", "hit rate at k"), reference="harman1993",
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
    best=1, params=(Param("multiple", 1, 0.01, 1000, "Depth of the list, as a multiple of R."), LEVEL),
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
    name="Reciprocal rank", symbol="RR", family="retrieval", formula=r"\frac{1}{\min \{i : rel_i = 1\}}", best=1,
    params=(UNCUT, LEVEL), aliases=("MRR", "recip_rank", "mean reciprocal rank"), reference="voorhees1999",
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


LEVELS = tuple(tenth / 10 for tenth in range(11))
"""The eleven standard levels of recall."""

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cut-offs at which trec_eval reports."""


@metric(
    name="Interpolated precision", symbol="IPrec", family="retrieval",
    formula=r"\max_{j \ge i(c)} \frac{1}{j} \sum_{i \le j} rel_i,\; c = \lceil r R \rceil", lowest=0, highest=1, best=1,
    params=(Param("recall", 0, 0, 1, "Recall that must be reached."), LEVEL, RULE),
    aliases=("iprec_at_recall_{recall}", "interpolated precision at recall", "precision at recall"),
    reference="harman1993", own_names={"iprec_at_recall_{recall}": {"rule": "trec{version}"}},
)  # fmt: skip
def interpolated_precision_at(hits: Hits, recall: float = 0, rel: float = 1, rule: str = "exact") -> Array:
    """Highest precision at any rank where recall is at least r; 0 if that recall is never reached.

    How to read it: it answers: to find this share of the relevant documents, what precision can I get? The recall needs
    ⌈rR⌉ documents, counted exactly; trec_eval 9 counts int(rR + 0.9) and trec_eval 10 rounds rR. Both are settings, and
    its own spelling, iprec_at_recall_0.30, means its own numbers.

    >>> hits = Hits.of_grades([1, 0, 1, 1])
    >>> [interpolated_precision_at(hits, recall=r).tolist() for r in (0.3, 1.0)]
    [[1.0], [0.75]]
    """
    relevant = hits.relevant(rel)
    best = np.append(relevant.best_from_here, 0.0)
    need = np.maximum(needed(recall, relevant.total, rule), 1)
    return np.where(need <= relevant.retrieved, best[np.minimum(relevant.starts + need - 1, len(best) - 1)], 0.0)


@metric(
    name="11-point average precision", symbol="11pt", family="retrieval",
    formula=r"\frac{1}{11} \sum_{r \in \{0, 0.1, \dots, 1\}} IPrec(r)", lowest=0, highest=1, best=1,
    params=(LEVEL, RULE), aliases=("11pt_avg", "11-pt_avg", "eleven-point average"), reference="harman1993",
    own_names={"11pt_avg": {"rule": "trec{version}"}},
)  # fmt: skip
def eleven_point_average(hits: Hits, rel: float = 1, rule: str = "exact") -> Array:
    """Mean of the interpolated precision at recall 0, 0.1, …, 1.

    How to read it: the area under the interpolated curve in eleven steps: the older and more lenient form of average
    precision.

    >>> eleven_point_average(Hits.of_grades([0, 1])).tolist()
    [0.5]
    """
    # From the highest recall down, as trec_eval adds them.
    values = (interpolated_precision_at(hits, level, rel, rule) for level in reversed(LEVELS))
    return sum(values, np.zeros(len(hits))) / len(LEVELS)


@metric(
    name="System efficiency", symbol="efficiency", family="retrieval",
    formula=r"1 - \frac{1}{\sqrt 2} \min_i \sqrt{(1 - p_i)^2 + (1 - r_i)^2}", lowest=0, highest=1, best=1,
    params=(LEVEL,), reference="weber2018",
)  # fmt: skip
def system_efficiency(hits: Hits, rel: float = 1) -> Array:
    """How close the precision–recall curve comes to the corner where both are 1.

    How to read it: 1 if some rank has all relevant documents and no others, 0 if nothing relevant is retrieved. It uses
    the best rank only: what a reader gets who stops at exactly the right moment.

    >>> system_efficiency(Hits.of_grades([1, 1, 0])).tolist()
    [1.0]
    """
    relevant = hits.relevant(rel)
    values = np.zeros(len(hits))
    if len(relevant.query):
        distance = np.hypot(1 - relevant.precisions, 1 - relevant.ordinal / relevant.total[relevant.query])
        some = np.flatnonzero(relevant.retrieved)
        values[some] = 1 - np.minimum.reduceat(distance, relevant.starts[some]) / np.sqrt(2)
    return values


def needed(recall: float, total: Places, rule: str = "exact") -> Places:
    """Number of relevant documents that a recall needs, for each query."""
    if rule == "trec9":
        return (recall * total + 0.9).astype(np.int64)
    if rule == "trec10":
        return np.floor(recall * total + 0.5).astype(np.int64)
    counts, back = np.unique(total, return_inverse=True)
    return np.array([math.ceil(share_of(recall, count)) for count in counts.tolist()], dtype=np.int64)[back]


@dataclass(frozen=True, eq=False)
class RankedCurve:
    """The measures of a list after each rank."""

    # All of shape (n,).
    rank: Places
    relevant: np.ndarray
    # Shape (n,): the saw-tooth: precision falls with each irrelevant document and jumps with each relevant one.
    precision: Array
    recall: Array
    interpolated: Array  # shape (n,): the best precision at this recall or a higher one
    total: int  # relevant documents of the query: R
    closest: int  # place of the rank that comes nearest to precision 1 and recall 1; -1 for an empty list


def ranked_curve(hits: Hits, query: int = 0, rel: float = 1) -> RankedCurve:
    """Precision and recall at each rank of the query at a place; grades from `rel` on are relevant."""
    n = int(hits.retrieved[query])
    relevant, rank = np.zeros(n, dtype=bool), np.arange(1, n + 1)
    relevant[hits.rank[(hits.query == query) & (hits.grade >= rel)] - 1] = True
    cumulated = np.cumsum(relevant)
    total = int(hits.pool.relevant(rel)[query])
    precision, recall = cumulated / rank, share(cumulated, total)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    closest = int(np.argmin(np.hypot(1 - precision, 1 - recall))) if n else -1
    return RankedCurve(rank, relevant, precision, recall, best, total, closest)


@dataclass(frozen=True, eq=False)
class RankedRoc:
    """The ROC curve of one list among the judged documents."""

    # Shape (m + 1,): share of the judged irrelevant and of the relevant documents found so far, from (0, 0) at rank 0.
    fpr: Array
    tpr: Array
    # Area, what was not retrieved taken as tied behind the list: the last stretch is a straight line to (1, 1). nan
    # where the query lacks relevant or irrelevant documents.
    auc: float


def ranked_roc(hits: Hits, query: int = 0, rel: float = 1) -> RankedRoc:
    """The ROC curve of the query at a place; grades from `rel` on are relevant."""
    total = int(hits.pool.relevant(rel)[query])
    rows = (hits.query == query) & (hits.grade >= 0)
    positive, negatives = hits.grade[rows] >= rel, int(hits.pool.judged[query]) - total
    tp, fp = np.append(0, np.cumsum(positive)), np.append(0, np.cumsum(~positive))
    area = float((tp[:-1] * ~positive).sum() + (negatives - fp[-1]) * (tp[-1] + total) / 2)
    auc = area / (total * negatives) if total and negatives else math.nan
    return RankedRoc(share(fp, negatives), share(tp, total), auc)


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """Precision and recall averaged over queries, in the two usual ways."""

    cuts: tuple[int, ...]
    precision_at: Array  # mean precision and mean recall at each of the cuts: points of one curve
    recall_at: Array
    levels: tuple[float, ...]
    interpolated: Array  # mean interpolated precision at each level of recall


def mean_curve(hits: Hits, cuts: tuple[int, ...] = CUTS, rel: float = 1) -> MeanCurve:
    """Precision and recall over all queries, at fixed ranks and at `LEVELS` of recall; nan without queries."""

    def means(columns: list[Array]) -> Array:
        return np.stack(columns, axis=1).mean(axis=0) if len(hits) else np.full(len(columns), np.nan)

    precision, recall = (means([measure(hits, k, rel) for k in cuts]) for measure in (precision_at, recall_at))
    interpolated = means([interpolated_precision_at(hits, level, rel) for level in LEVELS])
    return MeanCurve(cuts, precision, recall, LEVELS, interpolated)
