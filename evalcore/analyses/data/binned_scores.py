"""Bounds of measures whose scores are known by their bin alone, in numbers and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore.analyses.data.scores import Scores, goal_name
from evalcore.analyses.data.source import Source
from evalcore.classification import Goal, NoThreshold
from evalcore.numeric import Array
from evalcore.readers import ReadProblem, Split, text_of
from evalcore.readers.steps.rows import combinations, counts_of
from evalcore.registry import METRICS
from evalcore.wording import count_text, plain, rows_text, threshold_text

if TYPE_CHECKING:
    from evalcore.engines import Bounds, ChoiceBounds, ScoreCounts, StoredTable, Summary

__all__ = ["BinnedScores", "CalledRows", "bins_of", "bounds_note", "refined_at", "threshold_note"]

_MOST_DECIMALS = 9
_MOST_NUMBERS = 200  # counts that a link can hold


@dataclass(frozen=True, eq=False)
class BinnedScores:
    """The bounds of the scores of one system that were counted in bins."""

    counts: ScoreCounts

    @property
    def measures(self) -> Mapping[str, Callable[[], Bounds]]:
        """Functions that compute the bounds of the measures that have them, by their keys in the registry."""
        engines, counts = engines_extra(), self.counts
        measures: dict[str, Callable[[], Bounds]] = {
            "roc_auc": lambda: engines.auc_bounds(counts),
            "average_precision": lambda: engines.average_precision_bounds(counts),
        }
        low, high = counts.bins.sums["lowest"], counts.bins.sums["highest"]
        if counts.higher_is_positive and len(low) and low[0] >= 0 and high[-1] <= 1:
            edges = np.linspace(0, 1, int(METRICS["expected_calibration_error"].params[0].default) + 1)
            measures |= {
                "half_brier_score": lambda: engines.brier_bounds(counts),
                "expected_calibration_error": lambda: engines.calibration_bounds(counts, edges).error,
                "maximum_calibration_error": lambda: engines.calibration_bounds(counts, edges).largest_gap,
            }
        return measures

    def sentence(self, *keys: str) -> str:
        """Bounds of the given measures with their reason, as a sentence; empty if none are known."""
        known = {METRICS[key].name.partition(",")[0]: self.measures[key]() for key in keys if key in self.measures}
        names = {one: one if one.startswith("Brier") else f"{one[0].lower()}{one[1:]}" for one in known}
        clauses = "; ".join(f"the {names[one]} {certainly(known[one])}" for one in known)
        return f"{clauses[0].upper()}{clauses[1:]}: {self._reason}." if known else ""

    def calibration_sentence(self, edges: Array) -> str:
        """Bounds of the calibration error over the given bins, as a sentence."""
        try:
            error = engines_extra().calibration_bounds(self.counts, edges).error
        except (ReadProblem, ValueError):
            return ""
        return f"The calibration error in these bins {certainly(error)}: {self._reason}."

    def choice(self, goal: Goal) -> ChoiceBounds | None:
        """Bounds of the best value for a goal and of its threshold, or None; raises NoThreshold."""
        try:
            return engines_extra().choice_bounds(self.counts, goal)
        except NoThreshold:  # a ValueError too
            raise
        except ValueError:
            return None

    def choice_sentence(self, goal: Goal) -> str:
        """Bounds of the best value and threshold for a goal, as a sentence; says so if bins do not tell.

        >>> from evalcore.classification import youden_goal
        >>> from evalcore.engines import ScoreCounts
        >>> table = {"low": [0.1, 0.4], "high": [0.3, 0.6], "positives": [0, 2], "count": [4, 3]}
        >>> binned = BinnedScores(ScoreCounts.of_table(table, lowest="low", highest="high"))
        >>> binned.choice_sentence(youden_goal())
        'Among all scores the best threshold certainly lies between 0.4 and 0.6, with a value between 0.8 and 1.'
        """
        try:
            bounds = self.choice(goal)
        except NoThreshold:
            return "No threshold between two bins meets the limits; one inside of a bin may."
        if bounds is None:
            return f"For the {goal_name(goal)}, bins do not tell whether a threshold inside of one would be better."
        at, low, high = bounds.thresholds, bounds.value.low, bounds.value.high
        where = f"is {threshold_text(at.low)}" if at.low == at.high else certainly(at)
        value = f"and its value {threshold_text(low)}" if low == high else f"with a value between {_between(low, high)}"
        return f"Among all scores the best threshold {where}, {value}."

    @property
    def _reason(self) -> str:
        bins = self.counts.bins
        several = int(np.count_nonzero(bins.sums["lowest"] < bins.sums["highest"]))
        return f"{count_text(several)} {'bin holds' if several == 1 else 'bins hold'} several scores"


def counted_bins(source: Source, system: str, ends: str) -> ScoreCounts:
    """Bins of a counted data set, by group if it has any; ReadProblem if its scores were changed since counting."""
    frame, roles = source.frame, source.roles
    near, far = (frame[name].to_numpy(np.float64) for name in (system, ends))
    count = counts_of(frame, roles.get("weight") or "").astype(np.float64)
    is_positive = (frame[roles.get("actual")].map(text_of) == text_of(source.positive)).to_numpy()
    table = {"lowest": np.minimum(near, far), "highest": np.maximum(near, far), "count": count}
    table["positives"] = np.where(is_positive, count, 0.0)
    if (group := roles.get("group")) is not None:
        table["group"] = frame[group].map(text_of).to_numpy(object)
    engines, key = engines_extra(), None if group is None else "group"
    higher = source.higher_is_positive
    return engines.ScoreCounts.of_table(table, group=key, higher_is_positive=higher, bits=engines.EXACT_BITS)


def certainly(bounds: Bounds) -> str:
    """End of a sentence: "certainly lies between 0.81231 and 0.81234"."""
    if bounds.low == bounds.high:
        return f"is exactly {threshold_text(bounds.low)}"
    return f"certainly lies between {_between(bounds.low, bounds.high)}"


def _between(low: float, high: float) -> str:
    """Two numbers rounded outwards, with enough decimals to differ.

    >>> _between(0.81231234, 0.81234321), _between(-0.51, 0.25)
    ('0.812312 and 0.812344', '−0.51 and 0.25')
    """
    if not 0 < high - low < math.inf:
        return f"{threshold_text(low)} and {threshold_text(high)}"
    decimals = min(max(math.ceil(-math.log10(high - low)) + 1, 3), _MOST_DECIMALS)
    scale = 10.0**decimals
    ends = math.floor(low * scale + 1e-6) / scale, math.ceil(high * scale - 1e-6) / scale
    return " and ".join(f"{end:.{decimals}f}".rstrip("0").rstrip(".") for end in ends).replace("-", "−")


def engines_extra() -> Any:
    """Import the engines, an optional extra that analyses in memory do not need."""
    return import_module("evalcore.engines")


@dataclass(frozen=True, eq=False)
class CalledRows:
    """Exact counts at thresholds, of the rows of a data set of counted rows."""

    # Labels, and groups where there are such: the counts are those of each combination, in the order of the table.
    by: tuple[str, ...]
    weight: str  # the column of counts; empty where each row of the data set is one
    cells: Array  # Shape (combinations, 2, …, 2): by what each system calls them, positive first.
    cuts: tuple[tuple[float, float, float], ...]  # of each system the threshold, the last score below, the first called

    @classmethod
    def of(cls, source: Source, thresholds: Mapping[str, float], stored: StoredTable) -> CalledRows:
        """Ask the table for the counts at thresholds; ReadProblem if it cannot be asked or has changed."""
        roles, frame, higher = source.roles, source.dataset.frame, source.higher_is_positive
        actual, group, weight = roles.get("actual"), roles.get("group"), roles.get("weight")
        unloaded, positive = source.dataset.unloaded, roles.get("positive")
        calls = engines_extra().threshold_calls(
            *(stored.frame, actual, thresholds, positive), beside=source.systems, group=group,
            weight=None if unloaded is None else unloaded.weight, higher_is_positive=higher,
        )  # fmt: skip
        by = tuple(name for name in (actual, group) if name is not None)
        same = combinations(frame, by)
        of_rows = np.bincount(same, counts_of(frame, weight or "")).astype(np.float64)
        if len(of_rows) * 2 ** len(thresholds) > _MOST_NUMBERS:
            raise ReadProblem("There are too many groups for a link. Leave out the column of groups and count again.")
        names, cells = calls.keys.get("group", np.full(len(calls), "")), []
        for first in np.unique(same, return_index=True)[1].tolist():
            label, name = frame[actual].iloc[first], "" if group is None else text_of(frame[group].iloc[first])
            positives = calls.sums["positives"]
            own = positives if text_of(label) == text_of(positive) else calls.sums["count"] - positives
            for call in product((1, 0), repeat=len(thresholds)):
                called = [calls.keys[f"call {place}"] == side for place, side in enumerate(call)]
                cells.append(own[np.logical_and.reduce([names == name, *called])].sum())
        numbers = np.array(cells, dtype=np.float64).reshape(len(of_rows), -1)
        # Sums of weights may differ by rounding.
        weighted, totals = unloaded is not None and unloaded.weight is not None, numbers.sum(axis=1)
        if not np.allclose(totals, of_rows, rtol=1e-6 if weighted else 0.0, atol=0.0):
            raise ReadProblem("The table has changed since its scores were counted. Count them again.")
        numbers *= (of_rows / totals if weighted else np.ones(len(totals)))[:, None]
        cuts = tuple(_threshold_scores(calls, place, at, higher) for place, at in enumerate(thresholds.values()))
        return cls(by, weight or "", numbers.reshape(-1, *[2] * len(thresholds)), cuts)

    @property
    def texts(self) -> tuple[str, ...]:
        """The numbers of a link."""
        return tuple(map(text_of, self.cells.ravel().tolist()))


def _threshold_scores(calls: Summary, place: int, threshold: float, higher: bool) -> tuple[float, float, float]:
    """Threshold of a system, the last score not called positive and the first score called positive."""
    called = calls.keys[f"call {place}"] == 1
    below, above = (~called, called) if higher else (called, ~called)
    last = float(calls.sums[f"highest {place}"][below].max(initial=-np.inf))
    first = float(calls.sums[f"lowest {place}"][above].min(initial=np.inf))
    return (threshold, last, first) if higher else (threshold, first, last)


def bins_of(scores: Scores) -> ScoreCounts | None:
    """Bins of the scores of a data set, by group; None if every score is exact."""
    dataset = scores.current.dataset
    ends = None if dataset.unloaded is None else dataset.unloaded.ends.get(scores.system)
    if ends is None or ends not in dataset.frame:
        return None

    def build() -> ScoreCounts | None:
        try:
            return counted_bins(scores.current, scores.system, ends)
        except ReadProblem:  # the scores were changed since, and their ends were not
            return None

    return dataset.once("bins", scores.system, build)


def _inexact(scores: Scores) -> BinnedScores | None:
    """Bins of the scores of a data set; None if every score is exact."""
    bins = bins_of(scores)
    return None if bins is None or bins.is_exact else BinnedScores(bins)


def bounds_note(scores: Scores, *measures: str, goal: Goal | None = None, edges: Array | None = None) -> str:
    """Bounds of some measures, of the best threshold for a goal and of the calibration error; empty without bins."""
    if (binned := _inexact(scores)) is None:
        return ""
    system, once = scores.system, scores.current.dataset.once
    sentences = [once(f"bounds of {measures}", system, lambda: binned.sentence(*measures), 0)]
    if goal is not None:
        sentences.append(once(f"bounds of the best for {goal.key}", system, lambda: binned.choice_sentence(goal), 0))
    if edges is not None:
        sentences.append(binned.calibration_sentence(edges))
    return " ".join(filter(None, sentences))


def certain_numbers(scores: Scores, threshold: float, goal: Goal | None = None) -> dict[str, Any]:
    """Bounds in plain types, of all "measures" and of a goal's "value" and "thresholds"; empty without bins."""
    if (binned := _inexact(scores)) is None:
        return {}
    parts: dict[str, Bounds] = {}
    with suppress(NoThreshold):
        if goal is not None and (choice := binned.choice(goal)) is not None:
            parts = {"value": choice.value, "thresholds": choice.thresholds}
    measures = {key: bounds_of() for key, bounds_of in binned.measures.items()}
    ends = [{key: [one.low, one.high] for key, one in each.items()} for each in (measures, parts)]
    return {"counts_exact": binned.counts.bin_around(threshold) is None, "measures": ends[0], **ends[1]}


