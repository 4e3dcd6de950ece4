"""Is B really better than A? The answer in words: what B finds more, what it costs, and whether that is chance."""

import streamlit as st

from evalcore.figures import bounds_text, difference_text
from evalcore.inference import METHODS
from evalcore.wording import THIN, count_text, p_text, plain, value_text

from .comparison import Contest, name, of_class, rows_note, said
from .tests import Difference, corrected_p, coverage_note, difference_of


def show_contest_verdict(contest: Contest) -> None:
    """The verdict in its box, and under it on which rows it rests and what is known against its interval."""
    difference = difference_of(contest)
    p, comparisons = corrected_p(contest, difference)
    headline, reasons = verdict(contest, difference, p, comparisons)
    with st.container(key="verdict"):
        st.markdown(f"**{headline}**  \n{reasons}")
    st.caption(" ".join(filter(None, (rows_note(contest), coverage_note(contest, contest.measure)))))


def verdict(contest: Contest, difference: Difference, p: float, comparisons: int) -> tuple[str, str]:
    """A headline and its reasons, in Markdown.

    Parameters
    ----------
    contest : Contest
    difference : Difference
        The two systems by the measure that was chosen.
    p : float
        Its p-value after the correction.
    comparisons : int
        How many were corrected for.
    """
    a, b = name(contest.a), name(contest.b)
    if not len(contest.rows.rows):
        return "Nothing to compare.", f"No row has a label and an answer of both {a} and {b}."
    counted = _counted(contest, a, b)
    if _says_the_same(contest) and difference.found.estimate == 0:
        what = (
            "order every pair alike" if difference.measure.family == "scores" else "give the same answer for every row"
        )
        return f"{a} and {b} {what}: they are identical here.", f"The difference is exactly 0, p = 1. {counted}"
    measure = said(contest.measure)
    if difference.found.estimate != difference.found.estimate:
        return f"The {measure} cannot tell them apart.", f"{_undefined(difference, a, b)} {counted}"
    better = difference.better(1 - contest.level, p)
    if better:
        winner, loser = (b, a) if better > 0 else (a, b)
        headline = f"{'Yes' if better > 0 else 'No'}: {winner} is better than {loser} by {measure}."
    elif contest.measure.better is None and p <= 1 - contest.level:
        headline = f"{a} and {b} differ in {measure}; neither direction is better by itself."
    elif difference.found.estimate == 0:
        headline = f"Not shown: the two have the same {measure}."
    else:
        headline = f"Not shown: the difference in {measure} may be chance."
    return headline, f"{counted} {_difference(contest, difference, p, comparisons)}"


def _difference(contest: Contest, difference: Difference, p: float, comparisons: int) -> str:
    measure, found = difference.measure, difference.found
    low, high = float(found.interval.low), float(found.interval.high)
    written = difference_text(measure, found.estimate, high - low)
    level = f"{100 * contest.level:g}{THIN}%"
    bounds = f"{level} interval {bounds_text(measure, low, high)}" if low == low else "no interval can be given"
    method = ""
    if comparisons > 1:
        corrected = "uncorrected" if contest.correction == "none" else f"after {METHODS[contest.correction]}"
        method = f" {corrected} for {comparisons} comparisons"
    values = f"{value_text(measure, difference.a)} to {value_text(measure, difference.b)}"
    return f"From A to B the {said(measure)} goes from {values}: **{written}** ({bounds}), **{p_text(p)}**{method}."


def _counted(contest: Contest, a: str, b: str) -> str:
    """What the two do with the same rows, in counts."""
    if contest.target is None:
        right = contest.paired_classes.right()
        _, only_a, only_b, _ = right.right()
        unit = plain(contest.current.unit)
        return (
            f"Of {count_text(right.n)} {unit}, {b} alone names {count_text(only_b)} rightly and {a} alone "
            f"{count_text(only_a)}."
        )
    paired = contest.paired
    positives, negatives = float(paired.a.actual_positives), float(paired.a.actual_negatives)
    found = float(paired.b.tp - paired.a.tp)
    alarms = float(paired.b.fp - paired.a.fp)
    parts = []
    if positives:
        parts.append(f"finds {_more(found)} of the {count_text(positives)} {of_class(contest.positive)}")
    if negatives:
        parts.append(f"raises {_more(alarms)} false {'alarm' if abs(alarms) == 1 else 'alarms'}")
    reason = "" if positives and negatives else f" {_one_class(contest, positives)}"
    return f"{b} {' and '.join(parts)}.{reason}"


def _more(by: float) -> str:
    if not by:
        return "as many"
    return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'}"


def _one_class(contest: Contest, positives: float) -> str:
    return f"Every row is {plain(contest.positive if positives else contest.negative, 40)}."


def _undefined(difference: Difference, a: str, b: str) -> str:
    unknown = [who for who, value in ((a, difference.a), (b, difference.b)) if value != value]
    if not unknown:
        return "It is infinite for both."
    who = " and ".join(unknown)
    return f"It is undefined for {who}: {difference.measure.undefined_when}."


def _says_the_same(contest: Contest) -> bool:
    if contest.measure.family == "scores":
        # By how they rank: then no resample differs, and the difference has no variance.
        found = difference_of(contest).found
        low, high = float(found.interval.low), float(found.interval.high)
        return found.p_value == 1 and (low == high == 0 or low != low)
    paired = contest.paired_classes if contest.target is None else contest.paired
    return paired.ties == paired.n
