"""A table with the roles of its columns, and the cache of the states that are built from it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

import pandas as pd

from evalcore.readers.problems import Lines
from evalcore.readers.roles import Roles

__all__ = ["STATES"]

_LEAST_ROWS = 10_000

R = TypeVar("R", bound=Roles, covariant=True)


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A frame (columns of bool, int64, float64 and str), its roles, and a name from a file, to be escaped."""

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
        """A state of this content in these roles, built when it is first used; see `StateCache`.

        It counts as having the rows of the table, unless another number is given.
        """
        # small states count too, as there may be very many of them
        rows = max(len(self.frame) if rows is None else rows, _LEAST_ROWS)
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


State = TypeVar("State")


class StateCache:
    """States by key. The oldest are dropped when their tables together exceed a number of rows.

    A thread that asks for a state while another one builds it waits.
    """

    def __init__(self, most_rows: int) -> None:
        self.most_rows, self._rows = most_rows, 0
        self._lock = Lock()
        self._states: OrderedDict[Hashable, tuple[int, Future]] = OrderedDict()

    def once(self, key: Hashable, rows: int, build: Callable[[], State]) -> State:
        """The state of a key, built unless it exists or is being built. An error is raised and not stored."""
        with self._lock:
            _, state = self._states.get(key, (0, None))
            if is_new := state is None:
                state = Future()
                self._states[key] = rows, state
                self._rows += rows
                while len(self._states) > 1 and self._rows > self.most_rows:
                    self._rows -= self._states.popitem(last=False)[1][0]
            self._states.move_to_end(key)
        if is_new:
            try:
                state.set_result(build())
            except BaseException as error:
                state.set_exception(error)
                with self._lock:
                    if self._states.get(key, (0, None))[1] is state:
                        self._rows -= self._states.pop(key)[0]
        return state.result()

    def clear(self) -> None:
        """Forget all states."""
        with self._lock:
            self._states.clear()
            self._rows = 0


# A sorted state with its staircase takes 32 bytes per row, a run 28: at most 1.6 GB for all data sets of a process.
STATES = StateCache(50_000_000)
