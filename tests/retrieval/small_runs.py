"""Small judgments and runs, full of ties, of missing and unjudged queries, and of negative grades."""

from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st

from evalcore.retrieval import Judgments, Run

thorough = settings(max_examples=30, deadline=None)


@dataclass(frozen=True)
class Case:
    """Judgments and a run as dictionaries: grade by document by query, score by document by query."""

    grades: dict[str, dict[str, int]]
    scores: dict[str, dict[str, float]]

    @property
    def judgments(self) -> Judgments:
        return Judgments.from_arrays(*columns(self.grades))

    @property
    def run(self) -> Run:
        return Run.from_arrays(*columns(self.scores))


def columns(table: dict[str, dict[str, float]]) -> tuple[list, list, list]:
    """Three columns of a dictionary of dictionaries."""
    rows = [(query, document, value) for query, found in table.items() for document, value in found.items()]
    return tuple(map(list, zip(*rows, strict=True))) if rows else ([], [], [])


# Names that are prefixes of one another, reach over eight bytes, or hold more than ASCII.
DOCUMENTS = ("d", "d1", "d10", "d2", "a-long-name-1", "a-long-name-2", "a-long-name-10", "Ä", "z", "12345678", "0")
queries = st.sampled_from(["1", "2", "3", "10"])
documents = st.sampled_from(DOCUMENTS)
# Exact as float32, which is what trec_eval 9 keeps.
scores = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, -3.25])


def grades_of(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(queries, st.dictionaries(documents, values, min_size=1, max_size=11), min_size=1)


whole_grades = st.integers(0, 3)


def cases(values: st.SearchStrategy = whole_grades) -> st.SearchStrategy[Case]:
    found = st.dictionaries(queries, st.dictionaries(documents, scores, min_size=1, max_size=11), min_size=1)
    return st.builds(Case, grades_of(values), found)
