"""Measures of rankings chosen on a page: from a list, or typed by any of their names; kept in the address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import Rankings
from evalcore.registry import RETRIEVAL, MetricDef
from evalcore.wording import plain

from ..session import address


def accepted(measure: MetricDef) -> None:
    """No measure is refused."""


@dataclass(frozen=True)
class MeasureNames:
    """A list of measures that a page asks for.

    Parameters
    ----------
    title : str
        On the button that opens the list.
    key : str
        Under which the names stand in the address.
    place, widget : str
        Keys of the popover and of the list in it.
    usual : tuple of str
        What is taken where the address names nothing.
    most : int
    refused : callable
        Of a measure: why the page cannot take it, or None.
    """

    title: str
    key: str
    place: str
    widget: str
    usual: tuple[str, ...]
    most: int
    refused: Callable[[MetricDef], str | None] = accepted

    def of(self, rankings: Rankings) -> list[str]:
        """The names, as `find` reads them; those that cannot be taken are left out, for nobody checks an address."""
        lists = address.names(self.key)
        kept: dict[str, str] = {}
        for name in lists[0][: self.most] if lists else ():
            if self._problem(rankings, name) is None:
                kept.setdefault(rankings.heading(name), name)
        if not kept:
            address.refuse(self.key)
        return list(kept.values()) or list(self.usual)

    def choose(self, rankings: Rankings) -> None:
        """Ask for them; a name that is typed may be any that the field uses."""
        shown = self.of(rankings)
        # The address decides; the widget only shows it, and its callback writes it.
        st.session_state[self.widget] = shown
        with st.popover(self.title, icon=":material/view_column:", key=self.place):
            st.multiselect(
                "Measures",
                list(dict.fromkeys([*shown, *self._offered()])),
                key=self.widget,
                format_func=lambda name: _described(rankings, name),
                accept_new_options=True,
                # The nearest of the options would be taken for what is typed: GMAP for map.
                filter_mode="prefix",
                on_change=self._change,
                args=(rankings,),
                placeholder="Choose a measure, or type one such as ndcg_cut_20 or RBP(p=0.5)",
                help="“@k” follows the k of the page. Parameters stand in brackets: nDCG(gain=exp)@20, AP(rel=2).",
            )
            if (problem := st.session_state.pop(self._told, None)) is not None:
                st.error(plain(problem, limit=300))
            if shown != list(self.usual):
                st.button("Back to the usual ones", on_click=address.put, args=(self.key, None), type="tertiary")

    @property
    def _told(self) -> str:
        return f"{self.key} problem"

    def _problem(self, rankings: Rankings, name: str) -> str | None:
        """Why the page cannot take what a name means; None where it can."""
        try:
            return self.refused(rankings.measure(name))
        except (KeyError, ValueError) as problem:
            return str(problem.args[0])

    def _offered(self) -> list[str]:
        names = []
        for measure in METRICS.values():
            # Those that need the size of the collection have no value without it; they can be typed with it.
            needs_size = any(param.name == "size" for param in measure.params)
            if measure.family != RETRIEVAL or needs_size or self.refused(measure):
                continue
            cut = measure.cut if measure.cut is not None and measure.cut.name == "k" else None
            if cut is None or cut.default == inf:
                names.append(measure.label)
            if cut is not None:
                names.append(f"{measure.symbol}@k")
        return names

    def _change(self, rankings: Rankings) -> None:
        kept = []
        for name in st.session_state[self.widget]:
            if (problem := self._problem(rankings, name)) is None:
                kept.append(name)
            else:
                st.session_state[self._told] = problem
        address.put_names(self.key, [kept[: self.most]] if kept and kept != list(self.usual) else [])


def _described(rankings: Rankings, name: str) -> str:
    try:
        return f"{rankings.heading(name)} · {rankings.measure(name).name}"
    except (KeyError, ValueError):
        return name[:60]
