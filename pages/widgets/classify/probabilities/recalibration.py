"""Recalibration on the page: what the probabilities would be worth if they were put right, judged on unseen rows."""

import html
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import Losses, LossSettings, loss_measures
from evalcore.classification import ProbabilityTable
from evalcore.figures import Calibrated, mapping_figure, reliability_figure
from evalcore.inference import Interval, PlattCurve, RecalibratedTable, compare_losses, recalibrated_table
from evalcore.readers import text_of
from evalcore.wording import UNDEFINED, count_text, number_text, plain

from ...display.figure import page_ink, show_figure
from ...export.downloads import csv_of
from ...session import address
from .losses import losses_of
from .probability_source import MADE
from .reliability import Binning, Diagram, axis_words, diagram_of, histogram_of
from .rows import Stated, curve_of_scores

METHODS = {"Platt": "platt", "isotonic": "isotonic"}
"""What the curves are called, and their names in evalcore."""
MOST_FOLDS = 20
_MOST_CURVES = 12


@dataclass(frozen=True)
class Asked:
    """How to recalibrate: a value of `METHODS`, and the number of folds."""

    method: str = "platt"
    folds: int = 5


def show_recalibration(stated: Stated, manner: LossSettings, binning: Binning) -> None:
    """Reliability and losses before and after, the curve between them, and the new probabilities to take away."""
    if stated.made:
        _show_made(stated)
        return
    asked = choose_recalibration()
    try:
        found = recalibration_of(stated, asked, manner.seed)
    except ValueError as problem:
        st.info(plain(problem, limit=400), icon=":material/info:")
        return
    after = _as_stated(stated, found, asked, manner)
    before_diagram = diagram_of(stated, binning, manner.level, manner.seed)
    after_diagram = diagram_of(after, binning, manner.level, manner.seed)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Reliability before and after**")
        _show_reliability(stated, before_diagram, after_diagram, binning)
    with right:
        st.markdown("**What each probability becomes**")
        _show_curves(stated, found)
    change = _change(after.key, manner, _found=found)
    _show_table(stated, after, change, manner, before_diagram, after_diagram)
    st.caption(_judged(stated, found, asked, manner))
    st.download_button(
        "Recalibrated probabilities as CSV", lambda: csv_of(recalibrated_frame(stated, found)), "recalibrated.csv",
        "text/csv", key="download recalibrated", on_click="ignore",
    )  # fmt: skip


def choose_recalibration() -> Asked:
    """Ask for the curve and the number of folds; both stay in the address."""
    with st.container(key="recalibrating", horizontal=True, vertical_alignment="bottom"):
        method = st.segmented_control(
            "Curve", list(METHODS), default="Platt", key="recalibrate", bind="query-params", required=True,
            help="Platt: a logistic curve, two numbers. Isotonic: any curve that never falls.",
        )  # fmt: skip
        folds = st.number_input(
            "Folds", 2.0, float(MOST_FOLDS), 5.0, 1.0, "%.0f", key="folds", bind="query-params", width=120
        )
    usable = folds is not None and 2 <= folds <= MOST_FOLDS
    return Asked(METHODS.get(method, "platt"), round(folds) if usable else 5)


def recalibration_of(stated: Stated, asked: Asked, seed: int) -> RecalibratedTable:
    """The recalibrated rows; kept by data set and manner. Raises ValueError where there are too few rows."""
    return _recalibrated(stated.key, asked, seed, _table=stated.table)


def recalibrated_frame(stated: Stated, found: RecalibratedTable) -> pd.DataFrame:
    """Every row with what was stated and what it becomes, by a curve learnt without it; unrounded."""
    table = stated.table
    names = [text_of(name) for name in table.classes]
    places = [1] if stated.binary else range(len(names))
    frame = pd.DataFrame({
        "row": stated.current.dataset.lines.first + stated.kept,
        "actual": np.array(names, dtype=object)[table.actual],
    })  # fmt: skip
    columns = {f"stated {names[place]}": table.probabilities[:, place] for place in places}
    columns |= {f"recalibrated {names[place]}": found.after.probabilities[:, place] for place in places}
    return pd.concat([frame, pd.DataFrame(columns)], axis=1)


