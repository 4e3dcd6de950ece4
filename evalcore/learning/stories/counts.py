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
from evalcore.learning.questions import Choice, Comparison, Question, Step
from evalcore.learning.stories.story import Steps, choose, compared, example, fill_in, slip, story, work_out
from evalcore.wording import count_text, number_text, share_text

_PAGE = "classify/confusion"


def _counts(id: str) -> ConfusionCounts:
    return ConfusionCounts(**example(id)["input"])


@story("cancer-test", "A test for cancer", "Tests", "Would you use this test?")
def _cancer() -> Steps:
    c, printed, state = _counts("cancer-test"), example("cancer-test")["printed"], {"data": "cancer_test"}
    ppv, npv, hit, true_negative, right = (
        float(measure(c)) for measure in (precision, negative_predictive_value, recall, specificity, accuracy)
    )
    share, elsewhere = float(prevalence(c)), 0.2
    moved = hit * elsewhere / (hit * elsewhere + (1 - true_negative) * (1 - elsewhere))
    alarms, ill = count_text(float(c.predicted_positives)), count_text(float(c.actual_positives))
    people, tp = count_text(float(c.tp + c.fp + c.fn + c.tn)), count_text(float(c.tp))
    return (
        Step(
            "An alarm",
            f"{people} people are tested for a cancer. The test is right for {share_text(right)} of them. Of the {ill} "
            f"who are ill it finds {tp}; {alarms} people get an alarm.",
            work_out(
                "You get an alarm. How likely is it that you are ill?", ppv,
                f"Of {alarms} alarms, {tp} are true: precision {share_text(ppv)}.",
                ("recall", hit, "That is the share of the ill who get an alarm. You know the alarm, not the illness: "
                 "divide by the people with an alarm."),
                ("accuracy", right, "That is the share of right results among everyone. Look only at the people who "
                 "got an alarm.", 0.002),
                ("specificity", true_negative, "That is the share of the healthy without an alarm. Count who is ill "
                 "among those with an alarm."),
                ("prevalence", share, "That is how likely you were to be ill before the test. The alarm has raised "
                 "it."),
            ),
            "Accuracy looks at all people, and nearly all are healthy. A patient with an alarm belongs to a small "
            "group in which most are healthy too, because 9 % of a large number is still large.",
            _PAGE, state,
            (compared("Precision", printed["precision"], ppv), compared("Accuracy", printed["accuracy"], right)),
        ),
        Step(
            "No alarm",
            "Somebody else gets a negative result and wants to know what it is worth.",
            work_out(
                "What share of the people with a negative result is healthy? (within 0.2 percentage points)", npv,
                f"{count_text(float(c.tn))} of {count_text(float(c.predicted_negatives))}: NPV {share_text(npv)}.",
                ("specificity", true_negative, "That is the share of the healthy with a negative result. Turn it "
                 "around: of those with a negative result, who is healthy?", 0.005),
                ("complement of precision", 1 - ppv, "That is the share of false alarms. It says nothing about the "
                 "people without an alarm.", 0.005),
                ("without a test", 1 - share, "That is the share of healthy people without any test. The negative "
                 "result raises it a little."),
                tolerance=0.002,
            ),
            f"The test is useful for ruling out: the risk falls from {share_text(share)} to {share_text(1 - npv)}. But "
            f"compare with {share_text(1 - share)}, the share of healthy people before any test. Where illness is "
            "rare, a high NPV is easy to reach.",
            _PAGE, state, (compared("NPV", printed["npv"], npv),), measure="negative_predictive_value",
        ),
        Step(
            "The test that always says no",
            "A rival offers a test that costs nothing: it answers no to everyone.",
            Question(
                "Which of the two has the higher accuracy?",
                Choice(("the cancer test", "the test that always says no", "both the same"), 1),
                (
                    slip(
                        "finds more", 0,
                        "It finds more, but accuracy also counts its false alarms. Count the right answers of both.",
                    ),
                    slip("useless is low", 2, "Count: how many people get the right answer if everyone is told no?"),
                ),
                f"Saying no to everyone is right for {share_text(1 - share)} of all people, the cancer test for "
                f"{share_text(right)}.",
            ),
            "Accuracy prefers a test that finds nobody. Always compare accuracy with the share of the larger class.",
            _PAGE, {"cells": f"0,0,{float(c.actual_positives):g},{float(c.actual_negatives):g}"}, measure="accuracy",
        ),
        Step(
            "Another population",
            f"A clinic uses the same test on patients with symptoms. There, {share_text(elsewhere)} are ill. Recall "
            f"({share_text(hit)}) and specificity ({share_text(true_negative)}) stay as they are.",
            work_out(
                "What is the precision in the clinic? (within 1 percentage point)", moved,
                f"Of 1,000 patients, {1000 * elsewhere:g} are ill. {1000 * elsewhere * hit:.0f} of them and "
                f"{1000 * (1 - elsewhere) * (1 - true_negative):.0f} healthy people get an alarm.",
                ("unchanged", ppv, "Recall and specificity describe the test and stay the same. Precision depends on "
                 "how many are ill."),
                ("recall", hit, "That is recall: the share of the ill who get an alarm.", 0.005),
                ("prevalence", elsewhere, "That is the risk before the test. The alarm raises it.", 0.005),
                tolerance=0.01,
            ),
            "The same test is worth more where more people are ill. That is why a test for everyone and a test for "
            "patients with symptoms are judged separately.",
            _PAGE, state | {"prevalence": f"{elsewhere:g}"},
            (
                compared("Recall", printed["recall"], hit),
                compared("Specificity", printed["specificity"], true_negative),
            ),
        ),
    )  # fmt: skip


