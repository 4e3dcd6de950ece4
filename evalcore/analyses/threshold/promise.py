"""Thresholds at which limits hold on new rows, and rows needed to promise the best of this sample."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.data.scores import Scores, goal_code, limit_texts
from evalcore.analyses.data.script import literal
from evalcore.classification import Choice, ConfusionCounts, Goal, Limit, NoThreshold, at_prevalence
from evalcore.inference import Promise, losses_of, promised_thresholds, rows_for_promise
from evalcore.numeric import Array
from evalcore.wording import count_text, label_markdown, level_text, many_text, number_text, share_text

__all__ = ["ThresholdPromise", "promise_limits"]

_POWER, _MOST_RANGES, _MOST_GROUPS = 0.8, 3, 4


@dataclass(frozen=True, eq=False)
class ThresholdPromise:
    """Thresholds at which the limits of a goal hold on new rows with some confidence."""

    scores: Scores
    goal: Goal  # with all of its limits, at least one
    level: float
    promise: Promise | None  # None where a limit has no exact test

    @cached_property
    def choice(self) -> Choice | None:
        """Best promised threshold for the goal; None if none is promised."""
        try:
            return None if self.promise is None else self.promise.choose(self.goal)
        except NoThreshold:
            return None

    @property
    def ranges(self) -> Array | None:
        """Promised ranges of thresholds, rising, shape (m, 2); None if a limit has no exact test."""
        return None if self.promise is None else self.promise.ranges

    @property
    def confidence(self) -> str:
        """The level in words: "95 %"."""
        return level_text(self.level)

    @property
    def label(self) -> str:
        """Caption of the promised band in a figure, as plain text."""
        some = self.ranges is not None and len(self.ranges)
        what = "limits hold on new rows" if some else "no threshold is promised for new rows"
        return f"{what} ({self.confidence} confidence)"

    def holds_at(self, threshold: float) -> bool:
        """Whether the promise includes a threshold."""
        ends, higher = [] if self.ranges is None else self.ranges.tolist(), self.scores.higher
        return any(low < threshold <= high if higher else low <= threshold < high for low, high in ends)

    def verdict(self, sample: Choice | None) -> str:
        """The promised band, what the best threshold of the sample lacks, and what is not promised; Markdown."""
        lines = [self._answer, self._further(sample), f":gray[{self._note}]" if self.choice else ""]
        return "  \n".join(filter(None, lines))

    def holds_text(self, threshold: float) -> str:
        """Sentence on whether the promise includes a threshold; plain text, empty if a limit has no exact test."""
        if self.promise is None:
            return ""
        promised = f"{'is' if self.holds_at(threshold) else 'is not'} promised to keep {self._limits}"
        return f"With {self.confidence} confidence, the threshold {promised} on new rows drawn like these."

    def coming_text(self, threshold: float, share: float) -> str:
        """Promise at another prevalence, which a limit such as one on precision depends on; Markdown, may be empty."""
        text, own = self.holds_text(threshold), self.scores.prevalence
        if not self.holds_at(threshold) or math.isclose(share, own, rel_tol=1e-9):
            return text
        moved, expected = at_prevalence(self.scores.counts_at(threshold), share), []
        for limit in filter(_varies, self.goal.limits):
            value = float(limit.measure(moved))
            meets = "meets" if limit.met(np.asarray(value)) else "misses"
            words = limit_texts(self.goal, limit)[0]
            expected.append(f"{number_text(value)} is to be expected, which {meets} {words}")
        if not expected:
            return f"{text} That does not depend on the prevalence."
        return (
            f"The threshold is promised to keep {self._limits} at the prevalence of this sample, {share_text(own)}. At "
            f"{share_text(share)} nothing is promised: {'; '.join(expected)}."
        )

    def groups_text(self, threshold: float, names: Sequence[str], counts: ConfusionCounts) -> str:
        """Population covered by the promise, and groups (counts of shape (g,)) in which a limit fails; Markdown."""
        if not self.holds_at(threshold):
            return self.holds_text(threshold)
        together = "of all groups together, in their proportions here; nothing is promised of a single group"
        sentences = [f"With {self.confidence} confidence, {self._limits_hold} {together}."]
        for limit in self.goal.limits:
            values = np.asarray(limit.measure(counts), dtype=np.float64)
            places = np.flatnonzero(~limit.met(values) & ~np.isnan(values)).tolist()
            if places:
                some = [f"**{label_markdown(names[place], 30)}** ({number_text(values[place])})" for place in places]
                more = f" and {count_text(len(some) - _MOST_GROUPS)} more" if len(some) > _MOST_GROUPS else ""
                listed = ", ".join(some[:_MOST_GROUPS])
                sentences.append(f"In this sample {limit_texts(self.goal, limit)[0]} fails in {listed}{more}.")
        return " ".join(sentences)

    @property
    def check(self) -> str:
        """Python over ``scored`` that recomputes the promised ranges and asserts them; empty if there are none."""
        code = goal_code(self.goal)
        if self.promise is None or not code:
            return ""
        beyond, to = ("above", "up") if self.scores.higher else ("from", "but not")
        return f"""
