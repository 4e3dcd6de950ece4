"""The threshold view: densities, measures, 2×2, curves and rates in one view that can be dragged in the browser.

Two parts go to the browser. The first holds what stays while the threshold moves; it is a component of its own, which
Streamlit sends again only where it has changed. The second belongs to the current threshold: its exact numbers and its
neighbours among the scores.
"""

import json
from collections.abc import Sequence
from hashlib import blake2b

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import METRICS, analyses
from evalcore.classification import Prices, ThresholdTable
from evalcore.figures import ink, threshold_view
from evalcore.figures.threshold_view import FEW_DOTS, MOST_DOTS, Drawing, ThresholdView, current_row, rows_of
from evalcore.inference import IntervalChoice
from evalcore.registry import PAGES
from evalcore.reports import rate_text
from evalcore.wording import count_text
from pages.widgets.classify.classes.measures import show_slices
from pages.widgets.classify.confusion.confusion import open_outcome, opened_outcome
from pages.widgets.classify.threshold import costs
from pages.widgets.classify.threshold.certainty import overlay_of, shaking_for, show_certainty, show_class_weights
from pages.widgets.classify.threshold.groups import show_subgroups
from pages.widgets.classify.threshold.pins import has_moved, pins_of, show_comparison, show_pins, toggle_pin
from pages.widgets.classify.threshold.records import show_records
from pages.widgets.controls.fields import bound, segmented
from pages.widgets.controls.goals import put_cost_goal
from pages.widgets.controls.intervals import actual_in_rows
from pages.widgets.controls.roles import area_of
from pages.widgets.controls.threshold import count_at_threshold, show_exactness
from pages.widgets.display.drawer import open_rows, opened_rows, show_drawer
from pages.widgets.display.figure import page_ink, show_table
from pages.widgets.display.measures import show_formulas
from pages.widgets.display.page import enlargement, show_finding, show_folds
from pages.widgets.display.sidebar import show_drawn_again
from pages.widgets.export.downloads import choose_formats, show_all_numbers, show_download, take_away
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.internals import fragment_alone
from pages.widgets.session.loaded import put_threshold, threshold_of

KEY = "threshold_view"
DENSITIES = {"histogram": "Histogram", "smooth": "Smooth", "dots": "Rows as dots"}
EXTENTS = {"all": "All scores", "central": "Where the scores are", "log": "Logarithmic"}
HEIGHTS = {"rows": "Counts", "share": "Share of the class"}
_DRAWABLE = [m.key for m in METRICS.values() if m.family == "counts" and (m.lowest, m.highest) == (0, 1)]
_PROGRAM, _CSS = threshold_view.view_program()
_VERSION = f"of{blake2b(_PROGRAM.encode(), digest_size=8).hexdigest()}"

# A component's program travels with each of its messages, so that it goes with the content, which is sent once; what is
# sent at every threshold only calls it.
_COMPONENT = st.components.v2.component(
    "threshold_view",
    html='<div class="threshold-view"></div>\n',
    css=_CSS,
    js=f"""export default function (component) {{
  let leave
  const start = () => {{ leave ??= window.evalcoreThresholdPrograms?.{_VERSION}?.(component) }}
  window.addEventListener("evalcore-threshold-view", start)
  start()
  return () => {{
    window.removeEventListener("evalcore-threshold-view", start)
    leave?.()
  }}
}}
""",
)

# What stays while the threshold moves is kept in the browser by its name: views, what differs from a pin, samples.
_KEEP = """export default function ({ data }) {
  const texts = (window.evalcoreTexts ??= new Map())
  texts.delete(data.name)
  texts.set(data.name, data.text)
  // Some are kept: going back to a setting finds its view again.
  if (texts.size > 16) texts.delete(texts.keys().next().value)
  window.dispatchEvent(new Event("evalcore-threshold-view"))
}
"""
_START = _PROGRAM.replace("export default", f"(window.evalcoreThresholdPrograms ??= {{}}).{_VERSION} ??=")
_VIEW, _TEXT = (
    st.components.v2.component(name, html="<span></span>\n", js=_KEEP + program)
    for name, program in (("threshold_content", _START), ("threshold_text", ""))
)

_HEARD, _ANSWER, _KEYS = "threshold_view heard", "threshold_view answer", "threshold_view keys"
_TURNED = "threshold_view turned"  # the knob of costs, so that the goal above has to be chosen again

