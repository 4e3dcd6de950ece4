"""Measures of many square tables of the same classes, such as a thousand resamples of one."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np

from evalcore.classification import ConfusionMatrix
from evalcore.numeric import Array
from evalcore.registry import MetricDef

__all__: list[str] = []

_CELLS = 1 << 17
"""Cells of the tables that are measured at once: a thousand tables of a thousand classes would fill the memory."""


def values_of_tables(
    measures: Sequence[Callable[[ConfusionMatrix], float]], classes: tuple, tables: Iterable[Array]
) -> Array:
    """Measures of square tables, each of k² counts in any shape: shape (tables, measures).

    >>> from evalcore import find
    >>> values_of_tables([find("overall accuracy")], ("a", "b"), np.array([[3, 1, 1, 5], [1, 1, 1, 1]])).tolist()
    [[0.8], [0.5]]
    """
    k, rest = len(classes), iter(tables)
    values: list[Array] = [np.empty((0, len(measures)))]
    while some := list(islice(rest, max(_CELLS // max(k * k, 1), 1))):
        counts = np.reshape(some, (-1, k, k))
        values.append(np.transpose([_values(measure, classes, counts) for measure in measures]))
    return np.concatenate(values)


def _values(measure: Callable[[ConfusionMatrix], float], classes: tuple, counts: Array) -> Array:
    """One measure of tables of shape (b, k, k): at once where it can, as those of the registry."""
    if isinstance(measure, MetricDef) and measure.stacked:
        return np.asarray(measure(ConfusionMatrix(classes, counts)))
    return np.array([measure(ConfusionMatrix(classes, table)) for table in counts])
