"""Pictures of the 2×2 table and of the square table of several classes.

Heat maps of Plotly cannot be clicked cell by cell, nor hold 500 classes that scroll, so the page draws the square table
by itself; what stands in its cells and how strong their shades are is settled here.
"""

import html
import math
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.analyses import CELLS, NamedCounts, interval_heading, interval_text
from evalcore.classification import ConfusionCounts, ConfusionMatrix, shares
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import OUTCOMES, PERCENT_TICKS, Ink, apply_frame, contrast, ink_on, letters_on, mix, ramp
from evalcore.glossary import MeasureMap, cells_read, relations, relations_of
from evalcore.inference import CellDifferences, IntervalChoice
from evalcore.learning.questions import Answer, Choice, Mark, Number, Question
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import label_text, one_line, plotly_text, short_names
from evalcore.wording.numbers import UNDEFINED, count_text, outcome_word, p_text, points_text, share_text, signed

__all__ = ["CELLS_ELEMENT", "CELLS_SCRIPTS", "CELLS_STYLE", "MOST_MAPPED", "SHOWN", "Look", "cell_names"]
__all__ += ["confusion_map_figure", "difference_picture", "dots_figure", "frame_data", "guesses_alt", "guesses_figure"]
__all__ += ["label_picture", "map_figure", "matrix_description", "matrix_picture", "tree_figure"]

# What stands where: rows and columns of the table with the ratios at their ends, actual classes in the columns.
Side = tuple[str, str, str, tuple[str, str], tuple[str, str]]

_SAYS = (
    ("positive", "T", "called positive", ("tp", "fp"), ("precision", "false_discovery_rate")),
    ("negative", "F", "called negative", ("fn", "tn"), ("false_omission_rate", "negative_predictive_value")),
)

_IS = (
    ("positive", "P", "actual positives", ("tp", "fn"), ("recall", "miss_rate")),
    ("negative", "N", "actual negatives", ("fp", "tn"), ("fall_out", "specificity")),
)

_CORNER = ("accuracy", "error_rate")
_LABELS = {"recall": "recall · sensitivity (TPR)", "negative_predictive_value": "neg. predictive value (NPV)"}


def frame_data(named: NamedCounts, intervals: IntervalChoice, actual_in_rows: bool) -> dict:
    """Rows, columns, cells and marginal ratios of the table, with every number as text and the intervals explained."""
    counts = named.counts
    names = {"positive": one_line(named.positive, 30), "negative": one_line(named.negative, 30)}
    says = [_side(counts, f"says {names[side[0]]}", side) for side in _SAYS]
    actual = [_side(counts, f"actual {names[side[0]]}" if actual_in_rows else names[side[0]], side) for side in _IS]
    rows, columns, over = (actual, says, "the prediction") if actual_in_rows else (says, actual, "actually")
    keys = [key for line in (*_SAYS, *_IS) for key in line[-1]] + list(_CORNER)
    return {
        "rows": rows, "columns": columns, "over": over, "corner": _CORNER, "chosen": "precision",
        "cells": [_count(counts, key, words, [key]) | {"letters": key.upper()} for key, words in CELLS.items()],
        "ratios": [_ratio(key, counts, intervals) for key in keys],
    }  # fmt: skip


def _side(counts: ConfusionCounts, name: str, side: Side) -> dict:
    _, letter, words, cells, ratios = side
    return {"name": name, "sum": _count(counts, letter, words, cells), "cells": cells, "ratios": ratios}


def _count(counts: ConfusionCounts, key: str, words: str, cells: Sequence[str]) -> dict:
    value = float(sum(getattr(counts, cell) for cell in cells))
    return {"key": key, "value": value, "text": count_text(value), "words": words}


