"""Tasks of a child process: read a file that could harm the process that reads it, within limits.

It runs as a script. The modules with the tasks import nothing else of Evalcore, because importing all of it would take
longer than reading most files; only the task for large files does. The file is its standard input and the content its
standard output; its exit code says why there is none, and what belongs to that may stand in the output.
"""

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, NamedTuple


class Task(NamedTuple):
    """A task, and what a file is called that it could not read, after "is"."""

    module: str
    function: str  # takes the file, the answer, and the limits of rows and bytes
    damaged: str  # a parser does not say, or has no time to say, which of these it is; ends with what to do
    numpy: bool = False  # Arrow that loads neither NumPy nor pandas needs a third of the time to start


_TRUNCATED = "that is damaged or truncated, or it needs too much memory. Write or copy it again."
TASKS = {
    "cells": Task(
        "child.exports", "workbook_cells", "a workbook that is damaged or in an unsupported format, or it has too many "
        "cells, or cells too far out to be a table. Delete the empty rows and columns around the table and save it as "
        "xlsx, or as CSV.", numpy=True,
    ),
    "parquet": Task("child.columns", "parquet_columns", f"a Parquet file {_TRUNCATED}"),
    "arrow": Task("child.columns", "arrow_columns", f"an Arrow file {_TRUNCATED}"),
    "json": Task(
        "child.columns", "json_columns",
        "JSON that is damaged or nested too deeply, or it needs too much memory. Save it with one record per line.",
    ),
    "statistics": Task(
        "child.columns", "statistics_columns",
        "an SPSS, Stata or SAS file that is damaged or truncated, or needs too much memory. Save it again.",
    ),
    "dataset": Task(
        "files.columnar", "write_dataset", "damaged, or needs more memory than there is. Open a part of it.", numpy=True
    ),
}  # fmt: skip

_REASONS = ("damaged", "password", "sheets", "rows", "bytes", "columns", "line", "table", "stated", "export")
EXIT_CODES = {word: code for code, word in enumerate(_REASONS, 3)}
"""Why a file is refused, in a word that the parent process turns into a sentence. Python itself exits with 1 or 2."""


class Refusal(Exception):
    """The file is refused, for one of the reasons above, with a line or a sentence if needed."""

    def __init__(self, word: str, detail: int | str = "") -> None:
        super().__init__(word, detail)
        self.word, self.detail = word, detail


def _limit(memory: int, seconds: int) -> None:
    """Limit this process; where the system cannot, the parent still stops it in time."""
    with suppress(ImportError):
        import resource

        for what, most in (("RLIMIT_AS", memory), ("RLIMIT_CPU", seconds), ("RLIMIT_CORE", 0)):
            with suppress(AttributeError, ValueError, OSError):
                resource.setrlimit(getattr(resource, what), (most, most))


def main(task: str, rows: str, size: str, memory: str, seconds: str, *path: str) -> None:
    """Do one task, with the limits and the import path of the parent process."""
    sys.path[:] = path
    sys.modules["cloudpickle"] = None  # type: ignore  # Arrow takes what is None for not installed
    if not TASKS[task].numpy:
        sys.modules["numpy"] = sys.modules["pandas"] = None  # type: ignore
    _limit(int(memory), int(seconds))
    if task == "statistics":
        import_module("pyarrow")
        del sys.modules["numpy"]  # which pyreadstat needs
    code = perform(task, sys.stdin.buffer, sys.stdout.buffer, int(rows), int(size))
    sys.stdout.flush()
    os._exit(code)  # at once: to take apart what was loaded takes a tenth of the time


def perform(task: str, file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> int:
    """Do one task, and return its exit code: 0, or one of those above."""
    try:
        module = import_module(f"evalcore.readers.{TASKS[task].module}")
        getattr(module, TASKS[task].function)(file, answer, most_rows, most_bytes)
    except Refusal as refusal:
        answer.write(str(refusal.detail).encode())
        return EXIT_CODES[refusal.word]
    except BaseException:  # no memory, or damage anywhere in the file; a panic is not an Exception
        return EXIT_CODES["damaged"]
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "dataset":
        sys.path[:] = sys.argv[6:]
    else:  # modules of the readers without the imports of their packages
        folders = zip(("evalcore.readers.child", "evalcore.readers", "evalcore"), Path(__file__).parents, strict=False)
        for package, path in folders:
            sys.modules[package] = ModuleType(package)
            sys.modules[package].__path__ = [str(path)]
    from evalcore.readers.child import tasks as child_tasks

    child_tasks.main(*sys.argv[1:])
