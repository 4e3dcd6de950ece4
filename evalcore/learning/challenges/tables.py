"""Challenges of one 2×2 table: its ratios, and their values at another prevalence or with costs."""

import math
from collections.abc import Callable, Sequence

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
from evalcore.learning.challenges.challenge import Draw, built_question, challenge, near_point, number_question
from evalcore.learning.questions import Mark, Question, Values
from evalcore.registry import find
from evalcore.wording import count_text, number_text, share_text, value_text


def table_text(counts: ConfusionCounts, positive: str, negative: str) -> str:
    """A 2×2 table in Markdown, actual classes in rows."""
    tp, fp, fn, tn = (count_text(float(cell)) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    return (
        f"| | test positive | test negative |\n|---|---:|---:|\n| **{positive}** | {tp} | {fn} |\n"
        f"| **{negative}** | {fp} | {tn} |"
    )


def cells_of(counts: ConfusionCounts) -> dict[str, str]:
    """The settings that show these counts on the page of the 2×2 table."""
    return {"cells": ",".join(f"{float(cell):g}" for cell in (counts.tp, counts.fp, counts.fn, counts.tn))}


def drawn_test(draw: Draw) -> ConfusionCounts:
    """A test of a rare illness; in the textbook, the cancer test."""
    tp, fn = draw.whole(20, 12, 60), draw.whole(10, 4, 30)
    fp, tn = draw.whole(180, 80, 400, 10), draw.whole(1820, 900, 2900, 20)
    return ConfusionCounts(tp, fp, fn, tn)


@challenge("precision", "How far can an alarm be believed?", "tables")
def _precision(draw: Draw) -> Question:
    counts = drawn_test(draw)
    tp, alarms = float(counts.tp), float(counts.predicted_positives)
    return number_question(
        f"A test gave these results:\n\n{table_text(counts, 'ill', 'healthy')}\n\nSomebody tested positive. How likely "
        "are they to be ill? Give the **precision**.",
        tp / alarms,
        [
            ("recall", float(recall(counts)), "You divided by the row, the people who are ill. The question starts "
             "from people who tested positive: which cells are those?"),
            ("complement", float(false_discovery_rate(counts)),
             "That is the share of *false* alarms among the alarms. You are asked for the other part."),
            ("accuracy", float(accuracy(counts)), "That is the accuracy: it counts the people who tested negative too. "
             "Look only at those who tested positive."),
            ("npv", float(negative_predictive_value(counts)),
             "That is how far a *negative* result can be believed. Take the other column."),
            ("share of all", tp / float(counts.total), "You divided by all people. Only some of them tested positive."),
        ],
        f"Of {alarms:.0f} people who tested positive, {tp:.0f} are ill: {tp:.0f} / {alarms:.0f} = "
        f"{share_text(tp / alarms)}.",
        page="classify/confusion", settings=cells_of(counts),
    )  # fmt: skip


@challenge("false_positive_rate", "Specificity or false positive rate?", "tables")
def _false_positive_rate(draw: Draw) -> Question:
    counts = drawn_test(draw)
    fp, healthy = float(counts.fp), float(counts.actual_negatives)
    return number_question(
        f"A test gave these results:\n\n{table_text(counts, 'ill', 'healthy')}\n\nWhat is its **false positive rate** "
        "(the x axis of a ROC curve), in percent with one decimal?",
        fp / healthy,
        [
            ("specificity", float(specificity(counts)), "That is the specificity, the share of the healthy whom the "
             "test clears. You are asked for those it alarms."),
            ("false discovery rate", float(false_discovery_rate(counts)),
             "You divided by the column, all alarms. A *rate* of the ROC curve looks at one actual class: here at "
             "which?"),
            ("share of all", fp / float(counts.total), "You divided by everybody. The ill cannot cause a false alarm, "
             "so leave them out."),
            ("miss rate", 1 - float(recall(counts)), "That is the miss rate, the share of the ill who test negative. "
             "Take the other row."),
        ],
        f"{fp:.0f} of {count_text(healthy)} healthy people are alarmed: {share_text(fp / healthy)} = 1 − specificity.",
        tolerance=0.0005, page="classify/confusion", settings=cells_of(counts),
    )  # fmt: skip


@challenge("ppv_below_half", "Where an alarm is more often wrong than right", "tables")
def _ppv_below_half(draw: Draw) -> Question:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 25) / 100
    answer = fpr / (tpr + fpr)
    return number_question(
        f"A test has a recall of {100 * tpr:.0f} % and a specificity of {100 * (1 - fpr):.0f} %. Below which "
        "**prevalence** is a positive result more often wrong than right (precision below ½)? Give it in percent with "
        "one decimal.",
        answer,
        [
            ("false positive rate", fpr, "That is the false positive rate, a share of the healthy alone. Set the true "
             "alarms among 100 people equal to the false ones."),
            ("complement", 1 - answer, "That is the share of the *healthy* at this point. The prevalence is the share "
             "of the ill."),
            ("specificity for its complement", (1 - fpr) / (1 - fpr + tpr),
             "You used the specificity where false alarms are needed. What share of the healthy is alarmed?"),
            ("half", 0.5, "It is the precision that is ½, not the prevalence. Write the true and the false alarms of "
             "100 people, of whom g are ill, and set them equal."),
            ("misses for hits", fpr / (1 - tpr + fpr), "You set the false alarms equal to the *missed* ill. Alarms "
             "come from the ill whom the test finds."),
        ],
        f"True alarms are {tpr:g}·g of all, false alarms {fpr:g}·(1 − g). They are equal at g = {fpr:g} / ({tpr:g} + "
        f"{fpr:g}) = {share_text(answer)}.",
        tolerance=0.0015, page="classify/confusion",
        settings=cells_of(ConfusionCounts(1000 * tpr, 1000 * fpr, 1000 - 1000 * tpr, 1000 - 1000 * fpr)),
    )  # fmt: skip


