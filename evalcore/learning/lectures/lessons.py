"""Six lessons of twenty minutes, ready to be given: each opens with a guess, and closes with a challenge."""

from evalcore.learning.lectures.lectures import Lecture
from evalcore.learning.lectures.parts import Part

__all__ = ["LESSONS"]

_CONFUSION, _THRESHOLD, _CURVES = "classify/confusion", "classify/threshold", "classify/curves"
_CLASSES, _GRADED = "classify/classes", "retrieve/graded"

LESSONS = {
    "prevalence": Lecture(
        "A test for cancer, and prevalence",
        (
            Part(
                title="One in a thousand",
                text="A test finds 95 % of the people who are ill, and clears 95 % of the healthy. "
                "One person in 1,000 is ill.",
                question="Your test is positive. How likely is it that you are ill?",
                options=("About 95 %", "About 50 %", "About 20 %", "About 2 %"),
                right=3,
                solution="Of 100,000 people, 100 are ill: 95 of them get an alarm, and so do 4,995 healthy people. "
                "95 of 5,090 alarms are true: 1.9 %.",
                mistakes={
                    "About 95 %": "That is the share of the ill who get an alarm. You know the alarm, not the illness: "
                    "of all people with an alarm, how many are ill?",
                    "About 50 %": "That would need as many ill people with an alarm as healthy ones. Count both among "
                    "100,000 people.",
                    "About 20 %": "The healthy are 999 of 1,000, and one in twenty of them gets an alarm. Count the "
                    "alarms among 100,000 people.",
                },
            ),
            Part(story="cancer-test"),
            Part(
                title="Move the prevalence",
                text="Open the page and move the prevalence slider from 1.5 % to 20 %.",
                question="Which two numbers stay as they are?",
                options=("Precision and NPV", "Recall and specificity", "Accuracy and precision"),
                right=1,
                solution="Each looks at one group alone, the ill or the healthy, so the size of the other group does "
                "not matter.",
                mistakes={
                    "Precision and NPV": "Each divides by a number of results, alarms or all-clears, which mix the ill "
                    "with the healthy. What happens to the mixture?",
                    "Accuracy and precision": "Accuracy is a mean over everybody, and precision one over all alarms. "
                    "Both mix the ill with the healthy.",
                },
                page=_CONFUSION,
                settings={"data": "cancer_test"},
            ),
            Part(challenge="ppv_below_half"),
        ),
    ),
    "roc": Lecture(
        "ROC from twenty instances",
        (
            Part(
                title="Order, not size",
                text="A model gives twenty people a score. Then every score is divided by ten.",
                question="What happens to the ROC curve?",
                options=("It moves to the left", "It moves towards the diagonal", "It stays as it is"),
                right=2,
                solution="The curve follows the order of the scores, and dividing by ten keeps the order.",
                mistakes={
                    "It moves to the left": "To the left there are fewer false alarms for the same hits. Does a new "
                    "threshold set people apart whom no threshold told apart before?",
                    "It moves towards the diagonal": "On the diagonal the scores tell nothing. Did a pair of people "
                    "change its order?",
                },
            ),
            Part(story="roc-20"),
            Part(
                title="Row by row",
                text="Open the page, unfold Step by step and go through the rows with Next. Say before each "
                "one whether the curve goes up or to the right.",
                page=_CURVES,
                settings={"data": "roc_20"},
            ),
            Part(challenge="same_auc"),
        ),
    ),
    "interpolation": Lecture(
        "Interpolation on the list of fourteen",
        (
            Part(
                title="Can precision rise again?",
                text="You read a ranked list from the top. After each document you compute precision and recall.",
                question="Further down the list, what can happen?",
                options=(
                    "Both can only fall",
                    "Recall never falls; precision can rise again",
                    "Precision never rises; recall can fall",
                ),
                right=1,
                solution="A relevant document raises recall, and precision too where it is below 1; any other one "
                "leaves recall as it is and never raises precision. The curve is a sawtooth, and interpolation "
                "takes its upper edge.",
                mistakes={
                    "Both can only fall": "Recall counts the relevant documents found so far. Can a document that was "
                    "found get lost further down?",
                    "Precision never rises; recall can fall": "You have swapped them. Precision divides by the rank, "
                    "recall by all relevant documents: which of the two grows down the list?",
                },
            ),
            Part(story="pr-table-14"),
            Part(challenge="interpolated_precision"),
        ),
    ),
    "costs": Lecture(
        "Costs, and where to set the threshold",
        (
            Part(
                title="A miss, or a false alarm",
                text="A missed case costs ten times as much as a false alarm. Your threshold has the best accuracy.",
                question="Where do you look for the cheapest threshold?",
                options=("Lower: more alarms", "Nowhere else: it is the cheapest", "Higher: fewer alarms"),
                right=0,
                solution="Accuracy counts a miss and a false alarm alike. Where misses are expensive, it can pay to "
                "raise more alarms to avoid one, so the cheapest threshold is never higher, and often lower.",
                mistakes={
                    "Nowhere else: it is the cheapest": "The best accuracy has the fewest errors, whatever each costs. "
                    "Which of the two errors would you now rather make?",
                    "Higher: fewer alarms": "A higher threshold avoids false alarms, the cheap error, and adds misses.",
                },
            ),
            Part(story="costs-10-1"),
            Part(
                title="Drag it",
                text="Open the page, choose the goal Lowest cost and raise the cost of a miss from 1 to 10. "
                "The best threshold jumps; between the jumps it stays put.",
                page=_THRESHOLD,
                settings={"data": "roc_20", "t": "0.54", "goal": "Lowest cost"},
            ),
            Part(challenge="cost_threshold"),
        ),
    ),
    "micro-macro": Lecture(
        "Micro against macro",
        (
            Part(
                title="A class nobody finds",
                text="Ninety of 100 pictures show a cat, ten show a hen. A classifier always says cat.",
                question="Macro recall is the mean of the recalls of the classes. What is it here?",
                number="0.5",
                solution="Recall is 100 % for cats and 0 % for hens; their mean is 50 %. Micro recall is 90 %, "
                "the same as accuracy.",
                mistakes={
                    "0.9": "That is accuracy, and micro recall: the cats outweigh the hens. Take the recall of each "
                    "class first, then their mean.",
                    "0": "That is the recall of the hens. The cats are all found; take the mean of both.",
                    "1": "That is the recall of the cats. No hen is found; take the mean of both.",
                    "0.45": "That is the macro precision if hens, which are never called, count 0. Recall divides by "
                    "the actual cats and hens.",
                },
            ),
            Part(story="cat-fish-hen"),
            Part(
                title="Both averages side by side",
                text="Open the page and compare the averages. Which class pulls macro F1 away from micro F1?",
                page=_CLASSES,
                settings={"data": "cat_fish_hen"},
            ),
            Part(challenge="macro_up_micro_down"),
        ),
    ),
    "ndcg": Lecture(
        "nDCG: gain, discount, ideal",
        (
            Part(
                title="Which list is better?",
                text="List A has grades 3, 2, 0. List B has grades 2, 3, 0, the same documents in another order.",
                question="Which one should a measure of ranking prefer?",
                options=("Neither", "A", "B"),
                right=1,
                solution="People read from the top, so the best document should come first. Precision at 3 cannot tell "
                "the two apart; a discount by rank can.",
                mistakes={
                    "Neither": "They hold the same documents, but readers take them in order. Which should they meet "
                    "first?",
                    "B": "In B the reader meets the grade 2 before the grade 3. Which one should come first?",
                },
            ),
            Part(story="ndcg-table-10"),
            Part(
                title="Change the discount",
                text="Open the page and choose another discount of rank i. Which documents lose most?",
                page=_GRADED,
                settings={"data": "graded_10"},
            ),
            Part(challenge="ndcg_up_ap_down"),
        ),
    ),
}
"""The ready lectures by their name in a link; notes for each are in ``sample_data/lessons``."""
