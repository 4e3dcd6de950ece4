"""Every comparison of the page in a table, and those by the chosen measure as a forest plot."""

from __future__ import annotations

import streamlit as st

from evalcore.analyses import Difference
from evalcore.figures import ForestLine, forest_figure
from evalcore.wording import THIN

from ...display.figure import page_ink, show_figure
from .comparison import name, word
from .tests import Tested, comparisons_frame, is_beyond, mean_of


def show_comparisons(done: Tested) -> None:
    """The differences by the chosen measure with their intervals, and all tests."""
    rivals = done.rivals
    level = f"{100 * rivals.confidence:g}{THIN}%"
    st.markdown(f"**Differences in {name(rivals.heading)}** :small[:gray[with {level} intervals]]")
    every = rivals.all_pairs and len(rivals.systems) > 2
    lines = [_line(done, first, second, every) for first, second in done.pairs]
    sides = ("lower", "higher") if every else ("A higher", "A lower")
    show_figure(
        forest_figure(lines, sides, f"difference in {rivals.heading}", page_ink()), "forest of rivals",
        f"Differences in {rivals.heading} of {len(lines)} pairs of systems with their intervals",
        filename="differences of systems",
    )  # fmt: skip
    st.caption(
        "● more than chance after the correction, ○ may be chance. The intervals are Student’s and those of single "
        "differences, whichever test is chosen."
    )
    frame = comparisons_frame(done)
    fine, finer, small = (st.column_config.NumberColumn(format=digits) for digits in ("%.3f", "%.4f", "%.2g"))
    st.dataframe(
        frame.drop(columns=["test", "correction"]),
        hide_index=True,
        key="comparisons",
        height="content" if len(frame) <= 14 else 520,
        placeholder="undefined",
        alt="Every comparison: means, difference with interval, test, effect, wins, ties and losses",
        column_config={
            "measure": st.column_config.TextColumn("measure", pinned=True),
            **dict.fromkeys(("mean of first", "mean of second", "statistic", "d_z"), fine),
            **dict.fromkeys(("difference", "low", "high"), finer),
            **dict.fromkeys(("p", "corrected p"), small),
            "wins": st.column_config.NumberColumn("wins", help="Queries that the second system does better"),
        },
    )
    st.caption(
        f"The second minus the first, on the same queries. {_method(done)} d_z is the mean difference over the "
        "standard deviation of the differences: 0.2 is small, 0.5 medium, 0.8 large, as a rule of thumb."
    )


def _line(done: Tested, first: str, second: str, every: bool) -> ForestLine:
    rivals = done.rivals
    found, p = done.of(first, second, rivals.measure)
    means = [mean_of(rivals, system, rivals.measure).estimate for system in (first, second)]
    difference = Difference(first, second, rivals.definition, *means, found, p, rivals.heading)
    title = f"{word(second, 18)} − {word(first, 18)}" if every else word(second, 40)
    return ForestLine(difference, title, is_beyond(p, rivals.confidence), second == rivals.b and not every)


def _method(done: Tested) -> str:
    methods = dict.fromkeys(found.method for found in done.found.values())
    return f"{' · '.join(methods)}."
