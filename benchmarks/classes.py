"""Several classes beside scikit-learn and pycm: 1 million rows of 50 string classes, as a CSV reader leaves them."""

import numpy as np
import pandas as pd
from pycm import ConfusionMatrix as PeerMatrix
from sklearn import metrics as peer

from benchmarks.clock import medians, ratio_line, seconds_of, time_line
from evalcore import METRICS
from evalcore.classification import ConfusionMatrix, ProbabilityTable, averages
from evalcore.inference import clustered_order, compare_cells

ROWS, CLASSES = 1_000_000, 50
OF_A_CLASS = ("precision", "recall", "specificity", "negative_predictive_value", "f_beta", "accuracy")
OF_THE_TABLE = ("overall_accuracy", "macro_recall", "multiclass_kappa", "multiclass_matthews", "no_information_rate")


def sample(rows: int, classes: int) -> pd.DataFrame:
    """Labels of which eight in ten are right, in pandas' own type of text."""
    random = np.random.default_rng(20)
    names = np.array([f"class number {i}" for i in range(classes)])
    actual = random.integers(0, classes, rows)
    predicted = np.where(random.random(rows) < 0.8, actual, random.integers(0, classes, rows))
    return pd.DataFrame({"actual": names[actual], "predicted": names[predicted]})


def everything(table: pd.DataFrame) -> ConfusionMatrix:
    """The matrix, every measure of every class, their three averages, and the measures of the whole table."""
    matrix = ConfusionMatrix.from_labels(table["actual"], table["predicted"])
    counts = matrix.one_vs_rest()
    for key in OF_A_CLASS:
        METRICS[key](counts)
        averages(matrix, METRICS[key])
    for key in OF_THE_TABLE:
        METRICS[key](matrix)
    return matrix


def everything_by_scikit_learn(actual: object, predicted: object) -> None:
    """The matrix and the report of precision, recall and F1, from whatever the columns are."""
    peer.confusion_matrix(actual, predicted)
    peer.classification_report(actual, predicted, output_dict=True, zero_division=0)


def everything_by_pycm(actual: np.ndarray, predicted: np.ndarray) -> None:
    """The matrix and six measures of each class; pycm computes the others when it is asked for them."""
    matrix = PeerMatrix(actual_vector=actual, predict_vector=predicted)
    for key in ("PPV", "TPR", "TNR", "NPV", "F1", "ACC"):
        getattr(matrix, key)


def areas_beside_scikit_learn(random: np.random.Generator) -> None:
    """One-vs-rest and one-vs-one AUC, macro and weighted, of a million rows of ten classes."""
    actual, probabilities = random.integers(0, 10, ROWS), random.random((ROWS, 10))
    probabilities[np.arange(ROWS), actual] += 0.3
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    keys = {"macro_auc": ("ovr", "macro"), "weighted_auc": ("ovr", "weighted"), "one_vs_one_auc": ("ovo", "macro")}

    def own() -> list[float]:
        table = ProbabilityTable.from_arrays(actual, probabilities, tuple(range(10)))
        return [METRICS[key](table) for key in keys]

    def theirs() -> list[float]:
        ways = ({"multi_class": way, "average": average} for way, average in keys.values())
        return [peer.roc_auc_score(actual, probabilities, **way) for way in ways]

    np.testing.assert_allclose(own(), theirs(), rtol=1e-12)
    fast, slow = seconds_of(own, repeats=3), seconds_of(theirs, repeats=1)
    time_line("macro, weighted and one-vs-one AUC of 1 M rows of 10 classes", fast)
    time_line("scikit-learn's roc_auc_score of the same", slow)
    ratio_line(slow / fast)


def main() -> None:
    table = sample(ROWS, CLASSES)
    texts = [table[column].to_numpy(dtype=object) for column in table]
    fixed = [column.astype(str) for column in texts]
    matrix = everything(table)
    assert (matrix.counts == peer.confusion_matrix(*fixed)).all()

    fast = medians({"own": lambda: everything(table), "pycm": lambda: everything_by_pycm(*texts)}, repeats=9)
    fixed_strings = seconds_of(lambda: everything_by_scikit_learn(*fixed), repeats=3)
    strings = seconds_of(lambda: everything_by_scikit_learn(table["actual"], table["predicted"]), repeats=1)
    own = fast["own"]
    time_line("Evalcore: matrix, measures of every class, averages", own)
    time_line("scikit-learn on the same columns", strings)
    ratio_line(strings / own, 100)
    time_line("scikit-learn on numpy strings", fixed_strings)
    ratio_line(fixed_strings / own)
    time_line("pycm on numpy objects", fast["pycm"])
    ratio_line(fast["pycm"] / own, 2)

    random = np.random.default_rng(21)
    actual, a, b = (random.integers(0, CLASSES, ROWS) for _ in range(3))
    large = ConfusionMatrix(range(500), random.integers(0, 9, (500, 500)))
    cells = seconds_of(lambda: compare_cells(actual, a, b, tuple(range(CLASSES))), repeats=3)
    time_line("two systems of 1 M rows, cell by cell, corrected", cells)
    areas_beside_scikit_learn(random)
    time_line("500 classes in clustered order", seconds_of(lambda: clustered_order(large), repeats=3))


if __name__ == "__main__":
    main()
