"""Thinned lines: no part of the exact curve lies half a pixel from what is drawn, and little is drawn."""

from itertools import pairwise

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, det_points, line_points, probit, roc_curve, roc_points
from evalcore.classification.binary.curves import FEW

PIXELS = 560


def away(x: np.ndarray, y: np.ndarray, places: np.ndarray) -> float:
    """Farthest that a corner lies from the line through the kept ones, in pixels; looked for piece by piece."""
    farthest = 0.0
    for start, end in pairwise(places):
        px, py = x[start : end + 1] * PIXELS, y[start : end + 1] * PIXELS
        dx, dy = px[-1] - px[0], py[-1] - py[0]
        length = max(dx * dx + dy * dy, 1e-300)
        along = np.clip(((px - px[0]) * dx + (py - py[0]) * dy) / length, 0, 1)
        farthest = max(farthest, float(np.hypot(px - px[0] - along * dx, py - py[0] - along * dy).max()))
    return farthest


def table_of(rows: int, decimals: int = 9, seed: int = 1):
    rng = np.random.default_rng(seed)
    labels = rng.random(rows) < 0.2
    return ScoredLabels.from_arrays(labels, rng.normal(labels * 1.3, 1).round(decimals)).table()


@pytest.mark.parametrize("rows", [FEW - 2, 1_000, 20_000, 400_000])
@pytest.mark.parametrize("decimals", [1, 2, 9])
def test_a_roc_curve_is_drawn_to_half_a_pixel(rows: int, decimals: int) -> None:
    table = table_of(rows, decimals)
    curve, places = roc_curve(table), roc_points(table, PIXELS)
    assert places[0] == 0
    assert places[-1] == len(table) - 1
    assert (np.diff(places) > 0).all()
    assert away(curve.fpr, curve.tpr, places) < 0.5
    assert len(places) == len(table) if len(table) <= FEW else len(places) < 2_000


def test_any_line_is_drawn_to_half_a_pixel() -> None:
    rng = np.random.default_rng(5)
    x = np.sort(rng.random(50_000))
    y = np.clip(0.5 + np.cumsum(rng.normal(0, 0.0003, 50_000)), -0.5, 1.5)
    places = line_points(x, y, PIXELS)
    assert away(x, y, places) < 0.5
    assert len(places) < 0.5 * len(x)


def test_a_smooth_line_needs_few_points_and_has_one_to_point_at_nearly_everywhere() -> None:
    x = np.linspace(0, 1, 1_000_000)
    sparse, dense = (line_points(x, np.sqrt(x), PIXELS, spacing) for spacing in (1e9, 4.0))
    assert len(sparse) < 60
    assert away(x, np.sqrt(x), sparse) < 0.5
    steps = np.hypot(np.diff(x[dense]), np.diff(np.sqrt(x[dense]))) * PIXELS
    assert steps.max() < 9


def test_a_det_curve_is_drawn_to_half_a_pixel_of_its_own_axes() -> None:
    table = table_of(300_000)
    low, high = -3.5, 1.0
    places = det_points(table, low, high, PIXELS)
    x = (np.clip(probit(table.counts.fp / table.counts.fp[-1]), low, high) - low) / (high - low)
    y = (np.clip(probit(1 - table.counts.tp / table.counts.tp[-1]), low, high) - low) / (high - low)
    assert away(x, y, places) < 0.5
    assert len(places) < 2_000


@pytest.mark.parametrize("labels", [[True] * 500, [False] * 500])
def test_one_class_has_two_ends(labels: list[bool]) -> None:
    table = ScoredLabels.from_arrays(labels, np.arange(500)).table()
    assert roc_points(table).tolist() == det_points(table, -3, 1).tolist() == [0, 500]
