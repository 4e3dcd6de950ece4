"""An entry of the glossary: found by any name, with its formula, its value on the open data and what it leads to."""

import streamlit as st

from evalcore.analyses import GlossaryEntry, MeasureValues
from evalcore.glossary import Entry, entries, entry_of, search_entries
from evalcore.wording import plain

from ...display.empty_state import show_closed
from ...session import address
from ...session.current_dataset import opened

_KEY, _FIRST, _MOST = "measure", "recall", 16
"""Its key in the address, what is open where nothing was chosen, and how many names a search lists."""


def open_entry(key: str) -> None:
    """Open an entry, whatever was searched for; good as a callback."""
    address.put(_KEY, key)


def choose_entry() -> Entry:
    """Search by any name; the nearest entry is open until another is chosen."""
    show_closed()
    text = st.text_input(
        "Search by any name or symbol", placeholder="sensitivity, TPR, α, PPV, ndcg_cut_10, type 1 error …",
        key="look_up", bind="query-params", on_change=address.put, args=(_KEY, None),
    )  # fmt: skip
    matches = search_entries(text or "")
    chosen = entry_of(address.text(_KEY) or "")
    if chosen is None:
        address.refuse(_KEY)
    if text and not matches:
        st.caption("No entry has that name.")
    if len(matches) > 1:
        with st.container(key="matches", horizontal=True, gap="small"):
            for match in matches[:_MOST]:
                _show_link(match.key, "match")
    return chosen or next(iter(matches), entries()[_FIRST])


def open_values() -> MeasureValues | None:
    """The open data, on which each measure may have a value."""
    current = opened()
    return None if current is None else MeasureValues(current, address.number("t"))


def show_entry(entry: Entry, values: MeasureValues | None) -> None:
    """The whole entry; what it leads to is opened by a click."""
    shown = GlossaryEntry(entry, values)
    with st.container(border=True, key="entry"):
        st.markdown(shown.heading)
        if shown.formula:
            st.latex(shown.formula)
        for line in ([shown.value] if shown.value else []) + shown.lines:
            st.markdown(line)
        for seen in shown.seen:
            link = {**address.parameters(), **seen.parameters} if not seen.parameters else seen.parameters
            st.page_link(f"pages/{seen.page}.py", label=f"See {plain(seen.what)}", query_params=link)
    if shown.related:
        st.markdown("**Related entries**")
        with st.container(key="entry-links", gap=None):
            for key, words in shown.related:
                with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                    _show_link(key, "related")
                    if words:
                        st.caption(words, width="content")


def _show_link(key: str, kind: str) -> None:
    st.button(plain(entries()[key].title), key=f"{kind} {key}", type="tertiary", on_click=open_entry, args=(key,))
