"""Stories of scores as an order: scores that tie, and scores that are no probabilities."""

import numpy as np

from evalcore.classification import ScoredLabels, fall_out, precision, recall, roc_auc, specificity
from evalcore.wording import count_text, share_text

from ..questions import Step
from .asking import choose, count, mark, work_out
from .scores import ROC_AXES, scored_example
from .story import Story, compared, example

__all__ = ["STORIES"]


def _ties() -> Story:
    worked, scored, state = example("roc-ties-10"), scored_example("roc-ties-10"), {"data": "roc_ties_10"}
    given, printed, tied = worked["input"], worked["printed"], 0.85
    scores, labels = np.array(given["score"]), np.array(given["label"]) == given["positive"]
    before, after = scored.counts_at(0.87), scored.counts_at(tied)
    hopeful, fearful = (
        float(
            roc_auc(ScoredLabels.from_arrays(labels, np.where(scores == tied, scores + sign * 0.001 * labels, scores)))
        )
        for sign in (1, -1)
    )
    auc, cells = float(roc_auc(scored)), scored.counts_at(printed["threshold"])
    group = scores == tied
    p, n = scored.positives, scored.negatives
    start, end = ((float(fall_out(one)), float(recall(one))) for one in (before, after))
    up, along = (start[0], end[1]), (end[0], start[1])
    erratum = worked["errata"][0]
    steps = (
        Step(
            "Three with one score",
            f"Ten instances are scored. {int(group.sum())} of them have the score {tied}: "
            f"{int((group & labels).sum())} positive and {int((group & ~labels).sum())} negative. Above them stand 2 "
            f"positives and 1 negative.",
            count(
                f"How many false positives are there at the threshold {tied}?", after.fp,
                f"All three are called positive: {count_text(float(after.fp))} false and "
                f"{count_text(float(after.tp))} true positives.",
                ("before the tie", float(before.fp), f"That is the count above {tied}. At the threshold the scores "
                                                     f"that equal it count as positive."),
                ("half of the tie", float(before.fp) + 1, "You took one of the two negatives. A threshold cannot "
                                                          "tell equal scores apart."),
                ("all of the tie", float(before.fp) + int(group.sum()), "You counted the positive one too. It is a "
                                                                        "true positive."),
            ),
            "Equal scores cross the threshold together. A program that takes them one by one shows an order that the "
            "scores do not have.",
            "classify/threshold", state | {"t": "0.85"},
            (
                compared("Threshold", printed["threshold"], [*np.unique(scores[~group]), 1.0], 2, erratum),
                compared("TP", printed["tp"], cells.tp, 0), compared("FP", printed["fp"], cells.fp, 0),
            ),
        ),
        Step(
            "The next point",
            f"Just above the tie the curve stands at {start[0]:g} to the right and {start[1]:g} up.",
            mark(
                f"Mark the point of the threshold {tied}: {count_text(float(after.tp))} of {count_text(p)} "
                f"positives, {count_text(float(after.fp))} of {count_text(n)} negatives.",
                end, ROC_AXES, f"{share_text(end[0])} to the right, {share_text(end[1])} up.",
                ("positive first", up, "You took the positive one first. All three come at once."),
                ("negatives first", along, "You took the negatives first. All three come at once."),
                ("before", start, "That is the point before the tie."),
                points=(("above", *start),),
            ),
            "The curve goes from one point to the next in a straight line: that is what tossing a coin among the "
            "tied instances would give on average.",
            "classify/curves", state | {"t": "0.85"},
        ),
        Step(
            "The area with ties",
            "Of a pair with equal scores, half counts as right.",
            work_out(
                "What is the area under the curve?", auc,
                f"{count_text(auc * p * n)} of {count_text(p * n)} pairs: {share_text(auc)}.",
                ("positive first", hopeful, "You counted tied pairs as right. Each counts one half."),
                ("negatives first", fearful, "You counted tied pairs as wrong. Each counts one half."),
                ("guessing", 0.5, "One half is guessing. Count the pairs in the right order."),
            ),
            f"With the positives first, the same scores give {share_text(hopeful)}, with the negatives first "
            f"{share_text(fearful)}. If two programs disagree about an area, look for ties.",
            "classify/curves", state,
        ),
    )  # fmt: skip
    return Story(
        "roc-ties-10", "Scores that tie", "Scores", "What does a curve do at equal scores?", worked["source"], steps
    )


