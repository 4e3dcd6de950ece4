"""The definitions of the measures of probabilities as a textbook writes them: slow, exact and obvious.

Probabilities and weights are fractions. A measure is a function of rows (probabilities, place of the class, weight).
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.classification.definitions import Number, Undefined, over

Stated = tuple[Sequence[Fraction], int, Fraction]
"""A row of probabilities, the place of its class, and its weight."""


def _mean_of(rows: Sequence[Stated], loss: Callable[[Sequence[Fraction], int], Number]) -> Number:
    return over(sum(w * loss(q, y) for q, y, w in rows), sum((w for _, _, w in rows), Fraction(0)))


def _minus_ln(q: Fraction) -> float:
    return -math.log(min(max(float(q), 1e-15), 1 - 1e-15))


def log_loss(rows: Sequence[Stated]) -> float:
    return _mean_of([(q, y, float(w)) for q, y, w in rows], lambda q, y: _minus_ln(q[y])) if rows else over(0, 0)


def log_loss_over_classes(rows: Sequence[Stated]) -> float:
    def loss(q: Sequence[Fraction], y: int) -> float:
        return sum(_minus_ln(q[c] if c == y else 1 - q[c]) for c in range(len(q)))

    return _mean_of([(q, y, float(w)) for q, y, w in rows], loss) if rows else over(0, 0)


def brier(rows: Sequence[Stated]) -> Number:
    return _mean_of(rows, lambda q, y: sum((q[c] - (c == y)) ** 2 for c in range(len(q))))


def brier_skill(rows: Sequence[Stated]) -> Number:
    n = sum((w for _, _, w in rows), Fraction(0))
    if not n:
        raise Undefined
    shares = [sum((w for _, y, w in rows if y == c), Fraction(0)) / n for c in range(len(rows[0][0]))]
    uncertainty = sum(share * (1 - share) for share in shares)
    return 1 - over(brier(rows), uncertainty) if uncertainty else over(0, 0)


def calibration_gaps(rows: Sequence[Stated], bins: int = 15) -> list[tuple[Fraction, Fraction]]:
    """Weight and gap of each bin that holds a row; bins are low < q <= high."""
    two = bool(rows) and len(rows[0][0]) == 2
    asked = [(q[1], y == 1, w) if two else (max(q), q.index(max(q)) == y, w) for q, y, w in rows]
    found = []
    for b in range(bins):
        inside = [
            (q, y, w)
            for q, y, w in asked
            if (q > Fraction(b, bins) or not b) and (q <= Fraction(b + 1, bins) or b == bins - 1)
        ]
        if weight := sum((w for _, _, w in inside), Fraction(0)):
            said, came = sum(w * q for q, _, w in inside), sum(w * y for _, y, w in inside)
            found.append((weight, abs(said - came) / weight))
    return found


def expected_calibration_error(rows: Sequence[Stated]) -> Number:
    gaps = calibration_gaps(rows)
    return over(sum((w * gap for w, gap in gaps), Fraction(0)), sum((w for w, _ in gaps), Fraction(0)))


def maximum_calibration_error(rows: Sequence[Stated]) -> Number:
    gaps = calibration_gaps(rows)
    return max(gap for _, gap in gaps) if gaps else over(0, 0)


OF_PROBABILITIES: dict[str, Callable[..., Number]] = {
    "log_loss": log_loss,
    "log_loss_over_classes": log_loss_over_classes,
    "brier_score": brier,
    "half_brier_score": lambda rows: brier(rows) / 2,
    "brier_skill": brier_skill,
    "expected_calibration_error": expected_calibration_error,
    "maximum_calibration_error": maximum_calibration_error,
}
