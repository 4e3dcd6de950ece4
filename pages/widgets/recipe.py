"""Python that reads the open data as the page does, to start a script with that finds the same numbers."""

import math

from evalcore.readers.samples import samples

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
    cut = "threshold" if scores.higher else "-threshold  # lower scores are positive: the state holds their negatives"
    number = repr(float(threshold)) if math.isfinite(threshold) else f'float("{threshold}")'
    return f"""\
from evalcore.classification import ScoredLabels, average_precision, precision_recall_curve, roc_auc, roc_curve
from evalcore.inference import delong
{scores_code(scores)}
area = delong(scored)
print("AUC", area.estimate, "95 % interval", area.low, area.high)  # {areas["AUC"]!r}
print("AP ", average_precision(scored))  # {areas["AP"]!r}

roc = roc_curve(scored.table())  # .fpr, .tpr, .thresholds
precision_recall = precision_recall_curve(scored.table())  # .recall, .precision, .interpolated, .thresholds

threshold = {number}
cut = {cut}
print(scored.counts_at(cut))
"""
