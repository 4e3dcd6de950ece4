"""The curves: their points as defined, recall levels in exact arithmetic, and what a picture may leave out."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from evalcore.classification import (
    ScoredLabels,
    drawn_points,
    eleven_point_precision,
    precision_recall_curve,
    roc_curve,
    roc_hull,
)
from evalcore.classification.binary.curves import interpolated_precision
from tests.classification import definitions
from tests.classification.definitions import value_or_nan
from tests.classification.small_inputs import halves, rows, state, thorough

LEVELS = ("0", "0.05", "0.1", "0.29", "0.3", "0.333", "0.5", "0.57", "0.6", "0.7", "0.9", "1e-05", "0.999999", "1")


@thorough
@given(found=rows(halves))
def test_points_are_the_rates_at_each_threshold(found) -> None:
    table = state(found).table()
    roc, pr = roc_curve(table), precision_recall_curve(table)
    listed = [definitions.counts_at(found, t) for t in definitions.thresholds(found)]
    has_both = all(definitions.total(found, truth) for truth in (True, False))
    if has_both:
        points = [(float(1 - definitions.tnr(*cells)), float(definitions.tpr(*cells))) for cells in listed]
        np.testing.assert_allclose(np.column_stack([roc.fpr, roc.tpr]), points, atol=1e-15)
        assert (roc.fpr[0], roc.tpr[0], roc.fpr[-1], roc.tpr[-1]) == (0, 0, 1, 1)
    assert pr.precision.tolist() == [value_or_nan(definitions.ppv, *cells) for cells in listed[1:]]
    assert pr.recall.tolist() == pytest.approx(
        [value_or_nan(definitions.tpr, *cells) for cells in listed[1:]], nan_ok=True
    )
    assert pr.thresholds.tolist() == definitions.thresholds(found)[1:]


@thorough
@given(found=rows())
def test_interpolated_precision_is_the_best_at_any_recall_that_reaches_the_level(found) -> None:
    values = interpolated_precision(state(found, weighted=False).table(), [float(level) for level in LEVELS])
    if definitions.total(found, True):
        assert values.tolist() == [float(definitions.interpolated_precision(found, level)) for level in LEVELS]
    else:
        assert np.isnan(values).all()


@thorough
@given(found=rows())
def test_the_envelope_has_one_height_at_each_recall(found) -> None:
    curve = precision_recall_curve(state(found, weighted=False).table())
    if definitions.total(found, True):
        expected = [curve.precision[curve.recall >= recall].max() for recall in curve.recall]
        assert curve.interpolated.tolist() == expected


def test_rows_that_count_for_parts_need_no_whole_one() -> None:
    """Half of two rows' weight is reached by the first three halves, though the weights add up to a whole number."""
    labels, weights = [True, True, False, True], [0.75, 0.5, 1.0, 0.75]
    table = ScoredLabels.from_arrays(labels, [4, 3, 2, 1], weights=weights).table()
    assert interpolated_precision(table, [0.3, 0.6, 0.7]).tolist() == [1, 1, 2 / 3]


@pytest.mark.parametrize("positives", [3, 7, 10, 29, 100, 1000])
def test_recall_levels_are_the_decimals_they_are_written_as(positives: int) -> None:
    """0.7 of 3 positives needs 3 of them, 0.29 of 100 no more than 29; floating point says otherwise."""
    labels = [label for _ in range(positives) for label in (True, False)]
    table = ScoredLabels.from_arrays(labels, -np.arange(2.0 * positives)).table()
    # With a false alarm after each hit, precision falls with every hit: its value says how many were needed.
    for hundredths in range(101):
        needed = max(math.ceil(Fraction(hundredths, 100) * positives), 1)
        assert float(interpolated_precision(table, hundredths / 100)) == float(Fraction(needed, 2 * needed - 1))


def test_levels_of_any_shape_and_none_outside_the_range() -> None:
    table = ScoredLabels.from_arrays([True, False], [2, 1]).table()
    assert interpolated_precision(table, [[0, 0.5], [1, 1]]).shape == (2, 2)
    assert interpolated_precision(table, 0.5).shape == ()
    assert eleven_point_precision(table).tolist() == [1.0] * 11
    for level in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="must lie between 0 and 1"):
            interpolated_precision(table, [0.5, level])


def test_no_point_is_invented() -> None:
    curve = precision_recall_curve(ScoredLabels.from_arrays([False, True], [2, 1]).table())
    assert list(zip(curve.recall.tolist(), curve.precision.tolist(), strict=True)) == [(0, 0), (1, 0.5)]
    assert curve.interpolated.tolist() == [0.5, 0.5]


