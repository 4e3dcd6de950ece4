"""Curves of ten million rows: little is sent, and what is drawn lies on the exact curve."""

from itertools import pairwise

import numpy as np
import pytest

from evalcore.analyses.curves.curves import MOST_SYSTEMS
from evalcore.classification import ScoredLabels, precision_recall_curve, roc_curve
from evalcore.figures.classify.curves import System, precision_recall_figure, roc_figure
from evalcore.figures.classify.scores import (
    cost_figure,
    det_figure,
    gain_figure,
    gain_scale_figure,
    ks_figure,
    lift_figure,
)
from evalcore.figures.systems import PIXELS
from evalcore.figures.theme import LIGHT

SENT = 200_000
"""Bytes of the two figures, whether of one system or of the twelve that are drawn at most."""


def table_of(rows: int):
    rng = np.random.default_rng(2)
    classes = rng.normal(1.2, 1, rows // 10), rng.normal(0, 1, rows - rows // 10)
    return ScoredLabels(*(np.sort(scores) for scores in classes)).table()


@pytest.fixture(scope="module")
def shorter():
    return table_of(500_000)


def systems(table, many: int) -> list[System]:
    return [System(f"model {place}", place, table, chosen=not place) for place in range(many)]


def test_the_two_figures_are_small() -> None:
    drawn = systems(table_of(10_000_000), 1)
    assert sum(len(figure(drawn, LIGHT).to_json()) for figure in (roc_figure, precision_recall_figure)) < SENT


def test_as_many_systems_as_are_drawn_are_small(shorter) -> None:
    drawn = systems(shorter, MOST_SYSTEMS)
    sent = sum(len(figure(drawn, LIGHT).to_json()) for figure in (roc_figure, precision_recall_figure))
    assert sent < SENT


@pytest.mark.parametrize("figure", [gain_figure, lift_figure, det_figure, cost_figure, gain_scale_figure])
def test_the_figure_of_a_tab_is_small(shorter, figure) -> None:
    assert len(figure(systems(shorter, 3), LIGHT).to_json()) < SENT


def test_the_two_distributions_are_small(shorter) -> None:
    assert len(ks_figure(systems(shorter, 1), ("yes", "no"), LIGHT).to_json()) < SENT


def test_what_is_drawn_is_nowhere_half_a_pixel_from_the_exact_curve(shorter) -> None:
    drawn = systems(shorter, 1)
    exact = roc_curve(shorter)
    near(exact.fpr, exact.tpr, roc_figure(drawn, LIGHT).data[-1])
    exact = precision_recall_curve(shorter)
    near(exact.recall, exact.precision, precision_recall_figure(drawn, LIGHT, "sawtooth").data[0])
    # The interpolated line passes through both ends of each of its steps.
    x, y = np.append(0, exact.recall).repeat(2)[:-1], exact.interpolated
    near(x, np.append(y[0], y.repeat(2)), precision_recall_figure(drawn, LIGHT, "interpolated").data[0])


def near(x: np.ndarray, y: np.ndarray, line) -> None:
    """Each drawn point is one of the curve, and each corner between two of them lies by the piece that joins them."""
    points = np.column_stack([x, y])
    reached = line.customdata[:, 0]
    assert np.isfinite(reached[1:]).all()
    drawn = np.column_stack([line.x, line.y]).astype(np.float64) * PIXELS
    places = along(points, drawn / PIXELS)
    farthest = 0.0
    for (start, end), (a, b) in zip(pairwise(places), pairwise(drawn), strict=True):
        part = points[start : end + 1] * PIXELS
        piece = b - a
        share = np.clip((part - a) @ piece / max(piece @ piece, 1e-300), 0, 1)
        farthest = max(farthest, float(np.hypot(*(part - a - share[:, None] * piece).T).max(initial=0.0)))
    assert farthest < 0.5


def along(points: np.ndarray, drawn: np.ndarray) -> list[int]:
    """Where on the curve each drawn point stands, in order; it is one of its corners to seven digits."""
    places, start = [], 0
    for x, y in drawn:
        low, high = np.searchsorted(points[:, 0], [x - 1e-6, x + 1e-6])
        low = max(low, start)
        distance = np.abs(points[low : high + 1] - (x, y)).max(axis=1)
        assert distance.min() < 2e-7
        start = low + int(distance.argmin())
        places.append(start)
    return places
