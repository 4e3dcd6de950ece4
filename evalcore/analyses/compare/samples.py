"""Comparison of two independent samples: two data sets, groups of one table, or systems known by their counts."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from evalcore import inference, readers
from evalcore.analyses.compare import paired_systems
from evalcore.analyses.compare.paired_comparison import Difference, Margin, cautions, with_correction
from evalcore.analyses.compare.paired_systems import ComparedMeasures, Results, kept_differences, measures_with_test
from evalcore.analyses.data import CUTS, LabelPairs, Rankings, Scores, Source, check, literal, predictions_of, script
from evalcore.classification import ConfusionMatrix, flag_goal, predicted_prevalence, prevalence, youden_goal
from evalcore.classification.binary import ConfusionCounts, Goal, ScoredLabels
from evalcore.inference import METHODS, independent_differences
from evalcore.inference.independent import independent_matrix_differences, independent_score_differences
from evalcore.numeric import Indices
from evalcore.readers.base.problems import listed, named
from evalcore.registry import METRICS, MetricDef
from evalcore.wording.escaping import as_noun, label_markdown, plain, short_names
from evalcore.wording.numbers import count_text, level_text, p_text, share_text, threshold_text

__all__ = ["COMPARABLE", "SAMPLE_CUTS", "Sample", "SampleComparison", "compare_samples", "fitted_source"]
__all__ += ["group_columns", "group_of", "groups_apart", "may_have_groups", "widening_text"]

COMPARABLE = ("scores", "labels", "probabilities", "counts")
"""Kinds of table that can be compared with another data set."""
_NAMED = 4


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
        """Sample of the chosen system. Raises ReadProblem if the data cannot be used."""
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
        """Systems that can be chosen."""
        return predictions_of(self.source) if self.source.scored_by == "class" else self.source.systems

    @property
    def sample(self) -> str | None:
        """Id of the sample data set; None for an upload."""
        return self.source.id if self.source.id in readers.samples() else None

    @property
    def key(self) -> tuple:
        """Cache key of the numbers of the sample."""
        return self.source.key, self.system, self.threshold

    @property
    def rule(self) -> str:
        """Comparison of predicted positives with the threshold, "≥" or "≤"."""
        return "" if self.scores is None else self.scores.rule

    def has_rows_of(self, other: "Sample") -> bool:
        """Whether both samples come from one table."""
        return self.source.dataset.digest == other.source.dataset.digest

    def is_of_table(self, other: "Sample") -> bool:
        """Whether both samples are groups of one table."""
        return self.source.dataset.unshaped.digest == other.source.dataset.unshaped.digest

    def shared_clusters(self, other: "Sample") -> int:
        """Number of clusters with rows in both of two groups of one table; 0 for different tables."""
        if (column := self.source.roles.get("cluster")) is None or not self.is_of_table(other):
            return 0
        return len(set(self.source.frame[column].dropna()) & set(other.source.frame[column].dropna()))

    def has_labels_of(self, other: "Sample") -> bool:
        """Whether both tables have the same labels in the same order, so that their rows may be the same."""
        columns = [(one.source.frame, one.source.roles.get("actual")) for one in (self, other)]
        if any(name is None for _, name in columns):
            return False
        own, others = (list(map(readers.text_of, frame[name])) for frame, name in columns)
        return bool(own) and own == others

    def at_goal(self, goal: Goal) -> "Sample":
        """Return the sample at the best threshold for a goal; unchanged if no threshold meets it."""
        with suppress(ValueError):
            return self if self.scores is None else replace(self, threshold=goal.choose(self.scores.table).threshold)
        return self

    def has_scale_of(self, other: "Sample") -> bool:
        """Whether scores of both are on one scale: one column, or probabilities, in the same direction."""
        if (one := self.scores) is None or (two := other.scores) is None:
            return True
        ends = [*one.scored.ends, *two.scored.ends]
        return one.higher == two.higher and (one.system == two.system or (min(ends) >= 0 and max(ends) <= 1))

    def shared_classes(self, other: "Sample") -> tuple[str, ...]:
        """Classes of both if one has more than two, else empty. Raises ReadProblem if none is shared."""
        if all(one.matrix is None or len(one.matrix.classes) <= 2 for one in (self, other)):
            return ()
        own, others = self.own_classes, other.own_classes
        if self.matrix is None or other.matrix is None or not set(own) & set(others):
            raise readers.ReadProblem(
                f"These data sets have different classes: {listed(own, 6)} in {named(self.source.title)}, "
                f"{listed(others, 6)} in {named(other.source.title)}. Choose one with the same classes."
            )
        return own if own == others else readers.ordered({*own, *others})

    def matrix_of(self, classes: tuple[str, ...]) -> ConfusionMatrix:
        """Confusion matrix with the given classes, which include its own."""
        matrix, counts = self.matrix, np.zeros((len(classes), len(classes)))
        if matrix is None or matrix.classes == classes:
            return matrix or ConfusionMatrix(classes, counts)
        places = np.array([classes.index(name) for name in matrix.classes], dtype=np.intp)
        counts[np.ix_(places, places)] = matrix.counts
        return ConfusionMatrix(classes, counts, matrix.rows and matrix.rows.recoded(places))

    def counts(self, target: str | None) -> ConfusionCounts:
        """The four counts: of a class against the rest, or of the positive class of two."""
        if self.scores is not None:
            return self.scores.counts_at(self.threshold or 0.0)
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
        column = self.scored_column(target)
        return None if column is None else self.source.dataset.scored(column)

    def scored_column(self, target: str | None) -> str | None:
        """Name of the score column."""
        if self.scores is not None:
            return self.scores.system
        of_class = {readers.text_of(name): column for column, name in self.source.roles.get("probability", ())}
        return of_class.get(target or self._positive_label) if self.source.scored_by == "class" else None

    @property
    def own_classes(self) -> tuple[str, ...]:
        """The classes of this sample alone."""
        return self.source.class_names(self.system) if self.matrix is None else self.matrix.classes

    @property
    def _positive_label(self) -> str:
        classes, label = self.own_classes, readers.text_of(self.source.positive)
        return label if label in classes else classes[-1] if classes else ""


def fitted_source(a: Source, b: Source) -> Source:
    """Assign to B the roles of A if it has the same columns, else the positive class of A if it has that label.

    So last quarter's file is read as this quarter's, whatever was chosen for it.
    """
    positive = readers.text_of(a.positive) if a.positive is not None else None
    tries: list[readers.Roles] = [a.roles] if a.kind != "counts" else []
    if positive is not None and b.roles.get("actual") is not None and positive in map(readers.text_of, b.labels):
        label = next(value for value in b.labels if readers.text_of(value) == positive)
        tries.append(readers.roles_of(**(b.roles.parts | {"positive": label})))
    for roles in tries:
        try:
            dataset = b.dataset.with_roles(roles.to_text())
        except readers.ReadProblem:
            continue
        if not (positive is None or a.roles.get("actual") is None or positive in map(readers.text_of, dataset.labels)):
            continue
        known = (one for one in (b.system, a.system if roles is a.roles else None) if one in dataset.systems)
        system = next(known, dataset.first_system)
        return Source(b.id, b.title, dataset, system, *dataset.tally(system), b.detected_roles or b.roles)
    return b


def may_have_groups(source: Source) -> bool:
    """Whether a table has a column that could hold groups, judged without reading its cells."""
    used = {name for part in source.roles.parts.values() for name in (part if isinstance(part, tuple) else (part,))}
    free = [name for name in source.frame.columns if name not in used or name == source.roles.get("group")]
    return source.kind in COMPARABLE and source.kind != "counts" and bool(free)


def group_columns(source: Source) -> dict[str, dict[str, readers.Filter]]:
    """Groups of each column with at least two that share no row, by the text of the step that keeps them.

    They are those of `slice_columns`, the column of groups first. Names come from a file: escape them.
    """
    if not may_have_groups(source):
        return {}
    columns = {one.name: one for one in readers.slice_columns(source.dataset)[0]}
    first = [name for name in columns if name == source.roles.get("group")]
    order = [*first, *(name for name in columns if name not in first)]
    return {name: _groups(columns[name]) for name in order if _apart(columns[name]).any()}


def groups_apart(source: Source, column: str, group: str) -> list[str]:
    """Groups of a column, by their texts, that share no row with a given one."""
    cut = next(one for one in readers.slice_columns(source.dataset)[0] if one.name == column)
    texts = [*_groups(cut)]
    return [texts[place] for place in np.flatnonzero(_apart(cut)[texts.index(group)]).tolist()]


def group_of(source: Source, group: readers.Filter) -> Source:
    """Source of the rows of a group with the same roles and system, named after the group.

    Raises ReadProblem where they cannot have these roles, such as where a class is missing.
    """
    shape = readers.Shape((*source.dataset.shape.steps, group, readers.Title(group.condition)))

    def build() -> tuple[readers.DataSet, readers.DataSet]:
        detected = source.dataset.shaped(shape)
        return detected, detected.with_roles(source.roles.to_text())

    try:
        # Its findings take as long as opening a file.
        detected, dataset = source.dataset.once(f"group {shape.to_text()}", None, build)
        tally = dataset.tally(source.system)
    except readers.ReadProblem as problem:
        why = f"{named(group.condition)} cannot be compared: {str(problem).partition('. ')[0]}"
        raise readers.ReadProblem(f"{why}. Choose another group.") from problem
    return Source(source.id, group.condition, dataset, source.system, *tally, detected.roles)


def _groups(column: readers.SliceColumn) -> dict[str, readers.Filter]:
    return {one.to_text(): one for one in column.filters}


def _apart(column: readers.SliceColumn) -> np.ndarray:
    """Pairs of slices without a common code, as a mask of shape (slices, slices)."""
    members = column.members.astype(np.int64)
    return members @ members.T == 0


def shared_correlation(
    a: Sample, b: Sample, target: str | None, classes: tuple[str, ...]
) -> Callable[[MetricDef], float]:
    """The correlation of the values of a measure in two samples through the clusters that have rows in both.

    Of a class against the rest, or of all `classes` at once; 0 where the samples share no cluster.
    """
    if not a.shared_clusters(b):
        return lambda _: 0.0
    sides = list(zip((a, b), _joint_codes(a, b), strict=True))

    def correlation(measure: MetricDef) -> float:
        if measure.family == "matrix":
            matrices = (_with_clusters(*side).matrix_of(classes) for side in sides)
            return inference.correlation_of_matrices(measure, *matrices)
        if measure.family == "counts":
            return inference.correlation_of_counts(measure, *(_counts(*side, target) for side in sides))
        return inference.correlation_of_scores(measure, *(_scored_labels(*side, target) for side in sides))

    return correlation


def _joint_codes(a: Sample, b: Sample) -> tuple[Indices, Indices]:
    """Cluster codes of the rows of both tables, shared between them; a row without a value is its own cluster."""
    column = a.source.roles.get("cluster")
    (first, known), (second, values) = (one.source.frame[column].factorize() for one in (a, b))
    places = known.get_indexer(values)
    places = np.where(places < 0, len(known) + np.arange(len(values)), places)
    codes = np.concatenate([first, np.where(second < 0, -1, places[second])]).astype(np.intp)
    missing = np.flatnonzero(codes < 0)
    codes[missing] = codes.max(initial=-1) + 1 + np.arange(len(missing))
    return codes[: len(first)], codes[len(first) :]


def _with_clusters(side: Sample, codes: Indices) -> Sample:
    """Sample of labels with clusters, even if each cluster has one row."""
    return replace(side, matrix=replace(LabelPairs.of(side.source, side.system), clusters=codes).matrix)


def _counts(side: Sample, codes: Indices, target: str | None) -> ConfusionCounts:
    if side.scores is None:
        return _with_clusters(side, codes).counts(target)
    return replace(LabelPairs.at(side.scores, side.threshold or 0.0), clusters=codes).matrix.one_vs_rest()[0]


def _scored_labels(side: Sample, codes: Indices, target: str | None) -> ScoredLabels:
    rows = side.source.dataset.scored_arrays(side.scored_column(target))
    higher = side.scores is None or side.scores.higher  # probabilities are of the class
    options = {"weights": rows.weights, "higher_is_positive": higher}
    return ScoredLabels.from_arrays(rows.labels, rows.scores, clusters=codes[rows.complete], **options)


def _class_notes(a: Sample, b: Sample, target: str | None, level: float) -> list[str]:
    sentences, words = [], [side.positive(target) for side in (a, b)]
    if words[0].casefold() != words[1].casefold():
        of_a, of_b = (plain(as_noun(word, 40)) for word in words)
        sentences.append(f"The positive class is {of_a} in A and {of_b} in B; they are taken to mean the same.")
    if len({side.rule for side in (a, b)} - {""}) > 1:
        sentences.append("Higher scores are positive in one data set, lower ones in the other.")
    of_a, of_b = a.counts(target), b.counts(target)
    test = inference.compare_shares(of_b.actual_positives, of_b.total, of_a.actual_positives, of_a.total, level)
    if (p := float(test.p_values)) <= 1 - level:
        shares = [share_text(float(prevalence(counts))) for counts in (of_a, of_b)]
        sentences.append(
            f"The prevalence differs ({shares[0]} in A, {shares[1]} in B, {p_text(p)}): precision, NPV, accuracy and "
            "F1 depend on it; recall, specificity and the AUC do not."
        )
    return sentences


def widening_text(source: Source, column: str) -> str:
    """Factor by which clustering by a column widens the interval of the open system, in Markdown after a blank.

    Of scores it is that of the area under the ROC curve, of labels that of accuracy, of rankings that of mean AP; empty
    where none is defined.
    """
    dataset = source.dataset.with_roles(readers.reassigned(source.roles, "cluster", column, source.frame))
    try:
        if source.scored_by == "system":
            word = "of the AUC"
            narrow, wide = (inference.delong(data.scored(source.system)) for data in (source.dataset, dataset))
        elif predictions_of(source):
            word = "of accuracy"
            pairs = LabelPairs.of(source, source.system)
            used = pairs.actual >= 0
            right, codes = pairs.actual[used] == pairs.predicted[used], readers.clusters_of(dataset)
            units, every = None if codes is None else codes[used], np.ones(len(right), bool)
            each = (ConfusionCounts.from_labels(every, right, True, clusters=one) for one in (None, units))
            narrow, wide = (inference.IntervalChoice().of_shares(METRICS["accuracy"], counts)[0] for counts in each)
        elif source.kind == "run + judgments" and source.system is not None:
            word = "of mean AP"
            values, codes = Rankings(source, source.system).per_query(["AP"]), dataset.state("query_clusters")
            units = [codes[query] for query in values.queries] if codes else None
            ap = values.values["AP"]
            each = (inference.clustered_test(inference.paired_t, np.zeros(len(ap)), ap, one) for one in (None, units))
            narrow, wide = (one.interval for one in each)
        else:
            return ""
    except readers.ReadProblem:
        return ""
    factor = float((wide.high - wide.low) / (narrow.high - narrow.low)) if narrow.high > narrow.low else np.nan
    if not np.isfinite(factor):
        return ""
    if factor < 1.05:
        return f" The {level_text(0.95)} interval {word} hardly changes."
    return f" The {level_text(0.95)} interval {word} becomes {factor:.1f} times as wide."


SAMPLE_CUTS = CUTS | {"page": "The same threshold for both", "flagged": "B flags the same share as A"}
"""Ways to choose the thresholds of two samples."""


@dataclass(frozen=True, eq=False)
class SampleComparison(ComparedMeasures):
    """Comparison of two independent samples, from `compare_samples`."""

    a: Sample
    b: Sample
    # The class that is set against the rest; None compares all classes at once. Comes from a file: escape it.
    target: str | None
    cut: str  # a key of `SAMPLE_CUTS`
    measure: MetricDef  # what the verdict goes by
    level: float = 0.95
    correction: str = "holm"
    margin: Margin = Margin()  # noqa: RUF009 (frozen)

    @cached_property
    def names(self) -> tuple[str, str]:
        """Distinct names of A and B: systems, or data sets. Unescaped text from a file."""
        systems, titles = ([str(self.a.system), str(self.b.system)], [self.a.source.title, self.b.source.title])
        several = any(len(one.systems) > 1 for one in (self.a, self.b))
        names = systems if systems[0] != systems[1] and (several or self.a.has_rows_of(self.b)) else titles
        return (f"{names[0]} (A)", f"{names[1]} (B)") if names[0] == names[1] else (names[0], names[1])

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of both; of two, none."""
        return self.a.shared_classes(self.b)

    @property
    def of_classes(self) -> bool:
        """Whether all classes are compared at once."""
        return self.target is None and bool(self.classes)

    def measures(self) -> list[MetricDef]:
        """Measures for comparing the two samples."""
        if self.of_classes:
            return measures_with_test("matrix")
        both = self.a.scored_for(self.target) is not None and self.b.scored_for(self.target) is not None
        return measures_with_test("counts") + (measures_with_test("scores") if both else [])

    def differences(self, measures: Sequence[MetricDef]) -> list[Difference]:
        """B minus A by some measures, in their order."""
        compare = {family: partial(self._test, family) for family in ("counts", "matrix", "scores")}
        known = self.a.key, self.b.key, self.target, self.level
        # Kept with the first data set.
        return kept_differences(self.a.source.dataset, "samples", self.names, measures, lambda _: known, compare)

    @cached_property
    def _alike(self) -> Callable[[MetricDef], float]:
        """Correlation of the values of a measure in both, through patients with rows in both."""
        return shared_correlation(self.a, self.b, self.target, self.classes)

    def _test(self, family: str, measures: list[MetricDef]) -> Results:
        """Value of A and of B by each measure of a family, and the test of their difference."""
        state_of: Callable[[Sample], Any]
        compare, state_of = {
            "counts": (independent_differences, lambda side: side.counts(self.target)),
            "matrix": (independent_matrix_differences, lambda side: side.matrix_of(self.classes)),
            "scores": (independent_score_differences, lambda side: side.scored_for(self.target)),
        }[family]
        a, b = state_of(self.a), state_of(self.b)
        tests = compare(measures, a, b, level=self.level, alike=self._alike)
        return {one.key: (float(one(a)), float(one(b)), test) for one, test in zip(measures, tests, strict=True)}

    @cached_property
    def system_differences(self) -> list[Difference]:
        """B minus A by the chosen measure, alone."""
        return self.differences([self.measure])

    @cached_property
    def all_differences(self) -> list[Difference]:
        """Differences B minus A in every measure, with corrected p-values."""
        return with_correction(self.differences(self.measures()), self.correction)

    @cached_property
    def class_differences(self) -> list[Difference]:
        """Differences B minus A in the recall of each class, with p-values corrected for the classes."""
        recall, each = METRICS["recall"], {name: replace(self, target=name) for name in self.classes}
        found = {name: one._test("counts", [recall])[recall.key] for name, one in each.items()}
        differences = [Difference(*self.names, recall, name, *result) for name, result in found.items()]
        return with_correction(differences, self.correction)

    @property
    def verdict(self) -> str:
        """Verdict on B against A, in Markdown: a bold headline and its reasons."""
        one = self.difference
        if one.undefined:
            return f"**The {one.noun} cannot tell them apart.**  \nIt is undefined: {one.undefined}."
        return f"**{self.headline}**  \n{one.sides}: {one.operation} {one.result(self.level, '', 1)}."

    @property
    def note(self) -> str:
        """Note on the design, the thresholds and other differences between the samples, in Markdown."""
        a, b, sizes = self.a, self.b, []
        for letter, side in (("A", a), ("B", b)):
            counts = side.counts(self.target or next(iter(self.classes), None))
            size = f"{letter}: {'' if a.has_rows_of(b) else f'{plain(side.source.title, 50)}, '}"
            size += f"{count_text(float(counts.total))} {plain(side.source.cases)}"
            if not self.of_classes:
                positive = plain(as_noun(side.positive(self.target), 40))
                size += f", {count_text(float(counts.actual_positives))} {positive}"
            sizes.append(size)
        shared = a.shared_clusters(b)
        sentences = [f"Compared as {'two' if shared else 'independent'} samples ({'; '.join(sizes)})."]
        cuts = [f"{one.rule} {threshold_text(at)} ({letter})" for one, letter in ((a, "A"), (b, "B"))
                if (at := one.threshold) is not None]  # fmt: skip
        if cuts and self.measure.family != "scores":
            sentences.append(f"Predicted positive at scores {' and '.join(cuts)}.")
            if self.cut == "youden":
                sentences.append("Both thresholds were chosen on these rows, which flatters both slightly.")
        if a.has_rows_of(b):
            same = "Counts do not show which rows the systems share. If they share all rows, open a file of these rows"
            return " ".join([*sentences, f"{same}: a paired comparison has more power."])
        if a.is_of_table(b):
            sentences.append("They are groups of one table: with the same system, a difference comes from the cases.")
            if shared:
                both = f"{a.source.clusters_of(shared).removeprefix(' of ')} have rows in both"
                sentences.append(f"{both}: intervals and tests take into account that these rows belong together.")
        elif a.has_labels_of(b):
            same = "Both data sets have the same labels in the same order. If they hold the same rows, open a table"
            sentences.append(f"{same} with both systems: a paired comparison has more power.")
        else:
            different = "A and B have different rows: a difference may come from the cases, not only from the system."
            sentences.append(different)
        for letter, side, other in (("A", a, b), ("B", b, a)):
            if beside := [name for name in self.classes if name in side.own_classes and name not in other.own_classes]:
                some = ", ".join(label_markdown(name) for name in list(short_names(beside, 24).values())[:_NAMED])
                word = "class" if len(beside) == 1 else "classes"
                sentences.append(f"Only {letter} has the {word} {some}{' and others' if len(beside) > _NAMED else ''}.")
        sentences += [] if self.of_classes else _class_notes(a, b, self.target, self.level)
        notes = {"A": a.source.rows_note, "B": b.source.rows_note}
        if notes["A"] == notes["B"]:
            return " ".join(sentences) + notes["A"]
        return " ".join(sentences) + "".join(f" {letter}:{note}" for letter, note in notes.items() if note)

    @property
    def measures_note(self) -> str:
        """Note on the tests of the measures in the table, in Markdown."""
        units = self.a.source.cluster_words or self.b.source.cluster_words
        way, on = ("Obuchowski", ", all on effective numbers of rows") if units else ("DeLong", "")
        areas = f"areas under the ROC curve: unpaired {way}; " if METRICS["roc_auc"] in self.measures() else ""
        few = "Where a class has fewer than 25 rows, p is at least that of exchanging rows between the samples."
        return (
            "Shares: Newcombe’s interval, and the z test, or Fisher’s exact test where few rows are expected in a cell"
            f"{on}; {areas}ratios (×): B over A, by the logarithm; others: a bootstrap of either sample. "
            f"{f'Bootstraps take whole {units}.' if units else few} Corrected p: {METHODS[self.correction]}, for all "
            f"{count_text(self.tested)} measures of the table. {cautions(self.all_differences)}"
        ).rstrip()

    @property
    def formulas(self) -> str:
        """The tests and the chosen measure with its numbers, in Markdown."""
        counts = []
        if self.measure.family == "counts":
            counts = [(name, side.counts(self.target)) for name, side in zip(self.names, (self.a, self.b), strict=True)]
        clustered = any(side.source.cluster_words for side in (self.a, self.b))
        return paired_systems.sample_formulas(self.measure, counts, clustered)

    @property
    def code(self) -> str:
        """Python that compares the two again and asserts the numbers."""
        one, sides = self.difference, []
        for word, side in (("a", self.a), ("b", self.b)):
            sides += [side.source.code, f"{word} = Source.of(data, {side.source.system!r}, {side.sample!r})"]
        arguments = f"target={self.target!r}, cut={self.cut!r}, threshold={literal(self.a.threshold)}"
        if self.a.source.scored_by == "class" or self.b.source.scored_by == "class":
            arguments += f", predictions={(self.a.system, self.b.system)!r}"
        return script(
            *sides,
            f"comparison = compare_samples(\n    a, b, {arguments},\n    measure=METRICS[{self.measure.key!r}], "
            f"level={self.level}, correction={self.correction!r}, margin={self.margin!r},\n)",
            "test = comparison.difference.test",
            "numbers = [test.estimate, test.interval.low, test.interval.high, test.p_value]",
            check("numbers", [one.estimate, one.low, one.high, one.test.p_value]),
            *self.margin_code,
            "print(comparison.verdict)",
        )


