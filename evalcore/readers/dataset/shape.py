"""How a data set is made of a table: the steps of its shape, and the place of a table that is not loaded."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evalcore.readers.base import Columns, Lines, ReadProblem, listed, named, text_of
from evalcore.readers.dataset.assignment import read_roles, recognise, renamed_roles
from evalcore.readers.shapes import label_columns
from evalcore.readers.steps import rows as of_rows
from evalcore.readers.steps import step as of_cells
from evalcore.readers.steps.rows import Filter
from evalcore.readers.steps.step import Step, Title, holds, refuse, steps_text
from evalcore.readers.table.table import Roles, Table

__all__ = ["STEPS", "Shape", "Unloaded", "allowed_path", "apply_shape", "open_folders"]


@dataclass(frozen=True)
class Unloaded:
    """Place of a table that is not loaded (the address may come from a link), and how the data set was made of it."""

    way: str  # "path" (on the machine of the server), "upload" (a stored file), or another that the application knows
    address: str
    table: str | None = None  # of a database
    rows: int = 0  # 0 where they are not known yet
    roles: str = ""  # the text of the roles by which rows were counted; empty where the data set holds the first rows
    system: str | None = None  # the column of scores or estimates that was counted, where only one was
    ends: Mapping[str, str] = field(default_factory=dict)  # by the column of scores in bins, that of their other ends
    bits: int | None = None  # of several columns of scores, of the larger bins that tell how they go together
    weight: str | None = None  # the column of weights that were added up instead of the rows
    left_out: int = 0  # rows without a label or a number
    judged: Mapping[str, Any] = field(default_factory=dict)  # where judgments lie, and arguments of `ranked_dataset`
    pieces: str = ""  # the column that tells which row a line is a part of, where weights are importances

    def __post_init__(self) -> None:
        # Data sets that were stored when one system could be counted name the ends of that one alone.
        if not isinstance(self.ends, Mapping):
            object.__setattr__(self, "ends", {self.system: self.ends} if self.system and self.ends else {})

    @property
    def is_counted(self) -> bool:
        """Whether the data set holds the counts of all rows, and not the first rows."""
        return bool(self.roles)


def open_folders(setting: str, is_shared: bool, has_key: bool = True) -> list[str]:
    """The folders whose files a visitor may open by their path, from a setting in words and whether a server is shared.

    The setting names folders with a colon between (Windows: a semicolon), or is "off". One that names none stands for
    the whole machine, for who has the key (else ReadProblem); on a shared server for nothing.

    >>> open_folders("/data:/logs", True), open_folders(":", True), open_folders("off", False)
    (['/data', '/logs'], [], [])
    """
    folders = [folder for folder in setting.split(os.pathsep) if folder.strip()]
    if setting.strip().lower() == "off" or (not folders and is_shared):
        return []
    if not folders and not has_key:
        sentence = "Opening files by their path needs the key of this server, as other accounts of the machine reach "
        sentence += "it too. Open the address that the server printed when it started (it ends in /unlock/ and the "
        raise ReadProblem(f"{sentence}key). This browser keeps the key.")
    return folders or [Path.cwd().anchor]


def allowed_path(text: str, folders: Sequence[str | Path]) -> Path:
    """The path of a file or folder in one of those, with all links followed, or ReadProblem."""
    if not folders:
        raise ReadProblem(
            "No path can be opened here: the server has to allow a folder (EVALCORE_PATHS, see docs/connections.md)."
        )
    if not text.strip() or "\0" in text:
        raise ReadProblem("There is no path. Type the path of a file or folder.")
    try:
        path = followed(Path(text.strip()).expanduser(), folders)
    except (OSError, RuntimeError, ValueError) as error:  # a ring of links, an unknown user's home, half a character
        raise ReadProblem(f"{named(text)} cannot be followed to a file or folder. Check the path.") from error
    if path is None:
        raise ReadProblem(
            f"{named(text)} lies outside of the folders that are open here: {listed(folders)}. Choose another path."
        )
    return path


def followed(path: Path, folders: Sequence[str | Path]) -> Path | None:
    """Resolve a path with all its links; None if the target is in none of the folders."""
    real = path.resolve()
    return real if any(real.is_relative_to(Path(folder).resolve()) for folder in folders) else None


STEPS: dict[str, type[Step]] = {
    step.word: step
    for module in (of_cells, label_columns, of_rows)
    for step in vars(module).values()
    if isinstance(step, type) and issubclass(step, Step) and step not in (Step, Filter)
}
"""Every kind of step by the word that its text begins with."""


@dataclass(frozen=True)
class Shape:
    """Steps in the order in which they are applied to the table of a file; `DataSet.shaped` applies them.

    >>> merge = of_cells.Merge(("label",), ("Yes", "YES"), "yes")
    >>> shape = Shape((merge, of_rows.Range("age", 40, float("nan"))))
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
    def from_text(cls, text: str) -> "Shape":
        """The shape with this text, which may have been cut off or edited. Raises ReadProblem if it is none."""
        steps = [piece.split("~") for piece in text.split("~~")] if text else []
        try:
            return cls(tuple(STEPS[word].of_texts(texts) for word, *texts in steps))
        except (ValueError, KeyError, TypeError) as error:
            sentence = "These changes of the table cannot be read. Make them again on the Data page."
            raise ReadProblem(sentence) from error

    def and_then(self, steps: tuple[Step, ...] | str) -> "Shape":
        """Return these steps followed by others, or by their text, such as the action of a finding."""
        return Shape((*self.steps, *(Shape.from_text(steps).steps if isinstance(steps, str) else steps)))

    def edited(self, step: Step) -> "Shape":
        """Return these steps followed by an edit, which replaces an earlier edit of the same cell or column."""
        return Shape((*(other for other in self.steps if other.target != step.target or not step.target), step))

    def holds(self, text: str | None) -> bool:
        """Whether it has all steps of an action; False for an action without steps."""
        return text is not None and {*Shape.from_text(text).steps} <= {*self.steps}

    def without(self, index: int) -> "Shape":
        """Return these steps without the one at this position."""
        return Shape((*self.steps[:index], *self.steps[index + 1 :]))

    @property
    def unfiltered(self) -> "Shape":
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
    """The frame of a table after all steps, its renamed roles, its row numbers, and what each step did in words.

    Where cells hold other values than before, roles are recognized again, by the columns' names in the file.
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
