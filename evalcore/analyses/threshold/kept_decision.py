"""Kept decisions, and whether what they promised still holds on other rows."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from operator import getitem
from typing import Any

import numpy as np

from evalcore.analyses.data import CELLS, Scores, literal, script, threshold_note
from evalcore.analyses.data.scores import measure_limit_texts
from evalcore.analyses.threshold import decision_record as written
from evalcore.classification import ConfusionCounts, Limit
from evalcore.inference import INTERVAL_METHODS, Comparison, Interval, IntervalChoice, adjusted, independent_differences
from evalcore.readers import ReadProblem
from evalcore.registry import METRICS, MetricDef, find
from evalcore.wording import Cell, plain, value_text
from evalcore.wording.numbers import apart_text, bounds_text, count_text, level_text, p_cell, threshold_text

__all__ = ["DecisionCheck", "KeptDecision", "LimitCheck"]
KEPT = "evalcore decision 1"  # name and version of the keys
LONGEST = {"name": 80, "who": 80, "reason": 1000}  # letters of what a person writes
_ENTRIES = ("threshold", "system", "positive", "title", "higher")  # of the record, as properties of a kept decision


def _entry(kind: Callable[[Any], Any], *path: str) -> Any:
    return property(lambda kept: kind(reduce(getitem, path, kept.decision)))


@dataclass(frozen=True)
class KeptDecision:
    """Kept threshold with its numbers, author, time and reason, all unescaped text from a person or a file."""

    name: str
    who: str
    reason: str
    saved: str  # a time such as "2026-11-23T10:20Z"
    decision: dict[str, Any]  # as `DecisionRecord.record`

    @classmethod
    def of(cls, decision: written.DecisionRecord, name: str, who: str, reason: str, saved: str) -> "KeptDecision":
        """Kept decision made from a current record. Raises ReadProblem without a name."""
        if not name.strip():
            raise ReadProblem("Give the record a name, so that it can be told from others.")
        texts = zip((name, who, reason), LONGEST.values(), strict=True)
        name, who, reason = (text.strip()[:most] for text, most in texts)
        return cls(name, who, reason, saved, decision.record)

    @classmethod
    def from_text(cls, text: str) -> "KeptDecision":
        """Parse the JSON of a kept decision, or of a record that has no name. Raises ReadProblem for other texts."""
        try:
            read = json.loads(text)
            if read["schema"] == written.SCHEMA:
                unnamed: dict[str, Any] = {"schema": KEPT, "who": "", "reason": "", "saved": ""}
                read = unnamed | {"name": read["data"]["title"], "decision": read}
            if read["schema"] != KEPT or read["decision"]["schema"] != written.SCHEMA:
                raise ValueError("another version")
            name, who, reason = (str(read[key])[:most] for key, most in LONGEST.items())
            kept = cls(name, who, reason, str(read["saved"]), read["decision"])
            _ = kept.counts, kept.limits, kept.intervals, *(getattr(kept, name) for name in _ENTRIES)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ReadProblem("This record of a decision is damaged.") from error
        return kept

    @property
    def text(self) -> str:
        """The record as JSON."""
        texts = {key: getattr(self, key) for key in (*LONGEST, "saved")}
        return written.record_json({"schema": KEPT, **texts, "decision": self.decision})

    threshold = _entry(float, "rule", "threshold")  # may be infinite
    system = _entry(str, "data", "system")  # the column of scores
    positive = _entry(str, "data", "positive")  # the positive class in words
    title = _entry(str, "data", "title")  # name of the data set at the time
    higher = _entry(bool, "data", "higher_is_positive")  # whether higher scores indicate the positive class

    @property
    def counts(self) -> ConfusionCounts:
        """The four counts, of shape ()."""
        return ConfusionCounts(*(float(self.decision["counts"][cell]) for cell in CELLS))

    @property
    def limits(self) -> list[Limit]:
        """The limits of the goal, one for each value that a measure must keep to."""
        return [
            Limit(find(limit["measure"]).with_params(**limit.get("parameters", {})), **{side: limit[side]})
            for limit in self.decision.get("limits", ())
            for side in ("at_least", "at_most")
            if limit[side] is not None
        ]

    @property
    def intervals(self) -> IntervalChoice:
        """The method and level of the record's intervals."""
        method = {name: key for key, name in INTERVAL_METHODS.items()}[self.decision["intervals"]["method"]]
        return IntervalChoice(method, float(self.decision["intervals"]["level"]))

    @property
    def promised(self) -> str:
        """Sentence that the limits were promised for new rows; empty if they were not."""
        promise = self.decision.get("promise")
        if not promise or not promise["holds"]:
            return ""
        return f"The record promised this for new rows with {level_text(promise['level'])} confidence."

    @property
    def label(self) -> str:
        """Name, day and rule, to choose by: "Spring audit, 2026-11-23: score ≥ 0.365"."""
        rule, named = "≥" if self.higher else "≤", ", ".join(filter(None, (self.name, self.saved[:10])))
        return f"{named}: score {rule} {threshold_text(self.threshold)}"

    @property
    def summary(self) -> str:
        """Person, time, data, decision and reason, in Markdown."""
        time = self.saved[11:16]
        when = " ".join(filter(None, (self.saved[:10], time and f"{time} UTC")))
        who = f" by {plain(self.who)}" if self.who else ""
        data = f"{plain(self.title)}, {plain(self.system)}, {count_text(float(self.counts.total))} rows"
        reason = f"\n\n{plain(self.reason, LONGEST['reason'])}" if self.reason else ""
        return f"**{plain(self.name)}** · {plain(when)}{who} · {data}{reason}"


