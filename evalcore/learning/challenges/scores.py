"""Challenges of scores: thresholds, curves, and what the area under them ignores."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    ScoredLabels,
    averages,
    f_beta,
    macro_f1,
    macro_precision,
    macro_recall,
    precision,
    roc_auc,
)
from evalcore.learning.challenges.challenge import Draw, built_question, challenge, near_point, number_question
from evalcore.learning.questions import Mark, Question, Values
from evalcore.readers import read_sample
from evalcore.wording import number_text, share_text

Scores = Sequence[float]


@cache
def _tumours() -> ScoredLabels:
    """The scores of the sample of tumours."""
    arrays = read_sample("breast_cancer").scored_arrays("logistic_regression")
    return ScoredLabels.from_arrays(arrays.labels, arrays.scores)


@challenge("reach_both", "Recall and precision at once", "scores")
def _reach_both(draw: Draw) -> Question:
    # the usual guess of ½ meets none of them
    least_recall, least_precision = draw.one_of((0.9, 0.6), ((0.95, 0.85), (0.94, 0.95), (0.92, 0.97), (0.97, 0.9)))
    scored = _tumours()
    positives = float(scored.counts_at(-math.inf).tp)

    def rates(typed: Scores) -> tuple[float, float]:
        counts = scored.counts_at(float(typed[0]))
        alarms = float(counts.predicted_positives)
        return float(counts.tp) / positives, float(counts.tp) / alarms if alarms else math.nan

    def right(typed: Scores) -> bool:
        recall, precision = rates(typed)
        return recall >= least_recall and precision >= least_precision

    def numbers(typed: Scores) -> list[tuple[str, str]]:
        counts = scored.counts_at(float(typed[0]))
        return [("Called malignant", f"{float(counts.predicted_positives):g} of 569")]

    table = scored.table()
    kept = [float(one) for one in table.thresholds[1:] if right((float(one),))]
    solution = sorted(kept)[len(kept) // 2]
    recall, precision = rates((solution,))
    return built_question(
        "A model scores 569 tumours from 0 to 1; a tumour is called malignant when its score is at or above the "
        f"threshold. Find a threshold with **recall at least {least_recall:g}** and **precision at least "
        f"{least_precision:g}**. The data are *Breast cancer: two models*, system *logistic_regression*: check a first "
        "guess, then look at it on the *Threshold* page.",
        Values(("Threshold",), right, (solution,), highest=100, whole=False, numbers=numbers),
        (
            ("percent", lambda typed: typed[0] > 1, "The scores lie between 0 and 1. Above 1, nothing is called "
             "malignant: recall is 0 and precision undefined.", (50,)),
            ("too high", lambda typed: rates(typed)[0] < least_recall and rates(typed)[1] >= least_precision,
             "Precision holds, but too many malignant tumours are missed. Which way does recall rise?", (0.7,)),
            ("too low", lambda typed: rates(typed)[0] >= least_recall and rates(typed)[1] < least_precision,
             "Recall holds, but too many of the alarms are benign. Which way do alarms become fewer?", (0.01,)),
        ),
        f"At {solution:g}, recall is {share_text(recall)} and precision {share_text(precision)}. Thresholds from "
        f"{min(kept):g} to {max(kept):g} hold both.",
        "classify/threshold",
        lambda typed: {"data": "breast_cancer", "system": "logistic_regression", "t": f"{float(typed[0]):g}"},
    )  # fmt: skip


@challenge("auc_with_ties", "The AUC by hand, with ties", "scores")
def _auc_with_ties(draw: Draw) -> Question:
    book = ((0.95, 0.93, 0.85, 0.53, 0.25), (0.87, 0.85, 0.85, 0.76, 0.43))
    grid = [step / 10 for step in range(1, 10)]
    positive, negative = (sorted((draw.one_of(one, grid) for one in side), reverse=True) for side in book)
    pairs = [(one, other) for one in positive for other in negative]
    wins, ties = sum(one > other for one, other in pairs), sum(one == other for one, other in pairs)
    everything = len(pairs)
    area = roc_auc(ScoredLabels.from_arrays([True] * 5 + [False] * 5, [*positive, *negative]))
    lists = (", ".join(f"{score:g}" for score in side) for side in (positive, negative))
    return number_question(
        "Scores of the positives: {}. Scores of the negatives: {}. What is the **area under the ROC curve**? Count "
        "over pairs of a positive and a negative.".format(*lists),
        area,
        [
            ("ties win", (wins + ties) / everything,
             "You counted a tie as a win. A tied pair is in neither order."),
            ("ties lose", wins / everything,
             "You counted a tie as a loss. A tied pair is in neither order."),
            ("inverted", 1 - area,
             "You counted the pairs in which the *negative* scores higher. The AUC asks for the positive."),
            ("ties left out", wins / (everything - ties) if everything > ties else math.nan,
             "You left the tied pairs out. They stay in the denominator."),
        ],
        f"{wins} of {everything} pairs have the higher positive, {ties} are tied and count ½: ({wins} + {ties}/2) / "
        f"{everything} = {number_text(area)}.",
        is_share=False,
        page="classify/curves",
        settings={"data": "roc_ties_10"},
    )  # fmt: skip


def _before_first_alarm(ranks: Scores) -> int:
    """Positives above the best negative, of a list of eight with positives at these ranks."""
    negatives = set(range(1, 9)) - {int(rank) for rank in ranks}
    return sum(rank < min(negatives) for rank in ranks)


def _area(ranks: Scores) -> float:
    """AUC of a list of eight with positives at four ranks."""
    return roc_auc(ScoredLabels.from_arrays([rank in ranks for rank in range(1, 9)], range(8, 0, -1)))


@challenge("same_auc", "Same AUC, other winner", "scores")
def _same_auc(draw: Draw) -> Question:
    first = draw.one_of(
        (2, 3, 4, 5), ((2, 3, 4, 6), (2, 3, 5, 6), (2, 4, 5, 6), (2, 3, 4, 7), (2, 3, 5, 7), (2, 4, 5, 7))
    )
    area = _area(first)
    # every list of four positives among eight
    lists = [
        (a, b, c, d) for a in range(1, 9) for b in range(a + 1, 9) for c in range(b + 1, 9) for d in range(c + 1, 9)
    ]  # fmt: skip
    solution = next(one for one in lists if math.isclose(_area(one), area) and _before_first_alarm(one) >= 2)

    def distinct(ranks: Scores) -> bool:
        return len(set(ranks)) == 4

    def right(ranks: Scores) -> bool:
        return distinct(ranks) and math.isclose(_area(ranks), area) and _before_first_alarm(ranks) >= 2

    def numbers(ranks: Scores) -> list[tuple[str, str]]:
        if not distinct(ranks):
            return [("AUC", "four different ranks")]
        found = _before_first_alarm(ranks)
        return [("AUC", number_text(_area(ranks))), ("Recall before the first false alarm", share_text(found / 4))]

    listed = ", ".join(map(str, first))
    return built_question(
        f"Eight cases are sorted by score, four of them positive. System A has the positives at ranks {listed}: AUC "
        f"{number_text(area)}, and the first case is a false alarm. Where are the positives of a system B that has "
        "**the same AUC** and finds **at least two of the four before its first false alarm**?",
        Values(tuple(f"Positive {place}" for place in (1, 2, 3, 4)), right, solution, 1, 8, numbers=numbers),
        (
            ("same rank twice", lambda ranks: not distinct(ranks),
             "Two positives have the same rank. Give four different ranks.", (1, 2, 2, 8)),
            ("better everywhere", lambda ranks: _area(ranks) > area + 1e-9,
             "B is better on the whole too: its AUC is higher. What it gains at the top it has to lose further down.",
             (1, 2, 3, 4)),
            ("worse on the whole", lambda ranks: _area(ranks) < area - 1e-9,
             "B’s AUC is lower. Move positives up until the areas are the same.", (5, 6, 7, 8)),
            ("not at the top", lambda ranks: _before_first_alarm(ranks) < 2,
             "The areas are the same, but B alarms too early. Its best two cases have to be positive.", first),
        ),
        f"Positives at ranks {', '.join(map(str, solution))}: the areas are equal, and {_before_first_alarm(solution)} "
        "of 4 are found at a false positive rate of 0. The AUC does not say where on the curve a system is good.",
        "classify/curves", {"data": "crossing_curves"},
    )  # fmt: skip


@challenge("useless_at_half", "A perfect AUC, a useless threshold", "scores")
def _useless_at_half(draw: Draw) -> Question:
    cut = draw.one_of(50, (30, 40, 45, 55, 60, 70)) / 100

    def scored(scores: Scores) -> ScoredLabels:
        return ScoredLabels.from_arrays([True] * 3 + [False] * 3, scores)

    def counts_of(scores: Scores) -> ConfusionCounts:
        return scored(scores).counts_at(cut)

    def area(scores: Scores) -> float:
        return roc_auc(scored(scores))

    def right(scores: Scores) -> bool:
        return area(scores) == 1 and float(counts_of(scores).predicted_positives) in (0, 6)

    def numbers(scores: Scores) -> list[tuple[str, str]]:
        counts = counts_of(scores)
        return [
            ("AUC", number_text(area(scores))),
            (f"Called positive at {cut:g}", f"{float(counts.predicted_positives):g}"),
        ]

    low = [round(cut * share, 3) for share in (0.9, 0.8, 0.7, 0.3, 0.2, 0.1)]
    return built_question(
        "Give six scores from 0 to 1, three of positives and three of negatives, with an **AUC of 1**, such that the "
        f"threshold **{cut:g}** separates nobody: all six cases get the same answer.",
        Values(
            ("Positive 1", "Positive 2", "Positive 3", "Negative 1", "Negative 2", "Negative 3"), right, low, highest=1,
            whole=False, numbers=numbers,
        ),
        (
            ("turned round", lambda scores: area(scores) == 0,
             "The negatives have the higher scores: the AUC is 0. A high score has to speak for the positive class.",
             low[::-1]),
            ("all the same", lambda scores: len(set(scores)) == 1,
             "Equal scores separate nobody at *any* threshold: the AUC is ½. The order has to be perfect.", (0.1,) * 6),
            ("order", lambda scores: area(scores) < 1, "The order is not perfect: a negative scores as high as a "
             "positive, or higher.", (0.1, 0.2, 0.3, 0.25, 0.15, 0.05)),
            ("works", lambda scores: float(counts_of(scores).predicted_positives) == 3,
             f"The order is perfect, and the threshold {cut:g} separates it perfectly. What changes the scores but not "
             "their order?", (0.9, 0.91, 0.92, 0.1, 0.11, 0.12)),
            ("still something", lambda scores: True, "The AUC is 1, but some cases get another answer than the rest. "
             "Move all of them to one side.", (0.9, 0.2, 0.15, 0.1, 0.05, 0.01)),
        ),
        f"All scores lie below {cut:g}, the positives above the negatives: every pair is in order (AUC 1), and nobody "
        "is called positive. The AUC looks at the order alone, a threshold at the values.",
    )  # fmt: skip


@challenge("invert", "A test that is worse than chance", "scores")
def _invert(draw: Draw) -> Question:
    tpr, fpr = draw.whole(40, 10, 45, 5) / 100, draw.whole(80, 55, 90, 5) / 100

    return built_question(
        f"A method has a true positive rate of {tpr:g} and a false positive rate of {fpr:g}: worse than chance. "
        "Somebody uses it **the other way round**, calling positive what it calls negative. Where is it now in ROC "
        "space?",
        Mark(1 - fpr, 1 - tpr, axes=("FPR", "TPR")),
        (
            near_point(
                "swapped axes", (tpr, fpr),
                "You swapped the two rates. Reversing the answers replaces each rate by its complement.",
            ),
            near_point(
                "only TPR", (fpr, 1 - tpr),
                "The true positive rate is right. The healthy get the opposite answer, too.",
            ),
            near_point(
                "only FPR", (1 - fpr, tpr), "The false positive rate is right. The ill get the opposite answer, too.",
            ),
            near_point("unchanged", (fpr, tpr), "That is where the method is now."),
        ),
        f"Everybody gets the opposite answer: TPR 1 − {tpr:g} = {1 - tpr:g}, FPR 1 − {fpr:g} = {1 - fpr:g}. The point "
        "is reflected at (½, ½) and lies above the diagonal.",
        "classify/curves", {"data": "four_methods"},
    )  # fmt: skip


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
        f"Three classes:\n\n{_matrix_text(matrix)}\n\nWhat is the **macro precision**?", macro_precision(matrix),
        [
            ("recall", macro_recall(matrix), "You divided by the rows: that is the macro *recall*. Precision looks at "
             "what was predicted to be a class."),
            ("micro", mean.micro, "You pooled the classes first: that is the micro average. Macro takes the precision "
             "of each class, then their mean."),
            ("weighted", mean.weighted, "You weighted the classes by their sizes. In the macro average each class "
             "counts the same."),
            ("f1", macro_f1(matrix), "That is the macro F1. Precision does not look at what was missed."),
        ],
        f"Column by column, the diagonal over the column’s sum: ({parts}) / 3 = {share_text(macro_precision(matrix))}.",
        page="classify/classes", settings={"data": "cat_fish_hen"},
    )  # fmt: skip


@challenge("micro_f1", "Micro F1, and what else it is", "classes")
def _micro_f1(draw: Draw) -> Question:
    matrix = _drawn_matrix(draw)
    mean = averages(matrix, f_beta)
    right, everything = float(np.trace(matrix.counts)), float(matrix.counts.sum())
    return number_question(
        f"Three classes, one label per row:\n\n{_matrix_text(matrix)}\n\nWhat is the **micro F1**?", mean.micro,
        [
            ("macro", mean.macro, "That is the macro F1, the mean over classes. Micro adds up TP, FP and FN of all "
             "classes first."),
            ("errors once", 2 * right / (right + everything),
             "Add up again: each error is an FP of one class and an FN of another."),
            ("jaccard", right / (right + 2 * (everything - right)),
             "You left out the factor 2 of the true positives: that is the Jaccard index of the pooled counts."),
            ("error rate", 1 - right / everything, "That is the share of the wrong rows. F1 rises with the right "
             "ones."),
        ],
        f"{right:g} rows are right, and each of the {everything - right:g} errors is one FP and one FN: 2·{right:g} / "
        f"(2·{right:g} + {everything - right:g} + {everything - right:g}) = {right:g}/{everything:g} = "
        f"{share_text(right / everything)}. With one label per row, micro F1 is the accuracy.",
        page="classify/classes", settings={"data": "cat_fish_hen"},
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
    return built_question(
        f"Of 100 rows, {large} are of class X and {small} of class Y. System A gets {right_large} of X and "
        f"{right_small} of Y right: macro recall {share_text(before)}, micro recall {right_large + right_small} %. How "
        "many of each does a system B get right if its **macro recall is at least 5 points higher** and its **micro "
        "recall lower**?",
        Values(("Right in X", "Right in Y"), satisfied, solution, highest=100, numbers=numbers),
        (
            ("too many", lambda right: not fits(right), f"There are {large} rows of X and {small} of Y; no more can be "
             "right.", (large, small + 1)),
            ("both up", lambda right: macro(right) > before and sum(right) >= right_large + right_small,
             "Macro is up, but so is micro, or it stays: B gets no fewer rows right. Which class can lose many rows at "
             "little cost to macro?", (right_large, small)),
            ("wrong class", lambda right: macro(right) <= before and right[1] <= right_small,
             "Macro did not rise. One row of which class moves the macro recall most?", (large, 0)),
            ("not enough", lambda right: macro(right) < before + 0.05 and right[1] > right_small,
             "The right class gains, but macro does not rise by 5 points.",
             (right_large - 3, right_small + 1) if small > 12 else (right_large - large // 10, right_small + 1)),
        ),
        f"B gets {solution[0]} of X and all {small} of Y right: macro ({solution[0]}/{large} + 1) / 2 = "
        f"{share_text(macro(solution))}, micro {sum(solution)} %. One row of Y moves macro as much as "
        f"{number_text(large / small)} rows of X.",
        "classify/classes", {"data": "woman_man_child"},
    )  # fmt: skip
