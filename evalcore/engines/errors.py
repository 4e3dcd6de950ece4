"""Sums over true and estimated numbers, from which their means, variances and errors follow."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.frames import Grouped, Summary, chosen, collected, columns, some_bits
from evalcore.estimation import Moments
from evalcore.inference import Interval
from evalcore.inference.base.clustered import empirical_degrees, error_of_mean, student_quantile
from evalcore.readers import DataSet, Finding, ReadProblem, Roles, Unloaded, named
from evalcore.readers.base.column_names import free_name
from evalcore.registry import MetricDef, find
from evalcore.wording.numbers import count_text, number_text, threshold_text

__all__ = ["LARGEST_NUMBER", "EstimateSums", "estimate_dataset"]

LARGEST_NUMBER = 1e35
"""Numbers farther from 0 are left out: the eighth power of their error is infinite. The documented statements agree."""

_SUMS = ("truth", "estimate", "truth_truth", "estimate_estimate", "truth_estimate", "error", "absolute", "squared")
_SUMS += ("cubed", "fourth", "sixth", "eighth")

_ENDS = {"lowest_truth": "raw_truth", "highest_truth": "raw_truth", "lowest_error": "error", "highest_error": "error"}

# The sum whose mean each measure is, and those of its square and higher powers.
_LOSSES = {
    "mean_error": ("error", "squared"),
    "mean_absolute_error": ("absolute", "squared", "cubed", "fourth"),
    "mean_squared_error": ("squared", "fourth", "sixth", "eighth"),
}


@dataclass(frozen=True, eq=False)
class EstimateSums(Grouped):
    """Sums over rows of true and estimated numbers. ``a + b`` adds up the rows of both.

    Measures of estimates that need no more than sums take it in place of `Estimates`: RMSE, MSE, MAE, ME, SSE, the
    maximum error, R², explained variance, Pearson's and the concordance correlation. Medians and quantiles need rows.
    The summary has the sums of truth and estimate less the shift, of their products, and of the error and its powers;
    by "group" and "unit" where there are such. The shift is a number near the true ones, so that squares of large
    numbers do not cancel. Left out are rows that lack a number up to ±`LARGEST_NUMBER`.
    """

    summary: Summary
    shift: float
    left_out: float = 0.0

    @classmethod
    def of(
        cls, frame: Any, truth: str, estimate: str, *, group: str | None = None, unit: str | None = None,
        shift: float | None = None,
    ) -> "EstimateSums":  # fmt: skip
        """Add up the rows of a table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow on its engine.

        A unit is what rows belong to, such as a patient. The shift is by default the mean of the true numbers, which
        takes a reading of its own; give all shards the same one. Raises ReadProblem for a missing column or one of
        another type.

        >>> import pyarrow as pa
        >>> from evalcore import find
        >>> table = pa.table({"truth": [3.0, -0.5, 2.0, 7.0], "estimate": [2.5, 0.0, 2.0, 8.0]})
        >>> sums = EstimateSums.of(table, "truth", "estimate")
        >>> find("MAE")(sums), round(find("RMSE")(sums), 4)
        (0.5, 0.6124)
        """
        keys = chosen(group=group, unit=unit)
        table = finite_pairs(frame, truth, estimate, keys)
        pair = nw.col("raw_truth"), nw.col("raw_estimate")
        used = table.filter(nw.col("used") == 1)
        if shift is None:
            whole = Summary.of(used, (), ["raw_truth"]).sums
            shift = float(whole["raw_truth"][0] / whole["count"][0]) if whole["count"][0] else 0.0
        left_out = Summary.of(table.filter(nw.col("used") == 0), ()).sums["count"]
        y, p = (one - shift for one in pair)
        e = pair[1] - pair[0]
        square = e * e
        powers = square, square * e.abs(), square * square, square * square * square, square * square * square * square
        used = used.with_columns(**dict(zip(_SUMS, (y, p, y * y, p * p, y * p, e, e.abs(), *powers), strict=True)))
        return cls._of(Summary.of(used, keys, _SUMS, _ENDS), shift, float(left_out.sum()))

    @classmethod
    def of_table(cls, table: Any, shift: float, *, group: str | None = None, unit: str | None = None) -> "EstimateSums":
        """Build the sums from a summary made elsewhere, with the columns and the shift of the documented statement."""
        keys, numbers = chosen(group=group, unit=unit), {name: name for name in ("count", *_SUMS, *_ENDS)}
        return cls._of(Summary.of_table(table, keys, numbers), shift)

    @classmethod
    def _of(cls, summary: Summary, shift: float, left_out: float = 0.0) -> "EstimateSums":
        summary = summary.with_read_keys().merged()
        return cls(summary[summary.sums["count"] > 0], shift, left_out)

    def __add__(self, other: "EstimateSums") -> "EstimateSums":
        if self.shift != other.shift:
            raise ValueError(
                f"These sums have the shifts {self.shift:g} and {other.shift:g}; add up all shards with one shift."
            )
        return EstimateSums(self.summary + other.summary, self.shift, self.left_out + other.left_out)

    @cached_property
    def total(self) -> float:
        """n, the rows."""
        return float(self.summary.sums["count"].sum())

    @property
    def is_constant(self) -> bool:
        """Whether all true numbers are equal."""
        lowest, highest = (self.summary.sums[f"{end}_truth"] for end in ("lowest", "highest"))
        return lowest.min(initial=np.inf) >= highest.max(initial=-np.inf)

    @cached_property
    def moments(self) -> Moments:
        """Means, variances and covariance, from deviations from the shift."""
        if not self.total:
            return Moments(*[math.nan] * 5)
        y, p, yy, pp, yp = (self._mean(name) for name in _SUMS[:5])
        truth_variance = 0.0 if self.is_constant else max(yy - y * y, 0.0)
        return Moments(self.shift + y, self.shift + p, truth_variance, max(pp - p * p, 0.0), yp - y * p)

    def mean_loss(self, loss: str) -> float:
        """Mean of "error", "absolute" or "squared" over the rows, nan without any."""
        return self._mean(loss)

    @property
    def error_variance(self) -> float:
        """Variance of the errors, divided by n."""
        return max(self._mean("squared") - self._mean("error") ** 2, 0.0)

    @property
    def largest_error(self) -> float:
        """The largest distance of truth and estimate; nan without rows."""
        low, high = (self.summary.sums[f"{end}_error"] for end in ("lowest", "highest"))
        return float(max(high.max(), -low.min())) if len(low) else math.nan

    def interval(self, measure: MetricDef, level: float = 0.95) -> Interval:
        """Interval of the mean error, MAE or MSE, and from it of the RMSE, as in `estimate_interval`.

        With units it rests on their sums. Raises ValueError for any other measure.
        """
        if measure.key == "root_mean_squared_error":
            low, high = self._mean_interval("mean_squared_error", level)
            return Interval(math.sqrt(self._mean("squared")), math.sqrt(low), math.sqrt(high))
        if measure.key not in _LOSSES:
            raise ValueError(f"{measure.name} has no interval from sums. Use rows.")
        low, high = self._mean_interval(measure.key, level)
        return Interval(self._mean(_LOSSES[measure.key][0]), low, high)

    def _mean(self, name: str) -> float:
        return float(self.summary.sums[name].sum()) / self.total if self.total else math.nan

    def _mean_interval(self, key: str, level: float) -> tuple[float, float]:
        loss, square, *higher = _LOSSES[key]
        mean, n = self._mean(loss), self.total
        if "unit" in self.summary.keys:
            units = self.summary.by("unit")
            sums = units.sums[loss] - mean * units.sums["count"]
            # Rows without a unit are on their own: their squares were added up.
            alone = units[units.keys["unit"] == ""].sums
            sums = sums[units.keys["unit"] != ""]
            squares = sum(alone[square] - 2 * mean * alone[loss] + mean * mean * alone["count"])
            rows = int(sum(alone["count"]))
            added = np.append(sums, np.full(rows, math.sqrt(max(squares, 0.0) / max(rows, 1))))
            sizes = units.sums["count"][units.keys["unit"] != ""]
            error, degrees = error_of_mean(added, np.append(sizes, np.ones(rows)))
        else:
            variance = max(self._mean(square) - mean * mean, 0.0)
            error, degrees = (math.sqrt(variance / (n - 1)), n - 1) if n > 1 else (math.nan, math.nan)
            if higher and n > 1:
                third, fourth = (self._mean(name) for name in higher)
                moment = fourth - 4 * mean * third + 6 * mean**2 * self._mean(square) - 3 * mean**4
                if math.isfinite(moment):  # powers of very large errors are ∞
                    degrees = min(float(empirical_degrees(n * variance, n * moment, n)), degrees)
        reach = float(student_quantile(level, degrees)) * error
        if not reach > 0:
            return math.nan, math.nan
        if not higher:
            return mean - reach, mean + reach
        factor = math.exp(min(reach / mean, 700.0))
        return mean / factor, mean * factor


def finite_pairs(frame: Any, truth: str, estimate: str, keys: dict[str, str]) -> nw.LazyFrame[Any]:
    """Columns "raw_truth", "raw_estimate" and those of the keys, and whether both numbers can be "used": 1 or 0."""
    forms = {"raw_truth": (truth, "number"), "raw_estimate": (estimate, "number")}
    table = columns(frame, forms | {part: (column, "label") for part, column in keys.items()})
    usable = [~one.is_null() & ~one.is_nan() & (one.abs() <= LARGEST_NUMBER) for one in map(nw.col, forms)]
    return table.with_columns(used=nw.when(usable[0] & usable[1]).then(1).otherwise(0))


_SEEN = 20_000  # rows by which the cells are laid out; any others are as certain, and only more or larger
_STEPS, _BITS = 32, 6
"""Cells up to the median distance from the centre; and bits of larger distances, whose cells are up to 1/32 of them."""

_CELL_ENDS = {"raw_truth": ("lowest_truth", "highest_truth"), "raw_estimate": ("lowest_estimate", "highest_estimate")}


def estimate_dataset(
    frame: Any, roles: Roles, system: str | None = None, name: str = "table", unloaded: Unloaded | None = None
) -> DataSet:
    """Build the data set of numbers that are not loaded: one row per cell, with the means of its rows.

    A cell is at most 1/32 of the median error wide, and of larger errors at most 1/32 of these; the same holds of true
    numbers from their median. Means of errors are exact, and a number that repeats has its own cell. A
    finding tells the width, and the measures that are exact. The system is by default the first column of estimates.
    Raises ReadProblem if rows have weights or belong together, for which `EstimateSums` is; and as that.

    >>> import pyarrow as pa
    >>> from evalcore.readers import roles_of
    >>> table = pa.table({"truth": [3.0, -0.5, 2.0, 7.0] * 50, "estimate": [2.5, 0.0, 2.0, 8.0] * 50})
    >>> data = estimate_dataset(table, roles_of(truth="truth", estimate=("estimate",)))
    >>> len(data), data.estimates().total, find("MAE")(data.estimates())
    (4, 200.0, 0.5)
    """
    for part in ("weight", "cluster"):
        if (column := roles.get(part)) is not None:
            sentence = f"Estimates of rows with {named(column)} need the rows themselves: their intervals do not "
            raise ReadProblem(f"{sentence}follow from counts in cells. Leave out this role, or use fewer rows.")
    truth, estimate, group = roles.get("truth"), system or roles.get("estimate")[0], roles.get("group")
    sums = EstimateSums.of(frame, truth, estimate)
    used = finite_pairs(frame, truth, estimate, chosen(group=group)).filter(nw.col("used") == 1)
    y, p = nw.col("raw_truth"), nw.col("raw_estimate")
    sample = collected(used.select("raw_truth", "raw_estimate").head(_SEEN))
    centre = float(np.median(sample["raw_truth"])) if len(sample["raw_truth"]) else 0.0
    widths = [_step(sample["raw_truth"] - centre), _step(sample["raw_estimate"] - sample["raw_truth"])]
    # Numbers below, at and above 0 stay apart, as some measures are not defined for all of them.
    cells = {"truth_cell": _rounded(y - centre, widths[0]), "error_cell": _rounded(p - y, widths[1])}
    cells |= {"truth_sign": _sign(y), "estimate_sign": _sign(p)}
    keys = [*cells, *chosen(group=group)]
    extremes = {end: column for column, ends in _CELL_ENDS.items() for end in ends}
    counted = Summary.of(used.with_columns(**cells), keys, list(_CELL_ENDS), extremes, "table of counts by cell")
    counted = counted[counted.sums["count"] > 0].merged()  # Engines answer in any order.
    rows = counted.sums["count"]
    columns: dict[str, Any] = {
        # Of equal numbers the mean is that number, which their sum may miss by a digit.
        of: np.clip(counted.sums[part] / rows, *(counted.sums[end] for end in ends))
        for (part, ends), of in zip(_CELL_ENDS.items(), (truth, estimate), strict=True)
    }
    if group is not None:
        columns[group] = counted.with_read_keys().keys["group"]
    weight = free_name("rows", columns)
    columns[weight] = rows.astype(np.int64)
    lists = {column: values.tolist() for column, values in columns.items()}
    where = replace(unloaded or Unloaded("", name), roles=roles.to_text(), system=estimate, rows=int(sums.total))
    roles = replace(roles, estimate=(estimate,), weight=weight, weights_are="counts")
    finding = _finding(sums, len(rows), widths[1], weight)
    data = DataSet.of(nw.from_dict(lists, backend="pandas").to_native(), name, roles=roles, read_findings=(finding,))
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
    """Width of the small cells, a power of two; 0 if all values are equal."""
    apart = np.abs(distances[distances != 0])
    return 2.0 ** math.floor(math.log2(float(np.median(apart)) / _STEPS)) if len(apart) else 0.0


def _rounded(value: nw.Expr, width: float) -> nw.Expr:
    """Round to a multiple of a power of two by adding and subtracting a large number; large values to some bits."""
    large = 1.5 * 2.0**52 * width
    return nw.when(value.abs() > 2 * _STEPS * width).then(some_bits(value, _BITS)).otherwise((value + large) - large)


def _sign(value: nw.Expr) -> nw.Expr:
    return nw.when(value > 0).then(1).otherwise(nw.when(value < 0).then(-1).otherwise(0))
