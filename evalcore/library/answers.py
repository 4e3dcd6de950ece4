"""Answers: the analyses of the pages as small objects that show themselves in a notebook."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evalcore import analyses, classification
from evalcore.classification import Goal, Limit, measure_goal
from evalcore.inference import IntervalChoice
from evalcore.library.data import source_of
from evalcore.library.measures import OF_SEVERAL
from evalcore.library.states import column, has_fractions
from evalcore.readers import KINDS, kinds_giving
from evalcore.registry import METRICS, RETRIEVAL, find
from evalcore.reports.chapters import COLUMNS, class_table, counts_of
from evalcore.reports.front import main_figure, numbers_table, plain_text, view_of
from evalcore.reports.parts import Chapter, Words, answer_html
from evalcore.reports.report import CHAPTERS, write_report
from evalcore.reports.settings import ReportSettings
from evalcore.wording import count_text, plain, rows_text

__all__ = ["Answer", "ThresholdAnswer", "calibration", "compare", "confusion", "curves", "ranking", "regression"]
__all__ += ["threshold"]


_ids = count()


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer to the question of one page, with its numbers.

    Attributes
    ----------
    page : str
        Section and name of the page that answers it in the application.
    source : evalcore.analyses.Source
        The data with the chosen system.
    settings : evalcore.reports.ReportSettings
    """

    page: str
    source: Any
    settings: ReportSettings

    @cached_property
    def analysis(self) -> Any:
        """The analysis of the page, with its `table` and `code`."""
        source, settings = self.source, self.settings
        level: dict[str, Any] = {"level": settings.intervals.level}
        match self.page:
            case "classify/confusion" | "classify/threshold":
                return analyses.analyse_confusion(counts_of(source, settings), settings.intervals, None)
            case "classify/classes":
                classes = class_table(source, settings)
                return _Numbers(dict(analyses.class_columns(classes.matrix)), classes.code)
            case "classify/curves":
                scores = analyses.Scores.of(source)
                point = analyses.OperatingPoint(scores, settings.threshold_of(scores))
                counts = scores.table.counts
                columns = {"threshold": scores.table.thresholds}
                columns |= {cell: getattr(counts, cell) for cell in analyses.CELLS}
                columns |= {key: METRICS[key](counts) for key in ("recall", "fall_out", "precision")}
                return _Numbers(columns, point.code(analyses.score_values(scores.scored)))
            case "classify/probabilities":
                probabilities = analyses.ProbabilitySource.of(source, settings.scaling, settings.normalise)
                choice = replace(settings.losses, **level)
                reliability = analyses.Reliability.of(probabilities, settings.binning, choice.level, choice.seed)
                losses = analyses.Losses.of(probabilities.table, choice)
                return analyses.Calibration(reliability, losses)
            case "classify/compare":
                return analyses.compare_systems(source, **level | settings.compared)
            case "retrieve/ranking":
                return analyses.RankingSummary(settings.rankings_of(source), COLUMNS)
            case "retrieve/compare":
                return analyses.compare_rankings(settings.rankings_of(source), **level | settings.compared_rankings)
            case _:
                return analyses.Regression(analyses.EstimateRows.of(source), replace(settings.errors, **level))

    @cached_property
    def _chapter(self) -> Chapter:
        return CHAPTERS[self.page](self.source, self.settings)

    @property
    def verdict(self) -> str:
        """The finding, as the page words it."""
        return _text(self._chapter.verdict)

    @property
    def note(self) -> str:
        """Weights in use, and rows that are left out because a label or number is missing; empty for neither."""
        left = 0 if "run" in self.source.kind else self.source.dataset.left_out(self.source.system)
        words = f"{rows_text(left)} without a label or number left out." if left else ""
        weights = _text(self.source.weights_text)
        return " ".join(filter(None, [f"{weights[:1].upper()}{weights[1:]}." if weights else "", words]))

    def frame(self) -> pd.DataFrame:
        """The numbers of the page as a DataFrame, unrounded."""
        return pd.DataFrame(dict(self.analysis.table))

    def figure(self) -> Any:
        """The picture of the page as a figure of Plotly, in light colours."""
        return main_figure(self.page, self.source, self.settings, self._chapter)

    def code(self) -> str:
        """Python that reads the data, computes the numbers again and compares them."""
        return self.analysis.code

    def save(self, path: Any) -> Any:
        """Write the answer as an HTML file that needs no server, or its card as .svg, and return its path."""
        return write_report(self.source, path, [self.page], self.settings)

    def __repr__(self) -> str:
        lines = [self.verdict]
        if self.page in ("classify/confusion", "classify/threshold"):
            counts = ((cell.upper(), float(getattr(self.analysis.counts, cell))) for cell in analyses.CELLS)
            lines.append(", ".join(f"{cell} {count_text(count)}" for cell, count in counts))
        return "\n".join(filter(None, [*lines, self.note]))

    def _repr_html_(self) -> str:
        numbers = numbers_table(self.page, self.source, self.settings, {self.page: self._chapter})
        note = Words(plain(self.note, 400)) if self.note else None
        parts = [*view_of(self._chapter.first), *filter(None, (numbers, note))]
        return answer_html(self._chapter.verdict, parts, f"answer{next(_ids)}")


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdAnswer(Answer):
    """The best threshold for a goal; `float()` of it is the threshold."""

    chosen: Any

    @property
    def threshold(self) -> float:
        """Scores from here on are positive."""
        return self.chosen.choice.threshold

    @property
    def range(self) -> tuple[float, float]:
        """Thresholds above the first and up to the second give the same counts."""
        return self.chosen.choice.low, self.chosen.choice.high

    @property
    def counts(self) -> classification.ConfusionCounts:
        """The four outcomes at the threshold."""
        return self.chosen.choice.counts

    @cached_property
    def _decision(self) -> analyses.DecisionRecord:
        return analyses.DecisionRecord(self.chosen.scores, self.threshold, self.settings.intervals, self.chosen)

    def code(self) -> str:
        """Python that reads the data, chooses the threshold again and compares the numbers."""
        return self._decision.code

    def record(self, path: Any = None) -> str:
        """The decision as JSON, which `evalcore check` holds against new rows; also in a file where a path is given."""
        if path is not None:
            Path(path).write_text(self._decision.json, encoding="utf-8")
        return self._decision.json

    @cached_property
    def certainty(self) -> analyses.ChoiceCertainty:
        """The best thresholds of 2,000 resamples: `.ends` hold two thirds of them, `.good` are as good as the best."""
        return analyses.choice_certainty(self.chosen)

    @property
    def verdict(self) -> str:
        """The best threshold, its errors, and where it falls in resamples."""
        sure = self.certainty
        spread = f" {_text(sure.verdict)}" if sure.is_defined else ""
        return f"{_text(self.chosen.verdict())}{spread}"

    def __float__(self) -> float:
        return self.threshold


