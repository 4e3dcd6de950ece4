"""Findings about values, with the steps that would settle them: spellings, codes of missing values, scales."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from evalcore.readers.column_names import is_probability, is_score, simple
from evalcore.readers.columns import Column
from evalcore.readers.problems import Finding, listed, named
from evalcore.readers.steps import Exclude, Merge, Scale
from evalcore.readers.table import Table
from evalcore.readers.values import text_of
from evalcore.wording.numbers import rows_text

# Words that no class is called, but for a missing value; "none" and "-" may be classes.
_MISSING_WORDS = frozenset(
    ("na", "n/a", "n.a.", "n.a", "nan", "null", "nil", "?", "??", ".", "missing", "#n/a", "#na", "#n/v", "#nv")
    + ("not available", "not known", "no data", "no answer", "keine angabe", "k.a.", "k. a.", "fehlt", "nicht bekannt")
)
# Whole numbers that stand for a missing value where they lie far from all others.
_CODE = re.compile(r"[-\u2212]?(?:9{1,7}|8{2,7}|7{2,7})(?:\.0+)?")
_MOST_CODES = 3
_LOG_ODDS = re.compile(r"logit|log_?odds|log_?od\b", re.IGNORECASE)
_MOST_LOG_ODDS = 50


def spellings(labels: list[Column], classes: list[str]) -> Iterator[Finding]:
    """Labels of some columns, or classes, that differ only in case or surrounding blanks; one step each merges them."""
    spelt: dict[str, dict[str, int]] = defaultdict(dict)
    for column in labels:
        for value, count in column.label_counts.items():
            text = text_of(value)
            spelt[text.strip().casefold()][text] = spelt[text.strip().casefold()].get(text, 0) + count
    for text in classes:
        spelt[text.strip().casefold()].setdefault(text, 0)
    alike = [ways for ways in spelt.values() if len(ways) > 1]
    if not alike:
        return
    names, steps, fewer = tuple(column.name for column in labels), [], 0
    for ways in alike:
        usual = max(ways, key=lambda text: (ways[text], text == text.strip(), text))
        others = tuple(sorted(text for text in ways if text != usual))
        fewer += sum(ways[text] for text in others)
        steps.append(Merge(names, others, usual).to_text())
    groups = "; ".join(listed(sorted(ways)) for ways in alike[:3])
    groups += f" and {len(alike) - 3} more groups" if len(alike) > 3 else ""
    sentence = f"Labels {groups} differ only in case or surrounding blanks and count as different classes. "
    sentence += "If they are the same, merge them on the Data page."
    yield Finding("warning", sentence, fewer, names[0], "~~".join(steps), code="spellings")


def codes_among_labels(labels: list[Column], numbers: Iterable[Column] = ()) -> Iterator[Finding]:
    """Labels that look like codes of missing values: words such as "NA", and numbers far from the other labels.

    The action also excludes the same codes among the numbers of scores.
    """
    codes: dict[str, int] = {}
    for column in labels:
        far = _far_codes(column.numbers) if column.is_number else {}
        of_words = {text for text in column.texts if _is_missing_word(text)} if not column.is_number else set()
        for value, count in column.label_counts.items():
            if (text := text_of(value)) in of_words or text in far:
                codes[text] = codes.get(text, 0) + count
    others = {text for column in labels for text in column.texts} - codes.keys()
    if not codes or len(others) < 2:
        return
    names, count = tuple(column.name for column in labels), sum(codes.values())
    one = len(codes) == 1
    sentence = f"{'Label' if one else 'Labels'} {listed(codes)} in {_cells(count)} of {_columns(names)} "
    sentence += f"{'looks like a code' if one else 'look like codes'} for a missing value, and "
    sentence += f"{'counts as a class' if one else 'count as classes'}. If so, count {'it' if one else 'them'} as "
    steps = [Exclude(names, tuple(codes))]
    also = {column.name: tuple(text for text in _far_codes(column.numbers) if text in codes) for column in numbers}
    steps += [Exclude((name,), texts) for name, texts in also.items() if texts]
    action = "~~".join(step.to_text() for step in steps)
    yield Finding("warning", f"{sentence}missing on the Data page.", count, names[0], action, code="codes")


def codes_among_numbers(table: Table[Any], columns: Iterable[Column]) -> Iterator[Finding]:
    """Numbers far from all others in their column that look like codes of missing values."""
    holding: dict[str, list[Column]] = defaultdict(list)
    for column in columns:
        for text in _far_codes(column.numbers):
            holding[text].append(column)
    for text, having in holding.items():
        names = tuple(column.name for column in having)
        cells = np.array([column.numbers == float(text) for column in having])
        rest = having[0].numbers[~np.isin(having[0].numbers, [float(code) for code in holding])]
        lowest, highest = text_of(float(np.nanmin(rest))), text_of(float(np.nanmax(rest)))
        verb = "holds" if len(names) == 1 else "hold"
        sentence = f"{_columns(names)} {verb} {text} in {_cells(int(cells.sum()))} (first: "
        sentence += (
            f"{table.lines.at(cells.any(axis=0).argmax())}), far from all other values ({lowest} to {highest}), "
        )
        sentence += "as a code for a missing value lies. If it is one, count it as missing on the Data page."
        action = Exclude(names, (text,)).to_text()
        first = sentence[0].upper() + sentence[1:]
        yield Finding("warning", first, int(cells.sum()), names[0], action, code="codes")


def is_percent(column: Column) -> bool:
    """Whether all numbers lie between 0 and 100, and some far above 1."""
    numbers = column.numbers[~np.isnan(column.numbers)]
    return bool(numbers.size and numbers.min() >= 0 and 20 < numbers.max() <= 100)


def is_log_odds(numbers: np.ndarray) -> bool:
    """Whether some numbers are negative, and all small enough for log-odds."""
    return bool(numbers.size and np.nanmin(numbers) < 0 and np.nanmax(np.abs(numbers)) <= _MOST_LOG_ODDS)


def scales(columns: list[Column], are_probabilities: list[str]) -> Iterator[Finding]:
    """Score columns that may be percentages or log-odds; one step makes all of a kind probabilities.

    Those that are named like probabilities are told of elsewhere, so only their scale is proposed.
    """
    percent = [column.name for column in columns if is_percent(column) and _may_be_percent(column.name)]
    if percent and not set(percent) <= set(are_probabilities):
        sentence = f"The scores in {_columns(percent)} lie between 0 and 100. If they are percentages, divide them by "
        sentence += "100 on the Data page to use them as probabilities."
        action = Scale(tuple(percent), "percent").to_text()
        yield Finding("info", sentence, len(percent), percent[0], action, code="scale")
    logits = [column.name for column in columns if _LOG_ODDS.search(column.name) and is_log_odds(column.numbers)]
    if logits:
        sentence = f"{_columns(logits)} {'is' if len(logits) == 1 else 'are'} named like log-odds. They can be made "
        sentence += "probabilities, 1 ÷ (1 + e⁻ˣ), on the Data page."
        action = Scale(tuple(logits), "logistic").to_text()
        first = sentence[0].upper() + sentence[1:]
        yield Finding("info", first, len(logits), logits[0], action, code="scale")


def _may_be_percent(name: str) -> bool:
    """Whether a name speaks of a score or a share, and of no measurement."""
    return (
        is_score(name) or is_probability(name) or "%" in name or bool({"pct", "percent"} & {*simple(name).split("_")})
    )


def _far_codes(numbers: np.ndarray) -> dict[str, float]:
    """The codes at either end of some numbers: farther from the rest than the rest is wide."""
    rest = numbers[np.isfinite(numbers)]
    codes: list[float] = []
    while rest.size and len(codes) < _MOST_CODES:
        code = next((end for end in (float(rest.min()), float(rest.max())) if _CODE.fullmatch(text_of(end))), None)
        if code is None:
            break
        codes.append(code)
        rest = rest[rest != code]
    if rest.size < 2:
        return {}
    low, high = float(rest.min()), float(rest.max())
    return {text_of(code): code for code in codes if _stands_out(code, low, high)}


def _stands_out(code: float, low: float, high: float) -> bool:
    """Whether a code is farther from the other numbers than they are from each other."""
    distance = low - code if code < low else code - high
    width = (high - low) * (3 if abs(code) < 10 else 1)  # 9 may well be a number behind 1, 2 and 3
    return distance > max(width, 0.5 * abs(code))


def _is_missing_word(text: str) -> bool:
    return text.strip().casefold() in _MISSING_WORDS or (len(text) > 1 and _CODE.fullmatch(text.strip()) is not None)


def _columns(names: Iterable[str]) -> str:
    names = list(names)
    return f"column {named(names[0])}" if len(names) == 1 else f"columns {listed(names, 3)}"


def _cells(count: int) -> str:
    return rows_text(count).replace("row", "cell")
