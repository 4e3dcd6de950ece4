"""Comparisons and bands: DeLong for two systems of 1 million rows, bootstraps of 2,000 resamples, probabilities."""

import numpy as np
from sklearn import metrics as peer

from benchmarks.clock import line, medians, ratio_line, time_line
from evalcore import METRICS
from evalcore.classification import (
    ProbabilityTable,
    ScoredLabels,
    average_precision,
    brier_parts,
    brier_score,
    drawn_points,
    expected_calibration_error,
    log_loss,
    precision_recall_curve,
    roc_curve,
)
from evalcore.inference import (
    PairedCounts,
    bootstrap_score_differences,
    correlated_areas,
    paired_differences,
    precision_recall_band,
    recalibrated,
    roc_band,
)

ROWS, LARGE = 1_000_000, 10_000_000
POINT = 7 * 8
"""Bytes of a point that is sent: two coordinates, the threshold and four counts."""


def sample(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, 3 in 10 positive, and the scores of a system and of one with noise on top."""
    random = np.random.default_rng(20)
    labels = random.random(rows) < 0.3
    a = random.normal(size=rows) + labels
    return labels, a, a + 0.5 * random.normal(size=rows)


def main() -> None:
    labels, a, b = sample(ROWS)
    table = ScoredLabels.from_arrays(labels, a).table()
    paired = PairedCounts.from_labels(labels, a >= 0.5, b >= 0.5)
    counted = [measure for measure in METRICS.values() if measure.family == "counts"]
    few = slice(0, 10_000)
    seconds = medians(
        {
            "sort": lambda: np.sort(a),
            "argsort": lambda: np.argsort(a),
            "areas": lambda: correlated_areas(labels, [a, b]),
            "roc": lambda: roc_band(table, simultaneous=True),
            "pr": lambda: precision_recall_band(table, simultaneous=True),
            "counts": lambda: paired_differences(counted, paired),
            "ap": lambda: bootstrap_score_differences([average_precision], labels[few], a[few], b[few]),
            "ap large": lambda: bootstrap_score_differences([average_precision], labels, a, b),
        },
        repeats=3,
    )
    areas = seconds["areas"]
    time_line("DeLong, areas and covariance of 2 systems × 1 M rows", areas)
    ratio_line(areas / seconds["sort"], what="  in sorts of one column of scores")
    line("  in sorts that keep the order (argsort)", f"{areas / seconds['argsort']:.1f} ×", "≈ 2 ×")
    time_line("ROC band of 1 M rows, simultaneous, 2,000 resamples", seconds["roc"], 0.5)
    time_line("PR band of 1 M rows, simultaneous, 2,000 resamples", seconds["pr"], 0.5)
    time_line(f"difference of all {len(counted)} measures of counts, 2,000 resamples", seconds["counts"])
    time_line("difference of AP, 10,000 rows, 2,000 resamples", seconds["ap"])
    time_line("difference of AP, 1 M rows, 2,000 resamples", seconds["ap large"])

    random = np.random.default_rng(21)
    probabilities = random.dirichlet(np.ones(10), size=ROWS)
    actual = random.integers(0, 10, ROWS)
    stated = ProbabilityTable.from_arrays(actual, probabilities, tuple(range(10)))
    seconds = medians(
        {
            "door": lambda: ProbabilityTable.from_arrays(actual, probabilities, tuple(range(10))),
            "own": lambda: (log_loss(stated), brier_score(stated), expected_calibration_error(stated)),
            "peer": lambda: peer.log_loss(actual, probabilities),
            "parts": lambda: brier_parts(stated.event(0), np.linspace(0, 1, 11)),
            "platt": lambda: recalibrated(stated.event(0), "platt"),
            "isotonic": lambda: recalibrated(stated.event(0), "isotonic"),
        },
        repeats=3,
    )
    time_line("1 M × 10 probabilities through the door", seconds["door"])
    time_line("  log-loss, Brier score and calibration error", seconds["own"])
    time_line("  scikit-learn: log-loss alone", seconds["peer"])
    time_line("  the parts of the Brier score of one class", seconds["parts"])
    time_line("  recalibration of one class, 5 folds: Platt", seconds["platt"])
    time_line("  recalibration of one class, 5 folds: isotonic", seconds["isotonic"])

    labels, a, _ = sample(LARGE)
    table = ScoredLabels.from_arrays(labels, a).table()
    for name, curve in (("ROC", roc_curve(table)), ("PR", precision_recall_curve(table))):
        x, y = (curve.fpr, curve.tpr) if name == "ROC" else (curve.recall, curve.precision)
        sent = len(drawn_points(x, y, 480)) * POINT
        line(f"{name} curve of 10 M rows: sent for 480 pixels", f"{sent / 1000:.0f} kB", "≤ 200 kB", sent <= 200_000)


if __name__ == "__main__":
    main()
