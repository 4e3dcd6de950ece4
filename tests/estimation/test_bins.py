"""Bins by rule: those of numpy, and what is refused of what is typed."""

import numpy as np
import pytest

from evalcore.estimation import MOST_BINS, edges_by, edges_from_text

VALUES = np.sort(np.random.default_rng(2).gamma(2, size=500))


@pytest.mark.parametrize(("rule", "of_numpy"), [("freedman", "fd"), ("sturges", "sturges")])
def test_a_rule_gives_the_bins_of_numpy(rule: str, of_numpy: str) -> None:
    assert edges_by(rule, VALUES) == pytest.approx(np.histogram_bin_edges(VALUES, of_numpy))


def test_quantiles_hold_as_many_values_each_and_ties_are_one_bin() -> None:
    assert set(np.histogram(VALUES, edges_by("quantiles", VALUES, 10))[0]) == {50}
    assert edges_by("quantiles", np.array([0.0, 0, 0, 0, 1]), 4).tolist() == [0, 1]


@pytest.mark.parametrize("rule", ["freedman", "quantiles", "sturges", "values", "width"])
def test_values_that_are_all_equal_or_too_many_have_bins(rule: str) -> None:
    assert edges_by(rule, np.full(9, 3.0)).tolist() == [2.5, 3.5]
    far = np.sort(np.append(VALUES, 1e9))
    assert 2 <= len(edges_by(rule, far, 10**6)) <= MOST_BINS + 1


@pytest.mark.parametrize("text", ["", "1 2", "3 2 1", "a b c", "1 2 inf", " ".join(map(str, range(300)))])
def test_edges_that_cannot_be_used_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"edges"):
        edges_from_text(text)
