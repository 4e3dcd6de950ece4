"""Create the retrieval samples in this folder: worked examples from the literature, and a search for images of digits.

`python sample_data/make_retrieval.py` recreates the files byte for byte. It needs scikit-learn, which the application
does not. README.md names the origin of each file.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
SEED = 2024
LEARNED_FROM, QUERIES, DEPTH = 600, 300, 100

Line = Sequence[object]
PRINTED_14 = (588, 589, 576, 590, 986, 592, 984, 988, 578, 985, 103, 591, 772, 990)
RELEVANT_14 = (588, 589, 590, 592, 772)


def worked_examples(folder: Path) -> None:
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
    for file, grades in (
        ("image_retrieval.csv.gz", same.astype(int)),
        ("image_retrieval_graded.csv.gz", 2 * same + alike),
    ):
        lines: list[Line] = [("query", "document", *scores, "grade")]
        for query in asked.tolist():
            lines += _lists(query, {name: found[query].astype(int) for name, found in scores.items()}, grades[query])
        write(folder, file, lines)


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
    return [
        (
            f"q{query:03}",
            f"i{image:04}",
            *(scores[name][image] if image in found else "" for name, found in retrieved.items()),
            grades[image],
        )
        for image in sorted(shown)
    ]


def write(folder: Path, file: str, lines: Sequence[Line]) -> None:
    """Write one file, with the same line endings on every system and no time stamp in compressed files."""
    text = "".join(",".join(str(field) for field in line) + "\n" for line in lines).encode()
    if file.endswith(".gz"):
        with (folder / file).open("wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
            packed.write(text)
    else:
        (folder / file).write_bytes(text)


def main() -> None:
    """Create every file, in this folder or another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write the files")
    folder = parser.parse_args().folder
    for make in (worked_examples, image_retrieval):
        make(folder)


if __name__ == "__main__":
    main()