def _ratio(key: str, counts: ConfusionCounts, intervals: IntervalChoice) -> dict:
    measure = METRICS[key]
    value, name = float(measure(counts)), measure.name.lower()
    if math.isnan(value):
        formula, sentence = f"{name} is {UNDEFINED}: {measure.undefined_when}", measure.summary
    else:
        parts = measure.numerator, measure.denominator
        letters = " / ".join(_sum([cell.upper() for cell in part]) for part in parts)
        numbers = " / ".join(_sum([count_text(float(getattr(counts, cell))) for cell in part]) for part in parts)
        formula = f"{name} = {letters} = {numbers} = {share_text(value)}"
        bounds, n = interval_text(measure, counts, intervals, unit=True)
        interval = f"{interval_heading(intervals.level)}: {bounds} ({intervals.method_name}, n = {n or 0})"
        sentence = f"{measure.summary} {interval}."
    return {
        "key": key, "label": _LABELS.get(key, f"{name} ({measure.symbol})"),
        "value": share_text(value), "defined": not math.isnan(value),
        "numerator": measure.numerator, "denominator": measure.denominator,
        "formula": formula, "sentence": sentence,
    }  # fmt: skip


def _sum(terms: list[str]) -> str:
    return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]


MOST_MAPPED = 60  # classes up to which a map can be read
_STRONG = 0.85


def confusion_map_figure(matrix: ConfusionMatrix, colours: Ink) -> go.Figure:
    """Heat map of the shares of the actual class, with counts where there is room; actual classes in rows."""
    counts, share = matrix.counts, np.nan_to_num(shares(matrix, "actual"))
    written = [plotly_text(name, 18) for name in short_names(matrix.classes, 18).values()]
    places = np.arange(len(written), dtype=np.float64)
    figure = go.Figure().add_heatmap(
        z=share, x=places, y=places, zmin=0, zmax=1, showscale=False, hoverinfo="skip",
        colorscale=[[0, colours.paper], [1, mix(colours.accent, colours.paper, 1 - _STRONG)]],
    )  # fmt: skip
    ticks, ends = {"tickvals": places, "ticktext": written, "showgrid": False}, [-0.5, len(written) - 0.5]
    apply_frame(
        figure, colours, 120 + 30 * min(len(written), 20), "predicted", "actual", showlegend=False,
        xaxis=ticks | {"range": ends}, yaxis=ticks | {"range": ends[::-1]},
    )  # fmt: skip
    for (row, column), count in np.ndenumerate(counts) if len(written) <= 14 else ():
        ground = mix(colours.paper, colours.accent, _STRONG * float(share[row, column]))
        words = {"size": 12, "color": letters_on(ground)}
        figure.add_annotation(x=column, y=row, text=count_text(float(count)), showarrow=False, font=words)
    return figure


ROWS, DOTS = 20, 1000  # dots in a column of the crowd, and in all of it

# Errors differ in shape too.
_SYMBOLS = {"tp": "circle", "fn": "square", "fp": "diamond", "tn": "circle-open"}


def dots_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink) -> go.Figure:
    """One dot per case, column by column: found, missed, alarmed, dismissed; of many cases a dot stands for several."""
    figure = go.Figure()
    start, each = 0, max(float(people.total) / DOTS, 1.0)
    for cell, symbol in _SYMBOLS.items():
        count = int(getattr(people, cell))
        dots = math.ceil(count / each)
        columns, rows = np.divmod(np.arange(start, start + dots), ROWS)
        start += dots
        actual = plotly_text(names[0 if cell in ("tp", "fn") else 1], 24)
        # The many dismissed ones step back so that the others can be counted.
        marker = {"color": OUTCOMES[cell], "symbol": symbol, "size": 6, "opacity": 0.45 if cell == "tn" else 1}
        figure.add_scatter(
            x=columns, y=-rows, mode="markers", marker=marker, name=f"{count_text(count)} {outcome_word(cell, count)}",
            hovertemplate=f"{outcome_word(cell, 1)}: actually {actual}<extra></extra>",
        )  # fmt: skip
    legend = {"y": -0.02, "yanchor": "top", "itemsizing": "constant", "traceorder": "normal"}
    hidden = {"visible": False}
    return apply_frame(figure, colours, height=260, xaxis=hidden, yaxis=hidden, legend=legend, dragmode=False)


