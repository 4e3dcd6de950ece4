"""Numbers of the playground of curves, in theory and in its sample, as a sentence, tables and Python."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from evalcore.classification import roc_auc
from evalcore.learning import DrawnBars, Playground, SkewNormal
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.wording import THIN, count_text, latex, latex_term, measure_markdown, number_text, share_text

__all__ = ["PlaygroundNumbers", "playground_formulas"]

_TABLE_STEP = 0.5


@dataclass(frozen=True)
class PlaygroundNumbers:
    """Theory and sample of what is set on the playground."""

    playground: Playground

    @property
    def verdict(self) -> str:
        """AUC in theory and in the sample, with its range over samples of this size, in Markdown."""
        model = self.playground.model
        reach = NormalDist().inv_cdf(0.975) * model.auc_error(*model.class_sizes(self.playground.rows))
        area, low, high = np.clip([model.roc_auc, model.roc_auc - reach, model.roc_auc + reach], 0, 1).tolist()
        rows, sample_area = count_text(self.playground.rows), roc_auc(self.playground.sample)
        return (
            f"**A positive outscores a negative in {share_text(area)} of pairs.** AUC {number_text(area)} in theory, "
            f"{number_text(float(sample_area))} in this sample of {rows} rows. About 95{THIN}% of such samples give "
            f"{number_text(low)}–{number_text(high)}."
        )

    @property
    def reading(self) -> dict[str, str]:
        """Numbers in theory for the text of the page."""
        model, cut = self.playground.model, self.playground.cut
        rates = {"recall": model.recall_at(cut), "fall_out": model.fall_out_at(cut), "auc": model.roc_auc}
        texts = {name: share_text(float(rate)) for name, rate in rates.items()}
        return texts | {"rows": count_text(self.playground.rows)}

    @property
    def curve_table(self) -> dict[str, Array]:
        """Thresholds from the strictest down, with the rates in theory and the sample's counts at each."""
        model, sample = self.playground.model, self.playground.sample
        thresholds = np.concatenate([[math.inf], np.arange(100 - _TABLE_STEP, 0, -_TABLE_STEP), [-math.inf]])
        counts = sample.counts_at(thresholds)
        rates = {"TPR": model.recall_at, "FPR": model.fall_out_at, "precision": model.precision_at}
        in_theory = {f"{name} in theory": rate_at(thresholds) for name, rate_at in rates.items()}
        cells = {cell: getattr(counts, cell.lower()) for cell in ("TP", "FP", "FN", "TN")}
        return {"threshold": thresholds} | in_theory | cells

    @property
    def rows(self) -> dict[str, list]:
        """The sample: the actual class and the score of each row."""
        labels, scores = self.playground.model.sample(self.playground.rows, self.playground.seed)
        return {"actual": ["positive" if label else "negative" for label in labels], "score": scores.tolist()}

    @property
    def code(self) -> str:
        """Python that draws the sample again and computes the numbers."""
        playground, model = self.playground, self.playground.model
        kind = type(model.positives).__name__
        return f"""from evalcore.classification import (
    ScoredLabels, average_precision, fall_out, precision, recall, roc_auc,
)
from evalcore.learning import {", ".join(sorted((kind, "ScoreModel")))}

model = ScoreModel(
    positives={_literal(model.positives)},
    negatives={_literal(model.negatives)},
    prevalence={model.prevalence!r},
)
sample = ScoredLabels.from_arrays(*model.sample({playground.rows}, seed={playground.seed}))
print("AUC in theory", model.roc_auc, "and of the sample", roc_auc(sample))
print("AP in theory", model.average_precision, "and of the sample", average_precision(sample))

threshold = {f'float("{playground.cut}")' if math.isinf(playground.cut) else repr(playground.cut)}
print("TPR in theory", model.recall_at(threshold), "FPR", model.fall_out_at(threshold))
counts = sample.counts_at([threshold])
print("recall", recall(counts), "FPR", fall_out(counts), "precision", precision(counts))
"""


