"""TREC files beside their peers: run and judgments from the disk to six measures of every query.

ROWS sets how many rows the run has (1 million by default). pytrec_eval is installed with the development requirements;
``make peers`` installs ranx and ir_measures and builds trec_eval where git and a C compiler are. Those that are there
are measured; TREC_EVAL names another trec_eval.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.clock import line, medians, ratio_line, seconds_of, time_line
from evalcore.inference import randomization
from evalcore.readers import read_qrels, read_run
from evalcore.retrieval import Run, evaluate

PEERS = Path(sys.prefix) / "peers"
ROWS, DEPTH, JUDGED = int(os.environ.get("ROWS", 1_000_000)), 1000, 60
MEASURES = ["AP", "nDCG", "nDCG@10", "P@10", "RR", "R@100"]
THEIRS = ["map", "ndcg", "ndcg_cut_10", "P_10", "recip_rank", "recall_100"]
ASKED = ["map", "ndcg", "ndcg_cut.10", "P.10", "recip_rank", "recall.100"]
OF_RANX = ["map", "ndcg", "ndcg@10", "precision@10", "mrr", "recall@100"]


def write_files(folder: Path, rows: int) -> tuple[Path, Path]:
    """A run of 1,000 documents a query with some ties, and judgments of 60 of which two thirds were retrieved."""
    random = np.random.default_rng(20)
    run, qrels = folder / "run", folder / "qrels"
    with run.open("w") as lists, qrels.open("w") as judgments:
        for query in range(1, rows // DEPTH + 1):
            documents = random.choice(8_000_000, DEPTH, replace=False)
            scores = np.sort(random.random(DEPTH).round(4) * 30)[::-1]
            lists.writelines(
                f"{query} Q0 doc{name:07d} {rank} {score:.6f} bench\n"
                for rank, (name, score) in enumerate(zip(documents.tolist(), scores.tolist(), strict=True), 1)
            )
            found = documents[random.permutation(DEPTH)[: JUDGED * 2 // 3]]
            judged = np.append(found, 8_000_000 + np.arange(JUDGED // 3))
            grades = random.integers(0, 4, JUDGED)
            judgments.writelines(
                f"{query} 0 doc{name:07d} {grade}\n"
                for name, grade in zip(judged.tolist(), grades.tolist(), strict=True)
            )
    return run, qrels


def own(run: Path, qrels: Path) -> object:
    return evaluate(read_qrels(qrels), read_run(run), MEASURES)


def by_pytrec_eval(run: Path, qrels: Path) -> dict[str, dict[str, float]]:
    import pytrec_eval

    with qrels.open() as file:
        judgments = pytrec_eval.parse_qrel(file)
    with run.open() as file:
        return pytrec_eval.RelevanceEvaluator(judgments, set(ASKED)).evaluate(pytrec_eval.parse_run(file))


def by_ranx(run: Path, qrels: Path) -> object:
    import ranx

    judgments, lists = ranx.Qrels.from_file(str(qrels), kind="trec"), ranx.Run.from_file(str(run), kind="trec")
    return ranx.evaluate(judgments, lists, OF_RANX, make_comparable=True)


def by_ir_measures(run: Path, qrels: Path) -> object:
    import ir_measures

    asked = [ir_measures.parse_measure(name) for name in MEASURES]
    lists, judgments = ir_measures.read_trec_run(str(run)), ir_measures.read_trec_qrels(str(qrels))
    return list(ir_measures.iter_calc(asked, judgments, lists))


def by_trec_eval(program: str, run: Path, qrels: Path) -> None:
    flags = [part for name in ASKED for part in ("-m", name)]
    subprocess.run([program, "-q", *flags, str(qrels), str(run)], check=True, stdout=subprocess.DEVNULL)


def memory(run: Path, qrels: Path, what: str) -> int:
    """Bytes that a process of its own takes at most for one of the jobs, its libraries left out."""
    program = (
        "import sys; from pathlib import Path; import pyarrow.csv, pytrec_eval; import benchmarks.retrieval as b;"
        "from benchmarks.clock import memory_of; before = memory_of('VmHWM');"
        f"b.{what}(Path(sys.argv[1]), Path(sys.argv[2])); print(memory_of('VmHWM') - before)"
    )
    call = [sys.executable, "-c", program, str(run), str(qrels)]
    return int(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    sys.path.append(str(PEERS))  # at the end: what the environment has stays in use
    with TemporaryDirectory() as folder:
        run, qrels = write_files(Path(folder), ROWS)
        found, theirs = own(run, qrels), by_pytrec_eval(run, qrels)
        for name, other in zip(MEASURES, THEIRS, strict=True):
            assert found.values[name].tolist() == [theirs[query][other] for query in found.queries], name

        jobs: dict[str, Callable[[], object]] = {
            "own": partial(own, run, qrels),
            "pytrec_eval": partial(by_pytrec_eval, run, qrels),
        }
        places = f"{PEERS}{os.pathsep}{os.environ['PATH']}"
        if program := os.environ.get("TREC_EVAL") or shutil.which("trec_eval", path=places):
            jobs["trec_eval"] = partial(by_trec_eval, program, run, qrels)
        for peer, job in (("ranx", by_ranx), ("ir_measures", by_ir_measures)):
            if importlib.util.find_spec(peer):
                jobs[peer] = partial(job, run, qrels)
        seconds = medians(jobs, repeats=3)
        size = run.stat().st_size
        time_line(f"Evalcore: {ROWS:,} rows, files to six measures a query", seconds["own"])
        for peer, bar in (("trec_eval", 2), ("pytrec_eval", 3), ("ranx", 10), ("ir_measures", 3)):
            if peer not in seconds:
                line(f"{peer}: not found here", "–")
                continue
            time_line(f"{peer}, to the last bit the same" if peer == "pytrec_eval" else peer, seconds[peer])
            ratio_line(seconds[peer] / seconds["own"], bar)
        for what, name in (("own", "Evalcore"), ("by_pytrec_eval", "pytrec_eval")) * Path("/proc/self/status").exists():
            line(f"memory of {name}, in sizes of the run", f"{memory(run, qrels, what) / size:.1f} ×")

        judgments, lists = read_qrels(qrels), read_run(run)
    order = np.random.default_rng(21).permutation(len(lists))
    codes, documents, scores = lists.codes[order], lists.documents.take(order), lists.scores[order]
    # A run is ranked only once, so each evaluation has its own.
    runs = {
        "six measures of rows in order": lambda: Run(lists.queries, lists.codes, lists.documents, lists.scores),
        "the same rows shuffled": lambda: Run(lists.queries, codes, documents, scores),
    }
    for what, run_of in runs.items():
        time_line(what, seconds_of(lambda: evaluate(judgments, run_of(), MEASURES), repeats=3))  # noqa: B023
    mixed = evaluate(judgments, Run.from_codes(lists.queries, codes, documents, scores), MEASURES)
    assert all(mixed.values[name].tobytes() == found.values[name].tobytes() for name in MEASURES)

    a, b = np.random.default_rng(22).random((2, 5000))
    time_line("randomisation test, 5,000 queries × 10,000 draws", seconds_of(lambda: randomization(a, b), repeats=5), 1)


if __name__ == "__main__":
    main()
