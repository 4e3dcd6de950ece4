"""Taking data in: files, or text that was pasted. What fails leaves open what was open."""

import ctypes
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from evalcore import readers
from evalcore.engines import is_large
from evalcore.readers import formats_text
from evalcore.wording import one_line, plain
from pages.widgets.session import address
from pages.widgets.session.current_dataset import entry, keep, open_kept, store
from pages.widgets.session.internals import LOST, most_uploaded, remove_uploads
from pages.widgets.session.unloaded_tables import store_upload

_PROBLEM, _ROUND, _WAITING, _UNJOINED = "upload problem", "upload round", "upload waiting", "upload unjoined"
RANKED = readers.kinds_giving("judgments")
_PASTED = "pasted table.csv"
_ROW_ORDER = "The order of the rows"

_LOST = (
    "The server could not receive the file because its folder for temporary files is full. Free some space there and "
    "open the file again."
)


def choose_upload(
    key: str, label: str = "Open a file", go: bool = False, stay: Collection[str] = (), **look: Any
) -> None:
    """A place to drop files, which are stored and opened; the uploads themselves are removed at once.

    With `go` they open on their first page, unless their kind can `stay`. `look` is for `st.file_uploader`.
    """
    field = f"upload {key} {_round()}"
    if files := st.file_uploader(label, key=field, help=_HELP, accept_multiple_files=True, **look):
        before = address.text("data")
        _take_uploads(files, field)
        if go and (data := address.text("data")) and data != before and entry(data).kind not in stay:
            st.switch_page(f"pages/{entry(data).first_page}.py", query_params=address.parameters())
        st.rerun()
    show_problem()


def choose_addition(data: str) -> None:
    """A place to drop files with the ids of an open data set: another model's predictions, or texts of documents."""
    field = f"upload addition {_round()}"
    label, about = "Add a file with the same ids, such as another model's predictions", _ADDITION
    if entry(data).kind in RANKED:
        label, about = "Add texts, titles or images of these documents or queries", _TEXTS
    if files := st.file_uploader(label, key=field, help=about, accept_multiple_files=True):
        _take_uploads(files, field, data)
        st.rerun()


def choose_pasted(key: str) -> None:
    """A field to paste a table into, from a spreadsheet or a text."""
    with st.form(f"paste {key}", border=False):
        text = st.text_area(
            "Paste a table with a header line", key=f"pasted {key} {_round()}", height=140,
            placeholder="actual\tscore\nill\t0.91\nwell\t0.20",
        )  # fmt: skip
        pressed = st.form_submit_button("Open this table")
    if pressed:
        _take({_PASTED: text.encode()})
        st.rerun()
    show_problem()


def choose_pairs(ranked: readers.DataSet) -> None:
    """A field for the relevant documents of queries, which judge the open rankings anew."""
    first = ranked.frame[[ranked.roles.get("query"), ranked.roles.get("document")]].head(3).to_numpy().tolist()
    pairs = "\n".join(f"{one_line(query, 30)}, {one_line(document, 30)}" for query, document in first)
    with st.form("relevance pairs", border=False):
        text = st.text_area(
            "Or type what is relevant, one pair per line: query, document",
            key=f"pairs {_round()}", height=110, placeholder=pairs,
            help="The pairs replace the judgments of the open rankings, in a new data set. A number after a pair is "
            "its grade. Documents not listed are unjudged; queries not listed are left out.",
        )  # fmt: skip
        pressed = st.form_submit_button("Judge the open rankings by these pairs")
    if pressed:
        try:
            store(readers.judged_by_pairs(ranked, text))
            _finish()
        except readers.ReadProblem as problem:
            put_problem(problem)
        st.rerun()


def put_problem(problem: readers.ReadProblem) -> None:
    """Have `show_problem` say it in the next run; good in callbacks."""
    said = str(problem).replace(f'"{_PASTED}"', "the pasted table")
    st.session_state[_PROBLEM] = said[:1].upper() + said[1:]


def show_problem() -> None:
    """Say once why the last file could not be opened, or which file it waits for."""
    if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
        waits = _WAITING in st.session_state or _UNJOINED in st.session_state
        say, icon = (st.info, "hourglass_empty") if waits else (st.error, "error")
        say(plain(problem, limit=600), icon=f":material/{icon}:")


_HELP = (
    f"{formats_text()}, also .gz, .zst and .zip. One row per case: the true label and a predicted label, a score, "
    "or the probability of each class. Or counts: TP, FP, FN, TN, or a square matrix. For rankings: runs and their "
    "judgments (qrels) in TREC's or MS MARCO's formats, chosen together, or a table with query, document, score and "
    "grade. Texts, titles and images of their documents or queries can come with them. "
    "Several tables chosen together, or in one zip, are joined by their ids, such as the truth and the predictions of "
    "each model. Masks: the actual and the predicted picture (PNG, TIFF, NPY or NPZ), or a zip of each, chosen "
    "together."
)
_ADDITION = (
    "Its rows are joined to the open data set by a column of ids. Columns that both have, such as a score, are named "
    "after their file."
)
_TEXTS = (
    "A table with a column of ids and columns such as title, text, image and url, or ids and texts with a tab between; "
    "images (PNG, JPEG, WebP or GIF) or a zip of them, named in the column image or after the ids. Nothing is loaded "
    "from the internet, and no measure changes."
)


