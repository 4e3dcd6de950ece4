"""What the browser is told of rankings: lines that are the curves, columns that sort as their numbers, and strips."""

import json
import zlib
from base64 import b64decode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.analyses import QueryColumn, RankingSummary
from evalcore.figures import beside_strips, gallery_figure, ink, rank_marks, ranking_strips
from evalcore.figures.retrieve.ranking import (
    best_rank,
    faint_curves,
    faint_rocs,
    interpolated_steps,
    polyline,
    quantile_lines,
    roc_points,
    roc_quantile_lines,
    table_column,
)
from evalcore.retrieval import Hits, Judgments, Run, ranked_curve, ranked_roc
from evalcore.retrieval.judgments import Pool
from tests.analyses.ranked import rankings, trec
from tests.figures.view_payload import inflated

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


def test_a_band_reaches_a_recall_that_is_a_float_only_nearly() -> None:
    seven = hits_of_copies(Hits.of_grades([1] * 7, unretrieved=[1] * 3), 13)  # recall 7/10, and 35 × 0.02 is more
    for line in quantile_lines(seven):
        across, up = np.array(line).T
        assert np.interp([0.7, 0.72], across, up).tolist() == [1, 0]


def test_bands_of_roc_curves_hold_their_shares_of_the_queries_that_have_one() -> None:
    hits = many(50)
    curves = [ranked_roc(hits, query) for query in range(50)]
    for rate in (0.1, 0.5, 0.98):
        recalls = [curve.tpr[curve.fpr <= rate + 1e-9].max() for curve in curves]  # every document is in a list
        wanted = np.quantile(recalls, (0.1, 0.25, 0.5, 0.75, 0.9))
        drawn = [np.interp(rate, *np.array(line).T) for line in roc_quantile_lines(hits)]
        assert np.abs(drawn - wanted).max() < 0.02
    short = Hits.of_grades([1, 0], unretrieved=[1, 0])  # from (0.5, 0.5) straight to the corner
    across, up = np.array(roc_quantile_lines(hits_of_copies(short, 13))[2]).T
    assert np.interp([0, 0.5, 0.76, 1], across, up).tolist() == pytest.approx([0.5, 0.5, 0.76, 1])
    assert roc_quantile_lines(many(12)) == roc_quantile_lines(hits_of_copies(Hits.of_grades([1, 1]), 13)) == []


def hits_of_copies(hits: Hits, copies: int) -> Hits:
    each, lists = np.arange(copies), np.repeat(np.arange(copies), len(hits.rank))
    pool = Pool(np.repeat(each, len(hits.pool.grade)), np.tile(hits.pool.grade, copies), copies)
    rows = np.tile(np.arange(len(hits.rank)), copies)
    return hits.of_rows(rows, query=lists, retrieved=np.tile(hits.retrieved, copies), pool=pool)


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


def strips_of(told: dict) -> list[list[int]]:
    marks = np.frombuffer(inflated(told["marks"]), np.uint8)
    return marks.reshape(-1, told["ranks"]).tolist()


@given(grades, st.sampled_from([1.0, 2.0]))
def test_a_strip_marks_what_is_at_each_rank(listed: list, level: float) -> None:
    relevant = [grade for grade in (1, 2) if grade >= level]
    mark = {None: 1} | {grade: 2 + sum(grade >= lowest for lowest in relevant) for grade in (0, 1, 2)}
    marks = rank_marks(Hits.of_grades(listed), relevant, 50).tolist()[0]
    assert marks == [mark[grade] for grade in listed] + [0] * (50 - len(listed))


def test_many_grades_share_five_shades_and_a_negative_one_is_unjudged() -> None:
    listed = [-1, 0, *range(1, 11)]
    assert rank_marks(Hits.of_grades(listed), range(1, 11), 12).tolist() == [[1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]]


def test_strips_beside_are_those_of_the_same_queries() -> None:
    both = rankings(
        "query,document,grade,A,B\nq1,a,1,3,1\nq1,b,0,2,2\nq1,c,1,1,\nq2,a,0,1,\nq3,a,0,2,1\nq3,b,1,1,2\n", "A"
    )
    summary = RankingSummary(both, ("AP",), "B")
    own, other = ranking_strips(summary), beside_strips(summary)
    assert strips_of(own) == [[3, 2, 3], [2, 0, 0], [2, 3, 0]]
    assert strips_of(other) == [[2, 3], [0, 0], [3, 2]]
    assert np.frombuffer(inflated(own["totals"]), "<u4").tolist() == [2, 0, 1]
    (missed,) = json.loads(inflated(own["columns"]))
    assert missed["foot"] == ["0", ""]  # none of its documents missed is best
    relevant, found, ap = json.loads(inflated(other["columns"]))
    assert (relevant["texts"], found["texts"]) == (["0"], ["−1", "0"])
    assert ap["texts"] == ["−0.583", "0.000", "+0.500"]  # 1/4 − (1 + 2/3)/2, 0 − 0 and 1 − 1/2
    assert RankingSummary(both, ("AP",), "B").first_query(5, descending=False) == 0  # after relevant, found, AP, missed


def test_a_difference_of_shares_is_in_percentage_points() -> None:
    both = rankings("query,document,grade,A,B\nq1,a,1,3,\nq1,b,,2,2\nq2,a,1,1,1\n", "A")
    *_, judged = RankingSummary(both, ("judged@1",), "B").gallery_columns
    assert [judged.text(value) for value in judged.values] == ["−100.0\u202fpt", "0.0\u202fpt"]


def test_the_strips_of_5000_queries_are_a_quarter_of_a_megabyte_at_most() -> None:
    marks = rank_marks(many(5000, 100), [1.0], 100)
    assert len(zlib.compress(marks.tobytes(), 9)) * 4 / 3 < 250_000


def test_a_report_has_the_strips_of_the_worst_and_of_the_best_queries() -> None:
    figure, about = gallery_figure(RankingSummary(rankings("image_retrieval"), ("AP",)), ink(dark=False))
    assert about.startswith("The 10 worst and the 10 best of 300 queries by AP, first 100 ranks")
    names = figure.layout["yaxis"]["ticktext"]
    assert (len(names), names[0]) == (20, "q003 0.003")
    _, about = gallery_figure(RankingSummary(trec(), ("AP",)), ink(dark=False))
    assert about.endswith("darker for a higher grade, small ones are not; gaps are unjudged")
