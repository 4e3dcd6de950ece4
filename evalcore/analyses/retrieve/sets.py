"""Retrieved sets: measures of each query that ignore the order of the list, and their averages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isnan

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data.rankings import Rankings, queries_text
from evalcore.analyses.data.script import literal, script
from evalcore.classification import ConfusionCounts
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.retrieval import SetAverage, fall_out_identity, set_averages, set_counts
from evalcore.wording.escaping import one_line, plain
from evalcore.wording.numbers import count_text, latex, latex_term, number_text, outcome_word, signed_number
from evalcore.wording.tables import Cell, Row, measure_markdown

__all__ = ["SET_MEASURES", "QuerySets", "RetrievedSets", "magnitude_decimals"]

SET_MEASURES = ("set_precision", "set_recall", "set_f", "set_fall_out", "generality")
"""Keys of the measures of sets."""


@dataclass(frozen=True, eq=False)
class RetrievedSets:
    """Everything that a system retrieved, without its order, and the same of a second system."""

    rankings: Rankings
    # The second system. Comes from a file: escape it.
    other: str | None = None
    beta: float = 1.0  # how many times as important recall is as precision in F
    collection: float = 0.0  # documents in the collection; those that occur in the data where it is 0

    @property
    def systems(self) -> tuple[str, ...]:
        """The chosen system, and a second one if there is one."""
        return (self.rankings.system,) if self.other is None else (self.rankings.system, self.other)

    @property
    def documents(self) -> int:
        """Number of distinct documents in the data, a lower bound for the collection."""
        dataset = self.rankings.current.dataset
        # The table holds what was judged and what any system retrieved.
        return dataset.once("documents", None, lambda: int(dataset.frame[dataset.roles.get("document")].nunique()))

    @property
    def size(self) -> float:
        """Number of documents in the collection."""
        return float(self.collection or self.documents)

    @property
    def headings(self) -> dict[str, str]:
        """The names of the measures in tables, by key."""
        names = ("precision", "recall", f"F{self.beta:.4g}", "fall-out", "generality")
        return dict(zip(SET_MEASURES, names, strict=True))

    def counts(self, system: str) -> ConfusionCounts:
        """The four outcomes of each query that takes part for a system, shape (q,)."""
        return set_counts(self.rankings.hits(system), self.rankings.level, self.size)

    def values(self, query: str, system: str) -> dict[str, float]:
        """The value of each measure for one query, by key."""
        values = self.rankings.per_query(self._names.values(), system)
        index = values.queries.index(query)
        return {key: float(values.values[name][index]) for key, name in self._names.items()}

    def averages(self, system: str | None = None) -> dict[str, SetAverage]:
        """Macro and micro average of each measure with the pull of every query, by default for the chosen system."""
        return set_averages(self.rankings.hits(system), self.rankings.level, self.beta, self.size)

    @property
    def averages_table(self) -> list[Row]:
        """Macro and micro average of every measure for each system, as rows of an HTML table."""
        rows = []
        for system in self.systems:
            title = one_line(system, 26) if self.other is not None else ""
            heads = (Cell(head, heading=True) for head in ("macro", "micro", "gap"))
            rows.append(Row([Cell(title, strong=True, heading=True), *heads]))
            for key, average in self.averages(system).items():
                numbers = (Cell(number_text(value), strong=True) for value in (average.macro, average.micro))
                rows.append(Row([Cell(self.headings[key], measure=key), *numbers, difference_cell(average.gap, 4)]))
        return rows

    def pull_verdict(self, key: str) -> str:
        """Query that moves the macro average of a measure farthest from the micro average, in Markdown."""
        average, heading = self.averages()[key], self.headings[key]
        pulls = np.nan_to_num(average.pull)
        if not pulls.any():
            return f"No single query changes the gap of {heading}."
        index, decimals = int(np.argmax(np.abs(pulls))), magnitude_decimals(pulls)
        before, after = (signed_number(gap, decimals) for gap in (average.gap, average.gap - float(pulls[index])))
        query = plain(self.rankings.queries()[index])
        return f"Without query **{query}** the gap of {heading} would go from {before} to {after}."

    def table(self, key: str) -> Mapping[str, npt.ArrayLike]:
        """Counts, measures, differences to the second system and pull on a measure, one row per query."""
        values = self.rankings.per_query(self._names.values()).values
        counts, queries = self.counts(self.rankings.system), self.rankings.queries()
        sizes = {"relevant": counts.actual_positives, "retrieved": counts.predicted_positives, "found": counts.tp}
        shares = {self.headings[one]: values[name] for one, name in self._names.items()}
        table: dict[str, npt.ArrayLike] = {"query": list(queries), **sizes, **shares}
        if self.other is not None:
            for one in SET_MEASURES[:3]:
                name = self._names[one]
                table[f"{self.headings[one]} B − A"] = self.rankings.matched(name, self.other) - values[name]
        if len(queries) > 1:
            table[f"pull on {self.headings[key]}"] = self.averages()[key].pull
        return table

    def code(self, query: str) -> str:
        """Python that recomputes the averages of each system and the values of a query, and asserts them."""
        expected = []
        for system in self.systems:
            averages = {key: (average.macro, average.micro) for key, average in self.averages(system).items()}
            values = self.values(query, system) if query in self.rankings.queries(system) else {}
            expected.append(f"    {system!r}: ({literal(averages)}, {literal(values)}),")
        return script(
            self.rankings.current.code,
            f"level, beta, size = {self.rankings.level!r}, {self.beta!r}, {self.size!r}",
            f"judgments = data.judgments()\nplace = judgments.queries.index({query!r})",
            "settings = {'rel': level, 'beta': beta, 'size': size}",
            *("expected = {", *expected, "}"),
            _CHECK_OF_QUERY if self.rankings.has_lists else _CHECK_OF_QUERY.replace(_HITS, _SUMMED_HITS),
            "    hits = hits.only(~hits.missing)" if self.rankings.only_common else "",
            _CHECK_OF_AVERAGES,
        )

    @property
    def _names(self) -> dict[str, str]:
        """Names of the measures for `Rankings.per_query`, by key."""
        size = f"(size={self.size:.17g})"
        names = ("set_P", "set_recall", f"set_F(beta={self.beta:.12g})", f"set_fallout{size}", f"generality{size}")
        return dict(zip(SET_MEASURES, names, strict=True))


_HITS, _SUMMED_HITS = "Hits.of(judgments, data.run(system))", "data.state('placed_hits', system)[0]"

_CHECK_OF_QUERY = """\
for system, (averages, values) in expected.items():
    hits = Hits.of(judgments, data.run(system))
    for key, value in values.items():
        each = METRICS[key].function(hits, **{name: settings[name] for name in METRICS[key].takes})
        np.testing.assert_allclose(each[place], value, 1e-9, 1e-12, err_msg=key)
