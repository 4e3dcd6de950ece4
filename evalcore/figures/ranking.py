"""Curves of rankings and the table beside them, ready for the component that draws and sorts them in the browser.

A click on a row of thousands lights its curve at once, which a chart that is mounted anew cannot do. So the page draws
them by itself; which points a line has and what stands in the cells is settled here.
"""

from base64 import b64encode
from collections.abc import Sequence

import numpy as np

from evalcore.classification import drawn_points
from evalcore.numeric import Array
from evalcore.retrieval import Hits, MeanCurve, RankedCurve, RankedRoc, ranked_roc
from evalcore.wording.numbers import UNDEFINED, count_text, number_text

__all__ = ["column", "faint_curves", "faint_rocs", "mean_lines", "nearest", "roc_line", "saw_tooth", "steps"]

FAINT = 300
"""Curves that stand faintly behind the picked ones; more are a grey ground that tells nothing."""

HELD = 200_000
"""Corners of curves that the browser is given beyond those it draws, to light one without asking."""

FAINT_ROC = 60
"""The same where each curve is worked out by itself."""

_UNIT = 65_535
Line = list[list[float]]


def faint_curves(hits: Hits, level: float = 1, most: int = FAINT, held: int = HELD) -> dict:
    """The interpolated precision over recall of many queries, each corner as two numbers of 16 bits.

    Parameters
    ----------
    hits : Hits
    level : float
        Lowest relevant grade.
    most : int
        Queries that are drawn; of more they are taken at even distances.
    held : int
        Corners up to which the lines of all queries are given, else of the drawn ones only.

    Returns
    -------
    dict
        ``places`` of the queries, ``sizes`` of their lines, and ``points`` in base64: recall and precision in
        65,535ths, line after line; ``drawn`` are the places of those to draw.

    Examples
    --------
    >>> found = faint_curves(Hits.of_grades([1, 0, 1]))
    >>> found["places"], found["sizes"]
    ([0], [2])
    """
    relevant = hits.relevant(level)
    with_line = np.flatnonzero(relevant.found)
    evenly = np.unique(np.linspace(0, max(len(with_line) - 1, 0), most).round().astype(int))
    drawn = with_line[evenly[: len(with_line)]]
    query, best = relevant.query, relevant.best_from_here
    # Where the next corner of a query is as high, the step goes on to that one.
    rows = np.flatnonzero(np.append((query[1:] != query[:-1]) | (best[1:] != best[:-1]), True)[: len(query)])
    if len(rows) > held:
        rows = rows[np.isin(query[rows], drawn)]
    recall = relevant.ordinal[rows] / relevant.total[query[rows]]
    points = np.rint(np.column_stack([recall, best[rows]]) * _UNIT).astype("<u2")
    sizes = np.bincount(query[rows], minlength=len(hits))
    return {
        "places": np.flatnonzero(sizes).tolist(),
        "sizes": sizes[sizes > 0].tolist(),
        "points": b64encode(points.tobytes()).decode(),
        "drawn": drawn.tolist(),
    }


def saw_tooth(curve: RankedCurve) -> Line:
    """Precision over recall as counted: a point a rank where a picture can tell them apart.

    Examples
    --------
    >>> from evalcore.retrieval import ranked_curve
    >>> saw_tooth(ranked_curve(Hits.of_grades([1, 0, 1])))
    [[0.5, 1.0], [0.5, 0.5], [1.0, 0.66667]]
    """
    return _points(curve.recall, curve.precision)


def steps(curve: RankedCurve) -> Line:
    """The corners of the interpolated curve: up to this recall the precision is so much.

    Examples
    --------
    >>> from evalcore.retrieval import ranked_curve
    >>> steps(ranked_curve(Hits.of_grades([1, 0, 1])))
    [[0.5, 1.0], [1.0, 0.66667]]
    """
    rows = np.flatnonzero(curve.relevant)
    best = curve.interpolated[rows]
    rows = rows[np.append(best[1:] != best[:-1], True)[: len(rows)]]
    return _points(curve.recall[rows], curve.interpolated[rows])


