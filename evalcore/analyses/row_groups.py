"""The groups of rows that a column of the data set names, in the order in which pages show them."""

from collections.abc import Sequence

import numpy as np

from evalcore.analyses.source import Source
from evalcore.readers import NO_GROUP, ReadProblem, each_counts_alike, group_codes, in_bands, named

__all__ = ["SHOWN_GROUPS", "RowGroups", "group_order"]

SHOWN_GROUPS = 30
"""Groups that are drawn."""


class RowGroups:
    """The largest groups of some rows of a data set, given by their numbers; for data with a group column.

    Raises ReadProblem where a data set has none.

    >>> from evalcore.readers import read_sample
    >>> groups = RowGroups(Source.of(read_sample("breast_cancer")), np.arange(569))
    >>> groups.names, int(groups.mask("small").sum())
    (['small', 'large', 'medium'], 191)
    """

    def __init__(self, source: Source, rows: np.ndarray) -> None:
        if (column := source.roles.get("group")) is None:
            raise ReadProblem("No column says which group a row belongs to.")
        self._codes, texts = group_codes(source.frame[column].iloc[rows])
        counted = source.dataset.is_counted or each_counts_alike(source.dataset)
        weight = source.roles.get("weight") if counted else None
        weights = None if weight is None else source.frame[weight].to_numpy()[rows]
        counts = np.bincount(self._codes, weights, minlength=len(texts))
        largest = np.argsort(-counts, kind="stable")[:SHOWN_GROUPS]
        self._places = {texts[place]: place for place in largest.tolist() if counts[place]}
        self.names = group_order(tuple(self._places))
        self.left_out = int(np.count_nonzero(counts)) - len(self.names)
        self.column = named(column)

    def mask(self, name: str) -> np.ndarray:
        """Which of the rows belong to a group."""
        return self._codes == self._places[name]


def group_order(names: Sequence[str]) -> list[str]:
    """Groups in the order of their numbers where they are bands of a number and all are shown, else as they are.

    >>> group_order(["60+", "40-59", "(no group)", "<40"])
    ['<40', '40-59', '60+', '(no group)']
    """
    bands = in_bands(name for name in names if name != NO_GROUP) if len(names) <= SHOWN_GROUPS else None
    return [*bands, *(name for name in names if name == NO_GROUP)] if bands else list(names)
