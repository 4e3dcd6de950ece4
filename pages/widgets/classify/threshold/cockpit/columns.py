"""Thresholds as columns for the browser: where things stand, as small codes, and what is written there, as text.

The browser computes no measure: it looks a row up and shows its texts. They are made by the functions that write every
number of the page, so what is read while dragging is what the server says afterwards.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from evalcore import METRICS, Array, MetricDef, ratio
from evalcore.analyses import Scores
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice, clopper_pearson, wilson
from evalcore.wording import THIN, UNDEFINED, count_text, value_text

RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy")
"""The rates that are shown with their intervals."""

CELLS = ("tp", "fp", "fn", "tn")
STEPS = 4095
"""A place is one of so many steps: two letters."""

_LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
_MISSING = ".."
_CLOSED = {"wilson": wilson, "clopper": clopper_pearson}
_PERCENT = f"{THIN}%"


def codes(values: Iterable[float]) -> str:
    """Numbers in 0 … 1, two letters each; two dots stand for nan.

    >>> codes([0, 1, float("nan"), 0.5])
    'AA__..gA'
    """
    found = np.asarray(values, dtype=np.float64)
    known = np.isfinite(found)
    steps = np.where(known, np.rint(np.clip(np.nan_to_num(found), 0, 1) * STEPS), 0).astype(int)
    pairs = np.char.add(_LETTERS[steps // 64], _LETTERS[steps % 64])
    return "".join(np.where(known, pairs, _MISSING).tolist())


def texts(written: Sequence[str]) -> list[str]:
    """A column of texts in small: what they all end with, and the rest joined.

    Neighbours are alike, so each begins with a digit that says how much of the one before it keeps. Thin spaces become
    lines below. A column that is the same throughout is the text and how often it stands there.

    >>> texts(["12.5", "12.7", "13"]), texts(["7", "7"])
    (['', '012.5|37|13'], ['', '7', '2'])
    """
    if len(set(written)) == 1:
        return ["", written[0], str(len(written))]
    ending = _PERCENT if all(t.endswith(_PERCENT) or t == UNDEFINED for t in written) else ""
    parts, before = [], ""
    for text in written:
        text = text.removesuffix(ending)
        alike = [a == b for a, b in zip(before, text, strict=False)][:9]
        kept = (*alike, False).index(False)
        parts.append(f"{kept}{text[kept:]}")
        before = text
    return [ending, "|".join(parts).replace(THIN, "_")]


def columns(
    scores: Scores,
    places: Array,
    thresholds: Sequence[float],
    counts: ConfusionCounts,
    measures: Sequence[str],
    intervals: IntervalChoice,
    now: bool = False,
) -> dict:
    """What the surface shows at some thresholds.

    Parameters
    ----------
    scores : Scores
    places : Array, shape (m,)
        Where the thresholds stand on the axis.
    thresholds : sequence of float, of length m
    counts : ConfusionCounts of shape (m,)
    measures : sequence of str
        Keys of the measures that are drawn.
    intervals : IntervalChoice
    now : bool
        Whether this is the one threshold in use, for which resampling is not too dear.
    """
    shown = dict.fromkeys((*RATES, "fall_out", *measures))
    values = {key: np.asarray(METRICS[key](counts), dtype=np.float64) for key in shown}
    written = {key: value_texts(METRICS[key], value) for key, value in values.items() if key != "fall_out"}
    return {
        "t": texts([scores.text(float(t)) for t in thresholds]),
        "x": codes(places),
        "flagged": np.round(np.nan_to_num(ratio(counts.predicted_positives, counts.total)), 7).tolist(),
        "cells": {cell: texts(list(map(count_text, getattr(counts, cell).tolist()))) for cell in CELLS},
        "at": {key: codes(value) for key, value in values.items()},
        "texts": {key: texts(found) for key, found in written.items()},
        "intervals": {key: _interval(METRICS[key], counts, intervals, now) for key in RATES},
    }


def value_texts(measure: MetricDef, values: Array) -> list[str]:
    """Values of a measure as they are written on the page."""
    return [value_text(measure, value) for value in values.tolist()]


def _interval(measure: MetricDef, counts: ConfusionCounts, intervals: IntervalChoice, now: bool) -> dict:
    """Bounds of a rate at each threshold, and how many rows it rests on."""
    n = sum(getattr(counts, cell) for cell in measure.denominator)
    low, high = _bounds(measure, counts, n, intervals, now)
    column = {"n": texts(list(map(count_text, n.tolist())))}
    if np.isnan(low).all():
        return column
    bounds = (value_texts(measure, bound) for bound in (low, high))
    return column | {"ends": [codes(low), codes(high)], "words": [texts(bound) for bound in bounds]}


def _bounds(
    measure: MetricDef, counts: ConfusionCounts, n: Array, intervals: IntervalChoice, now: bool
) -> tuple[Array, Array]:
    if intervals.method == "bootstrap":
        found = intervals.of(measure, counts[0]) if now else None
        bounds = (float(found[0].low), float(found[0].high)) if found else (np.nan, np.nan)
        return np.full(n.shape, bounds[0]), np.full(n.shape, bounds[1])
    hits = sum(getattr(counts, cell) for cell in measure.numerator)
    found = _CLOSED[intervals.method](np.minimum(hits, n), n, intervals.level)
    return found.low, found.high
