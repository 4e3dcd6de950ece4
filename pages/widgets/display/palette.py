"""The palette: Ctrl-K finds a page, sample, measure or column, and goes to a threshold such as "recall ≥ 0.95"."""

from functools import cache
from typing import Any

import streamlit as st

from evalcore.analyses import Source, UnclearThreshold, threshold_meant
from evalcore.readers import KINDS, kinds_giving
from evalcore.registry import METRICS, PAGES
from evalcore.wording import one_line
from pages.widgets.display.figure import ELEMENT, component
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened, samples
from pages.widgets.session.loaded_scores import put_threshold, scores_of

_COMPONENT = component("palette", __file__, ELEMENT, "palette.js")
_MOST_COLUMNS = 200


def show_palette() -> None:
    """A button that opens it, beside its key, and the way to what was chosen in it."""
    current = opened()
    columns = [] if current is None else [str(name) for name in current.frame.columns[:_MOST_COLUMNS]]
    found = [*_entries(), *(("Column", name, one_line(name, 60), "") for name in columns)]
    chosen = _COMPONENT(
        key="palette", data={"entries": found, "scores": _has_scores(current)}, on_go_change=lambda: None
    )
    if isinstance(chosen.go, list) and len(chosen.go) == 2:
        _go(current, *map(str, chosen.go))


@cache
def _entries() -> list[tuple[str, str, str, str]]:
    """Kind, key, label and other words of all that can be found in any data."""
    return [
        *(("Page", page.name, page.title, page.question) for page in PAGES.values()),
        *(("Sample", id, sample.title, KINDS[sample.kind].title) for id, sample in samples().items() if sample.offered),
        *(("Measure", key, one.name, " ".join((one.label, *one.aliases))) for key, one in METRICS.items()),
    ]


def _has_scores(current: Source | None) -> bool:
    return current is not None and current.kind in kinds_giving("scored")


def _go(current: Source | None, kind: str, key: str) -> None:
    parameters: dict[str, Any] = address.parameters()
    if kind == "Page" and key in PAGES:
        st.switch_page(f"pages/{key}.py", query_params=parameters)
    elif kind == "Sample" and key in samples():
        for name, value in {"data": key, **samples()[key].settings}.items():
            address.put(name, value)
        page = KINDS[samples()[key].kind].pages[0]
        st.switch_page(f"pages/{page}.py", query_params=address.parameters())
    elif kind == "Measure" and key in METRICS:
        st.switch_page("pages/learn/measures.py", query_params=parameters | {"measure": key})
    elif kind == "Column":
        st.switch_page("pages/start/data.py", query_params=parameters)
    elif kind == "Threshold" and current is not None and _has_scores(current):
        try:
            put_threshold(threshold_meant(scores_of(current, current.system), key))
        except UnclearThreshold as problem:
            st.toast(str(problem))
        else:
            st.switch_page("pages/classify/threshold.py", query_params=address.parameters())
