"""Square matrices of counts, and columns whose cells hold the probabilities of all classes."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from evalcore.classification.binary.labels import is_negative_word, is_positive_word
from evalcore.numeric import Array
from evalcore.readers.base import Column, Columns, Finding, Lines, listed, named, rounding_of, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.child import exports
from evalcore.readers.shapes.label_columns import Answers
from evalcore.readers.shapes.recognition import is_answer
from evalcore.readers.steps.rows import Wide
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["opening_steps"]

_ACTUAL_WORDS = "actual|true|truth|label|gold|reference|target|condition|disease|diagnos|outcome|pcr|biopsy|wahr"
_PREDICTED_WORDS = r"predict|pred\b|output|detected|system|classified|decision|test|assigned|vorher"
_PREFIX = re.compile(
    r"^(actual|true|truth|gold|reference|target|label|pred|predicted|prediction|output)[\s_:.\-]+(?=\S)", re.IGNORECASE
)
_TOTAL = re.compile(r"(?:(?:grand|row|column)[ _])?(?:totals?|sums?|all|margins?|summe|gesamt|Σ|∑)", re.IGNORECASE)


def class_names(headers: tuple[str, ...]) -> tuple[str, ...]:
    """The classes that headers name, without a prefix that all of them share.

    >>> class_names(("pred_cat", "pred_dog")), class_names(("true cat", "dog"))
    (('cat', 'dog'), ('true cat', 'dog'))
    """
    if _stem(headers):
        return tuple(_split_last_word(header)[1] for header in headers)
    bare = tuple(_PREFIX.sub("", header) for header in headers)
    return bare if _prefix(headers) and len(set(bare)) == len(headers) else headers


def rows_are(corner: str, row_names: Iterable[Any], headers: tuple[str, ...]) -> str:
    """Whether rows are "actual" or "predicted", by prefix, corner or the names of the columns; empty if none tells."""
    rows, (of_rows, _, of_columns) = _texts(row_names), corner.partition("\\")
    turned = {"actual": "predicted", "predicted": "actual", "": ""}
    of_columns = _stem(headers) or _prefix(headers) or of_columns
    return _side(_prefix(rows) or _stem(rows) or of_rows) or turned[_side(of_columns)]


def _side(words: str) -> str:
    """What words name first, "actual" or "predicted"; empty if neither."""
    sides, words = {"actual": _ACTUAL_WORDS, "predicted": _PREDICTED_WORDS}, names.simple(words)
    found = {side: match.start() for side, pattern in sides.items() if (match := re.search(pattern, words))}
    return min(found, key=lambda side: found[side], default="")


def row_order(row_names: pd.Series, headers: tuple[str, ...]) -> list[int] | None:
    """The row of each class, or None if rows and columns have different names."""
    for rows, classes in ((_texts(row_names), headers), (class_names(_texts(row_names)), class_names(headers))):
        row_of = {name.strip().casefold(): row for row, name in enumerate(rows)}
        order = [row_of[name] for name in (name.strip().casefold() for name in classes) if name in row_of]
        if len(order) == len(classes) and len(set(order)) == len(rows):
            return order
    signs = [[is_negative_word(_split_last_word(text)[1]) for text in texts] for texts in (_texts(row_names), headers)]
    if _stem(headers) and (_stem(_texts(row_names)) or are_signs(_texts(row_names))):
        return [0, 1] if signs[0] == signs[1] else [1, 0]
    return None


@np.errstate(over="ignore", invalid="ignore")  # a table of scores may hold what sums up to infinity
def without_totals(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]]:
    """A square matrix without a last row or column that adds up the others, by its numbers, and a finding."""
    if (systems := _without_total_of_systems(frame)) is not None:
        return systems
    numeric = [column.dtype.kind in "iuf" for _, column in frame.items()]
    if len(frame) < 2 or len(numeric) < 3 or not all(numeric[1:]) or abs(len(frame) - len(numeric)) > 2:
        return frame, []
    layouts = [(1, True, True), (1, True, False), (1, False, True)] + [(0, True, True)] * numeric[0]
    for first, row, column in layouts:
        cells = frame.iloc[:, first:].to_numpy(np.float64, na_value=np.nan)
        size = len(frame) - row
        headers = tuple(str(name) for name in frame.columns[first : frame.shape[1] - column])
        if size < 2 or len(headers) != size or (first and row_order(frame.iloc[:size, 0], headers) is None):
            continue
        corner = text_of(frame.iloc[-1, 0]) if row and first else ""
        titles = ({"row": corner} if row else {}) | ({"column": str(frame.columns[-1])} if column else {})
        body = cells[:size, :size]
        totals = [_sums_up(body, cells[-1, :size], corner)] if row else []
        totals += [_sums_up(body.T, cells[:size, -1], titles["column"])] if column else []
        if row and column and not np.isnan(cells[-1, -1]):
            totals.append(bool(abs(cells[:size, -1].sum() - cells[-1, -1]) <= _slack(cells, size)))
        if all(totals):
            return frame.iloc[:size, : frame.shape[1] - column], [_left_out(titles)]
    return frame, []


def _without_total_of_systems(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]] | None:
    """TP, FP, FN and TN of systems without a last row that adds them up, and a finding; None for other tables."""
    four = [name for name in frame.columns if any(names.simple(name) in words for words in names.COUNT_NAMES.values())]
    if len(four) != 4 or len(frame) < 3 or any(frame[name].dtype.kind not in "iuf" for name in four):
        return None
    title = next((text_of(cell) for cell in frame.iloc[-1] if isinstance(cell, str)), "")
    cells = frame[four].to_numpy(np.float64, na_value=np.nan)
    if not _TOTAL.fullmatch(title.strip()) or not (cells[:-1].sum(axis=0) == cells[-1]).all():
        return None
    sentence = f"The row {named(title)} adds up the systems above it and is left out."
    return frame.iloc[:-1], [Finding("info", sentence, 1, code="margins")]


def share_finding(cells: Array, rows: str) -> Finding | None:
    """A warning about a matrix of shares, whose rows, columns or cells add up to 1 or 100."""
    if not ((cells >= 0) & (cells <= 101)).all() or not _slack(cells, 1):  # a share, rounded, of 1 or 100
        return None
    other = "predicted" if rows == "actual" else "actual"
    for sums, what, classes in (
        (cells.sum(axis=1), "Each row", rows),
        (cells.sum(axis=0), "Each column", other),
        (cells.sum(keepdims=True), "The matrix", ""),
    ):
        slack = _slack(cells, cells.size // sums.size)
        whole = next((whole for whole in (1, 100) if (np.abs(sums - whole) <= slack).all()), None)
        if whole is None:
            continue
        sentence = f"{what} adds up to {whole}, so the cells are shares, not counts: "
        if classes:
            measure, lost = ("recall", "precision") if classes == "actual" else ("precision", "recall")
            sentence += f"{measure} is right, but accuracy, {lost} and all that depends on them treat the {classes} "
            sentence += "classes as equally frequent, and intervals are too wide. "
        else:
            sentence += "measures are right, but intervals and tests need counts. "
        return Finding("warning", sentence + "Open the matrix of counts if you have it.", len(cells), code="shares")
    return None


def _sums_up(body: Array, totals: Array, title: str) -> bool:
    """Whether each total is the sum of its column; in a matrix of shares also their mean, if its title says so."""
    if not np.isfinite(body).all() or not np.isfinite(totals).all() or not body.any():
        return False
    slack = _slack(np.vstack([body, totals]), len(body))
    if (np.abs(body.sum(axis=0) - totals) <= slack).all():
        return True
    is_mean = ((body.min(axis=0) <= totals) & (totals <= body.max(axis=0))).all() and slack
    sums = np.append(body.sum(axis=1), totals.sum())
    return bool(is_mean and _TOTAL.fullmatch(title.strip()) and np.ptp(sums) <= 2 * slack)


def _slack(cells: Array, terms: int) -> float:
    """Tolerance of a total: 0 if all numbers are whole, else what rounding can add up to."""
    cells = cells[np.isfinite(cells)]
    if (cells == np.rint(cells)).all():
        return 0.0
    return rounding_of(cells, terms + 1) or 1e-9 * float(np.abs(cells).max())


def _left_out(titles: dict[str, str]) -> Finding:
    """Name the row and the column of totals, once if they have the same name."""
    which = [f"the {what} {named(title)}" if title else f"the last {what}" for what, title in titles.items()]
    if len({*titles.values()}) < len(titles):
        which = ["the row", f"the column {named(titles['row'])}"]
    sentence = " and ".join(which).replace("the", "The", 1)
    verbs = "hold totals and are" if len(which) == 2 else "holds totals and is"
    return Finding("info", f"{sentence} {verbs} left out of the matrix.", len(titles), code="margins")


def _prefix(headers: tuple[str, ...]) -> str:
    """The word before all headers, such as "pred"; empty if they begin differently."""
    words = {match[1].casefold() if (match := _PREFIX.match(header)) else "" for header in headers}
    return words.pop() if len(words) == 1 else ""


def _split_last_word(header: str) -> tuple[str, str]:
    """Split a header before its last word: "Disease", "+"."""
    before, _, last = header.strip().replace("\u2212", "-").rpartition(" ")
    return before.strip(), last


def _stem(headers: tuple[str, ...]) -> str:
    """Return the common beginning of two headers such as "Disease +" and "Disease −"; else empty."""
    if len(headers) != 2:
        return ""
    (one, first), (two, second) = map(_split_last_word, headers)
    return one if are_signs((first, second)) and one.casefold() == two.casefold() else ""


def are_signs(texts: Collection[str]) -> bool:
    """Whether two texts are a word for the positive and one for the negative class."""
    negative = [is_negative_word(text) for text in texts]
    positive = [is_positive_word(text) for text in texts]
    return sorted(negative) == [False, True] and positive == [not sign for sign in negative]


def _texts(row_names: Iterable[Any]) -> tuple[str, ...]:
    return tuple(text_of(name).strip() for name in row_names)


_MOST_SYSTEMS = 50


def opening_steps(findings: tuple[Finding, ...]) -> str | None:
    """Steps that are applied on opening a table because their findings are certain; None for other tables."""
    certain = ("long", "one-hot", "logits", "class ranking")
    sure = (finding for finding in findings if finding.level == "warning" and finding.code in certain)
    return next((finding.action for finding in sure if finding.action), None)


def long_findings(columns: Columns, lines: Lines) -> Iterator[Finding]:
    """Say that the rows of a table belong to several systems; the action makes one row per case."""
    if (system := next((c for c in columns if names_systems(c)), None)) is None:
        return
    others = [c for c in columns if c is not system]
    ids = [c for c in others if names.is_identifier(c.name) and not c.missing_count and c.distinct > 1]
    ids = [c for c in ids if not (c.is_number and not c.is_whole)]
    for case in (*((c,) for c in ids), *combinations(ids, 2)):
        codes = pd.factorize(pd.MultiIndex.from_arrays([c.values for c in case]))[0]
        repeats = np.bincount(codes)
        if len(repeats) * 2 > len(codes) or repeats.max() > 2 * system.distinct:
            continue
        value = _value(others, case, codes)
        twice = pd.Series(codes * system.distinct + system.codes).duplicated(keep=False).to_numpy(bool)
        if value is None or twice.mean() > 0.05:
            continue
        one = " and ".join(named(c.name) for c in case)
        sentence = f"There is one row per {one} and {named(system.name)}, so the rows mix "
        sentence += f"{count_text(system.distinct)} systems. "
        action, count = None, int(twice.sum())
        if count:
            first = int(twice.argmax())
            again = np.flatnonzero(twice & (codes == codes[first]) & (system.codes == system.codes[first]))[1]
            sentence += f"They cannot be parted because {lines.at(first)} and {lines.at(again)} are both of "
            sentence += f"{named(system.texts[system.codes[first]])} for the same case. Keep one of them in the file."
        else:
            sentence += f"Make one row per case, with a column of {named(value.name)} for each system."
            action = Wide(tuple(c.name for c in case), system.name, value.name).to_text()
            if is_answer(value):
                action += f"~~{Answers(system.texts, '').to_text()}"
        yield Finding("warning", sentence, count or len(codes), system.name, action, code="long")
        return


def names_systems(column: Column, words: frozenset[str] = names.LONG_SYSTEM) -> bool:
    """Whether a column holds the system of each row, by its name and its number of values."""
    stem = names.simple(column.name).removesuffix("_name").removesuffix("_id")
    if stem not in words or column.missing_count or not column.is_few:
        return False
    return 1 < column.distinct <= _MOST_SYSTEMS and (not column.is_number or column.is_whole)


def _value(others: list[Column], case: tuple[Column, ...], codes: np.ndarray) -> Column | None:
    """The column that holds the systems' output: a score, else a prediction, else the only number."""
    free = [c for c in others if c not in case and not names.is_actual(c.name)]
    for fits in (
        lambda c: names.is_score(c.name) and c.is_number,
        lambda c: names.is_predicted(c.name) or names.is_estimate(c.name),
        lambda c: is_answer(c) and _differs(c, codes),
    ):
        if fitting := [c for c in free if fits(c)]:
            return fitting[0]
    numbers = [c for c in free if c.is_quantity and not names.is_identifier(c.name) and _differs(c, codes)]
    return numbers[0] if len(numbers) == 1 else None


