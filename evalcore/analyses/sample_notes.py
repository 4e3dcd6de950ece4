"""What beside the systems may make two independent samples differ, and how they were cut, in words."""

from evalcore.analyses.compared_sample import Sample
from evalcore.classification import prevalence
from evalcore.inference import compare_shares
from evalcore.registry import MetricDef
from evalcore.wording import as_noun, count_text, label_markdown, p_text, plain, share_text, short_names, threshold_text

__all__: list[str] = []

_NAMED = 4


def sample_note(
    a: Sample, b: Sample, classes: tuple[str, ...], target: str | None, cut: str, measure: MetricDef, level: float
) -> str:
    """How two samples are compared, where they were cut, and what may differ beside the system, in Markdown.

    `classes` are those of both where there are more than two; `cut` is a key of `SAMPLE_CUTS`.
    """
    of_classes = target is None and bool(classes)
    sizes = []
    for letter, side in (("A", a), ("B", b)):
        counts = side.counts(target or next(iter(classes), None))
        size = f"{letter}: {'' if a.has_rows_of(b) else f'{plain(side.source.title, 50)}, '}"
        size += f"{count_text(float(counts.total))} {plain(side.source.cases)}"
        if not of_classes:
            size += f", {count_text(float(counts.actual_positives))} {plain(as_noun(side.positive(target), 40))}"
        sizes.append(size)
    shared = a.shared_clusters(b) if a.is_of_table(b) else 0
    sentences = [f"Compared as {'two' if shared else 'independent'} samples ({'; '.join(sizes)})."]
    if measure.family != "scores":
        sentences += _thresholds(a, b, cut)
    if a.has_rows_of(b):
        sentences.append(
            "Counts do not tell which rows both systems had. If both had the same rows, open a file of these rows: a "
            "paired comparison has more power."
        )
        return " ".join(sentences)
    if a.is_of_table(b):
        sentences.append("They are groups of one table: with the same system, a difference comes from the cases.")
        if shared:
            units = a.source.clusters_of(shared).removeprefix(" of ")
            sentences.append(
                f"{units} have rows in both: intervals and tests take into account that these rows belong together."
            )
    elif a.has_labels_of(b):
        sentences.append(
            "Both data sets have the same labels in the same order. If they hold the same rows, open a table with both "
            "systems: a paired comparison has more power."
        )
    else:
        sentences.append("A and B have different rows: a difference may come from the cases, not only from the system.")
    sentences += _apart("A", a.classes_beside(classes, b)) + _apart("B", b.classes_beside(classes, a))
    sentences += [] if of_classes else _of_two_classes(a, b, target, level)
    return " ".join(sentences) + _rows_notes(a, b)


def tests_of_samples(a: Sample, b: Sample, with_areas: bool) -> str:
    """How measures of two independent samples are tested, in Markdown."""
    units = a.source.cluster_words or b.source.cluster_words
    areas = f"areas under the ROC curve: unpaired {'Obuchowski' if units else 'DeLong'}; " if with_areas else ""
    shares = "Shares: Newcombe’s interval, and the z test, or Fisher’s exact test where few rows are expected in a cell"
    on = ", all on effective numbers of rows" if units else ""
    few = "Where a class has fewer than 25 rows, p is at least that of exchanging rows between the samples."
    if units:
        few = f"Bootstraps take whole {units}."
    return f"{shares}{on}; {areas}ratios (×): B over A, by the logarithm; others: a bootstrap of either sample. {few}"


def _rows_notes(a: Sample, b: Sample) -> str:
    """What the rows of each weigh and belong to, in sentences with a blank before."""
    notes = {letter: side.source.rows_note for letter, side in (("A", a), ("B", b)) if side.source.rows_note}
    if len(notes) == 2 and notes["A"] == notes["B"]:
        return notes["A"]
    return "".join(f" {letter}:{note}" for letter, note in notes.items())


def _thresholds(a: Sample, b: Sample, cut: str) -> list[str]:
    parts = [
        f"{side.rule} {threshold_text(side.threshold)} ({letter})"
        for letter, side in (("A", a), ("B", b))
        if side.threshold is not None
    ]
    flattered = ["Both thresholds were chosen on these rows, which flatters both slightly."] if cut == "youden" else []
    return [f"Predicted positive at scores {' and '.join(parts)}.", *flattered] if parts else []


def _apart(letter: str, names: list[str]) -> list[str]:
    """A sentence about classes that only one of the two has."""
    if not names:
        return []
    some = [label_markdown(name) for name in list(short_names(names, 24).values())[:_NAMED]]
    listed = f"{', '.join(some)}{' and others' if len(names) > _NAMED else ''}"
    return [f"Only {letter} has the {'class' if len(names) == 1 else 'classes'} {listed}."]


def _of_two_classes(a: Sample, b: Sample, target: str | None, level: float) -> list[str]:
    sentences, words = [], [side.positive(target) for side in (a, b)]
    if words[0].casefold() != words[1].casefold():
        of_a, of_b = (plain(as_noun(word, 40)) for word in words)
        sentences.append(f"The positive class is {of_a} in A and {of_b} in B; they are taken to mean the same.")
    if len({side.rule for side in (a, b)} - {""}) > 1:
        sentences.append("Higher scores are positive in one data set, lower ones in the other.")
    of_a, of_b = a.counts(target), b.counts(target)
    test = compare_shares(of_b.actual_positives, of_b.total, of_a.actual_positives, of_a.total, level)
    if (p := float(test.p_values)) <= 1 - level:
        shares = [share_text(float(prevalence(counts))) for counts in (of_a, of_b)]
        sentences.append(
            f"The prevalence differs ({shares[0]} in A, {shares[1]} in B, {p_text(p)}): precision, NPV, accuracy and "
            "F1 depend on it; recall, specificity and the AUC do not."
        )
    return sentences
