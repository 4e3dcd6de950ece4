"""The measures of several classes: a line a class, their averages under it, and the measures of the whole table."""

import html
import math

import pandas as pd
import streamlit as st

from evalcore import METRICS, MetricDef, measures_of
from evalcore.analyses import NamedCounts
from evalcore.classification import ConfusionCounts, averages, filled_formula
from evalcore.inference import IntervalChoice, bootstrap_matrix
from evalcore.wording import THIN, UNDEFINED, count_text, latex, latex_count, number_text, value_text

from .cells import pick_class
from .class_matrix import ClassTable, word

_CELLS = ("tp", "fp", "fn", "tn")
_SHOWN = ("precision", "recall", "specificity", "NPV", "F1", "accuracy", "MCC")
"""Measures that the tables of classes show at first; the columns of the others can be unfolded."""

_AVERAGES = {
    "micro": "counts summed first",
    "macro": "each class counts the same",
    "weighted": "by actual rows",
}
_KEY = "class table"
_MOST_RESAMPLED = 50


def show_class_table(table: ClassTable) -> None:
    """A line a class with its counts and measures, to be sorted and picked, over the averages."""
    st.subheader("Every class", anchor=False)
    frame = class_frame(table)
    shown = frame.assign(**{"class": [word(name, 60) for name in table.classes]})
    st.dataframe(
        shown,
        hide_index=True,
        height="content" if len(frame) <= 12 else 440,
        key=_KEY,
        on_select=lambda: _pick(table.classes),
        selection_mode="single-row",
        placeholder=UNDEFINED,
        alt="Support, counts and measures of each class against the rest",
        column_config=_columns(max(map(len, table.classes))),
    )
    st.html(_averages(table))
    st.caption(f"Tick a class to open it. {_note(table)}")


def class_frame(table: ClassTable) -> pd.DataFrame:
    """Support, four counts and the measures of each class against the rest, unrounded."""
    counts = table.matrix.one_vs_rest()
    cells = {name.upper(): getattr(counts, name) for name in _CELLS}
    measures = {measure.short: measure(counts) for measure in _columns_of_a_class()}
    return pd.DataFrame({"class": list(table.classes), "support": counts.actual_positives, **cells, **measures})


def averages_frame(table: ClassTable) -> pd.DataFrame:
    """The three averages of every measure, and how many classes have it undefined."""
    counts = table.matrix.one_vs_rest()
    found = {measure.short: averages(table.matrix, measure) for measure in _columns_of_a_class()}
    lines = [{name: getattr(average, way) for name, average in found.items()} for way in _AVERAGES]
    lines[0] |= {name.upper(): float(getattr(counts, name).sum()) for name in _CELLS}
    lines.append({name: float(average.undefined) for name, average in found.items()})
    frame = pd.DataFrame({"average": [*_AVERAGES, "classes undefined"]})
    order = ["support", *(name.upper() for name in _CELLS), *found]
    return pd.concat([frame, pd.DataFrame(lines).reindex(columns=order)], axis=1)


def show_whole_table(table: ClassTable, intervals: IntervalChoice) -> None:
    """The measures of the whole table, each with its value, its interval and its sentence."""
    st.subheader("The whole table", anchor=False)
    found = _intervals("\n".join((table.key, repr(table.classes), repr(intervals))), table, intervals)
    measures = measures_of_tables()
    lines = "".join(_line(measure, table, bounds) for measure, bounds in zip(measures, found, strict=True))
    level = f"{100 * intervals.level:g} % interval"
    head = f"<tr><th>measure</th><th>value</th><th>{level}</th><th>n</th><th>in a sentence</th></tr>"
    st.html(f'<table class="measures"><thead>{head}</thead><tbody>{lines}</tbody></table>')
    resampled = f"the others by resampling the rows 1{THIN}000 times"
    if len(table.classes) > _MOST_RESAMPLED:
        resampled = f"above {_MOST_RESAMPLED} classes the others have none, because resampling takes too long"
    st.caption(f"Interval of the accuracy: {intervals.method_name}; {resampled}.")


def measures_of_tables() -> list[MetricDef]:
    """Every measure of a square table; kappa with linear and with quadratic weights."""
    return [version for measure in measures_of("matrix") for version in measure.versions]


def _columns_of_a_class() -> list[MetricDef]:
    """Every measure of counts, those first that are shown at first."""
    return sorted(measures_of("counts"), key=lambda m: _SHOWN.index(m.short) if m.short in _SHOWN else len(_SHOWN))


