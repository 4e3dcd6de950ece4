"""Several systems that ranked for the same queries: which two, by which measures, and how they are tested.

The system of the side bar is A; the others are set against it. All means, differences and tests of the page run over
the same queries: those that take part for every system that is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

from evalcore import Array
from evalcore.analyses import Rankings
from evalcore.figures import TwoSystems
from evalcore.inference import METHODS
from evalcore.registry import MetricDef
from evalcore.retrieval import Hits
from evalcore.wording import one_line, plain

from ...controls.ranking_settings import choose_ranking_settings
from ...controls.two_systems import choose_two
from ...controls.upload import choose_upload
from ...session import address
from ...session.current_dataset import found, open_data, samples_of
from ...session.loaded_rankings import RANKED
from ...session.page_exit import end_page
from .measures import choose_measures, measures_of

TESTS = {"t": "paired t-test", "randomisation": "randomisation test", "wilcoxon": "Wilcoxon", "sign": "sign test"}
CONFIDENCES = (0.8, 0.9, 0.95, 0.99)
WAYS = {"first": "all against A", "pairs": "all pairs"}
MOST = 8
"""Systems that are compared at once: 28 pairs."""

_MEASURE, _TEST = "rivals measure", "rivals test"


@dataclass(frozen=True, eq=False)
class Rivals:
    """The systems, the measures and the test of the page.

    Parameters
    ----------
    rankings : Rankings
        Its chosen system is A.
    b : str
        Names come from a file: escape them.
    systems : tuple of str
        Those that are compared, A and B among them, in the order of the data.
    names : tuple of str
        Measures as `Rankings.measure` reads them.
    measure : str
        The one of them that the verdict goes by.
    test : str
        A key of `TESTS`.
    correction : str
        A key of `evalcore.inference.METHODS`.
    confidence : float
        Of the intervals.
    all_pairs : bool
        Whether all pairs are compared, and not all against A.
    """

    rankings: Rankings
    b: str
    systems: tuple[str, ...]
    names: tuple[str, ...]
    measure: str
    test: str = "t"
    correction: str = "holm"
    confidence: float = 0.95
    all_pairs: bool = False

    @property
    def a(self) -> str:
        """The system that the others are set against."""
        return self.rankings.system

    @property
    def definition(self) -> MetricDef:
        """The measure of the verdict."""
        return self.rankings.measure(self.measure)

    @property
    def heading(self) -> str:
        """What a table calls it."""
        return self.rankings.heading(self.measure)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """Those that take part for every system, in the order of the judgments."""
        lists = [self.rankings.queries(system) for system in self.systems]
        common = set(lists[0]).intersection(*lists[1:])
        return lists[0] if len(common) == len(lists[0]) else tuple(query for query in lists[0] if query in common)

    @cached_property
    def taking_part(self) -> np.ndarray:
        """Which of the judged queries these are, of shape (q,)."""
        places = self.rankings.judgments.places(self.queries)
        kept = np.zeros(len(self.rankings.judgments.queries), dtype=bool)
        kept[places] = True
        return kept

    def values(self, system: str, name: str) -> Array:
        """A measure of a system for each of `queries`."""
        return self._same(system, self.rankings.per_query(self.names, system).values[name])

    def hits(self, system: str) -> Hits:
        """The hits of a system for `queries`."""
        kept = np.isin(np.array(self.rankings.queries(system), dtype=object), list(self.queries))
        hits = self.rankings.hits(system)
        return hits if kept.all() else hits.only(kept)

    def place(self, system: str) -> int:
        """Its place among all systems of the data, which gives it its colour."""
        return self.rankings.systems.index(system)

    def two(self, differences: Array) -> TwoSystems:
        """A and B as the figures take them, with their differences; queries without a value are left out."""
        kept = np.isfinite(differences)
        a, b = (self.values(system, self.measure)[kept] for system in (self.a, self.b))
        queries = self.queries if kept.all() else [query for query, one in zip(self.queries, kept, strict=True) if one]
        places = self.place(self.a), self.place(self.b)
        return TwoSystems(
            *(self.a, self.b, *places, queries, a, b, differences[kept], self.heading, self.definition.better)
        )

    @property
    def key(self) -> str:
        """What is cached of these systems is kept under it: not the test."""
        asked = (self.rankings.k, self.rankings.level, self.systems, self.names)
        return "\n".join((self.rankings.current.key_of(None), str(self.rankings.only_common), repr(asked)))

    def _same(self, system: str, values: Array) -> Array:
        own = self.rankings.queries(system)
        if len(own) == len(self.queries):
            return values
        return values[np.isin(np.array(own, dtype=object), list(self.queries))]


def open_rivals(rankings: Rankings) -> Rivals:
    """The systems that are compared, with the controls of the page; offers other data where there is only one."""
    if len(rankings.systems) < 2:
        _offer_several(rankings)
    with st.container(key="rivals-settings", horizontal=True, vertical_alignment="bottom"):
        # A is the system of the side bar.
        b = choose_two(rankings.systems, rankings.system, "system", 155)
        names = tuple(measures_of(rankings))
        measure = _choose_measure(rankings, names)
        choose_ranking_settings(rankings)
        rivals = Rivals(rankings, b, _compared(rankings, b), names, measure)
        rivals = _choose_test(rivals)
        choose_measures(rankings)
    if not rivals.queries:
        st.error("No query takes part for all of these systems. Let queries without a list count 0, or choose others.")
        end_page()
    return rivals


def name(system: str, limit: int = 40) -> str:
    """A system for places that read Markdown."""
    return plain(system or "(no name)", limit)


def word(system: str, limit: int = 40) -> str:
    """A system for places that read no Markdown."""
    return one_line(system or "(no name)", limit)


def _compared(rankings: Rankings, b: str) -> tuple[str, ...]:
    """A, B and the first of the others, in the order of the data."""
    others = [system for system in rankings.systems if system not in (rankings.system, b)]
    kept = {rankings.system, b, *others[: MOST - 2]}
    return tuple(system for system in rankings.systems if system in kept)


def _choose_measure(rankings: Rankings, names: tuple[str, ...]) -> str:
    st.session_state[_MEASURE] = measure = address.choice("measure", names, names[0])
    st.selectbox(
        "Better by",
        names,
        key=_MEASURE,
        format_func=rankings.heading,
        on_change=lambda: address.put("measure", st.session_state[_MEASURE]),
        width=120,
        help="What the verdict and the pictures go by. Decide before you look.",
    )
    return measure


def _choose_test(rivals: Rivals) -> Rivals:
    """The test, its correction and the confidence, behind one button that says them."""
    st.session_state[_TEST] = test = address.choice("test", list(TESTS), "t")
    with st.popover(f"Test: {TESTS[test]}", icon=":material/balance:", key="rivals-test"):
        st.selectbox(
            "Test of the differences", list(TESTS), key=_TEST, format_func=_capital,
            on_change=lambda: address.put("test", st.session_state[_TEST]),
            help="The t-test and the randomisation test ask about the mean difference, Wilcoxon about signed ranks, "
            "the sign test only about who wins more queries.",
        )  # fmt: skip
        correction = st.selectbox(
            "Correction", list(METHODS), key="correction", bind="query-params",
            format_func=lambda key: METHODS[key].capitalize() if key == "none" else METHODS[key],
            help="Of the p-values, for all comparisons that are made on this page",
        )  # fmt: skip
        confidence = st.selectbox(
            "Confidence", CONFIDENCES, index=2, key="confidence", bind="query-params",
            format_func=lambda share: f"{100 * share:g} %",
            help="Of the intervals, which are Student’s; a mark needs a p of at most what is left to 100 %",
        )  # fmt: skip
        ways = "first"
        if len(rivals.systems) > 2:
            ways = st.selectbox("Compared are", list(WAYS), key="against", format_func=WAYS.get, bind="query-params")
    return replace(
        rivals,
        test=test,
        correction=correction if correction in METHODS else "holm",
        confidence=confidence if confidence in CONFIDENCES else 0.95,
        all_pairs=ways == "pairs",
    )


def _capital(test: str) -> str:
    return TESTS[test][0].upper() + TESTS[test][1:]


def _offer_several(rankings: Rankings) -> None:
    """Say that one system cannot be compared, and offer what can."""
    with st.container(border=True):
        st.markdown(
            f"**Comparing needs two systems that ranked for the same queries.** Open now is "
            f"{plain(rankings.current.title)}, which has one: {name(rankings.system)}. Open its run again together "
            "with a second run and the judgments, or a table with a column of scores for each system."
        )
        with st.container(horizontal=True):
            for sample in samples_of(RANKED):
                if len(found(sample.id).systems) > 1:
                    st.button(
                        plain(sample.title), key=f"offer {sample.id}", on_click=open_data, args=(sample.id,), wrap=True
                    )
        choose_upload("offer", "Or open files of your own: the runs and their judgments together")
        st.page_link("pages/start/data.py", label="Choose columns, or another file", query_params=address.parameters())
    end_page()
