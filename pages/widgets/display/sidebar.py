"""The side bar: what is open, which system of it, another in its place, the menu, and the palette.

The palette, by Ctrl-K, finds a page or a part of one, a sample, measure or column, and goes to a threshold such as
"recall ≥ 0.95".
"""

import json
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from evalcore.analyses import Source, UnclearThreshold, definitions, threshold_meant
from evalcore.readers import KINDS
from evalcore.registry import METRICS, PAGES, Page, kept_until_registered, page_at
from evalcore.wording import file_stem, one_line, plain, short_names
from pages.widgets.controls.fields import bound
from pages.widgets.display.figure import ELEMENT, component
from pages.widgets.export.downloads import picture_format, show_card
from pages.widgets.session import address
from pages.widgets.session.current_dataset import entry, let_go, open_data, opened, samples, title_of, why_closed
from pages.widgets.session.internals import fragment_alone
from pages.widgets.session.loaded import SCORED, put_label_system, put_threshold, scores_of, shown_threshold
from pages.widgets.session.page_exit import run_scripts

_FOLDER = Path(__file__).parents[2]


def show_open_data(path: str = "") -> None:
    """The open data set with its kind, rows and positives, and the choices that swap it and its system, on one page."""
    current = opened()
    ids = [sample.id for sample in samples().values() if sample.offered]
    if current is not None and current.id not in ids:
        ids.insert(0, current.id)
    title = lambda data: current.title if current is not None and current.id == data else title_of(data)  # noqa: E731
    bound(
        st.selectbox, "Data set", "data", None if current is None else current.id, ids, key="sidebar data", index=None,
        format_func=lambda data: one_line(title(data), limit=60), placeholder="Choose a sample",
        write=lambda data: None if data is None else open_data(data),
    )  # fmt: skip
    if current is None:
        st.caption(why_closed() or "Or open a file under Data.")
        return
    kind = KINDS[current.kind].title
    st.caption(f"{kind[0].upper()}{kind[1:]} · {current.size}")
    if labellers := list(current.label_systems):
        bound(
            st.selectbox, "System", "roles", current.label_system, labellers, key="sidebar labeller",
            format_func=short_names(labellers).get, write=lambda system: put_label_system(current, system),
        )  # fmt: skip
    if len(systems := current.dataset.systems) > 1:
        word = KINDS[current.kind].system
        together = word == "class" and path == "probabilities"
        none = together and address.choice("system", systems) is None
        bound(
            st.selectbox, word.capitalize(), "system", None if none else current.system, systems, key="sidebar system",
            index=None if together else 0, format_func=short_names(systems).get, placeholder="All classes",
        )  # fmt: skip


def show_finished() -> None:
    """The card under Share, and the mark of a complete run, drawn last: browser tests wait for its number to grow."""
    rule = shown_threshold()
    show_card(rule)
    _show_mark("run", rule)


def show_drawn_again() -> None:
    """Call it last in a fragment: drawn again alone, it raises the mark's number and mends the links of the menu."""
    if fragment_alone():
        _show_mark("again", shown_threshold())


def _show_mark(attribute: str, rule: str) -> None:
    current, shown = opened(), {"t": rule.rpartition(" ")[2]}
    says = {"query": urlencode(address.parameters()), "file": "", "picture": picture_format(), "context": ""}
    if current is not None:
        says |= {"file": file_stem(current.title), "context": current.context(rule)}
        shown |= {"system": one_line(current.system or "", 40), "data": one_line(current.title, 40)}
    says["shown"] = json.dumps({key: text for key, text in shown.items() if text})
    st.session_state["runs"] = run = st.session_state.get("runs", 0) + 1
    run_scripts("marks", **says, **{attribute: run})
    let_go()


_TO_PART = "palette part"


def show_part(path: str) -> None:
    """Scroll to the part that the palette has led to, once its page is drawn; on another page that is forgotten."""
    if st.session_state.pop(_TO_PART, None) == path:
        run_scripts("marks", scroll=True)


def sections() -> dict[str, list]:
    """The pages of the menu under their sections; the one without a path comes first."""
    drawn: dict[str, list] = {}
    for page in PAGES.values():
        drawn.setdefault(page.section, []).extend(map(copy, _pages(page)))
    return drawn


