"""Speed beside peers: ``python -m benchmarks`` runs every job, ``python -m benchmarks scores`` one.

What is printed are ratios of times measured in one run, so that they hold on any machine. Each job runs in a process
of its own. Where numpy would sort by a path that is slow on this processor, the job runs a second time without it, for
Evalcore and its peers alike.
"""

import os
import subprocess
import sys

from numpy._core._multiarray_umath import __cpu_features__ as cpu_features

JOBS = {
    "scores": "5 M scores: curves, areas, thresholds and intervals",
    "bootstrap": "a goal decided in 2,000 resamples over 1,000 thresholds",
    "comparison": "differences of two systems, bands of curves, stated probabilities",
    "coverage": "how often each interval of the registry holds the true value, over data of many forms (an hour)",
    "promises": "how often limits that were promised for new rows do not hold (minutes)",
    "clustered_coverage": "the same where rows belong together, as rows and by cluster (minutes)",
    "shared_clusters": "the same for two groups that have clusters in common (minutes)",
    "slices": "slices that are worse: false and planted ones (minutes), 1 M rows of 20 columns",
    "classes": "1 M rows of 50 string classes",
    "masks": "200 pairs of masks of 512 × 512 pixels",
    "regression": "1 M rows of estimates: measures, intervals, first pictures, memory",
    "multilabel": "1 M rows of 20 labels, each with a score",
    "retrieval": "a TREC run and judgments, from files to six measures a query",
    "hiding": "the order of three systems with ever fewer judgments of 5,000 queries",
    "engines": "10 M rows of Parquet that are never loaded: confusion, thresholds, bounds, memory",
    "shards": "10 M rows of runs in ten shards: judged hits, their data set, per-query table and comparison, memory",
    "starting": "a fresh process",
    "threshold_view": "the threshold dragged in a browser",
    "gestures": "the gestures of docs/gestures.md in a browser: how long a frame takes",
    "playground": "hills shaped, bars drawn and the threshold swept in a browser",
    "picking": "a query picked in the ranking, in a browser",
    "load": "1, 20 and 50 people who move the threshold, 30 who open one link",
    "report": "10 M scores in a report, 1 M in a notebook: size, and frames a second while the threshold is dragged",
    "uploading": "a CSV of 1 M rows from the file to the threshold page, in a browser; a cold server",
    "opening": "pages of 1 M rows of three systems opened in a browser",
}
"""Modules of this package, each a program that prints its lines."""

WITHOUT_AVX512 = "AVX512_ICL X86_V4"
"""On AMD Zen 4 the AVX-512 sort of numpy, with its compressing stores, is six times slower than the one of AVX2."""


def main(names: list[str]) -> int:
    if unknown := [name for name in names if name not in JOBS]:
        print(f"There is no job {unknown[0]!r}; the jobs are {', '.join(JOBS)}.", file=sys.stderr)
        return 2
    codes = []
    for name in names or JOBS:
        print(f"{name}: {JOBS[name]}", flush=True)
        codes.append(run(name))
        if name == "scores" and cpu_features.get("X86_V4") and "NPY_DISABLE_CPU_FEATURES" not in os.environ:
            print(f'{name}, numpy without AVX-512 (NPY_DISABLE_CPU_FEATURES="{WITHOUT_AVX512}")', flush=True)
            codes.append(run(name, NPY_DISABLE_CPU_FEATURES=WITHOUT_AVX512))
    return max(map(bool, codes))


def run(name: str, **environment: str) -> int:
    """Run one job; where it ends early, say so and let the next one run."""
    code = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], env={**os.environ, **environment}).returncode
    if code:
        print(f"  {name} ended early, with exit code {code}: what stands above was measured", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
