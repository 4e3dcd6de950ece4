"""What a child process does: read a file that could harm the process that reads it, within limits.

It runs as a script, and the modules with the tasks import nothing else of Evalcore, because importing all of it would
take longer than reading most files. The file is its standard input and the content its standard output; its exit code
says why there is none, and a number that belongs to it may stand in the output.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

TASKS = {
    "cells": ("child_sheets", "workbook_cells"),
    "parquet": ("child_columns", "parquet_columns"),
    "arrow": ("child_columns", "arrow_columns"),
    "json": ("child_json", "json_columns"),
    "statistics": ("child_statistics", "statistics_columns"),
}
"""The module and the function of each task, which takes the file, the answer, and the limits of rows and bytes."""

EXIT_CODES = {
    word: code
    for code, word in enumerate(("damaged", "password", "sheets", "rows", "bytes", "columns", "line", "table"), 3)
}
"""Why a file is refused, in a word that the parent process turns into a sentence. Python itself exits with 1 or 2."""


class Refusal(Exception):
    """A file is refused, for one of the words above, perhaps with the number of a line."""

    def __init__(self, word: str, line: int = 0) -> None:
        super().__init__(word, line)
        self.word, self.line = word, line


def _limit(memory: int, seconds: int) -> None:
    """Limit this process; where the system cannot, the parent still stops it in time."""
    os.environ |= {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
    with suppress(ImportError):
        import resource

        for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def main(task: str, rows: str, size: str, memory: str, seconds: str, *path: str) -> None:
    """Do one task, with the limits and the import path of the parent process."""
    sys.path[:] = path
    _limit(int(memory), int(seconds))
    answer = sys.stdout.buffer
    try:
        module, function = TASKS[task]
        getattr(import_module(f"evalcore.readers.{module}"), function)(sys.stdin.buffer, answer, int(rows), int(size))
    except Refusal as refusal:
        answer.write(b"%d" % refusal.line)
        sys.exit(EXIT_CODES[refusal.word])
    except BaseException:  # no memory, or damage anywhere in the file; a panic is not an Exception
        sys.exit(EXIT_CODES["damaged"])


def _without_packages() -> None:
    """Let modules of the readers be imported without what their packages import."""
    folder = Path(__file__).parent
    for package, path in (("evalcore", folder.parent), ("evalcore.readers", folder)):
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(path)]


if __name__ == "__main__":
    _without_packages()
    from evalcore.readers import child_tasks

    child_tasks.main(*sys.argv[1:])
