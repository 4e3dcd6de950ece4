"""The true and estimated numbers of the open data, row by row, with their places in the table."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data.source import Source, left_out_text
from evalcore.estimation import Estimates
from evalcore.readers import ReadProblem, days_in, named
from evalcore.wording import plain

__all__ = ["EstimateRows", "in_order", "order_columns"]


@dataclass(frozen=True, eq=False)
class EstimateRows:
    """The rows of a data set that have a true number and an estimate of one system."""

    source: Source
    system: str  # comes from a file: escape it
    state: Estimates
    rows: npt.NDArray[np.intp]  # shape (n,): place of each row in the open table
    left_out: int

    @classmethod
    def of(cls, source: Source, system: str | None = None) -> "EstimateRows":
        """Read the rows of a system, by default the chosen one. Raises ReadProblem when no row has both numbers."""
        system = system or source.system or source.systems[0]
        arrays = source.dataset.estimate_arrays(system)
        state = source.dataset.estimates(system)
        if not state.total:
            why = "no row has both numbers" if not len(state) else "every weight is 0"
            raise ReadProblem(f"Nothing can be measured: {why}. Choose other columns on the Data page.")
        return cls(source, system, state, np.flatnonzero(arrays.complete), arrays.left_out)

    @property
    def key(self) -> str:
        """Cache key of results computed from these rows."""
        return self.source.key_of(self.system)

    @property
    def truth(self) -> str:
        """Name of the column of true values. Unescaped text from a file."""
        return str(self.source.roles.get("truth"))

    def line(self, row: int) -> str:
        """Name of a row in the file: "line 12"."""
        return self.source.dataset.lines.at(self.rows[row])

    @property
    def notes(self) -> str:
        """Note on rows left out, weighted or clustered, in Markdown; empty if there are none."""
        return (left_out_text(self.left_out, "finite estimate") + self.source.rows_note).strip()

    @property
    def name(self) -> str:
        """The system in Markdown."""
        return plain(self.system, 40)

    @property
    def code(self) -> str:
        """Python that reads the numbers into ``state``."""
        return f"{self.source.code}\nstate = data.estimates({self.system!r})"


def order_columns(source: Source) -> list[str]:
    """Columns that rows can be in the order of: numbers and dates with hardly a repeat. Come from a file."""
    own = {str(source.roles.get("truth")), *source.systems, str(source.roles.get("weight"))}
    frame = source.frame
    return [str(name) for name in frame.columns if str(name) not in own and frame[name].nunique() > 0.9 * len(frame)]


def in_order(source: Source, column: str, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.integer]:
    """Indices that sort the given rows by a column; "" keeps the order of the file.

    Raises ReadProblem where there is no such column.
    """
    if not column:
        return np.arange(len(rows))
    if column not in source.frame.columns:
        raise ReadProblem(f"The data set has no column {named(column)} to order rows by.")
    values = source.frame[column].iloc[rows]
    days = days_in(values)
    return values.argsort(kind="stable").to_numpy() if days is None else np.argsort(days, kind="stable")
