"""Challenges of ranked lists, and of agreement and errors of numbers."""

import math
from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np

from evalcore.estimation import Estimates
from evalcore.learning.challenges.challenge import Asked, Draw, built, challenge, number, written
from evalcore.learning.questions import value_of
from evalcore.retrieval import Judgments, Run, evaluate

Numbers = Sequence[float]


def values_of(grades: Numbers, names: Sequence[str], missing: Numbers = ()) -> list[float]:
    """Measures of a list of documents by their grades in this order; the missing ones are judged and not retrieved."""
    return values_of_lists([grades], names, missing)[0]


def values_of_lists(lists: Sequence[Numbers], names: Sequence[str], missing: Numbers = ()) -> list[list[float]]:
    """Compute measures of several lists of one length."""
    length, everything = len(lists[0]), len(lists[0]) + len(missing)
    documents = [f"d{place:02}" for place in range(everything)]
    queries = [f"q{place:03}" for place in range(len(lists))]
    grades = [grade for one in lists for grade in (*one, *missing)]
    judgments = Judgments.from_arrays(np.repeat(queries, everything).tolist(), documents * len(lists), grades)
    scores = list(range(length, 0, -1)) * len(lists)
    run = Run.from_arrays(np.repeat(queries, length).tolist(), documents[:length] * len(lists), scores)
    values = evaluate(judgments, run, names).values
    return np.transpose([values[name] for name in names]).tolist()


def drawn_ranks(draw: Draw) -> list[int]:
    """Ranks of five relevant documents among 14; in the textbook 1, 2, 4, 6 and 13."""
    limits = ((1, 1, 2), (2, 2, 3), (4, 4, 5), (6, 6, 9), (13, 10, 14))
    return sorted({draw.whole(book, low, high) for book, low, high in limits})


def list_of(ranks: Numbers, length: int) -> list[float]:
    """The grades of a list that has its relevant documents at these ranks."""
    return [float(rank in ranks) for rank in range(1, length + 1)]


@challenge("r_precision")
def _r_precision(draw: Draw) -> Asked:
    ranks = drawn_ranks(draw)
    relevant = len(ranks)
    r_precision, average, at_10, recall_10 = values_of(list_of(ranks, 14), ("Rprec", "AP", "P@10", "R@10"))
    found = sum(rank <= relevant for rank in ranks)
    wrong = {"p at 10": at_10, "recall at 10": recall_10, "whole list": relevant / 14, "average precision": average}
    return number(locals(), r_precision, wrong, percent=False)


@challenge("interpolated_precision")
def _interpolated_precision(draw: Draw) -> Asked:
    ranks, level = drawn_ranks(draw), draw.one_of(7, (3, 5, 7)) / 10
    relevant = len(ranks)
    (answer,) = values_of(list_of(ranks, 14), (f"IPrec@{level:g}",))
    precisions = [place / rank for place, rank in enumerate(ranks, 1)]
    needed = math.ceil(round(level * relevant, 9))
    before, at, rank = [1.0, *precisions][needed - 1], precisions[needed - 1], ranks[needed - 1]
    wrong = {
        "straight line": before + (level * relevant - (needed - 1)) * (at - before),
        "level before": before,
        "precision at the level as a rank": sum(rank <= round(10 * level) for rank in ranks) / round(10 * level),
        "at the end": precisions[-1],
    }
    return number(locals(), answer, wrong, percent=False)


@challenge("average_precision")
def _average_precision(draw: Draw) -> Asked:
    ranks = sorted({draw.whole(1, 1, 2), draw.whole(3, 3, 5), draw.whole(6, 6, 9)})
    lost = draw.whole(1, 1, 3)
    (answer,) = values_of(list_of(ranks, 10), ("AP",), [1] * lost)
    terms = [place / rank for place, rank in enumerate(ranks, 1)]
    relevant, verb, zeros = 3 + lost, "is" if lost == 1 else "are", " + ".join("0" * lost)
    found = " + ".join(f"{place}/{rank}" for place, rank in enumerate(ranks, 1))
    wrong = {
        "only found": sum(terms) / 3, "all ranks": sum(terms) / 10,
        "reciprocal ranks": sum(1 / rank for rank in ranks) / relevant, "precision": 0.3,
    }  # fmt: skip
    return number(locals(), answer, wrong, is_share=False)


