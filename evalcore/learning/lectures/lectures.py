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
from evalcore.learning.questions import Step
from evalcore.registry.pages import page_at
from evalcore.wording import read_json

__all__ = ["LESSONS", "Lecture", "drawn_of", "drawn_text", "mistakes_of", "mistakes_text", "options_of", "page_of"]


_VERSION = "1."

_LONGEST_LINK, _LARGEST_FILE, _MOST_PARTS, _LONGEST_TITLE = 6_000, 60_000, 60, 120

_CUT = "This link holds no lecture that can be read. It may be cut: copy it again, or open the lecture's file."


@dataclass(frozen=True)
class Lecture:
    """A title and parts, which play as steps; every student's own numbers follow from a seed.

    >>> lecture = Lecture("Precision", (Part(question="Precision of 20 TP and 180 FP?", number="20 / 200"),))
    >>> Lecture.from_link(lecture.link()) == lecture == Lecture.from_json(lecture.json())
    True
    >>> lecture.steps(seed=7)[0].question.rule("10 %").correct
    True
    """

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
            raise LectureProblem("This file is no lecture. Open the JSON file that this page has written.") from error
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


def page_of(link: str) -> tuple[str, dict[str, str]]:
    """The page of a link of the application, and its settings. Raises LectureProblem.

    >>> page_of("http://localhost:8501/confusion?data=cancer_test")
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
    page = page_at(url)
    if not page:
        raise LectureProblem("This link leads to no page of Evalcore. Copy it from the address line of the page.")
    return page, {name: value for name, value in settings.items() if name not in _NOT_CARRIED}


_CONFUSION, _THRESHOLD, _CURVES = "classify/confusion", "classify/threshold", "classify/curves"

_CLASSES, _GRADED = "classify/classes", "retrieve/graded"

LESSONS = {
    "prevalence": Lecture(
        "A test for cancer, and prevalence",
        (
            Part(
                title="One in a thousand",
                text="A test finds 95 % of the people who are ill, and clears 95 % of the healthy. "
                "One person in 1,000 is ill.",
                question="Your test is positive. How likely is it that you are ill?",
                options=("About 95 %", "About 50 %", "About 20 %", "About 2 %"),
                right=3,
                solution="Of 100,000 people, 100 are ill: 95 of them get an alarm, and so do 4,995 healthy people. "
                "95 of 5,090 alarms are true: 1.9 %.",
                mistakes={
                    "About 95 %": "That is the share of the ill who get an alarm. You know the alarm, not the illness: "
                    "of all people with an alarm, how many are ill?",
                    "About 50 %": "That would need as many ill people with an alarm as healthy ones. Count both among "
                    "100,000 people.",
                    "About 20 %": "The healthy are 999 of 1,000, and one in twenty of them gets an alarm. Count the "
                    "alarms among 100,000 people.",
                },
            ),
            Part(story="cancer-test"),
            Part(
                title="Move the prevalence",
                text="Open the page and move the prevalence slider from 1.5 % to 20 %.",
                question="Which two numbers stay as they are?",
                options=("Precision and NPV", "Recall and specificity", "Accuracy and precision"),
                right=1,
                solution="Each looks at one group alone, the ill or the healthy, so the size of the other group does "
                "not matter.",
                mistakes={
                    "Precision and NPV": "Each divides by a number of results, alarms or all-clears, which mix the ill "
                    "with the healthy. What happens to the mixture?",
                    "Accuracy and precision": "Accuracy is a mean over everybody, and precision one over all alarms. "
                    "Both mix the ill with the healthy.",
                },
                page=_CONFUSION,
                settings={"data": "cancer_test"},
            ),
            Part(challenge="ppv_below_half"),
        ),
    ),
    "roc": Lecture(
        "ROC from twenty instances",
        (
            Part(
                title="Order, not size",
                text="A model gives twenty people a score. Then every score is divided by ten.",
                question="What happens to the ROC curve?",
                options=("It moves to the left", "It moves towards the diagonal", "It stays as it is"),
                right=2,
                solution="The curve follows the order of the scores, and dividing by ten keeps the order.",
                mistakes={
                    "It moves to the left": "To the left there are fewer false alarms for the same hits. Does a new "
                    "threshold set people apart whom no threshold told apart before?",
                    "It moves towards the diagonal": "On the diagonal the scores tell nothing. Did a pair of people "
                    "change its order?",
                },
            ),
            Part(story="roc-20"),
            Part(
                title="Row by row",
                text="Open the page, unfold Step by step and go through the rows with Next. Say before each "
                "one whether the curve goes up or to the right.",
                page=_CURVES,
                settings={"data": "roc_20"},
            ),
            Part(challenge="same_auc"),
        ),
    ),
    "interpolation": Lecture(
        "Interpolation on the list of fourteen",
        (
            Part(
                title="Can precision rise again?",
                text="You read a ranked list from the top. After each document you compute precision and recall.",
                question="Further down the list, what can happen?",
                options=(
                    "Both can only fall",
                    "Recall never falls; precision can rise again",
                    "Precision never rises; recall can fall",
                ),
                right=1,
                solution="A relevant document raises recall, and precision too where it is below 1; any other one "
                "leaves recall as it is and never raises precision. The curve is a sawtooth, and interpolation "
                "takes its upper edge.",
                mistakes={
                    "Both can only fall": "Recall counts the relevant documents found so far. Can a document that was "
                    "found get lost further down?",
                    "Precision never rises; recall can fall": "You have swapped them. Precision divides by the rank, "
                    "recall by all relevant documents: which of the two grows down the list?",
                },
            ),
            Part(story="pr-table-14"),
            Part(challenge="interpolated_precision"),
        ),
    ),
    "costs": Lecture(
        "Costs, and where to set the threshold",
        (
            Part(
                title="A miss, or a false alarm",
                text="A missed case costs ten times as much as a false alarm. Your threshold has the best accuracy.",
                question="Where do you look for the cheapest threshold?",
                options=("Lower: more alarms", "Nowhere else: it is the cheapest", "Higher: fewer alarms"),
                right=0,
                solution="Accuracy counts a miss and a false alarm alike. Where misses are expensive, it can pay to "
                "raise more alarms to avoid one, so the cheapest threshold is never higher, and often lower.",
                mistakes={
                    "Nowhere else: it is the cheapest": "The best accuracy has the fewest errors, whatever each costs. "
                    "Which of the two errors would you now rather make?",
                    "Higher: fewer alarms": "A higher threshold avoids false alarms, the cheap error, and adds misses.",
                },
            ),
            Part(story="costs-10-1"),
            Part(
                title="Drag it",
                text="Open the page, choose the goal Lowest cost and raise the cost of a miss from 1 to 10. "
                "The best threshold jumps; between the jumps it stays put.",
                page=_THRESHOLD,
                settings={"data": "roc_20", "t": "0.54", "goal": "Lowest cost"},
            ),
            Part(challenge="cost_threshold"),
        ),
    ),
    "micro-macro": Lecture(
        "Micro against macro",
        (
            Part(
                title="A class nobody finds",
                text="Ninety of 100 pictures show a cat, ten show a hen. A classifier always says cat.",
                question="Macro recall is the mean of the recalls of the classes. What is it here?",
                number="0.5",
                solution="Recall is 100 % for cats and 0 % for hens; their mean is 50 %. Micro recall is 90 %, "
                "the same as accuracy.",
                mistakes={
                    "0.9": "That is accuracy, and micro recall: the cats outweigh the hens. Take the recall of each "
                    "class first, then their mean.",
                    "0": "That is the recall of the hens. The cats are all found; take the mean of both.",
                    "1": "That is the recall of the cats. No hen is found; take the mean of both.",
                    "0.45": "That is the macro precision if hens, which are never called, count 0. Recall divides by "
                    "the actual cats and hens.",
                },
            ),
            Part(story="cat-fish-hen"),
            Part(
                title="Both averages side by side",
                text="Open the page and compare the averages. Which class pulls macro F1 away from micro F1?",
                page=_CLASSES,
                settings={"data": "cat_fish_hen"},
            ),
            Part(challenge="macro_up_micro_down"),
        ),
    ),
    "ndcg": Lecture(
        "nDCG: gain, discount, ideal",
        (
            Part(
                title="Which list is better?",
                text="List A has grades 3, 2, 0. List B has grades 2, 3, 0, the same documents in another order.",
                question="Which one should a measure of ranking prefer?",
                options=("Neither", "A", "B"),
                right=1,
                solution="People read from the top, so the best document should come first. Precision at 3 cannot tell "
                "the two apart; a discount by rank can.",
                mistakes={
                    "Neither": "They hold the same documents, but readers take them in order. Which should they meet "
                    "first?",
                    "B": "In B the reader meets the grade 2 before the grade 3. Which one should come first?",
                },
            ),
            Part(story="ndcg-table-10"),
            Part(
                title="Change the discount",
                text="Open the page and choose another discount of rank i. Which documents lose most?",
                page=_GRADED,
                settings={"data": "graded_10"},
            ),
            Part(challenge="ndcg_up_ap_down"),
        ),
    ),
}
"""The ready lectures by their name in a link; notes for each are in ``sample_data/lessons``."""
