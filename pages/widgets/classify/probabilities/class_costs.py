"""The costs of errors between classes: asked one at a time, and the cheapest decisions under them."""

import streamlit as st

from evalcore.analyses import MOST_COST_CLASSES, Calibration, ClassCosts, read_costs, written_costs
from evalcore.wording import one_line, seen

from ...controls.bound import bound
from ...display.table import show_table
from ...export.downloads import show_download
from ...session import address
from ...session.entry_links import with_links

KEY = "class_costs"


def show_class_costs(calibration: Calibration) -> None:
    """Ask what an error costs, and show what the cheapest decisions by expected cost save."""
    probabilities = calibration.probabilities.whole
    classes = len(probabilities.table.classes)
    if classes > MOST_COST_CLASSES:
        st.markdown(f"Costs can be set for up to {MOST_COST_CLASSES} classes; here are {classes}.")
        return
    written = address.text(KEY)
    changed = read_costs(written, classes)
    if changed is None:
        address.refuse(KEY)
    analysis = ClassCosts(probabilities, changed or {})
    _ask(analysis)
    st.markdown(with_links(analysis.verdict))
    costs, ways = st.columns([3, 2], gap="large")
    with costs:
        st.markdown("**Costs** :small[:gray[0 for a correct decision and 1 for an error, unless set]]")
        show_table(*analysis.cost_rows)
    with ways:
        st.markdown("**Ways to decide**")
        show_table(*analysis.rows)
    st.caption("The cheapest decision has the lowest expected cost per row; this needs calibrated probabilities.")
    with st.container(horizontal=True):
        show_download("Decisions as CSV", lambda: analysis.table, "decisions.csv", "download decisions")
        show_download("Python", lambda: analysis.code, "costs.py", "download costs code")


def _ask(analysis: ClassCosts) -> None:
    names = [one_line(seen(name), 30) for name in analysis.names]
    places = range(len(names))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        actual, decision = (
            st.selectbox(label, places, index=start, format_func=names.__getitem__, key=key, width=200)
            for label, start, key in (("Actual class", 0, "cost actual"), ("Decided as", 1, "cost decision"))
        )

        def put(cost: float) -> None:
            address.put(KEY, written_costs({**analysis.changed, (actual, decision): cost}))

        bound(
            st.number_input, "Costs", KEY, float(analysis.costs[actual, decision]), -1e9, 1e9, None, 1.0,
            format="%g", write=put, width=150,
        )  # fmt: skip
        if analysis.changed:
            st.button("All errors cost 1", on_click=address.put, args=(KEY, None), type="tertiary")
