"""Sorting scores and cumulating counts over all thresholds: the kernel of every curve."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from evalcore.numeric import BLOCK, WORTH_A_THREAD, Array, at_once, over_parts


@dataclass(frozen=True, eq=False)
class Steps:
    """How the counts grow from the strictest threshold to the laxest: one entry per distinct score, after the start."""

    # Shape (t,): strictly decreasing from +inf; where lower scores are positive, strictly increasing from −inf.
    thresholds: Array
    # Shape (t,): weight of the positives and of the negatives that are called positive at the threshold.
    tp: Array
    fp: Array


def sorted_apart(values: Array, is_positive: np.ndarray) -> tuple[Array, Array]:
    """Scores of the positives and of the negatives, each ascending.

    Large inputs are sorted in two threads of equal work (numpy releases the interpreter lock while it sorts): the
    larger class is divided at a value, so that its sorted parts only need to be concatenated.
    """
    positives, negatives = at_once(
        lambda: np.compress(is_positive, values), lambda: np.compress(~is_positive, values), len(values)
    )
    if len(values) < WORTH_A_THREAD:
        return _sort(positives), _sort(negatives)
    large, small = (positives, negatives) if len(positives) > len(negatives) else (negatives, positives)
    with ThreadPoolExecutor(1) as other:
        sample = np.sort(large[:: len(large) // 1000])
        pivot = sample[len(sample) * (len(large) - len(small)) // (2 * len(large))]
        lower = other.submit(lambda: _sort(np.compress(large < pivot, large)))
        upper = other.submit(lambda: _sort(small))
        top = _sort(np.compress(large >= pivot, large))
        upper.result()
        np.concatenate([lower.result(), top], out=large)
    return positives, negatives


def _sort(values: Array) -> Array:
    values.sort()
    return values


def staircase(positives: Array, negatives: Array, higher_is_positive: bool = True) -> Steps:
    """Distinct scores from the strictest on, with the number of positives and of negatives called positive at each.

    The two ascending arrays are cut at common values into parts that fit the cache; equal scores stay together. In each
    part the stable sort finds two runs and merges them in one pass.
    """
    n = len(positives) + len(negatives)
    thresholds, tp, fp = np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
    thresholds[0], tp[0], fp[0] = np.inf if higher_is_positive else -np.inf, 0.0, 0.0

    def fill(part: tuple[int, int, int, int]) -> bool:
        """Write the rows of one part; True when some of its scores are equal."""
        i, i_end, j, j_end = part
        scores = np.concatenate([positives[i:i_end], negatives[j:j_end]])
        order = np.argsort(scores, kind="stable")
        before, hits_before = i + j, i
        if higher_is_positive:
            order, before, hits_before = order[::-1], n - i_end - j_end, len(positives) - i_end
        rows = slice(before + 1, before + 1 + len(scores))
        ordered = scores[order]
        thresholds[rows] = ordered
        # Whole numbers of 32 bits add up five times as fast as those of 64, and count all rows a part can hold.
        hits = np.cumsum(order < i_end - i, dtype=np.int32)
        np.add(hits, float(hits_before), out=tp[rows])
        np.subtract(np.arange(before + 1, before + 1 + len(scores)), tp[rows], out=fp[rows])
        return bool((ordered[1:] == ordered[:-1]).any())

    larger = positives if len(positives) > len(negatives) else negatives
    pivots = larger[BLOCK::BLOCK]
    i, j = np.unique([positives.searchsorted(pivots), negatives.searchsorted(pivots)], axis=1)
    i, j = (np.concatenate([[0], cuts, [end]]) for cuts, end in ((i, len(positives)), (j, len(negatives))))
    parts = list(zip(i[:-1].tolist(), i[1:].tolist(), j[:-1].tolist(), j[1:].tolist(), strict=True))
    if any(over_parts(fill, parts, n)):
        last_of_its_score = np.append(thresholds[1:] != thresholds[:-1], True)
        thresholds, tp, fp = (np.compress(last_of_its_score, column) for column in (thresholds, tp, fp))
    return Steps(thresholds, tp, fp)
