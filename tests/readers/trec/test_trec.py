"""Runs and judgments of TREC, however the white space falls; what is wrong is named with its line."""

import gzip
import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.readers import ReadProblem, read_qrels, read_run
from evalcore.readers.base.values import heads_of, ids_of
from evalcore.readers.trec import columns as line_blocks
from evalcore.readers.trec.columns import _PAIRED, _Gathered, _parsed, holds_two_blanks
from evalcore.readers.trec.columns import RUN as FORMAT
from evalcore.readers.trec.trec import looks_like, ranked_dataset
from evalcore.retrieval import Run, evaluate
from tests.words import sentence_with

RUN = b"q1 Q0 d2 1 0.9 me\nq1 Q0 d10 2 0.5 me\nq2 Q0 d1 1 7 me\nq1 Q0 d1 3 0.5 me\n"
AS_TABS = RUN.replace(b"Q0", b"").replace(b"me", b"").replace(b" ", b"\t")
QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n"


def rows(run: Run) -> list[tuple]:
    return list(zip([run.queries[code] for code in run.codes], run.documents.texts(), run.scores.tolist(), strict=True))


AS_READ = [("q1", "d2", 0.9), ("q1", "d10", 0.5), ("q2", "d1", 7.0), ("q1", "d1", 0.5)]


@pytest.mark.parametrize(
    "data",
    [
        RUN,
        RUN.rstrip(),
        RUN.replace(b" ", b"\t"),
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b"\n", b"\r"),
        RUN.replace(b" ", b"   "),
        RUN.replace(b" d", b"\t d"),
        RUN.replace(b"\n", b" \t\n"),
        b"  " + RUN.replace(b"\n", b"\n\n \n  "),
        b"# made by me\n" + RUN.replace(b"q2", b"# and\n #so on\nq2"),
        b"# a comment of six fields 1 0.5\n# b c d 0.5 f\n" + RUN,
        b"\xef\xbb\xbf" + RUN,
        ("\ufeff" + RUN.decode()).encode("utf-16-le"),
        RUN.replace(b"\n", b"\r", 1),
        RUN.replace(b"\n", b"\r", 1).replace(b" d", b"  d"),
        RUN.replace(b"\n", b"\r\r\n"),
        AS_TABS,
        AS_TABS.replace(b"\n", b"\r\n"),
        b"# said\n" + AS_TABS.replace(b"\t\n", b"\tmy run\n"),
        RUN.replace(b" ", b"\t").replace(b"me", b"my run"),
        gzip.compress(RUN, mtime=0),
        pa.compress(RUN, "zstd", asbytes=True),
        gzip.compress(b"\xef\xbb\xbf" + RUN.replace(b" ", b"  "), mtime=0),
    ],
    ids=itertools.count(),  # a packed file holds the time, and names of tests must not
)
def test_a_run_in_any_white_space(data: bytes, tmp_path) -> None:
    assert rows(read_run(data)) == AS_READ
    (tmp_path / "a.run").write_bytes(data)
    assert rows(read_run(tmp_path / "a.run")) == AS_READ
    assert read_run(str(tmp_path / "a.run")).ranked("q1") == ["d2", "d10", "d1"]


@pytest.mark.parametrize(
    "change", [(b" ", b" "), (b" ", b"\t"), (b" ", b" \t "), (b"\n", b"\r\n"), (b"q2", b"# x\nq2")]
)
def test_judgments_in_any_white_space(change) -> None:
    judged = read_qrels(QRELS.replace(*change))
    assert (judged.queries, judged.documents.texts()) == (("q1", "q2"), ["d1", "d2", "d1"])
    assert judged.grades.tolist() == [1, 0, 2]


def test_grades_may_be_negative_or_fractions_and_ids_stay_texts() -> None:
    judged = read_qrels(b"007 0 1e5 -1\n007 0 100000 0.5\n7 0 nan 1\n")
    assert judged.queries == ("7", "007") or judged.queries == ("007", "7")
    assert sorted(judged.documents.texts()) == ["100000", "1e5", "nan"]
    assert sorted(judged.grades) == [-1, 0.5, 1]
    assert rows(read_run(b"NA Q0 null 1 1e3 x\n01 Q0 \xff 1 -inf x")) == [
        ("NA", "null", 1000),
        ("01", "\\xff", -np.inf),
    ]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_fields_between_tabs_are_never_those_of_others(ending: bytes) -> None:
    # White space would part six fields here too, and take "b" for the document and 1 for its score.
    data = b"q1\ta b\td0\t1\t-2\t\nq1\tQ0\td1\t1\t4\tme\nq1 Q0 d2 1 0.5 me\n"
    expected = [("q1", "d0", -2.0), ("q1", "d1", 4.0), ("q1", "d2", 0.5)]
    assert rows(read_run(data.replace(b"\n", ending))) == expected
    lines = data.splitlines()
    assert rows(read_run(ending.join(reversed(lines)))) == expected[::-1]


