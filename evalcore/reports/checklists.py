"""Checklists of what a study should tell: what the open data answer is filled in, the rest is left blank."""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from evalcore.analyses import NamedCounts, Scores, Source
from evalcore.readers import ReadProblem, kinds_giving
from evalcore.registry import METRICS
from evalcore.reports.of_labels import counts_of
from evalcore.reports.parts import Chapter, Table, Words
from evalcore.reports.settings import ReportSettings
from evalcore.wording import Cell, count_text, level_text, number_text, one_line, rows_text, value_text

_HEADS = ("item", "what to tell", "from these data")
_RATES = ("recall", "specificity", "precision", "negative_predictive_value")


@cache
def checklists() -> dict[str, dict]:
    """The lists by key: name, source, and items by number in their order.

    >>> [len({item.rstrip("abcdefg") for item in one["items"]}) for one in checklists().values()]
    [30, 27]
    """
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def has_checklists(source: Source) -> bool:
    """Whether reporting checklists apply: binary cases with a true class and a test or model result."""
    if source.has_labels or source.scored_by == "class":
        return False
    return source.positive is not None or (source.kind == "counts" and not source.dataset.is_matrix)


def checklists_chapter(source: Source, settings: ReportSettings, pages: Collection[str]) -> Chapter:
    """Chapter with both reporting checklists, answered from the data and this report."""
    try:
        named = counts_of(source, settings)
    except (ReadProblem, ValueError):
        named = None
    parts: list = []
    for key, one in checklists().items():
        known = {} if named is None else _answers(key, source, settings, named, pages)
        rows = [
            [
                item,
                Cell(words, aside=_applies_to(one, item)),
                Cell(known.get(item, ""), kind="" if item in known else "blank"),
            ]
            for item, words in one["items"].items()
        ]
        filled = f"{len(known)} of {len(rows)} entries are answered by these data, some only in part."
        parts += [
            Table(f"{one['name']}: {one['about']}", heads=_HEADS, rows=rows),
            Words(f"{filled} Items in our own words; the wording that counts is that of {one['source']}."),
        ]
    return Chapter("Checklists", "What must a study tell, and which of it do these data answer?", parts=parts)


def _applies_to(checklist: Mapping, item: str) -> str:
    """Kind of studies that an item is restricted to."""
    kinds = ("development", "evaluation")
    return " ".join(f"{kind} only" for kind in kinds if item in checklist.get(kind, ()))


def _answers(
    key: str, source: Source, settings: ReportSettings, named: NamedCounts, pages: Collection[str]
) -> dict[str, str]:
    """Answers from the data by item, as plain text."""
    counts, data = named.counts, source.dataset
    scores = settings.scores_of(source) if source.kind in kinds_giving("scored") else None
    total, ill = float(counts.total), float(counts.actual_positives)
    missing = (
        scores.left_out
        if scores
        else data.left_out(source.system) + source.not_counted
        if source.kind == "labels"
        else 0
    )
    positive = one_line(named.positive, 40)
    used = f"{count_text(total)} {named.unit}: {count_text(ill)} {positive}, {count_text(total - ill)} not"
    estimates = "; ".join(_estimate(name, settings, named) for name in _RATES)
    area = f"; AUC {_area(scores, settings)}" if scores else ""
    methods = f"{settings.intervals.method_name}; AUC by {source.area_method}"
    intervals = f"{level_text(settings.intervals.level)} intervals ({methods})"
    cells = ", ".join(f"{cell.upper()} {count_text(float(getattr(counts, cell)))}" for cell in ("tp", "fp", "fn", "tn"))
    test = one_line(source.system or "the prediction", 60)
    rule = _rule(scores, settings) if scores else ""
    truth = f"column {one_line(data.roles.get('actual'), 40)}: " if data.roles.get("actual") else ""
    left = f"{rows_text(missing)} without a label or a result left out" if missing else "none in the file"
    shown = {
        ", AUC": scores,
        ", ROC and precision–recall curves": scores and "classify/curves" in pages,
        ", calibration and its diagram": "classify/probabilities" in pages,
        ", net benefit": scores and "classify/threshold" in pages,
    }
    curves = "".join(words for words, there in shown.items() if there)
    group = one_line(data.roles.get("group") or "", 40)
    groups = f"accuracy by {group}: chapter Threshold" if group and scores and "classify/threshold" in pages else ""
    shape = data.shape.to_text() if data.shape.steps else ""
    if key == "stard":
        known = {
            "1": f"sensitivity, specificity, predictive values{', AUC' if scores else ''}",
            "10a": f"{test} (how it is made: to be told)",
            "12a": rule and f"{rule}; fixed beforehand or explored: to be told",
            "12b": f"{truth}{positive}; fixed beforehand or explored: to be told",
            "14": intervals,
            "16": left,
            "17": groups and f"{groups}; planned or explored: to be told",
            "19": f"{used}; left out: {count_text(missing)}",
            "23": cells,
            "24": f"{estimates}{area}",
        }
    else:
        known = {
            "7": shape and f"steps on the table: {one_line(shape, 200)}",
            "8a": f"{truth}{positive} (when it is assessed: to be told)",
            "10": f"{used} (the reason: to be told)",
            "11": left,
            "12e": f"sensitivity, specificity, predictive values{curves}; {intervals}",
            "15": rule and f"score {test}; {rule}",
            "18f": "how these numbers were made: last chapter of this report",
            "20a": f"{used}; left out: {count_text(missing)}",
            "21": used,
            "23a": f"{estimates}{area}{f'; {groups}' if groups else ''}",
        }
    return {item: text for item, text in known.items() if text}


def _rule(scores: Scores, settings: ReportSettings) -> str:
    return (
        f"{one_line(scores.positive, 40)} when the score is {scores.rule} {scores.text(settings.threshold_of(scores))}"
    )


def _estimate(key: str, settings: ReportSettings, named: NamedCounts) -> str:
    measure = METRICS[key]
    result = settings.intervals.of(measure, named.counts)
    value = value_text(measure, float(measure(named.counts)))
    if result is None:
        return f"{measure.name.lower()} {value}"
    low, high = (value_text(measure, float(end)) for end in (result[0].low, result[0].high))
    return f"{measure.name.lower()} {value} ({low} to {high})"


def _area(scores: Scores, settings: ReportSettings) -> str:
    area = settings.intervals.of_area(scores.scored)
    return f"{number_text(float(area.estimate))} ({number_text(float(area.low))} to {number_text(float(area.high))})"
