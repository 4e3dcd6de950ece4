"""Judgments of which some were never made: the plain way, that of the core has to agree with."""

from collections.abc import Mapping

import numpy as np

from evalcore.retrieval import Judgments, OrderStability, Run, order_stability
from evalcore.retrieval.hits import joined


def pool(judgments: Judgments, runs: Mapping[str, Run], depth: int) -> Judgments:
    """The judgments that would be known if only the first documents of each system had been judged."""
    kept = np.zeros(len(judgments), dtype=bool)
    for run in runs.values():
        places, judged = joined(judgments, run)
        rank, _, _ = run.ranks(places)
        kept[judged[rank <= depth]] = True
    return _some(judgments, kept)


def hide_judgments(judgments: Judgments, share: float, seed: int = 20) -> Judgments:
    """The judgments without a random share of them, as if fewer had been made."""
    order = np.random.default_rng(seed).permutation(len(judgments))
    kept = np.ones(len(judgments), dtype=bool)
    kept[order[: round(share * len(judgments))]] = False
    return _some(judgments, kept)


def stability(*arguments, **settings) -> OrderStability:
    """All draws together."""
    return OrderStability.joined(list(order_stability(*arguments, **settings)))


def _some(judgments: Judgments, kept: np.ndarray) -> Judgments:
    rows = np.flatnonzero(kept)
    queries, codes = np.unique(judgments.codes[rows], return_inverse=True)
    documents = judgments.documents.take(rows)
    names = tuple(judgments.queries[place] for place in queries.tolist())
    return Judgments(names, codes.astype(np.int32), documents, judgments.grades[rows])
