"""The numbers that the text beside a page names, as they stand on the screen."""

from typing import Any

import numpy as np

from evalcore.classification import averages, f_beta
from evalcore.registry import METRICS, find
from evalcore.wording import UNDEFINED, count_text, loss_text, number_text, value_text

from .calibration import Calibration
from .multilabel import LabelTable
from .overlap import Overlap
from .paired_comparison import Difference
from .query_sets import QuerySets

__all__ = [
    "calibration_texts",
    "count_texts",
    "difference_texts",
    "label_texts",
    "overlap_texts",
    "set_texts",
    "value_texts",
]


def value_texts(state: Any, **measures: str) -> dict[str, str]:
    """Values of a state in words, each under a name of its own.

    >>> from evalcore.classification import ConfusionCounts
    >>> value_texts(ConfusionCounts(20, 180, 10, 1820), worth="precision")
    {'worth': '10.0\\u202f%'}
    """
    return {name: value_text(find(measure), find(measure)(state)) for name, measure in measures.items()}


def count_texts(**counts: float) -> dict[str, str]:
    """Numbers of rows in words.

    >>> count_texts(alarms=200)
    {'alarms': '200'}
    """
    return {name: count_text(float(count)) for name, count in counts.items()}


def difference_texts(one: Difference) -> dict[str, str]:
    """The measure of a comparison, both values and the difference."""
    value_a, value_b = one.values
    return {"measure": one.noun, "value_a": value_a, "value_b": value_b, "difference": one.text}


def calibration_texts(calibration: Calibration) -> dict[str, str]:
    """Calibration error with its limit by chance, Brier score and log-loss."""
    lines = {line.measure.key: line for line in calibration.measures}
    error = lines["expected_calibration_error"]
    brier = lines.get("brier_score") or lines["half_brier_score"]  # two classes show half of it, which is theirs
    return {
        "ece": number_text(error.value),
        "chance": number_text(error.chance_high),
        "brier": loss_text(brier.value),
        "log_loss": loss_text(lines["log_loss"].value),
    }


def set_texts(one: QuerySets) -> dict[str, str]:
    """Precision and recall of the first system on one query; undefined where it has no list."""
    values = next(iter(one.values.values()), {})
    return {key: number_text(values[f"set_{key}"]) if values else UNDEFINED for key in ("precision", "recall")}


def label_texts(table: LabelTable) -> dict[str, str]:
    """Averages of F1 over the labels, and what is right of whole rows and of single answers."""
    f1 = averages(table.sets, f_beta)
    of_rows = {"subset": "subset_accuracy", "hamming": "hamming_loss"}
    return {
        "micro_f1": number_text(f1.micro),
        "macro_f1": number_text(f1.macro),
        **{name: value_text(METRICS[key], table.values[key]) for name, key in of_rows.items()},
    }


def overlap_texts(overlap: Overlap) -> dict[str, str]:
    """Mean Dice and the number of images it is the mean of."""
    dice = overlap.values["f_beta"]
    known = dice[np.isfinite(dice)]
    return {"dice": number_text(float(known.mean()) if len(known) else np.nan), "images": count_text(len(known))}
