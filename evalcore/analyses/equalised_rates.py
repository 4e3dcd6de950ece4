"""What would it cost to make a rate equal in every group, by a threshold for each?"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.named_counts import CELLS
from evalcore.analyses.subgroups import Subgroups, change_text
from evalcore.classification import Choice, ConfusionCounts, NoThreshold, ScoredLabels, accuracy, threshold_for_value
from evalcore.inference import share_counts
from evalcore.registry import MetricDef
from evalcore.wording import UNDEFINED, Cell, count_text, label_markdown, label_text, share_text

__all__ = ["EQUALISED", "EqualisedRates", "thresholds_of_groups"]

EQUALISED = {
    "recall": "recall",
    "fall_out": "false positive rate",
    "precision": "precision",
    "predicted_prevalence": "flagged share",
}
"""Rates that a threshold for each group can make equal, and what they are called here."""

NEAR = 0.01
"""How far from the wanted value a group may end and still count as having reached it."""

_NAMED = 5


@dataclass(frozen=True, eq=False)
class EqualisedRates:
    """The groups before and after each has the threshold that brings a rate nearest to a value.

    >>> from evalcore.analyses import Scores, Source, subgroups_of
    >>> from evalcore.readers import read_sample
    >>> from evalcore.registry import METRICS
    >>> groups = subgroups_of(Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression"), 0.5)
    >>> choices = thresholds_of_groups(groups.states.values(), METRICS["recall"], 0.9)
    >>> EqualisedRates(groups, METRICS["recall"], 0.9, choices).after.fn.tolist()
    [1.0, 17.0, 4.0]
    """

    groups: Subgroups  # before
    measure: MetricDef  # one of `EQUALISED`
    value: float  # what it is to be in every group, 0 … 1
    choices: Sequence[Choice | None]  # those of `thresholds_of_groups`; a group without one keeps the threshold of all

    @cached_property
    def after(self) -> ConfusionCounts:
        """The counts of each group at its own threshold, shape (g,)."""
        before = self.groups.counts
        after = [before[i] if choice is None else choice.counts for i, choice in enumerate(self.choices)]
        return ConfusionCounts(*([getattr(counts, cell) for counts in after] for cell in CELLS))

    @property
    def verdict(self) -> str:
        """What changes in total, in a sentence of Markdown."""
        before, after = (
            ConfusionCounts(*(getattr(counts, cell).sum() for cell in CELLS))
            for counts in (self.groups.counts, self.after)
        )
        missed, alarms = float(after.fn - before.fn), float(after.fp - before.fp)
        old, new = float(accuracy(before)), float(accuracy(after))
        alarm_word = "false alarm" if abs(alarms) == 1 else "false alarms"
        return (
            f"Bringing the {EQUALISED[self.measure.key]} of every group as close to **{share_text(self.value)}** as "
            f"possible means **{_change(missed)} missed** and **{_change(alarms)} {alarm_word}** in total; accuracy "
            f"goes from {share_text(old)} to {share_text(new)} ({change_text(new - old)})."
        )

    @property
    def short_verdict(self) -> str:
        """Which groups cannot reach the value; Markdown, empty where all can."""
        sentences, name = [], EQUALISED[self.measure.key]
        hits, rows = share_counts(self.measure, self.after)
        for index, (group, choice) in enumerate(zip(self.groups.names, self.choices, strict=True)):
            group = f"**{label_markdown(group)}**"
            if choice is None:
                sentences.append(f"{group} keeps its threshold: its {name} is {UNDEFINED} at every threshold.")
            elif abs(choice.value - self.value) > NEAR:
                of = f"{count_text(float(hits[index]))} of {count_text(float(rows[index]))}"
                closest = share_text(choice.value)
                sentences.append(f"{group} cannot reach it: the closest its scores allow is {closest} ({of}).")
        if len(sentences) > _NAMED:
            sentences[_NAMED:] = [f"Nor can {count_text(len(sentences) - _NAMED)} more groups."]
        return " ".join(sentences)

    @property
    def changes(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the threshold of each group that is shown, and what it changes."""
        scores, rows = self.groups.scores, []
        for index, group in enumerate(self.groups.names[: self.groups.shown]):
            before, after, choice = self.groups.counts[index], self.after[index], self.choices[index]
            at, range_text = self.groups.threshold, "as now"
            if choice is not None:
                at, range_text = choice.threshold, scores.range_text(choice.low, choice.high)
            rate, correct = (
                _now_and_then(share_text(float(m(before))), share_text(float(m(after))))
                for m in (self.measure, accuracy)
            )
            missed, alarms = (
                _now_and_then(*(count_text(float(getattr(counts, cell))) for counts in (before, after)))
                for cell in ("fn", "fp")
            )
            threshold = Cell(scores.text(at), strong=True, below=range_text)
            rows.append([label_text(group), threshold, rate, missed, alarms, correct])
        return ["group", "threshold", EQUALISED[self.measure.key], "missed", "false alarms", "accuracy"], rows

    @property
    def table(self) -> dict[str, object]:
        """Every group with its threshold and its counts before and after, unrounded.

        Every threshold between the two ends of a group gives the counts of the group; `threshold` itself is one of
        them.
        """
        now, label = self.groups.threshold, self.measure.label
        columns: dict[str, object] = {
            "group": list(self.groups.names),
            "threshold": [now if c is None else c.threshold for c in self.choices],
            "same counts until": [
                math.nan if c is None else c.low if c.low != c.threshold else c.high for c in self.choices
            ],
        }
        for when, counts in (("before", self.groups.counts), ("after", self.after)):
            columns |= {f"{cell} {when}": getattr(counts, cell) for cell in CELLS}
            columns |= {f"{label} {when}": self.measure(counts), f"ACC {when}": accuracy(counts)}
        return columns | {"wanted": np.full(len(self.groups), self.value)}


def thresholds_of_groups(states: Iterable[ScoredLabels], measure: MetricDef, value: float) -> list[Choice | None]:
    """The threshold of each group that brings a measure nearest to a value; None where it is undefined everywhere."""
    choices: list[Choice | None] = []
    for state in states:
        try:
            # Of a copy, so that the table is dropped again: it is five times the size of the scores.
            choices.append(threshold_for_value(replace(state).table(), measure, value))
        except NoThreshold:
            choices.append(None)
    return choices


def _change(by: float) -> str:
    return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'}" if by else "no more"


def _now_and_then(old: str, new: str) -> Cell:
    return Cell(new, strong=True, below="as now" if old == new else f"now {old}")
