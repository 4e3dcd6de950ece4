"""The 2×2 counts that are open: counted at the threshold, collapsed from classes, read from a file, or typed."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from evalcore.analyses import CELLS, NamedCounts, Scores, is_count
from evalcore.classification import ConfusionCounts
from evalcore.readers import ReadProblem
from evalcore.wording import short_names

from ..session import address
from ..session.current_dataset import opened
from ..session.loaded_scores import COUNTABLE, SCORED, scores_of, threshold_of
from ..session.page_exit import end_with, need
from .bound import bound
from .exactness import show_exactness


def open_counts() -> NamedCounts:
    """The counts of the open data, or typed ones in their place; offers data when there is nothing to count."""
    typed, current = _typed(), opened()
    if typed is not None and (current is None or current.kind not in COUNTABLE):
        return NamedCounts(typed, origin="Counts you typed.", typed=True)
    current = need(COUNTABLE, "labels with predictions, scores, or counts", also=_offer_typing)
    try:
        if current.kind in SCORED:
            named = count_at_threshold(scores_of(current, current.system))
        else:
            named = NamedCounts.of_class(current, _choose_class)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    if typed is None:
        return named
    return replace(named, counts=typed, typed=True, pairs=None, origin=":orange-badge[What if] The data are unchanged.")


def put_cells(cells: Iterable[float]) -> None:
    """Write typed counts, in the order of `CELLS`, into the address; what is no count leaves it as it is."""
    cells = tuple(cells)
    if len(cells) == len(CELLS) and all(map(is_count, cells)):
        address.put("cells", ",".join(f"{value:.15g}" for value in cells))


def count_at_threshold(scores: Scores) -> NamedCounts:
    """The counts at the threshold that all pages share."""
    return NamedCounts.at(scores, threshold_of(scores))


def show_origin(counted: NamedCounts) -> None:
    """Say where the counts come from; of typed ones, offer the way back."""
    if not counted.typed:
        rows = " Click a cell beside its number to see its rows." if counted.pairs else ""
        st.caption(f"{counted.origin} Type into any cell or margin to ask what if.{rows}")
        if (current := opened()) is not None and current.kind in SCORED:
            show_exactness(scores := scores_of(current, current.system), threshold_of(scores))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(counted.origin, width="content")
        label = "Back to the data" if opened() is not None else "Start over"
        st.button(label, key="untype", on_click=address.put, args=("cells", None))


def _offer_typing() -> None:
    st.button("Type four counts", key="offer typing", icon=":material/edit:", on_click=put_cells, args=((0, 0, 0, 0),))


def _choose_class(classes: tuple[str, ...], start: str) -> str:
    """Ask for the class that is set against the rest; it stays in the address."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = bound(
            st.selectbox, "Class against the rest", "class", address.choice("class", classes, start), classes,
            key="class against the rest", format_func=short_names(classes, 34).get, width=280,
        )  # fmt: skip
        params = address.parameters() | {"class": chosen}
        label = "All classes and their confusions"
        st.page_link("pages/classify/classes.py", label=label, query_params=params, width="content")
    return chosen


def _typed() -> ConfusionCounts | None:
    """The four counts in the address, if they are four counts."""
    parts = (address.text("cells") or "").split(",")
    try:
        cells = [float(part) for part in parts]
    except ValueError:
        cells = []
    if len(cells) != len(CELLS) or not all(map(is_count, cells)):
        address.refuse("cells")
        return None
    return ConfusionCounts(*cells)
