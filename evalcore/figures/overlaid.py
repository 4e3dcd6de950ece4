"""The ROC or the precision–recall curves with what was chosen to be drawn over and behind them."""

from collections.abc import Sequence

import plotly.graph_objects as go

from evalcore.analyses import BANDS, CurveOverlays, Scores
from evalcore.classification import AveragedCurves, measure_over_pr, measure_over_roc
from evalcore.figures.curves import precision_recall_figure, roc_figure
from evalcore.figures.overlays import (
    add_averages,
    add_band,
    add_contours,
    add_corners,
    add_hull,
    add_inverted,
    add_regions,
    coloured,
)
from evalcore.figures.systems import System, chosen_of
from evalcore.figures.theme import Ink
from evalcore.inference import Band, precision_recall_band, roc_band

__all__ = ["band_of", "overlaid_figure"]

_FIELD = 71
"""Places along each axis at which the measure of contours is worked out."""


def overlaid_figure(
    plane: str, systems: Sequence[System], scores: Scores, overlays: CurveOverlays, colours: Ink, *,
    averages: AveragedCurves | None = None, band: Band | None = None, inverted: bool = False,
) -> go.Figure:  # fmt: skip
    """The curves of systems in a plane, "roc" or "pr", with the overlays of the chosen one, whose scores these are.

    A band is that of `band_of`; the opposite decision is drawn where scores point the other way (`inverted`).
    """
    roc, chosen, state = plane == "roc", chosen_of(systems), scores.scored
    figure = roc_figure(systems, colours) if roc else precision_recall_figure(systems, colours, overlays.line)
    if averages is not None:
        add_averages(figure, averages, colours, roc, interpolated=overlays.line != "as counted")
    if chosen is None:
        return figure
    if roc and overlays.hull:
        add_hull(figure, chosen, colours)
    if roc and inverted:
        add_inverted(figure, chosen, colours)
    if band is not None:
        add_band(figure, band, chosen, colours)
    if overlays.corners:
        add_corners(figure, colours, roc)
    if state.negatives:
        add_regions(figure, overlays.requirements, scores.prevalence, colours, overlays.share, over_roc=roc)
    if overlays.measure is not None:
        field = measure_over_roc if roc else measure_over_pr
        values = field(overlays.value, state.positives, state.negatives, _FIELD)
        add_contours(figure, values, overlays.contours, colours)
    return coloured(figure, colours, scale=roc) if overlays.coloured else figure


def band_of(plane: str, scores: Scores, overlays: CurveOverlays) -> Band | None:
    """The band that was chosen around the curve of a system in a plane, None where none was."""
    if overlays.band == BANDS[0]:
        return None
    function = roc_band if plane == "roc" else precision_recall_band
    return function(scores.table, simultaneous=overlays.band == "simultaneous", scored=scores.scored)
