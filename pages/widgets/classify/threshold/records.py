"""Records of decisions: keep this one, read the kept ones, and see whether their numbers hold on these data."""

import streamlit as st

from evalcore.analyses import DecisionCheck, DecisionRecord, KeptDecision, Scores, ThresholdChoice
from evalcore.inference import IntervalChoice
from evalcore.wording import one_line, plain
from pages.widgets.controls.intervals import bound
from pages.widgets.controls.roles import area_of
from pages.widgets.controls.threshold import show_step
from pages.widgets.display.figure import show_table
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.decisions import copy_data, delete_record, keep_record, may_keep, record_problem, records
from pages.widgets.session.loaded_rankings import with_links

_NAME, _WHO, _REASON = "record name", "record who", "record reason"


def show_records(scores: Scores, threshold: float, intervals: IntervalChoice, chosen: ThresholdChoice) -> None:
    """A form that keeps the current decision, and the kept one that is chosen, compared with these data."""
    if may_keep(scores.current.id):
        _show_form(DecisionRecord(scores, threshold, intervals, chosen, area_of(scores, intervals)))
    else:
        st.caption(
            "Records are kept with an upload, by who uploaded it. Make these data your own upload to keep this one, "
            "or take it as a file under *Take away*."
        )
        st.button("Keep a copy of these data", key="copy data", on_click=copy_data, args=(scores.current.id,))
    if problem := record_problem():
        st.error(plain(problem, 300))
    kept = records()
    if not kept:
        address.refuse("record")
        return
    keys = [f"{data}.{key}" for data, key in kept]
    labels = dict(zip(keys, (one_line(each.label, 120) for each in kept.values()), strict=True))
    shown = address.choice("record", keys, keys[0])
    shown = bound(st.selectbox, "Record", "record", shown, keys, format_func=labels.get)
    data, key = next(each for each, name in zip(kept, keys, strict=True) if name == shown)
    _show_record(kept[data, key], data, key, scores, intervals.level)


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
        st.caption("Kept with its numbers, settings and the date. Who has the link of this data set can read it.")


def _keep(decision: DecisionRecord) -> None:
    keep_record(decision, *(st.session_state[key] or "" for key in (_NAME, _WHO, _REASON)))
    address.put("record", None)


def _show_record(kept: KeptDecision, data: str, key: str, scores: Scores, level: float) -> None:
    check = DecisionCheck(kept, scores, level)
    with st.container(key="kept-record", border=True):
        st.markdown(kept.summary)
        st.markdown(with_links(check.verdict))
        if not check.problem:
            show_table(*check.table)
            st.caption(with_links(check.note))
        with st.container(horizontal=True):
            if not check.problem:
                show_step(scores, kept.threshold, key="go to the record")
                show_download("Check as Python", lambda: check.code, "check of a record.py", "download check")
            show_download("Record as JSON", kept.text + "\n", "record.json", "download record")
            if may_keep(data):
                st.button("Delete this record", key="delete record", on_click=delete_record, args=(data, key))
