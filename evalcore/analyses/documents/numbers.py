"""All numbers of a data set as one document: every measure of every system with its interval, in plain types."""

import json
import math
import platform
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module, metadata
from typing import Any

import numpy as np

from evalcore.analyses.confusion import NamedCounts
from evalcore.analyses.data import EstimateRows, LabelPairs, ProbabilitySource, Rankings, Scores, Source, predictions_of
from evalcore.analyses.data.binned_scores import certain_numbers
from evalcore.analyses.estimate.decisions import IntervalCoverage
from evalcore.analyses.estimate.distances import DistanceSettings, DistributionComparison
from evalcore.analyses.estimate.distributions import usual_distributions
from evalcore.analyses.estimate.overlap import MASK_MEASURES, Overlap, OverlapSettings
from evalcore.inference import Interval, IntervalChoice, query_interval
from evalcore.inference.intervals import ESTIMATE_INTERVALS, MeasureInterval, intervals_of
from evalcore.numeric import Array, Indices, rows_behind
from evalcore.readers import KINDS, DataSet, ReadProblem
from evalcore.registry import METRICS, RETRIEVAL, MetricDef
from evalcore.wording import count_text, plain, value_text

__all__ = ["NUMBERS_SCHEMA", "MeasureValues", "numbers_json", "numbers_of"]

NUMBERS_SCHEMA = "evalcore numbers 1"
"""Name and version of the keys; a key that is added keeps it, one that goes or changes its meaning does not."""
_NONE = MeasureInterval(Interval(math.nan, math.nan, math.nan), math.nan, "")


