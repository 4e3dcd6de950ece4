"""Python that reproduces the numbers of a page, on the library alone."""

import ast
import math

from evalcore import classification
from evalcore.analyses import Scores
from evalcore.inference import IntervalChoice

from .decision_record import RECORDED, Purpose


def purpose_code(scores: Scores, threshold: float, record: dict, intervals: IntervalChoice, purpose: Purpose) -> str:
    """A script that finds the counts, the measures with their intervals and the choice again, and asserts them all.

    Parameters
    ----------
    scores : Scores
    threshold : float
    record : dict
        What `record_of` found of them.
    intervals : IntervalChoice
    purpose : Purpose
    """
    chosen = purpose.choice is not None and bool(purpose.choice_code)
    names = _names(purpose.choice_code) & set(dir(classification)) if chosen else set()
    rules = f"from evalcore.classification import {', '.join(sorted(names, key=str.casefold))}\n" if names else ""
    finders = {"METRICS"} | (_names(purpose.choice_code) & {"find"} if chosen else set())
    closed = {"wilson": "wilson", "clopper": "clopper_pearson"}.get(intervals.method)
    cells = tuple(record["counts"].values())
    measures = {key: tuple(record["measures"][key][end] for end in ("value", "low", "high")) for key in RECORDED}
    area = tuple(record["measures"]["roc_auc"][end] for end in ("value", "low", "high"))
    lines = "".join(f"    {key!r}: {values!r},\n" for key, values in measures.items())
    return f"""\
import math

from evalcore import {", ".join(sorted(finders))}
{rules}from evalcore.inference import {", ".join(sorted({"bootstrap", "delong"} | ({closed} if closed else set())))}
{scores.code}

# {"A score of at most" if not scores.higher else "A score of at least"} {threshold!r} is called positive.
counts = scored.counts_at({_float(threshold)})
assert (counts.tp, counts.fp, counts.fn, counts.tn) == {cells}


def same(found, expected):
    found = (float(found.estimate), float(found.low), float(found.high))
    return all(
        math.isnan(a) if b is None else math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
        for a, b in zip(found, expected)
    )


{_INTERVAL_CLOSED.format(closed=closed, level=intervals.level) if closed else _INTERVAL.format(level=intervals.level)}

expected = {{  # value and interval; None is undefined
{lines}}}
for name, values in expected.items():
    assert same(interval(METRICS[name]), values), name
assert same(delong(scored, {intervals.level!r}), {area!r}), "AUC"
{_choice_lines(scores, purpose) if chosen else ""}"""


_INTERVAL = """\
def interval(measure):
    return bootstrap(measure, counts, {level!r})
"""

_INTERVAL_CLOSED = """\
def interval(measure):
    if not measure.reads:
        return bootstrap(measure, counts, {level!r})
    n = sum(float(getattr(counts, cell)) for cell in measure.denominator)
    return {closed}(min(sum(float(getattr(counts, cell)) for cell in measure.numerator), n), n, {level!r})
"""


def _choice_lines(scores: Scores, purpose: Purpose) -> str:
    choice = purpose.choice
    far, beyond, to = ("low", "above", "up") if scores.higher else ("high", "below", "down")
    value = "" if math.isnan(choice.value) else f"assert math.isclose(choice.value, {_float(choice.value)})\n"
    return f"""
table = scored.table()
choice = {purpose.choice_code}
assert choice.threshold == {_float(choice.threshold)}
# Any threshold {beyond} this end, {to} to the chosen one, gives the same counts.
assert choice.{far} == {_float(getattr(choice, far))}
{value}"""


def _names(code: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(code, mode="eval")) if isinstance(node, ast.Name)}


def _float(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else f'float("{value}")'


def _number(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else repr(value)