@challenge("ndcg_ideal")
def _ndcg_ideal(draw: Draw) -> Asked:
    grades, missing = draw.shuffled((2, 0, 1, 0, 0)), draw.one_of(3, (2, 3))
    (answer,) = values_of(grades, ("nDCG@5",), (missing,))

    def dcg(gains: Sequence[float], discounted: bool = True) -> float:
        return sum(gain / (math.log2(rank + 1) if discounted else 1) for rank, gain in enumerate(gains, 1))

    ideal = sorted((*grades, missing), reverse=True)[:5]
    list_dcg, ideal_dcg = dcg(grades), dcg(ideal)
    wrong = {
        "ideal of the list": list_dcg / dcg(sorted(grades, reverse=True)),
        "no discount": dcg(grades, False) / dcg(ideal, False), "not normalised": list_dcg,
        "ideal not discounted": list_dcg / dcg(ideal, False),
    }  # fmt: skip
    return number(locals(), answer, wrong, is_share=False)


@challenge("unjudged")
def _unjudged(draw: Draw) -> Asked:
    marks = [draw.one_of(mark, "RN?") for mark in "RN?R?NR?N?"]
    relevant, unknown = marks.count("R"), marks.count("?")
    shown, lowest, highest = " ".join(marks), relevant / 10, (relevant + unknown) / 10
    wrong = {"unjudged as wrong": lowest, "left out": relevant / (10 - unknown), "unjudged alone": unknown / 10}
    return number(locals(), highest, wrong, percent=False)


@challenge("ndcg_up_ap_down")
def _ndcg_up_ap_down(draw: Draw) -> Asked:
    book, others = (1, 1, 0, 3, 0), ((3, 1, 1, 0, 0), (3, 2, 1, 0, 0), (4, 1, 1, 0, 0), (3, 1, 1, 1, 0))
    first = tuple(draw.shuffled(draw.one_of(book, others)))
    names = ("nDCG@5", "AP")
    orders = sorted(set(permutations(first)))
    known = dict(zip(orders, values_of_lists(orders, names), strict=True))
    ndcg, average = known[first]

    def same(grades: Numbers) -> bool:
        return tuple(grades) in known

    def values(grades: Numbers) -> list[float]:
        return known.get(tuple(grades)) or values_of(grades, names)  # type: ignore[arg-type]

    def right(grades: Numbers) -> bool:
        return same(grades) and values(grades)[0] > ndcg + 1e-9 and values(grades)[1] < average - 1e-9

    def example(wanted: Callable[[Numbers], bool]) -> Numbers:
        """A list of the kind; the solution, which is no example of it, where there is none."""
        return next((one for one in orders if wanted(one)), solution)

    # A's best document has to stand below the first rank, so that it can move up.
    solution = next((one for one in orders[::-1] if right(one) and first[0] < one[0]), first)

    def both_better(grades: Numbers) -> bool:
        return same(grades) and values(grades)[0] > ndcg and values(grades)[1] > average - 1e-9

    def both_worse(grades: Numbers) -> bool:
        return same(grades) and values(grades)[0] < ndcg + 1e-9 and values(grades)[1] < average - 1e-9

    in_order, (better_ndcg, worse_ap) = sorted(first), known[solution]
    wrong = {
        "other documents": (lambda one: not same(one), (9, 9, 9, 9, 9)),
        "both better": (both_better, example(both_better)),
        "both worse": (both_worse, example(both_worse)),
        "wrong way": (same, first),
    }
    return built(
        locals(), [f"Rank {rank}" for rank in range(1, 6)], right, solution, wrong,
        highest=9, numbers=lambda grades: written(names, values(grades)), ranked=first,
    )  # fmt: skip


@challenge("rr_ignores_the_rest")
def _rr_ignores_the_rest(draw: Draw) -> Asked:
    first = draw.one_of((2, 3, 4), ((2, 3, 5), (2, 4, 5), (3, 4, 5), (2, 3, 6), (3, 4, 6)))
    names = ("RR", "AP")
    reciprocal, average = values_of(list_of(first, 10), names)

    def ranks_of(grades: Sequence[int]) -> list[float]:
        return [rank for rank, grade in enumerate(grades, 1) if grade]

    def distinct(ranks: Numbers) -> bool:
        return len(set(ranks)) == 3

    def values(ranks: Numbers) -> list[float]:
        return values_of(list_of(ranks, 10), names)

    def right(ranks: Numbers) -> bool:
        return distinct(ranks) and values(ranks)[0] > reciprocal and values(ranks)[1] < average

    def numbers(ranks: Numbers) -> list[tuple[str, str]]:
        return written(names, values(ranks)) if distinct(ranks) else [("Ranks", "three different ones")]

    grades, worse_ap = [int(rank in first) for rank in range(1, 11)], (1 + 2 / 9 + 0.3) / 3
    wrong = {
        "same rank twice": (lambda ranks: not distinct(ranks), (1, 1, 10)),
        "both better": (lambda ranks: values(ranks)[0] > reciprocal, (1, 2, 3)),
        "both worse": (lambda ranks: values(ranks)[1] < average, (8, 9, 10)),
        "no change": (lambda ranks: True, first),
    }
    return built(
        locals(), ("First", "Second", "Third"), right, (1, 9, 10), wrong,
        lowest=1, highest=10, numbers=numbers, ranked=grades, of_list=ranks_of,
    )  # fmt: skip


