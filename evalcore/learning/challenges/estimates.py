"""Challenges of agreement and of errors of numbers."""

import math
from collections.abc import Sequence

from evalcore.estimation import Estimates
from evalcore.learning.challenges.challenge import Asked, Draw, built, challenge, number, written
from evalcore.learning.questions import Values
from evalcore.registry import find

Errors = Sequence[float]


@challenge("dice_from_jaccard")
def _dice_from_jaccard(draw: Draw) -> Asked:
    jaccard = draw.whole(50, 30, 85, 5) / 100
    dice = 2 * jaccard / (1 + jaccard)
    twice = 2 * jaccard
    areas = 1 + jaccard
    return number(
        locals(),
        dice,
        {"wrong way": jaccard / (2 - jaccard), "doubled": 2 * jaccard, "equal": jaccard, "mean": (1 + jaccard) / 2},
        is_share=False,
    )


@challenge("best_constant")
def _best_constant(draw: Draw) -> Asked:
    values = sorted(draw.whole(book, low, high) for book, low, high in
                    ((1, 1, 4), (2, 4, 6), (3, 6, 9), (5, 9, 14), (14, 20, 60)))  # fmt: skip
    mean, middle = sum(values) / 5, (values[0] + values[-1]) / 2
    return number(
        locals(),
        values[2],
        {"mean": mean, "middle": middle, "lowest": values[0], "highest": values[-1]},
        is_share=False,
    )


def _errors(names: Sequence[str], errors: Errors) -> list[float]:
    """Measures of five estimates whose errors were typed."""
    state = Estimates.from_arrays([0.0] * len(errors), errors)
    return [float(find(name)(state)) for name in names]


@challenge("rmse_outlier")
def _rmse_outlier(draw: Draw) -> Asked:
    size = draw.whole(2, 1, 9)

    def both(errors: Errors) -> list[float]:
        return _errors(("MAE", "RMSE"), errors)

    def off(errors: Errors) -> bool:
        return not math.isclose(both(errors)[0], size)

    def right(errors: Errors) -> bool:
        return not off(errors) and both(errors)[1] >= 2 * size - 1e-9

    least = 2 * size
    outlier = 5 * size
    square = 25 * size * size
    rmse = math.sqrt(5) * size
    return built(
        locals(),
        Values(
            tuple(f"Error {place}" for place in range(1, 6)),
            right,
            (5 * size, 0, 0, 0, 0),
            -1000,
            1000,
            whole=False,
            numbers=lambda errors: written(("MAE", "RMSE"), both(errors)),
        ),
        {
            "cancelled": (
                lambda errors: off(errors) and math.isclose(abs(sum(errors)) / 5, size),
                (10 * size, -5 * size, 0, 0, 0),
            ),
            "sum": (lambda errors: off(errors) and math.isclose(sum(map(abs, errors)), size), (size, 0, 0, 0, 0)),
            "equal errors": (
                lambda errors: not off(errors) and len({abs(error) for error in errors}) == 1,
                (size, size, size, size, -size),
            ),
            "too even": (lambda errors: not off(errors), (2 * size, 2 * size, size, 0, 0)),
            "wrong mean": (lambda errors: True, (20 * size, 3 * size, 0, 0, 0)),
        },
    )


@challenge("r2_below_zero")
def _r2_below_zero(draw: Draw) -> Asked:
    start = draw.whole(1, 2, 30)
    truth = [start + step for step in range(4)]

    def both(estimates: Errors) -> list[float]:
        state = Estimates.from_arrays(truth, estimates)
        return [float(find(name)(state)) for name in ("Pearson correlation", "R²")]

    def right(estimates: Errors) -> bool:
        correlation, r2 = both(estimates)
        return math.isclose(correlation, 1, abs_tol=1e-9) and r2 < 0

    return built(
        locals(),
        Values(
            tuple(f"Estimate of {value}" for value in truth),
            right,
            [value + 10 for value in truth],
            -1000,
            1000,
            whole=False,
            numbers=lambda estimates: written(("Correlation", "R²"), both(estimates)),
        ),
        {
            "constant": (lambda estimates: len(set(estimates)) == 1, (0, 0, 0, 0)),
            "turned round": (lambda estimates: both(estimates)[0] < 0, truth[::-1]),
            "good estimates": (lambda estimates: both(estimates)[1] >= 0, truth),
            "off a line": (lambda estimates: True, (truth[0] + 50, truth[1] + 50, truth[2] + 50, truth[3] + 90)),
        },
    )
