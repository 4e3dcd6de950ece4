"""The losses of stated probabilities: every measure of probabilities with its interval."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification import ProbabilityTable, clipped_rows
from evalcore.inference import Interval, bootstrap_losses
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, MetricDef, measures_of

__all__ = ["LossSettings", "Losses", "loss_measures"]


@dataclass(frozen=True)
class LossSettings:
    """How losses are computed.

    Parameters
    ----------
    base : float
        Of the logarithm: e or 2.
    clip : float
        δ: probabilities are kept between it and 1 − δ before a logarithm is taken.
    level : float
        Of the intervals.
    seed : int
        Of the resamples and of the folds.
    """

    base: float = math.e
    clip: float = 1e-15
    level: float = 0.95
    seed: int = 20

    @property
    def unit(self) -> str:
        """Nats or bits."""
        return "bits" if self.base == 2 else "nats"


def loss_measures(classes: int, settings: LossSettings) -> list[MetricDef]:
    """The measures of probabilities of so many classes, with base and clipping set.

    Examples
    --------
    >>> [measure.symbol for measure in loss_measures(2, LossSettings())]
    ['log-loss', 'log-loss Σ', '½ Brier', 'BSS', 'ECE', 'MCE']
    """
    other = SEVERAL_CLASSES if classes == 2 else TWO_CLASSES
    measures = measures_of("probabilities", base=settings.base, clip=settings.clip)
    return sorted((m for m in measures if m.group != other), key=lambda measure: measure.interval == "chance")


@dataclass(frozen=True, eq=False)
class Losses:
    """Every measure of a table of probabilities, without the calibration errors, which depend on bins.

    Attributes
    ----------
    intervals : dict of str to Interval
        By the key of the measure; nan bounds where there is no interval.
    clipped : int
        Rows whose own class was given less than δ.
    impossible : int
        Rows whose own class was given 0.
    """

    intervals: dict[str, Interval]
    clipped: int
    impossible: int

    @classmethod
    def of(cls, table: ProbabilityTable, settings: LossSettings) -> "Losses":
        """Compute them.

        Examples
        --------
        >>> losses = Losses.of(ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1), LossSettings(base=2))
        >>> losses.value("log_loss"), losses.value("half_brier_score")
        (1.5, 0.40625)
        """
        # The intervals hold the losses themselves, so that no row is looked at twice.
        found = bootstrap_losses(table, settings.base, settings.clip, settings.level, seed=settings.seed)
        for measure in loss_measures(len(table.classes), settings):
            if measure.interval != "chance" and measure.key not in found:
                found[measure.key] = Interval(float(measure(table)), math.nan, math.nan)
        impossible = int(np.count_nonzero((table.of_actual == 0) & table.counted))
        return cls(found, clipped_rows(table, settings.clip), impossible)

    def value(self, key: str) -> float:
        """One of the measures."""
        return float(self.intervals[key].estimate)
