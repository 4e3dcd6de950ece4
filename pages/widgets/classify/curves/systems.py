"""The table of systems: how good each one's scores are as a whole; and what to do when they point the wrong way."""

import math
from base64 import b64encode
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore import measures_of
from evalcore.analyses import Scores, Source
from evalcore.figures import Ink, line_sample
from evalcore.inference import bootstrap_scores, delong
from evalcore.wording import THIN, number_text, one_line, plain

from ...controls.roles import put_roles
from ...display.figure import page_ink
from ...session.loaded_scores import scores_of
from .class_means import mean_rows
from .curve_systems import all_systems, drawn_systems, title_of
from .partial_range import WHOLE_CURVE, Ranges

MOST_ROWS = 14
"""Systems of which the table is shown whole."""

_PARTIAL = {"fpr": "pAUC: over false positive rates", "tpr": "pAUC(TPR): over recall"}


def show_systems(current: Source, ranges: Ranges) -> None:
    """A line a system: the areas and gaps with their intervals, and the rows they come from."""
    colours = page_ink()
    by_delong, others = (
        [measure.label for measure in measures_of("scores") if (measure.interval == "delong") is closed]
        for closed in (True, False)
    )
    with st.container(key="intervals of scores", horizontal=True, vertical_alignment="center"):
        what = "class" if current.kind == "probabilities" else "system"
        st.markdown(f"**Each {what} as a whole**", width="content")
        resampled = st.toggle(
            "Intervals of the others too", key="score_intervals", bind="query-params",
            help=f"95{THIN}%, over 1{THIN}000 resamples of the rows: {', '.join(others)}, partial areas. Those of "
            f"{' and '.join(by_delong)} are by DeLong.",
        )  # fmt: skip
    table = systems_table(current, ranges, drawn_systems(current) if resampled else ())
    single = len(all_systems(current))
    places = [place if place < single else -1 - (place - single) for place in range(len(table))]
    # The lines repeat after the drawn ones: a system that is not drawn has none.
    drawn = {place for place, system in enumerate(all_systems(current)) if system in drawn_systems(current)}
    table.insert(0, "line", [_picture(place, colours) if place in drawn or place < 0 else "" for place in places])
    helps = {measure.label: measure.help for measure in measures_of("scores")} | ranges.helps
    apart, number = _have_other_rows(current), st.column_config.NumberColumn
    st.dataframe(
        table if apart else _best_marked(table, list(helps), colours),
        hide_index=True,
        height="content" if len(table) <= MOST_ROWS else 430,
        key="systems",
        alt="Areas under the curves, Gini, KS and partial areas of each system",
        placeholder="undefined",
        column_config={
            "line": st.column_config.ImageColumn("", width=60, help="How its curves are drawn"),
            "system": st.column_config.TextColumn(what, width="medium", pinned=True),
            **{name: number(format="%.3f", help=words) for name, words in helps.items()},
            **{f"{name} interval": st.column_config.TextColumn(f"95{THIN}% interval", width=110) for name in helps},
            "rows": number(format="localized", help="With a label and a score"),
            "positives": number(format="localized"),
        },
    )
    said = [
        f"{_PARTIAL[axis]} from {number_text(ends[0])} to {number_text(ends[1])}."
        for axis, ends in ranges.chosen.items()
    ]
    if apart:
        said.append(
            "The systems have different rows, so none is marked as the best: what an area is worth depends on them. "
            "The page that compares systems sets two of them on the rows that both have."
        )
    st.caption(" ".join([*said, current.weighting.strip()]))


def systems_table(current: Source, ranges: Ranges = WHOLE_CURVE, resampled: tuple = ()) -> pd.DataFrame:
    """The numbers of every system, or of every class against the rest, unrounded.

    Parameters
    ----------
    current : Source
    ranges : Ranges
        Of the partial areas; they are left out over the whole of an axis.
    resampled : tuple of str
        Systems whose measures without a closed form get an interval too.
    """
    # Numbers are all that stays here: the states of many systems would not fit the memory.
    lines = [dict(areas_of(current, system)) for system in all_systems(current)]
    if ranges.chosen:
        for line, system in zip(lines, all_systems(current), strict=True):
            line |= _partial(current.key_of(system), ranges, current, system)
    for line, system in zip(lines, all_systems(current), strict=True):
        if system in resampled:
            line |= _resampled(current.key_of(system), ranges, current, system)
    names = [*(measure.label for measure in measures_of("scores")), *ranges.measures]
    columns = ["system"]
    for name in names:
        columns += [name, f"{name} interval"] if any(f"{name} interval" in line for line in lines) else [name]
    table = pd.DataFrame([*lines, *mean_rows(current, lines)], columns=[*columns, "rows", "positives"])
    intervals = [name for name in columns if name.endswith(" interval")]
    return table.assign(**table[intervals].astype(object).fillna("–"))


