"""The parameters of the measures of rankings: k, the relevance level, the gain of a grade, the discount of a rank."""

import math
from functools import lru_cache
from math import inf

import numpy as np

from evalcore.numeric import Array
from evalcore.registry import Param
from evalcore.retrieval.id_table import Places

__all__ = ["BASE", "DISCOUNT", "GAIN"]

CUT = Param("k", 10, 1, 1e9, "Number of top ranks that count.", whole=True)
UNCUT = Param("k", inf, 1, inf, "Number of top ranks that count; all if not given.", whole=True)
LEVEL = Param("rel", 1, 1e-9, 1e9, "Lowest grade that counts as relevant.")
BETA = Param("beta", 1, 0, 1000, "How many times as important recall is as precision.")
SIZE = Param("size", 0, 0, 1e15, "Documents in the collection; 0 if unknown.")
PATIENCE = Param("p", 0.8, 0, 0.999999, "Probability that a reader moves on to the next rank.")
RULE = Param.choice(
    "rule", ("exact", "trec9", "trec10"), "How many relevant documents a recall needs if rR is not a whole number."
)
GAIN = Param.choice(
    "gain",
    ("linear", "exp"),
    "Gain of a grade v: v, 2^v − 1, or a table such as 1:3;2:7.",
    pattern=r"\s*-?\d+(?:\.\d+)?:\d+(?:\.\d+)?(?:\s*;\s*-?\d+(?:\.\d+)?:\d+(?:\.\d+)?)*\s*",
)
DISCOUNT = Param.choice(
    "discount",
    ("log", "original", "none"),
    "Discount of rank i: 1/log_b(i + 1), the original 1/max(1, log_b i), or none.",
)
BASE = Param("base", 2, 1.000001, 1000, "Base b of the logarithm.")

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
    divisors = [1.0, *(log(rank + ahead) for rank in range(1, length))]
    return np.maximum(divisors, 1.0) if discount == "original" else np.array(divisors)
