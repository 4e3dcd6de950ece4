"""Challenges of one 2×2 table: its ratios, and their values at another prevalence or with costs."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    cohen_kappa,
    f_beta,
    false_discovery_rate,
    matthews_correlation,
    negative_predictive_value,
    recall,
    specificity,
)
from evalcore.learning.challenges.challenge import Asked, Draw, built, challenge, number
from evalcore.learning.questions import Mark, Values, near_point
from evalcore.registry import find
from evalcore.wording import count_text, share_text, value_text


def table_text(counts: ConfusionCounts) -> str:
    """Markdown of the 2×2 table of a test for an illness, actual classes in rows."""
    tp, fp, fn, tn = (count_text(float(cell)) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    heads = "| | test positive | test negative |\n|---|---:|---:|"
    return f"{heads}\n| **ill** | {tp} | {fn} |\n| **healthy** | {fp} | {tn} |"


def cells_of(counts: ConfusionCounts) -> dict[str, str]:
    """The settings that show these counts on the page of the 2×2 table."""
    return on_page((counts.tp, counts.fp, counts.fn, counts.tn))


def drawn_test(draw: Draw) -> ConfusionCounts:
    """A test of a rare illness; in the textbook, the cancer test."""
    tp, fn = draw.whole(20, 12, 60), draw.whole(10, 4, 30)
    fp, tn = draw.whole(180, 80, 400, 10), draw.whole(1820, 900, 2900, 20)
    return ConfusionCounts(tp, fp, fn, tn)


@challenge("precision")
def _precision(draw: Draw) -> Asked:
    counts = drawn_test(draw)
    tp, alarms = float(counts.tp), float(counts.predicted_positives)
    table = table_text(counts)
    ppv = tp / alarms
    wrong = {
        "recall": float(recall(counts)),
        "complement": float(false_discovery_rate(counts)),
        "accuracy": float(accuracy(counts)),
        "npv": float(negative_predictive_value(counts)),
        "share of all": tp / float(counts.total),
    }
    return number(locals(), ppv, wrong, settings=cells_of(counts))


@challenge("false_positive_rate")
def _false_positive_rate(draw: Draw) -> Asked:
    counts = drawn_test(draw)
    fp, healthy = float(counts.fp), float(counts.actual_negatives)
    table = table_text(counts)
    rate = fp / healthy
    wrong = {
        "specificity": float(specificity(counts)),
        "false discovery rate": float(false_discovery_rate(counts)),
        "share of all": fp / float(counts.total),
        "miss rate": 1 - float(recall(counts)),
    }
    return number(locals(), rate, wrong, tolerance=0.0005, settings=cells_of(counts))


@challenge("ppv_below_half")
def _ppv_below_half(draw: Draw) -> Asked:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 25) / 100
    answer, recall_percent, specificity_percent = fpr / (tpr + fpr), 100 * tpr, 100 * (1 - fpr)
    wrong = {
        "false positive rate": fpr,
        "complement": 1 - answer,
        "specificity for its complement": (1 - fpr) / (1 - fpr + tpr),
        "half": 0.5,
        "misses for hits": fpr / (1 - tpr + fpr),
    }
    return number(
        locals(),
        answer,
        wrong,
        tolerance=0.0015,
        settings=cells_of(ConfusionCounts(1000 * tpr, 1000 * fpr, 1000 - 1000 * tpr, 1000 - 1000 * fpr)),
    )


@challenge("post_test")
def _post_test(draw: Draw) -> Asked:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 20) / 100
    before = draw.whole(10, 4, 30) / 100
    ratio, odds = tpr / fpr, before / (1 - before)
    after = ratio * odds
    recall_percent, specificity_percent, before_percent = 100 * tpr, 100 * (1 - fpr), 100 * before
    not_before, both_odds, probability = 1 - before, 1 + after, after / (1 + after)
    wrong = {
        "odds": after,
        "ratio times probability": ratio * before,
        "probability as odds": ratio * before / (1 + ratio * before),
        "recall": tpr,
        "no test": before,
    }
    return number(locals(), probability, wrong)


@challenge("always_no")
def _always_no(draw: Draw) -> Asked:
    ill, miss, alarm = draw.whole(15, 5, 60), draw.whole(10, 3, 40), draw.whole(1, 1, 5)
    cost = ill * miss
    wrong = {
        "no cost per miss": ill,
        "always yes": (1000 - ill) * alarm,
        "both errors": cost + (1000 - ill) * alarm,
        "per person": cost / 1000,
    }
    return number(
        locals(),
        cost,
        wrong,
        is_share=False,
        tolerance=0.001,
        settings=cells_of(ConfusionCounts(0, 0, ill, 1000 - ill)) | {"miss": str(miss), "alarm": str(alarm)},
    )


@challenge("cost_threshold")
def _cost_threshold(draw: Draw) -> Asked:
    ratio = draw.whole(10, 3, 24)
    answer = 1 / (1 + ratio)
    wrong = {"complement": 1 - answer, "odds": 1 / ratio, "half": 0.5}
    return number(locals(), answer, wrong, percent=False, tolerance=0.001)


Cells = Sequence[float]


def on_page(cells: Sequence[Any]) -> dict[str, str]:
    """The settings that show four cells on the page of the 2×2 table."""
    return {"cells": ",".join(f"{float(cell):g}" for cell in cells)}


def value_of(measure: Callable[[ConfusionCounts], object], cells: Cells) -> float:
    """Compute a measure of four cells; nan where it is undefined."""
    return float(measure(ConfusionCounts(*cells)))  # type: ignore[arg-type]


def built_table(satisfies: Callable[[Cells], bool], solution: Cells, names: Sequence[str]) -> Values:
    """Answer that is a table of four counts with some property; the named measures follow while it is typed."""

    def numbers(cells: Cells) -> list[tuple[str, str]]:
        return [(name, value_text(find(name), value_of(find(name), cells))) for name in names]

    return Values(("TP", "FP", "FN", "TN"), satisfies, solution, highest=1_000_000, numbers=numbers)


@challenge("accuracy_paradox")
def _accuracy_paradox(draw: Draw) -> Asked:
    target = draw.whole(990, 955, 998) / 1000

    def right(cells: Cells) -> bool:
        return value_of(accuracy, cells) >= target - 1e-12 and value_of(recall, cells) == 0

    wrong = {
        "no positives": (lambda cells: cells[0] + cells[2] == 0, (0, 0, 0, 1000)),
        "hits left": (lambda cells: cells[0] > 0, (1, 0, 9, 9990)),
        "false alarms": (lambda cells: cells[1] >= cells[2], (0, 500, 10, 9490)),
        "balanced": (lambda cells: cells[3] < 9 * cells[2], (0, 0, 50, 50)),
    }
    answer = built_table(right, (0, 0, 10, 9990), ("Accuracy", "Recall", "Precision"))
    return built(locals(), answer, wrong, settings=on_page)


@challenge("kappa_paradox")
def _kappa_paradox(draw: Draw) -> Asked:
    target = draw.whole(90, 84, 96) / 100
    misses = round(1000 * (1 - target)) // 2
    both_no = max(1, round(misses**2 / (1000 - 2 * misses)))
    both_yes = 1000 - 2 * misses - both_no

    def right(cells: Cells) -> bool:
        return value_of(accuracy, cells) >= target - 1e-12 and abs(value_of(cohen_kappa, cells)) <= 0.05

    percent = 100 * target
    agreements = 1000 - 2 * misses
    wrong = {
        "one class only": (lambda cells: math.isnan(value_of(cohen_kappa, cells)), (100, 0, 0, 0)),
        "balanced": (lambda cells: value_of(cohen_kappa, cells) > 0.05, (470, 30, 30, 470)),
        "opposites": (lambda cells: value_of(cohen_kappa, cells) < -0.05, (10, 45, 45, 0)),
        "too few agreements": (lambda cells: value_of(accuracy, cells) < target, (25, 25, 25, 25)),
    }
    answer = built_table(right, (both_yes, misses, misses, both_no), ("Accuracy", "Cohen's kappa"))
    return built(locals(), answer, wrong, settings=on_page)


@challenge("f1_without_mcc")
def _f1_without_mcc(draw: Draw) -> Asked:
    target = draw.whole(90, 80, 96) / 100

    def right(cells: Cells) -> bool:
        return value_of(f_beta, cells) >= target - 1e-12 and value_of(matthews_correlation, cells) <= 0.1

    wrong = {
        "undefined": (lambda cells: math.isnan(value_of(matthews_correlation, cells)), (950, 50, 0, 0)),
        "good test": (lambda cells: value_of(f_beta, cells) >= target, (950, 20, 20, 950)),
        "rare positives": (lambda cells: cells[0] + cells[2] <= cells[1] + cells[3], (10, 10, 10, 100)),
        "too many errors": (lambda cells: cells[0] < 5 * (cells[1] + cells[2]), (50, 30, 15, 2)),
    }
    return built(locals(), built_table(right, (970, 15, 15, 0), ("F1", "MCC", "Accuracy")), wrong, settings=on_page)


@challenge("simpson")
def _simpson(draw: Draw) -> Asked:
    easy_a, hard_a = draw.whole(93, 90, 96), draw.whole(73, 66, 76)
    easy_b, hard_b = draw.whole(87, 82, 89), draw.whole(69, 55, 65)

    def overall(share: float, easy: int, hard: int) -> float:
        return (share * easy + (100 - share) * hard) / 1e4

    def gap(mix: Cells) -> float:
        return overall(mix[1], easy_b, hard_b) - overall(mix[0], easy_a, hard_a)

    def numbers(mix: Cells) -> list[tuple[str, str]]:
        return [
            ("Recall of A", share_text(overall(mix[0], easy_a, hard_a))),
            ("Recall of B", share_text(overall(mix[1], easy_b, hard_b))),
        ]

    names = ("Easy cases of A", "Easy cases of B")
    recall_a = overall(10, easy_a, hard_a)
    recall_b = overall(90, easy_b, hard_b)
    wrong = {
        "same mix": (lambda mix: mix[0] == mix[1], (50, 50)),
        "wrong way": (lambda mix: mix[0] > mix[1], (90, 10)),
        "not enough": (lambda mix: gap(mix) < 0.05, (50, 60)),
    }
    answer = Values(names, lambda mix: gap(mix) >= 0.05 - 1e-12, (10, 90), highest=100, numbers=numbers)
    return built(locals(), answer, wrong)


@challenge("random_test")
def _random_test(draw: Draw) -> Asked:
    share = draw.one_of(30, (15, 20, 25, 35, 70, 75, 80)) / 100
    ill = draw.one_of(20, (10, 30)) / 100
    axes = ("FPR", "TPR")

    ill_percent = 100 * ill
    share_percent = 100 * share
    wrong = {
        "complement": near_point((share, 1 - share)),
        "shares of all": near_point((share * (1 - ill), share * ill)),
        "middle": near_point((0.5, 0.5)),
        "corner": near_point((0, 0)),
        "swapped classes": near_point((1 - share, share)),
    }
    return built(locals(), Mark(share, share, axes=axes), wrong)
