"""ROC and precision–recall curves: overlays, colours of the systems, and captions."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from evalcore.analyses.confusion import Requirement
from evalcore.analyses.data.measure_table import latex_sum
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.source import Source, left_out_text
from evalcore.analyses.retrieve.ranking import RankedList
from evalcore.classification import best, fall_out, pooled, precision, recall, roc_auc, youden_j
from evalcore.classification.binary import ConfusionCounts, ScoredLabels, at_prevalence, precision_recall_curve
from evalcore.inference import Interval, IntervalChoice, bootstrap_scores, perfect_area_bound, poor_coverage
from evalcore.inference.base.clustered import independent_pairs
from evalcore.numeric import Array
from evalcore.registry import METRICS, PARTIAL, MetricDef, measures_of
from evalcore.wording import THIN, latex, latex_count, latex_term, measure_markdown, measure_word, plain, short_names
from evalcore.wording.numbers import count_text, level_text, number_text, range_text, share_text, threshold_text

__all__ = ["BANDS", "LEGEND", "MOST_STEPS", "NEARLY_PERFECT", "NO_CONTOURS", "Corner", "CurveOverlays"]
__all__ += ["PRECISION_LINES", "WHOLE_CURVE", "CurveRanges", "CurveSteps", "ScoreLine", "ScoreTable", "area_note"]
__all__ += ["can_average", "class_averages", "curve_name", "curve_notes", "curve_systems", "no_curve_because"]
__all__ += ["resampled_values", "score_formulas", "score_values"]

NEARLY_PERFECT = 0.97  # AUC above which ROC and precision–recall open at the corner where the curves bend
BANDS = ("none", "pointwise", "simultaneous")
NO_CONTOURS = "none"
PRECISION_LINES = {
    "both": "thick line: interpolated, thin line: as measured", "interpolated": "line: interpolated",
    "sawtooth": "line: as measured",
}  # fmt: skip
_ASKED = {"probability": "risk", "fn_cost": "miss", "fp_cost": "false alarm", "tp_cost": "hit"}
_ASKED |= {"beta": "beta", "tn_cost": "correct rejection"}
LEGEND = 4  # systems up to which a picture has a legend; a larger one would take the room of the curves
MOST_SYSTEMS = 12  # curves in one picture; more could not be told apart
MOST_CELLS = 20_000_000  # rows times classes up to which classes are averaged
_BEND = 0.95
"""Recall at which a curve has bent: the corner reaches three times as far from the best value as its point there."""
MOST_STEPS = 200  # steps up to which a curve is gone through one by one
_MOST_LETTERS = 6
_WHOLE = (0.0, 1.0)
_AXES = {"fpr": "false positive rates", "tpr": "recall"}
_MOST_TERMS = 6  # terms of a sum that are written out


@dataclass(frozen=True)
class CurveOverlays:
    """Settings of how the curves are drawn."""

    line: str = "both"  # how precision is drawn
    band: str = BANDS[0]
    hull: bool = False  # whether the convex hull is drawn
    whole: bool = False  # whether the axes are whole where the curves bend in a corner
    corners: bool = False  # whether the corners of both planes are named
    contours: str = NO_CONTOURS  # or the key of a measure of counts
    arguments: Sequence[tuple[str, float]] = ()  # parameters of that measure
    share: float | None = None  # prevalence that contours and regions are drawn for; None for that of the sample
    requirements: Sequence[Requirement] = ()

    @property
    def measure(self) -> MetricDef | None:
        """Measure of the contours, with its parameters."""
        return None if self.contours == NO_CONTOURS else METRICS[self.contours].with_params(**dict(self.arguments))

    def value(self, counts: ConfusionCounts) -> Array:
        """Value of the contour measure for counts of the sample, at the chosen prevalence."""
        assert self.measure is not None
        return self.measure(counts if self.share is None else at_prevalence(counts, self.share))

    @property
    def notes(self) -> list[str]:
        """Captions of the lines drawn besides the curves."""
        notes = []
        if self.measure is not None:
            arguments = ", ".join(f"{_ASKED[name]} {threshold_text(value)}" for name, value in self.arguments)
            given = f" ({arguments})" if arguments else ""
            there = "" if self.share is None else f" at a prevalence of {share_text(self.share)}"
            notes.append(f"Grey lines: equal {measure_word(self.measure)}{given}{there}.")
        if self.band != BANDS[0]:
            covers = "the whole curve" if self.band == "simultaneous" else "each point separately"
            notes.append(f"The band covers {covers} in 95 of 100 samples like this one (bootstrap).")
        return notes


@dataclass(frozen=True)
class Corner:
    """The part of ROC and precision–recall in which curves near to perfect bend."""

    fpr: float  # highest false positive rate
    recall: float  # lowest
    precision: float = 0.0  # lowest; 0 where precision takes the whole axis, so that nothing is gained

    @classmethod
    def of(cls, systems: Sequence[Scores]) -> "Corner | None":
        """The corner that holds the bends of all systems; None unless each AUC is high, and one is below 1."""
        areas = [float(METRICS["roc_auc"](scores.scored)) for scores in systems]
        if not areas or not all(area > NEARLY_PERFECT for area in areas) or min(areas) == 1:  # nan without a class
            return None
        every = [scores.table.counts for scores in systems]
        points = [counts[counts.tp.searchsorted(_BEND * counts.tp[-1])] for counts in every]
        farthest = max(max(3 * float(fall_out(counts)), 5 / float(counts.actual_negatives)) for counts in points)
        limit = min(0.3, _rounded_up(farthest))
        # Where the curve leaves the axis is seen too, unless it does so far below.
        starts = [counts[counts.fp.searchsorted(limit / 20 * counts.fp[-1], side="right") - 1] for counts in every]
        lowest = _tenth_below(min(0.85, *(float(recall(counts)) for counts in starts)))
        pure = _tenth_below(min(1 - 3 * (1 - float(precision(counts))) for counts in points))
        return cls(limit, lowest, pure if pure >= 0.4 else 0.0)

    def holds(self, counts: ConfusionCounts) -> bool:
        """Whether a decision lies in the corner of both planes."""
        pure = not self.precision or bool(precision(counts) >= self.precision)
        return bool(fall_out(counts) <= self.fpr and recall(counts) >= self.recall) and pure

    @property
    def parts(self) -> dict[str, tuple[tuple[float, float], tuple[float, float]]]:
        """Ranges along both axes of each plane that is not shown whole."""
        up = self.recall, 1.0
        return {"roc": ((0.0, self.fpr), up)} | ({"pr": (up, (self.precision, 1.0))} if self.precision else {})

    def text(self, plane: str) -> str:
        """Limit of the false positive rate or of recall in the corner, for a label."""
        shown = {"roc": f"false positive rate ≤ {level_text(self.fpr)}", "pr": f"recall ≥ {level_text(self.recall)}"}
        return f"zoomed: {shown[plane]}"


def _rounded_up(share: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 … per cent, or of their thousandths and so on.

    >>> _rounded_up(0.07), _rounded_up(0.143), _rounded_up(0.0002)
    (0.1, 0.2, 0.0002)
    """
    power = 10.0 ** math.floor(math.log10(share))
    step = next(step for step in (1, 2, 5, 10) if share <= step * power * (1 + 1e-9))
    return float(f"{step * power:.3g}")


