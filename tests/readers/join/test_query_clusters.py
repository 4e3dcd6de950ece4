"""Queries that belong together: which columns are offered, what is refused, and what every page of rankings says."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import RANKING_TESTS, Rankings, RankingSummary, Source, compare_rankings, widening_text
from evalcore.analyses.data.shaping import offer_word
from evalcore.inference import clustered_test, paired_t
from evalcore.readers import DataSet, Finding, ReadProblem, add_faces, read_files, reassigned
from tests.analyses.ranked import run_script
from tests.words import sentence_with

CODES = ("queries together", "two clusters", "rows alone", "one cluster", "no cluster")


def ranked(topics: int = 12, each: int = 5, seed: int = 3, name: str = "topic") -> pd.DataFrame:
    """Queries of some topics; a system ranks well or badly for all queries of a topic."""
    random = np.random.default_rng(seed)
    queries = topics * each
    query, topic = np.repeat(np.arange(queries), 6), np.repeat(np.arange(topics), 6 * each)
    grade = np.tile([1, 1, 0, 0, 0, 0], queries)
    effect = random.normal(size=(2, topics))[:, topic]
    noise = random.normal(size=(2, queries * 6)) / 2
    scores = {f"system_{one}": (effect[i] * grade + noise[i]).round(4) for i, one in enumerate("ab")}
    document = np.tile([f"d{number}" for number in range(6)], queries)
    ids = {"query_id": [f"q{one}" for one in query], "document": document, "grade": grade}
    return pd.DataFrame({**ids, **scores, name: [f"t{one}" for one in topic]})


def belonging(frame: pd.DataFrame, name: str = "topic") -> DataSet:
    data = DataSet.of(frame)
    return data.with_roles(reassigned(data.roles, "cluster", name, frame))


def findings(data: DataSet) -> dict[str, Finding]:
    return {one.code: one for one in data.findings if one.code in CODES}


@pytest.mark.parametrize(
    ("name", "each", "level"),
    [
        ("topic", 5, "warning"),
        ("topic_id", 5, "warning"),
        ("user", 5, "warning"),
        ("Session ID", 5, "warning"),
        ("batch_id", 2, "info"),
        ("batch_id", 5, None),  # a dozen ids of something unknown are groups
        ("colour", 5, None),
        ("user", 1, None),
    ],
)
def test_names_of_what_queries_belong_to(name: str, each: int, level: str | None) -> None:
    data = DataSet.of(ranked(60 // each, each, name=name))
    offered = findings(data).get("queries together")
    assert (None if offered is None else offered.level) == level
    if offered is not None:
        assert (offered.column, offered.role) == (name, "cluster")
        assert offer_word(offered).startswith("Queries belong to")
        assert sentence_with(widening_text(Source.of(data), name), "mean AP")


def test_a_column_that_differs_within_a_query_is_refused_with_query_and_row() -> None:
    frame = ranked()
    frame.loc[8, "topic"] = "t3"
    assert "queries together" not in findings(DataSet.of(frame))
    data = belonging(frame)
    finding = findings(data)["two clusters"]
    assert (finding.level, finding.column) == ("error", "topic")
    assert sentence_with(finding.sentence, "q1", "t0", "topic", "10", "t3")
    assert "60 queries" in Source.of(data).size
    with pytest.raises(ReadProblem, match='Query "q1" belongs to "t0"'):
        _ = compare_rankings(Rankings(Source.of(data), "system_a")).verdict


def test_queries_without_a_value_alone_or_all_of_one_case_are_told() -> None:
    frame = ranked()
    frame["topic"] = frame["topic"].where(~frame["query_id"].isin(["q3", "q7"]))
    data = belonging(frame)
    assert sentence_with(findings(data)["no cluster"].sentence, "2", "queries")
    assert Source.of(data).clusters == " of 14 topics"
    # A value in one row of the query is enough.
    frame.loc[18, "topic"] = "t0"
    assert Source.of(belonging(frame)).clusters == " of 13 topics"
    alone = belonging(frame.assign(topic=frame["query_id"]))
    assert "different in each query" in findings(alone)["rows alone"].sentence
    assert Source.of(alone).size == Source.of(DataSet.of(frame)).size
    one = belonging(frame.assign(topic="t"))
    assert sentence_with(findings(one)["one cluster"].sentence, "same case")
    verdict = compare_rankings(Rankings(Source.of(one), "system_a")).verdict
    assert verdict.startswith("**Queries that all belong together say nothing about others")


@pytest.mark.parametrize("test", RANKING_TESTS)
def test_a_topic_of_each_query_changes_no_number(test: str) -> None:
    frame = ranked(20, 1)
    plain, alone = (
        compare_rankings(Rankings(Source.of(data), "system_a"), test=test)
        for data in (DataSet.of(frame), belonging(frame))
    )
    np.testing.assert_equal(plain.table, alone.table)
    np.testing.assert_equal(plain.means_table, alone.means_table)
    assert (plain.verdict, plain.legend, plain.formulas) == (alone.verdict, alone.legend, alone.formulas)


@pytest.mark.parametrize("test", RANKING_TESTS)
def test_a_comparison_takes_whole_topics_and_its_code_too(test: str, tmp_path, monkeypatch) -> None:
    frame = ranked()
    data = belonging(frame)
    rankings = Rankings(Source.of(data), "system_a")
    assert rankings.coverage == "60 queries of 12 topics"
    assert "0.520 over 60 queries of 12 topics;" in RankingSummary(rankings, ["AP"]).verdict
    whole, single = (
        compare_rankings(Rankings(Source.of(one), "system_a"), names=["AP"], test=test)
        for one in (data, DataSet.of(frame))
    )
    topics = frame.drop_duplicates("query_id").set_index("query_id")["topic"][list(whole.queries)]
    values = [whole.values(system, "AP") for system in ("system_a", "system_b")]
    mean = clustered_test(paired_t, np.zeros(60), values[0], topics.to_numpy())
    assert whole.means["system_a", "AP"].interval.low == pytest.approx(max(mean.interval.low, 0))
    one, other = whole.difference, single.difference
    assert one.high - one.low > 1.3 * (other.high - other.low)
    assert one.test.p_value > other.test.p_value
    assert "12 clusters" in one.test.method
    assert "of 60 queries of 12 topics." in whole.verdict
    assert sentence_with(whole.notes, "12", "Intervals")
    assert any(note.startswith("**12 topics are few**") for note in whole.notes)
    assert "Means over 60 queries of 12 topics, " in whole.legend
    assert sentence_with(whole.formulas, "queries of a cluster")
    frame.to_csv(tmp_path / "table.csv", index=False)
    monkeypatch.chdir(tmp_path)
    named = DataSet.of(frame, "table.csv")
    source = replace(Source.of(named.with_roles(data.roles), "system_a"), detected_roles=named.roles)
    run_script(compare_rankings(Rankings(source, "system_a"), names=["AP"], test=test).code, tmp_path)


def files_of(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The same rankings as judgments, a run and a table of queries."""
    queries = frame.drop_duplicates("query_id")[["query_id", "topic"]]
    return {
        "qrels": frame[["query_id", "document", "grade"]],
        "run": frame[["query_id", "document", "system_a"]].rename(columns={"system_a": "score"}),
        "queries": queries,
    }


