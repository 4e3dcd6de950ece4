"""A picture on a page: in the colours of light or dark, with a name for screen readers and a click that chooses."""

from contextlib import nullcontext
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from evalcore.figures import Ink, escape_markup, ink

from ..session.internals import figure_parts

_BUTTONS = ["lasso2d", "select2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]


def page_ink() -> Ink:
    """The colours that fit the theme the reader has chosen."""
    return ink(st.context.theme.type == "dark")


def show_figure(
    figure: go.Figure, key: str, alt: str, filename: str = "evalcore", square: bool = False, **more: Any
) -> None:
    """Draw a figure over the whole width. All figures come through here: no text in them becomes a link.

    Parameters
    ----------
    figure : plotly Figure
    key : str
        Name of the picture in the page.
    alt : str
        What the picture shows, in a sentence, for whoever cannot see it.
    filename : str
        Name of the file when the picture is saved.
    square : bool
        As high as it is wide, whatever the screen; else as high as the figure says.
    more
        Options of `st.plotly_chart`, such as what happens on a selection.
    """
    escape_markup(figure_parts(figure))
    picture = {"format": "svg", "filename": filename}
    config = {"displaylogo": False, "modeBarButtonsToRemove": _BUTTONS, "toImageButtonOptions": picture}
    with st.container(key=f"square-{key}") if square else nullcontext():
        height = {"height": "stretch"} if square else {}
        st.plotly_chart(figure, key=key, alt=alt, theme=None, config=config, **height, **more)
