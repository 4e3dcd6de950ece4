"""The probabilities that are open: read once for all sessions, or an offer of what can be done instead."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import analyses
from evalcore.readers import SCALES, NotSummed, ReadProblem, kinds_on
from evalcore.wording import plain, short_names
from pages.widgets.controls.fields import bound, choose_base, number, segmented, select
from pages.widgets.controls.intervals import choose_level
from pages.widgets.controls.roles import apply_steps, remove_step
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
        st.button("Convert them by Platt scaling", on_click=address.put, args=("made", "platt"),
                  type="primary", key="make platt")  # fmt: skip
        st.button("… by isotonic regression", on_click=address.put, args=("made", "isotonic"), key="make isotonic")
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
_LARGEST_SEED = 2**31 - 1
_EDGES = "0.1, 0.3, 0.5, 0.7, 0.9"


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
        seed = number("Seed", "draw", 0.0, float(_LARGEST_SEED), float(usual.seed), 1.0, "%.0f", help=about)
    clip = 0.0 if clip == "none" else float(clip)
    return analyses.LossSettings(base, clip, level, round(seed))


def choose_binning() -> tuple[analyses.Binning, bool]:
    """Ask for the layout of the bins, and whether a curve without bins is drawn too."""
    way = segmented("Bins", analyses.BINNINGS, "binning")
    binning = analyses.Binning()
    if way == analyses.BINNINGS[2]:
        text = st.text_input("Edges between 0 and 1", _EDGES, key="edges", bind="query-params", width=260)
        typed = analyses.Binning.typed(text or "")
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