def _glucose() -> Story:
    worked, scored, state = example("roc-glucose-10"), scored_example("roc-glucose-10"), {"data": "glucose_10"}
    scores, rows = worked["input"]["score"], worked["printed"]["first rows"]
    cut = scored.counts_at(scores[1])
    auc = float(roc_auc(scored))
    logged = float(roc_auc(ScoredLabels.from_arrays(worked["input"]["label"], np.log(scores), positive=1)))
    comparisons = tuple(
        compared(f"Row {at}: TP, FN, TN, FP", [row[cell] for cell in ("tp", "fn", "tn", "fp")],
            [getattr(c, cell) for cell in ("tp", "fn", "tn", "fp")], 0)
        for at, (row, c) in enumerate(zip(rows, map(scored.counts_at, scores), strict=False), 1)
    ) + tuple(
        compared(f"Row {at}: recall, specificity", [row["recall"], row["specificity"]], [recall(c), specificity(c)], 1)
        for at, (row, c) in enumerate(zip(rows, map(scored.counts_at, scores), strict=False), 1)
    )  # fmt: skip
    steps = (
        Step(
            "No probabilities",
            f"Ten people have a measured value between {min(scores):g} and {max(scores):g}; five are ill.",
            choose(
                "Can a ROC curve be drawn from such values?", "yes, it needs only their order",
                {
                    "no, scores must lie between 0 and 1": "Try it: sort the values and take each as a threshold. Is "
                                                           "anything missing?",
                    "yes, after dividing by the largest": "You may divide, but what would change? The order stays.",
                    "only if they are calibrated": "Calibration matters for probabilities. A threshold needs an order.",
                },
                "Sort the values; each is a threshold.", at=1,
            ),
            "Laboratory values, distances and similarities all have ROC curves. Only what reads a score as a "
            "probability, such as log loss, needs values between 0 and 1.",
            "classify/curves", state, comparisons,
        ),
        Step(
            "The second row",
            f"The two highest values are {scores[0]:g} (ill) and {scores[1]:g} (healthy). Set the threshold to "
            f"{scores[1]:g}.",
            work_out(
                "What is the specificity?", specificity(cut),
                f"{count_text(float(cut.tn))} of {count_text(scored.negatives)} healthy people stay below: "
                f"{share_text(float(specificity(cut)))}.",
                ("false positive rate", fall_out(cut), "That is the share of healthy people with an alarm. "
                                                       "Specificity is the rest."),
                ("precision", precision(cut), "You divided by the alarms. Specificity divides by the healthy."),
                ("nobody", 1.0, "At this threshold one healthy person gets an alarm."),
            ),
            "Here a table of thresholds starts with the highest value: recall never falls from row to row, "
            "and specificity never rises.",
            "classify/threshold", state | {"t": f"{scores[1]:g}"},
        ),
        Step(
            "Another unit",
            f"The area under the curve is {share_text(auc)}. A colleague converts the values to another unit and "
            f"takes the logarithm.",
            choose(
                "What happens to the area?", "it stays the same",
                {
                    "it rises": "A logarithm pulls large values together. Does it change who stands above whom?",
                    "it falls": "Nothing is lost: the order of the ten people is the same.",
                    "it cannot be known": "It can: think of pairs of one ill and one healthy person.",
                },
                f"It is {share_text(logged)} again: no pair has changed its order.", at=2,
            ),
            "Any change of scale that keeps the order keeps the curve. That is why the area cannot tell whether a "
            "score is a good probability.",
            "classify/curves", state,
        ),
    )  # fmt: skip
    return Story(
        "roc-glucose-10", "A laboratory value", "Scores", "Must a score be a probability?", worked["source"], steps
    )


STORIES = (_ties(), _glucose())
