"""The table of systems: how well the scores of each separate the classes, over all thresholds or over a range."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from evalcore.analyses.data.source import Source
from evalcore.classification import ScoredLabels, pooled
from evalcore.inference import Interval, IntervalChoice, bootstrap_scores
from evalcore.registry import PARTIAL, MetricDef, measures_of
from evalcore.wording import number_text, short_names

__all__ = ["WHOLE_CURVE", "CurveRanges", "ScoreLine", "ScoreTable"]
__all__ += ["class_averages", "resampled_values", "score_values"]

ScoreMeasures = Mapping[str, Callable[[ScoredLabels], float]]
_WHOLE = (0.0, 1.0)
_AXES = {"fpr": "false positive rates", "tpr": "recall"}
_CORRECTED = "The same on the scale of McClish, where ½ is guessing and 1 perfect, whatever the range"


@dataclass(frozen=True)
class CurveRanges:
    """The ranges of partial areas, 0 <= low < high <= 1; an axis of which nothing was chosen is whole."""

    fpr: tuple[float, float] = _WHOLE
    tpr: tuple[float, float] = _WHOLE

    @property
    def chosen(self) -> dict[str, tuple[float, float]]:
        """The ranges that leave something out, by axis."""
        return {axis: ends for axis, ends in vars(self).items() if ends != _WHOLE}

    @property
    def areas(self) -> list[MetricDef]:
        """The registered partial areas over the chosen ranges."""
        ends = {f"lowest_{axis}": low for axis, (low, _) in self.chosen.items()}
        ends |= {f"highest_{axis}": high for axis, (_, high) in self.chosen.items()}
        return [measure for measure in measures_of("scores", **ends) if measure.group == PARTIAL]

    @property
    def measures(self) -> dict[str, Callable[[ScoredLabels], float]]:
        """The partial areas by label, raw and corrected.

        >>> list(CurveRanges(fpr=(0.1, 0.3)).measures)
        ['pAUC', 'pAUC corrected']
        """
        measures = {}
        for area in self.areas:
            corrected = partial(area.function, corrected=True, **area.arguments)
            measures |= {area.label: area, f"{area.label} corrected": corrected}
        return measures

    @property
    def helps(self) -> dict[str, str]:
        """One line on every measure of scores and on the partial areas, by label."""
        helps = {measure.label: measure.help for measure in (*measures_of("scores"), *self.areas)}
        return helps | {f"{area.label} corrected": _CORRECTED for area in self.areas}

    @property
    def lower_is_better(self) -> list[str]:
        """Labels of the measures of which the lowest value is the best."""
        return [measure.label for measure in measures_of("scores") if measure.better == "lower"]

    @property
    def notes(self) -> list[str]:
        """Which ranges the partial areas are over."""
        ranges = [(area.label, axis, *ends) for area, (axis, ends) in zip(self.areas, self.chosen.items(), strict=True)]
        return [
            f"{label}: over {_AXES[axis]} from {number_text(low)} to {number_text(high)}."
            for label, axis, low, high in ranges
        ]


WHOLE_CURVE = CurveRanges()


def score_values(
    scored: ScoredLabels, measures: ScoreMeasures | None = None, area_method: str = "logit"
) -> dict[str, Interval]:
    """Measures of scores by label, by default every registered one; with DeLong's interval where that fits.

    The area method is a key of `evalcore.inference.AREA_METHODS`.

    >>> from evalcore.readers.join.samples import read_sample
    >>> values = score_values(read_sample("roc_20").scored())
    >>> values["AUC"].estimate, values["Gini"].estimate, values["AP"].low
    (0.68, 0.3600000000000001, nan)
    """
    choice, values = IntervalChoice(area=area_method), {}
    for label, measure in (measures or {m.label: m for m in measures_of("scores")}).items():
        if isinstance(measure, MetricDef) and measure.interval == "delong":
            values[label] = choice.of_linear_area(measure, scored)
        else:
            values[label] = Interval(float(measure(scored)), math.nan, math.nan)
    return values


def resampled_values(scored: ScoredLabels, ranges: CurveRanges = WHOLE_CURVE) -> dict[str, Interval]:
    """The measures without a closed form, and the partial areas, with intervals over resamples of the rows."""
    measures = {m.label: m for m in measures_of("scores") if m.interval != "delong"} | ranges.measures
    return dict(zip(measures, bootstrap_scores(list(measures.values()), scored), strict=True))


class ScoreLine(NamedTuple):
    """A line of the table: a system or class, its measures by label, and its rows and positives."""

    name: str
    values: dict[str, Interval]
    rows: float
    positives: float


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One line per system, or per class against the rest, and the averages of several classes.

    The names of the lines come from a file: escape them.
    """

    source: Source
    ranges: CurveRanges
    lines: Sequence[ScoreLine]
    averages: Sequence[ScoreLine] = ()

    @property
    def different_rows(self) -> bool:
        """Whether systems have scores on different rows, as their numbers of rows and of positives tell."""
        return self.source.scored_by == "system" and len({line[2:] for line in self.lines}) > 1

    @property
    def notes(self) -> str:
        """What the numbers are over, in Markdown."""
        notes = self.ranges.notes
        if self.different_rows:
            notes.append(
                "The systems have different rows, so none is marked as the best: an area depends on the rows. To "
                "compare two systems on the rows they share, use the Compare page."
            )
        if self.source.clusters:
            notes.append("The variance of an AUC is Obuchowski's.")
        of_intervals = dict.fromkeys(one.caution for line in self.lines for one in line.values.values() if one.caution)
        return " ".join([*notes, *of_intervals, self.source.rows_note.strip()]).strip()

    @property
    def table(self) -> dict[str, list]:
        """The lines as columns, unrounded; intervals as text."""
        lines = [*self.lines, *self.averages]
        short = short_names((line.name for line in lines), 28)
        table: dict[str, list] = {"system": [short[line.name] for line in lines]}
        for label in self.ranges.helps:
            values = [line.values.get(label, Interval(*[math.nan] * 3)) for line in lines]
            table[label] = [float(value.estimate) for value in values]
            if any(between := [_between(value) for value in values]):
                table[f"{label} interval"] = [text or "–" for text in between]
        return table | {name: [getattr(line, name) for line in lines] for name in ("rows", "positives")}


def class_averages(states: Sequence[ScoredLabels], lines: Sequence[ScoreLine]) -> list[ScoreLine]:
    """Micro average, of all classes pooled, and macro average, the mean of the classes where all measures exist."""
    state = pooled(states)
    values = {m.label: Interval(float(m(state)), math.nan, math.nan) for m in measures_of("scores")}
    averages = [ScoreLine("micro average", values, state.positives + state.negatives, state.positives)]
    known = [line for line in lines if not math.isnan(line.values["AUC"].estimate)]
    if known:
        means = {label: sum(line.values[label].estimate for line in known) / len(known) for label in values}
        values = {label: Interval(mean, math.nan, math.nan) for label, mean in means.items()}
        averages.append(ScoreLine("macro average", values, known[0].rows, known[0].rows))
    return averages


def _between(value: Interval) -> str:
    """The interval in words; empty where there is none, or it has no width."""
    low, high = float(value.low), float(value.high)
    return f"{number_text(low)} – {number_text(high)}" if math.isfinite(low) and low < high else ""
