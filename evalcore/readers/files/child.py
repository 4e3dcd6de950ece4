"""Files read in a child process with limits of memory and time, so that none can harm the process that asks."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from time import monotonic
from typing import IO

from evalcore.readers.base import problems
from evalcore.readers.base.problems import ReadProblem, named
from evalcore.readers.child.columns import MOST_SHEETS
from evalcore.readers.child.exports import EXPORTS
from evalcore.readers.child.tasks import EXIT_CODES, TASKS, perform
from evalcore.readers.files.archives import too_many_bytes
from evalcore.readers.files.headers import MAX_COLUMNS, too_many
from evalcore.wording.numbers import count_text

SECONDS = 20  # limit of the time that a task takes, and of the wait for its turn; what follows takes less than 10
is_child = False  # whether this process is a child itself, whose limits hold for all that it reads
_SCRIPT = str(Path(__file__).parents[1] / "child" / "tasks.py")
# Python and Arrow take this much before they read anything.
_BASE_BYTES = 1 << 29
_TASK_BYTES = 2 << 30
# Memory that is no longer needed is returned, and each of many processors would take its own.
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "131072",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": str(min(4, os.cpu_count() or 1)),
}
_TURNS = BoundedSemaphore(max(2, (os.cpu_count() or 1) // 2))


@contextmanager
def read_in_child(task: str, data: bytes, name: str, max_rows: int, max_bytes: int) -> Iterator[IO[bytes]]:
    """The content of a file as one of `evalcore.readers.child.tasks.TASKS` writes it; a child does the task itself.

    Raises ReadProblem if the child refuses the file, exceeds a limit, is killed or cannot be started.
    """
    if is_child:
        with TemporaryFile() as answer:
            if code := perform(task, BytesIO(data), answer, max_rows, max_bytes):
                raise _problem(code, task, name, max_rows, max_bytes, answer)
            answer.seek(0)
            yield answer
    else:
        with run_child(task, [data], name, max_rows, max_bytes, _TASK_BYTES, SECONDS) as answer:
            yield answer


@contextmanager
def run_child(
    task: str, parts: Iterable[bytes], name: str, max_rows: int, max_bytes: int, memory: int, seconds: float
) -> Iterator[IO[bytes]]:
    """The answer of a child process with limits of memory and seconds to these input; raises as `read_in_child`."""
    end = monotonic() + seconds
    if not _TURNS.acquire(timeout=max(seconds, 0)):
        raise ReadProblem(f"{named(name)} has to wait because other files are being read. Open it again in a minute.")
    try:
        with TemporaryFile() as file, TemporaryFile() as answer:
            file.writelines(parts)
            file.seek(0)
            limits = (max_rows, max_bytes, memory + _BASE_BYTES, math.ceil(2 * seconds))
            code = subprocess.run(
                [sys.executable, "-I", _SCRIPT, task, *map(str, limits), *sys.path],
                env=os.environ | _ENVIRONMENT,
                stdin=file,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                timeout=max(end - monotonic(), 0),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            ).returncode
            if code:
                raise _problem(code, task, name, max_rows, max_bytes, answer)
            answer.seek(0)
            yield answer
    except subprocess.TimeoutExpired as error:
        raise ReadProblem(
            f"{named(name)} takes longer than {round(seconds)} seconds to read: it is too large or damaged, or the "
            "computer is busy. Try again, open a part of it, or save it as CSV."
        ) from error
    except OSError as error:
        raise ReadProblem(
            f"{named(name)} cannot be read now: no process could be started, or the disk is full. Try again later."
        ) from error
    finally:
        _TURNS.release()


def _problem(code: int, task: str, name: str, max_rows: int, max_bytes: int, answer: IO[bytes]) -> ReadProblem:
    answer.seek(0)
    reason = _REASONS.get(code, "damaged")
    if reason == "stated":
        kind, *parts = json.load(answer)
        return getattr(problems, kind)(*parts)
    if reason == "bytes":
        return too_many_bytes(name, max_bytes)
    limits = {"rows": max_rows, "columns": MAX_COLUMNS, "sheets": MOST_SHEETS}
    if reason in limits:
        return too_many(name, limits[reason], reason)
    if reason == "line":
        number = count_text(int(answer.read()))
        return ReadProblem(f"Line {number} of {named(name)} is not valid JSON. Correct that line.")
    if reason == "export":
        return ReadProblem(f"{named(name)} {EXPORTS[answer.read().decode()]}")
    return ReadProblem(f"{named(name)} {_REFUSED.get(reason, f'is {TASKS[task].damaged}')}")


_REASONS = {code: word for word, code in EXIT_CODES.items()}

_REFUSED = {
    "table": "holds no table in JSON: save it as a list of records, or one record per line.",
    "password": "is protected by a password. Save it without one.",
}
