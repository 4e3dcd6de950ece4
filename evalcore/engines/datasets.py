"""Data sets made of summaries: the weight of each row is its number of rows, so that every page can use it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.errors import estimate_dataset
from evalcore.engines.frames import MOST_ROWS, expanded_rows, weights_are
from evalcore.engines.labels import LabelCounts
from evalcore.engines.score_bins import ScoreBins, auc_bounds
from evalcore.engines.scores import EXACT_BITS, TOO_LARGE, PairedScoreCounts
from evalcore.readers import DataSet, Finding, ReadProblem, Roles, Unloaded, named, text_of
from evalcore.readers.base.column_names import free_name, is_probability
from evalcore.wording.numbers import count_text, rows_text, threshold_text

__all__ = ["summary_dataset"]

_Counts = LabelCounts | PairedScoreCounts


def summary_dataset(
    frame: Any, roles: Roles, system: str | None = None, name: str = "table", unloaded: Unloaded | None = None
) -> DataSet:
    """Build the data set of a table that is not loaded: one row per combination of labels, or per bin and class.

    Its weights count rows, so that measures, intervals and tests are those of the rows. Rows that belong together are
    written out again, up to two million; beyond, intervals rest on the effective number of what they belong to. Of
    importance weights, as many rows are written out as have the sum and the sum of squares of each entry's weights. It
    holds all systems of labels, and all or one of scores, on their common rows. Bins of scores stand at their lax end,
    where the counts are exact; of estimates there are cells (see `estimate_dataset`). `system` is a column of scores,
    by default all, or of estimates, by default the first. Raises ReadProblem if the roles are of another kind.

    >>> import pyarrow as pa
    >>> from evalcore.readers import roles_of
    >>> table = pa.table({"ill": ["yes", "no", "yes", "no"] * 50, "score": [0.9, 0.2, 0.4, 0.4] * 50})
    >>> data = summary_dataset(table, roles_of(actual="ill", score=("score",), positive="yes"))
    >>> len(data), data.scored().positives, float(data.scored().counts_at(0.4).fp)
    (4, 100.0, 50.0)
    """
    unloaded = replace(unloaded or Unloaded("", name), roles=roles.to_text(), weight=roles.get("weight"))
    beside = {"group": roles.get("group"), "unit": roles.get("cluster"), "weight": unloaded.weight}
    if roles.kind == "labels":
        counts = LabelCounts.of(frame, roles.get("actual"), roles.get("predicted"), **beside)
        names = [roles.get("actual"), *roles.get("predicted")]
        columns = dict(zip(names, counts.summary.keys.values(), strict=False))
        if (positive := roles.get("positive")) is not None:
            roles = replace(roles, positive=text_of(positive))
        data = _dataset(columns, counts.summary.keys | counts.summary.sums, counts, roles, frame, name)
        counted = {"rows": data.findings[0].count, "left_out": int(counts.left_out)}
        return replace(data, unloaded=replace(unloaded, **counted))
    if roles.kind == "estimates":
        return estimate_dataset(frame, roles, system, name, unloaded)
    if roles.kind != "scores":
        raise ReadProblem(
            f"A table of {roles.kind} cannot be summed up as a data set. Choose roles of labels, scores or estimates."
        )
    systems = (system,) if system is not None else roles.get("score")
    positive, actual = roles.get("positive"), roles.get("actual")
    if positive is None:
        raise ReadProblem(f"Choose which label of {named(actual)} is positive.")
    higher = roles.get("higher_is_positive", True)
    scores = PairedScoreCounts.of(frame, actual, systems, positive, higher_is_positive=higher, **beside)
    importance = beside["unit"] is None and _weights_are(frame, roles) == "importance"
    table, label = scores.table(MOST_ROWS if importance else None), text_of(positive)
    columns = {actual: np.where(table["positive"], label, scores.scores[0].negative or f"not {label}").astype(object)}
    ends = {}
    for place, (column, counts) in enumerate(zip(systems, scores.scores, strict=True)):
        columns[column] = table[f"near {place}"]
        if not counts.is_exact:
            ends[column] = free_name(f"other end of {column}", {*columns, *systems, *beside.values()})
            columns[ends[column]] = table[f"far {place}"]
    pieces = free_name("part of row", {*columns, *systems, *beside.values()}) if importance else ""
    if importance:
        columns[pieces] = table["row"]
    roles = replace(roles, score=systems, positive=label, predicted=())
    data = _dataset(columns, table, scores, roles, frame, name)
    own = system or (systems[0] if len(systems) == 1 else None)
    together = None if len(systems) == 1 else scores.bits
    counted = {"rows": data.findings[0].count, "left_out": int(scores.left_out)}
    unloaded = replace(unloaded, **counted, system=own, ends=ends, bits=together, pieces=pieces)
    findings = (*chain.from_iterable(map(_outside_findings, systems, scores.scores)), *data.findings)
    return replace(data, unloaded=unloaded, findings=findings, read_findings=findings)


def _dataset(
    columns: dict[str, np.ndarray], table: Mapping[str, np.ndarray], counts: _Counts, roles: Roles, frame: Any,
    name: str,
) -> DataSet:  # fmt: skip
    """Build the table whose rows are the entries of a summary, with their number of rows or weight."""
    sums, given, unit = table["count"], roles.get("weight"), roles.get("cluster")
    if not sums.sum():
        sentence = "No row can be counted: none has a value in all of the chosen columns. Choose others, or open the "
        raise ReadProblem(f"{sentence}table again if it has changed.")
    if "group" in table:
        columns[roles.get("group")] = table["group"]
    times, are = np.where(sums > 0, 1, 0), _weights_are(frame, roles)
    if unit is not None:
        units = table["unit"]
        columns[unit] = np.where(units == "", np.array(None), units)
        if given is None:
            # Counts of rows tell more than weights: how many rows there are.
            times = np.where((units == "") | (sums.sum() <= MOST_ROWS), sums, times)
    if times.sum() > MOST_ROWS:
        sentence = f"More than {count_text(MOST_ROWS)} rows have nothing in column {named(unit)}. Leave out what rows "
        raise ReadProblem(f"{sentence}belong to, or these rows.")
    used = np.repeat(np.arange(len(sums)), times.astype(np.intp))
    weights = sums[used] / times[used]
    rows = len(np.unique(table["row"])) if "row" in table else 0
    if are == "importance" and unit is None and not rows:
        used, weights = expanded_rows(sums, table["squares"], MOST_ROWS)
        rows = len(used)
    lists = {column: values[used].tolist() for column, values in columns.items()}
    weight = free_name(given or "rows", lists)
    is_counted = given is not None or unit is None or bool((weights > 1).any())
    if is_counted:
        lists[weight] = weights if given is not None else weights.astype(np.int64)
    roles = replace(roles, weight=weight if is_counted else None, weights_are=are if is_counted else None)
    finding = _finding(counts, weight if is_counted else None, given, rows)
    made = nw.from_dict(lists, backend="pandas").to_native()
    # Others, such as ties, would speak of the rows of the summary.
    return replace(DataSet.of(made, name, roles=roles, read_findings=(finding,)), findings=(finding,))


def _weights_are(frame: Any, roles: Roles) -> str:
    """Return how weights are used: as chosen, else as counts if all are whole numbers or there are none."""
    given = roles.get("weight")
    return roles.get("weights_are") or ("counts" if given is None else weights_are(frame, given))


def _outside_findings(column: str, scores: ScoreBins) -> tuple[Finding, ...]:
    """Find scores outside 0 … 1 in a column that is named like a probability."""
    low, high = scores.ends
    if not is_probability(column) or not (count := int(scores.bins.rows[(low < 0) | (high > 1)].sum())):
        return ()
    several, lie = "" if scores.is_exact else "up to ", "lies" if count == 1 else "lie"
    sentence = f"Column {named(column)} is named like a probability but holds scores from {threshold_text(low[0])} to "
    sentence += f"{threshold_text(high[-1])}: {several}{rows_text(count)} {lie} outside 0 … 1. It is used as a score."
    return (Finding("warning", sentence, count, column, code="not in 0 … 1"),)


def _finding(counts: _Counts, weight: str | None, given: str | None, written: int) -> Finding:
    """Say which rows the data set represents, and what is left out or not exact."""
    rows = int(counts.summary.rows.sum())
    sentence = f"{count_text(rows)} rows are counted here, and {count_text(counts.left_out)} without a label or a "
    sentence += "number are left out"
    if isinstance(counts, PairedScoreCounts) and (large := int(counts.scores[0].left_out.get(TOO_LARGE, 0))):
        sentence += f", among them {count_text(large)} with a score {TOO_LARGE}"
    if given is not None:
        sentence += f": column {named(weight)} adds up their weights"
        if 0 < written < counts.effective - 1:
            sentence += f", written out as {count_text(written)} rows, so intervals are wider than those of all rows"
    elif weight is not None:
        sentence += f": each row stands for as many as column {named(weight)} says"
    sentence += "."
    if isinstance(counts, PairedScoreCounts):
        for system, one in zip(counts.systems, counts.scores, strict=True):
            if not one.is_exact:
                of = f" of {named(system)}" if len(counts.systems) > 1 else ""
                low, high = (f"{value:.6f}" for value in vars(auc_bounds(one)).values())
                sentence += f" Scores{of} are counted in {count_text(len(one.bins))} bins; the AUC certainly lies "
                sentence += f"between {low} and {high}."
        if len(counts.systems) > 1 and counts.bits != EXACT_BITS:
            sentence += f" How they go together is counted in {count_text(len(counts.summary))} combinations of larger "
            sentence += "bins, and within these as if they were independent."
    return Finding("info", sentence, rows, weight, code="counted rows")
