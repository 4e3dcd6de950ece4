"""What do resampling and costs change when a class is rare? The same odds times a factor, at the usual threshold ½."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.data.probabilities import ProbabilitySource
from evalcore.analyses.data.scores import Scores
from evalcore.classification import (
    ConfusionCounts,
    ProbabilityTable,
    equivalent_threshold,
    log_loss,
    reweighted,
    roc_auc,
)
from evalcore.readers import ReadProblem
from evalcore.registry import METRICS
from evalcore.wording import Cell, count_text, number_text, plain, share_text, threshold_text

__all__ = ["ClassWeights", "weight_steps"]

USUAL = 0.5
"""The threshold of most programs."""
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


def weight_steps(scores: Scores) -> tuple[tuple[float, ...], float]:
    """How often a positive row may count, and the one of these at which both classes weigh the same."""
    counts = scores.table.counts[0]
    positives, negatives = float(counts.actual_positives), float(counts.actual_negatives)
    balanced = float(f"{negatives / positives:.3g}") if positives and negatives else 1.0
    return tuple(sorted({*_STEPS, balanced})), balanced


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """Probabilities of one system as they are, and as if each positive row had counted so many times in training.

    Raises a ReadProblem where the scores are no probabilities.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("rare_digit")), "as_they_are")
    >>> weights = ClassWeights(scores, 28.0)
    >>> int(weights.before.tp), int(weights.after.tp), round(weights.threshold, 4)
    (29, 52, 0.0345)
    """

    scores: Scores
    times: float

    def __post_init__(self) -> None:
        low, high = self.scores.scored.ends
        if not 0 <= low <= high <= 1:
            raise ReadProblem(
                f"The scores in {self.scores.system} lie outside 0 … 1. Resampling changes the probabilities that a "
                "model states; choose a column of probabilities."
            )

    @property
    def threshold(self) -> float:
        """Where the usual threshold then lies among the scores as they are."""
        at = equivalent_threshold(self.times, USUAL)
        return at if self.scores.higher else 1 - at

    @property
    def before(self) -> ConfusionCounts:
        """The counts at the usual threshold."""
        return self.scores.counts_at(USUAL)

    @property
    def after(self) -> ConfusionCounts:
        """The counts that the usual threshold gives on the reweighted probabilities."""
        return self.scores.counts_at(self.threshold)

    @cached_property
    def probabilities(self) -> tuple[ProbabilityTable, ProbabilityTable]:
        """The probabilities before and after."""
        table = ProbabilitySource.of(self.scores.current).table
        event = table.event(1)
        changed = reweighted(event.probability, self.times)
        return table, ProbabilityTable.from_event(event.happened, changed, True, event.weights, event.clusters)

    @property
    def columns(self) -> dict[str, list[float]]:
        """The numbers before and after, unrounded, by what they are."""
        both = (self.before, self.after)
        area = float(roc_auc(self.scores.scored))  # the odds times a factor keep the order of the rows
        return {
            "threshold": [USUAL, self.threshold],
            **{cell: [float(getattr(counts, cell)) for counts in both] for cell in ("tp", "fp", "fn", "tn")},
            **{one.key: [float(one(counts)) for counts in both] for one in _MEASURES},
            "roc_auc": [area, area],
            "stated": [_mean(table) for table in self.probabilities],
            "log_loss": [float(log_loss(table)) for table in self.probabilities],
        }

    @property
    def table(self) -> tuple[list[Cell | str], list[list[Cell | str]]]:
        """Heads and rows for the page."""
        numbers, positive = self.columns, self.scores.positive
        names: dict[str, tuple[str, str]] = {
            "threshold": ("Threshold ½ lies at", ""),
            **{cell: (cell.upper(), "") for cell in ("tp", "fp", "fn", "tn")},
            **{one.key: (one.name, one.key) for one in _MEASURES},
            "roc_auc": ("ROC AUC", "roc_auc"),
            "stated": (f"Mean probability ({share_text(self.scores.prevalence)} are {positive[:24]})", ""),
            "log_loss": ("Log-loss", "log_loss"),
        }
        rows = [
            [
                Cell(names[key][0], heading=True, measure=names[key][1]),
                *(_WRITTEN.get(key, share_text)(one) for one in pair),
            ]
            for key, pair in numbers.items()
        ]
        return ["", "as they are", f"each positive ×{threshold_text(self.times)}"], rows

    @property
    def verdict(self) -> str:
        """What changes and what does not, in Markdown."""
        numbers = self.columns
        first, then = ([share_text(numbers[key][side]) for key in ("recall", "precision")] for side in (0, 1))
        says, are = share_text(numbers["stated"][1]), share_text(self.scores.prevalence)
        where = self.scores.text(self.threshold)
        if self.times == 1:
            return "**Nothing is changed.** Move the slider: let each positive row count several times."
        return (
            f"**It moves the threshold, not the curve.** Threshold ½ now means {where} on the old scale: recall goes "
            f"from {first[0]} to {then[0]}, precision from {first[1]} to {then[1]}. The ROC curve and its area "
            f"({number_text(numbers['roc_auc'][0])}) stay, because no row changes its place. The mean probability of "
            f"{plain(self.scores.positive, 30)} is now {says}; {are} of the rows are. Moving the threshold to {where} "
            "decides the same and leaves the probabilities as they were."
        )


def _mean(table: ProbabilityTable) -> float:
    event = table.event(1)
    return float(np.average(event.probability, weights=event.weights))


_MEASURES = tuple(METRICS[key] for key in ("recall", "precision", "accuracy"))
_WRITTEN = dict.fromkeys(("tp", "fp", "fn", "tn"), count_text) | {
    "threshold": threshold_text, "roc_auc": number_text, "log_loss": number_text,
}  # fmt: skip
