"""What did one query retrieve, and what did it miss?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan

from evalcore.analyses.retrieved_sets import RetrievedSets, difference_cell
from evalcore.classification import ConfusionCounts
from evalcore.registry import METRICS
from evalcore.retrieval import fall_out_identity
from evalcore.wording import (
    Cell,
    count_text,
    latex,
    latex_term,
    measure_markdown,
    number_text,
    one_line,
    outcome_word,
    plain,
)

__all__ = ["QuerySets"]

_SYMBOLS = (
    "h documents are relevant and retrieved, n retrieved, R relevant, N in the collection. The micro average puts the "
    "sums over all queries in their places."
)
_IDENTITY = r"**How the four are related:** $f \cdot p \cdot (1-g) = r \cdot g \cdot (1-p)$"


@dataclass(frozen=True, eq=False)
class QuerySets:
    """The retrieved and the relevant documents of one query, for one system or two.

    >>> from evalcore.analyses import Rankings, RetrievedSets, Source
    >>> from evalcore.readers import read_sample
    >>> one = QuerySets(RetrievedSets(Rankings(Source.of(read_sample("two_methods")), "A")), "1")
    >>> one.outcomes("A")
    '7 found · 7 false alarms · 13 missed · 2 dismissed'
    """

    sets: RetrievedSets
    query: str  # comes from a file: escape it

    @cached_property
    def counts(self) -> dict[str, ConfusionCounts]:
        """The four outcomes by system, each of shape (), without the systems for which the query takes no part."""
        queries = {system: self.sets.rankings.queries(system) for system in self.sets.systems}
        having = {system: names for system, names in queries.items() if self.query in names}
        return {system: self.sets.counts(system)[names.index(self.query)] for system, names in having.items()}

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """The value of each measure by system and key."""
        return {system: self.sets.values(self.query, system) for system in self.counts}

    def problem(self, system: str) -> str:
        """Why there is nothing to draw for a system; empty if there is something."""
        if system not in self.counts:
            return "This run has no list for the query, and such queries are left out."
        counts = self.counts[system]
        if not float(counts.predicted_positives) + float(counts.actual_positives):
            return "Nothing was retrieved, and no document is judged relevant."
        return ""

    def outcomes(self, system: str) -> str:
        """The four counts in words."""
        cells = {name: float(getattr(self.counts[system], name)) for name in ("tp", "fp", "fn", "tn")}
        return " · ".join(f"{count_text(count)} {outcome_word(name, count)}" for name, count in cells.items())

    @property
    def table(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings and rows of an HTML table: each measure with its fraction, and the difference of two systems."""
        several = len(self.sets.systems) > 1
        heads = ["", *([one_line(system, 30) for system in self.counts] if several else ["this query"])]
        rows: list[list[Cell | str]] = []
        for key, heading in self.sets.headings.items():
            values = [self.values[system][key] for system in self.counts]
            both = zip(values, self.counts.values(), strict=True)
            cells = [Cell(number_text(value), strong=True, below=_fraction(key, counts)) for value, counts in both]
            rows.append([Cell(heading, measure=key), *cells])
            if len(values) == 2:
                rows[-1].append(difference_cell(values[1] - values[0]))
        return heads + (["difference"] if len(self.counts) == 2 else []), rows

    @property
    def identities(self) -> list[str]:
        """The identity of the four measures, and a line with the numbers of each system, in Markdown."""
        lines = [_IDENTITY] if self.counts else []
        for system, counts in self.counts.items():
            left, right = (float(side) for side in fall_out_identity(counts))
            if isnan(left) or isnan(right):
                lines.append(f"{self._name(system)}no numbers, because one of the four is 0/0 here.")
                continue
            # A digit more than in the table, so that the product can be checked by hand.
            digits = {key: latex_term(value) for key, value in self.values[system].items()}
            f, p, r, g = (digits[key] for key in ("set_fall_out", "set_precision", "set_recall", "generality"))
            product = rf"{f} \cdot {p} \cdot (1-{g}) = {r} \cdot {g} \cdot (1-{p}) = {latex(number_text(left, 4))}"
            lines.append(f"{self._name(system)}${product}$")
        return lines

    def note(self, to_scale: bool) -> str:
        """What the frame of the picture is, and what counts 0 by convention, in Markdown."""
        if not self.counts:
            return ""
        size = f"The frame is the collection of {count_text(self.sets.size)} documents"
        source = "as entered" if self.sets.size > self.sets.documents else "all that occur in the data"
        scale = "all areas are to scale" if to_scale else "the circles and their overlap are to scale, the frame is not"
        notes = [f"{size}, {source}; {scale}."]
        for system, counts in self.counts.items():
            if not float(counts.predicted_positives):
                notes.append(f"{self._name(system)}nothing was retrieved, so precision counts 0.")
            if not float(counts.actual_positives):
                notes.append(f"{self._name(system)}no document is relevant, so recall counts 0.")
        return " ".join(notes)

    @property
    def formulas(self) -> str:
        """Each measure of the chosen system with the numbers of the query and both averages, in Markdown."""
        system = self.sets.rankings.system
        if system not in self.counts:
            return "The run has no list for the query."
        counts, values = self.counts[system], self.values[system]
        sums = (counts.tp, counts.predicted_positives, counts.actual_positives, counts.total)
        h, n, total, size = (latex(count_text(float(cell))) for cell in sums)
        p, r = (latex_term(values[key]) for key in ("set_precision", "set_recall"))
        beta, queries = f"{self.sets.beta:.4g}", count_text(len(self.sets.rankings.queries()))
        filled = {
            "set_precision": rf"\frac{{{h}}}{{{n}}}",
            "set_recall": rf"\frac{{{h}}}{{{total}}}",
            "set_f": rf"\frac{{(1 + {beta}^2) \cdot {p} \cdot {r}}}{{{beta}^2 \cdot {p} + {r}}}",
            "set_fall_out": rf"\frac{{{n} - {h}}}{{{size} - {total}}}",
            "generality": rf"\frac{{{total}}}{{{size}}}",
        }
        averages = self.sets.averages()
        parts = [f"Query {plain(self.query, 40)}, system {plain(system, 40)}."]
        for key, fraction in filled.items():
            measure, average = METRICS[key], averages[key]
            macro, micro, value = (latex(number_text(number)) for number in (average.macro, average.micro, values[key]))
            over_all = f"Over all queries ({queries}): macro ${macro}$, micro ${micro}$."
            parts.append(f"{measure_markdown(measure)}: {measure.summary} {measure.reading} {over_all}")
            parts.append(rf"$\displaystyle {measure.formula} = {fraction} = {value}$")
        return "\n\n".join([*parts, _SYMBOLS])

    def _name(self, system: str) -> str:
        return f"{plain(system, 40)}: " if len(self.sets.systems) > 1 else ""


def _fraction(key: str, counts: ConfusionCounts) -> str:
    """Numerator and denominator of a share in counts; empty for F."""
    parts: Sequence = {
        "set_precision": (counts.tp, counts.predicted_positives),
        "set_recall": (counts.tp, counts.actual_positives),
        "set_fall_out": (counts.fp, counts.actual_negatives),
        "generality": (counts.actual_positives, counts.total),
    }.get(key, ())
    return " / ".join(count_text(float(part)) for part in parts)
