"""The measures of two masks as MedPy defines them, written plainly: loops over pixels, exact distances."""

import math
from collections.abc import Callable

import numpy as np


def _outline(mask: np.ndarray) -> list[tuple[int, int]]:
    height, width = mask.shape
    found = []
    for i in range(height):
        for j in range(width):
            around = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
            if mask[i, j] and not all(0 <= a < height and 0 <= b < width and mask[a, b] for a, b in around):
                found.append((i, j))
    return found


def _distances(one: np.ndarray, other: np.ndarray, spacing: tuple[float, float]) -> list[float]:
    points = _outline(other)
    return [
        min(math.hypot((a - i) * spacing[0], (b - j) * spacing[1]) for a, b in points) for i, j in _outline(one)
    ] if points else []  # fmt: skip


def _both(one: np.ndarray, other: np.ndarray, spacing: tuple[float, float]) -> tuple[list[float], list[float]]:
    return _distances(one, other, spacing), _distances(other, one, spacing)


def _percentile(values: list[float], share: float) -> float:
    """Linear between the ordered values."""
    values = sorted(values)
    place = share * (len(values) - 1)
    low = math.floor(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def hausdorff(actual: np.ndarray, predicted: np.ndarray, spacing: tuple[float, float]) -> float:
    one, two = _both(actual, predicted, spacing)
    return max([*one, *two], default=math.nan)


def hausdorff_95(actual: np.ndarray, predicted: np.ndarray, spacing: tuple[float, float]) -> float:
    one, two = _both(actual, predicted, spacing)
    values = [*one, *two]
    return _percentile(values, 0.95) if values else math.nan


def mean_surface(actual: np.ndarray, predicted: np.ndarray, spacing: tuple[float, float]) -> float:
    one, two = _both(actual, predicted, spacing)
    return (sum(one) + sum(two)) / (len(one) + len(two)) if one and two else math.nan


def volume(actual: np.ndarray, predicted: np.ndarray, spacing: tuple[float, float]) -> float:
    if not actual.any():
        return math.inf if predicted.any() else math.nan
    return (float(predicted.sum()) - float(actual.sum())) / float(actual.sum())


OF_MASKS: dict[str, Callable[[np.ndarray, np.ndarray, tuple[float, float]], float]] = {
    "volume_difference": volume,
    "hausdorff_distance": hausdorff,
    "hausdorff_95": hausdorff_95,
    "mean_surface_distance": mean_surface,
}
