"""Groups: the same threshold in each group of rows, its rates with intervals, and what differs by more than chance."""

import html
from pathlib import Path

import numpy as np
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.analyses import Scores
from evalcore.figures import groups_figure
from evalcore.inference import Interval, IntervalChoice
from evalcore.readers import ReadProblem
from evalcore.wording import UNDEFINED, count_text, number_text, one_line, plain, seen, share_text, value_text

from ...controls.direction import area_of
from ...display.figure import page_ink, show_figure
from ...export.downloads import csv_of
from ...session import address
from .equalised_rates import points, show_equality
from .subgroup_rates import AREA, FEW, SHARES, SHOWN, Grouped, difference_to_rest, grouped_at, rate_of, rates_frame

_RULES = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_HEADS = {"prevalence": "prevalence", "predicted_prevalence": "flagged", "fall_out": "FPR", AREA: "AUC"}
_HEADS |= {"negative_predictive_value": "NPV"}
_SAID = 4


def show_subgroups(scores: Scores, threshold: float, intervals: IntervalChoice) -> None:
    """The rates of each group at the one threshold, and what equal rates would take; says so where there is no group.

    Parameters
    ----------
    scores : Scores
    threshold : float
    intervals : IntervalChoice
        Method and level of the page.
    """
    st.markdown("**Does the threshold treat everyone alike?**")
    grouped = _grouped(scores, threshold)
    if grouped is None:
        return
    st.html(f"<style>:root {{ --ground: {page_ink().paper}; }}\n{_RULES}</style>")
    shown = grouped.largest()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = _choose_rate()
        st.download_button(
            "Groups as CSV",
            lambda: csv_of(rates_frame(grouped, intervals, area_of(scores, intervals.level))),
            "groups.csv",
            "text/csv",
            key="download groups",
            on_click="ignore",
        )
    _show_rate(measure, scores, grouped, shown, intervals)
    st.html(_table(scores, shown, intervals))
    st.caption(_note(grouped, shown, intervals))
    show_equality(scores, threshold, grouped)


def few_words(measure: MetricDef, name: str, rows: float, interval: tuple[float, float]) -> str:
    """That a rate of a group rests on too few rows, in a sentence of Markdown; the name is escaped here.

    Parameters
    ----------
    measure : MetricDef
    name : str
        The group. Comes from a file.
    rows : float
        What is below the line of the rate.
    interval : (float, float)
        The bounds; nan where there are none.
    """
    what = measure.share_of or "rows of the rarer class"
    what = what if rows != 1 else what.replace("rows", "row", 1).removesuffix("s")
    rate = measure.name if measure.key == AREA else _head(measure)
    if not rows:
        return f"**{plain(seen(name), 40)}** has no {what}: its {rate} is undefined."
    if interval[0] != interval[0]:
        return f"**{plain(seen(name), 40)}** has only {count_text(rows)} {what}, too few for an interval of its {rate}."
    low, high = (value_text(measure, bound) for bound in interval)
    only = f"only {count_text(rows)} {what}"
    return f"**{plain(seen(name), 40)}** has {only}: the {rate} can be anything between {low} and {high}."


def _grouped(scores: Scores, threshold: float) -> Grouped | None:
    """The groups, or None where there are none to compare, which is said."""
    link = {"page": "pages/start/data.py", "query_params": address.parameters()}
    if scores.current.roles.group is None:
        st.markdown("That needs a column that says which group a row belongs to, such as sex, age band or site.")
        st.page_link(**link, label="Choose a column as the group")
        return None
    try:
        grouped = grouped_at(scores, threshold)
    except ReadProblem as problem:
        st.markdown(plain(problem, limit=400))
        st.page_link(**link, label="Choose another column as the group")
        return None
    if len(grouped) < 2:
        said = f"All rows have one {plain(scores.current.roles.group, 40)}, so there is nothing to compare."
        st.markdown(said if len(grouped) else "No row has a label, a score and a group.")
        st.page_link(**link, label="Choose another column as the group")
        return None
    return grouped


def _choose_rate() -> MetricDef:
    options = ["recall", *(key for key in (*SHARES, AREA) if key != "recall")]
    chosen = st.selectbox(
        "Rate",
        options,
        format_func=lambda key: METRICS[key].name,
        key="group_rate",
        bind="query-params",
        width=220,
    )
    return METRICS[chosen if chosen in options else "recall"]


def _show_rate(measure: MetricDef, scores: Scores, grouped: Grouped, shown: Grouped, intervals: IntervalChoice) -> None:
    """One rate of every group as a picture, and beside it how it differs from the rest."""
    interval, rows = rate_of(measure, shown, intervals)
    whole = float(area_of(scores, intervals.level).estimate) if measure.key == AREA else float(measure(grouped.whole))
    few = rows < FEW
    differs = np.zeros(len(shown), dtype=bool)
    picture, table = st.columns([5, 4], gap="large", vertical_alignment="top")
    with table:
        if measure.key == AREA:
            st.caption(
                "An area belongs to a whole ranking: groups whose intervals lie apart are ranked differently well. It "
                "needs no threshold, and compares pairs within a group only."
            )
        else:
            found, corrected, rest = difference_to_rest(measure, grouped, intervals.level)
            differs = np.nan_to_num(corrected, nan=1)[: len(shown)] <= 1 - intervals.level
            st.html(_differences(measure, shown, found.interval, corrected, rest, intervals.level))
            st.caption(
                f"Each group minus all other rows, with Newcombe's {100 * intervals.level:g} % interval; p corrected "
                f"by Holm for {count_text(int((~np.isnan(corrected)).sum()))} groups."
            )
    with picture:
        st.caption("● differs from the rest beyond chance · ○ may be chance · grey: too few rows")
        alt = ", ".join(f"{one_line(n, 20)} {value_text(measure, float(v))}" for n, v in zip(
            shown.names[:8], interval.estimate, strict=False))  # fmt: skip
        show_figure(
            groups_figure(
                shown.names, interval, rows, whole, differs, few, measure.name, measure.key != AREA, page_ink()
            ),
            key="groups",
            alt=f"{measure.name} of each group with its interval: {alt}.",
            filename="groups",
        )
    small = [place for place in range(len(shown)) if few[place]]
    if small:
        lines = [
            few_words(measure, shown.names[p], float(rows[p]), (float(interval.low[p]), float(interval.high[p])))
            for p in small[:_SAID]
        ]
        more = f" So it is with {count_text(len(small) - _SAID)} more." if len(small) > _SAID else ""
        st.markdown(" ".join(lines) + more)


