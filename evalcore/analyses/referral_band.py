"""What if a person reviewed the cases between two thresholds, and only the rest were decided by score?"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.scores import Scores
from evalcore.classification import (
    NoBand,
    Referral,
    ThresholdTable,
    band_of_error,
    band_of_values,
    cost,
    nested_bands,
    refer,
    threshold_grid,
)
from evalcore.registry import METRICS
from evalcore.wording import THIN, UNDEFINED, Cell, count_text, number_text, one_line, rows_text, share_text, value_text

__all__ = ["NarrowestBand", "ReferralBand", "narrowest_band"]

_MEASURES = ("error_rate", "recall", "precision", "specificity", "negative_predictive_value")
_SLACK = 1e-12


@dataclass(frozen=True, eq=False)
class ReferralBand:
    """Three zones of scores beside one threshold that decides all cases.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> print(ReferralBand(scores, 0.54, 0.34).verdict.replace(THIN, ""))
    1000 cases cost **155** with the band and **300** at 0.54 alone. The band pays off while a referral costs less than **0.364**.
    """  # noqa: E501

    scores: Scores
    # The one threshold, and one on either side of it; where they are equal, no case is referred.
    threshold: float
    second: float
    # Costs of a miss, of a false alarm and of a referral.
    miss: float = 1
    alarm: float = 1
    referral: float = 0.1

    @cached_property
    def band(self) -> Referral:
        """What both thresholds decide and refer."""
        return refer(self.scores.table, min(self.threshold, self.second), max(self.threshold, self.second))

    @cached_property
    def alone(self) -> Referral:
        """What the one threshold decides: every row."""
        return refer(self.scores.table, self.threshold, self.threshold)

    @property
    def zones(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the counts in the three zones."""
        band, decided = self.band, self.band.decided
        positive, negative = (one_line(name, 24) for name in (self.scores.positive, self.scores.negative))
        heads = ["", f"actual {positive}", f"actual {negative}", "rows", f"per 1{THIN}000"]
        left, right = (self.scores.text(float(edge)) for edge in (band.low, band.high))
        up, down = (f"≥ {right}", f"< {left}") if self.scores.higher else (f"≤ {left}", f"> {right}")
        total = float(decided.total + band.referred)
        zones = (
            (f"predicted {positive}", up, decided.tp, decided.fp),
            ("referred", "between", band.positives, band.negatives),
            (f"predicted {negative}", down, decided.fn, decided.tn),
        )
        rows = []
        for name, where, hits, others in zones:
            both = float(hits + others)
            counts = count_text(float(hits)), count_text(float(others)), Cell(count_text(both), strong=True)
            rows.append([Cell(name, aside=where), *counts, _per_thousand(both, total)])
        return heads, rows

    @property
    def measures(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the decided rows, measured, beside one threshold that decides all of them."""
        shares = [share_text(float(referral.coverage)) for referral in (self.band, self.alone)]
        rows: list[list[Cell | str]] = [["decided", Cell(shares[0], strong=True), shares[1]]]
        for measure in (METRICS[key] for key in _MEASURES):
            cells = []
            for counts, strong in ((self.band.decided, True), (self.alone.decided, False)):
                value = float(measure(counts))
                title, kind = (measure.undefined_when, "undefined") if math.isnan(value) else ("", "")
                cells.append(Cell(value_text(measure, value), strong=strong and not kind, title=title, kind=kind))
            rows.append([Cell(measure.name.lower(), measure=measure.key), *cells])
        return ["", "decided rows", "one threshold"], rows

    @property
    def verdict(self) -> str:
        """What a thousand cases cost with the band and without, and up to which cost of a referral it pays off."""
        total, referred = float(self.alone.decided.total), float(self.band.referred)
        wrong, wrong_alone = self._errors(self.band), self._errors(self.alone)
        with_band, without = (
            number_text(1000 * paid / total if total else math.nan)
            for paid in (wrong + self.referral * referred, wrong_alone)
        )
        if not referred:
            return f"1{THIN}000 cases cost **{without}**; no case is referred."
        pays = "This band removes no errors, so it never pays off."
        if wrong_alone > wrong:
            limit = number_text((wrong_alone - wrong) / referred)
            pays = f"The band pays off while a referral costs less than **{limit}**."
        at = self.scores.text(self.threshold)
        return f"1{THIN}000 cases cost **{with_band}** with the band and **{without}** at {at} alone. {pays}"

    def curve(self, grid: ThresholdTable | None = None) -> tuple[float, Referral]:
        """The middle of the band, and bands that widen around it; of a grid that stands for all thresholds."""
        low, high = float(self.band.low), float(self.band.high)
        middle = low / 2 + high / 2
        centre = middle if math.isfinite(middle) else self.threshold
        table = self.scores.table
        grid = grid or threshold_grid(table)
        row = float(table.thresholds[table.index(centre)])
        thresholds = np.unique(np.append(grid.thresholds, row))[:: -1 if self.scores.higher else 1]
        if len(thresholds) != len(grid):
            grid = ThresholdTable(thresholds, self.scores.scored.counts_at(thresholds))
        return centre, nested_bands(grid, centre)

    def _errors(self, referral: Referral) -> float:
        decided = referral.decided
        return float(cost(decided, fn_cost=self.miss, fp_cost=self.alarm) * decided.total) if decided.total else 0.0


@dataclass(frozen=True, eq=False)
class NarrowestBand:
    """The band with the fewest referrals that meets a target, None where none does, and the verdict in Markdown."""

    band: Referral | None
    verdict: str


def narrowest_band(
    scores: Scores, threshold: float, error: float | None = None, npv: float = 0.0, precision: float = 0.0
) -> NarrowestBand:
    """The narrowest band with few errors, or with two predictions that can be trusted.

    Parameters
    ----------
    threshold : float
        Stays alone where it meets the share of errors by itself.
    error : float, optional
        Highest share of errors among the decided rows, 0 … 1. Without it:
    npv, precision : float
        What both predictions must reach, 0 … 1.
    """
    try:
        if error is None:
            band = band_of_values(scores.table, npv, precision)
        else:
            band = refer(scores.table, threshold, threshold)
            band = band if float(band.error) <= error + _SLACK else band_of_error(scores.table, error)
    except NoBand as problem:
        nearest = " ".join(_nearest_text(*one) for one in problem.nearest)
        return NarrowestBand(None, f"**No band meets this.** {nearest}")
    low, high = (f"**{scores.text(float(edge))}**" for edge in (band.low, band.high))
    rows = rows_text(float(band.referred))
    verdict = f"Refer the {rows} from {low} to {high}, the fewest that meet this"
    if float(band.low) == float(band.high):
        verdict = f"One threshold meets this without referrals: {low}"
    decided = f"{share_text(float(band.coverage))} are decided, {share_text(float(band.error))} of them wrongly"
    return NarrowestBand(band, f"{verdict}; {decided}.")


def _nearest_text(name: str, nearest: float) -> str:
    if name == "order":
        return "Each target can be met alone, but their thresholds overlap."
    name = {"PPV": "Precision", "error": "The error rate"}.get(name, name)
    if math.isnan(nearest):
        return f"{name} is {UNDEFINED} at every threshold."
    return f"{name} reaches {share_text(nearest)} at {'least' if name == 'The error rate' else 'most'}."


def _per_thousand(rows: float, total: float) -> str:
    if not total:
        return UNDEFINED
    return number_text(1000 * rows / total) if rows else "0"
