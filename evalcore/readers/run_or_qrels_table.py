"""Tables with only one half of a judged ranking: a run without grades, or grades without a run."""

from __future__ import annotations

from typing import Any

from evalcore.readers import column_names as names
from evalcore.readers.columns import Columns
from evalcore.readers.kinds import rankings
from evalcore.readers.problems import ReadProblem
from evalcore.readers.table import Table
from evalcore.readers.trec import system_name
from evalcore.retrieval import Run


def half_of(table: Table[Any]) -> tuple[str, Table[rankings.RankingRoles]] | None:
    """Which half a table holds, "run" or "judgments", and the table with an empty column for the other.

    None where it holds both halves, or is no ranking.
    """
    columns = table.frame.columns
    has_grades = any(names.simple(name) in names.GRADE for name in columns)
    has_ranking = any(names.is_score(name) or names.simple(name) in names.RANK for name in columns)
    half, missing = ("judgments", "score") if has_grades else ("run", "grade")
    if (has_grades and has_ranking) or missing in columns:
        return None
    # With a column for the missing half, it is recognised like any table of judged rankings.
    frame = table.frame.assign(**{missing: 0.0})
    roles = rankings.recognise(Columns(frame))
    return None if roles is None else (half, Table(frame, roles, table.name, table.lines, table.digest))


def runs_of(table: Table[rankings.RankingRoles]) -> dict[str, Run]:
    """The runs of a table without grades, by system. A single unnamed system is named after the file."""
    systems = rankings.systems(table)
    if not systems:
        raise ReadProblem("No row names a system, so there is no run. Fill in the column of systems.")
    if len(systems) == 1 and table.roles.system is None:
        return {system_name(table.name): rankings.run(table)}
    return {system: rankings.run(table, system) for system in systems}
