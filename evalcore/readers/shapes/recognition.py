"""Recognizing the roles of the columns of a table of rows, first from their names, then from their values."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from evalcore.classification.binary.labels import is_negative_word, is_positive_word
from evalcore.numeric import Array
from evalcore.readers.base import Column, Columns, Finding, Value, named, positive_value, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.shapes.label_columns import CORRECT, WRONG, holds_flags, parts_by_name
from evalcore.wording.numbers import number_text

__all__ = ["EndColumns", "end_columns", "is_end", "quantile_columns", "quantile_of"]

# People weigh 40 to 120 kg; weights of a survey spread wider, or lie around 1.
_LOWEST_MEASURED, _WIDEST_MEASURED = 10, 20
_AFFIXED = re.compile(r"^(?:weights?|wt|pweight|pw)_|_(?:weights?|wts?|wgt|gewicht)$|^(?:pweight|finalwt|fnlwgt|wgt)$")
_MOST_COLUMNS = 6  # A table of counted rows has a few columns of labels or scores and the count.


def weight_findings(columns: Columns, used: str | None) -> Iterator[Finding]:
    """Say which column named like a weight is not used as one, and offer it; and which column counts rows."""
    if used is not None:
        if names.simple(used) in names.ROW_COUNT:
            sentence = f"Column {named(used)} holds whole numbers and is used as how many times each row counts. If "
            sentence += 'it is not, clear "Weight" on the Data page.'
            yield Finding("info", sentence, len(columns[used]), used, code="counted rows")
        return
    for column in columns:
        if _is_named(column):
            middle = number_text(_middle(column.numbers[np.isfinite(column.numbers)]))
            sentence = f"Column {named(column.name)} is not used as weights of the rows: its numbers, around {middle}, "
            sentence += "look measured, such as a body weight. If they are weights, choose it "
        elif column.is_number and _AFFIXED.search(names.simple(column.name)) and (column.numbers >= 0).all():
            sentence = f"Column {named(column.name)} is named like weights of the rows, but not used as weights. If it "
            sentence += "holds them, choose it "
        else:
            continue
        sentence += 'under "Weight".'
        yield Finding("info", sentence, len(column), column.name, code="no weight", role="weight")


def _is_named(column: Column) -> bool:
    return names.simple(column.name) in names.WEIGHT and column.is_number and column.missing_count < len(column)


def _is_measured(column: Column) -> bool:
    name, numbers = names.simple(column.name), column.numbers[np.isfinite(column.numbers)]
    if name in names.SURE_WEIGHT or not numbers.size:
        return False
    if name in names.ROW_COUNT:
        return not column.is_whole
    low, high = numbers.min(), numbers.max()
    return bool(_middle(numbers) >= _LOWEST_MEASURED and 0 < low < high <= _WIDEST_MEASURED * low)


def _middle(numbers: Array) -> float:
    """The lower of the two middle numbers, as the sum of two huge ones is infinite."""
    return float(np.partition(numbers, (numbers.size - 1) // 2)[(numbers.size - 1) // 2])


def _row_counts(columns: Columns) -> Column | None:
    """A column called "n" or "count" of a table that lists each combination of labels and scores once."""
    counting = [c for c in columns if names.simple(c.name) in names.ROW_COUNT and c.is_number and c.is_whole]
    if columns.count > _MOST_COLUMNS or len(counting) != 1:
        return None
    (count,) = counting
    others = [c.name for c in columns if c is not count]
    if count.missing_count or count.numbers.min(initial=0) < 0 or count.numbers_rows:
        return None
    is_table = any(map(names.is_actual, others)) and any(map(_names_system, others)) and columns.are_distinct(others)
    return count if is_table else None


_QUANTILE = re.compile(
    r"(?:.*[_\s.\-])?(?:q|p|quantile|percentile|pctl|perc)[_\s.\-]?(?P<share>\d{1,2}(?:[.,]\d+)?|0?[.,]\d+)%?"
    r"|(?P<alone>0?\.\d+)",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?P<stem>.*?)[_\s.\-]*(?P<side>lower|low|lo|lwr|lb|upper|high|hi|upr|ub)(?:[_\s.\-]*(?:bound|limit|end|ci|pi))?"
    r"[_\s.\-]*(?P<level>\d{2}(?:[.,]\d+)?)?%?",
    re.IGNORECASE,
)


def quantile_of(name: str) -> float | None:
    """The share below a quantile that a column is named after; None where it is named after none.

    >>> quantile_of("q10"), quantile_of("y_q0.95"), quantile_of("P 97.5"), quantile_of("0.25"), quantile_of("question")
    (0.1, 0.95, 0.975, 0.25, None)
    """
    if not (found := _QUANTILE.fullmatch(name.strip())):
        return None
    written = (found["share"] or found["alone"]).replace(",", ".")
    share = float(written) if written.lstrip("0").startswith(".") else float(written) / 100
    return round(share, 9) if 0 < share < 1 else None


def quantile_columns(names: Iterable[str]) -> dict[str, float]:
    """The columns of quantiles, the lowest first; empty unless all differ and some lie below and above the median."""
    shares = {name: share for name in names if (share := quantile_of(name)) is not None}
    each = set(shares.values())
    if len(each) < max(len(shares), 2) or not min(each) < 0.5 < max(each):
        return {}
    return dict(sorted(shares.items(), key=lambda item: item[1]))


@dataclass(frozen=True)
class EndColumns:
    """The columns of both ends of an interval, and the share that is to lie inside: 0.9 where no name tells."""

    low: str
    high: str
    level: float = 0.9


def end_columns(names: Iterable[str]) -> list[EndColumns]:
    """The pairs of columns that are ends of intervals, the widest first: by words such as low and high, or quantiles.

    >>> end_columns(["y", "yhat", "yhat_lower_95", "yhat_upper_95"])
    [EndColumns(low='yhat_lower_95', high='yhat_upper_95', level=0.95)]
    >>> end_columns(["y", "q05", "q25", "q50", "q75", "q95"])[0]
    EndColumns(low='q05', high='q95', level=0.9)
    """
    names = list(names)
    shares = quantile_columns(names)
    mirrored = {round(1 - share, 9): name for name, share in shares.items()}
    lows = {name: share for name, share in shares.items() if share < 0.5 and share in mirrored}
    pairs = [EndColumns(name, mirrored[share], round(1 - 2 * share, 9)) for name, share in lows.items()]
    sides: dict[tuple[str, str], dict[bool, str]] = defaultdict(dict)
    for name in names:
        if name not in shares and (found := _END.fullmatch(name.strip())):
            sides[found["stem"].casefold(), found["level"] or ""][found["side"].casefold()[0] == "l"] = name
    for (_, level), both in sides.items():
        if len(both) == 2:
            share = float(level.replace(",", ".")) / 100 if level else EndColumns.level
            pairs.append(EndColumns(both[True], both[False], share))
    return sorted(pairs, key=lambda pair: -pair.level)


def is_end(name: str, names: Iterable[str]) -> bool:
    """Whether a column is an interval limit, or a quantile other than the median, among some columns."""
    names = list(names)
    ends = {end for pair in end_columns(names) for end in (pair.low, pair.high)}
    return name in ends or quantile_columns(names).get(name, 0.5) != 0.5


MOST_UNNAMED_SYSTEMS = 12  # More unnamed numeric columns are features; this many may still be systems or labels.
_MOST_SYSTEMS = 200  # Nobody compares more, and each is sorted when the table is opened.
_MOST_GROUPS = 200
LEAST_FEATURES = 3  # A table with as many numbers beside the scores holds what they were computed from.
_EXPLAINED = 0.01  # share of the rows that a threshold may get wrong and still be that of a prediction


def recognise_rows(columns: Columns) -> dict[str, Any]:
    """The parts that the columns of a table play, as arguments of `roles_of`; perhaps not all that a kind needs."""
    holds_measures = len(measure_columns(columns)) > 1 or results_of_systems(columns)
    if holds_measures or duel_columns(columns) or is_annotated_only(columns):
        return {}
    beside, pairs = weight_and_group(columns), matched_columns(columns)
    free = [c for c in columns if c.name not in beside.values() and c.missing_count < len(c)]
    actual = _actual(free, pairs)
    if actual is None and (group := beside["group"]) is not None:  # a "country" may be what is predicted
        is_truth = any(names.is_predicted(c.name) and _same_labels(columns[group], c) for c in free)
        actual, beside = (columns[group], {**beside, "group": None}) if is_truth else (None, beside)
    if actual is None:
        return beside
    truths = [name for name in pairs if name != actual.name and not names.is_predicted(name)]
    others = {name for truth in truths for name in (truth, *pairs[truth])}
    rest = [c for c in free if c is not actual and c.name not in others]
    rest = [c for c in rest if not is_identifier(c) or (c.is_number and class_of(c, actual))]  # "No" may be a class
    # a rank only numbers the rows of a sorted list, but if there is no other column, it is the score
    rest = rest or [c for c in free if c is not actual and names.is_lower_better(c.name)]
    if actual.is_quantity or (_is_estimated(actual, rest) and not columns_of_classes(actual, rest)):
        return {**beside, **_estimate_roles(actual, rest)}
    if not actual.is_few:
        return {**beside, "actual": actual.name}
    parts = _label_roles(actual, rest, pairs.get(actual.name, ()))
    lower = bool(parts["score"]) and all(map(names.is_lower_better, parts["score"]))
    positive = positive_label(columns, {**parts, "actual": actual.name})
    return {**beside, "actual": actual.name, **parts, "positive": positive, "higher_is_positive": not lower}


def weight_and_group(columns: Columns) -> dict[str, str | None]:
    """The columns of the weight and of the group, None where there is none."""
    weights = (c for c in columns if _is_named(c) and not _is_measured(c))
    groups = (c for c in columns if names.simple(c.name) in names.GROUP and c.is_few)
    weight = next(weights, None) or _row_counts(columns)
    group = next((c for c in groups if 0 < c.distinct <= _MOST_GROUPS), None)
    return {"weight": None if weight is None else weight.name, "group": None if group is None else group.name}


def matched_columns(columns: Columns) -> dict[str, tuple[str, ...]]:
    """Columns of truths with the columns of scores or predictions of the same name, but for words such as "y_" or "_p".

    >>> import pandas as pd
    >>> matched_columns(Columns(pd.DataFrame([[1, 0, 0.5]], columns=["churn", "member", "churn_proba"])))
    {'churn': ('churn_proba',)}
    """
    subjects = {c.name: names.part_and_subject(c.name) for c in columns}
    truths: dict[str, Column] = {}
    for part, column in product(("true", ""), columns):
        subject = names.simple(subjects[column.name][1])
        if subjects[column.name][0] == part and not is_identifier(column) and subject not in names.LONG_SYSTEM:
            truths.setdefault(subject, column)
    systems: dict[str, list[str]] = defaultdict(list)
    for column in columns:
        part, subject = subjects[column.name]
        truth = truths.get(names.simple(subject))
        fits = part == "predicted" or (part == "score" and column.is_number)
        if fits and truth is not None and truth.missing_count < len(truth):
            systems[truth.name].append(column.name)
    return {name: tuple(own) for name, own in systems.items() if not _is_stated(columns[name], own, columns)}


def _is_stated(label: Column, own: list[str], columns: Columns) -> bool:
    """Whether a label column only restates the number column of its name, beside another column of the same labels."""
    others = [c for c in columns if c.name not in (label.name, *own)]  # 0 and 1 may be those of a feature
    rivals = [c for c in others if names.is_actual(c.name) or not holds_flags(c)]
    if label.distinct != 2 or not any(_same_labels(label, c) for c in rivals):
        return False
    return any(columns[name].is_number and _explains(columns[name], label) for name in own)


def measure_columns(columns: Columns) -> list[str]:
    """The columns of measures, such as precision and recall, of a table of results without rows or labels."""
    if any(names.is_predicted(c.name) or names.is_actual(c.name) for c in columns):
        return []
    numbers = [c for c in columns if c.is_number and not is_answer(c)]
    return [c.name for c in numbers if names.simple(c.name.rpartition(".")[2]) in names.MEASURE]


def duel_columns(columns: Columns) -> list[str]:
    """Columns with the result of a comparison of two systems in each row: a winner, or the clicks of each side."""
    if any(_names_system(c.name) or names.is_actual(c.name) for c in columns):
        return []
    winner = [c.name for c in columns if names.simple(c.name) in names.WINNER and c.is_few and 1 < c.distinct <= 4]
    clicks = [c.name for c in columns if names.is_clicks(c.name) and c.is_number and c.is_whole]
    return winner[:1] or (clicks if len(clicks) == 2 else [])


def is_annotated_only(columns: Columns) -> bool:
    """Whether a table is a Label Studio export of human annotations, with no prediction of a model."""
    found = {names.simple(c.name) for c in columns}
    is_export = "lead_time" in found and not found.isdisjoint(("annotation_id", "annotator"))
    return is_export and not any(_names_system(c.name) for c in columns)


def results_of_systems(columns: Columns) -> tuple[str, ...]:
    """The columns of a table of results, one row per system and setting: the systems, and numbers; else empty."""
    fitting = (c for c in columns if names.names_system(c.name) and c.is_few and c.distinct > 1 and not c.is_quantity)
    system = next(fitting, None)
    others = [c for c in columns if c is not system]
    has_rows = any(names.is_actual(c.name) or names.is_predicted(c.name) or is_identifier(c) for c in others)
    if system is None or has_rows or any(map(is_answer, others)):
        return ()
    numbers = [c.name for c in others if c.is_quantity]
    labels = [c.name for c in others if not c.is_quantity]
    is_table = not labels or columns.are_distinct([system.name, *labels])
    return (system.name, *numbers) if numbers and is_table else ()


def is_answer(column: Column) -> bool:
    """Whether a column, by its name and its values 0 and 1, marks the rows in which a system is right."""
    return names.is_answer(column.name) and column.is_few and {*column.texts} in ({"0", "1"}, {"True", "False"})


def is_identifier(column: Column) -> bool:
    """Whether a column holds ids, names or times of rows, so that it is no system."""
    if _names_system(column.name):
        return False
    if column.name == "column 1" and column.is_number and column.is_whole and column.distinct == len(column) > 2:
        return True  # the shuffled index that pandas writes without a name
    return column.numbers_rows or names.is_identifier(column.name)


def _actual(free: list[Column], pairs: dict[str, tuple[str, ...]]) -> Column | None:
    """The column of the truth: by the surest name, else the first whose values look like labels that others repeat."""
    orders = {c.name: order for c in free if (order := names.actual_order(c.name)) is not None}
    # "churn" beside "churn_proba" is surer than a feature that is called "class"
    matched = [c for c in free if c.name in pairs and not _names_system(c.name) and (not orders or c.distinct == 2)]
    if matched and not orders.keys() & pairs.keys():
        return matched[0]
    if orders:
        return min((c for c in free if c.name in orders), key=lambda c: orders[c.name])
    fitting = (c for c in free if c.is_few and not c.is_quantity and not is_identifier(c))
    fitting = (c for c in fitting if (possible := parts_by_name(c)) is None or "actual" in possible)
    labels = list(islice(fitting, MOST_UNNAMED_SYSTEMS))
    # one outcome may be called "correct", several are those of systems
    labels = labels if sum(map(is_answer, labels)) < 2 else [c for c in labels if not is_answer(c)]
    sets = Counter(_folded(c) for c in free if c.is_few)
    quantities = any(c.is_quantity and not is_identifier(c) for c in free)
    for column in labels:
        two = column.distinct == 2
        if (two and quantities) or (column.distinct >= 2 and sets[_folded(column)] > 1):
            return column
        if 2 <= column.distinct < len(free) and columns_of_classes(column, [c for c in free if c is not column]):
            return column
    two_valued = [c for c in labels if c.distinct == 2]
    if two_valued and any(_names_system(c.name) or (_has_grades(c) and not is_identifier(c)) for c in free):
        return two_valued[0]
    # the only other quantity beside one that is called a prediction or an estimate
    quantities = [c for c in free if c.is_quantity and not is_identifier(c)]
    others = [c for c in quantities if not (names.is_estimate(c.name) or _names_system(c.name))]
    are_named = any(names.is_estimate(c.name) or names.is_predicted(c.name) for c in quantities)
    return others[0] if are_named and len(others) == 1 else None


def _has_grades(column: Column) -> bool:
    """Whether a column of few numbers may still be a score, such as 0 to 20 points."""
    return column.is_number and column.distinct > 2


def _names_system(name: str) -> bool:
    return names.is_predicted(name) or names.is_score(name)


def _is_estimated(actual: Column, rest: list[Column]) -> bool:
    """Whether other columns estimate whole numbers, such as a rating of 1 to 5, by fractions or by name."""
    if not actual.is_number or actual.distinct <= 2:
        return False
    numbers = [c for c in rest if c.is_number]
    return any(names.is_estimate(c.name) or (names.is_predicted(c.name) and not c.is_whole) for c in numbers)


def _estimate_roles(actual: Column, rest: list[Column]) -> dict[str, Any]:
    numbers = [c for c in rest if c.is_number]
    named = [c for c in numbers if names.is_estimate(c.name) or names.is_predicted(c.name)]
    estimates = [c.name for c in named or [c for c in numbers if c.is_quantity][:MOST_UNNAMED_SYSTEMS]]
    estimates = [name for name in estimates if not is_end(name, [c.name for c in numbers])] or estimates
    return {"truth": actual.name, "estimate": tuple(estimates)} if estimates else {"actual": actual.name}


def _label_roles(actual: Column, rest: list[Column], matched: tuple[str, ...]) -> dict[str, Any]:
    probability = columns_of_classes(actual, rest)
    used = {column for column, _ in probability}
    rest = [c for c in rest if c.name not in used and not is_answer(c)]
    named_predicted = [c for c in rest if names.is_predicted(c.name)]
    # beside a surer truth, a "label" or "response" of the same values is the prediction
    named_predicted = named_predicted or [c for c in rest if names.is_actual(c.name) and _same_labels(actual, c)]
    loose = [c for c in named_predicted if c.is_quantity]  # a "prediction" of 0.87 for one of two labels is a score
    predicted = [c for c in named_predicted if c not in loose and c.is_few]
    predicted = [c for c in predicted if not any(_marks_correct_rows(c, actual, other) for other in predicted)]
    numbers = [c for c in rest if c.is_number and c not in predicted]
    scores = [c for c in numbers if names.is_score(c.name) or c in loose]
    if scores and all(map(are_shares, scores)):
        scores = [c for c in numbers if c in scores or (names.is_system(c.name) and c.is_quantity and are_shares(c))]
    own = [c for c in scores if c.name in matched]
    if own and len(numbers) - len(scores) >= LEAST_FEATURES and not names.is_actual(actual.name):
        scores = own  # beside many features, a "credit_score" is one of them
    two_valued = actual.distinct <= 2 and not _are_answers(actual)
    if two_valued and not scores and not probability:
        scores = [c for c in numbers if c.is_quantity]
        scores = [c for c in scores if not names.is_amount(c.name) or are_shares(c)] or scores
        scores = scores or [c for c in numbers if _has_grades(c)]
        if predicted and not (len(scores) > 1 and _are_systems(scores)):
            scores = [c for c in scores if are_shares(c) or any(_explains(c, one) for one in predicted)]
        scores = scores if _are_systems(scores) else scores[:MOST_UNNAMED_SYSTEMS]
    if not predicted and not probability and not (scores and two_valued):
        possible = _folded(actual) | ({WRONG} if _are_answers(actual) else set())
        predicted = [c for c in rest if c.is_few and c.texts and _folded(c) <= possible]
    if probability or (predicted and not two_valued):
        scores = []
    systems = {"predicted": predicted, "score": scores[:_MOST_SYSTEMS]}
    return {part: tuple(c.name for c in own) for part, own in systems.items()} | {"probability": probability}


def _are_systems(columns: list[Column]) -> bool:
    """Whether unnamed numbers are scores, not features: numbered under one name, or all in 0 … 1."""
    stems = {re.sub(r"_?\d+$", "", names.simple(c.name)) for c in columns}
    is_numbered = len(stems) == 1 and len(min(stems)) > 1 and not stems <= names.FEATURE
    return is_numbered or all(map(are_shares, columns))


def are_shares(column: Column) -> bool:
    """Whether all numbers of a column lie in 0 … 1."""
    return bool(np.nanmin(column.numbers) >= 0 and np.nanmax(column.numbers) <= 1)


def _explains(number: Column, predicted: Column) -> bool:
    """Whether a threshold of a number reproduces a prediction of two labels, but for a few rows at rounded numbers."""
    present = ~np.isnan(number.numbers) & ~predicted.missing
    first = predicted.codes[present] == 0
    below = np.concatenate([[0], np.cumsum(first[np.argsort(number.numbers[present], kind="stable")])])
    apart = 2 * below - np.arange(below.size)  # of the rows below each threshold, how many more are of the first label
    wrong = np.minimum(below[-1] - apart, present.sum() - below[-1] + apart)
    return bool(wrong.min() <= _EXPLAINED * present.sum())


def _marks_correct_rows(column: Column, actual: Column, predicted: Column) -> bool:
    """Whether a column of two values, such as "prediction_correct", only marks where "prediction" is right."""
    if len(column.name) <= len(predicted.name) or column.distinct != 2 or column.missing_count:
        return False
    texts = {text: code for code, text in enumerate(actual.texts)}
    right = np.array([texts.get(text, -2) for text in predicted.texts])[predicted.codes] == actual.codes
    return bool(((column.codes == 0) == right).all() or ((column.codes == 1) == right).all())


def _same_labels(actual: Column, column: Column) -> bool:
    return column.is_few and column.distinct > 1 and _folded(column) == _folded(actual)


def _folded(column: Column) -> frozenset[str]:
    """Its labels in lower case, as two columns may be spelt differently."""
    return frozenset(text.strip().casefold() for text in column.texts)


def _are_answers(actual: Column) -> bool:
    """Whether the truth is "right" in all rows, as the step `Answers` writes it."""
    return actual.is_few and actual.texts == (CORRECT,)


def columns_of_classes(actual: Column, rest: list[Column]) -> tuple[tuple[str, str], ...]:
    """The columns of class probabilities, each with the text of its class."""
    numbers = [c for c in rest if c.is_number]
    classes = actual.texts
    affixed = {c.name: text for c in numbers if (text := names.class_in(c.name)) is not None}
    by_column = {c.name: text for c in numbers if (text := class_of(c, actual)) is not None}
    if not by_column and len(classes) == 2:
        by_column = _by_sign(affixed, classes)
    if len(by_column) < 2 or len(set(by_column.values())) < len(by_column):
        return ()
    every = affixed | by_column  # a class that never occurs has a column too, or the rows would not sum to one
    together = {c.name: every[c.name] for c in numbers if c.name in every}
    are_more = len(set(together.values())) == len(together) > len(by_column)
    if are_more and sums_to_one(numbers, together):
        return tuple(together.items())
    may_be_others = len(by_column) < len(classes) or len(by_column) == 2
    return tuple(by_column.items()) if not may_be_others or sums_to_one(numbers, by_column) else ()


def class_of(column: Column, actual: Column) -> str | None:
    """The class that a column of probabilities is named after, with or without a word such as "p_"."""
    classes = {text.strip().casefold(): text for text in actual.texts} if actual.is_few else {}
    named_after = [column.name.strip(), names.class_in(column.name) or ""]
    named_after += [name.removeprefix(f"{actual.name}_") for name in named_after]  # "churn_true_scores" of "churn"
    return next((classes[name.casefold()] for name in named_after if name.casefold() in classes), None)


def _by_sign(affixed: dict[str, str], classes: tuple[str, ...]) -> dict[str, str]:
    """The classes of two columns such as "p_neg" and "p_pos", beside labels such as 0 and 1."""
    by_sign = {is_negative_word(text): text for text in classes}
    signs = {name: text for name, text in affixed.items() if is_negative_word(text) or is_positive_word(text)}
    by_column = {name: is_negative_word(text) for name, text in signs.items()}
    if len(by_sign) < 2 or sorted(by_column.values()) != [False, True]:
        return {}
    return {name: by_sign[sign] for name, sign in by_column.items()}


def sums_to_one(numbers: list[Column], chosen: Mapping[str, str]) -> bool:
    """Whether most rows add up to 1, or to 100 as percentages do."""
    head = [c.numbers[:1000] for c in numbers if c.name in chosen]
    with np.errstate(invalid="ignore", over="ignore"):
        sums = np.sum(head, axis=0)
        near = (np.abs(sums - 1) < 0.02) | (np.abs(sums - 100) < 2)
    return bool(near.mean() > 0.5)


def positive_label(columns: Columns, parts: Mapping[str, Any]) -> Value | None:
    """The label that is most likely positive, for the column of the truth and the systems among some parts."""
    actual = columns[parts["actual"]]
    if not actual.is_few or not actual.labels:
        return None
    counts = dict(actual.label_counts)
    known = {text_of(value) for value in counts}
    predicted = (columns[name] for name in parts.get("predicted", ()))
    for value in (value for column in predicted if column.is_few for value in column.labels):
        if text_of(value) not in known:
            known.add(text_of(value))
            counts[value] = 0
    if len(counts) == 1:
        (value,) = counts
        return None if is_negative_word(value) else value
    if _are_answers(actual):
        return CORRECT
    return positive_value(counts)[0] if len(counts) == 2 or parts.get("score") else None
