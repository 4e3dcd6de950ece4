"""Texts, titles and images of documents and queries: recognized, matched by id, stored, and never trusted."""

import base64
import gzip
import io
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from evalcore.analyses import Source
from evalcore.readers import DataSet, Face, ReadProblem, Workspace, add_faces, read_files, read_table
from evalcore.readers.base.pictures import MOST_BYTES, image_uri, pixels_of, uri_of_cell
from evalcore.readers.join import face_tables as module
from evalcore.retrieval import evaluate
from tests.readers.mutants import written as written_by
from tests.words import facts

RUN = b"10 Q0 d1 1 3 x\n10 Q0 d2 2 2.5 x\n11 Q0 d3 1 1 x\n"
QRELS = b"10 0 d1 1\n10 0 d9 0\n11 0 d3 1\n"
RANKED = {"mine.run": RUN, "qrels.txt": QRELS}
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
URI = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
HOSTILE = ("<img src=x onerror=alert(1)>", "![](http://e.com/a.png)", "http://e.com/track.gif")


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def document(data: DataSet, id: str) -> Face:
    return data.document_faces().among([id])[0]


def query(data: DataSet, id: str) -> str:
    return data.query_faces().words([id])[0]


def test_beir_opens_with_its_texts() -> None:
    corpus = (
        b'{"_id": "d1", "title": "A", "text": "about a", "metadata": {}}\n{"_id": "zz", "title": "Z", "text": "z"}\n'
    )
    files = {
        "mine.run": RUN,
        "test.tsv": b"query-id\tcorpus-id\tscore\n10\td1\t1\n11\td3\t1\n",
        "corpus.jsonl": corpus,
        "queries.jsonl": b'{"_id": "10", "text": "what is a"}\n{"_id": "11", "text": "what is c"}\n',
    }
    data = read_files(files)
    assert document(data, "d1") == Face("A", "about a")
    assert not document(data, "d2")
    assert data.query_faces().words(["11", "10"]) == ["what is c", "what is a"]
    said = [finding.sentence for finding in data.findings]
    assert said == ["1 of 3 documents has a title, 1 a text.", "2 of 2 queries have a text."]
    assert data.judgments().grades.tolist() == [1, 1]


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_ms_marco_has_no_header_and_its_quotes_mean_nothing(packed) -> None:
    queries = b'11\t"who\n12\tother\n10\twhat "is\n'
    passages = b'd3\t"Unclosed, he said\nd1\tAn "answer"\tmore\nd2\tlast\n'
    data = read_files({**RANKED, "queries.dev.tsv": packed(queries), "collection.tsv": packed(passages)})
    assert (query(data, "11"), query(data, "10")) == ('"who', 'what "is')
    assert document(data, "d3").text == '"Unclosed, he said'
    assert document(data, "d2").text == "last"


def test_ids_that_are_numbers_belong_to_the_side_that_the_name_of_the_file_or_their_share_tells() -> None:
    files = {"a.run": b"1 Q0 1 1 2 x\n2 Q0 2 2 1 x\n1 Q0 7 3 0 x\n", "q.txt": b"1 0 1 1\n2 0 9 1\n"}
    data = read_files({**files, "a.tsv": b"1\tone\n2\ttwo\n7\tseven\n9\tnine\n"})
    assert document(data, "7").text == "seven"
    assert query(data, "1") == ""
    data = read_files({**files, "topics.tsv": b"1\tone\n2\ttwo\n7\tseven\n9\tnine\n"})
    assert query(data, "2") == "two"
    data = read_files({**files, "a.csv": b"query_id,title\n1,one\n7,seven\n"})
    assert query(data, "1") == "one"


def test_leading_zeros_that_a_column_of_numbers_has_lost() -> None:
    files = {"a.run": b"q Q0 007 1 2 x\nq Q0 0 2 1 x\n", "q.txt": b"q 0 007 1\n"}
    data = read_files({**files, "docs.csv": b"docid,title\n7,Bond\n0,None\n"})
    assert document(data, "007").title == "Bond"
    assert document(data, "0").title == "None" or document(data, "0").title == ""


def test_the_columns_of_one_table_are_faces_by_their_names() -> None:
    table = b"query_id,query,doc_id,title,snippet,url,score,relevance\n1,what,a,T,s,http://x/a,2,1\n1,what,b,,s2,,1,0\n"
    data = read_table(table, "lists.csv")
    assert (data.roles.get("query"), data.roles.get("document")) == ("query_id", "doc_id")
    assert document(data, "a") == Face("T", "s", "http://x/a")
    assert query(data, "1") == "what"
    plain = read_table(b"query_id,doc_id,score,relevance\n1,a,2,1\n1,b,1,0\n", "lists.csv")
    assert plain.run("score").scores.tolist() == data.run("score").scores.tolist()
    assert not plain.document_faces()


