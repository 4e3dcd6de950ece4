"""The address line: what is open and what was chosen, so that a reload or a sent link shows the same screen.

The address is the state; a session only remembers what a page change would lose. Two kinds of things stand in it:

* **Ours**: ``data``, ``shape``, ``roles``, ``system``, ``t`` (the threshold), the goal with its costs, and any key a
  page reads or puts through this module. Streamlit drops them when the page changes without them, so :func:`restore`,
  which app.py calls first in every run, puts back what this session remembers. They belong to a data set: opening
  another one forgets the rest.
* **Settings of one page**: ask by the fields of `controls.fields`, or give a widget a ``key`` and
  ``bind="query-params"``; Streamlit then keeps it over page changes and reloads by itself. Never read or put such a key
  here, and give a key to two pages only if it means the same on both: the session keeps one value under it.

Nobody checks an address: a value that cannot be used counts as missing, so the default is shown and never an error. At
the end of the run :func:`clean` takes it out, so that the address says what is on the screen; Streamlit does the same
with what is bound.
"""

import re
from collections.abc import Collection, Sequence
from math import inf, nan

import streamlit as st

from evalcore.wording import names_for_link, well_formed
from pages.widgets.session.internals import address_values, remove_from_address, seed_from_address, through_history

_COSTS = ("miss_cost", "alarm_cost", "hit_cost", "dismissal_cost", "check", "check_share")
OURS = ("data", "shape", "roles", "system", "t", "goal", "amounts", *_COSTS)
LARGEST_COST = 1e9

REWORDED = {
    "line": {"as counted": "sawtooth"},
    "precision": {"as counted": "sawtooth"},
    "distribution_part": {"Carry the mass": "Transport plan"},
    "narrowest": {"few wrong decisions": "low error rate", "trust on both sides": "high PPV and NPV"},
    "goal": {"Flag at most so many rows": "Flag at most n rows"},
    "compare_part": {"Whatever the cut": "Threshold-free", "Every measure": "All measures"},
    "between": {
        "B right, A wrong": "b",
        "A right, B wrong": "a",
        "A and B differ": "b",
        "both wrong": "neither",
        "both right": "both",
    },
    "part": {"Goals": "Choose", "How sure": "Certainty", "Next month": "In use", "Take away": "Choose"},
}
"""For a key that holds the words of an option: old words to those of today, so that old links keep working."""

_SELECTED = {"outcome": "cell", "cell": "cell", "between": "between", "brush": "brush"}
"""For a key of old links to rows: their kind under "selected"."""

_PLAIN, _STARS = {"**": "*", "*-": "~", "*.": "!"}, re.compile(r"\*[*.-]")
_REMEMBERED, _LINKED, _USABLE = "address remembered", "address linked", "address usable"
_EVER = "address ever remembered"


def restore() -> None:
    """Bring the address and what this session remembers together; app.py calls it before anything else.

    The address wins, but for two cases: a link of our own menu may be older than a drag in a fragment, which draws no
    menu; and whatever a page change has dropped is written back. Going back or forward means what it says: nothing is
    added, or the browser would be caught on the entry it tries to leave.
    """
    st.session_state[_USABLE] = {}
    for key, words in REWORDED.items():
        if (today := words.get(st.query_params.get(key, ""))) is not None:
            st.query_params[key] = today
            seed_from_address()
    for key, kind in _SELECTED.items():
        if (value := _there(key)) is not None:
            remove_from_address([key])
            st.query_params["selected"] = f"{kind}~{value}"
    remembered, linked = st.session_state.setdefault(_REMEMBERED, {}), st.session_state.get(_LINKED, {})
    ever = st.session_state[_EVER] = st.session_state.get(_EVER, {*OURS}) | remembered.keys()
    if through_history() or (_there("data") or remembered.get("data")) != remembered.get("data"):
        # The way there may lead to what was forgotten since.
        st.session_state[_REMEMBERED] = {key: st.query_params[key] for key in ever if key in st.query_params}
        return
    shown = {key: st.query_params[key] for key in {*OURS, *remembered, *linked} if key in st.query_params}
    if shown == linked:
        _take_out(linked.keys() - remembered.keys(), remembered)
    else:
        remembered |= shown
    dropped = {key: value for key, value in remembered.items() if _there(key) != value}
    if dropped:
        st.query_params.update(dropped)


