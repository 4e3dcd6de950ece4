"""The same test in another population: a prevalence to move, what the answers are worth there, a thousand people."""

import streamlit as st

from evalcore.analyses import Confusion, NamedCounts, Population, population_of
from evalcore.figures import dots_figure, tree_figure
from evalcore.wording import plain, share_text

from ...controls.bound import bound
from ...display.figure import page_ink, show_figure
from ...display.heading import show_numbers
from ...session import address
from ...session.entry_links import with_links

_STEPS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)
_SHARES = (*_STEPS, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)


def show_population(counted: NamedCounts) -> float | None:
    """Natural frequencies, with a slider that makes the positive class rarer or more common: the share that it says.

    None where it is that of the counts.
    """
    population = population_of(counted, address.number("prevalence", None, 0, 1))
    if population is None:
        st.caption("Natural frequencies need rows of both classes.")
        return None
    st.markdown(f"**{plain(population.heading)}**  \n:gray[{population.verdict}]")
    view = st.segmented_control(
        "Picture", ("dots", "tree"), default="dots", key="people", bind="query-params", label_visibility="collapsed"
    )
    people, names = population.people, (counted.positive, counted.negative)
    show_figure(
        tree_figure(people, names, page_ink(), counted.unit)
        if view == "tree"
        else dots_figure(people, names, page_ink()),
        key="crowd",
        alt=population.description,
        filename="people",
    )
    _choose_prevalence(population)
    with st.container(horizontal=True):
        show_numbers(population.table)
    st.caption(with_links(population.note))
    return population.moved


def show_note(confusion: Confusion) -> None:
    """Which parts of the page follow a prevalence that was moved, with the way back; nothing where none was."""
    if confusion.note:
        with st.container(key="moved", horizontal=True, vertical_alignment="center"):
            st.markdown(f":orange-badge[What if] {confusion.note}", width="stretch")
            st.button("Back to the data", key="unmove", on_click=address.put, args=("prevalence", None))


def _choose_prevalence(population: Population) -> None:
    own = population.own
    bound(
        st.select_slider, f"The same test where “{plain(population.named.positive, 30)}” is more or less common",
        "prevalence", population.share, sorted({*_SHARES, own, population.share}), key="prevalence slider",
        format_func=lambda step: f"{share_text(step)}{' (as here)' if step == own else ''}",
        write=lambda share: address.put("prevalence", None if share == own else share),
    )  # fmt: skip
