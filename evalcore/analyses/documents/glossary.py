"""Entries of the measures page: lines in Markdown, links, and the table of all entries."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.analyses.compare.paired_comparison import Difference
from evalcore.analyses.data import as_columns, script
from evalcore.analyses.documents.numbers import MeasureValues
from evalcore.analyses.estimate.overlap import Overlap
from evalcore.analyses.multilabel import LabelTable
from evalcore.analyses.probabilities.calibration import Calibration
from evalcore.analyses.retrieve.sets import SET_MEASURES, QuerySets
from evalcore.classification import averages, f_beta
from evalcore.glossary import Entry, View, cells_read, entries, relations_of
from evalcore.readers import KINDS
from evalcore.registry import METRICS, MetricDef, find, kept_until_registered
from evalcore.wording import UNDEFINED, count_text, loss_text, number_text, plain, value_text

__all__ = ["GlossaryEntry", "calibration_texts", "count_texts", "definitions", "difference_texts"]
__all__ += ["glossary_code", "glossary_table", "label_texts", "overlap_texts", "set_texts", "value_texts"]

_GRADED = ("cumulated_gain", "normalised_cumulated_gain", "discounted_cumulated_gain", "ndcg")

_PAGES = {
    **dict.fromkeys(SET_MEASURES, ("retrieve/sets", "two_methods")),
    **dict.fromkeys(_GRADED, ("retrieve/graded", "graded_10")),
    "counts": ("classify/confusion", "cancer_test"), "matrix": ("classify/classes", "digits"),
    "scores": ("classify/curves", "breast_cancer"), "probabilities": ("classify/probabilities", "digits_probabilities"),
    "label sets": ("classify/classes", "digits_label_sets"), "label scores": ("classify/classes", "digits_labels"),
    "retrieval": ("retrieve/ranking", "image_retrieval"), "masks": ("estimate/overlap", "digit_masks"),
    **dict.fromkeys(("estimates", "prediction intervals"), ("estimate/regression", "diabetes")),
    "distributions": ("estimate/distributions", "breast_cancer"),
}  # fmt: skip
"""The page of each family, or of a measure with one of its own, and a sample that it opens on."""

_READS = {
    "counts": "the four counts", "matrix": "the table of all classes", "label sets": "sets of labels",
    "label scores": "scores of labels", "retrieval": "ranked lists", "estimates": "numbers",
    "prediction intervals": "intervals around numbers", "masks": "regions of images",
    "distributions": "two distributions",
}  # fmt: skip
"""Input of the measures of each family whose name does not say it, as a noun."""


@dataclass(frozen=True, eq=False)
class GlossaryEntry:
    """Glossary entry with its values on the open data, if any."""

    entry: Entry
    values: MeasureValues | None = None

    @property
    def heading(self) -> str:
        """Name, symbol and definition, in Markdown."""
        symbol, kind = "", "A term" if self.entry.kind == "term" else "A message about a data set"
        if (measure := self.entry.measure) is not None:
            kind = f"A measure of {_READS.get(measure.family, measure.family)}"
            symbol = f" ({plain(measure.label)})" if measure.label.casefold() != measure.name.casefold() else ""
        return f"## {plain(self.entry.title)}{symbol}\n:gray[{kind}]"

    @property
    def formula(self) -> str:
        """Formula in LaTeX; empty if the entry is no measure."""
        return "" if self.entry.measure is None else self.entry.measure.formula

    @property
    def lines(self) -> list[str]:
        """Meaning, range, when undefined, when misleading, other names and source; a line of Markdown each."""
        measure, names = self.entry.measure, " · ".join(map(plain, self.entry.names))
        also = [f"**Other names** {names}"] if names and self.entry.kind != "message" else []
        if measure is None:
            return [self.entry.text, *also]
        ignored = cells_read(measure).ignored if measure.family == "counts" else ()
        facts = {"Undefined when": measure.undefined_when, "Misleads when": measure.misleads_when}
        sums = _SUMS if measure.family == "counts" else {}
        used = (f"{one} = {cells}" for one, cells in sums.items() if re.search(rf"\b{one}\b", measure.formula))
        facts["In the formula"] = ", ".join(used)
        facts["Ignores"] = ", ".join(cell.upper() for cell in ignored)
        return [
            self.entry.text,
            f"**Range** {_range(measure)}.",
            *(f"**{word}** {fact}." for word, fact in facts.items() if fact),
            *(f"**Parameter** {plain(one.name)} ({_setting(one.default)}): {one.meaning}" for one in measure.params),
            *also,
            f'**Source** [{plain(measure.source.partition(").")[0])})]({measure.link} "{plain(measure.source, 400)}")',
        ]

    @property
    def value(self) -> str:
        """Value on the open data with their title, in Markdown; empty if undefined for them."""
        measure = self.entry.measure
        if measure is None or self.values is None or not (text := self.values.text(measure)):
            return ""
        why = f" ({measure.undefined_when})" if text == "undefined" else ""
        of = f" ({origin})" if (origin := self.values.origin(measure)) else ""
        return f"**{text}**{why} on {plain(self.values.source.title)}{of}"

    @property
    def related(self) -> list[tuple[str, str]]:
        """Keys of related entries, each with a sentence on the relation in Markdown."""
        if self.entry.measure is None:
            return [(key, "") for key in self.entry.see]
        lines = []
        for relation in relations_of(self.entry.key):
            other = relation.other if relation.one == self.entry.key else relation.one
            lines.append((other, plain(relation.text, 200)))
        lines += [(key, "") for key, one in entries().items() if one.kind == "term" and self.entry.key in one.see]
        return list(dict(lines).items())

    @property
    def views(self) -> Sequence[View]:
        """Pages that show the entry: with the open data if their page takes them, else with a sample."""
        if (measure := self.entry.measure) is None:
            return self.entry.at
        page, data = _PAGES.get(measure.key) or _PAGES[measure.family]
        open_page = self.values is not None and page in KINDS[self.values.source.kind].pages
        if open_page or self.value:
            return [View(page, {}, "it with its numbers on the open data")]
        return [View(page, {"data": data}, "it with its numbers on a sample")]


@kept_until_registered
def definitions() -> str:
    """A line for each entry: key, title, first sentence, formula and range, as plain texts between tabs."""
    return "\n".join(
        "\t".join((key, one.title, _first_sentence(one.text), _facts(one.measure))) for key, one in entries().items()
    )


def glossary_table(values: MeasureValues | None = None) -> dict[str, list]:
    """Every measure as columns, with its value on the open data."""
    columns = as_columns(("measure", "symbol", "of"), ((m.name, m.label, m.family) for m in METRICS.values()))
    if values is not None:
        columns["on the open data"] = [values.text(measure) for measure in METRICS.values()]
    rows = ((m.summary, m.misleads_when, m.link) for m in METRICS.values())
    return columns | as_columns(("what it is", "misleads when", "source"), rows)


def glossary_code(measure: MetricDef, source: MeasureValues | None) -> str:
    """Python that prints what the entry of a measure says."""
    lines = f"""measure = METRICS[{measure.key!r}]
