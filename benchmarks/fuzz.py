"""Damaged and hostile files of every format: each is read or refused, within the limits of time and memory.

``python -m benchmarks.fuzz 20`` runs for 20 minutes, ``python -m benchmarks.fuzz 20 7`` with another seed. A file that
is neither read nor refused, or takes too long or too much, is stored in the folder ``fuzz``; so are the slowest and, in
case that the process dies, the last. One file in ten is read as if it were large: by a child process.
"""

import random
import sys
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import monotonic

from benchmarks.clock import memory_of
from evalcore.readers.files import columnar as large_files
from evalcore.readers.files.tables import MAX_BYTES
from evalcore.readers.table.table import STATES
from tests.readers import programs
from tests.readers.forty import FORTY
from tests.readers.mutants import TOGETHER, mutant, opens_or_says_why, real_files

SECONDS, BYTES = 30, 4 * MAX_BYTES
SMALL, LARGE = large_files.SMALL, 0.1
FOLDER = Path("fuzz")
PROGRAMS = (
    "caret", "h2o", "knime", "markdown", "mlr3", "numpy_text", "orange", "pandas_print", "percentages", "pipeline",
    "psql", "r_table", "sas", "weka",
)  # fmt: skip


def analysts_files() -> dict[str, bytes]:
    """Files of one part as analysts have them and as programs write them, by name."""
    uploads = {f"{number} {name}": data for number, make in enumerate(FORTY.values()) for name, data in make().items()}
    made = {f"{name}.txt": getattr(programs, name)() for name in PROGRAMS}
    return {name: data for name, data in (uploads | made).items() if 0 < len(data) < 60_000}


def peak() -> int:
    """Most bytes of memory that this process has taken since the last `reset`; 0 where the system does not say."""
    with suppress(OSError):
        return memory_of("VmHWM")
    return 0


def children() -> int:
    """Most bytes of memory that a child process has taken; 0 where the system does not say."""
    with suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    return 0


def reset() -> None:
    """Count the most bytes anew."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def limit() -> None:
    """Let a request for more memory fail, as far as the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (BYTES + (1 << 30), resource.RLIM_INFINITY))


def main(arguments: list[str]) -> None:
    minutes, seed = float(arguments[0]) if arguments else 1.0, int(arguments[1]) if len(arguments) > 1 else 0
    limit()
    warnings.simplefilter("error")
    FOLDER.mkdir(exist_ok=True)
    files = real_files() | analysts_files()
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in files}
    slowest, largest, failures, number = (0.0, ""), (0, ""), 0, 0
    end = monotonic() + 60 * minutes
    while monotonic() < end:
        number += 1
        chance = random.Random(f"{seed} {number}")
        name = chance.choice(list(files))
        data = mutant(files[name], chance, list(files.values()))
        large_files.SMALL = SMALL if chance.random() > LARGE else 1
        (FOLDER / "last").write_bytes(data)
        reset()
        start, before = monotonic(), peak()
        try:
            others = {TOGETHER[name]: files[TOGETHER[name]]} if name in TOGETHER else {}
            outcome = opens_or_says_why(data, name, **others)
        except Exception as error:
            outcome = f"FAILED {type(error).__name__}"
            print(f"{number} {name}, {len(data)} bytes: {type(error).__name__}: {str(error)[:300]}", flush=True)
        seconds, size = monotonic() - start, peak() - before
        STATES.clear()
        if seconds > slowest[0]:
            slowest = seconds, f"{number} {name}"
            (FOLDER / "slowest").write_bytes(data)
        largest = max(largest, (size, f"{number} {name}"))
        if outcome.startswith("FAILED") or seconds > SECONDS or size > BYTES:
            failures += 1
            (FOLDER / f"{seed}-{number}-{name}").write_bytes(data)
        outcomes[name][outcome] += 1
    for name, counts in outcomes.items():
        print(f"{name}: {', '.join(f'{outcome} {count}' for outcome, count in counts.most_common())}")
    total = sum(map(Counter, outcomes.values()), Counter())
    print(f"seed {seed}, {number} files: {', '.join(f'{outcome} {count}' for outcome, count in total.most_common())}")
    print(f"slowest {slowest[0]:.1f} s ({slowest[1]}), largest {largest[0] / 1e6:.0f} MB ({largest[1]})")
    print(f"largest child process {children() / 1e6:.0f} MB")
    sys.exit(f"{failures} files were neither read nor refused within the limits" if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
