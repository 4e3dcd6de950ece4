"""Paired tests beside scipy, beside all signs tried by hand, and at their edges."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalcore.inference import Comparison, paired_t, randomization, sign_test, wilcoxon
from tests.words import facts

ALL = (paired_t, randomization, wilcoxon, sign_test)
tenths = st.integers(0, 10).map(lambda n: n / 10)
few_pairs = st.lists(st.tuples(tenths, tenths), min_size=2, max_size=9)


def halves(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize("n", [2, 10, 200])
def test_the_t_test_is_that_of_scipy(n: int) -> None:
    random = np.random.default_rng(n)
    a, b = random.random((2, n))
    own, theirs = paired_t(a, b, level=0.9), stats.ttest_rel(b, a)
    assert own.p_value == pytest.approx(theirs.pvalue, rel=1e-12)
    assert own.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    interval = theirs.confidence_interval(0.9)
    assert (own.interval.low, own.interval.high) == pytest.approx((interval.low, interval.high), rel=1e-10)
    assert own.effect_size == pytest.approx((b - a).mean() / (b - a).std(ddof=1), rel=1e-12)


@pytest.mark.parametrize("n", [5, 20, 50, 51, 300])
def test_wilcoxon_is_that_of_scipy(n: int) -> None:
    random = np.random.default_rng(n)
    a, b = random.random((2, n))
    theirs = stats.wilcoxon(b, a, method="exact" if n <= 50 else "asymptotic")
    own = wilcoxon(a, b)
    assert own.statistic == theirs.statistic
    assert own.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_wilcoxon_with_zeros_and_ties_beyond_the_exact_is_that_of_scipy() -> None:
    random = np.random.default_rng(7)
    a, b = random.integers(0, 8, (2, 300)) / 8
    theirs = stats.wilcoxon(b, a, zero_method="pratt", method="asymptotic")
    own = wilcoxon(a, b)
    assert own.statistic == theirs.statistic
    assert own.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert own.ties == int((a == b).sum()) > 10


@settings(max_examples=60, deadline=None)
@given(pairs=few_pairs)
def test_few_pairs_try_every_sign(pairs) -> None:
    """In tenths, so that the sums and the ties can be had in whole numbers."""
    a, b = halves(pairs)
    whole = [round(10 * y) - round(10 * x) for x, y in pairs]
    seen = abs(sum(whole))
    others = [d for d in whole if d]
    sums = [
        abs(sum(s * d for s, d in zip(signs, others, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(others))
    ]
    assert randomization(a, b).p_value == sum(total >= seen for total in sums) / len(sums)
    ranks = stats.rankdata([abs(d) for d in whole])
    ranked = [(rank, d > 0) for rank, d in zip(ranks, whole, strict=True) if d]
    statistic = min(sum(r for r, up in ranked if up), sum(r for r, up in ranked if not up))
    every = [
        sum(r for (r, _), up in zip(ranked, ups, strict=True) if up)
        for ups in itertools.product((0, 1), repeat=len(ranked))
    ]
    own = wilcoxon(a, b)
    assert own.statistic == statistic
    assert own.p_value == pytest.approx(min(1, 2 * sum(total <= statistic for total in every) / len(every)), rel=1e-12)
    wins, losses = sum(d > 0 for d in whole), sum(d < 0 for d in whole)
    assert (own.wins, own.ties, own.losses) == (wins, len(whole) - wins - losses, losses)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
    assert sign_test(a, b).p_value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("test", ALL)
def test_the_two_systems_can_be_swapped(test) -> None:
    random = np.random.default_rng(1)
    a, b = random.random((2, 40))
    there, back = test(a, b), test(b, a)
    assert there.estimate == -back.estimate
    assert there.p_value == pytest.approx(back.p_value, abs=0.02)
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.interval.low == pytest.approx(-back.interval.high, rel=1e-12)
    assert isinstance(there, Comparison)
    assert there.n == 40


def test_random_signs_come_near_to_all_signs() -> None:
    random = np.random.default_rng(4)
    a = random.random(16)
    b = a + random.normal(0.05, 0.2, 16)
    exact = randomization(a, b)
    # Two more queries that change next to nothing make it draw.
    drawn = randomization([*a, 0, 0], [*b, 1e-9, -1e-9])
    assert exact.method == "Randomisation test, all signs"
    assert drawn.method == "Randomisation test, 10000 draws"
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.02)
    assert randomization([*a, 0, 0], [*b, 1e-9, -1e-9]).p_value == drawn.p_value
    assert randomization([*a, 0, 0], [*b, 1e-9, -1e-9], seed=1).p_value != drawn.p_value


def test_a_drawn_p_is_never_zero() -> None:
    assert randomization(np.zeros(100), np.ones(100)).p_value == 1 / 10_001


@pytest.mark.parametrize("n", [16, 17])
def test_the_last_exact_and_the_first_drawn_number_of_differences(n: int) -> None:
    compared = randomization(np.zeros(n), np.ones(n))
    assert compared.p_value == (2 / 2**16 if n == 16 else pytest.approx((1 + 10_000 * 2 / 2**17) / 10_001, abs=6e-4))


def test_systems_that_never_differ() -> None:
    for test in ALL:
        compared = test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
        assert (compared.estimate, compared.p_value, compared.ties) == (0, 1, 3)
        assert math.isnan(compared.effect_size)


def test_what_rounding_leaves_is_no_difference() -> None:
    compared = sign_test([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3])
    assert (compared.wins, compared.ties, compared.losses) == (0, 2, 0)


@pytest.mark.parametrize("test", ALL)
def test_too_few_queries_have_no_spread(test) -> None:
    assert math.isnan(test([], []).p_value)
    one = test([0.5], [0.7])
    assert one.n == 1
    assert math.isnan(one.interval.low)


@pytest.mark.parametrize("test", ALL)
def test_values_that_make_no_pairs_are_refused(test) -> None:
    with pytest.raises(ValueError, match="one value per query"):
        test([1, 2], [1])
    with pytest.raises(ValueError, match="query 2 is not a finite number"):
        test([1, float("nan")], [1, 2])
    with pytest.raises(ValueError, match="between 0 and 1"):
        test([1, 2], [2, 3], level=1)


def test_many_queries_agree_with_the_t_test() -> None:
    random = np.random.default_rng(2)
    a = random.random(5000)
    b = a + random.normal(0.002, 0.1, 5000)
    assert randomization(a, b).p_value == pytest.approx(paired_t(a, b).p_value, abs=0.02)


def test_a_note_says_that_few_queries_differ() -> None:
    a, few, many = np.zeros(50), np.arange(50) < 4, np.arange(50) < 20
    assert facts(paired_t(a, few.astype(float)).interval.note) == "4 50"
    assert paired_t(a, many.astype(float)).interval.note == ""
