"""A zip of several tables opens as if these had been chosen together."""

import io
import json
import zipfile

import pytest

from evalcore.readers import HalfMissing, ReadProblem, opened_archives, read_files, read_table
from tests.words import facts, sentence_with

TRUTH = b"id,y\n" + b"".join(b"p%d,%d\n" % (row, row % 2) for row in range(30))
MODELS = [
    b"id,score\n" + b"".join(b"p%d,0.%d\n" % (row, 10 + row * step % 80) for row in range(30)) for step in (7, 11)
]
CORPUS = "\n".join(json.dumps({"_id": f"d{n}", "title": f"Title {n}", "text": "words"}) for n in range(9)).encode()
QUERIES = "\n".join(json.dumps({"_id": f"q{n}", "text": f"question {n}"}) for n in range(3)).encode()
QRELS = b"query-id\tcorpus-id\tscore\n" + b"".join(b"q%d\td%d\t1\n" % (n % 3, n) for n in range(9))
RUN = b"".join(b"q%d Q0 d%d %d %f mine\n" % (n % 3, n, n // 3 + 1, 1 / (n + 1)) for n in range(9))


def packed(**files: bytes) -> bytes:
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


BEIR = packed(
    **{
        "scifact/corpus.jsonl": CORPUS,
        "scifact/queries.jsonl": QUERIES,
        "scifact/qrels/train.tsv": QRELS,
        "scifact/qrels/test.tsv": QRELS,
        "__MACOSX/scifact/._corpus.jsonl": b"\0",
        "scifact/.DS_Store": b"\0",
    }
)


def test_truth_and_predictions_of_models_are_joined() -> None:
    files = {"truth.csv": TRUTH, "bert/predictions.csv": MODELS[0], "rnn/predictions.csv": MODELS[1], "README.md": b"#"}
    data = read_files({"all.zip": packed(**files)})
    assert (data.kind, len(data.systems), len(data)) == ("scores", 2, 30)
    assert sentence_with(data.name, "rnn predictions.csv")
    assert facts(data.findings[-1].sentence) == "all.zip 3 README.md"
    assert data.with_roles(data.roles).read_findings == data.read_findings


def test_a_download_of_beir_waits_for_a_run_and_shows_its_texts() -> None:
    with pytest.raises(HalfMissing, match=r"test\.tsv.* holds judgments"):
        read_files({"scifact.zip": BEIR})
    data = read_files({"scifact.zip": BEIR, "mine.run": RUN})
    assert (data.kind, data.systems) == ("run + judgments", ("mine",))
    assert data.document_faces().among(["d3"])[0].title == "Title 3"
    assert any('"train.tsv" is left out' in finding.sentence for finding in data.findings)


def test_one_table_beside_a_readme_is_that_table() -> None:
    archive = packed(**{"data/x.csv": b"y,score\n1,0.9\n0,0.2\n", "data/README.txt": b"about", "data/_SUCCESS": b""})
    assert read_table(archive, "x.zip").kind == read_files({"x.zip": archive}).kind == "scores"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a.py": b"1", "b.pdf": b"2"}, r"holds 2 files and no table: .a\.py., .b\.pdf."),
        ({f"{n}.csv": TRUTH for n in range(101)}, "100 are opened together"),
        ({"a.csv": b"0" * 3_000_000, "b.csv": b"0" * 3_000_000}, "at most 5 MB are read"),
    ],
)
def test_what_holds_nothing_or_too_much_is_refused(files: dict[str, bytes], sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        opened_archives({"x.zip": packed(**files)}, 5_000_000)


def test_a_locked_archive_is_refused() -> None:
    data = bytearray(packed(**{"a.csv": TRUTH, "b.csv": TRUTH}))
    place = data.find(b"PK\1\2")
    data[place + 8] |= 1
    with pytest.raises(ReadProblem, match="protected by a password"):
        read_files({"x.zip": bytes(data)})
