"""Stories: their steps with the inputs of worked examples and printed figures beside computed ones; of classifiers."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, averages, inverted
from evalcore.learning import questions
from evalcore.learning.questions import Answer, Comparison, Mark, Number, Step, Values, Wrong, filled, near, value_of
from evalcore.numeric import Array
from evalcore.registry import find
from evalcore.wording import UNDEFINED, count_text, number_text, share_text

__all__ = ["STORIES", "Story", "example"]


@dataclass(frozen=True)
class Story:
    """A worked example of the literature in steps that ask before they explain; `topic` groups it with others."""

    id: str
    title: str
    topic: str
    question: str
    level: str  # "easy", "medium" or "hard"
    source: str
    steps: tuple[Step, ...]


STORIES: dict[str, Story] = {}
"""The stories by id, in the order in which they are offered."""

Asked = tuple[Any, ...]
"""Answer that a step asks for (None: an option), wrong ones by their codes, and printed figures beside ours."""

Steps = tuple[Mapping[str, Any], Sequence[Asked]]
"""Values that stand in the texts of a story, by name, and what its steps ask for."""


def story(id: str) -> Callable[[Callable[[], Steps]], None]:
    """Add a story with its texts in ``stories.toml``; its source is that of the worked example, unless it has one."""

    def add(make: Callable[[], Steps]) -> None:
        texts, (values, answers) = questions.texts_of("stories.toml")[id], make()
        steps = tuple(_step(text, values, *one) for text, one in zip(texts["steps"], answers, strict=True))
        source = texts.get("source") or example(id)["source"]
        STORIES[id] = Story(id, texts["title"], texts["topic"], texts["question"], texts["level"], source, steps)

    return add


def _step(
    texts: Mapping[str, Any], values: Mapping[str, Any], answer: Answer | None, wrong: Wrong, *comparisons: Comparison
) -> Step:
    """Step with its texts, into which the values are filled."""
    told = partial(filled, values=values)
    return Step(
        told(texts["title"]), told(texts.get("text", "")), questions.written_question(texts, values, answer, wrong),
        told(texts["lesson"]), texts["page"], {name: told(value) for name, value in texts["settings"].items()},
        comparisons, texts.get("measure", "precision"), texts.get("shown", {}),
    )  # fmt: skip


@cache
def examples() -> Mapping[str, Any]:
    """All worked examples as they were printed, by id."""
    return {one["id"]: one for one in questions.content_of("worked_examples.json")}


def example(id: str) -> Mapping[str, Any]:
    """A worked example as it was printed, with its input, by its id. Raises KeyError if there is none."""
    return examples()[id]


def compared(name: str, printed: Any, ours: Any, decimals: int | None = None, erratum: str = "") -> Comparison:
    """Compare a printed figure, or a row of them, with the computed one; an erratum says why they differ.

    Without decimals a figure was printed with the digits it has, at least two. Ours has two more if they are no zeros.

    >>> compared("Recall", 0.67, 2 / 3)
    Comparison(name='Recall', printed='0.67', ours='0.6667', erratum='')
    """
    left, right = list[str](), list[str]()
    for figure, value in zip(*(np.atleast_1d(np.array(one, float)).tolist() for one in (printed, ours)), strict=True):
        places = decimals
        if places is None:
            places = max(len(f"{figure:.10f}".rstrip("0").partition(".")[2]), 2)
        left.append(_format(figure, places))
        is_exact = abs(value - round(value, places)) < 1e-9
        right.append(_format(value, places if is_exact else places + 2))
    return Comparison(name, " · ".join(left), " · ".join(right), erratum)


def _format(value: float, decimals: int) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.{decimals}f}"


Slips = Mapping[str, float | Array | tuple[float | Array, float]]
"""Numbers that slips lead to by the codes of the slips, with a tolerance where one has its own."""


def number(
    value: float | Array, slips: Slips, *comparisons: Comparison, tolerance: float = 0.005, is_share: bool = True,
    percent: bool = True,
) -> Asked:  # fmt: skip
    """Ask for a number."""
    own = {code: one if isinstance(one, tuple) else (one, tolerance) for code, one in slips.items()}
    wrong = [(code, near(float(figure), reach), float(figure)) for code, (figure, reach) in own.items()]
    return Number(float(value), is_share, tolerance, percent), wrong, *comparisons


index = partial(number, percent=False)
"""Ask for an index from 0 to 1, such as F1, or a rate of a ranked list: a decimal, as on the pages."""

count = partial(number, is_share=False, tolerance=0.05)
"""Ask for a number that is no share."""


def choice(*comparisons: Comparison) -> Asked:
    """Ask for one of the options in the texts, of which the right one has no hint."""
    return None, (), *comparisons


def _near_points(wrong: Mapping[str, Sequence[float]]) -> Wrong:
    return [(code, near(values, 0.06), tuple(map(float, values))) for code, values in wrong.items()]


def mark(
    point: Sequence[float], axes: tuple[str, str], wrong: Mapping[str, Sequence[float]], *comparisons: Comparison,
    points: Sequence[tuple[str, float, float]] = (), percent: bool = True,
) -> Asked:  # fmt: skip
    """Ask for a point of a plane; `points` are there to start with."""
    x, y = map(float, point)
    return Mark((x, y), axes=axes, points=points, percent=percent), _near_points(wrong), *comparisons


def fill_in(
    names: Sequence[str], values: Sequence[float], wrong: Mapping[str, Sequence[float]], *comparisons: Comparison
) -> Asked:
    """Ask for several whole numbers."""
    return Values(names, lambda given: tuple(given) == tuple(values), values), _near_points(wrong), *comparisons


ROC_AXES = ("false positive rate", "true positive rate")
CELLS = ("tp", "fp", "fn", "tn")


def _figure(key: str, counts: Any) -> Any:
    """A count or a measure of four counts, by its key in the worked examples."""
    return getattr(counts, key) if key in CELLS else find(key)(counts)


def short(key: str) -> str:
    return key.upper() if len(key) < 4 else key


def beside(
    counts: Any, printed: Mapping[str, Any], *keys: str, of: str = "", decimals: int | None = None,
    errata: Mapping[str, str] | None = None,
) -> list[Comparison]:  # fmt: skip
    """Printed figures of four counts, each beside ours, with what explains an erratum by its key."""
    names, why = [short(key.capitalize()) + of for key in keys], errata or {}
    ours = [_figure(key, counts) for key in keys]
    rows = zip(names, keys, ours, strict=True)
    return [compared(name, printed[key], one, decimals, why.get(key, "")) for name, key, one in rows]


def in_a_row(
    name: str, counts: Any, printed: Mapping[str, Any], decimals: int, erratum: str = "", titled: bool = False
) -> Comparison:
    """Several printed figures of four counts beside ours."""
    words = ", ".join(short(key.capitalize() if titled else key) for key in printed)
    ours = [_figure(key, counts) for key in printed]
    return compared(f"{name}: {words}", [*printed.values()], ours, decimals, erratum)


def values_of(counts: ConfusionCounts, *names: str) -> list[float]:
    """Values of measures of four counts."""
    return [value_of(counts, name) for name in names]


def point_of(counts: ConfusionCounts) -> tuple[float, float]:
    """The point of four counts on the ROC plane."""
    return value_of(counts, "fall_out"), value_of(counts, "recall")


def table_of(id: str) -> ConfusionCounts:
    """The four counts of a worked example."""
    return ConfusionCounts(**example(id)["input"])


@story("cancer-test")
def _cancer() -> Steps:
    c, printed = table_of("cancer-test"), example("cancer-test")["printed"]
    ppv, npv, hit, true_negative = values_of(c, "precision", "negative_predictive_value", "recall", "specificity")
    right, share, elsewhere = value_of(c, "accuracy"), value_of(c, "prevalence"), 0.3
    moved = hit * elsewhere / (hit * elsewhere + (1 - true_negative) * (1 - elsewhere))
    still_ill, healthy = 1 - npv, 1 - share
    ill_elsewhere, found_elsewhere = 1000 * elsewhere, 1000 * elsewhere * hit
    alarmed_elsewhere = 1000 * (1 - elsewhere) * (1 - true_negative)
    of_ppv = {"recall": hit, "accuracy": (right, 0.002), "specificity": true_negative, "prevalence": share}
    of_npv = {"specificity": (true_negative, 0.005), "complement of precision": (1 - ppv, 0.005)}
    of_moved = {"unchanged": ppv, "recall": (hit, 0.005), "prevalence": (elsewhere, 0.005)}
    return locals(), (
        number(ppv, of_ppv, *beside(c, printed, "precision", "accuracy")),
        number(npv, of_npv | {"without a test": healthy}, *beside(c, printed, "npv"), tolerance=0.002),
        choice(),
        number(moved, of_moved, *beside(c, printed, "recall", "specificity"), tolerance=0.01),
    )


@story("virus-test")
def _virus() -> Steps:
    worked, c = example("virus-test"), table_of("virus-test")
    printed, (of_rates, of_prevalence) = worked["printed"], worked["errata"]
    ppv, hit, missed, true_negative, right = values_of(c, "precision", "recall", "miss_rate", "specificity", "accuracy")
    npv, share = value_of(c, "negative_predictive_value"), value_of(c, "prevalence")
    people, infected, healthy = (count_text(float(one)) for one in (c.total, c.actual_positives, c.actual_negatives))
    slips = {
        "no sign": (100 * share, 0.002), "odds": c.actual_positives / c.actual_negatives,
        "per thousand": (10 * share, 0.0002), "alarms": (c.predicted_positives / c.total, 0.005),
    }  # fmt: skip
    of_missed = {"recall": hit, "false omission": 1 - npv, "fall-out": 1 - true_negative}
    of_ppv = {"recall": hit, "false alarms": 1 - ppv, "accuracy": right}
    ours = f"{infected} / {people} = {share_text(share)}"
    prevalences = Comparison("Prevalence", f"{infected} / {healthy}", ours, of_prevalence)
    rates = beside(c, printed, "recall", "specificity", decimals=2, errata={"recall": of_rates})
    cut = {"npv": "The print cuts 99.89 % to 99 % instead of rounding it."}
    return locals(), (
        number(share, slips, prevalences, tolerance=2e-5),
        number(missed, of_missed, *rates),
        number(ppv, of_ppv, *beside(c, printed, "precision", "npv", "accuracy", decimals=2, errata=cut)),
    )


@story("always-negative")
def _never() -> Steps:
    c = table_of("always-negative")
    right, middle = values_of(c, "accuracy", "balanced_accuracy")
    ill = float(c.actual_positives)
    slips = {"nothing found": 0.0, "per thousand": 1 - ill / 1000, "error rate": 1 - right}
    return locals(), (
        number(right, slips, tolerance=0.0005),
        choice(),
        number(middle, {"accuracy": right, "recall": 0.0, "specificity": 1.0}, tolerance=0.0005),
    )


@story("counts-4-1-2-3")
def _small() -> Steps:
    c = table_of("counts-4-1-2-3")
    tp, fp, fn, tn = (float(getattr(c, cell)) for cell in CELLS)
    hit, ppv, true_negative, f, npv = values_of(c, "recall", "precision", "specificity", "f1", "npv")
    words = f"TP {tp:g}, FN {fn:g}, FP {fp:g}, TN {tn:g}."
    slips = {"arithmetic mean": (ppv + hit) / 2, "accuracy": value_of(c, "accuracy"), "Jaccard": tp / (tp + fp + fn)}
    return locals(), (
        number(hit, {"precision": ppv, "specificity": true_negative, "of all": tp / (tp + fp + fn + tn)}),
        number(true_negative, {"fall-out": 1 - true_negative, "NPV": npv, "sensitivity": hit}),
        index(f, slips, tolerance=0.002),
    )


@story("eight-labels")
def _eight() -> Steps:
    given, printed = example("eight-labels")["input"], example("eight-labels")["printed"]
    actual, predicted, positive = given["actual"], given["predicted"], given["positive"]
    table = ConfusionCounts.from_labels(actual, predicted, positive)
    tp, fp, fn, tn = cells = [float(getattr(table, cell)) for cell in CELLS]
    pairs = list(zip(actual, predicted, strict=True))
    outcomes = [("T" if a == b else "F") + ("P" if b == positive else "N") for a, b in pairs]
    place, rows, right = outcomes.index("FN") + 1, len(pairs), value_of(table, "accuracy")
    is_, says = pairs[place - 1]
    words = f"Actual: {' '.join(map(str, actual))}. Predicted: {' '.join(map(str, predicted))}."
    of_cells = {"FP and FN": (tp, fn, fp, tn), "other class": (tn, fn, fp, tp), "predicted": (tp + fp, fp, fn, tn + fn)}
    of_right = {key: value_of(table, key) for key in ("error rate", "recall", "precision")}
    return locals(), (
        choice(Comparison("Outcome of each row", " · ".join(printed["outcome"]), " · ".join(outcomes))),
        fill_in(("TP", "FP", "FN", "TN"), cells, of_cells),
        number(right, of_right, *beside(table, printed, "accuracy", decimals=3)),
    )


@story("oracle-false-6")
def _oracle() -> Steps:
    worked = example("oracle-false-6")
    given, printed, (of_one, of_two) = worked["input"], worked["printed"], worked["errata"]
    one, two = (ConfusionCounts.from_labels(given["actual"], given[name], given["positive"]) for name in "12")
    f, p, r = values_of(one, "f_beta", "precision", "recall")
    cases, answers_one, answers_two = (" ".join(given[name]) for name in ("actual", "1", "2"))
    of_f = {"arithmetic mean": (p + r) / 2, "accuracy": value_of(one, "accuracy"), "product": p * r}

    def printed_of(name: str, table: ConfusionCounts, *keys: str, erratum: str = "") -> list[Comparison]:
        return beside(table, printed[name], *keys, of=f" of {name}", decimals=2, errata={"f1": erratum})

    return locals(), (
        choice(*printed_of("1", one, "accuracy"), *printed_of("2", two, "accuracy")),
        index(f, of_f, *printed_of("1", one, "precision", "recall", "f1", erratum=of_one), tolerance=0.007),
        choice(*printed_of("2", two, "precision", "recall", "f1", erratum=of_two)),
    )


def scored_example(id: str) -> ScoredLabels:
    """The scores of a worked example."""
    given = example(id)["input"]
    return ScoredLabels.from_arrays(given["label"], given["score"], positive=given["positive"])


@story("roc-20")
def _roc_table() -> Steps:
    printed, scored = example("roc-20")["printed"], scored_example("roc-20")
    early, best = 0.6, printed["best accuracy threshold"]
    cells, at, cut = (scored.counts_at(one) for one in (printed["threshold"], early, best))
    x, y = point_of(cut)
    auc, pairs = value_of(scored, "roc_auc"), int(scored.positives * scored.negatives)
    right, ordered = find("accuracy")(cells), auc * pairs
    thresholds = np.sort(scored.thresholds()[np.isfinite(scored.thresholds())])[::-1]
    cuts = compared("Threshold", printed["threshold"], thresholds, 2)
    tpr, fpr, of_accuracy = (
        compared(f"{name}, %", printed[f"{name.lower()}_percent"], 100 * find(name)(cells), 0)
        for name in ("TPR", "FPR", "Accuracy")
    )
    of_point = {"swapped": (y, x), "precision": (x, value_of(cut, "precision")), "specificity": (1 - x, y)}
    of_recall = {"precision": value_of(at, "precision"), "all": at.tp / 20, "false positive rate": point_of(at)[0]}
    return locals(), (
        number(value_of(at, "recall"), of_recall, *beside(cells, printed, *CELLS, decimals=0)),
        mark((x, y), ROC_AXES, of_point, cuts, tpr, fpr),
        choice(of_accuracy, compared("Best accuracy at", best, printed["threshold"][int(np.argmax(right))], 2)),
        index(auc, {"guessing": 0.5, "accuracy": value_of(cut, "accuracy"), "complement": 1 - auc}),
    )


@story("costs-10-1")
def _costs() -> Steps:
    printed, scored, factor = example("roc-20")["printed"], scored_example("roc-20"), 10
    thresholds, first = printed["threshold"], printed["best accuracy threshold"]
    cells = scored.counts_at(thresholds)
    cost = factor * cells.fn + cells.fp
    at, middle, best = thresholds.index(first), thresholds.index(0.38), int(np.argmin(cost))
    fn, fp = float(cells.fn[at]), float(cells.fp[at])
    up_to = next(c for c in np.arange(1, 10, 0.1) if np.argmin(c * cells.fn + cells.fp) != at) - 0.1
    risk = 1 / (1 + factor)
    second, cheapest, lowest = cells[middle], cells[best], cells[len(thresholds) - 1]
    second_threshold, cheapest_threshold, lowest_threshold = thresholds[middle], thresholds[best], thresholds[-1]
    first_cost, least_cost, cost_of_misses, parts = cost[at], cost[best], factor * fn, factor + 1
    fewer_misses, more_alarms = fn - float(second.fn), float(second.fp) - fp
    return locals(), (
        count(cost[at], {"number of errors": fn + fp, "swapped": fn + factor * fp, "misses alone": factor * fn}),
        choice(),
        number(risk, {"ratio": 1 / factor, "half": 0.5, "complement": 1 - risk}, tolerance=0.002),
        choice(),
    )


@story("roc-ties-10")
def _ties() -> Steps:
    worked, scored = example("roc-ties-10"), scored_example("roc-ties-10")
    given, printed, (erratum,), tied = worked["input"], worked["printed"], worked["errata"], 0.85
    scores, labels = np.array(given["score"]), np.array(given["label"]) == given["positive"]
    before, after, cells = (scored.counts_at(cut) for cut in (0.87, tied, printed["threshold"]))
    group = scores == tied
    moved = (np.where(group, scores + sign * 0.001 * labels, scores) for sign in (1, -1))
    hopeful, fearful = (value_of(ScoredLabels.from_arrays(labels, one), "roc_auc") for one in moved)
    auc, p, n = value_of(scored, "roc_auc"), scored.positives, scored.negatives
    start, end = map(point_of, (before, after))
    in_tie, positives_in_tie, negatives_in_tie = group.sum(), (group & labels).sum(), (group & ~labels).sum()
    ordered, pairs = auc * p * n, p * n
    of_fp = {"before the tie": before.fp, "half of the tie": before.fp + 1, "all of the tie": before.fp + int(in_tie)}
    of_threshold = compared("Threshold", printed["threshold"], [*np.unique(scores[~group]), 1.0], 2, erratum)
    corners = {"positive first": (start[0], end[1]), "negatives first": (end[0], start[1]), "before": start}
    return locals(), (
        count(after.fp, of_fp, of_threshold, *beside(cells, printed, "tp", "fp", decimals=0)),
        mark(end, ROC_AXES, corners, points=(("above", *start),)),
        index(auc, {"positive first": hopeful, "negatives first": fearful, "guessing": 0.5}),
    )


@story("roc-glucose-10")
def _glucose() -> Steps:
    worked, scored = example("roc-glucose-10"), scored_example("roc-glucose-10")
    scores, rows = worked["input"]["score"], worked["printed"]["first rows"]
    cut, auc = scored.counts_at(scores[1]), value_of(scored, "roc_auc")
    logged = value_of(ScoredLabels.from_arrays(worked["input"]["label"], np.log(scores), positive=1), "roc_auc")
    lowest, highest = min(scores), max(scores)
    of_cut = {key: value_of(cut, key) for key in ("false positive rate", "precision")}
    comparisons = [
        in_a_row(f"Row {at}", scored.counts_at(score), {key: row[key] for key in keys}, decimals)
        for keys, decimals in ((("tp", "fn", "tn", "fp"), 0), (("recall", "specificity"), 1))
        for at, (row, score) in enumerate(zip(rows, scores, strict=False), 1)
    ]
    return locals(), (choice(*comparisons), number(value_of(cut, "specificity"), of_cut | {"nobody": 1.0}), choice())


def systems_of(id: str) -> dict[str, ConfusionCounts]:
    """The four counts of each system of a worked example."""
    return {name: ConfusionCounts(*cells) for name, cells in example(id)["input"].items() if name != "order"}


@story("two-classifiers-digit-2")
def _digit() -> Steps:
    one, two = map(systems_of("two-classifiers-digit-2").__getitem__, "12")
    p, r, f = values_of(one, "precision", "recall", "f_beta")
    errors_one, errors_two, two_f = one.fp + one.fn, two.fp + two.fn, value_of(two, "f_beta")
    return locals(), (
        choice(),
        number(p, {"recall": r, "false alarms": 1 - p, "odds": one.tp / one.fp}),
        index(f, {"arithmetic mean": (p + r) / 2, "accuracy": value_of(one, "accuracy"), "product": p * r}),
    )


@story("four-methods-roc")
def _four_methods() -> Steps:
    printed, tables = example("four-methods-roc")["printed"], systems_of("four-methods-roc")
    at = {name: point_of(table) for name, table in tables.items()}
    a, b, turned = tables["A"], tables["B"], inverted(tables["B"])
    back, missed_by_a = point_of(turned), 1 - at["A"][1]
    of_system = {name: in_a_row(name, tables[name], figures, 2, titled=True) for name, figures in printed.items()}
    x, y = at["A"]
    of_a = {"swapped": (y, x), "precision": (x, value_of(a, "precision")), "specificity": (1 - x, y)}
    of_b = {"as it is": at["B"], "mirrored": at["B"][::-1], "recall only": (at["B"][0], back[1])}
    return locals(), (
        mark((x, y), ROC_AXES, of_a, of_system["A"]),
        choice(of_system["D"]),
        choice(of_system["C"]),
        mark(back, ROC_AXES, of_b, of_system["B"], points=[(name, *point) for name, point in at.items()]),
    )


def matrix_of(given: Mapping[str, Any]) -> tuple[ConfusionMatrix, dict[str, ConfusionCounts]]:
    """A printed table of classes, and the four counts of each against the rest."""
    counts = np.array(given["matrix"])
    matrix = ConfusionMatrix(given["classes"], counts if given["rows are"] == "actual" else counts.T)
    each = matrix.one_vs_rest()
    return matrix, {name: each[index] for index, name in enumerate(matrix.classes)}


def of_class(worked: Any, name: str, counts: ConfusionCounts, erratum: str = "") -> list[Comparison]:
    """The printed figures of a class against the rest."""
    printed = worked["printed"][name]
    cells, rates = ({k: v for k, v in printed.items() if (k in CELLS) == is_cell} for is_cell in (True, False))
    of_rates = in_a_row(name, counts, rates, worked["decimals"], erratum)
    return [in_a_row(name, counts, cells, 0), of_rates] if cells else [of_rates]


@story("woman-man-child")
def _people() -> Steps:
    worked = example("woman-man-child")
    matrix, one = matrix_of(worked["input"])
    w, c, overall = one["Woman"], one["Child"], value_of(matrix, "overall_accuracy")
    p, r, right = values_of(w, "precision", "recall", "accuracy")
    right_answers = w.tp + w.tn
    whole = compared("Accuracy, all classes", worked["printed"]["accuracy"], overall)
    of_recall = {"precision": p, "of everyone": w.tp / 100, "accuracy": right}
    return locals(), (
        number(r, of_recall, *of_class(worked, "Woman", w, " ".join(worked["errata"]))),
        choice(),
        choice(whole, *of_class(worked, "Child", c)),
    )


@story("cat-fish-hen")
def _animals() -> Steps:
    worked = example("cat-fish-hen")
    printed, (matrix, one), errata = worked["printed"], matrix_of(worked["input"]), {"Cat": worked["errata"][0]}
    cat, rates = one["Cat"], ("precision", "recall", "f1")
    mean = {key: averages(matrix, find(key)) for key in rates}
    macro = {key: value_of(matrix, f"macro_{key}") for key in rates}
    micro, weighted = float(mean["precision"].micro), float(mean["f1"].weighted)
    animals, right = float(matrix.counts.sum()), float(np.trace(matrix.counts))
    of_means = 2 * macro["precision"] * macro["recall"] / (macro["precision"] + macro["recall"])
    f1s = " + ".join(number_text(value_of(table, "f_beta")) for table in one.values())

    def means(way: str, values: list[float], decimals: int) -> Comparison:
        keys = rates[: len(values)]
        figures = [printed[f"{way.lower()}_{key}"] for key in keys]
        return compared(f"{way} {', '.join(map(short, keys))}", figures, values, decimals)

    of_cat = {"recall": value_of(cat, "recall"), "of all": cat.tp / animals, "F1": value_of(cat, "f_beta")}
    each = [row for name in one for row in of_class(worked, name, one[name], errata.get(name, ""))]
    of_micro = {"macro": macro["precision"], "weighted": mean["precision"].weighted, "complement": 1 - micro}
    of_macro = {"F1 of the means": of_means, "micro": micro, "weighted": weighted}
    of_weighted = means("Weighted", [one.weighted for one in mean.values()], 3)
    return locals(), (
        number(value_of(cat, "precision"), of_cat, *each),
        number(micro, of_micro, means("Micro", [micro, mean["recall"].micro], 2)),
        index(macro["f1"], of_macro, means("Macro", [*macro.values()], 3), of_weighted, tolerance=0.0006),
        choice(),
    )
