"""Losses of the stated probabilities on the page: all of them with intervals, the Brier score taken apart."""

import html
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.classification import BrierParts, brier_parts, clipped_rows
from evalcore.figures import brier_figure
from evalcore.inference import RESAMPLES, Interval, LossIntervals, bootstrap_losses
from evalcore.wording import UNDEFINED, count_text, loss_text, number_text, share_text

from ...display.figure import page_ink, show_figure
from .calibration_in_the_large import large_of
from .reliability import Binning, Diagram
from .rows import Stated

CLIPS = ("1e-15", "1e-12", "1e-9", "1e-6", "0.0001", "0.001", "0.01", "none")
_LEVELS = (0.8, 0.9, 0.95, 0.99)
_LARGEST_SEED = 2**31 - 1
_TIGHT = "\u00a0"  # a blank where no line may break


@dataclass(frozen=True)
class Manner:
    """How the losses are taken.

    Parameters
    ----------
    base : float
        Of the logarithm: e or 2.
    clip : float
        δ: probabilities are kept between it and 1 − δ before a logarithm is taken.
    level : float
        Of the intervals.
    seed : int
        Of the resamples and of the folds.
    """

    base: float = math.e
    clip: float = 1e-15
    level: float = 0.95
    seed: int = 20

    @property
    def unit(self) -> str:
        return "bits" if self.base == 2 else "nats"


@dataclass(frozen=True, eq=False)
class Losses:
    """Every loss of one table with its intervals; `shown_brier` is half the Brier score of two classes."""

    log_loss: float
    over_classes: float
    brier: float
    shown_brier: float
    skill: float
    clipped: int
    impossible: int
    intervals: LossIntervals


def choose_manner() -> Manner:
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
    return Manner(
        2.0 if unit == "bits" else math.e,
        1e-15 if clip not in CLIPS else 0.0 if clip == "none" else float(clip),
        level if level in _LEVELS else 0.95,
        round(seed) if usable else 20,
    )


def losses_of(stated: Stated, manner: Manner) -> Losses:
    """All losses; kept by data set and manner."""
    return _losses(stated.key, manner, _stated=stated)


def measure_rows(stated: Stated, manner: Manner, diagram: Diagram, binning: Binning) -> list[dict]:
    """Name, short name, value and interval of each number of the page, with what the interval is."""
    found, spread = losses_of(stated, manner), losses_of(stated, manner).intervals
    several = not stated.binary
    brier = METRICS["brier_score" if several else "half_brier_score"]
    whole = spread.brier if several else Interval(*(end / 2 for end in _ends(spread.brier)))
    shown = "sum over the classes" if several else "mean squared error of the probability"
    rows = [
        _row("Log-loss", f"mean of −ln q of the actual class, {manner.unit}", found.log_loss, spread.log_loss),
        _row(
            "Log-loss, sum over the classes", f"sum of the yes/no losses of each class, {manner.unit}",
            found.over_classes, spread.log_loss_over_classes,
        ),
        _row(brier.name if several else "Brier score", shown, found.shown_brier, whole),
        _row("Brier skill score", "saved of the Brier score of the base rate", found.skill, spread.skill),
    ]  # fmt: skip
    chance = diagram.chance
    for name, symbol, value, by_chance in (
        ("Expected calibration error", "ECE", diagram.error, (chance.expected, chance.expected_high)),
        ("Maximum calibration error", "MCE", diagram.largest, (chance.maximum, chance.maximum_high)),
    ):
        rows.append({
            "name": name, "beside": f"{symbol}, {binning.words}", "value": value, "low": math.nan, "high": math.nan,
            "chance": by_chance[0], "chance high": by_chance[1],
        })  # fmt: skip
    return rows


def show_measures(stated: Stated, manner: Manner, diagram: Diagram, binning: Binning) -> None:
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


def clipping(stated: Stated, manner: Manner) -> str:
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


def measures_frame(stated: Stated, manner: Manner, diagram: Diagram, binning: Binning) -> pd.DataFrame:
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


def _row(name: str, beside: str, value: float, interval: Interval) -> dict:
    return {"name": name, "beside": beside, "value": float(value), "low": interval.low, "high": interval.high}


def _ends(interval: Interval) -> tuple[float, float, float]:
    return float(interval.estimate), float(interval.low), float(interval.high)


def _of(part: float, whole: float) -> str:
    return share_text(part / whole) if whole > 0 else "nothing"


@st.cache_data(max_entries=128, show_spinner="Resampling …")
def _losses(key: str, manner: Manner, _stated: Stated) -> Losses:
    table = _stated.table
    # The intervals hold the losses themselves, so that no row is looked at twice.
    spread = bootstrap_losses(table, manner.base, manner.clip, manner.level, seed=manner.seed)
    brier = float(spread.brier.estimate)
    return Losses(
        float(spread.log_loss.estimate),
        float(spread.log_loss_over_classes.estimate),
        brier,
        brier / 2 if _stated.binary else brier,
        float(spread.skill.estimate),
        clipped_rows(table, manner.clip),
        int(np.count_nonzero((table.of_actual == 0) & table.counted)),
        spread,
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _parts(key: str, binning: Binning, _stated: Stated) -> BrierParts:
    table = _stated.table
    places = [1] if _stated.binary else range(len(table.classes))
    events = [table.event(place) for place in places]
    each = [brier_parts(event, binning.edges_of(event)) for event in events]
    return each[0] if len(each) == 1 else sum(each[1:], each[0])
