"""The record of a decision: a threshold with its data, goal, limits, counts and measures, as text, JSON and Python."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.data import CELLS, Scores, goal_text, goal_value, literal, script
from evalcore.analyses.data.binned_scores import certain_numbers, certain_text
from evalcore.analyses.threshold.choice import CASES, ThresholdChoice, amount_interval, interval_text
from evalcore.classification import ConfusionCounts
from evalcore.inference import Interval, IntervalChoice
from evalcore.numeric import Array
from evalcore.readers import counted_rows, each_counts_alike
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import is_word, one_line, share_text, value_text
from evalcore.wording.numbers import count_text, level_text, number_text, outcome_word, range_text, rows_text

__all__ = ["DecisionRecord", "threshold_columns"]

# Name and version of the keys; a key that is added keeps it, one that goes or changes its meaning does not.
SCHEMA = "evalcore threshold 1"
REPORTED = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy")
"""Measures in the text; the record has all."""


@dataclass(frozen=True, eq=False)
class DecisionRecord:
    """A threshold with its data, goal, limits, counts and measures."""

    scores: Scores
    threshold: float
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    chosen: ThresholdChoice | None = None  # what the threshold is for: a goal, and its own choice
    area: Interval | None = None  # the area under the ROC curve at this level, where it is known already

    @cached_property
    def record(self) -> dict:
        """The record in plain types, unrounded: None for undefined values, the texts "inf" and "-inf" for infinity."""
        scores, intervals, chosen = self.scores, self.intervals, self.chosen
        current, counts = scores.current, scores.counts_at(self.threshold)
        low, high = map(plain_number, scores.range_of(self.threshold))
        same_counts = {"lowest": low, "lowest_included": not scores.higher}
        same_counts |= {"highest": high, "highest_included": scores.higher}
        certain = certain_numbers(scores, self.threshold, chosen and chosen.goal)
        return {
            "schema": SCHEMA,
            "data": {
                "title": current.title, "file": current.dataset.name, "digest": current.dataset.digest,
                "rows": current.rows + scores.left_out if current.counts_rows else counted_rows(current.dataset),
                "left_out": scores.left_out, "actual": current.roles.get("actual"), "system": scores.system,
                "weight": None if current.counts_rows else current.roles.get("weight"),
                "positive": scores.positive, "negative": scores.negative, "higher_is_positive": scores.higher,
            },
            "rule": {
                "comparison": ">=" if scores.higher else "<=", "threshold": plain_number(self.threshold),
                "same_counts": same_counts,
            },
            "goal": None if chosen is None else _goal(chosen, self.threshold),
            "limits": [] if chosen is None else _limits(chosen, counts),
            "promise": None if chosen is None else _promise(chosen, self.threshold),
            "counts": cells_of(counts),
            "measures": self._measures(counts),
            "intervals": {"method": intervals.method_name, "level": intervals.level},
        } | ({"certain": certain} if certain else {})  # fmt: skip

    @property
    def json(self) -> str:
        """The record as JSON, names in their own letters."""
        return record_json(self.record)

    @property
    def text(self) -> str:
        """The record as a paragraph for a report; plain text, not Markdown."""
        scores = self.scores
        rule = (
            f"A case is called {one_line(scores.positive, 40)} when {one_line(scores.system, 60)} is at "
            f"{'least' if scores.higher else 'most'} {scores.text(self.threshold)}."
        )
        ends = scores.range_of(self.threshold)
        same = f" {scores.range_text(*ends)}" if ends != (-math.inf, math.inf) else ""
        counts = _outcomes(self.record["counts"], ("tp", "fn", "fp", "tn"), ", ")
        promised = self.chosen.promise.holds_text(self.threshold) if self.chosen and self.chosen.promise else ""
        parts = (self._data_text(), rule, f"Any threshold{same} gives the same counts.", self._goal_text(), promised)
        certain = certain_text(scores, self.threshold, self.chosen and self.chosen.goal)
        return " ".join(part for part in (*parts, f"Counts: {counts}.", self._rate_text(), certain) if part)

    @property
    def code(self) -> str:
        """Python that recomputes counts, measures with intervals and the choice, and asserts them."""
        known = lambda number: math.nan if number is None else float(number)  # noqa: E731
        measures = self.record["measures"].items()
        expected = {key: tuple(known(one[end]) for end in ("value", "low", "high")) for key, one in measures}
        area = expected.pop("roc_auc")
        if self._cost is not None:
            del expected["cost"]  # of rows; that of the best threshold is the value of the choice
        lines = "".join(f"    {key!r}: {literal(values)},\n" for key, values in expected.items())
        intervals = f"IntervalChoice({self.intervals.method!r}, {self.intervals.level!r}, {self.intervals.area!r})"
        promise, most = self.chosen and self.chosen.promise, "least" if self.scores.higher else "most"
        return script(
            self.scores.code,
            f"""
