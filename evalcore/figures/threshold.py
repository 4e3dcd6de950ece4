"""Pictures of one threshold: the scores of both classes it divides, and what every measure does as it moves."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from evalcore.classification import ScoreBins
from evalcore.figures.numbers import count_text, threshold_text
from evalcore.figures.text import plotly_text
from evalcore.figures.theme import DASHES, HATCHES, OUTCOMES, Ink, framed, outcome_word
from evalcore.numeric import Array


def threshold_figure(
    bins: ScoreBins,
    lines: Sequence[tuple[str, Array, Array]],
    threshold: float,
    cells: dict[str, float],
    names: tuple[str, str],
    colours: Ink,
    higher: bool = True,
    allowed: Array | None = None,
) -> go.Figure:
    """The two densities, one up and one down, over the measures against the threshold, one axis of scores for both.

    Parameters
    ----------
    bins : ScoreBins
        On the scale of the file.
    lines : sequence of (label, thresholds, values)
        A measure at rising thresholds of the file; undefined values leave a gap.
    threshold : float
        Where the line stands, on the scale of the file.
    cells : dict
        The four counts at the threshold: tp, fp, fn, tn.
    names : (str, str)
        The positive and the negative class. Come from a file: escaped here.
    colours : Ink
    higher : bool
        Whether what is called positive lies right of the line.
    allowed : Array, shape (m, 2), optional
        Ranges of thresholds that limits allow; the rest is shaded.

    Returns
    -------
    plotly Figure
    """
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.05, row_heights=[0.56, 0.44])
    _add_densities(figure, bins, colours)
    # The counts of a score hold from just beyond its neighbour up to itself.
    shape = "vh" if higher else "hv"
    for place, (label, thresholds, values) in enumerate(lines):
        x, y = _to_the_end(thresholds, values, bins.edges, higher)
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=label,
                mode="lines",
                line={"color": colours.system(place), "width": 2, "dash": DASHES[place % len(DASHES)], "shape": shape},
                hovertemplate=f"{label} %{{y:.3f}} at %{{x}}<extra></extra>",
            ),
            row=2,
            col=1,
        )
    framed(figure, colours, height=520)
    low, high = float(bins.edges[0]), float(bins.edges[-1])
    # Room for the counts in the corners; both classes on one scale, each side as tall as it needs.
    tallest = float(max(bins.positives.max(), bins.negatives.max(), 1.0))
    sides = [
        -1.3 * max(float(bins.negatives.max()), 0.3 * tallest),
        1.3 * max(float(bins.positives.max()), 0.3 * tallest),
    ]
    figure.update_yaxes(range=sides, showticklabels=False, showgrid=False, row=1, col=1)
    figure.update_yaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], row=2, col=1)
    figure.update_xaxes(range=[low, high], row=1, col=1)
    figure.update_xaxes(range=[low, high], title_text="score", row=2, col=1)
    figure.update_layout(
        barmode="overlay", bargap=0.06, legend={"y": -0.12, "yanchor": "top", "x": 0, "xanchor": "left"}
    )
    _shade(figure, allowed, low, high, colours)
    _add_line(figure, threshold, cells, names, (low, high), higher, colours)
    return figure


def _to_the_end(thresholds: Array, values: Array, edges: Array, higher: bool) -> tuple[Array, Array]:
    """The line carried on to the end of the axis where everything is called positive and nothing changes any more."""
    if higher and len(values) and edges[0] < thresholds[0]:
        return np.append(edges[0], thresholds), np.append(values[0], values)
    if not higher and len(values) and edges[-1] > thresholds[-1]:
        return np.append(thresholds, edges[-1]), np.append(values, values[-1])
    return thresholds, values


def _add_densities(figure: go.Figure, bins: ScoreBins, colours: Ink) -> None:
    # In halves: the sum of two large scores may overflow.
    middles, widths = bins.edges[1:] / 2 + bins.edges[:-1] / 2, np.diff(bins.edges)
    sides = (("fn", "tp", bins.positives, 1), ("tn", "fp", bins.negatives, -1))
    for left, right, rows, sign in sides:
        for outcome, chosen in ((left, ~bins.predicted), (right, bins.predicted)):
            figure.add_trace(
                go.Bar(
                    x=middles[chosen],
                    y=sign * rows[chosen],
                    width=widths[chosen],
                    name=outcome.upper(),
                    showlegend=False,
                    customdata=np.column_stack([bins.edges[:-1][chosen], bins.edges[1:][chosen], rows[chosen]]),
                    hovertemplate=f"{outcome.upper()}: %{{customdata[2]:,}} rows<br>"
                    "score %{customdata[0]:.4g} to %{customdata[1]:.4g}<extra></extra>",
                    marker={
                        "color": OUTCOMES[outcome],
                        "pattern": {
                            "shape": HATCHES[outcome],
                            "fillmode": "overlay",
                            "fgcolor": colours.paper,
                            "size": 6,
                        },
                        "line": {"width": 0},
                    },
                ),
                row=1,
                col=1,
            )
    figure.add_hline(y=0, line={"color": colours.grey, "width": 1}, row=1, col=1)


def _shade(figure: go.Figure, allowed: Array | None, low: float, high: float, colours: Ink) -> None:
    """Grey over what limits forbid, on the axis of the measures."""
    if allowed is None:
        return
    start = low
    for band_low, band_high in [*np.clip(allowed, low, high).tolist(), [high, high]]:
        if band_low > start:
            figure.add_vrect(
                x0=start, x1=band_low, fillcolor=colours.grey, opacity=0.14, line_width=0, row=2, col=1,
                exclude_empty_subplots=False,
            )  # fmt: skip
        start = max(start, band_high)


def _add_line(
    figure: go.Figure,
    threshold: float,
    cells: dict[str, float],
    names: tuple[str, str],
    ends: tuple[float, float],
    higher: bool,
    colours: Ink,
) -> None:
    low, high = ends
    at = min(max(threshold, low), high)
    figure.add_vline(x=at, line={"color": colours.text, "width": 2}, exclude_empty_subplots=False)
    figure.add_annotation(
        x=at, y=1.0, xref="x", yref="paper", yanchor="bottom", showarrow=False,
        text=f"<b>{threshold_text(threshold)}</b>",
        font={"color": colours.paper, "size": 13}, bgcolor=colours.text, borderpad=4,
    )  # fmt: skip
    figure.update_layout(margin_t=34)
    words = {
        cell: f"<b>{count_text(cells[cell])}</b> {outcome_word(cell, cells[cell])} ({cell.upper()})"
        for cell in OUTCOMES
    }
    # Each count stands in the corner where its rows are: what is called positive on the side of the hits.
    left, right = ("fn", "tn"), ("tp", "fp")
    if not higher:
        left, right = right, left
    actual = [
        f'<span style="color:{colours.grey};font-size:11px">actual {plotly_text(name, 24)}</span>' for name in names
    ]
    for x, anchor, (up, down) in ((0.005, "left", left), (0.995, "right", right)):
        beside = actual if anchor == "left" else ("", "")
        for cell, y, yanchor, lines in (
            (up, 1, "top", (words[up], beside[0])),
            (down, 0, "bottom", (beside[1], words[down])),
        ):
            # On its own ground, so that the line of the threshold may pass behind it.
            figure.add_annotation(
                x=x, y=y, xref="x domain", yref="y domain", xanchor=anchor, yanchor=yanchor, showarrow=False,
                text="<br>".join(filter(None, lines)), font={"color": colours.words[cell], "size": 13}, align=anchor,
                bgcolor=colours.paper, borderpad=2,
            )  # fmt: skip
