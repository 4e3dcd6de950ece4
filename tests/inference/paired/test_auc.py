"""Several areas on the same rows, against every pair compared in fractions."""

import math
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.classification import ScoredLabels
from evalcore.inference import compare_auc, correlated_areas, delong
from evalcore.numeric import WORTH_A_THREAD, inner
from tests.classification.small_inputs import thorough

systems = st.integers(1, 3).flatmap(
    lambda s: st.lists(
        st.tuples(st.booleans(), st.tuples(*[st.integers(0, 4)] * s), st.integers(0, 3)), min_size=4, max_size=14
    )
)


def slow(labels: list[bool], scores: list[list[float]]) -> tuple[list[Fraction], list[list[Fraction]]]:
    """The structural components of DeLong, pair by pair, and their covariance."""
    rows = range(len(labels))
    positives, negatives = [i for i in rows if labels[i]], [i for i in rows if not labels[i]]
    m, n = len(positives), len(negatives)

    def win(s: float, t: float) -> Fraction:
        return Fraction(int(s > t)) + Fraction(int(s == t), 2)

    of_positives = [[sum(win(s[i], s[j]) for j in negatives) / n for i in positives] for s in scores]
    of_negatives = [[sum(win(s[i], s[j]) for i in positives) / m for j in negatives] for s in scores]
    areas = [sum(v) / m for v in of_positives]

    def together(a: int, b: int) -> Fraction:
        found = Fraction(0)
        for parts, size in ((of_positives, m), (of_negatives, n)):
            products = sum((x - areas[a]) * (y - areas[b]) for x, y in zip(parts[a], parts[b], strict=True))
            found += products / (size - 1) / size
        return found

    return areas, [[together(a, b) for b in range(len(scores))] for a in range(len(scores))]


@thorough
@given(found=systems, weighted=st.booleans())
def test_areas_and_covariance_are_their_definition(found, weighted: bool) -> None:
    repeated = [row for row in found for _ in range(row[2] if weighted else 1)]
    labels = [row[0] for row in repeated]
    if min(labels.count(True), labels.count(False)) < 2:
        return
    areas, covariance = slow(labels, [list(column) for column in zip(*(row[1] for row in repeated), strict=True)])
    columns = list(zip(*(row[1] for row in found), strict=True))
    weights = [row[2] for row in found] if weighted else None
    fast = correlated_areas([row[0] for row in found], columns, weights=weights)
    assert fast.estimates.tolist() == pytest.approx([float(a) for a in areas], rel=1e-13)
    np.testing.assert_allclose(fast.covariance, np.array(covariance, dtype=float), rtol=1e-10, atol=1e-16)
    alone = delong(ScoredLabels.from_arrays(labels, [row[1][0] for row in repeated]))
    both = fast.intervals()
    assert float(both.low[0]) == pytest.approx(float(alone.low), abs=1e-12, nan_ok=True)
    assert float(both.high[0]) == pytest.approx(float(alone.high), abs=1e-12, nan_ok=True)


def test_the_covariance_of_many_tied_rows_is_right_to_ten_digits() -> None:
    random = np.random.default_rng(1)
    labels = random.random(120) < 0.4
    a = random.integers(0, 12, 120) + 3 * labels
    scores = [a, a + random.integers(0, 6, 120), random.normal(size=120)]
    areas, covariance = slow(labels.tolist(), [list(map(float, s)) for s in scores])
    fast = correlated_areas(labels, scores)
    np.testing.assert_allclose(fast.estimates, [float(area) for area in areas], rtol=1e-14)
    np.testing.assert_allclose(fast.covariance, np.array(covariance, dtype=float), rtol=1e-11)


def test_copies_differ_by_exactly_nothing() -> None:
    random = np.random.default_rng(2)
    labels, scores = random.random(200) < 0.3, random.normal(size=200)
    for copy in (scores, np.exp(scores), 7 * scores - 3):
        found = compare_auc(labels, scores, copy, weights=random.random(200))
        assert (found.estimate, found.statistic, found.p_value) == (0, 0, 1)
        assert (float(found.interval.low), float(found.interval.high)) == (0, 0)


def test_perfect_against_upside_down_leaves_nothing_to_judge_by() -> None:
    found = compare_auc([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], positive=1)
    assert found.estimate == -1
    assert all(math.isnan(x) for x in (found.statistic, found.p_value, found.interval.low, found.interval.high))


def test_what_rounding_leaves_of_no_variance_is_none() -> None:
    """B outranks A by half a pair for every row alike, so nothing varies; sums of weights leave 1e-18 of it."""
    scores = [[3.0, 0.0, 3.0, 0.0], [1 / 7, 1 / 7, 1 / 7, 0.0]]
    areas = correlated_areas([0, 1, 0, 0], scores, positive=1, weights=[3, 2, 1, 3])
    assert areas.estimates[1] - areas.estimates[0] == pytest.approx(0.5)
    assert math.isnan(areas.compared(0, 1).p_value)
    assert math.isnan(areas.overall().p_value)


