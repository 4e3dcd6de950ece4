"""Pins: thresholds to look back at, as chips under the view, and two of them compared on the same rows.

The address holds them in one key, the one that others are compared with first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

import streamlit as st

from evalcore.analyses import MOST_PINS, Pin, PinComparison, Pinned, Scores, Table, filters_text, pinned, with_changes
from evalcore.classification import ConfusionCounts, Goal
from evalcore.readers import Shape
from evalcore.wording import plain, short_names
from pages.widgets.controls.fields import select
from pages.widgets.controls.roles import put_shape
from pages.widgets.display.figure import show_table
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.loaded import SCORED, put_threshold, scores_of, with_links

KEY = "pins"
_MOVED = "pins moved"


def pins_of(scores: Scores) -> list[Pinned]:
    """The pins of the address on these scores; those that do not fit the open table are left out."""
    return pinned(scores, _pins())


def first_pin(scores: Scores) -> Pinned | None:
    """The pin that numbers are compared with; None without pins."""
    return next(iter(pins_of(scores)), None)


def _pins() -> list[Pin]:
    read = list(map(Pin.of_texts, address.names(KEY)))
    if read and None in read:
        address.refuse(KEY)
    once = {_key(pin): pin for pin in reversed(read) if pin is not None}
    return list(once.values())[::-1][:MOST_PINS]


def _put(pins: Sequence[Pin]) -> None:
    address.put_names(KEY, [pin.texts for pin in pins[:MOST_PINS]])


def toggle_pin(scores: Scores, threshold: float) -> None:
    """Pin a threshold, to which everything is compared from now on; or take its pin out. Good as a callback."""
    pin, pins = _pin_of(scores, threshold), _pins()
    others = [one for one in pins if replace(one, name="") != pin]
    _put(others if len(others) < len(pins) else [pin, *pins])


def _pin_of(scores: Scores, threshold: float) -> Pin:
    return Pin(float(threshold), scores.system, filters_text(scores.current.dataset.shape))


def has_moved() -> bool:
    """Whether a click has just changed the system or the rows, so that the whole page is to be drawn again."""
    return st.session_state.pop(_MOVED, False)


def show_pins(pins: Sequence[Pinned], scores: Scores) -> None:
    """A chip for each pin, which goes there, renames it, compares with it or takes it out; nothing without pins."""
    if not pins:
        return
    with st.container(key="pins", horizontal=True, gap="small"):
        for one in pins:
            # One that told of its closing would draw this fragment again, also while another page opens.
            is_first = one is pins[0]
            key, icon = _key(one.pin), ":material/keep:" if is_first else None
            with st.popover(plain(one.label), key=f"pin {key}", icon=icon, type="tertiary"):
                _show_chip(one, scores, is_first)


def _key(pin: Pin) -> str:
    """What stays the same when a pin is renamed or moved."""
    return blake2b(repr(replace(pin, name="")).encode(), digest_size=4).hexdigest()


def _show_chip(one: Pinned, scores: Scores, is_first: bool) -> None:
    pin, key, field = one.pin, _key(one.pin), f"pin name {_key(one.pin)}"
    others = lambda: [other for other in _pins() if other != pin]  # noqa: E731

    def rename() -> None:
        name = " ".join((st.session_state[field] or "").split())
        _put([replace(each, name=name) if each == pin else each for each in _pins()])

    st.button(f"Go to {plain(one.label)}", key=f"go to pin {key}", on_click=_go, args=(pin, scores), type="tertiary")
    if not is_first:
        first = lambda: _put([pin, *others()])  # noqa: E731
        st.button("Compare with this pin", key=f"compare pin {key}", on_click=first, type="tertiary")
    st.session_state[field] = pin.name
    st.text_input("Name", key=field, max_chars=40, placeholder=one.label, on_change=rename)
    st.button("Remove", key=f"remove pin {key}", on_click=lambda: _put(others()), type="tertiary")


def _go(pin: Pin, scores: Scores) -> None:
    """Show the threshold, the system and the rows of a pin."""
    here = _pin_of(scores, pin.threshold)
    if pin.filters != here.filters and (current := opened()) is not None:
        put_shape(current, Shape(current.dataset.shape.unfiltered.steps).and_then(pin.filters or ""))
    if pin.system != here.system:
        address.put("system", pin.system)
    put_threshold(pin.threshold)
    st.session_state[_MOVED] = replace(pin, name="") != here


def show_change(counts: ConfusionCounts) -> None:
    """How counts differ from those at the first pin, on a page that shows one threshold; nothing without pins."""
    current = opened()
    if _pins() and current is not None and current.kind in SCORED:
        for pin in pins_of(scores_of(current, current.system))[:1]:
            st.caption(with_links(pin.change_text(counts)))


def show_changes(scores: Scores, changes: Callable[[Pinned], Mapping[str, str]]) -> None:
    """A sentence on what differs from the first pin, by what it is called; nothing without pins or differences."""
    if (pin := first_pin(scores)) is not None and any((named := changes(pin)).values()):
        st.caption(with_links(pin.changes_text(named)))


def show_compared(
    scores: Scores, table: Table, changes: Callable[[Pinned], Iterable[Sequence[str]]], column: int = 1,
    kind: str = "averages",
) -> None:  # fmt: skip
    """Show a table of numbers at a threshold, with differences to the first pin beside the cells from a column on."""
    pin = first_pin(scores)
    show_table(*(table if pin is None else with_changes(table, changes(pin), column)), kind)


def show_comparison(pins: Sequence[Pinned], scores: Scores, threshold: float, level: float, goal: Goal) -> None:
    """The first pin beside the current threshold or another pin, with their paired tests."""
    if not pins:
        st.markdown("Pin a threshold with the pin beside the camera, or press P on the line; then move the line.")
        return
    first, others = pins[0], dict(enumerate(pins[1:], 2))
    here = _pin_of(scores, threshold).at(scores)
    names = short_names((one.label for one in others.values()), 40)
    options = {str(place): names[one.label] for place, one in others.items()}
    # Just after it was pinned, the line stands on the first pin.
    if not options or here.pin != replace(first.pin, name=""):
        options = {"": f"the current threshold, {here.label}"} | options
    chosen = select(f"Compare {plain(first.label)} with", options, "pin_with", width=320)
    comparison = PinComparison(first, others[int(chosen)] if chosen else here, level, goal)
    st.markdown(with_links(comparison.verdict))
    if comparison.table:
        show_table(*comparison.table)
        st.caption(with_links(comparison.note))
