"""The way from topics to qrels in numbers, and what is judged at each rank, against loops over the rows."""

import numpy as np
import pytest

from evalcore.analyses import JudgmentMap, JudgmentReduction, RankingComparison, compare_rankings
from evalcore.figures import judgment_map_figure
from evalcore.figures.theme import LIGHT
from evalcore.retrieval import pool_size
from tests.analyses.retrieve.test_ranking_comparison import files, sample


@pytest.fixture(scope="module")
def pairs() -> RankingComparison:
    return compare_rankings(sample("image_retrieval", "pixels"))


def test_a_pool_holds_each_document_of_a_query_once(pairs: RankingComparison) -> None:
    judgments, runs = pairs.rankings.judgments, [pairs.rankings.run(system) for system in pairs.systems]
    judged = set(judgments.queries)
    for depth in (1, 7, 1000):
        lists = [(query, run.ranked(query)[:depth]) for run in runs for query in run.queries if query in judged]
        pool = {(query, one) for query, documents in lists for one in documents}
        assert pool_size(judgments, runs, depth) == len(pool)


def test_the_map_is_that_of_the_lists(pairs: RankingComparison) -> None:
    drawn = JudgmentMap(JudgmentReduction(pairs, "random"), 0.5)
    judgments, run, left = pairs.rankings.judgments, pairs.rankings.run("pixels"), drawn.remaining.judgments
    texts, names = judgments.documents.texts(), [judgments.queries[code] for code in judgments.codes.tolist()]
    grades = {
        key: grade
        for key, grade, kept in zip(zip(names, texts, strict=True), judgments.grades.tolist(), left, strict=True)
        if kept
    }
    for query, row in list(zip(drawn.queries, drawn.grid.tolist(), strict=True))[::15]:
        known = [grades.get((query, document)) for document in run.ranked(query)[: len(row)]]
        assert row == [0 if grade is None else 1 + (grade >= 1) for grade in known]
    assert {len(drawn.rows), drawn.grid.shape[1]} == {60, 50}


def test_the_workflow_follows_what_is_left(pairs: RankingComparison) -> None:
    whole = [one.number for one in JudgmentMap(JudgmentReduction(pairs, "pool"), 100).workflow]
    shallow = JudgmentMap(JudgmentReduction(pairs, "pool"), 5)
    topics, runs, pool, judged, relevant = (one.number for one in shallow.workflow)
    assert (topics, runs) == (300, 300 * 3 * 5)
    assert relevant < judged == pool < runs  # whatever a system has at its first ranks is judged here
    assert whole[2] == 42_985
    assert "top 5" in shallow.workflow[1].words
    assert "median" in shallow.verdict
    hidden = JudgmentMap(JudgmentReduction(pairs, "queries"), 0.9)
    assert "for 30 queries" in hidden.verdict
    assert (hidden.grid == 0).all(axis=1).sum() > 40


def test_lists_that_end_or_are_missing_leave_places_empty() -> None:
    drawn = JudgmentMap(JudgmentReduction(compare_rankings(files("one"), names=["AP"])), 0.0)
    assert drawn.queries == ["q1", "q2", "q3"]
    assert drawn.grid.tolist() == [[2, 1], [0, 2], [-1, -1]]
    cells = judgment_map_figure(drawn, LIGHT).data[0]
    assert cells.text[0][0] == "q1, rank 1: relevant"
    assert np.isnan(np.array(cells.z[2], dtype=float)).all()
