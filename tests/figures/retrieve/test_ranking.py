"""What the browser is told of rankings: lines that are the curves, and columns that sort as their numbers do."""

from base64 import b64decode

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analyses import QueryColumn
from evalcore.figures.retrieve.ranking import (
    best_rank,
    faint_curves,
    faint_rocs,
    interpolated_steps,
    polyline,
    quantile_lines,
    roc_points,
    table_column,
)
from evalcore.retrieval import Hits, Judgments, Run, ranked_curve, ranked_roc

grades = st.lists(st.sampled_from([None, 0, 1, 2]), min_size=1, max_size=40)


def lines_of(told: dict) -> dict[int, np.ndarray]:
    points = np.frombuffer(b64decode(told["points"]), "<u2").reshape(-1, 2) / 65535
    return dict(zip(told["places"], np.split(points, np.cumsum(told["sizes"])), strict=False))


def many(queries: int, documents: int = 60) -> Hits:
    rng = np.random.default_rng(7)
    names = np.repeat([f"q{n}" for n in range(queries)], documents)
    ids = np.tile([f"d{n}" for n in range(documents)], queries)
    judged = Judgments.from_arrays(names, ids, rng.integers(0, 2, len(ids)))
    return Hits.of(judged, Run.from_arrays(names, ids, rng.random(len(ids))))


@given(grades, st.lists(st.sampled_from([0, 1, 2]), max_size=5))
def test_the_faint_line_is_the_interpolated_curve(listed: list, unretrieved: list) -> None:
    hits = Hits.of_grades(listed, unretrieved)
    curve = ranked_curve(hits)
    lines = lines_of(faint_curves(hits))
    exact = interpolated_steps(curve)
    assert len(exact) == len(lines.get(0, []))
    if exact:
        assert np.abs(lines[0] - np.array(exact)).max() < 1e-4
    # The step that leads to a recall has the best precision there is at this recall or more.
    for recall, best in zip(curve.recall[curve.relevant], curve.interpolated[curve.relevant], strict=True):
        assert next(y for x, y in exact if x >= round(recall, 5)) == round(best, 5)


def test_of_many_queries_some_are_drawn_and_all_are_held_while_that_is_light() -> None:
    hits = many(50)
    told = faint_curves(hits, most=10)
    assert (len(told["drawn"]), len(told["places"])) == (10, 50)
    few = faint_curves(hits, most=10, most_corners=5)
    assert few["places"] == few["drawn"] == told["drawn"]
    every = lines_of(told)
    for place, line in lines_of(few).items():
        assert (every[place] == line).all()


def test_bands_hold_their_shares_of_the_queries() -> None:
    hits = many(50)
    lowest, low, median, high, highest = (dict(line) for line in quantile_lines(hits))
    curves = [ranked_curve(hits, query) for query in range(50)]
    half = [curve.interpolated[np.flatnonzero(curve.recall >= 0.5)[0]] for curve in curves]
    told = [line[0.5] for line in (lowest, low, median, high, highest) if 0.5 in line]
    assert told == [round(float(value), 5) for value in np.quantile(half, (0.1, 0.25, 0.5, 0.75, 0.9))][: len(told)]
    assert len(told) >= 3  # what lies on a straight line is left out
    assert quantile_lines(many(12)) == []


def test_lines_of_a_list_without_a_hit_are_empty() -> None:
    hits = Hits.of_grades([0, None], unretrieved=[1])
    assert faint_curves(hits)["places"] == []
    assert interpolated_steps(ranked_curve(hits)) == []
    empty = ranked_curve(Hits.of_grades([], unretrieved=[1]))
    assert (polyline(empty.recall, empty.precision), best_rank(empty)) == ([], None)


def test_a_long_saw_tooth_is_thinned_by_less_than_a_pixel() -> None:
    rng = np.random.default_rng(3)
    curve = ranked_curve(Hits.of_grades((rng.random(20_000) < 0.3).astype(int).tolist()))
    drawn = np.array(polyline(curve.recall, curve.precision))
    assert len(drawn) < 8_000
    for recall, precision in zip(curve.recall[::97], curve.precision[::97], strict=True):
        assert np.hypot(drawn[:, 0] - recall, drawn[:, 1] - precision).min() < 0.75 / 800


def test_the_roc_line_ends_in_the_corner() -> None:
    roc = ranked_roc(Hits.of_grades([1, 0], unretrieved=[1, 0]))
    assert roc_points(roc) == [[0.0, 0.0], [0.0, 0.5], [0.5, 0.5], [1.0, 1.0]]
    assert faint_rocs(Hits.of_grades([1, 1])) == []
    assert len(faint_rocs(many(90), most=30)) == 30


@given(st.lists(st.floats(0, 1) | st.just(float("nan")), min_size=1, max_size=600))
def test_places_among_the_different_values_sort_as_the_values_do(values: list[float]) -> None:
    told = table_column(QueryColumn("AP", "AP", "", np.array(values), 0.5), bars=True)
    index = np.frombuffer(b64decode(told["index"]), f"<u{told['width']}")
    order, wanted = np.argsort(index, kind="stable"), np.argsort(np.array(values), kind="stable")
    assert [values[place] for place in order.tolist() if values[place] == values[place]] == [
        values[place] for place in wanted.tolist() if values[place] == values[place]
    ]
    assert told["undefined"] == any(value != value for value in values)
    assert all(0 <= bar <= 100 for bar in told["bars"])
