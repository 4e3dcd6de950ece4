"""Python that reproduces the numbers of the page of classes."""

from evalcore.analyses import MOST_PROBABLE
from evalcore.figures import Look

from ...session.loaded_scores import scores_of, threshold_of
from .class_matrix import ClassTable

_LARGEST = 30


def classes_code(table: ClassTable, look: Look) -> str:
    """A script that counts the same matrix, with its groups and in its order, and prints every measure of it."""
    order = "" if look.actual_in_rows else "  # actual classes in the rows, whichever way the page shows it"
    groups = f"matrix = matrix.merged({table.groups!r})\n" if table.groups else ""
    names = repr(table.classes)
    return (
        "import numpy as np\n\n"
        "from evalcore import measures_of\n"
        "from evalcore.classification import ConfusionMatrix, averages, shares, top_confusions\n"
        f"{_counting(table)}\n"
        f"{groups}"
        f"matrix = matrix.ordered([matrix.classes.index(name) for name in {names}]){order}\n"
        f'print(matrix.classes, matrix.counts, sep="\\n")\n'
        f"{_asserted(table)}"
        'print(shares(matrix, "actual"))  # what became of each class; "predicted" and "all" too\n\n'
        "each = matrix.one_vs_rest()\n"
        'for measure in measures_of("matrix"):\n'
        "    for version in measure.versions:\n"
        "        print(version.name, version(matrix))\n"
        'for measure in measures_of("counts"):\n'
        "    print(measure.name, measure(each), averages(matrix, measure))\n"
        "for confusion in top_confusions(matrix):\n"
        "    print(confusion)\n"
    )


def _asserted(table: ClassTable) -> str:
    if len(table.classes) > _LARGEST:
        return f"assert matrix.counts.sum() == {float(table.matrix.counts.sum())!r}\n"
    return f"assert np.array_equal(matrix.counts, {table.matrix.counts.tolist()!r})\n"


def _counting(table: ClassTable) -> str:
    current = table.current
    opening = current.code
    if table.rows is None:
        if current.dataset.is_matrix:
            return f"{opening}\nmatrix = data.matrix()"
        return f"{opening}\nmatrix = ConfusionMatrix({tuple(table.classes)!r}, data.matrix({current.system!r}).counts)"
    if current.kind == "scores":
        scores = scores_of(current, current.system)
        sign, threshold = ">=" if scores.higher else "<=", threshold_of(scores)
        cut = f'float("{threshold}")' if abs(threshold) == float("inf") else repr(threshold)
        return (
            f"{opening}\nrows = data.scored_arrays({scores.system!r})\n"
            f"names = np.array({[*table.rows.classes]!r})\n"
            "actual = names[np.where(rows.labels, 0, 1)]\n"
            f"predicted = names[np.where(rows.scores {sign} {cut}, 0, 1)]\n"
            "matrix = ConfusionMatrix.from_labels(actual, predicted, classes=names.tolist(), weights=rows.weights)"
        )
    if table.prediction == MOST_PROBABLE:
        return (
            f"{opening}\nrows = data.probability_arrays()\n"
            "best = rows.probabilities.argmax(axis=1)  # the first of several that are equal\n"
            "matrix = ConfusionMatrix.from_labels(\n"
            "    rows.actual, best, classes=range(len(rows.classes)), weights=rows.weights\n"
            ")\n"
            "matrix = ConfusionMatrix(rows.classes, matrix.counts)"
        )
    return f"{opening}\nmatrix = data.matrix({table.prediction!r})"
