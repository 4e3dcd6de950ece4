"""Tables of no known kind, which open so that roles can be assigned by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalcore.readers.columns import Columns
from evalcore.readers.kinds.kind import Kind
from evalcore.readers.problems import Finding
from evalcore.readers.recognition import recognise_rows
from evalcore.readers.roles import RowRoles
from evalcore.readers.table import Table
from evalcore.readers.value_findings import codes_among_numbers

__all__ = ["UnknownRoles"]


@dataclass(frozen=True, kw_only=True)
class UnknownRoles(RowRoles):
    """Parts that do not make any kind of table yet; `chosen` has what plays those of other kinds."""

    kind = "unknown"
    chosen: tuple[tuple[str, Any], ...] = ()

    @property
    def parts(self) -> dict[str, Any]:
        """What is given, by the name of the part."""
        own = super().parts
        own.pop("chosen", None)
        return own | dict(self.chosen)

    def get(self, part: str, default: Any = None) -> Any:
        """What plays a part."""
        return self.parts.get(part, default)


def unknown_findings(table: Table[UnknownRoles], columns: Columns) -> Iterator[Finding]:
    """Ask for the roles of the columns; a code of missing values may be why they were not recognized."""
    yield from codes_among_numbers(table, [column for column in columns if column.is_number])
    sentence = "The columns of this table were not recognized. Choose what the rows hold, then the column of true "
    sentence += "values and at least one column of scores, predictions or estimates."
    yield Finding("warning", sentence, len(table), code="no roles")


UNKNOWN = Kind("a table without roles yet", "any", UnknownRoles, findings=(unknown_findings,), recognise=recognise_rows)
