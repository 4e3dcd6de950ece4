"""The least cost over all thresholds, the thresholds nearly as cheap, and costs that the rows' own amounts give."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.data.scores import Scores, goal_value
from evalcore.classification import Choice, Goal, Prices
from evalcore.inference import Interval
from evalcore.inference.intervals.losses import bootstrap_mean
from evalcore.numeric import Array, runs_of
from evalcore.readers import KINDS, DataSet, ReadProblem
from evalcore.readers.base.column_names import is_amount, is_identifier
from evalcore.wording import THIN, number_text, range_text, rows_text, share_text

__all__ = ["LeastCost", "amount_columns", "least_cost_of", "prices_of", "refused_amounts"]

_NEAR = 0.01  # costs more than the least by at most this share
_MOST_COLUMNS = 30
CASES = f"per 1{THIN}000 cases"


def amount_columns(scores: Scores) -> list[str]:
    """Columns that can hold what a miss of each row costs: numbers of at least 0 with no other role, amounts first."""
    known = ((name, column.dropna()) for name, column in _number_columns(scores).items())
    return [name for name, column in known if len(column) and 0 <= column.min() < column.max() < math.inf]


def refused_amounts(scores: Scores) -> dict[str, str]:
    """Columns that are called like amounts and hold one below 0, each with where the first of these is, in words."""
    below = {name: column.lt(0).to_numpy(bool, na_value=False) for name, column in _number_columns(scores).items()}
    lines = scores.current.dataset.lines
    return {
        name: f"{lines.at(rows.argmax())} is negative" for name, rows in below.items() if is_amount(name) and rows.any()
    }


def _number_columns(scores: Scores) -> dict[str, Any]:
    dataset = scores.current.dataset
    if dataset.is_counted or not dataset.is_whole:
        return {}
    parts = KINDS[dataset.kind].parts
    chosen = ((parts[name], value) for name, value in dataset.roles.parts.items() if name in parts)
    used = {column for part, value in chosen for column in part.columns(value) or []}
    names = [
        name
        for name, column in dataset.frame.items()
        if isinstance(name, str) and name not in used and column.dtype.kind in "iuf" and not is_identifier(name)
    ]
    return {name: dataset.frame[name] for name in sorted(names, key=lambda name: not is_amount(name))[:_MOST_COLUMNS]}


def prices_of(dataset: DataSet, system: str, column: str, by_share: bool = False) -> Prices:
    """Cost of an error on each row, by a column of amounts; of a false alarm a share of its amount, or one sum.

    Rows without an amount are left out. Raises ReadProblem if the column holds no amounts.
    """
    if column not in dataset.frame or dataset.frame[column].dtype.kind not in "iuf":
        raise ReadProblem(f"There is no column of numbers called {column!r}.")
    rows = dataset.scored_arrays(system)
    amounts = dataset.frame[column].to_numpy(np.float64, na_value=np.nan)[rows.complete]
    if (amounts < 0).any() or np.isinf(amounts).any():
        raise ReadProblem(f"Column {column!r} holds amounts below 0 or infinite ones; a miss costs at least 0.")
    known = ~np.isnan(amounts)
    weights = None if rows.weights is None else rows.weights[known]
    clusters = None if rows.clusters is None else rows.clusters[known]
    higher = dataset.roles.get("higher_is_positive", True)
    return Prices(
        column, system, by_share, rows.labels[known], rows.scores[known], amounts[known], higher, weights, clusters,
        int((~known).sum()),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class LeastCost:
    """Least cost of a goal whose misses and false alarms cost something."""

    scores: Scores
    goal: Goal
    choice: Choice

    @property
    def each(self) -> list[float]:
        """Cost of a miss, a false alarm, a hit and a correct rejection; of amounts, the factor of each."""
        costs = {"fn_cost": 1.0, "tp_cost": 0.0, "tn_cost": 0.0} | dict(self.goal.parameters)
        return [costs[f"{cell}_cost"] for cell in ("fn", "fp", "tp", "tn")]

    @property
    def price(self) -> float:
        """Cost of a miss, in false alarms; beside amounts the cost of a false alarm."""
        return self.each[1] if self.goal.priced else self.each[0] / self.each[1]

    @cached_property
    def near(self) -> Array:
        """Ranges of thresholds that cost at most one per cent more than the best, rising, shape (m, 2)."""
        table, prices = self.scores.table, self.goal.priced
        costs = np.asarray(self.goal.measure(prices.table(table.thresholds).counts if prices else table.counts))
        cheap = costs <= self.choice.value + _NEAR * abs(self.choice.value) * (1 + 1e-12)
        if self.goal.limits:
            cheap &= self.goal.allowed(table.counts)
        ranges = table.ranges(*runs_of(cheap))
        return ranges[::-1] if self.scores.higher else ranges

    @cached_property
    def words(self) -> str:
        """The best threshold with its cost, as plain text."""
        return f"{self.scores.text(self.choice.threshold)} costs least: {cost_text(self.choice.value)} {CASES}"

    @property
    def risk_text(self) -> str:
        """Risk above which acting costs less than not acting, where the scores are risks; else empty."""
        fn, fp, tp, tn = self.each
        usual = self.scores.are_risks and tp == tn == 0 and not self.goal.priced
        return f"same as acting above {share_text(fp / (fp + fn))}" if usual else ""

    @cached_property
    def verdict(self) -> str:
        """Cost and saving by amounts with their 95 % intervals, and the rows without one; empty without amounts."""
        if (prices := self.goal.priced) is None:
            return ""
        none, every = (cost_text(goal_value(self.scores, self.goal, end)) for end in self._ends)
        costs, saved = interval_text(self.interval()), self.saving()
        saves = f" Saves {interval_text(saved)} compared with the cheaper of the two." if saved.estimate else ""
        left = prices.left_out
        left_out = f" {rows_text(left)} without an amount {'is' if left == 1 else 'are'} left out." if left else ""
        return f"Costs {costs} {CASES}; flagging none would cost {none}, flagging all {every}.{saves}{left_out}"

    def interval(self, level: float = 0.95) -> Interval:
        """Cost per case at the best threshold, over resamples of the rows or clusters."""
        return amount_interval(self.goal, self.choice.threshold, level)

    def saving(self, level: float = 0.95) -> Interval:
        """Cost per case saved against flagging none or all, whichever is cheaper, over the same resamples."""
        trivial = min(self._ends, key=lambda end: goal_value(self.scores, self.goal, end))
        return amount_interval(self.goal, self.choice.threshold, level, trivial)

    @property
    def _ends(self) -> tuple[float, float]:
        """Thresholds that flag no row and every row."""
        return (math.inf, -math.inf) if self.scores.higher else (-math.inf, math.inf)


def amount_interval(goal: Goal, threshold: float, level: float = 0.95, against: float | None = None) -> Interval:
    """Cost per case by amounts at a threshold, or saved there against another one, over resamples."""
    prices, price = goal.priced, dict(goal.parameters)["fp_cost"]
    assert prices is not None
    costs = prices.costs_at(threshold, price)
    costs = costs if against is None else prices.costs_at(against, price) - costs
    return bootstrap_mean(costs, prices.weights, prices.clusters, level)


def cost_text(cost: float) -> str:
    """A cost per case, as text per thousand cases."""
    return number_text(1000 * cost)


def interval_text(interval: Interval) -> str:
    """A cost per thousand cases with its interval."""
    low, high = float(interval.low), float(interval.high)
    ends = "" if math.isnan(low) else f" ({range_text(cost_text(low), cost_text(high))})"
    return f"{cost_text(float(interval.estimate))}{ends}"


def least_cost_of(scores: Scores, goal: Goal, choice: Choice | None) -> LeastCost | None:
    """Least cost of the choice; None where the goal is no cost, or an error costs nothing or gains."""
    costs = dict(goal.parameters)
    is_cost = costs.get("fp_cost", 0) > 0 and (goal.priced is not None or costs.get("fn_cost", 0) > 0)
    return LeastCost(scores, goal, choice) if choice is not None and is_cost else None
