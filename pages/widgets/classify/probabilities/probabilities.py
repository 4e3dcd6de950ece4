"""Probabilities on the page: what is open, calibration and losses, the worst rows, recalibration and class costs."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import analyses, wording
from evalcore.analyses import SCALINGS
from evalcore.figures import brier_figure, loss_figure, mapping_figure, reliability_figure
from evalcore.inference import RESAMPLES, Recalibration, isotonic, recalibrated_table
from evalcore.readers import SCALES, NotSummed, ReadProblem, kinds_on, text_of
from evalcore.wording import Column, count_text, level_text, number_text, one_line, plain, share_text, short_names
from pages.widgets.controls.fields import beside, bound, choose_base, number, segmented, select
from pages.widgets.controls.intervals import choose_level
from pages.widgets.controls.roles import apply_steps, remove_step
from pages.widgets.display.drawer import open_rows, opened_rows, show_drawer
from pages.widgets.display.figure import page_ink, show_figure, show_frame, show_table
from pages.widgets.display.measures import fold_of_measures
from pages.widgets.display.page import open_fold
from pages.widgets.export.downloads import Table, show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links
from pages.widgets.session.page_exit import end_page, end_with, need

_WAYS = {"percent": "percentages", "logistic": "log-odds"}

# Two columns of numbers per class: few are kept, for all sessions together.
_read = cache(analyses.ProbabilitySource.of, 8, "Reading the probabilities …")
_one_class = cache(analyses.ProbabilitySource.one_class, 16)


def open_probabilities() -> analyses.ProbabilitySource:
    """The probabilities that are open; ends the page with an offer or a sentence where there are none."""
    words = "the actual class of each row and probabilities: one column, or a column for each class"
    current = need(kinds_on("classify/probabilities"), words)
    scaling, normalise = ways_to_read(current)
    try:
        return _read(analyses.ProbabilitySource.key_of(current, scaling, normalise), current, scaling, normalise)
    except analyses.NotProbabilities as problem:
        _offer_scaling(problem, current)
    except NotSummed as problem:
        st.error(plain(problem, limit=600))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Divide each row by its sum", on_click=address.put, args=("normalise", "1"), type="primary")
            _link_data()
        end_page()
    except (ReadProblem, ValueError) as problem:
        end_with(problem)


def ways_to_read(current: analyses.Source) -> tuple[str | None, bool]:
    """How scores become probabilities, and whether rows are divided by their sum, as the address says."""
    if current.scored_by == "system":
        return address.choice("made", list(analyses.SCALINGS)), False
    return None, address.choice("normalise", ["1"]) is not None


def show_notes(probabilities: analyses.ProbabilitySource) -> None:
    """What was done to the rows before they were used, with the way back; nothing where nothing was."""
    if probabilities.notes:
        st.caption(with_links(probabilities.notes))
    current = probabilities.source
    if current.scale is not None:
        index = current.dataset.shape.steps.index(current.scale)
        st.button("Use the numbers in the file", on_click=remove_step, args=(current, index), key="scores of the file")
    if probabilities.scaled or probabilities.normalised:
        back = "made" if probabilities.scaled else "normalise"
        st.button("Use the numbers as they are", on_click=address.put, args=(back, None), key="as they are")


def choose_class(probabilities: analyses.ProbabilitySource) -> analyses.ProbabilitySource:
    """Ask for one of several classes, or for all of them."""
    classes = probabilities.table.classes
    if len(classes) == 2:
        return probabilities
    # The class of the side bar, which is that of the other pages too; here no choice means all of them.
    names, short = dict(probabilities.source.roles.probability), short_names(classes)
    chosen = names.get(address.choice("system", list(names)))
    index = bound(
        st.selectbox, "Class", "system", 0 if chosen is None else classes.index(chosen) + 1, range(len(classes) + 1),
        write=lambda index: pick_class(probabilities, index - 1), key="class that is asked for", width=210,
        format_func=lambda index: short[classes[index - 1]] if index else "the most probable class",
    )  # fmt: skip
    if not index:
        return probabilities
    return _one_class(f"{probabilities.key}\n{classes[index - 1]}", probabilities, classes[index - 1])


def pick_class(probabilities: analyses.ProbabilitySource, index: int) -> None:
    """Write a class into the address; -1 is all of them. Good in callbacks."""
    columns = {name: column for column, name in probabilities.source.roles.probability}
    address.put("system", None if index < 0 else columns[probabilities.whole.table.classes[index]])


def _offer_scaling(problem: Exception, current: analyses.Source) -> None:
    st.error(plain(problem, limit=600))
    st.markdown("What you can do with scores:")
    with st.container(horizontal=True, vertical_alignment="center"):
        for way, steps in analyses.Shaping(current).scalings().items():
            label = f"They are {_WAYS[way]}: {SCALES[way]}"
            st.button(label, on_click=apply_steps, args=(current, steps), key=f"scale {way}")
        for way, label in (("platt", "Convert them by Platt scaling"), ("isotonic", "… by isotonic regression")):
            look = {"type": "primary" if way == "platt" else "secondary", "key": f"make {way}"}
            st.button(label, on_click=address.put, args=("made", way), **look)
        st.page_link("pages/classify/threshold.py", label="Set a threshold", query_params=address.parameters())
        _link_data()
    st.caption(
        "Both learn a curve from the observed outcomes. Each row gets its probability from a curve fitted on the other "
        "rows."
    )
    end_page()


def _link_data() -> None:
    st.page_link("pages/start/data.py", label="Change the roles of the columns", query_params=address.parameters())


_CLIPS = ("1e-15", "1e-12", "1e-9", "1e-6", "0.0001", "0.001", "0.01", "none")


def choose_loss_settings(level: float | None = None, place: DeltaGenerator | None = None) -> analyses.LossSettings:
    """Ask for logarithm, clipping and seed, and for the level unless it is known, in a place or behind a button."""
    usual = analyses.LossSettings()
    with place or st.popover("Settings", icon=":material/tune:"):
        base = choose_base("Losses in")
        clip = select(
            "Smallest probability δ", _CLIPS, "clip",
            help="Probabilities are clipped to δ … 1 − δ before the logarithm. Otherwise one row with probability "
            "0 for its class would make the log-loss infinite.",
        )  # fmt: skip
        level = level or choose_level()
        about = "For the resamples and the folds"
        seed = number("Seed", "draw", 0.0, 2.0**31 - 1, float(usual.seed), 1.0, "%.0f", help=about)
    clip = 0.0 if clip == "none" else float(clip)
    return analyses.LossSettings(base, clip, level, round(seed))


def choose_binning() -> tuple[analyses.Binning, bool]:
    """Ask for the layout of the bins, and whether a curve without bins is drawn too."""
    way = segmented("Bins", analyses.BINNINGS, "binning")
    binning = analyses.Binning()
    if way == analyses.BINNINGS[2]:
        edges, look = "0.1, 0.3, 0.5, 0.7, 0.9", {"key": "edges", "bind": "query-params", "width": 260}
        typed = analyses.Binning.typed(st.text_input("Edges between 0 and 1", edges, **look) or "")
        if typed is None:
            st.caption("Type increasing numbers between 0 and 1: 0.1, 0.5, 0.9. Until then, ten bins of equal width.")
        binning = typed or binning
    else:
        bins = number("How many", "bins", 1.0, float(analyses.MOST_BINS), float(binning.bins), 1.0, "%.0f", width=110)
        binning = analyses.Binning(way, round(bins))
    with st.popover("Picture", icon=":material/tune:"):
        line = st.toggle(
            "Curve without bins", key="unbinned", bind="query-params",
            help="Isotonic regression: the non-decreasing curve that fits the outcomes best",
        )  # fmt: skip
    return binning, line


_reliability = cache(analyses.Reliability.of, 64, "Counting …")
_losses = cache(analyses.Losses.of, 128, "Resampling …")
_calibration = cache(lambda *parts: analyses.Calibration(*parts), 64)
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
    event, key, ink = reliability.event, calibration.probabilities.key, page_ink()
    curve = _isotonic(key, event.probability, event.happened, event.weights) if line else None
    drawn = key, reliability.binning, settings.level, settings.seed, ink, line
    picture, numbers = st.columns([6, 5], gap="large")
    with picture:
        show_figure(
            _diagram(drawn, {"as predicted": reliability}, ink, curve),
            key="reliability",
            alt=f"Reliability diagram, {reliability.binning.words}: {reliability.description}",
            pick=lambda point: _open_bin(reliability, 1 + line, point),
        )
        opened = {kind: ends for kind in _BINS if (ends := analyses.two_numbers(opened_rows(kind, 2)))}
        show_drawer(next((reliability.selection(*ends, kind == _BINS[1]) for kind, ends in opened.items()), None))
    with numbers:
        show_table(_heads(calibration), calibration.main_rows)
        st.caption(" ".join(filter(None, [calibration.by_chance, calibration.losses.clipping, calibration.certain])))


_BINS = ("probability", "bar")  # names in links of the rows of a bin, and of a bar of the histogram below


def _open_bin(reliability: analyses.Reliability, dots: int, point: Mapping) -> None:
    """Open the rows of the bin of a dot, or of a bar; dots are the trace of this number, and bars the next one."""
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
        values = map(number_text, (parts.score, parts.uncertainty, parts.resolution, parts.reliability))
        alt = "Brier score {}: uncertainty {} minus resolution {} plus reliability {}".format(*values)
        show_figure(brier_figure(parts, page_ink()), "brier", alt)
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
    columns = {
        "rows": Column(count_text),
        "base rate": Column(share_text, help="Share of the rows that have the class"),
        "mean probability": Column(share_text, help="Mean predicted probability of the class"),
        "log-loss": Column(3, help="Mean −ln q over the rows that have the class"),
        "yes/no log-loss": Column(3, help="Of the class against the rest, over all rows"),
        "Brier": Column(4, help="Mean squared error of its probability, over all rows"),
        "ECE": Column(4, help=f"Of its probability, {calibration.reliability.binning.words}"),
    }
    frame["class"] = [one_line(name) for name in frame["class"]]
    pick = partial(pick_class, probabilities) if len(frame) > 2 else None
    alt = "Rows, base rate, mean probability and losses of each class"
    show_frame(frame, "losses of the classes", alt, columns, pick=pick)
    st.caption(
        "The log-losses, weighted by the base rates, average to the log-loss. The yes/no log-losses and the Brier "
        "scores add up to those of all classes."
    )
    st.markdown(analyses.base_rates_text(probabilities, calibration.losses.settings))


WORST, _LAST, _SHOWN = "Worst rows", 1e12, 20


def unfold_asked_row() -> None:
    """Unfold the worst rows for a link with one of them, once; such links may be older than the fold."""
    row = address.number("worst", None, 0, _LAST)
    open_fold("classify/probabilities", WORST, row is not None and repr(row))


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
        log_loss = wording.loss_text(calibration.losses.value("log_loss"))
        st.caption(f"Log-loss {log_loss}: the mean over all rows. {whole.scale}")
    with table:
        frame = pd.DataFrame(worst.table).drop(columns=["most probable"] if calibration.probabilities.binary else [])
        short = short_names(map(text_of, calibration.probabilities.table.classes), 16)
        alt = "The rows with the largest loss"
        frame = frame.map(lambda cell: short.get(cell, one_line(cell)) if isinstance(cell, str) else cell)
        columns = {
            "most probable": Column(title="predicted", help="The most probable class"),
            "probability": Column(number_text, help="Given to the actual class"),
            "loss": Column(3),
            "share": Column(share_text, title="of the total", kind="bar"),
            "cumulative": Column(share_text, help="This row and all worse ones"),
        }
        pick = lambda row: address.put("worst", int(worst.positions[row]))  # noqa: E731
        show_frame(frame, "worst rows", alt, columns, 10, 400, pick, missing=None)
        most = count_text(len(whole.first(analyses.MOST_WORST_ROWS).own))
        st.caption(f"Under *Share*: the {most} worst rows with all columns, as a file.")


def _picked(worst: analyses.WorstPredictions) -> int | None:
    """Place in the table of the row that the address names; the first where it is not among them."""
    asked = address.number("worst", None, 0, _LAST)
    rows = np.flatnonzero(worst.positions == asked) if asked is not None else []
    if asked is not None and not len(rows):
        address.refuse("worst")
    return int(rows[0]) if len(rows) else 0 if len(worst.worst.rows) else None


_METHODS, _MOST_CURVES, KEY = {"Platt": "platt", "isotonic": "isotonic"}, 12, "class_costs"
_ABOUT = (
    "*Curve as Python* calibrates new rows and needs only NumPy. *Curve as CSV* holds its points: all corners of an "
    f"isotonic curve, {count_text(1001)} of a Platt curve."
)

_fitted = cache(recalibrated_table, 8, "Recalibrating …")
_effect = cache(analyses.RecalibrationEffect.of, 16, "Resampling …")


def show_recalibration(calibration: analyses.Calibration) -> None:
    """Reliability and losses before and after, the curve between them, and the new probabilities to take away."""
    probabilities, settings = calibration.probabilities, calibration.losses.settings
    if probabilities.scaled:
        _show_scaled(probabilities, probabilities.scaled)
        return
    with beside("recalibrating"):
        about = (
            "Platt scaling fits a logistic curve: it keeps the order of the rows and works with few. Isotonic "
            "regression fits any non-decreasing curve: it creates ties and needs many rows."
        )
        method = _METHODS[segmented("Curve", list(_METHODS), "recalibrate", help=about)]
        folds = round(number("Folds", "folds", 2.0, 20.0, 5.0, 1.0, "%.0f", width=120))
    fit = method, folds, settings.seed
    try:
        fitted = _fitted((probabilities.key, *fit), probabilities.table, *fit)
    except ValueError as problem:
        st.info(plain(problem, limit=400), icon=":material/info:")
        return
    key = probabilities.key, *fit, settings, calibration.reliability.binning
    effect = _effect(key, calibration, fitted)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Reliability before and after**")
        before, after = effect.before.reliability, effect.after.reliability
        errors = f"{number_text(before.error)} before and {number_text(after.error)} after"
        alt = f"Reliability before and after recalibration: calibration error {errors}"
        figure = reliability_figure({"as predicted": before, "recalibrated": after}, page_ink())
        show_figure(figure, "recalibrated reliability", alt, filename="recalibrated")
    with right:
        st.markdown("**What each probability becomes**")
        curves = effect.curves
        alt = f"What each probability becomes: {effect.description}"
        mapping = mapping_figure(curves[:_MOST_CURVES], (0.0, 1.0), page_ink(), "predicted probability")
        show_figure(mapping, "mapping", alt)
        if len(curves) > _MOST_CURVES:
            st.caption(f"The first {_MOST_CURVES} of {count_text(len(curves))} classes are drawn.")
        elif effect.log_odds:
            st.caption(effect.log_odds)
    show_table(["", "before", "after", "change", f"{level_text(settings.level)} interval"], effect.rows)
    st.markdown(with_links(effect.verdict))
    st.caption(with_links(effect.notes(folds)))
    mapping = analyses.CalibrationMapping.of(effect)
    _show_files("Recalibrated probabilities as CSV", lambda: effect.table, "recalibrated.csv", mapping)


def _show_scaled(probabilities: analyses.ProbabilitySource, scaled: Recalibration) -> None:
    """The curve that turned scores into probabilities."""
    left, right = st.columns(2, gap="large")
    ends = float(scaled.before.probability.min()), float(scaled.before.probability.max())
    low, high = (f"{number_text(float(scaled.curve([end])[0]))} at {number_text(end)}" for end in ends)
    with left:
        figure = mapping_figure([("", scaled.curve)], ends, page_ink(), f"score, {probabilities.source.system}")
        show_figure(figure, "mapping", f"What each score becomes, from {low} to {high}")
    with right:
        st.markdown(
            f"These probabilities already come from {SCALINGS[scaled.method]}. The curve in the picture is fitted on "
            "all rows: use that one for new rows. The results on this page are cross-validated."
        )
        other = "platt" if scaled.method == "isotonic" else "isotonic"
        st.button(f"Use {SCALINGS[other]} instead", on_click=address.put, args=("made", other), key="other curve")
        mapping = analyses.CalibrationMapping.of_scores(probabilities, scaled)
        _show_files("Probabilities as CSV", lambda: probabilities.columns, "probabilities of scores.csv", mapping)


def _show_files(label: str, table: Table, file: str, mapping: analyses.CalibrationMapping) -> None:
    """The new probabilities, and the curve that makes them, to take away."""
    with st.container(horizontal=True):
        show_download(label, table, file, "download recalibrated")
        show_download("Curve as CSV", lambda: mapping.table, "recalibration curve.csv", "download curve")
        show_download("Curve as Python", lambda: mapping.code, "recalibration.py", "download curve code")
    st.caption(_ABOUT)


def show_class_costs(calibration: analyses.Calibration) -> None:
    """Ask what an error costs, and show what the cheapest decisions by expected cost save."""
    probabilities = calibration.probabilities.whole
    classes = len(probabilities.table.classes)
    if classes > analyses.MOST_COST_CLASSES:
        st.markdown(f"Costs can be set for up to {analyses.MOST_COST_CLASSES} classes; here are {classes}.")
        return
    if (changed := analyses.read_costs(address.text(KEY), classes)) is None:
        address.refuse(KEY)
    analysis = analyses.ClassCosts(probabilities, changed or {})
    _ask(analysis)
    st.markdown(with_links(analysis.verdict))
    costs, ways = st.columns([3, 2], gap="large")
    with costs:
        st.markdown("**Costs** :small[:gray[0 for a correct decision and 1 for an error, unless set]]")
        show_table(*analysis.cost_rows)
    with ways:
        st.markdown("**Ways to decide**")
        show_table(*analysis.rows)
    st.caption("The cheapest decision has the lowest expected cost per row; this needs calibrated probabilities.")
    with st.container(horizontal=True):
        show_download("Decisions as CSV", lambda: analysis.table, "decisions.csv", "download decisions")
        show_download("Python", lambda: analysis.code, "costs.py", "download costs code")


def _ask(analysis: analyses.ClassCosts) -> None:
    names = [one_line(wording.visible_blanks(name), 30) for name in analysis.names]
    places = range(len(names))
    with beside():
        actual, decision = (
            st.selectbox(label, places, index=start, format_func=names.__getitem__, key=key, width=200)
            for label, start, key in (("Actual class", 0, "cost actual"), ("Decided as", 1, "cost decision"))
        )

        def put(cost: float) -> None:
            address.put(KEY, analyses.written_costs({**analysis.changed, (actual, decision): cost}))

        bound(
            st.number_input, "Costs", KEY, float(analysis.costs[actual, decision]), -1e9, 1e9, None, 1.0,
            format="%g", write=put, width=150,
        )  # fmt: skip
        if analysis.changed:
            st.button("All errors cost 1", on_click=address.put, args=(KEY, None), type="tertiary")