def _differs(column: Column, codes: np.ndarray) -> bool:
    """Whether the rows of a case have different values."""
    return bool((column.values.groupby(codes).nunique() > 1).any())


_HEAD, _ROUNDING = 20, 0.001
_BEGINNINGS = ("[", "{", "(", "DenseVector", "SparseVector", "array(")


def with_class_columns(frame: pd.DataFrame, lines: Lines) -> tuple[pd.DataFrame, list[Finding]]:
    """A table in which cells such as "[0.1, 0.9]" are columns p_0 and p_1, or named after labels in the cells."""
    vectors = [name for name in frame.columns if _holds_vectors(frame[name])]
    if any(names.is_score(name) for name in frame.columns if frame[name].dtype.kind == "f"):
        vectors = [name for name in vectors if not _are_logits(frame[name])]  # what they come to is there
    if not vectors:
        return frame, []
    columns, findings, named_beside = dict(frame.items()), [], set()
    for name in vectors:
        labels = _labels_beside(frame, name)
        parts = _class_columns(frame[name], None if labels is None else _lists_in(frame[labels]), lines, findings)
        prefix = name if len(vectors) > 1 else "logit" if _are_logits(frame[name]) else "p"
        own = {} if parts is None else {f"{prefix}_{part}": cells for part, cells in parts.items()}
        if own and not own.keys() & columns.keys():
            named_beside |= {labels} - {None}
            columns = {
                key: cells for old in columns for key, cells in (own.items() if old == name else [(old, columns[old])])
            }
    return pd.DataFrame({name: cells for name, cells in columns.items() if name not in named_beside}), findings


