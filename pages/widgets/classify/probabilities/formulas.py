"""The formulas of the losses with the numbers of the open rows in them."""

import math
from collections.abc import Iterator

import streamlit as st

from evalcore import Array
from evalcore.analyses import LossSettings, loss_measures
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES
from evalcore.wording import count_text, latex, loss_text, number_text

from .losses import losses_of, parts_of
from .reliability import Binning, Diagram
from .rows import Stated

_TERMS = 4
"""Terms of a sum that are written out."""


def show_loss_formulas(stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning) -> None:
    """Every formula of the page; worked out when it is unfolded."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if folded.open:
            for name, formula, words in _formulas(stated, manner, diagram, binning):
                st.markdown(f"**{name}**")
                st.markdown(rf"$\displaystyle {formula}$")
                st.caption(words)


def _formulas(
    stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning
) -> Iterator[tuple[str, str, str]]:
    """Name, formula with its numbers, and what is to be known of each."""
    losses = losses_of(stated, manner)
    written = _written_out(stated, manner, diagram, binning)
    for measure in loss_measures(len(stated.table.classes), manner):
        of_bins = measure.interval == "chance"
        value = diagram.errors[measure.key][0] if of_bins else losses.value(measure.key)
        numbers, words = written.get(measure.key, ("", measure.reading))
        result = r"\text{undefined}" if math.isnan(value) else latex(loss_text(value))
        formula = measure.formula.replace(r"\ln", r"\log_2") if manner.base == 2 else measure.formula
        yield measure.name, " = ".join(filter(None, (formula, numbers, result))), words
        if measure.group in (TWO_CLASSES, SEVERAL_CLASSES):
            yield _in_parts(stated, binning)


def _written_out(
    stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning
) -> dict[str, tuple[str, str]]:
    """By key: the terms of a formula as far as they are written out, and what is to be known of it."""
    table, parts, losses = stated.table, parts_of(stated, binning), losses_of(stated, manner)
    n = latex(count_text(table.total))
    logarithm = r"\log_2" if manner.base == 2 else r"\ln"
    first = [rf"{logarithm} {_number(q)}" for q in _kept(table.of_actual[:_TERMS], manner)]
    rest = [r"\dots"] if table.total > _TERMS else []
    kept = f", kept between δ = {manner.clip:g} and 1 − δ" if manner.clip else ""
    weighted = "" if table.weights is None else " Each row counts by its weight."
    score = losses.value("half_brier_score" if stated.binary else "brier_score")
    return {
        "log_loss": (
            rf"-\frac{{1}}{{{n}}} \left[ {' + '.join([*first, *rest])} \right]",
            f"q is the probability that a row gave to its own class{kept}. The first terms are those of the first "
            f"rows.{weighted}",
        ),
        "log_loss_over_classes": (
            "",
            "y is 1 for the class that the row has and 0 for every other. With two classes it is twice the log-loss.",
        ),
        "half_brier_score": ("", "Half of the sum over both classes: the mean squared error of the probability."),
        "brier_score": ("", "Added up over all classes, from 0 to 2."),
        "brier_skill": (
            rf"1 - \frac{{{_number(score)}}}{{{_number(parts.uncertainty)}}}",
            "The score beside that of who states the base rate for every row, which is the uncertainty.",
        ),
        "expected_calibration_error": (_errors(diagram), f"One term for each bin with rows, {binning.words}."),
        "maximum_calibration_error": ("", "The bin that is farthest off, however few rows it holds."),
    }


def _in_parts(stated: Stated, binning: Binning) -> tuple[str, str, str]:
    parts = parts_of(stated, binning)
    return (
        "Brier score, taken apart",
        rf"{_number(parts.uncertainty)} - {_number(parts.resolution)} + {_number(parts.reliability)} "
        rf"+ {_number(parts.within_variance)} - {_number(parts.within_covariance)} = {_number(parts.score)}",
        "Uncertainty − resolution + reliability + variance within the bins − covariance within the bins, over "
        f"{binning.words}.",
    )


def _kept(probabilities: Array, manner: LossSettings) -> list[float]:
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


def _number(value: float) -> str:
    return latex(number_text(value))
