"""Corrections of p-values against scipy, by hand, and with what was not tested left out."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from evalcore.inference import adjusted, holm
from evalcore.inference.base.comparison import METHODS
from tests.classification.small_inputs import thorough

p_values = st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.01, 0.02, 0.5, 1.0, math.nan]), max_size=12)


@thorough
@given(given=p_values)
def test_benjamini_hochberg_as_scipy(given) -> None:
    known = [p for p in given if p == p]
    found = adjusted(given, "benjamini_hochberg")
    assert np.isnan(found).tolist() == [p != p for p in given]
    if known:
        np.testing.assert_allclose(found[~np.isnan(found)], false_discovery_control(known, method="bh"), rtol=1e-14)


@pytest.mark.parametrize("method", METHODS)
@thorough
@given(given=p_values)
def test_no_correction_makes_a_difference_surer_or_changes_the_order(method: str, given) -> None:
    found = adjusted(given, method)
    known = [(p, q) for p, q in zip(given, found.tolist(), strict=True) if p == p]
    assert all(p <= q <= 1 for p, q in known)
    known.sort()
    assert all(q <= r for (_, q), (_, r) in pairwise(known))
    both = np.array([adjusted(given, each) for each in ("bonferroni", "holm", "benjamini_hochberg")])
    assert ((both[0] >= both[1]) & (both[1] >= both[2]) | np.isnan(both[0])).all()


def test_by_hand() -> None:
    """The fifteen p-values of Benjamini and Hochberg (1995), section 4: four differences are called real at 0.05."""
    printed = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
        0.7590, 1.0,
    ]  # fmt: skip
    assert np.count_nonzero(adjusted(printed, "benjamini_hochberg") <= 0.05) == 4
    assert np.count_nonzero(adjusted(printed, "bonferroni") <= 0.05) == 3
    assert np.count_nonzero(holm(printed) <= 0.05) == 3


@pytest.mark.parametrize("method", METHODS)
def test_the_shape_is_kept_and_what_is_no_probability_refused(method: str) -> None:
    assert adjusted([[0.01, math.nan], [0.04, 1.0]], method).shape == (2, 2)
    assert adjusted([], method).tolist() == []
    assert adjusted(0.2, method).tolist() == 0.2
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjusted([0.5, 1.5], method)


def test_an_unknown_correction_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'tukey'.*holm"):
        adjusted([0.5], "tukey")
