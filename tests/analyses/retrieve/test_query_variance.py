"""The variance between queries and systems of open rankings, and the queries that a difference needs."""

import math
import runpy
from pathlib import Path

import pandas as pd
import pytest

from evalcore.analyses import QueryVariance, RankingComparison, Rankings, Source, compare_rankings
from evalcore.figures import power_figure, query_spread_figure
from evalcore.figures.theme import LIGHT
from evalcore.readers import DataSet
from tests.analyses.retrieve.test_ranking_comparison import files, sample, two_systems
from tests.readers.join.test_query_clusters import belonging, ranked
from tests.words import facts


@pytest.fixture(scope="module")
def pairs() -> RankingComparison:
    return compare_rankings(sample("image_retrieval", "pixels"), "projection", ["AP"])


def test_numbers_are_those_of_the_differences(pairs: RankingComparison) -> None:
    variance, one = QueryVariance(pairs), pairs.difference
    assert variance.observed == pytest.approx(one.estimate)
    assert variance.observed / variance.deviation == pytest.approx(one.effect_size)
    assert variance.parts is not None
    assert variance.parts.query > 4 * variance.parts.system  # as Tague-Sutcliffe and Blustein saw in TREC-3
    assert "11 queries" in variance.verdict
    assert "between queries" in variance.variance_verdict
    assert variance.table["share"][0] == variance.parts.shares[1]


def test_a_smaller_difference_needs_more_queries_and_the_curve_reaches_them(pairs: RankingComparison) -> None:
    variance = QueryVariance(pairs, 0.02)
    numbers, power = variance.curve
    assert variance.needed is not None
    assert variance.queries < variance.needed < numbers[-1]
    assert (power[1:] >= power[:-1]).all()
    assert len(power_figure(variance, LIGHT).data) == 3
    assert len(query_spread_figure(variance, LIGHT).data) == 2 * len(pairs.systems)


def test_equal_systems_never_differ() -> None:
    variance = QueryVariance(compare_rankings(two_systems(same=True), names=["AP"]))
    assert variance.needed is None
    assert variance.verdict.startswith("**No number of queries")
    assert "nothing varies" in variance.variance_verdict
    assert math.isnan(variance.table["share"][0])
    assert variance.formulas
    power_figure(variance, LIGHT)


def test_copies_of_queries_in_a_topic_are_needed_as_often_as_there_are_of_them() -> None:
    frame = ranked(each=1)
    topics = pd.concat([frame.assign(query_id=frame["query_id"] + f"-{one}") for one in range(3)], ignore_index=True)

    def variance(data: DataSet) -> QueryVariance:
        return QueryVariance(compare_rankings(Rankings(Source.of(data), "system_a"), "system_b", ["AP"]))

    single, alone, copied = variance(belonging(frame)), variance(DataSet.of(frame)), variance(belonging(topics))
    assert single.design_effect == 1
    assert (single.needed, single.power(40)) == (alone.needed, alone.power(40))
    # 12 topics: three copies, and the variance of 12 for that of 36.
    assert copied.design_effect == pytest.approx(3 * (12 / 11) * (35 / 36))
    assert copied.power(36 * 3) < single.power(36) < copied.power(36 * 3.2)
    assert "design effect 3.18" in copied.verdict
    assert r"\cdot 3.18" in copied.formulas
    assert r"\cdot 3.18" not in single.formulas
    assert "queries taken as independent" in copied.variance_verdict
    one = variance(belonging(topics.assign(topic="all")))
    assert one.needed is None
    assert facts(one.verdict) == "1"


def test_the_code_computes_them_again(tmp_path: Path) -> None:
    rankings = two_systems()
    comparison = compare_rankings(rankings, names=["AP"])
    (tmp_path / "table.csv").write_text(rankings.current.frame.to_csv(index=False))
    script = tmp_path / "script.py"
    script.write_text(comparison.code_with(QueryVariance(comparison, 0.1).code))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert runpy.run_path(str(script))["variance"].target == 0.1


def test_three_queries_are_enough_for_numbers() -> None:
    assert QueryVariance(compare_rankings(files("one"), names=["AP"])).parts is not None
