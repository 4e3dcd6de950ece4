"""Which threshold is best for a goal, what its limits cost, and what is in the way where none meets them."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.goal_text import flagged_text, goal_code, goal_name, goal_value_text, limit_texts
from evalcore.analyses.rulings import Ruling, required_by
from evalcore.analyses.scores import Scores
from evalcore.analyses.script import literal
from evalcore.analyses.threshold_promise import ThresholdPromise
from evalcore.classification import Choice, Conflict, ConfusionCounts, Goal, Limit, NoThreshold
from evalcore.numeric import Array
from evalcore.registry import MetricDef
from evalcore.wording import count_text, outcome_word, plain, share_text, value_text

_CURRENT = "This is the current threshold."

__all__ = ["ThresholdChoice", "best_threshold"]


@dataclass(frozen=True, eq=False)
class ThresholdChoice:
    """A goal, and the threshold it chooses."""

    scores: Scores
    goal: Goal  # with all of its limits
    added: int  # how many of the limits, the last ones, do not belong to the goal itself
    choice: Choice | None  # None where no threshold meets the limits, or the goal is undefined
    unlimited: Choice | None = None  # what the goal would choose without the added limits, where they cost something
    # The limits in the way where there is no choice; empty where the goal is undefined at every threshold.
    conflicts: tuple[Conflict, ...] = ()
    promise: ThresholdPromise | None = None  # where the limits hold on new rows; None without limits
    on_new_rows: bool = False  # whether only promised thresholds are chosen from

    @property
    def code(self) -> str:
        """Python over ``scored`` and its ``table`` that makes the choice again.

        Empty without a choice, or for a goal of no known kind.
        """
        code = goal_code(self.goal) if self.choice is not None else ""
        if code and self.promise is not None and self.on_new_rows:
            return f"choose_promised(scored, {code}, level={literal(self.promise.level)})"
        return code and f"{code}.choose(table)"

    @property
    def of_sample(self) -> Choice | None:
        """What the goal chooses among the thresholds that meet its limits in this sample."""
        return self.unlimited if self.on_new_rows else self.choice

    @property
    def forbidden(self) -> str:
        """What the limits forbid: "precision < 0.90"; empty without limits."""
        return " or ".join(limit_texts(self.goal, limit)[1] for limit in self.goal.limits)

    def status(self, threshold: float) -> str:
        """How a threshold compares: "best", "as good", "other", or "" without a choice."""
        if self.choice is None:
            return ""
        at = float(self.scores.table.thresholds[self.scores.table.index(threshold)])
        if at == self.choice.threshold:
            return "best"
        return "as good" if at in self.choice.tied_thresholds else "other"

    def ruling(self, share: float | None = None) -> Ruling | None:
        """Whether the best threshold of a goal that rules in or out does so at a prevalence, by its whole interval.

        The goal itself goes by the estimate in the sample. None for other goals.
        """
        requirements = required_by(self.goal.limits)
        side = next((one.side for one in requirements if self.goal.name.endswith(f"rules {one.side}")), None)
        if side is None or self.choice is None:
            return None
        return Ruling.of(side, self.choice.counts, requirements, share)

    def verdict(self, threshold: float = math.nan, share: float | None = None) -> str:
        """The best threshold beside the current one, and the range of thresholds with the same counts; Markdown.

        A goal that rules in or out is judged at a prevalence, by default that of the sample.
        """
        scores, choice = self.scores, self.choice
        if choice is None:
            return self._no_choice()
        limits = {0: "", 1: "the limit"}.get(self.added, "the limits")
        limits = "the promise" if self.on_new_rows else limits
        same = scores.text(threshold) != scores.text(choice.threshold)
        now = f"The current threshold, {scores.text(threshold)}, gives the same counts." if same else _CURRENT
        if self.status(threshold) != "best":
            now = f"At the current threshold, {scores.text(threshold)}: {self._result(scores.counts_at(threshold))}."
        lines = [
            f"**Best threshold{f' within {limits}' if limits else ''}: {scores.text(choice.threshold)}**, with "
            f"{self._result(choice.counts)}. {now}"
        ]
        if self.unlimited is not None:
            other = self.unlimited
            lines.append(f"Without {limits}: {scores.text(other.threshold)}, with {self._result(other.counts)}.")
        if (ruling := self.ruling(share)) is not None:
            there = "" if share is None else f"At a prevalence of {share_text(share)}: "
            sentence = ruling.clause if there else ruling.sentence.removesuffix(".")
            by = "" if ruling.status == "holds" else " The goal goes by the value in this sample alone."
            lines.append(f"{there}{sentence}.{by}")
        same = scores.range_text(choice.low, choice.high)
        lines.append(f":gray[{' '.join([f'Any threshold {same} gives the same counts.', *self._ties(choice)])}]")
        return "  \n".join(lines)

    def conflict_text(self, conflict: Conflict) -> str:
        """A limit in the way, and the nearest value that a threshold reaches, in a sentence of Markdown."""
        others = "" if conflict.alone else " while the other limits hold"
        must = limit_texts(self.goal, conflict.limit)[0]
        if math.isnan(conflict.nearest):
            return f"{must}: undefined at every threshold{others}."
        return (
            f"{must}: the closest value{others} is {self.reached(conflict)}, at {self.scores.text(conflict.threshold)}."
        )

    def reached(self, conflict: Conflict) -> str:
        """The nearest value of a limit in the way, as it is written."""
        measure, counts = conflict.limit.measure, self.scores.counts_at(conflict.threshold)
        if isinstance(measure, MetricDef):
            return value_text(measure, float(measure(counts)))
        return flagged_text(float(counts.predicted_positives))

    @cached_property
    def allowed(self) -> Array | None:
        """Ranges of thresholds, rising, shape (m, 2), in which all limits hold; None without limits."""
        if not self.goal.limits:
            return None
        table = self.scores.table
        met = self.goal.allowed(table.counts)
        change = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(int)))
        ranges = table.ranges(change[::2], change[1::2] - 1)
        return ranges[::-1] if self.scores.higher else ranges

    def _result(self, counts: ConfusionCounts) -> str:
        missed, alarms = float(counts.fn), float(counts.fp)
        errors = f"{count_text(missed)} missed and {count_text(alarms)} {outcome_word('fp', alarms)}"
        return f"{goal_value_text(self.goal, counts)}; {errors}"

    def _ties(self, choice: Choice) -> list[str]:
        """Other thresholds of the same value: those with fewer errors of one kind for more of the other, and those with
        more of one kind and no fewer of the other."""
        tied = choice.tied_thresholds
        counts, others = choice.tied_counts, tied != choice.threshold
        worse = (counts.fn >= choice.counts.fn) & (counts.fp >= choice.counts.fp)
        groups = (("Equally good", tied[others & ~worse]), ("Same value, but more errors", tied[others & worse]))
        return [
            f"{words}: {', '.join(map(self.scores.text, thresholds[:5].tolist()))}"
            + (f" and {count_text(len(thresholds) - 5)} more." if len(thresholds) > 5 else ".")
            for words, thresholds in groups
            if len(thresholds)
        ]

    def _no_choice(self) -> str:
        if self.on_new_rows and self.unlimited is not None:
            return "**No threshold is promised**, so the goal has none to choose from."
        if self.conflicts:
            return f"**No threshold meets {'this limit' if len(self.conflicts) == 1 else 'all limits'}.**"
        allowed = " that its limits allow" if self.goal.limits else ""
        scored, positive = self.scores.scored, plain(self.scores.positive, 40)
        absent = ""
        if not scored.negatives and scored.positives:
            absent = f" All {count_text(scored.positives)} rows are {positive}."
        elif not scored.positives:
            absent = f" None of {count_text(scored.negatives)} rows is {positive}."
        return f"The {plain(goal_name(self.goal))} is undefined at every threshold{allowed}.{absent}"


def best_threshold(
    scores: Scores,
    goal: Goal,
    limits: tuple[Limit, ...] = (),
    promise: ThresholdPromise | None = None,
    on_new_rows: bool = False,
) -> ThresholdChoice:
    """The best threshold for a goal within limits that are added to its own.

    With a promise of all limits, `on_new_rows` chooses from the promised thresholds.

    >>> from evalcore.analyses import Source
    >>> from evalcore.classification import youden_goal
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> chosen = best_threshold(scores, youden_goal())
    >>> print(chosen.verdict(0.54).splitlines()[0].strip())
    **Best threshold: 0.54**, with Youden's J 0.400; 5 missed and 1 false alarm. This is the current threshold.
    """
    whole = goal.within(*limits)
    try:
        choice = whole.choose(scores.table)
    except NoThreshold as problem:
        return ThresholdChoice(scores, whole, len(limits), None, conflicts=problem.conflicts)
    if promise is not None and on_new_rows:
        return ThresholdChoice(scores, whole, len(limits), promise.choice, choice, promise=promise, on_new_rows=True)
    unlimited = goal.choose(scores.table) if limits else None  # with fewer limits it has a threshold too
    # Of equal value it is one number computed along two ways, or a limit that takes nothing away.
    if unlimited is not None and math.isclose(unlimited.value, choice.value, rel_tol=1e-12):
        unlimited = None
    return ThresholdChoice(scores, whole, len(limits), choice, unlimited, promise=promise)
