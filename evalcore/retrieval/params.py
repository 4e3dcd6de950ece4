"""The parameters that the measures of rankings share."""

from math import inf

from evalcore.registry import Param

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
