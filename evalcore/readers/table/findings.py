"""Findings about rows that belong together: columns that identify cases, and clusters too few for an interval."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.classification.binary.clusters import degrees_of_sizes, few_heavy_sizes
from evalcore.classification.binary.labels import total_weight, usual_positive
from evalcore.numeric import Array, Indices, blocks
from evalcore.readers.base import Column, Columns, Finding, distinct_of, listed, named, text_of, values
from evalcore.readers.base import column_names as names
from evalcore.readers.steps import Exclude, Merge, Scale
from evalcore.readers.steps.step import steps_text
from evalcore.readers.table.table import Table, line_counts, weight_problem
from evalcore.wording.numbers import count_text, many_text, rows_text, share_text

LEAST_IDS = 20  # different values from which on a column of ids is offered that no known word names


def row_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Findings about weights, groups and clusters of rows, and about rows that are copies of another row."""
    yield from _weight_findings(table, columns)
    if (name := table.roles.get("cluster")) is None:
        yield from _rows_together(table, columns)
    else:
        yield from _about_clusters(table, columns[name])
    yield from _copies(table, columns)


def unused_cases(
    table: Table[Any], columns: Columns, skipped: Collection[str], names_case: Callable[[str], bool],
    names_other: Callable[[str], bool],
) -> list[tuple[Column, bool]]:  # fmt: skip
    """The columns that may name cases, a sure name (true) first, in no part but the skipped ones."""
    parts = (value for part, value in table.roles.parts.items() if part not in skipped)
    used = {name for part in parts for name in (part if isinstance(part, tuple) else (part,))}
    free = [(one, names_case(one.name)) for one in columns if one.name not in used]
    fitting = [(one, is_case) for one, is_case in free if is_case or names_other(one.name)]
    return sorted(fitting, key=lambda pair: not pair[1])


