"""What a grade is worth and what a rank takes off: the two choices behind every cumulated gain."""

import math
from functools import lru_cache

import numpy as np

from evalcore.numeric import Array
from evalcore.retrieval.id_table import Places

# A grade above this has an exponential gain that no float holds, alone or in a sum of many.
HIGHEST_EXPONENT = 960.0


def gains(grades: Array, gain: str = "linear", shift: Array | float = 0.0) -> Array:
    """Gain of each grade; a document without a positive grade gains nothing, unless a table says so.

    In the table "1:3;2:7" grade 1 gains 3 and grade 2 gains 7; other grades keep themselves. Exponential gains are
    divided by 2 to the power of the shift, see `shift_of`; without it one too large for a float is infinite.
    """
    positive = np.maximum(grades, 0.0)
    if gain == "linear":
        return positive
    if gain == "exp":
        with np.errstate(over="ignore", under="ignore"):
            return np.exp2(positive - shift) - np.exp2(-np.asarray(shift))
    for entry in gain.split(";"):
        grade, worth = map(float, entry.split(":"))
        positive = np.where(grades == grade, worth, positive)
    return positive


def shift_of(highest: Array | float, gain: str) -> Array | float:
    """By which power of two exponential gains are divided so that their sums stay finite: 0 for usual grades."""
    return np.maximum(highest - HIGHEST_EXPONENT, 0.0) if gain == "exp" else 0.0


def divisors(ranks: Places, discount: str = "log", base: float = 2) -> Array:
    """What the gain at each rank is divided by."""
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
