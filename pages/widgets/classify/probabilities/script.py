"""Python that reproduces the numbers of the page of probabilities."""

import math

from evalcore import MetricDef
from evalcore.analyses import LossSettings, loss_measures

from .calibration_in_the_large import large_of
from .losses import losses_of, parts_of
from .reliability import Binning, Diagram
from .rows import Stated, class_order


def probabilities_code(stated: Stated, manner: LossSettings, diagram: Diagram, binning: Binning) -> str:
    """A script that reads the probabilities and asserts losses, skill, parts and calibration error."""
    found, parts = losses_of(stated, manner), parts_of(stated, binning)
    base = "2" if manner.base == 2 else "math.e"
    edges = "bin_edges, " if not binning.edges else ""
    event = "asked(table)"
    several = not stated.binary
    lines = [
        "import math",
        "",
        "from evalcore import METRICS",
        "from evalcore.classification import (",
        f"    ProbabilityTable, asked, {edges}brier_parts, calibration_error, divergences,",
        "    reliability_bins, worst_rows,",
        ")",
        *_reading(stated),
        "",
        f"base, clip = {base}, {manner.clip!r}  # of the logarithm; probabilities are kept between clip and 1 - clip",
        "",
        "",
        "def same(found, expected):",
        "    either = math.isnan(found) and expected is None",
        "    assert either or math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), (found, expected)",
        "",
        "",
        *(
            f"same(METRICS[{measure.key!r}]{_settings(measure)}(table), {_float(found.value(measure.key))})"
            for measure in loss_measures(len(stated.table.classes), manner)
            if measure.interval != "chance"
        ),
        "",
        f"event = {event}  # {'is the most probable class right?' if several else 'the positive class'}",
        f"edges = {binning.code}",
        "bins = reliability_bins(event, edges)  # .mean_probability, .observed, .n",
        f"same(calibration_error(bins), {_float(diagram.error)})",
        f"same(bins.largest_gap, {_float(diagram.largest)})",
        "",
    ]
    if several:
        lines += [
            "events = [table.event(place) for place in range(len(table.classes))]",
            f"parts = [brier_parts(event, {binning.code}) for event in events]",
            "parts = sum(parts[1:], parts[0])",
        ]
    else:
        lines.append("parts = brier_parts(event, edges)")
    lines += [
        f"same(parts.uncertainty, {_float(parts.uncertainty)})",
        f"same(parts.resolution, {_float(parts.resolution)})",
        f"same(parts.reliability, {_float(parts.reliability)})",
        "",
        *_in_the_large(stated, manner.base),
        "",
        "worst = worst_rows(table, 20, base, clip)",
        "print(worst.rows, worst.losses, worst.shares)",
        "",
    ]
    return "\n".join(lines)


def _settings(measure: MetricDef) -> str:
    named = [f"{name}={name}" for name in ("base", "clip") if name in measure.takes]
    return f".with_params({', '.join(named)})" if named else ""


def _in_the_large(stated: Stated, base: float) -> list[str]:
    """The lines that set the base rates against the mean probabilities."""
    found = large_of(stated.table, base)
    if found is None:
        return []
    return [
        "mean = [table.mean(column) for column in table.probabilities.T]",
        "large = divergences(table.base_rates, mean, base, normalised=True)",
        *(f"same(large.{name}, {_float(value)})" for name, value in vars(found).items()),
    ]


def _reading(stated: Stated) -> list[str]:
    """The lines that read the rows into ``table``."""
    current, opening = stated.current, stated.current.code
    pairs = current.roles.probability
    if current.kind == "scores" or len(pairs) == 1:
        system = (current.system or current.dataset.systems[0]) if current.kind == "scores" else pairs[0][0]
        lines = [opening, f"rows = data.scored_arrays({system!r})"]
        higher = current.higher_is_positive or current.kind != "scores"
        if stated.made:
            direction = "" if higher else ", higher_is_positive=False"
            lines = [
                "from evalcore.classification import EventProbabilities",
                "from evalcore.inference import recalibrated",
                *lines,
                "scores = EventProbabilities(rows.scores, rows.labels, rows.weights)",
                f'probability = recalibrated(scores, {stated.made!r}, of="score"{direction}).after.probability',
            ]
        else:
            lines.append(f"probability = {'rows.scores' if higher else '1 - rows.scores'}")
        return [*lines, "table = ProbabilityTable.from_event(rows.labels, probability, weights=rows.weights)"]
    classes = tuple(name for _, name in pairs)
    order = class_order(current, classes)
    normalised = ", normalised=True" if stated.normalised else ""
    lines = [
        "import numpy as np",
        opening,
        "rows = data.probability_arrays()",
        "known = rows.actual >= 0  # rows whose class has a column",
        f"order = {order!r}",
        "table = ProbabilityTable.from_arrays(",
        "    np.argsort(order)[rows.actual[known]], rows.probabilities[known][:, order], range(len(order)),",
        f"    None if rows.weights is None else rows.weights[known]{normalised},",
        ")",
    ]
    if stated.asked_class is not None:
        place = stated.whole.classes.index(stated.asked_class)
        lines += [
            f"one = table.event({place})  # {stated.asked_class!r} against the rest",
            "table = ProbabilityTable.from_event(one.happened, one.probability, weights=one.weights)",
        ]
    return lines


def _float(value: float) -> str:
    if math.isnan(value):
        return "None"
    return repr(float(value)) if math.isfinite(value) else "math.inf"
