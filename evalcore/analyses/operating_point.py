"""The operating point: where a threshold lies on each curve of the scores, and what holds there."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.analyses.score_table import WHOLE_CURVE, CurveRanges
from evalcore.analyses.scores import Scores
from evalcore.analyses.script import check, literal, script
from evalcore.classification import (
    ConfusionCounts,
    ThresholdTable,
    fall_out,
    lift,
    miss_rate,
    precision,
    precision_recall_gain_area,
    precision_recall_gain_curve,
    predicted_prevalence,
    probit,
    recall,
)
from evalcore.inference import AREA_METHODS, Interval
from evalcore.registry import METRICS, measures_of
from evalcore.wording import count_text, number_text, outcome_word, share_text, threshold_text

__all__ = ["OperatingPoint", "dragged_range", "picked_point"]

CELLS = ("tp", "fn", "fp", "tn")


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A threshold of some scores."""

    scores: Scores
    threshold: float

    @property
    def counts(self) -> ConfusionCounts:
        """The four outcomes."""
        return self.scores.counts_at(self.threshold)

    @property
    def coordinates(self) -> dict[str, tuple[float, float]]:
        """x and y on each curve, by the name of the curve; nan where it lies nowhere on it.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> coordinates = OperatingPoint(Scores.of(Source.of(read_sample("roc_20")), "score"), 0.54).coordinates
        >>> coordinates["roc"], coordinates["gain"]
        ((0.1, 0.5), (0.3, 0.5))
        """
        # Three rows of the table: nothing positive, the threshold, everything positive.
        whole = self.scores.table
        rows = np.unique([0, whole.index(self.threshold), len(whole) - 1])
        table = ThresholdTable(whole.thresholds[rows], whole.counts[rows])
        row, counts = table.index(self.threshold), self.counts
        curve = precision_recall_gain_curve(table)
        # Its points are the last rows of the table; a threshold before them lies left of the curve.
        index = row - (len(table) - len(curve.recall_gain))
        on_curve = index >= 0 and not math.isnan(float(curve.thresholds[index]))
        coordinates = {
            "roc": (fall_out(counts), recall(counts)),
            "pr": (recall(counts), precision(counts)),
            "gain": (predicted_prevalence(counts), recall(counts)),
            "lift": (predicted_prevalence(counts), lift(counts)),
            "det": tuple(probit([fall_out(counts), miss_rate(counts)])),
            "pr-gain": (curve.recall_gain[index], curve.precision_gain[index]) if on_curve else (math.nan, math.nan),
        }
        return {name: (float(x), float(y)) for name, (x, y) in coordinates.items()}

    @property
    def lines(self) -> dict[str, tuple[float, float, float, float]]:
        """x and y of both ends of a line, by the name of the curve, where the threshold is no point of it."""
        cost = 0.0, float(fall_out(self.counts)), 1.0, float(miss_rate(self.counts))
        return {"ks": (self.threshold, 0.0, self.threshold, 1.0), "cost": cost}

    @property
    def verdict(self) -> str:
        """Outcomes and rates, in Markdown."""
        cells = {cell: float(getattr(self.counts, cell)) for cell in CELLS}
        outcomes = ", ".join(f"{count_text(count)} {outcome_word(cell, count)}" for cell, count in cells.items())
        recalled, alarms, pure = (share_text(float(rate(self.counts))) for rate in (recall, fall_out, precision))
        return (
            f"At a threshold of **{threshold_text(self.threshold)}**: {outcomes} · recall **{recalled}**, "
            f"false positive rate **{alarms}**, precision **{pure}**"
        )

    def text(self, curve: str) -> str:
        """What holds at the threshold, or of the whole curve, beside its picture; in Markdown."""
        at = f"A threshold of {threshold_text(self.threshold)}"
        if curve == "pr-gain":
            area = number_text(float(precision_recall_gain_area(self.scores.scored)))
            return f"Area under the curve: **{area}**."
        if curve == "cost":
            return f"{at} calls {share_text(float(predicted_prevalence(self.counts)))} of the rows positive."
        if curve not in ("gain", "lift"):
            return ""
        (share, gain), (_, lift) = self.coordinates["gain"], self.coordinates["lift"]
        return (
            f"{at} picks **{share_text(share)}** of the rows, with **{share_text(gain)}** of the positives: "
            f"**{number_text(lift)}** times as many as by chance."
        )

    def code(
        self, values: Mapping[str, Interval], ranges: CurveRanges = WHOLE_CURVE, area_method: str = "logit"
    ) -> str:
        """A script that asserts the measures of the scores and the counts at the threshold, and makes the curves.

        The values are measures of the scores, and partial areas over the ranges, by label: those of a `ScoreLine` made
        with the same area method.
        """
        area = values[METRICS["roc_auc"].label]
        estimates = {measure.key: float(values[measure.label].estimate) for measure in measures_of("scores")}
        areas = [
            check(f"{area.key}(scored, {low!r}, {high!r}{option})", float(values[area.label + word].estimate))
            for area, (low, high) in zip(ranges.areas, ranges.chosen.values(), strict=True)
            for word, option in (("", ""), (" corrected", ", corrected=True"))
        ]
        cells = [float(getattr(self.counts, cell)) for cell in CELLS]
        return script(
            self.scores.code,
            f"expected = {literal(estimates)}",
            "for name, value in expected.items():",
            "    np.testing.assert_allclose(METRICS[name](scored), value, rtol=1e-9, atol=1e-12, err_msg=name)",
            *areas,
            f"area = IntervalChoice(area={area_method!r}).of_area(scored)  # {AREA_METHODS[area_method]}",
            check("[area.low, area.high]", [float(area.low), float(area.high)]),
            'print("AUC", area.estimate, "95 % interval", area.low, area.high)',
            "roc = roc_curve(scored.table())  # .fpr, .tpr, .thresholds",
            "precision_recall = precision_recall_curve(scored.table())  # .recall, .precision, .interpolated",
            f"counts = scored.counts_at({literal(self.threshold)})  # positive: scores {self.scores.rule} threshold",
            check(f"[{', '.join(f'counts.{cell}' for cell in CELLS)}]", cells),
            "print(counts)",
        )


def picked_point(sent: Any) -> tuple[float, int] | None:
    """Threshold and system of a point that was clicked; None where a browser sent anything else.

    >>> picked_point({"threshold": 0.5, "system": 1}), picked_point({"threshold": "x"})
    ((0.5, 1), None)
    """
    with suppress(TypeError, KeyError, ValueError, OverflowError):
        threshold, index = float(sent["threshold"]), int(sent["system"])
        return (threshold, index) if math.isfinite(threshold) else None


def dragged_range(sent: Any) -> tuple[str, float, float] | None:
    """Field of `CurveRanges` with both ends of a range that was dragged; None where a browser sent anything else."""
    with suppress(TypeError, KeyError, ValueError, OverflowError):
        axis, low, high = {"x": "fpr", "y": "tpr"}[sent["along"]], float(sent["low"]), float(sent["high"])
        return (axis, low, high) if 0 <= low < high <= 1 else None
