"""Pictures of two systems query by query: every query has its mark, in the colour of the better one."""

import numpy as np
import pytest

from evalcore.analyses import QueryDifferences
from evalcore.figures.retrieve.comparison import BARS, differences_figure, scatter_figure
from evalcore.figures.theme import DARK, LIGHT

NASTY = "<b>x</b><a href='http://e.com'>y</a>"


def two(a, b, better: str = "higher") -> QueryDifferences:
    a, b = np.array(a, dtype=float), np.array(b, dtype=float)
    return QueryDifferences(NASTY, "B", 0, 1, [f"q{i}" for i in range(len(a))], a, b, b - a, "AP", better)


def test_bars_stand_in_order_with_the_place_of_their_query() -> None:
    figure = differences_figure(two([0.5, 0.2, 0.9], [0.5, 0.7, 0.1]), LIGHT)
    (bars,) = figure.data
    assert list(bars.y) == pytest.approx([0.5, 0.0, -0.8])
    assert [list(data) for data in bars.customdata] == [[1], [0], [2]]
    assert bars.marker.color == (LIGHT.system(1), LIGHT.grey, LIGHT.system(0))
    assert "B better: 1" in figure.layout.annotations[0].text
    assert "(1 equal)" in figure.layout.xaxis.title.text


def test_bars_of_few_queries_have_their_names() -> None:
    assert differences_figure(two([0.5, 0.2], [0.5, 0.7]), LIGHT).layout.xaxis.ticktext == ("q1", "q0")


def test_where_less_is_better_the_colours_change_sides() -> None:
    (bars,) = differences_figure(two([0.5, 0.2], [0.6, 0.1], "lower"), DARK).data
    assert bars.marker.color == (DARK.system(0), DARK.system(1))


def test_thousands_of_queries_are_drawn_at_even_distances_with_both_ends() -> None:
    values = np.random.default_rng(1).random(5000)
    (bars,) = differences_figure(two(values, np.full(5000, 0.5)), LIGHT).data
    assert len(bars.y) == BARS
    assert (bars.y[0], bars.y[-1]) == (0.5 - values.min(), 0.5 - values.max())


def test_queries_with_the_same_values_share_a_larger_dot_and_ties_lie_apart() -> None:
    figure = scatter_figure(two([0.5, 0.5, 0.2, 0.3], [0.8, 0.8, 0.2, 0.1]), LIGHT)
    _, equal, better, worse = figure.data
    assert (list(equal.x), list(better.x), list(worse.x)) == ([0.2], [0.5], [0.3])
    assert better.marker.size[0] > equal.marker.size[0]
    assert "and 1\u202fmore" in better.text[0]
    assert len({trace.marker.symbol for trace in (equal, better, worse)}) == 3
    assert "◆ equal: 1" in [note.text for note in figure.layout.annotations]


def test_the_bar_and_the_dot_of_the_open_query_are_lit_whatever_was_clicked() -> None:
    pair = two([0.5, 0.5, 0.2], [0.8, 0.8, 0.1])
    (bars,) = differences_figure(pair, LIGHT, 1).data
    assert bars.marker.color == (f"{LIGHT.system(1)}33", LIGHT.system(1), f"{LIGHT.system(0)}33")
    _, _, better, worse = scatter_figure(pair, LIGHT, 1).data
    assert (better.marker.color, worse.marker.color) == ((LIGHT.system(1),), (f"{LIGHT.system(0)}33",))
    for trace, opacity in ((bars, 1), (better, 0.62)):
        assert (trace.selected.marker.opacity, trace.unselected.marker.opacity) == (opacity, opacity)
    # Where its bar is not drawn, no bar is pale.
    values = np.linspace(0, 1, 5000)
    pair = two(values, np.zeros(5000))
    undrawn = next(iter({*range(5000)} - {data[0] for data in differences_figure(pair, LIGHT).data[0].customdata}))
    assert set(differences_figure(pair, LIGHT, undrawn).data[0].marker.color) == {LIGHT.system(0), LIGHT.grey}


def test_names_from_a_file_stay_letters() -> None:
    for figure in (differences_figure(two([0.1], [0.3]), LIGHT), scatter_figure(two([0.1], [0.3]), LIGHT)):
        assert "<a href" not in figure.to_json()
