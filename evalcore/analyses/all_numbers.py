"""All numbers of a data set as one document: every measure of every system with its interval, in plain types."""

import json
import math
import platform
from importlib import import_module, metadata
from typing import Any

from evalcore.analyses.measure_values import MeasureValues
from evalcore.analyses.source import Source
from evalcore.inference import Interval, IntervalChoice, estimate_interval, mean_interval
from evalcore.readers import DataSet
from evalcore.registry import METRICS, RETRIEVAL, MetricDef

__all__ = ["NUMBERS_SCHEMA", "numbers_json", "numbers_of"]

NUMBERS_SCHEMA = "evalcore numbers 1"
"""Name and version of the keys; a key that is added keeps it, one that goes or changes its meaning does not."""


def numbers_of(data: DataSet | Source, threshold: float | None = None, level: float = 0.95) -> dict[str, Any]:
    """Every measure of every system of a data set, unrounded, in types that JSON has.

    A value that is undefined or infinite is None, and its `reason` says why. Measures that the data have no state for
    are left out.

    Parameters
    ----------
    threshold : float, optional
        Of scores; by default the one that a page starts from.
    level : float
        Of the intervals: Wilson's for shares, the bootstrap for other measures of counts, DeLong's for the area under
        the ROC curve, Student's t over the queries of rankings, and for errors as `estimate_interval`.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> document = numbers_of(read_sample("cancer_test"))
    >>> document["data"]["rows"], document["systems"][0]["measures"]["recall"]["value"]
    (2030, 0.6666666666666666)
    """
    source = data if isinstance(data, Source) else Source.of(data)
    dataset, several = source.dataset, len(source.systems) > 1
    each = [source.of_system(system) for system in source.systems] if several else [source]
    return {
        "schema": NUMBERS_SCHEMA,
        "versions": _versions(),
        "data": {
            "title": source.title, "file": dataset.name, "kind": source.kind, "digest": dataset.digest,
            "rows": source.rows, "positives": source.positives, "unit": source.unit,
            "roles": source.roles.to_text(), "steps": [str(step) for step in dataset.shape.steps],
        },
        "settings": {"threshold": _plain(threshold), "level": level},
        "systems": [_numbers_of_system(one, threshold, level) for one in each],
    }  # fmt: skip


def numbers_json(data: DataSet | Source, threshold: float | None = None, level: float = 0.95) -> str:
    """The same as a text of JSON, names in their own letters."""
    text = json.dumps(numbers_of(data, threshold, level), indent=1, ensure_ascii=False, allow_nan=False)
    # Half a character, which a broken file may hold, has no bytes; as an escape any reader takes it.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _versions() -> dict[str, str]:
    own = import_module("evalcore").__version__
    return {"evalcore": own, "numpy": metadata.version("numpy"), "python": platform.python_version()}


def _numbers_of_system(source: Source, threshold: float | None, level: float) -> dict[str, Any]:
    values, measures = MeasureValues(source, threshold), {}
    for measure in METRICS.values():
        if (value := values.value(measure)) is not None:
            interval, n, method = _interval(values, measure, level)
            measures[measure.key] = _entry(measure, value, interval, n, method)
    counts = values.counts
    cells = {} if counts is None else {cell: _plain(float(getattr(counts, cell))) for cell in ("tp", "fp", "fn", "tn")}
    return {
        "system": source.system, "positive": values.positive, "threshold": _plain(values.used_threshold),
        "counts": cells, "measures": measures,
    }  # fmt: skip


def _interval(values: MeasureValues, measure: MetricDef, level: float) -> tuple[Interval, float, str]:
    """Interval, n and method of a measure, with nan where there is none."""
    none, choice = Interval(math.nan, math.nan, math.nan), IntervalChoice(level=level)
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


def _entry(measure: MetricDef, value: float, interval: Interval, n: float, method: str) -> dict[str, Any]:
    low, high = _plain(float(interval.low)), _plain(float(interval.high))
    entry = {"name": measure.name, "symbol": measure.label, "family": measure.family, "value": _plain(value)}
    if entry["value"] is None:
        entry["reason"] = "infinite" if math.isinf(value) else measure.undefined_when or "undefined"
    if low is not None or high is not None:
        entry |= {"low": low, "high": high, "interval": method}
    return entry | ({} if math.isnan(n) else {"n": _plain(n)})


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
