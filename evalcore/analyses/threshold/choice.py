"""Best threshold for a goal, what it costs by amounts, and the limit to relax if no threshold meets all of them."""

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.confusion import Ruling, requirements_in
from evalcore.analyses.curves.curves import WHOLE_CURVE, CurveRanges
from evalcore.analyses.data.scores import Scores, goal_code, goal_name, goal_value, goal_value_text, limit_texts
from evalcore.analyses.data.script import check, literal, script
from evalcore.analyses.threshold.promise import ThresholdPromise
from evalcore.classification import ThresholdTable, lift, probit, recall, threshold_for_value
from evalcore.classification.binary.areas import precision_recall_gain_area, precision_recall_gain_curve
from evalcore.classification.binary.choice import Choice, Conflict, Goal, Limit, NoThreshold, Prices, flag_goal
from evalcore.classification.binary.counts import ConfusionCounts, fall_out, miss_rate, precision, predicted_prevalence
from evalcore.inference import AREA_METHODS, Interval
from evalcore.inference.intervals.losses import bootstrap_mean
from evalcore.numeric import Array, runs_of
from evalcore.readers import KINDS, DataSet, ReadProblem
from evalcore.readers.base.column_names import is_amount, is_identifier
from evalcore.registry import METRICS, MetricDef, find, measures_of
from evalcore.wording import count_text, is_word, number_text, outcome_word, plain, rows_text, share_text
from evalcore.wording.numbers import THIN, range_text, value_text

__all__ = ["LeastCost", "OperatingPoint", "ThresholdChoice", "UnclearThreshold", "amount_columns", "best_threshold"]
__all__ += ["dragged_range", "picked_point", "prices_of", "refused_amounts", "threshold_meant"]

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
    named, lines = {name: rows for name, rows in below.items() if is_amount(name)}, scores.current.dataset.lines
    return {name: f"{lines.at(rows.argmax())} is negative" for name, rows in named.items() if rows.any()}


def _number_columns(scores: Scores) -> dict[str, Any]:
    dataset = scores.current.dataset
    if dataset.is_counted or not dataset.is_whole:
        return {}
    parts = KINDS[dataset.kind].parts
    chosen = ((parts[name], value) for name, value in dataset.roles.parts.items() if name in parts)
    used = {column for part, value in chosen for column in part.columns(value) or []}
    numbers = (name for name, column in dataset.frame.items() if isinstance(name, str) and column.dtype.kind in "iuf")
    names = sorted((n for n in numbers if n not in used and not is_identifier(n)), key=lambda n: not is_amount(n))
    return {name: dataset.frame[name] for name in names[:_MOST_COLUMNS]}


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
        return _rising(self.scores, cheap)

    @cached_property
    def words(self) -> str:
        """The best threshold with its cost, as plain text."""
        return f"{self.scores.text(self.choice.threshold)} costs least: {cost_text(self.choice.value)} {CASES}"

    @property
    def risk_text(self) -> str:
        """Risk above which acting costs less than not acting, where the scores are risks; else empty."""
        fn, fp, tp, tn = self.each
        usual = self.scores.are_risks and tp == tn == 0 and not self.goal.priced
        return f"same as acting when the risk is above {share_text(fp / (fp + fn))}" if usual else ""

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

    def interval(self) -> Interval:
        """Cost per case at the best threshold, over resamples of the rows or clusters, at 95 %."""
        return amount_interval(self.goal, self.choice.threshold)

    def saving(self) -> Interval:
        """Cost per case saved against flagging none or all, whichever is cheaper, over the same resamples."""
        trivial = min(self._ends, key=lambda end: goal_value(self.scores, self.goal, end))
        return amount_interval(self.goal, self.choice.threshold, against=trivial)

    @property
    def _ends(self) -> tuple[float, float]:
        """Thresholds that flag no row and every row."""
        return (math.inf, -math.inf) if self.scores.higher else (-math.inf, math.inf)


