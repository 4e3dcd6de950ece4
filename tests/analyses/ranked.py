"""Rankings of a sample, a table or TREC files, for tests of what is said of them."""

import runpy
from dataclasses import replace
from pathlib import Path

from evalcore.analyses import Rankings, Source
from evalcore.readers import DataSet, read_files, read_sample, read_table, samples

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq3 0 d 0\n"
RUN = "q1 Q0 a 1 3 x\nq1 Q0 z 2 2 x\nq1 Q0 c 3 1 x\nq3 Q0 d 1 1 x\nq9 Q0 a 1 1 x\n"
# Query 1 has one document, found; query 2 finds one of four among four; query 3 finds nothing.
THREE = "query,document,score,grade\n" + "".join(
    f"{query},{document},{score},{grade}\n"
    for query, document, score, grade in (
        ("1", "a", 1, 1), ("2", "a", 4, 1), ("2", "b", 3, 0), ("2", "c", 2, 0), ("2", "d", 1, 0), ("2", "e", "", 1),
        ("2", "f", "", 1), ("2", "g", "", 1), ("3", "h", "", 1),
    )
)  # fmt: skip


def rankings(data: str | DataSet, system: str | None = None, **settings: float | bool) -> Rankings:
    """The rankings of a sample by its id, of a CSV by its text, or of a data set."""
    if isinstance(data, DataSet):
        source = Source.of(data, system)
    elif data in samples():
        source = replace(Source.of(read_sample(data), system), id=data)
    else:
        source = Source.of(read_table(data.encode(), "table.csv"), system)
    return Rankings(source, source.system, **settings)


def trec(qrels: str = QRELS, run: str = RUN, **settings: float | bool) -> Rankings:
    """The rankings of two TREC files."""
    return rankings(read_files({"qrels.txt": qrels.encode(), "mine.run": run.encode()}), **settings)


def list_of(*grades: float | str) -> str:
    """A table: one list with these grades down its ranks; "" is an unjudged document."""
    rows = "".join(f"q,d{place},{-place},{grade}\n" for place, grade in enumerate(grades))
    return "query,document,score,grade\n" + rows


def run_script(code: str, folder: Path) -> None:
    """Run an exported script."""
    path = folder / "script.py"
    path.write_text(code)
    runpy.run_path(str(path))


def text(markdown: str) -> str:
    """Markdown with ordinary blanks."""
    return markdown.replace("\u202f", " ").replace("\u2060", "")
