"""The square table of several classes as a picture: a shade and a few words for every cell, ready to be drawn.

Heat maps of Plotly cannot be clicked cell by cell, nor hold 500 classes that scroll, so the page draws them by itself;
what stands in the cells and how strong their shades are is settled here.
"""

import math
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evalcore.classification import ConfusionMatrix, shares
from evalcore.figures.base.theme import OUTCOMES, Ink, contrast, ink_on, mix, ramp
from evalcore.inference import CellDifferences
from evalcore.numeric import Array, ratio
from evalcore.wording import label_text, one_line, short_names
from evalcore.wording.numbers import count_text, p_text, points_text, share_text, signed

__all__ = ["CELLS_ELEMENT", "CELLS_SCRIPTS", "CELLS_STYLE", "SHOWN", "Look", "cell_names", "difference_picture"]
__all__ += ["label_picture", "matrix_description", "matrix_picture"]

_FILES = [str(Path(__file__).parent / "program" / name) for name in ("cells_drawing.js", "cells.js", "cells.css")]
CELLS_SCRIPTS, CELLS_STYLE, CELLS_ELEMENT = tuple(_FILES[:2]), _FILES[2], '<div class="cells"></div>'
"""Scripts (after the files of `ELEMENT` and `PICTURE`), style and element of the table in a browser."""

SHOWN = ("count", "share of row", "share of column", "share of all")
"""What the cells can show."""

WITH_WORDS = 20
"""Classes up to which count and share stand in the cell; above that they are told of the cell that is looked at."""

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
    if look.shown == "share of all":
        return "all"
    return "actual" if (look.shown == "share of row") == look.actual_in_rows else "predicted"


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
