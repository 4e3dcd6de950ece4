"""A picture on a page: in the colours of light or dark, with a name for screen readers and a click that chooses."""

from contextlib import nullcontext
from copy import deepcopy
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from evalcore.figures import Ink, described, enlarge, escape_markup, ink
from evalcore.wording import file_stem

from ..export.downloads import picture_format
from ..session.current_dataset import opened
from ..session.internals import figure_parts
from .presenter import presenting

_BUTTONS = ["lasso2d", "select2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]


def page_ink() -> Ink:
    """The colours that fit the theme the reader has chosen."""
    return ink(st.context.theme.type == "dark")


def show_figure(figure: go.Figure, key: str, alt: str, filename: str = "", square: bool = False, **more: Any) -> None:
    """Draw a figure over the whole width, and as high if square. All come through here: no text becomes a link.

    `alt` says in a sentence what the figure shows; values of the figure follow where it tells none. A file of it is
    named by its key or by a name of its own; `more` are options of `st.plotly_chart`.
    """
    if presenting():
        figure = deepcopy(figure)  # the page may have it from a cache
        enlarge(figure_parts(figure), 1.6)
    escape_markup(figure_parts(figure))
    file = filename or key
    if (current := opened()) is not None:
        file = f"{file_stem(current.title)} {file}"
    picture = {"format": picture_format(), "filename": file, "scale": 2}
    config = {"displaylogo": False, "modeBarButtonsToRemove": _BUTTONS, "toImageButtonOptions": picture}
    with st.container(key=f"square-{key}") if square else nullcontext():
        height = {"height": "stretch"} if square else {}
        words = described(alt, figure_parts(figure))
        st.plotly_chart(figure, key=key, alt=words, theme=None, config=config, **height, **more)
