"""What taking rows that belong together as independent does to an interval."""

import numpy as np

from evalcore.analyses.label_pairs import LabelPairs, predictions_of
from evalcore.analyses.source import Source
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice, delong
from evalcore.readers import ReadProblem, clusters_of, reassigned
from evalcore.registry import METRICS

__all__ = ["widening_text"]


def widening_text(source: Source, column: str) -> str:
    """By how much the interval of the open system widens when rows belong to a column, in Markdown with a blank before.

    Of scores it is that of the area under the ROC curve, of labels that of accuracy; empty where neither is defined.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> frame = pd.DataFrame({"y": [0, 1] * 10, "score": np.arange(20) % 7 / 7, "patient": np.arange(20) // 4})
    >>> widening_text(Source.of(DataSet.of(frame)), "patient")
    ' The 95 % interval of the AUC becomes 1.1 times as wide.'
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
        else:
            return ""
    except ReadProblem:
        return ""
    factor = float((wide.high - wide.low) / (narrow.high - narrow.low)) if narrow.high > narrow.low else np.nan
    if not np.isfinite(factor):
        return ""
    if factor < 1.05:
        return f" The 95 % interval {word} hardly changes."
    return f" The 95 % interval {word} becomes {factor:.1f} times as wide."
