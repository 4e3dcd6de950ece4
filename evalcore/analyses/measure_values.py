"""The value of any measure on the open data, where they have the state that it is a function of."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analyses.confusion import NamedCounts
from evalcore.analyses.distribution_comparison import DistanceSettings, DistributionComparison
from evalcore.analyses.distributions import TwoDistributions
from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.analyses.label_pairs import LabelPairs, predictions_of
from evalcore.analyses.overlap import MASK_MEASURES, Overlap, OverlapSettings
from evalcore.analyses.prediction_intervals import IntervalCoverage
from evalcore.analyses.probability_source import ProbabilitySource
from evalcore.analyses.rankings import Rankings
from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source
from evalcore.analyses.usual_distributions import usual_distributions
from evalcore.classification import ScoredLabels
from evalcore.estimation import Estimates
from evalcore.numeric import Array
from evalcore.readers import KINDS, ReadProblem
from evalcore.registry import RETRIEVAL, MetricDef
from evalcore.wording import count_text, plain, value_text

__all__ = ["MeasureValues"]


@dataclass(frozen=True, eq=False)
class MeasureValues:
    """A data set, and the threshold of its scores, as all measures see it.

    >>> from evalcore import find
    >>> from evalcore.readers.samples import read_sample
    >>> values = MeasureValues(Source.of(read_sample("cancer_test")))
    >>> values.text(find("precision")), values.text(find("AUC"))
    ('10.0\\u202f%', '')
    """

    source: Source
    threshold: float | None = None  # of scores; where it is None, the one that a page starts from
    rankings: Rankings | None = None  # with the settings of rankings, whichever system they are of

    def text(self, measure: MetricDef) -> str:
        """The value as it is written; empty where the data have no such state."""
        value = self.value(measure)
        return "" if value is None else value_text(measure, value)

    def label(self, measure: MetricDef) -> str:
        """What a measure is called here: with the k that was chosen where it has a rank to read to."""
        cut = measure.cut
        if self.rankings is None or cut is None or cut.name != "k" or cut.default == math.inf:
            return measure.label
        return f"{measure.symbol}@{self.rankings.k}"

    def value(self, measure: MetricDef) -> float | None:
        """The value, nan where it is undefined; None where the data have no such state."""
        try:
            if measure.family == RETRIEVAL:
                name = self.label(measure)
                return self._rankings and self._rankings.per_query([name]).mean(name)
            if (overlap := self.overlap()) is not None and measure.key in MASK_MEASURES:
                return float(overlap.mean(measure.key).estimate)
            if measure.family == "distributions":
                distances = self.distances()
                return distances and distances.value(measure)
            state = self._states.get(measure.family, lambda: None)()
            return None if state is None else float(measure(state))
        except (ReadProblem, ValueError):
            return None

    def origin(self, measure: MetricDef) -> str:
        """What of the data a value is of, where that is a choice, in Markdown: "mean of 40 images"."""
        if (overlap := self.overlap()) is not None:
            return f"mean of {count_text(len(overlap.images.names))} images"
        if measure.family == "distributions" and (distances := self.distances()) is not None:
            return f"P: {distances.names[0]}, Q: {distances.names[1]}"
        if measure.family == "prediction intervals" and (coverage := self.coverage()) is not None:
            ends = coverage.columns
            return f"{plain(ends.low, 40)} to {plain(ends.high, 40)}"
        return ""

    @property
    def used_threshold(self) -> float | None:
        """The threshold of the scores; None without scores."""
        if (scores := self.scores) is None:
            return None
        return scores.starting_threshold if self.threshold is None else self.threshold

    @property
    def scored(self) -> ScoredLabels | None:
        """The scores of the system."""
        return self.scores and self.scores.scored

    @cached_property
    def estimates(self) -> Estimates | None:
        """True and estimated numbers of the system."""
        return EstimateRows.of(self.source).state if self._gives("estimates") else None

    @cached_property
    def label_sets(self) -> Any:
        """The sets of labels of the rows; None without any."""
        return self._state("label_sets")

    @cached_property
    def label_scores(self) -> Any:
        """The scores of labels; None without any."""
        return self._state("label_scores")

    def per_query(self, measure: MetricDef) -> Array | None:
        """A measure of rankings for each query; None without rankings."""
        name = self.label(measure)
        return self._rankings and self._rankings.per_query([name]).values[name]

    @cached_property
    def query_clusters(self) -> npt.NDArray[np.intp] | None:
        """The cluster of each query; None where each is on its own."""
        return self._rankings and self._rankings.clusters(self._rankings.queries())

    @property
    def _states(self) -> dict[str, Callable[[], Any]]:
        """How the state of each family is made."""
        return {
            "counts": lambda: self.counts,
            "matrix": lambda: self.matrix,
            "scores": lambda: self.scored,
            "probabilities": lambda: self.probabilities,
            "label sets": lambda: self.label_sets,
            "label scores": lambda: self.label_scores,
            "estimates": lambda: self._estimates and self._estimates.state,
            "prediction intervals": lambda: (coverage := self.coverage()) and coverage.intervals,
        }

    def _gives(self, state: str) -> bool:
        return state in KINDS[self.source.kind].states

    def _state(self, name: str) -> Any:
        return getattr(self.source.dataset, name)() if self._gives(name) else None

    @cached_property
    def scores(self) -> Scores | None:
        """The scores of the system with their words; None without scores."""
        system = self.source.system or self.source.dataset.first_system
        return Scores.of(self.source, system) if self._gives("scored") and system is not None else None

    @cached_property
    def counts(self) -> Any:
        """The four counts: at the threshold, of the file, or of the positive class; None where there are none."""
        if (scores := self.scores) is not None:
            return scores.counts_at(scores.starting_threshold if self.threshold is None else self.threshold)
        return self._named and self._named.counts

    @property
    def positive(self) -> str | None:
        """The class that the counts are of, in words that come from a file; None without counts."""
        named = self.scores or self._named
        return named and named.positive

    @cached_property
    def _named(self) -> NamedCounts | None:
        countable = self._gives("matrix") or self._gives("counts")
        return NamedCounts.of_class(self.source) if countable else None

    @cached_property
    def matrix(self) -> Any:
        """The table of classes; None where there is none."""
        if self.source.has_labels or not (self._gives("matrix") or self._gives("probabilities")):
            return None
        if self.source.kind == "counts":
            return self.source.dataset.matrix(self.source.system)
        if self.source.scored_by == "system":
            return None
        by_class = self.source.scored_by == "class"
        return LabelPairs.of(self.source, predictions_of(self.source)[0] if by_class else self.source.system).matrix

    @cached_property
    def probabilities(self) -> Any:
        """The table of probabilities; None without any."""
        has = self.source.scored_by in ("system", "class")
        return ProbabilitySource.of(self.source).table if has else None

    @cached_property
    def _estimates(self) -> EstimateRows | None:
        return EstimateRows.of(self.source) if self._gives("estimates") else None

    def coverage(self, level: float = 0.95) -> IntervalCoverage | None:
        """The first prediction intervals of the table, with confidence intervals of a level; None without any."""
        ends = IntervalCoverage.found(self._estimates) if self._estimates is not None else []
        return IntervalCoverage(self._estimates, ends[0], level) if self._estimates and ends else None

    def overlap(self, level: float = 0.95) -> Overlap | None:
        """The masks, with confidence intervals of a level; None without any."""
        if not self._gives("mask_images"):
            return None
        return self._memo.setdefault(("overlap", level), Overlap(self.source, OverlapSettings(level=level)))

    def distances(self, level: float = 0.95) -> DistributionComparison | None:
        """The two distributions that the page starts from, with confidence intervals of a level; None without any."""
        if self._two is None:
            return None
        made = DistributionComparison(self._two, DistanceSettings(level=level))
        return self._memo.setdefault(("distances", level), made)

    @cached_property
    def _two(self) -> TwoDistributions | None:
        try:
            return usual_distributions(self.source)
        except (ReadProblem, ValueError):
            return None

    @cached_property
    def _memo(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def _rankings(self) -> Rankings | None:
        ranked = self._gives("judgments") and self.source.system is not None
        if not ranked:
            return None
        system = str(self.source.system)
        return Rankings(self.source, system) if self.rankings is None else self.rankings.of_system(system)
