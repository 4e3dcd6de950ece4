"""What taking rows that belong together as independent does to an interval."""

import numpy as np

from evalcore.analyses.label_pairs import LabelPairs, predictions_of
from evalcore.analyses.rankings import Rankings
from evalcore.analyses.source import Source
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice, clustered_test, delong, paired_t
from evalcore.readers import ReadProblem, clusters_of, reassigned
from evalcore.registry import METRICS
from evalcore.wording import level_text

__all__ = ["widening_text"]


def widening_text(source: Source, column: str) -> str:
    """By how much the interval of the open system widens when rows belong to a column, in Markdown with a blank before.

    Of scores it is that of the area under the ROC curve, of labels that of accuracy, of rankings that of mean AP; empty
    where none is defined.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> frame = pd.DataFrame({"y": [0, 1] * 10, "score": np.arange(20) % 7 / 7, "patient": np.arange(20) // 4})
    >>> widening_text(Source.of(DataSet.of(frame)), "patient")
    ' The 95\\u202f% interval of the AUC becomes 1.1 times as wide.'
    """
    dataset = source.dataset.with_roles(reassigned(source.roles, "cluster", column, source.frame))
    try:
        if source.scored_by == "system":
            word = "of the AUC"
            narrow, wide = (delong(data.scored(source.system)) for data in (source.dataset, dataset))
        elif predictions_of(source):
            word = "of accuracy"
            pairs = LabelPairs.of(source, source.system)
            used = pairs.actual >= 0
            right, codes = pairs.actual[used] == pairs.predicted[used], clusters_of(dataset)
            units = None if codes is None else codes[used]
            each = (
                ConfusionCounts.from_labels(np.ones(len(right), bool), right, True, clusters=c) for c in (None, units)
            )
            narrow, wide = (IntervalChoice().of_shares(METRICS["accuracy"], counts)[0] for counts in each)
        elif source.kind == "run + judgments" and source.system is not None:
            word = "of mean AP"
            values, codes = Rankings(source, source.system).per_query(["AP"]), dataset.state("query_clusters")
            units = [codes[query] for query in values.queries] if codes else None
            ap = values.values["AP"]
            each = (clustered_test(paired_t, np.zeros(len(ap)), ap, one) for one in (None, units))
            narrow, wide = (one.interval for one in each)
        else:
            return ""
    except ReadProblem:
        return ""
    factor = float((wide.high - wide.low) / (narrow.high - narrow.low)) if narrow.high > narrow.low else np.nan
    if not np.isfinite(factor):
        return ""
    if factor < 1.05:
        return f" The {level_text(0.95)} interval {word} hardly changes."
    return f" The {level_text(0.95)} interval {word} becomes {factor:.1f} times as wide."