def _rising(scores: Scores, mask: np.ndarray) -> Array:
    """Ranges of the thresholds of a table in a mask, rising, shape (m, 2)."""
    return scores.table.ranges(*runs_of(mask))[:: -1 if scores.higher else 1]


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


@dataclass(frozen=True, eq=False)
class ThresholdChoice:
    """Best threshold for a goal."""

    scores: Scores
    goal: Goal  # with all of its limits
    added: int  # how many of the limits, the last ones, do not belong to the goal itself
    choice: Choice | None  # None where no threshold meets the limits, or the goal is undefined
    unlimited: Choice | None = None  # what the goal would choose without the added limits, where they cost something
    conflicts: tuple[Conflict, ...] = ()  # limits that leave no choice; none where the goal is undefined everywhere
    promise: ThresholdPromise | None = None  # where the limits hold on new rows; None without limits
    on_new_rows: bool = False  # whether only promised thresholds are chosen from

    @property
    def code(self) -> str:
        """Python over ``scored`` and its ``table`` that makes the choice again; empty without one or a known goal."""
        code = goal_code(self.goal) if self.choice is not None else ""
        if code and self.promise is not None and self.on_new_rows:
            return f"choose_promised(scored, {code}, level={literal(self.promise.level)})"
        return code and f"{code}.choose(table)"

    @property
    def of_sample(self) -> Choice | None:
        """Best threshold in this sample among those that meet the limits of the goal."""
        return self.unlimited if self.on_new_rows else self.choice

    @property
    def forbidden(self) -> str:
        """Values forbidden by the limits: "precision < 0.90"; empty without limits."""
        return " or ".join(limit_texts(self.goal, limit)[1] for limit in self.goal.limits)

    def status(self, threshold: float) -> str:
        """Status of a threshold: "best", "as good", "other", or "" without a choice."""
        if self.choice is None:
            return ""
        at = float(self.scores.table.thresholds[self.scores.table.index(threshold)])
        return "best" if at == self.choice.threshold else "as good" if at in self.choice.tied_thresholds else "other"

    def ruling(self, share: float | None = None) -> Ruling | None:
        """Judgement of the best threshold at a prevalence by its interval; None unless the goal rules in or out."""
        requirements = requirements_in(self.goal.limits)
        side = next((one.side for one in requirements if self.goal.name.endswith(f"rules {one.side}")), None)
        if side is None or self.choice is None:
            return None
        return Ruling.of(side, self.choice.counts, requirements, share)

    def verdict(self, threshold: float = math.nan, share: float | None = None) -> str:
        """The best threshold beside the current one, those with the same counts, and the ruling at a prevalence."""
        scores, choice = self.scores, self.choice
        if choice is None:
            return self._no_choice()
        limits = "the promise" if self.on_new_rows else {0: "", 1: "the limit"}.get(self.added, "the limits")
        best, yours = scores.text(choice.threshold), scores.text(threshold)
        by_amounts = self.least_cost.verdict if self.least_cost is not None else ""
        now, value = "", goal_value_text(scores, self.goal, choice.threshold)
        if not math.isnan(threshold):
            now = "That is yours." if yours == best else f"Yours, {yours}, gives the same counts."
        if now and self.status(threshold) != "best":
            counts = scores.counts_at(threshold)
            now = f"Yours: {yours} ({_errors_text(counts)})."
            mine, words = goal_value_text(scores, self.goal, threshold).split(" "), value.split(" ")
            alike = next((n for n, pair in enumerate(zip(words, mine, strict=False)) if len({*pair}) > 1), len(mine))
            value = f"{value}; yours {' '.join(mine[alike:]) or 'the same'}"
        within = f" within {limits}" if limits else ""
        lines = [f"**Best{within}: {best}** ({_errors_text(choice.counts)}). {now}".rstrip()]
        if (other := self.unlimited) is not None:
            its = f"{_errors_text(other.counts)}; {goal_value_text(scores, self.goal, other.threshold)}"
            lines.append(f"Without {limits}: {scores.text(other.threshold)} ({its}).")
        if (ruling := self.ruling(share)) is not None:
            there = "" if share is None else f"At a prevalence of {share_text(share)}, it "
            sentence = ruling.clause if there else ruling.sentence.removesuffix(".")
            by = "" if ruling.status == "holds" else " The goal goes by the value in this sample alone."
            lines.append(f"{there}{sentence}.{by}")
        if by_amounts:
            lines.append(by_amounts)
            value = value.partition("; ")[2]  # the cost of the best stands there already
        same = scores.range_text(choice.low, choice.high)
        value = value and f"{value[0].upper()}{value[1:]}."
        notes = (value, f"Any threshold {same} gives the same counts.", *self._ties(choice))
        lines.append(f":gray[{' '.join(filter(None, notes))}]")
        return "  \n".join(lines)

    def conflict_text(self, conflict: Conflict) -> str:
        """Unmet limit and its nearest attainable value, as a sentence in Markdown."""
        others = "" if conflict.alone else " while the other limits hold"
        must = limit_texts(self.goal, conflict.limit)[0]
        if math.isnan(conflict.nearest):
            return f"{must}: undefined at every threshold{others}."
        reached, at = self.reached(conflict), self.scores.text(conflict.threshold)
        return f"{must}: the closest value{others} is {reached}, at {at}."

    def reached(self, conflict: Conflict) -> str:
        """Nearest attainable value of an unmet limit, as text."""
        measure, counts = conflict.limit.measure, self.scores.counts_at(conflict.threshold)
        if isinstance(measure, MetricDef):
            return value_text(measure, float(measure(counts)))
        return f"{rows_text(float(counts.predicted_positives))} flagged"

    @cached_property
    def allowed(self) -> Array | None:
        """Ranges of thresholds that meet all limits, rising, shape (m, 2); None without limits."""
        return _rising(self.scores, self.goal.allowed(self.scores.table.counts)) if self.goal.limits else None

    @cached_property
    def least_cost(self) -> LeastCost | None:
        """Least cost and the thresholds nearly as cheap; None unless misses and false alarms cost something."""
        costs, priced = dict(self.goal.parameters), self.goal.priced is not None
        is_cost = costs.get("fp_cost", 0) > 0 and (priced or costs.get("fn_cost", 0) > 0)
        return LeastCost(self.scores, self.goal, self.choice) if self.choice is not None and is_cost else None

    def _ties(self, choice: Choice) -> list[str]:
        """Other thresholds of the same value: with an exchange of errors, and with more errors of a kind."""
        tied, counts = choice.tied_thresholds, choice.tied_counts
        others = tied != choice.threshold
        worse = (counts.fn >= choice.counts.fn) & (counts.fp >= choice.counts.fp)
        sentences = []
        for words, mask in (("Equally good", others & ~worse), ("Same value, but more errors", others & worse)):
            if thresholds := tied[mask].tolist():
                more = f" and {count_text(len(thresholds) - 5)} more." if len(thresholds) > 5 else "."
                sentences.append(f"{words}: {', '.join(map(self.scores.text, thresholds[:5]))}{more}")
        return sentences

    def _no_choice(self) -> str:
        if self.on_new_rows and self.unlimited is not None:
            return "**No threshold is promised**, so the goal has none to choose from."
        if self.conflicts:
            return f"**No threshold meets {'this limit' if len(self.conflicts) == 1 else 'all limits'}.**"
        allowed = " that its limits allow" if self.goal.limits else ""
        scored, positive = self.scores.scored, plain(self.scores.positive, 40)
        absent = "" if scored.negatives else f" All {count_text(scored.positives)} rows are {positive}."
        if not scored.positives:
            absent = f" None of {count_text(scored.negatives)} rows is {positive}."
        return f"The {plain(goal_name(self.goal))} is undefined at every threshold{allowed}.{absent}"


