"""The operating point: where a threshold lies on each curve of the scores, and what holds there."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evalcore.analyses.score_table import WHOLE_CURVE, CurveRanges
from evalcore.analyses.scores import Scores
from evalcore.analyses.script import check, literal, script
from evalcore.classification import (
    ConfusionCounts,
    ThresholdTable,
    cost_line,
    det_curve,
    fall_out,
    gain_curve,
    precision,
    precision_recall_gain_area,
    precision_recall_gain_curve,
    predicted_prevalence,
    recall,
)
from evalcore.inference import Interval
from evalcore.registry import measures_of
from evalcore.wording import count_text, number_text, outcome_word, share_text, threshold_text

__all__ = ["OperatingPoint"]

NOWHERE = (math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A threshold of some scores; x and y on a curve are nan where it lies nowhere on it.

    Parameters
    ----------
    scores : Scores
    threshold : float
    """

    scores: Scores
    threshold: float

    @property
    def counts(self) -> ConfusionCounts:
        """The four outcomes."""
        return self.scores.counts_at(self.threshold)

    @property
    def on_roc(self) -> tuple[float, float]:
        """False positive rate and recall.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> OperatingPoint(Scores.of(Source.of(read_sample("roc_20")), "score"), 0.54).on_roc
        (0.1, 0.5)
        """
        return float(fall_out(self.counts)), float(recall(self.counts))

    @property
    def on_precision_recall(self) -> tuple[float, float]:
        """Recall and precision."""
        return float(recall(self.counts)), float(precision(self.counts))

    @property
    def on_gain(self) -> tuple[float, float]:
        """Share of the rows picked and share of the positives found."""
        curve = gain_curve(self._table)
        return float(curve.share[self._row]), float(curve.gain[self._row])

    @property
    def on_lift(self) -> tuple[float, float]:
        """Share of the rows picked and lift."""
        curve = gain_curve(self._table)
        return float(curve.share[self._row]), float(curve.lift[self._row])

    @property
    def on_det(self) -> tuple[float, float]:
        """Normal deviates of the false positive rate and the miss rate."""
        curve = det_curve(self._table)
        return float(curve.fall_out_deviate[self._row]), float(curve.miss_rate_deviate[self._row])

    @property
    def on_precision_recall_gain(self) -> tuple[float, float]:
        """Recall gain and precision gain."""
        curve = precision_recall_gain_curve(self._table)
        # Its points are the last rows of the table; a threshold before them lies left of the curve.
        place = self._row - (len(self._table) - len(curve.recall_gain))
        if place < 0 or math.isnan(float(curve.thresholds[place])):
            return NOWHERE
        return float(curve.recall_gain[place]), float(curve.precision_gain[place])

    @property
    def cost_line(self) -> tuple[float, float, float, float]:
        """Both ends of its line in the plane of cost curves."""
        alarms, missed = cost_line(self.scores.table, self.threshold)
        return 0.0, alarms, 1.0, missed

    @property
    def verdict(self) -> str:
        """Outcomes and rates, in Markdown."""
        (alarms, found), (_, pure) = self.on_roc, self.on_precision_recall
        cells = {cell: float(getattr(self.counts, cell)) for cell in ("tp", "fn", "fp", "tn")}
        outcomes = ", ".join(f"{count_text(count)} {outcome_word(cell, count)}" for cell, count in cells.items())
        return (
            f"At a threshold of **{threshold_text(self.threshold)}**: {outcomes} · recall **{share_text(found)}**, "
            f"false positive rate **{share_text(alarms)}**, precision **{share_text(pure)}**"
        )

    @property
    def gain_text(self) -> str:
        """What the picked rows hold, in Markdown."""
        (share, found), (_, lift) = self.on_gain, self.on_lift
        return (
            f"A threshold of {threshold_text(self.threshold)} picks **{share_text(share)}** of the rows, with "
            f"**{share_text(found)}** of the positives: **{number_text(lift)}** times as many as by chance."
        )

    @property
    def picked_text(self) -> str:
        """The share of rows called positive."""
        share = share_text(float(predicted_prevalence(self.counts)))
        return f"A threshold of {threshold_text(self.threshold)} calls {share} of the rows positive."

    @property
    def gain_area_text(self) -> str:
        """The area under the precision–recall–gain curve, in Markdown."""
        return f"Area under the curve: **{number_text(float(precision_recall_gain_area(self.scores.scored)))}**."

    def code(self, values: Mapping[str, Interval], ranges: CurveRanges = WHOLE_CURVE) -> str:
        """A script that asserts the measures of the scores and the counts at the threshold, and makes the curves.

        Parameters
        ----------
        values : mapping of str to Interval
            Measures of the scores, and partial areas over the ranges, by label: those of a `ScoreLine`.
        ranges : CurveRanges
        """
        estimates = {measure.key: float(values[measure.label].estimate) for measure in measures_of("scores")}
        areas = [
            check(f"{area.key}(scored, {low!r}, {high!r}{option})", float(values[area.label + word].estimate))
            for area, (low, high) in zip(ranges.areas, ranges.chosen.values(), strict=True)
            for word, option in (("", ""), (" corrected", ", corrected=True"))
        ]
        cells = [float(getattr(self.counts, cell)) for cell in ("tp", "fp", "fn", "tn")]
        return script(
            self.scores.code,
            f"expected = {literal(estimates)}",
            "for name, value in expected.items():",
            "    np.testing.assert_allclose(METRICS[name](scored), value, rtol=1e-9, atol=1e-12, err_msg=name)",
            *areas,
            "area = delong(scored)",
            'print("AUC", area.estimate, "95 % interval", area.low, area.high)',
            "roc = roc_curve(scored.table())  # .fpr, .tpr, .thresholds",
            "precision_recall = precision_recall_curve(scored.table())  # .recall, .precision, .interpolated",
            f"counts = scored.counts_at({literal(self.threshold)})  # positive: scores {self.scores.rule} threshold",
            check("[counts.tp, counts.fp, counts.fn, counts.tn]", cells),
            "print(counts)",
        )

    @property
    def _table(self) -> ThresholdTable:
        """Three rows of the table: nothing positive, the threshold, everything positive."""
        table = self.scores.table
        rows = np.unique([0, table.index(self.threshold), len(table) - 1])
        return ThresholdTable(table.thresholds[rows], table.counts[rows])

    @property
    def _row(self) -> int:
        return self._table.index(self.threshold)
