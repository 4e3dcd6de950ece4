"""The cockpit: densities, measures, 2×2, curves and rates on one surface, drawn in the browser while it is dragged.

Two parts go to the browser. The sheet holds what stays while the threshold moves; it is a component of its own, which
Streamlit sends again only where it has changed. The rest belongs to the current threshold: its exact numbers and its
neighbours among the scores.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b

import streamlit as st

from evalcore import METRICS, Array
from evalcore.analyses import ChoiceCertainty, Scores, ThresholdChoice, UnclearThreshold, threshold_meant
from evalcore.classification import ThresholdTable
from evalcore.figures.cockpit import (
    FEW_DOTS,
    MOST_DOTS,
    Drawing,
    Sheet,
    cockpit_ink,
    cockpit_program,
    current_row,
    drawn_name,
    make_sheet,
    overlay,
)
from evalcore.inference import IntervalChoice

from ...controls.goals import allowed_ranges
from ...controls.orientation import actual_in_rows
from ...display.component import source
from ...display.figure import page_ink
from ...display.presenter import enlargement
from ...session.cache import cache
from ...session.loaded_scores import put_threshold

KEY = "cockpit"

DENSITIES = {"histogram": "Histogram", "smooth": "Smooth", "dots": "Rows as dots"}
EXTENTS = {"all": "All scores", "central": "Where the scores are", "log": "Logarithmic"}
HEIGHTS = {"rows": "Counts", "share": "Share of the class"}

_DRAWABLE = [m.key for m in METRICS.values() if m.family == "counts" and (m.lowest, m.highest) == (0, 1)]

_PROGRAM, _CSS = cockpit_program()
_VERSION = f"of{blake2b(_PROGRAM.encode(), digest_size=8).hexdigest()}"
# A component's program travels with each of its messages, so that it goes with the sheet, which is sent once; what is
# sent at every threshold only calls it.
_COMPONENT = st.components.v2.component(
    "threshold_cockpit",
    html='<div class="cockpit"></div>\n',
    css=_CSS,
    js=f"""export default function (component) {{
  let leave
  const start = () => {{ leave ??= window.evalcoreCockpits?.{_VERSION}?.(component) }}
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
    js=source(__file__, "sheet.js")
    + _PROGRAM.replace("export default", f"(window.evalcoreCockpits ??= {{}}).{_VERSION} ??="),
)
_HEARD, _ANSWER, _KEYS = "cockpit heard", "cockpit answer", "cockpit keys"
# A sheet is some 200 kilobytes and only read, so all sessions share it.
_sheet = cache(make_sheet, 64, "Drawing the scores …")


def choose_drawing(scores: Scores) -> Drawing:
    """Ask for the measures, and in a popover for axis and densities."""
    lines = st.multiselect(
        "Measures to draw", _DRAWABLE, default=list(Drawing.lines), format_func=drawn_name, key="lines",
        bind="query-params", label_visibility="collapsed", placeholder="Measures to draw", width="stretch",
    )  # fmt: skip
    with st.popover("Axis and densities", key="drawing", icon=":material/tune:"):
        density, bins, width, height = _choose_density(scores)
        extent = _one_of(EXTENTS, "Axis", "axis", "all")
        bands = st.toggle(
            "Bands around the measures",
            key="bands",
            bind="query-params",
            help=f"95 % of resamples of the {scores.current.units} lie within them.",
        )
    return Drawing(density, bins, width, height, extent, tuple(lines), bool(bands))


def show_sheet(scores: Scores, drawing: Drawing, intervals: IntervalChoice) -> Sheet:
    """Send what stays while the threshold moves, for `show_cockpit` below it."""
    sheet = _sheet((scores.key, drawing, intervals), scores, drawing, intervals)
    _SHEET(key=f"{KEY}-sheet", data={"name": sheet.name, "sheet": sheet.text})
    return sheet


def show_cockpit(
    threshold: float,
    sheet: Sheet,
    chosen: ThresholdChoice,
    certainty: ChoiceCertainty | None,
    bands: Callable[[Iterable[str]], Mapping[str, tuple[Array, Array]]],
) -> None:
    """Draw the cockpit; whatever is moved in it writes the threshold into the address when it is let go.

    `bands` is asked with the keys of the measures when bands are wanted.
    """
    scores, drawing, ink = chosen.scores, sheet.drawing, page_ink()
    identity = blake2b(scores.key.encode(), digest_size=8).hexdigest()
    over = overlay(sheet, chosen, allowed_ranges(chosen), certainty, bands(drawing.lines) if drawing.bands else None)
    _COMPONENT(
        key=KEY,
        data={
            "sheet": sheet.name,
            "over": json.dumps(over),
            "now": current_row(scores, threshold, sheet, neighbours=bool(st.session_state.get(_KEYS))),
            "ink": cockpit_ink(ink, len(drawing.lines), actual_in_rows()),
            "of": identity,
            "heard": st.session_state.get(_HEARD, 0),
            "answer": st.session_state.get(_ANSWER),
            "zoom": enlargement(),
        },
        on_go_change=lambda: _go(scores, sheet.grid, identity, st.session_state[KEY].get("go")),
    )


def _go(scores: Scores, grid: ThresholdTable, identity: str, message: dict | None) -> None:
    """What was let go or typed, checked again because it comes from a browser."""
    if not isinstance(message, dict) or message.get("of") != identity:
        return
    number = message.get("n")
    number = number if isinstance(number, int) else 0
    # What got no answer in time is sent again, and may then come twice or after what was sent later.
    if number <= st.session_state.get(_HEARD, 0):
        return
    st.session_state[_HEARD] = number
    st.session_state[_ANSWER] = None
    typed, stop, row = message.get("typed"), message.get("stop"), message.get("row")
    # Who lets a line go has no use for the neighbours among the scores, and they are most of what would be sent.
    st.session_state[_KEYS] = bool(message.get("near"))
    if isinstance(typed, str):
        try:
            put_threshold(threshold_meant(scores, typed))
        except UnclearThreshold as problem:
            st.session_state[_ANSWER] = str(problem)
    elif isinstance(stop, int):
        _put_row(grid, len(grid) - 1 - stop if scores.higher else stop)
    elif isinstance(row, int):
        _put_row(scores.table, row)


def _put_row(table: ThresholdTable, row: int) -> None:
    if 0 <= row < len(table):
        put_threshold(float(table.thresholds[row]))


def _choose_density(scores: Scores) -> tuple[str, int, float, str]:
    rows = len(scores.scored.positive_scores) + len(scores.scored.negative_scores)
    options = {key: name for key, name in DENSITIES.items() if key != "dots" or rows <= MOST_DOTS}
    density = _one_of(options, "Density", "density", "dots" if rows <= FEW_DOTS else "histogram")
    bins, width, height = Drawing.bins, Drawing.width, Drawing.height
    if density == "histogram":
        bins = st.slider("Bins", 5, 100, bins, 5, key="bars", bind="query-params")
    if density == "smooth":
        help_text = "Times Silverman's"
        width = st.slider("Bandwidth", 0.25, 4.0, width, 0.25, key="kernel", bind="query-params", help=help_text)
    if density != "dots":
        height = _one_of(HEIGHTS, "Height", "height", "rows")
    return density, min(max(int(bins), 5), 100), min(max(float(width), 0.25), 4.0), height


def _one_of(options: dict[str, str], label: str, key: str, start: str) -> str:
    chosen = st.segmented_control(
        label, list(options), format_func=options.get, default=start, key=key, bind="query-params", required=True
    )
    return chosen if chosen in options else start
