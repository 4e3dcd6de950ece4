"""What was chosen on the pages, so that a report shows the same numbers and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.analyses import Binning, CurveOverlays, KeptDecision, Rankings, Scores, Source, ThresholdChoice
from evalcore.inference import IntervalChoice
from evalcore.readers import ReadProblem

__all__ = ["ReportSettings"]


@dataclass(frozen=True)
class ReportSettings:
    """What was chosen for the numbers of a report; without a choice what its pages show first."""

    threshold: float | None = None
    chosen: ThresholdChoice | None = None  # what the threshold is for, as `best_threshold` gives it
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    kept: Sequence[KeptDecision] = ()  # decisions that were kept with the data
    second_threshold: float | None = None  # scores between the two go to a person
    miss_cost: float = 1.0  # of costs only the ratio matters, except in the cost of a period
    alarm_cost: float = 1.0
    prevalence: float | None = None  # above 0 and below 1; that of the sample without a choice
    new_cases: float = 10_000.0  # in each coming period, a key of `WORKING_HOURS`
    period: str = "day"
    alarm_minutes: float = 5.0
    overlays: CurveOverlays = CurveOverlays()  # noqa: RUF009 (frozen)
    binning: Binning = Binning()  # noqa: RUF009 (frozen)
    focus: str | None = None  # the class that is set against the rest
    rankings: Rankings | None = None  # with k, relevance level and the other settings of rankings
    query: str | None = None  # whose list is shown

    def scores_of(self, source: Source) -> Scores:
        """The scores of the chosen system, or of the first."""
        return Scores.of(source, source.system or source.dataset.systems[0])

    def threshold_of(self, scores: Scores) -> float:
        """The chosen threshold, or the one to start from."""
        return scores.starting_threshold if self.threshold is None else self.threshold

    def share_of(self, scores: Scores) -> float:
        """The chosen prevalence, or the nearest to that of the sample at which both classes occur."""
        own = scores.prevalence if self.prevalence is None else self.prevalence
        return min(max(own, 1e-6), 1 - 1e-6) if own == own else 0.5

    def rankings_of(self, source: Source) -> Rankings:
        """The rankings of the chosen system; ReadProblem where a page could show none."""
        if source.system is None:
            raise ReadProblem("No row names a system, so there are no lists. Choose another system column.")
        rankings = self.rankings or Rankings(source, source.system)
        if (mismatch := rankings.mismatch) is not None:
            raise ReadProblem(mismatch)
        if not rankings.queries():
            raise ReadProblem("No query has both a list and judgments.")
        return rankings

    def query_of(self, rankings: Rankings) -> str:
        """The chosen query where it takes part, or the first."""
        queries = rankings.queries()
        return self.query if self.query in queries else queries[0]
