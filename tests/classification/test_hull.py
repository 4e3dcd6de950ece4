"""The ROC hull: a slow oracle, scipy's hull, and the promise that no point lies above it."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from evalcore.classification import ScoredLabels, roc_hull


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
