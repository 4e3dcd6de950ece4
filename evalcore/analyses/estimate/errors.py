"""Distribution of the errors: histogram, normal quantile plot, and a description of the shape."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist

import numpy as np

from evalcore.analyses.data.estimates import EstimateRows
from evalcore.analyses.data.shaping import RowSelection, group_order
from evalcore.estimation import absolute_errors, quantiles
from evalcore.numeric import Array, Indices, at_rows, ratio, rows_behind, rows_counted
from evalcore.readers import group_codes
from evalcore.wording import count_text, number_text, rows_text, share_text, signed

__all__ = ["Brush", "Cloud", "ErrorDistribution", "RowsOfErrors", "brush_of_selection", "cloud_of", "column_key"]
__all__ += ["other_columns"]

_MOST_BINS, _QUANTILES = 60, 400
_HEAVY, _SKEWED = 1.0, 0.5
_MOST_POINTS = 5_000  # rows up to which points are drawn; above, their density
ERROR = "error (estimate − truth)"
MOST_CATEGORIES = 12
"""Values of a column that are drawn beside each other; a column of numbers with more of them is an axis."""
_COLUMN = "column:"
_GOLDEN = 0.6180339887498949
_BINS, _TREND_BINS, _FEWEST_IN_BIN = 70, 20, 5


@dataclass(frozen=True, eq=False)
class ErrorDistribution:
    """The errors of one system."""

    estimates: EstimateRows

    @cached_property
    def mean(self) -> float:
        """Mean error."""
        return self.estimates.state.mean(self.estimates.state.error)

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of the errors, divided by n."""
        state = self.estimates.state
        return math.sqrt(state.mean(np.square(state.error - self.mean)))

    @cached_property
    def histogram(self) -> tuple[Array, Array]:
        """Rows (or weight) in each bin of equal width, and the edges; the width by Freedman and Diaconis."""
        state = self.estimates.state.counted
        low, high = _range(state.error)
        width = 2 * (state.quantile(state.error, 0.75) - state.quantile(state.error, 0.25))
        width /= rows_behind(state.weights, len(state)) ** (1 / 3)
        bins = min(max(math.ceil((high - low) / width), 5), _MOST_BINS) if width > 0 else 20
        counts, edges = np.histogram(state.error, bins=bins, range=(low, high), weights=state.weights)
        return counts.astype(np.float64), edges

    @cached_property
    def quantiles(self) -> tuple[Array, Array]:
        """Quantiles of the normal distribution and of the errors, at most 400 evenly spaced."""
        state = self.estimates.state.counted
        order = np.argsort(state.error, kind="stable")
        ordered, weight = state.error[order], state.weight[order]
        if (rows := rows_counted(weight)) is not None:  # each row has a quantile of its own
            ordered, weight = ordered[rows], np.ones(len(rows))
        sums = np.cumsum(weight)
        shares = (sums - weight / 2) / sums[-1]
        places = np.unique(np.linspace(0, len(ordered) - 1, min(_QUANTILES, len(ordered))).round().astype(np.intp))
        normal = np.array([NormalDist().inv_cdf(share) for share in shares[places].tolist()])
        return normal, ordered[places]

    @cached_property
    def shape(self) -> tuple[float, float]:
        """Skewness and excess kurtosis; nan if all errors are equal."""
        state = self.estimates.state
        if not self.deviation > 0:
            return math.nan, math.nan
        z = (state.error - self.mean) / self.deviation
        return state.mean(z**3), state.mean(z**4) - 3

    @property
    def verdict(self) -> str:
        """Verdict on how far the errors are from normal, in Markdown."""
        skewness, kurtosis = self.shape
        if math.isnan(skewness):
            return "**All errors are equal.**"
        words = []
        if abs(skewness) > _SKEWED:
            words.append(f"skewed: large errors are mostly too {'high' if skewness > 0 else 'low'}")
        if abs(kurtosis) > _HEAVY:
            tails, many = ("heavy", "more very") if kurtosis > 0 else ("light", "fewer")
            words.append(f"{tails}-tailed: {many} large errors than a normal distribution has")
        what = f"The errors are {', and '.join(words)}." if words else "The errors look close to normal."
        state = self.estimates.state
        inside = [state.mean((np.abs(state.error - self.mean) <= k * self.deviation) * 1.0) for k in (1, 2)]
        return (
            f"**{what}** Skewness {number_text(skewness)}, excess kurtosis {number_text(kurtosis)}; "
            f"{share_text(inside[0])} lie within one standard deviation ({number_text(self.deviation)}) of the mean "
            f"(normal: 68.3\u202f%), {share_text(inside[1])} within two (95.4\u202f%)."
        )


