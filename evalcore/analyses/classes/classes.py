"""Several classes: which class is confused with which?"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evalcore.analyses.data.label_pairs import MOST_PROBABLE, LabelPairs, NamedCounts
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.script import literal, script
from evalcore.analyses.data.source import Source
from evalcore.classification import ConfusionMatrix, order_by_error
from evalcore.readers import text_of
from evalcore.wording import count_text, label_markdown, short_names

__all__ = ["ClassTable", "groups_in", "spelt_alike"]

_LISTED = 6
_LARGEST_IN_CODE = 30


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Counts of actual and predicted classes with all that belongs to them."""

    current: Source
    prediction: str | None  # the column, or `MOST_PROBABLE`, that the predicted classes come from
    matrix: ConfusionMatrix  # its classes come from a file: escape them
    pairs: LabelPairs | None  # the rows with their classes before any merging; None where only counts are known
    groups: dict[str, str] = field(default_factory=dict)  # new name by old name of the classes that were merged
    at: tuple[Scores, float] | None = None  # the scores and the threshold that the predictions come from

    @classmethod
    def of(
        cls,
        current: Source,
        prediction: str | None,
        pairs: LabelPairs | None,
        groups: Iterable[Sequence[str]] = (),
        at: tuple[Scores, float] | None = None,
    ) -> "ClassTable":
        """The table of a data set, some of its classes merged as `groups_in` reads the groups.

        Raises ReadProblem when the counts of the data set cannot be used.

        >>> from evalcore.readers.join.samples import read_sample
        >>> source = Source.of(read_sample("digits"))
        >>> ClassTable.of(source, "naive_bayes", LabelPairs.of(source, "naive_bayes")).classes[:3]
        ('0', '1', '2')
        """
        matrix = _counted(current) if pairs is None else pairs.matrix
        merged = groups_in(groups, matrix.classes)
        return cls(current, prediction, matrix.merged(merged) if merged else matrix, pairs, merged, at)

    @classmethod
    def of_scores(cls, scores: Scores, threshold: float) -> "ClassTable":
        """The two classes of scores at a threshold."""
        return cls.of(scores.current, None, LabelPairs.at(scores, threshold), at=(scores, threshold))

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return self.matrix.classes

    @property
    def key(self) -> str:
        """Cache key of whatever is computed of this table."""
        threshold = "" if self.at is None else repr(self.at[1])
        return "\n".join((self.current.key, self.prediction or "", threshold, repr(self.groups), repr(self.classes)))

    @property
    def default_class(self) -> str:
        """The positive class; without one, that of the lowest recall."""
        positive = text_of(self.current.positive)
        return positive if positive in self.classes else self.classes[order_by_error(self.matrix)[0]]

    def one_vs_rest(self, name: str) -> NamedCounts:
        """One class against the rest."""
        rest = [other for other in self.classes if other != name]
        short = short_names(self.classes, 26)
        negative = short[rest[0]] if len(rest) == 1 else f"not {short[name]}"
        counts = self.matrix.one_vs_rest()[self.classes.index(name)]
        return NamedCounts(counts, short[name], negative, f"{label_markdown(name)} against the rest.")

    @property
    def rows(self) -> LabelPairs:
        """The pairs, which a table of counts lacks."""
        if self.pairs is None:
            raise ValueError("A table of counts has no rows.")
        return self.pairs

    @property
    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """The actual and the predicted class of each row, as places in `classes`; -1 where a row takes no part."""
        places = {name: place for place, name in enumerate(self.classes)}
        recoding = np.array([*(places[self.groups.get(old, old)] for old in self.rows.classes), -1])
        return recoding[self.rows.actual], recoding[self.rows.predicted]

    def rows_of(self, actual: str, predicted: str) -> np.ndarray:
        """Numbers of the rows behind a cell, counted from 0; for tables with `pairs`."""
        pairs = self.rows
        in_actual, in_predicted = (
            np.array([self.groups.get(old, old) == name for old in pairs.classes] + [False])
            for name in (actual, predicted)
        )
        # The place −1 of a row that takes no part is the last one, which is False.
        return np.flatnonzero(in_actual[pairs.actual] & in_predicted[pairs.predicted])

    def picked(self, pick: object, actual_in_rows: bool) -> Sequence[str | None]:
        """The actual and the predicted class that were clicked; a pick comes from a browser, so it may be anything."""
        indices = (pick.get("row"), pick.get("column")) if isinstance(pick, dict) else (None, None)
        k = len(self.classes)
        names = [self.classes[index] if isinstance(index, int) and 0 <= index < k else None for index in indices]
        return names if actual_in_rows else names[::-1]

    def cell_text(self, actual: str, predicted: str, count: str) -> str:
        """How many rows a cell holds, in Markdown."""
        as_what = "correctly" if actual == predicted else f"as {label_markdown(predicted)}"
        return f"**{count}** rows of class {label_markdown(actual)} predicted {as_what}."

    def ordered(self, order: np.ndarray) -> "ClassTable":
        """The same table with its classes in another order."""
        return replace(self, matrix=self.matrix.ordered(order))

    def led_by(self, names: Sequence[str]) -> "ClassTable":
        """The table with some classes first, in the order in which they are named."""
        first = [self.classes.index(name) for name in names]
        rest = (index for index in range(len(self.classes)) if index not in set(first))
        return self.ordered(np.array([*first, *rest], dtype=np.intp))

    def with_classes_of(self, pairs: LabelPairs) -> "ClassTable":
        """The table with the classes, empty in it, that only another prediction names."""
        named = (self.groups.get(name, name) for name in pairs.classes)
        extra = tuple(name for name in dict.fromkeys(named) if name not in self.classes)
        counts = np.pad(self.matrix.counts, (0, len(extra)))
        return replace(self, matrix=ConfusionMatrix((*self.classes, *extra), counts)) if extra else self

    @property
    def gaps(self) -> list[str]:
        """Sentences about classes without an actual or a predicted row and what that leaves undefined, in Markdown."""
        sentences = []
        if len(self.classes) == 1:
            sentences.append(f"There is only one class, {label_markdown(self.classes[0])}, so nothing can be confused.")
        actual, predicted = self.matrix.counts.sum(axis=1), self.matrix.counts.sum(axis=0)
        for totals, what, measure in ((predicted, "predicted", "precision"), (actual, "actual", "recall")):
            names = [name for name, rows in zip(self.classes, totals.tolist(), strict=True) if not rows]
            if not names or not self.matrix.counts.any():
                continue
            if len(names) == 1:
                sentences.append(f"{label_markdown(names[0])} is never {what}, so its {measure} is undefined.")
            else:
                classes = f"{count_text(len(names))} classes are never {what} ({_listed(names)})"
                sentences.append(f"{classes}, so their {measure} is undefined.")
        return sentences

    def columns(self, actual_in_rows: bool = True) -> dict[str, list]:
        """The matrix as columns, the first naming what the rows are; opened again it is the same table."""
        counts = self.matrix.counts if actual_in_rows else self.matrix.counts.T
        corner = "actual" if actual_in_rows else "predicted"
        while corner in self.classes:
            corner += " class"
        return {corner: list(self.classes)} | dict(zip(self.classes, counts.T.tolist(), strict=True))

    @property
    def code(self) -> str:
        """Python that counts the same matrix, with its groups and in its order, and prints every measure of it."""
        total = f"assert matrix.counts.sum() == {float(self.matrix.counts.sum())!r}"
        cells = f"assert np.array_equal(matrix.counts, {self.matrix.counts.tolist()!r})"
        return script(
            _counting_code(self),
            f"matrix = matrix.merged({self.groups!r})" if self.groups else "",
            f"matrix = matrix.ordered([matrix.classes.index(name) for name in {self.classes!r}])  # actual in the rows",
            'print(matrix.classes, matrix.counts, sep="\\n")',
            total if len(self.classes) > _LARGEST_IN_CODE else cells,
            'print(shares(matrix, "actual"))  # what became of each class; "predicted" and "all" too\n',
            "each = matrix.one_vs_rest()",
            'for measure in measures_of("matrix"):',
            "    for version in measure.versions:",
            "        print(version.name, version(matrix))",
            'for measure in measures_of("counts"):',
            "    print(measure.name, measure(each), averages(matrix, measure))",
            "for confusion in top_confusions(matrix):",
            "    print(confusion)",
        )


