"""Accuracy against the no-information rate: R's binom.test(correct, n, p = largest share, alternative = "greater")."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evalcore.classification import ConfusionMatrix
from evalcore.inference import accuracy_above_no_information
from tests.classification.small_inputs import thorough


@thorough
@given(cells=st.lists(st.integers(0, 40), min_size=9, max_size=9))
def test_it_is_the_exact_binomial_test(cells: list[int]) -> None:
    counts = np.array(cells, dtype=float).reshape(3, 3)
    n = int(counts.sum())
    found = accuracy_above_no_information(ConfusionMatrix("abc", counts))
    if not n:
        assert math.isnan(found)
        return
    share = counts.sum(axis=1).max() / n
    assert found == pytest.approx(binomtest(int(counts.trace()), n, share, alternative="greater").pvalue, rel=1e-9)
