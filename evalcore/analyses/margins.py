"""Is B not inferior to A, or are the two equivalent? A margin, and what the intervals of a difference say of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.analyses.label_pairs import pair_names
from evalcore.analyses.paired_comparison import Difference, correction_text
from evalcore.analyses.script import check
from evalcore.inference import adjusted, one_sided_p
from evalcore.wording import level_text, p_text, plain

__all__ = ["QUESTIONS", "Margin", "MarginResult", "margin_result"]

QUESTIONS = {"better": "Is B better?", "noninferior": "Is B not inferior?", "equivalent": "Are A and B equivalent?"}
"""What a comparison asks."""


@dataclass(frozen=True)
class Margin:
    """What is asked, and the largest difference that does not matter.

    The size is above 0, in the unit of the measure: 0.02 is two percentage points; of a ratio 0.25 allows ×0.8 to
    ×1.25.
    """

    question: str = "better"  # a key of `QUESTIONS`
    size: float = 0.02

    def limits(self, one: Difference) -> tuple[float, ...]:
        """The values of a difference that its interval must not reach; none where only "better" is asked.

        The lower limit comes before the upper one; of non-inferiority only that on the side of the worse values.
        """
        both = (1 / (1 + self.size), 1 + self.size) if one.is_ratio else (-self.size, self.size)
        if self.question == "noninferior":
            return both[1:] if one.measure.better == "lower" else both[:1]
        return both if self.question == "equivalent" else ()


@dataclass(frozen=True)
class MarginResult:
    """The answer for one difference, in numbers and words."""

    margin: Margin
    difference: Difference
    p: float  # one-sided; of equivalence the larger of two
    corrected: float  # the same, corrected for all comparisons; nan where there is one
    level: float  # confidence of the page: non-inferiority leaves out half of the rest on one side
    correction: str  # a key of `evalcore.inference.METHODS`
    comparisons: int

    @property
    def interval_level(self) -> float:
        """The level of the interval that must stay inside: of equivalence 90 % where the page has 95 %."""
        return 2 * self.level - 1 if self.margin.question == "equivalent" else self.level

    @property
    def holds(self) -> bool:
        """Whether it is shown."""
        return (self.p if math.isnan(self.corrected) else self.corrected) <= (1 - self.interval_level) / 2 + 1e-12

    @property
    def verdict(self) -> str:
        """The answer and its reason, in Markdown."""
        one = self.difference
        (a, b), noun = pair_names(one.a, one.b), plain(one.noun)
        if self.margin.question == "noninferior" and one.measure.better is None:
            return f"**Neither direction of the {noun} is better by itself**, so only equivalence can be asked."
        if math.isnan(self.p):
            why = "they are identical here" if one.alike else "there is no interval"
            return f"**The margin cannot be tested** for the {noun} of {a} and {b}: {why}."
        size = self._size
        low, high = self._bounds
        limits = self.margin.limits(one)
        least, most = min(limits), max(limits)
        beyond = low > most or high < least if len(limits) > 1 else self._worse_than(least, low, high)
        if self.margin.question == "noninferior":
            headline = f"Not shown: {b} may be worse than {a} by more than {size} in {noun}."
            if self.holds:
                headline = f"Yes: {b} is not inferior to {a} in {noun}, with a margin of {size}."
            elif beyond:
                headline = f"No: {b} is worse than {a} by more than {size} in {noun}."
        else:
            headline = f"Not shown: {a} and {b} may differ by more than {size} in {noun}."
            if self.holds:
                headline = f"Yes: {a} and {b} are equivalent in {noun}, with a margin of {size}."
            elif beyond:
                headline = f"No: {a} and {b} differ by more than {size} in {noun}."
        return f"**{headline}**  \n{self._reason(low, high)}"

    @property
    def code(self) -> tuple[str, str]:
        """Python that asserts p of a `comparison` with this margin and prints the verdict."""
        return check("comparison.margin_result.p", self.p), "print(comparison.margin_result.verdict)"

    def _reason(self, low: float, high: float) -> str:
        one, tests = self.difference, "one-sided test of non-inferiority"
        if self.margin.question == "equivalent":
            tests = "two one-sided tests of equivalence"
        p = self.p if math.isnan(self.corrected) else self.corrected
        many = f", {correction_text(self.correction, self.comparisons)}" if self.comparisons > 1 else ""
        return (
            f"{level_text(self.interval_level)} interval of {one.operation}: {one.written(low, high)}; "
            f"margin {one.written(*self.margin.limits(one))} ({tests}, {p_text(p)}{many})."
        )

    @property
    def _size(self) -> str:
        one = self.difference
        return f"a factor of {1 + self.margin.size:g}" if one.is_ratio else one.written(self.margin.size).lstrip("+")

    @property
    def _bounds(self) -> tuple[float, float]:
        at = self.difference.test.interval_at
        interval = self.difference.test.interval if at is None else at(self.interval_level)
        return float(interval.low), float(interval.high)

    def _worse_than(self, limit: float, low: float, high: float) -> bool:
        return low > limit if self.difference.measure.better == "lower" else high < limit


def margin_result(
    differences: Sequence[Difference], margin: Margin, level: float, correction: str
) -> MarginResult | None:
    """The answer for the first of some differences, corrected for all of them; None where only "better" is asked."""
    if margin.question == "better":
        return None
    p_values = [_p_value(one, margin) for one in differences]
    many = len(differences) > 1
    corrected = float(adjusted(p_values, correction)[0]) if many else math.nan
    return MarginResult(margin, differences[0], p_values[0], corrected, level, correction, len(differences))


def _p_value(one: Difference, margin: Margin) -> float:
    limits = margin.limits(one)
    if margin.question == "equivalent":
        return max(one_sided_p(one.test, limits[0]), one_sided_p(one.test, limits[1], above=False))
    if one.measure.better is None:
        return math.nan
    return one_sided_p(one.test, limits[0], above=one.measure.better == "higher")
