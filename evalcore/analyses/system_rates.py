"""Several tables of four counts beside each other: the rates of each system with their intervals."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.analyses.label_pairs import system_titles
from evalcore.analyses.named_counts import CELLS
from evalcore.analyses.roc_table import RocPoint, with_opposites
from evalcore.analyses.source import Source
from evalcore.inference import Interval, IntervalChoice
from evalcore.registry import METRICS
from evalcore.wording import UNDEFINED, level_text, value_text

__all__ = ["MOST_RATED", "RATES", "SystemRates"]

RATES = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy", "f_beta")
"""The measures that stand beside each other."""

MOST_RATED = 100
"""Systems that are shown beside each other; resampled intervals are made for so many in a second."""


@dataclass(frozen=True)
class SystemRates:
    """The counts of the first `MOST_RATED` systems of a file of counts, each with its own interval.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> frame = pd.DataFrame({"system": ["a", "b"], "TP": [80, 85], "FP": [20, 35], "FN": [20, 15], "TN": [180, 165]})
    >>> rates = SystemRates(Source.of(DataSet.of(frame)))
    >>> rates.table["recall"], rates.cells["recall"][0].replace(chr(0x202f), " ")
    ([0.8, 0.85], '80.0 % (71.1 – 86.7)')
    """

    source: Source
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)

    @classmethod
    def offered(cls, source: Source | None) -> bool:
        """Whether a data set holds the counts of several systems."""
        return source is not None and source.kind == "counts" and len(source.systems) > 1

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of the file. Come from a file: escape them."""
        return self.source.systems[:MOST_RATED]

    @cached_property
    def rows(self) -> list[RocPoint]:
        """The systems with their counts, each below the diagonal followed by its opposite."""
        return with_opposites(RocPoint(system, self.source.dataset.counts(system)) for system in self.systems)

    def system_of(self, row: int) -> str:
        """The system of a row; that of its opposite is the system itself."""
        return [point.name for point in self.rows[: row + 1] if not point.is_opposite][-1]

    @property
    def cells(self) -> dict[str, list[str]]:
        """A line per row as it is read: its name, and each rate with its interval."""
        titles = system_titles([point.name for point in self.rows], 30)
        is_open = [point.name == self.source.system and not point.is_opposite for point in self.rows]
        columns = {
            "open": ["●" if one else "" for one in is_open],
            "system": [titles[point.name] for point in self.rows],
        }
        for key, results in self._results.items():
            columns[METRICS[key].short] = [self._text(key, value, interval) for value, interval in results]
        return columns

    @property
    def table(self) -> dict[str, list[Any]]:
        """The same unrounded, with the four counts."""
        columns: dict[str, list[Any]] = {"system": [point.name for point in self.rows]}
        columns |= {cell: [float(getattr(point.counts, cell)) for point in self.rows] for cell in CELLS}
        for key, results in self._results.items():
            name = METRICS[key].short
            columns[name] = [value for value, _ in results]
            columns[f"{name} low"] = [math.nan if one is None else float(one.low) for _, one in results]
            columns[f"{name} high"] = [math.nan if one is None else float(one.high) for _, one in results]
        return columns

    @property
    def note(self) -> str:
        """What the intervals say, and what they do not."""
        level = level_text(self.intervals.level)
        known = len(self.source.systems)
        first = f" The first {MOST_RATED} of {known} systems." if known > MOST_RATED else ""
        opposite = " “not” is the opposite decision." if any(point.is_opposite for point in self.rows) else ""
        return (
            f"In brackets: {level} intervals ({self.intervals.method_name}), each for its own system.{opposite} The "
            f"page *Compare systems* compares two of them as independent samples.{first}"
        )

    @cached_property
    def _results(self) -> dict[str, list[tuple[float, Interval | None]]]:
        results: dict[str, list[tuple[float, Interval | None]]] = {}
        counted = [point.counts for point in self.rows]
        for measure in (METRICS[key] for key in RATES):
            each = [(float(measure(counts)), self.intervals.of(measure, counts)) for counts in counted]
            results[measure.key] = [(value, None if found is None else found[0]) for value, found in each]
        return results

    @staticmethod
    def _text(key: str, value: float, interval: Interval | None) -> str:
        measure = METRICS[key]
        if math.isnan(value):
            return UNDEFINED
        if interval is None:
            return value_text(measure, value)
        ends = (float(interval.low), float(interval.high))
        low, high = (f"{100 * end:.1f}" if measure.percent else value_text(measure, end) for end in ends)
        return f"{value_text(measure, value)} ({low} – {high})"