def _errors_text(counts: ConfusionCounts) -> str:
    missed, alarms = float(counts.fn), float(counts.fp)
    return f"{count_text(missed)} missed, {count_text(alarms)} {outcome_word('fp', alarms)}"


def best_threshold(
    scores: Scores, goal: Goal, limits: tuple[Limit, ...] = (), promise: ThresholdPromise | None = None,
    on_new_rows: bool = False,
) -> ThresholdChoice:  # fmt: skip
    """Choose the best threshold for a goal within its own and further limits, or from the promised thresholds."""
    whole, added = goal.within(*limits), len(limits)
    try:
        choice = whole.choose(scores.table)
    except NoThreshold as problem:
        return ThresholdChoice(scores, whole, added, None, conflicts=problem.conflicts)
    if promise is not None and on_new_rows:
        return ThresholdChoice(scores, whole, added, promise.choice, choice, promise=promise, on_new_rows=True)
    # Alone, recall or specificity is best where everything or nothing is positive: that says nothing of the limits.
    says = not (isinstance(goal.measure, MetricDef) and goal.measure.share_of.startswith("actual"))
    unlimited = goal.choose(scores.table) if limits and says else None  # with fewer limits it has a threshold too
    # Of equal value it is one number computed along two ways, or a limit that takes nothing away.
    if unlimited is not None and math.isclose(unlimited.value, choice.value, rel_tol=1e-12):
        unlimited = None
    return ThresholdChoice(scores, whole, added, choice, unlimited, promise=promise)


