"""Chapter of a report about probabilities: whether they can be believed, and what recalibration makes of them."""

from dataclasses import replace

from evalcore.analyses import (
    Calibration,
    Losses,
    ProbabilitySource,
    RecalibrationEffect,
    Reliability,
    Source,
    base_rates_text,
    brier_parts_text,
    class_losses_table,
)
from evalcore.figures import brier_figure, ink, mapping_figure, reliability_figure
from evalcore.inference import isotonic, recalibrated_table
from evalcore.reports.parts import Chapter, Part, Picture, Table, Words, sections
from evalcore.reports.settings import ReportSettings
from evalcore.wording import count_text, level_text

_LIGHT = ink(dark=False)
_CURVES = 12
"""Classes whose curves are drawn."""


def probabilities_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether probabilities can be believed: the reliability diagram, the losses, the Brier score in parts."""
    probabilities = ProbabilitySource.of(source, settings.scaling, settings.normalise)
    name = settings.of_class
    if name is not None and name in probabilities.table.classes and not probabilities.binary:
        probabilities = probabilities.one_class(name)
    reliability = Reliability.of(probabilities, settings.binning, settings.intervals.level)
    losses = Losses.of(probabilities.table, replace(settings.losses, level=settings.intervals.level))
    calibration = Calibration.of(reliability, losses)
    shows = f"Reliability diagram, {reliability.binning.words}"
    level = level_text(settings.intervals.level)
    heads = [f"of {count_text(probabilities.table.total)} rows", "value", f"{level} interval"]
    event = reliability.event
    curve = isotonic(event.probability, event.happened, event.weights) if settings.unbinned else None
    parts = [
        Picture(reliability_figure({"as predicted": reliability}, _LIGHT, curve), shows),
        Picture(brier_figure(calibration.parts, _LIGHT), "The Brier score as a sum of its parts"),
        Table("Losses and calibration", heads=heads, rows=calibration.rows),
        Table("Bins", dict(reliability.table)),
        Words(" ".join(filter(None, [probabilities.notes, calibration.certain]))),
        *sections({
            "Brier score in parts": lambda: [Words(brier_parts_text(calibration.parts))],
            "Each class": lambda: _class_losses(calibration),
            "Recalibrate": lambda: _recalibration(calibration, level),
        }),
    ]  # fmt: skip
    return Chapter("Probabilities", "Can I believe the probabilities?", calibration.verdict, parts)


def _class_losses(calibration: Calibration) -> list[Part]:
    whole, losses = calibration.probabilities.whole, calibration.losses
    binning = calibration.reliability.binning
    table = class_losses_table(whole, losses.settings, binning)
    return [Table("", dict(table)), Words(base_rates_text(calibration.probabilities, losses.settings))]


def _recalibration(calibration: Calibration, level: str) -> list[Part]:
    """Both curves that the page offers would be two answers: Platt scaling is the one that it shows first."""
    probabilities = calibration.probabilities
    if probabilities.scaled:
        return []
    folds = 5
    fitted = recalibrated_table(probabilities.table, "platt", folds, calibration.losses.settings.seed)
    effect = RecalibrationEffect.of(calibration, fitted)
    both = {"as predicted": effect.before.reliability, "recalibrated": effect.after.reliability}
    return [
        Picture(reliability_figure(both, _LIGHT), "Reliability before and after Platt scaling"),
        Picture(
            mapping_figure(effect.curves[:_CURVES], (0.0, 1.0), _LIGHT, "predicted probability"),
            "What each probability becomes by the curve that is fitted on all rows",
        ),
        Table.of(["", "before", "after", "change", f"{level} interval"], effect.rows),
        Words(effect.verdict),
        Words(effect.notes(folds)),
    ]
