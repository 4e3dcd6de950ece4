"""Measures as functions of arrays: one definition each, that of the registry, and one convention for all."""

import inspect
import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from evalcore import estimation as _estimation  # noqa: F401 (registers its measures)
from evalcore.classification import ScoredLabels
from evalcore.classification.binary.labels import distinct_labels
from evalcore.classification.several.matrix import averages
from evalcore.library.states import Settings, column, state_of
from evalcore.registry import METRICS, RETRIEVAL, MetricDef, find
from evalcore.retrieval import mean_of

__all__ = ["Measure", "UndefinedMeasure", "Value", "accuracy", "average_precision", "balanced_accuracy", "brier_score"]
__all__ += ["cohen_kappa", "expected_calibration_error", "f1", "f_beta", "jaccard", "log_loss", "matthews_correlation"]
__all__ += ["mean_absolute_error", "mean_absolute_percentage_error", "mean_average_precision", "mean_reciprocal_rank"]
__all__ += ["measure", "ndcg", "pearson_correlation", "precision", "precision_at", "r_squared", "recall", "recall_at"]
__all__ += ["roc_auc", "root_mean_squared_error", "specificity"]


class UndefinedMeasure(RuntimeWarning):
    """Warning that a value is nan, with the reason."""


class Measure(Protocol):
    """A measure as a function: truth first, then what the system says, or one state in their place."""

    __name__: str
    definition: MetricDef

    def __call__(
        self, truth: Any, *system: Any, interval: bool | str = False, level: float = 0.95, **keywords: Any
    ) -> Any:
        """Value of the measure as a float; with `interval` as a `Value`."""
        ...


@dataclass(frozen=True, eq=False)
class Value:
    """A value of a measure with its confidence interval; `value, low, high = …` unpacks it.

    Attributes
    ----------
    value, low, high : float
        nan where undefined.
    level : float
        Confidence of the interval.
    method : str
        Of the interval.
    n : float
        Rows, or queries, behind it.
    note : str
        What is to be known beside the interval, as a sentence; empty where it can be relied on.
    """

    measure: MetricDef
    value: float
    low: float
    high: float
    level: float
    method: str
    n: float
    note: str = ""

    def __float__(self) -> float:
        return self.value

    def __iter__(self) -> Iterator[float]:
        return iter((self.value, self.low, self.high))

    def __repr__(self) -> str:
        words = import_module("evalcore.wording.numbers")
        name, value = self.measure.label, words.value_text(self.measure, self.value)
        if math.isnan(self.value):
            return f"{name} undefined: {self.measure.undefined_when}"
        if math.isnan(self.low) and math.isnan(self.high):
            return f"{name} {value} (no interval)"
        ends = (words.value_text(self.measure, end) for end in (self.low, self.high))
        level, n = words.level_text(self.level), words.count_text(self.n)
        return f"{name} {value} ({level} CI {words.range_text(*ends)}, {self.method}, n = {n})"

    def _repr_html_(self) -> str:
        escaped = import_module("evalcore.wording.escaping").escaped
        note = f"<br><small>{escaped(self.note)}</small>" if self.note else ""
        return f"<div>{escaped(repr(self))}{note}</div>"


_FAMILIES = {
    "counts": ("positive threshold average higher_is_positive weights clusters",
               "Predicted labels, or scores where a threshold is given."),
    "scores": ("positive higher_is_positive weights clusters", "Scores, higher ones for the positive class."),
    "matrix": ("classes weights clusters", "Predicted labels."),
    "probabilities": ("positive classes weights clusters",
                      "Probability of the positive class, shape (n,), or of each class, shape (n, k)."),
    "label sets": ("classes weights", "Predicted labels as indicators, shape (n, k)."),
    "label scores": ("classes weights", "A score for each label, shape (n, k)."),
    "estimates": ("weights clusters", "Estimated numbers."),
    "prediction intervals": ("weights clusters", "Lower ends, then upper ends."),
    "distributions": ("", "Counts of the same bins."),
    "masks": ("", "The predicted mask, shape (height, width)."),
    RETRIEVAL: ("", "A run: dictionary of dictionaries, frame, TREC file or `Run`."),
}  # fmt: skip
"""By family the keywords beside the arrays, and what the second array is."""

