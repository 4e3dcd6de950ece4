"""Taking the numbers of a page away: its tables and pictures, and Python that finds the same numbers."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import Source, numbers_json
from evalcore.inference import AREA_METHODS, INTERVAL_METHODS, IntervalChoice
from evalcore.readers import columns_texts, csv_of
from evalcore.reports import card_svg, plain_text
from evalcore.wording import (
    MOST_COPIED,
    TABLE_FORMATS,
    Cell,
    Row,
    copy_menu,
    copy_menu_of,
    count_text,
    escaped,
    file_stem,
    one_line,
    plain,
)
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened, samples
from pages.widgets.session.loaded import RANKED, rankings_of
from pages.widgets.session.server import is_shared, others_can_open

Columns = Mapping[str, Sequence] | pd.DataFrame
Table = Columns | Callable[[], Columns]
_MIMES = {
    "csv": "text/csv", "json": "application/json", "md": "text/markdown", "py": "text/x-python", "html": "text/html",
    "tex": "application/x-tex", "txt": "text/plain",
}  # fmt: skip

_PICTURE, _TABLE = "picture format", "table format"
_METHODS, _LEVELS = tuple(INTERVAL_METHODS), (0.95, 0.8, 0.9, 0.99)


def share_place() -> DeltaGenerator:
    """The place of what a page has to take away, for a fragment, which cannot ask for it when it is drawn again."""
    return _SHARE.get()


def take_away(show: Callable[[], object], place: DeltaGenerator | None = None) -> None:
    """Under Share, what a page has to take away; made when somebody unfolds it."""
    share = place or share_place()
    if share.open:
        with share:
            show()


def show_downloads(name: str, table: Table, code: str, others: Mapping[str, Table] | None = None) -> None:
    """Under Share, buttons for the file of a table, of others by their names (functions make them), and of the code."""

    def show() -> None:
        with st.container(horizontal=True, key="downloads"):
            show_download("Numbers as CSV", table, f"{name}.csv", "download table")
            for title, other in (others or {}).items():
                show_download(f"{title} as CSV", other, f"{name} {title.lower()}.csv", f"download {title}")
            show_download("Python as a file", code, f"{name}.py", "download code")
            show_all_numbers()
        choose_formats()
        st.code(code, wrap_lines=True, height=260)

    take_away(show)


def show_all_numbers() -> None:
    """A button for every measure of the open data in one file."""
    if (current := opened()) is not None:
        # What pages ask is kept while others are shown.
        asked = (("interval", _METHODS), ("level", _LEVELS))
        method, level = (one if (one := st.session_state.get(key)) in known else known[0] for key, known in asked)
        area = address.choice("area_interval", list(AREA_METHODS), "logit")
        intervals, threshold = IntervalChoice(method, level, area), address.number("t")
        rankings = rankings_of(current) if current.kind in RANKED and current.system is not None else None
        make = lambda: numbers_json(current, threshold, intervals=intervals, rankings=rankings)  # noqa: E731
        show_download("All measures as JSON", make, "all measures.json", "download all")


def choose_formats() -> None:
    """Say how pictures and tables are saved, and ask as what."""
    st.caption(
        "The camera beside a picture saves it; *Copy table* below a table copies it. Files hold the whole table; "
        "choose HTML for word processors and spreadsheets."
    )
    with st.container(horizontal=True):
        for label, formats, key in (("Picture", ["SVG", "PNG"], _PICTURE), ("Table", [*TABLE_FORMATS], _TABLE)):
            label, usual = f"{label} format", formats[0]
            st.segmented_control(label, formats, default=usual, key=key, required=True, persist_state="session")


def picture_format() -> str:
    """What the cameras of pictures save, as the ending of a file."""
    return st.session_state.get(_PICTURE, "SVG").lower()


def show_download(label: str, content: str | Table | Callable[[], str], file: str, key: str, **look: Any) -> None:
    """A button for a file: a text, or a table as CSV or in the format that was chosen in its place.

    A function is called when the button is pressed. The name of the open data set stands before that of the file.
    The look is that of `st.download_button`.
    """

    def made() -> str | bytes:
        value = content() if callable(content) else content
        if isinstance(value, str):
            return value
        if format == "CSV":
            return csv_of(value)
        head = '<!doctype html><meta charset="utf-8">' if format == "HTML" else ""
        return head + columns_texts(value, [format])[format]

    format = st.session_state.get(_TABLE, "CSV")
    if file.endswith(".csv"):
        label, file = label.replace(" as CSV", f" as {format}"), f"{file[:-3]}{TABLE_FORMATS[format]}"
    data, mime = content if isinstance(content, str) else made, _MIMES[file.rpartition(".")[2]]
    st.download_button(label, data, of_open_data(file), mime, key=key, on_click="ignore", **look)


def of_open_data(file: str) -> str:
    """The name of a file, with that of the open data set before it."""
    current = opened()
    return file if current is None else f"{file_stem(current.title)} {file}"


def show_copied(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> None:
    """The control alone, below a table that is drawn in another way."""
    st.html(copy_menu(heads, rows))


def show_copy(columns: Mapping | pd.DataFrame) -> None:
    """The control below a table of columns; where it is large, that a file has it."""
    frame = pd.DataFrame(columns)
    if frame.size > MOST_COPIED:
        st.caption(f"Too large to copy (more than {count_text(MOST_COPIED)} cells): save its file instead.")
    elif frame.size:
        st.html(copy_menu_of(columns_texts(frame)))


@dataclass
class _Card:
    """What a page has found, for the picture of it under Share."""

    place: DeltaGenerator
    verdict: str = ""
    picture: Callable[[], Any] | None = None  # what is drawn in place of the first figure of the page
    numbers: Callable[[], Sequence[str]] = tuple
    level: float = _LEVELS[0]  # of their intervals
    about: str = ""  # where not that of the open data
    figure: Any = None


_CARD = ContextVar[_Card | None]("card", default=None)


def note_finding(verdict: str, **about: Any) -> None:
    """Remember a finding, and what `_Card` has beside it, for its card."""
    if (card := _CARD.get()) is not None:
        card.verdict = verdict
        for name, value in about.items():
            setattr(card, name, value)


def note_figure(figure: Any) -> None:
    """Remember the first figure of a page, or what makes it, for the card of its finding."""
    if (card := _CARD.get()) is not None and card.figure is None:
        card.figure = figure


def show_card(rule: str) -> None:
    """Under Share, if unfolded, the finding as a picture to copy or save; `rule` is how rows were called, or empty."""
    card, current = _CARD.get(), opened()
    if card is None or not card.verdict or not _SHARE.get().open:
        return
    about, rows = card.about, ""
    if not about and current is not None:
        about, rows = plain(current.context(rule), 400), current.size
    figure = card.picture() if card.picture else card.figure() if callable(card.figure) else card.figure
    draw = partial(card_svg, card.verdict, about, rows, numbers=card.numbers(), level=card.level)
    try:
        svg = draw(figure)
    except ValueError:  # a trace that is drawn in a browser only
        svg = draw()
    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    alt = escaped(one_line(plain_text(card.verdict), 300))
    with card.place:
        st.html(f'<div class="card"><img src="{source}" alt="{alt}"><p>{_CARD_BUTTONS}</p></div>')


_CARD_BUTTONS = (
    '<button type="button" data-card="copy">Copy as card</button> '
    '<button type="button" data-card="save" aria-label="Save the card">Save</button>'
)

_SERVE = (
    "To let others open it, serve Evalcore to them: set <code>server.address</code> and "
    "<code>server.allowedHosts</code> in <code>.streamlit/config.toml</code> (see docs/serving.md)."
)

_SHARE = ContextVar[DeltaGenerator]("share")


def show_share(current: Source | None, leads_to_report: bool = True) -> None:
    """A popover with the link of the page and who can open it, and the way to a report; downloads stand below these."""
    _CARD.set(None)
    popover = st.popover("Share", icon=":material/ios_share:", type="tertiary", key="share page", on_change="rerun")
    _SHARE.set(popover)
    with popover:
        if others_can_open():
            upload = current is not None and current.id not in samples()
            reads = "see this data set and this page, but not delete it" if upload else "see this page"
            words = f"<b>Who can reach this server can open the link</b>, {reads}."
        elif is_shared():
            words = (
                "<b>Only this machine can open this link</b>, as its address begins with this machine's own name. Open "
                "Evalcore under the name that others use, and copy the link there."
            )
        else:
            words = f"<b>Only this machine can open this link.</b> {_SERVE}"
        st.html(f'<p><button type="button" class="copy-link">Copy the link</button></p><p>{words}</p>')
        if current is not None and leads_to_report:
            label = "Report: one file that opens anywhere"
            st.page_link("pages/start/report.py", label=label, query_params=address.parameters())
        _CARD.set(_Card(st.container()))