@story("virus-test", "A test for a virus", "Tests", "Can it stop the virus early?")
def _virus() -> Steps:
    c, printed, state = _counts("virus-test"), example("virus-test")["printed"], {"data": "virus_test"}
    ppv, npv, hit, missed, true_negative, right = (
        float(measure(c))
        for measure in (precision, negative_predictive_value, recall, miss_rate, specificity, accuracy)
    )
    share, errata = float(prevalence(c)), example("virus-test")["errata"]
    people, infected = count_text(float(c.tp + c.fp + c.fn + c.tn)), count_text(float(c.actual_positives))
    healthy, alarms = count_text(float(c.actual_negatives)), count_text(float(c.predicted_positives))
    return (
        Step(
            "How rare is it?",
            f"A city tests {people} people for a contagious virus. {infected} are infected, {healthy} are not.",
            work_out(
                "What is the prevalence? Type it with the sign %.", share,
                f"{infected} of {people} is {share_text(share)}.",
                ("no sign", 100 * share, "Without the sign % this reads as a share of one: 0.7 is 70 %. Type it with "
                 "the sign.", 0.002),
                ("odds", float(c.actual_positives / c.actual_negatives),
                 "You divided the infected by the others: those are the odds. Prevalence divides by everyone."),
                ("per thousand", 10 * share, "You are out by a factor of ten. One per cent of 100,000 is 1,000.",
                 0.0002),
                ("alarms", float(c.predicted_positives) / float(c.tp + c.fp + c.fn + c.tn),
                 "That is the share of people with an alarm, true or false.", 0.005),
                tolerance=0.00002,
            ),
            "For a rare condition, odds and prevalence nearly agree, which is why the slip often goes unnoticed.",
            _PAGE, state,
            (
                Comparison(
                    "Prevalence", f"{infected} / {healthy}", f"{infected} / {people} = {share_text(share)}", errata[1],
                ),
            ),
        ),
        Step(
            "Who is missed?",
            f"The city wants to isolate carriers early. The test finds {count_text(float(c.tp))} of the {infected}.",
            work_out(
                "What share of the carriers goes on infecting others?", missed,
                f"{count_text(float(c.fn))} of {infected}: a miss rate of {share_text(missed)}.",
                ("recall", hit, "That share is found. The question asks for the share that is missed."),
                ("false omission", 1 - npv, "You divided by all negative results. Divide by the carriers."),
                ("fall-out", 1 - true_negative, "That is the share of false alarms among the healthy. They do not "
                 "infect anybody."),
            ),
            "A miss is called a type 2 error, a false alarm a type 1 error. Which of them costs more decides what a "
            "test must be good at. Here misses spread the virus.",
            _PAGE, state,
            (
                compared("Recall", printed["recall"], hit, 2, errata[0]),
                compared("Specificity", printed["specificity"], true_negative, 2),
            ),
            measure="miss_rate",
        ),
        Step(
            "What does an alarm mean?", f"{alarms} people are told to stay at home.",
            work_out(
                "What share of them is infected?", ppv, f"{count_text(float(c.tp))} of {alarms}: {share_text(ppv)}.",
                ("recall", hit, "That is the share of the infected who get an alarm. Divide by the alarms."),
                ("false alarms", 1 - ppv, "That is the share of them who stay at home for nothing."),
                ("accuracy", right, "That is the share of right results among everyone tested."),
            ),
            "Nearly nine of ten stay at home for nothing. If that costs a few days, the city may accept it; for a "
            "risky operation it would not. The same numbers lead to another decision.",
            _PAGE, state,
            (
                compared("Precision", printed["precision"], ppv, 2),
                compared("NPV", printed["npv"], npv, 2, "The print cuts 99.89 % to 99 % instead of rounding it."),
                compared("Accuracy", printed["accuracy"], right, 2),
            ),
        ),
    )  # fmt: skip


