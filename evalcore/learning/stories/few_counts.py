"""Stories of one table of four counts: tests that always says no, and a small one by hand."""

from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    balanced_accuracy,
    f_beta,
    negative_predictive_value,
    precision,
    recall,
    specificity,
)
from evalcore.wording import count_text, number_text, share_text

from ..questions import Step
from .asking import choose, work_out
from .story import Story, example

__all__ = ["STORIES"]

_PAGE = "classify/confusion"


def _counts(id: str) -> ConfusionCounts:
    return ConfusionCounts(**example(id)["input"])


def _never() -> Story:
    worked, c, state = example("always-negative"), _counts("always-negative"), {"data": "always_negative"}
    right, rows, ill = float(accuracy(c)), float(c.fn + c.tn), float(c.actual_positives)
    middle = float(balanced_accuracy(c))
    steps = (
        Step(
            "Nearly perfect",
            f"{count_text(ill)} of {count_text(rows)} cases are positive. A classifier says no to all of them.",
            work_out(
                "What is its accuracy?", right,
                f"{count_text(float(c.tn))} of {count_text(rows)}: {share_text(right)}.",
                ("nothing found", 0.0, "It finds nothing, but it is right about all the negatives."),
                ("per thousand", 1 - ill / 1000, "You are out by a factor of ten: 1 % of 10,000 is 100."),
                ("error rate", 1 - right, "That is the share of errors."),
                tolerance=0.0005,
            ),
            "Where one class is rare, a high accuracy comes for free. Compare it with the share of the larger class, "
            "the no-information rate.",
            _PAGE, state,
            measure="accuracy",
        ),
        Step(
            "What are its alarms worth?",
            "It has never raised an alarm.",
            choose(
                "What is its precision?", "undefined",
                {
                    "0 %": "Zero would mean that it raised alarms and all were false.",
                    "100 %": "No alarm was false, but none was true either.",
                    "99.9 %": "That is its accuracy. Precision looks at the alarms alone.",
                },
                "TP / (TP + FP) = 0 / 0: the share of nothing has no value.", at=2,
            ),
            "Some programs print 0 %. That makes a test without alarms look like one whose alarms are all false.",
            _PAGE, state,
        ),
        Step(
            "A number that sees through it",
            "Balanced accuracy is the mean of recall and specificity.",
            work_out(
                "What is its balanced accuracy?", middle, f"(0 + 1) / 2 = {share_text(middle)}, what guessing gives.",
                ("accuracy", right, "That is accuracy, in which the negatives outweigh everything."),
                ("recall", 0.0, "That is its recall. Its specificity is 1; take the mean."),
                ("specificity", 1.0, "That is its specificity. Its recall is 0; take the mean."),
                tolerance=0.0005,
            ),
            "Each class has the same weight, so nothing can be gained by giving up the rare one. Remedies for "
            "imbalance work the same way: a higher cost for misses, or a sample with more positives.",
            _PAGE, state,
            measure="recall",
        ),
    )  # fmt: skip
    return Story(
        "always-negative",
        "A classifier that always says no",
        "Counts",
        "How can it be right in 999 of 1,000 cases?",
        worked["source"],
        steps,
    )


def _small() -> Story:
    worked, c = example("counts-4-1-2-3"), _counts("counts-4-1-2-3")
    tp, fp, fn, tn = (float(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    state = {"cells": ",".join(f"{cell:g}" for cell in (tp, fp, fn, tn))}
    hit, ppv, true_negative, f, npv = (
        float(measure(c)) for measure in (recall, precision, specificity, f_beta, negative_predictive_value)
    )
    words = f"TP {tp:g}, FN {fn:g}, FP {fp:g}, TN {tn:g}."
    steps = (
        Step(
            "Sensitivity",
            words,
            work_out(
                "What is the sensitivity (recall)?", hit, f"{tp:g} / ({tp:g} + {fn:g}) = {share_text(hit)}.",
                ("precision", ppv, "You divided by the predicted positives. Sensitivity divides by the actual ones, "
                                   "TP + FN."),
                ("specificity", true_negative, "That is specificity, the same for the negatives."),
                ("of all", tp / (tp + fp + fn + tn), "You divided by all rows. Sensitivity divides by the actual "
                                                     "positives."),
            ),
            "Sensitivity, recall and true positive rate are three names for one number.",
            _PAGE, state,
            measure="recall",
        ),
        Step(
            "Specificity",
            words,
            work_out(
                "What is the specificity?", true_negative, f"{tn:g} / ({tn:g} + {fp:g}) = {share_text(true_negative)}.",
                ("fall-out", 1 - true_negative, "That is 1 − specificity, the false positive rate."),
                ("NPV", npv, "You divided by the predicted negatives. Specificity divides by the actual ones, TN + "
                             "FP."),
                ("sensitivity", hit, "That is sensitivity, the same for the positives."),
            ),
            "Sensitivity looks at the ill, specificity at the healthy. Neither depends on how many there are of each.",
            _PAGE, state,
            measure="specificity",
        ),
        Step(
            "F1",
            f"{words} Precision is {share_text(ppv)}, recall {share_text(hit)}.",
            work_out(
                "What is F1? (to three decimals)", f,
                f"2 · {tp:g} / (2 · {tp:g} + {fp:g} + {fn:g}) = {number_text(f)}.",
                ("arithmetic mean", (ppv + hit) / 2, "That is the arithmetic mean of precision and recall. F1 is the "
                                                     "harmonic one."),
                ("accuracy", float(accuracy(c)), "That is accuracy. F1 leaves out the true negatives."),
                ("Jaccard", tp / (tp + fp + fn), "That is the Jaccard index. In F1 the true positives count twice."),
                tolerance=0.002,
            ),
            "F1 is the special case β = 1 of F. With β = 2, recall counts as twice as important as precision.",
            _PAGE, state,
        ),
    )  # fmt: skip
    return Story(
        "counts-4-1-2-3", "Ten rows, four counts", "Counts", "Which sum do you divide by?", worked["source"], steps
    )


STORIES = (_never(), _small())
