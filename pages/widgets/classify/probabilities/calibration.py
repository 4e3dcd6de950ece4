"""Calibration on the page: diagram and measures, the Brier score in parts, and the losses of each class."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import analyses
from evalcore.figures import brier_figure, loss_figure, reliability_figure
from evalcore.inference import RESAMPLES, isotonic
from evalcore.readers import text_of
from evalcore.wording import Column, count_text, level_text, loss_text, number_text, one_line, share_text, short_names
from pages.widgets.classify.probabilities.probability_source import pick_class
from pages.widgets.display.drawer import open_rows, opened_rows, show_drawer
from pages.widgets.display.figure import page_ink, show_figure, show_frame, show_table
from pages.widgets.display.measures import fold_of_measures
from pages.widgets.display.page import open_fold
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache

_reliability = cache(analyses.Reliability.of, 64, "Counting …")
_losses = cache(analyses.Losses.of, 128, "Resampling …")
_calibration = cache(analyses.Calibration.of, 64)
_isotonic = cache(isotonic, 16)
_diagram = cache(lambda *parts: reliability_figure(*parts), 64)
_class_table = cache(analyses.class_losses_table, 64, "Counting …")


def calibration_of(
    probabilities: analyses.ProbabilitySource, settings: analyses.LossSettings, binning: analyses.Binning
) -> analyses.Calibration:
    """Reliability and losses; kept by data set and settings."""
    key = probabilities.key
    bins = binning, settings.level, settings.seed
    reliability = _reliability((key, *bins), probabilities, *bins)
    losses = _losses((key, settings), probabilities.table, settings)
    return _calibration((key, settings, binning), reliability, losses)


def show_calibration(calibration: analyses.Calibration, line: bool) -> None:
    """The reliability diagram, and the numbers beside it."""
    reliability, settings = calibration.reliability, calibration.losses.settings
    event = reliability.event
    columns = event.probability, event.happened, event.weights
    curve = _isotonic(calibration.probabilities.key, *columns) if line else None
    ink, key = page_ink(), (calibration.probabilities.key, reliability.binning, settings.level, settings.seed)
    picture, numbers = st.columns([6, 5], gap="large")
    with picture:
        show_figure(
            _diagram((*key, ink, line), {"as predicted": reliability}, ink, curve),
            key="reliability",
            alt=f"Reliability diagram, {reliability.binning.words}: {reliability.description}",
            on_select=lambda: _open_bin(reliability, 1 + line, st.session_state["reliability"].selection["points"]),
            selection_mode="points",
        )
        opened = {kind: ends for kind in _BINS if (ends := analyses.two_numbers(opened_rows(kind, 2)))}
        show_drawer(next((reliability.selection(*ends, kind == _BINS[1]) for kind, ends in opened.items()), None))
    with numbers:
        show_table(_heads(calibration), calibration.main_rows)
        st.caption(" ".join(filter(None, [calibration.by_chance, calibration.losses.clipping, calibration.certain])))


_BINS = ("probability", "bar")
"""Names in links of the rows of a bin, and of a bar of the histogram below."""


def _open_bin(reliability: analyses.Reliability, dots: int, points: list[dict]) -> None:
    """Open the rows of the bin of a dot, or of a bar; dots are the trace of this number, and bars the next one."""
    for point in points[-1:]:
        is_bar = point["curve_number"] - dots
        bins, place = (reliability.bins, reliability.histogram)[is_bar == 1], point["point_index"]
        if is_bar in (0, 1) and place < len(bins.high):
            open_rows(_BINS[is_bar], repr(float(bins.low[place])), repr(float(bins.high[place])))


def show_probability_measures(calibration: analyses.Calibration) -> None:
    """Every measure with what it is, folded; drawn when it is unfolded."""
    with fold_of_measures(len(calibration.rows)) as fold:
        if not fold.open:
            return
        show_table(_heads(calibration), calibration.rows)
        resamples, units = count_text(RESAMPLES), calibration.probabilities.source.units
        st.caption(f"Intervals: {resamples} resamples of the {units}, seed {calibration.losses.settings.seed}.")


def _heads(calibration: analyses.Calibration) -> list[str]:
    rows = count_text(calibration.probabilities.table.total)
    return [f"of {rows} rows", "value", f"{level_text(calibration.losses.settings.level)} interval"]


def show_brier(calibration: analyses.Calibration) -> None:
    """The Brier score as a sum of bars, with what each part means."""
    parts, binning = calibration.parts, calibration.reliability.binning
    picture, words = st.columns([5, 4], gap="large")
    with picture:
        show_figure(
            brier_figure(parts, page_ink()),
            key="brier",
            alt=f"Brier score {number_text(parts.score)}: uncertainty {number_text(parts.uncertainty)} minus "
            f"resolution {number_text(parts.resolution)} plus reliability {number_text(parts.reliability)}",
        )
        classes = "" if calibration.probabilities.binary else " of each class, added up over the classes"
        st.caption(f"Over {binning.words}{classes}.")
    with words:
        st.markdown(analyses.brier_parts_text(parts))


def class_frame(calibration: analyses.Calibration) -> pd.DataFrame:
    """The losses of each class; kept by data set and settings."""
    whole, settings = calibration.probabilities.whole, (calibration.losses.settings, calibration.reliability.binning)
    return pd.DataFrame(_class_table((whole.key, *settings), whole, *settings))


def show_class_losses(calibration: analyses.Calibration) -> None:
    """One row per class; a click chooses it for the whole page."""
    frame, probabilities = class_frame(calibration), calibration.probabilities
    several = len(frame) > 2
    binning = calibration.reliability.binning.words
    columns = {
        "rows": Column(count_text),
        "base rate": Column(share_text, help="Share of the rows that have the class"),
        "mean probability": Column(share_text, help="Mean predicted probability of the class"),
        "log-loss": Column(3, help="Mean −ln q over the rows that have the class"),
        "yes/no log-loss": Column(3, help="Of the class against the rest, over all rows"),
        "Brier": Column(4, help="Mean squared error of its probability, over all rows"),
        "ECE": Column(4, help=f"Of its probability, {binning}"),
    }
    frame["class"] = [one_line(name) for name in frame["class"]]
    alt = "Rows, base rate, mean probability and losses of each class"
    pick = partial(pick_class, probabilities) if several else None
    show_frame(frame, "losses of the classes", alt, columns, pick=pick)
    st.caption(
        "The log-losses, weighted by the base rates, average to the log-loss. The yes/no log-losses and the Brier "
        "scores add up to those of all classes."
    )
    st.markdown(analyses.base_rates_text(probabilities, calibration.losses.settings))


def unfold_asked_row() -> None:
    """Unfold the worst rows for a link with one of them, once; such links may be older than the fold."""
    row = address.number("worst", None, 0, _LAST)
    open_fold("classify/probabilities", WORST, row is not None and repr(row))


WORST, _LAST = "Worst rows", 1e12
_SHOWN = 20
_worst = cache(analyses.WorstPredictions.of, 64)


def worst_of(calibration: analyses.Calibration) -> analyses.WorstPredictions:
    """The worst rows; kept by data set and settings."""
    probabilities, settings = calibration.probabilities, calibration.losses.settings
    return _worst((probabilities.key, settings), probabilities, settings)


def worst_frame(calibration: analyses.Calibration) -> pd.DataFrame:
    """The worst rows with all columns of the open table."""
    worst = worst_of(calibration).first(analyses.MOST_WORST_ROWS)
    columns = calibration.probabilities.source.frame.iloc[worst.positions].reset_index(drop=True)
    return pd.concat([pd.DataFrame(worst.table), columns.add_prefix("file: ")], axis=1)


def show_worst_rows(calibration: analyses.Calibration) -> None:
    """The curve of the loss with the worst rows as points, and their table; the chosen row is marked on it."""
    whole, settings = worst_of(calibration), calibration.losses.settings
    worst = whole.first(_SHOWN)
    st.markdown(f"{whole.verdict} {calibration.losses.clipping}")
    if not len(worst.own):
        return
    picture, table = st.columns([4, 5], gap="medium")
    with picture:
        show_figure(
            loss_figure(worst.worst, worst.own, worst.names, _picked(worst), page_ink(), settings.base, settings.clip),
            key="loss",
            alt="Loss of a row by the probability given to its actual class: 0 at 1, rising steeply towards 0. The "
            f"worst row has {number_text(float(worst.own[0]))} and a loss of "
            f"{number_text(float(worst.worst.losses[0]))}.",
            filename="log-loss",
        )
        log_loss = loss_text(calibration.losses.value("log_loss"))
        st.caption(f"Log-loss {log_loss}: the mean over all rows. {whole.scale}")
    with table:
        frame = pd.DataFrame(worst.table).drop(columns=["most probable"] if calibration.probabilities.binary else [])
        short = short_names(map(text_of, calibration.probabilities.table.classes), 16)
        alt = "The rows with the largest loss"
        frame = frame.map(lambda cell: short.get(cell, one_line(cell)) if isinstance(cell, str) else cell)
        show_frame(
            frame, "worst rows", alt, _columns(), 10, 400, missing=None,
            pick=lambda row: address.put("worst", int(worst.positions[row])),
        )  # fmt: skip
        most = count_text(len(whole.first(analyses.MOST_WORST_ROWS).own))
        st.caption(f"Under *Share*: the {most} worst rows with all columns, as a file.")


def _columns() -> dict:
    return {
        "most probable": Column(title="predicted", help="The most probable class"),
        "probability": Column(number_text, help="Given to the actual class"),
        "loss": Column(3),
        "share": Column(share_text, title="of the total", kind="bar"),
        "cumulative": Column(share_text, help="This row and all worse ones"),
    }


def _picked(worst: analyses.WorstPredictions) -> int | None:
    """Place in the table of the row that the address names; the first where it is not among them."""
    asked = address.number("worst", None, 0, _LAST)
    rows = np.flatnonzero(worst.positions == asked) if asked is not None else []
    if asked is not None and not len(rows):
        address.refuse("worst")
    return int(rows[0]) if len(rows) else 0 if len(worst.worst.rows) else None
