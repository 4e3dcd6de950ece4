"""Stories of one table of four counts: tests for a cancer and for a virus."""

from collections.abc import Mapping

from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    balanced_accuracy,
    f_beta,
    miss_rate,
    negative_predictive_value,
    precision,
    prevalence,
    recall,
    specificity,
)
from evalcore.learning.questions import Comparison
from evalcore.learning.stories.story import Answers, choice, compared, example, fill_in, index, number, story
from evalcore.wording import count_text, share_text


def _counts(id: str) -> ConfusionCounts:
    return ConfusionCounts(**example(id)["input"])


@story("cancer-test")
def _cancer() -> Answers:
    c, printed = _counts("cancer-test"), example("cancer-test")["printed"]
    ppv, npv, hit, true_negative, right = (
        float(measure(c)) for measure in (precision, negative_predictive_value, recall, specificity, accuracy)
    )
    share, elsewhere = float(prevalence(c)), 0.2
    moved = hit * elsewhere / (hit * elsewhere + (1 - true_negative) * (1 - elsewhere))
    alarms, ill = count_text(float(c.predicted_positives)), count_text(float(c.actual_positives))
    people, tp = count_text(float(c.tp + c.fp + c.fn + c.tn)), count_text(float(c.tp))
    still_ill, healthy = 1 - npv, 1 - share
    ill_elsewhere, found_elsewhere = 1000 * elsewhere, 1000 * elsewhere * hit
    alarmed_elsewhere = 1000 * (1 - elsewhere) * (1 - true_negative)
    return locals(), (
        number(
            ppv,
            {"recall": hit, "accuracy": (right, 0.002), "specificity": true_negative, "prevalence": share},
            compared("Precision", printed["precision"], ppv),
            compared("Accuracy", printed["accuracy"], right),
        ),
        number(
            npv,
            {
                "specificity": (true_negative, 0.005),
                "complement of precision": (1 - ppv, 0.005),
                "without a test": 1 - share,
            },
            compared("NPV", printed["npv"], npv),
            tolerance=0.002,
        ),
        choice(),
        number(
            moved,
            {"unchanged": ppv, "recall": (hit, 0.005), "prevalence": (elsewhere, 0.005)},
            compared("Recall", printed["recall"], hit),
            compared("Specificity", printed["specificity"], true_negative),
            tolerance=0.01,
        ),
    )


@story("virus-test")
def _virus() -> Answers:
    c, printed = _counts("virus-test"), example("virus-test")["printed"]
    ppv, npv, hit, missed, true_negative, right = (
        float(measure(c))
        for measure in (precision, negative_predictive_value, recall, miss_rate, specificity, accuracy)
    )
    share, errata = float(prevalence(c)), example("virus-test")["errata"]
    people, infected = count_text(float(c.tp + c.fp + c.fn + c.tn)), count_text(float(c.actual_positives))
    healthy, alarms = count_text(float(c.actual_negatives)), count_text(float(c.predicted_positives))
    return locals(), (
        number(
            share,
            {
                "no sign": (100 * share, 0.002),
                "odds": c.actual_positives / c.actual_negatives,
                "per thousand": (10 * share, 0.0002),
                "alarms": (c.predicted_positives / (c.tp + c.fp + c.fn + c.tn), 0.005),
            },
            Comparison(
                "Prevalence", f"{infected} / {healthy}", f"{infected} / {people} = {share_text(share)}", errata[1]
            ),
            tolerance=0.00002,
        ),
        number(
            missed,
            {"recall": hit, "false omission": 1 - npv, "fall-out": 1 - true_negative},
            compared("Recall", printed["recall"], hit, 2, errata[0]),
            compared("Specificity", printed["specificity"], true_negative, 2),
        ),
        number(
            ppv,
            {"recall": hit, "false alarms": 1 - ppv, "accuracy": right},
            compared("Precision", printed["precision"], ppv, 2),
            compared("NPV", printed["npv"], npv, 2, "The print cuts 99.89 % to 99 % instead of rounding it."),
            compared("Accuracy", printed["accuracy"], right, 2),
        ),
    )