def clean() -> None:
    """Take out what nobody could use and what nobody asked for; app.py calls it when a page is drawn to its end.

    What one reader could use stays: another may have looked for something else under the same key.
    """
    number("t")  # ours, so it stays on pages that have no use for it; but what is no number has a use on none
    for key in _COSTS:
        number(key, None, -LARGEST_COST, LARGEST_COST)
    remembered = st.session_state.setdefault(_REMEMBERED, {})
    usable = st.session_state.get(_USABLE, {})
    ours = {*OURS, *remembered}
    _take_out([key for key in st.query_params if not usable.get(key, key in ours)], remembered)


def text(key: str, default: str | None = None) -> str | None:
    """What stands under a key, or the default."""
    if (value := _there(key)) is None:
        return default
    st.session_state.setdefault(_REMEMBERED, {})[key] = value
    return value


def _there(key: str) -> str | None:
    return address_values(key)[0]


def judged(*keys: str) -> tuple[dict[str, bool], tuple[str | None, ...]]:
    """What this run has judged so far, and what stands under keys: while both stay, so does what was made of them."""
    return st.session_state.setdefault(_USABLE, {}), address_values(*keys)


def page_text(key: str, options: Collection[str] | None = None) -> str:
    """What stands under a key of one page alone, in no link to another; empty if nothing, or none of the options."""
    value = _there(key) or ""
    return value if _judge(key, options is None or value in options) else ""


def put_page_text(key: str, value: object) -> None:
    """Write under a key of one page alone, or take it out with None."""
    if value is None:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = well_formed(str(value))
        _judge(key, True)


def refuse(*keys: str) -> None:
    """Say that what stands under these keys can mean nothing here, for those who read it themselves by `text`."""
    for key in keys:
        _judge(key, False)


def number(key: str, default: float | None = None, lowest: float = -inf, highest: float = inf) -> float | None:
    """The number under a key; the default where there is none, it is no number, or it lies outside the limits."""
    try:
        value = float(text(key, ""))
    except ValueError:
        value = nan
    return value if _judge(key, lowest <= value <= highest) else default


def choice(key: str, options: Sequence[str], default: str | None = None) -> str | None:
    """One of the options, if that is what stands under the key."""
    value = text(key)
    return value if _judge(key, value in options) else default


def names(key: str) -> tuple[tuple[str, ...], ...]:
    """Lists of names that come from a file, as `put_names` wrote them; empty where there are none."""
    parts = [] if (lists := text(key)) is None else lists.split("!")
    return tuple(tuple(_STARS.sub(lambda star: _PLAIN[star[0]], name) for name in part.split("~")) for part in parts)


def put_names(key: str, lists: Sequence[Sequence[str]]) -> None:
    """Write lists of any names, or take the key out where there is no list."""
    put(key, written(lists) if lists else None)


def written(lists: Sequence[Sequence[str]]) -> str:
    """Lists of names as `names` reads them, for a link."""
    return "!".join(map(names_for_link, lists))


def put(key: str, value: object) -> None:
    """Write a value, or take the key out with None. Good in callbacks and fragments too.

    A new ``data`` forgets everything else of ours: threshold, roles and system were those of the old data set.
    """
    remembered = st.session_state.setdefault(_REMEMBERED, {})
    if key == "data" and remembered.get("data") != value:
        _take_out(list(remembered), remembered)
    if value is None:
        _take_out([key], remembered)
    else:
        remembered[key] = repr(value) if isinstance(value, float) else well_formed(str(value))
    # A fragment that was asked before the browser had heard of the last value has come with an address without it.
    st.query_params.update({name: now for name, now in remembered.items() if _there(name) != now})


def put_all(**values: object) -> None:
    """Write several values as `put` does."""
    for key, value in values.items():
        put(key, value)


def parameters() -> dict[str, str]:
    """What a link to another page has to carry so that it shows the same data set and choices."""
    return dict(st.session_state.get(_REMEMBERED, {}))


def menu_parameters() -> dict[str, str]:
    """The same for the menu, remembered: see :func:`restore` for why its links are told apart."""
    st.session_state[_LINKED] = parameters()
    return parameters()


def _take_out(keys: Collection[str], remembered: dict[str, str]) -> None:
    """Forget keys; those bound to a widget of this page stay in the address, because it looks after them."""
    for key in keys:
        remembered.pop(key, None)
    remove_from_address(keys)


def _judge(key: str, usable: bool) -> bool:
    """Note whether what stands under a key can be used, and say it again."""
    if _there(key) is not None:
        judged = st.session_state.setdefault(_USABLE, {})
        judged[key] = judged.get(key, False) or usable
    return usable
