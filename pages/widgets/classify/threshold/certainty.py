"""How sure a threshold is: where resamples put it, how many are as good, what it is worth on new data."""

import json
from collections.abc import Sequence

import streamlit as st

from evalcore import METRICS, Array, analyses
from evalcore.classification import threshold_grid
from evalcore.figures import certainty_figure
from evalcore.figures.threshold_view import Shaking, ThresholdView, overlay, shaking_of
from evalcore.readers import ReadProblem
from evalcore.wording import plain, threshold_text
from pages.widgets.classify.threshold.pins import show_compared
from pages.widgets.controls.fields import beside, bound
from pages.widgets.controls.goals import allowed_ranges
from pages.widgets.controls.threshold import show_step
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

FEWEST, MOST = 200, 10_000
LARGEST_SEED = 2**32 - 1
_bands_at = cache(analyses.bands_at, 256)


def show_certainty(threshold: float, chosen: analyses.ThresholdChoice) -> None:
    """The choice in resamples: its picture, what it says in words, and the measures of the present threshold."""
    _choose_plan(chosen.scores)
    certainty = certainty_of(chosen)
    if chosen.on_new_rows:
        st.caption("Each resample applies the limits to its own rows, without the promise for new rows.")
    if not certainty.is_defined:
        st.markdown(f"{certainty.bootstrap.reason} {certainty.note}")
        _show_measures(chosen.scores, threshold)
        return
    picture, values = st.columns([5, 3], gap="large")
    with picture:
        st.markdown(with_links(certainty.verdict))
        alt = f"How often each threshold is chosen: {certainty.range_text}. {certainty.plateau_text}"
        show_figure(certainty_figure(certainty, page_ink()), key="certainty", alt=alt, filename="certainty")
        st.markdown(certainty.plateau_text)
        st.caption(with_links(certainty.note))
        show_download("Choices as CSV", lambda: certainty.table, "choices.csv", "download choices")
    with values:
        if certainty.bootstrap.reason:
            st.markdown(certainty.bootstrap.reason)
        else:
            show_table(*certainty.values)
            said = "A threshold looks better on the rows it was chosen on; optimism is the average difference."
            if chosen.goal.priced is not None:
                said += " The interval of the cost beside the best threshold does not allow for it."
            st.caption(said)
        _show_measures(chosen.scores, threshold)


def certainty_of(chosen: analyses.ThresholdChoice) -> analyses.ChoiceCertainty:
    """The choice of the goal in resamples, drawn as the address says."""
    plan = _plan(chosen.scores)
    return analyses.choice_certainty(chosen, plan, _bootstrap((chosen.scores.key, chosen.goal.key, plan), chosen, plan))


def overlay_of(
    view: ThresholdView, chosen: analyses.ThresholdChoice, pins: Sequence[analyses.Pinned], resampled: bool
) -> str:
    """What a goal, its resamples if wanted, and pins draw over a view: JSON, made anew where one of them changes."""
    plan, rule = _plan(chosen.scores), (chosen.goal.key, chosen.on_new_rows, chosen.promise and chosen.promise.label)
    pinned = tuple((repr(one.pin), one.scores.key) for one in pins)
    key = view.name, chosen.scores.key, rule, plan, pinned, resampled
    return _overlay(key, view, chosen, plan, pins, resampled)


def _overlay_text(
    view: ThresholdView, chosen: analyses.ThresholdChoice, plan: analyses.ResamplingPlan,
    pins: Sequence[analyses.Pinned], resampled: bool,
) -> str:  # fmt: skip
    scores, keys = chosen.scores, view.drawing.lines if resampled and view.drawing.bands else ()
    bands = {key: _bands((scores.key, key, plan), key, plan, scores) for key in keys}
    certainty = certainty_of(chosen) if resampled and not chosen.on_new_rows else None
    return json.dumps(overlay(view, chosen, allowed_ranges(chosen), certainty, bands, pins))


def shaking_for(view: ThresholdView, chosen: analyses.ThresholdChoice) -> Shaking | None:
    """Samples of the view's rows, drawn as the address says, each with its best threshold for the goal."""
    plan = _plan(chosen.scores)
    return _shaking((chosen.scores.key, view.name, chosen.goal.key, plan), view, chosen, plan)


