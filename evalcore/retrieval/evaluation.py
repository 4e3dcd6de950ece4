"""Judgments and a run in, one value a query and measure out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array
from evalcore.registry import MetricDef, find
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.runs import Run

__all__ = ["PerQuery", "evaluate", "mean_of"]


@dataclass(frozen=True, eq=False)
class PerQuery:
    """What each measure is worth for each query.

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
    missing: npt.NDArray[np.bool_]
    unjudged: tuple[str, ...]

    def __len__(self) -> int:
        """Queries."""
        return len(self.queries)

    def mean(self, name: str) -> float:
        """Mean over the queries; nan without any. For GMAP it is the geometric one."""
        return mean_of(self.measures[name], self.values[name])

    def means(self) -> dict[str, float]:
        """The mean of each measure."""
        return {name: self.mean(name) for name in self.values}

    def frame(self) -> Any:
        """A pandas DataFrame, a row a query under its name, a column a measure."""
        # pandas belongs to the readers, and is loaded only for who asks for a table.
        return import_module("evalcore.readers.csv_output").frame_of(self.queries, self.values)


def evaluate(
    judgments: Judgments, run: Run, measures: Iterable[str | MetricDef], *, only_common: bool = False
) -> PerQuery:
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
    >>> found = evaluate(judged, run, ["AP", "P@2"])
    >>> found.queries, found.values["P@2"].tolist(), round(found.mean("AP"), 4)
    (('q1', 'q2'), [0.5, 0.0], 0.4167)
    """
    if isinstance(measures, str):
        measures = [measures]
    hits = Hits.of(judgments, run)
    queries = ~hits.missing if only_common else np.ones(len(hits), dtype=bool)
    hits = hits.only(queries) if only_common else hits
    definitions = definitions_of(measures)
    return PerQuery(
        tuple(compress(judgments.queries, queries.tolist())),
        {name: definition(hits) for name, definition in definitions.items()},
        definitions,
        hits.missing,
        tuple(compress(run.queries, (judgments.places(run.queries) < 0).tolist())),
    )


def mean_of(measure: MetricDef, values: Array) -> float:
    """Mean of one value a query, in the manner of the measure; nan without any.

    >>> mean_of(find("GMAP"), np.array([0.25, 1.0])), mean_of(find("MAP"), np.array([0.25, 1.0]))
    (0.5, 0.625)
    """
    if not len(values):
        return float("nan")
    if measure.mean == "geometric":
        return float(np.exp(np.log(values).sum() / len(values)))
    return float(values.sum() / len(values))


def definitions_of(measures: Iterable[str | MetricDef]) -> dict[str, MetricDef]:
    """Measures by the names that were asked for, or by their labels."""
    named = {one.label if isinstance(one, MetricDef) else one: one for one in measures}
    return {name: one if isinstance(one, MetricDef) else find(one, family="retrieval") for name, one in named.items()}
