"""Tables that hold one half of judged lists: lists without grades, or grades without a list."""

from __future__ import annotations

from pathlib import PurePath

from evalcore.readers import column_names as names
from evalcore.readers.columns import Columns
from evalcore.readers.kinds import rankings
from evalcore.readers.problems import ReadProblem
from evalcore.readers.table import Table
from evalcore.readers.trec import system_name
from evalcore.retrieval import Judgments, Run

_ENDINGS = (".gz", ".zip", ".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".xls", ".ods")


def half_of(table: Table) -> tuple[str, Table] | None:
    """Which half of judged lists a table holds, "run" or "judgments", and the table with the other half left empty.

    Parameters
    ----------
    table : Table

    Returns
    -------
    tuple of str and Table, or None
        None where the table holds both halves, or no list at all.

    Examples
    --------
    >>> from evalcore.readers import read_table
    >>> half_of(read_table(b"query,document,rank\\nq,a,1\\nq,b,2\\n", "a.csv"))[0]
    'run'
    >>> half_of(read_table(b"topic,docno,relevance\\nq,a,1\\nq,b,0\\n", "b.csv"))[0]
    'judgments'
    """
    frame = table.frame
    graded = any(names.simple(name) in names.GRADE for name in frame.columns)
    listed = any(names.is_score(name) or names.simple(name) in names.RANK for name in frame.columns)
    if graded and listed:
        return None
    # With a column for the half that it lacks, it is recognised like any table of judged lists.
    what, lacking = ("judgments", "score") if graded else ("run", "grade")
    if lacking in frame.columns:
        return None
    whole = frame.assign(**{lacking: 0.0})
    roles = rankings.recognise(Columns(whole))
    if roles is None:
        return None
    return what, Table(whole, roles, table.name, table.lines, table.digest)


def runs_of(half: Table) -> dict[str, Run]:
    """The runs in a table without grades, by system; one that is named nowhere is called after its file.

    Parameters
    ----------
    half : Table
        As `half_of` returns it.

    Raises
    ------
    ReadProblem
        When a document stands twice in a list.
    """
    systems = rankings.systems(half)
    if not systems:
        raise ReadProblem("No row names a system, so there is no list to look at. Fill the column of the systems.")
    alone = half.roles.system is None and len(systems) == 1
    return {_called(half.name) if alone else system: rankings.run(half, system) for system in systems}


def grades_of(half: Table) -> Judgments:
    """The judgments in a table without lists. Raises ReadProblem when a document has two grades for a query."""
    return rankings.judgments(half)


def _called(file: str) -> str:
    path = PurePath(system_name(file))
    while path.suffix.casefold() in _ENDINGS:
        path = path.with_suffix("")
    return path.name or file