def _rows_together(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Find rows of the same patient, customer, fold or other id, which are not independent."""
    lines = _rows_of_lines(table)
    names_other = lambda name: names.is_fold(name) or names.has_id_suffix(name)  # noqa: E731
    for column, is_case in unused_cases(table, columns, {"group"}, names.is_case, names_other):
        if column.numbers_rows:
            continue
        counts = np.sort(_sizes(pd.factorize(column.values)[0], lines))[::-1]
        rows, cases = round(counts.sum()), len(counts)
        what = "folds" if names.is_fold(column.name) else "cases"
        known = is_case or what == "folds"
        if cases < (2 if known else LEAST_IDS) or 2 * int(counts[counts > 1].sum()) < rows:
            continue
        alike = counts[0] == counts[-1]
        each = f"{count_text(counts[0])} rows each" if alike else f"{rows / cases:.1f} rows each on average"
        sentence = f"Column {named(column.name)} names {count_text(cases)} {what} with {each}. Intervals and tests "
        sentence += f"treat rows as independent; if rows of the same {what[:-1]} are alike, they are too "
        sentence += f'confident. Choose the column under "Rows belong to" so that they use whole {what}.'
        level = "warning" if is_case else "info"
        yield Finding(level, sentence, cases, column.name, code="rows together", role="cluster")
        return


def _rows_of_lines(table: Table[Any]) -> Array:
    counts = line_counts(table)
    return np.ones(len(table)) if counts is None else counts


def _sizes(codes: Indices, lines: Array) -> Array:
    """Number of rows of each case, from the codes of cases; cases without rows are left out."""
    used = (codes >= 0) & (lines > 0)
    return np.bincount(np.unique(codes[used], return_inverse=True)[1], lines[used]).astype(np.float64)


def _about_clusters(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Find clusters that change nothing, allow no interval, are missing, or hold one class each."""
    missing = column.missing_count
    lines = _rows_of_lines(table)
    cases = int(column.values[~column.missing & (lines > 0)].nunique())
    if missing:
        alone = "it" if missing == 1 else "each of them"
        sentence = f"Column {named(column.name)} is empty in {table.lines.among(column.missing)}; {alone} counts as a "
        yield Finding("info", f"{sentence}cluster of its own.", missing, column.name, code="no cluster")
    if effects := [*without_effect(column.name, cases + missing, round(lines.sum()), ("row", "rows"))]:
        yield from effects
        return
    yield from _few_heavy(table, column)
    yield from _one_class_each(table, column)


def without_effect(column: str, cases: int, count: int, unit: tuple[str, str]) -> Iterator[Finding]:
    """Find clusters of one row or query each, which change nothing, or a single cluster of all."""
    if cases == count:
        sentence = f"Column {named(column)} is different in each {unit[0]}, so no {unit[1]} belong together and "
        sentence += "nothing changes. Choose another column, or none."
        yield Finding("info", sentence, cases, column, code="rows alone")
    elif cases == 1:
        sentence = f"All {unit[1]} belong to the same case of column {named(column)}, so nothing tells how cases "
        sentence += "differ and there are no intervals or tests. Choose another column, or none."
        yield Finding("warning", sentence, 1, column, code="one cluster")


def _few_heavy(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Find a few clusters that hold most of all rows, or of those of either class."""
    # A row that says nothing is a cluster of its own.
    lines, codes = _rows_of_lines(table), pd.factorize(column.values)[0]
    codes = np.where(column.missing, len(codes) + np.arange(len(codes)), codes)
    parts = {"": np.ones(len(codes), dtype=bool)}
    if (classes := _known_and_positive(table)) is not None:
        known, is_positive = classes
        parts = {"": known, "positive ": known & is_positive, "negative ": known & ~is_positive}
    for which, rows in parts.items():
        sizes = _sizes(codes[rows], lines[rows])
        if not few_heavy_sizes(sizes):
            continue
        worth = count_text(math.ceil(1 + degrees_of_sizes(sizes)))
        sentence = f"Few cases of column {named(column.name)} hold most {which}rows: the {count_text(len(sizes))} "
        sentence += f"cases tell no more about how cases differ than {worth} of equal size. "
        if few_heavy_sizes(sizes):
            sentence += "Intervals may miss the true value more often than stated, and no threshold is promised to "
            sentence += "keep a limit on these rows."
        else:
            sentence += "Intervals of areas, ratios and differences may miss the true value more often than stated."
        yield Finding("warning", sentence, len(sizes), column.name, code="few heavy clusters")
        return


def _known_and_positive(table: Table[Any]) -> tuple[np.ndarray, np.ndarray] | None:
    """The rows with a true label, and those of the positive class, as flags; None where no class is positive."""
    truth, positive = table.roles.get("actual"), table.roles.get("positive")
    if truth is None or positive is None:
        return None
    places, found = pd.factorize(table.frame[truth], use_na_sentinel=False)
    is_positive = np.array([values.plain(value) == values.plain(positive) for value in found], dtype=bool)[places]
    return table.frame[truth].notna().to_numpy(bool), is_positive


def _one_class_each(table: Table[Any], column: Column) -> Iterator[Finding]:
    if (classes := _known_and_positive(table)) is None:
        return
    used = ~column.missing & classes[0] & (_rows_of_lines(table) > 0)
    shares = pd.Series(classes[1][used]).groupby(pd.factorize(column.values[used])[0]).agg(["any", "all"])
    own = int(shares["any"].sum())
    if (shares["any"] != shares["all"]).any() or not 0 < own < len(shares):
        return
    sentence = f"Each case of column {named(column.name)} has rows of one class only: {count_text(own)} "
    sentence += f"{'is' if own == 1 else 'are'} positive and {count_text(len(shares) - own)} negative. No two classes "
    sentence += "can be compared within a case, and the AUC is as sure as the smaller of these numbers allows."
    yield Finding("info", sentence, len(shares), column.name, code="one class per cluster")


def missing_cells(table: Table[Any], column: Column, what: str) -> Iterator[Finding]:
    """Count the rows that are left out because a column has no label, score or number for them."""
    if not (count := column.missing_count):
        return
    level, sentence = "warning", f"Column {named(column.name)} has no {what} in "
    if count == len(column):
        level, sentence = "error", f"{sentence}any row, so nothing can be computed from it. Choose another column."
    else:
        sentence += f"{table.lines.among(column.missing)}; {'this row is' if count == 1 else 'these rows are'} left "
        sentence += f"out{_for_system(table, column)}."
    yield Finding(level, sentence, count, column.name, code="missing")


def _for_system(table: Table[Any], column: Column) -> str:
    """Name the system whose rows alone are left out, where the column is one of several systems."""
    systems = [table.roles.get(part, ()) for part in ("predicted", "score", "estimate")]
    return f" for {named(column.name)}" if any(column.name in own and len(own) > 1 for own in systems) else ""


def infinite_numbers(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Find infinite numbers, which are left out."""
    infinite = np.isinf(column.numbers)
    if count := int(infinite.sum()):
        sentence = f"Column {named(column.name)} holds an infinite number in {table.lines.among(infinite)}; "
        sentence += f"{'it is' if count == 1 else 'they are'} left out{_for_system(table, column)}."
        yield Finding("warning", sentence, count, column.name, code="infinite")


def rare_class(share: float, rows: float, positives: str, column: str | None = None) -> Iterator[Finding]:
    """A class that few rows have, from its share (0 … 1) of some rows and its name within a sentence."""
    if 0 < (rarer := min(share, 1 - share)) < 0.1:
        only = "Only " if share == rarer else ""
        sentence = f"{only}{share_text(share)} of {rows_text(rows)} are {positives}: always naming the "
        sentence += f"larger class is {share_text(1 - rarer)} accurate, so accuracy alone says little."
        yield Finding("warning", sentence, round(rarer * rows), column, code="rare class")


def _weight_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Find missing or unusable weights, and rows without a group."""
    roles = table.roles
    if roles.get("group") is not None and columns[roles.group].missing_count:
        column = columns[roles.group]
        sentence = f"Column {named(column.name)} is empty in {table.lines.among(column.missing)}; "
        sentence += "these rows form a group of their own, (no group)."
        yield Finding("warning", sentence, column.missing_count, column.name, code="no group")
    if roles.get("weight") is None:
        return
    column = columns[roles.weight]
    yield from missing_cells(table, column, "weight")
    if problem := weight_problem(table, column.numbers):
        yield problem
    elif not total_weight(column.numbers):
        sentence = f"Column {named(column.name)} gives every row the weight 0, so nothing counts. Choose another "
        yield Finding("error", f"{sentence}weight column, or none.", len(column), column.name, code="bad weights")


def _copies(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Rows that are copies of another row, where a column has many values."""
    most = None
    for column in columns:
        if not column.is_bool and (column.is_quantity or not column.is_few):
            most = column if most is None or column.distinct > most.distinct else most
            if most.distinct == len(most):
                return  # it tells all rows apart, so that no other column has to be looked at
    again = 0 if most is None else len(most) - most.missing_count - most.distinct
    if most is None or not again or most.distinct * 10 < len(most) or _most_copies(most, columns) * 2 <= again:
        return
    # equal rows are equal in that column, so only its repeated values need to be looked at
    repeated = most.values.duplicated(keep=False).to_numpy(bool)
    count = int(table.frame[repeated].duplicated().sum())
    # where rows share a value by chance, as with rounded scores, some rows are equal by chance too
    if count * 2 > again:
        copies = "1 duplicate row" if count == 1 else f"{count_text(count)} duplicate rows"
        yield Finding("info", f"{copies}. Were some cases entered twice?", count, code="copies")


def _most_copies(column: Column, columns: Columns) -> int:
    """Upper bound on the number of copies: rows equal in a column and in all those that have few values."""
    if not column.is_number:
        return len(column)
    # 0 is added since −0 and 0 are equal, and all missing numbers are one; rows that mix to the same only add copies
    numbers = column.numbers + 0.0
    numbers[column.missing] = np.nan
    keys = numbers.view(np.uint64)
    few = [other.codes for other in columns if other is not column and other.is_few]
    for rows in blocks(len(keys)):
        part = keys[rows]
        for codes in few:
            part ^= part >> np.uint64(29)
            part += codes[rows].astype(np.uint64)
            part *= np.uint64(0x9E3779B97F4A7C15)
    keys.sort()
    return keys.size - distinct_of(keys)


_MOST_CODES, _MOST_LOG_ODDS = 3, 50
_LOG_ODDS = re.compile(r"logit|log_?odds|log_?od\b", re.IGNORECASE)
_OF_DETECTORS = "Detectors of scikit-learn, such as isolation forests, write −1 for an anomaly and 1 for the rest"
_ANOMALY = re.compile(r"anomal|outlier|novelty|isolation|iforest|decision_function|score_samples", re.IGNORECASE)


def spellings(labels: list[Column], classes: list[str]) -> Iterator[Finding]:
    """Labels of some columns, or classes, that differ only in case or surrounding blanks; one step each merges them."""
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    counts = [(text_of(value), count) for column in labels for value, count in column.label_counts.items()]
    for text, count in (*counts, *((text, 0) for text in classes)):
        spelt[text.strip().casefold()][text] += count
    if not (alike := [ways for ways in spelt.values() if len(ways) > 1]):
        return
    names, steps, fewer = tuple(column.name for column in labels), [], 0
    for ways in alike:
        usual = max(ways, key=lambda text: (ways[text], text == text.strip(), text))
        others = tuple(sorted(text for text in ways if text != usual))
        fewer += sum(ways[text] for text in others)
        steps.append(Merge(names, others, usual))
    groups = "; ".join(listed(sorted(ways)) for ways in alike[:3])
    groups += f" and {many_text(len(alike) - 3, 'more group')}" if len(alike) > 3 else ""
    sentence = f"Labels {groups} differ only in case or surrounding blanks and count as different classes. "
    sentence += "If they are the same, merge them on the Data page."
    yield Finding("warning", sentence, fewer, names[0], steps_text(steps), code="spellings")


def codes_among_labels(labels: list[Column], numbers: Iterable[Column] = ()) -> Iterator[Finding]:
    """Labels that look like codes of missing values: words such as "NA", and numbers far from the other labels."""
    codes: Counter[str] = Counter()
    for column in labels:
        own = {*_far_codes(column.numbers)} if column.is_number else {*filter(values.is_missing_word, column.texts)}
        own -= {"NA"} if values.are_country_codes(column.texts) else set()
        for value, count in column.label_counts.items():
            codes[text_of(value)] += count if text_of(value) in own else 0
    codes = +codes  # those that occur
    others = {text for column in labels for text in column.texts} - codes.keys()
    if not codes or len(others) < 2:
        return
    names, count = tuple(column.name for column in labels), sum(codes.values())
    one = len(codes) == 1
    sentence = f"{'Label' if one else 'Labels'} {listed(codes)} in {_cells(count)} of {_columns(names)} "
    sentence += f"{'looks like a code' if one else 'look like codes'} for a missing value, and "
    sentence += f"{'counts as a class' if one else 'count as classes'}. If so, count {'it' if one else 'them'} as "
    sentence += "missing on the Data page."
    steps = [Exclude(names, tuple(codes))]
    also = {column.name: tuple(text for text in _far_codes(column.numbers) if text in codes) for column in numbers}
    steps += [Exclude((name,), texts) for name, texts in also.items() if texts]
    yield Finding("warning", sentence, count, names[0], steps_text(steps), code="codes")


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
        sentence = f"{_columns(names, 'Column', 'hold')} {text} in {_cells(int(cells.sum()))} (first: "
        sentence += f"{table.lines.at(cells.any(axis=0).argmax())}), far from all other values ({lowest} to "
        sentence += f"{highest}), as a code for a missing value lies. If it is one, count it as missing on the Data "
        sentence += "page."
        yield Finding("warning", sentence, int(cells.sum()), names[0], Exclude(names, (text,)).to_text(), code="codes")


def is_percent(column: Column) -> bool:
    """Whether all numbers lie between 0 and 100, and some are far above 1."""
    numbers = column.numbers[~np.isnan(column.numbers)]
    return bool(numbers.size and numbers.min() >= 0 and 20 < numbers.max() <= 100)


def is_mixed(column: Column) -> bool:
    """Whether a tenth of the numbers or more look like shares of 1, and others like percentages: few lie below 5."""
    if not is_percent(column):
        return False
    numbers = column.numbers[~np.isnan(column.numbers)]
    above, shares = numbers[numbers > 1], np.count_nonzero((numbers > 0) & (numbers < 1))
    return bool(shares * 10 >= len(numbers) and np.count_nonzero(above < 5) * 4 <= len(above))


def is_log_odds(numbers: np.ndarray) -> bool:
    """Whether some numbers are negative, and all are small enough for log-odds."""
    return bool(numbers.size and np.nanmin(numbers) < 0 and np.nanmax(np.abs(numbers)) <= _MOST_LOG_ODDS)


def scales(table: Table[Any], columns: list[Column], are_probabilities: list[str]) -> Iterator[Finding]:
    """Score columns that may be percentages, all or in part, or log-odds; a step for each kind makes probabilities."""
    mixed = [column for column in columns if is_mixed(column)]
    for column in mixed:
        above, highest = column.numbers > 1, text_of(float(np.nanmax(column.numbers)))
        sentence = f"Column {named(column.name)} holds scores above 1, up to {highest}, in "
        sentence += f"{table.lines.among(above)}, and scores between 0 and 1 in the others. They are compared as they "
        sentence += "stand. If those above 1 are percentages, divide them by 100 on the Data page."
        action, other = (Scale((column.name,), way).to_text() for way in ("mixed", "percent"))
        yield Finding("warning", sentence, int(above.sum()), column.name, action, code="mixed scales", other=other)
    columns = [column for column in columns if column not in mixed]
    percent = [column.name for column in columns if is_percent(column) and _may_be_percent(column.name)]
    if percent and not set(percent) <= set(are_probabilities):
        sentence = f"The scores in {_columns(percent)} lie between 0 and 100. If they are percentages, divide them by "
        sentence += "100 on the Data page to use them as probabilities."
        action = Scale(tuple(percent), "percent").to_text()
        yield Finding("info", sentence, len(percent), percent[0], action, code="scale")
    logits = [column.name for column in columns if _LOG_ODDS.search(column.name) and is_log_odds(column.numbers)]
    if logits:
        sentence = f"{_columns(logits, 'Column')} {'is' if len(logits) == 1 else 'are'} named like log-odds. They can "
        sentence += "be made probabilities, 1 ÷ (1 + e⁻ˣ), on the Data page."
        action = Scale(tuple(logits), "logistic").to_text()
        yield Finding("info", sentence, len(logits), logits[0], action, code="scale")


def of_anomalies(texts: Iterable[object]) -> bool:
    """Whether names of columns or labels are words for anomalies."""
    return any(_ANOMALY.search(str(text)) for text in texts)


def anomaly_codes(table: Table[Any], actual: Column, predicted: list[Column]) -> Iterator[Finding]:
    """Labels −1 and 1 that may be those of scikit-learn's detectors of anomalies, which write −1 for the anomaly.

    The reading of a prediction that agrees with the truth in more rows is offered first.
    """
    numbers = [column for column in (actual, *predicted) if column.is_number and column.is_few]
    if not (coded := [column for column in numbers if {*column.texts} == {"-1", "1"}]):
        return
    names = tuple(column.name for column in coded)
    if coded[0] is actual:
        count = int(_is_minus(actual).sum())
        by_machine = 4 * count > len(actual) and not of_anomalies(table.frame.columns)
        if by_machine or text_of(table.roles.get("positive")) == "-1":
            return  # a support vector machine's −1 is the negative class
        # with the signs reversed first, the anomaly is the usual positive class
        steps = (Scale(names, "opposite"), Merge(names, ("1",), "anomaly"), Merge(names, ("-1",), "normal"))
        action, other = steps_text(steps), None
        sentence = f"{_columns(names, 'Column', 'hold')} −1 ({rows_text(count)} of {named(actual.name)}) and 1. "
        sentence += f"{_OF_DETECTORS}, but here 1 counts as positive. If these are such labels, rename them on the "
        sentence += "Data page."
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
        sentence = f"{_columns(names, 'Column', 'hold')} −1 ({rows_text(count)}) and 1, where {named(actual.name)} "
        sentence += f"holds {listed(actual.texts)}. {_OF_DETECTORS}; support vector machines write −1 for the negative "
        sentence += "class. Choose what −1 is on the Data page."
    yield Finding("warning", sentence, count, names[-1], action, code="anomalies", other=other)


def _is_minus(column: Column) -> np.ndarray:
    """Cells with the label −1, as flags, shape (rows,)."""
    return np.array([*(text == "-1" for text in column.texts), False])[column.codes]


def _renamed(names: tuple[str, ...], minus: str, plus: str) -> str:
    """The steps that write −1 and 1 as other labels; the one that may become −1 or 1 itself is written last."""
    steps = [Merge(names, ("-1",), minus), Merge(names, ("1",), plus)]
    return steps_text(reversed(steps) if minus == "1" else steps)


def _may_be_percent(name: str) -> bool:
    """Whether a name means a score or a share, and no measurement."""
    words = {*names.simple(name).split("_")}
    return names.is_score(name) or names.is_probability(name) or "%" in name or bool({"pct", "percent"} & words)


def _far_codes(numbers: np.ndarray) -> dict[str, float]:
    """The codes at either end of some numbers: farther from the rest than the rest is wide."""
    rest = numbers[np.isfinite(numbers)]
    codes: list[float] = []
    while rest.size and len(codes) < _MOST_CODES:
        ends = [end for end in (float(rest.min()), float(rest.max())) if values.CODE.fullmatch(text_of(end))]
        if not ends:
            break
        codes.append(ends[0])
        rest = rest[rest != ends[0]]
    if rest.size < 2:
        return {}
    low, high = float(rest.min()), float(rest.max())
    # 9 may well be a number behind 1, 2 and 3
    least = {code: max((high - low) * (3 if abs(code) < 10 else 1), 0.5 * abs(code)) for code in codes}
    return {text_of(code): code for code in codes if max(low - code, code - high) > least[code]}


def _columns(names: Sequence[str], word: str = "column", verb: str = "") -> str:
    verb = f" {verb}{'s' if len(names) == 1 else ''}" if verb else ""
    return f"{word} {named(names[0])}{verb}" if len(names) == 1 else f"{word}s {listed(names, 3)}{verb}"


def _cells(count: int) -> str:
    return rows_text(count).replace("row", "cell")
