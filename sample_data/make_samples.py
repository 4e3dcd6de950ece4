"""Create the sample files in this folder: worked examples from the literature, and models of scikit-learn data sets.

`python sample_data/make_samples.py` recreates the files byte for byte. It needs scikit-learn, which the application
does not. README.md names the origin of each file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
FOLDS = 10
SEED = 2024

P, N = "P", "N"
WORKED_EXAMPLES: dict[str, list[Sequence[object]]] = {
    "roc_20.csv": [
        ("actual", "score"),
        *zip(
            (P, P, N, P, P, P, N, N, P, N, P, N, P, N, N, N, P, N, P, N),
            "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.5 0.4 0.39 0.38 0.37 0.36 0.35 0.34 0.33 0.3 0.1".split(),
            strict=True,
        ),
    ],
    "roc_ties_10.csv": [
        ("actual", "score"),
        *zip("++---+-+-+", "0.95 0.93 0.87 0.85 0.85 0.85 0.76 0.53 0.43 0.25".split(), strict=True),
    ],
    "glucose_10.csv": [
        ("actual", "glucose"),
        *zip("1011101000", "28.9 23.4 23.2 21.7 21.6 21.5 19.9 15.7 10 8.9".split(), strict=True),
    ],
    "cancer_test.csv": [("tp", "fp", "fn", "tn"), (20, 180, 10, 1820)],
    "virus_test.csv": [("tp", "fp", "fn", "tn"), (595, 4965, 105, 94335)],
    "always_negative.csv": [("tp", "fp", "fn", "tn"), (0, 0, 10, 9990)],
    "four_methods.csv": [
        ("method", "tp", "fp", "fn", "tn"),
        ("A", 95, 30, 5, 70),
        ("B", 40, 80, 60, 20),
        ("C", 90, 70, 10, 30),
        ("D", 60, 5, 40, 95),
    ],
    "two_classifiers.csv": [
        ("classifier", "tp", "fp", "fn", "tn"),
        ("classifier 1", 70, 140, 30, 860),
        ("classifier 2", 20, 50, 80, 950),
    ],
    "woman_man_child.csv": [
        ("predicted", "Woman", "Man", "Child"),
        ("Woman", 13, 4, 2),
        ("Man", 2, 15, 1),
        ("Child", 5, 1, 57),
    ],
    "cat_fish_hen.csv": [
        ("actual", "Cat", "Fish", "Hen"),
        ("Cat", 4, 1, 1),
        ("Fish", 6, 2, 2),
        ("Hen", 3, 0, 6),
    ],
    "eight_labels.csv": [("actual", "predicted"), *zip("10011000", "00010001", strict=True)],
    "oracle_false.csv": [("actual", "classifier 1", "classifier 2"), *zip("FFFFFT", "FFFFTT", "FFFFFF", strict=True)],
}


def write(folder: Path, file: str, lines: Iterable[Sequence[object]]) -> None:
    """Write one file, with the same line endings on every system."""
    text = "".join(",".join(str(field) for field in line) + "\n" for line in lines)
    (folder / file).write_text(text, encoding="utf-8", newline="\n")


def worked_examples(folder: Path) -> None:
    """Small tables printed in the literature."""
    for file, lines in WORKED_EXAMPLES.items():
        write(folder, file, lines)


def breast_cancer(folder: Path) -> None:
    """Cross-validated scores of tumours by two models, and the size of their cells as a group."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    data = load_breast_cancer()
    malignant = data.target == 0
    # fifteen neighbours can give sixteen scores, so this model shows what ties do
    # strongly regularised, so that its scores spread over the whole range instead of crowding at both ends
    regression = _held_out(LogisticRegression(C=0.01), data.data, malignant, "predict_proba")[:, 1]
    neighbours = _held_out(KNeighborsClassifier(15), data.data, malignant, "predict_proba")[:, 1]
    radius = data.data[:, list(data.feature_names).index("mean radius")]
    band = np.searchsorted(np.quantile(radius, [1 / 3, 2 / 3]), radius)
    rows = zip(
        np.where(malignant, "malignant", "benign"),
        (f"{score:.4f}" for score in regression),
        (f"{score:.4f}" for score in neighbours),
        np.array(["small", "medium", "large"])[band],
        strict=True,
    )
    write(folder, "breast_cancer.csv", [("actual", "logistic_regression", "nearest_neighbours", "size_band"), *rows])


def digits(folder: Path) -> None:
    """Cross-validated predictions of handwritten digits by two models, and the probabilities of one of them."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    data = load_digits()
    probabilities = _held_out(LogisticRegression(max_iter=1000), data.data, data.target, "predict_proba")
    # rounded first, so that the most probable digit of one file is the prediction of the other
    parts = _rounded_to_one(probabilities, 10_000)
    bayes = _held_out(GaussianNB(), data.data, data.target, "predict")
    header = ("actual", "logistic_regression", "naive_bayes")
    write(folder, "digits.csv", [header, *zip(data.target, parts.argmax(axis=1), bayes, strict=True)])
    rows = ((digit, *(f"{part / 10_000:.4f}" for part in row)) for digit, row in zip(data.target, parts, strict=True))
    write(folder, "digits_probabilities.csv", [("actual", *(f"p_{digit}" for digit in range(10))), *rows])


def diabetes(folder: Path) -> None:
    """Cross-validated estimates of the progression of diabetes by two models."""
    from sklearn.datasets import load_diabetes
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import KNeighborsRegressor

    data = load_diabetes()
    linear = _held_out(LinearRegression(), data.data, data.target, "predict")
    neighbours = _held_out(KNeighborsRegressor(15), data.data, data.target, "predict")
    rows = ((f"{t:.0f}", f"{a:.1f}", f"{b:.1f}") for t, a, b in zip(data.target, linear, neighbours, strict=True))
    write(folder, "diabetes.csv", [("truth", "linear_regression", "nearest_neighbours"), *rows])


def _held_out(model: object, features: np.ndarray, target: np.ndarray, method: str) -> np.ndarray:
    """The prediction for each row by a model fitted on the nine folds without it."""
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    folds = KFold if target.dtype.kind == "f" else StratifiedKFold
    split = folds(FOLDS, shuffle=True, random_state=SEED)
    return cross_val_predict(make_pipeline(StandardScaler(), model), features, target, cv=split, method=method)


def _rounded_to_one(probabilities: np.ndarray, parts: int) -> np.ndarray:
    """Whole numbers of parts that add up to all of them in every row: what rounding leaves goes to the largest."""
    rounded = np.rint(probabilities * parts).astype(int)
    rows = np.arange(len(rounded))
    rounded[rows, rounded.argmax(axis=1)] += parts - rounded.sum(axis=1)
    return rounded


def main() -> None:
    """Make every file, in this folder or in another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write the files")
    folder = parser.parse_args().folder
    for make in (worked_examples, breast_cancer, digits, diabetes):
        make(folder)


if __name__ == "__main__":
    main()
