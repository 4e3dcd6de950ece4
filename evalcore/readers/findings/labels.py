"""Findings about labels: missing, one class only, too many, spelt in two ways, and which one is positive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from evalcore.readers.columns import Column, Columns
from evalcore.readers.findings.rows import missing_cells
from evalcore.readers.problems import Finding, listed, named, rows
from evalcore.readers.table import Table
from evalcore.readers.values import positive_value, text_of
from evalcore.wording.numbers import count_text


def label_findings(table: Table, columns: Columns) -> Iterator[Finding]:
    """What there is to say about the actual and the predicted labels."""
    roles = table.roles
    actual = columns[roles.actual]
    predicted = [columns[name] for name in roles.predicted]
    for column in (actual, *predicted):
        yield from missing_cells(table, column, "label")
    if actual.missing_count == len(actual):
        return
    if not actual.is_few or (actual.distinct > 50 and actual.distinct * 2 > len(actual)):
        like = "a number to estimate" if actual.is_number and not actual.is_whole else "an identifier or a number"
        sentence = (
            f"Column {named(actual.name)} has {count_text(actual.distinct)} different labels in {rows(len(actual))}; "
        )
        sentence += f"it looks like {like}. Is another column the label?"
        yield Finding("warning", sentence, actual.distinct, actual.name)
    if not actual.is_few:
        return
    yield from _spellings(actual, predicted, [text for _, text in roles.probability])
    yield from _classes(table, actual, predicted)
    yield from _positive(table, actual)


def _spellings(actual: Column, predicted: list[Column], classes: list[str]) -> Iterator[Finding]:
    """Labels that are one to the eye: the same but for case or blanks around them."""
    spelt: dict[str, dict[str, int]] = defaultdict(dict)
    for column in (actual, *(column for column in predicted if column.is_few)):
        for value, count in column.label_counts.items():
            text = text_of(value)
            spelt[text.strip().casefold()][text] = spelt[text.strip().casefold()].get(text, 0) + count
    for text in classes:
        spelt[text.strip().casefold()].setdefault(text, 0)
    for ways in spelt.values():
        if len(ways) > 1:
            usual = max(ways, key=lambda text: ways[text])
            fewer = sum(ways.values()) - ways[usual]
            sentence = f"Labels {listed(sorted(ways))} differ only in case or in blanks around them, and count as "
            sentence += "different classes. If they are one, write them alike in the file."
            yield Finding("warning", sentence, fewer, actual.name)


def _classes(table: Table, actual: Column, predicted: list[Column]) -> Iterator[Finding]:
    texts = set(actual.texts)
    if len(texts) == 1:
        sentence = f"Column {named(actual.name)} holds one class only, {named(actual.texts[0])}. Measures that need "
        sentence += "both classes are undefined."
        yield Finding("warning", sentence, len(actual) - actual.missing_count, actual.name)
    if table.kind == "scores" and len(texts) > 2:
        sentence = f"Column {named(actual.name)} has {count_text(len(texts))} labels where scores tell two apart; "
        if table.roles.positive is None:
            sentence += "choose which one is positive."
        else:
            sentence += f"{named(text_of(table.roles.positive))} counts as positive and all others as negative."
        yield Finding("warning", sentence, len(texts), actual.name)
    for column in predicted:
        alike = {"True", "False", "0", "1"}
        if column.is_few and column.texts and texts.isdisjoint(column.texts) and not texts | {*column.texts} <= alike:
            sentence = f"Columns {named(actual.name)} and {named(column.name)} have no label in common: "
            sentence += f"{listed(actual.texts, 3)} against {listed(column.texts, 3)}. Is one of them another column?"
            yield Finding("warning", sentence, len(column), column.name)


def _positive(table: Table, actual: Column) -> Iterator[Finding]:
    roles = table.roles
    if roles.positive is None:
        return
    text = text_of(roles.positive)
    counts = actual.label_counts
    value, why = positive_value(counts)
    count = sum(counts[label] for label in counts if text_of(label) == text)
    why = why if text_of(value) == text and len(counts) > 1 else "as chosen" if count else "the other class of two"
    if len(counts) == 1 and count:
        why = "the only class there is"
    sentence = f"{named(text)} of column {named(actual.name)} is taken as positive ({why}): {count_text(count)} of "
    yield Finding("info", f"{sentence}{rows(len(actual) - actual.missing_count)}.", count, actual.name)
