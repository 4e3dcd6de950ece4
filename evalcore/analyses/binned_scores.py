"""What is certain of the measures of scores that are known by their bin alone, in numbers and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore.analyses.goal_text import goal_name
from evalcore.analyses.source import Source
from evalcore.classification import Goal, NoThreshold
from evalcore.readers import ReadProblem, text_of
from evalcore.registry import METRICS
from evalcore.wording import count_text, threshold_text

if TYPE_CHECKING:
    from evalcore.engines import Bounds, CalibrationBounds, ChoiceBounds, ScoreCounts

__all__ = ["BinnedScores"]

_MOST_DECIMALS = 9


@dataclass(frozen=True, eq=False)
class BinnedScores:
    """The bounds of the scores of one system that were counted in bins.

    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.1, 0.5], "high": [0.4, 0.9], "positives": [1, 3], "count": [4, 4]}
    >>> binned = BinnedScores(ScoreCounts.of_table(table, lowest="low", highest="high"))
    >>> binned.sentence("roc_auc")
    'The area under the ROC curve certainly lies between 0.562 and 0.938: 2 bins hold several scores.'
    """

    counts: ScoreCounts

    @classmethod
    def of(cls, source: Source, ends: str | None) -> BinnedScores | None:
        """Of a data set of counted rows whose scores stand at the lax ends of bins; None where each is exact.

        Parameters
        ----------
        source : Source
            Scores, with one of its systems chosen.
        ends : str or None
            The column with the other end of each bin; None where no bin holds several scores.
        """
        if ends is None or source.system is None:
            return None
        counts = counted_bins(source, source.system, ends)
        return None if counts.is_exact else cls(counts)

    @property
    def measures(self) -> Mapping[str, Callable[[ScoreCounts], Bounds]]:
        """The measures that have certain bounds, by their keys in the registry."""
        engines = engines_extra()
        measures: dict[str, Callable[[ScoreCounts], Bounds]] = {
            "roc_auc": engines.auc_bounds,
            "average_precision": engines.average_precision_bounds,
        }
        low, high = self.counts.bins.lowest["lowest"], self.counts.bins.highest["highest"]
        if self.counts.higher_is_positive and len(low) and low[0] >= 0 and high[-1] <= 1:
            edges = np.linspace(0, 1, int(METRICS["expected_calibration_error"].params[0].default) + 1)
            measures |= {
                "half_brier_score": engines.brier_bounds,
                "expected_calibration_error": lambda _: self.calibration(edges).error,
                "maximum_calibration_error": lambda _: self.calibration(edges).largest_gap,
            }
        return measures

    def bounds(self, key: str) -> Bounds | None:
        """The bounds of a measure by its key; None where none are known."""
        known = self.measures.get(key)
        return None if known is None else known(self.counts)

    def calibration(self, edges: Any = None) -> CalibrationBounds:
        """The bounds of a reliability diagram with these edges; see `calibration_bounds`."""
        return engines_extra().calibration_bounds(self.counts, edges)

    def sentence(self, *keys: str) -> str:
        """Between which values some measures certainly lie, and why; empty where none are known."""
        known = {key: bounds for key in keys if (bounds := self.bounds(key)) is not None}
        clauses = "; ".join(f"the {_in_sentence(METRICS[key].name)} {certainly(known[key])}" for key in known)
        return f"{clauses[0].upper()}{clauses[1:]}: {self._why}." if known else ""

    def calibration_sentence(self, edges: Any = None) -> str:
        """Between which values the calibration error over these bins certainly lies.

        >>> from evalcore.engines import ScoreCounts
        >>> table = {"low": [0.1, 0.6], "high": [0.3, 0.8], "positives": [1, 3], "count": [4, 4]}
        >>> binned = BinnedScores(ScoreCounts.of_table(table, lowest="low", highest="high"))
        >>> binned.calibration_sentence([0, 0.5, 1]).partition(":")[0]
        'The calibration error in these bins certainly lies between 0 and 0.15'
        """
        try:
            error = self.calibration(edges).error
        except (ReadProblem, ValueError):
            return ""
        return f"The calibration error in these bins {certainly(error)}: {self._why}."

    def choice(self, goal: Goal) -> ChoiceBounds | None:
        """The bounds of the best value for a goal and of its threshold; None where bins do not tell.

        Raises
        ------
        NoThreshold
            If no threshold between bins meets the limits.
        """
        try:
            return engines_extra().choice_bounds(self.counts, goal)
        except NoThreshold:
            raise
        except ValueError:
            return None

    def choice_sentence(self, goal: Goal) -> str:
        """Which value and which threshold the best one for a goal certainly has; says so where bins do not tell.

        >>> from evalcore.classification import youden_goal
        >>> from evalcore.engines import ScoreCounts
        >>> table = {"low": [0.1, 0.4], "high": [0.3, 0.6], "positives": [0, 2], "count": [4, 3]}
        >>> binned = BinnedScores(ScoreCounts.of_table(table, lowest="low", highest="high"))
        >>> binned.choice_sentence(youden_goal())
        'Among all scores the best threshold certainly lies between 0.4 and 0.6, with a value between 0.8 and 1.'
        """
        try:
            bounds = self.choice(goal)
        except NoThreshold:
            return "No threshold between two bins meets the limits; one inside of a bin may."
        if bounds is None:
            return f"For the {goal_name(goal)}, bins do not tell whether a threshold inside of one would be better."
        low, high = bounds.thresholds.low, bounds.thresholds.high
        where = f"is {threshold_text(low)}" if low == high else f"certainly lies between {_between(low, high)}"
        low, high = bounds.value.low, bounds.value.high
        value = f"and its value {threshold_text(low)}" if low == high else f"with a value between {_between(low, high)}"
        return f"Among all scores the best threshold {where}, {value}."

    @property
    def table(self) -> dict[str, list]:
        """A row per measure with certain bounds, unrounded."""
        every = {METRICS[key].name: known(self.counts) for key, known in self.measures.items()}
        return {
            "measure": list(every),
            "lowest": [one.low for one in every.values()],
            "highest": [one.high for one in every.values()],
        }

    @property
    def _why(self) -> str:
        bins = self.counts.bins
        several = int(np.count_nonzero(bins.lowest["lowest"] < bins.highest["highest"]))
        return f"{count_text(several)} {'bin holds' if several == 1 else 'bins hold'} several scores"


def counted_bins(source: Source, system: str, ends: str) -> ScoreCounts:
    """The bins of a data set of counted rows, by group where it has groups; one end of each is its score.

    Raises
    ------
    ReadProblem
        If the ends do not belong to the scores, such as where these were changed since.
    """
    frame, roles = source.frame, source.roles
    near, far = (frame[name].to_numpy(np.float64) for name in (system, ends))
    count = np.ones(len(frame)) if roles.get("weight") is None else frame[roles.get("weight")].to_numpy(np.float64)
    is_positive = (frame[roles.get("actual")].map(text_of) == text_of(source.positive)).to_numpy()
    table = {"lowest": np.minimum(near, far), "highest": np.maximum(near, far), "count": count}
    table["positives"] = np.where(is_positive, count, 0.0)
    if (group := roles.get("group")) is not None:
        table["group"] = frame[group].map(text_of).to_numpy(object)
    engines = engines_extra()
    return engines.ScoreCounts.of_table(
        table,
        group=None if group is None else "group",
        higher_is_positive=source.higher_is_positive,
        bits=engines.EXACT_BITS,
    )


def _in_sentence(name: str) -> str:
    """The name of a measure inside a sentence.

    >>> _in_sentence("Area under the ROC curve"), _in_sentence("Brier score, two classes")
    ('area under the ROC curve', 'Brier score')
    """
    name = name.partition(",")[0]
    return name if name.startswith("Brier") else f"{name[0].lower()}{name[1:]}"


def certainly(bounds: Bounds) -> str:
    """The end of a sentence: "certainly lies between 0.81231 and 0.81234"."""
    if bounds.low == bounds.high:
        return f"is exactly {threshold_text(bounds.low)}"
    return f"certainly lies between {_between(bounds.low, bounds.high)}"


def _between(low: float, high: float) -> str:
    """Two numbers rounded outwards to as many decimals as tell them apart.

    >>> _between(0.81231234, 0.81234321), _between(-0.51, 0.25)
    ('0.812312 and 0.812344', '−0.51 and 0.25')
    """
    if not 0 < high - low < math.inf:
        return f"{threshold_text(low)} and {threshold_text(high)}"
    decimals = min(max(math.ceil(-math.log10(high - low)) + 1, 3), _MOST_DECIMALS)
    scale = 10.0**decimals
    ends = math.floor(low * scale + 1e-6) / scale, math.ceil(high * scale - 1e-6) / scale
    return " and ".join(f"{end:.{decimals}f}".rstrip("0").rstrip(".") for end in ends).replace("-", "−")


def engines_extra() -> Any:
    """The engines, an extra of their own, which analyses in memory do without."""
    return import_module("evalcore.engines")
