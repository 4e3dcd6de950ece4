"""Are the relevant documents at the top? Means over the queries, and what stands behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data.rankings import Rankings
from evalcore.analyses.data.script import script
from evalcore.retrieval import PerQuery, mean_of, tie_ranges, trec_eval_text, trec_qrels_text, trec_run_text
from evalcore.wording.numbers import count_text, latex, number_text, share_text
from evalcore.wording.tables import measure_markdown

__all__ = ["RankingSummary"]

_HEADLINE = {"MAP": "AP", "MRR": "RR", "P@k": "P@k", "nDCG@k": "nDCG@k", "R-precision": "Rprec", "judged@k": "judged@k"}
_MOST_RANGES = 5


@dataclass(frozen=True, eq=False)
class RankingSummary:
    """The measures of one system over all queries.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> summary = RankingSummary(Rankings(Source.of(read_sample("two_methods")), "A"), ["set_P", "set_recall"])
    >>> summary.table["set_P"].tolist(), summary.table["relevant"].tolist()
    ([0.5], [20])
    """

    rankings: Rankings
    names: Sequence[str]  # measures of the table, as `Rankings.measure` reads them

    @cached_property
    def per_query(self) -> PerQuery:
        """The measures of the table for each query."""
        return self.rankings.per_query(self.names)

    @property
    def headline(self) -> list[tuple[str, str, str]]:
        """Name, mean in words and explanation of the usual measures."""
        values = self.rankings.per_query(_HEADLINE.values())
        headline = []
        for title, name in _HEADLINE.items():
            mean, written = values.mean(name), share_text if name == "judged@k" else number_text
            headline.append((title.replace("@k", f"@{self.rankings.k}"), written(mean), values.measures[name].summary))
        return headline

    @property
    def counts(self) -> dict[str, npt.NDArray[np.integer]]:
        """Relevant documents of each query, and those of them that were retrieved, each of shape (q,)."""
        relevant = self.rankings.hits().relevant(self.rankings.level)
        return {"relevant": relevant.total, "found": relevant.retrieved}

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """A row per query: its relevant documents, those found, and every measure, unrounded."""
        values = {self.rankings.heading(name): self.per_query.values[name] for name in self.names}
        return {"query": list(self.per_query.queries), **self.counts, **values}

    @property
    def verdict(self) -> str:
        """Which queries take part, how many count 0 and why, and what ties leave open, in Markdown."""
        hits, settings = self.rankings.hits(), (self.rankings.k, self.rankings.level, tuple(self.names))
        ties = hits.once(("tie note", *settings), lambda: self._tie_note)
        return " ".join(filter(None, (f"{self.rankings.coverage}.", self._zero_note, ties)))

    @property
    def formulas(self) -> str:
        """Every measure of the table with its formula, its mean and how to read it, in Markdown."""
        parts = []
        for name, measure in self.per_query.measures.items():
            bar = r"\bar{x}_{geometric}" if measure.mean == "geometric" else r"\bar{x}"
            value = latex(number_text(self.per_query.mean(name)))
            parts.append(
                f"{measure_markdown(measure)} ({self.rankings.heading(name)}): {measure.summary} {measure.reading}"
            )
            parts.append(rf"$\displaystyle {measure.formula}$ $\qquad {bar} = {value}$")
        return "\n\n".join(parts)

    def first_query(self, column: int, descending: bool) -> int:
        """Place of the query that stands first when the table is sorted, among those with a curve if there are any.

        The column is a place among the counts and the measures, or −1 for the order of the judgments.
        """
        columns = [*self.counts.values(), *self.per_query.values.values()]
        values = columns[column] if column >= 0 else np.arange(len(self.per_query))
        # Undefined values come last, whichever way.
        order = np.where(np.isnan(values), np.inf, -values if descending else values)
        return int(np.lexsort((order, self.counts["found"] == 0))[0])

    @property
    def code(self) -> str:
        """Python that evaluates the system again and asserts the means of the table."""
        means = {self.rankings.measure(name).label: self.per_query.mean(name) for name in self.names}
        counted = f"assert len(values) == {len(self.per_query)}"
        return script(self.rankings.code, self.rankings.code_of_means(means), counted, "print(values.frame())")

    @property
    def trec_eval_command(self) -> str:
        """How trec_eval is called for the same numbers."""
        return f"trec_eval -q{' -c' if self._is_complete else ''} -l {ceil(self.rankings.level)}"

    def trec_eval_lines(self, runid: str) -> str:
        """What trec_eval 9.0.4 prints for a run with this id, by default the name of the system."""
        r = self.rankings
        return trec_eval_text(r.judgments, r.run(), r.level, runid or r.system, self._is_complete)

    def trec_run(self, runid: str) -> str:
        """The run of the system as a TREC file, under this id or its own name."""
        return trec_run_text(self.rankings.run(), runid or self.rankings.system)

    @property
    def trec_qrels(self) -> str:
        """The judgments as a TREC file."""
        return trec_qrels_text(self.rankings.judgments)

    @property
    def _is_complete(self) -> bool:
        return not self.rankings.only_common and bool(self.rankings.missing())

    @property
    def _zero_note(self) -> str:
        values, hits = self.rankings.per_query(["AP", "GMAP"]), self.rankings.hits()
        zero, without = values.values["AP"] == 0, self.counts["relevant"] == 0
        reasons = {
            "without a list": zero & hits.missing,
            "without a relevant document": zero & ~hits.missing & without,
            "with no relevant document found": zero & ~hits.missing & ~without,
        }
        counts = {reason: int(np.count_nonzero(rows)) for reason, rows in reasons.items()}
        zeros = ", ".join(f"{count_text(count)} {reason}" for reason, count in counts.items() if count)
        gmap = f"GMAP **{number_text(values.mean('GMAP'))}**, the geometric mean of AP"
        return f"{gmap}, counts an AP of 0 as 0.00001. Queries with AP 0: {zeros}." if zeros else f"{gmap}. No AP is 0."

    @property
    def _tie_note(self) -> str:
        """What ties of scores leave open, and what trec_eval 9 would take for ties."""
        if not self.rankings.has_lists:
            return self._tied_hits_note
        run = self.rankings.run()
        tied_in_32_bits = run.rounded().tied
        close = (
            f"trec_eval 9 rounds scores to 32 bits, which ties {count_text(tied_in_32_bits)} documents; here their "
            "scores differ, as in newer versions."
            if tied_in_32_bits > run.tied
            else ""
        )
        if not run.tied:
            return close
        ranges, without = self._tie_ranges()
        note = (
            f"Ties: {count_text(run.tied)} of {count_text(len(run))} documents share their score with another of their "
            "list; as in trec_eval, the last document id comes first."
        )
        if ranges:
            return f"{note} Other orders would give means of: {' · '.join(ranges)}. {close}".rstrip()
        which = "the other means" if without else "these means"
        return f"{note} No other order changes {which} in the first three decimals. {close}".rstrip()

    @property
    def _tied_hits_note(self) -> str:
        """The same where only judged documents are known."""
        note = "The lists are known by their judged documents alone."
        hits = self.rankings.hits()
        if not (tied := int(np.count_nonzero(hits.first < hits.last))):
            return note
        ranges, _ = self._tie_ranges()
        known = f"{note} Ties: {count_text(tied)} of {count_text(len(hits.rank))} judged documents share their score"
        return f"{known}. Other orders would give means of: {' · '.join(ranges)}." if ranges else f"{known}."

    def _tie_ranges(self) -> tuple[list[str], bool]:
        """The means that other orders of ties would change, with their range; whether one has no known range."""
        hits = self.rankings.hits()
        names = {self.rankings.heading(name): self.rankings.measure(name) for name in ("AP", *self.names)}
        chosen = dict(list(names.items())[:_MOST_RANGES])
        # Where documents were pooled only, nobody knows the extreme orders of the inferred AP.
        pooled_only = (hits.grade < 0).any()
        known = {k: m for k, m in chosen.items() if not (pooled_only and m.key == "inferred_average_precision")}
        ranges = []
        for (heading, measure), span in zip(known.items(), tie_ranges(hits, known.values()).values(), strict=True):
            low, high = (number_text(mean_of(measure, end)) for end in (span.low, span.high))
            if high != low:
                ranges.append(f"{heading} {low} … {high}")
        return ranges, len(known) < len(chosen)