def choose_keys() -> None:
    """Ask for the columns of ids of two tables that could not be joined without, if there are such."""
    if (unjoined := st.session_state.get(_UNJOINED)) is None:
        return
    files, data, keys, columns = unjoined
    chosen = []
    for number, side, name in zip(("first", "second"), st.columns(2), columns, strict=True):
        label, options = f"Column of ids in the {number} file", [*columns[name], _ROW_ORDER]
        chosen.append(side.selectbox(label, options, None, key=f"ids of {name}", placeholder=one_line(name)))
    with st.container(horizontal=True):
        join = st.button("Join", type="primary", disabled=None in chosen or chosen.count(_ROW_ORDER) == 1)
        if st.button("Don't open these files"):
            del st.session_state[_UNJOINED]
            st.rerun()
    if join:
        key = ((), ()) if _ROW_ORDER in chosen else ((chosen[0],), (chosen[1],))
        _take(dict(files), data=data, keys={**keys, list(columns)[1]: key})
        st.rerun()


def _take_uploads(files: Sequence[UploadedFile], field: str, data: str | None = None) -> None:
    held = st.session_state[field]
    for file in files:
        file.close()  # these are copies
    contents = {file.name: file.getvalue() for file in held}
    is_lost = any(file.type == LOST for file in held)
    remove_uploads(held)
    if is_lost:
        put_problem(readers.ReadProblem(_LOST))
        _finish()
        return
    name = held[0].name
    if len(held) == 1 and data is None and is_large(name, len(contents[name])):
        with suppress(readers.ReadProblem), st.spinner("Looking at the first rows …"):
            store_upload(name, contents[name])
            _finish()
            return
    _take(contents, data)  # also what the engine cannot read


@contextmanager
def frugal() -> Iterator[None]:
    """Give freed memory back to the system while a file is read and described; elsewhere to reuse it is faster."""
    _keep_freed(_LITTLE)
    try:
        yield
    finally:
        _keep_freed(_MUCH)


def _keep_freed(size: int) -> None:
    """Have the C library keep freed memory of up to so many bytes for itself; another one than glibc stays as it is."""
    with suppress(OSError, AttributeError):
        for option in (-3, -1):  # the thresholds of mmap and of trimming
            ctypes.CDLL("libc.so.6").mallopt(option, size)


_LITTLE, _MUCH = 2**18, 2**25
"""Bytes; glibc itself begins with half the smaller one, and works its way up to the larger."""


def _take(
    contents: dict[str, bytes], data: str | None = None, keys: Mapping[str, str | readers.JoinKey] | None = None
) -> None:
    """Read files, alone or as additions to a data set, and store what they hold; their bytes on disk if it has room."""
    files: Mapping[str, bytes] = contents
    waiting = st.session_state.pop(_WAITING, {})
    st.session_state.pop(_UNJOINED, None)
    try:
        with frugal(), st.spinner("Reading the table …" if len(contents) == 1 else "Reading the files …"):
            with suppress(OSError):  # a full disk: they stay where they are
                files = readers.Files.put_down(contents)
            both = {**waiting, **files} if waiting else files
            if waiting and sum(map(len, both.values())) > most_uploaded():
                both = files
            try:
                dataset, alone = _dataset(files, data, keys), len(files) == 1 and data is None
                if len(both) > len(files) and (ranked := readers.completed_rankings(both)) is not None:
                    dataset, alone = ranked, False
                stored = keep(dataset, next(iter(files.values())) if alone and not dataset.joined else b"")
            except readers.HalfMissing:
                files = both  # A run that came alone waits for its judgments, and the other way round.
                stored = keep(dataset := _dataset(files, data, keys))
            open_kept(stored, dataset)
    except readers.HalfMissing as problem:
        st.session_state[_WAITING] = files
        put_problem(problem)
    except readers.KeysNeeded as problem:
        st.session_state[_UNJOINED] = files, data, keys or {}, problem.columns
        put_problem(problem)
    except readers.ReadProblem as problem:
        put_problem(problem)
        if _PASTED in files:  # it stays in its field, to be corrected
            return
    except Exception:  # a defect, which the next run is not to meet again
        _finish()
        raise
    _finish()


def _dataset(
    files: Mapping[str, bytes], data: str | None, keys: Mapping[str, str | readers.JoinKey] | None
) -> readers.DataSet:
    if data is None:
        return readers.read_files(files, keys)
    if (dataset := entry(data)).kind in RANKED:
        return readers.add_faces(dataset, files)
    return readers.join_tables([dataset, *(readers.read_table(content, name) for name, content in files.items())], keys)


def _finish() -> None:
    st.session_state[_ROUND] = _round() + 1  # a new key empties the widget


def _round() -> int:
    return st.session_state.get(_ROUND, 0)
