"""How a measure is registered, and the measures of a family."""

from collections.abc import Callable
from dataclasses import replace
from inspect import cleandoc
from typing import Any

from evalcore.registry.definition import RETRIEVAL, SHARES_OF, MetricDef
from evalcore.registry.names import METRICS, enter
from evalcore.registry.references import REFERENCES

__all__ = ["DECISIONS", "PARTIAL", "SEVERAL_CLASSES", "TWO_CLASSES", "measures_of", "metric"]

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
    """Put the function below into the registry, with the fields of `MetricDef` that do not follow from others.

    The summary, which is also the help, and the reading come from its docstring. A share of rows (`reads`) knows its
    formula, its heading, its interval and its test; other measures are resampled where nothing else is given.

    Raises a ValueError when a name is taken or the reference is unknown: two measures must never share a name.
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
    """The measures of a family in the order of their headings, with those of the parameters set that they take.

    Areas over a part of a curve are left out unless one of their parameters is given: over all of it they are the AUC.

    >>> [measure.label for measure in measures_of("counts", beta=2)][:2]
    ['PPV', 'NPV']
    >>> [measure.label for measure in measures_of("counts", beta=2) if measure.params][:2]
    ['F2', 'E2']
    """
    chosen = [
        measure.with_params(**{name: value for name, value in arguments.items() if name in measure.takes})
        for measure in METRICS.values()
        if measure.family == family and (measure.group != PARTIAL or measure.takes & arguments.keys())
    ]
    headings = list(dict.fromkeys(measure.group for measure in chosen))
    return sorted(chosen, key=lambda measure: (_ORDER.get(measure.group, len(_ORDER)), headings.index(measure.group)))


def _of_share(reads: tuple[str, ...]) -> dict[str, Any]:
    """What the cells above and below its line tell of a share of rows."""
    above, below = (cells.upper().split() for cells in reads)
    what = SHARES_OF.get(frozenset(reads[1].split()), "")
    group, undefined_when = _SHARES.get(what, (COMBINED, ""))
    whole = "n" if what == "rows" else " + ".join(below)
    return {
        "family": "counts", "formula": rf"\frac{{{' + '.join(above)}}}{{{whole}}}", "undefined_when": undefined_when,
        "group": group, "percent": True, "interval": "share",
    }  # fmt: skip


def _paired_test(reads: tuple[str, ...], interval: str) -> str:
    """Shares of rows that the truth alone decides on have the same denominator for both systems."""
    if not reads:
        return interval if interval in ("delong", "logarithm", "queries") else "bootstrap"
    above, below = (frozenset(cells.split()) for cells in reads)
    if below not in _BY_TRUTH:
        return "bootstrap"
    return "" if above in _BY_TRUTH else "share"


def _prose(doc: str) -> tuple[str, str]:
    """First sentence, and the paragraph that starts with "How to read it:"."""
    paragraphs = [" ".join(p.split()) for p in cleandoc(doc).split("\n\n")]
    marker = "How to read it: "
    reading = next((p.removeprefix(marker) for p in paragraphs if p.startswith(marker)), "")
    return paragraphs[0], reading[:1].upper() + reading[1:]
