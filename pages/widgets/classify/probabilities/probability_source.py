"""The open data as stated probabilities, of one class or a column a class; checked before they are believed."""

from dataclasses import replace

import numpy as np
import streamlit as st

from evalcore.analyses import Source
from evalcore.classification import ProbabilityTable
from evalcore.inference import FOLDS, SEED
from evalcore.readers import ReadProblem
from evalcore.wording import count_text, one_line, plain

from ...session import address
from ...session.loaded_scores import SCORED
from ...session.page_exit import end_page, end_with, need
from .rows import NotProbabilities, NotSummed, Stated, read_stated

MADE = {"platt": "Platt’s curve", "isotonic": "the isotonic curve"}
"""Ways to make probabilities of scores."""

_ALL = "the most probable class"
_CLASS = "class that is asked for"


def open_stated() -> Stated:
    """The probabilities that are open; ends the page with an offer or a sentence where there are none."""
    current = need(SCORED, "the actual class of each row and probabilities: one of a class, or a column for each class")
    if current.kind == "scores":
        system = current.system or current.dataset.systems[0]
        made, normalise = address.choice("made", list(MADE)), False
    else:
        system, made, normalise = None, None, address.choice("normalise", ["1"]) is not None
    key = "\n".join((current.key_of(system), str(made), str(normalise)))
    try:
        return _stated(key, _current=current, _system=system, _made=made, _normalise=normalise)
    except NotProbabilities as problem:
        _offer_curves(problem)
    except NotSummed as problem:
        st.error(plain(problem, limit=600))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Divide each row by its sum", on_click=address.put, args=("normalise", "1"), type="primary")
            _link_data()
        end_page()
    except (ReadProblem, ValueError) as problem:
        end_with(problem)


def show_origin(stated: Stated) -> None:
    """What was done to the rows before they were believed, with the way back; nothing where nothing was."""
    current, said = stated.current, []
    if stated.made:
        said.append(
            f"The scores of {plain(stated.current.system, 40)} are no probabilities. These were made of them by "
            f"{MADE[stated.made]}, each by a curve that was learnt on the other rows ({FOLDS} folds, seed {SEED})."
        )
    elif current.kind == "scores" and not current.higher_is_positive:
        said.append("Lower scores are positive here, so 1 − score is taken as the probability.")
    if stated.normalised:
        rows = "1 row was" if stated.normalised == 1 else f"{count_text(stated.normalised)} rows were"
        said.append(f"{rows} divided by {'its' if stated.normalised == 1 else 'their'} sum.")
    if stated.left_out:
        one = stated.left_out == 1
        said.append(
            f"{count_text(stated.left_out)} {'row' if one else 'rows'} without a label or a probability "
            f"{'is' if one else 'are'} left out."
        )
    if stated.unknown:
        one = stated.unknown == 1
        said.append(
            f"**{count_text(stated.unknown)} {'row has' if one else 'rows have'} a class without a column of "
            f"probabilities and {'is' if one else 'are'} left out**, so the losses are stated too low."
        )
    if current.roles.weight is not None:
        said.append(current.weighting.strip())
    if not said:
        return
    st.caption(" ".join(said))
    if stated.made or stated.normalised:
        back = "made" if stated.made else "normalise"
        st.button("Take the numbers as they are", on_click=address.put, args=(back, None), key="as they are")


def choose_class(stated: Stated) -> Stated:
    """Ask for one of several classes, or for all of them; the same rows as the question that was chosen."""
    classes = stated.whole.classes
    if len(classes) == 2:
        return stated
    # The class of the side bar, which is that of the other pages too; here no choice means all of them.
    column = address.choice("system", [column for column, _ in stated.current.roles.probability])
    chosen = dict(stated.current.roles.probability).get(column)
    st.session_state[_CLASS] = 0 if chosen is None else classes.index(chosen) + 1
    st.selectbox(
        "Is it right about",
        range(len(classes) + 1),
        key=_CLASS,
        format_func=lambda place: one_line(classes[place - 1], 60) if place else _ALL,
        on_change=lambda: pick_class(stated, st.session_state[_CLASS] - 1),
        width=210,
    )
    return stated if chosen is None else _one_class(f"{stated.key}\n{chosen}", _stated=stated, _chosen=chosen)


def pick_class(stated: Stated, place: int) -> None:
    """Write a class into the address; -1 is all of them. Good in callbacks."""
    columns = {name: column for column, name in stated.current.roles.probability}
    address.put("system", None if place < 0 else columns[stated.whole.classes[place]])


# Two columns a class of numbers: few are kept, for all sessions together.
@st.cache_resource(max_entries=8, show_spinner="Reading the probabilities …")
def _stated(key: str, _current: Source, _system: str | None, _made: str | None, _normalise: bool) -> Stated:
    return read_stated(key, _current, _system, _made, _normalise)


def _offer_curves(problem: Exception) -> None:
    st.error(plain(problem, limit=600))
    st.markdown("What can be done with scores:")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Make probabilities of them by Platt’s curve", on_click=address.put, args=("made", "platt"),
                  type="primary", key="make platt")  # fmt: skip
        st.button("… by the isotonic curve", on_click=address.put, args=("made", "isotonic"), key="make isotonic")
        st.page_link("pages/classify/threshold.py", label="Cut them at a threshold", query_params=address.parameters())
        _link_data()
    st.caption(
        "Both curves are learnt from what came true. Each row gets its probability by a curve that was learnt on the "
        "other rows."
    )
    end_page()


def _link_data() -> None:
    st.page_link("pages/start/data.py", label="Change the roles of the columns", query_params=address.parameters())


@st.cache_resource(max_entries=16, show_spinner=False)
def _one_class(key: str, _stated: Stated, _chosen: str) -> Stated:
    whole = _stated.whole
    event = whole.event(whole.classes.index(_chosen))
    both = np.column_stack([1 - event.probability, event.probability])
    table = ProbabilityTable((f"not {_chosen}", _chosen), both, event.happened.astype(np.intp), event.weights)
    return replace(_stated, table=table, key=key)
