"""Is the accuracy better than always naming the largest class?"""

import math

import numpy as np
from scipy.special import bdtrc

from evalcore.classification import ConfusionMatrix, no_information_rate
from evalcore.inference.clustered import effective_shares

__all__ = ["accuracy_above_no_information"]


def accuracy_above_no_information(matrix: ConfusionMatrix) -> float:
    """p of the exact binomial test that the accuracy is no higher than the no-information rate, one-sided.

    It takes the largest share as known, as caret's confusionMatrix does. Sums of weights are rounded. Where the matrix
    says what its rows belong to, it counts the effective number of rows, as `effective_shares`.

    Returns
    -------
    float
        Chance of as many correct rows or more at the no-information rate; nan without rows.

    References
    ----------
    M. Kuhn (2008). Building predictive models in R using the caret package. Journal of Statistical Software 28(5),
    1–26. doi:10.18637/jss.v028.i05

    Examples
    --------
    >>> round(accuracy_above_no_information(ConfusionMatrix("ab", [[40, 10], [12, 8]])), 4)
    0.7491
    """
    rows, hits = np.asarray(matrix.counts.sum()), np.asarray(matrix.counts.trace())
    if matrix.rows is not None:
        # One-sided at 5 %.
        hits, rows, _ = effective_shares(matrix.rows.right().moments, [1, 0, 0, 0], [1, 0, 1, 0], hits, rows, 0.9)
    if np.isnan(rows):
        return math.nan
    n, correct = round(float(rows)), round(float(hits))
    if not n:
        return math.nan
    return float(bdtrc(correct - 1, n, no_information_rate(matrix))) if correct else 1.0
