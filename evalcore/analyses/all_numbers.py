"""All numbers of a data set as one document: every measure of every system with its interval, in plain types."""

import json
import math
import platform
from contextlib import suppress
from importlib import import_module, metadata
from typing import Any

from evalcore.analyses.class_measures import MOST_RESAMPLED_CLASSES
from evalcore.analyses.measure_values import MeasureValues
from evalcore.analyses.rankings import Rankings
from evalcore.analyses.refined_scores import certain_numbers
from evalcore.analyses.source import Source
from evalcore.inference import (
    Interval,
    IntervalChoice,
    bootstrap_label_measures,
    bootstrap_losses,
    bootstrap_matrix,
    estimate_interval,
    mean_interval,
)
from evalcore.readers import DataSet, ReadProblem
from evalcore.registry import METRICS, RETRIEVAL, MetricDef, measures_of

__all__ = ["NUMBERS_SCHEMA", "numbers_json", "numbers_of"]

NUMBERS_SCHEMA = "evalcore numbers 1"
"""Name and version of the keys; a key that is added keeps it, one that goes or changes its meaning does not."""


def numbers_of(
    data: DataSet | Source,
    threshold: float | None = None,
    level: float = 0.95,
    intervals: IntervalChoice | None = None,
    rankings: Rankings | None = None,
) -> dict[str, Any]:
    """Every measure of every system of a data set, unrounded, in types that JSON has.

    A value that is undefined or infinite is None, and its `reason` says why. Measures that the data have no state for
    are left out. Where scores are counted in bins, `bounds` are the values between which a measure certainly lies, and
    `counts_exact` says whether the counts at the threshold are those of the rows.

    Parameters
    ----------
    threshold : float, optional
        Of scores; by default the one that a page starts from.
    level : float
        Of the intervals: Wilson's for shares, the bootstrap for other measures of counts, DeLong's for the area under
        the ROC curve, Student's t over the queries of rankings, for errors as `estimate_interval`, and the bootstrap
        over the rows for whole tables of classes, losses of probabilities and sets of labels.
    intervals : IntervalChoice, optional
        Other methods, with a level of their own.
    rankings : Rankings, optional
        With k, the relevance level and the other settings of rankings, whichever system they are of.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> document = numbers_of(read_sample("cancer_test"))
    >>> document["data"]["rows"], document["systems"][0]["measures"]["recall"]["value"]
    (2030, 0.6666666666666666)
    """
    source = data if isinstance(data, Source) else Source.of(data)
    dataset, several, choice = source.dataset, len(source.systems) > 1, intervals or IntervalChoice(level=level)
    ranked = {} if rankings is None else {"k": rankings.k, "relevant_from_grade": rankings.level}
    each = [source.of_system(system) for system in source.systems] if several else [source]
    return {
        "schema": NUMBERS_SCHEMA,
        "versions": _versions(),
        "data": {
            "title": source.title, "file": dataset.name, "kind": source.kind, "digest": dataset.digest,
            "rows": source.rows, "positives": source.positives, "unit": source.unit,
            "roles": source.roles.to_text(), "steps": [str(step) for step in dataset.shape.steps],
        },
        "settings": {
            "threshold": _plain(threshold), "level": choice.level, "method": choice.method, "area": choice.area,
            **ranked,
        },
        "systems": [_numbers_of_system(MeasureValues(one, threshold, rankings), choice) for one in each],
    }  # fmt: skip


def numbers_json(data: DataSet | Source, *settings: Any, **named: Any) -> str:
    """The same as a text of JSON, names in their own letters; settings as those of `numbers_of`."""
    text = json.dumps(numbers_of(data, *settings, **named), indent=1, ensure_ascii=False, allow_nan=False)
    # Half a character, which a broken file may hold, has no bytes; as an escape any reader takes it.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _versions() -> dict[str, str]:
    own = import_module("evalcore").__version__
    return {"evalcore": own, "numpy": metadata.version("numpy"), "python": platform.python_version()}