def _show_made(stated: Stated) -> None:
    """The curve that made probabilities of scores, and these to take away."""
    rows = stated.current.dataset.scored_arrays(stated.current.system)
    curve = curve_of_scores(stated.key, stated.made, stated.current.higher_is_positive, _rows=rows)
    left, right = st.columns(2, gap="large")
    with left:
        ends = (float(rows.scores.min()), float(rows.scores.max()))
        show_figure(
            mapping_figure([("", curve)], ends, page_ink(), f"score, {stated.current.system}"),
            key="mapping",
            alt=f"What each score becomes, from {number_text(float(curve(ends[:1])[0]))} at {number_text(ends[0])} to "
            f"{number_text(float(curve(ends[1:])[0]))} at {number_text(ends[1])}",
            filename="mapping",
        )
    with right:
        st.markdown(
            f"These probabilities come from {MADE[stated.made]} already. The curve that is drawn is learnt on all "
            "rows: it is the one to use for others. What the page says is of the rows by curves that had not seen them."
        )
        ways = {"platt": "isotonic", "isotonic": "platt"}
        other = ways[stated.made]
        st.button(f"Take {MADE[other]} instead", on_click=address.put, args=("made", other), key="other curve")
        frame = pd.DataFrame({
            "row": stated.current.dataset.lines.first + stated.kept,
            "actual": np.array([text_of(name) for name in stated.table.classes], dtype=object)[stated.table.actual],
            "score": rows.scores,
            "probability": stated.table.probabilities[:, 1],
        })  # fmt: skip
        st.download_button(
            "Probabilities as CSV", lambda: csv_of(frame), "probabilities of scores.csv", "text/csv",
            key="download recalibrated", on_click="ignore",
        )  # fmt: skip


def _show_reliability(stated: Stated, before: Diagram, after: Diagram, binning: Binning) -> None:
    shown = [
        Calibrated(name, one.bins, one.interval.low, one.interval.high)
        for name, one in (("as stated", before), ("recalibrated", after))
    ]
    show_figure(
        reliability_figure(shown, histogram_of(after, binning), page_ink(), *axis_words(stated)),
        key="recalibrated reliability",
        alt=f"Reliability before and after recalibration: off by {number_text(before.error)} as stated and by "
        f"{number_text(after.error)} recalibrated",
        filename="recalibrated",
    )


def _show_curves(stated: Stated, found: RecalibratedTable) -> None:
    curves = [(text_of(name), curve) for name, curve in found.curves.items()]
    shown = curves[:_MOST_CURVES]
    show_figure(
        mapping_figure(shown, (0.0, 1.0), page_ink(), "stated probability"),
        key="mapping",
        alt="What each stated probability becomes: " + _ends(shown[0][1]),
        filename="mapping",
    )
    if len(curves) > len(shown):
        st.caption(f"The first {len(shown)} of {count_text(len(curves))} classes are drawn.")
    elif len(curves) == 1 and isinstance(curves[0][1], PlattCurve):
        curve = curves[0][1]
        st.caption(
            f"log-odds after = {number_text(curve.slope)} · log-odds before + {number_text(curve.intercept)}; "
            "a slope of 1 and an intercept of 0 would change nothing."
        )


def _ends(curve) -> str:
    low, middle, high = (number_text(float(value)) for value in curve(np.array([0.1, 0.5, 0.9])))
    return f"0.1 becomes {low}, 0.5 becomes {middle}, 0.9 becomes {high}"


def _show_table(
    stated: Stated,
    after: Stated,
    change: dict[str, Interval],
    manner: LossSettings,
    before_diagram: Diagram,
    after_diagram: Diagram,
) -> None:
    one, two = losses_of(stated, manner), losses_of(after, manner)
    lines = []
    for measure in loss_measures(len(stated.table.classes), manner):
        if measure.interval == "chance":
            was, becomes = (diagram.errors[measure.key][0] for diagram in (before_diagram, after_diagram))
        else:
            was, becomes = one.value(measure.key), two.value(measure.key)
        name = f"{measure.name}, {manner.unit}" if "base" in measure.takes else measure.name
        values = f"<td>{number_text(was)}</td><td><b>{number_text(becomes)}</b></td>"
        lines.append(f"<tr><td>{html.escape(name)}</td>{values}{_cells(change.get(measure.key))}</tr>")
    head = (
        "<tr><th></th><th>as stated</th><th>recalibrated</th><th>change</th>"
        f"<th>{100 * manner.level:g} % interval</th></tr>"
    )
    st.html(f'<table class="averages">{head}{"".join(lines)}</table>')
    st.markdown(_advice(change["log_loss"], two, manner))


