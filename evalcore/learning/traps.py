"""Traps: small data sets in which a number hides something, with a question before they are opened."""

from collections.abc import Mapping, Sequence

from evalcore.learning.questions import Choice, Misconception, Question, Step, answered

__all__ = ["TRAPS"]


def _trap(
    title: str, text: str, options: Sequence[tuple[str, str]], right: int, solution: str, lesson: str, page: str,
    settings: Mapping[str, str],
) -> Step:  # fmt: skip
    """A trap: its options with a hint for each wrong one, the solution, and what to look at on the page."""
    wrong = tuple(
        Misconception(option, answered(place), hint, place)
        for place, (option, hint) in enumerate(options)
        if place != right
    )
    question = Question(
        f"{text} **What do you expect?**", Choice([option for option, _ in options], right), wrong, solution
    )
    return Step(title, question=question, lesson=lesson, page=page, settings=settings)


TRAPS: dict[str, Step] = {
    "accuracy": _trap(
        "The accuracy paradox",
        "10 of 10,000 rows are positive. A classifier says no to all of them. How high is its accuracy?",
        (
            ("Near 0: it finds nothing", "Finding nothing is a recall of 0. Accuracy counts *all* right answers: how "
             "many are they?"),
            ("About a half", "Chance between two equal classes would give a half. How large are these classes?"),
            ("99.9 %", ""),
        ),
        2,
        "9,990 of 10,000 answers are right, and nobody is found.",
        "The verdict sets accuracy beside always giving the more frequent answer. Recall is 0, and precision is "
        "undefined.",
        "classify/confusion", {"data": "always_negative"},
    ),
    "crossing": _trap(
        "Curves that cross",
        "Two systems have nearly the same AUC, 0.77 and 0.76. You can afford false alarms for at most 10 % of the "
        "healthy. How many of the ill does each find there?",
        (
            ("About as many as the other", "The AUC is a mean over all false positive rates. Two means can agree "
             "while the curves do not."),
            ("One may find many times as many", ""),
            ("The one with the larger AUC always finds more", "Only if its curve lies above the other everywhere. "
             "Could they cross?"),
        ),
        1,
        "The curves cross: A is strong on the left, B on the right.",
        "The partial area up to a false positive rate of 0.1 (pAUC): 0.057 for A and 0.005 for B; 0.1 would be "
        "perfect. Find the crossing and say for whom B is better.",
        "classify/curves", {"data": "crossing_curves", "fpr_to": "0.1"},
    ),
    "prevalence": _trap(
        "Precision under another prevalence",
        "A virus test is used on travellers, of whom 0.7 % are infected: 10.7 % of its alarms are right. A clinic "
        "uses the same test on patients of whom half are infected. How many of the alarms are right there?",
        (
            ("10.7 %: it is the same test", "Recall and specificity belong to the test. Precision also depends on "
             "whom it is used on."),
            ("About half: as many as are infected", "That would be an alarm that says nothing. The test adds to what "
             "is known before."),
            ("More than 90 %", ""),
        ),
        2,
        "Of 1,000 patients 500 are infected: 425 true alarms and 25 false ones, a precision of 94.4 %.",
        "Move the prevalence: precision and NPV follow, recall and specificity stay. A precision–recall curve moves "
        "with it, a ROC curve does not.",
        "classify/confusion", {"data": "virus_test", "prevalence": "0.5"},
    ),
    "kappa": _trap(
        "The paradox of kappa",
        "Two pairs of raters agree in 85 % of the cases. For the first pair, κ is 0.70. The second pair says yes "
        "nearly always. What is its κ?",
        (
            ("0.70 too: they agree as often", "κ subtracts what chance alone would give, and chance gives more where "
             "one answer is frequent."),
            ("About 0.3", ""),
            ("Higher: they are more consistent", "They mostly give the same answer to everything. How often would "
             "they then agree by chance?"),
        ),
        1,
        "By chance alone, the second pair would agree in 78 % of the cases: (0.85 − 0.78) / (1 − 0.78) = 0.32.",
        "The table of systems has the same accuracy twice. Cohen’s kappa below it is that of the open system: 0.32 "
        "here, and 0.70 once you click the row *balanced*.",
        "classify/confusion", {"data": "kappa_paradox", "system": "nearly all yes", "search": "kappa"},
    ),
    "micro": _trap(
        "Micro against macro",
        "Of 100 people on pictures, 85 are recognised as woman, man or child. How many of the **women** are?",
        (
            ("About 85 %", "85 % is a mean over people. Which class are most of the people of?"),
            ("All but a few: errors are rare", "The errors may all fall on one class, if it is small enough."),
            ("About 65 %", ""),
        ),
        2,
        "13 of 20 women are recognised. 57 of 60 children are, and children are the majority.",
        "Micro recall is 85 %, macro recall 78.3 %. In the macro average a woman counts three times as much as a "
        "child.",
        "classify/classes", {"data": "woman_man_child"},
    ),
    "ties": _trap(
        "Ties",
        "Three cases share the score 0.85: one is positive, two are negative. A program sorts the rows by score and "
        "draws the ROC curve row by row. What does its area depend on?",
        (
            ("On nothing else: the scores are what they are", "Which of the three comes first? The scores do not say."),
            ("On the order of the rows in the file", ""),
            ("Ties do not matter for an area", "Draw the three steps once with the positive first, and once with it "
             "last."),
        ),
        1,
        "With the tied positive first the area is 0.60, with it last 0.52. A tied pair counts ½, which gives 0.56.",
        "The three are one threshold: the curve has one slanted piece there, and the AUC is 0.56 in any order of the "
        "rows.",
        "classify/curves", {"data": "roc_ties_10"},
    ),
    "leak": _trap(
        "A score that knows the answer",
        "A model predicts a relapse with an AUC of 1: all 30 relapses score above all 60 others. What is the "
        "likeliest reason?",
        (
            ("It is an excellent model", "Perfect separation of real cases is rare. What else could a score contain?"),
            ("The score contains the outcome", ""),
            ("Chance: 90 patients are few", "By chance, a perfect order of 30 and 60 cases is as good as impossible."),
        ),
        1,
        "The score is called days_of_second_therapy. Only patients with a relapse get a second therapy.",
        "The warning beside the name of the data asks whether the score leaks the label. Nothing in the curve can "
        "tell you.",
        "classify/curves", {"data": "leak"},
    ),
    "optimism": _trap(
        "A threshold chosen on its own data",
        "40 people got **random** scores. You choose the threshold with the highest recall + specificity − 1 "
        "(Youden’s J). How high is J at this threshold, on these 40 people?",
        (
            ("0: the scores know nothing", "0 is the truth in the long run. You took the best of some 40 thresholds "
             "on these very people."),
            ("About 0.3", ""),
            ("About 0.9", "A J that high would mean a good test. The best of 40 thresholds on noise is better than "
                          "0, but not "
             "that good."),
        ),
        1,
        "J is 0.27. On new people it would be 0 on average.",
        "*How sure*: J is 0.27 in this sample, and less is expected on new data. Even that is too much: resamples "
        "repeat the same 40 people. Only new people can tell.",
        "classify/threshold", {"data": "noise_40", "t": "0.907", "part": "How sure"},
    ),
    "first_hit": _trap(
        "MRR ignores the rest",
        "Each query has four relevant documents. System A has a mean reciprocal rank of 0.44, system B of 0.90. Whose "
        "users see more of the relevant documents among the first six?",
        (
            ("B’s: it is twice as good", "The reciprocal rank looks at the first hit alone. Where are the other "
             "three?"),
            ("A’s", ""),
            ("Both see the same", "They would if the lists differed in the first hit alone. MRR does not say whether "
             "they do."),
        ),
        1,
        "B shows one document early and the other three at the end. A shows all four at ranks 2 to 6.",
        "By RR, B wins or ties on every query; choose AP under *Better by*, and A wins.",
        "retrieve/compare", {"data": "first_hit", "measure": "RR"},
    ),
    "unjudged": _trap(
        "Documents that nobody judged",
        "P@10 of the old search is 50 %, that of the new one 30 %. The judgments were made for the old search: of the "
        "new one’s documents, half were never judged. Is the new search worse?",
        (
            ("Yes, by 20 points", "What was never judged counts as not relevant here. Is it?"),
            ("Nobody can say from these numbers", ""),
            ("No, it is better", "It may be; half of its documents are unknown."),
        ),
        1,
        "Its P@10 lies between 30 and 80 %, depending on what the unjudged documents are. Of the judged ones, 60 % "
        "are relevant.",
        "*Judgments* shows that half of the new system’s first ten are unjudged, and what they leave open: a P@10 "
        "from 0.300 to 0.800. The verdict above counts them all as not relevant.",
        "retrieve/compare", {"data": "unjudged", "measure": "P@k", "rankings_part": "Judgments"},
    ),
    "clusters": _trap(
        "Rows that belong together",
        "A test was tried on 300 images: 15 of each of 20 patients. If images count as independent, the 95 % interval "
        "of its accuracy is 9 points wide. How wide is it if patients count?",
        (
            ("The same: 300 images are 300 images", "15 images of one patient resemble each other. How many "
             "independent things were seen?"),
            ("Narrower: patients explain part of the errors", "That helps to *explain*. To say something of new "
             "patients, you have seen only 20."),
            ("Several times as wide", ""),
        ),
        2,
        "The test fails on nearly all images of four patients. With 20 patients, four or six such patients is a "
        "matter of luck.",
        "The interval on the page is the narrow one, and the warning says so: make *patient* the column that rows "
        "belong to, and watch the intervals.",
        "classify/confusion", {"data": "patients"},
    ),
    "simpson": _trap(
        "Two hospitals (Simpson’s paradox)",
        "A score has an AUC of 0.79 over the patients of two hospitals. How high is it within each hospital?",
        (
            ("About 0.79 in each", "Pairs of one patient from each hospital count as well. What if the hospitals "
             "differ in how ill people are?"),
            ("Above 0.79 in one, below in the other", "A mean would lie between the two. The AUC over all is not a "
                                                      "mean of the two: it also has pairs across the hospitals."),
            ("Below ½ in both", ""),
        ),
        2,
        "0.31 and 0.43: within a hospital the score is worse than chance. It recognises the hospital, in which more "
        "people are ill.",
        "*Groups* has the AUC of each hospital in the last column of its table. Ask of every good AUC over pooled "
        "data what it is within each part.",
        "classify/threshold", {"data": "hospitals", "part": "Groups"},
    ),
}  # fmt: skip
"""Each trap by its id: the question, what to look at, and the state of the page that shows it."""
