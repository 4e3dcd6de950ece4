"""Precision read at levels of recall, and the curves of rankings: of one query and of all, and the ROC of a list."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.numeric import Array, share_of
from evalcore.registry import metric
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.ranked import LEVEL, RULE, Param, precision_at, recall_at

__all__ = ["CUTS", "LEVELS", "RankedCurve", "RankedRoc", "eleven_point_average", "interpolated_precision_at"]
__all__ += ["mean_curve", "ranked_curve", "ranked_roc", "system_efficiency"]

LEVELS = tuple(tenth / 10 for tenth in range(11))
"""The eleven standard levels of recall."""

_LEVEL_OF_RECALL = Param("recall", 0, 0, 1, "Recall that must be reached.")

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cut-offs at which trec_eval reports."""


@metric(
    name="Interpolated precision", symbol="IPrec", family="retrieval",
    formula=r"\max_{j \ge i(c)} \frac{1}{j} \sum_{i \le j} rel_i,\; c = \lceil r R \rceil", lowest=0, highest=1, best=1,
    params=(_LEVEL_OF_RECALL, LEVEL, RULE),
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
    auc = area / (total * negatives) if total and negatives else float("nan")
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
