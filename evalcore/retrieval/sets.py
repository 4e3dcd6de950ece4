"""A retrieved set without an order: the four outcomes of each query, and their two kinds of average."""

from dataclasses import dataclass

import numpy as np

from evalcore.classification import ConfusionCounts, fall_out, precision, prevalence, recall
from evalcore.numeric import Array, ratio
from evalcore.registry import metric
from evalcore.retrieval.hits import Hits, irrelevant, share
from evalcore.retrieval.ranked import BETA, LEVEL, SIZE, fall_out_at, recall_at

__all__ = ["SetAverage", "fall_out_identity", "generality", "set_averages", "set_counts", "set_f", "set_fall_out"]
__all__ += ["set_precision", "set_recall"]


@metric(
    name="Set precision", symbol="set_P", family="retrieval", formula=r"\frac{h}{n}", lowest=0, highest=1, best=1,
    params=(LEVEL,), aliases=("SetP",), reference="vanrijsbergen1979",
)  # fmt: skip
def set_precision(hits: Hits, rel: float = 1) -> Array:
    """Share of the retrieved documents that are relevant.

    How to read it: for searches that return a set without an order. Retrieving less usually raises it, so read it with
    recall.

    >>> set_precision(Hits.of_grades([1, 0, 1, 0])).tolist()
    [0.5]
    """
    return share(hits.relevant(rel).retrieved, hits.retrieved)


@metric(
    name="Set recall", symbol="set_recall", family="retrieval", formula=r"\frac{h}{R}", lowest=0, highest=1, best=1,
    params=(LEVEL,), aliases=("set_R", "SetR"), reference="vanrijsbergen1979",
)  # fmt: skip
def set_recall(hits: Hits, rel: float = 1) -> Array:
    """Share of the relevant documents that were retrieved.

    How to read it: for searches that return a set without an order. Retrieving everything makes it 1, so read it with
    precision.

    >>> set_recall(Hits.of_grades([1, 0], unretrieved=[1, 1, 1])).tolist()
    [0.25]
    """
    return recall_at(hits, rel=rel)


@metric(
    name="Set F-measure", symbol="set_F", family="retrieval", formula=r"\frac{(1 + \beta^2) P R}{\beta^2 P + R}",
    best=1, params=(BETA, LEVEL), aliases=("F-measure of a set", "SetF"), reference="vanrijsbergen1979",
)  # fmt: skip
def set_f(hits: Hits, beta: float = 1, rel: float = 1) -> Array:
    """Harmonic mean of the precision and the recall of the retrieved set; recall is beta times as important.

    How to read it: high only when both are high. At beta = 1 it is twice the hits over retrieved plus relevant
    documents. (trec_eval's parameter of set_F is beta squared.)

    >>> set_f(Hits.of_grades([1, 0], unretrieved=[1])).tolist()
    [0.5]
    """
    precision, recall = set_precision(hits, rel), set_recall(hits, rel)
    x = beta * beta
    return share((x + 1.0) * precision * recall, recall + x * precision)


@metric(
    name="Set fall-out", symbol="set_fallout", family="retrieval", formula=r"\frac{n - h}{N - R}", lowest=0, highest=1,
    best=0, undefined_when="the size of the collection is not given, too small, or all of it is relevant",
    params=(LEVEL, SIZE), reference="vanrijsbergen1979",
)  # fmt: skip
def set_fall_out(hits: Hits, rel: float = 1, size: float = 0) -> Array:
    """Share of the collection's irrelevant documents that were retrieved.

    How to read it: how many irrelevant documents get through; it needs the size N of the collection. With the
    generality R/N, precision and recall it obeys f·p·(1 − g) = r·g·(1 − p).

    >>> set_fall_out(Hits.of_grades([1, 0, 0]), size=101).tolist()
    [0.02]
    """
    return fall_out_at(hits, rel=rel, size=size)


