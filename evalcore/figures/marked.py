"""Points that somebody marked, laid over a plane of shares, and the plane of one ranked list."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from evalcore.figures.ranking import interpolated_steps
from evalcore.figures.systems import squared
from evalcore.figures.theme import Ink
from evalcore.retrieval import RankedCurve
from evalcore.wording.escaping import plotly_text

__all__ = ["marked_figure", "ranked_figure"]


def marked_figure(figure: go.Figure, marks: Mapping[str, Sequence[float]], colours: Ink) -> go.Figure:
    """A figure with a ring at each point (x, y) and the name beside it.

    >>> from evalcore.figures.theme import LIGHT
    >>> marked_figure(go.Figure(), {"your mark": (0.2, 0.6)}, LIGHT).data[0].text
    ('your mark',)
    """
    for name, (x, y) in marks.items():
        figure.add_scatter(
            x=[x], y=[y], mode="markers+text", text=[plotly_text(name)], cliponaxis=False, showlegend=False,
            textposition="top right" if x < 0.6 else "top left", textfont={"color": colours.text}, hoverinfo="skip",
            marker={"size": 16, "symbol": "circle-open", "color": colours.text, "line": {"width": 2.5}},
        )  # fmt: skip
    return figure


def ranked_figure(curve: RankedCurve, colours: Ink) -> go.Figure:
    """Precision over recall of one list: a dot per rank, and the interpolated line above them.

    >>> from evalcore.figures.theme import LIGHT
    >>> from evalcore.retrieval import Hits, ranked_curve
    >>> [trace.name for trace in ranked_figure(ranked_curve(Hits.of_grades([1, 0, 1])), LIGHT).data]
    ['each rank', 'interpolated']
    """
    figure = go.Figure()
    figure.add_scatter(
        x=curve.recall, y=curve.precision, mode="lines+markers", name="each rank", customdata=curve.rank,
        line={"color": colours.system(0), "width": 1.2}, marker={"size": 7},
        hovertemplate="rank %{customdata}: recall %{x:.1%} · precision %{y:.1%}<extra></extra>",
    )  # fmt: skip
    steps = [(0.0, best) for _, best in interpolated_steps(curve)[:1]] + interpolated_steps(curve)
    figure.add_scatter(
        x=[x for x, _ in steps], y=[y for _, y in steps], mode="lines", name="interpolated", line_shape="vh",
        line={"color": colours.system(1), "width": 2.6, "dash": "dash"}, hoverinfo="skip",
    )  # fmt: skip
    return squared(figure, (), colours, "recall", "precision", showlegend=True)
