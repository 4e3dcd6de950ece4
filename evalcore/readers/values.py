"""Label values: as text, back from text, and which of two is positive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore.readers.problems import ReadProblem, named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["text_of"]

Value = bool | int | float | str

# The surest first: if both values of a column are in this list, the earlier one is positive.
POSITIVE_WORDS = (
    *("1", "true", "yes", "positive", "pos", "+", "p", "t", "y", "+1", "positives", "present", "detected", "reactive"),
    *("ill", "sick", "diseased", "disease", "malignant", "cancer", "infected", "case", "affected", "abnormal", "dead"),
    *("spam", "fraud", "fraudulent", "attack", "anomaly", "anomalous", "outlier", "defect", "defective", "faulty"),
    *("fail", "failed", "failure", "relevant", "rel", "default", "defaulted", "churn", "churned", "hit", "match"),
    *("bad", "toxic", "hate", "phishing", "malware", "intrusion", "alarm", "event", "died", "death", "on"),
    *("wahr", "ja", "positiv", "krank", "erkrankt", "infiziert", "bösartig", "betrug", "defekt", "fehlerhaft"),
)
_NEGATIVE_WORDS = frozenset(
    ("0", "-1", "false", "no", "negative", "neg", "-", "n", "f", "none", "absent", "healthy", "well", "benign")
    + ("ham", "normal", "legitimate", "genuine", "control", "irrelevant", "ok", "pass", "good", "alive", "off")
    + ("falsch", "nein", "negativ", "gesund", "gutartig", "intakt")
)

_HEAD = 1_000


def text_of(value: object) -> str:
    """A label value as text, as in menus and links; the empty text if it is missing.

    Whole floats lose their point, so that 1, 1.0 and "1" are the same label.

    >>> text_of(1), text_of(1.0), text_of("1"), text_of(True), text_of(0.5), text_of(float("nan"))
    ('1', '1', '1', 'True', '0.5', '')
    """
    if isinstance(value, str):
        return str(value)
    if value is None or value != value:
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "True" if value else "False"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        value = float(value)
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)


def value_of(text: str, column: pd.Series) -> Value:
    """The value of a column with this text, the inverse of `text_of`."""
    if (value := parsed_value(text, column)) is not None:
        for rows in (column.iloc[:_HEAD], column):  # most labels occur in the first rows
            matches = rows[(rows == value).fillna(False).to_numpy(bool)]
            if len(matches):
                return plain(matches.iloc[0])
    raise ReadProblem(f"No row of column {named(column.name)} holds {named(text)}. Choose a value that occurs in it.")


def parsed_value(text: str, column: pd.Series) -> Any:
    """The value with this text in the type of a column; None if it has none."""
    kind = column.dtype.kind
    if kind == "b":
        return {"True": True, "False": False}.get(text)
    if kind in "iuf":
        # in the type of the column, as a whole number may be too long for a float
        try:
            value = column.dtype.type(int(text) if kind in "iu" else text)
        except (ValueError, OverflowError):
            return None
        return value if value == value else None
    return text


def plain(value: Any) -> Value:
    """A numpy or pandas scalar as a plain Python value."""
    return value.item() if isinstance(value, np.generic) else value


def positive_value(counts: Mapping[Value, int]) -> tuple[Value, str]:
    """The value of a label column that is most likely positive, and the reason in words."""
    words = {text_of(value).strip().casefold(): value for value in counts}
    # of 1 and 2, either may be positive
    known = [words[word] for word in POSITIVE_WORDS if word in words and not (word == "1" and "2" in words)]
    if known:
        return known[0], "a usual word for the positive class"
    others = [value for value in words.values() if not is_negative_word(value)]
    if len(words) == 2 and len(others) == 1:
        return others[0], "the other value is a usual word for the negative class"
    fewest = min(counts.values())
    rarest = [value for value in counts if counts[value] == fewest]
    if len(rarest) == 1:
        return rarest[0], "the rarer value" if len(counts) == 2 else "the rarest value"
    return max(rarest, key=text_of), "both are equally frequent, so the last by name"


def is_negative_word(value: Value) -> bool:
    """Whether a label is a usual word for the negative class."""
    return text_of(value).strip().casefold() in _NEGATIVE_WORDS


def is_positive_word(value: Value) -> bool:
    """Whether a label is a usual word for the positive class."""
    return text_of(value).strip().casefold() in POSITIVE_WORDS
