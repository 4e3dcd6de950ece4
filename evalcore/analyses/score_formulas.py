"""The formulas of the measures of scores with the numbers of the open rows in them."""

import math

import numpy as np

from evalcore.analyses.score_table import WHOLE_CURVE, CurveRanges
from evalcore.analyses.scores import Scores
from evalcore.classification import ThresholdTable, best, fall_out, precision_recall_curve, recall, roc_auc, youden_j
from evalcore.registry import MetricDef, measures_of
from evalcore.wording import THIN, count_text, latex, latex_count, number_text, threshold_text

__all__ = ["score_formulas"]

_TERMS = 6
"""Terms of a sum that are written out."""


def score_formulas(scores: Scores, ranges: CurveRanges = WHOLE_CURVE) -> list[tuple[str, str, str]]:
    """Name with meaning, formula with its numbers and explanation of each measure, in Markdown.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> score_formulas(scores)[0][2]
    '68 of 100 pairs of a positive and a negative are in the right order.'
    """
    written = {
        "roc_auc": _pairs, "average_precision": _precisions, "gini": _doubled, "ks_statistic": _gap,
    }  # fmt: skip
    lines = []
    for measure in measures_of("scores"):
        value, numbers, words = float(measure(scores.scored)), "", ""
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
    title = f"**{measure.name}** ({measure.symbol}) — {measure.summary}"
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
    ties = ", a tie counting half" if not won.is_integer() or _has_ties(scores.table) else ""
    in_order = f"{count_text(won)} of {count_text(pairs)} pairs of a positive and a negative"
    return numbers, f"{in_order} are in the right order{ties}."


def _precisions(scores: Scores, _: float) -> tuple[str, str]:
    precisions = precision_recall_curve(scores.table).precision
    positives = np.diff(scores.table.counts.tp)
    rows = np.flatnonzero(positives)
    terms = [
        _number(value) if count == 1 else rf"{latex_count(count)} \cdot {_number(value)}"
        for count, value in zip(positives[rows[:_TERMS]].tolist(), precisions[rows[:_TERMS]].tolist(), strict=True)
    ]
    terms += [r"\dots"] if len(rows) > _TERMS else []
    words = f"One term for each positive found: its precision. Guessing gives {100 * scores.prevalence:.1f}{THIN}%."
    return rf"\frac{{{' + '.join(terms)}}}{{{latex_count(scores.scored.positives)}}}", words


def _doubled(scores: Scores, _: float) -> tuple[str, str]:
    return rf"2 \cdot {_number(roc_auc(scores.scored))} - 1", ""


def _gap(scores: Scores, _: float) -> tuple[str, str]:
    widest = best(scores.table, lambda counts: abs(youden_j(counts)), highest=True)
    hits, alarms = float(recall(widest.counts)), float(fall_out(widest.counts))
    words = f"The gap is widest at a threshold of {threshold_text(widest.threshold)}."
    return rf"|{_number(hits)} - {_number(alarms)}|", words


def _has_ties(table: ThresholdTable) -> bool:
    """Whether a positive and a negative share a score."""
    counts = table.counts
    return bool(((counts.tp[1:] > counts.tp[:-1]) & (counts.fp[1:] > counts.fp[:-1])).any())


def _number(value: float) -> str:
    return latex(number_text(value))
