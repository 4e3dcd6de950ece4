"""A picture on a page: in the colours of light or dark, with a name for screen readers and a click that chooses."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from evalcore.figures import Ink, describe, enlarge, escape_markup, ink
from evalcore.figures.threshold_view import CAMERA, ELEMENT, PICTURE, THRESHOLD, THRESHOLD_STYLE, text_of_files
from evalcore.readers import marked_frame, numbered_rows
from evalcore.wording import (
    UNDEFINED,
    Cell,
    Row,
    copy_menu,
    count_text,
    file_stem,
    html_table,
    measure_links,
    with_parameters,
)
from pages.widgets.display.page import presenting
from pages.widgets.export.downloads import picture_format, show_copy, show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.internals import figure_parts
from pages.widgets.session.loaded import open_family

__all__ = ["CAMERA", "ELEMENT", "PICTURE", "THRESHOLD", "THRESHOLD_STYLE", "component", "source"]


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
        words = describe(alt, figure_parts(figure))
        st.plotly_chart(figure, key=key, alt=words, theme=None, config=config, **height, **more)


_FEW_RULES = str(Path(__file__).with_name("components.css"))


def component(
    name: str, module: str, *scripts: str, css: str = _FEW_RULES, html: str = "<span></span>"
) -> Callable[..., Any]:
    """A component of files beside a module, given as its ``__file__``; the browser reads its scripts as one."""
    style, program = source(module, CAMERA, css), source(module, *scripts)
    return hearing(st.components.v2.component(name, html=f"{html}\n", css=style, js=program))


def hearing(renderer: ComponentRenderer) -> Callable[..., Any]:
    """A component that is drawn with its key, its data, and by the names of what it sends functions that get the last.

    What they get comes from a browser and may be anything.
    """

    def draw(key: str, data: object, **heard: Callable[[Any], object]) -> Any:
        hear = lambda sent: heard[sent](st.session_state[key].get(sent))  # noqa: E731
        return renderer(key=key, data=data, **{f"on_{sent}_change": partial(hear, sent) for sent in heard})

    return draw


def source(module: str, *files: str) -> str:
    """The text of some files beside a module as one."""
    return text_of_files(*(str(Path(module).parent / file) for file in files))


PINNED = st.column_config.TextColumn(pinned=True)
"""A column of names, which stays where others are scrolled."""

Look = str | tuple | Mapping | None
"""How a column is drawn: a format of numbers, alone or before help and width; hidden by None; or as Streamlit says."""


def looks(columns: Mapping[str, Look]) -> dict[str, Mapping | None]:
    """The settings of columns for Streamlit."""
    number = lambda format, help=None, width=None: st.column_config.NumberColumn(  # noqa: E731
        format=format, help=help, width=width
    )
    return {
        name: number(*([look] if isinstance(look, str) else look)) if isinstance(look, str | tuple) else look
        for name, look in columns.items()
    }


_MOST_ROWS = 500


def show_table(heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]], kind: str = "averages") -> None:
    """Show a table, with a control that copies it; see `evalcore.wording.html_table`."""
    rows = [*rows]
    st.html(with_parameters(html_table(heads, rows, kind), address.parameters()) + copy_menu(heads, rows))


def show_frame(
    frame: pd.DataFrame, key: str, alt: str, columns: Mapping, most: int = 12, height: int | str = 440,
    pick: Callable[[int], None] | None = None, missing: str | None = UNDEFINED, link: bool = True,
) -> None:  # fmt: skip
    """Show a frame, or its Styler, to be sorted, whole up to `most` rows; the place of a ticked row goes to `pick`.

    The measures that it names lead to their entries, unless its headers do, or it is a table of a file: one without a
    word for `missing`.
    """
    rows, shown = len(frame.index), frame if missing is not None else marked_frame(frame)

    def ticked() -> None:
        indices = st.session_state[key].selection.rows
        if indices and indices[0] < rows:
            pick(indices[0])

    st.dataframe(
        shown, hide_index=True, height="content" if rows <= most else height, key=key, alt=alt, placeholder=missing,
        column_config=looks(columns), **({"on_select": ticked, "selection_mode": "single-row"} if pick else {}),
    )  # fmt: skip
    show_copy(getattr(frame, "data", frame))
    if missing is not None and link:
        cells = frame["measure"] if "measure" in frame.columns and not pick else ()  # a tick opens the entry by itself
        link_measures([*(name for name in frame.columns if columns.get(name, "") is not None), *cells])


def link_measures(names: Iterable[str]) -> None:
    """The measures among the names in a table above as links to their entries: what sorts a column cannot be a link."""
    if links := measure_links(names, open_family()):
        st.caption(
            with_parameters(
                f"{'Definition' if len(links) == 1 else 'Definitions'}: {' · '.join(links)}", address.parameters()
            )
        )


def show_numbered_rows(frame: pd.DataFrame, numbers: np.ndarray, key: str, alt: str, most: int, height: int) -> None:
    """Show some rows of the open table by their numbers, the first few hundred of them."""
    row = st.column_config.NumberColumn(pinned=True, format="localized", width=70)
    show_frame(numbered_rows(frame, numbers[:_MOST_ROWS]), key, alt, {"row": row}, most, height, missing=None)
    if len(numbers) > _MOST_ROWS:
        st.caption(f"The first {count_text(_MOST_ROWS)} of {count_text(len(numbers))}; the file has all.")


def show_rows_behind(words: str, frame: pd.DataFrame, numbers: np.ndarray, close: Callable[[], None]) -> None:
    """Show the rows behind a cell under their description, with a file of them and a button that closes them."""
    with st.container(border=True, key="rows-behind"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words, width="stretch")
            if len(numbers):
                rows = partial(numbered_rows, frame, numbers)
                show_download("These rows as CSV", rows, "rows.csv", "download rows")
            st.button("Close", key="close the cell", on_click=close, type="tertiary")
        if len(numbers):
            show_numbered_rows(frame, numbers, "rows of the cell", "The rows behind the cell", 8, 300)
