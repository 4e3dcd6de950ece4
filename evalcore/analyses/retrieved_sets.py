"""Retrieved sets: measures of each query that ignore the order of the list, and their averages."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analyses.rankings import Rankings
from evalcore.analyses.script import literal, script
from evalcore.classification import ConfusionCounts
from evalcore.numeric import Array
from evalcore.retrieval import SetAverage, set_averages, set_counts
from evalcore.wording import Cell, Row, number_text, one_line, plain, signed_number

__all__ = ["SET_MEASURES", "RetrievedSets", "magnitude_decimals"]

SET_MEASURES = ("set_precision", "set_recall", "set_f", "set_fall_out", "generality")
"""Keys of the measures of sets."""


@dataclass(frozen=True, eq=False)
class RetrievedSets:
    """Everything that a system retrieved, without its order, and the same of a second system.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> sets = RetrievedSets(Rankings(Source.of(read_sample("two_methods")), "A"), "B")
    >>> sets.size, sets.values("1", "B")["set_recall"], sets.averages()["set_recall"].macro
    (29.0, 0.2, 0.35)
    """

    rankings: Rankings
    # The second system. Comes from a file: escape it.
    other: str | None = None
    beta: float = 1.0  # how many times as important recall is as precision in F
    collection: float = 0.0  # documents in the collection; those that occur in the data where it is 0

    @property
    def systems(self) -> tuple[str, ...]:
        """The chosen system, and the second one if there is one."""
        return (self.rankings.system,) if self.other is None else (self.rankings.system, self.other)

    @property
    def documents(self) -> int:
        """Different documents in the data; the collection holds at least these."""
        dataset = self.rankings.current.dataset
        # The table holds what was judged and what any system retrieved.
        return dataset.once("documents", None, lambda: int(dataset.frame[dataset.roles.get("document")].nunique()))

    @property
    def size(self) -> float:
        """Documents in the collection."""
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
        """Which query moves the macro average of a measure farthest from the micro average, in Markdown."""
        average, heading = self.averages()[key], self.headings[key]
        pulls = np.nan_to_num(average.pull)
        if not pulls.any():
            return f"Leaving out any one query does not change the gap of {heading}."
        index, decimals = int(np.argmax(np.abs(pulls))), magnitude_decimals(pulls)
        before, after = (signed_number(gap, decimals) for gap in (average.gap, average.gap - float(pulls[index])))
        query = plain(self.rankings.queries()[index])
        return f"Without query **{query}**, the gap of {heading} would change most: from {before} to {after}."

    def table(self, key: str) -> Mapping[str, npt.ArrayLike]:
        """A row per query: counts, measures, differences from the second system, its pull on the measure of a key."""
        values = self.rankings.per_query(self._names.values()).values
        counts, queries = self.counts(self.rankings.system), self.rankings.queries()
        table: dict[str, npt.ArrayLike] = {
            "query": list(queries),
            "relevant": counts.actual_positives,
            "retrieved": counts.predicted_positives,
            "found": counts.tp,
            **{self.headings[one]: values[name] for one, name in self._names.items()},
        }
        if self.other is not None:
            for one in SET_MEASURES[:3]:
                name = self._names[one]
                table[f"{self.headings[one]} B − A"] = self.rankings.matched(name, self.other) - values[name]
        if len(queries) > 1:
            table[f"pull on {self.headings[key]}"] = self.averages()[key].pull
        return table

    def code(self, query: str) -> str:
        """Python that computes the averages of each system and the values of a query again, and asserts them."""
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
        """The measures as `Rankings.per_query` reads them, by key."""
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
    """A difference in a table, grey where it is undefined."""
    return Cell(signed_number(difference, decimals), kind="undefined" if np.isnan(difference) else "")


def magnitude_decimals(values: Array) -> int:
    """Decimals with which the largest of some small values has three digits, at least 3.

    >>> magnitude_decimals(np.array([0.0123, -0.00004])), magnitude_decimals(np.array([0.0, np.nan]))
    (4, 3)
    """
    largest = float(np.max(np.abs(np.nan_to_num(values)), initial=0))
    return max(2 - int(np.floor(np.log10(largest))), 3) if largest else 3
