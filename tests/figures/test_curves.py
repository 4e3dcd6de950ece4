"""The pictures of the curves draw the curves: every trace is the array it stands for, with names escaped."""

import numpy as np
import pytest

from evalcore.analyses import PRECISION_LINES
from evalcore.classification import AveragedCurves, ScoredLabels, precision_recall_curve, roc_curve
from evalcore.figures import graph_objects as go
from evalcore.figures.classify.curves import add_averages, precision_recall_figure, roc_figure
from evalcore.figures.systems import DOTS, PIXELS, System, line_sample
from evalcore.figures.theme import DARK, DASHES, LIGHT

# Twenty instances of a textbook; the score of each is its place from the end.
TWENTY = [c == "P" for c in "PPNPPPNNPNPNPNNNPNPN"]


def system(place: int = 0, chosen: bool = True, name: str = "model", turn: bool = False, labels=TWENTY) -> System:
    scores = np.arange(len(labels), 0, -1) / 100
    scored = ScoredLabels.from_arrays(labels, -scores if turn else scores, higher_is_positive=not turn)
    return System(name, place, scored.table(), chosen)


def curve_of(figure: go.Figure, place: int = 0, last: bool = True) -> go.Scatter:
    found = [trace for trace in figure.data if trace.meta and trace.meta["system"] == place]
    return found[-1 if last else 0]


def test_the_roc_trace_is_the_curve() -> None:
    one = system()
    drawn, curve = curve_of(roc_figure([one], LIGHT)), roc_curve(one.table)
    assert drawn.x.tolist() == curve.fpr.tolist()
    assert drawn.y.tolist() == curve.tpr.tolist()
    assert drawn.line.shape is None  # straight between distinct thresholds: a tie is a slanted piece
    assert drawn.customdata[:, 0].tolist() == curve.thresholds.tolist()
    assert drawn.customdata[7, 1:].tolist() == [5.0, 2.0]
    assert (drawn.meta["positives"], drawn.meta["negatives"]) == (10, 10)


def test_the_counted_precision_has_no_point_that_nobody_measured() -> None:
    one = system(labels=[False, True, True])
    drawn, curve = curve_of(precision_recall_figure([one], LIGHT, "sawtooth")), precision_recall_curve(one.table)
    assert drawn.x.tolist() == curve.recall.tolist() == [0.0, 0.5, 1.0]
    assert drawn.y.tolist() == curve.precision.tolist() == [0.0, 1 / 2, 2 / 3]


def test_the_interpolated_precision_steps_down_after_each_corner() -> None:
    one = system()
    drawn = curve_of(precision_recall_figure([one], LIGHT, "interpolated"))
    assert drawn.line.shape == "vh"
    curve = precision_recall_curve(one.table)
    for recall in curve.recall:
        assert drawn.y[drawn.x >= recall].max() == curve.precision[curve.recall >= recall].max()
    assert len(set(drawn.x.tolist())) == len(drawn.x)
    # Each corner but the start names the threshold that holds it.
    for x, y, threshold in zip(drawn.x[1:], drawn.y[1:], drawn.customdata[1:, 0], strict=True):
        row = curve.thresholds.tolist().index(threshold)
        assert (x, y) == (curve.recall[row], curve.precision[row])
    assert (drawn.x[0], drawn.y[0]) == (0, 1)


def test_interpolation_does_not_start_at_one_unless_earned() -> None:
    drawn = curve_of(precision_recall_figure([system(labels=[False, True, True])], LIGHT, "interpolated"))
    assert drawn.x.tolist() == [0, 1]
    assert drawn.y.tolist() == [2 / 3, 2 / 3]


def test_both_puts_the_sawtooth_of_the_chosen_system_behind() -> None:
    systems = [system(0, chosen=False), system(1)]
    figure = precision_recall_figure(systems, LIGHT, "both")
    places = [trace.meta["system"] for trace in figure.data if trace.meta]
    assert places == [1, 0, 1]
    behind, front = curve_of(figure, 1, last=False), curve_of(figure, 1)
    assert behind.line.width < front.line.width
    assert behind.showlegend is False


@pytest.mark.parametrize("draw", [roc_figure, precision_recall_figure])
def test_the_chosen_system_is_strong_and_lies_over_the_others(draw) -> None:
    figure = draw([system(0), system(1, chosen=False), system(2, chosen=False)], LIGHT)
    places = [trace.meta["system"] for trace in figure.data if trace.meta]
    assert places[-1] == 0
    widths = [curve_of(figure, place).line.width for place in range(3)]
    assert widths[0] > widths[1] == widths[2]
    assert figure.layout.showlegend


def test_no_two_systems_share_colour_and_dash() -> None:
    figure = roc_figure([system(place, chosen=False) for place in range(18)], LIGHT)
    looks = {(curve_of(figure, place).line.color, curve_of(figure, place).line.dash) for place in range(18)}
    assert len(looks) == 18
    assert len({line_sample(place, LIGHT) for place in range(18)}) == 18
    assert {curve_of(figure, place).line.dash for place in range(18)} == set(DASHES)


def test_guessing_is_the_diagonal_and_the_prevalence() -> None:
    one = system(labels=[True, False, False, False])
    diagonal = roc_figure([one], LIGHT).data[0]
    assert (diagonal.x, diagonal.y) == ((0, 1), (0, 1))
    figure = precision_recall_figure([one], LIGHT)
    assert figure.data[-1].y == (0.25, 0.25)
    assert "25.0" in figure.layout.annotations[0].text