def _tenth_below(share: float) -> float:
    return max(0.0, math.floor(10 * share + 1e-9) / 10)


def curve_systems(source: Source) -> tuple[str, ...]:
    """Systems, or class columns, with a curve; always includes the chosen one."""
    first = source.dataset.systems[:MOST_SYSTEMS]
    return first if source.system is None or source.system in first else (*first[:-1], source.system)


def curve_name(scores: Scores) -> str:
    """Name of the curve of a system: for class probabilities, the class. Unescaped text from a file."""
    return scores.system if scores.current.scored_by == "system" else scores.positive


def can_average(source: Source) -> bool:
    """Whether there are several classes, and few enough rows to pool them at once."""
    classes = len(source.dataset.systems)
    return source.scored_by in ("class", "label") and classes > 1 and source.rows * classes <= MOST_CELLS


def curve_notes(scores: Scores, averages: bool = False) -> list[str]:
    """Rows that are left out, lines without a legend, systems not drawn; and what the averages of classes look like."""
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
    """Reason for a missing curve, as a sentence in Markdown; empty if there is one."""
    positives, negatives, positive = scores.scored.positives, scores.scored.negatives, plain(scores.positive, 40)
    if not positives:
        none = f"None of the {count_text(negatives)} rows is {positive}, so there is nothing to find."
        return none if negatives else "No row has both a label and a score."
    return "" if negatives else f"All {count_text(positives)} rows are {positive}, so there can be no false alarm."


