"""What DuckDB says when it cannot read a file or a database, as a sentence for those who know neither."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath

from evalcore.readers.problems import named
from evalcore.wording.numbers import count_text

__all__: list[str] = []


def sentence_of(message: str) -> str | None:
    """A sentence that names the file, the column and the line, and says what to do; None for other messages.

    >>> print(sentence_of('IO Error: Could not set lock on file "/data/log.duckdb": Conflicting lock is held'))
    Another program is writing to the database "log.duckdb". Close it there, then ask again.
    >>> print(sentence_of("CSV Error on Line: 55\\nOriginal Line: 1\\nExpected Number of Columns: 2 Found: 1"))
    Line 55 of the CSV file has 1 cell, and the table has 2 columns. Correct the line.
    """
    for pattern, write in _SENTENCES.items():
        if found := re.search(pattern, message, re.DOTALL):
            return write({name: text or "" for name, text in found.groupdict().items()})
    return None


def _file(parts: dict[str, str]) -> str:
    return named(PurePath(parts["file"]).name)


def _gone(parts: dict[str, str]) -> str:
    return f"The file {_file(parts)} is no longer there. Put it back, or open another one."


def _line(parts: dict[str, str]) -> str:
    return f"Line {count_text(int(parts['line']))} of the CSV file"


def _cells(parts: dict[str, str]) -> str:
    return f"{count_text(int(parts['cells']))} {'cell' if parts['cells'] == '1' else 'cells'}"


_CSV = r"CSV Error on Line: (?P<line>\d+)"
_FILE = r"[\"'](?P<file>[^\"'\n]+)[\"']"

_SENTENCES: dict[str, Callable[[dict[str, str]], str]] = {
    rf"{_CSV}.*?column \"(?P<column>.*?)\"\. Could not convert string \"(?P<value>.*?)\" to '": lambda parts: (
        f"{_line(parts)} holds {named(parts['value'])} in column {named(parts['column'])}, which holds another type "
        "before. Correct the cell."
    ),
    rf"{_CSV}.*?Expected Number of Columns: (?P<columns>\d+) Found: (?P<cells>\d+)": lambda parts: (
        f"{_line(parts)} has {_cells(parts)}, and the table has {count_text(int(parts['columns']))} columns. "
        "Correct the line."
    ),
    _CSV: lambda parts: f"{_line(parts)} cannot be read. Check its quotes and its encoding, which should be UTF-8.",
    rf"Could not set lock on file {_FILE}": lambda parts: (
        f"Another program is writing to the database {_file(parts)}. Close it there, then ask again."
    ),
    rf"No files found that match the pattern {_FILE}": _gone,
    # DuckDB takes the name of a Parquet file that is gone for a folder.
    r"Cannot access file \"(?P<file>[^\"\n]+?)/\*\*/": _gone,
    r"file system operations are disabled|external extensions is disabled": lambda parts: (
        "This view reads files outside its database, which is not possible here. Save it as a table, then open that."
    ),
    rf"schema mismatch in glob: column \"(?P<column>.*?)\".*could not be found in file {_FILE}": lambda parts: (
        f"The file {_file(parts)} has no column {named(parts['column'])}, which the first file of the folder has. "
        "Give all files of a folder the same columns."
    ),
    rf"reading file {_FILE}: failed to cast column \"(?P<column>.*?)\" from": lambda parts: (
        f"The file {_file(parts)} holds another type in column {named(parts['column'])} than the first file of the "
        "folder. Give all files of a folder columns of the same types."
    ),
    rf"(?:No magic bytes.*?file|Footer length error in file|File) {_FILE}(?= too small|\.|$)": lambda parts: (
        f"The file {_file(parts)} is damaged, or still being written. Write it anew, then ask again."
    ),
    rf"Failed to read file {_FILE}": lambda parts: (
        f"The file {_file(parts)} is damaged, or has changed meanwhile. Write it anew, then ask again."
    ),
    r"not a valid DuckDB database": lambda parts: (
        "The file is no DuckDB database, or a damaged one. Choose another file."
    ),
    r"selected columns were not found": lambda parts: (
        "The table no longer has all of the chosen columns. Open it again, then choose others."
    ),
    r"Out of Memory Error": lambda parts: (
        "The engine has too little memory for this query. Leave out the group, or what rows belong to, then ask again."
    ),
    r"No space left on device|could not write block": lambda parts: (
        "The folder for temporary files is full. Free some space there, then ask again."
    ),
}
"""By a pattern of DuckDB's message, the first that fits, the sentence."""
