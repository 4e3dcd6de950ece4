"""Challenges of several classes: what the averages over classes weigh."""

from collections.abc import Sequence

import numpy as np

from evalcore.classification import (
    ConfusionMatrix,
    averages,
    f_beta,
    macro_f1,
    macro_precision,
    macro_recall,
    precision,
)
from evalcore.learning.challenges.challenge import Draw, challenge, number_question
from evalcore.learning.questions import Misconception, Question, Values
from evalcore.wording import number_text, share_text

NAMES = ("cat", "fish", "hen")


def _drawn_matrix(draw: Draw) -> ConfusionMatrix:
    """Three classes, actual ones in rows; in the textbook, the matrix of cats, fish and hens."""
    book = ((4, 1, 1), (6, 2, 2), (3, 0, 6))
    return ConfusionMatrix(NAMES, np.array([[draw.whole(cell, 0, 9) for cell in row] for row in book], dtype=float))


def _matrix_text(matrix: ConfusionMatrix) -> str:
    rows = (
        f"| **actual {name}** | " + " | ".join(f"{cell:g}" for cell in row) + " |"
        for name, row in zip(matrix.classes, matrix.counts, strict=True)
    )
    heads = " | ".join(f"predicted {name}" for name in matrix.classes)
    return f"| | {heads} |\n|---|---:|---:|---:|\n" + "\n".join(rows)


@challenge("macro_precision", "Macro precision from a matrix", "classes")
def _macro_precision(draw: Draw) -> Question:
    matrix = _drawn_matrix(draw)
    mean = averages(matrix, precision)
    right, called = np.diag(matrix.counts), matrix.counts.sum(axis=0)
    parts = " + ".join(f"{hits:g}/{all_:g}" for hits, all_ in zip(right, called, strict=True))
    return number_question(
        f"Three classes:\n\n{_matrix_text(matrix)}\n\nWhat is the **macro precision**?",
        macro_precision(matrix),
        [
            ("recall", macro_recall(matrix),
             "You divided by the rows: that is the macro *recall*. Precision looks at what was predicted to be a "
             "class."),
            ("micro", mean.micro,
             "You pooled the classes first: that is the micro average. Macro takes the precision of each class, then "
             "their mean."),
            ("weighted", mean.weighted,
             "You weighted the classes by their sizes. In the macro average each class counts the same."),
            ("f1", macro_f1(matrix), "That is the macro F1. Precision does not look at what was missed."),
        ],
        f"Column by column, the diagonal over the column’s sum: ({parts}) / 3 = {share_text(macro_precision(matrix))}.",
        page="classify/classes",
        settings={"data": "cat_fish_hen"},
    )  # fmt: skip


@challenge("micro_f1", "Micro F1, and what else it is", "classes")
def _micro_f1(draw: Draw) -> Question:
    matrix = _drawn_matrix(draw)
    mean = averages(matrix, f_beta)
    right, everything = float(np.trace(matrix.counts)), float(matrix.counts.sum())
    return number_question(
        f"Three classes, one label per row:\n\n{_matrix_text(matrix)}\n\nWhat is the **micro F1**?",
        mean.micro,
        [
            ("macro", mean.macro,
             "That is the macro F1, the mean over classes. Micro adds up TP, FP and FN of all classes first."),
            ("errors once", 2 * right / (right + everything),
             "Add up again: each error is an FP of one class and an FN of another."),
            ("jaccard", right / (right + 2 * (everything - right)),
             "You left out the factor 2 of the true positives: that is the Jaccard index of the pooled counts."),
            ("error rate", 1 - right / everything,
             "That is the share of the wrong rows. F1 rises with the right ones."),
        ],
        f"{right:g} rows are right, and each of the {everything - right:g} errors is one FP and one FN: "
        f"2·{right:g} / (2·{right:g} + {everything - right:g} + {everything - right:g}) = {right:g}/{everything:g} = "
        f"{share_text(right / everything)}. With one label per row, micro F1 is the accuracy.",
        page="classify/classes",
        settings={"data": "cat_fish_hen"},
    )  # fmt: skip


@challenge("macro_up_micro_down", "Macro up, micro down", "classes")
def _macro_up_micro_down(draw: Draw) -> Question:
    large = draw.whole(90, 75, 94)
    small = 100 - large
    right_large, right_small = draw.whole(81, 60, 70), draw.whole(2, 1, 3)

    def fits(right: Sequence[float]) -> bool:
        return right[0] <= large and right[1] <= small

    def macro(right: Sequence[float]) -> float:
        return (right[0] / large + right[1] / small) / 2

    before = macro((right_large, right_small))

    def satisfied(right: Sequence[float]) -> bool:
        return fits(right) and macro(right) >= before + 0.05 - 1e-12 and sum(right) < right_large + right_small

    def numbers(right: Sequence[float]) -> list[tuple[str, str]]:
        if not fits(right):
            return [("Rows", f"at most {large} and {small}")]
        return [("Macro recall", share_text(macro(right))), ("Micro recall", share_text(sum(right) / 100))]

    solution = (right_large - (small - right_small) - 1, small)
    return Question(
        f"Of 100 rows, {large} are of class X and {small} of class Y. System A gets {right_large} of X and "
        f"{right_small} of Y right: macro recall {share_text(before)}, micro recall {right_large + right_small} %. "
        "How many of each does a system B get right if its **macro recall is at least 5 points higher** and its "
        "**micro recall lower**?",
        Values(("Right in X", "Right in Y"), satisfied, solution, highest=100, numbers=numbers),
        (
            Misconception(
                "too many", lambda right: not fits(right),
                f"There are {large} rows of X and {small} of Y; no more can be right.",
                (large, small + 1),
            ),
            Misconception(
                "both up", lambda right: macro(right) > before and sum(right) >= right_large + right_small,
                "Macro is up, but so is micro, or it stays: B gets no fewer rows right. Which class can lose many rows "
                "at little cost to macro?",
                (right_large, small),
            ),
            Misconception(
                "wrong class", lambda right: macro(right) <= before and right[1] <= right_small,
                "Macro did not rise. One row of which class moves the macro recall most?",
                (large, 0),
            ),
            Misconception(
                "not enough", lambda right: macro(right) < before + 0.05 and right[1] > right_small,
                "The right class gains, but macro does not rise by 5 points.",
                (right_large - 3, right_small + 1) if small > 12 else (right_large - large // 10, right_small + 1),
            ),
        ),
        f"B gets {solution[0]} of X and all {small} of Y right: macro ({solution[0]}/{large} + 1) / 2 = "
        f"{share_text(macro(solution))}, micro {sum(solution)} %. One row of Y moves macro as much as "
        f"{number_text(large / small)} rows of X.",
        "classify/classes", {"data": "woman_man_child"},
    )  # fmt: skip