@metric(
    name="Generality", symbol="generality", family="retrieval", formula=r"\frac{R}{N}", lowest=0, highest=1,
    best=None, undefined_when="the size of the collection is not given, or smaller than what is relevant",
    params=(LEVEL, SIZE), reference="vanrijsbergen1979",
)  # fmt: skip
def generality(hits: Hits, rel: float = 1, size: float = 0) -> Array:
    """Share of the collection that is relevant to the query.

    How to read it: how common relevant documents are: the expected precision of a random list.

    >>> generality(Hits.of_grades([1, 0], unretrieved=[1]), size=100).tolist()
    [0.02]
    """
    total = hits.relevant(rel).total
    return np.where(total <= size, ratio(total, size), np.nan) if size else np.full(len(hits), np.nan)


def set_counts(hits: Hits, rel: float = 1, size: float = 0) -> ConfusionCounts:
    """The four outcomes of each query's retrieved set, shape (q,); summed they give the micro average.

    What is neither retrieved nor relevant is nan if the size of the collection is unknown (0) or cannot be so small.
    """
    relevant = hits.relevant(rel)
    alarms, misses = hits.retrieved - relevant.retrieved, relevant.total - relevant.retrieved
    rest = (irrelevant(hits, rel, size) if size else np.nan) - alarms
    return ConfusionCounts(relevant.retrieved, alarms, misses, rest)


@dataclass(frozen=True, eq=False)
class SetAverage:
    """Average of a measure of sets over all queries."""

    macro: float  # mean of the values of the queries: every query has the same weight
    micro: float  # the value of the summed counts: every document has the same weight
    # Shape (q,): what each query adds to the gap: macro − micro, less the same without the query; nan for a single
    # query.
    pull: Array

    @property
    def gap(self) -> float:
        """Macro minus micro average."""
        return float(_without_rounding(self.macro - self.micro))


def set_averages(hits: Hits, rel: float = 1, beta: float = 1, size: float = 0) -> dict[str, SetAverage]:
    """Macro and micro average of precision, recall, F, fall-out and generality, by their keys, and their difference.

    The last two are nan without the size of the collection, or where it is too small for a query. In the macro
    average a query with its one document found counts as much as one with two of three found.
    """
    relevant = hits.relevant(rel)
    others = irrelevant(hits, rel, size) if size else np.full(len(hits), np.nan)
    documents = np.where(relevant.total <= size, size, np.nan) if size else others
    counts = np.stack([relevant.retrieved, hits.retrieved, relevant.total, others, documents])
    whole = counts.sum(axis=1)
    micro, micro_without = _shares(whole, beta), _shares(whole[:, None] - counts, beta)
    averages, rest = {}, len(hits) - 1
    for key, values in (_shares(counts, beta) | {"set_f": set_f(hits, beta, rel)}).items():
        macro, pull = float(values.mean()) if len(values) else np.nan, np.full(len(values), np.nan)
        if rest > 0:
            gap_without = (values.sum() - values) / rest - micro_without[key]
            pull = _without_rounding(macro - micro[key] - gap_without)
        averages[key] = SetAverage(macro, float(micro[key]), pull)
    return averages


def fall_out_identity(counts: ConfusionCounts) -> tuple[Array, Array]:
    """Both sides of f·p·(1 − g) = r·g·(1 − p), each the same share of the collection in two ways; nan if undefined."""
    f, p, r, g = fall_out(counts), precision(counts), recall(counts), prevalence(counts)
    return f * p * (1 - g), r * g * (1 - p)


def _shares(counts: Array, beta: float) -> dict[str, Array]:
    """The measures of counts, or of sums: hits, retrieved, relevant, irrelevant and all documents, shape (5, …)."""
    h, n, total, others, documents = counts
    x = beta * beta
    return {
        "set_precision": share(h, n),
        "set_recall": share(h, total),
        "set_f": share((1 + x) * h, x * total + n),
        "set_fall_out": ratio(n - h, others),
        "generality": ratio(total, documents),
    }


def _without_rounding(differences: Array | float) -> Array:
    """Differences of shares, with those within rounding error set to 0."""
    return np.where(np.abs(differences) < 1e-13, 0.0, differences)
