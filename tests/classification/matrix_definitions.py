"""The definitions of the measures of several classes as a textbook writes them; counts are fractions."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.classification.definitions import Number, Undefined, f_beta, over, ppv, tpr

Matrix = Sequence[Sequence[Fraction]]


def weighted_kappa(matrix: Matrix, power: float = 2) -> Number:
    """1 − disagreement observed / disagreement of independent margins, cell by cell."""
    k, n = range(len(matrix)), sum(map(sum, matrix))
    apart = [[Fraction(abs(i - j) ** power if i != j else 0) for j in k] for i in k]
    by_chance = sum(apart[i][j] * sum(matrix[i]) * sum(matrix[m][j] for m in k) for i in k for j in k)
    observed = sum(apart[i][j] * matrix[i][j] for i in k for j in k) * n
    return over(by_chance - observed, by_chance)


def multiclass_matthews(matrix: Matrix) -> Number:
    """Gorodkin's R_K over all triples of classes."""
    k = range(len(matrix))
    above = sum(matrix[a][a] * matrix[b][c] - matrix[a][b] * matrix[c][a] for a in k for b in k for c in k)
    rows, columns = [sum(matrix[i]) for i in k], [sum(matrix[i][j] for i in k) for j in k]
    n = sum(rows)
    below = sum(r * (n - r) for r in rows) * sum(c * (n - c) for c in columns)
    return over(above, math.sqrt(below))


def macro(definition: Callable[..., Number]) -> Callable[[Matrix], Number]:
    """Mean of a measure of counts over the classes where it is defined, class by class."""

    def mean(matrix: Matrix) -> Number:
        n, values = sum(map(sum, matrix)), []
        for i, row in enumerate(matrix):
            tp, actual, predicted = row[i], sum(row), sum(other[i] for other in matrix)
            try:
                values.append(definition(tp, predicted - tp, actual - tp, n - actual - predicted + tp))
            except Undefined:
                continue
        return over(sum(values), len(values))

    return mean


OF_MATRIX: dict[str, Callable[..., Number]] = {
    "overall_accuracy": lambda m: over(sum(m[i][i] for i in range(len(m))), sum(map(sum, m))),
    "macro_recall": macro(tpr),
    "macro_precision": macro(ppv),
    "macro_f1": macro(f_beta),
    "multiclass_kappa": lambda m: weighted_kappa(m, 0),
    "weighted_kappa": weighted_kappa,
    "multiclass_matthews": multiclass_matthews,
    "no_information_rate": lambda m: over(max(map(sum, m), default=0), sum(map(sum, m))),
}
