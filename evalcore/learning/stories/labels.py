"""Stories of labels row by row: what each outcome is called, and a classifier that always says no."""

from collections.abc import Mapping

from evalcore.classification import ConfusionCounts, accuracy, f_beta, precision, recall
from evalcore.learning.questions import Comparison, Step
from evalcore.learning.stories.story import Story, choose, compared, example, fill_in, work_out
from evalcore.wording import count_text, number_text, share_text

__all__ = ["STORIES"]

_CONFUSION = "classify/confusion"


def _tables_of(labels: Mapping[str, list], positive: object) -> dict[str, ConfusionCounts]:
    actual = labels["actual"]
    return {name: ConfusionCounts.from_labels(actual, column, positive) for name,
        column in labels.items() if name not in ("actual", "positive")}  # fmt: skip


def _eight() -> Story:
    worked = example("eight-labels")
    given, printed, state = worked["input"], worked["printed"], {"data": "eight_labels"}
    table = _tables_of(given, given["positive"])["predicted"]
    cells = [float(cell) for cell in (table.tp, table.fp, table.fn, table.tn)]
    pairs = list(zip(given["actual"], given["predicted"], strict=True))
    outcomes = [("T" if a == b else "F") + ("P" if b == given["positive"] else "N") for a, b in pairs]
    row = next(i for i, outcome in enumerate(outcomes) if outcome == "FN")
    right, errors = float(accuracy(table)), float(table.fp + table.fn)
    words = f"Actual: {' '.join(map(str, given['actual']))}. Predicted: {' '.join(map(str, given['predicted']))}."
    tp, fp, fn, tn = cells
    steps = (
        Step(
            "One row",
            f"Eight rows have an actual and a predicted label; 1 is positive. {words}",
            choose(
                f"Row {row + 1} is {pairs[row][0]} and was predicted {pairs[row][1]}. What is it?", "a false negative",
                {
                    "a false positive": "The second word names the prediction, the first says whether it is right.",
                    "a true negative": "It was predicted negative, but is that right?",
                    "a true positive": "It is positive, but what was predicted?",
                },
                "Predicted negative, and that is false.", at=1,
            ),
            "Read from the right: what was predicted, then whether it is true. A false negative is a miss, a false "
            "positive a false alarm.",
            _CONFUSION, state,
            (Comparison("Outcome of each row", " · ".join(printed["outcome"]), " · ".join(outcomes)),),
        ),
        Step(
            "Count them",
            words,
            fill_in(
                "How many of each are there?", ("TP", "FP", "FN", "TN"), cells,
                f"They add up to {len(pairs)}, the number of rows.",
                ("FP and FN", (tp, fn, fp, tn), "You have swapped misses and false alarms: FN are positives that "
                                                "were predicted negative."),
                ("other class", (tn, fn, fp, tp), "You took 0 as the positive class. Here 1 is positive."),
                ("predicted", (tp + fp, fp, fn, tn + fn), "TP are only those of the predicted positives that are "
                                                          "right; TN likewise."),
            ),
            "Every measure on this page is made of these four counts.",
            _CONFUSION, state,
        ),
        Step(
            "Accuracy",
            f"{count_text(tp)} TP, {count_text(fp)} FP, {count_text(fn)} FN, {count_text(tn)} TN.",
            work_out(
                "What is the accuracy?", right,
                f"({count_text(tp)} + {count_text(tn)}) / {len(pairs)} = {share_text(right)}.",
                ("error rate", errors / len(pairs), "That is the error rate, the share of wrong rows."),
                ("recall", float(recall(table)), "That is recall: right among the actual positives."),
                ("precision", float(precision(table)), "That is precision: right among the predicted positives."),
            ),
            f"Precision is {share_text(float(precision(table)))} and recall {share_text(float(recall(table)))}: the "
            f"accuracy comes mostly from the negatives.",
            _CONFUSION, state, (compared("Accuracy", printed["accuracy"], right, 3),),
            measure="accuracy",
        ),
    )  # fmt: skip
    return Story(
        "eight-labels", "Eight rows by hand", "Counts", "Can you count the four outcomes?", worked["source"], steps
    )


def _oracle() -> Story:
    worked = example("oracle-false-6")
    given, printed, state = worked["input"], worked["printed"], {"data": "oracle_false"}
    tables = _tables_of(given, given["positive"])
    one, two = tables["1"], tables["2"]
    f, p, r = (float(measure(one)) for measure in (f_beta, precision, recall))
    first, second = state | {"system": "classifier 1"}, state | {"system": "classifier 2"}
    erratum = worked["errata"]
    steps = (
        Step(
            "Who is right more often?",
            f"Six cases: {' '.join(given['actual'])}. Classifier 1 says {' '.join(given['1'])}, classifier 2 says "
            f"{' '.join(given['2'])}.",
            choose(
                "Which has the higher accuracy?", "both the same",
                {
                    "classifier 1": "It finds the only T, but it makes an error too. Count the errors of both.",
                    "classifier 2": "It raises no false alarm, but it makes an error too. Count the errors of both.",
                },
                f"Each is wrong once in six: {share_text(float(accuracy(one)))}.", at=2,
            ),
            "Accuracy does not see which error was made. Classifier 2 looks at nothing: it always says F.",
            _CONFUSION, second,
            (compared("Accuracy of 1", printed["1"]["accuracy"], accuracy(one), 2),
                compared("Accuracy of 2", printed["2"]["accuracy"], accuracy(two), 2)),
            measure="accuracy",
        ),
        Step(
            "The useful one",
            f"Classifier 1 has precision {share_text(p)} and recall {share_text(r)}.",
            work_out(
                "What is its F1? (to two decimals)", f,
                f"2 · {number_text(p)} · {number_text(r)} / ({number_text(p)} + {number_text(r)}) = {number_text(f)}.",
                ("arithmetic mean", (p + r) / 2, "That is the arithmetic mean. F1 is the harmonic mean, nearer to "
                                                 "the smaller one."),
                ("accuracy", accuracy(one), "That is accuracy."),
                ("product", p * r, "That is the product. Divide twice the product by the sum."),
                tolerance=0.007,
            ),
            "F1 rewards finding the only T, though half of the alarms are false.",
            _CONFUSION, first,
            (
                compared("Precision of 1", printed["1"]["precision"], p, 2),
                compared("Recall of 1", printed["1"]["recall"], r, 2),
                compared("F1 of 1", printed["1"]["f1"], f, 2, erratum[0]),
            ),
        ),
        Step(
            "The oracle that always says no",
            "Classifier 2 never says T.",
            choose(
                "What is its precision?", "undefined",
                {
                    "0 %": "It never said T, so it was never wrong in saying so either.",
                    "100 %": "It raised no false alarm, but no true one either.",
                    "83 %": "That is its accuracy. Precision looks only at what was called T.",
                },
                "Nothing was called T: the share of nothing has no value.", at=2,
            ),
            "0 / 0 is not 0. A mean over several classifiers must say what it did with it. F1 can be read from the "
            "counts instead, 2 TP / (2 TP + FP + FN), and is then 0.",
            _CONFUSION, second,
            (
                compared("Precision of 2", printed["2"]["precision"], precision(two), 2),
                compared("Recall of 2", printed["2"]["recall"], recall(two), 2),
                compared("F1 of 2", printed["2"]["f1"], f_beta(two), 2, erratum[1]),
            ),
        ),
    )  # fmt: skip
    return Story(
        "oracle-false-6",
        "An oracle that always says no",
        "Classifiers",
        "Is it as good as a useful one?",
        worked["source"],
        steps,
    )


STORIES = (_eight(), _oracle())
