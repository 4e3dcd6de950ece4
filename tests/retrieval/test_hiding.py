"""Hidden judgments: the shortcut says what joining the fewer judgments would, and the order is compared rightly."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from evalcore import find
from evalcore.retrieval import WAYS, Hits, JudgedRuns, Judgments, OrderStability, Run, steps_of
from evalcore.retrieval.incomplete import SHARES
from tests.retrieval.fewer_judgments import hide_judgments, pool, stability
from tests.retrieval.small_runs import Case, cases, thorough

NAMES = ("AP", "P@2", "nDCG@5", "bpref", "RR", "judged@3")


def measure(name: str):
    return find(name, "retrieval")


def many(queries: int = 20, documents: int = 15, seed: int = 1) -> tuple[Judgments, dict[str, Run]]:
    """Judgments of everything and three runs that rank by ever noisier grades."""
    random = np.random.default_rng(seed)
    names = np.repeat([f"q{i:02}" for i in range(queries)], documents)
    ids = np.tile([f"d{i:02}" for i in range(documents)], queries)
    grades = (random.random(len(names)) < 0.4).astype(float)
    scores = {f"noise {noise}": grades + noise * random.random(len(names)) for noise in (1.2, 2, 4)}
    return Judgments.from_arrays(names, ids, grades), {
        name: Run.from_arrays(names, ids, values) for name, values in scores.items()
    }


def values_by_query(judgments: Judgments, hits: Hits, name: str) -> dict[str, float]:
    return dict(zip(judgments.queries, measure(name)(hits).tolist(), strict=True))


@thorough
@given(case=cases(), share=st.sampled_from([0.0, 0.3, 0.5, 0.9]), seed=st.integers(0, 5))
def test_hidden_at_random_is_what_joining_the_fewer_judgments_says(case: Case, share: float, seed: int) -> None:
    judged = JudgedRuns.of(case.judgments, {"one": case.run})
    (hits,) = judged.with_only(judged.draw("random", seed).remaining(share))
    fewer = hide_judgments(case.judgments, share, seed)
    again = Hits.of(fewer, case.run)
    for name in NAMES:
        found = values_by_query(case.judgments, hits, name)
        # Queries without any judgment left are not in the fewer ones; in the shortcut they stay.
        expected = values_by_query(fewer, again, name)
        assert {query: found[query] for query in expected} == pytest.approx(expected)
        assert all(found[query] == 0 for query in found.keys() - expected.keys())


@thorough
@given(case=cases(), depth=st.integers(1, 6))
def test_a_pool_is_what_joining_the_pool_says(case: Case, depth: int) -> None:
    judged = JudgedRuns.of(case.judgments, {"one": case.run})
    (hits,) = judged.with_only(judged.draw("pool").remaining(depth))
    fewer = pool(case.judgments, {"one": case.run}, depth)
    assume(len(fewer))
    again = Hits.of(fewer, case.run)
    for name in (*NAMES, "infAP"):
        found, expected = values_by_query(case.judgments, hits, name), values_by_query(fewer, again, name)
        assert {query: found[query] for query in expected} == pytest.approx(expected)


def test_inferred_average_precision_stays_where_average_precision_falls() -> None:
    judgments, runs = many(queries=100, documents=100)
    judged = JudgedRuns.of(judgments, runs)
    half = judged.with_only(judged.draw("random").remaining(0.5))
    for full, fewer in zip(judged.hits, half, strict=True):
        whole = measure("AP")(full).mean()
        assert measure("infAP")(fewer).mean() == pytest.approx(whole, abs=0.02)
        assert measure("AP")(fewer).mean() < whole - 0.1


def test_few_keeps_so_many_relevant_of_each_query_and_nothing_else() -> None:
    judgments, runs = many()
    judged = JudgedRuns.of(judgments, runs)
    for step in (1, 3):
        remaining = judged.draw("few", 4).remaining(step)
        assert set(judgments.grades[remaining.judgments]) == {1.0}
        counts = np.bincount(judgments.codes[remaining.judgments], minlength=len(judgments.queries))
        assert counts.tolist() == np.minimum(judgments.pool.relevant(1), step).tolist()
    assert not (judged.draw("few", 4).remaining(1).judgments & ~judged.draw("few", 4).remaining(3).judgments).any()


def test_whole_queries_are_hidden_with_all_their_judgments_and_one_always_stays() -> None:
    judgments, runs = many()
    judged = JudgedRuns.of(judgments, runs)
    remaining = judged.draw("queries").remaining(0.3)
    assert remaining.queries.sum() == 14
    assert (remaining.judgments == remaining.queries[judgments.codes]).all()
    for hits, full in zip(judged.with_only(remaining), judged.hits, strict=True):
        assert measure("AP")(hits).tolist() == measure("AP")(full)[remaining.queries].tolist()
    assert judged.draw("queries").remaining(1).queries.sum() == 1


def test_tau_is_that_of_scipy_and_with_nothing_hidden_the_order_holds() -> None:
    judgments, runs = many()
    judged = JudgedRuns.of(judgments, runs)
    found = stability(judged, {"AP": measure("AP"), "P@2": measure("P@2")}, "random", (0.0, 0.5, 0.9), range(4))
    for name in ("AP", "P@2"):
        assert found.full[name].tolist() == [measure(name)(hits).mean() for hits in judged.hits]
        assert found.tau[name].shape == (3, 4)
        assert found.mean_tau(name)[0] == found.lowest_tau(name)[0] == 1
        assert found.same_order(name)[0] == 4
        assert found.same_best[name][0].all()
        for row, column in np.ndindex(3, 4):
            expected = stats.kendalltau(found.full[name], found.means[name][row, column]).statistic
            assert found.tau[name][row, column] == pytest.approx(expected, nan_ok=True)
    assert found.lowest_tau("AP")[1] <= found.mean_tau("AP")[1]


def test_the_same_seed_gives_the_same_draws_and_a_pool_needs_one() -> None:
    judgments, runs = many()
    judged = JudgedRuns.of(judgments, runs)
    one, two = (stability(judged, {"AP": measure("AP")}, "random", (0.5,), (7, 8)) for _ in range(2))
    assert one.means["AP"].tolist() == two.means["AP"].tolist()
    assert one.means["AP"][0, 0].tolist() != one.means["AP"][0, 1].tolist()
    assert stability(judged, {"AP": measure("AP")}, "pool", (5, 1), (7, 8)).tau["AP"].shape == (2, 1)


def test_only_the_queries_that_take_part_are_averaged() -> None:
    judgments, runs = many()
    judged = JudgedRuns.of(judgments, runs)
    some = np.arange(len(judgments.queries)) < 5
    found = stability(judged, {"AP": measure("AP")}, "queries", (0.0,), queries=some)
    expected = [measure("AP")(hits)[:5].mean() for hits in judged.hits]
    assert found.full["AP"].tolist() == pytest.approx(expected)
    assert found.means["AP"][0, 0].tolist() == pytest.approx(expected)


def test_equal_systems_have_no_order_to_keep() -> None:
    judgments, runs = many()
    run = runs["noise 2"]
    found = stability(JudgedRuns.of(judgments, {"a": run, "b": run}), {"AP": measure("AP")}, "random", (0.0, 0.5))
    assert np.isnan(found.tau["AP"]).all()
    assert np.isnan(found.mean_tau("AP")).all()
    assert np.isnan(found.lowest_tau("AP")).all()
    assert not found.same_order("AP").any()
    assert not found.same_best["AP"].any()


def test_steps_begin_with_all_that_can_be_judged() -> None:
    judgments, runs = many()
    judged = JudgedRuns.of(judgments, runs)
    assert steps_of("random", judged) == steps_of("queries", judged) == SHARES
    deepest = int(judged.depth.max())  # the best rank of the document that all systems put far down
    assert steps_of("pool", judged) == (deepest, 10, 5, 3, 2, 1)
    most = int(judgments.pool.relevant(1).max())
    assert steps_of("few", judged)[0] == most
    for way in WAYS:
        first = judged.draw(way).remaining(steps_of(way, judged)[0])
        expected = judgments.grades >= 1 if way == "few" else np.ones(len(judgments), dtype=bool)
        assert (first.judgments == expected).all()


@pytest.mark.parametrize(("way", "step"), [("other", 0.5), ("random", 1.5), ("queries", -0.1), ("pool", np.nan)])
def test_ways_and_steps_that_make_no_sense_are_refused(way: str, step: float) -> None:
    judgments, runs = many()
    with pytest.raises(ValueError, match=r"hide|step"):
        JudgedRuns.of(judgments, runs).draw(way).remaining(step)


def test_draws_made_one_by_one_are_those_made_together() -> None:
    judged = JudgedRuns.of(*many())
    ask = ({"AP": measure("AP"), "P@2": measure("P@2")}, "random", (0.0, 0.5, 0.9))
    together = stability(judged, *ask, (7, 8, 9))
    joined = OrderStability.joined([stability(judged, *ask, (seed,)) for seed in (7, 8, 9)])
    for name in ask[0]:
        assert joined.full[name].tolist() == together.full[name].tolist()
        assert joined.means[name].tolist() == together.means[name].tolist()
        assert joined.tau[name].tolist() == together.tau[name].tolist()
        assert joined.same_best[name].tolist() == together.same_best[name].tolist()
