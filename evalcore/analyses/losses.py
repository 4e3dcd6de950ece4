"""Losses: what wrong probabilities cost, over all rows, by class, and in the parts of the Brier score."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analyses.probability_source import ProbabilitySource
from evalcore.analyses.reliability import Binning
from evalcore.classification import (
    BrierParts,
    Divergences,
    ProbabilityTable,
    brier_parts,
    calibration_error,
    class_losses,
    clipped_rows,
    divergences,
    reliability_bins,
)
from evalcore.inference import Interval, bootstrap_losses
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, MetricDef, measures_of
from evalcore.wording import loss_text, number_text, rows_text, share_text

__all__ = ["LossSettings", "Losses", "base_rate_divergences", "base_rates_text", "brier_parts_of"]
__all__ += ["brier_parts_text", "class_losses_table", "loss_measures"]


@dataclass(frozen=True)
class LossSettings:
    """How losses are computed: base of the logarithm (e or 2), clipping, level of the intervals, seed of resamples.

    Before a logarithm is taken, probabilities are kept between δ (`clip`) and 1 − δ.
    """

    base: float = math.e
    clip: float = 1e-15
    level: float = 0.95
    seed: int = 20

    @property
    def unit(self) -> str:
        """Nats or bits."""
        return "bits" if self.base == 2 else "nats"


USUAL = LossSettings()


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
    clipped, impossible : int
        Rows whose own class was given less than δ, and 0.
    """

    settings: LossSettings
    intervals: dict[str, Interval]
    clipped: int
    impossible: int

    @classmethod
    def of(cls, table: ProbabilityTable, settings: LossSettings = USUAL) -> "Losses":
        """Measure the losses and resample the rows.

        Examples
        --------
        >>> losses = Losses.of(ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1), LossSettings(base=2))
        >>> losses.value("log_loss"), losses.value("half_brier_score")
        (1.5, 0.40625)
        """
        # The intervals hold the losses themselves, so that no row is looked at twice.
        intervals = bootstrap_losses(table, settings.base, settings.clip, settings.level, seed=settings.seed)
        for measure in loss_measures(len(table.classes), settings):
            if measure.interval != "chance" and measure.key not in intervals:
                intervals[measure.key] = Interval(float(measure(table)), math.nan, math.nan)
        impossible = int(np.count_nonzero((table.of_actual == 0) & table.counted))
        return cls(settings, intervals, clipped_rows(table, settings.clip), impossible)

    def value(self, key: str) -> float:
        """One of the measures."""
        return float(self.intervals[key].estimate)

    @property
    def clipping(self) -> str:
        """What clipping does to these rows, in Markdown."""
        clip = self.settings.clip
        gave_zero = f"{rows_text(self.impossible)} gave 0 to {'its' if self.impossible == 1 else 'their'} own class"
        if not clip:
            infinite = f": {gave_zero}, so the log-loss is infinite." if self.impossible else "."
            return f"Nothing is clipped{infinite}"
        if not self.clipped:
            return f"No row had to be clipped at δ = {clip:g}."
        infinite = f"; {gave_zero}, so the log-loss would be infinite without clipping." if self.impossible else "."
        return f"{rows_text(self.clipped)} clipped at δ = {clip:g}{infinite}"


def brier_parts_of(probabilities: ProbabilitySource, binning: Binning) -> BrierParts:
    """The parts of the Brier score; of several classes, added up over them."""
    table = probabilities.table
    events = [table.event(index) for index in ([1] if probabilities.binary else range(len(table.classes)))]
    first, *others = [brier_parts(event, binning.edges_of(event)) for event in events]
    return sum(others, first)


def brier_parts_text(parts: BrierParts) -> str:
    """What the parts of a Brier score mean, as a list in Markdown."""
    won = share_text(parts.resolution / parts.uncertainty) if parts.uncertainty > 0 else "nothing"
    within = number_text(parts.within_variance - parts.within_covariance)
    return (
        f"- **Uncertainty {number_text(parts.uncertainty)}**: the score of a forecaster who always states the base "
        "rate.\n"
        f"- **Resolution {number_text(parts.resolution)}**: how far observed rates differ from bin to bin; telling "
        f"rows apart removes {won} of the uncertainty.\n"
        f"- **Reliability {number_text(parts.reliability)}**: what miscalibration costs. Recalibration can win this "
        "back and no more.\n"
        f"- **Within the bins {within}**: what the bins hide."
    )


def class_losses_table(
    probabilities: ProbabilitySource, settings: LossSettings, binning: Binning
) -> Mapping[str, npt.ArrayLike]:
    """The losses class by class, as columns, unrounded; of one class against the rest, those of all classes."""
    table = probabilities.whole.table
    losses = class_losses(table, settings.base, settings.clip)
    events = [table.event(index) for index in range(len(table.classes))]
    return {
        "class": list(table.classes), "rows": losses.rows, "base rate": losses.base_rate,
        "mean probability": losses.mean_probability, "log-loss": losses.log_loss,
        "yes/no log-loss": losses.binary_log_loss, "Brier": losses.brier,
        "ECE": [calibration_error(reliability_bins(event, binning.edges_of(event))) for event in events],
    }  # fmt: skip


def base_rate_divergences(probabilities: ProbabilitySource, base: float) -> Divergences | None:
    """The base rates against the mean probabilities; None where no row counts."""
    table = probabilities.table
    if not table.total:
        return None
    mean = np.average(table.probabilities, axis=0, weights=table.weights)
    return divergences(table.base_rates, mean, base, normalised=True)


def base_rates_text(probabilities: ProbabilitySource, settings: LossSettings) -> str:
    """Whether classes are predicted too often, all rows together, as a list in Markdown; empty without rows."""
    large = base_rate_divergences(probabilities.whole, settings.base)
    if large is None:
        return ""
    never = ", because a class that occurs is never given any probability" if math.isinf(large.kl_pq) else ""
    back = ", because a class that never occurs is given some" if math.isinf(large.kl_qp) else ""
    return (
        f"**All rows together**: base rates p and mean probabilities q, in {settings.unit}\n"
        f"- **Entropy H(p) {loss_text(large.entropy_p)}**: the log-loss of always stating the base rates.\n"
        f"- **Cross-entropy H(p, q) {loss_text(large.cross_pq)}**: the log-loss of always stating the mean "
        f"probabilities{never}.\n"
        f"- **Divergence KL(p‖q) {loss_text(large.kl_pq)}**: their difference, the cost of predicting some classes too "
        f"often and others too rarely. In reverse, KL(q‖p) is {loss_text(large.kl_qp)}{back}."
    )
