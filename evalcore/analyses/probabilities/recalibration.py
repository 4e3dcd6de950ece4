"""Recalibration: what the probabilities would be worth if they were corrected, judged on rows not used for the fit."""

import math
import textwrap
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data import CELLS, ProbabilitySource, Scores
from evalcore.analyses.probabilities.calibration import TIGHT, Calibration
from evalcore.analyses.probabilities.losses import Losses, Reliability
from evalcore.classification import ConfusionCounts, ProbabilityTable, roc_auc
from evalcore.classification.several.losses import equivalent_threshold, log_loss, reweighted
from evalcore.inference import Interval, IsotonicCurve, PlattCurve, RecalibratedTable, Recalibration, compare_losses
from evalcore.inference.models import FARTHEST
from evalcore.readers import ReadProblem, text_of
from evalcore.registry import METRICS
from evalcore.wording import Cell, plain, range_text
from evalcore.wording.numbers import UNDEFINED, count_text, number_text, rows_text, share_text, signed, threshold_text

__all__ = ["CalibrationMapping", "ClassWeights", "RecalibrationEffect", "weight_steps"]

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
USUAL = 0.5  # the threshold of most programs
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


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
        return cls(_names(probabilities), curves, (0.0, 1.0), "predicted probability", _input_words(probabilities))

    @classmethod
    def of_scores(cls, probabilities: ProbabilitySource, scaled: Recalibration) -> "CalibrationMapping":
        """Curve that turned scores into probabilities."""
        scores = scaled.before.probability
        ends = float(scores.min()), float(scores.max())
        return cls(_names(probabilities), (None, scaled.curve), ends, "score", _input_words(probabilities))

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


def _names(probabilities: ProbabilitySource) -> tuple[str, ...]:
    return tuple(map(text_of, probabilities.table.classes))


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


def weight_steps(scores: Scores) -> tuple[tuple[float, ...], float]:
    """Selectable weights of a positive row, and the weight that balances the classes."""
    positives, negatives = float(scores.scored.positives), float(scores.scored.negatives)
    balanced = float(f"{negatives / positives:.3g}") if positives and negatives else 1.0
    return tuple(sorted({*_STEPS, balanced})), balanced


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """Probabilities of one system, unchanged and as if positive rows had more weight in training.

    Raises a ReadProblem where the scores are no probabilities.
    """

    scores: Scores
    times: float

    def __post_init__(self) -> None:
        low, high = self.scores.scored.ends
        if not 0 <= low <= high <= 1:
            raise ReadProblem(
                f"The scores in {self.scores.system} lie outside 0 … 1. Resampling changes the probabilities that a "
                "model states; choose a column of probabilities."
            )

    @property
    def threshold(self) -> float:
        """Threshold on the unchanged scores that corresponds to the usual one after weighting."""
        at = equivalent_threshold(self.times, USUAL)
        return at if self.scores.higher else 1 - at

    @property
    def before(self) -> ConfusionCounts:
        """The counts at the usual threshold."""
        return self.scores.counts_at(USUAL)

    @property
    def after(self) -> ConfusionCounts:
        """The counts that the usual threshold gives on the reweighted probabilities."""
        return self.scores.counts_at(self.threshold)

    @cached_property
    def probabilities(self) -> tuple[ProbabilityTable, ProbabilityTable]:
        """The probabilities before and after."""
        table = ProbabilitySource.of(self.scores.current).table
        event = table.event(1)
        changed = reweighted(event.probability, self.times)
        return table, ProbabilityTable.from_event(event.happened, changed, True, event.weights, event.clusters)

    @property
    def columns(self) -> dict[str, list[float]]:
        """Unrounded numbers before and after, by name."""
        both, events = (self.before, self.after), [table.event(1) for table in self.probabilities]
        area = float(roc_auc(self.scores.scored))  # the odds times a factor keep the order of the rows
        return {
            "threshold": [USUAL, self.threshold],
            **{cell: [float(getattr(counts, cell)) for counts in both] for cell in CELLS},
            **{one.key: [float(one(counts)) for counts in both] for one in _MEASURES}, "roc_auc": [area, area],
            "stated": [float(np.average(e.probability, weights=e.weights)) for e in events],
            "log_loss": [float(log_loss(table)) for table in self.probabilities],
        }  # fmt: skip

    @property
    def table(self) -> tuple[list[Cell | str], list[list[Cell | str]]]:
        """Heads and rows for the page."""
        names = {
            "threshold": "Threshold ½ on the old scale", "roc_auc": "ROC AUC", "log_loss": "Log-loss",
            "stated": f"Mean probability ({share_text(self.scores.prevalence)} are {self.scores.positive[:24]})",
            **{cell: cell.upper() for cell in CELLS}, **{one.key: one.name for one in _MEASURES},
        }  # fmt: skip
        rows: list[list[Cell | str]] = []
        for key, pair in self.columns.items():
            name = Cell(names[key], heading=True, measure=key if key in METRICS else "")
            rows.append([name, *(_WRITTEN.get(key, share_text)(one) for one in pair)])
        return ["", "as they are", f"each positive ×{threshold_text(self.times)}"], rows

    @property
    def verdict(self) -> str:
        """Effect of the weights on measures and curves, in Markdown."""
        numbers = self.columns
        if self.times == 1:
            return "**Nothing is changed.** Move the slider: let each positive row count several times."
        first, then = ([share_text(numbers[key][side]) for key in ("recall", "precision")] for side in (0, 1))
        says, are = share_text(numbers["stated"][1]), share_text(self.scores.prevalence)
        where = self.scores.text(self.threshold)
        return (
            f"**It moves the threshold, not the curve.** Threshold ½ now means {where} on the old scale: recall goes "
            f"from {first[0]} to {then[0]}, precision from {first[1]} to {then[1]}. The ROC curve and its area "
            f"({number_text(numbers['roc_auc'][0])}) stay the same, because the order of the rows does not "
            f"change. The mean probability of {plain(self.scores.positive, 30)} is now {says}; {are} of the rows are. "
            f"Moving the threshold to {where} gives the same decisions and leaves the probabilities unchanged."
        )


_MEASURES = tuple(METRICS[key] for key in ("recall", "precision", "accuracy"))

_WRITTEN = dict.fromkeys(CELLS, count_text) | {
    "threshold": threshold_text, "roc_auc": number_text, "log_loss": number_text,
}  # fmt: skip
