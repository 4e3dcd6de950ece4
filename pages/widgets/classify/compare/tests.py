"""What the tests say of two systems, and of many: each difference with its interval and its p-value, kept."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import streamlit as st

from evalcore import MetricDef
from evalcore.analyses import Source
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    ChiSquare,
    Comparison,
    CorrelatedAreas,
    Interval,
    adjusted,
    bootstrap_score_differences,
    correlated_areas,
    mcnemar_differences,
    poor_coverage,
)

from .comparison import Contest
from .paired_rows import SameRows, is_complete, same_rows, same_scores

MOST_RESAMPLED = 6
"""Systems that are compared at once by a measure whose every difference takes a second of resampling."""
RESAMPLES = 1000
MOST_CLASSES = 60
"""Classes up to which measures of the whole square table are resampled."""


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
    return measure.paired_test == "bootstrap" and measure.family != "counts"


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
    method = {"delong": "delong_difference", "bootstrap": "bootstrap_difference f_beta"}.get(measure.paired_test)
    if measure.paired_test == "share":
        method = f"score_difference {'accuracy' if measure.share_of == 'rows' else 'recall'}"
    if measure.paired_test == "share" and measure.share_of == "actual negatives":
        positives = n - positives  # what recall is to the positives, specificity is to the negatives
    if not 0 < positives < n:
        return ""
    return poor_coverage(method, n, positives / n)


def _against_first(systems: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((0, place) for place in range(1, len(systems)))


@st.cache_data(max_entries=256, show_spinner="Comparing …")
def _differences(key: str, _contest: Contest, _measures: tuple[MetricDef, ...]) -> list[Difference]:
    return _compared(_contest, _contest.rows, _measures, 0, 1)


def _compared(contest: Contest, rows: SameRows, measures: Sequence[MetricDef], a: int, b: int) -> list[Difference]:
    """Two of the systems that have these rows, by measures of any family."""
    found: dict[str, Difference] = {}
    for family, differences in (("counts", _of_counts), ("matrix", _of_classes), ("scores", _of_scores)):
        if own := [measure for measure in measures if measure.family == family]:
            found |= differences(contest, rows, own, a, b)
    return [found[measure.key] for measure in measures]


def _of_counts(contest: Contest, rows: SameRows, measures: list[MetricDef], a: int, b: int) -> dict[str, Difference]:
    paired = rows.paired(contest.target if contest.target in rows.classes else rows.classes[-1], a, b)
    tested = mcnemar_differences(measures, paired, contest.level)
    return {
        measure.key: Difference(measure, float(measure(paired.a)), float(measure(paired.b)), one)
        for measure, one in zip(measures, tested, strict=True)
    }


def _of_classes(contest: Contest, rows: SameRows, measures: list[MetricDef], a: int, b: int) -> dict[str, Difference]:
    paired = rows.paired_classes(a, b)
    few = len(rows.classes) <= MOST_CLASSES
    tested = [measure for measure in measures if few or measure.paired_test == "share"]
    by_key = dict(zip((m.key for m in tested), mcnemar_differences(tested, paired, contest.level), strict=True))
    found = {}
    for measure in measures:
        of_a, of_b = (float(measure(matrix)) for matrix in paired.matrices())
        one = by_key.get(measure.key) or _untested(of_b - of_a, round(paired.n))
        found[measure.key] = Difference(measure, of_a, of_b, one)
    return found


def _untested(estimate: float, n: int) -> Comparison:
    return Comparison("not tested", estimate, Interval(estimate, math.nan, math.nan), math.nan, math.nan, n)


def _of_scores(contest: Contest, rows: SameRows, measures: list[MetricDef], a: int, b: int) -> dict[str, Difference]:
    found = {}
    for measure in measures:
        if measure.paired_test == "delong":
            # All areas at once where all have the same rows: each system is then sorted once.
            areas, scale = areas_of_systems(contest, rows.systems), measure.highest - measure.lowest
            values = measure.lowest + scale * areas.estimates[[a, b]]
            found[measure.key] = Difference(
                measure, *values.tolist(), areas.compared(a, b, contest.level).scaled(scale)
            )
    if resampled := tuple(measure for measure in measures if measure.key not in found):
        systems = (rows.systems[a], rows.systems[b])
        keys = [measure.key for measure in resampled]
        key = f"{contest.current.key_of(None)}\n{systems!r}\n{contest.level}\n{keys}"
        found |= _resampled(key, contest, systems, resampled)
    return found


# Kept by itself: the same second of work for the verdict, the tab and the file.
@st.cache_data(max_entries=128, show_spinner="Resampling …")
def _resampled(
    key: str, _contest: Contest, _systems: tuple[str, str], _measures: tuple[MetricDef, ...]
) -> dict[str, Difference]:
    labels, scores, weights, _ = same_scores(_contest.current, _systems)
    options = {"weights": weights, "higher_is_positive": _contest.current.higher_is_positive}
    a, b = (ScoredLabels.from_arrays(labels, one, **options) for one in scores)
    tested = bootstrap_score_differences(
        _measures, labels, *scores, level=_contest.level, resamples=RESAMPLES, **options
    )
    return {
        measure.key: Difference(measure, float(measure(a)), float(measure(b)), one)
        for measure, one in zip(_measures, tested, strict=True)
    }


@st.cache_data(max_entries=64, show_spinner="Comparing all systems …")
def _many(key: str, _contest: Contest, _systems: tuple[str, ...], _pairs: tuple[tuple[int, int], ...]) -> Many:
    contest = _contest
    rows = same_rows(contest.current, _systems, contest.cut or "page")
    complete = is_complete(contest.current, rows)
    if complete:
        found = [_compared(contest, rows, [contest.measure], a, b)[0] for a, b in _pairs]
    else:
        found = [_on_their_own_rows(contest, _systems, a, b) for a, b in _pairs]
    overall = areas_of_systems(contest, _systems).overall() if contest.measure.paired_test == "delong" else None
    return Many(_systems, _pairs, tuple(found), np.array([]), len(rows.rows), rows.left_out, complete, overall)


def _on_their_own_rows(contest: Contest, systems: tuple[str, ...], a: int, b: int) -> Difference:
    """Two of the systems on the rows that both have, whatever the others lack."""
    pair = (systems[a], systems[b])
    if contest.cut == "flagged" and a:
        # As many as A flags: so A has to have the rows too.
        rows = same_rows(contest.current, (systems[0], *pair), contest.cut)
        return _compared(contest, rows, [contest.measure], 1, 2)[0]
    rows = same_rows(contest.current, pair, contest.cut or "page", contest.a)
    return _compared(contest, rows, [contest.measure], 0, 1)[0]


@st.cache_resource(max_entries=32, show_spinner="Comparing the areas …")
def _areas(key: str, _current: Source, _systems: tuple[str, ...]) -> CorrelatedAreas:
    labels, scores, weights, _ = same_scores(_current, _systems)
    return correlated_areas(labels, scores, weights=weights, higher_is_positive=_current.higher_is_positive)
