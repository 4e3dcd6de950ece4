"""What the program trec_eval 9.0.4 printed, and what we say of the same files, to the last digit it prints.

The files in ``trec_eval_9_0_4`` are its own output, kept as facts; `trec_eval_lists` says how its input was made and
which options it was given.
"""

import math
import re

import numpy as np
import pytest

from evalcore import find
from evalcore.readers import read_qrels, read_run
from evalcore.retrieval import Hits, Judgments, Run, evaluate
from evalcore.retrieval.evaluation import trec_eval_text
from tests.retrieval.trec_eval_lists import FOLDER, MEASURES, OPTIONS, SEED, texts

RUN, JUDGED = (read_run(FOLDER / "lists.run"), read_qrels(FOLDER / "lists.qrels"))


def printed(file: str) -> str:
    return (FOLDER / file).read_text(encoding="utf-8")


def values_of(file: str) -> dict[str, dict[str, str]]:
    """What was printed, by measure and query; the query of a mean is "all"."""
    found: dict[str, dict[str, str]] = {}
    for line in printed(file).splitlines():
        name, query, value = line.split("\t")
        found.setdefault(name.strip(), {})[query] = value
    return found


def cut(run: Run, depth: int) -> Run:
    """The first documents of each list."""
    rows = np.concatenate([run.rows_of(query)[:depth] for query in run.queries])
    queries = [run.queries[code] for code in run.codes[rows]]
    return Run.from_arrays(queries, run.documents.take(rows).texts(), run.scores[rows])


def test_the_seed_still_makes_the_files_that_were_given_to_it() -> None:
    assert texts() == (printed("lists.run"), printed("lists.qrels"))


@pytest.mark.parametrize(
    ("file", "level", "complete"),
    [("official.txt", 1, False), ("official-c.txt", 1, True), ("official-c-l2.txt", 2, True)],
)
def test_our_export_is_its_output(file: str, level: int, complete: bool) -> None:
    assert trec_eval_text(JUDGED, RUN, level, f"seed{SEED}", complete) == printed(file)


@pytest.mark.parametrize("file", [file for file, options in OPTIONS.items() if MEASURES in options])
def test_every_measure_of_every_query_and_every_mean_is_its_own(file: str) -> None:
    options = OPTIONS[file].removesuffix(MEASURES).split()
    level, complete = 2 if "2" in options else 1, "-c" in options
    run = cut(RUN.rounded(), 4) if "-M" in options else RUN.rounded()
    hits = Hits.of(JUDGED, run)
    listed = ~hits.missing
    hits = hits.condensed() if "-J" in options else hits
    order = sorted(np.flatnonzero(listed).tolist(), key=lambda place: JUDGED.queries[place].encode())
    found = values_of(file)
    assert len(found) == 46
    for name, expected in found.items():
        measure = find("set_F(beta=2)" if name == "set_F_4" else name, family="retrieval")
        measure = measure.with_params(rel=level) if "rel" in measure.takes else measure
        values = measure(hits)
        ours = {} if name == "gm_map" else {JUDGED.queries[place]: f"{values[place]:6.4f}" for place in order}
        counted = values[order].tolist() + (values[~listed].tolist() if complete else [])
        logs = sum(map(math.log, counted)) if measure.mean == "geometric" else math.nan
        mean = math.exp(logs / len(counted)) if measure.mean == "geometric" else sum(counted) / len(counted)
        assert ours | {"all": f"{mean:6.4f}"} == expected, name


def test_gains_of_a_table_are_its_own() -> None:
    (expected,) = values_of("gains.txt").values()
    found = evaluate(JUDGED, RUN.rounded(), ["nDCG(gain=1:3;2:7;3:1)"], only_common=True)
    (values,) = found.values.values()
    ours = dict(zip(found.queries, (f"{value:6.4f}" for value in values), strict=True))
    assert ours | {"all": f"{values.mean():6.4f}"} == expected


def test_the_lists_hold_what_programs_differ_in() -> None:
    assert RUN.rounded().tied > RUN.tied > 0
    assert set(JUDGED.queries) - set(RUN.queries) == {"no-list"}
    assert set(RUN.queries) - set(JUDGED.queries) == {"no-judgment"}
    assert JUDGED.grades.min() == -1
    assert JUDGED.grades.max() == 3
    assert (np.abs(RUN.scores) > np.finfo(np.float32).max).any()


def test_close_scores_are_ties_in_its_32_bits_and_only_there() -> None:
    # trec_eval 9.0.4 prints recip_rank 0.5 for both files: the later id, b, stands first in the tie.
    judged = read_qrels(b"q 0 a 1\nq 0 b 0\n")
    for one, two in (("0.1000000000001", "0.1"), ("16777217", "16777216"), ("1e-50", "1e-60"), ("1e305", "1e300")):
        run = read_run(f"q Q0 a 1 {one} x\nq Q0 b 2 {two} x\n".encode())
        assert evaluate(judged, run, ["RR"]).mean("RR") == 1
        assert evaluate(judged, run.rounded(), ["RR"]).mean("RR") == 0.5
        assert re.search(r"recip_rank\s+q\s+0\.5000", trec_eval_text(judged, run))


def test_rounding_keeps_the_order_of_shuffled_rows() -> None:
    random = np.random.default_rng(5)
    scores = random.normal(size=4000) * 1e-7 + 1
    queries, documents = random.integers(0, 4, 4000), np.arange(4000)
    run = Run.from_arrays(queries, documents, scores)
    in_32_bits = Run.from_arrays(queries, documents, scores.astype(np.float32))
    assert run.rounded().tied == in_32_bits.tied > run.tied
    for query in "0123":
        assert run.rounded().ranked(query) == in_32_bits.ranked(query)


def test_fractions_of_grades_and_levels_are_read_as_it_reads_them() -> None:
    # It takes the whole number in front of the point: 1.9 is 1, and −0.5 is a judged 0.
    run = Run.from_arrays(["q"] * 4, list("abcd"), [4, 3, 2, 1])
    whole = Judgments.from_arrays(["q"] * 4, list("abcd"), [1, 0, 0, 2])
    broken = Judgments.from_arrays(["q"] * 4, list("abcd"), [1.9, -0.5, 0.99, 2.5])
    for level, said in ((1, 1), (2, 2), (1.5, 2), (0.5, 1)):
        assert trec_eval_text(broken, run, level) == trec_eval_text(whole, run, said)


def test_it_prints_nothing_where_no_query_is_in_both() -> None:
    judged, run = Judgments.from_arrays(["1"], ["a"], [1]), Run.from_arrays(["2"], ["a"], [1])
    assert trec_eval_text(judged, run) == trec_eval_text(judged, run, complete=True) == ""
