"""Reliability: observed rates against predicted probabilities, bin by bin."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evalcore.analyses.probability_source import ProbabilitySource
from evalcore.classification import (
    EventProbabilities,
    ReliabilityBins,
    asked,
    bin_edges,
    calibration_error,
    overconfidence,
    reliability_bins,
)
from evalcore.inference import ChanceError, Interval, calibration_error_by_chance, clustered_frequencies, wilson
from evalcore.numeric import Array, ratio
from evalcore.wording import count_text, number_text, share_text

__all__ = ["BINNINGS", "MOST_BINS", "Binning", "Reliability"]

BINNINGS = ("equal width", "equal count", "own edges")
MOST_BINS = 100
_HISTOGRAM = 20


@dataclass(frozen=True)
class Binning:
    """How the bins are laid out: one of `BINNINGS`, how many, and their edges from 0 to 1 where those were typed."""

    way: str = BINNINGS[0]
    bins: int = 10
    edges: tuple[float, ...] = ()

    @classmethod
    def typed(cls, text: str) -> "Binning | None":
        """Bins between the edges in a text, with 0 and 1 added; None where the text holds no rising edges.

        >>> Binning.typed("0.2, 0.6").edges, Binning.typed("0.6, 0.2")
        ((0.0, 0.2, 0.6, 1.0), None)
        """
        try:
            typed = [float(part) for part in text.replace(";", ",").split(",") if part.strip()]
        except ValueError:
            return None
        inside = [edge for edge in typed if 0 < edge < 1]
        outside = len(typed) > MOST_BINS or any(not 0 <= edge <= 1 for edge in typed)
        if outside or not inside or any(b <= a for a, b in pairwise(inside)):
            return None
        return cls(BINNINGS[2], len(inside) + 1, (0.0, *inside, 1.0))

    @property
    def words(self) -> str:
        """The binning in words: "10 bins of equal width"."""
        bins = f"{self.bins} {'bin' if self.bins == 1 else 'bins'}"
        return f"{bins} with edges of your own" if self.edges else f"{bins} of {self.way}"

    @property
    def code(self) -> str:
        """The edges as Python, for an ``event``."""
        return repr(list(self.edges)) if self.edges else f'bin_edges(event, {self.bins}, "{self.way}")'

    def edges_of(self, event: EventProbabilities) -> Array:
        """The edges for some probabilities, shape (bins + 1,)."""
        return np.array(self.edges) if self.edges else bin_edges(event, self.bins, self.way)


@dataclass(frozen=True, eq=False)
class Reliability:
    """The bins of a reliability diagram with their intervals and calibration errors.

    The event is the positive class of two; of several, that the most probable class is right. The intervals of the
    observed share in each bin are Wilson's; `chance` are the errors that perfect calibration would give by chance.
    """

    probabilities: ProbabilitySource
    binning: Binning
    event: EventProbabilities
    bins: ReliabilityBins
    interval: Interval
    chance: ChanceError

    @classmethod
    def of(
        cls, probabilities: ProbabilitySource, binning: Binning, level: float = 0.95, seed: int = 20
    ) -> "Reliability":
        """Sort the rows into bins.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> source = ProbabilitySource.of(Source.of(read_sample("roc_20")))
        >>> Reliability.of(source, Binning(bins=2)).table["rows"].tolist()
        [11.0, 9.0]
        """
        event = asked(probabilities.table)
        bins = reliability_bins(event, binning.edges_of(event))
        interval = wilson(np.minimum(bins.happened, bins.n), bins.n, level)
        if event.clusters is not None:
            interval = clustered_frequencies(event, bins, level)
        chance = calibration_error_by_chance(bins, level, seed=seed, event=event)
        return cls(probabilities, binning, event, bins, interval, chance)

    @property
    def errors(self) -> dict[str, tuple[float, float, float]]:
        """Calibration errors by the key of their measure: value, mean by chance and its upper limit."""
        chance = self.chance
        return {
            "expected_calibration_error": (calibration_error(self.bins), chance.expected, chance.expected_high),
            "maximum_calibration_error": (self.bins.largest_gap, chance.maximum, chance.maximum_high),
        }

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return calibration_error(self.bins)

    @property
    def mean_probability(self) -> float:
        """What was predicted on average."""
        return float(ratio((self.bins.n * self.bins.mean_probability).sum(), self.bins.n.sum()))

    @property
    def observed(self) -> float:
        """The share of the rows in which it came true."""
        return float(ratio(self.bins.happened.sum(), self.bins.n.sum()))

    @property
    def histogram(self) -> ReliabilityBins:
        """The bars under the diagram: the bins themselves where they are equally wide, else twenty that are."""
        if self.binning.way == BINNINGS[0]:
            return self.bins
        return reliability_bins(self.event, np.linspace(0, 1, _HISTOGRAM + 1))

    @property
    def axes(self) -> tuple[str, str]:
        """Titles of the two axes of the diagram. May hold a name from a file."""
        if not self.probabilities.binary:
            return "probability of the most probable class", "share in which it is right"
        positive = self.probabilities.table.classes[1]
        return f"predicted probability of {positive}", f"observed share of {positive}"

    @property
    def description(self) -> str:
        """What the diagram shows, bin by bin."""
        bins = self.bins
        return "; ".join(
            f"predicted {number_text(predicted)}, observed {share_text(share)} of {count_text(n)}"
            for predicted, share, n in list(zip(bins.mean_probability, bins.observed, bins.n, strict=True))[:20]
        )

    @property
    def confidence(self) -> str:
        """A sentence where predictions are over- or underconfident, in Markdown with a blank before it; else empty."""
        bins = self.bins
        clear = (bins.mean_probability < self.interval.low) | (bins.mean_probability > self.interval.high)
        share = overconfidence(bins, clear, None if self.probabilities.binary else 0.0)
        if share >= 0.8:
            return " The predictions are **overconfident**: observed rates are less extreme than predicted."
        if share <= 0.2:
            return " The predictions are **underconfident**: observed rates are more extreme than predicted."
        return ""

    @property
    def table(self) -> dict[str, Array]:
        """The bins as columns, unrounded."""
        bins = self.bins
        return {
            "from": bins.low, "to": bins.high, "rows": bins.n, "came true": bins.happened,
            "mean probability": bins.mean_probability, "share": bins.observed, "low": self.interval.low,
            "high": self.interval.high,
        }  # fmt: skip
