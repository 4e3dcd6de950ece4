"""The gallery of queries: the first ranks of each list as a strip of marks, for the browser and for the report."""

import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalcore.analyses import QueryColumn, Rankings, RankingSummary
from evalcore.figures import graph_objects as go
from evalcore.figures.retrieve.ranking import table_column
from evalcore.figures.theme import Ink, apply_frame
from evalcore.numeric import Indices
from evalcore.retrieval import Hits
from evalcore.wording import count_text, deflated, number_text, plotly_text, short_names

__all__ = ["STRIP_RANKS", "beside_strips", "gallery_figure", "rank_marks", "ranking_strips"]

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