def playground_formulas(numbers: PlaygroundNumbers) -> list[tuple[str, str, str]]:
    """Name, formula with the numbers on the screen, and explanation of each quantity in theory, in Markdown."""
    playground, model = numbers.playground, numbers.playground.model
    cut, rates_at = latex_term(playground.cut), (model.recall_at, model.fall_out_at, model.precision_at)
    recall, fall_out, precision = (float(rate_at(playground.cut)) for rate_at in rates_at)
    share, area = latex_term(model.prevalence), latex(number_text(model.roc_auc))
    positives, negatives = model.class_sizes(playground.rows)
    error = model.auc_error(positives, negatives)
    rates = rf"{share} \cdot {latex_term(recall)} + {latex_term(1 - model.prevalence)} \cdot {latex_term(fall_out)}"
    lines = [
        (
            f"{measure_markdown(METRICS['recall'])} (TPR) and {measure_markdown(METRICS['fall_out'])} (FPR)",
            rf"\int_{{{cut}}}^{{\infty}} f_1(s)\,ds = {latex(number_text(recall))}, \quad "
            rf"\int_{{{cut}}}^{{\infty}} f_0(s)\,ds = {latex(number_text(fall_out))}",
            "The areas right of the threshold under both densities, which are skew normal; skew is their standardised "
            "third moment.",
        ),
        (
            measure_markdown(METRICS["precision"]),
            rf"\frac{{\pi\,\mathrm{{TPR}}}}{{\pi\,\mathrm{{TPR}} + (1 - \pi)\,\mathrm{{FPR}}}} = "
            rf"\frac{{{share} \cdot {latex_term(recall)}}}{{{rates}}} = {latex(number_text(precision))}",
            "Both areas at the prevalence π. Rare positives lower precision here.",
        ),
        (
            measure_markdown(METRICS["roc_auc"]),
            rf"\int_{{-\infty}}^{{\infty}} F_0(s)\,f_1(s)\,ds = {area}",
            "F₀ is the share of negatives below a score; the integral is how often a positive outscores a negative.",
        ),
    ]
    one, other = model.positives, model.negatives
    if isinstance(one, SkewNormal) and isinstance(other, SkewNormal) and not math.isnan(model.binormal_auc):
        spread = rf"\sqrt{{{latex_term(one.sd)}^2 + {latex_term(other.sd)}^2}}"
        z = latex_term((one.mean - other.mean) / math.hypot(one.sd, other.sd))
        means = f"{latex_term(one.mean)} - {latex_term(other.mean)}"
        formula = rf"\Phi\!\left(\frac{{{means}}}{{{spread}}}\right) = \Phi({z}) = {area}"
        words = "The difference of two normal scores is normal; Φ is the standard normal distribution function."
        lines.append(("**AUC of two normal distributions**", formula, words))
    formula = r"\sqrt{\frac{A(1 - A) + (n_1 - 1)(Q_1 - A^2) + (n_0 - 1)(Q_2 - A^2)}{n_1 n_0}}"
    words = (
        f"A is the AUC, n₁ = {count_text(positives)} and n₀ = {count_text(negatives)}; Q₁ is the chance that two "
        "positives both score above one negative, Q₂ that one positive scores above two negatives. The range is "
        "1.96 standard errors to each side: rough with few rows of a class, or near 0 and 1."
    )
    lines.append(("**Standard error of the sample's AUC**", f"{formula} = {latex(number_text(error))}", words))
    return [(title, rf"$\displaystyle {formula}$", words) for title, formula, words in lines]


def _literal(kind: SkewNormal | DrawnBars) -> str:
    if isinstance(kind, DrawnBars):
        return f"DrawnBars({tuple(map(int, kind.heights))})"
    return f"SkewNormal({kind.mean:g}, {kind.sd:g}, {kind.skewness:g})"