def compare_samples(
    a: Source, b: Source, *,
    target: str | None = "", cut: str = "", threshold: float | None = None, measure: MetricDef | None = None,
    level: float = 0.95, correction: str = "holm", margin: Margin | None = None,
    predictions: tuple[str | None, str | None] = (None, None),
) -> SampleComparison:  # fmt: skip
    """Compare two data sets, or two systems of a file of counts, as independent samples.

    Each source has its system chosen; b is as `fitted_source` gives it. The target class is set against the rest; by
    default and with more than two classes all are compared at once. The cut is a key of `SAMPLE_CUTS`, by default one
    threshold where the scores of both have one scale; the threshold is that of A, by default the one its scores start
    from. Of class probabilities the predictions say what predicts the class, by default the most probable one. Other
    settings are as in `compare_systems`. Raises ReadProblem when the classes have nothing in common, or the data of one
    cannot be used.
    """
    of_a, of_b = Sample.of(a, predictions[0], threshold), Sample.of(b, predictions[1])
    classes = of_a.shared_classes(of_b)
    cut = cut or ("page" if of_a.has_scale_of(of_b) else "youden")
    if of_a.scores is not None and of_b.scores is not None:
        if cut == "youden":
            of_a, of_b = of_a.at_goal(youden_goal()), of_b.at_goal(youden_goal())
        elif cut == "flagged":
            of_b = of_b.at_goal(flag_goal(share=float(predicted_prevalence(of_a.counts(None)))))
        else:
            of_b = replace(of_b, threshold=of_a.threshold)
    target, usual = target if target in classes else None, METRICS["recall"]
    comparison = SampleComparison(of_a, of_b, target, cut, usual, level, correction, margin or Margin())
    known = {one.key: one for one in comparison.measures()}
    key = "overall_accuracy" if classes and target is None else "roc_auc"
    chosen = measure if measure is not None and measure.key in known else known.get(key, usual)
    return replace(comparison, measure=chosen)
