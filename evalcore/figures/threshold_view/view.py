"""The threshold view as data for the browser: content for up to 1,001 thresholds, current row and overlay of a goal."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalcore.analyses import CELLS, ChoiceCertainty, OperatingPoint, Scores, ThresholdChoice
from evalcore.classification import (
    Choice,
    ConfusionCounts,
    ScoreAxis,
    ScoredLabels,
    ThresholdTable,
    score_axis,
    score_bars,
    score_dots,
    threshold_grid,
)
from evalcore.figures.base import graph_objects as go
from evalcore.figures.base.theme import HATCHES, OUTCOMES, Ink, apply_frame, ink
from evalcore.inference import IntervalChoice, effective_share_counts, kernel_density, silverman
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import (
    THIN,
    UNDEFINED,
    count_text,
    level_text,
    number_text,
    one_line,
    outcome_word,
    plotly_text,
    range_text,
    rows_text,
    threshold_text,
    value_text,
)

__all__ = ["CAMERA", "ELEMENT", "FEW_DOTS", "MOST_DOTS", "NEIGHBOURS", "PICTURE", "RATES", "Drawing"]
__all__ += ["THRESHOLD", "THRESHOLD_STYLE", "ThresholdView", "add_point", "alone_program", "codes", "current_row"]
__all__ += ["densities_figure", "drawn_name", "hands_note", "make_threshold_view", "overlay", "script_of"]
__all__ += ["text_of_files", "texts", "view_alone", "view_ink", "view_program"]

RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy")
"""The rates that are shown with their intervals."""

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
    scores: Scores,
    x: Array,
    thresholds: npt.ArrayLike,
    counts: ConfusionCounts,
    measures: Sequence[str],
    intervals: IntervalChoice,
    resampled: bool = False,
) -> dict:
    """Texts, positions on the axis, counts, measures and intervals at m thresholds, packed for the browser.

    ``x``, ``thresholds`` and the counts have shape (m,); ``measures`` are the keys of the measures drawn. Bootstrap
    intervals, which take long for many thresholds, are computed only if ``resampled``.
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


FEW_DOTS, MOST_DOTS = 60, 300
"""Rows up to which dots are what is drawn first, and up to which they can be chosen."""

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
    elif drawing.density == "smooth" and _rows(scored):
        shape, note = _smooth(scored, axis, drawing, names)
    else:
        shape, note = _bars(scored, axis, drawing, names)
    return shape | {"notes": [text for text in (note, _left_out_note(axis, drawing)) if text]}


