"""A picture on a page: in the colours of light or dark, with a name for screen readers and a click that chooses."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from evalcore.figures import Ink, describe, enlarge, escape_markup, ink
from evalcore.figures import graph_objects as go
from evalcore.figures.threshold_view import CAMERA, ELEMENT, GRID, PICTURE, THRESHOLD, THRESHOLD_STYLE, text_of_files
from evalcore.readers import marked_frame
from evalcore.wording import UNDEFINED, Cell, Column, Row, copy_menu, html_table, packed_table, with_parameters
from pages.widgets.display.page import presenting
from pages.widgets.export.downloads import note_figure, of_open_data, picture_format, show_copy
from pages.widgets.session import address
from pages.widgets.session.loaded import open_family

__all__ = ["CAMERA", "ELEMENT", "PICTURE", "THRESHOLD", "THRESHOLD_STYLE", "component", "source"]

_BUTTONS = ["lasso2d", "select2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]


def page_ink() -> Ink:
    """The colours that fit the theme the reader has chosen."""
    return ink(st.context.theme.type == "dark")


def show_figure(
    figure: go.Figure, key: str, alt: str, filename: str = "", square: bool = False,
    pick: Callable[[Mapping], None] | None = None, **more: Any,
) -> None:  # fmt: skip
    """Draw a figure over the whole width, and as high if square. All come through here: no text becomes a link.

    `alt` says in a sentence what the figure shows; values of the figure follow where it tells none. A file of it is
    named by its key or by a name of its own; a click tells `pick` the point; `more` are options of `st.plotly_chart`.
    """
    note_figure(figure)
    if presenting():
        figure = deepcopy(figure)  # the page may have it from a cache
        enlarge(figure.parts, 1.6)
    escape_markup(figure.parts)
    picture = {"format": picture_format(), "filename": of_open_data(filename or key), "scale": 2}
    config = {"displaylogo": False, "modeBarButtonsToRemove": _BUTTONS, "toImageButtonOptions": picture}
    config["showAxisRangeEntryBoxes"] = False  # a number that opens where somebody clicks beside an axis
    more |= {"height": "stretch"} if square else {}
    if pick is not None:
        more |= {"on_select": lambda: _tell_picked(key, pick), "selection_mode": "points"}
    with st.container(key=f"square-{key}") if square else nullcontext():
        st.plotly_chart(figure, key=key, alt=describe(alt, figure.parts), theme=None, config=config, **more)


def _tell_picked(key: str, pick: Callable[[Mapping], None]) -> None:
    """Tell which point was clicked: of one that is selected already, Plotly only tells that none is selected now."""
    known, points = st.session_state.setdefault("points picked", {}), st.session_state[key].selection["points"]
    if points:
        known[key] = points[-1]
    if key in known:
        pick(known[key])


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


def show_table(heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]], kind: str = "averages") -> None:
    """Show a table, with a control that copies it; see `evalcore.wording.html_table`."""
    rows = [*rows]
    st.html(with_parameters(html_table(heads, rows, kind), address.parameters()) + copy_menu(heads, rows))


_TABLE = component("table", __file__, ELEMENT, GRID, "table.js", css="table.css", html='<div class="table"></div>')


def show_frame(
    frame: pd.DataFrame, key: str, alt: str, columns: Mapping[str, Column], most: int = 12, height: int | None = 440,
    pick: Callable[[int], None] | None = None, chosen: int | None = None, missing: str | None = UNDEFINED,
    foot: pd.DataFrame | None = None, copied: pd.DataFrame | None = None, tall: bool = False,
    order: Callable[[str, bool], None] | None = None, ordered: tuple[str, bool] = ("", False),
) -> None:  # fmt: skip
    """Show a frame to be sorted, whole up to `most` rows, over the rows of `foot`; a click tells `pick` the row.

    Rows are as tall as three lines of text with `tall`. Where the frame holds the first of many rows, a click on a
    heading tells `order` by which column all are to be sorted, and whether downwards; `ordered` is how they are.

    The measures that it names lead to their entries, unless it is a table of a file: one without a word for `missing`.
    """
    shown, rows = frame if missing is not None else marked_frame(frame), len(frame.index)
    values = {name: _values(cells) for name, cells in shown.items()}
    ends = {} if foot is None else {name: _values(cells) for name, cells in foot.items()}

    def picked(sent: object) -> None:
        row = sent.get("row") if isinstance(sent, dict) else None
        if isinstance(row, int) and 0 <= row < rows:
            pick(row)

    def asked(sent: object) -> None:
        at = sent.get("at") if isinstance(sent, dict) else None
        order(names[at] if at in range(len(names)) else "", isinstance(sent, dict) and sent.get("falling") is True)

    packed = packed_table(values, columns, ends, missing, open_family(), links=pick is None)
    names = sorted(frame.columns, key=lambda name: not columns.get(name, Column()).first)
    about = {"label": alt, "height": None if rows <= most else height, "picks": pick is not None, "chosen": chosen}
    by = {"at": names.index(ordered[0]), "falling": ordered[1]} if ordered[0] in names else None
    about |= {"tall": tall, "sorts": order is not None, "sorted": by}
    _TABLE(key, packed | about, **({"pick": picked} if pick else {}) | ({"order": asked} if order else {}))
    if copied is None:
        copied = frame if foot is None else pd.concat([frame, foot], ignore_index=True)
    show_copy(copied)


def _values(cells: pd.Series) -> np.ndarray | list:
    """The values of a column; those that are missing are nan among numbers, and None among others."""
    if cells.dtype.kind in "iuf":
        return cells.to_numpy(float, na_value=np.nan) if cells.hasnans else cells.to_numpy()
    return cells.astype(object).where(cells.notna(), None).tolist()
