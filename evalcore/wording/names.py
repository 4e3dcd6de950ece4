"""Names: of measures inside a sentence, and of systems and classes shortened so that they still differ."""

from collections.abc import Sequence

from evalcore.registry import MetricDef

__all__ = ["measure_word", "short_names"]

_PERSONS = ("Cohen", "Fowlkes", "Gini", "Jaccard", "Kolmogorov", "Matthews", "Youden")

_BEGINNING = 8
"""Letters that names must have in common at their beginning for it to be worth leaving out."""


def short_names(names: Sequence[str], limit: int) -> list[str]:
    """Names of at most `limit` letters; where cut names would look alike, what all begin with goes instead.

    Not escaped: they still come from a file.

    >>> short_names(["effects of drug 1", "effects of drug 2"], 12)
    ['…1', '…2']
    >>> short_names(["ill", "healthy by all accounts"], 12)
    ['ill', 'healthy by…']
    """
    short = [shortened(name, limit) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    # What the first and the last in the order of letters begin with, all between them begin with.
    first, last = min(names), max(names)
    same = first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
    begin = max(same.rfind(mark) for mark in " /-_:.") + 1
    return short if begin < _BEGINNING else [shortened(f"…{name[begin:]}", limit) for name in names]


def measure_word(measure: MetricDef) -> str:
    """What a measure is called in the middle of a sentence.

    >>> from evalcore import METRICS, find
    >>> measure_word(METRICS["recall"]), measure_word(METRICS["youden_j"]), measure_word(find("F2"))
    ('recall', "Youden's J", 'F2')
    >>> measure_word(find("AUC"))
    'area under the ROC curve'
    """
    if measure.params:
        return measure.label
    first, *others = measure.name.split(" ")
    is_name = first.startswith(_PERSONS) or first[1:2] == "-"  # G-mean
    return measure.name if is_name else " ".join((first.lower(), *others))


def shortened(text: str, limit: int) -> str:
    """A text of at most `limit` characters, with … where the rest was."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
