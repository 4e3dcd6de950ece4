"""The 2×2 counts that are open: counted at the threshold, collapsed from classes, read from a file, or typed."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from evalcore.analyses import CELLS, NamedCounts, Scores, Source, is_count, left_out_text
from evalcore.classification import ConfusionCounts
from evalcore.readers import ReadProblem, text_of
from evalcore.wording import one_line, plain

from ..session.page_exit import need
from . import address
from .current_dataset import opened
from .loaded_scores import COUNTABLE, SCORED, scores_of, threshold_of
from .page_exit import end_with

_CLASS = "class against the rest"


def open_counts() -> NamedCounts:
    """The counts of the open data, or typed ones in their place; offers data when there is nothing to count."""
    typed, current = _typed(), opened()
    if typed is not None and (current is None or current.kind not in COUNTABLE):
        return NamedCounts(typed, origin="Counts you typed.", typed=True)
    current = need(COUNTABLE, "labels with predictions, scores, or counts", also=_offer_typing)
    try:
        counted = _counted(current)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    if typed is None:
        return counted
    return replace(counted, counts=typed, typed=True, origin=":orange-badge[What if] The data are unchanged.")


def put_cells(cells: Iterable[float]) -> None:
    """Write typed counts, in the order of `CELLS`, into the address; what is no count leaves it as it is."""
    cells = tuple(cells)
    if all(map(is_count, cells)):
        address.put("cells", ",".join(f"{value:.15g}" for value in cells))


def count_at_threshold(scores: Scores) -> NamedCounts:
    """The counts at the threshold that all pages share."""
    threshold = threshold_of(scores)
    rule = f"{plain(scores.positive)} when score {scores.rule} {scores.text(threshold)}"
    origin = f"Counted at the threshold: {rule}.{scores.current.weighting}{left_out_text(scores.left_out)}"
    return NamedCounts(scores.counts_at(threshold), scores.positive, scores.negative, origin)


def show_origin(counted: NamedCounts) -> None:
    """Say where the counts come from; of typed ones, offer the way back."""
    if not counted.typed:
        st.caption(f"{counted.origin} Type into any cell or margin to ask what if.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(counted.origin, width="content")
        label = "Back to the data" if opened() is not None else "Start over"
        st.button(label, key="untype", on_click=address.put, args=("cells", None))


def _offer_typing() -> None:
    st.button("Type four counts", key="offer typing", icon=":material/edit:", on_click=put_cells, args=((0, 0, 0, 0),))


def _counted(current: Source) -> NamedCounts:
    if current.kind in SCORED:
        return count_at_threshold(scores_of(current, current.system))
    if current.kind == "counts" and not current.dataset.is_matrix:
        return NamedCounts(current.dataset.counts(current.system), *current.class_names(None), "Counts as in the file.")
    return _one_vs_rest(current)


def _one_vs_rest(current: Source) -> NamedCounts:
    """One class against the rest; with two classes that is the whole table."""
    system = current.system if current.kind == "labels" else None
    matrix, left_out = current.dataset.matrix(system), current.dataset.left_out(system)
    classes = matrix.classes
    label = text_of(current.positive)
    label = label if label in classes else classes[-1 if len(classes) == 2 else 0]
    if len(classes) > 2:
        label = _choose_class(classes, label)
        names = label, f"not {label}"
        origin = f"{plain(label)} against the other {len(classes) - 1} classes."
    else:
        names = current.class_names(current.system) if current.positive is not None else (label, f"not {label}")
        origin = "Counted row by row."
    return NamedCounts(
        matrix.one_vs_rest()[classes.index(label)], *names, origin + current.weighting + left_out_text(left_out)
    )


def _choose_class(classes: tuple[str, ...], start: str) -> str:
    """Ask for the class that is set against the rest; it stays in the address."""
    st.session_state[_CLASS] = address.choice("class", classes, start)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Class against the rest",
            classes,
            key=_CLASS,
            format_func=one_line,
            on_change=lambda: address.put("class", st.session_state[_CLASS]),
            width=280,
        )
        st.page_link(
            "pages/classify/classes.py",
            label="All classes, and which are confused",
            query_params=address.parameters() | {"class": chosen},
            width="content",
        )
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
