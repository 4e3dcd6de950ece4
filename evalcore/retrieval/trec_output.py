"""Values per query written as trec_eval prints them, so that two programs can be compared line by line."""

import math
from dataclasses import replace

import numpy as np

from evalcore.numeric import Array
from evalcore.registry import find
from evalcore.retrieval.curves import CUTS
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.ranked import SMALLEST
from evalcore.retrieval.recall_levels import LEVELS
from evalcore.retrieval.runs import Run

__all__ = ["trec_eval_text"]

_MEASURES = ("map", "gm_map", "Rprec", "bpref", "recip_rank")
_MEASURES += (*(f"iprec_at_recall_{level:.2f}" for level in LEVELS), *(f"P_{k}" for k in CUTS))
_COUNTS = ("num_ret", "num_rel", "num_rel_ret")


def trec_eval_text(judgments: Judgments, run: Run, rel: float = 1, runid: str = "run", complete: bool = False) -> str:
    """What ``trec_eval -q`` prints for its official measures: a line a query and measure, then the means.

    It is the output of version 9.0.4: queries in the order of their bytes, a name padded to 22 characters, four
    decimals, its own rule for the levels of recall, scores in 32 bits (see `Run.rounded`) and grades without their
    fractions. Only queries that the run has take part, as there; without any the text is empty.

    Parameters
    ----------
    rel : float
        Lowest relevant grade, its option ``-l``, which takes the next whole number.
    runid : str
        What the run calls itself; stands once, without blanks.
    complete : bool
        Count judged queries that the run lacks as 0 in the means, its option ``-c``. They get no lines of their own.

    Examples
    --------
    >>> judged = Judgments.from_arrays(["q1", "q1"], ["a", "b"], [1, 1])
    >>> text = trec_eval_text(judged, Run.from_arrays(["q1", "q1"], ["a", "c"], [2, 1]))
    >>> text.splitlines()[3]
    'map                   \\tq1\\t0.5000'
    """
    hits = Hits.of(replace(judgments, grades=np.trunc(judgments.grades)), run.rounded())
    present = ~hits.missing
    places = [place for place in np.argsort([name.encode() for name in judgments.queries]).tolist() if present[place]]
    if not places:
        return ""
    values = _values(hits, math.ceil(rel))
    lines = []
    for place in places:
        name = _one_field(judgments.queries[place])
        lines += [_line(key, name, column[place]) for key, column in values.items() if key != "gm_map"]
    counted = len(hits) if complete else len(places)
    lines.append(_line("runid", "all", _one_field(runid) or "run"))
    lines.append(_line("num_q", "all", counted))
    for key, column in values.items():
        # With -c it counts what has a grade above 0 for any judged query, whatever -l says.
        kept = hits.relevant(1).total.tolist() if complete and key == "num_rel" else column[places].tolist()
        # One after the other, as trec_eval adds them: the last digit of a sum depends on its order.
        if key == "gm_map" and complete:
            kept += [SMALLEST] * (counted - len(kept))
        lines.append(_line(key, "all", _summed_up(key, kept, counted)))
    return "\n".join(lines) + "\n"


def _values(hits: Hits, rel: float) -> dict[str, Array | Places]:
    relevant = hits.relevant(rel)
    counts = (hits.retrieved, relevant.total, relevant.found)
    columns: dict[str, Array | Places] = dict(zip(_COUNTS, counts, strict=True))
    for name in _MEASURES:
        measure = find(name, family="retrieval")
        settings = {"rel": rel} | ({"rule": "trec9"} if name.startswith("iprec") else {})
        columns[name] = measure.with_params(**{k: v for k, v in settings.items() if k in measure.takes})(hits)
    return columns


def _summed_up(key: str, values: list[float], counted: int) -> float | int:
    if key in _COUNTS:
        return int(sum(values))
    if key == "gm_map":
        return math.exp(sum(map(math.log, values)) / counted)
    return sum(values) / counted


def _one_field(name: str) -> str:
    return "_".join(name.split())


def _line(name: str, query: str, value: object) -> str:
    written = f"{value:6.4f}" if isinstance(value, (float, np.floating)) else str(value)
    return f"{name:<22}\t{query}\t{written}"
