"""Records of decisions: keep this one, read the kept ones, and see whether their numbers hold on these data."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import streamlit as st

from evalcore.analyses import DecisionCheck, DecisionRecord, KeptDecision, Scores, ThresholdChoice
from evalcore.inference import IntervalChoice
from evalcore.readers import ReadProblem, delete_decision, keep_decision, kept_decisions
from evalcore.wording import one_line, plain
from pages.widgets.controls.fields import bound
from pages.widgets.controls.roles import area_of
from pages.widgets.controls.threshold import show_step
from pages.widgets.display.figure import show_table
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import entry, opened, store, visible_uploads
from pages.widgets.session.loaded import with_links
from pages.widgets.session.visitor import has_key, owner, workspace

_NAME, _WHO, _REASON = "record name", "record who", "record reason"


def show_records(scores: Scores, threshold: float, intervals: IntervalChoice, chosen: ThresholdChoice) -> None:
    """A form that keeps the current decision, and the kept one that is chosen, compared with these data."""
    if may_keep(scores.current.id):
        _show_form(DecisionRecord(scores, threshold, intervals, chosen, area_of(scores, intervals)))
    else:
        st.caption(
            "Only an upload's owner can save records. Copy this sample to your uploads first, or download the record "
            "under *Share*."
        )
        st.button("Copy to my uploads", key="copy data", on_click=copy_data, args=(scores.current.id,))
    if problem := record_problem():
        st.error(plain(problem, 300))
    kept = records()
    if not kept:
        address.refuse("record")
        return
    named = {f"{data}.{key}": (data, key) for data, key in kept}
    first = address.choice("record", list(named), next(iter(named)))
    label = lambda name: one_line(kept[named[name]].label, 120)  # noqa: E731
    shown = named[bound(st.selectbox, "Record", "record", first, list(named), format_func=label)]
    _show_record(kept[shown], *shown, scores, intervals.level)


def _show_form(decision: DecisionRecord) -> None:
    scores, threshold = decision.scores, decision.threshold
    with st.form("record form", clear_on_submit=True):
        rule = f"{plain(scores.positive, 40)} when score {scores.rule} {scores.text(threshold)}"
        st.markdown(f"**Keep this decision: {rule}**")
        with st.container(horizontal=True):
            st.text_input("Name", key=_NAME, max_chars=80, placeholder="Spring audit")
            st.text_input("Who decided", key=_WHO, max_chars=80)
        st.text_area("Reason", key=_REASON, max_chars=1000, height=80)
        st.form_submit_button("Keep this decision", on_click=_keep, args=(decision,))
        st.caption("Saved with its numbers, settings and the date. Anyone with the link to this data set can read it.")


def _keep(decision: DecisionRecord) -> None:
    """Keep the record with the data set of a decision, dated now."""
    now = time.time_ns()
    saved = datetime.fromtimestamp(now / 1e9, UTC).strftime("%Y-%m-%dT%H:%MZ")
    with _told():
        kept = KeptDecision.of(decision, *(st.session_state[key] or "" for key in (_NAME, _WHO, _REASON)), saved)
        keep_decision(workspace(), decision.scores.current.id, kept.text, now, _owner())
    address.put("record", None)


def _show_record(kept: KeptDecision, data: str, key: str, scores: Scores, level: float) -> None:
    check = DecisionCheck(kept, scores, level)
    with st.container(key="kept-record", border=True):
        st.markdown(kept.summary)
        if check.limit_lines:
            st.markdown("  \n".join(check.limit_lines))
        st.markdown(with_links(check.verdict))
        if not check.problem:
            show_table(*check.table)
            st.caption(with_links(f"{check.note} {check.drift_text}"))
        with st.container(horizontal=True):
            if not check.problem:
                show_step(scores, kept.threshold, key="go to the record")
                show_download("Check as Python", lambda: check.code, "check of a record.py", "download check")
            show_download("Record as JSON", kept.text + "\n", "record.json", "download record")
            if may_keep(data):
                st.button("Delete this record", key="delete record", on_click=delete_record, args=(data, key))


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


def copy_data(data: str) -> None:
    """Keep a copy of a sample or of a linked data set as an upload of the visitor, opened with all that was chosen."""
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