def _numbers_of_system(values: MeasureValues, choice: IntervalChoice) -> dict[str, Any]:
    measures, resampled = {}, {}
    with suppress(ReadProblem, ValueError):  # then their values are missing too
        resampled = _resampled(values, choice)
    for measure in METRICS.values():
        if (value := values.value(measure)) is not None:
            interval, n, method = resampled.get(measure.key) or _interval(values, measure, choice)
            measures[measure.key] = _entry(measure, values.label(measure), value, interval, n, method)
    counts, scores = values.counts, values.scores
    certain = {} if scores is None else certain_numbers(scores, values.used_threshold or 0.0)
    for key, bounds in certain.pop("measures", {}).items():
        if key in measures:
            measures[key]["bounds"] = bounds
    cells = {} if counts is None else {cell: _plain(float(getattr(counts, cell))) for cell in ("tp", "fp", "fn", "tn")}
    return {
        "system": values.source.system, "positive": values.positive, "threshold": _plain(values.used_threshold),
        "counts": cells, **certain, "measures": measures,
    }  # fmt: skip


_Bounds = tuple[Interval, float, str]
"""An interval with its n and method."""


def _resampled(values: MeasureValues, choice: IntervalChoice) -> dict[str, _Bounds]:
    """The intervals of a table of classes, of probabilities and of labels, each family over the same resamples."""
    by_key: dict[str, _Bounds] = {}
    if (matrix := values.matrix) is not None:
        n = float(matrix.counts.sum())
        if len(matrix.classes) <= MOST_RESAMPLED_CLASSES:
            measures = [measure for measure in measures_of("matrix") if measure.interval == "bootstrap"]
            found = bootstrap_matrix(measures, matrix, choice.level)
            by_key |= {one.key: (each, n, "bootstrap") for one, each in zip(measures, found, strict=True)}
        if (share := choice.of(METRICS["recall"], matrix.right())) is not None:
            by_key |= {
                one.key: (*share, choice.method_name) for one in measures_of("matrix") if one.interval == "share"
            }
    if (table := values.probabilities) is not None:
        losses = bootstrap_losses(table, level=choice.level)
        by_key |= {key: (each, float(table.total), "bootstrap") for key, each in losses.items()}
    for state in (values.label_sets, values.label_scores):
        if state is not None:
            labels = bootstrap_label_measures(state, choice.level)
            by_key |= {key: (each, float(state.rows), "bootstrap") for key, each in labels.items()}
    return by_key


def _interval(values: MeasureValues, measure: MetricDef, choice: IntervalChoice) -> _Bounds:
    """Interval, n and method of a measure, with nan where there is none."""
    none, level = Interval(math.nan, math.nan, math.nan), choice.level
    clustered = values.source.roles.get("cluster") is not None
    if measure.family == "counts" and values.counts is not None:
        found = choice.of(measure, values.counts)
        by = {"share": choice.method_name, "logarithm": "logarithm, bootstrap where a cell is empty"}
        return (*found, by.get(measure.interval, "bootstrap")) if found else (none, math.nan, "")
    if measure.key == "roc_auc" and (scored := values.scored) is not None:
        return choice.of_area(scored), float(scored.positives + scored.negatives), choice.area_name
    queries = values.per_query(measure) if measure.family == RETRIEVAL and measure.mean == "arithmetic" else None
    if queries is not None and not clustered:
        return mean_interval(queries, level), float(len(queries)), "Student’s t over the queries"
    if measure.family == "estimates" and (estimates := values.estimates) is not None:
        return estimate_interval(measure, estimates, level), float(len(estimates)), measure.interval
    return none, math.nan, ""


def _entry(measure: MetricDef, label: str, value: float, interval: Interval, n: float, method: str) -> dict[str, Any]:
    low, high = _plain(float(interval.low)), _plain(float(interval.high))
    entry = {"name": measure.name, "symbol": label, "family": measure.family, "value": _plain(value)}
    if entry["value"] is None:
        entry["reason"] = "infinite" if math.isinf(value) else measure.undefined_when or "undefined"
    if low is not None or high is not None:
        entry |= {"low": low, "high": high, "interval": method}
    return entry | ({} if math.isnan(n) else {"n": _plain(n)})


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
