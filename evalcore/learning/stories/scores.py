"""Stories of several classifiers beside each other, by their counts."""

import numpy as np

from evalcore.classification import (
    ConfusionCounts,
    ScoredLabels,
    accuracy,
    f_beta,
    fall_out,
    inverted,
    negative_predictive_value,
    precision,
    recall,
    roc_auc,
    specificity,
)
from evalcore.learning.questions import Comparison, Step
from evalcore.learning.stories.story import Steps, choose, compared, count, example, mark, story, work_out
from evalcore.wording import count_text, number_text, share_text

ROC_AXES = ("false positive rate", "true positive rate")


def scored_example(id: str) -> ScoredLabels:
    """The scores of a worked example."""
    given = example(id)["input"]
    return ScoredLabels.from_arrays(given["label"], given["score"], positive=given["positive"])


@story("roc-20", "Twenty scored instances", "Scores", "Where would you set the threshold?")
def _roc_table() -> Steps:
    worked, scored, state = example("roc-20"), scored_example("roc-20"), {"data": "roc_20"}
    printed, cells = worked["printed"], scored.counts_at(worked["printed"]["threshold"])
    early, best = 0.6, printed["best accuracy threshold"]
    at, cut = scored.counts_at(early), scored.counts_at(best)
    x, y = float(fall_out(cut)), float(recall(cut))
    auc, pairs = float(roc_auc(scored)), int(scored.positives * scored.negatives)
    right = accuracy(cells)
    page = "classify/threshold"
    return (
        Step(
            "The first alarms",
            f"Twenty instances have a score; {count_text(scored.positives)} of them are positive (P). An instance is "
            f"called positive if its score reaches the threshold.",
            work_out(
                f"The instances at the top are P, P, N, P with the scores 0.9, 0.8, 0.7, 0.6. What is the true "
                f"positive rate at the threshold {early}?",
                recall(at),
                f"{count_text(float(at.tp))} of {count_text(scored.positives)} positives: "
                f"{share_text(float(recall(at)))}.",
                ("precision", precision(at), "You divided by the alarms. The true positive rate divides by the "
                                             "positives."),
                ("all", float(at.tp) / 20, "You divided by all instances. The true positive rate divides by the "
                                           "positives."),
                ("false positive rate", fall_out(at), "That is the false positive rate: alarms among the negatives."),
            ),
            "Each lower threshold adds one instance. A positive moves the ROC curve one step up, a negative one step "
            "to the right.",
            page, state | {"t": "0.6"},
            (
                compared("TP", printed["tp"], cells.tp, 0), compared("FP", printed["fp"], cells.fp, 0),
                compared("FN", printed["fn"], cells.fn, 0), compared("TN", printed["tn"], cells.tn, 0),
            ),
        ),
        Step(
            "A point of the curve",
            f"At the threshold {best}, {count_text(float(cut.tp))} of {count_text(scored.positives)} positives and "
            f"{count_text(float(cut.fp))} of {count_text(scored.negatives)} negatives are called positive.",
            mark(
                "Mark the point of this threshold on the ROC plane.", (x, y), ROC_AXES,
                f"{share_text(x)} to the right, {share_text(y)} up.",
                ("swapped", (y, x), "You have swapped the axes. False positives go to the right."),
                ("precision", (x, float(precision(cut))), "You marked precision upwards. The ROC curve shows the "
                                                          "true positive rate."),
                ("specificity", (1 - x, y), "You marked specificity to the right. The axis is 1 − specificity."),
            ),
            "The top left corner is perfect, the diagonal is guessing. A threshold is one point; the curve is all of "
            "them.",
            "classify/curves", state | {"t": f"{best:g}"},
            (
                compared("Threshold", printed["threshold"],
                    np.sort(scored.thresholds()[np.isfinite(scored.thresholds())])[::-1], 2),
                compared("TPR, %", printed["tpr_percent"], 100 * recall(cells), 0),
                compared("FPR, %", printed["fpr_percent"], 100 * fall_out(cells), 0),
            ),
        ),
        Step(
            "Where would you cut?",
            "Both errors cost the same, so you want the highest accuracy.",
            choose(
                "Which threshold do you choose?", f"{best:g}",
                {
                    "0.8": "There are no false alarms yet, but eight of ten positives are missed.",
                    "0.5": "One half is nothing special: these scores are not probabilities. Count the errors.",
                    "0.38": "Eight positives are found, but five negatives too. Count both kinds of error.",
                },
                f"{share_text(float(accuracy(cut)))} are right at {best:g}.", at=1,
            ),
            "A score orders the rows; it need not be a probability. The threshold ½ has a meaning only where the "
            "scores are calibrated and both errors cost the same.",
            page, state | {"t": f"{best:g}"},
            (
                compared("Accuracy, %", printed["accuracy_percent"], 100 * right, 0),
                compared("Best accuracy at", best, printed["threshold"][int(np.argmax(right))], 2),
            ),
        ),
        Step(
            "One number for the curve",
            f"Draw one positive and one negative at random: there are {pairs} such pairs. In "
            f"{count_text(auc * pairs)} of them the positive has the higher score.",
            work_out(
                "What is the area under the ROC curve?", auc,
                f"{count_text(auc * pairs)} of {pairs}: {share_text(auc)}.",
                ("guessing", 0.5, "One half is guessing. Here positives score higher more often."),
                ("accuracy", accuracy(cut), "That is the accuracy at one threshold. The area looks at pairs, not at "
                                            "a threshold."),
                ("complement", 1 - auc, "That is the share of pairs in the wrong order."),
            ),
            "The area is the chance that a positive scores higher than a negative. It says how good the order is, "
            "not where to cut.",
            "classify/curves", state,
        ),
    )  # fmt: skip


