"""Long tables, with one row per case and system: recognized, and the step that makes one row per case of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from evalcore.readers.base import column_names as names
from evalcore.readers.base.problems import Finding, Lines, named
from evalcore.readers.base.values import Column, Columns
from evalcore.readers.shapes.class_steps import Answers
from evalcore.readers.shapes.recognition import is_answer
from evalcore.readers.steps.rows import Wide
from evalcore.wording.numbers import count_text

__all__ = ["opening_steps"]

_MOST_SYSTEMS = 50
_MOST_IDS = 2
_OPENING = ("long", "one-hot", "logits", "class ranking")


def opening_steps(findings: tuple[Finding, ...]) -> str | None:
    """The steps with which a table opens, as their findings are sure: such as one row per case; None for others."""
    sure = (finding for finding in findings if finding.level == "warning" and finding.code in _OPENING)
    return next((finding.action for finding in sure if finding.action), None)


def long_findings(columns: Columns, lines: Lines) -> Iterator[Finding]:
    """Say that the rows of a table belong to several systems; the action makes one row per case."""
    system = next((c for c in columns if names_systems(c)), None)
    if system is None:
        return
    others = [c for c in columns if c is not system]
    ids = [c for c in others if names.is_identifier(c.name) and not c.missing_count and c.distinct > 1]
    ids = [c for c in ids if not (c.is_number and not c.is_whole)]
    for case in (*((c,) for c in ids), *combinations(ids, _MOST_IDS)):
        codes = pd.factorize(pd.MultiIndex.from_arrays([c.values for c in case]))[0]
        repeats = np.bincount(codes)
        if len(repeats) * 2 > len(codes) or repeats.max() > 2 * system.distinct:
            continue
        value = _value(others, case, codes)
        if value is None:
            continue
        twice = pd.Series(codes * system.distinct + system.codes).duplicated(keep=False).to_numpy(bool)
        share = float(twice.mean())
        if share > 0.05:
            continue
        one = " and ".join(named(c.name) for c in case)
        sentence = f"There is one row per {one} and {named(system.name)}, so the rows mix "
        sentence += f"{count_text(system.distinct)} systems. "
        if share:
            first = int(twice.argmax())
            again = np.flatnonzero(twice & (codes == codes[first]) & (system.codes == system.codes[first]))[1]
            sentence += f"They cannot be parted because {lines.at(first)} and {lines.at(again)} are both of "
            sentence += f"{named(system.texts[system.codes[first]])} for the same case. Keep one of them in the file."
            yield Finding("warning", sentence, int(twice.sum()), system.name, code="long")
        else:
            sentence += f"Make one row per case, with a column of {named(value.name)} for each system."
            action = Wide(tuple(c.name for c in case), system.name, value.name).to_text()
            if is_answer(value):
                action += f"~~{Answers(system.texts, '').to_text()}"
            yield Finding("warning", sentence, len(codes), system.name, action, code="long")
        return


def names_systems(column: Column, words: frozenset[str] = names.LONG_SYSTEM) -> bool:
    """Whether a column names the system of each row, by its name and by how many it names."""
    stem = names.simple(column.name).removesuffix("_name").removesuffix("_id")
    if stem not in words or column.missing_count or not column.is_few:
        return False
    return 1 < column.distinct <= _MOST_SYSTEMS and (not column.is_number or column.is_whole)


def _value(others: list[Column], case: tuple[Column, ...], codes: np.ndarray) -> Column | None:
    """The column of what the systems say of each case: a score, else a prediction, else the only number."""
    free = [c for c in others if c not in case and not names.is_actual(c.name)]
    for fits in (
        lambda c: names.is_score(c.name) and c.is_number,
        lambda c: names.is_predicted(c.name) or names.is_estimate(c.name),
        lambda c: is_answer(c) and _differs(c, codes),
    ):
        if fitting := [c for c in free if fits(c)]:
            return fitting[0]
    numbers = [c for c in free if c.is_quantity and not names.is_identifier(c.name) and _differs(c, codes)]
    return numbers[0] if len(numbers) == 1 else None


def _differs(column: Column, codes: np.ndarray) -> bool:
    """Whether the rows of a case have different values."""
    return bool((column.values.groupby(codes).nunique() > 1).any())
