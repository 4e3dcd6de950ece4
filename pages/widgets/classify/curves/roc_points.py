"""Counts without scores on the page of curves: each system is a single point of the ROC plane."""

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.analyses import Source
from evalcore.classification import prevalence, region_over_roc
from evalcore.figures import Point, Region, roc_points_figure
from evalcore.readers import ReadProblem, samples
from evalcore.wording import one_line, plain, share_text

from ...display.figure import page_ink, show_figure
from ...display.reading import show_reading
from ...export.downloads import show_downloads
from ...session.current_dataset import open_data, opened
from ...session.loaded_scores import SCORED
from ...session.page_exit import end_page, end_with, need
from .look import Look, choose_trust

_MEASURES = ("recall", "fall_out", "specificity", "precision", "negative_predictive_value", "accuracy", "youden_j")
_SAMPLE = "four_methods"
MOST = 200
"""Points of a picture."""


def show_points_of_counts() -> None:
    """Where counts are open, the page of them, which ends there; where nothing that fits is, an offer."""
    current = opened()
    if current is None or current.kind != "counts":
        need(SCORED, "the actual class of each row and a score", also=_offer_points)
        return
    try:
        points = _points(current)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    _show(current, points)
    end_page()


def _offer_points() -> None:
    title = plain(samples()[_SAMPLE].title)
    st.button(title, key=f"offer {_SAMPLE}", on_click=open_data, args=(_SAMPLE,), wrap=True)


def _points(current: Source) -> list[Point]:
    """One a system; of a square matrix, one a class against the rest."""
    dataset = current.dataset
    if not dataset.is_matrix:
        return [Point(name, dataset.counts(name)) for name in dataset.systems]
    matrix = dataset.matrix()
    each = matrix.one_vs_rest()
    return [Point(name, each[place]) for place, name in enumerate(matrix.classes)]


def _show(current: Source, points: list[Point]) -> None:
    st.markdown(
        "These are counts, so each system is **one point**: a decision that is made already, not a curve of all that "
        "could be made. The nearer to the upper left corner, the better."
    )
    picture, words = st.columns([3, 2], gap="large")
    with words:
        st.markdown("**Which result can be trusted?**")
        trusted = choose_trust(sensitivity=0.9, specificity=0.9)
        place = next((i for i, point in enumerate(points) if point.name == current.system), 0)
        share = float(prevalence(points[place].counts)) if points else float("nan")
        look = Look(trusted=trusted)
        st.markdown("\n".join(f"- {line}" for line in _said(points, look)))
    with picture:
        regions = [
            Region(trust.words, *region_over_roc(trust.measure, trust.least, share), trust.rules_in)
            for trust in trusted
        ]
        names = ", ".join(one_line(point.name, 30) for point in points[:12])
        figure = roc_points_figure(points[:MOST], regions, page_ink())
        show_figure(figure, "roc", f"ROC plane with {len(points)} points: {names}", filename="roc", square=True)
    st.dataframe(
        _frame(points), hide_index=True, key="points", placeholder="undefined", alt="Counts and rates of each system",
        column_config={
            "system": st.column_config.TextColumn("system", pinned=True),
            **{METRICS[key].name: st.column_config.NumberColumn(format="%.3f") for key in _MEASURES},
        },
    )  # fmt: skip
    show_reading("classify/curves")
    show_downloads("roc points", lambda: _frame(points), _code(current, points))


def _said(points: list[Point], look: Look) -> list[str]:
    """What each point is good for, in words."""
    lines = []
    for point in points[:MOST]:
        name = plain(point.name, 40)
        reached = [
            trust.words.replace("≥", f"{share_text(value)}, asked for ≥")
            for trust in look.trusted
            if (value := float(METRICS[trust.measure](point.counts))) >= trust.least
        ]
        if point.is_below:
            lines.append(f"**{name}** lies below the diagonal: **the opposite decision is better**. Invert it.")
        elif reached:
            lines.append(f"**{name}** — {'; '.join(reached)}.")
    others = len(points) - len(lines)
    if others and look.trusted:
        lines.append(f"{others} of {len(points)} reach none of these.")
    return lines


def _frame(points: list[Point]) -> pd.DataFrame:
    rows = []
    for point in points:
        cells = {cell.upper(): float(getattr(point.counts, cell)) for cell in ("tp", "fp", "fn", "tn")}
        rates = {METRICS[key].name: float(METRICS[key](point.counts)) for key in _MEASURES}
        rows.append({"system": one_line(point.name), **cells, **rates})
    return pd.DataFrame(rows)


def _code(current: Source, points: list[Point]) -> str:
    expected = {point.name: [float(METRICS[key](point.counts)) for key in ("fall_out", "recall")] for point in points}
    if current.dataset.is_matrix:
        points_code = "matrix = data.matrix()\neach = matrix.one_vs_rest()\n"
        points_code += "points = {name: each[place] for place, name in enumerate(matrix.classes)}\n"
    else:
        points_code = "points = {system: data.counts(system) for system in data.systems}\n"
    written = ", ".join(f"{name!r}: ({_float(x)}, {_float(y)})" for name, (x, y) in expected.items())
    return (
        "from evalcore.classification import fall_out, inverted, recall\n"
        f"{current.code}\n"
        f"{points_code}"
        f'nan = float("nan")\nexpected = {{{written}}}\n'
        "for name, counts in points.items():\n"
        "    place = float(fall_out(counts)), float(recall(counts))\n"
        "    assert str(place) == str(expected[name]), name\n"
        "    if place[1] < place[0]:\n"
        "        opposite = inverted(counts)\n"
        '        print(name, "is better inverted:", float(fall_out(opposite)), float(recall(opposite)))\n'
    )


def _float(value: float) -> str:
    return repr(value) if value == value else "nan"
