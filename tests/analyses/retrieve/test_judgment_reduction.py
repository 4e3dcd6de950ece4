"""Fewer judgments: what is left of each system, and whether the order of the systems holds."""

import math

import pytest

from evalcore.analyses import REDUCTIONS, JudgmentReduction, compare_rankings
from evalcore.readers import STATES
from evalcore.retrieval import WAYS
from tests.analyses.retrieve.test_ranking_comparison import sample, two_systems
from tests.retrieval.fewer_judgments import stability


def reduction(way: str) -> JudgmentReduction:
    return JudgmentReduction(compare_rankings(sample("image_retrieval", "pixels")), way)


def test_every_way_has_a_title() -> None:
    assert tuple(REDUCTIONS) == WAYS


def test_hidden_judgments_move_the_measures_and_infap_least() -> None:
    hidden = reduction("random")
    assert hidden.remaining(0.5).judgments.sum() == 25_373
    left = dict(zip(hidden.bounds_table(0.5)["system"], hidden.bounds(0.5), strict=True))["pixels"]
    assert left.incomplete["AP"] == left.value < 0.3
    assert left.incomplete["infAP"] == pytest.approx(0.506, abs=0.01)
    assert left.condensed == pytest.approx(0.506, abs=0.02)
    assert left.low <= left.value < left.high
    order = hidden.order_table(0.5, 5)
    assert (order["measure"][0], order["same order"][0]) == ("AP", "5 of 5")
    assert order["order now"][0] == "projection > pixels > cosine"
    assert hidden.remaining(0.0).judgments.sum() == len(hidden.pairs.rankings.judgments)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_is_followed_down(way: str) -> None:
    hidden = reduction(way)
    step = 0.9 if way in ("random", "queries") else 5
    order = hidden.order_table(step, 5)
    assert len(order["measure"]) == 6
    assert not math.isnan(float(order["τ, mean"][0].replace("−", "-")))
    assert len(hidden.table(5)["tau"]) == 6 * len(hidden.steps) * hidden.draws(5)


def test_draws_are_made_once_and_are_those_of_the_core() -> None:
    STATES.clear()
    pairs = compare_rankings(two_systems(12))
    hidden = JudgmentReduction(pairs)
    assert next(iter(hidden.prepare(4))) == 0
    assert list(hidden.prepare(4)) == [0, 1, 2, 3]
    assert hidden.rows_to_rank(4) == 0
    assert list(JudgmentReduction(pairs).prepare(6)) == [4, 5]
    measures = {"AP": pairs.rankings.measure("AP")}
    expected = stability(hidden.judged, measures, "random", hidden.steps, range(20, 26))
    assert hidden.order(6).means["AP"].tolist() == expected.means["AP"].tolist()