_MEANINGS = {
    "positive": "The positive label; by default True, 1 or the usual word, such as 'yes'.",
    "threshold": "The second argument are scores, and those from here on are positive.",
    "average": "Of several classes: 'macro', 'micro' or 'weighted'.",
    "higher_is_positive": "False where lower scores speak for the positive class.",
    "weights": "array_like of float >= 0, shape (n,). What each row counts; 2 is the row twice.",
    "clusters": "array_like, shape (n,). What each row belongs to, such as a patient; intervals take whole clusters.",
    "classes": "The labels in the order of the columns; by default sorted.",
    "interval": "Return a `Value` with its confidence interval; its method may be named, such as 'clopper' or 'plain'.",
    "level": "Confidence of the interval.",
}

_ELSEWHERE = {
    "sample_weight": "weights", "pos_label": "positive", "labels": "classes",
    "multi_class": "a measure of its own: macro_auc, weighted_auc, one_vs_one_auc",
    "max_fpr": "partial_auc(truth, scores, highest_fpr=…)", "n_bins": "bins",
    "zero_division": "nan, with a warning", "y_true": "the first argument",
    **dict.fromkeys(("y_pred", "y_score", "y_prob"), "the second argument"),
}  # fmt: skip
"""Keywords of other libraries and what they are here."""

OF_SEVERAL = {
    "accuracy": "overall_accuracy", "balanced_accuracy": "macro_recall", "cohen_kappa": "multiclass_kappa",
    "matthews_correlation": "multiclass_matthews",
}  # fmt: skip
"""Measures in which both classes play one part, and their extension to several classes."""

_MACRO = {"recall": "macro_recall", "precision": "macro_precision", "f_beta": "macro_f1"}


def measure(name: str, family: str | None = None) -> Measure:
    """Any measure of the registry as a function, by any of its names, with the parameters in it.

    Parameters
    ----------
    name : str
        Such as "KS", "F2" or "nDCG@10".
    family : str, optional
        "retrieval" for names that classification has too, such as "AP".

    Raises
    ------
    KeyError
        If no measure has that name; the message offers the nearest ones.

    Examples
    --------
    >>> measure("F2")([1, 1, 0, 0], [1, 0, 0, 0])
    0.5555555555555556
    """
    return named(find(name, family))


def named(definition: MetricDef, name: str = "") -> Measure:
    """The function of a measure, called by its key or by a shorter name."""

    def function(truth: Any, *system: Any, interval: bool | str = False, level: float = 0.95, **keywords: Any) -> Any:
        return _measured(definition, truth, system, interval, level, keywords)

    function.__name__ = function.__qualname__ = name or definition.key
    function.__module__, function.__doc__ = "evalcore", _documentation(definition)
    function.__signature__ = _signature(definition)  # type: ignore[attr-defined]
    function.definition = definition  # type: ignore[attr-defined]
    return function  # type: ignore[return-value]


def _keywords(definition: MetricDef) -> list[str]:
    return _FAMILIES[definition.family][0].split()


def _signature(definition: MetricDef) -> inspect.Signature:
    one, kind = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
    parameters = {p.name: definition.arguments.get(p.name, p.default) for p in definition.params}
    keywords = {name: True if name == "higher_is_positive" else None for name in _keywords(definition)}
    keywords |= {**parameters, "interval": False, "level": 0.95}
    first = [one("truth", one.POSITIONAL_OR_KEYWORD), one("system", one.VAR_POSITIONAL)]
    return inspect.Signature([*first, *(one(name, kind, default=value) for name, value in keywords.items())])


def _documentation(definition: MetricDef) -> str:
    of_rankings = definition.family == RETRIEVAL
    first = "Judgments, given as the run is." if of_rankings else "What is true of each row, shape (n,)."
    lines = [f"truth : {first}", f"system : {_FAMILIES[definition.family][1]}"]
    lines += [f"{name} : {_MEANINGS[name]}" for name in _keywords(definition)]
    lines += [f"{p.name} : {p.meaning}" for p in definition.params]
    lines += [f"{name} : {_MEANINGS[name]}" for name in ("interval", "level")]
    when = definition.undefined_when
    undefined = f"\n\nUndefined (nan, with a warning) when {when}." if when else ""
    return (
        f"{definition.name} ({definition.label}): {definition.summary}\n\n{definition.reading}{undefined}\n\n"
        f"Parameters\n----------\n{chr(10).join(lines)}\n\nReferences\n----------\n{definition.source}"
    ).replace("\n\n\n", "\n\n")


