"""Asking an engine in a thread, for those who show how far it is and may stop it."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from evalcore.engines.frames import ASKING, STOPPABLE
from evalcore.readers import ReadProblem
from evalcore.wording.numbers import count_text

__all__ = ["COUNTINGS", "Counting", "end_unwanted"]

Made = TypeVar("Made")

# Each may take the memory of an engine. What has little time does not wait for counts of an hour.
_WORKERS, _QUICK_WORKERS = ThreadPoolExecutor(2, "counting"), ThreadPoolExecutor(2, "opening")
_STOPPED = "Counting was stopped. Start it again to count all rows."
_OPENING_STOPPED = "Opening was stopped. Open it again to go on."
_LATE = "This took more than {} s and was stopped. Choose a smaller file or folder, or save the view as a table first."
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
    patience : float
        Seconds after which it is stopped; by default it may take any time.

    Attributes
    ----------
    wanted_by : set of str
        The visits that wait for it, for those who stop what nobody waits for any more.
    wanted : float
        When somebody was last seen to wait for it, as `monotonic` tells time.

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

    def __init__(self, reach: Callable[[], Any], count: Callable[[Any], Made], patience: float = math.inf) -> None:
        self._stored: Any = None
        self._stops: list[Callable[[], None]] = []
        self._why_stopped = ""
        self._patience, self._end = patience, math.inf
        self.wanted_by: set[str] = set()
        self._begun = self.wanted = monotonic()
        self._asking = "other tables to be counted"
        workers = _QUICK_WORKERS if self.is_quick else _WORKERS
        self._made = workers.submit(self._make, reach, count)
        if self.is_quick:
            Thread(target=self._watch, daemon=True).start()

    @property
    def is_quick(self) -> bool:
        """Whether it may take only so long."""
        return self._patience < math.inf

    def _make(self, reach: Callable[[], Any], count: Callable[[Any], Made]) -> Made:
        self._end = monotonic() + self._patience
        hears, stops = ASKING.set(self._hear), STOPPABLE.set(self._stops.append)
        try:
            self._hear("connection")
            self._stored = reach()
            self._go_on()
            made = count(self._stored)
            self._go_on()
            return made
        finally:
            ASKING.reset(hears)
            STOPPABLE.reset(stops)

    def _hear(self, asking: str) -> None:
        self._go_on()
        self._asking = f"the {asking}"

    def _go_on(self) -> None:
        if self._why_stopped:
            raise ReadProblem(self._why_stopped)

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
        return self._made.done() or bool(self._why_stopped)

    def stop(self) -> None:
        """Stop the running query and those after it; the result is then a ReadProblem."""
        if not self.is_done:
            self._why_stopped = _OPENING_STOPPED if self.is_quick else _STOPPED
            if not self._made.cancel() and not self.is_quick:
                Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while wait([self._made], _AGAIN).not_done:
            if monotonic() > self._end and not self._why_stopped:
                self._why_stopped = _LATE.format(count_text(round(self._patience)))
            if self._why_stopped:
                for stop in [*self._stops, getattr(self._stored, "stop", lambda: None)]:
                    with suppress(Exception):  # a connection that is closed meanwhile has nothing to stop
                        stop()

    def wait(self, seconds: float) -> None:
        """Wait so long at most, for what may be done at once."""
        wait([self._made], seconds)

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

_ABSENCE = {True: 5, False: 120}
"""Seconds after which it is stopped if nobody who waits for it is here: what is quick, and what may take any time."""


def end_unwanted(is_here: Callable[[str], bool]) -> None:
    """Stop what is made for visits that have ended, and let go of what they have not fetched.

    Parameters
    ----------
    is_here : callable
        Whether a visit, one of `Counting.wanted_by`, goes on.
    """
    for key, counting in list(COUNTINGS.items()):
        if any(map(is_here, counting.wanted_by)):
            counting.wanted = monotonic()
        elif monotonic() - counting.wanted > _ABSENCE[counting.is_quick]:
            counting.stop()
            COUNTINGS.pop(key, None)
