"""The square table and guesses: a cell tells its number, dark is large, and every guess is drawn."""

from base64 import b64decode

import numpy as np
import pytest

from evalcore.classification import ConfusionMatrix
from evalcore.figures import guesses_figure, ink
from evalcore.figures.classify.confusion import (
    LEFT_OUT,
    SHOWN,
    STEPS,
    UNDEFINED_SHADE,
    WITH_WORDS,
    Look,
    difference_picture,
    matrix_picture,
)
from evalcore.figures.theme import DARK, LIGHT
from evalcore.inference import compare_cells
from evalcore.learning import Choice, Mark, Number, Question, Values
from tests.published.rows import ANIMALS

NEVER = ConfusionMatrix(("a", "unseen", "b"), [[3, 1, 0], [0, 0, 0], [2, 0, 2]])


def shade(picture: dict) -> np.ndarray:
    k = picture["k"]
    return np.frombuffer(b64decode(picture["shade"]), dtype=np.uint8).reshape(k, k)


def told(picture: dict, layer: int) -> list[list[str]]:
    chosen = picture["layers"][layer]
    width = {2: "<u2", 4: "<u4"}[chosen["bytes"]]
    index = np.frombuffer(b64decode(chosen["index"]), dtype=width).reshape(picture["k"], picture["k"])
    return [[chosen["texts"][place] for place in row] for row in index.tolist()]


def test_counts_and_their_shares_are_told_of_the_cell_they_belong_to() -> None:
    picture = matrix_picture(ANIMALS, Look(), LIGHT)
    assert told(picture, 0) == [["4", "1", "1"], ["6", "2", "2"], ["3", "0", "6"]]
    assert told(picture, 1)[0] == ["66.7\u202f%", "16.7\u202f%", "16.7\u202f%"]
    assert [layer["words"] for layer in picture["layers"]] == [
        *("", "of the actual class", "of the predicted class", "of all")
    ]
    assert told(picture, 2)[0][0] == "30.8\u202f%"
    assert told(picture, 3)[0][0] == "16.0\u202f%"


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("log", [False, True])
def test_turned_it_is_the_same_picture_on_its_side(shown: str, log: bool) -> None:
    other = {"share of row": "share of column", "share of column": "share of row"}.get(shown, shown)
    upright = matrix_picture(NEVER, Look(shown, log=log), LIGHT)
    turned = matrix_picture(NEVER, Look(other, log=log, actual_in_rows=False), LIGHT)
    assert np.array_equal(shade(upright), shade(turned).T)
    assert told(upright, 0) == [list(column) for column in zip(*told(turned, 0), strict=True)]
    assert turned["axes"] == ["predicted", "actual"]


@pytest.mark.parametrize("log", [False, True])
def test_the_larger_the_darker_on_the_diagonal_and_off_it(log: bool) -> None:
    counts = np.random.default_rng(5).integers(0, 50, (6, 6))
    found, right = shade(matrix_picture(ConfusionMatrix(range(6), counts), Look(log=log), LIGHT)), np.eye(6, dtype=bool)
    for cells in (right, ~right):
        order = np.argsort(counts[cells], kind="stable")
        assert (np.diff(found[cells][order].astype(int)) >= 0).all()
        assert found[cells].max() == STEPS - 1
        assert (found[cells][counts[cells] == 0] == 0).all()
    if log:
        assert (found[counts > 0] > 0.1 * STEPS).all()


