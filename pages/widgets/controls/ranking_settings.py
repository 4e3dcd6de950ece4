"""What pages of rankings ask: k, the relevance level, queries without a list, the shown query, and the measures."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from math import inf

import streamlit as st

from evalcore import measures_of
from evalcore.analyses import Rankings, face_rows, query_labels
from evalcore.registry import RETRIEVAL, MetricDef
from evalcore.wording import Column, count_text, html_table, measure_links, plain, with_parameters
from pages.widgets.controls.fields import bound, choose_key
from pages.widgets.session import address
from pages.widgets.session.loaded import HIGHEST_K, TREC_EVAL
from pages.widgets.session.page_exit import end_page

MOST_LEVELS = 12  # different grades that are offered as a choice; of more the level is typed
LISTED = 1_000  # queries up to which all are offered in a list; of more the id is typed
FACE_COLUMNS = {"image": Column(kind="image")}  # what documents and queries look like, in a table
_UNKNOWN = "unknown query"


def choose_ranking_settings(rankings: Rankings, *, k: bool = True, level: bool = True) -> None:
    """Ask for the settings that the page uses; a control with nothing to choose is left out."""
    if k:
        look = {"key": "depth", "width": 120, "help": "The depth of P@k, R@k and nDCG@k."}
        bound(st.number_input, "k", "k", rankings.k, 1, HIGHEST_K, **look)
    if not level or (len(rankings.grades) <= 1 and rankings.level == Rankings.level):
        return
    look = {"key": "lowest relevant grade", "width": 150, "help": "Lowest grade that counts as relevant."}
    ask = partial(bound, label="Relevant from grade", name="grade", value=rankings.level)
    if len(rankings.grades) <= MOST_LEVELS:
        options = sorted({*rankings.grades, rankings.level})
        ask(st.selectbox, options=options, format_func=lambda grade: f"≥ {grade:g}", **look)
    else:
        ask(st.number_input, min_value=1e-9, format="%g", **look)


def choose_missing(rankings: Rankings) -> None:
    """Ask how queries without a list count, where there are some."""
    if rankings.only_common or rankings.missing():
        bound(
            st.segmented_control, "Queries without a list", "missing",
            "leave" if rankings.only_common else "zero", ("zero", "leave"), key="missing queries",
            write=lambda choice: address.put("missing", "leave" if choice == "leave" else None),
            format_func={"zero": "count 0", "leave": "left out"}.get, required=True,
            help="trec_eval leaves them out; with its option -c they count 0.",
        )  # fmt: skip


def selected_queries(queries: Collection[str], most: int) -> tuple[str, ...]:
    """Those of some queries that the address names, at most so many, the shown one last."""
    known = set(queries)
    named = dict.fromkeys(name for name in next(iter(address.names("picked")), []) if name in known)
    if not named:
        address.refuse("picked")
    return tuple(named)[-most:]


def selected_query(rankings: Rankings) -> str:
    """The query in the address, or the first; ends a page without queries."""
    if not rankings.queries():
        st.info("No query takes part: none of the judged queries has a list.")
        end_page()
    return (selected_queries(rankings.queries(), 1) or rankings.queries())[0]


def choose_query(rankings: Rankings) -> str:
    """Ask for the query; the address holds it for all pages of rankings."""
    query, queries = selected_query(rankings), rankings.queries()
    about = {"key": "query of the page", "width": 240, "write": lambda name: select_query(rankings, name)}
    if len(queries) <= LISTED:
        # One query is no choice, but the box says which it is.
        about |= {"format_func": query_labels(rankings, queries).get, "disabled": len(queries) < 2}
        bound(st.selectbox, "Query", "picked", query, queries, **about)
    else:
        hint = f"The id of one of the {count_text(len(queries))} queries; or click it in the table."
        bound(st.text_input, "Query", "picked", query, help=hint, **about)
    if (unknown := st.session_state.pop(_UNKNOWN, None)) is not None:
        st.caption(f"There is no query {plain(unknown, 60)}; the last one stays.")
    return query


def show_query_face(rankings: Rankings, query: str) -> None:
    """The text and the image of a query, where it has any."""
    if rows := face_rows(rankings, query):
        st.html(html_table([], rows, "face"))


def select_query(rankings: Rankings, query: str) -> None:
    """Write a query into the address, or say that there is none of this name; good as a callback."""
    if query in rankings.queries():
        address.put_names("picked", [[query]])
    else:
        st.session_state[_UNKNOWN] = query


@dataclass(frozen=True)
class MeasureNames:
    """A list of measures that a page asks for, by names as `Rankings.measure` reads them; the usual ones by default.

    The title stands on the button that opens it, the key in the address. `refused` says why the page cannot use a
    measure, and is empty if it can.
    """

    title: str
    key: str
    usual: tuple[str, ...]
    most: int
    refused: Callable[[MetricDef], str] = lambda measure: ""

    def of(self, rankings: Rankings) -> list[str]:
        """The names in the address that the page can use."""
        names: dict[str, str] = {}
        for name in next(iter(address.names(self.key)), [])[: self.most]:
            if not self._problem(rankings, name):
                names.setdefault(rankings.heading(name), name)
        if not names:
            address.refuse(self.key)
        return list(names.values()) or list(self.usual)

    def choose(self, rankings: Rankings) -> None:
        """Ask for them; their names lead to their entries."""
        shown = self.of(rankings)
        with st.popover(self.title, icon=":material/view_column:"):
            choose_missing(rankings)
            bound(
                st.multiselect, "Measures", self.key, shown, list(dict.fromkeys([*shown, *self._offered()])),
                write=lambda names: self._put(rankings, names), accept_new_options=True,
                format_func=lambda name: _described(rankings, name),
                # The nearest of the options would replace what is typed: GMAP for map.
                filter_mode="prefix", placeholder="Choose a measure, or type one such as ndcg_cut_20 or RBP(p=0.5)",
                help="“@k” follows the k of the page. Parameters go in brackets: nDCG(gain=exp)@20, AP(rel=2).",
            )  # fmt: skip
            choose_key(
                "Names such as iprec_at_recall_0.30 follow", "trec_eval", TREC_EVAL,
                help="For names in trec_eval’s own spelling only; IPrec@0.3 always takes the exact number of "
                    "documents that the recall needs.",
            )  # fmt: skip
            if problem := st.session_state.pop(f"{self.key} problem", ""):
                st.error(plain(problem, limit=300))
            if shown != list(self.usual):
                st.button("Back to the usual ones", on_click=address.put, args=(self.key, None), type="tertiary")
            links = " · ".join(measure_links(map(rankings.heading, shown), RETRIEVAL))
            st.caption(with_parameters(links, address.parameters()))

    def _problem(self, rankings: Rankings, name: str) -> str:
        try:
            return self.refused(rankings.measure(name))
        except (KeyError, ValueError) as problem:
            return str(problem.args[0])

    def _offered(self) -> list[str]:
        names = []
        for measure in measures_of(RETRIEVAL):
            # Those that need the size of the collection have no value without it; they can be typed with it.
            if "size" in measure.takes or self.refused(measure):
                continue
            has_k = measure.cut is not None and measure.cut.name == "k"
            if not has_k or measure.cut.default == inf:
                names.append(measure.label)
            if has_k:
                names.append(f"{measure.symbol}@k")
        return names

    def _put(self, rankings: Rankings, names: list[str]) -> None:
        problems = {name: self._problem(rankings, name) for name in names}
        st.session_state[f"{self.key} problem"] = next(filter(None, reversed(problems.values())), "")
        usable = [name for name, problem in problems.items() if not problem][: self.most]
        address.put_names(self.key, [usable] if usable and usable != list(self.usual) else [])


def _described(rankings: Rankings, name: str) -> str:
    try:
        return f"{rankings.heading(name)} · {rankings.measure(name).name}"
    except (KeyError, ValueError):
        return name[:60]
