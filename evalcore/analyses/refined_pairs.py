"""Two systems with scores that are counted in bins: what these leave open of a comparison, and how it becomes exact."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evalcore.analyses.binned_scores import certainly, engines_extra
from evalcore.analyses.called_rows import CalledRows
from evalcore.analyses.paired_rows import PairedRows, paired_rows
from evalcore.analyses.refined_scores import bins_of
from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source
from evalcore.analyses.system_pair import SystemPair
from evalcore.classification import roc_auc
from evalcore.readers import Pair
from evalcore.wording import count_text

if TYPE_CHECKING:
    from evalcore.engines import Bounds, StoredTable

__all__ = ["pair_note", "paired_at"]

_MOST_MOVES = 3
"""How often thresholds may move before it is left at that."""


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
    note += "Scores are counted in bins, so the number of rows that only A, or only B, has right may be off by up to "
    return f"{note}{count_text(most)}.", not source.dataset.shape.filters


def paired_at(comparison: SystemPair, stored: StoredTable) -> Pair:
    """The step that makes the counts of two systems at their thresholds exact, asked of the table itself.

    Where exact counts of A move the threshold of B, it is that of the threshold to which B has moved.

    Raises
    ------
    ReadProblem
        If the table cannot be asked, has changed since it was counted, or has too many groups for a link.
    """
    source, rows = comparison.source, comparison.rows
    step = _step(source, rows, stored)
    for _ in range(_MOST_MOVES):
        dataset = source.dataset.shaped(source.dataset.shape.edited(step))
        moved = paired_rows(replace(source, dataset=dataset), rows.systems, comparison.cut, comparison.threshold)
        if moved.thresholds == rows.thresholds:
            break
        rows = moved
        step = _step(source, rows, stored)
    return step


def _step(source: Source, rows: PairedRows, stored: StoredTable) -> Pair:
    unloaded, (a, b) = source.dataset.unloaded, rows.systems[:2]
    called = CalledRows.of(source, dict(zip((a, b), rows.thresholds, strict=False)), stored)
    others = {} if unloaded is None else unloaded.ends
    ends = others.get(a, a), others.get(b, b)
    return Pair((a, b), ends, called.weight, called.by, *called.cuts[0], *called.cuts[1], called.texts)


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
