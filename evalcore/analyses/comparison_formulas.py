"""The formulas of paired tests with the numbers of a comparison in them."""

from evalcore.analyses.label_pairs import system_name
from evalcore.analyses.ranking_pairs import RankingPairs
from evalcore.analyses.system_pair import SystemPair
from evalcore.classification import filled_formula
from evalcore.wording import latex, latex_count, number_text, p_text, value_text

__all__ = ["comparison_formulas", "ranking_test_formulas"]


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
_READING = {
    "t": "How often equal systems would show a mean difference this large. The test tolerates values that are not "
    "normal once there are a few dozen queries.",
    "randomisation": "If the systems were equal, the two values of each query could be swapped. With fewer than 17 "
    "differences all such swaps are counted, and p is exact.",
    "wilcoxon": "It uses the order of the sizes of the differences, so a single huge one counts little. Differences of "
    "0 get ranks and are then left out (Pratt).",
    "sign": "It only counts who wins; m is wins plus losses. It assumes less and detects less.",
}


def comparison_formulas(comparison: SystemPair) -> str:
    """The tests of two systems on the same rows and the chosen measure of both, in Markdown."""
    both, only_a, only_b, neither = comparison.right()
    a, b, n = map(latex_count, (only_a, only_b, both + only_a + only_b + neither))
    formulas = [
        rf"**Difference in accuracy**: $\displaystyle \frac{{\text{{only B}} - \text{{only A}}}}{{n}} ="
        rf" \frac{{{b} - {a}}}{{{n}}}$",
        r"**McNemar**, from 25 rows where only one is right: $\displaystyle \chi^2 ="
        rf" \frac{{(|\text{{only A}} - \text{{only B}}| - 1)^2}}{{\text{{only A}} + \text{{only B}}}} ="
        rf" \frac{{(|{a} - {b}| - 1)^2}}{{{a} + {b}}}$; with fewer, the exact probability that ${a} + {b}$ tosses of a"
        " fair coin split so unevenly.",
        r"**DeLong**: $\displaystyle z = \frac{AUC_B - AUC_A}{\sqrt{s_A^2 + s_B^2 - 2\,s_{AB}}}$; variances and"
        r" covariance come from the share of the other class that each row outranks.",
    ]
    measure = comparison.measure
    if measure.family == "counts" and comparison.target is not None:
        paired = comparison.rows.counts(comparison.target)
        for system, counts in ((comparison.a, paired.a), (comparison.b, paired.b)):
            filled = filled_formula(measure, counts, latex_count, lambda part, x: latex(value_text(part, x)))
            value = latex(value_text(measure, float(measure(counts))))
            formulas.append(
                rf"**{measure.name}** of {system_name(system)}: $\displaystyle {measure.formula} = {filled} = {value}$"
            )
    elif measure.family == "matrix":
        formulas.append(rf"**{measure.name}**: $\displaystyle {measure.formula}$")
    return "\n\n".join(formulas)


def ranking_test_formulas(pairs: RankingPairs) -> str:
    """The measure of the verdict with the means of A and B, and the test of their difference, in Markdown."""
    one, measure = pairs.main_difference, pairs.definition
    n, statistic = latex_count(one.test.n), latex(number_text(one.test.statistic))
    difference, effect = (latex(number_text(value)) for value in (one.estimate, one.effect_size))
    mean_a, mean_b = (latex(number_text(value)) for value in (one.value_a, one.value_b))
    formulas = [
        f"**{measure.name}** — {measure.summary}",
        rf"$\displaystyle {measure.formula}$ $\qquad \bar{{x}}_A = {mean_a}, \quad \bar{{x}}_B = {mean_b}$",
        measure.reading,
        "**The difference of each query**, $d_i = x_{B,i} - x_{A,i}$, its mean and its effect size",
        rf"$\displaystyle \bar d = \frac{{1}}{{n}} \sum_i d_i = {difference}, \qquad d_z = \frac{{\bar d}}{{s_d}} ="
        rf" {effect}, \qquad n = {n}$",
        f"**{one.test.method}**, {p_text(one.test.p_value)}, corrected {p_text(one.p)}",
        rf"$\displaystyle {_TESTS[pairs.test].format(n=n, effect=effect, statistic=statistic)}$",
        _READING[pairs.test],
    ]
    return "\n\n".join(formulas)
