"""Runs and judgments as the text of TREC files, which trec_eval and `evalcore.readers` read."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from urllib.parse import quote

from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.runs import Run

__all__ = ["trec_qrels_text", "trec_run_text"]

# Blanks, and a percent sign that would be read as one of ours.
_SPLIT = re.compile(r"\s|%(?=[0-9A-F]{2})")


def trec_run_text(run: Run, runid: str = "run") -> str:
    """A run as TREC writes it: query, Q0, document, rank from 1, score in full digits, and what the run calls itself.

    A line is split at blanks, so a blank inside an id is written as in an address, "%20".

    >>> print(trec_run_text(Run.from_arrays(["q 1", "q 1"], ["d1", "d2"], [0.5, 1.5]), "mine"), end="")
    q%201 Q0 d2 1 1.5 mine
    q%201 Q0 d1 2 0.5 mine
    """
    end = f"{_fields([runid])[0] or 'run'}\n"
    queries, documents, scores = _fields(run.queries), _fields(run.documents.texts()), run.scores.tolist()
    lines = (
        f"{name} Q0 {documents[row]} {rank} {scores[row]!r} {end}"
        for name, rows in zip(queries, _lists(run), strict=True)
        for rank, row in enumerate(rows, 1)
    )
    return "".join(lines)


def trec_qrels_text(judgments: Judgments) -> str:
    """Judgments as TREC writes them: query, 0, document and grade; blanks in ids as for a run.

    >>> print(trec_qrels_text(Judgments.from_arrays(["q1", "q1"], ["d1", "d2"], [1, 0.5])), end="")
    q1 0 d1 1
    q1 0 d2 0.5
    """
    queries, documents = _fields(judgments.queries), _fields(judgments.documents.texts())
    rows = zip(judgments.codes.tolist(), documents, judgments.grades.tolist(), strict=True)
    return "".join(f"{queries[code]} 0 {document} {_grade(grade)}\n" for code, document, grade in rows)


def _lists(run: Run) -> Iterator[list[int]]:
    """The rows of each query from its first rank to its last."""
    for first, last in pairwise(run.starts.tolist()):
        yield run.rows_at(first, last).tolist()


def _grade(grade: float) -> str:
    return f"{grade:.0f}" if grade.is_integer() else repr(grade)


def _fields(names: Iterable[str]) -> list[str]:
    return [_SPLIT.sub(lambda match: quote(match[0], safe=""), name) for name in names]
