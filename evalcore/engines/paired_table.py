"""Rows that have both: the bins of each system, and the larger bins of all systems together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalcore.engines.row_weights import written_out
from evalcore.engines.score_bins import ScoreBins
from evalcore.engines.summaries import Summary, grouped_rows
from evalcore.numeric import Array

__all__: list[str] = []

_GOLDEN = (5**0.5 - 1) / 2


def paired_table(each: Sequence[ScoreBins], joint: Summary, most: int | None = None) -> dict[str, np.ndarray]:
    """What `PairedScoreCounts.table` returns.

    The rows of a class, in the order of one system, are cut wherever one of its small bins ends, and wherever a larger
    one does: so each part belongs to one of both, and all counts are met.
    """
    entry, positive, count = _by_class(joint)
    parts = {name: values[entry] for name, values in joint.keys.items()} | {"positive": positive}
    if most is not None:
        of_positives = joint.sums["positive_squares"][entry]
        squares = np.where(positive, of_positives, joint.sums["squares"][entry] - of_positives)
        entries, count = written_out(count, squares, most)
        parts = {name: values[entries] for name, values in parts.items()} | {"row": np.arange(len(entries))}
    # What weights add up to differs in its last bits.
    least = 1e-12 * count.sum() if "rows" in joint.sums else 0.5
    for place, scores in enumerate(each):
        bins, is_positive, sizes = _by_class(scores.summary)
        keys = {name: values[bins] for name, values in scores.summary.keys.items()} | {"positive": is_positive}
        names = [name for name in ("positive", "group", "unit") if name in keys]
        both = [np.concatenate([parts[name], keys[name]]) for name in names]
        blocks = np.split(grouped_rows(both, len(count) + len(sizes))[0], [len(count)])
        key = parts.pop(f"key {place}")
        rest = [values for name, values in parts.items() if name.startswith(("key ", "bin "))]
        rows = np.lexsort([*rest, key, blocks[0]])
        # Neighbours by the other systems are spread over the whole bin of this one.
        rows = rows[np.lexsort([np.arange(len(rows)) * _GOLDEN % 1, key[rows], blocks[0][rows]])]
        order = np.lexsort([keys["key"], blocks[1]])
        one, two, count = _matched(count[rows], sizes[order], least)
        parts = {name: values[rows[one]] for name, values in parts.items()} | {f"bin {place}": bins[order[two]]}
    table = {"count": count} | {name: parts[name] for name in ("positive", "group", "unit", "row") if name in parts}
    for place, scores in enumerate(each):
        ends = _ends(scores)
        table |= {f"{end} {place}": values[parts[f"bin {place}"]] for end, values in ends.items()}
    return table


def _by_class(summary: Summary) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_], Array]:
    """The entries of a summary that hold positives, and those that hold negatives, with how many."""
    positives = summary.sums["positives"]
    counts = np.concatenate([positives, summary.sums["count"] - positives])
    used = np.flatnonzero(counts > 0)
    return used % len(summary), used < len(summary), counts[used]


def _matched(one: Array, two: Array, least: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]:
    """The same rows counted in two ways, both in one order: the place in each of every part of both, and its size."""
    ends = np.cumsum(one), np.cumsum(two)
    cuts = np.union1d(*ends)
    sizes = np.diff(cuts, prepend=0.0)
    sure = sizes > least
    middles = (cuts - sizes / 2)[sure]
    first, second = (np.minimum(of.searchsorted(middles), len(of) - 1) for of in ends)
    # Neighbours take what is left out, so that nothing is lost.
    return first, second, np.diff(np.append(cuts[sure][:-1], cuts[-1:]), prepend=0.0)


def _ends(scores: ScoreBins) -> dict[str, Array]:
    """The lax and the strict end of the bin of each entry; in all groups a bin stands at one score."""
    every = scores.bins
    at = every.keys["key"].searchsorted(scores.summary.keys["key"])
    low, high = every.lowest["lowest"][at], every.highest["highest"][at]
    return {"near": low, "far": high} if scores.higher_is_positive else {"near": high, "far": low}
