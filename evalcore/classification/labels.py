"""The door for labels and weights: arrays in, a clear sentence for what cannot be used."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, ratio

HEAVIEST = 1e150
"""Sums of weights up to here, and from its inverse on, can be multiplied with one another."""


def label_array(labels: npt.ArrayLike, name: str) -> np.ndarray:
    """Labels of any kind as a one-dimensional array; a ValueError names the first row without a label."""
    array = _one_dimensional(labels, name)
    _refuse_missing(first_missing(array), name)
    return array


def _one_dimensional(labels: npt.ArrayLike, name: str) -> np.ndarray:
    array = np.asarray(labels)
    if array.dtype.kind == "U" and not hasattr(labels, "dtype"):
        array = np.asarray(labels, dtype=object)  # a list: numpy has spelled its None, nan and numbers out as text
    if array.ndim != 1:
        raise ValueError(f"{name} has the shape {array.shape}; give one label a row, shape (n,).")
    return array


def number_array(values: npt.ArrayLike, name: str, length: int) -> Array:
    """Numbers of one row each as float64; a ValueError names the first row whose number is not finite."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers; convert the column or choose another one.") from None
    if array.shape != (length,):
        raise ValueError(f"{name} has the shape {array.shape} beside {length} rows; give one number a row.")
    # A sum is finite when all are (or overflows, which the second look settles); it costs a third of isfinite.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(array.sum())
    if suspicious and not (finite := np.isfinite(array)).all():
        row = int(np.argmin(finite))
        raise ValueError(f"{name} is {array[row]} in row {row}; leave that row out or give it a finite number.")
    return array


def weight_array(weights: npt.ArrayLike, length: int, name: str = "weights") -> Array:
    """Weights of one row each, finite, not negative and in a unit in which products of their sums are numbers."""
    array = number_array(weights, name, length)
    if length and array.min() < 0:
        row = int(np.argmax(array < 0))
        raise ValueError(f"{name} is {array[row]:g} in row {row}; it counts rows and cannot be negative.")
    if not can_be_multiplied(total := total_weight(array)):
        raise ValueError(
            f"{name} add up to {total:g}; give them in another unit, so that the sum lies between "
            f"{1 / HEAVIEST:g} and {HEAVIEST:g}."
        )
    return array


def total_weight(weights: Array) -> float:
    """Sum of weights, those that are missing left out; infinite where it is too large for a number."""
    with np.errstate(over="ignore"):
        total = float(weights.sum())
        return total if total == total else float(np.nansum(weights))


def can_be_multiplied(total: float) -> bool:
    """Whether products of sums of weights as large as this stay numbers; 0, where nothing counts, does."""
    return total == 0 or 1 / HEAVIEST <= total <= HEAVIEST


def _refuse_missing(row: int | None, name: str) -> None:
    if row is not None:
        raise ValueError(f"{name} has no label in row {row}; leave that row out or label it.")


def first_missing(labels: np.ndarray) -> int | None:
    """Row of the first missing label (None, nan, NaT, pandas.NA), if there is one."""
    if labels.dtype.kind in "fcmM":
        missing = np.isnan(labels)
    elif labels.dtype.kind == "O":
        missing = np.fromiter((_is_missing(x) for x in labels), dtype=bool, count=len(labels))
    else:
        return None
    return int(np.argmax(missing)) if missing.any() else None


def equals(labels: np.ndarray, positive: Any) -> np.ndarray:
    """Which rows have the positive label."""
    if np.ndim(positive):
        raise ValueError(f"The positive label is {positive!r}; give one of the values of the labels.")
    return labels if labels.dtype == bool and positive is True else np.asarray(labels == positive, dtype=bool)


def _is_missing(label: object) -> bool:
    # Only nan and its like differ from themselves; pandas.NA refuses to answer, which is an answer too.
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True


def coded(labels: npt.ArrayLike, name: str) -> tuple[npt.NDArray[np.intp], list]:
    """Labels as places in a list of distinct labels, in the order of their first appearance or of their size.

    A column that can factorize itself, as those of pandas can, does so; texts go through a dictionary: sorting a
    million of them costs twenty times as much.
    """
    factorize = getattr(labels, "factorize", None)
    if factorize is not None and getattr(labels, "ndim", 1) == 1:
        codes, values = factorize()
        distinct = list(values)
        missing = np.flatnonzero(codes < 0)
        row = int(missing[0]) if len(missing) else None
    else:
        array = _one_dimensional(labels, name)
        row = first_missing(array) if array.dtype.kind != "O" else None
        if array.dtype.kind in "OUS":
            each = array.tolist()
            try:
                indices = {label: index for index, label in enumerate(dict.fromkeys(each))}
            except TypeError:
                raise ValueError(f"{name} holds labels that cannot be compared; give texts or numbers.") from None
            if any(map(_is_missing, indices)):
                row = first_missing(array)
            distinct = list(indices)
            codes = np.fromiter(map(indices.__getitem__, each), dtype=np.intp, count=len(each))
        else:
            values, codes = np.unique(array, return_inverse=True)
            distinct = values.tolist()
    _refuse_missing(row, name)
    return np.asarray(codes, dtype=np.intp), distinct


def rows_and_names(
    actual: npt.NDArray, others: npt.NDArray, what: str, classes: Sequence[str] | None
) -> tuple[int, tuple[str, ...]]:
    """Number of rows and names of the labels of two arrays (rows, labels). Raises ValueError if they do not fit."""
    if actual.ndim != 2 or actual.shape != others.shape:
        raise ValueError(f"actual is {actual.shape} and {what} {others.shape}; give both as (rows, labels).")
    rows, k = actual.shape
    names = tuple(map(str, range(k) if classes is None else classes))
    if len(names) != k:
        raise ValueError(f"{len(names)} names for {k} labels; give one name for each column.")
    return rows, names


def mean_over_rows(values: Array, weights: Array | None = None) -> float:
    """Mean over the rows where a value is defined.

    >>> mean_over_rows(np.array([1.0, np.nan, 0.5])), mean_over_rows(np.array([np.nan]))
    (0.75, nan)
    """
    defined = ~np.isnan(values)
    if weights is None:
        return float(ratio(values[defined].sum(), np.count_nonzero(defined)))
    return float(ratio((values * weights)[defined].sum(), weights[defined].sum()))