@challenge("post_test", "From likelihood ratio to probability", "tables")
def _post_test(draw: Draw) -> Question:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 20) / 100
    before = draw.whole(10, 4, 30) / 100
    ratio, odds = tpr / fpr, before / (1 - before)
    after = ratio * odds
    return number_question(
        f"Recall {100 * tpr:.0f} %, specificity {100 * (1 - fpr):.0f} %: the positive likelihood ratio is {tpr:g} / "
        f"{fpr:g} = {number_text(ratio)}. Before the test, a patient is ill with a probability of {100 * before:.0f} "
        "%. The test is positive. What is the **probability** now?",
        after / (1 + after),
        [
            ("odds", after, "These are the odds after the test, ill to healthy. Turn them into a probability."),
            ("ratio times probability", ratio * before, "You multiplied the *probability* by the likelihood ratio. It "
             "multiplies odds."),
            ("probability as odds", ratio * before / (1 + ratio * before),
             "You took the probability for the odds. What are the odds of an event of this probability?"),
            ("recall", tpr, "That is the recall: how many of the ill test positive. The question goes the other way."),
            ("no test", before, "That is the probability before the test. A positive result has to raise it."),
        ],
        f"Odds before: {before:g} / {1 - before:.2f} = {number_text(odds)}. Times {number_text(ratio)}: "
        f"{number_text(after)}. As a probability: {number_text(after)} / {number_text(1 + after)} = "
        f"{share_text(after / (1 + after))}.",
    )  # fmt: skip


