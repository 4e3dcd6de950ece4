"""Pictures of prices: regions where their threshold is the cheapest, lines where the numbers are, in both themes."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, cheapest_thresholds, decision_curve
from evalcore.figures.classify.scores import decision_figure, ratio_map_figure
from evalcore.figures.theme import DARK, LIGHT
from evalcore.wording import ratio_text

RNG = np.random.default_rng(7)
TRUTH = RNG.random(400) < 0.3
SCORED = ScoredLabels.from_arrays(TRUTH, np.round(RNG.normal(size=400) + TRUTH, 2))
CHEAPEST = cheapest_thresholds(SCORED.table())
TEXTS = ["nobody", *(f"≥ {t:g}" for t in CHEAPEST.thresholds[1:-1]), "everybody"]


def drawn(ratio=5.0, share=0.1, own=0.3, cheapest=CHEAPEST, texts=TEXTS, colours=LIGHT):
    scores = SimpleNamespace(prevalence=own)
    return ratio_map_figure(
        SimpleNamespace(cheapest=cheapest, names=texts, scores=scores, ratio=ratio, share=share), colours
    )


def regions(figure) -> list[np.ndarray]:
    """Corners of each coloured region."""
    paths = [shape.path for shape in figure.layout.shapes if shape.type == "path"]
    return [np.array(re.findall(r"(-?[\d.]+),(-?[\d.]+)", path), dtype=float) for path in paths]


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def test_the_regions_cover_the_map_once() -> None:
    figure = drawn()
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert sum(map(area, regions(figure))) == pytest.approx((right - left) * (high - low), rel=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_in_the_middle_of_a_region_its_threshold_wins(seed) -> None:
    figure = drawn()
    cells = figure.data[0]
    rng = np.random.default_rng(seed)
    row, column = rng.integers(len(cells.y)), rng.integers(len(cells.x))
    odds = 10 ** cells.y[row]
    place = CHEAPEST.index(10 ** cells.x[column], odds / (1 + odds))
    assert cells.text[row][column] == TEXTS[int(place)]


def test_each_region_has_its_colour_and_the_ends_stand_out() -> None:
    scored = ScoredLabels.from_arrays([0, 1, 1, 0, 0, 1], [6, 5, 4, 3, 2, 1], positive=1)
    figure = drawn(cheapest=cheapest_thresholds(scored.table()), texts=["nobody", "≥ 4", "everybody"])
    fills = [shape.fillcolor for shape in figure.layout.shapes if shape.type == "path"]
    assert len(set(fills)) == len(fills) == 3
    assert (fills[0], fills[-1]) == (LIGHT.grid.lower(), LIGHT.accent.lower())
    assert {"nobody", "everybody"} <= {a.text for a in figure.layout.annotations}


def test_of_very_many_regions_neighbours_share_a_piece_of_the_picture() -> None:
    steps = np.arange(1, 2001.0)
    many = cheapest_thresholds(ScoredLabels.from_counts(-steps, 1 + 0 * steps, steps).table())
    figure = drawn(cheapest=many, texts=[str(row) for row in many.rows])
    assert len(many.rows) == 2001
    assert 20 < len(regions(figure)) <= 121
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert sum(map(area, regions(figure))) == pytest.approx((right - left) * (high - low), rel=1e-4)


def test_what_is_under_the_pointer_is_the_cost_there() -> None:
    cells = drawn().data[0]
    odds, ratio = 10 ** cells.y[20], 10 ** cells.x[40]
    share, place = odds / (1 + odds), int(CHEAPEST.index(ratio, odds / (1 + odds)))
    counts = CHEAPEST.counts[place]
    missed, alarmed = float(counts.fn / (counts.tp + counts.fn)), float(counts.fp / (counts.fp + counts.tn))
    assert cells.customdata[20][40][2] == pytest.approx(
        1000 * (share * ratio * missed + (1 - share) * alarmed), rel=1e-5
    )


@pytest.mark.parametrize(("ratio", "share", "own"), [(1e-6, 1e-6, 0.5), (1e9, 0.999999, 1e-5), (1, 0.5, 0.5)])
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_map_reaches_whatever_is_asked_for(ratio, share, own, colours) -> None:
    figure = drawn(ratio, share, own, colours=colours)
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert left < np.log10(ratio) < right
    assert low < np.log10(share / (1 - share)) < high
    assert low < np.log10(own / (1 - own)) < high


def test_a_perfect_test_has_one_region() -> None:
    cheapest = cheapest_thresholds(ScoredLabels.from_arrays([1, 0], [1, 0], positive=1).table())
    assert len(regions(drawn(cheapest=cheapest, texts=["nobody", "≥ 1", "everybody"]))) == 1


@pytest.mark.parametrize(("ratio", "text"), [(5, "5 : 1"), (1, "1 : 1"), (0.1, "1 : 10"), (1 / 3, "1 : 3")])
def test_a_ratio_as_it_is_said(ratio, text) -> None:
    assert ratio_text(ratio) == text


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_decision_figure_draws_the_curve_it_is_given(colours) -> None:
    curve = decision_curve(SCORED, np.linspace(0, 0.99, 30), threshold=0.5)
    figure = decision_figure(SimpleNamespace(curves={"mine": curve}, marks=[("here", 0.2)]), colours)
    lines = {trace.name: trace for trace in figure.data}
    assert list(lines["mine"].y) == curve.model.tolist()
    assert list(lines["treat all"].y) == curve.treat_all.tolist()
    assert set(lines["treat none"].y) == {0}
    assert figure.layout.yaxis.range[1] > curve.treat_all[0]


def test_the_decision_figure_of_what_is_undefined_has_an_axis() -> None:
    only = ScoredLabels.from_arrays([1, 1], [0.2, 0.7], positive=1)
    curve = decision_curve(only, [0.1, 0.5], prevalence=0.3)
    assert decision_figure(SimpleNamespace(curves={"mine": curve}, marks=[]), LIGHT).layout.yaxis.range[1] > 0
