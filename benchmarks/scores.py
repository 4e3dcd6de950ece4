"""Scores beside scikit-learn: curves, areas and best thresholds of 5 million rows; one threshold of 10 million."""

import numpy as np
from sklearn import metrics as peer

from benchmarks.clock import line, medians, ratio_line, seconds_of, time_line
from evalcore.classification import (
    ScoredLabels,
    accuracy,
    average_precision,
    best,
    cohen_kappa,
    f_beta,
    matthews_correlation,
    precision_recall_curve,
    roc_auc,
    roc_curve,
    youden_j,
)
from evalcore.inference import delong

ROWS = 5_000_000
MEASURES = (accuracy, f_beta, youden_j, matthews_correlation, cohen_kappa)


def sample(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, 3 in 10 positive, and normal scores, those of the positives one deviation higher."""
    random = np.random.default_rng(20)
    labels = random.random(rows) < 0.3
    return labels, random.normal(size=rows) + labels


def everything(labels: np.ndarray, scores: np.ndarray) -> ScoredLabels:
    """Both curves, both areas and the best threshold for five measures, from the arrays."""
    scored = ScoredLabels.from_arrays(labels, scores)
    table = scored.table()
    roc_curve(table)
    precision_recall_curve(table)
    roc_auc(scored)
    average_precision(scored)
    for measure in MEASURES:
        best(table, measure)
    return scored


def everything_by_peer(labels: np.ndarray, scores: np.ndarray) -> None:
    """The same by scikit-learn, without the thresholds."""
    peer.roc_curve(labels, scores)
    peer.precision_recall_curve(labels, scores)
    peer.roc_auc_score(labels, scores)
    peer.average_precision_score(labels, scores)


def main() -> None:
    labels, scores = sample(ROWS)
    state = everything(labels, scores)
    assert np.isclose(roc_auc(state), peer.roc_auc_score(labels, scores), rtol=1e-12)
    seconds = medians(
        {
            "all": lambda: everything(labels, scores),
            "sort": lambda: np.sort(scores),
            "delong": lambda: delong(state),
            "peer": lambda: everything_by_peer(labels, scores),
        },
        repeats=5,
    )
    own, theirs = seconds["all"], seconds["peer"]
    time_line("Evalcore: both curves, AUC, AP, 5 best thresholds", own)
    time_line("scikit-learn: both curves, AUC, AP", theirs)
    ratio_line(theirs / own, 30)
    time_line("one np.sort of the scores", seconds["sort"])
    sorts = own / seconds["sort"]
    line("  Evalcore in sorts", f"{sorts:.1f} ×", "≤ 3 ×", sorts <= 3)
    share = seconds["delong"] / own
    line("DeLong interval of the same state, of the first line", f"{share:.2f} ×", "≤ 1 ×", share <= 1)

    large = ScoredLabels.from_arrays(*sample(2 * ROWS))
    cuts = np.random.default_rng(21).normal(size=1000).tolist()
    one_cut = seconds_of(lambda: [large.counts_at(cut) for cut in cuts], repeats=9) / len(cuts)
    time_line("counts at one threshold of 10 M rows", one_cut, 10e-6)


if __name__ == "__main__":
    main()