@challenge("always_no", "What does it cost to always say no?", "tables")
def _always_no(draw: Draw) -> Question:
    ill, miss, alarm = draw.whole(15, 5, 60), draw.whole(10, 3, 40), draw.whole(1, 1, 5)
    return number_question(
        f"Of 1,000 people {ill} are ill. A missed case costs {miss}, a false alarm {alarm}, a right answer nothing. "
        "What do 1,000 answers of a test that **always says no** cost?",
        ill * miss,
        [
            ("no cost per miss", ill, "You counted the errors. Each of them has a price."),
            ("always yes", (1000 - ill) * alarm, "That is what it costs to always say *yes*. Which error can a test "
             "make that never raises an alarm?"),
            ("both errors", ill * miss + (1000 - ill) * alarm,
             "You charged both errors. Can a test that always says no raise a false alarm?"),
            ("per person", ill * miss / 1000, "That is the cost per person. The question is about all 1,000."),
        ],
        f"It misses all {ill} who are ill and alarms nobody: {ill} × {miss} = {ill * miss}. A test has to cost less "
        "than this to be worth using.",
        is_share=False, tolerance=0.001, page="classify/confusion",
        settings=cells_of(ConfusionCounts(0, 0, ill, 1000 - ill)) | {"miss": str(miss), "alarm": str(alarm)},
    )  # fmt: skip


@challenge("cost_threshold", "A threshold for costs", "tables")
def _cost_threshold(draw: Draw) -> Question:
    ratio = draw.whole(10, 3, 24)
    answer = 1 / (1 + ratio)
    return number_question(
        f"A model states calibrated probabilities. A miss costs {ratio} times as much as a false alarm. From which "
        "**probability** on should it raise an alarm? Give three decimals.",
        answer,
        [
            ("complement", 1 - answer, "You would alarm only where illness is nearly certain. Misses are the expensive "
             "error: should alarms become rarer or more frequent?"),
            ("odds", 1 / ratio, "These are the *odds* at which both errors cost the same. Turn them into a "
             "probability."),
            ("half", 0.5, "½ is right if both errors cost the same. Write down what an alarm costs on average at "
             "probability p, and what no alarm costs."),
        ],
        f"An alarm costs (1 − p)·1 on average, no alarm p·{ratio}. They are equal at p = 1 / (1 + {ratio}) = "
        f"{number_text(answer)}.",
        tolerance=0.001,
    )  # fmt: skip


CELLS = ("TP", "FP", "FN", "TN")

_MOST = 1_000_000

Cells = Sequence[float]


def live_numbers(*names: str) -> Callable[[Cells], list[tuple[str, str]]]:
    """Numbers that follow a table while it is typed, by names of measures."""
    return lambda cells: [(name, value_text(find(name), float(find(name)(ConfusionCounts(*cells))))) for name in names]


def on_page(cells: Cells) -> dict[str, str]:
    """The settings that show a typed table on the page of the 2×2 table."""
    return {"cells": ",".join(f"{cell:g}" for cell in cells)}


def value_of(measure: Callable[[ConfusionCounts], object], cells: Cells) -> float:
    """Compute a measure of four cells; nan where it is undefined."""
    return float(measure(ConfusionCounts(*cells)))  # type: ignore[arg-type]


def built_table(satisfies: Callable[[Cells], bool], solution: Cells, keys: Sequence[str], start: Cells = ()) -> Values:
    """The answer that is a table of four counts with some property."""
    return Values(CELLS, satisfies, solution, highest=_MOST, start=start, numbers=live_numbers(*keys))


