"""The text that diffs clean with trec_eval: every line is what its own values, formatted as it does, would print."""

import math
from functools import reduce
from operator import add

import pytrec_eval
from hypothesis import given

from evalcore.retrieval import Judgments, Run
from evalcore.retrieval.evaluation import trec_eval_text
from tests.retrieval.small_runs import Case, cases, thorough

SINGLE = ("map", "Rprec", "bpref", "recip_rank")
RECALLS = tuple(f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11))
CUTS = tuple(f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000))
COUNTS = ("num_ret", "num_rel", "num_rel_ret")


def theirs(case: Case, level: int) -> list[str]:
    """What trec_eval -q would print, from the values of its C code."""
    evaluator = pytrec_eval.RelevanceEvaluator(
        case.grades, {*COUNTS, *SINGLE, "gm_map", "iprec_at_recall", "P"}, relevance_level=level
    )
    found = evaluator.evaluate(case.scores)
    if not found:
        return []  # trec_eval says that no query is in both, and prints nothing
    lines, ordered = [], sorted(found, key=str.encode)
    for query in ordered:
        for name in (*COUNTS, *SINGLE, *RECALLS, *CUTS):
            value = found[query][name]
            lines.append(
                f"{name:<22}\t{query}\t{value:.0f}" if name in COUNTS else f"{name:<22}\t{query}\t{value:6.4f}"
            )
    lines += [f"{'runid':<22}\tall\tmine", f"{'num_q':<22}\tall\t{len(found)}"]
    for name in COUNTS:
        lines.append(f"{name:<22}\tall\t{sum(values[name] for values in found.values()):.0f}")
    for name in ("map", "gm_map", *SINGLE[1:], *RECALLS, *CUTS):
        # One after the other, as the C code adds: `sum` compensates for rounding from Python 3.12 on.
        mean = reduce(add, (found[query][name] for query in ordered)) / len(found)
        lines.append(f"{name:<22}\tall\t{math.exp(mean) if name == 'gm_map' else mean:6.4f}")
    return lines


@thorough
@given(cases())
def test_every_line_is_that_of_trec_eval(case: Case) -> None:
    for level in (1, 2):
        text = trec_eval_text(case.judgments, case.run, level, runid="mine")
        assert text.splitlines() == theirs(case, level)


def test_queries_that_the_run_lacks_count_on_request() -> None:
    judgments = Judgments.from_arrays(["1", "2"], ["a", "a"], [1, 1])
    run = Run.from_arrays(["1"], ["a"], [1])
    assert f"{'map':<22}\tall\t1.0000" in trec_eval_text(judgments, run)
    complete = trec_eval_text(judgments, run, complete=True)
    assert f"{'map':<22}\tall\t0.5000" in complete
    assert f"{'gm_map':<22}\tall\t0.0032" in complete  # the root of 1 · 0.00001
    assert f"{'num_rel':<22}\tall\t2" in complete
    assert f"{'num_q':<22}\tall\t2" in complete


def test_a_name_of_a_run_takes_one_field() -> None:
    judgments, run = Judgments.from_arrays(["1"], ["a"], [1]), Run.from_arrays(["1"], ["a"], [1])
    assert f"{'runid':<22}\tall\tmy_run" in trec_eval_text(judgments, run, runid="my run\n")
