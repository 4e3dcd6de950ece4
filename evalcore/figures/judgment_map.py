"""What is judged at each rank of some queries: dense judgments fill the picture, sparse ones are dots in it."""

import plotly.graph_objects as go

from evalcore.analyses.judgment_map import JUDGED, JudgmentMap
from evalcore.figures.theme import Ink, framed
from evalcore.wording.escaping import plotly_text

__all__ = ["judgment_map_figure"]

_LOWEST, _HIGHEST, _LINE = 160, 420, 14


def judgment_map_figure(drawn: JudgmentMap, colours: Ink) -> go.Figure:
    """A cell per query and rank, pale, mid or dark; no cell where the list has ended."""
    count, ranks = drawn.grid.shape
    shades = [colours.grid, colours.grey, colours.accent]
    steps = [(place + side) / len(shades) for place in range(len(shades)) for side in (0, 1)]
    scale = list(zip(steps, [shade for shade in shades for _ in range(2)], strict=True))
    words = [
        [f"{name}, rank {rank}: {JUDGED[state]}" if state >= 0 else "" for rank, state in enumerate(row, 1)]
        for name, row in zip((plotly_text(query, 40) for query in drawn.queries), drawn.grid.tolist(), strict=True)
    ]
    figure = go.Figure()
    figure.add_heatmap(
        x=list(range(1, ranks + 1)), y=list(range(count)),
        z=[[state if state >= 0 else None for state in row] for row in drawn.grid.tolist()], zmin=-0.5, zmax=2.5,
        colorscale=scale, showscale=False, xgap=1, ygap=1, text=words, hovertemplate="%{text}<extra></extra>",
        hoverongaps=False,
    )  # fmt: skip
    return framed(
        figure, colours, min(max(_LINE * count + 60, _LOWEST), _HIGHEST), "rank", "queries",
        xaxis={"range": [0.5, ranks + 0.5], "showgrid": False, "nticks": 8, "tickformat": ",d"},
        yaxis={"range": [count - 0.5, -0.5], "showgrid": False, "showticklabels": False},
    )  # fmt: skip
