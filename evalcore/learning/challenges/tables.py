"""Challenges of one 2×2 table: its ratios, and what they become at another prevalence or with costs."""

from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    false_discovery_rate,
    negative_predictive_value,
    recall,
    specificity,
)
from evalcore.learning.challenges.challenge import Draw, challenge, number_question
from evalcore.learning.questions import Question
from evalcore.wording import count_text, number_text, share_text


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
        f"A test gave these results:\n\n{table_text(counts, 'ill', 'healthy')}\n\n"
        "Somebody tested positive. How likely are they to be ill? Give the **precision**.",
        tp / alarms,
        [
            ("recall", float(recall(counts)),
             "You divided by the row, the people who are ill. The question starts from people who tested positive: "
             "which "
             "cells are those?"),
            ("complement", float(false_discovery_rate(counts)),
             "That is the share of *false* alarms among the alarms. You are asked for the other part."),
            ("accuracy", float(accuracy(counts)),
             "That is the accuracy: it counts the people who tested negative too. Look only at those who tested "
             "positive."),
            ("npv", float(negative_predictive_value(counts)),
             "That is how far a *negative* result can be believed. Take the other column."),
            ("share of all", tp / float(counts.total),
             "You divided by all people. Only some of them tested positive."),
        ],
        f"Of {alarms:.0f} people who tested positive, {tp:.0f} are ill: {tp:.0f} / {alarms:.0f} = "
        f"{share_text(tp / alarms)}.",
        page="classify/confusion",
        settings=cells_of(counts),
    )  # fmt: skip


@challenge("false_positive_rate", "Specificity or false positive rate?", "tables")
def _false_positive_rate(draw: Draw) -> Question:
    counts = drawn_test(draw)
    fp, healthy = float(counts.fp), float(counts.actual_negatives)
    return number_question(
        f"A test gave these results:\n\n{table_text(counts, 'ill', 'healthy')}\n\n"
        "What is its **false positive rate** (the x axis of a ROC curve), in percent with one decimal?",
        fp / healthy,
        [
            ("specificity", float(specificity(counts)),
             "That is the specificity, the share of the healthy whom the test clears. You are asked for those it "
             "alarms."),
            ("false discovery rate", float(false_discovery_rate(counts)),
             "You divided by the column, all alarms. A *rate* of the ROC curve looks at one actual class: here at "
             "which?"),
            ("share of all", fp / float(counts.total),
             "You divided by everybody. The ill cannot cause a false alarm, so leave them out."),
            ("miss rate", 1 - float(recall(counts)),
             "That is the miss rate, the share of the ill who test negative. Take the other row."),
        ],
        f"{fp:.0f} of {count_text(healthy)} healthy people are alarmed: {share_text(fp / healthy)} = 1 − specificity.",
        tolerance=0.0005,
        page="classify/confusion",
        settings=cells_of(counts),
    )  # fmt: skip


@challenge("ppv_below_half", "Where an alarm is more often wrong than right", "tables")
def _ppv_below_half(draw: Draw) -> Question:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 25) / 100
    answer = fpr / (tpr + fpr)
    return number_question(
        f"A test has a recall of {100 * tpr:.0f} % and a specificity of {100 * (1 - fpr):.0f} %. Below which "
        "**prevalence** is a positive "
        "result more often wrong than right (precision below ½)? Give it in percent with one decimal.",
        answer,
        [
            ("false positive rate", fpr,
             "That is the false positive rate, a share of the healthy alone. Set the true alarms among 100 people "
             "equal to the false ones."),
            ("complement", 1 - answer,
             "That is the share of the *healthy* at this point. The prevalence is the share of the ill."),
            ("specificity for its complement", (1 - fpr) / (1 - fpr + tpr),
             "You used the specificity where false alarms are needed. What share of the healthy is alarmed?"),
            ("half", 0.5,
             "It is the precision that is ½, not the prevalence. Write the true and the false alarms of 100 people, "
             "of whom g are "
             "ill, "
             "and set them equal."),
            ("misses for hits", fpr / (1 - tpr + fpr),
             "You set the false alarms equal to the *missed* ill. Alarms come from the ill whom the test finds."),
        ],
        f"True alarms are {tpr:g}·g of all, false alarms {fpr:g}·(1 − g). They are equal at "
        f"g = {fpr:g} / ({tpr:g} + {fpr:g}) = {share_text(answer)}.",
        tolerance=0.0015,
        page="classify/confusion",
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
            ("odds", after,
             "These are the odds after the test, ill to healthy. Turn them into a probability."),
            ("ratio times probability", ratio * before,
             "You multiplied the *probability* by the likelihood ratio. It multiplies odds."),
            ("probability as odds", ratio * before / (1 + ratio * before),
             "You took the probability for the odds. What are the odds of an event of this probability?"),
            ("recall", tpr,
             "That is the recall: how many of the ill test positive. The question goes the other way."),
            ("no test", before,
             "That is the probability before the test. A positive result has to raise it."),
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
            ("always yes", (1000 - ill) * alarm,
             "That is what it costs to always say *yes*. Which error can a test make that never raises an alarm?"),
            ("both errors", ill * miss + (1000 - ill) * alarm,
             "You charged both errors. Can a test that always says no raise a false alarm?"),
            ("per person", ill * miss / 1000, "That is the cost per person. The question is about all 1,000."),
        ],
        f"It misses all {ill} who are ill and alarms nobody: {ill} × {miss} = {ill * miss}. A test has to cost less "
        "than "
        "this to be worth using.",
        is_share=False,
        tolerance=0.001,
        page="classify/confusion",
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
            ("complement", 1 - answer,
             "You would alarm only where illness is nearly certain. Misses are the expensive error: should alarms "
             "become "
             "rarer or more frequent?"),
            ("odds", 1 / ratio,
             "These are the *odds* at which both errors cost the same. Turn them into a probability."),
            ("half", 0.5,
             "½ is right if both errors cost the same. Write down what an alarm costs on average at probability p, "
             "and what "
             "no alarm costs."),
        ],
        f"An alarm costs (1 − p)·1 on average, no alarm p·{ratio}. They are equal at p = 1 / (1 + {ratio}) = "
        f"{number_text(answer)}.",
        tolerance=0.001,
    )  # fmt: skip