EXAMPLES = "0.62, recall = 0.9, precision ≥ 95 %, flag 100"
_SIDES = {"=": "nearest", "": "nearest"} | dict.fromkeys(("≥", ">=", ">"), "at least")
_SIDES |= dict.fromkeys(("≤", "<=", "<"), "at most")

_NUMBER = r"(?P<number>[+\-−]?(?:\d[\d '\u202f\u00a0]*)?(?:[.,]\d+)?(?:e[+\-−]?\d+)?|[+\-−]?(?:inf|infinity|∞))"
_VALUE = re.compile(rf"(?P<name>.*?)\s*(?P<side>>=|<=|[=≥≤<>]|\s)\s*{_NUMBER}\s*(?P<percent>%?)", re.IGNORECASE)
_ALONE = re.compile(_NUMBER, re.IGNORECASE)


class UnclearThreshold(ValueError):
    """Error for a text that means no threshold; its message gives the reason in plain text."""


def threshold_meant(scores: Scores, typed: str) -> float:
    """Parse a threshold, or the target of a measure; UnclearThreshold has a sentence for the reader.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> [threshold_meant(scores, typed) for typed in ("0,62", "recall = 90 %", "flag 3")]
    [0.62, 0.34, 0.7]
    """
    words = " ".join(typed[:80].split())
    if not words:
        raise UnclearThreshold(f"Type a threshold or a target: {EXAMPLES}.")
    if (alone := _ALONE.fullmatch(words)) and (value := _number(alone["number"])) is not None:
        return value
    match = _VALUE.fullmatch(words)
    value = _number(match["number"]) if match else None
    if match is None or value is None or not match["name"]:
        raise UnclearThreshold(f"Not understood. Try {EXAMPLES}.")
    value = value / 100 if match["percent"] else value
    if match["name"].casefold() == "flag":
        if value < 0 or math.isinf(value) or (match["percent"] and value > 1):
            raise UnclearThreshold("Say how many rows to flag: flag 100, or flag 5 %.")
        return flag_goal(**{"share" if match["percent"] else "rows": value}).choose(scores.table).threshold
    return _with_value(scores, match["name"], _SIDES[match["side"].strip()], value)


