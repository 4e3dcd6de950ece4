"""How the guesses of a class are drawn: every guess is there, and what is right stands out."""

import pytest

from evalcore.figures import guesses_figure, ink
from evalcore.learning import Choice, Mark, Number, Question, Values

INK = ink(dark=False)


def test_bars_count_the_guesses_of_each_option() -> None:
    figure = guesses_figure(Question("?", Choice(("&#60;b>", "recall", "F1"), 1)), (1, 2, 1), INK)
    (bars,) = figure.data
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "✓ recall", "F1"]
    assert list(bars.x) == [0, 2, 1]
    assert [colour == INK.accent for colour in bars.marker.color] == [False, True, False]


def test_numbers_are_dots_and_those_alike_stand_on_each_other() -> None:
    guesses = (0.1, 0.1, 0.1, 0.67, 0.9)
    figure = guesses_figure(Question("?", Number(0.1)), guesses, INK)
    dots = figure.data[0]
    assert list(dots.y) == [1, 2, 3, 1, 1]
    assert dots.x == pytest.approx([0.1, 0.1, 0.1, 0.67, 0.9], abs=0.04)
    assert list(dots.marker.color).count(INK.accent) == 3
    assert guesses_figure(Question("?", Number(0.5)), (0.5,), INK).data[0].x == (0.5,)


def test_a_guess_far_away_stands_at_the_end_and_presses_no_others_together() -> None:
    guesses = (18.0, 19.0, 20.0, 22.0, 1e9)
    figure = guesses_figure(Question("?", Number(20, is_share=False)), guesses, INK)
    dots = figure.data[0]
    assert len({*dots.x}) == 5
    assert max(dots.x) < 40
    assert [*dots.text][-1] == "1\u202f000\u202f000\u202f000"


def test_points_and_built_answers_are_drawn_too() -> None:
    assert len(guesses_figure(Question("?", Mark(0.2, 0.8)), ((0.2, 0.8), (1, 0)), INK).data[0].x) == 2
    built = Values(("TP", "FP"), lambda cells: cells[0] > cells[1], (2, 1))
    (bars,) = guesses_figure(Question("?", built), ((2.0, 1.0), (0.0, 1.0), (2.0, 1.0)), INK).data
    assert list(bars.x) == [2, 1]
