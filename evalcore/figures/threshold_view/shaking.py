"""Resamples of the rows that the threshold view goes through one after the other, packed for the browser."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from evalcore.analyses import ResamplingPlan, Scores, ThresholdChoice, resampling_for
from evalcore.classification import ConfusionCounts, ThresholdTable, score_bars
from evalcore.figures.threshold_view.view import RATES, ThresholdView, heights_of, named_text, smoothed_classes
from evalcore.inference import kernel_density
from evalcore.inference.intervals.scores import resampled_scores
from evalcore.numeric import Array, Indices
from evalcore.registry import METRICS
from evalcore.wording import deflated, level_text, number_text

__all__ = ["MOST_UNASKED", "SAMPLES", "Shaking", "shaking_of"]

SAMPLES = 30

MOST_UNASKED = 60_000
"""Bytes of the samples up to which a report holds them."""

_DECIMALS, _DIGITS = -2, 5  # of sums of weights: two decimals, as in words, and so many digits after the first
_TALL = 200  # of 255 steps, the height of the tallest smooth density
_TERMS = {"f_beta": ((2, 0, 0, 0), (2, 1, 1, 0))}  # TP, FP, FN and TN above and below the line, of what is no share


@dataclass(frozen=True, eq=False)
class Shaking:
    """Samples for the browser: JSON, and its digest as the name."""

    name: str
    text: str


def shaking_of(view: ThresholdView, chosen: ThresholdChoice, plan: ResamplingPlan) -> Shaking | None:
    """Draw samples like the rows of a view: their counts at each of its stops and in each bar; None without rows.

    Rows are drawn with replacement, clusters whole, as the plan says; each sample chooses its own best threshold for
    the goal, unless that is about amounts. All counts are sent, as differences from stop to stop.
    """
    scores = chosen.scores
    if not float(scores.table.counts[-1].total) > 0:
        return None
    at, places, bars, top = _rows_of(scores, view)
    table = ThresholdTable(scores.table.thresholds[at], scores.table.counts[at])
    resampling = resampling_for(scores, table, replace(plan, resamples=SAMPLES))
    blocks = resampling.over_blocks(lambda _, counts: (counts.tp, counts.fp), threaded=False)
    tp, fp = (np.concatenate(hits) for hits in zip(*blocks, strict=True))
    counts = ConfusionCounts(*(cell[:, places] for cell in (tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)))
    with np.errstate(divide="ignore", invalid="ignore"):
        # What the rows of a sample cost is not known: only their numbers are drawn.
        best = np.full(SAMPLES, -1) if chosen.goal.priced else chosen.goal.chosen_rows(counts)
        samples = [resampled_scores(*hits) for hits in zip(tp, fp, strict=True)]
        areas = {
            key: [f"{word} {number_text(METRICS[measure](sample))}" for sample in samples]
            for key, word, measure in (("roc", "AUC", "roc_auc"), ("pr", "AP", "average_precision"))
        }
    rates = dict.fromkeys((*RATES, "fall_out", *view.drawing.lines))
    terms = {key: value for key in rates if (value := _terms(key)) is not None}
    rising = slice(None, None, -1 if scores.higher else 1)
    values = {key: np.asarray(METRICS[key](counts), "<f4")[:, rising] for key in rates if key not in terms}
    unit, packed = _packed(np.stack([tp, fp], axis=1))
    data = {
        "samples": SAMPLES, "unit": unit, "packed": packed, "length": len(at), "stops": places[rising].tolist(),
        "bars": [side.tolist() for side in bars], "top": top, "share": view.drawing.height == "share",
        "smooth": _smooth(view, scores, at, (tp, fp)) if view.drawing.density == "smooth" else None,
        "terms": terms, "others": {key: deflated(value.tobytes()) for key, value in values.items()},
        "percent": [key for key in rates if METRICS[key].percent],
        "best": np.where(best < 0, -1, len(places) - 1 - best if scores.higher else best).tolist(), "areas": areas,
        "names": {key: METRICS[key].short for key in RATES},
        "interval": f"{level_text(view.intervals.level)} interval", "method": view.intervals.method_name,
    }  # fmt: skip
    return Shaking(*named_text(data))


def _rows_of(scores: Scores, view: ThresholdView) -> tuple[Indices, Indices, tuple[Indices, Indices], float]:
    """Rows of the table that are sent; among them those of the grid, and the strict and the lax end of each bar.

    Last the height of the tallest bar, in rows or as a share of its class.
    """
    table, scored, higher = scores.table, scores.scored, scores.higher
    bars = score_bars(scored, view.axis, view.drawing.bins)
    beyond = np.inf if higher else -np.inf
    # The end of a bar on the positive side is a score of its own only in the last bar and where each score has one.
    lax, strict = (bars.low, bars.high) if higher else (bars.high, bars.low)
    last = np.arange(len(lax)) == (len(lax) - 1 if higher else 0)
    strict = np.where((lax == strict) | last, np.nextafter(strict, beyond), strict)
    grid, ends = table.rows(view.grid.thresholds), [table.rows(side) for side in (strict, lax)]
    at = np.unique(np.concatenate([grid, *ends]))
    *_, top = heights_of(bars, scored, view.drawing)
    return at, at.searchsorted(grid), (at.searchsorted(ends[0]), at.searchsorted(ends[1])), top


def _terms(key: str) -> Sequence[Sequence[int]] | None:
    """How often each cell counts above and below the line of a measure; None where it is no such quotient."""
    measure, cells = METRICS[key], ("tp", "fp", "fn", "tn")
    if measure.interval != "share":
        return _TERMS.get(key)
    return [[int(cell in side) for cell in cells] for side in (measure.numerator, measure.denominator)]


def _packed(hits: Array) -> tuple[float, str]:
    """Cumulated counts of shape (samples, 2, t) as whole steps of a unit, each byte of all steps by itself."""
    total = float(hits.max(initial=0))
    fine = min(_DECIMALS, math.floor(math.log10(total or 1.0)) - _DIGITS)
    unit = 1.0 if np.array_equal(hits, np.rint(hits)) else 10.0**fine
    steps = np.diff(np.rint(hits / unit).astype(np.uint64), axis=-1, prepend=np.uint64(0)).reshape(-1)
    size = max(-(-int(steps.max(initial=0)).bit_length() // 8), 1)
    planes = steps.view(np.uint8).reshape(-1, 8).T[:size]
    return unit, deflated(planes.tobytes())


def _smooth(view: ThresholdView, scores: Scores, at: Indices, hits: Sequence[Array]) -> str:
    """Smooth densities of both classes of each sample: bytes, of which 200 are the tallest density of the rows."""
    axis, by_share = view.axis, view.drawing.height == "share"
    along = axis.along(scores.table.thresholds[at])
    shown = np.isfinite(along)
    totals = (1.0, 1.0) if by_share else (scores.scored.positives, scores.scored.negatives)
    classes = smoothed_classes(scores.scored, axis, view.drawing)
    tops, sides = [1e-300], []
    for side, (places, weights, width), total in zip(hits, classes, totals, strict=True):
        smooth = partial(kernel_density, low=0, high=1, bandwidth=width)
        tops.append(total * smooth(places, weights).values.max(initial=0))
        drawn = [smooth(along[shown], row[shown]).values for row in np.diff(side, prepend=0)]
        sides.append(np.stack(drawn) * (1.0 if by_share else side[:, -1:]))
    heights = np.stack(sides, axis=1) / max(tops)
    return deflated(np.clip(np.rint(_TALL * heights), 0, 255).astype(np.uint8).tobytes())
