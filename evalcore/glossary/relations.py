"""How the measures hang together: which cells they read, what they ignore, and what joins one to another."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts
from evalcore.registry import METRICS, MetricDef

__all__ = ["MAPS", "CellsRead", "MeasureMap", "Relation", "cells_read", "map_of", "relations", "relations_of"]

_CELLS = ("tp", "fp", "fn", "tn")
_COUNTS = (13.0, 7.0, 5.0, 31.0)
"""A table in which no two sums of cells are equal, so that a change of any cell shows."""
_COMPLEMENT = "Together they make 1."
_IN_FORMULA = "It stands in the formula."
_WRITTEN: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


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
    """What joins two measures, by their keys, in a sentence."""

    one: str
    other: str
    text: str


@dataclass(frozen=True)
class CellsRead:
    """Which cells of the 2×2 table a measure counts."""

    numerator: frozenset[str]  # above the line; empty where the formula is no single fraction of cells
    denominator: frozenset[str]  # below the line; where there is no such fraction, all cells that matter

    @property
    def ignored(self) -> tuple[str, ...]:
        """Cells that can change without changing the value."""
        return tuple(cell for cell in _CELLS if cell not in self.numerator | self.denominator)


def map_of(key: str) -> MeasureMap:
    """The map that a measure stands on; the first for a measure that stands on none."""
    return next((one for one in MAPS.values() if key in one.keys), next(iter(MAPS.values())))


def cells_read(measure: MetricDef) -> CellsRead:
    """The cells of a measure of counts: those of its fraction, else those that change its value.

    >>> from evalcore import find
    >>> sorted(cells_read(find("recall")).denominator), cells_read(find("F1")).ignored
    (['fn', 'tp'], ('tn',))
    """
    if measure.reads:
        return CellsRead(frozenset(measure.numerator), frozenset(measure.denominator))
    at = float(measure(ConfusionCounts(*_COUNTS)))
    raised = np.array(_COUNTS) + np.eye(4)
    matter = [cell for cell, row in zip(_CELLS, raised, strict=True) if float(measure(ConfusionCounts(*row))) != at]
    return CellsRead(frozenset(), frozenset(matter))


@cache
def relations() -> tuple[Relation, ...]:
    """All relations: those that are written, complements that divide by the same cells, and parts of formulas.

    >>> next(each.text for each in relations() if {each.one, each.other} == {"e_measure", "f_beta"})
    'E = 1 − F.'
    """
    written = [
        Relation(one, other, each["text"])
        for one, several in _WRITTEN["relations"].items()
        for each in several
        for other in each["to"]
    ]
    joined = {frozenset((each.one, each.other)) for each in written}
    counts = [measure for measure in METRICS.values() if measure.family == "counts"]
    followed = [*_complements(counts), *_parts(counts)]
    return (*written, *(each for each in followed if frozenset((each.one, each.other)) not in joined))


def relations_of(key: str) -> list[Relation]:
    """The relations of one measure."""
    return [each for each in relations() if key in (each.one, each.other)]


def _complements(measures: list[MetricDef]) -> list[Relation]:
    shares = [measure for measure in measures if measure.reads]
    return [
        Relation(one.key, other.key, _COMPLEMENT)
        for index, one in enumerate(shares)
        for other in shares[index + 1 :]
        if set(one.denominator) == set(other.denominator)
        and {*one.numerator} ^ {*other.numerator} == {*one.denominator}
    ]


def _parts(measures: list[MetricDef]) -> list[Relation]:
    symbols = {measure.symbol: measure.key for measure in measures if measure.reads}
    return [
        Relation(measure.key, symbols[letter], _IN_FORMULA)
        for measure in measures
        if not measure.reads
        for letter in dict.fromkeys(re.findall(r"[A-Z]{3,}", measure.formula))
        if letter in symbols
    ]
