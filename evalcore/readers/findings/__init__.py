"""Findings: what there is to know about a data set before its numbers are believed."""

from __future__ import annotations

from evalcore.readers.columns import Columns
from evalcore.readers.findings.counts import count_findings
from evalcore.readers.findings.estimates import estimate_findings
from evalcore.readers.findings.labels import label_findings
from evalcore.readers.findings.lists import list_findings
from evalcore.readers.findings.probabilities import probability_findings
from evalcore.readers.findings.rows import row_findings, weight_findings
from evalcore.readers.findings.scores import score_findings
from evalcore.readers.problems import Finding
from evalcore.readers.table import Table

_OF_KIND = {
    "labels": (label_findings,),
    "scores": (label_findings, score_findings),
    "probabilities": (label_findings, probability_findings),
    "counts": (count_findings,),
    "estimates": (estimate_findings,),
    "run + judgments": (list_findings,),
    "unknown": (),
}


def findings_of(table: Table, columns: Columns) -> tuple[Finding, ...]:
    """All findings about the roles of a data set, in no order of weight.

    Parameters
    ----------
    table : Table
        With its roles and kind; its own findings are not looked at.
    columns : Columns
        The columns of its frame.
    """
    found = [finding for look in _OF_KIND[table.kind] for finding in look(table, columns)]
    found += weight_findings(table, columns)
    return (*found, *row_findings(table, columns))
