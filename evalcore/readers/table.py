"""A table with the roles of its columns, from which findings and states are made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import pandas as pd

from evalcore.readers.problems import Lines
from evalcore.readers.roles import Roles
from evalcore.readers.state_cache import STATES, State

R = TypeVar("R", bound=Roles, covariant=True)


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A frame, the roles of its columns, and how its rows are numbered.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns of bool, int64, float64 and str, with unique names.
    roles : Roles
        Which column plays which part.
    name : str
        The name of the file, or another name. Comes from a file: escape it, and never use it as a path.
    lines : Lines
        How rows are numbered for users.
    digest : str
        Hash of the content; by default of the frame.
    """

    frame: pd.DataFrame
    roles: R
    name: str = "table"
    lines: Lines = Lines()  # noqa: RUF009
    digest: str = ""

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", _frame_digest(self.frame))

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def kind(self) -> str:
        """The kind of table that the roles make."""
        return self.roles.kind

    def once(self, state: str, system: str | None, build: Callable[[], State], rows: int | None = None) -> State:
        """A state of this content in these roles, built by the first who asks for it; see `StateCache`.

        Without a number of rows it counts as one with all rows of the table.
        """
        rows = len(self.frame) if rows is None else rows
        return STATES.once((self.digest, self.roles.to_text(), state, system), rows, build)


def _frame_digest(frame: pd.DataFrame) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in frame.columns:
        column = frame[name]
        digest.update(f"{name}\0{column.dtype}\0{len(column)}\0".encode(errors="surrogatepass"))
        if column.dtype.kind in "iufb":
            digest.update(column.to_numpy().tobytes())
        else:
            digest.update(pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes())
    return digest.hexdigest()
