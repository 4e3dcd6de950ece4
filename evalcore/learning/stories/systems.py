"""Stories of several classifiers beside each other, by their counts."""

from evalcore.classification import (
    ConfusionCounts,
    accuracy,
    f_beta,
    fall_out,
    inverted,
    negative_predictive_value,
    precision,
    recall,
)
from evalcore.learning.questions import Comparison, Step
from evalcore.learning.stories.scores import ROC_AXES
from evalcore.learning.stories.story import Story, choose, compared, example, mark, work_out
from evalcore.wording import count_text, number_text, share_text

__all__ = ["STORIES"]

_CURVES, _CONFUSION = "classify/curves", "classify/confusion"


def _systems(id: str) -> dict[str, ConfusionCounts]:
    return {name: ConfusionCounts(*cells) for name, cells in example(id)["input"].items() if name != "order"}


def _four_methods() -> Story:
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

    steps = (
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
    return Story(
        "four-methods-roc",
        "Four methods in ROC space",
        "Classifiers",
        "Which rules in, which rules out?",
        worked["source"],
        steps,
    )


def _digit() -> Story:
    worked, tables = example("two-classifiers-digit-2"), _systems("two-classifiers-digit-2")
    one, two = tables["1"], tables["2"]
    state = {"data": "two_classifiers"}
    first, second = state | {"system": "classifier 1"}, state | {"system": "classifier 2"}
    p, r, f = (float(measure(one)) for measure in (precision, recall, f_beta))
    positives, negatives = float(one.actual_positives), float(one.actual_negatives)
    steps = (
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
    return Story(
        "two-classifiers-digit-2",
        "Who finds the 2?",
        "Classifiers",
        "Which of two classifiers is better?",
        worked["source"],
        steps,
    )


STORIES = (_digit(), _four_methods())
