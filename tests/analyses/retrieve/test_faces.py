"""What lists show of their documents and queries: escaped, cut between words, and images only from their own bytes."""

from pathlib import Path

import pytest

from evalcore.analyses import (
    GainSettings,
    GradedList,
    QueryDifferences,
    RankedList,
    Rankings,
    RankingSummary,
    SideBySideRankings,
    compare_rankings,
    face_columns,
    face_rows,
    query_columns,
    query_labels,
)
from evalcore.figures import ranking_table
from evalcore.readers import add_faces, read_files
from evalcore.wording import Cell, html_table, snippet
from tests.analyses.ranked import QRELS, RUN, rankings
from tests.readers.pictures.test_faces import HOSTILE, PNG, URI, zipped

LONG = "word " * 100


@pytest.fixture(scope="module")
def ranked() -> Rankings:
    docs = f'docid,title,text\na,"{HOSTILE[0]}",{HOSTILE[1]}\nz,,{LONG}\nc,Third,\n'
    files = {"docs.csv": docs.encode(), "queries.tsv": f"q1\t{HOSTILE[0]} {LONG}\nq2\twhat\n".encode(), "a.png": PNG}
    lists = {"x.run": RUN.encode(), "y.run": RUN.encode(), "qrels.txt": QRELS.encode()}
    return rankings(read_files({**lists, **files}))


def test_hostile_texts_are_escaped_and_load_nothing(ranked: Rankings) -> None:
    html = html_table([], face_rows(ranked, "q1"), "face")
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "<img" not in html
    assert "image" not in [row.cells[0].text for row in RankedList(ranked, "q1").strip(60)]
    assert "<img" not in Cell("", image="http://e.com/a.png").html
    assert 'src="data:image/png;base64,&quot;&gt;' in Cell("", image='data:image/png;base64,">').html


def test_images_without_texts_stand_in_the_strip() -> None:
    sample = rankings("image_retrieval")
    row = next(row for row in RankedList(sample, "q005").strip(60) if row.cells[0].text == "image")
    assert len(row.cells) == 61
    assert all(cell.image.startswith("data:image/png;base64,") for cell in row.cells[1:])
    assert len(query_columns(sample, sample.queries())["image"]) == 300
    assert len(ranking_table(RankingSummary(sample, ["AP"]))["images"]) == 300


def test_queries_are_listed_with_their_texts_and_whole_ids(ranked: Rankings) -> None:
    labels = query_labels(ranked, ranked.queries())
    assert labels["q2"] == "q2 · what"
    assert labels["q3"] == "q3"
    assert labels["q1"].startswith(f"q1 · {HOSTILE[0]}")
    table = ranking_table(RankingSummary(ranked, ["AP"]))
    assert table["names"] == list(ranked.queries())
    assert table["texts"][1:] == ["what", ""]
    assert ranking_table(RankingSummary(rankings("ranking_14"), ["AP"]))["texts"] is None


def test_tables_have_columns_for_what_there_is(ranked: Rankings) -> None:
    whole, short = (face_columns(ranked.document_faces, ["a", "b"], short) for short in (False, True))
    assert whole == {"title": [HOSTILE[0], None], "text": [HOSTILE[1], None]}
    assert short == {"image": [URI, None], "title": [HOSTILE[0], None]}
    graded = GradedList(ranked, "q1", GainSettings())
    assert list(graded.short_table["image"])[:2] == [URI, None]
    assert "image" not in graded.table
    assert RankedList(ranked, "q1").table["title"] == [HOSTILE[0], None, "Third"]


def test_both_lists_of_a_comparison_show_them(ranked: Rankings) -> None:
    comparison = compare_rankings(ranked, "y")
    assert QueryDifferences.of(comparison).table["text"].count("what") == 1
    table = SideBySideRankings(ranked, "y", "q1").table
    assert table["title"] == RankedList(ranked, "q1").table["title"]


def test_no_measure_changes(ranked: Rankings) -> None:
    plain = rankings(read_files({"x.run": RUN.encode(), "y.run": RUN.encode(), "qrels.txt": QRELS.encode()}))
    names = ["AP", "nDCG@10", "RR"]
    assert all((ranked.per_query(names).values[name] == plain.per_query(names).values[name]).all() for name in names)
    assert add_faces(plain.current.dataset, {"a.png": PNG}).systems == ("x", "y")


@pytest.mark.parametrize(
    "files",
    [
        {"x.run": RUN.encode(), "qrels.txt": QRELS.encode()},
        {"lists.csv": b"query,document,score,grade\nq1,a,2,1\nq1,z,1,0\n"},
    ],
    ids=["TREC", "table"],
)
def test_the_exported_python_runs_with_the_texts(files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = files | {"docs.csv": b"docid,title\na,A\n", "images.zip": zipped(**{"a.png": PNG})}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    for data in (read_files(files), read_files(files).shaped("only~document~a")):
        summary = RankingSummary(rankings(data), ["AP", "nDCG@10"])
        exec(summary.code, namespace := {})  # noqa: S102
        assert namespace["data"].document_faces().among(["a"])[0].title == "A"


def test_a_snippet_ends_between_words() -> None:
    assert snippet("a b\tc\u202ed", 20) == "a b c‹U+202E›d"
    assert snippet("x" * 300, 20) == "x" * 19 + " …"
    assert snippet("one two three four", 10) == "one two …"
