"""Formulas of score and probability measures with the numbers of the open rows."""

import math
from collections.abc import Iterable

import numpy as np

from evalcore.analyses.curves.curves import WHOLE_CURVE, CurveRanges
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.probabilities.calibration import Calibration
from evalcore.classification import best, fall_out, precision_recall_curve, recall, roc_auc, youden_j
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, MetricDef, measures_of
from evalcore.wording import THIN, measure_markdown
from evalcore.wording.numbers import count_text, latex, latex_count, latex_term, loss_text, number_text, threshold_text

__all__ = ["calibration_formulas", "score_formulas"]

_TERMS, _LONG_TERMS = 6, 4  # terms of a sum that are written out: of numbers, and of longer ones
_WORDS = {
    "log_loss_over_classes": "y is 1 for the actual class of the row and 0 for the others. With two classes it is "
    "twice the log-loss.",
    "half_brier_score": "Half of the sum over both classes: the mean squared error of the probability.",
    "brier_score": "Added up over all classes, from 0 to 2.",
    "maximum_calibration_error": "The bin that is farthest off, however few rows it holds.",
}


def score_formulas(scores: Scores, ranges: CurveRanges = WHOLE_CURVE) -> list[tuple[str, str, str]]:
    """Name with meaning, formula with its numbers and explanation of each measure, in Markdown."""
    gini = rf"2 \cdot {latex_term(roc_auc(scores.scored))} - 1"
    written = {"roc_auc": _pairs, "average_precision": _precisions, "ks_statistic": _gap, "gini": lambda *_: (gini, "")}
    lines = []
    for measure in measures_of("scores"):
        value, numbers, words = float(measure(scores.scored)), "", measure.reading
        if measure.key in written and not math.isnan(value):
            numbers, words = written[measure.key](scores, value)
        formula = " = ".join(filter(None, (measure.formula, numbers, _number(value))))
        lines.append(_line(measure, value, formula, words or measure.reading))
    for area, (low, high) in zip(ranges.areas, ranges.chosen.values(), strict=True):
        raw, corrected = float(area(scores.scored)), float(ranges.measures[f"{area.label} corrected"](scores.scored))
        formula = area.formula.replace("_a^b", f"_{{{_number(low)}}}^{{{_number(high)}}}")
        words = f"Maximum {number_text(high - low)}. Corrected (McClish): {number_text(corrected)}; ½ is guessing."
        lines.append(_line(area, raw, f"{formula} = {_number(raw)}", words))
    return lines


def _line(measure: MetricDef, value: float, formula: str, words: str) -> tuple[str, str, str]:
    title = f"{measure_markdown(measure)} ({measure.symbol}) — {measure.summary}"
    if math.isnan(value):
        return title, "", f"Undefined, because {measure.undefined_when}."
    return title, rf"$\displaystyle {formula}$", words


def _pairs(scores: Scores, area: float) -> tuple[str, str]:
    """Pairs of a positive and a negative in the right order, ties counting half."""
    state = scores.scored
    pairs = state.positives * state.negatives
    # Counted rows win whole and half pairs; the area came to that number by way of a division.
    won = round(2 * area * pairs) / 2 if state.positive_weights is None else area * pairs
    sizes = rf"{latex_count(state.positives)} \cdot {latex_count(state.negatives)}"
    numbers = rf"\frac{{{latex_count(won)}}}{{{sizes}}} = \frac{{{latex_count(won)}}}{{{latex_count(pairs)}}}"
    rises = [np.diff(column) > 0 for column in (scores.table.counts.tp, scores.table.counts.fp)]
    ties = ", a tie counting half" if not won.is_integer() or np.any(rises[0] & rises[1]) else ""
    in_order = f"{count_text(won)} of {count_text(pairs)} pairs of a positive and a negative"
    return numbers, f"{in_order} are in the right order{ties}."


def _precisions(scores: Scores, _: float) -> tuple[str, str]:
    precisions = precision_recall_curve(scores.table).precision
    positives = np.diff(scores.table.counts.tp)
    rows = np.flatnonzero(positives)
    terms = [
        latex_term(value) if count == 1 else rf"{latex_count(count)} \cdot {latex_term(value)}"
        for count, value in zip(positives[rows[:_TERMS]].tolist(), precisions[rows[:_TERMS]].tolist(), strict=True)
    ]
    words = f"One term for each positive found: its precision. Guessing gives {100 * scores.prevalence:.1f}{THIN}%."
    return rf"\frac{{{_sum(terms, len(rows) > _TERMS)}}}{{{latex_count(scores.scored.positives)}}}", words


