"""The choice of a threshold: limits that must hold, the best threshold within them, and those that tie with it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import compress

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.counts import ConfusionCounts, Measure
from evalcore.classification.binary.indices import cost as cost_per_row
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable
from evalcore.numeric import Array, Flags, Indices, in_blocks, ratio, share_of
from evalcore.registry import METRICS, MetricDef

__all__ = ["Choice", "Conflict", "Goal", "Limit", "NoThreshold", "Prices", "amount_goal", "best", "corner_goal"]
__all__ += ["cost_goal", "flag_goal"]
__all__ += ["measure_goal", "rule_in_goal", "rule_out_goal", "threshold_for_value", "weighted_goal", "youden_goal"]

# Two values closer than this share of themselves count as equal: they differ by rounding.
_ULPS = 8 * np.finfo(float).eps
_STRETCH = 512  # rows judged together when only the best are wanted


@dataclass(frozen=True)
class Limit:
    """A measure that must not fall below, or not rise above, a value; a ValueError if a limit is not a number."""

    measure: Measure  # function of ConfusionCounts
    # Inclusive; an undefined value meets no limit.
    at_least: float | None = None
    at_most: float | None = None

    def __post_init__(self) -> None:
        if any(value is not None and math.isnan(value) for value in (self.at_least, self.at_most)):
            raise ValueError("The limit of a measure is not a number; give one, or none at all.")

    def met(self, values: Array) -> np.ndarray:
        """Values of the measure that meet the limit, as flags."""
        low = -math.inf if self.at_least is None else self.at_least
        return (values >= low) & (values <= (math.inf if self.at_most is None else self.at_most))


@dataclass(frozen=True)
class Conflict:
    """A limit that no threshold meets, alone or together with the others."""

    limit: Limit
    # The value of its measure nearest to the limit that any threshold reaches while the other limits hold, or at all
    # when `alone`; nan when it is undefined at all of them.
    nearest: float
    threshold: float  # a threshold that reaches it
    alone: bool  # true when no threshold meets the limit even without the others


class NoThreshold(ValueError):
    """No threshold meets the limits (`conflicts`: those in the way), or the goal is undefined at every one of them."""

    def __init__(self, message: str, conflicts: tuple[Conflict, ...] = ()) -> None:
        super().__init__(message)
        self.conflicts = conflicts


def allowed(limits: Sequence[Limit], counts: ConfusionCounts) -> np.ndarray:
    """Thresholds at which all limits hold, as flags in the shape of the counts."""

    def hold(counts: ConfusionCounts) -> np.ndarray:
        met = [limit.met(np.asarray(limit.measure(counts))) for limit in limits]
        return np.logical_and.reduce([np.ones(np.shape(counts.tp), dtype=bool), *met])

    if np.ndim(counts.tp) != 1:
        return hold(counts)
    return in_blocks(lambda rows: hold(counts[rows]), len(counts.tp)) == 1


def conflict_of(table: ThresholdTable, limits: Sequence[Limit]) -> NoThreshold:
    """Find the limits that conflict, each with the nearest value that can be reached.

    Those that fail even alone; else those without which the others could be met; else, when no single one is to blame,
    all of them.
    """
    values = [np.asarray(limit.measure(table.counts)) for limit in limits]
    met = [limit.met(of_one) for limit, of_one in zip(limits, values, strict=True)]
    conflicts, in_the_way = [], []
    for index, limit in enumerate(limits):
        alone = not met[index].any()
        others_met = np.logical_and.reduce([np.ones(len(table), dtype=bool), *met[:index], *met[index + 1 :]])
        in_the_way.append(others_met.any())
        reachable = values[index] if alone else np.where(others_met, values[index], np.nan)
        if np.isnan(reachable).all():
            conflicts.append(Conflict(limit, math.nan, math.nan, alone))
            continue
        row = _nearest(limit, reachable)
        conflicts.append(Conflict(limit, float(reachable[row]), float(table.thresholds[row]), alone))
    to_blame = [conflict for conflict in conflicts if conflict.alone] or [*compress(conflicts, in_the_way)]
    return NoThreshold("No threshold meets the limits.", tuple(to_blame or conflicts))


def _nearest(limit: Limit, values: Array) -> int:
    """Row of the value that misses a limit by least; the first of several."""
    rows = np.flatnonzero(~np.isnan(values))
    short = np.maximum(
        limit.at_least - values[rows] if limit.at_least is not None else -np.inf,
        values[rows] - limit.at_most if limit.at_most is not None else -np.inf,
    )
    return int(rows[np.argmin(short)])


@dataclass(frozen=True, eq=False)
class Choice:
    """The threshold that serves a goal best."""

    # The strictest threshold of the interval: the score of the last row that is called positive, or infinite.
    threshold: float
    # Every threshold with low < threshold <= high gives the same counts; where lower scores are positive, with low <=
    # threshold < high.
    low: float
    high: float
    value: float  # the goal at that threshold
    counts: ConfusionCounts  # of shape ()
    # Shape (m, 2): (low, high) of every interval with the same value of the goal, the chosen one among them, the
    # strictest first. It has the fewest errors of them, misses and false alarms together; of equal ones it is the
    # strictest.
    ties: Array
    tied_counts: ConfusionCounts  # of shape (m,), the counts in those intervals

    @property
    def tied_thresholds(self) -> Array:
        """The strictest threshold of every interval in `ties`, shape (m,)."""
        return self.ties[:, int(self.threshold == self.high)]


def optimum(
    table: ThresholdTable, goal: Measure, limits: Sequence[Limit] = (), monotone: bool = False,
    priced: ConfusionCounts | None = None,
) -> Choice:  # fmt: skip
    """The rows of a table where a function of the counts is highest among those that meet the limits.

    Of rows with the same value, the one with the fewest errors is chosen: where the goal looks at one class only, that
    is the best that the other class can have with it.

    A monotone function prefers true to false positives, so that few rows can hold its optimum. With priced counts,
    shape (t,), the function takes these; limits and errors are of the counts of the table.
    """
    rows = _candidates(table, goal) if monotone else np.arange(len(table))
    counts = table.counts[rows] if monotone else table.counts
    values = in_blocks(lambda block: goal((counts if priced is None else priced)[block]), len(rows))
    if limits:
        meets = allowed(limits, counts)
        if not meets.any():
            raise conflict_of(table, limits)
        values = np.where(meets, values, np.nan)
    if np.isnan(values).all():
        raise NoThreshold("This measure is undefined at every threshold that is allowed.")
    top = np.fmax.reduce(values)
    rows = rows[_ties(values, top)]
    ties, counts = table.ranges(rows, rows), table.counts[rows]
    chosen = int(np.argmax(_fewest(counts.fn + counts.fp)))
    threshold = float(table.thresholds[rows[chosen]])
    low, high = ties[chosen].tolist()
    return Choice(threshold, low, high, float(top), counts[chosen], ties, counts)


def threshold_for_value(table: ThresholdTable, measure: Measure, value: float, side: str = "nearest") -> Choice:
    """The threshold at which a measure comes nearest to a value; the `value` of the choice is what it reaches.

    It may lie on either side of the value ("nearest") or on one ("at least", "at most"); NoThreshold where it never
    does.
    """
    # 0.3 is reached by 3 of 10, whatever rounding makes of it.
    slack = 1e-12 * max(abs(value), 1.0) if math.isfinite(value) else 0.0
    ends = {"nearest": {}, "at least": {"at_least": value - slack}, "at most": {"at_most": value + slack}}[side]
    limits = (Limit(measure, **ends),) if ends else ()

    def nearness(counts: ConfusionCounts) -> Array:
        values = np.asarray(measure(counts))
        with np.errstate(invalid="ignore"):  # infinite less infinite
            # From −1 down, so that two equal distances on either side tie, however small they are beside the value.
            return np.where(values == value, -1.0, -1 - np.abs(values - value))

    choice = optimum(table, nearness, limits)
    return replace(choice, value=float(measure(choice.counts)))


def optimum_rows(values: Array, counts: ConfusionCounts) -> np.ndarray:
    """Index that `optimum` chooses along the last axis, for many tables at once; −1 where no value is defined."""
    tied = _ties(values, np.fmax.reduce(values, axis=-1, initial=-np.inf)[..., None])
    errors = np.where(tied, counts.fn + counts.fp, np.inf)
    return np.where(tied.any(axis=-1), np.argmax(_fewest(errors), axis=-1), -1)


def _ties(values: Array, top: npt.ArrayLike) -> np.ndarray:
    return values >= top - np.where(np.isfinite(top), np.abs(top) * _ULPS, 0.0)


def _fewest(errors: Array) -> np.ndarray:
    return errors <= errors.min(axis=-1, keepdims=True) * (1 + _ULPS)


def _candidates(table: ThresholdTable, goal: Measure) -> np.ndarray:
    """Rows that can hold the optimum or tie with it, for a goal that prefers true to false positives.

    No row of a stretch is better than the true positives at its end with the false positives at its start. Only the
    stretches whose bound reaches the best value at any end are searched.
    """
    starts = np.arange(0, len(table), _STRETCH)
    ends = np.minimum(starts + _STRETCH, len(table)) - 1
    tp, fp = table.counts.tp, table.counts.fp
    positives, negatives = table.counts[-1].actual_positives, table.counts[-1].actual_negatives
    bound = goal(ConfusionCounts(tp[ends], fp[starts], positives - tp[ends], negatives - fp[starts]))
    worth = np.flatnonzero(np.isnan(bound) | _ties(bound, np.fmax.reduce(goal(table.counts[ends]), initial=-np.inf)))
    return np.concatenate([np.arange(starts[k], ends[k] + 1) for k in worth])


@dataclass(frozen=True, eq=False)
class Prices:
    """Cost of an error on each row: a missed row costs its amount, a false alarm one sum or a share of its amount."""

    name: str  # of the column of amounts
    system: str  # of the scores
    by_share: bool  # whether a false alarm costs a share of the amount of its row, and not a sum of its own
    labels: Flags  # shape (n,), as all others: whether a row is positive
    scores: Array
    amounts: Array  # at least 0
    higher_is_positive: bool = True
    weights: Array | None = None
    clusters: Indices | None = None
    left_out: int = 0  # rows without an amount

    @property
    def rows(self) -> float:
        """Rows with an amount, or the sum of their weights."""
        return float(len(self.labels) if self.weights is None else self.weights.sum())

    @cached_property
    def scored(self) -> ScoredLabels:
        """The rows weighted by `errors`."""
        clusters = np.arange(len(self.labels)) if self.clusters is None else self.clusters
        return ScoredLabels.from_arrays(self.labels, self.scores, True, self.errors, self.higher_is_positive, clusters)

    def at_prevalence(self, share: float) -> "Prices":
        """Weights for which a share of the rows is positive; both classes have rows."""
        weights = np.ones(len(self.labels)) if self.weights is None else self.weights
        positives = weights[self.labels].sum()
        times = np.where(self.labels, share / positives, (1 - share) / (self.rows - positives))
        return replace(self, weights=times * weights)

    def table(self, thresholds: Array) -> ThresholdTable:
        """Amounts in place of counts at some thresholds, from the strictest to the laxest."""
        return ThresholdTable(thresholds, self.scored.counts_at(thresholds))

    def costs_at(self, threshold: float, fp_cost: float) -> Array:
        """Cost of the decision on each row at a threshold, shape (n,)."""
        called = self.scores >= threshold if self.higher_is_positive else self.scores <= threshold
        return np.where(self.labels, ~called * self._costs, called * self._costs * fp_cost)

    @property
    def errors(self) -> Array:
        """Cost of an error on each row times its weight, a false alarm in units of `fp_cost`; shape (n,)."""
        return self._costs if self.weights is None else self._costs * self.weights

    @property
    def _costs(self) -> Array:
        return self.amounts if self.by_share else np.where(self.labels, self.amounts, 1.0)


_EXACT = 2**53  # whole numbers up to here are floats


@dataclass(frozen=True, eq=False)
class Goal:
    """Goal of the choice of a threshold."""

    measure: Measure  # function of ConfusionCounts to maximise or minimise
    highest: bool  # whether high is good
    limits: tuple[Limit, ...] = ()  # must hold at the threshold
    name: str = ""  # in words: "lowest cost per row"
    parameters: tuple[tuple[str, float], ...] = ()  # weights, costs and the like
    # Whether one more true positive never makes it worse and one more false positive never better; then the optimum of
    # a long table is found without looking at every row.
    prefers_hits: bool = False
    # Where errors cost what their own rows say: the measure takes the priced counts.
    priced: Prices | None = None

    def choose(self, table: ThresholdTable) -> Choice:
        """The threshold that is best for the goal; NoThreshold, with the limits in conflict, where there is none."""
        measure = self.measure if self.highest else lambda counts: -self.measure(counts)
        priced = None if self.priced is None else self.priced.table(table.thresholds).counts
        monotone = self.prefers_hits and not self.limits and priced is None
        choice = optimum(table, measure, self.limits, monotone, priced)
        return choice if self.highest else replace(choice, value=-choice.value)

    def within(self, *limits: Limit) -> "Goal":
        """Return this goal with further limits."""
        return replace(self, limits=(*self.limits, *limits))

    def allowed(self, counts: ConfusionCounts) -> np.ndarray:
        """Thresholds at which all limits hold, as flags in the shape of the counts."""
        return allowed(self.limits, counts)

    def chosen_rows(self, counts: ConfusionCounts, values: Array | None = None) -> np.ndarray:
        """Index that `choose` takes along the last axis of counts, with the measure's values if known; −1 if none."""
        values = np.asarray(self.measure(counts)) if values is None else values
        values = values if self.highest else -values
        if self.limits:
            values = np.where(self.allowed(counts), values, np.nan)
        return optimum_rows(values, counts)

    @property
    def key(self) -> str:
        """The goal as text: goals with equal keys choose equally if their measures are those of the registry."""
        numbers = (f"{name}={value!r}" for name, value in self.parameters)
        limits = (f"{_name_of(limit.measure)} {limit.at_least!r} {limit.at_most!r}" for limit in self.limits)
        prices = self.priced
        amounts = () if prices is None else (f"{prices.name!r} {prices.system!r} {prices.by_share}",)
        return "; ".join((self.name, *numbers, *limits, *amounts))


