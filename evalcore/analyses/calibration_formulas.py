"""The formulas of the measures of probabilities with the numbers of the open rows in them."""

import math

from evalcore.analyses.calibration import Calibration
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES
from evalcore.wording import count_text, latex, loss_text, number_text

__all__ = ["calibration_formulas"]

_TERMS = 4
"""Terms of a sum that are written out."""
_WORDS = {
    "log_loss_over_classes": "y is 1 for the actual class of the row and 0 for the others. With two classes it is "
    "twice the log-loss.",
    "half_brier_score": "Half of the sum over both classes: the mean squared error of the probability.",
    "brier_score": "Added up over all classes, from 0 to 2.",
    "maximum_calibration_error": "The bin that is farthest off, however few rows it holds.",
}


def calibration_formulas(calibration: Calibration) -> list[tuple[str, str, str]]:
    """Name, formula with its numbers and explanation of each measure on the page, in LaTeX and Markdown.

    Examples
    --------
    >>> from evalcore.analyses import Binning, Losses, ProbabilitySource, Reliability, Source
    >>> from evalcore.readers.samples import read_sample
    >>> source = ProbabilitySource.of(Source.of(read_sample("roc_20")))
    >>> formulas = calibration_formulas(Calibration.of(Reliability.of(source, Binning()), Losses.of(source.table)))
    >>> formulas[0][0], formulas[0][1][-6:]
    ('**Log-loss**', '0.631$')
    """
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
        lines.append((f"**{measure.name}**", rf"$\displaystyle {formula}$", words))
        if measure.group in (TWO_CLASSES, SEVERAL_CLASSES):
            lines.append(_decomposition(calibration))
    return lines


def _log_loss(calibration: Calibration) -> tuple[str, str]:
    table, settings = calibration.probabilities.table, calibration.losses.settings
    logarithm = r"\log_2" if settings.base == 2 else r"\ln"
    own = (min(max(q, settings.clip), 1 - settings.clip) for q in table.of_actual[:_TERMS].tolist())
    terms = [*(rf"{logarithm} {_number(q)}" for q in own), *([r"\dots"] if table.total > _TERMS else [])]
    clipped = f", kept between δ = {settings.clip:g} and 1 − δ" if settings.clip else ""
    weighted = "" if table.weights is None else " Each row counts by its weight."
    return (
        rf"-\frac{{1}}{{{latex(count_text(table.total))}}} \left[ {' + '.join(terms)} \right]",
        f"q is the probability that a row gave to its own class{clipped}. The first terms are those of the first rows."
        f"{weighted}",
    )


def _decomposition(calibration: Calibration) -> tuple[str, str, str]:
    parts = calibration.parts
    return (
        "**Brier score decomposition**",
        rf"$\displaystyle {_number(parts.uncertainty)} - {_number(parts.resolution)} + {_number(parts.reliability)} "
        rf"+ {_number(parts.within_variance)} - {_number(parts.within_covariance)} = {_number(parts.score)}$",
        "Uncertainty − resolution + reliability + variance within the bins − covariance within the bins, over "
        f"{calibration.reliability.binning.words}.",
    )


def _skill(calibration: Calibration) -> tuple[str, str]:
    words = "The score relative to that of always stating the base rate, which is the uncertainty."
    if math.isnan(calibration.losses.value("brier_skill")):
        return "", words
    score, uncertainty = calibration.parts.score, calibration.parts.uncertainty
    return rf"1 - \frac{{{_number(score)}}}{{{_number(uncertainty)}}}", words


def _expected(calibration: Calibration) -> tuple[str, str]:
    bins = calibration.reliability.bins
    n = latex(count_text(float(bins.n.sum())))
    columns = (bins.n, bins.mean_probability, bins.observed)
    terms = [
        rf"\frac{{{latex(count_text(rows))}}}{{{n}}} \left| {_number(predicted)} - {_number(observed)} \right|"
        for rows, predicted, observed in zip(*(column[:_TERMS].tolist() for column in columns), strict=True)
    ]
    words = f"One term for each bin with rows, {calibration.reliability.binning.words}."
    return " + ".join([*terms, *([r"\dots"] if len(bins.n) > _TERMS else [])]), words


def _number(value: float) -> str:
    return latex(number_text(value))
