"""The one list of measures: what each is called, what it means, its range and where it comes from."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from inspect import cleandoc
from typing import Any

from evalcore.references import REFERENCES

_CALL = re.compile(r"\s*(?P<name>[^()@]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*(?:@\s*(?P<at>\d+(?:\.\d+)?|\.\d+))?\s*")
RETRIEVAL = "retrieval"
"""The family of rankings has names of its own: its AP and its P@10 are not those of classification."""


@dataclass(frozen=True)
class Param:
    """A number, or a choice, that a measure can be asked with, such as the beta of F.

    Attributes
    ----------
    name : str
        Name of the keyword argument of the function.
    default : float or str
    lowest, highest : float
        Inclusive limits of a sensible value.
    meaning : str
        One sentence.
    choices : tuple of str
        The words it may be, where it is no number; the limits then say nothing.
    pattern : str
        Regular expression of what else it may be, besides the choices.
    whole : bool
        Whether it must be a whole number (or infinite), as a rank is.
    """

    name: str
    default: float | str
    lowest: float
    highest: float
    meaning: str
    choices: tuple[str, ...] = ()
    pattern: str = ""
    whole: bool = False

    @classmethod
    def choice(cls, name: str, choices: tuple[str, ...], meaning: str, pattern: str = "") -> "Param":
        """One of a few words; the first is the default."""
        return cls(name, choices[0], 0, 0, meaning, choices, pattern)

    def checked(self, value: float | str, measure: str) -> float | str:
        """The value, if it makes sense.

        Raises
        ------
        ValueError
            When it is outside the limits, not a number, or none of the choices.
        """
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
    """The definition of one measure, callable on its state.

    Attributes
    ----------
    function : callable
        The arithmetic, a pure function of one state.
    name, symbol : str
        Full common name and the short form used in tables.
    family : str
        The state it is a function of: ``"counts"`` (ConfusionCounts), ``"scores"`` (ScoredLabels) or ``"retrieval"``
        (Hits, one value a query).
    formula : str
        LaTeX over TP, FP, FN, TN, their sums P, N, T, F, n and the measures made of them.
    lowest, highest : float
        Range, inclusive.
    best : float or None
        Value of perfect predictions; None where no single value is best.
    better : {"higher", "lower", None}
        Which of two values is preferred.
    undefined_when : str
        When the measure is nan, as the end of the sentence "undefined when …"; empty if never.
    params : tuple of Param
    aliases : tuple of str
        Other names. ``{beta}`` in an alias stands for a number: ``F{beta}`` accepts ``F2``.
    reference : str
        Key of `evalcore.references.REFERENCES`.
    reads : tuple of str
        For a share of rows: the cells of the numerator and those of the denominator, ``("tp", "tp fp")``.
    summary, reading : str
        What it is and how to read it, from the docstring of the function.
    mean : {"arithmetic", "geometric"}
        How its values are averaged over queries.
    arguments : dict
        Parameters that were set, by `find` or by `with_params`.
    """

    function: Callable[..., Any]
    name: str
    symbol: str
    family: str
    formula: str
    lowest: float
    highest: float
    best: float | None
    better: str | None
    undefined_when: str
    params: tuple[Param, ...]
    aliases: tuple[str, ...]
    reference: str
    reads: tuple[str, ...]
    summary: str
    reading: str
    mean: str = "arithmetic"
    arguments: dict[str, float | str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Name of the function, the identity of the measure in code and in addresses."""
        return self.function.__name__

    @property
    def label(self) -> str:
        """Symbol with its parameters, as a column of a table is headed: ``F2``, ``nDCG(gain=exp)@10``."""
        if self.family == RETRIEVAL:
            return self._label_of_ranking()
        return self.symbol.format(**{p.name: f"{self.arguments.get(p.name, p.default):g}" for p in self.params})

    @property
    def source(self) -> str:
        """Full reference of the definition."""
        return REFERENCES[self.reference]

    @property
    def numerator(self) -> tuple[str, ...]:
        """Cells counted above the line of a share; empty when the measure is no share of rows."""
        return tuple(self.reads[0].split()) if self.reads else ()

    @property
    def denominator(self) -> tuple[str, ...]:
        """Cells counted below the line of a share; empty when the measure is no share of rows."""
        return tuple(self.reads[1].split()) if self.reads else ()

    @property
    def cut(self) -> Param | None:
        """The parameter that stands behind an @: the rank k, or the recall at which precision is read."""
        return next((p for p in self.params if p.name in ("k", "recall")), None)

    def with_params(self, **arguments: float | str) -> "MetricDef":
        """The same definition with parameters set.

        Raises
        ------
        ValueError
            When the measure has no such parameter or the value is outside its limits.
        """
        known = {p.name: p for p in self.params}
        for name, value in arguments.items():
            if name not in known:
                takes = ", ".join(known) or "no parameters"
                raise ValueError(f"{self.name} has no parameter {name!r}; it takes {takes}.")
            arguments[name] = known[name].checked(value, self.name)
        return replace(self, arguments={**self.arguments, **arguments})

    def _label_of_ranking(self) -> str:
        told = {p.name: self.arguments.get(p.name, p.default) for p in self.params}
        written = {name: value if isinstance(value, str) else f"{value:.12g}" for name, value in told.items()}
        shown = [f"{p.name}={written[p.name]}" for p in self.params if p is not self.cut and told[p.name] != p.default]
        brackets = f"({','.join(shown)})" if shown else ""
        at = "" if self.cut is None or written[self.cut.name] == "inf" else f"@{written[self.cut.name]}"
        return f"{self.symbol}{brackets}{at}"

    def __call__(self, state: Any) -> Any:
        """Value of the measure for a state (ConfusionCounts, ScoredLabels or Hits)."""
        return self.function(state, **self.arguments)


