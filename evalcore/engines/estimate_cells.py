"""Data sets of estimates that are not loaded: rows are counted in small cells of true number and error."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.errors import LARGEST_NUMBER, EstimateSums, finite_pairs
from evalcore.engines.frames import collected
from evalcore.engines.summaries import Summary, group_names
from evalcore.readers import DataSet, Finding, ReadProblem, Roles, Unloaded, named
from evalcore.readers.column_names import free_name
from evalcore.registry import find
from evalcore.wording.numbers import count_text, number_text, threshold_text

__all__ = ["estimate_dataset"]

_SEEN = 20_000
"""Rows by which the cells are laid out; any others are as certain, and only more or larger."""

_STEPS, _BITS = 32, 6
"""Cells up to the median distance from the centre; and bits of larger distances, whose cells are up to 1/32 of them."""

_ENDS = {"raw_truth": ("lowest_truth", "highest_truth"), "raw_estimate": ("lowest_estimate", "highest_estimate")}


def estimate_dataset(
    frame: Any, roles: Roles, system: str | None = None, name: str = "table", unloaded: Unloaded | None = None
) -> DataSet:
    """The data set of true and estimated numbers that are not loaded: one row per cell, with the means of its rows.

    A cell is at most 1/32 of the median error wide, and of errors that are twice as large or more at most 1/32 of
    these; the same holds of the distance of true numbers from their median. Means of errors are exact, and where
    numbers repeat, each has a cell of its own. A finding tells the width, and the measures that are exact from sums.

    Parameters
    ----------
    frame : table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow
    roles : Roles
        Of estimates.
    system : str, optional
        The column of estimates, by default the first.

    Raises
    ------
    ReadProblem
        If rows have weights or belong together, for which `EstimateSums` is; and as that.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evalcore.readers import roles_of
    >>> table = pa.table({"truth": [3.0, -0.5, 2.0, 7.0] * 50, "estimate": [2.5, 0.0, 2.0, 8.0] * 50})
    >>> data = estimate_dataset(table, roles_of(truth="truth", estimate=("estimate",)))
    >>> len(data), data.estimates().total, find("MAE")(data.estimates())
    (4, 200.0, 0.5)
    """
    for part in ("weight", "cluster"):
        if (column := roles.get(part)) is not None:
            raise ReadProblem(
                f"Estimates of rows with {named(column)} need the rows themselves: their intervals do not follow from "
                "counts in cells. Leave out this role, or use fewer rows."
            )
    truth, estimate, group = roles.get("truth"), system or roles.get("estimate")[0], roles.get("group")
    sums = EstimateSums.of(frame, truth, estimate)
    table = finite_pairs(frame, truth, estimate, {} if group is None else {"group": (group, "label")})
    used = table.filter(nw.col("used") == 1)
    y, p = nw.col("raw_truth"), nw.col("raw_estimate")
    seen = collected(used.select("raw_truth", "raw_estimate").head(_SEEN))
    centre = float(np.median(seen["raw_truth"])) if len(seen["raw_truth"]) else 0.0
    widths = [_step(seen["raw_truth"] - centre), _step(seen["raw_estimate"] - seen["raw_truth"])]
    # Numbers below, at and above 0 stay apart, as some measures are not defined for all of them.
    cells = {"truth_cell": _rounded(y - centre, widths[0]), "error_cell": _rounded(p - y, widths[1])}
    cells |= {"truth_sign": _sign(y), "estimate_sign": _sign(p)}
    keys = [*cells, *([] if group is None else ["group"])]
    low, high = ({ends[side]: column for column, ends in _ENDS.items()} for side in (0, 1))
    counted = Summary.of(used.with_columns(**cells), keys, list(_ENDS), low, high, what="table of counts by cell")
    # Engines answer in any order.
    counted = counted[counted.sums["count"] > 0].merged()
    rows = counted.sums["count"]
    columns: dict[str, Any] = {
        # Of equal numbers the mean is that number, which their sum may miss by a digit.
        of: np.clip(counted.sums[part] / rows, counted.lowest[ends[0]], counted.highest[ends[1]])
        for (part, ends), of in zip(_ENDS.items(), (truth, estimate), strict=True)
    }
    if group is not None:
        columns[group] = group_names(counted.keys["group"])
    weight = free_name("rows", columns)
    columns[weight] = rows.astype(np.int64)
    lists = {column: values.tolist() for column, values in columns.items()}
    counted_as = roles.to_text()
    roles = replace(roles, estimate=(estimate,), weight=weight, weights_are="counts")
    finding = _finding(sums, len(rows), widths[1], weight)
    data = DataSet.of(nw.from_dict(lists, backend="pandas").to_native(), name, roles=roles, read_findings=(finding,))
    where = replace(unloaded or Unloaded("", name), roles=counted_as, system=estimate, rows=int(sums.total))
    return replace(data, findings=(finding,), unloaded=where)


def _finding(sums: EstimateSums, cells: int, width: float, weight: str) -> Finding:
    exact = ", ".join(f"{symbol} {number_text(find(symbol)(sums), 6)}" for symbol in ("MAE", "RMSE", "R²"))
    sentence = f"{count_text(sums.total)} rows are counted here in {count_text(cells)} cells of true number and error, "
    beyond = f", or with one beyond ±{LARGEST_NUMBER:g}," if sums.left_out else ""
    sentence += f"and {count_text(sums.left_out)} without a number{beyond} are left out: each row stands for as many "
    sentence += f"as column {named(weight)} says. No error is off by more than {threshold_text(width)}, a large one by "
    sentence += "1/32 of itself; of the rows themselves "
    return Finding("info", f"{sentence}{exact}.", int(sums.total), weight, code="counted rows")


def _step(distances: np.ndarray) -> float:
    """The width of the small cells, a power of two; 0 where nothing is apart."""
    apart = np.abs(distances[distances != 0])
    return 2.0 ** math.floor(math.log2(float(np.median(apart)) / _STEPS)) if len(apart) else 0.0


def _rounded(value: nw.Expr, width: float) -> nw.Expr:
    """To multiples of a power of two, by an addition that drops the digits below; large ones to some bits."""
    # As in `evalcore.engines.score_keys`.
    product = value * (2.0 ** (53 - _BITS) + 1)
    some_bits = product - (product - value)
    large = 1.5 * 2.0**52 * width
    return nw.when(value.abs() > 2 * _STEPS * width).then(some_bits).otherwise((value + large) - large)


def _sign(value: nw.Expr) -> nw.Expr:
    return nw.when(value > 0).then(1).otherwise(nw.when(value < 0).then(-1).otherwise(0))
