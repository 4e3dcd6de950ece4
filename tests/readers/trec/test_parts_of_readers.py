"""The parts that readers are made of, one example each."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore.readers import Finding, read_qrels, read_run, read_table
from evalcore.readers.base.column_names import class_in, is_lower_better, simple
from evalcore.readers.base.encodings import frame_of, utf8
from evalcore.readers.base.problems import Lines, listed
from evalcore.readers.base.values import Columns, heads_of, ids_of, positive_value, texts_of, value_of
from evalcore.readers.dataset.assignment import read_roles, recognise
from evalcore.readers.files.delimited import layout_of
from evalcore.readers.files.frames import column_of, transposed_counts
from evalcore.readers.files.headers import is_header, tidy_names
from evalcore.readers.join.files_together import _half_of
from evalcore.readers.kinds import rankings
from evalcore.readers.table.table import StateCache
from evalcore.readers.trec.columns import QRELS, RUN, Text, columns_of
from evalcore.readers.trec.trec import (
    fields_of,
    fits,
    has_empty_fields,
    looks_like,
    ranked_dataset,
    single_blanks,
    system_name,
    tabs_to_blanks,
)
from evalcore.retrieval.id_table import IdTable
from tests.words import facts


def test_ids_come_from_arrow_and_go_back() -> None:
    assert ids_of(pa.array(["d1", "d10"])).texts() == ["d1", "d10"]
    assert heads_of(ids_of(pa.array(["q1", "q1", "q2", "q10", "q10"]))).tolist() == [0, 2, 3]
    assert texts_of(IdTable.of(["d1", "d10", "d2"]).take(np.array([2, 0]))).to_pylist() == ["d2", "d1"]


def test_roles_are_recognised_and_read() -> None:
    table = Columns(pd.DataFrame({"truth": ["ill", "well", "well"], "model": [0.9, 0.4, 0.1]}))
    assert recognise(table).to_text() == "actual~truth~~score~model~~positive~ill"
    frame = pd.DataFrame({"label": [1, 0], "model a": [0.9, 0.2]})
    assert read_roles("actual~label~~score~model%20a~~positive~1", frame).get("positive") == 1
    frame = pd.DataFrame({"qid": [1, 1], "docno": ["a", "b"], "bm25": [0.9, 0.2], "grade": [1, 0]})
    assert rankings.recognise(Columns(frame))["score"] == ("bm25",)


def test_column_names() -> None:
    assert [simple(name) for name in (" Ground-Truth ", "yTrue", "TP")] == ["ground_truth", "y_true", "tp"]
    assert [class_in(name) for name in ("prob_cat", "P(cat)", "cat_probability", "cat")] == ["cat", "cat", "cat", None]
    assert all(map(is_lower_better, ("Distance", "knn_dist", "p-value")))
    assert not is_lower_better("score")


def test_texts_and_headers() -> None:
    assert utf8(b"\xef\xbb\xbfa,b", "x.csv") == (b"a,b", [])
    assert is_header(["actual", "score"], [])
    assert not is_header(["1", "0.9"], [["0", "0.2"]])
    assert tidy_names([" score", "score", ""], 3, Lines())[0] == ["score", "score (2)", "column 3"]
    layout = layout_of(b"actual;score\nill;0,9\nwell;0,2\n", "x.csv")
    assert (layout.delimiter, layout.decimal_comma, layout.first_line) == (";", True, 2)


def test_a_sheet_column_of_numbers_and_text_is_text() -> None:
    column, findings = column_of([1, "many", None], "n", Lines(2, "row"))
    assert column.fillna("").tolist() == ["1", "many", ""]
    (finding,) = findings
    assert finding == Finding("warning", finding.sentence, 2, "n", code="mixed column")
    assert facts(finding.sentence) == "n many"


def test_a_list_of_counts_becomes_a_row() -> None:
    frame = pd.DataFrame({"outcome": ["TP", "FN", "FP", "TN"], "n": [20, 10, 180, 1820]})
    assert transposed_counts(frame).to_dict("records") == [{"tp": 20, "fp": 180, "fn": 10, "tn": 1820}]


def test_a_text_is_processed_in_blocks() -> None:
    text, sizes = Text(b"one\ntwo\n"), []
    assert text.head(4) == b"one\n"
    assert text.over_blocks(len, sizes.append)
    assert sizes == [8]


def test_words_of_messages() -> None:
    assert listed(["a", "b"]) == '"a", "b"'
    assert listed("abcdefg") == '"a", "b", "c", "d", "e" and 2 more'
    assert [Lines().at(0), Lines(word="row").at(3)] == ["line 2", "row 5"]


def test_judgments_and_runs_in_one_frame() -> None:
    data = ranked_dataset(read_qrels(b"q 0 a 1"), {"mine": read_run(b"q Q0 b 1 0.5 x")}, "both")
    assert data.kind == "run + judgments"
    assert data.frame.to_csv(index=False).split() == ["query,document,mine,grade", "q,a,,1.0", "q,b,0.5,"]
    assert frame_of(["q1", "q2"], {"AP": np.array([0.5, 1.0])}).loc["q2", "AP"] == 1


@pytest.mark.parametrize(
    ("half", "content"),
    [("run", b"query,document,rank\nq,a,1\nq,b,2\n"), ("judgments", b"topic,docno,relevance\nq,a,1\nq,b,0\n")],
)
def test_a_table_may_hold_one_half(half: str, content: bytes) -> None:
    assert _half_of(read_table(content, "a.csv"))[0] == half


def test_a_state_is_built_once() -> None:
    states = StateCache(1_000)
    assert states.once("a", 10, lambda: "built") == "built"
    assert states.once("a", 10, lambda: "built again") == "built"


def test_lines_of_trec_files() -> None:
    assert looks_like(b"q1 Q0 d7 1 0.9 mine") == "run"
    assert looks_like(b"q1 0 d7 1") == "judgments"
    assert looks_like(b"actual,score") is None
    assert [system_name(name) for name in ("bm25.v2.run.gz", "input.bm25")] == ["bm25.v2", "input.bm25"]
    columns = columns_of(Text(b"q2 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"), QRELS)
    assert (columns.queries, columns.codes.tolist()) == (("q2", "q1"), [0, 1, 0])
    assert (columns.documents.texts(), columns.numbers.tolist()) == (["d1", "d2", "d3"], [1, 0, 2])
    assert single_blanks(b"  q1 \t d1\r\n# note\nq1\td2  \n") == b"q1 d1\n\nq1 d2\n"
    assert fits(b"q1 0 d7 1", QRELS)
    assert not fits(b"query iteration document grade", QRELS)
    assert tabs_to_blanks(b"q1\tQ0\td7\t1\t0.5\tmy run\n# comment", RUN) == b"q1 - d7 - 0.5 -\n"
    assert has_empty_fields(b"q1\t0 0\td7\t1\t\n")
    assert not has_empty_fields(b"q1\t\td7\t1")
    assert not has_empty_fields(b"q1 0\td7 1")
    assert fields_of(b"q1\t\td7\t1", QRELS) == [b"q1", b"", b"d7", b"1"]
    assert fields_of(b"q1 0 \td7 1", QRELS) == [b"q1", b"0", b"d7", b"1"]


def test_values_of_labels() -> None:
    assert positive_value({"healthy": 90, "ill": 10})[0] == "ill"
    assert positive_value({"cat": 90, "dog": 10}) == ("dog", "the rarer value")
    assert value_of("1", pd.Series([0.0, 1.0])) == 1.0