@dataclass(frozen=True, eq=False)
class Cloud:
    """Scatter plot with one point per row. Titles may be unescaped text from a file."""

    key: str
    x: Array
    y: Array
    titles: tuple[str, str]
    line: str = ""  # "equal" or "zero": the line that perfect estimates lie on
    trend: bool = False  # whether the mean along x is drawn
    categories: tuple[str, ...] = ()  # the names of x = 0, 1, …, where x is no number
    places: Indices | None = None  # of the points among the rows; None: all of them
    weights: Array | None = None  # what each point counts; None: each counts 1

    @property
    def is_density(self) -> bool:
        """Whether a density replaces points, because there are too many rows."""
        return len(self.x) > _MOST_POINTS

    @cached_property
    def edges(self) -> tuple[Array, Array]:
        """Bin edges of a density along both axes, which cover all rows."""
        x = np.arange(len(self.categories) + 1) - 0.5 if self.categories else _edges(self.x)
        return x, _edges(self.y)

    def around(self, x: float, y: float) -> "Brush":
        """Rows at a clicked point, or in the bin around it."""
        if not self.is_density:
            return Brush(self.key, (x, x), (y, y))
        ends = []
        for edges, value in zip(self.edges, (x, y), strict=True):
            place = min(max(int(np.searchsorted(edges, value, side="right")), 1), len(edges) - 1)
            ends.append((float(edges[place - 1]), float(edges[place])))
        return Brush(self.key, *ends)

    def rows_in(self, brush: "Brush") -> Indices:
        """Places of the rows in the rectangle of a brush, its edges included."""
        (low, high), (bottom, top) = brush.x, brush.y
        within = (self.x >= low) & (self.x <= high) & (self.y >= bottom) & (self.y <= top)
        return np.flatnonzero(within) if self.places is None else self.places[within]

    @cached_property
    def density(self) -> Array:
        """Number of points in each bin, or the sum of their weights, shape (bins of y, bins of x)."""
        codes = []
        for values, edges in zip((self.x, self.y), self.edges, strict=True):
            place = ((values - edges[0]) / float(edges[1] - edges[0])).astype(np.intp)
            codes.append(np.clip(place, 0, len(edges) - 2))
        across, down = (len(edges) - 1 for edges in self.edges)
        counts = np.bincount(codes[1] * across + codes[0], self.weights, across * down)
        return counts.reshape(down, across).astype(np.float64)

    @cached_property
    def trend_line(self) -> tuple[Array, Array]:
        """Mean of y over the mean of x in bins of as many points each; empty with few points."""
        w = np.ones(len(self.x)) if self.weights is None else self.weights
        if self.categories:
            codes = np.rint(self.x).astype(np.intp)
            sizes = np.bincount(codes, w, len(self.categories))
            return np.arange(len(sizes)) * 1.0, ratio(np.bincount(codes, w * self.y, len(sizes)), sizes)
        if (bins := min(_TREND_BINS, rows_behind(self.weights, len(self.x)) // _FEWEST_IN_BIN)) < 2:
            return np.empty(0), np.empty(0)
        order = np.argsort(self.x, kind="stable")
        order = order[w[order] > 0]
        edges = np.unique(quantiles(self.x[order], np.linspace(0, 1, bins + 1), w[order]))
        codes = np.clip(np.searchsorted(edges, self.x, side="right") - 1, 0, max(len(edges) - 2, 0))
        sizes = np.bincount(codes, w)
        means = [ratio(np.bincount(codes, w * values), sizes) for values in (self.x, self.y)]
        return means[0][sizes > 0], means[1][sizes > 0]


def _edges(values: Array) -> Array:
    return np.linspace(*_range(values), _BINS + 1)


def _range(values: Array) -> tuple[float, float]:
    """Lowest and highest value; half a unit to either side of values that differ by rounding alone."""
    low, high = float(values.min()), float(values.max())
    return (low, high) if high - low > 1e-12 * max(abs(low), abs(high)) else (low - 0.5, high + 0.5)


@dataclass(frozen=True)
class Brush:
    """Rectangle in a scatter plot of errors.

    >>> Brush.read(Brush("truth", (1.0, 2.5), (0.0, 3.0)).text)
    Brush(cloud='truth', x=(1.0, 2.5), y=(0.0, 3.0))
    """

    cloud: str
    x: tuple[float, float]
    y: tuple[float, float]

    @property
    def text(self) -> str:
        """The brush as text for a link."""
        return "~".join([*(repr(float(end)) for end in (*self.x, *self.y)), self.cloud])

    @classmethod
    def read(cls, text: str | None) -> "Brush | None":
        """Parse the brush of a link; None if the text is invalid."""
        *ends, name = (text or "").split("~", 4)
        try:
            left, right, bottom, top = map(float, ends)
        except ValueError:
            return None
        return cls(name, (left, right), (bottom, top)) if np.isfinite([left, right, bottom, top]).all() else None


def brush_of_selection(cloud: Cloud, points: Sequence[Mapping], boxes: Sequence[Mapping]) -> Brush | None:
    """Brush of a selection in a scatter plot: a rectangle, or all rows at a clicked point; None without one."""
    if boxes:
        return Brush(cloud.key, *(tuple(sorted(boxes[-1][axis][:2])) for axis in ("x", "y")))
    return cloud.around(points[-1]["x"], points[-1]["y"]) if points else None


def cloud_of(estimates: EstimateRows, key: str) -> Cloud | None:
    """Scatter plot by its name; None if there is none.

    "truth" and "error" have truth and error over the estimate: each hides what the other shows. "scale" has the size of
    the error, "difference" the error over the mean of both (Bland–Altman), "column:age" the error over another column.
    """
    state, name, weights = estimates.state, key.removeprefix(_COLUMN), estimates.state.weights
    if key.startswith(_COLUMN):
        cloud = _over_column(estimates, name) if name in other_columns(estimates) else None
        return cloud and replace(cloud, weights=at_rows(weights, cloud.places))
    if key == "truth":
        return Cloud(key, state.estimate, state.truth, ("estimate", "truth"), "equal", weights=weights)
    if key == "error":
        return Cloud(key, state.estimate, state.error, ("estimate", ERROR), "zero", True, weights=weights)
    if key == "scale":
        mean, spread = state.mean(state.error), math.sqrt(state.error_variance) or 1.0
        size = np.sqrt(np.abs(state.error - mean) / spread)
        return Cloud(key, state.estimate, size, ("estimate", "√|standardised error|"), "", True, weights=weights)
    if key == "difference":
        titles = "mean of truth and estimate", "estimate − truth"
        return Cloud(key, (state.truth + state.estimate) / 2, state.error, titles, "zero", weights=weights)
    return None


def column_key(name: str) -> str:
    """Name of the scatter plot of errors against a column."""
    return f"{_COLUMN}{name}"


def other_columns(estimates: EstimateRows) -> list[str]:
    """Columns that errors can be plotted against. Unescaped text from a file."""
    own = estimates.truth, estimates.system
    return [name for name in map(str, estimates.source.frame.columns) if name not in own]


def _over_column(estimates: EstimateRows, name: str) -> Cloud:
    column, error = estimates.source.frame[name].iloc[estimates.rows], estimates.state.error
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(np.float64, na_value=np.nan)
        if any(len(np.unique(some)) > MOST_CATEGORIES for some in (numbers[:1000], numbers)):
            places = np.flatnonzero(np.isfinite(numbers))
            axes = numbers[places], error[places], (name, ERROR)
            return Cloud(column_key(name), *axes, "zero", True, places=places)
    codes, texts = group_codes(column)
    sizes = np.bincount(codes, estimates.state.weights, len(texts))
    largest = np.argsort(-sizes, kind="stable")[:MOST_CATEGORIES]
    names = group_order([texts[place] for place in largest.tolist()])
    places_of = np.full(len(texts), -1)
    places_of[[texts.index(text) for text in names]] = np.arange(len(names))
    x = places_of[codes]
    places = np.flatnonzero(x >= 0)
    # Points of one category lie beside each other, the same way at each visit.
    apart = (np.arange(len(places)) * _GOLDEN % 1 - 0.5) * 0.6
    axes = x[places] + apart, error[places], (name, ERROR)
    return Cloud(column_key(name), *axes, "zero", True, tuple(names), places)


@dataclass(frozen=True, eq=False)
class RowsOfErrors:
    """Selected rows with their errors: those in a brush, or the worst."""

    estimates: EstimateRows
    places: Indices  # among the rows of the estimates
    brushed: bool = False

    @classmethod
    def worst(cls, estimates: EstimateRows, most: int) -> "RowsOfErrors":
        """The rows with the largest absolute errors, the largest first; earlier rows first among equal ones."""
        errors = np.where(estimates.state.weight > 0, absolute_errors(estimates.state), -1.0)
        least = np.partition(errors, -most)[-most] if most < len(errors) else 0
        places = np.flatnonzero(errors >= least)
        return cls(estimates, places[np.argsort(-errors[places], kind="stable")][:most])

    @classmethod
    def within(cls, estimates: EstimateRows, cloud: Cloud, brush: Brush) -> "RowsOfErrors":
        """The rows in a brush, the largest absolute error first."""
        places = cloud.rows_in(brush)
        return cls(estimates, places[np.argsort(-np.abs(estimates.state.error[places]), kind="stable")], True)

    @property
    def positions(self) -> Indices:
        """Indices of the rows in the open table."""
        return self.estimates.rows[self.places]

    @property
    def verdict(self) -> str:
        """Number of selected rows and their part of the errors, in Markdown."""
        state, source = self.estimates.state, self.estimates.source
        if not (count := round(source.dataset.rows_behind(self.positions))):
            return "No row lies in the rectangle."
        some, whole = state[self.places], self._squares.sum()
        share = f"**{share_text(float(ratio(self._squares[self.places].sum(), whole)))}** of the sum of squared errors"
        if not self.brushed:
            which = "worst row accounts for" if count == 1 else f"{count_text(count)} worst rows account for"
            return f"The {which} {share}." if whole else "No row has an error."
        mean, absolute = some.mean(some.error), some.mean(absolute_errors(some))
        where = " in the rectangle" if len(self.places) > 1 else ""
        return (
            f"**{rows_text(count)}**{where}{f', {share}' if whole else ''}: mean error "
            f"{signed(number_text)(mean)}, mean absolute error {number_text(absolute)}."
        )

    @property
    def _squares(self) -> Array:
        """Squared error of every row times its weight."""
        return self.estimates.state.weight * np.square(self.estimates.state.error)

    @property
    def selection(self) -> RowSelection:
        """The rows with their errors in the open table."""
        own, squares = self.estimates, self._squares
        shares = ratio(squares[self.places], float(squares.sum()))
        beside = {"error": own.state.error[self.places], "share of SSE": shares}
        return RowSelection(own.source, self.verdict, self.positions, (own.truth, own.system), beside)
