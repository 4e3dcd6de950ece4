"""Stories of several classifiers by their counts and scores, and of three classes and their averages."""

from typing import Any

import numpy as np

from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    ScoredLabels,
    accuracy,
    averages,
    f_beta,
    fall_out,
    inverted,
    macro_f1,
    macro_precision,
    macro_recall,
    negative_predictive_value,
    overall_accuracy,
    precision,
    recall,
    roc_auc,
    specificity,
)
from evalcore.learning.questions import Comparison
from evalcore.learning.stories.story import Answers, choice, compared, count, example, index, mark, number, story
from evalcore.wording import count_text, number_text, share_text

ROC_AXES = ("false positive rate", "true positive rate")


def scored_example(id: str) -> ScoredLabels:
    """The scores of a worked example."""
    given = example(id)["input"]
    return ScoredLabels.from_arrays(given["label"], given["score"], positive=given["positive"])


@story("roc-20")
def _roc_table() -> Answers:
    worked, scored = example("roc-20"), scored_example("roc-20")
    printed, cells = worked["printed"], scored.counts_at(worked["printed"]["threshold"])
    early, best = 0.6, printed["best accuracy threshold"]
    at, cut = scored.counts_at(early), scored.counts_at(best)
    x, y = float(fall_out(cut)), float(recall(cut))
    auc, pairs = float(roc_auc(scored)), int(scored.positives * scored.negatives)
    right = accuracy(cells)
    ordered = auc * pairs
    return locals(), (
        number(
            recall(at),
            {"precision": precision(at), "all": at.tp / 20, "false positive rate": fall_out(at)},
            *(compared(cell.upper(), printed[cell], getattr(cells, cell), 0) for cell in ("tp", "fp", "fn", "tn")),
        ),
        mark(
            (x, y),
            ROC_AXES,
            {"swapped": (y, x), "precision": (x, precision(cut)), "specificity": (1 - x, y)},
            compared(
                "Threshold",
                printed["threshold"],
                np.sort(scored.thresholds()[np.isfinite(scored.thresholds())])[::-1],
                2,
            ),
            compared("TPR, %", printed["tpr_percent"], 100 * recall(cells), 0),
            compared("FPR, %", printed["fpr_percent"], 100 * fall_out(cells), 0),
        ),
        choice(
            compared("Accuracy, %", printed["accuracy_percent"], 100 * right, 0),
            compared("Best accuracy at", best, printed["threshold"][int(np.argmax(right))], 2),
        ),
        index(auc, {"guessing": 0.5, "accuracy": accuracy(cut), "complement": 1 - auc}),
    )


@story("costs-10-1")
def _costs() -> Answers:
    worked, scored = example("roc-20"), scored_example("roc-20")
    thresholds = worked["printed"]["threshold"]
    cells, factor, first = scored.counts_at(thresholds), 10, worked["printed"]["best accuracy threshold"]
    cost = factor * cells.fn + cells.fp
    at, best = thresholds.index(first), int(np.argmin(cost))
    fn, fp = float(cells.fn[at]), float(cells.fp[at])
    last, middle = len(thresholds) - 1, thresholds.index(0.38)
    swap = next(c for c in np.arange(1, 10, 0.1) if np.argmin(c * cells.fn + cells.fp) != at)
    risk = 1 / (1 + factor)
    second, cheapest, lowest = cells[middle], cells[best], cells[last]
    second_threshold, cheapest_threshold, lowest_threshold = thresholds[middle], thresholds[best], thresholds[last]
    first_cost, least_cost, cost_of_misses, parts = cost[at], cost[best], factor * fn, factor + 1
    fewer_misses, more_alarms = fn - float(second.fn), float(second.fp) - fp
    up_to = swap - 0.1
    return locals(), (
        count(cost[at], {"number of errors": fn + fp, "swapped": fn + factor * fp, "misses alone": factor * fn}),
        choice(),
        number(risk, {"ratio": 1 / factor, "half": 0.5, "complement": 1 - risk}, tolerance=0.002),
        choice(),
    )