METRICS: dict[str, MetricDef] = {}
"""Every measure by the name of its function, in the order of definition."""

_names: dict[bool, dict[str, str]] = {False: {}, True: {}}
_patterns: dict[bool, list[tuple[re.Pattern[str], str, str]]] = {False: [], True: []}
# Both by whether the measure is one of rankings.


def metric(
    *,
    name: str,
    symbol: str,
    family: str,
    formula: str,
    lowest: float,
    highest: float,
    best: float | None = None,
    better: str | None = None,
    undefined_when: str = "",
    params: tuple[Param, ...] = (),
    aliases: tuple[str, ...] = (),
    reference: str,
    reads: tuple[str, ...] = (),
    mean: str = "arithmetic",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put the function below into the registry; the summary and the reading come from its docstring.

    Raises
    ------
    ValueError
        When a name is taken or the reference is unknown: two measures must never share a name.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        if reference not in REFERENCES:
            raise ValueError(f"{name}: no reference is called {reference!r}.")
        summary, reading = _prose(function.__doc__ or "")
        direction = better or {lowest: "lower", highest: "higher"}.get(best)
        definition = MetricDef(
            function, name, symbol, family, formula, lowest, highest, best, direction,
            undefined_when, params, aliases, reference, reads, summary, reading, mean,
        )  # fmt: skip
        if definition.key in METRICS:
            raise ValueError(f"A function {definition.key!r} is registered already.")
        taken = _names[family == RETRIEVAL]
        said = (definition.key, name, definition.label, symbol, *aliases)
        for spelling in {_plain(s) for s in said if "{" not in s}:
            if taken.setdefault(spelling, definition.key) != definition.key:
                raise ValueError(f"The name {spelling!r} of {name} already belongs to {taken[spelling]}.")
        for alias in (symbol, *aliases):
            if "{" in alias:
                before, param, after = re.split(r"[{}]", _plain(alias))
                pattern = re.compile(re.escape(before) + r"(\d+(?:\.\d+)?)" + re.escape(after))
                _patterns[family == RETRIEVAL].append((pattern, definition.key, param))
        METRICS[definition.key] = definition
        return function

    return register


def find(text: str, family: str | None = None) -> MetricDef:
    """The definition that a name means, with the parameters that stand in it.

    Any name of the field is understood, in any case: the function's, the full name, the symbol, an alias.
    Parameters stand in brackets, ``f_beta(beta=2)``; a cut-off rank after ``@``. What is a name both of
    classification and of retrieval, such as AP, is that of classification, unless its parameters fit the other only.

    Parameters
    ----------
    text : str
    family : str, optional
        ``"retrieval"`` to look among the measures of rankings only.

    Raises
    ------
    KeyError
        When no measure has that name; the message offers the nearest ones.
    ValueError
        When a parameter is unknown, not a number or outside its limits.

    Examples
    --------
    >>> find("PPV").key, find("sensitivity").key, find("F2").label
    ('precision', 'recall', 'F2')
    >>> find("AP").key, find("AP@20").key, find("AP", family="retrieval").key
    ('average_precision', 'average_precision_at', 'average_precision_at')
    """
    rooms = [True] if family == RETRIEVAL else [False, True] if family is None else [False]
    problem: Exception | None = None
    for ranking in rooms:
        try:
            if (found := _found(text, ranking)) is not None:
                return found
        except ValueError as error:
            problem = problem or error
    if problem is not None:
        raise problem
    call = _CALL.fullmatch(text)
    if call is None:
        raise KeyError(f"{text!r} is not the name of a measure, such as 'precision' or 'f_beta(beta=2)'.")
    known = {spelling: METRICS[key].name for ranking in rooms for spelling, key in _names[ranking].items()}
    near = [known[s] for s in get_close_matches(_plain(call["name"]), known, n=3)]
    hint = f" Did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""
    raise KeyError(f"No measure is called {text!r}.{hint}")


def _found(text: str, ranking: bool) -> MetricDef | None:
    """The measure of one of the two rooms of names; None where the room has no such name."""
    names = _names[ranking]
    # Before brackets are read, because a symbol may hold some: pAUC(TPR).
    if (whole := _plain(text)) in names:
        return METRICS[names[whole]]
    call = _CALL.fullmatch(text)
    if call is None:
        return None
    spelling = _plain(call["name"])
    for pattern, key, param in _patterns[ranking]:
        if match := pattern.fullmatch(spelling):
            return _with_said(METRICS[key], text, call, {param: float(match[1])})
    if spelling in names:
        return _with_said(METRICS[names[spelling]], text, call, {})
    return None


def _with_said(measure: MetricDef, text: str, call: re.Match, in_name: dict[str, float]) -> MetricDef:
    """A measure with the parameters that its spelling, what follows an @ and the brackets say."""
    said: dict[str, float | str] = {}
    for more in (in_name, _after_at(call["at"], measure), _arguments(call["arguments"] or "", text)):
        for twice in said.keys() & more.keys():
            raise ValueError(f"{text!r} says {twice} twice; leave one of them out.")
        said |= more
    return measure.with_params(**said)


def _after_at(at: str | None, measure: MetricDef) -> dict[str, float]:
    if at is None:
        return {}
    return {measure.cut.name if measure.cut else "k": float(at)}


def _arguments(text: str, whole: str) -> dict[str, float | str]:
    arguments: dict[str, float | str] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(f"In {whole!r}: a parameter is written name=number.")
        try:
            arguments[name] = float(value)
        except ValueError:
            arguments[name] = value
    return arguments


def _plain(name: str) -> str:
    # A sign at the end belongs to the name: LR+ and LR− are two measures. A point stands where trec_eval asks: P.10.
    return re.sub(r"[\s_]+|[-–](?=\w)|(?<=[A-Za-z])\.(?=\d)", " ", name.replace("−", "-")).strip().casefold()


def _prose(doc: str) -> tuple[str, str]:
    """First sentence, and the paragraph that starts with "How to read it:"."""
    paragraphs = [" ".join(p.split()) for p in cleandoc(doc).split("\n\n")]
    marker = "How to read it: "
    reading = next((p.removeprefix(marker) for p in paragraphs if p.startswith(marker)), "")
    return paragraphs[0], reading[:1].upper() + reading[1:]
