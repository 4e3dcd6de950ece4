"""Chapters of a report about scores: the threshold view, and the curves."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from evalcore import analyses, figures
from evalcore.classification import Goal, cheapest_thresholds, cost_goal, threshold_grid, youden_goal
from evalcore.figures import threshold_view
from evalcore.inference import IntervalChoice, forecast, isotonic, recalibrated_table
from evalcore.registry import METRICS
from evalcore.reports.parts import Chapter, Makers, Markup, Part, Picture, Table, Words, code, paragraphs, two_by_two
from evalcore.reports.settings import ReportSettings
from evalcore.wording.escaping import one_line, plain, plotly_text
from evalcore.wording.numbers import count_text, level_text, number_text, ratio_text, share_text

_LIGHT = figures.ink(dark=False)
_CURVES = 12  # classes whose curves are drawn


def decision_parts(
    scores: analyses.Scores, threshold: float, settings: ReportSettings,
    certainty: Callable[[], analyses.ChoiceCertainty],
) -> Makers:  # fmt: skip
    """Functions that build the parts of a decision, by their titles on the page."""
    at = scores, threshold, settings
    parts: Makers = {
        "How sure": lambda: _how_sure(threshold, certainty()),
        "Costs": lambda: _costs(certainty().chosen, threshold, settings),
        "What to expect in use": lambda: _forecast(*at),
        "Net benefit": lambda: _net_benefit(*at),
    }
    if settings.chosen and (why := analyses.needs_one_cost(settings.chosen.goal)):
        parts |= dict.fromkeys(("Costs", "Net benefit"), lambda: [Words(why)])
    if settings.second_threshold not in (None, threshold):
        parts["Two thresholds"] = lambda: _two_thresholds(*at)
    if scores.current.roles.get("group") is not None:
        parts["Groups"] = lambda: _groups(*at)
    if analyses.searched_columns(scores.current)[0]:
        table = analyses.ClassTable.of_scores(scores, threshold)
        parts["Slices"] = lambda: slice_parts(table, scores.positive, settings.intervals.level)
    return parts


def _how_sure(threshold: float, certainty: analyses.ChoiceCertainty) -> list[Part]:
    scores = certainty.chosen.scores
    measures = analyses.band_table(scores, threshold, analyses.bands_at(scores, threshold, certainty.plan))
    if not certainty.is_defined:
        return [Words(f"{certainty.bootstrap.reason} {certainty.note}"), Table.of(*measures)]
    values = [] if certainty.bootstrap.reason else [Table.of(*certainty.values)]
    words = (certainty.verdict, certainty.plateau_text, certainty.bootstrap.reason, certainty.note)
    picture = Picture(figures.certainty_figure(certainty, _LIGHT), certainty.title)
    return [picture, *paragraphs(*words), *values, Table.of(*measures)]


def _costs(chosen: analyses.ThresholdChoice, threshold: float, settings: ReportSettings) -> list[Part]:
    scores = chosen.scores
    ratio, share = settings.miss_cost / settings.alarm_cost, settings.share_of(scores)
    analysis = analyses.CostSensitivity(scores, threshold, cheapest_thresholds(scores.table), ratio, share, chosen.goal)
    best = analysis.names[analysis.best]
    shows = f"The cheapest threshold by the cost of a miss and the prevalence; at the ring it is {best}"
    verdicts = "\n\n".join(filter(None, (analysis.verdict, analysis.verdict_elsewhere, analysis.best_verdict)))
    ring = f"The ring: a miss costs {ratio_text(ratio)}, and {share_text(share)} are positive."
    return [Picture(figures.ratio_map_figure(analysis, _LIGHT), shows), Words(verdicts), Words(ring)]


def _forecast(scores: analyses.Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    named, share = analyses.NamedCounts.at(scores, threshold), settings.share_of(scores)
    expected = forecast(named.counts, settings.new_cases, share)
    costs, goal = (settings.miss_cost, settings.alarm_cost), settings.chosen and settings.chosen.goal
    amounts = analyses.AmountsInUse(scores, goal, share) if goal and goal.priced else None
    each = amounts and amounts.cost(threshold)
    coming = analyses.PeriodForecast(named, expected, settings.period, settings.alarm_minutes, *costs, each)
    numbers, ratio = coming.work | coming.worth, settings.miss_cost / settings.alarm_cost
    price = analyses.prices_text(goal) if goal and amounts else f"a miss that costs {ratio_text(ratio)}"
    given = (
        f"Assumed: {count_text(settings.new_cases)} new cases per {settings.period}, {share_text(share)} of them "
        f"positive, {number_text(settings.alarm_minutes)} minutes per alarm, and {price}."
    )
    table = Table.of(list(numbers), [list(numbers.values())])
    words = Words(f"{coming.verdict} {coming.work_note}")
    return [Words(given), Table.of(*coming.table), Words(coming.note), table, words]


def _net_benefit(scores: analyses.Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    ratio = settings.miss_cost / settings.alarm_cost
    analysis = analyses.net_benefit_of(scores, threshold, ratio, settings.share_of(scores))
    shows = f"Net benefit against the risk threshold: {analysis.summary}"
    return [Picture(figures.decision_figure(analysis, _LIGHT), shows), Words(analysis.verdict), Words(analysis.note)]


def _two_thresholds(scores: analyses.Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    costs = settings.miss_cost, settings.alarm_cost
    analysis = analyses.ReferralBand(scores, threshold, settings.second_threshold or math.nan, *costs)
    _, bands = analysis.curve(threshold_grid(scores.table))
    ends = " and ".join(scores.text(float(end)) for end in (analysis.band.low, analysis.band.high))
    zones = Picture(figures.zones_figure(analysis, _LIGHT), f"Scores between the thresholds {ends} go to a person")
    coverage = figures.risk_coverage_figure(analysis, bands, _LIGHT)
    pictures = [zones, Picture(coverage, "Error rate against the share that is decided")]
    verdict = (settings.chosen and analyses.needs_one_cost(settings.chosen.goal)) or analysis.verdict
    return [*pictures, Table.of(*analysis.zones), Table.of(*analysis.measures), Words(verdict)]


def _groups(scores: analyses.Scores, threshold: float, settings: ReportSettings) -> list[Part]:
    groups, measure = analyses.subgroups_of(scores, threshold, settings.intervals), METRICS["recall"]
    shows = f"{measure.name} of each group with its interval; filled: differs from the rest beyond chance"
    picture = Picture(figures.groups_figure(groups, measure, _LIGHT), shows)
    differences = Table.of(*analyses.group_differences(groups, measure))
    rates = Table.of(*analyses.group_rates(groups))
    note = Words(" ".join(filter(None, [groups.difference_note(measure), groups.few_verdict(measure)])))
    return [*paragraphs(groups.verdict(measure)), picture, differences, note, rates, Words(groups.note)]


def slice_parts(table: analyses.ClassTable, name: str, level: float) -> list[Part]:
    """Slices of the rows with a higher error rate: verdict, list and note."""
    measure = METRICS[analyses.SLICE_MEASURES[0]]
    slices = analyses.Slices(table, name, measure, analyses.search_slices(table, name, measure, level), level)
    return paragraphs(slices.verdict, "\n".join(f"- {line}" for line in slices.lines), slices.note)


def threshold_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on the threshold: the threshold view, the choice for the goal, and the record of the decision."""
    return threshold_view_chapter(analyses.Scores.of(source), settings)


