"""A table that was read, with the roles of its columns: what findings and states are made from."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from evalcore.readers.problems import Lines
from evalcore.readers.roles import Roles

# Frozen, so one of each can be the default of all.
_NO_ROLES, _TEXT_LINES = Roles(), Lines()


@dataclass(frozen=True, eq=False)
class Table:
    """A frame, the roles of its columns, and the words to speak of its rows with.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns as read, of bool, int64, float64 and str, with unique names.
    roles : Roles
        Which column plays which part.
    name : str
        The name of the file, or what else to call it. Not to be trusted as a path or as markup.
    lines : Lines
        How rows are numbered to the user.
    """

    frame: pd.DataFrame
    roles: Roles = _NO_ROLES
    name: str = "table"
    lines: Lines = _TEXT_LINES

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def kind(self) -> str:
        """The kind of table that the roles make."""
        return self.roles.kind
