"""The formats of tables. Adding one is a file that reads it and a row here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from evalcore.readers.columnar import (
    is_arrow,
    is_json,
    is_parquet,
    is_statistics,
    read_arrow,
    read_json,
    read_parquet,
    read_statistics,
)
from evalcore.readers.delimited import read_delimited
from evalcore.readers.problems import Finding, Lines
from evalcore.readers.sheets import is_workbook, read_sheets

__all__ = ["FORMATS", "formats_text"]

Content = tuple[pd.DataFrame, Lines, list[Finding]]
"""A plain frame, how its rows are numbered, and what there is to know about the reading."""


@dataclass(frozen=True)
class Format:
    """One row of the table of formats: what users call it, the endings of its files, and the dialects that are read.

    The content decides whether a file `fits`, but one with such an ending that is no such format is damaged. To `read`
    takes the bytes, the name, the limit of rows and the limit of bytes, and raises ReadProblem; the options are those
    of "sheet" and "header" that it also takes.
    """

    names: tuple[str, ...]
    endings: tuple[str, ...]
    details: str
    fits: Callable[[bytes, str], bool]
    read: Callable[..., Content]
    options: tuple[str, ...] = ()


FORMATS = (
    Format(("Parquet",), (".parquet",), "", is_parquet, read_parquet),
    Format(("Arrow", "Feather"), (".arrow", ".feather"), "file or stream", is_arrow, read_arrow),
    Format(
        ("SPSS", "Stata", "SAS"),
        (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
        "value labels become class names, codes of missing values become missing",
        is_statistics,
        read_statistics,
    ),
    Format(
        ("JSON", "JSON Lines"),
        (".json", ".jsonl", ".ndjson"),
        "list of records, one record per line, or object of columns; objects in records flattened",
        is_json,
        read_json,
    ),
    Format(
        ("Excel", "OpenDocument"),
        (".xlsx", ".xls", ".ods"),
        "the sheet that holds predictions, or the one you choose; below titles, without totals",
        is_workbook,
        read_sheets,
        ("sheet", "header"),
    ),
    Format(
        ("CSV", "TSV"),
        (".csv", ".tsv", ".txt"),
        "comma, semicolon, tab, pipe or blanks; decimal point or comma; any usual encoding; titles and totals left out",
        lambda data, name: True,
        read_delimited,
        ("header",),
    ),
)
"""Every format, in the order in which content is tried; the last takes what no other does."""


def formats_text() -> str:
    """The names of all formats in a sentence.

    >>> formats_text()
    'CSV, TSV, Excel, OpenDocument, JSON, JSON Lines, SPSS, Stata, SAS, Arrow, Feather or Parquet'
    """
    names = [name for format in reversed(FORMATS) for name in format.names]
    return f"{', '.join(names[:-1])} or {names[-1]}"
