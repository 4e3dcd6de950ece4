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
from evalcore.learning.questions import Comparison, Step
from evalcore.learning.stories.story import Steps, choose, compared, example, story, work_out
from evalcore.wording import count_text, number_text, share_text

_PAGE = "classify/classes"
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


@story("woman-man-child", "Woman, man, child", "Classes", "For which class does the method struggle?")
def _people() -> Steps:
    worked = example("woman-man-child")
    matrix, state = _matrix(worked["input"]), {"data": "woman_man_child"}
    each = matrix.one_vs_rest()
    one = {name: each[index] for index, name in enumerate(matrix.classes)}
    w, c = one["Woman"], one["Child"]
    p, r, right = (float(measure(w)) for measure in (precision, recall, accuracy))
    overall = float(overall_accuracy(matrix))
    women, called, tp = (count_text(float(x)) for x in (w.actual_positives, w.predicted_positives, w.tp))
    return (
        Step(
            "Which way to divide?",
            f"Images of 100 people are sorted into woman, man and child. {women} show a woman; {called} are called a "
            f"woman, {tp} of them correctly. In the printed table a row is what was predicted, a column what is true.",
            work_out(
                "What is the recall of the class woman?", r, f"{tp} of {women}: {share_text(r)}.",
                ("precision", p, "You divided along the row. Here a row is what was predicted; recall divides by the "
                                 "column."),
                ("of everyone", float(w.tp) / 100, "You divided by all images. Recall divides by the women."),
                ("accuracy", right, "That is the accuracy of woman against the rest, in which everyone else counts "
                                    "too."),
            ),
            "Some authors write actual classes in rows, others in columns. Before you divide, read what the rows are.",
            _PAGE, state | {"class": "Woman"}, _of_class(worked, "Woman", w, " ".join(worked["errata"])),
            measure="recall",
        ),
        Step(
            "A high number",
            f"Woman against the rest is right for {share_text(right)} of the images, child against the rest for "
            f"{share_text(float(accuracy(c)))}.",
            choose(
                "Why is it so high for women, if a third of them is missed?",
                "most images show no woman, and those are easy",
                {
                    "because precision is high": f"Only {share_text(p)} of those called a woman are one.",
                    "because the three classes are averaged": "No average is taken: it is woman against everything "
                                                              "else.",
                },
                f"{count_text(float(w.tn))} of the {count_text(float(w.tp + w.tn))} right answers are true negatives.",
                at=1,
            ),
            "A small class against the rest has many negatives. Its accuracy says little; look at precision and "
            "recall.",
            _PAGE, state | {"class": "Woman"},
            measure="accuracy",
        ),
        Step(
            "Who is hard to recognise?",
            f"In all, {share_text(overall)} of the images are right.",
            choose(
                "For which class does the method struggle most?", "woman",
                {
                    "child": f"Children are the largest class: {share_text(float(recall(c)))} of them are found. "
                             f"Divide the errors by the size of the class.",
                    "man": f"{share_text(float(recall(one['Man'])))} of the men are found. Is there a class that "
                           f"does worse?",
                    "none: all are at 85 % or more": "That is true of the accuracies, which the true negatives lift.",
                },
                f"Recall is {share_text(r)} for women, {share_text(float(recall(one['Man'])))} for men and "
                f"{share_text(float(recall(c)))} for children.", at=2,
            ),
            "One number for all classes follows the largest of them, here the children.",
            _PAGE, state | {"class": "Child"},
            (compared("Accuracy, all classes", worked["printed"]["accuracy"], overall), *_of_class(worked, "Child", c)),
            measure="recall",
        ),
    )  # fmt: skip


@story("cat-fish-hen", "Cat, fish, hen", "Classes", "Micro or macro?")
def _animals() -> Steps:
    worked = example("cat-fish-hen")
    matrix, state, printed = _matrix(worked["input"]), {"data": "cat_fish_hen"}, worked["printed"]
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
    return (
        Step(
            "One class",
            f"A classifier sees {count_text(animals)} animals. It calls {count_text(float(cat.predicted_positives))} "
            f"a cat, {count_text(float(cat.tp))} of them correctly; there are "
            f"{count_text(float(cat.actual_positives))} cats.",
            work_out(
                "What is the precision of the class cat?", precision(cat),
                f"{count_text(float(cat.tp))} of {count_text(float(cat.predicted_positives))}: "
                f"{share_text(float(precision(cat)))}.",
                ("recall", recall(cat), "You divided by the cats. Precision divides by the animals that were called "
                                        "a cat."),
                ("of all", float(cat.tp) / animals, "You divided by all animals. Precision divides by those called a "
                                                    "cat."),
                ("F1", f_beta(cat), "That is F1 of the class."),
            ),
            "With several classes, each has its own precision and recall: one class against the rest.",
            _PAGE, state | {"class": "Cat"},
            (*_of_class(worked, "Cat", cat, worked["errata"][0]), *_of_class(worked, "Fish", one["Fish"]),
                *_of_class(worked, "Hen", one["Hen"])),
        ),
        Step(
            "Micro",
            f"The micro average adds up the counts of all classes first. {count_text(right)} of "
            f"{count_text(animals)} animals are recognised.",
            work_out(
                "What is the micro-averaged precision?", micro,
                f"{count_text(right)} of {count_text(animals)}: {share_text(micro)}.",
                ("macro", macro["precision"], "That is the mean of the three precisions, the macro average. Add up "
                                              "the counts first."),
                ("weighted", float(mean["precision"].weighted), "That is the mean weighted by the size of the "
                                                                "classes. Add up the counts first."),
                ("complement", 1 - micro, "That is the share of errors."),
            ),
            "If every animal has one label, each error is a false positive of one class and a false negative of "
            "another. Micro precision, micro recall and accuracy are then the same number.",
            _PAGE, state,
            (
                compared("Micro precision, recall", [printed["micro_precision"], printed["micro_recall"]],
                    [micro, mean["recall"].micro], 2),
            ),
        ),
        Step(
            "Macro",
            "The macro average gives every class the same weight.",
            work_out(
                "What is macro F1? (to three decimals)", macro["f1"], f"({f1s}) / 3 = {number_text(macro['f1'])}.",
                ("F1 of the means", of_means, "That is F1 of macro precision and macro recall. Take F1 of each "
                                              "class, then the mean."),
                ("micro", micro, "That is the micro average."),
                ("weighted", weighted, "That is weighted by the size of the classes. Macro gives each the same "
                                       "weight."),
                tolerance=0.0006,
            ),
            "Both ways of computing macro F1 are in use, and they differ. A report should say which; here it is the "
            "mean of "
            "the F1s.",
            _PAGE, state,
            (
                compared("Macro precision, recall, F1", [printed[f"macro_{key}"] for key in macro], [*macro.values()],
                    3),
                compared("Weighted precision, recall, F1", [printed[f"weighted_{key}"] for key in mean],
                    [one.weighted for one in mean.values()], 3),
            ),
        ),
        Step(
            "Which average hides a rare class?",
            "Suppose a thousand hens are added, all recognised, and nothing changes for cats and fish.",
            choose(
                "Which average will hardly show how badly fish are recognised?", "micro",
                {
                    "macro": "Macro gives fish one third of the weight, however few there are.",
                    "both alike": "One of them gives each class the same weight, the other each animal.",
                },
                "Nearly all animals are then hens, and the micro average follows them.", at=0,
            ),
            "Micro answers for the animals, macro for the classes. Decide first whose mistakes matter.",
            _PAGE, state | {"class": "Fish"},
            measure="recall",
        ),
    )  # fmt: skip
