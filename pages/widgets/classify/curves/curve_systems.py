"""The systems of the open data as figures take them, and what a click on one of them does."""

import streamlit as st

from evalcore.analyses import Source, curve_name, curve_systems
from evalcore.classification import AveragedCurves
from evalcore.figures import System, ink

from ...display.figure import page_ink
from ...session import address
from ...session.loaded_scores import put_threshold, scores_of


def systems_of(current: Source, shown: tuple[str, ...] | None = None) -> list[System]:
    """Systems with their tables; by default all that are drawn."""
    scores = [scores_of(current, name) for name in shown or curve_systems(current)]
    places = current.dataset.systems
    return [System(curve_name(s), places.index(s.system), s.table, s.system == current.system) for s in scores]


def averages_of(current: Source) -> AveragedCurves:
    """The averaged curves of several classes; kept."""
    return _averages(current.key_of(None), current)


def figure_key(current: Source) -> str:
    """What a figure of these data is kept under: it depends on the colours of the page."""
    return f"{current.key}\n{'dark' if page_ink().text == ink(True).text else 'light'}"


def pick(current: Source, threshold: float, index: int) -> None:
    """Set the threshold, and choose the system whose curve was clicked."""
    put_threshold(threshold)
    systems = current.dataset.systems
    if 0 <= index < len(systems) and systems[index] != current.system:
        address.put("system", systems[index])


@st.cache_resource(max_entries=4, show_spinner="Averaging the classes …")
def _averages(key: str, _current: Source) -> AveragedCurves:
    return AveragedCurves.of([scores_of(_current, system).scored for system in _current.dataset.systems])
