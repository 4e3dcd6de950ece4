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


def _area(rows: Sequence[Stated], c: int, others: Sequence[int]) -> Fraction | None:
    """Chance that a row of class c gives it more than a row of the others does; None without such a pair."""
    found = total = Fraction(0)
    for q, y, w in rows:
        for other, z, v in rows:
            if y == c and z in others:
                found += w * v * (Fraction(q[c] > other[c]) + Fraction(q[c] == other[c], 2))
                total += w * v
    return found / total if total else None


def _areas_of_classes(rows: Sequence[Stated], weighted: bool) -> Number:
    classes = range(len(rows[0][0])) if rows else ()
    known = [(c, _area(rows, c, [d for d in classes if d != c])) for c in classes]
    sizes = {c: sum(w for _, y, w in rows if y == c) if weighted else 1 for c in classes}
    pairs = [(sizes[c], area) for c, area in known if area is not None]
    return over(sum((n * area for n, area in pairs), Fraction(0)), sum((Fraction(n) for n, _ in pairs), Fraction(0)))


def _areas_of_pairs(rows: Sequence[Stated], weighted: bool) -> Number:
    classes = range(len(rows[0][0])) if rows else ()
    found = []
    for c in classes:
        for d in range(c):
            there, back = _area(rows, c, [d]), _area(rows, d, [c])
            if there is not None:
                size = sum(w for _, y, w in rows if y in (c, d)) if weighted else 1
                found.append((Fraction(size), (there + back) / 2))
    return over(sum((n * area for n, area in found), Fraction(0)), sum((n for n, _ in found), Fraction(0)))


def _top(rows: Sequence[Stated], k: int = 3) -> Number:
    return _mean_of(rows, lambda q, y: Fraction(y in sorted(range(len(q)), key=lambda c: -q[c])[:k]))


OF_PROBABILITIES: dict[str, Callable[..., Number]] = {
    "log_loss": log_loss,
    "log_loss_over_classes": log_loss_over_classes,
    "brier_score": brier,
    "half_brier_score": lambda rows: brier(rows) / 2,
    "brier_skill": brier_skill,
    "macro_auc": lambda rows: _areas_of_classes(rows, False),
    "weighted_auc": lambda rows: _areas_of_classes(rows, True),
    "one_vs_one_auc": lambda rows: _areas_of_pairs(rows, False),
    "weighted_one_vs_one_auc": lambda rows: _areas_of_pairs(rows, True),
    "top_k_accuracy": _top,
    "expected_calibration_error": expected_calibration_error,
    "maximum_calibration_error": maximum_calibration_error,
}
