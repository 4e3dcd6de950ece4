"""Is the accuracy better than always naming the largest class?"""

import math

from scipy.special import bdtrc

from evalcore.classification import ConfusionMatrix, no_information_rate

__all__ = ["accuracy_above_no_information"]


def accuracy_above_no_information(matrix: ConfusionMatrix) -> float:
    """p of the exact binomial test that the accuracy is no higher than the no-information rate, one-sided.

    It takes the largest share as known, as caret's confusionMatrix does. Sums of weights are rounded.

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
    n, correct = round(float(matrix.counts.sum())), round(float(matrix.counts.trace()))
    if not n:
        return math.nan
    return float(bdtrc(correct - 1, n, no_information_rate(matrix))) if correct else 1.0
