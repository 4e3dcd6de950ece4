"""The one list of measures: what each is called, what it means, its range and where it comes from."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from inspect import cleandoc
from typing import Any

from evalcore.references import REFERENCES

_CALL = re.compile(r"\s*(?P<name>[^()@]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*(?:@\s*(?P<k>\d+))?\s*")


@dataclass(frozen=True)
class Param:
    """A number that a measure can be asked with, such as the beta of F.

    Attributes
    ----------
    name : str
        Name of the keyword argument of the function.
    default : float
    lowest, highest : float
        Inclusive limits of a sensible value.
    meaning : str
        One sentence.
    """

    name: str
    default: float
    lowest: float
    highest: float
    meaning: str


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
        The state it is a function of: ``"counts"`` (ConfusionCounts) or ``"scores"`` (ScoredLabels).
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
    arguments: dict[str, float] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Name of the function, the identity of the measure in code and in addresses."""
        return self.function.__name__

    @property
    def label(self) -> str:
        """Symbol with its parameters, as a column of a table is headed: ``F2``."""
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

    def with_params(self, **arguments: float) -> "MetricDef":
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
            param = known[name]
            if not param.lowest <= value <= param.highest:
                limits = f"{param.lowest:g} … {param.highest:g}"
                raise ValueError(f"{name} of {self.name} is {value:g}; it must lie in {limits}.")
        return replace(self, arguments={**self.arguments, **arguments})

    def __call__(self, state: Any) -> Any:
        """Value of the measure for a state (ConfusionCounts or ScoredLabels)."""
        return self.function(state, **self.arguments)


METRICS: dict[str, MetricDef] = {}
"""Every measure by the name of its function, in the order of definition."""

_names: dict[str, str] = {}
_patterns: list[tuple[re.Pattern[str], str, str]] = []


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
            undefined_when, params, aliases, reference, reads, summary, reading,
        )  # fmt: skip
        for spelling in {_plain(s) for s in (definition.key, name, definition.label, *aliases) if "{" not in s}:
            if _names.setdefault(spelling, definition.key) != definition.key:
                raise ValueError(f"The name {spelling!r} of {name} already belongs to {_names[spelling]}.")
        for alias in (symbol, *aliases):
            if "{" in alias:
                before, param, after = re.split(r"[{}]", _plain(alias))
                pattern = re.compile(re.escape(before) + r"(\d+(?:\.\d+)?)" + re.escape(after))
                _patterns.append((pattern, definition.key, param))
        METRICS[definition.key] = definition
        return function

    return register


def find(text: str) -> MetricDef:
    """The definition that a name means, with the parameters that stand in it.

    Any name of the field is understood, in any case: the function's, the full name, the symbol, an alias.
    Parameters stand in brackets, ``f_beta(beta=2)``; a cut-off rank after ``@``.

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
    """
    if (whole := _plain(text)) in _names:  # before brackets are read, because a symbol may hold some: pAUC(TPR)
        return METRICS[_names[whole]]
    call = _CALL.fullmatch(text)
    if call is None:
        raise KeyError(f"{text!r} is not the name of a measure, such as 'precision' or 'f_beta(beta=2)'.")
    arguments = _arguments(call["arguments"] or "", text)
    if call["k"]:
        arguments["k"] = float(call["k"])
    spelling = _plain(call["name"])
    for pattern, key, param in _patterns:
        if match := pattern.fullmatch(spelling):
            if param in arguments:
                raise ValueError(f"{text!r} says {param} twice; leave one of them out.")
            return METRICS[key].with_params(**{param: float(match[1])}, **arguments)
    if spelling in _names:
        return METRICS[_names[spelling]].with_params(**arguments)
    near = [METRICS[_names[s]].name for s in get_close_matches(spelling, _names, n=3)]
    hint = f" Did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""
    raise KeyError(f"No measure is called {text!r}.{hint}")


def _arguments(text: str, whole: str) -> dict[str, float]:
    arguments: dict[str, float] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, equals, value = part.partition("=")
        try:
            arguments[name.strip()] = float(value)
        except ValueError:
            problem = f"{value.strip()!r} is not a number" if equals else "a parameter is written name=number"
            raise ValueError(f"In {whole!r}: {problem}.") from None
    return arguments


def _plain(name: str) -> str:
    # A sign at the end belongs to the name: LR+ and LR− are two measures.
    return re.sub(r"[\s_]+|[-–](?=\w)", " ", name.replace("−", "-")).strip().casefold()


def _prose(doc: str) -> tuple[str, str]:
    """First sentence, and the paragraph that starts with "How to read it:"."""
    paragraphs = [" ".join(p.split()) for p in cleandoc(doc).split("\n\n")]
    marker = "How to read it: "
    reading = next((p.removeprefix(marker) for p in paragraphs if p.startswith(marker)), "")
    return paragraphs[0], reading[:1].upper() + reading[1:]
