"""Losses of the stated probabilities on the page: all of them with intervals, the Brier score taken apart."""

import html
import math

import pandas as pd
import streamlit as st

from evalcore.analyses import Losses, LossSettings, loss_measures
from evalcore.classification import BrierParts, brier_parts
from evalcore.figures import brier_figure
from evalcore.inference import RESAMPLES
from evalcore.wording import UNDEFINED, count_text, loss_text, number_text, share_text

from ...display.figure import page_ink, show_figure
from .calibration_in_the_large import large_of
from .reliability import Binning, Diagram
from .rows import Stated

CLIPS = ("1e-15", "1e-12", "1e-9", "1e-6", "0.0001", "0.001", "0.01", "none")
_LEVELS = (0.8, 0.9, 0.95, 0.99)
_LARGEST_SEED = 2**31 - 1
_TIGHT = "\u00a0"  # a blank where no line may break


def choose_manner() -> LossSettings:
    """Ask for logarithm, clipping, level and seed, folded into a button; all stay in the address."""
    with st.popover("Settings", icon=":material/tune:"):
        unit = st.segmented_control(
            "Losses in", ["nats", "bits"], default="nats", key="unit", bind="query-params", required=True,
            help="nats: natural logarithm; bits: base 2",
        )  # fmt: skip
        clip = st.selectbox(
            "Smallest probability δ", CLIPS, key="clip", bind="query-params",
            help="Before the logarithm, probabilities are kept between δ and 1 − δ: less than δ costs as much as δ, "
            "more than 1 − δ as much as 1 − δ. Without it one row that gave 0 makes the log-loss infinite.",
        )  # fmt: skip
        level = st.selectbox(
            "Level", _LEVELS, index=2, format_func=lambda share: f"{100 * share:g} %", key="level", bind="query-params"
        )
        seed = st.number_input(
            "Seed", 0.0, float(_LARGEST_SEED), 20.0, 1.0, "%.0f", key="draw", bind="query-params",
            help="Of the resamples and of the folds",
        )  # fmt: skip
    usable = seed is not None and 0 <= seed <= _LARGEST_SEED
    return LossSettings(
        2.0 if unit == "bits" else math.e,
        1e-15 if clip not in CLIPS else 0.0 if clip == "none" else float(clip),
        level if level in _LEVELS else 0.95,
        round(seed) if usable else 20,
    )


def losses_of(stated: Stated, manner: LossSettings) -> Losses:
    """All losses; kept by data set and manner."""
    return _losses(stated.key, manner, _stated=stated)


def measure_rows(stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning) -> list[dict]:
    """Name, short name, value and interval of each number of the page, with what the interval is."""
    losses, rows = losses_of(stated, manner), []
    for measure in loss_measures(len(stated.table.classes), manner):
        row = {"name": measure.name, "low": math.nan, "high": math.nan}
        if measure.interval == "chance":
            value, (chance, high) = diagram.errors[measure.key]
            row |= {"beside": f"{measure.symbol}, {binning.words}", "value": value}
            row |= {"chance": chance, "chance high": high}
        else:
            interval, unit = losses.intervals[measure.key], f", {manner.unit}" if "base" in measure.takes else ""
            row |= {"beside": f"{measure.help}{unit}", "value": float(interval.estimate)}
            row |= {"low": interval.low, "high": interval.high}
        rows.append(row)
    return rows


def show_measures(stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning) -> None:
    """The numbers beside the picture."""
    lines = []
    for row in measure_rows(stated, manner, diagram, binning):
        value = f"<b>{loss_text(row['value'])}</b>"
        if math.isnan(row["value"]):
            value = f'<span class="undefined">{UNDEFINED}</span>'
        if "chance" in row:
            beside = f"chance ≤ {number_text(row['chance high'])}".replace(" ", _TIGHT)
        elif math.isnan(row["low"]):
            beside = ""
        else:
            beside = f"{number_text(row['low'])} – {number_text(row['high'])}".replace(" ", _TIGHT)
        name = f'{html.escape(row["name"])}<br><span class="names">{html.escape(row["beside"])}</span>'
        lines.append(f"<tr><td>{name}</td><td>{value}</td><td>{beside}</td></tr>")
    level = f"{100 * manner.level:g} % interval"
    head = f"<tr><th>of {count_text(stated.table.total)} rows</th><th>value</th><th>{level}</th></tr>"
    st.html(f'<table class="averages">{head}{"".join(lines)}</table>')
    st.caption(
        f"Intervals: {count_text(RESAMPLES)} resamples of the rows, seed {manner.seed}. "
        f"*Chance*: what calibrated probabilities stay below in {100 * manner.level:g} % of trials with these bins. "
        f"{clipping(stated, manner)}"
    )


