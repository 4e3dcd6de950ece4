"""Checks of labels and weights: arrays in, a clear sentence for what cannot be used."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, Flags, Indices, ratio

# The surest first: if both values of a column are in this list, the earlier one is positive.
POSITIVE_WORDS = (
    *("1", "true", "yes", "positive", "pos", "+", "p", "t", "y", "+1", "positives", "present", "detected", "reactive"),
    *("ill", "sick", "diseased", "disease", "malignant", "cancer", "infected", "case", "affected", "abnormal", "dead"),
    *("spam", "fraud", "fraudulent", "attack", "anomaly", "anomalous", "outlier", "defect", "defective", "faulty"),
    *("fail", "failed", "failure", "relevant", "rel", "default", "defaulted", "churn", "churned", "hit", "match"),
    *("accept", "bad", "toxic", "hate", "phishing", "malware", "intrusion", "alarm", "event", "died", "death", "on"),
    *("wahr", "ja", "positiv", "krank", "erkrankt", "infiziert", "bösartig", "betrug", "defekt", "fehlerhaft"),
)
NEGATIVE_WORDS = frozenset(
    ("0", "-1", "false", "no", "negative", "neg", "-", "n", "f", "none", "absent", "healthy", "well", "benign")
    + ("ham", "normal", "legitimate", "genuine", "control", "irrelevant", "ok", "pass", "good", "alive", "off")
    + ("falsch", "nein", "negativ", "gesund", "gutartig", "intakt")
)

HEAVIEST = 1e150  # sums of weights up to here, and from its inverse on, can be multiplied with one another
_NAMED, _FIRST = 8, 1_000  # labels that an error names, and first rows in which most labels occur


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
    if (kind := getattr(getattr(values, "dtype", None), "kind", "")) and kind in "mMc":
        what = "complex numbers, not real ones" if kind == "c" else "dates or times, not numbers"
        raise ValueError(f"{name} holds {what}; choose another column.")
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
    """Test whether products of sums of weights of this size are finite and not 0; True for 0 itself."""
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


def text_of(value: object) -> str:
    """A label value as text, as in menus and links; the empty text if it is missing.

    Whole floats lose their point, so that 1, 1.0 and "1" are the same label.
    """
    if isinstance(value, str):
        return str(value)
    if value is None or value != value:
        return ""
    if isinstance(value, (float, np.floating)):
        value = float(value)
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)


def is_negative_word(value: object) -> bool:
    """Test whether a label is a usual word for the negative class."""
    return text_of(value).strip().casefold() in NEGATIVE_WORDS


def is_positive_word(value: object) -> bool:
    """Test whether a label is a usual word for the positive class."""
    return text_of(value).strip().casefold() in POSITIVE_WORDS


def usual_positive(values: Iterable[object]) -> Any:
    """Return the positive one of some distinct labels, if it or the only other one is a usual word; else None.

    >>> usual_positive(["no", "yes"]), usual_positive(["well", "flu"]), usual_positive(["cat", "dog"])
    ('yes', 'flu', None)
    """
    words = {text_of(value).strip().casefold(): value for value in values}
    # Of 1 and 2, either may be positive.
    known = [words[word] for word in POSITIVE_WORDS if word in words and not (word == "1" and "2" in words)]
    others = known or [value for value in words.values() if not is_negative_word(value)]
    return others[0] if known or (len(words) == 2 and len(others) == 1) else None


def positive_label(positive: Any, *columns: np.ndarray) -> Any:
    """The positive label of columns of labels: as given, or for True the usual word; a ValueError if there is none."""
    is_default = positive is True
    # Most labels occur in the first rows; and numbers up to 1 need not be told apart.
    if is_default:
        settled = all(c.dtype == bool or (c.dtype.kind in "iuf" and c.max(initial=1) == 1) for c in columns)
    else:
        settled = any(equals(part, positive).any() for c in columns for part in (c[:_FIRST], c[_FIRST:]))
    if settled:
        return positive
    distinct = distinct_labels(*columns)
    if is_default:
        usual = usual_positive(distinct)
        if usual is not None or all(map(is_negative_word, distinct)):
            return positive if usual is None else usual
        raise ValueError(f"Which label is positive? There are {_listed(distinct)}: pass one of them as positive=….")
    # Of rows with one label, the others may just not be among them.
    if len(distinct) > 1:
        raise ValueError(f"positive={positive!r} is not among the labels {_listed(distinct)}; pass one of them.")
    return positive


def distinct_labels(*columns: np.ndarray) -> list:
    """The labels that occur in some columns, each once."""
    return list(dict.fromkeys(label for column in columns for label in _distinct(column)))


def _distinct(labels: np.ndarray) -> list:
    return list(dict.fromkeys(labels.tolist())) if labels.dtype.kind in "OUS" else np.unique(labels).tolist()


def _listed(labels: list) -> str:
    shown = ", ".join(repr(label) for label in labels[:_NAMED])
    return shown + (f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else "")


def indicator_array(values: npt.ArrayLike, name: str) -> Flags:
    """Convert labels to indicators, shape (n, k): from booleans, 0 and 1, or the usual words for them."""
    array = np.asarray(values)
    if array.dtype == bool:
        return array
    flat = label_array(array.ravel(), name)
    return equals(flat, positive_label(True, flat)).reshape(array.shape)


def equals(labels: np.ndarray, positive: Any) -> np.ndarray:
    """Rows with the positive label, as flags."""
    if np.ndim(positive):
        raise ValueError(f"The positive label is {positive!r}; give one of the values of the labels.")
    return labels if labels.dtype == bool and positive is True else np.asarray(labels == positive, dtype=bool)


def _is_missing(label: object) -> bool:
    # Only nan and its like differ from themselves; pandas.NA refuses to answer, which is an answer too.
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True


def coded(labels: npt.ArrayLike, name: str) -> tuple[Indices, list]:
    """Code labels as indices into the distinct labels, in the order of their first appearance or of their size.

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
    """Weighted mean over the rows where a value is defined; nan where it is in none."""
    defined = ~np.isnan(values)
    if weights is None:
        return float(ratio(values[defined].sum(), np.count_nonzero(defined)))
    return float(ratio((values * weights)[defined].sum(), weights[defined].sum()))
