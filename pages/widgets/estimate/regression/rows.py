"""Rows with their errors in a table, with all their columns."""

import pandas as pd
import streamlit as st

from evalcore.analyses import EstimateRows, RowsOfErrors

from ...display.table import show_frame
from ...session.entry_links import with_links

_SHOWN, MOST_ROWS = 20, 1000


def show_worst_rows(estimates: EstimateRows) -> None:
    """The rows with the largest errors."""
    worst = RowsOfErrors.worst(estimates, _SHOWN)
    st.markdown(with_links(worst.verdict))
    show_error_rows(worst, "worst rows")
    st.caption(f"The file under *Take away* has the {MOST_ROWS:,} worst.")


def worst_frame(estimates: EstimateRows) -> pd.DataFrame:
    """The worst rows with all columns of the open table."""
    return rows_frame(RowsOfErrors.worst(estimates, MOST_ROWS))


def rows_frame(rows: RowsOfErrors) -> pd.DataFrame:
    """Some rows with their errors and all columns of the open table but truth and estimate."""
    own = rows.estimates
    others = own.source.frame.drop(columns=[own.truth, own.system]).iloc[rows.positions].reset_index(drop=True)
    return pd.concat([pd.DataFrame(rows.table), others.add_prefix("file: ")], axis=1)


def show_error_rows(rows: RowsOfErrors, key: str) -> None:
    """Some rows, the first few hundred of them."""
    if not len(rows.places):
        return
    number = st.column_config.NumberColumn
    columns = {
        "row": st.column_config.TextColumn(width=80, pinned=True),
        "error": number(format="%+.4g", help="Estimate minus truth"),
        "share of SSE": number(format="percent", help="Of the sum of squared errors of all rows"),
        **dict.fromkeys(("truth", "estimate"), number(format="%.6g")),
    }
    show_frame(rows_frame(rows.first(MOST_ROWS)), key, "Rows with their errors", columns, 10, 400, missing=None)
