"""The 2×2 table in the frame of the textbook: cells that can be typed into, ratios that explain themselves."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import analyses
from evalcore.figures import dots_figure, frame_data, tree_figure
from evalcore.inference import IntervalChoice
from evalcore.readers import numbered_rows
from evalcore.wording import Column, file_stem, one_line, plain, share_text
from pages.widgets.controls.fields import bound, segmented
from pages.widgets.controls.threshold import put_cells
from pages.widgets.display import figure
from pages.widgets.display.drawer import close_rows, open_rows, opened_rows, show_drawer
from pages.widgets.display.page import show_numbers
from pages.widgets.export.downloads import show_copied
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.loaded import with_links

_MOST_LISTED = 30  # rows up to which a file is listed without being asked for
CELL = "cell"


def opened_outcome() -> str | None:
    """The cell whose rows are open."""
    return cell[0] if (cell := opened_rows(CELL, 1)) and cell[0] in analyses.CELLS else None


def open_outcome(sent: Any) -> None:
    """Open the rows of a cell, or close them; what comes from a browser may be anything."""
    cell = sent.get("cell") if isinstance(sent, dict) else None
    if isinstance(cell, str) and cell in analyses.CELLS:
        open_rows(CELL, cell)
    else:
        close_rows()


def show_outcome_rows(counted: analyses.NamedCounts) -> None:
    """The rows of the open cell; where none is open, all rows of a small file, each with its outcome."""
    current, cell = opened(), opened_outcome()
    if current is None or counted.pairs is None:
        words = "Edited counts have no rows." if counted.typed else "These are counts, not rows."
        show_drawer(words if cell else None)
    elif cell:
        show_drawer(analyses.outcome_rows(current, counted, cell))
    elif float(counted.counts.total) <= _MOST_LISTED:
        behind = counted.rows_by_outcome()
        if sum(map(len, behind.values())) > _MOST_LISTED:
            return
        st.markdown("**Each row and how it is counted**")
        numbers = np.concatenate(list(behind.values()))
        order = np.argsort(numbers)
        outcomes = np.repeat([name.upper() for name in behind], [len(rows) for rows in behind.values()])
        frame = numbered_rows(current.frame, numbers[order], current.dataset.lines, **{"counted as": outcomes[order]})
        figure.show_frame(frame, "outcomes", "Each row with its outcome", {}, missing=None)


_SCRIPTS = (figure.ELEMENT, figure.PICTURE, "frame.js")
_COMPONENT = figure.component("confusion_frame", __file__, *_SCRIPTS, css="frame.css", html='<div class="frame"></div>')


def show_counts(
    counted: analyses.NamedCounts, intervals: IntervalChoice, actual_in_rows: bool, key: str = "frame",
    fixed: bool = False, chosen: str = "precision",
) -> None:  # fmt: skip
    """Draw the table with the formula of a ratio; unless it is fixed, a typed cell makes a what-if copy of it."""
    opens = not fixed and counted.pairs is not None
    file = f"confusion matrix {file_stem(counted.positive)}" if fixed else "confusion matrix"
    look = {
        "fixed": fixed, "file": file,
        "title": f"Confusion matrix: {one_line(counted.positive, 40)} and {one_line(counted.negative, 40)}",
        "chosen": chosen, "opens": opens, "opened": opened_outcome() if opens else None,
    }  # fmt: skip
    _COMPONENT(
        key, frame_data(counted, intervals, actual_in_rows) | look, opened=open_outcome,
        typed=lambda sent: fixed or put_cells(analyses.cells_after_typing(counted.counts, sent)),
    )  # fmt: skip
    show_copied(*counted.cells_table(actual_in_rows))


def show_systems(intervals: IntervalChoice) -> analyses.SystemRates | None:
    """The rates of all systems of a file of counts with their intervals; nothing for other data."""
    current = opened()
    if current is None or not analyses.SystemRates.offered(current):
        return None
    rates = analyses.SystemRates(current, intervals)
    st.markdown("**All systems**")
    columns = {"system": Column(first=True), "open": Column(title="")}
    alt = "The rates of all systems with their intervals; the one that is open is marked"
    pick = lambda row: address.put_all(system=rates.system_of(row), cells=None)  # noqa: E731
    figure.show_frame(pd.DataFrame(rates.cells), "system rates", alt, columns, pick=pick)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(with_links(rates.note), width="stretch")
        st.page_link("pages/classify/compare.py", query_params=address.parameters(), width="content")
    return rates


_SHARES = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)
_SHARES += (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)


def show_population(counted: analyses.NamedCounts) -> float | None:
    """Natural frequencies, with a slider that makes the positive class rarer or more common: its share, where moved."""
    population = analyses.population_of(counted, address.number("prevalence", None, 0, 1))
    if population is None:
        st.caption("Natural frequencies need rows of both classes.")
        return None
    st.markdown(f"**{plain(population.heading)}**  \n:gray[{population.verdict}]")
    view = segmented("Picture", ("dots", "tree"), "people", label_visibility="collapsed", required=False)
    people, names = population.people, (counted.positive, counted.negative)
    ink = figure.page_ink()
    crowd = tree_figure(people, names, ink, counted.unit) if view == "tree" else dots_figure(people, names, ink)
    figure.show_figure(crowd, "crowd", population.description, filename="people")
    _choose_prevalence(population)
    with st.container(horizontal=True):
        show_numbers(population.table)
    st.caption(with_links(population.note))
    return population.moved


def show_note(confusion: analyses.Confusion) -> None:
    """Which parts of the page follow a prevalence that was moved, with the way back; nothing where none was."""
    if confusion.note:
        with st.container(key="moved", horizontal=True, vertical_alignment="center"):
            st.markdown(f":orange-badge[What if] {confusion.note}", width="stretch")
            st.button("Back to the data", key="unmove", on_click=address.put, args=("prevalence", None))


def _choose_prevalence(population: analyses.Population) -> None:
    own = population.own
    # Other counts make another slider: of one that is not drawn anew yet, an answer would be read by the new steps.
    bound(
        st.select_slider, f"The same test where “{plain(population.named.positive, 30)}” is more or less common",
        "prevalence", population.share, sorted({*_SHARES, own, population.share}), key=f"prevalence slider {own!r}",
        format_func=lambda step: f"{share_text(step)}{' (as here)' if step == own else ''}",
        write=lambda share: address.put("prevalence", None if share == own else share),
    )  # fmt: skip