@pytest.mark.parametrize("where", ["qrels", "run", "queries", "later"])
def test_what_queries_belong_to_comes_with_a_file_of_its_own(where: str) -> None:
    frame = ranked()
    parts = files_of(frame)
    if where in ("qrels", "run"):
        # Beside a column that is constant, and one that differs within a query.
        more = {"topic": frame["topic"], "run_id": "x", "user": frame["document"]}
        parts[where] = parts[where].assign(**more)
    texts = {f"{name}.csv": part.to_csv(index=False).encode() for name, part in parts.items()}
    later = texts.pop("queries.csv")
    if where == "queries":
        texts["queries.csv"] = later
    data = read_files(texts)
    data = add_faces(data, {"queries.csv": later}) if where == "later" else data
    assert findings(data)["queries together"].column == "topic"
    assert not {"run_id", "user"} & set(data.frame.columns)
    assert data.roles.get("query_text") is None
    together, known = (
        one.state("query_clusters")
        for one in (data.with_roles(data.roles.to_text() + "~~cluster~topic"), belonging(frame))
    )
    assert len({*zip([together[query] for query in known], known.values(), strict=True)}) == 12


def test_queries_that_a_file_does_not_name_are_on_their_own_and_ids_lose_no_zeros() -> None:
    lines = [f"{query:03d} 0 d{document} {document % 2}" for query in range(8) for document in range(2)]
    run = [f"{query:03d} Q0 d{document} {document + 1} {2 - document} x" for query in range(8) for document in range(2)]
    users = "query_id,user_id\n" + "".join(f"{query},{query // 2}\n" for query in range(6))
    data = read_files({name: text.encode() for name, text in
                       (("a.qrels", "\n".join(lines)), ("x.run", "\n".join(run)), ("users.csv", users))})  # fmt: skip
    clusters = data.with_roles(data.roles.to_text() + "~~cluster~user_id").state("query_clusters")
    assert [clusters[f"{query:03d}"] for query in range(8)] == [0, 0, 1, 1, 2, 2, 3, 4]
