"""Asking an engine in a thread, for those who show how far it is and may stop it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from evalcore.engines.frames import ASKING
from evalcore.readers import ReadProblem
from evalcore.wording.numbers import count_text

__all__ = ["COUNTINGS", "Counting"]

Made = TypeVar("Made")

# Each may take the memory of an engine.
_WORKERS = ThreadPoolExecutor(2, "counting")
_STOPPED = "Counting was stopped. Start it again to count all rows."
_AGAIN = 0.2
"""Seconds after which a query that goes on is stopped again: one may have begun just after the first time."""


class Counting(Generic[Made]):
    """What is being made of tables that are not loaded, mostly a data set.

    Parameters
    ----------
    reach : callable
        Opens the table; it may take long, or raise ReadProblem. What it returns is stopped by its `stop()`.
    count : callable
        Makes it of the table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evalcore.engines import summary_dataset
    >>> from evalcore.readers import roles_of
    >>> roles = roles_of(actual="y", predicted=("p",))
    >>> table = pa.table({"y": [1, 0, 1], "p": [1, 0, 0]})
    >>> counting = Counting(lambda: table, lambda table: summary_dataset(table, roles))
    >>> len(counting.result(timeout=60)), counting.is_done, counting.status.partition(",")[0]
    (3, True, 'Waiting for the table of counts by label')
    """

    def __init__(self, reach: Callable[[], Any], count: Callable[[Any], Made]) -> None:
        self._stored: Any = None
        self._is_stopped = False
        self._begun, self._asking = monotonic(), "other tables to be counted"
        self._made = _WORKERS.submit(self._make, reach, count)

    def _make(self, reach: Callable[[], Any], count: Callable[[Any], Made]) -> Made:
        hears = ASKING.set(self._hear)
        try:
            self._hear("connection")
            self._stored = reach()
            self._go_on()
            made = count(self._stored)
            self._go_on()
            return made
        finally:
            ASKING.reset(hears)

    def _hear(self, asking: str) -> None:
        self._go_on()
        self._asking = f"the {asking}"

    def _go_on(self) -> None:
        if self._is_stopped:
            raise ReadProblem(_STOPPED)

    @property
    def progress(self) -> float | None:
        """The share of the running query that is done, 0 … 1; None before the engine has begun or if it cannot say."""
        return getattr(self._stored, "progress", None)

    @property
    def status(self) -> str:
        """What the engine is asked for now, and the seconds since the start."""
        return f"Waiting for {self._asking}, {count_text(int(monotonic() - self._begun))} s"

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or a reason why there is none."""
        return self._made.done() or self._is_stopped

    def stop(self) -> None:
        """Stop the running query and those after it; the result is then a ReadProblem."""
        if not self.is_done:
            self._is_stopped = True
            if not self._made.cancel():
                Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        while not self._made.done():
            if self._stored is not None:
                self._stored.stop()
            wait([self._made], _AGAIN)

    def result(self, timeout: float | None = None) -> Made:
        """What was made; of one that is not done yet, it is waited for so many seconds.

        Raises
        ------
        ReadProblem
            If it was stopped, or the table could not be opened or counted.
        """
        self._go_on()
        return self._made.result(timeout)


COUNTINGS: dict[str, Counting[Any]] = {}
"""What is being counted, or was and nobody has fetched, by whatever tells it apart."""
