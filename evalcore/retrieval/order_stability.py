"""Whether some measures order the systems alike when judgments are hidden step by step, draw after draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, at_once, ratio
from evalcore.retrieval.hiding import SEED, JudgedRuns
from evalcore.retrieval.step_means import Measure, StepMeans

__all__ = ["OrderStability", "order_stability"]

_NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class OrderStability:
    """How some measures order the systems with fewer judgments."""

    steps: tuple[float, ...]
    full: dict[str, Array]  # shape (m,): mean of each measure for each system with all judgments
    means: dict[str, Array]  # shape (s, d, m): the same for each step and draw

    @classmethod
    def joined(cls, parts: Sequence[OrderStability]) -> OrderStability:
        """Draws that were made one by one, of the same systems, measures and steps."""
        if not parts:
            raise ValueError("There is no seed; give one for each draw.")
        first = parts[0]
        means = {name: np.concatenate([part.means[name] for part in parts], axis=1) for name in first.full}
        return cls(first.steps, first.full, means)

    @cached_property
    def tau(self) -> dict[str, Array]:
        """Kendall's tau-b of `full` with each of the means, shape (s, d); nan where all systems are equal."""
        return {name: kendall_tau(full, self.means[name]) for name, full in self.full.items()}

    @cached_property
    def same_best(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Whether the best system is still the only best one, shape (s, d)."""
        return {name: _same_best(full, self.means[name]) for name, full in self.full.items()}

    def mean_tau(self, name: str) -> Array:
        """Mean tau of a measure over the draws in which it is defined, nan where it is in none, shape (s,)."""
        tau = self.tau[name]
        defined = ~np.isnan(tau)
        counts = defined.sum(axis=1)
        sums = np.where(defined, tau, 0.0).sum(axis=1)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def lowest_tau(self, name: str) -> Array:
        """The lowest tau of a measure over the draws, nan where it is undefined in all of them, shape (s,)."""
        return np.fmin.reduce(self.tau[name], axis=1)

    def same_order(self, name: str) -> npt.NDArray[np.int64]:
        """In how many draws the order is the very same, shape (s,)."""
        return np.count_nonzero(self.tau[name] >= 1 - _NEAR, axis=1)


def order_stability(
    judged: JudgedRuns,
    measures: Mapping[str, Measure],
    way: str,
    steps: Sequence[float],
    seeds: Sequence[int] = (SEED,),
    level: float = 1,
    queries: npt.NDArray[np.bool_] | None = None,
) -> Iterator[OrderStability]:
    """Hide judgments step by step and compare the order of the systems with that of all judgments.

    Yields draw by draw, each as it is made, for callers that show progress or stop.

    Parameters
    ----------
    measures : mapping of str to callable
        Only the order counts, whether higher or lower is better.
    way : str
        One of `WAYS`.
    seeds : sequence of int, length d
        One draw each. A pool needs no draw: its first seed stands for all.
    queries : array of bool, shape (q,), optional
        Those that take part; by default all.

    Raises
    ------
    ValueError
        When the way is unknown or a step makes no sense.

    Examples
    --------
    >>> from evalcore import find
    >>> from evalcore.retrieval import Judgments, Run
    >>> judgments = Judgments.from_arrays(["q"] * 4, ["a", "b", "c", "d"], [1, 0, 1, 0])
    >>> runs = {"one": Run.from_arrays(["q"] * 2, ["a", "c"], [2, 1]), "two": Run.from_arrays(["q"], ["b"], [1])}
    >>> result = next(order_stability(JudgedRuns.of(judgments, runs), {"AP": find("AP", "retrieval")}, "pool", [1, 2]))
    >>> result.full["AP"].tolist(), result.means["AP"][0].tolist(), result.tau["AP"].tolist()
    ([1.0, 0.0], [[1.0, 0.0]], [[1.0], [1.0]])
    """
    queries = np.ones(len(judged.judgments.queries), dtype=bool) if queries is None else queries
    means = StepMeans(judged, measures, queries)
    full = means.full

    def stability(seed: int) -> OrderStability:
        of_steps = means.of(judged.draw(way, seed, level), steps)
        return OrderStability(tuple(steps), full, {name: values[:, None] for name, values in of_steps.items()})

    seeds = tuple(seeds)[:1] if way == "pool" else tuple(seeds)
    rows = len(steps) * sum(len(hits.query) for hits in judged.hits)
    # Two at once; what the first two both ask for, each may work out for itself.
    for one, two in zip(seeds[::2], seeds[1::2], strict=False):
        yield from at_once(partial(stability, one), partial(stability, two), rows)
    if len(seeds) % 2:
        yield stability(seeds[-1])


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Tau-b of one value per system with each of several such lists, shapes (m,) and (…, m); nan where all are equal.

    M. Kendall (1945), The treatment of ties in ranking problems, Biometrika 33.
    """
    one, several = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if one.ndim != 1 or several.shape[-1:] != one.shape:
        raise ValueError(f"The shapes are {one.shape} and {several.shape}; give one value per system in each.")
    i, j = np.triu_indices(len(one), 1)
    first, second = (np.sign(values[..., i] - values[..., j]) for values in (one, several))
    pairs = np.count_nonzero(first) * np.count_nonzero(second, axis=-1).astype(np.float64)
    return ratio((first * second).sum(axis=-1), np.sqrt(pairs))


def _same_best(full: Array, fewer: Array) -> npt.NDArray[np.bool_]:
    """Whether the highest of `full`, where it is one, is the only highest along the last axis of `fewer`."""
    best = full == full.max()
    if np.count_nonzero(best) != 1:
        return np.zeros(fewer.shape[:-1], dtype=bool)
    return ((fewer == fewer.max(axis=-1, keepdims=True)) == best).all(axis=-1)