def _holds_vectors(column: pd.Series) -> bool:
    head = column.dropna().iloc[:_HEAD].tolist() if column.dtype == "str" else []
    if not head or not all(cell.lstrip().startswith(_BEGINNINGS) for cell in head):
        return False
    cells = [exports.parsed_cell(cell) for cell in head]
    if all(map(exports.is_vector, cells)) or not _are_logits(column):
        return all(map(exports.is_vector, cells))
    # of logits, all cells list the same number of numbers
    sizes = {0 if (read := exports.class_numbers(cell)) is None or read[1] else len(read[0]) for cell in cells}
    return len(sizes) == 1 and sizes.pop() > 1


def _are_logits(column: pd.Series) -> bool:
    return "logit" in names.simple(str(column.name))


def _labels_beside(frame: pd.DataFrame, name: str) -> str | None:
    """The column of lists of labels beside one of lists of scores, as zero-shot classifiers write them."""
    own = re.sub("score|probabilitie|prob", "label", names.simple(name))
    other = next((str(c) for c in frame.columns if names.simple(c) == own != names.simple(name)), None)
    if other is None or frame[other].dtype != "str":
        return None
    return other if all(len(cell or ()) > 1 for cell in _lists_in(frame[other].iloc[:_HEAD])) else None


def _lists_in(column: pd.Series) -> list[list[str] | None]:
    texts = column.astype(object).where(column.notna(), None).tolist()
    cells = zip(texts, exports.parsed_cells(texts), strict=True)
    return [
        [str(one) for one in read] if isinstance(read, list) else None if cell is None else cell.split("|")
        for cell, read in cells
    ]


