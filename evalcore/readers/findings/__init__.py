"""Findings: what there is to know about a data set before its numbers are believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.readers.columns import Columns
from evalcore.readers.findings.counts import count_findings
from evalcore.readers.findings.estimates import estimate_findings
from evalcore.readers.findings.labels import label_findings
from evalcore.readers.findings.lists import list_findings
from evalcore.readers.findings.probabilities import probability_findings
from evalcore.readers.findings.rows import row_findings, weight_findings
from evalcore.readers.findings.scores import score_findings
from evalcore.readers.problems import Finding

if TYPE_CHECKING:
    from evalcore.readers.datasets import DataSet

_OF_KIND = {
    "labels": (label_findings,),
    "scores": (label_findings, score_findings),
    "probabilities": (label_findings, probability_findings),
    "counts": (count_findings,),
    "estimates": (estimate_findings,),
    "run + judgments": (list_findings,),
    "unknown": (),
}


def findings_of(dataset: DataSet, columns: Columns) -> tuple[Finding, ...]:
    """All findings about the roles of a data set, in no order of weight.

    Parameters
    ----------
    dataset : DataSet
        With its roles and kind; its own findings are not looked at.
    columns : Columns
        The columns of its frame.
    """
    found = [finding for look in _OF_KIND[dataset.kind] for finding in look(dataset, columns)]
    found += weight_findings(dataset, columns)
    return (*found, *row_findings(dataset, columns))
