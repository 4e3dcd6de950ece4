"""Calibration: whether the probabilities can be believed, from reliability, losses and the base rates together."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalcore.analyses.data.binned_scores import bounds_note
from evalcore.analyses.data.probabilities import ProbabilitySource
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.script import check, literal, script
from evalcore.analyses.probabilities.losses import (
    Losses,
    Reliability,
    base_rate_divergences,
    brier_parts_of,
    loss_measures,
)
from evalcore.classification import BrierParts, Divergences
from evalcore.registry import MetricDef
from evalcore.wording import Cell, level_text, loss_text, number_text, plain, range_text, share_text

__all__ = ["Calibration", "MeasuredLoss"]

_PARTS = ("uncertainty", "resolution", "reliability")

TIGHT = "\u00a0"
"""A blank where no line may break."""


class MeasuredLoss(NamedTuple):
    """Measure with its interval, or with its mean and upper limit under perfect calibration."""

    measure: MetricDef
    note: str
    value: float
    low: float = math.nan
    high: float = math.nan
    chance: float = math.nan
    chance_high: float = math.nan


@dataclass(frozen=True, eq=False)
class Calibration:
    """Reliability and losses of probabilities, from `Calibration.of`."""

    probabilities: ProbabilitySource
    reliability: Reliability
    losses: Losses
    parts: BrierParts

    @classmethod
    def of(cls, reliability: Reliability, losses: Losses) -> "Calibration":
        """Put reliability and losses together."""
        parts = brier_parts_of(reliability.probabilities, reliability.binning)
        return cls(reliability.probabilities, reliability, losses, parts)

    @property
    def certain(self) -> str:
        """Bounds of the Brier score and the calibration error from binned scores; empty if every score is known."""
        source, binning = self.probabilities.source, self.reliability.binning
        if source.scored_by != "system" or self.probabilities.scaled:
            return ""
        scores = Scores.of(source, str(source.system))
        return bounds_note(scores, "half_brier_score", edges=binning.edges_of(self.reliability.event))

    @property
    def verdict(self) -> str:
        """Verdict on calibration and on the Brier score against the base rate, in Markdown."""
        reliability = self.reliability
        error, chance, words = reliability.error, reliability.chance, reliability.binning.words
        of, right = "probability of the most probable class", "correct"
        if self.probabilities.binary:
            of, right = f"predicted probability of {plain(self.probabilities.table.classes[1], 40)}", "observed"
        mean, observed = share_text(reliability.mean_probability), share_text(reliability.observed)
        parts = [f"Mean {of} **{mean}**; {right} in **{observed}** of the rows."]
        if len(reliability.event.probability) and np.ptp(reliability.event.probability) == 0:
            parts.append("Every row has the same probability, so the rows are not told apart.")
        elif error <= chance.expected_high:
            parts.append(
                f"The calibration error in {words} is {number_text(error)}, no more than perfect calibration gives by "
                "chance."
            )
        else:
            parts.append(
                f"The calibration error in {words} is **{number_text(error)}**; perfect calibration would give about "
                f"{number_text(chance.expected)} by chance, below {number_text(chance.expected_high)} in "
                f"{level_text(self.losses.settings.level)} of samples.{reliability.confidence}"
            )
        return " ".join([*parts, self._skill])

    @property
    def _skill(self) -> str:
        """Brier score against that of the base rate, in Markdown."""
        skill = self.losses.value("brier_skill")
        if math.isnan(skill):
            return "All rows have one class, so there is no base rate to beat."
        if abs(skill) < 1e-9:
            return "The Brier score is that of a forecaster who always states the base rate."
        if skill > 0:
            return f"The Brier score is **{share_text(skill)}** lower than that of always stating the base rate."
        return "**Always stating the base rate would be better.**"

    @property
    def measures(self) -> list[MeasuredLoss]:
        """Every registered measure of probabilities."""
        losses, lines = self.losses, []
        for measure in loss_measures(len(self.probabilities.table.classes), losses.settings):
            if measure.interval == "chance":
                note = f"{measure.symbol}, {self.reliability.binning.words}"
                value, chance, high = self.reliability.errors[measure.key]
                lines.append(MeasuredLoss(measure, note, value, chance=chance, chance_high=high))
            else:
                note = measure.help.rstrip(".") + (f", {losses.settings.unit}" if "base" in measure.takes else "")
                lines.append(MeasuredLoss(measure, note, *map(float, losses.intervals[measure.key].ends)))
        return lines

    @property
    def rows(self) -> list[list[Cell | str]]:
        """The measures as rows of a table: name and note, value, and the interval or the limit by chance."""
        rows = []
        for line in self.measures:
            between = "" if math.isnan(line.low) else range_text(number_text(line.low), number_text(line.high))
            if not math.isnan(line.chance_high):
                between = f"chance ≤ {number_text(line.chance_high)}"
            known = not math.isnan(line.value)
            name = Cell(line.measure.name, below=line.note, measure=line.measure.key)
            value = Cell(loss_text(line.value), strong=known, kind="" if known else "undefined")
            rows.append([name, value, between.replace(" ", TIGHT)])
        return rows

    @property
    def table(self) -> dict[str, list]:
        """The measures, the parts of the Brier score and the divergences as columns, unrounded."""
        losses, binning, parts = self.losses, self.reliability.binning.words, self.parts
        lines: list[tuple] = [(line.measure.name, *line[1:]) for line in self.measures]
        for part in (*_PARTS, "within_variance", "within_covariance"):
            lines.append((f"Brier score: {part.replace('_', ' ')}", binning, getattr(parts, part)))
        lines += [
            ("Mean probability", "", self.reliability.mean_probability),
            ("Observed share", "", self.reliability.observed),
            ("Rows clipped", f"at {losses.settings.clip:g}", losses.clipped),
        ]
        if large := base_rate_divergences(self.probabilities, losses.settings.base):
            note = f"base rates p, mean probabilities q, {losses.settings.unit}"
            lines += [
                ("Entropy H(p)", note, large.entropy_p),
                ("Cross-entropy H(p, q)", note, large.cross_pq),
                ("Divergence KL(p‖q)", note, large.kl_pq),
                ("Divergence KL(q‖p)", note, large.kl_qp),
            ]
        titles = ("measure", "how", "value", "low", "high", "by chance", "by chance, high")
        columns = zip(*([*line, *[math.nan] * (len(titles) - len(line))] for line in lines), strict=True)
        return dict(zip(titles, map(list, columns), strict=True)) | {"n": [self.probabilities.table.total] * len(lines)}

    @property
    def code(self) -> str:
        """A script that reads the probabilities and asserts losses, calibration errors, parts and divergences."""
        settings, reliability, binary = self.losses.settings, self.reliability, self.probabilities.binary
        expected = {line.measure.key: line.value for line in self.measures if line.measure.interval != "chance"}
        brier = "parts = brier_parts(event, edges)"
        if not binary:
            brier = (
                "events = [table.event(index) for index in range(len(table.classes))]\n"
                f"parts = [brier_parts(event, {reliability.binning.code}) for event in events]\n"
                "parts = sum(parts[1:], parts[0])"
            )
        return script(
            self.probabilities.code,
            f"base, clip = {'2' if settings.base == 2 else 'math.e'}, {settings.clip!r}  "
            "# of the logarithm; probabilities are kept between clip and 1 - clip",
            'measures = {measure.key: measure for measure in measures_of("probabilities", base=base, clip=clip)}',
            f"expected = {literal(expected)}",
            "for key, value in expected.items():",
            "    np.testing.assert_allclose(measures[key](table), value, rtol=1e-9, atol=1e-12)",
            f"event = asked(table)  # {'the positive class' if binary else 'is the most probable class right?'}",
            f"edges = {reliability.binning.code}",
            "bins = reliability_bins(event, edges)  # .mean_probability, .observed, .n",
            check("calibration_error(bins)", reliability.error),
            check("bins.largest_gap", reliability.bins.largest_gap),
            brier,
            check(f"[{', '.join(f'parts.{name}' for name in _PARTS)}]", [getattr(self.parts, name) for name in _PARTS]),
            _divergences_code(base_rate_divergences(self.probabilities, settings.base)),
            "worst = worst_rows(table, 20, base, clip)",
            "print(worst.rows, worst.losses, worst.shares)",
        )


def _divergences_code(large: Divergences | None) -> str:
    """Python that asserts the divergences; empty without rows."""
    if large is None:
        return ""
    return (
        "mean = [table.mean(column) for column in table.probabilities.T]\n"
        "large = divergences(table.base_rates, mean, base, normalised=True)\n"
    ) + check(f"[{', '.join(f'large.{name}' for name in vars(large))}]", list(vars(large).values()))
