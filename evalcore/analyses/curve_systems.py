"""Which systems or classes have curves over each other, and what has to be said under them."""

from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source, left_out_text
from evalcore.inference import poor_coverage
from evalcore.wording import count_text, plain

__all__ = ["LEGEND", "can_average", "curve_name", "curve_notes", "curve_systems", "no_curve_because"]

LEGEND = 4
"""Of more systems than this a legend would take the room of the curves; a table has to say which line is which."""
MOST_SYSTEMS = 12
"""More curves over each other than this cannot be told apart."""
MOST_CELLS = 20_000_000
"""Rows times classes up to which classes are averaged."""


def curve_systems(source: Source) -> tuple[str, ...]:
    """The systems, or the columns of the classes, whose curves are drawn; the chosen one is always among them."""
    first = source.dataset.systems[:MOST_SYSTEMS]
    return first if source.system is None or source.system in first else (*first[:-1], source.system)


def curve_name(scores: Scores) -> str:
    """What the curve of a system is called: of class probabilities, the class. Comes from a file: escape it."""
    return scores.positive if scores.current.kind == "probabilities" else scores.system


def can_average(source: Source) -> bool:
    """Whether there are several classes, and not more rows of them than can be pooled in a moment."""
    classes = len(source.dataset.systems)
    return source.kind == "probabilities" and classes > 1 and source.rows * classes <= MOST_CELLS


def curve_notes(scores: Scores, averages: bool = False) -> list[str]:
    """Rows that are left out, lines without a legend, systems not drawn; and what the averages of classes look like.

    Examples
    --------
    >>> from evalcore.readers.samples import read_sample
    >>> curve_notes(Scores.of(Source.of(read_sample("digits_probabilities")), "p_0"))
    ['The table below says which line is which.']
    """
    source, notes = scores.current, []
    shown, total = len(curve_systems(source)), len(source.dataset.systems)
    if scores.left_out:
        notes.append(left_out_text(scores.left_out).strip())
    if averages and can_average(source):
        notes.append("In the text colour: the micro average, dotted, and the macro average, dashed.")
    if averages and (doubt := _coverage(scores)):
        notes.append(doubt)
    if shown > LEGEND:
        notes.append("The table below says which line is which.")
    if 1 < shown < total:
        what = "classes" if source.kind == "probabilities" else "systems"
        notes.append(f"{shown} of {count_text(total)} {what} are drawn; the table has them all.")
    return notes


def no_curve_because(scores: Scores) -> str:
    """Why there is no curve, as a sentence in Markdown; empty where there is one."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    positive = plain(scores.positive, limit=40)
    if not positives and not negatives:
        return "No row has both a label and a score."
    if not positives:
        return f"None of the {count_text(negatives)} rows is {positive}, so there is nothing to find."
    if not negatives:
        return f"All {count_text(positives)} rows are {positive}, so there can be no false alarm."
    return ""


def _coverage(scores: Scores) -> str:
    """A sentence where DeLong intervals are known to be too narrow; else empty."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    # With few of either class it is the same: turned round, the area and its interval are mirrored.
    rows, fewer = positives + negatives, min(positives, negatives)
    return poor_coverage("delong", rows, fewer / rows) if fewer else ""
