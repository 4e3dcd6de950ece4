"""Where intervals do not hold what they promise: measured, so that a page can say so.

The coverages come from ``python -m benchmarks.coverage 2000 facts``: 2,000 samples a number (so that each is right to
about 0.005) from two normal laws with areas of 0.85 and 0.8, cut half-way between the means of the first. Other scores
have other coverages; what carries over is how few positives are too few.
"""

import math

from evalcore.wording.numbers import count_text, level_text, share_text

__all__ = ["poor_coverage"]

ROWS = (50, 100, 200, 500, 1000, 5000)
PREVALENCES = (0.02, 0.05, 0.1, 0.2, 0.5)
SAMPLES = 2000
LOWEST, HIGHEST = 0.93, 0.97

THOUSANDTHS: dict[str, tuple[tuple[int, ...], ...]] = {
    "delong": (
        (726, 699, 748, 850, 908, 942),
        (753, 787, 854, 914, 943, 938),
        (807, 867, 909, 936, 934, 945),
        (867, 920, 933, 944, 946, 945),
        (922, 934, 947, 940, 954, 950),
    ),
    "delong_logit": (
        (852, 794, 820, 885, 926, 944),
        (876, 851, 889, 936, 948, 943),
        (905, 920, 935, 950, 944, 949),
        (927, 942, 944, 949, 949, 944),
        (952, 946, 952, 950, 962, 948),
    ),
    "delong_difference": (
        (873, 819, 854, 923, 936, 950),
        (869, 890, 916, 944, 937, 955),
        (906, 925, 941, 950, 954, 954),
        (940, 944, 952, 958, 941, 949),
        (948, 954, 946, 946, 954, 954),
    ),
    "score_difference recall": (
        (1000, 999, 999, 987, 968, 960),
        (999, 995, 990, 957, 945, 943),
        (997, 987, 954, 952, 950, 948),
        (992, 957, 948, 948, 948, 956),
        (946, 954, 957, 952, 956, 953),
    ),
    "score_difference accuracy": (
        (960, 952, 946, 954, 958, 942),
        (956, 945, 947, 950, 948, 954),
        (952, 948, 946, 947, 954, 947),
        (959, 956, 950, 948, 948, 950),
        (952, 952, 956, 944, 960, 948),
    ),
    "bootstrap_difference f_beta": (
        (904, 886, 861, 876, 942, 949),
        (893, 898, 912, 942, 950, 952),
        (912, 924, 944, 942, 947, 950),
        (930, 943, 944, 943, 947, 947),
        (927, 944, 950, 948, 960, 951),
    ),
}
"""Share of the 95 % intervals of each method that hold the true value, of those samples in which it has one: a row a
prevalence, a column a number of rows."""

WORDS = {
    "delong": "DeLong intervals of the AUC",
    "delong_logit": "DeLong intervals of the AUC on the logit scale",
    "delong_difference": "DeLong intervals of a difference of two AUCs",
    "score_difference recall": "score intervals of a difference of two recalls",
    "score_difference accuracy": "score intervals of a difference of two accuracies",
    "bootstrap_difference f_beta": "paired bootstrap intervals of a difference of two F1s",
}
"""What each method is called in a sentence."""


def poor_coverage(method: str, n: float, prevalence: float) -> str:
    """A sentence where the 95 % intervals of a method hold the true value clearly more or less often than they say.

    Parameters
    ----------
    method : str
        A key of `WORDS`.
    n : float
        Rows.
    prevalence : float
        Share of the positives, 0 … 1. An area looks the same from both classes, so there the rarer one counts.

    Returns
    -------
    str
        Empty where the coverage lies within 93 … 97 %, and beyond the largest table that was measured.

    Examples
    --------
    >>> poor_coverage("delong", 100, 0.05)[-84:]
    '95\\u202f% DeLong intervals of the AUC held the true value in 78.7\\u202f%: they are too narrow.'
    >>> poor_coverage("delong", 5000, 0.5)
    ''
    """
    if n > 2 * ROWS[-1]:
        return ""
    coverage, rows, share = measured_coverage(method, n, prevalence)
    if LOWEST <= coverage <= HIGHEST:
        return ""
    samples = (
        f"{count_text(SAMPLES)} simulated samples of {count_text(rows)} rows, {level_text(share)} of them positive"
    )
    held = f"{level_text(0.95)} {WORDS[method]} held the true value in {share_text(coverage)}"
    return f"In {samples}, {held}: they are {'too narrow' if coverage < LOWEST else 'wider than they need be'}."


def measured_coverage(method: str, n: float, prevalence: float) -> tuple[float, int, float]:
    """Coverage of a 95 % interval nearest to a data set, and the rows and prevalence at which it was measured."""
    if method.startswith("delong"):
        prevalence = min(prevalence, 1 - prevalence)
    column, row = _nearest(ROWS, n), _nearest(PREVALENCES, prevalence)
    return THOUSANDTHS[method][row][column] / 1000, ROWS[column], PREVALENCES[row]


def _nearest(grid: tuple[float, ...], value: float) -> int:
    """Index of the value nearest in ratio."""
    return min(range(len(grid)), key=lambda i: abs(math.log(max(value, 1e-9) / grid[i])))
