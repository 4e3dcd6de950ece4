"""Why the two averages of retrieved sets differ: what each query does to the gap between macro and micro."""

from dataclasses import dataclass

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.indices import f_beta
from evalcore.classification.rates import fall_out, precision, prevalence, recall
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.sets import set_counts

__all__ = ["SetGap", "fall_out_identity", "set_gap"]

_NEEDS_SIZE = ("set_fall_out", "generality")


@dataclass(frozen=True, eq=False)
class SetGap:
    """Both averages of one measure, and how the queries pull them apart.

    Attributes
    ----------
    macro, micro : float
        Mean over the queries, and value of the summed counts.
    pull : Array, shape (q,)
        How far the gap goes back when the query is left out. A positive one pulls the macro average above the micro
        one. nan where no other query is left.
    """

    macro: float
    micro: float
    pull: Array

    @property
    def gap(self) -> float:
        """Macro minus micro average."""
        return float(_settled(self.macro - self.micro))


def set_gap(hits: Hits, key: str, rel: float = 1, beta: float = 1, size: float = 0) -> SetGap:
    """The gap between macro and micro average of a measure of sets, with the pull of every query.

    Parameters
    ----------
    hits : Hits
    key : {"set_precision", "set_recall", "set_f", "set_fall_out", "generality"}
        Key of the measure.
    rel, beta, size : float
        As for the measure; a size of 0 is not known.

    Examples
    --------
    A query with one document, found, weighs as much as one with two of three:

    >>> from evalcore.retrieval import Judgments, Run
    >>> judged = Judgments.from_arrays([1, 2, 2, 2], ["a", "a", "b", "c"], [1, 1, 1, 0])
    >>> run = Run.from_arrays([1, 2, 2, 2], ["a", "a", "b", "c"], [1, 3, 2, 1])
    >>> found = set_gap(Hits.of(judged, run), "set_precision")
    >>> round(found.macro, 4), found.micro, found.pull.round(4).tolist()
    (0.8333, 0.75, [0.0833, 0.0833])
    """
    counts = set_counts(hits, rel, size)
    told = {"beta": beta} if key == "set_f" else {"size": size} if key in _NEEDS_SIZE else {}
    values = METRICS[key].function(hits, rel=rel, **told)
    summed = ConfusionCounts(*(cell.sum() for cell in _cells(counts)))
    rest = ConfusionCounts(*(cell.sum() - cell for cell in _cells(counts)))
    macro = float(values.mean()) if len(values) else float("nan")
    others = len(values) - 1
    if others < 1:
        return SetGap(macro, float(_of_counts(summed, key, beta)), np.full(len(values), np.nan))
    without = (values.sum() - values) / others - _of_counts(rest, key, beta)
    micro = float(_of_counts(summed, key, beta))
    return SetGap(macro, micro, _settled(macro - micro - without))


def fall_out_identity(counts: ConfusionCounts) -> tuple[Array, Array]:
    """Both sides of f·p·(1 − g) = r·g·(1 − p), each the same share of the collection in two ways.

    Parameters
    ----------
    counts : ConfusionCounts
        As `set_counts` has them; of any shape.

    Returns
    -------
    left, right : Array
        nan where one of the measures is undefined.

    Examples
    --------
    >>> left, right = fall_out_identity(ConfusionCounts(7, 7, 13, 973))
    >>> round(float(left), 6), round(float(right), 6)
    (0.0035, 0.0035)
    """
    f, p, r, g = fall_out(counts), precision(counts), recall(counts), prevalence(counts)
    return f * p * (1 - g), r * g * (1 - p)


def _settled(differences: Array | float) -> Array:
    """Differences of shares without what is left over by rounding, so that 0 is 0."""
    return np.where(np.abs(differences) < 1e-13, 0.0, differences)


def _cells(counts: ConfusionCounts) -> tuple[Array, ...]:
    return counts.tp, counts.fp, counts.fn, counts.tn


def _of_counts(counts: ConfusionCounts, key: str, beta: float) -> Array:
    if key == "set_fall_out":
        return fall_out(counts)
    if key == "generality":
        return prevalence(counts)
    found = {"set_precision": precision, "set_recall": recall, "set_f": lambda c: f_beta(c, beta)}[key](counts)
    return np.nan_to_num(found)  # retrieval counts 0/0 as 0