# A view is some 200 kilobytes and only read, so all sessions share it.
_view = cache(threshold_view.make_threshold_view, 64, "Drawing the scores …")
_changes = cache(lambda view, pin: json.dumps(threshold_view.pin_changes(view, pin)), 64)


def choose_drawing(scores: analyses.Scores) -> Drawing:
    """Ask for the measures, and in a popover for axis and densities."""
    lines = st.multiselect(
        "Measures to draw", _DRAWABLE, default=list(Drawing.lines), format_func=threshold_view.drawn_name, key="lines",
        bind="query-params", label_visibility="collapsed", placeholder="Measures to draw", width="stretch",
    )  # fmt: skip
    with st.popover("Axis and densities", key="drawing", icon=":material/tune:"):
        density, bins, width, height = _choose_density(scores)
        extent = segmented("Axis", EXTENTS, "axis")
        bands = st.toggle(
            "Bands around the measures", key="bands", bind="query-params",
            help=f"95 % of resamples of the {scores.current.units} lie within them.",
        )  # fmt: skip
    return Drawing(density, bins, width, height, extent, tuple(lines), bool(bands))


def send_view(
    scores: analyses.Scores, drawing: Drawing, intervals: IntervalChoice, prices: Prices | None = None
) -> ThresholdView:
    """Send what stays while the threshold moves, for `show_threshold_view` below it; with the amounts of a goal."""
    amounts = None if prices is None else (prices.name, prices.by_share)
    view = _view((scores.key, drawing, intervals, amounts), scores, drawing, intervals, prices)
    _VIEW(key=f"{KEY}-view", data={"name": view.name, "text": view.text})
    return view


def show_threshold_view(
    threshold: float, view: ThresholdView, chosen: analyses.ThresholdChoice, pins: Sequence[analyses.Pinned],
    resampled: bool = True, opens_rows: bool = True,
) -> None:  # fmt: skip
    """Draw the threshold view, with its goal in resamples; a move writes the threshold into the address when let go."""
    if st.session_state.pop(_TURNED, False) and fragment_alone():
        st.rerun()
    scores, drawing, ink = chosen.scores, view.drawing, page_ink()
    identity = blake2b(scores.key.encode(), digest_size=8).hexdigest()
    pin = pins[0].counts if pins else None
    changes = _send_changes(view, pins)
    # Sent only while it shakes, and by a component of its own, so that a move sends it no second time.
    shaking = shaking_for(view, chosen) if address.page_text("shake", ["1"]) else None
    _COMPONENT(
        key=KEY,
        data={
            "view": view.name,
            "over": overlay_of(view, chosen, pins, resampled),
            "pin": changes,
            "now": current_row(scores, threshold, view, bool(st.session_state.get(_KEYS)), repeat=False, pin=pin),
            "ink": threshold_view.view_ink(ink, len(drawing.lines), actual_in_rows()),
            "of": identity,
            "heard": st.session_state.get(_HEARD, 0),
            "answer": st.session_state.get(_ANSWER),
            "zoom": enlargement(),
            "shake": {"name": None if shaking is None else shaking.name} if len(scores.table) > 1 else None,
        }
        | ({"rows": _marked(view)} if opens_rows else {}),
        on_go_change=lambda: _go(scores, view, identity, st.session_state[KEY].get("go")),
    )
    if shaking is not None:
        _TEXT(key=f"{KEY}-shake", data=vars(shaking))


def _send_changes(view: ThresholdView, pins: Sequence[analyses.Pinned]) -> str:
    """Send what differs from the first pin at every threshold of the view; the name of that, empty without pins."""
    if not pins:
        return ""
    first = pins[0]
    key = view.name, first.scores.key, first.pin.threshold
    name = blake2b(repr(key).encode(), digest_size=8).hexdigest()
    _TEXT(key=f"{KEY}-changes", data={"name": name, "text": _changes(key, view, first)})
    return name


