"""The report of ten million scores: how long its threshold chapter takes, and how large the file is."""

import sys
import time

import numpy as np

from evalcore.analyses import Scores, Source
from evalcore.classification import ScoredLabels
from evalcore.readers import read_sample
from evalcore.reports import ReportSettings
from evalcore.reports.document import document
from evalcore.reports.of_scores import cockpit_chapter

MOST_BYTES = 2_000_000


def main(rows: int = 10_000_000) -> None:
    """Print seconds and bytes beside the bar."""
    rng = np.random.default_rng(16)
    scores = np.sort(rng.random(rows))[::-1]
    positive = rng.random(rows) < scores**2
    state = ScoredLabels.from_counts(scores, positive * 1.0, ~positive * 1.0)
    named = Scores(Source.of(read_sample("roc_20")), "score", state, "ill", "well", 0)
    start = time.perf_counter()
    text = document("Report", "today", [cockpit_chapter(named, ReportSettings())])
    seconds, size = time.perf_counter() - start, len(text.encode())
    print(f"{rows:,} rows: {seconds:.1f} s, {size:,} bytes ({size / MOST_BYTES:.0%} of the bar)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
