"""Masks as pictures: the outcomes of the pixels, and Dice by the threshold."""

import base64
import struct
import zlib

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from evalcore.figures.base.colours import OUTCOMES, mix
from evalcore.figures.base.theme import Ink, apply_frame
from evalcore.numeric import Array

__all__ = ["mask_colours", "outcome_picture", "threshold_curve"]

_GROUND_SEEN = 0.65
"""The share of the ground in the colour of true negatives, which are most of a picture."""


def mask_colours(ground: str) -> dict[str, str]:
    """Colours of the four outcomes in an image of masks; true negatives let the image show through.

    >>> mask_colours("#FFFFFF")["tn"]
    '#C4E5F7'
    """
    return OUTCOMES | {"tn": mix(OUTCOMES["tn"], ground, _GROUND_SEEN)}


def outcome_picture(outcomes: npt.NDArray[np.uint8], ground: str, actual: bool = False) -> str:
    """A PNG as a data URI: outcomes of pixels (0 TN, 1 TP, 2 FP, 3 FN) in their colours, or the actual mask alone.

    >>> outcome_picture(np.zeros((2, 3), np.uint8), "#FFFFFF")[:22]
    'data:image/png;base64,'
    """
    paints = mask_colours(ground)
    colours = [paints[outcome] for outcome in ("tn", "tp", "fp", "fn")]
    if actual:
        colours = [ground, OUTCOMES["tp"], ground, OUTCOMES["tp"]]
    palette = b"".join(bytes.fromhex(colour.removeprefix("#")) for colour in colours)
    height, width = outcomes.shape
    lines = np.zeros((height, width + 1), np.uint8)  # each line after a byte for its filter
    lines[:, 1:] = outcomes
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n"
    pixels = zlib.compress(lines.tobytes(), 6)
    for kind, body in ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", pixels), (b"IEND", b"")):
        png += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def threshold_curve(thresholds: Array, means: Array, now: float, colours: Ink) -> go.Figure:
    """The mean Dice by the threshold, with the threshold of the page."""
    figure = go.Figure()
    figure.add_scatter(
        x=thresholds, y=means, mode="lines+markers", line={"color": colours.systems[0], "width": 2},
        hovertemplate="≥ %{x:.2f}: %{y:.3f}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=now, line={"color": colours.accent, "width": 2})
    apply_frame(figure, colours, 300, "threshold", "mean Dice")
    figure.update_layout(showlegend=False)
    return figure.update_yaxes(range=[0, 1.02]).update_xaxes(range=[0, 1])