@story("always-negative", "A classifier that always says no", "Counts", "How can it be right in 999 of 1,000 cases?")
def _never() -> Steps:
    c, state = _counts("always-negative"), {"data": "always_negative"}
    right, rows, ill = float(accuracy(c)), float(c.fn + c.tn), float(c.actual_positives)
    middle = float(balanced_accuracy(c))
    return (
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
            _PAGE, state, measure="accuracy",
        ),
        Step(
            "What are its alarms worth?", "It has never raised an alarm.",
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
            _PAGE, state, measure="recall",
        ),
    )  # fmt: skip


@story("counts-4-1-2-3", "Ten rows, four counts", "Counts", "Which sum do you divide by?")
def _small() -> Steps:
    c = _counts("counts-4-1-2-3")
    tp, fp, fn, tn = (float(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    state = {"cells": ",".join(f"{cell:g}" for cell in (tp, fp, fn, tn))}
    hit, ppv, true_negative, f, npv = (
        float(measure(c)) for measure in (recall, precision, specificity, f_beta, negative_predictive_value)
    )
    words = f"TP {tp:g}, FN {fn:g}, FP {fp:g}, TN {tn:g}."
    return (
        Step(
            "Sensitivity", words,
            work_out(
                "What is the sensitivity (recall)?", hit, f"{tp:g} / ({tp:g} + {fn:g}) = {share_text(hit)}.",
                ("precision", ppv, "You divided by the predicted positives. Sensitivity divides by the actual ones, TP "
                 "+ FN."),
                ("specificity", true_negative, "That is specificity, the same for the negatives."),
                ("of all", tp / (tp + fp + fn + tn), "You divided by all rows. Sensitivity divides by the actual "
                 "positives."),
            ),
            "Sensitivity, recall and true positive rate are three names for one number.",
            _PAGE, state, measure="recall",
        ),
        Step(
            "Specificity", words,
            work_out(
                "What is the specificity?", true_negative, f"{tn:g} / ({tn:g} + {fp:g}) = {share_text(true_negative)}.",
                ("fall-out", 1 - true_negative, "That is 1 − specificity, the false positive rate."),
                ("NPV", npv, "You divided by the predicted negatives. Specificity divides by the actual ones, TN + "
                 "FP."),
                ("sensitivity", hit, "That is sensitivity, the same for the positives."),
            ),
            "Sensitivity looks at the ill, specificity at the healthy. Neither depends on how many there are of each.",
            _PAGE, state, measure="specificity",
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


_CONFUSION = "classify/confusion"


def _tables_of(labels: Mapping[str, list], positive: object) -> dict[str, ConfusionCounts]:
    actual = labels["actual"]
    return {name: ConfusionCounts.from_labels(actual, column, positive) for name,
        column in labels.items() if name not in ("actual", "positive")}  # fmt: skip


@story("eight-labels", "Eight rows by hand", "Counts", "Can you count the four outcomes?")
def _eight() -> Steps:
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
    return (
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
            "Count them", words,
            fill_in(
                "How many of each are there?",
                ("TP", "FP", "FN", "TN"),
                cells, f"They add up to {len(pairs)}, the number of rows.",
                ("FP and FN", (tp, fn, fp, tn), "You have swapped misses and false alarms: FN are positives that were "
                 "predicted negative."),
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
            "accuracy comes mostly from the negatives.",
            _CONFUSION, state, (compared("Accuracy", printed["accuracy"], right, 3),), measure="accuracy",
        ),
    )  # fmt: skip


@story("oracle-false-6", "An oracle that always says no", "Classifiers", "Is it as good as a useful one?")
def _oracle() -> Steps:
    worked = example("oracle-false-6")
    given, printed, state = worked["input"], worked["printed"], {"data": "oracle_false"}
    tables = _tables_of(given, given["positive"])
    one, two = tables["1"], tables["2"]
    f, p, r = (float(measure(one)) for measure in (f_beta, precision, recall))
    first, second = state | {"system": "classifier 1"}, state | {"system": "classifier 2"}
    erratum = worked["errata"]
    return (
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
            (
                compared("Accuracy of 1", printed["1"]["accuracy"], accuracy(one), 2),
                compared("Accuracy of 2", printed["2"]["accuracy"], accuracy(two), 2),
            ),
            measure="accuracy",
        ),
        Step(
            "The useful one",
            f"Classifier 1 has precision {share_text(p)} and recall {share_text(r)}.",
            work_out(
                "What is its F1? (to two decimals)", f,
                f"2 · {number_text(p)} · {number_text(r)} / ({number_text(p)} + {number_text(r)}) = {number_text(f)}.",
                ("arithmetic mean", (p + r) / 2, "That is the arithmetic mean. F1 is the harmonic mean, nearer to the "
                 "smaller one."),
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
            "The oracle that always says no", "Classifier 2 never says T.",
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
