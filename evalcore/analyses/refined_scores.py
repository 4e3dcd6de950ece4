"""Scores that are counted in bins: what the bins leave open, whether a threshold is exact, and how it becomes so."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from evalcore.analyses.binned_scores import BinnedScores, counted_bins
from evalcore.analyses.called_rows import CalledRows
from evalcore.analyses.scores import Scores
from evalcore.classification import Goal, NoThreshold
from evalcore.numeric import Array
from evalcore.readers import ReadProblem, Split
from evalcore.wording import count_text, plain, rows_text, threshold_text

if TYPE_CHECKING:
    from evalcore.engines import ScoreCounts, StoredTable

__all__ = ["bins_of", "bounds_note", "certain_numbers", "certain_text", "refined_at", "threshold_note"]


def bins_of(scores: Scores) -> ScoreCounts | None:
    """The bins that the scores of a data set are counted in, by group; None where each row or score stands for itself.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> bins_of(Scores.of(Source.of(read_sample("roc_20")), "score")) is None
    True
    """
    dataset = scores.current.dataset
    ends = None if dataset.unloaded is None else dataset.unloaded.ends.get(scores.system)
    if ends is None or ends not in dataset.frame:
        return None
    return dataset.once("bins", scores.system, lambda: _bins(scores, ends))


def _bins(scores: Scores, ends: str) -> ScoreCounts | None:
    try:
        return counted_bins(scores.current, scores.system, ends)
    except ReadProblem:  # the scores were changed since, and their ends were not
        return None


def bounds_note(scores: Scores, *measures: str, goal: Goal | None = None, edges: Array | None = None) -> str:
    """What some measures certainly lie between, by their keys, and the best threshold for a goal; empty without bins.

    With the edges of a reliability diagram it has its calibration error too.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> bounds_note(Scores.of(Source.of(read_sample("roc_20")), "score"), "roc_auc")
    ''
    """
    if (bins := bins_of(scores)) is None or bins.is_exact:
        return ""
    binned, dataset = BinnedScores(bins), scores.current.dataset

    def once(what: str, sentence: Callable[[], str]) -> str:
        return dataset.once(what, scores.system, sentence, 0)

    sentences = [once(f"bounds of {measures}", lambda: binned.sentence(*measures))]
    if goal is not None:
        sentences.append(once(f"bounds of the best for {goal.key}", lambda: binned.choice_sentence(goal)))
    if edges is not None:
        sentences.append(binned.calibration_sentence(edges))
    return " ".join(filter(None, sentences))


def certain_numbers(scores: Scores, threshold: float, goal: Goal | None = None) -> dict[str, Any]:
    """What is certain of scores that are counted in bins, in plain types; empty where each score is known.

    Returns
    -------
    dict
        "counts_exact" (whether those at the threshold are), the bounds of "measures" by their keys, and of the best
        "value" for a goal and of its "thresholds" where they are known: each the lowest and the highest.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.samples import read_sample
    >>> certain_numbers(Scores.of(Source.of(read_sample("roc_20")), "score"), 0.5)
    {}
    """
    if (bins := bins_of(scores)) is None or bins.is_exact:
        return {}
    binned = BinnedScores(bins)
    measures = {key: binned.bounds(key) for key in binned.measures}
    choice = None
    with suppress(NoThreshold):
        choice = None if goal is None else binned.choice(goal)
    parts = {} if choice is None else {"value": choice.value, "thresholds": choice.thresholds}
    return {
        "counts_exact": bins.bin_around(threshold) is None,
        "measures": {key: [each.low, each.high] for key, each in measures.items() if each is not None},
        **{part: [each.low, each.high] for part, each in parts.items()},
    }


def certain_text(scores: Scores, threshold: float, goal: Goal | None = None) -> str:
    """The same for a report, without Markdown: empty where each score is known."""
    if not (note := bounds_note(scores, "roc_auc", goal=goal)):
        return ""
    bins = bins_of(scores)
    is_exact = bins is None or bins.bin_around(threshold) is None
    return (
        f"{note} {'The counts are exact' if is_exact else 'The threshold divides a bin, so the counts are not exact'}."
    )


def threshold_note(scores: Scores, threshold: float) -> tuple[str, bool]:
    """Whether the counts at a threshold are those of the rows, in Markdown, and whether the table could tell more.

    Empty for scores that are no bins.
    """
    if (bins := bins_of(scores)) is None:
        return "", False
    written = f"{scores.rule} {scores.text(threshold)}"
    if (ends := bins.bin_around(threshold)) is None:
        return f"The counts at {written} are exact.", False
    at = (bins.bins.lowest["lowest"] == ends[0]).argmax()
    rows, positives = (float(bins.bins.sums[name][at]) for name in ("count", "positives"))
    return (
        f"{written} divides a bin of {rows_text(rows)} with scores from {threshold_text(ends[0])} to "
        f"{threshold_text(ends[1])}, which are not called {plain(scores.positive, 40)} here: up to "
        f"{count_text(positives)} more hits and {count_text(rows - positives)} more false alarms are possible."
    ), not scores.current.dataset.shape.filters


def refined_at(scores: Scores, threshold: float, stored: StoredTable) -> Split:
    """The step that makes the counts at a threshold exact, asked of the table itself.

    Raises
    ------
    ReadProblem
        If the table cannot be asked, or has changed since it was counted.
    """
    bins, current = bins_of(scores), scores.current
    if bins is None or bins.bin_around(threshold) is None or current.dataset.unloaded is None:
        raise ReadProblem("The counts at this threshold are exact already.")
    rows = CalledRows.of(current, {scores.system: threshold}, stored)
    columns = scores.system, current.dataset.unloaded.ends[scores.system], rows.weight
    split = Split.at(current.frame, columns, rows.by, rows.cuts[0], rows.cells[:, 0])
    if split is None:
        raise ReadProblem("The table has changed since its scores were counted. Count them again.")
    return split
