"""How a measure is registered, and the measures of a family."""

from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any

from evalcore.registry.definition import RETRIEVAL, SHARES_OF, MetricDef, Param
from evalcore.registry.names import METRICS, enter
from evalcore.registry.references import REFERENCES

__all__ = ["DECISIONS", "PARTIAL", "SEVERAL_CLASSES", "TWO_CLASSES", "measures_of", "metric"]

COMBINED, DECISIONS, PARTIAL = "Combined into one number", "For decisions", "Over a part of the curve"
TWO_CLASSES, SEVERAL_CLASSES = "Of two classes", "Of several classes"
_GROUP_OF_SHARES = {
    "predicted positives": "By predicted class",
    "predicted negatives": "By predicted class",
    "actual positives": "By actual class",
    "actual negatives": "By actual class",
    "rows": "Of all rows",
}
_ORDER = {"": 0, TWO_CLASSES: 0, SEVERAL_CLASSES: 0}
for _place, _heading in enumerate((*_GROUP_OF_SHARES.values(), COMBINED, DECISIONS, PARTIAL), 1):
    _ORDER.setdefault(_heading, _place)
_INTERVALS = {RETRIEVAL: "queries", "probabilities": ""}
_BY_TRUTH = [cells for cells, what in SHARES_OF.items() if what.startswith("actual") or what == "rows"]


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
    help: str = "",
    group: str = "",
    percent: bool = False,
    interval: str = "",
    paired_test: str | None = None,
    mean: str = "arithmetic",
    variants: Mapping[str, Mapping[str, float]] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put the function below into the registry; the summary and the reading come from its docstring.

    A share of rows (`reads`) knows its heading, its interval and its test; other measures are resampled where nothing
    else is given. The help is the summary where nothing else is given.

    Raises
    ------
    ValueError
        When a name is taken or the reference is unknown: two measures must never share a name.
    """
    if reference not in REFERENCES:
        raise ValueError(f"{name}: no reference is called {reference!r}.")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        summary, reading = _prose(function.__doc__ or "")
        fits = interval or ("share" if reads else _INTERVALS.get(family, "bootstrap"))
        definition = MetricDef(
            function=function, name=name, symbol=symbol, family=family, formula=formula, lowest=lowest,
            highest=highest, best=best,
            better=better or ("lower" if best == lowest else "higher" if best == highest else None),
            undefined_when=undefined_when, params=params, aliases=aliases, reference=reference, reads=reads,
            summary=summary, reading=reading, help=help or summary, group=group or _group(family, reads),
            percent=percent or bool(reads), interval=fits,
            paired_test=_paired_test(reads, fits) if paired_test is None else paired_test,
            mean=mean, variants=variants or {},
        )  # fmt: skip
        enter(definition)
        return function

    return register


def measures_of(family: str, **arguments: float | str) -> list[MetricDef]:
    """The measures of a family in the order of their headings, with those of the parameters set that they take.

    Areas over a part of a curve are left out unless one of their parameters is given: over all of it they are the AUC.

    Examples
    --------
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
    return sorted(chosen, key=lambda measure: _ORDER.get(measure.group, len(_ORDER)))


def _group(family: str, reads: tuple[str, ...]) -> str:
    if family != "counts":
        return ""
    return _GROUP_OF_SHARES.get(SHARES_OF.get(frozenset(reads[1].split()), "") if reads else "", COMBINED)


def _paired_test(reads: tuple[str, ...], interval: str) -> str:
    """Shares of rows that the truth alone decides on have the same denominator for both systems."""
    if not reads:
        return {"delong": "delong", "queries": "queries"}.get(interval, "bootstrap")
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
