"""Every value of every query is the one of trec_eval, to the last bit."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from evalcore.retrieval import Judgments, Run, evaluate
from tests.retrieval.small_runs import Case, cases, columns, thorough

LEVELS = tuple(f"iprec_at_recall_{level / 10:.2f}" for level in range(11))
SAME = (
    *("map", "Rprec", "recip_rank", "bpref", "infAP", "ndcg", "set_P", "set_recall", "set_F"),
    *(f"{name}_{k}" for name in ("P", "recall", "success", "ndcg_cut", "map_cut") for k in (1, 5, 10, 1000)),
)
ASKED = {"P", "recall", "success", "ndcg_cut", "map_cut"}


def theirs(case: Case, level: int = 1) -> dict[str, dict[str, float]]:
    plain = [name for name in SAME if "_cut_" not in name and name.partition("_")[0] not in ASKED]
    cut = [f"{name}.1,5,10,1000" for name in ASKED]
    more = ["gm_map", "11pt_avg", "iprec_at_recall", "Rprec_mult"]
    evaluator = pytrec_eval.RelevanceEvaluator(case.grades, {*plain, *cut, *more}, relevance_level=level)
    return evaluator.evaluate(case.scores)


def same(case: Case, level: int = 1, run: Run | None = None) -> None:
    said = "" if level == 1 else f"rel={level}"
    names = {name: name if name.startswith("ndcg") or level == 1 else f"{name}({said})" for name in SAME}
    also = ",".join(filter(None, ["rule=trec9", said]))
    names |= {name: f"{name}({also})" for name in LEVELS} | {"11pt_avg": f"11pt_avg({also})"}
    names |= {f"Rprec_mult_{m:.2f}": f"Rprec_mult_{m:.2f}({said})" for m in (0.2, 0.4, 0.6, 0.8, 1.0, 1.4, 2.0)}
    run = run or case.run
    found = evaluate(case.judgments, run, names.values(), only_common=True)
    expected = theirs(case, level)
    assert sorted(found.queries) == sorted(expected)
    for name, own in names.items():
        pairs = {query: expected[query][name] for query in found.queries}
        assert dict(zip(found.queries, found.values[own].tolist(), strict=True)) == pairs, name
    # Theirs is the logarithm of ours.
    floored = evaluate(case.judgments, run, ["gm_map" + (f"({said})" if said else "")], only_common=True)
    for query, value in zip(found.queries, *map(np.ndarray.tolist, floored.values.values()), strict=True):
        assert math.log(value) == expected[query]["gm_map"]


@thorough
@given(case=cases())
def test_every_measure_of_every_query(case: Case) -> None:
    same(case)


@pytest.mark.parametrize(("offset", "scale"), [(1, 1e-8), (0, 1e-45), (0, 1e39)])
def test_scores_that_are_ties_in_32_bits(offset: float, scale: float) -> None:
    random = np.random.default_rng(32)
    names = [f"d{place}" for place in range(60)]
    grades = {q: {name: int(random.integers(0, 3)) for name in names[::2]} for q in "123"}
    scores = {q: {name: offset + scale * float(random.normal()) for name in names} for q in "123"}
    case = Case(grades, scores)
    assert case.run.rounded().tied > case.run.tied
    same(case, run=case.run.rounded())


@thorough
@given(case=cases(), level=st.sampled_from([2, 3]))
def test_at_a_higher_level_of_relevance(case: Case, level: int) -> None:
    # Without a document of a grade that high theirs reads counts it never made.
    for found in case.grades.values():
        found["d"] = level
    same(case, level)


@thorough
@given(case=cases(st.integers(-1, 2)))
def test_with_documents_that_were_pooled_but_not_judged(case: Case) -> None:
    for found in case.grades.values():
        found["d"] = 1
    same(case)


@pytest.mark.parametrize("seed", range(3))
def test_a_longer_run_with_ties(seed: int) -> None:
    random = np.random.default_rng(seed)
    names = [f"doc{i}" for i in range(3000)]
    grades = {
        str(q): {
            names[i]: int(g) for i, g in zip(random.permutation(3000)[:200], random.integers(0, 4, 200), strict=True)
        }
        for q in range(40)
    }
    scores = {
        str(q): {
            names[i]: float(s)
            for i, s in zip(random.permutation(3000)[:1200], random.integers(0, 400, 1200) / 8, strict=True)
        }
        for q in range(5, 45)
    }
    same(Case(grades, scores))


def test_the_order_of_the_rows_does_not_matter_to_the_last_bit() -> None:
    random = np.random.default_rng(3)
    grades = {str(q): {f"d{i}": int(random.integers(0, 3)) for i in range(0, 300, 3)} for q in range(20)}
    scores = {str(q): {f"d{i}": float(random.integers(0, 50)) for i in range(300)} for q in range(20)}
    case = Case(grades, scores)
    expected = evaluate(case.judgments, case.run, SAME)
    run, judged = (np.array(columns(table), dtype=object) for table in (scores, grades))
    for _ in range(3):
        run, judged = run[:, random.permutation(run.shape[1])], judged[:, random.permutation(judged.shape[1])]
        found = evaluate(Judgments.from_arrays(*judged), Run.from_arrays(*run), SAME)
        assert found.queries == expected.queries
        for name in SAME:
            assert found.values[name].tobytes() == expected.values[name].tobytes(), name
