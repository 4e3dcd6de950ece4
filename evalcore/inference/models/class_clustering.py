"""An order of the classes that puts confused classes next to each other."""

import numpy as np
import numpy.typing as npt

from evalcore.classification.several.matrix import ConfusionMatrix, shares

__all__ = ["clustered_order"]

LARGEST = 500
"""Up to this many classes the leaves are ordered optimally; with more that takes too long."""


def clustered_order(matrix: ConfusionMatrix) -> npt.NDArray[np.intp]:
    """Places of the classes, shape (k,), confused ones next to each other.

    Two classes are near when a large share of the rows of either is predicted as the other. The order is that of the
    leaves of an average-linkage tree, flipped so that neighbours are as near as possible.

    References
    ----------
    Z. Bar-Joseph, D. Gifford, T. Jaakkola (2001). Fast optimal leaf ordering for hierarchical clustering.
    Bioinformatics 17, S22–S29. doi:10.1093/bioinformatics/17.suppl_1.S22

    Examples
    --------
    >>> blocks = ConfusionMatrix("abcd", [[5, 0, 4, 0], [0, 5, 0, 4], [4, 0, 5, 0], [0, 4, 0, 5]])
    >>> "".join(blocks.classes[i] for i in clustered_order(blocks))
    'acdb'
    """
    # Imported here because scipy.cluster loads slowly.
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    k = len(matrix.classes)
    if k < 3:
        return np.arange(k)
    of_actual = np.nan_to_num(shares(matrix, "actual"))
    apart = 1 - (of_actual + of_actual.T) / 2
    np.fill_diagonal(apart, 0)
    distances = squareform(np.clip(apart, 0, 1), checks=False)
    tree = linkage(distances, method="average")
    if k <= LARGEST:
        tree = optimal_leaf_ordering(tree, distances)
    return leaves_list(tree).astype(np.intp)
