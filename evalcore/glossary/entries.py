"""The entries of the glossary, found by any name of the field."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts
from evalcore.registry import METRICS, RETRIEVAL, MetricDef, kept_until_registered, measure_named
from evalcore.wording import entry_link

__all__ = ["ADVICE", "MAPS", "Advice", "CellsRead", "Entry", "MeasureMap", "Relation", "View", "cells_read"]
__all__ += ["close_entries", "entries", "entry_of", "map_of", "meaning_link", "message_key", "relations"]
__all__ += ["relations_of", "search_entries"]

_GREEK = {"beta": "β", "alpha": "α", "tau": "τ", "multiple": "2", "recall": "0.1"}


@dataclass(frozen=True)
class View:
    """A state of a page that shows a measure or term."""

    page: str  # section and name, as "classify/confusion"
    parameters: Mapping[str, str]  # of its link
    what: str


@dataclass(frozen=True)
class Entry:
    """An entry of the glossary: a measure of the registry, a term of the field, or a message about a data set."""

    key: str  # as it stands in links
    kind: str  # "measure", "term" or "message"
    title: str
    names: tuple[str, ...]  # other names, as they are written
    text: str  # Markdown
    see: tuple[str, ...] = ()  # keys of other entries
    at: tuple[View, ...] = ()

    @property
    def measure(self) -> MetricDef | None:
        """The definition, where it is a measure."""
        return METRICS.get(self.key) if self.kind == "measure" else None


@kept_until_registered
def entries() -> dict[str, Entry]:
    """Every entry by its key: the measures in the order of the registry, then terms, then messages."""
    made = [*map(_of_measure, METRICS.values()), *_read_entries("term", "terms"), *_read_entries("message", "messages")]
    return {entry.key: entry for entry in made}


def message_key(code: str) -> str:
    """The key of the entry of a finding, from its code: "message-one-class" of "one class"."""
    return "message-" + re.sub(r"\W+", "-", code).strip("-")


def meaning_link(code: str) -> str:
    """A link from a message about a data set to its entry, in Markdown with a blank before; empty without a code."""
    return f" [What it means]({entry_link(message_key(code))})" if message_key(code) in entries() else ""


def entry_of(text: str) -> Entry | None:
    """The entry of a key, or the first that a name finds; None where there is none."""
    return entries().get(text) or next(iter(search_entries(text)), None)


def search_entries(text: str) -> list[Entry]:
    """Entries that go by a name, the nearest names first, then those whose text has the words.

    Names are compared without case, blanks and hyphens; every spelling that `evalcore.find` understands is found.
    """
    if not (wanted := _plain(text)):
        return []
    ranked: dict[str, int] = {}
    for rank, keys in enumerate(_matches(text, wanted)):
        for key in keys:
            ranked.setdefault(key, rank)
    return [entries()[key] for key in sorted(ranked, key=ranked.__getitem__)]


def close_entries(text: str) -> list[Entry]:
    """Entries with names spelled most like a text, at most three, the nearest first."""
    owners = {name: key for key, own in reversed(_names().items()) for name in own}
    return [entries()[key] for key in dict.fromkeys(owners[name] for name in get_close_matches(_plain(text), owners))]


def _matches(text: str, wanted: str) -> Iterator[list[str]]:
    """Keys of the same name, of the same name as the registry reads it, of a beginning, of a part, of the text."""
    names = _names()
    yield [key for key, own in names.items() if wanted in own]
    yield [measure.key for family in (None, RETRIEVAL) if (measure := measure_named(text, family))]
    yield [key for key, own in names.items() if any(name.startswith(wanted) for name in own)]
    if len(wanted) > 1:
        yield [key for key, own in names.items() if any(wanted in name for name in own)]
    if len(wanted) > 3:
        yield [key for key, entry in entries().items() if wanted in _plain(entry.text)]


@kept_until_registered
def _names() -> dict[str, set[str]]:
    return {key: {_plain(name) for name in (key, one.title, *one.names)} for key, one in entries().items()}


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-–—−’']+", "", name).casefold()


def _of_measure(measure: MetricDef) -> Entry:
    stem, brackets, _ = measure.symbol.partition("{")
    spellings = (measure.label, *([stem] if brackets else []), measure.symbol, *measure.aliases, *measure.own_names)
    names = tuple(re.sub(r"\{(\w+)\}", lambda match: _GREEK.get(match[1], "10"), name) for name in spellings)
    others = tuple(name for name in dict.fromkeys(names) if name != measure.name)
    return Entry(measure.key, "measure", measure.name, others, f"{measure.summary} {measure.reading}")


def _read_entries(kind: str, file: str) -> Iterator[Entry]:
    for key, written in _read(file).items():
        at = tuple(View(view.pop("page"), view, view.pop("what")) for view in written.get("at", ()))
        names = tuple(written.get("names", (key,)))
        key = message_key(key) if kind == "message" else key
        yield Entry(key, kind, written["title"], names, written["text"], tuple(written.get("see", ())), at)


@dataclass(frozen=True)
class Advice:
    """Three questions about one kind of output, each with its options, and the measures to choose from."""

    title: str
    questions: Sequence[Mapping]  # with "key", "text" and "options"
    measures: Sequence[Mapping[str, str]]  # with "measure", "because" and, by the key of a question, letters of options

    def recommend(self, answers: Mapping[str, str]) -> list[tuple[MetricDef, str]]:
        """The measures that fit the answers with why, the best first; an answer is one of the options of a question."""
        letters = {one["key"]: "abcd"[one["options"].index(answers[one["key"]])] for one in self.questions}
        fitting = [one for one in self.measures if all(at in one.get(key, at) for key, at in letters.items())]
        return [(METRICS[one["measure"]], one["because"]) for one in fitting[:5]]


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(f"{file}.toml").read_text(encoding="utf-8"))


_WRITTEN = _read("measures")

ADVICE = {key: Advice(one["title"], one["questions"], one["advice"]) for key, one in _WRITTEN["advice"].items()}
"""By what somebody has: decisions, scores, probabilities, rankings, numbers, labels, regions."""

_CELLS = ("tp", "fp", "fn", "tn")
_COUNTS = (13.0, 7.0, 5.0, 31.0)  # a table in which no two sums of cells are equal, so that a change of any cell shows


@dataclass(frozen=True)
class MeasureMap:
    """A map: a title, and rows of keys of measures from top to bottom."""

    key: str
    title: str
    rows: tuple[tuple[str, ...], ...]

    @property
    def keys(self) -> list[str]:
        """Every measure on it."""
        return [key for row in self.rows for key in row]


MAPS = {key: MeasureMap(key, one["title"], tuple(map(tuple, one["rows"]))) for key, one in _WRITTEN["maps"].items()}
"""The maps by key; every measure stands on one of them."""


@dataclass(frozen=True)
class Relation:
    """Relation of two measures, by their keys, in a sentence."""

    one: str
    other: str
    text: str


@dataclass(frozen=True)
class CellsRead:
    """Cells of the 2×2 table that a measure reads."""

    numerator: frozenset[str]  # above the line; empty where the formula is no single fraction of cells
    denominator: frozenset[str]  # below the line; where there is no such fraction, all cells that matter

    @property
    def ignored(self) -> tuple[str, ...]:
        """Cells that can change without changing the value."""
        return tuple(cell for cell in _CELLS if cell not in self.numerator | self.denominator)


def map_of(key: str) -> MeasureMap:
    """The map that shows a measure; the first map for a measure on none."""
    return next((one for one in MAPS.values() if key in one.keys), next(iter(MAPS.values())))


def cells_read(measure: MetricDef) -> CellsRead:
    """The cells of a measure of counts: those of its fraction, else those that change its value."""
    if measure.reads:
        return CellsRead(frozenset(measure.numerator), frozenset(measure.denominator))
    at = float(measure(ConfusionCounts(*_COUNTS)))
    raised = np.array(_COUNTS) + np.eye(4)
    matter = [cell for cell, row in zip(_CELLS, raised, strict=True) if float(measure(ConfusionCounts(*row))) != at]
    return CellsRead(frozenset(), frozenset(matter))


@kept_until_registered
def relations() -> tuple[Relation, ...]:
    """All relations: those that are written, complements that divide by the same cells, and parts of formulas."""
    texts = ((one, each) for one, several in _WRITTEN["relations"].items() for each in several)
    written = [Relation(one, other, each["text"]) for one, each in texts for other in each["to"]]
    joined = {frozenset((each.one, each.other)) for each in written}
    counts = [measure for measure in METRICS.values() if measure.family == "counts"]
    shares = {measure.symbol: measure for measure in counts if measure.reads}
    complements = [
        Relation(one.key, other.key, "They add up to 1.")
        for one, other in combinations(shares.values(), 2)
        if {*one.denominator} == {*other.denominator} == {*one.numerator} ^ {*other.numerator}
    ]
    named = {one.key: dict.fromkeys(re.findall(r"[A-Z]{3,}", one.formula)) for one in counts if not one.reads}
    pairs = ((key, shares[symbol].key) for key, symbols in named.items() for symbol in symbols if symbol in shares)
    parts = [Relation(*pair, "Part of the formula.") for pair in pairs]
    followed = (each for each in (*complements, *parts) if frozenset((each.one, each.other)) not in joined)
    return (*written, *followed)


def relations_of(key: str) -> list[Relation]:
    """The relations of one measure."""
    return [each for each in relations() if key in (each.one, each.other)]
