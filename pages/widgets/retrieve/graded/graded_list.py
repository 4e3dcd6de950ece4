"""How grades are weighed, and the textbook table of one graded list: what each rank adds, and what the ideal has."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import pandas as pd
import streamlit as st

from evalcore.analyses import Rankings
from evalcore.figures import MOST_BARS, cumulated_figure, gains_figure
from evalcore.readers import samples
from evalcore.retrieval import BASE, DISCOUNT, GAIN, GradedTable, graded_table
from evalcore.wording import count_text, number_text, one_line, plain, short_names

from ...display.figure import page_ink, show_figure
from ...session import address

MOST_RANKS = 1_000
"""Ranks of the table on the page."""

MOST_GRADES = 12
"""Grades up to which each has a field for its gain."""

HIGHEST_POWER = 100
"""Grades above this have no exponential gain: a document of the highest grade would hide all others."""

MOST_WRITTEN = 500
"""Characters of a table of gains in the address."""

_GAINS = {"linear": "v", "exp": "2ᵛ − 1", "own": "own"}
_DISCOUNTS = {"log": "1/log(i + 1)", "original": "original", "none": "none"}
_GAIN, _DISCOUNT, _BASE, _WORTH = "gain of a grade", "discount of a rank", "base of the logarithm", "worth of grade"


@dataclass(frozen=True, eq=False)
class Weighing:
    """What a grade is worth and what a rank takes off.

    Parameters
    ----------
    gain : str
        "linear", "exp", or a table such as "1:3;2:7".
    discount : str
        "log", "original" or "none".
    base : float
        Of the logarithm.
    """

    gain: str
    discount: str
    base: float

    def named(self, symbol: str, at: str = "") -> str:
        """The name of a measure with these choices, as `find` reads it: ``nDCG(gain=exp,discount=log,base=2)@10``.

        Parameters
        ----------
        symbol : str
            "DCG", "nDCG"; "CG" and "nCG" know no discount.
        at : str
            What stands behind the @; nothing for the whole list.
        """
        told = [f"gain={self.gain}"]
        if "D" in symbol:
            told += [f"discount={self.discount}", f"base={self.base:.12g}"]
        return f"{symbol}({','.join(told)}){'@' if at else ''}{at}"

    @property
    def key(self) -> str:
        """What a result is kept under."""
        return repr((self.gain, self.discount, self.base))


def weighing(rankings: Rankings) -> Weighing:
    """Gain, discount and base of the address; what nobody could mean counts as missing."""
    gain = address.text("gain", "linear")
    if not _usable(rankings, gain):
        address.refuse("gain")
        gain = "linear"
    discount = address.choice("discount", DISCOUNT.choices, "log")
    return Weighing(gain, discount, address.number("base", BASE.default, 1.01, BASE.highest))


def choose_weighing(rankings: Rankings) -> Weighing:
    """Ask for the gain of a grade, the discount of a rank and the base of its logarithm."""
    now = weighing(rankings)
    st.session_state[_GAIN] = now.gain if now.gain in GAIN.choices else "own"
    st.segmented_control(
        "Gain of grade v", [kind for kind in _GAINS if kind == "own" or _usable(rankings, kind)], key=_GAIN,
        format_func=_GAINS.get, required=True, on_change=_put_gain,
        args=(rankings,), help="The grade itself, 2 to its power less 1, or a value of your own for each grade.",
    )  # fmt: skip
    if now.gain not in GAIN.choices:
        _choose_own(rankings, now.gain)
    st.session_state[_DISCOUNT] = now.discount
    st.segmented_control(
        "Discount of rank i", tuple(_DISCOUNTS), key=_DISCOUNT, format_func=_DISCOUNTS.get, required=True,
        on_change=_put_discount,
        help="1/log(i + 1); the original 1/max(1, log i), which leaves the first ranks alone; or none at all.",
    )  # fmt: skip
    if now.discount != "none":
        st.session_state[_BASE] = now.base
        st.number_input(
            "Base of log", min_value=1.01, max_value=float(BASE.highest), step=1.0, key=_BASE, format="%g",
            on_change=lambda: address.put("base", _unless(st.session_state[_BASE], BASE.default)), width=120,
            help="The discount 1/log(i + 1) of any base gives the same nDCG; the original spares ranks up to the base.",
        )  # fmt: skip
    return now


def table_of(rankings: Rankings, query: str, weighed: Weighing, depth: int, system: str | None = None) -> GradedTable:
    """The table of a query down to some rank; kept."""
    system = rankings.system if system is None else system
    key = "\n".join((rankings.key_of(system), repr(query), weighed.key, repr(depth)))
    return _table(key, rankings, query, weighed, depth, system)


def retrieved(rankings: Rankings, query: str, system: str | None = None) -> int:
    """Length of the list of a query."""
    return int(rankings.hits(system).retrieved[rankings.queries(system or rankings.system).index(query)])


def show_graded_list(rankings: Rankings, query: str, weighed: Weighing) -> None:
    """The list of a query against its ideal: two pictures, and the table of the textbook under them."""
    depth = min(rankings.k, MOST_RANKS)
    table, length = table_of(rankings, query, weighed, depth), retrieved(rankings, query)
    with st.container(key="graded-list"):
        st.markdown(_in_words(rankings, query, table, length))
        left, right = st.columns(2, gap="medium")
        with left:
            show_figure(
                gains_figure(table, page_ink(), length), key="gains", filename="gains",
                alt=f"Gain at each of the first {min(depth, MOST_BARS)} ranks of query {one_line(query, 40)}, "
                "against the ideal list, with the discount",
            )  # fmt: skip
        with right:
            show_figure(
                cumulated_figure(table, page_ink()), key="cumulated", filename="dcg",
                alt=f"DCG {number_text(float(table.dcg[-1]))} of the list and {number_text(float(table.idcg[-1]))} of "
                f"the ideal one at rank {depth}",
            )  # fmt: skip
        st.dataframe(
            graded_frame(rankings, query, weighed, words=True),
            hide_index=True,
            height="content" if depth <= 15 else 460,
            key="graded-table",
            alt="Grade, gains, discount, DCG, ideal DCG and nDCG at each rank",
            placeholder="–",
            column_config={
                "k": st.column_config.NumberColumn(format="localized", pinned=True, width=50),
                "document": st.column_config.TextColumn(width="small"),
                **{name: st.column_config.NumberColumn(format=_DECIMALS, help=_HELP.get(name)) for name in _COLUMNS},
            },
        )
    if notes := _notes(rankings, query, depth, length):
        st.caption(" ".join(notes))


def graded_frame(rankings: Rankings, query: str, weighed: Weighing, words: bool = False) -> pd.DataFrame:
    """That table: unrounded, or with grades in words for the page."""
    table = table_of(rankings, query, weighed, min(rankings.k, MOST_RANKS))
    documents = rankings.run().ranked(query) if query in rankings.run().queries else []
    names = [one_line(document, 200) for document in documents[: len(table.rank)]]
    names = short_names(names, 24) if words else names
    names += [""] * (len(table.rank) - len(names))
    grades = _grade_words(table, len(documents)) if words else [nan if g < 0 else g for g in table.grade.tolist()]
    columns = table.columns()
    numbers = {head: columns[name] for head, name in _COLUMNS.items()}
    return pd.DataFrame({"k": table.rank, "document": names, "grade": grades, **numbers})


_DECIMALS = "%.3f"
_COLUMNS = {
    "gain": "gain",
    "CG": "cg",
    "normalised CG": "normalised_cg",
    "discount": "discount",
    "gain × discount": "discounted_gain",
    "DCG": "dcg",
    "ideal gain": "ideal_gain",
    "IDCG": "idcg",
    "nDCG": "ndcg",
}
_HELP = {
    "CG": "Sum of the gains so far",
    "normalised CG": "CG as a share of k times the gain of the highest grade",
    "discount": "What the gain at this rank is multiplied by",
    "DCG": "Sum of the discounted gains so far",
    "ideal gain": "Gain at this rank of the ideal list: all judged documents, the best first",
    "IDCG": "DCG of the ideal list",
    "nDCG": "DCG as a share of IDCG",
}


def _grade_words(table: GradedTable, length: int) -> list[str]:
    return [
        "–" if rank > length else "unjudged" if grade != grade or grade < 0 else f"{grade:g}"
        for rank, grade in zip(table.rank.tolist(), table.grade.tolist(), strict=True)
    ]


def _in_words(rankings: Rankings, query: str, table: GradedTable, length: int) -> str:
    k, last = count_text(len(table.rank)), -1
    value = number_text(float(table.ndcg[last]))
    # A digit more, so that the division can be done again by hand.
    dcg, idcg = (number_text(float(column[last]), 4) for column in (table.dcg, table.idcg))
    said = f"**nDCG@{k} = {dcg} / {idcg} = {value}** · query {plain(query, 60)}"
    if len(rankings.systems) > 1:
        said += f", {plain(rankings.system, 40)}"
    return f"{said} · {count_text(length)} {'document' if length == 1 else 'documents'} in the list"


def _notes(rankings: Rankings, query: str, depth: int, length: int) -> list[str]:
    hits = rankings.hits()
    place = rankings.queries().index(query)
    judged = int(hits.pool.judged[place])
    notes = [f"The ideal list comes from all {count_text(judged)} judged documents of the query, found or not."]
    if not hits.pool.relevant(1e-300)[place]:
        notes = ["No judged document of this query has a grade above 0, so its nDCG counts 0."]
    if length < depth:
        notes.append(f"The list ends at rank {count_text(length)}; behind it nothing is gained.")
    if depth < rankings.k:
        notes.append(f"The table ends at rank {count_text(depth)}.")
    if depth > MOST_BARS:
        notes.append(f"Bars show the first {MOST_BARS} ranks.")
    sample = samples().get(rankings.current.id)
    if sample is not None and sample.errata:
        notes.append(sample.errata)
    return notes


def _usable(rankings: Rankings, gain: str) -> bool:
    """Whether a gain can be had here: written as the measures read it, and of a size that can be summed."""
    if gain == "exp":
        return max(rankings.grades, default=0) <= HIGHEST_POWER
    try:
        GAIN.checked(gain[:MOST_WRITTEN], "nDCG")
    except ValueError:
        return False
    # What is not relevant gains nothing, judged or not.
    return gain in GAIN.choices or (
        len(gain) < MOST_WRITTEN and all(grade > 0 and gained <= 1e6 for grade, gained in _pairs(gain))
    )


def _choose_own(rankings: Rankings, gain: str) -> None:
    grades = [grade for grade in rankings.grades if _exactly(grade)]
    if not grades or len(grades) > MOST_GRADES:
        st.session_state[_WORTH] = gain
        st.text_input(
            "Gain of each grade", key=_WORTH, on_change=_put_typed, width=220,
            help="Grade, colon, gain, with semicolons between: 1:3;2:7. Grades that are not named keep themselves.",
        )  # fmt: skip
        return
    worth = dict(_pairs(gain))
    with st.container(key="own-gains", horizontal=True, vertical_alignment="bottom", width="content"):
        for grade in grades:
            key = f"{_WORTH} {_exactly(grade)}"
            st.session_state[key] = float(worth.get(grade, grade))
            st.number_input(
                f"Grade {grade:g}", min_value=0.0, max_value=1e6, step=1.0, key=key, format="%g", width=100,
                on_change=_put_own, args=(rankings,),
            )  # fmt: skip


def _exactly(grade: float) -> str:
    """How a grade is written in a table of gains; empty where its digits would not bring it back."""
    written = _plain_number(grade)
    return written if float(written) == grade else ""


def _plain_number(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")


def _pairs(gain: str) -> list[tuple[float, float]]:
    return [tuple(map(float, part.split(":"))) for part in gain.split(";")]


def _put_gain(rankings: Rankings) -> None:
    chosen = st.session_state[_GAIN]
    if chosen != "own":
        address.put("gain", None if chosen == "linear" else chosen)
        return
    # Start from what is shown, so that the switch itself changes nothing.
    exponential = weighing(rankings).gain == "exp"
    grades = [grade for grade in rankings.grades if _exactly(grade)][:MOST_GRADES] or [1.0]
    _put_pairs({grade: min(2.0**grade - 1, 1e6) if exponential and grade < 30 else grade for grade in grades})


def _put_own(rankings: Rankings) -> None:
    keys = {grade: f"{_WORTH} {_exactly(grade)}" for grade in rankings.grades}
    _put_pairs({grade: st.session_state[key] for grade, key in keys.items() if key in st.session_state})


def _put_pairs(worth: dict[float, float]) -> None:
    address.put("gain", ";".join(f"{_exactly(grade)}:{_plain_number(value)}" for grade, value in worth.items()))


def _put_typed() -> None:
    address.put("gain", st.session_state[_WORTH])


def _put_discount() -> None:
    address.put("discount", _unless(st.session_state[_DISCOUNT], "log"))


def _unless(value: object, default: object) -> object:
    return None if value == default else value


@st.cache_resource(max_entries=128, show_spinner=False)
def _table(key: str, _rankings: Rankings, _query: str, _weighed: Weighing, _depth: int, _system: str) -> GradedTable:
    place = _rankings.queries(_system).index(_query)
    return graded_table(_rankings.hits(_system), place, _depth, _weighed.gain, _weighed.discount, _weighed.base)
