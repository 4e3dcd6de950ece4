"""Calibration: whether the probabilities can be believed, and what they would be worth if they were corrected."""

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore import classification
from evalcore.analyses.data import ProbabilitySource, Scores, bounds_note, check, literal, script
from evalcore.analyses.data.measure_table import as_columns, latex_sum
from evalcore.analyses.probabilities.losses import NO_ROWS, Binning, Losses, LossSettings, Reliability, loss_measures
from evalcore.classification import BrierParts, brier_parts
from evalcore.inference import Interval, IsotonicCurve, PlattCurve, RecalibratedTable, Recalibration, compare_losses
from evalcore.inference.models import FARTHEST
from evalcore.readers import text_of
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, MetricDef
from evalcore.wording import UNDEFINED, Cell, count_text, latex, level_text, loss_text, measure_markdown, plain
from evalcore.wording.numbers import latex_term, number_text, points_text, range_text, rows_text, share_text, signed

__all__ = ["Calibration", "CalibrationMapping", "MeasuredLoss", "RecalibrationEffect", "base_rate_divergences"]
__all__ += ["base_rates_text", "brier_parts_text", "calibration_formulas", "class_losses_table"]

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
        event, off = reliability.event.probability, f"off by {points_text(reliability.error)} on average"
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


def brier_parts_text(parts: classification.BrierParts) -> str:
    """Explanation of the components of a Brier score, as a list in Markdown."""
    won = share_text(parts.resolution / parts.uncertainty) if parts.uncertainty > 0 else "nothing"
    within = number_text(parts.within_variance - parts.within_covariance)
    return (
        f"- **Uncertainty {number_text(parts.uncertainty)}**: the score of a forecaster who always states the base "
        "rate.\n"
        f"- **Resolution {number_text(parts.resolution)}**: how far observed rates differ from bin to bin; telling "
        f"rows apart removes {won} of the uncertainty.\n"
        f"- **Reliability {number_text(parts.reliability)}**: the cost of miscalibration, and the most that "
        "recalibration can save.\n"
        f"- **Within the bins {within}**: variation inside the bins."
    )


def class_losses_table(
    probabilities: ProbabilitySource, settings: LossSettings, binning: Binning
) -> Mapping[str, npt.ArrayLike]:
    """Unrounded losses per class as columns; for one class against the rest, those of all classes."""
    table = probabilities.whole.table
    losses = classification.class_losses(table, settings.base, settings.clip)
    events = [table.event(index) for index in range(len(table.classes))]
    bins = [classification.reliability_bins(event, binning.edges_of(event)) for event in events]
    return {
        "class": list(table.classes), "rows": losses.rows, "base rate": losses.base_rate,
        "mean probability": losses.mean_probability, "log-loss": losses.log_loss,
        "yes/no log-loss": losses.binary_log_loss, "Brier": losses.brier,
        "ECE": list(map(classification.calibration_error, bins)),
    }  # fmt: skip


def base_rate_divergences(probabilities: ProbabilitySource, base: float) -> classification.Divergences | None:
    """Divergences between base rates and mean probabilities; None without rows."""
    table = probabilities.table
    if not table.total:
        return None
    mean = np.average(table.probabilities, axis=0, weights=table.weights)
    return classification.divergences(table.base_rates, mean, base, normalised=True)