"""

_CHECK_OF_AVERAGES = """\
    for key, average in set_averages(hits, level, beta, size).items():
        np.testing.assert_allclose((average.macro, average.micro), averages[key], 1e-9, 1e-12, err_msg=key)
        print(system, METRICS[key].name, "macro", average.macro, "micro", average.micro)
"""


def difference_cell(difference: float, decimals: int = 3) -> Cell:
    """Table cell of a difference, grey if undefined."""
    return Cell(signed_number(difference, decimals), kind="undefined" if np.isnan(difference) else "")


def magnitude_decimals(values: Array) -> int:
    """Number of decimals that gives the largest of some values three digits, at least 3."""
    largest = float(np.max(np.abs(np.nan_to_num(values)), initial=0))
    return max(2 - int(np.floor(np.log10(largest))), 3) if largest else 3


_SYMBOLS = (
    "h documents are relevant and retrieved, n retrieved, R relevant, N in the collection. The micro average takes "
    "their sums over all queries."
)


@dataclass(frozen=True, eq=False)
class QuerySets:
    """The retrieved and the relevant documents of one query, for one system or two."""

    sets: RetrievedSets
    query: str  # comes from a file: escape it

    @cached_property
    def counts(self) -> dict[str, ConfusionCounts]:
        """Four outcomes by system, each of shape (), without systems for which the query is not evaluated."""
        queries = {system: self.sets.rankings.queries(system) for system in self.sets.systems}
        having = {system: names for system, names in queries.items() if self.query in names}
        return {system: self.sets.counts(system)[names.index(self.query)] for system, names in having.items()}

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """The value of each measure by system and key."""
        return {system: self.sets.values(self.query, system) for system in self.counts}

    def problem(self, system: str) -> str:
        """Reason that nothing can be drawn for a system; empty if something can."""
        if (counts := self.counts.get(system)) is None:
            return "This run has no list for the query, and such queries are left out."
        empty = not float(counts.predicted_positives) + float(counts.actual_positives)
        return "Nothing was retrieved, and no document is judged relevant." if empty else ""

    def outcomes(self, system: str) -> str:
        """The four counts in words."""
        cells = {name: float(getattr(self.counts[system], name)) for name in ("tp", "fp", "fn", "tn")}
        return " · ".join(f"{count_text(count)} {outcome_word(name, count)}" for name, count in cells.items())

    @property
    def verdict(self) -> str:
        """Documents found and missed for the query by each system, and the means, in Markdown."""
        rankings, system = self.sets.rankings, self.sets.rankings.system
        count, query = len(rankings.queries()), plain(self.query, 40)
        words = [] if system in self.counts else [f"**No list for query {query}.**"]
        for one, counts in self.counts.items():
            found, total = count_text(float(counts.tp)), count_text(float(counts.actual_positives))
            chosen = f"**Finds {found} of {total} relevant documents for query {query}, {_alarms(counts)}.**"
            words.append(chosen if one == system else f"{plain(one, 40)} finds {found}, {_alarms(counts)}.")
        if count > 1:
            averages = [*self.sets.averages().items()][:2]
            means = ", ".join(f"{self.sets.headings[key]} {number_text(average.macro)}" for key, average in averages)
            words.append(f"Means over {queries_text(count)}: {means}.")
        return " ".join(filter(None, (*words, rankings.exceptions)))

    @property
    def table(self) -> tuple[list[Cell | str], list[list[Cell | str]]]:
        """Headings and rows of an HTML table: a row per system with fractions, and the difference of two."""
        rows: list[list[Cell | str]] = []
        for system, counts in self.counts.items():
            name = one_line(system, 30) if len(self.sets.systems) > 1 else "this query"
            each = self.values[system].items()
            cells = (Cell(number_text(value), strong=True, below=_fraction(key, counts)) for key, value in each)
            rows.append([name, *cells])
        if len(self.counts) == 2:
            first, second = self.values.values()
            rows.append(["difference", *(difference_cell(second[key] - first[key]) for key in first)])
        return ["", *(Cell(heading, measure=key) for key, heading in self.sets.headings.items())], rows

    @property
    def identities(self) -> list[str]:
        """The identity of the four measures, and a line with the numbers of each system, in Markdown."""
        related = r"**How the four are related:** $f \cdot p \cdot (1-g) = r \cdot g \cdot (1-p)$"
        lines = [related] if self.counts else []
        for system, counts in self.counts.items():
            left, right = map(float, fall_out_identity(counts))
            if isnan(left) or isnan(right):
                lines.append(f"{self._name(system)}no numbers, because one of the four is 0/0 here.")
                continue
            # A digit more than in the table, so that the product can be checked by hand.
            p, r, _, f, g = (latex_term(self.values[system][key]) for key in SET_MEASURES)
            product = rf"{f} \cdot {p} \cdot (1-{g}) = {r} \cdot {g} \cdot (1-{p}) = {latex(number_text(left, 4))}"
            lines.append(f"{self._name(system)}${product}$")
        return lines

    def note(self, to_scale: bool) -> str:
        """Note on the frame of the figure and on values that are 0 by convention, in Markdown."""
        if not self.counts:
            return ""
        source = "" if self.sets.size > self.sets.documents else " of the data"
        scale = "all areas are to scale" if to_scale else "not to scale"
        notes = [f"Frame: the collection of {count_text(self.sets.size)} documents{source}, {scale}."]
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
        sums = counts.tp, counts.predicted_positives, counts.actual_positives, counts.total
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
        parts = [f"Query {plain(self.query, 40)}, system {plain(system, 40)}."]
        for key, average in self.sets.averages().items():
            measure, fraction = METRICS[key], filled[key]
            macro, micro, value = (latex(number_text(number)) for number in (average.macro, average.micro, values[key]))
            over_all = f"Over all queries ({queries}): macro ${macro}$, micro ${micro}$."
            parts.append(f"{measure_markdown(measure)}: {measure.summary} {measure.reading} {over_all}")
            parts.append(rf"$\displaystyle {measure.formula} = {fraction} = {value}$")
        return "\n\n".join([*parts, _SYMBOLS, *self.identities])

    def _name(self, system: str) -> str:
        return f"{plain(system, 40)}: " if len(self.sets.systems) > 1 else ""


def _alarms(counts: ConfusionCounts) -> str:
    count = float(counts.fp)
    return f"with {count_text(count) if count else 'no'} {outcome_word('fp', count)}"


def _fraction(key: str, counts: ConfusionCounts) -> str:
    """Numerator and denominator of a share in counts; empty for F."""
    h, n, total = counts.tp, counts.predicted_positives, counts.actual_positives
    parts = {"set_precision": (h, n), "set_recall": (h, total), "generality": (total, counts.total)}
    parts["set_fall_out"] = counts.fp, counts.actual_negatives
    return " / ".join(count_text(float(part)) for part in parts.get(key, ()))