def _differences(
    measure: MetricDef, shown: Grouped, interval: Interval, corrected: np.ndarray, rest: np.ndarray, level: float
) -> str:
    """The differences as HTML; the names are escaped."""
    lines = [f"<tr><th>group</th><th>{_head(measure)} of the rest</th><th>difference</th><th>p</th></tr>"]
    for place, name in enumerate(shown.names):
        if np.isnan(interval.estimate[place]):
            lines.append(f'<tr class="few"><td>{_word(name)}</td><td colspan="3">{UNDEFINED}</td></tr>')
            continue
        value, low, high = (float(a[place]) for a in (interval.estimate, interval.low, interval.high))
        p = float(corrected[place])
        mark = ' class="differs"' if p <= 1 - level else ""
        written = "&lt; 0.001" if p < 0.001 else f"{p:.3f}"
        lines.append(
            f"<tr><td>{_word(name)}</td><td>{share_text(float(rest[place]))}</td>"
            f"<td{mark}><b>{points(value)}</b><small>{points(low)} to {points(high)}</small></td>"
            f"<td>{written}</td></tr>"
        )
    return f'<table class="groups">{"".join(lines)}</table>'


def _table(scores: Scores, shown: Grouped, intervals: IntervalChoice) -> str:
    """All rates of all groups as HTML; the names are escaped."""
    keys = (*SHARES, AREA)
    heads = "".join(f"<th>{_head(METRICS[key])}</th>" for key in keys)
    area = area_of(scores, intervals.level)
    cells = []
    for key in SHARES:
        found = intervals.of(METRICS[key], shown.whole)
        bounds = None if found is None else (float(found[0].low), float(found[0].high))
        cells.append(_cell(METRICS[key], float(METRICS[key](shown.whole)), bounds, None))
    cells.append(_cell(METRICS[AREA], float(area.estimate), (float(area.low), float(area.high)), None))
    lines = [
        f"<tr><th>group</th><th>n</th><th>positives</th>{heads}</tr>",
        f'<tr class="all"><td>All rows</td>{_sizes(shown.whole)}{"".join(cells)}</tr>',
    ]
    found = {key: rate_of(METRICS[key], shown, intervals) for key in keys}
    for place, name in enumerate(shown.names):
        cells = [
            _cell(
                METRICS[key],
                float(interval.estimate[place]),
                (float(interval.low[place]), float(interval.high[place])),
                float(rows[place]),
            )
            for key, (interval, rows) in found.items()
        ]
        lines.append(f"<tr><td>{_word(name)}</td>{_sizes(shown.counts[place])}{''.join(cells)}</tr>")
    return f'<table class="groups">{"".join(lines)}</table>'


def _cell(measure: MetricDef, value: float, bounds: tuple[float, float] | None, rows: float | None) -> str:
    few = rows is not None and rows < FEW
    title = f' class="few" title="rests on {count_text(rows)} rows"' if few else ""
    if value != value:
        return f"<td{title}>{UNDEFINED}<small>{html.escape(measure.undefined_when)}</small></td>"
    small = ""
    if bounds is not None and bounds[0] == bounds[0]:
        low, high = (f"{100 * b:.1f}" if measure.key != AREA else number_text(b) for b in bounds)
        small = f"<small>{low} – {high}</small>"
    return f"<td{title}><b>{value_text(measure, value)}</b>{small}</td>"


def _sizes(counts) -> str:
    return f"<td>{count_text(float(counts.total))}</td><td>{count_text(float(counts.actual_positives))}</td>"


def _head(measure: MetricDef) -> str:
    return _HEADS.get(measure.key, measure.name.lower())


def _word(name: str) -> str:
    return html.escape(one_line(seen(name), 40))


def _note(grouped: Grouped, shown: Grouped, intervals: IntervalChoice) -> str:
    """What the table shows and what it leaves out, in Markdown."""
    parts = [
        f"Small figures: {100 * intervals.level:g} % intervals ({intervals.method_name}; AUC by DeLong). In grey "
        f"italics: counted among fewer than {FEW} rows."
    ]
    if len(shown) < len(grouped):
        hidden = float(grouped.counts.total[len(shown) :].sum())
        parts.append(
            f"The {SHOWN} largest of {count_text(len(grouped))} groups are shown; the other "
            f"{count_text(len(grouped) - len(shown))} have {count_text(hidden)} rows and stand in the CSV."
        )
    return " ".join(parts)
