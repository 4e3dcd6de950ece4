"""Registration of measures, and lookup by name and by family."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import wraps
from inspect import cleandoc
from typing import Any, TypeVar

from evalcore.registry.definition import REFERENCES, RETRIEVAL, SHARES_OF, MetricDef

__all__ = ["DECISIONS", "METRICS", "PARTIAL", "SEVERAL_CLASSES", "TWO_CLASSES", "find", "measure_named"]
__all__ += ["kept_until_registered", "measures_of", "metric"]

METRICS: dict[str, MetricDef] = {}
"""Every measure by the name of its function, in the order of definition."""

_CALL = re.compile(r"\s*(?P<name>[^()@]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*(?:@\s*(?P<at>\d+(?:\.\d+)?|\.\d+))?\s*")
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
    Parameters stand in brackets, ``f_beta(beta=2)``; a cut-off rank after ``@``. What is a name both of
    classification and of retrieval, such as AP, is that of classification, unless its parameters fit the other only.

    Parameters
    ----------
    family : str, optional
        ``"retrieval"`` to look among the measures of rankings only.
    trec_eval : int
        The version, 9 or 10, whose numbers its own names mean: `iprec_at_recall_0.30` in its spelling is not
        ``IPrec@0.3``, which counts exactly.

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
            written = {
                name: value.format(version=version) if isinstance(value, str) else value
                for name, value in settings.items()
            }
            return definition.with_params(**{**written, **definition.arguments})
    return definition


def _definition(text: str, ranking: bool) -> MetricDef | None:
    """Find the measure among those of rankings, or among all others; None without such a name."""
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
            return _with_arguments(METRICS[key], text, call, {param: float(match[1])})
    if spelling in names:
        return _with_arguments(METRICS[names[spelling]], text, call, {})
    return None


def _with_arguments(measure: MetricDef, text: str, call: re.Match, in_name: dict[str, float]) -> MetricDef:
    """Set the parameters of a measure from its spelling, from the text behind an @ and from brackets."""
    arguments: dict[str, float | str] = {}
    at = {measure.cut.name if measure.cut else "k": float(call["at"])} if call["at"] else {}
    for more in (in_name, at, _arguments(call["arguments"] or "", text)):
        for twice in arguments.keys() & more.keys():
            raise ValueError(f"{text!r} says {twice} twice; leave one of them out.")
        arguments |= more
    return measure.with_params(**arguments)


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


COMBINED, DECISIONS, PARTIAL = "Combined into one number", "For decisions", "Over a part of the curve"
TWO_CLASSES, SEVERAL_CLASSES = "Of two classes", "Of several classes"

_SHARES = {
    "predicted positives": ("By predicted class", "nothing was predicted positive"),
    "predicted negatives": ("By predicted class", "nothing was predicted negative"),
    "actual positives": ("By actual class", "there are no actual positives"),
    "actual negatives": ("By actual class", "there are no actual negatives"),
    "rows": ("Of all rows", "there are no rows"),
}
"""Heading of the shares of these rows, and when they are undefined."""

_ORDER = {"": 0, TWO_CLASSES: 0, SEVERAL_CLASSES: 0}

for _place, _heading in enumerate((*(group for group, _ in _SHARES.values()), COMBINED, DECISIONS, PARTIAL), 1):
    _ORDER.setdefault(_heading, _place)

_INTERVALS = {RETRIEVAL: "queries", "probabilities": ""}
_BY_TRUTH = [cells for cells, what in SHARES_OF.items() if what.startswith("actual") or what == "rows"]


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
        fitting = "logarithm" if measure.factors else _INTERVALS.get(measure.family, "bootstrap")
        interval = measure.interval or fitting
        definition = replace(
            measure,
            better=measure.better or (None if measure.best is None else sides.get(measure.best)),
            group=measure.group or (COMBINED if measure.family == "counts" else ""),
            interval=interval,
            paired_test=fields.get("paired_test", _paired_test(reads, interval)),
        )
        enter(definition)
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
    what = SHARES_OF.get(frozenset(reads[1].split()), "")
    group, undefined_when = _SHARES.get(what, (COMBINED, ""))
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