def nearest(curve: RankedCurve) -> list[float] | None:
    """Recall and precision of the rank that comes nearest to the corner where both are 1; None for an empty list."""
    if curve.closest < 0:
        return None
    return [float(curve.recall[curve.closest]), float(curve.precision[curve.closest])]


def roc_line(roc: RankedRoc) -> Line:
    """The ROC curve of one list, with the straight piece to the upper right corner for what was not retrieved.

    Examples
    --------
    >>> roc_line(ranked_roc(Hits.of_grades([1, 0])))
    [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    line = _points(roc.fpr, roc.tpr)
    return line if not line or line[-1] == [1.0, 1.0] else [*line, [1.0, 1.0]]


def faint_rocs(hits: Hits, level: float = 1, most: int = FAINT_ROC) -> list[dict]:
    """The ROC curves of some queries that have one, at even distances, each with its place and its points."""
    total = hits.pool.relevant(level)
    places = np.flatnonzero((total > 0) & (hits.pool.judged > total) & ~hits.missing)
    if len(places) > most:
        places = places[np.linspace(0, len(places) - 1, most).round().astype(int)]
    return [{"place": place, "points": roc_line(ranked_roc(hits, place, level))} for place in places.tolist()]


def mean_lines(curve: MeanCurve) -> dict[str, list[dict]]:
    """The two mean curves, each a list of points with the words that tell them.

    Examples
    --------
    >>> from evalcore.retrieval import mean_curve
    >>> lines = mean_lines(mean_curve(Hits.of_grades([1, 0, 1]), cuts=(1,), levels=(0.0,)))
    >>> lines["levels"][0]["words"], lines["cuts"][0]["words"]
    ('precision 1.000 at recall 0', 'at rank 1: precision 1.000, recall 0.500')
    """
    return {
        "levels": [
            {"at": [level, float(value)], "words": f"precision {number_text(float(value))} at recall {level:g}"}
            for level, value in zip(curve.levels, curve.interpolated, strict=True)
        ],
        "cuts": [
            {
                "at": [float(recall), float(precision)],
                "words": f"at rank {count_text(k)}: precision {number_text(float(precision))}, "
                f"recall {number_text(float(recall))}",
            }
            for k, precision, recall in zip(curve.cuts, curve.precision_at, curve.recall_at, strict=True)
        ],
    }


def column(values: Array, heading: str, title: str, counts: bool = False, bars: bool = False) -> dict:
    """A column of the table: its different values in words, ascending, and which of them each query has.

    The place among the different values is what the browser sorts by, so that no number is read from its words.

    Parameters
    ----------
    values : Array, shape (q,)
    heading, title : str
        What stands over the column, and what explains it.
    counts : bool
        Whether the values are counts.
    bars : bool
        Whether the value, a share of 1, is drawn as a bar too.

    Examples
    --------
    >>> found = column(np.array([0.5, np.nan, 0.25]), "AP", "")
    >>> found["texts"], found["width"]
    (['0.250', '0.500', 'undefined'], 1)
    """
    distinct, index = np.unique(values, return_inverse=True)  # nan comes last
    width = 1 if len(distinct) <= 1 << 8 else 2 if len(distinct) <= 1 << 16 else 4
    write = count_text if counts else number_text
    shown = {
        "heading": heading,
        "title": title,
        "texts": [UNDEFINED if value != value else write(value) for value in distinct.tolist()],
        "index": b64encode(index.astype(f"<u{width}").tobytes()).decode(),
        "width": width,
        "undefined": bool(len(distinct) and distinct[-1] != distinct[-1]),
    }
    if bars:
        shares = np.clip(np.nan_to_num(distinct), 0, 1)
        shown["bars"] = np.rint(shares * 100).astype(int).tolist()
    return shown


def _points(x: Sequence[float] | Array, y: Sequence[float] | Array) -> Line:
    across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    rows = drawn_points(across, up) if len(across) else np.empty(0, dtype=int)
    return np.column_stack([across[rows], up[rows]]).round(5).tolist()
