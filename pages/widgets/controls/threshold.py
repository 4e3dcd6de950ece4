"""The threshold on a page: a slider whose every step is a distinct score, and a field for the exact value."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

import numpy as np
import streamlit as st

from evalcore import analyses
from evalcore.classification import ConfusionCounts
from evalcore.wording import plain, short_names
from pages.widgets.controls.fields import beside, bound, choose, exact
from pages.widgets.controls.roles import put_shape
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.internals import visit
from pages.widgets.session.loaded import COUNTABLE, SCORED, put_threshold, scores_of, threshold_of
from pages.widgets.session.page_exit import need, usable
from pages.widgets.session.unloaded_tables import is_counting, reach, start_counting

STOPS = 1000  # steps of the slider; up to here every distinct score is one


def choose_threshold(scores: analyses.Scores) -> float:
    """Ask for the threshold, which is the same on all pages."""
    threshold, table = threshold_of(scores), scores.table
    distinct, row = len(table) - 1, table.index(threshold)
    rows = np.arange(len(table))
    if len(rows) > STOPS + 1:
        rows = np.unique(np.append(np.linspace(0, len(rows) - 1, STOPS).astype(int), row))
    # Between two scores the threshold stands in place of the one with its counts, so that slider and field agree.
    stops = sorted([*table.thresholds[rows[rows != row]].tolist(), threshold])
    # As many digits as the threshold has, so that the field shows what it holds.
    digits = next((d for d in range(6, 17) if float(f"{threshold:.{d}g}") == threshold), 17)
    what = "distinct scores" if analyses.bins_of(scores) is None else "bins of scores"
    row = beside("threshold-row")
    bound(
        row.select_slider, f"Threshold: {plain(scores.positive, 30)} when score {scores.rule} threshold", "t",
        threshold, stops, write=put_threshold, key="threshold slider", format_func=analyses.threshold_names(stops).get,
        help=analyses.slider_note(len(stops), distinct, what),
    )  # fmt: skip
    with row:
        exact("Exactly", "t", threshold, put_threshold, "threshold field", format=f"%.{digits}g")
    return threshold


def show_step(scores: analyses.Scores, threshold: float, key: str, **options: object) -> None:
    """A button that goes to a threshold."""
    st.button(f"Go to {scores.text(threshold)}", key=key, on_click=put_threshold, args=(threshold,), **options)


def show_exactness(of: analyses.Scores | analyses.SystemComparison, threshold: float = 0.0, *measures: str) -> None:
    """Say whether the counts are exact and what measures lie between, by their keys; nothing of scores without bins.

    Of two systems it is how their calls at the thresholds of the comparison go together.
    """
    if isinstance(of, analyses.Scores):
        source, count = of.current, partial(analyses.refined_at, of, threshold)
        note, can_ask = analyses.threshold_note(of, threshold)
        note = note and f"{note} {analyses.bounds_note(of, *measures)}"
    else:
        source, count = of.source, partial(analyses.paired_at, of)
        note, can_ask = analyses.pair_note(source, of.rows)
    if not note:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="exactness"):
        st.caption(note, width="stretch")
        unloaded, key = source.dataset.unloaded, f"exactly\n{visit()}\n{source.key}\n{threshold}"
        if is_counting(key, lambda step: put_shape(source, source.dataset.shape.edited(step))):
            return
        if can_ask and unloaded and st.button("Count exactly here", key="refine", icon=":material/target:"):
            start_counting(key, lambda: reach(source.id, unloaded), count)


def open_counts() -> analyses.NamedCounts:
    """The counts of the open data, or typed ones in their place; offers data when there is nothing to count."""
    typed, current = _typed(), opened()
    if typed is not None and (current is None or current.kind not in COUNTABLE):
        return analyses.NamedCounts(typed, origin="Counts you typed.", typed=True)
    current = need(COUNTABLE, "labels with predictions, scores, or counts", also=_offer_typing)
    with usable():
        if current.kind in SCORED:
            named = count_at_threshold(scores_of(current, current.system))
        else:
            named = analyses.NamedCounts.of_class(current, _choose_class)
    return named if typed is None else analyses.what_if(named, typed)


def put_cells(cells: Iterable[float]) -> None:
    """Write typed counts, in the order of `CELLS`, into the address; what is no count leaves it as it is."""
    cells = tuple(cells)
    if len(cells) == len(analyses.CELLS) and all(map(analyses.is_count, cells)):
        address.put("cells", ",".join(f"{value:.15g}" for value in cells))


def count_at_threshold(scores: analyses.Scores) -> analyses.NamedCounts:
    """The counts at the threshold that all pages share."""
    return analyses.NamedCounts.at(scores, threshold_of(scores))


def show_origin(counted: analyses.NamedCounts) -> None:
    """Say where the counts come from; of typed ones, offer the way back."""
    if not counted.typed:
        st.caption(f"{counted.origin} Edit any number to try a what-if.")
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
    look = {"key": "class against the rest", "format_func": short_names(classes, 34).get, "width": 150}
    chosen = choose("Class against the rest", "class", classes, start, **look)
    params = address.parameters() | {"class": chosen}
    st.page_link("pages/classify/classes.py", label="All classes", query_params=params, width="content")
    return chosen


def _typed() -> ConfusionCounts | None:
    """The four counts in the address, if they are four counts."""
    with suppress(ValueError):
        cells = list(map(float, (address.text("cells") or "").split(",")))
        if len(cells) == len(analyses.CELLS) and all(map(analyses.is_count, cells)):
            return ConfusionCounts(*cells)
    address.refuse("cells")
    return None