def _text(markdown: str) -> str:
    """Markdown as plain text on one line."""
    return " ".join(plain_text(markdown).split())


class _Numbers(NamedTuple):
    """A table of a page that has several, and Python that makes it again."""

    table: dict[str, Any]
    code: str


_COMPARED = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref")


def _settings(level: float, **more: Any) -> ReportSettings:
    return ReportSettings(intervals=IntervalChoice(level=level), **more)


def _answer(page: str, kind: str | None, given: tuple[Any, ...], keywords: dict[str, Any], **settings: Any) -> Answer:
    """The answer of a page about what was given; a TypeError for keywords that are left."""
    level, source = keywords.pop("level", 0.95), source_of(kind, given, keywords)
    if keywords:
        raise TypeError(f"{page.rpartition('/')[2]} takes no {', '.join(keywords)}.")
    if page not in KINDS[source.kind].pages:
        raise ValueError(f"These rows are {KINDS[source.kind].title}, which the page {page} cannot show.")
    return Answer(page, source, _settings(level, **settings))


def confusion(truth: Any, *system: Any, threshold: float | None = None, **keywords: Any) -> Answer:
    """Confusion matrix of labels, or of scores at a threshold: every measure with its interval.

    Parameters
    ----------
    truth, *system : array_like
        The labels and what the system said; or a data set, a frame or a file.
    threshold : float, optional
        Of scores; by default the one that the page starts from.
    **keywords
        positive, weights, clusters, groups, and level, the confidence of the intervals.

    Examples
    --------
    >>> answer = confusion([1, 1, 0, 0], [1, 0, 0, 0])
    >>> dict(zip(answer.frame().symbol, answer.frame().value))["TPR"]
    0.5
    """
    kind = None
    if system and np.ndim(truth) == np.ndim(system[0]) == 1 and not isinstance(truth, str):
        kind = "scores" if threshold is not None or has_fractions(column(system[0], "system")) else "labels"
    source = source_of(kind, (truth, *system), keywords)
    several = (source.positive is None and len(source.labels) > 2) or source.dataset.is_matrix
    page = "classify/classes" if several else "classify/confusion"
    return _answer(page, kind, (source,), keywords, threshold=threshold)


