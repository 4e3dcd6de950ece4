"""Names: of measures inside a sentence, and of systems and classes shortened so that they still differ."""

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from evalcore.registry import MetricDef
from evalcore.wording.escaping import one_line, seen, shortened

__all__ = ["file_stem", "measure_word", "short_names"]

_PERSONS = ("Cohen", "Fowlkes", "Gini", "Jaccard", "Kolmogorov", "Matthews", "Youden")

_LONGEST = 400
"""Letters of a name that are looked at."""


def short_names(names: Iterable[str], limit: int = 24) -> dict[str, str]:
    """Each name with what it is called in an axis, a legend, a list or a table: on one line, no two alike.

    Names of more than `limit` letters lose their middle. Where that makes some alike, those lose what they begin with
    in common instead. Not escaped: they still come from a file.

    >>> short_names(["ill", "not ill by any of the tests"], 16)
    {'ill': 'ill', 'not ill by any of the tests': 'not ill…tests'}
    >>> list(short_names(["diseases of the lung, stage 1, left", "diseases of the lung, stage 2, left"], 16).values())
    ['…stage 1, left', '…stage 2, left']
    """
    full = {name: one_line(seen(name), _LONGEST) for name in dict.fromkeys(names)}
    short = _distinct(full, limit)
    if len(set(short.values())) == len(short):
        return short
    return {name: f"{number} {shortened(full[name], limit)}" for number, name in enumerate(full, 1)}


def _distinct(full: Mapping[str, str], limit: int) -> dict[str, str]:
    """The names cut at `limit`; those that are alike then start where they begin to differ."""
    short = {name: shortened(words, limit) for name, words in full.items()}
    for alike in _alike(short):
        words = [full[name] for name in alike]
        # What the first and the last in the order of letters begin with, all between them begin with.
        first, last = min(words), max(words)
        same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        begin = max(first.rfind(mark, 0, same) for mark in " /-_:.") + 1
        begin = begin if same - begin <= limit // 3 else same
        # What they begin with stays as far as there is room for whole words of it.
        longest = max(map(len, words))
        begin = next((at for at in range(begin) if longest - at < limit and first[at - 1 : at] == " "), begin)
        if begin and len(set(words)) > 1:
            rest = _distinct({name: full[name][begin:] for name in alike}, limit - 1)
            short |= {name: f"…{words.removeprefix('…')}" for name, words in rest.items()}
    return short


def _alike(short: Mapping[str, str]) -> list[list[str]]:
    """The names that are short for the same, in groups of two and more."""
    groups: dict[str, list[str]] = {}
    for name, words in short.items():
        groups.setdefault(words, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def file_stem(title: str) -> str:
    """What files about a data set are called: its name without an ending, with only what every file system takes.

    >>> file_stem("Breast cancer: two models"), file_stem("../ward <9>.csv"), file_stem("☂")
    ('Breast cancer two models', 'ward 9', 'data')
    """
    safe = "".join(c if c.isalnum() or c in "-_" else " " for c in PurePath(title).stem)
    return " ".join(safe.split())[:60].strip() or "data"


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
