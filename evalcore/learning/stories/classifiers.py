"""Stories of classifiers: tables of four counts, thresholds and curves of scores, and averages over three classes."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    ScoredLabels,
    accuracy,
    averages,
    balanced_accuracy,
    f_beta,
    fall_out,
    inverted,
    macro_f1,
    macro_precision,
    macro_recall,
    miss_rate,
    negative_predictive_value,
    overall_accuracy,
    precision,
    prevalence,
    recall,
    roc_auc,
    specificity,
)
from evalcore.learning.questions import Comparison
from evalcore.learning.stories.story import (
    Answers,
    choice,
    compared,
    count,
    example,
    fill_in,
    index,
    mark,
    number,
    story,
)
from evalcore.wording import count_text, number_text, share_text

ROC_AXES = ("false positive rate", "true positive rate")
CELLS = ("tp", "fp", "fn", "tn")
PRINTED: dict[str, Callable[[Any], Any]] = {
    **{cell: attrgetter(cell) for cell in CELLS},
    **{"precision": precision, "npv": negative_predictive_value, "recall": recall, "specificity": specificity},
    **{"fpr": fall_out, "accuracy": accuracy, "f1": f_beta},
}
"""What a worked example prints of four counts, by its key there."""


def short(key: str) -> str:
    return key.upper() if len(key) < 4 else key


def beside(
    counts: Any, printed: Mapping[str, Any], *keys: str, of: str = "", decimals: int | None = None,
    errata: Mapping[str, str] | None = None,
) -> list[Comparison]:  # fmt: skip
    """Printed figures of four counts, each beside ours, with what explains an erratum by its key."""
    names, why = [short(key.capitalize()) + of for key in keys], errata or {}
    ours = [PRINTED[key](counts) for key in keys]
    rows = zip(names, keys, ours, strict=True)
    return [compared(name, printed[key], one, decimals, why.get(key, "")) for name, key, one in rows]


def in_a_row(
    name: str, counts: Any, printed: Mapping[str, Any], decimals: int, erratum: str = "", titled: bool = False
) -> Comparison:
    """Several printed figures of four counts beside ours."""
    words = ", ".join(short(key.capitalize() if titled else key) for key in printed)
    ours = [PRINTED[key](counts) for key in printed]
    return compared(f"{name}: {words}", [*printed.values()], ours, decimals, erratum)


def values_of(counts: ConfusionCounts, *measures: Callable[[ConfusionCounts], Any]) -> list[float]:
    """Values of measures of four counts."""
    return [float(measure(counts)) for measure in measures]


def point_of(counts: ConfusionCounts) -> tuple[float, float]:
    """The point of four counts on the ROC plane."""
    return float(fall_out(counts)), float(recall(counts))


def table_of(id: str) -> ConfusionCounts:
    """The four counts of a worked example."""
    return ConfusionCounts(**example(id)["input"])


@story("cancer-test")
def _cancer() -> Answers:
    c, printed = table_of("cancer-test"), example("cancer-test")["printed"]
    ppv, npv, hit, true_negative = values_of(c, precision, negative_predictive_value, recall, specificity)
    right, share, elsewhere = float(accuracy(c)), float(prevalence(c)), 0.2
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
def _virus() -> Answers:
    worked, c = example("virus-test"), table_of("virus-test")
    printed, (of_rates, of_prevalence) = worked["printed"], worked["errata"]
    ppv, hit, missed, true_negative, right = values_of(c, precision, recall, miss_rate, specificity, accuracy)
    npv, share = float(negative_predictive_value(c)), float(prevalence(c))
    people, infected, healthy = (count_text(float(one)) for one in (c.total, c.actual_positives, c.actual_negatives))
    slips = {
        "no sign": (100 * share, 0.002),
        "odds": c.actual_positives / c.actual_negatives,
        "per thousand": (10 * share, 0.0002),
        "alarms": (c.predicted_positives / c.total, 0.005),
    }
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
def _never() -> Answers:
    c = table_of("always-negative")
    right, middle = values_of(c, accuracy, balanced_accuracy)
    ill = float(c.actual_positives)
    slips = {"nothing found": 0.0, "per thousand": 1 - ill / 1000, "error rate": 1 - right}
    return locals(), (
        number(right, slips, tolerance=0.0005),
        choice(),
        number(middle, {"accuracy": right, "recall": 0.0, "specificity": 1.0}, tolerance=0.0005),
    )


@story("counts-4-1-2-3")
def _small() -> Answers:
    c = table_of("counts-4-1-2-3")
    tp, fp, fn, tn = (float(getattr(c, cell)) for cell in CELLS)
    hit, ppv, true_negative, f, npv = values_of(c, recall, precision, specificity, f_beta, negative_predictive_value)
    words = f"TP {tp:g}, FN {fn:g}, FP {fp:g}, TN {tn:g}."
    slips = {"arithmetic mean": (ppv + hit) / 2, "accuracy": accuracy(c), "Jaccard": tp / (tp + fp + fn)}
    return locals(), (
        number(hit, {"precision": ppv, "specificity": true_negative, "of all": tp / (tp + fp + fn + tn)}),
        number(true_negative, {"fall-out": 1 - true_negative, "NPV": npv, "sensitivity": hit}),
        index(f, slips, tolerance=0.002),
    )


@story("eight-labels")
def _eight() -> Answers:
    given, printed = example("eight-labels")["input"], example("eight-labels")["printed"]
    actual, predicted, positive = given["actual"], given["predicted"], given["positive"]
    table = ConfusionCounts.from_labels(actual, predicted, positive)
    tp, fp, fn, tn = cells = [float(getattr(table, cell)) for cell in CELLS]
    pairs = list(zip(actual, predicted, strict=True))
    outcomes = [("T" if a == b else "F") + ("P" if b == positive else "N") for a, b in pairs]
    place, rows, right = outcomes.index("FN") + 1, len(pairs), float(accuracy(table))
    is_, says = pairs[place - 1]
    words = f"Actual: {' '.join(map(str, actual))}. Predicted: {' '.join(map(str, predicted))}."
    of_cells = {"FP and FN": (tp, fn, fp, tn), "other class": (tn, fn, fp, tp), "predicted": (tp + fp, fp, fn, tn + fn)}
    of_right = {"error rate": (fp + fn) / rows, "recall": recall(table), "precision": precision(table)}
    return locals(), (
        choice(Comparison("Outcome of each row", " · ".join(printed["outcome"]), " · ".join(outcomes))),
        fill_in(("TP", "FP", "FN", "TN"), cells, of_cells),
        number(right, of_right, *beside(table, printed, "accuracy", decimals=3)),
    )


@story("oracle-false-6")
def _oracle() -> Answers:
    worked = example("oracle-false-6")
    given, printed, (of_one, of_two) = worked["input"], worked["printed"], worked["errata"]
    one, two = (ConfusionCounts.from_labels(given["actual"], given[name], given["positive"]) for name in "12")
    f, p, r = values_of(one, f_beta, precision, recall)
    cases, answers_one, answers_two = (" ".join(given[name]) for name in ("actual", "1", "2"))
    of_f = {"arithmetic mean": (p + r) / 2, "accuracy": accuracy(one), "product": p * r}

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
def _roc_table() -> Answers:
    printed, scored = example("roc-20")["printed"], scored_example("roc-20")
    early, best = 0.6, printed["best accuracy threshold"]
    cells, at, cut = (scored.counts_at(one) for one in (printed["threshold"], early, best))
    x, y = point_of(cut)
    auc, pairs = float(roc_auc(scored)), int(scored.positives * scored.negatives)
    right, ordered = accuracy(cells), auc * pairs
    thresholds = np.sort(scored.thresholds()[np.isfinite(scored.thresholds())])[::-1]
    cuts = compared("Threshold", printed["threshold"], thresholds, 2)
    tpr, fpr, of_accuracy = (
        compared(f"{name}, %", printed[f"{name.lower()}_percent"], 100 * measure(cells), 0)
        for name, measure in (("TPR", recall), ("FPR", fall_out), ("Accuracy", accuracy))
    )
    of_point = {"swapped": (y, x), "precision": (x, precision(cut)), "specificity": (1 - x, y)}
    of_recall = {"precision": precision(at), "all": at.tp / 20, "false positive rate": fall_out(at)}
    return locals(), (
        number(recall(at), of_recall, *beside(cells, printed, *CELLS, decimals=0)),
        mark((x, y), ROC_AXES, of_point, cuts, tpr, fpr),
        choice(of_accuracy, compared("Best accuracy at", best, printed["threshold"][int(np.argmax(right))], 2)),
        index(auc, {"guessing": 0.5, "accuracy": accuracy(cut), "complement": 1 - auc}),
    )


@story("costs-10-1")
def _costs() -> Answers:
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
def _ties() -> Answers:
    worked, scored = example("roc-ties-10"), scored_example("roc-ties-10")
    given, printed, (erratum,), tied = worked["input"], worked["printed"], worked["errata"], 0.85
    scores, labels = np.array(given["score"]), np.array(given["label"]) == given["positive"]
    before, after, cells = (scored.counts_at(cut) for cut in (0.87, tied, printed["threshold"]))
    group = scores == tied
    moved = (np.where(group, scores + sign * 0.001 * labels, scores) for sign in (1, -1))
    hopeful, fearful = (float(roc_auc(ScoredLabels.from_arrays(labels, one))) for one in moved)
    auc, p, n = float(roc_auc(scored)), scored.positives, scored.negatives
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
def _glucose() -> Answers:
    worked, scored = example("roc-glucose-10"), scored_example("roc-glucose-10")
    scores, rows = worked["input"]["score"], worked["printed"]["first rows"]
    cut, auc = scored.counts_at(scores[1]), float(roc_auc(scored))
    logged = float(roc_auc(ScoredLabels.from_arrays(worked["input"]["label"], np.log(scores), positive=1)))
    lowest, highest = min(scores), max(scores)
    comparisons = [
        in_a_row(f"Row {at}", scored.counts_at(score), {key: row[key] for key in keys}, decimals)
        for keys, decimals in ((("tp", "fn", "tn", "fp"), 0), (("recall", "specificity"), 1))
        for at, (row, score) in enumerate(zip(rows, scores, strict=False), 1)
    ]
    return locals(), (
        choice(*comparisons),
        number(specificity(cut), {"false positive rate": fall_out(cut), "precision": precision(cut), "nobody": 1.0}),
        choice(),
    )


def systems_of(id: str) -> dict[str, ConfusionCounts]:
    """The four counts of each system of a worked example."""
    return {name: ConfusionCounts(*cells) for name, cells in example(id)["input"].items() if name != "order"}


@story("two-classifiers-digit-2")
def _digit() -> Answers:
    one, two = map(systems_of("two-classifiers-digit-2").__getitem__, "12")
    p, r, f = values_of(one, precision, recall, f_beta)
    errors_one, errors_two, two_f = one.fp + one.fn, two.fp + two.fn, f_beta(two)
    return locals(), (
        choice(),
        number(p, {"recall": r, "false alarms": 1 - p, "odds": one.tp / one.fp}),
        index(f, {"arithmetic mean": (p + r) / 2, "accuracy": accuracy(one), "product": p * r}),
    )


@story("four-methods-roc")
def _four_methods() -> Answers:
    printed, tables = example("four-methods-roc")["printed"], systems_of("four-methods-roc")
    at = {name: point_of(table) for name, table in tables.items()}
    a, b, turned = tables["A"], tables["B"], inverted(tables["B"])
    back, missed_by_a = point_of(turned), 1 - at["A"][1]
    of_system = {name: in_a_row(name, tables[name], figures, 2, titled=True) for name, figures in printed.items()}
    x, y = at["A"]
    of_a = {"swapped": (y, x), "precision": (x, precision(a)), "specificity": (1 - x, y)}
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
def _people() -> Answers:
    worked = example("woman-man-child")
    matrix, one = matrix_of(worked["input"])
    w, c, overall = one["Woman"], one["Child"], float(overall_accuracy(matrix))
    p, r, right = values_of(w, precision, recall, accuracy)
    right_answers = w.tp + w.tn
    whole = compared("Accuracy, all classes", worked["printed"]["accuracy"], overall)
    of_recall = {"precision": p, "of everyone": w.tp / 100, "accuracy": right}
    return locals(), (
        number(r, of_recall, *of_class(worked, "Woman", w, " ".join(worked["errata"]))),
        choice(),
        choice(whole, *of_class(worked, "Child", c)),
    )


@story("cat-fish-hen")
def _animals() -> Answers:
    worked = example("cat-fish-hen")
    printed, (matrix, one), errata = worked["printed"], matrix_of(worked["input"]), {"Cat": worked["errata"][0]}
    cat, rates = one["Cat"], {"precision": precision, "recall": recall, "f1": f_beta}
    mean = {key: averages(matrix, rate) for key, rate in rates.items()}
    macro = {key: float(of(matrix)) for key, of in zip(rates, (macro_precision, macro_recall, macro_f1), strict=True)}
    micro, weighted = float(mean["precision"].micro), float(mean["f1"].weighted)
    animals, right = float(matrix.counts.sum()), float(np.trace(matrix.counts))
    of_means = 2 * macro["precision"] * macro["recall"] / (macro["precision"] + macro["recall"])
    f1s = " + ".join(number_text(float(f_beta(table))) for table in one.values())

    def means(way: str, values: list[float], decimals: int) -> Comparison:
        keys = [*rates][: len(values)]
        figures = [printed[f"{way.lower()}_{key}"] for key in keys]
        return compared(f"{way} {', '.join(map(short, keys))}", figures, values, decimals)

    of_cat = {"recall": recall(cat), "of all": cat.tp / animals, "F1": f_beta(cat)}
    each = [row for name in one for row in of_class(worked, name, one[name], errata.get(name, ""))]
    of_micro = {"macro": macro["precision"], "weighted": mean["precision"].weighted, "complement": 1 - micro}
    of_macro = {"F1 of the means": of_means, "micro": micro, "weighted": weighted}
    of_weighted = means("Weighted", [one.weighted for one in mean.values()], 3)
    return locals(), (
        number(precision(cat), of_cat, *each),
        number(micro, of_micro, means("Micro", [micro, mean["recall"].micro], 2)),
        index(macro["f1"], of_macro, means("Macro", [*macro.values()], 3), of_weighted, tolerance=0.0006),
        choice(),
    )