# A score of at {most} {self.threshold!r} is called positive.
counts = scored.counts_at({literal(float(self.threshold))})
assert (counts.tp, counts.fp, counts.fn, counts.tn) == {tuple(self.record["counts"].values())}

intervals = {intervals}
expected = {{  # value, lower and upper bound
{lines}}}
for name, values in expected.items():
    interval = intervals.of(METRICS[name], counts)
    bounds = (math.nan, math.nan) if interval is None else (interval[0].low, interval[0].high)
    np.testing.assert_allclose((METRICS[name](counts), *bounds), values, rtol=1e-9, atol=1e-12, err_msg=name)
area = intervals.of_area(scored)
np.testing.assert_allclose((area.estimate, area.low, area.high), {literal(area)}, rtol=1e-9, atol=1e-12)
""",
            self._choice_code(),
            promise.check if promise else "",
        )

    @cached_property
    def _cost(self) -> Interval | None:
        """Cost per case at the threshold, if the goal counts with amounts of rows."""
        goal = self.chosen and self.chosen.goal
        return amount_interval(goal, self.threshold, self.intervals.level) if goal and goal.priced else None

    def _measures(self, counts: ConfusionCounts) -> dict[str, dict]:
        measures, intervals = {}, self.intervals
        special = {"logarithm": "logarithm, bootstrap where a cell is empty", "share": intervals.method_name}
        for measure in measures_of("counts"):
            found, method = intervals.of(measure, counts) or NO_INTERVAL, special.get(measure.interval, "bootstrap")
            measures[measure.key] = _measure(measure, float(measure(counts)), *found, method)
        if self.chosen and self.chosen.goal.priced and (cost := self._cost):
            rows = float(len(self.chosen.goal.priced.labels))
            measures["cost"] = _measure(METRICS["cost"], float(cost.estimate), cost, rows, "bootstrap")
        area = self.area or intervals.of_area(self.scores.scored)
        roc_auc = _measure(METRICS["roc_auc"], float(area.estimate), area, float(counts.total), intervals.area_name)
        return measures | {"roc_auc": roc_auc}

    def _choice_code(self) -> str:
        if self.chosen is None or self.chosen.choice is None or not self.chosen.code:
            return ""
        choice = self.chosen.choice
        far, beyond, to = ("low", "above", "up") if self.scores.higher else ("high", "below", "down")
        value = "" if math.isnan(choice.value) else f"assert math.isclose(choice.value, {literal(choice.value)})\n"
        return f"""
