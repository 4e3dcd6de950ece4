"""What a model comes to say when each positive row counts several times in its training.

Repeating positives, leaving out negatives, weights and costs all multiply the odds that a model states by one factor
(C. Elkan, The foundations of cost-sensitive learning, IJCAI 2001, 973–978, theorems 1 and 2).
"""

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array

__all__ = ["equivalent_threshold", "reweighted"]


def reweighted(probability: npt.ArrayLike, times: float) -> Array:
    """Probabilities of the positive class whose odds are multiplied, as by training with each positive so many times.

    >>> reweighted([0.0, 0.05, 0.5, 1.0], 19).round(3).tolist()
    [0.0, 0.5, 0.95, 1.0]
    """
    p = np.asarray(probability, dtype=np.float64)
    return times * p / (times * p + (1 - p))


def equivalent_threshold(times: float, threshold: float = 0.5) -> float:
    """The threshold on the probabilities as they are that decides like another one on the reweighted ones.

    >>> equivalent_threshold(19)
    0.05
    """
    return threshold / (threshold + times * (1 - threshold))
