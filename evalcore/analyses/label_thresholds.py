"""The thresholds of several labels: the usual one, one for all labels, the best of each, or what was set by hand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source
from evalcore.classification import best
from evalcore.registry import find

__all__ = ["THRESHOLD_RULES", "LabelThresholds", "usual_threshold"]

THRESHOLD_RULES = ("usual", "one for all", "best F1 of each")
"""How all labels can have their thresholds, in words."""

BEST_F1 = "F1"
"""In a link: each label has the threshold with its highest F1."""


@dataclass(frozen=True)
class LabelThresholds:
    """Which threshold each label has: its own, else that of the rule."""

    # One for all labels; None: the usual one of each.
    common: float | None = None
    best_f1: bool = False  # each label its best, whatever the common one
    own: Mapping[str, float] = field(default_factory=dict)  # by label

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]], common: float | None, labels: Sequence[str]) -> "LabelThresholds":
        """What stands in a link: pairs of a label and its threshold, and the rule as a list of its own.

        What is not in the data or is no number is dropped.

        >>> LabelThresholds.of([("F1",), ("a", "0.25"), ("b", "high"), ("z", "1")], None, "ab")
        LabelThresholds(common=None, best_f1=True, own={'a': 0.25})
        """
        own: dict[str, float] = {}
        for pair in lists:
            if len(pair) == 2 and pair[0] in labels:
                try:
                    own[pair[0]] = float(pair[1])
                except ValueError:
                    continue
        return cls(common, (BEST_F1,) in map(tuple, lists), {k: v for k, v in own.items() if not math.isnan(v)})

    @classmethod
    def by(cls, rule: str) -> "LabelThresholds":
        """The thresholds by one of `THRESHOLD_RULES`; one for all starts at ½."""
        return cls(0.5 if rule == THRESHOLD_RULES[1] else None, rule == THRESHOLD_RULES[2])

    @property
    def rule(self) -> str:
        """Which of `THRESHOLD_RULES` holds for labels without a threshold of their own.

        >>> LabelThresholds.by("one for all").rule
        'one for all'
        """
        return THRESHOLD_RULES[2 if self.best_f1 else 0 if self.common is None else 1]

    @property
    def lists(self) -> list[tuple[str, ...]]:
        """The same as lists of names for a link, without the common threshold."""
        rule = [(BEST_F1,)] if self.best_f1 else []
        return [*rule, *((label, repr(float(threshold))) for label, threshold in self.own.items())]

    def at(self, source: Source, label: str) -> float:
        """The threshold of a label."""
        if label in self.own:
            return self.own[label]
        if self.best_f1:
            return best_f1_threshold(source, label)
        return usual_threshold(source, label) if self.common is None else self.common


def usual_threshold(source: Source, label: str) -> float:
    """A threshold to start from, as that of scores: ½ for scores in 0 … 1, else where Youden's J is highest."""
    state = source.dataset.label_scores()
    scores = state.scores[state.classes.index(label)]
    if not len(scores) or (scores.min() >= 0 and scores.max() <= 1):
        return 0.5
    return Scores.of(source, label).starting_threshold


def best_f1_threshold(source: Source, label: str) -> float:
    """The threshold with the highest F1 of a label; the usual one where no row has it."""
    scored = source.dataset.scored(label)
    if not scored.positives:
        return usual_threshold(source, label)
    return best(scored.table(), find("F1")).threshold
