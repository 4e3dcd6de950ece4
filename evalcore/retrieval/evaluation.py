"""Evaluation: judgments and a run in, one value per query and measure out; also in the format of trec_eval."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from importlib import import_module
from itertools import compress
from operator import add
from typing import Any

import numpy as np

from evalcore.numeric import Array, Flags
from evalcore.registry import MetricDef, find
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.ranked import CUTS, LEVELS, SMALLEST
from evalcore.retrieval.runs import Run

__all__ = ["PerQuery", "evaluate", "evaluate_hits", "mean_of", "trec_eval_text"]

_MEASURES = ("map", "gm_map", "Rprec", "bpref", "recip_rank")
_MEASURES += (*(f"iprec_at_recall_{level:.2f}" for level in LEVELS), *(f"P_{k}" for k in CUTS))
_COUNTS = ("num_ret", "num_rel", "num_rel_ret")

Measures = Iterable[str | MetricDef]


@dataclass(frozen=True, eq=False)
class PerQuery:
    """Values of each measure for each query.

    Attributes
    ----------
    queries : tuple of str, length q
        Every judged query, or only those that the run has too.
    values : dict of str to Array, shape (q,)
        By the names that were asked for. A query that the run lacks counts 0.
    missing : array of bool, shape (q,)
        Which of the queries the run has no list for.
    unjudged : tuple of str
        Queries of the run that nobody judged; they take no part.
    """

    queries: tuple[str, ...]
    values: dict[str, Array]
    measures: dict[str, MetricDef]
    missing: Flags
    unjudged: tuple[str, ...]

    def __len__(self) -> int:
        """Queries."""
        return len(self.queries)

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {mean:.4g}" for name, mean in self.means().items())
        absent = f"; {self.missing.sum()} without a list" if self.missing.any() else ""
        return f"means over {len(self)} {'query' if len(self) == 1 else 'queries'}: {means}{absent}"

    def mean(self, name: str) -> float:
        """Mean over the queries; nan without any. For GMAP it is the geometric one."""
        return mean_of(self.measures[name], self.values[name])

    def means(self) -> dict[str, float]:
        """The mean of each measure."""
        return {name: self.mean(name) for name in self.values}

    def frame(self) -> Any:
        """DataFrame with one row per query and one column per measure."""
        # pandas belongs to the readers, and is loaded only for who asks for a table.
        return import_module("evalcore.readers.base.encodings").frame_of(self.queries, self.values)


def evaluate(judgments: Judgments, run: Run, measures: Measures, *, only_common: bool = False) -> PerQuery:
    """The value of each measure for each judged query.

    Parameters
    ----------
    measures : iterable of str or MetricDef
        Names such as ``"P@10"``, ``"nDCG(gain=exp)@10"``, ``"AP"``, ``"RR"``, or trec_eval's: ``"ndcg_cut_10"``.
    only_common : bool
        Leave out the judged queries that the run lacks; by default they count 0.

    Raises
    ------
    KeyError, ValueError
        When no measure of rankings has that name, or a parameter makes no sense.

    Examples
    --------
    >>> judged = Judgments.from_arrays(["q1", "q1", "q2"], ["d1", "d2", "d1"], [1, 1, 1])
    >>> run = Run.from_arrays(["q1", "q1", "q1"], ["d1", "d3", "d2"], [3, 2, 1])
    >>> result = evaluate(judged, run, ["AP", "P@2"])
    >>> result.queries, result.values["P@2"].tolist(), round(result.mean("AP"), 4)
    (('q1', 'q2'), [0.5, 0.0], 0.4167)
    """
    unjudged = compress(run.queries, (judgments.indices(run.queries) < 0).tolist())
    return evaluate_hits(Hits.of(judgments, run), judgments.queries, measures, unjudged, only_common)


def evaluate_hits(
    hits: Hits, queries: Sequence[str], measures: Measures, unjudged: Iterable[str] = (), only_common: bool = False
) -> PerQuery:
    """Compute measures of rankings from the hits of the judged queries, shape (q,), however they were counted."""
    if isinstance(measures, str):
        measures = [measures]
    used = ~hits.missing if only_common else np.ones(len(hits), dtype=bool)
    hits = hits.only(used) if only_common else hits
    names, definitions = tuple(compress(queries, used.tolist())), definitions_of(measures)
    values = {name: definition(hits) for name, definition in definitions.items()}
    return PerQuery(names, values, definitions, hits.missing, tuple(unjudged))


def mean_of(measure: MetricDef, values: Array) -> float:
    """Mean of one value per query, arithmetic or geometric as the measure asks; nan without any."""
    if not len(values):
        return math.nan
    if measure.mean == "geometric":
        return float(np.exp(np.log(values).sum() / len(values)))
    return float(values.sum() / len(values))


def definitions_of(measures: Measures) -> dict[str, MetricDef]:
    """Measures by the names that were asked for, or by their labels; those of ir_measures by what they print."""
    named = {one.label if isinstance(one, MetricDef) else str(one): one for one in measures}
    return {name: one if isinstance(one, MetricDef) else find(name, family="retrieval") for name, one in named.items()}


def trec_eval_text(judgments: Judgments, run: Run, rel: float = 1, runid: str = "run", complete: bool = False) -> str:
    """Write the output of ``trec_eval -q`` for its official measures: one line per query and measure, then the means.

    It is the output of version 9.0.4: queries in the order of their bytes, a name padded to 22 characters, four
    decimals, its own rule for the levels of recall, scores in 32 bits (see `Run.rounded`) and grades without their
    fractions. Only queries that the run has take part, as there; without any the text is empty.

    `rel` is its option ``-l``, which takes the next whole number; `runid` stands once, without blanks; `complete` is
    its option ``-c``: judged queries that the run lacks count 0 in the means, and get no lines of their own.
    """
    hits = Hits.of(replace(judgments, grades=np.trunc(judgments.grades)), run.rounded())
    rows = [row for row in np.argsort([name.encode() for name in judgments.queries]).tolist() if hits.retrieved[row]]
    if not rows:
        return ""
    values = _values(hits, math.ceil(rel))
    lines = []
    for row in rows:
        name = _one_field(judgments.queries[row])
        lines += [_line(key, name, column[row]) for key, column in values.items() if key != "gm_map"]
    counted = len(hits) if complete else len(rows)
    lines += [_line("runid", "all", _one_field(runid) or "run"), _line("num_q", "all", counted)]
    for key, column in values.items():
        # With -c it counts what has a grade above 0 for any judged query, whatever -l says.
        terms = hits.relevant(1).total.tolist() if complete and key == "num_rel" else column[rows].tolist()
        # One after the other, as trec_eval adds them: the last digit of a sum depends on its order.
        if key == "gm_map" and complete:
            terms += [SMALLEST] * (counted - len(terms))
        lines.append(_line(key, "all", _summed_up(key, terms, counted)))
    return "\n".join(lines) + "\n"


def _values(hits: Hits, rel: float) -> dict[str, Array | Places]:
    relevant = hits.relevant(rel)
    counts = (hits.retrieved, relevant.total, relevant.retrieved)
    columns: dict[str, Array | Places] = dict(zip(_COUNTS, counts, strict=True))
    for name in _MEASURES:
        measure = find(name, family="retrieval")
        columns[name] = (measure.with_params(rel=rel) if "rel" in measure.takes else measure)(hits)
    return columns


def _summed_up(key: str, values: list[float], counted: int) -> float | int:
    # Not `sum`, which compensates for rounding from Python 3.12 on.
    total = reduce(add, map(math.log, values) if key == "gm_map" else values)
    if key in _COUNTS:
        return int(total)
    return math.exp(total / counted) if key == "gm_map" else total / counted


def _one_field(name: str) -> str:
    return "_".join(name.split())


def _line(name: str, query: str, value: object) -> str:
    written = f"{value:6.4f}" if isinstance(value, (float, np.floating)) else str(value)
    return f"{name:<22}\t{query}\t{written}"
