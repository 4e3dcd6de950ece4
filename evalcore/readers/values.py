"""Label values: as text, back from text, and which of two is positive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore.classification.labels import is_positive_word, text_of, usual_positive
from evalcore.readers.problems import ReadProblem, named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["text_of"]

Value = bool | int | float | str

_HEAD = 1_000
# Words that no class is called, but for a missing value; "none" and "-" may be classes.
_MISSING_WORDS = frozenset(
    ("\\n", "na", "n/a", "n.a.", "n.a", "nan", "null", "nil", "?", "??", ".", "missing", "#n/a", "#na", "#n/v", "#nv")
    + ("not available", "not known", "no data", "no answer", "keine angabe", "k.a.", "k. a.", "fehlt", "nicht bekannt")
)
# Whole numbers that stand for a missing value where they lie far from all others.
CODE = re.compile(r"[-\u2212]?(?:9{1,7}|8{2,7}|7{2,7})(?:\.0+)?")
_COUNTRIES = frozenset(
    (
        "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW "
        "BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU "
        "FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM "
        "IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD "
        "ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE "
        "PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST "
        "SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UK UM US UY UZ VA VC VE VG VI VN VU WF "
        "WS XK YE YT ZA ZM ZW"
    ).split()
)
"""The codes of ISO 3166, with the usual EU, UK and XK."""


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


def are_country_codes(texts: Iterable[str | None]) -> bool:
    """Whether some distinct texts, of which missing ones are None, are codes of at least three countries (ISO 3166).

    >>> are_country_codes(["DE", "ZA", None, "BW"]), are_country_codes(["CA", "NY", "TX"])
    (True, False)
    """
    codes = {text for text in texts if text is not None} - {"NA"}
    return len(codes) > 2 and codes <= _COUNTRIES


def is_missing_word(text: str) -> bool:
    """Whether a text is a usual word or code for a missing value, which no class is called."""
    return text.strip().casefold() in _MISSING_WORDS or (len(text) > 1 and CODE.fullmatch(text.strip()) is not None)


def positive_value(counts: Mapping[Value, int]) -> tuple[Value, str]:
    """The value of a label column that is most likely positive, and the reason in words."""
    if (usual := usual_positive(counts)) is not None:
        own, other = "a usual word for the positive class", "the other value is a usual word for the negative class"
        return usual, own if is_positive_word(usual) else other
    fewest = min(counts.values())
    rarest = [value for value in counts if counts[value] == fewest]
    if len(rarest) == 1:
        return rarest[0], "the rarer value" if len(counts) == 2 else "the rarest value"
    return max(rarest, key=text_of), "both are equally frequent, so the last by name"
