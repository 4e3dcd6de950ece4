"""Kernel density estimation with a Gaussian kernel, fast for millions of rows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.fft import irfft, next_fast_len, rfft

from evalcore.classification.several.matrix import ConfusionMatrix, shares
from evalcore.numeric import Array

__all__ = ["clustered_order", "kernel_density", "silverman"]


_CELLS = 4096

_REACH = 4.0
"""Standard deviations beyond which the kernel is 0."""


@dataclass(frozen=True, eq=False)
class KernelDensity:
    """Values of a density whose integral is 1, at evenly spaced points; without rows 0, and the bandwidth nan."""

    at: Array
    values: Array
    bandwidth: float


def silverman(values: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Silverman's rule of thumb: 0.9 · min(standard deviation, interquartile range / 1.34) · n^(−1/5).

    With weights n is Kish's effective size. 0 when all values are equal; nan without values. See B. Silverman (1986),
    Density Estimation for Statistics and Data Analysis. Chapman and Hall, equation 3.31.
    """
    x = np.asarray(values, dtype=np.float64)
    if not len(x):
        return float("nan")
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    total = w.sum()
    size = total**2 / np.square(w).sum()
    mean = (w * x).sum() / total
    deviation = float(np.sqrt((w * np.square(x - mean)).sum() / total * (size / (size - 1) if size > 1 else 0)))
    if weights is None:
        first, third = np.quantile(x, [0.25, 0.75])
    else:
        order = np.argsort(x, kind="stable")
        first, third = x[order][np.cumsum(w[order]).searchsorted([0.25 * total, 0.75 * total])]
    quartiles = float(third - first) / 1.34
    return 0.9 * (min(deviation, quartiles) if quartiles > 0 else deviation) * float(size) ** -0.2


def kernel_density(
    values: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    low: float,
    high: float,
    points: int = 257,
    bandwidth: float | None = None,
) -> KernelDensity:
    """Gaussian kernel estimate at evenly spaced points.

    Each row is divided between the two nearest of 4,096 cells, and the cells are convolved with the kernel, so the time
    hardly depends on the number of rows; the error is invisible in a plot. Rows outside low … high count in the total,
    and inside as far as their kernel extends. The bandwidth is at least the width of a cell.
    """
    x = np.asarray(values, dtype=np.float64)
    at = np.linspace(low, high, points)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    total = float(len(x) if w is None else w.sum())
    if not total > 0:
        return KernelDensity(at, np.zeros(points), float("nan"))
    width = silverman(x, w) if bandwidth is None else float(bandwidth)
    width = max(width, (high - low) / (_CELLS - 1))
    start, end = low - _REACH * width, high + _REACH * width
    step = (end - start) / (_CELLS - 1)
    cells = _linear_binning((x - start) / step, w)
    reach = int(np.ceil(_REACH * width / step)) + 1
    kernel = np.exp(-0.5 * np.square(np.arange(-reach, reach + 1) * step / width))
    size = next_fast_len(len(cells) + len(kernel), real=True)
    product = np.asarray(rfft(cells, size)) * np.asarray(rfft(kernel, size))
    folded = np.asarray(irfft(product, size))[reach : reach + len(cells)]
    density = np.maximum(folded, 0) / (total * width * np.sqrt(2 * np.pi))
    return KernelDensity(at, np.interp(at, start + step * np.arange(_CELLS), density), width)


def _linear_binning(positions: Array, weights: Array | None) -> Array:
    """Divide rows between the two nearest cells, in proportion to the distance."""
    inside = (positions >= 0) & (positions <= _CELLS - 1)
    if not inside.all():
        positions, weights = positions[inside], None if weights is None else weights[inside]
    cell = np.minimum(positions.astype(np.intp), _CELLS - 2)
    upper = positions - cell
    lower = 1 - upper
    if weights is not None:
        upper, lower = upper * weights, lower * weights
    return (np.bincount(cell, lower, _CELLS) + np.bincount(cell + 1, upper, _CELLS)).astype(np.float64)


LARGEST = 500
"""Up to this many classes the leaves are ordered optimally; with more that takes too long."""


def clustered_order(matrix: ConfusionMatrix) -> npt.NDArray[np.intp]:
    """Order the classes, shape (k,), so that confused ones are next to each other.

    Two classes are near when a large share of the rows of either is predicted as the other. The order is that of the
    leaves of an average-linkage tree, flipped so that neighbours are as near as possible. See Z. Bar-Joseph, D.
    Gifford, T. Jaakkola (2001), doi:10.1093/bioinformatics/17.suppl_1.S22.
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