def _bars(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> tuple[dict, str]:
    bars = score_bars(scored, axis, drawing.bins)
    up, down, by_share = bars.positives, bars.negatives, drawing.height == "share"
    if by_share:
        up, down = up / (scored.positives or 1.0), down / (scored.negatives or 1.0)
    top = max(up.max(initial=0), down.max(initial=0)) or 1.0
    tips = []
    for low, high, *rows in zip(bars.low, bars.high, bars.positives, bars.negatives, strict=True):
        ends = threshold_text(low) if low == high else range_text(threshold_text(low), threshold_text(high))
        counts = ", ".join(f"{count_text(count)} {name}" for count, name in zip(rows, names, strict=True))
        tips.append(f"{ends}: {counts}")
    sides = {"left": bars.left, "right": bars.right, "up": up / top, "down": down / top}
    coded = {side: codes(values) for side, values in sides.items()}
    return {"kind": "bars", **coded, "tips": tips}, "Height: share of the class" if by_share else ""


def _smooth(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> tuple[dict, str]:
    sides, widths = [], []
    classes = (
        (scored.positive_scores, scored.positive_weights, scored.positives),
        (scored.negative_scores, scored.negative_weights, scored.negatives),
    )
    for scores, cumulated, total in classes:
        along = axis.along(scores)
        weights = None if cumulated is None else np.abs(np.diff(cumulated))
        shown = np.isfinite(along)
        if not shown.all():
            along, weights = along[shown], None if weights is None else weights[shown]
        width = max(drawing.width * silverman(along, weights), _NARROWEST) if len(along) else None
        density = kernel_density(along, weights, low=0, high=1, bandwidth=width)
        sides.append(density.values * (1 if drawing.height == "share" else total))
        widths.append(density.bandwidth)
    top = max(side.max() for side in sides) or 1.0
    x = axis.x(axis.scores_at(np.linspace(0, 1, len(sides[0]))))
    named = zip(widths, names, strict=True)
    known = [f"{_width_text(axis, width)} ({name})" for width, name in named if not math.isnan(width)]
    shape = {"kind": "smooth", "x": codes(x), "up": codes(sides[0] / top), "down": codes(sides[1] / top)}
    return shape, f"Gaussian kernel, bandwidth {', '.join(known)}" if known else ""


def _width_text(axis: ScoreAxis, width: float) -> str:
    if axis.log:
        return f"{number_text(width * np.log10(axis.high / axis.low))} decades"
    return threshold_text(float(f"{width * (axis.high - axis.low):.2g}"))


def _dots(scored: ScoredLabels, axis: ScoreAxis, grid: ThresholdTable) -> tuple[dict, str]:
    width = _LARGE_DOT if _rows(scored) <= FEW_DOTS else _DOT
    dots = score_dots(scored, axis, width)
    most = max((dot[4] for dot in dots), default=1.0)
    rows = grid.rows([dot[1] for dot in dots])
    shape = {
        "kind": "dots",
        "width": width,
        "up": [int(dot[0]) for dot in dots],
        "x": codes([dot[2] for dot in dots]),
        "level": [dot[3] for dot in dots],
        "size": codes([(dot[4] / most) ** 0.5 for dot in dots]),
        "stop": (len(grid) - 1 - rows if axis.higher else rows).tolist(),
    }
    return shape, "One dot per row" + ("; its area is the weight" if scored.positive_weights is not None else "")


def _rows(scored: ScoredLabels) -> int:
    return len(scored.positive_scores) + len(scored.negative_scores)


def _left_out_note(axis: ScoreAxis, drawing: Drawing) -> str:
    """Note on scores that the axis does not show, as a sentence."""
    if drawing.extent == "log" and not axis.log:
        return "No score is above 0, so the axis is not logarithmic"
    if not axis.left_out:
        return ""
    scores = "1 score is" if axis.left_out == 1 else f"{count_text(axis.left_out)} scores are"
    return f"{scores} {'at or below 0' if axis.log else 'outside the axis'} and not drawn"


NEIGHBOURS = 60
"""Distinct scores sent on each side of the threshold, for the arrow keys, where the view cannot hold them all."""

_BARS = 160  # little bars in which the resamples are shown


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


def make_threshold_view(scores: Scores, drawing: Drawing, intervals: IntervalChoice) -> ThresholdView:
    """Build the threshold view of one score column, with intervals of the rates."""
    grid = threshold_grid(scores.table)
    rising = _rising(scores)
    thresholds, axis = grid.thresholds[rising], score_axis(scores.scored, drawing.extent)
    names = one_line(scores.positive, 24), one_line(scores.negative, 24)
    ticks = axis.ticks()
    level, rows = level_text(intervals.level), "effective n" if scores.scored.clusters else "n"
    few = scores.current.few_clusters.replace("with t quantiles on", "t on")  # short, for a phone
    complete = len(grid) == len(scores.table)
    view = {
        "stops": numbers_at(scores, axis.x(thresholds), thresholds, grid.counts[rising], drawing.lines, intervals),
        "length": len(thresholds),
        "complete": complete,
        "rows": [] if complete else scores.table.rows(thresholds).tolist(),
        "higher": scores.higher,
        "density": densities(scores.scored, axis, drawing, grid, names),
        "ticks": [[round(float(x), 5), t] for x, t in zip(axis.x(ticks), _tick_texts(ticks), strict=True)],
        "unit": f"{one_line(scores.system, 40)}{', logarithmic' if axis.log else ''}",
        "lines": [{"key": key, "word": drawn_name(key)} for key in drawing.lines],
        "names": names,
        "rates": [{"key": key, "name": METRICS[key].short, "reason": METRICS[key].undefined_when} for key in RATES],
        "words": {cell: [outcome_word(cell, count) for count in (1, 2)] for cell in OUTCOMES},
        "roc": f"ROC · AUC {number_text(METRICS['roc_auc'](scores.scored))}",
        "pr": f"Precision–recall · AP {number_text(METRICS['average_precision'](scores.scored))}",
        "prevalence": codes([scores.prevalence]),
        "reasons": _reasons(scores, names),
        "widest": max((count_text(float(n)) for n in (grid.counts.total[0], grid.counts.tp.max())), key=len),
        "with": f"With {level} intervals ({intervals.method_name}, {rows} in grey{few})",
    }
    text = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
    return ThresholdView(
        blake2b(text.encode(), digest_size=8).hexdigest(), text, axis, grid, thresholds, drawing, intervals
    )


def current_row(scores: Scores, threshold: float, view: ThresholdView, neighbours: bool) -> dict:
    """Numbers at the current threshold and, with ``neighbours``, at the scores near it that the view leaves out."""
    table, grid, axis, lines = scores.table, view.grid, view.axis, view.drawing.lines
    row, stop = table.index(threshold), grid.index(threshold)
    counts = scores.scored.counts_at([threshold])
    current = {
        "row": numbers_at(scores, axis.x([threshold]), [threshold], counts, lines, view.intervals, resampled=True),
        # Between two scores, or beyond them all, it stands at none of the stops and has the counts of one.
        "exact": bool(table.thresholds[row] == threshold),
        "stop": len(grid) - 1 - stop if scores.higher else stop,
        "place": row,
        "last": len(table) - 1,
    }
    if neighbours and len(grid) < len(table):
        first, last = max(row - NEIGHBOURS, 0), min(row + NEIGHBOURS + 1, len(table))
        near = table.thresholds[first:last][_rising(scores)]
        counts = table.counts[first:last][_rising(scores)]
        current["near"] = numbers_at(scores, axis.x(near), near, counts, lines, view.intervals)
        current |= {"first": first, "length": last - first}
    return current


def drawn_name(key: str) -> str:
    """Name of a measure beside its line and in the address."""
    return METRICS[key].label if METRICS[key].params else METRICS[key].name.lower()


def _rising(scores: Scores) -> slice:
    return slice(None, None, -1) if scores.higher else slice(None)


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
    if len(set(labels)) == len(labels):
        finite = np.isfinite(ticks).all() and not any("e" in text for text in labels)
        decimals = max((len(text.partition(".")[2]) for text in labels), default=0) if finite else 0
        return [f"{tick:.{decimals}f}".replace("-", "−") for tick in ticks] if decimals else labels
    return [repr(float(tick)).replace("-", "−") for tick in ticks]


def overlay(
    view: ThresholdView,
    chosen: ThresholdChoice,
    allowed: Array | None = None,
    certainty: ChoiceCertainty | None = None,
    bands: Mapping[str, tuple[Array, Array]] | None = None,
) -> dict:
    """Overlay of a goal: best threshold, forbidden thresholds, spread over resamples, bands and limits on new rows.

    ``allowed`` holds ranges of thresholds, shape (m, 2); the rest is greyed. ``bands`` maps the key of a measure to
    the lower and upper ends at the rows of the view's grid.
    """
    way = -1 if chosen.scores.higher else 1
    return {
        "allowed": None if allowed is None else _allowed(view, chosen, allowed.reshape(-1, 2)),
        "spread": _spread(view.axis, certainty) if certainty is not None and certainty.is_defined else None,
        "bands": {key: [codes(end[::way]) for end in ends] for key, ends in (bands or {}).items()},
        "goal": None if chosen.choice is None else _goal(view.axis, chosen.scores, chosen.choice),
        "promise": _promise(view.axis, chosen),
    }


def _promise(axis: ScoreAxis, chosen: ThresholdChoice) -> dict | None:
    """Ranges in which the limits hold on new rows, with their caption."""
    promise = chosen.promise
    if promise is None or promise.ranges is None:
        return None
    return {"ranges": np.round(axis.x(promise.ranges), 5).tolist(), "words": promise.label}


def _allowed(view: ThresholdView, chosen: ThresholdChoice, ranges: Array) -> dict:
    thresholds, higher = view.thresholds, chosen.scores.higher
    low, high = ranges[:, 0], ranges[:, 1]
    # Counts hold from just beyond the next score on the negative side up to the score itself. Ranges rise and are
    # apart, so that the first one that does not end before a threshold is the only one it can lie in.
    index = high.searchsorted(thresholds, side="left" if higher else "right")
    start = np.append(low, np.inf)[index]
    inside = (thresholds > start) if higher else (thresholds >= start)
    # Nothing is positive beyond the last score: a range that holds there goes to the end of the axis.
    shades, end = [], 0.0
    for left, right in [*view.axis.x(ranges).tolist(), [1.0, 1.0]]:
        if left > end + 1e-9:
            shades.append([round(end, 5), round(left, 5)])
        end = max(end, right)
    words = f"not allowed: {chosen.forbidden}"
    return {"shades": shades, "inside": "".join("1" if yes else "0" for yes in inside.tolist()), "words": words}


def _spread(axis: ScoreAxis, certainty: ChoiceCertainty) -> dict:
    positions, chosen = axis.x(certainty.thresholds), certainty.shares
    cells = np.minimum((positions * _BARS).astype(int), _BARS - 1)
    shares = np.bincount(cells, chosen, _BARS)
    filled = np.flatnonzero(shares)
    # A bar stands where its thresholds do, not at the edge of its cell.
    middle = np.bincount(cells, positions * chosen, _BARS)[filled] / shares[filled]
    return {
        "bars": [[round(x, 5), round(h, 4)] for x, h in zip(middle, shares[filled] / shares.max(), strict=True)],
        "ends": np.round(axis.x(certainty.ends), 5).tolist(),
        "plateau": np.round(axis.x(certainty.bootstrap.plateau), 5).tolist(),
        "title": certainty.title,
        "range": certainty.range_text,
    }


def _goal(axis: ScoreAxis, scores: Scores, choice: Choice) -> dict:
    values = [float(METRICS[key](choice.counts)) for key in ("fall_out", "recall", "precision")]
    return {
        "x": round(float(axis.x(choice.threshold)), 5),
        "text": scores.text(choice.threshold),
        "point": [None if math.isnan(value) else round(value, 5) for value in values],
    }


_FOLDER = Path(__file__).with_name("program")

ELEMENT, PICTURE, CAMERA = (str(_FOLDER / name) for name in ("element.js", "picture.js", "shared.css"))
"""What several components share: elements and what moves them, a saved picture, and the rules of style."""

THRESHOLD = tuple(str(_FOLDER / f"{part}.js") for part in ("drawing", "drag"))

THRESHOLD_STYLE = str(_FOLDER / "view.css")
"""Scores of both classes with a line that cuts them and the curves it runs on, as several components draw them."""

_PARTS = tuple(str(_FOLDER / f"{part}.js") for part in ("layout", "numbers", "main"))

_ALONE = str(_FOLDER / "alone.js")


def text_of_files(*files: str) -> str:
    """Concatenate the text of files."""
    return "".join(Path(file).read_text(encoding="utf-8") for file in files)


def view_program() -> tuple[str, str]:
    """JavaScript module of the threshold view, which exports the function of its component, and its style sheet."""
    style = text_of_files(THRESHOLD_STYLE)
    # One program of many files; the rules of style go along, so that a saved picture looks the same.
    program = text_of_files(ELEMENT, PICTURE, *THRESHOLD, *_PARTS)
    return f"{program}\nconst STYLE = {json.dumps(style)}\n", style + text_of_files(CAMERA)


def script_of(program: str) -> str:
    """A component's module as the beginning of a plain script, in which its function is called `drawView`."""
    return program.replace("export default function", "const drawView = function")


def alone_program() -> str:
    """JavaScript of the threshold view without a server: `showThresholdView(place, data, tell)`."""
    program, style = view_program()
    return f"{script_of(program)}\nconst VIEW_STYLE = {json.dumps(style)}\n{text_of_files(_ALONE)}"


def view_alone(scores: Scores, threshold: float, view: ThresholdView, chosen: ThresholdChoice) -> dict:
    """Data of a threshold view without a server: keys step through its thresholds, and only numbers can be typed."""
    drawn = json.loads(view.text)
    drawn |= {
        "complete": True,
        "rows": [],
        "typed": "Type a number: the line goes to the nearest threshold of this view",
    }
    lines, turned = len(view.drawing.lines), scores.current.actual_in_rows
    return {
        "view": drawn,
        "over": overlay(view, chosen, chosen.allowed),
        "now": current_row(scores, threshold, view, neighbours=False),
        "inks": [view_ink(ink(dark), lines, turned) for dark in (False, True)],
    }


def hands_note(view: ThresholdView, scores: Scores, what: str = "view") -> tuple[str, str]:
    """Sentences below a view without a server: how its line is moved, and how many of the thresholds it holds."""
    stops, all_of = len(view.grid), len(scores.table)
    held = f"all {count_text(stops)} thresholds"
    if stops < all_of:
        held = f"{count_text(stops)} of {count_text(all_of)} thresholds, with exact counts at each"
    hands = "Drag the line, a ring or a cell of the table; arrow keys move it by one step."
    return hands, f"The {what} holds {held}."


_HEIGHT = 300


def view_ink(colours: Ink, lines: int, turned: bool) -> dict:
    """Colours of the threshold view with ``lines`` measures; if ``turned``, actual classes are in the rows."""
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    words = {f"{cell}-word": colour for cell, colour in colours.words.items()}
    return {
        "colours": named | OUTCOMES | words,
        "lines": [colours.system(index) for index in range(lines)],
        "turned": turned,
    }


def densities_figure(scores: Scores, threshold: float, colours: Ink) -> go.Figure:
    """Histogram of actual positives upwards and of actual negatives downwards, split at a threshold."""
    axis = score_axis(scores.scored)
    bars, cut = score_bars(scores.scored, axis), float(axis.x([threshold])[0])
    counts, figure = scores.counts_at(threshold), go.Figure()
    for outcome in ("tp", "fn", "fp", "tn"):
        sign = 1 if outcome in ("tp", "fn") else -1
        # Called positive lies on the side of the threshold where scores speak for it.
        right = (outcome in ("tp", "fp")) == scores.higher
        left_ends = np.maximum(bars.left, cut) if right else bars.left
        right_ends = bars.right if right else np.minimum(bars.right, cut)
        inside = right_ends > left_ends
        heights = sign * (bars.positives if sign > 0 else bars.negatives)[inside]
        count = float(getattr(counts, outcome))
        pattern = {
            "shape": HATCHES[outcome],
            "fillmode": "overlay",
            "fgcolor": colours.paper,
            "size": 6,
            "solidity": 0.25,
        }
        figure.add_bar(
            x=((left_ends + right_ends) / 2)[inside], y=heights, width=(right_ends - left_ends)[inside],
            marker={"color": OUTCOMES[outcome], "line": {"width": 0}, "pattern": pattern}, hoverinfo="skip",
            name=f"{count_text(count)} {outcome_word(outcome, count)} ({outcome.upper()})",
        )  # fmt: skip
    ticks = axis.ticks()
    highest = float(max(bars.positives.max(initial=0), bars.negatives.max(initial=0))) or 1.0
    apply_frame(
        figure, colours, _HEIGHT, plotly_text(scores.system), "rows", barmode="overlay", bargap=0, showlegend=True
    )
    figure.add_hline(y=0, line={"color": colours.grey, "width": 1})
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
    return figure.add_scatter(
        x=[x], y=[y], mode="markers", marker=marker, showlegend=False, cliponaxis=False, hoverinfo="skip"
    )
