"""One of two independent samples: its counts, its square table and its scores, and how another data set is fitted."""

from dataclasses import dataclass, replace

import numpy as np

from evalcore.analyses.label_pairs import LabelPairs, predictions_of
from evalcore.analyses.named_counts import NamedCounts
from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source
from evalcore.classification import ConfusionCounts, ConfusionMatrix, Goal, NoThreshold, ScoredLabels
from evalcore.readers import ReadProblem, Roles, ordered, roles_of, samples, text_of
from evalcore.readers.problems import listed, named

__all__ = ["COMPARABLE", "Sample", "fitted_source"]

COMPARABLE = ("scores", "labels", "probabilities", "counts")
"""Kinds of table that can be compared with another data set."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One side of a comparison."""

    source: Source
    system: str | None  # the column, the row of counts, or what predicts the class; comes from a file: escape it
    scores: Scores | None  # of two classes, with a threshold on the scale of the file
    threshold: float | None
    matrix: ConfusionMatrix | None  # of labels, class probabilities and square tables

    @classmethod
    def of(cls, source: Source, prediction: str | None = None, threshold: float | None = None) -> "Sample":
        """The data of the chosen system. Raises ReadProblem where they cannot be used."""
        system = source.system
        if source.scored_by == "system":
            scores = Scores.of(source, system or source.dataset.systems[0])
            return cls(source, system, scores, scores.starting_threshold if threshold is None else threshold, None)
        if source.kind == "counts":
            return cls(source, system, None, None, source.dataset.matrix() if source.dataset.is_matrix else None)
        if source.scored_by == "class":
            known = predictions_of(source)
            system = prediction if prediction in known else known[0]
        return cls(source, system, None, None, LabelPairs.of(source, system).matrix)

    @property
    def systems(self) -> tuple[str, ...]:
        """What could be chosen as the system."""
        return predictions_of(self.source) if self.source.scored_by == "class" else self.source.systems

    @property
    def sample(self) -> str | None:
        """The id of the sample that it is; None of an upload."""
        return self.source.id if self.source.id in samples() else None

    @property
    def key(self) -> tuple:
        """All that its numbers depend on."""
        return self.source.key, self.system, self.threshold

    @property
    def rule(self) -> str:
        """The sign between score and threshold of a row that is called positive."""
        return "" if self.scores is None else self.scores.rule

    def has_rows_of(self, other: "Sample") -> bool:
        """Whether both come from one table."""
        return self.source.dataset.digest == other.source.dataset.digest

    def is_of_table(self, other: "Sample") -> bool:
        """Whether both are groups of one table."""
        return self.source.dataset.unshaped.digest == other.source.dataset.unshaped.digest

    def shared_clusters(self, other: "Sample") -> int:
        """How many patients, or whatever rows belong to, have rows in both of two groups of one table."""
        column = self.source.roles.get("cluster")
        if column is None:
            return 0
        return len(set(self.source.frame[column].dropna()) & set(other.source.frame[column].dropna()))

    def has_labels_of(self, other: "Sample") -> bool:
        """Whether both tables have the same labels in the same order, so that they may hold the same rows."""
        columns = [one.source.roles.get("actual") for one in (self, other)]
        if None in columns:
            return False
        own, others = (one.source.frame[name] for one, name in zip((self, other), columns, strict=True))
        return len(own) == len(others) and bool(len(own)) and list(map(text_of, own)) == list(map(text_of, others))

    def at(self, threshold: float | None) -> "Sample":
        """The same at another threshold."""
        return replace(self, threshold=threshold)

    def at_goal(self, goal: Goal) -> "Sample":
        """The same at the threshold that is best for a goal; as it is where there is none."""
        if self.scores is None:
            return self
        try:
            return self.at(goal.choose(self.scores.table).threshold)
        except (NoThreshold, ValueError):
            return self

    def has_scale_of(self, other: "Sample") -> bool:
        """Whether one threshold means the same in both: one column, or probabilities, that point the same way."""
        if self.scores is None or other.scores is None:
            return True
        one, two = self.scores, other.scores
        ends = [end for scores in (one, two) for end in scores.scored.ends]
        return one.higher == two.higher and (one.system == two.system or (min(ends) >= 0 and max(ends) <= 1))

    def shared_classes(self, other: "Sample") -> tuple[str, ...]:
        """The classes of both where one has more than two; else empty. Raises ReadProblem where none is shared."""
        if not self._has_many and not other._has_many:
            return ()
        own, others = self._classes, other._classes
        if self.matrix is None or other.matrix is None or not set(own) & set(others):
            raise ReadProblem(
                f"These data sets have different classes: {listed(own, 6)} in {named(self.source.title)}, "
                f"{listed(others, 6)} in {named(other.source.title)}. Choose one with the same classes."
            )
        return own if own == others else ordered({*own, *others})

    def classes_beside(self, classes: tuple[str, ...], other: "Sample") -> list[str]:
        """Those of some classes that this sample has and another lacks."""
        return [name for name in classes if name in self._classes and name not in other._classes]

    def matrix_of(self, classes: tuple[str, ...]) -> ConfusionMatrix:
        """The square table with some classes, its own among them."""
        matrix = self.matrix
        if matrix is None or matrix.classes == classes:
            return matrix or ConfusionMatrix(classes, np.zeros((len(classes), len(classes))))
        places = np.array([classes.index(name) for name in matrix.classes], dtype=np.intp)
        counts = np.zeros((len(classes), len(classes)))
        counts[np.ix_(places, places)] = matrix.counts
        return ConfusionMatrix(classes, counts, matrix.rows and matrix.rows.recoded(places))

    def counts(self, target: str | None) -> ConfusionCounts:
        """The four counts: of a class against the rest, or of the positive class of two."""
        if self.scores is not None:
            return NamedCounts.at(self.scores, self.threshold or 0.0).counts
        if self.matrix is None:
            return self.source.dataset.counts(self.system)
        target = target or self._positive_label
        classes = self.matrix.classes if target in self.matrix.classes else (*self.matrix.classes, target)
        return self.matrix_of(classes).one_vs_rest()[classes.index(target)]

    def positive(self, target: str | None) -> str:
        """The positive class in words."""
        if target is not None:
            return target
        known = self.source.positive is not None or self.matrix is None
        return self.source.class_names(self.system)[0] if known else self._positive_label

    def scored_for(self, target: str | None) -> ScoredLabels | None:
        """The scores of the positive class, or of one of several with a column of probabilities."""
        if self.scores is not None:
            return self.scores.scored
        column = self.scored_column(target)
        return None if column is None else self.source.dataset.scored(column)

    def scored_column(self, target: str | None) -> str | None:
        """The column of these scores."""
        if self.scores is not None:
            return self.scores.system
        of_class = {text_of(name): column for column, name in self.source.roles.get("probability", ())}
        return of_class.get(target or self._positive_label) if self.source.scored_by == "class" else None

    @property
    def _has_many(self) -> bool:
        return self.matrix is not None and len(self.matrix.classes) > 2

    @property
    def _classes(self) -> tuple[str, ...]:
        return self.source.class_names(self.system) if self.matrix is None else self.matrix.classes

    @property
    def _positive_label(self) -> str:
        classes = self._classes
        label = text_of(self.source.positive)
        return label if label in classes else classes[-1] if classes else ""


