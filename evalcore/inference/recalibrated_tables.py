"""Recalibration of several classes: each class put right by itself, and the rows made to add up to 1 again."""

from dataclasses import dataclass

import numpy as np

from evalcore.classification.probabilities import ProbabilityTable
from evalcore.inference.platt_scaling import PlattCurve
from evalcore.inference.recalibration import FOLDS, SEED, IsotonicCurve, recalibrated
from evalcore.numeric import WORTH_A_THREAD, over_parts

__all__ = ["RecalibratedTable", "recalibrated_table"]


@dataclass(frozen=True, eq=False)
class RecalibratedTable:
    """A table of probabilities before and after recalibration.

    Attributes
    ----------
    method : {"platt", "isotonic"}
    before, after : ProbabilityTable
        `after` has the same rows in the same order, each put right by curves that were learnt without it.
    curves : dict of class to PlattCurve or IsotonicCurve
        Learnt on all rows: the ones to use. A class with fewer than two rows has none and stays as it was.
    folds : int
        Parts that the rows were divided into; a class with fewer rows was divided into as many as those.
    """

    method: str
    before: ProbabilityTable
    after: ProbabilityTable
    curves: dict[object, PlattCurve | IsotonicCurve]
    folds: int


def recalibrated_table(
    table: ProbabilityTable, method: str = "platt", folds: int = FOLDS, seed: int = SEED
) -> RecalibratedTable:
    """Recalibrate every class against the rest and divide each row by its new sum; judged by cross-validation.

    Of two classes only the last is recalibrated, and the first is what is left of 1. A row in which every class came
    to 0, as the isotonic curve can make it, stays as it was stated.

    Parameters
    ----------
    table : ProbabilityTable
    method, folds, seed
        As `evalcore.inference.recalibrated`.

    Raises
    ------
    ValueError
        When no class can be recalibrated: every one has fewer than two rows, or all rows but one.

    References
    ----------
    B. Zadrozny, C. Elkan (2002). Transforming classifier scores into accurate multiclass probability estimates. KDD,
    694–699. doi:10.1145/775047.775151

    Examples
    --------
    >>> rows = [[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]] * 10
    >>> found = recalibrated_table(ProbabilityTable.from_arrays(list("abc") * 10, rows, tuple("abc")))
    >>> bool((found.after.of_actual > found.before.of_actual).all())
    True
    >>> bool(np.allclose(found.after.probabilities.sum(axis=1), 1))
    True
    """
    k = len(table.classes)
    columns, curves, problems = table.probabilities.copy(), {}, {}

    def put_right(place: int) -> int:
        """The folds of a class."""
        try:
            found = recalibrated(table.event(place), method, folds, seed)
        except ValueError as problem:
            problems[place] = problem
            return 0
        columns[:, place] = found.after.probability
        curves[place] = found.curve
        return found.folds

    # Many classes share two threads; of long tables each class has both for itself already.
    together = columns.size if len(columns) < WORTH_A_THREAD else 0
    ended = over_parts(put_right, [1] if k == 2 else list(range(k)), together)
    if not curves:
        raise problems[max(problems)]
    used = ended[0] if k == 2 else folds
    curves = {table.classes[place]: curves[place] for place in sorted(curves)}
    if k == 2:
        columns[:, 0] = 1 - columns[:, 1]
    sums = columns.sum(axis=1, keepdims=True)
    after = np.where(sums > 0, columns / np.where(sums > 0, sums, 1), table.probabilities)
    return RecalibratedTable(
        method, table, ProbabilityTable(table.classes, after, table.actual, table.weights), curves, used
    )