def test_a_fixed_range_shades_equal_shares_alike_whatever_else_occurs() -> None:
    small = ConfusionMatrix("ab", [[1, 1], [0, 2]])
    free = shade(matrix_picture(small, Look("share of row"), LIGHT))
    fixed = shade(matrix_picture(small, Look("share of row", fixed=True), LIGHT))
    assert free[0, 1] == STEPS - 1
    assert fixed[0].tolist() == [(STEPS - 1) // 2] * 2
    scale = matrix_picture(small, Look("share of row", fixed=True), LIGHT)["scale"]
    assert [(end["low"], end["high"]) for end in scale] == [("0.0\u202f%", "100.0\u202f%")] * 2


def test_errors_only_leaves_the_diagonal_out_of_shades_and_scale() -> None:
    picture = matrix_picture(ANIMALS, Look(errors=True), LIGHT)
    assert np.diagonal(shade(picture)).tolist() == [LEFT_OUT] * 3
    assert [end["palette"] for end in picture["scale"]] == ["wrong"]


def test_what_is_undefined_is_no_zero() -> None:
    picture = matrix_picture(NEVER, Look("share of row"), LIGHT)
    assert shade(picture)[1].tolist() == [UNDEFINED_SHADE] * 3
    assert told(picture, 0)[1] == ["undefined"] * 3
    assert told(picture, 0)[0][2] == picture["quiet"] == "0.0\u202f%"


@pytest.mark.parametrize("k", [0, 1, WITH_WORDS, WITH_WORDS + 1, 300])
def test_any_number_of_classes_has_a_picture_and_words_up_to_twenty(k: int) -> None:
    picture = matrix_picture(ConfusionMatrix(range(k), np.ones((k, k))), Look(), DARK)
    assert picture["inside"] == (k <= WITH_WORDS)
    assert shade(picture).shape == (k, k)
    assert len(picture["layers"]) == (2 if k == 300 else 4)


def contrast(ground: str, ink: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(ground), luminance(ink)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_every_number_can_be_read_on_its_ground(colours) -> None:
    for look in (Look(), Look("share of row")):
        for ramp in matrix_picture(ANIMALS, look, colours)["palettes"].values():
            assert len(ramp) == STEPS
            assert min(contrast(*pair) for pair in ramp) >= 4.5


def differences():
    actual = np.array([0] * 20 + [1] * 10)
    a, b = np.array([1] * 20 + [1] * 10), np.array([0] * 20 + [1] * 9 + [0])
    return compare_cells(actual, a, b, ("cat", "dog"))


def test_a_difference_is_blue_where_b_is_better_and_marked_where_it_is_beyond_chance() -> None:
    picture = difference_picture(differences(), Look(), 0.95, LIGHT)
    middle = (STEPS - 1) // 2
    assert told(picture, 0) == [["+20", "−20"], ["+1", "−1"]]
    assert told(picture, 1) == [["0 → 20", "20 → 0"], ["0 → 1", "10 → 9"]]
    assert (shade(picture)[0] > middle).all(), "more right and fewer wrong are both better"
    assert (shade(picture)[1] < middle).all()
    assert picture["marks"] == [0, 1]
    assert picture["palettes"]["right"] == picture["palettes"]["wrong"]
    assert picture["palettes"]["right"][middle][0] == LIGHT.paper


def test_a_difference_turned_moves_its_marks_too() -> None:
    picture = difference_picture(differences(), Look("share of column", actual_in_rows=False), 0.95, DARK)
    assert picture["marks"] == [0, 2]
    assert told(picture, 0)[0] == ["+100.0\u202fpt", "+10.0\u202fpt"]


def test_no_difference_at_all_is_paper() -> None:
    same = np.array([0, 1, 1])
    picture = difference_picture(compare_cells(same, same, same, ("a", "b")), Look(), 0.95, LIGHT)
    assert (shade(picture) == (STEPS - 1) // 2).all()
    assert picture["marks"] == []


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
    assert len(guesses_figure(Question("?", Mark((0.2, 0.8))), ((0.2, 0.8), (1, 0)), INK).data[0].x) == 2
    built = Values(("TP", "FP"), lambda cells: cells[0] > cells[1], (2, 1))
    (bars,) = guesses_figure(Question("?", built), ((2.0, 1.0), (0.0, 1.0), (2.0, 1.0)), INK).data
    assert list(bars.x) == [2, 1]
