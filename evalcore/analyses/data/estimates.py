"""What a system states for each row of the open data: probabilities of classes, or estimates of a number."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data.source import Source, left_out_text
from evalcore.classification import EventProbabilities, ProbabilityTable
from evalcore.estimation import Estimates
from evalcore.inference import FOLDS, SEED, Recalibration, recalibrated
from evalcore.numeric import Array, Indices
from evalcore.readers import ReadProblem, days_in, named, text_of
from evalcore.wording import plain, rows_text

__all__ = ["SCALINGS", "EstimateRows", "NotProbabilities", "ProbabilitySource", "in_order", "order_columns"]

SCALINGS = {"platt": "Platt scaling", "isotonic": "isotonic regression"}  # ways to turn scores into probabilities


@dataclass(frozen=True, eq=False)
class EstimateRows:
    """The rows of a data set that have a true number and an estimate of one system."""

    source: Source
    system: str  # comes from a file: escape it
    state: Estimates
    rows: Indices  # shape (n,): place of each row in the open table
    left_out: int

    @classmethod
    def of(cls, source: Source, system: str | None = None) -> "EstimateRows":
        """Read the rows of a system, by default the chosen one. Raises ReadProblem when no row has both numbers."""
        system = system or source.system or source.systems[0]
        rows, state = source.dataset.estimate_rows(system), source.dataset.estimates(system)
        if not state.total:
            why = "no row has both numbers" if not len(state) else "every weight is 0"
            raise ReadProblem(f"Nothing can be measured: {why}. Choose other columns on the Data page.")
        return cls(source, system, state, np.flatnonzero(rows.complete), rows.left_out)

    @property
    def key(self) -> str:
        """Cache key of results computed from these rows."""
        return self.source.key_of(self.system)

    @property
    def truth(self) -> str:
        """Name of the column of true values. Unescaped text from a file."""
        return str(self.source.roles.get("truth"))

    def line(self, row: int) -> str:
        """Name of a row in the file: "line 12"."""
        return self.source.dataset.lines.at(self.rows[row])

    @property
    def notes(self) -> str:
        """Note on rows left out, weighted or clustered, in Markdown; empty if there are none."""
        return (left_out_text(self.left_out, "finite estimate") + self.source.rows_note).strip()

    @property
    def name(self) -> str:
        """The system in Markdown."""
        return plain(self.system, 40)

    @property
    def code(self) -> str:
        """Python that reads the numbers into ``state``."""
        return f"{self.source.code}\nstate = data.estimates({self.system!r})"


def order_columns(source: Source) -> list[str]:
    """Columns that rows can be in the order of: numbers and dates with hardly a repeat. Come from a file."""
    own = {str(source.roles.get("truth")), *source.systems, str(source.roles.get("weight"))}
    frame = source.frame
    return [str(name) for name in frame.columns if str(name) not in own and frame[name].nunique() > 0.9 * len(frame)]


def in_order(source: Source, column: str, rows: Indices) -> npt.NDArray[np.integer]:
    """Indices that sort the given rows by a column, "" as in the file; ReadProblem where there is no such column."""
    if not column:
        return np.arange(len(rows))
    if column not in source.frame.columns:
        raise ReadProblem(f"The data set has no column {named(column)} to order rows by.")
    values = source.frame[column].iloc[rows]
    days = days_in(values)
    return values.argsort(kind="stable").to_numpy() if days is None else np.argsort(days, kind="stable")


class NotProbabilities(ReadProblem):
    """Error for numbers outside 0 … 1, which may still be scores."""


@dataclass(frozen=True, eq=False)
class ProbabilitySource:
    """The probabilities of the open data, row by row."""

    source: Source
    # Its classes are texts from a file: escape them. Of two classes the last is the positive one.
    table: ProbabilityTable
    rows: Indices  # shape (n,): place of each row in the open table
    key: str  # cache key of whatever is computed of these probabilities
    # Rows without a label or a number, those whose class has no column, and those divided by their sum.
    left_out: int = 0
    unknown_class: int = 0
    normalised: int = 0
    scaled: Recalibration | None = None  # how the probabilities were made of scores
    # The probabilities of all classes, where this is one class against the rest.
    parent: "ProbabilitySource | None" = None

    @classmethod
    def of(cls, source: Source, scaling: str | None = None, normalise: bool = False) -> "ProbabilitySource":
        """Read probabilities of a data set: class columns, or the scores of its chosen system.

        Scaling, a key of `SCALINGS`, turns scores into probabilities, each row by a curve fitted on the other folds.
        Normalising divides each row of class probabilities by its sum.

        Raises NotProbabilities where scores lie outside 0 … 1, NotSummed where rows do not add up to 1, and ReadProblem
        or ValueError where no row is left, or a number cannot be a probability.
        """
        key = cls.key_of(source, scaling, normalise)
        if source.scored_by == "system":
            return _from_scores(source, scaling, key)
        made = source.dataset.probability_rows(normalise)
        return cls(source, made.table, made.rows, key, made.left_out, made.unknown_class, made.normalised)

    @staticmethod
    def key_of(source: Source, scaling: str | None = None, normalise: bool = False) -> str:
        """Cache key of what `of` reads."""
        return "\n".join((source.key_of(_score_column(source)), str(scaling), str(normalise)))

    @property
    def whole(self) -> "ProbabilitySource":
        """The probabilities of all classes."""
        return self.parent or self

    @property
    def binary(self) -> bool:
        """Whether there are two classes."""
        return len(self.table.classes) == 2

    def line(self, row: int) -> str:
        """Name of a row in the file: "line 12"."""
        return self.source.dataset.lines.at(self.rows[row])

    def one_class(self, name: str) -> "ProbabilitySource":
        """One class against the rest, on the same rows."""
        event = self.table.event(self.table.classes.index(name))
        both = np.column_stack([1 - event.probability, event.probability])
        beside = event.happened.astype(np.intp), event.weights, event.clusters
        table = ProbabilityTable((f"not {name}", name), both, *beside)
        return replace(self, table=table, key=f"{self.key}\n{name}", parent=self)

    @property
    def columns(self) -> dict[str, npt.NDArray]:
        """Number of each row in the file, its actual class, and its score if it was rescaled."""
        names = np.array([text_of(name) for name in self.table.classes], dtype=object)
        lines = self.source.dataset.lines
        columns = {lines.word: lines.numbers(self.rows), "actual": names[self.table.actual]}
        if self.scaled:
            columns |= {"score": self.scaled.before.probability, "probability": self.table.probabilities[:, 1]}
        return columns

    @property
    def notes(self) -> str:
        """Note on how the rows were prepared, in Markdown; empty if they were used unchanged."""
        notes = []
        if (scale := self.source.scale) is not None:
            done = "were divided by 100" if scale.way == "percent" else "were log-odds; 1 ÷ (1 + e⁻ˣ) converts them"
            notes.append(f"The scores in {plain(self.source.system, 40)} {done}.")
        if self.scaled:
            curve = f"a curve fitted on the other {FOLDS - 1} of {FOLDS} folds (seed {SEED})"
            how = f"converted by {SCALINGS[self.scaled.method]}, each row with {curve}"
            notes.append(f"The scores in {plain(self.source.system, 40)} are not probabilities. They were {how}.")
        elif self.source.scored_by == "system" and not self.source.higher_is_positive:
            notes.append("Lower scores are positive, so the probability is taken as 1 − score.")
        if self.normalised:
            divided = "was divided by its sum." if self.normalised == 1 else "were divided by their sum."
            notes.append(f"{rows_text(self.normalised)} {divided}")
        if self.left_out:
            notes.append(left_out_text(self.left_out, "probability").strip())
        if self.unknown_class:
            has, left_out = ("has", "is") if self.unknown_class == 1 else ("have", "are")
            without = f"{rows_text(self.unknown_class)} {has} a class without a probability column"
            notes.append(f"**{without} and {left_out} left out**, so the losses are too low.")
        return " ".join([*notes, self.source.rows_note.strip()]).strip()

    @property
    def code(self) -> str:
        """Python that reads the probabilities into ``table``."""
        made = "table = ProbabilityTable.from_event"
        if (column := _score_column(self.source)) is None:
            lines = [f"table = data.probabilities({'normalised=True' if self.normalised else ''})"]
            if self.parent:
                name = self.table.classes[1]
                lines.append(f"one = table.event({self.parent.table.classes.index(name)})  # {name!r} against the rest")
                lines.append(f"{made}(one.happened, one.probability, True, one.weights, one.clusters)")
        else:
            lines = [f"rows = data.scored_arrays({column!r})"]
            probability = "rows.scores" if self.source.higher_is_positive else "1 - rows.scores"
            if self.scaled:
                lines.append("event = EventProbabilities(rows.scores, rows.labels, rows.weights, rows.clusters)")
                lines.append("higher = data.roles.higher_is_positive")
                options = f'{self.scaled.method!r}, of="score", higher_is_positive=higher'
                lines.append(f"scaled = recalibrated(event, {options})")
                probability = "scaled.after.probability"
            lines.append(f"{made}(rows.labels, {probability}, weights=rows.weights, clusters=rows.clusters)")
        return "\n".join([self.source.code, *lines])


def _score_column(source: Source) -> str | None:
    """The column of scores; None of class probabilities."""
    return source.system or source.dataset.systems[0] if source.scored_by == "system" else None


def _from_scores(source: Source, scaling: str | None, key: str) -> ProbabilitySource:
    column = source.system or source.dataset.systems[0]
    arrays = source.dataset.scored_arrays(column)
    rows, probability, scaled = np.flatnonzero(arrays.complete), arrays.scores, None
    if not len(rows):
        raise ReadProblem("No row has both a label and a score. Choose other columns on the Data page.")
    if scaling:
        event = EventProbabilities(arrays.scores, arrays.labels, arrays.weights, arrays.clusters)
        scaled = recalibrated(event, scaling, of="score", higher_is_positive=source.higher_is_positive)
        probability = scaled.after.probability
    else:
        _refuse_scores(source, column, probability, rows, arrays.weights)
        probability = probability if source.higher_is_positive else 1 - probability
    table = ProbabilityTable.from_event(arrays.labels, probability, weights=arrays.weights, clusters=arrays.clusters)
    table = replace(table, classes=source.class_names(column)[::-1])
    return ProbabilitySource(source, table, rows, key, arrays.left_out, scaled=scaled)


def _refuse_scores(source: Source, column: str, scores: Array, rows: npt.NDArray, weights: Array | None) -> None:
    outside = np.flatnonzero((scores < 0) | (scores > 1))
    if len(outside):
        first, count = outside[0], len(outside)
        where = f" in {source.dataset.lines.at(rows[first])}"
        if source.counts_rows and weights is not None:  # of a table whose lines nobody knows
            where, count = "", int(weights[outside].sum())
        sentence = f"Column {named(column)} holds {text_of(scores[first])}{where}; {rows_text(count)} in all "
        sentence += f"{'lies' if count == 1 else 'lie'} outside 0 … 1. These are scores, not probabilities."
        raise NotProbabilities(sentence)
