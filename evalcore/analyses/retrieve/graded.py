"""Graded relevance: gains of grades, and ranked lists against their ideal order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data.rankings import Rankings, face_columns, queries_text
from evalcore.analyses.data.script import literal, script
from evalcore.analyses.retrieve.ranking import grade_text
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.retrieval import GAIN, GradedTable, graded_table, ideal_gain
from evalcore.wording import count_text, latex, latex_term, many_text, measure_markdown, number_text, one_line, plain
from evalcore.wording.escaping import short_names

__all__ = ["GRADED_COLUMNS", "GainSettings", "GradedList", "GradedSystems", "MeasureOverRanks", "gain_table"]
__all__ += ["gains_by_grade", "usable_gain", "writable"]

_HIGHEST_POWER = 100
"""Grades above this have no exponential gain: one document of the highest grade would hide all others."""

_MOST_CHARACTERS, _HIGHEST_GAIN = 500, 1e6
MOST_RANKS = 1_000
_TERMS = 6  # terms of a sum that are written out

GRADED_COLUMNS = {
    "gain": ("gain", "Points for the grade"),
    "CG": ("cg", "Sum of the gains down to this rank"),
    "normalised CG": ("normalised_cg", "CG as a share of k times the gain of the highest grade"),
    "discount": ("discount", "What the gain at this rank is multiplied by"),
    "gain × discount": ("discounted_gain", "Gain at this rank, discounted"),
    "DCG": ("dcg", "Sum of the discounted gains down to this rank"),
    "ideal gain": ("ideal_gain", "Gain at this rank of the ideal list: all judged documents, the best first"),
    "IDCG": ("idcg", "DCG of the ideal list"),
    "nDCG": ("ndcg", "DCG as a share of IDCG"),
}
"""Columns of the table by heading: their names in `GradedTable`, and what they are."""

_FORMULAS = {
    "Cumulated gain": "cumulated_gain", "Normalised by the highest grade": "normalised_cumulated_gain",
    "Discounted cumulated gain": "discounted_cumulated_gain", "Normalised DCG": "ndcg",
}  # fmt: skip
"""The measures among the formulas, by what they are called there."""


@dataclass(frozen=True)
class GainSettings:
    """Gain and discount of the graded measures."""

    gain: str = "linear"  # "linear", "exp", or a table such as "1:3;2:7"
    discount: str = "log"  # "log", "original" or "none"
    base: float = 2.0  # base of the logarithm in the discount, above 1

    def name_of(self, symbol: str, cut: object) -> str:
        """Name of a measure with these settings and a cutoff, as `find` reads it; CG and nCG have no discount.

        >>> GainSettings(gain="exp").name_of("nDCG", 10)
        'nDCG(gain=exp,discount=log,base=2)@10'
        """
        discount = f",discount={self.discount},base={self.base:.12g}" if "D" in symbol else ""
        return f"{symbol}(gain={self.gain}{discount})@{cut}"

    @property
    def changed(self) -> tuple[tuple[str, float | str], ...]:
        """The settings that are not the usual ones, as (name, value).

        >>> GainSettings(gain="exp").changed
        (('gain', 'exp'),)
        """
        return tuple((name, value) for name, value in vars(self).items() if value != getattr(GainSettings, name))

    @property
    def formulas(self) -> dict[str, str]:
        """Gain and discount as TeX, by what they are."""
        pairs = r",\quad ".join(f"g({grade:g}) = {gain:g}" for grade, gain in gains_by_grade(self.gain).items())
        gain, log = {"linear": "g(v) = v", "exp": "g(v) = 2^v - 1"}.get(self.gain, pairs), rf"\log_{{{self.base:g}}}"
        discounts = {"log": rf"\frac{{1}}{{{log}(i + 1)}}", "original": rf"\frac{{1}}{{\max(1,\ {log} i)}}"}
        return {"Gain of a grade": gain, "Discount of a rank": f"d(i) = {discounts.get(self.discount, '1')}"}

    def own_gains(self, grades: Sequence[float], most: int) -> dict[float, float]:
        """Editable table of gains that starts from the present gains of a few grades."""
        powers = 30 if self.gain == "exp" else 0
        listed = writable(grades)[:most] or [1.0]
        return {grade: min(2.0**grade - 1, _HIGHEST_GAIN) if grade < powers else grade for grade in listed}


def gains_by_grade(gain: str) -> dict[float, float]:
    """Parse a table of gains; empty for "linear" and "exp".

    >>> gains_by_grade("1:3;2:7")
    {1.0: 3.0, 2.0: 7.0}
    """
    pairs = (part.split(":") for part in gain.split(";")) if gain not in GAIN.choices else ()
    return {float(grade): float(value) for grade, value in pairs}


def gain_table(gains: Mapping[float, float]) -> str:
    """Write a table of gains as text."""
    return ";".join(f"{_decimal(grade)}:{_decimal(gain)}" for grade, gain in gains.items())


def usable_gain(gain: str, grades: Sequence[float]) -> bool:
    """Whether a gain is valid for the measures, and small enough to be summed for these grades."""
    if gain == "exp":
        return max(grades, default=0) <= _HIGHEST_POWER
    if len(gain) >= _MOST_CHARACTERS:
        return False
    try:
        GAIN.checked(gain, "nDCG")
    except ValueError:
        return False
    # An irrelevant document gains nothing, judged or not.
    return all(grade > 0 and value <= _HIGHEST_GAIN for grade, value in gains_by_grade(gain).items())


def writable(grades: Sequence[float]) -> list[float]:
    """Grades that a table of gains can hold: their decimals restore them exactly."""
    return [grade for grade in grades if float(_decimal(grade)) == grade]


def _decimal(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, eq=False)
class GradedList:
    """The list of the chosen system for one query against the ideal list, down to rank k."""

    rankings: Rankings
    query: str  # comes from a file: escape it
    settings: GainSettings

    @property
    def depth(self) -> int:
        """Number of ranks listed: k, or fewer if k is very large."""
        return min(self.rankings.k, MOST_RANKS)

    @cached_property
    def ranks(self) -> GradedTable:
        """Gains, discounts and their sums at each rank."""
        return table_of_query(self.rankings, self.query, self.settings, self.depth)

    @property
    def length(self) -> int:
        """Number of documents in the list."""
        return int(self.rankings.hits().retrieved[self._place])

    @property
    def verdict(self) -> str:
        """Mean nDCG with that of the query, and the latter as a quotient, in Markdown."""
        # A digit more, so that the division can be checked by hand.
        dcg, idcg = (number_text(float(column[-1]), 4) for column in (self.ranks.dcg, self.ranks.idcg))
        query, ndcg = plain(self.query, 60), number_text(float(self.ranks.ndcg[-1]))
        words = [f"**nDCG@{count_text(self.depth)} is {ndcg}: DCG {dcg} of an ideal {idcg}.**"]
        if (count := len(self.rankings.queries())) > 1:
            measure = self.settings.name_of("nDCG", "k")
            mean = number_text(self.rankings.per_query([measure]).mean(measure))
            name = f"nDCG@{count_text(self.rankings.k)}"
            words = [f"**Mean {name} is {mean} over {queries_text(count)}; query {query} has {ndcg}.**"]
            words.append(f"Its DCG is {dcg} of an ideal {idcg}.")
        return " ".join(filter(None, (*words, self.rankings.exceptions)))

    def notes(self, bars: int) -> str:
        """Notes on the ideal list and on where list, table and figure are cut off."""
        pool = self.rankings.hits().pool
        judged = count_text(int(pool.judged[self._place]))
        is_relevant, ends = pool.relevant(1e-300)[self._place], count_text(self.length)
        notes = {
            f"The ideal list ranks all {judged} judged documents, retrieved or not.": is_relevant,
            "No judged document of this query has a grade above 0, so its nDCG counts 0.": not is_relevant,
            f"The list ends at rank {ends}; later ranks add no gain.": self.length < self.depth,
            f"The table ends at rank {count_text(self.depth)}.": self.depth < self.rankings.k,
            f"The bars show the first {bars} ranks.": self.depth > bars,
        }
        return " ".join(note for note, applies in notes.items() if applies)

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """A row per rank, unrounded: document, grade, gains, discounts and their sums."""
        return self._table([one_line(name, 200) for name in self._documents], self._grades, short=False)

    @property
    def short_table(self) -> Mapping[str, npt.ArrayLike]:
        """The table of the list with shortened names and with grades in words."""
        texts = [grade_text(grade) for grade in self._grades[: self.length].tolist()]
        texts += ["–"] * (self.depth - self.length)
        short = short_names(self._documents)
        return self._table([short[name] for name in self._documents], texts, short=True)

    @property
    def formulas(self) -> str:
        """The formula of every column with its numbers at the last rank, in Markdown."""
        ranks, k = self.ranks, latex(count_text(self.depth))
        dcg, idcg = (latex_term(float(column[-1])) for column in (ranks.dcg, ranks.idcg))
        last = (float(column[-1]) for column in (ranks.cg, ranks.normalised_cg, ranks.ndcg))
        cg, normalised, ndcg = (latex(number_text(value)) for value in last)
        formulas = self.settings.formulas | {
            "Cumulated gain": rf"CG_{{{k}}} = \sum_{{i \le {k}}} g(v_i) = {_sum(ranks.gain)} = {cg}",
            "Normalised by the highest grade": rf"\frac{{CG_{{{k}}}}}{{{k} \cdot g(v_{{max}})}} = {normalised}",
            "Discounted cumulated gain": rf"DCG_{{{k}}} = \sum_{{i \le {k}}} g(v_i) \cdot d(i)"
            rf" = {_sum(ranks.gain, ranks.discount)} = {dcg}",
            "DCG of the ideal list": rf"IDCG_{{{k}}} = {_sum(ranks.ideal_gain, ranks.discount)} = {idcg}",
            "Normalised DCG": rf"nDCG_{{{k}}} = \frac{{DCG_{{{k}}}}}{{IDCG_{{{k}}}}}"
            rf" = \frac{{{dcg}}}{{{idcg}}} = {ndcg}",
        }
        of = f"Query {plain(self.query, 60)}, system {plain(self.rankings.system, 40)}"
        texts = [f"{of}, at rank {count_text(self.depth)}; v is the grade at rank i."]
        for name, tex in formulas.items():
            title = measure_markdown(METRICS[_FORMULAS[name]], name) if name in _FORMULAS else name
            texts.append(f"{title}  \n$\\displaystyle {tex}$")
        return "\n\n".join(texts)

    @property
    def code(self) -> str:
        """Python that recomputes mean nDCG and DCG and the last row of the table, and asserts them."""
        names = [self.settings.name_of(symbol, self.rankings.k) for symbol in ("nDCG", "DCG")]
        values = self.rankings.per_query(names)
        last = {name: float(getattr(self.ranks, name)[-1]) for name, _ in GRADED_COLUMNS.values()}
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self.settings).items())
        return script(
            self.rankings.code,
            self.rankings.code_of_means({name: values.mean(name) for name in names}),
            "# One query, down to the same rank.",
            f"place = judgments.queries.index({self.query!r})",
            f"table = graded_table({self.rankings.hits_code}, place, {self.depth}, {settings}).columns()",
            f"for name, value in {literal(last)}.items():",
            "    np.testing.assert_allclose(table[name][-1], value, 1e-12, err_msg=name)",
            "print(values.frame())",
            "for name, column in table.items():",
            "    print(name, column.round(2).tolist())",
        )

    @property
    def _place(self) -> int:
        return self.rankings.queries().index(self.query)

    @property
    def _grades(self) -> Array:
        """nan for a document that was only pooled, as for one that nobody looked at."""
        return np.where(self.ranks.grade < 0, np.nan, self.ranks.grade)

    @property
    def _documents(self) -> list[str]:
        return self.rankings.ranked(self.query)[: self.depth]

    def _table(self, names: list[str], grades: npt.ArrayLike, short: bool) -> Mapping[str, npt.ArrayLike]:
        less = self.depth - len(names)
        faces = face_columns(self.rankings.document_faces, self._documents, short)
        looks = {"document": names + [""] * less} | {name: cells + [None] * less for name, cells in faces.items()}
        numbers = {heading: getattr(self.ranks, name) for heading, (name, _) in GRADED_COLUMNS.items()}
        return {"k": self.ranks.rank, **looks, "grade": grades, **numbers}


def table_of_query(
    rankings: Rankings, query: str, settings: GainSettings, depth: int, system: str | None = None
) -> GradedTable:
    """The list of a system for one query against its ideal list, down to some rank."""
    hits, index = rankings.hits(system), rankings.queries(system).index(query)
    arguments = (index, depth, settings.gain, settings.discount, settings.base)
    return hits.once(("graded table", *arguments), lambda: graded_table(hits, *arguments))


def _sum(values: Array, factors: Array | None = None) -> str:
    """First terms of a sum with their factors; whole numbers without decimals."""
    columns = [column[:_TERMS].tolist() for column in (values, factors) if column is not None]
    terms = [r" \cdot ".join(map(_term, term)) for term in zip(*columns, strict=True)]
    return " + ".join(terms) + (r" + \dots" if len(values) > _TERMS else "")


def _term(value: float) -> str:
    return latex(count_text(value)) if value == int(value) else latex_term(value)


MOST_SYSTEMS = 12  # largest number of systems with a curve and a column; more colours look alike
_SYMBOLS = "nDCG", "DCG", "nCG", "CG"
_DENSE, _SPARSE = 20, 24  # ranks one by one, and how many more down to the last


@dataclass(frozen=True, eq=False)
class MeasureOverRanks:
    """A measure, "nDCG" or "DCG", cut off at each of some ranks, for several systems."""

    measure: str
    ranks: npt.NDArray[np.int64]  # shape (k,)
    # Shape (k,): by system. Names come from a file: escape them.
    values: dict[str, Array]
    rankings: Rankings
    verdict: str  # what the values are, in Markdown
    note: str  # systems that are left out; may be empty

    @property
    def description(self) -> str:
        """Text alternative of the curves: the values at the last rank."""
        last = (f"{one_line(name, 30)} {number_text(float(values[-1]))}" for name, values in self.values.items())
        return f"{self.measure} at each rank: {', '.join(last)} at rank {int(self.ranks[-1])}"


@dataclass(frozen=True, eq=False)
class GradedSystems:
    """The graded measures of the systems of a data set."""

    rankings: Rankings
    settings: GainSettings

    @property
    def headline(self) -> dict[str, str]:
        """Means of the measures at k in words, by name."""
        names = {f"{symbol}@{self.rankings.k}": self.settings.name_of(symbol, "k") for symbol in _SYMBOLS}
        values = self.rankings.per_query(names.values())
        return {title: number_text(values.mean(name)) for title, name in names.items()}

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """Unrounded documents, DCG, ideal DCG and nDCG per query, and nDCG of the other systems."""
        hits, k, settings = self.rankings.hits(), self.rankings.k, self.settings
        dcg, ndcg = (settings.name_of(symbol, "k") for symbol in ("DCG", "nDCG"))
        values = self.rankings.per_query([dcg, ndcg])
        others = [system for system in self.listed if system != self.rankings.system]
        ideal = ideal_gain(hits.pool, k, settings.gain, settings.discount, settings.base)
        return {
            **{"query": list(values.queries), "retrieved": hits.retrieved, "judged": hits.pool.judged},
            **{f"DCG@{k}": values.values[dcg], f"IDCG@{k}": ideal, f"nDCG@{k}": values.values[ndcg]},
            **{f"nDCG@{k} {one_line(system, 40)}": self.rankings.matched(ndcg, system) for system in others},
        }

    @property
    def listed(self) -> list[str]:
        """Systems with a curve and a column, including the chosen one."""
        systems = self.rankings.systems[:MOST_SYSTEMS]
        return list(systems if self.rankings.system in systems else (*systems[:-1], self.rankings.system))

    def over_ranks(self, measure: str, query: str | None = None) -> MeasureOverRanks:
        """The nDCG or DCG of each system at growing ranks, of one query or by default the mean over all."""
        rankings = self.rankings
        systems = [one for one in self.listed if rankings.queries(one) and query in (None, *rankings.queries(one))]
        rows = {one: slice(None) if query is None else [rankings.queries(one).index(query)] for one in systems}
        longest = (int(rankings.hits(one).retrieved[rows[one]].max(initial=0)) for one in systems)
        ranks = _ranks(min(max(longest, default=0), MOST_RANKS))
        values = {one: self._values(measure, query, one, ranks) for one in systems} if len(ranks) else {}
        mean = f"Mean {measure} over {queries_text(len(rankings.queries()))}"
        shown = mean if query is None else f"{measure} of query {plain(query, 60)}"
        hidden = len(rankings.systems) - len(values) if query is None else 0
        note = f"{many_text(hidden, 'more system')} {'is' if hidden == 1 else 'are'} not drawn." if hidden else ""
        return MeasureOverRanks(measure, ranks, values, rankings, f"{shown} at each rank. {note}".strip(), note)

    def _values(self, measure: str, query: str | None, system: str, ranks: npt.NDArray[np.int64]) -> Array:
        if query is not None:
            table = table_of_query(self.rankings, query, self.settings, int(ranks[-1]), system)
            return (table.ndcg if measure == "nDCG" else table.dcg)[ranks - 1]
        hits, name_of = self.rankings.hits(system), self.settings.name_of
        measures = [self.rankings.measure(name_of(measure, rank)) for rank in ranks.tolist()]
        key = ("over ranks", measure, self.settings, int(ranks[-1]))
        return hits.once(key, lambda: np.array([float(one(hits).mean()) for one in measures]))


def _ranks(last: int) -> npt.NDArray[np.int64]:
    """Ranks to list: all of a few, else thinned towards the last."""
    if last <= _DENSE + _SPARSE:
        return np.arange(1, last + 1)
    return np.union1d(np.arange(1, _DENSE + 1), np.geomspace(_DENSE, last, _SPARSE).round().astype(int))