@cache  # Streamlit looks for the file of each page anew; a run marks the page it shows, so it gets copies
def _pages(page: Page) -> list:
    """The page, and the same at its old path, which no menu shows."""
    file, paths = _FOLDER / f"{page.name}.py", [page.path, *filter(None, [page.old_path])]
    return [st.Page(file, title=page.title, url_path=path, default=not path) for path in paths]


def show_menu(sections: Mapping[str, Sequence], path: str) -> None:
    """Draw the sections with a link a page; those that the open data cannot fill stand under one fold."""
    current, parameters = opened(), address.menu_parameters()
    suits = {page.path for page in PAGES.values() if not page.kinds or current is None or current.kind in page.kinds}
    shown = {page.path for page in PAGES.values()}
    unfolded = page_at(path) and PAGES[page_at(path)].path not in suits
    with st.container(key="menu"):
        for section, pages in sections.items():
            if fitting := [page for page in pages if page.url_path in suits]:
                st.caption(section)
            for page in fitting:
                st.page_link(page, query_params=parameters)
        if others := [page for pages in sections.values() for page in pages if page.url_path in shown - suits]:
            with st.expander("For other data", key="other pages", expanded=bool(unfolded), type="compact"):
                for page in others:
                    st.page_link(page, query_params=parameters)
        run_scripts("page", "history", definitions=definitions())


def let_in() -> bool:
    """Whether the visitor may see the pages, with a button to sign in or out: always true without ``[auth]``."""
    if "is_logged_in" not in st.user:
        return True
    if st.user["is_logged_in"]:
        st.sidebar.button("Sign out", on_click=st.logout, help=plain(st.user.get("email") or "You are signed in"))
        return True
    st.title("Evalcore", anchor=False)
    st.markdown("This server asks you to sign in.")
    st.button("Sign in", on_click=st.login, type="primary")
    return False


_PALETTE = component("palette", __file__, ELEMENT, "palette.js")
_MOST_COLUMNS = 200


def show_palette() -> None:
    """A button that opens it, beside its key, and the way to what was chosen in it."""
    current = opened()
    columns = [] if current is None else [str(name) for name in current.frame.columns[:_MOST_COLUMNS]]
    found = [*_entries(), *(("Column", name, one_line(name, 60), "") for name in columns)]
    has_scores = current is not None and current.kind in SCORED
    chosen = _PALETTE("palette", {"entries": found, "scores": has_scores}, go=lambda _: None)
    if isinstance(chosen.go, list) and len(chosen.go) == 2:
        _go(current, *map(str, chosen.go))


@kept_until_registered
def _entries() -> list[tuple[str, str, str, str]]:
    """Kind, key, label and other words of all that can be found in any data."""
    return [
        *(("Page", page.name, page.title, f"{page.question} {page.words}") for page in PAGES.values()),
        *(
            ("Part", f"{page.name}#{fold}", f"{fold} · {page.title}", words)
            for page in PAGES.values()
            for fold, words in page.folds.items()
        ),
        *(("Sample", id, sample.title, KINDS[sample.kind].title) for id, sample in samples().items() if sample.offered),
        *(("Measure", key, one.name, " ".join((one.label, *one.aliases))) for key, one in METRICS.items()),
    ]


def _go(current: Source | None, kind: str, key: str) -> None:
    parameters: dict[str, Any] = address.parameters()
    if kind == "Page" and key in PAGES:
        st.switch_page(f"pages/{key}.py", query_params=parameters)
    elif kind == "Part" and (page := PAGES.get(key.partition("#")[0])):
        st.session_state[_TO_PART] = page.path
        st.switch_page(f"pages/{page.name}.py", query_params=parameters | page.address_of(key.partition("#")[2]))
    elif kind == "Sample" and key in samples():
        address.put_all(data=key, **samples()[key].settings)
        st.switch_page(f"pages/{entry(key).first_page}.py", query_params=address.parameters())
    elif kind == "Measure" and key in METRICS:
        st.switch_page("pages/learn/measures.py", query_params=parameters | {"measure": key})
    elif kind == "Column":
        st.switch_page("pages/start/data.py", query_params=parameters)
    elif kind == "Threshold" and current is not None and current.kind in SCORED:
        try:
            put_threshold(threshold_meant(scores_of(current, current.system), key))
        except UnclearThreshold as problem:
            st.toast(str(problem))
        else:
            st.switch_page("pages/classify/threshold.py", query_params=address.parameters())
