"""Measures of two masks: MedPy's definitions written plainly, empty masks, scipy's outline, what is refused."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import binary_erosion

from evalcore import METRICS
from evalcore.estimation import MaskPair, outline
from tests.estimation.mask_definitions import OF_MASKS


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 6), st.integers(1, 6), st.sampled_from([(1.0, 1.0), (0.5, 2.0)]))
def test_each_is_what_its_definition_says(data, height, width, spacing) -> None:
    actual, predicted = (data.draw(arrays(bool, (height, width))) for _ in range(2))
    pair = MaskPair.from_arrays(actual, predicted, spacing)
    for key, definition in OF_MASKS.items():
        expected = definition(actual, predicted, spacing)
        if key != "volume_difference" and not (actual.any() and predicted.any()):
            expected = math.nan
        assert METRICS[key](pair) == pytest.approx(expected, abs=1e-12, nan_ok=True), key
    assert (outline(actual) == (actual ^ binary_erosion(actual))).all()


def test_masks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shapes \(1, 2\) and \(2, 1\)"):
        MaskPair.from_arrays([[1, 0]], [[1], [0]])
    with pytest.raises(ValueError, match="size of a pixel"):
        MaskPair.from_arrays([[1]], [[1]], (1.0, 0.0))
