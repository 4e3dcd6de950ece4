"""The formulas of the measures of scores, with the numbers of the open data in them."""

import math

import numpy as np
import streamlit as st

from evalcore import METRICS, measures_of
from evalcore.analyses import Scores
from evalcore.classification import Choice, best, precision_recall_curve
from evalcore.wording import THIN, count_text, number_text, threshold_text

from .partial_range import Ranges

_TERMS = 6
"""Terms of a sum that are written out."""


def show_area_formulas(scores: Scores, ranges: Ranges) -> None:
    """The areas, Gini, KS and the partial areas: what they are, their formula, and the numbers in it."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        explained = _explained(scores.current.key_of(scores.system), _scores=scores)
        for measure, formula, words in [*explained, *_partial(scores, ranges)]:
            st.markdown(measure)
            if formula:
                st.markdown(formula)
            st.caption(words)


@st.cache_data(max_entries=128, show_spinner=False)
def _explained(key: str, _scores: Scores) -> list[tuple[str, str, str]]:
    """For each measure its name and meaning, its formula, and the numbers in words; all in Markdown."""
    explained = []
    for measure in measures_of("scores"):
        numbers = _WRITTEN_OUT.get(measure.key, lambda _, value: _number(value))
        value = float(measure(_scores.scored))
        formula, words = "", f"Undefined, because {measure.undefined_when}."
        if value == value:
            formula = rf"$\displaystyle {measure.formula} \;=\; {numbers(_scores, value)}$"
            words = _in_words(measure.key, _scores, value)
        explained.append((f"**{measure.name}** ({measure.symbol}) — {measure.summary}", formula, words))
    return explained


def _partial(scores: Scores, ranges: Ranges) -> list[tuple[str, str, str]]:
    """The partial areas over the ranges that were chosen, raw and corrected; nothing over the whole of an axis."""
    explained, areas = [], [area(scores.scored) for area in ranges.measures.values()]
    for (axis, ends), raw, corrected in zip(ranges.chosen.items(), areas[::2], areas[1::2], strict=True):
        key, integrand = _INTEGRALS[axis]
        measure, (low, high) = METRICS[key], map(_number, ends)
        formula = rf"$\displaystyle \int_{{{low}}}^{{{high}}} {integrand} \;=\; {_number(raw)}$"
        words = (
            f"Of at most {number_text(ends[1] - ends[0])}. Corrected (McClish): {number_text(corrected)}; ½ is "
            "guessing."
        )
        if raw != raw:
            formula, words = "", f"Undefined, because {measure.undefined_when}."
        explained.append((f"**{measure.name}** ({measure.symbol}) — {measure.summary}", formula, words))
    return explained


def _pairs_won(scores: Scores, area: float) -> tuple[float, float]:
    """Pairs of a positive and a negative in the right order, ties counting half; and how many pairs there are."""
    pairs = scores.scored.positives * scores.scored.negatives
    won = area * pairs
    # Counted rows win whole and half pairs; the area came to that number by way of a division.
    return (round(2 * won) / 2 if scores.scored.positive_weights is None else won), pairs


def _pairs(scores: Scores, area: float) -> str:
    won, pairs = _pairs_won(scores, area)
    sizes = rf"{_count(scores.scored.positives)} \cdot {_count(scores.scored.negatives)}"
    return rf"\frac{{{_count(won)}}}{{{sizes}}} = \frac{{{_count(won)}}}{{{_count(pairs)}}} = {_number(area)}"


def _terms(scores: Scores, area: float) -> str:
    pure = precision_recall_curve(scores.table).precision
    gained = np.diff(scores.table.counts.tp)
    rows = np.flatnonzero(gained)
    written = [_term(float(gained[row]), float(pure[row])) for row in rows[:_TERMS]]
    rest = [r"\dots"] if len(rows) > _TERMS else []
    return rf"\frac{{{' + '.join([*written, *rest])}}}{{{_count(scores.scored.positives)}}} = {_number(area)}"


def _term(gained: float, precision: float) -> str:
    return _number(precision) if gained == 1 else rf"{_count(gained)} \cdot {_number(precision)}"


def _doubled(scores: Scores, area: float) -> str:
    auc = float(METRICS["roc_auc"](scores.scored))
    return rf"2 \cdot {_number(auc)} - 1 = {_number(area)}"


def _gap(scores: Scores, area: float) -> str:
    counts = _widest(scores).counts
    found = float(METRICS["recall"](counts))
    alarms = float(METRICS["fall_out"](counts))
    return rf"|{_number(found)} - {_number(alarms)}| = {_number(area)}"


def _widest(scores: Scores) -> Choice:
    """Where the two rates are furthest apart, on either side of the diagonal."""
    return best(scores.table, lambda counts: abs(METRICS["youden_j"](counts)), highest=True)


def _in_words(key: str, scores: Scores, area: float) -> str:
    if key == "roc_auc":
        won, pairs = _pairs_won(scores, area)
        ties = ", a tie counting half" if not won.is_integer() or _has_ties(scores) else ""
        in_order = f"{count_text(won)} of {count_text(pairs)} pairs of a positive and a negative"
        return f"{in_order} are in the right order{ties}."
    if key == "average_precision":
        share = f"{100 * scores.scored.positives / (scores.scored.positives + scores.scored.negatives):.1f}{THIN}%"
        return f"One term for each positive that is found: the precision there. Guessing would give {share}."
    if key == "ks_statistic":
        threshold = _widest(scores).threshold
        return f"The gap is widest at a threshold of {threshold_text(threshold)}."
    return METRICS[key].reading


def _has_ties(scores: Scores) -> bool:
    """Whether a positive and a negative share a score."""
    counts = scores.table.counts
    both = ((counts.tp[1:] > counts.tp[:-1]) & (counts.fp[1:] > counts.fp[:-1])).any()
    return bool(both)


def _count(value: float) -> str:
    return (count_text(value) if math.isfinite(value) and value.is_integer() else f"{value:g}").replace(THIN, r"\,")


def _number(value: float) -> str:
    return number_text(value).replace(THIN, r"\,").replace("−", "-")


_INTEGRALS = {
    "fpr": ("partial_auc", r"TPR \, dFPR"),
    "tpr": ("partial_auc_over_recall", r"(1 - FPR) \, dTPR"),
}
_WRITTEN_OUT = {
    "roc_auc": _pairs,
    "average_precision": _terms,
    "gini": _doubled,
    "ks_statistic": _gap,
}
"""What puts the numbers into a formula; of other measures the value alone is shown."""