def groups_in(lists: Iterable[Sequence[str]], classes: Sequence[str]) -> dict[str, str]:
    """New name by old name of the groups that fit some classes.

    >>> groups_in([("pet", "cat", "dog"), ("lonely", "hen")], ("cat", "dog", "hen"))
    {'cat': 'pet', 'dog': 'pet'}
    """
    groups: dict[str, str] = {}
    for name, *members in lists:
        known = [member for member in members if member in classes and member not in groups]
        free = name not in classes or name in known
        if len(known) > 1 and free and name not in groups.values():
            groups |= dict.fromkeys(known, name)
    return groups


def spelt_alike(matrix: ConfusionMatrix) -> list[tuple[str, ...]]:
    """Classes that differ in case or blanks only, each group with its most frequent spelling first.

    >>> spelt_alike(ConfusionMatrix(("yes", "Yes ", "no"), [[1, 0, 0], [0, 5, 0], [0, 0, 1]]))
    [('Yes ', 'yes')]
    """
    sizes = dict(zip(matrix.classes, matrix.counts.sum(axis=0) + matrix.counts.sum(axis=1), strict=True))
    spellings: dict[str, list[str]] = defaultdict(list)
    for name in matrix.classes:
        spellings[" ".join(name.split()).casefold()].append(name)
    return [tuple(sorted(names, key=lambda n: -sizes[n])) for names in spellings.values() if len(names) > 1]