@dataclass(frozen=True, eq=False)
class LimitCheck:
    """A limit of a record on other data: the value of its measure there, with an interval and n."""

    limit: Limit
    measure: MetricDef
    value: float
    interval: Interval
    n: float

    @classmethod
    def of(cls, limit: Limit, counts: ConfusionCounts, intervals: IntervalChoice) -> "LimitCheck":
        """Check a limit on a measure by the counts at the threshold of the record."""
        assert isinstance(limit.measure, MetricDef)
        found = intervals.of(limit.measure, counts) or written.NO_INTERVAL
        return cls(limit, limit.measure, float(limit.measure(counts)), *found)

    @property
    def status(self) -> str:
        """The limit "holds" if the whole interval meets it, "fails" if no part of it does, else is "unclear"."""
        ends = np.array([self.interval.low, self.interval.high], dtype=np.float64)
        if np.isnan(ends).any():
            return "unclear"
        met = self.limit.met(ends)
        return "holds" if met.all() else "unclear" if met.any() else "fails"

    @property
    def sentence(self) -> str:
        """The limit with its status, value and interval, as plain text."""
        answer = f"{measure_limit_texts(self.limit)[0]} {_ANSWERS[self.status]}"
        if math.isnan(self.value):
            return f"{answer}: it is undefined because {self.measure.undefined_when}."
        value = value_text(self.measure, self.value)
        n = "" if math.isnan(self.n) else f", n = {count_text(self.n)}"
        return f"{answer}: {value} ({written.rate_bounds_text(self.measure, self.record)}){n}."

    @property
    def record(self) -> dict:
        """The limit, value, interval and status in plain types."""
        limit = {"measure": self.measure.label, "at_least": self.limit.at_least, "at_most": self.limit.at_most}
        return limit | written.plain_interval(self.value, self.interval, self.n) | {"status": self.status}


