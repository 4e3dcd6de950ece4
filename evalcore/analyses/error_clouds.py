"""Pictures of rows as points: what lies on their axes, which rows a brush chooses, and how the mean moves along."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.analyses.regression import largest_errors
from evalcore.estimation import absolute_errors
from evalcore.numeric import Array, ratio
from evalcore.wording import count_text, number_text, plain, rows_text, share_text, signed

__all__ = ["Brush", "Cloud", "RowsOfErrors", "brush_of_selection", "clouds"]

_MOST_POINTS = 5_000
"""Of more rows the density is drawn."""
ERROR = "error (estimate − truth)"
_BINS = 70
_TREND_BINS = 20
_FEWEST_IN_BIN = 5


@dataclass(frozen=True, eq=False)
class Cloud:
    """One point per row. Titles may hold names from a file: escape them."""

    key: str
    x: Array
    y: Array
    titles: tuple[str, str]
    line: str = ""  # "equal" or "zero": the line that perfect estimates lie on
    trend: bool = False  # whether the mean along x is drawn
    categories: tuple[str, ...] = ()  # the names of x = 0, 1, …, where x is no number

    @property
    def is_density(self) -> bool:
        """Whether there are too many rows for a point each."""
        return len(self.x) > _MOST_POINTS

    @cached_property
    def edges(self) -> tuple[Array, Array]:
        """Edges of the bins of a density along both axes; no row lies outside."""
        x = np.arange(len(self.categories) + 1) - 0.5 if self.categories else _edges(self.x)
        return x, _edges(self.y)

    def around(self, x: float, y: float) -> "Brush":
        """The rows at a point that was clicked: there, or in the bin around it."""
        if not self.is_density:
            return Brush(self.key, (x, x), (y, y))
        ends = []
        for edges, value in zip(self.edges, (x, y), strict=True):
            place = min(max(int(np.searchsorted(edges, value, side="right")), 1), len(edges) - 1)
            ends.append((float(edges[place - 1]), float(edges[place])))
        return Brush(self.key, *ends)

    def mask(self, brush: "Brush") -> npt.NDArray[np.bool_]:
        """Which rows lie in the rectangle of a brush, its edges included."""
        (low, high), (bottom, top) = brush.x, brush.y
        return (self.x >= low) & (self.x <= high) & (self.y >= bottom) & (self.y <= top)

    @cached_property
    def trend_line(self) -> tuple[Array, Array]:
        """Mean of y over the mean of x in bins of as many rows each; empty with few rows."""
        bins = min(_TREND_BINS, len(self.x) // _FEWEST_IN_BIN)
        if bins < 2 or self.categories:
            return np.empty(0), np.empty(0)
        edges = np.unique(np.quantile(self.x, np.linspace(0, 1, bins + 1)))
        codes = np.clip(np.searchsorted(edges, self.x, side="right") - 1, 0, max(len(edges) - 2, 0))
        sizes = np.bincount(codes)
        means = [ratio(np.bincount(codes, values), sizes) for values in (self.x, self.y)]
        return means[0][sizes > 0], means[1][sizes > 0]


def _edges(values: Array) -> Array:
    low, high = float(values.min()), float(values.max())
    if not high > low:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _BINS + 1)


@dataclass(frozen=True)
class Brush:
    """A rectangle in one of the pictures.

    >>> Brush.read(Brush("truth", (1.0, 2.5), (0.0, 3.0)).text)
    Brush(cloud='truth', x=(1.0, 2.5), y=(0.0, 3.0))
    """

    cloud: str
    x: tuple[float, float]
    y: tuple[float, float]

    @property
    def text(self) -> str:
        """As it stands in a link."""
        return "~".join([self.cloud, *(repr(float(end)) for end in (*self.x, *self.y))])

    @classmethod
    def read(cls, text: str | None) -> "Brush | None":
        """The brush of a link; None where the text is none."""
        name, *ends = (text or "").split("~")
        try:
            left, right, bottom, top = map(float, ends)
        except ValueError:
            return None
        return cls(name, (left, right), (bottom, top)) if np.isfinite([left, right, bottom, top]).all() else None


def brush_of_selection(cloud: Cloud, points: Sequence[Mapping], boxes: Sequence[Mapping]) -> Brush | None:
    """What was selected in a picture of points: a rectangle, or all rows at a clicked point; None where nothing was.

    >>> nothing = Cloud("truth", np.empty(0), np.empty(0), ("", ""))
    >>> brush_of_selection(nothing, [], [{"x": [2, 1], "y": [0, 3]}])
    Brush(cloud='truth', x=(1, 2), y=(0, 3))
    """
    if boxes:
        x, y = (tuple(sorted(boxes[-1][axis][:2])) for axis in ("x", "y"))
        return Brush(cloud.key, x, y)
    if points:
        return cloud.around(points[-1]["x"], points[-1]["y"])
    return None


def clouds(estimates: EstimateRows) -> Mapping[str, Cloud]:
    """Truth against estimate, and error against estimate: each hides what the other shows.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> cloud = clouds(EstimateRows.of(Source.of(read_sample("diabetes"))))["truth"]
    >>> int(cloud.mask(Brush("truth", (300.0, 400.0), (0.0, 150.0))).sum())
    0
    """
    state = estimates.state
    truth, estimate = estimates.truth, estimates.system
    both = (
        Cloud("truth", state.estimate, state.truth, (f"estimate: {estimate}", f"truth: {truth}"), "equal"),
        Cloud("error", state.estimate, state.error, (f"estimate: {estimate}", ERROR), "zero", True),
    )
    return {cloud.key: cloud for cloud in both}


@dataclass(frozen=True, eq=False)
class RowsOfErrors:
    """Some rows with their errors: those of a brush, or the worst."""

    estimates: EstimateRows
    places: npt.NDArray[np.intp]  # among the rows of the estimates
    brushed: bool = False

    @classmethod
    def worst(cls, estimates: EstimateRows, most: int) -> "RowsOfErrors":
        """The rows with the largest absolute errors, the largest first.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> worst = RowsOfErrors.worst(EstimateRows.of(Source.of(read_sample("diabetes"))), 2)
        >>> worst.table["row"], worst.table["error"]
        (['line 58', 'line 104'], [154.2, -153.5])
        """
        return cls(estimates, largest_errors(estimates, most))

    @classmethod
    def within(cls, estimates: EstimateRows, cloud: Cloud, brush: Brush) -> "RowsOfErrors":
        """The rows in a brush, the largest absolute error first."""
        places = np.flatnonzero(cloud.mask(brush))
        order = np.argsort(-np.abs(estimates.state.error[places]), kind="stable")
        return cls(estimates, places[order], True)

    def first(self, most: int) -> "RowsOfErrors":
        """The first of them."""
        return RowsOfErrors(self.estimates, self.places[:most], self.brushed)

    @property
    def positions(self) -> npt.NDArray[np.intp]:
        """Their places in the open table."""
        return self.estimates.rows[self.places]

    @property
    def verdict(self) -> str:
        """How many rows they are and what they make of the errors, in Markdown."""
        state, count = self.estimates.state, len(self.places)
        if not count:
            return "No row lies in the rectangle."
        some = state[self.places]
        squares = float((some.weight * np.square(some.error)).sum())
        whole = float((state.weight * np.square(state.error)).sum())
        share = f", **{share_text(squares / whole)}** of the sum of squared errors" if whole else ""
        if not self.brushed:
            which = "worst row makes" if count == 1 else f"{count_text(count)} worst rows make"
            return f"The {which} {share.removeprefix(', ')}." if share else "No row is off."
        mean, absolute = some.mean(some.error), some.mean(absolute_errors(some))
        return (
            f"**{rows_text(count)}** in the rectangle{share}: mean error {signed(number_text)(mean)}, mean absolute "
            f"error {number_text(absolute)}."
        )

    @property
    def table(self) -> dict[str, list]:
        """The rows as columns, unrounded."""
        state, places = self.estimates.state, self.places
        whole = float((state.weight * np.square(state.error)).sum())
        error = state.error[places]
        return {
            "row": [self.estimates.line(place) for place in places.tolist()],
            "truth": state.truth[places].tolist(),
            "estimate": state.estimate[places].tolist(),
            "error": error.tolist(),
            "share of SSE": ratio(state.weight[places] * np.square(error), whole).tolist(),
        }

    @property
    def about(self) -> str:
        """What the rows are, in Markdown."""
        return "brushed rows" if self.brushed else f"worst rows of {plain(self.estimates.system, 40)}"
