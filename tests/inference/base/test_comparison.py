"""McNemar and Holm against their definitions, in fractions, and against what is printed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalcore.inference import holm, mcnemar, mcnemar_of_counts
from tests.classification.small_inputs import thorough
from tests.words import sentence_with


def outcomes(both: int, only_a: int, only_b: int, neither: int) -> tuple[list[bool], list[bool]]:
    """Rows with the four numbers of outcomes."""
    a = [True] * (both + only_a) + [False] * (only_b + neither)
    b = [True] * both + [False] * only_a + [True] * only_b + [False] * neither
    return a, b


def binomial(only_a: int, only_b: int) -> Fraction:
    """Two-sided p by counting every way the discordant rows could have fallen."""
    n = only_a + only_b
    tail = sum(math.comb(n, i) for i in range(min(only_a, only_b) + 1))
    return min(Fraction(2 * tail, 2**n), Fraction(1))


@pytest.mark.parametrize("only_a", range(0, 13))
@pytest.mark.parametrize("only_b", [0, 1, 5, 11, 12])
def test_few_discordant_rows_are_counted_exactly(only_a: int, only_b: int) -> None:
    found = mcnemar(*outcomes(7, only_a, only_b, 3))
    assert found.method == "McNemar, exact binomial"
    assert found.p_value == pytest.approx(float(binomial(only_a, only_b)), rel=1e-12)
    assert found.statistic == min(only_a, only_b)
    assert found.n == 10 + only_a + only_b


def test_from_25_discordant_rows_it_is_chi_square_with_continuity() -> None:
    assert mcnemar(*outcomes(0, 12, 12, 0)).method == "McNemar, exact binomial"
    found = mcnemar(*outcomes(0, 13, 12, 0))
    assert sentence_with(found.method, "McNemar, chi-square")
    assert found.p_value == 1
    # 101 and 59: (42 − 1)²/160; its tail is erfc(√(χ²/2)).
    found = mcnemar(*outcomes(212, 101, 59, 83))
    assert found.statistic == 41**2 / 160
    assert found.p_value == pytest.approx(math.erfc(math.sqrt(41**2 / 320)), rel=1e-12)


@pytest.mark.parametrize("rows", [[True, False, True], [True] * 40, [False]])
def test_systems_that_are_right_on_the_same_rows_differ_by_nothing(rows) -> None:
    found = mcnemar(rows, rows)
    assert (found.p_value, found.estimate, found.statistic) == (1, 0, 0)


def test_without_rows_nothing_is_known() -> None:
    found = mcnemar([], [])
    assert all(math.isnan(x) for x in (found.p_value, found.estimate, found.statistic, found.interval.low))
    assert found.n == 0


@pytest.mark.parametrize(
    ("table", "low", "high"), [((20, 2, 12, 16), 0.0562, 0.3292), ((36, 2, 12, 0), 0.0569, 0.3404)]
)
def test_the_interval_is_the_one_that_newcombe_prints(table, low: float, high: float) -> None:
    found = mcnemar(*outcomes(*table))
    assert found.estimate == 10 / 50
    assert abs(found.interval.low - low) <= 0.00005
    assert abs(found.interval.high - high) <= 0.00005


@thorough
@given(table=st.tuples(*[st.integers(0, 30)] * 4))
def test_the_other_way_round_everything_is_the_other_way_round(table) -> None:
    a, b = outcomes(*table)
    one, other = mcnemar(a, b), mcnemar(b, a)
    assert one.p_value == pytest.approx(other.p_value, nan_ok=True)
    assert one.estimate == pytest.approx(-other.estimate, nan_ok=True)
    assert float(one.interval.low) == pytest.approx(-float(other.interval.high), abs=1e-12, nan_ok=True)
    if a:
        assert -1 <= one.interval.low <= one.estimate <= one.interval.high <= 1
        assert 0 <= one.p_value <= 1


def test_what_is_no_outcome_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="right_a has 2 rows and right_b 1"):
        mcnemar([True, False], [True])
    with pytest.raises(ValueError, match="right_b holds int64"):
        mcnemar(np.array([True]), np.array([2]))
    with pytest.raises(ValueError, match="right_a has the shape"):
        mcnemar(np.ones((2, 2), dtype=bool), np.ones((2, 2), dtype=bool))
    with pytest.raises(ValueError, match="confidence level"):
        mcnemar([True], [True], level=95)


def slow_holm(p_values: list[float]) -> list[float]:
    """Each p times the number of tests that are not surer than it, never below that of a surer one."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p == p)
    found, highest = [math.nan] * len(p_values), 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        found[place] = highest
    return found


@thorough
@given(p_values=st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.01, 0.02, 0.5, 1.0, math.nan]), max_size=12))
def test_holm_is_its_definition_and_leaves_out_what_was_not_tested(p_values) -> None:
    np.testing.assert_allclose(holm(p_values), slow_holm(p_values), rtol=1e-15)


def test_holm_keeps_the_shape_and_refuses_what_is_no_probability() -> None:
    assert holm([[0.01, math.nan], [0.04, 1.0]]).shape == (2, 2)
    assert holm([]).tolist() == []
    assert holm(0.2).tolist() == 0.2
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, 1.5])


@pytest.mark.parametrize(
    ("test", "p"), [("exact", 0.0703), ("mid_p", 0.0391), ("chi_square", 0.0771), ("auto", 0.0703)]
)
def test_the_forms_that_are_printed_for_bronchi_before_and_after(test: str, p: float) -> None:
    """M. Fagerland, S. Lydersen, P. Laake (2013), BMC Medical Research Methodology 13, 91: 1 and 7 of 21 pairs."""
    assert mcnemar_of_counts(both=1, only_a=1, only_b=7, neither=12, test=test).p_value == pytest.approx(p, abs=5e-5)


def test_the_mid_p_counts_half_of_the_observed_table() -> None:
    for few in range(12):
        for many in range(few, 12):
            compared = mcnemar_of_counts(3, few, many, 4, test="mid_p")
            half = stats.binom.cdf(few - 1, few + many, 0.5) + stats.binom.pmf(few, few + many, 0.5) / 2
            assert compared.p_value == pytest.approx(min(2 * half, 1) if few + many else 1)
    with pytest.raises(ValueError, match=r"'midp'.*auto, exact, mid_p, chi_square"):
        mcnemar_of_counts(1, 2, 3, 4, test="midp")
