"""Measures: their definitions, registration, and lookup by name and by family."""

import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

__all__ = ["DECISIONS", "METRICS", "PARTIAL", "RETRIEVAL", "SEVERAL_CLASSES", "TWO_CLASSES", "MetricDef", "Param"]
__all__ += ["find", "kept_until_registered", "measure_named", "measures_of", "metric"]

_WRITTEN = tomllib.loads(Path(__file__).with_name("measures.toml").read_text(encoding="utf-8"))

MISLEADS: dict[str, str] = _WRITTEN["misleads"]
"""When a measure misleads, by its key, as the end of the sentence "It misleads when …"."""

REFERENCES: dict[str, str] = _WRITTEN["references"]  # citation by key; `MetricDef.reference` is a key of this table

RETRIEVAL = "retrieval"
"""The family of rankings has names of its own: its AP and its P@10 are not those of classification."""

_SHARES = {
    frozenset({"tp", "fp"}): ("predicted positives", "By predicted class", "nothing was predicted positive"),
    frozenset({"fn", "tn"}): ("predicted negatives", "By predicted class", "nothing was predicted negative"),
    frozenset({"tp", "fn"}): ("actual positives", "By actual class", "there are no actual positives"),
    frozenset({"fp", "tn"}): ("actual negatives", "By actual class", "there are no actual negatives"),
    frozenset({"tp", "fp", "fn", "tn"}): ("rows", "Of all rows", "there are no rows"),
}
"""What the rows in the cells of a denominator are called, the heading of their shares, and when these are undefined."""


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
        if value is None or isinstance(value, str):
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
    reference: str  # key of `evalcore.registry.measures.REFERENCES`
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
        return _SHARES.get(frozenset(self.denominator), ("",))[0]

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


METRICS: dict[str, MetricDef] = {}  # every measure by the name of its function, in the order of definition

_CALL = re.compile(r"\s*(?P<name>[^()@]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*(?:@\s*(?P<at>\d+(?:\.\d+)?|\.\d+))?\s*")
# The gains of nDCG in the spelling of ir_measures, which calls the rank cutoff.
_GAINS = {("dcg", "log2"): ("gain", "linear"), ("dcg", "exp-log2"): ("gain", "exp")}

_names: dict[bool, dict[str, str]] = {False: {}, True: {}}
_patterns: dict[bool, list[tuple[re.Pattern[str], str, str]]] = {False: [], True: []}

# Both by whether the measure is one of rankings.
_own_names: list[tuple[re.Pattern[str], dict[str, float | str]]] = []


def enter(definition: MetricDef) -> None:
    """Put a measure and all its spellings into the registry; a ValueError when two measures would share a name."""
    if definition.key in METRICS:
        raise ValueError(f"A function {definition.key!r} is registered already.")
    ranking = definition.family == RETRIEVAL
    spellings = (definition.key, definition.name, definition.label, definition.symbol, *definition.aliases)
    own = {_plain(s): definition.key for s in spellings if "{" not in s}
    for spelling in own.keys() & _names[ranking].keys():
        raise ValueError(f"The name {spelling!r} of {definition.name} already belongs to {_names[ranking][spelling]}.")
    _names[ranking] |= own
    for alias in (definition.symbol, *definition.aliases):
        if "{" in alias:
            before, param, after = re.split(r"[{}]", _plain(alias))
            pattern = re.compile(re.escape(before) + r"(\d+(?:\.\d+)?)" + re.escape(after))
            _patterns[ranking].append((pattern, definition.key, param))
    for name, settings in definition.own_names.items():
        _own_names.append((re.compile(re.sub(r"\\\{\w+\\\}", r"\\d+(?:\\.\\d+)?", re.escape(name))), dict(settings)))
    METRICS[definition.key] = definition


_Made = TypeVar("_Made")


def kept_until_registered(make: Callable[[], _Made]) -> Callable[[], _Made]:
    """Keep what a function makes of all measures, until the registry holds others."""
    kept: list[tuple[tuple[MetricDef, ...], _Made]] = []

    @wraps(make)
    def read() -> _Made:
        measures = tuple(METRICS.values())
        if not kept or kept[0][0] != measures:
            kept[:] = [(measures, make())]
        return kept[0][1]

    return read


