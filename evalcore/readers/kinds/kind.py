"""A row of the table of kinds, and which columns can play a part when the kind is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import pandas as pd

from evalcore.readers.base.column_names import actual_order
from evalcore.readers.base.problems import Finding
from evalcore.readers.base.values import Column, Columns
from evalcore.readers.shapes.part_rules import RULES, SYSTEMS, TRUTHS, parts_said
from evalcore.readers.table.table import Part, Roles, Table
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
    """The columns of a table and the parts they play now, to guess those of another kind.

    A column can play a part if its values can (`RULES`) and its name says nothing else.
    """

    def __init__(self, parts: Mapping[str, Any], frame: pd.DataFrame) -> None:
        self.parts, self.columns = parts, Columns(frame)
        self.beside = {name: parts.get(name) for name in ("weight", "weights_are", "group", "cluster")}
        lists = {name: _names_in(value) for name, value in parts.items() if name in TRUTHS | SYSTEMS}
        self._playing = {column: name for name, columns in lists.items() for column in columns}

    def fitting(
        self, part: str, *used: str | None, alike: Callable[[Column], bool] = lambda column: True
    ) -> tuple[str, ...]:
        """The columns that can play a part: those that play a like one now or are named so.

        Else it is the only one that looks so by its values and is alike what else is known.
        """
        names = [column.name for column in self.columns if column.name not in used]
        fits = {name: self._fit(self.columns[name], part) for name in names}
        fits = {name: fit for name, fit in fits.items() if fit > _LOOKS or (fit and alike(self.columns[name]))}
        fits = {name: fit for name, fit in fits.items() if name not in self.beside.values()} or fits
        best = tuple(name for name, fit in fits.items() if fit == max(fits.values()))
        return () if len(best) > 1 and fits[best[0]] == _LOOKS else best

    def one(self, part: str, *used: str | None) -> str | None:
        """The first column that can play a part, of truths the one that is named so most surely; None if none can."""
        orders = {name: actual_order(name) for name in self.fitting(part, *used)}
        return min(orders, key=lambda name: orders[name] or 0, default=None)

    def _fit(self, column: Column, part: str) -> int:
        """How well a column can play a part, 0 if it cannot."""
        rule, playing = RULES[part], self._playing.get(column.name)
        if not rule.can(column):
            return 0
        if playing == part or (part in TRUTHS and playing in TRUTHS):
            return _LOOKS + 3
        said = parts_said(column)
        if part in SYSTEMS and playing in SYSTEMS:
            return _LOOKS + 2 if rule.looks(column) else _LOOKS - 1
        if said is not None:
            return _LOOKS + 1 if part in said else 0
        return _LOOKS if rule.looks(column) and playing is None else 0


_LOOKS = 2
"""How well a column fits that only its values recommend."""


def _names_in(value: Any) -> tuple[str, ...]:
    several = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(one if isinstance(one, str) else one[0] for one in several if one)
