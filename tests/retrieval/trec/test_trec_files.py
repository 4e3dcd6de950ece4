"""Runs and judgments written as TREC files are read as the same ones, by us and by trec_eval."""

import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.readers import read_qrels, read_run
from evalcore.retrieval import Judgments, Run, evaluate, trec_qrels_text, trec_run_text
from tests.retrieval.small_runs import Case, cases

MEASURES = {"map": "AP", "recip_rank": "RR", "ndcg_cut_5": "nDCG@5", "P_5": "P@5"}


@settings(max_examples=30, deadline=None)
@given(cases())
def test_trec_eval_reads_the_same_numbers_from_the_files(case: Case) -> None:
    run, qrels = trec_run_text(case.run).splitlines(), trec_qrels_text(case.judgments).splitlines()
    theirs = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), set(MEASURES)).evaluate(
        pytrec_eval.parse_run(run)
    )
    ours = evaluate(case.judgments, case.run, list(MEASURES.values()), only_common=True)
    assert set(theirs) == set(ours.queries)
    for row, query in enumerate(ours.queries):
        assert {key: ours.values[name][row] for key, name in MEASURES.items()} == theirs[query]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["q 1", "q%201", "2"]), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=1, max_size=6,
    )
)  # fmt: skip
def test_scores_keep_all_their_digits_and_ids_stay_apart(rows: list[tuple[str, float]]) -> None:
    queries, scores = [query for query, _ in rows], [score for _, score in rows]
    run = Run.from_arrays(queries, [f"d {row}" for row in range(len(rows))], scores)
    again = read_run(trec_run_text(run, "a b").encode())
    assert len(again.queries) == len(run.queries)
    assert sorted(again.scores.tolist()) == sorted(scores)
    assert [line.split()[3] for line in trec_run_text(run).splitlines()][:1] == ["1"]


def test_grades_of_judgments_come_back() -> None:
    judged = Judgments.from_arrays(["1", "1", "2"], ["a", "b", "a"], [2, 0.5, -1])
    again = read_qrels(trec_qrels_text(judged).encode())
    assert (again.queries, again.grades.tolist()) == (("1", "2"), [2, 0.5, -1])
