"""Curves of rankings and the table of queries, as data for the component that draws them in the browser.

A click on one of thousands of rows highlights its curve at once, which a chart that is mounted anew cannot do.
"""

import json
import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analyses import MeasureOverRanks, QueryColumn, Rankings, RankingSummary, query_columns
from evalcore.classification import drawn_points
from evalcore.figures import graph_objects as go
from evalcore.figures.systems import frame_square
from evalcore.figures.theme import DASHES, Ink, apply_frame
from evalcore.figures.threshold_view import GRID
from evalcore.numeric import Array, Indices
from evalcore.retrieval import CUTS, GradedTable, Hits, RankedCurve, RankedRoc, interpolated_precision_at, mean_curve
from evalcore.retrieval.ranked import ranked_curve, ranked_roc
from evalcore.wording import count_text, deflated, number_text, one_line, packed_numbers, plotly_text, short_names

__all__ = ["MOST_BARS", "RANKING_ELEMENT", "RANKING_SCRIPTS", "RANKING_STYLE", "STRIP_RANKS", "begun_figure"]
__all__ += ["beside_strips", "cumulated_figure", "faint_curves", "faint_rocs", "gains_figure", "gallery_figure"]
__all__ += ["marked_figure", "mean_curves_figure", "mean_lines", "over_ranks_figure", "quantile_lines", "rank_marks"]
__all__ += ["ranked_figure", "ranking_ink", "ranking_strips", "ranking_table", "roc_quantile_lines", "selected_line"]

_FOLDER = Path(__file__).with_name("program")
RANKING_SCRIPTS = (GRID, str(_FOLDER / "rankings.js"), str(_FOLDER / "gallery.js"))
RANKING_STYLE, RANKING_ELEMENT = str(_FOLDER / "rankings.css"), str(_FOLDER / "rankings.html")
"""Scripts (after the files of `ELEMENT` and `PICTURE`), style and element of curves and table in a browser."""

FAINT = 300
"""Curves that show under the pointer."""

