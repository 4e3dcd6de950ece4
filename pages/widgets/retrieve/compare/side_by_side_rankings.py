"""The lists of A and B for one query, a line a rank: what is relevant, and where the other list has it."""

from __future__ import annotations

import html

import numpy as np
import streamlit as st

from evalcore.analyses import RankedList
from evalcore.wording import count_text, number_text, one_line, plain, signed

from ...session import address
from .comparison import Rivals, name, word

SHOWN = 20
"""Ranks of each list; all of them stand on the page of rankings."""


def show_beside_lists(rivals: Rivals, query: str) -> None:
    """Both lists of a query down to some rank."""
    a, b = (RankedList(rivals.rankings.of_system(system), query) for system in (rivals.a, rivals.b))
    st.subheader(f"{plain(query)} — both lists", anchor=False)
    st.caption(_in_words(rivals, query, a, b))
    if not len(a.documents) and not len(b.documents):
        st.caption("Neither system has a list for this query; both count 0.")
        return
    st.html(_table(rivals, a, b))
    longest = max(len(a.documents), len(b.documents))
    more = f"The first {SHOWN} of {count_text(longest)} ranks. " if longest > SHOWN else ""
    st.caption(
        f"{more}● relevant, · not, ? nobody judged it; where grades are more than yes and no, the grade stands behind. "
        "At the right of a document: its rank in the other list, – where that has not got it."
    )
    st.page_link(
        "pages/retrieve/ranking.py",
        label="The whole list and its curve",
        query_params=address.parameters() | {"picked": address.written([[query]])},
    )


def _in_words(rivals: Rivals, query: str, a: RankedList, b: RankedList) -> str:
    place = rivals.queries.index(query)
    values = [float(rivals.values(system, rivals.measure)[place]) for system in (rivals.a, rivals.b)]
    heading = name(rivals.heading)
    total = a.curve.total
    if not total:
        return f"No document is judged relevant for this query, so it counts the same for all. {heading} 0 and 0."
    found = [int(one.curve.relevant.sum()) for one in (a, b)]
    parts = [
        f"{name(system)}: {heading} **{number_text(value)}**, {count_text(count)} of {count_text(total)} relevant found"
        for system, value, count in zip((rivals.a, rivals.b), values, found, strict=True)
    ]
    difference = values[1] - values[0]
    return " · ".join([*parts, f"B − A **{signed(number_text)(difference)}**"])


def _table(rivals: Rivals, a: RankedList, b: RankedList) -> str:
    ranks = min(max(len(a.documents), len(b.documents)), SHOWN)
    where_a, where_b = ({document: rank for rank, document in enumerate(one.documents, 1)} for one in (a, b))
    graded = any(grade > 1 for one in (a, b) for grade in one.grades.tolist())
    heads = "".join(
        f'<th class="mark"></th><th title="{html.escape(word(system, 200))}">'
        f"{letter} {html.escape(word(system, 40))}</th>"
        f'<th class="there">in {other}</th>'
        for letter, other, system in (("A", "B", rivals.a), ("B", "A", rivals.b))
    )
    lines = "".join(
        f'<tr><td class="rank">{rank}</td>{_side(a, rank, where_b, graded)}{_side(b, rank, where_a, graded)}</tr>'
        for rank in range(1, ranks + 1)
    )
    return (
        f'<table class="beside-lists"><thead><tr><th class="rank">rank</th>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table>"
    )


def _side(opened: RankedList, rank: int, there: dict[str, int], graded: bool) -> str:
    if rank > len(opened.documents):
        return '<td class="mark"></td><td></td><td class="there"></td>'
    document, grade = opened.documents[rank - 1], float(opened.grades[rank - 1])
    unjudged = np.isnan(grade)
    relevant = bool(opened.curve.relevant[rank - 1])
    mark = "?" if unjudged else "●" if relevant else "·"
    kind = "unjudged" if unjudged else "relevant" if relevant else ""
    behind = f" {grade:g}" if graded and not unjudged and grade else ""
    other = count_text(there[document]) if document in there else "–"
    said = "nobody judged it" if unjudged else f"grade {grade:g}"
    return (
        f'<td class="mark {kind}">{mark}{behind}</td>'
        f'<td class="{kind}" title="{html.escape(one_line(document, 200))}: {said}">'
        f"{html.escape(one_line(document, 60))}</td>"
        f'<td class="there {kind}">{other}</td>'
    )
