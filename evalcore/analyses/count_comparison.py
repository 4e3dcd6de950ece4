"""Two systems of which only the counts are known: the difference of their shares, as of independent samples."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.analyses.label_pairs import pair_names
from evalcore.analyses.paired_comparison import Difference, differences_table, with_correction
from evalcore.analyses.script import check, script
from evalcore.analyses.source import Source
from evalcore.classification import ConfusionCounts
from evalcore.inference import METHODS, Comparison, Interval, compare_shares
from evalcore.inference.bootstrap import share_counts
from evalcore.registry import METRICS
from evalcore.wording import measure_word

__all__ = ["CountComparison"]

_SHARES = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy")
_METHOD = "independent samples: interval of Newcombe, z test or Fisher's exact test"


@dataclass(frozen=True, eq=False)
class CountComparison:
    """Two systems of a file of counts.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> frame = pd.DataFrame({"system": ["a", "b"], "TP": [60, 85], "FP": [20, 25], "FN": [40, 15], "TN": [180, 175]})
    >>> comparison = CountComparison(Source.of(DataSet.of(frame)), "a", "b")
    >>> comparison.verdict
    '**Yes: b is better than a by recall and negative predictive value.**'
    """

    source: Source
    # The two systems. Come from a file: escape them.
    a: str
    b: str
    level: float = 0.95
    correction: str = "holm"

    @cached_property
    def counts(self) -> tuple[ConfusionCounts, ConfusionCounts]:
        """The four counts of A and of B."""
        return self.source.dataset.counts(self.a), self.source.dataset.counts(self.b)

    @cached_property
    def differences(self) -> list[Difference]:
        """B minus A by each share, with p-values corrected for all of them."""
        a, b = self.counts
        differences = []
        for measure in (METRICS[key] for key in _SHARES):
            result = compare_shares(*share_counts(measure, b), *share_counts(measure, a), self.level)
            ends = result.interval
            interval = Interval(float(ends.estimate), float(ends.low), float(ends.high))
            n = round(float(share_counts(measure, a)[1] + share_counts(measure, b)[1]))
            test = Comparison(_METHOD, interval.estimate, interval, float("nan"), float(result.p_values), n)
            values = float(measure(a)), float(measure(b))
            differences.append(Difference(self.a, self.b, measure, measure.name, *values, test))
        return with_correction(differences, self.correction)

    @property
    def verdict(self) -> str:
        """Whether B is better, in Markdown."""
        a, b = pair_names(self.a, self.b)
        sides = {side: [one for one in self.differences if one.better(self.level) == side] for side in (1, -1)}
        better, worse = (_listed([measure_word(one.measure) for one in sides[side]]) for side in (1, -1))
        if better and worse:
            return f"**No clear answer: {b} is better than {a} by {better}, but worse by {worse}.**"
        if better or worse:
            answer = f"Yes: {b} is better than {a} by {better}" if better else f"No: {b} is worse than {a} by {worse}"
            return f"**{answer}.**"
        return f"**Unclear: all differences between {a} and {b} could be due to chance.**"

    @property
    def note(self) -> str:
        """How they are compared, and what would tell more."""
        return (
            "Counts do not tell which rows both systems had, so they are compared as independent samples: Newcombe's "
            "interval, and the z test, or Fisher's exact test where few rows are expected in a cell. Corrected p: "
            f"{METHODS[self.correction]}, for {len(self.differences)} measures. If both had the same rows, a file of "
            "these rows allows a paired comparison, which is surer."
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per measure, unrounded."""
        return differences_table(self.differences, self.level, self.correction)

    @property
    def code(self) -> str:
        """Python that makes the differences from the numbers of rows."""
        a, b = self.counts
        of_b, of_a = ([share_counts(METRICS[key], counts) for key in _SHARES] for counts in (b, a))
        rows = [[float(pair[side]) for pair in pairs] for pairs in (of_b, of_a) for side in (0, 1)]
        return script(
            f"measures = {[METRICS[key].name for key in _SHARES]!r}",
            "# Rows that count for B and its n, the same of A, by measure",
            f"result = compare_shares({', '.join(map(repr, rows))}, level={self.level!r})",
            check("result.p_values", [one.test.p_value for one in self.differences]),
            "for row in zip(measures, result.interval.estimate, result.interval.low, result.interval.high):",
            "    print(*row)",
        )


def _listed(words: list[str]) -> str:
    """Words in a sentence: "recall, NPV and accuracy"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