def _go(scores: analyses.Scores, view: ThresholdView, identity: str, message: dict | None) -> None:
    """What was let go or typed, checked again because it comes from a browser."""
    if not isinstance(message, dict) or message.get("of") != identity:
        return
    number = message.get("n")
    # What got no answer in time is sent again, and may then come twice or after what was sent later.
    if not isinstance(number, int) or number <= st.session_state.get(_HEARD, 0):
        return
    st.session_state[_HEARD], st.session_state[_ANSWER] = number, None
    typed, stop, row = message.get("typed"), message.get("stop"), message.get("row")
    if (rows := message.get("rows")) is not None:
        _open_rows(view, rows)
    # Who lets a line go has no use for the neighbours among the scores, and they are most of what would be sent.
    st.session_state[_KEYS] = bool(message.get("near"))
    if "shake" in message:
        address.put_page_text("shake", "1" if message["shake"] is True else None)
    if "cost" in message or "amounts" in message:
        st.session_state[_TURNED] = put_cost_goal(scores, message)
    elif isinstance(typed, str):
        try:
            put_threshold(analyses.threshold_meant(scores, typed))
        except analyses.UnclearThreshold as problem:
            st.session_state[_ANSWER] = str(problem)
    elif isinstance(stop, int):
        _put_row(view.grid, len(view.grid) - 1 - stop if scores.higher else stop)
    elif isinstance(row, int):
        _put_row(scores.table, row)
    if message.get("pin") is True:
        toggle_pin(scores, threshold_of(scores))


SCORES = "scores"


def _open_rows(view: ThresholdView, sent: object) -> None:
    """Open the rows of a cell, or of the scores between two stops; close them for anything else."""
    if (ends := view.ends(sent)) is None:
        open_outcome({"cell": sent})
    else:
        open_rows(SCORES, *map(repr, ends))


def _marked(view: ThresholdView) -> object:
    """What the view marks as opened: a cell, or the places of the two ends of brushed scores."""
    ends = analyses.two_numbers(opened_rows(SCORES, 2))
    return opened_outcome() if ends is None else view.axis.x(ends).tolist()


def _put_row(table: ThresholdTable, row: int) -> None:
    if 0 <= row < len(table):
        put_threshold(float(table.thresholds[row]))


def first_drawing(scores: analyses.Scores) -> Drawing:
    """How scores are drawn at first: few rows as dots."""
    return Drawing("dots" if rows_of(scores.scored) <= FEW_DOTS else "histogram")


def _choose_density(scores: analyses.Scores) -> tuple[str, int, float, str]:
    options = {key: name for key, name in DENSITIES.items() if key != "dots" or rows_of(scores.scored) <= MOST_DOTS}
    density = segmented("Density", options, "density", first_drawing(scores).density)
    bins, width, height, link = Drawing.bins, Drawing.width, Drawing.height, {"bind": "query-params"}
    if density == "histogram":
        bins = st.slider("Bins", 5, 100, bins, 5, key="bars", **link)
    if density == "smooth":
        width = st.slider("Bandwidth", 0.25, 4.0, width, 0.25, key="kernel", help="Times Silverman's", **link)
    if density != "dots":
        height = segmented("Height", HEIGHTS, "height")
    return density, min(max(int(bins), 5), 100), min(max(float(width), 0.25), 4.0), height


CHOOSE = "Choose"

# The parts under the view, each with its folds.
PARTS = {
    CHOOSE: ("If costs are not known", "Two thresholds", "Pins"),
    "Certainty": ("Resampling",), "In use": ("Records",), "Groups": ("Slices",),
}  # fmt: skip
_PART = PAGES["classify/threshold"].parts
MOST = 1_000_000  # thresholds of a table to take away; of more, so many spread evenly


def choose_part() -> str:
    """Ask which part stands under the view; the address holds the part or its unfolded fold."""
    there = address.page_text(_PART, [*PARTS, *(fold for folds in PARTS.values() for fold in folds)])
    part = next((part for part, folds in PARTS.items() if there in (part, *folds)), CHOOSE)
    # Tabs would be drawn again several times at every threshold, each with a place of its own.
    return bound(
        st.segmented_control, "Part", _PART, part, list(PARTS), required=True, label_visibility="collapsed",
        write=lambda chosen: address.put_page_text(_PART, None if chosen == CHOOSE else chosen),
    )  # fmt: skip