table = scored.table()
choice = {self.chosen.code}
assert choice.threshold == {literal(choice.threshold)}
# Any threshold {beyond} this end, {to} to the chosen one, gives the same counts.
assert choice.{far} == {literal(getattr(choice, far))}
{value}"""

    def _data_text(self) -> str:
        data, counts = self.record["data"], self.record["counts"]
        used = data["rows"] - data["left_out"]
        positives, total = counts["tp"] + counts["fn"], sum(counts.values())
        share = share_text(positives / total if total else math.nan)
        title, file = one_line(data["title"]), one_line(data["file"])
        weight, left_out = data["weight"], data["left_out"]
        title = title if title == file else f"{title} ({file})"
        weighed = "" if weight is None else f", weighted by {one_line(weight, 40)}"
        of_all = "" if each_counts_alike(self.scores.current.dataset) else f" of {count_text(total)}"
        left = f"{count_text(left_out)} without a label or a score left out" if left_out else "none left out"
        unit = self.scores.current.unit.removesuffix("s") if used == 1 else self.scores.current.unit
        positive = one_line(data["positive"], 40)
        # A label that is no word stands behind one.
        called = positive if is_word(positive) else f"positive ({positive})"
        found = f"{count_text(positives)}{of_all} {called} ({share})"
        return f"{title}: {count_text(used)} {unit}{weighed}, {found}, {left}."

    def _goal_text(self) -> str:
        goal = self.record["goal"]
        if goal is None:
            return ""
        words = f"The goal is {one_line(goal['words'], 300)}"
        if self._cost is not None:
            left = goal["without_amount"]
            without = f", without the {rows_text(left)} that have no amount" if left else ""
            words = f"{words}, here {interval_text(self._cost)} {CASES}{without}"
        if goal["best"] is None or goal["is_best"]:
            return f"{words}; {'this is the best threshold' if goal['is_best'] else 'no threshold meets its limits'}."
        best, at = goal["best"]["counts"], self.scores.text(float(goal["best"]["threshold"]))
        if goal["is_as_good"]:
            return f"{words}; this threshold reaches the best value, as does {at} with fewer errors or stricter."
        return f"{words}; the best threshold is {at} ({_outcomes(best, ('fn', 'fp'), ' and ')})."

    def _rate_text(self) -> str:
        rates = []
        for key in REPORTED:
            measure, rate = METRICS[key], self.record["measures"][key]
            if rate["value"] is None:
                rates.append(f"{measure.name.lower()} undefined because {measure.undefined_when}")
                continue
            n = f", n = {count_text(rate['n'])}" if rate["n"] is not None else ""
            value = value_text(measure, rate["value"])
            rates.append(f"{measure.name.lower()} {value} ({rate_bounds_text(measure, rate)}{n})")
        area = self.record["measures"]["roc_auc"]
        if area["value"] is not None:
            rates.append(f"AUC {number_text(area['value'])} ({rate_bounds_text(METRICS['roc_auc'], area)})")
        words, areas = "; ".join(rates), self.scores.current.area_method
        method = f"{level_text(self.intervals.level)} intervals ({self.intervals.method_name}; AUC by {areas})"
        return f"{words[0].upper()}{words[1:]}. In brackets: {method}."


def threshold_columns(scores: Scores, threshold: float, most: int = 1_000_000) -> dict[str, Array]:
    """Counts and rates at every distinct score, or at `most` of them: evenly spaced ones and that of the threshold."""
    table = scores.table
    rows = np.arange(len(table))
    if len(rows) > most:
        rows = np.union1d(np.linspace(0, len(table) - 1, most - 1).astype(np.intp), table.index(threshold))
    counts = table.counts[rows]
    rates = [METRICS[key] for key in ("recall", "fall_out", "precision", "negative_predictive_value", "accuracy")]
    columns = {cell: getattr(counts, cell) for cell in CELLS} | {rate.name: rate(counts) for rate in rates}
    return {"threshold": table.thresholds[rows], **columns}


def record_json(record: dict) -> str:
    """Write a record as JSON, names in their own letters."""
    # Half a character, which a broken file may hold, has no bytes; as an escape any reader takes it.
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode()


NO_INTERVAL = Interval(math.nan, math.nan, math.nan), math.nan  # and no number of rows


def plain_number(value: float) -> float | str | None:
    """A number as JSON has it: None if undefined, "inf" and "-inf" for infinity."""
    return value if math.isfinite(value) else None if math.isnan(value) else "inf" if value > 0 else "-inf"


def plain_interval(value: float, interval: Interval, n: float) -> dict:
    """A value with the ends of its interval and the rows behind it, as JSON has them."""
    numbers = {"value": value, "low": float(interval.low), "high": float(interval.high), "n": n}
    return {key: plain_number(number) for key, number in numbers.items()}


def _outcomes(counts: dict[str, float], cells: Sequence[str], between: str) -> str:
    return between.join(f"{count_text(counts[cell])} {outcome_word(cell, counts[cell])}" for cell in cells)


def cells_of(counts: ConfusionCounts) -> dict[str, float]:
    """The four counts by the names of their cells."""
    return {cell: float(getattr(counts, cell)) for cell in CELLS}


def _goal(chosen: ThresholdChoice, threshold: float) -> dict:
    choice, status, prices = chosen.choice, chosen.status(threshold), chosen.goal.priced
    best = choice and {
        "threshold": plain_number(choice.threshold), "value": plain_number(choice.value),
        "counts": cells_of(choice.counts),
    }  # fmt: skip
    return {
        "words": goal_text(chosen.goal), "value": plain_number(goal_value(chosen.scores, chosen.goal, threshold)),
        "best": best, "is_best": status == "best", "is_as_good": status == "as good",
        "without_amount": 0 if prices is None else prices.left_out,
    }  # fmt: skip


def _limits(chosen: ThresholdChoice, counts: ConfusionCounts) -> list[dict]:
    limits = ((limit, limit.measure) for limit in chosen.goal.limits if isinstance(limit.measure, MetricDef))
    return [
        {
            "measure": measure.label, "at_least": limit.at_least, "at_most": limit.at_most,
            "value": plain_number(float(measure(counts))), "met": bool(limit.met(measure(counts))),
        } | ({"parameters": dict(measure.arguments)} if measure.arguments else {})
        for limit, measure in limits
    ]  # fmt: skip


def _promise(chosen: ThresholdChoice, threshold: float) -> dict | None:
    if chosen.promise is None or chosen.promise.ranges is None:
        return None
    ranges = [[plain_number(end) for end in ends] for ends in chosen.promise.ranges.tolist()]
    holds, chosen_from = chosen.promise.holds_at(threshold), chosen.on_new_rows
    return {"level": chosen.promise.level, "ranges": ranges, "holds": holds, "chosen_from": chosen_from}


def _measure(measure: MetricDef, value: float, interval: Interval, n: float, method: str) -> dict:
    return {"name": measure.name, **plain_interval(value, interval, n), "interval": method}


def rate_bounds_text(measure: MetricDef, rate: dict) -> str:
    """The ends "low" and "high" of a value's interval, as text."""
    ends = "" if rate["low"] is None else range_text(*(value_text(measure, rate[end]) for end in ("low", "high")))
    return ends or "no interval"
