"""The least cost over all thresholds, and the thresholds that are nearly as cheap."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.data.scores import Scores
from evalcore.classification import Choice, Goal
from evalcore.numeric import Array, runs_of
from evalcore.wording import THIN, number_text, share_text

__all__ = ["LeastCost", "least_cost_of"]

_NEAR = 0.01  # costs more than the least by at most this share


@dataclass(frozen=True, eq=False)
class LeastCost:
    """Least cost of a goal whose misses and false alarms cost something."""

    scores: Scores
    goal: Goal
    choice: Choice

    @property
    def each(self) -> list[float]:
        """Cost of a miss, a false alarm, a hit and a correct rejection."""
        costs = dict(self.goal.parameters)
        return [costs[f"{cell}_cost"] for cell in ("fn", "fp", "tp", "tn")]

    @property
    def price(self) -> float:
        """Cost of a miss, in false alarms."""
        return self.each[0] / self.each[1]

    @cached_property
    def near(self) -> Array:
        """Ranges of thresholds that cost at most one per cent more than the best, rising, shape (m, 2)."""
        table = self.scores.table
        costs = np.asarray(self.goal.measure(table.counts))
        cheap = costs <= self.choice.value + _NEAR * abs(self.choice.value) * (1 + 1e-12)
        if self.goal.limits:
            cheap &= self.goal.allowed(table.counts)
        ranges = table.ranges(*runs_of(cheap))
        return ranges[::-1] if self.scores.higher else ranges

    @cached_property
    def words(self) -> str:
        """The best threshold with its cost, as plain text."""
        at = self.scores.text(self.choice.threshold)
        return f"{at} costs least: {number_text(1000 * self.choice.value)} per 1{THIN}000 cases"

    @property
    def risk_text(self) -> str:
        """Risk above which acting costs less than not acting, where the scores are risks; else empty."""
        fn, fp, tp, tn = self.each
        usual = self.scores.are_risks and tp == tn == 0
        return f"same as acting above {share_text(fp / (fp + fn))}" if usual else ""


def least_cost_of(scores: Scores, goal: Goal, choice: Choice | None) -> LeastCost | None:
    """Least cost of the choice; None where the goal is no cost, or an error costs nothing or gains."""
    costs = dict(goal.parameters)
    if choice is None or not (costs.get("fn_cost", 0) > 0 and costs.get("fp_cost", 0) > 0):
        return None
    return LeastCost(scores, goal, choice)
