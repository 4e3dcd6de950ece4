"""Tables that are not loaded: their place, and the part of them that a data set holds."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalcore.readers.base.problems import Finding, ReadProblem, listed, named
from evalcore.wording.numbers import count_text

__all__ = ["Unloaded", "allowed_path", "first_rows_finding", "group_finding", "open_folders"]


@dataclass(frozen=True)
class Unloaded:
    """Place of a table that is not loaded, and the way the data set was made of it.

    Never trust the address: it may come from a link.
    """

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
            ends = {self.system: self.ends} if self.system and self.ends else {}
            object.__setattr__(self, "ends", ends)

    @property
    def is_counted(self) -> bool:
        """Whether the data set holds the counts of all rows, and not the first rows."""
        return bool(self.roles)


def first_rows_finding(rows: int) -> Finding:
    """Build the finding "only the first rows of a larger table are loaded"."""
    sentence = f"These are the first {count_text(rows)} rows of a larger table. Count all rows on the Data page."
    return Finding("warning", sentence, rows, code="first rows")


def group_finding(column: str, rows: int) -> Finding:
    """Build the finding "this column of a larger table may hold groups, and is not counted by"."""
    sentence = f"Column {named(column)} may hold groups. Counting by it takes about three times as long; choose it as "
    sentence += "the group if you want to compare them."
    return Finding("info", sentence, rows, column, code="unused group", role="group")


_LOCKED = (
    "Opening files by their path needs the key of this server, as other accounts of the machine reach it too. Open the "
    "address that the server printed when it started (it ends in /unlock/ and the key). This browser keeps the key."
)


def open_folders(setting: str, is_shared: bool, has_key: bool = True) -> list[str]:
    """The folders whose files a visitor may open by their path, from a setting in words and whether a server is shared.

    The setting names folders that are open to every visitor, with a colon between (Windows: a semicolon), or is "off".
    One that names none stands for the whole machine, for who has the key (raises ReadProblem without it); on a shared
    server it stands for nothing.

    >>> open_folders("/data:/logs", True), open_folders(":", True), open_folders("off", False)
    (['/data', '/logs'], [], [])
    """
    folders = [folder for folder in setting.split(os.pathsep) if folder.strip()]
    if setting.strip().lower() == "off" or (not folders and is_shared):
        return []
    if not folders and not has_key:
        raise ReadProblem(_LOCKED)
    return folders or [Path.cwd().anchor]


def allowed_path(text: str, folders: Sequence[str | Path]) -> Path:
    """The path of a file or folder that may be opened: one that lies in a folder of those, with all links followed.

    Raises ReadProblem if it is empty or lies elsewhere, as "/data/../etc/passwd" does of "/data".
    """
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