def _measured(
    definition: MetricDef, truth: Any, system: tuple[Any, ...], interval: bool | str, level: float,
    keywords: dict[str, Any],
) -> Any:  # fmt: skip
    for name in keywords:
        if name not in (*_keywords(definition), *definition.takes):
            raise TypeError(_no_keyword(definition, name))
    parameters = {name: keywords.pop(name) for name in [*keywords] if name in definition.takes}
    definition = definition.with_params(**parameters) if parameters else definition
    average = keywords.pop("average", None)
    if average not in (None, "macro", "micro", "weighted"):
        raise ValueError(f"average={average!r} is not 'macro', 'micro' or 'weighted'.")
    if not isinstance(interval, (bool, str)):
        raise TypeError(f"interval={interval!r} is neither True nor a method; a confidence is the level, as level=0.9.")
    definition, state = _resolved(definition, truth, system, Settings(**keywords), average)
    if definition.family == "counts" and average is not None:
        if interval:
            raise ValueError(f"A {average} average of {definition.name} has no interval.")
        return _defined(definition, float(getattr(averages(state, definition), average)))
    values = definition(state)
    if definition.family == RETRIEVAL:
        value = mean_of(definition, values)
    elif np.ndim(values):
        return values
    else:
        value = _defined(definition, float(values))
    return _bounded(definition, state, values, value, level, interval) if interval else value


def _no_keyword(definition: MetricDef, name: str) -> str:
    if name in _ELSEWHERE:
        return f"{definition.key} takes no {name}; here it is {_ELSEWHERE[name]}."
    if name == "threshold":
        return f"{definition.key} takes no threshold: it is no measure of labels."
    takes = ", ".join([*_keywords(definition), *definition.takes, "interval", "level"])
    return f"{definition.key} takes no {name}; it takes {takes}."


def _resolved(
    definition: MetricDef, truth: Any, system: tuple[Any, ...], settings: Settings, average: str | None
) -> tuple[MetricDef, Any]:
    """The measure, which may be its extension to several classes, and its state."""
    if not system:
        return _own_state(definition, truth, settings, average)
    needed = 2 if definition.family == "prediction intervals" else 1
    if len(system) != needed:
        raise TypeError(
            f"{definition.key} takes the truth and {'both ends' if needed > 1 else 'one system'}; "
            f"{1 + len(system)} columns were given."
        )
    key, named_positive = definition.key, settings.positive is not None or settings.threshold is not None
    if average is not None:
        if named_positive:
            raise ValueError("An average is of all classes: leave positive and threshold out.")
        if np.ndim(truth) == 2:
            return definition, state_of("label sets", truth, system, settings)
        return _macro(definition, average), state_of("matrix", truth, system, settings)
    if key in OF_SEVERAL and definition.family == "counts" and not named_positive:
        labels = [column(values, name) for values, name in zip((truth, *system), ("truth", "predicted"), strict=True)]
        classes = sorted(distinct_labels(*labels), key=str)
        if len(classes) > 2:
            return METRICS[OF_SEVERAL[key]], state_of("matrix", truth, system, settings)
        settings = replace(settings, positive=classes[-1] if classes else None)
    try:
        return definition, state_of(definition.family, truth, system, settings)
    except ValueError as problem:
        if definition.family == "counts" and str(problem).startswith("Which label is positive?"):
            raise ValueError(f"{problem} Of several classes, give average='macro', 'micro' or 'weighted'.") from None
        raise


def _macro(definition: MetricDef, average: str) -> MetricDef:
    """The measure of the matrix that a macro average is, where there is one; it has an interval."""
    if average == "macro" and definition.key in _MACRO and definition.arguments.get("beta", 1) == 1:
        return METRICS[_MACRO[definition.key]]
    return definition


def _own_state(definition: MetricDef, state: Any, settings: Settings, average: str | None) -> tuple[MetricDef, Any]:
    """The measure and a state in place of truth and system, or the state that a data set has."""
    if isinstance(state, (str, Path, Mapping)) or hasattr(state, "columns"):
        state = import_module("evalcore.library.data").read(state)
    if hasattr(state, "roles") or hasattr(state, "dataset"):
        return _of_data(definition, state, settings, average)
    others = [name for name, value in vars(settings).items() if value is not None and name != "threshold"]
    if others != ["higher_is_positive"]:
        raise TypeError(f"{definition.key} of a state takes no {others[0]}, which the state has where it is made.")
    if definition.family == "counts" and isinstance(state, ScoredLabels):
        if settings.threshold is None:
            raise ValueError(f"{definition.key} of scores needs threshold=….")
        return definition, state.counts_at(settings.threshold)
    if isinstance(state, (list, tuple, np.ndarray)):
        raise TypeError(f"{definition.key} takes the truth and what the system says; only one column was given.")
    return definition if average is None else _macro(definition, average), state


