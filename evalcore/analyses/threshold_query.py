"""The threshold that a typed text means: a number, the value of a measure to reach, or how many rows to flag."""

import math
import re

from evalcore.analyses.scores import Scores
from evalcore.classification import NoThreshold, flag_goal, threshold_for_value
from evalcore.registry import METRICS, MetricDef, find
from evalcore.wording.numbers import THIN, value_text

__all__ = ["UnclearThreshold", "threshold_meant"]

EXAMPLES = "0.62, recall = 0.9, precision ≥ 95 %, flag 100"
LONGEST = 80
"""Characters that are read."""

_SIDES = {"=": "nearest", "≥": "at least", ">=": "at least", ">": "at least", "≤": "at most", "<=": "at most"}
_SIDES |= {"<": "at most", "": "nearest"}
_NUMBER = r"(?P<number>[+\-−]?(?:\d[\d '\u202f\u00a0]*)?(?:[.,]\d+)?(?:e[+\-−]?\d+)?|[+\-−]?(?:inf|infinity|∞))"
_VALUE = re.compile(rf"(?P<name>.*?)\s*(?P<side>>=|<=|[=≥≤<>]|\s)\s*{_NUMBER}\s*(?P<percent>%?)", re.IGNORECASE)
_ALONE = re.compile(_NUMBER, re.IGNORECASE)


class UnclearThreshold(ValueError):
    """A text means no threshold; the message says why, in plain text."""


def threshold_meant(scores: Scores, typed: str) -> float:
    """The threshold that the first 80 characters of a text mean.

    Raises
    ------
    UnclearThreshold
        With a sentence for the reader.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> [threshold_meant(scores, typed) for typed in ("0,62", "recall = 90 %", "flag 3")]
    [0.62, 0.34, 0.7]
    """
    words = " ".join(typed[:LONGEST].split())
    if not words:
        raise UnclearThreshold(f"Type a threshold or a target: {EXAMPLES}.")
    if (alone := _ALONE.fullmatch(words)) and (value := _number(alone["number"])) is not None:
        return value
    match = _VALUE.fullmatch(words)
    value = _number(match["number"]) if match else None
    if match is None or value is None or not match["name"]:
        raise UnclearThreshold(f"Not understood. Try {EXAMPLES}.")
    value = value / 100 if match["percent"] else value
    if match["name"].casefold() == "flag":
        if value < 0 or math.isinf(value) or (match["percent"] and value > 1):
            raise UnclearThreshold("Say how many rows to flag: flag 100, or flag 5 %.")
        return flag_goal(**{"share" if match["percent"] else "rows": value}).choose(scores.table).threshold
    return _with_value(scores, match["name"], _SIDES[match["side"].strip()], value)


def _with_value(scores: Scores, name: str, side: str, value: float) -> float:
    try:
        measure = find(name)
    except (KeyError, ValueError):
        raise UnclearThreshold(f"No measure is called “{name}”. Try {EXAMPLES}.") from None
    if measure.key not in METRICS or measure.family != "counts":
        raise UnclearThreshold(f"{measure.name} does not depend on the threshold.")
    if not measure.lowest <= value <= measure.highest:
        ends = " and ".join(_bound_text(end) for end in (measure.lowest, measure.highest))
        meant = f": did you mean {value:g}{THIN}%?" if measure.percent and 1 < value <= 100 else "."
        raise UnclearThreshold(f"{measure.name} lies between {ends}{meant}")
    try:
        return threshold_for_value(scores.table, measure, value, side).threshold
    except NoThreshold:
        raise UnclearThreshold(_out_of_reach(scores, measure, side, value)) from None


def _out_of_reach(scores: Scores, measure: MetricDef, side: str, value: float) -> str:
    try:
        extreme = measure.highest if side == "at least" else measure.lowest
        closest = threshold_for_value(scores.table, measure, extreme if math.isfinite(extreme) else value)
    except NoThreshold:
        return f"{measure.name} is undefined at every threshold: {measure.undefined_when}."
    where = f"{value_text(measure, closest.value)}, at {scores.text(closest.threshold)}"
    return f"{measure.name} is never {side} {value_text(measure, value)}; the closest value is {where}."


def _bound_text(value: float) -> str:
    return ("∞" if value > 0 else "−∞") if math.isinf(value) else f"{value:g}"


def _number(text: str) -> float | None:
    plain = re.sub(r"[ '\u202f\u00a0]", "", text).replace("−", "-").replace("∞", "inf").replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return None
    return None if math.isnan(value) else value
