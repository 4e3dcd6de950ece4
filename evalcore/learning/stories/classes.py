"""Stories of three classes: one class against the rest, and the averages over classes."""

from typing import Any

import numpy as np

from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    accuracy,
    averages,
    f_beta,
    macro_f1,
    macro_precision,
    macro_recall,
    negative_predictive_value,
    overall_accuracy,
    precision,
    recall,
    specificity,
)
from evalcore.learning.questions import Comparison
from evalcore.learning.stories.story import Answers, choice, compared, example, number, story
from evalcore.wording import count_text, number_text

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
        number(
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
