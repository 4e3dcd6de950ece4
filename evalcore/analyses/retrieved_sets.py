"""What was found and what was missed, if the order of the list does not count? Values per query and their averages."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analyses.rankings import Rankings
from evalcore.analyses.script import literal, script
from evalcore.classification import ConfusionCounts
from evalcore.numeric import Array
from evalcore.retrieval import SetGap, set_counts, set_gap
from evalcore.wording.escaping import one_line, plain
from evalcore.wording.numbers import number_text, signed_number
from evalcore.wording.tables import Cell, Row

__all__ = ["SET_MEASURES", "RetrievedSets", "magnitude_decimals"]

SET_MEASURES = {
    "precision": "set_precision",
    "recall": "set_recall",
    "F": "set_f",
    "fall-out": "set_fall_out",
    "generality": "generality",
}
"""Keys of the measures of sets by their names in tables."""


@dataclass(frozen=True, eq=False)
class RetrievedSets:
    """Everything that a system retrieved, without its order, and the same of a second system.

    Parameters
    ----------
    rankings : Rankings
    other : str or None
        The second system. Comes from a file: escape it.
    beta : float
        How many times as important recall is as precision in F.
    collection : float
        Documents in the collection; those that occur in the data where it is 0.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> sets = RetrievedSets(Rankings(Source.of(read_sample("two_methods")), "A"), "B")
    >>> sets.size, sets.values("1", "B")["set_recall"], sets.gap("set_recall").macro
    (29.0, 0.2, 0.35)
    """

    rankings: Rankings
    other: str | None = None
    beta: float = 1.0
    collection: float = 0.0

    @property
    def systems(self) -> tuple[str, ...]:
        """The chosen system, and the second one if there is one."""
        return (self.rankings.system,) if self.other is None else (self.rankings.system, self.other)

    @property
    def documents(self) -> int:
        """Different documents in the data; the collection holds at least these."""
        current = self.rankings.current
        # The table holds what was judged and what any system retrieved.
        return current.dataset.once("documents", None, lambda: int(current.frame[current.roles.document].nunique()))

    @property
    def size(self) -> float:
        """Documents in the collection."""
        return float(self.collection or self.documents)

    @property
    def measures(self) -> dict[str, str]:
        """The measures by their keys, as `Rankings.per_query` reads them."""
        return {
            "set_precision": "set_P",
            "set_recall": "set_recall",
            "set_f": f"set_F(beta={self.beta:.12g})",
            "set_fall_out": f"set_fallout(size={self.size:.17g})",
            "generality": f"generality(size={self.size:.17g})",
        }

    def heading(self, key: str) -> str:
        """The name of a measure in tables."""
        return {key: name for name, key in SET_MEASURES.items()}[key] + (f"{self.beta:.4g}" if key == "set_f" else "")

    def counts(self, system: str) -> ConfusionCounts:
        """The four outcomes of each query that takes part for a system, shape (q,)."""
        return set_counts(self.rankings.hits(system), self.rankings.level, self.size)

    def values(self, query: str, system: str) -> dict[str, float]:
        """The value of each measure for one query, by its key."""
        values = self.rankings.per_query(self.measures.values(), system)
        place = values.queries.index(query)
        return {key: float(values.values[name][place]) for key, name in self.measures.items()}

    def gap(self, key: str, system: str | None = None) -> SetGap:
        """Macro and micro average of a measure, and the pull of every query, by default for the chosen system."""
        return set_gap(self.rankings.hits(system), key, self.rankings.level, self.beta, self.size)

    @property
    def averages(self) -> list[Row]:
        """Macro and micro average of every measure for each system, as rows of an HTML table."""
        rows = []
        for system in self.systems:
            title = one_line(system, 26) if self.other is not None else ""
            rows.append(Row([Cell(title, strong=True, heading=True), *_heads("macro", "micro", "gap")]))
            for key in self.measures:
                gap = self.gap(key, system)
                averages = (Cell(number_text(value), strong=True) for value in (gap.macro, gap.micro))
                rows.append(Row([self.heading(key), *averages, difference_cell(gap.gap, 4)]))
        return rows

    def pull_verdict(self, key: str) -> str:
        """Which query moves the macro average of a measure farthest from the micro average, in Markdown."""
        gap, heading = self.gap(key), self.heading(key)
        pulls = np.nan_to_num(gap.pull)
        if not pulls.any():
            return f"Leaving out any one query does not change the gap of {heading}."
        place, decimals = int(np.argmax(np.abs(pulls))), magnitude_decimals(pulls)
        before, after = (signed_number(value, decimals) for value in (gap.gap, gap.gap - float(pulls[place])))
        query = plain(self.rankings.queries()[place])
        return f"Without query **{query}**, the gap of {heading} would change most: from {before} to {after}."

    def table(self, key: str) -> Mapping[str, npt.ArrayLike]:
        """A row per query: counts, measures, differences to the second system, and its pull on one measure.

        Parameters
        ----------
        key : str
            One of `measures`: whose pulls are listed.
        """
        values = self.rankings.per_query(self.measures.values()).values
        counts, queries = self.counts(self.rankings.system), list(self.rankings.queries())
        table: dict[str, npt.ArrayLike] = {
            "query": queries,
            "relevant": counts.actual_positives,
            "retrieved": counts.predicted_positives,
            "found": counts.tp,
            **{self.heading(one): values[name] for one, name in self.measures.items()},
        }
        if self.other is not None:
            for one in ("set_precision", "set_recall", "set_f"):
                name = self.measures[one]
                table[f"{self.heading(one)} B − A"] = self.rankings.matched(name, self.other) - values[name]
        if len(queries) > 1:
            table[f"pull on {self.heading(key)}"] = self.gap(key).pull
        return table

    def code(self, query: str) -> str:
        """Python that computes the averages of each system and the values of a query again, and asserts them."""
        expected = []
        for system in self.systems:
            gaps = {key: self.gap(key, system) for key in self.measures}
            values = self.values(query, system) if query in self.rankings.queries(system) else {}
            averages = {key: (gap.macro, gap.micro) for key, gap in gaps.items()}
            expected.append(f"    {system!r}: ({literal(averages)}, {literal(values)}),")
        only_common = ["    queries = [name for name, has in zip(queries, ~hits.missing, strict=True) if has]"]
        only_common.append("    hits = hits.only(~hits.missing)")
        return script(
            self.rankings.current.code,
            f"level, beta, size, query = {literal((self.rankings.level, self.beta, self.size, query))[1:-1]}",
            *("judgments = data.judgments()", "expected = {", *expected, "}"),
            "for system, (averages, values) in expected.items():",
            "    hits, queries = Hits.of(judgments, data.run(system)), judgments.queries",
            *(only_common if self.rankings.only_common else ()),
            _CHECKS,
        )


_CHECKS = """\
    computed = set_averages(hits, rel=level, beta=beta, size=size)
    for measure, (macro, micro) in averages.items():
        found = computed[measure]
        np.testing.assert_allclose((found.macro, found.micro), (macro, micro), 1e-9, 1e-12, err_msg=measure)
        print(system, METRICS[measure].name, "macro", macro, "micro", micro)
    for measure, value in values.items():
        settings = {"rel": level, "beta": beta, "size": size}
        settings = {name: settings[name] for name in METRICS[measure].takes}
        each = METRICS[measure].function(hits, **settings)
        np.testing.assert_allclose(each[queries.index(query)], value, 1e-9, 1e-12, err_msg=measure)
"""


def difference_cell(difference: float, decimals: int = 3) -> Cell:
    """A difference in a table, grey where it is undefined."""
    return Cell(signed_number(difference, decimals), kind="undefined" if np.isnan(difference) else "")


def magnitude_decimals(values: Array) -> int:
    """Decimals with which the largest of some small values has three digits, at least 3.

    Examples
    --------
    >>> magnitude_decimals(np.array([0.0123, -0.00004])), magnitude_decimals(np.array([0.0, np.nan]))
    (4, 3)
    """
    largest = float(np.max(np.abs(np.nan_to_num(values)), initial=0))
    return max(2 - int(np.floor(np.log10(largest))), 3) if largest else 3


def _heads(*names: str) -> list[Cell]:
    return [Cell(name, heading=True) for name in names]