print(measure.name, measure.label, measure.lowest, measure.highest, measure.best)
print(measure.summary, measure.reading)
print("Misleads when", measure.misleads_when)
print(measure.source, measure.link)"""
    return script("" if source is None else source.source.code, lines)


_SUMS = {"P": "TP + FN", "N": "FP + TN", "T": "TP + FP", "F": "FN + TN", "n": "TP + FP + FN + TN"}


def _first_sentence(text: str) -> str:
    return re.sub(r"[*`$]|\[([^\]]*)\]\([^)]*\)", r"\1", re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0])


def _facts(measure: MetricDef | None) -> str:
    return "" if measure is None else " · ".join(filter(None, [_plain_formula(measure.formula), _range(measure)]))


def _range(measure: MetricDef) -> str:
    low, high = (number_text(end, 0) for end in (measure.lowest, measure.highest))
    is_end = measure.best == {"higher": measure.highest, "lower": measure.lowest}.get(measure.better or "")
    best = "" if measure.best is None or is_end else f", best {number_text(measure.best, 0)}"
    return f"{low} to {high}{best}{f', {measure.better} is better' if measure.better else ''}"


def _plain_formula(formula: str) -> str:
    """A formula of sums, products and one quotient without LaTeX; empty where it takes more than that."""

    def quotient(cut: re.Match[str]) -> str:
        return " / ".join(f"({sum})" if " " in sum else sum for sum in cut.groups())

    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", quotient, formula)
    text = text.replace(r"\cdot", "·").replace(r"\,", " ").replace("-", "−")
    return "" if re.search(r"[\\{}_^]", text) else text


def _setting(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"usually {count_text(value) if float(value).is_integer() else number_text(value)}"


def value_texts(state: Any, **measures: str) -> dict[str, str]:
    """Values of a state in words, each under a name of its own."""
    return {name: value_text(find(measure), find(measure)(state)) for name, measure in measures.items()}


def count_texts(**counts: float) -> dict[str, str]:
    """Numbers of rows as text, each under a name of its own."""
    return {name: count_text(float(count)) for name, count in counts.items()}


def difference_texts(one: Difference) -> dict[str, str]:
    """Measure of a comparison, both values and the difference, as text."""
    value_a, value_b = one.values
    return {"measure": one.noun, "value_a": value_a, "value_b": value_b, "difference": one.text}


def calibration_texts(calibration: Calibration) -> dict[str, str]:
    """Calibration error with its limit by chance, Brier score and log-loss."""
    lines = {line.measure.key: line for line in calibration.measures}
    error = lines["expected_calibration_error"]
    brier = lines.get("brier_score") or lines["half_brier_score"]  # two classes show half of it, which is theirs
    texts = {"ece": number_text(error.value), "chance": number_text(error.chance_high)}
    return texts | {"brier": loss_text(brier.value), "log_loss": loss_text(lines["log_loss"].value)}


def set_texts(one: QuerySets) -> dict[str, str]:
    """Precision and recall of the first system on one query; undefined without a list."""
    values = next(iter(one.values.values()), {})
    return {key: number_text(values[f"set_{key}"]) if values else UNDEFINED for key in ("precision", "recall")}


def label_texts(table: LabelTable) -> dict[str, str]:
    """Averages of F1 over the labels, and what is right of whole rows and of single answers."""
    f1, of_rows = averages(table.sets, f_beta), {"subset": "subset_accuracy", "hamming": "hamming_loss"}
    texts = {name: value_text(METRICS[key], table.values[key]) for name, key in of_rows.items()}
    return {"micro_f1": number_text(f1.micro), "macro_f1": number_text(f1.macro), **texts}


def overlap_texts(overlap: Overlap) -> dict[str, str]:
    """Mean Dice and the number of images."""
    dice = overlap.values["f_beta"]
    known = dice[np.isfinite(dice)]
    return {"dice": number_text(float(known.mean()) if len(known) else np.nan), "images": count_text(len(known))}
