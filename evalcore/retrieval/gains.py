"""What a grade is worth and what a rank takes off: the two choices behind every cumulated gain."""

import math
from functools import lru_cache

import numpy as np

from evalcore.numeric import Array
from evalcore.retrieval.names import Places


def gains(grades: Array, gain: str = "linear") -> Array:
    """Gain of each grade; a document without a positive grade gains nothing, unless a table says so.

    Parameters
    ----------
    grades : Array, any shape
    gain : {"linear", "exp"} or a table
        ``"1:3;2:7"`` gives grade 1 the gain 3 and grade 2 the gain 7; other grades keep themselves.

    Examples
    --------
    >>> [gains(np.array([0.0, 1, 2]), gain).tolist() for gain in ("linear", "exp", "2:7")]
    [[0.0, 1.0, 2.0], [0.0, 1.0, 3.0], [0.0, 1.0, 7.0]]
    """
    positive = np.maximum(grades, 0.0)
    if gain == "linear":
        return positive
    if gain == "exp":
        return np.exp2(positive) - 1
    for entry in gain.split(";"):
        grade, worth = map(float, entry.split(":"))
        positive = np.where(grades == grade, worth, positive)
    return positive


def divisors(ranks: Places, discount: str = "log", base: float = 2) -> Array:
    """What the gain at each rank is divided by.

    Examples
    --------
    >>> ranks = np.array([1, 2, 3, 4])
    >>> divisors(ranks).round(2).tolist(), divisors(ranks, "original").round(2).tolist()
    ([1.0, 1.58, 2.0, 2.32], [1.0, 1.0, 1.58, 2.0])
    """
    if discount == "none":
        return np.ones(ranks.shape)
    # A table of powers of two in length, so that a few of them serve every run.
    table = _table(1 << int(ranks.max(initial=1)).bit_length(), discount, float(base))
    return table[ranks]


@lru_cache(maxsize=32)
def _table(length: int, discount: str, base: float) -> Array:
    # The C library's logarithm, as trec_eval uses it: the vector form of numpy may differ in the last bit.
    log = {2.0: math.log2, 10.0: math.log10}.get(base, lambda value: math.log(value, base))
    ahead = 1 if discount == "log" else 0
    found = [1.0, *(log(rank + ahead) for rank in range(1, length))]
    return np.maximum(found, 1.0) if discount == "original" else np.array(found)
