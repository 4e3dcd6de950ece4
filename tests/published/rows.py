"""Printed results of the literature: a row is a measure, what it was worked out for, the printed value and its source.

A printed value is right to half a unit of its last decimal. Where a print is known to be wrong the row holds the right
value, and a remark says what was printed.
"""

from dataclasses import dataclass

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels

WEBER_1 = "R. Weber, Multimedia Retrieval, chapter 1, Performance Evaluation, §1.5"
WEBER = "R. Weber, Multimedia Retrieval, chapter on evaluation (newer edition), §2.5 and §2.6"
SLIDES = "Performance measure (lecture slides on binary and multi-class classification)"
SRIHARI = "S. N. Srihari, Performance Metrics for Machine Learning, precision and recall"
WILKS = (
    "D. Wilks (2011), Statistical Methods in the Atmospheric Sciences, 3rd edition, example 8.1 (Finley's tornadoes)"
)
FAWCETT = "T. Fawcett (2006), An introduction to ROC analysis, figures 3 and 4; " + WEBER


@dataclass(frozen=True)
class Row:
    """One printed result.

    `printed` is None where the source says that there is no value; `decimals` is None where the value is exact.
    """

    measure: str
    state: ConfusionCounts | ConfusionMatrix | ScoredLabels
    printed: float | None
    decimals: int | None
    source: str
    remark: str = ""

    @property
    def tolerance(self) -> float:
        """Half a unit of the last printed decimal, and the rounding of the arithmetic."""
        return 1e-12 if self.decimals is None else 0.5 * 10**-self.decimals + 1e-12


def rows(
    state: ConfusionCounts | ConfusionMatrix | ScoredLabels, source: str, decimals: int | None, **printed: float | None
) -> list[Row]:
    return [Row(measure, state, value, decimals, source) for measure, value in printed.items()]


CANCER = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
VIRUS = ConfusionCounts(tp=595, fp=4965, fn=105, tn=94335)
TORNADO = ConfusionCounts(tp=28, fp=72, fn=23, tn=2680)

# Printed with what was predicted in the rows; the matrix wants the truth there, so it is turned.
PEOPLE_AS_PRINTED = ((13, 4, 2), (2, 15, 1), (5, 1, 57))
PEOPLE = ConfusionMatrix(("Woman", "Man", "Child"), list(zip(*PEOPLE_AS_PRINTED, strict=True)))
WOMAN, MAN, CHILD = (PEOPLE.one_vs_rest()[k] for k in range(3))

# The slide that names its columns has the truth at the left, and the printed results of the classes fit that.
ANIMALS = ConfusionMatrix(("Cat", "Fish", "Hen"), ((4, 1, 1), (6, 2, 2), (3, 0, 6)))
CAT, FISH, HEN = (ANIMALS.one_vs_rest()[k] for k in range(3))

METHODS = {
    "A": ConfusionCounts(tp=95, fp=30, fn=5, tn=70),
    "B": ConfusionCounts(tp=40, fp=80, fn=60, tn=20),
    "C": ConfusionCounts(tp=90, fp=70, fn=10, tn=30),
    "D": ConfusionCounts(tp=60, fp=5, fn=40, tn=95),
}

TWENTY_SCORES = (
    0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.5, 0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1,
)  # fmt: skip
TWENTY_LABELS = tuple("PPNPPPNNPNPNPNNNPNPN")
TWENTY = ScoredLabels.from_arrays(TWENTY_LABELS, TWENTY_SCORES, positive="P")

TIED_SCORES = (0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25)
TIED = ScoredLabels.from_arrays(tuple("++---+-+-+"), TIED_SCORES, positive="+")

GLUCOSE_SCORES = (28.9, 23.4, 23.2, 21.7, 21.6, 21.5, 19.9, 15.7, 10, 8.9)
GLUCOSE = ScoredLabels.from_arrays((1, 0, 1, 1, 1, 0, 1, 0, 0, 0), GLUCOSE_SCORES, positive=1)

ALWAYS_NO = ConfusionCounts(tp=0, fp=0, fn=10, tn=9990)
DIGIT_TWO = (ConfusionCounts(tp=70, fp=140, fn=30, tn=860), ConfusionCounts(tp=20, fp=50, fn=80, tn=950))
BY_HAND = ConfusionCounts(tp=4, fp=2, fn=1, tn=3)
EIGHT = ConfusionCounts.from_labels((1, 0, 0, 1, 1, 0, 0, 0), (0, 0, 0, 1, 0, 0, 0, 1), positive=1)
SIX_ACTUAL = tuple("FFFFFT")
USEFUL = ConfusionCounts.from_labels(SIX_ACTUAL, tuple("FFFFTT"), positive="T")
ALWAYS_F = ConfusionCounts.from_labels(SIX_ACTUAL, tuple("FFFFFF"), positive="T")

