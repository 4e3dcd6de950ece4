"""Calibration: whether the probabilities can be believed, from reliability, losses and the base rates together."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evalcore.analyses.data import ProbabilitySource, Scores, bounds_note, check, literal, script
from evalcore.analyses.data.measure_table import as_columns, latex_sum
from evalcore.analyses.probabilities.losses import NO_ROWS, Losses, Reliability, base_rate_divergences, loss_measures
from evalcore.classification import BrierParts, brier_parts
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, MetricDef
from evalcore.wording import Cell, latex, measure_markdown, plain
from evalcore.wording.numbers import count_text, latex_term, level_text, loss_text, number_text, range_text, share_text

__all__ = ["Calibration", "MeasuredLoss", "calibration_formulas"]

_PARTS = ("uncertainty", "resolution", "reliability")
TIGHT = "\u00a0"  # a blank where no line may break
_RESIDUE = 1e-9


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
    """Reliability and losses of the same probabilities."""

    reliability: Reliability
    losses: Losses

    @property
    def probabilities(self) -> ProbabilitySource:
        """The probabilities."""
        return self.reliability.probabilities

    @cached_property
    def parts(self) -> BrierParts:
        """Components of the Brier score, summed over the classes if there are several."""
        table, binning = self.probabilities.table, self.reliability.binning
        events = map(table.event, [1] if self.probabilities.binary else range(len(table.classes)))
        first, *others = [brier_parts(event, binning.edges_of(event)) for event in events]
        return sum(others, first)

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
        """Calibration error against chance, and Brier skill over the base rate, in Markdown."""
        reliability, skill = self.reliability, self.losses.value("brier_skill")
        event, off = reliability.event.probability, f"off by {number_text(reliability.error)} on average"
        if math.isnan(reliability.error):
            return NO_ROWS
        is_within_chance = reliability.error <= reliability.chance.expected_high
        mean, observed = share_text(reliability.mean_probability), share_text(reliability.observed)
        direction = "" if is_within_chance or not self.probabilities.binary else reliability.direction
        side = "" if is_within_chance or direction else reliability.confidence
        of, right = "probability of the most probable class", "correct in"
        if self.probabilities.binary:
            of, right = f"predicted probability of {plain(self.probabilities.table.classes[1], 40)}", "observed"
        told = f"Mean {of}: {mean}; {right} {observed}"
        if len(event) and np.ptp(event) == 0:
            found = "Every row has the same probability; nothing tells them apart"
        elif skill < -_RESIDUE:
            found = f"Worse than always predicting the base rate: {off}"
        elif is_within_chance:
            found = f"No miscalibration beyond chance: {off}"
        elif direction:
            found = f"Predictions are too {direction}: {mean} on average, {observed} observed"
            told = f"{of[0].upper()}{of[1:]}: {off}"
        else:
            found = f"{f'{side}confident' if side else 'Not calibrated'}: {off}"
        parts = [f"**{found}.** {told}."]
        if side:
            parts.append(f"Observed rates are {'less' if side == 'Over' else 'more'} extreme than predicted.")
        if math.isnan(skill):
            parts.append("All rows have one class, so there is no base rate to beat.")
        elif abs(skill) <= _RESIDUE:
            parts.append("The Brier score equals that of always predicting the base rate.")
        elif skill > 0:
            parts.append(f"{share_text(skill)} better than predicting the base rate, by the Brier score.")
        return " ".join(parts)

    @property
    def by_chance(self) -> str:
        """Limits that the errors of a perfectly calibrated model stay below in most samples, as a sentence."""
        lines = [line for line in self.measures if not math.isnan(line.chance_high)]
        limits = " and ".join(f"{number_text(line.chance_high)} ({line.measure.symbol})" for line in lines)
        level = level_text(self.losses.settings.level)
        return limits and f"A perfectly calibrated model would stay below {limits} in {level} of samples."

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
        """The measures as rows of a table: name and note, value, and interval."""
        rows = []
        for line in self.measures:
            between = "" if math.isnan(line.low) else range_text(number_text(line.low), number_text(line.high))
            known = not math.isnan(line.value)
            name = Cell(line.measure.name, below=line.note, measure=line.measure.key)
            rows.append([name, Cell(loss_text(line.value), strong=known, kind="" if known else "undefined"), between])
        return rows

    @property
    def main_rows(self) -> list[list[Cell | str]]:
        """Rows of the measures that have an interval, without notes."""
        kept = [row for line, row in zip(self.measures, self.rows, strict=True) if line.measure.interval]
        return [[replace(name, below="") if isinstance(name, Cell) else name, *rest] for name, *rest in kept]

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
            named = {"Entropy H(p)": large.entropy_p, "Cross-entropy H(p, q)": large.cross_pq}
            named |= {"Divergence KL(p‖q)": large.kl_pq, "Divergence KL(q‖p)": large.kl_qp}
            lines += [(name, note, value) for name, value in named.items()]
        titles = ("measure", "how", "value", "low", "high", "by chance", "by chance, high")
        columns = as_columns(titles, ([*line, *[math.nan] * (len(titles) - len(line))] for line in lines))
        return columns | {"n": [self.probabilities.table.total] * len(lines)}

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
        divergences, large = "", base_rate_divergences(self.probabilities, settings.base)
        if large is not None:
            divergences = "mean = [table.mean(column) for column in table.probabilities.T]\n"
            divergences += "large = divergences(table.base_rates, mean, base, normalised=True)\n"
            divergences += check(f"[{', '.join(f'large.{name}' for name in vars(large))}]", list(vars(large).values()))
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
            divergences,
            "worst = worst_rows(table, 20, base, clip)",
            "print(worst.rows, worst.losses, worst.shares)",
        )


_MOST_TERMS = 4  # terms of a sum that are written out
_WORDS = {
    "log_loss_over_classes": "y is 1 for the actual class of the row and 0 for the others. With two classes it is "
    "twice the log-loss.",
    "half_brier_score": "Half of the sum over both classes: the mean squared error of the probability.",
    "brier_score": "Added up over all classes, from 0 to 2.",
    "maximum_calibration_error": "The bin that is farthest off, however few rows it holds.",
}


def calibration_formulas(calibration: Calibration) -> list[tuple[str, str, str]]:
    """Name, formula with its numbers and explanation of each measure on the page, in LaTeX and Markdown."""
    written = {"log_loss": _log_loss, "brier_skill": _skill, "expected_calibration_error": _expected}
    lines = []
    for measure, _, value, *_ in calibration.measures:
        numbers, words = "", _WORDS.get(measure.key, measure.reading)
        if measure.key in written:
            numbers, words = written[measure.key](calibration)
        logarithm = r"\log_2" if calibration.losses.settings.base == 2 else r"\ln"
        shown = (measure.formula.replace(r"\ln", logarithm), numbers, latex(loss_text(value)))
        formula = " = ".join(filter(None, shown))
        lines.append((measure_markdown(measure), rf"$\displaystyle {formula}$", words))
        if measure.group in (TWO_CLASSES, SEVERAL_CLASSES):
            lines.append(_decomposition(calibration))
    return lines


def _log_loss(calibration: Calibration) -> tuple[str, str]:
    table, settings = calibration.probabilities.table, calibration.losses.settings
    logarithm = r"\log_2" if settings.base == 2 else r"\ln"
    own = [min(max(q, settings.clip), 1 - settings.clip) for q in table.of_actual[:_MOST_TERMS].tolist()]
    shown = [rf"{logarithm} {latex_term(q)}" for q in own]
    if table.weights is not None:
        first = table.weights[:_MOST_TERMS].tolist()
        shown = [rf"{latex_term(weight)} \cdot {term}" for weight, term in zip(first, shown, strict=True)]
    terms = latex_sum(shown, len(table.of_actual) > _MOST_TERMS)
    clipped = f", kept between δ = {settings.clip:g} and 1 − δ" if settings.clip else ""
    weighted = "" if table.weights is None else " Each row counts by its weight."
    words = f"q is the probability given to the actual class of the row{clipped}. "
    words += f"The first terms are those of the first rows.{weighted}"
    return rf"-\frac{{1}}{{{latex(count_text(table.total))}}} \left[ {terms} \right]", words


def _decomposition(calibration: Calibration) -> tuple[str, str, str]:
    parts = calibration.parts
    terms = parts.uncertainty, parts.resolution, parts.reliability, parts.within_variance, parts.within_covariance
    formula = "{} - {} + {} + {} - {}".format(*map(latex_term, terms))
    words = "Uncertainty − resolution + reliability + variance within the bins − covariance within the bins, over "
    words += f"{calibration.reliability.binning.words}."
    return "**Brier score decomposition**", rf"$\displaystyle {formula} = {latex(number_text(parts.score))}$", words


def _skill(calibration: Calibration) -> tuple[str, str]:
    words = "The score relative to that of always stating the base rate, which is the uncertainty."
    if math.isnan(calibration.losses.value("brier_skill")):
        return "", words
    score, uncertainty = calibration.parts.score, calibration.parts.uncertainty
    return rf"1 - \frac{{{latex_term(score)}}}{{{latex_term(uncertainty)}}}", words


def _expected(calibration: Calibration) -> tuple[str, str]:
    bins = calibration.reliability.bins
    n, columns = latex(count_text(float(bins.n.sum()))), (bins.n, bins.mean_probability, bins.observed)
    terms = [
        rf"\frac{{{latex(count_text(rows))}}}{{{n}}} \left| {latex_term(predicted)} - {latex_term(observed)} \right|"
        for rows, predicted, observed in zip(*(column[:_MOST_TERMS].tolist() for column in columns), strict=True)
    ]
    words = f"One term for each bin with rows, {calibration.reliability.binning.words}."
    return latex_sum(terms, len(bins.n) > _MOST_TERMS), words