@story("always-negative")
def _never() -> Answers:
    c = _counts("always-negative")
    right, rows, ill = float(accuracy(c)), float(c.fn + c.tn), float(c.actual_positives)
    middle = float(balanced_accuracy(c))
    return locals(), (
        number(
            right, {"nothing found": 0.0, "per thousand": 1 - ill / 1000, "error rate": 1 - right}, tolerance=0.0005
        ),
        choice(),
        number(middle, {"accuracy": right, "recall": 0.0, "specificity": 1.0}, tolerance=0.0005),
    )


@story("counts-4-1-2-3")
def _small() -> Answers:
    c = _counts("counts-4-1-2-3")
    tp, fp, fn, tn = (float(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    hit, ppv, true_negative, f, npv = (
        float(measure(c)) for measure in (recall, precision, specificity, f_beta, negative_predictive_value)
    )
    words = f"TP {tp:g}, FN {fn:g}, FP {fp:g}, TN {tn:g}."
    return locals(), (
        number(hit, {"precision": ppv, "specificity": true_negative, "of all": tp / (tp + fp + fn + tn)}),
        number(true_negative, {"fall-out": 1 - true_negative, "NPV": npv, "sensitivity": hit}),
        index(
            f,
            {"arithmetic mean": (ppv + hit) / 2, "accuracy": accuracy(c), "Jaccard": tp / (tp + fp + fn)},
            tolerance=0.002,
        ),
    )


def _tables_of(labels: Mapping[str, list], positive: object) -> dict[str, ConfusionCounts]:
    actual = labels["actual"]
    return {name: ConfusionCounts.from_labels(actual, column, positive) for name,
        column in labels.items() if name not in ("actual", "positive")}  # fmt: skip


@story("eight-labels")
def _eight() -> Answers:
    worked = example("eight-labels")
    given, printed = worked["input"], worked["printed"]
    table = _tables_of(given, given["positive"])["predicted"]
    cells = [float(cell) for cell in (table.tp, table.fp, table.fn, table.tn)]
    pairs = list(zip(given["actual"], given["predicted"], strict=True))
    outcomes = [("T" if a == b else "F") + ("P" if b == given["positive"] else "N") for a, b in pairs]
    row = next(i for i, outcome in enumerate(outcomes) if outcome == "FN")
    right, errors = float(accuracy(table)), float(table.fp + table.fn)
    words = f"Actual: {' '.join(map(str, given['actual']))}. Predicted: {' '.join(map(str, given['predicted']))}."
    tp, fp, fn, tn = cells
    place = row + 1
    is_ = pairs[row][0]
    says = pairs[row][1]
    rows = len(pairs)
    return locals(), (
        choice(Comparison("Outcome of each row", " · ".join(printed["outcome"]), " · ".join(outcomes))),
        fill_in(
            ("TP", "FP", "FN", "TN"),
            cells,
            {"FP and FN": (tp, fn, fp, tn), "other class": (tn, fn, fp, tp), "predicted": (tp + fp, fp, fn, tn + fn)},
        ),
        number(
            right,
            {"error rate": errors / len(pairs), "recall": recall(table), "precision": precision(table)},
            compared("Accuracy", printed["accuracy"], right, 3),
        ),
    )


@story("oracle-false-6")
def _oracle() -> Answers:
    worked = example("oracle-false-6")
    given, printed = worked["input"], worked["printed"]
    tables = _tables_of(given, given["positive"])
    one, two = tables["1"], tables["2"]
    f, p, r = (float(measure(one)) for measure in (f_beta, precision, recall))
    erratum = worked["errata"]
    cases = " ".join(given["actual"])
    answers_one = " ".join(given["1"])
    answers_two = " ".join(given["2"])
    return locals(), (
        choice(
            compared("Accuracy of 1", printed["1"]["accuracy"], accuracy(one), 2),
            compared("Accuracy of 2", printed["2"]["accuracy"], accuracy(two), 2),
        ),
        index(
            f,
            {"arithmetic mean": (p + r) / 2, "accuracy": accuracy(one), "product": p * r},
            compared("Precision of 1", printed["1"]["precision"], p, 2),
            compared("Recall of 1", printed["1"]["recall"], r, 2),
            compared("F1 of 1", printed["1"]["f1"], f, 2, erratum[0]),
            tolerance=0.007,
        ),
        choice(
            compared("Precision of 2", printed["2"]["precision"], precision(two), 2),
            compared("Recall of 2", printed["2"]["recall"], recall(two), 2),
            compared("F1 of 2", printed["2"]["f1"], f_beta(two), 2, erratum[1]),
        ),
    )