def test_a_run_in_a_table_brings_its_own_texts() -> None:
    data = read_files({"run.csv": b"query_id,query_text,doc_id,score,title\n10,what,d1,2,T\n", "qrels.txt": QRELS})
    assert (query(data, "10"), document(data, "d1").title) == ("what", "T")
    assert data.face_files == ()


def test_images_of_a_zip_are_found_by_the_paths_of_a_column() -> None:
    images = zipped(
        **{"img/a.png": PNG, "img/b.png": b"<svg onload=alert(1)>", "img/c.svg": b"<svg/>", "img/d.png": PNG}
    )
    docs = (
        b'docid,image\nd1,./img/a.png\nd2,img/b.png\nd3,http://e.com/z.png\nd9,"data:image/svg+xml;base64,PHN2Zy8+"\n'
    )
    data = read_files({**RANKED, "docs.csv": docs, "images.zip": images})
    assert document(data, "d1") == Face(image=URI)
    assert document(data, "d2") == Face(url="img/b.png")
    assert document(data, "d3") == Face(url="http://e.com/z.png")
    assert not document(data, "d9")
    assert any(finding.sentence.startswith("3 images are not shown") for finding in data.findings)
    assert "1 of 4 documents has an image." in [finding.sentence for finding in data.findings]


def test_images_come_later_than_the_paths_that_name_them() -> None:
    table = b"query,document,score,grade,image\n1,a,2,1,img/a.png\n1,b,1,0,img/z.png\n2,a,1,1,img/a.png\n"
    images = {"images.zip": zipped(**{"img/a.png": PNG})}
    for data in (read_files({"lists.csv": table, **images}), add_faces(read_table(table, "lists.csv"), images)):
        assert document(data, "a").image == URI
        assert document(data, "b") == Face(url="img/z.png")
    docs = {"docs.csv": b"docid,image\nd1,img/a.png\n"}
    assert document(add_faces(read_files({**RANKED, **docs}), images), "d1").image == URI


def test_images_named_after_the_ids_need_no_table() -> None:
    data = read_files({**RANKED, "d1.png": PNG, "more.zip": zipped(**{"x/10.png": PNG})})
    assert document(data, "d1").image == URI
    assert data.query_faces().among(["10"])[0].image == URI
    none = read_files({**RANKED, "zz.png": PNG})
    assert [finding.code for finding in none.findings] == ["no faces"]


@pytest.mark.parametrize("start", ["", "data:image/png;base64,", "data:image/svg+xml;base64,"])
def test_images_in_cells_are_what_their_first_bytes_say(start: str) -> None:
    assert uri_of_cell(start + base64.b64encode(PNG).decode()) == URI
    assert uri_of_cell(start + base64.b64encode(b"<svg/>").decode()) == ""


def test_images_are_bounded() -> None:
    assert image_uri(PNG + bytes(MOST_BYTES)) == ""
    assert uri_of_cell("data:image/png;base64," + base64.b64encode(PNG + bytes(MOST_BYTES)).decode()) == ""


@pytest.mark.parametrize(
    ("form", "mode", "more"),
    [
        *(("PNG", "L", {}), ("JPEG", "L", {}), ("JPEG", "RGB", {"progressive": True}), ("GIF", "L", {})),
        *(("WEBP", "RGB", {}), ("WEBP", "RGB", {"lossless": True}), ("WEBP", "RGBA", {"exif": b"Exif"})),
    ],
)
def test_images_of_too_many_pixels_are_not_shown(form: str, mode: str, more: dict) -> None:
    written = io.BytesIO()
    Image.new(mode, (31, 17)).save(written, form, **more)
    small = written.getvalue()
    assert pixels_of(small) == 31 * 17
    assert image_uri(small).startswith(f"data:image/{form.lower()};base64,")
    assert image_uri(small[:8]) == ""
    if form == "PNG":
        assert image_uri(small[:16] + (60_000).to_bytes(4, "big") * 2 + small[24:]) == ""


def test_an_area_of_one_colour_has_no_more_pixels_than_another_image_of_so_many_bytes() -> None:
    flat = {side: written_by(Image.new("L", (side, side)).save, format="PNG") for side in (2048, 2049, 4096)}
    assert max(map(len, flat.values())) < MOST_BYTES / 10
    assert [bool(image_uri(data)) for data in flat.values()] == [True, False, False]