# What is asked in here may change nothing outside: a fragment draws only its own places anew.
@st.fragment
def show_at_threshold(
    view: ThresholdView, chosen: analyses.ThresholdChoice, part: str, *places: DeltaGenerator
) -> None:
    """Draw the threshold view here, and into their places finding, open one of `PARTS`, formulas and what to take."""
    if has_moved():
        st.rerun()
    found, slot, formulas, share = places
    scores, intervals = chosen.scores, view.intervals
    threshold, counted = threshold_of(scores), count_at_threshold(scores)
    show_operating_point(scores, threshold, counted, intervals, found)
    pins = pins_of(scores)
    show_threshold_view(threshold, view, chosen, pins)
    show_rows(scores, counted, threshold)
    show_exactness(scores, threshold, "roc_auc", "average_precision")
    show_pins(pins, scores)
    with slot:
        match part:
            case "Certainty":
                show_certainty(threshold, chosen)
            case "In use":
                costs.show_forecast(chosen, threshold, counted)
                st.divider()
                costs.show_decision_curve(chosen, threshold)
            case "Groups":
                show_subgroups(scores, threshold, intervals, chosen.promise if chosen.on_new_rows else None)
            case _ if chosen.choice:
                costs.show_best(chosen, threshold)
        folds = {
            "If costs are not known": lambda: costs.show_cost_sensitivity(chosen, threshold),
            "Two thresholds": lambda: costs.show_referral_band(chosen, threshold),
            "Pins": lambda: show_comparison(pins, scores, threshold, intervals.level, chosen.goal),
            "Resampling": lambda: show_class_weights(scores),
            "Records": lambda: show_records(scores, threshold, intervals, chosen),
            "Slices": lambda: _show_slices(scores, threshold, intervals),
        }
        shown = [name for name in PARTS[part] if name != "Pins" or pins or address.page_text(_PART, [name])]
        show_folds("classify/threshold", {name: folds[name] for name in shown})
    take_away(lambda: show_takeaway(scores, threshold, counted, intervals, chosen), share)
    show_formulas(analyses.analyse_confusion(counted), formulas)
    show_drawn_again()


def show_operating_point(
    scores: analyses.Scores, threshold: float, counted: analyses.NamedCounts, intervals: IntervalChoice,
    place: DeltaGenerator,
) -> None:  # fmt: skip
    """The finding at a threshold."""
    rates = lambda: [rate_text(key, counted.counts, intervals) for key in ("recall", "precision")]  # noqa: E731
    show_finding(
        f"**{analyses.OperatingPoint(scores, threshold).headline}**", place=place, numbers=rates, level=intervals.level,
        picture=lambda: threshold_view.densities_figure(scores, threshold, ink(dark=False)),
    )  # fmt: skip


def show_rows(scores: analyses.Scores, counted: analyses.NamedCounts, threshold: float) -> None:
    """The rows of a cell, or of scores that were brushed, beside the view."""
    ends = analyses.two_numbers(opened_rows(SCORES, 2))
    selection = None if ends is None else analyses.rows_between_scores(scores, *ends)
    if (cell := opened_outcome()) is not None:
        selection = analyses.outcome_rows(scores.current, counted, cell)
    show_drawer(selection, threshold)


def _show_slices(scores: analyses.Scores, threshold: float, intervals: IntervalChoice) -> None:
    st.markdown("**Is it worse in some slice of the rows?**")
    show_slices(analyses.ClassTable.of_scores(scores, threshold), scores.positive, intervals.level)


def show_takeaway(
    scores: analyses.Scores, threshold: float, counted: analyses.NamedCounts, intervals: IntervalChoice,
    chosen: analyses.ThresholdChoice | None = None,
) -> None:  # fmt: skip
    """Everything to take away of a threshold and of the goal it was chosen for, each to be copied or saved."""
    decision = analyses.DecisionRecord(scores, threshold, intervals, chosen, area_of(scores, intervals))
    json = decision.json
    ways = ["Text", "JSON", "Python", "Tables"]
    report, data, python, tables = st.tabs(ways, key="take_away_as", on_change="rerun", bind="query-params")
    with report:
        st.code(decision.text, language=None, wrap_lines=True)
        show_download("Text as a file", decision.text + "\n", "threshold.txt", "download text")
    with data:
        st.code(json, language="json", wrap_lines=True, height=min(24 * len(json.splitlines()), 420))
        show_download("JSON as a file", json + "\n", "threshold.json", "download json")
        show_all_numbers()
    with python:
        st.caption("Put the file beside it and run it where evalcore is installed; its assertions check every number.")
        st.code(decision.code, wrap_lines=True, height=420)
        show_download("Python as a file", decision.code, "threshold.py", "download code")
    numbers = analyses.analyse_confusion(counted, intervals)
    with tables:
        show_table(*counted.cells_table(actual_in_rows()))
    with tables, st.container(horizontal=True):
        show_download("Numbers as CSV", lambda: numbers.table, "numbers.csv", "download table")
        distinct = len(scores.table)
        which = "Every threshold" if distinct <= MOST else f"{count_text(MOST)} of {count_text(distinct)} thresholds"
        columns = lambda: analyses.threshold_columns(scores, threshold, MOST)  # noqa: E731
        show_download(f"{which} as CSV", columns, "thresholds.csv", "download thresholds")
    choose_formats()
