"""Readers: a table in any of the usual formats becomes a data set with roles and findings, or a stated problem."""

from evalcore.readers.datasets import DataSet
from evalcore.readers.problems import Finding, ReadProblem
from evalcore.readers.roles import Roles
from evalcore.readers.tables import read_table
from evalcore.readers.trec import read_qrels, read_run, read_runs
from evalcore.readers.workspace import Workspace

__all__ = [
    "DataSet",
    "Finding",
    "ReadProblem",
    "Roles",
    "Workspace",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_table",
]