def find(text: str, family: str | None = None, trec_eval: int = 9) -> MetricDef:
    """Find the definition of a name, with the parameters in it.

    Any name of the field is understood, in any case: the function's, the full name, the symbol, an alias.
    Parameters stand in brackets, ``f_beta(beta=2)``; a cut-off rank after ``@``. What ir_measures prints is understood
    too: ``nDCG(dcg='exp-log2')@10``. What is a name both of classification and of retrieval, such as AP, is that of
    classification, unless its parameters fit the other only, or the family is ``"retrieval"``. `trec_eval` is the
    version, 9 or 10, whose numbers its own names mean: `iprec_at_recall_0.30` in its spelling is not ``IPrec@0.3``,
    which counts exactly. KeyError when no measure has that name, with the nearest ones; ValueError when a parameter is
    unknown, not a number or outside its limits.

    >>> find("PPV").key, find("sensitivity").key, find("F2").label
    ('precision', 'recall', 'F2')
    >>> find("AP").key, find("AP@20").key, find("AP", family="retrieval").key
    ('average_precision', 'average_precision_at', 'average_precision_at')
    """
    rankings = _kinds(family)
    problem: Exception | None = None
    for ranking in rankings:
        try:
            if (definition := _definition(text, ranking)) is not None:
                return _as_trec_eval(definition, text, trec_eval) if ranking else definition
        except ValueError as error:
            problem = problem or error
    if problem is not None:
        raise problem
    call = _CALL.fullmatch(text)
    if call is None:
        raise KeyError(f"{text!r} is not the name of a measure, such as 'precision' or 'f_beta(beta=2)'.")
    known = {spelling: METRICS[key].name for ranking in rankings for spelling, key in _names[ranking].items()}
    near = [known[s] for s in get_close_matches(_plain(call["name"]), known, n=3)]
    hint = f" Did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""
    raise KeyError(f"No measure is called {text!r}.{hint}")


def measure_named(text: str, family: str | None = None) -> MetricDef | None:
    """Find a measure by name; None if the text names none."""
    for ranking in _kinds(family):
        with suppress(ValueError):
            if (definition := _definition(text, ranking)) is not None:
                return definition
    return None


def _kinds(family: str | None) -> list[bool]:
    """Kinds of measures to search (False: of rows, True: of rankings), in the order of a name's usual meaning."""
    return [True] if family == RETRIEVAL else [False, True] if family is None else [False]


def _as_trec_eval(definition: MetricDef, text: str, version: int) -> MetricDef:
    """Set the parameters that trec_eval's own spelling of a name implies, unless the text sets them."""
    call = _CALL.fullmatch(text)
    for pattern, settings in _own_names:
        if call is not None and pattern.fullmatch(call["name"].strip()):
            written = {k: v.format(version=version) if isinstance(v, str) else v for k, v in settings.items()}
            return definition.with_params(**written | definition.arguments)
    return definition


def _definition(text: str, ranking: bool) -> MetricDef | None:
    """Find the measure among those of rankings, or among all others; None without such a name."""
    names = _names[ranking]
    # Before brackets are read, because a symbol may hold some: pAUC(TPR).
    if (whole := _plain(text)) in names:
        return METRICS[names[whole]]
    if (call := _CALL.fullmatch(text)) is None:
        return None
    spelling = _plain(call["name"])
    for pattern, key, param in _patterns[ranking]:
        if match := pattern.fullmatch(spelling):
            return _with_arguments(METRICS[key], text, call, {param: float(match[1])})
    return _with_arguments(METRICS[names[spelling]], text, call, {}) if spelling in names else None


def _with_arguments(measure: MetricDef, text: str, call: re.Match, in_name: dict[str, float]) -> MetricDef:
    """Set the parameters of a measure from its spelling, from the text behind an @ and from brackets."""
    arguments: dict[str, float | str] = {}
    at = {measure.cut.name if measure.cut else "k": float(call["at"])} if call["at"] else {}
    for more in (in_name, at, _arguments(measure, call["arguments"] or "", text)):
        for twice in arguments.keys() & more.keys():
            raise ValueError(f"{text!r} says {twice} twice; leave one of them out.")
        arguments |= more
    return measure.with_params(**arguments)


def _arguments(measure: MetricDef, text: str, whole: str) -> dict[str, float | str]:
    arguments: dict[str, float | str] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, equals, value = (piece.strip(" '\"") for piece in part.partition("="))
        if not equals:
            raise ValueError(f"In {whole!r}: a parameter is written name=number.")
        if name not in measure.takes:
            name, value = ("k", value) if name == "cutoff" else _GAINS.get((name, value), (name, value))
        try:
            arguments[name] = float(value)
        except ValueError:
            arguments[name] = value
    return arguments


