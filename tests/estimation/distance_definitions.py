"""The distances of two distributions as a textbook writes them: slow, exact where they can be, and obvious.

A measure is a function of the counts of P and Q and of the places of the bins, all fractions.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

Shares = Sequence[Fraction]


def _kl(p: Shares, q: Shares) -> float:
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return math.inf
    return sum(float(a) * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def _cross(p: Shares, q: Shares) -> float:
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return math.inf
    return -sum(float(a) * math.log(b) for a, b in zip(p, q, strict=True) if a > 0)


def _jensen_shannon(p: Shares, q: Shares) -> float:
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (_kl(p, middle) + _kl(q, middle)) / 2


def _cumulated(p: Shares) -> list[Fraction]:
    return [sum(p[: i + 1], Fraction(0)) for i in range(len(p))]


def _gaps(p: Shares, q: Shares) -> list[Fraction]:
    return [abs(a - b) for a, b in zip(_cumulated(p), _cumulated(q), strict=True)]


def _chi_square(p: Shares, q: Shares) -> float:
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return math.inf
    return float(sum((a - b) ** 2 / b for a, b in zip(p, q, strict=True) if b))


def _statistic(p: Shares, q: Shares, at: Shares) -> float:
    n, total = (sum(p), sum(q)), Fraction(0)
    for cells in zip(p, q, strict=True):
        for count, size in zip(cells, n, strict=True):
            if expected := sum(cells) * Fraction(size) / sum(n):
                total += (count - expected) ** 2 / expected
    return float(total)


_OF_SHARES: dict[str, Callable[[Shares, Shares, Shares], float]] = {
    "entropy": lambda p, q, at: _cross(p, p),
    "cross_entropy": lambda p, q, at: _cross(p, q),
    "kl_divergence": lambda p, q, at: _kl(p, q),
    "reverse_kl_divergence": lambda p, q, at: _kl(q, p),
    "jensen_shannon_divergence": lambda p, q, at: _jensen_shannon(p, q),
    "total_variation": lambda p, q, at: float(sum(max(a - b, Fraction(0)) for a, b in zip(p, q, strict=True))),
    "hellinger_distance": lambda p, q, at: math.sqrt(
        max(1 - sum(math.sqrt(a * b) for a, b in zip(p, q, strict=True)), 0)
    ),
    "chi_square_divergence": lambda p, q, at: _chi_square(p, q),
    "population_stability_index": lambda p, q, at: _kl(p, q) + _kl(q, p),
    "ks_distance": lambda p, q, at: float(max(_gaps(p, q))),
    "wasserstein_distance": lambda p, q, at: float(
        sum(gap * (at[i + 1] - at[i]) for i, gap in enumerate(_gaps(p, q)[:-1]))
    ),
}


def _on_counts(definition: Callable[[Shares, Shares, Shares], float]) -> Callable[[Shares, Shares, Shares], float]:
    return lambda p, q, at: definition([x / sum(p) for x in p], [x / sum(q) for x in q], at)


OF_DISTRIBUTIONS = {key: _on_counts(definition) for key, definition in _OF_SHARES.items()}
OF_DISTRIBUTIONS["chi_square_statistic"] = _statistic
