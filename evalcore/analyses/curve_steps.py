"""A curve step by step: the ROC curve down a table of scores, precision and recall down a ranked list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.analyses.ranked_list import RankedList
from evalcore.analyses.scores import Scores
from evalcore.numeric import Array
from evalcore.wording import count_text, number_text, plain, share_text, threshold_text

__all__ = ["MOST_STEPS", "CurveSteps"]

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
