"""Scores of one system with their labels and names: the input of every threshold analysis."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.analyses.data.script import literal
from evalcore.analyses.data.source import Source
from evalcore.classification import ConfusionCounts, Goal, Limit, ScoredLabels, ThresholdTable, prevalence, youden_goal
from evalcore.numeric import Array
from evalcore.registry import MetricDef
from evalcore.wording.escaping import measure_word, one_line
from evalcore.wording.numbers import THIN, count_text, number_text, rows_text, threshold_text, value_text

__all__ = ["Scores", "goal_code", "goal_name", "goal_text", "goal_value", "prices_text", "slider_note"]
__all__ += ["threshold_names"]

_PARAMETERS = {
    "fn_cost": "a miss costs {}", "fp_cost": "a false alarm costs {}", "tp_cost": "a hit costs {}",
    "tn_cost": "a correct rejection costs {}", "weight": "recall has weight {}", "rows": "at most {} rows",
    "share": f"at most {{}}{THIN}% of the rows",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one system with their sorted state."""

    current: Source
    system: str  # the column; comes from a file: escape it
    scored: ScoredLabels  # sorted, with their direction
    positive: str  # the two classes in words; come from a file: escape them
    negative: str
    left_out: int  # rows without a label or a usable score

    @classmethod
    def of(cls, current: Source, system: str | None = None) -> "Scores":
        """Scores of a system, by default the chosen or the first one, and its classes. ReadProblem if it has none."""
        dataset, system = current.dataset, system or current.system or current.dataset.systems[0]
        left_out = dataset.left_out(system) + current.not_counted
        return cls(current, system, dataset.scored(system), *current.class_names(system), left_out)

    @property
    def higher(self) -> bool:
        """Whether higher scores indicate the positive class."""
        return self.scored.higher_is_positive

    @property
    def rule(self) -> str:
        """Comparison of predicted positives with the threshold, "≥" or "≤"."""
        return "≥" if self.higher else "≤"

    @property
    def key(self) -> str:
        """Cache key of results computed from these scores alone."""
        return self.current.key_of(self.system)

    @property
    def prevalence(self) -> float:
        """Share of positives in the sample; nan without rows."""
        return float(prevalence(self.table.counts[0]))

    def counts_at(self, threshold: float) -> ConfusionCounts:
        """Confusion counts at a threshold."""
        return self.scored.counts_at(threshold)

    @property
    def table(self) -> ThresholdTable:
        """The counts at every distinct score."""
        return self.scored.table()

    @property
    def are_risks(self) -> bool:
        """Whether the scores can be probabilities of the positive class."""
        low, high = self.scored.ends
        return self.higher and 0 <= low <= high <= 1

    @property
    def starting_threshold(self) -> float:
        """Default threshold: ½ for scores in 0 … 1, else the one with the highest Youden's J."""
        low, high = self.scored.ends
        if self.are_risks:
            return 0.5
        laxest = low if self.higher else high
        try:
            best = youden_goal().choose(self.table).threshold
        except ValueError:
            best = laxest
        return best if math.isfinite(best) else laxest

    def text(self, threshold: float) -> str:
        """Threshold as text, with the fewest digits (at least six if it has them) that give the same counts."""
        # A shorter number must not divide a bin either.
        stops = self.scored.positive_scores, self.scored.negative_scores, self._other_ends

        def ranks(value: float) -> list:
            return [scores.searchsorted(value, "left" if self.higher else "right") for scores in stops]

        there = ranks(threshold)
        return _shortest(threshold, lambda short: ranks(short) == there)

    def range_of(self, threshold: float) -> tuple[float, float]:
        """Interval (low, high) of thresholds with the same counts; it includes only the stricter end."""
        row = np.array([self.table.index(threshold)])
        low, high = self.table.ranges(row, row)[0].tolist()
        if len(ends := self._other_ends):
            if self.higher and (at := ends.searchsorted(high, "left")):
                low = max(low, float(ends[at - 1]))
            if not self.higher and (at := ends.searchsorted(low, "right")) < len(ends):
                high = min(high, float(ends[at]))
        return low, high

    @property
    def _other_ends(self) -> Array:
        """Ends of the bins opposite to the stored scores, in order; empty unless scores are binned."""
        dataset = self.current.dataset
        name = None if dataset.unloaded is None else dataset.unloaded.ends.get(self.system)
        if name is None or name not in dataset.frame:
            return np.array([])
        return dataset.once("other ends", self.system, lambda: np.sort(dataset.frame[name].to_numpy(np.float64)))

    def range_text(self, low: float, high: float) -> str:
        """Such a range in words, its ends rounded inwards: "above 0.53 up to 0.54"."""

        def written(end: float) -> str:
            return _shortest(end, lambda x: x == end or (low < x <= high if self.higher else low <= x < high))

        above, below = ("above", "up to") if self.higher else ("from", "below")
        if low == -math.inf:
            return f"{below} {written(high)}"
        if high == math.inf:
            return f"{above} {written(low)}"
        return f"{above} {written(low)} {'' if self.higher else 'to '}{below} {written(high)}"

    @property
    def code(self) -> str:
        """Python that sorts the scores of the open data into ``scored``."""
        return f"{self.current.code}\nscored = data.scored({self.system!r})"