def test_a_class_of_one_row_has_an_area_and_no_variance() -> None:
    areas = correlated_areas([1, 0, 0], [[3, 2, 1], [1, 2, 3]], positive=1)
    assert areas.estimates.tolist() == [1, 0]
    assert np.isnan(areas.covariance).all()
    assert math.isnan(areas.compared(0, 1).p_value)
    assert math.isnan(areas.overall().p_value)
    assert np.isnan(correlated_areas([1, 1], [[1, 2]], positive=1).estimates).all()


def test_the_overall_test_of_two_systems_is_the_square_of_theirs() -> None:
    random = np.random.default_rng(3)
    labels = random.random(300) < 0.5
    a, b, c = (random.normal(size=300) + shift * labels for shift in (0.5, 0.8, 1.1))
    areas = correlated_areas(labels, [a, b])
    overall, pair = areas.overall(), areas.compared(0, 1)
    assert overall.degrees == 1
    assert overall.statistic == pytest.approx(pair.statistic**2, rel=1e-10)
    assert overall.p_value == pytest.approx(pair.p_value, rel=1e-9)
    three = correlated_areas(labels, [a, b, c]).overall()
    with_copy = correlated_areas(labels, [a, b, 2 * b, c]).overall()
    assert (three.degrees, with_copy.degrees) == (2, 2)
    assert with_copy.statistic == pytest.approx(three.statistic, rel=1e-6)
    order = correlated_areas(labels, [c, a, b]).overall()
    assert order.statistic == pytest.approx(three.statistic, rel=1e-9)
    assert correlated_areas(labels, [a, a]).overall().p_value == 1


def test_long_tables_go_to_two_threads_and_come_back_the_same() -> None:
    random = np.random.default_rng(4)
    n = WORTH_A_THREAD + 1
    labels, scores = random.random(n) < 0.2, random.integers(0, 1000, size=(3, n))
    areas = correlated_areas(labels, list(scores))
    for place in range(3):
        alone = correlated_areas(labels, [scores[place]])
        assert areas.estimates[place] == alone.estimates[0]
        assert areas.covariance[place, place] == alone.covariance[0, 0]


def test_the_direction_and_the_logit() -> None:
    labels, scores = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]
    turned = correlated_areas(labels, [[-s for s in scores]], positive=1, higher_is_positive=False)
    assert turned.estimates[0] == pytest.approx(8 / 9)
    logit = turned.intervals()
    assert 0 < logit.low[0] < 8 / 9 < logit.high[0] < 1


def test_what_cannot_be_compared_is_refused_by_system_and_row() -> None:
    with pytest.raises(ValueError, match="scores of system 2"):
        correlated_areas([1, 0], [[1, 2], [1]], positive=1)
    with pytest.raises(ValueError, match=r"system 1 is nan.*row 1"):
        compare_auc([1, 0], [1, math.nan], [1, 2], positive=1)
    with pytest.raises(ValueError, match=r"labels.*row 0"):
        compare_auc([None, 0], [1, 2], [1, 2], positive=1)
    with pytest.raises(ValueError, match="confidence level"):
        compare_auc([1, 0], [1, 2], [1, 2], positive=1, level=95)


@pytest.mark.parametrize("weighted", [False, True])
def test_many_systems_have_the_covariance_of_each_pair_and_copies_among_them_differ_by_nothing(weighted: bool) -> None:
    """Of many systems the products are taken all at once: a pass for each pair grows with the square of them."""
    random = np.random.default_rng(5)
    labels = random.random(400) < 0.3
    scores = [random.normal(size=400) + shift * labels for shift in np.linspace(0, 1, 11)]
    scores += [scores[3], np.exp(scores[3])]
    weights = random.integers(0, 4, 400) if weighted else None
    with patch("evalcore.inference.paired.areas.inner", wraps=inner) as passes:
        areas = correlated_areas(labels, scores, weights=weights)
    assert passes.call_count <= 4 * len(scores)
    for a, b in ((0, 1), (2, 10), (3, 4)):
        pair = correlated_areas(labels, [scores[a], scores[b]], weights=weights)
        np.testing.assert_allclose(areas.covariance[np.ix_([a, b], [a, b])], pair.covariance, rtol=1e-12)
    for a, b in ((3, 11), (3, 12), (11, 12)):
        compared = areas.compared(a, b)
        assert (compared.estimate, compared.statistic, compared.p_value) == (0, 0, 1)
        assert (compared.interval.low, compared.interval.high) == (0, 0)
