"""Small inputs full of ties, drawn by hypothesis: small enough for the slow definitions, nasty enough to find bugs."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from evalcore.classification import ScoredLabels
from tests.classification.definitions import Row

thorough = settings(max_examples=40, deadline=None, derandomize=True, database=None)
"""The same examples at every run; no deadline, because a busy machine is no defect."""

EXTREMES = (0.0, -0.0, 1e300, -1e300, 1e-300, -1e-300, 5e-324, 0.1, 0.3, 0.30000000000000004)
ones = st.just(Fraction(1))
whole = st.integers(0, 3).map(Fraction)
halves = st.sampled_from([Fraction(n, 4) for n in (0, 1, 2, 4, 6, 9)])
"""Weights that binary fractions hold exactly, so that sums of them are exact too."""

scores = st.one_of(st.integers(0, 4).map(float), st.sampled_from(EXTREMES))


def rows(weights: st.SearchStrategy[Fraction] = ones, min_size: int = 0, max_size: int = 14):
    """Lists of rows (is positive, score, weight)."""
    return st.lists(st.tuples(st.booleans(), scores, weights), min_size=min_size, max_size=max_size)


def two_classes(weights: st.SearchStrategy[Fraction] = ones):
    """Rows with at least two positives and two negatives that count."""
    return rows(weights, min_size=4).filter(
        lambda found: all(sum(w > 0 and p is positive for p, _, w in found) >= 2 for positive in (True, False))
    )


def state(found: list[Row], weighted: bool = True) -> ScoredLabels:
    """The state of some rows; unweighted when all weights are 1 and `weighted` is False."""
    labels, values, weights = ([row[k] for row in found] for k in range(3))
    return ScoredLabels.from_arrays(labels, values, weights=[float(w) for w in weights] if weighted else None)
