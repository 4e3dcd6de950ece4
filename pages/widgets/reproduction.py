"""Python that finds the numbers of a page again: it runs as it is, from the folder of this project."""

import math

from evalcore.classification import ConfusionCounts
from evalcore.readers.samples import samples

from .counted import CELLS
from .opened import Opened, found
from .states import Scores


def opening_code(current: Opened) -> str:
    """The lines that read the open data set into ``data``, with the roles that were chosen."""
    if current.id in samples():
        lines = ["from evalcore.readers.samples import read_sample", "", f"data = read_sample({current.id!r})"]
    else:
        lines = ["from evalcore.readers import read_table", "", f"data = read_table({current.dataset.name!r})"]
    text = current.roles.to_text()
    if text != found(current.id).roles.to_text():
        lines = ["from evalcore.readers import Roles", *lines]
        lines.append(f"data = data.with_roles(Roles.from_text({text!r}, data.frame))")
    return "\n".join(lines)


def scores_code(scores: Scores) -> str:
    """The lines that sort the scores of the open data into ``scored``."""
    return "\n".join(
        (
            opening_code(scores.current),
            f"rows = data.scored_arrays({scores.system!r})",
            "scored = ScoredLabels.from_arrays(",
            "    rows.labels, rows.scores, weights=rows.weights, higher_is_positive=data.roles.higher_is_positive",
            ")",
        )
    )


def curves_code(scores: Scores, threshold: float, areas: dict) -> str:
    """A script that prints the areas and the counts at the threshold, and makes the curves."""
    return f"""\
from evalcore.classification import ScoredLabels, average_precision, precision_recall_curve, roc_auc, roc_curve
from evalcore.inference import delong
{scores_code(scores)}
area = delong(scored)
print("AUC", area.estimate, "95 % interval", area.low, area.high)  # {areas["AUC"]!r}
print("AP ", average_precision(scored))  # {areas["AP"]!r}

roc = roc_curve(scored.table())  # .fpr, .tpr, .thresholds
precision_recall = precision_recall_curve(scored.table())  # .recall, .precision, .interpolated, .thresholds

print(scored.counts_at({_cut(scores, threshold)}))
"""


def threshold_code(scores: Scores, threshold: float) -> str:
    """A script that cuts the scores at the threshold and asserts the four counts."""
    counts = scores.counts_at(threshold)
    cells = tuple(float(getattr(counts, key)) for key in ("tp", "fp", "fn", "tn"))
    return f"""\
from evalcore.classification import ScoredLabels
{scores_code(scores)}
# {"A score of at most" if not scores.higher else "A score of at least"} {threshold!r} is called positive.
counts = scored.counts_at({_cut(scores, threshold)})
assert (counts.tp, counts.fp, counts.fn, counts.tn) == {cells}
"""


def counts_code(counts: ConfusionCounts, params: dict[str, float]) -> str:
    """A script that prints every measure of four counts, asked with the same beta and costs."""
    cells = ", ".join(f"{key}={_number(float(getattr(counts, key)))}" for key in CELLS)
    return f"""\
from evalcore import METRICS
from evalcore.classification import ConfusionCounts

counts = ConfusionCounts({cells})
params = {params!r}
for measure in METRICS.values():
    if measure.family == "counts":
        asked = measure.with_params(**{{p.name: params[p.name] for p in measure.params if p.name in params}})
        print(asked.label, float(asked(counts)))
"""


def _cut(scores: Scores, threshold: float) -> str:
    """The threshold on the scale of the state, which holds the negatives where lower scores are positive."""
    cut = scores.turned(threshold)
    return repr(float(cut)) if math.isfinite(cut) else f'float("{cut}")'


def _number(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else repr(value)
