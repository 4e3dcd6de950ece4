"""What one query retrieved and missed, for one system or two; macro and micro average, and one row per query."""

from functools import partial

import streamlit as st

from evalcore.analyses import CELLS, SET_MEASURES, QuerySets, Rankings, RetrievedSets, magnitude_decimals
from evalcore.figures import MOST_PULLS, drawn_to_scale, pull_figure, sets_figure
from evalcore.wording import Column, count_text, one_line, plain, signed_number
from pages.widgets.controls.fields import bound, number, segmented
from pages.widgets.controls.ranking_settings import choose_missing, choose_ranking_settings
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.display.measures import show_queries
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

MOST_DOCUMENTS = 1e15
_NONE = ""
_picture = cache(lambda *parts: sets_figure(*parts), 256)

# What stands in the address must not change with beta, so F has no number here.
_PULLED = dict(zip(("precision", "recall", "F", "fall-out", "generality"), SET_MEASURES, strict=True))


def choose_retrieved_sets(rankings: Rankings) -> RetrievedSets:
    """Ask for the second system, the level, beta, the size of the collection, and how missing queries count."""
    other = _choose_other(rankings)
    choose_ranking_settings(rankings, k=False)
    documents = RetrievedSets(rankings).documents
    size = address.number("collection", documents, max(documents, 1), MOST_DOCUMENTS)
    with st.popover("Counting", icon=":material/tune:"):
        about = "How many times as important recall is as precision."
        beta = number("β of F", "set_beta", 0.1, 10.0, 1.0, 0.5, help=about)
        bound(
            st.number_input, "Documents in the collection", "collection", int(size), key="documents in the collection",
            min_value=documents, max_value=int(MOST_DOCUMENTS),
            write=lambda size: address.put("collection", size if size > documents else None),
            help=f"For fall-out and generality. At least the {count_text(documents)} that occur in the data.",
        )  # fmt: skip
        choose_missing(rankings)
    return RetrievedSets(rankings, other, beta, float(size))


def show_retrieved_sets(one: QuerySets) -> None:
    """The picture of the query for each system, its measures beside each other, and what relates them."""
    systems = one.sets.systems
    with st.container(key="found-sets"):
        for column, system in zip(st.columns(2 if len(systems) > 1 else [4, 1], gap="medium"), systems, strict=False):
            with column:
                _show_picture(one, system)
        st.caption(one.note(bool(one.counts) and drawn_to_scale(list(one.counts.values()))))
        show_table(*one.table, "averages across")


def _choose_other(rankings: Rankings) -> str | None:
    others = [system for system in rankings.systems if system not in (rankings.system, _NONE)]
    if not others:
        return None
    following = rankings.systems[(rankings.systems.index(rankings.system) + 1) % len(rankings.systems)]
    named = address.text("beside")
    if named not in (_NONE, *others):
        address.refuse("beside")
        named = following
    bound(
        st.selectbox, "Second system", "beside", named, [_NONE, *others], key="system beside", width=200,
        format_func=lambda system: "none" if system == _NONE else one_line(system, 60),
        help="Compared on the same query and over all queries.",
    )  # fmt: skip
    return named or None


def _show_picture(one: QuerySets, system: str) -> None:
    systems = one.sets.systems
    if len(systems) > 1:
        st.markdown(f"**{plain(system, 40)}**")
    if problem := one.problem(system):
        st.caption(problem)
        return
    ink, others = page_ink(), [counts for name, counts in one.counts.items() if name != system]
    key = ink, *(float(getattr(counts, cell)) for counts in (one.counts[system], *others) for cell in CELLS)
    alt = f"Retrieved and relevant documents of query {one_line(one.query, 40)}: {one.outcomes(system)}"
    figure = _picture(key, one.counts[system], ink, others)
    show_figure(figure, f"sets-{systems.index(system)}", alt, filename="sets", square=True)
    st.caption(one.outcomes(system))


def pulled_measure() -> str:
    """Key of the measure whose gap between the averages is looked at."""
    return _PULLED.get(st.session_state.get("pulled"), _PULLED["F"])


def show_all_queries(sets: RetrievedSets) -> None:
    """Where there are several: macro and micro average, the queries that separate them, and one row per query."""
    if len(sets.rankings.queries()) < 2:
        return
    left, right = st.columns([3, 4], gap="large")
    with left:
        st.markdown("**Macro and micro average**")
        show_table([], sets.averages_table)
        st.caption("Macro: the mean over the queries. Micro: one value from the summed counts.")
    with right:
        _show_pulls(sets)
    _show_rows(sets)


def _show_rows(sets: RetrievedSets) -> None:
    """One row per query, with the measures of the chosen system and its differences from the second one."""
    table = sets.table(key := pulled_measure())
    columns = dict.fromkeys(("relevant", "retrieved"), Column(count_text))
    columns["found"] = Column(count_text, help="Relevant documents that were retrieved")
    columns |= {name: Column(3) for name in table if name not in (*columns, "query")}
    columns |= dict.fromkeys(("fall-out", "generality"), Column(5))
    decimals = magnitude_decimals(sets.averages()[key].pull)
    pull = partial(signed_number, decimals=decimals)
    columns[f"pull on {sets.headings[key]}"] = Column(pull, help="What the query adds to macro − micro")
    title, first, second = "All queries", plain(sets.rankings.system, 40), plain(sets.other or "", 40)
    if sets.other is not None:
        differences = [name for name in table if name.endswith("B − A")]
        columns |= dict.fromkeys(differences, Column(signed_number, help=f"{second} minus {first}"))
        if sets.systems != ("A", "B"):
            title = f"All queries · A is {first}, B is {second}"
    show_queries(sets.rankings, table, columns, "Sets and their measures for each query", title)


def _show_pulls(sets: RetrievedSets) -> None:
    of = f" of {plain(sets.rankings.system, 40)}" if len(sets.systems) > 1 else ""
    st.markdown(f"**Queries behind the gap**{of}")
    key = _PULLED[segmented("Measure", [*_PULLED], "pulled", "F", label_visibility="collapsed")]
    pull, verdict = sets.averages()[key].pull, sets.pull_verdict(key)
    if (abs(pull) > 0).any():
        alt = f"The queries that separate macro and micro average of {sets.headings[key]} most. {verdict}"
        show_figure(pull_figure(sets.rankings.queries(), pull, page_ink()), key="pulls", alt=alt, filename="pulls")
        if len(pull) > MOST_PULLS:
            verdict += f" Shown are the {MOST_PULLS} strongest of {count_text(len(pull))}."
    st.caption(with_links(verdict))
