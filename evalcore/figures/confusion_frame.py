"""The 2×2 table in the frame of the textbook, as its script in the browser takes it."""

import math

from evalcore.analyses import CELLS, NamedCounts, interval_heading, interval_text
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice
from evalcore.registry import METRICS
from evalcore.wording import UNDEFINED, count_text, one_line, share_text

__all__ = ["frame_data"]

# What stands where: rows and columns of the table with the ratios at their ends, actual classes in the columns.
_SAYS = (
    ("positive", ("tp", "fp"), ("precision", "false_discovery_rate")),
    ("negative", ("fn", "tn"), ("false_omission_rate", "negative_predictive_value")),
)
_IS = (
    ("positive", ("tp", "fn"), ("recall", "miss_rate")),
    ("negative", ("fp", "tn"), ("fall_out", "specificity")),
)
_CORNER = ("accuracy", "error_rate")
_MARGINS = {"P": "actual positives", "N": "actual negatives", "T": "called positive", "F": "called negative"}
_LABELS = {"recall": "recall · sensitivity (TPR)", "negative_predictive_value": "neg. predictive (NPV)"}


def frame_data(named: NamedCounts, intervals: IntervalChoice, actual_in_rows: bool) -> dict:
    """Rows, columns, cells and the ratios at their ends, with every number as it is written.

    Parameters
    ----------
    named : NamedCounts
    intervals : IntervalChoice
        How the intervals in the explanations are made.
    actual_in_rows : bool
        Actual classes in the rows; else in the columns.
    """
    counts = named.counts
    sums = {
        "is positive": _margin("P", float(counts.actual_positives)),
        "is negative": _margin("N", float(counts.actual_negatives)),
        "says positive": _margin("T", float(counts.predicted_positives)),
        "says negative": _margin("F", float(counts.predicted_negatives)),
    }
    names = {"positive": one_line(named.positive, 30), "negative": one_line(named.negative, 30)}
    says = [
        {"name": f"says {names[side]}", "sum": sums[f"says {side}"], "cells": cells, "ratios": ratios}
        for side, cells, ratios in _SAYS
    ]
    actual = [
        {
            "name": f"actual {names[side]}" if actual_in_rows else names[side],
            "sum": sums[f"is {side}"],
            "cells": cells,
            "ratios": ratios,
        }
        for side, cells, ratios in _IS
    ]
    rows, columns, over = (actual, says, "the prediction") if actual_in_rows else (says, actual, "actually")
    keys = [key for line in (*_SAYS, *_IS) for key in line[2]] + list(_CORNER)
    return {
        "rows": rows,
        "columns": columns,
        "over": over,
        "corner": _CORNER,
        "chosen": "precision",
        "cells": [_cell(counts, key) for key in CELLS],
        "ratios": [_ratio(key, counts, intervals) for key in keys],
    }


def _margin(letter: str, value: float) -> dict:
    return {"key": letter, "value": value, "text": count_text(value), "words": _MARGINS[letter]}


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
        interval = f"{interval_heading(intervals.level)}: {bounds} ({intervals.method_name}, n = {count_text(n or 0)})"
        sentence = f"{measure.summary} {interval}."
    return {
        "key": key,
        "label": _LABELS.get(key, f"{name} ({measure.symbol})"),
        "value": share_text(value),
        "defined": not math.isnan(value),
        "numerator": measure.numerator,
        "denominator": measure.denominator,
        "formula": formula,
        "sentence": sentence,
    }


def _sum(terms: list[str]) -> str:
    return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]