@story("roc-ties-10")
def _ties() -> Answers:
    worked, scored = example("roc-ties-10"), scored_example("roc-ties-10")
    given, printed, tied = worked["input"], worked["printed"], 0.85
    scores, labels = np.array(given["score"]), np.array(given["label"]) == given["positive"]
    before, after = scored.counts_at(0.87), scored.counts_at(tied)
    group = scores == tied
    moved = (np.where(group, scores + sign * 0.001 * labels, scores) for sign in (1, -1))
    hopeful, fearful = (float(roc_auc(ScoredLabels.from_arrays(labels, one))) for one in moved)
    auc, cells = float(roc_auc(scored)), scored.counts_at(printed["threshold"])
    p, n = scored.positives, scored.negatives
    start, end = ((float(fall_out(one)), float(recall(one))) for one in (before, after))
    up, along = (start[0], end[1]), (end[0], start[1])
    erratum = worked["errata"][0]
    in_tie, positives_in_tie, negatives_in_tie = group.sum(), (group & labels).sum(), (group & ~labels).sum()
    ordered, pairs = auc * p * n, p * n
    return locals(), (
        count(
            after.fp,
            {
                "before the tie": before.fp,
                "half of the tie": before.fp + 1,
                "all of the tie": before.fp + int(group.sum()),
            },
            compared("Threshold", printed["threshold"], [*np.unique(scores[~group]), 1.0], 2, erratum),
            compared("TP", printed["tp"], cells.tp, 0),
            compared("FP", printed["fp"], cells.fp, 0),
        ),
        mark(
            end,
            ROC_AXES,
            {"positive first": up, "negatives first": along, "before": start},
            points=(("above", *start),),
        ),
        index(auc, {"positive first": hopeful, "negatives first": fearful, "guessing": 0.5}),
    )


@story("roc-glucose-10")
def _glucose() -> Answers:
    worked, scored = example("roc-glucose-10"), scored_example("roc-glucose-10")
    scores, rows = worked["input"]["score"], worked["printed"]["first rows"]
    cut = scored.counts_at(scores[1])
    auc = float(roc_auc(scored))
    logged = float(roc_auc(ScoredLabels.from_arrays(worked["input"]["label"], np.log(scores), positive=1)))
    comparisons = tuple(
        compared(f"Row {at}: TP, FN, TN, FP", [row[cell] for cell in ("tp", "fn", "tn", "fp")],
            [getattr(c, cell) for cell in ("tp", "fn", "tn", "fp")], 0)
        for at, (row, c) in enumerate(zip(rows, map(scored.counts_at, scores), strict=False), 1)
    ) + tuple(
        compared(f"Row {at}: recall, specificity", [row["recall"], row["specificity"]], [recall(c), specificity(c)], 1)
        for at, (row, c) in enumerate(zip(rows, map(scored.counts_at, scores), strict=False), 1)
    )  # fmt: skip
    lowest, highest = min(scores), max(scores)
    return locals(), (
        choice(*comparisons),
        number(specificity(cut), {"false positive rate": fall_out(cut), "precision": precision(cut), "nobody": 1.0}),
        choice(),
    )


def _systems(id: str) -> dict[str, ConfusionCounts]:
    return {name: ConfusionCounts(*cells) for name, cells in example(id)["input"].items() if name != "order"}


@story("two-classifiers-digit-2")
def _digit() -> Answers:
    tables = _systems("two-classifiers-digit-2")
    one, two = tables["1"], tables["2"]
    p, r, f = (float(measure(one)) for measure in (precision, recall, f_beta))
    positives, negatives = float(one.actual_positives), float(one.actual_negatives)
    images, errors_one, errors_two = positives + negatives, one.fp + one.fn, two.fp + two.fn
    two_f_beta = f_beta(two)
    return locals(), (
        choice(),
        number(p, {"recall": r, "false alarms": 1 - p, "odds": one.tp / one.fp}),
        index(f, {"arithmetic mean": (p + r) / 2, "accuracy": accuracy(one), "product": p * r}),
    )


@story("four-methods-roc")
def _four_methods() -> Answers:
    worked, tables = example("four-methods-roc"), _systems("four-methods-roc")
    measures = {
        "recall": recall,
        "fpr": fall_out,
        "precision": precision,
        "npv": negative_predictive_value,
        "accuracy": accuracy,
    }
    names = {"recall": "Recall", "fpr": "FPR", "precision": "Precision", "npv": "NPV", "accuracy": "Accuracy"}
    at = {name: (float(fall_out(table)), float(recall(table))) for name, table in tables.items()}
    points = [(name, *point) for name, point in at.items()]
    a, b, turned = tables["A"], tables["B"], inverted(tables["B"])
    back = float(fall_out(turned)), float(recall(turned))
    ppv = {name: share_text(float(precision(table))) for name, table in tables.items()}
    npv = {name: share_text(float(negative_predictive_value(table))) for name, table in tables.items()}

    def beside(name: str) -> tuple[Comparison, ...]:
        printed = worked["printed"][name]
        return (
            compared(f"{name}: {', '.join(names[key] for key in printed)}", [*printed.values()],
                [measures[key](tables[name]) for key in printed], 2),
        )  # fmt: skip

    missed_by_a = 1 - at["A"][1]
    return locals(), (
        mark(
            at["A"],
            ROC_AXES,
            {
                "swapped": at["A"][::-1],
                "precision": (at["A"][0], precision(a)),
                "specificity": (1 - at["A"][0], at["A"][1]),
            },
            *beside("A"),
        ),
        choice(*beside("D")),
        choice(*beside("C")),
        mark(
            back,
            ROC_AXES,
            {"as it is": at["B"], "mirrored": at["B"][::-1], "recall only": (at["B"][0], back[1])},
            *beside("B"),
            points=points,
        ),
    )


