"""Counting the rows of a table in a thread, for those who show how far it is and may stop it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evalcore.engines.stored import StoredTable
from evalcore.readers import DataSet, ReadProblem

__all__ = ["COUNTINGS", "Counting"]

# Each may take the memory of an engine.
_WORKERS = ThreadPoolExecutor(2, "counting")
_STOPPED = "Counting was stopped. Start it again to count all rows."


class Counting:
    """A data set that is being made of a table which is not loaded.

    Parameters
    ----------
    reach : callable
        Opens the table; it may take long, or raise ReadProblem.
    count : callable
        Makes the data set of the table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evalcore.engines import summary_dataset
    >>> from evalcore.readers import roles_of
    >>> roles = roles_of(actual="y", predicted=("p",))
    >>> table = pa.table({"y": [1, 0, 1], "p": [1, 0, 0]})
    >>> counting = Counting(lambda: table, lambda table: summary_dataset(table, roles))
    >>> len(counting.result(timeout=60)), counting.is_done
    (3, True)
    """

    def __init__(self, reach: Callable[[], StoredTable], count: Callable[[StoredTable], DataSet]) -> None:
        self._stored: Any = None
        self._is_stopped = False
        self._made = _WORKERS.submit(self._make, reach, count)

    def _make(self, reach: Callable[[], StoredTable], count: Callable[[StoredTable], DataSet]) -> DataSet:
        self._go_on()
        self._stored = reach()
        self._go_on()
        made = count(self._stored)
        self._go_on()
        return made

    def _go_on(self) -> None:
        if self._is_stopped:
            raise ReadProblem(_STOPPED)

    @property
    def progress(self) -> float | None:
        """The share of the running query that is done, 0 … 1; None before the engine has begun or if it cannot say."""
        return getattr(self._stored, "progress", None)

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or a reason why there is none."""
        return self._made.done() or self._is_stopped

    def stop(self) -> None:
        """Stop the running query and those after it; the result is then a ReadProblem."""
        self._is_stopped = True
        if not self._made.cancel() and self._stored is not None and not self._made.done():
            self._stored.stop()

    def result(self, timeout: float | None = None) -> DataSet:
        """The data set; of one that is not done yet, it is waited for so many seconds.

        Raises
        ------
        ReadProblem
            If it was stopped, or the table could not be opened or counted.
        """
        self._go_on()
        return self._made.result(timeout)


COUNTINGS: dict[str, Counting] = {}
"""What is being counted, or was and nobody has fetched, by whatever tells it apart."""
