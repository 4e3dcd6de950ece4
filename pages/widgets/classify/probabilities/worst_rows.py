"""The worst rows on the page: where they lie on the curve of the loss, and a table of them."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import MOST_WORST_ROWS, Calibration, WorstPredictions
from evalcore.figures import loss_figure
from evalcore.readers import text_of
from evalcore.wording import count_text, loss_text, number_text, one_line, short_names

from ...display.figure import page_ink, show_figure
from ...display.table import show_frame
from ...session import address
from ...session.cache import cache

_SHOWN = 20
_worst = cache(WorstPredictions.of, 64)


def worst_of(calibration: Calibration) -> WorstPredictions:
    """The worst rows; kept by data set and settings."""
    probabilities, settings = calibration.probabilities, calibration.losses.settings
    return _worst((probabilities.key, settings), probabilities, settings)


def worst_frame(calibration: Calibration) -> pd.DataFrame:
    """The worst rows with all columns of the open table."""
    worst = worst_of(calibration).first(MOST_WORST_ROWS)
    columns = calibration.probabilities.source.frame.iloc[worst.positions].reset_index(drop=True)
    return pd.concat([pd.DataFrame(worst.table), columns.add_prefix("file: ")], axis=1)


def show_worst_rows(calibration: Calibration) -> None:
    """The curve of the loss with the worst rows as points, and their table; a ticked row is marked on it."""
    whole, settings = worst_of(calibration), calibration.losses.settings
    worst = whole.first(_SHOWN)
    st.markdown(f"{whole.verdict} {calibration.losses.clipping}")
    if not len(worst.own):
        return
    picture, table = st.columns([4, 5], gap="medium")
    with picture:
        show_figure(
            loss_figure(worst.worst, worst.own, worst.names, _picked(worst), page_ink(), settings.base, settings.clip),
            key="loss",
            alt="What a row costs by the probability it gave to its own class: nothing at 1, more and more towards 0. "
            f"The worst row gave {number_text(float(worst.own[0]))} and costs "
            f"{number_text(float(worst.worst.losses[0]))}.",
            filename="log-loss",
        )
        log_loss = loss_text(calibration.losses.value("log_loss"))
        st.caption(f"The log-loss {log_loss} is the mean height of all rows. {whole.scale}")
    with table:
        frame = pd.DataFrame(worst.table).drop(columns=["most probable"] if calibration.probabilities.binary else [])
        short, alt = short_names(map(text_of, calibration.probabilities.table.classes), 16), "The rows that cost most"
        frame = frame.map(lambda cell: short.get(cell, one_line(cell)) if isinstance(cell, str) else cell)
        show_frame(
            frame, "worst rows", alt, _columns(worst), 10, 400, missing=None,
            pick=lambda row: address.put("worst", int(worst.positions[row])),
        )  # fmt: skip
        most = count_text(MOST_WORST_ROWS)
        st.caption(f"Tick a row to see it on the curve. The file has the {most} worst with all columns.")


def _columns(worst: WorstPredictions) -> dict:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    shares = worst.worst.shares
    top = max(float(shares[np.isfinite(shares)].max(initial=0.0)), 1e-9)
    # Classes with long names are told apart first; what they cost is read by scrolling.
    long = max(map(len, map(str, worst.probabilities.table.classes))) > 8
    return {
        "row": text(width=70, pinned=True),
        "actual": text(width=120 if long else 62),
        "most probable": text("predicted", width=120 if long else 72, help="The most probable class"),
        "probability": number("probability", format="%.4g", width=82, help="Given to the class the row has"),
        "loss": number(format="%.3f", width=54),
        "share": st.column_config.ProgressColumn(
            "of the whole", format="percent", min_value=0.0, max_value=top, width=98
        ),
        "cumulative": number(format="percent", width=82, help="This row and all worse ones"),
    }


def _picked(worst: WorstPredictions) -> int | None:
    """Place in the table of the row that the address names; the first where it is not among them."""
    asked = address.number("worst", None, 0, 1e12)
    rows = np.flatnonzero(worst.positions == asked) if asked is not None else []
    if asked is not None and not len(rows):
        address.refuse("worst")
    return int(rows[0]) if len(rows) else 0 if len(worst.worst.rows) else None
