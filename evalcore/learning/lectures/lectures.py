"""A lecture: a title and its parts in their order, as text for a link and as a JSON file."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from evalcore.learning.lectures.parts import LectureProblem, Part
from evalcore.learning.questions import Step, content_of
from evalcore.registry.pages import page_at
from evalcore.wording import read_json

__all__ = ["LESSONS", "Lecture", "drawn_of", "drawn_text", "mistakes_of", "mistakes_text", "options_of", "page_of"]


_VERSION = "1."

_LONGEST_LINK, _LARGEST_FILE, _MOST_PARTS, _LONGEST_TITLE = 6_000, 60_000, 60, 120

_CUT = "This link holds no lecture that can be read. It may be cut: copy it again, or open the lecture's file."


@dataclass(frozen=True)
class Lecture:
    """A title and parts, which play as steps; every student's own numbers follow from a seed."""

    title: str
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        """Raises LectureProblem where there are too many parts or the title is too long."""
        if not isinstance(self.title, str) or len(self.title) > _LONGEST_TITLE:
            raise LectureProblem(f"The title of a lecture is a text of at most {_LONGEST_TITLE} characters.")
        if len(self.parts) > _MOST_PARTS:
            raise LectureProblem(f"A lecture has at most {_MOST_PARTS} parts; this one has {len(self.parts)}.")

    def steps(self, seed: int = 0) -> list[Step]:
        """Steps with the numbers of a seed. Raises LectureProblem for a part that is missing or cannot be computed."""
        return [step for index, part in enumerate(self.parts) for step in part.steps(part_seed(seed, index))]

    @cached_property
    def digest(self) -> str:
        """Sixteen digits that change with the lecture, and with the stories and challenges it is made of."""
        played = [(step.title, step.text, step.question and step.question.text) for step in self.steps()]
        return hashlib.sha256(f"{self.json()}{played}".encode()).hexdigest()[:16]

    def json(self) -> str:
        """The lecture as a file."""
        content = {"evalcore lecture": 1, "title": self.title, "parts": [_changed_fields(part) for part in self.parts]}
        return json.dumps(content, ensure_ascii=False, indent=1)

    def link(self) -> str:
        """The lecture as a text for a link. Raises LectureProblem where it is too long for one."""
        content = [self.title, *map(_changed_fields, self.parts)]
        packed = zlib.compress(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), 9, wbits=-15)
        text = _VERSION + base64.urlsafe_b64encode(packed).decode().rstrip("=")
        if len(text) > _LONGEST_LINK:
            raise LectureProblem(
                f"This lecture needs a link of {len(text)} characters, and links beyond {_LONGEST_LINK} get cut on "
                "their way. Give students the file, or shorten the texts."
            )
        return text

    @classmethod
    def from_link(cls, text: str) -> "Lecture":
        """The lecture of a link. Raises LectureProblem, with a sentence."""
        if len(text) > _LONGEST_LINK or not text.startswith(_VERSION):
            newer = text.partition(".")[0].isdecimal() and len(text) <= _LONGEST_LINK
            raise LectureProblem("This link is from another version of Evalcore." if newer else _CUT)
        body = text.removeprefix(_VERSION)
        try:
            unpack = zlib.decompressobj(wbits=-15)
            content = unpack.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)), _LARGEST_FILE)
            if not unpack.eof:
                raise LectureProblem(_CUT)
            if not isinstance(written := read_json(content, _refuse), list):
                raise LectureProblem(_CUT)
            title, *parts = written
        except (ValueError, TypeError, zlib.error, RecursionError) as error:
            raise LectureProblem(_CUT) from error
        return cls(title, tuple(map(_read_part, parts)))

    @classmethod
    def from_json(cls, text: str) -> "Lecture":
        """The lecture of a file. Raises LectureProblem, with a sentence."""
        if len(text) > _LARGEST_FILE:
            raise LectureProblem(f"A lecture's file has at most {_LARGEST_FILE:,} characters.")
        try:
            content = read_json(text, _refuse)
            version, title, parts = content["evalcore lecture"], content["title"], content["parts"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise LectureProblem(
                "This file is not a lecture. Open the JSON file that this page has written."
            ) from error
        if version != 1 or not isinstance(parts, list):
            raise LectureProblem("This file is from another version of Evalcore.")
        return cls(title, tuple(map(_read_part, parts)))

    def with_part(self, part: Part, index: int | None = None) -> "Lecture":
        """Return the lecture with a part at the end, or in place of the one at an index."""
        parts = [*self.parts, part] if index is None else [*self.parts[:index], part, *self.parts[index + 1 :]]
        return replace(self, parts=tuple(parts))

    def without_part(self, index: int) -> "Lecture":
        return replace(self, parts=self.parts[:index] + self.parts[index + 1 :])

    def with_part_moved(self, index: int, by: int) -> "Lecture":
        """Return the lecture with a part moved up (by −1) or down (by 1)."""
        others = self.without_part(index).parts
        target = min(max(index + by, 0), len(others))
        return replace(self, parts=(*others[:target], self.parts[index], *others[target:]))


def part_seed(seed: int, index: int) -> int:
    """The seed of one part: 0, the numbers that everybody sees in a room, stays 0."""
    return seed and int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:4])


def _changed_fields(part: Part) -> dict[str, Any]:
    """Return the fields that differ from an empty part."""
    pairs = ((one.name, getattr(part, one.name), one.default) for one in fields(Part))
    return {name: value for name, value, default in pairs if value != default and value not in ({}, ())}


def _read_part(content: object) -> Part:
    known = {one.name for one in fields(Part)}
    if not isinstance(content, Mapping) or not content.keys() <= known:
        raise LectureProblem("A part of this lecture is of a kind that this version of Evalcore does not know.")
    return Part(**{name: _frozen(value) for name, value in content.items()})


def _frozen(value: Any) -> Any:
    """Lists as tuples, in a mapping too: so a part that was read is equal to the one that was written."""
    if isinstance(value, dict):
        return {name: _frozen(one) for name, one in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _refuse(constant: str) -> float:
    raise ValueError(constant)


_NOT_CARRIED = ("present", "lecture", "lecture_step", "lecture_part", "seed", "answers", "room", "host")


def options_of(text: str) -> tuple[tuple[str, ...], int]:
    """Answers to choose from, one for each line, and the index of the right one, which begins with a star."""
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


def page_of(link: str) -> tuple[str, dict[str, str]]:
    """The page of a link of the application, and its settings. Raises LectureProblem."""
    if not link.strip():
        return "", {}
    try:
        parts = urlsplit(link.strip())
        url = parts.path.rstrip("/").rpartition("/")[2]
        settings = dict(parse_qsl(parts.query, max_num_fields=60))
    except ValueError:
        url, settings = "?", {}
    page = page_at(url)
    if not page:
        raise LectureProblem("This link leads to no page of Evalcore. Copy it from the address line of the page.")
    return page, {name: value for name, value in settings.items() if name not in _NOT_CARRIED}


LESSONS = {
    id: Lecture(lesson["title"], tuple(map(_read_part, lesson["parts"])))
    for id, lesson in content_of("lessons.json").items()
}
"""The ready lectures by their name in a link; notes for each are in ``sample_data/lessons``."""
