"""The door for labels and weights: arrays in, a clear sentence for what cannot be used."""

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array


def label_array(labels: npt.ArrayLike, name: str) -> np.ndarray:
    """Labels of any kind as a one-dimensional array.

    Raises
    ------
    ValueError
        When they have more than one dimension.
    """
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"{name} has the shape {array.shape}; give one label a row, shape (n,).")
    return array


def number_array(values: npt.ArrayLike, name: str, length: int) -> Array:
    """Numbers of one row each as float64.

    Raises
    ------
    ValueError
        When there are not `length` of them or one is not a finite number; the first such row is named.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers; convert the column or choose another one.") from None
    if array.shape != (length,):
        raise ValueError(f"{name} has the shape {array.shape} beside {length} labels; give one number a row.")
    # A sum is finite when all are (or overflows, which the second look settles); it costs a third of isfinite.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(array.sum())
    if suspicious and not (finite := np.isfinite(array)).all():
        row = int(np.argmin(finite))
        raise ValueError(f"{name} is {array[row]} in row {row}; leave that row out or give it a finite number.")
    return array


def weight_array(weights: npt.ArrayLike, length: int) -> Array:
    """Weights of one row each, finite and not negative.

    Raises
    ------
    ValueError
        Names the first row that breaks the rule.
    """
    array = number_array(weights, "weights", length)
    if length and array.min() < 0:
        row = int(np.argmax(array < 0))
        raise ValueError(f"weights is {array[row]:g} in row {row}; a weight counts rows and cannot be negative.")
    return array


def first_missing(labels: np.ndarray) -> int | None:
    """Row of the first missing label (None or nan), if there is one."""
    if labels.dtype.kind == "f":
        missing = np.isnan(labels)
    elif labels.dtype.kind == "O":
        missing = np.fromiter((_is_missing(x) for x in labels), dtype=bool, count=len(labels))
    else:
        return None
    return int(np.argmax(missing)) if missing.any() else None


def _is_missing(label: object) -> bool:
    # Only nan and its like differ from themselves; pandas.NA refuses to answer, which is an answer too.
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True