def threshold_view_chapter(scores: analyses.Scores, settings: ReportSettings) -> Chapter:
    """Chapter on the threshold, from sorted scores: the threshold view, the choice for the goal, and the record."""
    threshold = settings.threshold_of(scores)
    chosen = settings.chosen or analyses.best_threshold(scores, youden_goal())
    record = analyses.DecisionRecord(scores, threshold, settings.intervals, chosen)
    view = threshold_view.make_threshold_view(scores, threshold_view.Drawing(), settings.intervals, chosen.goal.priced)
    shaking = threshold_view.shaking_of(view, chosen, analyses.ResamplingPlan())
    if shaking is not None and len(shaking.text) > threshold_view.MOST_UNASKED:
        shaking = None
    certainty = cache(lambda: analyses.choice_certainty(chosen))
    counts, pins = scores.counts_at(threshold), analyses.pinned(scores, settings.pins)
    alone, curves = figures.System(one_line(scores.system, 28), 0, scores.table, chosen=True), []
    planes = ("roc", "ROC curve", figures.roc_figure), ("pr", "Precision–recall curve", figures.precision_recall_figure)
    for plane, name, figure in planes if scores.scored.positives else ():
        if scores.scored.negatives or plane == "pr":
            drawn = threshold_view.add_point(figure([alone], _LIGHT), plane, scores, threshold, _LIGHT)
            curves.append(Picture(drawn, f"{name} with the threshold as a ring"))
    words = f"Scores of both classes, cut at the threshold {scores.text(threshold)}"
    densities = threshold_view.densities_figure(scores, threshold, _LIGHT, pins)
    table = Markup(two_by_two(counts, scores.positive, scores.negative))
    static = [Picture(densities, words, wide=True), table, *curves]
    inside = "".join(part.html(f"static{index}") for index, part in enumerate(static))
    hands, held = threshold_view.hands_note(view, scores, "report")
    note = f"{hands} Everything outside this view keeps the threshold {scores.text(threshold)}. {held}"
    live = f'<div id="live"></div><p class="live small">{note}</p>'
    parts = [
        Markup(f'{live}<div class="static">{inside}</div>'),
        Words(plain(record.text, 4000), "The decision"),
        *_comparison(chosen, threshold, pins, settings.intervals.level),
        *(Words(kept.summary, "Saved decision") for kept in settings.kept),
        decision_parts(scores, threshold, settings, certainty),
        code("The record of the decision as JSON", record.json),
    ]

    def data() -> dict:
        alone = threshold_view.view_alone(scores, threshold, view, chosen, pins, shaking)
        return alone | _elsewhere(view, certainty(), pins, settings)

    verdict = f"**{analyses.OperatingPoint(scores, threshold).headline}** {chosen.verdict(threshold)}"
    return Chapter.of_page("classify/threshold", verdict, parts, data)