# At any threshold {beyond} the first end {to} to the second the limits hold on new rows.
promise = promised_thresholds(scored, {code}.limits, level={literal(self.level)})
assert promise.ranges.tolist() == {literal(self.promise.ranges)}
"""

    @property
    def _limits(self) -> str:
        return " and ".join(limit_texts(self.goal, limit)[0] for limit in self.goal.limits)

    @property
    def _limits_hold(self) -> str:
        return f"{self._limits} {'holds' if len(self.goal.limits) == 1 else 'hold'} on new rows"

    @property
    def _answer(self) -> str:
        if self.promise is None:
            untested = [limit_texts(self.goal, one)[0] for one in self.goal.limits if not losses_of(one, 1)]
            return (
                f"No promise for new rows: {' and '.join(untested)} is not a limit on a share of rows or on a mean. "
                "Recall, precision, accuracy, F1, cost and others are."
            )
        if not len(self.promise.ranges):
            answer = f"With {self.confidence} confidence, no threshold is promised to keep {self._limits} on new rows."
            return f"**{answer}**{self._reason_withheld}"
        ranges = [self.scores.range_text(low, high) for low, high in self.promise.ranges.tolist()]
        more = len(ranges) - _MOST_RANGES
        others = f", or in {many_text(more, 'more range')}" if more > 0 else ""
        words = ", or ".join(ranges[:_MOST_RANGES]) + others
        return f"**With {self.confidence} confidence, {self._limits_hold} for thresholds {words}.**"

    def _further(self, sample: Choice | None) -> str:
        """Further rows needed to promise the best threshold of the sample; empty if it is promised."""
        if sample is None or self.promise is None or self.holds_at(sample.threshold):
            return ""
        best = f"The best threshold of this sample, {self.scores.text(sample.threshold)}, is not promised"
        if self._withheld_at(sample.threshold):
            return "" if self._reason_withheld else f"{best}: {self._few_heavy}"
        if not math.isfinite(sample.threshold):
            return f"{best}: nothing is called positive there."
        counts, scored = self.scores.counts_at(sample.threshold), self.scores.scored
        rows = rows_for_promise(self.promise, counts, _POWER) - float(counts.total)
        if scored.clusters and scored.is_weighted:
            # Weights that are no counts have a unit of their own.
            rows *= (len(scored.positive_scores) + len(scored.negative_scores)) / float(counts.total)
        if math.isinf(rows):
            return f"{best}: it meets a limit exactly, with no margin."
        if rows <= 0:
            return f"{best}: it would pass alone, but a threshold on the way to it fails."
        clusters = " in clusters like these" if scored.clusters and not scored.is_weighted else ""
        return (
            f"{best}. About {count_text(_round_up(rows))} more rows{clusters} would promise it with "
            f"{level_text(_POWER)} probability, if the rates stay as they are here."
        )

    def _withheld_at(self, threshold: float) -> bool:
        """Whether the nearest tested threshold is not promised because few clusters hold most rows."""
        if (promise := self.promise) is None or not promise.withheld.any():
            return False
        place = int(promise.tested.searchsorted(promise.table.index(threshold)))
        return bool(promise.withheld[min(place, len(promise.tested) - 1)])

    @property
    def _few_heavy(self) -> str:
        few = self.scores.current.cluster_words or "clusters"
        return f"few {few} hold most of the rows that the limit is about, too few to tell how much {few} differ."

    @property
    def _reason_withheld(self) -> str:
        """Reason that no threshold is promised, after a blank; empty if some is."""
        is_withheld = self.promise is not None and self.promise.withheld.all()
        return f" {self._few_heavy[0].upper()}{self._few_heavy[1:]}" if is_withheld else ""

    @property
    def _note(self) -> str:
        promise, scored = self.promise, self.scores.scored
        prevalence = " or at another prevalence" if any(map(_varies, self.goal.limits)) else ""
        where = f"not after drift{prevalence}, and not for rows the system was trained on"
        parts = [f"It holds for new rows drawn like these: {where}."]
        if promise is not None and len(promise.tested) < len(promise.table):
            tested = count_text(len(promise.tested))
            parts.append(f"Tested at {tested} thresholds, which depend on the scores and not on the labels.")
        if "rows" in dict(self.goal.parameters):
            parts.append("A limit in rows is taken as a share of the rows here.")
        if scored.is_weighted:
            parts.append("Weighted rows count by their effective number, which makes it approximate.")
        elif scored.clusters:
            parts.append("Whole clusters are taken, by their effective number of rows.")
        return " ".join(parts)


def promise_limits(scores: Scores, goal: Goal, level: float = 0.95) -> ThresholdPromise:
    """Thresholds at which the limits of a goal (one or more) hold on new rows, by Learn then Test."""
    tested = all(losses_of(limit, 1) for limit in goal.limits)
    promise = promised_thresholds(scores.scored, goal.limits, level) if tested else None
    return ThresholdPromise(scores, goal, level, promise)


def _varies(limit: Limit) -> bool:
    """Whether the measure of a limit depends on the prevalence."""
    return any(not loss.safe_end for loss in losses_of(limit, 1))


def _round_up(rows: float) -> float:
    """Round up to two significant digits."""
    unit = 10.0 ** max(math.floor(math.log10(rows)) - 1, 0)
    return math.ceil(rows / unit - 1e-9) * unit