def tree_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink, unit: str = "cases") -> go.Figure:
    """Tree of whole numbers from all cases through the two classes to the four outcomes; names are escaped here."""
    nodes: list[tuple[float, int, float, str, str | None]] = [
        (1.5, 2, float(people.total), plotly_text(unit, 16), None),
        (0.5, 1, float(people.actual_positives), plotly_text(names[0], 16), None),
        (2.5, 1, float(people.actual_negatives), plotly_text(names[1], 16), None),
    ]
    for x, cell in enumerate(_SYMBOLS):
        count = float(getattr(people, cell))
        nodes.append((x, 0, count, outcome_word(cell, count), cell))
    lines = [(nodes[parent], nodes[child]) for parent, child in ((0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6))]
    figure = go.Figure().add_still_line(*_pieces(lines), {"color": colours.grey, "width": 1})
    for x, y, count, word, cell in nodes:
        figure.add_annotation(
            x=x, y=y, showarrow=False, borderpad=5, bgcolor=colours.paper, text=f"<b>{count_text(count)}</b><br>{word}",
            bordercolor=OUTCOMES[cell] if cell else colours.grey, borderwidth=2 if cell else 1,
            font={"size": 12, "color": colours.words[cell] if cell else colours.text},
        )  # fmt: skip
    return apply_frame(
        figure, colours, height=260, showlegend=False, dragmode=False,
        xaxis={"visible": False, "range": [-0.5, 3.5]}, yaxis={"visible": False, "range": [-0.35, 2.35]},
    )  # fmt: skip


def _pieces(lines: Sequence[tuple[tuple, tuple]]) -> tuple[list[float | None], list[float | None]]:
    """The x and the y of lines from point to point, with gaps between them."""
    x, y = ([at for one, other in lines for at in (one[axis], other[axis], None)] for axis in (0, 1))
    return x, y


_SIDE = 13  # pixels of a cell of the small 2×2 tables

_CORNERS = {"tp": (-1, 1), "fp": (0, 1), "fn": (-1, 0), "tn": (0, 0)}
"""Left edge and upper edge of each cell, in sides from the middle: the actual classes stand in the columns."""


def map_figure(chart: MeasureMap, chosen: str, colours: Ink) -> go.Figure:
    """Map of measures joined by lines, the chosen one emphasised; the last trace has the points of `chart.keys`."""
    at = {}
    for index, row in enumerate(chart.rows):
        at |= {key: ((column + 0.5) / len(row), -float(index)) for column, key in enumerate(row)}
    near = {each.other if each.one == chosen else each.one for each in relations_of(chosen)}
    figure = go.Figure()
    pairs = {frozenset((each.one, each.other)) for each in relations() if each.one in at and each.other in at}
    for ours, colour, width in ((False, colours.grid, 1.5), (True, colours.accent, 2)):
        lines = [(at[one], at[other]) for one, other in map(sorted, pairs) if (chosen in (one, other)) == ours]
        figure.add_still_line(*_pieces(lines), {"color": colour, "width": width})
    edged = chosen if METRICS[chosen].family == "counts" else None
    edges = {"color": [colours.accent if key == edged else colours.paper for key in at], "width": 2}
    figure.add_scatter(  # squares around the measures, which can be clicked
        x=[x for x, _ in at.values()], y=[y for _, y in at.values()], mode="markers", hoverinfo="text",
        hovertext=[f"<b>{METRICS[key].name}</b><br>{METRICS[key].summary}" for key in at], showlegend=False,
        unselected={"marker": {"opacity": 1}}, selected={"marker": {"opacity": 1}},
        marker={"symbol": "square", "size": 2 * _SIDE + 10, "color": colours.paper, "line": edges},
    )  # fmt: skip
    shapes = [shape for key, point in at.items() for shape in _glyph(METRICS[key], point, colours)]
    labels = [_label(METRICS[key], point, key == chosen, key in near, colours) for key, point in at.items()]
    hidden = {"visible": False, "fixedrange": True}
    return apply_frame(
        figure, colours, 92 * len(chart.rows), dragmode=False, shapes=shapes, annotations=labels,
        xaxis=hidden | {"range": [0, 1]}, yaxis=hidden | {"range": [0.5 - len(chart.rows), 0.5]},
        clickmode="event+select",
    )  # fmt: skip


