"""Ranked lists from every engine beside those in memory, on rows that engines treat in different ways."""

import numpy as np
import pyarrow as pa
import pytest

from evalcore.engines import JudgedHits, judgments_of, ranking_dataset
from evalcore.readers import ReadProblem
from evalcore.retrieval import Hits, Judgments, Run, evaluate

pytestmark = pytest.mark.filterwarnings("ignore")  # of the engines, which speak of their own future

N = 400


def missing(values: np.ndarray, rows: np.ndarray) -> pa.Array:
    """A column whose values are missing in some rows."""
    return pa.array(values, mask=rows)


def test_ranks_by_system(make, rows) -> None:
    system, query = np.array(["α", "b"])[rows["ill"]], np.array([f"q{unit % 7}" for unit in rows["unit"]])
    document = np.array([f"d{i}" for i in range(N)])
    scores = np.round(rows["score"], 1)
    none = rows["none"][:, 0]
    columns = {"system": missing(system, none), "query": query, "document": document, "score": scores}
    judged = rows["wrong"] != 1
    grades = rows["unit"] % 3
    truth = make(pa.table({"query": query[judged], "document": document[judged], "grade": grades[judged]}))
    hits, judgments = JudgedHits.of(make(pa.table(columns)), truth, system="system"), judgments_of(truth)
    assert (hits.systems, hits.left_out) == (("b", "α"), np.count_nonzero(none))
    for name in hits.systems:
        part = (system == name) & ~none
        run = Run.from_arrays(query[part].tolist(), document[part].tolist(), scores[part])
        ours, theirs = hits.hits(judgments, name), Hits.of(judgments, run)
        for field in ("query", "rank", "grade", "retrieved", "first", "last"):
            assert getattr(ours, field).tolist() == getattr(theirs, field).tolist(), field
    data = ranking_dataset(hits, judgments)
    assert data.systems == hits.systems
    assert data.state("placed_hits", "α")[0].rank.tolist() == hits.hits(judgments, "α").rank.tolist()


def test_ranks_of_judged_documents(make, rows) -> None:
    query, document = np.array([f"q{unit}" for unit in rows["unit"]]), np.array([f"dø{i % 97}" for i in range(N)])
    first = np.unique(np.char.add(query, document), return_index=True)[1]
    query, document = query[first], document[first]
    scores = np.round(rows["score"][first], 1)
    scores[:4] = [np.inf, -np.inf, -0.0, 0.0]
    bad = np.where(rows["wrong"][first] == 1, np.nan, scores)
    none = rows["none"][first]
    used = ~none[:, 0] & ~none[:, 1] & ~np.isnan(bad)
    judged = rows["none"][first, 2] | (rows["wrong"][first] > 1) | (rows["ill"][first] == 1)
    theirs = [*query[judged], "q0", "nobody"], [*document[judged], "absent", "absent"]
    grades = np.append(rows["unit"][first][judged] % 4 - 1, [1, 2])
    truth = make(pa.table({"query": theirs[0], "document": theirs[1], "grade": grades}))
    run = make(pa.table({"query": missing(query, none[:, 0]), "document": document, "score": missing(bad, none[:, 1])}))
    hits, judgments = JudgedHits.of(run, truth), judgments_of(truth)
    expected_judgments = Judgments.from_arrays(*theirs, grades)
    expected_run = Run.from_arrays(query[used].tolist(), document[used].tolist(), bad[used])
    expected = Hits.of(expected_judgments, expected_run)
    ours = hits.hits(judgments)
    assert hits.left_out == np.count_nonzero(~used)
    for name in ("query", "rank", "grade", "retrieved", "first", "last"):
        assert getattr(ours, name).tolist() == getattr(expected, name).tolist(), name
    measured = hits.evaluate(judgments, ["AP", "nDCG@10"])
    wanted = evaluate(expected_judgments, expected_run, ["AP", "nDCG@10"])
    assert measured.values["AP"].tolist() == wanted.values["AP"].tolist()
    assert sorted(measured.unjudged) == sorted(wanted.unjudged)


def test_a_document_that_stands_twice_is_refused(make) -> None:
    run = make(pa.table({"query": ["q", "q"], "document": ["ä", "ä"], "score": [1.0, 0.5]}))
    truth = make(pa.table({"query": ["q"], "document": ["b"], "grade": [1]}))
    with pytest.raises(ReadProblem, match=r'"ä".*twice.*"q"'):
        JudgedHits.of(run, truth)
    twice = make(pa.table({"query": ["q", "q"], "document": ["b", "b"], "grade": [1, 2]}))
    with pytest.raises(ReadProblem, match='Document "b" is judged twice'):
        judgments_of(twice)
