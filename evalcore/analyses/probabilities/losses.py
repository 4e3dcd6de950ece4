"""Losses and costs: what wrong probabilities cost by row, class and part, and the decisions of lowest expected cost."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np

from evalcore import classification, inference
from evalcore.analyses.data import CELLS, ProbabilitySource, RowSelection, Scores, check, script
from evalcore.classification import ConfusionMatrix, cheapest_decisions, mean_cost, overall_accuracy, roc_auc
from evalcore.classification.several.losses import equivalent_threshold, log_loss, reweighted
from evalcore.numeric import Array, Flags, Indices, ratio
from evalcore.readers import ReadProblem, text_of
from evalcore.registry import METRICS, SEVERAL_CLASSES, TWO_CLASSES, MetricDef, measures_of
from evalcore.wording import THIN, Cell, label_text, plain, rows_text
from evalcore.wording.numbers import LOSS_DECIMALS, count_text, number_text, range_text, share_text, threshold_text

__all__ = ["BINNINGS", "MOST_BINS", "MOST_COST_CLASSES", "MOST_WORST_ROWS", "Binning", "ClassCosts", "ClassWeights"]
__all__ += ["LossSettings", "Losses", "Reliability", "WorstPredictions", "loss_measures", "read_costs", "weight_steps"]
__all__ += ["written_costs"]

BINNINGS = ("equal width", "equal count", "own edges")
MOST_BINS = 100
_HISTOGRAM = 20
MOST_WORST_ROWS = 1000  # rows in the file to take away
MOST_COST_CLASSES = 12  # classes up to which costs can be set
_HIGHEST = 1e9
_WAYS = ("most probable class", "cheapest decision", "always the same")


@dataclass(frozen=True)
class Binning:
    """Layout of bins of probabilities: one of `BINNINGS`, their number, and typed edges from 0 to 1."""

    way: str = BINNINGS[0]
    bins: int = 10
    edges: tuple[float, ...] = ()

    @classmethod
    def typed(cls, text: str) -> "Binning | None":
        """Parse bin edges, adding 0 and 1; None if the text holds no rising edges.

        >>> Binning.typed("0.2, 0.6").edges, Binning.typed("0.6, 0.2")
        ((0.0, 0.2, 0.6, 1.0), None)
        """
        try:
            typed = [float(part) for part in text.replace(";", ",").split(",") if part.strip()]
        except ValueError:
            return None
        inside = [edge for edge in typed if 0 < edge < 1]
        outside = len(typed) > MOST_BINS or any(not 0 <= edge <= 1 for edge in typed)
        rising = bool(inside) and all(a < b for a, b in pairwise(inside))
        return cls(BINNINGS[2], len(inside) + 1, (0.0, *inside, 1.0)) if rising and not outside else None

    @property
    def words(self) -> str:
        """The binning in words: "10 bins of equal width"."""
        bins = f"{self.bins} bin{'' if self.bins == 1 else 's'}"
        return f"{bins} with edges of your own" if self.edges else f"{bins} of {self.way}"

    @property
    def code(self) -> str:
        """The edges as Python, for an ``event``."""
        return repr(list(self.edges)) if self.edges else f'bin_edges(event, {self.bins}, "{self.way}")'

    def edges_of(self, event: classification.EventProbabilities) -> Array:
        """The edges for some probabilities, shape (bins + 1,)."""
        return np.array(self.edges) if self.edges else classification.bin_edges(event, self.bins, self.way)


@dataclass(frozen=True, eq=False)
class Reliability:
    """The bins of a reliability diagram with their intervals and calibration errors."""

    probabilities: ProbabilitySource
    binning: Binning
    # The positive class of two; of several, that the most probable class is right.
    event: classification.EventProbabilities
    bins: classification.ReliabilityBins
    interval: inference.Interval  # of the observed share in each bin
    overall: inference.Interval  # of the observed share of all rows, of shape (1,)
    chance: inference.ChanceError  # the errors that perfect calibration would give

    @classmethod
    def of(cls, probabilities: ProbabilitySource, binning: Binning, level: float = 0.95, seed: int = 20) -> Self:
        """Sort the rows into bins."""
        event = classification.asked(probabilities.table)
        bins = classification.reliability_bins(event, binning.edges_of(event))

        def interval(some: classification.ReliabilityBins) -> inference.Interval:
            if event.clusters is None:
                return inference.wilson(np.minimum(some.happened, some.n), some.n, level)
            return inference.clustered_frequencies(event, some, level)

        overall = interval(classification.reliability_bins(event, [0, 1]))
        chance = inference.calibration_error_by_chance(bins, level, seed=seed, event=event)
        return cls(probabilities, binning, event, bins, interval(bins), overall, chance)

    @property
    def errors(self) -> dict[str, tuple[float, float, float]]:
        """Calibration errors by the key of their measure: value, mean by chance and its upper limit."""
        chance = self.chance
        return {
            "expected_calibration_error": (self.error, chance.expected, chance.expected_high),
            "maximum_calibration_error": (self.bins.largest_gap, chance.maximum, chance.maximum_high),
        }

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return classification.calibration_error(self.bins)

    @property
    def mean_probability(self) -> float:
        """Mean predicted probability."""
        return float(ratio((self.bins.n * self.bins.mean_probability).sum(), self.bins.n.sum()))

    @property
    def observed(self) -> float:
        """Observed frequency of the event."""
        return float(ratio(self.bins.happened.sum(), self.bins.n.sum()))

    @property
    def histogram(self) -> classification.ReliabilityBins:
        """Histogram under the diagram: its bins if of equal width, else twenty equal bins."""
        if self.binning.way == BINNINGS[0]:
            return self.bins
        return classification.reliability_bins(self.event, np.linspace(0, 1, _HISTOGRAM + 1))

    def selection(self, low: float, high: float, of_histogram: bool = False) -> RowSelection:
        """The rows of a bin, or of one of the histogram: those above its low edge, and up to its high edge.

        Rows at 0 belong to the first bin, unless they are a bin of their own.
        """
        event, source = self.event.probability, self.probabilities.source
        with_zero = low == 0 and (high == 0 or of_histogram or not (self.bins.high == 0).any())
        inside = (event <= high) & ((event > low) | ((event == low) & with_zero))
        rows = self.probabilities.rows[inside]
        ends = range_text(threshold_text(low), threshold_text(high))
        return RowSelection.called(f"Probability {ends}", source, rows, beside={self.axes[0]: event[inside]})

    @property
    def axes(self) -> tuple[str, str]:
        """Titles of the two axes of the diagram. May hold a name from a file."""
        if not self.probabilities.binary:
            return "probability of the most probable class", "share that is correct"
        positive = self.probabilities.table.classes[1]
        return f"predicted probability of {positive}", f"observed share of {positive}"

    @property
    def description(self) -> str:
        """Text alternative of the reliability diagram, bin by bin."""
        columns = (column[:20] for column in (self.bins.mean_probability, self.bins.observed, self.bins.n))
        return "; ".join(
            f"predicted {number_text(predicted)}, observed {share_text(share)} of {count_text(n)}"
            for predicted, share, n in zip(*columns, strict=True)
        )

    @property
    def confidence(self) -> str:
        """ "Over" or "Under" where most bins beyond chance lie on that side; else empty."""
        share = classification.overconfidence(self.bins, self._clear, None if self.probabilities.binary else 0.0)
        return "Over" if share >= 0.8 else "Under" if share <= 0.2 else ""

    @property
    def direction(self) -> str:
        """ "high" or "low" where their mean, and most bins beyond chance, are on that side of what is observed."""
        mean, off = self.mean_probability, (self.bins.n * self.bins.gap)[self._clear]
        if mean < self.overall.low.min():
            return "low" if off[off > 0].sum() <= 0.2 * np.abs(off).sum() else ""
        if mean > self.overall.high.max():
            return "high" if -off[off < 0].sum() <= 0.2 * np.abs(off).sum() else ""
        return ""

    @property
    def _clear(self) -> Flags:
        """Mask of the bins whose gap is more than chance, shape (b,)."""
        mean = self.bins.mean_probability
        return (mean < self.interval.low) | (mean > self.interval.high)

    @property
    def table(self) -> dict[str, Array]:
        """The bins as columns, unrounded."""
        bins = self.bins
        return {
            "from": bins.low, "to": bins.high, "rows": bins.n, "came true": bins.happened,
            "mean probability": bins.mean_probability, "share": bins.observed, "low": self.interval.low,
            "high": self.interval.high,
        }  # fmt: skip


@dataclass(frozen=True)
class LossSettings:
    """Settings of losses: base of the logarithm (e or 2), clipping, level of intervals, seed of resamples."""

    base: float = math.e
    clip: float = 1e-15  # δ: before a logarithm is taken, probabilities are kept between δ and 1 − δ
    level: float = 0.95
    seed: int = 20

    @property
    def unit(self) -> str:
        """Nats or bits."""
        return "bits" if self.base == 2 else "nats"


USUAL = LossSettings()
NO_ROWS = "**No row counts: every weight is 0.** Choose another weight column, or none, on the Data page."

_ORDER = {"bootstrap": 0, "chance": 1, "": 2}
"""Losses come first, then calibration errors, then what does not ask whether probabilities are believed."""


def loss_measures(classes: int, settings: LossSettings) -> list[MetricDef]:
    """Measures of probabilities for a number of classes, with base and clipping set."""
    other = SEVERAL_CLASSES if classes == 2 else TWO_CLASSES
    measures = measures_of("probabilities", base=settings.base, clip=settings.clip)
    return sorted((m for m in measures if m.group != other), key=lambda measure: _ORDER[measure.interval])


@dataclass(frozen=True, eq=False)
class Losses:
    """Losses of a table of probabilities, without calibration errors, which depend on bins."""

    settings: LossSettings
    intervals: dict[str, inference.Interval]  # by the key of the measure; nan bounds where there is no interval
    clipped: int  # rows whose own class was given less than δ
    impossible: int  # rows whose own class was given 0

    @classmethod
    def of(cls, table: classification.ProbabilityTable, settings: LossSettings = USUAL) -> "Losses":
        """Measure the losses and resample the rows."""
        # The intervals hold the losses themselves, so that no row is looked at twice.
        intervals = inference.bootstrap_losses(table, settings.base, settings.clip, settings.level, seed=settings.seed)
        for measure in loss_measures(len(table.classes), settings):
            if measure.interval != "chance" and measure.key not in intervals:
                intervals[measure.key] = inference.Interval(float(measure(table)), math.nan, math.nan)
        clipped, impossible = (classification.clipped_rows(table, least) for least in (settings.clip, math.ulp(0.0)))
        return cls(settings, intervals, clipped, impossible)

    def value(self, key: str) -> float:
        """Value of a measure."""
        return float(self.intervals[key].estimate)

    @property
    def clipping(self) -> str:
        """Rows that are clipped or given probability 0 for their own class, in Markdown; empty without any."""
        clip = self.settings.clip
        given = f"{rows_text(self.impossible)} {'has' if self.impossible == 1 else 'have'} probability 0"
        given += " for the actual class"
        if not clip:
            return f"{given}, so the log-loss is infinite." if self.impossible else ""
        if not self.clipped:
            return ""
        without = f"; {given}: without clipping the log-loss would be infinite" if self.impossible else ""
        return f"{rows_text(self.clipped)} clipped at δ = {clip:g}{without}."


@dataclass(frozen=True, eq=False)
class WorstPredictions:
    """The rows with the highest log-loss, the worst first."""

    probabilities: ProbabilitySource
    settings: LossSettings
    worst: classification.WorstRows

    @classmethod
    def of(cls, probabilities: ProbabilitySource, settings: LossSettings = USUAL) -> "WorstPredictions":
        """Find one row in a hundred, and at least as many as go into a file."""
        most = max(MOST_WORST_ROWS, _percent(probabilities))
        worst = classification.worst_rows(probabilities.table, most, settings.base, settings.clip)
        return cls(probabilities, settings, worst)

    def first(self, most: int) -> "WorstPredictions":
        """The first rows of the selection."""
        worst = self.worst
        first = classification.WorstRows(worst.rows[:most], worst.losses[:most], worst.shares[:most])
        return replace(self, worst=first)

    @property
    def own(self) -> Array:
        """Probability that each row gave to its own class, shape (m,)."""
        return self.probabilities.table.of_actual[self.worst.rows]

    @property
    def names(self) -> list[str]:
        """Name of each row in the file: "line 12"."""
        return [self.probabilities.line(row) for row in self.worst.rows]

    @property
    def positions(self) -> Indices:
        """Indices of the rows in the open table, shape (m,)."""
        return self.probabilities.rows[self.worst.rows]

    @property
    def verdict(self) -> str:
        """Share of the loss from the worst 1 % of the rows, in Markdown."""
        rows = _percent(self.probabilities)
        share = float(self.worst.shares[:rows].sum())
        if not len(self.worst.losses):
            return NO_ROWS
        # The worst row costs at least the mean, so nothing costs anything where it costs nothing.
        if not round(float(self.worst.losses[0]), LOSS_DECIMALS):
            return "No row costs anything."
        what = "row causes" if rows == 1 else f"1{THIN}% of rows ({count_text(rows)}) cause"
        whole = "an infinite loss" if math.isnan(share) else f"**{share_text(share)}** of the loss"
        return f"The worst {what} {whole}."

    @property
    def scale(self) -> str:
        """Losses of some probabilities, for comparison."""
        half, hundredth = (number_text(-math.log(q) / math.log(self.settings.base)) for q in (0.5, 0.01))
        return f"A probability of ½ for the actual class costs {half}, one of 0.01 costs {hundredth}."

    @property
    def table(self) -> dict[str, list]:
        """The rows as columns, unrounded."""
        table, rows = self.probabilities.table, self.worst.rows
        classes = [text_of(name) for name in table.classes]
        return {
            "row": self.names, "actual": [classes[index] for index in table.actual[rows]],
            "most probable": [classes[index] for index in table.probabilities[rows].argmax(axis=1)],
            "probability": self.own.tolist(), "loss": self.worst.losses.tolist(),
            "share": self.worst.shares.tolist(), "cumulative": np.cumsum(self.worst.shares).tolist(),
        }  # fmt: skip


def _percent(probabilities: ProbabilitySource) -> int:
    return max(len(probabilities.table.actual) // 100, 1)


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """The decisions of a table of probabilities under a cost of each error."""

    probabilities: ProbabilitySource
    changed: Mapping[tuple[int, int], float]  # other costs than 1 for an error, by places of actual class and decision

    @cached_property
    def costs(self) -> Array:
        """Cost of each actual class and decision, shape (k, k)."""
        costs = 1.0 - np.eye(len(self.probabilities.table.classes))
        for place, cost in self.changed.items():
            costs[place] = cost
        return costs

    @property
    def names(self) -> list[str]:
        """Names of the classes. Unescaped text from a file."""
        return [text_of(name) for name in self.probabilities.table.classes]

    @cached_property
    def most_probable(self) -> Indices:
        """Place of the most probable class of each row."""
        return self.probabilities.table.probabilities.argmax(axis=1)

    @cached_property
    def decisions(self) -> Indices:
        """The cheapest decision of each row by its expected cost."""
        return cheapest_decisions(self.probabilities.table, self.costs)

    @cached_property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """Actual class and decision, by the way of deciding."""
        table = self.probabilities.table
        same = np.full(len(table.actual), int((table.sizes @ self.costs).argmin()))
        decided = zip(_WAYS, (self.most_probable, self.decisions, same), strict=True)
        places, weights = range(len(table.classes)), table.weights
        return {way: ConfusionMatrix.from_labels(table.actual, each, places, weights) for way, each in decided}

    @property
    def values(self) -> dict[str, float]:
        """Mean cost per row, by the way of deciding."""
        return {way: mean_cost(matrix, self.costs) for way, matrix in self.matrices.items()}

    @property
    def moved(self) -> int:
        """Number of rows whose cheapest decision is not the most probable class."""
        return int(np.count_nonzero(self.decisions != self.most_probable))

    @property
    def verdict(self) -> str:
        """Saving by the decisions with the lowest expected cost, in Markdown."""
        usual, cheapest, same = self.values.values()
        if same < min(usual, cheapest):
            return (
                f"**Always deciding the same would be cheaper: {number_text(same)} per row**, against "
                f"{number_text(cheapest)} by expected cost and {number_text(usual)} by the most probable class."
            )
        if not self.moved:
            return f"**The most probable class is the cheapest decision for every row:** {number_text(usual)} per row."
        cheaper = "cheaper" if cheapest < usual else "not cheaper on these rows"
        return (
            f"**The decisions of lowest expected cost are {cheaper}: {number_text(cheapest)} per row**, against "
            f"{number_text(usual)} by the most probable class; {count_text(self.moved)} of "
            f"{count_text(len(self.decisions))} rows are decided differently."
        )

    @property
    def cost_rows(self) -> tuple[list[Cell | str], list[list[Cell | str]]]:
        """Headings and lines of the costs: actual classes down, decisions across."""
        heads: list[Cell | str] = ["actual ↓ decision →", *(label_text(name, 14) for name in self.names)]
        lines: list[list[Cell | str]] = [
            [Cell(label_text(name, 20), heading=True), *(f"{cost:g}" for cost in costs)]
            for name, costs in zip(self.names, self.costs.tolist(), strict=True)
        ]
        return heads, lines

    @property
    def rows(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings and lines: mean cost and accuracy of each way of deciding."""
        lines, values = [], self.values
        for way, matrix in self.matrices.items():
            which = label_text(self.names[int(matrix.counts.sum(axis=0).argmax())], 24) if way == _WAYS[2] else ""
            cost = Cell(number_text(values[way]), strong=True)
            lines.append([Cell(way, aside=which), cost, share_text(overall_accuracy(matrix))])
        return ["decision", "cost per row", "accuracy"], lines

    @property
    def table(self) -> dict[str, list]:
        """Line, actual class, most probable class, cheapest decision and its expected cost of each row."""
        table, names = self.probabilities.table, np.array(self.names, dtype=object)
        expected = (table.probabilities * self.costs.T[self.decisions]).sum(axis=1)
        columns = {name: list(values) for name, values in self.probabilities.columns.items()}
        columns |= {"most probable": names[self.most_probable].tolist(), "cheapest": names[self.decisions].tolist()}
        return columns | {"expected cost": expected.tolist()}

    @property
    def code(self) -> str:
        """Python that decides again and asserts the mean costs."""
        usual, cheapest, _ = self.values.values()
        return script(
            self.probabilities.code,
            f"costs = np.array({self.costs.tolist()!r})  # [actual, decision]",
            "places = range(len(table.classes))",
            "decided = cheapest_decisions(table, costs)",
            "cheapest = ConfusionMatrix.from_labels(table.actual, decided, places, table.weights)",
            "usual = table.probabilities.argmax(axis=1)",
            "usual = ConfusionMatrix.from_labels(table.actual, usual, places, table.weights)",
            check("[mean_cost(usual, costs), mean_cost(cheapest, costs)]", [usual, cheapest]),
            "print(mean_cost(usual, costs), mean_cost(cheapest, costs))",
        )