def test_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FACES", 2)
    data = read_files({**RANKED, "docs.csv": b"docid,text\nd1," + b"x" * 5_000 + b"\nd2,b\nd3,c\n"})
    assert len(data.frame["text"].dropna().max()) == 400
    assert data.document_faces().counts == {"text": 2}
    assert any("Only the first 2 ids" in finding.sentence for finding in data.findings)


def test_wrong_ids_are_told_and_nothing_is_lost() -> None:
    data = read_files({**RANKED, "docs.csv": b"docid,title\nx1,T\n"})
    (finding,) = data.findings
    assert facts(finding.sentence) == "docs.csv x1 d1 10"
    assert data.run("mine").scores.tolist() == read_files(RANKED).run("mine").scores.tolist()


def test_files_that_are_no_texts_are_refused_as_before() -> None:
    with pytest.raises(ReadProblem, match=r'"t\.csv" is neither a run'):
        read_files({**RANKED, "t.csv": b"actual,score\n1,2\n"})
    with pytest.raises(ReadProblem, match="holds no rankings"):
        add_faces(read_table(b"actual,score\n1,0.5\n0,0.2\n", "t.csv"), {"docs.csv": b"docid,title\nd1,T\n"})


def test_hostile_texts_stay_the_texts_that_they_are() -> None:
    rows = "".join(f'd{number},"{text}"\n' for number, text in enumerate(HOSTILE, 1))
    data = read_files({**RANKED, "docs.csv": f"docid,text\n{rows}".encode()})
    assert [document(data, f"d{number}").text for number in (1, 2, 3)] == list(HOSTILE)
    assert not any(face.image for face in data.document_faces().among(["d1", "d2", "d3"]))


def test_texts_that_come_later_are_the_same_and_change_no_number() -> None:
    docs, titles = b"docid,text\nd1,about a\n", b"docid,title\nd1,A\nd2,B\n"
    ranked = read_files(RANKED)
    later = add_faces(add_faces(ranked, {"docs.csv": docs}), {"titles.csv": titles})
    assert document(later, "d1") == Face("A", "about a")
    assert later.face_files == ("docs.csv", "titles.csv")
    assert len({ranked.digest, later.digest, add_faces(ranked, {"docs.csv": titles}).digest}) == 3
    values = [evaluate(data.judgments(), data.run("mine"), ["AP"]).mean("AP") for data in (ranked, later)]
    assert values[0] == values[1]
    again = add_faces(later, {"new.csv": b"docid,title\nd1,New\n"})
    assert (document(again, "d1").title, document(again, "d2").title) == ("New", "B")


def test_they_are_stored_and_deleted_with_the_data_set(tmp_path: Path) -> None:
    data = read_files({**RANKED, "docs.csv": b"docid\ttext\timage\nd1\tabout a\t" + URI.encode() + b"\n"})
    workspace = Workspace(tmp_path, 10**9)
    id = workspace.save(data)
    back = workspace.load(id)
    assert document(back, "d1") == Face(text="about a", image=URI)
    assert (back.face_files, back.roles) == (data.face_files, data.roles)
    workspace.delete(id)
    assert not [path for path in tmp_path.iterdir() if path.name != "key"]


def test_a_filter_keeps_the_texts_of_what_it_keeps() -> None:
    data = read_files({"a.run": RUN + b"11 Q0 d1 2 0.5 x\n", "q.txt": QRELS, "docs.csv": b"docid,title\nd1,A\n"})
    assert document(data.shaped("only~query~11"), "d1").title == "A"


def test_only_ids_of_the_rankings_are_stored() -> None:
    many = "".join(f"z{number},T{number}\n" for number in range(1_000))
    data = read_files({**RANKED, "docs.csv": f"docid,title\nd1,T\n{many}".encode()})
    assert data.frame["title"].dropna().tolist() == ["T"]
    assert len(data.frame) == len(read_files(RANKED).frame)


def test_the_exported_python_reads_them_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**RANKED, "docs.csv": b"docid,title\nd1,A\n", "images.zip": zipped(**{"d1.png": PNG})}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    data = read_files(files)
    with_roles = data.with_roles(data.roles.to_text().replace("~~title~title", ""))
    for dataset, title in ((data, "A"), (with_roles, "")):
        source = Source("id", "t", dataset, dataset.systems[0], *dataset.tally(), None if title else data.roles)
        namespace: dict = {}
        exec(source.code, namespace)  # noqa: S102
        assert document(namespace["data"], "d1").title == title
        pd.testing.assert_frame_equal(namespace["data"].frame, dataset.frame)


def test_a_large_table_is_read_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalcore.readers.files import columnar as large_files

    monkeypatch.setattr(large_files, "SMALL", 10)
    data = add_faces(read_files(RANKED), {"docs.tsv": b"docid\ttitle\nd1\tA\n"})
    assert document(data, "d1").title == "A"
