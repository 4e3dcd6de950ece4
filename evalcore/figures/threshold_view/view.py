"""The threshold view as data for the browser: content for up to 1,001 thresholds, current row, and samples to shake."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from evalcore.analyses import CELLS, ResamplingPlan, Scores, ThresholdChoice, resampling_for
from evalcore.analyses.threshold.choice import OperatingPoint, amount_columns, refused_amounts
from evalcore.analyses.threshold.pins import Pinned, count_change, value_change
from evalcore.classification.binary.axis import ScoreAxis, ScoreBars, score_axis, score_bars, score_dots
from evalcore.classification.binary.choice import Prices
from evalcore.classification.binary.counts import ConfusionCounts
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable, threshold_grid
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import HATCHES, OUTCOMES, Ink, apply_frame
from evalcore.inference import IntervalChoice, effective_share_counts, kernel_density, silverman
from evalcore.inference.intervals.scores import resampled_scores
from evalcore.numeric import Array, Indices, ratio
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import deflated, one_line, plotly_text, rows_text, threshold_text, value_text
from evalcore.wording.numbers import THIN, UNDEFINED, count_text, level_text, number_text, outcome_word, range_text

__all__ = ["FEW_DOTS", "MOST_DOTS", "MOST_UNASKED", "NEIGHBOURS", "RATES", "SAMPLES", "Drawing", "Shaking"]
__all__ += ["ThresholdView", "add_point", "changes", "codes", "current_row", "densities_figure", "drawn_name"]
__all__ += ["make_threshold_view", "rows_of", "shaking_of", "smoothed_classes", "texts"]

# The rates that are shown with their intervals.
RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy")
STEPS = 4095  # a place is one of so many steps: two letters
_LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
_PERCENT = f"{THIN}%"


def codes(values: Iterable[float]) -> str:
    """Encode numbers in 0 … 1 as two letters each; two dots stand for nan.

    >>> codes([0, 1, float("nan"), 0.5])
    'AA__..gA'
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    steps = np.where(known, np.rint(np.clip(np.nan_to_num(numbers), 0, 1) * STEPS), 0).astype(int)
    pairs = np.char.add(_LETTERS[steps // 64], _LETTERS[steps % 64])
    return "".join(np.where(known, pairs, "..").tolist())


def texts(column: Sequence[str]) -> list[str]:
    """Compress a column of texts: the common ending, and the rest joined.

    Neighbours are alike, so each begins with a digit that says how much of the one before it stays. Thin spaces become
    lines below. A column that is the same throughout is the text and how often it stands there.

    >>> texts(["12.5", "12.7", "13"]), texts(["7", "7"])
    (['', '012.5|37|13'], ['', '7', '2'])
    """
    if len(set(column)) == 1:
        return ["", column[0], str(len(column))]
    ending = _PERCENT if all(text.endswith(_PERCENT) or text == UNDEFINED for text in column) else ""
    parts, before = [], ""
    for text in column:
        text = text.removesuffix(ending)
        alike = [a == b for a, b in zip(before, text, strict=False)][:9]
        same = (*alike, False).index(False)
        parts.append(f"{same}{text[same:]}")
        before = text
    return [ending, "|".join(parts).replace(THIN, "_")]


def numbers_at(
    scores: Scores, x: Array, thresholds: npt.ArrayLike, counts: ConfusionCounts, measures: Sequence[str],
    intervals: IntervalChoice, resampled: bool = False, pin: ConfusionCounts | None = None,
) -> dict:  # fmt: skip
    """Texts, positions on the axis, counts, measures and intervals at m thresholds, packed for the browser.

    ``x``, ``thresholds`` and the counts have shape (m,); ``measures`` are the keys of the measures drawn. Bootstrap
    intervals, which take long for many thresholds, are computed only if ``resampled``. With the counts at a pin, the
    differences to them too.
    """
    measured = {key: METRICS[key] for key in dict.fromkeys((*RATES, "fall_out", *measures))}
    clustered = scores.scored.counts_at(np.asarray(thresholds)) if scores.scored.clusters else counts
    values = {key: np.asarray(measure(counts), dtype=np.float64) for key, measure in measured.items()}
    return {
        "t": texts([scores.text(t) for t in np.asarray(thresholds).tolist()]),
        "x": codes(x),
        "flagged": np.round(np.nan_to_num(ratio(counts.predicted_positives, counts.total)), 7).tolist(),
        "cells": {cell: _count_texts(getattr(counts, cell)) for cell in CELLS},
        "at": {key: codes(value) for key, value in values.items()},
        "texts": {key: _value_texts(measured[key], value) for key, value in values.items() if key != "fall_out"},
        "intervals": {key: _interval(METRICS[key], clustered, intervals, resampled) for key in RATES},
    } | ({} if pin is None else {"changes": changes(counts, pin, measures)})


def changes(counts: ConfusionCounts, pin: ConfusionCounts, measures: Sequence[str]) -> dict:
    """Differences of counts and measures at m thresholds to those at a pin, packed for the browser."""

    def column(change: Callable[[float, float], str], values: npt.ArrayLike, before: npt.ArrayLike) -> list[str]:
        pinned = float(np.asarray(before))
        return texts([change(value, pinned) for value in np.asarray(values, dtype=np.float64).tolist()])

    measured = {key: METRICS[key] for key in dict.fromkeys((*RATES, *measures))}
    return {
        "cells": {cell: column(count_change, getattr(counts, cell), getattr(pin, cell)) for cell in CELLS},
        "texts": {key: column(partial(value_change, one), one(counts), one(pin)) for key, one in measured.items()},
    }


def _interval(measure: MetricDef, counts: ConfusionCounts, intervals: IntervalChoice, resampled: bool) -> dict:
    """Bounds of a rate at each threshold, and the number of rows behind it."""
    column = {"n": _count_texts(effective_share_counts(measure, counts, intervals.level)[1].round())}
    if intervals.method == "bootstrap" and not resampled:
        return column
    interval, _ = intervals.of_shares(measure, counts)
    if np.isnan(interval.low).all():
        return column
    bounds = interval.low, interval.high
    return column | {"ends": [*map(codes, bounds)], "words": [_value_texts(measure, bound) for bound in bounds]}


def _count_texts(counts: Array) -> list[str]:
    return texts(list(map(count_text, counts.tolist())))


def _value_texts(measure: MetricDef, values: Array) -> list[str]:
    return texts([value_text(measure, value) for value in values.tolist()])


FEW_DOTS, MOST_DOTS = 60, 300  # rows up to which dots are what is drawn first, and up to which they can be chosen
_DOT, _LARGE_DOT = 1 / 64, 1 / 40  # width of a dot, as a share of the axis; the second where rows are few
_NARROWEST = 1 / 400  # least width of a kernel: narrower ones would be needles that no picture shows


@dataclass(frozen=True)
class Drawing:
    """Settings of the threshold view."""

    density: str = "histogram"  # or "smooth" or "dots"
    bins: int = 40
    width: float = 1.0  # times the bandwidth of the smooth density
    height: str = "rows"  # or "share"
    extent: str = "all"  # or "central" or "log"
    lines: tuple[str, ...] = ("recall", "precision", "specificity", "f_beta")  # keys of the measures that are drawn
    bands: bool = False  # around each of them


def densities(
    scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, grid: ThresholdTable, names: tuple[str, str]
) -> dict:
    """Distributions of both classes above and below the base line, with their notes."""
    if drawing.density == "dots" and len(grid) == len(scored.thresholds()):
        shape, note = _dots(scored, axis, grid)
    elif drawing.density == "smooth" and rows_of(scored):
        shape, note = _smooth(scored, axis, drawing, names)
    else:
        shape, note = _bars(scored, axis, drawing, names)
    return shape | {"notes": [text for text in (note, _left_out_note(axis, drawing)) if text]}


def _bars(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> tuple[dict, str]:
    bars = score_bars(scored, axis, drawing.bins)
    up, down, top = heights_of(bars, scored, drawing)
    tips = []
    for low, high, *rows in zip(bars.low, bars.high, bars.positives, bars.negatives, strict=True):
        ends = threshold_text(low) if low == high else range_text(threshold_text(low), threshold_text(high))
        counts = ", ".join(f"{count_text(count)} {name}" for count, name in zip(rows, names, strict=True))
        tips.append(f"{ends}: {counts}")
    sides = {"left": bars.left, "right": bars.right, "up": up / top, "down": down / top}
    coded = {side: codes(values) for side, values in sides.items()}
    return {"kind": "bars", **coded, "tips": tips}, "Height: share of the class" if drawing.height == "share" else ""


def heights_of(bars: ScoreBars, scored: ScoredLabels, drawing: Drawing) -> tuple[Array, Array, float]:
    """Heights of the bars of both classes, in rows or as shares of the class, and that of the tallest one."""
    up, down = bars.positives, bars.negatives
    if drawing.height == "share":
        up, down = up / (scored.positives or 1.0), down / (scored.negatives or 1.0)
    return up, down, float(max(up.max(initial=0), down.max(initial=0))) or 1.0


def _smooth(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> tuple[dict, str]:
    classes = list(smoothed_classes(scored, axis, drawing))
    densities = [kernel_density(along, weights, low=0, high=1, bandwidth=width) for along, weights, width in classes]
    totals = (1, 1) if drawing.height == "share" else (scored.positives, scored.negatives)
    sides = [density.values * total for density, total in zip(densities, totals, strict=True)]
    widths = [density.bandwidth for density in densities]
    top = max(side.max() for side in sides) or 1.0
    x = axis.x(axis.scores_at(np.linspace(0, 1, len(sides[0]))))
    named = zip(widths, names, strict=True)
    known = [f"{_width_text(axis, width)} ({name})" for width, name in named if not math.isnan(width)]
    shape = {"kind": "smooth", "x": codes(x), "up": codes(sides[0] / top), "down": codes(sides[1] / top)}
    return shape, f"Gaussian kernel, bandwidth {', '.join(known)}" if known else ""


def smoothed_classes(
    scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing
) -> Iterator[tuple[Array, Array | None, float | None]]:
    """Of positives and negatives, places along the axis, weights and the width of a kernel."""
    for is_positive, cumulated in ((True, scored.positive_weights), (False, scored.negative_weights)):
        along = axis.along(scored.positive_scores if is_positive else scored.negative_scores)
        weights = None if cumulated is None else np.abs(np.diff(cumulated))
        shown = np.isfinite(along)
        if not shown.all():
            along, weights = along[shown], None if weights is None else weights[shown]
        yield along, weights, max(drawing.width * silverman(along, weights), _NARROWEST) if len(along) else None


def _width_text(axis: ScoreAxis, width: float) -> str:
    if axis.log:
        return f"{number_text(width * np.log10(axis.high / axis.low))} decades"
    return threshold_text(float(f"{width * (axis.high - axis.low):.2g}"))


def _dots(scored: ScoredLabels, axis: ScoreAxis, grid: ThresholdTable) -> tuple[dict, str]:
    width = _LARGE_DOT if rows_of(scored) <= FEW_DOTS else _DOT
    dots = score_dots(scored, axis, width)
    most = max((dot[4] for dot in dots), default=1.0)
    rows = grid.rows([dot[1] for dot in dots])
    shape = {
        "kind": "dots", "width": width, "up": [int(dot[0]) for dot in dots], "x": codes([dot[2] for dot in dots]),
        "level": [dot[3] for dot in dots],
        "size": codes([(dot[4] / most) ** 0.5 for dot in dots]),
        "stop": (len(grid) - 1 - rows if axis.higher else rows).tolist(),
    }  # fmt: skip
    return shape, "One dot per row" + ("; its area is the weight" if scored.positive_weights is not None else "")


def rows_of(scored: ScoredLabels) -> int:
    """Number of rows with a score, each of which may be a dot."""
    return len(scored.positive_scores) + len(scored.negative_scores)


def _left_out_note(axis: ScoreAxis, drawing: Drawing) -> str:
    """Note on scores that the axis does not show, as a sentence."""
    if drawing.extent == "log" and not axis.log:
        return "No score is above 0, so the axis is not logarithmic"
    scores = "1 score is" if axis.left_out == 1 else f"{count_text(axis.left_out)} scores are"
    return f"{scores} {'at or below 0' if axis.log else 'outside the axis'} and not drawn" if axis.left_out else ""


NEIGHBOURS = 60
"""Distinct scores sent on each side of the threshold, for the arrow keys, where the view cannot hold them all."""


@dataclass(frozen=True, eq=False)
class ThresholdView:
    """Content of the threshold view at any threshold: JSON for the browser, and its digest as the name."""

    name: str
    text: str
    axis: ScoreAxis
    grid: ThresholdTable
    thresholds: Array
    drawing: Drawing
    intervals: IntervalChoice

    def ends(self, sent: object) -> tuple[float, float] | None:
        """The thresholds at two stops that a browser sent, the lower first; None for anything else."""
        stops = [stop for stop in sent if isinstance(stop, int)] if isinstance(sent, list) else []
        if len(stops) != 2 or not all(0 <= stop < len(self.thresholds) for stop in stops):
            return None
        low, high = sorted(self.thresholds[stops].tolist())
        return low, high


def make_threshold_view(
    scores: Scores, drawing: Drawing, intervals: IntervalChoice, prices: Prices | None = None
) -> ThresholdView:
    """Build the threshold view of one score column, with intervals of the rates, and with amounts where errors have."""
    grid = threshold_grid(scores.table)
    rising = slice(None, None, -1 if scores.higher else 1)
    thresholds, axis = grid.thresholds[rising], score_axis(scores.scored, drawing.extent)
    names = one_line(scores.positive, 24), one_line(scores.negative, 24)
    ticks = axis.ticks()
    level, rows = level_text(intervals.level), "effective n" if scores.scored.clusters else "n"
    few = scores.current.few_clusters.replace("with t quantiles on", "t on")  # short, for a phone
    complete = len(grid) == len(scores.table)
    view = {
        "stops": numbers_at(scores, axis.x(thresholds), thresholds, grid.counts[rising], drawing.lines, intervals),
        "length": len(thresholds), "complete": complete, "risks": scores.are_risks, "higher": scores.higher,
        "rows": [] if complete else scores.table.rows(thresholds).tolist(),
        "density": densities(scores.scored, axis, drawing, grid, names),
        "ticks": [[round(float(x), 5), t] for x, t in zip(axis.x(ticks), _tick_texts(ticks), strict=True)],
        "unit": f"{one_line(scores.system, 40)}{', logarithmic' if axis.log else ''}",
        "lines": [{"key": key, "word": drawn_name(key)} for key in drawing.lines], "names": names,
        "rates": [{"key": key, "name": METRICS[key].short, "reason": METRICS[key].undefined_when} for key in RATES],
        "words": {cell: [outcome_word(cell, count) for count in (1, 2)] for cell in OUTCOMES},
        "roc": f"ROC · AUC {number_text(METRICS['roc_auc'](scores.scored))}",
        "pr": f"Precision–recall · AP {number_text(METRICS['average_precision'](scores.scored))}",
        "prevalence": codes([scores.prevalence]),
        "reasons": _reasons(scores, names),
        "widest": max((count_text(float(n)) for n in (grid.counts.total[0], grid.counts.tp.max())), key=len),
        "with": f"With {level} intervals ({intervals.method_name}, {rows} in grey{few})",
        "sampled": f"With {level} intervals ({intervals.method_name}{few})",  # no n stands beside a sample's rates
    }  # fmt: skip
    columns, refused = amount_columns(scores), refused_amounts(scores)
    if columns or refused:
        view["amounts"] = {name: one_line(name, 24) for name in columns}
        view["refused"] = [f"its {one_line(name, 24)}: {why}" for name, why in refused.items()]
    if prices is not None:
        errors = prices.scored.counts_at(thresholds)
        amounts = {"missed": errors.fn, "alarmed": errors.fp}
        view["priced"] = {name: [float(f"{x:.7g}") for x in each.tolist()] for name, each in amounts.items()}
        view["priced"] |= {"rows": prices.rows, "name": prices.name, "share": prices.by_share}
    return ThresholdView(*named_text(view), axis, grid, thresholds, drawing, intervals)


def named_text(data: dict) -> tuple[str, str]:
    """Data as JSON for the browser, after its digest as its name."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=8).hexdigest(), text


def current_row(
    scores: Scores, threshold: float, view: ThresholdView, neighbours: bool = False, repeat: bool = True,
    pin: ConfusionCounts | None = None,
) -> dict:  # fmt: skip
    """Numbers at the current threshold and, with ``neighbours``, at the scores near it that the view leaves out.

    Without ``repeat``, the row of a threshold that the view has among its stops is None. With the counts at a pin, the
    differences to them too.
    """
    table, grid, axis, lines = scores.table, view.grid, view.axis, view.drawing.lines
    row, stop = table.index(threshold), grid.index(threshold)
    counts, resampled = scores.scored.counts_at([threshold]), view.intervals.method == "bootstrap"
    alike = not repeat and not resampled and grid.thresholds[stop] == threshold
    about = counts, lines, view.intervals
    current = {
        "row": None if alike else numbers_at(scores, axis.x([threshold]), [threshold], *about, True, pin),
        # Between two scores, or beyond them all, it stands at none of the stops and has the counts of one.
        "exact": bool(table.thresholds[row] == threshold),
        "stop": len(grid) - 1 - stop if scores.higher else stop, "place": row, "last": len(table) - 1,
    }  # fmt: skip
    if neighbours and len(grid) < len(table):
        first, last = max(row - NEIGHBOURS, 0), min(row + NEIGHBOURS + 1, len(table))
        rows = np.arange(first, last)[:: -1 if scores.higher else 1]
        near, counts = table.thresholds[rows], table.counts[rows]
        current["near"] = numbers_at(scores, axis.x(near), near, counts, lines, view.intervals, pin=pin)
        current |= {"first": first, "length": last - first}
    return current


def drawn_name(key: str) -> str:
    """Name of a measure beside its line and in the address."""
    return METRICS[key].label if METRICS[key].params else METRICS[key].name.lower()


def _reasons(scores: Scores, names: tuple[str, str]) -> dict[str, str]:
    """Reason for each missing curve."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    if not positives:
        none = f"None of {rows_text(negatives)} is {names[0]}." if negatives else "No row has both a label and a score."
        return dict.fromkeys(("roc", "pr"), none)
    return {} if negatives else {"roc": f"All {count_text(positives)} rows are {names[0]}: no false alarm is possible."}


def _tick_texts(ticks: Array) -> list[str]:
    """Tick labels in six digits; with equal decimals or all digits if two would be alike."""
    labels = [threshold_text(float(tick)) for tick in ticks]
    if len(set(labels)) < len(labels):
        return [repr(float(tick)).replace("-", "−") for tick in ticks]
    finite = np.isfinite(ticks).all() and not any("e" in text for text in labels)
    decimals = max((len(text.partition(".")[2]) for text in labels), default=0) if finite else 0
    return [f"{tick:.{decimals}f}".replace("-", "−") for tick in ticks] if decimals else labels


def densities_figure(scores: Scores, threshold: float, colours: Ink, pins: Sequence[Pinned] = ()) -> go.Figure:
    """Histogram of actual positives upwards and of actual negatives downwards, split at a threshold, with pins."""
    axis = score_axis(scores.scored)
    bars, cut = score_bars(scores.scored, axis), float(axis.x([threshold])[0])
    counts, figure = scores.counts_at(threshold), go.Figure()
    hatch = {"fillmode": "overlay", "fgcolor": colours.paper, "size": 6, "solidity": 0.25}
    # The rows of a single score are all on one side of the line.
    is_left = bars.low < threshold if scores.higher else bars.low <= threshold
    cuts = np.where(bars.low == bars.high, np.where(is_left, bars.right, bars.left), cut)
    for outcome in ("tp", "fn", "fp", "tn"):
        heights = bars.positives if outcome in ("tp", "fn") else -bars.negatives
        # Called positive lies on the side of the threshold where scores speak for it.
        right = (outcome in ("tp", "fp")) == scores.higher
        left_ends = np.maximum(bars.left, cuts) if right else bars.left
        right_ends = bars.right if right else np.minimum(bars.right, cuts)
        inside, count = right_ends > left_ends, float(getattr(counts, outcome))
        figure.add_bar(
            x=((left_ends + right_ends) / 2)[inside], y=heights[inside], width=(right_ends - left_ends)[inside],
            marker={"color": OUTCOMES[outcome], "line": {"width": 0}, "pattern": hatch | {"shape": HATCHES[outcome]}},
            name=f"{count_text(count)} {outcome_word(outcome, count)} ({outcome.upper()})", hoverinfo="skip",
        )  # fmt: skip
    ticks = axis.ticks()
    highest = float(max(bars.positives.max(initial=0), bars.negatives.max(initial=0))) or 1.0
    frame = {"barmode": "overlay", "bargap": 0, "showlegend": True}
    apply_frame(figure, colours, 300, plotly_text(scores.system), "rows", **frame)
    figure.add_hline(y=0, line={"color": colours.grey, "width": 1})
    for place in axis.x([one.pin.threshold for one in pins if one.is_shown]).tolist():
        figure.add_vline(x=place, line={"color": colours.grey, "width": 1, "dash": "dash"})
    figure.add_vline(x=cut, line={"color": colours.text, "width": 2})
    figure.add_annotation(
        x=cut, y=1, yref="paper", yanchor="top", xanchor="left", xshift=6, showarrow=False,
        text=f"<b>{scores.text(threshold)}</b>", bgcolor=colours.paper, font={"size": 12, "color": colours.text},
    )  # fmt: skip
    figure.update_xaxes(range=[0, 1], tickvals=axis.x(ticks), ticktext=[scores.text(float(t)) for t in ticks])
    return figure.update_yaxes(range=[-1.12 * highest, 1.12 * highest], showticklabels=False, showgrid=False)


def add_point(figure: go.Figure, plane: str, scores: Scores, threshold: float, colours: Ink) -> go.Figure:
    """Mark a threshold on a curve, "roc" or "pr", if it has a point there."""
    x, y = OperatingPoint(scores, threshold).coordinates[plane]
    marker = {"symbol": "circle", "size": 11, "color": colours.paper, "line": {"color": colours.text, "width": 3}}
    look = {"mode": "markers", "showlegend": False, "cliponaxis": False, "hoverinfo": "skip"}
    return figure.add_scatter(x=[x], y=[y], marker=marker, **look)


SAMPLES = 30
MOST_UNASKED = 60_000  # bytes of the samples up to which a report holds them
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
        "smooth": _smooth_samples(view, scores, at, (tp, fp)) if view.drawing.density == "smooth" else None,
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
    """Weights of TP, FP, FN and TN in numerator and denominator of a measure; None where it is no such quotient."""
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


def _smooth_samples(view: ThresholdView, scores: Scores, at: Indices, hits: Sequence[Array]) -> str:
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
