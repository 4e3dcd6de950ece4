"""The usual interval of any measure of a state: that of the pages, of the numbers and of the library."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from evalcore.classification import ConfusionMatrix, LabelScores, LabelSets, ProbabilityTable, ScoredLabels
from evalcore.classification.binary.counts import ConfusionCounts
from evalcore.classification.several.class_areas import among_most_probable
from evalcore.estimation import Estimates
from evalcore.inference.base.intervals import Interval
from evalcore.inference.base.resampling import IntervalChoice, bootstrap_matrix
from evalcore.inference.intervals.estimates import ESTIMATE_INTERVALS, estimate_interval
from evalcore.inference.intervals.losses import bootstrap_label_measures, bootstrap_losses
from evalcore.inference.intervals.scores import bootstrap_scores
from evalcore.numeric import rows_behind
from evalcore.registry import METRICS, MetricDef

__all__ = ["MOST_RESAMPLED_CLASSES", "MeasureInterval", "intervals_of"]

MOST_RESAMPLED_CLASSES = 50  # classes up to which measures of the whole table are resampled


class MeasureInterval(NamedTuple):
    """An interval of a measure, with its n and method."""

    interval: Interval
    n: float
    method: str


Intervals = dict[str, MeasureInterval]


def intervals_of(measures: Sequence[MetricDef], state: Any, choice: IntervalChoice) -> Intervals:
    """Intervals by key of those of some measures of one state that have any; measures drawn together share resamples.

    >>> from evalcore import find
    >>> counts = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
    >>> found = intervals_of([find("recall")], counts, IntervalChoice())["recall"]
    >>> [round(float(end), 3) for end in found.interval.ends], found.n, found.method
    ([0.667, 0.488, 0.808], 30.0, 'Wilson')
    """
    return next((make(measures, state, choice) for kind, make in _STATES if isinstance(state, kind)), {})


def _of_counts(measures: Sequence[MetricDef], counts: ConfusionCounts, choice: IntervalChoice) -> Intervals:
    methods = {"share": choice.method_name, "logarithm": "logarithm, bootstrap where a cell is empty"}
    found = {one.key: (choice.of(one, counts), methods.get(one.interval, "bootstrap")) for one in measures}
    return {key: MeasureInterval(*interval, method) for key, (interval, method) in found.items() if interval}


def _of_scores(measures: Sequence[MetricDef], scored: ScoredLabels, choice: IntervalChoice) -> Intervals:
    n = float(scored.positives + scored.negatives)
    linear, resampled = ([one for one in measures if one.interval == way] for way in ("delong", "bootstrap"))
    drawn = bootstrap_scores(resampled, scored, choice.level) if resampled else []
    found = {one.key: MeasureInterval(each, n, "bootstrap") for one, each in zip(resampled, drawn, strict=True)}
    return found | {one.key: MeasureInterval(choice.of_linear_area(one, scored), n, choice.area_name) for one in linear}


def _of_matrix(measures: Sequence[MetricDef], matrix: ConfusionMatrix, choice: IntervalChoice) -> Intervals:
    n, found = float(matrix.counts.sum()), Intervals()
    resampled = [measure for measure in measures if measure.interval == "bootstrap"]
    if resampled and len(matrix.classes) <= MOST_RESAMPLED_CLASSES:
        drawn = bootstrap_matrix(resampled, matrix, choice.level)
        found |= {one.key: MeasureInterval(each, n, "bootstrap") for one, each in zip(resampled, drawn, strict=True)}
    return found | _of_share([one for one in measures if one.interval == "share"], matrix.right(), choice)


def _of_share(measures: Sequence[MetricDef], right: ConfusionCounts, choice: IntervalChoice) -> Intervals:
    """Interval of a share of right rows, which are the true positives of the counts."""
    share = choice.of(METRICS["recall"], right) if measures else None
    return {one.key: MeasureInterval(*share, choice.method_name) for one in measures} if share else {}


def _of_probabilities(measures: Sequence[MetricDef], table: ProbabilityTable, choice: IntervalChoice) -> Intervals:
    asked, found = {one.key: one for one in measures}, Intervals()
    for settings in {tuple(sorted(one.arguments.items())) for one in measures if one.interval == "bootstrap"}:
        given: dict[str, Any] = dict(settings)
        for key, each in bootstrap_losses(table, **given, level=choice.level).items():
            if key in asked and asked[key].arguments == given:
                found[key] = MeasureInterval(each, float(table.total), "bootstrap")
    if (top := asked.get("top_k_accuracy")) is not None:
        of_top: dict[str, Any] = top.arguments
        right = among_most_probable(table, **of_top)
        clusters = None if table.clusters is None else table.event(0).cluster_codes
        hits = ConfusionCounts.from_labels(right | True, right, True, weights=table.weights, clusters=clusters)
        found |= _of_share([top], hits, choice)
    return found


def _of_labels(measures: Sequence[MetricDef], state: LabelSets | LabelScores, choice: IntervalChoice) -> Intervals:
    n, asked = float(rows_behind(state.weights, state.rows)), {one.key for one in measures}
    drawn = bootstrap_label_measures(state, choice.level)
    return {key: MeasureInterval(each, n, "bootstrap") for key, each in drawn.items() if key in asked}


def _of_estimates(measures: Sequence[MetricDef], state: Estimates, choice: IntervalChoice) -> Intervals:
    n = float(rows_behind(state.weights, len(state)))
    return {
        one.key: MeasureInterval(estimate_interval(one, state, choice.level), n, ESTIMATE_INTERVALS[one.interval])
        for one in measures
    }


_STATES: tuple[tuple[type | tuple[type, ...], Callable[..., Intervals]], ...] = (
    (ConfusionCounts, _of_counts), (ScoredLabels, _of_scores), (ConfusionMatrix, _of_matrix),
    (ProbabilityTable, _of_probabilities), ((LabelSets, LabelScores), _of_labels), (Estimates, _of_estimates),
)  # fmt: skip