def certain_text(scores: Scores, threshold: float, goal: Goal | None = None) -> str:
    """The note on the bounds from binned scores as plain text; empty if every score is exact."""
    if (binned := _inexact(scores)) is None:
        return ""
    is_exact = binned.counts.bin_around(threshold) is None
    counts = "The counts are exact" if is_exact else "The threshold divides a bin, so the counts are not exact"
    return f"{bounds_note(scores, 'roc_auc', goal=goal)} {counts}."


def threshold_note(scores: Scores, threshold: float) -> tuple[str, bool]:
    """Sentence on the error of the counts at a threshold, empty without bins; and whether the table could remove it."""
    if (bins := bins_of(scores)) is None:
        return "", False
    written = f"{scores.rule} {scores.text(threshold)}"
    if (ends := bins.bin_around(threshold)) is None:
        return f"The counts at {written} are exact.", False
    at = (bins.bins.sums["lowest"] == ends[0]).argmax()
    rows, positives = (float(bins.bins.sums[name][at]) for name in ("count", "positives"))
    return (
        f"{written} divides a bin of {rows_text(rows)} with scores from {threshold_text(ends[0])} to "
        f"{threshold_text(ends[1])}, which are not called {plain(scores.positive, 40)} here: up to "
        f"{count_text(positives)} more hits and {count_text(rows - positives)} more false alarms are possible."
    ), not scores.current.dataset.shape.filters


def refined_at(scores: Scores, threshold: float, stored: StoredTable) -> Split:
    """The step that makes the counts at a threshold exact, by a query; ReadProblem if the table cannot be asked."""
    bins, current = bins_of(scores), scores.current
    if bins is None or bins.bin_around(threshold) is None or current.dataset.unloaded is None:
        raise ReadProblem("The counts at this threshold are exact already.")
    rows = CalledRows.of(current, {scores.system: threshold}, stored)
    columns = scores.system, current.dataset.unloaded.ends[scores.system], rows.weight
    if (split := Split.at(current.frame, columns, rows.by, rows.cuts[0], rows.cells[:, 0])) is None:
        raise ReadProblem("The table has changed since its scores were counted. Count them again.")
    return split
