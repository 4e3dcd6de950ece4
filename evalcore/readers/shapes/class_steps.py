"""Steps that reinterpret columns: one-hot classes, logits, a ranking of classes, or correct and wrong answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.readers.base.column_names import is_identifier, part_and_subject
from evalcore.readers.base.problems import Lines, listed, named
from evalcore.readers.base.values import text_of
from evalcore.readers.shapes.label_columns import indicators, list_separator, names_in
from evalcore.readers.steps.step import Change, Step, existing, numbers_in, refuse
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["Answers", "OneHot", "Ranked", "Softmax"]

CORRECT, WRONG = "correct", "wrong"


@dataclass(frozen=True)
class OneHot(Step):
    """Make one column of classes of columns of 0 and 1 that are named after the classes; a row has just one 1.

    >>> frame = pd.DataFrame({"y_cat": [1, 0, 1], "y_dog": [0, 1, 1]})
    >>> OneHot(("y_cat", "y_dog"), "label").apply(frame).frame["label"].tolist()
    ['cat', 'dog', nan]
    """

    word: ClassVar[str] = "onehot"
    columns: tuple[str, ...]
    into: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{named(self.into)} is the class whose column is 1, of {listed(self.columns, 3)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, *self.columns)
        has = np.column_stack([indicators(frame[name], Lines())[0] for name in self.columns])
        classes = np.array([part_and_subject(name)[1] for name in self.columns], dtype=object)
        one = has.sum(axis=1) == 1
        labels = pd.Series(classes[has.argmax(axis=1)], frame.index, dtype="str").where(one)
        left = int(np.count_nonzero(~one))
        note = f"{rows_text(left)} without just one 1 {'has' if left == 1 else 'have'} no class" if left else ""
        return Change(_replaced(frame, self.columns, {self.into: labels}), note, fresh=True)


@dataclass(frozen=True)
class Softmax(Step):
    """Make probabilities of logits, one column per class: e^(logit) over the sum of all, of two classes σ(l₁ − l₀).

    >>> frame = pd.DataFrame({"logit_0": [0.5], "logit_1": [0.5 + np.log(3)]})
    >>> Softmax(("logit_0", "logit_1")).apply(frame).frame.round(9).to_dict("list")
    {'p_0': [0.25], 'p_1': [0.75]}
    """

    word: ClassVar[str] = "softmax"
    columns: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{listed(self.columns, 3)} are probabilities of the classes: e^logit ÷ the sum of all"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
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

    word: ClassVar[str] = "ranked"
    truth: str
    columns: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """See `Step`."""
        rank = "ranks" if len(self.columns) == 1 else "rank"
        return f"{listed(self.columns, 3)} {rank} classes in each row; that of {named(self.truth)} is relevant"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, self.truth, *self.columns)
        ids = [
            name
            for name in frame.columns
            if is_identifier(name) and frame[name].is_unique and frame[name].notna().all()
        ]
        queries = frame[ids[0]].map(text_of).tolist() if ids else [str(row + 1) for row in range(len(frame))]
        truths = [
            None if missing else text_of(cell).strip()
            for cell, missing in zip(frame[self.truth], frame[self.truth].isna(), strict=True)
        ]
        cells, rows = [], []
        for name in self.columns:
            texts = frame[name].map(text_of, na_action="ignore").astype(object).where(frame[name].notna(), "").tolist()
            separator = list_separator(texts)
            for row, (text, truth) in enumerate(zip(texts, truths, strict=True)):
                if truth is None:
                    continue
                found = names_in(text, separator)
                ranked = [(one, float(rank), int(one == truth)) for rank, one in enumerate(found, 1)]
                ranked += [] if truth in found else [(truth, np.nan, 1)]  # relevant and not retrieved
                cells += [(name, queries[row], *one) for one in ranked]
                rows += [row] * len(ranked)
        if not cells:
            refuse(f"No row of column {named(self.truth)} has a label.")
        made = pd.DataFrame(cells, columns=["system", "query", "document", "rank", "grade"])
        made = made.astype({"system": "str", "query": "str", "document": "str"})
        if len(self.columns) == 1:
            made = made.drop(columns="system")
        note = f"{rows_text(len(frame))}, {count_text(len(made))} classes in their lists"
        return Change(made, note, np.array(rows, dtype=np.int64), fresh=True)


@dataclass(frozen=True)
class Answers(Step):
    """Read columns of 0 and 1 as wrong and correct answers, which are all to be correct; another truth is left out.

    >>> Answers(("acc",), "").apply(pd.DataFrame({"acc": [1, 0]})).frame.values.tolist()
    [['correct', 'correct'], ['correct', 'wrong']]
    """

    word: ClassVar[str] = "answers"
    columns: tuple[str, ...]
    truth: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{listed(self.columns, 3)} {'says' if len(self.columns) == 1 else 'say'} whether an answer is correct"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, *self.columns)
        made = {}
        for name in self.columns:
            is_right, missing = indicators(frame[name], Lines())
            labels = np.where(is_right, CORRECT, WRONG)
            made[name] = pd.Series(labels, frame.index, dtype="str").mask(missing)
        others = frame.drop(columns=[name for name in (self.truth, EXPECTED) if name in frame.columns])
        changed = pd.DataFrame({name: made.get(name, others[name]) for name in others.columns})
        changed.insert(0, EXPECTED, pd.Series(CORRECT, frame.index, dtype="str"))
        return Change(changed, "", fresh=True)


EXPECTED = "expected"
"""The column of the truth where answers are said to be correct or wrong."""


def _replaced(frame: pd.DataFrame, columns: tuple[str, ...], made: dict[str, pd.Series]) -> pd.DataFrame:
    """Insert new columns at the position of the first one that they replace."""
    left = [name for name in frame.columns if name not in columns]
    if clash := [name for name in made if name in left]:
        refuse(f"Another column is named {named(clash[0])}.")
    kept = {name: frame[name] for name in left}
    place = min(list(frame.columns).index(name) for name in columns)
    names = [*left[:place], *made, *left[place:]]
    return pd.DataFrame({name: (kept | made)[name] for name in names}, index=frame.index)
