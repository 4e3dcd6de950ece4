"""A lecture: a title and its parts in their order, as text for a link and as a JSON file."""

import ast
import base64
import hashlib
import json
import math
import operator
import random
import re
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from evalcore.learning.challenges import CHALLENGES
from evalcore.learning.questions import LARGEST, Choice, Misconception, Number, OneOf, Question, Step, content_of, near
from evalcore.learning.stories import STORIES
from evalcore.registry.pages import page_at
from evalcore.wording import plain, read_json

__all__ = ["LESSONS", "Lecture", "LectureProblem", "Part", "drawn_of", "drawn_text", "mistakes_of"]
__all__ += ["VARIANTS", "options_of", "page_of"]


class LectureProblem(ValueError):
    """Problem with a lecture or a receipt, in a sentence for its reader; `about` is the text of a step that has it."""

    def __init__(self, sentence: str, about: str = "") -> None:
        super().__init__(sentence)
        self.about = about


_LENGTHS = {"title": 120, "text": 3_000, "question": 1_000, "solution": 1_000, "number": 200}
_LENGTHS |= {"page": 60, "story": 60, "challenge": 60}
_MOST_OPTIONS, _LONGEST_OPTION, _MOST_DRAWN = 8, 200, 8
_TRIED = 20  # drawings of its numbers for which a question is tried before it is asked
_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Part:
    """A part of a lecture. A story, one `step` of it (from 1) or a challenge is identified by its id.

    Else it is the lecturer's own: title, text and the state of a page, with a question whose answer is one of some
    `options` (`right` is its index; students see them in an order of their own) or a `number`: a value, or arithmetic
    with the names in `drawn`, which have whole numbers drawn from their range for each student and stand in braces in
    the texts. `mistakes` are well-known wrong answers, an option or a number, each with the hint that it gets.
    """

    title: str = ""
    text: str = ""
    page: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    question: str = ""
    options: Sequence[str] = ()
    right: int = 0
    number: str = ""
    is_share: bool = True
    drawn: Mapping[str, Sequence[int]] = field(default_factory=dict)
    solution: str = ""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    story: str = ""
    step: int = 0
    challenge: str = ""

    def __post_init__(self) -> None:
        """Raises LectureProblem for what is too long, of the wrong type, or no question that can be answered."""
        for name, longest in _LENGTHS.items():
            if not isinstance(value := getattr(self, name), str) or len(value) > longest:
                raise LectureProblem(f"The {name} of a step is a text of at most {longest:,} characters.")
        _check_settings(self.page, self.settings)
        _check_options(self.options, self.right)
        _check_drawn(self.drawn)
        are_kinds = isinstance(self.step, int) and isinstance(self.is_share, bool)
        _require(are_kinds, "A step of this lecture has a value of the wrong kind.")
        is_one, both = bool(self.options) != bool(self.number), "; not both" if self.options else ""
        _require(is_one or not self.question, f"A question needs answers to choose from, or a number{both}.")
        _check_mistakes(self.mistakes)
        if self.number:
            self._values(0)
        self._check_braces()
        if self.question:
            self._check_wrong()

    @property
    def is_beyond_shares(self) -> bool:
        """Whether the answer exceeds 1 in one of some drawings of its numbers."""
        return bool(self.number) and any(abs(self._values(seed)[""]) > 1 for seed in range(_TRIED))

    def _check_braces(self) -> None:
        """Raise LectureProblem for a name in braces that has no number."""
        texts = (self.title, self.text, self.question, self.solution, *self.options, *self.mistakes.values())
        for name in _NAMED.findall("\n".join(texts)):
            if name not in self.drawn:
                written = f"{{{plain(name)}}}"
                raise LectureProblem(f"{written} is no drawn number. Draw it, or leave out the braces.", f"{{{name}}}")

    def _check_wrong(self) -> None:
        """Raise LectureProblem for a known mistake that counts as right in every drawing that has it."""
        steps = [step for seed in range(_TRIED if self.number else 1) for step in self.steps(seed)]
        drawings = [step.question for step in steps if step.question]
        for wrong in self.mistakes:
            known = [(one, mistake) for one in drawings for mistake in one.misconceptions if mistake.code == wrong]
            if known and all(one.rule(mistake.example).correct for one, mistake in known):
                raise LectureProblem(f"“{plain(wrong)}” counts as right, so it is no wrong answer.", wrong)

    def steps(self, seed: int = 0) -> list[Step]:
        """The steps of this part with the numbers of a seed, 0 for those of the lecturer. Raises LectureProblem."""
        if self.story:
            steps = STORIES[self.story].steps if self.story in STORIES else ()
            if not steps or not 0 <= self.step <= len(steps):
                known = f"This version of Evalcore has no example {plain(self.story)}"
                raise LectureProblem(f"{known} with step {self.step}.")
            return list(steps[self.step - 1 : self.step] if self.step else steps)
        if self.challenge:
            if (one := CHALLENGES.get(self.challenge)) is None:
                raise LectureProblem(f"This version of Evalcore has no challenge {plain(self.challenge)}.")
            question = one.question(seed)
            settings = question.settings_of(question.answer.solution)
            return [Step(one.title, "", question, page=question.page, settings=settings)]
        values = self._values(seed)
        question = self._question(seed, values) if self.question else None
        text = "\n\n".join(plain(line, 3_000) for line in _filled(self.text, values).split("\n") if line.strip())
        title = plain(_filled(self.title, values), 120) or ("Question" if question else "Step")
        return [Step(title, text, question, page=self.page, settings=self.settings, page_first=True)]

    def _question(self, seed: int, values: Mapping[str, float]) -> Question:
        text, solution = (plain(_filled(words, values), 1_000) for words in (self.question, self.solution))
        if not self.options:
            tolerance = 0.005 * (1 if self.is_share else max(1.0, abs(values[""])))
            number = Number(values[""], self.is_share, tolerance)
            return Question(text, number, self._wrong_numbers(values, tolerance), solution)
        source = random.Random(seed)
        order = sorted(range(len(self.options)), key=lambda index: source.random() if seed else index)
        options = tuple(plain(_filled(self.options[index], values), _LONGEST_OPTION) for index in order)
        known = self._wrong_options({option: order.index(index) for index, option in enumerate(self.options)}, values)
        return Question(text, Choice(options, order.index(self.right)), known, solution)

    def _wrong_options(self, places: Mapping[str, int], values: Mapping[str, float]) -> list[Misconception]:
        """The mistakes that lead to an option, by where the options stand."""
        if unknown := self.mistakes.keys() - places.keys() | self.mistakes.keys() & {self.options[self.right]}:
            raise LectureProblem(f"“{plain(min(unknown))}” is none of the wrong answers to choose from.", min(unknown))
        return [
            Misconception(option, OneOf((places[option],)), plain(_filled(hint, values), 1_000), places[option])
            for option, hint in self.mistakes.items()
        ]

    def _wrong_numbers(self, values: Mapping[str, float], tolerance: float) -> list[Misconception]:
        """The mistakes that lead to a number, without those that divide by 0 for the numbers drawn."""
        known = []
        for written, hint in self.mistakes.items():
            with suppress(ZeroDivisionError, OverflowError):
                wrong = _computed(written, values)
                known.append(Misconception(written, near(wrong, tolerance), plain(_filled(hint, values), 1_000), wrong))
        return known

    def _values(self, seed: int) -> dict[str, float]:
        """The drawn numbers by their names, and the answer under ""; the first of some draws that has an answer."""
        source = random.Random(seed)
        for draw in range(_TRIED):
            lowest = seed == 0 and draw == 0
            values = {
                name: float(low if lowest else low + int(source.random() * (high - low + 1)))
                for name, (low, high) in self.drawn.items()
            }
            try:
                return values | {"": _computed(self.number, values) if self.number else 0.0}
            except (ZeroDivisionError, OverflowError):
                continue
        problem = f"“{plain(self.number)}” divides by 0 for the numbers of this step, or is too large."
        raise LectureProblem(problem, self.number)


