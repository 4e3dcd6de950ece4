"""Entropy, cross-entropy and divergence against their sums, and what is infinite."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import entr, rel_entr

from evalcore.classification import divergences
from evalcore.classification.several.losses import cross_entropy, kl_divergence
from tests.classification.small_inputs import thorough

counts = st.lists(st.integers(0, 5), min_size=2, max_size=6).filter(any)


@thorough
@given(one=counts, other=counts)
def test_as_scipy_and_bound_to_each_other(one, other) -> None:
    size = min(len(one), len(other))
    one, other = one[:size], other[:size]
    if not any(one) or not any(other):
        return
    p, q = (np.array(x) / sum(x) for x in (one, other))
    assert cross_entropy(p, p) == pytest.approx(entr(p).sum(), abs=1e-14)
    assert kl_divergence(p, q) == pytest.approx(max(rel_entr(p, q).sum(), 0), abs=1e-14)
    if (q[p > 0] > 0).all():
        assert kl_divergence(p, q) == pytest.approx(cross_entropy(p, q) - cross_entropy(p, p), abs=1e-14)
    else:
        assert kl_divergence(p, q) == cross_entropy(p, q) == math.inf
    both = divergences(one, other, base=2, normalised=True)
    assert both.kl_pq == pytest.approx(kl_divergence(p, q, base=2))
    assert both.kl_qp == pytest.approx(kl_divergence(q, p, base=2))
    assert both.cross_pq == pytest.approx(cross_entropy(p, q) / math.log(2))
    assert both.entropy_p == pytest.approx(cross_entropy(p, p, 2))


def test_many_distributions_at_once_and_a_distribution_of_itself() -> None:
    p = np.random.default_rng(1).dirichlet(np.ones(5), size=(3, 4))
    assert kl_divergence(p, p).tolist() == np.zeros((3, 4)).tolist()
    assert kl_divergence(p, p[0, 0]).shape == (3, 4)


@pytest.mark.parametrize(
    ("p", "q", "sentence"),
    [
        ([0.5, 0.5], [1.0], "p has 2 values and q 1"),
        ([0.5, 0.4], [0.5, 0.5], "adds up to 0.9"),
        ([0.5, 0.5], [1.5, -0.5], "q is -0.5 at place 1"),
        ([0.5, math.nan], [0.5, 0.5], "nan at place 1"),
        ([], [], "p has the shape"),
        ([0, 0], [1, 0], "p adds up to 0"),
    ],
)
def test_what_is_no_distribution_is_refused(p, q, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        divergences(p, q)
