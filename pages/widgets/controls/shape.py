"""Applying steps to the table of the open data set, and taking them back: the address holds them."""

import streamlit as st

from evalcore.analyses import Shaping, Source
from evalcore.readers import ReadProblem, Shape, Step
from evalcore.wording import plain

from ..session import address
from ..session.current_dataset import detected_of, keep_shape, shape_problem

_PROBLEM = "shape problem"


def apply_steps(current: Source, steps: tuple[Step, ...] | str) -> None:
    """Put more steps behind those of the address, given as steps or as their text; good as a callback."""
    shaping = Shaping(current)
    try:
        shape = shaping.with_steps(steps)
        added = shape.steps[len(current.dataset.shape.steps) :]
        roles, system = _put(current, shape, added)
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    address.put("roles", roles)
    if system is not None and address.text("system") is not None:
        address.put("system", system)
    if any(step.word == "scale" for step in added):
        address.put("t", None)


def put_shape(current: Source, shape: Shape) -> None:
    """Write another shape, such as one whose last step was made anew; good as a callback."""
    try:
        _put(current, shape, ())
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)


def remove_step(current: Source, index: int) -> None:
    """Take back one step; good as a callback. What follows from it, such as a filter of a renamed column, stays."""
    try:
        _put(current, current.dataset.shape.without(index), ())
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = f"A later step needs this one. {problem}"


def remove_steps(current: Source) -> None:
    """Take back all steps; good as a callback."""
    _put(current, Shape(), ())


def remove_filters(current: Source) -> None:
    """Take back the steps that keep some of the rows; good as a callback."""
    _put(current, current.dataset.shape.unfiltered, ())


def show_shape_problem() -> None:
    """Say once why the last step could not be applied."""
    if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")


def _put(current: Source, shape: Shape, added: tuple[Step, ...]) -> tuple[str | None, str | None]:
    """Write a shape that fits into the address, and keep it; the roles and the system after the added steps."""
    text = shape.to_text() or None
    if (problem := shape_problem(current.id, text)) is not None:
        raise ReadProblem(problem)
    shaped = detected_of(current.id, text)
    address.put("shape", text)
    keep_shape(current.id, text or "")
    return Shaping(current).roles_after(added, shaped), Shaping(current).system_after(added)
