"""Areas, their covariance and their tests as pROC prints them, to ten digits and more."""

import pytest

from evalcore.classification import ScoredLabels, partial_auc, partial_auc_over_recall, roc_auc
from evalcore.inference import compare_auc, compare_independent_auc, correlated_areas, delong
from tests.published.aneurysms import AREAS, COVARIANCES, INTERVAL_OF_NDKA, LABELS, PARTIAL, SCORES, TESTS, VARIANCES

MARKERS = list(AREAS)
TOGETHER = correlated_areas(LABELS, [SCORES[marker] for marker in MARKERS])


def scored(marker: str) -> ScoredLabels:
    return ScoredLabels.from_arrays(LABELS, SCORES[marker])


@pytest.mark.parametrize("marker", MARKERS)
def test_area_and_variance(marker: str) -> None:
    place = MARKERS.index(marker)
    assert roc_auc(scored(marker)) == pytest.approx(AREAS[marker], rel=1e-13)
    assert TOGETHER.estimates[place] == pytest.approx(AREAS[marker], rel=1e-13)
    assert TOGETHER.covariance[place, place] == pytest.approx(VARIANCES[marker], rel=1e-12)


def test_interval() -> None:
    interval = delong(scored("ndka"), logit=False)
    assert (float(interval.low), float(interval.high)) == pytest.approx(INTERVAL_OF_NDKA, rel=1e-12)


@pytest.mark.parametrize(("pair", "printed"), COVARIANCES.items())
def test_covariance(pair: tuple[str, str], printed: float) -> None:
    i, j = map(MARKERS.index, pair)
    assert TOGETHER.covariance[i, j] == TOGETHER.covariance[j, i] == pytest.approx(printed, rel=1e-12)


@pytest.mark.parametrize(("pair", "printed"), TESTS.items())
def test_of_two_areas(pair: tuple[str, str], printed: tuple[float, ...]) -> None:
    first, second = pair
    found = compare_auc(LABELS, SCORES[second], SCORES[first])
    values = (found.statistic, found.p_value, float(found.interval.low), float(found.interval.high))
    assert values == pytest.approx(printed, rel=1e-11)
    assert found.n == 113


@pytest.mark.parametrize(("marker", "axis", "low", "high", "raw", "corrected"), PARTIAL)
def test_partial_area(marker: str, axis: str, low: float, high: float, raw: float, corrected: float | None) -> None:
    area = partial_auc if axis == "fpr" else partial_auc_over_recall
    assert area(scored(marker), low, high) == pytest.approx(raw, rel=1e-12)
    if corrected is None:
        assert area(scored(marker), low, high, corrected=True) < 0.5
    else:
        assert area(scored(marker), low, high, corrected=True) == pytest.approx(corrected, rel=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "statistic", "p"),
    [
        ("s100b", "wfns", 1.43490640926908, 0.152825378808796),
        ("ndka", "wfns", 3.10125096778969, 0.00220950791756457),
        ("s100b", "ndka", -1.55995743389685, 0.120192832430845),
    ],
)
def test_two_areas_as_if_of_different_patients(first: str, second: str, statistic: float, p: float) -> None:
    compared = compare_independent_auc(scored(first), scored(second))
    assert compared.statistic == pytest.approx(statistic, rel=1e-12)
    assert compared.p_value == pytest.approx(p, rel=1e-10)
