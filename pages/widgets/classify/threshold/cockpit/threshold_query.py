"""What is typed at the line: a threshold, the value that a measure shall have, or how many rows to flag."""

import math
import re

from evalcore import METRICS, find
from evalcore.analyses import Scores
from evalcore.classification import NoThreshold, flag_goal, threshold_for_value
from evalcore.registry import MetricDef
from evalcore.wording import THIN, value_text

EXAMPLES = "0.62, recall = 0.9, precision ≥ 95 %, flag 100"
LONGEST = 80
"""Characters that are read."""

_SIDES = {"=": "nearest", "≥": "at least", ">=": "at least", ">": "at least", "≤": "at most", "<=": "at most"}
_SIDES |= {"<": "at most", "": "nearest"}
_NUMBER = r"(?P<number>[+\-−]?(?:\d[\d '\u202f\u00a0]*)?(?:[.,]\d+)?(?:e[+\-−]?\d+)?|[+\-−]?(?:inf|infinity|∞))"
_VALUE = re.compile(rf"(?P<name>.*?)\s*(?P<side>>=|<=|[=≥≤<>]|\s)\s*{_NUMBER}\s*(?P<percent>%?)", re.IGNORECASE)
_ALONE = re.compile(_NUMBER, re.IGNORECASE)


class NotUnderstood(ValueError):
    """What was typed names no threshold; the message is the sentence for the reader."""


def threshold_for(scores: Scores, typed: str) -> float:
    """The threshold of the file that is meant.

    Raises
    ------
    NotUnderstood
        With a sentence for the field, safe to show as plain text.
    """
    words = " ".join(typed[:LONGEST].split())
    if not words:
        raise NotUnderstood(f"Type a threshold or a wish: {EXAMPLES}.")
    if (alone := _ALONE.fullmatch(words)) and (value := _number(alone["number"])) is not None:
        return value
    asked = _VALUE.fullmatch(words)
    value = _number(asked["number"]) if asked else None
    if asked is None or value is None or not asked["name"]:
        raise NotUnderstood(f"Not understood. Type for example: {EXAMPLES}.")
    percent = bool(asked["percent"])
    if asked["name"].casefold() == "flag":
        return _flag(scores, value, percent)
    return _of_measure(scores, asked["name"], _SIDES[asked["side"].strip()], value / 100 if percent else value)


def _of_measure(scores: Scores, name: str, side: str, value: float) -> float:
    try:
        measure = find(name)
    except (KeyError, ValueError):
        raise NotUnderstood(f"No measure is called “{name}”. Type for example: {EXAMPLES}.") from None
    if measure.key not in METRICS or measure.family != "counts":
        raise NotUnderstood(f"{measure.name} does not depend on the threshold.")
    if not measure.lowest <= value <= measure.highest:
        raise NotUnderstood(_out_of_range(measure, value))
    try:
        return threshold_for_value(scores.table, measure, value, side).threshold
    except NoThreshold:
        raise NotUnderstood(_never(scores, measure, side, value)) from None


def _flag(scores: Scores, value: float, percent: bool) -> float:
    if value < 0 or math.isinf(value) or (percent and value > 100):
        raise NotUnderstood("Say how many rows to flag: flag 100, or flag 5 %.")
    asked = {"share": value / 100} if percent else {"rows": value}
    return flag_goal(**asked).choose(scores.table).threshold


def _out_of_range(measure: MetricDef, value: float) -> str:
    sentence = f"{measure.name} lies between {_bound(measure.lowest)} and {_bound(measure.highest)}"
    if measure.percent and 1 < value <= 100:
        return f"{sentence}: did you mean {value:g}{THIN}%?"
    return f"{sentence}."


def _never(scores: Scores, measure: MetricDef, side: str, value: float) -> str:
    try:
        extreme = measure.highest if side == "at least" else measure.lowest
        nearest = threshold_for_value(scores.table, measure, extreme if math.isfinite(extreme) else value)
    except NoThreshold:
        return f"{measure.name} is undefined at every threshold: {measure.undefined_when}."
    where = f"the nearest is {value_text(measure, nearest.value)}, at {scores.text(nearest.threshold)}"
    return f"{measure.name} is never {side} {value_text(measure, value)}; {where}."


def _bound(value: float) -> str:
    return ("∞" if value > 0 else "−∞") if math.isinf(value) else f"{value:g}"


def _number(written: str) -> float | None:
    plain = re.sub(r"[ '\u202f\u00a0]", "", written).replace("−", "-").replace("∞", "inf").replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return None
    return None if math.isnan(value) else value
