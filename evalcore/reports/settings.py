"""Settings of the numbers in a report, with what they choose from a data set, and as Python."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from evalcore import analyses
from evalcore.inference import IntervalChoice
from evalcore.readers import KINDS, ReadProblem, kinds_giving
from evalcore.wording.numbers import cost_text, level_text, share_text, threshold_text

__all__ = ["ReportSettings"]


@dataclass(frozen=True)
class ReportSettings:
    """Settings of the numbers in a report; the defaults are those of the pages."""

    threshold: float | None = None
    chosen: analyses.ThresholdChoice | None = None  # what the threshold is for, as `best_threshold` gives it
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    kept: Sequence[analyses.KeptDecision] = ()  # decisions that were kept with the data
    pins: tuple[analyses.Pin | float, ...] = ()  # thresholds beside the chosen one, which are compared with the first
    second_threshold: float | None = None  # scores between the two go to a person
    miss_cost: float = 1.0  # of costs only the ratio matters, except in the cost of a period
    alarm_cost: float = 1.0
    prevalence: float | None = None  # above 0 and below 1; that of the sample without a choice
    new_cases: float = 10_000.0  # in each coming period, a key of `WORKING_HOURS`
    period: str = "day"
    alarm_minutes: float = 5.0
    overlays: analyses.CurveOverlays = analyses.CurveOverlays()  # noqa: RUF009 (frozen)
    binning: analyses.Binning = analyses.Binning()  # noqa: RUF009 (frozen)
    unbinned: bool = False  # whether reliability is drawn as a curve without bins too
    losses: analyses.LossSettings = analyses.LossSettings()  # noqa: RUF009 (frozen)
    scaling: str | None = None  # how scores become probabilities, a key of `SCALINGS`
    normalise: bool = False  # whether each row of probabilities is divided by its sum
    of_class: str | None = None  # of several classes, the one whose probabilities are looked at
    focus: str | None = None  # the class that is set against the rest
    rankings: analyses.Rankings | None = None  # with k, relevance level and the other settings of rankings
    query: str | None = None  # whose list is shown
    gains: analyses.GainSettings = analyses.GainSettings()  # noqa: RUF009 (frozen)
    compared_rankings: dict[str, Any] = field(default_factory=dict)  # arguments of `compare_rankings`
    compared: dict[str, Any] = field(default_factory=dict)  # arguments of `compare_systems`
    prediction: str | None = None  # of class probabilities, one of `predictions_of`
    labels: analyses.LabelThresholds = analyses.LabelThresholds()  # noqa: RUF009 (frozen)
    errors: analyses.ErrorSettings = analyses.ErrorSettings()  # noqa: RUF009 (frozen)
    distributions: tuple[Any, ...] = ()  # a constructor of `TwoDistributions`, and what it takes after the source
    distances: analyses.DistanceSettings = analyses.DistanceSettings()  # noqa: RUF009 (frozen)
    merged: tuple[tuple[str, ...], ...] = ()  # classes that count as one, as `ClassTable.of` takes them
    other_estimates: tuple[str, ...] = ()  # the second system, the measure and the correction of `EstimateComparison`
    tolerance: tuple[float, bool] | None = None  # how far off is right, and whether that is a share of the truth
    ends: tuple[str, str, float] | None = None  # the columns of both ends of prediction intervals, and what they claim

    def threshold_of(self, scores: analyses.Scores) -> float:
        """The chosen threshold, or the one to start from."""
        return scores.starting_threshold if self.threshold is None else self.threshold

    def share_of(self, scores: analyses.Scores) -> float:
        """The chosen prevalence, or the nearest to that of the sample with both classes."""
        own = scores.prevalence if self.prevalence is None else self.prevalence
        return min(max(own, 1e-6), 1 - 1e-6) if own == own else 0.5

    def rankings_of(self, source: analyses.Source) -> analyses.Rankings:
        """Rankings of the chosen system. Raises ReadProblem if no page could show them."""
        if source.system is None:
            raise ReadProblem("No row names a system, so there are no lists. Choose another system column.")
        rankings = self.rankings or analyses.Rankings(source, source.system)
        if (mismatch := rankings.mismatch) is not None:
            raise ReadProblem(mismatch)
        if not rankings.queries():
            raise ReadProblem("No query has both a list and judgments.")
        return rankings

    def query_of(self, rankings: analyses.Rankings) -> str:
        """The chosen query if it is evaluated, else the first."""
        queries = rankings.queries()
        return self.query if self.query in queries else queries[0]

    def rows(self, source: analyses.Source) -> list[list[str]]:
        """Choices that differ from the defaults of the pages, and the intervals of such data, in words."""
        intervals, ranked = self.intervals, self.rankings
        of_shares = any(page.startswith("classify/") for page in KINDS[source.kind].pages)
        method = f", {intervals.method_name}" if of_shares else ""
        area = f"; AUC by {intervals.area_name}" if source.kind in kinds_giving("scored") else ""
        choices = {
            "Intervals": level_text(intervals.level) + method + area,
            "Threshold": "" if self.threshold is None else threshold_text(self.threshold),
            "Goal": "" if self.chosen is None else analyses.goal_text(self.chosen.goal).removeprefix("the "),
            "Second threshold": "" if self.second_threshold is None else threshold_text(self.second_threshold),
            "Costs": f"a miss {cost_text(self.miss_cost)}, a false alarm {cost_text(self.alarm_cost)}",
            "Prevalence": "" if self.prevalence is None else share_text(self.prevalence),
            "Bins of probabilities": self.binning.words,
            "k": "" if ranked is None else str(ranked.k),
            "Relevant from grade": "" if ranked is None else f"{ranked.level:g}",
        }
        usual = {"Costs": ReportSettings.miss_cost == self.miss_cost == self.alarm_cost}
        usual["Bins of probabilities"] = self.binning == analyses.Binning()
        return [[name, text] for name, text in choices.items() if text and not usual.get(name)]

    def code(self, source: analyses.Source, pages: Sequence[str]) -> str:
        """Python that writes the report of a data set with the given pages and these settings.

        A decision that was kept, and a goal that no Python makes, are left out.

        >>> from evalcore.readers import read_sample
        >>> source = analyses.Source.of(read_sample("roc_20"))
        >>> print(ReportSettings(threshold=0.4).code(source, ["classify/curves"]).splitlines()[-1])
        write_report(source, "report.html", ['classify/curves'], ReportSettings(threshold=0.4))
        """
        own, usual = [f"source = Source.of(data, {source.system!r})"], ReportSettings()
        names = [one.name for one in fields(self) if one.name not in ("chosen", "kept", "rankings")]
        changed = {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}
        options = [f"{name}={analyses.literal(value)}" for name, value in changed.items()]
        if self.chosen is not None and (goal := analyses.goal_code(self.chosen.goal)) and not self.chosen.on_new_rows:
            own.append(f"scores = Scores.of(source, {self.chosen.scores.system!r})")
            options.append(f"chosen=best_threshold(scores, {goal})")
        if (ranked := self.rankings) is not None:
            numbers = ranked.k, ranked.level, ranked.only_common, ranked.trec_eval, ranked.gains
            options.append(f"rankings=Rankings(source, source.system, *{numbers!r})")
        arguments = f'source, "report.html", {[*pages]!r}, ReportSettings({", ".join(options)})'
        imports = "from evalcore.reports import ReportSettings, write_report"
        return analyses.script(source.code, imports, *own, f"write_report({arguments})")
