"""The definitions of the measures as a textbook writes them: slow, exact and obvious.

Counts and weights are fractions. A measure of counts is a function of TP, FP, FN, TN; a measure of scores is a function
of rows (is positive, score, weight). What is undefined raises `Undefined`.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

Number = Fraction | float
Row = tuple[bool, float, Fraction]
Cells = tuple[Fraction, Fraction, Fraction, Fraction]


class Undefined(ArithmeticError):
    """0/0."""


def over(numerator: Number, denominator: Number) -> Number:
    if denominator == 0:
        if numerator == 0:
            raise Undefined
        return math.inf
    return numerator / denominator


def value_or_nan(definition: Callable[..., Number], *arguments, **parameters) -> float:
    try:
        return float(definition(*arguments, **parameters))
    except Undefined:
        return math.nan


def tpr(tp, fp, fn, tn):
    return over(tp, tp + fn)


def tnr(tp, fp, fn, tn):
    return over(tn, fp + tn)


def ppv(tp, fp, fn, tn):
    return over(tp, tp + fp)


def npv(tp, fp, fn, tn):
    return over(tn, fn + tn)


def acc(tp, fp, fn, tn):
    return over(tp + tn, tp + fp + fn + tn)


def prev(tp, fp, fn, tn):
    return over(tp + fn, tp + fp + fn + tn)


def f_beta(tp, fp, fn, tn, beta=1):
    square = Fraction(beta) ** 2
    return over((1 + square) * tp, (1 + square) * tp + square * fn + fp)


def mcc(tp, fp, fn, tn):
    margins = (tp + fp) * (fn + tn) * (tp + fn) * (fp + tn)
    return over(tp * tn - fp * fn, math.sqrt(margins))


def kappa(tp, fp, fn, tn):
    n = tp + fp + fn + tn
    expected = over((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
    return over(acc(tp, fp, fn, tn) - expected, 1 - expected)


def lr_positive(*cells):
    return over(tpr(*cells), 1 - tnr(*cells))


def lr_negative(*cells):
    return over(1 - tpr(*cells), tnr(*cells))


def cost(tp, fp, fn, tn, fp_cost=1, fn_cost=1, tp_cost=0, tn_cost=0):
    prices = (Fraction(price) for price in (tp_cost, fp_cost, fn_cost, tn_cost))
    return over(sum(price * cell for price, cell in zip(prices, (tp, fp, fn, tn), strict=True)), tp + fp + fn + tn)


def net_benefit(tp, fp, fn, tn, probability=0.5):
    risk = Fraction(probability)
    return over(tp - risk / (1 - risk) * fp, tp + fp + fn + tn)


OF_COUNTS: dict[str, Callable[..., Number]] = {
    "recall": tpr,
    "specificity": tnr,
    "precision": ppv,
    "negative_predictive_value": npv,
    "miss_rate": lambda *cells: 1 - tpr(*cells),
    "fall_out": lambda *cells: 1 - tnr(*cells),
    "false_discovery_rate": lambda *cells: 1 - ppv(*cells),
    "false_omission_rate": lambda *cells: 1 - npv(*cells),
    "accuracy": acc,
    "error_rate": lambda *cells: 1 - acc(*cells),
    "prevalence": prev,
    "predicted_prevalence": lambda tp, fp, fn, tn: over(tp + fp, tp + fp + fn + tn),
    "f_beta": f_beta,
    "e_measure": lambda *cells, beta=1: 1 - f_beta(*cells, beta=beta),
    "balanced_accuracy": lambda *cells: (tpr(*cells) + tnr(*cells)) / 2,
    "youden_j": lambda *cells: tpr(*cells) + tnr(*cells) - 1,
    "markedness": lambda *cells: ppv(*cells) + npv(*cells) - 1,
    "matthews_correlation": mcc,
    "cohen_kappa": kappa,
    "jaccard": lambda tp, fp, fn, tn: over(tp, tp + fp + fn),
    "fowlkes_mallows": lambda *cells: math.sqrt(ppv(*cells) * tpr(*cells)),
    "g_mean": lambda *cells: math.sqrt(tpr(*cells) * tnr(*cells)),
    "positive_likelihood_ratio": lr_positive,
    "negative_likelihood_ratio": lr_negative,
    "diagnostic_odds_ratio": lambda *cells: over(lr_positive(*cells), lr_negative(*cells)),
    "lift": lambda *cells: over(ppv(*cells), prev(*cells)),
    "cost": cost,
    "net_benefit": net_benefit,
}


def counts_at(rows: Sequence[Row], threshold: float) -> Cells:
    """TP, FP, FN, TN when a score >= threshold is called positive."""
    cells = dict.fromkeys(((True, True), (False, True), (True, False), (False, False)), Fraction(0))
    for positive, score, weight in rows:
        cells[positive, score >= threshold] += weight
    return tuple(cells.values())


def thresholds(rows: Sequence[Row]) -> list[float]:
    """+inf and the distinct scores of the rows that count, falling."""
    return [math.inf, *sorted({score for _, score, weight in rows if weight}, reverse=True)]


def of_class(rows: Sequence[Row], positive: bool) -> list[tuple[float, Fraction]]:
    return [(score, weight) for truth, score, weight in rows if truth is positive]


def total(rows: Sequence[Row], positive: bool) -> Fraction:
    return sum((weight for _, weight in of_class(rows, positive)), Fraction(0))


def auc(rows: Sequence[Row]) -> Number:
    """Every positive is compared with every negative; a tie is half a win."""
    won = Fraction(0)
    for s, v in of_class(rows, True):
        for t, w in of_class(rows, False):
            won += v * w * (Fraction(s > t) + Fraction(s == t) / 2)
    return over(won, total(rows, True) * total(rows, False))


def average_precision(rows: Sequence[Row]) -> Number:
    area, recall_before = Fraction(0), Fraction(0)
    for threshold in thresholds(rows)[1:]:
        cells = counts_at(rows, threshold)
        area += (tpr(*cells) - recall_before) * ppv(*cells)
        recall_before = tpr(*cells)
    return area if total(rows, True) else over(0, 0)


def roc_points(rows: Sequence[Row]) -> list[tuple[Number, Number]]:
    """(FPR, TPR) at each threshold, falling."""
    return [(1 - tnr(*cells), tpr(*cells)) for cells in (counts_at(rows, t) for t in thresholds(rows))]


def area_under(points: Sequence[tuple[Number, Number]], lowest: float, highest: float) -> Number:
    """Exact area under straight pieces from x = lowest to x = highest."""
    a, b = Fraction(lowest), Fraction(highest)
    area = Fraction(0)
    for (x, y), (x_next, y_next) in pairwise(points):
        left, right = max(x, a), min(x_next, b)
        if left < right:
            slope = (y_next - y) / (x_next - x)
            area += (right - left) * (y + slope * (left - x) + y + slope * (right - x)) / 2
    return area


def partial_auc(rows: Sequence[Row], lowest_fpr: float = 0, highest_fpr: float = 1) -> Number:
    return area_under(roc_points(rows), lowest_fpr, highest_fpr)


def partial_auc_over_recall(rows: Sequence[Row], lowest_tpr: float = 0, highest_tpr: float = 1) -> Number:
    turned = [(y, 1 - x) for x, y in roc_points(rows)]
    return area_under(turned, lowest_tpr, highest_tpr)


def ks(rows: Sequence[Row]) -> Number:
    return max(abs(y - x) for x, y in roc_points(rows))


def davis_goadrich(rows: Sequence[Row]) -> float:
    """Between two thresholds TP and FP grow together: the integral of t/(at + b) over the hits t, piece by piece."""
    listed = [counts_at(rows, t)[:2] for t in thresholds(rows)]
    area = 0.0
    for (tp, fp), (tp_next, fp_next) in pairwise(listed):
        if tp_next > tp:
            a = 1 + (fp_next - fp) / (tp_next - tp)
            b = fp - (a - 1) * tp
            grown = math.log((tp_next + fp_next) / (tp + fp)) if b else 0
            area += float((tp_next - tp) / a) - float(b / a**2) * grown
    return over(area, total(rows, True)) if total(rows, True) else over(0, 0)


def gain_area(rows: Sequence[Row]) -> Number:
    """Trapezoids in precision gain over recall gain, from the recall gain 0 on; where it enters is worked out."""
    positives, negatives = total(rows, True), total(rows, False)
    if not positives or not negatives:
        raise Undefined
    odds, entry = positives / negatives, positives**2 / (positives + negatives)
    listed = [counts_at(rows, t)[:2] for t in thresholds(rows)]
    points = []
    for (tp, fp), (tp_next, fp_next) in pairwise(listed):
        if tp < entry <= tp_next:
            points.append((entry, fp + (entry - tp) / (tp_next - tp) * (fp_next - fp)))
        if tp_next >= entry:
            points.append((tp_next, fp_next))
    gains = [(1 - odds * (positives - tp) / tp, 1 - odds * fp / tp) for tp, fp in points]
    return sum(((x_next - x) * (y + y_next) / 2 for (x, y), (x_next, y_next) in pairwise(gains)), Fraction(0))


OF_SCORES: dict[str, Callable[..., Number]] = {
    "davis_goadrich_area": davis_goadrich,
    "precision_recall_gain_area": gain_area,
    "roc_auc": auc,
    "average_precision": average_precision,
    "partial_auc": partial_auc,
    "partial_auc_over_recall": partial_auc_over_recall,
    "gini": lambda rows: 2 * auc(rows) - 1,
    "ks_statistic": ks,
}


def interpolated_precision(rows: Sequence[Row], level: str) -> Number:
    """Highest precision at a recall of at least the level, which is a decimal in writing."""
    reached = [counts_at(rows, t) for t in thresholds(rows)[1:]]
    return max((ppv(*cells) for cells in reached if tpr(*cells) >= Fraction(level)), default=math.nan)


def delong_variance(rows: Sequence[Row]) -> float:
    """Variances of the placements of the positives and of the negatives, each pair compared (rows of weight 1)."""
    positives, negatives = ([score for score, _ in of_class(rows, truth)] for truth in (True, False))

    def win(s: float, t: float) -> Fraction:
        return Fraction(s > t) + Fraction(s == t) / 2

    def spread(placement_values: list[Fraction]) -> Fraction:
        mean = sum(placement_values) / len(placement_values)
        return sum((p - mean) ** 2 for p in placement_values) / (len(placement_values) - 1) / len(placement_values)

    of_positives = [sum(win(s, t) for t in negatives) / len(negatives) for s in positives]
    of_negatives = [sum(win(s, t) for s in positives) / len(positives) for t in negatives]
    return float(spread(of_positives) + spread(of_negatives))