def _filled(text: str, values: Mapping[str, float]) -> str:
    """Fill the drawn numbers into a text in place of their names in braces."""
    return _NAMED.sub(lambda match: f"{values[match[1]]:.0f}" if match[1] in values else match[0], text)


_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def _computed(written: str, values: Mapping[str, float]) -> float:
    """The value of arithmetic with + − * / and parentheses over numbers and names. Raises LectureProblem."""
    try:
        value = _value(ast.parse(written.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        names = f", and the names {plain(', '.join(values), 200)}" if values else ""
        problem = f"“{plain(written)}” cannot be computed. Use numbers, + - * / and parentheses{names}."
        raise LectureProblem(problem, written) from error
    if not math.isfinite(value):
        raise OverflowError(written)
    return value


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, values)
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and abs(node.value) <= LARGEST:
        return float(node.value)
    raise ValueError(node)


def _require(holds: object, rule: str) -> None:
    """Raise LectureProblem with a rule that does not hold."""
    if not holds:
        raise LectureProblem(rule)


def _check_settings(page: str, settings: Any) -> None:
    is_page = not page or re.fullmatch(r"[a-z]+/[a-z_]+", page)
    _require(is_page, "A step names its page by section and name, such as classify/confusion.")
    are_few = isinstance(settings, Mapping) and len(settings) <= 40
    _require(are_few, "The settings of a page are at most 40 names with their values.")
    for name, value in settings.items():
        short = isinstance(value, str) and re.fullmatch(r"\w{1,40}", str(name)) and len(value) <= 2_000
        _require(short, "The settings of a page are names with short texts.")


def _check_options(options: Any, right: object) -> None:
    fit = isinstance(options, Sequence) and not isinstance(options, str)
    fit = fit and len(options) != 1 and len(options) <= _MOST_OPTIONS
    _require(
        fit and all(isinstance(one, str) and 0 < len(one) <= _LONGEST_OPTION for one in options),
        f"A question has 2 to {_MOST_OPTIONS} answers to choose from, of at most {_LONGEST_OPTION} characters each.",
    )
    is_one = isinstance(right, int) and 0 <= right < max(len(options), 1)
    _require(is_one, "The right answer must be one of the answers.")


def _check_mistakes(mistakes: Any) -> None:
    rule = f"A known mistake is a wrong answer with its hint; at most {_MOST_OPTIONS} of them."
    _require(isinstance(mistakes, Mapping) and len(mistakes) <= _MOST_OPTIONS, rule)
    for wrong, hint in mistakes.items():
        _require(isinstance(wrong, str) and len(wrong) <= _LONGEST_OPTION, rule)
        _require(isinstance(hint, str) and 0 < len(hint) <= _LENGTHS["solution"], rule)


def _check_drawn(drawn: Any) -> None:
    rule = f"A drawn number has a name and two whole limits up to {LARGEST:,}, such as tp from 20 to 60."
    _require(isinstance(drawn, Mapping) and len(drawn) <= _MOST_DRAWN, f"A step draws at most {_MOST_DRAWN} numbers.")
    for name, limits in drawn.items():
        _require(re.fullmatch(r"[a-z]\w{0,19}", str(name), re.ASCII) and isinstance(limits, Sequence), rule)
        _require(len(limits) == 2 and all(type(one) is int and abs(one) <= LARGEST for one in limits), rule)
        _require(limits[0] <= limits[1], rule)


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
        is_title, count = isinstance(self.title, str) and len(self.title) <= _LONGEST_TITLE, len(self.parts)
        _require(is_title, f"The title of a lecture is a text of at most {_LONGEST_TITLE} characters.")
        _require(count <= _MOST_PARTS, f"A lecture has at most {_MOST_PARTS} parts; this one has {count}.")

    def steps(self, seed: int = 0) -> list[Step]:
        """Steps with the numbers of a seed. Raises LectureProblem for a part that is missing or cannot be computed."""
        return [step for index, part in enumerate(self.parts) for step in part.steps(part_seed(seed, index))]

    @cached_property
    def digest(self) -> str:
        """Sixteen digits that change with the lecture, and with the stories and challenges it is made of."""
        played = [(step.title, step.text, step.question and step.question.text) for step in self.steps()]
        return hashlib.sha256(f"{VARIANTS}{self.json()}{played}".encode()).hexdigest()[:16]

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
            needs = f"This lecture needs a link of {len(text)} characters, and links beyond {_LONGEST_LINK} get cut"
            raise LectureProblem(f"{needs} on their way. Give students the file, or shorten the texts.")
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
            if not unpack.eof or not isinstance(written := read_json(content, refuse), list):
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
            content = read_json(text, refuse)
            version, title, parts = content["evalcore lecture"], content["title"], content["parts"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            problem = "This file is not a lecture. Open the JSON file that this page has written."
            raise LectureProblem(problem) from error
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


VARIANTS = 200
"""So many drawings of its numbers has a part: few enough that a file without a server holds them all."""


def part_seed(seed: int, index: int) -> int:
    """The seed of one part, up to `VARIANTS`: 0, the numbers that everybody sees in a room, stays 0."""
    return seed and 1 + int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:4]) % VARIANTS


