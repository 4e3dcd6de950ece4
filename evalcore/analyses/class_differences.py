"""Two predictions of several classes on the same rows: which cells differ by more than chance?"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.classes import ClassTable
from evalcore.analyses.label_pairs import LabelPairs, system_title
from evalcore.inference import CellDifferences, Comparison, compare_cells, mcnemar
from evalcore.wording import count_text, label_markdown, p_text, points_text, signed

__all__ = ["ClassDifferences", "compare_classes"]


@dataclass(frozen=True, eq=False)
class ClassDifferences:
    """What a second prediction B confuses more or less often than the first, A; accuracy is that of B minus that of A.

    Cells are counted over the rows that both have, in the classes and the order of the table. The names of the two
    predictions come from a file: escape them.
    """

    a: str
    b: str
    cells: CellDifferences
    accuracy: Comparison
    level: float

    @property
    def verdict(self) -> str:
        """Which of the two is right more often, in Markdown."""
        a, b = (label_markdown(system_title(name)) for name in (self.a, self.b))
        text, interval = signed(points_text), self.accuracy.interval
        verdict = "neither is right more often beyond chance"
        if self.accuracy.p_value <= 1 - self.level:
            verdict = f"{b if self.accuracy.estimate > 0 else a} is right more often, beyond chance"
        return (
            f"**Accuracy of {b} minus {a}: {text(self.accuracy.estimate)}** ({text(float(interval.low))} to "
            f"{text(float(interval.high))} at {100 * self.level:g} %), {p_text(self.accuracy.p_value)} by "
            f"{self.accuracy.method}, n = {count_text(self.accuracy.n)}: {verdict}."
        )

    @cached_property
    def table(self) -> dict[str, np.ndarray]:
        """Every cell in which some row differs, the smallest corrected p first."""
        cells = self.cells
        places = np.nonzero(~np.isnan(cells.p_values))
        order = np.lexsort((cells.p_values[places], cells.corrected[places]))
        actual, predicted = (axis[order] for axis in places)
        names = np.array(cells.a.classes, dtype=object)
        return {
            "actual": names[actual],
            "predicted": names[predicted],
            "A": cells.a.counts[actual, predicted],
            "B": cells.b.counts[actual, predicted],
            "only A": cells.only_a[actual, predicted],
            "only B": cells.only_b[actual, predicted],
            "p": cells.p_values[actual, predicted],
            "corrected p": cells.corrected[actual, predicted],
        }

    @property
    def beyond_chance(self) -> int:
        """Cells that differ by more than chance."""
        return int((self.table["corrected p"] <= 1 - self.level).sum())

    @property
    def note(self) -> str:
        """What A and B are, and how many cells differ, in Markdown."""
        a, b = (label_markdown(system_title(name)) for name in (self.a, self.b))
        many = count_text(len(self.table["p"]))
        return (
            f"A is {a}, B is {b}. The two differ in {many} cells; {count_text(self.beyond_chance)} of them by more "
            f"than chance (McNemar's exact test in each cell, Holm's correction for all {many})."
        )


def compare_classes(table: ClassTable, other: str, pairs: LabelPairs, level: float = 0.95) -> ClassDifferences:
    """Compare the prediction of a table with another on the rows that both have.

    Parameters
    ----------
    table : ClassTable
        With `pairs`, and with all classes of the other prediction (`ClassTable.with_classes_of`).
    other, pairs : str, LabelPairs
        The other prediction and its rows.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> source = Source.of(read_sample("digits"))
    >>> one, two = (LabelPairs.of(source, name) for name in ("logistic_regression", "naive_bayes"))
    >>> found = compare_classes(ClassTable.of(source, "logistic_regression", one), "naive_bayes", two)
    >>> found.beyond_chance
    15
    """
    of_a, of_b = table.rows, pairs
    both = (of_a.actual >= 0) & (of_b.actual >= 0)
    weights = None if of_a.weights is None else of_a.weights[both]
    places = {name: place for place, name in enumerate(table.classes)}
    in_a, in_b = (
        np.array([places[table.groups.get(name, name)] for name in rows.classes], dtype=np.intp)
        for rows in (of_a, of_b)
    )
    actual, a, b = in_a[of_a.actual[both]], in_a[of_a.predicted[both]], in_b[of_b.predicted[both]]
    cells = compare_cells(actual, a, b, table.classes, weights)
    return ClassDifferences(table.prediction or "", other, cells, mcnemar(a == actual, b == actual, level), level)