def area_note(scores: Scores, area_method: str = "logit") -> str:
    """Note on the interval of the area by a key of `AREA_METHODS`: none exists, or it is known to be too narrow."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    # With few of either class it is the same: turned round, the area and its interval are mirrored.
    rows, fewer = positives + negatives, min(positives, negatives)
    if fewer and not math.isnan(wrong := perfect_area_bound(scores.scored)):
        ordered, bound = "the wrong way round", f"at most {number_text(wrong)}"
        if METRICS["roc_auc"](scores.scored) != 0:
            ordered, bound = "correctly", f"at least {number_text(1 - wrong)}"
        few = f"{count_text(fewer)} rows in the rarer class"
        if scores.scored.clusters:
            few = f"{count_text(independent_pairs(scores.scored))} such pairs of different {scores.current.units}"
        return (
            f"Every pair of a positive and a negative row is ordered {ordered}, so there is no variance to compute an "
            f"interval of the AUC from. With {few}, the true AUC is {bound} (exact, 95 %, one-sided)."
        )
    method = {"logit": "delong_logit", "plain": "delong"}[area_method]
    # The figures are those of independent rows.
    return poor_coverage(method, rows, fewer / rows) if fewer and not scores.scored.clusters else ""


@dataclass(frozen=True, eq=False)
class CurveSteps:
    """Steps of a curve, each with its contribution to the area."""

    axes: tuple[str, str]
    x: Array  # after 0, 1, … steps; nan where the curve has no point
    y: Array
    table: Mapping[str, Sequence]  # a row per step
    sentences: Sequence[str]  # what happens at each step, in Markdown

    def __len__(self) -> int:
        return len(self.sentences)

    @classmethod
    def of_scores(cls, scores: Scores) -> "CurveSteps":
        """Steps along the distinct scores from the strictest: up for each positive row, right for each negative one."""
        table = scores.table
        tp, fp = table.counts.tp, table.counts.fp
        positives, negatives = (float(value) for value in (scores.scored.positives, scores.scored.negatives))
        tpr, fpr = tp / positives, fp / negatives
        columns = (table.thresholds[1:], np.diff(tp), np.diff(fp), tpr[1:], fpr[1:])
        each = list(zip(*(column.tolist() for column in columns), strict=True))
        rows = {
            "score": table.thresholds[1:].tolist(), "class": [_letters(more, fewer) for _, more, fewer, *_ in each],
            "TP": tp[1:].tolist(), "FP": fp[1:].tolist(),
            "FN": (positives - tp[1:]).tolist(), "TN": (negatives - fp[1:]).tolist(),
            "TPR": tpr[1:].tolist(), "FPR": fpr[1:].tolist(),
        }  # fmt: skip
        sentences = [
            f"**Score {threshold_text(value)}**: {_step_sizes_text(more, fewer)} TPR {share_text(true)}, "
            f"FPR {share_text(false)}."
            for value, more, fewer, true, false in each
        ]
        return cls(("false positive rate", "true positive rate (recall)"), fpr, tpr, rows, sentences)

    @classmethod
    def of_list(cls, ranked: RankedList) -> "CurveSteps":
        """Steps along a ranked list: relevant documents raise recall and precision, others lower precision."""
        curve, table = ranked.curve, ranked.table
        hits, total = np.cumsum(curve.relevant), int(curve.total)
        names, sentences, before = list(map(plain, ranked.documents)), [], 0.0
        each = zip(names, curve.relevant.tolist(), hits.tolist(), curve.precision.tolist(), strict=True)
        for step, (name, is_relevant, found, now) in enumerate(each, start=1):
            move = "stays" if step > 1 and now == before else "rises to" if now > before else "falls to"
            precision = f"precision {'is' if step == 1 else move} {found}/{step} = {number_text(now)}"
            recall = f"{found}/{count_text(total)} = {number_text(found / total)}" if total else "undefined"
            what, changes = ("is relevant", "rises to") if is_relevant else ("is not relevant", "stays")
            sentences.append(f"**Rank {step}**, {name}, {what}: {precision}, recall {changes} {recall}.")
            before = now
        rows = {key: np.asarray(table[key]).tolist() for key in ("rank", "document", "relevant", "precision", "recall")}
        x = np.concatenate([[np.nan], curve.recall if total else np.full(len(names), np.nan)])
        y = np.concatenate([[np.nan], curve.precision])
        return cls(("recall", "precision"), x, y, rows, sentences)


def _letters(positives: float, negatives: float) -> str:
    """Classes of the rows with one score: "P", "N", "PNN"; as counts if there are many."""
    whole = positives == round(positives) and negatives == round(negatives)
    if whole and positives + negatives <= _MOST_LETTERS:
        return "P" * round(positives) + "N" * round(negatives)
    return ", ".join(f"{count_text(value)} {kind}" for value, kind in ((positives, "P"), (negatives, "N")) if value)


def _step_sizes_text(positives: float, negatives: float) -> str:
    if positives and negatives:
        rows = f"{count_text(positives)} positive and {count_text(negatives)} negative"
        return f"{rows} rows share it, so the curve runs through them in one slanted line."
    rows = "a row" if positives + negatives == 1 else f"{count_text(positives + negatives)} rows"
    kind, direction = ("positive", "up") if positives else ("negative", "right")
    return f"{rows} that {'is' if rows == 'a row' else 'are'} {kind}, so the curve goes {direction}."


@dataclass(frozen=True)
class CurveRanges:
    """Ranges of partial areas, 0 <= low < high <= 1; by default the whole axis."""

    fpr: tuple[float, float] = _WHOLE
    tpr: tuple[float, float] = _WHOLE

    @property
    def chosen(self) -> dict[str, tuple[float, float]]:
        """The ranges that leave something out, by axis."""
        return {axis: ends for axis, ends in vars(self).items() if ends != _WHOLE}

    @property
    def areas(self) -> list[MetricDef]:
        """The registered partial areas over the chosen ranges."""
        ends = {f"lowest_{axis}": low for axis, (low, _) in self.chosen.items()}
        ends |= {f"highest_{axis}": high for axis, (_, high) in self.chosen.items()}
        return [measure for measure in measures_of("scores", **ends) if measure.group == PARTIAL]

    @property
    def measures(self) -> dict[str, Callable[[ScoredLabels], float]]:
        """The partial areas by label, raw and corrected."""
        measures = {}
        for area in self.areas:
            corrected = partial(area.function, corrected=True, **area.arguments)
            measures |= {area.label: area, f"{area.label} corrected": corrected}
        return measures

    @property
    def helps(self) -> dict[str, str]:
        """One line on every measure of scores and on the partial areas, by label."""
        helps = {measure.label: measure.help for measure in (*measures_of("scores"), *self.areas)}
        corrected = "The same on the scale of McClish, where ½ is guessing and 1 perfect, whatever the range"
        return helps | {f"{area.label} corrected": corrected for area in self.areas}

    @property
    def notes(self) -> list[str]:
        """Note on the ranges of the partial areas."""
        return [
            f"{area.label}: over {_AXES[axis]} from {number_text(low)} to {number_text(high)}."
            for area, (axis, (low, high)) in zip(self.areas, self.chosen.items(), strict=True)
        ]


WHOLE_CURVE = CurveRanges()


def score_values(
    scored: ScoredLabels,
    measures: Mapping[str, Callable[[ScoredLabels], float]] | None = None,
    area_method: str = "logit",
) -> dict[str, Interval]:
    """Values of score measures by label, by default all, with DeLong's interval by a key of `AREA_METHODS`."""
    choice = IntervalChoice(area=area_method)

    def value(measure: Callable[[ScoredLabels], float]) -> Interval:
        if isinstance(measure, MetricDef) and measure.interval == "delong":
            return choice.of_linear_area(measure, scored)
        return _point(float(measure(scored)))

    measures = measures or {measure.label: measure for measure in measures_of("scores")}
    return {label: value(measure) for label, measure in measures.items()}


