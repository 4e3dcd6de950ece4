"""A picture on a page: in the colours of light or dark, with a name for screen readers and a click that chooses."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from evalcore.figures import Ink, ink

_BUTTONS = ["lasso2d", "select2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]


def page_ink() -> Ink:
    """The colours that fit the theme the reader has chosen."""
    return ink(st.context.theme.type == "dark")


def show_figure(figure: go.Figure, key: str, alt: str, filename: str = "evalcore", square: bool = False) -> None:
    """Draw a figure over the whole width.

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
    """
    if square:
        with st.container(key=f"square-{key}"):
            st.plotly_chart(figure, **figure_options(key, alt, filename), height="stretch")
    else:
        st.plotly_chart(figure, **figure_options(key, alt, filename))


def figure_options(key: str, alt: str, filename: str) -> dict[str, Any]:
    """How every figure is drawn, as options of `st.plotly_chart`."""
    picture = {"format": "svg", "filename": filename}
    config = {"displaylogo": False, "modeBarButtonsToRemove": _BUTTONS, "toImageButtonOptions": picture}
    return {"key": key, "alt": alt, "theme": None, "config": config}
