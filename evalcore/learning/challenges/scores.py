"""Challenges of scores: thresholds, curves, and what the area under them ignores."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations

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
from evalcore.learning.challenges.challenge import Asked, Draw, built, challenge, number
from evalcore.learning.questions import Mark, Values, near_point
from evalcore.readers import read_sample
from evalcore.wording import number_text, share_text

Scores = Sequence[float]


@cache
def _tumours() -> ScoredLabels:
    """The scores of the sample of tumours."""
    arrays = read_sample("breast_cancer").scored_arrays("logistic_regression")
    return ScoredLabels.from_arrays(arrays.labels, arrays.scores)


@challenge("reach_both")
def _reach_both(draw: Draw) -> Asked:
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
    lowest = min(kept)
    highest = max(kept)
    wrong = {
        "percent": (lambda typed: typed[0] > 1, (50,)),
        "too high": (lambda typed: rates(typed)[0] < least_recall and rates(typed)[1] >= least_precision, (0.7,)),
        "too low": (lambda typed: rates(typed)[0] >= least_recall and rates(typed)[1] < least_precision, (0.01,)),
    }
    answer = Values(("Threshold",), right, (solution,), highest=100, whole=False, numbers=numbers)
    return built(
        locals(),
        answer,
        wrong,
        settings=lambda typed: {"data": "breast_cancer", "system": "logistic_regression", "t": f"{float(typed[0]):g}"},
    )


@challenge("auc_with_ties")
def _auc_with_ties(draw: Draw) -> Asked:
    book = ((0.95, 0.93, 0.85, 0.53, 0.25), (0.87, 0.85, 0.85, 0.76, 0.43))
    grid = [step / 10 for step in range(1, 10)]
    positive, negative = (sorted((draw.one_of(one, grid) for one in side), reverse=True) for side in book)
    pairs = [(one, other) for one in positive for other in negative]
    wins, ties = sum(one > other for one, other in pairs), sum(one == other for one, other in pairs)
    everything = len(pairs)
    area = roc_auc(ScoredLabels.from_arrays([True] * 5 + [False] * 5, [*positive, *negative]))
    positives, negatives = (", ".join(f"{score:g}" for score in side) for side in (positive, negative))
    wrong = {
        "ties win": (wins + ties) / everything,
        "ties lose": wins / everything,
        "inverted": 1 - area,
        "ties left out": wins / (everything - ties) if everything > ties else math.nan,
    }
    return number(locals(), area, wrong, is_share=False)


def _before_first_alarm(ranks: Scores) -> int:
    """Positives above the best negative, of a list of eight with positives at these ranks."""
    negatives = set(range(1, 9)) - {int(rank) for rank in ranks}
    return sum(rank < min(negatives) for rank in ranks)


def _area(ranks: Scores) -> float:
    """AUC of a list of eight with positives at four ranks."""
    return roc_auc(ScoredLabels.from_arrays([rank in ranks for rank in range(1, 9)], range(8, 0, -1)))


@challenge("same_auc")
def _same_auc(draw: Draw) -> Asked:
    first = draw.one_of(
        (2, 3, 4, 5), ((2, 3, 4, 6), (2, 3, 5, 6), (2, 4, 5, 6), (2, 3, 4, 7), (2, 3, 5, 7), (2, 4, 5, 7))
    )
    area = _area(first)
    lists = combinations(range(1, 9), 4)  # of four positives among eight
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

    found = _before_first_alarm(solution)
    wrong = {
        "same rank twice": (lambda ranks: not distinct(ranks), (1, 2, 2, 8)),
        "better everywhere": (lambda ranks: _area(ranks) > area + 1e-9, (1, 2, 3, 4)),
        "worse on the whole": (lambda ranks: _area(ranks) < area - 1e-9, (5, 6, 7, 8)),
        "not at the top": (lambda ranks: _before_first_alarm(ranks) < 2, first),
    }
    answer = Values(tuple(f"Positive {place}" for place in (1, 2, 3, 4)), right, solution, 1, 8, numbers=numbers)
    return built(locals(), answer, wrong)


@challenge("useless_at_half")
def _useless_at_half(draw: Draw) -> Asked:
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
    wrong = {
        "turned round": (lambda scores: area(scores) == 0, low[::-1]),
        "all the same": (lambda scores: len(set(scores)) == 1, (0.1,) * 6),
        "order": (lambda scores: area(scores) < 1, (0.1, 0.2, 0.3, 0.25, 0.15, 0.05)),
        "works": (lambda scores: float(counts_of(scores).predicted_positives) == 3, (0.9, 0.91, 0.92, 0.1, 0.11, 0.12)),
        "still something": (lambda scores: True, (0.9, 0.2, 0.15, 0.1, 0.05, 0.01)),
    }
    answer = Values(
        ("Positive 1", "Positive 2", "Positive 3", "Negative 1", "Negative 2", "Negative 3"),
        right,
        low,
        highest=1,
        whole=False,
        numbers=numbers,
    )
    return built(locals(), answer, wrong)


@challenge("invert")
def _invert(draw: Draw) -> Asked:
    tpr, fpr = draw.whole(40, 10, 45, 5) / 100, draw.whole(80, 55, 90, 5) / 100

    other_tpr = 1 - tpr
    other_fpr = 1 - fpr
    wrong = {
        "swapped axes": near_point((tpr, fpr)),
        "only TPR": near_point((fpr, 1 - tpr)),
        "only FPR": near_point((1 - fpr, tpr)),
        "unchanged": near_point((fpr, tpr)),
    }
    return built(locals(), Mark(1 - fpr, 1 - tpr, axes=("FPR", "TPR")), wrong)


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


@challenge("macro_precision")
def _macro_precision(draw: Draw) -> Asked:
    matrix = _drawn_matrix(draw)
    mean = averages(matrix, precision)
    right, called = np.diag(matrix.counts), matrix.counts.sum(axis=0)
    parts = " + ".join(f"{hits:g}/{all_:g}" for hits, all_ in zip(right, called, strict=True))
    table = _matrix_text(matrix)
    answer = macro_precision(matrix)
    return number(
        locals(),
        macro_precision(matrix),
        {"recall": macro_recall(matrix), "micro": mean.micro, "weighted": mean.weighted, "f1": macro_f1(matrix)},
    )


@challenge("micro_f1")
def _micro_f1(draw: Draw) -> Asked:
    matrix = _drawn_matrix(draw)
    mean = averages(matrix, f_beta)
    right, everything = float(np.trace(matrix.counts)), float(matrix.counts.sum())
    table = _matrix_text(matrix)
    errors = everything - right
    share = right / everything
    wrong = {
        "macro": mean.macro,
        "errors once": 2 * right / (right + everything),
        "jaccard": right / (right + 2 * (everything - right)),
        "error rate": 1 - right / everything,
    }
    return number(locals(), mean.micro, wrong, percent=False)


@challenge("macro_up_micro_down")
def _macro_up_micro_down(draw: Draw) -> Asked:
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
    micro, worth = right_large + right_small, large / small
    solution_macro, solution_micro = macro(solution), sum(solution)
    wrong = {
        "too many": (lambda right: not fits(right), (large, small + 1)),
        "both up": (
            lambda right: macro(right) > before and sum(right) >= right_large + right_small,
            (right_large, small),
        ),
        "wrong class": (lambda right: macro(right) <= before and right[1] <= right_small, (large, 0)),
        "not enough": (
            lambda right: macro(right) < before + 0.05 and right[1] > right_small,
            (right_large - 3, right_small + 1) if small > 12 else (right_large - large // 10, right_small + 1),
        ),
    }
    answer = Values(("Right in X", "Right in Y"), satisfied, solution, highest=100, numbers=numbers)
    return built(locals(), answer, wrong)
