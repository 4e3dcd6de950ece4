"""Definitions of measures: names, meaning, range, intervals and tests, and source."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

__all__ = ["RETRIEVAL", "MetricDef", "Param"]

_WRITTEN = tomllib.loads(Path(__file__).with_name("measures.toml").read_text(encoding="utf-8"))

MISLEADS: dict[str, str] = _WRITTEN["misleads"]
"""When a measure misleads, by its key, as the end of the sentence "It misleads when …"."""

REFERENCES: dict[str, str] = _WRITTEN["references"]  # citation by key; `MetricDef.reference` is a key of this table

RETRIEVAL = "retrieval"
"""The family of rankings has names of its own: its AP and its P@10 are not those of classification."""

SHARES_OF = {
    frozenset({"tp", "fp"}): "predicted positives",
    frozenset({"fn", "tn"}): "predicted negatives",
    frozenset({"tp", "fn"}): "actual positives",
    frozenset({"fp", "tn"}): "actual negatives",
    frozenset({"tp", "fp", "fn", "tn"}): "rows",
}
"""Names of the rows in the cells of a denominator."""


@dataclass(frozen=True)
class Param:
    """A parameter of a measure, a number or a choice, such as the beta of F."""

    name: str  # name of the keyword argument of the function
    default: float | str
    # Inclusive limits of a sensible value.
    lowest: float
    highest: float
    meaning: str  # one sentence
    choices: tuple[str, ...] = ()  # the words it may be, where it is no number; the limits then say nothing
    pattern: str = ""  # regular expression of what else it may be, besides the choices
    whole: bool = False  # whether it must be a whole number (or infinite), as a rank is

    @classmethod
    def choice(cls, name: str, choices: tuple[str, ...], meaning: str, pattern: str = "") -> "Param":
        """A parameter with a few words as values; the first is the default."""
        return cls(name, choices[0], 0, 0, meaning, choices, pattern)

    def checked(self, value: float | str, measure: str) -> float | str:
        """Return the value if it is valid; else raise a ValueError."""
        if self.choices:
            text = f"{value:g}" if isinstance(value, float) else str(value).strip()
            if text in self.choices or (self.pattern and re.fullmatch(self.pattern, text)):
                return text
            raise ValueError(f"{self.name} of {measure} is {text!r}; it must be one of {', '.join(self.choices)}.")
        if isinstance(value, str):
            raise ValueError(f"{value!r} is not a number: {self.name} of {measure}.")
        if not self.lowest <= value <= self.highest:
            limits = f"{self.lowest:g} … {self.highest:g}"
            raise ValueError(f"{self.name} of {measure} is {value:g}; it must lie in {limits}.")
        if self.whole and value not in (float("inf"), round(value) if value < float("inf") else value):
            raise ValueError(f"{self.name} of {measure} is {value:g}; it must be a whole number.")
        return value


@dataclass(frozen=True)
class MetricDef:
    """The definition of one measure, callable on its state."""

    function: Callable[..., Any]  # the arithmetic, a pure function of one state
    # Full common name and the short form used in tables.
    name: str
    symbol: str
    # The state it is a function of: ``"counts"`` (ConfusionCounts), ``"matrix"`` (ConfusionMatrix), ``"scores"``
    # (ScoredLabels), ``"probabilities"`` (ProbabilityTable), ``"label sets"`` (LabelSets), ``"label scores"``
    # (LabelScores) or ``"retrieval"`` (Hits, one value per query).
    family: str
    formula: str  # LaTeX over TP, FP, FN, TN, their sums P, N, T, F, n and the measures made of them
    reference: str  # key of `evalcore.registry.definition.REFERENCES`
    # Range, inclusive.
    lowest: float = 0
    highest: float = 1
    best: float | None = None  # value of perfect predictions; None where no single value is best
    better: str | None = None  # "higher", "lower" or None: which of two values is preferred
    undefined_when: str = ""  # when the measure is nan, as the end of the sentence "undefined when …"; empty if never
    params: tuple[Param, ...] = ()
    # Other names. ``{beta}`` in an alias stands for a number: ``F{beta}`` accepts ``F2``.
    aliases: tuple[str, ...] = ()
    # Names of trec_eval that mean its own numbers, as it spells them, and the parameters they set: ``{version}`` stands
    # for the version that is asked for.
    own_names: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)
    # For a share of rows: the cells of the numerator and those of the denominator, ``("tp", "tp fp")``.
    reads: tuple[str, ...] = ()
    # For a quotient of products of sums of cells: the sums above and those below the line, ``("tp", "fp tn")`` for
    # TP · N above. Its intervals and differences are those of its logarithm.
    factors: tuple[tuple[str, ...], ...] = ()
    # What it is and how to read it, from the docstring of the function.
    summary: str = ""
    reading: str = ""
    help: str = ""  # what it is in one line, for a tooltip
    group: str = ""  # heading it is listed under; empty where its family has no headings
    percent: bool = False  # whether it is written in percent: it is a share of rows, or a mean of such shares
    # Which confidence interval fits it: ``"share"`` (of a binomial share), ``"logarithm"`` (of a quotient),
    # ``"delong"`` (of the area under the ROC curve, and what is linear in it), ``"bootstrap"`` (resampled rows),
    # ``"queries"`` (resampled queries), ``"chance"`` (none, but the value that calibrated probabilities reach by
    # chance), ``"none"`` (resamples say nothing, as of a maximum); empty if none.
    interval: str = ""
    # Which test compares two systems on the same rows: ``"share"`` (McNemar's, with Tango's interval), ``"delong"``,
    # ``"logarithm"`` (of the ratio of both values), ``"bootstrap"`` or ``"queries"``; empty if two systems cannot
    # differ in it.
    paired_test: str = ""
    stacked: bool = False  # whether a measure of a square table takes many at once, in counts of shape (b, k, k)
    mean: str = "arithmetic"  # "arithmetic" or "geometric": how its values are averaged over queries
    # Parameter settings that tables of the family list one by one, by what is added to the name.
    variants: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    # Parameters that were set, by `find` or by `with_params`.
    arguments: dict[str, float | str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Name of the function, the identity of the measure in code and in addresses."""
        return self.function.__name__

    @property
    def label(self) -> str:
        """Symbol with its parameters, as in the head of a column: ``F2``, ``nDCG(gain=exp)@10``."""
        if self.family == RETRIEVAL:
            return self._label_of_ranking()
        return self.symbol.format(**{p.name: f"{self.arguments.get(p.name, p.default):g}" for p in self.params})

    @property
    def short(self) -> str:
        """Head of a narrow column: one common word, else the symbol (``precision``, ``NPV``, ``F1``)."""
        return self.label if self.params or " " in self.name else self.name.lower()

    @property
    def source(self) -> str:
        """Full reference of the definition."""
        return REFERENCES[self.reference]

    @property
    def link(self) -> str:
        """Web address of the source; a search for it where it has none."""
        if at := re.search(r"doi:(\S+)|arXiv:(\S+)|(https?://\S+)", self.source):
            doi, preprint, url = at.groups()
            return url or (f"https://doi.org/{quote(doi)}" if doi else f"https://arxiv.org/abs/{preprint}")
        return f"https://scholar.google.com/scholar?q={quote(self.source)}"

    @property
    def misleads_when(self) -> str:
        """When its value misleads, as the end of the sentence "misleads when …"; empty for a measure of your own."""
        return MISLEADS.get(self.key, "")

    @property
    def numerator(self) -> tuple[str, ...]:
        """Cells in the numerator of a share; empty if the measure is no share of rows."""
        return tuple(self.reads[0].split()) if self.reads else ()

    @property
    def denominator(self) -> tuple[str, ...]:
        """Cells in the denominator of a share; empty if the measure is no share of rows."""
        return tuple(self.reads[1].split()) if self.reads else ()

    @property
    def share_of(self) -> str:
        """Return the rows that a share divides by, such as ``"actual positives"``; empty for all other measures."""
        return SHARES_OF.get(frozenset(self.denominator), "")

    @property
    def takes(self) -> set[str]:
        """Names of its parameters."""
        return {param.name for param in self.params}

    @property
    def versions(self) -> "list[MetricDef]":
        """This definition, or one definition for each of its variants."""
        each = self.variants.items()
        return [replace(self.with_params(**values), name=f"{self.name}, {words}") for words, values in each] or [self]

    @property
    def cut(self) -> Param | None:
        """The parameter behind an @: the rank k, or the recall at which precision is read."""
        return next((p for p in self.params if p.name in ("k", "recall")), None)

    def with_params(self, **arguments: float | str) -> "MetricDef":
        """Return this definition with parameters set; a ValueError for an unknown one or a value outside its limits."""
        known = {p.name: p for p in self.params}
        for name, value in arguments.items():
            if name not in known:
                takes = ", ".join(known) or "no parameters"
                raise ValueError(f"{self.name} has no parameter {name!r}; it takes {takes}.")
            arguments[name] = known[name].checked(value, self.name)
        return replace(self, arguments={**self.arguments, **arguments})

    def _label_of_ranking(self) -> str:
        values = {p.name: self.arguments.get(p.name, p.default) for p in self.params}
        texts = {name: value if isinstance(value, str) else f"{value:.12g}" for name, value in values.items()}
        shown = [f"{p.name}={texts[p.name]}" for p in self.params if p is not self.cut and values[p.name] != p.default]
        brackets = f"({','.join(shown)})" if shown else ""
        at = "" if self.cut is None or texts[self.cut.name] == "inf" else f"@{texts[self.cut.name]}"
        return f"{self.symbol}{brackets}{at}"

    def __call__(self, state: Any) -> Any:
        """Value of the measure for a state (ConfusionCounts, ScoredLabels or Hits)."""
        return self.function(state, **self.arguments)
