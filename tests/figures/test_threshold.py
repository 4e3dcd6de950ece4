"""The figure of a threshold: its areas are the counts, its shades what limits forbid, and it reads no tag in a name."""

import json
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcore.classification import ScoredLabels, score_bins
from evalcore.figures.theme import DARK, HATCHES, LIGHT, OUTCOMES
from evalcore.figures.threshold import threshold_figure
from tests.classification.small_inputs import thorough
from tests.pages.nasty_names import NASTY

LARGE = 1e308
CELLS = tuple(OUTCOMES)
SCORED = ScoredLabels.from_arrays(
    [True, True, False, True, False, False, True, False], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
)


def figure(scored=SCORED, threshold=0.55, names=("ill", "well"), colours=LIGHT, higher=True, allowed=None, lines=()):
    bins, counts = (
        score_bins(scored, threshold if higher else -threshold),
        scored.counts_at(threshold if higher else -threshold),
    )
    cells = {cell: float(getattr(counts, cell)) for cell in CELLS}
    return threshold_figure(bins if higher else bins.turned(), lines, threshold, cells, names, colours, higher, allowed)


def bars(drawn) -> dict[str, float]:
    return {trace.name.lower(): float(np.abs(trace.y).sum()) for trace in drawn.data if trace.type == "bar"}


def four(counts) -> dict[str, float]:
    return {cell: float(getattr(counts, cell)) for cell in CELLS}


def shades(drawn) -> list[tuple[float, float]]:
    return [(shape.x0, shape.x1) for shape in drawn.layout.shapes if shape.type == "rect"]


@settings(thorough, max_examples=25)
@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(-10, 10) | st.sampled_from([1e300, 1e-300, -LARGE, LARGE])),
        min_size=1,
        max_size=12,
    ),
    st.floats(-11, 11) | st.sampled_from([np.inf, -np.inf, 1e300]),
)
@example([(True, 1e308), (False, 1e308)], 1e308)
@example([(True, -1e308), (False, 1e308)], 0.0)
@example([(True, 0.0), (False, 1.0)], 1e-12)
def test_the_bars_add_up_to_the_four_counts_and_no_number_is_lost_on_the_way_to_the_browser(rows, threshold) -> None:
    scored = ScoredLabels.from_arrays([label for label, _ in rows], [score for _, score in rows])
    drawn = figure(scored, threshold)
    assert bars(drawn) == four(scored.counts_at(threshold))
    for trace in drawn.data:
        assert np.isfinite(np.asarray(trace.x, dtype=float)).all()
        assert np.isfinite(np.asarray(trace.width, dtype=float)).all()
    low, high = drawn.layout.xaxis.range
    assert np.isfinite([low, high]).all()
    assert low < high


def test_positives_stand_up_and_negatives_hang_down() -> None:
    for trace in figure().data:
        assert (np.sign(trace.y) != (-1 if trace.name in ("TP", "FN") else 1)).all()


@pytest.mark.parametrize(("higher", "threshold"), [(True, 0.55), (False, -0.55)])
def test_what_is_called_positive_stands_on_its_side_of_the_line(higher, threshold) -> None:
    for trace in figure(threshold=threshold, higher=higher).data:
        is_right = np.asarray(trace.x) > threshold
        assert (is_right == ((trace.name in ("TP", "FP")) == higher)).all()


@pytest.mark.parametrize("higher", [True, False])
def test_each_count_is_written_in_the_corner_of_its_rows(higher) -> None:
    drawn = figure(threshold=0.55 if higher else -0.55, higher=higher)
    corners = {a.text.split("(")[1][:2]: (a.xanchor, a.yanchor) for a in drawn.layout.annotations if "(" in a.text}
    positive, negative = ("right", "left") if higher else ("left", "right")
    assert corners == {
        "TP": (positive, "top"), "FP": (positive, "bottom"), "FN": (negative, "top"), "TN": (negative, "bottom"),
    }  # fmt: skip


