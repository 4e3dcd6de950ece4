"""The best threshold for a goal is what trying every threshold by hand finds, and its sentences say so."""

import csv
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from evalcore import find
from evalcore.analyses import best_threshold
from evalcore.classification import (
    Goal,
    Limit,
    corner_goal,
    cost_goal,
    flag_goal,
    measure_goal,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from evalcore.readers.join.files_together import FOLDER
from evalcore.wording import THIN
from tests.analyses.small_scores import plain_text, scores_of, small_scores
from tests.words import facts, sentence_with

TWENTY = scores_of("roc_20")

Counts = tuple[int, int, int, int]


def verdict(goal: Goal, *limits: Limit, scores=TWENTY, t: float = 0.5) -> str:
    return plain_text(best_threshold(scores, goal, limits).verdict(t))


def least(name: str, value: float) -> Limit:
    return Limit(find(name), at_least=value)


# Trying every threshold by hand


def tried(sample: str, positive: str, column: str) -> list[tuple[float, Counts]]:
    """Infinity and every distinct score from high to low, with the counts when all from it on are called positive."""
    with (FOLDER / f"{sample}.csv").open(newline="") as file:
        rows = [(row["actual"] == positive, float(row[column])) for row in csv.DictReader(file)]
    every = [float("inf"), *sorted({score for _, score in rows}, reverse=True)]
    return [(cut, counted([(is_positive, score >= cut) for is_positive, score in rows])) for cut in every]


def counted(rows: list[tuple[bool, bool]]) -> Counts:
    return tuple(rows.count(outcome) for outcome in ((True, True), (False, True), (True, False), (False, False)))


def share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def recall(c: Counts) -> Fraction | None:
    return share(c[0], c[0] + c[2])


def specificity(c: Counts) -> Fraction | None:
    return share(c[3], c[1] + c[3])


def ppv(c: Counts) -> Fraction | None:
    return share(c[0], c[0] + c[1])


def npv(c: Counts) -> Fraction | None:
    return share(c[3], c[2] + c[3])


def accuracy(c: Counts) -> Fraction | None:
    return share(c[0] + c[3], sum(c))


def f1(c: Counts) -> Fraction | None:
    return share(2 * c[0], 2 * c[0] + c[1] + c[2])


def corner(c: Counts) -> Fraction:
    return -((1 - recall(c)) ** 2) - (1 - specificity(c)) ** 2


def flagged(c: Counts) -> int:
    return c[0] + c[1]


def reaches(measure: Callable[[Counts], Fraction | None], value: str) -> Callable[[Counts], bool]:
    return lambda c: measure(c) is not None and measure(c) >= Fraction(value)


def always(c: Counts) -> bool:
    return True


BY_HAND = [
    (youden_goal(), (), lambda c: recall(c) + specificity(c), always),
    (measure_goal(find("accuracy")), (), accuracy, always),
    (measure_goal(find("F1")), (), f1, always),
    (cost_goal(fn_cost=5), (), lambda c: -(5 * c[2] + c[1]), always),
    (cost_goal(fn_cost=1, fp_cost=3, tp_cost=-2, tn_cost=0.5), (),
     lambda c: -(c[2] + 3 * c[1] - 2 * c[0] + Fraction(1, 2) * c[3]), always),
    (cost_goal(fn_cost=0, fp_cost=0), (), lambda c: 0, always),
    (corner_goal(), (), corner, always),
    (weighted_goal(0.5), (), lambda c: recall(c) + specificity(c), always),
    (weighted_goal(0.8), (), lambda c: 4 * recall(c) + specificity(c), always),
    (weighted_goal(0), (), specificity, always),
    (weighted_goal(1), (), recall, always),
    (measure_goal(find("recall")), (least("PPV", 0.9),), recall, reaches(ppv, "0.9")),
    (measure_goal(find("specificity")), (least("recall", 0.7), least("PPV", 0.6)),
     specificity, lambda c: reaches(recall, "0.7")(c) and reaches(ppv, "0.6")(c)),
    (measure_goal(find("recall")), (Limit(find("FPR"), at_most=0.3),), recall, reaches(specificity, "0.7")),
    (flag_goal(rows=100), (), flagged, lambda c: flagged(c) <= 100),
    (flag_goal(rows=7), (), flagged, lambda c: flagged(c) <= 7),
    (flag_goal(rows=0), (), flagged, lambda c: flagged(c) <= 0),
    (flag_goal(share=0.1), (), flagged, lambda c: 10 * flagged(c) <= sum(c)),
    (flag_goal(share=0.35), (), flagged, lambda c: 100 * flagged(c) <= 35 * sum(c)),
    (rule_out_goal(sensitivity=0.95), (), specificity, reaches(recall, "0.95")),
    (rule_out_goal(npv=0.8), (), specificity, reaches(npv, "0.8")),
    (rule_in_goal(specificity_of=0.95), (), recall, reaches(specificity, "0.95")),
    (rule_in_goal(ppv=0.8), (), recall, reaches(ppv, "0.8")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sample", "positive", "column"), [("roc_20", "P", "score"), ("breast_cancer", "malignant", "logistic_regression")]
)
@pytest.mark.parametrize(("goal", "limits", "value", "allowed"), BY_HAND)
def test_each_goal_answers_what_trying_all_thresholds_finds(
    sample, positive, column, goal, limits, value, allowed
) -> None:
    every = [(cut, c) for cut, c in tried(sample, positive, column) if allowed(c) and value(c) is not None]
    top = max(value(c) for _, c in every)
    equal = [(cut, c) for cut, c in every if value(c) == top]
    first, counts = min(equal, key=lambda pair: pair[1][1] + pair[1][2])
    said = verdict(goal, *limits, scores=scores_of(sample))
    chosen = "∞" if first == float("inf") else f"{first:g}"
    alarms = "1 false alarm" if counts[1] == 1 else f"{counts[1]} false alarms"
    within = {0: "", 1: " within the limit", 2: " within the limits"}[len(limits)]
    assert said.startswith(f"Best{within}: {chosen} ({counts[2]} missed, {alarms}). ")
    worse = [c[1] >= counts[1] and c[2] >= counts[2] for _, c in equal]
    for words, kind in (("Equally good", False), ("more errors", True)):
        tied = [cut for (cut, _), is_worse in zip(equal, worse, strict=True) if cut != first and is_worse == kind][:5]
        named = ", ".join("∞" if cut == float("inf") else f"{cut:g}" for cut in tied)
        assert (f"{words}: {named}" in said) if tied else (f"{words}:" not in said)


@pytest.mark.parametrize(
    ("goal", "threshold"),
    [
        (youden_goal(), "0.54"),
        (measure_goal(find("ACC")), "0.54"),
        (corner_goal(), "0.51"),
        (cost_goal(fn_cost=5), "0.3"),
    ],
)
def test_the_printed_optima_of_the_twenty_instances(goal, threshold) -> None:
    assert verdict(goal).startswith(f"Best: {threshold} (")


def test_two_thresholds_are_equally_close_to_the_corner() -> None:
    assert "Equally good: 0.4." in verdict(corner_goal())


def test_the_cost_is_said_per_thousand_cases() -> None:
    # 9 false alarms at 1, no miss; at 0.5 four alarms and four misses at 5.
    said = verdict(cost_goal(fn_cost=5))
    assert sentence_with(said, "0.3", "0", "9")
    assert sentence_with(said, "450", f"1{THIN}200")


def test_costs_of_nothing_make_every_threshold_as_good() -> None:
    said = verdict(cost_goal(fn_cost=0, fp_cost=0))
    assert sentence_with(said, "0.000", "yours the same")
    # Of 21: the chosen one, fifteen with more errors of one kind for fewer of the other, five with more and no fewer.
    assert "Equally good: ∞, 0.9, 0.8, 0.51, 0.5 and 10 more." in said
    assert sentence_with(said, "0.7", "0.6", "0.55", "0.53", "0.52")


@pytest.mark.parametrize("threshold", [0.1, 0.05, -7, -np.inf])
def test_any_threshold_with_the_same_counts_is_the_current_one(threshold) -> None:
    chosen = best_threshold(TWENTY, flag_goal(rows=100))
    same = threshold == 0.1
    first = chosen.verdict(threshold).splitlines()[0]
    assert ("That is yours." in first) == same
    assert ("gives the same counts." in first) != same
    assert chosen.status(threshold) == "best"


def test_without_a_current_threshold_none_is_compared() -> None:
    said = best_threshold(TWENTY, youden_goal()).verdict()
    assert facts(said) == "0.54 5 1 0.400 0.53 0.54"


def test_what_would_change_is_said() -> None:
    said = verdict(youden_goal(), t=0.7)
    assert sentence_with(said, "0.7", "8", "1")
    assert sentence_with(said, "0.400", "0.100")
    assert sentence_with(said, "0.53", "0.54")


def test_where_lower_scores_are_positive_thresholds_are_those_of_the_file() -> None:
    said = verdict(youden_goal(), scores=scores_of("roc_20", positive="N", higher_is_positive=False), t=0.2)
    # The mirrored problem: at or below 0.53 lie nine of the ten N and five of the ten P.
    assert sentence_with(said, "0.53", "1", "5")
    assert sentence_with(said, "0.400", "0.100")
    assert sentence_with(said, "0.53", "0.54")


@pytest.mark.parametrize("goal", [youden_goal(), corner_goal(), weighted_goal(0.5)])
def test_a_goal_that_one_class_leaves_undefined_says_which_class_has_no_rows(goal) -> None:
    said = verdict(goal, scores=small_scores([1] * 8, np.arange(8) / 10, names=("1", "0")))
    assert sentence_with(said, goal.name)
    assert sentence_with(said, "8", "1")


# Limits


def conflicts(goal: Goal, *limits: Limit, scores=TWENTY) -> list[str]:
    chosen = best_threshold(scores, goal, limits)
    return [plain_text(text) for text in (chosen.verdict(), *map(chosen.conflict_text, chosen.conflicts))]


def test_a_limit_nothing_meets_is_named_with_the_closest_value_and_where() -> None:
    assert facts(conflicts(measure_goal(find("recall")), least("PPV", 1.5))) == "1.50 100.0% 0.9"  # fmt: skip


def test_limits_that_exclude_each_other_are_both_named() -> None:
    # At recall 0.9 and more precision is at most 10/19; with precision 1 recall is at most 2/10.
    assert (
        facts(conflicts(measure_goal(find("F1")), least("PPV", 0.9), least("recall", 0.9)))
        == "0.90 52.9% 0.34 0.90 20.0% 0.8"
    )


def test_a_limit_on_what_is_undefined_everywhere_says_so() -> None:
    only = small_scores([1, 1, 1], [0.9, 0.4, 0.3])
    said = conflicts(measure_goal(find("recall")), least("specificity", 0.9), scores=only)
    assert facts(said[1:]) == "0.90"


def test_any_goal_takes_limits_and_says_what_they_cost() -> None:
    said = verdict(cost_goal(fn_cost=5), least("PPV", 0.6))
    # Precision is 8/13 at 0.38, with 2 misses at 5 and 5 false alarms, and less than 0.6 at every lower threshold.
    assert sentence_with(said, "0.38", "2", "5")
    assert sentence_with(said, "750", f"1{THIN}200")
    assert sentence_with(said, "0.3", "450", "0", "9")


def test_a_limit_that_costs_nothing_is_not_said_to() -> None:
    assert "Without" not in verdict(youden_goal(), least("PPV", 0.5))


def allowed(*limits: Limit, **roles: object) -> list[list[float]]:
    """Ranges of the axis of the file in which limits hold."""
    ranges = best_threshold(scores_of("roc_20", **roles), youden_goal(), limits).allowed
    return np.round(ranges, 9).tolist()


def test_the_ranges_in_which_limits_hold_are_those_between_two_scores() -> None:
    # Precision of at least 0.8: thresholds in (0.7, 0.9] and, after 0.7 brings 2/3 and 0.6 3/4, in (0.53, 0.55].
    assert allowed(least("PPV", 0.8)) == [[0.53, 0.55], [0.7, 0.9]]


def test_they_are_on_the_scale_of_the_file_where_lower_is_positive() -> None:
    # N from below: 1/1, 1/2 …; only the lowest score is called right, up to the next, 0.3.
    assert allowed(least("PPV", 0.8), positive="N", higher_is_positive=False) == [[0.1, 0.3]]


def test_a_budget_of_rows_allows_the_thresholds_that_keep_it() -> None:
    # Of 20 different scores the third highest is 0.7, the fourth 0.6: three rows are flagged above 0.6.
    assert allowed(*flag_goal(rows=3).limits) == [[0.6, np.inf]]


def test_where_nothing_is_allowed_there_is_no_range() -> None:
    assert allowed(least("PPV", 1.5)) == []


def test_what_is_not_allowed_is_said() -> None:
    limits = (least("PPV", 0.9), Limit(find("FPR"), at_most=0.125))
    assert best_threshold(TWENTY, youden_goal(), limits).forbidden == "precision < 0.90 or false positive rate > 0.125"
    assert best_threshold(TWENTY, flag_goal(rows=3)).forbidden == "more than 3 rows flagged"
    assert facts(best_threshold(TWENTY, flag_goal(share=0.25)).forbidden) == "25%"
    assert best_threshold(TWENTY, youden_goal()).forbidden == ""
    assert best_threshold(TWENTY, youden_goal()).allowed is None
