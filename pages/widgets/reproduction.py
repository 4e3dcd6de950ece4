"""Python that finds the numbers of a page again: it runs as it is, from the folder of this project."""

from pathlib import PurePath

from evalcore.classification import ConfusionCounts
from evalcore.readers.samples import samples

from .counted import CELLS
from .opened import Opened, found
from .states import Scores


def code_of_scores(scores: Scores) -> str:
    """Open the same table with the same roles and sort the scores of the system: ends with the name `scored`."""
    return "\n".join(
        (
            "from evalcore.classification import ScoredLabels",
            *_open(scores.current),
            f"rows = data.scored_arrays({scores.system!r})",
            "scored = ScoredLabels.from_arrays(",
            f"    rows.labels, rows.scores, weights=rows.weights, higher_is_positive={scores.higher}",
            ")",
            "",
        )
    )


def code_at_threshold(scores: Scores, threshold: float) -> str:
    """The same, cut at the threshold, with the four counts asserted."""
    sign = "" if scores.higher else "-"
    cut = f'float("{threshold}")' if abs(threshold) == float("inf") else repr(threshold)
    return (
        f"{code_of_scores(scores)}counts = scored.counts_at({sign}{cut})\n"
        f"assert (counts.tp, counts.fp, counts.fn, counts.tn) == {_cells(scores.counts_at(threshold))}\n"
    )


def code_of_counts(counts: ConfusionCounts) -> str:
    """Every measure of four counts."""
    cells = ", ".join(f"{key}={_number(float(getattr(counts, key)))}" for key in CELLS)
    return (
        "from evalcore import METRICS\n"
        "from evalcore.classification import ConfusionCounts\n\n"
        f"counts = ConfusionCounts({cells})\n"
        "for measure in METRICS.values():\n"
        '    if measure.family == "counts":\n'
        "        print(measure.label, float(measure(counts)))\n"
    )


def _open(current: Opened) -> list[str]:
    sample = samples().get(current.id)
    path = f"sample_data/{sample.file}" if sample else PurePath(current.dataset.name).name
    lines = ["from evalcore.readers import Roles, read_table", "", f"data = read_table({path!r})"]
    if current.roles != found(current.id).roles:
        lines.append(f"data = data.with_roles(Roles.from_text({current.roles.to_text()!r}, data.frame))")
        return lines
    lines[0] = "from evalcore.readers import read_table"
    return lines


def _cells(counts: ConfusionCounts) -> tuple[float, ...]:
    return tuple(float(getattr(counts, key)) for key in ("tp", "fp", "fn", "tn"))


def _number(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else repr(value)
