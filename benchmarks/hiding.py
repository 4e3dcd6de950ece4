"""Whether the order of systems holds with fewer judgments: 5,000 queries, three systems, fifty draws of eleven steps.

The plain way makes the hits of each step and system anew and asks the same measures; the values are the same to the
last bit. It is given one draw, and counted as often as the other has draws.
"""

import os
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.clock import line, medians, ratio_line, seconds_of, time_line
from evalcore import find
from evalcore.retrieval import WAYS, Hits, JudgedRuns, Judgments, Run, order_stability, steps_of

QUERIES, SYSTEMS, JUDGED, UNJUDGED = int(os.environ.get("QUERIES", 5000)), 3, 60, 60
DRAWS, FEW = 50, 6
BARS = {"random": 4, "queries": 20, "pool": 1.5, "few": 2}
"""A pool has one draw, and so one thread; of a few relevant documents little is left that could be saved."""


def data() -> JudgedRuns:
    """Sixty judged documents a query, half of them relevant; each system ranks two thirds of them and sixty others."""
    random = np.random.default_rng(20)
    query, document = np.divmod(np.arange(QUERIES * JUDGED), JUDGED)
    grades = np.maximum(random.integers(-2, 4, len(query)), 0).astype(float)
    others, names = np.divmod(np.arange(QUERIES * UNJUDGED), UNJUDGED)
    runs = {}
    for system in range(SYSTEMS):
        found = random.random(len(query)) < 2 / 3
        scores = grades[found] + 3 * (1 + system / 2) * random.random(np.count_nonzero(found))
        runs[f"system {system}"] = Run.from_arrays(
            np.concatenate([query[found], others]),
            np.concatenate([document[found], JUDGED + names]),
            np.concatenate([scores, random.exponential(0.6, len(others))]),
        )
    return JudgedRuns.of(Judgments.from_arrays(query, document, grades), runs)


def measures() -> dict[str, Callable[[Hits], np.ndarray]]:
    """Those that the page follows."""
    found = {name: find(name, "retrieval") for name in ("AP", "bpref", "infAP", "nDCG@10", "P@10")}
    average = found["AP"]
    return found | {"AP, condensed": lambda hits: average(hits.condensed())}


def plainly(judged: JudgedRuns, way: str, seed: int) -> dict[str, np.ndarray]:
    """The means of one draw, one step and system at a time, shape (steps, systems)."""
    asked, steps = measures(), steps_of(way, judged)
    found = {name: np.empty((len(steps), SYSTEMS)) for name in asked}
    for row, step in enumerate(steps):
        for place, hits in enumerate(judged.with_only(judged.draw(way, seed).remaining(step))):
            for name, measure in asked.items():
                values = measure(hits)
                found[name][row, place] = values.sum() / len(values)
    return found


def main() -> None:
    judged, asked = data(), measures()
    for way in WAYS:
        steps = steps_of(way, judged)
        found, expected = next(order_stability(judged, asked, way, steps, (7,))), plainly(judged, way, 7)
        assert all(found.means[name][:, 0].tobytes() == expected[name].tobytes() for name in asked), way
        draws = 1 if way == "pool" else FEW
        seconds = medians(
            {
                "own": lambda: list(order_stability(judged, asked, way, steps, range(draws))),  # noqa: B023
                "plain": lambda: plainly(judged, way, 7),  # noqa: B023
            },
            repeats=3,
        )
        time_line(f"hidden by {way!r}: {draws} x {len(steps)} steps x {len(asked)} measures", seconds["own"])
        what = "  times faster than one by one, to the last bit the same"
        ratio_line(draws * seconds["plain"] / seconds["own"], BARS[way], what)
    steps = steps_of("random", judged)
    many = partial(order_stability, judged, asked, "random", steps)
    whole = seconds_of(lambda: list(many(range(DRAWS))), repeats=1)
    time_line(f"{QUERIES:,} queries, {SYSTEMS} systems, {DRAWS} draws", whole)
    tracemalloc.start()
    list(many(range(4)))
    rows = sum(len(hits.query) for hits in judged.hits)
    line("  memory at most, a judged document of a list", f"{tracemalloc.get_traced_memory()[1] / rows:.0f} bytes")


if __name__ == "__main__":
    main()
