"""What the columns in use look like: one line each, and the first rows as they are."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import KINDS, text_of
from evalcore.wording import count_text, one_line

from ...session.current_dataset import found

BARS = 24
FIRST_ROWS = 200


def show_profile(current: Source) -> None:
    """One line per column that has a role: distinct values, missing cells, range and a small distribution.

    Counts are few enough to be shown as they are.
    """
    if current.kind == "counts":
        st.dataframe(current.frame, key="counts", alt="The counts as they were read")
        return
    table = _profile(current.id, tuple(columns_in_use(current)))
    st.dataframe(
        table,
        hide_index=True,
        key="profile",
        alt="Each column in use with its distinct values, missing cells, range and distribution",
        column_config={
            "distinct": st.column_config.NumberColumn(format="localized"),
            "missing": st.column_config.NumberColumn(format="localized"),
            "distribution": st.column_config.BarChartColumn(y_min=0, help="24 equal bins, or the most common values"),
        },
    )


def show_first_rows(current: Source) -> None:
    """The first rows of the table as they were read."""
    st.dataframe(
        current.frame.head(FIRST_ROWS),
        hide_index=True,  # it counts from 0, where the findings name the lines of the file
        height=280,
        key="first rows",
        alt="The first rows of the open table",
    )
    rows = len(current.frame)
    shown = f"The first {count_text(FIRST_ROWS)} of {count_text(rows)} rows" if rows > FIRST_ROWS else "All rows"
    st.caption(f"{shown}, as they were read.")


def columns_in_use(current: Source) -> list[tuple[str, str]]:
    """Every column in use with its part in words, the truth first and the systems last."""
    columns = []
    for name, part in KINDS[current.kind].parts.items():
        value = current.roles.get(name)
        if part.form == "column" and value is not None:
            columns.append((value, part.word))
    for name, part in KINDS[current.kind].parts.items():
        if part.form == "columns":
            columns += [(column, part.word) for column in current.roles.get(name)]
        elif part.form == "classes":
            columns += [(column, f"{part.word} of {one_line(text, 30)}") for column, text in current.roles.get(name)]
    return columns


@st.cache_data(max_entries=32, show_spinner=False)
def _profile(data: str, lines: tuple[tuple[str, str], ...]) -> pd.DataFrame:
    frame = found(data).frame
    return pd.DataFrame([_line(frame[column], column, role) for column, role in lines])


def _line(values: pd.Series, column: str, role: str) -> dict:
    present = values.dropna()
    if values.dtype.kind in "iuf" and present.nunique() > 12:
        finite = present[np.isfinite(present)]
        bars = _bars(finite.to_numpy(np.float64))
        # the lower of two middle values, as the sum of two huge ones is infinite
        middle = finite.quantile(0.5, interpolation="lower")
        spread = f"{finite.min():.4g} … {middle:.4g} … {finite.max():.4g}"
    else:
        counts = present.value_counts()
        bars = counts.to_numpy()[:BARS]
        commonest = counts.head(3).items()
        spread = ", ".join(f"{one_line(text_of(value), 20)} {count_text(count)}" for value, count in commonest)
    return {
        "column": one_line(column),
        "role": role,
        "distinct": int(present.nunique()),
        "missing": int(values.isna().sum()),
        "values": spread,
        "distribution": bars.tolist(),
    }


def _bars(finite: np.ndarray) -> np.ndarray:
    """How many numbers lie in each of `BARS` equal steps; halved first, as the way from -1e308 to 1e308 is too far."""
    half = finite / 2
    low, high = half.min(), half.max()
    return np.histogram((half - low) / (high - low), bins=BARS, range=(0, 1))[0]
