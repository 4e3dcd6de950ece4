"""Lists that are summed up have the measures, ranges and comparisons of the lists themselves."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore.analyses import (
    JudgmentMap,
    JudgmentReduction,
    QueryDifferences,
    RankedList,
    Rankings,
    RankingSummary,
    RetrievedSets,
    SideBySideRankings,
    Source,
    compare_rankings,
)
from evalcore.engines import JudgedHits, judgments_of, ranking_dataset
from evalcore.readers import DataSet, ReadProblem, Workspace, roles_of
from evalcore.retrieval import unjudged_ranges

NAMES = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "bpref", "judged@k", "infAP")
ROLES = roles_of(query="query", document="document", grade="grade", score=("score",), system="system")


@pytest.fixture(scope="module")
def tables() -> tuple[pa.Table, pa.Table]:
    """Runs of three systems with ties, a query that one of them lacks and one that nobody judged; the judgments."""
    random = np.random.default_rng(21)
    rows = []
    for system, quality in (("bm25", 0.4), ("dense", 0.7), ("ø'\"", 0.0)):
        for query in [*range(30), "ü"]:
            documents = random.choice(80, 40, replace=False)
            relevant = documents < 8
            scores = np.round(random.normal(0, 1, 40) + quality * relevant, 1)
            if (system, query) != ("dense", 7):
                rows += [
                    (system, str(query), f"d{one:02}", score) for one, score in zip(documents, scores, strict=True)
                ]
    judged = [(str(query), f"d{one:02}") for query in [*range(30), "lost"] for one in range(0, 24)]
    grades = [random.integers(-1, 4) if int(name[1:]) < 12 else 0 for _, name in judged]
    run = pa.table(dict(zip(("system", "query", "document", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    queries, documents = map(list, zip(*judged, strict=True))
    return run, pa.table({"query": queries, "document": documents, "grade": grades})


@pytest.fixture(scope="module")
def both(tables: tuple[pa.Table, pa.Table]) -> tuple[DataSet, DataSet]:
    """Summed up by shards of one system each, and as lists."""
    run, judged = tables
    shards = [run.filter(pa.compute.equal(run["system"], name)) for name in ("dense", "bm25", "ø'\"")]
    hits = JudgedHits.joined(JudgedHits.of(shard, judged, system="system") for shard in shards)
    frame = run.to_pandas().merge(judged.to_pandas(), how="outer", on=["query", "document"])
    return ranking_dataset(hits, judgments_of(judged), "three"), DataSet.of(frame, roles=ROLES)


def test_the_order_in_which_shards_arrive_changes_nothing(tables: tuple[pa.Table, pa.Table]) -> None:
    run, judged = tables
    whole = JudgedHits.of(run, judged, system="system")
    names = whole.systems
    parts = [
        JudgedHits.of(run.filter(pa.compute.equal(run["system"], name)), judged, system="system") for name in names
    ]
    data = [ranking_dataset(JudgedHits.joined(order), judgments_of(judged)) for order in (parts, parts[::-1], [whole])]
    assert [one.systems for one in data] == [names] * 3
    assert len({one.digest for one in data}) == 1


def rankings_of(data: DataSet, system: str, **settings) -> Rankings:
    return Rankings(Source.of(data, system), system, **settings)


@pytest.mark.parametrize("settings", [{}, {"k": 3, "level": 2.0, "only_common": True}])
def test_measures_and_comparisons_are_those_of_the_lists(both: tuple[DataSet, DataSet], settings: dict) -> None:
    assert sorted(both[0].systems) == sorted(both[1].systems)
    ours, theirs = (rankings_of(data, "dense", **settings) for data in both)
    values = [one.per_query(NAMES) for one in (ours, theirs)]
    assert values[0].queries == values[1].queries
    for name in NAMES:
        np.testing.assert_array_equal(values[0].values[name], values[1].values[name], name)
    assert (ours.coverage, ours.missing(), ours.unjudged()) == (theirs.coverage, theirs.missing(), theirs.unjudged())
    comparisons = [compare_rankings(one, "bm25") for one in (ours, theirs)]
    assert comparisons[0].verdict == comparisons[1].verdict
    assert comparisons[0].notes == comparisons[1].notes
    assert comparisons[0].difference.test.p_value == comparisons[1].difference.test.p_value
    pairs = [QueryDifferences.of(one).table for one in comparisons]
    assert list(map(str, pairs[0].values())) == list(map(str, pairs[1].values()))
    reductions = [JudgmentReduction(one) for one in comparisons]
    bounds = [sorted(zip(*one.bounds_table(0.5).values(), strict=True)) for one in reductions]
    assert bounds[0] == bounds[1]
    maps = [JudgmentMap(one, 0.0) for one in reductions]
    assert maps[0].grid.tolist() == maps[1].grid.tolist()
    steps = [{step.title: step.number for step in one.workflow} for one in maps]
    assert {**steps[0], "Pool": steps[1]["Pool"]} == steps[1]
    spans = [
        span.high.tolist()
        for one in (ours, theirs)
        for span in unjudged_ranges(one.hits(), [one.measure("AP")]).values()
    ]
    assert spans[0] == spans[1]
    averages = [RetrievedSets(one, collection=1000).averages_table for one in (ours, theirs)]
    assert list(map(str, averages[0])) == list(map(str, averages[1]))


def test_a_list_shows_what_is_judged(both: tuple[DataSet, DataSet]) -> None:
    ours, theirs = (RankedList(rankings_of(data, "bm25"), "4") for data in both)
    assert ours.verdict == theirs.verdict
    assert ours.average_precision == theirs.average_precision
    assert ours.documents == [name if int(name[1:]) < 24 else "(unknown)" for name in theirs.documents]
    assert RankedList(rankings_of(both[0], "dense"), "7").documents == []
    lists = pd.DataFrame(SideBySideRankings(rankings_of(both[0], "bm25"), "dense", "4").table)
    # Of two unjudged documents nobody knows whether they are one.
    unknown = lists.loc[lists["document"] == "(unknown)", ["rank in A", "rank in B"]]
    assert len(unknown) > 40
    assert unknown.isna().sum(axis=1).eq(1).all()
    summaries = [RankingSummary(rankings_of(data, "bm25"), NAMES) for data in both]
    notes = [summary.tie_note.split(". ")[0].rstrip(".") for summary in summaries]
    assert notes[0] == notes[1] != ""
    with pytest.raises(ReadProblem, match="summed up"):
        both[0].run("bm25")


def test_it_is_stored_and_its_code_runs(both: tuple[DataSet, DataSet], tmp_path: Path, monkeypatch) -> None:
    workspace = Workspace(tmp_path / "ws", 10**8)
    data = workspace.load(workspace.save(both[0]))
    assert (data.kind, data.roles) == ("run + judgments", both[0].roles)
    sentences = [one.sentence for one in data.findings]
    assert any(one.startswith("3\u202f680 documents in 92 lists") for one in sentences)
    # The table that anybody's SQL makes is one that can be opened.
    data.frame.to_csv(tmp_path / "hits.csv", index=False)
    from evalcore.readers import read_table

    monkeypatch.chdir(tmp_path)
    opened = read_table("hits.csv")
    assert opened.roles == data.roles
    summary = RankingSummary(rankings_of(opened, "dense"), NAMES)
    for code in (summary.code, RetrievedSets(summary.rankings).code("4")):
        exec(code, {})  # noqa: S102


LISTS = {"system": ["a"] * 3, "query": ["q"] * 3, "document": ["x", "y", None], "grade": [1, 0, None]}
LISTS |= {"rank": [2, 3, None], "list_length": [5, 5, 5]}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rank": [2, 6, None]}, "6 in line 3"),
        ({"rank": [0, 3, None]}, "holds the rank 0"),
        ({"rank": [1.5, 3, None]}, "holds the rank 1.5"),
        ({"list_length": [5, 6, 5]}, '"q" the length 5'),
        ({"document": ["x", "x", None], "grade": [1, 1, None]}, 'Document "x" is retrieved twice'),
    ],
)
def test_what_is_wrong_with_summed_lists_is_said(changed: dict, sentence: str) -> None:
    data = DataSet.of(pd.DataFrame(LISTS))
    assert data.roles.get("length") == "list_length"
    assert [one.level for one in data.findings if one.code == "unusable"] == []
    wrong = DataSet.of(pd.DataFrame(LISTS | changed))
    assert [one.level for one in wrong.findings if one.code == "unusable"] == ["error"]
    with pytest.raises(ReadProblem, match=sentence):
        wrong.state("placed_hits", "a")
