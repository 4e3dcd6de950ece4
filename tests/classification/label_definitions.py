"""The definitions of the measures of several labels per row as a textbook writes them; shares are fractions.

Rows are triples of the set of true labels, the scores of all labels, and a weight; a label is predicted from ½ on.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.classification.definitions import Number, Undefined, over

LabelledRow = tuple[frozenset[int], Sequence[Fraction], Fraction]


def predicted(scores: Sequence[Fraction]) -> set[int]:
    return {label for label, score in enumerate(scores) if score >= Fraction(1, 2)}


def mean(of_row: Callable[[frozenset[int], Sequence[Fraction]], Number]) -> Callable[[Sequence[LabelledRow]], Number]:
    """Weighted mean over the rows where a value is defined."""

    def over_rows(rows: Sequence[LabelledRow]) -> Number:
        total = weights = Fraction(0)
        for true, scores, weight in rows:
            try:
                total += weight * of_row(true, scores)
                weights += weight
            except Undefined:
                continue
        return over(total, weights)

    return over_rows


def of_sets(of_row: Callable[[frozenset[int], set[int], int], Number]) -> Callable[[Sequence[LabelledRow]], Number]:
    return mean(lambda true, scores: of_row(true, predicted(scores), len(scores)))


def average_precision(true: frozenset[int], scores: Sequence[Fraction]) -> Number:
    if len(true) in (0, len(scores)):
        return Fraction(1)
    shares = []
    for label in true:
        no_lower = [other for other, score in enumerate(scores) if score >= scores[label]]
        shares.append(Fraction(len(true.intersection(no_lower)), len(no_lower)))
    return sum(shares) / len(true)


def coverage(true: frozenset[int], scores: Sequence[Fraction]) -> Number:
    lowest = min((scores[label] for label in true), default=None)
    return Fraction(0 if lowest is None else sum(score >= lowest for score in scores))


def ranking_loss(true: frozenset[int], scores: Sequence[Fraction]) -> Number:
    pairs = [(a, b) for a in true for b in range(len(scores)) if b not in true]
    return Fraction(sum(scores[a] <= scores[b] for a, b in pairs), len(pairs)) if pairs else Fraction(0)


OF_LABELS: dict[str, Callable[[Sequence[LabelledRow]], Number]] = {
    "samples_precision": of_sets(lambda true, said, k: over(len(true & said), len(said))),
    "samples_recall": of_sets(lambda true, said, k: over(len(true & said), len(true))),
    "samples_f1": of_sets(lambda true, said, k: over(2 * len(true & said), len(true) + len(said))),
    "samples_jaccard": of_sets(lambda true, said, k: over(len(true & said), len(true | said))),
    "subset_accuracy": of_sets(lambda true, said, k: Fraction(true == said)),
    "hamming_loss": of_sets(lambda true, said, k: Fraction(len(true ^ said), k)),
    "label_ranking_average_precision": mean(average_precision),
    "coverage_error": mean(coverage),
    "label_ranking_loss": mean(ranking_loss),
}
