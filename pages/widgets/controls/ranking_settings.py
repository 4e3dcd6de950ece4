"""k, the relevance level and what becomes of queries without a list: shared by all pages of rankings."""

import streamlit as st

from evalcore.analyses import Rankings

from ..session import address
from ..session.loaded_rankings import HIGHEST_K
from .bound import bound

MOST_LEVELS = 12
"""Different grades that are offered as a choice; of more the level is typed."""


def choose_ranking_settings(rankings: Rankings, *, k: bool = True, level: bool = True) -> None:
    """Ask for the settings that the page uses; a control with nothing to choose is left out."""
    with st.container(key="retrieval-settings", horizontal=True, vertical_alignment="bottom", width="content"):
        if k:
            bound(
                st.number_input, "k", "k", rankings.k, key="depth", min_value=1, max_value=HIGHEST_K, width=120,
                help="Ranks from the top that P@k, R@k and nDCG@k read.",
            )  # fmt: skip
        if level and (len(rankings.grades) > 1 or rankings.level != Rankings.level):
            _choose_level(rankings)
        if rankings.only_common or rankings.missing():
            bound(
                st.segmented_control, "Queries without a list", "missing",
                "leave" if rankings.only_common else "zero", ("zero", "leave"), key="missing queries",
                write=lambda choice: address.put("missing", "leave" if choice == "leave" else None),
                format_func={"zero": "count 0", "leave": "left out"}.get, required=True,
                help="trec_eval leaves them out; with its option -c they count 0.",
            )  # fmt: skip


def _choose_level(rankings: Rankings) -> None:
    about = {"key": "lowest relevant grade", "width": 150}
    about["help"] = "Lowest grade that counts as relevant, for measures that only know relevant and not relevant."
    if len(rankings.grades) <= MOST_LEVELS:
        options = sorted({*rankings.grades, rankings.level})
        bound(
            st.selectbox, "Relevant from grade", "grade", rankings.level, options,
            format_func=lambda grade: f"≥ {grade:g}", **about,
        )  # fmt: skip
    else:
        bound(st.number_input, "Relevant from grade", "grade", rankings.level, min_value=1e-9, format="%g", **about)