def _with_value(scores: Scores, name: str, side: str, value: float) -> float:
    try:
        measure = find(name)
    except (KeyError, ValueError):
        raise UnclearThreshold(f"No measure is called “{name}”. Try {EXAMPLES}.") from None
    if measure.key not in METRICS or measure.family != "counts":
        raise UnclearThreshold(f"{measure.name} does not depend on the threshold.")
    if not measure.lowest <= value <= measure.highest:
        ends = f"{measure.lowest:g} and {measure.highest:g}".replace("inf", "∞").replace("-∞", "−∞")
        meant = f": did you mean {value:g}{THIN}%?" if measure.percent and 1 < value <= 100 else "."
        raise UnclearThreshold(f"{measure.name} lies between {ends}{meant}")
    try:
        return threshold_for_value(scores.table, measure, value, side).threshold
    except NoThreshold:
        raise UnclearThreshold(_out_of_reach(scores, measure, side, value)) from None


def _out_of_reach(scores: Scores, measure: MetricDef, side: str, value: float) -> str:
    try:
        extreme = measure.highest if side == "at least" else measure.lowest
        closest = threshold_for_value(scores.table, measure, extreme if math.isfinite(extreme) else value)
    except NoThreshold:
        return f"{measure.name} is undefined at every threshold: {measure.undefined_when}."
    where = f"{value_text(measure, closest.value)}, at {scores.text(closest.threshold)}"
    return f"{measure.name} is never {side} {value_text(measure, value)}; the closest value is {where}."