def _glyph(measure: MetricDef, point: tuple[float, float], colours: Ink) -> list[dict]:
    """Small 2×2 table: cells of the numerator or formula in full colour, of the denominator pale, others empty."""
    if measure.family != "counts":
        return []
    cells = cells_read(measure)
    shapes = []
    for cell, (x, y) in _CORNERS.items():
        strong = cell in cells.numerator or (not cells.numerator and cell in cells.denominator)
        pale = mix(OUTCOMES[cell], colours.paper, 0.72) if cell in cells.denominator else colours.paper
        shapes.append({
            "type": "rect", "xref": "x", "yref": "y", "xsizemode": "pixel", "ysizemode": "pixel",
            "xanchor": point[0], "yanchor": point[1], "x0": x * _SIDE, "x1": (x + 1) * _SIDE,
            "y0": y * _SIDE, "y1": (y - 1) * _SIDE, "fillcolor": OUTCOMES[cell] if strong else pale,
            "line": {"color": colours.grey, "width": 1},
        })  # fmt: skip
    return shapes


def _label(measure: MetricDef, point: tuple[float, float], chosen: bool, near: bool, colours: Ink) -> dict:
    colour, drawn = colours.accent if chosen else colours.text if near else colours.grey, measure.family == "counts"
    return {
        "x": point[0], "y": point[1], "text": f"<b>{measure.label}</b>" if chosen else measure.label,
        "showarrow": False, "yshift": -(_SIDE + 14) if drawn else 0,
        "bgcolor": colours.paper, "bordercolor": colours.accent if chosen and not drawn else colours.paper,
        "font": {"size": 12, "color": colour}, "borderpad": 1 if drawn else 4,
    }  # fmt: skip


_COLUMNS, _MOST_BARS, _FAR = 40, 8, 3.0


def guesses_figure(question: Question, guesses: Sequence[Any], colours: Ink) -> go.Figure:
    """Bars of the options, dots of the numbers or of the points; what is right has the accent of the page."""
    answer = question.answer
    shades = [colours.accent if answer.right(guess) else colours.grey for guess in guesses]
    if isinstance(answer, Number):
        return _dots(answer, guesses, shades, colours)
    return _points(answer, guesses, shades, colours) if isinstance(answer, Mark) else _bars(answer, guesses, colours)


def guesses_alt(question: Question, guesses: Sequence[Any]) -> str:
    """The figure in a sentence."""
    return f"{len(guesses)} guesses, {sum(question.answer.right(guess) for guess in guesses)} of them right"


