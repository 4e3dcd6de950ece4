"""A row of the table of kinds, and the guess of roles when the kind is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import pandas as pd

from evalcore.readers.columns import Columns
from evalcore.readers.problems import Finding
from evalcore.readers.roles import Part, Roles
from evalcore.readers.table import Table
from evalcore.wording.numbers import count_text

__all__ = ["Kind"]

MOST_SYSTEMS = 500
"""How many systems can be chosen where each row may name another; pages list them in every run."""


def unlisted_systems(count: int) -> Iterator[Finding]:
    """A finding about systems that cannot be chosen, from how many the table names."""
    if count > MOST_SYSTEMS:
        sentence = f"The table names {count_text(count)} systems; only the first {MOST_SYSTEMS} can be chosen. "
        yield Finding(
            "warning",
            sentence + "Open the rows of the others as a file of their own.",
            count - MOST_SYSTEMS,
            code="many systems",
        )


@dataclass(frozen=True)
class Kind:
    """One row of the table of kinds."""

    title: str  # what such a table holds, within a sentence
    needs: str  # its columns in words
    roles: type[Roles]  # which parts there are and which are needed
    pages: tuple[str, ...] = ()  # that can use it, by section and name
    # Which methods `DataSet` has for it, each as a function of the table.
    states: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    findings: tuple[Callable[[Table[Any], Columns], Iterator[Finding]], ...] = ()
    systems: Callable[[Table[Any]], tuple[str, ...]] = lambda table: ()
    # Number of cases, and of actual positives (or None), for a system.
    tally: Callable[[Table[Any], str | None], tuple[int, int | None]] = lambda table, system: (len(table), None)
    # The likely parts for a table that had another kind.
    assign: Callable[[Candidates], dict[str, Any]] = lambda candidates: {}
    # What plays each part, found in the columns of a file; empty where it is no such table.
    recognise: Callable[[Columns], dict[str, Any]] = lambda columns: {}
    unit: tuple[str, str] = ("row", "rows")  # the word for one case and for several
    system: str = "system"  # the word for a system, "class" or "label"

    @property
    def name(self) -> str:
        """The name of the kind in catalogues and stored data sets."""
        return self.roles.kind

    @property
    def parts(self) -> dict[str, Part]:
        """The parts by name, those of every table of rows last."""
        own = {field.name: field.metadata["part"] for field in fields(self.roles) if "part" in field.metadata}
        return dict(sorted(own.items(), key=lambda item: item[0] in ("weight", "group", "cluster")))


class Candidates:
    """The columns of a table and the parts they play now, to guess those of another kind."""

    def __init__(self, parts: Mapping[str, Any], frame: pd.DataFrame) -> None:
        self.parts = parts
        self.names, self.rows = [str(name) for name in frame.columns], len(frame)
        self.numbers = [name for name in self.names if frame[name].dtype.kind in "iufb"]
        self.beside = {name: parts.get(name) for name in ("weight", "weights_are", "group", "cluster")}
        self._distinct = frame.nunique
        self._known = next(filter(None, map(parts.get, ("actual", "truth", "grade"))), None)

    @property
    def truth(self) -> str:
        """The column of the truth, or the first if there is none."""
        return self._known or self.names[0]

    @property
    def number(self) -> str:
        """The column of the truth if it holds numbers, or else the first of numbers."""
        return self._known if self._known in self.numbers else next(iter(self.numbers), self.truth)

    @property
    def label(self) -> str:
        """The column of the truth, or that with the fewest values if there is none, but not the only one of numbers."""
        if self._known:
            return self._known
        distinct = self._distinct()
        several = [name for name in self.names if distinct[name] > 1] or self.names
        several = [name for name in several if self.numbers != [name]] or several
        free = [name for name in several if name not in self.beside.values()]
        return min(free or several, key=lambda name: distinct[name])

    def systems(self, truth: str) -> list[str]:
        """The columns that are systems now, or else all, without the truth, the weight and the group."""
        parts = self.parts
        columns = [*parts.get("predicted", ()), *parts.get("score", ())]
        columns += [*(column for column, _ in parts.get("probability", ())), *parts.get("estimate", ())]
        return [name for name in columns or self.names if name not in (truth, *self.beside.values())]

    def numeric(self, truth: str) -> tuple[str, ...]:
        """Those of the systems that hold numbers, or else all columns that do."""
        systems = tuple(name for name in self.systems(truth) if name in self.numbers)
        others = tuple(name for name in self.numbers if name != truth)
        return systems or tuple(name for name in others if name not in self.beside.values()) or others
