"""Do truth and estimate agree closely enough? The limits of agreement in words and code."""

import math
from dataclasses import dataclass
from functools import cached_property

from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.analyses.script import check, script
from evalcore.inference import Interval, LimitsOfAgreement, limits_of_agreement
from evalcore.wording import Cell, level_text, number_text, share_text, signed

__all__ = ["AgreementLimits"]


@dataclass(frozen=True, eq=False)
class AgreementLimits:
    """Bland–Altman limits of one system.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> limits = AgreementLimits(EstimateRows.of(Source.of(read_sample("diabetes"))), 0.95)
    >>> round(limits.limits.lower.estimate, 1), round(limits.limits.upper.estimate, 1)
    (-107.0, 106.7)
    """

    estimates: EstimateRows
    level: float

    @cached_property
    def limits(self) -> LimitsOfAgreement:
        """The numbers."""
        return limits_of_agreement(self.estimates.state, self.level)

    @property
    def verdict(self) -> str:
        """Between which errors most rows lie, in Markdown."""
        limits = self.limits
        if math.isnan(limits.lower.low):
            return "Limits of agreement need at least three rows."
        low, high = (signed(number_text)(one.estimate) for one in (limits.lower, limits.upper))
        trend = ""
        slope = limits.slope
        if slope.low > 0 or slope.high < 0:
            grows = "higher" if slope.estimate > 0 else "lower"
            trend = (
                f" **The error changes with the size of the numbers**: {grows} by {number_text(abs(slope.estimate))} "
                f"per unit ({_bounds(slope)}), so one pair of limits fits badly."
            )
        return (
            f"**An estimate may lie {low} to {high} from the truth** (limits of agreement, mean error ± 1.96 standard "
            f"deviations; {share_text(limits.within)} of the rows lie within). Whether that is close enough is a "
            f"judgment, not a test.{trend}"
        )

    @property
    def note(self) -> str:
        """What the axes are, and what the limits and their intervals rest on."""
        return (
            "The horizontal axis is the mean of truth and estimate. Over the truth alone, errors always slope, because "
            "the truth is part of both axes. The limits assume errors of the same size everywhere. Their intervals "
            "come from the influence of each row and do not assume normal errors."
        )

    @property
    def rows(self) -> list[list[Cell | str]]:
        """Mean error and both limits with their intervals, as texts."""
        limits, write = self.limits, signed(number_text)
        each = (("upper limit", limits.upper), ("mean error", limits.bias), ("lower limit", limits.lower))
        return [[name, write(one.estimate), Cell(_bounds(one), aside=one.caution)] for name, one in each]

    @property
    def heads(self) -> list[str]:
        """Headings over the rows."""
        return ["", "value", f"{level_text(self.level)} interval"]

    @property
    def table(self) -> dict[str, list]:
        """Both limits and the mean error, unrounded."""
        limits = self.limits
        ends = [one.ends for one in (limits.lower, limits.bias, limits.upper)]
        columns = {word: [float(each[place]) for each in ends] for place, word in enumerate(("value", "low", "high"))}
        return {"": ["lower limit", "mean error", "upper limit"], **columns}

    @property
    def code(self) -> str:
        """Python that finds the limits again."""
        limits = self.limits
        numbers = [list(one.ends) for one in (limits.lower, limits.bias, limits.upper)]
        return script(
            self.estimates.code,
            f"limits = limits_of_agreement(state, level={self.level!r})",
            check("[one.ends for one in (limits.lower, limits.bias, limits.upper)]", numbers),
        )


def _bounds(interval: Interval) -> str:
    write = signed(number_text)
    return "none" if math.isnan(interval.low) else f"{write(interval.low)} to {write(interval.high)}"