def threshold_names(thresholds: Sequence[float]) -> dict[float, str]:
    """Distinct texts of thresholds: six digits, or all digits where six would make two alike.

    >>> threshold_names([0.5, 0.12345678, 0.12345679])
    {0.5: '0.5', 0.12345678: '0.12345678', 0.12345679: '0.12345679'}
    """
    short = {threshold: threshold_text(threshold) for threshold in thresholds}
    alike = Counter(short.values())
    return {at: text if alike[text] == 1 else repr(at).replace("-", "−") for at, text in short.items()}


def _shortest(value: float, fits: Callable[[float], bool]) -> str:
    """Number as text with the fewest digits that fit, at least six."""
    for digits in range(6, 17):
        short = f"{value:.{digits}g}"
        if fits(float(short)):
            return threshold_text(float(short)) if digits == 6 else short.replace("-", "−")
    return repr(value).replace("-", "−")


def slider_note(steps: int, distinct: int, what: str = "distinct scores") -> str:
    """Explanation of one step of a slider over the distinct scores."""
    if steps <= distinct:
        return f"{count_text(steps)} steps over {count_text(distinct)} {what}; type any other value in the field."
    if distinct == 1:
        return "All scores are equal: everything is positive, or nothing."
    return f"{count_text(distinct)} {what}; arrow keys step through them."


def goal_text(goal: Goal) -> str:
    """A goal with its numbers and limits, as the end of "The goal is …"; plain text.

    >>> from evalcore import METRICS
    >>> from evalcore.classification import cost_goal
    >>> goal_text(cost_goal(fn_cost=5).within(Limit(METRICS["precision"], at_least=0.4)))
    'the lowest cost per row (a false alarm costs 1, a miss costs 5), with precision at least 0.4'
    """
    numbers = [
        _PARAMETERS[key].format(threshold_text(100 * value if key == "share" else value))
        for key, value in goal.parameters
        if key in _PARAMETERS and (value or key not in ("tp_cost", "tn_cost"))
    ]
    limits = []
    for limit in goal.limits:
        if isinstance(limit.measure, MetricDef):
            word = measure_word(limit.measure)
            limits += [f"{word} {side.replace('_', ' ')} {threshold_text(at)}" for side, at in _sides(limit)]
    name = goal_name(goal)
    if goal.priced is not None:
        name, numbers = "lowest cost per row", [prices_text(goal)]
    brackets = f" ({', '.join(numbers)})" if numbers else ""
    return f"the {name}{brackets}" + (f", with {' and '.join(limits)}" if limits else "")


def prices_text(goal: Goal) -> str:
    """Cost of a miss and of a false alarm by the amounts of a goal, as plain text."""
    assert goal.priced is not None
    amount, price = one_line(goal.priced.name, 40), dict(goal.parameters)["fp_cost"]
    alarm = f"{threshold_text(100 * price)}{THIN}% of its {amount}" if goal.priced.by_share else threshold_text(price)
    return f"a miss costs its {amount} and a false alarm costs {alarm}"


def goal_name(goal: Goal) -> str:
    """Name of a goal: "highest precision", "lowest cost per row"."""
    measure = goal.measure
    if isinstance(measure, MetricDef) and goal.name.endswith(f" {measure.label}"):
        return f"{goal.name.removesuffix(measure.label)}{measure_word(measure)}"
    return goal.name


def goal_value(scores: Scores, goal: Goal, threshold: float) -> float:
    """Value of a goal at a threshold."""
    return float(goal.measure((goal.priced or scores).scored.counts_at(threshold)))