def _counted(current: Source) -> ConfusionMatrix:
    if current.dataset.is_matrix:
        return current.dataset.matrix()
    return replace(current.dataset.matrix(current.system), classes=current.class_names(None))


def _listed(names: list[str]) -> str:
    """Some class names in Markdown, the rest as a number."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(label_markdown(name, 24) for name in names[:_LISTED]) + more


def _counting_code(table: ClassTable) -> str:
    """The lines that count the matrix as it is before any merging."""
    if table.pairs is None:
        if table.current.dataset.is_matrix:
            return f"{table.current.code}\nmatrix = data.matrix()"
        names, system = table.current.class_names(None), table.current.system
        return f"{table.current.code}\nmatrix = ConfusionMatrix({names!r}, data.matrix({system!r}).counts)"
    if table.at is not None:
        scores, threshold = table.at
        return (
            f"{table.current.code}\nrows = data.scored_arrays({scores.system!r})\n"
            f"names = np.array({list(table.pairs.classes)!r})\n"
            "actual = names[np.where(rows.labels, 0, 1)]\n"
            f"predicted = names[np.where(rows.scores {'>=' if scores.higher else '<='} {literal(threshold)}, 0, 1)]\n"
            "matrix = ConfusionMatrix.from_labels(actual, predicted, classes=names.tolist(), weights=rows.weights)"
        )
    if table.prediction == MOST_PROBABLE:
        return (
            f"{table.current.code}\nrows = data.probability_arrays()\n"
            "best = rows.probabilities.argmax(axis=1)  # the first of several that are equal\n"
            "places = range(len(rows.classes))\n"
            "counts = ConfusionMatrix.from_labels(rows.actual, best, places, rows.weights).counts\n"
            "matrix = ConfusionMatrix(rows.classes, counts)"
        )
    return f"{table.current.code}\nmatrix = data.matrix({table.prediction!r})"
