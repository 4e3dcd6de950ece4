"""How far queries and systems vary, and how many queries a difference between two systems needs."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from evalcore.inference.intervals import check_level

__all__ = ["VarianceComponents", "paired_power", "queries_needed", "variance_components"]

_MOST = 10**9
"""Queries above which the answer is that there are never enough."""

_FAR = 7.0
"""Standard deviations that a normal deviate exceeds once in 10¹²."""


@dataclass(frozen=True)
class VarianceComponents:
    """Variances of a measure between systems, between queries, and of what is left: the two together, and chance.

    A negative estimate is 0 here, as is usual.
    """

    system: float
    query: float
    residual: float
    systems: int
    queries: int

    @property
    def shares(self) -> tuple[float, float, float]:
        """The three as shares of their sum; nan where all values are equal."""
        total = self.system + self.query + self.residual
        of = total or math.nan
        return self.system / of, self.query / of, self.residual / of

    def reliability(self, queries: float) -> float:
        """Expected correlation between means over so many queries and over all that there could be (0 … 1)."""
        spread = self.system + self.residual / queries
        return self.system / spread if spread else math.nan


def variance_components(values: npt.ArrayLike) -> VarianceComponents:
    """Variance components of systems on the same queries, from the mean squares of a two-way table.

    With the mean squares of systems, of queries and of the residual, these are (MS_s − MS_r)/q, (MS_q − MS_r)/s and
    MS_r (R. L. Brennan, Generalizability Theory, Springer 2001, doi:10.1007/978-1-4757-3456-0, chapter 2; for test
    collections D. Bodoff, P. Li, Test theory for assessing IR test collections, SIGIR 2007,
    doi:10.1145/1277741.1277805).

    Parameters
    ----------
    values : array_like, shape (systems, queries)
        Finite, of at least two systems and two queries.

    Raises
    ------
    ValueError
        When there are fewer, or a value is not finite.

    Examples
    --------
    Two systems that are 0.2 apart on every query: nothing is left to chance.

    >>> parts = variance_components([[0.1, 0.5, 0.9], [0.3, 0.7, 1.1]])
    >>> round(parts.system, 3), round(parts.query, 3), round(parts.residual, 3)
    (0.02, 0.16, 0.0)
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or not np.isfinite(table).all():
        raise ValueError("Variance components need finite values of at least two systems on two queries.")
    systems, queries = table.shape
    of_system, of_query = table.mean(axis=1), table.mean(axis=0)
    rest = table - of_system[:, None] - of_query + table.mean()
    residual = float((rest**2).sum()) / ((systems - 1) * (queries - 1))
    between_systems = max(float(of_system.var(ddof=1)) - residual / queries, 0.0)
    between_queries = max(float(of_query.var(ddof=1)) - residual / systems, 0.0)
    return VarianceComponents(between_systems, between_queries, residual, systems, queries)


def paired_power(difference: float, deviation: float, n: float, level: float = 0.95) -> float:
    """Chance that a two-sided paired t-test of `n` queries finds a true mean difference (noncentral t).

    Parameters
    ----------
    difference : float
        True mean of the differences.
    deviation : float
        Standard deviation of the differences between queries, at least 0.

    Examples
    --------
    As G*Power prints it for an effect size of 0.5 and 34 pairs:

    >>> round(paired_power(0.5, 1, 34), 7)
    0.8077775
    """
    check_level(level)
    if n < 2 or math.isnan(difference) or math.isnan(deviation):
        return math.nan
    if deviation == 0:
        return float(difference != 0)
    freedom, shift = n - 1, abs(difference) / deviation * math.sqrt(n)
    limit = float(special.stdtrit(freedom, (1 + level) / 2))
    if shift > limit + 10:  # where the noncentral t has no digits left
        return 1.0
    # A statistic on the other side is rarer than a normal deviate of the shift, and far out its chance is nan in scipy.
    other_side = special.nctdtr(freedom, shift, -limit) if shift < _FAR else 0.0
    return float(1 - special.nctdtr(freedom, shift, limit) + other_side)


def queries_needed(difference: float, deviation: float, power: float = 0.8, level: float = 0.95) -> int | None:
    """The fewest queries with which a paired t-test finds a true mean difference with that chance; None if never.

    See T. Sakai, Topic set size design, Information Retrieval Journal 19 (2016), 256–283,
    doi:10.1007/s10791-015-9273-z.

    >>> queries_needed(0.5, 1), queries_needed(0.5, 1, power=0.95), queries_needed(0.0, 1)
    (34, 54, None)
    """
    if difference == 0 or math.isnan(paired_power(difference, deviation, 2, level)):
        return None
    low, high = 1, 2
    while paired_power(difference, deviation, high, level) < power:
        low, high = high, 2 * high
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if paired_power(difference, deviation, middle, level) >= power else (middle, high)
    return high