def best(
    table: ThresholdTable, measure: Measure, *, highest: bool | None = None, limits: Sequence[Limit] = ()
) -> Choice:
    """The threshold where a measure is best, subject to limits on others: ``measure_goal(…).within(…).choose(table)``.

    >>> from evalcore.classification import ScoredLabels, accuracy
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> choice = best(table, accuracy)
    >>> choice.threshold, choice.low, choice.value
    (0.9, 0.6, 0.75)
    """
    return measure_goal(measure, highest=highest).within(*limits).choose(table)


def measure_goal(measure: Measure, *, highest: bool | None = None) -> Goal:
    """The best value of a measure of counts; which side is good says `highest`, or the registry, else a ValueError."""
    definition = measure if isinstance(measure, MetricDef) else METRICS.get(getattr(measure, "__name__", ""))
    better = definition.better if definition is not None and measure in (definition, definition.function) else None
    if highest is None and better is None:
        raise ValueError("This measure has no better side; say highest=True or highest=False.")
    highest = better == "higher" if highest is None else highest
    side = "highest" if highest else "lowest"
    prefers_hits = definition is not None and better == ("higher" if highest else "lower") and definition.key != "cost"
    arguments = tuple(getattr(measure, "arguments", {}).items())
    return Goal(measure, highest, (), f"{side} {_name_of(measure)}", arguments, prefers_hits)


