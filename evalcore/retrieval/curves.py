"""Curves of rankings: precision over recall for one query and for all, and the ROC of a list."""

from dataclasses import dataclass

import numpy as np

from evalcore.numeric import Array
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.ranked import precision_at, recall_at
from evalcore.retrieval.recall_levels import LEVELS, interpolated_precision_at

__all__ = ["CUTS", "RankedCurve", "RankedRoc", "mean_curve", "ranked_curve", "ranked_roc"]

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cut-offs at which trec_eval reports."""


@dataclass(frozen=True, eq=False)
class RankedCurve:
    """One list rank by rank."""

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
    """Precision and recall at each rank of the query at a place; grades from `rel` on are relevant.

    >>> curve = ranked_curve(Hits.of_grades([1, 0, 1]))
    >>> curve.precision.round(2).tolist(), curve.recall.tolist(), curve.interpolated.round(2).tolist()
    ([1.0, 0.5, 0.67], [0.5, 0.5, 1.0], [1.0, 0.67, 0.67])
    """
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
    """The ROC curve of the query at a place; grades from `rel` on are relevant.

    >>> ranked_roc(Hits.of_grades([1, 0, 1])).auc
    0.5
    """
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


def mean_curve(
    hits: Hits, cuts: tuple[int, ...] = CUTS, levels: tuple[float, ...] = LEVELS, rel: float = 1
) -> MeanCurve:
    """Precision and recall over all queries, at fixed ranks and at levels of recall in 0 … 1; nan without queries.

    >>> curve = mean_curve(Hits.of_grades([1, 0, 1]), cuts=(1, 2), levels=(0.0, 1.0))
    >>> curve.precision_at.tolist(), curve.recall_at.tolist(), curve.interpolated.round(2).tolist()
    ([1.0, 0.5], [0.5, 0.5], [1.0, 0.67])
    """

    def means(columns: list[Array]) -> Array:
        return np.stack(columns, axis=1).mean(axis=0) if len(hits) else np.full(len(columns), np.nan)

    precision, recall = (means([measure(hits, k, rel) for k in cuts]) for measure in (precision_at, recall_at))
    return MeanCurve(
        cuts, precision, recall, levels, means([interpolated_precision_at(hits, level, rel) for level in levels])
    )