MOST_FAINT = 12
"""Curves that are drawn one by one; more are bands of quantiles."""

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""Shares of the queries below the lines of the bands."""

MOST_CORNERS = 200_000
"""Corners up to which the browser gets the curves of all queries, to highlight one without asking."""

FAINT_ROC = 60  # ROC curves that show under the pointer; each is computed by itself
_LEVELS = np.arange(51) / 50  # each the float nearest to its fraction, as recall is counted exactly
_UNIT = 65_535
Line = list[list[float]]


def faint_curves(hits: Hits, level: float = 1, most: int = FAINT, most_corners: int = MOST_CORNERS) -> dict:
    """Interpolated precision–recall curves of many queries, each corner as two numbers of 16 bits.

    Of more queries than the most to draw, every so many are ``drawn``; with more corners than ``most_corners``, the
    others are left out. ``places`` are those of the queries, ``sizes`` those of their lines, and ``points`` recall and
    precision in 65,535ths, line after line, in base64.
    """
    relevant = hits.relevant(level)
    with_line = np.flatnonzero(relevant.retrieved)
    evenly = np.unique(np.linspace(0, max(len(with_line) - 1, 0), most).round().astype(int))
    sample = with_line[evenly[: len(with_line)]]
    query, best = relevant.query, relevant.best_from_here
    # Where the next corner of a query is as high, the step goes on to that one.
    rows = np.flatnonzero(np.append((query[1:] != query[:-1]) | (best[1:] != best[:-1]), True)[: len(query)])
    if len(rows) > most_corners:
        rows = rows[np.isin(query[rows], sample)]
    recall = relevant.ordinal[rows] / relevant.total[query[rows]]
    points = np.rint(np.column_stack([recall, best[rows]]) * _UNIT).astype("<u2")
    sizes = np.bincount(query[rows], minlength=len(hits))
    return {
        "places": np.flatnonzero(sizes).tolist(), "sizes": sizes[sizes > 0].tolist(),
        "points": b64encode(points.tobytes()).decode(), "drawn": sample.tolist(),
    }  # fmt: skip


def quantile_lines(hits: Hits, level: float = 1) -> list[Line]:
    """Interpolated precision at each level of recall, below which each of `SHARES` of the queries lie.

    None for a few queries, whose curves are drawn one by one.
    """
    if len(hits) <= MOST_FAINT:
        return []
    return _quantiles([interpolated_precision_at(hits, recall, level) for recall in _LEVELS.tolist()])


def roc_quantile_lines(hits: Hits, level: float = 1) -> list[Line]:
    """Recall at each false positive rate, below which each of `SHARES` of the queries with a ROC curve lie."""
    queries, total = _with_roc(hits, level), hits.pool.relevant(level)
    if len(hits) <= MOST_FAINT or not len(queries):
        return []
    relevant, above, negatives = hits.relevant(level), hits.irrelevant_above(level), hits.pool.judged - total
    ends = np.bincount(hits.query[(hits.grade >= 0) & (hits.grade < level)], minlength=len(hits))[queries]
    last, n, r = relevant.retrieved[queries] / total[queries], negatives[queries], total[queries]
    recalls = []
    for rate in _LEVELS.tolist():
        reached = above <= rate * negatives[relevant.query] + 1e-9
        recall = np.bincount(relevant.query[reached], minlength=len(hits))[queries] / r
        # Behind the list a straight line leads to the upper right corner.
        along = np.clip((rate * n - ends) / np.maximum(n - ends, 1), 0, 1)
        recalls.append(np.where(rate * n > ends, last + along * (1 - last), recall))
    return _quantiles(recalls)


def _quantiles(values: Sequence[Array]) -> list[Line]:
    """Lines of the quantiles at `SHARES` of what the queries reach at each of `_LEVELS`."""
    return [polyline(_LEVELS, np.quantile(np.array(values), share, axis=1)) for share in SHARES]


def _with_roc(hits: Hits, level: float) -> Indices:
    """Places of the queries that have a ROC curve."""
    total = hits.pool.relevant(level)
    return np.flatnonzero((total > 0) & (hits.pool.judged > total) & ~hits.missing)


def faint_rocs(hits: Hits, level: float = 1, most: int = FAINT_ROC) -> list[dict]:
    """The ROC curves of some of the queries that have one, each with its place and its points."""
    queries = _with_roc(hits, level)
    if len(queries) > most:
        queries = queries[np.linspace(0, len(queries) - 1, most).round().astype(int)]
    return [{"place": query, "points": roc_points(ranked_roc(hits, query, level))} for query in queries.tolist()]


def mean_lines(rankings: Rankings) -> dict[str, dict]:
    """The two mean curves over the queries: at fixed levels of recall, and at fixed ranks."""
    hits, count = rankings.hits(), len(rankings.queries())
    # After the end of the longest list precision only falls, and recall stays.
    longest = int(hits.retrieved.max(initial=0))
    curve = mean_curve(hits, tuple(k for k in CUTS if k <= longest) or CUTS[:1], rel=rankings.level)
    levels = [
        {"at": [level, value], "words": f"precision {number_text(value)} at recall {level:g}"}
        for level, value in zip(curve.levels, curve.interpolated.tolist(), strict=True)
    ]
    cuts = [
        {"at": [r, p], "words": f"at rank {count_text(k)}: precision {number_text(p)}, recall {number_text(r)}"}
        for k, p, r in zip(curve.cuts, curve.precision_at.tolist(), curve.recall_at.tolist(), strict=True)
    ]
    # The line of a single query is drawn already; its points are marked on it.
    mean, line = ("", False) if count == 1 else (f"mean of {count_text(count)} queries, ", True)
    return {
        "levels": {"name": f"{mean}11 points", "dashed": False, "points": levels, "line": line},
        "cuts": {"name": f"{mean}fixed ranks", "dashed": True, "points": cuts, "line": line},
    }


def selected_line(rankings: Rankings, index: int, roc: bool = False) -> dict:
    """The curve of the query at an index in full: precision over recall with its best rank, or ROC with its area."""
    hits, level = rankings.hits(), rankings.level
    if roc:
        curve = ranked_roc(hits, index, level)
        if np.isnan(curve.auc):
            return {"place": index, "roc": [], "area": "no ROC curve: the judged documents are all of one kind"}
        return {"place": index, "roc": roc_points(curve), "area": f"AUC {number_text(curve.auc)}"}
    curve = ranked_curve(hits, index, level)
    efficiency = float(rankings.per_query(["efficiency"]).values["efficiency"][index])
    return {
        "place": index, "saw": polyline(curve.recall, curve.precision), "steps": interpolated_steps(curve),
        "nearest": best_rank(curve), "efficiency": f"rank {curve.closest + 1}: efficiency {number_text(efficiency)}",
    }  # fmt: skip


def interpolated_steps(curve: RankedCurve) -> Line:
    """The corners of the interpolated curve: the precision up to each recall."""
    rows = np.flatnonzero(curve.relevant)
    best = curve.interpolated[rows]
    rows = rows[np.append(best[1:] != best[:-1], True)[: len(rows)]]
    return polyline(curve.recall[rows], curve.interpolated[rows])


def best_rank(curve: RankedCurve) -> list[float] | None:
    """Recall and precision of the rank nearest to (1, 1); None for an empty list."""
    at = curve.closest
    return None if at < 0 else [float(curve.recall[at]), float(curve.precision[at])]


def roc_points(roc: RankedRoc) -> Line:
    """ROC points of a list, with a straight line to the upper right corner for documents not retrieved."""
    line = polyline(roc.fpr, roc.tpr)
    return line if not line or line[-1] == [1.0, 1.0] else [*line, [1.0, 1.0]]


def polyline(x: Sequence[float] | Array, y: Sequence[float] | Array) -> Line:
    across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    rows = drawn_points(across, up) if len(across) else np.empty(0, dtype=int)
    return np.column_stack([across[rows], up[rows]]).round(5).tolist()


def ranking_table(summary: RankingSummary) -> dict:
    """Names, columns and foot of the table, one row per query."""
    queries, columns = summary.per_query.queries, summary.columns
    first = next((place for place, column in enumerate(columns) if not column.is_count), None)
    names = [one_line(query, 200) for query in queries]
    short = list(short_names(queries, 28).values())
    faces = query_columns(summary.rankings, queries)
    totals = [column.text(column.total) for column in columns]
    foot = [(f"all {count_text(len(names))}", "Sums of the counts, means of the measures", totals)]
    foot += [("queries at 0", "Queries with the value 0", [column.zeros for column in columns])]
    if len(names) == 1:  # it would stand there twice
        foot = []
    return {
        "names": names,
        # Only where they differ: thousands of queries are sent once.
        "shown": None if short == names else short,
        "texts": faces.get("text"),
        "images": faces.get("image"),
        "columns": [table_column(column, bars=place == first) for place, column in enumerate(columns)],
        "foot": [dict(zip(("name", "title", "cells"), line, strict=True)) for line in foot],
        "count": f"{count_text(len(names))} {'query' if len(names) == 1 else 'queries'}",
    }


def ranking_ink(colours: Ink) -> dict:
    """Colours of the picture, and of systems, and of the lines of queries that are selected."""
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    lines = [colours.system(index) for index in (4, 1, 2, 6, 3, 0)]
    return {"ink": named, "systems": [*colours.systems], "colours": lines}


def table_column(column: QueryColumn, bars: bool = False) -> dict:
    """Distinct values as text, ascending, and the index of each query's value, by which the browser sorts."""
    shown = packed_numbers(column.values, column.text) | {"heading": column.heading, "title": column.about}
    if not bars:
        return shown
    shares = np.clip(np.nan_to_num(np.unique(column.values)), 0, 1)
    return shown | {"bars": np.rint(shares * 100).astype(int).tolist()}