@challenge("dice_from_jaccard")
def _dice_from_jaccard(draw: Draw) -> Asked:
    jaccard = draw.whole(50, 30, 85, 5) / 100
    dice, twice, areas = 2 * jaccard / (1 + jaccard), 2 * jaccard, 1 + jaccard
    wrong = {"wrong way": jaccard / (2 - jaccard), "doubled": twice, "equal": jaccard, "mean": areas / 2}
    return number(locals(), dice, wrong, is_share=False)


@challenge("best_constant")
def _best_constant(draw: Draw) -> Asked:
    limits = ((1, 1, 4), (2, 4, 6), (3, 6, 9), (5, 9, 14), (14, 20, 60))
    values = sorted(draw.whole(book, low, high) for book, low, high in limits)
    mean, middle = sum(values) / 5, (values[0] + values[-1]) / 2
    wrong = {"mean": mean, "middle": middle, "lowest": values[0], "highest": values[-1]}
    return number(locals(), values[2], wrong, is_share=False)


def of_estimates(names: Sequence[str], truth: Numbers, estimates: Numbers) -> list[float]:
    """Measures of estimates that were typed."""
    state = Estimates.from_arrays(truth, estimates)
    return [value_of(state, name) for name in names]


@challenge("rmse_outlier")
def _rmse_outlier(draw: Draw) -> Asked:
    size = draw.whole(2, 1, 9)

    def both(errors: Numbers) -> list[float]:
        return of_estimates(("MAE", "RMSE"), [0.0] * len(errors), errors)

    def off(errors: Numbers) -> bool:
        return not math.isclose(both(errors)[0], size)

    def right(errors: Numbers) -> bool:
        return not off(errors) and both(errors)[1] >= 2 * size - 1e-9

    least, outlier, square, rmse = 2 * size, 5 * size, 25 * size * size, math.sqrt(5) * size
    even, cancelled = (size, size, size, size, -size), (10 * size, -5 * size, 0, 0, 0)
    wrong = {
        "cancelled": (lambda errors: off(errors) and math.isclose(abs(sum(errors)) / 5, size), cancelled),
        "sum": (lambda errors: off(errors) and math.isclose(sum(map(abs, errors)), size), (size, 0, 0, 0, 0)),
        "equal errors": (lambda errors: not off(errors) and len(set(map(abs, errors))) == 1, even),
        "too even": (lambda errors: not off(errors), (least, least, size, 0, 0)),
        "wrong mean": (lambda errors: True, (20 * size, 3 * size, 0, 0, 0)),
    }
    return built(
        locals(), [f"Error {place}" for place in range(1, 6)], right, (outlier, 0, 0, 0, 0), wrong,
        lowest=-1000, highest=1000, whole=False, numbers=lambda errors: written(("MAE", "RMSE"), both(errors)),
    )  # fmt: skip


@challenge("r2_below_zero")
def _r2_below_zero(draw: Draw) -> Asked:
    start = draw.whole(1, 2, 30)
    truth = [start + step for step in range(4)]

    def both(estimates: Numbers) -> list[float]:
        return of_estimates(("Pearson correlation", "R²"), truth, estimates)

    def right(estimates: Numbers) -> bool:
        correlation, r2 = both(estimates)
        return math.isclose(correlation, 1, abs_tol=1e-9) and r2 < 0

    wrong = {
        "constant": (lambda estimates: len(set(estimates)) == 1, (0, 0, 0, 0)),
        "turned round": (lambda estimates: both(estimates)[0] < 0, truth[::-1]),
        "good estimates": (lambda estimates: both(estimates)[1] >= 0, truth),
        "off a line": (lambda estimates: True, (start + 50, start + 51, start + 52, start + 93)),
    }
    return built(
        locals(), [f"Estimate of {value}" for value in truth], right, [value + 10 for value in truth], wrong,
        lowest=-1000, highest=1000, whole=False,
        numbers=lambda estimates: written(("Correlation", "R²"), both(estimates)),
    )  # fmt: skip