def test_thresholds_are_those_of_the_file() -> None:
    drawn = curve_of(roc_figure([system(turn=True)], LIGHT))
    assert drawn.customdata[1, 0] == -0.2
    assert drawn.meta["rule"] == "≤"


@pytest.mark.parametrize("draw", [roc_figure, precision_recall_figure])
def test_names_stay_text(draw) -> None:
    figure = draw([system(0, name="<a href='http://e.com'>x</a>"), system(1, chosen=False, name="<b>y</b>")], LIGHT)
    assert curve_of(figure, 0).name == "<b>&lt;a href='http://e.com'&gt;x&lt;/a&gt;</b>"
    assert curve_of(figure, 1).name == "&lt;b&gt;y&lt;/b&gt;"
    assert curve_of(figure, 1).meta["name"] == "&lt;b&gt;y&lt;/b&gt;"


@pytest.mark.parametrize("draw", [roc_figure, precision_recall_figure])
def test_dark_ground_takes_other_colours(draw) -> None:
    light, dark = draw([system()], LIGHT), draw([system()], DARK)
    assert curve_of(light).line.color == LIGHT.system(0)
    assert curve_of(dark).line.color == DARK.system(0) != LIGHT.system(0)
    assert dark.layout.font.color == DARK.text


def test_a_long_curve_is_thinned_and_keeps_exact_points() -> None:
    rng = np.random.default_rng(4)
    labels = rng.random(60_000) < 0.3
    scored = ScoredLabels.from_arrays(labels, rng.normal(labels, 1))
    table = scored.table()
    one = System("model", 0, table, chosen=True)
    for figure in (roc_figure([one], LIGHT), precision_recall_figure([one], LIGHT, "both")):
        assert sum(len(trace.x) for trace in figure.data) < 2_500
        drawn = curve_of(figure)
        rows = drawn.customdata[1:]
        counts = scored.counts_at(rows[:, 0])
        assert (rows[:, 1:] == np.column_stack([counts.tp, counts.fp])).all()
    assert drawn.mode == "lines"
    assert curve_of(roc_figure([system(labels=TWENTY * (DOTS // 20))], LIGHT)).mode == "lines"
    assert curve_of(roc_figure([system()], LIGHT)).mode == "lines+markers"


@pytest.mark.parametrize("labels", [[True, True], [False, False]])
@pytest.mark.parametrize("line", PRECISION_LINES)
def test_one_class_draws_without_a_word(labels: list[bool], line: str) -> None:
    roc_figure([system(labels=labels)], LIGHT)
    precision_recall_figure([system(labels=labels)], LIGHT, line)


def test_the_averages_of_few_rows_are_level_between_their_steps() -> None:
    one = ScoredLabels.from_arrays([1, 1, 0, 0], [4, 3, 2, 1], positive=1)
    two = ScoredLabels.from_arrays([1, 0, 1, 0], [4, 3, 2, 1], positive=1)
    micro, macro = add_averages(go.Figure(), AveragedCurves.of([one, two]), LIGHT, roc=False).data
    third = 2 / 3
    steps = [[0, 1], [0.5, 1], [0.5, 0.75], [0.75, 0.75], [0.75, third], [1, third]]
    np.testing.assert_allclose(np.column_stack([micro.x, micro.y]), steps, rtol=1e-6)
    steps = [[0, 1], [0.5, 1], [0.5, 5 / 6], [1, 5 / 6]]
    np.testing.assert_allclose(np.column_stack([macro.x, macro.y]), steps, rtol=1e-6)
    assert {trace.line.shape for trace in (micro, macro)} == {None}
    counted = add_averages(go.Figure(), AveragedCurves.of([one, two]), LIGHT, roc=False, interpolated=False).data[0]
    assert counted.x.tolist() == [0.5, 0.75, 1, 1]


def test_no_average_is_drawn_half_a_pixel_from_where_it_is() -> None:
    random = np.random.default_rng(4)
    labels = random.random((3, 1500)) < 0.2
    states = [ScoredLabels.from_arrays(truth, random.normal(size=1500) + 2 * truth) for truth in labels]
    means = AveragedCurves.of(states)
    drawn = add_averages(go.Figure(), means, LIGHT, roc=False).data
    curve = precision_recall_curve(means.micro)
    for (recall, height), line in zip(
        [(curve.recall, curve.interpolated), means.macro_precision_recall], drawn, strict=True
    ):
        corners = np.column_stack([np.append(0, recall).repeat(2)[1:-1], height.repeat(2)]) * PIXELS
        ends = np.column_stack([line.x, line.y]).astype(np.float64) * PIXELS
        assert away(corners, ends) < 0.5
        assert away(ends, corners) < 0.5


def away(points: np.ndarray, line: np.ndarray) -> float:
    """How far a point lies from the nearest piece of a line, at most."""
    starts, pieces = line[:-1], np.diff(line, axis=0)
    lengths = np.maximum((pieces**2).sum(axis=1), 1e-300)
    farthest = 0.0
    for point in points:
        along = np.clip(((point - starts) * pieces).sum(axis=1) / lengths, 0, 1)
        farthest = max(farthest, float(np.hypot(*(point - starts - along[:, None] * pieces).T).min()))
    return farthest
