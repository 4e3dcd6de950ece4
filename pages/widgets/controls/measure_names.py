"""Measures of rankings chosen on a page: from a list, or typed by any of their names; kept in the address."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import streamlit as st

from evalcore import measures_of
from evalcore.analyses import Rankings
from evalcore.registry import RETRIEVAL, MetricDef
from evalcore.wording import plain

from ..session import address
from .bound import bound


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
        """Ask for them."""
        shown = self.of(rankings)
        with st.popover(self.title, icon=":material/view_column:"):
            bound(
                st.multiselect, "Measures", self.key, shown, list(dict.fromkeys([*shown, *self._offered()])),
                write=lambda names: self._put(rankings, names), accept_new_options=True,
                format_func=lambda name: _described(rankings, name),
                # The nearest of the options would replace what is typed: GMAP for map.
                filter_mode="prefix", placeholder="Choose a measure, or type one such as ndcg_cut_20 or RBP(p=0.5)",
                help="“@k” follows the k of the page. Parameters stand in brackets: nDCG(gain=exp)@20, AP(rel=2).",
            )  # fmt: skip
            if problem := st.session_state.pop(f"{self.key} problem", ""):
                st.error(plain(problem, limit=300))
            if shown != list(self.usual):
                st.button("Back to the usual ones", on_click=address.put, args=(self.key, None), type="tertiary")

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
