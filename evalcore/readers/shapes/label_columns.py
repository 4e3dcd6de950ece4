"""Columns and the parts of a table that they can play; labels in a cell, a column each, one of several, or ranked."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from evalcore.readers.base import Column, Columns, Lines, ReadProblem, Value, listed, named, positive_value, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.base.column_names import part_and_subject
from evalcore.readers.steps.step import Change, Step, existing, numbers_in, refuse, with_columns
from evalcore.readers.table.table import codes_of
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["Answers", "OneHot", "Ranked", "Softmax"]

SEPARATORS = "|;,"  # what stands between the labels of a cell; the first that occurs in a column separates
_BETWEEN = "_ .:-"  # stands between a system and a label
_SAMPLE = 2_000
_LEAST_ROWS = 10  # of which not all are predicted the same set
_MOST_TEXTS = 8  # columns of text that are looked at as sets
_BRACKETS = {"[": "]", "{": "}", "(": ")"}


def columns_named(part: str, names: Sequence[str]) -> tuple[str, ...]:
    """Columns whose names give them a part (see `part_and_subject`)."""
    return tuple(name for name in names if part_and_subject(name)[0] == part)


def paired_columns(truths: Sequence[str], others: Sequence[str]) -> list[tuple[str, str, str]]:
    """Label, truth and prediction or score column: paired by the labels in their names, else by position."""
    label_of = {name: part_and_subject(name)[1] for name in (*truths, *others)}
    of_label = {label_of[name].casefold(): name for name in reversed(others)}
    pairs = [(label_of[name], name, of_label[key]) for name in truths if (key := label_of[name].casefold()) in of_label]
    if pairs:
        return pairs
    if len(truths) != len(others):
        sentence = f"The columns of true labels ({listed(truths, 3)}) and those of predictions or scores "
        sentence += f"({listed(others, 3)}) have no label in common. Choose columns such as y_cat and score_cat."
        raise ReadProblem(sentence)
    return [(label_of[name], name, other) for name, other in zip(truths, others, strict=True)]


def indicators(column: pd.Series, lines: Lines) -> tuple[np.ndarray, np.ndarray]:
    """Indicators of a label column, and of its missing cells. Raises ReadProblem for other values."""
    if column.dtype.kind == "b":
        return column.to_numpy(bool), np.zeros(len(column), bool)
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(np.float64, na_value=np.nan)
        bad = ~(np.isnan(numbers) | (numbers == 0) | (np.abs(numbers) == 1))
        bad |= (numbers == -1) & bool((numbers == 0).any())  # of 0 and −1 neither says that the row has the label
        if bad.any():
            row = int(bad.argmax())
            sentence = f"Column {named(column.name)} holds {text_of(numbers[row])} in {lines.at(row)}. A column of one "
            sentence += "label holds 1 where the row has the label and 0 where it has not; correct it, or leave it out."
            raise ReadProblem(sentence)
        return numbers == 1, np.isnan(numbers)
    codes, texts = codes_of(column)
    if len(texts) > 2:
        sentence = f"Column {named(column.name)} has {len(texts)} different values ({listed(texts, 3)}). A column of "
        raise ReadProblem(f"{sentence}one label has two, such as yes and no; choose other columns.")
    counts: dict[Value, int] = dict(zip(texts, np.bincount(codes[codes >= 0]).tolist(), strict=True))
    positive = texts.index(text_of(positive_value(counts)[0])) if texts else -2
    return codes == positive, codes < 0


def indicator_matrix(frame: pd.DataFrame, columns: Sequence[str], lines: Lines) -> tuple[np.ndarray, np.ndarray]:
    """The `indicators` of label columns, shape (labels, rows), and the rows in which none is missing."""
    each = [indicators(frame[name], lines) for name in columns]
    missing = np.logical_or.reduce([np.zeros(len(frame), bool), *(missing for _, missing in each)])
    return np.array([has for has, _ in each]), ~missing


def labels_of_cells(columns: Sequence[pd.Series]) -> list[tuple[tuple[str, ...], np.ndarray, np.ndarray]]:
    """The sets in the cells of some columns: the names of the labels, and the row and the label of each pair.

    One separator holds for all; brackets and quotes around a list and its items are no part of the names. An empty cell
    is an empty set.

    >>> labels_of_cells([pd.Series(["a|c", None, "['c'|'b']"])])[0]
    (('a', 'c', 'b'), array([0, 0, 2, 2]), array([0, 1, 1, 2]))
    """
    coded = [pd.factorize(column.astype(object) if column.dtype.kind not in "OT" else column) for column in columns]
    texts = [[text_of(value) for value in values] for _, values in coded]
    separator = separator_of(text for one in texts for text in one)
    return [_exploded(codes, one, separator) for (codes, _), one in zip(coded, texts, strict=True)]


def separator_of(texts: Iterable[str]) -> str | None:
    """The separator that some cells use; None where each holds one label at most."""
    occurring = {separator for text in texts for separator in SEPARATORS if separator in text}
    return next((separator for separator in SEPARATORS if separator in occurring), None)


def list_separator(texts: Sequence[str]) -> str | None:
    """The separator of lists of which each may be ordered; a blank, where every cell is divided by one."""
    return separator_of(texts) or (" " if all(" " in text.strip() for text in texts) else None)


def names_in(text: str, separator: str | None) -> list[str]:
    """The labels in a cell, each once."""
    text, edges = text.strip(), " \t\n\r"
    if len(text) > 1 and _BRACKETS.get(text[0]) == text[-1]:
        text, edges = text[1:-1], edges + "'\""
    parts = (part.strip(edges) for part in (text.split(separator) if separator else [text]))
    return list(dict.fromkeys(filter(None, parts)))


def _exploded(codes: np.ndarray, texts: list[str], mark: str | None) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    index: dict[str, int] = {}
    sets = [[index.setdefault(name, len(index)) for name in names_in(text, mark)] for text in texts]
    sizes = np.array([*map(len, sets), 0], dtype=np.int64)  # the last is that of the code −1
    starts = np.cumsum(sizes) - sizes
    members = np.array([label for one in sets for label in one], dtype=np.int64)
    of_rows = sizes[codes]
    rows = np.repeat(np.arange(len(codes)), of_rows)
    inside = np.arange(len(rows)) - np.repeat(np.cumsum(of_rows) - of_rows, of_rows)
    return tuple(index), rows, members[starts[codes][rows] + inside]


def indicator_columns(columns: Columns) -> dict[str, tuple[str, ...]]:
    """Columns of the truth ("true") with the "score" or else the "predicted" columns of the same two or more labels."""
    truths: dict[str, str] = {}
    others: dict[str, dict[str, str]] = {"score": {}, "predicted": {}}
    for column in columns:
        part, subject = part_and_subject(column.name)
        label, is_flag = subject.casefold(), holds_flags(column)
        if part == "score" or (part == "predicted" and not is_flag):
            if column.is_number:
                others["score"].setdefault(label, column.name)
        elif part == "predicted":
            others["predicted"].setdefault(label, column.name)
        elif is_flag and (part == "true" or label not in truths):
            truths[label] = column.name
    for part, of_label in others.items():
        if len(common := [label for label in truths if label in of_label]) > 1:
            return {"true": tuple(truths[label] for label in common), part: tuple(of_label[label] for label in common)}
    named_so = columns_named("true", [*truths.values()])
    for part, systems in system_columns(named_so, columns).items():
        return {"true": named_so, part: next(iter(systems.values()))}
    return {}


def system_columns(truths: Sequence[str], columns: Columns) -> dict[str, dict[str, tuple[str, ...]]]:
    """The columns of each system that has one per label, in the order of the labels, named after both (m1_cat).

    By part, "score" or "predicted", and by the name of the system; columns that name a label alone (score_cat) are of
    the system called like their part.

    >>> frame = pd.DataFrame({"y_a": [0, 1], "y_b": [1, 1], "m1_a": [0.1, 0.9], "m1_b": [0.5, 0.7], "x_a": [1, 2]})
    >>> system_columns(["y_a", "y_b"], Columns(frame))
    {'score': {'m1': ('m1_a', 'm1_b')}}
    """
    labels = [part_and_subject(name)[1].casefold() for name in truths]
    longest_first = sorted(labels, key=len, reverse=True)
    parts: dict[str, dict[str, dict[str, str]]] = {"score": defaultdict(dict), "predicted": defaultdict(dict)}
    for column in columns if len(labels) > 1 else ():
        part, subject = part_and_subject(column.name)
        is_flag = holds_flags(column)
        if part == "true" or column.name in truths or not (column.is_number or is_flag):
            continue
        system, label = _around_label(subject, longest_first)
        if label and (part or system):
            part = "predicted" if is_flag else "score"
            parts[part][system or part].setdefault(label, column.name)
    whole: dict[str, dict[str, tuple[str, ...]]] = {}
    for part, systems in parts.items():
        for name, own in systems.items():
            if len(own) == len(labels):
                whole.setdefault(part, {})[name] = tuple(own[label] for label in labels)
    return whole


def _around_label(subject: str, labels: Sequence[str]) -> tuple[str, str]:
    """The system and the label that a name holds: "m1_cat", "cat m1", or the label alone; both empty for neither."""
    text = subject.casefold()
    for label in labels:
        if text == label:
            return "", label
        if text.endswith(label) and text[-len(label) - 1] in _BETWEEN:
            return part_and_subject(subject[: -len(label) - 1])[1], label
        if text.startswith(label) and text[len(label)] in _BETWEEN:
            return part_and_subject(subject[len(label) + 1 :])[1], label
    return "", ""


def set_columns(columns: Columns) -> tuple[str, str] | None:
    """The columns of true and of predicted sets, if two columns hold sets of the same labels."""
    samples = {column.name: _distinct_texts(column) for column in _of_text(columns)[:_MOST_TEXTS]}
    # one set in every row lists the classes, and is no prediction
    several = [name for name, sample in samples.items() if len(sample) > 1 or columns.rows < _LEAST_ROWS]
    for one, two in combinations(several, 2):
        if _are_sets(samples[one], samples[two]):
            is_prediction = [re.match(names.PREDICTED_AFFIX, name.strip(), re.I) is not None for name in (one, two)]
            return (two, one) if is_prediction == [True, False] else (one, two)
    return None


def set_columns_like(truth: str, columns: Columns) -> list[str]:
    """The other columns that hold sets of the same labels as one, in their order."""
    sample = _distinct_texts(columns[truth])
    others = [column for column in _of_text(columns) if column.name != truth]
    return [column.name for column in others if _are_sets(sample, _distinct_texts(column))]


def set_and_score_columns(columns: Columns) -> tuple[str, tuple[str, ...]] | None:
    """A column of true sets and the score columns of its labels, if there are at least two."""
    scores = [(column.name, part_and_subject(column.name)) for column in columns if column.is_number]
    scores = [(name, label.casefold()) for name, (part, label) in scores if part in ("score", "predicted")]
    for column in _of_text(columns)[:_MOST_TEXTS] if len(scores) > 1 else ():
        sample = _distinct_texts(column)
        if (separator := separator_of(sample)) is not None:
            names = {name.casefold() for text in sample for name in names_in(text, separator)}
            own = tuple(name for name, label in scores if label in names)
            if len(own) > 1 and 2 * len(own) >= len(names):
                return column.name, own
    return None


def _of_text(columns: Columns) -> list[Column]:
    return [column for column in columns if not column.is_number and not column.is_bool]


def _distinct_texts(column: Column) -> list[str]:
    """The different cells of the first rows."""
    return [str(value) for value in column.values.iloc[:_SAMPLE].dropna().unique()]


def holds_flags(column: Column) -> bool:
    """Whether a column holds 0 and 1, or yes and no, as far as its first rows show."""
    if column.is_bool:
        return True
    head = column.values.iloc[:_SAMPLE]
    if column.is_number:
        numbers = head.to_numpy(np.float64, na_value=np.nan)
        known = np.abs(numbers[~np.isnan(numbers)])
        return known.size > 0 and bool(((known == 0) | (known == 1)).all())
    words = {str(value).strip().casefold() for value in head.dropna().unique()}
    return 0 < len(words) < 3 and words <= {"yes", "no", "true", "false", "y", "n", "t", "f", "ja", "nein"}


def _are_sets(one: list[str], two: list[str]) -> bool:
    """Whether the cells of two columns are sets of the same labels: separated names that recur in other cells."""
    if (separator := separator_of([*one, *two])) is None:
        return False
    sets = [[set(names_in(text, separator)) for text in set(texts)] for texts in (one, two)]
    first, second = (set().union(*some) for some in sets)
    if 2 * len(first & second) < min(len(first), len(second)) or not first & second:
        return False
    cells = {frozenset(each) for some in sets for each in some}
    occurring = Counter(name for cell in cells for name in cell)
    shared = {name for cell in cells if len(cell) > 1 for name in cell}
    return 2 * sum(occurring[name] > 1 for name in shared) >= len(shared) > 0


CORRECT, WRONG, EXPECTED = "correct", "wrong", "expected"
"""Labels that say whether answers are right, and the column of the truth beside them."""


@dataclass(frozen=True)
class OneHot(Step):
    """Make one column of classes of columns of 0 and 1 that are named after the classes; a row has just one 1.

    >>> frame = pd.DataFrame({"y_cat": [1, 0, 1], "y_dog": [0, 1, 1]})
    >>> OneHot(("y_cat", "y_dog"), "label").apply(frame).frame["label"].tolist()
    ['cat', 'dog', nan]
    """

    columns: tuple[str, ...]
    into: str
    sentence = property(lambda self: f"{named(self.into)} is the class whose column is 1, of {listed(self.columns, 3)}")

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, *self.columns)
        has = indicator_matrix(frame, self.columns, Lines())[0]
        classes = np.array([part_and_subject(name)[1] for name in self.columns], dtype=object)
        one = has.sum(axis=0) == 1
        labels = pd.Series(classes[has.argmax(axis=0)], frame.index, dtype="str").where(one)
        left = int(np.count_nonzero(~one))
        note = f"{rows_text(left)} without exactly one 1 {'has' if left == 1 else 'have'} no class" if left else ""
        return Change(_replaced(frame, self.columns, {self.into: labels}), note, fresh=True)


@dataclass(frozen=True)
class Softmax(Step):
    """Make probabilities of logits, one column per class: e^(logit) over the sum of all, of two classes σ(l₁ − l₀).

    >>> frame = pd.DataFrame({"logit_0": [0.5], "logit_1": [0.5 + np.log(3)]})
    >>> Softmax(("logit_0", "logit_1")).apply(frame).frame.round(9).to_dict("list")
    {'p_0': [0.25], 'p_1': [0.75]}
    """

    columns: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"{listed(self.columns, 3)} are probabilities of the classes: e^logit ÷ the sum of all"

    def apply(self, frame: pd.DataFrame) -> Change:
        logits = np.column_stack([numbers_in(frame, name) for name in self.columns])
        with np.errstate(invalid="ignore"):
            powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        names = [f"p_{part_and_subject(name)[1]}" for name in self.columns]
        made = {name: pd.Series(shares[:, place], frame.index) for place, name in enumerate(names)}
        return Change(_replaced(frame, self.columns, made), "", fresh=True)


@dataclass(frozen=True)
class Ranked(Step):
    """Make a ranking of each list of classes: the row is the query, the classes are documents, the true one relevant.

    >>> frame = pd.DataFrame({"label": ["dog", "owl"], "top": ["cat|dog", "cat|fox"]})
    >>> made = Ranked("label", ("top",)).apply(frame).frame
    >>> made[["query", "document", "rank", "grade"]].values.tolist()[:3]
    [['1', 'cat', 1.0, 0], ['1', 'dog', 2.0, 1], ['2', 'cat', 1.0, 0]]
    """

    truth: str
    columns: tuple[str, ...]

    @property
    def sentence(self) -> str:
        rank = "ranks" if len(self.columns) == 1 else "rank"
        return f"{listed(self.columns, 3)} {rank} classes in each row; that of {named(self.truth)} is relevant"

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, self.truth, *self.columns)
        ids = [name for name in frame.columns if names.is_identifier(name) and frame[name].is_unique]
        ids = [name for name in ids if frame[name].notna().all()]
        queries = frame[ids[0]].map(text_of).tolist() if ids else [str(row + 1) for row in range(len(frame))]
        truths, known = _texts_in(frame[self.truth]), np.flatnonzero(frame[self.truth].notna()).tolist()
        cells, rows = [], []
        for name in self.columns:
            texts = _texts_in(frame[name])
            separator = list_separator(texts)
            for row in known:
                found, truth = names_in(texts[row], separator), truths[row].strip()
                ranked = [(one, float(rank), int(one == truth)) for rank, one in enumerate(found, 1)]
                ranked += [] if truth in found else [(truth, np.nan, 1)]  # relevant and not retrieved
                cells += [(name, queries[row], *one) for one in ranked]
                rows += [row] * len(ranked)
        if not cells:
            refuse(f"No row of column {named(self.truth)} has a label.")
        made = pd.DataFrame(cells, columns=["system", "query", "document", "rank", "grade"])
        made = made.astype(dict.fromkeys(("system", "query", "document"), "str"))
        made = made.drop(columns="system") if len(self.columns) == 1 else made
        note = f"{rows_text(len(frame))}, {count_text(len(made))} classes in their lists"
        return Change(made, note, np.array(rows, dtype=np.int64), fresh=True)


@dataclass(frozen=True)
class Answers(Step):
    """Read columns of 0 and 1 as wrong and correct answers, which are all to be correct; another truth is left out.

    >>> Answers(("acc",), "").apply(pd.DataFrame({"acc": [1, 0]})).frame.values.tolist()
    [['correct', 'correct'], ['correct', 'wrong']]
    """

    columns: tuple[str, ...]
    truth: str

    @property
    def sentence(self) -> str:
        return f"{listed(self.columns, 3)} {'says' if len(self.columns) == 1 else 'say'} whether an answer is correct"

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, *self.columns)
        made = {}
        for name in self.columns:
            is_right, missing = indicators(frame[name], Lines())
            made[name] = pd.Series(np.where(is_right, CORRECT, WRONG), frame.index, dtype="str").mask(missing)
        changed = with_columns(frame.drop(columns=[self.truth, EXPECTED], errors="ignore"), made)
        changed.insert(0, EXPECTED, pd.Series(CORRECT, frame.index, dtype="str"))
        return Change(changed, "", fresh=True)


def _texts_in(column: pd.Series) -> list[str]:
    """The cells as text, empty where one is missing."""
    return column.map(text_of, na_action="ignore").astype(object).where(column.notna(), "").tolist()


def _replaced(frame: pd.DataFrame, columns: tuple[str, ...], made: dict[str, pd.Series]) -> pd.DataFrame:
    """Insert new columns at the position of the first one that they replace."""
    left = frame.drop(columns=list(columns))
    if clash := [name for name in made if name in left]:
        refuse(f"Another column is named {named(clash[0])}.")
    place = min(list(frame.columns).index(name) for name in columns)
    return pd.DataFrame({**left, **made}, index=frame.index)[[*left.columns[:place], *made, *left.columns[place:]]]


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
    return (column.values.iloc[:_HEAD].nunique() > 2 or column.distinct > 2) and not column.numbers_rows


def _can_be_id(column: Column) -> bool:
    return not column.is_number or column.is_whole


def _recurs(column: Column) -> bool:
    return 1 < column.distinct <= (len(column) - column.missing_count) / 2


def _holds_pictures(column: Column) -> bool:
    return not column.is_number and len(column) > 0 and str(column.values.iloc[0]).startswith(PNG)


PNG = "iVBORw0KGgo"  # first characters of every PNG in base64
_NUMBERS = Rule("numbers", _can_be_numbers, _looks_measured)
_SETS = Rule("sets such as a; c, or a column of 0 and 1 for each label", _can_be_labels)
_PICTURES = Rule("PNG pictures in base64", _holds_pictures, _holds_pictures)
RULES = {
    "actual": Rule("a few labels that recur", _can_be_labels, _looks_like_labels),
    "predicted": Rule("labels as in the truth", _can_be_labels, _looks_like_labels),
    "score": Rule("numbers that order the rows", _can_be_numbers, _looks_measured),
    "probability": Rule(
        "numbers from 0 to 1, one column per class", lambda c: _within(c, 0, 100), lambda c: _within(c, 0, 1),
    ),
    **{"truth": _NUMBERS, "estimate": _NUMBERS, "true_labels": _SETS, "predicted_labels": _SETS},
    "label_score": Rule("numbers, one column per label", _can_be_numbers),
    "counts": Rule("whole numbers", lambda column: False),
    "query": Rule("the query of each row", _can_be_id, lambda c: not c.is_number and _recurs(c)),
    "document": Rule("the document of each row", _can_be_id, lambda c: not c.is_number),
    "grade": Rule(
        "0 for irrelevant, 1 or more for relevant", _can_be_numbers,
        lambda c: c.is_whole and _within(c, 0, 9) and _recurs(c),
    ),
    "rank": Rule("places in a list, from 1", lambda c: _within(c, 0, np.inf)),
    **{"mask": _PICTURES, "predicted_mask": _PICTURES},
}  # fmt: skip
"""What a column must hold to play each part that a kind needs."""