def _comparison(
    chosen: analyses.ThresholdChoice, threshold: float, pins: Sequence[analyses.Pinned], level: float
) -> list[Part]:
    """The first pin beside the next one, or beside the threshold where there is no other."""
    if not pins:
        return []
    second = pins[1] if len(pins) > 1 else analyses.Pin.of(threshold).at(chosen.scores)
    comparison = analyses.PinComparison(pins[0], second, level, chosen.goal)
    table = [Table.of(*comparison.table)] if comparison.table else []
    return [Words(comparison.verdict, "Pins"), *table, *paragraphs(comparison.note)]


def _elsewhere(
    view: threshold_view.ThresholdView,
    certainty: analyses.ChoiceCertainty,
    pins: Sequence[analyses.Pinned],
    settings: ReportSettings,
) -> dict:
    """What a view without a server shows beside other steps of the decision.

    That is the best threshold, as one of the stops where it is one, and where it falls in resamples; and the cheapest
    one with its costs, where they are those of the sample.
    """
    chosen, grid = certainty.chosen, view.grid
    best, shown = {"best": chosen}, {"sure": threshold_view.overlay(view, chosen, chosen.allowed, certainty, pins=pins)}
    if settings.prevalence is None:
        goal = cost_goal(fp_cost=settings.alarm_cost, fn_cost=settings.miss_cost)
        best["cheapest"] = cheapest = analyses.best_threshold(chosen.scores, goal)
        shown["cost"] = threshold_view.overlay(view, cheapest, cheapest.allowed, pins=pins)
    for name, one in best.items():
        if one.choice is not None:
            row = threshold_view.current_row(one.scores, one.choice.threshold, view, neighbours=False)
            shown[name] = row["stop"] if one.choice.threshold in grid.thresholds else row
    return shown


def live_view(
    scores: analyses.Scores, threshold: float
) -> tuple[dict, Callable[[Goal], tuple[dict, analyses.ThresholdChoice]]]:
    """Data of a threshold view without a server and no goal, and what each goal lays over it with its choice."""
    view = threshold_view.make_threshold_view(scores, threshold_view.Drawing(), IntervalChoice())

    def over(goal: Goal) -> tuple[dict, analyses.ThresholdChoice]:
        chosen = analyses.best_threshold(scores, goal)
        return threshold_view.overlay(view, chosen, chosen.allowed), chosen

    data = threshold_view.view_alone(scores, threshold, view, analyses.best_threshold(scores, youden_goal()))
    return data | {"over": {"allowed": None, "spread": None, "bands": {}, "goal": None, "promise": None}}, over


_OTHERS = {
    "Gain": figures.gain_figure, "Lift": figures.lift_figure, "DET": figures.det_figure, "Cost": figures.cost_figure
}  # fmt: skip