def _schemes(scores: analyses.Scores) -> dict[str, str]:
    group = scores.current.roles.group
    words = {"rows": "rows", "classes": "rows of each class"}
    return words if group is None else words | {"groups": f"groups by {plain(group, 30)}"}


def _plan(scores: analyses.Scores) -> analyses.ResamplingPlan:
    """How the address says that resamples are drawn."""
    usual = analyses.ResamplingPlan()
    return analyses.ResamplingPlan(
        address.choice("resample", list(_schemes(scores)), usual.scheme),
        round(address.number("resamples", usual.resamples, FEWEST, MOST)),
        round(address.number("seed", usual.seed, 0, LARGEST_SEED)),
    )


def _choose_plan(scores: analyses.Scores) -> None:
    plan, schemes = _plan(scores), _schemes(scores)
    with beside("resampling"):
        bound(
            st.segmented_control, "Resample", "resample", plan.scheme, list(schemes), format_func=schemes.get,
            key="own resample", required=True,
            help="Rows: the number of positives varies from sample to sample. Rows of each class: it stays the same. "
            "Groups: rows that belong together, such as those of one patient, are drawn together.",
        )  # fmt: skip
        _ask_whole("Resamples", "resamples", plan.resamples, (FEWEST, MOST), 500.0)
        _ask_whole("Seed", "seed", plan.seed, (0, LARGEST_SEED), 1.0)


def _ask_whole(label: str, key: str, value: int, ends: tuple[int, int], step: float) -> None:
    # Not of whole numbers: Streamlit cannot turn an infinity in the address into one.
    bound(
        st.number_input, label, key, float(value), *map(float, ends), step=step, format="%.0f", key=f"own {key}",
        width=130, write=lambda typed: address.put(key, round(typed)),
    )  # fmt: skip


def _show_measures(scores: analyses.Scores, threshold: float) -> None:
    plan = _plan(scores)
    bands = _bands_at((scores.key, scores.table.index(threshold), plan), scores, threshold, plan)
    counts, table = scores.counts_at(threshold), analyses.band_table(scores, threshold, bands)
    show_compared(scores, table, lambda pin: pin.row_changes(table[1], counts))


_bootstrap = cache(lambda chosen, plan: analyses.choice_certainty(chosen, plan).bootstrap, 16, "Resampling …")

# Resamples of a grid are up to 160 MB: few are kept, for all sessions together.
_resampling = cache(lambda scores, plan: analyses.resampling_for(scores, threshold_grid(scores.table), plan), 2)


def _band(key: str, plan: analyses.ResamplingPlan, scores: analyses.Scores) -> tuple[Array, Array]:
    return _resampling((scores.key, plan), scores, plan).bands(METRICS[key], 0.95)


_bands = cache(_band, 128, "Resampling …")
_overlay = cache(_overlay_text, 64)

_shaking = cache(shaking_of, 32)


def show_class_weights(scores: analyses.Scores) -> None:
    """How often a positive row counts, and what that does at threshold ½."""
    st.markdown("**What if the training rows were resampled or weighted?**")
    steps, balanced = analyses.weight_steps(scores)
    times = address.number("times", balanced)
    times = min(steps, key=lambda step: abs(step - times))
    with st.container(width=420):
        bound(
            st.select_slider, f"Count each positive row (both classes weigh the same at ×{threshold_text(balanced)})",
            "times", times, steps, format_func=lambda step: f"×{threshold_text(step)}",
        )  # fmt: skip
    try:
        weights = analyses.ClassWeights(scores, times)
        table, words = st.columns([4, 3], gap="large")
        with table:
            show_table(*weights.table)
        with words:
            st.markdown(with_links(weights.verdict))
            show_step(scores, weights.threshold, key="resampled")
    except (ReadProblem, ValueError) as problem:
        st.caption(plain(problem, 400))
        return
    st.caption(
        "Repeating each positive r times, keeping one negative in r, class weights of r, and a miss that costs r "
        "false alarms all multiply the odds by r, if the model’s probabilities are right ([Elkan "
        "2001](https://cseweb.ucsd.edu/~elkan/rescale.pdf)). Models actually trained that way differ a little: "
        "[four models of a rare digit, each trained with another remedy](compare?data=rare_digit)."
    )
