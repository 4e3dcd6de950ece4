"""ROC and precision–recall curves: overlays, colours of the systems, and captions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.analyses.confusion.confusion import Requirement
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.source import Source, left_out_text
from evalcore.analyses.retrieve.ranked_list import RankedList
from evalcore.classification import ConfusionCounts, at_prevalence
from evalcore.inference import perfect_area_bound, poor_coverage
from evalcore.inference.base.clustered_areas import independent_pairs
from evalcore.numeric import Array
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import count_text, measure_word, number_text, plain, share_text, threshold_text

__all__ = ["BANDS", "LEGEND", "MOST_STEPS", "NO_CONTOURS", "PRECISION_LINES", "CurveOverlays", "CurveSteps"]
__all__ += ["area_note", "can_average", "curve_name", "curve_notes", "curve_systems", "no_curve_because"]


BANDS = ("none", "pointwise", "simultaneous")

NO_CONTOURS = "none"

PRECISION_LINES = ("both", "interpolated", "as counted")

_ASKED = {
    "beta": "beta", "probability": "risk", "fn_cost": "miss", "fp_cost": "false alarm", "tp_cost": "hit",
    "tn_cost": "correct rejection",
}  # fmt: skip

LEGEND = 4
"""Of more systems than this a legend would take the room of the curves; a table has to say which line is which."""

MOST_SYSTEMS = 12
"""More curves over each other than this cannot be told apart."""

MOST_CELLS = 20_000_000
"""Rows times classes up to which classes are averaged."""


@dataclass(frozen=True)
class CurveOverlays:
    """How the curves are drawn."""

    # How precision is drawn, one of `PRECISION_LINES`; one of `BANDS`.
    line: str = PRECISION_LINES[0]
    band: str = BANDS[0]
    # Whether the convex hull is drawn, the line in the colours of its thresholds, and the corners of both planes named.
    hull: bool = False
    coloured: bool = False
    corners: bool = False
    # Key of a measure of counts with its parameters, or `NO_CONTOURS`.
    contours: str = NO_CONTOURS
    arguments: Sequence[tuple[str, float]] = ()
    share: float | None = None  # prevalence that contours and regions are drawn for; None for that of the sample
    requirements: Sequence[Requirement] = ()

    @property
    def measure(self) -> MetricDef | None:
        """The measure whose contours are drawn, with its parameters."""
        return None if self.contours == NO_CONTOURS else METRICS[self.contours].with_params(**dict(self.arguments))

    def value(self, counts: ConfusionCounts) -> Array:
        """That measure of some counts of the sample, at the chosen prevalence."""
        measure = METRICS[self.contours].with_params(**dict(self.arguments))
        return measure(counts if self.share is None else at_prevalence(counts, self.share))

    @property
    def notes(self) -> list[str]:
        """What is drawn besides the curves."""
        notes = []
        if self.measure is not None:
            asked = ", ".join(f"{_ASKED[name]} {threshold_text(value)}" for name, value in self.arguments)
            there = "" if self.share is None else f" at a prevalence of {share_text(self.share)}"
            notes.append(f"Grey lines: equal {measure_word(self.measure)}{f' ({asked})' if asked else ''}{there}.")
        if self.band != BANDS[0]:
            covers = "the whole curve" if self.band == "simultaneous" else "each point separately"
            notes.append(f"The band covers {covers} in 95 of 100 samples like this one (bootstrap).")
        return notes


def curve_systems(source: Source) -> tuple[str, ...]:
    """The systems, or the columns of the classes, whose curves are drawn; the chosen one is always among them."""
    first = source.dataset.systems[:MOST_SYSTEMS]
    return first if source.system is None or source.system in first else (*first[:-1], source.system)


def curve_name(scores: Scores) -> str:
    """What the curve of a system is called: of class probabilities, the class. Comes from a file: escape it."""
    return scores.system if scores.current.scored_by == "system" else scores.positive


def can_average(source: Source) -> bool:
    """Whether there are several classes, and not more rows of them than can be pooled in a moment."""
    classes = len(source.dataset.systems)
    return source.scored_by in ("class", "label") and classes > 1 and source.rows * classes <= MOST_CELLS


def curve_notes(scores: Scores, averages: bool = False) -> list[str]:
    """Rows that are left out, lines without a legend, systems not drawn; and what the averages of classes look like.

    >>> from evalcore.readers.join.samples import read_sample
    >>> curve_notes(Scores.of(Source.of(read_sample("digits_probabilities")), "p_0"))
    ['The table below says which line is which.']
    """
    source, notes = scores.current, []
    shown, total = len(curve_systems(source)), len(source.dataset.systems)
    if scores.left_out:
        notes.append(left_out_text(scores.left_out).strip())
    if averages and can_average(source):
        notes.append("In the text colour: the micro average, dotted, and the macro average, dashed.")
    if shown > LEGEND:
        notes.append("The table below says which line is which.")
    if 1 < shown < total:
        what = {"class": "classes", "label": "labels"}.get(source.scored_by or "", "systems")
        notes.append(f"{shown} of {count_text(total)} {what} are drawn; the table has them all.")
    return notes


def no_curve_because(scores: Scores) -> str:
    """Why there is no curve, as a sentence in Markdown; empty where there is one."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    positive = plain(scores.positive, limit=40)
    if not positives and not negatives:
        return "No row has both a label and a score."
    if not positives:
        return f"None of the {count_text(negatives)} rows is {positive}, so there is nothing to find."
    if not negatives:
        return f"All {count_text(positives)} rows are {positive}, so there can be no false alarm."
    return ""


