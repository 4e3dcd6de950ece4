"""Two areas in few clusters: the exchange of whole clusters, against every exchange tried one by one."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logit, ndtri
from scipy.stats import chi2, rankdata

from evalcore.classification import ScoredLabels, roc_auc
from evalcore.inference import compare_auc, correlated_areas
from evalcore.inference.base.clustered import area_difference_bounds
from evalcore.inference.paired.areas import area_contributions, area_exchange


def patients(seed: int, clusters: int = 7, rows: int = 4):
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(clusters), rows)
    labels = random.random(len(codes)) < 0.5
    a, b = (rankdata(random.normal(size=len(codes)).round(1) + by * labels) for by in (0.5, 1.5))
    return labels, a, b, codes


def area(labels, scores) -> float:
    return roc_auc(ScoredLabels.from_arrays(labels, scores))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_p_is_that_of_all_exchanges_of_whole_clusters(seed: int) -> None:
    labels, a, b, codes = patients(seed)
    differences = []
    for exchanged in product([False, True], repeat=7):
        swapped = np.array(exchanged)[codes]
        first, second = np.where(swapped, b, a), np.where(swapped, a, b)
        differences.append(area(labels, second) - area(labels, first))
        signs = np.where(exchanged, -1.0, 1.0)
        assert signs @ area_contributions(labels, a, b, codes) == pytest.approx(differences[-1], abs=1e-12)
    size = np.abs(differences)
    compared = compare_auc(labels, a, b, clusters=codes)
    assert compared.estimate == pytest.approx(differences[0])
    assert compared.p_value == pytest.approx(
        (np.mean(size > size[0] + 1e-9) + np.mean(size >= size[0] - 1e-9)) / 2, abs=1e-12
    )
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        interval = compared.interval_at(level)
        assert (interval.low > 0 or interval.high < 0) == (compared.p_value <= 1 - level)
    assert compared.statistic == pytest.approx(differences[0] / np.mean(size**2) ** 0.5)


def test_few_clusters_that_all_agree_are_no_surer_than_their_exchanges() -> None:
    """Four patients, each better by B: half of two of sixteen exchanges are as far apart."""
    labels, codes = np.tile([True, False], 8), np.repeat(np.arange(4), 4)
    a, b = np.tile([1.0, 2.0, 4.0, 3.0], 4), np.tile([4.0, 1.0, 3.0, 2.0], 4)
    compared = compare_auc(labels, a, b, clusters=codes)
    assert compared.p_value == 1 / 16
    assert compared.interval.low <= 0 < compared.interval.high
    assert compared.interval_at(0.9).low > 0


def test_many_clusters_single_rows_and_weights_keep_obuchowskis_variance() -> None:
    labels, a, b, codes = patients(4, clusters=60)
    for options in ({"clusters": codes}, {"clusters": np.arange(len(codes))},
                    {"clusters": codes // 10, "weights": np.full(len(codes), 2.5)}):  # fmt: skip
        areas = correlated_areas(labels, [a, b], **options)
        spread = areas.covariance[0, 0] + areas.covariance[1, 1] - 2 * areas.covariance[0, 1]
        assert areas.compared(0, 1).statistic == (areas.estimates[1] - areas.estimates[0]) / spread**0.5
    assert area_exchange(labels, a, a, codes // 10) is None
    assert compare_auc(labels, a, a, clusters=codes // 10).p_value == 1


def test_bounds_are_the_extreme_differences_of_all_areas_whose_logits_are_as_near() -> None:
    areas, covariance = np.array([0.97, 0.9]), np.array([[4.0, 7.0], [7.0, 16.0]]) * 1e-4
    first, second = np.meshgrid(np.linspace(0.5, 0.999, 1500), np.linspace(0.5, 0.999, 1500))
    away = [logit(each) - logit(area) for each, area in zip((first, second), areas, strict=True)]
    slopes = 1 / (areas * (1 - areas))
    precision = np.linalg.inv(covariance * np.outer(slopes, slopes))
    far = sum(precision[i, j] * away[i] * away[j] for i in (0, 1) for j in (0, 1))
    near = (second - first)[far <= 2**2]
    low, high = area_difference_bounds(areas, covariance, 2.0, 1e-6)
    assert (low, high) == pytest.approx((near.min(), near.max()), abs=1e-3)
    assert low + high < 2 * (areas[1] - areas[0])  # farther on the side of areas that are lower than they look


def test_areas_that_differ_hold_their_difference_in_few_clusters() -> None:
    """30 patients of whom about nine are ill; most of them lie above all others by both systems, whatever these do."""
    random, held, agree = np.random.default_rng(1), [], []
    for _ in range(200):
        codes, ill = np.repeat(np.arange(30), 6), random.random(30) < 0.3
        if not 1 < ill.sum() < 29:
            continue
        shared = 0.9**0.5 * random.normal(size=30)[codes]
        a, b = (2**0.5 * ndtri(area) * ill[codes] + shared + 0.1**0.5 * random.normal(size=180) for area in (0.92, 0.9))
        compared = compare_auc(ill[codes], a, b, clusters=codes)
        held.append(compared.interval.low <= -0.02 <= compared.interval.high)
        agree.append((compared.interval.low > 0 or compared.interval.high < 0) == (compared.p_value <= 0.05))
    assert np.mean(held) > 0.92
    assert all(agree)


def test_clusters_that_differ_alike_have_bounds_by_their_exchanges() -> None:
    """Their variance is 0, which is no certainty."""
    labels, codes = np.tile([True, False], 12), np.repeat(np.arange(6), 4)
    a, b = np.tile([1.0, 2.0, 4.0, 3.0], 6), np.tile([4.0, 1.0, 3.0, 2.0], 6)
    compared = compare_auc(labels, a, b, clusters=codes)
    assert compared.p_value == 1 / 64
    assert 0 < compared.interval.low < compared.estimate < compared.interval.high


def test_all_areas_of_clusters_are_tested_as_two_of_them_are() -> None:
    labels, a, b, codes = patients(6, clusters=60)
    areas, pair = correlated_areas(labels, [a, b], clusters=codes), compare_auc(labels, a, b, clusters=codes)
    overall = areas.overall()
    assert (overall.statistic, overall.p_value) == pytest.approx((pair.statistic**2, pair.p_value))
    three = correlated_areas(labels, [a, b, np.arange(240.0)], clusters=codes).overall()
    assert three.p_value > chi2.sf(three.statistic, 2)
    # As many differences as clusters leave no degree of freedom.
    assert np.isnan(correlated_areas(labels[:8], [a[:8], b[:8], a[::-1][:8]], clusters=codes[:8]).overall().p_value)
