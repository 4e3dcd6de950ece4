"""Relevance as typed pairs: the documents that somebody calls relevant for queries, in place of the judgments."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
import pandas as pd

from evalcore.readers import column_names as names
from evalcore.readers.datasets import DataSet
from evalcore.readers.kinds import RankingRoles
from evalcore.readers.problems import Finding, ReadProblem, listed, named
from evalcore.readers.values import text_of
from evalcore.wording.numbers import count_text

__all__ = ["judged_by_pairs"]

_MOST_LETTERS = 1_000_000


def judged_by_pairs(ranked: DataSet, text: str) -> DataSet:
    """Rankings judged anew: the typed pairs are relevant, and every other document is unjudged.

    Each line names a query and a document, then a grade if it is not 1, with commas, semicolons, tabs or blanks
    between; lines of qrels (query, iteration, document, grade) will do. Queries that no line names are not judged.

    Raises
    ------
    ReadProblem
        If the data set holds no rankings, or a line is no pair, names a query without a list, or a pair stands twice.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> data = judged_by_pairs(read_sample("ranking_14"), "1, 588\\n1, 990, 2\\n1, 7")
    >>> len(data.judgments()), data.judgments().pool.relevant(1).tolist(), data.findings[0].sentence
    (3, [3], '3 typed pairs are the judgments; 1 names a document that no system retrieved.')
    """
    if not isinstance(ranked.roles, RankingRoles):
        raise ReadProblem(f"{named(ranked.name)} holds no rankings, so nothing can be judged. Open rankings first.")
    if ranked.shape.steps:
        return judged_by_pairs(ranked.unshaped, text)
    roles, frame = ranked.roles, ranked.frame
    queries, documents = (frame[column].map(text_of, na_action="ignore") for column in (roles.query, roles.document))
    known = dict(zip(queries, frame[roles.query], strict=True))
    grades = _grades(text, set(known))
    keys = pd.MultiIndex.from_arrays([queries, documents])
    given = pd.Series(grades.values(), pd.MultiIndex.from_tuples(grades), dtype=np.float64)
    judged = frame.assign(**{roles.grade: given.reindex(keys).to_numpy()})
    if missing := given.index[~given.index.isin(keys)].tolist():
        is_text = frame[roles.document].dtype == "str"
        judged[roles.document] = documents.where(documents.notna(), None).astype("str")
        columns = {
            roles.query: [known[query] for query, _ in missing],
            roles.document: [document for _, document in missing],
            roles.grade: [grades[pair] for pair in missing],
        }
        more = pd.DataFrame(columns).astype({roles.document: judged[roles.document].dtype})
        judged = pd.concat([judged, more], ignore_index=True)
        if not is_text and all(re.fullmatch(r"-?\d{1,15}", one) for one in judged[roles.document]):
            judged[roles.document] = judged[roles.document].astype(np.int64)
    pairs = "1 typed pair is" if len(grades) == 1 else f"{count_text(len(grades))} typed pairs are"
    outside = f"; {count_text(len(missing))} {'names' if len(missing) == 1 else 'name'} a document that no system"
    sentence = f"{pairs} the judgments" + (f"{outside} retrieved." if missing else ".")
    finding = Finding("info", sentence, len(grades), roles.grade, code="typed pairs")
    digest = hashlib.blake2b(f"{ranked.digest}\0{text}".encode(errors="surrogatepass"), digest_size=16).hexdigest()
    made = DataSet.of(
        judged, f"{ranked.name} judged by pairs", roles=cast(RankingRoles, roles), digest=digest, lines=ranked.lines,
        read_findings=(finding, *ranked.read_findings),
    )  # fmt: skip
    return replace(made, face_files=ranked.face_files)


def _grades(text: str, queries: set[str]) -> dict[tuple[str, str], float]:
    """The grade of each typed pair."""
    if len(text) > _MOST_LETTERS:
        raise ReadProblem(f"At most {count_text(_MOST_LETTERS)} letters can be typed. Open the judgments as a file.")
    grades: dict[tuple[str, str], float] = {}
    for number, (query, document, grade) in _lines(text):
        if query not in queries:
            raise ReadProblem(
                f"Line {number} names the query {named(query)}, for which there is no list. Queries here are called "
                f"{listed(sorted(queries), 3)}."
            )
        if (query, document) in grades:
            raise ReadProblem(f"Line {number} repeats {named(document)} for query {named(query)}. Keep one of them.")
        grades[query, document] = grade
    if not grades:
        raise ReadProblem("Type one pair per line: a query and a document that is relevant for it.")
    return grades


def _lines(text: str) -> Iterator[tuple[int, tuple[str, str, float]]]:
    for number, line in enumerate(text.splitlines(), 1):
        separator = next((one for one in "\t;," if one in line), None)
        parts = [part.strip() for part in (line.split(separator) if separator else line.split())]
        if not any(parts) or (number == 1 and names.simple(parts[0]) in names.QUERY and not parts[-1].isdigit()):
            continue
        if len(parts) == 4:
            del parts[1]  # the iteration of qrels
        if len(parts) not in (2, 3) or not all(parts):
            raise ReadProblem(f"Line {number} is no pair. Type a query and a document, then a grade if it is not 1.")
        yield number, (parts[0], parts[1], _grade(parts[2], number) if len(parts) == 3 else 1.0)


def _grade(text: str, number: int) -> float:
    try:
        grade = float(text)
    except ValueError:
        grade = math.nan
    if not math.isfinite(grade):
        raise ReadProblem(f"Line {number} has the grade {named(text)}, which is no number.")
    return grade
