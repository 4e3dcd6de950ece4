"""Thresholds as columns for the browser: where things stand, as small codes, and what is written there, as text.

The browser computes no measure: it looks a row up and shows its texts. They are made by the functions that write every
number of the page, so what is read while dragging is what the server shows afterwards.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from evalcore.analyses import CELLS, Scores
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice, effective_share_counts
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import THIN, UNDEFINED, count_text, value_text

__all__ = ["RATES", "codes", "columns", "texts"]

RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy")
"""The rates that are shown with their intervals."""

STEPS = 4095
"""A place is one of so many steps: two letters."""

_LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
_PERCENT = f"{THIN}%"


def codes(values: Iterable[float]) -> str:
    """Numbers in 0 … 1, two letters each; two dots stand for nan.

    >>> codes([0, 1, float("nan"), 0.5])
    'AA__..gA'
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    steps = np.where(known, np.rint(np.clip(np.nan_to_num(numbers), 0, 1) * STEPS), 0).astype(int)
    pairs = np.char.add(_LETTERS[steps // 64], _LETTERS[steps % 64])
    return "".join(np.where(known, pairs, "..").tolist())


def texts(column: Sequence[str]) -> list[str]:
    """A column of texts in small: what they all end with, and the rest joined.

    Neighbours are alike, so each begins with a digit that says how much of the one before it stays. Thin spaces become
    lines below. A column that is the same throughout is the text and how often it stands there.

    >>> texts(["12.5", "12.7", "13"]), texts(["7", "7"])
    (['', '012.5|37|13'], ['', '7', '2'])
    """
    if len(set(column)) == 1:
        return ["", column[0], str(len(column))]
    ending = _PERCENT if all(text.endswith(_PERCENT) or text == UNDEFINED for text in column) else ""
    parts, before = [], ""
    for text in column:
        text = text.removesuffix(ending)
        alike = [a == b for a, b in zip(before, text, strict=False)][:9]
        same = (*alike, False).index(False)
        parts.append(f"{same}{text[same:]}")
        before = text
    return [ending, "|".join(parts).replace(THIN, "_")]


def columns(
    scores: Scores,
    x: Array,
    thresholds: npt.ArrayLike,
    counts: ConfusionCounts,
    measures: Sequence[str],
    intervals: IntervalChoice,
    resampled: bool = False,
) -> dict:
    """What the cockpit shows at some thresholds: their places on the axis and their counts, all of shape (m,).

    Measures are the keys of those that are drawn. Intervals by resampling, which take long for many thresholds, are
    made only where they are asked for.
    """
    measured = {key: METRICS[key] for key in dict.fromkeys((*RATES, "fall_out", *measures))}
    clustered = scores.scored.counts_at(np.asarray(thresholds)) if scores.scored.clusters else counts
    values = {key: np.asarray(measure(counts), dtype=np.float64) for key, measure in measured.items()}
    return {
        "t": texts([scores.text(t) for t in np.asarray(thresholds).tolist()]),
        "x": codes(x),
        "flagged": np.round(np.nan_to_num(ratio(counts.predicted_positives, counts.total)), 7).tolist(),
        "cells": {cell: _count_texts(getattr(counts, cell)) for cell in CELLS},
        "at": {key: codes(value) for key, value in values.items()},
        "texts": {key: _value_texts(measured[key], value) for key, value in values.items() if key != "fall_out"},
        "intervals": {key: _interval(METRICS[key], clustered, intervals, resampled) for key in RATES},
    }


def _interval(measure: MetricDef, counts: ConfusionCounts, intervals: IntervalChoice, resampled: bool) -> dict:
    """Bounds of a rate at each threshold, and how many rows it rests on."""
    column = {"n": _count_texts(effective_share_counts(measure, counts, intervals.level)[1].round())}
    if intervals.method == "bootstrap" and not resampled:
        return column
    interval, _ = intervals.of_shares(measure, counts)
    if np.isnan(interval.low).all():
        return column
    bounds = interval.low, interval.high
    return column | {"ends": [*map(codes, bounds)], "words": [_value_texts(measure, bound) for bound in bounds]}


def _count_texts(counts: Array) -> list[str]:
    return texts(list(map(count_text, counts.tolist())))


def _value_texts(measure: MetricDef, values: Array) -> list[str]:
    return texts([value_text(measure, value) for value in values.tolist()])
