"""Findings about values, with the steps that would settle them: spellings, codes of missing values, scales."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from evalcore.classification.labels import usual_positive
from evalcore.readers.column_names import is_probability, is_score, simple
from evalcore.readers.columns import Column
from evalcore.readers.problems import Finding, listed, named
from evalcore.readers.steps import Exclude, Merge, Scale
from evalcore.readers.table import Table
from evalcore.readers.values import CODE, are_country_codes, is_missing_word, text_of
from evalcore.wording.numbers import rows_text

_MOST_CODES = 3
_LOG_ODDS = re.compile(r"logit|log_?odds|log_?od\b", re.IGNORECASE)
_MOST_LOG_ODDS = 50
_OF_DETECTORS = "Detectors of scikit-learn, such as isolation forests, write −1 for an anomaly and 1 for the rest"
_ANOMALY = re.compile(r"anomal|outlier|novelty|isolation|iforest|decision_function|score_samples", re.IGNORECASE)


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
        of_words = {text for text in column.texts if is_missing_word(text)} if not column.is_number else set()
        of_words -= {"NA"} if are_country_codes(column.texts) else set()
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


def is_mixed(column: Column) -> bool:
    """Whether some numbers look like shares of 1 and others like percentages: few lie between, such as 3.

    Of percentages alone, hardly any lie below 1.
    """
    if not is_percent(column):
        return False
    numbers = column.numbers[~np.isnan(column.numbers)]
    above, shares = numbers[numbers > 1], np.count_nonzero((numbers > 0) & (numbers < 1))
    return bool(shares * 10 >= len(numbers) and np.count_nonzero(above < 5) * 4 <= len(above))


def is_log_odds(numbers: np.ndarray) -> bool:
    """Whether some numbers are negative, and all small enough for log-odds."""
    return bool(numbers.size and np.nanmin(numbers) < 0 and np.nanmax(np.abs(numbers)) <= _MOST_LOG_ODDS)


def scales(table: Table[Any], columns: list[Column], are_probabilities: list[str]) -> Iterator[Finding]:
    """Score columns that may be percentages (all or in part) or log-odds; one step makes all of a kind probabilities.

    Those that are named like probabilities are told of elsewhere, so only their scale is proposed.
    """
    mixed = [column for column in columns if is_mixed(column)]
    for column in mixed:
        above, highest = column.numbers > 1, text_of(float(np.nanmax(column.numbers)))
        sentence = f"Column {named(column.name)} holds scores above 1, up to {highest}, in "
        sentence += f"{table.lines.among(above)}, and scores between 0 and 1 in the others. They are compared as they "
        sentence += "stand. If those above 1 are percentages, divide them by 100 on the Data page."
        action, other = (Scale((column.name,), way).to_text() for way in ("mixed", "percent"))
        count = int(above.sum())
        yield Finding("warning", sentence, count, column.name, action, code="mixed scales", other=other)
    columns = [column for column in columns if column not in mixed]
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


def of_anomalies(texts: Iterable[object]) -> bool:
    """Whether names of columns or labels speak of anomalies."""
    return any(_ANOMALY.search(str(text)) for text in texts)


def anomaly_codes(table: Table[Any], actual: Column, predicted: list[Column]) -> Iterator[Finding]:
    """Labels −1 and 1 that may be those of scikit-learn's detectors of anomalies, which write −1 for the anomaly.

    A prediction of these may be meant either way, as long as the truth has other labels: the one that agrees with the
    truth in more rows is offered first. Where the truth has them too, 1 counts as positive unless they are renamed.
    """
    numbers = [column for column in (actual, *predicted) if column.is_number and column.is_few]
    coded = [column for column in numbers if {*column.texts} == {"-1", "1"}]
    if not coded:
        return
    names = tuple(column.name for column in coded)
    holds = "holds" if len(names) == 1 else "hold"
    if coded[0] is actual:
        count = int(_is_minus(actual).sum())
        by_machine = 4 * count > len(actual) and not of_anomalies(table.frame.columns)
        if by_machine or text_of(table.roles.get("positive")) == "-1":
            return  # a support vector machine's −1 is the negative class
        # with the signs reversed first, the anomaly is the usual positive class
        steps = (Scale(names, "opposite"), Merge(names, ("1",), "anomaly"), Merge(names, ("-1",), "normal"))
        action, other = "~~".join(step.to_text() for step in steps), None
        sentence = f"{_columns(names)} {holds} −1 ({rows_text(count)} of {named(actual.name)}) and 1. {_OF_DETECTORS}, "
        sentence += "but here 1 counts as positive. If these are such labels, rename them on the Data page."
    else:
        positive = usual_positive(actual.labels)
        negatives = [text for text in actual.texts if text != text_of(positive)]
        if positive is None or len(negatives) != 1:
            return
        minus, present = _is_minus(coded[0]), ~actual.missing & ~coded[0].missing
        agree = int(((actual.values == positive).to_numpy(bool) == minus)[present].sum())
        count, into = int(minus.sum()), (text_of(positive), negatives[0])
        action, other = (_renamed(names, *labels) for labels in (into, into[::-1]))
        if 2 * agree < int(present.sum()):
            action, other = other, action
        sentence = f"{_columns(names)} {holds} −1 ({rows_text(count)}) and 1, where {named(actual.name)} holds "
        sentence += f"{listed(actual.texts)}. {_OF_DETECTORS}; support vector machines write −1 for the negative class."
        sentence += " Choose what −1 is on the Data page."
    first = sentence[0].upper() + sentence[1:]
    yield Finding("warning", first, count, names[-1], action, code="anomalies", other=other)


def _is_minus(column: Column) -> np.ndarray:
    """Which cells hold the label −1, shape (rows,)."""
    return np.array([*(text == "-1" for text in column.texts), False])[column.codes]


def _renamed(names: tuple[str, ...], minus: str, plus: str) -> str:
    """The steps that write −1 and 1 as other labels; the one that may become −1 or 1 itself is written last."""
    steps = [Merge(names, ("-1",), minus), Merge(names, ("1",), plus)]
    return "~~".join(step.to_text() for step in (reversed(steps) if minus == "1" else steps))


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
        code = next((end for end in (float(rest.min()), float(rest.max())) if CODE.fullmatch(text_of(end))), None)
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


def _columns(names: Iterable[str]) -> str:
    names = list(names)
    return f"column {named(names[0])}" if len(names) == 1 else f"columns {listed(names, 3)}"


def _cells(count: int) -> str:
    return rows_text(count).replace("row", "cell")
