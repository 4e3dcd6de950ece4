"""Chapters of a report about scores: the threshold with its cockpit, and the curves."""

import json

from evalcore.analyses import (
    WHOLE_CURVE,
    DecisionRecord,
    OperatingPoint,
    ScoreLine,
    Scores,
    ScoreTable,
    Source,
    ThresholdChoice,
    best_threshold,
    bounds_note,
    curve_name,
    curve_notes,
    curve_systems,
    no_curve_because,
    score_values,
)
from evalcore.classification import youden_goal
from evalcore.figures import (
    System,
    band_of,
    cost_figure,
    det_figure,
    gain_figure,
    ink,
    ks_figure,
    lift_figure,
    overlaid_figure,
    precision_recall_figure,
    roc_figure,
)
from evalcore.figures.cockpit import (
    Drawing,
    Sheet,
    add_point,
    cockpit_ink,
    current_row,
    densities_figure,
    make_sheet,
    overlay,
)
from evalcore.reports.of_decisions import decision_parts
from evalcore.reports.parts import Chapter, Code, Markup, Part, Picture, Table, Words, sections
from evalcore.reports.settings import ReportSettings
from evalcore.reports.two_by_two import two_by_two
from evalcore.wording import count_text, one_line, plain, plotly_text, short_names

_LIGHT = ink(dark=False)


def threshold_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Where to set the threshold: the cockpit, the choice for the goal, and the record of the decision."""
    return cockpit_chapter(settings.scores_of(source), settings)


def cockpit_chapter(scores: Scores, settings: ReportSettings) -> Chapter:
    """The same of scores that are sorted already."""
    threshold = settings.threshold_of(scores)
    chosen = settings.chosen or best_threshold(scores, youden_goal())
    record = DecisionRecord(scores, threshold, settings.intervals, chosen)
    sheet = make_sheet(scores, Drawing(), settings.intervals)
    counts = scores.counts_at(threshold)
    systems = [System(one_line(scores.system, 28), 0, scores.table, chosen=True)]
    planes = {"roc": roc_figure, "pr": precision_recall_figure}
    curves = [
        Picture(
            add_point(figure(systems, _LIGHT), plane, scores, threshold, _LIGHT), f"{name} with the threshold as a ring"
        )
        for (plane, figure), name in zip(planes.items(), ("ROC curve", "Precision–recall curve"), strict=True)
        if scores.scored.positives and (scores.scored.negatives or plane == "pr")
    ]
    words = f"Scores of both classes, cut at the threshold {scores.text(threshold)}"
    still = [
        Picture(densities_figure(scores, threshold, _LIGHT), words, wide=True),
        Markup(two_by_two(counts, scores.positive, scores.negative)),
        *curves,
    ]
    inside = "".join(part.html(f"still{index}") for index, part in enumerate(still))
    parts = [
        Markup(
            f'<div id="live"></div><p class="live small">{_note(sheet, scores, threshold)}</p>'
            f'<div class="still">{inside}</div>'
        ),
        Words(plain(record.text, 4000), "The decision"),
        *(Words(kept.summary, "Decision that was kept") for kept in settings.kept),
        *sections(decision_parts(scores, threshold, chosen, settings)),
        Code("The record of the decision as JSON", record.json),
    ]
    return Chapter(
        "Threshold", "Where should I set the threshold?", chosen.verdict(threshold), parts,
        data=_cockpit_data(scores, threshold, sheet, chosen),
    )  # fmt: skip


def _note(sheet: Sheet, scores: Scores, threshold: float) -> str:
    stops, all_of = len(sheet.grid), len(scores.table)
    words = (
        "Drag the line, a ring or a cell of the table; arrow keys move it by one step. Everything outside this view "
    )
    words += f"keeps the threshold {scores.text(threshold)}."
    if stops == all_of:
        return f"{words} The report holds all {count_text(stops)} thresholds."
    return (
        f"{words} The report holds {count_text(stops)} of {count_text(all_of)} thresholds, with exact counts at each."
    )


def _cockpit_data(scores: Scores, threshold: float, sheet: Sheet, chosen: ThresholdChoice) -> dict:
    """What the cockpit draws from without a server: keys go from stop to stop, and a number is all that is typed."""
    drawn = json.loads(sheet.text)
    drawn |= {
        "complete": True,
        "rows": [],
        "typed": "Type a number: the line goes to the nearest threshold of this report",
    }
    lines, turned = len(sheet.drawing.lines), scores.current.actual_in_rows
    return {
        "sheet": drawn,
        "over": overlay(sheet, chosen, chosen.allowed),
        "now": current_row(scores, threshold, sheet, neighbours=False),
        "inks": [cockpit_ink(ink(dark), lines, turned) for dark in (False, True)],
    }


_OTHERS = {"Gain": gain_figure, "Lift": lift_figure, "DET": det_figure, "Cost": cost_figure}


def curves_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """How good the scores are at every threshold: the curves of all systems, and their areas."""
    scores, overlays = settings.scores_of(source), settings.overlays
    shown = [Scores.of(source, name) for name in curve_systems(source)]
    short = short_names(map(curve_name, shown), 28)
    index = source.dataset.systems.index
    systems = [System(short[curve_name(s)], index(s.system), s.table, s.system == scores.system) for s in shown]
    threshold, state = settings.threshold_of(scores), scores.scored
    lines = [_line(one, settings) for one in (Scores.of(source, name) for name in source.dataset.systems)]
    turned = next(one.values["AUC"].estimate < 0.5 for one in lines if one.name == curve_name(scores))
    parts: list[Part] = []
    for plane, name in (("roc", "ROC"), ("pr", "Precision–recall")):
        if state.positives and (state.negatives or plane == "pr"):
            band = band_of(plane, scores, overlays)
            figure = overlaid_figure(plane, systems, scores, overlays, _LIGHT, band=band, inverted=turned)
            figure = add_point(figure, plane, scores, threshold, _LIGHT)
            parts.append(Picture(figure, f"{name} curves; the ring is the threshold"))
    table = ScoreTable(source, WHOLE_CURVE, lines)
    defined = len(parts) == 2
    verdict = OperatingPoint(scores, threshold).verdict if defined else no_curve_because(scores)
    certain = bounds_note(scores, "roc_auc", "average_precision")
    notes = " ".join(filter(None, [*overlays.notes, *curve_notes(scores), table.notes, certain]))
    met = [one.best_threshold(scores, overlays.share)[1] for one in overlays.requirements]
    parts += [Words(text) for text in (notes, *met) if text]
    parts.append(Table(f"Each {source.scored_by or 'system'} as a whole", table.table))
    if defined:
        parts += sections({"Other curves": lambda: _other_curves(scores, systems, threshold)})
    return Chapter("Curves", "How good are the scores at every threshold?", verdict, parts)


def _other_curves(scores: Scores, systems: list[System], threshold: float) -> list[Part]:
    point = OperatingPoint(scores, threshold)
    names = plotly_text(scores.positive, 30), plotly_text(scores.negative, 30)
    ks = Picture(ks_figure([one for one in systems if one.chosen], names, _LIGHT), "KS: both classes below each score")
    others = [Picture(figure(systems, _LIGHT), f"{name} curves") for name, figure in _OTHERS.items()]
    return [ks, *others, Words(" ".join(map(point.text, ("gain", "cost"))))]


def _line(scores: Scores, settings: ReportSettings) -> ScoreLine:
    state = scores.scored
    values = score_values(state, area_method=settings.intervals.area)
    return ScoreLine(curve_name(scores), values, state.positives + state.negatives, state.positives)