def _class_columns(
    column: pd.Series, labels: list[list[str] | None] | None, lines: Lines, findings: list[Finding]
) -> dict[str, pd.Series] | None:
    """A column of numbers for each class; None where most cells are no probabilities."""
    cells: list[dict[str, float] | None] = []
    is_named, shares = labels is not None, 0
    for place, cell in enumerate(exports.parsed_cells(column.astype(object).where(column.notna(), None).tolist())):
        read = exports.class_numbers(cell)
        numbers = None if read is None else read[0]
        if numbers is not None and labels is not None:
            own = labels[place] or ()
            numbers = dict(zip(own, numbers.values(), strict=True)) if len(own) == len(numbers) else None
        is_named |= read is not None and read[1]
        shares += numbers is not None and exports.are_probabilities(numbers)
        cells.append(numbers)
    read = [numbers for numbers in cells if numbers is not None]
    classes = list(dict.fromkeys(name for numbers in read for name in numbers))
    are_others = not is_named and 2 * shares < len(read) and not _are_logits(column)
    if not read or len(classes) > exports.MOST_PARTS or are_others:
        return None
    top = all(sum(numbers.values()) <= 1 + _ROUNDING for numbers in read)
    values = np.full((len(cells), len(classes)), np.nan)
    for row, numbers in enumerate(cells):
        if numbers is not None:
            others = len(classes) - len(numbers)
            rest = max(1 - sum(numbers.values()), 0.0) / others if others and top else 0.0
            values[row] = [numbers.get(name, rest) for name in classes]
    what = "labels with their scores" if is_named else f"lists of {count_text(len(classes))} numbers"
    sentence = f"Column {named(str(column.name))} holds {what} and is read as one column per class: "
    sentence += f"{listed(classes, 3)}."
    if short := sum(len(numbers) < len(classes) for numbers in read):
        sentence += f" {rows_text(short)} {'lists' if short == 1 else 'list'} only some of the "
        sentence += f"{count_text(len(classes))} classes; the others {'share the rest of 1' if top else 'count as 0'}."
    findings.append(Finding("info", sentence, len(classes), str(column.name), code="class lists"))
    unread = [numbers is None and not missing for numbers, missing in zip(cells, column.isna(), strict=True)]
    if any(unread):
        sentence = f"Column {named(str(column.name))} holds no list of numbers in {lines.among(np.array(unread))}; "
        sentence += "these rows have no probabilities."
        findings.append(Finding("warning", sentence, sum(unread), str(column.name), code="class lists"))
    return {name: pd.Series(values[:, place]) for place, name in enumerate(classes)}