def curves_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on curves: those of all systems, and their areas."""
    scores, overlays = analyses.Scores.of(source), settings.overlays
    shown = [analyses.Scores.of(source, name) for name in analyses.curve_systems(source)]
    systems = figures.systems_of(shown, scores.system)
    threshold, state = settings.threshold_of(scores), scores.scored
    every = (analyses.Scores.of(source, name) for name in source.dataset.systems)
    lines = [analyses.ScoreLine.of(one, settings.intervals.area) for one in every]
    turned = next(one.values["AUC"].estimate < 0.5 for one in lines if one.name == analyses.curve_name(scores))
    corner = None if overlays.whole else analyses.Corner.of(shown)
    if corner is not None and not corner.holds(scores.counts_at(threshold)):
        corner = None
    parts: list[Part | Makers] = []
    for plane, name in (("roc", "ROC"), ("pr", "Precision–recall")):
        if state.positives and (state.negatives or plane == "pr"):
            band = figures.band_of(plane, scores, overlays)
            options = {"band": band, "inverted": turned, "corner": corner}
            figure = figures.overlaid_figure(plane, systems, scores, overlays, _LIGHT, **options)
            figure = threshold_view.add_point(figure, plane, scores, threshold, _LIGHT)
            parts.append(Picture(figure, f"{name} curves; the ring is the threshold"))
    table = analyses.ScoreTable(source, analyses.WHOLE_CURVE, lines)
    defined = len(parts) == 2
    verdict = analyses.OperatingPoint(scores, threshold).verdict if defined else analyses.no_curve_because(scores)
    certain = analyses.bounds_note(scores, "roc_auc", "average_precision")
    notes = " ".join(filter(None, [*overlays.notes, *analyses.curve_notes(scores), table.notes, certain]))
    parts += paragraphs(notes, *[one.best_threshold(scores, overlays.share)[1] for one in overlays.requirements])
    parts.append(Table(f"Each {source.scored_by or 'system'} as a whole", table.table))
    if defined:
        parts.append({"Other curves": lambda: _other_curves(scores, systems, threshold)})
    return Chapter.of_page("classify/curves", verdict, parts)


def _other_curves(scores: analyses.Scores, systems: list[figures.System], threshold: float) -> list[Part]:
    point = analyses.OperatingPoint(scores, threshold)
    names = plotly_text(scores.positive, 30), plotly_text(scores.negative, 30)
    figure = figures.ks_figure([one for one in systems if one.chosen], names, _LIGHT)
    ks = Picture(figure, "KS: both classes below each score")
    others = [Picture(figure(systems, _LIGHT), f"{name} curves") for name, figure in _OTHERS.items()]
    return [ks, *others, Words(" ".join(map(point.text, ("gain", "cost"))))]


def probabilities_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on probabilities: the reliability diagram, the losses, the components of the Brier score."""
    probabilities = analyses.ProbabilitySource.of(source, settings.scaling, settings.normalise)
    name = settings.of_class
    if name is not None and name in probabilities.table.classes and not probabilities.binary:
        probabilities = probabilities.one_class(name)
    choice = replace(settings.losses, level=settings.intervals.level)
    reliability = analyses.Reliability.of(probabilities, settings.binning, choice.level, choice.seed)
    losses = analyses.Losses.of(probabilities.table, choice)
    calibration = analyses.Calibration(reliability, losses)
    shows, level = f"Reliability diagram, {reliability.binning.words}", level_text(settings.intervals.level)
    heads = [f"of {count_text(probabilities.table.total)} rows", "value", f"{level} interval"]
    event = reliability.event
    curve = isotonic(event.probability, event.happened, event.weights) if settings.unbinned else None
    parts = [
        Picture(figures.reliability_figure({"as predicted": reliability}, _LIGHT, curve), shows),
        Picture(figures.brier_figure(calibration.parts, _LIGHT), "The Brier score as a sum of its parts"),
        Table("Losses and calibration", heads=heads, rows=calibration.rows),
        Table("Bins", dict(reliability.table)),
        Words(" ".join(filter(None, [probabilities.notes, calibration.by_chance, calibration.certain]))),
        {
            "Brier score in parts": lambda: [Words(analyses.brier_parts_text(calibration.parts))],
            "Each class": lambda: _class_losses(calibration),
            "Recalibrate": lambda: _recalibration(calibration, level),
        },
    ]  # fmt: skip
    return Chapter.of_page("classify/probabilities", calibration.verdict, parts)


def _class_losses(calibration: analyses.Calibration) -> list[Part]:
    whole, losses = calibration.probabilities.whole, calibration.losses
    table = analyses.class_losses_table(whole, losses.settings, calibration.reliability.binning)
    return [Table("", dict(table)), Words(analyses.base_rates_text(calibration.probabilities, losses.settings))]


def _recalibration(calibration: analyses.Calibration, level: str) -> list[Part]:
    """Recalibration by Platt scaling, the default of the page."""
    probabilities = calibration.probabilities
    if probabilities.scaled:
        return []
    folds = 5
    fitted = recalibrated_table(probabilities.table, "platt", folds, calibration.losses.settings.seed)
    effect = analyses.RecalibrationEffect.of(calibration, fitted)
    both = {"as predicted": effect.before.reliability, "recalibrated": effect.after.reliability}
    mapping = figures.mapping_figure(effect.curves[:_CURVES], (0.0, 1.0), _LIGHT, "predicted probability")
    pictures = [Picture(figures.reliability_figure(both, _LIGHT), "Reliability before and after Platt scaling")]
    pictures.append(Picture(mapping, "What each probability becomes by the curve that is fitted on all rows"))
    table = Table.of(["", "before", "after", "change", f"{level} interval"], effect.rows)
    return [*pictures, table, Words(effect.verdict), Words(effect.notes(folds))]
