"""Records of decisions of the open upload, and of the visitor's others: only its owner changes those of an upload."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import streamlit as st

from evalcore.analyses import DecisionRecord, KeptDecision
from evalcore.readers import ReadProblem, delete_decision, keep_decision, kept_decisions
from pages.widgets.session import address
from pages.widgets.session.current_dataset import entry, opened, store, visible_uploads
from pages.widgets.session.visitor import has_key, owner, workspace

_PROBLEM = "record problem"


def may_keep(data: str) -> bool:
    """Whether the visitor can change the records of a data set: an upload of theirs, or with the folder's key."""
    return workspace().may_change(data, _owner())


def records() -> dict[tuple[str, str], KeptDecision]:
    """The records that the visitor can read by data set and key, those of the open one first, the newest first."""
    current = opened()
    here = [] if current is None else [current.id]
    others = [one.id for one in visible_uploads(("scores",)) if one.id not in here]
    read = {}
    for data in (*here, *others):
        for key, text in kept_decisions(workspace(), data).items():
            with suppress(ReadProblem):  # a file that was edited
                read[data, key] = KeptDecision.from_text(text)
    return read


def keep_record(decision: DecisionRecord, name: str, who: str, reason: str) -> None:
    """Keep a record with the data set of a decision, dated now; good as a callback, see `record_problem`."""
    now = time.time_ns()
    saved = datetime.fromtimestamp(now / 1e9, UTC).strftime("%Y-%m-%dT%H:%MZ")
    with _told():
        kept = KeptDecision.of(decision, name, who, reason, saved)
        keep_decision(workspace(), decision.scores.current.id, kept.text, now, _owner())


def copy_data(data: str) -> None:
    """Keep a copy of a sample or of a linked data set as an upload of the visitor, opened with all that was chosen.

    Good as a callback, see `record_problem`.
    """
    chosen = address.parameters()
    with _told():
        store(entry(data))
        for name, value in chosen.items():
            if name != "data":
                address.put(name, value)


def delete_record(data: str, key: str) -> None:
    """Delete a record; good as a callback, see `record_problem`."""
    with _told():
        delete_decision(workspace(), data, key, _owner())


def record_problem() -> str:
    """Why the last of these failed, once; empty where it did not."""
    return st.session_state.pop(_PROBLEM, "")


def _owner() -> str | None:
    return None if has_key() else owner()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
