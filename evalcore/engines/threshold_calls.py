"""What systems call positive at their thresholds, counted exactly, whatever bins their scores were counted in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw

from evalcore.engines.frames import columns, lazy
from evalcore.engines.row_weights import WEIGHT_SUMS, by_weight, usable_weights
from evalcore.engines.score_keys import is_usable, labelled_rows
from evalcore.engines.summaries import Summary, group_names

__all__ = ["threshold_calls"]


def threshold_calls(
    frame: Any,
    actual: str,
    thresholds: Mapping[str, float],
    positive: object,
    *,
    beside: Sequence[str] = (),
    group: str | None = None,
    weight: str | None = None,
    higher_is_positive: bool = True,
) -> Summary:
    """Rows by whether each system calls them positive at its threshold, which is exact whatever the bins are.

    Parameters
    ----------
    thresholds : mapping of str to float
        By the column of scores.
    beside : sequence of str
        Other columns of scores that a row must have; the other arguments and errors are as of `PairedScoreCounts.of`.

    Returns
    -------
    Summary
        "count" and "positives" by "call 0", "call 1", … (1 or 0) and by "group" where there is one, with the extreme
        scores "lowest 0", "highest 0", ….

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"ill": [1, 0, 1, 0], "a": [0.9, 0.7, 0.7, 0.1], "b": [0.8, 0.9, 0.7, 0.2]})
    >>> calls = threshold_calls(table, "ill", {"a": 0.8, "b": 0.8}, positive=1).merged()
    >>> calls.keys["call 0"].tolist(), calls.keys["call 1"].tolist(), calls.sums["count"].tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [2.0, 1.0, 1.0])
    """
    table = with_all(frame, [*thresholds, *beside])
    rows, by, _ = labelled_rows(table, actual, [*thresholds], positive, group, None, weight)
    rows = rows if weight is None else usable_weights(rows, weight)[0]
    calls, parts = {}, [f"score {place}" for place in range(len(thresholds))]
    for place, (part, threshold) in enumerate(zip(parts, thresholds.values(), strict=True)):
        score = nw.col(part)
        is_called = score >= threshold if higher_is_positive else score <= threshold
        calls[f"call {place}"] = nw.when(is_called).then(1.0).otherwise(0.0)
    rows = rows.filter(~nw.col("label").is_null()).with_columns(**calls)
    low, high = ({f"{end} {place}": part for place, part in enumerate(parts)} for end in ("lowest", "highest"))
    sums = ["positives", *(WEIGHT_SUMS if weight is not None else ())]
    summary = Summary.of(rows, [*calls, *by[1:]], sums, low, high)
    names = {"group": group_names(summary.keys["group"])} if group is not None else {}
    summary = Summary(summary.keys | names, *summary.tables[1:])
    return summary if weight is None else by_weight(summary)


def with_all(frame: Any, scores: Sequence[str]) -> nw.LazyFrame[Any]:
    """The rows that have all scores."""
    table = lazy(frame)
    columns(table, {name: (name, "number") for name in scores})
    for name in scores:
        table = table.filter(is_usable(nw.col(name).cast(nw.Float64)))
    return table
