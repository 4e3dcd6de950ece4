"""Python that reproduces the numbers of the page of curves and asserts them."""

import math

from evalcore import measures_of
from evalcore.analyses import Scores

from .partial_range import Ranges
from .systems import systems_table

_PARTIAL = {"fpr": "partial_auc", "tpr": "partial_auc_over_recall"}


def curves_code(scores: Scores, threshold: float, ranges: Ranges) -> str:
    """A script that asserts the areas, and the counts at the threshold, of the chosen system, and makes the curves."""
    line = systems_table(scores.current).iloc[_place(scores)]
    measures = measures_of("scores")
    expected = "".join(f"    {one.key!r}: {_float(float(line[one.label]))},\n" for one in measures)
    counts = scores.counts_at(threshold)
    cells = tuple(float(getattr(counts, key)) for key in ("tp", "fp", "fn", "tn"))
    names = [*(_PARTIAL[axis] for axis in ranges.chosen), "precision_recall_curve", "roc_curve"]
    return f"""\
import math

from evalcore import METRICS
from evalcore.classification import {", ".join(names)}
from evalcore.inference import delong
{scores.code}


def same(found, expected):
    return math.isclose(found, expected, rel_tol=1e-9) or (math.isnan(found) and math.isnan(expected))


expected = {{
{expected}}}
for name, value in expected.items():
    assert same(METRICS[name](scored), value), name
{_partial(scores, ranges)}area = delong(scored)
print("AUC", area.estimate, "95 % interval", area.low, area.high)

roc = roc_curve(scored.table())  # .fpr, .tpr, .thresholds
precision_recall = precision_recall_curve(scored.table())  # .recall, .precision, .interpolated, .thresholds

# {"A score of at most" if not scores.higher else "A score of at least"} {threshold!r} is called positive.
counts = scored.counts_at({_float(threshold)})
assert (counts.tp, counts.fp, counts.fn, counts.tn) == {cells}
print(counts)
"""


def _place(scores: Scores) -> int:
    return scores.current.dataset.systems.index(scores.system)


def _partial(scores: Scores, ranges: Ranges) -> str:
    lines, areas = [], [_float(area(scores.scored)) for area in ranges.measures.values()]
    for (axis, (low, high)), raw, corrected in zip(ranges.chosen.items(), areas[::2], areas[1::2], strict=True):
        called = f"{_PARTIAL[axis]}(scored, {low!r}, {high!r}"
        lines.append(f"assert same({called}), {raw})\nassert same({called}, corrected=True), {corrected})\n")
    return "".join(lines)


def _float(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else f'float("{value}")'