_ANSWERS = {"holds": "holds", "fails": "does not hold", "unclear": "is unclear"}
_DRIFT = ("prevalence", "predicted_prevalence")  # shares that tell whether other rows are like those of the record
CHECKED = "evalcore check 1"  # name and version of the keys


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
        here = f"here the positive class is {plain(scores.positive, 40)}"
        return "" if kept.positive == scores.positive else f"The record is about {plain(kept.positive, 40)}; {here}."

    @cached_property
    def counts(self) -> ConfusionCounts:
        """The counts of the open data at the threshold of the record."""
        return self.scores.counts_at(self.kept.threshold)

    @property
    def is_same_data(self) -> bool:
        """Whether the record was made from these rows in these roles."""
        data, current = self.kept.decision["data"], self.scores.current
        same = data["digest"] == current.dataset.digest and self.kept.system == self.scores.system
        return same and written.cells_of(self.kept.counts) == written.cells_of(self.counts)

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
    def limits(self) -> list[LimitCheck]:
        """The limits of the record on these data, at its threshold."""
        intervals = replace(self.kept.intervals, level=self.level)
        return [LimitCheck.of(limit, self.counts, intervals) for limit in self.kept.limits]

    @property
    def status(self) -> str:
        """Whether the decision still "holds", "fails" or is "unclear".

        A record with limits holds if all of them hold, and fails if one fails. One without fails if a reported measure
        is worse beyond chance; nothing it says can be shown to hold, except on its own rows.
        """
        if self.problem:
            return "unclear"
        if self.limits:
            return min((one.status for one in self.limits), key=("fails", "unclear", "holds").index)
        if self.is_same_data:
            return "holds"
        worse = (self.p_values[key] <= 1 - self.level for key, one in self.differences.items() if one.estimate < 0)
        return "fails" if not self.untested and any(worse) else "unclear"

    @property
    def limit_lines(self) -> list[str]:
        """A sentence for each limit, and what the record promised; plain text."""
        if self.problem or not self.limits:
            return []
        return [*(one.sentence for one in self.limits), *filter(None, [self.kept.promised])]

    @cached_property
    def differences(self) -> dict[str, Comparison]:
        """These data minus the record as independent samples, by the key of each reported measure."""
        return self._compared(written.REPORTED)

    @cached_property
    def drift(self) -> dict[str, Comparison]:
        """Differences of the new rows from the record in the shares of positives, actual and predicted."""
        return self._compared(_DRIFT)

    def _compared(self, keys: Sequence[str]) -> dict[str, Comparison]:
        measures = [METRICS[key] for key in keys]
        compared = independent_differences(measures, self.kept.counts, self.counts, self.level)
        return dict(zip(keys, compared, strict=True))

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
    def drift_text(self) -> str:
        """The shares of positives in the record and in these data."""
        return " ".join(map(self._words, _DRIFT))

    @property
    def record(self) -> dict:
        """The check in plain types, unrounded; p of the differences is Holm's, that of the drift is not corrected."""
        kept, current, is_tested = self.kept, self.scores.current, not self.untested

        def compared(key: str, one: Comparison, p: float) -> dict:
            (then, _), (now, _) = self._values(key)
            tested = {"low": float(one.interval.low), "high": float(one.interval.high), "p": p}
            numbers = {"record": then, "value": now, "difference": one.estimate}
            numbers |= {name: number if is_tested else math.nan for name, number in tested.items()}
            return {name: written.plain_number(number) for name, number in numbers.items()}

        return {
            "schema": CHECKED,
            "status": self.status,
            "record": {
                **{key: getattr(kept, key) for key in ("name", "who", "saved", "title", "system", "positive")},
                "comparison": ">=" if kept.higher else "<=", "threshold": written.plain_number(kept.threshold),
                "counts": written.cells_of(kept.counts), "promise": kept.decision.get("promise"),
            },
            "data": {
                "file": current.dataset.name, "digest": current.dataset.digest, "rows": float(self.counts.total),
                "left_out": self.scores.left_out, "same_rows": self.is_same_data,
            },
            "level": self.level,
            "counts": written.cells_of(self.counts),
            "limits": [one.record for one in self.limits],
            "differences": {key: compared(key, one, self.p_values[key]) for key, one in self.differences.items()},
            "drift": {key: compared(key, one, one.p_value) for key, one in self.drift.items()},
        }  # fmt: skip

    @property
    def json(self) -> str:
        """The check as JSON."""
        return written.record_json(self.record)

    @property
    def table(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings and rows: each reported measure in the record, on these data, and their difference."""
        heads = ["at this threshold", "record", "these data", "difference"]
        tested = [] if self.untested else [f"{level_text(self.level)} interval", "p (Holm)"]
        rows = []
        for key, one in self.differences.items():
            measure, values = METRICS[key], self._values(key)
            texts = [Cell(value_text(measure, value), below=f"n = {n}") for value, n in values]
            apart = apart_text(partial(value_text, measure), *(value for value, _ in values[::-1]))
            row = [Cell(measure.name, measure=key), *texts, Cell(apart, strong=True)]
            bounds = bounds_text(measure, float(one.interval.low), float(one.interval.high))
            rows.append([*row, *([bounds, p_cell(self.p_values[key])] if tested else [])])
        return [*heads, *tested], rows

    @property
    def note(self) -> str:
        """Reading guide to the differences, in Markdown."""
        binned = threshold_note(self.scores, self.kept.threshold)[0]
        tested = (
            "Compared as two samples without a row in common (Newcombe; z test or Fisher's exact test). Each interval "
            f"is for its measure alone; p is corrected for {len(written.REPORTED)} measures."
        )
        return f"{self.untested or tested} {binned}".strip()

    @property
    def code(self) -> str:
        """Python that counts these data at the recorded threshold and asserts the differences."""
        counts = ", ".join(map(repr, written.cells_of(self.kept.counts).values()))
        expected = [one.estimate for one in self.differences.values()]
        return script(
            self.scores.code,
            f"""
record = ConfusionCounts({counts})
counts = scored.counts_at({literal(self.kept.threshold)})
measures = [METRICS[key] for key in {written.REPORTED!r}]
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
        measure, one = METRICS[key], (self.drift if key in _DRIFT else self.differences)[key]
        (then, _), (now, _) = self._values(key)
        change, bounds = "", bounds_text(measure, float(one.interval.low), float(one.interval.high))
        if not math.isnan(one.estimate):
            apart = apart_text(partial(value_text, measure), now, then)
            change = f" ({apart}{'' if self.untested else f', {bounds}'})"
        before, after = value_text(measure, then), value_text(measure, now)
        return f"The record says {measure.name.lower()} {before}, these data say {after}{change}."