def _number(text: str) -> float | None:
    plain = re.sub(r"[ '\u202f\u00a0]", "", text).translate(str.maketrans({"−": "-", "∞": "inf", ",": "."}))
    try:
        return float(plain)
    except ValueError:
        return None


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """Threshold of scores with its counts and its points on the curves."""

    scores: Scores
    threshold: float

    @property
    def counts(self) -> ConfusionCounts:
        """The four outcomes."""
        return self.scores.counts_at(self.threshold)

    @property
    def coordinates(self) -> dict[str, tuple[float, float]]:
        """x and y on each curve, by its name; nan if the curve has no such point."""
        # Three rows of the table: nothing positive, the threshold, everything positive.
        whole = self.scores.table
        rows = np.unique([0, whole.index(self.threshold), len(whole) - 1])
        table = ThresholdTable(whole.thresholds[rows], whole.counts[rows])
        row, counts = table.index(self.threshold), self.counts
        curve = precision_recall_gain_curve(table)
        # Its points are the last rows of the table; a threshold before them lies left of the curve.
        index = row - (len(table) - len(curve.recall_gain))
        on_curve = index >= 0 and not math.isnan(float(curve.thresholds[index]))
        coordinates = {
            "roc": (fall_out(counts), recall(counts)),
            "pr": (recall(counts), precision(counts)),
            "gain": (predicted_prevalence(counts), recall(counts)),
            "lift": (predicted_prevalence(counts), lift(counts)),
            "det": tuple(probit([fall_out(counts), miss_rate(counts)])),
            "pr-gain": (curve.recall_gain[index], curve.precision_gain[index]) if on_curve else (math.nan, math.nan),
        }
        return {name: (float(x), float(y)) for name, (x, y) in coordinates.items()}

    @property
    def lines(self) -> dict[str, tuple[float, float, float, float]]:
        """Ends of a marking line on each curve, by its name, for curves without a point at the threshold."""
        cost = 0.0, float(fall_out(self.counts)), 1.0, float(miss_rate(self.counts))
        return {"ks": (self.threshold, 0.0, self.threshold, 1.0), "cost": cost}

    @property
    def headline(self) -> str:
        """Recall and number of false alarms at the threshold, as a sentence in Markdown."""
        alarms, positive = float(self.counts.fp), self.scores.positive
        price = f"{count_text(alarms) if alarms else 'no'} {outcome_word('fp', alarms)}"
        if not self.counts.actual_positives:
            return f"No positives to find; {price}."
        whose, share = plain(positive, 40) if is_word(positive) else "positives", float(recall(self.counts))
        return f"Finds {'all' if share == 1 else share_text(share)} of the {whose}, with {price}."

    @property
    def verdict(self) -> str:
        """The headline with its false alarms, the other outcomes and two more rates, in Markdown."""
        cells = {cell: float(getattr(self.counts, cell)) for cell in ("tp", "fn", "tn")}
        outcomes = ", ".join(f"{count_text(count)} {outcome_word(cell, count)}" for cell, count in cells.items())
        alarms, pure = (share_text(float(rate(self.counts))) for rate in (fall_out, precision))
        return (
            f"**{self.headline}** Threshold {self.scores.text(self.threshold)}: {outcomes}; precision {pure}, "
            f"false positive rate {alarms}."
        )

    def text(self, curve: str) -> str:
        """Values at the threshold and of the whole curve, as a caption in Markdown."""
        at = f"A threshold of {self.scores.text(self.threshold)}"
        if curve == "pr-gain":
            area = number_text(float(precision_recall_gain_area(self.scores.scored)))
            return f"Area under the curve: **{area}**."
        if curve == "cost":
            return f"{at} calls {share_text(float(predicted_prevalence(self.counts)))} of the rows positive."
        if curve not in ("gain", "lift"):
            return ""
        (share, gain), (_, lift) = self.coordinates["gain"], self.coordinates["lift"]
        return (
            f"{at} picks **{share_text(share)}** of the rows, with **{share_text(gain)}** of the positives: "
            f"**{number_text(lift)}** times as many as by chance."
        )

    def code(
        self, values: Mapping[str, Interval], ranges: CurveRanges = WHOLE_CURVE, area_method: str = "logit"
    ) -> str:
        """Script that asserts measures and partial areas by label, as in a `ScoreLine`, and the counts."""
        area = values[METRICS["roc_auc"].label]
        estimates = {measure.key: float(values[measure.label].estimate) for measure in measures_of("scores")}
        areas = [
            check(f"{area.key}(scored, {low!r}, {high!r}{option})", float(values[area.label + word].estimate))
            for area, (low, high) in zip(ranges.areas, ranges.chosen.values(), strict=True)
            for word, option in (("", ""), (" corrected", ", corrected=True"))
        ]
        cells = {cell: float(getattr(self.counts, cell)) for cell in ("tp", "fn", "fp", "tn")}
        return script(
            self.scores.code,
            f"expected = {literal(estimates)}",
            "for name, value in expected.items():",
            "    np.testing.assert_allclose(METRICS[name](scored), value, rtol=1e-9, atol=1e-12, err_msg=name)",
            *areas,
            f"area = IntervalChoice(area={area_method!r}).of_area(scored)  # {AREA_METHODS[area_method]}",
            check("[area.low, area.high]", [float(area.low), float(area.high)]),
            'print("AUC", area.estimate, "95 % interval", area.low, area.high)',
            "roc = roc_curve(scored.table())  # .fpr, .tpr, .thresholds",
            "precision_recall = precision_recall_curve(scored.table())  # .recall, .precision, .interpolated",
            f"counts = scored.counts_at({literal(self.threshold)})  # positive: scores {self.scores.rule} threshold",
            check(f"[{', '.join(f'counts.{cell}' for cell in cells)}]", [*cells.values()]),
            "print(counts)",
        )


def picked_point(sent: Any) -> tuple[float, int] | None:
    """Threshold and system of a clicked point; None for invalid input from a browser.

    >>> picked_point({"threshold": 0.5, "system": 1}), picked_point({"threshold": "x"})
    ((0.5, 1), None)
    """
    with suppress(TypeError, KeyError, ValueError, OverflowError):
        threshold, index = float(sent["threshold"]), int(sent["system"])
        return (threshold, index) if math.isfinite(threshold) else None


def dragged_range(sent: Any) -> tuple[str, float, float] | None:
    """Field of `CurveRanges` and ends of a dragged range; None for invalid input from a browser."""
    with suppress(TypeError, KeyError, ValueError, OverflowError):
        axis, low, high = {"x": "fpr", "y": "tpr"}[sent["along"]], float(sent["low"]), float(sent["high"])
        return (axis, low, high) if 0 <= low < high <= 1 else None
