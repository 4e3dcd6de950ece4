"""The surface: densities, measures, 2×2, curves and rates on one sheet, drawn in the browser at every frame of a drag.

Two parts go to the browser. The sheet holds what stays while the threshold moves, with the texts of up to 1,001
thresholds; it is made once for a state and its settings and is a component of its own, which Streamlit sends again only
where it has changed. The rest belongs to the threshold in use: its exact numbers and its neighbours among the scores.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import streamlit as st

from evalcore import METRICS, Array
from evalcore.analyses import ChoiceCertainty, NamedCounts, Scores
from evalcore.classification import (
    ScoreAxis,
    ThresholdTable,
    average_precision,
    prevalence,
    roc_auc,
    score_axis,
    threshold_grid,
)
from evalcore.figures import OUTCOMES
from evalcore.inference import IntervalChoice
from evalcore.wording import THIN, count_text, number_text, one_line, outcome_word, threshold_text

from ....display.figure import page_ink
from ....session.loaded_scores import put_threshold
from .columns import RATES, codes, columns
from .densities import densities
from .overlay import overlay
from .settings import Drawing, word
from .threshold_query import NotUnderstood, threshold_for

KEY = "cockpit"
NEIGHBOURS = 60
"""Distinct scores on each side of the threshold that go along, where the sheet cannot hold them all, for the keys."""

_FOLDER = Path(__file__).parent
_PARTS = (
    "ink",
    "layout",
    "axis",
    "densities",
    "sweep",
    "curves",
    "numbers",
    "rows",
    "moves",
    "keys",
    "picture",
    "main",
)
_CSS = (_FOLDER / "cockpit.css").read_text(encoding="utf-8")
# One program of many files; the rules of style go along, so that a saved picture looks the same.
_PROGRAM = (
    "".join((_FOLDER / f"{part}.js").read_text(encoding="utf-8") for part in _PARTS)
    + f"\nconst STYLE = {json.dumps(_CSS)}\n"
)
_KEPT = f"of{blake2b(_PROGRAM.encode(), digest_size=8).hexdigest()}"
# A component's program travels with each of its messages, so that it goes with the sheet, which is sent once; what is
# sent at every threshold only calls it.
_COMPONENT = st.components.v2.component(
    "threshold_cockpit",
    html='<div class="cockpit"></div>\n',
    css=_CSS,
    js=f"""export default function (component) {{
  let leave
  const start = () => {{ leave ??= window.evalcoreCockpits?.{_KEPT}?.(component) }}
  window.addEventListener("evalcore-sheet", start)
  start()
  return () => {{
    window.removeEventListener("evalcore-sheet", start)
    leave?.()
  }}
}}
""",
)
_SHEET = st.components.v2.component(
    "threshold_sheet",
    html="<span></span>\n",
    js=(_FOLDER / "sheet.js").read_text(encoding="utf-8")
    + _PROGRAM.replace("export default", f"(window.evalcoreCockpits ??= {{}}).{_KEPT} ??="),
)
_HEARD, _ANSWER, _KEYS = "cockpit heard", "cockpit answer", "cockpit keys"


@dataclass(frozen=True, eq=False)
class Sheet:
    """What stays while the threshold moves.

    Attributes
    ----------
    name : str
        Digest of the text.
    text : str
        JSON for the browser.
    axis : ScoreAxis
    grid : ThresholdTable
    thresholds : Array
        Of the stops, from left to right.
    drawing : Drawing
        What it was drawn with.
    """

    name: str
    text: str
    axis: ScoreAxis
    grid: ThresholdTable
    thresholds: Array
    drawing: Drawing


def show_sheet(scores: Scores, drawing: Drawing, intervals: IntervalChoice) -> Sheet:
    """Send what stays while the threshold moves, for `show_cockpit` below it.

    Parameters
    ----------
    scores : Scores
    drawing : Drawing
        What to draw and how.
    intervals : IntervalChoice
        Of the rates.
    """
    sheet = _sheet("\n".join((_state(scores), repr(drawing), repr(intervals))), scores, drawing, intervals)
    _SHEET(key=f"{KEY}-sheet", data={"name": sheet.name, "sheet": sheet.text})
    return sheet


def show_cockpit(
    scores: Scores,
    threshold: float,
    counted: NamedCounts,
    intervals: IntervalChoice,
    sheet: Sheet,
    *,
    allowed: Array | None = None,
    forbidden: str = "",
    certainty: ChoiceCertainty | None = None,
    bands: Callable[[Sequence[str]], Mapping[str, tuple[Array, Array]]] | None = None,
    goal_at: float | None = None,
) -> None:
    """Draw the surface; whatever is moved in it writes the threshold into the address when it is let go.

    Parameters
    ----------
    scores : Scores
    threshold : float
        The current one.
    counted : NamedCounts
        The counts at it.
    intervals : IntervalChoice
        Of the rates.
    sheet : Sheet
        Of these scores and intervals.
    allowed : Array, shape (m, 2), optional
        Ranges of thresholds of the file that limits allow; the rest is greyed.
    forbidden : str
        What limits forbid: "precision < 0.9".
    certainty : ChoiceCertainty, optional
        Where the best threshold falls in resamples.
    bands : callable, optional
        Asked with the keys of the measures when bands are wanted: by key the (low, high) over the rows of
        `threshold_grid(scores.table)`.
    goal_at : float, optional
        The best threshold of the goal.
    """
    identity, drawing = _digest(_state(scores)), sheet.drawing
    around = bands(drawing.lines) if bands is not None and drawing.bands else None
    over = overlay(scores, sheet.axis, sheet.thresholds, allowed, forbidden, certainty, around, goal_at)
    _COMPONENT(
        key=KEY,
        data={
            "sheet": sheet.name,
            "over": json.dumps(over),
            "now": _now(scores, threshold, counted, sheet, intervals),
            "ink": _ink(drawing),
            "of": identity,
            "heard": st.session_state.get(_HEARD, 0),
            "answer": st.session_state.get(_ANSWER),
        },
        on_go_change=lambda: _go(scores, sheet.grid, identity, st.session_state[KEY].get("go")),
    )


def _state(scores: Scores) -> str:
    return "\n".join((scores.current.key_of(scores.system), scores.system))


def _go(scores: Scores, grid: ThresholdTable, identity: str, asked: dict | None) -> None:
    """What was let go or typed, checked again because it comes from a browser."""
    if not isinstance(asked, dict) or asked.get("of") != identity:
        return
    number = asked.get("n")
    st.session_state[_HEARD] = number if isinstance(number, int) else 0
    st.session_state[_ANSWER] = None
    typed, stop, row = asked.get("typed"), asked.get("stop"), asked.get("row")
    # Who lets a line go has no use for the neighbours among the scores, and they are most of what would be sent.
    st.session_state[_KEYS] = bool(asked.get("near"))
    if isinstance(typed, str):
        try:
            put_threshold(threshold_for(scores, typed))
        except NotUnderstood as problem:
            st.session_state[_ANSWER] = str(problem)
    elif isinstance(stop, int):
        _put_row(scores, grid, len(grid) - 1 - stop if scores.higher else stop)
    elif isinstance(row, int):
        _put_row(scores, scores.table, row)


def _put_row(scores: Scores, table: ThresholdTable, row: int) -> None:
    if 0 <= row < len(table):
        put_threshold(float(table.thresholds[row]))


# A sheet is some 200 kilobytes and only read, so all sessions share it.
@st.cache_resource(max_entries=64, show_spinner="Drawing the scores …")
def _sheet(key: str, _scores: Scores, _drawing: Drawing, _intervals: IntervalChoice) -> Sheet:
    scores, drawing = _scores, _drawing
    grid = threshold_grid(scores.table)
    rising = slice(None, None, -1) if scores.higher else slice(None)
    thresholds = grid.thresholds[rising]
    axis = score_axis(scores.scored, drawing.extent)
    names = one_line(scores.positive, 24), one_line(scores.negative, 24)
    ticks = axis.ticks()
    level = f"{100 * _intervals.level:g}{THIN}%"
    sheet = {
        "stops": columns(scores, axis.places(thresholds), thresholds, grid.counts[rising], drawing.lines, _intervals),
        "length": len(thresholds),
        "complete": len(grid) == len(scores.table),
        "rows": scores.table.rows(thresholds).tolist() if len(grid) < len(scores.table) else [],
        "higher": scores.higher,
        "density": densities(scores.scored, axis, drawing, grid, names),
        "ticks": [[round(float(x), 5), t] for x, t in zip(axis.places(ticks), _tick_texts(ticks), strict=True)],
        "unit": f"{one_line(scores.system, 40)}{', logarithmic' if axis.log else ''}",
        "lines": [{"key": key, "word": word(key)} for key in drawing.lines],
        "names": names,
        "rates": [_rate(key) for key in RATES],
        "words": {cell: [outcome_word(cell, count) for count in (1, 2)] for cell in OUTCOMES},
        "roc": f"ROC · AUC {number_text(roc_auc(scores.scored))}",
        "pr": f"Precision–recall · AP {number_text(average_precision(scores.scored))}",
        "prevalence": codes([float(prevalence(grid.counts[0]))]),
        "reasons": _reasons(scores, names),
        "widest": max((count_text(float(n)) for n in (grid.counts.total[0], grid.counts.tp.max())), key=len),
        "with": f"With {level} intervals ({_intervals.method_name}, n in grey)",
    }
    text = json.dumps(sheet, ensure_ascii=False, separators=(",", ":"))
    return Sheet(_digest(text), text, axis, grid, thresholds, drawing)


def _now(scores: Scores, threshold: float, counted: NamedCounts, sheet: Sheet, intervals: IntervalChoice) -> dict:
    """The threshold in use, and its neighbours where keys move it and the sheet does not hold every distinct score."""
    table, grid = scores.table, sheet.grid
    row, stop = table.index(threshold), grid.index(threshold)
    found = {
        "row": columns(
            scores,
            sheet.axis.places([threshold]),
            [threshold],
            counted.counts[None],
            sheet.drawing.lines,
            intervals,
            now=True,
        ),
        # Between two scores, or beyond them all, it stands at none of the stops and has the counts of one.
        "exact": bool(table.thresholds[row] == threshold),
        "stop": len(grid) - 1 - stop if scores.higher else stop,
        "place": row,
        "last": len(table) - 1,
    }
    if st.session_state.get(_KEYS) and len(grid) < len(table):
        first, last = max(row - NEIGHBOURS, 0), min(row + NEIGHBOURS + 1, len(table))
        rising = slice(None, None, -1) if scores.higher else slice(None)
        near = table.thresholds[first:last][rising]
        found["near"] = columns(
            scores, sheet.axis.places(near), near, table.counts[first:last][rising], sheet.drawing.lines, intervals
        )  # fmt: skip
        found |= {"first": first, "length": last - first}
    return found


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _ink(drawing: Drawing) -> dict:
    ink = page_ink()
    return {
        "colours": {name: getattr(ink, name) for name in ("text", "grey", "grid", "accent", "paper")}
        | OUTCOMES
        | {f"{cell}-word": colour for cell, colour in ink.words.items()},
        "lines": [ink.system(place) for place in range(len(drawing.lines))],
    }


def _rate(key: str) -> dict:
    measure = METRICS[key]
    name = measure.symbol if key == "negative_predictive_value" else measure.name.lower()
    return {"key": key, "name": name, "reason": measure.undefined_when}


def _reasons(scores: Scores, names: tuple[str, str]) -> dict[str, str]:
    """Why a curve is not there, by curve."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    if not positives and not negatives:
        return dict.fromkeys(("roc", "pr"), "No row has both a label and a score.")
    if not positives:
        return dict.fromkeys(("roc", "pr"), f"None of {count_text(negatives)} rows is {names[0]}.")
    if not negatives:
        return {"roc": f"All {count_text(positives)} rows are {names[0]}: no false alarm is possible."}
    return {}


def _tick_texts(ticks: Array) -> list[str]:
    written = [threshold_text(float(tick)) for tick in ticks]
    if len(set(written)) == len(written):
        decimals = max(len(text.partition(".")[2]) for text in written if "e" not in text) if _plain(written) else 0
        return [f"{tick:.{decimals}f}".replace("-", "−") for tick in ticks] if decimals else written
    return [repr(float(tick)).replace("-", "−") for tick in ticks]


def _plain(written: list[str]) -> bool:
    return all("e" not in text and math.isfinite(float(text.replace("−", "-"))) for text in written)
