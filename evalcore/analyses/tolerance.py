"""Estimates turned into decisions: right within a tolerance, and a limit on the truth that makes two classes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.analyses.script import check, script
from evalcore.inference import Interval, share_of_rows
from evalcore.numeric import Array
from evalcore.readers import Reach, ReadProblem, Shape, roles_of
from evalcore.wording import level_text, share_text, threshold_text

__all__ = ["Tolerance", "classes_of"]

_POINTS = 200


@dataclass(frozen=True, eq=False)
class Tolerance:
    """How many estimates are right if they may be off by so much, or by such a share of the truth.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> rows = EstimateRows.of(Source.of(read_sample("diabetes")))
    >>> Tolerance(rows, 50).verdict.split(" (")[0]
    '**62.0\\u202f% of the estimates lie within ±50 of the truth**'
    """

    estimates: EstimateRows
    size: float
    relative: bool = False  # the size is a share of the true number
    level: float = 0.95

    @staticmethod
    def usual(estimates: EstimateRows) -> float:
        """A round number near the median absolute error.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> Tolerance.usual(EstimateRows.of(Source.of(read_sample("diabetes"))))
        40.0
        """
        median = estimates.state.quantile(np.abs(estimates.state.error))
        return float(f"{median:.1g}") if median > 0 else 1.0

    @cached_property
    def distances(self) -> Array:
        """How far off each row is, in the unit of the tolerance; infinite where the truth is 0 and the estimate not."""
        state = self.estimates.state
        error = np.abs(state.error)
        if not self.relative:
            return error
        size = np.abs(state.truth)
        return np.divide(error, size, np.where(error > 0, np.inf, 0.0), where=size > 0)

    @property
    def right(self) -> np.ndarray:
        """Which rows are right; what rounding leaves of a difference does not decide."""
        return self.distances <= self.size * (1 + 1e-9)

    @cached_property
    def share(self) -> Interval:
        """Share of right estimates with Wilson's interval."""
        return share_of_rows(self.right, self.estimates.state, self.level)

    @property
    def size_text(self) -> str:
        """The tolerance: "±5", "±10 %"."""
        return f"±{level_text(self.size)}" if self.relative else f"±{threshold_text(self.size)}"

    @property
    def verdict(self) -> str:
        """The share of right estimates, in Markdown."""
        share = self.share
        sure = f" {share.caution}" if share.caution else ""
        return (
            f"**{share_text(share.estimate)} of the estimates lie within {self.size_text} of the truth** "
            f"({level_text(self.level)} interval {share_text(share.low)} to {share_text(share.high)}).{sure}"
        )

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """The share of rows that are off by at most so much, for up to 200 distances: the distances, and the shares."""
        state = self.estimates.state
        order = np.argsort(self.distances, kind="stable")
        shares = np.cumsum(state.weight[order]) / state.total
        places = np.unique(np.searchsorted(shares, np.linspace(0, 1, _POINTS)).clip(0, len(order) - 1))
        x, y = self.distances[order][places], shares[places]
        finite = np.isfinite(x)
        return x[finite], y[finite]

    @property
    def table(self) -> dict[str, list]:
        """The curve as columns."""
        return {"within": self.curve[0].tolist(), "share of rows": self.curve[1].tolist()}

    @property
    def code(self) -> str:
        """Python that counts again."""
        told = f"{self.size!r}, relative={self.relative!r}, level={self.level!r}"
        return script(
            self.estimates.source.code,
            f"rows = EstimateRows.of(Source.of(data), {self.estimates.system!r})",
            f"tolerance = Tolerance(rows, {told})",
            check("tolerance.share.ends", [float(end) for end in self.share.ends]),
            "print(tolerance.verdict)",
        )


def classes_of(estimates: EstimateRows, least: float) -> dict[str, str] | None:
    """What a link needs to show the rows as two classes, true numbers from a limit on being positive.

    The estimates are then the scores, and the limit is the first threshold. None where all rows are of one class.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> rows = EstimateRows.of(Source.of(read_sample("diabetes")))
    >>> classes_of(rows, 150.0)["roles"]
    'actual~truth~~score~linear_regression~nearest_neighbours~~positive~%E2%89%A5%20150'
    """
    source, truth = estimates.source, estimates.state.truth
    if (truth >= least).all() or (truth < least).all():
        return None
    step = Reach(estimates.truth, least)
    shape = Shape((*source.dataset.shape.steps, step))
    beside = {name: source.roles.get(name) for name in ("weight", "weights_are", "group", "cluster")}
    roles = roles_of(actual=estimates.truth, score=source.systems, positive=step.classes[1], **beside)
    try:
        text = source.dataset.unshaped.shaped(shape).with_roles(roles.to_text()).roles.to_text()
    except ReadProblem:
        return None
    return {"data": source.id, "shape": shape.to_text(), "roles": text, "system": estimates.system, "t": repr(least)}