def _cells(interval: Interval | None) -> str:
    if interval is None:
        return "<td></td><td></td>"
    low, high = float(interval.low), float(interval.high)
    if math.isnan(low):
        return f'<td>{_signed(float(interval.estimate))}</td><td class="undefined">{UNDEFINED}</td>'
    word = "better" if high < 0 else "worse" if low > 0 else "may be chance"
    between = f"{_signed(low)} – {_signed(high)}".replace(" ", "\u00a0")
    return f"<td>{_signed(float(interval.estimate))}</td><td>{between} <span class='names'>{word}</span></td>"


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + number_text(value)


def _advice(change: Interval, after: Losses, manner: LossSettings) -> str:
    low, high = float(change.low), float(change.high)
    if not math.isfinite(float(change.estimate)):
        said = "An infinite log-loss cannot be compared: have probabilities clipped, under Settings."
    elif high < 0:
        said = (
            "On rows that the curve has not seen, the log-loss is **lower than as stated**: recalibration is worth it."
        )
    elif low > 0:
        said = "On rows that the curve has not seen, the log-loss is **higher**: leave the probabilities as they are."
    else:
        said = "On rows that the curve has not seen, no difference is seen that could not be chance."
    if after.impossible:
        rows = "1 row" if after.impossible == 1 else f"{count_text(after.impossible)} rows"
        cost = "infinitely much" if not manner.clip else number_text(-math.log(manner.clip) / math.log(manner.base))
        said += f" The curve gives 0 to the actual class of {rows}, and each of them costs {cost}."
    return said


def _judged(stated: Stated, found: RecalibratedTable, asked: Asked, manner: LossSettings) -> str:
    parts = [
        f"Each row is judged by a curve that was learnt on the other {found.folds - 1} of {found.folds} folds "
        f"(seed {manner.seed}). The curve that is drawn is learnt on all rows: that is the one to use."
    ]
    if found.folds < asked.folds:
        parts.append("There are no more folds because one of the outcomes has so few rows.")
    if not stated.binary:
        parts.append("Each class is put right against the rest, then each row is divided by its sum.")
        without = len(stated.table.classes) - len(found.curves)
        if without:
            parts.append(f"{count_text(without)} {'class has' if without == 1 else 'classes have'} too few rows.")
    if stated.table.total < 1000 and asked.method == "isotonic":
        parts.append("With fewer than a thousand rows the isotonic curve mostly follows chance.")
    return " ".join(parts)


def _as_stated(stated: Stated, found: RecalibratedTable, asked: Asked, manner: LossSettings) -> Stated:
    """The recalibrated rows as if they had been stated."""
    key = "\n".join((stated.key, repr(asked), str(manner.seed), "recalibrated"))
    return _after(key, _stated=stated, _table=found.after)


@st.cache_resource(max_entries=8, show_spinner=False)
def _after(key: str, _stated: Stated, _table: ProbabilityTable) -> Stated:
    return Stated(
        _stated.current, _table, _stated.kept, _stated.left_out, _stated.unknown, _table, 0, _stated.made, key
    )


@st.cache_resource(max_entries=8, show_spinner="Recalibrating …")
def _recalibrated(key: str, asked: Asked, seed: int, _table: ProbabilityTable) -> RecalibratedTable:
    return recalibrated_table(_table, asked.method, asked.folds, seed)


@st.cache_data(max_entries=64, show_spinner="Resampling …")
def _change(key: str, manner: LossSettings, _found: RecalibratedTable) -> dict[str, Interval]:
    return compare_losses(_found.before, _found.after, manner.base, manner.clip, manner.level, seed=manner.seed)
