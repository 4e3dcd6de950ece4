"""The clustered order: every class once, blocks of confusion together, whatever the order they came in."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.classification import ConfusionMatrix
from evalcore.inference import clustered_order
from tests.classification.small_inputs import thorough


@thorough
@given(k=st.integers(0, 9), seed=st.integers(0, 2**32 - 1))
def test_every_class_stands_once_in_the_order(k: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 4, (k, k))
    assert sorted(clustered_order(ConfusionMatrix(range(k), counts)).tolist()) == list(range(k))


@pytest.mark.parametrize("seed", range(5))
def test_blocks_come_together_from_any_order(seed: int) -> None:
    blocks = np.kron(np.eye(4), np.full((3, 3), 5.0)) + 10 * np.eye(12)
    mixed = np.random.default_rng(seed).permutation(12)
    order = clustered_order(ConfusionMatrix(range(12), blocks).ordered(mixed))
    block = [mixed[place] // 3 for place in order]
    assert sum(a != b for a, b in itertools.pairwise(block)) == 3


def test_a_class_confused_in_one_direction_only_is_near_too() -> None:
    counts = np.diag([9.0, 9, 9, 9])
    counts[0, 3] = 9
    order = clustered_order(ConfusionMatrix("abcd", counts)).tolist()
    assert abs(order.index(0) - order.index(3)) == 1


@pytest.mark.parametrize("counts", [np.zeros((4, 4)), np.diag([1.0, 2, 3, 4])])
def test_without_confusions_or_rows_there_still_is_an_order(counts) -> None:
    assert sorted(clustered_order(ConfusionMatrix("abcd", counts)).tolist()) == [0, 1, 2, 3]
