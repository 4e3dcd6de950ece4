"""Two areas in few clusters: the exchange of whole clusters, against every exchange tried one by one."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from evalcore.classification import ScoredLabels, roc_auc
from evalcore.inference import compare_auc, correlated_areas
from evalcore.inference.area_exchange import area_contributions, exchanged_areas


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
    assert (compared.interval.low > 0 or compared.interval.high < 0) <= (compared.p_value <= 0.05)
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
                    {"clusters": codes // 10, "weights": np.full(len(codes), 2.0)}):  # fmt: skip
        areas = correlated_areas(labels, [a, b], **options)
        spread = areas.covariance[0, 0] + areas.covariance[1, 1] - 2 * areas.covariance[0, 1]
        assert areas.compared(0, 1).statistic == (areas.estimates[1] - areas.estimates[0]) / spread**0.5
    assert exchanged_areas(labels, a, a, codes // 10) is None
    assert compare_auc(labels, a, a, clusters=codes // 10).p_value == 1
