"""The shape of a data set: the steps that turn the table of a file into the one that is evaluated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.readers.base import Columns, Lines, ReadProblem, named, text_of
from evalcore.readers.dataset.assignment import read_roles, recognise, renamed_roles
from evalcore.readers.shapes.label_columns import Answers, OneHot, Ranked, Softmax
from evalcore.readers.steps.cells import Add, Cells, Exclude, Grade, Marks, Merge, Order, Reach, Rename, Scale, Toward
from evalcore.readers.steps.pairs import Pair, Split
from evalcore.readers.steps.rows import Days, Filter, Leave, Missing, Numbered, Only, Present, Range, Wide
from evalcore.readers.steps.step import Step, Title, holds, refuse, steps_text
from evalcore.readers.table.table import Roles, Table

__all__ = ["STEPS", "Shape", "apply_shape"]

_OF_CELLS = (Title, Rename, Merge, Exclude, Scale, Marks, Toward, OneHot, Softmax, Ranked, Answers, Reach, Add)
_OF_ROWS = (Range, Days, Only, Leave, Present, Missing, Numbered, Wide, Cells, Order, Grade, Split, Pair)
STEPS: dict[str, type[Step]] = {step.word: step for step in (*_OF_CELLS, *_OF_ROWS)}
"""Every kind of step by the word that its text begins with."""


@dataclass(frozen=True)
class Shape:
    """Steps in the order in which they are applied to the table of a file; `DataSet.shaped` applies them.

    Examples
    --------
    >>> shape = Shape((Merge(("label",), ("Yes", "YES"), "yes"), Range("age", 40, float("nan"))))
    >>> shape.to_text()
    'merge~label~Yes,YES~yes~~range~age~40~*'
    >>> Shape.from_text(shape.to_text()).filters
    ('age ≥ 40',)
    """

    steps: tuple[Step, ...] = ()

    def to_text(self) -> str:
        """The steps as a short text for a link; `from_text` reads it."""
        return steps_text(self.steps)

    @classmethod
    def from_text(cls, text: str) -> Shape:
        """The shape with this text, which may have been cut off or edited. Raises ReadProblem if it is none."""
        steps = [piece.split("~") for piece in text.split("~~")] if text else []
        try:
            return cls(tuple(STEPS[word].of_texts(texts) for word, *texts in steps))
        except (ValueError, KeyError, TypeError) as error:
            sentence = "These changes of the table cannot be read. Make them again on the Data page."
            raise ReadProblem(sentence) from error

    def and_then(self, text: str) -> Shape:
        """Return these steps followed by others, such as the action of a finding."""
        return Shape((*self.steps, *Shape.from_text(text).steps))

    def edited(self, step: Step) -> Shape:
        """Return these steps followed by an edit, which replaces an earlier edit of the same cell or column."""
        return Shape((*(other for other in self.steps if other.target != step.target or not step.target), step))

    def holds(self, text: str | None) -> bool:
        """Whether it has all steps of an action; False for an action without steps."""
        return text is not None and {*Shape.from_text(text).steps} <= {*self.steps}

    def without(self, index: int) -> Shape:
        """Return these steps without the one at this position."""
        return Shape((*self.steps[:index], *self.steps[index + 1 :]))

    @property
    def unfiltered(self) -> Shape:
        """Return these steps without the filters of rows."""
        return Shape(tuple(step for step in self.steps if not isinstance(step, Filter)))

    @property
    def filters(self) -> tuple[str, ...]:
        """Describe the filters of rows in a few words each, with names from the file: escape them."""
        return tuple(step.condition for step in self.steps if isinstance(step, Filter))

    @property
    def title(self) -> str | None:
        """The name that the data set was given last, if any."""
        return next((step.title for step in reversed(self.steps) if isinstance(step, Title)), None)


def apply_shape(shape: Shape, file: Table[Roles]) -> tuple[pd.DataFrame, Roles, Lines, tuple[str, ...]]:
    """The frame of a table after all steps, its roles, its row numbers, and what each step did in words.

    Names of columns and labels that a step replaces are replaced in the roles too. Where cells hold other values than
    before, the roles are recognized again, by the names that the columns have in the file.
    """
    frame, roles = file.frame, file.roles
    notes, rows = [], np.arange(len(frame))
    names = {name: name for name in frame.columns}  # in the file, by the name of today
    recognized_in, renaming = None, []
    for step in shape.steps:
        change = step.apply(frame)
        frame, before = change.frame, {new: old for old, new in step.names.items()}
        rows = rows if change.rows is None else rows[change.rows]
        notes.append(change.note)
        names = {name: names.get(before.get(name, name), name) for name in frame.columns}
        if change.fresh:
            recognized_in, renaming = (frame, names), []
        else:
            renaming.append(step)
    if recognized_in is not None:
        roles = _recognized(*recognized_in)
    for step in renaming:
        roles = renamed_roles(roles, step.names, step.labels)
    return frame, _fitting(roles, frame, names), file.lines.of(rows), tuple(notes)


def _fitting(roles: Roles, frame: pd.DataFrame, names: dict[str, str]) -> Roles:
    """The roles with labels in the types of their columns; recognized again if no positive label is left."""
    if (positive := roles.get("positive")) is not None:
        columns = [frame[name] for name in (roles.get("actual"), *roles.get("predicted", ())) if name is not None]
        if not any(holds(column, [text_of(positive)]).any() for column in columns):
            if columns[0].nunique() < 2:
                refuse(f"No row of the positive class {named(text_of(positive))} is left.")
            return _recognized(frame, names)
    return read_roles(roles.to_text(), frame) if roles.parts else roles


def _recognized(frame: pd.DataFrame, names: dict[str, str]) -> Roles:
    """The roles in a table, recognized by the names that its columns have in the file."""
    if len({*names.values()}) < len(names):
        return recognise(Columns(frame))
    roles = recognise(Columns(frame.rename(columns=names)))
    return renamed_roles(roles, {old: new for new, old in names.items()}, {})