def test_curves_of_one_class_say_that_they_are_undefined() -> None:
    curve = roc_curve(ScoredLabels.from_arrays([True, True], [2, 1]).table())
    assert np.isnan(curve.fpr).all()
    assert curve.tpr.tolist() == [0, 0.5, 1]
    nothing = precision_recall_curve(ScoredLabels.from_arrays([], []).table())
    assert len(nothing.precision) == len(nothing.interpolated) == 0


@thorough
@given(seed=st.integers(0, 10_000), points=st.integers(1, 3000), pixels=st.sampled_from([20, 100, 400]))
def test_what_is_not_drawn_lies_within_half_a_pixel_of_what_is(seed: int, points: int, pixels: int) -> None:
    random = np.random.default_rng(seed)
    x, y = (np.sort(random.random(points)) ** power for power in (1, 0.3))
    kept = drawn_points(x, y, pixels)
    assert (kept[0], kept[-1]) == (0, points - 1)
    assert (np.diff(kept) > 0).all()
    before = kept[np.searchsorted(kept, np.arange(points), side="right") - 1]
    after = kept[np.searchsorted(kept, np.arange(points))]
    for of in (x, y):
        nearest = np.minimum(abs(of - of[before]), abs(of - of[after]))
        assert nearest.max() <= 1 / (2 * pixels)
    assert len(kept) <= 2 * (4 * pixels + 2) or points <= 2 * pixels


def slow(x, y) -> list[int]:
    """Rows that no straight line between two other rows passes over or through."""
    last = len(x) - 1
    corners = []
    for i in range(len(x)):
        under = any(
            (x[b] - x[a]) * (y[i] - y[a]) <= (y[b] - y[a]) * (x[i] - x[a])
            for a, b in combinations(range(len(x)), 2)
            if a < i < b
        )
        if i in (0, last) or not under:
            corners.append(i)
    return corners


def table(n: int, seed: int, digits: int, prevalence: float = 0.4, shift: float = 1.0, weighted: bool = False):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < prevalence
    scores = np.round(rng.normal(size=n) + shift * truth, digits)
    return ScoredLabels.from_arrays(truth, scores, weights=rng.integers(0, 4, n) if weighted else None).table()


@pytest.mark.parametrize("seed", range(40))
def test_it_has_the_corners_that_a_slow_search_finds(seed) -> None:
    found = table(
        n=3 + seed, seed=seed, digits=seed % 3, prevalence=(0.1, 0.5, 0.9)[seed % 3], shift=(-1, 0, 1)[seed % 3],
        weighted=seed % 2 == 0,
    )  # fmt: skip
    assert roc_hull(found).tolist() == slow(found.counts.fp.tolist(), found.counts.tp.tolist())


@pytest.mark.parametrize(("n", "digits", "shift"), [(500, 9, 1.0), (20_000, 9, 0.3), (20_000, 3, 2.0), (30_000, 9, -1)])
def test_it_has_the_corners_of_scipy(n, digits, shift) -> None:
    found = table(n, seed=3, digits=digits, shift=shift)
    x, y = found.counts.fp, found.counts.tp
    # Closed through the corner at which nothing is right, so that the upper side alone is left.
    hull = ConvexHull(np.column_stack([np.append(x, x[-1]) / x[-1], np.append(y, -1) / y[-1]]))
    theirs = sorted(set(hull.vertices.tolist()) - {len(x)} | {0, len(x) - 1})
    assert roc_hull(found).tolist() == theirs


@pytest.mark.parametrize("n", [100, 50_000])
def test_no_threshold_lies_above_it(n) -> None:
    found = table(n, seed=1, digits=6)
    rows = roc_hull(found)
    x, y = found.counts.fp, found.counts.tp
    above = y - np.interp(x, x[rows], y[rows])
    assert above.max() <= 1e-9 * y[-1] or (np.diff(x[rows]) == 0).any()


def test_a_curve_that_bulges_everywhere_keeps_all_its_corners() -> None:
    # 10,000 steps, each less steep than the last: nothing can be taken out beforehand.
    steps = np.arange(1, 10_001)
    found = ScoredLabels.from_counts(-steps.astype(float), 1.0 + 0 * steps, steps.astype(float)).table()
    assert roc_hull(found).tolist() == list(range(10_001))


@pytest.mark.parametrize(
    ("labels", "scores", "corners"),
    [([1, 1], [0.2, 0.7], [0, 2]), ([0, 0], [0.2, 0.7], [0, 2]), ([1, 0], [0.5, 0.5], [0, 1])],
)
def test_one_class_or_one_score_leaves_the_two_ends(labels, scores, corners) -> None:
    assert roc_hull(ScoredLabels.from_arrays(labels, scores, positive=1).table()).tolist() == corners
