"""States of data sets, each built once and shared by findings, pages and exports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

__all__ = ["STATES", "StateCache"]

State = TypeVar("State")


class StateCache:
    """States by key. The oldest are dropped when their tables together exceed a number of rows.

    A thread that asks for a state while another one builds it waits.

    Parameters
    ----------
    most_rows : int
        Rows of all states together. The newest state stays, whatever its size.

    Examples
    --------
    >>> states = StateCache(1_000)
    >>> states.once("a", 10, lambda: "built"), states.once("a", 10, lambda: "built again")
    ('built', 'built')
    """

    def __init__(self, most_rows: int) -> None:
        self._most_rows = most_rows
        self._lock = Lock()
        self._states: OrderedDict[Hashable, tuple[int, Future]] = OrderedDict()

    def once(self, key: Hashable, rows: int, build: Callable[[], State]) -> State:
        """The state of a key, built unless it exists or is being built. An error is raised and not stored."""
        with self._lock:
            _, state = self._states.get(key, (0, None))
            is_new = state is None
            if is_new:
                state = Future()
                self._states[key] = rows, state
                while len(self._states) > 1 and sum(size for size, _ in self._states.values()) > self._most_rows:
                    self._states.popitem(last=False)
            self._states.move_to_end(key)
        if is_new:
            try:
                state.set_result(build())
            except BaseException as error:
                state.set_exception(error)
                self.drop(key, state)
        return state.result()

    def drop(self, key: Hashable, state: Future[Any]) -> None:
        """Forget one state, unless another has taken its place."""
        with self._lock:
            if self._states.get(key, (0, None))[1] is state:
                del self._states[key]

    def clear(self) -> None:
        """Forget all states."""
        with self._lock:
            self._states.clear()


# A sorted state with its staircase takes 32 bytes per row, a run 28: at most 1.6 GB for all data sets of a process.
STATES = StateCache(50_000_000)
