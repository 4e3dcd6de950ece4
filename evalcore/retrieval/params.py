"""The parameters that the measures of rankings share."""

from math import inf

from evalcore.registry import Param

__all__ = ["BASE", "DISCOUNT", "GAIN"]

CUT = Param("k", 10, 1, 1e9, "How many ranks from the top count.", whole=True)
UNCUT = Param("k", inf, 1, inf, "How many ranks from the top count; all of them unless it is said.", whole=True)
LEVEL = Param("rel", 1, 1e-9, 1e9, "The lowest grade that counts as relevant.")
BETA = Param("beta", 1, 0, 1000, "How many times recall weighs as much as precision.")
SIZE = Param("size", 0, 0, 1e15, "Documents in the whole collection; 0 where that is not known.")
PATIENCE = Param("p", 0.8, 0, 0.999999, "Chance that a reader goes on from one rank to the next.")
RULE = Param.choice(
    "rule", ("exact", "trec9", "trec10"), "How many relevant documents a recall needs, where rR is no whole number."
)
GAIN = Param.choice(
    "gain",
    ("linear", "exp"),
    "What a grade v is worth: v, 2^v − 1, or a table such as 1:3;2:7.",
    pattern=r"\s*-?\d+(?:\.\d+)?:\d+(?:\.\d+)?(?:\s*;\s*-?\d+(?:\.\d+)?:\d+(?:\.\d+)?)*\s*",
)
DISCOUNT = Param.choice(
    "discount",
    ("log", "original", "none"),
    "What a rank i takes off: 1/log_b(i + 1), the original 1/max(1, log_b i), or nothing.",
)
BASE = Param("base", 2, 1.000001, 1000, "Base b of the logarithm.")