def test_outcomes_have_their_colours_and_errors_their_hatch() -> None:
    for trace in figure().data:
        outcome = trace.name.lower()
        assert trace.marker.color == OUTCOMES[outcome]
        assert trace.marker.pattern.shape == HATCHES[outcome]
    assert {outcome for outcome, hatch in HATCHES.items() if hatch} == {"fp", "fn"}


@pytest.mark.parametrize(
    ("count", "word"), [(0, "0</b> false alarms"), (1, "1</b> false alarm "), (2, "2</b> false alarms")]
)
def test_one_false_alarm_is_no_plural(count, word) -> None:
    cells = {"tp": 1.0, "fp": float(count), "fn": 0.0, "tn": 0.0}
    drawn = threshold_figure(score_bins(SCORED, 0.5), [], 0.5, cells, ("a", "b"), LIGHT)
    assert any(word in a.text for a in drawn.layout.annotations)


@pytest.mark.parametrize(
    ("threshold", "at", "text"),
    [(0.55, 0.55, "0.55"), (np.inf, None, "∞"), (-np.inf, 0.2, "−∞"), (-5.0, 0.2, "−5"), (1e300, None, "1e+300")],
)
def test_the_line_stays_in_the_picture_and_its_label_is_the_threshold(threshold, at, text) -> None:
    drawn = figure(threshold=threshold)
    line = [s.x0 for s in drawn.layout.shapes if s.type == "line" and s.x0 == s.x1]
    assert set(line) == {drawn.layout.xaxis.range[1] if at is None else at}
    assert f"<b>{text}</b>" in [a.text for a in drawn.layout.annotations]


@pytest.mark.parametrize(
    ("allowed", "grey"),
    [
        (None, []),
        ([[0.3, 0.5]], [(0.2, 0.3), (0.5, "end")]),
        ([[0.3, 0.4], [0.6, 0.7]], [(0.2, 0.3), (0.4, 0.6), (0.7, "end")]),
        ([[-np.inf, 0.4], [0.6, np.inf]], [(0.4, 0.6)]),
        ([[-np.inf, np.inf]], []),
        (np.empty((0, 2)), [(0.2, "end")]),
        ([[5.0, 6.0]], [(0.2, "end")]),
    ],
)
def test_what_is_not_allowed_is_shaded(allowed, grey) -> None:
    drawn = figure(threshold=0.2, allowed=None if allowed is None else np.array(allowed))
    end = drawn.layout.xaxis.range[1]
    assert shades(drawn) == [(low, end if high == "end" else high) for low, high in grey]


@pytest.mark.parametrize("name", NASTY)
def test_names_of_classes_are_shown_and_read_as_no_tag(name) -> None:
    drawn = figure(names=(name, f"not {name}"))
    texts = re.findall(r">actual (.*?)</span>", "".join(a.text for a in drawn.layout.annotations))
    assert len(texts) == 2
    assert all("<" not in text and len(text) <= 60 for text in texts)


def test_lines_step_towards_the_side_where_their_counts_hold() -> None:
    lines = [("recall", np.array([0.2, 0.9]), np.array([1.0, 0.25]))]
    assert figure(lines=lines).data[-1].line.shape == "vh"
    assert figure(lines=lines, higher=False, threshold=-0.5).data[-1].line.shape == "hv"


def test_no_two_of_six_lines_look_the_same() -> None:
    lines = [(str(place), np.array([0.2, 0.9]), np.array([1.0, 0.25])) for place in range(6)]
    looks = {(t.line.color, t.line.dash) for t in figure(lines=lines).data if t.type == "scatter"}
    assert len(looks) == 6


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_words_are_written_in_the_ink_of_the_ground(colours) -> None:
    drawn = figure(colours=colours)
    assert drawn.layout.font.color == colours.text
    assert {a.font.color for a in drawn.layout.annotations} <= {*colours.words.values(), colours.grey, colours.paper}


def test_an_empty_state_draws_an_empty_picture() -> None:
    drawn = figure(ScoredLabels.from_arrays(np.empty(0, dtype=bool), []), 0.5)
    assert bars(drawn) == dict.fromkeys(CELLS, 0.0)
    assert "NaN" not in json.dumps(drawn.to_plotly_json()["layout"], default=str)
