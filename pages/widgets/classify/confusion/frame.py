"""The 2×2 table in the frame of the textbook: cells that can be typed into, ratios that explain themselves."""

from pathlib import Path

import streamlit as st

from evalcore import METRICS
from evalcore.classification import ConfusionCounts, with_margin
from evalcore.inference import Interval, IntervalChoice
from evalcore.wording import THIN, UNDEFINED, count_text, one_line, share_text

from ...session.current_counts import CELLS, Counted, put_cells

_FOLDER = Path(__file__).parent
_COMPONENT = st.components.v2.component(
    "confusion_frame",
    html='<div class="frame"></div>\n',
    css=(_FOLDER / "frame.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "frame.js").read_text(encoding="utf-8"),
)

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


def choose_turned() -> bool:
    """Ask which way the table lies; the choice stays in the address. True: actual classes in the rows."""
    actual_in = st.segmented_control(
        "Actual class in", ("columns", "rows"), default="columns", key="actual", bind="query-params"
    )
    return actual_in == "rows"


def show_frame(
    counted: Counted, intervals: IntervalChoice, turned: bool, key: str = "frame", fixed: bool = False
) -> None:
    """Draw the table; a typed cell makes a what-if copy in the address.

    Parameters
    ----------
    counted : Counted
        The counts and the words for the classes.
    intervals : IntervalChoice
        How the intervals in the explanations are made.
    turned : bool
        Actual classes in the rows; else in the columns.
    key : str
        Its name in the page.
    fixed : bool
        Nothing can be typed.
    """
    _COMPONENT(
        key=key,
        data=_data(counted, intervals, turned) | {"fixed": fixed},
        on_typed_change=lambda: fixed or _type(counted.counts, st.session_state[key].get("typed")),
    )


def _data(counted: Counted, intervals: IntervalChoice, turned: bool) -> dict:
    counts = counted.counts
    sums = {
        "is positive": _margin("P", float(counts.actual_positives)),
        "is negative": _margin("N", float(counts.actual_negatives)),
        "says positive": _margin("T", float(counts.predicted_positives)),
        "says negative": _margin("F", float(counts.predicted_negatives)),
    }
    names = {"positive": one_line(counted.positive, 30), "negative": one_line(counted.negative, 30)}
    says = [
        {"name": f"says {names[side]}", "sum": sums[f"says {side}"], "cells": cells, "ratios": ratios}
        for side, cells, ratios in _SAYS
    ]
    actual = [
        {
            "name": f"actual {names[side]}" if turned else names[side],
            "sum": sums[f"is {side}"],
            "cells": cells,
            "ratios": ratios,
        }
        for side, cells, ratios in _IS
    ]
    rows, columns, over = (actual, says, "the prediction") if turned else (says, actual, "actually")
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
    value = float(measure(counts))
    defined = value == value
    letters = [" + ".join(cell.upper() for cell in part) for part in (measure.numerator, measure.denominator)]
    numbers = [
        " + ".join(count_text(float(getattr(counts, cell))) for cell in part)
        for part in (measure.numerator, measure.denominator)
    ]
    name = measure.name.lower()
    in_letters, in_numbers = (" / ".join(_bracketed(part) for part in parts) for parts in (letters, numbers))
    formula = f"{name} = {in_letters} = {in_numbers} = {share_text(value)}"
    sentence = f"{measure.summary} {_uncertainty(intervals.of(measure, counts), intervals)}"
    if not defined:
        formula, sentence = f"{name} is {UNDEFINED}: {measure.undefined_when}", measure.summary
    return {
        "key": key,
        "label": _LABELS.get(key, f"{name} ({measure.symbol})"),
        "value": share_text(value),
        "defined": defined,
        "numerator": measure.numerator,
        "denominator": measure.denominator,
        "formula": formula,
        "sentence": sentence,
    }


def _bracketed(part: str) -> str:
    return f"({part})" if "+" in part else part


def _uncertainty(found: tuple[Interval, float] | None, intervals: IntervalChoice) -> str:
    if found is None:
        return ""
    interval, n = found
    bounds = f"{share_text(float(interval.low))} – {share_text(float(interval.high))}"
    return f"{100 * intervals.level:g}{THIN}% interval {bounds} ({intervals.method_name}, n = {count_text(n)})."


def _type(counts: ConfusionCounts, typed: dict | None) -> None:
    """Keep the typed number with the others as they follow; what comes from a browser is checked again."""
    if not isinstance(typed, dict):
        return
    cells = {key: float(getattr(counts, key)) for key in CELLS}
    try:
        value = float(typed["value"])
        if typed["cell"] in CELLS:
            cells[typed["cell"]] = value
        else:
            scaled = with_margin(counts, typed["cell"], value)
            cells = {key: float(getattr(scaled, key)) for key in CELLS}
    except (KeyError, TypeError, ValueError):
        return
    put_cells(cells.values())
