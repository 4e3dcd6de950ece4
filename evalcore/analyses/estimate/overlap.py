"""Agreement of two masks: every measure per image and label, and its mean over the images."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data import Source, literal, script
from evalcore.analyses.estimate.regression import ends_text
from evalcore.estimation import MaskPair
from evalcore.inference import Interval, mean_interval
from evalcore.numeric import Array, Flags, Indices
from evalcore.readers import MaskImages
from evalcore.registry import find
from evalcore.wording import Cell, measure_markdown, plain
from evalcore.wording.numbers import count_text, level_text, number_text, share_text, signed_number

__all__ = ["EMPTY_RULES", "MASK_MEASURES", "Overlap", "OverlapSettings"]

MASK_MEASURES = {
    "f_beta": "Dice", "jaccard": "Jaccard", "precision": "precision", "recall": "recall",
    "volume_difference": "volume difference", "hausdorff_distance": "Hausdorff", "hausdorff_95": "Hausdorff 95",
    "mean_surface_distance": "mean surface distance",
}  # fmt: skip
"""The measures of two masks by key, as columns are called."""

_OF_COUNTS = tuple(MASK_MEASURES)[:4]

EMPTY_RULES = {"undefined": math.nan, "1": 1.0, "0": 0.0}
"""Dice, Jaccard, precision and recall of two empty masks, by the name of the rule."""

_THRESHOLDS = np.arange(1, 20) / 20


@dataclass(frozen=True)
class OverlapSettings:
    """Settings of overlap: label, score of two empty masks, pixel size and threshold of probabilities."""

    label: int = 1
    empty: str = "undefined"
    spacing: tuple[float, float] = (1.0, 1.0)
    threshold: float = 0.5
    level: float = 0.95


@dataclass(frozen=True, eq=False)
class Overlap:
    """Overlap measures of the masks of a data set under given settings."""

    source: Source
    settings: OverlapSettings

    @cached_property
    def images(self) -> MaskImages:
        """Pairs of masks of the images."""
        return self.source.dataset.state("mask_images")

    def regions(self, image: int, threshold: float | None = None) -> tuple[Flags, Flags]:
        """The actual and the predicted region of an image, for the label of the settings."""
        actual, predicted = self.images.actual[image], self.images.predicted[image]
        cut = self.settings.threshold if threshold is None else threshold
        region = predicted == self.settings.label if predicted.dtype == np.uint8 else predicted >= cut
        return actual == self.settings.label, region

    @cached_property
    def values(self) -> dict[str, Array]:
        """Each measure of each image, by key, shape (images,)."""
        columns: dict[str, list[float]] = {key: [] for key in MASK_MEASURES}
        for image in range(len(self.images.names)):
            pair = MaskPair(*self.regions(image), self.settings.spacing)
            for key, column in columns.items():
                column.append(self._value(key, pair))
        return {key: np.array(column) for key, column in columns.items()}

    def _value(self, key: str, pair: MaskPair) -> float:
        if key not in _OF_COUNTS:
            return float(find(key)(pair))
        either = pair.counts.tp + pair.counts.fp + pair.counts.fn
        return float(find(key)(pair.counts)) if either else EMPTY_RULES[self.settings.empty]

    @cached_property
    def empty(self) -> tuple[int, int]:
        """Numbers of images in which both masks, and in which one mask, have no pixel of the label."""
        pairs = [self.regions(image) for image in range(len(self.images.names))]
        none = [(not actual.any(), not predicted.any()) for actual, predicted in pairs]
        return sum(a and b for a, b in none), sum(a != b for a, b in none)

    @cached_property
    def order(self) -> Indices:
        """Indices of the images by ascending Dice, undefined ones last."""
        return np.argsort(self.values["f_beta"], kind="stable")

    @property
    def verdict(self) -> str:
        """Verdict on the agreement of the masks, with the worst image, in Markdown."""
        dice, mean = self.values["f_beta"], self.mean("f_beta")
        if math.isnan(mean.estimate):
            return "**Dice is undefined: no image has the label in either mask.**"
        known = dice[~np.isnan(dice)]
        if len(known) == 1:
            return f"**The masks agree with a Dice of {number_text(mean.estimate)}.** One image has no interval."
        worst, interval = int(self.order[0]), f"{level_text(self.settings.level)} interval {ends_text(mean)}"
        return (
            f"**The masks agree with a mean Dice of {number_text(mean.estimate)} ({interval}).** Standard deviation "
            f"{number_text(float(known.std(ddof=1)))} over {count_text(len(known))} images; worst: "
            f"{plain(self.images.names[worst], 40)} ({number_text(float(dice[worst]))})."
        )

    def mean(self, key: str) -> Interval:
        """The mean of a measure over the images, with an interval inside the range of the measure."""
        measure = find(key)
        distance = measure.lowest == 0 and measure.highest == math.inf
        return mean_interval(self.values[key], self.settings.level, skewed=distance).within(measure)

    @property
    def empty_note(self) -> str:
        """Number of images with empty masks and how they are scored, in Markdown."""
        (both, one), rule, notes = self.empty, self.settings.empty, []
        if both:
            left_out = " and are left out of the means" if rule == "undefined" else ""
            count = f"Dice, Jaccard, precision and recall count as {rule}{left_out}."
            notes.append(f"Both masks are empty in {_images(both)}: {count}")
        if one:
            none = f"One of the two masks is empty in {_images(one)}"
            notes.append(f"{none}: Dice is 0 there, and distances are undefined.")
        return " ".join(notes)

    @property
    def heads(self) -> list[Cell | str]:
        """Headings of the table of means."""
        title = "Student's, over the images"
        interval = Cell(f"{level_text(self.settings.level)} interval", heading=True, title=title)
        return ["measure", "mean", "sd", interval, "images"]

    @property
    def rows(self) -> list[list[Cell | str]]:
        """Mean, standard deviation and interval of each measure over the images."""
        rows = []
        for key, values in self.values.items():
            known, interval = values[np.isfinite(values)], self.mean(key)
            title = Cell(MASK_MEASURES[key].capitalize(), title=find(key).summary, measure=find(key).key)
            written = (lambda x: signed_number(x, 3)) if key == "volume_difference" else number_text
            bounds = ends_text(interval, written, "")
            sure = Cell(bounds, aside=interval.caution) if bounds and interval.caution else bounds
            deviation = number_text(float(known.std(ddof=1))) if len(known) > 1 else ""
            rows.append([title, Cell(written(interval.estimate), strong=True), deviation, sure, count_text(len(known))])
        return rows

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """A row per image, the worst first, unrounded."""
        names = [self.images.names[image] for image in self.order.tolist()]
        return {"image": names} | {MASK_MEASURES[key]: column[self.order] for key, column in self.values.items()}

    @cached_property
    def by_threshold(self) -> tuple[Array, Array]:
        """Thresholds of probabilities, and the mean Dice at each."""
        means = []
        for threshold in _THRESHOLDS:
            pairs = (MaskPair(*self.regions(image, float(threshold))) for image in range(len(self.images.names)))
            dice = np.array([self._value("f_beta", pair) for pair in pairs])
            known = dice[~np.isnan(dice)]
            means.append(float(known.mean()) if len(known) else math.nan)
        return _THRESHOLDS, np.array(means)

    @property
    def threshold_note(self) -> str:
        """Threshold with the highest mean Dice, in Markdown."""
        thresholds, means = self.by_threshold
        if np.isnan(means).all():
            return "Dice is undefined at every threshold."
        best = int(np.nanargmax(means))
        highest = f"{thresholds[best]:.2f} ({number_text(float(means[best]))})"
        return f"Mean Dice is highest at {highest}, chosen on these images."

    def outcomes(self, image: int) -> npt.NDArray[np.uint8]:
        """The outcome of each pixel: 0 TN, 1 TP, 2 FP, 3 FN."""
        actual, predicted = self.regions(image)
        return np.where(predicted, np.where(actual, 1, 2), np.where(actual, 3, 0)).astype(np.uint8)

    def image_note(self, image: int) -> str:
        """The numbers of one image, in Markdown."""
        values = {key: float(column[image]) for key, column in self.values.items()}
        height, width = self.images.actual[image].shape
        actual, predicted = (share_text(float(mask.mean())) for mask in self.regions(image))
        parts = [f"{MASK_MEASURES[key]} {number_text(values[key])}" for key in ("f_beta", "jaccard", "hausdorff_95")]
        return f"{width} × {height} pixels: {actual} actual, {predicted} predicted. {', '.join(parts)}."

    @property
    def code(self) -> str:
        """Python that reads the masks and asserts the mean of every measure."""
        means = {key: float(np.mean(v[np.isfinite(v)])) for key, v in self.values.items() if np.isfinite(v).any()}
        names = ("label", "empty", "threshold", "spacing")
        words = ", ".join(f"{name}={getattr(self.settings, name)!r}" for name in names)
        return script(
            self.source.code,
            f"overlap = Overlap(Source.of(data), OverlapSettings({words}))",
            f"for key, mean in {literal(means)}.items():",
            "    values = overlap.values[key]",
            "    np.testing.assert_allclose(values[np.isfinite(values)].mean(), mean, 1e-9, 1e-12, err_msg=key)",
            "    print(MASK_MEASURES[key], mean)",
        )

    @property
    def formulas(self) -> list[tuple[str, str, str]]:
        """Name, formula with the mean, and explanation of each measure."""
        lines = []
        for key, values in self.values.items():
            measure, known = find(key), values[np.isfinite(values)]
            mean = number_text(float(known.mean())) if len(known) else r"\text{undefined}"
            formula = measure.formula if key != "f_beta" else r"\frac{2 TP}{2 TP + FP + FN}"
            shown = mean.replace("−", "-").replace("\u202f", r"\,")
            name = measure_markdown(measure, MASK_MEASURES[key].capitalize())
            lines.append((name, rf"${formula}$, mean over the images ${shown}$", measure.reading))
        return lines


def _images(count: int) -> str:
    return "1 image" if count == 1 else f"{count_text(count)} images"