def goal_value_text(scores: Scores, goal: Goal, threshold: float) -> str:
    """Value of a goal at a threshold: "recall 90.0 %", "cost 172 per 1 000 cases"."""
    value = goal_value(scores, goal, threshold)
    if isinstance(goal.measure, MetricDef):
        return f"{measure_word(goal.measure)} {value_text(goal.measure, value)}"
    match _kind(goal):
        case "cost" | "amount":
            return f"cost {number_text(1000 * value)} per 1{THIN}000 cases"
        case "weighted":
            return f"weighted sum {number_text(value)}"
        case "flag":
            return f"{rows_text(value)} flagged"
        case "corner":
            return f"distance {number_text(value)} to the corner"
    return number_text(value)


def limit_texts(goal: Goal, limit: Limit) -> tuple[str, str]:
    """A limit and its negation as text: "precision ≥ 0.90" and "precision < 0.90".

    >>> from evalcore.classification import flag_goal
    >>> goal = flag_goal(rows=3)
    >>> limit_texts(goal, *goal.limits)
    ('at most 3 rows flagged', 'more than 3 rows flagged')
    """
    if isinstance(limit.measure, MetricDef):
        return measure_limit_texts(limit)
    ((name, value),) = goal.parameters
    most = rows_text(value) if name == "rows" else f"{threshold_text(100 * value)}{THIN}% of the rows"
    return f"at most {most} flagged", f"more than {most} flagged"


def measure_limit_texts(limit: Limit) -> tuple[str, str]:
    """A limit on a measure of the registry as it must hold and as it fails: ("recall ≥ 0.90", "recall < 0.90")."""
    assert isinstance(limit.measure, MetricDef)
    signs, value = "≤>" if limit.at_least is None else "≥<", _sides(limit)[0][1]
    # Two decimals at least.
    text = f"{value:.2f}".replace("-", "−") if round(value, 2) == value else threshold_text(value)
    must, forbidden = (f"{measure_word(limit.measure)} {sign} {text}" for sign in signs)
    return must, forbidden


def goal_code(goal: Goal) -> str:
    """Python expression of a goal; empty for a goal of unknown kind.

    >>> from evalcore import METRICS
    >>> from evalcore.classification import measure_goal
    >>> goal_code(measure_goal(METRICS["recall"]).within(Limit(METRICS["precision"], at_least=0.4)))
    "measure_goal(METRICS['recall'], highest=True).within(Limit(METRICS['precision'], at_least=0.4))"
    """
    if not (kind := _kind(goal)):
        return ""
    numbers = ", ".join(f"{name}={literal(value)}" for name, value in goal.parameters)
    if (prices := goal.priced) is not None:
        share = ", by_share=True" if prices.by_share else ""
        numbers = f"prices_of(data, {prices.system!r}, {prices.name!r}{share}), {numbers}"
    if isinstance(goal.measure, MetricDef):
        numbers = f"{_measure_code(goal.measure)}, highest={goal.highest}"
    # A number of rows is a limit that its goal makes.
    limits = [
        f"Limit({', '.join([_measure_code(limit.measure), *(f'{side}={literal(at)}' for side, at in _sides(limit))])})"
        for limit in goal.limits
        if isinstance(limit.measure, MetricDef)
    ]
    return f"{kind}_goal({numbers})" + (f".within({', '.join(limits)})" if limits else "")


def _kind(goal: Goal) -> str:
    """Name of the evalcore function that makes this goal; empty if none does."""
    if isinstance(goal.measure, MetricDef):
        return "measure"
    if goal.priced is not None:
        return "amount"
    kinds = {"weight": "weighted", "rows": "flag", "share": "flag", "fn_cost": "cost"}
    known = (kind for name, kind in kinds.items() if name in dict(goal.parameters))
    return next(known, "corner" if "corner" in goal.name else "")


def _sides(limit: Limit) -> list[tuple[str, float]]:
    """Lowest and highest value that a limit allows, by the argument that sets it."""
    sides = (("at_least", limit.at_least), ("at_most", limit.at_most))
    return [(side, value) for side, value in sides if value is not None]


def _measure_code(measure: MetricDef) -> str:
    params = ", ".join(f"{name}={literal(value)}" for name, value in measure.arguments.items())
    return f"METRICS[{measure.key!r}]" + (f".with_params({params})" if params else "")
