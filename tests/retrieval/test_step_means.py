"""All steps of a draw side by side: to the last bit what each measure says of the hits of one step at a time."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import find
from evalcore.retrieval import WAYS, Hits, JudgedRuns, Judgments, Run, order_stability, steps_of
from evalcore.retrieval import stability as module
from evalcore.retrieval.stability import cut_of
from tests.registry.families import of_family
from tests.retrieval.fewer_judgments import stability
from tests.retrieval.small_runs import Case, cases

RANKED = of_family("retrieval")
SAID = (
    "P@3", "R@2", "AP@3", "RR@2", "nDCG@3", "nDCG(gain=exp)@2", "nDCG(gain=1:3;2:1)", "nDCG(gain=-1:3)", "AP(rel=2)",
    "bpref(rel=2)", "infAP(rel=2)", "ERR@3", "RBP(p=0.5)@4", "fallout(size=100)@3", "IPrec@0.4", "nCG@3", "judged@3",
)  # fmt: skip
MEASURES = {measure.label: measure for measure in (*RANKED, *(find(name, "retrieval") for name in SAID))}
MEASURES |= {
    f"{name}, condensed": lambda hits, name=name: find(name, "retrieval")(hits.condensed())
    for name in ("AP", "P@2", "nDCG@3", "bpref", "infAP", "RBP")
}
STEPS = {"random": (0, 0.3, 0.6, 0.95, 1), "queries": (0, 0.5, 0.9), "pool": (9, 3, 1, 0), "few": (5, 2, 1, 0)}


def many(queries: int, documents: int = 12, systems: int = 3, seed: int = 1) -> JudgedRuns:
    """Judgments of five grades, one of them negative, and runs with ties, gaps and queries they lack."""
    random = np.random.default_rng(seed)
    codes, ids = np.divmod(np.arange(queries * documents), documents)
    grades = random.choice([-1.0, 0, 1, 2, 5], len(codes), p=[0.1, 0.5, 0.25, 0.14, 0.01])
    judged = random.random(len(codes)) < 0.7
    runs = {}
    for system in range(systems):
        rows = (random.random(len(codes)) < 0.8) & (codes % 7 != system)
        scores = (grades + 3 * random.random(len(codes))).round(1)
        runs[f"system {system}"] = Run.from_arrays(codes[rows], ids[rows], scores[rows])
    return JudgedRuns.of(Judgments.from_arrays(codes[judged], ids[judged], grades[judged]), runs)


def plainly(
    judged: JudgedRuns,
    measure: Callable[[Hits], np.ndarray],
    way: str,
    steps: Sequence[float],
    seed: int,
    queries: np.ndarray,
) -> np.ndarray:
    """The means one step and system at a time, from hits that are made anew, shape (steps, systems)."""
    means = []
    for step in steps:
        remaining = judged.draw(way, seed).remaining(step)
        part = queries[remaining.queries]
        values = [measure(hits)[part] for hits in judged.with_only(remaining)]
        means.append([one.sum() / max(len(one), 1) for one in values])
    return np.array(means)


def same(one: np.ndarray, two: np.ndarray) -> bool:
    return np.array_equal(one, two, equal_nan=True)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rows", [1, 1 << 18], ids=["stage by stage", "all stages"])
def test_every_measure_is_that_of_one_step_at_a_time(way: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", rows)
    judged = many(queries=150)
    queries = np.arange(150) % 5 > 0 if rows == 1 else np.ones(150, dtype=bool)
    found = stability(judged, MEASURES, way, STEPS[way], (3, 4), queries=queries)
    for name, measure in MEASURES.items():
        for draw, seed in enumerate((3, 4) if way != "pool" else (3,)):
            expected = plainly(judged, measure, way, STEPS[way], seed, queries)
            assert same(found.means[name][:, draw], expected), name


@settings(max_examples=12, deadline=None)
@given(
    case=cases(st.integers(-1, 3)),
    way=st.sampled_from(WAYS),
    steps=st.permutations([0, 0.2, 0.5, 0.5, 0.9]),
    seed=st.integers(0, 5),
)
def test_every_measure_of_small_odd_lists(case: Case, way: str, steps: list[float], seed: int) -> None:
    judged = JudgedRuns.of(case.judgments, {"one": case.run, "again": case.run})
    steps = steps if way in ("random", "queries") else [10 * step for step in steps]
    queries = np.ones(len(judged.judgments.queries), dtype=bool)
    found = stability(judged, MEASURES, way, steps, (seed,))
    for name, measure in MEASURES.items():
        assert same(found.means[name][:, 0], plainly(judged, measure, way, steps, seed, queries)), name


def test_thousands_of_queries_round_as_each_step_alone() -> None:
    judged = many(queries=3000, documents=8)
    measures = {name: MEASURES[name] for name in ("AP", "bpref", "infAP", "nDCG@3", "AP, condensed")}
    some = np.arange(3000) % 10 > 0
    for queries in (np.ones(3000, dtype=bool), some):
        found = stability(judged, measures, "random", (0.2, 0.5), range(5), queries=queries)
        for name, measure in measures.items():
            for draw in range(5):
                assert same(found.means[name][:, draw], plainly(judged, measure, "random", (0.2, 0.5), draw, queries))


@pytest.mark.parametrize("measure", RANKED, ids=lambda one: one.key)
def test_what_ends_at_a_rank_reads_nothing_below_it(measure) -> None:
    if not any(param.name == "k" for param in measure.params):
        assert cut_of(measure) == np.inf
        return
    for hits in many(queries=60).hits:
        for k in (1, 2, 5):
            cut = measure.with_params(k=float(k))
            assert cut_of(cut) == k
            assert same(cut(hits), cut(hits.of_rows(hits.rank <= k)))


def test_grades_up_to_the_largest_numbers_keep_their_scale_at_every_step() -> None:
    judged = Judgments.from_arrays(["q"] * 3 + ["r"] * 2, ["a", "b", "c", "a", "b"], [2000, 1, 0, 3, 1])
    run = Run.from_arrays(["q"] * 3 + ["r"] * 2, ["b", "a", "c", "b", "a"], [3, 2, 1, 2, 1])
    runs = JudgedRuns.of(judged, {"one": run})
    measures = {name: find(name, "retrieval") for name in ("nDCG(gain=exp)", "ERR", "nCG(gain=exp)")}
    queries = np.ones(2, dtype=bool)
    for seed in range(8):
        found = stability(runs, measures, "random", (0.2, 0.4, 0.6, 0.8), (seed,))
        for name, measure in measures.items():
            assert same(found.means[name][:, 0], plainly(runs, measure, "random", (0.2, 0.4, 0.6, 0.8), seed, queries))


def test_what_is_hidden_gains_nothing_even_where_negative_grades_do() -> None:
    judged = Judgments.from_arrays(["q"] * 4, ["a", "b", "c", "d"], [1, 0, 0, 1])
    run = Run.from_arrays(["q"] * 4, ["a", "b", "c", "d"], [4, 3, 2, 1])
    runs, measure = JudgedRuns.of(judged, {"one": run}), find("CG(gain=-1:3)", "retrieval")
    (hidden,) = runs.with_only(runs.draw("random").remaining(1))
    assert measure(hidden).tolist() == [0.0]
    assert stability(runs, {"CG": measure}, "random", (1,)).means["CG"].tolist() == [[[0.0]]]


def test_draws_come_one_by_one_and_who_stops_pays_for_no_more() -> None:
    judged, asked = many(queries=20), []

    def counted(hits: Hits) -> np.ndarray:
        asked.append(len(hits))
        return find("AP", "retrieval")(hits)

    draws = order_stability(judged, {"AP": counted}, "random", steps_of("random", judged), range(50))
    first = next(draws)
    assert first.tau["AP"].shape == (11, 1)
    made = len(asked)
    draws.close()
    assert len(asked) == made
    whole = stability(judged, {"AP": counted}, "random", first.steps, range(50))
    assert len(asked) - made > 10 * made
    assert first.means["AP"][:, 0].tolist() == whole.means["AP"][:, 0].tolist()


def test_no_step_is_an_empty_table_and_no_seed_is_refused() -> None:
    judged = many(queries=5)
    for way in WAYS:
        assert stability(judged, {"AP": MEASURES["AP"]}, way, ()).means["AP"].shape == (0, 1, 3)
    with pytest.raises(ValueError, match="There is no seed"):
        stability(judged, {"AP": MEASURES["AP"]}, "random", (0.5,), ())


def test_an_undefined_measure_has_no_best_system() -> None:
    judged = many(queries=30)

    def undefined_below(hits: Hits) -> np.ndarray:
        values = MEASURES["AP"](hits)
        return values if hits.pool.judged.sum() > 150 else np.full(len(values), np.nan)

    found = stability(judged, {"x": undefined_below}, "random", (0.9,))
    assert np.isnan(found.means["x"]).all()
    assert not found.same_best["x"].any()
