"""What the tests say of two systems, and of many: each difference with its interval and its p-value, kept."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.classification import ScoredLabels, average_precision
from evalcore.inference import (
    ChiSquare,
    Comparison,
    CorrelatedAreas,
    Interval,
    adjusted,
    bootstrap_score_difference,
    correlated_areas,
    mcnemar_differences,
    paired_matrix_differences,
    poor_coverage,
)

from ...session.current_dataset import Opened
from .comparison import Contest
from .paired_rows import SameRows, is_complete, same_rows, same_scores

MOST_RESAMPLED = 6
"""Systems that are compared at once by a measure whose every difference takes a second of resampling."""
RESAMPLES = 1000
MOST_CLASSES = 60
"""Classes up to which measures of the whole square table are resampled."""

_SHARES = ("recall", "specificity", "accuracy", "miss_rate", "fall_out", "error_rate")


@dataclass(frozen=True, eq=False)
class Difference:
    """Two systems by one measure.

    Parameters
    ----------
    measure : MetricDef
    a, b : float
        Its values.
    found : Comparison
        B minus A.
    """

    measure: MetricDef
    a: float
    b: float
    found: Comparison

    @property
    def why_undefined(self) -> str:
        """Why there is no difference, where one of the values is undefined or both are infinite."""
        return self.measure.undefined_when if math.isnan(self.a) or math.isnan(self.b) else "infinite for both"

    def better(self, alpha: float, p_value: float | None = None) -> int:
        """1 where B is better beyond chance, −1 where A is, 0 where neither is; p after a correction where given."""
        p = self.found.p_value if p_value is None else p_value
        if not p <= alpha or not self.found.estimate or self.measure.better is None:
            return 0
        return int(np.sign(self.found.estimate)) * (-1 if self.measure.better == "lower" else 1)


@dataclass(frozen=True, eq=False)
class Many:
    """Several systems by one measure, each two on the rows that both have.

    Parameters
    ----------
    systems : tuple of str
        Come from a file: escape them.
    pairs : tuple of (int, int)
        Places of the two systems of each comparison, the second minus the first.
    found : tuple of Difference
    corrected : Array
        Their p-values, corrected for their number.
    rows, left_out : int
        That all of them have, and that some of them lacks.
    complete : bool
        Whether no system has a row that another lacks, so that all pairs have the same rows.
    overall : ChiSquare or None
        Whether all of them could be equal, where the measure is the area under the ROC curve.
    """

    systems: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    found: tuple[Difference, ...]
    corrected: np.ndarray
    rows: int
    left_out: int
    complete: bool
    overall: ChiSquare | None = None


def differences_of(contest: Contest, measures: Sequence[MetricDef]) -> list[Difference]:
    """The two systems by some measures, in their order."""
    keys = tuple(measure.key for measure in measures)
    return _differences(f"{contest.key}\n{contest.level}\n{keys!r}", _contest=contest, _measures=tuple(measures))


def difference_of(contest: Contest) -> Difference:
    """The two systems by the measure that was chosen."""
    return differences_of(contest, [contest.measure])[0]


def is_slow(measure: MetricDef) -> bool:
    """Whether each difference takes a second."""
    return measure.key == "average_precision" or (measure.family == "matrix" and measure.key != "overall_accuracy")


def many_of(contest: Contest) -> Many:
    """All systems that are compared at once, by the measure that was chosen."""
    slow = is_slow(contest.measure)
    systems = contest.drawn[: MOST_RESAMPLED if slow else None]
    pairs = tuple(combinations(range(len(systems)), 2)) if contest.all_pairs and not slow else _against_first(systems)
    key = "\n".join((contest.key, contest.measure.key, repr((systems, pairs, contest.level))))
    many = _many(key, _contest=contest, _systems=systems, _pairs=pairs)
    corrected = adjusted([one.found.p_value for one in many.found], contest.correction)
    return replace(many, corrected=corrected)


def corrected_p(contest: Contest, difference: Difference) -> tuple[float, int]:
    """The p-value of the two systems, corrected for all comparisons that are made, and how many these are."""
    if len(contest.drawn) < 3:
        return difference.found.p_value, 1
    many = many_of(contest)
    return float(many.corrected[0]), len(many.found)


def areas_of_systems(contest: Contest, systems: tuple[str, ...]) -> CorrelatedAreas:
    """The areas under the ROC curves of some systems with their covariance."""
    return _areas(f"{contest.current.key_of(None)}\n{systems!r}", _current=contest.current, _systems=systems)


def coverage_note(contest: Contest, measure: MetricDef) -> str:
    """A sentence where intervals such as this one are known to hold less, or more, than they say; else empty."""
    if contest.target is None or contest.level != 0.95:
        return ""
    counts = contest.paired.a
    n, positives = float(counts.total), float(counts.actual_positives)
    if not n or not positives:
        return ""
    method = "bootstrap_difference f_beta"
    if measure.key == "roc_auc":
        method = "delong_difference"
    elif measure.key in _SHARES:
        method = "score_difference recall"
        if measure.key in ("specificity", "fall_out"):
            positives = n - positives  # what recall is to the positives, specificity is to the negatives
        elif measure.key in ("accuracy", "error_rate"):
            method = "score_difference accuracy"
    if not 0 < positives < n:
        return ""
    return poor_coverage(method, n, positives / n)


def _against_first(systems: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((0, place) for place in range(1, len(systems)))


@st.cache_data(max_entries=256, show_spinner="Comparing …")
def _differences(key: str, _contest: Contest, _measures: tuple[MetricDef, ...]) -> list[Difference]:
    contest, level = _contest, _contest.level
    counted = [measure for measure in _measures if measure.family == "counts"]
    found: dict[str, Difference] = {}
    if counted:
        paired = contest.paired
        compared = mcnemar_differences(counted, paired, level)
        for measure, one in zip(counted, compared, strict=True):
            found[measure.key] = Difference(measure, float(measure(paired.a)), float(measure(paired.b)), one)
    whole = [measure for measure in _measures if measure.family == "matrix"]
    if whole:
        found |= _of_classes(contest.rows, whole, level, 0, 1)
    for measure in _measures:
        if measure.family == "scores":
            found[measure.key] = _of_scores(contest, measure)
    return [found[measure.key] for measure in _measures]


def _of_classes(rows: SameRows, measures: Sequence[MetricDef], level: float, a: int, b: int) -> dict[str, Difference]:
    paired = rows.paired_classes(a, b)
    of_a, of_b = paired.matrices()
    resampled = [measure for measure in measures if measure.key != "overall_accuracy"]
    if len(rows.classes) > MOST_CLASSES:
        compared = [_untested(float(m(of_b)) - float(m(of_a)), round(paired.n)) for m in resampled]
    else:
        compared = paired_matrix_differences(resampled, paired, level, RESAMPLES)
    by_key = dict(zip((measure.key for measure in resampled), compared, strict=True))
    if len(by_key) < len(measures):
        by_key["overall_accuracy"] = mcnemar_differences([METRICS["accuracy"]], paired.right(), level)[0]
    return {m.key: Difference(m, float(m(of_a)), float(m(of_b)), by_key[m.key]) for m in measures}


def _untested(estimate: float, n: int) -> Comparison:
    return Comparison("not tested", estimate, Interval(estimate, math.nan, math.nan), math.nan, math.nan, n)


def _of_scores(contest: Contest, measure: MetricDef) -> Difference:
    if measure.key == "roc_auc":
        areas = areas_of_systems(contest, (contest.a, contest.b))
        return Difference(measure, *areas.estimates.tolist(), areas.compared(0, 1, contest.level))
    return _by_average_precision(contest, (contest.a, contest.b))


def _by_average_precision(contest: Contest, systems: tuple[str, str]) -> Difference:
    return _resampled(f"{contest.current.key_of(None)}\n{systems!r}\n{contest.level}", contest, systems)


# Kept by itself: the same second of work for the verdict, the tab and the file.
@st.cache_data(max_entries=128, show_spinner="Resampling …")
def _resampled(key: str, _contest: Contest, _systems: tuple[str, str]) -> Difference:
    labels, scores, weights, _ = same_scores(_contest.current, _systems)
    options = {"weights": weights, "higher_is_positive": _contest.current.higher_is_positive}
    values = [float(average_precision(ScoredLabels.from_arrays(labels, one, **options))) for one in scores]
    found = bootstrap_score_difference(
        average_precision, labels, *scores, level=_contest.level, resamples=RESAMPLES, **options
    )
    return Difference(METRICS["average_precision"], *values, found)


@st.cache_data(max_entries=64, show_spinner="Comparing all systems …")
def _many(key: str, _contest: Contest, _systems: tuple[str, ...], _pairs: tuple[tuple[int, int], ...]) -> Many:
    contest, areas = _contest, None
    rows = same_rows(contest.current, _systems, contest.cut or "page")
    complete = is_complete(contest.current, rows)
    if complete:
        found = [_one(contest, rows, a, b) for a, b in _pairs]
    else:
        found = [_on_their_own_rows(contest, _systems, a, b) for a, b in _pairs]
    if contest.measure.key == "roc_auc":
        areas = areas_of_systems(contest, _systems)
    overall = None if areas is None else areas.overall()
    return Many(_systems, _pairs, tuple(found), np.array([]), len(rows.rows), rows.left_out, complete, overall)


def _on_their_own_rows(contest: Contest, systems: tuple[str, ...], a: int, b: int) -> Difference:
    """Two of the systems on the rows that both have, whatever the others lack."""
    pair = (systems[a], systems[b])
    if contest.cut == "flagged" and a:
        # As many as A flags: so A has to have the rows too.
        rows = same_rows(contest.current, (systems[0], *pair), contest.cut)
        return _one(contest, rows, 1, 2)
    return _one(contest, same_rows(contest.current, pair, contest.cut or "page", contest.a), 0, 1)


def _one(contest: Contest, rows: SameRows, a: int, b: int) -> Difference:
    measure, systems = contest.measure, (rows.systems[a], rows.systems[b])
    if measure.key == "roc_auc":
        # All areas at once where all have the same rows: each system is then sorted once.
        areas = areas_of_systems(contest, rows.systems)
        return Difference(measure, *areas.estimates[[a, b]].tolist(), areas.compared(a, b, contest.level))
    if measure.family == "scores":
        return _by_average_precision(contest, systems)
    if measure.family == "matrix":
        return _of_classes(rows, [measure], contest.level, a, b)[measure.key]
    target = contest.target if contest.target in rows.classes else rows.classes[-1]
    paired = rows.paired(target, a, b)
    found = mcnemar_differences([measure], paired, contest.level)[0]
    return Difference(measure, float(measure(paired.a)), float(measure(paired.b)), found)


@st.cache_resource(max_entries=32, show_spinner="Comparing the areas …")
def _areas(key: str, _current: Opened, _systems: tuple[str, ...]) -> CorrelatedAreas:
    labels, scores, weights, _ = same_scores(_current, _systems)
    return correlated_areas(labels, scores, weights=weights, higher_is_positive=_current.higher_is_positive)