_MEASURES = {
    "tp": lambda counts: counts.tp, "fp": lambda counts: counts.fp, "fn": lambda counts: counts.fn,
    "tn": lambda counts: counts.tn, "precision": precision, "npv": negative_predictive_value, "recall": recall,
    "specificity": specificity, "accuracy": accuracy, "f1": f_beta,
}  # fmt: skip


def _matrix(given: dict[str, Any]) -> ConfusionMatrix:
    counts = np.array(given["matrix"])
    return ConfusionMatrix(given["classes"], counts if given["rows are"] == "actual" else counts.T)


def _of_class(worked: Any, name: str, counts: ConfusionCounts, erratum: str = "") -> tuple[Comparison, ...]:
    """Return the printed figures of a class against the rest."""
    printed = worked["printed"][name]
    cells = [key for key in printed if key in ("tp", "fp", "fn", "tn")]
    rates = [key for key in printed if key not in cells]
    rows = [(cells, ", ".join(map(str.upper, cells)), 0, "")] if cells else []
    rows += [(rates, ", ".join(key.upper() if len(key) < 4 else key for key in rates), worked["decimals"], erratum)]
    return tuple(
        compared(f"{name}: {words}", [printed[key] for key in keys], [_MEASURES[key](counts) for key in keys], places,
            why)
        for keys, words, places, why in rows
    )  # fmt: skip


@story("woman-man-child")
def _people() -> Answers:
    worked = example("woman-man-child")
    matrix = _matrix(worked["input"])
    each = matrix.one_vs_rest()
    one = {name: each[index] for index, name in enumerate(matrix.classes)}
    w, c = one["Woman"], one["Child"]
    p, r, right = (float(measure(w)) for measure in (precision, recall, accuracy))
    overall = float(overall_accuracy(matrix))
    women, called, tp = (count_text(float(x)) for x in (w.actual_positives, w.predicted_positives, w.tp))
    right_answers = w.tp + w.tn
    return locals(), (
        number(
            r,
            {"precision": p, "of everyone": w.tp / 100, "accuracy": right},
            *_of_class(worked, "Woman", w, " ".join(worked["errata"])),
        ),
        choice(),
        choice(
            compared("Accuracy, all classes", worked["printed"]["accuracy"], overall), *_of_class(worked, "Child", c)
        ),
    )


@story("cat-fish-hen")
def _animals() -> Answers:
    worked = example("cat-fish-hen")
    matrix, printed = _matrix(worked["input"]), worked["printed"]
    each = matrix.one_vs_rest()
    one = {name: each[index] for index, name in enumerate(matrix.classes)}
    cat = one["Cat"]
    mean = {
        "precision": averages(matrix, precision),
        "recall": averages(matrix, recall),
        "f1": averages(matrix, f_beta),
    }
    micro, weighted = float(mean["precision"].micro), float(mean["f1"].weighted)
    macro = {
        "precision": float(macro_precision(matrix)),
        "recall": float(macro_recall(matrix)),
        "f1": float(macro_f1(matrix)),
    }
    animals, right = float(matrix.counts.sum()), float(np.trace(matrix.counts))
    of_means = 2 * macro["precision"] * macro["recall"] / (macro["precision"] + macro["recall"])
    f1s = " + ".join(number_text(float(f_beta(table))) for table in one.values())
    return locals(), (
        number(
            precision(cat),
            {"recall": recall(cat), "of all": cat.tp / animals, "F1": f_beta(cat)},
            *_of_class(worked, "Cat", cat, worked["errata"][0]),
            *_of_class(worked, "Fish", one["Fish"]),
            *_of_class(worked, "Hen", one["Hen"]),
        ),
        number(
            micro,
            {"macro": macro["precision"], "weighted": mean["precision"].weighted, "complement": 1 - micro},
            compared(
                "Micro precision, recall",
                [printed["micro_precision"], printed["micro_recall"]],
                [micro, mean["recall"].micro],
                2,
            ),
        ),
        index(
            macro["f1"],
            {"F1 of the means": of_means, "micro": micro, "weighted": weighted},
            compared("Macro precision, recall, F1", [printed[f"macro_{key}"] for key in macro], [*macro.values()], 3),
            compared(
                "Weighted precision, recall, F1",
                [printed[f"weighted_{key}"] for key in mean],
                [one.weighted for one in mean.values()],
                3,
            ),
            tolerance=0.0006,
        ),
        choice(),
    )