def fitted_source(a: Source, b: Source) -> Source:
    """B with the roles that A has where it has the same columns, else with A's positive class where it has that label.

    So last quarter's file is read as this quarter's, whatever was chosen for it.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> rows = {"y": ["ill", "well", "well"], "s": [3, 2, 1]}
    >>> a = Source.of(DataSet.of(pd.DataFrame(rows)).with_roles("actual~y~~score~s~~positive~well"))
    >>> b = Source.of(DataSet.of(pd.DataFrame(rows)))
    >>> b.positive, fitted_source(a, b).positive
    ('ill', 'well')
    """
    positive = text_of(a.positive) if a.positive is not None else None
    tries: list[Roles | str] = [a.roles] if a.kind != "counts" else []
    if positive is not None and b.roles.get("actual") is not None and positive in map(text_of, b.labels):
        label = next(value for value in b.labels if text_of(value) == positive)
        tries.append(roles_of(**(b.roles.parts | {"positive": label})))
    for roles in tries:
        try:
            dataset = b.dataset.with_roles(roles.to_text() if isinstance(roles, Roles) else roles)
        except ReadProblem:
            continue
        known = positive is None or a.roles.get("actual") is None or positive in map(text_of, dataset.labels)
        if not known:
            continue
        system = b.system if b.system in dataset.systems else dataset.first_system
        if roles is a.roles and a.system in dataset.systems and b.system not in dataset.systems:
            system = a.system
        detected = b.detected_roles or b.roles
        return Source(b.id, b.title, dataset, system, *dataset.tally(system), detected)
    return b
