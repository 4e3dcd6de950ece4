"""The door to tables of a server that somebody has set up a connection to."""

import streamlit as st

from evalcore.engines import COUNTINGS, FIRST_ROWS, first_rows
from evalcore.readers import ReadProblem, Unloaded
from evalcore.wording import count_text, one_line, plain

from ...controls.counting import offer_again, show_count_problem, show_counting, start_counting
from ...session.connections import connection_names, tables_of
from ...session.current_dataset import store
from ...session.unloaded_tables import reach
from ...session.visitor import owner
from .runs import ASKED, choose_runs

_RIGHTS = (
    f"Nothing is ever written: the right to select is enough. The first {count_text(FIRST_ROWS)} rows are fetched to "
    "see what the columns are. Then the server counts all rows, and only the counts leave it."
)


def choose_connection() -> None:
    """A connection by its name, a table of its catalogue, and a button to open this."""
    name = st.selectbox("Connection", connection_names(), key="connection", format_func=one_line)
    try:
        names = _catalogue(name)
        if not names:
            st.info(
                "The user of this connection may read no table. Grant the right to select from one, then try again."
            )
        table = st.selectbox("Table", names, key=f"table of connection {name}", format_func=one_line)
        if table is not None and st.toggle(ASKED, key="runs by connection"):
            judged = st.selectbox("Judgments", names, None, key=f"judgments of connection {name}", format_func=one_line)
            if judged is not None:
                choose_runs(Unloaded("connection", name, table), name, judged)
        else:
            _offer_opening(name, table)
        st.caption(_RIGHTS)
    except ReadProblem as problem:
        st.error(plain(problem, limit=600), icon=":material/error:")
        offer_again("connection again")


def _offer_opening(name: str, table: str | None) -> None:
    """A button that opens the first rows of a table, which a slow server may take long for."""
    place = Unloaded("connection", name, table)
    key = "\n".join(["first rows", owner(), name, table or ""])
    show_count_problem(key)
    if key in COUNTINGS:
        show_counting(key, store)
    elif st.button("Open this table", key="open connection", type="primary", disabled=table is None):
        start_counting(key, lambda: reach("", place), lambda opened: first_rows(opened, place))


@st.cache_data(ttl=60, max_entries=50, show_spinner="Reading the names of the tables …")
def _catalogue(name: str) -> tuple[str, ...]:
    return tables_of(name).names()
