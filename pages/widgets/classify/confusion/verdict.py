"""What four counts say in words: does a result rule out or rule in, and is accuracy worth anything here."""

import numpy as np
import streamlit as st

from evalcore import ratio
from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    negative_likelihood_ratio,
    negative_predictive_value,
    positive_likelihood_ratio,
    precision,
    prevalence,
)
from evalcore.wording import as_noun, plain, share_text

from ...session.current_counts import Counted

_STRONG_FOR, _STRONG_AGAINST = 10, 0.1
"""Likelihood ratios from which a result is commonly called strong evidence (Deeks and Altman 2004)."""


def show_verdict(counted: Counted) -> None:
    """The verdict over the table: one line that answers the question, one that gives the reasons."""
    headline, reasons = verdict(counted.counts, counted.positive, counted.negative)
    with st.container(key="verdict"):
        st.markdown(f"**{headline}**  \n{reasons}")


def verdict(counts: ConfusionCounts, positive: str, negative: str) -> tuple[str, str]:
    """A headline and its reasons, written from the counts alone.

    Parameters
    ----------
    counts : ConfusionCounts
        Of shape ().
    positive, negative : str
        What the classes are called. Come from a file: escaped here.
    """
    if not counts.total:
        return "Nothing to judge yet.", "All four counts are 0."
    ppv, npv, share = (float(m(counts)) for m in (precision, negative_predictive_value, prevalence))
    if not counts.actual_positives or not counts.actual_negatives:
        only = positive if counts.actual_positives else negative
        return "This data cannot tell.", f"Every row is {as_noun(only)}: there is nothing to tell it from."
    return _headline(counts), " ".join(
        (*_results(ppv, npv, share, positive, negative), _accuracy(counts, share, positive))
    )


def _headline(counts: ConfusionCounts) -> str:
    up, down = float(positive_likelihood_ratio(counts)), float(negative_likelihood_ratio(counts))
    if float(precision(counts)) != float(precision(counts)) or not counts.predicted_negatives:
        return "It always says the same, so it tells nothing."
    ppv, npv, share = (float(m(counts)) for m in (precision, negative_predictive_value, prevalence))
    # Evidence counts for a decision when it is strong by itself and also leaves few doubts in this population.
    rules_in = (up >= _STRONG_FOR and ppv >= 0.5) or ppv >= 0.95 > share
    rules_out = (down <= _STRONG_AGAINST or npv >= 0.99) and npv > 1 - share
    if up <= 1:
        return "Worse than guessing: the opposite answer would be better." if up < 1 else "No better than guessing."
    if rules_in and rules_out:
        return "Good for ruling in and for ruling out."
    if rules_out:
        return "Good for ruling out, not for ruling in."
    if rules_in:
        return "Good for ruling in, not for ruling out."
    return "It shifts the odds, but settles nothing by itself."


def _results(ppv: float, npv: float, share: float, positive: str, negative: str) -> list[str]:
    """What each of the two answers is worth."""
    positive, negative, called = plain(positive), plain(negative), as_noun(positive)
    yes, no = f"{'only ' if ppv < 0.5 else ''}{share_text(ppv)}", share_text(npv)
    if ppv != ppv:
        said = f"“{negative}” is right in {no} of cases; the other never occurs"
    elif npv != npv:
        said = f"“{positive}” is right in {yes} of cases; the other never occurs"
    else:
        said = f"“{negative}” is right in {no} of cases; “{positive}” in {yes}"
    whole = [f"The answer {said}."]
    whole.append(f"Before any test {share_text(share)} are {called}.")
    return whole


def _accuracy(counts: ConfusionCounts, share: float, positive: str) -> str:
    """Accuracy beside what always naming the larger class would reach."""
    larger = np.maximum(counts.actual_positives, counts.actual_negatives)
    # One division each, so that equal shares are equal numbers.
    right, lazy = float(accuracy(counts)), float(ratio(larger, counts.total))
    always = f"always saying {'“yes”' if share > 0.5 else '“no”'} would reach {share_text(lazy)}"
    if right < lazy:
        return f"Accuracy ({share_text(right)}) misleads: {always}."
    if right == lazy:
        return f"Accuracy ({share_text(right)}) tells nothing: {always} too."
    return f"Accuracy is {share_text(right)}; {always}."
