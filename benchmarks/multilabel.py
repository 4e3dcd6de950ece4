"""Several labels per row beside scikit-learn: 1 million rows of 20 labels with a score each."""

import numpy as np
from sklearn import metrics as peer

from benchmarks.clock import medians, ratio_line, time_line
from evalcore import measures_of
from evalcore.classification import LabelScores, averages, cooccurrence, missed_and_extra, samples_average
from evalcore.inference import bootstrap_label_measures

ROWS, LABELS, THRESHOLD, FOR_PEERS = 1_000_000, 20, 0.5, 20_000
COUNTED = [measure for measure in measures_of("counts") if measure.short in ("precision", "recall", "F1", "IoU")]


def sample(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Indicators of which one in ten is true, and scores that overlap, shape (rows, labels)."""
    random = np.random.default_rng(20)
    truth = random.random((rows, LABELS)) < 0.1
    return truth, 0.3 * truth + 0.6 * random.random((rows, LABELS))


def measured(truth: np.ndarray, scores: np.ndarray) -> LabelScores:
    """The measures of every label, their averages, and those of sets and rankings."""
    state = LabelScores.from_arrays(truth, scores)
    at_threshold(state, THRESHOLD)
    for measure in measures_of("label scores"):
        measure(state)
    return state


def at_threshold(state: LabelScores, threshold: float) -> None:
    """What depends on the thresholds: the measures of every label, their averages, and those of sets."""
    sets = state.at(threshold)
    for measure in COUNTED:
        measure(sets.one_vs_rest())
        averages(sets, measure)
        samples_average(sets, measure)
    for measure in measures_of("label sets"):
        measure(sets)


def everything(truth: np.ndarray, scores: np.ndarray) -> None:
    """That with the intervals and the pairs of labels: all that the page shows."""
    state = measured(truth, scores)
    bootstrap_label_measures(state)
    sets = state.at(THRESHOLD)
    bootstrap_label_measures(sets)
    missed_and_extra(sets)
    cooccurrence(sets)


def measured_by_scikit_learn(truth: np.ndarray, scores: np.ndarray) -> None:
    """The same numbers as `measured`."""
    predicted, actual = scores >= THRESHOLD, truth.astype(np.int64)
    for way in (None, "micro", "macro", "weighted", "samples"):
        peer.precision_recall_fscore_support(truth, predicted, average=way, zero_division=np.nan)
        peer.jaccard_score(truth, predicted, average=way, zero_division=0)
    peer.hamming_loss(truth, predicted)
    peer.accuracy_score(truth, predicted)
    peer.label_ranking_average_precision_score(actual, scores)
    peer.coverage_error(actual, scores)
    peer.label_ranking_loss(actual, scores)


def main() -> None:
    truth, scores = sample(ROWS)
    fewer = truth[:FOR_PEERS], scores[:FOR_PEERS]
    state = measured(truth, scores)
    jobs = {"all": lambda: everything(truth, scores), "moved": lambda: at_threshold(state, 0.4)}
    own = medians(jobs, repeats=3)
    time_line("measures, averages, rankings, intervals, pairs", own["all"], 3)
    time_line("the measures again at another threshold", own["moved"])
    both = medians({"own": lambda: measured(*fewer), "peer": lambda: measured_by_scikit_learn(*fewer)}, repeats=3)
    ratio_line(both["peer"] / both["own"], 10, f"without intervals and pairs, times scikit-learn ({FOR_PEERS:,} rows)")


if __name__ == "__main__":
    main()