def base_rates_text(probabilities: ProbabilitySource, settings: LossSettings) -> str:
    """Predicted against observed frequency of each class, as a list in Markdown; empty without rows."""
    if (large := base_rate_divergences(probabilities.whole, settings.base)) is None:
        return ""
    never = ", because a class that occurs is never given any probability" if math.isinf(large.kl_pq) else ""
    back = ", because a class that never occurs is given some" if math.isinf(large.kl_qp) else ""
    return (
        f"**All rows together**: base rates p and mean probabilities q, in {settings.unit}\n"
        f"- **Entropy H(p) {loss_text(large.entropy_p)}**: the log-loss of always stating the base rates.\n"
        f"- **Cross-entropy H(p, q) {loss_text(large.cross_pq)}**: the log-loss of always stating the mean "
        f"probabilities{never}.\n"
        f"- **Divergence KL(p‖q) {loss_text(large.kl_pq)}**: their difference, the cost of predicting some classes too "
        f"often and others too rarely. In reverse, KL(q‖p) is {loss_text(large.kl_qp)}{back}."
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


Curve = PlattCurve | IsotonicCurve
_POINTS = 1001
_FEW_ROWS = 1000  # rows below which an isotonic curve mostly follows chance

# Sentences by the side of 0 on which the change lies: 0, 1 and -1.
_VERDICTS = (
    "On held-out rows the difference in log-loss could be due to chance.",
    "On held-out rows the log-loss is **higher** than before: leave the probabilities as they are.",
    "On held-out rows the log-loss is **lower** than before: recalibration is worth it.",
)
_ASIDES = (
    "The difference in the Brier score could be due to chance.",
    *(f"The Brier score, which counts a confident error less, is **{side}**." for side in ("higher", "lower")),
)


@dataclass(frozen=True, eq=False)
class RecalibrationEffect:
    """Calibration before and after recalibration, on the same rows."""

    before: Calibration
    after: Calibration
    fitted: RecalibratedTable  # each row is corrected by a curve that was fitted on the other folds
    change: dict[str, Interval]  # losses after minus before, by the key of the measure: below 0 is better

    @classmethod
    def of(cls, before: Calibration, fitted: RecalibratedTable) -> "RecalibrationEffect":
        """Compare the probabilities with their recalibrated ones."""
        settings, rows = before.losses.settings, before.probabilities.rows[fitted.rows]
        source = replace(before.probabilities, table=fitted.after, rows=rows, parent=None)
        reliability = Reliability.of(source, before.reliability.binning, settings.level, settings.seed)
        after = Calibration(reliability, Losses.of(source.table, settings))
        tables, options = (fitted.before, fitted.after), (settings.base, settings.clip, settings.level)
        return cls(before, after, fitted, compare_losses(*tables, *options, seed=settings.seed))

    @property
    def curves(self) -> list[tuple[str, Curve]]:
        """Recalibration curve of each class. Class names are unescaped text from a file."""
        return [(text_of(name), curve) for name, curve in self.fitted.curves.items()]

    @property
    def description(self) -> str:
        """Three probabilities and their values after recalibration by the first curve."""
        probabilities = np.array([0.1, 0.5, 0.9])
        pairs = zip(probabilities.tolist(), self.curves[0][1](probabilities).tolist(), strict=True)
        return ", ".join(f"{before:g} becomes {number_text(after)}" for before, after in pairs)

    @property
    def log_odds(self) -> str:
        """The one curve of Platt scaling as an equation; empty for others."""
        curve = self.curves[0][1]
        if len(self.curves) > 1 or not isinstance(curve, PlattCurve):
            return ""
        shift = f"{'−' if curve.intercept < 0 else '+'} {number_text(abs(curve.intercept))}"
        equation = f"log-odds after = {number_text(curve.slope)} · log-odds before {shift}"
        return f"{equation}; slope 1 and intercept 0 would change nothing."

    @property
    def rows(self) -> list[list[Cell | str]]:
        """The measures as rows of a table: name, before, after, change, and its interval in words."""
        unit, rows, written = self.before.losses.settings.unit, [], signed(number_text)
        for one, two in zip(self.before.measures, self.after.measures, strict=True):
            name = f"{one.measure.name}, {unit}" if "base" in one.measure.takes else one.measure.name
            change, bounds = "", ""
            if interval := self.change.get(one.measure.key):
                change, low, high = (written(float(end)) for end in interval.ends)
                word = ("could be due to chance", "worse", "better")[_side(interval)]
                bounds = Cell(range_text(low, high).replace(" ", TIGHT), aside=word)
                if math.isnan(interval.low):
                    bounds = Cell(UNDEFINED, kind="undefined")
            values = number_text(one.value), Cell(number_text(two.value), strong=True)
            rows.append([Cell(name, measure=one.measure.key), *values, change, bounds])
        return rows

    @property
    def verdict(self) -> str:
        """Verdict on whether to recalibrate, in Markdown."""
        losses, (side, brier_side) = self.after.losses, (_side(self.change[key]) for key in ("log_loss", "brier_score"))
        verdict = _VERDICTS[side] + (f" {_ASIDES[brier_side]}" if brier_side != side else "")
        if not math.isfinite(float(self.change["log_loss"].estimate)):
            verdict = "An infinite log-loss cannot be compared; choose a δ under *Statistics*."
        if losses.impossible:
            clip, base = losses.settings.clip, losses.settings.base
            loss = f"a loss of {number_text(-math.log(clip) / math.log(base))}" if clip else "an infinite loss"
            verdict += f" The curve gives 0 to the actual class of {rows_text(losses.impossible)}: {loss} each."
        return verdict

    def notes(self, folds: int) -> str:
        """Notes on the cross-validation, for the requested number of folds."""
        fitted, table = self.fitted, self.fitted.before
        folded = f"the other {fitted.folds - 1} of {fitted.folds} folds (seed {self.before.losses.settings.seed})"
        parts = [f"Each row is evaluated with a curve fitted on {folded}."]
        parts.append("The curve in the picture is fitted on all rows: use that one for new rows.")
        if fitted.folds < folds:
            parts.append("There are fewer folds than asked for because one outcome has so few rows.")
        if not self.before.probabilities.binary:
            parts.append("Each class is recalibrated against the rest, then each row is divided by its sum.")
            if without := len(table.classes) - len(fitted.curves):
                parts.append(f"{count_text(without)} {'class has' if without == 1 else 'classes have'} too few rows.")
        if table.total < _FEW_ROWS and fitted.method == "isotonic":
            parts.append("With fewer than a thousand rows the isotonic curve mostly follows chance.")
        return " ".join(parts)

    @property
    def table(self) -> dict[str, npt.NDArray]:
        """Each row with its probabilities before and after, as columns, unrounded."""
        names = [text_of(name) for name in self.fitted.before.classes]
        indices = [1] if self.before.probabilities.binary else range(len(names))
        columns = {name: values[self.fitted.rows] for name, values in self.before.probabilities.columns.items()}
        for word, table in (("predicted", self.fitted.before), ("recalibrated", self.fitted.after)):
            columns |= {f"{word} {names[index]}": table.probabilities[:, index] for index in indices}
        return columns


@dataclass(frozen=True, eq=False)
class CalibrationMapping:
    """Recalibration curves fitted on all rows, for use on new ones.

    Of two classes only the last has a curve; of more, each row is divided by the sum of its corrected probabilities.
    """

    classes: tuple[str, ...]
    curves: tuple[Curve | None, ...]  # a class without a curve stays as it is
    ends: tuple[float, float]  # lowest and highest score; 0 and 1 for probabilities
    number: str  # what is calibrated: "score" or "predicted probability"
    made_of: str  # the column that it stands in, and what was done to it

    @classmethod
    def of(cls, effect: RecalibrationEffect) -> "CalibrationMapping":
        """Recalibration curves fitted to probabilities."""
        probabilities, fitted = effect.before.probabilities, effect.fitted
        curves = tuple(fitted.curves.get(name) for name in fitted.before.classes)
        names = tuple(map(text_of, fitted.before.classes))
        return cls(names, curves, (0.0, 1.0), "predicted probability", _input_words(probabilities))

    @classmethod
    def of_scores(cls, probabilities: ProbabilitySource, scaled: Recalibration) -> "CalibrationMapping":
        """Curve that turned scores into probabilities."""
        scores = scaled.before.probability
        ends = float(scores.min()), float(scores.max())
        names = tuple(map(text_of, probabilities.table.classes))
        return cls(names, (None, scaled.curve), ends, "score", _input_words(probabilities))

    @property
    def table(self) -> dict[str, npt.NDArray]:
        """Unrounded points of each curve as columns: corners of an isotonic curve, else evenly spaced points."""
        parts = []
        for name, curve in zip(self.classes, self.curves, strict=True):
            if curve is not None:
                before = curve.scores if isinstance(curve, IsotonicCurve) else np.linspace(*self.ends, _POINTS)
                parts.append((np.full(len(before), name, dtype=object), before, curve(before)))
        names, before, after = map(np.concatenate, zip(*parts, strict=True))
        columns = {self.number: before, "calibrated probability": after}
        return columns if len(self.classes) == 2 else {"class": names, **columns}

    @property
    def code(self) -> str:
        """Python with NumPy alone that applies the curves to new rows."""
        first = next(curve for curve in self.curves if curve is not None)
        curve, what = _ISOTONIC, "Isotonic regression: scores and their probabilities"
        if isinstance(first, PlattCurve):
            curve, what = _LOGIT if first.of == "logit" else _LOGISTIC, "Platt: slope and intercept"
        if len(self.classes) == 2:
            head, rest = f"CURVE = {_curve_code(first)}", _OF_ONE
        else:
            head = f"CURVES = (\n{''.join(f'    {_curve_code(one)},{chr(10)}' for one in self.curves)})"
            rest = _OF_SEVERAL
        made_of = textwrap.fill(f"The input is {self.made_of}.", 118, initial_indent="# ", subsequent_indent="# ")
        return (
            f'"""Calibrated probabilities for new rows."""\n\nimport numpy as np\n\n{made_of}\n'
            f"CLASSES = {self.classes!r}\n# {what}\n{head}\n\n\n{curve}\n{rest}"
        )


_ISOTONIC = '''def curve(x, scores, probabilities):
    """Straight between the scores and level beyond them."""
    return np.interp(x, scores, probabilities)
'''

_LOGISTIC = '''def curve(x, slope, intercept):
    """The probability for each score."""
    return 0.5 * (1 + np.tanh(0.5 * (slope * x + intercept)))
'''

_LOGIT = f'''def curve(x, slope, intercept):
    """The probability for each uncalibrated one, whose log-odds are stretched and shifted."""
    inside = np.clip(x, {FARTHEST!r}, 1 - {FARTHEST!r})
    log_odds = np.log(inside) - np.log1p(-inside)
    return 0.5 * (1 + np.tanh(0.5 * (slope * log_odds + intercept)))
'''

_OF_ONE = '''
def calibrated(x):
    """The calibrated probability of CLASSES[1] for each number of x, of the same shape."""
    return curve(np.asarray(x, dtype=float), *CURVE)
'''

_OF_SEVERAL = '''
def calibrated(x):
    """The calibrated probabilities of predicted ones: rows of numbers in the order of CLASSES."""
    x = np.asarray(x, dtype=float)
    columns = [column if one is None else curve(column, *one) for column, one in zip(x.T, CURVES)]
    columns = np.stack(columns, axis=1)
    sums = columns.sum(axis=1, keepdims=True)
    return np.where(sums > 0, columns / np.where(sums > 0, sums, 1), x)
'''


def _curve_code(curve: Curve | None) -> str:
    """The numbers of a curve in Python, unrounded."""
    if not isinstance(curve, IsotonicCurve):
        return "None" if curve is None else f"({curve.slope!r}, {curve.intercept!r})"
    corners = ", ".join(f"({', '.join(map(repr, values.tolist()))},)" for values in (curve.scores, curve.probabilities))
    return textwrap.fill(f"({corners})", 112, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _input_words(probabilities: ProbabilitySource) -> str:
    """Description of the input of the curves, for a comment in Python."""
    source = probabilities.source
    if source.scored_by != "system" or not source.system:
        return f"the predicted probability of {'CLASSES[1]' if probabilities.binary else 'each class'}"
    done = f"the number in column {source.system!a}"
    if source.scale is not None:
        done += " divided by 100" if source.scale.way == "percent" else ", of which 1 / (1 + exp(-x)) is taken"
    lower = probabilities.scaled is None and not source.higher_is_positive
    return f"1 minus ({done})" if lower else done


def _side(change: Interval) -> int:
    """-1 if a loss falls significantly, 1 if it rises, else 0."""
    return int(change.low > 0) - int(change.high < 0)
