"""A decision that is kept with its name, date, reason and numbers, and what other data say of it."""

import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.analyses.decision_record import REPORTED, SCHEMA, DecisionRecord
from evalcore.analyses.refined_scores import threshold_note
from evalcore.analyses.scores import Scores
from evalcore.analyses.script import literal, script
from evalcore.classification import ConfusionCounts
from evalcore.inference import Comparison, adjusted, independent_differences
from evalcore.readers import ReadProblem
from evalcore.registry import METRICS
from evalcore.wording import (
    Cell,
    bounds_text,
    count_text,
    difference_text,
    level_text,
    p_text,
    plain,
    threshold_text,
    value_text,
)

__all__ = ["DecisionCheck", "KeptDecision"]

KEPT = "evalcore decision 1"
"""Name and version of the keys."""

LONGEST = {"name": 80, "who": 80, "reason": 1000}
"""Letters of what a person writes."""


@dataclass(frozen=True)
class KeptDecision:
    """A threshold with its numbers, and who chose it when and why. Every text comes from a person or a file: escape it.

    `decision` is `DecisionRecord.record`, `saved` a time such as "2026-11-23T10:20Z".
    """

    name: str
    who: str
    reason: str
    saved: str
    decision: dict[str, Any]

    @classmethod
    def of(cls, decision: DecisionRecord, name: str, who: str, reason: str, saved: str) -> "KeptDecision":
        """A decision as it is now.

        Raises
        ------
        ReadProblem
            If it has no name.
        """
        if not name.strip():
            raise ReadProblem("Give the record a name, so that it can be told from others.")
        name, who, reason = map(str.strip, (name, who, reason))
        name, who, reason = name[: LONGEST["name"]], who[: LONGEST["who"]], reason[: LONGEST["reason"]]
        return cls(name, who, reason, saved, decision.record)

    @classmethod
    def from_text(cls, text: str) -> "KeptDecision":
        """The record of its JSON.

        Raises
        ------
        ReadProblem
            If the text is none.
        """
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
        record = {"schema": KEPT, **texts, "decision": self.decision}
        written = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
        return written.encode("utf-8", "backslashreplace").decode()

    @property
    def threshold(self) -> float:
        """The threshold; may be infinite."""
        return float(self.decision["rule"]["threshold"])

    @property
    def counts(self) -> ConfusionCounts:
        """The four counts, of shape ()."""
        return ConfusionCounts(*(float(self.decision["counts"][cell]) for cell in ("tp", "fp", "fn", "tn")))

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
        """What the data set was called."""
        return str(self.decision["data"]["title"])

    @property
    def higher(self) -> bool:
        """Whether a higher score speaks for the positive class."""
        return bool(self.decision["data"]["higher_is_positive"])

    @property
    def label(self) -> str:
        """Name, day and rule, to choose by: "Spring audit, 2026-11-23: score ≥ 0.365"."""
        rule = "≥" if self.higher else "≤"
        return f"{self.name}, {self.saved[:10]}: score {rule} {threshold_text(self.threshold)}"

    @property
    def summary(self) -> str:
        """Who decided what when on which data and why, in Markdown."""
        day, time = self.saved[:10], self.saved[11:16]
        when = " ".join(filter(None, (day, time and f"{time} UTC")))
        who = f" by {plain(self.who)}" if self.who else ""
        data = f"{plain(self.title)}, {plain(self.system)}, {count_text(float(self.counts.total))} rows"
        reason = f"\n\n{plain(self.reason, LONGEST['reason'])}" if self.reason else ""
        return f"**{plain(self.name)}** · {plain(when)}{who} · {data}{reason}"


