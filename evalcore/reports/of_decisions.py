"""The parts of the chapter on the threshold: how sure it is, what it costs, what it brings, and in which groups."""

import math
from collections.abc import Callable, Iterable, Mapping

from evalcore.analyses import (
    SLICE_MEASURES,
    ClassTable,
    CostSensitivity,
    NamedCounts,
    PeriodForecast,
    ReferralBand,
    Scores,
    Slices,
    ThresholdChoice,
    band_table,
    bands_at,
    choice_certainty,
    group_differences,
    group_rates,
    net_benefit_of,
    search_slices,
    searched_columns,
    subgroups_of,
)
from evalcore.classification import cheapest_thresholds, threshold_grid
from evalcore.figures import (
    certainty_figure,
    decision_figure,
    groups_figure,
    ink,
    ratio_map_figure,
    risk_coverage_figure,
    zones_figure,
)
from evalcore.inference import forecast
from evalcore.registry import METRICS
from evalcore.reports.parts import Part, Picture, Table, Words
from evalcore.reports.settings import ReportSettings
from evalcore.wording import count_text, number_text, ratio_text, share_text

_LIGHT = ink(dark=False)


def decision_parts(
    scores: Scores, threshold: float, chosen: ThresholdChoice, settings: ReportSettings
) -> Mapping[str, Callable[[], Iterable[Part]]]:
    """What makes each part, by its title on the page."""
    at = scores, threshold, settings
    parts: dict[str, Callable[[], Iterable[Part]]] = {
        "How sure": lambda: _certainty(threshold, chosen),
        "Costs": lambda: _costs(chosen, threshold, settings),
        "What to expect in use": lambda: _forecast(*at),
        "Net benefit": lambda: _net_benefit(*at),
    }
    if settings.second_threshold not in (None, threshold):
        parts["Two thresholds"] = lambda: _two_thresholds(*at)
    if scores.current.roles.get("group") is not None:
        parts["Groups"] = lambda: _groups(*at)
    if searched_columns(scores.current)[0]:
        table = ClassTable.of_scores(scores, threshold)
        parts["Slices"] = lambda: slice_parts(table, scores.positive, settings.intervals.level)
    return parts


def _certainty(threshold: float, chosen: ThresholdChoice) -> list[Part]:
    certainty, scores = choice_certainty(chosen), chosen.scores
    measures = band_table(scores, threshold, bands_at(scores, threshold, certainty.plan))
    if not certainty.is_defined:
        return [Words(f"{certainty.bootstrap.reason} {certainty.note}"), Table.of(*measures)]
    values = [] if certainty.bootstrap.reason else [Table.of(*certainty.values)]
    words = (certainty.verdict, certainty.plateau_text, certainty.bootstrap.reason, certainty.note)
    return [
        Picture(certainty_figure(certainty, _LIGHT), certainty.title),
        *(Words(text) for text in words if text),
        *values,
        Table.of(*measures),
    ]


def _costs(chosen: ThresholdChoice, threshold: float, settings: ReportSettings) -> list[Part]:
    scores = chosen.scores
    ratio, share = settings.miss_cost / settings.alarm_cost, settings.share_of(scores)
    analysis = CostSensitivity(scores, threshold, cheapest_thresholds(scores.table), ratio, share, chosen.goal)
    best = analysis.names[analysis.best]
    shows = f"The cheapest threshold by the cost of a miss and the prevalence; at the ring it is {best}"
    verdicts = (analysis.verdict, analysis.verdict_elsewhere, analysis.best_verdict)
    return [
        Picture(ratio_map_figure(analysis, _LIGHT), shows),
        Words("\n\n".join(filter(None, verdicts))),
        Words(f"The ring: a miss costs {ratio_text(ratio)}, and {share_text(share)} are positive."),
    ]


def _forecast(scores: Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    named, share = NamedCounts.at(scores, threshold), settings.share_of(scores)
    expected = forecast(named.counts, settings.new_cases, share)
    costs = settings.miss_cost, settings.alarm_cost
    coming = PeriodForecast(named, expected, settings.period, settings.alarm_minutes, *costs)
    numbers, ratio = coming.work | coming.worth, settings.miss_cost / settings.alarm_cost
    given = (
        f"Assumed: {count_text(settings.new_cases)} new cases per {settings.period}, {share_text(share)} of them "
        f"positive, {number_text(settings.alarm_minutes)} minutes per alarm, and a miss that costs {ratio_text(ratio)}."
    )
    return [
        Words(given),
        Table.of(*coming.table),
        Words(coming.note),
        Table("", heads=list(numbers), rows=[list(numbers.values())]),
        Words(f"{coming.verdict} {coming.work_note}"),
    ]


def _net_benefit(scores: Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    ratio = settings.miss_cost / settings.alarm_cost
    analysis = net_benefit_of(scores, threshold, ratio, settings.share_of(scores))
    shows = f"Net benefit against the risk threshold: {analysis.summary}"
    return [Picture(decision_figure(analysis, _LIGHT), shows), Words(analysis.verdict), Words(analysis.note)]


def _two_thresholds(scores: Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    costs = settings.miss_cost, settings.alarm_cost
    analysis = ReferralBand(scores, threshold, settings.second_threshold or math.nan, *costs)
    _, bands = analysis.curve(threshold_grid(scores.table))
    ends = " and ".join(scores.text(float(end)) for end in (analysis.band.low, analysis.band.high))
    return [
        Picture(zones_figure(analysis, _LIGHT), f"Scores between the thresholds {ends} go to a person"),
        Picture(risk_coverage_figure(analysis, bands, _LIGHT), "Error rate against the share that is decided"),
        Table.of(*analysis.zones),
        Table.of(*analysis.measures),
        Words(analysis.verdict),
    ]


def _groups(scores: Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    groups, measure = subgroups_of(scores, threshold, settings.intervals), METRICS["recall"]
    shows = f"{measure.name} of each group with its interval; filled: differs from the rest beyond chance"
    return [
        Picture(groups_figure(groups, measure, _LIGHT), shows),
        Table.of(*group_differences(groups, measure)),
        Words(" ".join(filter(None, [groups.difference_note(measure), groups.few_verdict(measure)]))),
        Table.of(*group_rates(groups)),
        Words(groups.note),
    ]


def slice_parts(table: ClassTable, name: str, level: float) -> list[Part]:
    """Whether the error rate is higher in some slice of the rows, and in which."""
    measure = METRICS[SLICE_MEASURES[0]]
    slices = Slices(table, name, measure, search_slices(table, name, measure, level), level)
    lines = "\n".join(f"- {line}" for line in slices.lines)
    return [Words(text) for text in (slices.verdict, lines, slices.note) if text]
