"""Create the sample files in this folder: worked examples from the literature, models of scikit-learn data sets, and a
search for images of digits.

`python sample_data/make_samples.py` recreates them byte for byte with NumPy 2.4. It needs scikit-learn; README.md names
their origins.
"""

import argparse
import base64
import gzip
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
FOLDS = 10
SEED = 2024
LEARNED_FROM, QUERIES, DEPTH = 600, 300, 100  # of the search for images

Line = Sequence[object]
PRINTED_14 = (588, 589, 576, 590, 986, 592, 984, 988, 578, 985, 103, 591, 772, 990)
RELEVANT_14 = (588, 589, 590, 592, 772)

P, N = "P", "N"
WORKED_EXAMPLES: dict[str, list[Line]] = {
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
    "cat_fish_hen.csv": [("actual", "Cat", "Fish", "Hen"), ("Cat", 4, 1, 1), ("Fish", 6, 2, 2), ("Hen", 3, 0, 6)],
    "eight_labels.csv": [("actual", "predicted"), *zip("10011000", "00010001", strict=True)],
    "oracle_false.csv": [("actual", "classifier 1", "classifier 2"), *zip("FFFFFT", "FFFFTT", "FFFFFF", strict=True)],
}


def write(folder: Path, file: str, lines: Iterable[Line]) -> None:
    """Write one file, with the same line endings on every system and no time stamp in compressed files."""
    text = "".join(",".join(str(field) for field in line) + "\n" for line in lines).encode()
    if file.endswith(".gz"):
        with (folder / file).open("wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
            packed.write(text)
    else:
        (folder / file).write_bytes(text)


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
    scores = ([f"{score:.4f}" for score in each] for each in (regression, neighbours))
    bands = np.array(["small", "medium", "large"])[band]
    rows = zip(np.where(malignant, "malignant", "benign"), *scores, bands, strict=True)
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


LABELS_OF_DIGITS = {"even": "02468", "above 4": "56789", "prime": "2357", "loop": "0689"}


def digits_labels(folder: Path) -> None:
    """Cross-validated scores of four labels that a digit may have or not, and label sets of two kinds of model."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    data = load_digits()
    has = [np.isin(data.target.astype(str), list(digits)) for digits in LABELS_OF_DIGITS.values()]
    model = LogisticRegression(C=0.01)
    # rounded first, so that the sets of one file follow from the scores of the other
    scores = [_held_out(model, data.data, each, "predict_proba")[:, 1].round(3) for each in has]
    header = ["digit", *(f"{part}_{name}" for part in ("y", "score") for name in LABELS_OF_DIGITS)]
    rows = (
        (digit, *(int(each[row]) for each in has), *(f"{each[row]:.3f}" for each in scores))
        for row, digit in enumerate(data.target)
    )
    write(folder, "digits_labels.csv", [header, *rows])
    names = np.array(list(LABELS_OF_DIGITS), dtype=object)
    systems = {"true_labels": has, "logistic_regression": [each >= 0.5 for each in scores]}
    systems["naive_bayes"] = [_held_out(GaussianNB(), data.data, each, "predict") for each in has]
    sets = (["|".join(names[row]) for row in np.column_stack(each).astype(bool)] for each in systems.values())
    write(folder, "digits_label_sets.csv", [systems, *zip(*sets, strict=True)])


def diabetes(folder: Path) -> None:
    """Cross-validated estimates of the progression of diabetes by two models, and four of its quantiles."""
    from sklearn.datasets import load_diabetes
    from sklearn.linear_model import LinearRegression, QuantileRegressor
    from sklearn.neighbors import KNeighborsRegressor

    features, target = load_diabetes(return_X_y=True)
    models = {"linear_regression": LinearRegression(), "nearest_neighbours": KNeighborsRegressor(15)}
    models |= {f"q{share:02}": QuantileRegressor(quantile=share / 100, alpha=0) for share in (5, 25, 75, 95)}
    columns = (_held_out(model, features, target, "predict").round(1) for model in models.values())
    write(folder, "diabetes.csv", [("truth", *models), *zip(target.astype(int), *columns, strict=True)])


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


def worked_rankings(folder: Path) -> None:
    """Rankings printed in the literature; ranks replace documents or scores that are not printed."""
    ranked = ((1, document, rank, int(document in RELEVANT_14)) for rank, document in enumerate(PRINTED_14, 1))
    write(folder, "ranking_14.csv", [("query", "document", "rank", "grade"), *ranked])
    write(folder, "two_methods.csv", [("query", "document", "A", "B", "grade"), *_two_methods()])
    # Ten results, and the rest of the five documents of grade 3 and the ten of grade 2 that the collection holds.
    ten = _graded((0, 2, 1, 3, 0, 2, 0, 3, 1, 3), unretrieved=(3, 3) + (2,) * 8)
    write(folder, "graded_10.csv", [("query", "document", "rank", "grade"), *ten])
    classic = _graded((3, 2, 3, 0, 0, 1, 2, 2, 3, 0))
    write(folder, "graded_classic_10.csv", [("query", "document", "rank", "grade"), *classic])


def _two_methods() -> list[Line]:
    """Twenty relevant documents: A retrieves seven of them among fourteen, B four among six. Retrieved scores 1."""
    relevant = [f"r{place:02}" for place in range(1, 21)]
    others = [f"n{place:02}" for place in range(1, 10)]
    a = {*relevant[:7], *others[:7]}
    b = {*relevant[5:9], *others[7:9]}
    return [
        (1, document, 1 if document in a else "", 1 if document in b else "", int(document in relevant))
        for document in relevant + others
    ]


def _graded(grades: Sequence[int], unretrieved: Sequence[int] = ()) -> list[Line]:
    found = [(1, f"d{rank:02}", rank, grade) for rank, grade in enumerate(grades, 1)]
    return found + [(1, f"d{place:02}", "", grade) for place, grade in enumerate(unretrieved, len(grades) + 1)]


def image_retrieval(folder: Path) -> None:
    """Images of digits ranked by the distance and the angle of their pixels, and by a learned projection.

    The projection is trained on other images. An image of the same digit is relevant; in the graded judgments it has
    grade 2, or 3 if it is also similar (shares at least four fifths of the ink). A similar image of another digit has
    grade 1.
    """
    from sklearn.datasets import load_digits
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    data = load_digits()
    order = np.random.default_rng(SEED).permutation(len(data.data))
    learned, collection = np.sort(order[:LEARNED_FROM]), np.sort(order[LEARNED_FROM:])
    pixels, digit = data.data[collection], data.target[collection]
    projection = LinearDiscriminantAnalysis(solver="svd").fit(data.data[learned], data.target[learned])
    projected = projection.transform(pixels)
    asked = np.arange(QUERIES)
    length = np.sqrt((pixels**2).sum(axis=1))
    scores = {
        "pixels": -_squared(pixels[asked], pixels),
        "cosine": np.rint(10_000 * (pixels[asked] @ pixels.T) / np.outer(length[asked], length)),
        "projection": -np.rint(100 * np.sqrt(_squared(projected[asked], projected))),
    }
    ink = np.minimum(pixels[asked, None, :], pixels[None, :, :]).sum(axis=2)
    alike = 5 * ink >= 4 * np.maximum(pixels[asked].sum(axis=1)[:, None], pixels.sum(axis=1)[None, :])
    same = digit[asked][:, None] == digit[None, :]
    for file, grades in (("image_retrieval", same.astype(int)), ("image_retrieval_graded", 2 * same + alike)):
        lines: list[Line] = [("query", "document", *scores, "grade")]
        for query in asked.tolist():
            lines += _lists(query, {name: found[query].astype(int) for name, found in scores.items()}, grades[query])
        write(folder, f"{file}.csv.gz", lines)

    images = [(image, _data_uri(ink)) for image, ink in enumerate(pixels)]
    write(folder, "digit_documents.tsv.gz", [("document\timage",), *((f"i{i:04}\t{uri}",) for i, uri in images)])
    write(folder, "digit_queries.tsv.gz", [("query\timage",), *((f"q{i:03}\t{uri}",) for i, uri in images[:QUERIES])])


def _data_uri(ink: np.ndarray) -> str:
    """A PNG of 8 × 8 pixels, dark ink on white in sixteen greys, not compressed: the file around it is."""
    grey = 15 - np.minimum(ink.reshape(8, 8), 15).astype(np.uint8)
    lines = b"".join(b"\0" + row.tobytes() for row in grey[:, ::2] << 4 | grey[:, 1::2])
    png, header = b"\x89PNG\r\n\x1a\n", struct.pack(">IIBBBBB", 8, 8, 4, 0, 0, 0, 0)
    for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 0)), (b"IEND", b"")):
        png += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _squared(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)


def _lists(query: int, scores: dict[str, np.ndarray], grades: np.ndarray) -> list[Line]:
    """One line per image that is relevant or among the first hundred of a system."""
    retrieved = {}
    for name, found in scores.items():
        found = found.copy()
        found[query] = found.min() - 1  # an image does not retrieve itself
        order = np.lexsort((np.arange(len(found)), -found))[:DEPTH]
        retrieved[name] = set(order.tolist())
    shown = set(np.flatnonzero(grades).tolist()).union(*retrieved.values()) - {query}
    lines = []
    for image in sorted(shown):
        found = (scores[name][image] if image in images else "" for name, images in retrieved.items())
        lines.append((f"q{query:03}", f"i{image:04}", *found, grades[image]))
    return lines


def main() -> None:
    """Make every file, in this folder or in another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write the files")
    for make in (worked_examples, breast_cancer, digits, digits_labels, diabetes, worked_rankings, image_retrieval):
        make(parser.parse_args().folder)


if __name__ == "__main__":
    main()
