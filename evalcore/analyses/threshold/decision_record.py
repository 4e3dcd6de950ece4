"""The record of a decision: a threshold with its data, goal, limits, counts and measures, as text, JSON and Python."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.data import CELLS, Scores, goal_text, literal, script, threshold_note
from evalcore.analyses.data.binned_scores import certain_numbers, certain_text
from evalcore.analyses.threshold.choice import ThresholdChoice
from evalcore.classification import ConfusionCounts
from evalcore.inference import Comparison, Interval, IntervalChoice, adjusted, independent_differences
from evalcore.numeric import Array
from evalcore.readers import ReadProblem, counted_rows, each_counts_alike
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import (
    Cell,
    bounds_text,
    count_text,
    difference_text,
    is_word,
    level_text,
    number_text,
    one_line,
    outcome_word,
    p_text,
    plain,
    range_text,
    share_text,
    threshold_text,
    value_text,
)

__all__ = ["DecisionCheck", "DecisionRecord", "KeptDecision", "threshold_columns"]

SCHEMA = "evalcore threshold 1"
"""Name and version of the keys; a key that is added keeps it, one that goes or changes its meaning does not."""

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
        low, high = map(_plain, scores.range_of(self.threshold))
        same_counts = {
            "lowest": low, "lowest_included": not scores.higher,
            "highest": high, "highest_included": scores.higher,
        }  # fmt: skip
        certain = certain_numbers(scores, self.threshold, chosen and chosen.goal)
        return {
            "schema": SCHEMA,
            "data": {
                "title": current.title,
                "file": current.dataset.name,
                "digest": current.dataset.digest,
                "rows": current.rows + scores.left_out if current.counts_rows else counted_rows(current.dataset),
                "left_out": scores.left_out,
                "actual": current.roles.get("actual"),
                "system": scores.system,
                "weight": None if current.counts_rows else current.roles.get("weight"),
                "positive": scores.positive,
                "negative": scores.negative,
                "higher_is_positive": scores.higher,
            },
            "rule": {
                "comparison": ">=" if scores.higher else "<=",
                "threshold": _plain(self.threshold),
                "same_counts": same_counts,
            },
            "goal": None if chosen is None else _goal(chosen, self.threshold),
            "limits": [] if chosen is None else _limits(chosen, counts),
            "promise": None if chosen is None else _promise(chosen, self.threshold),
            "counts": _cells(counts),
            "measures": self._measures(counts),
            "intervals": {"method": intervals.method_name, "level": intervals.level},
        } | ({"certain": certain} if certain else {})

    @property
    def json(self) -> str:
        """The record as JSON, names in their own letters."""
        return _json(self.record)

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
        measures = self.record["measures"].items()
        expected = {
            key: tuple(math.nan if one[end] is None else float(one[end]) for end in ("value", "low", "high"))
            for key, one in measures
        }
        area = expected.pop("roc_auc")
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

    def _measures(self, counts: ConfusionCounts) -> dict[str, dict]:
        measures, intervals = {}, self.intervals
        for measure in measures_of("counts"):
            interval, n = intervals.of(measure, counts) or (_NONE, math.nan)
            special = {"logarithm": "logarithm, bootstrap where a cell is empty", "share": intervals.method_name}
            method = special.get(measure.interval, "bootstrap")
            measures[measure.key] = _measure(measure, float(measure(counts)), interval, n, method)
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
        title, weight, left_out = title if title == file else f"{title} ({file})", data["weight"], data["left_out"]
        weighed = "" if weight is None else f", weighted by {one_line(weight, 40)}"
        of_all = "" if each_counts_alike(self.scores.current.dataset) else f" of {count_text(total)}"
        left = f"{count_text(left_out)} without a label or a score left out" if left_out else "none left out"
        unit = self.scores.current.unit.removesuffix("s") if used == 1 else self.scores.current.unit
        positive = one_line(data["positive"], 40)
        # A label that is no word stands behind one.
        called = positive if is_word(positive) else f"positive ({positive})"
        return (
            f"{title}: {count_text(used)} {unit}{weighed}, {count_text(positives)}{of_all} {called} ({share}), {left}."
        )

    def _goal_text(self) -> str:
        goal = self.record["goal"]
        if goal is None:
            return ""
        words = f"The goal is {one_line(goal['words'], 300)}"
        if goal["best"] is None:
            return f"{words}; no threshold meets its limits."
        if goal["is_best"]:
            return f"{words}; this is the best threshold."
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
            rates.append(f"{measure.name.lower()} {value} ({_bounds_text(measure, rate)}{n})")
        area = self.record["measures"]["roc_auc"]
        if area["value"] is not None:
            rates.append(f"AUC {number_text(area['value'])} ({_bounds_text(METRICS['roc_auc'], area)})")
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


def _json(record: dict) -> str:
    # Half a character, which a broken file may hold, has no bytes; as an escape any reader takes it.
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode()


_NONE = Interval(math.nan, math.nan, math.nan)


def _plain(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def _outcomes(counts: dict[str, float], cells: Sequence[str], between: str) -> str:
    return between.join(f"{count_text(counts[cell])} {outcome_word(cell, counts[cell])}" for cell in cells)


def _cells(counts: ConfusionCounts) -> dict[str, float]:
    return {cell: float(getattr(counts, cell)) for cell in CELLS}


def _goal(chosen: ThresholdChoice, threshold: float) -> dict:
    choice, status = chosen.choice, chosen.status(threshold)
    best = choice and {
        "threshold": _plain(choice.threshold), "value": _plain(choice.value), "counts": _cells(choice.counts),
    }  # fmt: skip
    words = goal_text(chosen.goal)
    return {"words": words, "best": best, "is_best": status == "best", "is_as_good": status == "as good"}


def _limits(chosen: ThresholdChoice, counts: ConfusionCounts) -> list[dict]:
    limits = ((limit, limit.measure) for limit in chosen.goal.limits if isinstance(limit.measure, MetricDef))
    return [
        {
            "measure": measure.label, "at_least": limit.at_least, "at_most": limit.at_most,
            "value": _plain(float(measure(counts))), "met": bool(limit.met(measure(counts))),
        }
        for limit, measure in limits
    ]  # fmt: skip


def _promise(chosen: ThresholdChoice, threshold: float) -> dict | None:
    if chosen.promise is None or chosen.promise.ranges is None:
        return None
    ranges = [[_plain(end) for end in ends] for ends in chosen.promise.ranges.tolist()]
    holds, chosen_from = chosen.promise.holds_at(threshold), chosen.on_new_rows
    return {"level": chosen.promise.level, "ranges": ranges, "holds": holds, "chosen_from": chosen_from}


def _measure(measure: MetricDef, value: float, interval: Interval, n: float, method: str) -> dict:
    numbers = {"value": value, "low": float(interval.low), "high": float(interval.high), "n": n}
    return {"name": measure.name} | {key: _plain(number) for key, number in numbers.items()} | {"interval": method}


def _bounds_text(measure: MetricDef, rate: dict) -> str:
    ends = "" if rate["low"] is None else range_text(*(value_text(measure, rate[end]) for end in ("low", "high")))
    return ends or "no interval"


KEPT = "evalcore decision 1"  # name and version of the keys
LONGEST = {"name": 80, "who": 80, "reason": 1000}  # letters of what a person writes


@dataclass(frozen=True)
class KeptDecision:
    """Kept threshold with its numbers, author, time and reason, all unescaped text from a person or a file."""

    name: str
    who: str
    reason: str
    saved: str  # a time such as "2026-11-23T10:20Z"
    decision: dict[str, Any]  # as `DecisionRecord.record`

    @classmethod
    def of(cls, decision: DecisionRecord, name: str, who: str, reason: str, saved: str) -> "KeptDecision":
        """Kept decision made from a current record. Raises ReadProblem without a name."""
        if not name.strip():
            raise ReadProblem("Give the record a name, so that it can be told from others.")
        name, who, reason = (
            text.strip()[:most] for text, most in zip((name, who, reason), LONGEST.values(), strict=True)
        )
        return cls(name, who, reason, saved, decision.record)

    @classmethod
    def from_text(cls, text: str) -> "KeptDecision":
        """Parse a kept decision from its JSON. Raises ReadProblem if the text is none."""
        try:
            read = json.loads(text)
            if read["schema"] != KEPT or read["decision"]["schema"] != SCHEMA:
                raise ValueError("another version")
            name, who, reason = (str(read[key])[:most] for key, most in LONGEST.items())
            kept = cls(name, who, reason, str(read["saved"]), read["decision"])
            _ = kept.threshold, kept.counts, kept.system, kept.positive, kept.title, kept.higher
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ReadProblem("This record of a decision is damaged.") from error
        return kept

    @property
    def text(self) -> str:
        """The record as JSON."""
        texts = {key: getattr(self, key) for key in (*LONGEST, "saved")}
        return _json({"schema": KEPT, **texts, "decision": self.decision})

    @property
    def threshold(self) -> float:
        """The threshold; may be infinite."""
        return float(self.decision["rule"]["threshold"])

    @property
    def counts(self) -> ConfusionCounts:
        """The four counts, of shape ()."""
        return ConfusionCounts(*(float(self.decision["counts"][cell]) for cell in CELLS))

    @property
    def system(self) -> str:
        """The column of scores."""
        return str(self.decision["data"]["system"])

    @property
    def positive(self) -> str:
        """The positive class in words."""
        return str(self.decision["data"]["positive"])

    @property
    def title(self) -> str:
        """Name of the data set at the time."""
        return str(self.decision["data"]["title"])

    @property
    def higher(self) -> bool:
        """Whether higher scores indicate the positive class."""
        return bool(self.decision["data"]["higher_is_positive"])

    @property
    def label(self) -> str:
        """Name, day and rule, to choose by: "Spring audit, 2026-11-23: score ≥ 0.365"."""
        rule = "≥" if self.higher else "≤"
        return f"{self.name}, {self.saved[:10]}: score {rule} {threshold_text(self.threshold)}"

    @property
    def summary(self) -> str:
        """Person, time, data, decision and reason, in Markdown."""
        day, time = self.saved[:10], self.saved[11:16]
        when = " ".join(filter(None, (day, time and f"{time} UTC")))
        who = f" by {plain(self.who)}" if self.who else ""
        data = f"{plain(self.title)}, {plain(self.system)}, {count_text(float(self.counts.total))} rows"
        reason = f"\n\n{plain(self.reason, LONGEST['reason'])}" if self.reason else ""
        return f"**{plain(self.name)}** · {plain(when)}{who} · {data}{reason}"


@dataclass(frozen=True, eq=False)
class DecisionCheck:
    """A kept decision on the open data: whether its numbers still hold at its threshold."""

    kept: KeptDecision
    scores: Scores
    level: float = 0.95

    @property
    def problem(self) -> str:
        """Reason that the record cannot be checked on these data, in Markdown; empty if it can."""
        kept, scores = self.kept, self.scores
        if kept.higher != scores.higher:
            side = "higher" if kept.higher else "lower"
            return f"In the record {side} scores mean the positive class; here it is the other way round."
        if kept.positive != scores.positive:
            here = f"here the positive class is {plain(scores.positive, 40)}"
            return f"The record is about {plain(kept.positive, 40)}; {here}."
        return ""

    @cached_property
    def counts(self) -> ConfusionCounts:
        """The counts of the open data at the threshold of the record."""
        return self.scores.counts_at(self.kept.threshold)

    @property
    def is_same_data(self) -> bool:
        """Whether the record was made from these rows in these roles."""
        data, current = self.kept.decision["data"], self.scores.current
        same = data["digest"] == current.dataset.digest and self.kept.system == self.scores.system
        return same and _cells(self.kept.counts) == _cells(self.counts)

    @property
    def untested(self) -> str:
        """Reason that the differences are not tested, as a sentence; empty if they are."""
        roles, counted = self.scores.current.roles, self.scores.current.counts_rows
        weighted = (roles.get("weight") and not counted) or self.kept.decision["data"].get("weight")
        if not weighted and not roles.get("cluster"):
            return ""
        how = "are weighted" if weighted else "belong together"
        return f"Rows {how}, so the record's counts cannot tell differences from chance."

    @cached_property
    def differences(self) -> dict[str, Comparison]:
        """These data minus the record as independent samples, by the key of each reported measure."""
        measures = [METRICS[key] for key in REPORTED]
        compared = independent_differences(measures, self.kept.counts, self.counts, self.level)
        return dict(zip(REPORTED, compared, strict=True))

    @cached_property
    def p_values(self) -> dict[str, float]:
        """p-value of each difference, after Holm."""
        corrected = adjusted([one.p_value for one in self.differences.values()], "holm")
        return dict(zip(self.differences, corrected.tolist(), strict=True))

    @property
    def verdict(self) -> str:
        """Verdict on whether the numbers of the record hold on these data, in Markdown."""
        if self.problem:
            return self.problem
        if self.is_same_data:
            return "These are the rows of the record, and the numbers are the same."
        if self.untested:
            return f"{self._words('recall')} {self.untested}"
        beyond = [key for key, p in self.p_values.items() if p <= 1 - self.level]
        if not beyond:
            return f"**No difference is beyond chance.** {self._words('recall')}"
        return f"**Beyond chance at {level_text(self.level)}:** {' '.join(map(self._words, beyond))}"

    @property
    def table(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings and rows: each reported measure in the record, on these data, and their difference."""
        heads = ["at this threshold", "record", "these data", "difference"]
        tested = [] if self.untested else [f"{level_text(self.level)} interval", "p (Holm)"]
        rows = []
        for key, one in self.differences.items():
            measure, values = METRICS[key], self._values(key)
            texts = [Cell(value_text(measure, value), below=f"n = {n}") for value, n in values]
            row = [Cell(measure.name, measure=key), *texts, Cell(difference_text(measure, one.estimate), strong=True)]
            bounds = bounds_text(measure, float(one.interval.low), float(one.interval.high))
            rows.append([*row, *([bounds, p_text(self.p_values[key]).removeprefix("p = ")] if tested else [])])
        return [*heads, *tested], rows

    @property
    def note(self) -> str:
        """Reading guide to the differences, in Markdown."""
        binned = threshold_note(self.scores, self.kept.threshold)[0]
        tested = (
            "Compared as two samples without a row in common (Newcombe; z test or Fisher's exact test). Each interval "
            f"is for its measure alone; p is corrected for {len(REPORTED)} measures."
        )
        return f"{self.untested or tested} {binned}".strip()

    @property
    def code(self) -> str:
        """Python that counts these data at the recorded threshold and asserts the differences."""
        counts = ", ".join(map(repr, _cells(self.kept.counts).values()))
        expected = [one.estimate for one in self.differences.values()]
        return script(
            self.scores.code,
            f"""
record = ConfusionCounts({counts})
counts = scored.counts_at({literal(self.kept.threshold)})
measures = [METRICS[key] for key in {REPORTED!r}]
differences = independent_differences(measures, record, counts, {self.level!r})
print(differences, adjusted([one.p_value for one in differences], "holm"))
np.testing.assert_allclose([one.estimate for one in differences], {literal(expected)}, rtol=1e-9, atol=1e-12)
""",
        )

    def _values(self, key: str) -> list[tuple[float, str]]:
        """Value and n of the record and of these data."""
        measure, both = METRICS[key], (self.kept.counts, self.counts)
        cells = [sum(float(getattr(counts, cell)) for cell in measure.denominator) for counts in both]
        return [(float(measure(counts)), count_text(n)) for counts, n in zip(both, cells, strict=True)]

    def _words(self, key: str) -> str:
        measure, one = METRICS[key], self.differences[key]
        (then, _), (now, _) = self._values(key)
        change, bounds = "", bounds_text(measure, float(one.interval.low), float(one.interval.high))
        if not math.isnan(one.estimate):
            change = f" ({difference_text(measure, one.estimate)}{'' if self.untested else f', {bounds}'})"
        before, after = value_text(measure, then), value_text(measure, now)
        return f"The record says {measure.name.lower()} {before}, these data say {after}{change}."