@story(
    "costs-10-1", "A miss costs ten false alarms", "Scores", "Where do you cut if errors cost differently?",
    example("roc-20")["source"],
)  # fmt: skip
def _costs() -> Steps:
    worked, scored = example("roc-20"), scored_example("roc-20")
    thresholds = worked["printed"]["threshold"]
    cells, factor, first = scored.counts_at(thresholds), 10, worked["printed"]["best accuracy threshold"]
    cost = factor * cells.fn + cells.fp
    at, best = thresholds.index(first), int(np.argmin(cost))
    fn, fp = float(cells.fn[at]), float(cells.fp[at])
    last, middle = len(thresholds) - 1, thresholds.index(0.38)
    swap = next(c for c in np.arange(1, 10, 0.1) if np.argmin(c * cells.fn + cells.fp) != at)
    risk = 1 / (1 + factor)
    state, page = {"data": "roc_20"}, "classify/threshold"
    return (
        Step(
            "The price of the best accuracy",
            f"The twenty instances again. Now a miss costs as much as {factor} false alarms. At the threshold "
            f"{first} there are {count_text(fn)} misses and {count_text(fp)} false alarm.",
            count(
                "What do its errors cost, in false alarms?", cost[at],
                f"{factor} · {count_text(fn)} + {count_text(fp)} = {count_text(float(cost[at]))}.",
                ("number of errors", fn + fp, "You counted the errors. Weigh each miss."),
                ("swapped", fn + factor * fp, "You weighed the false alarms. It is the miss that costs more."),
                ("misses alone", factor * fn, "You left out the false alarms."),
            ),
            "Accuracy weighs both errors alike. Where they cost differently, the best accuracy is the wrong goal.",
            page, state | {"t": f"{first:g}"},
        ),
        Step(
            "Cut again",
            f"At {thresholds[middle]:g} there are {count_text(float(cells.fn[middle]))} misses and "
            f"{count_text(float(cells.fp[middle]))} false alarms, at {thresholds[best]:g} "
            f"there are {count_text(float(cells.fn[best]))} and {count_text(float(cells.fp[best]))}, at "
            f"{thresholds[last]:g} there are {count_text(float(cells.fn[last]))} and "
            f"{count_text(float(cells.fp[last]))}.",
            choose(
                "Which threshold costs least?", f"{thresholds[best]:g}",
                {
                    f"{first:g}": f"Its {count_text(fn)} misses cost {count_text(factor * fn)}.",
                    f"{thresholds[middle]:g}": "Two misses cost as much as 20 false alarms. Can they be avoided for "
                                               "less?",
                    f"{thresholds[last]:g}": "No miss, but one false alarm more than needed.",
                },
                f"It costs {count_text(float(cost[best]))}, against {count_text(float(cost[at]))} at {first:g}.", at=2,
            ),
            "When misses are expensive, the threshold falls: more false alarms are accepted to avoid a miss.",
            page, state | {"t": f"{thresholds[best]:g}"},
        ),
        Step(
            "When would you act?",
            f"Suppose a model gives calibrated probabilities. A miss still costs as much as {factor} false alarms.",
            work_out(
                "From which probability on should you act?", risk,
                f"Acting costs 1 − p, waiting costs {factor} p. They are equal at 1/{factor + 1} = {share_text(risk)}.",
                ("ratio", 1 / factor, f"Close. At p = 1/{factor} waiting costs {factor} p = 1, acting only 1 − p. "
                                      f"Set the two equal."),
                ("half", 0.5, "One half is right where both errors cost the same."),
                ("complement", 1 - risk, "That is the threshold if a false alarm cost as much as ten misses."),
                tolerance=0.002,
            ),
            "With calibrated probabilities the costs alone give the threshold. No data are needed to choose it.",
            page, state | {"t": f"{thresholds[best]:g}"},
        ),
        Step(
            "If the costs are not known",
            f"At equal costs {first:g} is best, at {factor}:1 {thresholds[best]:g}. Nobody can say what a miss "
            f"costs, only that it costs somewhat more than a false alarm.",
            choose(
                f"Does {first:g} stay best up to 2:1?", f"no, only up to about {swap - 0.1:.1f}:1",
                {
                    "yes: 2:1 is nearly equal": "Compare it with 0.38, which has three fewer misses and four more "
                                                "false alarms.",
                    "that depends on the prevalence": "The counts are given, and with them the prevalence. Compare "
                                                      "two thresholds.",
                },
                f"0.38 exchanges {count_text(fn - float(cells.fn[middle]))} misses for "
                f"{count_text(float(cells.fp[middle]) - fp)} false alarms. That pays when a miss costs more than 4/3.",
                at=1,
            ),
            "Each threshold on the convex hull of the curve is best for a range of costs; the others are never best. "
            "Often the range is wide, and knowing the costs roughly is enough. Here it is narrow.",
            page, state | {"t": f"{first:g}"},
        ),
    )  # fmt: skip