@challenge("accuracy_paradox", "Right almost always, useful never", "tables")
def _accuracy_paradox(draw: Draw) -> Question:
    target = draw.whole(990, 955, 998) / 1000

    def right(cells: Cells) -> bool:
        return value_of(accuracy, cells) >= target - 1e-12 and value_of(recall, cells) == 0

    return built_question(
        f"Build a table with an **accuracy of at least {target:g}** and a **recall of 0**. Type the four counts.",
        built_table(right, (0, 0, 10, 9990), ("Accuracy", "Recall", "Precision")),
        (
            ("no positives", lambda cells: cells[0] + cells[2] == 0,
             "Without a single actual positive, recall is 0/0: undefined, not 0. Somebody has to be missed.",
             (0, 0, 0, 1000)),
            ("hits left", lambda cells: cells[0] > 0, "Your test still finds somebody, so its recall is above 0. What "
             "does a test do that finds nobody?", (1, 0, 9, 9990)),
            ("false alarms", lambda cells: cells[1] >= cells[2],
             "A test that finds nobody need not alarm anybody: your false alarms cost accuracy for nothing.",
             (0, 500, 10, 9490)),
            ("balanced", lambda cells: cells[3] < 9 * cells[2],
             "Recall is 0, but the positives are too many for this accuracy: each of them is an error. How rare must "
             "they be?", (0, 0, 50, 50)),
        ),
        "10 ill people among 10,000, and a test that always says no: 9,990 / 10,000 answers are right (0.999), and 0 "
        "of 10 ill people are found.",
        "classify/confusion", on_page,
    )  # fmt: skip


@challenge("kappa_paradox", "They agree, and κ says nothing", "tables")
def _kappa_paradox(draw: Draw) -> Question:
    target = draw.whole(90, 84, 96) / 100
    misses = round(1000 * (1 - target)) // 2
    both_no = max(1, round(misses**2 / (1000 - 2 * misses)))
    both_yes = 1000 - 2 * misses - both_no

    def right(cells: Cells) -> bool:
        return value_of(accuracy, cells) >= target - 1e-12 and abs(value_of(cohen_kappa, cells)) <= 0.05

    return built_question(
        "Two raters judge the same cases: TP counts *both yes*, TN *both no*, FP and FN their disagreements. Build a "
        f"table in which they **agree in at least {100 * target:.0f} %** of the cases, while **Cohen’s κ lies between "
        "−0.05 and 0.05**.",
        built_table(right, (both_yes, misses, misses, both_no), ("Accuracy", "Cohen's kappa")),
        (
            ("one class only", lambda cells: math.isnan(value_of(cohen_kappa, cells)),
             "Both raters always give the same answer: chance agreement is 100 % and κ is 0/0, undefined. Let them "
             "disagree sometimes.", (100, 0, 0, 0)),
            ("balanced", lambda cells: value_of(cohen_kappa, cells) > 0.05,
             "They agree well beyond chance, so κ is high. κ falls when chance alone explains the agreement: what if "
             "nearly every case gets the same answer?", (470, 30, 30, 470)),
            ("opposites", lambda cells: value_of(cohen_kappa, cells) < -0.05,
             "κ below 0: they agree less than chance would. You need about as much as by chance.", (10, 45, 45, 0)),
            ("too few agreements", lambda cells: value_of(accuracy, cells) < target,
             "κ is low, but so is the agreement. Agreement may be high while κ is low: which answer would both have to "
             "give nearly always?", (25, 25, 25, 25)),
        ),
        f"Both say yes in nearly all cases: {1000 - 2 * misses} agreements, {misses} disagreements each way. Chance "
        "alone gives nearly the same agreement, so nothing is left for κ.",
        "classify/confusion", on_page,
    )  # fmt: skip


@challenge("f1_without_mcc", "F1 cheers, MCC shrugs", "tables")
def _f1_without_mcc(draw: Draw) -> Question:
    target = draw.whole(90, 80, 96) / 100

    def right(cells: Cells) -> bool:
        return value_of(f_beta, cells) >= target - 1e-12 and value_of(matthews_correlation, cells) <= 0.1

    return built_question(
        f"Build a table with an **F1 of at least {target:g}** and a **Matthews correlation (MCC) of at most 0.1**. MCC "
        "has to be defined.",
        built_table(right, (970, 15, 15, 0), ("F1", "MCC", "Accuracy")),
        (
            ("undefined", lambda cells: math.isnan(value_of(matthews_correlation, cells)),
             "A row or a column of your table is empty, so MCC is 0/0. Put at least one case into each of them.",
             (950, 50, 0, 0)),
            ("good test", lambda cells: value_of(f_beta, cells) >= target,
             "F1 is high enough, but MCC sees that the negatives are recognised as well. F1 does not look at one of "
             "the four cells at all: which one?", (950, 20, 20, 950)),
            ("rare positives", lambda cells: cells[0] + cells[2] <= cells[1] + cells[3],
             "With so many negatives, F1 depends on few true positives, and MCC sees the negatives that are "
             "recognised. Which class has to be the frequent one?", (10, 10, 10, 100)),
            ("too many errors", lambda cells: cells[0] < 5 * (cells[1] + cells[2]),
             "There are too many errors beside the true positives for this F1.", (50, 30, 15, 2)),
        ),
        "970 of 985 positives are found, and 15 of 15 negatives are called positive: F1 = 2·970 / (2·970 + 15 + 15) = "
        "0.985, while TN = 0 makes MCC slightly negative. F1 never looks at TN.",
        "classify/confusion", on_page,
    )  # fmt: skip


