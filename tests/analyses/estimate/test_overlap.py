"""How much masks agree: means over images, empty masks, labels, thresholds, and the exported Python."""

import math

import numpy as np
import pytest

from evalcore.analyses import Overlap, OverlapSettings, Source
from evalcore.figures import OUTCOMES, ink, mask_colours, outcome_picture, threshold_curve
from evalcore.readers import read_masks, read_sample
from tests.readers.join.test_masks import array
from tests.words import facts, sentence_with

DIGITS = Source.of(read_sample("digit_masks"), sample="digit_masks")


def overlap_of(actual: list, predicted: list, **settings) -> Overlap:
    sides = [{f"{place}.npy": array(np.array(mask)) for place, mask in enumerate(side)} for side in (actual, predicted)]
    return Overlap(Source.of(read_masks(*sides)), OverlapSettings(**settings))


def test_each_image_counts_once_and_the_worst_comes_first() -> None:
    overlap = overlap_of([[[1, 1, 0, 0]], [[0, 1, 0, 0]]], [[[1, 1, 0, 0]], [[1, 1, 1, 0]]])
    assert overlap.values["f_beta"].tolist() == [1.0, 0.5]
    assert overlap.values["jaccard"].tolist() == [1.0, 1 / 3]
    assert overlap.values["volume_difference"].tolist() == [0, 2]
    assert overlap.values["hausdorff_distance"].tolist() == [0, 1]
    assert facts(overlap.verdict) == "0.750 95% 0.000 1.000 0.354 2 1 0.500"
    assert overlap.table["image"] == ["1", "0"]
    assert overlap.outcomes(1).tolist() == [[2, 1, 2, 0]]
    assert overlap.rows[0][3] == "0.000–1.000"  # Student's interval would go beyond


@pytest.mark.parametrize(("rule", "dice"), [("undefined", math.nan), ("1", 1.0), ("0", 0.0)])
def test_two_empty_masks_count_as_the_rule_says(rule: str, dice: float) -> None:
    overlap = overlap_of([[[0, 0]], [[1, 0]], [[0, 0]]], [[[0, 0]], [[1, 0]], [[1, 0]]], empty=rule)
    assert overlap.values["f_beta"].tolist() == pytest.approx([dice, 1, 0], nan_ok=True)
    assert np.isnan(overlap.values["hausdorff_distance"]).tolist() == [True, False, True]
    assert overlap.empty == (1, 1)
    assert f"count as {rule}" in overlap.empty_note


def test_nothing_anywhere_is_undefined() -> None:
    assert overlap_of([[[0, 0]]], [[[0, 0]]]).verdict.startswith("**Dice is undefined:")
    assert sentence_with(overlap_of([[[1, 0]]], [[[1, 0]]]).verdict, "no interval")


def test_labels_are_told_apart_and_pixels_have_a_size() -> None:
    overlap = overlap_of([[[1, 2, 0, 0]]], [[[2, 2, 0, 2]]], label=2, spacing=(1.0, 0.5))
    assert overlap.images.labels == (1, 2)
    assert overlap.values["hausdorff_distance"].tolist() == [1.0]
    assert overlap.values["precision"].tolist() == [1 / 3]


def test_dice_follows_the_threshold_of_probabilities() -> None:
    chances = [[[0.9, 0.4, 0.1, 0.0]]]
    assert overlap_of([[[1, 1, 0, 0]]], chances).values["recall"].tolist() == [0.5]
    overlap = overlap_of([[[1, 1, 0, 0]]], chances, threshold=0.3)
    assert overlap.values["f_beta"].tolist() == [1.0]
    thresholds, means = overlap.by_threshold
    assert means[np.isclose(thresholds, 0.05)].tolist() == [0.8]
    assert sentence_with(overlap.threshold_note, "0.15", "1.000")
    assert threshold_curve(overlap, ink(dark=False)).data[0].y.tolist() == means.tolist()


def test_the_exported_python_finds_the_same_means() -> None:
    overlap = Overlap(DIGITS, OverlapSettings(spacing=(0.5, 2.0)))
    exec(compile(overlap.code, "exported", "exec"), {})  # noqa: S102
    assert len(overlap.rows) == len(overlap.formulas) == 8
    assert "read_masks(" in overlap_of([[[1]]], [[[1]]]).code


def test_a_picture_of_outcomes_is_read_back() -> None:
    import base64
    import io

    from PIL import Image

    def shades(actual: bool) -> list[str]:
        uri = outcome_picture(np.array([[0, 1], [2, 3]], np.uint8), "#101820", actual)
        image = Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))).convert("RGB")
        return ["#{:02X}{:02X}{:02X}".format(*image.getpixel(at)) for at in ((0, 0), (1, 0), (0, 1), (1, 1))]

    colours = mask_colours("#101820")
    assert shades(actual=False) == [colours[outcome] for outcome in ("tn", "tp", "fp", "fn")]
    assert shades(actual=True) == ["#101820", OUTCOMES["tp"], "#101820", OUTCOMES["tp"]]
    assert "#101820" not in colours.values()


def test_a_mean_distance_says_where_few_images_decide_on_it() -> None:
    """One image of twenty is far off: its distance is nearly the whole mean."""
    near, far = [1] * 2 + [0] * 38, [0] * 38 + [1] * 2
    overlap = overlap_of([[near]] * 20, [[near[1:] + [0]]] * 19 + [[far]])
    bounds = {str(row[0].text): row[3] for row in overlap.rows}
    assert sentence_with(bounds["Hausdorff"].aside, "Few rows decide")
    assert isinstance(bounds["Dice"], str)