def threshold(
    truth: Any, *system: Any, goal: Any = "youden", miss_cost: float | None = None, alarm_cost: float = 1,
    amounts: Any = None, alarm_share: float | None = None, on_new_rows: bool = False, level: float = 0.95,
    **keywords: Any,
) -> ThresholdAnswer:  # fmt: skip
    """The best threshold of scores for a goal, with its range and how certain it is.

    Parameters
    ----------
    truth, *system : array_like
        The labels and the scores; or a data set, a frame or a file.
    goal : str or evalcore.classification.Goal
        A measure at its best, such as "F2" or "MCC"; limits, such as "recall >= 0.95"; both, after commas; "youden",
        "corner", or "cost". Limits alone leave the best value of the other class.
    miss_cost, alarm_cost : float
        What a miss and a false alarm cost; a miss_cost makes the cost per row the goal.
    amounts : array_like or str, optional
        What a miss of each row costs, or the name of a column that says it; makes the cost per row the goal.
    alarm_share : float, optional
        Beside amounts, the share of its own amount that a false alarm costs, in place of alarm_cost.
    on_new_rows : bool
        Choose among thresholds that are promised to keep the limits on new rows, with the confidence of the level.
    **keywords
        positive, higher_is_positive, weights, clusters, groups.

    Raises
    ------
    ValueError
        If no threshold meets the limits; says how near one comes.

    Examples
    --------
    >>> answer = threshold([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], goal="recall >= 0.9")
    >>> answer.threshold, answer.range, float(answer.counts.fp)
    (0.6, (0.3, 0.6), 1.0)
    """
    if amounts is not None and not isinstance(amounts, str):
        keywords, amounts = {**keywords, "amounts": amounts}, "amounts"
    source = source_of("scores", (truth, *system), keywords)
    if keywords:
        raise TypeError(f"threshold takes no {', '.join(keywords)}.")
    if source.kind not in kinds_giving("scored"):
        raise ValueError(f"A threshold cuts scores; these rows are {KINDS[source.kind].title}.")
    scores, miss = analyses.Scores.of(source), 1 if miss_cost is None else miss_cost
    costs = [name for name, given in (("miss_cost", miss_cost), ("amounts", amounts)) if given is not None]
    if len(costs) == 2 or (costs and goal not in ("youden", *_COST)):
        others = "miss_cost and amounts" if len(costs) == 2 else f"goal={goal!r} and {costs[0]}"
        raise ValueError(f"{others} are two goals; give one of them.")
    if goal in _COST and not costs:
        raise ValueError(f"goal={goal!r} needs miss_cost=…, what a miss costs in false alarms, or amounts=….")
    if amounts is not None:
        share = alarm_share is not None
        prices = analyses.prices_of(source.dataset, scores.system, amounts, by_share=share)
        aim = classification.amount_goal(prices, fp_cost=alarm_share if share else alarm_cost)
    else:
        aim = goal_of("cost" if costs else goal, miss, alarm_cost)
    promise = analyses.promise_limits(scores, aim, level) if aim.limits else None
    chosen = analyses.best_threshold(scores, replace(aim, limits=()), aim.limits, promise, on_new_rows)
    if chosen.choice is None:
        raise ValueError(" ".join(map(_text, [chosen.verdict(), *map(chosen.conflict_text, chosen.conflicts)])))
    both = {"miss_cost": float(miss), "alarm_cost": float(alarm_cost)}
    settings = _settings(level, threshold=chosen.choice.threshold, chosen=chosen, **both)
    return ThresholdAnswer("classify/threshold", source, settings, chosen)