def youden_goal() -> Goal:
    """The highest recall + specificity − 1."""
    return replace(measure_goal(METRICS["youden_j"]), name="highest recall + specificity")


def corner_goal() -> Goal:
    """The smallest distance of the ROC curve to (0, 1), the perfect test."""
    return Goal(_distance, False, (), "lowest distance to the perfect corner", (), True)


def weighted_goal(weight: float) -> Goal:
    """The highest weight · sensitivity + (1 − weight) · specificity; a ValueError for a weight outside 0 … 1."""
    if not 0 <= weight <= 1:
        raise ValueError(f"The weight of sensitivity is {weight:g}; it must lie between 0 and 1.")
    parameters = (("weight", float(weight)),)
    return Goal(partial(_weighted, weight=weight), True, (), "weighted recall and specificity", parameters, True)


def cost_goal(*, fp_cost: float = 1, fn_cost: float = 1, tp_cost: float = 0, tn_cost: float = 0) -> Goal:
    """The lowest mean cost per row; negative costs are gains, infinite ones a ValueError."""
    prices = {"fp_cost": fp_cost, "fn_cost": fn_cost, "tp_cost": tp_cost, "tn_cost": tn_cost}
    for name, price in prices.items():
        if not math.isfinite(price):
            raise ValueError(f"{name} is {price:g}; a cost is a finite number, and 0 where an outcome costs nothing.")
    usual = tp_cost <= fn_cost and tn_cost <= fp_cost
    return Goal(partial(cost_per_row, **prices), False, (), "lowest cost per row", tuple(prices.items()), usual)


