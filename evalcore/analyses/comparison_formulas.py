"""The formulas of paired tests with the numbers of a comparison in them."""

from evalcore.analyses.label_pairs import system_name
from evalcore.analyses.system_comparison import SystemComparison
from evalcore.classification import filled_formula
from evalcore.wording import latex, latex_count, value_text

__all__ = ["comparison_formulas"]


def comparison_formulas(comparison: SystemComparison) -> list[str]:
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
    return formulas