ROWS = [
    *rows(CANCER, WEBER_1, 2, recall=0.67, specificity=0.91, precision=0.10),
    *rows(CANCER, WEBER_1, 3, NPV=0.995, accuracy=0.906),
    *rows(CANCER, WEBER_1, None, prevalence=30 / 2030),
    *rows(VIRUS, WEBER, 2, precision=0.11, recall=0.85, specificity=0.95, accuracy=0.95),
    Row("NPV", VIRUS, 94335 / 94440, None, WEBER, "99.889 % is cut to 99 % in print"),
    Row("prevalence", VIRUS, 700 / 100_000, None, WEBER, "700 of 100,000 persons, not 700/99,300"),
    *rows(WOMAN, WEBER, 2, precision=0.68, NPV=0.91, recall=0.65, specificity=0.93, accuracy=0.87),
    *rows(CHILD, WEBER, 2, precision=0.90, NPV=0.92, recall=0.95, specificity=0.85, accuracy=0.91),
    *rows(METHODS["A"], WEBER, 2, recall=0.95, FPR=0.30, precision=0.76, NPV=0.93, accuracy=0.83),
    *rows(METHODS["B"], WEBER, 2, recall=0.40, FPR=0.80, precision=0.33, NPV=0.25, accuracy=0.30),
    *rows(METHODS["C"], WEBER, 2, recall=0.90, FPR=0.70, precision=0.56, NPV=0.75, accuracy=0.60),
    *rows(METHODS["D"], WEBER, 2, recall=0.60, FPR=0.05, precision=0.92, NPV=0.70, accuracy=0.78),
    *rows(CAT, SLIDES, 3, precision=0.308, recall=0.667, F1=0.421),
    *rows(FISH, SLIDES, 3, precision=0.667, recall=0.200, F1=0.308),
    *rows(HEN, SLIDES, 3, precision=0.667, recall=0.667, F1=0.667),
    *rows(ANIMALS, SLIDES, 3, macro_recall=0.511, macro_precision=0.547, macro_f1=0.465),
    Row("overall_accuracy", ANIMALS, 12 / 25, None, SLIDES, "printed as micro precision, micro recall and micro F1"),
    *rows(
        DIGIT_TWO[0], SLIDES, None, accuracy=930 / 1100, precision=70 / 210, recall=0.7, specificity=0.86, F1=140 / 310
    ),
    *rows(
        DIGIT_TWO[1], SLIDES, None, accuracy=970 / 1100, precision=20 / 70, recall=0.2, specificity=0.95, F1=40 / 170
    ),
    *rows(EIGHT, SLIDES, 3, accuracy=0.625),
    *rows(ALWAYS_NO, SLIDES, None, accuracy=0.999, recall=0, precision=None),
    *rows(BY_HAND, SLIDES, None, accuracy=0.7, ERR=0.3, recall=0.8, specificity=0.6, precision=4 / 6, F1=8 / 11),
    *rows(USEFUL, SRIHARI, 2, accuracy=0.83, precision=0.50, recall=1.0),
    Row("F1", USEFUL, 2 / 3, None, SRIHARI, "66.7 % is cut to 66 % in print"),
    *rows(ALWAYS_F, SRIHARI, 2, accuracy=0.83, precision=None, recall=0.0),
    Row(
        "F1", ALWAYS_F, 0.0, None, SRIHARI, "undefined in print, over P and R; over counts it is 2TP/(2TP+FP+FN) = 0/1"
    ),
    *rows(TORNADO, WILKS, 3, accuracy=0.966, CSI=0.228, FDR=0.720, recall=0.549),
    *rows(TORNADO, WILKS, 4, FPR=0.0262),
    *rows(TORNADO, WILKS, 3, kappa=0.355, informedness=0.523, markedness=0.271),
    *rows(TORNADO, WILKS, 1, DOR=45.3),
    *rows(TWENTY, FAWCETT, 2, AUC=0.68),
    *rows(TWENTY, FAWCETT, None, KS=0.4, Gini=0.36),
    *rows(TIED, SLIDES, None, AUC=0.56),
    *rows(GLUCOSE, SLIDES, None, AUC=0.8),
]
