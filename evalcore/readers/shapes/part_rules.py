"""Rules of which columns can play which part of a table: by their names, and by their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore.readers.base import column_names as names
from evalcore.readers.base.values import Column

TRUTHS = frozenset(("actual", "truth", "grade", "true_labels"))
SYSTEMS = frozenset(("predicted", "score", "probability", "estimate", "predicted_labels", "label_score"))
_HEAD = 1_000
_TOTAL = re.compile(r"(?:grand_|row_|column_)?(?:totals?|sums?|margins?|summe|gesamt)")


def parts_by_name(column: Column) -> frozenset[str] | None:
    """The parts that a column can play by its name, which may be none at all; None where the name says nothing."""
    name = names.simple(column.name)
    rules = (
        (names.is_actual(column.name), TRUTHS),
        (any(matches(column.name) for matches in (names.is_predicted, names.is_score, names.is_estimate)), SYSTEMS),
        (name in names.GRADE, frozenset(("grade", "actual", "truth"))),
        (name in names.QUERY, frozenset(("query",))),
        (name in names.DOCUMENT or names.is_id(column.name), frozenset(("document",))),
        (name in names.RANK, frozenset(("rank",))),
        # "model" may also be the score of the only model
        (names.names_system(column.name) and not column.is_quantity, frozenset()),
        (name in names.MEASURE or names.is_identifier(column.name), frozenset()),
        (_TOTAL.fullmatch(name) is not None, frozenset()),
        (any(name in words for words in names.COUNT_NAMES.values()), frozenset()),
    )
    parts = [parts for applies, parts in rules if applies]
    return frozenset().union(*parts) if parts else None


@dataclass(frozen=True)
class Rule:
    """The meaning of a part in words, which columns can play it, and which look so if no name says it."""

    words: str
    can: Callable[[Column], bool]
    looks: Callable[[Column], bool] = lambda column: False


def _looks_like_labels(column: Column) -> bool:
    """Few values that recur; of numbers, two."""
    return column.distinct == 2 or (not column.is_number and _recurs(column))


def _within(column: Column, lowest: float, highest: float) -> bool:
    if not column.is_number or column.missing_count == len(column):
        return column.is_bool
    return bool(np.nanmin(column.numbers) >= lowest and np.nanmax(column.numbers) <= highest)


def _can_be_labels(column: Column) -> bool:
    return column.is_few and not column.is_quantity


def _can_be_numbers(column: Column) -> bool:
    return column.is_number or column.is_bool


def _looks_measured(column: Column) -> bool:
    # most tables show it in their first rows, and to count all values takes a sort
    several = column.values.iloc[:_HEAD].nunique() > 2 or column.distinct > 2
    return several and not column.numbers_rows


def _can_be_id(column: Column) -> bool:
    return not column.is_number or column.is_whole


def _recurs(column: Column) -> bool:
    return 1 < column.distinct <= (len(column) - column.missing_count) / 2


def _looks_like_query(column: Column) -> bool:
    return not column.is_number and _recurs(column)


def _looks_like_grade(column: Column) -> bool:
    return column.is_whole and _within(column, 0, 9) and _recurs(column)


def _holds_pictures(column: Column) -> bool:
    return not column.is_number and len(column) > 0 and str(column.values.iloc[0]).startswith(PNG)


PNG = "iVBORw0KGgo"
"""How the base64 of every PNG begins."""

_OF_LABELS = "sets such as a; c, or a column of 0 and 1 for each label"
RULES = {
    "actual": Rule("a few labels that recur", _can_be_labels, _looks_like_labels),
    "predicted": Rule("labels as in the truth", _can_be_labels, _looks_like_labels),
    "score": Rule("numbers that order the rows", _can_be_numbers, _looks_measured),
    "probability": Rule(
        "numbers from 0 to 1, one column per class", lambda c: _within(c, 0, 100), lambda c: _within(c, 0, 1)
    ),
    "truth": Rule("numbers", _can_be_numbers, _looks_measured),
    "estimate": Rule("numbers", _can_be_numbers, _looks_measured),
    "true_labels": Rule(_OF_LABELS, _can_be_labels),
    "predicted_labels": Rule(_OF_LABELS, _can_be_labels),
    "label_score": Rule("numbers, one column per label", _can_be_numbers),
    "counts": Rule("whole numbers", lambda column: False),
    "query": Rule("the query of each row", _can_be_id, _looks_like_query),
    "document": Rule("the document of each row", _can_be_id, lambda column: not column.is_number),
    "grade": Rule("0 for irrelevant, 1 or more for relevant", _can_be_numbers, _looks_like_grade),
    "rank": Rule("places in a list, from 1", lambda column: _within(column, 0, np.inf)),
    "mask": Rule("PNG pictures in base64", _holds_pictures, _holds_pictures),
    "predicted_mask": Rule("PNG pictures in base64", _holds_pictures, _holds_pictures),
}
"""What a column must hold to play each part that a kind needs."""
