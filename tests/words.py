"""Golden files of words: what pages and sentences say is kept in files, and no test repeats it.

A test of a verdict asserts its answer and its numbers, `facts(verdict) == "Yes 0.03"`, and the wording goes to the
file beside the test. `make words` writes all of them anew, without what no test says any more: read their change
before it is committed.
"""

import difflib
import html
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[1]
RENEW = os.environ.get("WORDS") == "renew"

_FACT = re.compile(
    r'"([^"\n]{1,60})"|“([^”\n]{1,60})”'  # a name: of a column, a class, a value
    r"|^\W*(Yes|No|Unclear)\b(?=[:.,])|\b(better|worse)\b"
    r"|(?<![\w.])([-+−]?\d[\d\u202f]*(?:,\d{3})*(?:\.\d+)?(?:e[-−]?\d+)?(?:[\u2009\u202f ]?%)?)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"\n|(?<=[.!?])\W*\s+(?=\W*[A-Z])")
_TEXTS = {"body", "label", "help", "content", "placeholder", "alt", "caption"}
_LINK = re.compile(r"\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)")
_NOT_READ = re.compile(r"<(style|script|svg|details)\b.*?</\1>", re.DOTALL)  # details: tables to be copied
_INLINE = re.compile(r"</?(?:a|b|i|em|strong|span|sub|sup|code|mark|small|abbr)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_DIGITS = re.compile(r"[−+]?\d[\d\u202f.,]*")
_RUN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC|\b(?:evalcore|Python|numpy|scipy|pandas|plotly|pyarrow) \d[\d.]+\w*")
"""When and with which versions of packages something was made."""
_WORD = re.compile(r"[^\W\d_]{2}")


def facts(text: object) -> str:
    """What a text answers, the names it quotes and its numbers, in order; its wording goes to the golden file.

    Yes, No or Unclear is an answer, and so are better and worse; numbers are without the spaces between their digits.
    """
    return " ".join(_facts(_recorded(_one(text))))


def sentence_with(text: object, *parts: str) -> str:
    """The first sentence of a text that holds all these facts and words, which goes to the golden file; or nothing."""
    for one in _SENTENCES.split(_one(text)):
        known, plain = {*_facts(one)}, html.unescape(one).replace("\\", "")
        if all({part, *_facts(part)} & known if _FACT.fullmatch(part) else part in plain for part in parts):
            return _recorded(one)
    return ""


def _facts(text: str) -> list[str]:
    found = _FACT.finditer(html.unescape(text).replace("\\", ""))
    tokens = (next((group, part) for group, part in enumerate(match.groups()) if part) for match in found)
    return [re.sub("[\u2009\u202f ,]", "", part).replace("−", "-") if group == 4 else part for group, part in tokens]


def _one(text: object) -> str:
    return text if isinstance(text, str) else "\n".join(map(str, text)) if isinstance(text, Iterable) else str(text)


def _recorded(text: str) -> str:
    file, _, test = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0].partition("::")
    test = test.partition("[")[0]  # its cases share their words: not every machine has all engines
    golden = golden_of(ROOT / file)
    said, recorded = _said.setdefault(golden, {}).setdefault(test, []), text
    if not RENEW and text not in (kept := _golden(golden).get(test, [])):
        recorded = next(iter(difflib.get_close_matches(text, kept, 1, 0)), "")
        compare(text, recorded, golden)
    said += [] if recorded in said else [recorded]
    return text


_said: dict[Path, dict[str, list[str]]] = {}


def golden_of(file: Path) -> Path:
    """The golden file beside a file of tests."""
    return file.parent / "words" / f"{file.stem.removeprefix('test_')}.json"


def settle(file: Path, passed: Collection[str]) -> None:
    """After the last test of a file: fail on words that no test says any more, or write its golden file anew.

    Words stay of tests that exist and are not among those whose every case has passed.
    """
    golden, source = golden_of(file), file.read_text(encoding="utf-8")
    said, before = _said.pop(golden, {}), _golden(golden)
    left = {test for test in before if f"def {test.rpartition('::')[2]}(" in source} - {*passed}
    if RENEW:
        now = {test: before[test] for test in left} | said
        _golden.cache_clear()
        if now:
            golden.parent.mkdir(exist_ok=True)
            text = json.dumps(dict(sorted(now.items())), ensure_ascii=False, indent=1)
            golden.write_text(f"{text}\n", encoding="utf-8")
        else:
            golden.unlink(missing_ok=True)
    elif dead := [text for test in before.keys() - left for text in before[test] if text not in said.get(test, ())]:
        name = golden.relative_to(ROOT)
        pytest.fail("\n".join((f"{name} has words that no test says any more (make words drops them):", *dead)), False)


@cache
def _golden(path: Path) -> dict[str, list[str]]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def compare(text: str, kept: str, golden: Path) -> None:
    """Fail with what differs from the words of a golden file, but for a last digit that may be rounded either way."""
    if not alike(text, kept):
        lines = difflib.unified_diff(kept.splitlines(), text.splitlines(), "before", "now", lineterm="", n=1)
        name = golden.relative_to(ROOT)
        pytest.fail("\n".join((f"other words than in {name} (make words renews it):", *lines)), pytrace=False)


def alike(text: str, kept: str) -> bool:
    """Whether two texts differ at most by one in the last digit of numbers, as they do on another numpy."""
    numbers = [[one.rstrip(".,") for one in _DIGITS.findall(each)] for each in (text, kept)]
    return _DIGITS.sub("#", text) == _DIGITS.sub("#", kept) and all(
        re.sub(r"\d", "", a) == re.sub(r"\d", "", b)
        and len(a) == len(b)
        and abs(int(re.sub(r"\D", "", a)) - int(re.sub(r"\D", "", b))) <= 1
        for a, b in zip(*numbers, strict=True)
    )


def check(name: str, lines: Iterable[str], folder: Path) -> None:
    """Compare the words of a page with its golden file, or write it."""
    golden, text = folder / "words" / f"{name}.txt", "".join(f"{line}\n" for line in lines)
    if RENEW:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    else:
        compare(text, golden.read_text(encoding="utf-8") if golden.exists() else "", golden)


class PageWords:
    """The lines a page has said, each once (whatever its numbers), under the address where it first did."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: set[str] = set()

    def add(self, address: str, test: AppTest) -> None:
        """Take what is new on the screen."""
        self.lines += ["", f"# {address}"] if self.lines else [f"# {address}"]
        for line in _lines(test.main):
            if (pattern := _DIGITS.sub("#", line)) not in self._known:
                self._known.add(pattern)
                self.lines.append(line)


def _lines(block: Any) -> Iterator[str]:
    for node in block.children.values():
        if getattr(node.proto, "component_name", "") == "table":
            table = json.loads(node.proto.json)  # its cells are data
            shown = [column for column in table["columns"] if not column["folded"]]
            heads, helps = " | ".join(column["heading"] for column in shown), (column["help"] for column in shown)
            yield from filter(_WORD.search, (heads, *helps, table["label"]))
        elif node.type != "code" and isinstance(getattr(node, "proto", None), Message):
            for text in _texts(node.proto):
                yield from (line.rstrip() for line in text.splitlines() if _WORD.search(line))
        yield from _lines(node) if getattr(node, "children", None) else ()


def _texts(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name == "options" and field.type == field.TYPE_STRING:
            yield " | ".join(text for text in value if _WORD.search(text))
        elif field.name in ("json", "columns", "spec") and field.type == field.TYPE_STRING:
            yield from _within(json.loads(value))
        elif field.type == field.TYPE_STRING and field.name in _TEXTS:
            yield _plain(value)
        elif field.type == field.TYPE_MESSAGE:
            for one in value if field.is_repeated else (value,):
                yield from _texts(one) if isinstance(one, Message) else ()


def _within(value: object) -> Iterator[str]:
    """Texts of several words in what a picture or a component is given."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            yield from _within(json.loads(value))
            return
        except ValueError:
            pass
    if isinstance(value, str) and not value.endswith(" domain") and len(_WORD.findall(value)) > 1 and " " in value:
        yield _plain(value)
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _within(one)


def _plain(text: str) -> str:
    """A text without its tags and the targets of its links."""
    text = _TAG.sub("\n", _INLINE.sub("", _NOT_READ.sub("", text))) if "<" in text else text
    return _RUN.sub("…", _LINK.sub(r"\1", html.unescape(text)))