def read_costs(written: str | None, classes: int) -> dict[tuple[int, int], float] | None:
    """Parse costs written by `written_costs`; None if the text is no such costs.

    >>> read_costs("0-1-5,2-0-0.5", 3), read_costs("0-7-5", 3), read_costs("", 3)
    ({(0, 1): 5.0, (2, 0): 0.5}, None, {})
    """
    costs: dict[tuple[int, int], float] = {}
    for part in filter(None, (written or "").split(",")):
        try:
            actual, decision, cost = part.split("-", 2)
            place, value = (int(actual), int(decision)), float(cost)
        except ValueError:
            return None
        if not (min(place) >= 0 and max(place) < classes and abs(value) <= _HIGHEST):
            return None
        costs[place] = value
    return costs


def written_costs(costs: Mapping[tuple[int, int], float]) -> str | None:
    """Costs as text, without the defaults (1 for an error, 0 for a correct decision); None if all are defaults.

    >>> written_costs({(0, 1): 5.0, (1, 2): 1.0, (2, 2): 0.0})
    '0-1-5'
    """
    return ",".join([f"{i}-{j}-{cost:g}" for (i, j), cost in costs.items() if cost != float(i != j)]) or None


_HALF = 0.5  # the threshold of most programs
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


def weight_steps(scores: Scores) -> tuple[tuple[float, ...], float]:
    """Selectable weights of a positive row, and the weight that balances the classes."""
    positives, negatives = float(scores.scored.positives), float(scores.scored.negatives)
    balanced = float(f"{negatives / positives:.3g}") if positives and negatives else 1.0
    return tuple(sorted({*_STEPS, balanced})), balanced


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """Probabilities of one system, unchanged and as if positive rows had more weight in training.

    Raises a ReadProblem where the scores are no probabilities.
    """

    scores: Scores
    times: float

    def __post_init__(self) -> None:
        low, high = self.scores.scored.ends
        if not 0 <= low <= high <= 1:
            raise ReadProblem(
                f"The scores in {self.scores.system} lie outside 0 … 1. Resampling changes the probabilities that a "
                "model states; choose a column of probabilities."
            )

    @property
    def threshold(self) -> float:
        """Threshold on the unchanged scores that corresponds to the usual one after weighting."""
        at = equivalent_threshold(self.times, _HALF)
        return at if self.scores.higher else 1 - at

    @property
    def before(self) -> classification.ConfusionCounts:
        """The counts at the usual threshold."""
        return self.scores.counts_at(_HALF)

    @property
    def after(self) -> classification.ConfusionCounts:
        """The counts that the usual threshold gives on the reweighted probabilities."""
        return self.scores.counts_at(self.threshold)

    @cached_property
    def probabilities(self) -> tuple[classification.ProbabilityTable, classification.ProbabilityTable]:
        """The probabilities before and after."""
        table = ProbabilitySource.of(self.scores.current).table
        event = table.event(1)
        parts = event.happened, reweighted(event.probability, self.times), True, event.weights, event.clusters
        return table, classification.ProbabilityTable.from_event(*parts)

    @property
    def columns(self) -> dict[str, list[float]]:
        """Unrounded numbers before and after, by name."""
        both, events = (self.before, self.after), [table.event(1) for table in self.probabilities]
        area = float(roc_auc(self.scores.scored))  # the odds times a factor keep the order of the rows
        return {
            "threshold": [_HALF, self.threshold],
            **{cell: [float(getattr(counts, cell)) for counts in both] for cell in CELLS},
            **{one.key: [float(one(counts)) for counts in both] for one in _MEASURES}, "roc_auc": [area, area],
            "stated": [float(np.average(e.probability, weights=e.weights)) for e in events],
            "log_loss": [float(log_loss(table)) for table in self.probabilities],
        }  # fmt: skip

    @property
    def table(self) -> tuple[list[Cell | str], list[list[Cell | str]]]:
        """Heads and rows for the page."""
        names = {
            "threshold": "Threshold ½ on the old scale", "roc_auc": "ROC AUC", "log_loss": "Log-loss",
            "stated": f"Mean probability ({share_text(self.scores.prevalence)} are {self.scores.positive[:24]})",
            **{cell: cell.upper() for cell in CELLS}, **{one.key: one.name for one in _MEASURES},
        }  # fmt: skip
        rows: list[list[Cell | str]] = []
        for key, pair in self.columns.items():
            name = Cell(names[key], heading=True, measure=key if key in METRICS else "")
            rows.append([name, *(_WRITTEN.get(key, share_text)(one) for one in pair)])
        return ["", "as they are", f"each positive ×{threshold_text(self.times)}"], rows

    @property
    def verdict(self) -> str:
        """Effect of the weights on measures and curves, in Markdown."""
        numbers = self.columns
        if self.times == 1:
            return "**Nothing is changed.** Move the slider: let each positive row count several times."
        first, then = ([share_text(numbers[key][side]) for key in ("recall", "precision")] for side in (0, 1))
        says, are = share_text(numbers["stated"][1]), share_text(self.scores.prevalence)
        where = self.scores.text(self.threshold)
        return (
            f"**It moves the threshold, not the curve.** Threshold ½ now means {where} on the old scale: recall goes "
            f"from {first[0]} to {then[0]}, precision from {first[1]} to {then[1]}. The ROC curve and its area "
            f"({number_text(numbers['roc_auc'][0])}) stay the same, because the order of the rows does not "
            f"change. The mean probability of {plain(self.scores.positive, 30)} is now {says}; {are} of the rows are. "
            f"Moving the threshold to {where} gives the same decisions and leaves the probabilities unchanged."
        )


_MEASURES = tuple(METRICS[key] for key in ("recall", "precision", "accuracy"))

_WRITTEN = dict.fromkeys(CELLS, count_text) | {
    "threshold": threshold_text, "roc_auc": number_text, "log_loss": number_text,
}  # fmt: skip
