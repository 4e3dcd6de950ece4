"""The record of a threshold in words: a paragraph for a report."""

import math

from evalcore import METRICS, MetricDef
from evalcore.analyses import Scores
from evalcore.wording import (
    count_text,
    is_word,
    number_text,
    one_line,
    outcome_word,
    share_text,
    threshold_text,
    value_text,
)

from ...export.decision_record import NO_PURPOSE, Purpose, ends_of

TOLD = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy")
"""Rates that are told, in this order."""


def text_of_record(record: dict, scores: Scores, threshold: float, purpose: Purpose = NO_PURPOSE) -> str:
    """The record as a paragraph for a report; plain text, not Markdown."""
    return " ".join(
        sentence
        for sentence in (
            _data_words(record, scores),
            _rule_words(scores, threshold),
            _goal_words(record, scores, threshold, purpose),
            _count_words(record),
            _rate_words(record),
        )
        if sentence
    )


def stretch_text(scores: Scores, low: float, high: float) -> str:
    """All thresholds between two ends, of which only the stricter one belongs to them, in words.

    The ends are rounded inwards, so that what is said holds of every threshold it is said of.
    """

    def written(end: float) -> str:
        for digits in range(6, 17):
            short = f"{end:.{digits}g}"
            inside = low < float(short) <= high if scores.higher else low <= float(short) < high
            if float(short) == end or inside:
                return (threshold_text(float(short)) if digits == 6 else short).replace("-", "−")
        return repr(end).replace("-", "−")

    if low == -math.inf:
        return f"{'up to' if scores.higher else 'below'} {written(high)}"
    if high == math.inf:
        return f"{'above' if scores.higher else 'from'} {written(low)}"
    if scores.higher:
        return f"above {written(low)} up to {written(high)}"
    return f"from {written(low)} to below {written(high)}"


def _data_words(record: dict, scores: Scores) -> str:
    data, current = record["data"], scores.current
    used = data["rows"] - data["left_out"]
    counts = record["counts"]
    positives, total = counts["tp"] + counts["fn"], sum(counts.values())
    title, file = one_line(data["title"]), one_line(data["file"])
    named = title if title == file else f"{title} ({file})"
    weighed = "" if data["weight"] is None else f", counted by their {one_line(data['weight'], 40)}"
    whole = "" if data["weight"] is None else f" of {count_text(total)}"
    left = (
        f"{count_text(data['left_out'])} without a label or a score left out" if data["left_out"] else "none left out"
    )
    unit = current.unit.removesuffix("s") if used == 1 else current.unit
    return (
        f"{named}: {count_text(used)} {unit}{weighed}, {count_text(positives)}{whole} "
        f"{_called(one_line(data['positive'], 40))} ({_share(positives, total)}), {left}."
    )


def _called(positive: str) -> str:
    """The positive class behind a number: a label that is no word stands behind one."""
    return positive if is_word(positive) else f"positive ({positive})"


def _rule_words(scores: Scores, threshold: float) -> str:
    rule = (
        f"A case is called {one_line(scores.positive, 40)} when {one_line(scores.system, 60)} is at "
        f"{'least' if scores.higher else 'most'} {scores.text(threshold)}."
    )
    ends = ends_of(scores, threshold)
    if ends == (-math.inf, math.inf):
        return f"{rule} Every threshold gives the same counts."
    return f"{rule} Every threshold {stretch_text(scores, *ends)} gives the same counts."


def _goal_words(record: dict, scores: Scores, threshold: float, purpose: Purpose) -> str:
    goal = record["goal"]
    if goal is None:
        return ""
    words = f"The goal is {one_line(goal['words'], 300)};"
    if purpose.choice is None:
        return f"{words} no threshold meets its limits."
    if goal["is_best"]:
        return f"{words} this threshold serves it best."
    at = scores.text(purpose.choice.threshold)
    if goal["is_as_good"]:
        return f"{words} this threshold serves it as well as any, and {at} with fewer errors or a higher cut."
    errors = _errors(goal["best"]["counts"])
    return f"{words} this threshold does not serve it best, {at} would ({errors})."


def _count_words(record: dict) -> str:
    counts = record["counts"]
    words = (f"{count_text(counts[cell])} {outcome_word(cell, counts[cell])}" for cell in ("tp", "fn", "fp", "tn"))
    return f"Counts: {', '.join(words)}."


def _errors(counts: dict) -> str:
    return " and ".join(f"{count_text(counts[cell])} {outcome_word(cell, counts[cell])}" for cell in ("fn", "fp"))


def _rate_words(record: dict) -> str:
    level = f"{100 * record['intervals']['level']:g} %"
    told = []
    for key in TOLD:
        measure, found = METRICS[key], record["measures"][key]
        if found["value"] is None:
            told.append(f"{measure.name.lower()} undefined because {measure.undefined_when}")
            continue
        n = f", n = {count_text(found['n'])}" if found["n"] is not None else ""
        told.append(f"{measure.name.lower()} {value_text(measure, found['value'])} ({_bounds(measure, found)}{n})")
    area = record["measures"]["roc_auc"]
    if area["value"] is not None:
        bounds = (
            ", no interval" if area["low"] is None else f" ({number_text(area['low'])} to {number_text(area['high'])})"
        )
        told.append(f"AUC {number_text(area['value'])}{bounds}")
    words = "; ".join(told)
    method = record["intervals"]["method"]
    return f"{words[0].upper()}{words[1:]}. In brackets: {level} intervals ({method}; AUC by DeLong)."


def _bounds(measure: MetricDef, found: dict) -> str:
    if found["low"] is None:
        return "no interval"
    return f"{value_text(measure, found['low'])} to {value_text(measure, found['high'])}"


def _share(part: float, whole: float) -> str:
    return share_text(part / whole if whole else math.nan)
