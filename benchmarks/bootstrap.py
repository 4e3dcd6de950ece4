"""A goal decided in 2,000 resamples over a grid of 1,000 thresholds, whatever the rows, beside drawing the rows."""

import numpy as np
from sklearn import metrics as peer

from benchmarks.clock import medians, ratio_line, seconds_of, time_line
from benchmarks.scores import sample
from evalcore.classification import ScoredLabels, f_beta, measure_goal, recall, threshold_grid
from evalcore.inference import bootstrap_choice, clusters_of

RESAMPLES = 2000
SIZES = (500, 5_000, 20_000, 100_000, 1_000_000, 10_000_000)
BAR = 0.5
"""Seconds."""

PEER_ROWS, PEER_RESAMPLES = 20_000, 20


def row_by_row(labels: np.ndarray, scores: np.ndarray) -> list[float]:
    """The best F1 threshold of resampled rows by numpy and scikit-learn: so few of them that one waits for it."""
    random = np.random.default_rng(20)
    chosen = []
    for _ in range(PEER_RESAMPLES):
        rows = random.integers(0, len(labels), len(labels))
        precision, found, thresholds = peer.precision_recall_curve(labels[rows], scores[rows])
        both = precision[:-1] + found[:-1]
        chosen.append(float(thresholds[np.argmax(2 * precision[:-1] * found[:-1] / np.maximum(both, 1e-300))]))
    return chosen


def main() -> None:
    goal = measure_goal(f_beta)
    for rows in SIZES:
        labels, scores = sample(rows)
        table = ScoredLabels.from_arrays(labels, scores).table()
        jobs = {"choice": lambda table=table: bootstrap_choice(goal, table)}
        if rows == PEER_ROWS:
            jobs["peer"] = lambda labels=labels, scores=scores: row_by_row(labels, scores)
        seconds = medians(jobs, repeats=3)
        own = seconds["choice"]
        time_line(f"{RESAMPLES:,} resamples, F1 decided in each, {rows:,} rows", own, BAR)
        if "peer" in seconds:
            times = RESAMPLES // PEER_RESAMPLES
            time_line(f"numpy and scikit-learn, {PEER_RESAMPLES} resamples × {times}", seconds["peer"] * times)
            ratio_line(seconds["peer"] * times / own)

    labels, scores = sample(100_000)
    table = ScoredLabels.from_arrays(labels, scores).table()
    grid = threshold_grid(table)
    for groups in (100, 10_000):
        of = np.random.default_rng(21).integers(0, groups, len(labels))
        grouped = clusters_of(grid, labels, scores, of)
        made = bootstrap_choice(goal, table, clusters=grouped).resampling.resamples
        seconds = seconds_of(lambda grouped=grouped: bootstrap_choice(goal, table, clusters=grouped), repeats=1)
        time_line(f"{made:,} resamples of {groups:,} groups, 100,000 rows", seconds)
    seconds = seconds_of(lambda: bootstrap_choice(goal, table).resampling.bands(recall), repeats=1)
    time_line("the same and the bands of a measure", seconds)


if __name__ == "__main__":
    main()
