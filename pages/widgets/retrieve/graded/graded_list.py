"""One graded list against its ideal: gains and sums in two pictures, and the table of the textbook under them."""

import pandas as pd
import streamlit as st

from evalcore.analyses import GRADED_COLUMNS, GradedList
from evalcore.figures import MOST_BARS, cumulated_figure, gains_figure
from evalcore.wording import number_text, one_line

from ...display.figure import page_ink, show_figure


def show_graded_list(graded: GradedList) -> None:
    """The list of a query against its ideal."""
    ranks, depth = graded.ranks, graded.depth
    with st.container(key="graded-list"):
        st.markdown(graded.verdict)
        left, right = st.columns(2, gap="medium")
        with left:
            show_figure(
                gains_figure(ranks, page_ink(), graded.length), key="gains", filename="gains",
                alt=f"Gain at each of the first {min(depth, MOST_BARS)} ranks of query {one_line(graded.query, 40)}, "
                "against the ideal list, with the discount",
            )  # fmt: skip
        with right:
            dcg, idcg = (number_text(float(column[-1])) for column in (ranks.dcg, ranks.idcg))
            show_figure(
                cumulated_figure(ranks, page_ink()), key="cumulated", filename="dcg",
                alt=f"DCG {dcg} of the list and {idcg} of the ideal list at rank {depth}",
            )  # fmt: skip
        number = st.column_config.NumberColumn
        st.dataframe(
            pd.DataFrame(graded.short_table),
            hide_index=True,
            height="content" if depth <= 15 else 460,
            key="graded-table",
            alt="Grade, gains, discount, DCG, ideal DCG and nDCG at each rank",
            placeholder="–",
            column_config={
                "k": number(format="localized", pinned=True, width=50),
                "document": st.column_config.TextColumn(width="small"),
                **{name: number(format="%.3f", help=about) for name, (_, about) in GRADED_COLUMNS.items()},
            },
        )
    st.caption(graded.notes(MOST_BARS))
