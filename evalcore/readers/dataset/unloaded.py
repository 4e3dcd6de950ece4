"""Tables that are not loaded: their place, and the part of them that a data set holds."""

from __future__ import annotations

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

    Parameters
    ----------
    way : str
        How it is reached: "path" (a file, folder or database on the machine of the server), "upload" (a stored file),
        or another one that the application knows.
    address : str
        The path, or whatever names it to those who reach it this way. Never trust it: it may come from a link.
    table : str, optional
        Which table of a database.
    rows : int
        Rows of the table; 0 where they are not known yet.
    roles : str
        The text of the roles by which the rows were counted; empty where the data set holds the first rows.
    system : str, optional
        The column of scores or estimates that was counted, where only one was.
    ends : mapping of str to str
        By the column of scores in bins, the one with the other end of each bin.
    weight : str, optional
        The column of weights that were added up instead of the rows.
    pieces : str
        The column that tells which row a line is a part of, where weights are importances; empty where none is.
    left_out : int
        Rows without a label or a number, which were not counted.
    bits : int, optional
        Of several columns of scores, the bits of the larger bins that tell how they go together.
    judged : mapping of str to str
        Of runs, where their judgments lie ("address", and "table" of a database), and the arguments of
        `ranked_dataset` that ranked and joined both.

    Examples
    --------
    >>> Unloaded("path", "/data/log.parquet", rows=100_000_000).is_counted
    False
    """

    way: str
    address: str
    table: str | None = None
    rows: int = 0
    roles: str = ""
    system: str | None = None
    ends: Mapping[str, str] = field(default_factory=dict)
    bits: int | None = None
    weight: str | None = None
    left_out: int = 0
    judged: Mapping[str, Any] = field(default_factory=dict)
    pieces: str = ""

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
    """Build the finding "only the first rows of a larger table are loaded".

    >>> first_rows_finding(20_000).level
    'warning'
    """
    sentence = f"These are the first {count_text(rows)} rows of a larger table. Count all rows on the Data page."
    return Finding("warning", sentence, rows, code="first rows")


def group_finding(column: str, rows: int) -> Finding:
    """Build the finding "this column of a larger table may hold groups, and is not counted by".

    >>> group_finding("site", 20_000).role
    'group'
    """
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
    One that names none stands for the whole machine, for who has the key; on a shared server it stands for nothing.

    Raises
    ------
    ReadProblem
        If only the key is missing.

    Examples
    --------
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

    Raises
    ------
    ReadProblem
        If it is empty or lies elsewhere.

    Examples
    --------
    >>> allowed_path("/data/log.parquet", ["/data"]).name
    'log.parquet'
    >>> allowed_path("/data/../etc/passwd", ["/data"])
    Traceback (most recent call last):
    evalcore.readers.base.problems.ReadProblem: "/data/../etc/passwd" lies outside of the folders that may be...
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