_COST = ("cost", "lowest cost")

_LIMIT = re.compile(r"(?P<name>.+?)\s*(?P<side>>=|≥|<=|≤|>|<)\s*(?P<value>[-+]?[\d.]+(?:e[-+]?\d+)?)\s*(?P<percent>%?)")

_OF_POSITIVES = ("recall", "miss_rate", "negative_predictive_value", "false_omission_rate")
"""Limits that keep misses few; what is left to win is specificity, else recall."""


def goal_of(goal: Any, miss_cost: float = 1, alarm_cost: float = 1) -> Goal:
    """The goal that a text means, or the goal itself.

    >>> goal_of("recall >= 95 %").name, goal_of("F2, precision >= 0.5").name
    ('highest TNR', 'highest F2')
    """
    if isinstance(goal, Goal):
        return goal
    limits: list[Limit] = []
    aims: list[str] = []
    for words in filter(None, (each.strip() for each in str(goal).split(","))):
        if match := _LIMIT.fullmatch(words):
            value = float(match["value"]) / (100 if match["percent"] else 1)
            side, measure = "at_least" if match["side"] in (">=", "≥", ">") else "at_most", _counted(match["name"])
            if not measure.lowest <= value <= measure.highest:
                meant = f": did you mean {value:g} %?" if measure.percent and 1 < value <= 100 else "."
                raise ValueError(f"{measure.name} lies between {measure.lowest:g} and {measure.highest:g}{meant}")
            limits.append(Limit(measure, **{side: value}))
        else:
            aims.append(words)
    if len(aims) > 1 or not (aims or limits):
        raise ValueError(f"goal={goal!r}: give one measure, limits such as 'recall >= 0.95', or both after commas.")
    special = {"youden": classification.youden_goal, "corner": classification.corner_goal}
    special |= dict.fromkeys(_COST, lambda: classification.cost_goal(fp_cost=alarm_cost, fn_cost=miss_cost))
    if aims:
        made = special.get(aims[0].casefold())
        return (made() if made else measure_goal(_counted(aims[0]))).within(*limits)
    other = "specificity" if any(limit.measure.key in _OF_POSITIVES for limit in limits) else "recall"
    return measure_goal(METRICS[other]).within(*limits)


def _counted(name: str) -> Any:
    measure = find(name)
    if measure.family != "counts":
        raise ValueError(f"{measure.name} does not depend on the threshold.")
    return measure