def show_class_formulas(table: ClassTable, counted: NamedCounts) -> None:
    """The formulas of the class that is picked with its numbers, and those of the whole table."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        st.markdown(f"For {counted.origin}")
        st.markdown("\n\n".join(_formula(measure, counted.counts) for measure in _columns_of_a_class()))
        st.markdown("Of the whole table, with $C_{ij}$ rows of class $i$ that were called $j$:")
        st.markdown("\n\n".join(_whole_formula(measure, table) for measure in measures_of_tables()))


def _columns(longest: int) -> dict:
    number = st.column_config.NumberColumn
    counts = {
        name: number(format="localized", width=width)
        for name, width in (("support", 66), *((c.upper(), 58) for c in _CELLS))
    }
    shares = {
        measure.short: number(format="%.3f", width=72, help=measure.help) if measure.short in _SHOWN else None
        for measure in _columns_of_a_class()
    }
    # Long names are worth scrolling sideways for: the column of the names stays.
    return {"class": st.column_config.TextColumn(width=110 if longest <= 15 else 200, pinned=True), **counts, **shares}


def _averages(table: ClassTable) -> str:
    """The three averages as HTML; every word in it is ours, none comes from a file."""
    found = {m.short: averages(table.matrix, m) for m in _columns_of_a_class() if m.short in _SHOWN}
    lines = ["<tr><th>average of the classes</th>" + "".join(f"<th>{name}</th>" for name in found) + "</tr>"]
    for way, meaning in _AVERAGES.items():
        values = (getattr(average, way) for average in found.values())
        cells = (
            f"<td>{UNDEFINED}</td>" if math.isnan(value) else f"<td><b>{number_text(value)}</b></td>"
            for value in values
        )
        lines.append(f'<tr><td>{way} <span class="names">{meaning}</span></td>{"".join(cells)}</tr>')
    left_out = "".join(f"<td>{average.undefined}</td>" for average in found.values())
    lines.append(
        f'<tr><td>undefined <span class="names">classes that macro and weighted leave out</span></td>{left_out}</tr>'
    )
    return f'<table class="averages">{"".join(lines)}</table>'


def _note(table: ClassTable) -> str:
    """What is left out, in words."""
    undefined = averages_frame(table).iloc[-1]
    left_out = [f"{name} of {int(undefined[name])}" for name in _SHOWN if undefined[name]]
    if not left_out:
        return "Every measure is defined for every class."
    return f"Undefined, and left out of macro and weighted: {', '.join(left_out)} of {len(table.classes)} classes."


def _pick(classes: tuple[str, ...]) -> None:
    rows = st.session_state[_KEY].selection.rows
    if rows and rows[0] < len(classes):
        pick_class(classes[rows[0]])


@st.cache_data(max_entries=64, show_spinner="Resampling …")
def _intervals(key: str, _table: ClassTable, _intervals: IntervalChoice) -> list[tuple[float, float] | None]:
    """Bounds of each measure of the whole table; None where there are none."""
    measures = measures_of_tables()
    bounds: list[tuple[float, float] | None] = [None] * len(measures)
    if len(_table.classes) <= _MOST_RESAMPLED:
        found = bootstrap_matrix(measures, _table.matrix, _intervals.level)
        bounds = [(interval.low, interval.high) for interval in found]
    share = _intervals.of(METRICS["accuracy"], _right_and_wrong(_table))
    for place, measure in enumerate(measures):
        if measure.interval == "share":
            bounds[place] = None if share is None else (float(share[0].low), float(share[0].high))
    return [None if pair is None or math.isnan(pair[0]) else pair for pair in bounds]


def _line(measure: MetricDef, table: ClassTable, found: tuple[float, float] | None) -> str:
    value, n = float(measure(table.matrix)), float(table.matrix.counts.sum())
    known, bounds = f"<b>{value_text(measure, value)}</b>", ""
    if value != value:
        known = f'<span class="undefined">{UNDEFINED}</span>'
        bounds = f'<span class="undefined">{html.escape(measure.undefined_when)}</span>'
    elif found is not None:
        bounds = " – ".join(value_text(measure, bound) for bound in found)
    others = " · ".join((measure.label, *(a for a in measure.aliases[:1] if "{" not in a)))
    title = f'{html.escape(measure.name)} <span class="names">{html.escape(others)}</span>'
    sentence = f"{measure.summary} {measure.reading}"
    return (
        f"<tr><td>{title}</td><td>{known}</td><td>{bounds}</td><td>{count_text(n)}</td>"
        f"<td>{html.escape(sentence)}</td></tr>"
    )


def _right_and_wrong(table: ClassTable) -> ConfusionCounts:
    """All rows as right or wrong, so that accuracy is their share."""
    right = float(table.matrix.counts.trace())
    return ConfusionCounts(right, float(table.matrix.counts.sum()) - right, 0.0, 0.0)


def _formula(measure: MetricDef, counts: ConfusionCounts) -> str:
    value = float(measure(counts))
    filled = filled_formula(measure, counts, latex_count, lambda m, x: latex(value_text(m, x)))
    return rf"**{measure.name}** $\displaystyle {measure.formula} = {filled} = {_result(measure, value)}$"


def _whole_formula(measure: MetricDef, table: ClassTable) -> str:
    value = float(measure(table.matrix))
    return rf"**{measure.name}** $\displaystyle {measure.formula} = {_result(measure, value)}$"


def _result(measure: MetricDef, value: float) -> str:
    if value != value:
        return rf"\text{{undefined: {measure.undefined_when}}}"
    return latex(value_text(measure, value))
