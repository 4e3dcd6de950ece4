"""The threshold and the whole decision as one record, of which text, JSON and Python are made."""

import json
import math
from dataclasses import dataclass

import numpy as np

from evalcore import METRICS, MetricDef
from evalcore.analyses import CELLS, NamedCounts, Scores
from evalcore.classification import Choice, Limit
from evalcore.inference import IntervalChoice

from ..controls.direction import area_of

SCHEMA = "evalcore threshold 1"
"""Name and version of the keys; a key that is added keeps it, one that goes or changes its meaning does not."""

RECORDED = (
    *("recall", "specificity", "precision", "negative_predictive_value", "accuracy"),
    *("fall_out", "prevalence", "predicted_prevalence", "f_beta", "matthews_correlation"),
)
"""Measures of the counts that are in the record."""


@dataclass(frozen=True, eq=False)
class Purpose:
    """What the threshold is for.

    Parameters
    ----------
    goal_words : str
        The goal as the end of "The goal is …", in plain words, such as "the lowest cost, where a miss costs 5 and a
        false alarm 1"; empty without a goal. Not read as Markdown.
    choice : Choice or None
        The answer of the rule; None without a goal, or where no threshold meets the limits.
    limits : tuple of Limit
        The limits, whether they are met or not.
    choice_code : str
        One Python expression over ``table``, of public names of `evalcore.classification` and of ``find`` and
        ``METRICS``, that gives the choice: ``best(table, find("F2"))``. Empty without a choice.
    """

    goal_words: str = ""
    choice: Choice | None = None
    limits: tuple[Limit, ...] = ()
    choice_code: str = ""

    def stands_at(self, scores: Scores, threshold: float) -> str:
        """Where a threshold stands to the goal: "best", "as good", "other", or "" without an answer."""
        if self.choice is None:
            return ""
        at = float(scores.table.thresholds[scores.table.index(threshold)])
        if at == self.choice.threshold:
            return "best"
        return "as good" if at in self.choice.tied_thresholds else "other"


NO_PURPOSE = Purpose()


def record_of(
    scores: Scores, threshold: float, counted: NamedCounts, intervals: IntervalChoice, purpose: Purpose = NO_PURPOSE
) -> dict:
    """Everything that is known of the threshold, in plain types: unrounded, None where undefined.

    An infinite number is the text "inf" or "-inf", so that the record is JSON as any reader takes it; its `float` is
    the number again.
    """
    current, counts = scores.current, counted.counts
    roles, area = current.roles, area_of(scores, intervals.level)
    return {
        "schema": SCHEMA,
        "data": {
            "title": current.title,
            "file": current.dataset.name,
            "digest": current.dataset.digest,
            "rows": len(current.dataset),
            "left_out": scores.left_out,
            "actual": roles.actual,
            "system": scores.system,
            "weight": roles.weight,
            "positive": scores.positive,
            "negative": scores.negative,
            "higher_is_positive": scores.higher,
        },
        "rule": {
            "comparison": ">=" if scores.higher else "<=",
            "threshold": _plain(threshold),
            "same_counts": _stretch(scores, threshold),
        },
        "goal": None if not purpose.goal_words else _goal(scores, threshold, purpose),
        "limits": [_limit(limit, counts) for limit in purpose.limits],
        "counts": {cell: float(getattr(counts, cell)) for cell in CELLS},
        "measures": {key: _measure(METRICS[key], counts, intervals) for key in RECORDED}
        | {
            "roc_auc": {
                "name": METRICS["roc_auc"].name,
                **{end: _plain(float(getattr(area, of))) for end, of in _ENDS.items()},
                "n": float(counts.total),
                "interval": "DeLong",
            }
        },
        "intervals": {"method": intervals.method_name, "level": intervals.level},
    }


def json_of(record: dict) -> str:
    """The record as JSON, names in their own letters."""
    written = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    # Half a character, which a broken file may hold, has no bytes; as an escape any reader takes it.
    return written.encode("utf-8", "backslashreplace").decode()


def ends_of(scores: Scores, threshold: float) -> tuple[float, float]:
    """The two ends of the thresholds that give the same counts, of which only the stricter one is among them."""
    row = np.array([scores.table.index(threshold)])
    low, high = scores.table.ranges(row, row)[0].tolist()
    return low, high


_ENDS = {"value": "estimate", "low": "low", "high": "high"}


def _plain(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def _stretch(scores: Scores, threshold: float) -> dict:
    """Which thresholds give the same counts."""
    low, high = ends_of(scores, threshold)
    return {
        "lowest": _plain(low),
        "lowest_included": not scores.higher,
        "highest": _plain(high),
        "highest_included": scores.higher,
    }


def _goal(scores: Scores, threshold: float, purpose: Purpose) -> dict:
    choice = purpose.choice
    found = None
    if choice is not None:
        cells = {cell: float(getattr(choice.counts, cell)) for cell in CELLS}
        found = {"threshold": _plain(choice.threshold), "value": _plain(choice.value), "counts": cells}
    stands = purpose.stands_at(scores, threshold)
    return {"words": purpose.goal_words, "best": found, "is_best": stands == "best", "is_as_good": stands == "as good"}


def _limit(limit: Limit, counts) -> dict:
    value = float(limit.measure(counts))
    return {
        "measure": _key_of(limit),
        "at_least": limit.at_least,
        "at_most": limit.at_most,
        "value": _plain(value),
        "met": bool(limit.met(value)),
    }


def _key_of(limit: Limit) -> str:
    measure = limit.measure
    return measure.label if isinstance(measure, MetricDef) else getattr(measure, "__name__", "measure")


def _measure(measure: MetricDef, counts, intervals: IntervalChoice) -> dict:
    found = intervals.of(measure, counts)
    value = float(measure(counts))
    low, high, n = (float(found[0].low), float(found[0].high), found[1]) if found else (math.nan, math.nan, math.nan)
    method = intervals.method_name if measure.reads else "bootstrap"
    return {
        "name": measure.name,
        **{"value": _plain(value), "low": _plain(low), "high": _plain(high), "n": _plain(n)},
        "interval": method,
    }