@dataclass(frozen=True, eq=False)
class DecisionCheck:
    """A kept decision on the open data: whether its numbers still hold at its threshold.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression")
    >>> kept = KeptDecision.of(DecisionRecord(scores, 0.5), "Audit", "Ada", "", "2026-11-23T10:20Z")
    >>> DecisionCheck(kept, scores).verdict
    'These are the rows of the record, and the numbers are the same.'
    """

    kept: KeptDecision
    scores: Scores
    level: float = 0.95

    @property
    def problem(self) -> str:
        """Why the record cannot be held against these data, in Markdown; empty where it can."""
        kept, scores = self.kept, self.scores
        if kept.higher != scores.higher:
            side = "higher" if kept.higher else "lower"
            return f"In the record {side} scores speak for the positive class; here it is the other way round."
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
        return same and all(
            getattr(self.kept.counts, cell) == getattr(self.counts, cell) for cell in ("tp", "fp", "fn", "tn")
        )

    @property
    def untested(self) -> str:
        """Why chance is not judged, as a sentence; empty where it is."""
        current = self.scores.current
        roles = current.roles
        if (roles.get("weight") and not current.counts_rows) or self.kept.decision["data"].get("weight"):
            return "Rows are weighted, so the record's counts do not say how far chance goes."
        if roles.get("cluster"):
            return "Rows belong together, so the record's counts do not say how far chance goes."
        return ""

    @cached_property
    def differences(self) -> dict[str, Comparison]:
        """These data minus the record as independent samples, by the key of each reported measure."""
        compared = independent_differences(
            [METRICS[key] for key in REPORTED], self.kept.counts, self.counts, self.level
        )
        return dict(zip(REPORTED, compared, strict=True))

    @cached_property
    def p_values(self) -> dict[str, float]:
        """The p of each, corrected by Holm."""
        corrected = adjusted([one.p_value for one in self.differences.values()], "holm")
        return dict(zip(self.differences, corrected.tolist(), strict=True))

    @property
    def verdict(self) -> str:
        """Whether the numbers of the record hold on these data, in Markdown."""
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
        """Headings and rows: each reported measure in the record, on these data, and the difference."""
        heads = ["at this threshold", "record", "these data", "difference"]
        interval = [f"{level_text(self.level)} interval", "p (Holm)"] if not self.untested else []
        rows = []
        for key, one in self.differences.items():
            measure, values = METRICS[key], self._values(key)
            texts = [Cell(value_text(measure, value), below=f"n = {n}") for value, n in values]
            row = [Cell(measure.name, measure=key), *texts, Cell(difference_text(measure, one.estimate), strong=True)]
            bounds = bounds_text(measure, float(one.interval.low), float(one.interval.high))
            rows.append([*row, *([bounds, p_text(self.p_values[key]).removeprefix("p = ")] if interval else [])])
        return [*heads, *interval], rows

    @property
    def note(self) -> str:
        """How the differences are to be read, in Markdown."""
        binned = threshold_note(self.scores, self.kept.threshold)[0]
        if self.untested:
            return f"{self.untested} {binned}".strip()
        return (
            "Compared as two samples without a row in common (Newcombe; z test or Fisher's exact test). "
            f"Each interval is for its measure alone; p is corrected for {len(REPORTED)} measures. "
            f"{binned}"
        ).strip()

    @property
    def code(self) -> str:
        """Python that counts these data at the threshold of the record and asserts the differences."""
        counts = ", ".join(repr(float(getattr(self.kept.counts, cell))) for cell in ("tp", "fp", "fn", "tn"))
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
        """Value and n, of the record and of these data."""
        measure, both = METRICS[key], (self.kept.counts, self.counts)
        cells = [sum(float(getattr(counts, cell)) for cell in measure.denominator) for counts in both]
        return [(float(measure(counts)), count_text(n)) for counts, n in zip(both, cells, strict=True)]

    def _words(self, key: str) -> str:
        measure, one = METRICS[key], self.differences[key]
        (then, _), (now, _) = self._values(key)
        bounds = bounds_text(measure, float(one.interval.low), float(one.interval.high))
        change = difference_text(measure, one.estimate) + ("" if self.untested else f", {bounds}")
        change = "" if math.isnan(one.estimate) else f" ({change})"
        return (
            f"The record says {measure.name.lower()} {value_text(measure, then)}, these data say "
            f"{value_text(measure, now)}{change}."
        )
