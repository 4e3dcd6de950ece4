"""Findings about judged lists: queries that miss their other half, ties, unjudged documents, rows that repeat."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalcore.readers.columns import Columns
from evalcore.readers.judged_tables import judgments_of, run_of, systems_of
from evalcore.readers.problems import Finding, ReadProblem, listed, named, rows
from evalcore.readers.table import Table
from evalcore.retrieval import check_match
from evalcore.wording.numbers import count_text

# More systems than anybody looks at one by one; the pages say the same of the one that is chosen.
_MOST_SYSTEMS = 12


def list_findings(table: Table, columns: Columns) -> Iterator[Finding]:
    """What there is to say about the judgments and the lists of each system."""
    roles = table.roles
    try:
        judged = judgments_of(table)
        runs = {system: run_of(table, system) for system in systems_of(table)[:_MOST_SYSTEMS]}
    except (ReadProblem, ValueError) as problem:
        yield Finding("error", str(problem), len(table.frame))
        return
    for name in (roles.query, roles.document):
        missing = columns[name].missing_count
        if missing:
            sentence = f"Column {named(name)} is empty in {rows(missing)}; they are left out."
            yield Finding("warning", sentence, missing, name)
    endless = np.isinf(columns[roles.grade].numbers)
    if endless.any():
        sentence = f"Column {named(roles.grade)} is infinite in {rows(int(endless.sum()))} (first: "
        sentence += f"{table.lines.at(int(np.argmax(endless)))}), which is no grade; they are left out."
        yield Finding("warning", sentence, int(endless.sum()), roles.grade)
    queries = set(judged.queries)
    if not queries:
        yield Finding("error", "No document has a grade, so nothing can be measured.", len(table.frame), roles.grade)
        return
    if not (judged.grades > 0).any():
        sentence = "No grade is above 0, so no document is relevant and every measure is 0."
        yield Finding("error", sentence, len(judged.grades), roles.grade)
    for system, run in runs.items():
        own = set(run.queries)
        if problem := check_match(judged, run, "the run"):
            apart = not own & queries
            sentence = (
                f"System {named(system)} and the judgments share no {'query' if apart else 'document'}. {problem}"
            )
            yield Finding("error" if apart else "warning", sentence, len(own) if apart else len(run))
            if apart:
                continue
        if lacking := queries - own:
            sentence = f"System {named(system)} has no list for {count_text(len(lacking))} of "
            sentence += f"{count_text(len(queries))} judged queries ({listed(sorted(lacking), 3)}); they count 0."
            yield Finding("warning", sentence, len(lacking))
        if unjudged := own - queries:
            queried = "1 query" if len(unjudged) == 1 else f"{count_text(len(unjudged))} queries"
            sentence = f"System {named(system)} has lists for {queried} without judgments "
            yield Finding("warning", sentence + f"({listed(sorted(unjudged), 3)}); they are left out.", len(unjudged))
        if len(run.scores) > 1 and (run.scores == run.scores[0]).all():
            sentence = f"All documents of system {named(system)} have one score: it is a set without an order. Where a "
            sentence += "measure asks for ranks, the ids of the documents order them."
            yield Finding("info", sentence, len(run.scores))