def _of_data(definition: MetricDef, data: Any, settings: Settings, average: str | None) -> tuple[MetricDef, Any]:
    """The measure and the state of a data set, with the columns that the settings name in their roles."""
    analyses, key = import_module("evalcore.analyses"), definition.key
    names = ("positive", "weights", "clusters")
    named = {name: value for name in names if (value := getattr(settings, name)) is not None}
    named |= {} if settings.higher_is_positive else {"higher_is_positive": False}
    source = import_module("evalcore.library.data").source_of(None, (data,), named)
    values = analyses.MeasureValues(source, settings.threshold)
    if definition.family == RETRIEVAL:
        return definition, analyses.Rankings(source, source.system).hits()
    several = len(source.labels) > 2 or source.dataset.is_matrix
    if definition.family == "counts" and several and settings.positive is None and settings.threshold is None:
        if average is None and key not in OF_SEVERAL:
            raise ValueError(
                f"Which label is positive? {source.title} has {len(source.labels)}: pass one of them as positive=…, or "
                "give average='macro', 'micro' or 'weighted'."
            )
        definition = METRICS[OF_SEVERAL[key]] if average is None else _macro(definition, average)
        state = values.state("matrix")
    else:
        state = values.state(definition.family)
    if state is None:
        raise ValueError(f"{source.title} has no {definition.name}: its rows are {source.kind}.")
    return definition, state


def _defined(definition: MetricDef, value: float) -> float:
    if math.isnan(value):
        reason = definition.undefined_when or "it is undefined for these rows"
        warnings.warn(f"{definition.name} is undefined: {reason}.", UndefinedMeasure, stacklevel=5)
    return value


def _bounded(definition: MetricDef, state: Any, values: Any, value: float, level: float, asked: bool | str) -> Value:
    try:
        inference = import_module("evalcore.inference")
    except ImportError:
        raise ImportError("Intervals need scipy: pip install evalcore[inference].") from None
    choice = inference.IntervalChoice(level=level, **_chosen_method(definition, asked))
    if definition.family == RETRIEVAL:
        whole = np.isfinite(values).all() and len(values)
        found = inference.query_interval(definition, values, None, level) if whole else None
        made = found and (found, float(len(values)), "Student’s t over the queries")
    else:
        made = inference.intervals_of([definition], state, choice).get(definition.key)
    if not made:
        return Value(definition, value, math.nan, math.nan, level, "", math.nan)
    interval, n, method = made
    return Value(definition, value, float(interval.low), float(interval.high), level, method, n, interval.caution)


def _chosen_method(definition: MetricDef, method: bool | str) -> dict[str, str]:
    """The part of an `IntervalChoice` that a name of a method sets; none for True."""
    if not isinstance(method, str):
        return {}
    inference = import_module("evalcore.inference")
    parts = {"share": ("method", inference.INTERVAL_METHODS), "delong": ("area", inference.AREA_METHODS)}
    part, methods = parts.get(definition.interval, ("", {}))
    if method not in methods:
        names = ", ".join(["True", *map(repr, methods)])
        raise ValueError(f"interval={method!r} is no method for {definition.name}; it takes {names}.")
    return {part: method}


@cache
def by_key(key: str) -> Measure:
    """A measure of the registry by the name of its function."""
    return named(METRICS[key])


accuracy: Measure = by_key("accuracy")
balanced_accuracy: Measure = by_key("balanced_accuracy")
precision: Measure = by_key("precision")
recall: Measure = by_key("recall")
specificity: Measure = by_key("specificity")
f1: Measure = named(METRICS["f_beta"], "f1")
f_beta: Measure = by_key("f_beta")
jaccard: Measure = by_key("jaccard")
matthews_correlation: Measure = by_key("matthews_correlation")
cohen_kappa: Measure = by_key("cohen_kappa")
roc_auc: Measure = by_key("roc_auc")
average_precision: Measure = by_key("average_precision")
log_loss: Measure = by_key("log_loss")
brier_score: Measure = by_key("brier_score")
expected_calibration_error: Measure = by_key("expected_calibration_error")
mean_absolute_error: Measure = by_key("mean_absolute_error")
root_mean_squared_error: Measure = by_key("root_mean_squared_error")
mean_absolute_percentage_error: Measure = by_key("mean_absolute_percentage_error")
r_squared: Measure = by_key("r_squared")
pearson_correlation: Measure = by_key("pearson_correlation")
precision_at: Measure = by_key("precision_at")
recall_at: Measure = by_key("recall_at")
mean_average_precision: Measure = named(METRICS["average_precision_at"], "mean_average_precision")
mean_reciprocal_rank: Measure = named(METRICS["reciprocal_rank"], "mean_reciprocal_rank")
ndcg: Measure = by_key("ndcg")
