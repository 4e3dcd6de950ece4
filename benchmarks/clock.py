"""Time as medians of interleaved runs, and the lines that say which bars are met."""

import math
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter


def medians(jobs: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Seconds of each job: the median of `repeats` runs after a warm-up.

    The jobs take turns, so that a slow minute of the machine falls on all of them. One that fails is nan, and the
    others go on.
    """
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(repeats + 1):
        for name, job in jobs.items():
            taken = math.nan if math.nan in seconds[name] else seconds_or_nan(job)
            if turn or math.isnan(taken):
                seconds[name].append(taken)
    return {name: math.nan if math.nan in times else median(times) for name, times in seconds.items()}


def seconds_or_nan(job: Callable[[], object]) -> float:
    """Seconds of one run of a job; nan where it fails or its patience ends, with the traceback on standard error."""
    start = perf_counter()
    try:
        job()
    except Exception:
        traceback.print_exc()
        return math.nan
    return perf_counter() - start


def seconds_of(job: Callable[[], object], repeats: int) -> float:
    """Seconds of one job, as `medians`."""
    return medians({"": job}, repeats)[""]


def memory_of(field: str, process: object = "self") -> int:
    """Bytes of a process by a field of its status: "VmRSS" now, "VmHWM" at most. Raises OSError without one."""
    return int(re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) << 10


def line(what: str, value: str, bar: str = "", met: bool | None = None) -> None:
    """Print one result; `bar` is what it must reach."""
    verdict = {None: "", True: "met", False: "NOT MET"}[met]
    print(f"  {what:<58}{value:>16}   {bar:<14}{verdict}".rstrip(), flush=True)


def time_line(what: str, seconds: float, limit: float | None = None) -> None:
    """Print a time, and the one it may take at most."""
    bar, met = ("", None) if limit is None else (f"≤ {duration(limit)}", seconds <= limit)
    line(what, duration(seconds), bar, met)


def percentile_lines(what: str, times: list[float], limit: float) -> None:
    """Print the median of some times, and the 95th percentile with its limit."""
    time_line(f"{what}, p50", median(times))
    time_line(f"{what}, p95", quantiles(times, n=20)[-1], limit)


def ratio_line(ratio: float, least: float | None = None, what: str = "  times faster") -> None:
    """Print how many times faster than another something is, and how many times it must be."""
    bar, met = ("", None) if least is None else (f"≥ {least:g} ×", ratio >= least)
    line(what, "unknown" if math.isnan(ratio) else f"{ratio:.1f} ×", bar, met)


def frames_line(what: str, rate: float) -> None:
    """Print frames a second, of which 55 look smooth."""
    line(f"frames a second while {what}", f"{rate:.1f}", "≥ 55", rate >= 55)


def duration(seconds: float) -> str:
    """A time in the unit that needs no zeros."""
    if math.isnan(seconds):
        return "not finished"
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
