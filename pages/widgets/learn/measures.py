"""An entry of the glossary: found by any name, with its formula, its value on the open data and what it leads to."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from evalcore.analyses import GlossaryEntry, MeasureValues, glossary_table
from evalcore.figures import map_figure
from evalcore.glossary import ADVICE, Entry, close_entries, entries, entry_of, map_of, search_entries
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import plain
from pages.widgets.controls.fields import choose_key
from pages.widgets.display.figure import page_ink, show_figure, show_frame
from pages.widgets.display.page import controls, show_closed
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, opened

_KEY, _FIRST, _MOST = "measure", "recall", 16
"""Its key in the address, what is open where nothing was chosen, and how many names a search lists."""


def choose_entry() -> Entry:
    """Search by any name; the nearest entry is open until another is chosen."""
    show_closed()
    text = st.text_input(
        "Search by any name or symbol", placeholder="sensitivity, TPR, α, PPV, ndcg_cut_10, type 1 error …",
        key="look_up", bind="query-params", on_change=address.put, args=(_KEY, None),
    )  # fmt: skip
    found = search_entries(text or "")
    matches = found or close_entries(text or "")
    chosen = entry_of(address.text(_KEY) or "")
    if chosen is None:
        address.refuse(_KEY)
    shown = chosen or next(iter(matches), entries()[_FIRST])
    unknown = f"Nothing is called “{plain(text, 60)}”." if text and not found else ""
    if unknown and not matches:
        st.caption(f"{unknown} {plain(shown.title)} is shown instead.")
    elif unknown or len(matches) > 1:
        with st.container(key="matches", horizontal=True, vertical_alignment="center", gap="small"):
            if unknown:
                st.caption(f"{unknown} Closest:", width="content")
            for match in matches[:_MOST]:
                _show_link(match.key, "match")
    return shown


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
        for view in shown.views:
            link = {**address.parameters(), **view.parameters} if not view.parameters else view.parameters
            st.page_link(f"pages/{view.page}.py", label=f"See {plain(view.what)}", query_params=link)
    if shown.related:
        with st.expander(f"{len(shown.related)} related entries", key="related"):
            _show_links(((key, words) for key, words in shown.related), "related")


def _show_links(links: Iterable[tuple[str, str]], kind: str) -> None:
    """Names of entries that open them, each with a sentence beside it."""
    with st.container(key=f"entry-links {kind}", gap=None):
        for key, words in links:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                _show_link(key, kind)
                if words:
                    st.caption(words, width="content")


def _show_link(key: str, kind: str) -> None:
    st.button(plain(entries()[key].title), key=f"{kind} {key}", type="tertiary", on_click=address.put, args=(_KEY, key))


def show_advice() -> None:
    """Ask what somebody has and wants; the measures that fit, each opened by a click."""
    st.markdown("**Which measure when?**")
    with controls():
        have = choose_key("What do you have?", "have", {key: one.title for key, one in ADVICE.items()}, width=250)
        answers = {}
        for question in ADVICE[have].questions:
            options = {str(index): text for index, text in enumerate(question["options"])}
            chosen = choose_key(question["text"], f"{have}_{question['key']}", options, width=220)
            answers[question["key"]] = options[chosen]
    _show_links(((one.key, because) for one, because in ADVICE[have].recommend(answers)), "advice")


def show_list(values: MeasureValues | None) -> None:
    """Every measure with its value on the open data, folded at first."""
    with st.expander(f"All {len(METRICS)} measures", key="all_measures", on_change="rerun") as folded:
        if folded.open:
            frame = pd.DataFrame(glossary_table(values)).drop(columns="source")
            alt, open_row = "Every measure with its meaning.", lambda row: address.put(_KEY, [*METRICS][row])
            show_frame(frame, "measure list", alt, {}, pick=open_row)


_figure = cache(lambda *drawn: map_figure(*drawn), most=64)


def show_map(entry: Entry) -> MetricDef:
    """The map that the entry stands on, of a term that of the first measure it leads to; the measure that is marked."""
    key = entry.key if entry.measure else next((key for key in entry.see if key in METRICS), "recall")
    chart = map_of(key)
    about = "In the small 2×2 tables, bright cells are in the numerator, pale ones only in the denominator."
    st.markdown(f"**{chart.title}**", help=f"Lines join related measures; a click opens one. {about}")
    name = f"map {chart.key}"
    words = f"{len(chart.keys)} measures, joined by lines; {METRICS[key].name} is marked."
    ink, picked = page_ink(), lambda point: address.put(_KEY, chart.keys[point["point_index"]])
    show_figure(_figure((key, ink), chart, key, ink), name, words, pick=picked)
    return METRICS[key]