def amount_goal(prices: Prices, *, fp_cost: float = 1) -> Goal:
    """The lowest mean cost per row where a miss costs its row's amount and a false alarm a sum or a share of its own.

    >>> labels, scores = np.array([True, True, False]), np.array([0.9, 0.4, 0.6])
    >>> prices = Prices("amount", "score", False, labels, scores, np.array([10.0, 30.0, 5.0]))
    >>> choice = amount_goal(prices, fp_cost=6).choose(ScoredLabels.from_arrays(labels, scores).table())
    >>> choice.threshold, choice.value
    (0.4, 2.0)
    """
    if not (math.isfinite(fp_cost) and fp_cost >= 0):
        raise ValueError(f"fp_cost is {fp_cost:g}; beside amounts it is a finite number of at least 0.")
    measure = partial(_amount_cost, fp_cost=float(fp_cost), rows=prices.rows)
    return Goal(measure, False, (), "lowest cost by amounts", (("fp_cost", float(fp_cost)),), priced=prices)


def _amount_cost(counts: ConfusionCounts, fp_cost: float, rows: float) -> Array:
    return ratio(counts.fn + fp_cost * counts.fp, rows)


def flag_goal(*, rows: float | None = None, share: float | None = None) -> Goal:
    """Most rows called positive, up to a number of rows or a share of all; give exactly one of the two."""
    name, most = ("share", share) if rows is None else ("rows", rows)
    if most is None or None not in (rows, share):
        raise ValueError("Give either a number of rows or a share of them.")
    if not most >= 0:
        raise ValueError(f"The number of rows to flag is {most:g}; it cannot be negative and must be a number.")
    limit = Limit(_flagged, at_most=most) if name == "rows" else Limit(partial(_over_share, share=most), at_most=0)
    return Goal(_flagged, True, (limit,), "most rows flagged", ((name, float(most)),))


