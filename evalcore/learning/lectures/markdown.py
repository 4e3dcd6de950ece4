"""A lecture as a Markdown file: its headings are steps, and a block of each asks the question."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlencode

from evalcore.learning.challenges import CHALLENGES
from evalcore.learning.lectures.lectures import Lecture, LectureProblem, Part, drawn_of, drawn_text, page_of
from evalcore.learning.stories import STORIES
from evalcore.registry.pages import PAGES, name_of_today

__all__ = ["lecture_of_file", "lecture_of_markdown", "link_of", "markdown_of"]

_FIELD = re.compile(r"(page|example|challenge): *(.*)")
_ENTRY = re.compile(r"(- \[[ xX]\]|hint:|wrong:|answer:|draw:|unit:|why:) *(.*)")
_SPECIAL = re.compile(rf"(#|```|{_FIELD.pattern}|{_ENTRY.pattern})")
_WORD = re.compile(r"([A-Za-z]{2,10}):(?= |$)")
_BOX = re.compile(r"[-*+] *\[[ xX]{0,2}\]")
_IN_PAGE = re.compile(r'<script type="application/json" id="lecture">(.*?)</script>', re.DOTALL)
_FIELDS, _ENTRIES = ("page", "example", "challenge"), ("draw", "answer", "unit", "wrong", "hint", "why")
_SETTINGS = ("data", "system", "class", "cells", "prevalence", "goal", "gone", "set_beta", "discount", "measure")
_MEANT = {"threshold": "t"} | {name: name for name in _SETTINGS}
"""Settings that a lesson obeys, by the words that are mistyped."""

_OTHER_SETTINGS = ("cell", "thresholds", "mask_threshold", "measures")
"""Settings of pages that look like one of them and are others."""

_UNITS = {"share": True, "number": False}


def lecture_of_file(text: str) -> Lecture:
    """The lecture of a file: JSON, Markdown, or a lesson that was made of one. Raises LectureProblem."""
    if (found := _IN_PAGE.search(text)) is not None:
        return Lecture.from_json(found[1])
    return Lecture.from_json(text) if text.lstrip().startswith("{") else lecture_of_markdown(text)


def markdown_of(lecture: Lecture) -> str:
    """The lecture as Markdown, which `lecture_of_markdown` reads."""
    return "\n\n".join([f"# {_line(lecture.title)}", *("\n\n".join(_written(part)) for part in lecture.parts)]) + "\n"


def link_of(part: Part) -> str:
    """The page of a part with its settings, as a link; empty without one."""
    page = PAGES.get(name_of_today(part.page))
    return "" if page is None else f"/{page.path}?{urlencode(part.settings)}"


def _written(part: Part) -> Iterator[str]:
    """The blocks of a step."""
    named = STORIES.get(part.story) or CHALLENGES.get(part.challenge)
    yield f"## {_line(named.title if named else part.title)}".strip()
    if part.story:
        yield f"example: {part.story} {part.step or ''}".strip()
    if part.challenge:
        yield f"challenge: {part.challenge}"
    yield from (_line(line) for line in part.text.split("\n") if line.strip())
    if link := link_of(part):
        yield f"page: {link}"
    if part.question or part.drawn:
        yield "\n".join(["```question", *_entries(part), "```"])


def _entries(part: Part) -> Iterator[str]:
    """The lines of a question."""
    if part.question:
        yield _line(part.question)
    hints = dict(part.mistakes)
    for index, option in enumerate(part.options):
        yield f"- [{'x' if index == part.right else ' '}] {_line(option, inside=True)}"
        if option in hints:
            yield f"  hint: {_line(hints.pop(option), inside=True)}"
    yield from (f"draw: {line}" for line in drawn_text(part.drawn).splitlines())
    if part.number:
        yield f"answer: {_line(part.number, inside=True)}"
        if not part.is_share or part.is_beyond_shares:
            yield f"unit: {'share' if part.is_share else 'number'}"
    for wrong, hint in hints.items():
        yield f"wrong: {_line(wrong, inside=True)}"
        yield f"  hint: {_line(hint, inside=True)}"
    if part.solution:
        yield f"why: {_line(part.solution, inside=True)}"


def _line(text: str, inside: bool = False) -> str:
    """A text on one line; what would begin an entry at its start has a backslash before it."""
    words = " ".join(text.split())
    return f"\\{words}" if not inside and _is_special(words.lstrip("\\")) else words


def _is_special(line: str) -> bool:
    """Whether a line begins an entry, or looks as if a letter of one were wrong."""
    return _SPECIAL.match(line) is not None or _mistyped(line) != ""


def _mistyped(line: str) -> str:
    """The box of an option, or the word of lower case that is close to a known one; else empty."""
    if box := _BOX.match(line):
        return box[0]
    word = match[1] if (match := _WORD.match(line)) else ""
    return word if word.islower() and get_close_matches(word, _FIELDS + _ENTRIES, 1, 0.75) else ""


def _check_word(at: int, word: str, known: Sequence[str]) -> None:
    """Raise LectureProblem for a word that begins no entry here."""
    if word:
        raise LectureProblem(f"Line {at}: “{word}” is not known here; there are {', '.join(known)}.")


def lecture_of_markdown(text: str) -> Lecture:
    """The lecture of a Markdown file. Raises LectureProblem, with the line where it goes wrong."""
    title, steps = None, list[tuple[int, str, list[tuple[int, str]]]]()
    is_open = False
    for number, line in enumerate(text.splitlines(), 1):
        is_open ^= line.strip().startswith("```")
        match = None if is_open else re.fullmatch(r"(##?)(?: +(.*?))? *", line)
        if match is None:
            if line.strip() and not steps:
                raise LectureProblem(f"Line {number}: begin a step with a heading, ## and its title.")
            if steps:
                steps[-1][2].append((number, line))
        elif title is None and match[1] == "##":
            raise LectureProblem(f"Line {number}: begin a lesson with a line of # and its title.")
        elif match[1] == "##":
            steps.append((number, _shown(match[2] or ""), []))
        elif title is not None:
            raise LectureProblem(f"Line {number}: a lesson has one title, and the headings of its steps begin with ##.")
        else:
            title = _shown(match[2] or "")
    if is_open:
        raise LectureProblem("The last block is not closed. End it with a line of three backticks.")
    if title is None:
        raise LectureProblem("The file is empty. Begin a lesson with a line of # and its title.")
    return Lecture(title, tuple(_part(*step) for step in steps))


def _part(number: int, title: str, lines: list[tuple[int, str]]) -> Part:
    blocks, asked, found = [""], list[tuple[int, str]](), dict[str, Any]()
    in_block = False
    for at, line in lines:
        stripped = line.strip()
        if stripped.startswith("```"):
            if not in_block and (stripped != "```question" or asked):
                raise LectureProblem(f"Line {at}: a step has one block, and it begins with ```question.")
            in_block = not in_block
        elif in_block:
            asked.append((at, stripped))
        elif match := _FIELD.fullmatch(stripped):
            found |= _read_field(at, match[1], match[2].strip())
        elif stripped:
            _check_word(at, _mistyped(stripped), _FIELDS)
            blocks[-1] = f"{blocks[-1]} {_shown(stripped)}".strip()
        elif blocks[-1]:
            blocks.append("")
    try:
        own_title = "" if "story" in found or "challenge" in found else title
        question = _read_question(asked)
        part = Part(title=own_title, text="\n".join(filter(None, blocks)), **found, **question)
        if "is_share" not in question and part.is_beyond_shares:
            problem = "the answer exceeds 1. Write unit: number below it, or unit: share for a percentage."
            raise LectureProblem(problem, part.number)
        return part
    except LectureProblem as problem:
        # The last line that has what it is about as its entry, or else holds it.
        text, about = str(problem), problem.about
        places = [(_ENTRY.sub(r"\2", line.strip()) == about, at) for at, line in lines if about and about in line]
        at = max(places, default=(False, 0))[1]
        place = f"Line {at}" if at else f"Step “{title}” (line {number})"
        raise LectureProblem(text if text.startswith("Line ") else f"{place}: {text}") from problem


def _read_field(at: int, name: str, value: str) -> dict[str, Any]:
    if name == "challenge":
        return {"challenge": value}
    if name == "example":
        id, _, step = value.partition(" ")
        if step and not step.isdecimal():
            raise LectureProblem(f"Line {at}: write an example with the number of its step, such as cancer-test 2.")
        return {"story": id, "step": int(step or 0)}
    try:
        page, settings = page_of(value)
    except LectureProblem as problem:
        raise LectureProblem(f"Line {at}: {problem}") from problem
    for name in settings:
        if name not in ("t", *_SETTINGS, *_OTHER_SETTINGS) and (near := _meant(name)):
            raise LectureProblem(f"Line {at}: “{name}” is no setting of this page; write “{near}”.")
    return {"page": page, "settings": settings}


def _meant(name: str) -> str:
    """The setting that an unknown one is close to, or begins; else empty."""
    begun = [one for one in _MEANT if len(name) > 2 and one.startswith(name)]
    return _MEANT.get(next(iter(begun + get_close_matches(name, _MEANT, 1, 0.75)), ""), "")


def _read_question(lines: list[tuple[int, str]]) -> dict[str, Any]:
    """The fields of a question from the lines of its block."""
    entries: list[list[Any]] = [[0, "", ""]]
    for at, line in lines:
        if match := _ENTRY.fullmatch(line):
            entries.append([at, match[1].rstrip(":").lower(), match[2].strip()])
        elif line:
            word = match[1] if len(entries) > 1 and (match := _WORD.match(line)) else ""
            _check_word(at, _mistyped(line) or (word if len(word) <= 8 else ""), ("- [ ]", *_ENTRIES))
            entries[-1][2] = f"{entries[-1][2]} {_shown(line)}".strip()
    options, mistakes, read = list[str](), dict[str, str](), {"question": entries[0][2]}
    draws, right, wrong = list[str](), list[tuple[int, int]](), ""
    for at, name, value in entries[1:]:
        if name.startswith("- [") or name == "wrong":
            wrong = value
            right += [(len(options), at)] if name == "- [x]" else []
            options += [value] if name != "wrong" else []
        elif name == "hint":
            if not wrong:
                raise LectureProblem(f"Line {at}: a hint stands below the wrong answer that it belongs to.")
            if right and options and wrong == options[right[-1][0]]:
                raise LectureProblem(f"Line {at}: a right option takes no hint.")
            mistakes[wrong] = value
        elif name == "draw":
            draws.append(value)
        elif name == "unit":
            if value not in _UNITS:
                raise LectureProblem(f"Line {at}: the unit of an answer is share or number.")
            read["is_share"] = _UNITS[value]
        else:
            read[{"answer": "number", "why": "solution"}[name]] = value
    if options and len(right) != 1:
        at = right[1][1] if right else lines[0][0]
        raise LectureProblem(f"Line {at}: mark the right answer, and no other, with - [x].")
    answers = {"options": tuple(options), "right": right[0][0] if right else 0, "mistakes": mistakes}
    return read | answers | {"drawn": drawn_of("\n".join(draws))}


def _shown(line: str) -> str:
    """A line without the backslash that keeps it from beginning an entry."""
    return line[1:] if line.startswith("\\") and _is_special(line.lstrip("\\")) else line