def _gap(scores: Scores, _: float) -> tuple[str, str]:
    widest = best(scores.table, lambda counts: abs(youden_j(counts)), highest=True)
    hits, alarms = float(recall(widest.counts)), float(fall_out(widest.counts))
    words = f"The gap is widest at a threshold of {threshold_text(widest.threshold)}."
    return rf"|{latex_term(hits)} - {latex_term(alarms)}|", words


def _number(value: float) -> str:
    return latex(number_text(value))


def _sum(terms: Iterable[str], more: bool) -> str:
    return " + ".join([*terms, *([r"\dots"] if more else [])])


def calibration_formulas(calibration: Calibration) -> list[tuple[str, str, str]]:
    """Name, formula with its numbers and explanation of each measure on the page, in LaTeX and Markdown."""
    written = {"log_loss": _log_loss, "brier_skill": _skill, "expected_calibration_error": _expected}
    lines = []
    for measure, _, value, *_ in calibration.measures:
        numbers, words = "", _WORDS.get(measure.key, measure.reading)
        if measure.key in written:
            numbers, words = written[measure.key](calibration)
        formula = measure.formula
        if calibration.losses.settings.base == 2:
            formula = formula.replace(r"\ln", r"\log_2")
        formula = " = ".join(filter(None, (formula, numbers, latex(loss_text(value)))))
        lines.append((measure_markdown(measure), rf"$\displaystyle {formula}$", words))
        if measure.group in (TWO_CLASSES, SEVERAL_CLASSES):
            lines.append(_decomposition(calibration))
    return lines


def _log_loss(calibration: Calibration) -> tuple[str, str]:
    table, settings = calibration.probabilities.table, calibration.losses.settings
    logarithm = r"\log_2" if settings.base == 2 else r"\ln"
    own = [min(max(q, settings.clip), 1 - settings.clip) for q in table.of_actual[:_LONG_TERMS].tolist()]
    shown = [rf"{logarithm} {latex_term(q)}" for q in own]
    if table.weights is not None:
        first = table.weights[:_LONG_TERMS].tolist()
        shown = [rf"{latex_term(weight)} \cdot {term}" for weight, term in zip(first, shown, strict=True)]
    terms = _sum(shown, len(table.of_actual) > _LONG_TERMS)
    clipped = f", kept between δ = {settings.clip:g} and 1 − δ" if settings.clip else ""
    weighted = "" if table.weights is None else " Each row counts by its weight."
    return (
        rf"-\frac{{1}}{{{latex(count_text(table.total))}}} \left[ {terms} \right]",
        f"q is the probability given to the actual class of the "
        f"row{clipped}. The first terms are those of the first rows."
        f"{weighted}",
    )


def _decomposition(calibration: Calibration) -> tuple[str, str, str]:
    parts = calibration.parts
    uncertainty, resolution, reliability = map(latex_term, (parts.uncertainty, parts.resolution, parts.reliability))
    return (
        "**Brier score decomposition**",
        rf"$\displaystyle {uncertainty} - {resolution} + {reliability} "
        rf"+ {latex_term(parts.within_variance)} - {latex_term(parts.within_covariance)} = {_number(parts.score)}$",
        "Uncertainty − resolution + reliability + variance within the bins − covariance within the bins, over "
        f"{calibration.reliability.binning.words}.",
    )


def _skill(calibration: Calibration) -> tuple[str, str]:
    words = "The score relative to that of always stating the base rate, which is the uncertainty."
    if math.isnan(calibration.losses.value("brier_skill")):
        return "", words
    score, uncertainty = calibration.parts.score, calibration.parts.uncertainty
    return rf"1 - \frac{{{latex_term(score)}}}{{{latex_term(uncertainty)}}}", words


def _expected(calibration: Calibration) -> tuple[str, str]:
    bins = calibration.reliability.bins
    n = latex(count_text(float(bins.n.sum())))
    columns = (bins.n, bins.mean_probability, bins.observed)
    terms = [
        rf"\frac{{{latex(count_text(rows))}}}{{{n}}} \left| {latex_term(predicted)} - {latex_term(observed)} \right|"
        for rows, predicted, observed in zip(*(column[:_LONG_TERMS].tolist() for column in columns), strict=True)
    ]
    words = f"One term for each bin with rows, {calibration.reliability.binning.words}."
    return _sum(terms, len(bins.n) > _LONG_TERMS), words
