"""The receipt at the end of a lecture, and the lecturer's table of receipts that were computed again."""

import streamlit as st

from evalcore.learning import (
    Lecture,
    LectureProblem,
    Verified,
    questions_of,
    read_receipts,
    receipt_of,
    seed_of,
    verified,
)
from evalcore.wording import file_stem, one_line, plain

from ...display.table import show_table
from ...export.downloads import show_download
from .opened import first_answers, seed

_LIMITS = (
    "A receipt proves that its numbers belong to its name and that nothing in it was altered. It cannot prove who sat "
    "at the keyboard, what help they had, or that they did not start again under the same name; and because Evalcore "
    "is open, somebody who reads its code can write a receipt that verifies. Use it for practice, not for grades."
)


def show_receipt(lecture: Lecture) -> None:
    """The student's result, and the receipt once the name is known."""
    if not seed():
        st.markdown("For a receipt, type your name at the top and go through the lecture with your own numbers.")
        return
    answers = first_answers()
    name = st.text_input(
        "Your name", value=st.session_state.get("lecture name", ""), key="receipt name", max_chars=80, width=260
    )
    if not name.strip():
        return
    if seed_of(name, lecture.digest) != seed():
        st.warning("You started under another name. Type that name: these numbers belong to it.")
        return
    try:
        count = len(questions_of(lecture, seed()))
        receipt = receipt_of(lecture, name, [answers.get(index) for index in range(count)])
    except LectureProblem as problem:
        st.error(plain(problem, 600))
        return
    st.markdown(f"**{receipt.score} right at the first answer.** Check code {receipt.check}.")
    show_download("Receipt as a file", receipt.text(), f"receipt {file_stem(name)}.json", "download receipt")
    st.code(receipt.text(), language="json", wrap_lines=True)
    st.caption(_LIMITS)


def show_verification(lecture: Lecture) -> None:
    """Take receipts by paste or as files, and show what became of each."""
    st.markdown(f"Receipts of **{plain(lecture.title)}** are computed again here, from name and answers.")
    with st.form("verify", border=False):
        pasted = st.text_area("Paste one or more receipts", key="receipts pasted", height=160)
        files = st.file_uploader(
            "Or open their files", type=["json", "txt"], accept_multiple_files=True, key="receipts", max_upload_size=1
        )
        pressed = st.form_submit_button("Verify", type="primary")
    texts = {"pasted": pasted} if pasted.strip() else {}
    texts |= {file.name: file.getvalue().decode("utf-8", "replace") for file in files}
    if pressed and not texts:
        st.warning("Paste a receipt, or open its file.")
    if pressed and texts:
        results = [one for source, text in texts.items() for one in _verified(lecture, source, text)]
        right = sum(not one.problem for one in results)
        st.markdown(f"**{right} of {len(results)} verified.**")
        rows = [
            (one_line(one.name), one.score, f"✗ {one_line(one.problem, 600)}" if one.problem else "✓ verified")
            for one in results
        ]
        show_table(("Name", "Score", "Result"), rows, "averages results")
        columns = {"name": [one.name for one in results], "score": [one.score for one in results]}
        columns |= {"problem": [one.problem for one in results]}
        show_download("Results as CSV", columns, "receipts.csv", "download results")
    st.caption(_LIMITS)


def _verified(lecture: Lecture, source: str, text: str) -> list[Verified]:
    try:
        return [verified(lecture, receipt) for receipt in read_receipts(text)]
    except LectureProblem as problem:
        return [Verified(source, "", str(problem))]