STRIP_RANKS = 100
"""Ranks of a strip; fewer for more than a hundredth of `_MOST_MARKS` queries."""

_MOST_MARKS, _MOST_SHADES, _EACH = 1_000_000, 5, 10
_UNJUDGED, _IRRELEVANT = 1, 2  # 0 is past the end of a list; what is above is relevant, higher with the grade


def rank_marks(hits: Hits, grades: Sequence[float], ranks: int) -> npt.NDArray[np.uint8]:
    """A mark for each of the first ranks of each query, shape (q, ranks).

    0 is past the end of the list, 1 unjudged, 2 not relevant; from 3 on relevant, one more for each of the relevant
    grades, ascending, or for each fifth of them where they are many.
    """
    marks = (np.arange(ranks) < hits.retrieved[:, None]).astype(np.uint8) * _UNJUDGED
    shown = (hits.rank <= ranks) & (hits.grade >= 0)
    reached = np.searchsorted(grades, hits.grade[shown], side="right")
    shade = -(-reached * min(len(grades), _MOST_SHADES) // max(len(grades), 1))
    marks[hits.query[shown], hits.rank[shown] - 1] = _IRRELEVANT + shade
    return marks


def ranking_strips(summary: RankingSummary) -> dict:
    """Strips and columns of the gallery for the browser, once for all queries; `beside_strips` has those beside them.

    Of each query there is a byte per rank and the number of its relevant documents in four bytes, deflated.
    """
    rankings, grades = summary.rankings, _relevant_grades(summary.rankings)
    short = short_names(rankings.systems, 24)
    return _strips(summary, rankings.system, summary.gallery_columns[:1]) | {
        "totals": deflated(rankings.hits().relevant(rankings.level).total.astype("<u4").tobytes()),
        "shades": min(len(grades), _MOST_SHADES),
        "grades": [f"{grade:g}" for grade in grades],
        "others": [[system, short[system]] for system in rankings.systems if system != rankings.system],
    }


def beside_strips(summary: RankingSummary) -> dict:
    """Strips of the system beside, for the queries of the chosen one, and the differences to it."""
    return _strips(summary, summary.beside, summary.gallery_columns[1:])


def _strips(summary: RankingSummary, system: str, columns: Sequence[QueryColumn]) -> dict:
    rankings, hits = summary.rankings, summary.rankings.hits(system)
    places = rankings.places_in(system)
    ranks = min(int(hits.retrieved.max(initial=0)), STRIP_RANKS, max(_MOST_MARKS // max(len(places), 1), _EACH))
    marks = rank_marks(hits, _relevant_grades(rankings), ranks)
    # The last row, which a query without a place has, is an empty list.
    marks = np.concatenate([marks, np.zeros((1, ranks), np.uint8)])[places]
    shown = [table_column(column) | {"foot": [column.text(column.total), column.zeros]} for column in columns]
    return {
        "system": system, "name": short_names(rankings.systems, 24)[system], "place": rankings.systems.index(system),
        "ranks": ranks, "marks": deflated(marks.tobytes()), "columns": deflated(json.dumps(shown).encode()),
    }  # fmt: skip


def gallery_figure(summary: RankingSummary, colours: Ink) -> tuple[go.Figure, str]:
    """Strips of the queries of lowest and of highest average precision, the worst above, and what they show."""
    rankings = summary.rankings
    hits, queries, grades = rankings.hits(), rankings.queries(), _relevant_grades(rankings)
    values = rankings.per_query(["AP"]).values["AP"]
    order: Indices = np.argsort(values, kind="stable")
    few = len(order) <= 2 * _EACH
    chosen = order if few else np.concatenate([order[:_EACH], order[-_EACH:]])
    lines = np.arange(len(chosen)) + (0 if few else np.arange(len(chosen)) >= _EACH)  # an empty one between
    ranks = min(int(hits.retrieved.max(initial=0)), STRIP_RANKS)
    marks, shades = rank_marks(hits, grades, ranks)[chosen], min(len(grades), _MOST_SHADES)
    figure = go.Figure()
    for mark in range(_IRRELEVANT, _IRRELEVANT + shades + 1):
        row, rank = np.nonzero(marks == mark)
        look = {"color": colours.grey, "size": 1.6, "opacity": 0.6}
        if mark > _IRRELEVANT:
            look = {"color": colours.accent, "size": 5.5, "opacity": 0.3 + 0.7 * (mark - _IRRELEVANT) / shades}
        figure.add_scatter(x=rank + 1, y=lines[row], mode="markers", showlegend=False, hoverinfo="skip", marker=look)
    places = chosen.tolist()
    names = short_names([queries[place] for place in places], 18)
    texts = [f"{plotly_text(names[queries[place]])} {number_text(float(values[place]))}" for place in places]
    ends = {"range": [int(lines.max(initial=0)) + 0.6, -0.6], "showgrid": False}
    apply_frame(
        figure, colours, 90 + 15 * len(chosen), x="rank", xaxis={"range": [0, ranks + 1], "showgrid": False},
        yaxis={**ends, "tickvals": lines.tolist(), "ticktext": texts},
    )  # fmt: skip
    which = "Queries" if few else f"The {_EACH} worst and the {_EACH} best of {count_text(len(order))} queries"
    darker = ", darker for a higher grade" if shades > 1 else ""
    gaps = "; gaps are unjudged" if (marks == _UNJUDGED).any() else ""
    about = f"{which} by AP, first {count_text(ranks)} ranks: large dots are relevant{darker}, small ones are not{gaps}"
    return figure, about


def _relevant_grades(rankings: Rankings) -> list[float]:
    return [grade for grade in rankings.grades if grade >= rankings.level]


def begun_figure(figure: go.Figure, shown: Mapping[str, int]) -> go.Figure:
    """Draw of the named lines and bars only those in `shown`, to so many of their first points; all if it is empty."""
    for trace in figure.traces if shown else ():
        name = re.sub("<.*?>", "", trace.get("name", ""))
        end = shown.get(name, 0) if name else None
        trace |= {"x": trace["x"][:end], "y": trace["y"][:end], "visible": end != 0}
        if trace.get("yaxis") == "y2":
            figure.update_layout(yaxis2_visible=end != 0)
    return figure


def marked_figure(figure: go.Figure, marks: Mapping[str, Sequence[float]], colours: Ink) -> go.Figure:
    """Add a ring with its name at each point (x, y) of a figure."""
    for name, (x, y) in marks.items():
        figure.add_scatter(
            x=[x], y=[y], mode="markers+text", text=[plotly_text(name)], cliponaxis=False, showlegend=False,
            textposition="top right" if x < 0.6 else "top left", textfont={"color": colours.text}, hoverinfo="skip",
            marker={"size": 16, "symbol": "circle-open", "color": colours.text, "line": {"width": 2.5}},
        )  # fmt: skip
    return figure


def ranked_figure(curve: RankedCurve, colours: Ink) -> go.Figure:
    """Precision against recall of one list: a dot per rank, and the interpolated curve."""
    figure = go.Figure().add_scatter(
        x=curve.recall, y=curve.precision, mode="lines+markers", name="each rank", customdata=curve.rank,
        line={"color": colours.system(0), "width": 1.2}, marker={"size": 7},
        hovertemplate="rank %{customdata}: recall %{x:.3f} · precision %{y:.3f}<extra></extra>",
    )  # fmt: skip
    steps = [(0.0, best) for _, best in interpolated_steps(curve)[:1]] + interpolated_steps(curve)
    figure.add_scatter(
        x=[x for x, _ in steps], y=[y for _, y in steps], mode="lines", name="interpolated", line_shape="vh",
        line={"color": colours.system(1), "width": 2.6, "dash": "dash"}, hoverinfo="skip",
    )  # fmt: skip
    return frame_square(figure, (), colours, "recall", "precision", showlegend=True)


HEIGHT = 290

MOST_BARS = 40
"""Ranks that are drawn as bars; more are too thin to be told apart."""

_DOTS = 30
_HEAD = 1.12  # room over the highest bar


def gains_figure(table: GradedTable, colours: Ink, retrieved: int) -> go.Figure:
    """Gain at each rank beside that of the ideal list, and the discount, for the first ranks of a list."""
    shown = slice(0, MOST_BARS)
    ranks, grades = table.rank[shown].tolist(), table.grade[shown].tolist()
    gains, ideal, discount = table.gain[shown], table.ideal_gain[shown], table.discount[shown]
    figure = go.Figure().add_bar(
        x=ranks, y=ideal, name="ideal list", marker_color="rgba(0,0,0,0)", width=0.82,
        marker_line={"color": colours.grey, "width": 1.2},
        customdata=_texts(ideal), hovertemplate="rank %{x} of the ideal list: gain %{customdata}<extra></extra>",
    )  # fmt: skip
    figure.add_bar(
        x=ranks, y=gains, name="this list", marker_color=colours.accent, width=0.5,
        customdata=[
            f"{_grade(grade, rank, retrieved)}, gain {gain}"
            for rank, grade, gain in zip(ranks, grades, _texts(gains), strict=True)
        ],
        hovertemplate="rank %{x}: %{customdata}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=ranks, y=discount, name="discount", yaxis="y2", mode="lines+markers" if len(ranks) <= _DOTS else "lines",
        line={"color": colours.system(4), "width": 1.5, "dash": "dot"}, marker={"size": 4},
        customdata=_texts(discount), hovertemplate="rank %{x} counts × %{customdata}<extra></extra>",
    )  # fmt: skip
    highest = max(float(max(gains, default=0)), float(max(ideal, default=0))) or 1.0
    return apply_frame(
        figure, colours, HEIGHT, x="rank", y="gain", barmode="overlay", yaxis={"range": [0, highest * _HEAD]},
        xaxis={"showgrid": False, "range": [0.4, len(ranks) + 0.6]} | _ticks(len(ranks)),
        yaxis2={
            "overlaying": "y", "side": "right", "range": [0, _HEAD], "showgrid": False, "tickvals": [0, 0.5, 1],
            "title": {"text": "discount", "font": {"color": colours.grey, "size": 12}, "standoff": 8},
            "tickfont": {"color": colours.grey, "size": 11}, "zeroline": False, "automargin": True,
        },
    )  # fmt: skip


def cumulated_figure(table: GradedTable, colours: Ink) -> go.Figure:
    """Discounted cumulated gain of the list and of the ideal list; their ratio is nDCG."""
    ranks = table.rank.tolist()
    figure, mode = go.Figure(), "lines+markers" if len(ranks) <= _DOTS else "lines"
    figure.add_scatter(
        x=ranks, y=table.dcg, name="DCG", mode=mode, line={"color": colours.accent, "width": 2.5},
        customdata=_texts(table.dcg), hovertemplate="DCG@%{x} %{customdata}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=ranks, y=table.idcg, name="ideal DCG", mode=mode, line={"color": colours.grey, "width": 1.5, "dash": "dash"},
        fill="tonexty", fillcolor=f"{colours.grey}22", customdata=[f"nDCG {text}" for text in _texts(table.ndcg)],
        text=_texts(table.idcg), hovertemplate="ideal DCG@%{x} %{text}<br>%{customdata}<extra></extra>",
    )  # fmt: skip
    return apply_frame(
        figure, colours, HEIGHT, x="rank", y="discounted cumulated gain", xaxis=_ranks_axis(len(ranks)),
        yaxis={"range": _range_from_zero(table.idcg.max(initial=0), table.dcg.max(initial=0))},
    )  # fmt: skip


def over_ranks_figure(over: MeasureOverRanks, colours: Ink) -> go.Figure:
    """A measure cut off at each of some ranks, one line per system."""
    ranks, measure, rankings = over.ranks, over.measure, over.rankings
    figure = go.Figure()
    short = short_names(over.values, 28)
    for system, values in sorted(over.values.items(), key=lambda item: item[0] == rankings.system):
        name, index, chosen = plotly_text(short[system]), rankings.systems.index(system), system == rankings.system
        figure.add_scatter(
            x=ranks.tolist(), y=values, name=f"<b>{name}</b>" if chosen else name,
            mode="lines+markers" if len(ranks) <= 2 * _DOTS else "lines", marker={"size": 6 if chosen else 4},
            line={
                "color": colours.system(index), "width": 2.8 if chosen else 1.5,
                "dash": DASHES[index // len(colours.systems) % len(DASHES)],
            },
            customdata=_texts(values), meta={"system": index},
            hovertemplate=f"{measure}@%{{x}} %{{customdata}}<extra>{name}</extra>",
        )  # fmt: skip
    highest = (float(np.nanmax(values, initial=0)) for values in over.values.values())
    return apply_frame(
        figure, colours, 330, x="rank k", y=f"{measure} at k", xaxis=_ranks_axis(int(ranks.max(initial=1))),
        yaxis={"range": _range_from_zero(*highest)}, showlegend=len(over.values) > 1,
    )  # fmt: skip


def _texts(values: Array) -> list[str]:
    return [number_text(value) for value in values.tolist()]


def _range_from_zero(*highest: float) -> list[float]:
    """Range from just below 0, so that a marker at 0 is whole, to just above the highest value."""
    top = float(max(highest, default=0)) or 1.0
    return [-0.025 * top, 1.07 * top]


def _ranks_axis(last: int) -> dict[str, Any]:
    margin = max(0.03 * last, 0.4)
    return {"range": [1 - margin, last + margin]} | _ticks(last)


def _ticks(last: int) -> dict[str, Any]:
    """Ticks at rank 1 and at round ranks: a rank 0 does not exist."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if last <= 12 * step)
    marks = [1, *range(step if step > 1 else 2, last + 1, step)]
    return {"tickmode": "array", "tickvals": marks, "ticktext": [count_text(mark) for mark in marks]}


def _grade(grade: float, rank: int, retrieved: int) -> str:
    if rank > retrieved:
        return f"after the end of the list of {count_text(retrieved)}"
    return "unjudged" if math.isnan(grade) or grade < 0 else f"grade {grade:g}"


_MOST = 9


def mean_curves_figure(rankings: Rankings, colours: Ink) -> go.Figure:
    """Interpolated precision at eleven levels of recall, the mean over the queries of each of the first systems."""
    figure = go.Figure()
    for index, system in enumerate(rankings.systems[:_MOST]):
        curve = mean_curve(rankings.hits(system), rel=rankings.level)
        chosen = system == rankings.system
        figure.add_scatter(
            x=list(curve.levels), y=curve.interpolated, mode="lines+markers", name=plotly_text(system, 28),
            line={"color": colours.system(index), "width": 2.6 if chosen else 1.6, "dash": DASHES[index % len(DASHES)]},
            marker={"color": colours.system(index), "size": 5}, hoverinfo="skip",
        )  # fmt: skip
    return apply_frame(
        figure, colours, 400, "recall", "interpolated precision", showlegend=len(rankings.systems) > 1,
        xaxis={"range": [-0.02, 1.02]}, yaxis={"range": [-0.02, 1.02]},
    )  # fmt: skip
