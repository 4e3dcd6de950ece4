"""The open judgments and runs as states of evalcore, with what all pages of retrieval ask: system, k, relevance level.

A page of retrieval begins with::

    retrieval = open_retrieval()                  # ends the page with an offer where no rankings are open
    choose_settings(retrieval)                    # k, level, missing queries: all of them in the address
    found = retrieval.per_query(["AP", "P@k"])    # of the chosen system: PerQuery, cached; "@k" is the k of the page
    other = retrieval.per_query(["AP"], system="B")
    hits = retrieval.hits()                       # the state that every measure and curve reads

What the settings say holds in all of them: a query that the run lacks counts 0 or is left out (`only_common`), and a
measure with a relevance level takes that of the page unless its name says another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore import find
from evalcore.analyses import Source
from evalcore.readers import DataSet, ReadProblem
from evalcore.registry import MetricDef
from evalcore.retrieval import Hits, Judgments, PerQuery, Run, check_match
from evalcore.wording import count_text, one_line, plain

from ..session.page_exit import need
from . import address
from .page_exit import end_page, end_with

RANKED = ("run + judgments",)
DEPTH, LEVEL = 10, 1.0
"""k and the lowest relevant grade where the address says nothing."""

MOST_LEVELS = 12
"""Different grades that are offered as a choice; of more the level is typed."""

_AT_K = re.compile(r"@\s*k\b", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Retrieval:
    """Judgments, the runs of all systems, and the settings of the address.

    Parameters
    ----------
    current : Source
        The data set.
    judgments : Judgments
    runs : mapping of str to Run
        By system, in the order of the data. Names come from a file: escape them.
    system : str
        The chosen one.
    k : int
        How many ranks a measure "@k" reads.
    level : float
        Lowest grade that counts as relevant.
    only_common : bool
        Leave out the judged queries that the run lacks; else they count 0.
    """

    current: Source
    judgments: Judgments
    runs: Mapping[str, Run]
    system: str
    k: int
    level: float
    only_common: bool

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems."""
        return tuple(self.runs)

    @property
    def run(self) -> Run:
        """The run of the chosen system."""
        return self.runs[self.system]

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries that take part for the chosen system: the places in `hits` and `per_query`."""
        return self.queries_of(self.system)

    def queries_of(self, system: str) -> tuple[str, ...]:
        """The same of another system."""
        return _taking_part(self.key_of(system), self, system)[0]

    def hits(self, system: str | None = None) -> Hits:
        """Where the judged documents stand in the lists of a system, by default the chosen one."""
        system = self.system if system is None else system
        return _taking_part(self.key_of(system), self, system)[1]

    def measure(self, name: str) -> MetricDef:
        """The measure that a name means on this page: "@k" is its k, and its relevance level is that of the page.

        Raises
        ------
        KeyError, ValueError
            As `find`.
        """
        found = find(_AT_K.sub(f"@{self.k}", name), family="retrieval")
        if any(param.name == "rel" for param in found.params) and "rel" not in found.arguments:
            found = found.with_params(rel=self.level)
        return found

    def heading(self, name: str) -> str:
        """What a column of the measure is headed: with its k, without the level that holds for all."""
        return find(_AT_K.sub(f"@{self.k}", name), family="retrieval").label

    def per_query(self, names: Iterable[str], system: str | None = None) -> PerQuery:
        """The value of each measure for each query that takes part.

        Parameters
        ----------
        names : iterable of str
            As `find` reads them; "@k" stands for the k of the page. The values stand under these names.
        system : str, optional
            By default the chosen one.

        Raises
        ------
        KeyError, ValueError
            When a name is none of a measure of rankings.
        """
        system = self.system if system is None else system
        names = tuple(names)
        measures = {name: self.measure(name) for name in names}
        told = "\n".join(repr((m.key, sorted(m.arguments.items()))) for m in measures.values())
        return _evaluated(f"{self.key_of(system)}\n{names}\n{told}", self, system, measures)

    def missing(self, system: str | None = None) -> tuple[str, ...]:
        """The judged queries that a run lacks."""
        run = self.runs[self.system if system is None else system]
        known = set(run.queries)
        return tuple(query for query in self.judgments.queries if query not in known)

    def unjudged(self, system: str | None = None) -> tuple[str, ...]:
        """The queries of a run that nobody judged; they take no part."""
        run = self.runs[self.system if system is None else system]
        places = self.judgments.places(run.queries).tolist()
        return tuple(query for query, place in zip(run.queries, places, strict=True) if place < 0)

    @property
    def grades(self) -> tuple[float, ...]:
        """The different grades above 0 of the judgments, ascending."""
        return _grades(self.current.key_of(None), self)

    @property
    def key(self) -> str:
        """What a state of the chosen system is kept under. It needs neither k nor level, so they are not in it."""
        return self.key_of(self.system)

    def key_of(self, system: str) -> str:
        """The same for another system."""
        return f"{self.current.key_of(system)}\n{self.only_common}"


def open_retrieval() -> Retrieval:
    """The rankings that are open, with the settings of the address; ends the page with an offer when there are none."""
    current = need(RANKED, "ranked lists and the grades of their documents")
    try:
        judgments, runs = _states(current.key_of(None), current)
        if not runs:
            raise ReadProblem("No row names a system, so there is no list to look at. Choose another system column.")
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    system = current.system if current.system in runs else next(iter(runs))
    wrong = _unmatched(current.key_of(system), judgments, runs[system], system)
    if wrong is not None:
        _end_unmatched(wrong, current, judgments, runs)
    return Retrieval(
        *(current, judgments, runs, system),
        int(address.number("k", DEPTH, 1, 1_000_000)),
        address.number("grade", LEVEL, 1e-9, 1e9),
        address.choice("missing", ["leave"]) is not None,
    )


def choose_settings(retrieval: Retrieval, *, k: bool = True, level: bool = True, missing: bool = True) -> None:
    """Ask for k, the relevance level and what becomes of missing queries, beside each other.

    The address holds them for all pages of retrieval; a control that has nothing to choose is not drawn. The system is
    chosen in the side bar, as everywhere.

    Parameters
    ----------
    retrieval : Retrieval
    k, level, missing : bool
        Which of them the page uses.
    """
    with st.container(key="retrieval-settings", horizontal=True, vertical_alignment="bottom", width="content"):
        if k:
            st.session_state["depth"] = retrieval.k
            st.number_input(
                "k",
                min_value=1,
                max_value=1_000_000,
                key="depth",
                on_change=_put_from,
                args=("k", "depth"),
                width=120,
                help="How many ranks from the top P@k, R@k and nDCG@k read.",
            )
        if level:
            _choose_level(retrieval)
        if missing and (retrieval.only_common or retrieval.missing()):
            st.session_state["missing queries"] = "leave" if retrieval.only_common else "zero"
            st.segmented_control(
                "Queries without a list",
                ("zero", "leave"),
                key="missing queries",
                format_func={"zero": "count 0", "leave": "left out"}.get,
                required=True,
                on_change=_put_missing,
                help="trec_eval leaves them out, and counts them 0 with its option -c.",
            )


def describe(retrieval: Retrieval) -> str:
    """How many queries take part and what was left out of it or counted 0, as Markdown."""
    n = len(retrieval.queries)
    parts = [f"{count_text(n)} {'query' if n == 1 else 'queries'}"]
    if missing := retrieval.missing():
        what = "left out" if retrieval.only_common else "counted 0"
        parts.append(f"**{count_text(len(missing))} without a list, {what}** ({_some(missing)})")
    if unjudged := retrieval.unjudged():
        parts.append(f"{count_text(len(unjudged))} of the run that nobody judged take no part ({_some(unjudged)})")
    return " · ".join(parts)


def _choose_level(retrieval: Retrieval) -> None:
    grades = retrieval.grades
    if len(grades) < 2 and retrieval.level == LEVEL:
        return
    st.session_state["lowest relevant grade"] = retrieval.level
    label, help = "Relevant from grade", "The lowest grade that counts as relevant where a measure knows only two."
    if len(grades) <= MOST_LEVELS:
        options = sorted({*grades, retrieval.level})
        st.selectbox(
            label,
            options,
            key="lowest relevant grade",
            format_func=lambda grade: f"≥ {grade:g}",
            on_change=_put_from,
            args=("grade", "lowest relevant grade"),
            width=150,
            help=help,
        )
    else:
        st.number_input(
            label,
            min_value=1e-9,
            key="lowest relevant grade",
            on_change=_put_from,
            args=("grade", "lowest relevant grade"),
            width=150,
            help=help,
            format="%g",
        )


def _put_from(name: str, key: str) -> None:
    address.put(name, st.session_state[key])


def _put_missing() -> None:
    address.put("missing", "leave" if st.session_state["missing queries"] == "leave" else None)


def _end_unmatched(wrong: str, current: Source, judgments: Judgments, runs: Mapping[str, Run]) -> None:
    """Say that judgments and run share nothing, show ids of both beside each other, and end the page."""
    st.error(plain(wrong, limit=800))
    run = runs[current.system if current.system in runs else next(iter(runs))]
    left, right = st.columns(2)
    for room, what, queries, documents in (
        (left, "judgments", judgments.queries, judgments.documents),
        (right, "run", run.queries, run.documents),
    ):
        with room:
            st.markdown(f"**In the {what}**")
            st.text(f"queries: {_listed(queries[:5])}\ndocuments: {_listed(documents.take(slice(5)).texts())}")
    st.page_link("pages/start/data.py", label="Open other files", query_params=address.parameters())
    end_page()


def _quoted(system: str) -> str:
    return f'the run "{one_line(system, 40)}"'


def _listed(names: Iterable[str]) -> str:
    return " · ".join(one_line(name, 40) for name in names) or "none"


def _some(queries: tuple[str, ...]) -> str:
    return ", ".join(plain(query, 24) for query in queries[:3]) + (", …" if len(queries) > 3 else "")


class _Runs(Mapping[str, Run]):
    """The runs of a data set, each built when it is first asked for."""

    def __init__(self, dataset: DataSet) -> None:
        self._dataset = dataset

    def __getitem__(self, system: str) -> Run:
        if system not in self:
            raise KeyError(system)
        try:
            return self._dataset.run(system)
        except (ReadProblem, ValueError) as problem:
            end_with(problem)

    def __contains__(self, system: object) -> bool:
        return system in self._dataset.systems

    def __iter__(self) -> Iterator[str]:
        return iter(self._dataset.systems)

    def __len__(self) -> int:
        return len(self._dataset.systems)


@st.cache_resource(max_entries=4, show_spinner="Reading the rankings …")
def _states(key: str, _current: Source) -> tuple[Judgments, Mapping[str, Run]]:
    return _current.dataset.judgments(), _Runs(_current.dataset)


@st.cache_data(max_entries=64, show_spinner=False)
def _unmatched(key: str, _judgments: Judgments, _run: Run, _system: str) -> str | None:
    return check_match(_judgments, _run, _quoted(_system))


@st.cache_resource(max_entries=64, show_spinner="Ranking …")
def _joined(key: str, _retrieval: Retrieval, _system: str) -> Hits:
    return Hits.of(_retrieval.judgments, _retrieval.runs[_system])


@st.cache_resource(max_entries=64, show_spinner=False)
def _taking_part(key: str, _retrieval: Retrieval, _system: str) -> tuple[tuple[str, ...], Hits]:
    hits, queries = _joined(_retrieval.current.key_of(_system), _retrieval, _system), _retrieval.judgments.queries
    if not _retrieval.only_common or not hits.missing.any():
        return queries, hits
    kept = ~hits.missing
    return tuple(np.array(queries, dtype=object)[kept]), hits.only(kept)


@st.cache_resource(max_entries=64, show_spinner=False)
def _evaluated(key: str, _retrieval: Retrieval, _system: str, _measures: Mapping[str, MetricDef]) -> PerQuery:
    queries, hits = _taking_part(_retrieval.key_of(_system), _retrieval, _system)
    values = {name: measure(hits) for name, measure in _measures.items()}
    return PerQuery(queries, values, dict(_measures), hits.missing, _retrieval.unjudged(_system))


@st.cache_data(max_entries=64, show_spinner=False)
def _grades(key: str, _retrieval: Retrieval) -> tuple[float, ...]:
    return tuple(np.unique(_retrieval.judgments.grades[_retrieval.judgments.grades > 0]).tolist())