def _bars(answer: Answer, guesses: Sequence[Any], colours: Ink) -> go.Figure:
    counts = Counter(guesses)
    frequent = [value for value, _ in counts.most_common(_MOST_BARS)]
    values = [*range(len(answer.options))] if isinstance(answer, Choice) else frequent
    places, right = [f"{place} " for place in range(len(values))], [answer.right(value) for value in values]
    names = [plotly_text(html.unescape(answer.text(value)), 60) for value in values]
    figure = go.Figure().add_bar(
        y=places, x=[counts[value] for value in values], text=[str(counts[value]) for value in values],
        orientation="h", marker={"color": [colours.accent if one else colours.grey for one in right]},
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    return apply_frame(
        figure, colours, 60 + 40 * min(len(values), _MOST_BARS), "guesses", bargap=0.35,
        xaxis={"tickformat": "d", "rangemode": "tozero", "dtick": max(1, max(counts.values(), default=1) // 5)},
        yaxis={
            "autorange": "reversed", "tickvals": places,
            "ticktext": [f"✓ {name}" if one else name for name, one in zip(names, right, strict=True)],
        },
    )  # fmt: skip


def _dots(answer: Number, guesses: Sequence[float], shades: Sequence[str], colours: Ink) -> go.Figure:
    """A dot for each guess over its number, those that are near on top of each other."""
    values = np.array(guesses, dtype=float)
    first, low, high, third = np.quantile(values if len(values) else [answer.solution], [0.25, 0.02, 0.98, 0.75])
    far = _FAR * (third - first) or np.inf  # one of few guesses would press all others into a column
    low, high = min(max(low, first - far), answer.solution), max(min(high, third + far), answer.solution)
    width = (high - low) / _COLUMNS or 1.0
    columns = np.round((np.clip(values, low, high) - low) / width).astype(int)  # far away guesses stand at the ends
    heights = np.zeros(len(values), dtype=int)
    for column in np.unique(columns):
        heights[columns == column] = np.arange(1, np.sum(columns == column) + 1)
    figure = go.Figure().add_scatter(
        x=low + columns * width, y=heights, mode="markers", marker={"size": 13, "color": shades},
        text=[answer.text(value) for value in guesses], hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=answer.solution, line_color=colours.accent, line_dash="dash").add_annotation(
        x=answer.solution, xanchor="left", y=1, yref="y domain", yanchor="top", text=answer.text(answer.solution),
        showarrow=False,
    )  # fmt: skip
    top, step = max(4, heights.max(initial=0)) + 1, max(1, heights.max(initial=1) // 5)
    return apply_frame(
        figure, colours, 240, "", "guesses", yaxis={"range": [0, top], "tickformat": "d", "dtick": step},
        xaxis=PERCENT_TICKS if answer.is_share and answer.percent else {},
    )  # fmt: skip


def _points(answer: Mark, guesses: Sequence[Sequence[float]], shades: Sequence[str], colours: Ink) -> go.Figure:
    places, marker = ([x for x, _ in guesses], [y for _, y in guesses]), {"size": 11, "color": shades}
    figure = go.Figure().add_scatter(x=places[0], y=places[1], mode="markers", marker=marker, hoverinfo="skip")
    (x, y), reach = answer.solution, answer.reach
    figure.add_shape(type="circle", x0=x - reach, x1=x + reach, y0=y - reach, y1=y + reach, line_color=colours.accent)
    share = {"range": [-0.03, 1.03], **PERCENT_TICKS}
    return apply_frame(figure, colours, 380, *map(plotly_text, answer.axes), xaxis=share, yaxis=share)


_FILES = [str(Path(__file__).parent / "program" / name) for name in ("cells_drawing.js", "cells.js", "cells.css")]
# Scripts (after the files of `ELEMENT` and `PICTURE`), style and element of the table in a browser.
CELLS_SCRIPTS, CELLS_STYLE, CELLS_ELEMENT = tuple(_FILES[:2]), _FILES[2], '<div class="cells"></div>'
SHOWN = ("count", "share of row", "share of column", "share of all")  # names of the values that cells can show
# Classes up to which count and share stand in the cell; above that they are told of the cell that is looked at.
WITH_WORDS = 20
STEPS = 251  # shades of a ramp
LEFT_OUT, UNDEFINED_SHADE = 254, 255


@dataclass(frozen=True)
class Look:
    """Display settings of the matrix."""

    shown: str = "count"  # one of `SHOWN`
    log: bool = False  # shades by the logarithm, from the smallest value that is not 0
    errors: bool = False  # without the diagonal
    fixed: bool = False  # shades of shares from 0 to 1, whatever occurs
    actual_in_rows: bool = True


def matrix_description(classes: int, look: Look, difference: bool = False) -> str:
    """Text alternative of the figure of a matrix, with its keyboard use."""
    what = "Difference of two confusion matrices" if difference else "Confusion matrix"
    words = f"{what} of {classes} classes, {{}} in the rows and {{}} in the columns, showing {look.shown}. Walk with "
    return words.format(*_axes(look)) + "the arrow keys, open a cell with Enter."


def matrix_picture(matrix: ConfusionMatrix, look: Look, colours: Ink) -> dict:
    """Data of the figure of a matrix, in plain types.

    The diagonal is shaded in the colours of right outcomes and the errors in those of wrong ones, each from 0 to its
    own highest value, so that rare errors are seen beside frequent hits. ``shade`` is a byte a cell, row by row, in
    base64; ``layers`` hold distinct texts and the index of each cell's; ``palettes`` ground and ink of every shade;
    ``scale`` the ends of both ramps; ``quiet`` the text of 0, written faintly; ``sums`` those of rows and columns.
    """
    chosen = None if look.shown == "count" else _denominator(look)
    own, *others = [(share_text, shares(matrix, of), _WORDS[of]) for of in sorted(_WORDS, key=lambda of: of != chosen)]
    counts = (count_text, matrix.counts, "")
    first, second = (own, counts) if chosen else (counts, own)
    written, values, _ = first
    right = np.eye(len(matrix.classes), dtype=bool)
    masks = {"wrong": ~right} if look.errors else {"right": right, "wrong": ~right}
    shade, scale = _shaded(values, masks, look, written)
    # All shares of a cell up to so many classes; above, its count and one share, or it weighs megabytes.
    layers = [first, second, *(others if len(matrix.classes) <= 200 else ())]
    sums = [[*map(count_text, _oriented(matrix.counts, look).sum(axis=axis).tolist())] for axis in (1, 0)]
    title = f"Confusion matrix, {look.shown if chosen else 'counts'}{' of the errors' if look.errors else ''}"
    return _data(shade, layers, look, colours) | {
        "title": title, "file": "classes", "scale": scale, "marks": [], "quiet": written(0.0), "sums": sums,
        "total": count_text(float(matrix.counts.sum())),
    }  # fmt: skip


def cell_names(
    classes: Sequence[str], unit: str, cell: Sequence[str] | None = None, marked: Sequence[str | None] = (None, None)
) -> dict:
    """Names of the classes for a picture of cells, and the places of an open cell and of two classes that are marked.

    The cell is given as in the picture, line first.
    """
    indices: dict[str | None, int] = {name: index for index, name in enumerate(classes)}
    return {
        "names": [label_text(name, 80) for name in classes],
        # What stands at the sides: one where there is room for it, one where there is not.
        "sides": [list(short_names(classes, limit).values()) for limit in (24, 14)],
        "unit": one_line(unit, 30),
        "picked": None if cell is None else [indices[name] for name in cell],
        "chosen": indices.get(marked[0], -1),
        "beside": indices.get(marked[1], -1),
    }


def difference_picture(pair: CellDifferences, look: Look, level: float, colours: Ink) -> dict:
    """Data of the figure of cell differences, B minus A; cells with a corrected p of at most 1 − level carry a mark."""
    values, of = pair.counts, _denominator(look)
    if look.shown != "count":
        values = shares(pair.b, of) - shares(pair.a, of)
    right = np.eye(len(pair.a.classes), dtype=bool)
    better = np.where(right, values, -values)
    mask = ~np.isnan(better) & ~(right & look.errors)
    half = (STEPS - 1) // 2
    strength = _strength(np.abs(better), *_ends(np.abs(better[mask]), look), look.log)
    shade = np.where(mask, half + np.sign(np.nan_to_num(better)) * np.rint(half * np.nan_to_num(strength)), LEFT_OUT)
    shade[np.isnan(better)] = UNDEFINED_SHADE
    written = signed(count_text if look.shown == "count" else points_text)
    counts = [(count_text, pair.a.counts, "by A"), (count_text, pair.b.counts, "by B")]
    if len(values) <= WITH_WORDS:
        pairs = zip(pair.a.counts.reshape(-1).tolist(), pair.b.counts.reshape(-1).tolist(), strict=True)
        from_to = np.array([f"{count_text(a)} → {count_text(b)}" for a, b in pairs], dtype=object)
        counts = [(str, from_to.reshape(values.shape), "from A to B")]
    corrected = (lambda p: "no row differs" if math.isnan(p) else p_text(p)), pair.corrected, "corrected"
    up, down = (ramp([colours.paper, *stops], half + 1) for stops in _stops(colours).values())
    palette = [[shade, ink_on(shade)] for shade in [*down[:0:-1], *up]]
    return _data(shade.astype(np.uint8), [(written, values, "by B beyond A"), *counts, corrected], look, colours) | {
        "palettes": {"right": palette, "wrong": palette}, "quiet": written(0.0), "file": "classes difference",
        "scale": [{"palette": "right", "low": "B worse", "high": "B better"}], "title": "B − A, two confusion matrices",
        "marks": np.flatnonzero(_oriented(pair.corrected <= 1 - level, look)).tolist(),
    }  # fmt: skip


def label_picture(cells: Array, shares: Array, axes: tuple[str, str], errors: bool, colours: Ink) -> dict:
    """Data of the figure of shared rows per pair of labels; off the diagonal stand errors, or right labels."""
    look, right = Look(), np.eye(len(cells), dtype=bool)
    shade, scale = _shaded(cells, {"right": right, "wrong": ~right}, look, count_text)
    layers = [(count_text, cells, "rows"), (share_text, shares, "of the rows with the first label")]
    title = "Labels missed and predicted in their place" if errors else "Labels that occur together"
    data = _data(shade, layers, look, colours)
    data |= {"axes": [*axes], "scale": scale, "marks": [], "quiet": "0", "title": title, "file": "labels"}
    if not errors:
        data["palettes"]["wrong"] = data["palettes"]["right"]
    return data


_WORDS = {"actual": "of the actual class", "predicted": "of the predicted class", "all": "of all"}


def _denominator(look: Look) -> str:
    of_class = "actual" if (look.shown == "share of row") == look.actual_in_rows else "predicted"
    return "all" if look.shown == "share of all" else of_class


def _axes(look: Look) -> list[str]:
    return ["actual", "predicted"] if look.actual_in_rows else ["predicted", "actual"]


def _ends(values: Array, look: Look) -> tuple[float, float]:
    above = values[values > 0]
    highest = 1.0 if look.fixed and look.shown != "count" else float(above.max(initial=0.0))
    return (float(above.min()) if look.log and above.size else 0.0), highest


def _shaded(
    values: Array, masks: Mapping[str, np.ndarray], look: Look, written: Callable[[float], str]
) -> tuple[np.ndarray, list[dict]]:
    """Shades of cells, from 0 to the highest value of the mask of each palette, and the ends of these scales."""
    shade, scale = np.full(values.shape, LEFT_OUT, dtype=np.uint8), []
    for palette, cells in masks.items():
        low, high = _ends(values[cells], look)
        strong = np.rint((STEPS - 1) * np.nan_to_num(_strength(values[cells], low, high, look.log)))
        shade[cells] = np.where(np.isnan(values[cells]), UNDEFINED_SHADE, strong)
        scale.append({"palette": palette, "low": written(low), "high": written(high)})
    return shade, scale


def _strength(values: Array, low: float, high: float, log: bool) -> Array:
    """Strength of the shade of values, 0 … 1; on a logarithmic scale the smallest above 0 remains visible."""
    if not high:
        return np.where(np.isnan(values), np.nan, 0.0)
    if not log:
        return values / high
    with np.errstate(divide="ignore", invalid="ignore"):
        between = np.nan_to_num(ratio(np.log(values / low), np.log(high / low)), nan=1.0)
    return np.where(values > 0, 0.15 + 0.85 * np.clip(between, 0, 1), np.where(np.isnan(values), np.nan, 0.0))


def _data(shade: np.ndarray, layers: Sequence[tuple[Callable, Array, str]], look: Look, colours: Ink) -> dict:
    grounds = {name: ramp([colours.paper, *stops], STEPS) for name, stops in _stops(colours).items()}
    return {
        "k": len(shade), "inside": len(shade) <= WITH_WORDS, "undefined": UNDEFINED_SHADE, "left_out": LEFT_OUT,
        "axes": _axes(look), "shade": b64encode(_oriented(shade, look).tobytes()).decode(),
        "layers": [_layer(written, _oriented(values, look), words) for written, values, words in layers],
        "palettes": {name: [[shade, ink_on(shade)] for shade in ground] for name, ground in grounds.items()},
    }  # fmt: skip


def _oriented(cells: np.ndarray, look: Look) -> np.ndarray:
    return np.ascontiguousarray(cells if look.actual_in_rows else cells.T)


def _layer(written: Callable[[float], str], values: Array, words: str) -> dict:
    """Distinct texts of a layer, and the index of each cell's text as two or four bytes."""
    distinct, inverse = np.unique(values, return_inverse=True)
    texts, again = np.unique([written(value) for value in distinct.tolist()] or [""], return_inverse=True)
    index = again[inverse.reshape(-1)] if values.size else np.zeros(0, np.intp)
    width = np.dtype("<u2" if len(texts) < 1 << 16 else "<u4")
    packed = b64encode(index.astype(width).tobytes()).decode()
    return {"words": words, "texts": texts.tolist(), "index": packed, "bytes": width.itemsize}


def _stops(colours: Ink) -> dict[str, Sequence[str]]:
    """Colour stops from the paper on, for the ramps on and off the diagonal."""
    paper, stops = colours.paper, {}
    for name, outcomes in (("right", ("tn", "tp")), ("wrong", ("fp", "fn"))):
        faint, strong = sorted((OUTCOMES[outcome] for outcome in outcomes), key=lambda shade: contrast(shade, paper))
        stops[name] = (mix(faint, paper, 0.75), faint, strong, mix(strong, ink_on(paper), 0.35))
    return stops
