"""Challenges of agreement and of errors of numbers."""

import math
from collections.abc import Sequence

from evalcore.estimation import Estimates
from evalcore.learning.challenges.challenge import Draw, built_question, challenge, number_question, written
from evalcore.learning.questions import Question, Values
from evalcore.registry import find
from evalcore.wording import number_text

Errors = Sequence[float]


@challenge("dice_from_jaccard", "Dice from Jaccard", "estimates")
def _dice_from_jaccard(draw: Draw) -> Question:
    jaccard = draw.whole(50, 30, 85, 5) / 100
    dice = 2 * jaccard / (1 + jaccard)
    return number_question(
        f"Two masks overlap with a Jaccard index (intersection over union) of {jaccard:g}. What is their **Dice** "
        "coefficient, two decimals?",
        dice,
        [
            ("wrong way", jaccard / (2 - jaccard), "You went from Dice to Jaccard. Dice is the larger of the two."),
            ("doubled", 2 * jaccard, "You doubled the intersection but left the denominator: Dice divides by the sum "
             "of both areas, not by their union."),
            ("equal", jaccard, "The two agree only at 0 and 1. Dice counts the intersection twice, in both parts of "
             "the fraction."),
            ("mean", (1 + jaccard) / 2, "That is midway between Jaccard and 1. Write intersection and union as areas "
             "and build Dice from them."),
        ],
        f"With intersection I = {jaccard:g} and union 1, both areas together are 1 + I. Dice = 2I / (1 + I) = "
        f"{2 * jaccard:g} / {1 + jaccard:g} = {number_text(dice)}.",
        is_share=False, page="estimate/overlap", settings={"data": "digit_masks"},
    )  # fmt: skip


@challenge("best_constant", "The constant with the least absolute error", "estimates")
def _best_constant(draw: Draw) -> Question:
    values = sorted(draw.whole(book, low, high) for book, low, high in
                    ((1, 1, 4), (2, 4, 6), (3, 6, 9), (5, 9, 14), (14, 20, 60)))  # fmt: skip
    mean, middle = sum(values) / 5, (values[0] + values[-1]) / 2
    return number_question(
        f"The true values are {', '.join(map(str, values))}. A forecaster may state only one number for all five. "
        "Which one has the least **mean absolute error**?",
        values[2],
        [
            ("mean", mean, "The mean minimises the *squared* error. An absolute error pulls the same however large it "
             "is."),
            ("middle", middle, "That is the middle between the least and the largest value. It minimises the largest "
             "error."),
            ("lowest", values[0], "At the lowest value every step up helps four of the five. How far up does it pay?"),
            ("highest", values[-1], "At the highest value every step down helps four of the five. How far down does it "
             "pay?"),
        ],
        f"The median, {values[2]}: on each side of it lie two values, so a step to either side costs more than it "
        f"gains. The mean, {mean:g}, follows the outlier.",
        is_share=False, page="estimate/regression", settings={"data": "diabetes", "regression_part": "Losses"},
    )  # fmt: skip


def _errors(names: Sequence[str], errors: Errors) -> list[float]:
    """Measures of five estimates whose errors were typed."""
    state = Estimates.from_arrays([0.0] * len(errors), errors)
    return [float(find(name)(state)) for name in names]


@challenge("rmse_outlier", "One outlier, two averages of errors", "estimates")
def _rmse_outlier(draw: Draw) -> Question:
    size = draw.whole(2, 1, 9)

    def both(errors: Errors) -> list[float]:
        return _errors(("MAE", "RMSE"), errors)

    def off(errors: Errors) -> bool:
        return not math.isclose(both(errors)[0], size)

    def right(errors: Errors) -> bool:
        return not off(errors) and both(errors)[1] >= 2 * size - 1e-9

    return built_question(
        f"Give the errors of five estimates, so that the **mean absolute error is {size}** and the **root mean squared "
        f"error at least {2 * size}**.",
        Values(
            tuple(f"Error {place}" for place in range(1, 6)), right, (5 * size, 0, 0, 0, 0), -1000, 1000, whole=False,
            numbers=lambda errors: written(("MAE", "RMSE"), both(errors)),
        ),
        (
            ("cancelled", lambda errors: off(errors) and math.isclose(abs(sum(errors)) / 5, size),
             "The mean *error* has this size: errors of different sign cancel in it. The absolute error takes each "
             "without its sign.", (10 * size, -5 * size, 0, 0, 0)),
            ("sum", lambda errors: off(errors) and math.isclose(sum(map(abs, errors)), size),
             "The absolute errors *add up* to this. Their mean is a fifth of it.", (size, 0, 0, 0, 0)),
            ("equal errors", lambda errors: not off(errors) and len({abs(error) for error in errors}) == 1,
             "With errors of one size, RMSE and MAE are the same. Squaring weighs large errors more: spread them "
             "unequally.", (size, size, size, size, -size)),
            ("too even", lambda errors: not off(errors), "The mean absolute error is right; RMSE is above it, but not "
             "far enough. Concentrate the error.", (2 * size, 2 * size, size, 0, 0)),
            ("wrong mean", lambda errors: True, "The absolute errors have to add up to 5 times the mean absolute "
             "error.", (20 * size, 3 * size, 0, 0, 0)),
        ),
        f"One error of {5 * size} and four of 0: MAE {5 * size}/5 = {size}, RMSE √({25 * size * size}/5) = "
        f"{number_text(math.sqrt(5) * size)}. A single outlier is enough.",
        "estimate/regression", {"data": "diabetes"},
    )  # fmt: skip


@challenge("r2_below_zero", "Perfectly correlated, worse than the mean", "estimates")
def _r2_below_zero(draw: Draw) -> Question:
    start = draw.whole(1, 2, 30)
    truth = [start + step for step in range(4)]

    def both(estimates: Errors) -> list[float]:
        state = Estimates.from_arrays(truth, estimates)
        return [float(find(name)(state)) for name in ("Pearson correlation", "R²")]

    def right(estimates: Errors) -> bool:
        correlation, r2 = both(estimates)
        return math.isclose(correlation, 1, abs_tol=1e-9) and r2 < 0

    return built_question(
        f"The true values are {', '.join(map(str, truth))}. Give four estimates that have a **correlation of 1** with "
        "them and **R² below 0**.",
        Values(
            tuple(f"Estimate of {value}" for value in truth), right, [value + 10 for value in truth], -1000, 1000,
            whole=False, numbers=lambda estimates: written(("Correlation", "R²"), both(estimates)),
        ),
        (
            ("constant", lambda estimates: len(set(estimates)) == 1,
             "Estimates that are all equal have no correlation: it is 0/0. They have to rise with the truth.",
             (0, 0, 0, 0)),
            ("turned round", lambda estimates: both(estimates)[0] < 0,
             "R² is below 0, but so is the correlation. The estimates have to rise with the truth.", truth[::-1]),
            ("good estimates", lambda estimates: both(estimates)[1] >= 0,
             "These estimates are too good: they beat the mean of the true values. Correlation ignores where a line "
             "lies and how steep it is. R² does not.", truth),
            ("off a line", lambda estimates: True, "R² is below 0, but the estimates do not lie on one line against "
             "the truth, so the correlation is below 1.", (truth[0] + 50, truth[1] + 50, truth[2] + 50, truth[3] + 90)),
        ),
        "Each estimate 10 too high: the order and the distances are perfect (correlation 1), and every estimate is "
        "farther from the truth than the mean of the true values is. R² is far below 0.",
        "estimate/regression", {"data": "diabetes"},
    )  # fmt: skip
