"""The data set: a table, the roles of its columns, its kind, and what there is to know before believing its numbers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

import pandas as pd

from evalcore.readers import arrays, count_tables, judged_tables
from evalcore.readers.columns import Columns
from evalcore.readers.findings import findings_of
from evalcore.readers.problems import LEVELS, Finding, Lines, ReadProblem, named
from evalcore.readers.recognition import left_out_scores, recognise
from evalcore.readers.roles import Roles, check_roles
from evalcore.readers.table import Table

__all__ = ["DataSet"]


@dataclass(frozen=True, eq=False)
class DataSet(Table):
    """A table that was read, with its findings.

    Parameters
    ----------
    frame, roles, name, lines
        As in `Table`.
    findings : tuple of Finding
        What the user should know, the worst first.
    digest : str
        Hash of the content; of the frame where none is given.
    read_findings : tuple of Finding
        Those of the findings that come from reading the file, and so stay when the roles change.

    Examples
    --------
    >>> frame = pd.DataFrame({"actual": ["ill", "well"], "score": [0.9, 0.2]})
    >>> DataSet.of(frame).kind
    'scores'
    """

    findings: tuple[Finding, ...] = ()
    digest: str = ""
    read_findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", _frame_digest(self.frame))

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        name: str = "table",
        *,
        roles: Roles | None = None,
        digest: str = "",
        lines: Lines = Lines(),  # noqa: B008
        read_findings: tuple[Finding, ...] = (),
    ) -> DataSet:
        """A data set with the given roles, or those found in the table, and with its findings.

        Raises
        ------
        ReadProblem
            If two columns have one name, or given roles do not fit the table.
        """
        if not frame.columns.is_unique:
            twice = frame.columns[frame.columns.duplicated()][0]
            raise ReadProblem(f"Two columns are called {named(twice)}. Give each column its own name.")
        columns = Columns(frame)
        left_out: list[Finding] = []
        if roles is None:
            roles = recognise(frame, columns)
            left_out = left_out_scores(columns, roles)
        else:
            check_roles(roles, frame, lines)
        found = (*read_findings, *left_out, *findings_of(Table(frame, roles, name, lines), columns))
        found = tuple(sorted(found, key=lambda finding: LEVELS.index(finding.level)))
        return cls(frame, roles, name, lines, found, digest, read_findings)

    def with_roles(self, roles: Roles) -> DataSet:
        """The same table with other roles, and the kind and findings that follow from them.

        Raises
        ------
        ReadProblem
            If a column does not exist or cannot play its part, with what to choose in its place.
        """
        if roles == self.roles and type(roles.positive) is type(self.roles.positive):
            return self
        return DataSet.of(
            *(self.frame, self.name),
            **{"roles": roles, "digest": self.digest, "lines": self.lines, "read_findings": self.read_findings},
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of what is evaluated: columns of scores, probabilities, labels or estimates, or counted rows."""
        roles = self.roles
        if self.kind == "counts":
            try:
                counted = self.counts_table()
            except ReadProblem:  # the findings say it too; a list of names is no place to fail
                return ()
            return tuple(counted) if isinstance(counted, dict) else ()
        if self.kind == "run + judgments":
            return judged_tables.systems_of(self)
        columns = {
            "scores": roles.score,
            "labels": roles.predicted,
            "probabilities": tuple(column for column, _ in roles.probability),
            "estimates": roles.estimate,
        }
        return columns.get(self.kind, ())

    @cached_property
    def labels(self) -> list:
        """The values of the column of true labels, the most frequent first, at most 500 of them."""
        if self.roles.actual is None:
            return []
        return self.frame[self.roles.actual].dropna().value_counts().index[:500].tolist()

    @property
    def has_errors(self) -> bool:
        """Whether a finding says that its numbers would be wrong."""
        return any(finding.level == "error" for finding in self.findings)

    def scored_arrays(self, system: str | None = None) -> arrays.ScoredArrays:
        """Labels (true for the positive class) and scores of one system, without the rows that lack either.

        Rows with a missing label, a missing or infinite score or a missing weight are left out and counted. Scores are
        as in the file: hand `roles.higher_is_positive` on to `ScoredLabels`. With more than two labels it is the
        positive class against the rest, and a probability column takes its own class as positive. `groups` of what
        is returned are the names of the groups of the same rows, where a column has that role.

        Parameters
        ----------
        system : str, optional
            A score column or a probability column, by default the first.

        Raises
        ------
        ReadProblem
            If there is no such column, no positive class among several, or a negative weight.
        """
        return arrays.scored_arrays(self, system)

    def label_arrays(self, system: str | None = None) -> arrays.LabelArrays:
        """Actual and predicted labels of one system as places in its classes, without the rows that lack either.

        Parameters
        ----------
        system : str, optional
            A predicted column, by default the first.

        Raises
        ------
        ReadProblem
            If there is no such column, or a negative weight.
        """
        return arrays.label_arrays(self, system)

    def probability_arrays(self) -> arrays.ProbabilityArrays:
        """Actual labels and the matrix of class probabilities, without the rows that lack any.

        Raises
        ------
        ReadProblem
            If there are no probability columns, or a negative weight.
        """
        return arrays.probability_arrays(self)

    def estimate_arrays(self, system: str | None = None) -> arrays.EstimateArrays:
        """True and estimated numbers of one system, without the rows where either is missing or infinite.

        Parameters
        ----------
        system : str, optional
            An estimate column, by default the first.

        Raises
        ------
        ReadProblem
            If there is no such column, or a negative weight.
        """
        return arrays.estimate_arrays(self, system)

    def run_arrays(self, system: str | None = None) -> judged_tables.RunArrays:
        """Queries, documents and scores of what one system retrieved: the columns of `Run.from_arrays`.

        Rows without a score (or rank) were not retrieved. A rank, or a score of which lower is better, is negated.

        Parameters
        ----------
        system : str, optional
            A column of scores or a value of the system column, by default the first.

        Raises
        ------
        ReadProblem
            If there is no such system, or a document stands twice in one of its lists.
        """
        return judged_tables.run_arrays(self, system)

    def judgment_arrays(self) -> judged_tables.JudgmentArrays:
        """Queries, documents and grades of what was judged: the columns of `Judgments.from_arrays`.

        A document that several systems retrieved repeats its grade, and counts once.

        Raises
        ------
        ReadProblem
            If the data set holds no judged lists, or a document has two grades for one query.
        """
        return judged_tables.judgment_arrays(self)

    def counts_table(self) -> dict[str, tuple[float, ...]] | count_tables.ClassMatrix:
        """The counts (tp, fp, fn, tn) by the name of the system, or the matrix with its classes.

        Raises
        ------
        ReadProblem
            If the data set holds no counts, or one of them is no count.
        """
        if not self.roles.counts:
            raise ReadProblem("This data set holds no counts. Choose the columns TP, FP, FN and TN, or a matrix.")
        if self.roles.is_matrix(len(self.frame)):
            return count_tables.matrix_of(self.frame, self.roles, self.lines)
        return count_tables.systems_of(self.frame, self.roles, PurePath(self.name).stem or "table", self.lines)


def _frame_digest(frame: pd.DataFrame) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in frame.columns:
        column = frame[name]
        digest.update(f"{name}\0{column.dtype}\0{len(column)}\0".encode(errors="surrogatepass"))
        if column.dtype.kind in "iufb":
            digest.update(column.to_numpy().tobytes())
        else:
            digest.update(pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes())
    return digest.hexdigest()
