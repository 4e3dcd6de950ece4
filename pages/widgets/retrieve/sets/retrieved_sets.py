"""What one query found and missed, of one system or of two beside each other: the two sets and their measures."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from evalcore.analyses import Rankings
from evalcore.classification import ConfusionCounts
from evalcore.figures import drawn_to_scale, sets_figure
from evalcore.retrieval import fall_out_identity, set_counts
from evalcore.wording import UNDEFINED, count_text, number_text, one_line, outcome_word, plain

from ...display.figure import page_ink, show_figure
from ...session import address

MOST_DOCUMENTS = 1e15
_SIZE, _BESIDE, _ALONE = "documents in the collection", "system beside", ""
_TIE = r"f \cdot p \cdot (1-g) = r \cdot g \cdot (1-p)"
_STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text(encoding='utf-8')}</style>"
_PICTURED = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, eq=False)
class FoundSets:
    """The retrieved sets with what the address says of them.

    Parameters
    ----------
    rankings : Rankings
    beside : str or None
        The system that is set beside the chosen one. Comes from a file: escape it.
    beta : float
        How many times as important recall is as precision in F.
    size : float
        Documents in the collection.
    seen : int
        Documents that occur in the data; the collection holds at least these.
    """

    rankings: Rankings
    beside: str | None
    beta: float
    size: float
    seen: int

    @property
    def systems(self) -> tuple[str, ...]:
        """The chosen system, and the one beside it."""
        return (self.rankings.system, *((self.beside,) if self.beside is not None else ()))

    @property
    def names(self) -> dict[str, str]:
        """The measures by the key of their function, as `Rankings.per_query` reads them."""
        return {
            "set_precision": "set_P",
            "set_recall": "set_recall",
            "set_f": f"set_F(beta={self.beta:.12g})",
            "set_fall_out": f"set_fallout(size={self.size:.17g})",
            "generality": f"generality(size={self.size:.17g})",
        }

    def heading(self, key: str) -> str:
        """What a measure is called in tables."""
        return {
            "set_precision": "precision",
            "set_recall": "recall",
            "set_f": f"F{self.beta:.4g}",
            "set_fall_out": "fall-out",
            "generality": "generality",
        }[key]

    def counts(self, query: str, system: str) -> ConfusionCounts | None:
        """The four outcomes of a query, of shape (); None where it takes no part for that system."""
        queries = self.rankings.queries(system)
        if query not in queries:
            return None
        return self.all_counts(system)[queries.index(query)]

    def all_counts(self, system: str) -> ConfusionCounts:
        """Those of all queries, shape (q,)."""
        return set_counts(self.rankings.hits(system), self.rankings.level, self.size)

    def values(self, query: str, system: str) -> dict[str, float]:
        """The value of each measure by its key for one query."""
        found = self.rankings.per_query(self.names.values(), system)
        place = found.queries.index(query)
        return {key: float(found.values[name][place]) for key, name in self.names.items()}


def choose_found_sets(rankings: Rankings) -> FoundSets:
    """Ask for the system beside, for beta and for the size of the collection."""
    beside = _choose_beside(rankings)
    beta = st.number_input(
        "β of F", min_value=0.1, max_value=10.0, value=1.0, step=0.5, key="set_beta", bind="query-params", width=110,
        help="How many times as important recall is as precision.",
    )  # fmt: skip
    seen = _documents(rankings.current.key_of(None), rankings)
    size = address.number("collection", seen, max(seen, 1), MOST_DOCUMENTS)
    st.session_state[_SIZE] = int(size)
    st.number_input(
        "Documents in the collection", min_value=seen, max_value=int(MOST_DOCUMENTS), key=_SIZE, on_change=_put_size,
        args=(seen,), width=210,
        help=f"Fall-out and generality need it. The data names {count_text(seen)}, so it cannot be fewer.",
    )  # fmt: skip
    return FoundSets(rankings, beside, beta if 0.1 <= beta <= 10 else 1.0, float(size), seen)


def show_found_sets(sets: FoundSets, query: str) -> None:
    """The picture of the query for each system, its measures beside each other, and the identity behind them."""
    counts = {system: sets.counts(query, system) for system in sets.systems}
    drawn = {system: found for system, found in counts.items() if found is not None}
    with st.container(key="found-sets"):
        st.html(_STYLE)
        rooms = st.columns(len(counts)) if len(counts) > 1 else st.columns([3, 2], gap="large")
        for room, (system, found) in zip(rooms, counts.items(), strict=False):
            with room:
                _show_picture(sets, query, system, found, [other for other in drawn.values() if other is not found])
        if len(counts) == 1:
            with rooms[1]:
                _show_values(sets, query, drawn)
            _show_identity(sets, query, drawn)
        else:
            left, right = st.columns(2, gap="medium")
            with left:
                _show_values(sets, query, drawn)
            with right:
                _show_identity(sets, query, drawn)


def _choose_beside(rankings: Rankings) -> str | None:
    others = [system for system in rankings.systems if system not in (rankings.system, _ALONE)]
    if not others:
        return None
    place = rankings.systems.index(rankings.system)
    following = rankings.systems[(place + 1) % len(rankings.systems)]
    said = address.text("beside")
    if said not in (_ALONE, *others):
        address.refuse("beside")
    chosen = None if said == _ALONE else said if said in others else following
    st.session_state[_BESIDE] = _ALONE if chosen is None else chosen
    st.selectbox(
        "Beside it", [_ALONE, *others], key=_BESIDE, width=200, on_change=_put_beside,
        format_func=lambda system: "none" if system == _ALONE else one_line(system, 60),
        help="Another system, to be compared on the same query and over all of them.",
    )  # fmt: skip
    return chosen


def _put_beside() -> None:
    address.put("beside", st.session_state[_BESIDE])


def _put_size(seen: int) -> None:
    size = st.session_state[_SIZE]
    address.put("collection", size if size > seen else None)


# The frame holds what was judged and what was retrieved, so its documents are all that the data knows of.
@st.cache_data(max_entries=64, show_spinner=False)
def _documents(key: str, _rankings: Rankings) -> int:
    current = _rankings.current
    return int(current.frame[current.roles.document].nunique())


def _show_picture(
    sets: FoundSets, query: str, system: str, counts: ConfusionCounts | None, beside: Sequence[ConfusionCounts]
) -> None:
    several = len(sets.systems) > 1
    if several:
        st.markdown(f"**{plain(system, 40)}**")
    if counts is None:
        st.caption("This run has no list for the query, and such queries are left out.")
        return
    if not float(counts.predicted_positives) + float(counts.actual_positives):
        st.caption("Nothing was found, and no document is judged relevant.")
        return
    told = ", ".join(_counted(counts, cell) for cell in _PICTURED)
    show_figure(
        sets_figure(counts, page_ink(), beside),
        key=f"sets-{sets.systems.index(system)}",
        alt=f"The retrieved and the relevant set of query {one_line(query, 40)}: {told}",
        filename="sets",
        square=True,
    )
    st.caption(" · ".join(_counted(counts, cell) for cell in _PICTURED))


def _counted(counts: ConfusionCounts, cell: str) -> str:
    count = float(getattr(counts, cell))
    return f"{count_text(count)} {outcome_word(cell, count)}"


def _show_values(sets: FoundSets, query: str, drawn: dict[str, ConfusionCounts]) -> None:
    values = {system: sets.values(query, system) for system in drawn}
    both = len(values) == 2
    heads = [html.escape(one_line(system, 30)) for system in values] if len(sets.systems) > 1 else ["this query"]
    heads += ["difference"] if both else []
    lines = ["<tr><th></th>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for key in sets.names:
        cells = [
            f"<b>{number_text(values[system][key])}</b><div class='names'>{_fraction(key, drawn[system])}</div>"
            for system in values
        ]
        if both:
            first, second = (found[key] for found in values.values())
            cells.append(signed(second - first))
        written = "".join(f"<td>{cell}</td>" for cell in cells)
        lines.append(f"<tr><td>{html.escape(sets.heading(key))}</td>{written}</tr>")
    st.html(f'<table class="averages">{"".join(lines)}</table>')


def signed(difference: float, decimals: int | None = None) -> str:
    """A difference with its sign, to so many decimals if that is said; of what is undefined, that word."""
    if math.isnan(difference):
        return f'<span class="undefined">{UNDEFINED}</span>'
    if decimals is not None:
        difference = round(difference, decimals)
    return ("+" if difference > 0 else "") + number_text(difference, 3 if decimals is None else decimals)


def _fraction(key: str, counts: ConfusionCounts) -> str:
    """Numerator and denominator of a share in counts; F is none."""
    parts = {
        "set_precision": (counts.tp, counts.predicted_positives),
        "set_recall": (counts.tp, counts.actual_positives),
        "set_fall_out": (counts.fp, counts.actual_negatives),
        "generality": (counts.actual_positives, counts.total),
    }.get(key)
    return "" if parts is None else f"{count_text(float(parts[0]))} / {count_text(float(parts[1]))}"


def _show_identity(sets: FoundSets, query: str, drawn: dict[str, ConfusionCounts]) -> None:
    """What ties the four measures together, and what the picture and the zeros mean."""
    if drawn:
        st.markdown(f"**The four are tied:** ${_TIE}$")
    for system, found in drawn.items():
        st.markdown(_identity(sets, query, system, found))
    st.caption(" ".join(filter(None, (_scale(sets, list(drawn.values())), *_zeros(sets, drawn)))))


def _scale(sets: FoundSets, drawn: list[ConfusionCounts]) -> str:
    if not drawn:
        return ""
    where = "as typed" if sets.size > sets.seen else "as many as the data names"
    said = f"The frame is the collection of {count_text(sets.size)} documents, {where}"
    if drawn_to_scale(drawn):
        return f"{said}; all areas are to one scale."
    return f"{said}; the circles and their overlap are to scale, the dotted frame is not."


def _zeros(sets: FoundSets, drawn: dict[str, ConfusionCounts]) -> list[str]:
    """What counted as 0 by the convention of the field."""
    said = []
    for system, counts in drawn.items():
        name = f"{plain(system, 40)}: " if len(sets.systems) > 1 else ""
        if not float(counts.predicted_positives):
            said.append(f"{name}nothing was found, so precision counts 0.")
        if not float(counts.actual_positives):
            said.append(f"{name}no document is relevant, so recall counts 0.")
    return said


def _identity(sets: FoundSets, query: str, system: str, counts: ConfusionCounts) -> str:
    """The identity with the numbers of the query."""
    left, right = (float(side) for side in fall_out_identity(counts))
    name = f"{plain(system, 40)}: " if len(sets.systems) > 1 else ""
    if math.isnan(left) or math.isnan(right):
        return f"{name}no numbers, as one of the four is 0/0 here."
    values = sets.values(query, system)
    # A digit more than in the table, so that the product can be done again by hand.
    f, p, r, g = (tex(values[key], 4) for key in ("set_fall_out", "set_precision", "set_recall", "generality"))
    return rf"{name}${f} \cdot {p} \cdot (1-{g}) = {r} \cdot {g} \cdot (1-{p}) = {tex(left, 4)}$"


def tex(value: float, digits: int = 3) -> str:
    """A number inside a formula, written as `number_text` does.

    >>> tex(0.25), tex(0.0000123), tex(12345)
    ('0.250', '1.23 \\\\cdot 10^{-5}', '12\\\\,345')
    """
    if math.isnan(value):
        return rf"\text{{{UNDEFINED}}}"
    written, _, exponent = number_text(value, digits).replace("\u202f", r"\,").replace("−", "-").partition("e")
    return rf"{written} \cdot 10^{{{int(exponent)}}}" if exponent else written