def test_quotes_mean_nothing() -> None:
    assert rows(read_run(b'q1 Q0 "a 1 0.5 me\nq1 Q0 b" 1 0.4 me\n')) == [("q1", '"a', 0.5), ("q1", 'b"', 0.4)]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b" \n \n", "is empty"),
        (RUN + b"q1 Q0 d3 4\n", r'Line 5 of "x.run" has 4 fields where a run has 6'),
        (b"q1  Q0 d1 0.9 me\n", r'Line 1 of "x.run" has 5 fields where a run has 6'),
        (b"q1 Q0 d1 1 0.9 me\nq1  Q0 d2 0.8 me\n", r'Line 2 of "x.run" has 5 fields where a run has 6'),
        (b"\n# note\n" + RUN + b"q1 Q0 d3 4 0.1 me too\n", r"Line 7 of .* has 7 fields where a run has 6"),
        (QRELS, r"1 .* has 4"),
        (RUN.replace(b"7", b"seven"), 'score "seven"'),
        (RUN.replace(b"7", b"nan"), 'score "nan"'),
        (RUN.replace(b"7", b"1_0"), 'score "1_0"'),
        (RUN + b"\nq1 Q0 d2 9 0.1 me\n", '"q1": lines 1 and 6'),
        (b"# no line\n", "6 fields, query Q0"),
        (b"q\\xe9 Q0 a 1 1 x\nq\xe9 Q0 a 1 1 x\n", 'x.run" has query ids'),
        (b"q1,d1,0.9\n", "Line 1 .* has 1 field where a run has 6"),
        (RUN.replace(b"d10", b"d\x0010"), r'Line 2 of "x\.run" contains a zero byte'),
        (RUN.decode().encode("utf-16-be"), r'1 of "x\.run" contains'),
        (gzip.compress(gzip.compress(RUN, mtime=0), mtime=0), r"Line 1 .* contains"),
        # Of what tabs part, the right line and the right reason, though the ignored fields are empty.
        (AS_TABS.replace(b"7", b"x"), 'score "x"'),
        (AS_TABS + b"# said\n\t\td\t\t1\t\n", 'Line 6 of "x.run" has 2 fields where a run has 6'),
        (AS_TABS + b"# said\nq1\t\td2\t\t1\t\n", 'twice for query "q1": lines 1 and 6 of "x.run"'),
    ],
)
def test_what_is_wrong_with_a_run(data: bytes, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        read_run(data, "x.run")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (RUN, r"1 .* has 6"),
        (b"", "is empty"),
        (QRELS.replace(b"\n", b" x\n"), r"where judgments have 4.*Ids"),
        (b"q1  0 1\nq2  0 1\n", "Line 1 .* has 3 fields where judgments have 4"),
        (QRELS.replace(b" 2\n", b" yes\n"), 'the grade "yes", which'),
        (QRELS.replace(b" 2\n", b" inf\n"), 'the grade "inf", which'),
        (QRELS + b"q1 0 d1 0\n", '"q1": lines 1 and 4'),
    ],
)
def test_what_is_wrong_with_judgments(data: bytes, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        read_qrels(data)


@pytest.mark.parametrize("blank", [b" ", b"\t", b"  "])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\n\n", b"\r"])
@pytest.mark.parametrize("block", [1, 40, 700])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_of_many_blocks_gives_the_rows_of_one(monkeypatch, tmp_path, blank, ending, block, mark) -> None:
    size = 60 if block > 1 else 12  # a line is a block then, and each costs as much as a large one
    fields = [(f"q{row // 3 % 9}", "Q0", f"d{row * 37}", "1", str(row / 8), "me") for row in range(size)]
    data = mark + ending.join(blank.join(text.encode() for text in line) for line in fields)
    expected = [(line[0], line[2], float(line[4])) for line in fields]
    monkeypatch.setattr(line_blocks, "BLOCK", block)
    path = tmp_path / "a.run"
    path.write_bytes(data)
    assert rows(read_run(path)) == rows(read_run(data)) == expected
    # What is wrong is found in any block, with its line.
    path.write_bytes(data + ending + b"q1 Q0 late 1 high me".replace(b" ", blank))
    with pytest.raises(ReadProblem, match='score "high"'):
        read_run(path)
    path.write_bytes(data + ending + data.splitlines()[-1])
    with pytest.raises(ReadProblem, match=f'Document "{fields[-1][2]}" is retrieved twice'):
        read_run(path)


def test_a_line_of_other_white_space_deep_in_a_file_is_read_as_well(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(line_blocks, "BLOCK", 50)
    lines = [b"q Q0 d%d 1 %d me" % (row, row) for row in range(50)]
    lines[30] = lines[30].replace(b" ", b"\t")
    (tmp_path / "a.run").write_bytes(b"\n".join(lines))
    assert read_run(tmp_path / "a.run").documents.texts() == [f"d{row}" for row in range(50)]
    lines[30] = b"q Q0 d30 1\t30 me also"
    (tmp_path / "a.run").write_bytes(b"\n".join(lines))
    with pytest.raises(ReadProblem, match=r'Line 31 of "a\.run" has 7 fields'):
        read_run(tmp_path / "a.run")


def test_a_file_that_is_gone_when_its_blocks_are_read(monkeypatch, tmp_path) -> None:
    (tmp_path / "a.run").write_bytes(RUN)
    head = line_blocks.Text.head
    monkeypatch.setattr(line_blocks.Text, "head", lambda text, *most: (head(text, *most), text.source.unlink())[0])
    with pytest.raises(ReadProblem, match=r'"a\.run" cannot be opened'):
        read_run(tmp_path / "a.run")


def test_a_file_that_is_not_there_or_too_large() -> None:
    with pytest.raises(ReadProblem, match="cannot be opened"):
        read_run("nowhere/x.run")
    with pytest.raises(ReadProblem, match="at most 10 bytes"):
        read_run(gzip.compress(RUN), max_bytes=10)
    with pytest.raises(ReadProblem, match="at most 10 bytes"):
        read_run(RUN, max_bytes=10)


@settings(max_examples=40, deadline=None)
@given(
    scores=st.dictionaries(
        st.tuples(st.sampled_from(["1", "2", "q"]), st.text("ab-é1", min_size=1, max_size=20)),
        st.floats(-1e6, 1e6),
        min_size=1,
    ),
    blank=st.sampled_from([" ", "\t", "  ", " \t"]),
    order=st.randoms(use_true_random=False),
)
def test_a_file_gives_the_run_of_its_columns(scores, blank, order) -> None:
    lines = [blank.join((query, "Q0", name, "1", repr(score), "me")) for (query, name), score in scores.items()]
    order.shuffle(lines)
    expected = sorted((query, name, score) for (query, name), score in scores.items())
    assert sorted(rows(read_run("\n".join(lines).encode()))) == expected


def test_judgments_and_runs_become_one_data_set_and_come_out_again() -> None:
    judged, run = read_qrels(QRELS), read_run(RUN)
    dataset = ranked_dataset(judged, {"a": run, "b": read_run(b"q2 Q0 d1 1 1 b\nq2 Q0 d9 2 0.5 b")}, "both")
    assert (dataset.kind, dataset.systems) == ("run + judgments", ("a", "b"))
    names = ["AP", "nDCG", "bpref", "judged@2"]
    expected = evaluate(judged, run, names)
    values = evaluate(dataset.judgments(), dataset.run("a"), names)
    for name in names:
        assert np.array_equal(values.values[name], expected.values[name])
    apart = ranked_dataset(judged, {"a": read_run(b"7 Q0 d1 1 1 b")}, "both")
    assert sentence_with(apart.findings[0].sentence, "No query")
    with pytest.raises(ReadProblem, match='named "grade"'):
        ranked_dataset(judged, {"grade": run}, "both")


@pytest.mark.parametrize(
    ("data", "what"), [(RUN, "run"), (QRELS, "judgments"), (b"actual,score\n1,0.5\n", None), (b"", None)]
)
def test_the_format_is_seen_in_the_first_lines(data: bytes, what: str | None) -> None:
    assert looks_like(data) == what


@pytest.mark.parametrize("at", [0, 1, _PAIRED - 2, _PAIRED - 1, _PAIRED, 2 * _PAIRED - 1])
def test_two_blanks_are_found_wherever_they_stand(at: int) -> None:
    text = bytearray(b"a" * (2 * _PAIRED + 1))
    assert not holds_two_blanks(bytes(text))
    text[at : at + 2] = b"  "
    assert holds_two_blanks(bytes(text))
    assert not holds_two_blanks(bytes(text[at + 1 :]))
    assert not holds_two_blanks(bytes(text[: at + 1]))


def test_document_ids_of_more_than_two_gibibytes_are_still_counted() -> None:
    part = _parsed(b"q1 Q0 d1 1 0.5 me\n", FORMAT, " ")
    gathered = _Gathered(5 << 30)
    gathered.used = 3 << 30
    gathered.add(part)
    assert gathered._columns[2][0].tolist() == [3 << 30]


def test_where_the_name_changes_is_told_by_its_bytes() -> None:
    for texts in (["q1", "q10", "q2", "q2", "q30", ""], ["q1"] * 40 + ["q2"] * 40, []):
        names = ids_of(pa.array(texts, pa.binary()))
        vars(names)["hashes"] = np.zeros(len(names), dtype=np.uint64)  # as where all of them clash
        expected = [row for row, text in enumerate(texts) if not row or texts[row - 1] != text]
        assert heads_of(names).tolist() == expected