@dataclass(frozen=True, eq=False)
class MeasureValues:
    """Values of all measures for a data set and a threshold of its scores."""

    source: Source
    threshold: float | None = None  # of scores; where it is None, the one that a page starts from
    rankings: Rankings | None = None  # with the settings of rankings, whichever system they are of

    def text(self, measure: MetricDef) -> str:
        """Value as text; empty if the data have no state for the measure."""
        value = self.value(measure)
        return "" if value is None else value_text(measure, value)

    def label(self, measure: MetricDef) -> str:
        """Label of a measure with its parameters, such as the chosen cutoff k."""
        cut = measure.cut
        if self.rankings is None or cut is None or cut.name != "k" or cut.default == math.inf:
            return measure.label
        return f"{measure.symbol}@{self.rankings.k}"

    def value(self, measure: MetricDef) -> float | None:
        """Value, nan if undefined; None if the data have no state for the measure."""
        try:
            if measure.family == RETRIEVAL:
                name = self.label(measure)
                return self._rankings and self._rankings.per_query([name]).mean(name)
            if (overlap := self.overlap()) is not None and measure.key in MASK_MEASURES:
                return float(overlap.mean(measure.key).estimate)
            if measure.family == "distributions":
                distances = self.distances()
                return distances and distances.value(measure)
            state = self.state(measure.family)
            return None if state is None else float(measure(state))
        except (ReadProblem, ValueError):
            return None

    def state(self, family: str) -> Any:
        """The state that the measures of a family are functions of; None if the data have none."""
        match family:
            case "scores":
                return self.scores and self.scores.scored
            case "estimates":
                return self._estimate_rows and self._estimate_rows.state
            case "label sets" | "label scores":
                name = family.replace(" ", "_")
                return getattr(self.source.dataset, name)() if self._has_state(name) else None
            case "prediction intervals":
                coverage = self.coverage()
                return coverage and coverage.intervals
        return getattr(self, family, None)

    def origin(self, measure: MetricDef) -> str:
        """Part of the data that a value is computed from, if it is a choice, in Markdown: "mean of 40 images"."""
        if (overlap := self.overlap()) is not None:
            return f"mean of {count_text(len(overlap.images.names))} images"
        if measure.family == "distributions" and (distances := self.distances()) is not None:
            return f"P: {distances.names[0]}, Q: {distances.names[1]}"
        if measure.family == "prediction intervals" and (coverage := self.coverage()) is not None:
            ends = coverage.columns
            return f"{plain(ends.low, 40)} to {plain(ends.high, 40)}"
        return ""

    @property
    def used_threshold(self) -> float | None:
        """The threshold of the scores; None without scores."""
        if (scores := self.scores) is None:
            return None
        return scores.starting_threshold if self.threshold is None else self.threshold

    def per_query(self, measure: MetricDef) -> Array | None:
        """A measure of rankings for each query; None without rankings."""
        name = self.label(measure)
        return self._rankings and self._rankings.per_query([name]).values[name]

    @cached_property
    def query_clusters(self) -> Indices | None:
        """Cluster of each query; None without clusters."""
        return self._rankings and self._rankings.clusters(self._rankings.queries())

    def _has_state(self, state: str) -> bool:
        return state in KINDS[self.source.kind].states

    @cached_property
    def scores(self) -> Scores | None:
        """Scores of the system with the names of its classes; None without scores."""
        system = self.source.system or self.source.dataset.first_system
        return Scores.of(self.source, system) if self._has_state("scored") and system is not None else None

    @cached_property
    def counts(self) -> Any:
        """Four counts at the threshold, of the file, or of the positive class; None without any."""
        if self.scores is not None and self.used_threshold is not None:
            return self.scores.counts_at(self.used_threshold)
        return self._named_counts and self._named_counts.counts

    @property
    def positive(self) -> str | None:
        """Name of the positive class, unescaped text from a file; None without counts."""
        named = self.scores or self._named_counts
        return named and named.positive

    @cached_property
    def _named_counts(self) -> NamedCounts | None:
        return NamedCounts.of_class(self.source) if (self._has_state("matrix") or self._has_state("counts")) else None

    @cached_property
    def matrix(self) -> Any:
        """Confusion matrix; None if there is none."""
        source = self.source
        if not (self._has_state("matrix") or source.scored_by == "class") or source.has_labels:
            return None
        if source.kind == "counts":
            return source.dataset.matrix(source.system)
        return LabelPairs.of(source, predictions_of(source)[0] if source.scored_by == "class" else source.system).matrix

    @cached_property
    def probabilities(self) -> Any:
        """The table of probabilities; None without any."""
        return ProbabilitySource.of(self.source).table if self.source.scored_by in ("system", "class") else None

    @cached_property
    def _estimate_rows(self) -> EstimateRows | None:
        return EstimateRows.of(self.source) if self._has_state("estimates") else None

    def coverage(self, level: float = 0.95) -> IntervalCoverage | None:
        """The first prediction intervals of the table, with confidence intervals of a level; None without any."""
        rows = self._estimate_rows
        ends = [] if rows is None else IntervalCoverage.found(rows)
        return IntervalCoverage(rows, ends[0], level) if rows and ends else None

    def overlap(self, level: float = 0.95) -> Overlap | None:
        """The masks, with confidence intervals of a level; None without any."""
        if not self._has_state("mask_images"):
            return None
        return self._memo.setdefault(("overlap", level), Overlap(self.source, OverlapSettings(level=level)))

    def distances(self, level: float = 0.95) -> DistributionComparison | None:
        """The two distributions that the page starts from, with confidence intervals of a level; None without any."""
        if "two" not in self._memo:
            self._memo["two"] = None
            with suppress(ReadProblem, ValueError):
                self._memo["two"] = usual_distributions(self.source)
        if (two := self._memo["two"]) is None:
            return None
        return self._memo.setdefault(("distances", level), DistributionComparison(two, DistanceSettings(level=level)))

    @cached_property
    def _memo(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def _rankings(self) -> Rankings | None:
        system = self.source.system
        if system is None or not self._has_state("judgments"):
            return None
        return Rankings(self.source, system) if self.rankings is None else self.rankings.of_system(system)


def numbers_of(
    data: DataSet | Source, threshold: float | None = None, level: float = 0.95,
    intervals: IntervalChoice | None = None, rankings: Rankings | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Every measure of every system of a data set, unrounded, in types that JSON has.

    A value that is undefined or infinite is None, and its `reason` says why; `no_interval`, `no_low` and `no_high` say
    why there is no interval, or no end of it. Measures that the data have no state for are left out. Where scores are
    counted in bins, `bounds` are those of a measure, and `counts_exact` says whether the counts are those of the rows.

    The threshold is by default the one that a page starts from. Intervals are Wilson's for shares, the bootstrap for
    other counts, classes, losses of probabilities and sets of labels, DeLong's for the area under the ROC curve,
    Student's t over queries, and as `estimate_interval` for errors; `intervals` names others with a level of their own.

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
        "versions": {
            "evalcore": import_module("evalcore").__version__, "numpy": metadata.version("numpy"),
            "python": platform.python_version(),
        },
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


def numbers_json(data: DataSet | Source | dict[str, Any], *settings: Any, **named: Any) -> str:
    """The numbers of `numbers_of`, or numbers that it has given, as JSON in UTF-8, without escaped letters."""
    found = data if isinstance(data, dict) else numbers_of(data, *settings, **named)
    text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
    # Half a character, which a broken file may hold, has no bytes; as an escape any reader takes it.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _numbers_of_system(values: MeasureValues, choice: IntervalChoice) -> dict[str, Any]:
    measures: dict[str, Any] = {}
    intervals = _intervals(values, choice)
    for measure in METRICS.values():
        if (value := values.value(measure)) is not None:
            measures[measure.key] = _entry(measure, values.label(measure), value, intervals.get(measure.key, _NONE))
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


def _distribution_bounds(values: MeasureValues, choice: IntervalChoice) -> dict[str, MeasureInterval]:
    if (distances := values.distances(choice.level)) is None:
        return {}
    n = float(distances.two.pair.p.sum() + distances.two.pair.q.sum())
    return {key: MeasureInterval(one.interval, n, "bootstrap") for key, one in distances.estimates.items()}


def _mask_bounds(values: MeasureValues, choice: IntervalChoice) -> dict[str, MeasureInterval]:
    if (overlap := values.overlap(choice.level)) is None:
        return {}
    n, method = float(len(overlap.images.names)), "Student’s t over the images, of distances on the logarithmic scale"
    return {key: MeasureInterval(overlap.mean(key), n, method) for key in overlap.values}


def _prediction_interval_bounds(values: MeasureValues, choice: IntervalChoice) -> dict[str, MeasureInterval]:
    if (coverage := values.coverage(choice.level)) is None:
        return {}
    weights = coverage.intervals.middle.weights
    n, method = float(rows_behind(weights, len(coverage.places))), ESTIMATE_INTERVALS["mean"]
    means = {key: MeasureInterval(one, n, method) for key, one in coverage.means.items()}
    return means | {"interval_coverage": MeasureInterval(coverage.coverage, n, choice.method_name)}


def _intervals(values: MeasureValues, choice: IntervalChoice) -> dict[str, MeasureInterval]:
    """The intervals by key of all measures that have one."""
    found: dict[str, MeasureInterval] = {}
    for family in dict.fromkeys(measure.family for measure in METRICS.values()):
        measures = [measure for measure in METRICS.values() if measure.family == family]
        with suppress(ReadProblem, ValueError):  # then its values are missing too
            if family == RETRIEVAL:
                found |= _of_queries(measures, values, choice.level)
            else:
                found |= intervals_of(measures, values.state(family), choice)
    for bounds_of in (_distribution_bounds, _mask_bounds, _prediction_interval_bounds):
        with suppress(ReadProblem, ValueError):
            found |= bounds_of(values, choice)
    return found


def _of_queries(measures: list[MetricDef], values: MeasureValues, level: float) -> dict[str, MeasureInterval]:
    found = {}
    for measure in measures:
        queries = values.per_query(measure)
        if queries is not None and np.isfinite(queries).all():
            interval = query_interval(measure, queries, values.query_clusters, level)
            found[measure.key] = MeasureInterval(interval, float(len(queries)), "Student’s t over the queries")
    return found


def _entry(measure: MetricDef, label: str, value: float, found: MeasureInterval) -> dict[str, Any]:
    interval, n, method = found
    low, high = _plain(float(interval.low)), _plain(float(interval.high))
    entry = {"name": measure.name, "symbol": label, "family": measure.family, "value": _plain(value)}
    if entry["value"] is None:
        entry["reason"] = "infinite" if math.isinf(value) else measure.undefined_when or "undefined"
    if low is not None or high is not None:
        entry |= {"low": low, "high": high, "interval": method}
        infinite = _INFINITE if measure.family == "distributions" else "infinite"
        entry |= {f"no_{end}": infinite for end in ("low", "high") if entry[end] is None}
    else:
        usual = _NO_VARIANCE if measure.interval else "none is computed for this measure"
        entry["no_interval"] = _NO_INTERVAL.get(measure.key, usual)
    if note := interval.caution:
        entry["note"] = note
    return entry | ({} if math.isnan(n) else {"n": _plain(n)})


_INFINITE = "infinite: many resamples leave a bin of one side empty"
_NO_VARIANCE = "no variance: too few rows, clusters or queries, or all of them agree"

_OF_AREAS = "a mean of areas that share rows would need their covariances; the area of a single class has an interval"
_OF_CALIBRATION = "it is biased upwards; compare it with that of calibrated probabilities"
_NO_INTERVAL = {
    **dict.fromkeys(("macro_auc", "weighted_auc", "one_vs_one_auc", "weighted_one_vs_one_auc"), _OF_AREAS),
    **dict.fromkeys(("expected_calibration_error", "maximum_calibration_error"), _OF_CALIBRATION),
    "max_error": "a maximum grows with the number of rows",
    "no_information_rate": "resamples overestimate the largest of several shares",
    "mean_absolute_scaled_error": "errors of neighbouring rows are correlated",
}
"""Why a measure has no interval, by its key; others lack one where the rows show no variance."""


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
