"""What a lecturer types, as parts of a lecture."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from .parts import LectureProblem

__all__ = ["drawn_of", "drawn_text", "mistakes_of", "mistakes_text", "options_of", "page_of"]

_NOT_CARRIED = ("present", "lecture", "lecture_step", "lecture_part", "seed", "answers", "room", "host")


def options_of(text: str) -> tuple[tuple[str, ...], int]:
    """Answers to choose from, one for each line, and the index of the right one, which begins with a star.

    >>> options_of("TP / N\\n* TP / (TP + FP)")
    (('TP / N', 'TP / (TP + FP)'), 1)
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    right = [index for index, line in enumerate(lines) if line.startswith("*")]
    if lines and len(right) != 1:
        raise LectureProblem("Begin the right answer, and no other, with a star: * TP / (TP + FP)")
    return tuple(line.removeprefix("*").strip() for line in lines), right[0] if right else 0


def drawn_of(text: str) -> dict[str, tuple[int, int]]:
    """Drawn numbers, one for each line: name, lowest and highest. Raises LectureProblem.

    >>> drawn_of("tp 20 60\\nfp from 100 to 400")
    {'tp': (20, 60), 'fp': (100, 400)}
    """
    drawn = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        match = re.fullmatch(r"(\w+)\W+(?:from\s+)?(-?\d{1,10})\W+(?:to\s+)?(-?\d{1,10})", line)
        if match is None:
            raise LectureProblem("Write each drawn number as a name and two limits: tp 20 60")
        drawn[match[1]] = (int(match[2]), int(match[3]))
    return drawn


def drawn_text(drawn: Mapping[str, tuple[int, int]]) -> str:
    """Drawn numbers as `drawn_of` reads them."""
    return "\n".join(f"{name} {low} {high}" for name, (low, high) in drawn.items())


def mistakes_of(text: str) -> dict[str, str]:
    """Known mistakes, one for each line: the wrong answer, a bar and its hint. Raises LectureProblem.

    >>> mistakes_of("20 / 30 | You divided by the row.")
    {'20 / 30': 'You divided by the row.'}
    """
    pairs = [line.partition("|") for line in text.splitlines() if line.strip()]
    if not all(wrong.strip() and hint.strip() for wrong, _, hint in pairs):
        raise LectureProblem("Write each known mistake as a wrong answer, a bar and a hint: 20 / 30 | That is recall.")
    return {wrong.strip(): hint.strip() for wrong, _, hint in pairs}


def mistakes_text(mistakes: Mapping[str, str]) -> str:
    """Known mistakes as `mistakes_of` reads them."""
    return "\n".join(f"{wrong} | {hint}" for wrong, hint in mistakes.items())


def page_of(link: str, pages: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The page of a link of the application, by the pages there are, and its settings. Raises LectureProblem.

    >>> page_of("http://localhost:8501/confusion?data=cancer_test", {"confusion": "classify/confusion"})
    ('classify/confusion', {'data': 'cancer_test'})
    """
    if not link.strip():
        return "", {}
    try:
        parts = urlsplit(link.strip())
        url = parts.path.rstrip("/").rpartition("/")[2]
        settings = dict(parse_qsl(parts.query, max_num_fields=60))
    except ValueError:
        url, settings = "?", {}
    if url not in pages:
        raise LectureProblem("This link leads to no page of Evalcore. Copy it from the address line of the page.")
    return pages[url], {name: value for name, value in settings.items() if name not in _NOT_CARRIED}
