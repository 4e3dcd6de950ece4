"""States read from a table of judged lists, and the table made of states, against the way over texts."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, read_qrels, read_run, roles_of
from evalcore.readers.base.values import ids_of, text_of, texts_of
from evalcore.readers.table.table import STATES
from evalcore.readers.trec.trec import ranked_dataset
from evalcore.retrieval import Judgments, Run
from evalcore.retrieval.id_table import IdTable

QRELS = b"q2 0 d1 1\nq1 0 d10 0\nq1 0 d1 2\nq1 0 \xc3\xa4 1\nq1 0 a-much-longer-name 1\n"
RUNS = {
    "a": b"q1 Q0 d1 1 0.9 x\nq1 Q0 d2 2 0.4 x\nq3 Q0 d1 1 7 x\nq1 Q0 \xff 3 0.2 x\n",
    "b": b"q2 Q0 d10 1 0.9 x\nq1 Q0 a-much-longer-name 2 0.4 x\nq1 Q0 a-much-longer-nam 2 0.3 x\n",
}


def merged(judgments: Judgments, runs: dict[str, Run]) -> pd.DataFrame:
    """The table as merging frames of texts makes it."""

    def frame(table: Run | Judgments, numbers: np.ndarray, name: str) -> pd.DataFrame:
        queries = [table.queries[code] for code in table.codes]
        texts = {"query": pd.Series(queries, dtype="str"), "document": pd.Series(table.documents.texts(), dtype="str")}
        return pd.DataFrame({**texts, name: numbers})

    table = frame(judgments, judgments.grades, "grade")
    for name, run in runs.items():
        table = table.merge(frame(run, run.scores, name), on=["query", "document"], how="outer")
    table = table.sort_values(["query", "document"], kind="stable", ignore_index=True)
    return table[["query", "document", *runs, "grade"]]


def told(state: Run | Judgments) -> tuple:
    numbers = state.scores if isinstance(state, Run) else state.grades
    return state.queries, state.codes.tolist(), state.documents.texts(), numbers.tolist()


def by_texts(dataset: DataSet, column: str, system: str | None = None) -> tuple[list[str], list[str], list[float]]:
    """Queries, documents and numbers of the rows that have all three, each pair with its number once."""
    roles, frame = dataset.roles, dataset.frame
    frame = frame if system is None else frame[frame[roles.system] == system]
    frame = frame[frame[[roles.query, roles.document, column]].notna().all(axis=1)]
    rows = zip(frame[roles.query].map(text_of), frame[roles.document], frame[column].astype(float), strict=True)
    return tuple(map(list, zip(*dict.fromkeys(rows), strict=True)))


def test_the_table_is_the_one_that_merging_makes() -> None:
    judgments, runs = read_qrels(QRELS), {name: read_run(data) for name, data in RUNS.items()}
    pd.testing.assert_frame_equal(ranked_dataset(judgments, runs, "x").frame, merged(judgments, runs))


def test_of_many_rows_too() -> None:
    rng = np.random.default_rng(4)
    pairs = np.unique(rng.integers(0, 300, (6000, 2)), axis=0)
    rng.shuffle(pairs)
    queries, documents = [f"q{q}" for q in pairs[:, 0]], [f"doc{d * d * 1009}" for d in pairs[:, 1]]
    judged = Judgments.from_arrays(queries[:3000], documents[:3000], rng.integers(0, 4, 3000))
    run = Run.from_arrays(queries[2000:], documents[2000:], rng.random(len(pairs) - 2000))
    dataset = ranked_dataset(judged, {"mine": run}, "many")
    pd.testing.assert_frame_equal(dataset.frame, merged(judged, {"mine": run}))
    shared = told(dataset.run()), told(dataset.judgments())
    STATES.clear()
    assert shared == (told(dataset.run()), told(dataset.judgments()))
    assert told(dataset.run()) == told(Run.from_arrays(*by_texts(dataset, "mine")))
    assert told(dataset.judgments()) == told(Judgments.from_arrays(*by_texts(dataset, "grade")))


LONG = {"qid": [1.0, 1, 1, 2, np.nan, 1], "docno": ["a", "a", "b", "c", "d", "c"], "grade": [1, 1, 0, 2, 1, 1.0]}


@pytest.mark.parametrize("text", [True, False])
def test_systems_below_each_other_repeat_their_grades(text) -> None:
    frame = pd.DataFrame({**LONG, "system": ["x", "y", "x", "x", "y", None], "score": [3.0, 2, 1, np.nan, 1, 1]})
    if text:
        frame["qid"] = frame["qid"].map(lambda q: None if q != q else f"q{q:g}").astype("str")
    roles = roles_of(query="qid", document="docno", grade="grade", system="system", score=("score",))
    dataset = DataSet.of(frame, "long", roles=roles)
    assert told(dataset.judgments()) == told(Judgments.from_arrays(*by_texts(dataset, "grade")))
    for system, documents in (("x", ["a", "b"]), ("y", ["a"])):
        assert dataset.run(system).documents.texts() == documents
        assert told(dataset.run(system)) == told(Run.from_arrays(*by_texts(dataset, "score", system)))


def test_what_stands_twice_is_told_with_its_lines_and_an_empty_id_as_such() -> None:
    frame = pd.DataFrame({"q": ["1", "1"], "d": ["a", "a"], "s": [1.0, 2.0], "g": [1.0, 0.0]})
    dataset = DataSet.of(frame, "twice", roles=roles_of(query="q", document="d", score=("s",), grade="g"))
    with pytest.raises(ReadProblem, match=r'"a".*"1": line 2 and line 3 of "twice"'):
        dataset.run()
    with pytest.raises(ReadProblem, match=r'"a".*two grades.*"1"'):
        dataset.judgments()
    frame = pd.DataFrame({"q": ["1", "1"], "d": ["a", ""], "s": [1.0, 2.0], "g": [1.0, 0.0]})
    dataset = DataSet.of(frame, "empty", roles=roles_of(query="q", document="d", score=("s",), grade="g"))
    with pytest.raises(ReadProblem, match=r'"d".*line 3'):
        dataset.run()


@pytest.mark.parametrize("names", [[], ["a"], ["", "a", ""], ["d1", "d10", "a-much-longer-name", "ä"]])
def test_names_and_columns_of_texts_are_the_same(names) -> None:
    made = IdTable.of([name or "x" for name in names])
    assert texts_of(made).to_pylist() == made.texts()
    assert texts_of(made.take(slice(None, None, -1))).to_pylist() == made.texts()[::-1]
    assert ids_of(texts_of(made)).texts() == made.texts()
    assert ids_of(texts_of(made)[1:]).texts() == made.texts()[1:]


def test_bytes_that_are_no_text_are_written_as_escapes() -> None:
    assert texts_of(IdTable.of([b"\xff", b"a"])).to_pylist() == ["\\xff", "a"]