def area_note(scores: Scores, area_method: str = "logit") -> str:
    """What is to be known of the interval of the area: that there is none, or where it is known to be too narrow.

    The area method is a key of `evalcore.inference.AREA_METHODS`.
    """
    positives, negatives = scores.scored.positives, scores.scored.negatives
    # With few of either class it is the same: turned round, the area and its interval are mirrored.
    rows, fewer = positives + negatives, min(positives, negatives)
    wrong = perfect_area_bound(scores.scored) if fewer else math.nan
    if not math.isnan(wrong):
        ordered, bound = "correctly", f"at least {number_text(1 - wrong)}"
        if METRICS["roc_auc"](scores.scored) == 0:
            ordered, bound = "the wrong way round", f"at most {number_text(wrong)}"
        few = f"{count_text(fewer)} rows in the rarer class"
        if scores.scored.clusters:
            few = f"{count_text(independent_pairs(scores.scored))} such pairs of different {scores.current.units}"
        return (
            f"Every pair of a positive and a negative row is ordered {ordered}, which leaves no variance for an "
            f"interval of the AUC. With {few}, the true AUC is {bound} (exact, 95 %, one-sided)."
        )
    if scores.scored.clusters:  # the figures are those of independent rows
        return ""
    method = {"logit": "delong_logit", "plain": "delong"}[area_method]
    return poor_coverage(method, rows, fewer / rows) if fewer else ""


MOST_STEPS = 200
"""Steps up to which a curve is gone through one by one."""

_MOST_LETTERS = 6