@story("roc-ties-10", "Scores that tie", "Scores", "What does a curve do at equal scores?")
def _ties() -> Steps:
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
    return (
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


@story("roc-glucose-10", "A laboratory value", "Scores", "Must a score be a probability?")
def _glucose() -> Steps:
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
    return (
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


_CURVES, _CONFUSION = "classify/curves", "classify/confusion"


def _systems(id: str) -> dict[str, ConfusionCounts]:
    return {name: ConfusionCounts(*cells) for name, cells in example(id)["input"].items() if name != "order"}


@story("two-classifiers-digit-2", "Who finds the 2?", "Classifiers", "Which of two classifiers is better?")
def _digit() -> Steps:
    tables = _systems("two-classifiers-digit-2")
    one, two = tables["1"], tables["2"]
    state = {"data": "two_classifiers"}
    first, second = state | {"system": "classifier 1"}, state | {"system": "classifier 2"}
    p, r, f = (float(measure(one)) for measure in (precision, recall, f_beta))
    positives, negatives = float(one.actual_positives), float(one.actual_negatives)
    return (
        Step(
            "By accuracy",
            f"{count_text(positives + negatives)} images, {count_text(positives)} of them show a 2. Classifier 1 "
            f"finds {count_text(float(one.tp))} of these and takes {count_text(float(one.fp))} others for a 2. "
            f"Classifier 2 finds {count_text(float(two.tp))} and takes {count_text(float(two.fp))} others for a 2.",
            choose(
                "Which has the higher accuracy?", "classifier 2",
                {
                    "classifier 1": "It finds more, but count all errors: misses and false alarms.",
                    "both the same": "Count the errors of each: misses and false alarms.",
                },
                f"Classifier 2 makes {count_text(float(two.fp + two.fn))} errors, classifier 1 "
                f"{count_text(float(one.fp + one.fn))}.", at=1,
            ),
            "Ten images in eleven show something else, and they decide the accuracy.",
            _CONFUSION, second,
            measure="accuracy",
        ),
        Step(
            "By precision",
            "Perhaps classifier 1 merely cries wolf more often.",
            work_out(
                "What is the precision of classifier 1?", p,
                f"{count_text(float(one.tp))} of {count_text(float(one.predicted_positives))}: {share_text(p)}, "
                f"against {share_text(float(precision(two)))}.",
                ("recall", r, "You divided by the images that show a 2. Divide by those it called a 2."),
                ("false alarms", 1 - p, "That is the share of its alarms that are false."),
                ("odds", float(one.tp / one.fp), "You divided right alarms by false ones. Divide by all alarms."),
            ),
            "It finds more, and its alarms are a little more reliable too. Classifier 2 is ahead only because it "
            "rarely says yes.",
            _CONFUSION, first,
        ),
        Step(
            "By F1",
            f"Recall of classifier 1 is {share_text(r)}, of classifier 2 {share_text(float(recall(two)))}.",
            work_out(
                "What is F1 of classifier 1? (to two decimals)", f,
                f"2 · {count_text(float(one.tp))} / ({count_text(float(one.predicted_positives))} + "
                f"{count_text(positives)}) = {number_text(f)}, against {number_text(float(f_beta(two)))}.",
                ("arithmetic mean", (p + r) / 2, "That is the arithmetic mean of precision and recall. F1 is the "
                                                 "harmonic one."),
                ("accuracy", float(accuracy(one)), "That is its accuracy, in which the other digits count too."),
                ("product", p * r, "That is the product. Divide twice the product by the sum."),
            ),
            "F1 leaves out the true negatives, so the many other digits do not drown the few that matter.",
            _CONFUSION, first,
        ),
    )  # fmt: skip


@story("four-methods-roc", "Four methods in ROC space", "Classifiers", "Which rules in, which rules out?")
def _four_methods() -> Steps:
    worked, tables, state = example("four-methods-roc"), _systems("four-methods-roc"), {"data": "four_methods"}
    measures = {
        "recall": recall,
        "fpr": fall_out,
        "precision": precision,
        "npv": negative_predictive_value,
        "accuracy": accuracy,
    }
    names = {"recall": "Recall", "fpr": "FPR", "precision": "Precision", "npv": "NPV", "accuracy": "Accuracy"}
    at = {name: (float(fall_out(table)), float(recall(table))) for name, table in tables.items()}
    points = [(name, *point) for name, point in at.items()]
    a, b, turned = tables["A"], tables["B"], inverted(tables["B"])
    back = float(fall_out(turned)), float(recall(turned))
    ppv = {name: share_text(float(precision(table))) for name, table in tables.items()}
    npv = {name: share_text(float(negative_predictive_value(table))) for name, table in tables.items()}

    def beside(name: str) -> tuple[Comparison, ...]:
        printed = worked["printed"][name]
        return (
            compared(f"{name}: {', '.join(names[key] for key in printed)}", [*printed.values()],
                [measures[key](tables[name]) for key in printed], 2),
        )  # fmt: skip

    return (
        Step(
            "A point for a method",
            f"Method A is tried on 100 positives and 100 negatives. It finds {count_text(float(a.tp))} of the "
            f"positives and raises {count_text(float(a.fp))} false alarms.",
            mark(
                "Mark A on the ROC plane.", at["A"], ROC_AXES,
                f"{share_text(at['A'][0])} to the right, {share_text(at['A'][1])} up.",
                ("swapped", at["A"][::-1], "You have swapped the axes: false alarms go to the right."),
                ("precision", (at["A"][0], float(precision(a))), "You marked precision upwards. The axis is recall."),
                ("specificity", (1 - at["A"][0], at["A"][1]), "You marked specificity to the right. The axis is 1 − "
                                                              "specificity."),
            ),
            "A method without scores is a single point. One that lies above and to the left of another is better.",
            _CURVES, state | {"system": "A"}, beside("A"),
        ),
        Step(
            "Rule in",
            "Before an operation a positive result must be reliable: it rules the illness in.",
            choose(
                "Which method do you trust when it says yes?", "D",
                {
                    "A": f"It finds most, but of its positives only {ppv['A']} are ill. Who raises fewer false alarms?",
                    "B": "It says yes more often to the healthy than to the ill.",
                    "C": f"It says yes to most people, ill or not: only {ppv['C']} of its positives are ill.",
                },
                f"{ppv['D']} of its positives are ill; only {share_text(at['D'][0])} of the healthy get an alarm.",
                at=3,
            ),
            "Methods that rule in lie on the left: few false alarms. Their precision is high even if they miss many.",
            _CURVES, state | {"system": "D"}, beside("D"),
        ),
        Step(
            "Rule out",
            "After a negative result people are sent home: it must rule the illness out.",
            choose(
                "Which method do you trust when it says no?", "A",
                {
                    "C": f"It finds {share_text(at['C'][1])}, but it rarely says no: of its negatives only "
                         f"{npv['C']} are healthy.",
                    "D": f"It says no to many who are ill: only {npv['D']} of its negatives are healthy.",
                    "B": f"Of its negatives only {npv['B']} are healthy.",
                },
                f"{npv['A']} of its negatives are healthy; it misses only {share_text(1 - at['A'][1])} of the ill.",
                at=2,
            ),
            "Methods that rule out lie at the top: few misses. High recall alone is not enough; C reaches it by "
            "saying yes to nearly everyone.",
            _CURVES, state | {"system": "C"}, beside("C"),
        ),
        Step(
            "Worse than guessing?",
            "B lies below the diagonal. Somebody proposes to do the opposite of whatever B says.",
            mark(
                "Mark the opposite of B.", back, ROC_AXES,
                f"Both rates become their complements: {share_text(back[0])} to the right, {share_text(back[1])} up.",
                ("as it is", at["B"], "That is B itself. Every yes becomes a no."),
                ("mirrored", at["B"][::-1], "You mirrored B in the diagonal. Saying the opposite subtracts both "
                                            "rates from 1, which turns the point about the centre."),
                ("recall only", (at["B"][0], back[1]), "Recall is right. The false alarms change too."),
                points=points,
            ),
            f"Its accuracy rises from {share_text(float(accuracy(b)))} to {share_text(float(accuracy(turned)))}. A "
            f"method that is wrong most of the time knows a lot; only one on the diagonal knows nothing.",
            _CURVES, state | {"system": "B"}, beside("B"),
        ),
    )  # fmt: skip