def _changed_fields(part: Part) -> dict[str, Any]:
    """Return the fields that differ from an empty part."""
    pairs = ((one.name, getattr(part, one.name), one.default) for one in fields(Part))
    return {name: value for name, value, default in pairs if value != default and value not in ({}, ())}


def _read_part(content: Any) -> Part:
    is_known = isinstance(content, Mapping) and content.keys() <= {one.name for one in fields(Part)}
    _require(is_known, "A part of this lecture is of a kind that this version of Evalcore does not know.")
    return Part(**{name: _frozen(value) for name, value in content.items()})


def _frozen(value: Any) -> Any:
    """Lists as tuples, in a mapping too: so a part that was read is equal to the one that was written."""
    if isinstance(value, dict):
        return {name: _frozen(one) for name, one in value.items()}
    return tuple(value) if isinstance(value, list) else value


def refuse(constant: str) -> float:
    """Refuse NaN and Infinity in JSON."""
    raise ValueError(constant)


_NOT_CARRIED = ("present", "lecture", "lecture_step", "lecture_part", "seed", "answers", "room", "host")


def options_of(text: str) -> tuple[tuple[str, ...], int, dict[str, str]]:
    """Answers to choose from, one for each line, the index of the right one, which begins with a star, and their hints.

    >>> options_of("* TP / (TP + FP)\\nTP / (TP + FN) | That is recall.")
    (('TP / (TP + FP)', 'TP / (TP + FN)'), 0, {'TP / (TP + FN)': 'That is recall.'})
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    right = [index for index, line in enumerate(lines) if line.startswith("*")]
    if lines and len(right) != 1:
        raise LectureProblem("Begin the right answer, and no other, with a star: * TP / (TP + FP)")
    pairs = [line.removeprefix("*").strip().partition(" | ") for line in lines]  # P(A|B) has a bar of its own
    hints = {option.strip(): hint.strip() for option, _, hint in pairs if hint.strip()}
    return tuple(option.strip() for option, *_ in pairs), right[0] if right else 0, hints


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


def drawn_text(drawn: Mapping[str, Sequence[int]]) -> str:
    """Drawn numbers as `drawn_of` reads them."""
    return "\n".join(f"{name} {low} {high}" for name, (low, high) in drawn.items())


def mistakes_of(text: str) -> dict[str, str]:
    """Known mistakes, one for each line: the wrong number, a bar and its hint. Raises LectureProblem.

    >>> mistakes_of("20 / 30 | You divided by the row.")
    {'20 / 30': 'You divided by the row.'}
    """
    pairs = [line.partition("|") for line in text.splitlines() if line.strip()]
    if not all(wrong.strip() and hint.strip() for wrong, _, hint in pairs):
        raise LectureProblem("Write each wrong number with a bar and its hint: 20 / 30 | That is recall.")
    return {wrong.strip(): hint.strip() for wrong, _, hint in pairs}


def page_of(link: str) -> tuple[str, dict[str, str]]:
    """The page of a link of the application, and its settings. Raises LectureProblem."""
    if not link.strip():
        return "", {}
    page, settings = "", {}
    with suppress(ValueError):
        parts = urlsplit(link.strip())
        settings = dict(parse_qsl(parts.query, max_num_fields=60))
        page = page_at(parts.path.rstrip("/").rpartition("/")[2])
    if not page:
        raise LectureProblem("This link leads to no page of Evalcore. Copy it from the address line of the page.")
    return page, {name: value for name, value in settings.items() if name not in _NOT_CARRIED}


_LESSONS = content_of("lessons.json")
LESSONS = {id: Lecture(one["title"], tuple(map(_read_part, one["parts"]))) for id, one in _LESSONS.items()}
"""The ready lectures by their name in a link; notes for each are in ``sample_data/lessons``."""
