"""The 2×2 table in the frame of the textbook, as its script in the browser takes it."""

import math

from evalcore.analyses import CELLS, NamedCounts, interval_heading, interval_text
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice
from evalcore.registry import METRICS
from evalcore.wording import UNDEFINED, count_text, one_line, share_text

__all__ = ["frame_data"]

# What stands where: rows and columns of the table with the ratios at their ends, actual classes in the columns.
Side = tuple[str, str, str, tuple[str, str], tuple[str, str]]
_SAYS = (
    ("positive", "T", "called positive", ("tp", "fp"), ("precision", "false_discovery_rate")),
    ("negative", "F", "called negative", ("fn", "tn"), ("false_omission_rate", "negative_predictive_value")),
)
_IS = (
    ("positive", "P", "actual positives", ("tp", "fn"), ("recall", "miss_rate")),
    ("negative", "N", "actual negatives", ("fp", "tn"), ("fall_out", "specificity")),
)
_CORNER = ("accuracy", "error_rate")
_LABELS = {"recall": "recall · sensitivity (TPR)", "negative_predictive_value": "neg. predictive (NPV)"}


def frame_data(named: NamedCounts, intervals: IntervalChoice, actual_in_rows: bool) -> dict:
    """Rows, columns, cells and the ratios at their ends, with every number as it is written.

    Actual classes are in the rows, else in the columns; the explanations hold intervals.
    """
    counts = named.counts
    names = {"positive": one_line(named.positive, 30), "negative": one_line(named.negative, 30)}
    says = [_side(counts, f"says {names[side[0]]}", side) for side in _SAYS]
    actual = [_side(counts, f"actual {names[side[0]]}" if actual_in_rows else names[side[0]], side) for side in _IS]
    rows, columns, over = (actual, says, "the prediction") if actual_in_rows else (says, actual, "actually")
    keys = [key for line in (*_SAYS, *_IS) for key in line[-1]] + list(_CORNER)
    return {
        "rows": rows, "columns": columns, "over": over, "corner": _CORNER, "chosen": "precision",
        "cells": [_cell(counts, key) for key in CELLS],
        "ratios": [_ratio(key, counts, intervals) for key in keys],
    }  # fmt: skip


def _side(counts: ConfusionCounts, name: str, side: Side) -> dict:
    _, letter, words, cells, ratios = side
    value = float(sum(getattr(counts, cell) for cell in cells))
    margin = {"key": letter, "value": value, "text": count_text(value), "words": words}
    return {"name": name, "sum": margin, "cells": cells, "ratios": ratios}


def _cell(counts: ConfusionCounts, key: str) -> dict:
    value = float(getattr(counts, key))
    return {"key": key, "value": value, "text": count_text(value), "letters": key.upper(), "words": CELLS[key]}


def _ratio(key: str, counts: ConfusionCounts, intervals: IntervalChoice) -> dict:
    measure = METRICS[key]
    value, name = float(measure(counts)), measure.name.lower()
    parts = (measure.numerator, measure.denominator)
    letters = " / ".join(_sum([cell.upper() for cell in part]) for part in parts)
    numbers = " / ".join(_sum([count_text(float(getattr(counts, cell))) for cell in part]) for part in parts)
    if math.isnan(value):
        formula, sentence = f"{name} is {UNDEFINED}: {measure.undefined_when}", measure.summary
    else:
        bounds, n = interval_text(measure, counts, intervals)
        formula = f"{name} = {letters} = {numbers} = {share_text(value)}"
        interval = f"{interval_heading(intervals.level)}: {bounds} ({intervals.method_name}, n = {n or 0})"
        sentence = f"{measure.summary} {interval}."
    return {
        "key": key, "label": _LABELS.get(key, f"{name} ({measure.symbol})"),
        "value": share_text(value), "defined": not math.isnan(value),
        "numerator": measure.numerator, "denominator": measure.denominator,
        "formula": formula, "sentence": sentence,
    }  # fmt: skip


def _sum(terms: list[str]) -> str:
    return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]
