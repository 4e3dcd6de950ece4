"""The cheapest way to carry the mass of one distribution to another on a line."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.estimation.distributions import DistributionPair
from evalcore.numeric import Array

__all__ = ["TransportPlan", "transport_plan"]

_TINY = 1e-12
"""Mass below this is rounding."""


@dataclass(frozen=True, eq=False)
class TransportPlan:
    """Parcels of mass: from which bin of P, to which bin of Q, and how much. All of shape (m,); masses add up to 1."""

    origin: npt.NDArray[np.intp]
    target: npt.NDArray[np.intp]
    mass: Array

    @property
    def staying(self) -> float:
        """Share of the mass that stays in its bin."""
        return float(self.mass[self.origin == self.target].sum())


def transport_plan(pair: DistributionPair) -> TransportPlan:
    """The plan that carries the mass of P to Q in the least sum of mass times distance.

    On a line it never crosses: the lowest mass of P goes to the lowest place of Q. Between categories, which have no
    distance, as much as possible stays, and the rest goes from the first bins with too much to the first with too
    little.

    Examples
    --------
    >>> plan = transport_plan(DistributionPair.from_counts([2, 2, 0], [0, 2, 2], at=[0, 1, 2]))
    >>> [(int(i), int(j), float(m)) for i, j, m in zip(plan.origin, plan.target, plan.mass)]
    [(0, 1, 0.5), (1, 2, 0.5)]
    >>> plan = transport_plan(DistributionPair.from_counts([2, 2, 0], [0, 2, 2]))
    >>> [(int(i), int(j), float(m)) for i, j, m in zip(plan.origin, plan.target, plan.mass)]
    [(0, 2, 0.5), (1, 1, 0.5)]
    """
    p, q = pair.shares_p, pair.shares_q
    if pair.at is not None:
        return _in_order(p, q)
    stays = np.minimum(p, q)
    moved = _in_order(p - stays, q - stays)
    own = np.flatnonzero(stays > _TINY)
    origin, target = np.append(moved.origin, own), np.append(moved.target, own)
    mass = np.append(moved.mass, stays[own])
    order = np.lexsort((target, origin))
    return TransportPlan(origin[order], target[order], mass[order])


def _in_order(p: Array, q: Array) -> TransportPlan:
    """The lowest mass goes to the lowest place: cut the cumulated mass wherever either distribution does."""
    ends_p, ends_q = np.cumsum(p), np.cumsum(q)
    cuts = np.unique(np.concatenate([[0.0], ends_p, ends_q]))
    mass = np.diff(cuts)
    middles = cuts[:-1] + mass / 2
    last = len(p) - 1
    origin, target = (np.minimum(np.searchsorted(ends, middles), last) for ends in (ends_p, ends_q))
    some = mass > _TINY
    codes, places = np.unique(origin[some] * len(p) + target[some], return_inverse=True)
    return TransportPlan(
        codes // len(p), codes % len(p), np.bincount(places, mass[some], len(codes)).astype(np.float64)
    )