def resampled_values(scored: ScoredLabels, ranges: CurveRanges = WHOLE_CURVE) -> dict[str, Interval]:
    """The measures without a closed form, and the partial areas, with intervals over resamples of the rows."""
    measures = {m.label: m for m in measures_of("scores") if m.interval != "delong"} | ranges.measures
    return dict(zip(measures, bootstrap_scores(list(measures.values()), scored), strict=True))


def _point(value: float) -> Interval:
    return Interval(value, math.nan, math.nan)


class ScoreLine(NamedTuple):
    """A line of the table: a system or class, its measures by label, and its rows and positives."""

    name: str
    values: dict[str, Interval]
    rows: float
    positives: float

    @classmethod
    def of(cls, scores: Scores, area_method: str) -> "ScoreLine":
        """The line of some scores."""
        state, values = scores.scored, score_values(scores.scored, area_method=area_method)
        return cls(curve_name(scores), values, state.positives + state.negatives, state.positives)


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One line per system, or per class against the rest, and averages of classes; names come from a file."""

    source: Source
    ranges: CurveRanges
    lines: Sequence[ScoreLine]
    averages: Sequence[ScoreLine] = ()

    @property
    def different_rows(self) -> bool:
        """Whether systems have scores on different rows, judged by their numbers of rows and positives."""
        return self.source.scored_by == "system" and len({line[2:] for line in self.lines}) > 1

    @property
    def notes(self) -> str:
        """Note on the rows behind the numbers, in Markdown."""
        notes = self.ranges.notes
        if self.different_rows:
            notes.append(
                "The systems have different rows, so none is marked as the best: an area depends on the rows. To "
                "compare two systems on the rows they share, use the Compare page."
            )
        if self.source.clusters:
            notes.append("The variance of an AUC is Obuchowski's.")
        of_intervals = dict.fromkeys(one.caution for line in self.lines for one in line.values.values() if one.caution)
        return " ".join([*notes, *of_intervals, self.source.rows_note.strip()]).strip()

    @property
    def table(self) -> dict[str, list]:
        """The lines as columns, unrounded; intervals as text."""
        lines = [*self.lines, *self.averages]
        short = short_names((line.name for line in lines), 28)
        table: dict[str, list] = {"system": [short[line.name] for line in lines]}
        for label in self.ranges.helps:
            values = [line.values.get(label, _point(math.nan)) for line in lines]
            table[label] = [float(value.estimate) for value in values]
            if any(between := list(map(_between, values))):
                table[f"{label} interval"] = [text or "–" for text in between]
        return table | {name: [getattr(line, name) for line in lines] for name in ("rows", "positives")}


def class_averages(states: Sequence[ScoredLabels], lines: Sequence[ScoreLine]) -> list[ScoreLine]:
    """Micro average over all classes pooled, and macro average over the classes with all measures."""
    state = pooled(states)
    values = {measure.label: _point(float(measure(state))) for measure in measures_of("scores")}
    averages = [ScoreLine("micro average", values, state.positives + state.negatives, state.positives)]
    if known := [line for line in lines if not math.isnan(line.values["AUC"].estimate)]:
        values = {label: _point(sum(one.values[label].estimate for one in known) / len(known)) for label in values}
        averages.append(ScoreLine("macro average", values, known[0].rows, known[0].rows))
    return averages


def _between(value: Interval) -> str:
    """Interval in words; empty without one or with zero width."""
    low, high = float(value.low), float(value.high)
    return range_text(number_text(low), number_text(high)) if math.isfinite(low) and low < high else ""


def score_formulas(scores: Scores, ranges: CurveRanges = WHOLE_CURVE) -> list[tuple[str, str, str]]:
    """Name with meaning, formula with its numbers and explanation of each measure, in Markdown."""
    gini = rf"2 \cdot {latex_term(roc_auc(scores.scored))} - 1"
    written = {"roc_auc": _pairs, "average_precision": _precisions, "ks_statistic": _gap, "gini": lambda *_: (gini, "")}
    lines = []
    for measure in measures_of("scores"):
        value, numbers, words = float(measure(scores.scored)), "", measure.reading
        if measure.key in written and not math.isnan(value):
            numbers, words = written[measure.key](scores, value)
        formula = " = ".join(filter(None, (measure.formula, numbers, _latex_number(value))))
        lines.append(_formula_line(measure, value, formula, words or measure.reading))
    for area, (low, high) in zip(ranges.areas, ranges.chosen.values(), strict=True):
        raw, corrected = float(area(scores.scored)), float(ranges.measures[f"{area.label} corrected"](scores.scored))
        formula = area.formula.replace("_a^b", f"_{{{_latex_number(low)}}}^{{{_latex_number(high)}}}")
        words = f"Maximum {number_text(high - low)}. Corrected (McClish): {number_text(corrected)}; ½ is guessing."
        lines.append(_formula_line(area, raw, f"{formula} = {_latex_number(raw)}", words))
    return lines


def _formula_line(measure: MetricDef, value: float, formula: str, words: str) -> tuple[str, str, str]:
    title = f"{measure_markdown(measure)} ({measure.symbol}) — {measure.summary}"
    if math.isnan(value):
        return title, "", f"Undefined, because {measure.undefined_when}."
    return title, rf"$\displaystyle {formula}$", words


def _pairs(scores: Scores, area: float) -> tuple[str, str]:
    """Pairs of a positive and a negative in the right order, ties counting half."""
    state = scores.scored
    pairs = state.positives * state.negatives
    # Counted rows win whole and half pairs; the area came to that number by way of a division.
    won = round(2 * area * pairs) / 2 if state.positive_weights is None else area * pairs
    sizes = rf"{latex_count(state.positives)} \cdot {latex_count(state.negatives)}"
    numbers = rf"\frac{{{latex_count(won)}}}{{{sizes}}} = \frac{{{latex_count(won)}}}{{{latex_count(pairs)}}}"
    rises = [np.diff(column) > 0 for column in (scores.table.counts.tp, scores.table.counts.fp)]
    ties = ", a tie counting half" if not won.is_integer() or np.any(rises[0] & rises[1]) else ""
    in_order = f"{count_text(won)} of {count_text(pairs)} pairs of a positive and a negative"
    return numbers, f"{in_order} are in the right order{ties}."


def _precisions(scores: Scores, _: float) -> tuple[str, str]:
    precisions, positives = precision_recall_curve(scores.table).precision, np.diff(scores.table.counts.tp)
    rows, terms = np.flatnonzero(positives), []
    for row in rows[:_MOST_TERMS].tolist():
        count, term = float(positives[row]), latex_term(float(precisions[row]))
        terms.append(term if count == 1 else rf"{latex_count(count)} \cdot {term}")
    words = f"One term for each positive found: its precision. Guessing gives {100 * scores.prevalence:.1f}{THIN}%."
    return rf"\frac{{{latex_sum(terms, len(rows) > _MOST_TERMS)}}}{{{latex_count(scores.scored.positives)}}}", words


def _gap(scores: Scores, _: float) -> tuple[str, str]:
    widest = best(scores.table, lambda counts: abs(youden_j(counts)), highest=True)
    hits, alarms = float(recall(widest.counts)), float(fall_out(widest.counts))
    words = f"The gap is widest at a threshold of {threshold_text(widest.threshold)}."
    return rf"|{latex_term(hits)} - {latex_term(alarms)}|", words


def _latex_number(value: float) -> str:
    return latex(number_text(value))