def rule_out_goal(*, sensitivity: float | None = None, npv: float | None = None) -> Goal:
    """The highest specificity with at least a sensitivity, an NPV or both, so that a negative result rules out."""
    limits = _at_least(recall=sensitivity, negative_predictive_value=npv)
    return replace(measure_goal(METRICS["specificity"]), limits=limits, name="highest specificity that rules out")


def rule_in_goal(*, specificity_of: float | None = None, ppv: float | None = None) -> Goal:
    """The highest sensitivity with at least a specificity, a PPV or both, so that a positive result rules in."""
    limits = _at_least(specificity=specificity_of, precision=ppv)
    return replace(measure_goal(METRICS["recall"]), limits=limits, name="highest sensitivity that rules in")


def _distance(counts: ConfusionCounts) -> Array:
    # Whole numbers up to the root, so that equal distances compare equal, in a unit in which their squares are numbers.
    positives, negatives = counts.actual_positives, counts.actual_negatives
    unit = 0.25 ** int(np.frexp(max(positives.max(initial=0), negatives.max(initial=0)))[1])
    miss, alarm = counts.fn * negatives * unit, counts.fp * positives * unit
    return ratio(np.sqrt(miss * miss + alarm * alarm), positives * negatives * unit)


def _weighted(counts: ConfusionCounts, weight: float) -> Array:
    positives, negatives = counts.actual_positives, counts.actual_negatives
    return ratio(weight * counts.tp * negatives + (1 - weight) * counts.tn * positives, positives * negatives)


def _flagged(counts: ConfusionCounts) -> Array:
    return counts.predicted_positives


def _over_share(counts: ConfusionCounts, share: float) -> Array:
    """Rows flagged above a share of all, times the denominator of the share: whole numbers compare exactly."""
    if math.isinf(share):
        return np.full(np.shape(counts.tp), -np.inf)
    exact = share_of(share, 1.0)
    above, below = (share, 1.0) if exact.denominator > _EXACT else (float(exact.numerator), float(exact.denominator))
    return counts.predicted_positives * below - above * counts.total


def flagged_limit(limit: Limit, rows: float) -> float | None:
    """Largest share of rows that a limit of `flag_goal` lets be called positive; None for any other limit."""
    if limit.measure is _flagged:
        return min(float(ratio(limit.at_most, rows)), 1.0) if limit.at_most is not None else None
    share = getattr(limit.measure, "keywords", {}).get("share")
    return None if share is None else float(share)


def _at_least(**wanted: float | None) -> tuple[Limit, ...]:
    limits = tuple(Limit(METRICS[key], at_least=value) for key, value in wanted.items() if value is not None)
    if not limits:
        raise ValueError("Say at least one value that must be reached.")
    return limits


def _name_of(measure: Measure) -> str:
    inner = getattr(measure, "func", measure)
    name = getattr(measure, "label", "") or getattr(inner, "__name__", repr(measure)).strip("_")
    return name + "".join(f" {key}={value!r}" for key, value in getattr(measure, "keywords", {}).items())
