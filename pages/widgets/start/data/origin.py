"""Which sheet of the file is open and which row names the columns, where there is a choice."""

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import ReadProblem, read_table
from evalcore.wording import one_line

from ...controls.upload import put_problem
from ...session.current_dataset import forget, store
from ...session.visitor import owner
from ...session.workspace import workspace

_ROUND = "origin round"
_GONE = "The file of this data set is no longer stored. Open it again."


def has_choice(current: Source, usual: bool) -> bool:
    """Whether the file can be read in another way, of a usual file or of one where a choice lies near."""
    origin = current.dataset.unshaped.lines.origin
    return origin is not None and origin.is_usual is usual and workspace().file(current.id) is not None


def choose_origin(current: Source) -> None:
    """The sheet, and the line or row of the header. A change reads the stored file again, in place of what is open."""
    lines = current.dataset.unshaped.lines
    origin = lines.origin
    assert origin is not None
    tries = st.session_state.get(_ROUND, 0)
    with st.container(horizontal=True, key="origin"):
        if len(origin.sheets) > 1:
            key = f"sheet {current.id} {tries}"
            st.selectbox(
                "Sheet", origin.sheets, origin.sheets.index(origin.sheet or ""), key=key, format_func=one_line,
                on_change=_read_again, args=(current, key, "sheet"), width=320,
            )  # fmt: skip
        key = f"header {current.id} {tries}"
        st.number_input(
            f"Header in {lines.word}", 0, None, origin.header, key=key, width=200, help="0 if no row names the columns",
            on_change=_read_again, args=(current, key, "header"),
        )  # fmt: skip


def _read_again(current: Source, key: str, option: str) -> None:
    """Read the file with another sheet (and the header that looks right there) or another header."""
    file = current.dataset.unshaped
    origin = file.lines.origin
    assert origin is not None
    options = ({"sheet": origin.sheet} if len(origin.sheets) > 1 else {}) | {option: st.session_state[key]}
    try:
        if (path := workspace().file(current.id)) is None:
            raise FileNotFoundError
        data = path.read_bytes()
        store(read_table(data, file.name, **options), data)
    except (OSError, ReadProblem) as problem:
        put_problem(problem if isinstance(problem, ReadProblem) else ReadProblem(_GONE))
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1  # a new key shows what is open
        return
    if any(entry.id == current.id and entry.owner == owner() for entry in workspace().list()):
        workspace().delete(current.id)
        forget(current.id)