def curves(truth: Any, *system: Any, threshold: float | None = None, **keywords: Any) -> Answer:
    """ROC and precision–recall curves of scores, with their areas.

    Parameters are those of `confusion`; `.frame()` has the counts and rates at every threshold.

    >>> curves([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]).frame().recall.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    return _answer("classify/curves", "scores", (truth, *system), keywords, threshold=threshold)


def calibration(truth: Any, *system: Any, bins: int = 10, **keywords: Any) -> Answer:
    """Whether probabilities can be believed: reliability diagram, losses, calibration error against chance.

    Parameters
    ----------
    truth, *system : array_like
        The labels and the probability of the positive class, shape (n,), or of each class, shape (n, k).
    bins : int
        Of the reliability diagram, of equal width.
    **keywords
        positive, classes, weights, clusters, level.

    Examples
    --------
    >>> calibration([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4]).frame()["measure"].tolist()[:2]
    ['Log-loss', 'One-vs-rest log-loss']
    """
    columns = system and (np.ndim(system[0]) == 2 or hasattr(system[0], "columns"))
    kind, binning = "probabilities" if columns else "scores", analyses.Binning(bins=bins)
    return _answer("classify/probabilities", kind, (truth, *system), keywords, binning=binning)


def regression(truth: Any, *system: Any, **keywords: Any) -> Answer:
    """How far off estimates are: every measure of the errors with its interval.

    >>> answer = regression([1.0, 2.0, 3.0], [1.1, 1.9, 3.3])
    >>> answer.frame().symbol.tolist()[:3], answer.frame().value.round(4).tolist()[:3]
    (['RMSE', 'MAE', 'ME'], [0.1915, 0.1667, 0.1])
    """
    return _answer("estimate/regression", "estimates", (truth, *system), keywords)


def ranking(judgments: Any, *run: Any, k: int = 10, relevant_from: float = 1, **keywords: Any) -> Answer:
    """Ranked lists against judgments: means over the queries, and a line for each query.

    Parameters
    ----------
    judgments, *run : mapping, DataFrame, path or state
        Judgments, then one run or several.
    k : int
        Rank up to which P, R and nDCG look.
    relevant_from : float
        Grade from which a document is relevant.

    Examples
    --------
    >>> ranking({"q": {"a": 1, "b": 0}}, {"q": {"b": 0.9, "a": 0.8}}).frame().AP.tolist()
    [0.5]
    """
    source = source_of(None, (judgments, *run), keywords)
    rankings = analyses.Rankings(source, source.system, k, relevant_from)
    return _answer("retrieve/ranking", None, (source,), keywords, rankings=rankings)


def compare(truth: Any, *systems: Any, measure: str | None = None, **keywords: Any) -> Answer:
    """Whether the second system is better than the first, on the same rows or queries, and by how much.

    Parameters
    ----------
    truth, *systems : array_like
        The truth and two systems or more, or a dictionary of them; judgments and runs; or a data set.
    measure : str, optional
        Of the verdict, such as "recall", "AUC" or "nDCG@10".
    **keywords
        positive, weights, clusters, threshold, level, and the other arguments of `evalcore.analyses.compare_systems`
        or `compare_rankings`.

    Examples
    --------
    >>> compare([1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 1], [1, 1, 1, 0, 0, 1], measure="recall").frame()["p"].tolist()[0]
    1.0
    """
    source, level = source_of(None, (truth, *systems), keywords), keywords.pop("level", 0.95)
    chosen = dict(keywords)
    if "run" in source.kind:
        if measure is not None:
            label = find(measure, RETRIEVAL).label
            chosen |= {"measure": label, "names": (label, *(name for name in _COMPARED if name != label))}
        return Answer("retrieve/compare", source, _settings(level, compared_rankings=chosen))
    if source.kind == "estimates":
        if chosen:
            raise TypeError(f"compare of estimates takes no {', '.join(chosen)}.")
        if len(source.systems) < 2:
            raise ValueError("Comparing needs two systems on the same rows.")
        compared = source.systems[1], find(measure).key if measure else "mean_absolute_error"
        settings = _settings(level, errors=analyses.ErrorSettings(level=level), other_estimates=compared)
        return _EstimateAnswer("estimate/regression", source, settings)
    if measure is not None:
        chosen["measure"] = _comparable(source, measure)
    return Answer("classify/compare", source, _settings(level, compared=chosen))


def _comparable(source: Any, name: str) -> str:
    """Key of a measure in which systems can be compared; a ValueError lists them."""
    target = None if len(source.labels) > 2 and source.scored_by != "system" else ""
    measures, key = analyses.comparable_measures(source, target), find(name).key
    key = OF_SEVERAL.get(key, key) if target is None else key
    if key not in {one.key for one in measures}:
        names = ", ".join(one.label for one in measures)
        raise ValueError(f"Systems are not compared by {find(name).name} here; there are {names}.")
    return key


@dataclass(frozen=True, eq=False, repr=False)
class _EstimateAnswer(Answer):
    """Two systems of estimates compared; the rest is the page on regression."""

    @cached_property
    def analysis(self) -> Any:
        """The comparison."""
        systems = self.source.systems[0], *self.settings.other_estimates
        return analyses.EstimateComparison(self.source, *systems, settings=self.settings.errors)

    @property
    def verdict(self) -> str:
        """Which system has the smaller errors."""
        return _text(self.analysis.verdict)
