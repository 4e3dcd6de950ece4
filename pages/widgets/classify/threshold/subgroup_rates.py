"""The rates of each group of rows at the one threshold, with their intervals and their differences to the rest."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.analyses import Scores
from evalcore.classification import ConfusionCounts, ScoredLabels, counts_by_group, rest_of, scored_by_group
from evalcore.inference import (
    Interval,
    IntervalChoice,
    ShareDifferences,
    clopper_pearson,
    compare_shares,
    delong,
    holm,
    wilson,
)
from evalcore.readers import ReadProblem, named

SHARES = (
    *("prevalence", "predicted_prevalence", "recall", "fall_out", "specificity", "precision"),
    *("negative_predictive_value", "accuracy"),
)
"""The rates of a group that are shares of its rows, in the order of the table."""

AREA = "roc_auc"
SHOWN = 30
"""Groups that are drawn; the others are counted, and stand in the tables to take away."""

FEW = 10
"""Rows below which a rate is said to rest on too few."""

MOST = 10_000
"""Different groups beyond which a column is an identifier."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """The groups of the open scores at a threshold.

    Parameters
    ----------
    names : tuple of str, length g
        The largest first. Come from a file: escape them.
    states : tuple of ScoredLabels, length g
    counts : ConfusionCounts, shape (g,)
        Of each group at the threshold.
    whole : ConfusionCounts, shape ()
        Of all rows.
    key : str
        What results of these groups are kept under.
    """

    names: tuple[str, ...]
    states: tuple[ScoredLabels, ...]
    counts: ConfusionCounts
    whole: ConfusionCounts
    key: str

    def __len__(self) -> int:
        return len(self.names)

    def largest(self, most: int = SHOWN) -> "Grouped":
        """Only the largest ones."""
        return replace(self, names=self.names[:most], states=self.states[:most], counts=self.counts[:most])


def grouped_at(scores: Scores, threshold: float) -> Grouped:
    """The groups of the scores at a threshold of the file; a column of groups has to be there.

    Raises
    ------
    ReadProblem
        When there are more different groups than anybody can read.
    """
    key = f"{scores.current.key_of(scores.system)}\ngroups"
    states = _states(key, scores)
    counts = counts_by_group(states.values(), threshold)
    return Grouped(tuple(states), tuple(states.values()), counts, scores.counts_at(threshold), key)


def rate_of(measure: MetricDef, grouped: Grouped, intervals: IntervalChoice) -> tuple[Interval, np.ndarray]:
    """A rate of every group with its interval, and how many rows each rests on, shape (g,)."""
    if measure.key == AREA:
        area = _areas(f"{grouped.key}\n{intervals.level!r}\n{len(grouped)}", grouped, intervals.level)
        counts = grouped.counts
        return area, np.minimum(counts.actual_positives, counts.actual_negatives)
    hits, rows = _shares(measure, grouped.counts)
    if intervals.method == "bootstrap":
        return _resampled(measure, grouped, intervals), rows
    method = clopper_pearson if intervals.method == "clopper" else wilson
    return method(np.minimum(hits, rows), rows, intervals.level), rows


def difference_to_rest(
    measure: MetricDef, grouped: Grouped, level: float
) -> tuple[ShareDifferences, np.ndarray, np.ndarray]:
    """A share of each group minus that of all other rows; the p-values corrected by Holm; the share of the rest."""
    hits, rows = _shares(measure, grouped.counts)
    rest_hits, rest_rows = _shares(measure, rest_of(grouped.whole, grouped.counts))
    found = compare_shares(np.minimum(hits, rows), rows, np.minimum(rest_hits, rest_rows), rest_rows, level)
    # Of two groups each is the rest of the other: that is one test.
    corrected = found.p_values if len(grouped) == 2 else holm(found.p_values)
    return found, corrected, np.divide(rest_hits, rest_rows, out=np.full(len(rows), np.nan), where=rest_rows > 0)


def rates_frame(grouped: Grouped, intervals: IntervalChoice, area: Interval) -> pd.DataFrame:
    """Every group with its counts, rates, intervals and differences, unrounded; all rows together come first.

    `area` is the area of all rows. Resampling a great many groups takes too long: they have Wilson's interval.
    """
    counts = grouped.counts
    every = {
        "group": ["(all rows)", *grouped.names],
        "n": np.append(grouped.whole.total, counts.total),
        **{cell: np.append(getattr(grouped.whole, cell), getattr(counts, cell)) for cell in ("tp", "fp", "fn", "tn")},
    }
    if intervals.method == "bootstrap" and len(grouped) > SHOWN:
        intervals = IntervalChoice("wilson", intervals.level)
    for key in (*SHARES, AREA):
        measure = METRICS[key]
        interval, rows = rate_of(measure, grouped, intervals)
        own, low, high, n = _of_all(measure, grouped.whole, area, intervals)
        every[measure.label] = np.append(own, interval.estimate)
        every[f"{measure.label} low"] = np.append(low, interval.low)
        every[f"{measure.label} high"] = np.append(high, interval.high)
        every[f"{measure.label} rows"] = np.append(n, rows)
        if key != AREA:
            found, corrected, _ = difference_to_rest(measure, grouped, intervals.level)
            every[f"{measure.label} minus rest"] = np.append(np.nan, found.interval.estimate)
            every[f"{measure.label} minus rest low"] = np.append(np.nan, found.interval.low)
            every[f"{measure.label} minus rest high"] = np.append(np.nan, found.interval.high)
            every[f"{measure.label} p (Holm)"] = np.append(np.nan, corrected)
    every["interval"] = f"{intervals.method_name} {100 * intervals.level:g} %, AUC DeLong"
    return pd.DataFrame(every)


def _of_all(measure: MetricDef, whole: ConfusionCounts, area: Interval, intervals: IntervalChoice) -> tuple[float, ...]:
    """A rate of all rows, its bounds, and how many rows it rests on."""
    if measure.key == AREA:
        rarer = min(float(whole.actual_positives), float(whole.actual_negatives))
        return float(area.estimate), float(area.low), float(area.high), rarer
    found = intervals.of(measure, whole)
    if found is None:
        return math.nan, math.nan, math.nan, 0.0
    return float(measure(whole)), float(found[0].low), float(found[0].high), found[1]


def _shares(measure: MetricDef, counts: ConfusionCounts) -> tuple[np.ndarray, np.ndarray]:
    """The rows above and below the line of a share."""
    above = sum(getattr(counts, cell) for cell in measure.numerator)
    return above, sum(getattr(counts, cell) for cell in measure.denominator)


def _resampled(measure: MetricDef, grouped: Grouped, intervals: IntervalChoice) -> Interval:
    found = [intervals.of(measure, grouped.counts[place]) for place in range(len(grouped))]
    bounds = np.array([(math.nan, math.nan) if f is None else (float(f[0].low), float(f[0].high)) for f in found])
    low, high = bounds.reshape(-1, 2).T
    return Interval(np.asarray(measure(grouped.counts)), low, high)


# A second copy of the scores, sorted by group: few are kept, for all sessions together.
@st.cache_resource(max_entries=4, show_spinner="Sorting the groups …")
def _states(key: str, _scores: Scores) -> dict[str, ScoredLabels]:
    dataset = _scores.current.dataset
    column = dataset.roles.group
    different = dataset.frame[column].nunique()
    if different > MOST:
        raise ReadProblem(
            f"Column {named(column)} has {different:,} different groups: that looks like an identifier or a number. "
            "Choose another column as the group."
        )
    rows = dataset.scored_arrays(_scores.system)
    codes, names = rows.group_codes
    return scored_by_group(
        rows.labels, rows.scores, codes, names, weights=rows.weights, higher_is_positive=_scores.higher
    )


@st.cache_data(max_entries=32, show_spinner="Areas of the groups …")
def _areas(key: str, _grouped: Grouped, level: float) -> Interval:
    # Copies, so that the staircases, three times the size of the scores, are not kept.
    found = [delong(replace(state), level) for state in _grouped.states]
    return Interval(*(np.array([float(getattr(i, end)) for i in found]) for end in ("estimate", "low", "high")))