@challenge("simpson", "Better in each group, worse together", "tables")
def _simpson(draw: Draw) -> Question:
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
    return built_question(
        f"System A finds {easy_a} % of the easy cases and {hard_a} % of the hard ones. System B finds {easy_b} % and "
        f"{hard_b} %: A is better in **both** groups. Each was tried on 100 cases of its own. How many of them were "
        "easy, so that **B’s overall recall is at least 5 points higher**?",
        Values(names, lambda mix: gap(mix) >= 0.05 - 1e-12, (10, 90), highest=100, numbers=numbers),
        (
            ("same mix", lambda mix: mix[0] == mix[1], "With the same mix of cases, the system that is better in both "
             "groups is better overall. Only different mixes can reverse that.", (50, 50)),
            ("wrong way", lambda mix: mix[0] > mix[1], "You gave A the easier cases, which helps A. Who has to have it "
             "easy here?", (90, 10)),
            ("not enough", lambda mix: gap(mix) < 0.05, "The direction is right; the mixes have to differ more.",
             (50, 60)),
        ),
        f"With 10 easy cases, A finds (10·{easy_a} + 90·{hard_a}) / 100 = {share_text(overall(10, easy_a, hard_a))}. "
        f"With 90, B finds (90·{easy_b} + 10·{hard_b}) / 100 = {share_text(overall(90, easy_b, hard_b))}. The overall "
        "recall compares the cases, not the systems.",
    )  # fmt: skip


@challenge("random_test", "A coin in ROC space", "scores")
def _random_test(draw: Draw) -> Question:
    share = draw.one_of(30, (15, 20, 25, 35, 70, 75, 80)) / 100
    ill = draw.one_of(20, (10, 30)) / 100
    axes = ("FPR", "TPR")

    return built_question(
        f"{100 * ill:.0f} % of a population are ill. A “test” calls {100 * share:.0f} % of the population positive, "
        "**at random**. Where does it lie in ROC space on average?",
        Mark(share, share, axes=axes),
        (
            near_point(
                "complement", (share, 1 - share),
                "The false positive rate is right. Chance does not know who is ill: which share of the ill does it "
                "call positive?",
            ),
            near_point(
                "shares of all", (share * (1 - ill), share * ill),
                "You counted shares of *all* people. Each rate is a share of its own class, so the prevalence drops "
                "out.",
            ),
            near_point("middle", (0.5, 0.5), "(½, ½) is a fair coin. This one does not say yes half of the time."),
            near_point("corner", (0, 0), "(0, 0) is a test that never says yes. This one does."),
            near_point(
                "swapped classes", (1 - share, share),
                "The true positive rate is right. How many of the healthy does chance alarm?",
            ),
        ),
        f"It calls {100 * share:.0f} % of the ill and {100 * share:.0f} % of the healthy positive: ({share:g}, "
        f"{share:g}), on the diagonal. Moving how often it says yes moves the point along the diagonal.",
        "classify/curves", {"data": "four_methods"},
    )  # fmt: skip
