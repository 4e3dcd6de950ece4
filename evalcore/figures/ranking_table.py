"""The table of queries beside their curves, ready for the component that sorts and filters it in the browser."""

import math
from base64 import b64encode

import numpy as np

from evalcore.analyses import RankingSummary
from evalcore.wording.escaping import one_line
from evalcore.wording.names import short_names
from evalcore.wording.numbers import UNDEFINED, count_text, number_text

__all__ = ["COUNT_COLUMNS", "ranking_table"]

COUNT_COLUMNS = {
    "relevant": "Relevant documents of the query (R), retrieved or not",
    "found": "Relevant documents in the list",
}


def ranking_table(summary: RankingSummary) -> dict:
    """Names, columns and foot of the table, one row per query.

    Examples
    --------
    >>> from evalcore.analyses import Rankings, Source
    >>> from evalcore.readers import read_sample
    >>> table = ranking_table(RankingSummary(Rankings(Source.of(read_sample("ranking_14")), "rank"), ["AP"]))
    >>> [column["heading"] for column in table["columns"]], table["foot"][0]["cells"]
    (['relevant', 'found', 'AP'], ['5', '5', '0.760'])
    """
    values, counts = summary.per_query, summary.counts
    columns = [table_column(counts[name], name, about, counts=True) for name, about in COUNT_COLUMNS.items()]
    for place, name in enumerate(summary.names):
        measure, heading = values.measures[name], summary.rankings.heading(name)
        columns.append(table_column(values.values[name], heading, f"{measure.name}. {measure.summary}", bars=not place))
    names = [one_line(query, 200) for query in values.queries]
    short, means = short_names(names, 28), [number_text(values.mean(name)) for name in summary.names]
    zeros = [*counts.values(), *(values.values[name] for name in summary.names)]
    return {
        "names": names,
        # Only where they differ: thousands of queries are sent once.
        "shown": None if short == names else short,
        "columns": columns,
        "foot": [
            {
                "name": f"mean of {count_text(len(names))}",
                "title": "Means; sums of the counts",
                "cells": [*(count_text(float(column.sum())) for column in counts.values()), *means],
            },
            {
                "name": "queries at 0",
                "title": "Queries with the value 0",
                "cells": [count_text(int(np.count_nonzero(column == 0))) for column in zeros],
            },
        ],
        "count": f"{count_text(len(names))} {'query' if len(names) == 1 else 'queries'}",
    }


def table_column(values: np.ndarray, heading: str, title: str, counts: bool = False, bars: bool = False) -> dict:
    """The different values in words, ascending, and which of them each query has: the browser sorts by their places."""
    distinct, index = np.unique(values, return_inverse=True)  # nan comes last
    width = 1 if len(distinct) <= 1 << 8 else 2 if len(distinct) <= 1 << 16 else 4
    write = count_text if counts else number_text
    shown = {
        "heading": heading,
        "title": title,
        "texts": [UNDEFINED if math.isnan(value) else write(value) for value in distinct.tolist()],
        "index": b64encode(index.astype(f"<u{width}").tobytes()).decode(),
        "width": width,
        "undefined": bool(len(distinct) and math.isnan(distinct[-1])),
    }
    if bars:
        shares = np.clip(np.nan_to_num(distinct), 0, 1)
        shown["bars"] = np.rint(shares * 100).astype(int).tolist()
    return shown