def clipping(stated: Stated, manner: LossSettings) -> str:
    """What clipping does to these rows, in Markdown."""
    found = losses_of(stated, manner)
    zero = count_text(found.impossible)
    rows = f"{zero} rows gave 0 to their own class" if found.impossible != 1 else "1 row gave 0 to its own class"
    if not manner.clip:
        return (
            f"Nothing is clipped: {rows}, so the log-loss is infinite." if found.impossible else "Nothing is clipped."
        )
    if not found.clipped:
        return f"No row had to be clipped below δ = {manner.clip:g}."
    count = f"{count_text(found.clipped)} {'row' if found.clipped == 1 else 'rows'} clipped below δ = {manner.clip:g}"
    return f"{count}; {rows}, and without clipping the log-loss would be infinite." if found.impossible else f"{count}."


def show_brier(stated: Stated, binning: Binning) -> None:
    """The Brier score as a sum of bars, with what each part says."""
    parts = parts_of(stated, binning)
    picture, words = st.columns([5, 4], gap="large")
    with picture:
        show_figure(
            brier_figure(parts, page_ink()),
            key="brier",
            alt=f"Brier score {number_text(parts.score)}: uncertainty {number_text(parts.uncertainty)} less resolution "
            f"{number_text(parts.resolution)} plus reliability {number_text(parts.reliability)}",
            filename="brier",
        )
        st.caption(
            f"Over {binning.words}" + ("" if stated.binary else " of each class, added up over the classes")
            + ". What lies within the bins is 0 where all rows of a bin say the same."
        )  # fmt: skip
    with words:
        base = f"{_of(parts.resolution, parts.uncertainty)} of it is won by telling the rows apart"
        st.markdown(
            f"- **Uncertainty {number_text(parts.uncertainty)}**: what stating the base rate for every row costs.\n"
            f"- **Resolution {number_text(parts.resolution)}**: how far what comes true differs from bin to bin; "
            f"{base}.\n"
            f"- **Reliability {number_text(parts.reliability)}**: what is lost because what is said is not what comes "
            "true. Recalibration can win this back, and no more.\n"
            f"- **Within the bins {number_text(parts.within_variance - parts.within_covariance)}**: what the bins hide."
        )


def parts_of(stated: Stated, binning: Binning) -> BrierParts:
    """The parts of the Brier score; for several classes, of all of them added up."""
    return _parts(stated.key, binning, _stated=stated)


def measures_frame(stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning) -> pd.DataFrame:
    """The numbers to take away, unrounded."""
    rows = measure_rows(stated, manner, diagram, binning)
    parts = parts_of(stated, binning)
    names = ("uncertainty", "resolution", "reliability", "within_variance", "within_covariance")
    rows += [
        {"name": f"Brier score: {name.replace('_', ' ')}", "beside": binning.words, "value": getattr(parts, name)}
        for name in names
    ]
    rows += [
        {"name": "Mean probability", "beside": "", "value": diagram.said},
        {"name": "Share that came true", "beside": "", "value": diagram.came_true},
        {"name": "Rows clipped", "beside": f"below {manner.clip:g}", "value": losses_of(stated, manner).clipped},
    ]
    if large := large_of(stated.table, manner.base):
        beside = f"base rates p, mean probabilities q, {manner.unit}"
        both_ways = {
            "Entropy H(p)": large.entropy_p, "Cross-entropy H(p, q)": large.cross_pq, "Divergence KL(p‖q)": large.kl_pq,
            "Divergence KL(q‖p)": large.kl_qp,
        }  # fmt: skip
        rows += [{"name": name, "beside": beside, "value": value} for name, value in both_ways.items()]
    columns = {"name": "measure", "beside": "how", "chance": "by chance", "chance high": "by chance, high"}
    return pd.DataFrame(rows).rename(columns=columns).assign(n=stated.table.total)


def bins_frame(diagram: Diagram) -> pd.DataFrame:
    """The bins of the diagram, unrounded."""
    bins = diagram.bins
    return pd.DataFrame({
        "from": bins.low, "to": bins.high, "rows": bins.n, "came true": bins.happened,
        "mean probability": bins.mean_probability, "share": bins.observed, "low": diagram.interval.low,
        "high": diagram.interval.high,
    })  # fmt: skip


def _of(part: float, whole: float) -> str:
    return share_text(part / whole) if whole > 0 else "nothing"


@st.cache_data(max_entries=128, show_spinner="Resampling …")
def _losses(key: str, manner: LossSettings, _stated: Stated) -> Losses:
    return Losses.of(_stated.table, manner)


@st.cache_data(max_entries=64, show_spinner=False)
def _parts(key: str, binning: Binning, _stated: Stated) -> BrierParts:
    table = _stated.table
    places = [1] if _stated.binary else range(len(table.classes))
    events = [table.event(place) for place in places]
    each = [brier_parts(event, binning.edges_of(event)) for event in events]
    return each[0] if len(each) == 1 else sum(each[1:], each[0])
