"""The paired test of two rankings as a formula with its numbers."""

from evalcore.analyses.ranking_pairs import RankingPairs
from evalcore.wording import latex, latex_count, latex_term, measure_markdown, number_text, p_text

__all__ = ["ranking_test_formulas"]

_TESTS = {
    "t": r"t = \frac{{\bar d}}{{s_d / \sqrt n}} = d_z \sqrt n = {effect} \cdot \sqrt{{{n}}} = {statistic}, \qquad "
    r"n - 1 \text{{ degrees of freedom}}",
    "randomisation": r"p = \frac{{1 + \#\{{\text{{draws with }} |\bar d^*| \ge |\bar d|\}}}}{{1 + \text{{draws}}}}, "
    r"\qquad |\bar d| = |{statistic}|",
    "wilcoxon": r"W = \min\left(\sum_{{d_i > 0}} \operatorname{{rank}} |d_i|, \sum_{{d_i < 0}} \operatorname{{rank}} "
    r"|d_i|\right) = {statistic}",
    "sign": r"p = \min\left(1,\ 2 \sum_{{i \le S}} \binom{{m}}{{i}} 2^{{-m}}\right), \qquad S = \min(\text{{wins}}, "
    r"\text{{losses}}) = {statistic}",
}
_CLUSTERED_TESTS = {
    "t": r"t = \frac{{\bar d}}{{s}} = {statistic}, \qquad s = \frac{{1}}{{n}} \sqrt{{\frac{{c}}{{c - 1}} \sum_j \Big("
    r"\sum_{{i \in j}} (d_i - \bar d)\Big)^2}}, \qquad c - 1 \text{{ degrees of freedom}}, \quad c = {c}",
    "sign": r"S = \min(\text{{wins}}, \text{{losses}}) = {statistic}",
}
"""Where queries belong together; the others are the same, with other exchanges."""
_WHOLE_CLUSTERS = (
    "Where queries belong together, the t-test takes the sums of the c clusters j as the sample, and the other tests "
    "exchange the two systems for all queries of a cluster at once."
)
_READING = {
    "t": "How often equal systems would show a mean difference this large. The test tolerates values that are not "
    "normal once there are a few dozen queries.",
    "randomisation": "If the systems were equal, the two values of each query could be swapped. With fewer than 17 "
    "differences all such swaps are counted, and p is exact.",
    "wilcoxon": "It uses the order of the sizes of the differences, so a single huge one counts little. Differences of "
    "0 get ranks and are then left out (Pratt).",
    "sign": "It only counts who wins; m is wins plus losses. It assumes less and detects less.",
}


def ranking_test_formulas(pairs: RankingPairs) -> str:
    """The measure of the verdict with the means of A and B, and the test of their difference, in Markdown."""
    one, measure = pairs.main_difference, pairs.definition
    n, statistic = latex_count(one.test.n), latex(number_text(one.test.statistic))
    difference, effect = (latex_term(value) for value in (one.estimate, one.effect_size))
    mean_a, mean_b = (latex_term(value) for value in (one.value_a, one.value_b))
    clusters = one.test.interval.clusters
    tests = _TESTS | _CLUSTERED_TESTS if clusters else _TESTS
    formula = tests[pairs.test].format(n=n, effect=effect, statistic=statistic, c=latex_count(clusters or 0))
    formulas = [
        f"{measure_markdown(measure)} — {measure.summary}",
        rf"$\displaystyle {measure.formula}$ $\qquad \bar{{x}}_A = {mean_a}, \quad \bar{{x}}_B = {mean_b}$",
        measure.reading,
        "**The difference of each query**, $d_i = x_{B,i} - x_{A,i}$, its mean and its effect size",
        rf"$\displaystyle \bar d = \frac{{1}}{{n}} \sum_i d_i = {difference}, \qquad d_z = \frac{{\bar d}}{{s_d}} ="
        rf" {effect}, \qquad n = {n}$",
        f"**{one.test.method}**, {p_text(one.test.p_value)}, corrected {p_text(one.p)}",
        rf"$\displaystyle {formula}$",
        _READING[pairs.test],
        *([_WHOLE_CLUSTERS] if clusters else []),
    ]
    return "\n\n".join(formulas)
