"""Where intervals do not hold what they promise: measured, so that a page can say so.

The coverages come from ``python -m benchmarks.coverage 2000 facts``: 2,000 samples a number (so that each is right to
about 0.005) from two normal laws with areas of 0.85 and 0.8, cut half-way between the means of the first. Other scores
have other coverages; what carries over is how few positives are too few.
"""

import math

from evalcore.wording.numbers import count_text

__all__ = ["measured_coverage", "poor_coverage"]

ROWS = (50, 100, 200, 500, 1000, 5000)
PREVALENCES = (0.02, 0.05, 0.1, 0.2, 0.5)
SAMPLES = 2000
LOWEST, HIGHEST = 0.93, 0.97

THOUSANDTHS: dict[str, tuple[tuple[int | None, ...], ...]] = {
    "wilson recall": (
        (980, 975, 970, 954, 958, 950),
        (972, 976, 957, 959, 963, 946),
        (966, 954, 952, 950, 948, 946),
        (960, 956, 948, 946, 948, 956),
        (943, 946, 955, 954, 953, 947),
    ),
    "clopper_pearson recall": (
        (1000, 996, 994, 990, 977, 961),
        (996, 995, 982, 976, 976, 956),
        (991, 988, 968, 968, 960, 952),
        (988, 973, 966, 956, 958, 958),
        (967, 963, 965, 960, 958, 949),
    ),
    "delong": (
        (684, 679, 746, 850, 908, 942),
        (726, 784, 854, 914, 943, 938),
        (791, 867, 909, 936, 934, 945),
        (864, 920, 933, 944, 946, 945),
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
    "bootstrap f_beta": (
        (990, 992, 976, 939, 948, 944),
        (993, 947, 935, 948, 942, 937),
        (954, 942, 952, 960, 942, 948),
        (942, 952, 946, 948, 947, 949),
        (942, 940, 942, 954, 952, 960),
    ),
    "bootstrap matthews_correlation": (
        (308, 833, 943, 938, 955, 952),
        (867, 935, 936, 950, 953, 942),
        (927, 941, 950, 952, 943, 940),
        (930, 950, 948, 950, 958, 946),
        (948, 942, 944, 950, 958, 958),
    ),
    "bootstrap precision": (
        (992, 993, 975, 938, 947, 944),
        (992, 947, 940, 946, 938, 938),
        (948, 944, 952, 955, 940, 943),
        (946, 951, 940, 947, 945, 952),
        (932, 948, 944, 944, 949, 952),
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
    "wilson recall": "Wilson intervals of the recall",
    "clopper_pearson recall": "Clopper–Pearson intervals of the recall",
    "delong": "DeLong intervals of the AUC",
    "delong_logit": "DeLong intervals of the AUC on the logit scale",
    "delong_difference": "DeLong intervals of a difference of two AUCs",
    "bootstrap f_beta": "bootstrap intervals of F1",
    "bootstrap matthews_correlation": "bootstrap intervals of the Matthews correlation",
    "bootstrap precision": "bootstrap intervals of the precision",
    "score_difference recall": "score intervals of a difference of two recalls",
    "score_difference accuracy": "score intervals of a difference of two accuracies",
    "bootstrap_difference f_beta": "paired bootstrap intervals of a difference of two F1s",
}
"""What each method is called in a sentence."""


def measured_coverage(method: str, n: float, prevalence: float) -> tuple[float, int, float]:
    """Coverage of a 95 % interval where it was measured that is nearest to a data set.

    Parameters
    ----------
    method : str
        A key of `THOUSANDTHS`.
    n : float
        Rows.
    prevalence : float
        Share of the positives, 0 … 1. An area looks the same from both classes, so there the rarer one counts.

    Returns
    -------
    coverage : float
        nan where no sample had an interval.
    rows : int
    share : float
        Where it was measured.

    Raises
    ------
    KeyError
        When the method was not measured.

    Examples
    --------
    >>> measured_coverage("delong", 120, 0.11)
    (0.867, 100, 0.1)
    """
    table = THOUSANDTHS[method]
    if method.startswith("delong"):
        prevalence = min(prevalence, 1 - prevalence)
    column = _nearest(ROWS, n)
    row = _nearest(PREVALENCES, prevalence)
    thousandths = table[row][column]
    return (float("nan") if thousandths is None else thousandths / 1000), ROWS[column], PREVALENCES[row]


def poor_coverage(method: str, n: float, prevalence: float) -> str:
    """A sentence where the 95 % intervals of a method hold the true value clearly more or less often than they say.

    Parameters
    ----------
    method, n, prevalence
        As `measured_coverage`.

    Returns
    -------
    str
        Empty where the coverage lies within 93 … 97 %, and beyond the largest table that was measured.

    Examples
    --------
    >>> poor_coverage("delong", 100, 0.05)[-106:]
    '5 % of them positive, 95 % DeLong intervals of the AUC held the true value in 78.4 %: they are too narrow.'
    >>> poor_coverage("delong", 5000, 0.5)
    ''
    """
    if n > 2 * ROWS[-1]:
        return ""
    coverage, rows, share = measured_coverage(method, n, prevalence)
    if math.isnan(coverage) or LOWEST <= coverage <= HIGHEST:
        return ""
    drawn = f"{count_text(SAMPLES)} simulated samples of {count_text(rows)} rows, {100 * share:g} % of them positive"
    held = f"95 % {WORDS[method]} held the true value in {100 * coverage:.1f} %"
    return f"In {drawn}, {held}: they are {'too narrow' if coverage < LOWEST else 'wider than they need be'}."


def _nearest(places: tuple[float, ...], value: float) -> int:
    """The place nearest in ratio."""
    return min(range(len(places)), key=lambda i: abs(math.log(max(value, 1e-9) / places[i])))
