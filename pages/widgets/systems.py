"""The table of systems: how good each one's scores are as a whole; and what to do when they point the wrong way."""

from base64 import b64encode
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.classification import average_precision, gini, ks_statistic, roc_auc
from evalcore.figures.curves import line_sample
from evalcore.figures.numbers import number_text
from evalcore.figures.theme import Ink
from evalcore.inference import delong

from .escape import one_line, plain
from .opened import Opened
from .picture import page_ink
from .roles import put_roles
from .states import Scores, scores_of

_HIGHER_IS_BETTER = ["AUC", "AP", "Gini", "KS"]


def show_systems(current: Opened) -> None:
    """A line a system: AUC with its interval, average precision, Gini, KS and the rows they come from."""
    colours = page_ink()
    table = systems_table(current)
    table.insert(0, "line", [_picture(place, colours) for place in range(len(table))])
    number = st.column_config.NumberColumn
    st.dataframe(
        _best_marked(table, colours),
        hide_index=True,
        key="systems",
        alt="AUC, average precision, Gini and KS of each system",
        placeholder="undefined",
        column_config={
            "line": st.column_config.ImageColumn("", width=60, help="How its curves are drawn"),
            "system": st.column_config.TextColumn(
                "class" if current.kind == "probabilities" else "system", width="medium"
            ),
            "AUC": number(format="%.3f", help="Chance that a positive scores above a negative, a tie counting half"),
            "95 % interval": st.column_config.TextColumn(help="Of the AUC, by DeLong"),
            "AP": number(format="%.3f", help="Average precision: compare it with the share of positives"),
            "Gini": number(format="%.3f", help="2 · AUC − 1"),
            "KS": number(format="%.3f", help="Largest gap between the ROC curve and the diagonal"),
            "rows": number(format="localized", help="With a label and a score"),
            "positives": number(format="localized"),
        },
    )


def systems_table(current: Opened) -> pd.DataFrame:
    """The numbers of every system, or of the class that is set against the rest, unrounded."""
    systems = current.systems or (current.system,)
    # A number a system is all that stays here: the states of many systems would not fit the memory.
    return pd.DataFrame([areas_of(current, system) for system in systems])


def areas_of(current: Opened, system: str) -> dict:
    """The line of one system in that table."""
    return _areas(current.key_of(system), _current=current, _system=system)


def show_direction(scores: Scores) -> None:
    """Where the AUC is below one half, say that the opposite decision is better and offer to turn round."""
    area = roc_auc(scores.scored)
    if not area < 0.5:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="direction"):
        st.markdown(
            f"**An AUC of {number_text(area)} is below ½: these scores point the other way.** "
            f"If a {'lower' if scores.higher else 'higher'} score meant {plain(scores.positive, limit=40)}, "
            f"it would be {number_text(1 - area)}.",
            width="stretch",
        )
        if scores.current.kind == "scores":
            st.button("Turn the direction", on_click=_turn, args=(scores.current,), key="turn the direction")


def _turn(current: Opened) -> None:
    put_roles(current, replace(current.roles, higher_is_positive=not current.higher_is_positive))


@st.cache_data(max_entries=512, show_spinner=False)
def _areas(key: str, _current: Opened, _system: str) -> dict:
    scores = scores_of(_current, _system)
    scored, area = scores.scored, delong(scores.scored)
    low, high = float(area.low), float(area.high)
    return {
        "system": one_line(scores.positive if _current.kind == "probabilities" else _system),
        "AUC": float(area.estimate),
        "95 % interval": f"{number_text(low)} – {number_text(high)}" if low < high else None,
        "AP": float(average_precision(scored)),
        "Gini": float(gini(scored)),
        "KS": float(ks_statistic(scored)),
        "rows": scored.positives + scored.negatives,
        "positives": scored.positives,
    }


def _picture(place: int, colours: Ink) -> str:
    return "data:image/svg+xml;base64," + b64encode(line_sample(place, colours).encode()).decode()


def _best_marked(table: pd.DataFrame, colours: Ink) -> object:
    """The best value of each column in the accent colour, where there is something to be better than."""
    if len(table) < 2:
        return table
    style = f"color: {colours.accent}; font-weight: 650"
    return table.style.highlight_max(subset=_HIGHER_IS_BETTER, props=style)