def areas_of(current: Source, system: str) -> dict:
    """The line of one system in that table."""
    return _areas(current.key_of(system), _current=current, _system=system)


def points_down(scores: Scores) -> bool:
    """Whether the opposite decision would be the better one: the AUC is below ½."""
    return areas_of(scores.current, scores.system)["AUC"] < 0.5


def show_direction(scores: Scores) -> None:
    """Where the AUC is below one half, say that the opposite decision is better and offer to turn round."""
    if not points_down(scores):
        return
    area = areas_of(scores.current, scores.system)["AUC"]
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="direction"):
        st.markdown(
            f"**An AUC of {number_text(area)} is below ½: these scores point the other way.** "
            f"If a {'lower' if scores.higher else 'higher'} score meant {plain(scores.positive, limit=40)}, "
            f"it would be {number_text(1 - area)}: the dotted line of the opposite decision.",
            width="stretch",
        )
        if scores.current.kind == "scores":
            st.button("Turn the direction", on_click=_turn, args=(scores.current,), key="turn the direction")


def _turn(current: Source) -> None:
    put_roles(current, replace(current.roles, higher_is_positive=not current.higher_is_positive))


@st.cache_data(max_entries=2048, show_spinner=False)
def _areas(key: str, _current: Source, _system: str) -> dict:
    scores = scores_of(_current, _system)
    scored, area = scores.scored, delong(scores.scored)
    line = {"system": one_line(title_of(scores))}
    for measure in measures_of("scores"):
        if measure.interval != "delong":
            line[measure.label] = float(measure(scored))
            continue
        # What is linear in the area has its ends where those of the area stand.
        value, low, high = (
            measure.lowest + (measure.highest - measure.lowest) * float(end) for end in vars(area).values()
        )
        line |= {measure.label: value, f"{measure.label} interval": _between(low, high)}
    return line | {"rows": scored.positives + scored.negatives, "positives": scored.positives}


@st.cache_data(max_entries=2048, show_spinner=False)
def _partial(key: str, ranges: Ranges, _current: Source, _system: str) -> dict:
    scored = scores_of(_current, _system).scored
    return {name: area(scored) for name, area in ranges.measures.items()}


@st.cache_data(max_entries=512, show_spinner="Resampling the rows …")
def _resampled(key: str, ranges: Ranges, _current: Source, _system: str) -> dict:
    measures = {m.label: m for m in measures_of("scores") if m.interval != "delong"} | ranges.measures
    found = bootstrap_scores(list(measures.values()), scores_of(_current, _system).scored)
    return {f"{name} interval": _between(one.low, one.high) for name, one in zip(measures, found, strict=True)}


def _between(low: float, high: float) -> str | None:
    """The interval in words; None where there is none, or it has no width."""
    return f"{number_text(low)} – {number_text(high)}" if math.isfinite(low) and low < high else None


def _picture(place: int, colours: Ink) -> str:
    return "data:image/svg+xml;base64," + b64encode(line_sample(place, colours).encode()).decode()


def _have_other_rows(current: Source) -> bool:
    """Whether one system was given rows that another was not, as the numbers of rows and of positives tell."""
    lines = [areas_of(current, system) for system in all_systems(current)]
    return current.kind == "scores" and len({(line["rows"], line["positives"]) for line in lines}) > 1


def _best_marked(table: pd.DataFrame, names: list[str], colours: Ink) -> object:
    """The best value of each column in the accent colour, where there is something to be better than."""
    if len(table) < 2:
        return table
    style = f"color: {colours.accent}; font-weight: 650"
    return table.style.highlight_max(subset=[name for name in names if name in table], props=style)
