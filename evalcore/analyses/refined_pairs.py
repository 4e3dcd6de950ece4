"""Two systems with scores that are counted in bins: what these leave open of a comparison, and how it becomes exact."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evalcore.analyses.binned_scores import certainly, engines_extra
from evalcore.analyses.paired_rows import PairedRows
from evalcore.analyses.refined_scores import MOST_NUMBERS, bins_of
from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source
from evalcore.classification import roc_auc
from evalcore.readers import Pair, ReadProblem, text_of
from evalcore.wording import count_text

if TYPE_CHECKING:
    from evalcore.engines import Bounds, StoredTable

__all__ = ["pair_note", "paired_at"]


def pair_note(source: Source, rows: PairedRows) -> tuple[str, bool]:
    """What is certain of the first two systems of some rows, in Markdown, and whether the table could tell more.

    Empty where each score of each row is known.

    >>> from evalcore.analyses import Source, paired_rows
    >>> from evalcore.readers.samples import read_sample
    >>> source = Source.of(read_sample("breast_cancer"))
    >>> pair_note(source, paired_rows(source, source.systems[:2]))
    ('', False)
    """
    unloaded = source.dataset.unloaded
    if unloaded is None or not unloaded.bits or not rows.thresholds:
        return "", False
    if unloaded.bits == engines_extra().EXACT_BITS:
        return "", False
    scores, note = [Scores.of(source, system) for system in rows.systems[:2]], ""
    if any(system in unloaded.ends for system in rows.systems[:2]):
        a, b = map(_area, scores)
        difference = engines_extra().Bounds(b.low - a.high, b.high - a.low)
        note = f"B minus A in the area under the ROC curve {certainly(difference)}. "
    most = 0.0 if _is_exact(source, rows) else sum(map(partial(_open_rows, source), scores, rows.thresholds))
    if not most:
        return f"{note}The counts of both at these thresholds are exact.", False
    note += "Scores are counted in bins: how many rows only A, or only B, has right may be off by up to "
    can_ask = source.counts_rows and source.roles.get("cluster") is None and not source.dataset.shape.filters
    return f"{note}{count_text(most)}.", can_ask


def paired_at(source: Source, rows: PairedRows, stored: StoredTable) -> Pair:
    """The step that makes the counts of the first two systems of some rows exact, asked of the table itself.

    Raises
    ------
    ReadProblem
        If the table cannot be asked, has changed since it was counted, or has too many groups for a link.
    """
    roles, systems, thresholds = source.roles, rows.systems[:2], rows.thresholds[:2]
    actual, group, higher = roles.get("actual"), roles.get("group"), source.higher_is_positive
    options = {"group": group, "higher_is_positive": higher}
    calls = engines_extra().paired_calls(stored.frame, actual, systems, roles.get("positive"), thresholds, **options)
    by = tuple(name for name in (actual, group) if name is not None)
    frame, weight = source.dataset.frame, roles.get("weight")
    each = frame.drop_duplicates(list(by))
    if 4 * len(each) > MOST_NUMBERS:
        raise ReadProblem("There are too many groups for a link. Leave out the column of groups and count again.")
    names = calls.keys.get("group", np.full(len(calls), ""))
    counts: list[str] = []
    for _, entry in each.iterrows():
        is_positive = text_of(entry[actual]) == text_of(roles.get("positive"))
        positives = calls.sums["positives"]
        sums = positives if is_positive else calls.sums["count"] - positives
        own = names == ("" if group is None else text_of(entry[group]))
        for call in ((1, 1), (1, 0), (0, 1), (0, 0)):
            called = (calls.keys["call 0"] == call[0]) & (calls.keys["call 1"] == call[1])
            counts.append(text_of(int(sums[own & called].sum())))
    if calls.sums["count"].sum() != frame[weight].sum() or sum(map(int, counts)) != frame[weight].sum():
        raise ReadProblem("The table has changed since its scores were counted. Count them again.")
    cuts: dict[str, float] = {}
    for place, threshold in enumerate(thresholds):
        is_called = calls.keys[f"call {place}"] == 1
        low, high = calls.lowest[f"lowest {place}"], calls.highest[f"highest {place}"]
        below, above = (~is_called, is_called) if higher else (is_called, ~is_called)
        ends = float(high[below].max(initial=-np.inf)), float(low[above].min(initial=np.inf))
        last, first = ends if higher else ends[::-1]
        side = "ab"[place]
        cuts |= {f"threshold_{side}": threshold, f"last_{side}": last, f"first_{side}": first}
    unloaded = source.dataset.unloaded
    ends = {} if unloaded is None else unloaded.ends
    others = tuple(ends.get(system, system) for system in systems)
    return Pair(tuple(systems), others, weight, by, counts=tuple(counts), **cuts)


def _area(scores: Scores) -> Bounds:
    """Certain bounds of an area, which are one number where each score is known."""
    if (bins := bins_of(scores)) is not None:
        return engines_extra().auc_bounds(bins)
    area = roc_auc(scores.scored)
    return engines_extra().Bounds(area, area)


def _is_exact(source: Source, rows: PairedRows) -> bool:
    """Whether a step has made the counts at these thresholds exact, or at others without a score in between."""
    wanted = dict(zip(rows.systems[:2], rows.thresholds[:2], strict=True))
    for step in source.dataset.shape.steps:
        if isinstance(step, Pair) and {*step.columns} == {*wanted}:
            ends = zip(step.columns, step.cuts, strict=True)
            if all(_between(wanted[name], last, first) for name, (_, last, first) in ends):
                return True
    return False


def _between(threshold: float, last: float, first: float) -> bool:
    return last < threshold <= first if first > last else first <= threshold < last


def _open_rows(source: Source, scores: Scores, threshold: float) -> float:
    """How far the bins of one system may move a count of pairs at its threshold."""
    dataset, unloaded = source.dataset, source.dataset.unloaded
    bits, ends = (None, {}) if unloaded is None else (unloaded.bits, unloaded.ends)
    columns = (scores.system, ends.get(scores.system, scores.system))
    near, far = (dataset.frame[name].to_numpy(np.float64) for name in columns)
    weight, order_key = source.roles.get("weight"), engines_extra().order_key
    counts = np.ones(len(near)) if weight is None else dataset.frame[weight].to_numpy(np.float64)
    low, high = np.sort([order_key(values, bits) for values in (near, far)], axis=0)
    at = float(order_key([threshold], bits)[0])
    inside = (low <= at) & (at <= high)
    called = near >= threshold if scores.higher else near <= threshold
    divided = ~called & (far >= threshold if scores.higher else far <= threshold)
    total = 0.0
    for label in dataset.frame[source.roles.get("actual")][inside].unique():
        own = inside & (dataset.frame[source.roles.get("actual")] == label).to_numpy()
        sides = [float(counts[own & side].sum()) for side in (called, ~called)]
        total += min(sides) + 3 * float(counts[own & divided].sum())
    return total
