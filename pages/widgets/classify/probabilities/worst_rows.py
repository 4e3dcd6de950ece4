"""The rows that cost most: what each is of the whole log-loss, and where it lies on the curve."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import LossSettings
from evalcore.classification import WorstRows, worst_rows
from evalcore.figures import loss_figure
from evalcore.readers import text_of
from evalcore.wording import LOSS_DECIMALS, count_text, loss_text, number_text, one_line, share_text

from ...display.figure import page_ink, show_figure
from ...session import address
from .losses import clipping, losses_of
from .rows import Stated

SHOWN = 20
"""Rows in the table on the page."""

TAKEN = 1000
"""Rows in the file."""

_KEY = "worst rows"


def show_worst_rows(stated: Stated, manner: LossSettings) -> None:
    """The curve of the loss with the worst rows as points, and their table; a row that is ticked is shown on it."""
    worst = worst_of(stated, manner, SHOWN)
    log_loss = losses_of(stated, manner).value("log_loss")
    shares = _shares(stated, manner)
    st.markdown(f"{_concentration(shares, log_loss)} {clipping(stated, manner)}")
    picked = _picked(stated, worst)
    picture, table = st.columns([4, 5], gap="medium")
    own = stated.table.of_actual[worst.rows]
    with picture:
        show_figure(
            loss_figure(
                worst, own, [stated.line(row) for row in worst.rows], picked, page_ink(), manner.base, manner.clip
            ),
            key="loss",
            alt="What a row costs by the probability it gave to its own class: nothing at 1, more and more towards 0. "
            f"The worst row gave {number_text(float(own[0]))} and costs {number_text(float(worst.losses[0]))}.",
            filename="log-loss",
        )
        st.caption(
            f"The log-loss {loss_text(log_loss)} is the mean height of all rows. A row that gave ½ costs "
            f"{number_text(math.log(2) / math.log(manner.base))}, and one that gave 0.01 costs "
            f"{number_text(-math.log(0.01) / math.log(manner.base))}."
        )
    with table:
        st.dataframe(
            worst_frame(stated, manner, SHOWN)
            .drop(columns=["most probable"] if stated.binary else [])
            .map(lambda cell: one_line(cell) if isinstance(cell, str) else cell),
            hide_index=True,
            key=_KEY,
            on_select=lambda: _pick(stated, worst),
            selection_mode="single-row",
            height="content" if len(worst.rows) <= 10 else 400,
            alt="The rows that cost most",
            column_config=_columns(worst, max(map(len, map(str, stated.table.classes)))),
        )
        st.caption(f"Tick a row to see it on the curve. The file has the {count_text(TAKEN)} worst with all columns.")


def _columns(worst: WorstRows, longest: int) -> dict:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    top = max(_finite_top(worst), 1e-9)
    # Classes with long names are told apart first, and what they cost is read by scrolling.
    actual, said = (62, 52) if longest <= 8 else (120, 120)
    return {
        "row": text(width=70, pinned=True),
        "actual": text(width=actual),
        "most probable": text("said", width=said, help="The most probable class"),
        "probability": number("q of it", format="%.4g", width=62, help="Probability given to the class the row has"),
        "loss": number(format="%.3f", width=54),
        "share": st.column_config.ProgressColumn(
            "of the whole", format="percent", min_value=0.0, max_value=top, width=98
        ),
        "together": number(format="percent", width=66, help="This row and all that are worse"),
    }


def worst_of(stated: Stated, manner: LossSettings, most: int) -> WorstRows:
    """The worst rows; kept by data set and manner."""
    found = _worst(stated.key, manner, _stated=stated)
    return WorstRows(found.rows[:most], found.losses[:most], found.shares[:most])


def worst_frame(stated: Stated, manner: LossSettings, most: int = TAKEN, columns: bool = False) -> pd.DataFrame:
    """The worst rows, unrounded; with all columns of the open table on request."""
    worst = worst_of(stated, manner, most)
    table = stated.table
    said = table.probabilities[worst.rows].argmax(axis=1)
    frame = pd.DataFrame({
        "row": [stated.line(row) for row in worst.rows],
        "actual": [text_of(table.classes[place]) for place in table.actual[worst.rows]],
        "most probable": [text_of(table.classes[place]) for place in said],
        "probability": table.of_actual[worst.rows],
        "loss": worst.losses,
        "share": worst.shares,
        "together": np.cumsum(worst.shares),
    })  # fmt: skip
    if not columns:
        return frame
    behind = stated.current.frame.iloc[stated.kept[worst.rows]].reset_index(drop=True)
    return pd.concat([frame, behind.add_prefix("file: ")], axis=1)


def _concentration(shares: tuple[int, float], loss: float) -> str:
    rows, share = shares
    what = "worst row makes" if rows == 1 else f"{count_text(rows)} worst rows (1 in 100) make"
    if not round(loss, LOSS_DECIMALS):
        return "No row costs anything."
    if math.isnan(share):
        return f"The {what} the whole infinite loss."
    return f"The {what} **{share_text(share)}** of the whole loss."


def _finite_top(worst: WorstRows) -> float:
    finite = worst.shares[np.isfinite(worst.shares)]
    return float(finite.max(initial=0.0))


def _picked(stated: Stated, worst: WorstRows) -> int | None:
    """Place in the table of the row that the address names; None where it is not among them."""
    asked = address.number("worst", None, 0, 1e12)
    if asked is None:
        return 0 if len(worst.rows) else None
    place = np.flatnonzero(stated.kept[worst.rows] == asked)
    if not len(place):
        address.refuse("worst")
    return int(place[0]) if len(place) else 0 if len(worst.rows) else None


def _pick(stated: Stated, worst: WorstRows) -> None:
    rows = st.session_state[_KEY].selection.rows
    if rows and rows[0] < len(worst.rows):
        address.put("worst", int(stated.kept[worst.rows[rows[0]]]))


@st.cache_data(max_entries=64, show_spinner=False)
def _worst(key: str, manner: LossSettings, _stated: Stated) -> WorstRows:
    """As many as anything on the page or in the file asks for, so that the rows are looked at once."""
    most = max(TAKEN, _one_in_a_hundred(_stated))
    return worst_rows(_stated.table, most, manner.base, manner.clip)


def _one_in_a_hundred(stated: Stated) -> int:
    return max(len(stated.table.actual) // 100, 1)


def _shares(stated: Stated, manner: LossSettings) -> tuple[int, float]:
    """How many rows are one in a hundred, and what the worst of them are of the whole loss."""
    rows = _one_in_a_hundred(stated)
    return rows, float(worst_of(stated, manner, rows).shares.sum())
