"""States of measures from what a user has in hand: arrays, lists, series, frames, dictionaries and TREC files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ProbabilityTable, ScoredLabels
from evalcore.classification.several import LabelScores, LabelSets
from evalcore.estimation import DistributionPair, Estimates, MaskPair, PredictionIntervals
from evalcore.registry import RETRIEVAL
from evalcore.retrieval import Hits, Judgments, PerQuery, Run
from evalcore.retrieval import evaluate as evaluate_states
from evalcore.retrieval.judgments import finite

__all__ = ["Settings", "column", "evaluate", "judgments_of", "run_of", "state_of"]


_QUERY = ("query", "query_id", "qid", "topic", "topic_id", "q_id", "query-id")
_DOCUMENT = ("document", "doc_id", "docno", "docid", "document_id", "corpus-id", "did", "iid", "id")
_GRADE = ("grade", "relevance", "rel", "label", "judgment", "score")
_SCORE = ("score", "sim", "similarity")
_RANK = ("rank", "position")


@dataclass(frozen=True)
class Settings:
    """What stands beside the arrays of a measure."""

    positive: Any = None  # the positive label; by default True, 1 or the usual word
    threshold: float | None = None  # scores from here on are positive
    weights: Any = None  # array_like of float >= 0, shape (n,)
    clusters: Any = None  # array_like, shape (n,): what each row belongs to
    classes: Any = None  # of the columns of probabilities; by default the labels in their order
    higher_is_positive: bool = True

    def __post_init__(self) -> None:
        if self.threshold is not None:  # a text is no number to compare scores with
            object.__setattr__(self, "threshold", np.asarray(self.threshold, dtype=np.float64)[()])

    @property
    def positive_label(self) -> Any:
        """The positive label; True stands for the usual one."""
        return True if self.positive is None else self.positive

    @property
    def beside(self) -> dict[str, Any]:
        """Weights and clusters as columns."""
        given = {"weights": self.weights, "clusters": self.clusters}
        return {name: column(values, name) for name, values in given.items() if values is not None}


def column(values: Any, name: str) -> np.ndarray:
    """Values of any kind of column as an array whose missing numbers are nan; a ValueError for none.

    >>> column([1, None, 3], "score").tolist()
    [1, None, 3]
    """
    if values is None or isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise ValueError(f"{name} is {values!r}; give a column: an array, a list or a series.")
    if hasattr(values, "columns") and not hasattr(values, "dtype"):  # a frame of one column
        if len(values.columns) != 1:
            raise ValueError(f"{name} is a table of {len(values.columns)} columns; give one of them.")
        values = values[values.columns[0]]
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if np.ma.is_masked(values):
        values = np.ma.filled(values.astype(object), np.nan)
    if kind in ("i", "u", "f") and hasattr(values, "array"):  # of pandas, perhaps one that may lack values
        array = values.to_numpy(dtype=np.float64, na_value=np.nan) if values.hasnans else values.to_numpy()
    else:
        mixed = isinstance(values, (list, tuple)) and any(isinstance(value, str) or value is None for value in values)
        array = np.array(values, dtype=object) if mixed else np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} has the shape {array.shape}; give one value a row, shape (n,).")
    return array


def in_one_order(**series: Any) -> None:
    """Raise a ValueError where two series have the same index in different orders: rows are matched by place."""
    indexed = {name: one.index for name, one in series.items() if hasattr(getattr(one, "index", None), "get_indexer")}
    (first, index), *others = [*indexed.items()] or [("", None)]
    for name, other in others:
        if len(index) == len(other) and not index.equals(other) and set(index) == set(other):
            raise ValueError(
                f"{name} has the index of {first} in another order. Rows are matched by their place: bring both into "
                f"one order, such as {name}.loc[{first}.index], or pass {name}.to_numpy()."
            )


def state_of(family: str, truth: Any, system: tuple[Any, ...], settings: Settings) -> Any:
    """The state that the measures of a family are functions of, from the truth and what the system said."""
    if family == RETRIEVAL:
        return Hits.of(*judged_run(truth, *system))
    words = ["system"] if len(system) == 1 else ["low", "high"]
    systems = dict(zip(words, system, strict=False))
    in_one_order(truth=truth, **systems, weights=settings.weights, clusters=settings.clusters)
    try:
        return _FAMILIES[family](truth, *system, settings)
    except ValueError as problem:  # of a state, which calls the truth actual, or labels
        raise type(problem)(re.sub(r"^(?:labels|actual) (?=has|is|holds)", "truth ", str(problem))) from None


def _counts(truth: Any, predicted: Any, settings: Settings) -> ConfusionCounts:
    if settings.threshold is not None:
        return _scored(truth, predicted, settings).counts_at(settings.threshold)
    labels, named = column(truth, "truth"), column(predicted, "predicted")
    _refuse_scores(labels, named)
    counts = ConfusionCounts.from_labels(labels, named, settings.positive_label, **settings.beside)
    if len(labels) and not (counts.predicted_positives and counts.actual_positives):
        _refuse_other_labels(labels, named)
    return counts


def refuse_exchanged(truth: np.ndarray) -> None:
    """Raise a ValueError where scores stand in the place of the truth."""
    if has_fractions(truth):
        raise ValueError(
            f"truth holds numbers such as {_fractions(truth)[0]:g}, which are no labels: truth comes first, then what "
            "the system says; these look exchanged."
        )


def _refuse_other_labels(truth: np.ndarray, predicted: np.ndarray) -> None:
    """Raise a ValueError where both columns have no label in common."""
    ours, theirs = (dict.fromkeys(one.tolist()) for one in (truth, predicted))
    are_texts = {isinstance(label, str) for label in (*ours, *theirs)}
    if not ours.keys() & theirs.keys() and (len(are_texts) > 1 or len(ours) + len(theirs) > 2):
        own, other = (", ".join(map(repr, [*some][:4])) for some in (ours, theirs))
        raise ValueError(f"truth holds {own}, and predicted holds {other}; write the labels of both in one way.")


def _refuse_scores(truth: np.ndarray, predicted: np.ndarray) -> None:
    """Raise a ValueError where numbers stand in place of labels."""
    if not has_fractions(predicted):
        refuse_exchanged(truth)
    if has_fractions(predicted) and not has_fractions(truth):
        raise ValueError(
            f"predicted holds numbers such as {_fractions(predicted)[0]:g}, which are no labels: give threshold=… to "
            "cut scores."
        )


def has_fractions(values: np.ndarray) -> bool:
    """Whether some of the numbers are not whole, as those of scores."""
    return values.dtype.kind == "f" and len(_fractions(values)) > 0


def _fractions(values: np.ndarray) -> np.ndarray:
    known = values[np.isfinite(values)]
    return known[known != np.trunc(known)]


def _scored(truth: Any, scores: Any, settings: Settings) -> ScoredLabels:
    shape = np.shape(scores)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"scores has the shape {shape}; give the scores of one class, or a measure of several classes such as "
            "macro_auc."
        )
    labels, numbers = column(truth, "truth"), column(scores, "scores")
    if not has_fractions(numbers):
        refuse_exchanged(labels)
    beside = {"higher_is_positive": settings.higher_is_positive, **settings.beside}
    return ScoredLabels.from_arrays(labels, numbers, settings.positive_label, **beside)


def _matrix(truth: Any, predicted: Any, settings: Settings) -> ConfusionMatrix:
    labels, named = column(truth, "truth"), column(predicted, "predicted")
    _refuse_scores(labels, named)
    return ConfusionMatrix.from_labels(labels, named, settings.classes, **settings.beside)


def _probabilities(truth: Any, probabilities: Any, settings: Settings) -> ProbabilityTable:
    labels = column(truth, "truth")
    table = _indicators(probabilities)
    if table.ndim < 2:
        numbers = column(probabilities, "probability")
        return ProbabilityTable.from_event(labels, numbers, settings.positive_label, **settings.beside)
    if settings.clusters is not None:
        raise ValueError("Probabilities of several classes take no clusters; give those of one class.")
    classes = settings.classes if settings.classes is not None else getattr(probabilities, "columns", None)
    if classes is None:
        classes = np.unique(labels)
        if len(classes) != table.shape[1]:
            raise ValueError(
                f"There are {table.shape[1]} columns of probabilities and {len(classes)} different labels; name the "
                "columns by classes=…."
            )
    return ProbabilityTable.from_arrays(labels, table, [*classes], **settings.beside)


def _indicators(values: Any) -> np.ndarray:
    return np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)


def _prediction_intervals(truth: Any, low: Any, high: Any, settings: Settings) -> PredictionIntervals:
    ends = column(low, "low"), column(high, "high")
    return PredictionIntervals.from_arrays(column(truth, "truth"), *ends, **settings.beside)


_FAMILIES: dict[str, Any] = {
    "counts": _counts,
    "scores": _scored,
    "matrix": _matrix,
    "probabilities": _probabilities,
    "label sets": lambda truth, predicted, settings: LabelSets.from_indicators(
        _indicators(truth), _indicators(predicted), settings.classes, settings.weights
    ),
    "label scores": lambda truth, scores, settings: LabelScores.from_arrays(
        _indicators(truth), _indicators(scores), settings.classes, settings.weights
    ),
    "estimates": lambda truth, estimate, settings: Estimates.from_arrays(
        column(truth, "truth"), column(estimate, "estimate"), **settings.beside
    ),
    "prediction intervals": _prediction_intervals,
    "distributions": lambda p, q, _: DistributionPair.from_counts(p, q),
    "masks": lambda actual, predicted, _: MaskPair.from_arrays(actual, predicted),
}
"""The constructor of the state of each family."""


def evaluate(judgments: Any, run: Any, measures: Any = None, *, only_common: bool = False) -> PerQuery:
    """The value of each measure for each judged query; see `evalcore.retrieval.evaluate`.

    Parameters
    ----------
    judgments, run : mapping, DataFrame, path or state
        Dictionaries of dictionaries, frames with columns of queries, documents and numbers, or TREC files; or a data
        set that holds both.
    measures : iterable of str
        Such as "AP", "nDCG@10", or trec_eval's "ndcg_cut_10".
    only_common : bool
        Leave out the judged queries that the run lacks; by default they count 0.

    Examples
    --------
    >>> evaluate({"q": {"a": 1, "b": 0}}, {"q": {"b": 0.9, "a": 0.8}}, ["AP", "RR"]).means()
    {'AP': 0.5, 'RR': 0.5}
    """
    if hasattr(judgments, "roles") and measures is None:
        both, measures = (judgments.judgments(), judgments.run()), run
    else:
        both = judged_run(judgments, run)
    if measures is None:
        raise TypeError('evaluate needs the names of measures, such as ["AP", "nDCG@10"].')
    return evaluate_states(*both, measures, only_common=only_common)


def judged_run(judgments: Any, run: Any) -> tuple[Judgments, Run]:
    """The states of judgments and of a run; a ValueError where grades look like scores and scores like grades."""
    judged, ranked = judgments_of(judgments), run_of(run)
    if not (judged is judgments or ranked is run):
        refuse_exchanged_runs(judged, ranked)
    return judged, ranked


def refuse_exchanged_runs(judged: Judgments, ranked: Run) -> None:
    """Raise a ValueError where the grades look like scores and the scores like grades."""
    if has_fractions(judged.grades) and set(np.unique(ranked.scores)) <= set(range(11)):
        raise ValueError(
            "The judgments hold fractions and the run whole grades: judgments come first, then the run; these look "
            "exchanged. If they are right, pass Judgments.from_arrays(…) and Run.from_arrays(…)."
        )


def judgments_of(given: Any) -> Judgments:
    """Judgments from a state, a dictionary of dictionaries, a frame with columns of ids and grades, or a qrels file.

    >>> judgments_of({"q1": {"d1": 1, "d2": 0}}).grades.tolist()
    [1.0, 0.0]
    """
    if isinstance(given, Run):
        raise TypeError("The first argument is a run: judgments come first, then the run; these look exchanged.")
    if isinstance(given, Judgments):
        return given
    if isinstance(given, (str, Path)):
        return import_module("evalcore.readers").read_qrels(given)
    return Judgments.from_arrays(*_triples(given, "judgments", _GRADE))


def run_of(given: Any) -> Run:
    """A run from a state, a dictionary of dictionaries, a frame with columns of ids and scores or ranks, or a file."""
    if isinstance(given, Judgments):
        raise TypeError("The second argument are judgments, which come first, before the run; these look exchanged.")
    if isinstance(given, Run):
        return given
    if isinstance(given, (str, Path)):
        return import_module("evalcore.readers").read_run(given)
    return Run.from_arrays(*_triples(given, "run", _SCORE, _RANK))


def _triples(given: Any, what: str, numbers: tuple[str, ...], ranks: tuple[str, ...] = ()) -> tuple[Any, Any, Any]:
    """Queries, documents and numbers; ranks are turned round, for the first is the best."""
    if isinstance(given, Mapping):
        if not all(isinstance(one, Mapping) for one in given.values()):
            raise TypeError(f"The {what} must be a dictionary of dictionaries: query → document → number.")
        rows = [(query, document, number) for query, one in given.items() for document, number in one.items()]
        queries, documents, values = ([row[part] for row in rows] for part in range(3))
        return queries, documents, values
    names = getattr(given, "columns", None)
    if names is None:
        raise TypeError(
            f"The {what} are of type {type(given).__name__}; give a dictionary of dictionaries, a frame of queries, "
            "documents and numbers, a TREC file, or a state."
        )
    known = {str(name).casefold(): name for name in names}
    chosen = []
    for words, role in ((_QUERY, "queries"), (_DOCUMENT, "documents"), ((*numbers, *ranks), "numbers")):
        found = next((known[word] for word in words if word in known), None)
        if found is None:
            raise ValueError(
                f"The {what} have no column of {role}; call one of {', '.join(map(repr, names))} {words[0]!r}."
            )
        chosen.append(found)
    queries, documents, values = (given[name].to_numpy() for name in chosen)
    is_rank = str(chosen[2]).casefold() in ranks
    return queries, documents, -finite(values, "rank", len(values), infinite=True) if is_rank else values