def _plain(name: str) -> str:
    # A sign at the end belongs to the name: LR+ and LR− are two measures. A point stands where trec_eval asks: P.10.
    return re.sub(r"[\s_]+|[-–](?=\w)|(?<=[A-Za-z])\.(?=\d)", " ", name.replace("−", "-")).strip().casefold()


COMBINED, DECISIONS, PARTIAL = "Combined into one number", "For decisions", "Over a part of the curve"
TWO_CLASSES, SEVERAL_CLASSES = "Of two classes", "Of several classes"

_HEADINGS = dict.fromkeys((*(group for _, group, _ in _SHARES.values()), COMBINED, DECISIONS, PARTIAL))
_ORDER = {"": 0, TWO_CLASSES: 0, SEVERAL_CLASSES: 0} | {heading: k for k, heading in enumerate(_HEADINGS, 1)}

_INTERVALS = {RETRIEVAL: "queries", "probabilities": ""}
_BY_TRUTH = [cells for cells, (_, group, _) in _SHARES.items() if group != "By predicted class"]


def metric(*, reads: tuple[str, ...] = (), **fields: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated function with the fields of `MetricDef` that do not follow from others.

    The summary, which is also the help, and the reading come from its docstring. A share of rows (`reads`) knows its
    formula, its heading, its interval and its test; other measures are resampled where nothing else is given. Raises a
    ValueError when a name is taken or the reference is unknown.
    """
    if fields["reference"] not in REFERENCES:
        raise ValueError(f"{fields['name']}: no reference is called {fields['reference']!r}.")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        summary, reading = _prose(function.__doc__ or "")
        shared = {"summary": summary, "reading": reading, "help": summary, **(_of_share(reads) if reads else {})}
        measure = MetricDef(function=function, reads=reads, **(shared | fields))
        sides = {measure.lowest: "lower", measure.highest: "higher"}
        interval = measure.interval or ("logarithm" if measure.factors else _INTERVALS.get(measure.family, "bootstrap"))
        better = measure.better or (None if measure.best is None else sides.get(measure.best))
        group = measure.group or (COMBINED if measure.family == "counts" else "")
        test = fields.get("paired_test", _paired_test(reads, interval))
        enter(replace(measure, better=better, group=group, interval=interval, paired_test=test))
        return function

    return register


def measures_of(family: str, **arguments: float | str) -> list[MetricDef]:
    """List the measures of a family in the order of their headings, with the given parameters set.

    Areas over a part of a curve are left out unless one of their parameters is given: over all of it they are the AUC.
    """
    chosen = [
        measure.with_params(**{name: value for name, value in arguments.items() if name in measure.takes})
        for measure in METRICS.values()
        if measure.family == family and (measure.group != PARTIAL or measure.takes & arguments.keys())
    ]
    headings = list(dict.fromkeys(measure.group for measure in chosen))
    return sorted(chosen, key=lambda measure: (_ORDER.get(measure.group, len(_ORDER)), headings.index(measure.group)))


def _of_share(reads: tuple[str, ...]) -> dict[str, Any]:
    """Derive the properties of a share of rows from the cells above and below its fraction line."""
    above, below = (cells.upper().split() for cells in reads)
    what, group, undefined_when = _SHARES.get(frozenset(reads[1].split()), ("", COMBINED, ""))
    whole = "n" if what == "rows" else " + ".join(below)
    return {
        "family": "counts", "formula": rf"\frac{{{' + '.join(above)}}}{{{whole}}}", "undefined_when": undefined_when,
        "group": group, "percent": True, "interval": "share",
    }  # fmt: skip


def _paired_test(reads: tuple[str, ...], interval: str) -> str:
    """Choose the paired test: "share" for shares whose denominator is the same for both systems."""
    if not reads:
        return interval if interval in ("delong", "logarithm", "queries") else "bootstrap"
    above, below = (frozenset(cells.split()) for cells in reads)
    if below not in _BY_TRUTH:
        return "bootstrap"
    return "" if above in _BY_TRUTH else "share"


def _prose(doc: str) -> tuple[str, str]:
    """First sentence, and the paragraph that starts with "How to read it:"."""
    # The thin space before a per cent sign is a space to `split`.
    paragraphs = [re.sub(r"[ \n]+", " ", p).strip() for p in cleandoc(doc).split("\n\n")]
    marker = "How to read it: "
    reading = next((p.removeprefix(marker) for p in paragraphs if p.startswith(marker)), "")
    return paragraphs[0], reading[:1].upper() + reading[1:]
