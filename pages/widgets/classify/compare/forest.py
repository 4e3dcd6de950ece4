"""Forest plots on the page: two systems by their main measures, and all systems by one."""

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.figures import ForestLine, bounds_text, difference_text, forest_figure
from evalcore.inference import METHODS
from evalcore.wording import THIN, count_text, number_text, p_text, value_text

from ...display.figure import page_ink, show_figure
from .comparison import MOST, Contest, comparable, name, said, word
from .tests import MOST_RESAMPLED, Difference, Many, differences_of, is_slow, many_of

_MAIN = (
    *("recall", "specificity", "precision", "negative_predictive_value", "accuracy"),
    *("balanced_accuracy", "f_beta", "matthews_correlation"),
)


def main_differences(contest: Contest) -> list[Difference]:
    """The two systems by the measures that are drawn, the chosen one among them."""
    if contest.target is None:
        return differences_of(contest, comparable("matrix"))
    measures = [METRICS[key] for key in _MAIN]
    if contest.current.kind == "scores":
        measures.append(METRICS["roc_auc"])
    if contest.measure.key not in [measure.key for measure in measures]:
        measures.insert(0, contest.measure)
    return differences_of(contest, measures)


def show_forest(contest: Contest) -> None:
    """The differences of the two systems, B minus A."""
    found = main_differences(contest)
    st.markdown(
        f"**B minus A** :small[:gray[with {100 * contest.level:g}{THIN}% intervals · ● leaves out 0 · ○ holds 0]]"
    )
    lines = []
    for one in found:
        low, high = float(one.found.interval.low), float(one.found.interval.high)
        title = one.measure.name.removesuffix(" of several classes")
        lines.append(_line(one, contest, title, low > 0 or high < 0))
    show_figure(
        forest_figure(lines, ("A higher", "B higher"), "difference: 0.01 is one percentage point", page_ink()),
        key="forest",
        alt="Differences of B minus A with their intervals: "
        + ", ".join(f"{one.measure.name} {difference_text(one.measure, one.found.estimate)}" for one in found),
        filename="differences",
    )
    undefined = [said(one.measure) for one in found if one.found.estimate != one.found.estimate]
    if undefined:
        st.caption(f"Undefined for one of the two, so that there is no difference: {', '.join(undefined)}.")


def show_many(contest: Contest) -> None:
    """All systems by the chosen measure: the forest plot of their differences, and the table of it."""
    many, measure = many_of(contest), contest.measure
    every_pair = len(many.pairs) >= len(many.systems)
    st.caption(_note(contest, many))
    lines = []
    for (a, b), one, p in zip(many.pairs, many.found, many.corrected.tolist(), strict=True):
        title = word(many.systems[b], 40)
        if every_pair:
            title = f"{word(many.systems[b], 18)} − {word(many.systems[a], 18)}"
        lines.append(_line(one, contest, title, p <= 1 - contest.level, p))
    show_figure(
        forest_figure(
            lines,
            ("lower", "higher") if every_pair else ("A higher", "A lower"),
            f"difference in {said(measure)}{'' if every_pair else f' to A, {word(contest.a, 30)}'}",
            page_ink(),
        ),
        key="forest of all",
        alt=f"Differences in {said(measure)} of {len(many.systems)} systems with their intervals",
        filename="differences of systems",
    )
    shown = many_frame(contest, many)
    written = {column: [value_text(measure, value) for value in shown[f"value of {column}"]] for column in ("A", "B")}
    st.dataframe(
        pd.DataFrame(
            {
                "A": [word(system, 40) for system in shown["A"]],
                "B": [word(system, 40) for system in shown["B"]],
                f"{measure.label} of A": written["A"],
                f"{measure.label} of B": written["B"],
                "B − A": [line.text.replace("<b>", "").replace("</b>", "") for line in lines],
                "p": [p_text(p).removeprefix("p ") for p in shown["p"]],
                "corrected p": [p_text(p).removeprefix("p ") for p in shown["corrected p"]],
                "n": shown["n"],
            }
        ),
        hide_index=True,
        key="differences of systems",
        height="content" if len(shown) <= 12 else 440,
        alt="Every comparison with its p-value, as it is and corrected",
        column_config={
            "n": st.column_config.NumberColumn(format="localized", help="What the measure is counted among"),
        },
    )


def many_frame(contest: Contest, many: Many) -> pd.DataFrame:
    """Every comparison of two of the systems, unrounded."""
    lines = [
        {
            "measure": contest.measure.name,
            "A": many.systems[a],
            "B": many.systems[b],
            "value of A": one.a,
            "value of B": one.b,
            "difference": one.found.estimate,
            "low": float(one.found.interval.low),
            "high": float(one.found.interval.high),
            "p": one.found.p_value,
            "corrected p": p,
            "correction": METHODS[contest.correction],
            "test": one.found.method,
            "n": one.found.n,
        }
        for (a, b), one, p in zip(many.pairs, many.found, many.corrected.tolist(), strict=True)
    ]
    return pd.DataFrame(lines)


def _line(difference: Difference, contest: Contest, title: str, beyond: bool, p: float | None = None) -> ForestLine:
    measure, found = difference.measure, difference.found
    low, high = float(found.interval.low), float(found.interval.high)
    bounds = bounds_text(measure, low, high)
    if found.estimate != found.estimate:
        text, hover = "undefined", difference.why_undefined
    else:
        # On one axis everything is drawn as it is; what is a share is written in points.
        written = difference_text(measure, found.estimate, high - low)
        text = f"<b>{written}</b>  {bounds}" if low == low else f"<b>{written}</b>"
        known = f"{p_text(found.p_value)}" if p is None else f"{p_text(found.p_value)}, corrected {p_text(p)}"
        hover = (
            f"{value_text(measure, difference.a)} → {value_text(measure, difference.b)}<br>{written} ({bounds})<br>"
            f"{known}<br>{found.method}<br>n = {count_text(found.n)}"
        )
    strong = title == contest.measure.name.removesuffix(" of several classes")
    return ForestLine(title, found.estimate, low, high, text, hover, beyond, strong)


def _note(contest: Contest, many: Many) -> str:
    """What is compared, on which rows, and what the test of all says, in Markdown."""
    rows = f"the {count_text(many.rows)} rows that all of them have"
    if not many.complete:
        rows = f"the rows that the two have ({count_text(many.rows)} are those of all)"
    corrected = "as it is" if contest.correction == "none" else f"after {METHODS[contest.correction]}"
    parts = [
        f"{len(many.systems)} systems by {said(contest.measure)}, each two on {rows}. ● p ≤ {1 - contest.level:.2g} "
        f"{corrected}, {len(many.found)} comparisons; the intervals are those of single differences."
    ]
    if len(many.systems) < len(contest.systems):
        most = MOST_RESAMPLED if is_slow(contest.measure) else MOST
        why = ", because each comparison takes a second" if is_slow(contest.measure) else ""
        parts.append(
            f"{most} of {count_text(len(contest.systems))} systems are compared at once{why}: {name(contest.a)}, "
            f"{name(contest.b)} and the first of the others. Choose other ones as A and B."
        )
    if many.overall is not None:
        overall = many.overall
        parts.append(
            f"Could all the areas be equal? χ² = {number_text(overall.statistic)} with "
            f"{overall.degrees} degrees of freedom, {p_text(overall.p_value)} (DeLong, on the rows of all)."
        )
    return " ".join(parts)


def pairs_frames(contest: Contest) -> dict:
    """The comparisons of all systems to take away, where there are more than two."""
    if len(contest.drawn) < 3:
        return {}
    return {"All systems": lambda: many_frame(contest, many_of(contest))}