@dataclass(frozen=True, eq=False)
class CurveSteps:
    """What each step adds to a curve.

    `x` and `y` are the points after 0, 1, … steps (nan where the curve has none), `table` has a row a step, and
    `sentences` say what happens at it, in Markdown.
    """

    axes: tuple[str, str]
    x: Array
    y: Array
    table: Mapping[str, Sequence]
    sentences: Sequence[str]

    def __len__(self) -> int:
        return len(self.sentences)

    @classmethod
    def of_scores(cls, scores: Scores) -> "CurveSteps":
        """Down the distinct scores from the strictest: each row that is positive goes up, each negative one right.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers import read_sample
        >>> steps = CurveSteps.of_scores(Scores.of(Source.of(read_sample("roc_20")), "score"))
        >>> steps.table["class"][:3], steps.table["TPR"][2], len(steps)
        (['P', 'P', 'N'], 0.2, 20)
        """
        table = scores.table
        tp, fp = table.counts.tp, table.counts.fp
        up, right = np.diff(tp), np.diff(fp)
        positives, negatives = (float(value) for value in (scores.scored.positives, scores.scored.negatives))
        tpr, fpr = tp / positives, fp / negatives
        each = list(zip(table.thresholds[1:].tolist(), up.tolist(), right.tolist(), strict=True))
        rows = {
            "score": [value for value, *_ in each],
            "class": [_letters(more, fewer) for _, more, fewer in each],
            "TP": tp[1:].tolist(), "FP": fp[1:].tolist(),
            "FN": (positives - tp[1:]).tolist(), "TN": (negatives - fp[1:]).tolist(),
            "TPR": tpr[1:].tolist(), "FPR": fpr[1:].tolist(),
        }  # fmt: skip
        sentences = [
            f"**Score {threshold_text(value)}**: {_moves(more, fewer)} "
            f"TPR {share_text(float(tpr[step]))}, FPR {share_text(float(fpr[step]))}."
            for step, (value, more, fewer) in enumerate(each, start=1)
        ]
        return cls(("false positive rate", "true positive rate (recall)"), fpr, tpr, rows, sentences)

    @classmethod
    def of_list(cls, ranked: RankedList) -> "CurveSteps":
        """Down a ranked list: a relevant document raises recall and precision, any other lowers precision alone.

        >>> from evalcore.analyses import Rankings, Source
        >>> from evalcore.readers import read_sample
        >>> steps = CurveSteps.of_list(RankedList(Rankings(Source.of(read_sample("ranking_14")), "rank"), "1"))
        >>> steps.sentences[2]
        '**Rank 3**, 576, is not relevant: precision falls to 2/3 = 0.667, recall stays 2/5 = 0.400.'
        """
        curve = ranked.curve
        hits, total = np.cumsum(curve.relevant), int(curve.total)
        table = ranked.table
        names = list(map(plain, ranked.documents))
        sentences = []
        for step, (name, is_relevant, found) in enumerate(
            zip(names, curve.relevant.tolist(), hits.tolist(), strict=True), start=1
        ):
            before = float(curve.precision[step - 2]) if step > 1 else 0.0
            now = float(curve.precision[step - 1])
            move = "stays" if step > 1 and now == before else "rises to" if now > before else "falls to"
            what = "is relevant" if is_relevant else "is not relevant"
            precision = f"precision {'is' if step == 1 else move} {found}/{step} = {number_text(now)}"
            recall = f"{found}/{count_text(total)} = {number_text(found / total)}" if total else "undefined"
            changes = "rises to" if is_relevant else "stays"
            sentences.append(f"**Rank {step}**, {name}, {what}: {precision}, recall {changes} {recall}.")
        rows = {key: np.asarray(table[key]).tolist() for key in ("rank", "document", "relevant", "precision", "recall")}
        x = np.concatenate([[np.nan], curve.recall if total else np.full(len(names), np.nan)])
        y = np.concatenate([[np.nan], curve.precision])
        return cls(("recall", "precision"), x, y, rows, sentences)


def _letters(positives: float, negatives: float) -> str:
    """The classes of the rows with one score: "P", "N", "PNN"; where they are many, counted."""
    whole = positives == round(positives) and negatives == round(negatives)
    if whole and positives + negatives <= _MOST_LETTERS:
        return "P" * round(positives) + "N" * round(negatives)
    return ", ".join(f"{count_text(value)} {kind}" for value, kind in ((positives, "P"), (negatives, "N")) if value)


def _moves(positives: float, negatives: float) -> str:
    if positives and negatives:
        rows = f"{count_text(positives)} positive and {count_text(negatives)} negative"
        return f"{rows} rows share it, so the curve runs through them in one slanted line."
    rows = "a row" if positives + negatives == 1 else f"{count_text(positives + negatives)} rows"
    is_or_are = "is" if rows == "a row" else "are"
    if positives:
        return f"{rows} that {is_or_are} positive, so the curve goes up."
    return f"{rows} that {is_or_are} negative, so the curve goes right."
