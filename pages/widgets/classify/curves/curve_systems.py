"""Which systems of the open data are drawn, as figures take them, and what a click on one of them does."""

from evalcore.analyses import Scores, Source
from evalcore.figures import LEGEND, MOST_SYSTEMS, System, ink
from evalcore.inference import poor_coverage
from evalcore.wording import count_text

from ...display.figure import page_ink
from ...session import address
from ...session.loaded_scores import put_threshold, scores_of
from .class_means import has_means


def all_systems(current: Source) -> tuple[str, ...]:
    """The systems, or the columns of the classes, each of which is one against the rest."""
    return current.dataset.systems


def drawn_systems(current: Source) -> tuple[str, ...]:
    """The systems whose curves are drawn, in their order; the chosen one is always among them."""
    systems = all_systems(current)
    first = systems[:MOST_SYSTEMS]
    return first if current.system in first else (*first[:-1], current.system)


def as_drawn(current: Source, shown: tuple[str, ...]) -> list[System]:
    """The systems with their tables."""
    places = {name: place for place, name in enumerate(all_systems(current))}
    drawn = []
    for name in shown:
        scores = scores_of(current, name)
        drawn.append(System(title_of(scores), places[name], scores.table, name == current.system))
    return drawn


def title_of(scores: Scores) -> str:
    """What the curve of a system is called: of class probabilities, the class."""
    return scores.positive if scores.current.kind == "probabilities" else scores.system


def ground() -> str:
    """What the colours of a picture depend on, for the key it is kept under."""
    return "dark" if page_ink().text == ink(True).text else "light"


def pick(current: Source, threshold: float, place: int) -> None:
    """Cut at a threshold, and choose the system whose curve was clicked."""
    put_threshold(threshold)
    systems = all_systems(current)
    if 0 <= place < len(systems) and systems[place] != current.system:
        address.put("system", systems[place])


def drawing_notes(scores: Scores, shown: tuple[str, ...], curve: bool = False) -> list[str]:
    """What has to be said under curves: rows that are left out, lines without a legend, systems not drawn.

    Parameters
    ----------
    scores : Scores
    shown : tuple of str
    curve : bool
        Whether it is about ROC and precision–recall, where classes are averaged.
    """
    current, notes = scores.current, []
    if scores.left_out:
        notes.append(f"{count_text(scores.left_out)} rows without a label or a score are left out.")
    if has_means(current) and curve:
        notes.append("In the colour of the words: the micro average, dotted, and the macro average, dashed.")
    if curve and (doubt := _doubt(scores)):
        notes.append(doubt)
    if len(shown) > LEGEND:
        notes.append("The table below says which line is which.")
    total = len(all_systems(current))
    if 1 < len(shown) < total:
        what = "classes" if current.kind == "probabilities" else "systems"
        notes.append(f"{len(shown)} of {count_text(total)} {what} are drawn; the table has them all.")
    return notes


def _doubt(scores: Scores) -> str:
    """A sentence where the intervals of the AUC are known to hold less than they say; else empty."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    # With few of either class it is the same: turned round, the area and its interval are mirrored.
    rows, fewer = positives + negatives, min(positives, negatives)
    return poor_coverage("delong", rows, fewer / rows) if fewer else ""
