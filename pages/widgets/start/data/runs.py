"""Runs that are not loaded: their columns and those of their judgments, and ranking the lists where they lie."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from evalcore.engines import COUNTINGS, guessed_columns, is_lowest_first, ranked_dataset
from evalcore.readers import Unloaded
from evalcore.wording import short_names

from ...controls.counting import names_in, show_count_problem, show_counting, start_counting
from ...session.current_dataset import store
from ...session.unloaded_tables import reach_runs
from ...session.visitor import owner

ASKED = "These are runs, with judgments in another table"
_RANKED_FIRST = {False: "the highest score", True: "the lowest score or rank"}
_ABOUT = (
    "Each list is ranked and joined to the judgments where the tables lie; only the ranks of judged documents and the "
    "length of each list come back."
)
_RUN = {"system": "System (if several)", "query": "Query", "document": "Document", "score": "Score or rank"}
_JUDGED = {"judged_query": "Query", "judged_document": "Document", "grade": "Grade"}


def choose_runs(place: Unloaded, judged: str, table: str | None) -> None:
    """Which columns hold what, of runs and of the judgments at an address, and a button that ranks the lists."""
    place = replace(place, judged={"address": judged} | ({} if table is None else {"table": table}))
    key = "\n".join(["runs", owner(), place.way, place.address, place.table or "", judged, table or ""])
    show_count_problem(key)
    if key in COUNTINGS:
        show_counting(key, store)
        return
    names = names_in(f"columns\n{key}", lambda: reach_runs(place), lambda both: (both.run.columns, both.judged.columns))
    if names is None:
        return
    run, of_judgments = names
    guessed = guessed_columns(run, of_judgments)
    chosen = _choose("Runs", _RUN, run, guessed, key) | _choose("Judgments", _JUDGED, of_judgments, guessed, key)
    lowest = st.segmented_control(
        "Ranked first", list(_RANKED_FIRST), default=is_lowest_first(chosen["score"] or ""), required=True,
        key=f"first of {key} {chosen['score']}", format_func=_RANKED_FIRST.get,
    )  # fmt: skip
    is_complete = all(column is not None for part, column in chosen.items() if part != "system")
    if st.button("Rank the lists", key="rank lists", type="primary", disabled=not is_complete):
        arguments = {part: column for part, column in chosen.items() if column is not None}
        arguments |= {"lowest_first": True} if lowest else {}
        where = replace(place, judged={**place.judged, **arguments})
        name = place.table or place.address.rstrip("/").rpartition("/")[2]
        start_counting(
            key, lambda: reach_runs(where),
            lambda tables: ranked_dataset(tables.run, tables.judged, **arguments, name=name, unloaded=where),
        )  # fmt: skip
    st.caption(_ABOUT)


def _choose(
    title: str, parts: dict[str, str], columns: Iterable[str], guessed: dict[str, str | None], key: str
) -> dict[str, str | None]:
    """A field for each part of one of the tables, with the column that its name suggests."""
    columns = list(columns)
    words, chosen = short_names(columns, 30), {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for part, label in parts.items():
            # As a value and not as an index, so that the field can be cleared.
            st.session_state.setdefault(field := f"{part} of {key}", guessed[part])
            chosen[part] = st.selectbox(
                f"{title}: {label[0].lower()}{label[1:]}", columns, None, key=field, placeholder="none",
                format_func=words.get,
            )  # fmt: skip
    return chosen
