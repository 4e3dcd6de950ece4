"""The probabilities of the open data: read from scores, from one column or from a column per class, and checked."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalcore.analyses.source import Source
from evalcore.classification import TOLERANCE, EventProbabilities, ProbabilityTable
from evalcore.inference import FOLDS, SEED, Recalibration, recalibrated
from evalcore.numeric import Array
from evalcore.readers import ReadProblem, named, text_of
from evalcore.wording import plain, rows_text

__all__ = ["SCALINGS", "NotProbabilities", "NotSummed", "ProbabilitySource"]

SCALINGS = {"platt": "Platt scaling", "isotonic": "isotonic regression"}
"""Ways to turn scores into probabilities."""


class NotProbabilities(ReadProblem):
    """Numbers outside 0 … 1, which can still be scores."""


class NotSummed(ReadProblem):
    """Rows that do not add up to 1 until they are divided by their sum."""


@dataclass(frozen=True, eq=False)
class ProbabilitySource:
    """The probabilities of the open data, row by row.

    Parameters
    ----------
    source : Source
    table : ProbabilityTable
        Its classes are texts from a file: escape them. Of two classes the last is the positive one.
    rows : array of int, shape (n,)
        Place of each row in the open table.
    key : str
        Cache key of whatever is computed of these probabilities.
    left_out, unknown_class, normalised : int
        Rows without a label or a number, those whose class has no column, and those divided by their sum.
    scaled : Recalibration or None
        How the probabilities were made of scores.
    parent : ProbabilitySource or None
        The probabilities of all classes, where this is one class against the rest.
    """

    source: Source
    table: ProbabilityTable
    rows: npt.NDArray[np.intp]
    key: str
    left_out: int = 0
    unknown_class: int = 0
    normalised: int = 0
    scaled: Recalibration | None = None
    parent: "ProbabilitySource | None" = None

    @classmethod
    def of(cls, source: Source, scaling: str | None = None, normalise: bool = False) -> "ProbabilitySource":
        """Read the probabilities of a data set.

        Parameters
        ----------
        source : Source
            Of scores, whose system is read, or of probabilities.
        scaling : {"platt", "isotonic"}, optional
            Turns scores into probabilities, each row by a curve fitted on the other folds.
        normalise : bool
            Divides each row of class probabilities by its sum.

        Raises
        ------
        NotProbabilities, NotSummed
            When scores lie outside 0 … 1, or rows do not add up to 1.
        ReadProblem, ValueError
            When no row is left, or a number cannot be a probability.

        Examples
        --------
        >>> from evalcore.readers.samples import read_sample
        >>> probabilities = ProbabilitySource.of(Source.of(read_sample("digits_probabilities")))
        >>> probabilities.table.probabilities.shape, probabilities.binary
        ((1797, 10), False)
        """
        key = cls.key_of(source, scaling, normalise)
        if (column := _only_column(source)) is None:
            return _of_classes(source, normalise, key)
        return _of_column(source, column, scaling, key)

    @staticmethod
    def key_of(source: Source, scaling: str | None = None, normalise: bool = False) -> str:
        """Cache key of what `of` reads."""
        return "\n".join((source.key_of(_only_column(source)), str(scaling), str(normalise)))

    @property
    def whole(self) -> "ProbabilitySource":
        """The probabilities of all classes."""
        return self.parent or self

    @property
    def binary(self) -> bool:
        """Whether there are two classes."""
        return len(self.table.classes) == 2

    def line(self, row: int) -> str:
        """What a row of the table is called in the file: "line 12"."""
        return self.source.dataset.lines.at(self.rows[row])

    def one_class(self, name: str) -> "ProbabilitySource":
        """One class against the rest, on the same rows."""
        event = self.table.event(self.table.classes.index(name))
        both = np.column_stack([1 - event.probability, event.probability])
        table = ProbabilityTable((f"not {name}", name), both, event.happened.astype(np.intp), event.weights)
        return replace(self, table=table, key=f"{self.key}\n{name}", parent=self)

    @property
    def columns(self) -> dict[str, npt.NDArray]:
        """The number of each row in the file, its actual class, and its score where that was scaled."""
        names = np.array([text_of(name) for name in self.table.classes], dtype=object)
        columns = {"row": self.source.dataset.lines.first + self.rows, "actual": names[self.table.actual]}
        if self.scaled:
            columns |= {"score": self.scaled.before.probability, "probability": self.table.probabilities[:, 1]}
        return columns

    @property
    def notes(self) -> str:
        """What was done to the rows before they were used, in Markdown; empty where nothing was."""
        notes = []
        if self.scaled:
            notes.append(
                f"The scores in {plain(self.source.system, 40)} are not probabilities. They were converted by "
                f"{SCALINGS[self.scaled.method]}, each row with a curve fitted on the other {FOLDS - 1} of {FOLDS} "
                f"folds (seed {SEED})."
            )
        elif self.source.kind == "scores" and not self.source.higher_is_positive:
            notes.append("Lower scores are positive, so the probability is taken as 1 − score.")
        if self.normalised:
            divided = "was divided by its sum." if self.normalised == 1 else "were divided by their sum."
            notes.append(f"{rows_text(self.normalised)} {divided}")
        if self.left_out:
            is_left_out = "is left out." if self.left_out == 1 else "are left out."
            notes.append(f"{rows_text(self.left_out)} without a label or a probability {is_left_out}")
        if self.unknown_class:
            has, left_out = ("has", "is") if self.unknown_class == 1 else ("have", "are")
            notes.append(
                f"**{rows_text(self.unknown_class)} {has} a class without a probability column and {left_out} left "
                "out**, so the losses are too low."
            )
        return " ".join([*notes, self.source.weighting.strip()]).strip()

    @property
    def code(self) -> str:
        """Python that reads the probabilities into ``table``."""
        lines = [self.source.code]
        if column := _only_column(self.source):
            lines.append(f"rows = data.scored_arrays({column!r})")
            probability = "1 - rows.scores" if _lower_is_positive(self.source) else "rows.scores"
            if self.scaled:
                lines += [
                    "event = EventProbabilities(rows.scores, rows.labels, rows.weights)",
                    "higher = data.roles.higher_is_positive",
                    f'scaled = recalibrated(event, {self.scaled.method!r}, of="score", higher_is_positive=higher)',
                ]
                probability = "scaled.after.probability"
            lines.append(f"table = ProbabilityTable.from_event(rows.labels, {probability}, weights=rows.weights)")
            return "\n".join(lines)
        normalised = ", normalised=True" if self.normalised else ""
        lines += [
            "rows = data.probability_arrays()",
            "known = rows.actual >= 0  # rows whose class has a column",
            f"order = {_class_order(self.source)!r}",
            "table = ProbabilityTable.from_arrays(",
            "    np.argsort(order)[rows.actual[known]], rows.probabilities[known][:, order], range(len(order)),",
            f"    None if rows.weights is None else rows.weights[known]{normalised},",
            ")",
        ]
        if self.parent:
            name = self.table.classes[1]
            lines += [
                f"one = table.event({self.parent.table.classes.index(name)})  # {name!r} against the rest",
                "table = ProbabilityTable.from_event(one.happened, one.probability, weights=one.weights)",
            ]
        return "\n".join(lines)


def _only_column(source: Source) -> str | None:
    """The one column of scores or probabilities; None where each class has one."""
    if source.kind == "scores":
        return source.system or source.dataset.systems[0]
    columns = [column for column, _ in source.roles.get("probability", ())]
    return columns[0] if len(columns) == 1 else None


def _of_column(source: Source, column: str, scaling: str | None, key: str) -> ProbabilitySource:
    found = source.dataset.scored_arrays(column)
    rows, probability, scaled = _not_empty(np.flatnonzero(found.kept)), found.scores, None
    positive, negative = source.class_names(column)
    if source.kind != "scores":
        _refuse_outside(source, column, probability, rows, highest=1)
        positive = source.roles.probability[0][1]
        negative = f"not {positive}"
    elif scaling:
        event, higher = EventProbabilities(found.scores, found.labels, found.weights), source.higher_is_positive
        scaled = recalibrated(event, scaling, of="score", higher_is_positive=higher)
        probability = scaled.after.probability
    else:
        _refuse_scores(source, column, probability, rows)
        probability = 1 - probability if _lower_is_positive(source) else probability
    table = ProbabilityTable.from_event(found.labels, probability, weights=found.weights)
    table = replace(table, classes=(negative, positive))
    return ProbabilitySource(source, table, rows, key, found.left_out, scaled=scaled)


def _of_classes(source: Source, normalise: bool, key: str) -> ProbabilitySource:
    found = source.dataset.probability_arrays()
    known = found.actual >= 0
    rows = _not_empty(np.flatnonzero(found.kept)[known])
    probabilities, weights = found.probabilities[known], None if found.weights is None else found.weights[known]
    normalised, order = _check_rows(source, probabilities, rows, normalise), _class_order(source)
    actual = np.argsort(order)[found.actual[known]]
    table = ProbabilityTable.from_arrays(actual, probabilities[:, order], range(len(order)), weights, normalise)
    table = replace(table, classes=tuple(found.classes[index] for index in order))
    return ProbabilitySource(source, table, rows, key, found.left_out, int(np.count_nonzero(~known)), normalised)


def _lower_is_positive(source: Source) -> bool:
    return source.kind == "scores" and not source.higher_is_positive


def _class_order(source: Source) -> list[int]:
    """The order of the classes: as in the file, but of two the positive one last."""
    classes = [name for _, name in source.roles.probability]
    order = list(range(len(classes)))
    return order[::-1] if len(order) == 2 and classes[0] == text_of(source.positive) else order


def _check_rows(source: Source, probabilities: Array, rows: npt.NDArray, normalise: bool) -> int:
    """Refuse rows that are no distributions; how many have to be divided by their sum."""
    lines = source.dataset.lines
    for place, (column, _) in enumerate(source.roles.probability):
        # A number above 1 may stand in a row that is divided by its sum.
        _refuse_outside(source, column, probabilities[:, place], rows, highest=np.inf)
    with np.errstate(over="ignore"):
        sums = probabilities.sum(axis=1)
    if np.isinf(sums).any():
        line = lines.at(rows[int(np.argmax(np.isinf(sums)))])
        raise ReadProblem(f"The numbers in {line} are too large to add up; correct the file.")
    off = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
    if (sums == 0).any():
        line = lines.at(rows[int(np.argmax(sums == 0))])
        raise ReadProblem(f"All probabilities are 0 in {line}; correct or remove that row.")
    if len(off) and not normalise:
        raise NotSummed(
            f"The probabilities do not add up to 1 in {rows_text(len(off))}. The first is {lines.at(rows[off[0]])}, "
            f"where they add up to {sums[off[0]]:.7g}. Is a class column missing? If not, each row can be divided by "
            "its sum."
        )
    return len(off)


def _refuse_scores(source: Source, column: str, scores: Array, rows: npt.NDArray) -> None:
    outside = np.flatnonzero((scores < 0) | (scores > 1))
    if len(outside):
        first, lie = outside[0], "lies" if len(outside) == 1 else "lie"
        raise NotProbabilities(
            f"Column {named(column)} holds {text_of(scores[first])} in {source.dataset.lines.at(rows[first])}; "
            f"{rows_text(len(outside))} in all {lie} outside 0 … 1. These are scores, not probabilities."
        )


def _refuse_outside(source: Source, column: str, values: Array, rows: npt.NDArray, highest: float) -> None:
    bad = (values < 0) | (values > highest)
    if bad.any():
        row = int(np.argmax(bad))
        raise ReadProblem(
            f"Column {named(column)} holds {text_of(values[row])} in {source.dataset.lines.at(rows[row])}. A "
            "probability lies between 0 and 1; correct the file, or use the column as a score, which may be any number."
        )


def _not_empty(rows: npt.NDArray) -> npt.NDArray:
    if not len(rows):
        raise ReadProblem("No row has both a label and a probability. Choose other columns on the Data page.")
    return rows
