"""The reliability diagram on the page, how its bins are laid out, and what it says in a sentence and in numbers."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import streamlit as st

from evalcore import Array, ratio
from evalcore.classification import (
    EventProbabilities,
    ReliabilityBins,
    asked,
    bin_edges,
    calibration_error,
    overconfidence,
    reliability_bins,
)
from evalcore.figures import Calibrated, reliability_figure
from evalcore.inference import ChanceError, Interval, calibration_error_by_chance, isotonic, wilson
from evalcore.wording import count_text, number_text, plain, share_text

from ...display.figure import page_ink, show_figure
from .rows import Stated

WAYS = ("equal width", "equal count", "own edges")
MOST_BINS = 100
_START = 10
_EDGES = "0.1, 0.3, 0.5, 0.7, 0.9"
_HISTOGRAM = 20


@dataclass(frozen=True)
class Binning:
    """How the bins are laid out.

    Parameters
    ----------
    way : {"equal width", "equal count", "own edges"}
    bins : int
        How many; no matter for own edges.
    edges : tuple of float
        From 0 to 1; empty unless they are one's own.
    """

    way: str = "equal width"
    bins: int = _START
    edges: tuple[float, ...] = ()

    @property
    def words(self) -> str:
        """The binning in words: "10 bins of equal width"."""
        if self.edges:
            return f"{len(self.edges) - 1} bins with edges of your own"
        return f"{self.bins} {'bin' if self.bins == 1 else 'bins'} of {self.way}"

    @property
    def code(self) -> str:
        """The edges as Python, for an ``event``."""
        return repr(list(self.edges)) if self.edges else f'bin_edges(event, {self.bins}, "{self.way}")'

    def edges_of(self, event: EventProbabilities) -> Array:
        """The edges for some probabilities."""
        return np.array(self.edges) if self.edges else bin_edges(event, self.bins, self.way)


@dataclass(frozen=True, eq=False)
class Diagram:
    """What the reliability diagram shows, counted once."""

    event: EventProbabilities
    edges: Array
    bins: ReliabilityBins
    interval: Interval
    error: float
    largest: float
    chance: ChanceError
    said: float
    came_true: float

    @property
    def errors(self) -> dict[str, tuple[float, tuple[float, float]]]:
        """The calibration errors over these bins by key, with what calibrated probabilities reach by chance."""
        chance = self.chance
        return {
            "expected_calibration_error": (self.error, (chance.expected, chance.expected_high)),
            "maximum_calibration_error": (self.largest, (chance.maximum, chance.maximum_high)),
        }


def choose_binning() -> tuple[Binning, bool]:
    """Ask for the layout of the bins, and whether a line without bins is drawn too; all stay in the address."""
    way = st.segmented_control("Bins", WAYS, default=WAYS[0], key="binning", bind="query-params", required=True)
    binning = Binning()
    if way == WAYS[2]:
        text = st.text_input("Edges between 0 and 1", _EDGES, key="edges", bind="query-params", width=260)
        edges = _edges_in(text)
        if edges is None:
            st.caption("Edges are rising numbers between 0 and 1, such as 0.1, 0.5, 0.9. Ten of equal width are shown.")
        else:
            binning = Binning(way, len(edges) - 1, edges)
    else:
        # Not of whole numbers: Streamlit cannot turn an infinity in the address into one.
        typed = st.number_input(
            "How many", 1.0, float(MOST_BINS), float(_START), 1.0, "%.0f", key="bins", bind="query-params", width=110
        )
        good = typed is not None and 1 <= typed <= MOST_BINS
        binning = Binning(way if way in WAYS else WAYS[0], round(typed) if good else _START)
    line = st.toggle(
        "Line without bins",
        key="unbinned",
        bind="query-params",
        help="The curve that never falls and fits what came true best (isotonic regression)",
    )
    return binning, line


def diagram_of(stated: Stated, binning: Binning, level: float, seed: int) -> Diagram:
    """Bins, intervals and calibration errors; kept by data set and binning."""
    return _diagram(stated.key, binning, level, seed, _stated=stated)


def show_reliability(stated: Stated, binning: Binning, line: bool, level: float, seed: int) -> None:
    """The picture."""
    diagram = diagram_of(stated, binning, level, seed)
    curve = _isotonic(stated.key, _event=diagram.event) if line else None
    show_figure(
        reliability_figure(
            [Calibrated("as stated", diagram.bins, diagram.interval.low, diagram.interval.high)],
            histogram_of(diagram, binning),
            page_ink(),
            *axis_words(stated),
            line=curve,
        ),
        key="reliability",
        alt=f"Reliability diagram, {binning.words}: " + alt_of(diagram),
        filename="reliability",
    )


def alt_of(diagram: Diagram) -> str:
    """What a diagram shows, bin by bin."""
    bins = diagram.bins
    return "; ".join(
        f"said {number_text(said)}, came true {share_text(share)} of {count_text(n)}"
        for said, share, n in list(zip(bins.mean_probability, bins.observed, bins.n, strict=True))[:20]
    )


def histogram_of(diagram: Diagram, binning: Binning) -> ReliabilityBins:
    """The bars under the diagram: the bins themselves where they are equally wide, else twenty that are."""
    if binning.way == WAYS[0]:
        return diagram.bins
    return reliability_bins(diagram.event, np.linspace(0, 1, _HISTOGRAM + 1))


def axis_words(stated: Stated) -> tuple[str, str]:
    """What the two axes of the diagram are called. May hold a name from a file."""
    if not stated.binary:
        return "probability of the most probable class", "share in which it is the right one"
    positive = stated.table.classes[1]
    return f"stated probability of {positive}", f"share that is {positive}"


def verdict(stated: Stated, diagram: Diagram, binning: Binning, skill: float) -> str:
    """What the numbers say, in Markdown."""
    said, came = diagram.said, diagram.came_true
    what = "the most probable class is right" if not stated.binary else plain(stated.table.classes[1], 40)
    parts = [f"On average **{share_text(said)}** was stated, and **{share_text(came)}** came true ({what})."]
    if len(np.unique(diagram.event.probability[:2])) < 2 and np.ptp(diagram.event.probability) == 0:
        parts.append("Every row says the same, so the rows are not told apart.")
    elif diagram.error <= diagram.chance.expected_high:
        parts.append(
            f"In {binning.words} it is off by {number_text(diagram.error)}, no more than calibrated probabilities "
            "would be by chance."
        )
    else:
        parts.append(
            f"In {binning.words} it is off by **{number_text(diagram.error)}**; calibrated probabilities would be off "
            f"by {number_text(diagram.chance.expected)}, seldom more than {number_text(diagram.chance.expected_high)}."
            f"{_overconfident(stated, diagram)}"
        )
    if math.isnan(skill):
        parts.append("All rows have one class, so there is no base rate to be better than.")
    elif abs(skill) < 1e-9:
        parts.append("It is worth what the base rate is, stated for every row.")
    elif skill > 0:
        parts.append(f"Its Brier score is **{share_text(skill)}** lower than with the base rate stated for every row.")
    else:
        parts.append("**Stating the base rate for every row would be better.**")
    return " ".join(parts)


def _overconfident(stated: Stated, diagram: Diagram) -> str:
    """Whether what is said lies too near 0 and 1, or too near the middle; empty where neither is so."""
    bins = diagram.bins
    clear = (bins.mean_probability < diagram.interval.low) | (bins.mean_probability > diagram.interval.high)
    share = overconfidence(bins, clear, None if stated.binary else 0.0)
    if share >= 0.8:
        return " It is **too sure of itself**: what is said lies farther out than what comes true."
    if share <= 0.2:
        return " It is **not sure enough**: what comes true lies farther out than what is said."
    return ""


def _edges_in(text: str | None) -> tuple[float, ...] | None:
    """The edges that were typed, with 0 and 1 around them; None where they cannot be used."""
    try:
        typed = [float(part) for part in (text or "").replace(";", ",").split(",") if part.strip()]
    except ValueError:
        return None
    if len(typed) > MOST_BINS or any(not 0 <= edge <= 1 for edge in typed):
        return None
    inside = [edge for edge in typed if 0 < edge < 1]
    if not inside or any(b <= a for a, b in pairwise(inside)):
        return None
    return (0.0, *inside, 1.0)


@st.cache_resource(max_entries=64, show_spinner="Counting …")
def _diagram(key: str, binning: Binning, level: float, seed: int, _stated: Stated) -> Diagram:
    event = asked(_stated.table)
    edges = binning.edges_of(event)
    bins = reliability_bins(event, edges)
    interval = wilson(np.minimum(bins.happened, bins.n), bins.n, level)
    rows = bins.n.sum()
    return Diagram(
        event,
        edges,
        bins,
        interval,
        calibration_error(bins),
        bins.largest_gap,
        calibration_error_by_chance(bins, level, seed=seed),
        float(ratio((bins.n * bins.mean_probability).sum(), rows)),
        float(ratio(bins.happened.sum(), rows)),
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _isotonic(key: str, _event: EventProbabilities) -> object:
    return isotonic(_event.probability, _event.happened, _event.weights)
