"""The formulas of the losses with the numbers of the open rows in them."""

import math

import streamlit as st

from evalcore import METRICS, Array
from evalcore.wording import count_text, latex, loss_text, number_text

from .losses import Manner, losses_of, parts_of
from .reliability import Binning, Diagram
from .rows import Stated

_TERMS = 4
"""Terms of a sum that are written out."""


def show_loss_formulas(stated: Stated, manner: Manner, diagram: Diagram, binning: Binning) -> None:
    """Every formula of the page; worked out when it is unfolded."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if folded.open:
            for name, formula, words in _formulas(stated, manner, diagram, binning):
                st.markdown(f"**{name}**")
                st.markdown(rf"$\displaystyle {formula}$")
                st.caption(words)


def _formulas(stated: Stated, manner: Manner, diagram: Diagram, binning: Binning) -> list[tuple[str, str, str]]:
    """Name, formula with its numbers, and what is to be known of each."""
    found, parts, table = losses_of(stated, manner), parts_of(stated, binning), stated.table
    n = latex(count_text(table.total))
    logarithm = r"\log_2" if manner.base == 2 else r"\ln"
    first = [rf"{logarithm} {_number(q)}" for q in _kept(table.of_actual[:_TERMS], manner)]
    rest = [r"\dots"] if table.total > _TERMS else []
    kept = f", kept between δ = {manner.clip:g} and 1 − δ" if manner.clip else ""
    weighted = "" if table.weights is None else " Each row counts by its weight."
    log = rf"-\frac{{1}}{{{n}}} \left[ {' + '.join([*first, *rest])} \right]"
    over = METRICS["log_loss_over_classes"]
    brier = METRICS["half_brier_score" if stated.binary else "brier_score"]
    score = found.shown_brier
    errors = _errors(diagram)
    skill = r"\text{undefined}" if math.isnan(found.skill) else _number(found.skill)
    return [
        (
            "Log-loss",
            rf"{_log(METRICS['log_loss'].formula, manner)} = {log} = {latex(loss_text(found.log_loss))}",
            f"q is the probability that a row gave to its own class{kept}. The first terms are those of the first "
            f"rows.{weighted}",
        ),
        (
            "Log-loss, sum over the classes",
            rf"{_log(over.formula, manner)} = {latex(loss_text(found.over_classes))}",
            "y is 1 for the class that the row has and 0 for every other. With two classes it is twice the log-loss.",
        ),
        (
            "Brier score",
            rf"{brier.formula} = {_number(score)}",
            "Half of the sum over both classes: the mean squared error of the probability."
            if stated.binary
            else "Added up over all classes, from 0 to 2.",
        ),
        (
            "Brier score, taken apart",
            rf"{_number(parts.uncertainty)} - {_number(parts.resolution)} + {_number(parts.reliability)} "
            rf"+ {_number(parts.within_variance)} - {_number(parts.within_covariance)} = {_number(parts.score)}",
            "Uncertainty − resolution + reliability + variance within the bins − covariance within the bins, over "
            f"{binning.words}.",
        ),
        (
            "Brier skill score",
            rf"1 - \frac{{{_number(score)}}}{{{_number(parts.uncertainty)}}} = {skill}",
            "The score beside that of who states the base rate for every row, which is the uncertainty.",
        ),
        (
            "Expected calibration error",
            rf"{METRICS['expected_calibration_error'].formula} = {errors} = {_number(diagram.error)}",
            f"One term for each bin with rows, {binning.words}.",
        ),
        (
            "Maximum calibration error",
            rf"{METRICS['maximum_calibration_error'].formula} = {_number(diagram.largest)}",
            "The bin that is farthest off, however few rows it holds.",
        ),
    ]


def _kept(probabilities: Array, manner: Manner) -> list[float]:
    """What the logarithm is taken of."""
    return [min(max(q, manner.clip), 1 - manner.clip) for q in probabilities.tolist()]


def _errors(diagram: Diagram) -> str:
    bins = diagram.bins
    n = latex(count_text(float(bins.n.sum())))
    terms = [
        rf"\frac{{{latex(count_text(rows))}}}{{{n}}} \left| {_number(said)} - {_number(share)} \right|"
        for rows, said, share in zip(
            bins.n[:_TERMS].tolist(), bins.mean_probability[:_TERMS].tolist(), bins.observed[:_TERMS].tolist(),
            strict=True,
        )
    ]  # fmt: skip
    return " + ".join([*terms, *([r"\dots"] if len(bins.n) > _TERMS else [])])


def _log(formula: str, manner: Manner) -> str:
    return formula.replace(r"\ln", r"\log_2") if manner.base == 2 else formula


def _number(value: float) -> str:
    return latex(number_text(value))
